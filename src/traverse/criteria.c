/* criteria.c - time, drive forces and work of the fastest motion over an evaluated trajectory. */
#include "traverse/criteria.h"

#include "access/folding.h"
#include "access/rows.h"
#include "mech/mech.h"
#include "mech/standstill.h"
#include "path/place.h"
#include "traverse/internal.h"

#include <math.h>

/* Points from which something can be estimated, of those that are left at the greatest stride. */
enum { FEWEST = 9, COARSEST = 4 };
/* A motion from rest to rest on fewer points than these: on two of them it stands still. */
enum { FEWEST_ALONE = 5 };
/* Intervals that suffice, as between the default points. Fewer than half of them are divided. */
enum { ENOUGH = GDYN_PATH_FIRST_POINTS - 1 };

/* Sums over the motion, by the trapezoidal rule over time. */
typedef struct sums {
    const gdyn_model *model;
    int rows;
    double *speed;  /* drives: for d1 = 1 */
    int speed_at;   /* point whose speeds they are, -1: none */
    double *square; /* rows: integral of n^2 */
    double *share;  /* rows: integral of the squared share of the limit */
    double energy, peak, peak_share;
} sums;

/* One end of a segment that takes dt: half of the trapezoid. row_effort: drive of each row; drives:
 * rows behind the drives' own are lines of the same drives' curves. */
static void add_end(sums *s, int rows, const double *n, const int *row_effort, double d1,
                    double dt) {
    for (int row = 0; row < rows; row++) {
        /* lines of a drive's curve belong to the drive */
        bool own = true;
        if (row_effort[row] < 0 || row_effort[row] >= gdyn_model_drives(s->model))
            continue; /* friction */
        for (int before = 0; before < row; before++)
            own = own && row_effort[before] != row_effort[row];
        /* peak of all rows, squares row by row */
        s->peak = gdyn_greater(s->peak, fabs(n[row]));
        s->square[row] += 0.5 * dt * n[row] * n[row];
        /* shares and energy once for each drive; braking gives nothing back */
        if (own) {
            /* share of the drive's own limit on that side */
            const gdyn_drive_def *drive = gdyn_model_drive(s->model, row_effort[row]);
            double limit = n[row] > 0 ? drive->max : -drive->min;
            double share = isfinite(limit) && limit > 0 ? fabs(n[row]) / limit : 0;
            s->peak_share = gdyn_greater(s->peak_share, share);
            s->share[row] += 0.5 * dt * share * share;
            s->energy += 0.5 * dt * gdyn_greater(n[row] * s->speed[row_effort[row]] * d1, 0);
        }
    }
}

static bool open_sums(sums *s, const gdyn_model *model, int rows) {
    *s = (sums){.model = model, .rows = rows, .speed_at = -1};
    s->speed = gdyn_alloc((size_t)gdyn_model_drives(model) + 1, sizeof *s->speed);
    s->square = gdyn_alloc((size_t)rows + 1, sizeof *s->square);
    s->share = gdyn_alloc((size_t)rows + 1, sizeof *s->share);
    return s->speed && s->square && s->share;
}

/* Root mean squares over time; `known`: the forces of every point were found, else NaN. */
static void close_sums(sums *s, bool known, double *value) {
    /* the worst drive counts */
    double time = value[GDYN_CRITERION_TIME], rms_force = 0, rms_share = 0;
    for (int row = 0; known && row < s->rows; row++) {
        rms_force = fmax(rms_force, sqrt(s->square[row] / time));
        rms_share = fmax(rms_share, sqrt(s->share[row] / time));
    }
    if (known) {
        value[GDYN_CRITERION_PEAK_FORCE] = s->peak;
        value[GDYN_CRITERION_RMS_FORCE] = rms_force;
        value[GDYN_CRITERION_ENERGY] = s->energy;
        value[GDYN_CRITERION_PEAK_SHARE] = s->peak_share;
        value[GDYN_CRITERION_RMS_SHARE] = rms_share;
    }
    gdyn_free(s->speed);
    gdyn_free(s->square);
    gdyn_free(s->share);
}

static double share_before(const gdyn_track *track, double p) {
    double first = track->p[0];
    return (p - first) / (track->p[track->points - 1] - first);
}

/* Time, and the share of the path before the first obstacle. */
static void take_status(const gdyn_evaluation *e, const gdyn_traverse *t, gdyn_fastest *fastest,
                        double *value) {
    fastest->status = t->status;
    fastest->blocked = t->status ? share_before(e->track, t->place) : 0;
    value[GDYN_CRITERION_TIME] = t->status ? NAN : t->time;
}

/* --- on the evaluated points ------------------------------------------------------------------ */

