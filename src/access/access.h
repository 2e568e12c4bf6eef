/* access.h - the accessible region of path speed d1 and path acceleration d2.
 *
 *   low(d1) <= A d1^2 + B d1 + C + D d2 + V y <= high(d1)      (one row per limit)
 *   low(d1) = min + min_slope d1,  high(d1) = max + max_slope d1
 *   eq_a d1^2 + eq_b d1 + eq_c + eq_d d2 = 0                    (uncontrollable directions)
 *   d1_low <= d1 <= d1_high
 *
 * A point (d1, d2) is accessible when some y (r) fulfils all rows.
 * Source: Horacek, Sika, Valasek 2013, Eqs. (1)-(5); elementary vectors: docs/theory.md. */
#pragma once

#include "access/limit.h"
#include "base/api.h"
#include "base/status.h"

#include <stdbool.h>

GDYN_API_BEGIN

/* The coefficients of one pose. Arrays are borrowed. */
typedef struct gdyn_coefficients {
    int k;                       /* limit rows */
    int r;                       /* columns of V */
    const double *A, *B, *C, *D; /* k */
    /* k: what rounding may have left in A, B, D besides that of the numbers themselves; NULL:
     * nothing */
    const double *A_error, *B_error, *D_error;
    const double *V;                     /* k x r, column-major; columns may depend on each other */
    const double *min, *max;             /* k, infinite allowed */
    const double *min_slope, *max_slope; /* k, or NULL for zero */
    int equalities;                      /* rows of eq */
    const double *eq_a, *eq_b, *eq_c, *eq_d;   /* equalities, scaled so that 1 is a full limit */
    double eq_a_error, eq_b_error, eq_d_error; /* likewise, of every equality */
    double d1_low, d1_high;                    /* default 0 and INFINITY; from windows */
    int d1_low_window, d1_high_window;         /* the windows that give them; -1: none */
} gdyn_coefficients;

typedef enum gdyn_projection {
    GDYN_BY_ELEMENTARY, /* elementary vectors (exact, the fast default) */
    GDYN_BY_TUPLES, /* saturated r-tuples of drives with all limit combinations (the papers); up to
                           r = 7 and 4e7 combinations, else GDYN_ERROR_ARGUMENT */
    GDYN_BY_LP      /* support linear programs through GLPK, walked exactly along d1 */
} gdyn_projection;
/* "elementary", "tuples", "lp", NULL. */
extern const char *const gdyn_projection_names[];

enum { GDYN_ACTIVE_MAX = 8 }; /* r + 1 <= 7 names on an arc, speed limits included */

/* d2 = a d1^2 + b d1 + c on [from, to], with the limits that are saturated there. */
typedef struct gdyn_arc {
    double from, to, a, b, c;
    double a_error, b_error; /* bounds of the rounding in a and b */
    int active_count;
    gdyn_limit active[GDYN_ACTIVE_MAX];
} gdyn_arc;

/* One interval of reachable d1 with its two envelopes. */
typedef struct gdyn_island {
    double from, to;              /* to may be INFINITY */
    int upper_first, upper_count; /* arcs in region->upper; count 0: unbounded above */
    int lower_first, lower_count; /* likewise */
    int left_count,
        right_count; /* limits that close the island at its ends (0: d1 = 0, or arcs meet) */
    gdyn_limit left[GDYN_ACTIVE_MAX], right[GDYN_ACTIVE_MAX];
} gdyn_island;

typedef enum gdyn_region_status {
    GDYN_REGION_OK,     /* has area (possibly infinite) */
    GDYN_REGION_CURVE,  /* equality leaves a curve or segment */
    GDYN_REGION_POINT,  /* a single point */
    GDYN_REGION_EMPTY,  /* nothing accessible: see the certificate */
    GDYN_REGION_UNKNOWN /* pose not assembled or data not finite */
} gdyn_region_status;
/* "ok", "curve", "point", "empty", "unknown". */
const char *gdyn_region_status_name(gdyn_region_status status);

/* Why a region is empty: limits that exclude each other. Relaxing every named limit by `relative`
 * times its own magnitude (its value; half the range where that is zero), and nothing else, opens
 * the region; any less does not. INFINITY when equalities alone forbid everything. `needs[i]` is
 * the value the i-th named limit would need if it alone were relaxed: infinite when it alone cannot
 * open the region, NAN for equalities and the lower bound of d1, which are never relaxed. */
