/* picture_simulation.c - a simulation over time: coordinates of joints, residuals of the
 * constraints, energies, reactions with hatched strips for those that a rigid machine does not
 * determine. */
#include "report/picture.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Curves of a panel; panels of a unit; letters of a title in the key. */
enum { TOGETHER = 4, PANELS_MOST = 3, TITLE = 30 };
/* Curves coincide within this share of their size; those of less than this share of a panel's
 * first go to the next. */
static const double SAME = 1e-6, SMALL = 0.05;
/* Share of the greatest reaction that is rounding. */
static const double ROUNDING = 1e-11;
enum { STRIPS_MOST = 24 };

typedef struct picture {
    const gdyn_record *record;
    gdyn_figure *figure;
    gdyn_figure_panel *last; /* the one added last, which has the axis of time */
} picture;

/* A column of a frame; column 0 is the time. */
static double value_at(const gdyn_record *r, int frame, int column) {
    return r->value[(size_t)frame * (size_t)r->columns + (size_t)column];
}

/* Everything over the time, which is the first column. */
static gdyn_curve_table curves_of(const gdyn_record *r) {
    return (gdyn_curve_table){r->frames, r->columns, r->columns, r->value, r->value};
}

typedef struct choice {
    const gdyn_record *record;
    gdyn_record_kind kind;
    const char *unit; /* "": any */
} choice;

/* Whether a column is of the kind and unit wanted. */
static bool is_chosen(const void *context, int column) {
    const choice *c = context;
    const gdyn_record_column *own = &c->record->column[column];
    return own->kind == c->kind && (!*c->unit || strcmp(own->unit, c->unit) == 0);
}

/* Columns of a kind and a unit with the greatest measure; their number, *more: the rest. */
static int largest(const gdyn_record *r, gdyn_record_kind kind, const char *unit,
                   double (*measure)(const gdyn_curve_table *, int), int list[GDYN_CURVES_MOST],
                   int *more) {
    gdyn_curve_table curves = curves_of(r);
    choice wanted = {r, kind, unit};
    return gdyn_curves_largest(&curves, measure, is_chosen, &wanted, list, more);
}

/* --- pages and panels ------------------------------------------------------------------------- */

static picture begin(gdyn_figure *f, const gdyn_simulated *run, const char *kind,
                     const char *title) {
    gdyn_picture_begin(f, "", kind, 1000, "%s '%s'", title, gdyn_picture_name(run->name).text);
    return (picture){run->record, f, NULL};
}

/* The next panel over the time, which is the first column. */
static gdyn_figure_panel *add_panel(picture *pic, const char *ytitle) {
    const gdyn_record *r = pic->record;
    double last = value_at(r, r->frames - 1, 0);
    if (pic->last)
        pic->last->x.title = NULL, pic->last->x.unlabelled = true;
    pic->last = gdyn_figure_add(pic->figure);
    pic->last->x = (gdyn_figure_axis){.title = "time [s]", .high = last > 0 ? last : 1};
    pic->last->y.title = ytitle;
    return pic->last;
}

/* Curves of a unit: those that coincide are one, and small ones have a panel of their own. */
typedef struct spread {
    double rounding; /* what differs by less is level; 0: nothing is */
    int count, panels, list[GDYN_CURVES_MOST], like[GDYN_CURVES_MOST], first[PANELS_MOST + 1];
    char title[GDYN_CURVES_MOST][TITLE + 120];
} spread;

/* Whether two curves cannot be told apart. */
static bool coincide(const gdyn_record *r, int a, int b) {
    gdyn_curve_table curves = curves_of(r);
    double size = fmax(gdyn_curves_greatest(&curves, a), gdyn_curves_greatest(&curves, b));
    for (int i = 0; i < r->frames; i++) {
        double x = value_at(r, i, a), y = value_at(r, i, b);
        if (isnan(x) != isnan(y) || fabs(x - y) > SAME * size)
            return false;
    }
    return true;
}

