/* picture_designs.c - what the search gained in accessible motion: for each trajectory the regions of
 * the front's extreme designs (the best in each objective, and a balanced one) laid over that of the start
 * design, common to the whole path and at the point where the start has the least.
 *
 * The balanced design loses least in the objective in which it loses most, losses being shares of the
 * front's ranges (Chebyshev's distance to the ideal point). Unlike the knee, the farthest from the plane
 * through the extremes, it is not drawn to one end by two objectives that go together. */
#include "report/picture_study.h"

#include "access/evaluate.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECTIVES_MOST = 6, CHOSEN_MOST = OBJECTIVES_MOST + 2, PANELS = 2 };

typedef struct chosen {
    const gdyn_design *design;
    char label[200];                   /* "greatest area, balanced" */
    gdyn_instance *instance;           /* NULL: no machine */
    double reach, area;                /* along the trajectory in work */
    const gdyn_region *region[PANELS]; /* common; at the panel's p; NULL where there is none */
    gdyn_evaluation *evaluation;       /* owns them */
} chosen;

typedef struct picture {
    const gdyn_outcome *outcome;
    const gdyn_instance *start;
    int count; /* the start design first */
    chosen chosen[CHOSEN_MOST];
    gdyn_script script;
} picture;

/* Okabe and Ito's colours with a dash each, for prints without colour. */
static const struct {
    unsigned colour;
    const char *dash;
} styles[CHOSEN_MOST] = {
    {0x666666, "1"},          {0x0072B2, "1"},      {0xD55E00, "(12,4)"},    {0x009E73, "(4,4)"},
    {0xCC79A7, "(12,4,3,4)"}, {0xE69F00, "(20,5)"}, {0x56B4E9, "(3,3,3,9)"}, {0x000000, "(2,3)"},
};

/* --- choice ----------------------------------------------------------------------------------- */

static double minimized(const picture *pic, int objective, const gdyn_design *d) {
    return pic->start->objective[objective].maximize ? -d->objective[objective]
                                                     : d->objective[objective];
}

/* Adds the design, or the label to the one that is there already. */
static void choose(picture *pic, const gdyn_design *design, const char *label) {
    for (int i = 0; i < pic->count; i++) {
        chosen *c = &pic->chosen[i];
        if (c->design->serial == design->serial) {
            size_t used = strlen(c->label);
            snprintf(c->label + used, sizeof c->label - used, ", %s", label);
            return;
        }
    }
    if (pic->count < CHOSEN_MOST) {
        pic->chosen[pic->count] = (chosen){.design = design};
        snprintf(pic->chosen[pic->count++].label, sizeof pic->chosen->label, "%s", label);
    }
}

static void choose_extremes(picture *pic) {
    const gdyn_archive *front = &pic->outcome->result->front;
    for (int k = 0; k < pic->start->objective_count && k < OBJECTIVES_MOST; k++) {
        const gdyn_design *best = front->design[0];
        char label[100], name[80];
        for (int i = 1; i < front->count; i++)
            if (minimized(pic, k, front->design[i]) < minimized(pic, k, best))
                best = front->design[i];
        snprintf(label, sizeof label, "%s %s",
                 pic->start->objective[k].maximize ? "greatest" : "least",
                 gdyn_shorten(pic->start->objective[k].name, 20, name, sizeof name));
        choose(pic, best, label);
    }
}

/* Range of objective k, minimized, over the front. */
static void range_of(const picture *pic, int k, double *low, double *high) {
    const gdyn_archive *front = &pic->outcome->result->front;
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < front->count; i++) {
        double f = minimized(pic, k, front->design[i]);
        *low = fmin(*low, f), *high = fmax(*high, f);
    }
}

