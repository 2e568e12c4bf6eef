/* path_dynamics.c - a machine (machine_dynamics.c) or a table (table_dynamics.c), in p or in the
 * travel of path/regular.h, over all of the path or a part of it. */
#include "traverse/internal.h"

#include "closure/target.h"
#include "linalg/linalg.h"
#include "mech/limits.h"
#include "mech/standstill.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Takes over what the coefficients come from; NULL when there is none of both, or no memory. */
static gdyn_path_dynamics *dynamics_of(gdyn_machine_dynamics *machine, gdyn_table_dynamics *table) {
    gdyn_path_dynamics *s = machine || table ? gdyn_alloc(1, sizeof *s) : NULL;
    if (!s) {
        gdyn_machine_dynamics_destroy(machine);
        gdyn_table_dynamics_destroy(table);
        return NULL;
    }
    s->machine = machine;
    s->table = table;
    s->points = machine ? gdyn_path_points(machine->path) : table->points;
    return s;
}

gdyn_path_dynamics *gdyn_path_dynamics_machine(const gdyn_model *model, const gdyn_path *path) {
    return dynamics_of(gdyn_machine_dynamics_create(model, path, NULL, NULL), NULL);
}

gdyn_path_dynamics *gdyn_path_dynamics_followed(const gdyn_path *path, const gdyn_track *track,
                                                const gdyn_singularities *singular) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    return dynamics_of(gdyn_machine_dynamics_create(model, path, track, singular), NULL);
}

gdyn_path_dynamics *gdyn_path_dynamics_table(int points, const double *p,
                                             const gdyn_coefficients *q) {
    return dynamics_of(NULL, gdyn_table_dynamics_create(points, p, q));
}

gdyn_path_dynamics *gdyn_path_dynamics_places(int points, const double *p,
                                              const gdyn_coefficients *const *q,
                                              gdyn_region *const *region) {
    return dynamics_of(NULL, gdyn_table_dynamics_of_places(points, p, q, region));
}

const gdyn_region *gdyn_path_dynamics_region(const gdyn_path_dynamics *s, double p) {
    return s->table ? gdyn_table_dynamics_region(s->table, p) : NULL;
}

/* Safe on a partly made object. */
void gdyn_path_dynamics_destroy(gdyn_path_dynamics *s) {
    if (!s)
        return;
    gdyn_machine_dynamics_destroy(s->machine);
    gdyn_table_dynamics_destroy(s->table);
    gdyn_free(s->stop);
    gdyn_free(s->break_at);
    gdyn_free(s->rate);
    gdyn_free(s);
}

const gdyn_singularity *gdyn_path_dynamics_block(const gdyn_path_dynamics *s, double from,
                                                 double to) {
    return s->machine ? gdyn_singularities_block(s->machine->singular, from, to) : NULL;
}

/* --- places in the present parameter ---------------------------------------------------------- */

/* The points of the whole path in the present parameter; of s equally spaced. */
static double point_at(const gdyn_path_dynamics *s, int i) {
    if (s->in_s) {
        double first = gdyn_path_dynamics_present(s, gdyn_path_p(s->machine->path, 0));
        double last = gdyn_path_dynamics_present(s, gdyn_path_p(s->machine->path, s->points - 1));
        return i + 1 < s->points ? first + (last - first) * i / (s->points - 1) : last;
    }
    return s->machine ? gdyn_path_p(s->machine->path, i) : s->table->p[i];
}

