/* options.c - one parser for the options of all commands, over getopt_long.
 *
 * A row of the table gives an option's name, its letter in gdyn_command.accepts, its argument and
 * its line of help. Options may stand before or behind the operands. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include "base/text.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_row {
    const char *name;
    char letter;          /* in gdyn_command.accepts; ' ': every command takes it */
    char brief;           /* one-letter form or 0 */
    const char *argument; /* name of its argument, or NULL */
    const char *help;
} option_row;

static const option_row rows[] = {
    {"output", 'o', 'o', "DIR", "where results go (default results/CASE)"},
    {"set", 's', 0, "NAME=VALUE", "another value for a parameter of the case; repeatable"},
    {"json", 'j', 0, NULL, "the answer as one JSON document on standard output"},
    {"csv", 'V', 0, NULL, "the answer as CSV on standard output"},
    {"trajectory", 'T', 0, "NAME", "only this trajectory"},
    {"method", 'm', 0, "METHOD", "projection: elementary (default), tuples or lp"},
    {"method", 'H', 0, "METHOD", "oat (one at a time, default), grid, lhs or sobol"},
    {"samples", 'K', 0, "N", "number of designs of lhs and sobol (default 100)"},
    {"levels", 'K', 0, "N", "levels per variable of oat (default 11) and grid (default 5)"},
    {"variables", 'Y', 0, "A,B,...", "only these design variables move"},
    {"method", 'w', 0, "TEST", "rank, svd, qr or all (default), which compares them"},
    {"pose", 'k', 0, NULL, "at the assembled first guess (default without --trajectory)"},
    {"all", 'A', 0, NULL, "all proposals and combinations, not the first few"},
    {"motion", 'M', 0, "FILE", "p,d1,d2 of a motion along the trajectory (default: at rest)"},
    {"motion", 'F', 0, "FILE", "the motion: columns t,p or p,d1,d2 (and t) of a CSV file"},
    {"start-speed", 'B', 0, "D1", "path speed at the start (default 0; free)"},
    {"end-speed", 'e', 0, "D1", "path speed at the end (default 0; free)"},
    {"periodic", 'y', 0, NULL, "the same speed at both ends, as great as it can be"},
    {"no-rates", 'z', 0, NULL, "leave out the limits on the rate of drive forces"},
    {"tolerance", 'x', 0, "SHARE", "bounds of the time agree to this share (default 1e-3)"},
    {"distribution", 'D', 0, "NAME", "redundant drives: norm (default), peak, preload or power"},
    {"preload", 'L', 0, "FORCE", "with preload: keep every drive this far above its min"},
    {"smooth", 'u', 0, "SECONDS", "even the shared forces out over this time"},
    {"convention", 'C', 0, "NAME", "also show what is not unique: min-norm"},
    {"reduction", 'r', 0, "METHOD", "drive coefficients: svd (default) or null"},
    {"at", 'a', 0, "P,P,...", "show the regions at these path parameters"},
    {"coefficients", 'c', 0, "FILE", "take p,drive,A,B,C,D,min,max,V1... from a CSV file"},
    {"no-pictures", 'P', 0, NULL, "write no gnuplot scripts and pictures"},
    {"threads", 't', 0, "N", "number of threads (default: all)"},
    {"seed", 'S', 0, "N", "seed of the random numbers"},
    {"evaluations", 'E', 0, "N", "stop after N evaluated designs"},
    {"population", 'N', 0, "N", "designs in a generation"},
    {"progress", 'p', 0, "[=json]",
     "how far it is, a line per generation or second on standard error; as JSON"},
    {"warm-start", 'W', 0, "FILE", "designs to begin with: CSV with a column per design variable"},
    {"restart", 'R', 0, NULL, "begin anew; the older study becomes study.db.old"},
    {"quiet", ' ', 'q', NULL, "only errors on standard error"},
    {"verbose", ' ', 'v', NULL, "more on standard error"},
    {"help", ' ', 'h', NULL, "this help"},
};
enum { ROWS = sizeof rows / sizeof *rows, LONG_BASE = 1000 };

static bool accepted(const gdyn_command *command, const option_row *row) {
    return row->letter == ' ' || strchr(command->accepts, row->letter) != NULL;
}

