/* limits.c - limits of the machine that a simulation exceeds, as the table of limits has them
 * (mech/limits.h). Nothing is limited, the excess is counted.
 *
 * A motion in time is one along a path with p = t: d1 = 1, d2 = 0. Between the ends of a step the
 * coordinate of a drive is the cubic with its values and speeds there. So is the speed of a joint
 * whose acceleration is limited: a row of the machine is the rate of D d1 (A = D_p). A speed of a
 * joint that is limited itself is linear between the ends. Forces of a
 * caller are asked for at the ends alone. An excess is linear between PARTS places. */
#include "simulate/internal.h"

#include "base/pi.h"
#include "mech/standstill.h"
#include "model/kinds.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, PLACES = PARTS + 1 };
/* Share of a limit or force above which an excess counts: rounding, errors of plans at limits. */
static const double SHARE = 1e-6;

bool gdyn_sim_limits_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sim_limits *l) {
    l->drives = gdyn_model_drives(model);
    /* rows and windows of drives and of the machine: a simulation has no path, and nobody
     * chooses static friction. Forces of third order may jump in time. */
    int rows = gdyn_limit_items(model, GDYN_LIMIT_ROW, NULL);
    size_t most = (size_t)(rows + gdyn_limit_items(model, GDYN_LIMIT_WINDOW, NULL));
    gdyn_limit_item *item = gdyn_arena_alloc(arena, most + 1, sizeof *item);
    if (!item)
        return false;
    gdyn_limit_items(model, GDYN_LIMIT_ROW, item);
    gdyn_limit_items(model, GDYN_LIMIT_WINDOW, item + rows);
    for (size_t i = 0; i < most; i++) {
        bool machine = item[i].kind->of == GDYN_LIMIT_OF_MACHINE;
        if (machine || item[i].kind->of == GDYN_LIMIT_OF_DRIVE)
            item[l->items++] = item[i];
        l->of_motion = l->of_motion || machine;
    }
    l->item = item;
    size_t drives = (size_t)l->drives, all = 2 * (size_t)l->items;
    double **const each[] = {&l->saturated, &l->value, &l->speed, &l->now, &l->most};
    l->all = gdyn_arena_alloc(arena, all + 1, sizeof *l->all);
    l->shown = gdyn_arena_alloc(arena, all + 1, sizeof *l->shown);
    l->size = gdyn_arena_doubles(arena, (size_t)l->items);
    l->begin = gdyn_arena_alloc(arena, (size_t)l->items + 1, sizeof *l->begin);
    l->force = gdyn_arena_doubles(arena, PLACES * drives);
    l->rate = gdyn_arena_doubles(arena, PLACES * drives);
    l->over = gdyn_arena_doubles(arena, PLACES * drives);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = gdyn_arena_doubles(arena, drives);
    return !gdyn_arena_failed(arena);
}

/* --- excesses --------------------------------------------------------------------------------- */

/* Rate at the share s of a step of length h of the cubic that gains `way` with these end rates. */
static double rate_of_cubic(double s, double way, double h, double begin, double end) {
    return 6 * s * (1 - s) * way / h + begin * (1 - s) * (1 - 3 * s) + end * s * (3 * s - 2);
}

/* How far the limit is exceeded at place k below its min and above its max; not above zero within.
 * The drive whose force it is, -1: none. */
static int excess(const gdyn_sim_limits *l, int i, const gdyn_limit_pose *pose, int k, double h,
                  double e[2]) {
    gdyn_limit_terms t = gdyn_limit_terms_of(&l->item[i], pose);
    double q = t.effort >= 0 ? l->force[k * l->drives + t.effort] : t.A + t.B + t.C;
    const double *begin = l->begin[i];
    if (l->item[i].kind->of == GDYN_LIMIT_OF_MACHINE && l->item[i].kind->shape == GDYN_LIMIT_ROW)
        q = rate_of_cubic((double)k / PARTS, t.D - begin[0], h, begin[1], q);
    else if (l->item[i].kind->of == GDYN_LIMIT_OF_MACHINE)
        q = begin[1] + (q - begin[1]) * k / PARTS;
    e[0] = t.min + t.min_slope - q;
    e[1] = q - (t.max + t.max_slope);
    return t.effort;
}

/* Keeps limits with a bound; further lines share the entry of the first and the smallest size. */
static void keep_bounded(gdyn_sim_limits *l, const gdyn_limit_pose *pose) {
    int kept = 0;
    for (int i = 0, first = 0; i < l->items; i++) {
        gdyn_limit_item item = l->item[i];
        gdyn_limit_terms t = gdyn_limit_terms_of(&item, pose);
        double low = isfinite(t.min) ? fabs(t.min) : 0, high = isfinite(t.max) ? fabs(t.max) : 0;
        if (!isfinite(t.min) && !isfinite(t.max))
            continue;
        first = item.line > 0 ? first : kept;
        l->size[kept] = fmax(low, high);
        l->size[first] = fmin(l->size[first], l->size[kept]);
        for (int side = 0; side < 2; side++)
            l->all[2 * kept + side] = (gdyn_sim_limit){.item = item, .upper = side};
        l->item[kept++] = item;
    }
    l->items = kept;
}

