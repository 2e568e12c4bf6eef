/* picture_reactions.c - reactions along a trajectory: unique forces and moments as lines; what cannot
 * be known as a hatched strip that carries a name and no line. */
#include "report/picture.h"
#include "report/reactions_report.h"

#include <math.h>
#include <string.h>

/* Between a panel and the names beside it, as a share of the width. */
static const double GAP = 0.02;

enum { STRIPS_MOST = 24, WIDTH = 1300 };

typedef struct picture {
    const gdyn_path_reactions *along;
    gdyn_script script;
    int strips, more; /* shown, and left out */
    int strip[STRIPS_MOST];
    double x0, x1;
    int generic;        /* rank of the path's points but for singular ones */
    double names;       /* width of the names of strips in a column */
    double left, right; /* ends of the panels, as shares of the width: names stand beside them */
} picture;

/* Poses of lower rank have verdicts of their own, which say nothing about the path. */
static gdyn_verdict verdict_at(const picture *pic, int point, int c) {
    return pic->along->rank[point] < pic->generic
               ? GDYN_UNIQUE
               : pic->along->verdict[point * pic->along->components + c];
}

static bool is_force(const void *context, int c) {
    return !gdyn_reactions_component(context, c)->moment;
}

static bool is_moment(const void *context, int c) {
    return gdyn_reactions_component(context, c)->moment;
}

static gdyn_curve_table curves_of(const picture *pic) {
    const gdyn_path_reactions *a = pic->along;
    return (gdyn_curve_table){a->points, a->components, 1, a->p, a->value};
}

/* The components of one unit with the greatest magnitudes; returns their number, *more: the rest. */
static int largest(const picture *pic, bool moment, int list[GDYN_CURVES_MOST], int *more) {
    gdyn_curve_table curves = curves_of(pic);
    return gdyn_curves_largest(&curves, gdyn_curves_greatest, moment ? is_moment : is_force,
                               pic->along->r, list, more);
}

static void plot_curves(picture *pic, bool moment, double top, double bottom) {
    int list[GDYN_CURVES_MOST], more, count = largest(pic, moment, list, &more);
    gdyn_curve_table curves = curves_of(pic);
    char label[200], quoted[240];
    if (count == 0)
        return;
    /* Panel, key, scale. */
    gdyn_page_rows(&pic->script, top, bottom);
    gdyn_page_key(&pic->script, pic->right + GAP, top, "samplen 2");
    gdyn_page_key_title(&pic->script, more > 0 ? "largest of the unique" : "unique", "left");
    gdyn_page_label(&pic->script, 'y', moment ? "moment [N m]" : "force [N]", "");
    /* The window of the curves shown. */
    gdyn_curves_window(&pic->script, &curves, count, list, 0);
    for (int i = 0; i < count; i++) {
        gdyn_reactions_label(pic->along->r, list[i], label, sizeof label);
        gdyn_plot(&pic->script, gdyn_curves_write(&pic->script, &curves, list[i], false),
                  "1:2 with lines lw 2.2 dt %d lc rgb '#%06X' title \"%s\"", i % 4 + 1,
                  gdyn_page_colour(i), gdyn_script_quote(label, quoted, sizeof quoted));
    }
    gdyn_plot_end(&pic->script);
    gdyn_script_line(&pic->script, "unset label");
}