/* Columns (largest first) as distinct curves in panels. */
static void spread_out(spread *s, const gdyn_record *r, int count, const int *list,
                       double (*measure)(const gdyn_curve_table *, int)) {
    gdyn_curve_table curves = curves_of(r);
    *s = (spread){0};
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < s->count && !coincide(r, s->list[k], list[i]))
            k++;
        if (k == s->count)
            s->list[s->count++] = list[i];
        /* One more name of a curve, as long as there is room. */
        const char *text = r->column[list[i]].name;
        size_t used = strlen(s->title[k]);
        s->like[k]++;
        if (used == 0 || used + strlen(text) + 2 < TITLE)
            snprintf(s->title[k] + used, sizeof s->title[k] - used, "%s%s", used ? ", " : "", text);
        else if (s->title[k][used - 1] != '.')
            snprintf(s->title[k] + used, sizeof s->title[k] - used, " ...");
    }
    /* a panel ends when it is full, or when what comes next would be flat in it */
    for (int k = 0, first = 0; k < s->count; k++) {
        bool full = k - first >= TOGETHER ||
                    measure(&curves, s->list[k]) < SMALL * measure(&curves, s->list[first]);
        if (k == 0 || (full && s->panels < PANELS_MOST)) {
            s->first[s->panels++] = k;
            first = k;
        }
    }
    s->first[s->panels] = s->count;
}

/* Curves of a panel; absolute: on a logarithmic scale, without sign. */
static void draw(picture *pic, gdyn_figure_panel *panel, int count, const int *list,
                 bool absolute) {
    gdyn_curve_table curves = curves_of(pic->record);
    panel->y.logarithmic = absolute;
    if (!absolute)
        gdyn_curves_window(&panel->y, &curves, count, list, 0);
    for (int i = 0; i < count; i++)
        gdyn_curves_draw(pic->figure, panel, &curves, list[i], absolute, i,
                         pic->record->column[list[i]].name);
}

/* The panels of a unit, each with its own scale and key; said: of what they show. */
static void draw_spread(picture *pic, const spread *s, const char *ytitle, const char *said) {
    gdyn_curve_table curves = curves_of(pic->record);
    for (int p = 0; p < s->panels; p++) {
        int first = s->first[p], count = s->first[p + 1] - first;
        gdyn_figure_panel *panel = add_panel(pic, ytitle);
        panel->caption[1] = p == 0 ? said : NULL;
        gdyn_curves_window(&panel->y, &curves, count, s->list + first, s->rounding);
        for (int k = first; k < first + count; k++)
            gdyn_curves_draw(pic->figure, panel, &curves, s->list[k], false, k - first,
                             s->title[k]);
    }
}

/* --- the pictures ----------------------------------------------------------------------------- */

/* Coordinates of joints; without any, velocities of bodies. */
static void draw_motion(gdyn_figure *f, const gdyn_simulated *run) {
    int list[2][GDYN_CURVES_MOST], count[2], more[2];
    gdyn_record_kind kind = GDYN_RECORD_JOINT;
    const char *const units[2][2] = {{"rad", "m"}, {"rad/s", "m/s"}};
    const char *const titles[2][2] = {{"angle of joints [rad]", "slide of joints [m]"},
                                      {"angular velocity [rad/s]", "velocity [m/s]"}};
    int set = 0;
    /* Joints that turn and joints that slide, those that move most. */
    for (int k = 0; k < 2; k++)
        count[k] = largest(run->record, kind, units[0][k], gdyn_curves_range, list[k], &more[k]);
    /* A machine without joint coordinates: velocities of its bodies. */
    if (count[0] + count[1] == 0) {
        set = 1;
        for (int k = 0; k < 2; k++)
            count[k] = largest(run->record, GDYN_RECORD_VELOCITY, units[1][k], gdyn_curves_range,
                               list[k], &more[k]);
    }
    /* Each unit has its own panels. */
    spread panels[2];
    for (int k = 0; k < 2; k++)
        spread_out(&panels[k], run->record, count[k], list[k], gdyn_curves_range);
    picture pic = begin(f, run, "simulate_motion", "Motion of");
    for (int k = 0; k < 2; k++)
        draw_spread(&pic, &panels[k], titles[set][k], more[k] > 0 ? "those that move most" : NULL);
}

