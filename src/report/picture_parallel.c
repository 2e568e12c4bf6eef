/* picture_parallel.c - the front in parallel coordinates (Inselberg 1985): an axis for every design
 * variable, objective and constraint, a line for every design, coloured by the first objective.
 *
 * A variable's axis spans its bounds, the others what the front spans. More axes than can be read side
 * by side go to further rows. The palette's lightness grows evenly, so that it survives grey prints
 * and colour-blind eyes (points of the cividis map, Nunez, Anderton, Renslow 2018). */
#include "report/picture_study.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In a column: at the left, at the right, least for an axis, height of the axes, pixels between lines of text. */
enum { MARGIN = 12, EDGE = 22, SLOT = 72, HIGH = 130, LINE = 17 };
enum { WIDTH = 1400, ROW_HEIGHT = 430, ROWS_MOST = 5, LEFT = 70, RIGHT = 170, LINES_MOST = 400 };

typedef struct picture {
    gdyn_view view;
    gdyn_script script;
    int count;       /* axes shown */
    int left_out;    /* axes for which there is no room */
    gdyn_axis *axis; /* count */
    gdyn_axis scale; /* of the colours: the first objective over the front */
    int rows, per_row;
    int height;
    int step; /* every so many-th design of the front is drawn: more lines cannot be told apart */
} picture;

/* --- axes ------------------------------------------------------------------------------------- */

/* Takes a value into a window that is empty or a single value, and where that does not press it into a quarter of the axis. */
static void include(double *low, double *high, double value) {
    double wide = fmax(*high, value) - fmin(*low, value);
    if (!(*low < *high) || wide <= 4 * (*high - *low)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* Window of an objective or constraint: the front, with the start and the limit if they are near. */
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
    if (axis->kind == GDYN_AXIS_CONSTRAINT)
        include(&low, &high, pic->view.start->requirement[axis->index].right);
    gdyn_axis_window(axis, low, high, 0);
}

/* The colours span the front; the axis of the first objective may hold the start, too. */
static void make_scale(picture *pic) {
    const gdyn_archive *front = &pic->view.outcome->result->front;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < front->count; i++) {
        low = fmin(low, front->design[i]->objective[0]);
        high = fmax(high, front->design[i]->objective[0]);
    }
    pic->scale = gdyn_axis_make(&pic->view, GDYN_AXIS_OBJECTIVE, 0);
    gdyn_axis_window(&pic->scale, low, high, 0);
}

/* Axes side by side: as many as leave room for the longest name. */
static int axes_in_row(const picture *pic) {
    if (gdyn_script_narrow(&pic->script))
        return (int)((pic->script.wide - MARGIN - EDGE) / SLOT);
    size_t longest = 9;
    for (int i = 0; i < pic->count; i++) {
        size_t length = strlen(pic->axis[i].name);
        longest = length > longest ? length : longest;
    }
    /* pixels of a name, at most 22 letters */
    int wide = 9 * (int)(longest < 22 ? longest : 22) + 12;
    int most = (WIDTH - LEFT - RIGHT) / wide + 1;
    return most < 4 ? 4 : most > 11 ? 11 : most;
}

/* Rows of about the same length. */
static void make_rows(picture *pic) {
    int most = axes_in_row(pic);
    pic->rows = (pic->count + most - 1) / most;
    pic->per_row = (pic->count + pic->rows - 1) / pic->rows;
}

/* All axes, divided into rows; false: memory. */
static bool make_axes(picture *pic) {
    const gdyn_instance *start = pic->view.start;
    int all = start->design_count + start->objective_count + start->requirement_count;
    pic->axis = gdyn_alloc((size_t)all, sizeof *pic->axis);
    if (!pic->axis)
        return false;
    /* variables, objectives, constraints */
    const int counts[] = {start->design_count, start->objective_count, start->requirement_count};
    for (gdyn_axis_kind kind = GDYN_AXIS_VARIABLE; kind <= GDYN_AXIS_CONSTRAINT; kind++)
        for (int i = 0; i < counts[kind]; i++) {
            gdyn_axis *axis = &pic->axis[pic->count++];
            *axis = gdyn_axis_make(&pic->view, kind, i);
            if (kind == GDYN_AXIS_VARIABLE)
                gdyn_axis_window(axis, start->design[i].min, start->design[i].max, 0);
            else
                window_of_front(pic, axis);
        }
    int most = axes_in_row(pic);
    if (all > ROWS_MOST * most) {
        /* Objectives and constraints stay; the last variables go. */
        int room = ROWS_MOST * most, goals = all - start->design_count;
        int variables = room > goals ? room - goals : 0;
        pic->left_out = all - (variables + goals < room ? variables + goals : room);
        memmove(pic->axis + variables, pic->axis + start->design_count,
                (size_t)goals * sizeof *pic->axis);
        pic->count = all - pic->left_out;
    }
    make_rows(pic);
    pic->height = 90 + pic->rows * ROW_HEIGHT;
    return true;
}

