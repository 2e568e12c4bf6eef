/* given.c - the verdict on a given motion, at its samples and between them. */
#include "trajectory/internal.h"
#include "traverse/path_dynamics.h"

#include <math.h>

/* Limits that a file's rounded numbers may seem to violate, in half ranges. */
static const double ROUNDING = 1e-6;
enum { STEPS = GDYN_GIVEN_STEPS };

typedef struct judge {
    gdyn_trajectory *t;
    gdyn_motion_table *motion;
    double tolerance;          /* in half ranges */
    gdyn_sample *place;        /* places: the ways between the samples */
    double *at_place;          /* places: violation */
    double *violation;         /* samples: at the sample and behind it */
    double *reach, *speed_max; /* samples: largest accessible d1, maximum d1 of windows, */
    int *window;               /* and which it is of */
    gdyn_limit *rate;          /* samples: a limit of a rate that is violated behind it */
    gdyn_traverse *drawn;      /* the samples as a motion */
} judge;

/* The ways between the samples, with times where the table has none. */
static void make_places(judge *j) {
    gdyn_motion_table *m = j->motion;
    gdyn_path_dynamics *dynamics = j->t->dynamics;
    double first = gdyn_path_dynamics_first(dynamics), last = gdyn_path_dynamics_last(dynamics);
    int places = gdyn_motion_places(m->count, m->sample, m->before, m->between, STEPS, j->place);
    /* Rounded numbers of the file do not lead beyond the path. */
    for (int i = 0; i < places; i++) {
        j->place[i].p = fmin(fmax(j->place[i].p, first), last);
        /* The end of each way stands on this side of a corner. */
        if (i % (STEPS + 1) == STEPS)
            j->place[i].p = gdyn_motion_end(dynamics, j->place[i - STEPS].p, j->place[i].p);
    }
    /* t follows from p, d1, d2 along the ways. */
    if (!m->timed) {
        m->timed = gdyn_motion_times(places, j->place);
        for (int i = 0; i < m->count; i++)
            m->sample[i].t = j->place[i * (STEPS + 1)].t;
    }
    j->t->places = places;
}

/* Limits that are violated at a sample. */
static void mark_limits(const judge *j, int i, gdyn_motion_point *point) {
    const gdyn_shared *s = &j->t->shared;
    if (point->d1 > j->speed_max[i] * (1 + j->tolerance))
        point->limit[point->limit_count++] = gdyn_limit_window(j->window[i], 1);
    if (j->rate[i].row >= 0)
        point->limit[point->limit_count++] = j->rate[i];
    /* Forces beyond their limits, with what rounding of the file may cause. */
    for (int row = 0; row < s->rows && point->limit_count < GDYN_ACTIVE_MAX; row++) {
        int at = i * s->rows + row;
        double unit = s->unit[row] > 0 ? s->unit[row] : 1, slack = j->tolerance * unit;
        if (s->n[at] > s->max[at] + slack || s->n[at] < s->min[at] - slack) {
            int side = s->n[at] > s->max[at] ? 1 : -1;
            point->limit[point->limit_count++] = gdyn_limit_force(row, side);
        }
    }
}

/* The samples take the form of a fastest motion, so that tables and pictures need no other. */
static void make_points(judge *j) {
    const gdyn_motion_table *m = j->motion;
    gdyn_traverse *drawn = j->drawn;
    drawn->status = GDYN_TRAVERSE_OK, drawn->travels = m->travels;
    drawn->points = drawn->capacity = m->count;
    drawn->time = m->timed ? m->sample[m->count - 1].t : NAN;
    drawn->lower = drawn->upper = NAN;
    for (int i = 0; i < m->count; i++) {
        /* columns that a given motion does not have are NaN */
        const gdyn_sample *s = &m->sample[i];
        gdyn_motion_point *point = &drawn->point[i];
        *point = (gdyn_motion_point){.t = s->t,
                                     .d1 = s->d1,
                                     .s = s->p,
                                     .s1 = s->d1,
                                     .s2 = s->d2,
                                     .s2_before = m->before[i],
                                     .s1_low = NAN,
                                     .s1_high = NAN,
                                     .s1_max = j->reach[i],
                                     .k_low = NAN,
                                     .k_high = NAN};
        mark_limits(j, i, point);
        double d1[3] = {s->d1, s->d1, j->reach[i]}, d2[3] = {s->d2, m->before[i]};
        gdyn_path_dynamics_original(j->t->dynamics, s->p, &point->p, 3, d1, d2);
        point->d1 = d1[0], point->d1_max = d1[2];
        point->d2 = d2[0], point->d2_before = d2[1];
    }
}

