/* path_reactions.c - joint reactions along a trajectory, pose by pose. */
#include "trajectory/path_reactions.h"

#include "base/memory.h"
#include "path/place.h"
#include "path/regular.h"

#include <math.h>
#include <string.h>

gdyn_status gdyn_path_reactions_open(gdyn_path_reactions *along, gdyn_trajectory *t,
                                     gdyn_reactions *r, const gdyn_motion_table *motion) {
    /* A motion has poses at its samples, rest at the points of the path. */
    bool moving = motion && motion->count > 0;
    gdyn_arena *arena = gdyn_arena_create();
    *along = (gdyn_path_reactions){.name = t->name,
                                   .unit = t->unit,
                                   .r = r,
                                   .points = moving ? motion->count : gdyn_path_points(t->path),
                                   .components = r->components,
                                   .analysis = r,
                                   .motion = moving ? motion : NULL,
                                   .arena = arena};
    /* One value per component and point. */
    size_t points = (size_t)along->points, all = points * (size_t)along->components + 1;
    size_t n = (size_t)r->n;
    along->p = gdyn_arena_doubles(arena, points);
    along->value = gdyn_arena_doubles(arena, all);
    along->verdict = gdyn_arena_alloc(arena, all, sizeof *along->verdict);
    along->rank = gdyn_arena_alloc(arena, points, sizeof *along->rank);
    along->stretch = gdyn_arena_alloc(arena, points, sizeof *along->stretch);
    along->u = gdyn_arena_doubles(arena, 4 * n + 1);
    if (gdyn_arena_failed(arena))
        return GDYN_ERROR_MEMORY;
    along->udot = along->u + n, along->u_p = along->u + 2 * n, along->u_pp = along->u + 3 * n;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FOLLOW);
    if (status != GDYN_OK)
        return status;
    along->track = t->track;
    along->place = gdyn_path_place_create(t->path, t->track);
    status = along->place ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && moving && motion->travels)
        status = gdyn_regular_create(t->path, &along->regular);
    return status == GDYN_OK
               ? gdyn_ranks_find(t->path, along->track, GDYN_RANKS_POINTS, &along->ranks)
               : status;
}

void gdyn_path_reactions_close(gdyn_path_reactions *along) {
    gdyn_ranks_free(&along->ranks);
    gdyn_path_place_destroy(along->place);
    gdyn_regular_destroy(along->regular);
    gdyn_arena_destroy(along->arena);
    *along = (gdyn_path_reactions){0};
}

/* --- one pose --------------------------------------------------------------------------------- */

