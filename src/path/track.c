/* track.c - the machine at all points of a path.
 *
 * It starts from the first guess: the machine is assembled without the path, then led straight to
 * the path's start, so that the assembly mode of the guess is kept. Point by point it is led on
 * from the last regular pose (the anchor). Where that fails least squares decides whether the
 * machine can be closed there at all: if not, the point is unassembled, with its residual and worst
 * joint. If it can, a straight way from the anchor or from the guess, without a singular pose on
 * it, shows that it is the same branch; otherwise the point is reported as another branch, and so
 * are those led on from it until a straight way from the guess leads back. */
#include "path/internal.h"
#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Shares of the path's range: how near the place is found from which a pose that depends on the way
 * can be had again, and how far behind it the pose begins. There the machine is singular as a rule
 * (stretched), and moves like the root of the distance: at 1e-6 by some 1e-3, of which rounding
 * leaves 1e-9; a place wrong by 1e-12 turns the direction by 1e-8. */
static const double ENTRY_NEAR = 1e-12, ENTRY_BEHIND = 1e-6;
static const double ENTRY_GROWTH = 2;
/* Where the machine cannot be led on it begins farther behind, by tens, to this share. */
static const double ENTRY_FARTHEST = 1e-2;
/* Poses nearer than this (L, rad) are the same. */
static const double SAME_POSE = 1e-6;

/* The following of one path. */
typedef struct walk {
    gdyn_track *track;
    gdyn_follower *f;
    gdyn_state *base; /* the machine assembled without the path, near the guess */
    /* last regular pose: the base, or that of a point, of a track taken over, too */
    const gdyn_state *anchor;
    int anchor_index; /* its point, -1: base */
    bool fresh;       /* the follower is at the anchor, on the path */
    bool gap;         /* a point since the anchor could not be assembled */
    bool other;       /* the anchor is on another branch than the points before it */
    double lost;      /* largest p to which no way leads from the anchor or the guess */
} walk;

/* --- records --------------------------------------------------------------------------------- */

/* Copies a row (NULL: zeros) unless equal: drifts of zero take no memory. False: it is zero. */
static bool keep(double *to, const double *from, int count) {
    bool any = false;
    for (int j = 0; j < count; j++) {
        double value = from ? from[j] : 0;
        if (to[j] != value)
            to[j] = value;
        any = any || value != 0;
    }
    return any;
}

/* What closing left at point i; NULL: nothing. */
static void record_known(gdyn_track *track, int i, const double *known) {
    size_t length = (size_t)track->known_length;
    if (!track->known)
        return;
    double *to = track->known + length * (size_t)i;
    if (known && known[0] > 0)
        memcpy(to, known, length * sizeof *to);
    else
        to[0] = 0;
}

/* The nearest pose that was found stands for the point. */
static void record_failure(walk *w, int i, const gdyn_state *pose) {
    gdyn_track *track = w->track;
    size_t first = (size_t)track->n * (size_t)i, bytes = (size_t)track->n * sizeof(double);
    w->lost = track->p[i];
    track->status[i] = GDYN_POINT_UNASSEMBLED;
    gdyn_state_copy(track->state[i], pose);
    memset(track->u_p + first, 0, bytes), memset(track->u_pp + first, 0, bytes);
    track->residual[i] = w->f->info.residual;
    track->worst_joint[i] = w->f->info.worst_joint;
    track->rates[i] = (gdyn_closure_rates){0};
    keep(track->drift + first, NULL, track->n);
    track->error[i] = 0;
    record_known(track, i, NULL);
}

