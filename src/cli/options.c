/* options.c - one parser for the options of all commands (option_table.c), over getopt_long.
 * Options may stand before or behind the operands. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>

enum { OPTIONS_MOST = GDYN_COMMAND_OPTIONS_MOST, LONG_BASE = 1000 };

/* Greater amounts and speeds overflow in squares. */
static const double GREATEST = 1e150;

/* --- which options a command takes ------------------------------------------------------------ */

/* Whether the command takes the option; a row without commands is for all. */
static bool accepted(const gdyn_command *command, const gdyn_option *option) {
    if (!option->commands)
        return true;
    /* One of the words in the row. */
    size_t length = strlen(command->name);
    for (const char *word = option->commands; *word; word += strspn(word, " ")) {
        size_t size = strcspn(word, " ");
        if (size == length && strncmp(word, command->name, size) == 0)
            return true;
        word += size;
    }
    return false;
}

int gdyn_options_of(const gdyn_command *command, const gdyn_option *taken[OPTIONS_MOST]) {
    int count = 0;
    for (int i = 0; i < gdyn_option_count && count < OPTIONS_MOST; i++)
        if (accepted(command, &gdyn_option_table[i]))
            taken[count++] = &gdyn_option_table[i];
    return count;
}

/* --- help ------------------------------------------------------------------------------------- */

void gdyn_option_words(gdyn_text *out, const char *const *words, int initial) {
    for (int i = 0; words[i]; i++) {
        gdyn_text_printf(out, "%s%s%s",
                         i == 0         ? ""
                         : words[i + 1] ? ", "
                                        : " or ",
                         words[i], i == initial ? " (default)" : "");
    }
}

void gdyn_options_help(const gdyn_command *command) {
    const gdyn_option *taken[OPTIONS_MOST];
    int count = gdyn_options_of(command, taken);
    printf("usage: globdyn %s [options]%s%s\n\n%s\n\noptions:\n", command->name,
           *command->operands ? " " : "", command->operands, command->about);
    for (int i = 0; i < count; i++) {
        const gdyn_option *option = taken[i];
        gdyn_text left = {0}, help = {0};
        /* "-o, --output DIR", then the help with its words. */
        const char *argument = option->argument ? option->argument : "";
        if (option->brief) {
            gdyn_text_printf(&left, "-%c, --%s %s", option->brief, option->name, argument);
        } else {
            gdyn_text_printf(&left, "    --%s%s%s", option->name, *argument == '[' ? "" : " ",
                             argument);
        }
        if (option->words)
            gdyn_option_words(&help, option->words, option->initial);
        printf("  %-25s %s%s%s\n", left.data ? left.data : "", option->help,
               option->words ? ": " : "", help.data ? help.data : "");
        gdyn_text_free(&left), gdyn_text_free(&help);
    }
    if (command->details)
        printf("\n%s\n", command->details);
}

/* --- arguments -------------------------------------------------------------------------------- */

/* A whole number in [low, high]; complains and returns false otherwise. */
static bool read_whole(const char *name, const char *text, unsigned long long low,
                       unsigned long long high, unsigned long long *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    /* strtoull would accept a sign. */
    if (!errno && end != text && !*end && !strchr(text, '-') && *value >= low && *value <= high)
        return true;
    gdyn_cli_error(GDYN_CODE_OPTION "--%s expects a whole number from %llu to %llu, not '%s'", name,
                   low, high, text);
    return false;
}

/* NAME=VALUE or a formula, kept as text until the case is read. */
static bool take_setting(const gdyn_option *option, const char *text, gdyn_settings *settings) {
    bool pair = strchr(option->argument, '=') != NULL;
    if (*text == '\0' || (pair && (!strchr(text, '=') || *text == '='))) {
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs %s, not '%s'", option->name, option->argument,
                       text);
        return false;
    }
    if (settings->count == GDYN_SETTINGS_MAX) {
        gdyn_cli_error(GDYN_CODE_OPTION "at most %d options --%s are possible", GDYN_SETTINGS_MAX,
                       option->name);
        return false;
    }
    settings->text[settings->count++] = text;
    return true;
}

bool gdyn_read_quantity(const char *text, gdyn_quantity *quantity, gdyn_expr_error *error) {
    return gdyn_read_named_quantity(text, NULL, quantity, error);
}

