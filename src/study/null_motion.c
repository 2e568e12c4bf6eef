/* null_motion.c - the best null motion of a kinematically redundant machine along a path.
 *
 * Minimize J(q) over q_j(p), the free coordinates: each a natural cubic spline through values at
 * equally spaced knots. The spaces of splines with 3, 5, 9, ... knots are nested, so that the
 * stages give a sequence that never grows. */
#include "study/free_path.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pi.h"
#include "search/search.h"
#include "study/internal.h"
#include "trajectory/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far the coordinates may go from those of the weighted norm [rad; share of L], and the offsets
 * tried first. */
static const double SPAN = 0.5 * GDYN_PI, SPAN_LENGTH = 0.5;
static const double OFFSETS[] = {-0.6, -0.3, -0.1, 0.1, 0.3, 0.6};
/* Searches end when coordinates move less than this share of their span. */
static const double FINE = 1e-4;
/* Searches are repeated while they gain this share; with all knots until not even a search by
 * simplexes gains the second. */
static const double GAIN = 1e-3, LAST_GAIN = 1e-4;
/* The worst of the points is the criterion itself up to this share: some lie between points. */
static const double SAME = 0.05;

typedef struct quest {
    const gdyn_model *model;
    gdyn_arena *arena; /* owns the arrays */
    gdyn_path_def def; /* its points fixed */
    const gdyn_freedom_def *wish;
    int criterion; /* the wish's, or the margin to the ranges while no path within them is known */
    const gdyn_free_watch *watch;
    gdyn_null_motion *found;
    int knots;
    double *p;     /* knots of this stage */
    double *norm;  /* knots x rows: of the weighted norm at these knots */
    double *x;     /* knots x rows: the best */
    double *trial; /* knots x rows */
    double *lower; /* 2 x knots x rows: bounds of a search */
    double best;   /* minimized; INFINITY: none yet */
    int allowed;   /* evaluations of this stage and those before it */
    double *each;  /* what the criterion is the worst of, minimized, in the path evaluated last */
    int all;       /* of them; 0: the criterion is none of that kind, or has no value */
    int best_all;  /* the same of the best path */
    int functions; /* the same of the path at which a search that sees each of them began */
} quest;

/* --- one path --------------------------------------------------------------------------------- */

/* With the sign that makes less better. */
static double minimized(const quest *q, double value) {
    return gdyn_criterion_table[q->criterion].better > 0 ? -value : value;
}

/* Share of the points with a regular pose, within the ranges or not. */
static double assembled(const gdyn_track *track) {
    int count = 0;
    for (int i = 0; i < track->points; i++)
        count += track->status[i] == GDYN_POINT_OK || track->status[i] == GDYN_POINT_RANGE;
    return (double)count / track->points;
}

/* The values of which the criterion is the worst: shares of the ranges at the points, or values of
 * the points; with the worst itself, which may lie between them. */
static void collect(quest *q, const gdyn_evaluation *e, double worst) {
    const gdyn_track *track = e->track;
    int ranges = gdyn_model_ranges(q->model), n = 0;
    bool margin = q->criterion == GDYN_CRITERION_MARGIN;
    double most = -INFINITY;
    q->each[n++] = worst;
    for (int i = 0; i < track->points; i++)
        for (int r = 0; r < (margin ? ranges : 1); r++) {
            double value = margin
                               ? -gdyn_range_share(q->model, r,
                                                   gdyn_mech_range_coordinate(track->state[i], r) +
                                                       track->travel[r].turns)
                               : minimized(q, e->point[i].value[q->criterion]);
            if (isinf(value) && value < 0)
                continue;
            q->each[n++] = value;
            /* NaN stays */
            most = value > most || isnan(value) ? value : most;
        }
    q->all = fabs(most - worst) <= SAME * fabs(worst) ? n : 0;
}

/* The criterion of a path; how far one without it is from having it: first all points are to be
 * assembled, then within the ranges. */
