/* cmd_explain.c - what a code behind a message means; all kinds of messages; all units. */
#include "cli/cli.h"

/* A paragraph in lines of at most this many characters. */
enum { WIDTH = 80 };

static void print_paragraph(const char *text) {
    while (*text) {
        size_t length = strlen(text), end = length;
        if (length > WIDTH)
            for (end = WIDTH; end > 0 && text[end] != ' ';)
                end--;
        end = end > 0 ? end : strcspn(text, " ");
        printf("%.*s\n", (int)end, text);
        text += end;
        text += strspn(text, " ");
    }
}

static void print_code(const gdyn_code *row, const char *before) {
    printf("%s%s: %s\n\n", before, gdyn_code_of(row->mark).text, row->title);
    print_paragraph(row->cause);
    if (*row->example) {
        printf("\nFor example:\n\n");
        for (const char *lines = row->example; *lines;) {
            size_t length = strcspn(lines, "\n");
            printf("    %.*s\n", (int)length, lines);
            lines += length + (lines[length] == '\n');
        }
    }
    printf("\n");
    print_paragraph(row->remedy);
}

/* As a table of Markdown. */
static void print_units(void) {
    gdyn_unit_row row;
    printf("| unit | name | value in SI | with prefixes |\n|---|---|---|---|\n");
    for (int i = 0; gdyn_unit_list(i, &row); i++) {
        char text[80];
        bool plain = !row.dimension.m && !row.dimension.kg && !row.dimension.s;
        printf("| `%s` | %s | %s %s | %s |\n", row.name, row.about, gdyn_digits(row.si).text,
               plain ? "rad" : gdyn_dimension_text(row.dimension, text, sizeof text),
               row.prefixed ? "yes" : "");
    }
    printf("\n");
    print_paragraph(
        "Prefixes: n, u (or µ), m, k, M, G. Exponents follow the symbol (kg m^2, mm2); factors are "
        "separated by blanks, and each / applies to one factor: N m s/rad, m/s/s, 1/m. Products "
        "come first.");
}

int gdyn_cmd_explain(gdyn_session *s) {
    const gdyn_options *options = s->options;
    if (options->count == 0) {
        printf(
            "Kinds of messages (globdyn explain CODE tells more; all: everything, as Markdown):\n");
        for (int i = 0; i < gdyn_code_count; i++)
            printf("  %s  %s\n", gdyn_code_of(gdyn_code_table[i].mark).text,
                   gdyn_code_table[i].title);
        return GDYN_EXIT_YES;
    }
    if (!strcmp(options->operand[0], "all")) {
        for (int i = 0; i < gdyn_code_count; i++) {
            print_code(&gdyn_code_table[i], "## ");
            printf(i + 1 < gdyn_code_count ? "\n" : "");
        }
        return GDYN_EXIT_YES;
    }
    if (!strcmp(options->operand[0], "units")) {
        print_units();
        return GDYN_EXIT_YES;
    }
    const gdyn_code *row = gdyn_code_find(options->operand[0]);
    if (!row)
        return gdyn_cli_fail(GDYN_EXIT_USAGE,
                             "globdyn explain lists all codes, globdyn explain units all units",
                             GDYN_CODE_USAGE "there is no code '%s'", options->operand[0]);
    print_code(row, "");
    return GDYN_EXIT_YES;
}
