/* picture_front.c - all evaluated designs in the plane of two objectives, or in a matrix of all pairs
 * of three and more: the front, other feasible designs, infeasible ones hollow and grey, the start.
 *
 * The window follows the better part of the feasible designs: a few bad ones far away must not
 * press the front into a corner. Colours are of Okabe and Ito's colour-blind safe set. */
#include "report/front.h"
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLOT_MOST = 6 }; /* objectives shown */

/* Window of one objective, in units of 10^exponent. */
typedef struct range {
    double low, high;
    int exponent;
} range;

/* --- window ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void include(range *r, double value) {
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/* Values of one objective over the designs that have it: feasible ones, or all when none is. */
static int collect(const gdyn_study_result *result, int objective, bool feasible, double *value) {
    int count = 0;
    for (int i = 0; i < result->archive.count; i++) {
        const gdyn_design *d = result->archive.design[i];
        if (d->evaluated && (d->status == GDYN_DESIGN_OK || !feasible))
            value[count++] = d->objective[objective];
    }
    return count;
}

/* Exponent, a multiple of three, that is taken out of the numbers of an axis: 0 where they are short. */
static int exponent_of(double low, double high) {
    double size = fmax(fabs(low), fabs(high));
    if (!(size >= 1e5 || (size > 0 && size < 1e-2)))
        return 0;
    return 3 * (int)floor(log10(size) / 3);
}

/* The front, the better four fifths of the other designs, and the start, with a margin. */
static range window_of(const gdyn_outcome *outcome, int objective, double *work) {
    const gdyn_study_result *result = outcome->result;
    range r = {INFINITY, -INFINITY, 0};
    int count = collect(result, objective, true, work);
    if (count == 0)
        count = collect(result, objective, false, work);
    qsort(work, (size_t)count, sizeof *work, ascending);
    bool maximize = gdyn_study_start(outcome->study)->objective[objective].maximize;
    for (int i = 0; i < count; i++)
        if (maximize ? 5 * (i + 1) > count : 5 * i < 4 * count)
            include(&r, work[i]);
    for (int i = 0; i < result->front.count; i++)
        include(&r, result->front.design[i]->objective[objective]);
    if (result->archive.count > 0 && result->archive.design[0]->evaluated)
        include(&r, result->archive.design[0]->objective[objective]);
    if (r.low > r.high)
        r = (range){0, 1, 0};
    double margin = r.high > r.low ? 0.06 * (r.high - r.low) : fmax(fabs(r.low), 1) * 0.1;
    r.exponent = exponent_of(r.low, r.high);
    double one = pow(10, r.exponent);
    return (range){(r.low - margin) / one, (r.high + margin) / one, r.exponent};
}

/* --- data --------------------------------------------------------------------------------- */

typedef enum layer { LAYER_INFEASIBLE, LAYER_FEASIBLE, LAYER_FRONT, LAYER_START, LAYERS } layer;

static bool in_layer(const gdyn_study_result *result, int i, layer which) {
    const gdyn_design *d = result->archive.design[i];
    switch (which) {
    case LAYER_INFEASIBLE:
        return d->status != GDYN_DESIGN_OK;
    case LAYER_FEASIBLE:
        return d->status == GDYN_DESIGN_OK && !result->nondominated[i];
    case LAYER_FRONT:
        return result->nondominated[i];
    default:
        return d->serial == 0;
    }
}

/* One block of m columns per layer; a layer without designs holds one line of missing values. */
static void write_layers(gdyn_script *script, const gdyn_outcome *outcome, int m,
                         const range *window, bool present[LAYERS]) {
    const gdyn_study_result *result = outcome->result;
    for (layer which = 0; which < LAYERS; which++) {
        present[which] = false;
        for (int i = 0; i < result->archive.count; i++) {
            const gdyn_design *d = result->archive.design[i];
            if (!d->evaluated || !in_layer(result, i, which))
                continue;
            for (int k = 0; k < m; k++)
                gdyn_text_printf(&script->data, "%.9g ",
                                 d->objective[k] / pow(10, window[k].exponent));
            gdyn_text_append(&script->data, "\n", 1);
            present[which] = true;
        }
        for (int k = 0; k < m && !present[which]; k++)
            gdyn_text_printf(&script->data, "NaN%s", k + 1 < m ? " " : "\n");
        gdyn_script_end_block(script);
    }
}

/* --- script ------------------------------------------------------------------------------- */

