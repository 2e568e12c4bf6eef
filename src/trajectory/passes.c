/* passes.c - the table of passes, and taking them.
 *
 * A pass works out one part of what is known of a trajectory. A row says what has to be known
 * before, and what runs. Passes with the same function are folded into one sweep over the points:
 * each point is visited once, and what its pose leaves in the workspaces serves all of them. Its
 * criteria are the rows of gdyn_criterion_table with its name; it puts them into t->criteria. */
#include "trajectory/internal.h"

#include "access/analysis.h"
#include "path/rank_loss.h"

#include <math.h>

/* --- small passes ----------------------------------------------------------------------------- */

gdyn_status gdyn_trajectory_closure(gdyn_trajectory *t, gdyn_closure **closure) {
    gdyn_closure *lent = t->settings.closure;
    if (!lent && !t->store->closure)
        t->store->closure = gdyn_closure_create(t->model, gdyn_path_targets(t->path));
    *closure = lent ? lent : t->store->closure;
    return *closure ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static gdyn_status follow(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    gdyn_closure *closure;
    gdyn_status status = gdyn_trajectory_closure(t, &closure);
    gdyn_track *track = t->store->track = gdyn_track_create(t->model, t->path);
    if (status != GDYN_OK || !track)
        return GDYN_ERROR_MEMORY;
    track->brief = t->settings.brief;
    track->strict = t->settings.strict;
    t->track = track;
    status = gdyn_track_follow(track, t->path, closure, t->settings.start);
    return status == GDYN_OK ? gdyn_path_compare(t->path, track, &t->store->sink) : status;
}

/* Between the points, too. */
static gdyn_status find_clearance(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    if (gdyn_model_shapes(t->model) < 2)
        return GDYN_OK;
    gdyn_clearance *clearance = gdyn_clearance_create(t->model);
    gdyn_status status =
        clearance ? gdyn_clearance_along(clearance, t->path, gdyn_trajectory_points(t), &t->near)
                  : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && t->near.first >= 0)
        t->criteria.value[GDYN_CRITERION_CLEARANCE] = t->near.distance;
    t->criteria.passes |= GDYN_PASS_CLEARANCE;
    gdyn_clearance_destroy(clearance);
    return status;
}

/* On the points, as in studies; where one of them has no region there is none. */
static gdyn_status find_motion(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    return gdyn_traverse_criteria(t->evaluation, t->path, &t->fastest, &t->criteria);
}

/* Number of poses and stretches of the path at which the constraints lose rank.
 *
 * The largest pivot ratio left by the QR factorization of C^T at each point is at hand. Where the
 * r-th singular value passes through zero between two points it is V-shaped there: it rises from
 * the lower of the two points to a neighbour by at least about its own amount. Paths without such a
 * point (nearly all) need no search. */
static gdyn_status count_singular(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    double *value = t->criteria.value;
    const gdyn_track *track = gdyn_trajectory_points(t);
    bool closest = t->known & GDYN_PASS_APPROACH;
    value[GDYN_CRITERION_SINGULAR] = 0;
    t->criteria.passes |= GDYN_PASS_REACTIONS;
    if (track->reach < 1 || !(closest || gdyn_ranks_suspect(track)))
        return GDYN_OK;
    /* known already, unless points were inserted since */
    if (t->singular && t->singular->looked == track->points) {
        value[GDYN_CRITERION_SINGULAR] = t->singular->losses;
        return GDYN_OK;
    }
    gdyn_ranks ranks;
    gdyn_status status =
        gdyn_ranks_find(t->path, track, closest ? GDYN_RANKS_CLOSEST : GDYN_RANKS_LOST, &ranks);
    if (status == GDYN_OK)
        value[GDYN_CRITERION_SINGULAR] = gdyn_ranks_losses(&ranks);
    if (status == GDYN_OK && closest && ranks.generic > 0)
        value[GDYN_CRITERION_CONSTRAINT_SINGULARITY] = ranks.least;
    gdyn_ranks_free(&ranks);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

typedef struct pass_row {
    unsigned pass, needs;
    gdyn_status (*run)(gdyn_trajectory *t,
                       unsigned passes); /* passes: those of its rows that are wanted */
    const char *keeps;                   /* for each point of the path */
} pass_row;

/* In an order in which each stands behind those that it needs. */
static const pass_row table[] = {
    {GDYN_PASS_FOLLOW, 0, follow, "pose, its derivatives, drift"},
    {GDYN_PASS_FAILURE, GDYN_PASS_FOLLOW, gdyn_trajectory_describe, NULL},
    {GDYN_PASS_TRACK, GDYN_PASS_FOLLOW, gdyn_trajectory_sweep,
     "criteria, coefficients; lean: none"},
    {GDYN_PASS_REGIONS, GDYN_PASS_FOLLOW, gdyn_trajectory_sweep, "the region"},
    {GDYN_PASS_LOCAL, GDYN_PASS_FOLLOW, gdyn_trajectory_sweep, "criteria; lean: none"},
    {GDYN_PASS_APPROACH, GDYN_PASS_FOLLOW, gdyn_trajectory_sweep, "singular values"},
    {GDYN_PASS_CLEARANCE, GDYN_PASS_FOLLOW, find_clearance, NULL},
    {GDYN_PASS_MOTION, GDYN_PASS_REGIONS, find_motion, NULL},
    {GDYN_PASS_REACTIONS, GDYN_PASS_FOLLOW, count_singular, NULL},
    {GDYN_PASS_DYNAMICS, GDYN_PASS_FOLLOW | GDYN_PASS_APPROACH, gdyn_trajectory_drive, NULL},
    {GDYN_PASS_PLAN, GDYN_PASS_DYNAMICS, gdyn_trajectory_plan, NULL},
    {GDYN_PASS_FORCES, GDYN_PASS_PLAN, gdyn_trajectory_share, NULL},
};
enum { ROWS = sizeof table / sizeof *table };

gdyn_status gdyn_trajectory_take(gdyn_trajectory *t, unsigned passes) {
    gdyn_status status = GDYN_OK;
    unsigned wanted = passes & ~t->known;
    /* a table of coefficients has no machine to be followed */
    for (int i = ROWS - 1; i >= 0; i--)
        if (wanted & table[i].pass)
            wanted |= table[i].needs & ~t->known;
    if (!t->path)
        wanted &= GDYN_PASS_REGIONS | GDYN_PASS_DYNAMICS | GDYN_PASS_PLAN | GDYN_PASS_FORCES;
    for (int i = 0; i < ROWS && status == GDYN_OK; i++) {
        unsigned now = 0;
        for (int k = i; k < ROWS; k++)
            now |= table[k].run == table[i].run ? table[k].pass & wanted & ~t->known : 0;
        if (now)
            status = table[i].run(t, now);
        if (now && status == GDYN_OK)
            t->known |= now;
    }
    return status;
}

/* --- questions -------------------------------------------------------------------------------- */

double gdyn_trajectory_blocked(const gdyn_trajectory *t) {
    const gdyn_singularity *block =
        t->singular ? gdyn_singularities_block(t->singular, -INFINITY, INFINITY) : NULL;
    return block ? block->from : NAN;
}

bool gdyn_near_interferes(const gdyn_near *near) {
    return near->first >= 0 && near->distance < 0;
}

bool gdyn_trajectory_passable(const gdyn_trajectory *t) {
    return isnan(t->followed.failure_p) && isnan(gdyn_trajectory_blocked(t)) &&
           !gdyn_near_interferes(&t->near);
}