gdyn_status gdyn_trajectory_judge(gdyn_trajectory *t, gdyn_motion_table *motion) {
    judge j = {.t = t, .motion = motion, .tolerance = t->tolerated > 0 ? t->tolerated : ROUNDING};
    gdyn_loads loads = {.sharing = t->sharing.sharing, .preload = t->sharing.preload};
    gdyn_drive_load *load;
    /* STEPS places behind every sample, one for the last. */
    gdyn_arena *arena = t->store->arena;
    size_t count = (size_t)motion->count, places = (count - 1) * (STEPS + 1) + 1;
    j.place = gdyn_arena_alloc(arena, places, sizeof *j.place);
    j.at_place = gdyn_arena_doubles(arena, places);
    j.violation = gdyn_arena_doubles(arena, count);
    j.reach = gdyn_arena_doubles(arena, count);
    j.speed_max = gdyn_arena_doubles(arena, count);
    load = gdyn_arena_alloc(arena, (size_t)t->rows + 1, sizeof *load);
    j.window = gdyn_arena_alloc(arena, count, sizeof *j.window);
    j.rate = gdyn_arena_alloc(arena, count, sizeof *j.rate);
    j.drawn = t->store->traverse = gdyn_traverse_create();
    if (j.drawn)
        j.drawn->point = gdyn_alloc(count, sizeof *j.drawn->point);
    if (gdyn_arena_failed(arena) || !j.drawn || !j.drawn->point)
        return GDYN_ERROR_MEMORY;
    t->given = true, t->file = motion->file;
    t->sharing.between = motion->between;
    t->sample = motion->sample;
    /* Ways, violations, speeds that would be reached, forces. */
    make_places(&j);
    gdyn_status status = gdyn_loads_open(&loads, t->rows, load) ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_motion_examine(t->dynamics, t->places, j.place, j.tolerance, j.at_place,
                                     &loads, &t->verdict);
    gdyn_loads_close(&loads, t->dynamics);
    t->load = load;
    if (status == GDYN_OK)
        status = gdyn_motion_reach(t->dynamics, motion->count, motion->sample, j.reach, j.speed_max,
                                   j.window);
    if (status == GDYN_OK)
        status = gdyn_share_motion(&t->shared, t->dynamics, t->rows, motion->count, motion->sample,
                                   motion->before, &t->sharing, NULL, NULL);
    /* smoothed forces are known at the samples only */
    if (status == GDYN_OK && t->shared.smoothed)
        status = gdyn_trajectory_load(t);
    if (status != GDYN_OK)
        return status;
    /* The violation of each sample: the worst at it and on the way to the next one. */
    for (int i = 0; i < motion->count; i++) {
        int from = i * (STEPS + 1), to = i + 1 < motion->count ? from + STEPS : from;
        j.violation[i] = -INFINITY;
        for (int k = from; k <= to; k++)
            j.violation[i] = fmax(j.violation[i], j.at_place[k]);
        j.rate[i].row = -1;
    }
    /* Rates from sample to sample. */
    const double *rate;
    status = gdyn_path_dynamics_rates(t->dynamics, &rate);
    if (status == GDYN_OK && rate && motion->timed)
        status =
            gdyn_motion_check_rates(t->dynamics, motion->count, motion->sample, motion->derived,
                                    STEPS + 1, rate, j.tolerance, j.violation, j.rate, &t->verdict);
    for (int row = 0; status == GDYN_OK && rate && !motion->timed && row < t->rows; row++)
        t->verdict.unchecked += isfinite(rate[row]);
    if (status != GDYN_OK)
        return status;
    make_points(&j);
    /* Shown as a motion like the fastest one. */
    t->traverse = j.drawn, t->place = j.place, t->violation = j.violation;
    return GDYN_OK;
}
