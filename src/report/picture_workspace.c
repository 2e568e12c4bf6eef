/* picture_workspace.c - what a machine can do over its workspace: a curve over a line, a map of every value over a plane,
 * slices of a box.
 *
 * Colour is the value (dark to light, as grey prints show it, too), with contour lines at the tics of the scale. Grey: not
 * reached. Hatched: assembled, but on no way of the start's mode. White: no finite value. Dotted: reached, but below what
 * the case requires. */
#include "report/picture.h"
#include "report/workspace_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MOST = 6, COLUMNS = 3, SLICES_MOST = 4, ROWS_MOST = 4, LEVELS = 6 };

/* Shares of the nodes beyond both ends of a scale, where single nodes would stretch it more than so many times. */
static const double TAIL = 0.02, STRETCHED = 3;

/* Values in the order in which they are of interest. */
static const int wanted[] = {GDYN_FIELD_ACCEL,  GDYN_FIELD_FORCE,      GDYN_FIELD_DEXTERITY,
                             GDYN_FIELD_LOAD,   GDYN_FIELD_CLEARANCE,  GDYN_FIELD_STIFFNESS,
                             GDYN_FIELD_MARGIN, GDYN_FIELD_SINGULARITY};
enum { WANTED = sizeof wanted / sizeof *wanted };

static const char *const axis_name[] = {"x", "y", "z"};
static const char *const titles[] = {"x [m]", "y [m]", "z [m]"};

/* A value and its scale. */
typedef struct scale {
    int value; /* GDYN_FIELD_... */
    double low, high, step;
    bool cut; /* some values are beyond it */
} scale;

typedef struct picture {
    const gdyn_workspace_field *field;
    gdyn_script script;
    int right, up, through; /* axes of a map, and that of the slices */
    int height;             /* of the page [px] */
    int scales;
    scale scale[WANTED];
} picture;

/* Where a panel stands on the page. */
typedef struct place {
    double left, right, top, bottom;
    int cell, cells; /* of a row in a column */
    bool lowest;     /* no map stands below */
} place;

/* --- scales ----------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The finite values of the reached nodes in their order; their number. */
static int sorted_values(const gdyn_workspace_field *field, int value, double *out) {
    int count = 0;
    for (int i = 0; i < field->nodes; i++) {
        double v = gdyn_field_value(field, i, value);
        if (field->status[i] == GDYN_NODE_REACHED && isfinite(v))
            out[count++] = v;
    }
    qsort(out, (size_t)count, sizeof *out, compare);
    return count;
}

/* The scale of a value; false: it has none, or is the same everywhere. */
static bool make_scale(const gdyn_workspace_field *field, int value, double *sorted, scale *s) {
    int count = sorted_values(field, value, sorted);
    *s = (scale){.value = value};
    if (count < 2)
        return false;
    s->low = sorted[0];
    s->high = sorted[count - 1];
    /* beyond its limits a drive cannot hold: by how much is of no interest */
    bool overload = value == GDYN_FIELD_LOAD && s->low < 1 && s->high > 1;
    if (overload)
        s->high = 1;
    /* a few extreme nodes must not take all colours */
    double low = sorted[(int)(TAIL * (count - 1))], high = sorted[(int)((1 - TAIL) * (count - 1))];
    s->cut = overload;
    if (!overload && high > low && s->high - s->low > STRETCHED * (high - low))
        s->low = low, s->high = high, s->cut = true;
    if (!(s->high - s->low > 1e-9 * fmax(fabs(s->low), fabs(s->high))))
        return false;
    s->step = gdyn_round_step(s->high - s->low, LEVELS);
    return true;
}

/* At most `most` values that vary; false: memory. */
static bool make_scales(picture *pic, int most) {
    double *sorted = gdyn_alloc((size_t)pic->field->nodes, sizeof *sorted);
    for (int i = 0; i < WANTED && sorted && pic->scales < most; i++)
        pic->scales += make_scale(pic->field, wanted[i], sorted, &pic->scale[pic->scales]);
    gdyn_free(sorted);
    return sorted != NULL;
}