/* A pose beyond a given range closes, and has reactions. */
static bool stands_there(gdyn_point_status status) {
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* Verdicts and values at this pose; at rest it may be released if the drives cannot hold it. */
static gdyn_status analyse(const gdyn_path_reactions *along, unsigned methods,
                           gdyn_reaction_frame *frame, gdyn_combinations *combinations) {
    const gdyn_path_place *place = along->place;
    gdyn_reactions *r = along->analysis;
    int n = r->n;
    /* Where the machine stands still although p moves on, u_p and u_pp are freed of rounding. */
    memcpy(along->u_p, place->u_p, (size_t)n * sizeof *along->u_p);
    memcpy(along->u_pp, place->u_pp, (size_t)n * sizeof *along->u_pp);
    gdyn_track_rest(along->track, along->u_p, along->u_pp);
    /* u = u_p d1, u' = u_p d2 + u_pp d1^2 */
    for (int j = 0; j < n; j++) {
        along->u[j] = along->u_p[j] * frame->d1;
        along->udot[j] = along->u_p[j] * frame->d2 + along->u_pp[j] * frame->d1 * frame->d1;
    }
    /* At the end of the path joints that turn move as just before it. */
    gdyn_path_rates rates = gdyn_track_rates_at(along->track, frame->p, along->u_p, along->u_pp);
    bool moves = frame->d1 != 0 || frame->d2 != 0;
    const gdyn_path_rates *motion = moves ? &rates : NULL;
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    /* Verdicts, then values in motion, then sums that are unique. */
    gdyn_status status = gdyn_reactions_at(r, place->state, motion, methods);
    if (status == GDYN_OK)
        status = gdyn_reactions_in_motion(r, place->state, motion, moves, !along->motion, along->u,
                                          along->udot, &balance);
    status = status == GDYN_OK ? gdyn_combinations_find(r, combinations) : status;
    frame->r = r, frame->values = balance != GDYN_UNBALANCED;
    frame->motion = gdyn_reaction_balance_name(balance);
    frame->combinations = combinations;
    return status;
}

static void add_point(gdyn_path_reactions *along, int i, const gdyn_reaction_frame *frame) {
    /* Counts of the whole, and what this point adds to the curves. */
    const gdyn_reactions *r = frame->r;
    int components = along->components;
    along->assembled += r != NULL, along->balanced += frame->values;
    along->doubtful += r && (r->disagreements > 0 || !r->regular);
    along->p[i] = frame->p;
    /* ranks of C and [C^T T], without static friction, which depends on the motion */
    along->rank[i] =
        r ? r->rank_c.rank + r->rows + r->drives - r->redundancy - r->drive_redundancy : -1;
    /* A value is shown only where it is unique and balanced. */
    for (int c = 0; c < components; c++) {
        gdyn_verdict verdict = r ? gdyn_reactions_component(r, c)->verdict : GDYN_UNIQUE;
        bool known = r && frame->values && verdict == GDYN_UNIQUE;
        along->verdict[i * components + c] = verdict;
        along->value[i * components + c] = known ? r->value[c] : NAN;
    }
}

gdyn_status gdyn_path_reactions_next(gdyn_path_reactions *along, unsigned methods,
                                     gdyn_reaction_frame *frame, gdyn_combinations *combinations) {
    *frame = (gdyn_reaction_frame){.trajectory = along->name};
    /* the place of the point; the machine stands where it is assembled */
    const gdyn_sample *sample = along->motion ? &along->motion->sample[along->analysed] : NULL;
    frame->p = sample ? sample->p : along->track->p[along->analysed];
    frame->d1 = sample ? sample->d1 : 0;
    frame->d2 = sample ? sample->d2 : 0;
    /* A motion in the travel stands next to a rest of the path, where d1 exists. */
    if (along->regular) {
        double g, slope;
        frame->p = gdyn_regular_near(along->regular, sample->p, 1);
        gdyn_regular_speed(along->regular, frame->p, &g, &slope);
        frame->d1 /= g;
        frame->d2 = (frame->d2 - slope * frame->d1 * frame->d1) / g;
    }
    /* Samples of a motion lie between points: place them on the path. */
    bool known = sample || stands_there(along->track->status[along->analysed]);
    gdyn_status status = known ? gdyn_path_place_at(along->place, frame->p) : GDYN_OK;
    gdyn_point_status found = known ? along->place->status : along->track->status[along->analysed];
    frame->motion = gdyn_point_status_name(found);
    bool stands = status == GDYN_OK && stands_there(found);
    if (status == GDYN_OK && stands)
        status = analyse(along, methods, frame, combinations);
    if (status == GDYN_OK)
        add_point(along, along->analysed++, frame);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

int gdyn_path_reactions_lower(const gdyn_path_reactions *along, int i) {
    int generic = gdyn_reaction_generic(along->points, along->rank);
    while (i < along->points && (along->rank[i] < 0 || along->rank[i] == generic))
        i++;
    return i < along->points ? i : -1;
}

int gdyn_path_reactions_stretches(const gdyn_path_reactions *along, int c) {
    return gdyn_reaction_stretches(along->points, along->p, along->rank, along->components,
                                   along->verdict + c, along->value + c, along->stretch);
}

bool gdyn_path_reactions_unique(const gdyn_path_reactions *along, int c) {
    bool unique = true;
    for (int i = 0; i < along->points; i++)
        unique = unique && along->verdict[i * along->components + c] == GDYN_UNIQUE;
    return unique;
}
