/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front. */
#include "report/picture.h"

#include "base/pi.h"

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

typedef struct picture {
    const gdyn_series *series;
    gdyn_script script;
    gdyn_legend legend;
    gdyn_window window;
    gdyn_text plots; /* the splot command */
    int scans;
    const int *scan; /* scans: the points that are drawn */
    spot spot[GDYN_LEGEND_SHOWN];
} picture;

/* A stretch of an envelope on which the same limits are saturated. */
typedef struct piece {
    double from, to;
    int slot;
} piece;

/* --- vertices --------------------------------------------------------------------------------- */

static void write_vertex(picture *pic, int point, double d1, double d2, int slot) {
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %u\n", d1, pic->series->p[point], d2,
                     gdyn_legend_colour(slot));
}

static double envelope(const picture *pic, int point, double d1, bool upper) {
    return gdyn_sample_envelope(pic->series->region[point], d1, upper, &pic->window);
}

/* Exact at both ends: a rounding error beyond an island has no envelope. */
static double between(double from, double to, double share) {
    return share < 1 ? fmin(from + (to - from) * share, to) : to;
}

static void plot(picture *pic) {
    gdyn_text_printf(
        &pic->plots, "%s data index %d using 1:2:3:4 with pm3d fc rgb variable notitle",
        pic->plots.length == 0 ? "splot" : ", \\\n   ", gdyn_script_end_block(&pic->script));
}

/* --- what is hidden --------------------------------------------------------------------------- */

/* The scan nearest to p, -1 outside of the path. */
static int nearest_scan(const picture *pic, double p) {
    int best = 0;
    double first = pic->series->p[pic->scan[0]], last = pic->series->p[pic->scan[pic->scans - 1]];
    if (p < first || p > last)
        return -1;
    for (int i = 1; i < pic->scans; i++)
        if (fabs(pic->series->p[pic->scan[i]] - p) < fabs(pic->series->p[pic->scan[best]] - p))
            best = i;
    return pic->scan[best];
}

/* True inside of the body that is drawn. */
static bool inside(const picture *pic, double d1, double p, double d2) {
    int point = nearest_scan(pic, p);
    const gdyn_region *region = point >= 0 ? pic->series->region[point] : NULL;
    for (int k = 0; region && k < region->island_count; k++)
        if (d1 > region->island[k].from && d1 < fmin(region->island[k].to, pic->window.d1_high))
            return d2 > envelope(pic, point, d1, false) && d2 < envelope(pic, point, d1, true);
    return false;
}

/* Whether the body stands between a place on its surface and the eye: the line of sight is followed in the
 * box [0, 1] x [0, 1] x [0, height], from a little off the surface. */
static bool hidden(const picture *pic, double d1, double p, double d2) {
    static const double BEGIN = 0.01, STEP = 0.01;
    const gdyn_window *w = &pic->window;
    double degree = GDYN_PI / 180, tilt = VIEW_TILT * degree, turn = VIEW_TURN * degree;
    double first = pic->series->p[pic->scan[0]], last = pic->series->p[pic->scan[pic->scans - 1]];
    double eye[3] = {sin(turn) * sin(tilt) * w->d1_high, -cos(turn) * sin(tilt) * (last - first),
                     cos(tilt) / VIEW_HEIGHT * (w->d2_high - w->d2_low)};
    for (double s = BEGIN; s < 2; s += STEP)
        if (inside(pic, d1 + s * eye[0], p + s * eye[1], d2 + s * eye[2]))
            return true;
    return false;
}

/* A letter may stand here when no larger patch of its set has been met that can be seen. */
static void offer_spot(picture *pic, int slot, double size, double d1, int point, double d2) {
    if (slot >= 0 && slot < GDYN_LEGEND_SHOWN && size > pic->spot[slot].size &&
        !hidden(pic, d1, pic->series->p[point], d2))
        pic->spot[slot] = (spot){size, d1, pic->series->p[point], d2};
}

/* --- envelopes -------------------------------------------------------------------------------- */