bool gdyn_read_named_quantity(const char *text, const gdyn_scope *scope, gdyn_quantity *quantity,
                              gdyn_expr_error *error) {
    *error = (gdyn_expr_error){0};
    gdyn_expr *expr = gdyn_expr_compile(text, scope, error);
    /* A formula whose names are known is a quantity. */
    bool found = expr && gdyn_expr_is_constant(expr) && isfinite(gdyn_expr_value(expr, NULL));
    if (found)
        *quantity = (gdyn_quantity){gdyn_expr_value(expr, NULL), gdyn_expr_dimension(expr)};
    gdyn_expr_destroy(expr);
    return found;
}

int gdyn_check_unit(const char *name, gdyn_quantity quantity, gdyn_dimension dimension,
                    const char *subject) {
    char has[64], wants[64];
    /* plain numbers fit any dimension */
    if (gdyn_dimension_fits(quantity.dimension, dimension))
        return GDYN_EXIT_YES;
    return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                         GDYN_CODE_OPTION "--%s: the unit %s does not fit: %s expects %s", name,
                         gdyn_dimension_text(quantity.dimension, has, sizeof has), subject,
                         gdyn_dimension_text(dimension, wants, sizeof wants));
}

/* A number or a quantity above `least`, or at it. */
static bool take_amount(const gdyn_option *option, const char *text, gdyn_quantity *value) {
    bool speed = option->kind == GDYN_OPTION_SPEED;
    double factor;
    gdyn_dimension dimension;
    gdyn_expr_error error;
    /* A speed may be left open. */
    if (speed && strcmp(text, "free") == 0) {
        *value = (gdyn_quantity){NAN, GDYN_DIM_UNKNOWN};
        return true;
    }
    /* a constant formula of the right size and sign */
    bool read = gdyn_read_quantity(text, value, &error);
    if (read && value->value > GREATEST) {
        gdyn_cli_error(GDYN_CODE_OPTION "--%s: %s is too large; the largest possible number is %g",
                       option->name, text, GREATEST);
        return false;
    }
    if (!read || !(speed || option->zero ? value->value >= 0 : value->value > 0)) {
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs %s, not '%s'%s%s", option->name,
                       speed          ? "a number that is not negative, or free"
                       : option->zero ? "a number that is not negative"
                                      : "a number above zero",
                       text, *error.message ? ": " : "", error.message);
        gdyn_cli_help("%s", error.help);
        return false;
    }
    /* its dimension, where the row gives one */
    return !option->unit || !gdyn_unit_parse(option->unit, &factor, &dimension) ||
           gdyn_check_unit(option->name, *value, dimension, "it") == GDYN_EXIT_YES;
}

/* A word of the option's list. */
static bool take_choice(const gdyn_option *option, const char *text, int *value) {
    int count = 0;
    for (; option->words[count]; count++) {
        /* An argument may be missing: then the second word. */
        if (text ? strcmp(text, option->words[count]) == 0 : count == 1) {
            *value = count;
            return true;
        }
    }
    /* None of them: the list and the nearest one. */
    gdyn_text list = {0};
    gdyn_option_words(&list, option->words, -1);
    gdyn_cli_error(GDYN_CODE_OPTION "--%s is %s, not '%s'", option->name,
                   list.data ? list.data : "", text);
    gdyn_text_free(&list);
    gdyn_cli_suggest(text, option->words, count, "");
    return false;
}

/* Stores the value of one option; false after a message when its argument is wrong. */
static bool store_value(const gdyn_option *option, const char *text, gdyn_options *options) {
    void *place = (char *)options + option->place;
    unsigned long long number;
    switch (option->kind) {
    case GDYN_OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case GDYN_OPTION_TEXT:
        *(const char **)place = text;
        return true;
    case GDYN_OPTION_SETTING:
        return take_setting(option, text, place);
    case GDYN_OPTION_WHOLE:
        if (!read_whole(option->name, text, (unsigned long long)option->low,
                        (unsigned long long)option->high, &number))
            return false;
        *(int *)place = (int)number;
        return true;
    case GDYN_OPTION_SEED:
        ((gdyn_seed *)place)->given = true;
        return read_whole(option->name, text, 0, ULLONG_MAX, &((gdyn_seed *)place)->value);
    case GDYN_OPTION_AMOUNT:
    case GDYN_OPTION_SPEED:
        return take_amount(option, text, place);
    case GDYN_OPTION_CHOICE:
        return take_choice(option, text, place);
    case GDYN_OPTION_QUIET:
        *(int *)place = -1;
        return true;
    case GDYN_OPTION_VERBOSE:
        ++*(int *)place;
        return true;
    case GDYN_OPTION_HELP:
        break;
    }
    return true;
}

/* --- the line --------------------------------------------------------------------------------- */

