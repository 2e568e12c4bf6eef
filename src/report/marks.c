/* marks.c - the designs of a study as points of a picture. Each kind has a shape as well as a colour
 * of Okabe and Ito's colour-blind safe set, so that prints without colour can be read. */
#include "report/picture_study.h"

#include "base/memory.h"

#include <stdio.h>

static const struct {
    const char *name, *style;
} marks[GDYN_MARKS] = {
    [GDYN_MARK_INFEASIBLE] = {"infeasible", "pt 6 ps 0.8 lw 1 lc rgb '#999999'"},
    [GDYN_MARK_DOMINATED] = {"dominated", "pt 2 ps 0.6 lw 1 lc rgb '#56B4E9'"},
    [GDYN_MARK_FRONT] = {"front", "pt 7 ps 0.9 lc rgb '#0072B2'"},
    [GDYN_MARK_START] = {"start design", "pt 9 ps 2 lc rgb '#D55E00'"},
};

/* --- the study -------------------------------------------------------------------------------- */

static gdyn_mark mark_of(const gdyn_outcome *outcome, int i) {
    if (outcome->result->nondominated[i])
        return GDYN_MARK_FRONT;
    bool feasible = outcome->result->archive.design[i]->status == GDYN_DESIGN_OK;
    return feasible ? GDYN_MARK_DOMINATED : GDYN_MARK_INFEASIBLE;
}

bool gdyn_view_create(gdyn_view *view, const gdyn_outcome *outcome) {
    size_t count = (size_t)outcome->result->archive.count + 1;
    *view = (gdyn_view){.outcome = outcome,
                        .start = gdyn_study_start(outcome->study),
                        .stride = 1,
                        .archive = &outcome->result->archive};
    view->mark = gdyn_alloc(count, sizeof *view->mark);
    view->clipped = gdyn_alloc(count, sizeof *view->clipped);
    view->work = gdyn_alloc(count, sizeof *view->work);
    bool good = view->mark && view->clipped && view->work;
    for (int i = 0; good && i < view->archive->count; i++)
        view->mark[i] = mark_of(outcome, i);
    if (!good)
        gdyn_view_destroy(view);
    return good;
}

void gdyn_view_destroy(gdyn_view *view) {
    gdyn_free(view->mark);
    gdyn_free(view->clipped);
    gdyn_free(view->work);
    *view = (gdyn_view){0};
}

const gdyn_design *gdyn_view_start(const gdyn_view *view) {
    const gdyn_design *d = gdyn_archive_find(view->archive, 0);
    return d && d->evaluated ? d : NULL;
}

/* --- points ----------------------------------------------------------------------------------- */

static bool off_front(gdyn_mark mark) {
    return mark < GDYN_MARK_FRONT;
}

void gdyn_marks_thin(gdyn_view *view, int cells) {
    /* What a page can show is shared by its cells. */
    enum { PAGE = 24000 };
    int count = 0, most = PAGE / (cells > 0 ? cells : 1);
    for (int i = 0; i < view->archive->count; i++)
        count += view->archive->design[i]->evaluated && off_front(view->mark[i]);
    view->stride = 1 + (count - 1) / (most > 1 ? most : 1);
}

/* Number of designs off the front before this one decides whether it is shown. */
static bool left_out(const gdyn_view *view, gdyn_mark mark, int *seen) {
    return off_front(mark) && view->stride > 1 && (*seen)++ % view->stride != 0;
}

static void write_point(gdyn_script *script, const gdyn_view *view, int i, int count,
                        const gdyn_axis *axes) {
    for (int k = 0; k < count; k++) {
        double value = gdyn_axis_value(&axes[k], view->archive->design[i]);
        gdyn_text_printf(&script->data, "%s%.9g", k ? " " : "", gdyn_axis_shown(&axes[k], value));
    }
    gdyn_text_append(&script->data, "\n", 1);
}

/* Outside of any axis. */
static bool is_clipped(const gdyn_design *d, int count, const gdyn_axis *axes) {
    for (int k = 0; k < count && d->evaluated; k++) {
        double value = gdyn_axis_value(&axes[k], d);
        if (value < axes[k].low || value > axes[k].high)
            return true;
    }
    return false;
}

