/* page.c - the report of a case as one HTML file: its sections in order.
 *
 * What stands for readers without scripts, and for print, has the class "static"; what scripts
 * bring to life has the class "live". The script finds its data in the element "data" (data.h).
 * Nothing is loaded from anywhere. */
#include "page/internal.h"

#include "report/picture.h"
#include "study/store.h"

#include "base/memory.h"
#include "base/version.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct page {
    const gdyn_findings *findings;
    const gdyn_page_origin *origin;
    gdyn_text *out;
    gdyn_drawing guess; /* joints that stay open at the first guess */
    int trajectories;
    gdyn_page_trajectory *trajectory; /* trajectories */
    bool failed;                      /* no memory */
} page;

/* --- head and verdict ------------------------------------------------------------------------- */

void gdyn_page_head(gdyn_text *out, const char *title) {
    gdyn_text_printf(out,
                     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"generator\" content=\"globdyn %s\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n",
                     gdyn_version());
    gdyn_html_element(out, "title", "", title);
    gdyn_text_printf(out, "\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", gdyn_page_css);
}

static void write_verdict(page *p) {
    const gdyn_findings *f = p->findings;
    gdyn_text line = {0}, *out = p->out;
    bool good = gdyn_findings_good(f);
    gdyn_html_element(out, "h1", "", f->instance->name);
    if (f->instance->about && *f->instance->about)
        gdyn_html_element(out, "p", " class=\"about\"", f->instance->about);
    gdyn_findings_verdict(f, &line);
    gdyn_text_printf(out, "<p class=\"verdict %s\"><b>%s</b> ", good ? "good" : "bad",
                     !good           ? "No."
                     : f->count == 0 ? "Assembled."
                                     : "Yes.");
    gdyn_html_take(out, &line);
    gdyn_text_printf(out, "</p>\n");
    gdyn_table_machine(out, f);
}

/* --- the machine ------------------------------------------------------------------------------ */

void gdyn_page_viewer(gdyn_text *out, int number, bool moves, bool reacted) {
    gdyn_text_printf(
        out,
        "<div class=\"viewer live\" data-trajectory=\"%d\">\n"
        "<canvas tabindex=\"0\" aria-label=\"The machine; drag to turn it\"></canvas>\n",
        number);
    if (moves)
        gdyn_text_printf(
            out, "<div class=\"controls\"><button type=\"button\" class=\"play\">Play</button>"
                 "<input class=\"slider\" type=\"range\" min=\"0\" max=\"1000\" value=\"0\" "
                 "aria-label=\"position on the path\">"
                 "<label>speed <select class=\"speed\"><option value=\"0.1\">0.1</option>"
                 "<option value=\"0.25\">0.25</option><option value=\"1\" selected>1</option>"
                 "<option value=\"4\">4</option></select></label></div>\n");
    gdyn_text_printf(
        out,
        "<div class=\"controls\"><output class=\"state\"></output>"
        "<label><input type=\"checkbox\" class=\"names\"> names</label>"
        "<label><input type=\"checkbox\" class=\"axes\"> axes</label>%s"
        "<button type=\"button\" class=\"home\">View</button></div>\n</div>\n",
        reacted ? "<label><input type=\"checkbox\" class=\"verdicts\"> verdicts</label>" : "");
}

/* The machine along a trajectory, or (number -1) at its first guess. Its key holds for both. */
static void write_machine(page *p, int number) {
    const gdyn_finding *f = number >= 0 ? p->trajectory[number].finding : NULL;
    gdyn_figure figure = {.stem = ""};
    gdyn_text_printf(p->out, "<figure>\n");
    gdyn_page_viewer(p->out, number, f && f->frames.count > 1, p->findings->reacted);
    gdyn_text_printf(p->out, "<div class=\"static keyed\">\n");
    if (f)
        gdyn_machine_figure(&figure, f->t);
    else
        gdyn_pose_figure(&figure, &p->findings->examination);
    gdyn_figure_html(&figure, p->out, ' ', "The machine");
    gdyn_text_printf(p->out, "</div>\n</figure>\n");
}

/* --- a trajectory ----------------------------------------------------------------------------- */

