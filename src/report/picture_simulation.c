/* picture_simulation.c - a simulation over time: coordinates of joints, residuals of the constraints, energies,
 * reactions with hatched strips for those that a rigid machine does not determine. */
#include "report/picture.h"
#include "report/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Curves of a panel; panels of a unit; letters of a title in the key. */
enum { TOGETHER = 4, PANELS_MOST = 3, TITLE = 30 };
/* Curves coincide within this share of their size; those of less than this share of a panel's first go to the next. */
static const double SAME = 1e-6, SMALL = 0.05;
/* Share of the greatest reaction that is rounding. */
static const double ROUNDING = 1e-11;
/* Left side of the panels, a share of the width: numbers such as -1.5e-09 and a title stand before it. */
static const double LEFT = 0.105;

enum { STRIPS_MOST = 24, STRIP = 24, WIDTH = 1300, PANEL = 330, SPACE = 45, HEAD = 70, FOOT = 70 };

typedef struct picture {
    const gdyn_record *record;
    gdyn_script script;
    int height, panel; /* pixels; the panel that comes next */
    int panels;
    int last; /* height of the last panel, with the space above it */
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

/* --- pages and panels ------------------------------------------------------------------------------------ */

/* The last panel has room for `strips` strips. */
static void begin(picture *pic, const gdyn_simulated *run, const char *kind, int panels,
                  int strips) {
    /* The height follows from the number of panels and strips. */
    *pic = (picture){.record = run->record, .panels = panels};
    pic->last = STRIP * strips + SPACE > PANEL ? STRIP * strips + SPACE : PANEL;
    pic->height = HEAD + FOOT + (panels - 1) * PANEL + pic->last;
    gdyn_script_begin(&pic->script, "", kind, WIDTH, pic->height);
}

/* The heading of a layout. */
static void head(picture *pic, const gdyn_simulated *run, const char *title) {
    char name[200];
    pic->panel = 0;
    gdyn_script_line(&pic->script, "set multiplot");
    gdyn_page_heading(&pic->script, LEFT, 1 - 35.0 / pic->height, "%s '%s'", title,
                      gdyn_script_heading(run->name, name, sizeof name));
    gdyn_page_axes(&pic->script);
    gdyn_page_columns(&pic->script, LEFT, 0.79);
    /* The axis of time, which is the first column, ends at the last frame. */
    double last = value_at(run->record, run->record->frames - 1, 0);
    gdyn_page_range(&pic->script, 'x', 0, last > 0 ? last : 1);
}

/* Space of the next panel; its axes. */
static void place_panel(picture *pic, const char *ylabel) {
    /* Panels from top to bottom, the last with the axis of time. */
    double top = 1 - (double)(HEAD + pic->panel * PANEL) / pic->height;
    bool last = ++pic->panel == pic->panels;
    double bottom = top - (double)((last ? pic->last : PANEL) - SPACE) / pic->height;
    gdyn_page_rows(&pic->script, top, bottom);
    gdyn_page_key(&pic->script, 0.80, top, "samplen 2 font ',11' title ''");
    gdyn_page_label(&pic->script, 'y', ylabel, "");
    gdyn_page_label(&pic->script, 'x', last ? "time [s]" : "", "");
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

/* One more name of a curve, as long as there is room. */
static void name(spread *s, int k, const char *text) {
    size_t used = strlen(s->title[k]);
    s->like[k]++;
    if (used == 0 || used + strlen(text) + 2 < TITLE)
        snprintf(s->title[k] + used, sizeof s->title[k] - used, "%s%s", used ? ", " : "", text);
    else if (s->title[k][used - 1] != '.')
        snprintf(s->title[k] + used, sizeof s->title[k] - used, " ...");
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
        name(s, k, r->column[list[i]].name);
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

/* The axis of magnitudes: of all that gnuplot draws. */
static void set_decades(gdyn_script *script, const gdyn_curve_table *c, int count,
                        const int *list) {
    double low = INFINITY, high = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < c->points; i++) {
            double size = fmax(fabs(c->value[(size_t)i * (size_t)c->columns + (size_t)list[k]]),
                               GDYN_CURVES_LEAST);
            low = fmin(low, size);
            high = fmax(high, size);
        }
    if (low < high)
        gdyn_page_logarithmic(script, 'y', low, high);
}

/* Curves of a panel. */
static void plot(picture *pic, int count, const int *list, bool absolute) {
    gdyn_curve_table curves = curves_of(pic->record);
    char quoted[240];
    /* Residuals on a logarithmic scale, without sign. */
    if (absolute) {
        gdyn_script_line(&pic->script, "set logscale y\nset format y \"%%.0e\"\nset autoscale y");
        set_decades(&pic->script, &curves, count, list);
    } else
        gdyn_curves_window(&pic->script, &curves, count, list, 0);
    for (int i = 0; i < count; i++)
        gdyn_plot(&pic->script, gdyn_curves_write(&pic->script, &curves, list[i], absolute),
                  "1:2 with lines lw 2.2 dt %d lc rgb '#%06X' title \"%s\"", i % 4 + 1,
                  gdyn_page_colour(i),
                  gdyn_script_quote(pic->record->column[list[i]].name, quoted, sizeof quoted));
    gdyn_plot_end(&pic->script);
    gdyn_script_line(&pic->script, "unset label");
}

/* The panels of a unit, each with its own scale and key. */
static void plot_spread(picture *pic, const spread *s, const char *ylabel, const char *key) {
    gdyn_curve_table curves = curves_of(pic->record);
    char quoted[400];
    for (int p = 0; p < s->panels; p++) {
        int first = s->first[p], count = s->first[p + 1] - first;
        place_panel(pic, ylabel);
        gdyn_page_key_title(&pic->script, p == 0 ? key : "", "left font ',11'");
        gdyn_curves_window(&pic->script, &curves, count, s->list + first, s->rounding);
        for (int k = first; k < first + count; k++)
            gdyn_plot(&pic->script, gdyn_curves_write(&pic->script, &curves, s->list[k], false),
                      "1:2 with lines lw 2.2 dt %d lc rgb '#%06X' title \"%s\"",
                      (k - first) % 4 + 1, gdyn_page_colour(k - first),
                      gdyn_script_quote(s->title[k], quoted, sizeof quoted));
        gdyn_plot_end(&pic->script);
    }
}

/* Writes the picture and notes that it is there. */
static gdyn_status finish(picture *pic, const char *folder, const char *kind,
                          gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status status = gdyn_script_finish(&pic->script, folder, sink);
    if (status == GDYN_OK && !gdyn_pictures_add(pictures, "", kind))
        return GDYN_ERROR_MEMORY;
    return status;
}

/* The layout is complete; whether there is another one. */
static bool again(picture *pic) {
    gdyn_script_line(&pic->script, "unset multiplot");
    return gdyn_script_again(&pic->script);
}

/* --- the pictures -------------------------------------------------------------------------------------------- */

/* Coordinates of joints; without any, velocities of bodies. */
static gdyn_status draw_motion(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
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
    begin(&pic, run, "simulate_motion", panels[0].panels + panels[1].panels, 0);
    do {
        head(&pic, run, "Motion of");
        for (int k = 0; k < 2; k++)
            plot_spread(&pic, &panels[k], titles[set][k],
                        more[k] > 0 ? "those that move most" : "");
    } while (again(&pic));
    return finish(&pic, folder, "simulate_motion", pictures, sink);
}

/* Greatest residuals of position, velocity, acceleration. */
static gdyn_status draw_residuals(const char *folder, const gdyn_simulated *run,
                                  gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    int list[GDYN_CURVES_MOST], more;
    int count = largest(run->record, GDYN_RECORD_RESIDUAL, "", gdyn_curves_greatest, list, &more);
    begin(&pic, run, "simulate_residuals", 1, 0);
    do {
        head(&pic, run, "Violation of the constraints of");
        place_panel(&pic, "greatest residual [m, m/s, m/s²]");
        plot(&pic, count, list, true);
    } while (again(&pic));
    return finish(&pic, folder, "simulate_residuals", pictures, sink);
}

/* Energies and works that are not zero, and their balance below. */
static gdyn_status draw_energy(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    const gdyn_record *r = run->record;
    gdyn_curve_table curves = curves_of(r);
    int list[GDYN_CURVES_MOST], count = 0, balance = gdyn_record_find(r, "energy.balance");
    /* those that are ever different from zero */
    for (int c = 0; c < r->columns; c++)
        if (r->column[c].kind == GDYN_RECORD_ENERGY && c != balance &&
            gdyn_curves_greatest(&curves, c) > 0 && count < GDYN_CURVES_MOST)
            list[count++] = c;
    begin(&pic, run, "simulate_energy", 1 + (count > 0), 0);
    do {
        head(&pic, run, "Energies and works of");
        if (count > 0) {
            place_panel(&pic, "energy [J]");
            plot(&pic, count, list, false);
        }
        place_panel(&pic, "balance [J]");
        plot(&pic, 1, &balance, false);
    } while (again(&pic));
    return finish(&pic, folder, "simulate_energy", pictures, sink);
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
        double a = value_at(r, from, 0), b = value_at(r, i, 0);
        gdyn_text_printf(&pic->script.data, "%.9g %d %.9g %.9g %.9g %.9g\n", 0.5 * (a + b), -strip,
                         a, b, -strip - 0.4, -strip + 0.4);
    }
}

/* Width of the longest name of a strip in a column. */
static double longest_strip(const gdyn_record *r) {
    double longest = 0;
    char quoted[300];
    for (int c = 0; c < r->columns; c++)
        if (r->column[c].component >= 0 && r->worst[r->column[c].component] != GDYN_UNIQUE)
            longest =
                fmax(longest,
                     gdyn_column_width(gdyn_script_tic(r->column[c].name, quoted, sizeof quoted)));
    return longest;
}

/* Strips over the time for components that are indeterminate at some frame. */
static void draw_strips(picture *pic, double names) {
    const gdyn_record *r = pic->record;
    char quoted[300], cut[300];
    int shown = 0, more = 0;
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
        gdyn_script_tic(r->column[c].name, quoted, sizeof quoted);
        gdyn_script_line(&pic->script, "set ytics add (\"%s\" %d)",
                         gdyn_page_name(&pic->script, quoted, names, cut), -shown);
        shown++;
    }
    /* the key says how many have no strip */
    char rest[40] = "";
    if (more > 0)
        snprintf(rest, sizeof rest, " (and %d more)", more);
    gdyn_script_line(&pic->script, "set yrange [%.9g:0.6]\nunset grid", -shown + 0.4);
    gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
              "1:2:3:4:5:6 with boxxyerror fs pattern 4 fc rgb '#555555' title "
              "\"indeterminate%s\"",
              rest);
    gdyn_plot_end(&pic->script);
}

