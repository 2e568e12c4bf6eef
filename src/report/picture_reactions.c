/* picture_reactions.c - reactions along a trajectory: unique forces and moments as lines; what cannot
 * be known as a hatched strip that carries a name and no line. */
#include "report/picture.h"
#include "report/reactions_report.h"

#include <math.h>
#include <string.h>

/* Share of their size by which values differ when that is no more than rounding. */
static const double LEVEL = 1e-9;

/* Between a panel and the names beside it, as a share of the width. */
static const double GAP = 0.02;

enum { LINES_MOST = 8, STRIPS_MOST = 24, WIDTH = 1300 };

static const char *const colours[LINES_MOST] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#222222", "#8C6D31"};

typedef struct picture {
    const gdyn_path_reactions *along;
    gdyn_script script;
    int strips, more; /* shown, and left out */
    int strip[STRIPS_MOST];
    double x0, x1;
    int generic;        /* rank of the path's points but for singular ones */
    double left, right; /* ends of the panels, as shares of the width: names stand beside them */
} picture;

/* Poses of lower rank have verdicts of their own, which say nothing about the path. */
static gdyn_verdict verdict_at(const picture *pic, int point, int c) {
    return pic->along->rank[point] < pic->generic
               ? GDYN_UNIQUE
               : pic->along->verdict[point * pic->along->components + c];
}

static double value_at(const picture *pic, int point, int c) {
    return pic->along->value[point * pic->along->components + c];
}

/* Greatest magnitude where it is unique; NAN when it never is. */
static double greatest(const picture *pic, int c) {
    double most = NAN;
    for (int i = 0; i < pic->along->points; i++)
        most = fmax(most, fabs(value_at(pic, i, c)));
    return most;
}

/* The components of one unit with the greatest magnitudes; returns their number, *more: the rest. */
static int largest(const picture *pic, bool moment, int list[LINES_MOST], int *more) {
    int count = 0, unique = 0;
    for (int c = 0; c < pic->along->components; c++) {
        double size = greatest(pic, c);
        if (isnan(size) || gdyn_reactions_component(pic->along->r, c)->moment != moment)
            continue;
        unique++;
        int at = count < LINES_MOST ? count++ : LINES_MOST;
        while (at > 0 && greatest(pic, list[at - 1]) < size) {
            if (at < LINES_MOST)
                list[at] = list[at - 1];
            at--;
        }
        if (at < LINES_MOST)
            list[at] = c;
    }
    *more = unique - count;
    return count;
}

static int write_curve(picture *pic, int c) {
    for (int i = 0; i < pic->along->points; i++) {
        double value = value_at(pic, i, c);
        if (isnan(value))
            gdyn_text_printf(&pic->script.data, "\n");
        else
            gdyn_text_printf(&pic->script.data, "%.9g %.9g\n", pic->along->p[i], value);
    }
    return gdyn_script_end_block(&pic->script);
}

/* Lines that are level have a window of their own: gnuplot takes none from them without complaint. */
static void set_window(picture *pic, int count, const int *list) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < pic->along->points; i++) {
            low = fmin(low, value_at(pic, i, list[k]));
            high = fmax(high, value_at(pic, i, list[k]));
        }
    }
    double size = fmax(fabs(low), fabs(high)), spare = size > 0 ? 0.1 * size : 1;
    if (high - low > LEVEL * size)
        gdyn_script_line(&pic->script, "set autoscale y");
    else
        gdyn_script_line(&pic->script, "set yrange [%.9g:%.9g]", low - spare, high + spare);
}

