/* axes.c - a design variable, objective or constraint as the axis of a picture: its window, a power
 * of ten taken out of long numbers, round tics, its label with unit. */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

void gdyn_axis_window(gdyn_axis *axis, double low, double high, double margin) {
    gdyn_figure_axis window = {.low = 0};
    double size = low <= high ? fmax(fabs(low), fabs(high)) : 1;
    gdyn_axis_around(&window, low, high, margin);
    /* a multiple of three that is taken out of the numbers; 0 where they are short */
    bool shortened = size >= 1e5 || (size > 0 && size < 1e-2);
    axis->exponent = shortened ? 3 * (int)floor(log10(size) / 3) : 0;
    axis->low = window.low, axis->high = window.high;
}

double gdyn_axis_shown(const gdyn_axis *axis, double value) {
    return value / pow(10, axis->exponent) + 0.0;
}

double gdyn_axis_value(const gdyn_axis *axis, const gdyn_design *design) {
    return gdyn_trait_value(axis->of.kind, axis->of.index, design);
}

/* --- window ----------------------------------------------------------------------------------- */

/* Values over the designs that have them: feasible ones, or all when none is; their number. */
static int collect(const gdyn_view *view, const gdyn_axis *axis, bool feasible, double *work) {
    int count = 0;
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        if (d->evaluated && (d->status == GDYN_DESIGN_OK || !feasible))
            work[count++] = gdyn_axis_value(axis, d);
    }
    return count;
}

static void window_of_values(const gdyn_view *view, gdyn_axis *axis, gdyn_figure *f) {
    double low = INFINITY, high = -INFINITY;
    double *work = gdyn_alloc((size_t)view->archive->count + 1, sizeof *work);
    /* which way is better: +1 up, -1 down, 0 neither */
    int sense = axis->of.kind == GDYN_TRAIT_CONSTRAINT
                    ? (int)view->start->requirement[axis->of.index].relation
                    : 0;
    if (axis->of.kind == GDYN_TRAIT_OBJECTIVE)
        sense = view->start->objective[axis->of.index].maximize ? 1 : -1;
    int count = work ? collect(view, axis, true, work) : 0;
    if (count == 0 && work)
        count = collect(view, axis, false, work);
    /* The better four fifths: a few bad values must not press the rest into a corner. */
    if (count > 0)
        qsort(work, (size_t)count, sizeof *work, gdyn_ascending);
    for (int i = 0; i < count; i++) {
        bool better = sense == 0 || (sense > 0 ? 5 * (i + 1) > count : 5 * i < 4 * count);
        if (better) {
            low = fmin(low, work[i]);
            high = fmax(high, work[i]);
        }
    }
    /* Front and start are shown in any case. */
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        if (view->outcome->result->nondominated[i] || (d->serial == 0 && d->evaluated)) {
            low = fmin(low, gdyn_axis_value(axis, d));
            high = fmax(high, gdyn_axis_value(axis, d));
        }
    }
    f->failed |= !work;
    gdyn_free(work);
    gdyn_axis_window(axis, low, high, 0.06);
}

/* --- axes ------------------------------------------------------------------------------------- */

gdyn_axis gdyn_axis_make(const gdyn_view *view, gdyn_trait_kind kind, int index, gdyn_figure *f) {
    gdyn_axis axis = {.of = gdyn_trait_of(view->outcome->study, kind, index)};
    /* Variables have their bounds, results the window of their values. */
    if (kind == GDYN_TRAIT_VARIABLE)
        gdyn_axis_window(&axis, view->start->design[index].min, view->start->design[index].max,
                         0.04);
    else
        window_of_values(view, &axis, f);
    return axis;
}

/* --- labels ----------------------------------------------------------------------------------- */

/* As many decimals as the greater end of the axis has in five digits. */
gdyn_words gdyn_axis_number(const gdyn_axis *axis, double value) {
    double greatest =
        fmax(fabs(gdyn_axis_shown(axis, axis->low)), fabs(gdyn_axis_shown(axis, axis->high)));
    int digits = greatest > 0 ? 4 - (int)floor(log10(greatest)) : 0;
    digits = digits < 0 ? 0 : digits > 9 ? 9 : digits;
    double unit = pow(10, digits), shown = gdyn_axis_shown(axis, value);
    gdyn_words out;
    snprintf(out.text, sizeof out.text, "%.12g", round(shown * unit) / unit + 0.0);
    return out;
}

const char *gdyn_axis_unit(const gdyn_axis *axis, gdyn_figure *f) {
    char power[24] = "";
    if (axis->exponent)
        snprintf(power, sizeof power, "10%s^%d%s", axis->exponent < 0 ? "⁻" : "",
                 abs(axis->exponent), *axis->of.unit ? " " : "");
    return *axis->of.unit || axis->exponent
               ? gdyn_figure_words(f, "[%s%s]", gdyn_picture_letters(power).text,
                                   gdyn_picture_letters(axis->of.unit).text)
               : "";
}

gdyn_figure_axis gdyn_axis_of_result(const gdyn_axis *axis, int most, gdyn_figure *f) {
    const char *unit = gdyn_axis_unit(axis, f);
    return (gdyn_figure_axis){.title = gdyn_figure_words(f, "%s%s%s",
                                                         gdyn_shorten(axis->of.name, most).text,
                                                         *unit ? " " : "", unit),
                              .low = gdyn_axis_shown(axis, axis->low),
                              .high = gdyn_axis_shown(axis, axis->high)};
}

gdyn_figure_axis gdyn_axis_of_figure(const gdyn_view *view, const gdyn_axis *axis, gdyn_figure *f) {
    const gdyn_design_variable *variable =
        axis->of.kind == GDYN_TRAIT_VARIABLE ? &view->start->design[axis->of.index] : NULL;
    gdyn_figure_axis out = gdyn_axis_of_result(axis, 30, f);
    out.whole = variable && variable->integer;
    if (axis->of.kind == GDYN_TRAIT_OBJECTIVE)
        out.title = gdyn_figure_words(
            f, "%s, %s", out.title,
            view->start->objective[axis->of.index].maximize ? "maximized" : "minimized");
    /* Choices by name, the rows of a table at whole numbers; at most about eight names. */
    int choices = variable ? variable->choices : 0, stride = 1 + (choices - 1) / 8;
    for (int i = 0; i < choices; i += stride)
        gdyn_figure_tic_at(f, &out, i, gdyn_shorten(variable->choice[i], 10).text);
    return out;
}
