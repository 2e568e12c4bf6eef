/* picture_traverse.c - the fastest motion in the phase plane, and the forces that drive it. */
#include "report/picture.h"
#include "report/traverse.h"

#include "base/memory.h"
#include "base/pi.h"
#include "traverse/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1300 };

/* Bands: violated or blocked; nothing accessible. */
static const char RED[] = "#F7CDD3", GREY[] = "#D3D3D3";
/* Where the keys stand. */
static const double KEY = 0.81;
static const char KEY_LOOK[] = "samplen 3";

/* The motion in its travel, where p is no coordinate: a copy with s in place of p. */
typedef struct travel_view {
    gdyn_trajectory trajectory;
    gdyn_traverse plan;
} travel_view;

static const gdyn_trajectory *open_view(travel_view *v, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    if (!t->travels)
        return d;
    v->trajectory = *d;
    v->plan = *t;
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

static gdyn_words title_of_place(const gdyn_trajectory *d) {
    gdyn_words travel = {"travel s [m]"};
    return d->traverse->travels ? travel : gdyn_axis_title_of_p(d->unit);
}

/* Left margin, a share of the width: the longest name of a drive stands beside its lane. */
static double left_margin(const gdyn_trajectory *d) {
    static const double LEAST = 0.09, MOST = 0.24, CHARACTER = 9.5 / WIDTH, TICS = 20.0 / WIDTH;
    size_t longest = 0;
    /* About ten pixels for each letter. */
    for (int row = 0; row < d->lanes; row++) {
        size_t length = strlen(d->row[row].name);
        longest = length > longest ? length : longest;
    }
    return fmin(fmax(CHARACTER * (double)longest + TICS, LEAST), MOST);
}

/* The name of a row as far as the margin has room for it. */
enum { NAME_MOST = 30 };

static const char *row_name(const gdyn_trajectory *d, int row, char *out, size_t size) {
    char cut[120];
    return gdyn_script_quote(gdyn_shorten(d->row[row].name, NAME_MOST, cut, sizeof cut), out, size);
}

static const char *row_tic(const gdyn_trajectory *d, int row, char *out, size_t size) {
    char cut[120];
    return gdyn_script_tic(gdyn_shorten(d->row[row].name, NAME_MOST, cut, sizeof cut), out, size);
}

/* Width of the longest name of a drive in a column. */
static double longest_name(const gdyn_trajectory *d) {
    double longest = 0;
    char name[120];
    for (int row = 0; row < d->lanes; row++)
        longest = fmax(longest, gdyn_column_width(row_name(d, row, name, sizeof name)));
    return longest;
}

/* Heading and margins; panels follow. */
static void page(gdyn_script *script, const gdyn_trajectory *d, const char *title) {
    char name[200];
    double left = left_margin(d);
    gdyn_script_line(script, "set multiplot");
    gdyn_page_heading(script, left, 1 - 40.0 / script->high, "%s '%s'", title,
                      gdyn_script_heading(d->name, name, sizeof name));
    gdyn_page_axes(script);
    gdyn_page_columns(script, left, 0.80);
}

/* A motion may be one place only. */
static void set_range(gdyn_script *script, double from, double to) {
    double more = to > from ? 0 : fmax(1e-3 * fabs(from), 1e-3);
    gdyn_page_range(script, 'x', from - more, to + more);
}

/* Bands behind the runs of points that `in` holds for, over p or over t, a little wider than they are where nothing
 * else shows them; false when there are none. */
static bool mark_runs(gdyn_script *script, const gdyn_trajectory *d,
                      bool (*in)(const gdyn_trajectory *d, int point), int before, bool over_time,
                      const char *colour) {
    enum { BANDS_MOST = 200 };
    const gdyn_traverse *t = d->traverse;
    int shown = 0;
    for (int i = 0, end; i < t->points && shown<BANDS_MOST; i = end> i ? end : i + 1) {
        for (end = i; end < t->points && in(d, end);)
            end++;
        if (end > i) {
            const gdyn_motion_point *a = &t->point[i >= before ? i - before : 0];
            const gdyn_motion_point *b = &t->point[end < t->points ? end : t->points - 1];
            gdyn_page_band(script, over_time ? a->t : a->p, over_time ? b->t : b->p, colour);
            shown++;
        }
    }
    return shown > 0;
}

static bool is_violated(const gdyn_trajectory *d, int point) {
    return d->violation[point] > 1e-6;
}

/* Nothing is accessible at all. */
static bool is_closed(const gdyn_trajectory *d, int point) {
    return isnan(d->traverse->point[point].d1_max);
}

static bool mark_violations(gdyn_script *script, const gdyn_trajectory *d, bool over_time) {
    return d->given && mark_runs(script, d, is_violated, 0, over_time, RED);
}

/* --- phase plane ------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the greatest accessible speeds, 0 where there is none: near a singular place they have no
 * bound, and an axis that shows them shows nothing else. */
static double usual_limit(const gdyn_traverse *t) {
    double *value = gdyn_alloc((size_t)t->points + 1, sizeof *value), median = 0;
    int count = 0;
    /* Only finite limits count. */
    for (int i = 0; value && i < t->points; i++)
        if (isfinite(t->point[i].d1_max) && t->point[i].d1_max > 0)
            value[count++] = t->point[i].d1_max;
    if (count > 0) {
        qsort(value, (size_t)count, sizeof *value, ascending);
        median = value[count / 2];
    }
    gdyn_free(value);
    return median;
}

double gdyn_phase_top(const gdyn_traverse *t, bool given) {
    double motion = 0, limit = 0;
    /* The motion and the limits that it could have. */
    for (int i = 0; i < t->points; i++) {
        motion = fmax(motion, isfinite(t->point[i].d1) ? t->point[i].d1 : 0);
        limit = fmax(limit, isfinite(t->point[i].d1_max) ? t->point[i].d1_max : 0);
    }
    double controllable = 0;
    for (int i = 0; i < t->points; i++)
        controllable = fmax(controllable, isfinite(t->point[i].k_high) ? t->point[i].k_high : 0);
    /* Limits beyond four times the usual one are left out of view. */
    double still = fmin(fmax(limit, controllable), 4 * usual_limit(t));
    double most = motion > 0 ? (given ? 2.5 : 1.6) * motion : still;
    return most > 0 ? 1.1 * fmin(most, fmax(fmax(limit, controllable), motion)) : 1;
}

static void write_place(gdyn_script *script, const gdyn_phase_place *at, double top) {
    /* Values beyond ten times the height are cut: gnuplot would lose digits. */
    const double values[] = {at->k_low, at->k_high, at->d1_max, at->d1};
    gdyn_text_printf(&script->data, "%.9g", at->p);
    for (int k = 0; k < 4; k++)
        if (isnan(values[k]))
            gdyn_text_printf(&script->data, " NaN");
        else
            gdyn_text_printf(&script->data, " %.9g", fmin(values[k], 10 * top));
    gdyn_text_printf(&script->data, "\n");
}

/* d1 whose square is at the share f of the way from a^2 to b^2. */
static double mix_squares(double a, double b, double f) {
    return sqrt((1 - f) * a * a + f * b * b);
}

/* The place at the share f of the way behind point i: the motion as it runs, the controllable speeds with d1^2
 * linear in p, the greatest speed linear. */
static gdyn_phase_place place_between(const gdyn_trajectory *d, int i, double f, double top) {
    const gdyn_motion_point *a = &d->traverse->point[i], *b = a + 1;
    gdyn_sample from = {a->t, a->p, a->d1, a->d2}, to = {b->t, b->p, b->d1, b->d2};
    bool moving = isfinite(a->d1) && isfinite(b->d1) && isfinite(a->d2) && isfinite(b->d2_before);
    gdyn_sample at = {.p = (1 - f) * a->p + f * b->p, .d1 = NAN};
    if (moving)
        at = gdyn_motion_between(&from, &to, b->d2_before, d->sharing.between, f);
    double first = isnan(a->d1_max) ? NAN : fmin(a->d1_max, 10 * top);
    double last = isnan(b->d1_max) ? NAN : fmin(b->d1_max, 10 * top);
    return (gdyn_phase_place){at.p, mix_squares(a->k_low, b->k_low, f),
                              mix_squares(a->k_high, b->k_high, f), (1 - f) * first + f * last,
                              at.d1};
}

/* True where the curves behind point i leave their chords by what can be seen. */
static bool bends(const gdyn_trajectory *d, int i, double top) {
    static const double SEEN = 5e-4; /* of the height: a quarter of a line's width */
    const gdyn_motion_point *a = &d->traverse->point[i], *b = a + 1;
    bool seen = false;
    /* At a quarter, the middle and three quarters. */
    for (int k = 1; k <= 3; k++) {
        double f = 0.25 * k;
        gdyn_phase_place at = place_between(d, i, f, top);
        seen |= fabs(at.d1 - (1 - f) * a->d1 - f * b->d1) > SEEN * top;
        seen |= fabs(at.k_high - (1 - f) * a->k_high - f * b->k_high) > SEEN * top;
    }
    return seen;
}

/* Between two points d1 is a root, steep where it begins at rest: more places lie towards both ends. */
int gdyn_phase_places(const gdyn_trajectory *d, int i, double top,
                      gdyn_phase_place out[GDYN_PHASE_PIECES]) {
    const gdyn_motion_point *point = &d->traverse->point[i];
    out[0] = (gdyn_phase_place){point->p, point->k_low, point->k_high, point->d1_max, point->d1};
    if (i + 1 >= d->traverse->points || !bends(d, i, top))
        return 1;
    for (int k = 1; k < GDYN_PHASE_PIECES; k++)
        out[k] = place_between(d, i, 0.5 - 0.5 * cos(GDYN_PI * k / GDYN_PHASE_PIECES), top);
    return GDYN_PHASE_PIECES;
}

static int phase_data(gdyn_script *script, const gdyn_trajectory *d, double top) {
    gdyn_phase_place at[GDYN_PHASE_PIECES];
    for (int i = 0; i < d->traverse->points; i++)
        for (int k = 0, count = gdyn_phase_places(d, i, top, at); k < count; k++)
            write_place(script, &at[k], top);
    return gdyn_script_end_block(script);
}

static int switch_data(gdyn_script *script, const gdyn_traverse *t, int *count) {
    *count = 0;
    for (int i = 0; i < t->points; i++) {
        if (t->point[i].switching && isfinite(t->point[i].d1)) {
            gdyn_text_printf(&script->data, "%.9g %.9g\n", t->point[i].p, t->point[i].d1);
            ++*count;
        }
    }
    return *count ? gdyn_script_end_block(script) : -1;
}

/* How a row limits the segment behind a point: 0 not, 1 at max, 2 at min, 3 by speed, 4 by the rate of
 * its force. */
static int limiting(const gdyn_trajectory *d, const gdyn_motion_point *point, int lane) {
    for (int k = 0; k < point->limit_count; k++) {
        const gdyn_limit *limit = &point->limit[k];
        if (gdyn_limit_lane(d->row, d->rows, *limit) == lane) {
            return limit->shape == GDYN_LIMIT_WINDOW        ? 3
                   : limit->shape == GDYN_LIMIT_THIRD_ORDER ? 4
                   : limit->side > 0                        ? 1
                                                            : 2;
        }
    }
    return 0;
}

/* Half the width of a mark at one place. */
static double thickness(const gdyn_traverse *t) {
    return t->points ? 0.006 * (t->point[t->points - 1].p - t->point[0].p) : 0;
}

/* A bar in the lane of a drive: max in its upper half, min in its lower one, speed in both, the rate in the
 * middle, so that they can be distinguished without colour. False when the drive does not limit. */
static bool add_bar(gdyn_script *script, int row, int kind, double from, double to) {
    static const unsigned colour[] = {0, 0xD55E00, 0x0072B2, 0x888888, 0x009E73};
    static const double up[] = {0, -0.40, 0.03, -0.40, -0.20};
    static const double down[] = {0, -0.03, 0.40, 0.40, 0.20};
    if (kind > 0) {
        gdyn_text_printf(&script->data, "%.9g %d %.9g %.9g %g %g %u\n", 0.5 * (from + to), row,
                         from, to, row + up[kind], row + down[kind], colour[kind]);
    }
    return kind > 0;
}

/* One bar per drive and stretch where it limits the motion. */
static int strip_data(gdyn_script *script, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    bool any = false;
    /* Runs of segments with one limit. */
    for (int row = 0; row < d->lanes && t->status == GDYN_TRAVERSE_OK; row++) {
        for (int i = 0, end; i + 1 < t->points; i = end) {
            int kind = limiting(d, &t->point[i], row);
            for (end = i + 1; end + 1 < t->points && limiting(d, &t->point[end], row) == kind;)
                end++;
            any |= add_bar(script, row, kind, t->point[i].p, t->point[end].p);
        }
    }
    return any ? gdyn_script_end_block(script) : -1;
}

/* Without a motion: the limits that exclude each other, where they do. */
static int refusal_data(gdyn_script *script, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    const gdyn_certificate *proof = &t->certificate;
    /* A mark as wide as the place. */
    double thin = thickness(t), from = t->place - thin, to = t->place_end + thin;
    gdyn_motion_point point = {0};
    bool any = false;
    for (int row = 0; row < d->lanes && isfinite(from) && isfinite(to); row++) {
        for (int k = 0; k < proof->count; k++) {
            point.limit[0] = proof->limit[k];
            point.limit_count = 1;
            any |= add_bar(script, row, limiting(d, &point, row), from, to);
        }
    }
    return any ? gdyn_script_end_block(script) : -1;
}

/* Size of the letters of so many lanes below each other in the strip of 210 pixels. */
static int lane_font(int rows) {
    int room = rows > 0 ? 150 / rows : 13;
    return room > 13 ? 13 : room < 5 ? 5 : room;
}

static void plot_strip(gdyn_script *script, const gdyn_trajectory *d, double names) {
    bool moving = d->traverse->status == GDYN_TRAVERSE_OK;
    int strip = moving ? strip_data(script, d) : refusal_data(script, d);
    /* The strip below the phase plane has axes of its own. */
    gdyn_script_line(script, "unset label");
    gdyn_page_rows(script, 0.30, 0.09);
    gdyn_page_lanes(script, d->lanes > 1 ? d->lanes : 2);
    gdyn_page_note(script, KEY, 0.285, "left", "%s",
                   d->given ? "Violated"
                   : moving ? "Limited by"
                            : "Exclude each other");
    gdyn_page_numbers(script, 'x', true);
    gdyn_page_label(script, 'x', title_of_place(d).text, "");
    gdyn_page_label(script, 'y', "", "");
    gdyn_script_line(script,
                     "set yrange [%g:-0.5]\nunset grid\nset ytics scale 0 font ',%d' ('' -1)",
                     fmax(d->lanes, 1) - 0.5, lane_font(d->lanes));
    /* A lane for each drive. */
    for (int row = 0; row < d->lanes; row++) {
        char name[120], cut[300];
        gdyn_script_line(script, "set ytics add (\"%s\" %d)",
                         gdyn_page_name(script, row_tic(d, row, name, sizeof name), names, cut),
                         row);
    }
    if (strip < 0 && (d->given || !moving)) {
        gdyn_script_line(script, "set label 4 '%s' at graph 0.5,0.5 center tc rgb '#777777'",
                         d->given ? "at no sample" : "no limit of a drive is the reason");
    }
    gdyn_page_key(script, KEY, 0.27, KEY_LOOK);
    /* The key explains heights and colours. */
    gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '#D55E00' title 'max (upper half)'");
    gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '#0072B2' title 'min (lower half)'");
    gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '#888888' title 'speed'");
    if (d->traverse->force)
        gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '#009E73' title 'rate (middle)'");
    gdyn_plot(script, strip,
              "1:2:3:4:5:6:7 with boxxyerror fs solid 1.0 noborder lc rgb variable notitle");
    gdyn_plot_end(script);
    gdyn_script_line(script, "unset multiplot");
}

static bool any_controllable(const gdyn_traverse *t) {
    for (int i = 0; i < t->points; i++)
        if (isfinite(t->point[i].k_high))
            return true;
    return false;
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

/* What came out, and where no motion leads on. */
static void label_motion(gdyn_script *script, const gdyn_trajectory *d) {
    const gdyn_traverse *t = d->traverse;
    double first = t->points ? t->point[0].p : 0, last = t->points ? t->point[t->points - 1].p : 1;
    char text[400];
    /* No motion: why and where. */
    if (t->status != GDYN_TRAVERSE_OK) {
        double thin = thickness(t);
        snprintf(text, sizeof text, "no motion: %s at p = %s", gdyn_traverse_status_name(t->status),
                 gdyn_amount(t->place, d->unit).text);
        gdyn_page_caption(script, 2, 1.03, "left tc rgb '#B00020' font ',14'", text);
        gdyn_page_band(script, fmax(t->place - thin, first), fmin(t->place_end + thin, last), RED);
        return;
    }
    if (d->given) {
        /* The verdict on a given motion. */
        char time[40] = "", verdict[300];
        if (isfinite(t->time))
            snprintf(time, sizeof time, "%.6g s: ", t->time);
        snprintf(text, sizeof text, "%s%s", time, verdict_text(d, verdict, sizeof verdict));
    } else if (isfinite(t->lower)) {
        snprintf(text, sizeof text, "T = %.6g s, between %.6g and %.6g s", t->time, t->lower,
                 t->upper);
    } else {
        snprintf(text, sizeof text, "T = %.6g s", t->time);
    }
    gdyn_page_caption(script, 2, 1.03, "left font ',14'", text);
}

/* The layers of the phase plane, the motion above what is accessible. */
static void plot_phase(gdyn_script *script, const gdyn_trajectory *d, double top) {
    enum { SWITCHES_MOST = 60 };
    const gdyn_traverse *t = d->traverse;
    int switches, curves = phase_data(script, d, top), marks = switch_data(script, t, &switches);
    bool moving = t->status == GDYN_TRAVERSE_OK;
    bool closed = mark_runs(script, d, is_closed, 1, false, GREY);
    bool violated = mark_violations(script, d, false);
    /* Controllable set, greatest speed, motion, switching points. */
    if (!d->given && any_controllable(t))
        gdyn_plot(script, curves, "1:2:3 with filledcurves lc rgb '#D6E6F0' title 'controllable'");
    gdyn_plot(script, curves,
              "1:4 with lines lw 2 dt 2 lc rgb '#555555' title 'greatest accessible'");
    if (moving)
        gdyn_plot(script, curves, "1:5 with lines lw 3 lc rgb '#0072B2' title 'motion'");
    gdyn_plot(script, switches <= SWITCHES_MOST ? marks : -1,
              "1:2 with points pt 7 ps 1.1 lc rgb '#D55E00' title 'switching point'");
    /* Bands appear in the key by lines of their colour. */
    if (closed)
        gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '%s' title '%s'", GREY,
                       t->status == GDYN_TRAVERSE_UNFOLLOWED ? "not followed"
                                                             : "nothing accessible");
    if (violated || !moving)
        gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '%s' title '%s'", RED,
                       violated ? "limits violated" : "blocked");
    gdyn_plot_end(script);
}