/* The verdict on one trajectory and what helps. */
static void write_trajectory_verdict(page *p, const gdyn_finding *f) {
    gdyn_text line = {0}, *out = p->out;
    gdyn_finding_verdict(f, &line);
    gdyn_text_printf(out, "<p class=\"verdict %s\">", gdyn_finding_good(f) ? "good" : "bad");
    gdyn_html_take(out, &line);
    if (f->t->followed.advice.help[0]) {
        gdyn_text_printf(out, "<br>help: ");
        gdyn_html_text(out, f->t->followed.advice.help);
    }
    gdyn_text_printf(out, "</p>\n");
}

static void write_regions(page *p, int number) {
    enum { PANELS = 4 };
    const gdyn_page_trajectory *one = &p->trajectory[number];
    const gdyn_trajectory *t = one->finding->t;
    gdyn_figure figure = {.stem = ""};
    int point[PANELS], count = gdyn_report_spread(&t->along, PANELS, point);
    gdyn_text_printf(p->out,
                     "<figure><h3>Accessible region</h3>\n<div class=\"region live\" "
                     "data-trajectory=\"%d\"></div>\n<div class=\"static\">\n",
                     number);
    if (count == 0)
        gdyn_html_element(p->out, "p", " class=\"nothing\"", "Nothing is accessible at any point.");
    gdyn_regions_figure(&figure, t, &t->along, count, point, &one->legend);
    gdyn_figure_html(&figure, p->out, ' ',
                     "Accessible path speeds and accelerations at some points of the path");
    gdyn_text_printf(p->out, "</div></figure>\n<figure><h3>Limits over p</h3>\n");
    gdyn_limits_figure(&figure, t, &one->legend);
    gdyn_figure_html(&figure, p->out, 'p',
                     "Maximum path speed and range of path acceleration at rest over p, with the "
                     "limits that bound them");
    gdyn_text_printf(p->out, "</figure>\n");
}

static void write_forces(page *p, const gdyn_trajectory *t) {
    gdyn_figure figure = {.stem = ""};
    if (t->traverse->status != GDYN_TRAVERSE_OK || t->shared.points == 0)
        return;
    gdyn_text_printf(p->out, "<h3>Drive forces of the fastest motion</h3>\n<figure>\n");
    gdyn_forces_figure(&figure, t);
    gdyn_figure_html(&figure, p->out, 't', "Forces of the drives over time");
    gdyn_text_printf(p->out, "</figure>\n");
}

static void write_trajectory(page *p, int number) {
    const gdyn_page_trajectory *one = &p->trajectory[number];
    const gdyn_finding *f = one->finding;
    gdyn_text *out = p->out;
    gdyn_text_printf(out, "<section class=\"trajectory\" id=\"trajectory-%d\">\n", number);
    gdyn_text_printf(out, "<h2>Trajectory ");
    gdyn_html_text(out, f->t->name);
    gdyn_text_printf(out, "</h2>\n");
    if (p->trajectories > 1 || f->t->followed.advice.help[0])
        write_trajectory_verdict(p, f);
    gdyn_text_printf(out, "<div class=\"grid\">\n");
    write_machine(p, number);
    if (f->driven && one->legend.set) {
        write_regions(p, number);
        /* The phase plane and the drives that limit the motion. In travel there is no cursor over
         * p. */
        const gdyn_trajectory *t = f->t;
        gdyn_figure figure = {.stem = ""};
        gdyn_text_printf(p->out, "<figure><h3>Fastest motion</h3>\n");
        if (t->traverse->points < 2) {
            gdyn_html_element(p->out, "p", " class=\"nothing\"",
                              "There is no phase plane to show.");
        } else {
            gdyn_phase_figure(&figure, t);
            gdyn_figure_html(
                &figure, p->out, t->traverse->travels ? ' ' : 'p',
                "Phase plane: path speed of the fastest motion, and which drives limit it");
        }
        gdyn_text_printf(p->out, "</figure>\n");
    }
    gdyn_text_printf(out, "</div>\n");
    if (f->driven) {
        write_forces(p, f->t);
        gdyn_text_printf(out, "<h3>Criteria</h3>\n");
        gdyn_table_criteria(out, f->t);
    }
    gdyn_text_printf(out, "</section>\n");
}