/* The pieces of an envelope of an island within the window, neighbours of one slot joined. */
static int pieces_of(const picture *pic, int point, int number, bool upper, piece *out) {
    const gdyn_region *region = pic->series->region[point];
    const gdyn_island *island = &region->island[number];
    const gdyn_arc *arc =
        upper ? region->upper + island->upper_first : region->lower + island->lower_first;
    int arcs = upper ? island->upper_count : island->lower_count, count = 0;
    double end = fmin(island->to, pic->window.d1_high);
    for (int i = 0; i < arcs && count < PIECES_MOST; i++) {
        double to = fmin(arc[i].to, end);
        int slot =
            gdyn_legend_find(&pic->legend, pic->series, point, arc[i].active, arc[i].active_count);
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
            write_vertex(pic, point, d1, envelope(pic, point, d1, upper), pieces[k].slot);
        }
    gdyn_text_append(&pic->script.data, "\n", 1);
}

/* Scans `first` .. `last` - 1, whose pieces have the same limits one after the other. */
static void write_patch(picture *pic, int number, bool upper, const int *scan, int first,
                        int last) {
    piece pieces[PIECES_MOST];
    for (int i = first; i < last; i++) {
        int count = pieces_of(pic, scan[i], number, upper, pieces);
        write_scan(pic, scan[i], upper, count, pieces);
    }
    plot(pic);
    int middle = scan[(first + last) / 2], count = pieces_of(pic, middle, number, upper, pieces);
    for (int k = 0; k < count && upper; k++) {
        double d1 = 0.5 * (pieces[k].from + pieces[k].to);
        double width = (pieces[k].to - pieces[k].from) / pic->window.d1_high;
        offer_spot(pic, pieces[k].slot, width * (last - first), d1, middle,
                   envelope(pic, middle, d1, true));
    }
}

/* The strip between two scans with other limits: half a mesh width may have the neighbour's colour. */
static void write_strip(picture *pic, int number, bool upper, const int *scan) {
    for (int s = 0; s < 2; s++) {
        const gdyn_island *island = &pic->series->region[scan[s]]->island[number];
        const gdyn_island *colours = &pic->series->region[scan[0]]->island[number];
        double to = fmin(island->to, pic->window.d1_high);
        double end = fmin(colours->to, pic->window.d1_high);
        piece pieces[PIECES_MOST];
        int count = pieces_of(pic, scan[0], number, upper, pieces);
        for (int i = 0, k = 0; i <= LOOP; i++) {
            double d1 = between(island->from, to, (double)i / LOOP);
            double at = colours->from + (end - colours->from) * (i + 0.5) / LOOP;
            while (k + 1 < count && at > pieces[k].to)
                k++;
            write_vertex(pic, scan[s], d1, envelope(pic, scan[s], d1, upper), pieces[k].slot);
        }
        gdyn_text_append(&pic->script.data, "\n", 1);
    }
    plot(pic);
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
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %u\n", d1, pic->series->p[point],
                     low + (high - low) * layer / LAYERS, colour);
}

/* Slot of the limits at the right end of an island. */
static int side_slot(const picture *pic, int point, int number) {
    const gdyn_island *island = &pic->series->region[point]->island[number];
    return gdyn_legend_find(&pic->legend, pic->series, point, island->right, island->right_count);
}

/* A letter may stand in the middle of a stretch of scans whose right ends have the same limits. */
static void letter_sides(picture *pic, int number, int count, const int *scan) {
    for (int i = 0, end; i < count; i = end) {
        int slot = side_slot(pic, scan[i], number);
        for (end = i + 1; end < count && side_slot(pic, scan[end], number) == slot;)
            end++;
        int middle = scan[(i + end) / 2];
        const gdyn_island *island = &pic->series->region[middle]->island[number];
        double d1 = fmin(island->to, pic->window.d1_high);
        double low = envelope(pic, middle, d1, false), high = envelope(pic, middle, d1, true);
        double height = (high - low) / (pic->window.d2_high - pic->window.d2_low);
        if (island->right_count > 0)
            offer_spot(pic, slot, height * (end - i), d1, middle, 0.5 * (low + high));
    }
}

/* The edge between the envelopes at the right end of an island. */
static void write_side(picture *pic, int point, int number) {
    const gdyn_island *island = &pic->series->region[point]->island[number];
    double d1 = fmin(island->to, pic->window.d1_high);
    unsigned colour = 0xD8D8D8u;
    if (island->right_count > 0)
        colour = gdyn_legend_colour(side_slot(pic, point, number));
    for (int layer = 0; layer <= LAYERS; layer++)
        write_between(pic, point, d1, layer, colour);
    gdyn_text_append(&pic->script.data, "\n", 1);
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(picture *pic, int point, int number) {
    double d1[LOOP + 1];
    gdyn_sample_d1(&pic->series->region[point]->island[number], &pic->window, d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i <= LOOP; i++)
            write_between(pic, point, d1[i], layer, 0xEAEAEAu);
        gdyn_text_append(&pic->script.data, "\n", 1);
    }
    plot(pic);
}

