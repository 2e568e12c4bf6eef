/* cli.h - what the commands of the program share: options, exit codes, messages, opening a case.
 *
 * A command is one file with one function. The answer goes to standard output, everything else to
 * standard error. */
#ifndef GDYN_CLI_CLI_H
#define GDYN_CLI_CLI_H

#include "base/diag.h"
#include "casefile/casefile.h"

#include <stdbool.h>

/* Exit codes (docs/cli.md). */
enum {
    GDYN_EXIT_YES = 0,      /* done, and the answer is yes */
    GDYN_EXIT_NO = 1,       /* done, and the answer is no: nothing accessible, expectation missed */
    GDYN_EXIT_USAGE = 2,    /* the command line is wrong */
    GDYN_EXIT_CASE = 3,     /* the case file is invalid */
    GDYN_EXIT_NUMERIC = 4,  /* a numerical routine refused */
    GDYN_EXIT_FILE = 5,     /* a file or an external program */
    GDYN_EXIT_STUDY = 6,    /* the study belongs to another case or is locked */
    GDYN_EXIT_INTERNAL = 70 /* a defect of the program */
};

enum { GDYN_SETTINGS_MAX = 64 };

/* The options of all commands; a command's row in main.c says which ones it takes. */
typedef struct gdyn_options {
    const char *output; /* -o: folder (new: file); NULL: the command's default */
    bool json;          /* --json */
    bool csv;           /* --csv */
    int set_count;      /* --set NAME=VALUE, as written */
    const char *set[GDYN_SETTINGS_MAX];
    int threads;     /* --threads; 0: as many as there are */
    bool seed_given; /* --seed */
    unsigned long long seed;
    int evaluations;               /* --evaluations; 0: as the case says */
    int population;                /* --population; 0: as the case says */
    bool progress;                 /* --progress: plain lines */
    bool progress_json;            /* --progress=json */
    bool restart;                  /* --restart */
    const char *warm_start;        /* --warm-start FILE */
    int samples;                   /* --samples, --levels; 0: the default */
    const char *variables;         /* --variables; NULL: all */
    int verbosity;                 /* -q: -1, default 0, -v: 1, -vv: 2 */
    const char *method;            /* --method; NULL: the command's default */
    const char *reduction;         /* --reduction */
    const char *trajectory;        /* --trajectory; NULL: all */
    const char *at;                /* --at P,P,... */
    const char *coefficients;      /* --coefficients FILE.csv */
    bool no_pictures;              /* --no-pictures */
    bool pose;                     /* --pose */
    bool all;                      /* --all */
    const char *motion;            /* --motion FILE */
    double start_speed, end_speed; /* --start-speed, --end-speed; NAN: free */
    bool periodic;                 /* --periodic */
    bool no_rates;                 /* --no-rates */
    double tolerance, preload;     /* --tolerance, --preload; 0: the default */
    const char *distribution;      /* --distribution; NULL: norm */
    double smooth;                 /* --smooth [s]; 0: not */
    const char *convention;        /* --convention NAME */
    int count;                     /* operands (case files and the like) */
    char **operand;
    int word_count; /* the command line from the command's name on, operands last */
    char **word;
} gdyn_options;

