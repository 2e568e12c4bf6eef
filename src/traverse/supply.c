/* supply.c - a machine is moved from the nearest assembled point of its track by Newton steps; a
 * table is interpolated row by row. */
#include "traverse/supply.h"

#include "base/memory.h"
#include "mech/mech.h"

#include <math.h>
#include <string.h>

enum { STEPS_FAR = 6 };

struct gdyn_supply {
    /* machine */
    const gdyn_model *model;
    const gdyn_path *path;
    gdyn_closure *closure;
    gdyn_evaluator *evaluator;
    gdyn_track *track;
    gdyn_target *targets;
    gdyn_state *state;
    gdyn_pose *pose;
    double *u_p, *u_pp; /* n */
    /* table */
    int points, k, r, width; /* width: numbers of one point */
    double *p;               /* points */
    double *numbers;         /* points x width: A, B, C, D, min, max (k each), V (k x r), d1_high */
    double *now;             /* width */
    gdyn_coefficients coefficients;
    const gdyn_coefficients *const *places; /* points, borrowed, or NULL */
};

gdyn_supply *gdyn_supply_machine(const gdyn_model *model, const gdyn_path *path) {
    gdyn_supply *s = gdyn_alloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    size_t n = (size_t)gdyn_model_coordinates(model);
    s->model = model;
    s->path = path;
    s->closure = gdyn_closure_create(model, gdyn_path_targets(path));
    s->evaluator = gdyn_evaluator_create(model);
    s->track = gdyn_track_create(model, path);
    s->targets = gdyn_alloc((size_t)gdyn_path_targets(path) + 1, sizeof *s->targets);
    s->state = gdyn_state_create(model);
    s->pose = gdyn_pose_create(model);
    s->u_p = gdyn_alloc(n + 1, sizeof *s->u_p);
    s->u_pp = gdyn_alloc(n + 1, sizeof *s->u_pp);
    s->points = gdyn_path_points(path);
    if (!s->closure || !s->evaluator || !s->track || !s->targets || !s->state || !s->pose ||
        !s->u_p || !s->u_pp) {
        gdyn_supply_destroy(s);
        return NULL;
    }
    return s;
}

gdyn_status gdyn_supply_follow(gdyn_supply *s) {
    return s->model ? gdyn_track_follow(s->track, s->path, s->closure, NULL) : GDYN_OK;
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
    gdyn_free(s->targets);
    gdyn_state_destroy(s->state);
    gdyn_pose_destroy(s->pose);
    gdyn_free(s->u_p);
    gdyn_free(s->u_pp);
    gdyn_free(s->p);
    gdyn_free(s->numbers);
    gdyn_free(s->now);
    gdyn_free(s);
}

int gdyn_supply_points(const gdyn_supply *s) {
    return s->points;
}

double gdyn_supply_p(const gdyn_supply *s, int i) {
    return s->model ? gdyn_path_p(s->path, i) : s->p[i];
}

double gdyn_supply_first(const gdyn_supply *s) {
    return gdyn_supply_p(s, 0);
}

double gdyn_supply_last(const gdyn_supply *s) {
    return gdyn_supply_p(s, s->points - 1);
}

int gdyn_supply_rows(const gdyn_supply *s) {
    int rows = s->k;
    for (int i = 0; s->model && i < gdyn_model_drives(s->model); i++) {
        rows += 1 + 2 * gdyn_model_drive(s->model, i)->curve_points;
    }
    return rows;
}

int gdyn_supply_redundancy(const gdyn_supply *s) {
    return s->model ? gdyn_model_drives(s->model) : s->r;
}

bool gdyn_supply_closed(const gdyn_supply *s) {
    return s->model && s->track->closed && s->track->returns;
}

/* --- a place ---------------------------------------------------------------------------------- */

/* The assembled point of the track nearest to p, -1 when there is none. */
static int nearest(const gdyn_track *track, double p) {
    double span = track->p[track->points - 1] - track->p[0];
    int near = 0, points = track->points;
    if (span != 0) {
        double at = (p - track->p[0]) / span * (points - 1);
        near = at <= 0 ? 0 : at >= points - 1 ? points - 1 : (int)lround(at);
    }
    for (int d = 0; d < points; d++) {
        if (near + d < points && track->status[near + d] == GDYN_POINT_OK) {
            return near + d;
        }
        if (near - d >= 0 && track->status[near - d] == GDYN_POINT_OK) {
            return near - d;
        }
    }
    return -1;
}

/* Moves from a point of the track to p; *closed says whether that worked. */
static gdyn_status move(gdyn_supply *s, int from, double p, int steps, bool *closed) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    settings.method = GDYN_CLOSURE_NEWTON;
    settings.weights = gdyn_path_definition(s->path)->weights;
    gdyn_state_copy(s->state, s->track->state[from]);
    *closed = true;
    for (int i = 1; i <= steps && *closed; i++) {
        double start = s->track->p[from], at = i == steps ? p : start + (p - start) * i / steps;
        gdyn_path_evaluate(s->path, at, s->targets);
        gdyn_status status = gdyn_closure_solve(s->closure, s->state, gdyn_path_targets(s->path),
                                                s->targets, &settings, &info);
        if (status != GDYN_OK) {
            return status;
        }
        *closed = info.outcome == GDYN_CLOSED;
        gdyn_state_accept(s->state);
    }
    return GDYN_OK;
}

static gdyn_status machine_at(gdyn_supply *s, double p, gdyn_point_status *found) {
    const gdyn_path_def *def = gdyn_path_definition(s->path);
    gdyn_closure_rates rates;
    int from = nearest(s->track, p);
    *found = GDYN_POINT_UNASSEMBLED;
    if (from < 0) {
        return GDYN_OK;
    }
    double spacing =
        fabs(s->track->p[s->track->points - 1] - s->track->p[0]) / fmax(s->track->points - 1, 1);
    bool near = fabs(p - s->track->p[from]) <= spacing, closed = false;
    gdyn_status status = near ? move(s, from, p, 1, &closed) : GDYN_OK;
    if (status == GDYN_OK && !closed) {
        status = move(s, from, p, STEPS_FAR, &closed);
    }
    if (status != GDYN_OK || !closed) {
        return status;
    }
    status = gdyn_closure_derivatives_fast(s->closure, s->state, gdyn_path_targets(s->path),
                                           s->targets, def->weights, s->u_p, s->u_pp, &rates);
    if (status == GDYN_OK && rates.misfit > 1e-7) {
        *found = GDYN_POINT_SINGULAR;
        return GDYN_OK;
    }
    if (status == GDYN_OK) {
        *found = GDYN_POINT_OK;
        status =
            gdyn_evaluator_pose(s->evaluator, s->state, s->u_p, s->u_pp, GDYN_REDUCE_NULL, s->pose);
    }
    return status;
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

gdyn_status gdyn_supply_at(gdyn_supply *s, double p, const gdyn_coefficients **coefficients,
                           gdyn_point_status *found) {
    *found = GDYN_POINT_OK;
    if (s->model) {
        gdyn_status status = machine_at(s, p, found);
        *coefficients = &s->pose->coefficients;
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

int gdyn_supply_drive(const gdyn_supply *s, int row) {
    return s->model ? s->pose->row_drive[row] : row;
}

bool gdyn_supply_speeds(const gdyn_supply *s, double *speed) {
    if (s->model) {
        gdyn_mech_drive_speeds(s->state, s->u_p, speed);
    }
    return s->model != NULL;
}

const gdyn_state *gdyn_supply_state(const gdyn_supply *s) {
    return s->model ? s->state : NULL;
}
