/* picture_traverse.c - the fastest motion in the phase plane, and the forces that drive it. */
#include "report/picture.h"
#include "report/report.h"

#include "base/memory.h"
#include "base/pi.h"
#include "traverse/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bands: violated or blocked; nothing accessible. */
enum { WIDTH = 1000, RED = 0xF7CDD3, GREY = 0xD3D3D3 };

/* The motion in its travel, where p is no coordinate: a copy with s in place of p. */
typedef struct travel_view {
    gdyn_trajectory trajectory;
    gdyn_traverse plan;
} travel_view;

static const gdyn_trajectory *open_view(travel_view *v, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    if (!t->travels)
        return d;
    v->trajectory = *d, v->plan = *t;
    v->plan.point = gdyn_alloc((size_t)t->points + 1, sizeof *v->plan.point);
    for (int i = 0; v->plan.point && i < t->points; i++) {
        gdyn_motion_point *m = &v->plan.point[i];
        *m = t->point[i];
        m->p = m->s, m->d1 = m->s1, m->d2 = m->s2, m->d2_before = m->s2_before;
        m->k_low = m->s1_low, m->k_high = m->s1_high, m->d1_max = m->s1_max;
    }
    v->plan.place = gdyn_path_dynamics_present(d->dynamics, t->place);
    v->plan.place_end = gdyn_path_dynamics_present(d->dynamics, t->place_end);
    v->trajectory.traverse = &v->plan;
    v->trajectory.unit = "m";
    return v->plan.point ? &v->trajectory : NULL;
}

/* A motion may be one place only. */
static void set_range(gdyn_figure_axis *axis, double from, double to) {
    double more = to > from ? 0 : fmax(1e-3 * fabs(from), 1e-3);
    axis->low = from - more, axis->high = to + more;
}

/* The runs of points that `in` holds for, over p or over t, a little wider than they are where
 * nothing else shows them: their block. */
static int find_runs(gdyn_figure *f, const gdyn_trajectory *d,
                     bool (*in)(const gdyn_trajectory *d, int point), int before, bool over_time) {
    const gdyn_traverse *t = d->traverse;
    for (int i = 0, end; i<t->points; i = end> i ? end : i + 1) {
        for (end = i; end < t->points && in(d, end);)
            end++;
        if (end > i) {
            const gdyn_motion_point *a = &t->point[i >= before ? i - before : 0];
            const gdyn_motion_point *b = &t->point[end < t->points ? end : t->points - 1];
            gdyn_figure_put(f, over_time ? a->t : a->p, over_time ? b->t : b->p);
        }
    }
    return gdyn_figure_block_end(f);
}

static bool is_violated(const gdyn_trajectory *d, int point) {
    return d->violation[point] > 1e-6;
}

/* Nothing is accessible at all. */
static bool is_closed(const gdyn_trajectory *d, int point) {
    return isnan(d->traverse->point[point].d1_max);
}

/* A band behind the panel where limits are violated. */
static void mark_violations(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_trajectory *d,
                            bool over_time, bool titled) {
    if (d->given)
        gdyn_draw(f, panel, GDYN_BANDS, find_runs(f, d, is_violated, 0, over_time), .colour = RED,
                  .title = titled ? "limits violated" : NULL);
}

/* --- phase plane ------------------------------------------------------------------------------ */

/* What a phase plane shows at one place: controllable speeds, the largest accessible one, that of
 * the motion. */
typedef struct phase_place {
    double p, k_low, k_high, d1_max, d1;
} phase_place;
enum { PHASE_PIECES = 16 };

/* The maximum d1 that is shown: above the motion and the controllable set, and above the
 * maximum speeds where they are near. given: the motion is not the fastest one. */