gdyn_status gdyn_picture_phase(const char *folder, const gdyn_trajectory *given,
                               const gdyn_sink *sink) {
    travel_view view = {.plan.point = NULL};
    const gdyn_trajectory *d = open_view(&view, given);
    if (!d)
        return GDYN_ERROR_MEMORY;
    const gdyn_traverse *t = d->traverse;
    gdyn_script script;
    double top = gdyn_phase_top(t, d->given), first = t->points ? t->point[0].p : 0;
    double last = t->points ? t->point[t->points - 1].p : 1;
    gdyn_script_begin(&script, d->name, d->given ? "motion" : "phase", WIDTH, 1000);
    /* The phase plane above, the strip below. */
    do {
        page(&script, d, d->given ? "Motion along" : "Fastest motion along");
        double names = gdyn_page_names(&script, longest_name(d));
        set_range(&script, first, last);
        gdyn_page_rows(&script, 0.91, 0.34);
        gdyn_page_key(&script, KEY, 0.90, KEY_LOOK);
        gdyn_page_range(&script, 'y', 0, top);
        gdyn_page_numbers(&script, 'x', false);
        gdyn_page_label(
            &script, 'y',
            gdyn_axis_title(t->travels ? "ds/dt" : "d1", GDYN_CRITERION_D1_MAX, d->unit).text, "");
        label_motion(&script, d);
        plot_phase(&script, d, top);
        gdyn_script_line(&script, "unset object");
        plot_strip(&script, d, names);
    } while (gdyn_script_again(&script));
    gdyn_free(view.plan.point);
    return gdyn_script_finish(&script, folder, sink);
}