/* The greatest and the mean loss of the design in any objective, as shares of the front's ranges. */
static double loss_of(const picture *pic, const gdyn_design *d, double *mean) {
    int objectives = pic->start->objective_count;
    double worst = 0;
    *mean = 0;
    for (int k = 0; k < objectives; k++) {
        double low, high;
        range_of(pic, k, &low, &high);
        double loss = high > low ? (minimized(pic, k, d) - low) / (high - low) : 0;
        worst = fmax(worst, loss);
        *mean += loss / objectives;
    }
    return worst;
}

static void choose_balanced(picture *pic) {
    const gdyn_archive *front = &pic->outcome->result->front;
    const gdyn_design *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < front->count; i++) {
        double mean, worst = loss_of(pic, front->design[i], &mean);
        double loss =
            worst + 1e-3 * mean; /* of several equally bad at worst the best on the whole */
        if (loss < least)
            least = loss, best = front->design[i];
    }
    if (best && front->count > 2 && pic->start->objective_count > 1)
        choose(pic, best, "balanced");
}

/* --- evaluation ------------------------------------------------------------------------------- */

static gdyn_status make_instances(picture *pic) {
    for (int i = 0; i < pic->count; i++) {
        chosen *c = &pic->chosen[i];
        gdyn_status status =
            gdyn_study_instance(pic->outcome->study, c->design->x, NULL, &c->instance);
        if (status == GDYN_ERROR_MEMORY)
            return status;
    }
    return GDYN_OK;
}

/* Follows trajectory t with one design. A design that cannot is left without regions. */
static gdyn_status evaluate(chosen *c, int t) {
    gdyn_path *path = NULL;
    c->reach = c->area = 0;
    if (!c->instance || t >= c->instance->trajectory_count)
        return GDYN_OK;
    gdyn_status status =
        gdyn_path_create(c->instance->model, &c->instance->trajectory[t], NULL, &path);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.reduction = GDYN_REDUCE_NULL;
    settings.local = false;
    c->evaluation = gdyn_evaluation_create(c->instance->model, path);
    status =
        c->evaluation ? gdyn_evaluation_run(c->evaluation, path, &settings) : GDYN_ERROR_MEMORY;
    gdyn_path_destroy(path);
    if (status == GDYN_OK) {
        const double *value = c->evaluation->criteria.value;
        c->reach = value[GDYN_CRITERION_REACH];
        c->area = value[GDYN_CRITERION_AREA];
        if (c->reach >= 1 && value[GDYN_CRITERION_EMPTY] == 0)
            c->region[0] = c->evaluation->common;
    }
    return status;
}

static void forget(picture *pic) {
    for (int i = 0; i < pic->count; i++) {
        gdyn_evaluation_destroy(pic->chosen[i].evaluation);
        pic->chosen[i].evaluation = NULL;
        pic->chosen[i].region[0] = pic->chosen[i].region[1] = NULL;
    }
}

/* Whether region a is smaller than b: by area, and among unbounded ones by what is left at rest. */
static bool smaller(const gdyn_region *a, const gdyn_region *b) {
    if (isfinite(a->area) || isfinite(b->area))
        return a->area < b->area;
    return a->rest && (!b->rest || a->rest_max - a->rest_min < b->rest_max - b->rest_min);
}

/* The point where the start design's region is smallest; of the first design that follows the path
 * where the start does not; -1 when none does. *least is that design. */
static int tightest_point(const picture *pic, int *least) {
    for (int i = 0; i < pic->count; i++) {
        const gdyn_evaluation *e = pic->chosen[i].evaluation;
        int best = -1;
        for (int k = 0; e && k < e->track->points; k++)
            if (e->region[k]->island_count > 0 &&
                (best < 0 || smaller(e->region[k], e->region[best])))
                best = k;
        *least = i;
        if (best >= 0)
            return best;
    }
    return -1;
}

static void take_point(picture *pic, int point) {
    for (int i = 0; i < pic->count; i++) {
        chosen *c = &pic->chosen[i];
        if (c->evaluation && point >= 0 && point < c->evaluation->track->points &&
            c->evaluation->track->status[point] == GDYN_POINT_OK)
            c->region[1] = c->evaluation->region[point];
    }
}

