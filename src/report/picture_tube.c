/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front. */
#include "report/picture.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>

enum { SCANS = 160, LOOP = GDYN_SAMPLES, LAYERS = 12, PIECES_MOST = 24 };

/* Directions of view as gnuplot takes them: turned about z, then about x [deg]; height of the box. */
enum { VIEW_TILT = 62, VIEW_TURN = 32 };
static const double VIEW_HEIGHT = 1.1;

/* Where the letter of a set stands: on the largest of its patches. */
typedef struct spot {
    double size; /* 0: nowhere */
    double d1, p, d2;
} spot;

/* A row of vertices of a surface, across p or up the region. */
enum { ROW_MOST = PIECES_MOST * 5 + LOOP };
typedef struct mesh_row {
    int count;
    double at[ROW_MOST][3]; /* d1, p, d2 */
    unsigned colour[ROW_MOST];
} mesh_row;

typedef struct picture {
    const gdyn_trajectory *t;
    gdyn_script script;
    gdyn_legend legend;
    gdyn_window window;
    int scans;
    const int *scan; /* scans: the points that are drawn */
    spot spot[GDYN_LEGEND_SHOWN];
    bool
        outward; /* of the surface in the making: along its rows x from row to row, or against it */
    mesh_row row;  /* in the making */
    mesh_row last; /* before it; count 0: none */
} picture;

/* A stretch of an envelope on which the same limits are saturated. */
typedef struct piece {
    double from, to;
    int slot;
} piece;

/* --- vertices --------------------------------------------------------------------------------- */

static void add_vertex(picture *pic, int point, double d1, double d2, unsigned colour) {
    mesh_row *row = &pic->row;
    if (row->count < ROW_MOST) {
        double *at = row->at[row->count];
        at[0] = d1, at[1] = pic->t->along.p[point], at[2] = d2;
        row->colour[row->count++] = colour;
    }
}

/* Direction to the eye in the box of the picture, [0, 1] x [0, 1] x [0, VIEW_HEIGHT]. */
static void to_eye(double eye[3]) {
    double tilt = VIEW_TILT * GDYN_PI / 180, turn = VIEW_TURN * GDYN_PI / 180;
    v3_set(eye, sin(turn) * sin(tilt), -cos(turn) * sin(tilt), cos(tilt));
}

/* Extent of the path that is drawn. */
static double length_of(const picture *pic) {
    return pic->t->along.p[pic->scan[pic->scans - 1]] - pic->t->along.p[pic->scan[0]];
}

/* True when the cell between vertices j, j + 1 of two rows turns its outer side to the eye: the normal is the
 * product of its diagonals. The body is closed, so what turns away is hidden. */
static bool faces_eye(const picture *pic, const mesh_row *a, const mesh_row *b, int j) {
    const gdyn_window *w = &pic->window;
    double scale[3] = {1 / w->d1_high, 1 / length_of(pic), VIEW_HEIGHT / (w->d2_high - w->d2_low)};
    double d[3], e[3], normal[3], eye[3];
    v3_sub(d, b->at[j + 1], a->at[j]);
    v3_sub(e, b->at[j], a->at[j + 1]);
    for (int k = 0; k < 3; k++)
        d[k] *= scale[k], e[k] *= scale[k];
    v3_cross(normal, d, e);
    to_eye(eye);
    return (pic->outward ? 1 : -1) * v3_dot(normal, eye) > 0;
}

/* The cells between two rows that can be seen, those of one colour side by side as a surface of their own:
 * which corner gives a cell its colour does not matter. Colours are those of the first row. */
static void write_cells(picture *pic, const mesh_row *a, const mesh_row *b) {
    const mesh_row *rows[] = {a, b};
    for (int from = 0, to; from + 1 < a->count; from = to > from ? to : from + 1) {
        for (to = from; to + 1 < a->count && a->colour[to] == a->colour[from];)
            if (faces_eye(pic, a, b, to))
                to++;
            else
                break;
        for (int r = 0; r < 2 && to > from; r++) {
            for (int j = from; j <= to; j++)
                gdyn_text_printf(&pic->script.data, "%.7g %.7g %.7g %u\n", rows[r]->at[j][0],
                                 rows[r]->at[j][1], rows[r]->at[j][2], a->colour[from]);
            gdyn_text_append(&pic->script.data, "\n", r == 0);
        }
        if (to > from)
            gdyn_script_end_block(&pic->script);
    }
}

