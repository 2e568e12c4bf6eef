/* motion.c - the fastest motion along a trajectory and the forces that drive it. */
#include "trajectory/internal.h"
#include "traverse/path_dynamics.h"

#include <assert.h>
#include <math.h>

static gdyn_status dynamics_of_table(gdyn_trajectory *t) {
    /* Between its points a table is interpolated: one point has no motion. */
    const gdyn_coefficient_points *table = &t->store->table;
    int last = table->points - 1;
    if (last < 1 || table->p[last] <= table->p[0]) {
        gdyn_diag_emit(&t->store->sink, GDYN_ERROR, t->store->filename, NULL,
                       GDYN_CODE_TABLE "a motion needs at least two values of p");
        return GDYN_ERROR_INPUT;
    }
    t->dynamics = gdyn_path_dynamics_table(table->points, table->p, table->q);
    if (!t->dynamics)
        return GDYN_ERROR_MEMORY;
    return table->rate ? gdyn_path_dynamics_set_rates(t->dynamics, table->rate) : GDYN_OK;
}

gdyn_status gdyn_trajectory_drive(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    if (!t->path)
        return dynamics_of_table(t);
    t->dynamics = gdyn_path_dynamics_followed(t->path, t->track, t->singular);
    gdyn_status status = t->dynamics ? gdyn_path_dynamics_follow(t->dynamics) : GDYN_ERROR_MEMORY;
    /* A path that is followed nowhere has no rows. */
    const gdyn_coefficients *q = NULL;
    gdyn_point_status found = GDYN_POINT_UNASSEMBLED;
    for (int i = 0;
         status == GDYN_OK && found != GDYN_POINT_OK && i < gdyn_path_dynamics_points(t->dynamics);
         i++)
        status =
            gdyn_path_dynamics_at(t->dynamics, gdyn_path_dynamics_p(t->dynamics, i), &q, &found);
    return status == GDYN_OK && found == GDYN_POINT_OK ? gdyn_trajectory_name_limits(t) : status;
}

gdyn_status gdyn_trajectory_plan(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    gdyn_traverse_settings *settings = &t->planning;
    gdyn_status status = GDYN_OK;
    if (!settings->rate && !t->any_rate)
        status = gdyn_path_dynamics_rates(t->dynamics, &settings->rate);
    gdyn_traverse *plan = t->store->traverse = gdyn_traverse_create();
    if (status != GDYN_OK || !plan)
        return status == GDYN_OK ? GDYN_ERROR_MEMORY : status;
    t->traverse = plan, t->rate = settings->rate;
    return gdyn_traverse_run(plan, t->dynamics, settings);
}

gdyn_status gdyn_trajectory_share(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    const gdyn_traverse *plan = t->traverse;
    if (plan->status != GDYN_TRAVERSE_OK || t->rows == 0)
        return GDYN_OK;
    /* Samples live as long as the trajectory. */
    gdyn_arena *arena = t->store->arena;
    double *before = gdyn_arena_alloc(arena, (size_t)plan->points, sizeof *before);
    gdyn_sample *sample = gdyn_arena_alloc(arena, (size_t)plan->points, sizeof *sample);
    if (!before || !sample)
        return GDYN_ERROR_MEMORY;
    gdyn_share_samples(plan, sample, before);
    t->sample = sample;
    /* With limits on rates the forces are part of the plan. */
    t->sharing.planned = plan->rows == t->rows ? plan->force : NULL;
    gdyn_status status = gdyn_share_motion(&t->shared, t->dynamics, t->rows, plan->points, sample,
                                           before, &t->sharing, t->visit, t->visitor);
    return status == GDYN_OK ? gdyn_trajectory_load(t) : status;
}

gdyn_status gdyn_trajectory_load(gdyn_trajectory *t) {
    gdyn_loads loads = {0};
    gdyn_drive_load *load = gdyn_arena_alloc(t->store->arena, (size_t)t->rows, sizeof *load);
    if (!load || !gdyn_loads_open(&loads, t->rows, load))
        return GDYN_ERROR_MEMORY;
    gdyn_shared_loads(&t->shared, t->dynamics, t->sample, &loads);
    gdyn_loads_close(&loads, t->dynamics);
    t->load = load;
    return GDYN_OK;
}

