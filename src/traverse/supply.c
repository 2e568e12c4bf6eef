/* supply.c - a machine stands at any place of its track (path/place.h); a table is interpolated row
 * by row. */
#include "traverse/supply.h"

#include "traverse/regular.h"

#include "access/singularity.h"
#include "base/memory.h"
#include "mech/mech.h"
#include "path/place.h"
#include "path/reversal.h"

#include <math.h>
#include <string.h>

struct gdyn_supply {
    /* machine */
    const gdyn_model *model;
    const gdyn_path *path;
    gdyn_closure *closure;
    gdyn_evaluator *evaluator;
    gdyn_track *track;
    gdyn_path_place *place;
    gdyn_pose *pose;
    gdyn_reversals reversals; /* where dry forces change at once */
    double *rest;             /* 2 n: u_p, u_pp without rounding where the machine stands still */
    gdyn_singularities singular;
    int jumps;    /* stops because a force would have to jump */
    double *jump; /* p, ascending */
    /* table */
    int points, k, r, width; /* width: numbers of one point */
    double *p;               /* points */
    double *numbers;         /* points x width: A, B, C, D, min, max (k each), V (k x r), d1_high */
    double *now;             /* width */
    gdyn_coefficients coefficients;
    const gdyn_coefficients *const *places; /* points, borrowed, or NULL */
    double *rate;                           /* rows, or NULL */
    /* another parameter, a part of the path */
    gdyn_regular *regular;
    double *scale;     /* n: column scales of the speeds */
    double *numbers_s; /* 9 rows: A, B, D, slopes of the limits and errors in s */
    gdyn_coefficients coefficients_s;
    double g, slope; /* |u_p| and its derivative at the last place */
    bool windowed;
    double from, to;
    void (*watch)(void *context, long places);
    void *watch_context;
    long asked;
};

gdyn_supply *gdyn_supply_machine(const gdyn_model *model, const gdyn_path *path) {
    gdyn_supply *s = gdyn_alloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->model = model;
    s->path = path;
    s->closure = gdyn_closure_create(model, gdyn_path_targets(path));
    s->evaluator = gdyn_evaluator_create(model);
    s->track = gdyn_track_create(model, path);
    s->place = s->track ? gdyn_path_place_create(path, s->track) : NULL;
    s->pose = gdyn_pose_create(model);
    s->rest = gdyn_alloc(2 * (size_t)gdyn_model_coordinates(model) + 1, sizeof *s->rest);
    s->points = gdyn_path_points(path);
    if (!s->closure || !s->evaluator || !s->track || !s->place || !s->pose || !s->rest) {
        gdyn_supply_destroy(s);
        return NULL;
    }
    return s;
}

gdyn_status gdyn_supply_follow(gdyn_supply *s) {
    if (!s->model)
        return GDYN_OK;
    gdyn_path_place_reset(s->place);
    gdyn_status status = gdyn_track_follow(s->track, s->path, s->closure, NULL);
    gdyn_reversals_free(&s->reversals);
    if (status == GDYN_OK)
        status = gdyn_reversals_find(s->place, &s->reversals);
    return status ? status : gdyn_singularities_find(s->path, s->track, s->evaluator, &s->singular);
}

const gdyn_singularity *gdyn_supply_block(const gdyn_supply *s, double from, double to) {
    return gdyn_singularities_block(&s->singular, from, to);
}

static void keep(gdyn_supply *s, int i, const gdyn_coefficients *q) {
    size_t k = (size_t)s->k;
    double *to = s->numbers + (size_t)i * (size_t)s->width;
    const double *from[6] = {q->A, q->B, q->C, q->D, q->min, q->max};
    for (size_t j = 0; j < 6; j++) {
        memcpy(to + j * k, from[j], k * sizeof *to);
    }
    if (s->r > 0) {
        memcpy(to + 6 * k, q->V, k * (size_t)s->r * sizeof *to);
    }
    to[s->width - 1] = q->d1_high;
}

