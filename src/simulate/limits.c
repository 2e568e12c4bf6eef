/* limits.c - limits of drives that a simulation exceeds: of the force, the speed, and the force
 * over the speed. Nothing is limited, the excess is counted.
 *
 * Between the ends of a step the coordinate of a drive is the cubic with its values and speeds
 * there, and an excess is linear between PARTS places. Forces are formulas of t; those of a caller
 * are asked for at the ends alone. */
#include "simulate/internal.h"

#include "base/pi.h"
#include "model/kinds.h"

#include <math.h>

enum { PARTS = 8, EACH = 2 * GDYN_SIM_LIMIT_KINDS }; /* kinds, lower and upper limits */
/* Share of a limit, or of the force, that an excess must have: less is rounding, and what a plan at
 * its limits misses. */
static const double SHARE = 1e-6;

/* Whether the drive has a limit that can be exceeded. */
static bool limited(const gdyn_drive_def *def) {
    return isfinite(def->min) || isfinite(def->max) || isfinite(def->speed_max) ||
           def->curve_points > 1;
}

bool gdyn_sim_limits_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sim_limits *l) {
    size_t drives = (size_t)gdyn_model_drives(model), all = EACH * drives;
    double **const each[] = {&l->saturated, &l->value, &l->speed, &l->now, &l->most};
    l->drives = (int)drives;
    l->all = gdyn_arena_alloc(arena, all, sizeof *l->all);
    l->shown = gdyn_arena_alloc(arena, all, sizeof *l->shown);
    l->force = gdyn_arena_doubles(arena, (PARTS + 1) * drives);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = gdyn_arena_doubles(arena, drives);
    for (int i = 0; i < (int)all && !gdyn_arena_failed(arena); i++)
        l->all[i] = (gdyn_sim_limit){
            .drive = i / EACH, .kind = (gdyn_sim_limit_kind)(i % EACH / 2), .upper = i % 2};
    return !gdyn_arena_failed(arena);
}

/* --- excesses --------------------------------------------------------------------------------- */

/* How far the drive is above the upper limit, or below the lower one; not above zero within. */
static double excess(const gdyn_drive_def *def, const gdyn_sim_limit *limit, double force,
                     double speed) {
    double sign = limit->upper ? 1 : -1, over = -INFINITY;
    switch (limit->kind) {
    case GDYN_SIM_LIMIT_FORCE:
        return limit->upper ? force - def->max : def->min - force;
    case GDYN_SIM_LIMIT_SPEED:
        return sign * speed - def->speed_max;
    case GDYN_SIM_LIMIT_CURVE:
        /* concave: within all of its lines, continued */
        for (int i = 0; i + 1 < def->curve_points; i++) {
            const double *a = def->curve[i], *b = def->curve[i + 1];
            double slope = (b[1] - a[1]) / (b[0] - a[0]);
            over = fmax(over, sign * force - (a[1] + slope * (sign * speed - a[0])));
        }
        break;
    case GDYN_SIM_LIMIT_KINDS:
        break;
    }
    return over;
}

/* The greatest finite number of the limit. */
static double size_of(const gdyn_drive_def *def, gdyn_sim_limit_kind kind) {
    double size = 0;
    if (kind == GDYN_SIM_LIMIT_SPEED)
        return isfinite(def->speed_max) ? def->speed_max : 0;
    for (int i = 0; kind == GDYN_SIM_LIMIT_CURVE && i < def->curve_points; i++)
        size = fmax(size, fabs(def->curve[i][1]));
    if (kind == GDYN_SIM_LIMIT_FORCE)
        size =
            fmax(isfinite(def->min) ? fabs(def->min) : 0, isfinite(def->max) ? fabs(def->max) : 0);
    return size;
}

/* The part of a way from a to b, linear, that is above zero; *first: where it begins. */
static double part_above(double a, double b, double *first) {
    *first = a > 0 || b <= a ? 0 : fmin(fmax(-a / (b - a), 0), 1);
    if (a <= 0 && b <= 0)
        return 0;
    return a > 0 && b > 0 ? 1 : a > 0 ? a / (a - b) : b / (b - a);
}

