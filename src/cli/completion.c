/* completion.c - scripts that complete command lines in bash and zsh, from the tables of commands
 * and options. */
#include "cli/cli.h"

/* --- what stands where ------------------------------------------------------------------------ */

/* Words that the operands begin with, one after another, each with a space behind: verbs of study,
 * templates of new, codes of explain. */
static void put_first_words(gdyn_text *out, const gdyn_command *command) {
    if (strncmp(command->operands, "VERB", 4) == 0) {
        for (int i = 0; gdyn_study_verb(i); i++)
            gdyn_text_printf(out, "%s ", gdyn_study_verb(i));
    } else if (strstr(command->operands, "TEMPLATE")) {
        int count;
        const char *const *names = gdyn_case_template_names(&count);
        for (int i = 0; i < count; i++)
            gdyn_text_printf(out, "%s ", names[i]);
    } else if (strstr(command->operands, "CODE")) {
        gdyn_text_printf(out, "all units ");
        for (int i = 0; i < gdyn_code_count; i++)
            gdyn_text_printf(out, "%s ", gdyn_code_of(gdyn_code_table[i].mark).text);
    }
}

/* How the names of files end that the operands or an option's argument name: "yaml", "db"; "/" for
 * folders, "*" for any, NULL where it names no file. */
static const char *files_of_operands(const gdyn_command *command) {
    return strstr(command->operands, "CASE")     ? "yaml"
           : strstr(command->operands, "STUDY")  ? "db"
           : strstr(command->operands, "FOLDER") ? "/"
                                                 : NULL;
}

static const char *files_of_option(const gdyn_option *option) {
    const char *argument = option->argument ? option->argument : "";
    return !strcmp(argument, "DIR")     ? "/"
           : !strcmp(argument, "STUDY") ? "db"
           : !strcmp(argument, "FILE")  ? (option->suffix ? option->suffix : "*")
                                        : NULL;
}

static bool takes_study(const char *words) {
    return words && strstr(words, "STUDY");
}

static bool optional_argument(const gdyn_option *option) {
    return option->argument && *option->argument == '[';
}

static void put_words(gdyn_text *out, const char *const *words) {
    for (int i = 0; words[i]; i++)
        gdyn_text_printf(out, "%s%s", i ? " " : "", words[i]);
}

/* --- bash ------------------------------------------------------------------------------------- */

/* "regions:--method" and "regions:--method=" with what may follow; an argument that nobody can
 * guess ends it. */
static void bash_option(gdyn_text *out, const gdyn_command *command, const gdyn_option *option) {
    if (!option->argument)
        return;
    gdyn_text_printf(out, "    %s:--%s=", command->name, option->name);
    if (!optional_argument(option))
        gdyn_text_printf(out, " | %s:--%s", command->name, option->name);
    if (option->brief)
        gdyn_text_printf(out, " | %s:-%c", command->name, option->brief);
    gdyn_text_printf(out, ") ");
    if (option->words) {
        gdyn_text_printf(out, "words='");
        put_words(out, option->words);
        gdyn_text_printf(out, "'");
    } else if (files_of_option(option)) {
        gdyn_text_printf(out, "files='%s'", files_of_option(option));
    } else {
        gdyn_text_printf(out, "return");
    }
    gdyn_text_printf(out, " ;;\n");
}

/* The script up to the mark; what follows it. */
static const char *put_until(gdyn_text *out, const char *script, const char *mark) {
    const char *at = strstr(script, mark);
    gdyn_text_append(out, script, (size_t)(at - script));
    return at + strlen(mark);
}

void gdyn_completion_bash(gdyn_text *out) {
    const char *script = put_until(out, gdyn_completion_bash_in, "    @OPTIONS@\n");
    for (int i = 0; i < gdyn_command_count; i++) {
        const gdyn_option *taken[GDYN_COMMAND_OPTIONS_MOST];
        int count = gdyn_options_of(&gdyn_command_table[i], taken);
        for (int j = 0; j < count; j++)
            bash_option(out, &gdyn_command_table[i], taken[j]);
    }
    script = put_until(out, script, "    @COMMANDS@\n");
    for (int i = 0; i < gdyn_command_count; i++) {
        const gdyn_command *command = &gdyn_command_table[i];
        const gdyn_option *taken[GDYN_COMMAND_OPTIONS_MOST];
        int count = gdyn_options_of(command, taken);
        gdyn_text_printf(out, "    %s) options='", command->name);
        for (int k = 0; k < count; k++) {
            gdyn_text_printf(out, "--%s ", taken[k]->name);
            for (int j = 1; optional_argument(taken[k]) && taken[k]->words[j]; j++)
                gdyn_text_printf(out, "--%s=%s ", taken[k]->name, taken[k]->words[j]);
            if (taken[k]->brief)
                gdyn_text_printf(out, "-%c ", taken[k]->brief);
        }
        gdyn_text_printf(out, "' first='");
        put_first_words(out, command);
        gdyn_text_printf(out, "' operands='%s' studies=%s ;;\n",
                         files_of_operands(command) ? files_of_operands(command) : "",
                         takes_study(command->operands) ? "yes" : "");
    }
    script = put_until(out, script, "@NAMES@");
    for (int i = 0; i < gdyn_command_count; i++)
        gdyn_text_printf(out, "%s%s", i ? " " : "", gdyn_command_table[i].name);
    gdyn_text_printf(out, "%s", script);
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* Text inside of '...[...]...': without what ends it there. */
static void zsh_text(gdyn_text *out, const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            gdyn_text_printf(out, "\\");
        gdyn_text_printf(out, *text == '\'' ? "'\\''" : "%c", *text);
    }
}

