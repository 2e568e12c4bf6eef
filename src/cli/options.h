/* options.h - the command line: a row for each command, a row for each option, their values. */
#pragma once

#include "base/text.h"
#include "expr/expr.h"

#include <stdbool.h>
#include <stddef.h>

enum { GDYN_SETTINGS_MAX = 64 };

typedef struct gdyn_settings {
    int count;
    const char *text[GDYN_SETTINGS_MAX]; /* NAME=VALUE, as written */
} gdyn_settings;

typedef struct gdyn_seed {
    bool given;
    unsigned long long value;
} gdyn_seed;

typedef enum gdyn_progress_kind {
    GDYN_PROGRESS_NONE,
    GDYN_PROGRESS_PLAIN,
    GDYN_PROGRESS_JSON
} gdyn_progress_kind;

/* The values of all options; option_table.c says which command takes which. What was not given is
 * 0, NULL or the default of its row. */
typedef struct gdyn_options {
    const char *output;         /* folder, of some commands a file */
    gdyn_settings set, without; /* "leg=0.6 m"; "m1,m2" */
    bool json, csv;
    bool no_pictures;
    int verbosity; /* -q: -1, -v: 1, -vv: 2 */
    int progress;  /* gdyn_progress_kind */
    bool restart, repair, accept_other_machine;
    int threads; /* 0: as many as there are */
    gdyn_seed seed;
    int evaluations, population; /* 0: as the case says */
    const char *warm_start;      /* file */
    const char *loops;           /* file */
    int base, contour;           /* import: 1 for a free root; 0: the first */
    bool planar, balance;        /* import */
    gdyn_quantity blend;         /* import; 0: the default */
    const char *from;            /* study whose designs are taken over */
    gdyn_settings aim;           /* "mass=30 kg" */
    bool watch;                  /* report: again while the study runs */
    bool knee;
    const char *weights;          /* "area=2,mass=1" */
    gdyn_settings target, filter; /* "mass=30 kg"; "mass <= 36 kg" */
    int further;                  /* study limit: designs of a further search */
    int samples, levels;          /* 0: the default of the method */
    const char *variables;        /* "A,B"; NULL: all */
    bool tolerances;              /* the deviations vary instead of the design variables */
    /* regions: gdyn_projection; reactions: gdyn_reaction_method; sweep: gdyn_sample_method */
    int method;
    int reduction;            /* gdyn_reduction */
    int formalism;            /* gdyn_formalism */
    const char *trajectory;   /* NULL: all */
    const char *at;           /* "P,P" */
    const char *coefficients; /* file */
    bool write_coefficients;
    const char *motion;    /* file */
    gdyn_settings motions; /* the same, several */
    int hold;              /* gdyn_mode_held; -1: as the case has trajectories */
    bool pose, all, closings;
    const char *columns;                  /* of simulations, "A,B,..."; NULL: the usual ones */
    const char *record;                   /* "BODY.POINT,..."; NULL: those of the case */
    int axes;                             /* gdyn_sim_axes; -1: those of the case */
    gdyn_quantity rank_limit;             /* 0: the default */
    gdyn_quantity time;                   /* of the motions; 0: their start */
    const char *start;                    /* "case" or "JOINT=RATE,..."; NULL: at rest */
    int convention;                       /* 0: none, 1: min-norm */
    gdyn_quantity start_speed, end_speed; /* value NAN: free */
    bool periodic, no_rates;
    gdyn_quantity tolerance, preload, smooth;  /* 0: the default, none, not */
    int distribution;                          /* gdyn_sharing */
    int sim_method, stabilization, integrator; /* gdyn_sim_method and so on; -1: as the case says */
    int closing;                               /* gdyn_closure_method; -1: as the case says */
    gdyn_quantity width, height, font_size;    /* [m], [pt]; 0: as the picture was laid out */
    int format;                                /* of gdyn_picture_formats */
    const char *view;                          /* "TILT,TURN"; NULL: the picture's own */
    bool overlay;                              /* plot: folders over each other */
    const char *labels;                        /* "A,B"; NULL: names of the folders */
    const char *drop, *independent;            /* "C.y,W4"; NULL: as the case says */
    gdyn_quantity step, every, duration;       /* 0: as the case says */
    int steps;                                 /* 0: not given */
    int count;                                 /* operands (case files and the like) */
    char **operand;
    int word_count; /* the command line from the command's name on, operands last */
    char **word;
} gdyn_options;