/* "accel [m/s^2]" */
static void title_of(const scale *s, char *out, size_t size) {
    gdyn_words words =
        gdyn_axis_title(NULL, (gdyn_criterion)(GDYN_WORKSPACE_DEXTERITY + s->value), "");
    snprintf(out, size, "%s%s", words.text, s->cut ? ", ends cut" : "");
}

/* --- maps ------------------------------------------------------------------------------------- */

/* The node of a map. */
static int node_at(const picture *pic, int column, int row, int slice) {
    int index[3], node = 0;
    index[pic->right] = column;
    index[pic->up] = row;
    index[pic->through] = slice;
    for (int a = 2; a >= 0; a--)
        node = node * pic->field->count[a] + index[a];
    return node;
}

/* The side of a node's cell along an axis: half way to the neighbour, or as far beyond the end of the axis. */
static double side_of(const gdyn_workspace_field *field, int a, int i, int way) {
    const double *x = field->axis[a];
    int next = i + way;
    if (next < 0 || next >= field->count[a])
        next = i - way;
    return x[i] + 0.5 * way * fabs(x[next] - x[i]);
}

/* A cell's line: middle, sides, value. */
static void put_cell(picture *pic, int column, int row, double value) {
    const gdyn_workspace_field *f = pic->field;
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n",
                     f->axis[pic->right][column], f->axis[pic->up][row],
                     side_of(f, pic->right, column, -1), side_of(f, pic->right, column, 1),
                     side_of(f, pic->up, row, -1), side_of(f, pic->up, row, 1), value);
}

/* What a block of cells shows. */
typedef enum cells { CELLS_VALUE, CELLS_WHITE, CELLS_ELSEWHERE, CELLS_LACKING } cells;

static bool is_cell(const gdyn_workspace_field *field, int node, int value, cells what) {
    bool reached = field->status[node] == GDYN_NODE_REACHED;
    bool finite = isfinite(gdyn_field_value(field, node, value));
    switch (what) {
    case CELLS_VALUE:
        return reached && finite;
    case CELLS_WHITE:
        return reached && !finite;
    case CELLS_ELSEWHERE:
        return field->status[node] == GDYN_NODE_ELSEWHERE;
    default:
        return reached && !gdyn_node_serves(field, node);
    }
}

/* Cells of that sort; the index of their block, -1: there are none. */
static int put_cells(picture *pic, int slice, int value, cells what) {
    const gdyn_workspace_field *f = pic->field;
    int count = 0;
    for (int row = 0; row < f->count[pic->up]; row++)
        for (int column = 0; column < f->count[pic->right]; column++) {
            int node = node_at(pic, column, row, slice);
            if (!is_cell(f, node, value, what))
                continue;
            put_cell(pic, column, row, gdyn_field_value(f, node, value));
            count++;
        }
    return count ? gdyn_script_end_block(&pic->script) : -1;
}

/* The values line by line, for contours. */
static int put_grid(picture *pic, int slice, int value) {
    const gdyn_workspace_field *f = pic->field;
    for (int row = 0; row < f->count[pic->up]; row++) {
        for (int column = 0; column < f->count[pic->right]; column++) {
            int node = node_at(pic, column, row, slice);
            bool known = is_cell(f, node, value, CELLS_VALUE);
            gdyn_text_printf(&pic->script.data, "%.9g %.9g ", f->axis[pic->right][column],
                             f->axis[pic->up][row]);
            gdyn_text_printf(&pic->script.data, known ? "%.9g\n" : "NaN\n",
                             gdyn_field_value(f, node, value));
        }
        gdyn_text_printf(&pic->script.data, "\n");
    }
    return gdyn_script_end_block(&pic->script);
}

