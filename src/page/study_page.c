/* study_page.c - the report of a study as one HTML file: its sections in order.
 *
 * As in page.c, "static" stands in print and without scripts, "live" is brought to life by
 * scripts: the element "data" (study_data.c) has the designs, elements of class "drawing" the
 * machines of some of them. */

#include "page/internal.h"
#include "report/picture.h"
#include "study/store.h"
#include "study/choose.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sheet {
    const gdyn_stored *stored;
    gdyn_stored shown; /* what the page has of it */
    const gdyn_study_origin *origin;
    gdyn_study_drawings *drawings;
    gdyn_study_columns columns;
    gdyn_text *out;
    bool failed; /* no memory */
} sheet;

enum { RELOAD_SECONDS = 3 };

/* --- head and verdict ------------------------------------------------------------------------- */

/* Designs with that status. */
static int count_of(const gdyn_archive *archive, gdyn_design_status status) {
    int count = 0;
    for (int i = 0; i < archive->count; i++)
        count += archive->design[i]->status == status;
    return count;
}

void gdyn_study_verdict(const gdyn_stored *stored, const char *state, gdyn_text *out) {
    const gdyn_study_result *r = &stored->result;
    int feasible = count_of(&r->archive, GDYN_DESIGN_OK);
    gdyn_text_printf(out, "%d design%s, %d feasible", r->archive.count,
                     gdyn_plural(r->archive.count), feasible);
    if (r->front.count > 0)
        gdyn_text_printf(out, ", %d on the front, hypervolume %.6g", r->front.count,
                         r->hypervolume);
    gdyn_text_printf(out, "; %s", state);
}

/* The design that comes nearest where none is feasible. */
static gdyn_status write_nearest(sheet *s) {
    gdyn_infeasibility why = {0};
    gdyn_status status =
        gdyn_infeasibility_find(s->stored->study, &s->stored->result.archive, &why);
    if (status == GDYN_OK && why.nearest) {
        gdyn_text_printf(s->out, ". The nearest is design %ld: %s%s", why.nearest->serial,
                         gdyn_design_status_name(why.nearest->status),
                         *why.nearest->reason ? ", " : "");
        gdyn_html_text(s->out, why.nearest->reason);
    }
    gdyn_infeasibility_clear(&why);
    return status;
}

static gdyn_status write_verdict(sheet *s) {
    const gdyn_instance *start = gdyn_study_start(s->stored->study);
    bool searched = start->objective_count > 0;
    bool good = s->stored->result.front.count > 0 || !searched;
    gdyn_text line = {0};
    gdyn_status status = GDYN_OK;
    gdyn_html_element(s->out, "h1", "", start->name);
    if (start->about && *start->about)
        gdyn_html_element(s->out, "p", " class=\"about\"", start->about);
    gdyn_study_verdict(s->stored, s->origin->state, &line);
    gdyn_text_printf(s->out, "<p class=\"verdict %s\"><b>%s</b> ", good ? "good" : "bad",
                     !searched ? "Evaluated."
                     : good    ? "Feasible."
                               : "Nothing feasible yet.");
    gdyn_html_take(s->out, &line);
    if (!good)
        status = write_nearest(s);
    gdyn_text_printf(s->out, "</p>\n");
    return status;
}

/* --- designs ---------------------------------------------------------------------------------- */

/* Canvases, controls and the table; the script fills them. */
static void write_live(sheet *s) {
    gdyn_text_printf(
        s->out,
        "<div class=\"live\" id=\"designs\">\n"
        "<div class=\"controls\" id=\"filters\"><span id=\"statuses\"></span>"
        "<label class=\"wide\">filter <input id=\"filter\" type=\"text\" autocomplete=\"off\" "
        "spellcheck=\"false\"></label><button type=\"button\" id=\"clear\">Clear</button></div>\n"
        "<p class=\"note\" id=\"count\" role=\"status\"></p>\n"
        "<div class=\"grid\"><figure><div class=\"controls\"><label>x <select id=\"x\"></select>"
        "</label><label>y <select id=\"y\"></select></label><label><input type=\"checkbox\" "
        "id=\"whole\"> whole range</label></div>\n"
        "<canvas id=\"scatter\" tabindex=\"0\" aria-label=\"Designs; drag to choose a range, "
        "click one to see it\"></canvas></figure>\n"
        "<figure><div class=\"controls\"><span class=\"note\" id=\"lines\"></span></div>\n"
        "<canvas id=\"parallel\" aria-label=\"Designs in parallel coordinates; drag along an "
        "axis to choose a range\"></canvas></figure></div>\n"
        "<p class=\"note key\"><span><i class=\"k-front\"></i>front</span> "
        "<span><i class=\"k-ok\"></i>feasible</span> "
        "<span><i class=\"k-not\"></i>infeasible</span> "
        "<span><i class=\"k-start\"></i>start</span> "
        "<span><i class=\"k-chosen\"></i>chosen</span></p>\n"
        "<div id=\"table\" tabindex=\"0\" aria-label=\"Table of the "
        "designs\"><table><thead></thead>"
        "<tbody></tbody></table></div>\n"
        "<section id=\"design\" hidden></section>\n</div>\n");
}

