/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front.
 *
 * Its coordinates are d1, p, d2. At every scan (a point of the path that is drawn) each island
 * of the region spans the body between its lower and its upper envelope; between scans islands
 * are joined linearly. The surfaces are drawn in small cells. A raster of these with their depth
 * tells what the eye sees, and where letters have room in it. */
#include "report/picture.h"

#include "base/memory.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

enum { SCANS = 160, PIECES = 24 };

/* Directions of view as gnuplot takes them: turned about z, then about x [deg]; height of the
 * box, whose other edges are 1. */
enum { TILT = 62, TURN = 32 };
#define HEIGHT 1.1

/* A row of vertices of a surface, across p or up the region. A row across has the vertices of
 * two scans. */
enum { ROW = 2 * (PIECES * 5 + GDYN_SAMPLES) };
/* Slots of the legend, and surfaces that belong to none. */
enum { CAP = -2, END = -3 };
typedef struct tube_row {
    int count;
    double at[ROW][3]; /* d1, p, d2 */
    int slot[ROW];     /* of the surface from this vertex to the next */
} tube_row;

/* The box, at most 1.38 wide and 1.63 high as the eye sees it, in pixels of 0.0025. */
static const double PIXEL = 0.0025, LEFT = -0.01, BELOW = -0.26;
enum { WIDE = 560, HIGH = 656, NOTHING = -9 };

typedef struct tube_view {
    double right[3], up[3], eye[3]; /* of the page, in the box */
    float depth[HIGH][WIDE];
    short slot[HIGH][WIDE];
} tube_view;
typedef struct tube_body {
    const gdyn_trajectory *t;
    gdyn_figure *figure; /* takes the cells of the surfaces */
    gdyn_legend legend;
    gdyn_window window;
    int scans;
    const int *scan; /* scans: the points that are drawn */
    tube_view *view; /* what the eye sees of the cells */
    /* of the surface in the making: along its rows x from row to row, or against it */
    bool outward;
    tube_row row;  /* in the making */
    tube_row last; /* before it; count 0: none */
} tube_body;

/* A stretch of an envelope on which the same limits are saturated. */
typedef struct tube_piece {
    double from, to;
    int slot; /* of the legend */
} tube_piece;

/* --- the body --------------------------------------------------------------------------------- */

/* Extent of the path that is drawn. */
static double length_of(const tube_body *tube) {
    return tube->t->along.p[tube->scan[tube->scans - 1]] - tube->t->along.p[tube->scan[0]];
}

static double envelope_at(const tube_body *tube, int point, double d1, bool upper) {
    return gdyn_sample_envelope(tube->t->along.region[point], d1, upper, &tube->window);
}

/* Exact at both ends: a rounding error beyond an island has no envelope. */
static double between(double from, double to, double share) {
    return share < 1 ? fmin(from + (to - from) * share, to) : to;
}

/* --- what is seen of it ----------------------------------------------------------------------- */

static bool begin_view(tube_body *tube) {
    tube_view *view = gdyn_alloc(1, sizeof *view);
    tube->view = view;
    if (!view)
        return false;
    gdyn_figure_view(TILT, TURN, view->right, view->up, view->eye);
    for (int i = 0; i < HIGH; i++)
        for (int j = 0; j < WIDE; j++)
            view->depth[i][j] = -INFINITY, view->slot[i][j] = NOTHING;
    return true;
}

/* Extent of the box along d1, p, d2, and its corner. */
static void box(const tube_body *tube, double corner[3], double size[3]) {
    const gdyn_window *w = &tube->window;
    v3_set(corner, 0, tube->t->along.p[tube->scan[0]], w->d2_low);
    v3_set(size, w->d1_high, length_of(tube), (w->d2_high - w->d2_low) / HEIGHT);
}

/* Column, row and depth of a place. */
static void project(const tube_body *tube, const double at[3], double out[3]) {
    double corner[3], size[3], x[3];
    box(tube, corner, size);
    for (int k = 0; k < 3; k++)
        x[k] = (at[k] - corner[k]) / size[k];
    out[0] = (v3_dot(x, tube->view->right) - LEFT) / PIXEL;
    out[1] = (v3_dot(x, tube->view->up) - BELOW) / PIXEL;
    out[2] = v3_dot(x, tube->view->eye);
}