/* --- script ----------------------------------------------------------------------------------- */

/* A window that holds the finite parts of all regions of a panel. */
static gdyn_window window_of(const picture *pic, int panel) {
    const gdyn_region *regions[CHOSEN_MOST];
    int points[CHOSEN_MOST], count = 0;
    for (int i = 0; i < pic->count; i++) {
        const gdyn_region *region = pic->chosen[i].region[panel];
        if (region && region->island_count > 0) {
            points[count] = count;
            regions[count++] = region;
        }
    }
    gdyn_series series = {.points = count, .region = regions};
    return gdyn_window_of(&series, count, points);
}

static void plot_design(picture *pic, int i, int panel, const gdyn_window *window, bool *first) {
    const gdyn_region *region = pic->chosen[i].region[panel];
    gdyn_text *gp = &pic->script.gp;
    int block = gdyn_sample_outline(region, window, &pic->script);
    if (block < 0)
        return;
    if (i == 0)
        gdyn_text_printf(gp,
                         "%s data index %d using 1:2 with filledcurves closed lc rgb '#DDDDDD' "
                         "notitle",
                         *first ? "plot" : ",", block);
    gdyn_text_printf(gp, "%s data index %d using 1:2 with lines lw %s dt %s lc rgb '#%06X' notitle",
                     *first && i > 0 ? "plot" : ",", block, i ? "2.6" : "1.6", styles[i].dash,
                     styles[i].colour);
    int open = gdyn_sample_open(region, window, &pic->script);
    if (open >= 0)
        gdyn_text_printf(gp, ", data index %d using 1:2:3 with labels tc rgb '#%06X' notitle", open,
                         styles[i].colour);
    *first = false;
}

static void plot_panel(picture *pic, int panel, const char *unit, int least, double p) {
    gdyn_window window = window_of(pic, panel);
    bool first = true;
    char who[60] = "the start design";
    if (least > 0)
        snprintf(who, sizeof who, "design %ld", pic->chosen[least].design->serial);
    gdyn_script_line(&pic->script,
                     "set lmargin at screen %.3f\nset rmargin at screen %.3f\n"
                     "set tmargin at screen 0.83\nset bmargin at screen 0.12",
                     0.07 + 0.36 * panel, 0.365 + 0.36 * panel);
    if (panel == 0)
        gdyn_script_line(&pic->script, "set title \"common to the whole path\"");
    else if (isnan(p))
        gdyn_script_line(&pic->script, "set title \"at no point is anything accessible\"");
    else
        gdyn_script_line(&pic->script, "set title \"at p = %.4g%s%s, where %s has least\"", p + 0.0,
                         *unit ? " " : "", unit, who);
    gdyn_script_line(&pic->script,
                     "set xlabel \"%s\"\nset ylabel \"%s\" offset 0.8,0\n"
                     "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]",
                     gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, unit).text,
                     panel ? "" : gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, unit).text,
                     window.d1_high, window.d2_low, window.d2_high);
    for (int i = 0; i < pic->count; i++)
        plot_design(pic, i, panel, &window, &first);
    if (first)
        gdyn_script_line(&pic->script, "set label 9999 'none' at graph 0.5,0.5 center\n"
                                       "plot NaN notitle");
    else
        gdyn_script_line(&pic->script, ", 0 with lines lw 1 dt 2 lc rgb '#666666' notitle");
    gdyn_script_line(&pic->script, "unset label\nunset arrow");
}