/* --- the other sections ----------------------------------------------------------------------- */

static void write_reactions(page *p) {
    const gdyn_findings *f = p->findings;
    gdyn_text *out = p->out;
    gdyn_figure figure = {.stem = ""};
    if (!f->reacted || f->reactions->joints == 0)
        return;
    gdyn_text_printf(out, "<section id=\"reactions\">\n<h2>Joint reactions</h2>\n");
    gdyn_html_element(
        out, "p", " class=\"note\"",
        "At the assembled first guess: which reactions the rigid model determines, and "
        "their values where it does.");
    gdyn_text_printf(out, "<div class=\"grid\"><figure>\n");
    gdyn_verdicts_figure(&figure, "", f->reactions, f->examination.guess.state);
    gdyn_figure_html(&figure, out, ' ', "The machine, joints coloured by verdict");
    gdyn_text_printf(out, "</figure>\n<div>");
    gdyn_table_reactions(out, f);
    gdyn_text_printf(out, "</div></div>\n</section>\n");
}

static void write_origin(page *p) {
    gdyn_text platform = {0}, *out = p->out;
    gdyn_platform(&platform);
    gdyn_text_printf(out, "<section id=\"origin\">\n<h2>How to reproduce this page</h2>\n<dl>\n");
    gdyn_html_term(out, "command", " class=\"code\"", "%s", p->origin->command);
    gdyn_html_term(out, "case", " class=\"code\"", "%s", p->origin->hash);
    gdyn_html_term(out, "made by", "", "%s", platform.data ? platform.data : "");
    out->failed |= platform.failed;
    gdyn_text_free(&platform);
    gdyn_text_printf(out,
                     "</dl>\n<p class=\"note\">The number of the case is the 64-bit FNV-1a sum of "
                     "its self-contained text, all settings included.</p>\n</section>\n");
}

static const gdyn_page_detail WHOLE = {
    .frames = GDYN_FRAMES_MOST + 2, .motion = 400, .regions = GDYN_PAGE_REGIONS_MOST};

