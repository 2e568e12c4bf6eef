/* manual.c - manual pages from the tables of commands and options, and from the documents. */
#include "cli/cli.h"

#include <ctype.h>

static void plain(gdyn_text *out, const char *text) {
    gdyn_roff_plain(out, text, strlen(text));
}

/* The head of a page and its name: NAME "" is the program itself. */
static void put_title(gdyn_text *out, const char *name, int section, const char *about) {
    char capitals[80];
    size_t length = 0;
    for (; name[length] && length < sizeof capitals - 1; length++)
        capitals[length] = (char)toupper((unsigned char)name[length]);
    capitals[length] = '\0';
    gdyn_text_printf(out, ".TH ");
    plain(out, capitals);
    gdyn_text_printf(out, " %d %s \"globdyn %s\" \"%s\"\n.SH NAME\n", section, GDYN_RELEASED,
                     GDYN_VERSION, section == 1 ? "User Commands" : "File Formats");
    plain(out, name);
    gdyn_text_printf(out, " \\- ");
    plain(out, about);
    gdyn_text_printf(out, "\n");
}

/* ".B globdyn-check (1)," of all commands but one. */
static void put_references(gdyn_text *out, const gdyn_command *but, bool program) {
    gdyn_text_printf(out, ".SH \"SEE ALSO\"\n");
    if (program)
        gdyn_text_printf(out, ".BR globdyn (1),\n");
    for (int i = 0; i < gdyn_command_count; i++)
        if (&gdyn_command_table[i] != but)
            gdyn_text_printf(out, ".BR \\%%globdyn\\-%s (1),\n", gdyn_command_table[i].name);
    gdyn_text_printf(out, ".BR \\%%globdyn\\-case (5)\n");
}

/* "-o, --output DIR" and its help with the words of a choice. */
static void put_option(gdyn_text *out, const gdyn_option *option) {
    const char *argument = option->argument ? option->argument : "";
    gdyn_text_printf(out, ".TP\n");
    if (option->brief)
        gdyn_text_printf(out, "\\fB\\-%c\\fR, ", option->brief);
    gdyn_text_printf(out, "\\fB\\-\\-");
    plain(out, option->name);
    gdyn_text_printf(out, "\\fR%s\\fI", *argument == '[' || !*argument ? "" : " ");
    plain(out, argument);
    gdyn_text_printf(out, "\\fR\n");
    /* Its meaning. */
    plain(out, option->help);
    if (option->words) {
        gdyn_text words = {0};
        gdyn_option_words(&words, option->words, option->initial);
        plain(out, ": ");
        plain(out, words.data ? words.data : "");
        out->failed |= words.failed;
        gdyn_text_free(&words);
    }
    gdyn_text_printf(out, "\n");
}

void gdyn_manual_command(gdyn_text *out, const gdyn_command *command) {
    gdyn_words name;
    snprintf(name.text, sizeof name.text, "globdyn-%s", command->name);
    put_title(out, name.text, 1, command->about);
    gdyn_text_printf(out, ".SH SYNOPSIS\n.B globdyn %s\n[\\fIoptions\\fR]\n", command->name);
    if (*command->operands) {
        gdyn_text_printf(out, ".I \"");
        plain(out, command->operands);
        gdyn_text_printf(out, "\"\n");
    }
    if (command->details) {
        gdyn_text_printf(out, ".SH DESCRIPTION\n");
        /* Filled text; indented lines (the verbs of study) stand as they are. */
        const char *text = command->details;
        bool literal = false;
        while (*text) {
            size_t length = strcspn(text, "\n");
            bool indented = *text == ' ';
            if (indented != literal)
                gdyn_text_printf(out, indented ? ".RS 2\n.EX\n" : ".EE\n.RE\n");
            literal = indented;
            gdyn_roff_plain(out, text + 2 * indented, length - 2 * indented);
            gdyn_text_printf(out, "\n");
            text += length + (text[length] == '\n');
        }
        if (literal)
            gdyn_text_printf(out, ".EE\n.RE\n");
    }
    /* All options, then where the rest stands. */
    const gdyn_option *taken[GDYN_COMMAND_OPTIONS_MOST];
    int count = gdyn_options_of(command, taken);
    gdyn_text_printf(out, ".SH OPTIONS\n");
    for (int i = 0; i < count; i++)
        put_option(out, taken[i]);
    gdyn_text_printf(
        out, ".SH \"EXIT STATUS\"\n0: success, and the answer is yes; others: see\n.BR globdyn "
             "(1).\n");
    put_references(out, command, true);
}

void gdyn_manual_program(gdyn_text *out, const char *about, size_t length, const char *more) {
    put_title(out, "globdyn", 1, "global dynamics of machines");
    gdyn_text_printf(out, ".SH SYNOPSIS\n.B globdyn\n.I COMMAND\n[\\fIoptions\\fR] "
                          "[\\fICASE.yaml\\fR]\n.SH DESCRIPTION\n");
    gdyn_roff_markdown(out, about, length);
    gdyn_text_printf(out, ".SH COMMANDS\n");
    for (int i = 0; i < gdyn_command_count; i++) {
        const gdyn_command *command = &gdyn_command_table[i];
        gdyn_text_printf(out, ".TP\n\\fB%s\\fR \\fI", command->name);
        plain(out, command->operands);
        gdyn_text_printf(out, "\\fR\n");
        plain(out, command->about);
        gdyn_text_printf(out, "\n");
    }
    gdyn_roff_markdown(out, more, strlen(more));
    put_references(out, NULL, false);
}

void gdyn_manual_case(gdyn_text *out, const char *markdown) {
    put_title(out, "globdyn-case", 5, "a machine, its paths and its design as YAML");
    gdyn_text_printf(out, ".SH DESCRIPTION\n");
    gdyn_roff_markdown(out, markdown, strlen(markdown));
    put_references(out, NULL, true);
}