/* --- data ------------------------------------------------------------------------------------- */

/* The design's line over the axes of a row: place, height as a share of the axis, first objective. */
static void write_line(picture *pic, int first, int last, const gdyn_design *d) {
    gdyn_text *out = &pic->script.data;
    for (int i = first; i < last; i++) {
        const gdyn_axis *axis = &pic->axis[i];
        /* values beyond the axis end just outside of it */
        double share = (gdyn_axis_value(axis, d) - axis->low) / (axis->high - axis->low);
        gdyn_text_printf(out, "%d %.6g %.9g\n", i - first + 1, fmin(fmax(share, -0.04), 1.04) + 0.0,
                         gdyn_axis_shown(&pic->scale, d->objective[0]));
    }
    gdyn_text_append(out, "\n", 1);
}

/* A block with the lines of the front and one with the start's; -1 where there is none. */
static int write_front(picture *pic, int first, int last) {
    const gdyn_archive *front = &pic->view.outcome->result->front;
    for (int i = 0; i < front->count; i += pic->step)
        write_line(pic, first, last, front->design[i]);
    return front->count > 0 ? gdyn_script_end_block(&pic->script) : -1;
}

/* The line of the start design; -1: it has no values. */
static int write_start(picture *pic, int first, int last) {
    const gdyn_design *start = gdyn_view_start(&pic->view);
    if (!start)
        return -1;
    write_line(pic, first, last, start);
    return gdyn_script_end_block(&pic->script);
}

/* --- script ----------------------------------------------------------------------------------- */

/* End of an axis as text: a number, or the name of a choice. */
static void end_text(const picture *pic, const gdyn_axis *axis, double value, char *out,
                     size_t size) {
    const gdyn_design_variable *variable =
        axis->kind == GDYN_AXIS_VARIABLE ? &pic->view.start->design[axis->index] : NULL;
    char cut[40];
    if (variable && variable->choices > 0)
        gdyn_script_quote(gdyn_shorten(gdyn_case_choice_name(variable, value), 14, cut, sizeof cut),
                          out, size);
    else
        gdyn_axis_number(axis, value, out, size);
}

/* "maximized", "minimized"; "≥ 80"; nothing for a variable. */
static void sense_text(const picture *pic, const gdyn_axis *axis, char *out, size_t size) {
    *out = '\0';
    if (axis->kind == GDYN_AXIS_OBJECTIVE)
        snprintf(out, size, "%s",
                 pic->view.start->objective[axis->index].maximize ? "maximized" : "minimized");
    /* a constraint with its limit */
    if (axis->kind == GDYN_AXIS_CONSTRAINT) {
        const gdyn_requirement *r = &pic->view.start->requirement[axis->index];
        char number[60];
        snprintf(out, size, "%s %s",
                 r->relation > 0   ? "≥"
                 : r->relation < 0 ? "≤"
                                   : "=",
                 gdyn_axis_number(axis, r->right, number, sizeof number));
    }
}

/* The limit of a constraint as a short red bar across its axis. */
static void draw_limit(picture *pic, const gdyn_axis *axis, int place) {
    if (axis->kind != GDYN_AXIS_CONSTRAINT)
        return;
    const gdyn_requirement *r = &pic->view.start->requirement[axis->index];
    double share = (r->right - axis->low) / (axis->high - axis->low);
    if (!(share >= 0 && share <= 1))
        return;
    gdyn_script_line(&pic->script,
                     "set arrow from first %.3f,%.6g to first %.3f,%.6g nohead lw 4 "
                     "lc rgb '#D55E00' front",
                     place - 0.06, share, place + 0.06, share);
}