/* What is said of a design below its name. */
static void say(const chosen *c, const char *unit, char *out, size_t size) {
    char area[60];
    snprintf(area, sizeof area, "%.5g %s", c->area,
             gdyn_picture_unit(GDYN_CRITERION_AREA, unit).text);
    if (!c->instance || !c->evaluation)
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

static void draw_key(picture *pic, const char *unit) {
    for (int i = 0; i < pic->count; i++) {
        const chosen *c = &pic->chosen[i];
        char name[420], cut[120], what[120], number[40] = "";
        double y = 0.80 - 0.085 * i;
        if (i > 0)
            snprintf(number, sizeof number, "design %ld, ", c->design->serial);
        say(c, unit, what, sizeof what);
        gdyn_shorten(c->label, 34, cut, sizeof cut);
        gdyn_script_line(&pic->script,
                         "set arrow from screen 0.75,%.4f to screen 0.785,%.4f nohead lw %s dt %s "
                         "lc rgb '#%06X'",
                         y, y, i ? "2.6" : "6", styles[i].dash, i ? styles[i].colour : 0xBBBBBBu);
        gdyn_script_line(&pic->script, "set label \"%s\" at screen 0.793,%.4f left font ',12'",
                         gdyn_script_quote(cut, name, sizeof name), y);
        gdyn_script_line(&pic->script,
                         "set label \"%s%s\" at screen 0.793,%.4f left font ',10' tc rgb '#555555'",
                         number, what, y - 0.034);
    }
}

static gdyn_status draw(picture *pic, int t, const char *folder, const gdyn_sink *sink) {
    const gdyn_path_def *def = &pic->start->trajectory[t];
    const char *unit = gdyn_path_unit_of_p(def);
    char cut[80], name[160], heading[160];
    int least = 0, point = tightest_point(pic, &least);
    take_point(pic, point);
    double p = point >= 0 ? pic->chosen[least].evaluation->track->p[point] : NAN;
    gdyn_shorten(pic->outcome->case_name, 40, cut, sizeof cut);
    gdyn_script_quote(cut, heading, sizeof heading);
    gdyn_script_begin(&pic->script, def->name, "designs", 1400, 640);
    gdyn_script_line(&pic->script, "set multiplot");
    gdyn_script_line(&pic->script,
                     "set label \"%s: regions along '%s', before and after the search\" at screen "
                     "0.07,0.955 left font ',15'",
                     heading, gdyn_script_quote(def->name, name, sizeof name));
    gdyn_marks_frame(&pic->script);
    gdyn_script_line(&pic->script, "set tics nomirror out scale 0.6");
    draw_key(pic, unit);
    for (int panel = 0; panel < PANELS; panel++)
        plot_panel(pic, panel, unit, least, p);
    gdyn_script_line(&pic->script, "unset multiplot");
    return gdyn_script_finish(&pic->script, folder, sink);
}

gdyn_status gdyn_picture_designs(const char *folder, const gdyn_outcome *outcome,
                                 gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic = {.outcome = outcome, .start = gdyn_study_start(outcome->study)};
    const gdyn_archive *archive = &outcome->result->archive;
    bool drives = pic.start->model && gdyn_model_drives(pic.start->model) > 0;
    if (!drives || outcome->result->front.count == 0)
        return GDYN_OK;
    const gdyn_design *start = gdyn_archive_find(archive, 0);
    choose(&pic, start ? start : archive->design[0], "start design");
    choose_extremes(&pic);
    choose_balanced(&pic);
    gdyn_status status = make_instances(&pic);
    for (int t = 0; t < pic.start->trajectory_count && status == GDYN_OK; t++) {
        for (int i = 0; i < pic.count && status == GDYN_OK; i++)
            status = evaluate(&pic.chosen[i], t);
        if (status == GDYN_OK)
            status = draw(&pic, t, folder, sink);
        if (status == GDYN_OK &&
            !gdyn_pictures_add(pictures, pic.start->trajectory[t].name, "designs"))
            status = GDYN_ERROR_MEMORY;
        forget(&pic);
    }
    for (int i = 0; i < pic.count; i++)
        gdyn_instance_destroy(pic.chosen[i].instance);
    return status;
}