static double phase_top(const gdyn_traverse *t, bool given) {
    double motion = 0, limit = 0;
    /* The motion and the limits that it could have. */
    for (int i = 0; i < t->points; i++) {
        const gdyn_motion_point *at = &t->point[i];
        motion = fmax(motion, isfinite(at->d1) ? at->d1 : 0);
        limit = fmax(limit, isfinite(at->d1_max) ? at->d1_max : 0);
        limit = fmax(limit, isfinite(at->k_high) ? at->k_high : 0);
    }
    /* median of the largest accessible speeds */
    double *value = gdyn_alloc((size_t)t->points + 1, sizeof *value), median = 0;
    int count = 0;
    /* Only finite limits count. */
    for (int i = 0; value && i < t->points; i++)
        if (isfinite(t->point[i].d1_max) && t->point[i].d1_max > 0)
            value[count++] = t->point[i].d1_max;
    if (count > 0) {
        qsort(value, (size_t)count, sizeof *value, gdyn_ascending);
        median = value[count / 2];
    }
    gdyn_free(value);
    /* Limits beyond four times the usual one are left out of view. */
    double still = fmin(limit, 4 * median);
    double most = motion > 0 ? (given ? 2.5 : 1.6) * motion : still;
    return most > 0 ? 1.1 * fmin(most, fmax(limit, motion)) : 1;
}

/* d1 whose square is at the share f of the way from a^2 to b^2. */
static double mix_squares(double a, double b, double f) {
    return sqrt((1 - f) * a * a + f * b * b);
}

/* The place at the share f of the way behind point i: the motion as it runs, the controllable
 * speeds with d1^2 linear in p, the maximum speed linear. */
static phase_place place_between(const gdyn_trajectory *d, int i, double f, double top) {
    const gdyn_motion_point *a = &d->traverse->point[i], *b = a + 1;
    gdyn_sample from = {a->t, a->p, a->d1, a->d2}, to = {b->t, b->p, b->d1, b->d2};
    bool moving = isfinite(a->d1) && isfinite(b->d1) && isfinite(a->d2) && isfinite(b->d2_before);
    gdyn_sample at = {.p = (1 - f) * a->p + f * b->p, .d1 = NAN};
    if (moving)
        at = gdyn_motion_between(&from, &to, b->d2_before, d->sharing.between, f);
    double first = isnan(a->d1_max) ? NAN : fmin(a->d1_max, 10 * top);
    double last = isnan(b->d1_max) ? NAN : fmin(b->d1_max, 10 * top);
    return (phase_place){at.p, mix_squares(a->k_low, b->k_low, f),
                         mix_squares(a->k_high, b->k_high, f), (1 - f) * first + f * last, at.d1};
}

/* True where the curves behind point i leave their chords by what can be seen. */
static bool bends(const gdyn_trajectory *d, int i, double top) {
    static const double SEEN = 5e-4; /* of the height: a quarter of a line's width */
    const gdyn_motion_point *a = &d->traverse->point[i], *b = a + 1;
    bool seen = false;
    /* At a quarter, the middle and three quarters. */
    for (int k = 1; k <= 3; k++) {
        double f = 0.25 * k;
        phase_place at = place_between(d, i, f, top);
        seen |= fabs(at.d1 - (1 - f) * a->d1 - f * b->d1) > SEEN * top;
        seen |= fabs(at.k_high - (1 - f) * a->k_high - f * b->k_high) > SEEN * top;
    }
    return seen;
}

/* Between two points d1 is a root, steep where it begins at rest: more places lie towards both
 * ends. */
static int phase_places(const gdyn_trajectory *d, int i, double top,
                        phase_place out[PHASE_PIECES]) {
    const gdyn_motion_point *point = &d->traverse->point[i];
    out[0] = (phase_place){point->p, point->k_low, point->k_high, point->d1_max, point->d1};
    if (i + 1 >= d->traverse->points || !bends(d, i, top))
        return 1;
    for (int k = 1; k < PHASE_PIECES; k++)
        out[k] = place_between(d, i, 0.5 - 0.5 * cos(GDYN_PI * k / PHASE_PIECES), top);
    return PHASE_PIECES;
}

