/* dynamics.h - layout of evaluator and pose (internal to access). */
#pragma once

#include "access/evaluate.h"
#include "base/memory.h"
#include "closure/motions.h"
#include "linalg/linalg.h"
#include "lp/lp.h"
#include "mech/row.h"
#include "tree/tree.h"

/* Right-hand sides of d1^2, d1, 1 and d2. */
enum { RHS_A, RHS_B, RHS_C, RHS_D, RHS };

/* A column of T_s by its entries: three or six from `first` on for each body that the drive
 * touches. */
typedef struct gdyn_drive_column {
    int parts, first[GDYN_ROW_BODIES];
    double entry[GDYN_ROW_BODIES][6];
} gdyn_drive_column;

/* Scaled forces of the drives (columns x RHS), norms of the rows of H^+ (columns), null(H) (columns
 * x r). */
typedef struct gdyn_lane_solution {
    double *x, *gain, *V;
} gdyn_lane_solution;

/* Equations of one of the poses that are taken at once. */
typedef struct gdyn_lane_equations {
    bool mapped;              /* map and drive_scale are known */
    double *map;              /* f x k: N^T T_s */
    double *drive_scale;      /* k */
    double *reduced_rhs;      /* f x RHS: N^T rhs */
    double *rhs;              /* n x RHS, */
    gdyn_drive_column *drive; /* k: those of the evaluator while the pose is loaded */
    double size[RHS], whole[RHS];
    gdyn_lane_solution solution;
} gdyn_lane_equations;

struct gdyn_evaluator {
    gdyn_arena *arena; /* of the object and its arrays */
    const gdyn_model *model;
    double pace;              /* |u_p| / L of the pose at hand [per p] */
    int n, rows, k;           /* coordinates, m + h, drives */
    int efforts;              /* bounded forces: drives and stictions */
    gdyn_limit_item *limited; /* rows, then windows of d1 */
    int limited_rows, windows;
    bool rotors, viscous; /* some drive has one; some force depends on the speed */
    /* masses of bodies, or at the pose at hand also their loads, differ by orders of magnitude */
    bool uneven_masses, uneven;
    int columns;                      /* of T at the pose at hand: drives and what friction holds */
    int *effort;                      /* efforts: which effort each column is */
    double *row_scale, *column_scale; /* rows; n */
    double *velocity_scale;           /* n: 1 / column_scale */
    double *drive_scale;         /* columns: T_s = column_scale T drive_scale has unit columns */
    double *system;              /* n x (rows + columns): [C_s^T T_s], of motions */
    gdyn_drive_column *drive;    /* k: columns of T_s, of a lane */
    gdyn_row_jacobian *jacobian; /* k: derivatives of the drives' coordinates they come from */
    double *held;                /* n x (efforts - k): those of friction that holds, behind them */
    gdyn_free_motions *motions;
    long found; /* motions->found of the poses that lane and mapped belong to */
    /* joint coordinates with the drives as conditions, where these are many (dynamics.c); else
     * NULL */
    gdyn_tree_pose *joints, *driven;
    const gdyn_row **drive_row; /* k */
    int mapped; /* pose of motions whose drives' map is in reduced, friction behind it; -1: none */
    gdyn_lane_equations lane[GDYN_POSES_AT_ONCE]; /* of the poses of motions */
    double *rhs;                                  /* n x RHS, scaled: of a lane */
    double size[RHS];                             /* norms of it, */
    double whole[RHS];                            /* and what parts of it are compared with */
    double *solution;                             /* (rows + columns) x RHS */
    double *null;                                 /* (rows + columns) squared, or n x n */
    double *part;         /* columns x (rows + columns): drive rows of the null space */
    double *reduced;      /* n x columns: N^T T_s */
    double *reduced_rhs;  /* n x RHS */
    double *residual;     /* n x RHS */
    double *load, *share; /* bodies x RHS, bodies: graded.c */
    double *cut;          /* efforts x RHS: forces that were within their errors */
    double *gain;         /* columns: row norms of the pseudo-inverse, forces per load */
    double *speed;        /* k */
    double *tasks, *map;  /* n x n: prescribed speeds per free motion; times drive motions */
    double *drives;       /* k x n: drive speeds per free motion */
    double *K, *M, *MN;   /* n x n: stiffness, mass of the free motions; M N */
    double stiffest;      /* greatest stiffness of the tool of the last criteria; NAN: not known */
    double *eigen;        /* gdyn_eigen_work(n) */
    double *few;          /* n x 8: vectors of the stiffness computation */
    double *table;        /* 2 efforts x (efforts + 1): rows of the load's linear program */
    gdyn_svd *svd;        /* of [C_s^T T_s] */
    gdyn_svd *small;      /* of the drive part, of N^T T_s and of equalities */
    gdyn_wide *wide;      /* of N^T T_s */
    gdyn_qr *graded;      /* of equations by the loads of their bodies */
    gdyn_lp *lp;
};