/* Greatest residuals of position, velocity, acceleration. */
static void draw_residuals(gdyn_figure *f, const gdyn_simulated *run) {
    int list[GDYN_CURVES_MOST], more;
    int count = largest(run->record, GDYN_RECORD_RESIDUAL, "", gdyn_curves_greatest, list, &more);
    picture pic = begin(f, run, "simulate_residuals", "Violation of the constraints of");
    draw(&pic, add_panel(&pic, "largest residual [m, m/s, m/s²]"), count, list, true);
}

/* Energies and works that are not zero, and their balance below. */
static void draw_energy(gdyn_figure *f, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    gdyn_curve_table curves = curves_of(r);
    int list[GDYN_CURVES_MOST], count = 0, balance = gdyn_record_find(r, "energy.balance");
    /* those that are ever different from zero */
    for (int c = 0; c < r->columns; c++)
        if (r->column[c].kind == GDYN_RECORD_ENERGY && c != balance &&
            gdyn_curves_greatest(&curves, c) > 0 && count < GDYN_CURVES_MOST)
            list[count++] = c;
    picture pic = begin(f, run, "simulate_energy", "Energies and works of");
    if (count > 0)
        draw(&pic, add_panel(&pic, "energy [J]"), count, list, false);
    draw(&pic, add_panel(&pic, "balance [J]"), 1, &balance, false);
}

/* The frames at which a component is not unique, as boxes in its strip. */
static void write_strip(picture *pic, int component, int strip) {
    const gdyn_record *r = pic->record;
    for (int i = 0; i < r->frames; i++) {
        size_t at = (size_t)i * (size_t)r->components + (size_t)component;
        if (r->verdict[at] == GDYN_UNIQUE)
            continue;
        /* as far as the component stays open */
        int from = i;
        while (i + 1 < r->frames && r->verdict[at + (size_t)r->components] != GDYN_UNIQUE) {
            at += (size_t)r->components;
            i++;
        }
        gdyn_figure_put(pic->figure, value_at(r, from, 0), value_at(r, i, 0), -strip - 0.4,
                        -strip + 0.4);
    }
}

/* Strips over the time for components that are indeterminate at some frame. */
static void draw_strips(picture *pic) {
    const gdyn_record *r = pic->record;
    int shown = 0, more = 0;
    gdyn_figure_panel *panel = add_panel(pic, NULL);
    for (int c = 0; c < r->columns; c++) {
        int component = r->column[c].component;
        if (component < 0 || r->worst[component] == GDYN_UNIQUE)
            continue;
        /* the rest is counted */
        if (shown == STRIPS_MOST) {
            more++;
            continue;
        }
        write_strip(pic, component, shown);
        gdyn_figure_tic_at(pic->figure, &panel->y, -shown, r->column[c].name);
        shown++;
    }
    panel->y.low = -shown + 0.4, panel->y.high = 0.6, panel->y.lanes = true;
    panel->gridless = true;
    /* the key says how many have no strip */
    char rest[60] = "indeterminate";
    if (more > 0)
        snprintf(rest, sizeof rest, "indeterminate (and %d more)", more);
    gdyn_draw(pic->figure, panel, GDYN_BOXES, .hatch = 4, .colour = 0x555555, .title = rest);
}

