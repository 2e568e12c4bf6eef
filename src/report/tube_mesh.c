/* tube_mesh.c - the surfaces of the body in small cells, in the colours of the limits that are saturated there. */
#include "report/tube.h"

#include "linalg/vec3.h"

#include <math.h>

enum { LAYERS = 12 };

/* --- vertices --------------------------------------------------------------------------------- */

static void add_vertex(gdyn_tube *tube, int point, double d1, double d2, unsigned colour) {
    gdyn_tube_row *row = &tube->row;
    if (row->count < GDYN_TUBE_ROW) {
        double *at = row->at[row->count];
        at[0] = d1, at[1] = tube->t->along.p[point], at[2] = d2;
        row->colour[row->count++] = colour;
    }
}

/* True when the cell between vertices j, j + 1 of two rows turns its outer side to the eye: the normal is the
 * product of its diagonals. The body is closed, so what turns away is hidden. */
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

/* The cells between two rows that can be seen, those of one colour side by side as a surface of their own:
 * which corner gives a cell its colour does not matter. Colours are those of the first row. */
static void write_cells(gdyn_tube *tube, const gdyn_tube_row *a, const gdyn_tube_row *b) {
    const gdyn_tube_row *rows[] = {a, b};
    for (int from = 0, to; from + 1 < a->count; from = to > from ? to : from + 1) {
        for (to = from; to + 1 < a->count && a->colour[to] == a->colour[from];)
            if (faces_eye(tube, a, b, to))
                to++;
            else
                break;
        for (int r = 0; r < 2 && to > from; r++) {
            for (int j = from; j <= to; j++)
                gdyn_text_printf(&tube->script.data, "%.7g %.7g %.7g %u\n", rows[r]->at[j][0],
                                 rows[r]->at[j][1], rows[r]->at[j][2], a->colour[from]);
            gdyn_text_append(&tube->script.data, "\n", r == 0);
        }
        if (to > from)
            gdyn_script_end_block(&tube->script);
    }
}

/* The row at the share f of the way between two, in the colours of the nearer one. */
static void mix_rows(gdyn_tube_row *out, const gdyn_tube_row *a, const gdyn_tube_row *b, double f) {
    out->count = a->count;
    for (int j = 0; j < a->count; j++) {
        for (int k = 0; k < 3; k++)
            out->at[j][k] = (1 - f) * a->at[j][k] + f * b->at[j][k];
        out->colour[j] = f < 0.5 ? a->colour[j] : b->colour[j];
    }
}

/* Ends the row in the making. What lies between it and the row before is divided along p: gnuplot draws cells
 * in the order of their distance, which is wrong between long ones. */
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

static bool same_pieces(int count, const gdyn_tube_piece *a, int other, const gdyn_tube_piece *b) {
    bool same = count == other;
    for (int i = 0; same && i < count; i++)
        same = a[i].slot == b[i].slot;
    return same;
}

/* One scan of a patch: every piece has the same number of vertices, so that the borders between
 * colours run along the mesh. */
static void write_scan(gdyn_tube *tube, int point, bool upper, int count,
                       const gdyn_tube_piece *pieces) {
    int steps = GDYN_SAMPLES / count > 4 ? GDYN_SAMPLES / count : 4;
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= steps; i++) {
            double d1 = gdyn_tube_between(pieces[k].from, pieces[k].to, (double)i / steps);
            add_vertex(tube, point, d1, gdyn_tube_envelope(tube, point, d1, upper),
                       gdyn_legend_colour(pieces[k].slot));
        }
    end_row(tube);
}

/* Letters may stand in the middle of every piece of a patch or between its middle and its borders. */
static void letter_patch(gdyn_tube *tube, int number, const int *scan, int first, int last) {
    static const double SHARES[] = {0.5, 0.4, 0.6, 0.3, 0.7};
    gdyn_tube_piece pieces[GDYN_TUBE_PIECES];
    for (int i = 0; i < 25; i++) {
        int point = scan[first + (int)((last - first) * SHARES[i / 5])];
        int count = gdyn_tube_pieces(tube, point, number, true, pieces);
        for (int k = 0; k < count; k++) {
            double width = pieces[k].to - pieces[k].from;
            double d1 = pieces[k].from + width * SHARES[i % 5];
            gdyn_tube_offer(tube, pieces[k].slot, width / tube->window.d1_high * (last - first), d1,
                            point, gdyn_tube_envelope(tube, point, d1, true));
        }
    }
}

/* Scans `first` .. `last` - 1, whose pieces have the same limits one after the other. */
static void write_patch(gdyn_tube *tube, int number, bool upper, const int *scan, int first,
                        int last) {
    gdyn_tube_piece pieces[GDYN_TUBE_PIECES];
    for (int i = first; i < last; i++) {
        int count = gdyn_tube_pieces(tube, scan[i], number, upper, pieces);
        write_scan(tube, scan[i], upper, count, pieces);
    }
    end_surface(tube);
    if (upper)
        letter_patch(tube, number, scan, first, last);
}

/* Shares of an island's width, ascending: equal steps and the ends of the pieces at both scans, where the
 * surfaces beside the strip have corners. */
static int strip_shares(const gdyn_tube *tube, int number, bool upper, const int *scan,
                        double *share) {
    int count = 0;
    for (; count <= GDYN_SAMPLES; count++)
        share[count] = (double)count / GDYN_SAMPLES;
    for (int s = 0; s < 2; s++) {
        gdyn_tube_piece pieces[GDYN_TUBE_PIECES];
        int ends = gdyn_tube_pieces(tube, scan[s], number, upper, pieces) - 1;
        double from = pieces[0].from, to = pieces[ends].to;
        for (int k = 0; k < ends; k++) {
            double at = (pieces[k].to - from) / (to - from);
            int i = count++;
            for (; i > 0 && share[i - 1] > at; i--)
                share[i] = share[i - 1];
            share[i] = at;
        }
    }
    return count;
}

