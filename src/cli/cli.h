/* cli.h - what the commands of the program share: exit codes, messages, opening a case.
 *
 * A command is one file with one function. The answer goes to standard output, everything else to
 * standard error. */
#ifndef GDYN_CLI_CLI_H
#define GDYN_CLI_CLI_H

#include "base/diag.h"
#include "casefile/casefile.h"
#include "cli/options.h"

#include <stdbool.h>

/* Exit codes (docs/cli.md). */
enum {
    GDYN_EXIT_YES = 0,     /* done, and the answer is yes */
    GDYN_EXIT_NO = 1,      /* done, and the answer is no: nothing accessible, expectation missed */
    GDYN_EXIT_USAGE = 2,   /* the command line is wrong */
    GDYN_EXIT_CASE = 3,    /* the case file is invalid */
    GDYN_EXIT_NUMERIC = 4, /* a numerical routine refused */
    GDYN_EXIT_FILE = 5,    /* a file or an external program */
    GDYN_EXIT_STUDY = 6,   /* the study belongs to another case or is locked */
    GDYN_EXIT_MEMORY = 7,  /* out of memory */
    GDYN_EXIT_INTERNAL = 70, /* a defect of the program */
    GDYN_EXIT_SIGNAL = 128   /* and the number of the signal that stopped the program */
};

/* --- console.c -------------------------------------------------------------------------------- */

/* Both standard streams from here on without control characters (but ends of lines and tabs), whatever name or text is
 * printed; and those of our own, on standard error: "\r\033[K". */
void gdyn_console_begin(void);
void gdyn_console_control(const char *sequence);

/* "globdyn: error: ... [code]" on standard error, always (the format begins with the mark of a kind, base/codes.h); and a
 * note unless -q. */
void gdyn_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gdyn_cli_note(const gdyn_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* On a terminal: the line "drawing 4 pictures ..." until it is ended, or another message comes; not with -q. */
void gdyn_wait_begin(const gdyn_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gdyn_wait_end(void);
/* The line below an error that says what to do; nothing when it is "". */
void gdyn_cli_help(const char *help);
/* Prints diagnostics as compilers do, on standard error; context is unused. */
gdyn_sink gdyn_console_sink(void);
/* The same for errors alone: of what has been read before, with its warnings. */
gdyn_sink gdyn_console_errors(void);
/* The exit code of the whole run: GDYN_EXIT_MEMORY after one message when memory was refused anywhere; a failure for
 * which no message was printed gets one. */
int gdyn_cli_conclude(int code);
/* Exit code that belongs to a status. */
int gdyn_exit_code(gdyn_status status);

/* --- memory_limit.c ------------------------------------------------------------------------------ */

/* Ends the threads that OpenBLAS starts when it is loaded; the program divides its work itself. */
void gdyn_stop_idle_threads(void);

/* --- open_case.c ------------------------------------------------------------------------------- */

/* A case file opened for a command: read, settings applied, model made. */
typedef struct gdyn_opened {
    const char *filename;
    gdyn_case *the_case;
    gdyn_instance *instance;
    int setting_count;
    gdyn_setting setting[GDYN_SETTINGS_MAX];
    gdyn_sink sink; /* diagnostics with places in the file */
} gdyn_opened;

/* Opens the case and applies --set. Returns GDYN_EXIT_YES or the exit code after the messages have
 * been printed. Close it in both cases. */
int gdyn_open_case(const gdyn_options *options, const char *filename, gdyn_opened *opened);
/* missing.c: whether a regular file has this name. */
bool gdyn_is_file(const char *name);
/* The line of help below the error that a case file (or study) of this name cannot be opened. */
void gdyn_help_missing_case(const char *name, bool or_study);
/* Complains when the file named as a study is a case. */
bool gdyn_refuse_case_as_study(const char *name);
void gdyn_close_case(gdyn_opened *opened);
/* GDYN_EXIT_CASE after a message when the case has no machine. */
int gdyn_need_machine(const gdyn_opened *opened);
/* Opens the case of a command that needs a machine, runs `work` on it and closes it; an exit code. */
int gdyn_run_on_machine(const gdyn_options *options,
                        int (*work)(const gdyn_options *options, const gdyn_opened *opened));
/* Range of the trajectories that --trajectory chooses; an exit code. */
int gdyn_choose_trajectories(const gdyn_options *options, const gdyn_instance *instance, int *first,
                             int *count);
int gdyn_open_path(const gdyn_opened *opened, int trajectory, gdyn_path **path);
/* Complains of every path that cannot be a path, with its place; an exit code. */
int gdyn_check_paths(const gdyn_opened *opened);
/* Folder for a run's results: -o, or results/NAME where NAME is the case file's stem (its folder's
 * name for case.yaml). Made with its parents when missing. NULL after a message; else to free with
 * gdyn_free. */
char *gdyn_results_folder(const gdyn_options *options, const char *filename);

/* --- commands --------------------------------------------------------------------------------- */

int gdyn_cmd_new(const gdyn_options *options);
int gdyn_cmd_import(const gdyn_options *options);
int gdyn_cmd_check(const gdyn_options *options);
int gdyn_cmd_regions(const gdyn_options *options);
int gdyn_cmd_verify(const gdyn_options *options);
int gdyn_cmd_workspace(const gdyn_options *options);
int gdyn_cmd_modes(const gdyn_options *options);
int gdyn_cmd_evaluate(const gdyn_options *options);
int gdyn_cmd_sweep(const gdyn_options *options);
int gdyn_cmd_study(const gdyn_options *options);
int gdyn_cmd_optimize(const gdyn_options *options);
int gdyn_cmd_plot(const gdyn_options *options);
int gdyn_cmd_report(const gdyn_options *options);
int gdyn_cmd_reactions(const gdyn_options *options);
int gdyn_cmd_traverse(const gdyn_options *options);
int gdyn_cmd_feasible(const gdyn_options *options);
int gdyn_cmd_simulate(const gdyn_options *options);
int gdyn_cmd_explain(const gdyn_options *options);
int gdyn_cmd_schema(const gdyn_options *options);

#endif
