/* marks.c - the designs of a study as points of a picture. Each kind has a shape as well as a
 * colour of Okabe and Ito's colour-blind safe set, so that prints without colour can be read. */
#include "report/picture.h"

#include <stdio.h>

static const gdyn_figure_layer marks[GDYN_MARKS] = {
    [GDYN_MARK_INFEASIBLE] = {GDYN_POINTS, .point = GDYN_RING, .size = 0.8, .width = 1,
                              .colour = 0x999999, .title = "infeasible"},
    [GDYN_MARK_DOMINATED] = {GDYN_POINTS, .point = GDYN_CROSS, .size = 0.6, .width = 1,
                             .colour = 0x56B4E9, .title = "dominated"},
    [GDYN_MARK_FRONT] = {GDYN_POINTS, .point = GDYN_DOT, .size = 0.9, .colour = 0x0072B2,
                         .title = "front"},
    [GDYN_MARK_START] = {GDYN_POINTS, .point = GDYN_TRIANGLE, .size = 2, .colour = 0xD55E00,
                         .title = "start design"},
};

/* --- the study -------------------------------------------------------------------------------- */

static gdyn_mark mark_of(const gdyn_view *view, int i) {
    bool feasible = view->archive->design[i]->status == GDYN_DESIGN_OK;
    return view->outcome->result->nondominated[i] ? GDYN_MARK_FRONT
           : feasible                             ? GDYN_MARK_DOMINATED
                                                  : GDYN_MARK_INFEASIBLE;
}

gdyn_view gdyn_view_of(const gdyn_outcome *outcome) {
    return (gdyn_view){.outcome = outcome,
                       .start = gdyn_study_start(outcome->study),
                       .stride = 1,
                       .archive = &outcome->result->archive};
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
        count += view->archive->design[i]->evaluated && off_front(mark_of(view, i));
    view->stride = 1 + (count - 1) / (most > 1 ? most : 1);
}

void gdyn_marks_write(gdyn_figure *f, gdyn_view *view, int count, const gdyn_axis *axes,
                      bool numbered, int block[GDYN_MARKS]) {
    int seen = 0;
    /* First how many designs are outside, then a block for each kind. */
    view->clipped = 0;
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        bool outside = false;
        for (int k = 0; k < count && d->evaluated; k++) {
            double value = gdyn_axis_value(&axes[k], d);
            outside |= value < axes[k].low || value > axes[k].high;
        }
        view->clipped += outside;
    }
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++) {
        /* The start design is drawn last, above its own kind. */
        for (int i = 0; i < view->archive->count; i++) {
            const gdyn_design *d = view->archive->design[i];
            bool start = d->serial == 0;
            if (!d->evaluated || (mark == GDYN_MARK_START ? !start : mark_of(view, i) != mark))
                continue;
            if (!(off_front(mark) && view->stride > 1 && seen++ % view->stride != 0)) {
                /* values of a design on the axes, and its number */
                double row[16];
                int columns = 0;
                for (; columns < count; columns++)
                    row[columns] =
                        gdyn_axis_shown(&axes[columns], gdyn_axis_value(&axes[columns], d));
                if (numbered)
                    row[columns++] = (double)d->serial;
                gdyn_figure_row(f, columns, row);
            }
        }
        block[mark] = gdyn_figure_block_end(f);
    }
}

void gdyn_marks_draw(gdyn_figure *f, gdyn_figure_panel *panel, int x, int y,
                     const int block[GDYN_MARKS]) {
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++) {
        gdyn_figure_layer layer = marks[mark];
        layer.block = block[mark];
        layer.column[0] = x, layer.column[1] = y;
        layer.title = NULL;
        gdyn_figure_draw(f, panel, layer);
    }
}

void gdyn_marks_key(gdyn_figure *f, const int block[GDYN_MARKS]) {
    for (gdyn_mark mark = 0; mark < GDYN_MARKS; mark++)
        if (block[mark] > 0)
            gdyn_figure_entry(f, marks[mark]);
}

void gdyn_marks_title(gdyn_figure *f, const gdyn_view *view) {
    int unknown = 0, clipped = view->clipped;
    /* Count what the picture cannot show. */
    for (int i = 0; i < view->archive->count; i++)
        unknown += !view->archive->design[i]->evaluated;
    gdyn_figure_text(f, GDYN_HEADING, "%s: %d design%s, %d feasible",
                     gdyn_picture_name(view->outcome->case_name).text, view->archive->count,
                     gdyn_plural(view->archive->count),
                     view->outcome->result->final.status[GDYN_DESIGN_OK]);
    /* What is missing, and why. */
    gdyn_text text = {0};
    if (unknown > 0)
        gdyn_text_printf(&text, "%d without values%s", unknown,
                         gdyn_view_start(view) ? "" : " (the start design, too)");
    if (clipped > 0)
        gdyn_text_printf(&text, "%s%d outside the axes", unknown ? " and " : "", clipped);
    if (unknown + clipped > 0)
        gdyn_text_printf(&text, " %s not shown", unknown + clipped == 1 ? "is" : "are");
    if (view->stride > 1)
        gdyn_text_printf(&text, "%sone in %d of those off the front is shown",
                         unknown + clipped ? "; " : "", view->stride);
    gdyn_figure_text(f, GDYN_REMARK, "%s", text.data ? text.data : "");
    gdyn_text_free(&text);
}