static void plot_curves(picture *pic, bool moment, double top, double bottom) {
    int list[LINES_MOST], more, count = largest(pic, moment, list, &more), block[LINES_MOST];
    if (count == 0)
        return;
    char label[200], quoted[240];
    for (int i = 0; i < count; i++)
        block[i] = write_curve(pic, list[i]);
    gdyn_script_line(&pic->script,
                     "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                     "set ylabel \"%s\"\nset key at screen %.4f,%.4f left top Left reverse "
                     "samplen 2 title \"%s\" left",
                     top, bottom, moment ? "moment [N m]" : "force [N]", pic->right + GAP, top,
                     more > 0 ? "largest of the unique" : "unique");
    set_window(pic, count, list);
    gdyn_text_printf(&pic->script.gp, "plot ");
    for (int i = 0; i < count; i++) {
        gdyn_reactions_label(pic->along->r, list[i], label, sizeof label);
        gdyn_text_printf(&pic->script.gp,
                         "%sdata index %d using 1:2 with lines lw 2.2 lc rgb '%s' title \"%s\"",
                         i ? ", \\\n  " : "", block[i], colours[i],
                         gdyn_script_quote(label, quoted, sizeof quoted));
    }
    gdyn_script_line(&pic->script, "\nunset label");
}

/* Boxes over the points where strip s is not unique, by verdict. */
static int write_strip_boxes(picture *pic, gdyn_verdict verdict) {
    const double *p = pic->along->p;
    int last = pic->along->points - 1;
    gdyn_text_printf(&pic->script.data, "%.9g -9 %.9g %.9g -9 -9\n", pic->x0, pic->x0, pic->x0);
    for (int s = 0; s < pic->strips; s++) {
        for (int i = 0; i <= last; i++) {
            if (verdict_at(pic, i, pic->strip[s]) != verdict)
                continue;
            int from = i;
            while (i < last && verdict_at(pic, i + 1, pic->strip[s]) == verdict)
                i++;
            double a = from > 0 ? 0.5 * (p[from - 1] + p[from]) : pic->x0;
            double b = i < last ? 0.5 * (p[i] + p[i + 1]) : pic->x1;
            double y = pic->strips - 1 - s;
            gdyn_text_printf(&pic->script.data, "%.9g %.9g %.9g %.9g %.9g %.9g\n", 0.5 * (a + b), y,
                             a, b, y - 0.42, y + 0.42);
        }
    }
    return gdyn_script_end_block(&pic->script);
}

/* The text when no component lacks a number. */
static const char *what_is_unique(const picture *pic) {
    if (pic->generic < 0)
        return "the path is not followed";
    if (pic->along->components == 0)
        return "no joint has a reaction";
    for (int i = 0; i < pic->along->points; i++)
        if (pic->along->rank[i] < 0)
            return "unique where followed";
    return "every reaction is unique";
}

static void plot_strips(picture *pic, double top, double bottom) {
    char label[200], quoted[240];
    int open = write_strip_boxes(pic, GDYN_INDETERMINATE);
    int dependent = write_strip_boxes(pic, GDYN_DRIVE_DEPENDENT);
    gdyn_script_line(
        &pic->script,
        "set tmargin at screen %.4f\nset bmargin at screen %.4f\nunset ylabel\n"
        "unset grid\nset yrange [-0.6:%.1f]\nset ytics scale 0 font ',10'\n"
        "set key at screen %.4f,%.4f left top Left reverse samplen 2 title \"%s\" left",
        top, bottom, pic->strips - 0.4, pic->right + GAP, top, "no number exists");
    gdyn_script_line(&pic->script, "set ytics ('' -9)\nset xlabel \"p%s%s%s\"\nset format x '%%g'",
                     *pic->along->unit ? " [" : "", pic->along->unit, *pic->along->unit ? "]" : "");
    for (int s = 0; s < pic->strips; s++) {
        gdyn_reactions_label(pic->along->r, pic->strip[s], label, sizeof label);
        gdyn_script_line(&pic->script, "set ytics add (\"%s\" %d)",
                         gdyn_script_quote(label, quoted, sizeof quoted), pic->strips - 1 - s);
    }
    if (pic->more > 0) {
        gdyn_script_line(&pic->script, "set label 77 'and %d more' at screen %.4f,%.4f left",
                         pic->more, pic->right + GAP, bottom + 0.01);
    }
    if (pic->strips == 0) {
        gdyn_script_line(&pic->script,
                         "unset key\nset label 78 '%s' at screen %.4f,%.4f left\n"
                         "plot data index %d using 1:2 with points ps 0",
                         what_is_unique(pic), pic->right + GAP, 0.5 * (top + bottom), open);
        return;
    }
    gdyn_script_line(&pic->script,
                     "plot data index %d using 1:2:3:4:5:6 with boxxyerror fc rgb '#CC3311' fs "
                     "pattern 4 border lc rgb '#CC3311' "
                     "title 'indeterminate', data index %d using 1:2:3:4:5:6 with boxxyerror fc "
                     "rgb '#B8860B' fs pattern 5 "
                     "border lc rgb '#B8860B' title 'known once drives are'",
                     open, dependent);
}