/* --- forces ----------------------------------------------------------------------------------- */

static void force_line(gdyn_script *script, double at, const double values[5]) {
    gdyn_text_printf(&script->data, "%.9g", at);
    for (int k = 0; k < 5; k++)
        if (isfinite(values[k]))
            gdyn_text_printf(&script->data, " %.9g", values[k]);
        else
            gdyn_text_printf(&script->data, " NaN");
    gdyn_text_printf(&script->data, "\n");
}

/* Two lines where the forces jump: before and behind. */
static int force_data(gdyn_script *script, const gdyn_trajectory *d, int row, bool timed) {
    const gdyn_shared *s = &d->shared;
    for (int i = 0; i < d->traverse->points; i++) {
        int at = i * d->rows + row;
        /* Before a jump and behind it. */
        const gdyn_motion_point *point = &d->traverse->point[i];
        double where = timed ? point->t : point->p;
        const double before[] = {s->n_before[at], s->low_before[at], s->high_before[at], s->min[at],
                                 s->max[at]};
        const double values[] = {s->n[at], s->low[at], s->high[at], s->min[at], s->max[at]};
        if (isfinite(before[0]))
            force_line(script, where, before);
        force_line(script, where, values);
    }
    return gdyn_script_end_block(script);
}

/* The axis of a row's forces, whose panel is low; true: a limit is so far away that it is out of view. */
static bool set_force_axis(gdyn_script *script, const gdyn_trajectory *d, int row) {
    double range[2];
    bool far;
    gdyn_force_range(d, row, range, &far);
    if (!(range[0] <= range[1]))
        range[0] = 0, range[1] = 1;
    double span = range[1] - range[0];
    double margin = span > 0 ? 0.07 * span : range[1] != 0 ? 0.1 * fabs(range[1]) : 1;
    gdyn_page_range(script, 'y', range[0] - margin, range[1] + margin);
    gdyn_script_line(script, "set ytics %.9g", gdyn_round_step(span > 0 ? span : 2 * margin, 4));
    return far;
}

