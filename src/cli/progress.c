/* progress.c - progress of a long run, on standard error. */
#include "cli/cli.h"

#include "base/clock.h"

#include <stdarg.h>
#include <unistd.h>

gdyn_progress gdyn_progress_begin(const gdyn_options *options) {
    gdyn_progress p = {.json = options->progress == GDYN_PROGRESS_JSON};
    /* a terminal has a line that is rewritten; plain lines or JSON on request */
    p.line = options->verbosity >= 0 && !gdyn_captured && isatty(STDERR_FILENO) && !p.json;
    p.plain = options->progress != GDYN_PROGRESS_NONE && !p.line && !p.json;
    return p;
}

void gdyn_progress_end(const gdyn_progress *p) {
    if (p->line)
        gdyn_console_control("\r\033[K");
}

/* Designs per second of this run; those of an earlier one cost nothing. */
static double rate_of(const gdyn_study_progress *p) {
    return p->seconds > 0 ? (double)(p->evaluated - p->continued) / p->seconds : 0;
}

/* Seconds left by the number of evaluations; negative when that is not known. */
static double seconds_left(const gdyn_study_progress *p) {
    double rate = rate_of(p);
    return p->allowed > p->evaluated && rate > 0 ? (double)(p->allowed - p->evaluated) / rate : -1;
}

static void end_line(const gdyn_progress *p) {
    fputs(p->line ? "" : "\n", stderr);
    gdyn_console_control(p->line ? "\033[K" : "");
}

/* One line: generation, designs, rate, front, failures, time left. */
static void print_progress(const gdyn_progress *c, const gdyn_study_progress *p) {
    const gdyn_search_info *s = &p->search;
    gdyn_console_control(c->line ? "\r" : "");
    if (s->population > 0)
        fprintf(stderr, "generation %ld, ", s->generation);
    fprintf(stderr, "%ld", p->evaluated);
    /* of a budget, where there is one */
    if (p->allowed > 0)
        fprintf(stderr, " of %ld", p->allowed);
    fprintf(stderr, " designs (%.3g/s)", rate_of(p));
    if (s->population > 0)
        fprintf(stderr, ", %d %% feasible, front %d, hypervolume %.6g%s",
                100 * s->feasible / s->population, s->front, c->volume,
                c->moved ? " (another reference point)" : "");
    /* designs without values, by status */
    for (int k = GDYN_DESIGN_CLOSED_REGION; k < GDYN_DESIGN_STATUSES; k++)
        if (p->status[k] > 0)
            fprintf(stderr, ", %d %s", p->status[k], gdyn_design_status_name(k));
    if (seconds_left(p) >= 0) {
        fputs(", ", stderr);
        double seconds = seconds_left(p);
        if (seconds < 100)
            fprintf(stderr, "%.0f s", seconds);
        else if (seconds < 6000)
            fprintf(stderr, "%.0f min", seconds / 60);
        else
            fprintf(stderr, "%.1f h", seconds / 3600);
        fputs(" left", stderr);
    }
    end_line(c);
}

static void print_json(gdyn_status status, gdyn_text *line) {
    if (status == GDYN_OK)
        fputs(line->data, stderr);
    gdyn_text_free(line);
}

void gdyn_progress_show(void *context, const gdyn_study_progress *progress) {
    gdyn_progress *c = context;
    c->volume = fmax(c->volume, progress->search.hypervolume);
    c->moved |= progress->search.moved;
    double t = gdyn_clock();
    /* generations of a search; seconds of a sweep */
    bool search = progress->search.population > 0;
    bool next = search ? progress->search.generation > c->generation : t - c->last >= 1;
    if (next)
        c->generation = progress->search.generation;
    if (next && !search && !c->line)
        c->last = t;
    /* JSON and plain lines at every step, a terminal ten times a second */
    bool shown = next;
    gdyn_text json = {0};
    if (c->json && next) {
        print_json(gdyn_report_progress_json(&json, progress, rate_of(progress),
                                             seconds_left(progress), c->volume, c->moved),
                   &json);
    } else if (c->line && t - c->last >= 0.1) {
        c->last = t;
        shown = true;
        print_progress(c, progress);
    } else if (c->plain && next) {
        print_progress(c, progress);
    }
    c->moved &= !shown;
}

/* A line is due when this many seconds have passed: on a terminal, in a file. */
static const double LINE_SECONDS = 0.2, PLAIN_SECONDS = 1;

/* Whether a line is due; *seconds since the first call. */
static bool is_due(gdyn_progress *c, double *seconds) {
    double t = gdyn_clock();
    if (!c->line && !c->plain && !c->json)
        return false;
    c->begun = c->begun > 0 ? c->begun : t;
    *seconds = t - c->begun;
    bool first = c->plain && c->last == 0; /* what is asked for is shown at least once */
    double since = t - (c->last > 0 ? c->last : c->begun);
    if (!first && since < (c->line ? LINE_SECONDS : PLAIN_SECONDS))
        return false;
    c->last = t;
    return true;
}

/* A line of words; the line of a terminal is written again. */
__attribute__((format(printf, 2, 3))) static void print_line(const gdyn_progress *c,
                                                             const char *format, ...) {
    va_list args;
    va_start(args, format);
    gdyn_console_control(c->line ? "\r" : "");
    vfprintf(stderr, format, args);
    end_line(c);
    va_end(args);
}

void gdyn_progress_time(gdyn_progress *c, double t, double duration) {
    double seconds;
    gdyn_text json = {0};
    if (!is_due(c, &seconds))
        return;
    if (c->json)
        print_json(gdyn_report_progress_time_json(&json, t, duration, seconds), &json);
    else
        print_line(c, "t = %.4g s of %.4g s, %.0f s", t, duration, seconds);
}

void gdyn_progress_count(gdyn_progress *c, const char *what, long count, long most) {
    double seconds;
    gdyn_text json = {0};
    if (!is_due(c, &seconds))
        return;
    if (c->json)
        print_json(gdyn_report_progress_count_json(&json, what, count, most, seconds), &json);
    else
        print_line(c, "%s: %ld of at most %ld, %.0f s", what, count, most, seconds);
}

void gdyn_progress_places(void *context, long places) {
    gdyn_progress *c = context;
    double seconds;
    gdyn_text json = {0};
    if (!is_due(c, &seconds))
        return;
    if (c->json)
        print_json(gdyn_report_progress_path_json(&json, c->name, places, seconds), &json);
    else
        print_line(c, "%s: %ld points of the path evaluated, %.0f s", c->name, places, seconds);
}