/* The follower's present pose becomes point i, and the anchor when it is regular. */
static void record_pose(walk *w, int i, gdyn_point_status status) {
    gdyn_track *track = w->track;
    gdyn_follower *f = w->f;
    size_t first = (size_t)track->n * (size_t)i, bytes = (size_t)track->n * sizeof(double);
    /* of lower rank: the pose is known, but no way leads on from it */
    if (!gdyn_follower_regular(f))
        status = GDYN_POINT_SINGULAR;
    else
        w->other = status == GDYN_POINT_BRANCH;
    track->status[i] = status;
    gdyn_state_copy(track->state[i], f->now.state);
    memcpy(track->u_p + first, f->now.u_p, bytes);
    memcpy(track->u_pp + first, f->now.u_pp, bytes);
    record_known(track, i, f->now.known);
    track->residual[i] = f->info.residual, track->worst_joint[i] = f->info.worst_joint;
    track->rates[i] = f->now.rates;
    /* what is estimated of the pose's error; it was zero at all points, and before */
    if (f->drifted || track->error[i] != 0) {
        double most;
        bool drifts = keep(track->drift + first, f->drift, track->n);
        track->error[i] = drifts ? gdyn_follower_size(f, f->drift, &most) : 0;
    }
    w->fresh = status != GDYN_POINT_SINGULAR;
    /* regular points are anchors */
    if (!w->fresh) {
        w->lost = track->p[i];
        return;
    }
    w->anchor = track->state[i];
    w->anchor_index = i, w->gap = false;
}

/* --- ways to a point ------------------------------------------------------------------------- */

static gdyn_leg whole_path(const walk *w) {
    return (gdyn_leg){.path = w->f->path};
}

/* On along the path from the anchor. */
static gdyn_step walk_on(walk *w, int i) {
    gdyn_leg leg = whole_path(w);
    /* the follower stands at the anchor unless it was used elsewhere */
    double from = w->track->p[w->anchor_index];
    if (!w->fresh && !gdyn_follower_place(w->f, &leg, w->anchor, from))
        return GDYN_STEP_FAILED;
    if (w->f->drifted)
        memcpy(w->f->drift, w->track->drift + (size_t)w->track->n * (size_t)w->anchor_index,
               (size_t)w->track->n * sizeof *w->f->drift);
    w->fresh = false;
    w->f->crossed = false, w->f->nexts = 0;
    for (int j = i + 1; j < w->track->points && w->f->nexts < GDYN_AHEAD - 1; j++)
        w->f->next[w->f->nexts++] = gdyn_path_p(w->f->path, j);
    return gdyn_follower_advance(w->f, &leg, from, w->track->p[i]);
}

static bool walk_straight(walk *w, const gdyn_state *from, int i) {
    return gdyn_follower_enter(w->f, from, w->track->p[i]);
}

/* The pose that least squares found, as it stands. */
static bool take_closed(walk *w, const gdyn_state *pose, int i) {
    gdyn_leg path = whole_path(w);
    gdyn_follower *f = w->f;
    gdyn_state_copy(f->stage, pose);
    gdyn_state_accept(f->stage);
    return gdyn_follower_place(f, &path, f->stage, w->track->p[i]);
}

/* Where a pose that depends on the way starts again for the first time. */
static void tell_entry(gdyn_track *track, int i, double p) {
    if (track->entered >= 0)
        return;
    track->entered = i;
    track->entered_p = p;
}

/* Straight from the guess to a regular pose of the path at p. */
static bool begin(walk *w, double p) {
    return gdyn_follower_enter(w->f, w->base, p) && gdyn_follower_regular(w->f);
}

/* From p behind the entry to another, in legs that grow with the distance from it: at a stretched
 * pose u_p falls like one over its root. */
static bool leave_entry(walk *w, double entry, double p, double to) {
    gdyn_leg leg = whole_path(w);
    if (!begin(w, p))
        return false;
    memset(w->f->drift, 0, (size_t)w->f->n * sizeof *w->f->drift);
    w->f->step = 0;
    while (p != to) {
        double next = p < to ? fmin(entry + ENTRY_GROWTH * (p - entry), to) : to;
        if (gdyn_follower_advance(w->f, &leg, p, next) != GDYN_STEP_OK)
            return false;
        p = next;
    }
    return true;
}

/* Leads straight from the guess to point i, where no way along the path does: a pose that depends
 * on the way starts again just behind the place where that becomes possible. */
