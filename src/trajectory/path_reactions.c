/* path_reactions.c - joint reactions along a trajectory, pose by pose. */
#include "trajectory/path_reactions.h"

#include "base/memory.h"
#include "path/place.h"
#include "path/regular.h"

#include <math.h>
#include <string.h>

typedef struct gdyn_path_reactions_work {
    gdyn_reactions *r;
    const gdyn_motion_table *motion; /* NULL: at rest */
    gdyn_arena *arena;
    gdyn_path_place *place;
    gdyn_regular *regular;         /* of motions in the travel */
    double *u, *udot, *u_p, *u_pp; /* n */
} gdyn_path_reactions_work;

static bool reserve(gdyn_path_reactions *along) {
    gdyn_path_reactions_work *work = along->work;
    /* One value per component and point. */
    size_t points = (size_t)along->points, all = points * (size_t)along->components + 1;
    size_t n = (size_t)work->r->n;
    along->p = gdyn_arena_alloc(work->arena, points, sizeof *along->p);
    along->value = gdyn_arena_alloc(work->arena, all, sizeof *along->value);
    along->verdict = gdyn_arena_alloc(work->arena, all, sizeof *along->verdict);
    along->rank = gdyn_arena_alloc(work->arena, points, sizeof *along->rank);
    along->stretch = gdyn_arena_alloc(work->arena, points, sizeof *along->stretch);
    work->u = gdyn_arena_alloc(work->arena, 4 * n + 1, sizeof *work->u);
    work->udot = work->u + n, work->u_p = work->u + 2 * n, work->u_pp = work->u + 3 * n;
    return along->p && along->value && along->verdict && along->rank && along->stretch && work->u;
}

gdyn_status gdyn_path_reactions_open(gdyn_path_reactions *along, gdyn_trajectory *t,
                                     gdyn_reactions *r, const gdyn_motion_table *motion) {
    gdyn_path_reactions_work *work = gdyn_alloc(1, sizeof *work);
    /* A motion has poses at its samples, rest at the points of the path. */
    bool moving = motion && motion->count > 0;
    *along = (gdyn_path_reactions){.name = t->name,
                                   .unit = t->unit,
                                   .r = r,
                                   .points = moving ? motion->count : gdyn_path_points(t->path),
                                   .components = r->components,
                                   .work = work};
    if (work)
        *work = (gdyn_path_reactions_work){
            .r = r, .motion = moving ? motion : NULL, .arena = gdyn_arena_create()};
    if (!work || !work->arena || !reserve(along))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FOLLOW);
    if (status != GDYN_OK)
        return status;
    along->track = t->track;
    work->place = gdyn_path_place_create(t->path, t->track);
    status = work->place ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && work->motion && motion->travels)
        status = gdyn_regular_create(t->path, &work->regular);
    return status == GDYN_OK
               ? gdyn_ranks_find(t->path, along->track, GDYN_RANKS_POINTS, &along->ranks)
               : status;
}

void gdyn_path_reactions_close(gdyn_path_reactions *along) {
    gdyn_path_reactions_work *work = along->work;
    gdyn_ranks_free(&along->ranks);
    if (work) {
        gdyn_path_place_destroy(work->place);
        gdyn_regular_destroy(work->regular);
        gdyn_arena_destroy(work->arena);
        gdyn_free(work);
    }
    *along = (gdyn_path_reactions){0};
}

/* --- one pose --------------------------------------------------------------------------------- */

/* A pose beyond a stated range closes, and has reactions. */
static bool stands_there(gdyn_point_status status) {
    return status == GDYN_POINT_OK || status == GDYN_POINT_RANGE;
}

/* Stands at point i; *stands is false where the machine is not assembled. */
static gdyn_status stand_at(const gdyn_path_reactions *along, int i, gdyn_reaction_frame *frame,
                            bool *stands) {
    const gdyn_path_reactions_work *work = along->work;
    const gdyn_sample *sample = work->motion ? &work->motion->sample[i] : NULL;
    frame->p = sample ? sample->p : along->track->p[i];
    frame->d1 = sample ? sample->d1 : 0;
    frame->d2 = sample ? sample->d2 : 0;
    /* A motion in the travel stands next to a rest of the path, where d1 exists. */
    if (work->regular) {
        double g, slope;
        frame->p = gdyn_regular_near(work->regular, sample->p, 1);
        gdyn_regular_speed(work->regular, frame->p, &g, &slope);
        frame->d1 /= g;
        frame->d2 = (frame->d2 - slope * frame->d1 * frame->d1) / g;
    }
    /* Samples of a motion lie between points: place them on the path. */
    bool known = sample || stands_there(along->track->status[i]);
    gdyn_status status = known ? gdyn_path_place_at(work->place, frame->p) : GDYN_OK;
    gdyn_point_status found = known ? work->place->status : along->track->status[i];
    frame->motion = gdyn_point_status_name(found);
    *stands = status == GDYN_OK && stands_there(found);
    return status;
}