gdyn_supply *gdyn_supply_table(int points, const double *p, const gdyn_coefficients *q) {
    gdyn_supply *s = points > 0 ? gdyn_alloc(1, sizeof *s) : NULL;
    if (!s) {
        return NULL;
    }
    s->points = points;
    s->k = q[0].k;
    s->r = q[0].r;
    s->width = s->k * (6 + s->r) + 1;
    s->p = gdyn_alloc((size_t)points, sizeof *s->p);
    s->numbers = gdyn_alloc((size_t)points * (size_t)s->width, sizeof *s->numbers);
    s->now = gdyn_alloc((size_t)s->width, sizeof *s->now);
    if (!s->p || !s->numbers || !s->now) {
        gdyn_supply_destroy(s);
        return NULL;
    }
    memcpy(s->p, p, (size_t)points * sizeof *p);
    for (int i = 0; i < points; i++) {
        keep(s, i, &q[i]);
    }
    int k = s->k;
    s->coefficients = (gdyn_coefficients){.k = k,
                                          .r = s->r,
                                          .A = s->now,
                                          .B = s->now + k,
                                          .C = s->now + 2 * k,
                                          .D = s->now + 3 * k,
                                          .min = s->now + 4 * k,
                                          .max = s->now + 5 * k,
                                          .V = s->now + 6 * k,
                                          .d1_high_drive = -1};
    return s;
}

gdyn_supply *gdyn_supply_places(int points, const double *p,
                                const gdyn_coefficients *const *coefficients) {
    gdyn_supply *s = points > 0 ? gdyn_alloc(1, sizeof *s) : NULL;
    if (!s) {
        return NULL;
    }
    s->points = points;
    s->places = coefficients;
    s->p = gdyn_alloc((size_t)points, sizeof *s->p);
    if (!s->p) {
        gdyn_supply_destroy(s);
        return NULL;
    }
    memcpy(s->p, p, (size_t)points * sizeof *p);
    for (int i = 0; i < points; i++) {
        int rows = coefficients[i]->k + coefficients[i]->equalities;
        s->k = rows > s->k ? rows : s->k;
        s->r = coefficients[i]->r > s->r ? coefficients[i]->r : s->r;
    }
    return s;
}

void gdyn_supply_destroy(gdyn_supply *s) {
    if (!s) {
        return;
    }
    gdyn_closure_destroy(s->closure);
    gdyn_evaluator_destroy(s->evaluator);
    gdyn_track_destroy(s->track);
    gdyn_path_place_destroy(s->place);
    gdyn_singularities_free(&s->singular);
    gdyn_pose_destroy(s->pose);
    gdyn_free(s->rest);
    gdyn_reversals_free(&s->reversals);
    gdyn_free(s->jump);
    gdyn_free(s->p);
    gdyn_free(s->numbers);
    gdyn_free(s->now);
    gdyn_regular_destroy(s->regular);
    gdyn_free(s->scale);
    gdyn_free(s->rate);
    gdyn_free(s->numbers_s);
    gdyn_free(s);
}

/* The points of the whole path in the present parameter; of s equally spaced. */
static double point_at(const gdyn_supply *s, int i) {
    if (s->regular) {
        double first = gdyn_regular_s(s->regular, gdyn_path_p(s->path, 0));
        double last = gdyn_regular_s(s->regular, gdyn_path_p(s->path, s->points - 1));
        return i + 1 < s->points ? first + (last - first) * i / (s->points - 1) : last;
    }
    return s->model ? gdyn_path_p(s->path, i) : s->p[i];
}

/* Number of points up to and including s, apart from rounding. */
static int points_up_to(const gdyn_supply *s, double at, bool including) {
    double slack = 1e-9 * (point_at(s, s->points - 1) - point_at(s, 0));
    int count = 0;
    while (count < s->points && point_at(s, count) <= at + (including ? slack : -slack))
        count++;
    return count;
}

int gdyn_supply_points(const gdyn_supply *s) {
    if (!s->windowed)
        return s->points;
    int inside = points_up_to(s, s->to, false) - points_up_to(s, s->from, true);
    return inside > 0 ? inside + 2 : 2;
}