static int phase_data(gdyn_figure *f, const gdyn_trajectory *d, double top) {
    const double most = 10 * top; /* values beyond it are cut: gnuplot would lose digits */
    phase_place place[PHASE_PIECES];
    for (int i = 0; i < d->traverse->points; i++)
        for (int k = 0, count = phase_places(d, i, top, place); k < count; k++) {
            const phase_place *at = &place[k];
            gdyn_figure_put(f, at->p, at->k_low > most ? most : at->k_low,
                            at->k_high > most ? most : at->k_high,
                            at->d1_max > most ? most : at->d1_max, at->d1 > most ? most : at->d1);
        }
    return gdyn_figure_block_end(f);
}

/* Switching points, unless there are too many to be distinguished. */
static int switch_data(gdyn_figure *f, const gdyn_traverse *t) {
    enum { MOST = 60 };
    int count = 0;
    for (int i = 0; i < t->points; i++)
        count += t->point[i].switching && isfinite(t->point[i].d1);
    for (int i = 0; i < t->points && count <= MOST; i++)
        if (t->point[i].switching && isfinite(t->point[i].d1))
            gdyn_figure_put(f, t->point[i].p, t->point[i].d1);
    return gdyn_figure_block_end(f);
}

/* Half the width of a mark at one place. */
static double thickness(const gdyn_traverse *t) {
    return t->points ? 0.006 * (t->point[t->points - 1].p - t->point[0].p) : 0;
}

/* Colour and place in its lane of a bar: max in its upper half, min in its lower one, speed in
 * both, the rate in the middle, so that they can be distinguished without colour. */
enum { NO_LIMIT, MAX, MIN, SPEED, RATE, LIMITS };
static const struct {
    unsigned colour;
    double up, down;
    const char *title;
} bars[LIMITS] = {[MAX] = {0xD55E00, -0.40, -0.03, "max (upper half)"},
                  [MIN] = {0x0072B2, 0.03, 0.40, "min (lower half)"},
                  [SPEED] = {0x888888, -0.40, 0.40, "speed"},
                  [RATE] = {0x009E73, -0.20, 0.20, "rate (middle)"}};

/* How a lane limits the segment behind a point. */
static int limiting(const gdyn_trajectory *d, const gdyn_motion_point *point, int lane) {
    for (int k = 0; k < point->limit_count; k++) {
        const gdyn_limit *limit = &point->limit[k];
        if (gdyn_limit_lane(d->row, d->rows, *limit) == lane)
            return limit->shape == GDYN_LIMIT_WINDOW        ? SPEED
                   : limit->shape == GDYN_LIMIT_THIRD_ORDER ? RATE
                   : limit->side > 0                        ? MAX
                                                            : MIN;
    }
    return NO_LIMIT;
}

static void add_bar(gdyn_figure *f, int row, int kind, double from, double to) {
    if (kind != NO_LIMIT)
        gdyn_figure_put(f, from, to, row + bars[kind].up, row + bars[kind].down, bars[kind].colour);
}

/* One bar per drive and stretch where it limits the motion. */
static int strip_data(gdyn_figure *f, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    /* Runs of segments with one limit. */
    for (int row = 0; row < d->lanes; row++) {
        for (int i = 0, end; i + 1 < t->points; i = end) {
            int kind = limiting(d, &t->point[i], row);
            for (end = i + 1; end + 1 < t->points && limiting(d, &t->point[end], row) == kind;)
                end++;
            add_bar(f, row, kind, t->point[i].p, t->point[end].p);
        }
    }
    return gdyn_figure_block_end(f);
}

/* Without a motion: the limits that exclude each other, where they do. */
static int refusal_data(gdyn_figure *f, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    const gdyn_certificate *proof = &t->certificate;
    /* A mark as wide as the place. */
    double thin = thickness(t), from = t->place - thin, to = t->place_end + thin;
    gdyn_motion_point point = {0};
    for (int row = 0; row < d->lanes && isfinite(from) && isfinite(to); row++) {
        for (int k = 0; k < proof->count; k++) {
            point.limit[0] = proof->limit[k], point.limit_count = 1;
            add_bar(f, row, limiting(d, &point, row), from, to);
        }
    }
    return gdyn_figure_block_end(f);
}

