/* axes.c - a design variable, objective or constraint as the axis of a picture: its window, a power
 * of ten taken out of long numbers, round tics, its label with unit. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

/* Exponent, a multiple of three, that is taken out of the numbers of an axis: 0 where they are
 * short. */
static int exponent_of(double low, double high) {
    double size = fmax(fabs(low), fabs(high));
    if (!(size >= 1e5 || (size > 0 && size < 1e-2)))
        return 0;
    return 3 * (int)floor(log10(size) / 3);
}

void gdyn_axis_window(gdyn_axis *axis, double low, double high, double margin) {
    /* No value at all: an empty window from 0 to 1. */
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    /* A range of rounding errors is no range. */
    double size = fmax(fabs(low), fabs(high));
    bool flat = !(high - low > 1e-9 * size);
    double spare = flat ? (size > 0 ? 0.1 * size : 1) : margin * (high - low);
    axis->exponent = exponent_of(low, high);
    axis->low = low - spare;
    axis->high = high + spare;
    axis->step = gdyn_round_step((axis->high - axis->low) / pow(10, axis->exponent), 3);
}

double gdyn_axis_shown(const gdyn_axis *axis, double value) {
    return value / pow(10, axis->exponent) + 0.0;
}

double gdyn_axis_value(const gdyn_axis *axis, const gdyn_design *design) {
    const double *values = axis->kind == GDYN_AXIS_VARIABLE    ? design->x
                           : axis->kind == GDYN_AXIS_OBJECTIVE ? design->objective
                                                               : design->constraint;
    return values[axis->index];
}

/* --- window ----------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Values over the designs that have them: feasible ones, or all when none is; their number. */
static int collect(gdyn_view *view, const gdyn_axis *axis, bool feasible) {
    int count = 0;
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        if (d->evaluated && (d->status == GDYN_DESIGN_OK || !feasible))
            view->work[count++] = gdyn_axis_value(axis, d);
    }
    return count;
}

/* Which way is better: +1 up, -1 down, 0 neither. */
static int sense_of(const gdyn_view *view, const gdyn_axis *axis) {
    if (axis->kind == GDYN_AXIS_OBJECTIVE)
        return view->start->objective[axis->index].maximize ? 1 : -1;
    return axis->kind == GDYN_AXIS_CONSTRAINT ? view->start->requirement[axis->index].relation : 0;
}

static void window_of_values(gdyn_view *view, gdyn_axis *axis) {
    double low = INFINITY, high = -INFINITY;
    int sense = sense_of(view, axis), count = collect(view, axis, true);
    if (count == 0)
        count = collect(view, axis, false);
    /* The better four fifths: a few bad values must not press the rest into a corner. */
    qsort(view->work, (size_t)count, sizeof *view->work, ascending);
    for (int i = 0; i < count; i++) {
        bool better = sense == 0 || (sense > 0 ? 5 * (i + 1) > count : 5 * i < 4 * count);
        if (better) {
            low = fmin(low, view->work[i]);
            high = fmax(high, view->work[i]);
        }
    }
    /* Front and start are shown in any case. */
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        if (view->mark[i] == GDYN_MARK_FRONT || (d->serial == 0 && d->evaluated)) {
            low = fmin(low, gdyn_axis_value(axis, d));
            high = fmax(high, gdyn_axis_value(axis, d));
        }
    }
    gdyn_axis_window(axis, low, high, 0.06);
}

/* --- axes ------------------------------------------------------------------------------------- */

gdyn_axis gdyn_axis_make(gdyn_view *view, gdyn_axis_kind kind, int index) {
    gdyn_axis axis = {.kind = kind, .index = index};
    const gdyn_study *study = view->outcome->study;
    const gdyn_design_variable *variable =
        kind == GDYN_AXIS_VARIABLE ? &view->start->design[index] : NULL;
    const char *unit = "";
    char text[40];
    /* Variables have their bounds, results the window of their values. */
    switch (kind) {
    case GDYN_AXIS_VARIABLE:
        axis.name = variable->name;
        if (variable->choices == 0 && variable->dimension.known &&
            !gdyn_dimension_fits(variable->dimension, GDYN_DIM_NONE))
            unit = gdyn_dimension_text(variable->dimension, text, sizeof text);
        gdyn_axis_window(&axis, variable->min, variable->max, 0.04);
        break;
    case GDYN_AXIS_OBJECTIVE:
        axis.name = view->start->objective[index].name;
        unit = gdyn_study_objective_unit(study, index);
        window_of_values(view, &axis);
        break;
    default:
        axis.name = view->start->requirement[index].name;
        unit = gdyn_study_constraint_unit(study, index);
        window_of_values(view, &axis);
    }
    snprintf(axis.unit, sizeof axis.unit, "%s", unit);
    return axis;
}