/* The row at the share f of the way between two, in the colours of the nearer one. */
static void mix_rows(mesh_row *out, const mesh_row *a, const mesh_row *b, double f) {
    out->count = a->count;
    for (int j = 0; j < a->count; j++) {
        for (int k = 0; k < 3; k++)
            out->at[j][k] = (1 - f) * a->at[j][k] + f * b->at[j][k];
        out->colour[j] = f < 0.5 ? a->colour[j] : b->colour[j];
    }
}

/* Ends the row in the making. What lies between it and the row before is divided along p: gnuplot draws cells
 * in the order of their distance, which is wrong between long ones. */
static void end_row(picture *pic) {
    if (pic->last.count > 0) {
        double way = pic->row.at[0][1] - pic->last.at[0][1];
        int parts = (int)ceil(SCANS * way / length_of(pic) - 1e-6);
        mesh_row here = pic->last, next;
        for (int i = 1; i < parts; i++) {
            mix_rows(&next, &pic->last, &pic->row, (double)i / parts);
            write_cells(pic, &here, &next);
            here = next;
        }
        write_cells(pic, &here, &pic->row);
    }
    pic->last = pic->row;
    pic->row.count = 0;
}

static double envelope(const picture *pic, int point, double d1, bool upper) {
    return gdyn_sample_envelope(pic->t->along.region[point], d1, upper, &pic->window);
}

/* Exact at both ends: a rounding error beyond an island has no envelope. */
static double between(double from, double to, double share) {
    return share < 1 ? fmin(from + (to - from) * share, to) : to;
}

/* The next row begins a surface. */
static void end_surface(picture *pic) {
    pic->last.count = 0;
}

/* --- envelopes -------------------------------------------------------------------------------- */

/* The pieces of an envelope of an island within the window, neighbours of one slot joined. */
static int pieces_of(const picture *pic, int point, int number, bool upper, piece *out) {
    const gdyn_region *region = pic->t->along.region[point];
    const gdyn_island *island = &region->island[number];
    const gdyn_arc *arc =
        upper ? region->upper + island->upper_first : region->lower + island->lower_first;
    int arcs = upper ? island->upper_count : island->lower_count, count = 0;
    double end = fmin(island->to, pic->window.d1_high);
    for (int i = 0; i < arcs && count < PIECES_MOST; i++) {
        double to = fmin(arc[i].to, end);
        int slot = gdyn_legend_find(&pic->legend, arc[i].active, arc[i].active_count);
        if (!(to > arc[i].from))
            continue;
        if (count > 0 && out[count - 1].slot == slot)
            out[count - 1].to = to;
        else
            out[count++] = (piece){arc[i].from, to, slot};
    }
    if (count == 0)
        out[count++] = (piece){island->from, fmax(end, island->from), -1};
    out[count - 1].to = fmax(end, out[count - 1].from);
    return count;
}

/* Slot of the limits at the right end of an island. */
static int side_slot(const picture *pic, int point, int number) {
    const gdyn_island *island = &pic->t->along.region[point]->island[number];
    return gdyn_legend_find(&pic->legend, island->right, island->right_count);
}

/* --- letters ---------------------------------------------------------------------------------- */

/* Where a place lies between two scans: their numbers, the share of the way. */
typedef struct section {
    int a, b; /* points */
    double f;
} section;

static bool find_section(const picture *pic, double p, section *out) {
    const double *at = pic->t->along.p;
    int i = 0;
    while (i + 2 < pic->scans && at[pic->scan[i + 1]] < p)
        i++;
    *out = (section){pic->scan[i], pic->scan[i + 1], 0};
    out->f = (p - at[out->a]) / (at[out->b] - at[out->a]);
    return out->f >= 0 && out->f <= 1;
}

/* An island between two scans as its mesh has it. d1 of both that lie at the share of (d1, p); false: outside. */
static bool find_share(const picture *pic, const section *s, int number, double d1, double at[2]) {
    double from[2], to[2];
    const int point[2] = {s->a, s->b};
    for (int i = 0; i < 2; i++) {
        const gdyn_region *region = pic->t->along.region[point[i]];
        if (region->island_count <= number)
            return false;
        from[i] = region->island[number].from;
        to[i] = fmin(region->island[number].to, pic->window.d1_high);
    }
    double low = from[0] + (from[1] - from[0]) * s->f, high = to[0] + (to[1] - to[0]) * s->f;
    if (!(d1 > low && d1 < high))
        return false;
    for (int i = 0; i < 2; i++)
        at[i] = between(from[i], to[i], (d1 - low) / (high - low));
    return true;
}