/* Forces at a point of the motion; a point within rounding of the boundary is moved inside. */
static bool end_at_point(sums *s, gdyn_least_forces *least, const gdyn_evaluation *e, int i,
                         double d1, double d2, double dt) {
    double low, high;
    const gdyn_pose *pose = e->pose[i];
    /* d2 within the slice */
    if (gdyn_region_slice(e->region[i], d1, &low, &high))
        d2 = fmin(fmax(d2, low), high);
    const double *n = gdyn_least_forces_at(least, pose, d1, d2);
    if (!n)
        return false;
    /* drive speeds belong to the place, not to the point of time */
    if (s->speed_at != i)
        gdyn_mech_drive_speeds(e->track->state[i], e->track->u_p + (size_t)e->track->n * (size_t)i,
                               s->speed);
    s->speed_at = i;
    add_end(s, pose->coefficients.k, n, pose->row_effort, d1, dt);
    return true;
}

/* Points of the path on which a motion is found. */
typedef struct selection {
    gdyn_arena *arena;
    int points, rows, redundancy; /* the most rows and redundant drives of a point */
    int *index;                   /* points: of the evaluation */
    double *p;
    const gdyn_coefficients **place;
    gdyn_region **region;
} selection;

/* Every stride-th point, and the last one; false: memory. */
static bool choose_points(const gdyn_evaluation *e, int stride, selection *s) {
    int last = e->track->points - 1;
    size_t room = (size_t)(last / stride + 2);
    *s = (selection){.arena = gdyn_arena_create()};
    s->index = gdyn_arena_alloc(s->arena, room, sizeof *s->index);
    s->p = gdyn_arena_doubles(s->arena, room);
    s->place = gdyn_arena_alloc(s->arena, room, sizeof(const gdyn_coefficients *));
    s->region = gdyn_arena_alloc(s->arena, room, sizeof(gdyn_region *));
    if (gdyn_arena_failed(s->arena))
        return false;
    for (int i = 0; i <= last; i = i < last && i + stride > last ? last : i + stride) {
        s->index[s->points] = i;
        s->p[s->points] = e->track->p[i];
        s->region[s->points] = e->region[i];
        const gdyn_coefficients *here = s->place[s->points] = &e->pose[i]->coefficients;
        s->rows = here->k > s->rows ? here->k : s->rows;
        s->redundancy = here->r > s->redundancy ? here->r : s->redundancy;
        s->points++;
    }
    return true;
}

