/* cli.h - what the files of the program share: exit codes, messages, cases, sessions, studies.
 *
 * A command is one file with one function. The answer goes to standard output, everything else to
 * standard error. */
#pragma once

#include "base/interrupt.h"
#include "cli/options.h"
#include "globdyn.h"
#include "report/front.h"
#include "report/report.h"
#include "study/choose.h"
#include "study/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Both standard streams from here on without control characters (but ends of lines and tabs),
 * for any name or text that is printed; and those of our own, on standard error: "\r\033[K". */
void gdyn_console_begin(void);
/* All bytes, as signal handlers may write them; false on failure. */
bool gdyn_write_all(int descriptor, const char *bytes, size_t length);
void gdyn_console_control(const char *sequence);

/* What a call takes in place of standard streams and files (library.c). */
typedef struct gdyn_capture {
    gdyn_sink sink;                   /* errors and warnings */
    gdyn_output_taker *take;          /* files; name "": what --json prints */
    void *context;                    /* of take */
    const struct gdyn_opened *opened; /* the case, which stays so */
} gdyn_capture;
/* NULL: this is the program. Else nothing is printed, and signals are the caller's. */
extern const gdyn_capture *gdyn_captured;
void gdyn_capture_set(const gdyn_capture *capture);
/* Bytes of an answer on standard output. */
void gdyn_cli_out(const char *bytes, size_t length);
/* "globdyn: error: ... [code]" on standard error, always (the format begins with the mark of a
 * kind, base/codes.h); and a note unless -q. */