/* A drive's limit over a step: e, excesses at the PARTS + 1 places. */
static void count(gdyn_sim_limit *limit, const double *e, double from, double h) {
    for (int k = 1; k <= PARTS; k++) {
        double first, part = part_above(e[k - 1], e[k], &first);
        if (part <= 0)
            continue;
        if (!(limit->time > 0))
            limit->t = from + h * (k - 1 + first) / PARTS;
        limit->time += part * h / PARTS;
        limit->amount = fmax(limit->amount, fmax(e[k - 1], e[k]));
    }
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Forces of all drives at the places of the step. */
static bool fill_forces(gdyn_sim_limits *l, gdyn_dynamics *d, double from, double h) {
    bool asked = d->def->force != NULL;
    for (int k = 0; k <= PARTS; k++) {
        double *force = l->force + (size_t)k * (size_t)l->drives;
        if (asked && k > 0 && k < PARTS)
            continue;
        gdyn_dynamics_drive_forces(d, from + h * k / PARTS);
        if (d->loaded != GDYN_OK)
            return false;
        for (int i = 0; i < l->drives; i++)
            force[i] = d->n_drive[i];
    }
    for (int k = 1; asked && k < PARTS; k++)
        for (int i = 0; i < l->drives; i++)
            l->force[k * l->drives + i] =
                l->force[i] + (l->force[PARTS * l->drives + i] - l->force[i]) * k / PARTS;
    return true;
}

void gdyn_sim_limits_step(gdyn_sim_limits *l, gdyn_dynamics *d, double from, double to,
                          const gdyn_state *state, const double *u, bool first) {
    double h = to - from, speed[PARTS + 1], e[PARTS + 1], most[PARTS + 1];
    bool any = false;
    for (int i = 0; i < l->drives; i++)
        any = any || limited(gdyn_model_drive(d->model, i));
    if (!any)
        return;
    gdyn_mech_drive_speeds(state, u, l->now);
    bool known = !first && h > 0 && fill_forces(l, d, from, h);
    for (int i = 0; i < l->drives; i++) {
        const gdyn_drive_def *def = gdyn_model_drive(d->model, i);
        double value = gdyn_mech_drive_coordinate(state, i), way = value - l->value[i];
        /* of an angle the turns that the speeds tell: a long step may lead through several */
        if (known && gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_AT_JOINT &&
            !gdyn_freedom_slides(def->freedom))
            way -= 2 * GDYN_PI * round((way - 0.5 * h * (l->speed[i] + l->now[i])) / (2 * GDYN_PI));
        bool wrench = gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_ON_POINT;
        for (int k = 0; k <= PARTS; k++)
            most[k] = -INFINITY;
        for (int k = 0; k <= PARTS && known; k++) {
            double s = (double)k / PARTS;
            l->most[i] = fmax(l->most[i], fabs(l->force[k * l->drives + i]));
            speed[k] = wrench ? (1 - s) * l->speed[i] + s * l->now[i]
                              : (6 * s * (1 - s) * way / h + l->speed[i] * (1 - s) * (1 - 3 * s) +
                                 l->now[i] * s * (3 * s - 2));
        }
        for (int j = 0; j < EACH && known; j++) {
            gdyn_sim_limit *limit = &l->all[EACH * i + j];
            bool pace = limit->kind == GDYN_SIM_LIMIT_SPEED;
            double size = size_of(def, limit->kind);
            double rounding = SHARE * (pace ? size : fmax(size, l->most[i]));
            for (int k = 0; k <= PARTS; k++) {
                double by = excess(def, limit, l->force[k * l->drives + i], speed[k]);
                e[k] = by > 0 && by <= rounding ? 0 : by;
                most[k] = pace ? most[k] : fmax(most[k], e[k]);
            }
            count(limit, e, from, h);
        }
        /* beyond the force's limit or the curve's */
        for (int k = 1; k <= PARTS && known; k++) {
            double unused;
            l->saturated[i] += part_above(most[k - 1], most[k], &unused) * h / PARTS;
        }
        l->value[i] = value;
        l->speed[i] = l->now[i];
    }
}

int gdyn_sim_limits_list(const gdyn_sim_limits *l) {
    int count = 0;
    for (int i = 0; i < EACH * l->drives; i++) {
        int at = count;
        if (!(l->all[i].time > 0))
            continue;
        /* sorted in */
        for (; at > 0 && l->shown[at - 1].t > l->all[i].t; at--)
            l->shown[at] = l->shown[at - 1];
        l->shown[at] = l->all[i];
        count++;
    }
    return count;
}