static gdyn_status judge(quest *q, gdyn_trajectory *t, double *value, double *failure) {
    const gdyn_criterion_row *row = &gdyn_criterion_table[q->criterion];
    unsigned passes = gdyn_study_passes(q->criterion);
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FOLLOW);
    if (status != GDYN_OK)
        return status;
    double share = assembled(t->track), margin = gdyn_track_margin(t->track, NULL);
    bool whole = share >= 1 && (t->track->reach >= 1 || !(row->presumes & GDYN_PRESUMES_PATH));
    if (whole)
        status = gdyn_trajectory_take(t, passes);
    double found = t->criteria.value[q->criterion];
    bool known = status == GDYN_OK && whole && isfinite(found);
    *value = known ? minimized(q, found) : INFINITY;
    *failure = known                  ? 0
               : share < 1            ? 3 - share
               : t->track->reach >= 1 ? 0.5
               : margin < 0           ? 1 - margin / (1 - margin)
                                      : 1;
    q->all = 0;
    if (known && q->each)
        collect(q, t->evaluation, *value);
    return status;
}

/* The criterion of a definition: INFINITY without a value, then *failure says how far from one. t
 * is to be closed. */
static gdyn_status measure(quest *q, const gdyn_path_def *def, double *value, double *failure,
                           gdyn_trajectory *t) {
    *value = INFINITY, *failure = 4;
    gdyn_status status = gdyn_trajectory_open_path(t, q->model, def, NULL);
    if (status == GDYN_OK)
        status = judge(q, t, value, failure);
    /* A path that is none, or a numerical failure: a path without a value. */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* Coordinates x at the knots; the best is kept. */
static gdyn_status try_values(quest *q, const double *x, double *value, double *failure) {
    size_t n = (size_t)(q->knots * q->found->rows.count);
    gdyn_free_path path;
    gdyn_trajectory t = {0};
    *value = INFINITY;
    gdyn_status status =
        gdyn_free_path_make(&q->def, &q->found->rows, q->knots, q->p, x, NULL, &path);
    if (status == GDYN_OK)
        status = measure(q, &path.def, value, failure, &t);
    gdyn_trajectory_close(&t);
    gdyn_free_path_clear(&path);
    q->found->tried++;
    if (status == GDYN_OK && *value < q->best) {
        q->best = *value;
        q->best_all = q->all;
        memmove(q->x, x, n * sizeof *x);
    }
    if (q->watch && q->watch->progress)
        q->watch->progress(
            q->watch->context, q->def.name, q->found->tried,
            isfinite(q->best) && q->criterion == q->wish->criterion ? minimized(q, q->best) : NAN);
    return status;
}

static bool interrupted(const quest *q) {
    return q->watch && gdyn_flag(q->watch->interrupt);
}

/* --- one stage -------------------------------------------------------------------------------- */

static double span_of(const quest *q, int row) {
    const gdyn_free_row *r = &q->found->rows.row[row];
    return gdyn_free_row_slides(r) ? SPAN_LENGTH * gdyn_model_length(q->model) : SPAN;
}

/* Bounds of the values: as far from the weighted norm and from the best as a span. Their upper
 * ends. */
static const double *bound(quest *q) {
    int n = q->knots * q->found->rows.count;
    for (int i = 0; i < n; i++) {
        q->lower[i] = fmin(q->norm[i], q->x[i]) - span_of(q, i / q->knots);
        q->lower[n + i] = fmax(q->norm[i], q->x[i]) + span_of(q, i / q->knots);
    }
    return q->lower + n;
}

static gdyn_status answer(void *context, const double *x, double *f, double *violation,
                          double *failure) {
    quest *q = context;
    (void)violation;
    *f = 0;
    return try_values(q, x, f, failure);
}

static bool go_on(void *context, const gdyn_search_info *info) {
    const quest *q = context;
    (void)info;
    return !interrupted(q);
}

/* A local search from the best values so far, by an algorithm of NLopt. */
static gdyn_status search_stage(quest *q, const char *algorithm) {
    gdyn_search *search = NULL;
    gdyn_search_problem problem = {.variables = q->knots * q->found->rows.count,
                                   .objectives = 1,
                                   .upper = bound(q),
                                   .lower = q->lower,
                                   .start = q->x};
    gdyn_search_options options = gdyn_search_default();
    options.method = GDYN_SEARCH_CHEBYSHEV, options.nlopt = algorithm;
    options.population = 4, options.points = 1, options.tolerance = FINE;
    options.evaluations = q->allowed - q->found->tried;
    gdyn_search_callbacks callbacks = {.evaluate = answer, .progress = go_on, .context = q};
    gdyn_status status =
        options.evaluations > 0 ? gdyn_search_create(&problem, &options, &search) : GDYN_OK;
    if (status == GDYN_OK && search)
        status = gdyn_search_run(search, &callbacks);
    gdyn_search_destroy(search);
    return status;
}

/* --- the worst of many ------------------------------------------------------------------------ */

static gdyn_status answer_each(void *context, const double *x, double *f, bool *known) {
    quest *q = context;
    double value, failure;
    gdyn_status status = try_values(q, x, &value, &failure);
    /* a path with more or fewer of them may be the best one; the search goes on beside it */
    *known = status == GDYN_OK && q->all == q->functions;
    if (*known)
        memcpy(f, q->each, (size_t)q->functions * sizeof *f);
    return status;
}

static bool go_on_each(void *context) {
    return !interrupted(context);
}

/* A local search that sees each value of which the criterion is the worst. */
static gdyn_status search_worst(quest *q) {
    int n = q->knots * q->found->rows.count;
    memcpy(q->trial, q->x, (size_t)n * sizeof *q->trial);
    q->functions = q->best_all;
    gdyn_minimax problem = {.variables = n,
                            .functions = q->functions,
                            .upper = bound(q),
                            .lower = q->lower,
                            .evaluations = q->allowed - q->found->tried,
                            .fine = FINE,
                            .evaluate = answer_each,
                            .go_on = go_on_each,
                            .context = q};
    return gdyn_minimax_search(&problem, q->trial);
}

static bool gained(const quest *q, double before, double share) {
    return isinf(before) || q->best < before - share * fabs(before);
}

static bool may_search(const quest *q) {
    return !interrupted(q) && q->found->tried < q->allowed;
}

/* Searches that begin again at the best values, until one of them gains nothing: a single one may
 * end early where the criterion has kinks. last: they are followed by one whose simplexes pass
 * kinks at which the others end, and begin again where that gains; q->found->settled tells that
 * nothing did. */
static gdyn_status finish_stage(quest *q, bool last) {
    gdyn_status status = GDYN_OK;
    double share = last ? LAST_GAIN : GAIN, before;
    do {
        bool none = isinf(q->best);
        for (before = INFINITY; status == GDYN_OK && may_search(q) && gained(q, before, share);) {
            before = q->best;
            status =
                isfinite(q->best) && q->best_all > 0 ? search_worst(q) : search_stage(q, "cobyla");
            if (isinf(before))
                break;
        }
        if (!last || none || status != GDYN_OK || !may_search(q))
            return status;
        before = q->best;
        status = search_stage(q, "sbplx");
    } while (status == GDYN_OK && may_search(q) && gained(q, before, share));
    q->found->settled = status == GDYN_OK && may_search(q);
    return status;
}

/* The weighted norm's coordinates at the knots, and offsets from them. */
static gdyn_status first_values(quest *q) {
    int rows = q->found->rows.count;
    double value, failure;
    memcpy(q->x, q->norm, (size_t)(q->knots * rows) * sizeof *q->x);
    gdyn_status status = try_values(q, q->norm, &value, &failure);
    for (int j = 0; j < rows; j++)
        for (size_t k = 0; k < sizeof OFFSETS / sizeof *OFFSETS; k++) {
            if (status != GDYN_OK || interrupted(q) || q->found->tried >= q->wish->evaluations)
                return status;
            memcpy(q->trial, q->norm, (size_t)(q->knots * rows) * sizeof *q->trial);
            for (int i = 0; i < q->knots; i++)
                q->trial[j * q->knots + i] += OFFSETS[k] * span_of(q, j);
            status = try_values(q, q->trial, &value, &failure);
        }
    return status;
}

/* No path has the criterion because the ranges are left: one that is farthest within them is looked
 * for first. */
static gdyn_status enter_ranges(quest *q) {
    double value, failure;
    if (isfinite(q->best) || q->criterion == GDYN_CRITERION_MARGIN ||
        gdyn_model_ranges(q->model) == 0)
        return GDYN_OK;
    q->criterion = GDYN_CRITERION_MARGIN;
    q->allowed = q->found->tried + (q->wish->evaluations - q->found->tried) / 2;
    gdyn_status status = first_values(q);
    if (status == GDYN_OK)
        status = finish_stage(q, false);
    /* Then that path, by the criterion that is wished. */
    q->criterion = q->wish->criterion, q->best = INFINITY;
    memcpy(q->trial, q->x, (size_t)(q->knots * q->found->rows.count) * sizeof *q->trial);
    return status == GDYN_OK ? try_values(q, q->trial, &value, &failure) : status;
}

/* The splines through `value` (knots of `from` each) at other knots. */
static gdyn_status resample(int rows, int from, const double *p_from, const double *value, int to,
                            const double *p_to, double *out) {
    for (int j = 0; j < rows; j++) {
        gdyn_expr *spline = gdyn_expr_table(from, p_from, value + j * from, true);
        if (!spline)
            return GDYN_ERROR_MEMORY;
        for (int i = 0; i < to; i++)
            out[j * to + i] = gdyn_expr_value(spline, &p_to[i]);
        gdyn_expr_destroy(spline);
    }
    return GDYN_OK;
}

/* --- all stages ------------------------------------------------------------------------------- */

/* A stage that is over: its knots and their values. */
typedef struct stage {
    int knots; /* 0: none */
    double *p, *x;
    double best;
} stage;

/* Goes on from the stage before. Its best is one of this stage where the knots coincide, else it is
 * tried. */
static gdyn_status go_on_from(quest *q, const stage *s) {
    int rows = q->found->rows.count;
    double value, failure;
    gdyn_status status = resample(rows, s->knots, s->p, s->x, q->knots, q->p, q->x);
    if (status != GDYN_OK || (q->knots - 1) % (s->knots - 1) == 0)
        return status;
    q->best = INFINITY;
    if (q->found->tried >= q->wish->evaluations)
        return GDYN_OK;
    memcpy(q->trial, q->x, (size_t)(q->knots * rows) * sizeof *q->trial);
    return try_values(q, q->trial, &value, &failure);
}

/* 3, 5, 9, ... knots up to those wished. */
static gdyn_status run_stages(quest *q, const gdyn_track *track) {
    int rows = q->found->rows.count, most = q->wish->knots, last = track->points - 1;
    stage s = {.p = gdyn_arena_doubles(q->arena, (size_t)most),
               .x = gdyn_arena_doubles(q->arena, (size_t)most * (size_t)rows)};
    double *all = gdyn_arena_doubles(q->arena, (size_t)track->points * (size_t)rows);
    gdyn_status status = all && s.x && s.p ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        gdyn_free_track(track, &q->def, &q->found->rows, all);
    for (int knots = most < 5 ? most : 3; status == GDYN_OK && s.knots < most && !interrupted(q);) {
        double from = track->p[0], to = track->p[last];
        q->knots = knots;
        /* Equally spaced knots, the ends exact. */
        for (int i = 0; i < knots; i++)
            q->p[i] = i == knots - 1 ? to : from + (to - from) * i / (knots - 1);
        status = resample(rows, track->points, track->p, all, knots, q->p, q->norm);
        if (status == GDYN_OK)
            status = s.knots > 0 ? go_on_from(q, &s) : first_values(q);
        if (status == GDYN_OK && s.knots == 0)
            status = enter_ranges(q);
        q->allowed = knots >= most ? q->wish->evaluations
                                   : q->found->tried + (q->wish->evaluations - q->found->tried) / 2;
        if (status == GDYN_OK)
            status = finish_stage(q, knots == most);
        /* The stage before, where it was better: possible only where knots do not coincide. */
        if (s.knots > 0 && s.best < q->best) {
            q->knots = s.knots, q->best = s.best;
            memcpy(q->x, s.x, (size_t)(s.knots * rows) * sizeof *q->x);
            memcpy(q->p, s.p, (size_t)s.knots * sizeof *q->p);
        }
        if (knots == most)
            break;
        s.knots = q->knots, s.best = q->best;
        memcpy(s.x, q->x, (size_t)(q->knots * rows) * sizeof *s.x);
        memcpy(s.p, q->p, (size_t)q->knots * sizeof *s.p);
        knots = 2 * knots - 1 < most ? 2 * knots - 1 : most;
    }
    return status;
}

/* Complains about the wish of the trajectory. */
static gdyn_status complain(const quest *q, const gdyn_sink *sink, const char *help,
                            const char *what) {
    char place[200];
    snprintf(place, sizeof place, "trajectories.%s.null_motion", q->def.name);
    gdyn_diag_emit(sink, GDYN_ERROR, place, help, GDYN_CODE_FREE "trajectory '%s': %s", q->def.name,
                   what);
    return GDYN_ERROR_INPUT;
}

/* The given joints, or a choice. */
static gdyn_status choose_rows(quest *q, const gdyn_track *track, const gdyn_sink *sink) {
    gdyn_free_rows *rows = &q->found->rows;
    int wanted = track->rates[0].freedom;
    char what[120];
    if (wanted == 0)
        return complain(q, sink, "leave null_motion out, or prescribe less",
                        "the path leaves no coordinate free");
    if (q->wish->joints > 0 && q->wish->joints != wanted) {
        snprintf(what, sizeof what, "the path leaves %d coordinate%s free, joints names %d", wanted,
                 wanted > 1 ? "s" : "", q->wish->joints);
        return complain(q, sink, NULL, what);
    }
    rows->count = q->wish->joints;
    for (int j = 0; j < rows->count; j++)
        rows->row[j] = (gdyn_free_row){q->wish->joint[j], q->wish->freedom[j], 0};
    gdyn_status status =
        rows->count > 0 ? GDYN_OK : gdyn_free_rows_choose(q->model, &q->def, track, rows);
    if (status == GDYN_OK && rows->count < wanted)
        return complain(
            q, sink, "set joints: [...], as many as are free",
            "no joints were found that determine the free coordinates along the whole path");
    return status;
}

static gdyn_status make_room(quest *q) {
    size_t knots = (size_t)q->wish->knots, room = knots * (size_t)q->found->rows.count;
    size_t values = (size_t)gdyn_model_ranges(q->model) + 1;
    q->arena = gdyn_arena_create();
    q->p = gdyn_arena_doubles(q->arena, knots);
    q->norm = gdyn_arena_doubles(q->arena, room);
    q->x = gdyn_arena_doubles(q->arena, room);
    q->trial = gdyn_arena_doubles(q->arena, room);
    q->lower = gdyn_arena_doubles(q->arena, 2 * room);
    q->each = gdyn_arena_doubles(q->arena, (size_t)q->def.points * values + 1);
    return gdyn_arena_failed(q->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_null_motion_find(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_freedom_def *wish, const gdyn_free_watch *watch,
                                  const gdyn_sink *sink, gdyn_null_motion *found) {
    quest q = {.model = model,
               .def = *def,
               .wish = wish,
               .criterion = wish->criterion,
               .watch = watch,
               .found = found};
    gdyn_trajectory norm;
    double value, failure;
    *found = (gdyn_null_motion){.norm = NAN, .best = NAN};
    q.def.tolerance = 0;
    q.best = INFINITY;
    /* The weighted norm first. */
    gdyn_status status = measure(&q, &q.def, &value, &failure, &norm);
    bool followed = status == GDYN_OK && norm.track && assembled(norm.track) >= 1;
    if (followed)
        status = choose_rows(&q, norm.track, sink);
    if (followed && status == GDYN_OK)
        status = make_room(&q);
    if (followed && status == GDYN_OK)
        status = run_stages(&q, norm.track);
    found->norm = isfinite(value) ? minimized(&q, value) : NAN;
    /* Better than the norm, on the same points. */
    found->better = status == GDYN_OK && q.best < value;
    found->best = found->better ? minimized(&q, q.best) : found->norm;
    if (found->better)
        status = gdyn_free_path_make(def, &found->rows, q.knots, q.p, q.x, NULL, &found->path);
    gdyn_trajectory_close(&norm);
    gdyn_arena_destroy(q.arena);
    return status;
}
