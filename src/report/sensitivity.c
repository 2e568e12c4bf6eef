/* sensitivity.c - what each design variable does to each result: as a table, and as curves over the
 * variables' ranges. */
#include "report/front.h"

#include "report/number.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum { PANELS_MOST = 6, CURVES_MOST = 8 };

void gdyn_report_effects_csv(gdyn_text *out, const gdyn_sweep *sweep, int count,
                             const gdyn_effect *effect) {
    gdyn_text_printf(out, "result,unit,variable,least,greatest,range,share_of_start,"
                          "slope_per_range,levels,missing\n");
    for (int i = 0; i < count; i++) {
        const gdyn_effect *e = &effect[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, e->watched, &unit);
        /* least, greatest, range, as a share of the start's value, slope */
        const double values[] = {e->least, e->greatest, e->greatest - e->least, e->share, e->slope};
        gdyn_csv_word(out, name), gdyn_csv_word(out, unit);
        gdyn_csv_word(out, gdyn_study_start(sweep->study)->design[e->variable].name);
        gdyn_csv_numbers(out, 5, values);
        gdyn_text_printf(out, ",%d,%d\n", e->known + e->missing, e->missing);
    }
}

void gdyn_report_indices_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_indices *s) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    gdyn_text_printf(out, "result,unit,variable,rows,missing,%s,droppable\n",
                     s->effects
                         ? "mean,mean_amount,standard_error,deviation,range"
                         : "first,first_low,first_high,total,total_low,total_high,deviation");
    for (int i = 0; i < s->watched * s->variables; i++) {
        int watched = i / s->variables, variable = i % s->variables;
        const gdyn_sensitivity_index *x = &s->index[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, watched, &unit);
        const double effects[] = {x->mean, x->amount, x->amount_error, x->deviation,
                                  s->range[watched]};
        const double shares[] = {x->first,     x->first_low,  x->first_high,        x->total,
                                 x->total_low, x->total_high, s->deviation[watched]};
        if (!x->moves)
            continue;
        gdyn_csv_word(out, name), gdyn_csv_word(out, unit);
        gdyn_csv_word(out, start->design[variable].name);
        gdyn_text_printf(out, ",%d,%d", s->rows[watched], s->missing[watched]);
        gdyn_csv_numbers(out, s->effects ? 5 : 7, s->effects ? effects : shares);
        gdyn_text_printf(out, ",%d\n", s->drop[variable]);
    }
}

void gdyn_report_shares_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_spread *spread,
                            const double *share) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    int n = start->design_count;
    gdyn_text_printf(out, "result,unit,machines,missing,least,greatest,mean,deviation,explained");
    for (int j = 0; j < n; j++)
        gdyn_csv_text(out, "share_%s", start->design[j].name);
    gdyn_text_printf(out, "\n");
    for (int i = 0; i < gdyn_watched_count(sweep->study); i++) {
        const gdyn_spread *s = &spread[i];
        const char *unit, *name = gdyn_watched_name(sweep->study, i, &unit);
        const double values[] = {s->least, s->greatest, s->mean, s->deviation, s->explained};
        if (s->known == 0)
            continue;
        gdyn_csv_text(out, "%s", name);
        gdyn_csv_text(out, "%s", unit);
        gdyn_text_printf(out, ",%d,%d", s->known + s->missing, s->missing);
        gdyn_csv_numbers(out, 5, values), gdyn_csv_numbers(out, n, share + i * n);
        gdyn_text_printf(out, "\n");
    }
}

/* --- curves ------------------------------------------------------------------------------- */

/* A design as a point over the share of the variable's range; false: it has no value. */
static bool write_point(gdyn_figure *f, const gdyn_sweep *sweep, const gdyn_effect *e,
                        const gdyn_axis *axis, int serial) {
    const gdyn_design_variable *v = &gdyn_study_start(sweep->study)->design[e->variable];
    const gdyn_design *d = gdyn_archive_find(sweep->archive, serial);
    double value;
    if (!d || !gdyn_watched(sweep->study, e->watched, d, &value))
        return false;
    gdyn_figure_put(f, 100 * (d->x[e->variable] - v->min) / (v->max - v->min),
                    gdyn_axis_shown(axis, value));
    return true;
}

/* One result: its curves, the strongest first, with the start design as rings. */
static void draw_result(gdyn_figure *f, const gdyn_sweep *sweep, int count,
                        const gdyn_effect *effect) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    /* the axis of a result over all its curves */
    const char *unit, *name = gdyn_watched_name(sweep->study, effect->watched, &unit);
    gdyn_axis axis = {.of = {.kind = GDYN_TRAIT_OBJECTIVE, .name = name}};
    snprintf(axis.of.unit, sizeof axis.of.unit, "%s", unit);
    /* what the curves span; a constant gets room around it */
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++)
        low = fmin(low, effect[i].least), high = fmax(high, effect[i].greatest);
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high)))
        low -= fmax(1e-3 * fabs(low), 1e-9), high += fmax(1e-3 * fabs(high), 1e-9);
    gdyn_axis_window(&axis, low, high, 0.06);
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->x = (gdyn_figure_axis){
        .title = "share of the variable's range [%]", .low = -2, .high = 102, .step = 25};
    panel->y = gdyn_axis_of_result(&axis, 40, f);
    for (int i = 0; i < count && i < CURVES_MOST; i++) {
        int variable = effect[i].variable;
        unsigned colour = gdyn_page_colour(variable);
        /* over the share of the variable's range; a gap where there is no value */
        for (int k = sweep->first[variable]; k < sweep->first[variable + 1]; k++)
            if (!write_point(f, sweep, &effect[i], &axis, k))
                gdyn_figure_gap(f);
        gdyn_draw(f, panel, GDYN_TRAIL, gdyn_figure_block_end(f), .width = 2,
                  .point = 4 + variable % CURVES_MOST, .size = 1, .colour = colour,
                  .title = start->design[variable].name);
        write_point(f, sweep, &effect[i], &axis, 0);
        gdyn_draw(f, panel, GDYN_POINTS, .point = GDYN_RING, .size = 1.8, .width = 2,
                  .colour = colour);
    }
}

void gdyn_picture_effects(gdyn_pictures *pictures, const gdyn_sweep *sweep, int count,
                          const gdyn_effect *effect) {
    int begin[PANELS_MOST], end[PANELS_MOST], moving, still;
    /* results that get a panel: begin[k] .. end[k] - 1; the first one if nothing moves any */
    int panels = 0;
    moving = still = 0;
    for (int i = 0, n; i < count; i += n) {
        bool moved;
        n = gdyn_effects_together(count - i, effect + i, &moved);
        moving += moved, still += !moved;
        if (moved && panels < PANELS_MOST)
            begin[panels] = i, end[panels++] = i + n;
    }
    /* no variable moves any result: the first result has the only panel */
    if (panels == 0 && count > 0) {
        bool moved;
        begin[0] = 0, end[panels++] = gdyn_effects_together(count, effect, &moved);
    }
    gdyn_figure f;
    gdyn_picture_begin(&f, "", "sensitivity", 900,
                       "%s: one variable at a time, rings: the start design",
                       gdyn_picture_name(gdyn_study_start(sweep->study)->name).text);
    if (moving > panels)
        gdyn_figure_text(&f, GDYN_REMARK, "the first %d of %d results", panels, moving);
    if (still > 0 && moving > 0)
        gdyn_figure_text(&f, GDYN_REMARK, "%d more that no variable affects", still);
    for (int k = 0; k < panels; k++)
        draw_result(&f, sweep, end[k] - begin[k], effect + begin[k]);
    gdyn_picture_write(&f, pictures);
}