/* One letter per option, used in gdyn_command.accepts. */
#define GDYN_ACCEPT_CASE         "s"     /* --set */
#define GDYN_ACCEPT_OUTPUT       "o"     /* -o */
#define GDYN_ACCEPT_JSON         "j"     /* --json */
#define GDYN_ACCEPT_RUN          "tSENp" /* --threads --seed --evaluations --population --progress */
#define GDYN_ACCEPT_ARCHIVE      "R"     /* --restart */
#define GDYN_ACCEPT_CSV          "V"     /* --csv */
#define GDYN_ACCEPT_SWEEP        "HKYtSp" /* --method --samples --levels --variables, the run */
#define GDYN_ACCEPT_WARM_START   "W"      /* --warm-start */
#define GDYN_ACCEPT_METHOD       "m"      /* --method */
#define GDYN_ACCEPT_REDUCTION    "r"      /* --reduction */
#define GDYN_ACCEPT_TRAJECTORY   "T"      /* --trajectory */
#define GDYN_ACCEPT_AT           "a"      /* --at */
#define GDYN_ACCEPT_COEFFICIENTS "c"      /* --coefficients */
#define GDYN_ACCEPT_REACTIONS    "wkMCA"  /* --method --pose --motion --convention --all */
#define GDYN_ACCEPT_TRAVERSE     "Beyxzp" /* --start-speed ... --tolerance, --progress */
#define GDYN_ACCEPT_SHARING      "DLu"    /* --distribution --preload --smooth */
#define GDYN_ACCEPT_FEASIBLE     "F"      /* --motion, a file with t,p or p,d1,d2 */
#define GDYN_ACCEPT_PICTURES     "P"      /* --no-pictures */

typedef struct gdyn_command {
    const char *name;
    const char *operands; /* "CASE", "[TEMPLATE]", ... */
    const char *about;    /* one line */
    const char *accepts;  /* letters above; -q, -v and -h always */
    int min_operands, max_operands;
    int (*run)(const gdyn_options *options); /* returns an exit code */
    const char *details;                     /* further lines of the command's help, or NULL */
} gdyn_command;

/* --- options.c -------------------------------------------------------------------------------- */

/* Parses the arguments behind the command's name (argv[0] is the name). Returns true to go on;
 * false with *exit_code set when help was printed or the line is wrong. */
bool gdyn_options_parse(const gdyn_command *command, int argc, char **argv, gdyn_options *options,
                        int *exit_code);
void gdyn_options_help(const gdyn_command *command);

/* --- console.c -------------------------------------------------------------------------------- */

/* "globdyn: error: ..." on standard error, always; and a note unless -q. */
void gdyn_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gdyn_cli_note(const gdyn_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The line below an error that says what to do; nothing when it is "". */
void gdyn_cli_help(const char *help);
/* Prints diagnostics as compilers do, on standard error; context is unused. */
gdyn_sink gdyn_console_sink(void);
/* Exit code that belongs to a status. */
int gdyn_exit_code(gdyn_status status);

/* --- the_case.c ------------------------------------------------------------------------------- */

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
void gdyn_close_case(gdyn_opened *opened);
/* GDYN_EXIT_CASE after a message when the case has no machine. */
int gdyn_need_machine(const gdyn_opened *opened);
/* Range of the trajectories that --trajectory chooses; an exit code. */
int gdyn_choose_trajectories(const gdyn_options *options, const gdyn_instance *instance, int *first,
                             int *count);
int gdyn_open_path(const gdyn_opened *opened, int trajectory, gdyn_path **path);
/* Folder for a run's results: -o, or results/NAME where NAME is the case file's stem (its folder's
 * name for case.yaml). Made with its parents when missing. NULL after a message; else to free with
 * gdyn_free. */
char *gdyn_results_folder(const gdyn_options *options, const char *filename);

/* --- commands --------------------------------------------------------------------------------- */

int gdyn_cmd_new(const gdyn_options *options);
int gdyn_cmd_check(const gdyn_options *options);
int gdyn_cmd_regions(const gdyn_options *options);
int gdyn_cmd_verify(const gdyn_options *options);
int gdyn_cmd_evaluate(const gdyn_options *options);
int gdyn_cmd_sweep(const gdyn_options *options);
int gdyn_cmd_study(const gdyn_options *options);
int gdyn_cmd_optimize(const gdyn_options *options);
int gdyn_cmd_reactions(const gdyn_options *options);
int gdyn_cmd_traverse(const gdyn_options *options);
int gdyn_cmd_feasible(const gdyn_options *options);
int gdyn_cmd_schema(const gdyn_options *options);

#endif