/* A lane for each drive below the phase plane. */
static void draw_strip(gdyn_figure *f, const gdyn_trajectory *d, const gdyn_figure_axis *x) {
    bool moving = d->traverse->status == GDYN_TRAVERSE_OK;
    int strip = moving ? strip_data(f, d) : refusal_data(f, d);
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->x = *x;
    panel->x.title = d->traverse->travels ? "travel s [m]" : gdyn_figure_title_of_p(f, d->unit);
    panel->x.unlabelled = false;
    panel->y = (gdyn_figure_axis){.low = fmax(d->lanes, 1) - 0.5, .high = -0.5, .lanes = true};
    panel->gridless = true;
    panel->caption[0] = d->given ? "Violated" : moving ? "Limited by" : "Exclude each other";
    for (int row = 0; row < d->lanes; row++)
        gdyn_figure_tic_at(f, &panel->y, row, d->row[row].name);
    if (d->lanes == 0) /* a name in place of numbers */
        gdyn_figure_tic_at(f, &panel->y, 0, "");
    if (strip == 0 && (d->given || !moving))
        panel->note = d->given ? "at no sample" : "no limit of a drive is the reason";
    for (int kind = MAX; kind < LIMITS; kind++)
        if (kind != RATE || d->traverse->force)
            gdyn_draw(f, panel, GDYN_SAMPLE, .width = 8, .colour = bars[kind].colour,
                      .title = bars[kind].title);
    gdyn_draw(f, panel, GDYN_BOXES, strip, .colouring = GDYN_OWN);
}

/* The verdict on a given motion, in words. */
static const char *verdict_text(const gdyn_trajectory *d, char *out, size_t size) {
    const gdyn_feasibility *r = &d->verdict;
    if (r->feasible && isfinite(r->margin))
        snprintf(out, size, "feasible, could be run %.4g times as fast", r->margin);
    else if (r->feasible)
        snprintf(out, size, "feasible at any speed");
    else if (!isnan(r->singular))
        snprintf(out, size, "not feasible: singular at p = %s",
                 gdyn_amount(r->singular, d->unit).text);
    else if (isfinite(r->slowdown))
        snprintf(out, size, "not feasible; feasible when slowed down %.4g times", r->slowdown);
    else
        snprintf(out, size, "not feasible, however slowly");
    return out;
}

/* What came out. */
static const char *outcome_text(gdyn_figure *f, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    char verdict[300];
    if (t->status != GDYN_TRAVERSE_OK)
        return gdyn_figure_words(f, "no motion: %s at p = %s", gdyn_traverse_status_name(t->status),
                                 gdyn_amount(t->place, d->unit).text);
    if (d->given && isfinite(t->time))
        return gdyn_figure_words(f, "%.6g s: %s", t->time,
                                 verdict_text(d, verdict, sizeof verdict));
    if (d->given)
        return gdyn_figure_words(f, "%s", verdict_text(d, verdict, sizeof verdict));
    if (isfinite(t->lower))
        return gdyn_figure_words(f, "T = %.6g s, between %.6g and %.6g s", t->time, t->lower,
                                 t->upper);
    return gdyn_figure_words(f, "T = %.6g s", t->time);
}