/* Slot of the envelope's limits at d1; -1: none. */
static int envelope_slot(const picture *pic, int point, int number, double d1, bool upper) {
    piece pieces[PIECES_MOST];
    int count = pieces_of(pic, point, number, upper, pieces), k = 0;
    while (k + 1 < count && d1 > pieces[k].to)
        k++;
    return pieces[k].slot;
}

enum { OUTSIDE, INSIDE, ABOVE, BELOW };

/* Where a place stands to the body; *number and at[2]: the island and d1 of both scans, unless it is outside. */
static int stand(const picture *pic, const double place[3], section *s, int *number, double at[2]) {
    if (!find_section(pic, place[1], s))
        return OUTSIDE;
    for (*number = 0; *number < pic->t->along.region[s->a]->island_count; ++*number) {
        if (!find_share(pic, s, *number, place[0], at))
            continue;
        double high = envelope(pic, s->a, at[0], true), low = envelope(pic, s->a, at[0], false);
        high += (envelope(pic, s->b, at[1], true) - high) * s->f;
        low += (envelope(pic, s->b, at[1], false) - low) * s->f;
        return place[2] > high ? ABOVE : place[2] < low ? BELOW : INSIDE;
    }
    return OUTSIDE;
}

/* Between two such places is a surface of the body, which may be thin. */
static bool enters(int before, int now) {
    return now == INSIDE || (before == ABOVE && now == BELOW) || (before == BELOW && now == ABOVE);
}

/* The place x along the line of sight, which runs `beside` a place, all in units of the box. */
static void look(const double place[3], const double size[3], const double beside[3],
                 const double eye[3], double x, double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = place[k] + size[k] * (beside[k] + x * eye[k]);
}

/* The slot that is seen at a place: the line of sight is followed from the eye until it meets the body, in the
 * box [0, 1] x [0, 1] x [0, height]. right, up: so far beside the place. -1: none, or not the same at both scans. */
static int seen_slot(const picture *pic, const double place[3], double right, double up) {
    static const double FAR = 2, STEP = 0.004, BEHIND = 0.1;
    const gdyn_window *w = &pic->window;
    double tilt = VIEW_TILT * GDYN_PI / 180, turn = VIEW_TURN * GDYN_PI / 180, eye[3], out[3],
           in[3];
    double size[3] = {w->d1_high, length_of(pic), (w->d2_high - w->d2_low) / VIEW_HEIGHT};
    double beside[3] = {right * cos(turn) - up * cos(tilt) * sin(turn),
                        right * sin(turn) + up * cos(tilt) * cos(turn), up * sin(tilt)};
    section s;
    int number = 0;
    double at[2], from = FAR, to = FAR;
    to_eye(eye);
    /* the first step that enters or crosses the body, then the surface within it */
    int before = OUTSIDE;
    for (;; from = to) {
        to = from - STEP;
        if (to < -BEHIND)
            return -1;
        look(place, size, beside, eye, to, in);
        int now = stand(pic, in, &s, &number, at);
        if (enters(before, now))
            break;
        before = now;
    }
    for (int i = 0; i < 12; i++) {
        double x = 0.5 * (from + to);
        look(place, size, beside, eye, x, out);
        *(enters(before, stand(pic, out, &s, &number, at)) ? &to : &from) = x;
    }
    look(place, size, beside, eye, to, in);
    look(place, size, beside, eye, from, out);
    int face = stand(pic, out, &s, &number, at);
    if (face == OUTSIDE)
        stand(pic, in, &s, &number, at);
    int slot[2];
    for (int i = 0; i < 2; i++) {
        int point = i ? s.b : s.a;
        slot[i] = face != OUTSIDE ? envelope_slot(pic, point, number, at[i], face == ABOVE)
                                  : side_slot(pic, point, number);
    }
    return slot[0] == slot[1] && out[1] >= pic->t->along.p[pic->scan[0]] ? slot[0] : -1;
}