/* Least and greatest whole number of a triangle's extent, within a limit. */
static void extent(double a, double b, double c, int limit, int *low, int *high) {
    *low = (int)fmax(ceil(fmin(a, fmin(b, c))), 0);
    *high = (int)fmin(floor(fmax(a, fmax(b, c))), limit - 1);
}

static void add_triangle(tube_body *tube, const double a[3], const double b[3], const double c[3],
                         int slot) {
    static const double EDGE = -1e-3; /* cells share their edges: none may be left between them */
    tube_view *view = tube->view;
    double A[3], B[3], C[3];
    int left, right, low, high;
    project(tube, a, A), project(tube, b, B), project(tube, c, C);
    double area = (B[0] - A[0]) * (C[1] - A[1]) - (C[0] - A[0]) * (B[1] - A[1]);
    if (!(fabs(area) > 1e-9))
        return;
    extent(A[0], B[0], C[0], WIDE, &left, &right);
    extent(A[1], B[1], C[1], HIGH, &low, &high);
    for (int i = low; i <= high; i++)
        for (int j = left; j <= right; j++) {
            double x = j - A[0], y = i - A[1];
            double u = (x * (C[1] - A[1]) - (C[0] - A[0]) * y) / area;
            double v = ((B[0] - A[0]) * y - x * (B[1] - A[1])) / area;
            double depth = A[2] + u * (B[2] - A[2]) + v * (C[2] - A[2]);
            if (u < EDGE || v < EDGE || 1 - u - v < EDGE || depth <= (double)view->depth[i][j])
                continue;
            view->depth[i][j] = (float)depth;
            view->slot[i][j] = (short)slot;
        }
}

static double place_of_letter(const tube_body *tube, int slot, double at[3]) {
    const tube_view *view = tube->view;
    int last[WIDE] = {0}, most = 0, row = 0, column = 0;
    /* the largest square that ends at a pixel, from those that end beside it */
    for (int i = 0; i < HIGH; i++) {
        int corner = 0, left = 0;
        for (int j = 0; j < WIDE; j++) {
            int up = last[j], least = up < left ? up : left;
            least = corner < least ? corner : least;
            corner = up;
            left = last[j] = view->slot[i][j] == slot ? least + 1 : 0;
            if (left > most)
                most = left, row = i, column = j;
        }
    }
    if (most == 0)
        return 0;
    double corner[3], size[3];
    double right = LEFT + PIXEL * (column - 0.5 * (most - 1)),
           up = BELOW + PIXEL * (row - 0.5 * (most - 1)),
           depth = (double)view->depth[row - most / 2][column - most / 2];
    box(tube, corner, size);
    for (int k = 0; k < 3; k++)
        at[k] = corner[k] +
                size[k] * (right * view->right[k] + up * view->up[k] + depth * view->eye[k]);
    return PIXEL * most;
}

enum { LAYERS = 12 };

/* --- vertices --------------------------------------------------------------------------------- */

static void add_vertex(tube_body *tube, int point, double d1, double d2, int slot) {
    tube_row *row = &tube->row;
    if (row->count < ROW) {
        double *at = row->at[row->count];
        at[0] = d1, at[1] = tube->t->along.p[point], at[2] = d2;
        row->slot[row->count++] = slot;
    }
}

/* True when the cell between vertices j, j + 1 of two rows turns its outer side to the eye: the
 * normal is the product of its diagonals. The body is closed, so what turns away is hidden. */
static bool faces_eye(const tube_body *tube, const tube_row *a, const tube_row *b, int j) {
    const gdyn_window *w = &tube->window;
    double scale[3] = {1 / w->d1_high, 1 / length_of(tube), HEIGHT / (w->d2_high - w->d2_low)};
    double d[3], e[3], normal[3];
    v3_sub(d, b->at[j + 1], a->at[j]), v3_sub(e, b->at[j], a->at[j + 1]);
    for (int k = 0; k < 3; k++)
        d[k] *= scale[k], e[k] *= scale[k];
    v3_cross(normal, d, e);
    return (tube->outward ? 1 : -1) * v3_dot(normal, tube->view->eye) > 0;
}