/* Verdicts and values where the machine stands; at rest it may be released where the drives cannot hold it. */
static gdyn_status analyse(const gdyn_path_reactions *along, unsigned methods,
                           gdyn_reaction_frame *frame, gdyn_combinations *combinations) {
    gdyn_path_reactions_work *work = along->work;
    const gdyn_path_place *place = work->place;
    int n = work->r->n;
    /* Where the machine stands still although p moves on, u_p and u_pp are freed of rounding. */
    memcpy(work->u_p, place->u_p, (size_t)n * sizeof *work->u_p);
    memcpy(work->u_pp, place->u_pp, (size_t)n * sizeof *work->u_pp);
    gdyn_track_rest(along->track, work->u_p, work->u_pp);
    /* u = u_p d1, u' = u_p d2 + u_pp d1^2 */
    for (int j = 0; j < n; j++) {
        work->u[j] = work->u_p[j] * frame->d1;
        work->udot[j] = work->u_p[j] * frame->d2 + work->u_pp[j] * frame->d1 * frame->d1;
    }
    /* At the end of the path joints that turn move as just before it. */
    gdyn_path_rates rates = gdyn_track_rates_at(along->track, frame->p, work->u_p, work->u_pp);
    bool moves = frame->d1 != 0 || frame->d2 != 0;
    const gdyn_path_rates *motion = moves ? &rates : NULL;
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    /* Verdicts, then values in motion, then sums that are unique. */
    gdyn_status status = gdyn_reactions_at(work->r, place->state, motion, methods);
    if (status == GDYN_OK)
        status = gdyn_reactions_in_motion(work->r, place->state, motion, moves, !work->motion,
                                          work->u, work->udot, &balance);
    if (status == GDYN_OK)
        status = gdyn_combinations_find(work->r, combinations);
    frame->r = work->r;
    frame->values = balance != GDYN_UNBALANCED;
    frame->motion = gdyn_reaction_balance_name(balance);
    frame->combinations = combinations;
    return status;
}

/* Ranks of C and [C^T T] together, static friction left out: it comes and goes with the motion. */
static int rank_without_friction(const gdyn_reactions *r) {
    return r->rank_c.rank + r->rows + r->drives - r->redundancy - r->drive_redundancy;
}

static void take_point(gdyn_path_reactions *along, int i, const gdyn_reaction_frame *frame) {
    /* Counts of the whole, and what this point adds to the curves. */
    const gdyn_reactions *r = frame->r;
    int components = along->components;
    along->assembled += r != NULL;
    along->balanced += frame->values;
    along->doubtful += r && (r->disagreements > 0 || !r->regular);
    along->p[i] = frame->p;
    along->rank[i] = r ? rank_without_friction(r) : -1;
    /* A value is shown only where it is unique and balanced. */
    for (int c = 0; c < components; c++) {
        gdyn_verdict verdict = r ? gdyn_reactions_component(r, c)->verdict : GDYN_UNIQUE;
        bool known = r && frame->values && verdict == GDYN_UNIQUE;
        along->verdict[i * components + c] = verdict;
        along->value[i * components + c] = known ? r->value[c] : NAN;
    }
}

gdyn_status gdyn_path_reactions_at(gdyn_path_reactions *along, int i, unsigned methods,
                                   gdyn_reaction_visitor *visit, void *context) {
    gdyn_reaction_frame frame = {.trajectory = along->name};
    gdyn_combinations combinations = {0};
    bool stands;
    gdyn_status status = stand_at(along, i, &frame, &stands);
    if (status == GDYN_OK && stands)
        status = analyse(along, methods, &frame, &combinations);
    if (status == GDYN_OK)
        status = visit(context, &frame);
    if (status == GDYN_OK) {
        take_point(along, i, &frame);
        along->analysed = i + 1;
    }
    gdyn_combinations_free(&combinations);
    return status;
}

gdyn_status gdyn_path_reactions_run(gdyn_path_reactions *along, unsigned methods,
                                    gdyn_reaction_visitor *visit, void *context) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; status == GDYN_OK && i < along->points; i++)
        status = gdyn_path_reactions_at(along, i, methods, visit, context);
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
