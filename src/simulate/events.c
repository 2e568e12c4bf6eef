/* events.c - what happens while a machine moves: a given range is left and entered again, a
 * friction sticks and slips.
 *
 * Between the ends of a step a coordinate is the cubic with its values and speeds there; its error
 * is of the fourth order in the step, like the place of an event in time. */
#include "simulate/internal.h"

#include "linalg/minimum.h"

#include <math.h>
#include <string.h>

enum { PARTS = 16 };
/* Excess that is rounding, of the length (or rad). */
static const double ROUNDING = 1e-9;

bool gdyn_sim_events_create(gdyn_arena *arena, const gdyn_model *model, gdyn_sim_events *e) {
    /* values and speeds of all ranges at the end of the last step */
    e->ranges = gdyn_model_ranges(model);
    e->open = gdyn_arena_alloc(arena, (size_t)e->ranges, sizeof *e->open);
    e->value = gdyn_arena_doubles(arena, (size_t)e->ranges);
    e->speed = gdyn_arena_doubles(arena, (size_t)e->ranges);
    return !gdyn_arena_failed(arena);
}

gdyn_status gdyn_sim_events_add(gdyn_sim_events *e, gdyn_sim_event event) {
    if (!gdyn_reserve(&e->event, &e->room, e->count + 1, sizeof *e->event))
        return GDYN_ERROR_MEMORY;
    e->event[e->count++] = event;
    return GDYN_OK;
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* A coordinate over a step of length h from time t. */
typedef struct course {
    double t, h, from, to, rate_from, rate_to, min, max;
} course;

static double value_at(const course *c, double s) {
    double r = 1 - s;
    /* the cubic of Hermite */
    return c->from * r * r * (1 + 2 * s) + c->to * s * s * (3 - 2 * s) +
           c->h * s * r * (c->rate_from * r - c->rate_to * s);
}

/* How far outside, not above zero inside; *upper: beyond max. */
static double excess(const course *c, double value, bool *upper) {
    *upper = value - c->max > c->min - value;
    return fmax(value - c->max, c->min - value);
}

static double excess_at(void *context, double s) {
    bool upper;
    return excess(context, value_at(context, s), &upper);
}

/* The share of the step between a and b, one of them outside, where the range ends. */
static double crossing(const course *c, double a, double b) {
    double within;
    return gdyn_bisect(excess_at, (void *)c, a, b, excess_at((void *)c, a) <= 0, &within);
}

static gdyn_status look(gdyn_sim_events *e, int range, const course *c, double rounding) {
    gdyn_status status = GDYN_OK;
    for (int k = 1; k <= PARTS && status == GDYN_OK; k++) {
        double before = (double)(k - 1) / PARTS, here = (double)k / PARTS;
        /* the range at the end of each part of the step */
        bool upper;
        double by = excess(c, value_at(c, here), &upper);
        int open = e->open[range];
        /* back in range */
        if (open >= 0 && by <= 0) {
            e->event[open].until = c->t + c->h * crossing(c, before, here);
            e->open[range] = -1;
        } else if (open >= 0) {
            e->event[open].by = fmax(e->event[open].by, by);
        } else if (by > rounding) {
            double s =
                excess(c, value_at(c, before), &upper) > 0 ? before : crossing(c, before, here);
            excess(c, value_at(c, here), &upper);
            e->open[range] = e->count;
            status = gdyn_sim_events_add(e, (gdyn_sim_event){.kind = GDYN_SIM_LEAVES,
                                                             .t = c->t + c->h * s,
                                                             .until = NAN,
                                                             .index = range,
                                                             .upper = upper,
                                                             .by = by});
        }
    }
    return status;
}

gdyn_status gdyn_sim_events_step(gdyn_sim_events *e, double from, double to,
                                 const gdyn_state *state, const double *u, bool first) {
    const gdyn_model *model = gdyn_state_model(state);
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < e->ranges && status == GDYN_OK; i++) {
        /* the coordinate from the end of the last step to here */
        const gdyn_range_def *def = gdyn_model_range(model, i);
        double value = gdyn_mech_range_coordinate(state, i);
        double speed = gdyn_mech_range_speed(state, i, u);
        double unit = gdyn_model_range_slides(model, i) ? gdyn_model_length(model) : 1;
        course c = {
            from,     to - from, first ? value : e->value[i], value, first ? 0 : e->speed[i], speed,
            def->min, def->max};
        if (first) {
            e->open[i] = -1;
            c.rate_to = 0;
        }
        status = look(e, i, &c, ROUNDING * unit);
        e->value[i] = value, e->speed[i] = speed;
    }
    return status;
}