/* The fastest motion on points of the path alone: what a study can afford for every design. */
static gdyn_status plan_on(const gdyn_evaluation *e, const selection *on, gdyn_fastest *fastest,
                           double *value) {
    /* no bounds, no audit: the time alone */
    gdyn_traverse_settings settings = gdyn_traverse_default();
    settings.bounds = settings.audit = settings.certificate = false;
    bool made = e->criteria.passes & GDYN_PASS_REGIONS;
    gdyn_path_dynamics *dynamics =
        gdyn_path_dynamics_places(on->points, on->p, on->place, made ? on->region : NULL);
    gdyn_traverse *t = gdyn_traverse_create();
    gdyn_status status =
        dynamics && t ? gdyn_traverse_run(t, dynamics, &settings) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        take_status(e, t, fastest, value);
    if (status == GDYN_OK && t->status == GDYN_TRAVERSE_OK && t->points == on->points) {
        /* Sums over the motion's points, forces of least norm. */
        const gdyn_model *model = gdyn_state_model(e->track->state[0]);
        int rows = on->rows;
        sums s;
        gdyn_least_forces *least = gdyn_least_forces_create(rows, on->redundancy);
        bool ok = open_sums(&s, model, rows) && least, known = ok;
        /* segment by segment; d2 may jump at a point */
        for (int i = 0; known && i + 1 < t->points; i++) {
            const gdyn_motion_point *a = &t->point[i], *b = a + 1;
            double dt = b->t - a->t;
            known = end_at_point(&s, least, e, on->index[i], a->d1, a->d2, dt) &&
                    end_at_point(&s, least, e, on->index[i + 1], b->d1, b->d2_before, dt);
        }
        close_sums(&s, known, value);
        gdyn_least_forces_destroy(least);
        status = ok ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    gdyn_path_dynamics_destroy(dynamics);
    gdyn_traverse_destroy(t);
    return status;
}

/* On every stride-th point. */
static gdyn_status plan(const gdyn_evaluation *e, int stride, gdyn_fastest *fastest,
                        double *value) {
    selection on;
    gdyn_status status =
        choose_points(e, stride, &on) ? plan_on(e, &on, fastest, value) : GDYN_ERROR_MEMORY;
    gdyn_arena_destroy(on.arena);
    return status;
}

/* --- with cusps, corners and reversals -------------------------------------------------------- */

/* The path may have a place where its derivative vanishes or its direction turns. */
static bool suspicious(const gdyn_track *track) {
    double most = 0, least = INFINITY;
    for (int i = 0; i < track->points; i++) {
        const double *u = track->u_p + (size_t)track->n * (size_t)i;
        /* |u_p|^2, and whether u_p points back against the one before */
        double square = 0, along = 0;
        for (int k = 0; k < track->n; k++) {
            square += u[k] * u[k];
            along += i > 0 ? u[k] * u[k - track->n] : 0;
        }
        if (along < 0)
            return true;
        /* |u_p| far below its greatest value may vanish between the points */
        most = fmax(most, square);
        least = fmin(least, square);
    }
    return least < 0.01 * most;
}

/* One end of a segment of the motion, at any place in the parameter of the dynamics. */
static gdyn_status end_at_place(sums *s, gdyn_sharer *sharer, gdyn_path_dynamics *dynamics,
                                int *row_effort, double at, double d1, double d2, double dt,
                                bool *known) {
    gdyn_shares shares;
    gdyn_status status = gdyn_sharer_at(sharer, at, d1, d2, GDYN_SHARE_NORM, 0, false, &shares);
    *known = status == GDYN_OK && shares.found == GDYN_POINT_OK && shares.rows <= s->rows &&
             gdyn_path_dynamics_speeds(dynamics, s->speed);
    if (*known) {
        for (int row = 0; row < shares.rows; row++)
            row_effort[row] = gdyn_path_dynamics_effort(dynamics, row);
        add_end(s, shares.rows, shares.n, row_effort, d1, dt);
    }
    return status;
}

/* As add_points, at places that the motion chose itself. */
static gdyn_status add_places(gdyn_path_dynamics *dynamics, const gdyn_model *model,
                              const gdyn_traverse *t, double *value) {
    int rows = gdyn_path_dynamics_rows(dynamics);
    sums s;
    gdyn_sharer *sharer = gdyn_sharer_create(dynamics);
    int *row_effort = gdyn_alloc((size_t)rows + 1, sizeof *row_effort);
    bool known = open_sums(&s, model, rows) && sharer && row_effort;
    gdyn_status status = known ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* segment by segment, up to just before a jump */
    for (int i = 0; known && i + 1 < t->points; i++) {
        const gdyn_motion_point *a = &t->point[i], *b = a + 1;
        double dt = b->t - a->t, end = gdyn_motion_end(dynamics, a->s, b->s);
        status = end_at_place(&s, sharer, dynamics, row_effort, a->s, a->s1, a->s2, dt, &known);
        if (known) {
            status = end_at_place(&s, sharer, dynamics, row_effort, end, b->s1, b->s2_before, dt,
                                  &known);
        }
    }
    close_sums(&s, known, value);
    gdyn_sharer_destroy(sharer);
    gdyn_free(row_effort);
    return status;
}

/* On places between the points, too. */
static gdyn_status plan_pieces(const gdyn_evaluation *e, const gdyn_path *path,
                               gdyn_fastest *fastest, double *value) {
    const gdyn_model *model = gdyn_state_model(e->track->state[0]);
    gdyn_traverse_settings settings = gdyn_traverse_default();
    settings.certificate = false;
    /* few points are refined, as gdyn_traverse_run does by default */
    settings.bounds = settings.audit = e->track->points < FEWEST_ALONE;
    gdyn_path_dynamics *dynamics =
        e->followed ? gdyn_path_dynamics_followed(path, e->followed, &e->singular)
                    : gdyn_path_dynamics_machine(model, path);
    gdyn_traverse *t = gdyn_traverse_create();
    gdyn_status status = dynamics && t ? gdyn_path_dynamics_follow(dynamics) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_traverse_run(t, dynamics, &settings);
    if (status == GDYN_OK)
        take_status(e, t, fastest, value);
    if (status == GDYN_OK && t->status == GDYN_TRAVERSE_OK)
        status = add_places(dynamics, model, t, value);
    gdyn_path_dynamics_destroy(dynamics);
    gdyn_traverse_destroy(t);
    return status;
}

/* On further points between few ones. */
static gdyn_status plan_divided(const gdyn_evaluation *e, const gdyn_path *path,
                                gdyn_fastest *fastest, double *value) {
    const gdyn_model *model = gdyn_state_model(e->track->state[0]);
    gdyn_path_def def = *gdyn_path_definition(path);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.local = false;
    int intervals = def.points - 1;
    def.points = intervals * ((ENOUGH + intervals - 1) / intervals) + 1;
    def.tolerance = 0;
    gdyn_path *divided = NULL;
    gdyn_status status = gdyn_path_create(model, &def, NULL, &divided);
    gdyn_evaluation *between = status ? NULL : gdyn_evaluation_create(model, divided);
    if (status == GDYN_OK)
        status = between ? gdyn_evaluation_run(between, divided, &settings) : GDYN_ERROR_MEMORY;
    /* where a place between the points cannot be passed there is no motion */
    if (status == GDYN_OK && between->track->reach >= 1)
        status = plan(between, 1, fastest, value);
    gdyn_evaluation_destroy(between);
    gdyn_path_destroy(divided);
    return status;
}

/* Dry forces or speed bounds jump inside the path, which the points' coefficients do not show. */
static gdyn_status breaks_inside(const gdyn_evaluation *e, const gdyn_path *path, bool *found) {
    const gdyn_track *track = e->track;
    *found = false;
    if (gdyn_pace_friction_count(gdyn_state_model(track->state[0])) == 0 &&
        gdyn_path_definition(path)->speeds == 0)
        return GDYN_OK;
    gdyn_reversals reversals = {0};
    gdyn_path_place *place = gdyn_path_place_create(path, track);
    gdyn_status status = place ? gdyn_reversals_find(place, &reversals) : GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && i < reversals.count; i++)
        *found =
            *found || (reversals.p[i] > track->p[0] && !gdyn_track_ends(track, reversals.p[i]));
    gdyn_reversals_free(&reversals);
    gdyn_path_place_destroy(place);
    return status;
}