/* The strip between two scans with other limits: either half has the colours of its scan. */
static void write_strip(gdyn_tube *tube, int number, bool upper, const int *scan) {
    double share[GDYN_SAMPLES + 1 + 2 * GDYN_TUBE_PIECES];
    int count = strip_shares(tube, number, upper, scan, share);
    for (int s = 0; s < 2; s++) {
        const gdyn_island *island = &tube->t->along.region[scan[s]]->island[number];
        double to = fmin(island->to, tube->window.d1_high);
        for (int i = 0; i < count; i++) {
            double d1 = gdyn_tube_between(island->from, to, share[i]);
            double middle = i + 1 < count ? 0.5 * (share[i] + share[i + 1]) : 1;
            int slot = gdyn_tube_envelope_slot(tube, scan[s], number,
                                               gdyn_tube_between(island->from, to, middle), upper);
            add_vertex(tube, scan[s], d1, gdyn_tube_envelope(tube, scan[s], d1, upper),
                       gdyn_legend_colour(slot));
        }
        end_row(tube);
    }
    end_surface(tube);
}

static void write_face(gdyn_tube *tube, int number, bool upper, int count, const int *scan) {
    for (int i = 0, end; i < count; i = end) {
        gdyn_tube_piece here[GDYN_TUBE_PIECES], next[GDYN_TUBE_PIECES];
        int pieces = gdyn_tube_pieces(tube, scan[i], number, upper, here);
        for (end = i + 1; end < count; end++) {
            int other = gdyn_tube_pieces(tube, scan[end], number, upper, next);
            if (!same_pieces(pieces, here, other, next))
                break;
        }
        if (end - i > 1)
            write_patch(tube, number, upper, scan, i, end);
        if (end < count)
            write_strip(tube, number, upper, scan + end - 1);
    }
}

/* --- the other faces -------------------------------------------------------------------------- */

/* Vertex number `layer` of LAYERS between the lower and the upper envelope. */
static void write_between(gdyn_tube *tube, int point, double d1, int layer, unsigned colour) {
    double low = gdyn_tube_envelope(tube, point, d1, false),
           high = gdyn_tube_envelope(tube, point, d1, true);
    add_vertex(tube, point, d1, low + (high - low) * layer / LAYERS, colour);
}

/* True when the edges at the right ends of two scans make a face that turns to the eye. */
static bool side_seen(const gdyn_tube *tube, int number, int a, int b) {
    double eye[3], to[2];
    const int point[2] = {a, b};
    for (int i = 0; i < 2; i++)
        to[i] = fmin(tube->t->along.region[point[i]]->island[number].to, tube->window.d1_high);
    gdyn_tube_eye(eye);
    double along = (tube->t->along.p[b] - tube->t->along.p[a]) / gdyn_tube_length(tube);
    return eye[0] * along - eye[1] * (to[1] - to[0]) / tube->window.d1_high > 0;
}

/* A letter may stand in the middle of a stretch of scans whose right ends have the same limits. */
static void letter_sides(gdyn_tube *tube, int number, int count, const int *scan) {
    for (int i = 0, end; i < count; i = end) {
        int slot = gdyn_tube_side_slot(tube, scan[i], number);
        for (end = i + 1; end < count && gdyn_tube_side_slot(tube, scan[end], number) == slot;)
            end++;
        int at = (i + end) / 2, middle = scan[at];
        bool seen = (at == 0 || side_seen(tube, number, scan[at - 1], middle)) &&
                    (at + 1 == count || side_seen(tube, number, middle, scan[at + 1]));
        const gdyn_island *island = &tube->t->along.region[middle]->island[number];
        double d1 = fmin(island->to, tube->window.d1_high);
        double low = gdyn_tube_envelope(tube, middle, d1, false),
               high = gdyn_tube_envelope(tube, middle, d1, true);
        double height = (high - low) / (tube->window.d2_high - tube->window.d2_low);
        if (seen && island->right_count > 0)
            gdyn_tube_offer(tube, slot, height * (end - i), d1, middle, 0.5 * (low + high));
    }
}

/* The edge between the envelopes at the right end of an island. */
static void write_side(gdyn_tube *tube, int point, int number) {
    const gdyn_island *island = &tube->t->along.region[point]->island[number];
    double d1 = fmin(island->to, tube->window.d1_high);
    unsigned colour = 0xD8D8D8u;
    if (island->right_count > 0)
        colour = gdyn_legend_colour(gdyn_tube_side_slot(tube, point, number));
    for (int layer = 0; layer <= LAYERS; layer++)
        write_between(tube, point, d1, layer, colour);
    end_row(tube);
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(gdyn_tube *tube, int point, int number) {
    double d1[GDYN_SAMPLES + 1];
    gdyn_sample_d1(&tube->t->along.region[point]->island[number], &tube->window, d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i <= GDYN_SAMPLES; i++)
            write_between(tube, point, d1[i], layer, 0xEAEAEAu);
        end_row(tube);
    }
    end_surface(tube);
}

/* The faces of a run of scans whose island continues, those that can be seen from the front, the right
 * and above. Everything is in small pieces: gnuplot draws them in the order of their distance. */
static void write_run(gdyn_tube *tube, int number, int count, const int *scan) {
    tube->outward = true;
    write_face(tube, number, true, count, scan);
    tube->outward = false;
    write_face(tube, number, false, count, scan);
    for (int i = 0; i < count; i++)
        write_side(tube, scan[i], number);
    letter_sides(tube, number, count, scan);
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