/* Contour lines into a table of gnuplot; at least two nodes each way are needed. */
static void make_contours(picture *pic, int slice, const scale *s) {
    int block = put_grid(pic, slice, s->value);
    if (gdyn_script_narrow(&pic->script)) /* gnuplot writes them as it writes numbers of axes */
        gdyn_script_line(&pic->script, "set format x '%%.7g'\nset format y '%%.7g'");
    gdyn_script_line(&pic->script,
                     "set contour base\nunset surface\n"
                     "set cntrparam levels incremental %.9g,%.9g,%.9g\n"
                     "set table $contours\nsplot data index %d using 1:2:3 notitle\n"
                     "unset table\nunset contour\nset surface",
                     s->step * ceil(s->low / s->step), s->step, s->high, block);
}

/* The prescribed box, dashed, where the slice passes it. */
static void draw_box(picture *pic, int slice) {
    const gdyn_workspace_def *d = pic->field->def;
    double at = pic->field->axis[pic->through][slice];
    double slack = 1e-9 * (d->to[pic->through] - d->from[pic->through]);
    if (!d->boxed || at < d->box_from[pic->through] - slack || at > d->box_to[pic->through] + slack)
        return;
    gdyn_script_line(&pic->script,
                     "set object rectangle from first %.9g,%.9g to first %.9g,%.9g front fs empty "
                     "border lc rgb '#D55E00' lw 2",
                     d->box_from[pic->right], d->box_from[pic->up], d->box_to[pic->right],
                     d->box_to[pic->up]);
}

/* Distance of the marks below a map: as many as have room for their numbers side by side. */
static double marks_below(const picture *pic, const place *at) {
    enum { WIDTH = 1280, LETTER = 9 };
    if (gdyn_script_narrow(&pic->script)) /* column.c chooses them */
        return gdyn_round_step(pic->field->def->to[pic->right] - pic->field->def->from[pic->right],
                               3);
    const gdyn_workspace_def *d = pic->field->def;
    double length = d->to[pic->right] - d->from[pic->right];
    double height = d->to[pic->up] - d->from[pic->up], step = length;
    /* One scale for both axes: the map may be narrower than its place. */
    double wide = fmin((at->right - at->left) * WIDTH,
                       (at->top - at->bottom) * pic->height * length / height);
    for (int parts = 4; parts > 0; parts--) {
        char text[40];
        step = gdyn_round_step(length, parts);
        double most = fmax(fabs(d->from[pic->right]), fabs(d->to[pic->right]));
        int letters = snprintf(text, sizeof text, "%g", -step * floor(most / step + 1e-9)) + 1;
        double marks =
            floor(d->to[pic->right] / step + 1e-9) - ceil(d->from[pic->right] / step - 1e-9) + 1;
        if (marks * letters * LETTER < wide)
            break;
    }
    return step;
}

/* A map as a cell of a column. */
static void set_cell(picture *pic, const place *at, const scale *s, bool bar) {
    static const double MOST = 1.4; /* height over width */
    const gdyn_workspace_field *f = pic->field;
    double wide =
        side_of(f, pic->right, f->count[pic->right] - 1, 1) - side_of(f, pic->right, 0, -1);
    double high = side_of(f, pic->up, f->count[pic->up] - 1, 1) - side_of(f, pic->up, 0, -1);
    gdyn_page_cell(&pic->script, at->cell, at->cells, false, 0);
    gdyn_page_ratio(&pic->script, fmin(high / wide, MOST));
    gdyn_page_scale(&pic->script, bar ? s->low : NAN, s->high, pic->field->dimensions > 2);
    gdyn_page_numbers(&pic->script, 'x', at->lowest);
    gdyn_page_numbers(&pic->script, 'y', at->cell == 0);
}