typedef struct gdyn_certificate {
    int count;
    gdyn_limit limit[3 * GDYN_ACTIVE_MAX];
    double needs[3 * GDYN_ACTIVE_MAX];
    double relative;
} gdyn_certificate;

typedef struct gdyn_region {
    gdyn_region_status status;
    int island_count, island_capacity;
    gdyn_island *island; /* ascending in d1, disjoint */
    int upper_count, upper_capacity, lower_count, lower_capacity;
    gdyn_arc *upper, *lower;   /* ascending in d1, contiguous within an island */
    bool d2_unbounded;         /* on some d1 there is no bound on d2 above or below */
    double area;               /* INFINITY when unbounded */
    double d1_max;             /* largest reachable d1; INFINITY possible; NAN when empty */
    bool rest;                 /* d1 = 0 is reachable */
    double rest_min, rest_max; /* range of d2 at rest */
    double speed_max;          /* maximum d1 at which d2 = 0 is accessible (NAN: none) */
    gdyn_certificate *proof;   /* room of gdyn_region_certificate, NULL where it was never needed */
    double d1_unit, d2_unit;   /* natural size of d1 and d2 here; tolerances are shares of it */
} gdyn_region;

typedef struct gdyn_access gdyn_access; /* workspace */

/* Workspace for up to max_k rows and max_r columns. The number of elementary vectors grows as
 * C(k, r+1); beyond the library's bound the support method is used instead. */
gdyn_access *gdyn_access_create(int max_k, int max_r, int max_equalities);
void gdyn_access_destroy(gdyn_access *access);
gdyn_region *gdyn_region_create(void);
void gdyn_region_destroy(gdyn_region *region);
gdyn_status gdyn_region_copy(gdyn_region *to, const gdyn_region *from);
/* Why the region is empty; of no limits where it is not, or where that was not asked. */
const gdyn_certificate *gdyn_region_certificate(const gdyn_region *region);

/* Projects the coefficients and builds the exact envelopes. Allocates nothing with
 * GDYN_BY_ELEMENTARY once region and workspace have grown to their final size. */
gdyn_status gdyn_access_region(gdyn_access *access, const gdyn_coefficients *coefficients,
                               gdyn_projection method, gdyn_region *region);

/* Exact range of d2 at one d1 by the method's own means; false when d1 is not reachable. */
bool gdyn_region_slice(const gdyn_region *region, double d1, double *d2_min, double *d2_max);
/* Arc above (or below) d1, NULL when unbounded or outside. */
const gdyn_arc *gdyn_region_arc(const gdyn_region *region, double d1, bool upper);

/* Intersection of two regions (arcs merged exactly; active limits kept): common region of a path.
 */
gdyn_status gdyn_region_intersect(const gdyn_region *a, const gdyn_region *b, gdyn_region *out);

/* Drive forces at (d1, d2): y of least norm in half-range units that keeps all limits (n, k); false
 * when the point is not accessible. The independent checker of tests uses only the rows. */
bool gdyn_access_forces(gdyn_access *access, const gdyn_coefficients *coefficients, double d1,
                        double d2, double *y, double *n);
/* Largest violation of any row at (d1, d2) with the best y, by a linear program (GLPK), in units
 * of the rows (gdyn_problem_unit); <= 0 inside. */
gdyn_status gdyn_access_violation(const gdyn_coefficients *coefficients, double d1, double d2,
                                  double *violation);

/* The unit of violations: half the range of row i, or the size of its limit or load where it is
 * one-sided; the scale of the near side where one limit is 2^17 times further away than the other
 * one and the load at rest. */
double gdyn_problem_unit(const gdyn_coefficients *coefficients, int i);
/* Half the range of row i at rest; INFINITY where a side has no limit. */
double gdyn_problem_half_range(const gdyn_coefficients *coefficients, int i);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Room for it in an empty region; NULL: memory. */
gdyn_certificate *gdyn_region_prove(gdyn_region *region);
/* Number of distinct elementary vectors behind the last region (GDYN_BY_ELEMENTARY), else 0. */
int gdyn_access_circuits(const gdyn_access *access);