static const char *const layer_name[LAYERS] = {"infeasible", "feasible", "front", "start design"};
static const char *const layer_style[LAYERS] = {
    "pt 6 ps 0.7 lw 1 lc rgb '#999999'", "pt 7 ps 0.5 lc rgb '#56B4E9'",
    "pt 7 ps 0.9 lc rgb '#0072B2'", "pt 9 ps 1.9 lc rgb '#D55E00'"};

static void append_power(gdyn_text *out, int exponent) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[16];
    snprintf(text, sizeof text, "%d", exponent);
    for (const char *c = text; *c; c++)
        gdyn_text_printf(out, "%s", *c == '-' ? "⁻" : digit[*c - '0']);
}

/* "area [10³ 1/s²], maximized" */
static void label(const gdyn_outcome *outcome, int objective, int exponent, char *out,
                  size_t size) {
    const gdyn_goal *goal = &gdyn_study_start(outcome->study)->objective[objective];
    const char *unit = gdyn_study_objective_unit(outcome->study, objective);
    char name[80];
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s", gdyn_script_quote(goal->name, name, sizeof name));
    if (*unit || exponent)
        gdyn_text_printf(&text, " [");
    if (exponent) {
        gdyn_text_printf(&text, "10");
        append_power(&text, exponent);
        gdyn_text_printf(&text, "%s", *unit ? " " : "");
    }
    for (const char *u = unit; *u; u++) {
        if (*u == '^' && u[1] >= '0' && u[1] <= '9')
            append_power(&text, *++u - '0');
        else
            gdyn_text_printf(&text, "%c", *u);
    }
    gdyn_text_printf(&text, "%s, %s", *unit || exponent ? "]" : "",
                     goal->maximize ? "maximized" : "minimized");
    snprintf(out, size, "%s", text.data ? text.data : "");
    gdyn_text_free(&text);
}

/* "star: 400 designs, 390 feasible, 4 without values not shown" */
static void title(const gdyn_outcome *outcome, char *out, size_t size) {
    const gdyn_archive *archive = &outcome->result->archive;
    char name[160];
    int unknown = 0;
    for (int i = 0; i < archive->count; i++)
        unknown += !archive->design[i]->evaluated;
    int used = snprintf(out, size, "%s: %d designs, %d feasible",
                        gdyn_script_quote(outcome->case_name, name, sizeof name), archive->count,
                        outcome->result->final.status[GDYN_DESIGN_OK]);
    if (unknown > 0 && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "; %d without values are not shown", unknown);
}

static void plot_pair(gdyn_script *script, int x, int y, const bool present[LAYERS], bool key) {
    gdyn_text line = {0};
    for (layer which = 0; which < LAYERS; which++) {
        if (!present[which])
            continue;
        gdyn_text_printf(&line, "%sdata index %d using %d:%d with points %s %s%s%s",
                         line.length ? ", " : "plot ", (int)which, x + 1, y + 1, layer_style[which],
                         key ? "title '" : "notitle", key ? layer_name[which] : "", key ? "'" : "");
    }
    gdyn_script_line(script, "%s", line.data ? line.data : "plot NaN notitle");
    gdyn_text_free(&line);
}