/* gdyn_pose with the arrays behind it. */
typedef struct gdyn_pose_storage {
    gdyn_pose pose;               /* first: a gdyn_pose * is a pointer to this */
    int capacity;                 /* limit rows */
    double *of[RHS], *error[RHS]; /* A, B, C, D, and bounds of their rounding */
    double *V, *min, *max, *min_slope, *max_slope;
    double eq[4][4]; /* eq_a, eq_b, eq_c, eq_d of up to four equalities */
    int *row_effort;
} gdyn_pose_storage;

/* --- equations.c ------------------------------------------------------------------------------ */

/* Everything of a pose that reductions start from: columns of T_s, right-hand sides, limits of the
 * drives with their rows and the bound of d1. GDYN_ERROR_NUMERIC: a right-hand side is not
 * finite. */
gdyn_status gdyn_equations_load(gdyn_evaluator *evaluator, const gdyn_state *state,
                                const gdyn_path_rates *rates, gdyn_pose_storage *storage);
/* T_s: drives, and static friction where it holds a joint (none without rates). */
void gdyn_equations_drives(gdyn_evaluator *evaluator, const gdyn_state *state,
                           const gdyn_path_rates *rates);
/* T_s behind the constraints in evaluator->system. */
void gdyn_equations_place_drives(gdyn_evaluator *evaluator);

/* --- dynamics.c ------------------------------------------------------------------------------- */

/* Columns of the drives and right-hand sides that are loaded next are those of a lane. */
void gdyn_evaluator_use_lane(gdyn_evaluator *evaluator, int lane);

/* Finds the motions at the pose with what closing left there (gdyn_path_rates; NULL: nothing), for
 * the questions about it that follow. */
gdyn_status gdyn_evaluator_find_motions(gdyn_evaluator *evaluator, const gdyn_state *state,
                                        const double *known);
/* Maps of the drives that belong to motions which are no longer known are none. */
void gdyn_evaluator_forget_maps(gdyn_evaluator *evaluator);
/* N (n x f, scaled): orthonormal basis of null(C_s) where motions were found last; f. */
void gdyn_evaluator_take_basis(gdyn_evaluator *evaluator, double *N, int *f);
/* The same after finding them at the state. */
gdyn_status gdyn_evaluator_null(gdyn_evaluator *evaluator, const gdyn_state *state, double *N,
                                int *f);
/* H = N^T T_s (f x columns, in evaluator->reduced) of the first columns of T_s, which is loaded;
 * with its singular value decomposition (in evaluator->small). */
/* A column of H that is rounding becomes zero. */
void gdyn_evaluator_clean_column(int f, double *column);
void gdyn_evaluator_map_columns(gdyn_evaluator *evaluator, const double *N, int f, int columns);
gdyn_status gdyn_evaluator_map_drives(gdyn_evaluator *evaluator, const double *N, int f,
                                      int columns);

