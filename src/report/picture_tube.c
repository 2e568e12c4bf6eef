/* picture_tube.c - the accessible regions over p as a body in space, its surface in the colours of
 * the limits that are saturated there; the region of the first point closes it in front. */
#include "report/picture.h"

#include <math.h>

enum { SCANS = 160, LOOP = GDYN_SAMPLES, LAYERS = 12 };

typedef struct picture {
    const gdyn_series *series;
    gdyn_script script;
    gdyn_legend legend;
    gdyn_window window;
    bool first; /* nothing plotted yet */
} picture;

static unsigned colour_at(const picture *pic, int point, double d1, bool upper) {
    const gdyn_arc *arc = gdyn_region_arc(pic->series->region[point], d1, upper);
    int place =
        arc ? gdyn_legend_find(&pic->legend, pic->series, point, arc->active, arc->active_count)
            : -1;
    return gdyn_legend_colour(place);
}

static void write_vertex(picture *pic, int point, double d1, bool upper, unsigned colour) {
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %u\n", d1, pic->series->p[point],
                     gdyn_sample_envelope(pic->series->region[point], d1, upper, &pic->window),
                     colour);
}

/* Values of d1 of a scan: LOOP + 1 of them over the island. */
static void scan_values(const picture *pic, int point, int number, double d1[LOOP + 1]) {
    gdyn_sample_d1(&pic->series->region[point]->island[number], &pic->window, d1);
}

/* One envelope of an island as a scan of the surface; the colour of a piece is that of its middle.
 */
static void write_envelope(picture *pic, int point, int number, bool upper) {
    double d1[LOOP + 1];
    scan_values(pic, point, number, d1);
    for (int i = 0; i <= LOOP; i++) {
        double middle = 0.5 * (d1[i] + d1[i < LOOP ? i + 1 : i]);
        write_vertex(pic, point, d1[i], upper, colour_at(pic, point, middle, upper));
    }
    gdyn_text_append(&pic->script.data, "\n", 1);
}

/* Vertex number `layer` of LAYERS between the lower and the upper envelope. */
static void write_between(picture *pic, int point, double d1, int layer, unsigned colour) {
    const gdyn_region *region = pic->series->region[point];
    double low = gdyn_sample_envelope(region, d1, false, &pic->window);
    double high = gdyn_sample_envelope(region, d1, true, &pic->window);
    gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %u\n", d1, pic->series->p[point],
                     low + (high - low) * layer / LAYERS, colour);
}

/* The edge between the envelopes at the right end of an island. */
static void write_side(picture *pic, int point, int number) {
    const gdyn_island *island = &pic->series->region[point]->island[number];
    double d1 = fmin(island->to, pic->window.d1_high);
    unsigned colour = 0xD8D8D8u;
    if (island->right_count > 0) {
        colour = gdyn_legend_colour(
            gdyn_legend_find(&pic->legend, pic->series, point, island->right, island->right_count));
    }
    for (int layer = 0; layer <= LAYERS; layer++) {
        write_between(pic, point, d1, layer, colour);
    }
    gdyn_text_append(&pic->script.data, "\n", 1);
}

static void plot(picture *pic) {
    gdyn_text_printf(&pic->script.gp,
                     "%s data index %d using 1:2:3:4 with pm3d fc rgb variable notitle",
                     pic->first ? "splot" : ", \\\n   ", gdyn_script_end_block(&pic->script));
    pic->first = false;
}

/* The flat region at one point, which closes the body in front. */
static void write_cap(picture *pic, int point, int number) {
    double d1[LOOP + 1];
    scan_values(pic, point, number, d1);
    for (int layer = 0; layer <= LAYERS; layer++) {
        for (int i = 0; i <= LOOP; i++) {
            write_between(pic, point, d1[i], layer, 0xEAEAEAu);
        }
        gdyn_text_append(&pic->script.data, "\n", 1);
    }
    plot(pic);
}

/* The faces of a run of scans whose island goes on, those that can be seen from the front, the right
 * and above. Everything is in small pieces: gnuplot draws them in the order of their distance. */
static void write_run(picture *pic, int number, int count, const int *scan) {
    for (int face = 0; face < 3; face++) {
        for (int i = 0; i < count; i++) {
            if (face < 2) {
                write_envelope(pic, scan[i], number, face == 1);
            } else {
                write_side(pic, scan[i], number);
            }
        }
        plot(pic);
    }
    write_cap(pic, scan[0], number);
}

static void write_surfaces(picture *pic, int number, int count, const int *scan) {
    for (int i = 0, run = 0; i <= count; i++) {
        if (i < count && pic->series->region[scan[i]]->island_count > number) {
            run++;
        } else {
            if (run > 1) {
                write_run(pic, number, run, scan + i - run);
            }
            run = 0;
        }
    }
}

static void begin_page(picture *pic) {
    const gdyn_series *series = pic->series;
    double first = series->p[0], last = series->p[series->points - 1];
    char name[200];
    const char *metre = *series->unit ? series->unit : "1";
    gdyn_script_line(
        &pic->script,
        "set label \"Accessible regions over the path '%s'\" at screen 0.04,0.968 left "
        "font ',16'",
        gdyn_script_quote(series->name, name, sizeof name));
    gdyn_legend_draw(&pic->legend, &pic->script, 0.80, 0.88, 0.1, "Saturated there:");
    gdyn_script_line(&pic->script, "set ylabel \"p%s%s%s\" offset 1,-0.5",
                     *series->unit ? " [" : "", series->unit, *series->unit ? "]" : "");
    gdyn_script_line(&pic->script, "set xlabel \"d₁ [%s/s]\" offset 0,-0.5", metre);
    gdyn_script_line(&pic->script, "set zlabel \"d₂ [%s/s²]\" rotate offset -1,0", metre);
    gdyn_script_line(&pic->script,
                     "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]\nset zrange [%.9g:%.9g]",
                     pic->window.d1_high, first, last > first ? last : first + 1,
                     pic->window.d2_low, pic->window.d2_high);
    gdyn_script_line(
        &pic->script,
        "set origin 0,-0.06\nset size 0.80,1.04\n"
        "set view 62,32,1.0,1.1\nset xyplane 0\nset border 895 lc rgb '#555555'\n"
        "set grid x y z vertical lc rgb '#D8D8D8' lt 1 lw 0.5\nset tics out scale 0.5\n"
        "unset colorbox\nset pm3d depthorder corners2color c1\n"
        "set pm3d lighting primary 0.35 specular 0");
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
    picture pic = {.series = series, .first = true};
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
    gdyn_script_begin(&pic.script, series->name, "tube", 1400, 950);
    begin_page(&pic);
    for (int k = 0; k < islands; k++) {
        write_surfaces(&pic, k, count, scan);
    }
    if (pic.first) {
        gdyn_script_line(&pic.script, "set label 'nothing is accessible' at screen 0.4,0.5 center\n"
                                      "splot [0:1][0:1][0:1] 2 notitle");
    }
    gdyn_text_append(&pic.script.gp, "\n", 1);
    gdyn_legend_destroy(&pic.legend);
    return gdyn_script_finish(&pic.script, folder, sink);
}