/* Number of points up to and including s, apart from rounding. */
static int points_up_to(const gdyn_path_dynamics *s, double at, bool including) {
    double slack = 1e-9 * (point_at(s, s->points - 1) - point_at(s, 0));
    double bound = at + (including ? slack : -slack);
    int low = 0, high = s->points; /* what is before low counts, what is from high on does not */
    /* bisection over ascending points */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (point_at(s, middle) <= bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* In a window: its ends and the points inside. */
int gdyn_path_dynamics_points(const gdyn_path_dynamics *s) {
    if (!s->windowed)
        return s->points;
    int inside = points_up_to(s, s->to, false) - points_up_to(s, s->from, true);
    return inside > 0 ? inside + 2 : 2;
}

double gdyn_path_dynamics_p(const gdyn_path_dynamics *s, int i) {
    assert(i >= 0 && i < gdyn_path_dynamics_points(s));
    if (!s->windowed)
        return point_at(s, i);
    /* the window's ends count as points */
    return i == 0 ? s->from
           : i == gdyn_path_dynamics_points(s) - 1
               ? s->to
               : point_at(s, points_up_to(s, s->from, true) + i - 1);
}

int gdyn_path_dynamics_breaks(const gdyn_path_dynamics *s) {
    return s->breaks;
}

/* In the parameter that is in use. */
double gdyn_path_dynamics_break(const gdyn_path_dynamics *s, int i) {
    assert(i >= 0 && i < s->breaks);
    return s->break_at[i];
}

int gdyn_path_dynamics_knots(const gdyn_path_dynamics *s) {
    return s->machine && s->machine->regular ? s->machine->regular->knots : 0;
}

double gdyn_path_dynamics_knot(const gdyn_path_dynamics *s, int i) {
    assert(i >= 0 && i < gdyn_path_dynamics_knots(s));
    return gdyn_path_dynamics_present(s, s->machine->regular->knot[i]);
}

/* The first place from `from` on, of those in ascending order; count: none. */
static int first_from(const double *place, int count, double from) {
    int low = 0;
    while (low < count) {
        int middle = low + (count - low) / 2;
        if (place[middle] < from)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

bool gdyn_path_dynamics_bends(const gdyn_path_dynamics *s, double from, double to, double near) {
    from -= near, to += near;
    int stop = first_from(s->stop, s->stops, from), at = first_from(s->break_at, s->breaks, from);
    if ((stop < s->stops && s->stop[stop] <= to) || (at < s->breaks && s->break_at[at] <= to))
        return true;
    /* the first knot from `from` on, by bisection */
    int low = 0, high = gdyn_path_dynamics_knots(s), knots = high;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (gdyn_path_dynamics_knot(s, middle) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < knots && gdyn_path_dynamics_knot(s, low) <= to;
}

double gdyn_path_dynamics_first(const gdyn_path_dynamics *s) {
    return s->windowed ? s->from : point_at(s, 0);
}

double gdyn_path_dynamics_last(const gdyn_path_dynamics *s) {
    return s->windowed ? s->to : point_at(s, s->points - 1);
}

int gdyn_path_dynamics_rows(const gdyn_path_dynamics *s) {
    return s->machine ? gdyn_pose_capacity(s->machine->model) : s->table->k;
}

int gdyn_path_dynamics_redundancy(const gdyn_path_dynamics *s) {
    return s->machine ? gdyn_pose_efforts(s->machine->model) : s->table->r;
}

bool gdyn_path_dynamics_closed(const gdyn_path_dynamics *s) {
    return s->machine && s->machine->track->closed && s->machine->track->returns;
}

/* --- another parameter -------------------------------------------------------------------- */

bool gdyn_path_dynamics_travels(const gdyn_path_dynamics *s) {
    return s->in_s;
}

double gdyn_path_dynamics_present(const gdyn_path_dynamics *s, double p) {
    return s->in_s ? gdyn_regular_s(s->machine->regular, p) : p;
}

double gdyn_path_dynamics_unit(gdyn_path_dynamics *s, double p) {
    if (s->in_s)
        gdyn_machine_dynamics_measure(s->machine, p);
    return s->in_s ? s->machine->g : 1;
}

/* One more place, in ascending order, unless it is there. */
static void add_place(double *place, int *count, double at) {
    int i = *count;
    while (i > 0 && place[i - 1] > at)
        i--;
    if (i > 0 && place[i - 1] == at)
        return;
    memmove(place + i + 1, place + i, (size_t)((*count)++ - i) * sizeof *place);
    place[i] = at;
}

/* The parameter, the whole path, its stops, and its breaks. */
static gdyn_status choose(gdyn_path_dynamics *s, bool travels) {
    s->in_s = travels;
    s->windowed = false;
    s->stops = s->breaks = 0;
    if (!s->machine || !s->machine->regular)
        return GDYN_OK;
    const gdyn_regular *regular = s->machine->regular;
    const gdyn_reversals *reversals = &s->machine->reversals;
    gdyn_free(s->stop);
    gdyn_free(s->break_at);
    s->stop = gdyn_alloc((size_t)(2 * regular->rests + reversals->count + regular->bends) + 1,
                         sizeof *s->stop);
    s->break_at = gdyn_alloc((size_t)(reversals->count + regular->bends) + 1, sizeof *s->break_at);
    if (!s->stop || !s->break_at)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < regular->rests; i++) {
        const gdyn_path_rest *rest = &regular->rest[i];
        if (rest->stop) {
            add_place(s->stop, &s->stops, travels ? rest->at : rest->from);
            add_place(s->stop, &s->stops, travels ? rest->at : rest->to);
        }
    }
    for (int i = 0; i < reversals->count; i++)
        add_place(s->break_at, &s->breaks, gdyn_path_dynamics_present(s, reversals->p[i]));
    for (int i = 0; i < regular->bends; i++)
        add_place(s->break_at, &s->breaks, gdyn_path_dynamics_present(s, regular->bend_at[i]));
    return GDYN_OK;
}

gdyn_status gdyn_path_dynamics_regularize(gdyn_path_dynamics *s) {
    return choose(s, s->machine && s->machine->regular && s->machine->regular->needed);
}

gdyn_status gdyn_path_dynamics_follow(gdyn_path_dynamics *s) {
    gdyn_status status = s->machine ? gdyn_machine_dynamics_follow(s->machine) : GDYN_OK;
    /* back to p, and to the whole path */
    return status == GDYN_OK ? choose(s, false) : status;
}

/* A part of the path, from stop to stop. */
void gdyn_path_dynamics_window(gdyn_path_dynamics *s, double from, double to) {
    assert(from < to);
    s->windowed = true;
    s->from = from, s->to = to;
}

void gdyn_path_dynamics_whole(gdyn_path_dynamics *s) {
    s->windowed = false;
}

/* Dwells below this share of the path are single places: p^3 stands for 1e-6, p^5 for 1e-3. */
static const double REPORTED = 2e-3;

int gdyn_path_dynamics_dwells(const gdyn_path_dynamics *s, int most, double (*dwell)[2]) {
    const gdyn_regular *regular = s->machine ? s->machine->regular : NULL;
    int count = 0;
    for (int i = 0; regular && i < regular->rests && count < most; i++) {
        const gdyn_path_rest *rest = &regular->rest[i];
        if (rest->to - rest->from > REPORTED * (gdyn_path_p(regular->path, s->points - 1) -
                                                gdyn_path_p(regular->path, 0))) {
            dwell[count][0] = rest->from;
            dwell[count++][1] = rest->to;
        }
    }
    return count;
}

/* p of the present parameter; ends of a window are seen from inside: a corner begins its piece. */
static double original_p(const gdyn_path_dynamics *s, double at) {
    bool last = s->windowed && at >= s->to && at < point_at(s, s->points - 1);
    const gdyn_regular *regular = s->machine ? s->machine->regular : NULL;
    /* corners and poles are known in the parameter of their places */
    if (regular && (s->in_s || !regular->needed)) {
        double p = gdyn_regular_near(regular, at, last ? -1 : 1);
        return last && !gdyn_regular_rest(regular, at) ? p - s->machine->reversals.near : p;
    }
    if (last) /* dry forces jump there */
        return at - (s->machine ? s->machine->reversals.near : 1e-9 * (s->to - s->from));
    return at;
}

void gdyn_path_dynamics_original(gdyn_path_dynamics *s, double at, double *p, int count, double *d1,
                                 double *d2) {
    *p = at;
    if (!s->in_s)
        return;
    const gdyn_path_rest *rest =
        s->machine && s->machine->regular ? gdyn_regular_rest(s->machine->regular, at) : NULL;
    *p = gdyn_regular_p(s->machine->regular, at);
    gdyn_machine_dynamics_measure(s->machine, *p);
    /* d1 = (ds/dt) / g */
    double g = rest && rest->vanishes ? NAN : s->machine->g;
    for (int i = 0; i < count; i++) {
        d1[i] /= g;
        if (d2)
            d2[i] = (d2[i] - s->machine->slope * d1[i] * d1[i]) / g;
    }
}

gdyn_status gdyn_path_dynamics_at(gdyn_path_dynamics *s, double p,
                                  const gdyn_coefficients **coefficients,
                                  gdyn_point_status *found) {
    *found = GDYN_POINT_OK;
    s->asked++;
    if (s->watch)
        s->watch(s->watch_context, s->asked);
    if (gdyn_flag(s->halt))
        return GDYN_ERROR_INTERRUPTED;
    if (!s->machine) {
        *coefficients = gdyn_table_dynamics_at(s->table, p);
        return GDYN_OK;
    }
    double original = original_p(s, p);
    gdyn_status status = gdyn_machine_dynamics_at(s->machine, original, found);
    *coefficients = &s->machine->pose->coefficients;
    if (status == GDYN_OK && s->in_s && *found == GDYN_POINT_OK) {
        gdyn_machine_dynamics_measure(s->machine, original);
        gdyn_machine_dynamics_transform(s->machine);
        *coefficients = &s->machine->coefficients;
    }
    return status;
}

void gdyn_path_dynamics_ahead(gdyn_path_dynamics *s, int count, const double *p) {
    double original[GDYN_AHEAD];
    count = count < GDYN_AHEAD ? count : GDYN_AHEAD;
    for (int i = 0; s->machine && i < count; i++)
        original[i] = original_p(s, p[i]);
    if (s->machine)
        gdyn_path_place_ahead(s->machine->place, count, original);
}

void gdyn_path_dynamics_watch(gdyn_path_dynamics *s, void (*watch)(void *context, long places),
                              void *context) {
    s->watch = watch;
    s->watch_context = context;
}

void gdyn_path_dynamics_halt(gdyn_path_dynamics *s, const volatile sig_atomic_t *flag) {
    s->halt = flag;
}

const gdyn_track *gdyn_path_dynamics_track(const gdyn_path_dynamics *s) {
    return s->machine ? s->machine->track : NULL;
}

gdyn_status gdyn_path_dynamics_displaced(gdyn_path_dynamics *s, double distance,
                                         const gdyn_coefficients **coefficients, double *error) {
    gdyn_machine_dynamics *machine = s->machine;
    *error = machine ? machine->place->error : 0;
    if (*error > 0 && !gdyn_path_place_displace(machine->place, distance))
        *error = 0;
    if (!(*error > 0))
        return GDYN_OK;
    gdyn_status status = gdyn_machine_dynamics_evaluate(machine);
    if (s->in_s) /* with g of the pose as it was: the parameter stays the same */
        gdyn_machine_dynamics_transform(machine);
    *coefficients = s->in_s ? &machine->coefficients : &machine->pose->coefficients;
    return status;
}

/* Replaces the drives' own rates. */
gdyn_status gdyn_path_dynamics_set_rates(gdyn_path_dynamics *s, const double *rate) {
    size_t rows = (size_t)gdyn_path_dynamics_rows(s);
    gdyn_free(s->rate);
    s->rate = gdyn_alloc(rows + 1, sizeof *s->rate);
    if (!s->rate)
        return GDYN_ERROR_MEMORY;
    memcpy(s->rate, rate, rows * sizeof *rate);
    return GDYN_OK;
}

/* Limits of third order. */
static gdyn_status machine_rates(gdyn_path_dynamics *s) {
    const gdyn_model *model = s->machine->model;
    int rows = gdyn_path_dynamics_rows(s);
    gdyn_limit_item *item = gdyn_alloc((size_t)rows + 1, sizeof *item);
    s->rate = item ? gdyn_alloc((size_t)rows + 1, sizeof *s->rate) : NULL;
    if (!s->rate) {
        gdyn_free(item);
        return GDYN_ERROR_MEMORY;
    }
    gdyn_limit_items(model, GDYN_LIMIT_ROW, item);
    for (int row = 0; row < rows; row++)
        s->rate[row] = gdyn_limit_row_rate(model, &item[row]);
    gdyn_free(item);
    return GDYN_OK;
}

gdyn_status gdyn_path_dynamics_rates(gdyn_path_dynamics *s, const double **rate) {
    gdyn_status status = s->machine && !s->rate ? machine_rates(s) : GDYN_OK;
    bool any = false;
    for (int row = 0; s->rate && row < gdyn_path_dynamics_rows(s); row++)
        any |= isfinite(s->rate[row]);
    *rate = any ? s->rate : NULL;
    return status;
}

int gdyn_path_dynamics_effort(const gdyn_path_dynamics *s, int row) {
    return s->machine ? s->machine->pose->row_effort[row] : row;
}

bool gdyn_path_dynamics_driven(const gdyn_path_dynamics *s, int row) {
    int effort = gdyn_path_dynamics_effort(s, row);
    return !s->machine || (effort >= 0 && effort < gdyn_model_drives(s->machine->model));
}

/* Only machines have drives with speeds. */
bool gdyn_path_dynamics_speeds(const gdyn_path_dynamics *s, double *speed) {
    gdyn_path_rates rates;
    if (gdyn_path_dynamics_motion(s, &rates))
        gdyn_mech_drive_speeds(s->machine->place->state, rates.u_p, speed);
    return s->machine != NULL;
}

void gdyn_path_dynamics_row_speeds(const gdyn_path_dynamics *s, int rows, double *drives,
                                   double *speed) {
    bool known = gdyn_path_dynamics_speeds(s, drives);
    for (int i = 0; i < rows; i++)
        speed[i] = known && gdyn_path_dynamics_driven(s, i)
                       ? drives[gdyn_path_dynamics_effort(s, i)]
                       : NAN;
}

bool gdyn_path_dynamics_motion(const gdyn_path_dynamics *s, gdyn_path_rates *rates) {
    const gdyn_machine_dynamics *m = s->machine;
    if (m && s->in_s)
        *rates = (gdyn_path_rates){.u_p = m->along, .u_pp = m->along + m->track->n};
    else if (m)
        *rates = (gdyn_path_rates){.u_p = m->place->u_p, .u_pp = m->place->u_pp};
    return s->machine != NULL;
}

const gdyn_state *gdyn_path_dynamics_state(const gdyn_path_dynamics *s) {
    return s->machine ? s->machine->place->state : NULL;
}

/* --- where forces would have to jump ---------------------------------------------------------- */

/* Where dry forces change, or the curvature of the path jumps, a row with a limit on its rate may
 * have to jump. d2 does not: the motion is sought with a continuous one. */

/* A column whose remainder is this share of it depends on those before. */
static const double DEPENDENT = 1e-9;
/* Share of the path within which places are the same. */
static const double SAME_PLACE = 1e-9;
/* Share of s within which a place belongs to a rest: speeds vanish like its square root. */
static const double AT_REST = 1e-6;

/* Forces that have to jump by less than this share of half the range are continuous: what is left
 * is rounding of the coefficients at both sides. */
static const double JUMP = 1e-6;

/* Limited rows of columns (V, or D: k x count), orthogonalized and added to Q (k x *columns). */
static void add_columns(int k, int count, const double *column, const double *rate, double *Q,
                        int *columns) {
    for (int v = 0; v < count; v++) {
        double *q = Q + (size_t)*columns * (size_t)k, before;
        for (int i = 0; i < k; i++)
            q[i] = isfinite(rate[i]) ? column[i + v * k] : 0;
        *columns += gdyn_extend_basis(k, *columns, Q, q, &before) > DEPENDENT * before;
    }
}

/* The jump of C or A (k) has a part outside the columns of Q above the rounding of unit (k). */
static bool must_jump(const gdyn_coefficients *c, const double *rate, double *jump,
                      const double *unit, const double *Q, int columns) {
    for (int j = 0; j < columns; j++) {
        /* the part along V can be taken over by internal forces */
        const double *own = Q + (size_t)j * (size_t)c->k;
        double along = 0;
        for (int i = 0; i < c->k; i++)
            along += own[i] * (isfinite(rate[i]) ? jump[i] : 0);
        for (int i = 0; i < c->k; i++)
            jump[i] -= along * own[i];
    }
    for (int i = 0; i < c->k; i++)
        if (isfinite(rate[i]) && fabs(jump[i]) > JUMP * unit[i])
            return true;
    return false;
}

/* Coefficients at p in the present parameter; NULL: none. */
static const gdyn_coefficients *coefficients_at(gdyn_path_dynamics *s, double p,
                                                gdyn_status *status) {
    gdyn_point_status found;
    *status = gdyn_machine_dynamics_at(s->machine, p, &found);
    if (*status != GDYN_OK || found != GDYN_POINT_OK)
        return NULL;
    if (!s->in_s)
        return &s->machine->pose->coefficients;
    gdyn_machine_dynamics_measure(s->machine, p);
    gdyn_machine_dynamics_transform(s->machine);
    return &s->machine->coefficients;
}

/* Looks at the place p from both sides; work: k (5 + 2 r). avoidable: a jump of d2 avoids it. */
static gdyn_status judge_jump(gdyn_path_dynamics *s, double p, const double *rate, double *work,
                              bool *jumps, bool *avoidable) {
    int columns = 0;
    gdyn_status status;
    *jumps = *avoidable = false;
    /* coefficients just before */
    const gdyn_coefficients *c = coefficients_at(s, p - s->machine->reversals.near, &status);
    if (!c)
        return status;
    int k = c->k;
    double *C = work, *A = C + k, *load = A + k, *bend = load + k, *Q = bend + k;
    memcpy(C, c->C, (size_t)k * sizeof *C);
    memcpy(A, c->A, (size_t)k * sizeof *A);
    add_columns(k, c->r, c->V, rate, Q, &columns);
    /* and behind it */
    c = coefficients_at(s, p, &status);
    if (!c || c->k != k)
        return status;
    /* the jumps of C and A, with the internal forces of both sides; beside half a range or the
     * load, beside A and the smallest one that matters over the path */
    double whole = gdyn_path_dynamics_last(s) - gdyn_path_dynamics_first(s);
    for (int i = 0; i < k; i++) {
        double half = 0.5 * (c->max[i] - c->min[i]);
        load[i] = isfinite(half) ? half : fabs(c->C[i]);
        bend[i] = fmax(fabs(A[i]), fabs(c->A[i])) + fabs(c->D[i]) / whole;
        C[i] = c->C[i] - C[i];
        A[i] = c->A[i] - A[i];
    }
    add_columns(k, c->r, c->V, rate, Q, &columns);
    *jumps = must_jump(c, rate, C, load, Q, columns) || must_jump(c, rate, A, bend, Q, columns);
    add_columns(k, 1, c->D, rate, Q, &columns);
    *avoidable = *jumps && !must_jump(c, rate, C, load, Q, columns) &&
                 !must_jump(c, rate, A, bend, Q, columns);
    return GDYN_OK;
}

/* Dry forces change at a rest but for the width within which speeds vanish. */
static bool near_rest(const gdyn_path_dynamics *s, double at) {
    const gdyn_regular *regular = s->machine->regular;
    double near = AT_REST * (gdyn_path_dynamics_last(s) - gdyn_path_dynamics_first(s));
    bool any = false;
    for (int i = 0; s->in_s && i < regular->rests; i++)
        any |= regular->rest[i].vanishes && fabs(regular->rest[i].at - at) <= near;
    return any;
}

bool gdyn_path_dynamics_rests(const gdyn_path_dynamics *s, double p) {
    const gdyn_regular *regular = s->machine && !s->in_s ? s->machine->regular : NULL;
    double near = AT_REST * (gdyn_path_dynamics_last(s) - gdyn_path_dynamics_first(s));
    bool any = false;
    for (int i = 0; regular && i < regular->rests; i++)
        any |= regular->rest[i].vanishes && p >= regular->rest[i].from - near &&
               p <= regular->rest[i].to + near;
    return any;
}

/* Places where forces of limited rate would have to jump: the motion has to stop there. */
gdyn_status gdyn_path_dynamics_stop_at_jumps(gdyn_path_dynamics *s, const double *rate, int most,
                                             double *place, int *count, bool *avoidable) {
    size_t k = (size_t)gdyn_path_dynamics_rows(s), r = (size_t)gdyn_path_dynamics_redundancy(s);
    *count = 0, *avoidable = false;
    if (!s->machine || !s->machine->regular)
        return GDYN_OK;
    double *work = gdyn_alloc(k * (2 * r + 6) + 1, sizeof *work);
    const gdyn_regular *regular = s->machine->regular;
    const gdyn_reversals *reversals = &s->machine->reversals;
    double first = gdyn_path_dynamics_first(s), last = gdyn_path_dynamics_last(s),
           near = SAME_PLACE * (last - first);
    gdyn_status status = work ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* every reversal and bend but the ends of the path and rests, where it stops anyway */
    for (int i = 0; i < reversals->count + regular->bends && status == GDYN_OK; i++) {
        double p = i < reversals->count ? reversals->p[i] : regular->bend_at[i - reversals->count];
        double at = gdyn_path_dynamics_present(s, p);
        bool jumps, soft, ends = at - first <= near || last - at <= near;
        if (ends || near_rest(s, at))
            continue;
        status = judge_jump(s, p, rate, work, &jumps, &soft);
        if (status != GDYN_OK || !jumps)
            continue;
        *avoidable = *avoidable || soft;
        /* in the caller's parameter */
        add_place(s->stop, &s->stops, at);
        if (*count < most)
            add_place(place, count, p);
    }
    gdyn_free(work);
    return status;
}
