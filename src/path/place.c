/* place.c - the machine at any p of a path; see place.h.
 *
 * Where the pose is a function of p alone (up to the branch) the machine starts from any
 * regular pose is nearest: where it stands already, or a point of the track. Where it depends on
 * the way, z(p) is the solution of u' = u_p from the path's start, and the track's points lie on
 * it: between two of them that are near enough the pose is interpolated (dense.c); else the
 * integration continues from the last one before p. Both to the same tolerance, so the track's own
 * spacing has no influence above the estimated error. */
#include "path/place.h"

#include "base/memory.h"
#include "path/internal.h"

#include <math.h>
#include <string.h>

/* A p this share of the range beyond its ends is rounding. */
static const double BEYOND = 1e-9;

/* Moves between the points of a track, in a closure of its own unless one is lent. */
static gdyn_path_place *create(const gdyn_path *path, const gdyn_track *track, gdyn_closure *lent) {
    gdyn_arena *arena;
    gdyn_path_place *place = gdyn_arena_begin(&arena, sizeof *place);
    if (!place)
        return NULL;
    size_t n = (size_t)gdyn_model_coordinates(path->model);
    *place = (gdyn_path_place){.path = path,
                               .track = track,
                               .status = GDYN_POINT_UNASSEMBLED,
                               .worst_joint = -1,
                               .lent = lent != NULL,
                               .arena = arena};
    place->u_p = gdyn_arena_doubles(arena, n + 1);
    place->u_pp = gdyn_arena_doubles(arena, n + 1);
    place->drift = gdyn_arena_doubles(arena, n + 1);
    place->targets = gdyn_arena_alloc(arena, (size_t)path->targets + 1, sizeof *place->targets);
    place->state = gdyn_state_create(path->model);
    place->closure = lent ? lent : gdyn_closure_create(path->model, path->targets);
    place->follower = gdyn_follower_create(path->model, path);
    if (!place->state || !place->closure || !place->follower || gdyn_arena_failed(arena)) {
        gdyn_path_place_destroy(place);
        return NULL;
    }
    place->follower->closure = place->closure;
    return place;
}

gdyn_path_place *gdyn_path_place_create(const gdyn_path *path, const gdyn_track *track) {
    return create(path, track, NULL);
}

gdyn_path_place *gdyn_path_place_borrow(const gdyn_path *path, const gdyn_track *track,
                                        gdyn_closure *closure) {
    gdyn_closure_renew(closure);
    return create(path, track, closure);
}

/* Safe on a partly made object. */
void gdyn_path_place_destroy(gdyn_path_place *place) {
    if (!place)
        return;
    gdyn_state_destroy(place->state);
    if (!place->lent)
        gdyn_closure_destroy(place->closure);
    gdyn_follower_destroy(place->follower);
    gdyn_arena_destroy(place->arena);
}

void gdyn_path_place_reset(gdyn_path_place *place) {
    place->stands = false, place->rank = 0;
}

/* --- points of the track --------------------------------------------------------------------- */

/* The nearest regular point from i on in that direction; -1 when there is none. */
static int regular_point(const gdyn_track *track, int i, int direction) {
    for (; i >= 0 && i < track->points; i += direction)
        if (gdyn_point_regular(track->status[i]))
            return i;
    return -1;
}

/* The answer is a point of the track. */
static void take_point(gdyn_path_place *place, int i) {
    const gdyn_track *track = place->track;
    size_t first = (size_t)track->n * (size_t)i, bytes = (size_t)track->n * sizeof(double);
    /* pose, rates, residuals, drift and status */
    gdyn_state_copy(place->state, track->state[i]);
    memcpy(place->u_p, track->u_p + first, bytes);
    memcpy(place->u_pp, track->u_pp + first, bytes);
    place->rates = track->rates[i], place->residual = track->residual[i];
    place->worst_joint = track->worst_joint[i];
    memcpy(place->drift, track->drift + first, bytes);
    place->error = track->error[i], place->status = track->status[i];
}

/* --- ways ------------------------------------------------------------------------------------ */

/* The pose of the follower becomes the answer. */
static void take_pose(gdyn_path_place *place, gdyn_point_status status) {
    gdyn_follower *f = place->follower;
    size_t bytes = (size_t)f->n * sizeof(double);
    /* a pose of lower rank is singular wherever it lies */
    if (!gdyn_follower_regular(f))
        status = GDYN_POINT_SINGULAR;
    gdyn_state_copy(place->state, f->now.state);
    memcpy(place->u_p, f->now.u_p, bytes), memcpy(place->u_pp, f->now.u_pp, bytes);
    place->rates = f->now.rates, place->residual = f->info.residual;
    place->worst_joint = f->info.worst_joint;
    double most;
    memcpy(place->drift, f->drift, bytes);
    place->error = gdyn_follower_size(f, f->drift, &most);
    place->status = status, place->stands = status == GDYN_POINT_OK;
    place->at = place->p;
}