static bool begin_anew(walk *w, int i) {
    gdyn_follower *f = w->f;
    gdyn_track *track = w->track;
    double last = gdyn_path_p(f->path, track->points - 1), range = last - track->p[0];
    if (!f->integrate || i == 0)
        return true;
    /* the place between the last point missed and i to which the guess can be led: bisection */
    double low = w->lost, entry = track->p[i];
    while (entry - low > ENTRY_NEAR * range && f->status == GDYN_OK) {
        double middle = 0.5 * (low + entry);
        *(begin(w, middle) ? &entry : &low) = middle;
    }
    bool located = false;
    /* as near behind the entry as legs lead on from */
    for (double behind = ENTRY_BEHIND; !located && behind <= ENTRY_FARTHEST; behind *= 10)
        located = leave_entry(w, entry, fmin(entry + behind * range, last), track->p[i]);
    if (!located)
        memset(f->drift, 0, (size_t)f->n * sizeof *f->drift);
    tell_entry(track, i, located ? entry : track->p[i]);
    return located || gdyn_follower_enter(f, w->base, track->p[i]);
}

/* The first point that can be assembled: led there from the guess, or closed there outright. Once
 * the path's start has failed, least squares first decides whether it is possible. */
static void enter(walk *w, int i) {
    gdyn_follower *f = w->f;
    /* where least squares fails, too, there is no pose */
    bool closed = i > 0 && gdyn_follower_close(f, w->base, &w->track->p[i], 0);
    gdyn_state_copy(w->track->state[i], f->trial.state);
    if (i > 0 && !closed) {
        record_failure(w, i, w->track->state[i]);
        return;
    }
    if (walk_straight(w, w->base, i) && begin_anew(w, i)) {
        record_pose(w, i, GDYN_POINT_OK);
        return;
    }
    /* the first point once more by least squares, with restarts */
    if (i == 0) {
        closed = gdyn_follower_close(f, w->base, &w->track->p[i], 1);
        gdyn_state_copy(w->track->state[i], f->trial.state);
    }
    if (!closed || !take_closed(w, w->track->state[i], i)) {
        record_failure(w, i, w->track->state[i]);
        return;
    }
    if (f->integrate && i > 0)
        tell_entry(w->track, i, w->track->p[i]);
    record_pose(w, i, GDYN_POINT_OK);
}

/* A later point whose pose is a function of p alone. */
static bool reenter_branch(walk *w, int i, bool gap) {
    gdyn_follower *f = w->f;
    /* straight and on the same side, from the last regular point or from the guess */
    if (walk_straight(w, w->anchor, i) && !f->crossed)
        record_pose(w, i, w->other ? GDYN_POINT_BRANCH : GDYN_POINT_OK);
    else if (walk_straight(w, w->base, i) && !f->crossed)
        record_pose(w, i, gap ? GDYN_POINT_OK : GDYN_POINT_BRANCH);
    else
        return false;
    return true;
}

/* A later point whose pose depends on the way: the pose alone does not determine the way. */
static bool reenter_way(walk *w, int i) {
    gdyn_follower *f = w->f;
    if (!walk_straight(w, w->base, i) || f->crossed || !begin_anew(w, i)) {
        tell_entry(w->track, i, w->track->p[i]);
        return false;
    }
    record_pose(w, i, w->gap ? GDYN_POINT_OK : GDYN_POINT_BRANCH);
    return true;
}

/* A later point that continuity did not reach. */
static void reenter(walk *w, int i) {
    gdyn_follower *f = w->f;
    /* no pose near the anchor nor near the guess */
    if (!gdyn_follower_close(f, w->anchor, &w->track->p[i], 0) &&
        !gdyn_follower_close(f, w->base, &w->track->p[i], 0)) {
        record_failure(w, i, f->trial.state);
        w->gap = true;
        return;
    }
    gdyn_state_copy(w->track->state[i], f->trial.state);
    if (f->integrate ? reenter_way(w, i) : reenter_branch(w, i, w->gap))
        return;
    /* closed, but on another branch */
    if (take_closed(w, w->track->state[i], i))
        record_pose(w, i, GDYN_POINT_BRANCH);
    else
        record_failure(w, i, w->track->state[i]);
}

