/* report_study.c - globdyn report STUDY: a study as one HTML file, once, or again and again while
 * it runs. */
#include "cli/cli.h"

#include "base/clock.h"

#include <time.h>

/* What all pages of a run share. */
typedef struct watch {
    const gdyn_options *options;
    gdyn_study_drawings *drawings;
    gdyn_text command, study; /* as words of a shell */
    char state[200];          /* of the page written last */
    int designs;              /* in it; -1: none is written yet */
    bool runs, feasible;
} watch;

static int write_page(watch *w, const gdyn_stored *s, bool live) {
    gdyn_text page = {0};
    gdyn_study_origin origin = {.command = w->command.data,
                                .study = w->study.data + 1, /* behind the blank */
                                .state = gdyn_stored_state(s),
                                .live = live};
    gdyn_status status = gdyn_page_of_study(s, &origin, w->drawings, &page);
    if (status != GDYN_OK) {
        gdyn_text_free(&page);
        return gdyn_exit_code(status);
    }
    /* In the file's folder, or DIR; "study.html": the file's name with another ending. */
    gdyn_text name = {0}, beside = {0};
    const char *filename = s->filename, *slash = strrchr(filename, '/');
    const char *last = slash ? slash + 1 : filename, *dot = strrchr(last, '.');
    gdyn_text_append(&name, last, dot && dot > last ? (size_t)(dot - last) : strlen(last));
    gdyn_text_printf(&name, ".html");
    gdyn_text_append(&beside, slash ? filename : ".", slash ? (size_t)(slash - filename) : 1);
    char *folder = w->options->output ? gdyn_results_folder(w->options, filename) : beside.data;
    int code = !folder ? GDYN_EXIT_FILE : name.failed ? GDYN_EXIT_MEMORY : GDYN_EXIT_YES;
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(gdyn_cli_write(folder, name.data, &page));
    else
        gdyn_text_free(&page);
    if (code == GDYN_EXIT_YES && w->designs < 0)
        gdyn_cli_note(w->options, "Report: %s/%s", folder, name.data);
    if (folder != beside.data)
        gdyn_free(folder);
    gdyn_text_free(&beside), gdyn_text_free(&name);
    return code;
}

/* Reads the study and writes the page if there is something new; last: it will not be written
 * again. */
static int look(watch *w, bool last) {
    gdyn_stored *s = NULL;
    int code = gdyn_open_stored(w->options->operand[0], &s);
    if (code != GDYN_EXIT_YES)
        return code;
    w->runs = s->owner > 0;
    bool live = w->options->watch && w->runs && !last;
    bool news = w->designs != s->result.archive.count || strcmp(w->state, gdyn_stored_state(s));
    if (news || last)
        code = write_page(w, s, live);
    w->designs = s->result.archive.count;
    w->feasible = s->result.front.count > 0 || gdyn_study_start(s->study)->objective_count == 0;
    snprintf(w->state, sizeof w->state, "%s", gdyn_stored_state(s));
    if (code == GDYN_EXIT_YES && !live) {
        gdyn_text line = {0};
        gdyn_study_verdict(s, gdyn_stored_state(s), &line);
        printf("%s: %s\n", gdyn_study_start(s->study)->name, line.data ? line.data : "");
        gdyn_text_free(&line);
        gdyn_study_thinning(s, &line);
        if (line.length > 0)
            gdyn_cli_note(w->options, "the page has %s; the tables have all", line.data);
        gdyn_text_free(&line);
    }
    gdyn_stored_close(s);
    return code;
}

/* Again while the study runs; a page takes at most a third of the time. */
static int follow(watch *w) {
    gdyn_interrupts_stop("the page of the study");
    for (;;) {
        double begin = gdyn_clock();
        bool last = gdyn_flag(&gdyn_interrupted) != 0;
        int code = look(w, last);
        if (code != GDYN_EXIT_YES || !w->runs || last)
            return code;
        double took = gdyn_clock() - begin;
        /* Waits for so long, or until a signal. */
        double seconds = took > 1 ? 2 * took : 2;
        double end = gdyn_clock() + seconds;
        while (!gdyn_flag(&gdyn_interrupted) && gdyn_clock() < end)
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
}

int gdyn_report_study(const gdyn_options *options) {
    watch w = {.options = options, .designs = -1, .drawings = gdyn_study_drawings_create()};
    int code = GDYN_EXIT_MEMORY;
    gdyn_cli_command_line(options, &w.command);
    gdyn_cli_append_word(&w.study, options->operand[0]);
    gdyn_stage("the report of %s", options->operand[0]);
    if (w.drawings && !w.command.failed && !w.study.failed)
        code = options->watch ? follow(&w) : look(&w, true);
    gdyn_study_drawings_destroy(w.drawings);
    gdyn_text_free(&w.command), gdyn_text_free(&w.study);
    if (code == GDYN_EXIT_YES && gdyn_flag(&gdyn_interrupted))
        return gdyn_interrupt_exit_code();
    return code != GDYN_EXIT_YES ? code : w.feasible ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}