/* The layers of the phase plane, the motion above what is accessible. */
static void draw_phase(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    int curves = phase_data(f, d, panel->y.high), marks = switch_data(f, t);
    bool moving = t->status == GDYN_TRAVERSE_OK, controllable = false;
    for (int i = 0; i < t->points && !d->given; i++)
        controllable |= isfinite(t->point[i].k_high);
    gdyn_draw(f, panel, GDYN_BANDS, find_runs(f, d, is_closed, 1, false), .colour = GREY,
              .title =
                  t->status == GDYN_TRAVERSE_UNFOLLOWED ? "not followed" : "nothing accessible");
    mark_violations(f, panel, d, false, true);
    if (!moving) {
        /* where no motion leads on */
        double thin = thickness(t), first = t->points ? t->point[0].p : 0;
        double last = t->points ? t->point[t->points - 1].p : 1;
        gdyn_figure_put(f, fmax(t->place - thin, first), fmin(t->place_end + thin, last));
        gdyn_draw(f, panel, GDYN_BANDS, gdyn_figure_block_end(f), .colour = RED,
                  .title = "blocked");
    }
    /* Controllable set, maximum speed, motion, switching points. */
    if (controllable)
        gdyn_draw(f, panel, GDYN_AREA, curves, .colour = 0xD6E6F0, .title = "controllable");
    gdyn_draw(f, panel, GDYN_LINE, curves, .column = {1, 4}, .width = 2, .dash = "2",
              .colour = 0x555555, .title = "maximum accessible");
    if (moving)
        gdyn_draw(f, panel, GDYN_LINE, curves, .column = {1, 5}, .width = 3, .colour = 0x0072B2,
                  .title = "motion");
    gdyn_draw(f, panel, GDYN_POINTS, marks, .point = GDYN_DOT, .size = 1.1, .colour = 0xD55E00,
              .title = "switching point");
}

void gdyn_phase_figure(gdyn_figure *f, const gdyn_trajectory *given) {
    travel_view view = {.plan.point = NULL};
    const gdyn_trajectory *d = open_view(&view, given);
    gdyn_picture_begin(f, given->name, given->given ? "motion" : "phase", WIDTH, "%s '%s'",
                       given->given ? "Motion along" : "Fastest motion along",
                       gdyn_picture_name(given->name).text);
    if (!d) {
        f->failed = true;
        return;
    }
    const gdyn_traverse *t = d->traverse;
    gdyn_figure_text(f, t->status == GDYN_TRAVERSE_OK ? GDYN_PARAGRAPH : GDYN_ALARM, "%s",
                     outcome_text(f, d));
    /* The phase plane above, the strip below. */
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->height = 420;
    set_range(&panel->x, t->points ? t->point[0].p : 0, t->points ? t->point[t->points - 1].p : 1);
    panel->x.unlabelled = true;
    panel->y.high = phase_top(t, d->given);
    panel->y.title =
        gdyn_figure_title(f, t->travels ? "ds/dt" : "d1", GDYN_CRITERION_D1_MAX, d->unit);
    draw_phase(f, panel, d);
    draw_strip(f, d, &panel->x);
    gdyn_free(view.plan.point);
}

/* --- forces ----------------------------------------------------------------------------------- */

/* Widens the range by a column of a row's values. */
static void widen(const gdyn_trajectory *t, int row, const double *value, double range[2]) {
    for (int i = 0; i < t->traverse->points; i++) {
        double v = value[i * t->rows + row];
        range[0] = isfinite(v) ? fmin(range[0], v) : range[0];
        range[1] = isfinite(v) ? fmax(range[1], v) : range[1];
    }
}

/* The range of a row's forces along the motion, and of its limits unless they are so far away (4
 * times the span of the forces) that nothing else would be seen: then *far is true. A force that
 * is level but for rounding has nothing else to be seen: its limits are shown wherever they are.
 * Without finite values range[0] > range[1]. */