/* One drive's panel. */
static void plot_force(gdyn_script *script, const gdyn_trajectory *d, int row, bool timed,
                       bool violated) {
    char name[120], label[60], caption[240];
    const char *unit = *d->row[row].unit ? d->row[row].unit : NULL;
    int block = force_data(script, d, row, timed);
    bool far = set_force_axis(script, d, row);
    bool narrow = gdyn_script_narrow(script);
    snprintf(label, sizeof label, "%s%s%s", unit ? "[" : "", unit ? unit : "", unit ? "]" : "");
    snprintf(caption, sizeof caption, "%s%s%s%s", row_name(d, row, name, sizeof name),
             narrow && unit ? " " : "", narrow ? label : "", far ? ", a limit is out of view" : "");
    gdyn_page_caption(script, 50, 1.1, "left font ',12'", caption);
    gdyn_page_label(script, 'y', narrow ? "" : label, "");
    if (row)
        gdyn_page_no_key(script);
    else
        gdyn_page_key(script, KEY, 0.90, KEY_LOOK);
    gdyn_plot(script, block, "1:3:4 with filledcurves lc rgb '#D4D4D4' title 'possible'");
    gdyn_plot(script, block, "1:5 with lines lw 1.5 dt 2 lc rgb '#333333' title 'limits'");
    gdyn_plot(script, block, "1:6 with lines lw 1.5 dt 2 lc rgb '#333333' notitle");
    gdyn_plot(script, block, "1:2 with lines lw 2.5 lc rgb '#%06X' title 'force'",
              gdyn_page_colour(row));
    if (violated && row == 0)
        gdyn_plot_more(script, "NaN with lines lw 8 lc rgb '%s' title 'limits violated'", RED);
    gdyn_plot_end(script);
}