/* Of forces and moments what is rounding beside the greatest of both: a moment that is zero has no scale of its own. */
static void find_rounding(const gdyn_record *r, const int count[2], int list[2][GDYN_CURVES_MOST],
                          spread panels[2]) {
    gdyn_curve_table curves = curves_of(r);
    double length = gdyn_model_length(r->model), greatest[2];
    for (int k = 0; k < 2; k++)
        greatest[k] = count[k] > 0 ? gdyn_curves_greatest(&curves, list[k][0]) : 0;
    double force = fmax(greatest[0], length > 0 ? greatest[1] / length : 0);
    panels[0].rounding = ROUNDING * force;
    panels[1].rounding = ROUNDING * force * length;
}

/* Unique forces and moments, the largest of each; below them what is not unique, and when. */
static gdyn_status draw_reactions(const char *folder, const gdyn_simulated *run,
                                  gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    const gdyn_record *r = run->record;
    const char *const units[2] = {"N", "N m"}, *const titles[2] = {"force [N]", "moment [N m]"};
    int list[2][GDYN_CURVES_MOST], count[2], more[2], open = 0;
    for (int k = 0; k < 2; k++)
        count[k] =
            largest(r, GDYN_RECORD_REACTION, units[k], gdyn_curves_greatest, list[k], &more[k]);
    for (int c = 0; c < r->components; c++)
        open += r->worst[c] != GDYN_UNIQUE;
    if (count[0] + count[1] + open == 0)
        return GDYN_OK;
    /* panels for each that exists */
    spread panels[2];
    for (int k = 0; k < 2; k++)
        spread_out(&panels[k], r, count[k], list[k], gdyn_curves_greatest);
    find_rounding(r, count, list, panels);
    int strips = open < STRIPS_MOST ? open : STRIPS_MOST;
    begin(&pic, run, "simulate_reactions", panels[0].panels + panels[1].panels + (open > 0),
          strips);
    do {
        head(&pic, run, "Joint reactions of");
        double names = gdyn_page_names(&pic.script, longest_strip(r));
        for (int k = 0; k < 2; k++)
            plot_spread(&pic, &panels[k], titles[k],
                        r->all        ? "as the method has them"
                        : more[k] > 0 ? "largest of the unique"
                                      : "unique");
        /* strips have names for tics */
        if (open > 0) {
            place_panel(&pic, "");
            gdyn_page_lanes(&pic.script, strips > 2 ? strips : 2);
            gdyn_script_line(&pic.script, "unset ytics\nset ytics out nomirror font ',10' ()");
            draw_strips(&pic, names);
        }
    } while (again(&pic));
    return finish(&pic, folder, "simulate_reactions", pictures, sink);
}