/* The pose that the definition gives for point i, with the machine's own lengths. */
static const gdyn_state *given_pose(walk *w, int i) {
    const gdyn_path *path = w->f->path;
    gdyn_state_load(w->f->stage, path->def.pose + i * gdyn_state_numbers(path->model));
    gdyn_closure_settle(w->f->closure, w->f->stage);
    return w->f->stage;
}

/* Point i, from a pose given for it, from the anchor along the path or again. */
static void visit(walk *w, int i) {
    if (w->f->path->def.pose && gdyn_follower_enter(w->f, given_pose(w, i), w->track->p[i]) &&
        gdyn_follower_regular(w->f) && !w->f->crossed) {
        record_pose(w, i, GDYN_POINT_OK);
        return;
    }
    if (w->anchor_index < 0) {
        enter(w, i);
        return;
    }
    int from = w->anchor_index;
    /* from another branch back to the guess's: straight, without a singular pose on the way */
    if (w->other) {
        if (!w->f->integrate && walk_straight(w, w->base, i) && !w->f->crossed) {
            record_pose(w, i, GDYN_POINT_OK);
            return;
        }
        w->fresh = false;
    }
    gdyn_step step = w->gap ? GDYN_STEP_FAILED : walk_on(w, i);
    if (step == GDYN_STEP_FAILED) {
        /* where the way ended */
        if (!w->gap)
            w->lost = w->f->reached;
        if (w->f->given_up) {
            /* the path is left alone from here on: nothing is known between its points */
            if (isnan(w->track->given_up_p))
                w->track->given_up_p = w->lost;
            record_failure(w, i, w->anchor);
            w->gap = true;
        } else {
            reenter(w, i);
        }
        return;
    }
    bool crossed = w->f->crossed;
    /* what leads on from another branch is on it, too */
    record_pose(w, i,
                step != GDYN_STEP_OK ? GDYN_POINT_SINGULAR
                : w->other           ? GDYN_POINT_BRANCH
                                     : GDYN_POINT_OK);
    if (!crossed)
        return;
    /* a singular pose lies between the two: one that is known, or the nearer one is marked */
    const gdyn_track *track = w->track;
    for (int k = from + 1; k < i; k++)
        if (track->status[k] == GDYN_POINT_SINGULAR)
            return;
    bool first = gdyn_rates_least(&track->rates[from]) < gdyn_rates_least(&track->rates[i]);
    track->status[first ? from : i] = GDYN_POINT_SINGULAR;
}

/* --- the whole ------------------------------------------------------------------------------- */

static bool assembled(const gdyn_track *track, int i) {
    return track->status[i] != GDYN_POINT_UNASSEMBLED;
}

/* What is known only at the end: poses of lower rank, and the summary. */
static void summarize(walk *w) {
    gdyn_track *track = w->track;
    int last = track->points - 1;
    gdyn_track_measure(track);
    /* ranks are compared with the largest one of the path */
    for (int i = 0; i < track->points; i++)
        if (assembled(track, i) && track->rates[i].rank.rank < w->f->rank)
            track->status[i] = GDYN_POINT_SINGULAR;
    gdyn_track_count(track);
    /* does a closed path return to the same pose? */
    track->closed = gdyn_path_closed(w->f->path);
    track->returns = track->closed && assembled(track, 0) && assembled(track, last) &&
                     gdyn_state_near(track->state[0], track->state[last], SAME_POSE);
}