/* The cells between two rows that can be seen, those of one colour side by side as a surface of
 * their own: which corner gives a cell its colour does not matter. Colours are those of the
 * first row. */
static void write_cells(tube_body *tube, const tube_row *a, const tube_row *b) {
    const tube_row *rows[] = {a, b};
    for (int from = 0, to; from + 1 < a->count; from = to > from ? to : from + 1) {
        for (to = from; to + 1 < a->count && a->slot[to] == a->slot[from];)
            if (faces_eye(tube, a, b, to))
                to++;
            else
                break;
        int slot = a->slot[from];
        unsigned colour = slot == CAP   ? 0xEAEAEAu
                          : slot == END ? 0xD8D8D8u
                                        : gdyn_legend_colour(slot);
        for (int r = 0; r < 2 && to > from; r++) {
            for (int j = from; j <= to; j++)
                gdyn_figure_put(tube->figure, rows[r]->at[j][0], rows[r]->at[j][1],
                                rows[r]->at[j][2], colour);
            gdyn_figure_gap(tube->figure);
        }
        for (int j = from; j < to; j++) {
            add_triangle(tube, a->at[j], a->at[j + 1], b->at[j + 1], a->slot[from]);
            add_triangle(tube, a->at[j], b->at[j + 1], b->at[j], a->slot[from]);
        }
        if (to > from)
            gdyn_figure_block_end(tube->figure);
    }
}

/* Ends the row in the making. What lies between it and the row before is divided along p:
 * gnuplot draws cells in the order of their distance, which is wrong between long ones. */
static void end_row(tube_body *tube) {
    if (tube->last.count > 0) {
        double way = tube->row.at[0][1] - tube->last.at[0][1];
        int parts = (int)ceil(SCANS * way / length_of(tube) - 1e-6);
        tube_row here = tube->last, next;
        for (int i = 1; i < parts; i++) {
            /* The row at the share f of the way between two, in the colours of the nearer one. */
            const tube_row *a = &tube->last;
            const tube_row *b = &tube->row;
            double f = (double)i / parts;
            next.count = a->count;
            for (int j = 0; j < a->count; j++) {
                for (int k = 0; k < 3; k++)
                    next.at[j][k] = (1 - f) * a->at[j][k] + f * b->at[j][k];
                next.slot[j] = f < 0.5 ? a->slot[j] : b->slot[j];
            }
            write_cells(tube, &here, &next);
            here = next;
        }
        write_cells(tube, &here, &tube->row);
    }
    tube->last = tube->row;
    tube->row.count = 0;
}

/* The next row begins a surface. */
static void end_surface(tube_body *tube) {
    tube->last.count = 0;
}

/* --- faces ------------------------------------------------------------------------------------ */

/* An envelope at a scan as a line through as many vertices in each of its pieces. */
typedef struct edge {
    int point, count, steps;
    bool upper;
    tube_piece piece[PIECES];
} edge;

static edge edge_at(const tube_body *tube, int point, int number, bool upper) {
    edge e = {.point = point, .upper = upper};
    /* the pieces of an envelope of an island within the window, neighbours of one slot joined */
    const gdyn_region *region = tube->t->along.region[point];
    const gdyn_island *island = &region->island[number];
    const gdyn_arc *arc =
        upper ? region->upper + island->upper_first : region->lower + island->lower_first;
    int arcs = upper ? island->upper_count : island->lower_count, count = 0;
    double end = fmin(island->to, tube->window.d1_high);
    for (int i = 0; i < arcs && count < PIECES; i++) {
        double to = fmin(arc[i].to, end);
        int slot = gdyn_legend_find(&tube->legend, arc[i].active, arc[i].active_count);
        if (!(to > arc[i].from))
            continue;
        if (count > 0 && e.piece[count - 1].slot == slot)
            e.piece[count - 1].to = to;
        else
            e.piece[count++] = (tube_piece){arc[i].from, to, slot};
    }
    if (count == 0)
        e.piece[count++] = (tube_piece){island->from, fmax(end, island->from), -1};
    e.piece[count - 1].to = fmax(end, e.piece[count - 1].from);
    e.count = count;
    e.steps = GDYN_SAMPLES / e.count > 4 ? GDYN_SAMPLES / e.count : 4;
    return e;
}