/* A line for each method. */
static void plot_assemblies(picture *pic, const gdyn_simulated *run) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
    for (int m = 0; m < run->assemblies; m++) {
        const gdyn_assembly *a = &run->assembly[m];
        for (int i = 0; i < a->steps; i++) {
            double at[2] = {a->step[i].evaluations, fmax(a->step[i].residual, GDYN_CURVES_LEAST)};
            gdyn_text_printf(&pic->script.data, "%d %.9g\n", a->step[i].evaluations, at[1]);
            for (int k = 0; k < 2; k++)
                low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
        }
        bool simplex = a->method == GDYN_CLOSURE_SIMPLEX;
        gdyn_plot(&pic->script, gdyn_script_end_block(&pic->script),
                  "1:2 with %s lc rgb '#%06X' title \"%s\"",
                  simplex ? "lines lw 1.5" : "linespoints lw 2.2 pt 7 ps 0.7", gdyn_page_colour(m),
                  simplex                                   ? "simplex"
                  : a->method == GDYN_CLOSURE_LEAST_SQUARES ? "least squares"
                                                            : "Newton");
    }
    for (int k = 0; k < 2; k++)
        gdyn_page_logarithmic(&pic->script, "xy"[k], low[k], high[k]);
    gdyn_plot_end(&pic->script);
}

