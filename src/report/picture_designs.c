/* picture_designs.c - what the search gained in accessible motion: for each trajectory the regions of
 * the front's extreme designs (the best in each objective, and a balanced one) laid over that of the start
 * design, common to the whole path and at the point where the start has the least. */
#include "report/picture_study.h"

#include "study/best_designs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 2 };

typedef struct picture {
    const gdyn_outcome *outcome;
    gdyn_best_designs best;
    gdyn_script script;
} picture;

/* Okabe and Ito's colours with a dash each, for prints without colour. */
static const struct {
    unsigned colour;
    const char *dash;
} styles[GDYN_BEST_DESIGNS] = {
    {0x666666, "1"},          {0x0072B2, "1"},      {0xD55E00, "(12,4)"},    {0x009E73, "(4,4)"},
    {0xCC79A7, "(12,4,3,4)"}, {0xE69F00, "(20,5)"}, {0x56B4E9, "(3,3,3,9)"}, {0x000000, "(2,3)"},
};

/* --- script ----------------------------------------------------------------------------------- */

/* A window that holds the finite parts of all regions of a panel. */
static gdyn_window window_of(const picture *pic, int panel) {
    /* The regions that exist, as if they were points of one path. */
    const gdyn_region *regions[GDYN_BEST_DESIGNS];
    int points[GDYN_BEST_DESIGNS], count = 0;
    for (int i = 0; i < pic->best.count; i++) {
        const gdyn_region *region = pic->best.list[i].region[panel];
        if (region && region->island_count > 0) {
            points[count] = count;
            regions[count++] = region;
        }
    }
    gdyn_region_points at = {.points = count, .region = regions};
    return gdyn_window_of(&at, count, points);
}

static void plot_design(picture *pic, int i, int panel, const gdyn_window *window) {
    const gdyn_region *region = pic->best.list[i].region[panel];
    int block = gdyn_sample_outline(region, window, &pic->script);
    if (block < 0)
        return;
    /* Only the start's region is filled. */
    if (i == 0)
        gdyn_plot(&pic->script, block, "1:2 with filledcurves closed lc rgb '#DDDDDD' notitle");
    gdyn_plot(&pic->script, block, "1:2 with lines lw %s dt %s lc rgb '#%06X' notitle",
              i ? "2.6" : "1.6", styles[i].dash, styles[i].colour);
    /* Where a region is open an arrow says so. */
    gdyn_plot(&pic->script, gdyn_sample_open(region, window, &pic->script),
              "1:2:3 with labels tc rgb '#%06X' notitle", styles[i].colour);
}

static void plot_panel(picture *pic, int panel, const char *unit) {
    int least = pic->best.smallest;
    double p = pic->best.p;
    gdyn_window window = window_of(pic, panel);
    /* The place is that of the first design with a region anywhere. */
    char title[160], who[60] = "the start design";
    if (least > 0)
        snprintf(who, sizeof who, "design %ld", pic->best.list[least].design->serial);
    /* Left: common to the path; right: at the point. */
    gdyn_page_columns(&pic->script, 0.07 + 0.36 * panel, 0.365 + 0.36 * panel);
    gdyn_page_rows(&pic->script, 0.83, 0.12);
    snprintf(title, sizeof title, "at p = %.4g%s%s, where %s has least", p + 0.0, *unit ? " " : "",
             unit, who);
    gdyn_page_title(&pic->script,
                    panel == 0 ? "common to the whole path"
                    : isnan(p) ? "at no point is anything accessible"
                               : title,
                    "");
    gdyn_page_label(&pic->script, 'x', gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, unit).text, "");
    gdyn_page_label(&pic->script, 'y',
                    panel ? "" : gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, unit).text,
                    "offset 0.8,0");
    gdyn_page_range(&pic->script, 'x', 0, window.d1_high);
    gdyn_page_range(&pic->script, 'y', window.d2_low, window.d2_high);
    if (gdyn_script_narrow(&pic->script)) {
        gdyn_page_reserve(&pic->script, gdyn_column_room(&pic->script, 2, true) > 240 ? 2 : 3);
        gdyn_page_cell(&pic->script, panel, PANELS, true,
                       0.9 * gdyn_column_room(&pic->script, PANELS, true));
    }
    /* Outlines in the order of the key, then the line of no acceleration. */
    for (int i = 0; i < pic->best.count; i++)
        plot_design(pic, i, panel, &window);
    if (pic->script.layers == 0) {
        gdyn_plot_nothing(&pic->script, "none");
    } else {
        gdyn_plot_more(&pic->script, "0 with lines lw 1 dt 2 lc rgb '#666666' notitle");
        gdyn_plot_end(&pic->script);
    }
    gdyn_page_clear(&pic->script);
}