/* ":FILE:_files -g '*.csv'": the action for files whose names end so. */
static void zsh_files(gdyn_text *out, const char *files, bool study) {
    if (study)
        gdyn_text_printf(out, "{compadd -- results/*/(study|sweep).db(N\\:h\\:t); ");
    if (!strcmp(files, "/"))
        gdyn_text_printf(out, "_files -/");
    else if (!strcmp(files, "*"))
        gdyn_text_printf(out, "_files");
    else
        gdyn_text_printf(out, "_files -g \"*.%s%s(-.)\"", files,
                         !strcmp(files, "yaml") ? "|*.yml" : "");
    if (study)
        gdyn_text_printf(out, "}");
}

static void zsh_option(gdyn_text *out, const gdyn_option *option) {
    const char *repeated =
        option->kind == GDYN_OPTION_SETTING || option->kind == GDYN_OPTION_VERBOSE ? "*" : "";
    /* Both names of one option exclude each other. */
    if (option->brief && !*repeated)
        gdyn_text_printf(out, "            '(-%c --%s)'{-%c,--%s}'[", option->brief, option->name,
                         option->brief, option->name);
    else if (option->brief)
        gdyn_text_printf(out, "            '%s'{-%c,--%s}'[", *repeated ? "*" : "", option->brief,
                         option->name);
    else
        gdyn_text_printf(out, "            '%s--%s%s[", repeated, option->name,
                         optional_argument(option) ? "=-" : "");
    zsh_text(out, option->help);
    gdyn_text_printf(out, "]");
    if (option->argument) {
        gdyn_text_printf(out, "%s:", optional_argument(option) ? ":" : "");
        zsh_text(out, optional_argument(option) ? "word" : option->argument);
        gdyn_text_printf(out, ":");
    }
    if (option->words) {
        gdyn_text_printf(out, "(");
        put_words(out, option->words);
        gdyn_text_printf(out, ")");
    } else if (files_of_option(option)) {
        zsh_files(out, files_of_option(option), takes_study(option->argument));
    }
    gdyn_text_printf(out, "' \\\n");
}

static void zsh_command(gdyn_text *out, const gdyn_command *command) {
    const gdyn_option *taken[GDYN_COMMAND_OPTIONS_MOST];
    int count = gdyn_options_of(command, taken);
    gdyn_text first = {0};
    put_first_words(&first, command);
    gdyn_text_printf(out, "        %s)\n            _arguments -s \\\n", command->name);
    for (int i = 0; i < count; i++)
        zsh_option(out, taken[i]);
    /* Operands. */
    if (first.length)
        gdyn_text_printf(out, "            '1:word:(%.*s)' \\\n", (int)first.length - 1,
                         first.data);
    if (files_of_operands(command)) {
        gdyn_text_printf(out, "            '%s:file:", command->max_operands > 1 ? "*" : "1");
        zsh_files(out, files_of_operands(command), takes_study(command->operands));
        gdyn_text_printf(out, "' \\\n");
    }
    gdyn_text_printf(out, "            && ret=0 ;;\n");
    out->failed |= first.failed;
    gdyn_text_free(&first);
}

void gdyn_completion_zsh(gdyn_text *out) {
    gdyn_text_printf(out, "#compdef globdyn\n"
                          "# zsh completion for globdyn; written by the program from its tables of "
                          "commands and options.\n"
                          "local ret=1 state line\n"
                          "typeset -A opt_args\n"
                          "local -a commands=(\n");
    for (int i = 0; i < gdyn_command_count; i++) {
        gdyn_text_printf(out, "    '%s:", gdyn_command_table[i].name);
        zsh_text(out, gdyn_command_table[i].about);
        gdyn_text_printf(out, "'\n");
    }
    gdyn_text_printf(
        out, "    'help:this list, or a command'\\''s options'\n)\n"
             "_arguments -C '--version[the version]' '1:command:->command' "
             "'*::argument:->argument' && ret=0\n"
             "case $state in\n"
             "command) _describe -t commands 'globdyn command' commands && ret=0 ;;\n"
             "argument)\n"
             "    case $line[1] in\n"
             "        help) _describe -t commands 'globdyn command' commands && ret=0 ;;\n");
    for (int i = 0; i < gdyn_command_count; i++)
        zsh_command(out, &gdyn_command_table[i]);
    gdyn_text_printf(out, "    esac ;;\nesac\nreturn ret\n");
}