/* Axes of a map in its place; bar: with its scale of colours. */
static void set_map(picture *pic, const place *at, const scale *s, bool bar) {
    const gdyn_workspace_field *f = pic->field;
    gdyn_page_columns(&pic->script, at->left, at->right);
    gdyn_page_rows(&pic->script, at->top, at->bottom);
    gdyn_page_range(&pic->script, 'x', side_of(f, pic->right, 0, -1),
                    side_of(f, pic->right, f->count[pic->right] - 1, 1));
    gdyn_page_range(&pic->script, 'y', side_of(f, pic->up, 0, -1),
                    side_of(f, pic->up, f->count[pic->up] - 1, 1));
    gdyn_script_line(&pic->script,
                     "set size ratio -1\n"
                     "set xtics %.9g\nset ytics %.9g\nset cbrange [%.9g:%.9g]\nset cbtics %.9g\n%s",
                     marks_below(pic, at),
                     gdyn_round_step(f->def->to[pic->up] - f->def->from[pic->up], 4), s->low,
                     s->high, s->step, bar ? "set colorbox" : "unset colorbox");
    if (gdyn_script_narrow(&pic->script))
        set_cell(pic, at, s, bar);
    /* grey: where nothing is reached */
    gdyn_script_line(&pic->script,
                     "set object rectangle from graph 0,0 to graph 1,1 fc rgb '#C8C8C8' "
                     "fs solid noborder behind");
}