/* d2 of the line at a share of a piece: straight between vertices, so that surfaces on both
 * sides meet in it. */
static double line_height(const tube_body *tube, const edge *e, const tube_piece *piece,
                          double share) {
    int i = (int)fmin(floor(share * e->steps + 1e-9), e->steps - 1);
    double low = between(piece->from, piece->to, (double)i / e->steps),
           high = between(piece->from, piece->to, (double)(i + 1) / e->steps);
    double from = envelope_at(tube, e->point, low, e->upper),
           to = envelope_at(tube, e->point, high, e->upper);
    return from + (to - from) * (share * e->steps - i);
}

/* Pieces of two edges side by side; -1: this edge has none there. */
typedef struct pair {
    int of[2];
} pair;

/* The longest common sequence of slots, what only one edge has in between; the number of pairs. */
static int align(const edge *a, const edge *b, pair out[2 * PIECES]) {
    int common[PIECES + 1][PIECES + 1] = {{0}}, count = 0, i = 0, j = 0;
    for (int m = a->count - 1; m >= 0; m--)
        for (int n = b->count - 1; n >= 0; n--) {
            int skip = common[m + 1][n] > common[m][n + 1] ? common[m + 1][n] : common[m][n + 1];
            common[m][n] = a->piece[m].slot == b->piece[n].slot ? common[m + 1][n + 1] + 1 : skip;
        }
    while (i < a->count || j < b->count)
        if (i < a->count && j < b->count && a->piece[i].slot == b->piece[j].slot)
            out[count++] = (pair){{i++, j++}};
        else if (j == b->count || (i < a->count && common[i + 1][j] >= common[i][j + 1]))
            out[count++] = (pair){{i++, -1}};
        else
            out[count++] = (pair){{-1, j++}};
    return count;
}

/* One row of the surface between two edges: that of an edge, in which pieces of the other one
 * alone have no width. */
static void write_edge(tube_body *tube, const edge *e, const edge *other, int side, int count,
                       const pair *pairs) {
    double share[2 * GDYN_SAMPLES + 2], at = e->piece[0].from;
    for (int k = 0; k < count; k++) {
        int own = pairs[k].of[side], others = pairs[k].of[!side];
        tube_piece piece = {at, at, own >= 0 ? e->piece[own].slot : other->piece[others].slot};
        if (own >= 0)
            piece = e->piece[own];
        /* shares of the vertices of either edge, ascending */
        int a = own >= 0 ? e->steps : other->steps;
        int b = others >= 0 ? other->steps : e->steps;
        int shares = 0;
        for (int i = 0, j = 0; i <= a || j <= b;) {
            double x = i <= a ? (double)i / a : 2, y = j <= b ? (double)j / b : 2;
            share[shares++] = fmin(x, y);
            i += x <= y + 1e-12;
            j += y <= x + 1e-12;
        }
        for (int i = 0; i < shares; i++)
            add_vertex(tube, e->point, between(piece.from, piece.to, share[i]),
                       line_height(tube, e, &piece, share[i]), piece.slot);
        at = piece.to;
    }
    end_row(tube);
}

/* The surface of an envelope: between neighbouring scans each set of limits has a strip of its
 * own, a triangle where it begins or ends. */
static void write_face(tube_body *tube, int number, bool upper, int count, const int *scan) {
    edge last = edge_at(tube, scan[0], number, upper);
    for (int i = 1; i < count; i++) {
        pair pairs[2 * PIECES];
        edge next = edge_at(tube, scan[i], number, upper);
        int strips = align(&last, &next, pairs);
        write_edge(tube, &last, &next, 0, strips, pairs);
        write_edge(tube, &next, &last, 1, strips, pairs);
        end_surface(tube);
        last = next;
    }
}