void gdyn_options_help(const gdyn_command *command) {
    printf("usage: globdyn %s [options]%s%s\n\n%s\n\noptions:\n", command->name,
           *command->operands ? " " : "", command->operands, command->about);
    for (int i = 0; i < ROWS; i++) {
        if (!accepted(command, &rows[i])) {
            continue;
        }
        char left[64];
        const char *argument = rows[i].argument ? rows[i].argument : "";
        if (!strcmp(command->name, "new") && rows[i].letter == 'o') {
            printf("  -o, --output FILE         the file to write (default TEMPLATE.yaml, - prints "
                   "it)\n");
            continue;
        }
        if (rows[i].brief) {
            snprintf(left, sizeof left, "-%c, --%s %s", rows[i].brief, rows[i].name, argument);
        } else {
            snprintf(left, sizeof left, "    --%s%s%s", rows[i].name, *argument == '[' ? "" : " ",
                     argument);
        }
        printf("  %-25s %s\n", left, rows[i].help);
    }
    if (command->details) {
        printf("\n%s\n", command->details);
    }
}

/* A whole number in [low, high]; complains and returns false otherwise. */
static bool read_integer(const char *name, const char *text, unsigned long long low,
                         unsigned long long high, unsigned long long *value) {
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || end == text || *end || strchr(text, '-') || v < low || v > high) {
        gdyn_cli_error("--%s wants a whole number from %llu to %llu, not '%s'", name, low, high,
                       text);
        return false;
    }
    *value = v;
    return true;
}

static bool add_setting(gdyn_options *options, const char *text) {
    if (!strchr(text, '=') || *text == '=') {
        gdyn_cli_error("--set wants NAME=VALUE, not '%s'", text);
        return false;
    }
    if (options->set_count == GDYN_SETTINGS_MAX) {
        gdyn_cli_error("at most %d --set options are possible", GDYN_SETTINGS_MAX);
        return false;
    }
    options->set[options->set_count++] = text;
    return true;
}

static bool take_number(const option_row *row, const char *text, gdyn_options *options) {
    unsigned long long number = 0;
    switch (row->letter) {
    case 't':
        if (!read_integer(row->name, text, 1, 4096, &number)) {
            return false;
        }
        options->threads = (int)number;
        return true;
    case 'E':
        if (!read_integer(row->name, text, 1, INT_MAX, &number)) {
            return false;
        }
        options->evaluations = (int)number;
        return true;
    case 'K':
        if (!read_integer(row->name, text, 2, INT_MAX, &number)) {
            return false;
        }
        options->samples = (int)number;
        return true;
    case 'N':
        if (!read_integer(row->name, text, 4, 1 << 20, &number)) {
            return false;
        }
        options->population = (int)number;
        return true;
    default:
        options->seed_given = true;
        return read_integer(row->name, text, 0, ULLONG_MAX, &options->seed);
    }
}

/* A number above zero. */
static bool read_positive(const char *name, const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value > 0) || *value > 1e300) {
        gdyn_cli_error("--%s wants a number above zero, not '%s'", name, text);
        return false;
    }
    return true;
}

/* A speed, or "free" (NAN). */
static bool read_speed(const char *name, const char *text, double *value) {
    char *end;
    if (!strcmp(text, "free")) {
        *value = NAN;
        return true;
    }
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= 0) || *value > 1e150) {
        gdyn_cli_error("--%s wants a number that is not negative, or free, not '%s'", name, text);
        return false;
    }
    return true;
}

static bool take_progress(const char *text, gdyn_options *options) {
    options->progress = true;
    options->progress_json = text && !strcmp(text, "json");
    if (text && !options->progress_json && strcmp(text, "plain") != 0) {
        gdyn_cli_error("--progress can be plain or json, not '%s'", text);
        return false;
    }
    return true;
}