static void force_range(const gdyn_trajectory *t, int row, double range[2], bool *far) {
    static const double FAR = 4;                       /* of the forces' own span */
    static const double OF_OWN = 1e-9, OF_ALL = 1e-12; /* rounding */
    const gdyn_shared *s = &t->shared;
    range[0] = INFINITY, range[1] = -INFINITY;
    widen(t, row, s->n, range), widen(t, row, s->n_before, range);
    widen(t, row, s->low, range), widen(t, row, s->high, range);
    double own[2] = {range[0], range[1]}, span = own[1] - own[0];
    double all[2] = {0, 0}; /* the forces of all drives */
    for (int other = 0; other < t->rows; other++)
        widen(t, other, s->n, all);
    bool level =
        span <= fmax(OF_OWN * fmax(fabs(own[0]), fabs(own[1])), OF_ALL * fmax(-all[0], all[1]));
    if (level)
        range[0] = range[1] = own[0] = own[1] = fabs(own[1]) <= span ? 0 : 0.5 * (own[0] + own[1]);
    const double *const limit[] = {s->min, s->max};
    *far = false;
    for (int k = 0; k < 2; k++) {
        double wide[2] = {own[0], own[1]};
        widen(t, row, limit[k], wide);
        if (!level && wide[1] - wide[0] > FAR * span) {
            *far = true;
            continue;
        }
        range[0] = fmin(range[0], wide[0]);
        range[1] = fmax(range[1], wide[1]);
    }
}

/* One drive's panel. */
static void draw_force(gdyn_figure *f, const gdyn_trajectory *d, int row, bool timed) {
    const gdyn_motion_point *first = &d->traverse->point[0];
    const gdyn_motion_point *end = &d->traverse->point[d->traverse->points - 1];
    const char *unit = d->row[row].unit;
    double range[2];
    bool far, last = row == d->rows - 1;
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->height = 155;
    /* Two rows where the forces jump: before and behind. */
    const gdyn_shared *s = &d->shared;
    for (int i = 0; i < d->traverse->points; i++) {
        int at = i * d->rows + row;
        const gdyn_motion_point *point = &d->traverse->point[i];
        double where = timed ? point->t : point->p;
        if (isfinite(s->n_before[at]))
            gdyn_figure_put(f, where, s->n_before[at], s->low_before[at], s->high_before[at],
                            s->min[at], s->max[at]);
        gdyn_figure_put(f, where, s->n[at], s->low[at], s->high[at], s->min[at], s->max[at]);
    }
    int block = gdyn_figure_block_end(f);
    set_range(&panel->x, timed ? first->t : first->p, timed ? end->t : end->p);
    panel->x.unlabelled = !last;
    if (last)
        panel->x.title = timed ? "t [s]" : gdyn_figure_title_of_p(f, d->unit);
    force_range(d, row, range, &far);
    gdyn_axis_around(&panel->y, range[0], range[1], 0.07);
    panel->y.title = gdyn_figure_words(f, "%s%s%s%s%s", d->row[row].name, *unit ? " [" : "", unit,
                                       *unit ? "]" : "", far ? ", a limit is out of view" : "");
    mark_violations(f, panel, d, timed, row == 0);
    gdyn_draw(f, panel, GDYN_AREA, block, .column = {1, 3, 4}, .colour = 0xD4D4D4,
              .title = row ? NULL : "possible");
    for (int k = 5; k <= 6; k++)
        gdyn_draw(f, panel, GDYN_LINE, block, .column = {1, k}, .width = 1.5, .dash = "2",
                  .colour = 0x333333, .title = row || k > 5 ? NULL : "limits");
    gdyn_draw(f, panel, GDYN_LINE, block, .column = {1, 2}, .width = 2.5,
              .colour = gdyn_page_colour(row), .title = row ? NULL : "force");
}

void gdyn_forces_figure(gdyn_figure *f, const gdyn_trajectory *d) {
    if (d->traverse->status != GDYN_TRAVERSE_OK || d->shared.points == 0 || d->rows == 0)
        return;
    gdyn_picture_begin(f, d->name, d->given ? "motion_forces" : "forces", WIDTH, "%s '%s'",
                       d->given ? "Drive forces of the motion along"
                                : "Drive forces of the fastest motion along",
                       gdyn_picture_name(d->name).text);
    for (int row = 0; row < d->rows; row++)
        draw_force(f, d, row, isfinite(d->traverse->time));
}