/* Takes the points that a track left shares with this one; returns the first point behind them. */
static int take_over(walk *w, const gdyn_track *known) {
    const gdyn_path *path = w->f->path;
    gdyn_track *track = w->track;
    int last = known->left_at, i = 0;
    /* the same p but for rounding */
    double near = 1e-12 * (path->def.p_end - path->def.p_start);
    /* the last regular one is the anchor, and no way leads on from it */
    for (int k = 0; k <= last; k++) {
        if (i < track->points && fabs(known->p[k] - gdyn_path_p(path, i)) <= near)
            gdyn_track_copy_point(track, i++, known, k);
        if (k == last ||
            (!gdyn_point_regular(known->status[k]) && known->status[k] != GDYN_POINT_BRANCH))
            continue;
        w->anchor_index = i - 1, w->other = known->status[k] == GDYN_POINT_BRANCH;
        w->f->rank =
            known->rates[k].rank.rank > w->f->rank ? known->rates[k].rank.rank : w->f->rank;
        w->f->integrate |= known->rates[k].freedom > 0;
        w->anchor = known->state[k];
    }
    w->gap = w->anchor_index >= 0, w->lost = known->p[last];
    w->f->integrate |= gdyn_model_pfaffian(w->f->model) > 0;
    w->f->given_up = !isnan(known->given_up_p);
    w->f->rough = true;
    track->given_up_p = known->given_up_p;
    return i;
}

/* Point by point; with `brief` up to the first failure only. */
static void follow(walk *w, const gdyn_state *start, const gdyn_track *known) {
    gdyn_follower *f = w->f;
    gdyn_track *track = w->track;
    /* the machine assembled without the path */
    start = f->path->def.pose ? given_pose(w, 0) : start;
    bool closed = start || gdyn_follower_close(f, w->base, NULL, 1);
    gdyn_state_copy(w->base, start ? start : f->trial.state);
    gdyn_state_accept(w->base);
    w->anchor = w->base;
    track->entered = -1;
    track->entered_p = NAN, track->given_up_p = NAN, track->left = false;
    int first = known ? take_over(w, known) : 0;
    for (int i = first; i < track->points && f->status == GDYN_OK && !track->left; i++) {
        track->p[i] = gdyn_path_p(f->path, i);
        if (closed)
            visit(w, i);
        else
            record_failure(w, i, w->base);
        track->left = (track->brief && track->status[i] == GDYN_POINT_UNASSEMBLED) ||
                      (track->strict && track->status[i] != GDYN_POINT_OK);
        track->left_at = i;
    }
    track->steps = f->steps;
    if (!track->left)
        summarize(w);
}

/* Numbers that are kept of what closing left at the points: 16 MiB. */
enum { KNOWN_MOST = 1 << 21 };

/* known: NULL or a track of the same path that was left. */
static gdyn_status run(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure,
                       const gdyn_state *start, const gdyn_track *known) {
    const gdyn_model *model = path->model;
    if (track->points != gdyn_path_points(path) || track->n != gdyn_model_coordinates(model))
        return GDYN_ERROR_ARGUMENT;
    walk w = {.track = track, .anchor_index = -1};
    w.f = gdyn_follower_create(model, path);
    w.base = gdyn_state_create(model);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (w.f && w.base) {
        w.f->closure = closure;
        /* room for what closing leaves at the points; without it nothing is kept */
        int length = gdyn_closure_known_length(closure);
        size_t all = (size_t)length * (size_t)track->points;
        gdyn_free(track->known);
        track->known = NULL;
        track->known_length = length;
        if (all > 0 && all <= KNOWN_MOST && gdyn_follower_keep_known(w.f))
            track->known = gdyn_room(all, sizeof *track->known);
        gdyn_closure_renew(closure); /* what an earlier path left would show in the last bits */
        track->judged = false;
        follow(&w, start, known);
        status = w.f->status;
        if (status == GDYN_OK && !track->left)
            status = gdyn_track_judge(track, path, closure);
    }
    gdyn_follower_destroy(w.f);
    gdyn_state_destroy(w.base);
    return status;
}

static atomic_long followed;

long gdyn_tracks_followed(void) {
    return atomic_load(&followed);
}

gdyn_status gdyn_track_follow(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure,
                              const gdyn_state *start) {
    atomic_fetch_add(&followed, 1);
    track->path = path;
    return run(track, path, closure, start, NULL);
}

gdyn_status gdyn_track_follow_on(gdyn_track *track, const gdyn_path *path, gdyn_closure *closure,
                                 const gdyn_state *start, const gdyn_track *known) {
    bool fits = known->left && known->n == track->n && track->points > 1;
    return fits ? run(track, path, closure, start, known) : GDYN_ERROR_ARGUMENT;
}