/* On from where the follower stands. */
static bool lead(gdyn_path_place *place) {
    gdyn_leg leg = {.path = place->path};
    /* the follower moves; what it stood for before is gone */
    place->stands = false, place->node = -1;
    gdyn_step step = gdyn_follower_advance(place->follower, &leg, place->at, place->p);
    if (step == GDYN_STEP_FAILED)
        return false;
    take_pose(place, step == GDYN_STEP_OK ? GDYN_POINT_OK : GDYN_POINT_SINGULAR);
    return true;
}

/* From a regular point of the track, with its drift. */
static bool lead_from(gdyn_path_place *place, int i) {
    gdyn_leg leg = {.path = place->path};
    const gdyn_track *track = place->track;
    place->stands = false, place->node = -1;
    if (i < 0 || !gdyn_follower_place(place->follower, &leg, track->state[i], track->p[i]))
        return false;
    memcpy(place->follower->drift, track->drift + (size_t)track->n * (size_t)i,
           (size_t)track->n * sizeof *place->drift);
    place->at = track->p[i];
    return lead(place);
}

/* No way along the path leads here: least squares tell whether the machine can be closed, a
 * straight way from the nearest regular pose whether that is the same branch (compare track.c).
 * Where the pose depends on the way that pose is right only where there is none, in a stretch apart
 * from the others. */
static void enter(gdyn_path_place *place, int near, bool apart) {
    gdyn_follower *f = place->follower;
    gdyn_leg path = {.path = place->path};
    const gdyn_state *from = place->track->state[near < 0 ? 0 : near];
    place->stands = false, place->node = -1;
    /* closed anywhere near */
    bool closed = gdyn_follower_close(f, from, &place->p, 0);
    gdyn_state_copy(place->state, f->trial.state);
    place->residual = f->info.residual, place->worst_joint = f->info.worst_joint;
    place->status = GDYN_POINT_UNASSEMBLED, place->error = 0;
    if (!closed)
        return;
    /* reached straight, on the same side of all singular poses */
    bool straight = near >= 0 && gdyn_follower_enter(f, from, place->p);
    bool same = straight && !f->crossed && (apart || !place->integrate);
    gdyn_point_status status = same ? GDYN_POINT_OK : GDYN_POINT_BRANCH;
    if (!straight && !gdyn_follower_place(f, &path, place->state, place->p))
        return;
    take_pose(place, status);
}

/* Between two points of the track; the factors are those of the first. */
static bool interpolate(gdyn_path_place *place, int i) {
    const gdyn_track *track = place->track;
    gdyn_leg leg = {.path = place->path};
    size_t a = (size_t)track->n * (size_t)i, b = a + (size_t)track->n;
    gdyn_path_stretch stretch = {.p = {track->p[i], track->p[i + 1]},
                                 .state = {track->state[i], track->state[i + 1]},
                                 .u = {track->u_p + a, track->u_p + b},
                                 .u_pp = {track->u_pp + a, track->u_pp + b},
                                 .drift = {track->drift + a, track->drift + b}};
    /* both ends smooth, and no attempt has failed here */
    double from = track->p[i], to = track->p[i + 1];
    if (place->coarse == i || track->entered == i + 1 ||
        gdyn_path_next_break(place->path, from, to) != to ||
        gdyn_path_before(place->path, from, to) != to)
        return false;
    if (place->node != i) {
        place->stands = false;
        if (!gdyn_follower_place(place->follower, &leg, track->state[i], track->p[i]))
            return false;
        place->node = i;
    }
    /* not accurate enough: integration has to do */
    if (!gdyn_follower_dense(place->follower, &leg, &stretch, place->p)) {
        place->coarse = i;
        return false;
    }
    take_pose(place, GDYN_POINT_OK);
    return true;
}

/* Where the pose depends on the way. */
static void integrate_to(gdyn_path_place *place, int before, int behind) {
    const gdyn_track *track = place->track;
    if (before >= 0 && behind == before + 1 && interpolate(place, before))
        return;
    /* the follower stands on the same stretch, or starts from a neighbour */
    bool on = place->stands && place->at <= place->p &&
              (before < 0 ? behind < 0 : place->at >= track->p[before]);
    if ((on && lead(place)) || lead_from(place, before) || lead_from(place, behind))
        return;
    bool nearer =
        before < 0 || (behind >= 0 && track->p[behind] - place->p < place->p - track->p[before]);
    enter(place, nearer ? behind : before, before < 0 || behind != before + 1);
}