/* Stores one option; false when its argument is wrong. */
static bool take(const option_row *row, const char *text, gdyn_options *options) {
    switch (row->letter) {
    case 'o':
        options->output = text;
        return true;
    case 's':
        return add_setting(options, text);
    case 'j':
        options->json = true;
        return true;
    case 'V':
        options->csv = true;
        return true;
    case 'T':
        options->trajectory = text;
        return true;
    case 'k':
        options->pose = true;
        return true;
    case 'A':
        options->all = true;
        return true;
    case 'M':
    case 'F':
        options->motion = text;
        return true;
    case 'B':
        return read_speed(row->name, text, &options->start_speed);
    case 'e':
        return read_speed(row->name, text, &options->end_speed);
    case 'x':
        return read_positive(row->name, text, &options->tolerance);
    case 'L':
        return read_positive(row->name, text, &options->preload);
    case 'u':
        return read_positive(row->name, text, &options->smooth);
    case 'D':
        options->distribution = text;
        return true;
    case 'y':
        options->periodic = true;
        return true;
    case 'z':
        options->no_rates = true;
        return true;
    case 'C':
        options->convention = text;
        return true;
    case 'Y':
        options->variables = text;
        return true;
    case 'm':
    case 'H':
    case 'w':
        options->method = text;
        return true;
    case 'r':
        options->reduction = text;
        return true;
    case 'a':
        options->at = text;
        return true;
    case 'c':
        options->coefficients = text;
        return true;
    case 'P':
        options->no_pictures = true;
        return true;
    case 'p':
        return take_progress(text, options);
    case 'W':
        options->warm_start = text;
        return true;
    case 'R':
        options->restart = true;
        return true;
    case ' ':
        options->verbosity = row->brief == 'q' ? -1 : options->verbosity + 1;
        return true;
    default:
        return take_number(row, text, options);
    }
}

/* Complains about an option getopt did not know, with the nearest one the command takes. */
static void complain_unknown(const gdyn_command *command, const char *word) {
    const char *names[ROWS];
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
        if (accepted(command, &rows[i])) {
            names[count++] = rows[i].name;
        }
    }
    char bare[64];
    snprintf(bare, sizeof bare, "%s", word + strspn(word, "-"));
    bare[strcspn(bare, "=")] = '\0';
    const char *near = gdyn_text_nearest(bare, names, count);
    gdyn_cli_error("globdyn %s has no option '%s'", command->name, word);
    if (near && strcmp(near, bare) != 0) {
        fprintf(stderr, "      = help: did you mean '--%s'?\n", near);
    } else {
        fprintf(stderr, "      = help: globdyn %s --help lists the options\n", command->name);
    }
}

/* Fills getopt's tables with the options that the command takes. */
static void make_tables(const gdyn_command *command, struct option *table, char *brief) {
    int count = 0;
    *brief++ = ':';
    for (int i = 0; i < ROWS; i++) {
        if (!accepted(command, &rows[i])) {
            continue;
        }
        int has_argument = !rows[i].argument            ? no_argument
                           : rows[i].argument[0] == '[' ? optional_argument
                                                        : required_argument;
        table[count++] = (struct option){rows[i].name, has_argument, NULL, LONG_BASE + i};
        if (rows[i].brief) {
            *brief++ = rows[i].brief;
            if (has_argument == required_argument) {
                *brief++ = ':';
            }
        }
    }
    table[count] = (struct option){0};
    *brief = '\0';
}

static const option_row *row_of(int code) {
    if (code >= LONG_BASE) {
        return &rows[code - LONG_BASE];
    }
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].brief == code) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool check_operands(const gdyn_command *command, const gdyn_options *options) {
    if (options->count < command->min_operands && !options->coefficients) {
        gdyn_cli_error("globdyn %s wants %s", command->name, command->operands);
    } else if (options->count > command->max_operands) {
        gdyn_cli_error("globdyn %s does not know what to do with '%s'", command->name,
                       options->operand[command->max_operands]);
    } else {
        return true;
    }
    fprintf(stderr, "      = help: globdyn %s --help explains the command\n", command->name);
    return false;
}

bool gdyn_options_parse(const gdyn_command *command, int argc, char **argv, gdyn_options *options,
                        int *exit_code) {
    struct option table[ROWS + 1];
    char brief[2 * ROWS + 4];
    make_tables(command, table, brief);
    *options = (gdyn_options){0};
    *exit_code = GDYN_EXIT_USAGE;
    opterr = 0;
    optind = 1;
    for (;;) {
        int at = optind;
        int code = getopt_long(argc, argv, brief, table, NULL);
        if (code == -1) {
            break;
        }
        const option_row *row = row_of(code == ':' && optopt ? optopt : code);
        if (code == ':') {
            gdyn_cli_error("option '--%s' wants %s", row ? row->name : "?",
                           row && row->argument ? row->argument : "an argument");
            return false;
        }
        if (code == '?' || !row) {
            complain_unknown(command, argv[optind > at ? optind - 1 : at]);
            return false;
        }
        if (row->brief == 'h') {
            gdyn_options_help(command);
            *exit_code = GDYN_EXIT_YES;
            return false;
        }
        if (!take(row, optarg, options)) {
            return false;
        }
    }
    options->count = argc - optind;
    options->operand = argv + optind;
    options->word_count = argc;
    options->word = argv;
    return check_operands(command, options);
}