/* An axis: its line, the values at its ends, name, unit, sense, limit. */
static void draw_axis(picture *pic, const gdyn_axis *axis, int place) {
    char low[60], high[60], name[300], cut[300], unit[60], sense[80];
    double above = 1.075, below[] = {-0.075, -0.17, -0.25, -0.325};
    gdyn_script *script = &pic->script;
    sense_text(pic, axis, sense, sizeof sense);
    end_text(pic, axis, axis->low, low, sizeof low);
    end_text(pic, axis, axis->high, high, sizeof high);
    gdyn_script_quote(gdyn_shorten(axis->name, 22, cut, sizeof cut), name, sizeof name);
    if (gdyn_script_narrow(script)) {
        double each = (script->wide - MARGIN - EDGE) / pic->per_row, pixel = 1.1 / HIGH;
        gdyn_column_shorten(name, each - 6, cut);
        snprintf(name, sizeof name, "%s", cut);
        above = 1 + 0.8 * LINE * pixel;
        for (int i = 0; i < 4; i++)
            below[i] = -(i + 0.8) * LINE * pixel;
    }
    gdyn_script_line(script,
                     "set arrow from first %d,0 to first %d,1 nohead lw 1.4 lc rgb '#333333' front",
                     place, place);
    gdyn_script_line(script, "set label \"%s\" at first %d,%.4g center font ',11'", high, place,
                     above);
    gdyn_script_line(script, "set label \"%s\" at first %d,%.4g center font ',11'", low, place,
                     below[0]);
    gdyn_script_line(script, "set label \"%s\" at first %d,%.4g center", name, place, below[1]);
    gdyn_script_line(script, "set label \"%s\" at first %d,%.4g center font ',11'",
                     gdyn_axis_unit(axis, unit, sizeof unit), place, below[2]);
    gdyn_script_line(script, "set label '%s' at first %d,%.4g center font ',10' tc rgb '#555555'",
                     sense, place, below[3]);
    draw_limit(pic, axis, place);
}

/* Palette and colour box of the first objective. */
static void draw_scale(picture *pic) {
    char label[200];
    const gdyn_axis *scale = &pic->scale;
    gdyn_script_line(&pic->script,
                     "set palette defined (0 '#00224E', 0.25 '#434E6C', 0.5 '#7D7C78', "
                     "0.75 '#BCAF6F', 1 '#F2DA3C')");
    gdyn_script_line(&pic->script, "set cbrange [%.9g:%.9g]\nset cbtics %.9g format '%%g'",
                     gdyn_axis_shown(scale, scale->low), gdyn_axis_shown(scale, scale->high),
                     scale->step);
    /* the colour of a single design says nothing; in a column the last row has the scale */
    if (pic->view.outcome->result->front.count == 1 || gdyn_script_narrow(&pic->script)) {
        gdyn_script_line(&pic->script, "unset colorbox");
        return;
    }
    gdyn_script_line(&pic->script,
                     "set colorbox user origin screen %.4f,%.4f size screen 0.012,%.4f",
                     (WIDTH - 105.0) / WIDTH, 1 - (60 + 0.80 * ROW_HEIGHT) / pic->height,
                     0.58 * ROW_HEIGHT / pic->height);
    gdyn_page_note(&pic->script, 1 - 20.0 / WIDTH, 1 - (40 + 0.22 * ROW_HEIGHT) / pic->height,
                   "right font ',11'", "%s",
                   gdyn_axis_label(&pic->view, scale, NULL, label, sizeof label));
}

/* Lines of text below a row: value and name, and as far as some axis has them unit and sense. */
static int lines_below(const picture *pic, int row) {
    int first = row * pic->per_row, lines = 2;
    for (int i = first; i < first + pic->per_row && i < pic->count; i++) {
        char unit[60], sense[80];
        sense_text(pic, &pic->axis[i], sense, sizeof sense);
        gdyn_axis_unit(&pic->axis[i], unit, sizeof unit);
        lines = *sense ? 4 : *unit && lines < 3 ? 3 : lines;
    }
    return lines;
}

/* The same in a column: every axis has the same room for its texts; the scale of colours below the last row. */
static void place_row(picture *pic, int row) {
    char label[200];
    bool scaled = row + 1 == pic->rows && pic->view.outcome->result->front.count > 1;
    gdyn_script_line(&pic->script, "set xrange [0.5:%d.5]", pic->per_row);
    gdyn_page_margin(&pic->script, MARGIN);
    gdyn_page_cell(&pic->script, 0, 1, false, HIGH);
    gdyn_page_spare(&pic->script, 1.3 * LINE, lines_below(pic, row) * LINE);
    gdyn_page_scale(&pic->script, scaled ? gdyn_axis_shown(&pic->scale, pic->scale.low) : NAN,
                    gdyn_axis_shown(&pic->scale, pic->scale.high), true);
    gdyn_page_label(
        &pic->script, 'x',
        scaled ? gdyn_axis_label(&pic->view, &pic->scale, NULL, label, sizeof label) : "", "");
}