/* Criteria of the fastest motion; NaN where there is none. */
gdyn_status gdyn_traverse_criteria(const gdyn_evaluation *e, const gdyn_path *path,
                                   gdyn_fastest *fastest, gdyn_criteria *criteria) {
    *fastest = (gdyn_fastest){GDYN_TRAVERSE_UNFOLLOWED, 1, false};
    criteria->passes |= GDYN_PASS_MOTION;
    /* the pass counts even where the values stay unknown */
    for (int i = 0; i < GDYN_CRITERIA; i++)
        if (gdyn_criterion_table[i].pass == GDYN_PASS_MOTION)
            criteria->value[i] = NAN;
    const gdyn_track *track = e->track;
    /* the path has to be followed as a whole */
    if (track->reach < 1 || !(track->p[track->points - 1] > track->p[0]))
        return GDYN_OK;
    /* forces without bound block it */
    const gdyn_singularity *block = gdyn_singularities_block(&e->singular, -INFINITY, INFINITY);
    if (block) {
        *fastest = (gdyn_fastest){GDYN_TRAVERSE_SINGULAR, share_before(track, block->from), false};
        return GDYN_OK;
    }
    /* breaks, corners, cusps, very few points need places between points, few further ones */
    bool breaks;
    gdyn_status looked = breaks_inside(e, path, &breaks);
    if (looked != GDYN_OK)
        return looked;
    if (breaks || track->points < FEWEST_ALONE || gdyn_path_corners(path) > 0 || suspicious(track))
        return plan_pieces(e, path, fastest, criteria->value);
    if (2 * track->points <= ENOUGH)
        return plan_divided(e, path, fastest, criteria->value);
    /* else the points suffice */
    fastest->on_points = true;
    return plan(e, 1, fastest, criteria->value);
}

/* The error by motions on every second, third and fourth point: of first order in the distance of
 * the points it is a difference over stride - 1. One difference may vanish by chance. */
gdyn_status gdyn_traverse_errors(const gdyn_evaluation *e, const gdyn_path *path,
                                 const gdyn_fastest *fastest, const gdyn_criteria *criteria,
                                 gdyn_criteria *error) {
    double tolerance = gdyn_path_definition(path)->tolerance, most[GDYN_CRITERIA] = {0};
    bool known = fastest->on_points && !fastest->status && tolerance > 0;
    gdyn_status status = GDYN_OK;
    known = known && e->track->points > FEWEST * COARSEST;
    for (int stride = 2; known && stride <= COARSEST && !status; stride++) {
        gdyn_criteria coarse = gdyn_criteria_none();
        gdyn_fastest found;
        status = plan(e, stride, &found, coarse.value);
        for (int c = 0; c < GDYN_CRITERIA; c++)
            if (gdyn_criterion_table[c].pass == GDYN_PASS_MOTION && !isnan(most[c])) {
                double off = fabs(criteria->value[c] - coarse.value[c]) / (stride - 1);
                most[c] = off <= most[c] ? most[c] : off;
            }
    }
    for (int c = 0; c < GDYN_CRITERIA; c++)
        if (gdyn_criterion_table[c].pass == GDYN_PASS_MOTION)
            error->value[c] = !known ? NAN
                              : gdyn_path_hides(path)
                                  ? INFINITY
                                  : gdyn_adapt_stated(tolerance, most[c], criteria->value[c]);
    return status;
}