/* A letter may stand here when no larger patch of its set has been met that is seen wherever the letter is. */
static void offer_spot(picture *pic, int slot, double size, double d1, int point, double d2) {
    static const double WIDTH = 0.006, HEIGHT = 0.008; /* half a letter, of the width of the box */
    if (slot < 0 || slot >= GDYN_LEGEND_SHOWN || size <= pic->spot[slot].size)
        return;
    const double place[3] = {d1, pic->t->along.p[point], d2};
    for (int i = -2; i <= 2; i++)
        if (seen_slot(pic, place, 0.5 * i * WIDTH, 0) != slot ||
            seen_slot(pic, place, 0, 0.5 * i * HEIGHT) != slot)
            return;
    pic->spot[slot] = (spot){size, d1, place[1], d2};
}

/* --- faces ------------------------------------------------------------------------------------ */

static bool same_pieces(int count, const piece *a, int other, const piece *b) {
    bool same = count == other;
    for (int i = 0; same && i < count; i++)
        same = a[i].slot == b[i].slot;
    return same;
}

/* One scan of a patch: every piece has the same number of vertices, so that the borders between
 * colours run along the mesh. */
static void write_scan(picture *pic, int point, bool upper, int count, const piece *pieces) {
    int steps = LOOP / count > 4 ? LOOP / count : 4;
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= steps; i++) {
            double d1 = between(pieces[k].from, pieces[k].to, (double)i / steps);
            add_vertex(pic, point, d1, envelope(pic, point, d1, upper),
                       gdyn_legend_colour(pieces[k].slot));
        }
    end_row(pic);
}

/* Letters may stand in the middle of every piece of a patch or between its middle and its borders. */
static void letter_patch(picture *pic, int number, const int *scan, int first, int last) {
    static const double SHARES[] = {0.5, 0.4, 0.6, 0.3, 0.7};
    piece pieces[PIECES_MOST];
    for (int i = 0; i < 25; i++) {
        int point = scan[first + (int)((last - first) * SHARES[i / 5])];
        int count = pieces_of(pic, point, number, true, pieces);
        for (int k = 0; k < count; k++) {
            double width = pieces[k].to - pieces[k].from;
            double d1 = pieces[k].from + width * SHARES[i % 5];
            offer_spot(pic, pieces[k].slot, width / pic->window.d1_high * (last - first), d1, point,
                       envelope(pic, point, d1, true));
        }
    }
}

/* Scans `first` .. `last` - 1, whose pieces have the same limits one after the other. */
static void write_patch(picture *pic, int number, bool upper, const int *scan, int first,
                        int last) {
    piece pieces[PIECES_MOST];
    for (int i = first; i < last; i++) {
        int count = pieces_of(pic, scan[i], number, upper, pieces);
        write_scan(pic, scan[i], upper, count, pieces);
    }
    end_surface(pic);
    if (upper)
        letter_patch(pic, number, scan, first, last);
}

/* Shares of an island's width, ascending: equal steps and the ends of the pieces at both scans, where the
 * surfaces beside the strip have corners. */
