/* picture_workspace.c - what a machine can do over its workspace: a curve over a line, a map of
 * every value over a plane, slices of a box.
 *
 * Colour is the value (dark to light, as grey prints show it, too), with contour lines at the
 * tics of the scale. Grey: not reached. Hatched: assembled, but on no way of the start's mode.
 * White: no finite value. Dotted: reached, but below what the case requires. */
#include "report/picture.h"
#include "report/report.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { PANELS_MOST = 6, SLICES_MOST = 4, ROWS_MOST = 4, LEVELS = 6 };

/* Shares of the nodes beyond both ends of a scale, where single nodes would stretch it more than
 * so many times. */
static const double TAIL = 0.02, STRETCHED = 3;

/* Values in the order in which they are of interest. */
static const int wanted[] = {GDYN_FIELD_ACCEL,  GDYN_FIELD_FORCE,      GDYN_FIELD_DEXTERITY,
                             GDYN_FIELD_LOAD,   GDYN_FIELD_CLEARANCE,  GDYN_FIELD_STIFFNESS,
                             GDYN_FIELD_MARGIN, GDYN_FIELD_SINGULARITY};
enum { WANTED = sizeof wanted / sizeof *wanted };

static const char *const axis_name[] = {"x", "y", "z"};
static const char *const titles[] = {"x [m]", "y [m]", "z [m]"};

typedef struct scale {
    int value; /* GDYN_FIELD_... */
    double low, high, step;
    bool cut; /* some values are beyond it */
} scale;

typedef struct picture {
    const gdyn_workspace_field *field;
    gdyn_figure figure;
    int right, up, through; /* axes of a map, and that of the slices */
    int scales;
    scale scale[WANTED];
} picture;

/* --- scales ----------------------------------------------------------------------------------- */