void gdyn_marks_write(gdyn_script *script, gdyn_view *view, int count, const gdyn_axis *axes,
                      bool present[GDYN_MARKS]) {
    int seen = 0;
    /* First which designs are outside, then a block for each kind. */
    for (int i = 0; i < view->archive->count; i++)
        view->clipped[i] = is_clipped(view->archive->design[i], count, axes);
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++) {
        present[mark] = false;
        /* The start design is drawn last, above its own kind. */
        for (int i = 0; i < view->archive->count; i++) {
            const gdyn_design *d = view->archive->design[i];
            bool start = d->serial == 0;
            if (!d->evaluated || (mark == GDYN_MARK_START ? !start : view->mark[i] != mark))
                continue;
            if (left_out(view, mark, &seen))
                continue;
            write_point(script, view, i, count, axes);
            present[mark] = true;
        }
        /* gnuplot counts a block only when it holds something. */
        for (int k = 0; k < count && !present[mark]; k++)
            gdyn_text_printf(&script->data, "NaN%s", k + 1 < count ? " " : "\n");
        gdyn_script_end_block(script);
    }
}

void gdyn_marks_plot(gdyn_script *script, int x, int y, const bool present[GDYN_MARKS], bool key) {
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++)
        gdyn_plot(script, present[mark] ? (int)mark : -1, "%d:%d with points %s %s%s%s", x, y,
                  marks[mark].style, key ? "title '" : "notitle", key ? marks[mark].name : "",
                  key ? "'" : "");
    gdyn_plot_end(script);
}

/* In a column the key is lines of text. */
static void narrow_key(gdyn_script *script, const bool present[GDYN_MARKS]) {
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++) {
        char look[120];
        snprintf(look, sizeof look, "points %s", marks[mark].style);
        if (present[mark]) {
            gdyn_page_sample(script, look);
            gdyn_page_note(script, 0, 0, "left", "%s", marks[mark].name);
        }
    }
}

void gdyn_marks_key(gdyn_script *script, const bool present[GDYN_MARKS]) {
    if (gdyn_script_narrow(script)) {
        narrow_key(script, present);
        return;
    }
    gdyn_script_line(script,
                     "unset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\n"
                     "unset title\nset key center Left reverse samplen 1\nset xrange [0:1]\n"
                     "set yrange [0:1]");
    /* Only kinds that occur. */
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++)
        if (present[mark])
            gdyn_plot_more(script, "NaN with points %s title '%s'", marks[mark].style,
                           marks[mark].name);
    gdyn_plot_end(script);
    gdyn_script_line(script, "unset key");
    gdyn_marks_frame(script);
}

void gdyn_marks_frame(gdyn_script *script) {
    gdyn_page_axes(script);
    gdyn_script_line(script, "set border 3");
}

void gdyn_marks_title(const gdyn_view *view, char *out, size_t size) {
    char cut[80], name[160];
    int unknown = 0, clipped = 0;
    gdyn_shorten(view->outcome->case_name, 40, cut, sizeof cut);
    /* Count what the picture cannot show. */
    for (int i = 0; i < view->archive->count; i++) {
        unknown += !view->archive->design[i]->evaluated;
        clipped += view->clipped[i];
    }
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s: %d design%s, %d feasible",
                     gdyn_script_quote(cut, name, sizeof name), view->archive->count,
                     gdyn_plural(view->archive->count),
                     view->outcome->result->final.status[GDYN_DESIGN_OK]);
    /* The heading says what is missing, and why. */
    if (unknown > 0)
        gdyn_text_printf(&text, "\\n%d without values%s", unknown,
                         gdyn_view_start(view) ? "" : " (the start design, too)");
    if (clipped > 0)
        gdyn_text_printf(&text, "%s%d outside the axes", unknown ? " and " : "\\n", clipped);
    if (unknown + clipped > 0)
        gdyn_text_printf(&text, " %s not shown", unknown + clipped == 1 ? "is" : "are");
    if (view->stride > 1)
        gdyn_text_printf(&text, "%sof those off the front one in %d is shown",
                         unknown + clipped ? "; " : "\\n", view->stride);
    snprintf(out, size, "%s", text.data ? text.data : "");
    gdyn_text_free(&text);
}