/* --- labels ----------------------------------------------------------------------------------- */

static void append_power(gdyn_text *out, int exponent) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[16];
    /* Digits and sign in their raised forms. */
    snprintf(text, sizeof text, "%d", exponent);
    for (const char *c = text; *c; c++)
        gdyn_text_printf(out, "%s", *c == '-' ? "⁻" : digit[*c - '0']);
}

static void append_unit(gdyn_text *out, const gdyn_axis *axis) {
    if (!*axis->unit && axis->exponent == 0)
        return;
    gdyn_text_printf(out, "[");
    /* A factor of ten before the unit. */
    if (axis->exponent) {
        gdyn_text_printf(out, "10");
        append_power(out, axis->exponent);
        gdyn_text_printf(out, "%s", *axis->unit ? " " : "");
    }
    /* Exponents of the unit are raised, too. */
    for (const char *u = axis->unit; *u; u++)
        if (*u == '^' && u[1] >= '0' && u[1] <= '9')
            append_power(out, *++u - '0');
        else
            gdyn_text_printf(out, "%c", *u);
    gdyn_text_printf(out, "]");
}

static const char *give(gdyn_text *text, char *out, size_t size) {
    snprintf(out, size, "%s", text->data ? text->data : "");
    gdyn_text_free(text);
    return out;
}

/* As many decimals as the greater end of the axis has in five digits. */
const char *gdyn_axis_number(const gdyn_axis *axis, double value, char *out, size_t size) {
    /* Five digits of the greater end. */
    double greatest =
        fmax(fabs(gdyn_axis_shown(axis, axis->low)), fabs(gdyn_axis_shown(axis, axis->high)));
    int digits = greatest > 0 ? 4 - (int)floor(log10(greatest)) : 0;
    digits = digits < 0 ? 0 : digits > 9 ? 9 : digits;
    double unit = pow(10, digits), shown = gdyn_axis_shown(axis, value);
    snprintf(out, size, "%.12g", round(shown * unit) / unit + 0.0);
    return out;
}

const char *gdyn_axis_unit(const gdyn_axis *axis, char *out, size_t size) {
    gdyn_text text = {0};
    append_unit(&text, axis);
    return give(&text, out, size);
}

const char *gdyn_axis_label(const gdyn_view *view, const gdyn_axis *axis, const char *separator,
                            char *out, size_t size) {
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s", gdyn_shorten(axis->name, 30).text);
    if (*axis->unit || axis->exponent)
        gdyn_text_printf(&text, " ");
    append_unit(&text, axis);
    if (separator && axis->kind == GDYN_AXIS_OBJECTIVE)
        gdyn_text_printf(&text, "%s%s", separator,
                         view->start->objective[axis->index].maximize ? "maximized" : "minimized");
    return give(&text, out, size);
}

gdyn_figure_axis gdyn_axis_of_figure(const gdyn_view *view, const gdyn_axis *axis, gdyn_figure *f) {
    const gdyn_design_variable *variable =
        axis->kind == GDYN_AXIS_VARIABLE ? &view->start->design[axis->index] : NULL;
    char text[300];
    gdyn_figure_axis out = {
        .title = gdyn_figure_words(f, "%s", gdyn_axis_label(view, axis, ", ", text, sizeof text)),
        .low = gdyn_axis_shown(axis, axis->low),
        .high = gdyn_axis_shown(axis, axis->high),
        .whole = variable && variable->integer};
    /* Choices by name, the rows of a table at whole numbers; at most about eight names. */
    int choices = variable ? variable->choices : 0, stride = 1 + (choices - 1) / 8;
    for (int i = 0; i < choices; i += stride)
        gdyn_figure_tic_at(f, &out, i, gdyn_shorten(variable->choice[i], 10).text);
    return out;
}