/* Where it does not: on from where the follower stands, when that is within two intervals or nearer
 * than the track's points; else from the nearer one of these. */
static void move_to(gdyn_path_place *place, int before, int behind) {
    const gdyn_track *track = place->track;
    /* the nearer neighbour first */
    double back = before >= 0 ? place->p - track->p[before] : INFINITY;
    double ahead = behind >= 0 ? track->p[behind] - place->p : INFINITY;
    int near = back <= ahead ? before : behind, far = back <= ahead ? behind : before;
    double step = before >= 0 && behind == before + 1 ? 2 * (back + ahead) : fmin(back, ahead);
    bool on = place->stands && fabs(place->p - place->at) <= step;
    if ((on && lead(place)) || lead_from(place, near) || lead_from(place, far))
        return;
    enter(place, near, true);
}

/* The pose of the place at p, regardless of the ranges say. */
static gdyn_status go_to(gdyn_path_place *place, double p) {
    const gdyn_track *track = place->track;
    gdyn_follower *f = place->follower;
    double first = track->p[0], last = track->p[track->points - 1];
    double slack = BEYOND * (last - first);
    /* within the range, apart from rounding */
    if (!(p >= first - slack && p <= last + slack))
        return GDYN_ERROR_ARGUMENT;
    if (place->rank == 0) {
        /* rank and way-dependence of the track's regular points */
        place->integrate = gdyn_model_pfaffian(place->path->model) > 0;
        for (int i = 0; i < track->points; i++) {
            int rank = track->rates[i].rank.rank;
            if (!gdyn_point_regular(track->status[i]))
                continue;
            place->rank = rank > place->rank ? rank : place->rank;
            place->integrate |= track->rates[i].freedom > 0;
        }
        f->step = 0;
        place->node = place->coarse = -1;
    }
    place->p = p = fmin(fmax(p, first), last);
    f->status = GDYN_OK, f->rank = place->rank, f->crossed = false;
    /* the targets are known even where no pose is */
    gdyn_path_evaluate(place->path, p, place->targets);
    /* asked again at the same place */
    if (place->stands && place->at == p) {
        take_pose(place, GDYN_POINT_OK);
        return GDYN_OK;
    }
    /* behind the place where following was given up */
    if (p > track->given_up_p) {
        place->status = GDYN_POINT_UNASSEMBLED;
        return GDYN_OK;
    }
    /* a point of the track itself */
    int i = gdyn_track_behind(track, p) - 1, before = regular_point(track, i, -1);
    if (before >= 0 && track->p[before] == p) {
        take_point(place, before);
        return GDYN_OK;
    }
    int behind = regular_point(track, i + 1, 1);
    /* by the way where it matters, else from anywhere near */
    if (place->integrate)
        integrate_to(place, before, behind);
    else
        move_to(place, before, behind);
    return f->status;
}

/* A pose outside of a given range is followed, but does not count. */
gdyn_status gdyn_path_place_at(gdyn_path_place *place, double p) {
    gdyn_status status = go_to(place, p);
    if (status == GDYN_OK && place->status == GDYN_POINT_OK &&
        gdyn_track_range_left(place->track, place->state, NULL) >= 0)
        place->status = GDYN_POINT_RANGE;
    return status;
}

void gdyn_path_place_ahead(gdyn_path_place *place, int count, const double *p) {
    gdyn_follower *f = place->follower;
    f->nexts = count < GDYN_AHEAD - 1 ? count : GDYN_AHEAD - 1;
    if (f->nexts > 0)
        memcpy(f->next, p, (size_t)f->nexts * sizeof *f->next);
}

/* The present pose displaced along its drift: how its error looks. */
bool gdyn_path_place_displace(gdyn_path_place *place, double distance) {
    gdyn_follower *f = place->follower;
    gdyn_leg leg = {.path = place->path};
    size_t bytes = (size_t)f->n * sizeof(double);
    if (place->status != GDYN_POINT_OK || !(place->error > 0))
        return false;
    /* from the answer, not from where the follower went last */
    if (!place->stands || place->at != place->p) {
        gdyn_state_copy(f->now.state, place->state);
        place->stands = false;
    }
    for (int j = 0; j < f->n; j++)
        f->du[j] = distance / place->error * place->drift[j];
    if (!gdyn_follower_displaced(f, &leg, place->p, f->now.state, f->du, place->u_p))
        return false;
    memcpy(place->u_pp, f->trial.u_pp, bytes);
    gdyn_state_copy(place->state, f->stage);
    return true;
}