/* Boxes over the points where strip s is not unique, by verdict. */
static int write_strip_boxes(picture *pic, gdyn_verdict verdict) {
    const double *p = pic->along->p;
    int last = pic->along->points - 1;
    gdyn_text_printf(&pic->script.data, "%.9g -9 %.9g %.9g -9 -9\n", pic->x0, pic->x0, pic->x0);
    /* Neighbouring points of one verdict are one box. */
    for (int s = 0; s < pic->strips; s++) {
        for (int i = 0; i <= last; i++) {
            if (verdict_at(pic, i, pic->strip[s]) != verdict)
                continue;
            int from = i;
            while (i < last && verdict_at(pic, i + 1, pic->strip[s]) == verdict)
                i++;
            /* A box reaches half the way to the next point. */
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

/* Colour, pattern, colour of the border, title. */
static const char STRIPS[] =
    "1:2:3:4:5:6 with boxxyerror fc rgb '%s' fs pattern %d border lc rgb '%s' title '%s'";

static void plot_strips(picture *pic, double top, double bottom) {
    char label[200], quoted[300], cut[300];
    /* A block for each verdict, then names at the left. */
    int open = write_strip_boxes(pic, GDYN_INDETERMINATE);
    int dependent = write_strip_boxes(pic, GDYN_DRIVE_DEPENDENT);
    gdyn_page_rows(&pic->script, top, bottom);
    gdyn_page_lanes(&pic->script, pic->strips > 2 ? pic->strips : 2);
    gdyn_page_key(&pic->script, pic->right + GAP, top, "samplen 2");
    gdyn_page_key_title(&pic->script, pic->strips ? "no number exists" : "", "left");
    gdyn_page_label(&pic->script, 'y', "", "");
    gdyn_page_label(&pic->script, 'x', gdyn_axis_title_of_p(pic->along->unit).text, "");
    gdyn_page_numbers(&pic->script, 'x', true);
    gdyn_script_line(&pic->script,
                     "unset grid\nset yrange [-0.6:%.1f]\n"
                     "set ytics scale 0 font ',10'\nset ytics ('' -9)",
                     pic->strips - 0.4);
    for (int s = 0; s < pic->strips; s++) {
        gdyn_reactions_label(pic->along->r, pic->strip[s], label, sizeof label);
        gdyn_script_tic(label, quoted, sizeof quoted);
        gdyn_script_line(&pic->script, "set ytics add (\"%s\" %d)",
                         gdyn_page_name(&pic->script, quoted, pic->names, cut),
                         pic->strips - 1 - s);
    }
    gdyn_column_below(&pic->script, true);
    if (pic->more > 0)
        gdyn_page_note(&pic->script, pic->right + GAP, bottom + 0.01, "left", "and %d more",
                       pic->more);
    gdyn_column_below(&pic->script, false);
    /* Without strips a sentence in their place. */
    if (pic->strips == 0) {
        gdyn_page_note(&pic->script, pic->right + GAP, 0.5 * (top + bottom), "left", "%s",
                       what_is_unique(pic));
        gdyn_page_no_key(&pic->script);
        gdyn_plot(&pic->script, open, "1:2 with points ps 0");
    } else {
        gdyn_plot(&pic->script, open, STRIPS, "#CC3311", 4, "#CC3311", "indeterminate");
        gdyn_plot(&pic->script, dependent, STRIPS, "#B8860B", 5, "#B8860B",
                  "known once drives are");
    }
    gdyn_plot_end(&pic->script);
}

static void collect_strips(picture *pic) {
    /* Components that are not unique at some point. */
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
    /* The longest name decides. */
    for (int s = 0; s < pic->strips; s++) {
        size_t length =
            strlen(gdyn_reactions_label(pic->along->r, pic->strip[s], label, sizeof label));
        left = length > left ? length : left;
    }
    for (int moment = 0; moment < 2; moment++) {
        int list[GDYN_CURVES_MOST], more, count = largest(pic, moment != 0, list, &more);
        for (int i = 0; i < count; i++) {
            size_t length =
                strlen(gdyn_reactions_label(pic->along->r, list[i], label, sizeof label));
            right = length > right ? length : right;
        }
    }
    pic->left = fmin(fmax(SMALL * (double)left + GAP, 0.13), 0.35);
    pic->right = 1 - fmin(fmax(LARGE * (double)right + GAP + SAMPLE, 0.22), 0.42);
}

static void begin_page(picture *pic, int height) {
    char title[200], label[200], quoted[300];
    double longest = 0;
    gdyn_script_line(&pic->script, "set multiplot");
    gdyn_page_range(&pic->script, 'x', pic->x0, pic->x1);
    gdyn_page_numbers(&pic->script, 'x', false);
    gdyn_page_heading(&pic->script, pic->left, 1 - 30.0 / height, "Reactions along '%s'",
                      gdyn_script_heading(pic->along->name, title, sizeof title));
    gdyn_page_axes(&pic->script);
    gdyn_page_columns(&pic->script, pic->left, pic->right);
    for (int s = 0; s < pic->strips; s++) {
        gdyn_reactions_label(pic->along->r, pic->strip[s], label, sizeof label);
        longest = fmax(longest, gdyn_column_width(gdyn_script_tic(label, quoted, sizeof quoted)));
    }
    pic->names = gdyn_page_names(&pic->script, longest);
}

gdyn_status gdyn_picture_reactions(const char *folder, const gdyn_path_reactions *along,
                                   const gdyn_sink *sink) {
    picture pic = {.along = along, .generic = gdyn_reaction_generic(along->points, along->rank)};
    int last = along->points - 1;
    /* A path may run towards smaller p. */
    pic.x0 = fmin(along->p[0], along->p[last]);
    pic.x1 = fmax(along->p[0], along->p[last]);
    if (!(pic.x1 > pic.x0))
        pic.x1 = pic.x0 + 1;
    collect_strips(&pic);
    set_margins(&pic);
    /* A panel for forces and one for moments, where there are any. */
    int list[GDYN_CURVES_MOST], more, panels = 0;
    for (int moment = 0; moment < 2; moment++)
        panels += largest(&pic, moment != 0, list, &more) > 0;
    /* Heights in pixels, from below: axis and its name, strips, a gap, the panels, the title. */
    int strip_height = 24 * pic.strips, height = 75 + strip_height + 40 + 360 * panels + 60;
    double base = 75.0 / height, strips = (75.0 + strip_height) / height;
    double panel = 360.0 / height, gap = 30.0 / height, top = 1 - 60.0 / height;
    gdyn_script_begin(&pic.script, along->name, "reactions", WIDTH, height);
    do {
        begin_page(&pic, height);
        /* Panels from above, strips below. */
        plot_curves(&pic, false, top, top - panel + gap);
        plot_curves(&pic, true, top - (panels - 1) * panel, top - panels * panel + gap);
        plot_strips(&pic, strips + (pic.strips ? 0 : gap), base);
        gdyn_script_line(&pic.script, "unset multiplot");
    } while (gdyn_script_again(&pic.script));
    return gdyn_script_finish(&pic.script, folder, sink);
}