static void write_script(page *p) {
    gdyn_text data = {0}, *out = p->out;
    gdyn_status status =
        gdyn_page_data(p->findings, &p->guess, p->trajectories, p->trajectory, &WHOLE, &data);
    gdyn_text_printf(out, "</main>\n<script type=\"application/json\" id=\"data\">");
    if (status == GDYN_OK)
        gdyn_html_data(out, data.data, data.length);
    gdyn_text_printf(out, "</script>\n<script>\n%s%s%s%s</script>\n</body>\n</html>\n",
                     gdyn_viewer_js, gdyn_region_js, gdyn_trajectory_js, gdyn_page_js);
    p->failed |= status != GDYN_OK;
    gdyn_text_free(&data);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The sets of limits that the charts of a trajectory show. */
static gdyn_status make_legend(gdyn_legend *legend, const gdyn_trajectory *t) {
    if (t->along.points == 0)
        return GDYN_OK;
    if (!gdyn_legend_create(legend, t, &t->along))
        return GDYN_ERROR_MEMORY;
    gdyn_limits_use(legend, t);
    for (int i = 0; i < t->along.points; i++)
        gdyn_legend_use_region(legend, t->along.region[i]);
    gdyn_legend_settle(legend);
    return GDYN_OK;
}

/* Joints that stay open at the first guess; the tools of the first trajectory hold bodies. */
static gdyn_status draw_guess(page *p) {
    enum { OPEN_MOST = 64 };
    const gdyn_findings *f = p->findings;
    const gdyn_path_def *def = f->count > 0 ? gdyn_path_definition(f->finding[0].t->path) : NULL;
    const gdyn_state *state = f->examination.guess.state;
    gdyn_gap gap[OPEN_MOST];
    int count = 0;
    gdyn_status status = GDYN_OK;
    gdyn_drawing_begin(&p->guess, f->instance->model, def ? def->tools : 0, def ? def->tool : NULL);
    if (!f->examination.assembled)
        status = gdyn_gaps_find(state, OPEN_MOST, gap, &count);
    gdyn_drawing_open(&p->guess, state, count < OPEN_MOST ? count : OPEN_MOST, gap);
    return p->guess.failed ? GDYN_ERROR_MEMORY : status;
}

static gdyn_status make(page *p) {
    const gdyn_findings *f = p->findings;
    gdyn_status status = draw_guess(p);
    p->trajectory = gdyn_alloc((size_t)f->count + 1, sizeof *p->trajectory);
    if (status == GDYN_OK && !p->trajectory)
        status = GDYN_ERROR_MEMORY;
    for (int i = 0; i < f->count && status == GDYN_OK; i++) {
        gdyn_page_trajectory *one = &p->trajectory[i];
        one->finding = &f->finding[i];
        p->trajectories = i + 1;
        const gdyn_path_def *def = gdyn_path_definition(one->finding->t->path);
        gdyn_drawing_begin(&one->ground, f->instance->model, 0, NULL);
        gdyn_drawing_guides(&one->ground, one->finding->frames.count, one->finding->frames.state);
        gdyn_drawing_path(&one->ground, def, one->finding->t->track);
        gdyn_drawing_missed(&one->ground, def, one->finding->t->track);
        if (one->ground.failed)
            status = GDYN_ERROR_MEMORY;
        if (status == GDYN_OK && one->finding->driven)
            status = make_legend(&one->legend, one->finding->t);
    }
    return status;
}

static void unmake(page *p) {
    for (int i = 0; i < p->trajectories; i++) {
        gdyn_drawing_end(&p->trajectory[i].ground);
        gdyn_legend_destroy(&p->trajectory[i].legend);
    }
    gdyn_drawing_end(&p->guess);
    gdyn_free(p->trajectory);
}

gdyn_status gdyn_page_of_case(const gdyn_findings *findings, const gdyn_page_origin *origin,
                              gdyn_text *out) {
    page p = {.findings = findings, .origin = origin, .out = out};
    gdyn_status status = make(&p);
    if (status == GDYN_OK) {
        gdyn_page_head(p.out, p.findings->instance->name);
        write_verdict(&p);
        /* buttons that choose one of several trajectories; without scripts links to them */
        if (p.trajectories >= 2) {
            gdyn_text_printf(p.out, "<nav class=\"tabs\">");
            for (int i = 0; i < p.trajectories; i++) {
                const gdyn_finding *f = p.trajectory[i].finding;
                gdyn_text_printf(p.out, "<a href=\"#trajectory-%d\" class=\"%s\">", i,
                                 gdyn_finding_good(f) ? "good" : "bad");
                gdyn_html_text(p.out, f->t->name);
                gdyn_text_printf(p.out, "</a>\n");
            }
            gdyn_text_printf(p.out, "</nav>\n");
        }
        for (int i = 0; i < p.trajectories; i++)
            write_trajectory(&p, i);
        if (p.trajectories == 0)
            write_machine(&p, -1);
        write_reactions(&p);
        if (gdyn_model_drives(p.findings->instance->model) != 0) {
            gdyn_text_printf(p.out, "<section id=\"drives\">\n<h2>Drives</h2>\n");
            gdyn_table_drives(p.out, p.findings->instance);
            gdyn_text_printf(p.out, "</section>\n");
        }
        write_origin(&p);
        write_script(&p);
    }
    unmake(&p);
    return status != GDYN_OK ? status : p.failed || out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_page_design_data(const gdyn_findings *findings, const gdyn_page_detail *detail,
                                  gdyn_text *out) {
    page p = {.findings = findings};
    gdyn_status status = make(&p);
    if (status == GDYN_OK)
        status = gdyn_page_data(findings, &p.guess, p.trajectories, p.trajectory, detail, out);
    unmake(&p);
    return status;
}

gdyn_status gdyn_page_hash(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                           char hash[17]) {
    gdyn_text text = {0};
    uint64_t sum = GDYN_CHECKSUM_START;
    gdyn_status status = gdyn_case_write(the_case, count, settings, NULL, &text);
    if (status == GDYN_OK && text.failed)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_checksum_text(&sum, text.data, text.length);
        snprintf(hash, 17, "%016" PRIx64, sum);
    }
    gdyn_text_free(&text);
    return status;
}