/* --- the other faces -------------------------------------------------------------------------- */

/* Vertex number `layer` of LAYERS between two heights. */
static void write_between(tube_body *tube, int point, double d1, double low, double high, int layer,
                          int slot) {
    add_vertex(tube, point, d1, low + (high - low) * layer / LAYERS, slot);
}

static double edge_height(const tube_body *tube, const edge *e, double d1) {
    int k = 0;
    while (k + 1 < e->count && d1 > e->piece[k].to)
        k++;
    double from = e->piece[k].from, width = e->piece[k].to - from;
    return line_height(tube, e, &e->piece[k],
                       width > 0 ? fmin(fmax((d1 - from) / width, 0), 1) : 0);
}

static int add_places(const edge *e, int count, double *d1) {
    for (int k = 0; k < e->count; k++)
        for (int i = 0; i <= e->steps; i++) {
            double x = between(e->piece[k].from, e->piece[k].to, (double)i / e->steps);
            int at = count++;
            for (; at > 0 && d1[at - 1] > x; at--)
                d1[at] = d1[at - 1];
            d1[at] = x;
        }
    return count;
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(tube_body *tube, int point, int number) {
    double d1[ROW];
    edge upper = edge_at(tube, point, number, true), lower = edge_at(tube, point, number, false);
    int count = add_places(&lower, add_places(&upper, 0, d1), d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i < count; i++)
            write_between(tube, point, d1[i], edge_height(tube, &lower, d1[i]),
                          edge_height(tube, &upper, d1[i]), layer, CAP);
        end_row(tube);
    }
    end_surface(tube);
}

/* The faces of a run of scans whose island continues, those that can be seen from the front, the
 * right and above. Everything is in small pieces: gnuplot draws them in the order of their
 * distance. */
static void write_run(tube_body *tube, int number, int count, const int *scan) {
    tube->outward = true;
    write_face(tube, number, true, count, scan);
    tube->outward = false;
    write_face(tube, number, false, count, scan);
    for (int i = 0; i < count; i++) {
        /* The edge between the envelopes at the right end of an island. */
        int point = scan[i];
        const gdyn_island *island = &tube->t->along.region[point]->island[number];
        double d1 = fmin(island->to, tube->window.d1_high);
        double low = envelope_at(tube, point, d1, false), high = envelope_at(tube, point, d1, true);
        int slot = END; /* of the limits at the right end */
        if (island->right_count > 0)
            slot = gdyn_legend_find(&tube->legend, island->right, island->right_count);
        for (int layer = 0; layer <= LAYERS; layer++)
            write_between(tube, point, d1, low, high, layer, slot);
        end_row(tube);
    }
    end_surface(tube);
    tube->outward = true;
    write_cap(tube, scan[0], number);
}

/* --- the picture ------------------------------------------------------------------------------ */

/* Letters on the faces, since colours come again after eight sets: their block. */
static int write_letters(tube_body *tube) {
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++) {
        double at[3], size = place_of_letter(tube, slot, at);
        const char letter[] = {gdyn_legend_letter(slot), '\0'};
        if (size > 0)
            gdyn_figure_put_name(tube->figure, letter, at[0], at[1], at[2],
                                 gdyn_legend_dark(slot) ? 0xFFFFFF : 0, size);
    }
    return gdyn_figure_block_end(tube->figure);
}

static void set_axes(tube_body *tube, gdyn_figure_panel *panel) {
    const gdyn_trajectory *t = tube->t;
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    gdyn_figure *f = tube->figure;
    panel->x =
        (gdyn_figure_axis){.title = gdyn_figure_title(f, "d1", GDYN_CRITERION_D1_MAX, t->unit),
                           .high = tube->window.d1_high};
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title_of_p(f, t->unit),
                                  .low = first,
                                  .high = last > first ? last : first + 1};
    panel->z =
        (gdyn_figure_axis){.title = gdyn_figure_title(f, "d2", GDYN_CRITERION_D2_MAX, t->unit),
                           .low = tube->window.d2_low,
                           .high = tube->window.d2_high};
    panel->ratio = 0.76, panel->space = panel->fixed = true, panel->zoom = 0.92;
    panel->tilt = TILT, panel->turn = TURN, panel->upright = HEIGHT;
}

