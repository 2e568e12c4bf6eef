/* picture_parallel.c - the front in parallel coordinates (Inselberg 1985): an axis for every
 * design variable, objective and constraint, a line for every design, coloured by the first
 * objective.
 *
 * A variable's axis spans its bounds, the others what the front spans. More axes than can be
 * read side by side go to further rows. The palette's lightness grows evenly, so that it
 * survives grey prints and colour-blind eyes (points of the cividis map, Nunez, Anderton,
 * Renslow 2018). */
#include "report/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXES_MOST = 55, LINES_MOST = 400 };

typedef struct picture {
    gdyn_view view;
    gdyn_figure *figure;
    int count;       /* axes shown */
    int left_out;    /* axes for which there is no room */
    gdyn_axis *axis; /* count */
    gdyn_axis scale; /* of the colours: the first objective over the front */
    int step; /* every so many-th design of the front is drawn: more lines cannot be distinguished */
} picture;

/* --- axes ------------------------------------------------------------------------------------- */

/* Takes a value into a window that is empty or a single value, and where that does not press it
 * into a quarter of the axis. */
static void include(double *low, double *high, double value) {
    double wide = fmax(*high, value) - fmin(*low, value);
    if (!(*low < *high) || wide <= 4 * (*high - *low)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* Window of an objective or constraint: the front, with the start and the limit if they are
 * near. */
static void window_of_front(const picture *pic, gdyn_axis *axis) {
    const gdyn_archive *front = &pic->view.outcome->result->front;
    const gdyn_design *start = gdyn_view_start(&pic->view);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < front->count; i++) {
        double value = gdyn_axis_value(axis, front->design[i]);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    /* the start and the limit, unless they are far off */
    if (start)
        include(&low, &high, gdyn_axis_value(axis, start));
    if (axis->of.kind == GDYN_TRAIT_CONSTRAINT)
        include(&low, &high, pic->view.start->requirement[axis->of.index].right);
    gdyn_axis_window(axis, low, high, 0);
}

/* All axes; false: memory. */
static bool make_axes(picture *pic) {
    const gdyn_instance *start = pic->view.start;
    int all = start->design_count + start->objective_count + start->requirement_count;
    pic->axis = gdyn_alloc((size_t)all, sizeof *pic->axis);
    if (!pic->axis)
        return false;
    /* variables, objectives, constraints */
    const int counts[] = {start->design_count, start->objective_count, start->requirement_count};
    for (gdyn_trait_kind kind = GDYN_TRAIT_VARIABLE; kind <= GDYN_TRAIT_CONSTRAINT; kind++)
        for (int i = 0; i < counts[kind]; i++) {
            gdyn_axis *axis = &pic->axis[pic->count++];
            *axis = gdyn_axis_make(&pic->view, kind, i, pic->figure);
            if (kind == GDYN_TRAIT_VARIABLE)
                gdyn_axis_window(axis, start->design[i].min, start->design[i].max, 0);
            else
                window_of_front(pic, axis);
        }
    if (all > AXES_MOST) {
        /* Objectives and constraints stay; the last variables go. */
        int goals = all - start->design_count;
        int variables = AXES_MOST > goals ? AXES_MOST - goals : 0;
        pic->left_out = all - (variables + goals < AXES_MOST ? variables + goals : AXES_MOST);
        memmove(pic->axis + variables, pic->axis + start->design_count,
                (size_t)goals * sizeof *pic->axis);
        pic->count = all - pic->left_out;
    }
    return true;
}

/* --- data ------------------------------------------------------------------------------------- */

/* The design's line over the axes: place, height as a share of the axis, first objective. */
static void write_line(picture *pic, const gdyn_design *d) {
    for (int i = 0; i < pic->count; i++) {
        const gdyn_axis *axis = &pic->axis[i];
        /* values beyond the axis end just outside of it */
        double share = (gdyn_axis_value(axis, d) - axis->low) / (axis->high - axis->low);
        gdyn_figure_put(pic->figure, i + 1, fmin(fmax(share, -0.04), 1.04) + 0.0,
                        gdyn_axis_shown(&pic->scale, d->objective[0]));
    }
    gdyn_figure_gap(pic->figure);
}

static void draw_lines(picture *pic, gdyn_figure_panel *panel) {
    const gdyn_archive *front = &pic->view.outcome->result->front;
    const gdyn_design *start = gdyn_view_start(&pic->view);
    gdyn_figure *f = pic->figure;
    for (int i = 0; i < front->count; i += pic->step)
        write_line(pic, front->design[i]);
    gdyn_draw(f, panel, GDYN_TRAIL, .point = GDYN_DOT, .size = 0.35, .width = 1.3,
              .colouring = GDYN_PALETTE);
    if (start)
        write_line(pic, start);
    gdyn_draw(f, panel, GDYN_TRAIL, .point = GDYN_TRIANGLE, .size = 1.3, .width = 3,
              .dash = "(8,5)", .colour = 0xD55E00, .title = "start design");
    if (!start)
        gdyn_figure_text(f, GDYN_ALARM, "the start design has no values");
}

/* --- axes as texts ---------------------------------------------------------------------------- */

/* End of an axis as text: a number, or the name of a choice. */
static const char *end_text(const picture *pic, const gdyn_axis *axis, double value) {
    const gdyn_design_variable *variable =
        axis->of.kind == GDYN_TRAIT_VARIABLE ? &pic->view.start->design[axis->of.index] : NULL;
    if (variable && variable->choices > 0)
        return gdyn_figure_words(pic->figure, "%s",
                                 gdyn_shorten(gdyn_case_choice_name(variable, value), 14).text);
    return gdyn_figure_words(pic->figure, "%s", gdyn_axis_number(axis, value).text);
}

/* "maximized", "minimized"; "≥ 80"; nothing for a variable. */
static const char *sense_text(const picture *pic, const gdyn_axis *axis) {
    if (axis->of.kind == GDYN_TRAIT_OBJECTIVE)
        return pic->view.start->objective[axis->of.index].maximize ? "maximized" : "minimized";
    if (axis->of.kind == GDYN_TRAIT_VARIABLE)
        return "";
    const gdyn_requirement *r = &pic->view.start->requirement[axis->of.index];
    return gdyn_figure_words(pic->figure, "%s %s",
                             r->relation > 0   ? "≥"
                             : r->relation < 0 ? "≤"
                                               : "=",
                             gdyn_axis_number(axis, r->right).text);
}

/* An axis: its line, the values at its ends, name, unit, sense, the limit of a constraint. */
static void add_axis(picture *pic, const gdyn_axis *axis) {
    double limit = NAN;
    if (axis->of.kind == GDYN_TRAIT_CONSTRAINT)
        limit = (pic->view.start->requirement[axis->of.index].right - axis->low) /
                (axis->high - axis->low);
    gdyn_figure_parallel(
        pic->figure,
        &(gdyn_figure_bar){gdyn_shorten(axis->of.name, 30).text, end_text(pic, axis, axis->low),
                           end_text(pic, axis, axis->high), gdyn_axis_unit(axis, pic->figure),
                           sense_text(pic, axis), limit >= 0 && limit <= 1 ? limit : NAN});
}

/* What is shown, and what is left out. */
static void heading(picture *pic) {
    char left_out[80] = "", drawn[40] = "";
    int count = pic->view.outcome->result->front.count;
    gdyn_figure *f = pic->figure;
    gdyn_shortened name = gdyn_picture_name(pic->view.outcome->case_name);
    if (pic->left_out > 0)
        snprintf(left_out, sizeof left_out, " (the last %d design variables are left out)",
                 pic->left_out);
    if (pic->step > 1)
        snprintf(drawn, sizeof drawn, ", one in %d is drawn", pic->step);
    if (count > 1)
        gdyn_figure_text(f, GDYN_HEADING, "%s: the %d designs of the front%s%s", name.text, count,
                         drawn, left_out);
    else
        gdyn_figure_text(f, GDYN_HEADING, "%s: %s%s", name.text,
                         count ? "the one design of the front" : "no design is feasible", left_out);
}

void gdyn_parallel_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    picture pic = {.figure = f,
                   .view = gdyn_view_of(outcome),
                   .step = 1 + (outcome->result->front.count - 1) / LINES_MOST};
    gdyn_figure_begin(f, "", "parallel", 1200);
    /* the colours span the front; the axis of the first objective may hold the start, too */
    const gdyn_archive *front = &pic.view.outcome->result->front;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < front->count; i++) {
        low = fmin(low, front->design[i]->objective[0]);
        high = fmax(high, front->design[i]->objective[0]);
    }
    pic.scale = gdyn_axis_make(&pic.view, GDYN_TRAIT_OBJECTIVE, 0, pic.figure);
    gdyn_axis_window(&pic.scale, low, high, 0);
    if (make_axes(&pic)) {
        heading(&pic);
        gdyn_figure_panel *panel = gdyn_figure_add(f);
        for (int i = 0; i < pic.count; i++)
            add_axis(&pic, &pic.axis[i]);
        /* the colour of a single design says nothing */
        if (front->count > 1)
            panel->colour = gdyn_axis_of_result(&pic.scale, 30, f);
        draw_lines(&pic, panel);
    } else {
        f->failed = true;
    }
    gdyn_free(pic.axis);
}