struct gdyn_session; /* cli.h */

/* What is opened before a command runs, and closed behind it. */
typedef enum gdyn_needs {
    GDYN_NEEDS_NOTHING,
    GDYN_NEEDS_CASE,    /* its first operand */
    GDYN_NEEDS_MACHINE, /* a case with one */
    GDYN_NEEDS_PATHS    /* trajectories of a machine with drives, or the table of --coefficients */
} gdyn_needs;

typedef struct gdyn_command {
    const char *name;
    const char *operands; /* "CASE", "[TEMPLATE]", ... */
    const char *about;    /* one line */
    int min_operands, max_operands;
    gdyn_needs needs;
    int (*run)(struct gdyn_session *session); /* returns an exit code */
    const char *details;                      /* further lines of the command's help, or NULL */
} gdyn_command;

/* command_table.c: all commands. */
extern const gdyn_command gdyn_command_table[];
extern const int gdyn_command_count;
/* The row of a command; NULL: none has this name. */
const gdyn_command *gdyn_command_find(const char *name);

/* What an option's argument is, and the type of its value. */
typedef enum gdyn_option_kind {
    GDYN_OPTION_FLAG,    /* bool; no argument */
    GDYN_OPTION_TEXT,    /* const char *: a file, a name, a list that its command reads */
    GDYN_OPTION_SETTING, /* gdyn_settings: repeatable */
    GDYN_OPTION_WHOLE,   /* int from low to high */
    GDYN_OPTION_SEED,    /* gdyn_seed */
    GDYN_OPTION_AMOUNT,  /* gdyn_quantity above zero, SI; of the dimension of `unit` */
    GDYN_OPTION_SPEED,   /* gdyn_quantity not below zero, or "free" */
    GDYN_OPTION_CHOICE,  /* int: place of the word in `words`; without an optional argument: 1 */
    GDYN_OPTION_QUIET,   /* int: -1 */
    GDYN_OPTION_VERBOSE, /* int: one more each time */
    GDYN_OPTION_HELP     /* no value */
} gdyn_option_kind;

typedef struct gdyn_option {
    const char *name;
    char brief; /* one-letter form, or 0 */
    gdyn_option_kind kind;
    size_t place;         /* of its value in gdyn_options */
    const char *commands; /* that take it: "sweep optimize"; NULL: all */
    /* name of its argument, in brackets with "=" when it is optional; NULL: none */
    const char *argument;
    const char *help;         /* of a choice the words follow */
    const char *const *words; /* choice: NULL-terminated */
    int initial;              /* choice: value when it is not given */
    int low, high;            /* whole number */
    bool zero;                /* amount: 0 is one, too */
    /* amount: "s", "rad" for a pure number, NULL: its command checks the dimension */
    const char *unit;
    const char *suffix; /* file: of its name, for completion: "csv"; NULL: any */
} gdyn_option;

/* option_table.c: all options; an option may have several rows for different commands. */
extern const gdyn_option gdyn_option_table[];
extern const int gdyn_option_count;

/* Parses the arguments behind the command's name (argv[0] is the name). Returns true to go on;
 * false with *exit_code set when help was printed or the line is wrong. */
bool gdyn_options_parse(const gdyn_command *command, int argc, char **argv, gdyn_options *options,
                        int *exit_code);
void gdyn_options_help(const gdyn_command *command);
enum { GDYN_COMMAND_OPTIONS_MOST = 64 };
/* The rows of the options that the command takes; their number. */
int gdyn_options_of(const gdyn_command *command,
                    const gdyn_option *taken[GDYN_COMMAND_OPTIONS_MOST]);
/* Appends "elementary (default), tuples or lp" of a choice; initial -1: none is marked. */
void gdyn_option_words(gdyn_text *out, const char *const *words, int initial);

/* "0.5", "pi/2", "500 mm": a finite constant with its dimension; false with *error filled. */
bool gdyn_read_quantity(const char *text, gdyn_quantity *quantity, gdyn_expr_error *error);
/* The same with the names that the scope knows (NULL: none). */
bool gdyn_read_named_quantity(const char *text, const gdyn_scope *scope, gdyn_quantity *quantity,
                              gdyn_expr_error *error);
/* An error when the quantity of option --NAME has another dimension than that of `unit` ("m/s"; ""
 * fits all), that `subject` has; an exit code. */
int gdyn_check_unit(const char *name, gdyn_quantity quantity, gdyn_dimension dimension,
                    const char *subject);