/* The faces of a run of scans whose island goes on, those that can be seen from the front, the right
 * and above. Everything is in small pieces: gnuplot draws them in the order of their distance. */
static void write_run(picture *pic, int number, int count, const int *scan) {
    write_face(pic, number, false, count, scan);
    write_face(pic, number, true, count, scan);
    for (int i = 0; i < count; i++)
        write_side(pic, scan[i], number);
    letter_sides(pic, number, count, scan);
    plot(pic);
    write_cap(pic, scan[0], number);
}

static void write_surfaces(picture *pic, int number, int count, const int *scan) {
    for (int i = 0, run = 0; i <= count; i++) {
        if (i < count && pic->series->region[scan[i]]->island_count > number) {
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
    const gdyn_series *series = pic->series;
    double first = series->p[0], last = series->p[series->points - 1];
    char name[200];
    gdyn_script_line(
        &pic->script,
        "set label \"Accessible regions over the path '%s'\" at screen 0.04,0.968 left "
        "font ',16'",
        gdyn_script_heading(series->name, name, sizeof name));
    gdyn_legend_draw(&pic->legend, &pic->script, 0.80, 0.88, 0.1, "Saturated there:");
    gdyn_script_line(&pic->script, "set ylabel \"p%s%s%s\" offset 1,-0.5",
                     *series->unit ? " [" : "", series->unit, *series->unit ? "]" : "");
    gdyn_script_line(&pic->script, "set xlabel \"%s\" offset 0,-0.5",
                     gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, series->unit).text);
    gdyn_script_line(&pic->script, "set zlabel \"%s\" rotate offset -1,0",
                     gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, series->unit).text);
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
static int choose_scans(const gdyn_series *series, int *scan) {
    int count = series->points < SCANS ? series->points : SCANS;
    for (int i = 0; i < count; i++) {
        scan[i] = count > 1 ? (int)((long)i * (series->points - 1) / (count - 1)) : 0;
    }
    return count;
}

gdyn_status gdyn_picture_tube(const char *folder, const gdyn_series *series,
                              const gdyn_sink *sink) {
    picture pic = {.series = series};
    int scan[SCANS], islands = 0;
    int count = choose_scans(series, scan);
    if (!gdyn_legend_create(&pic.legend, series)) {
        return GDYN_ERROR_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        gdyn_legend_use_region(&pic.legend, series, scan[i]);
        int here = series->region[scan[i]]->island_count;
        islands = here > islands ? here : islands;
    }
    gdyn_legend_settle(&pic.legend);
    pic.window = gdyn_window_of(series, count, scan);
    pic.scan = scan;
    pic.scans = count;
    gdyn_script_begin(&pic.script, series->name, "tube", 1400, 950);
    begin_page(&pic);
    for (int k = 0; k < islands; k++) {
        write_surfaces(&pic, k, count, scan);
    }
    bool cut = false, followed = false;
    for (int i = 0; i < count; i++) {
        const gdyn_region *region = series->region[scan[i]];
        followed |= region->status != GDYN_REGION_UNKNOWN;
        cut |= region->island_count > 0 &&
               (region->d2_unbounded || isinf(region->island[region->island_count - 1].to));
    }
    if (cut) {
        gdyn_script_line(&pic.script, "set label 'cut where it goes on without bound' at screen "
                                      "0.04,0.935 left font ',11' tc rgb '#555555'");
    }
    write_letters(&pic);
    gdyn_text_append(&pic.script.gp, pic.plots.data ? pic.plots.data : "", pic.plots.length);
    pic.script.gp.failed |= pic.plots.failed;
    if (pic.plots.length == 0) {
        gdyn_script_line(&pic.script,
                         "set label '%s' at screen 0.4,0.5 center\nunset border\nunset tics\n"
                         "unset grid\nunset xlabel\nunset ylabel\nunset zlabel\n"
                         "splot [0:1][0:1][0:1] 2 notitle",
                         followed ? "nothing is accessible" : "no point of the path is reached");
    }
    gdyn_text_append(&pic.script.gp, "\n", 1);
    gdyn_text_free(&pic.plots);
    gdyn_legend_destroy(&pic.legend);
    return gdyn_script_finish(&pic.script, folder, sink);
}