static void plot_map(picture *pic, const place *at, int slice, const scale *s, bool bar) {
    /* values, what has none, other modes, what is not enough */
    int values = put_cells(pic, slice, s->value, CELLS_VALUE);
    int white = put_cells(pic, slice, s->value, CELLS_WHITE);
    int elsewhere = put_cells(pic, slice, s->value, CELLS_ELSEWHERE);
    int lacking = put_cells(pic, slice, s->value, CELLS_LACKING);
    /* gnuplot takes no contours of nothing */
    if (values >= 0)
        make_contours(pic, slice, s);
    set_map(pic, at, s, bar);
    draw_box(pic, slice);
    if (values < 0 && white < 0 && elsewhere < 0 && lacking < 0)
        gdyn_script_line(&pic->script, "set label \"nothing%sreached\" at graph 0.5,0.5 center",
                         gdyn_script_narrow(&pic->script) ? "\\n" : " ");
    /* gnuplot draws the scale of colours beside a plot that takes colours from it */
    if (values < 0 && bar)
        gdyn_plot_more(&pic->script, "NaN with points lc palette notitle");
    if (values >= 0)
        gdyn_plot(&pic->script, values,
                  "1:2:3:4:5:6:7 with boxxyerror fs solid border lw 0.4 lc palette notitle");
    if (white >= 0)
        gdyn_plot(&pic->script, white,
                  "1:2:3:4:5:6 with boxxyerror fs solid noborder lc rgb '#FFFFFF' notitle");
    if (elsewhere >= 0)
        gdyn_plot(&pic->script, elsewhere,
                  "1:2:3:4:5:6 with boxxyerror fs pattern 4 noborder lc rgb '#444444' notitle");
    if (values >= 0)
        gdyn_plot_more(&pic->script,
                       "$contours using 1:2 with lines lw 0.8 lc rgb '#FFFFFF' notitle");
    if (lacking >= 0)
        gdyn_plot(&pic->script, lacking, "1:2 with points pt 7 ps 0.22 lc rgb '#D55E00' notitle");
    gdyn_plot_end(&pic->script);
    gdyn_page_clear(&pic->script);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Whether a reached node is without what the case requires. */
static bool lacks(const gdyn_workspace_field *field) {
    for (int i = 0; i < field->nodes; i++)
        if (is_cell(field, i, GDYN_FIELD_DEXTERITY, CELLS_LACKING))
            return true;
    return false;
}

/* Heading and what colours mean. */
static void head(picture *pic, int height) {
    const gdyn_workspace_field *f = pic->field;
    static const char *const size[] = {"", "m", "m²", "m³"};
    char name[200];
    double line = 20.0 / height;
    pic->height = height;
    gdyn_page_heading(&pic->script, 0.03, 1 - 1.4 * line, "%s: %d of %d nodes reached, %.4g %s",
                      gdyn_script_heading(f->def->name, name, sizeof name), f->reached_count,
                      f->nodes, gdyn_field_size(f, -1, 0), size[f->dimensions]);
    gdyn_page_note(&pic->script, 0.03, 1 - 2.6 * line, "left font ',11' tc rgb '#444444'",
                   "grey: not reached%s%s%s%s%s%s", f->dimensions > 1 ? "" : "; blue: nodes",
                   f->islands > 0 ? "; hatched: in another mode or cut off" : "",
                   f->dimensions > 1 ? "; white: no finite value" : "",
                   lacks(f) ? "; orange dots: below what is required" : "",
                   f->dimensions > 1 && f->def->boxed ? "; frame: the prescribed box" : "",
                   f->orientations > 1 ? f->def->any ? "; best of the orientations reached"
                                                     : "; worst of all orientations"
                                       : "");
    gdyn_script_line(&pic->script,
                     "set palette defined (0 '#00224E', 0.25 '#434E6C', 0.5 '#7D7C78', "
                     "0.75 '#BCAF6F', 1 '#FEE838')");
    gdyn_page_axes(&pic->script);
    gdyn_script_line(&pic->script, "unset key\nunset grid");
}

/* Columns of maps in a column of text. */
static int maps_of(const picture *pic, int most, double least) {
    int columns = gdyn_column_cells(&pic->script, most, least, false);
    while (columns > 1 && most % columns) /* full rows */
        columns--;
    return gdyn_script_narrow(&pic->script) ? columns : most;
}

/* The titles of all maps have as many lines as the longest. */
static void reserve_lines(picture *pic, int columns) {
    int most = 1;
    for (int i = 0; i < pic->scales; i++) {
        char title[160], line[4][300];
        title_of(&pic->scale[i], title, sizeof title);
        int lines =
            gdyn_column_wrap(title, gdyn_column_room(&pic->script, columns, false), 4, line);
        most = lines > most ? lines : most;
    }
    gdyn_page_reserve(&pic->script, most);
}

/* A map of each value. */
static void draw_maps(picture *pic, int height) {
    int columns = maps_of(pic, pic->scales == 4 ? 4 : pic->scales < 3 ? 2 : 2 * COLUMNS, 130);
    bool narrow = gdyn_script_narrow(&pic->script);
    gdyn_script_line(&pic->script, "set multiplot");
    head(pic, height);
    reserve_lines(pic, columns);
    for (int i = 0; i < pic->scales; i++) {
        char title[160];
        double top = 1 - (95.0 + 400 * (i / COLUMNS)) / height, left = 0.07 + 0.32 * (i % COLUMNS);
        bool lowest = i + columns >= pic->scales;
        place at = {left, left + 0.19, top, top - 290.0 / height, i % columns, columns, lowest};
        title_of(&pic->scale[i], title, sizeof title);
        gdyn_page_title(&pic->script, title, "font ',12' offset 0,-0.6");
        gdyn_page_label(&pic->script, 'x', narrow && !lowest ? "" : titles[pic->right], "");
        gdyn_page_label(&pic->script, 'y', (narrow ? i : i % COLUMNS) ? "" : titles[pic->up], "");
        plot_map(pic, &at, 0, &pic->scale[i], true);
    }
    gdyn_script_line(&pic->script, "unset multiplot");
}

static void page_of_maps(picture *pic) {
    int rows = (pic->scales + COLUMNS - 1) / COLUMNS, height = 90 + 400 * rows;
    gdyn_script_begin(&pic->script, pic->field->def->name, "workspace", 1280, height);
    do {
        draw_maps(pic, height);
    } while (gdyn_script_again(&pic->script));
}

/* The slices of one value. */
static void draw_slices(picture *pic, int row, int slices, int height) {
    const gdyn_workspace_field *f = pic->field;
    int count = f->count[pic->through], columns = maps_of(pic, slices, 70);
    bool narrow = gdyn_script_narrow(&pic->script);
    char title[160];
    title_of(&pic->scale[row], title, sizeof title);
    for (int k = 0; k < slices; k++) {
        int slice = slices > 1 ? (int)lround((double)k * (count - 1) / (slices - 1)) : 0;
        double top = 1 - (125.0 + 330 * row) / height, left = 0.075 + 0.215 * k;
        bool last = row + 1 == pic->scales, lowest = last && k + columns >= slices;
        place at = {left, left + 0.155, top, top - 225.0 / height, k % columns, columns, lowest};
        if (k == 0)
            gdyn_page_note(&pic->script, 0.03, top + 34.0 / height, "left font ',13'", "%s", title);
        snprintf(title, sizeof title, narrow ? "%s = %.3g m" : "%s = %.4g m",
                 axis_name[pic->through], f->axis[pic->through][slice]);
        gdyn_page_title(&pic->script, title, "font ',11' offset 0,-0.6");
        gdyn_page_label(&pic->script, 'x', (narrow ? lowest : last) ? titles[pic->right] : "",
                        "offset 0,0.5");
        gdyn_page_label(&pic->script, 'y', k || (narrow && row) ? "" : titles[pic->up], "");
        plot_map(pic, &at, slice, &pic->scale[row], k + 1 == slices);
    }
}

/* Slices, from the first to the last of the axis; a row for each value. */
static void page_of_slices(picture *pic) {
    int count = pic->field->count[pic->through];
    int slices = count < SLICES_MOST ? count : SLICES_MOST, height = 110 + 330 * pic->scales;
    gdyn_script_begin(&pic->script, pic->field->def->name, "workspace", 1280, height);
    do {
        gdyn_script_line(&pic->script, "set multiplot");
        head(pic, height);
        for (int r = 0; r < pic->scales; r++)
            draw_slices(pic, r, slices, height);
        gdyn_script_line(&pic->script, "unset multiplot");
    } while (gdyn_script_again(&pic->script));
}

/* --- curves ----------------------------------------------------------------------------------- */

/* Bands where the line is not reached, hatched where another mode is. */
static void draw_bands(picture *pic) {
    const gdyn_workspace_field *f = pic->field;
    for (int i = 0; i < f->nodes; i++) {
        if (f->status[i] == GDYN_NODE_REACHED)
            continue;
        bool elsewhere = f->status[i] == GDYN_NODE_ELSEWHERE;
        gdyn_script_line(
            &pic->script,
            "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 fc rgb '%s' "
            "fs %s noborder behind",
            side_of(f, pic->right, i, -1), side_of(f, pic->right, i, 1),
            elsewhere ? "#444444" : "#C8C8C8", elsewhere ? "pattern 4" : "solid");
    }
}

static int put_curve(picture *pic, int value) {
    const gdyn_workspace_field *f = pic->field;
    for (int i = 0; i < f->nodes; i++)
        if (is_cell(f, i, value, CELLS_VALUE))
            gdyn_text_printf(&pic->script.data, "%.9g %.9g\n", f->axis[pic->right][i],
                             gdyn_field_value(f, i, value));
        else
            gdyn_text_printf(&pic->script.data, "\n");
    return gdyn_script_end_block(&pic->script);
}

/* Points that are reached without what is required; -1: there are none. */
static int put_lacking(picture *pic, int value) {
    const gdyn_workspace_field *f = pic->field;
    int count = 0;
    for (int i = 0; i < f->nodes; i++)
        if (is_cell(f, i, value, CELLS_LACKING) && is_cell(f, i, value, CELLS_VALUE)) {
            gdyn_text_printf(&pic->script.data, "%.9g %.9g\n", f->axis[pic->right][i],
                             gdyn_field_value(f, i, value));
            count++;
        }
    return count ? gdyn_script_end_block(&pic->script) : -1;
}

/* The curve of one value over the line. */
static void draw_curve(picture *pic, int i, int height) {
    const gdyn_workspace_field *f = pic->field;
    const scale *own = &pic->scale[i];
    double top = 1 - (110.0 + 200 * i) / height, spare = 0.1 * (own->high - own->low);
    int a = pic->right;
    bool last = i + 1 == pic->scales;
    char title[160];
    gdyn_page_columns(&pic->script, 0.11, 0.97);
    gdyn_page_rows(&pic->script, top, top - 125.0 / height);
    title_of(own, title, sizeof title);
    gdyn_script_line(&pic->script, "set ytics %.9g", gdyn_round_step(own->high - own->low, 3));
    gdyn_page_numbers(&pic->script, 'x', last);
    gdyn_page_title(&pic->script, title, "font ',12' offset 0,-0.3");
    gdyn_page_label(&pic->script, 'x', last ? titles[a] : "", "");
    gdyn_page_range(&pic->script, 'x', side_of(f, a, 0, -1), side_of(f, a, f->count[a] - 1, 1));
    gdyn_page_range(&pic->script, 'y', own->low - spare, own->high + spare);
    draw_bands(pic);
    int block = put_curve(pic, own->value), lacking = put_lacking(pic, own->value);
    gdyn_plot(&pic->script, block,
              "1:2 with linespoints pt 7 ps 0.4 lw 1.6 lc rgb '#0072B2' notitle");
    gdyn_plot(&pic->script, lacking, "1:2 with points pt 7 ps 0.4 lc rgb '#D55E00' notitle");
    gdyn_plot_end(&pic->script);
    gdyn_page_clear(&pic->script);
}

static void page_of_curves(picture *pic) {
    int height = 115 + 200 * pic->scales;
    gdyn_script_begin(&pic->script, pic->field->def->name, "workspace", 1000, height);
    do {
        gdyn_script_line(&pic->script, "set multiplot");
        head(pic, height);
        for (int i = 0; i < pic->scales; i++)
            draw_curve(pic, i, height);
        gdyn_script_line(&pic->script, "unset multiplot");
    } while (gdyn_script_again(&pic->script));
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Axes of the pages: the wide ones first. */
static void choose_axes(picture *pic) {
    const gdyn_workspace_field *f = pic->field;
    int wide[3], narrow[3], wides = 0, narrows = 0;
    for (int a = 0; a < 3; a++)
        if (f->count[a] > 1)
            wide[wides++] = a;
        else
            narrow[narrows++] = a;
    pic->right = wide[0];
    pic->up = wides > 1 ? wide[1] : narrow[0];
    pic->through = wides > 2 ? wide[2] : narrow[narrows - 1];
}

gdyn_status gdyn_picture_workspace(const char *folder, const gdyn_model *model,
                                   const gdyn_workspace_field *field, gdyn_pictures *pictures,
                                   const gdyn_sink *sink) {
    picture pic = {.field = field};
    (void)model;
    if (field->reached_count < 2)
        return GDYN_OK;
    if (!make_scales(&pic, field->dimensions == 3 ? ROWS_MOST : PANELS_MOST))
        return GDYN_ERROR_MEMORY;
    /* nothing that varies: nothing to draw */
    if (pic.scales == 0)
        return GDYN_OK;
    choose_axes(&pic);
    if (field->dimensions == 1)
        page_of_curves(&pic);
    else if (field->dimensions == 2)
        page_of_maps(&pic);
    else
        page_of_slices(&pic);
    gdyn_status status = gdyn_script_finish(&pic.script, folder, sink);
    if (status != GDYN_OK)
        return status;
    return gdyn_pictures_add(pictures, field->def->name, "workspace") ? GDYN_OK : GDYN_ERROR_MEMORY;
}