/* The way of each method from the first guess: residual over evaluations, a mark per iteration. */
static gdyn_status draw_assembly(const char *folder, const gdyn_simulated *run,
                                 gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
    if (run->assemblies < 2)
        return GDYN_OK;
    begin(&pic, run, "simulate_assembly", 1, 0);
    do {
        head(&pic, run, "Assembly of");
        place_panel(&pic, "greatest residual");
        gdyn_script_line(&pic.script, "set logscale xy\nset xrange [*:*]\nset format y \"%%.0e\"");
        gdyn_page_label(&pic.script, 'x', "evaluations of the constraints", "");
        plot_assemblies(&pic, run);
    } while (again(&pic));
    return finish(&pic, folder, "simulate_assembly", pictures, sink);
}

/* Three ways of closing along the motion: how far they are apart, how many evaluations they take. */
static gdyn_status draw_closings(const char *folder, const gdyn_simulated *run,
                                 gdyn_pictures *pictures, const gdyn_sink *sink) {
    picture pic;
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
        return GDYN_OK;
    begin(&pic, run, "simulate_closings", 2, 0);
    do {
        head(&pic, run, "Closing along the motion of");
        for (int k = 0; k < 2; k++) {
            place_panel(&pic, titles[k]);
            gdyn_script_line(&pic.script, "set key font ',9'");
            plot(&pic, count[k], list[k], true);
        }
    } while (again(&pic));
    return finish(&pic, folder, "simulate_closings", pictures, sink);
}

gdyn_status gdyn_pictures_of_simulation(const char *folder, const gdyn_simulated *run,
                                        gdyn_pictures *pictures, const gdyn_sink *sink) {
    gdyn_status (*const draw[])(const char *, const gdyn_simulated *, gdyn_pictures *,
                                const gdyn_sink *) = {
        draw_motion,    gdyn_picture_paths, draw_residuals, draw_energy,
        draw_reactions, draw_assembly,      draw_closings,  gdyn_picture_animation};
    gdyn_status status = GDYN_OK;
    /* one after the other, until one fails */
    for (size_t i = 0; i < sizeof draw / sizeof *draw && status == GDYN_OK; i++)
        status = draw[i](folder, run, pictures, sink);
    return status;
}