/* N (n x f) as above and H = N^T T_s (f x k, in evaluator->reduced): how drive forces act on the
 * free motions. */
gdyn_status gdyn_evaluator_map(gdyn_evaluator *evaluator, const gdyn_state *state, double *N,
                               int *f);
/* The same with the singular value decomposition of H (in evaluator->small); values: its singular
 * values alone. */
gdyn_status gdyn_evaluator_drive_map(gdyn_evaluator *evaluator, const gdyn_state *state, double *N,
                                     int *f, bool values);

/* sigma_f / max(1, sigma_1) of that map; 0 where fewer drives than freedoms act. */
double gdyn_drive_map_distance(const gdyn_evaluator *evaluator, int f);

/* Forces of poses from their H (f x columns) and N^T rhs (f x RHS), where the drives clearly
 * control all f motions; false: not clearly. Of fewer poses some are the same. */
bool gdyn_evaluator_solve(gdyn_evaluator *evaluator, int f,
                          const double *const H[GDYN_POSES_AT_ONCE],
                          const double *const rhs[GDYN_POSES_AT_ONCE],
                          gdyn_lane_solution *const out[GDYN_POSES_AT_ONCE]);
/* Coefficients of the pose that is loaded from them. */
gdyn_status gdyn_evaluator_take_solution(gdyn_evaluator *evaluator, const gdyn_lane_solution *from,
                                         int f, gdyn_pose *pose);

/* --- criteria.c ------------------------------------------------------------------------------- */

/* E N (count x f) of rows of a path, rotations times L, on unscaled motions N (n x f). */
void gdyn_evaluator_task_map(gdyn_evaluator *evaluator, const gdyn_state *state, int count,
                             const gdyn_target *targets, const double *N, int f, double *out);

/* --- dynamics.c, of a pose -------------------------------------------------------------------- */

/* Greatest share of the right-hand sides of the last gdyn_evaluator_pose along N w, for a unit
 * vector w (f): of each of them in its own size. */
double gdyn_evaluator_share(const gdyn_evaluator *evaluator, const double *N, int f,
                            const double *w);

/* --- graded.c --------------------------------------------------------------------------------- */

/* Forces on bodies of d1^0 or d1^1 (n, not scaled) differ by orders of magnitude. */
bool gdyn_graded_forces(const gdyn_evaluator *evaluator, const double *g0, const double *g1);
/* A, B, C, D of the pose that is loaded, body by body: from the f free motions in evaluator->null,
 * of which the drives control `rank`; or from evaluator->system and evaluator->svd. */
gdyn_status gdyn_graded_null(gdyn_evaluator *evaluator, gdyn_pose_storage *storage,
                             const gdyn_state *state, const gdyn_path_rates *rates, int f,
                             int rank);
gdyn_status gdyn_graded_svd(gdyn_evaluator *evaluator, gdyn_pose_storage *storage,
                            const gdyn_state *state, const gdyn_path_rates *rates);
/* The motions N (n x f) and evaluator->reduced, their map, with light bodies alone in as many
 * motions as possible. */
gdyn_status gdyn_graded_motions(gdyn_evaluator *evaluator, int f, double *N);
/* Drive forces (k) that balance forces on the bodies (n, not scaled; destroyed), after that:
 * evaluator->null has those motions. */
gdyn_status gdyn_graded_answer(gdyn_evaluator *evaluator, int f, int rank, double *force,
                               double *n);
/* E (q x RHS): right-hand sides along the motions Z (n x q, orthonormal) that no drive controls,
 * each as if its bodies were the heaviest. After one of those. */
gdyn_status gdyn_graded_equalities(gdyn_evaluator *evaluator, int q, const double *Z, double *E);

/* --- dynamics.c ------------------------------------------------------------------------------- */

/* Whether coefficients are to be sought there. */
bool gdyn_evaluator_wants_joints(const gdyn_evaluator *evaluator);
