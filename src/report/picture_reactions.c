/* picture_reactions.c - reactions along a trajectory: unique forces and moments as lines; what
 * cannot be known as a hatched strip that carries a name and no line. */
#include "report/picture.h"
#include "report/report.h"

#include <math.h>

enum { STRIPS_MOST = 24 };

typedef struct picture {
    const gdyn_path_reactions *along;
    gdyn_figure figure;
    int strips, more; /* shown, and left out */
    int strip[STRIPS_MOST];
    double x0, x1;
    int generic; /* rank of the path's points but for singular ones */
} picture;

/* Poses of lower rank have verdicts of their own, which say nothing about the path. */
static gdyn_verdict verdict_at(const picture *pic, int point, int c) {
    return pic->along->rank[point] < pic->generic
               ? GDYN_UNIQUE
               : pic->along->verdict[point * pic->along->components + c];
}

typedef struct choice {
    const gdyn_reactions *r;
    bool moments; /* or forces */
} choice;

static bool is_chosen(const void *context, int c) {
    const choice *wanted = context;
    return gdyn_reactions_component(wanted->r, c)->moment == wanted->moments;
}

static void draw_curves(picture *pic, bool moment) {
    const gdyn_path_reactions *a = pic->along;
    gdyn_curve_table curves = {a->points, a->components, 1, a->p, a->value};
    choice wanted = {a->r, moment};
    int list[GDYN_CURVES_MOST], more;
    int count = gdyn_curves_largest(&curves, gdyn_curves_greatest, is_chosen, &wanted, list, &more);
    char label[200];
    if (count == 0)
        return;
    gdyn_figure_panel *panel = gdyn_figure_add(&pic->figure);
    panel->x = (gdyn_figure_axis){.low = pic->x0, .high = pic->x1, .unlabelled = true};
    panel->y.title = moment ? "moment [N m]" : "force [N]";
    panel->caption[1] = more > 0 ? "largest of the unique" : "unique";
    /* The window of the curves shown. */
    gdyn_curves_window(&panel->y, &curves, count, list, 0);
    for (int i = 0; i < count; i++)
        gdyn_curves_draw(&pic->figure, panel, &curves, list[i], false, i,
                         gdyn_reactions_label(pic->along->r, list[i], label, sizeof label));
}

/* Boxes over the points where strip s is not unique, by verdict. */
static int write_strip_boxes(picture *pic, gdyn_verdict verdict) {
    const double *p = pic->along->p;
    int last = pic->along->points - 1;
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
            gdyn_figure_put(&pic->figure, a, b, y - 0.42, y + 0.42);
        }
    }
    return gdyn_figure_block_end(&pic->figure);
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

void gdyn_picture_reactions(gdyn_pictures *pictures, const gdyn_path_reactions *along) {
    picture pic = {.along = along, .generic = gdyn_reaction_generic(along->points, along->rank)};
    int last = along->points - 1;
    /* A path may run towards smaller p. */
    pic.x0 = fmin(along->p[0], along->p[last]);
    pic.x1 = fmax(along->p[0], along->p[last]);
    if (!(pic.x1 > pic.x0))
        pic.x1 = pic.x0 + 1;
    collect_strips(&pic);
    gdyn_picture_begin(&pic.figure, along->name, "reactions", 1000, "Reactions along '%s'",
                       gdyn_picture_name(along->name).text);
    /* A panel for forces and one for moments, where there are any; strips below. */
    draw_curves(&pic, false), draw_curves(&pic, true);
    /* a lane for each component that is not unique; without any a sentence in their place */
    char label[200];
    gdyn_figure_panel *panel = gdyn_figure_add(&pic.figure);
    panel->x = (gdyn_figure_axis){.title = gdyn_figure_title_of_p(&pic.figure, pic.along->unit),
                                  .low = pic.x0,
                                  .high = pic.x1};
    panel->y = (gdyn_figure_axis){.low = -0.6, .high = fmax(pic.strips, 1) - 0.4, .lanes = true};
    panel->gridless = true;
    panel->y.bare = pic.strips == 0;
    panel->note = pic.strips == 0 ? what_is_unique(&pic) : NULL;
    panel->caption[0] = pic.strips > 0 ? "no number exists" : NULL;
    for (int s = 0; s < pic.strips; s++)
        gdyn_figure_tic_at(&pic.figure, &panel->y, pic.strips - 1 - s,
                           gdyn_reactions_label(pic.along->r, pic.strip[s], label, sizeof label));
    for (int k = 0; k < 2; k++)
        gdyn_draw(&pic.figure, panel, GDYN_BOXES,
                  write_strip_boxes(&pic, k ? GDYN_DRIVE_DEPENDENT : GDYN_INDETERMINATE),
                  .colour = k ? 0xB8860B : 0xCC3311, .border = k ? 0xB8860B : 0xCC3311, .width = 1,
                  .hatch = k ? 5 : 4, .title = k ? "known once drives are" : "indeterminate");
    if (pic.more > 0)
        gdyn_figure_text(&pic.figure, GDYN_PARAGRAPH, "and %d more", pic.more);
    gdyn_picture_write(&pic.figure, pictures);
}