gdyn_status gdyn_picture_forces(const char *folder, const gdyn_trajectory *d,
                                const gdyn_sink *sink) {
    const gdyn_traverse *t = d->traverse;
    /* Without forces there is no picture. */
    if (t->status != GDYN_TRAVERSE_OK || d->shared.points == 0 || d->rows == 0)
        return GDYN_OK;
    gdyn_script script;
    int height = 220 + 190 * d->rows;
    bool timed = isfinite(t->time);
    gdyn_script_begin(&script, d->name, d->given ? "motion_forces" : "forces", WIDTH, height);
    /* One panel per drive, the axis of time below the last. */
    double top = 1 - 90.0 / height, bottom = 80.0 / height, each = (top - bottom) / d->rows;
    const gdyn_motion_point *first = &t->point[0], *end = &t->point[t->points - 1];
    do {
        page(&script, d,
             d->given ? "Drive forces of the motion along"
                      : "Drive forces of the fastest motion along");
        set_range(&script, timed ? first->t : first->p, timed ? end->t : end->p);
        bool violated = mark_violations(&script, d, timed);
        for (int row = 0; row < d->rows; row++) {
            bool last = row == d->rows - 1;
            gdyn_page_rows(&script, top - row * each, top - (row + 1) * each + 0.18 * each);
            gdyn_page_numbers(&script, 'x', last);
            gdyn_page_label(&script, 'x',
                            !last   ? ""
                            : timed ? "t [s]"
                                    : gdyn_axis_title_of_p(d->unit).text,
                            "");
            plot_force(&script, d, row, timed, violated);
            gdyn_script_line(&script, "unset label");
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    return gdyn_script_finish(&script, folder, sink);
}