static int strip_shares(const picture *pic, int number, bool upper, const int *scan,
                        double *share) {
    int count = 0;
    for (; count <= LOOP; count++)
        share[count] = (double)count / LOOP;
    for (int s = 0; s < 2; s++) {
        piece pieces[PIECES_MOST];
        int ends = pieces_of(pic, scan[s], number, upper, pieces) - 1;
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
static void write_strip(picture *pic, int number, bool upper, const int *scan) {
    double share[LOOP + 1 + 2 * PIECES_MOST];
    int count = strip_shares(pic, number, upper, scan, share);
    for (int s = 0; s < 2; s++) {
        const gdyn_island *island = &pic->t->along.region[scan[s]]->island[number];
        double to = fmin(island->to, pic->window.d1_high);
        for (int i = 0; i < count; i++) {
            double d1 = between(island->from, to, share[i]);
            double middle = i + 1 < count ? 0.5 * (share[i] + share[i + 1]) : 1;
            int slot =
                envelope_slot(pic, scan[s], number, between(island->from, to, middle), upper);
            add_vertex(pic, scan[s], d1, envelope(pic, scan[s], d1, upper),
                       gdyn_legend_colour(slot));
        }
        end_row(pic);
    }
    end_surface(pic);
}

static void write_face(picture *pic, int number, bool upper, int count, const int *scan) {
    for (int i = 0, end; i < count; i = end) {
        piece here[PIECES_MOST], next[PIECES_MOST];
        int pieces = pieces_of(pic, scan[i], number, upper, here);
        for (end = i + 1; end < count; end++) {
            int other = pieces_of(pic, scan[end], number, upper, next);
            if (!same_pieces(pieces, here, other, next))
                break;
        }
        if (end - i > 1)
            write_patch(pic, number, upper, scan, i, end);
        if (end < count)
            write_strip(pic, number, upper, scan + end - 1);
    }
}

/* --- the other faces -------------------------------------------------------------------------- */

/* Vertex number `layer` of LAYERS between the lower and the upper envelope. */
static void write_between(picture *pic, int point, double d1, int layer, unsigned colour) {
    double low = envelope(pic, point, d1, false), high = envelope(pic, point, d1, true);
    add_vertex(pic, point, d1, low + (high - low) * layer / LAYERS, colour);
}

/* True when the edges at the right ends of two scans make a face that turns to the eye. */
static bool side_seen(const picture *pic, int number, int a, int b) {
    double eye[3], to[2];
    const int point[2] = {a, b};
    for (int i = 0; i < 2; i++)
        to[i] = fmin(pic->t->along.region[point[i]]->island[number].to, pic->window.d1_high);
    to_eye(eye);
    double along = (pic->t->along.p[b] - pic->t->along.p[a]) / length_of(pic);
    return eye[0] * along - eye[1] * (to[1] - to[0]) / pic->window.d1_high > 0;
}

/* A letter may stand in the middle of a stretch of scans whose right ends have the same limits. */
static void letter_sides(picture *pic, int number, int count, const int *scan) {
    for (int i = 0, end; i < count; i = end) {
        int slot = side_slot(pic, scan[i], number);
        for (end = i + 1; end < count && side_slot(pic, scan[end], number) == slot;)
            end++;
        int at = (i + end) / 2, middle = scan[at];
        bool seen = (at == 0 || side_seen(pic, number, scan[at - 1], middle)) &&
                    (at + 1 == count || side_seen(pic, number, middle, scan[at + 1]));
        const gdyn_island *island = &pic->t->along.region[middle]->island[number];
        double d1 = fmin(island->to, pic->window.d1_high);
        double low = envelope(pic, middle, d1, false), high = envelope(pic, middle, d1, true);
        double height = (high - low) / (pic->window.d2_high - pic->window.d2_low);
        if (seen && island->right_count > 0)
            offer_spot(pic, slot, height * (end - i), d1, middle, 0.5 * (low + high));
    }
}

/* The edge between the envelopes at the right end of an island. */
static void write_side(picture *pic, int point, int number) {
    const gdyn_island *island = &pic->t->along.region[point]->island[number];
    double d1 = fmin(island->to, pic->window.d1_high);
    unsigned colour = 0xD8D8D8u;
    if (island->right_count > 0)
        colour = gdyn_legend_colour(side_slot(pic, point, number));
    for (int layer = 0; layer <= LAYERS; layer++)
        write_between(pic, point, d1, layer, colour);
    end_row(pic);
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(picture *pic, int point, int number) {
    double d1[LOOP + 1];
    gdyn_sample_d1(&pic->t->along.region[point]->island[number], &pic->window, d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i <= LOOP; i++)
            write_between(pic, point, d1[i], layer, 0xEAEAEAu);
        end_row(pic);
    }
    end_surface(pic);
}

/* The faces of a run of scans whose island continues, those that can be seen from the front, the right
 * and above. Everything is in small pieces: gnuplot draws them in the order of their distance. */
static void write_run(picture *pic, int number, int count, const int *scan) {
    pic->outward = true;
    write_face(pic, number, true, count, scan);
    pic->outward = false;
    write_face(pic, number, false, count, scan);
    for (int i = 0; i < count; i++)
        write_side(pic, scan[i], number);
    letter_sides(pic, number, count, scan);
    end_surface(pic);
    pic->outward = true;
    write_cap(pic, scan[0], number);
}

static void write_surfaces(picture *pic, int number, int count, const int *scan) {
    for (int i = 0, run = 0; i <= count; i++) {
        if (i < count && pic->t->along.region[scan[i]]->island_count > number) {
            run++;
        } else {
            if (run > 1)
                write_run(pic, number, run, scan + i - run);
            run = 0;
        }
    }
}

/* Letters on the faces, since colours come again after eight sets. */
static void write_letters(picture *pic) {
    for (int slot = 0; slot < GDYN_LEGEND_SHOWN; slot++) {
        const spot *s = &pic->spot[slot];
        if (s->size > 0)
            gdyn_script_line(&pic->script,
                             "set label \"%c\" at first %.9g,%.9g,%.9g center front "
                             "font 'DejaVu Sans Bold,12' tc rgb '#%s'",
                             gdyn_legend_letter(slot), s->d1, s->p, s->d2,
                             gdyn_legend_dark(slot) ? "FFFFFF" : "000000");
    }
}

/* --- script ----------------------------------------------------------------------------------- */

static void begin_page(picture *pic) {
    const gdyn_trajectory *t = pic->t;
    double first = t->along.p[0], last = t->along.p[t->along.points - 1];
    char name[200];
    gdyn_page_heading(&pic->script, 0.04, 0.968, "Accessible regions over the path '%s'",
                      gdyn_script_heading(t->name, name, sizeof name));
    gdyn_legend_draw(&pic->legend, &pic->script, 0.80, 0.88, 0.1, "Saturated there:");
    gdyn_script_line(&pic->script, "set ylabel \"%s\" offset 1,-0.5",
                     gdyn_axis_title_of_p(t->unit).text);
    gdyn_script_line(&pic->script, "set xlabel \"%s\" offset 0,-0.5",
                     gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, t->unit).text);
    gdyn_script_line(&pic->script, "set zlabel \"%s\" rotate offset -1,0",
                     gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, t->unit).text);
    gdyn_script_line(&pic->script,
                     "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]\nset zrange [%.9g:%.9g]",
                     pic->window.d1_high, first, last > first ? last : first + 1,
                     pic->window.d2_low, pic->window.d2_high);
    gdyn_script_line(
        &pic->script,
        "set origin 0,-0.06\nset size 0.80,1.04\n"
        "set view %d,%d,1.0,%g\nset xyplane 0\nset border 895 lc rgb '#555555'\n"
        "set grid x y z vertical lc rgb '#D8D8D8' lt 1 lw 0.5\nset tics out scale 0.5\n"
        "unset colorbox\nset pm3d depthorder corners2color c1\n"
        "set pm3d lighting primary 0.35 specular 0",
        VIEW_TILT, VIEW_TURN, VIEW_HEIGHT);
}