enum { ROWS_MOST = 60 };

/* The front (without one: the first designs) as a table for print and readers without scripts. */
static void write_static_table(sheet *s) {
    const gdyn_archive *front = &s->shown.result.front;
    const gdyn_archive *shown = front->count > 0 ? front : &s->shown.result.archive;
    int step = (shown->count + ROWS_MOST - 1) / ROWS_MOST;
    gdyn_text_printf(s->out, "<h3>%s</h3>\n<div class=\"scroll\"><table><thead><tr><th>design</th>",
                     front->count > 0 ? "The front" : "Designs");
    for (int i = 0; i < s->columns.count; i++) {
        const gdyn_trait *column = &s->columns.column[i];
        if (column->kind == GDYN_TRAIT_CRITERION)
            continue;
        gdyn_text_printf(s->out, "<th>");
        gdyn_html_text(s->out, column->name);
        gdyn_text_printf(s->out, "<br>");
        gdyn_html_text(s->out, gdyn_picture_letters(column->unit).text);
        gdyn_text_printf(s->out, "</th>");
    }
    gdyn_text_printf(s->out, "</tr></thead><tbody>\n");
    for (int i = 0; i < shown->count; i += step) {
        gdyn_text_printf(s->out, "<tr><td class=\"n\">%ld</td>", shown->design[i]->serial);
        for (int k = 0; k < s->columns.count; k++)
            if (s->columns.column[k].kind != GDYN_TRAIT_CRITERION) {
                /* One value of the static table. */
                const gdyn_trait *column = &s->columns.column[k];
                const gdyn_design *d = shown->design[i];
                const gdyn_instance *start = gdyn_study_start(s->stored->study);
                const char *choice =
                    column->kind == GDYN_TRAIT_VARIABLE
                        ? gdyn_case_choice_name(&start->design[column->index], d->x[column->index])
                        : NULL;
                double value = gdyn_trait_value(column->kind, column->index, d);
                char text[40];
                snprintf(text, sizeof text, "%.6g", value + 0.0);
                gdyn_html_element(s->out, "td", " class=\"n\"",
                                  choice         ? choice
                                  : isnan(value) ? "–"
                                                 : text);
            }
        gdyn_text_printf(s->out, "</tr>\n");
    }
    gdyn_text_printf(s->out, "</tbody></table></div>\n");
    if (step > 1)
        gdyn_text_printf(s->out, "<p class=\"note\">One in %d of %d designs.</p>\n", step,
                         shown->count);
}

static gdyn_outcome outcome_of(const sheet *s) {
    return (gdyn_outcome){.case_name = s->stored->case_name,
                          .study = s->stored->study,
                          .options = &s->stored->options,
                          .result = &s->stored->result};
}