/* Unique forces and moments, the largest of each; below them what is not unique, and when. */
static void draw_reactions(gdyn_figure *f, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    const char *const units[2] = {"N", "N m"}, *const titles[2] = {"force [N]", "moment [N m]"};
    int list[2][GDYN_CURVES_MOST], count[2], more[2], open = 0;
    for (int k = 0; k < 2; k++)
        count[k] =
            largest(r, GDYN_RECORD_REACTION, units[k], gdyn_curves_greatest, list[k], &more[k]);
    for (int c = 0; c < r->components; c++)
        open += r->worst[c] != GDYN_UNIQUE;
    if (count[0] + count[1] + open == 0)
        return;
    /* panels for each that exists */
    spread panels[2];
    for (int k = 0; k < 2; k++)
        spread_out(&panels[k], r, count[k], list[k], gdyn_curves_greatest);
    /* rounding next to the largest force and moment: a moment that is zero has no scale of its
     * own */
    gdyn_curve_table curves = curves_of(r);
    double length = gdyn_model_length(r->model), greatest[2];
    for (int k = 0; k < 2; k++)
        greatest[k] = count[k] > 0 ? gdyn_curves_greatest(&curves, list[k][0]) : 0;
    double force = fmax(greatest[0], length > 0 ? greatest[1] / length : 0);
    panels[0].rounding = ROUNDING * force;
    panels[1].rounding = ROUNDING * force * length;
    picture pic = begin(f, run, "simulate_reactions", "Joint reactions of");
    for (int k = 0; k < 2; k++)
        draw_spread(&pic, &panels[k], titles[k],
                    r->all        ? "as the method has them"
                    : more[k] > 0 ? "largest of the unique"
                                  : "unique");
    if (open > 0)
        draw_strips(&pic);
}

/* The way of each method from the first guess: residual over evaluations, a mark per iteration. */
static void draw_assembly(gdyn_figure *f, const gdyn_simulated *run) {
    if (run->assemblies < 2)
        return;
    picture pic = begin(f, run, "simulate_assembly", "Assembly of");
    gdyn_figure_panel *panel = add_panel(&pic, "largest residual");
    panel->height = 420;
    panel->x = (gdyn_figure_axis){.title = "evaluations of the constraints", .logarithmic = true};
    panel->y.logarithmic = true;
    /* a line for each method */
    for (int m = 0; m < run->assemblies; m++) {
        const gdyn_assembly *a = &run->assembly[m];
        bool simplex = a->method == GDYN_CLOSURE_SIMPLEX;
        for (int i = 0; i < a->steps; i++)
            gdyn_figure_put(pic.figure, a->step[i].evaluations,
                            fmax(a->step[i].residual, GDYN_CURVES_LEAST));
        gdyn_draw(pic.figure, panel, simplex ? GDYN_LINE : GDYN_TRAIL, .width = simplex ? 1.5 : 2.2,
                  .point = simplex ? 0 : GDYN_DOT, .size = 0.7, .colour = gdyn_page_colour(m),
                  .title = simplex                                   ? "simplex"
                           : a->method == GDYN_CLOSURE_LEAST_SQUARES ? "least squares"
                                                                     : "Newton");
    }
}

/* Three ways of closing along the motion: how far they are apart, how many evaluations they
 * take. */
static void draw_closings(gdyn_figure *f, const gdyn_simulated *run) {
    int list[2][GDYN_CURVES_MOST], count[2];
    static const char *const endings[] = {".difference", ".evaluations"};
    static const char *const titles[] = {"from Newton's method [m or rad]", "evaluations"};
    const gdyn_record *r = run->record;
    for (int k = 0; k < 2; k++) {
        count[k] = 0;
        for (int c = 0; c < r->columns; c++) {
            /* columns with this ending, one for each method */
            const char *end = strrchr(r->column[c].name, '.');
            if (r->column[c].kind == GDYN_RECORD_CLOSING && !strcmp(end, endings[k]))
                list[k][count[k]++] = c;
        }
    }
    if (count[1] == 0)
        return;
    picture pic = begin(f, run, "simulate_closings", "Closing along the motion of");
    for (int k = 0; k < 2; k++)
        draw(&pic, add_panel(&pic, titles[k]), count[k], list[k], true);
}

void gdyn_pictures_of_simulation(gdyn_pictures *pictures, const gdyn_simulated *run) {
    static void (*const draw[])(gdyn_figure *, const gdyn_simulated *) = {
        draw_motion,    gdyn_paths_figure, draw_residuals, draw_energy,
        draw_reactions, draw_assembly,     draw_closings,  gdyn_animation_figure};
    for (size_t i = 0; i < sizeof draw / sizeof *draw && pictures->status == GDYN_OK; i++) {
        gdyn_figure figure = {.stem = ""};
        draw[i](&figure, run);
        gdyn_picture_write(&figure, pictures);
    }
}