/* A row of axes with the lines of all designs over them. */
static void plot_row(picture *pic, int row) {
    int first = row * pic->per_row, last = first + pic->per_row;
    last = last < pic->count ? last : pic->count;
    /* its place on the page */
    double top = 1 - (80.0 + row * ROW_HEIGHT) / pic->height;
    double bottom = top - (ROW_HEIGHT - 125.0) / pic->height;
    gdyn_page_rows(&pic->script, top, bottom);
    if (gdyn_script_narrow(&pic->script))
        place_row(pic, row);
    else
        gdyn_script_line(&pic->script, "set xrange [0.9:%.3f]", fmax(pic->per_row, 2) + 0.1);
    /* axes below, lines above */
    for (int i = first; i < last; i++)
        draw_axis(pic, &pic->axis[i], i - first + 1);
    int front = write_front(pic, first, last), start = write_start(pic, first, last);
    gdyn_plot(&pic->script, front, "1:2:3 with linespoints pt 7 ps 0.35 lw 1.3 lc palette notitle");
    gdyn_plot(&pic->script, start,
              "1:2 with linespoints dt (8,5) lw 3 pt 9 ps 1.3 lc rgb '#D55E00' notitle");
    gdyn_plot_end(&pic->script);
    gdyn_script_line(&pic->script, "unset label\nunset arrow\nunset colorbox");
}

/* What is shown, and what is left out. */
static void heading(picture *pic) {
    char name[200], left_out[80] = "", drawn[40] = "";
    const gdyn_study_result *result = pic->view.outcome->result;
    double left = (double)LEFT / WIDTH, y = 1 - 24.0 / pic->height;
    gdyn_script_heading(pic->view.outcome->case_name, name, sizeof name);
    if (pic->left_out > 0)
        snprintf(left_out, sizeof left_out, " (the last %d design variables are left out)",
                 pic->left_out);
    if (pic->step > 1)
        snprintf(drawn, sizeof drawn, ", one in %d is drawn", pic->step);
    if (result->front.count == 1)
        gdyn_page_heading(&pic->script, left, y, "%s: the one design of the front%s", name,
                          left_out);
    else if (result->front.count > 0)
        gdyn_page_heading(&pic->script, left, y, "%s: the %d designs of the front%s%s", name,
                          result->front.count, drawn, left_out);
    else
        gdyn_page_heading(&pic->script, left, y, "%s: no design is feasible%s", name, left_out);
    gdyn_page_note(&pic->script, 1 - 20.0 / WIDTH, y, "right font ',11' tc rgb '#D55E00'", "%s",
                   gdyn_view_start(&pic->view) ? "dashed, triangles: start design"
                                               : "the start design has no values");
}

/* The page: heading, colours, rows. */
static void draw(picture *pic) {
    gdyn_script_begin(&pic->script, "", "parallel", WIDTH, pic->height);
    do {
        make_rows(pic);
        gdyn_script_line(&pic->script, "set multiplot");
        heading(pic);
        gdyn_page_columns(&pic->script, (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH);
        gdyn_script_line(&pic->script,
                         "unset border\nunset tics\nunset key\nset yrange [-0.05:1.05]");
        gdyn_page_numbers(&pic->script, 'x', false);
        if (pic->view.outcome->result->front.count > 0)
            draw_scale(pic);
        for (int row = 0; row < pic->rows; row++)
            plot_row(pic, row);
        gdyn_script_line(&pic->script, "unset multiplot");
    } while (gdyn_script_again(&pic->script));
}

gdyn_status gdyn_picture_parallel(const char *folder, const gdyn_outcome *outcome,
                                  const gdyn_sink *sink) {
    picture pic = {0};
    if (!gdyn_view_create(&pic.view, outcome))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = GDYN_ERROR_MEMORY;
    make_scale(&pic);
    pic.step = 1 + (outcome->result->front.count - 1) / LINES_MOST;
    if (make_axes(&pic)) {
        draw(&pic);
        status = gdyn_script_finish(&pic.script, folder, sink);
    }
    gdyn_free(pic.axis);
    gdyn_view_destroy(&pic.view);
    return status;
}