static void write_designs(sheet *s) {
    gdyn_text_printf(s->out, "<section>\n<h2>Designs</h2>\n");
    if (s->stored->result.archive.count == 0) {
        gdyn_text_printf(s->out, "<p>No design has been evaluated yet.</p>\n</section>\n");
        return;
    }
    gdyn_text thinned = {0};
    gdyn_study_thinning(s->stored, &thinned);
    if (thinned.length > 0) {
        gdyn_text_printf(s->out, "<p class=\"note\">This page has ");
        gdyn_html_take(s->out, &thinned);
        gdyn_text_printf(s->out, ". The tables (designs.csv, front.csv, globdyn study export) "
                                 "have all designs.</p>\n");
    }
    s->out->failed |= thinned.failed;
    write_live(s);
    /* the machine of a design along a trajectory, and its region: copied by the script */
    gdyn_text_printf(s->out, "<template id=\"trajectory\"><section class=\"trajectory\"><h4></h4>"
                             "<div class=\"grid\"><figure>\n");
    gdyn_page_viewer(s->out, 0, true, false);
    gdyn_text_printf(s->out, "</figure><figure class=\"of-region\"><h3>Accessible region</h3>"
                             "<div class=\"region live\"></div></figure></div></section>"
                             "</template>\n<template id=\"guess\">\n");
    gdyn_page_viewer(s->out, -1, false, false);
    gdyn_text_printf(s->out, "</template>\n");
    gdyn_text_printf(s->out, "<div class=\"static\">\n");
    gdyn_outcome outcome = outcome_of(s);
    gdyn_figure figure = {.stem = ""};
    gdyn_front_figure(&figure, &outcome);
    gdyn_figure_html(&figure, s->out, ' ', "Designs in the plane of objectives");
    write_static_table(s);
    gdyn_text_printf(s->out, "</div>\n</section>\n");
}

/* --- failures and history --------------------------------------------------------------------- */

/* What each status means. */
static const char *const MEANING[GDYN_DESIGN_STATUSES] = {
    [GDYN_DESIGN_OK] = "feasible",
    [GDYN_DESIGN_INFEASIBLE] = "has all values, but violates a constraint",
    [GDYN_DESIGN_CLOSED_REGION] = "at some point of a trajectory no motion is possible",
    [GDYN_DESIGN_OUT_OF_RANGE] = "a coordinate leaves its range",
    [GDYN_DESIGN_SINGULAR] = "a pose along a trajectory is singular",
    [GDYN_DESIGN_UNASSEMBLED] = "the machine cannot be assembled along a trajectory",
    [GDYN_DESIGN_FAILED] = "the values define no machine",
};

static gdyn_status write_failures(sheet *s) {
    const gdyn_archive *archive = &s->stored->result.archive;
    gdyn_reasons *reasons = gdyn_alloc(1, sizeof *reasons);
    if (!reasons)
        return GDYN_ERROR_MEMORY;
    gdyn_reasons_find(archive, reasons);
    gdyn_text_printf(s->out,
                     "<section id=\"failures\">\n<h2>Failures by kind</h2>\n<div class=\"scroll\">"
                     "<table><thead><tr><th>status</th><th>designs</th><th>meaning</th>"
                     "<th>most frequent reasons</th></tr></thead><tbody>\n");
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++) {
        int count = count_of(archive, k);
        if (count == 0)
            continue;
        gdyn_text_printf(s->out,
                         "<tr><td><span class=\"whole\"><i class=\"status "
                         "s%d\"></i>%s</span></td><td class=\"n\">%d</td>"
                         "<td>%s</td><td>",
                         (int)k, gdyn_design_status_name(k), count, MEANING[k]);
        int shown = 0;
        for (int i = 0; i < reasons->count && shown < 4; i++) {
            const gdyn_reason *r = &reasons->reason[i];
            gdyn_text line = {0};
            if (r->status != k)
                continue;
            gdyn_text_append(&line, r->text, (size_t)r->length);
            gdyn_text_printf(s->out, "<div>");
            gdyn_html_take(s->out, &line);
            gdyn_text_printf(s->out, ": %d</div>", r->count);
            shown++;
        }
        gdyn_text_printf(s->out, "</td></tr>\n");
    }
    gdyn_text_printf(s->out, "</tbody></table></div>\n</section>\n");
    gdyn_free(reasons);
    return GDYN_OK;
}

/* --- how to reproduce ------------------------------------------------------------------------- */