/* The scale of a value; false: it has none, or is the same everywhere. */
static bool make_scale(const gdyn_workspace_field *field, int value, double *sorted, scale *s) {
    /* the finite values of the reached nodes in their order */
    int count = 0;
    for (int i = 0; i < field->nodes; i++) {
        double v = gdyn_field_value(field, i, value);
        if (field->status[i] == GDYN_NODE_REACHED && isfinite(v))
            sorted[count++] = v;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, gdyn_ascending);
    *s = (scale){.value = value};
    if (count < 2)
        return false;
    s->low = sorted[0], s->high = sorted[count - 1];
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

/* "accel [m/s^2]" */
static const char *title_of(picture *pic, const scale *s) {
    gdyn_words words =
        gdyn_axis_title(NULL, (gdyn_criterion)(GDYN_WORKSPACE_DEXTERITY + s->value), "");
    return gdyn_figure_words(&pic->figure, "%s%s", words.text, s->cut ? ", ends cut" : "");
}

/* --- maps ------------------------------------------------------------------------------------- */

/* The node of a map. */
static int node_at(const picture *pic, int column, int row, int slice) {
    int index[3], node = 0;
    index[pic->right] = column, index[pic->up] = row, index[pic->through] = slice;
    for (int a = 2; a >= 0; a--)
        node = node * pic->field->count[a] + index[a];
    return node;
}

/* The side of a node's cell along an axis: half way to the neighbour, or as far beyond the end
 * of the axis. */
static double side_of(const gdyn_workspace_field *field, int a, int i, int way) {
    const double *x = field->axis[a];
    int next = i + way;
    if (next < 0 || next >= field->count[a])
        next = i - way;
    return x[i] + 0.5 * way * fabs(x[next] - x[i]);
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

/* Cells of that sort, as boxes with their value; dots: as points in their middles. Their block. */
static int put_cells(picture *pic, int slice, int value, cells what, bool dots) {
    const gdyn_workspace_field *f = pic->field;
    for (int row = 0; row < f->count[pic->up]; row++)
        for (int column = 0; column < f->count[pic->right]; column++) {
            int node = node_at(pic, column, row, slice);
            if (!is_cell(f, node, value, what))
                continue;
            if (dots)
                gdyn_figure_put(&pic->figure, f->axis[pic->right][column], f->axis[pic->up][row]);
            else
                gdyn_figure_put(&pic->figure, side_of(f, pic->right, column, -1),
                                side_of(f, pic->right, column, 1), side_of(f, pic->up, row, -1),
                                side_of(f, pic->up, row, 1), gdyn_field_value(f, node, value));
        }
    return gdyn_figure_block_end(&pic->figure);
}

/* The values line by line, for contours; at least two nodes each way are needed. */
static int put_grid(picture *pic, int slice, int value) {
    const gdyn_workspace_field *f = pic->field;
    for (int row = 0; row < f->count[pic->up]; row++) {
        for (int column = 0; column < f->count[pic->right]; column++) {
            int node = node_at(pic, column, row, slice);
            gdyn_figure_put(&pic->figure, f->axis[pic->right][column], f->axis[pic->up][row],
                            is_cell(f, node, value, CELLS_VALUE) ? gdyn_field_value(f, node, value)
                                                                 : NAN);
        }
        gdyn_figure_gap(&pic->figure);
    }
    return gdyn_figure_block_end(&pic->figure);
}

/* The outline of the prescribed box, where the slice passes it. */
static int put_box(picture *pic, int slice) {
    const gdyn_workspace_def *d = pic->field->def;
    double at = pic->field->axis[pic->through][slice];
    double slack = 1e-9 * (d->to[pic->through] - d->from[pic->through]);
    if (!d->boxed || at < d->box_from[pic->through] - slack || at > d->box_to[pic->through] + slack)
        return 0;
    for (int k = 0; k < 5; k++)
        gdyn_figure_put(&pic->figure, (k == 1 || k == 2 ? d->box_to : d->box_from)[pic->right],
                        (k == 2 || k == 3 ? d->box_to : d->box_from)[pic->up]);
    return gdyn_figure_block_end(&pic->figure);
}

/* A map with its axes; bar: with its scale of colours. */
static gdyn_figure_panel *add_map(picture *pic, const scale *s, bool bar) {
    static const double MOST = 1.4; /* height over width */
    const gdyn_workspace_field *f = pic->field;
    int right = pic->right, up = pic->up;
    gdyn_figure_panel *panel = gdyn_figure_add(&pic->figure);
    panel->x = (gdyn_figure_axis){.title = titles[right],
                                  .low = side_of(f, right, 0, -1),
                                  .high = side_of(f, right, f->count[right] - 1, 1)};
    panel->y = (gdyn_figure_axis){.title = titles[up],
                                  .low = side_of(f, up, 0, -1),
                                  .high = side_of(f, up, f->count[up] - 1, 1)};
    panel->colour = (gdyn_figure_axis){.low = s->low, .high = s->high};
    panel->unscaled = !bar, panel->equal = panel->gridless = true;
    panel->ground = true; /* where nothing is reached */
    panel->ratio = fmin((panel->y.high - panel->y.low) / (panel->x.high - panel->x.low), MOST);
    return panel;
}

static gdyn_figure_panel *draw_map(picture *pic, int slice, const scale *s, bool bar) {
    gdyn_figure *f = &pic->figure;
    gdyn_figure_panel *panel = add_map(pic, s, bar);
    /* values, what has none, other modes, what is not enough */
    int values = put_cells(pic, slice, s->value, CELLS_VALUE, false);
    gdyn_draw(f, panel, GDYN_BOXES, values, .width = 1, .colouring = GDYN_PALETTE);
    gdyn_draw(f, panel, GDYN_BOXES, put_cells(pic, slice, s->value, CELLS_WHITE, false),
              .colour = 0xFFFFFF);
    gdyn_draw(f, panel, GDYN_BOXES, put_cells(pic, slice, s->value, CELLS_ELSEWHERE, false),
              .colour = 0x444444, .hatch = 4);
    if (values > 0) /* gnuplot takes no contours of nothing */
        gdyn_draw(f, panel, GDYN_CONTOURS, put_grid(pic, slice, s->value), .width = 0.8,
                  .colour = 0xFFFFFF, .from = s->step * ceil(s->low / s->step), .step = s->step,
                  .to = s->high);
    gdyn_draw(f, panel, GDYN_POINTS, put_cells(pic, slice, s->value, CELLS_LACKING, true),
              .point = GDYN_DOT, .size = 0.22, .colour = 0xD55E00);
    if (panel->layers == 0)
        panel->note = "nothing reached";
    gdyn_draw(f, panel, GDYN_LINE, put_box(pic, slice), .width = 2, .colour = 0xD55E00);
    return panel;
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Heading and what colours mean. */
static void head(picture *pic, double width) {
    const gdyn_workspace_field *f = pic->field;
    static const char *const size[] = {"", "m", "m²", "m³"};
    bool lacking = false; /* whether a reached node is without what the case requires */
    for (int i = 0; i < f->nodes; i++)
        lacking |= is_cell(f, i, GDYN_FIELD_DEXTERITY, CELLS_LACKING);
    gdyn_picture_begin(&pic->figure, f->def->name, "workspace", width,
                       "%s: %d of %d nodes reached, %.4g %s", gdyn_picture_name(f->def->name).text,
                       f->reached_count, f->nodes, gdyn_field_size(f, -1, 0), size[f->dimensions]);
    gdyn_figure_text(&pic->figure, GDYN_REMARK, "grey: not reached%s%s%s%s%s%s",
                     f->dimensions > 1 ? "" : "; blue: nodes",
                     f->islands > 0 ? "; hatched: in another mode or cut off" : "",
                     f->dimensions > 1 ? "; white: no finite value" : "",
                     lacking ? "; orange dots: below what is required" : "",
                     f->dimensions > 1 && f->def->boxed ? "; frame: the prescribed box" : "",
                     f->orientations > 1 ? f->def->any ? "; best of the orientations reached"
                                                       : "; worst of all orientations"
                                         : "");
}

/* --- curves ----------------------------------------------------------------------------------- */

/* Bands where the line is not reached, hatched where another mode is. */
static void draw_bands(picture *pic, gdyn_figure_panel *panel) {
    const gdyn_workspace_field *f = pic->field;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        for (int i = 0; i < f->nodes; i++)
            if (f->status[i] != GDYN_NODE_REACHED &&
                (f->status[i] == GDYN_NODE_ELSEWHERE) == elsewhere)
                gdyn_figure_put(&pic->figure, side_of(f, pic->right, i, -1),
                                side_of(f, pic->right, i, 1));
        gdyn_draw(&pic->figure, panel, GDYN_BANDS, .colour = elsewhere ? 0x444444 : 0xC8C8C8,
                  .hatch = elsewhere ? 4 : 0);
    }
}

/* The values along the line; lacking: the points that are reached without what is required. */
static int put_curve(picture *pic, int value, bool lacking) {
    const gdyn_workspace_field *f = pic->field;
    for (int i = 0; i < f->nodes; i++)
        if (is_cell(f, i, value, CELLS_VALUE) && (!lacking || is_cell(f, i, value, CELLS_LACKING)))
            gdyn_figure_put(&pic->figure, f->axis[pic->right][i], gdyn_field_value(f, i, value));
        else if (!lacking)
            gdyn_figure_gap(&pic->figure);
    return gdyn_figure_block_end(&pic->figure);
}

/* The curve of each value over the line. */
static void page_of_curves(picture *pic) {
    const gdyn_workspace_field *f = pic->field;
    int a = pic->right;
    head(pic, 900);
    for (int i = 0; i < pic->scales; i++) {
        const scale *own = &pic->scale[i];
        bool last = i + 1 == pic->scales;
        gdyn_figure_panel *panel = gdyn_figure_add(&pic->figure);
        panel->height = 150;
        panel->x = (gdyn_figure_axis){.title = last ? titles[a] : NULL,
                                      .low = side_of(f, a, 0, -1),
                                      .high = side_of(f, a, f->count[a] - 1, 1),
                                      .unlabelled = !last};
        panel->y.title = title_of(pic, own);
        gdyn_axis_around(&panel->y, own->low, own->high, 0.1);
        draw_bands(pic, panel);
        gdyn_draw(&pic->figure, panel, GDYN_TRAIL, put_curve(pic, own->value, false),
                  .point = GDYN_DOT, .size = 0.4, .width = 1.6, .colour = 0x0072B2);
        gdyn_draw(&pic->figure, panel, GDYN_POINTS, put_curve(pic, own->value, true),
                  .point = GDYN_DOT, .size = 0.4, .colour = 0xD55E00);
    }
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

void gdyn_picture_workspace(gdyn_pictures *pictures, const gdyn_workspace_field *field) {
    picture pic = {.field = field};
    if (field->reached_count < 2)
        return;
    int most = field->dimensions == 3 ? ROWS_MOST : PANELS_MOST;
    double *sorted = gdyn_alloc((size_t)pic.field->nodes, sizeof *sorted);
    for (int i = 0; i < WANTED && sorted && pic.scales < most; i++)
        pic.scales += make_scale(pic.field, wanted[i], sorted, &pic.scale[pic.scales]);
    gdyn_free(sorted);
    if (sorted == NULL)
        pictures->status = GDYN_ERROR_MEMORY;
    /* nothing that varies: nothing to draw */
    if (pic.scales == 0)
        return;
    choose_axes(&pic);
    if (field->dimensions == 1)
        page_of_curves(&pic);
    else if (field->dimensions == 2) {
        head(&pic, 1000);
        gdyn_figure_side_by_side(&pic.figure, pic.scales == 4 ? 2 : 3, 130, false);
        for (int i = 0; i < pic.scales; i++)
            draw_map(&pic, 0, &pic.scale[i], true)->caption[0] = title_of(&pic, &pic.scale[i]);
    } else {
        /* slices, from the first to the last of the axis; a row for each value */
        int count = pic.field->count[pic.through];
        int slices = count < SLICES_MOST ? count : SLICES_MOST;
        head(&pic, 1000);
        for (int row = 0; row < pic.scales; row++) {
            gdyn_figure_text(&pic.figure, GDYN_PARAGRAPH, "%s", title_of(&pic, &pic.scale[row]));
            gdyn_figure_side_by_side(&pic.figure, slices, 70, true)->full = true;
            for (int k = 0; k < slices; k++) {
                int slice = slices > 1 ? (int)lround((double)k * (count - 1) / (slices - 1)) : 0;
                draw_map(&pic, slice, &pic.scale[row], k == 0)->caption[0] =
                    gdyn_figure_words(&pic.figure, "%s = %.3g m", axis_name[pic.through],
                                      pic.field->axis[pic.through][slice]);
            }
        }
    }
    gdyn_picture_write(&pic.figure, pictures);
}