static void collect_strips(picture *pic) {
    for (int c = 0; c < pic->along->components; c++) {
        bool open = false;
        for (int i = 0; i < pic->along->points; i++)
            open |= verdict_at(pic, i, c) != GDYN_UNIQUE;
        if (open && pic->strips < STRIPS_MOST)
            pic->strip[pic->strips++] = c;
        else if (open)
            pic->more++;
    }
}

/* Room for the longest name left of the strips, and right of the curves behind their sample. */
static void set_margins(picture *pic) {
    static const double SMALL = 8.0 / WIDTH, LARGE = 9.8 / WIDTH, SAMPLE = 75.0 / WIDTH;
    char label[200];
    size_t left = 0, right = 0;
    for (int s = 0; s < pic->strips; s++) {
        size_t length =
            strlen(gdyn_reactions_label(pic->along->r, pic->strip[s], label, sizeof label));
        left = length > left ? length : left;
    }
    for (int moment = 0; moment < 2; moment++) {
        int list[LINES_MOST], more, count = largest(pic, moment != 0, list, &more);
        for (int i = 0; i < count; i++) {
            size_t length =
                strlen(gdyn_reactions_label(pic->along->r, list[i], label, sizeof label));
            right = length > right ? length : right;
        }
    }
    pic->left = fmin(fmax(SMALL * (double)left + GAP, 0.13), 0.35);
    pic->right = 1 - fmin(fmax(LARGE * (double)right + GAP + SAMPLE, 0.22), 0.42);
}

gdyn_status gdyn_picture_reactions(const char *folder, const gdyn_path_reactions *along,
                                   const gdyn_sink *sink) {
    picture pic = {.along = along, .generic = gdyn_reaction_generic(along->points, along->rank)};
    char title[200];
    int last = along->points - 1;
    pic.x0 = fmin(along->p[0], along->p[last]);
    pic.x1 = fmax(along->p[0], along->p[last]);
    if (!(pic.x1 > pic.x0))
        pic.x1 = pic.x0 + 1;
    collect_strips(&pic);
    set_margins(&pic);
    int list[LINES_MOST], more, panels = 0;
    for (int moment = 0; moment < 2; moment++)
        panels += largest(&pic, moment != 0, list, &more) > 0;
    /* Heights in pixels, from below: axis and its name, strips, a gap, the panels, the title. */
    int strip_height = 24 * pic.strips, height = 75 + strip_height + 40 + 360 * panels + 60;
    double base = 75.0 / height, strips = (75.0 + strip_height) / height;
    double panel = 360.0 / height, gap = 30.0 / height, top = 1 - 60.0 / height;
    gdyn_script_begin(&pic.script, along->name, "reactions", WIDTH, height);
    gdyn_script_line(&pic.script,
                     "set multiplot\nset label \"Reactions along '%s'\" at screen %.4f,%.4f left "
                     "font ',16'\nset lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                     "set xrange [%.9g:%.9g]\nset border lc rgb '#444444'\n"
                     "set tics nomirror out scale 0.6\nset format x ''\n"
                     "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back",
                     gdyn_script_heading(along->name, title, sizeof title), pic.left,
                     1 - 30.0 / height, pic.left, pic.right, pic.x0, pic.x1);
    plot_curves(&pic, false, top, top - panel + gap);
    plot_curves(&pic, true, top - (panels - 1) * panel, top - panels * panel + gap);
    plot_strips(&pic, strips + (pic.strips ? 0 : gap), base);
    gdyn_script_line(&pic.script, "unset multiplot");
    return gdyn_script_finish(&pic.script, folder, sink);
}