double gdyn_supply_p(const gdyn_supply *s, int i) {
    if (!s->windowed)
        return point_at(s, i);
    return i == 0                           ? s->from
           : i == gdyn_supply_points(s) - 1 ? s->to
                                            : point_at(s, points_up_to(s, s->from, true) + i - 1);
}

bool gdyn_supply_jumps(const gdyn_supply *s, int i) {
    for (; s->numbers && i + 1 < s->points && s->p[i + 1] == s->p[i]; i++) {
        const double *at = s->numbers + (size_t)i * (size_t)s->width;
        if (memcmp(at, at + s->width, (size_t)s->width * sizeof *at) != 0)
            return true;
    }
    return false;
}

int gdyn_supply_breaks(const gdyn_supply *s) {
    return s->reversals.count;
}

double gdyn_supply_break(const gdyn_supply *s, int i) {
    double p = s->reversals.p[i];
    return s->regular ? gdyn_regular_s(s->regular, p) : p;
}

double gdyn_supply_first(const gdyn_supply *s) {
    return s->windowed ? s->from : point_at(s, 0);
}

double gdyn_supply_last(const gdyn_supply *s) {
    return s->windowed ? s->to : point_at(s, s->points - 1);
}

int gdyn_supply_rows(const gdyn_supply *s) {
    return s->model ? gdyn_pose_capacity(s->model) : s->k;
}

int gdyn_supply_redundancy(const gdyn_supply *s) {
    return s->model ? gdyn_pose_efforts(s->model) : s->r;
}

bool gdyn_supply_closed(const gdyn_supply *s) {
    return s->model && s->track->closed && s->track->returns;
}

/* --- a place ---------------------------------------------------------------------------------- */

/* Coefficients at the present pose. The search for cusps needs u_p as it is, however small. */
static gdyn_status evaluate(gdyn_supply *s) {
    size_t n = (size_t)gdyn_model_coordinates(s->model);
    double *u_p = s->rest, *u_pp = s->rest + n;
    memcpy(u_p, s->place->u_p, n * sizeof *u_p);
    memcpy(u_pp, s->place->u_pp, n * sizeof *u_pp);
    gdyn_track_rest(s->track, u_p, u_pp);
    gdyn_evaluator_look_before(s->evaluator, gdyn_track_ends(s->track, s->place->p));
    return gdyn_evaluator_pose(s->evaluator, s->place->state, u_p, u_pp, GDYN_REDUCE_NULL, s->pose);
}

static gdyn_status machine_at(gdyn_supply *s, double p, gdyn_point_status *found) {
    gdyn_status status = gdyn_path_place_at(s->place, p);
    *found = s->place->status;
    if (status != GDYN_OK || *found != GDYN_POINT_OK) {
        return status;
    }
    return evaluate(s);
}