static void write_origin(sheet *s) {
    gdyn_text platform = {0};
    uint64_t sum = GDYN_CHECKSUM_START;
    char hash[17];
    gdyn_platform(&platform);
    gdyn_checksum_text(&sum, s->stored->case_text, strlen(s->stored->case_text));
    snprintf(hash, sizeof hash, "%016" PRIx64, sum);
    gdyn_text_printf(s->out, "<section id=\"origin\">\n<h2>How to reproduce</h2>\n<dl>\n");
    gdyn_html_term(s->out, "this page", " class=\"code\"", "%s", s->origin->command);
    /* the search with its settings, as a command */
    const gdyn_search_options *search = &s->stored->options.search;
    char population[40] = "";
    if (search->population > 0)
        snprintf(population, sizeof population, " --population %d", search->population);
    if (s->stored->kind == GDYN_STORE_OPTIMIZE) {
        gdyn_html_term(s->out, "search again", " class=\"code\"",
                       "globdyn study case %s 0 -o start.yaml; globdyn optimize start.yaml "
                       "--evaluations %ld --seed %" PRIu64 "%s",
                       s->origin->study, search->evaluations, search->seed, population);
        gdyn_html_term(s->out, "method", "", "%s", gdyn_search_method_name(search->method));
    }
    gdyn_html_term(s->out, "check the designs", " class=\"code\"", "globdyn study check %s",
                   s->origin->study);
    gdyn_html_term(s->out, "case", " class=\"code\"", "%s", hash);
    gdyn_html_term(s->out, "designs computed by", "", "%s",
                   s->stored->platform ? s->stored->platform : "");
    gdyn_html_term(s->out, "page made by", "", "%s", platform.data ? platform.data : "");
    gdyn_text_printf(s->out,
                     "</dl>\n<p class=\"note\">The number of the case is the 64-bit FNV-1a sum "
                     "of the self-contained case that the study keeps.</p>\n</section>\n");
    s->out->failed |= platform.failed;
    gdyn_text_free(&platform);
}

static gdyn_status write_script(sheet *s) {
    gdyn_text data = {0};
    gdyn_status status = gdyn_study_drawings_write(s->drawings, &s->shown, s->out);
    if (status == GDYN_OK)
        status = gdyn_study_data(&s->shown, &s->columns, s->origin, &data);
    gdyn_text_printf(s->out, "</main>\n<script type=\"application/json\" id=\"data\">");
    if (status == GDYN_OK && !data.failed)
        gdyn_html_data(s->out, data.data, data.length);
    gdyn_text_printf(s->out, "</script>\n<script>\n%s%s%s%s%s%s%s%s</script>\n</body>\n</html>\n",
                     gdyn_viewer_js, gdyn_region_js, gdyn_trajectory_js, gdyn_designs_js,
                     gdyn_scatter_js, gdyn_parallel_js, gdyn_table_js, gdyn_study_js);
    s->failed |= data.failed;
    gdyn_text_free(&data);
    return status;
}

gdyn_status gdyn_page_of_study(const gdyn_stored *stored, const gdyn_study_origin *origin,
                               gdyn_study_drawings *drawings, gdyn_text *out) {
    sheet s = {.stored = stored, .origin = origin, .drawings = drawings, .out = out};
    gdyn_status status = gdyn_study_thin(stored, &s.shown);
    if (status == GDYN_OK)
        status = gdyn_study_columns_make(&s.shown, &s.columns);
    if (status == GDYN_OK) {
        /* a page that will be written again loads itself anew: by its script, which keeps what
         * is chosen, or without */
        gdyn_page_head(s.out, gdyn_study_start(s.stored->study)->name);
        if (s.origin->live)
            gdyn_text_printf(
                s.out,
                "<noscript><meta http-equiv=\"refresh\" content=\"%d\"></noscript>\n"
                "<p class=\"note live\"><label><input type=\"checkbox\" id=\"reload\" checked> the "
                "study is running: reload this page every %d seconds</label></p>\n",
                RELOAD_SECONDS, RELOAD_SECONDS);
        status = write_verdict(&s);
        write_designs(&s);
    }
    if (status == GDYN_OK)
        status = write_failures(&s);
    if (status == GDYN_OK) {
        if (s.stored->result.history_count >= 2) {
            gdyn_outcome outcome = outcome_of(&s);
            gdyn_figure figure = {.stem = ""};
            gdyn_text_printf(s.out,
                             "<section id=\"history\">\n<h2>History</h2>\n<div class=\"grid\">"
                             "<figure>\n");
            gdyn_history_figure(&figure, &outcome);
            gdyn_figure_html(&figure, s.out, ' ', "Progress of the search over the evaluations");
            gdyn_text_printf(s.out, "</figure>\n<figure>\n");
            gdyn_failures_figure(&figure, &outcome);
            gdyn_figure_html(&figure, s.out, ' ', "Designs of each generation by status");
            gdyn_text_printf(s.out, "</figure></div>\n</section>\n");
        }
        write_origin(&s);
        status = write_script(&s);
    }
    gdyn_free(s.columns.column);
    gdyn_free(s.shown.result.archive.design), gdyn_free(s.shown.result.front.design);
    gdyn_free(s.shown.result.nondominated);
    return status != GDYN_OK ? status : s.failed || out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
