/* tube_mesh.c - the surfaces of the body in small cells, in the colours of the limits that are
 * saturated there. */
#include "report/tube.h"

#include "linalg/vec3.h"

#include <math.h>

enum { LAYERS = 12 };

/* --- vertices --------------------------------------------------------------------------------- */

static void add_vertex(gdyn_tube *tube, int point, double d1, double d2, int slot) {
    gdyn_tube_row *row = &tube->row;
    if (row->count < GDYN_TUBE_ROW) {
        double *at = row->at[row->count];
        at[0] = d1, at[1] = tube->t->along.p[point], at[2] = d2;
        row->slot[row->count++] = slot;
    }
}

static unsigned colour_of(int slot) {
    return slot == GDYN_TUBE_CAP   ? 0xEAEAEAu
           : slot == GDYN_TUBE_END ? 0xD8D8D8u
                                   : gdyn_legend_colour(slot);
}

/* True when the cell between vertices j, j + 1 of two rows turns its outer side to the eye: the
 * normal is the product of its diagonals. The body is closed, so what turns away is hidden. */
static bool faces_eye(const gdyn_tube *tube, const gdyn_tube_row *a, const gdyn_tube_row *b,
                      int j) {
    const gdyn_window *w = &tube->window;
    double scale[3] = {1 / w->d1_high, 1 / gdyn_tube_length(tube),
                       GDYN_TUBE_HEIGHT / (w->d2_high - w->d2_low)};
    double d[3], e[3], normal[3], eye[3];
    v3_sub(d, b->at[j + 1], a->at[j]);
    v3_sub(e, b->at[j], a->at[j + 1]);
    for (int k = 0; k < 3; k++)
        d[k] *= scale[k], e[k] *= scale[k];
    v3_cross(normal, d, e);
    gdyn_tube_eye(eye);
    return (tube->outward ? 1 : -1) * v3_dot(normal, eye) > 0;
}

/* The cells between two rows that can be seen, those of one colour side by side as a surface of
 * their own: which corner gives a cell its colour does not matter. Colours are those of the
 * first row. */
static void write_cells(gdyn_tube *tube, const gdyn_tube_row *a, const gdyn_tube_row *b) {
    const gdyn_tube_row *rows[] = {a, b};
    for (int from = 0, to; from + 1 < a->count; from = to > from ? to : from + 1) {
        for (to = from; to + 1 < a->count && a->slot[to] == a->slot[from];)
            if (faces_eye(tube, a, b, to))
                to++;
            else
                break;
        for (int r = 0; r < 2 && to > from; r++) {
            for (int j = from; j <= to; j++)
                gdyn_figure_put(tube->figure, rows[r]->at[j][0], rows[r]->at[j][1],
                                rows[r]->at[j][2], colour_of(a->slot[from]));
            gdyn_figure_gap(tube->figure);
        }
        for (int j = from; j < to; j++) {
            gdyn_tube_view_add(tube, a->at[j], a->at[j + 1], b->at[j + 1], a->slot[from]);
            gdyn_tube_view_add(tube, a->at[j], b->at[j + 1], b->at[j], a->slot[from]);
        }
        if (to > from)
            gdyn_figure_block_end(tube->figure);
    }
}

/* The row at the share f of the way between two, in the colours of the nearer one. */
static void mix_rows(gdyn_tube_row *out, const gdyn_tube_row *a, const gdyn_tube_row *b, double f) {
    out->count = a->count;
    for (int j = 0; j < a->count; j++) {
        for (int k = 0; k < 3; k++)
            out->at[j][k] = (1 - f) * a->at[j][k] + f * b->at[j][k];
        out->slot[j] = f < 0.5 ? a->slot[j] : b->slot[j];
    }
}

/* Ends the row in the making. What lies between it and the row before is divided along p:
 * gnuplot draws cells in the order of their distance, which is wrong between long ones. */
static void end_row(gdyn_tube *tube) {
    if (tube->last.count > 0) {
        double way = tube->row.at[0][1] - tube->last.at[0][1];
        int parts = (int)ceil(GDYN_TUBE_SCANS * way / gdyn_tube_length(tube) - 1e-6);
        gdyn_tube_row here = tube->last, next;
        for (int i = 1; i < parts; i++) {
            mix_rows(&next, &tube->last, &tube->row, (double)i / parts);
            write_cells(tube, &here, &next);
            here = next;
        }
        write_cells(tube, &here, &tube->row);
    }
    tube->last = tube->row;
    tube->row.count = 0;
}

/* The next row begins a surface. */
static void end_surface(gdyn_tube *tube) {
    tube->last.count = 0;
}

/* --- faces ------------------------------------------------------------------------------------ */

/* An envelope at a scan as a line through as many vertices in each of its pieces. */
typedef struct edge {
    int point, count, steps;
    bool upper;
    gdyn_tube_piece piece[GDYN_TUBE_PIECES];
} edge;

static edge edge_at(const gdyn_tube *tube, int point, int number, bool upper) {
    edge e = {.point = point, .upper = upper};
    e.count = gdyn_tube_pieces(tube, point, number, upper, e.piece);
    e.steps = GDYN_SAMPLES / e.count > 4 ? GDYN_SAMPLES / e.count : 4;
    return e;
}

/* d2 of the line at a share of a piece: straight between vertices, so that surfaces on both
 * sides meet in it. */
static double line_height(const gdyn_tube *tube, const edge *e, const gdyn_tube_piece *piece,
                          double share) {
    int i = (int)fmin(floor(share * e->steps + 1e-9), e->steps - 1);
    double low = gdyn_tube_between(piece->from, piece->to, (double)i / e->steps),
           high = gdyn_tube_between(piece->from, piece->to, (double)(i + 1) / e->steps);
    double from = gdyn_tube_envelope(tube, e->point, low, e->upper),
           to = gdyn_tube_envelope(tube, e->point, high, e->upper);
    return from + (to - from) * (share * e->steps - i);
}