gdyn_sample gdyn_trajectory_original(const gdyn_trajectory *t, const gdyn_sample *sample) {
    gdyn_sample at = *sample;
    gdyn_path_dynamics_original(t->dynamics, sample->p, &at.p, 1, &at.d1, &at.d2);
    return at;
}

const char *gdyn_trajectory_refusal(const gdyn_trajectory *t) {
    static const char *const reason[GDYN_TRAVERSE_RATE + 1] = {
        [GDYN_TRAVERSE_OK] = "",
        [GDYN_TRAVERSE_UNFOLLOWED] = "the machine cannot be assembled or follow the path",
        [GDYN_TRAVERSE_EMPTY] = "no (d1, d2) is accessible",
        [GDYN_TRAVERSE_CURVE] =
            "the drives cannot control every motion of the path; d1 determines d2, and no\n   "
            "motion with the requested end speeds keeps the limits (--start-speed free --end-speed "
            "free: any)",
        [GDYN_TRAVERSE_BLOCKED] =
            "no motion passes here and reaches the end: these limits exclude it",
        [GDYN_TRAVERSE_START] = "the speed at the start leads into a dead end",
        [GDYN_TRAVERSE_REST] =
            "the drives hold the machine there, but cannot start it so that it reaches the "
            "requested end",
        [GDYN_TRAVERSE_SINGULAR] =
            "singular, the drives lose control of a freedom or the constraints lose rank: no "
            "motion is planned\n   across this place (globdyn regions says more)",
        [GDYN_TRAVERSE_RATE] = "no motion keeps the limits on rates of forces and accelerations",
    };
    gdyn_traverse_status status = t->traverse->status;
    /* the path fails first where a joint or drive leaves its range */
    int first = t->track ? t->track->first_failure : -1;
    bool left = first >= 0 && t->track->status[first] == GDYN_POINT_RANGE;
    return status == GDYN_TRAVERSE_UNFOLLOWED && left ? "a joint or drive leaves its range"
                                                      : reason[status];
}

double gdyn_trajectory_rate(const gdyn_trajectory *t, int row, int i) {
    /* Only plans with limits on rates hold forces. */
    const gdyn_traverse *plan = t->traverse;
    if (!t->rate || !plan->force || plan->points < 2 || row >= plan->rows)
        return NAN;
    /* Difference quotient to the next point; at the last point from the one before. */
    int a = i + 1 < plan->points ? i : plan->points - 2;
    double dt = plan->point[a + 1].t - plan->point[a].t;
    double change = plan->force[(a + 1) * plan->rows + row] - plan->force[a * plan->rows + row];
    return dt > 0 ? change / dt : NAN;
}

int gdyn_trajectory_steepest(const gdyn_trajectory *t, int row) {
    assert(row >= 0 && row < t->rows);
    int at = -1;
    for (int i = 0; i + 1 < t->traverse->points; i++) {
        double now = fabs(gdyn_trajectory_rate(t, row, i));
        if (isfinite(now) && (at < 0 || now > fabs(gdyn_trajectory_rate(t, row, at))))
            at = i;
    }
    return at;
}

gdyn_extremes gdyn_trajectory_extremes(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    assert(plan); /* after the pass PLAN */
    /* The maximum speed and the switching points. */
    gdyn_extremes e = {.rate_row = -1};
    for (int k = 0; k < plan->points; k++) {
        const gdyn_motion_point *point = &plan->point[k];
        e.switches += point->switching;
        if (point->d1 > e.d1) {
            e.d1 = point->d1;
            e.d1_p = point->p;
        }
    }
    /* The row whose maximum rate is the largest share of its limit. */
    for (int row = 0; t->rate && row < t->rows; row++) {
        int at = gdyn_trajectory_steepest(t, row);
        double rate = at >= 0 ? fabs(gdyn_trajectory_rate(t, row, at)) : NAN;
        if (at >= 0 && (e.rate_row < 0 || rate / t->rate[row] > e.share)) {
            e.rate_row = row, e.rate = rate, e.share = rate / t->rate[row];
            e.rate_p = plan->point[at].p;
        }
    }
    return e;
}