/* The text below the name of a design. */
static void say(const gdyn_best_design *c, const char *unit, char *out, size_t size) {
    char area[60];
    /* The most important thing that is wrong, else the common area. */
    snprintf(area, sizeof area, c->area < 1e6 ? "%.6g %s" : "%.5g %s", c->area,
             gdyn_picture_unit(GDYN_CRITERION_AREA, unit).text);
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

/* "greatest area, balanced" */
static void label_of(const picture *pic, const gdyn_best_design *b, char *out, size_t size) {
    const gdyn_instance *start = gdyn_study_start(pic->outcome->study);
    char name[80];
    snprintf(out, size, "%s", b->start ? ", start design" : "");
    /* One design may be the best in several objectives. */
    for (int k = 0; k < GDYN_BEST_OBJECTIVES; k++) {
        size_t used = strlen(out);
        if (b->best[k])
            snprintf(out + used, size - used, ", %s %s",
                     start->objective[k].maximize ? "greatest" : "least",
                     gdyn_shorten(start->objective[k].name, 20, name, sizeof name));
    }
    size_t used = strlen(out);
    if (b->balanced)
        snprintf(out + used, size - used, ", balanced");
    memmove(out, out + 2, strlen(out + 2) + 1); /* the first comma */
}

static void draw_key(picture *pic, const char *unit) {
    for (int i = 0; i < pic->best.count; i++) {
        /* A line of the design's look, its label, and what it reaches. */
        const gdyn_best_design *c = &pic->best.list[i];
        char label[202], name[420], cut[120], what[120], number[40] = "", look[60];
        double y = 0.80 - 0.085 * i;
        if (i > 0)
            snprintf(number, sizeof number, "design %ld, ", c->design->serial);
        say(c, unit, what, sizeof what);
        label_of(pic, c, label, sizeof label);
        gdyn_shorten(label, 34, cut, sizeof cut);
        snprintf(look, sizeof look, "lw %s dt %s lc rgb '#%06X'", i ? "2.6" : "6", styles[i].dash,
                 i ? styles[i].colour : 0xBBBBBBu);
        gdyn_page_line(&pic->script, 0.75, 0.785, y, look);
        if (gdyn_script_narrow(&pic->script)) { /* in two lines of an entry */
            gdyn_page_note(&pic->script, 0, y, "left", "%s\\n%s%s",
                           gdyn_script_quote(cut, name, sizeof name), number, what);
            continue;
        }
        gdyn_page_note(&pic->script, 0.793, y, "left font ',12'", "%s",
                       gdyn_script_quote(cut, name, sizeof name));
        gdyn_page_note(&pic->script, 0.793, y - 0.034, "left font ',10' tc rgb '#555555'", "%s%s",
                       number, what);
    }
}

static gdyn_status draw(picture *pic, int t, const char *folder, const gdyn_sink *sink) {
    const gdyn_path_def *def = &gdyn_study_start(pic->outcome->study)->trajectory[t];
    const char *unit = gdyn_path_unit_of_p(def);
    char name[200], heading[200];
    gdyn_script_begin(&pic->script, def->name, "designs", 1400, 640);
    do {
        gdyn_script_line(&pic->script, "set multiplot");
        gdyn_page_heading(&pic->script, 0.07, 0.955,
                          "%s: regions along '%s', before and after the search",
                          gdyn_script_heading(pic->outcome->case_name, heading, sizeof heading),
                          gdyn_script_heading(def->name, name, sizeof name));
        gdyn_marks_frame(&pic->script);
        gdyn_column_below(&pic->script, true);
        draw_key(pic, unit);
        gdyn_column_below(&pic->script, false);
        for (int panel = 0; panel < PANELS; panel++)
            plot_panel(pic, panel, unit);
        gdyn_script_line(&pic->script, "unset multiplot");
    } while (gdyn_script_again(&pic->script));
    return gdyn_script_finish(&pic->script, folder, sink);
}

gdyn_status gdyn_picture_designs(const char *folder, const gdyn_outcome *outcome,
                                 gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic = {.outcome = outcome};
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    /* Without machine, drives or front there is nothing to compare. */
    if (!start->model || gdyn_model_drives(start->model) == 0 || outcome->result->front.count == 0)
        return GDYN_OK;
    gdyn_status status = gdyn_best_designs_choose(&pic.best, outcome->study, outcome->result);
    /* A picture for each trajectory. */
    for (int t = 0; t < start->trajectory_count && status == GDYN_OK; t++) {
        status = gdyn_best_designs_follow(&pic.best, t);
        if (status == GDYN_OK)
            status = draw(&pic, t, folder, sink);
        if (status == GDYN_OK && !gdyn_pictures_add(pictures, start->trajectory[t].name, "designs"))
            status = GDYN_ERROR_MEMORY;
    }
    gdyn_best_designs_free(&pic.best);
    return status;
}