/* A round step that gives two to five tics over the range. */
static double tic_step(range r) {
    double raw = (r.high - r.low) / 3, power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static void axes(gdyn_script *script, const range *window, int x, int y) {
    gdyn_script_line(script, "set xrange [%.9g:%.9g]\nset xtics %.9g nomirror out", window[x].low,
                     window[x].high, tic_step(window[x]));
    gdyn_script_line(script, "set yrange [%.9g:%.9g]\nset ytics %.9g nomirror out", window[y].low,
                     window[y].high, tic_step(window[y]));
}

static void frame(gdyn_script *script) {
    gdyn_script_line(script, "set border 3 lw 1 lc rgb '#444444'");
    gdyn_script_line(script, "set grid lt 1 lw 0.6 lc rgb '#E4E4E4'");
}

static void single(gdyn_script *script, const gdyn_outcome *outcome, const range *window,
                   const bool present[LAYERS]) {
    char text[300];
    title(outcome, text, sizeof text);
    gdyn_script_line(script, "set title \"%s\"", text);
    gdyn_script_line(script, "set key outside right center vertical samplen 1");
    frame(script);
    axes(script, window, 0, 1);
    label(outcome, 0, window[0].exponent, text, sizeof text);
    gdyn_script_line(script, "set xlabel \"%s\"", text);
    label(outcome, 1, window[1].exponent, text, sizeof text);
    gdyn_script_line(script, "set ylabel \"%s\"", text);
    plot_pair(script, 0, 1, present, true);
}

/* One objective alone: its values in the order of evaluation. */
static void history(gdyn_script *script, const gdyn_outcome *outcome, const range *window,
                    const bool present[LAYERS]) {
    char text[200];
    label(outcome, 0, window[0].exponent, text, sizeof text);
    gdyn_script_line(script, "set key outside right center vertical samplen 1");
    frame(script);
    gdyn_script_line(script, "set xlabel 'design, layer by layer'\nset ylabel \"%s\"", text);
    gdyn_script_line(script, "set yrange [%.9g:%.9g]\nset tics nomirror out", window[0].low,
                     window[0].high);
    plot_pair(script, -1, 0, present, true);
}

/* A cell of the matrix with nothing but the key. */
static void key_alone(gdyn_script *script, const bool present[LAYERS]) {
    gdyn_script_line(script, "unset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\n"
                             "set key center samplen 1\nset xrange [0:1]\nset yrange [0:1]");
    gdyn_text line = {0};
    for (layer which = 0; which < LAYERS; which++)
        if (present[which])
            gdyn_text_printf(&line, "%sNaN with points %s title '%s'", line.length ? ", " : "plot ",
                             layer_style[which], layer_name[which]);
    gdyn_script_line(script, "%s\nunset key", line.data ? line.data : "plot NaN notitle");
    gdyn_text_free(&line);
    frame(script);
}

/* Lower triangle: row y = 1 .. m-1, column x = 0 .. y-1; labels at the left and below only. */
static void matrix(gdyn_script *script, const gdyn_outcome *outcome, int m, int side,
                   const range *window, const bool present[LAYERS]) {
    char text[300];
    title(outcome, text, sizeof text);
    gdyn_script_line(script,
                     "set multiplot layout %d,%d columnsfirst title \"%s\" margins "
                     "%.3f,0.98,%.3f,%.3f spacing 0.03,0.03",
                     m - 1, m - 1, text, 110.0 / side, 75.0 / side, 1 - 50.0 / side);
    frame(script);
    for (int x = 0; x + 1 < m; x++) {
        for (int y = 1; y < m; y++) {
            bool legend = x == 1 && y == 1; /* the free corner carries the key */
            if (y <= x && !legend) {
                gdyn_script_line(script, "set multiplot next");
                continue;
            }
            if (legend) {
                key_alone(script, present);
                continue;
            }
            axes(script, window, x, y);
            bool bottom = y == m - 1, left = x == 0;
            label(outcome, x, window[x].exponent, text, sizeof text);
            gdyn_script_line(script, "set xlabel \"%s\"\nset format x '%s'", bottom ? text : "",
                             bottom ? "%g" : "");
            label(outcome, y, window[y].exponent, text, sizeof text);
            gdyn_script_line(script, "set ylabel \"%s\"\nset format y '%s'\nunset key",
                             left ? text : "", left ? "%g" : "");
            plot_pair(script, x, y, present, false);
        }
    }
    gdyn_script_line(script, "unset multiplot");
}

gdyn_status gdyn_picture_front(const char *folder, const gdyn_outcome *outcome,
                               const gdyn_sink *sink) {
    int m = gdyn_study_start(outcome->study)->objective_count;
    m = m < PLOT_MOST ? m : PLOT_MOST;
    double *work = gdyn_alloc((size_t)outcome->result->archive.count, sizeof *work);
    if (!work)
        return GDYN_ERROR_MEMORY;
    range window[PLOT_MOST];
    for (int k = 0; k < m; k++)
        window[k] = window_of(outcome, k, work);
    gdyn_free(work);
    gdyn_script script;
    bool present[LAYERS];
    int side = m < 3 ? 0 : 220 + 260 * (m - 1);
    gdyn_script_begin(&script, "", "front", side ? side : 900, side ? side : 680);
    write_layers(&script, outcome, m, window, present);
    if (m == 1)
        history(&script, outcome, window, present);
    else if (m == 2)
        single(&script, outcome, window, present);
    else
        matrix(&script, outcome, m, side, window, present);
    return gdyn_script_finish(&script, folder, sink);
}