/* The window goes as far as the greatest d1 is usual (gdyn_usual_size); beside singular places
 * it grows without bound. True where regions are cut there. */
static bool set_window(tube_body *tube) {
    const gdyn_region_points *at = &tube->t->along;
    double most = 0, *d1 = gdyn_alloc((size_t)at->points + 1, sizeof *d1);
    for (int i = 0; i < at->points && d1; i++) {
        d1[i] = at->region[i]->d1_max;
        most = isfinite(d1[i]) ? fmax(most, d1[i]) : most;
    }
    double usual = d1 ? gdyn_usual_size(at->points, at->p, d1) : NAN;
    gdyn_free(d1);
    bool grows = most > usual;
    tube->window = gdyn_window_within(at, tube->scans, tube->scan, grows ? usual : INFINITY);
    return grows;
}

/* The body and what is said of it. */
static void draw_body(tube_body *tube, bool grows) {
    static const double LETTER = 15; /* pixels */
    gdyn_figure *f = tube->figure;
    bool followed = false, unbounded = false;
    for (int i = 0; i < tube->scans; i++) {
        const gdyn_region *region = tube->t->along.region[tube->scan[i]];
        followed |= region->status != GDYN_REGION_UNKNOWN;
        unbounded |= gdyn_region_is_open(region);
    }
    int last = f->blocks, letters = write_letters(tube);
    if (grows || unbounded)
        gdyn_figure_text(f, GDYN_REMARK, "%s",
                         grows ? "cut off where it grows" : "cut where it is unbounded");
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    set_axes(tube, panel);
    if (last == 0)
        panel->note = followed ? "nothing is accessible" : "no point of the path is reached";
    else
        gdyn_draw(f, panel, GDYN_SURFACE, 1, .last = last);
    gdyn_draw(f, panel, GDYN_NAMES, letters, .room = LETTER);
    gdyn_legend_draw(&tube->legend, f, "Saturated there:");
}

void gdyn_tube_figure(gdyn_figure *f, const gdyn_trajectory *t) {
    /* up to SCANS points of the path, its first and last among them */
    int scan[SCANS], scans = t->along.points < SCANS ? t->along.points : SCANS;
    for (int i = 0; i < scans; i++)
        scan[i] = scans > 1 ? (int)((long)i * (t->along.points - 1) / (scans - 1)) : 0;
    tube_body tube = {.t = t, .figure = f, .scans = scans, .scan = scan};
    gdyn_picture_begin(f, t->name, "tube", 1000, "Accessible regions over the path '%s'",
                       gdyn_picture_name(t->name).text);
    f->failed |= !gdyn_legend_create(&tube.legend, t, &t->along) || !begin_view(&tube);
    if (!f->failed) {
        int islands = 0; /* at a point, at most */
        for (int i = 0; i < scans; i++) {
            const gdyn_region *region = t->along.region[scan[i]];
            gdyn_legend_use_region(&tube.legend, region);
            islands = region->island_count > islands ? region->island_count : islands;
        }
        gdyn_legend_settle(&tube.legend); /* the key has the sets that occur */
        bool grows = set_window(&tube);
        for (int k = 0; k < islands; k++) {
            for (int i = 0, run = 0; i <= scans; i++) {
                if (i < scans && t->along.region[scan[i]]->island_count > k) {
                    run++;
                } else {
                    if (run > 1)
                        write_run(&tube, k, run, scan + i - run);
                    run = 0;
                }
            }
        }
        draw_body(&tube, grows);
    }
    gdyn_free(tube.view);
    gdyn_legend_destroy(&tube.legend);
}
