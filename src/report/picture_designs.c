/* picture_designs.c - what the search gained in accessible motion: for each trajectory the
 * regions of the front's extreme designs (the best in each objective, and a balanced one) laid
 * over that of the start design, common to the whole path and at the point where the start has
 * the least. */
#include "report/picture.h"

#include "study/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 2 };

typedef struct picture {
    const gdyn_outcome *outcome;
    gdyn_best_designs best;
    gdyn_figure figure;
} picture;

/* Okabe and Ito's colours with a dash each, for prints without colour. */
static const struct {
    unsigned colour;
    const char *dash;
} styles[GDYN_BEST_DESIGNS] = {
    {0x666666, NULL},         {0x0072B2, NULL},     {0xD55E00, "(12,4)"},    {0x009E73, "(4,4)"},
    {0xCC79A7, "(12,4,3,4)"}, {0xE69F00, "(20,5)"}, {0x56B4E9, "(3,3,3,9)"}, {0x000000, "(2,3)"},
};

/* --- script ----------------------------------------------------------------------------------- */

/* The look of a design's outline. */
static gdyn_figure_layer line_of(int i, int block) {
    return (gdyn_figure_layer){GDYN_LINE, block, .width = i ? 2.6 : 1.6, .dash = styles[i].dash,
                               .colour = styles[i].colour};
}

static void draw_design(picture *pic, gdyn_figure_panel *panel, int i, int number,
                        const gdyn_window *window) {
    const gdyn_region *region = pic->best.list[i].region[number];
    int block = gdyn_sample_outline(region, window, &pic->figure);
    if (block == 0)
        return;
    /* Only the start's region is filled. */
    if (i == 0)
        gdyn_draw(&pic->figure, panel, GDYN_SHAPE, block, .colour = 0xDDDDDD);
    gdyn_figure_draw(&pic->figure, panel, line_of(i, block));
    /* Where a region is open an arrow says so. */
    gdyn_draw(&pic->figure, panel, GDYN_NAMES,
              .block = gdyn_sample_open(region, window, &pic->figure));
}

/* Left: what is common to the path; right: at the place of the first design with a region
 * anywhere. */
static void draw_panel(picture *pic, int number, const char *unit) {
    int least = pic->best.smallest;
    double p = pic->best.p;
    gdyn_figure *f = &pic->figure;
    /* A window that holds the finite parts of all regions of a panel. */
    /* The regions that exist, as if they were points of one path. */
    const gdyn_region *regions[GDYN_BEST_DESIGNS];
    int points[GDYN_BEST_DESIGNS], count = 0;
    for (int i = 0; i < pic->best.count; i++) {
        const gdyn_region *region = pic->best.list[i].region[number];
        if (region && region->island_count > 0) {
            points[count] = count;
            regions[count++] = region;
        }
    }
    gdyn_region_points at = {.points = count, .region = regions};
    gdyn_window window = gdyn_window_of(&at, count, points);
    char who[60] = "the start design";
    if (least > 0)
        snprintf(who, sizeof who, "design %ld", pic->best.list[least].design->serial);
    gdyn_figure_panel *panel = gdyn_region_panel(f, &window, unit, 0.9);
    panel->caption[0] = number == 0 ? "common to the whole path"
                        : isnan(p)  ? "nothing is accessible at any point"
                                    : gdyn_figure_words(f, "at p = %.4g%s%s, the smallest of %s",
                                                        p + 0.0, *unit ? " " : "", unit, who);
    /* Outlines in the order of the key, then the line of no acceleration. */
    for (int i = 0; i < pic->best.count; i++)
        draw_design(pic, panel, i, number, &window);
    if (panel->layers == 0)
        panel->note = "none";
    else
        gdyn_figure_level(f, panel, 0);
}

/* The text below the name of a design. */
static void say(const gdyn_best_design *c, const char *unit, char *out, size_t size) {
    char area[60];
    /* The most important thing that is wrong, else the common area. */
    snprintf(area, sizeof area, c->area < 1e6 ? "%.6g %s" : "%.5g %s", c->area,
             gdyn_picture_letters(gdyn_criterion_unit(GDYN_CRITERION_AREA, unit, "").text).text);
    if (!c->instance || !c->t.evaluation)
        snprintf(out, size, "no machine: nothing to draw");
    else if (c->reach < 1)
        snprintf(out, size, "%s: %.3g %% of the path reached",
                 gdyn_design_status_name(c->design->status), 100 * c->reach);
    else if (!c->region[0] || c->region[0]->island_count == 0)
        snprintf(out, size, "no region in common");
    else if (!isfinite(c->area))
        snprintf(out, size, "common area unbounded");
    else
        snprintf(out, size, "common area %s", area);
}

/* A line of each design's look, its label, and what it reaches. */
static void draw_key(picture *pic, const char *unit) {
    for (int i = 0; i < pic->best.count; i++) {
        const gdyn_best_design *c = &pic->best.list[i];
        char label[202], what[120], number[40] = "";
        if (i > 0)
            snprintf(number, sizeof number, "design %ld, ", c->design->serial);
        say(c, unit, what, sizeof what);
        /* "maximum area, balanced" */
        size_t size = sizeof label;
        const gdyn_instance *start = gdyn_study_start(pic->outcome->study);
        snprintf(label, size, "%s", c->start ? ", start design" : "");
        /* One design may be the best in several objectives. */
        for (int k = 0; k < GDYN_BEST_OBJECTIVES; k++) {
            size_t used = strlen(label);
            if (c->best[k])
                snprintf(label + used, size - used, ", %s %.90s",
                         start->objective[k].maximize ? "maximum" : "minimum",
                         gdyn_shorten(start->objective[k].name, 20).text);
        }
        size_t used = strlen(label);
        if (c->balanced)
            snprintf(label + used, size - used, ", balanced");
        memmove(label, label + 2, strlen(label + 2) + 1); /* the first comma */
        gdyn_figure_layer sample = line_of(i, 0);
        sample.title =
            gdyn_figure_words(&pic->figure, "%s: %s%s", gdyn_shorten(label, 34).text, number, what);
        gdyn_figure_entry(&pic->figure, sample);
    }
}

void gdyn_picture_designs(gdyn_pictures *pictures, const gdyn_outcome *outcome) {
    picture pic = {.outcome = outcome};
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    gdyn_status *status = &pictures->status;
    /* Without machine, drives or front there is nothing to compare. */
    if (!start->model || gdyn_model_drives(start->model) == 0 ||
        outcome->result->front.count == 0 || *status != GDYN_OK)
        return;
    *status = gdyn_best_designs_choose(&pic.best, outcome->study, outcome->result);
    for (int t = 0; t < start->trajectory_count && *status == GDYN_OK; t++) {
        *status = gdyn_best_designs_follow(&pic.best, t);
        if (*status != GDYN_OK)
            break;
        const gdyn_path_def *def = &start->trajectory[t];
        const char *unit = gdyn_path_unit_of_p(def);
        gdyn_picture_begin(&pic.figure, def->name, "designs", 1000,
                           "%s: regions along '%s', before and after the search",
                           gdyn_picture_name(outcome->case_name).text,
                           gdyn_picture_name(def->name).text);
        draw_key(&pic, unit);
        gdyn_figure_side_by_side(&pic.figure, PANELS, 110, false);
        for (int number = 0; number < PANELS; number++)
            draw_panel(&pic, number, unit);
        gdyn_picture_write(&pic.figure, pictures);
    }
    gdyn_best_designs_free(&pic.best);
}