/* Up to SCANS points of the path, its first and last among them. */
static int choose_scans(const gdyn_trajectory *t, int *scan) {
    int count = t->along.points < SCANS ? t->along.points : SCANS;
    for (int i = 0; i < count; i++)
        scan[i] = count > 1 ? (int)((long)i * (t->along.points - 1) / (count - 1)) : 0;
    return count;
}

gdyn_status gdyn_picture_tube(const char *folder, const gdyn_trajectory *t, const gdyn_sink *sink) {
    picture pic = {.t = t};
    int scan[SCANS], islands = 0;
    int count = choose_scans(t, scan);
    if (!gdyn_legend_create(&pic.legend, t, &t->along))
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        gdyn_legend_use_region(&pic.legend, t->along.region[scan[i]]);
        int here = t->along.region[scan[i]]->island_count;
        islands = here > islands ? here : islands;
    }
    gdyn_legend_settle(&pic.legend);
    pic.window = gdyn_window_of(&t->along, count, scan);
    pic.scan = scan;
    pic.scans = count;
    gdyn_script_begin(&pic.script, t->name, "tube", 1400, 950);
    begin_page(&pic);
    for (int k = 0; k < islands; k++)
        write_surfaces(&pic, k, count, scan);
    bool cut = false, followed = false;
    for (int i = 0; i < count; i++) {
        const gdyn_region *region = t->along.region[scan[i]];
        followed |= region->status != GDYN_REGION_UNKNOWN;
        cut |= region->island_count > 0 &&
               (region->d2_unbounded || isinf(region->island[region->island_count - 1].to));
    }
    if (cut)
        gdyn_page_note(&pic.script, 0.04, 0.935, "left font ',11' tc rgb '#555555'",
                       "cut where it is unbounded");
    write_letters(&pic);
    if (pic.script.blocks > 0) {
        gdyn_script_line(&pic.script,
                         "splot data index 0:%d using 1:2:3:4 with pm3d fc rgb variable notitle",
                         pic.script.blocks - 1);
    } else {
        gdyn_page_note(&pic.script, 0.4, 0.5, "center", "%s",
                       followed ? "nothing is accessible" : "no point of the path is reached");
        gdyn_script_line(&pic.script,
                         "unset border\nunset tics\nunset grid\nunset xlabel\n"
                         "unset ylabel\nunset zlabel\nsplot [0:1][0:1][0:1] 2 notitle");
    }
    gdyn_legend_destroy(&pic.legend);
    return gdyn_script_finish(&pic.script, folder, sink);
}