/* Pieces of two edges side by side; -1: this edge has none there. */
typedef struct pair {
    int of[2];
} pair;

/* The longest common sequence of slots, what only one edge has in between; the number of pairs. */
static int align(const edge *a, const edge *b, pair out[2 * GDYN_TUBE_PIECES]) {
    int common[GDYN_TUBE_PIECES + 1][GDYN_TUBE_PIECES + 1] = {{0}}, count = 0, i = 0, j = 0;
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

/* Shares of the vertices of either edge, ascending. */
static int vertex_shares(int a, int b, double share[2 * GDYN_SAMPLES + 2]) {
    int count = 0;
    for (int i = 0, j = 0; i <= a || j <= b;) {
        double x = i <= a ? (double)i / a : 2, y = j <= b ? (double)j / b : 2;
        share[count++] = fmin(x, y);
        i += x <= y + 1e-12;
        j += y <= x + 1e-12;
    }
    return count;
}

/* One row of the surface between two edges: that of an edge, in which pieces of the other one
 * alone have no width. */
static void write_edge(gdyn_tube *tube, const edge *e, const edge *other, int side, int count,
                       const pair *pairs) {
    double share[2 * GDYN_SAMPLES + 2], at = e->piece[0].from;
    for (int k = 0; k < count; k++) {
        int own = pairs[k].of[side], others = pairs[k].of[!side];
        gdyn_tube_piece piece = {at, at, own >= 0 ? e->piece[own].slot : other->piece[others].slot};
        if (own >= 0)
            piece = e->piece[own];
        int shares = vertex_shares(own >= 0 ? e->steps : other->steps,
                                   others >= 0 ? other->steps : e->steps, share);
        for (int i = 0; i < shares; i++)
            add_vertex(tube, e->point, gdyn_tube_between(piece.from, piece.to, share[i]),
                       line_height(tube, e, &piece, share[i]), piece.slot);
        at = piece.to;
    }
    end_row(tube);
}

/* The surface of an envelope: between neighbouring scans each set of limits has a strip of its
 * own, a triangle where it begins or ends. */
static void write_face(gdyn_tube *tube, int number, bool upper, int count, const int *scan) {
    edge last = edge_at(tube, scan[0], number, upper);
    for (int i = 1; i < count; i++) {
        pair pairs[2 * GDYN_TUBE_PIECES];
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
static void write_between(gdyn_tube *tube, int point, double d1, double low, double high, int layer,
                          int slot) {
    add_vertex(tube, point, d1, low + (high - low) * layer / LAYERS, slot);
}

/* The edge between the envelopes at the right end of an island. */
static void write_side(gdyn_tube *tube, int point, int number) {
    const gdyn_island *island = &tube->t->along.region[point]->island[number];
    double d1 = fmin(island->to, tube->window.d1_high);
    double low = gdyn_tube_envelope(tube, point, d1, false),
           high = gdyn_tube_envelope(tube, point, d1, true);
    int slot = island->right_count > 0 ? gdyn_tube_side_slot(tube, point, number) : GDYN_TUBE_END;
    for (int layer = 0; layer <= LAYERS; layer++)
        write_between(tube, point, d1, low, high, layer, slot);
    end_row(tube);
}

/* d2 of the line at d1. */
static double edge_height(const gdyn_tube *tube, const edge *e, double d1) {
    int k = 0;
    while (k + 1 < e->count && d1 > e->piece[k].to)
        k++;
    double from = e->piece[k].from, width = e->piece[k].to - from;
    return line_height(tube, e, &e->piece[k],
                       width > 0 ? fmin(fmax((d1 - from) / width, 0), 1) : 0);
}

/* Adds d1 of the vertices of an edge in ascending order. */
static int add_places(const edge *e, int count, double *d1) {
    for (int k = 0; k < e->count; k++)
        for (int i = 0; i <= e->steps; i++) {
            double x = gdyn_tube_between(e->piece[k].from, e->piece[k].to, (double)i / e->steps);
            int at = count++;
            for (; at > 0 && d1[at - 1] > x; at--)
                d1[at] = d1[at - 1];
            d1[at] = x;
        }
    return count;
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(gdyn_tube *tube, int point, int number) {
    double d1[GDYN_TUBE_ROW];
    edge upper = edge_at(tube, point, number, true), lower = edge_at(tube, point, number, false);
    int count = add_places(&lower, add_places(&upper, 0, d1), d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i < count; i++)
            write_between(tube, point, d1[i], edge_height(tube, &lower, d1[i]),
                          edge_height(tube, &upper, d1[i]), layer, GDYN_TUBE_CAP);
        end_row(tube);
    }
    end_surface(tube);
}

/* The faces of a run of scans whose island continues, those that can be seen from the front, the
 * right and above. Everything is in small pieces: gnuplot draws them in the order of their
 * distance. */
static void write_run(gdyn_tube *tube, int number, int count, const int *scan) {
    tube->outward = true;
    write_face(tube, number, true, count, scan);
    tube->outward = false;
    write_face(tube, number, false, count, scan);
    for (int i = 0; i < count; i++)
        write_side(tube, scan[i], number);
    end_surface(tube);
    tube->outward = true;
    write_cap(tube, scan[0], number);
}

void gdyn_tube_write(gdyn_tube *tube, int number, int count, const int *scan) {
    for (int i = 0, run = 0; i <= count; i++) {
        if (i < count && tube->t->along.region[scan[i]]->island_count > number) {
            run++;
        } else {
            if (run > 1)
                write_run(tube, number, run, scan + i - run);
            run = 0;
        }
    }
}