/* Complains about an option getopt did not know, with the nearest one the command takes. */
static void complain_unknown(const gdyn_command *command, const char *word) {
    const gdyn_option *taken[OPTIONS_MOST];
    const char *names[OPTIONS_MOST];
    int count = gdyn_options_of(command, taken);
    for (int i = 0; i < count; i++)
        names[i] = taken[i]->name;
    /* the name alone, without dashes and value */
    char bare[64];
    snprintf(bare, sizeof bare, "%s", word + strspn(word, "-"));
    bare[strcspn(bare, "=")] = '\0';
    const char *near = gdyn_text_nearest(bare, names, count);
    gdyn_cli_error(GDYN_CODE_USAGE "globdyn %s has no option '%s'", command->name, word);
    if (near && strcmp(near, bare) != 0)
        gdyn_cli_help("did you mean '--%s'?", near);
    else
        gdyn_cli_help("globdyn %s --help lists the options", command->name);
}

/* Fills getopt's tables with the options that the command takes. */
static void make_tables(int count, const gdyn_option *const taken[], struct option *table,
                        char *brief) {
    *brief++ = ':';
    for (int i = 0; i < count; i++) {
        /* "[X]" may be left out, other arguments may not */
        const char *argument = taken[i]->argument;
        int has_argument = !argument          ? no_argument
                           : *argument == '[' ? optional_argument
                                              : required_argument;
        table[i] = (struct option){taken[i]->name, has_argument, NULL, LONG_BASE + i};
        if (taken[i]->brief) {
            *brief++ = taken[i]->brief;
            if (has_argument == required_argument)
                *brief++ = ':';
        }
    }
    table[count] = (struct option){0};
    *brief = '\0';
}

/* The row that getopt's code stands for. */
static const gdyn_option *option_of(int count, const gdyn_option *const taken[], int code) {
    for (int i = 0; i < count; i++)
        if (code == LONG_BASE + i || (code < LONG_BASE && taken[i]->brief == code))
            return taken[i];
    return NULL;
}

static bool check_operands(const gdyn_command *command, const gdyn_options *options) {
    if (options->count < command->min_operands && !options->coefficients) {
        gdyn_cli_error(GDYN_CODE_USAGE "globdyn %s needs %s", command->name, command->operands);
    } else if (options->count > command->max_operands) {
        gdyn_cli_error(GDYN_CODE_USAGE "globdyn %s: unexpected argument '%s'", command->name,
                       options->operand[command->max_operands]);
    } else {
        return true;
    }
    gdyn_cli_help("globdyn %s --help explains the command", command->name);
    return false;
}

bool gdyn_options_parse(const gdyn_command *command, int argc, char **argv, gdyn_options *options,
                        int *exit_code) {
    const gdyn_option *taken[OPTIONS_MOST];
    int count = gdyn_options_of(command, taken);
    struct option table[OPTIONS_MOST + 1];
    char brief[2 * OPTIONS_MOST + 4];
    /* getopt's tables from the rows of this command */
    make_tables(count, taken, table, brief);
    *options = (gdyn_options){0};
    for (int i = 0; i < count; i++) /* choices that are not given */
        if (taken[i]->kind == GDYN_OPTION_CHOICE)
            *(int *)((char *)options + taken[i]->place) = taken[i]->initial;
    *exit_code = GDYN_EXIT_USAGE;
    opterr = 0;
    optind = 0; /* from the beginning, also after another parse */
    for (;;) {
        int at = optind;
        int code = getopt_long(argc, argv, brief, table, NULL);
        if (code == -1)
            break;
        const gdyn_option *option = option_of(count, taken, code == ':' && optopt ? optopt : code);
        /* missing arguments, unknown options, help */
        if (code == ':') {
            gdyn_cli_error(GDYN_CODE_USAGE "option '--%s' needs %s", option ? option->name : "?",
                           option && option->argument ? option->argument : "an argument");
            return false;
        }
        bool help = option && option->kind == GDYN_OPTION_HELP;
        if (code == '?' || !option || (help && gdyn_captured)) {
            complain_unknown(command, argv[optind > at ? optind - 1 : at]);
            return false;
        }
        if (help) {
            gdyn_options_help(command);
            *exit_code = GDYN_EXIT_YES;
            return false;
        }
        if (!store_value(option, optarg, options))
            return false;
    }
    /* what is left are operands */
    options->count = argc - optind, options->operand = argv + optind;
    options->word_count = argc, options->word = argv;
    return check_operands(command, options);
}