/* The part of a way from a to b, linear, that is above zero; *first: where it begins. */
static double part_above(double a, double b, double *first) {
    *first = a > 0 || b <= a ? 0 : fmin(fmax(-a / (b - a), 0), 1);
    if (a <= 0 && b <= 0)
        return 0;
    return a > 0 && b > 0 ? 1 : a > 0 ? a / (a - b) : b / (b - a);
}

/* A limit over a step: e, excesses at its places. */
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
        memcpy(force, d->n_drive, (size_t)l->drives * sizeof *force);
    }
    for (int k = 1; asked && k < PARTS; k++)
        for (int i = 0; i < l->drives; i++)
            l->force[k * l->drives + i] =
                l->force[i] + (l->force[PARTS * l->drives + i] - l->force[i]) * k / PARTS;
    return true;
}

/* Excesses of the lines that belong together from `first` on, over the step; their number. */
static int fill_excesses(gdyn_sim_limits *l, gdyn_limit_pose *pose, double h, int first,
                         double e[2][PLACES]) {
    int lines = 1;
    while (first + lines < l->items && l->item[first + lines].line > 0)
        lines++;
    for (int k = 0; k <= PARTS; k++) {
        pose->drive_rate = l->rate + (size_t)k * (size_t)l->drives;
        e[0][k] = e[1][k] = -INFINITY;
        for (int line = first; line < first + lines; line++) {
            double own[2];
            int drive = excess(l, line, pose, k, h, own);
            double most = drive < 0 ? 0 : l->most[drive];
            for (int side = 0; side < 2; side++) {
                if (own[side] > 0 && own[side] <= SHARE * fmax(l->size[first], most))
                    own[side] = 0;
                e[side][k] = fmax(e[side][k], own[side]);
            }
            if (drive >= 0)
                l->over[k * l->drives + drive] =
                    fmax(l->over[k * l->drives + drive], fmax(e[0][k], e[1][k]));
        }
    }
    return lines;
}

/* Over a step from `from` that ended at the pose h later. */
static void count_step(gdyn_sim_limits *l, gdyn_limit_pose *pose, double from, double h) {
    double e[2][PLACES], unused;
    for (int i = 0; i < l->drives; i++) {
        double value = gdyn_mech_drive_coordinate(pose->pace->state, i);
        /* speed of a drive at the places of the step */
        double way = value - l->value[i];
        const gdyn_drive_def *def = gdyn_model_drive(pose->model, i);
        gdyn_acting acts = gdyn_drive_traits_of(def->kind)->acts;
        /* of an angle the turns that the speeds tell: a long step may lead through several */
        if (acts == GDYN_ACTS_AT_JOINT && !gdyn_freedom_slides(def->freedom))
            way -= 2 * GDYN_PI * round((way - 0.5 * h * (l->speed[i] + l->now[i])) / (2 * GDYN_PI));
        for (int k = 0; k <= PARTS; k++) {
            double s = (double)k / PARTS;
            l->most[i] = fmax(l->most[i], fabs(l->force[k * l->drives + i]));
            l->over[k * l->drives + i] = -INFINITY;
            l->rate[k * l->drives + i] = acts == GDYN_ACTS_ON_POINT
                                             ? (1 - s) * l->speed[i] + s * l->now[i]
                                             : rate_of_cubic(s, way, h, l->speed[i], l->now[i]);
        }
    }
    for (int first = 0, lines; first < l->items; first += lines) {
        lines = fill_excesses(l, pose, h, first, e);
        count(&l->all[2 * first], e[0], from, h);
        count(&l->all[2 * first + 1], e[1], from, h);
    }
    for (int i = 0; i < l->drives; i++)
        for (int k = 1; k <= PARTS; k++)
            l->saturated[i] +=
                part_above(l->over[(k - 1) * l->drives + i], l->over[k * l->drives + i], &unused) *
                h / PARTS;
}

void gdyn_sim_limits_step(gdyn_sim_limits *l, gdyn_dynamics *d, double from, double to,
                          const gdyn_state *state, const double *u, const double *udot,
                          bool first) {
    if (l->items == 0)
        return;
    const gdyn_path_rates rates = {.u_p = u, .u_pp = udot};
    const gdyn_pace pace = gdyn_pace_of(state, &rates);
    gdyn_limit_pose pose = {d->model, &pace, l->now};
    gdyn_mech_drive_speeds(state, u, l->now);
    if (first)
        keep_bounded(l, &pose);
    if (!first && to > from && fill_forces(l, d, from, to - from))
        count_step(l, &pose, from, to - from);
    /* the next step begins here */
    for (int i = 0; i < l->items; i++)
        if (l->item[i].kind->of == GDYN_LIMIT_OF_MACHINE) {
            gdyn_limit_terms t = gdyn_limit_terms_of(&l->item[i], &pose);
            l->begin[i][0] = t.D, l->begin[i][1] = t.A + t.B + t.C;
        }
    for (int i = 0; i < l->drives; i++) {
        l->value[i] = gdyn_mech_drive_coordinate(state, i);
        l->speed[i] = l->now[i];
    }
}

int gdyn_sim_limits_list(const gdyn_sim_limits *l) {
    int count = 0;
    for (int i = 0; i < 2 * l->items; i++) {
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