/* The last point but one at most whose p is not beyond p. */
static int piece(const gdyn_supply *s, double p) {
    int low = 0, high = s->points - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->p[middle] <= p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void table_at(gdyn_supply *s, double p) {
    int low = piece(s, p), high = low + 1 < s->points ? low + 1 : low;
    double span = s->p[high] - s->p[low];
    double f = span > 0 ? fmin(fmax((p - s->p[low]) / span, 0), 1) : p > s->p[low];
    const double *a = s->numbers + (size_t)low * (size_t)s->width;
    const double *b = s->numbers + (size_t)high * (size_t)s->width;
    for (int i = 0; i < s->width; i++) {
        bool same = a[i] == b[i] || f == 0;
        s->now[i] = same ? a[i] : f == 1 ? b[i] : (1 - f) * a[i] + f * b[i];
    }
    s->coefficients.d1_high = s->now[s->width - 1];
}

/* --- another parameter -------------------------------------------------------------------- */

/* g = |u_p| and dg/dp of the last place, rotations times the machine's length. */
static void measure_speed(gdyn_supply *s) {
    int n = gdyn_model_coordinates(s->model);
    double square = 0, product = 0;
    for (int i = 0; i < n; i++) {
        double u = s->place->u_p[i] / s->scale[i];
        square += u * u;
        product += u * (s->place->u_pp[i] / s->scale[i]);
    }
    s->g = sqrt(square);
    s->slope = s->g > 0 ? product / s->g : 0;
}

/* Bounds of their rounding, to (3 k). */
static void transform_errors(const gdyn_supply *s, const gdyn_coefficients *q, gdyn_coefficients *c,
                             double *to) {
    double g = s->g, bend = fabs(s->slope / g);
    double *A = to, *B = A + q->k, *D = B + q->k;
    for (int i = 0; i < q->k; i++) {
        A[i] = (q->A_error[i] + bend * q->D_error[i]) / (g * g);
        B[i] = q->B_error[i] / g;
        D[i] = q->D_error[i] / g;
    }
    c->A_error = A, c->B_error = B, c->D_error = D;
    c->eq_a_error = (q->eq_a_error + bend * q->eq_d_error) / (g * g);
    c->eq_b_error = q->eq_b_error / g;
    c->eq_d_error = q->eq_d_error / g;
}

/* The coefficients of p become those of s. */
static void transform(gdyn_supply *s) {
    const gdyn_coefficients *q = &s->pose->coefficients;
    gdyn_coefficients *c = &s->coefficients_s;
    size_t k = (size_t)q->k, e = (size_t)q->equalities;
    double *to = s->numbers_s, g = s->g, bend = s->slope / g;
    double *A = to, *B = to + k, *D = to + 2 * k, *low = to + 3 * k, *high = to + 4 * k;
    double *a = to + 5 * k, *b = a + e, *d = b + e;
    *c = *q;
    for (size_t i = 0; i < k; i++) {
        A[i] = (q->A[i] - q->D[i] * bend) / (g * g);
        B[i] = q->B[i] / g;
        D[i] = q->D[i] / g;
        low[i] = q->min_slope ? q->min_slope[i] / g : 0;
        high[i] = q->max_slope ? q->max_slope[i] / g : 0;
    }
    for (size_t i = 0; i < e; i++) {
        a[i] = (q->eq_a[i] - q->eq_d[i] * bend) / (g * g);
        b[i] = q->eq_b[i] / g;
        d[i] = q->eq_d[i] / g;
    }
    c->A = A, c->B = B, c->D = D;
    c->min_slope = q->min_slope ? low : NULL, c->max_slope = q->max_slope ? high : NULL;
    if (e > 0)
        c->eq_a = a, c->eq_b = b, c->eq_d = d;
    c->d1_high = q->d1_high * g;
    transform_errors(s, q, c, d + e);
}

static bool speed_of(void *context, double p, double *g, double *slope, double *direction) {
    gdyn_supply *s = context;
    gdyn_point_status found;
    if (machine_at(s, p, &found) != GDYN_OK || found != GDYN_POINT_OK)
        return false;
    measure_speed(s);
    *g = s->g, *slope = s->slope;
    for (int i = 0; i < gdyn_model_coordinates(s->model); i++)
        direction[i] = s->g > 0 ? s->place->u_p[i] / s->scale[i] / s->g : 0;
    return true;
}

gdyn_status gdyn_supply_regularize(gdyn_supply *s) {
    gdyn_supply_restore(s);
    if (!s->model)
        return GDYN_OK;
    size_t n = (size_t)gdyn_model_coordinates(s->model);
    size_t rows = (size_t)gdyn_supply_rows(s);
    int constraints = gdyn_model_holonomic(s->model) + gdyn_model_pfaffian(s->model);
    double *p = gdyn_alloc((size_t)s->points, sizeof *p);
    double *row_scale = gdyn_alloc((size_t)constraints + 1, sizeof *row_scale);
    s->scale = s->scale ? s->scale : gdyn_alloc(n + 1, sizeof *s->scale);
    s->numbers_s = s->numbers_s ? s->numbers_s : gdyn_alloc(8 * rows + 3 * n + 3, sizeof *p);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (p && row_scale && s->scale && s->numbers_s) {
        gdyn_mech_scales(s->model, row_scale, s->scale);
        for (int i = 0; i < s->points; i++)
            p[i] = gdyn_path_p(s->path, i);
        gdyn_speed_source source = {s, (int)n, speed_of};
        status = gdyn_regular_find(&source, s->points, p, &s->regular);
    }
    gdyn_free(p);
    gdyn_free(row_scale);
    return status;
}

void gdyn_supply_restore(gdyn_supply *s) {
    gdyn_regular_destroy(s->regular);
    s->regular = NULL;
    s->windowed = false;
    gdyn_free(s->jump);
    s->jump = NULL;
    s->jumps = 0;
}

void gdyn_supply_window(gdyn_supply *s, double from, double to) {
    s->windowed = true;
    s->from = from, s->to = to;
}

int gdyn_supply_stops(const gdyn_supply *s) {
    int corners = s->model ? gdyn_path_corners(s->path) : 0;
    return corners + s->jumps + (s->regular ? gdyn_regular_stops(s->regular) : 0);
}

int gdyn_supply_dwells(const gdyn_supply *s, int most, double (*dwell)[2]) {
    return s->regular ? gdyn_regular_dwells(s->regular, most, dwell) : 0;
}

static double present(const gdyn_supply *s, double p) {
    return s->regular ? gdyn_regular_s(s->regular, p) : p;
}

/* Corners, cusps and jumps together, in ascending order. */
double gdyn_supply_stop(const gdyn_supply *s, int number) {
    int corners = gdyn_path_corners(s->path);
    int cusps = s->regular ? gdyn_regular_stops(s->regular) : 0;
    int i = 0, j = 0, k = 0;
    for (;; number--) {
        double corner = i < corners ? present(s, gdyn_path_corner(s->path, i)) : INFINITY;
        double cusp = j < cusps ? gdyn_regular_stop(s->regular, j) : INFINITY;
        double jump = k < s->jumps ? present(s, s->jump[k]) : INFINITY;
        double next = fmin(corner, fmin(cusp, jump));
        if (number == 0)
            return next;
        if (next == corner)
            i++;
        else if (next == cusp)
            j++;
        else
            k++;
    }
}

/* --- jumps of forces with limits on their rate ----------------------------------------------------- */

/* Forces that have to jump by less than this share of half the range are continuous: what is left is
 * rounding of the coefficients at both sides. */
static const double JUMP = 1e-6;

/* The limited rows of the columns of V, made orthogonal to those in Q (k x *columns) and added to them. */
static void add_columns(const gdyn_coefficients *c, const double *rate, double *Q, int *columns) {
    for (int v = 0; v < c->r; v++) {
        double *q = Q + (size_t)*columns * (size_t)c->k, before = 0, after = 0;
        for (int i = 0; i < c->k; i++) {
            q[i] = isfinite(rate[i]) ? c->V[i + v * c->k] : 0;
            before += q[i] * q[i];
        }
        for (int j = 0; j < *columns; j++) {
            const double *own = Q + (size_t)j * (size_t)c->k;
            double along = 0;
            for (int i = 0; i < c->k; i++)
                along += own[i] * q[i];
            for (int i = 0; i < c->k; i++)
                q[i] -= along * own[i];
        }
        for (int i = 0; i < c->k; i++)
            after += q[i] * q[i];
        if (!(after > 1e-18 * before))
            continue;
        for (int i = 0; i < c->k; i++)
            q[i] /= sqrt(after);
        ++*columns;
    }
}

/* What is left of the jump of C (k) outside the columns of Q is more than rounding beside the limits. */
static bool must_jump(const gdyn_coefficients *c, const double *rate, double *jump, const double *Q,
                      int columns) {
    for (int j = 0; j < columns; j++) {
        const double *own = Q + (size_t)j * (size_t)c->k;
        double along = 0;
        for (int i = 0; i < c->k; i++)
            along += own[i] * (isfinite(rate[i]) ? jump[i] : 0);
        for (int i = 0; i < c->k; i++)
            jump[i] -= along * own[i];
    }
    for (int i = 0; i < c->k; i++) {
        double half = 0.5 * (c->max[i] - c->min[i]);
        double unit = isfinite(half) ? half : fabs(c->C[i]);
        if (isfinite(rate[i]) && fabs(jump[i]) > JUMP * unit)
            return true;
    }
    return false;
}

/* Looks at the place p of a reversal from both sides; work: k (1 + 2 r). */
static gdyn_status judge_jump(gdyn_supply *s, double p, const double *rate, double *work,
                              bool *jumps) {
    const gdyn_coefficients *c = &s->pose->coefficients;
    gdyn_point_status found;
    int columns = 0;
    *jumps = false;
    gdyn_status status = machine_at(s, p - s->reversals.near, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status;
    int k = c->k;
    memcpy(work, c->C, (size_t)k * sizeof *work);
    add_columns(c, rate, work + k, &columns);
    status = machine_at(s, p, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK || c->k != k)
        return status;
    for (int i = 0; i < k; i++)
        work[i] = c->C[i] - work[i];
    add_columns(c, rate, work + k, &columns);
    *jumps = must_jump(c, rate, work, work + k, columns);
    return GDYN_OK;
}

gdyn_status gdyn_supply_stop_at_jumps(gdyn_supply *s, const double *rate, int most, double *place,
                                      int *count) {
    size_t k = (size_t)gdyn_supply_rows(s), r = (size_t)gdyn_supply_redundancy(s);
    *count = 0;
    if (!s->model || s->reversals.count == 0)
        return GDYN_OK;
    double *work = gdyn_alloc(k * (2 * r + 2) + 1, sizeof *work);
    double first = gdyn_supply_first(s), last = gdyn_supply_last(s), near = 1e-9 * (last - first);
    s->jump = gdyn_alloc((size_t)s->reversals.count, sizeof *s->jump);
    gdyn_status status = work && s->jump ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < s->reversals.count && status == GDYN_OK; i++) {
        double at = gdyn_supply_break(s, i);
        bool jumps, ends = at - first <= near || last - at <= near;
        if (ends || (s->regular && gdyn_regular_is_cusp(s->regular, at)))
            continue;
        status = judge_jump(s, s->reversals.p[i], rate, work, &jumps);
        if (status != GDYN_OK || !jumps)
            continue;
        if (s->jumps < most)
            place[s->jumps] = s->reversals.p[i];
        s->jump[s->jumps++] = s->reversals.p[i];
    }
    *count = s->jumps < most ? s->jumps : most;
    gdyn_free(work);
    return status;
}

/* p of the present parameter. The ends of a window are seen from inside: a corner belongs to the
 * piece that begins with it. */
static double original_p(const gdyn_supply *s, double at) {
    double p =
        s->regular ? gdyn_regular_p(s->regular, at, s->windowed && at >= s->to ? -1 : 1) : at;
    bool last = s->windowed && at >= s->to && at < point_at(s, s->points - 1);
    if (last)
        p -= s->regular ? s->reversals.near : 1e-9 * (s->to - s->from);
    return p;
}

gdyn_status gdyn_supply_original(gdyn_supply *s, double at, double *p, int count, double *d1,
                                 double *d2) {
    gdyn_point_status found;
    *p = at;
    if (!s->regular)
        return GDYN_OK;
    *p = original_p(s, at);
    gdyn_status status = machine_at(s, *p, &found);
    if (status == GDYN_OK && found != GDYN_POINT_OK)
        status = GDYN_ERROR_NUMERIC;
    if (status != GDYN_OK)
        return status;
    measure_speed(s);
    for (int i = 0; i < count; i++) {
        d1[i] /= s->g;
        if (d2)
            d2[i] = (d2[i] - s->slope * d1[i] * d1[i]) / s->g;
    }
    return GDYN_OK;
}

gdyn_status gdyn_supply_at(gdyn_supply *s, double p, const gdyn_coefficients **coefficients,
                           gdyn_point_status *found) {
    *found = GDYN_POINT_OK;
    s->asked++;
    if (s->watch) {
        s->watch(s->watch_context, s->asked);
    }
    if (s->model) {
        gdyn_status status = machine_at(s, original_p(s, p), found);
        *coefficients = &s->pose->coefficients;
        if (status == GDYN_OK && s->regular && *found == GDYN_POINT_OK) {
            measure_speed(s);
            transform(s);
            *coefficients = &s->coefficients_s;
        }
        return status;
    }
    if (s->places) {
        int i = piece(s, p);
        i += i + 1 < s->points && s->p[i + 1] - p < p - s->p[i];
        *coefficients = s->places[i];
        return GDYN_OK;
    }
    table_at(s, p);
    *coefficients = &s->coefficients;
    return GDYN_OK;
}

void gdyn_supply_watch(gdyn_supply *s, void (*watch)(void *context, long places), void *context) {
    s->watch = watch;
    s->watch_context = context;
}

const gdyn_track *gdyn_supply_track(const gdyn_supply *s) {
    return s->track;
}

gdyn_status gdyn_supply_displaced(gdyn_supply *s, double distance,
                                  const gdyn_coefficients **coefficients, double *error) {
    *error = s->model ? s->place->error : 0;
    if (*error > 0 && !gdyn_path_place_displace(s->place, distance))
        *error = 0;
    if (!(*error > 0))
        return GDYN_OK;
    gdyn_status status = evaluate(s);
    if (s->regular)
        transform(s); /* with g of the pose as it was: the parameter stays the same */
    *coefficients = s->regular ? &s->coefficients_s : &s->pose->coefficients;
    return status;
}

gdyn_status gdyn_supply_set_rates(gdyn_supply *s, const double *rate) {
    size_t rows = (size_t)gdyn_supply_rows(s);
    gdyn_free(s->rate);
    s->rate = gdyn_alloc(rows + 1, sizeof *s->rate);
    if (!s->rate) {
        return GDYN_ERROR_MEMORY;
    }
    memcpy(s->rate, rate, rows * sizeof *rate);
    return GDYN_OK;
}

/* Which rows are a drive's is known once the machine was somewhere. */
static gdyn_status machine_rates(gdyn_supply *s) {
    const gdyn_coefficients *q;
    gdyn_point_status found;
    gdyn_status status = gdyn_supply_at(s, gdyn_supply_first(s), &q, &found);
    int rows = gdyn_supply_rows(s), before = -1;
    s->rate = status == GDYN_OK ? gdyn_alloc((size_t)rows + 1, sizeof *s->rate) : NULL;
    if (!s->rate) {
        return status == GDYN_OK ? GDYN_ERROR_MEMORY : status;
    }
    for (int row = 0; row < rows; row++) {
        bool known = found == GDYN_POINT_OK && row < q->k;
        int drive = known ? gdyn_supply_drive(s, row) : -1;
        bool own = drive >= 0 && drive != before && !gdyn_supply_friction(s, row);
        s->rate[row] = own ? gdyn_model_drive(s->model, drive)->rate : INFINITY;
        before = drive;
    }
    return GDYN_OK;
}

gdyn_status gdyn_supply_rates(gdyn_supply *s, const double **rate) {
    gdyn_status status = s->model && !s->rate ? machine_rates(s) : GDYN_OK;
    bool any = false;
    for (int row = 0; s->rate && row < gdyn_supply_rows(s); row++) {
        any |= isfinite(s->rate[row]);
    }
    *rate = any ? s->rate : NULL;
    return status;
}

int gdyn_supply_drive(const gdyn_supply *s, int row) {
    return s->model ? s->pose->row_drive[row] : row;
}

bool gdyn_supply_friction(const gdyn_supply *s, int row) {
    return s->model && s->pose->row_drive[row] >= gdyn_model_drives(s->model);
}

bool gdyn_supply_speeds(const gdyn_supply *s, double *speed) {
    if (s->model) {
        gdyn_mech_drive_speeds(s->place->state, s->place->u_p, speed);
    }
    return s->model != NULL;
}

const gdyn_state *gdyn_supply_state(const gdyn_supply *s) {
    return s->model ? s->place->state : NULL;
}