void gdyn_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with the line of help below it (NULL: none); returns the exit code. */
int gdyn_cli_fail(int code, const char *help, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "globdyn: warning: ..." on standard error. */
void gdyn_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Exit code of a status, after its text as an error unless it is GDYN_OK. */
int gdyn_cli_judge(gdyn_status status);
void gdyn_cli_note(const gdyn_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* On a terminal: the line "drawing 4 pictures ..." until it is ended, or another message comes; not
 * with -q. */
void gdyn_wait_begin(const gdyn_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gdyn_wait_end(void);
/* The line below an error that says what to do; nothing when it is empty. */
void gdyn_cli_help(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same below a name that is none of these: the nearest one, else `otherwise`. */
void gdyn_cli_suggest(const char *name, const char *const *names, int count, const char *otherwise);
/* Prints diagnostics as compilers do, on standard error; context is unused. */
gdyn_sink gdyn_console_sink(void);
/* The same for errors alone: of what has been read before, with its warnings. */
gdyn_sink gdyn_console_errors(void);
/* The exit code of the whole run: GDYN_EXIT_MEMORY after one message when memory ran out
 * anywhere; a failure for which no message was printed gets one. */
int gdyn_cli_conclude(int code);
/* From here on errors are collected: when the command fails and has printed nothing,
 * gdyn_cli_conclude prints them as a document on standard output. */
void gdyn_console_collect(void);
/* Of a captured command: hands over the errors that were collected. */
void gdyn_console_release(void);
/* Exit code that belongs to a status. */
int gdyn_exit_code(gdyn_status status);

/* --- memory_limit.c --------------------------------------------------------------------------- */

/* Ends the threads that OpenBLAS starts when it is loaded; the program divides its work itself. */
void gdyn_stop_idle_threads(void);

/* --- open_case.c ------------------------------------------------------------------------------ */

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
/* Whether a regular file has this name. */
bool gdyn_is_file(const char *name);
/* The line of help below the error that a case file (or study) of this name cannot be opened. */
void gdyn_help_missing_case(const char *name, bool or_study);
/* Complains when the file named as a study is a case. */
bool gdyn_refuse_case_as_study(const char *name);
void gdyn_close_case(gdyn_opened *opened);
/* GDYN_EXIT_CASE after a message when the case has no machine. */
int gdyn_need_machine(const gdyn_opened *opened);
/* Range of the trajectories that --trajectory chooses; an exit code. */
int gdyn_choose_trajectories(const gdyn_options *options, const gdyn_instance *instance, int *first,
                             int *count);
/* Complains of every path that cannot be a path, with its place; an exit code. */
int gdyn_check_paths(const gdyn_opened *opened);
/* Folder for a run's results: -o, or results/NAME where NAME is the case file's stem (its folder's
 * name for case.yaml). Made with its parents when missing. NULL after a message; else to free with
 * gdyn_free. */
char *gdyn_results_folder(const gdyn_options *options, const char *filename);

/* --- interrupt.c ----------------------------------------------------------------------------- */

/* SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup): the one place that answers them.
 *
 * * A search finishes the designs that are begun and keeps them; a simulation keeps its rows, a
 * workspace the nodes that were reached (gdyn_interrupts_stop). Everything else ends at once: the
 * file that is being written is removed, those that are complete stay, and a line says where the
 * program was. The exit code is 128 plus the signal: 130, 143 or 129. */
/* What the program is at, for that line ("trajectory 'circle'"). From here on a signal ends
 * the program that way; what was printed before is written. */
void gdyn_stage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From here on the first signal sets gdyn_interrupted; the second one ends the program, which is
 * then at `what`. */
void gdyn_interrupts_stop(const char *what);
/* The signal, or 0; to be read by gdyn_flag. */
extern volatile sig_atomic_t gdyn_interrupted;
/* Exit code of a run that was stopped. */
int gdyn_interrupt_exit_code(void);

/* --- files.c --------------------------------------------------------------------------------- */

/* Writes the text as a file of the folder and frees it. */
gdyn_status gdyn_cli_write(const char *folder, const char *name, gdyn_text *text);
/* Prints a document with --json, and writes it as a file of the folder (NULL: not) unless status is
 * a failure; it is freed. */
gdyn_status gdyn_cli_document(const gdyn_options *options, const char *folder, const char *name,
                              gdyn_status status, gdyn_text *text);
/* Prints a document, or writes it to that file (NULL, "-": none); it is freed. An exit code. */
int gdyn_cli_print(gdyn_status status, gdyn_text *text, const char *file);
/* Writes what `write` tells of a study, piece by piece: to the file (name NULL: none) and to the
 * copy (NULL: none). */
gdyn_status gdyn_cli_stream(const char *folder, const char *name, FILE *copy,
                            gdyn_outcome_writer *write, const gdyn_outcome *outcome);
/* Prints the text ("-"), or writes it to a file that must not exist yet and prints its name. An
 * exit code. */
int gdyn_cli_write_new(const char *file, const gdyn_text *text);
/* Notes the command's pictures, whose scripts are there, in pictures.list and runs gnuplot on them.
 * A picture that gnuplot cannot draw is reported and omitted. */
gdyn_status gdyn_cli_draw(const gdyn_options *options, const char *command,
                          const gdyn_pictures *pictures);
/* None yet, of that folder. */
gdyn_pictures gdyn_cli_pictures(const char *folder);
/* The pictures of a command that writes nothing else, into the results folder of the case; names
 * what it has drawn. An exit code. */
int gdyn_cli_picture(const gdyn_options *options, const char *filename, const char *command,
                     void (*draw)(gdyn_pictures *pictures, const void *of), const void *of);
/* The names of a list "A,B", without empty ones; NULL behind the last. To free with free; an exit
 * code. */
int gdyn_cli_split(const char *list, char ***names, int *count);
/* A blank and the word, quoted where a shell would take it apart. */
void gdyn_cli_append_word(gdyn_text *line, const char *word);
/* "globdyn report case.yaml": the command line as a shell reads it. */
void gdyn_cli_command_line(const gdyn_options *options, gdyn_text *line);
/* One line with the names of the pictures, on standard output. */
void gdyn_cli_print_pictures(const gdyn_pictures *pictures);

/* --- session.c ------------------------------------------------------------------------------- */

typedef struct gdyn_session {
    const gdyn_options *options;
    gdyn_opened opened; /* without instance with --coefficients */
    const char *case_name;
    int count;
    gdyn_trajectory *trajectory; /* count: opened */
} gdyn_session;

/* Opens what the command needs, trajectories as --trajectory chooses them; an exit code. End it in
 * any case. */
int gdyn_session_begin(const gdyn_options *options, gdyn_needs needs, gdyn_session *session);
void gdyn_session_end(gdyn_session *session);
/* work(context, t, number) for all trajectories on up to so many threads; an exit code after the
 * message of the first that fails. */
int gdyn_session_together(const gdyn_session *session, int threads,
                          gdyn_status (*work)(void *context, gdyn_trajectory *t, int number),
                          void *context);
/* What is worked on from here on. */
void gdyn_session_stage(const gdyn_session *session, const gdyn_trajectory *t);
/* An error about the trajectory, unless there is none; an exit code. */
int gdyn_session_judge(const gdyn_trajectory *t, gdyn_status status);

/* library.c: the command that argv begins with; an exit code. */
int gdyn_cli_run(const gdyn_command *command, int argc, char **argv);
/* The same for callers in the process, of commands that write documents; one call at a time. */
int gdyn_cli_call(const gdyn_capture *capture, int argc, char **argv);

/* What a command has found, ready to be written. */
typedef struct gdyn_results {
    const char *command; /* "regions" */
    const void *of;      /* what other files are written from */
    struct {
        const char *name; /* NULL: none */
        /* one of them; a document goes to standard output with --json, too */
        void (*table)(gdyn_text *out, int count, const gdyn_trajectory *t);
        gdyn_status (*document)(gdyn_text *out, const char *case_name, int count,
                                const gdyn_trajectory *t);
        gdyn_status (*other)(const void *of, gdyn_text *out);
    } file[5];
    bool partial; /* pictures of other trajectories stay */
    void (*draw)(gdyn_pictures *pictures, const gdyn_trajectory *t);
} gdyn_results;
/* Files, steps, then pictures of all trajectories; an exit code, GDYN_EXIT_NO where a step exceeds
 * a limit. */
int gdyn_session_write(const gdyn_session *session, const gdyn_results *results);

/* steps.c: motion.csv, the motions at equal time steps (--step, --steps), and
 * NAME_joint_trajectory.json of those that have one. exceeded: a step of a fastest motion exceeds a
 * limit. */
gdyn_status gdyn_steps_write(const gdyn_session *session, const char *folder, bool *exceeded);
#define GDYN_STEPS_FORGIVEN 1e-6 /* share of half a range by which it may: rounding */

/* p of a path of that length with its unit; what a search for the place leaves of zero is zero. */
gdyn_words gdyn_place(double p, double length, const char *unit);
/* Parses "0, pi/2, 500 mm" into places of a path (to free with free); an exit code. Formulas may
 * name the instance's parameters (NULL: none). */
int gdyn_parse_places(const char *text, const gdyn_instance *instance, gdyn_quantity **places,
                      int *count);

/* --- certificate.c ---------------------------------------------------------------------------- */

/* Prints why points are empty (those of --at, if any), one paragraph per run of empty points. */
void gdyn_print_certificates(const gdyn_trajectory *t);
/* Prints where the drives lose control of a freedom, a paragraph per place or stretch. */
void gdyn_print_singularities(const gdyn_trajectory *t);
/* Warns of loads that were lost to rounding of others. */
void gdyn_note_cut(const gdyn_options *options, const gdyn_trajectory *trajectory);
/* Prints "   (case.yaml:38)" where the case states the limit, or nothing. */
void gdyn_print_limit_line(const gdyn_trajectory *t, gdyn_limit limit);

/* gdyn_describe_undriven, printed. */
void gdyn_print_undriven(const gdyn_state *state, const char *indent);
/* gdyn_describe_entry as a warning about that trajectory, if there is anything to write. */
void gdyn_note_entry(const gdyn_options *options, const char *trajectory, const char *unit,
                     const gdyn_track *track);
/* Warns of a path that is followed in part only: how far, why, what to do. */
void gdyn_note_gaps(const gdyn_options *options, const char *trajectory, const gdyn_path *path,
                    const gdyn_track *track);

/* --- drive.c --------------------------------------------------------------------------------- */

/* Makes the trajectory ready for motions; units of speeds and forces on the command line must fit
 * it; an exit code. */
int gdyn_drive(const gdyn_options *options, gdyn_trajectory *t);
/* Settings of --distribution, --preload, --smooth. */
gdyn_share_settings gdyn_sharing_of(const gdyn_options *options);
/* What the forces along the motion do, in a few lines. */
void gdyn_print_changes(const gdyn_trajectory *t);
/* Why a path cannot be followed (pass FAILURE), unless it has been said, and what to do. */
void gdyn_print_advice(const gdyn_followed *f, const char *said, int indent);

/* --- progress.c ------------------------------------------------------------------------------ */

/* Progress of a long run, on standard error: a line that is rewritten on a terminal, plain lines or
 * JSON objects when asked for. */
typedef struct gdyn_progress {
    bool line;        /* a line that is rewritten: standard error is a terminal */
    bool plain;       /* one line per generation (--progress without a terminal) */
    bool json;        /* one JSON object per generation */
    double last;      /* when the line was written */
    long generation;  /* last one reported in plain lines */
    const char *name; /* of the trajectory */
    double begun;     /* when its first place was asked for; 0: not yet */
    double volume; /* greatest hypervolume so far: a bound for the front of all designs against the
                         present reference point, which only widens */
    bool moved;    /* the reference point moved since the last line */
} gdyn_progress;

gdyn_progress gdyn_progress_begin(const gdyn_options *options);
/* For gdyn_study_options: context is a gdyn_progress. */
void gdyn_progress_show(void *context, const gdyn_study_progress *progress);
/* For gdyn_path_dynamics_watch: context is a gdyn_progress whose name is set. */
void gdyn_progress_places(void *context, long places);
/* So many of at most `most`; what: "poses reached". */
void gdyn_progress_count(gdyn_progress *progress, const char *what, long count, long most);
/* A simulation at time t [s] of its duration. */
void gdyn_progress_time(gdyn_progress *progress, double t, double duration);
/* Wipes the line. */
void gdyn_progress_end(const gdyn_progress *progress);

/* --- share.c --------------------------------------------------------------------------------- */

/* What is installed beside the program, written when it is built: manual pages, completion of
 * shells and the schema of case files, from the tables of commands, options and keys and from the
 * documents. */
/* `globdyn --write-share FOLDER SOURCE`: fills the folder as <prefix>/share; SOURCE is the project
 * with README.md and docs/. An exit code. */
int gdyn_write_share(int count, char **operand);
/* Where the schema of case files lies: beside the installed program, or where it was built. False:
 * nowhere. */
bool gdyn_schema_place(char *out, size_t size);

/* --- roff.c: text for man(7) ------------------------------------------------------------------ */

/* Appends plain text: hyphens, backslashes and points at the beginning of lines stand for
 * themselves. */
void gdyn_roff_plain(gdyn_text *out, const char *text, size_t length);
/* Appends Markdown as far as the documents use it: headings, paragraphs, lists, tables, code. */
void gdyn_roff_markdown(gdyn_text *out, const char *markdown, size_t length);

/* --- manual.c --------------------------------------------------------------------------------- */

/* globdyn(1): `about` and `more` are Markdown, what the program is for and what concerns several
 * commands. */
void gdyn_manual_program(gdyn_text *out, const char *about, size_t length, const char *more);
/* globdyn-COMMAND(1). */
void gdyn_manual_command(gdyn_text *out, const gdyn_command *command);
/* globdyn-case(5), from docs/case-format.md. */
void gdyn_manual_case(gdyn_text *out, const char *markdown);

/* --- completion.c ----------------------------------------------------------------------------- */

/* A script for the shell: commands, options, words of options, verbs, templates, files by their
 * names. */
/* completion.bash.in: the part of the script for bash that is the same for all commands. */
extern const char gdyn_completion_bash_in[];
void gdyn_completion_bash(gdyn_text *out);
void gdyn_completion_zsh(gdyn_text *out);

/* --- study.c --------------------------------------------------------------------------------- */

/* Opens the study of that name (file, folder, name below results/); an exit code after messages. */
int gdyn_open_stored(const char *name, gdyn_stored **stored);
/* The file of the study of that name, to be freed; NULL: there is none, which gdyn_no_study reports
 * (an exit code). */
char *gdyn_study_file(const char *name);
int gdyn_no_study(const char *name);
/* There is a study of that name; a file that is no SQLite database is none. */
bool gdyn_is_study(const char *name);
/* The design with that number; NULL after a message. */
const gdyn_design *gdyn_stored_design(const gdyn_stored *stored, const char *number);

/* study_list.c: the studies below the folders named behind the verb. */
int gdyn_study_list(const gdyn_options *options);
/* Whether `compare` is given groups of studies: folders of studies, or names with commas between
 * them. Compares such groups; an exit code. */
bool gdyn_study_groups(const gdyn_options *options);
int gdyn_study_compare_groups(const gdyn_options *options);
/* Running, finished or left behind by a process that was killed. */
const char *gdyn_stored_state(const gdyn_stored *stored);

/* study_pick.c: whether an option says how to choose a design. */
bool gdyn_picks(const gdyn_options *options);
int gdyn_study_pick(const gdyn_options *options, const gdyn_stored *stored);
int gdyn_study_limit(const gdyn_options *options, const gdyn_stored *stored);

/* study_compare.c: a verb of the command; an exit code. */
int gdyn_study_compare(const gdyn_options *options, const gdyn_stored *stored);

/* cmd_study.c: the i-th verb; NULL behind the last one. */
const char *gdyn_study_verb(int i);
/* report_study.c: globdyn report STUDY; an exit code. */
int gdyn_report_study(const gdyn_options *options);

/* --- summary.c ------------------------------------------------------------------------------- */

/* Numbers of designs by status, a line each. */
void gdyn_print_statuses(const int *status);
/* Numbers of designs by status, the start design, the front's extremes, its reactions. */
void gdyn_print_outcome(const gdyn_outcome *outcome);
/* Value of a design variable to so many digits; a choice by its name. Returns text. */
const char *gdyn_variable_text(const gdyn_design_variable *variable, double x, int digits,
                               char *text, size_t size);
/* The front as a table: a row per design, a column per objective and variable. */
void gdyn_print_front(const gdyn_study *study, const gdyn_study_result *result);
/* Everything known about one design. */
void gdyn_print_design(const gdyn_study *study, const gdyn_design *design);

/* Why there is no feasible design: the nearest one, each constraint's best value, constraints that
 * no design keeps together. */
void gdyn_print_infeasibility(const gdyn_study *study, const gdyn_archive *archive);

/* --- study_pick.c ---------------------------------------------------------------------- */

/* Every entry of a repeatable option into values (objectives); the others stay. False after a
 * message. */
bool gdyn_objective_values(const char *option, const gdyn_settings *list, const gdyn_study *study,
                           double *values);

/* --- archive.c ------------------------------------------------------------------------------- */

/* A study whose designs are kept in a file. The study is made from the very text that the file
 * keeps, so that whoever reads the file later gets the same numbers. */
typedef struct gdyn_kept {
    char *filename, *case_text;
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_store *store; /* NULL until gdyn_kept_open */
} gdyn_kept;

/* The opened case at the command line's settings as a text, and its study (a sweep needs no
 * objectives). An exit code. */
int gdyn_kept_make(const gdyn_opened *opened, gdyn_store_kind kind, gdyn_kept *kept);
/* The same of a text, which is taken over. */
int gdyn_kept_make_text(gdyn_text *text, const char *filename, gdyn_store_kind kind,
                        gdyn_kept *kept);
/* Opens FOLDER/NAME, made when it is not there; the options' search is NULL for a sweep; `extra`
 * (may be NULL) are further lines of the identity. With --restart an older file is set aside as
 * NAME.old. Says on standard error when earlier designs are continued. An exit code. */
int gdyn_kept_open(const gdyn_options *options, const char *folder, const char *name,
                   gdyn_store_kind kind, gdyn_study_options *search, const char *extra,
                   gdyn_kept *kept);
/* Exit code of a run that ended with this status, after a message with the cause and what is
 * kept. */
int gdyn_kept_complain(const gdyn_kept *kept, gdyn_status status);
/* Runs the search, or evaluates the designs of the plan, until a signal; notes in the file how it
 * ended. The result is to be cleared when the exit code is GDYN_EXIT_YES. */
int gdyn_kept_run(const gdyn_options *options, const gdyn_kept *kept, gdyn_study_options *wanted,
                  const gdyn_sweep_plan *plan, gdyn_study_result *result);
void gdyn_kept_close(gdyn_kept *kept);

/* --- interruption ------------------------------------------------------------------------- */

/* "interrupted: 310 designs are kept in FILE; to continue: globdyn ..." on standard error; the exit
 * code of the signal. */
int gdyn_note_how_to_continue(const gdyn_options *options, const gdyn_kept *kept, long designs);

/* Designs that are taken over are the first ones of the search, behind the start design, which may
 * be one of them. They get their numbers; *starts (to be freed with free) has their variables. The
 * budget becomes that of new designs. An exit code. */
int gdyn_number_adopted(const gdyn_study *study, gdyn_adopted *adopted, gdyn_study_options *wanted,
                        double **starts);
/* Rows of the designs that are taken over, which the search then finds. An exit code. */
int gdyn_store_adopted(const gdyn_kept *kept, const gdyn_adopted *adopted);

/* Writes indices.csv to the folder and, unless `quiet`, prints the strongest variables of each
 * result. */
gdyn_status gdyn_sensitivity_report(const char *folder, const gdyn_sweep *sweep,
                                    const gdyn_sweep_plan *plan, bool quiet);

/* --- tolerances.c ---------------------------------------------------------------------------- */

/* gdyn_kept_make of the start design, whose variables are the deviations of the parameters. An exit
 * code. */
int gdyn_tolerances_make(const gdyn_opened *opened, gdyn_kept *kept);
/* Writes tolerances.csv to the folder and prints the shares unless `quiet`. */
gdyn_status gdyn_tolerances_report(const char *folder, const gdyn_sweep *along,
                                   const gdyn_sample_space *space, bool quiet);

/* --- simulate_options.c ---------------------------------------------------------------------- */

/* Overrides the definition; the lists must live as long as it does (to free in any case). An exit
 * code. */
int gdyn_simulation_options(const gdyn_options *options, gdyn_simulation_def *def, char ***drop,
                            char ***independent);

/* --record, --axes: points of the instance (for free in *points) and axes of the reactions in place
 * of the definition's. */
int gdyn_record_options(const gdyn_options *options, const gdyn_instance *instance,
                        gdyn_simulation_def *def, gdyn_named_point **points);

/* --start: "case" leaves the velocities of the definition, "JOINT=RATE,..." takes their place;
 * *rates (for free) holds them. An exit code. */
int gdyn_start_options(const gdyn_options *options, const gdyn_model *model,
                       gdyn_simulation_def *def, gdyn_joint_value **rates);
/* Says what was changed of the velocities asked for, if anything was. */
void gdyn_print_start_velocity(const gdyn_model *model, const gdyn_sim_start *start);

/* --- reactions_text.c ------------------------------------------------------------------------ */

/* Redundancy, subsystems, doubts and the table of verdicts and values. name: of the machine;
 * convention: of values that are not unique, NULL: they are not shown; all: every combination. */
void gdyn_print_reactions(const gdyn_reactions *r, const gdyn_reaction_frame *frame,
                          const char *name, const char *convention, bool all);
/* Changes that make the machine exactly constrained, all or the first few, then those of them that
 * jam along its trajectories; nothing when it is. */
void gdyn_print_proposals(const gdyn_instance *instance, const gdyn_proposals *found, bool all);

/* --- commands --------------------------------------------------------------------------------- */

int gdyn_cmd_new(gdyn_session *session);
int gdyn_cmd_import(gdyn_session *session);
int gdyn_cmd_check(gdyn_session *session);
int gdyn_cmd_regions(gdyn_session *session);
int gdyn_cmd_verify(gdyn_session *session);
int gdyn_cmd_workspace(gdyn_session *session);
int gdyn_cmd_modes(gdyn_session *session);
int gdyn_cmd_evaluate(gdyn_session *session);
int gdyn_cmd_sweep(gdyn_session *session);
int gdyn_cmd_study(gdyn_session *session);
int gdyn_cmd_optimize(gdyn_session *session);
int gdyn_cmd_plot(gdyn_session *session);
int gdyn_cmd_report(gdyn_session *session);
int gdyn_cmd_reactions(gdyn_session *session);
int gdyn_cmd_traverse(gdyn_session *session);
int gdyn_cmd_feasible(gdyn_session *session);
int gdyn_cmd_simulate(gdyn_session *session);
int gdyn_cmd_explain(gdyn_session *session);
int gdyn_cmd_schema(gdyn_session *session);
