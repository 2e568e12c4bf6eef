/* roff.c - plain text and Markdown to the input of man(7). */
#include "cli/cli.h"

#include <ctype.h>

/* --- words ------------------------------------------------------------------------------------ */

/* One character; `first` of a line. */
static void put(gdyn_text *out, char c, bool first) {
    static const char *const escape[128] = {
        ['\\'] = "\\e", ['-'] = "\\-", ['^'] = "\\(ha", ['~'] = "\\(ti", ['"'] = "\\(dq"};
    if ((unsigned char)c < 128 && escape[(unsigned char)c])
        gdyn_text_printf(out, "%s", escape[(unsigned char)c]);
    else if (c == '.' || c == '\'')
        gdyn_text_printf(out, first ? "\\&%c" : "%c", c);
    else
        gdyn_text_append(out, &c, 1);
}

static bool line_begins(const gdyn_text *out) {
    return out->length == 0 || out->data[out->length - 1] == '\n';
}

void gdyn_roff_plain(gdyn_text *out, const char *text, size_t length) {
    for (size_t i = 0; i < length && !out->failed; i++)
        put(out, text[i], line_begins(out));
}

/* "[text](target)" at text[0]: the length of the text; 0: it is no link. */
static size_t link_text(const char *text, size_t length) {
    const char *end = memchr(text, ']', length);
    if (!end || end + 1 >= text + length || end[1] != '(')
        return 0;
    return (size_t)(end - text) - 1;
}

/* Markdown within a line: `code` is bold, *words* and **words** are italic, links are their
 * text. */
static void put_words(gdyn_text *out, const char *text, size_t length) {
    bool code = false, strong = false;
    for (size_t i = 0; i < length && !out->failed; i++) {
        size_t link = !code && text[i] == '[' ? link_text(text + i, length - i) : 0;
        bool stars = !code && i + 1 < length && text[i] == '*' && text[i + 1] == '*';
        if (text[i] == '`') {
            code = !code;
            gdyn_text_printf(out, code ? "\\fB" : "\\fR");
        } else if (stars) {
            strong = !strong;
            gdyn_text_printf(out, strong ? "\\fI" : "\\fR");
            i++;
        } else if (link) {
            put_words(out, text + i + 1, link);
            i += strcspn(text + i, ")");
        } else if (text[i] != '\\' || i + 1 >= length || text[i + 1] != '|') {
            put(out, text[i], line_begins(out));
        }
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

enum { COLUMNS_MOST = 12 };

typedef struct piece {
    const char *text;
    size_t length;
} piece;

typedef struct converter {
    gdyn_text *out;
    bool code, parted; /* inside of ```; a blank line was read */
    bool indented;     /* inside of code by indentation */
    bool listed;       /* the last line belongs to a list */
    bool bare;         /* a heading was written, and nothing below it */
    int table_row;     /* of the table that is read; 0: none */
    int columns;
    int meaning; /* the column that says what the first one is */
    piece head[COLUMNS_MOST];
} converter;

/* The cells of "| a | b |"; their number. */
static int cells_of(piece line, piece cell[COLUMNS_MOST]) {
    int count = 0;
    const char *at = line.text + 1, *end = line.text + line.length;
    while (at < end && count < COLUMNS_MOST) {
        /* A cell ends at a bar between spaces, or at the end of the line. */
        const char *bar = at;
        while (bar < end && !(*bar == '|' && bar[-1] == ' ' && (bar + 1 == end || bar[1] == ' ')))
            bar++;
        const char *from = at, *to = bar;
        for (; from < to && *from == ' '; from++)
            ;
        for (; to > from && to[-1] == ' '; to--)
            ;
        cell[count++] = (piece){from, (size_t)(to - from)};
        at = bar + 1;
    }
    return count;
}

/* "| `mass` | quantity | kg | 0 | mass |": what the first cell means, then the others with their
 * headings. */
static void put_row(converter *to, piece line) {
    piece cell[COLUMNS_MOST] = {0};
    int count = cells_of(line, cell), details = 0;
    if (++to->table_row == 1) {
        /* The head of a table: its columns, and which of them says what the first one is (the last
         * one, where none says so). */
        to->columns = count, to->meaning = count - 1;
        memcpy(to->head, cell, sizeof to->head);
        for (int i = count - 1; i > 0; i--) {
            bool says = cell[i].length >= 4 &&
                        (!strncmp(cell[i].text, "what", 4) || !strncmp(cell[i].text, "mean", 4));
            if (says)
                to->meaning = i;
        }
    }
    if (to->table_row <= 2 || count == 0)
        return;
    gdyn_text_printf(to->out, ".TP\n");
    put_words(to->out, cell[0].text, cell[0].length);
    gdyn_text_printf(to->out, "\n");
    if (to->meaning < count && to->meaning > 0)
        put_words(to->out, cell[to->meaning].text, cell[to->meaning].length);
    for (int i = 1; i < count && i < to->columns; i++) {
        if (cell[i].length == 0 || i == to->meaning)
            continue;
        gdyn_text_printf(to->out, "%s", details++ ? "; " : "\n(");
        put_words(to->out, to->head[i].text, to->head[i].length);
        gdyn_text_printf(to->out, ": ");
        put_words(to->out, cell[i].text, cell[i].length);
    }
    gdyn_text_printf(to->out, "%s", details ? ")\n" : line_begins(to->out) ? "\\&\n" : "\n");
}

static void put_heading(converter *to, piece line) {
    size_t level = strspn(line.text, "#");
    piece title = {line.text + level + 1, line.length - level - 1};
    /* The title of a document is the name of the page. */
    if (level == 1)
        return;
    gdyn_text_printf(to->out, level == 2 ? ".SH \"" : ".SS \"");
    if (level == 2) {
        for (size_t i = 0; i < title.length; i++)
            if (title.text[i] != '`')
                put(to->out, (char)toupper((unsigned char)title.text[i]), false);
    } else {
        put_words(to->out, title.text, title.length);
    }
    gdyn_text_printf(to->out, "\"\n");
    to->bare = true, to->parted = to->listed = false;
}

/* The first line of "- item" or "1. item": the length of its mark; 0: it is none. */
static size_t mark_of(piece line) {
    size_t digits = 0;
    while (digits < line.length && isdigit((unsigned char)line.text[digits]))
        digits++;
    if (digits && digits + 1 < line.length && line.text[digits] == '.' &&
        line.text[digits + 1] == ' ')
        return digits + 2;
    return line.length > 2 && line.text[0] == '-' && line.text[1] == ' ' ? 2 : 0;
}

/* A line of code, as it stands. */
static void put_code(converter *to, piece line) {
    if (line.length == 0)
        gdyn_text_printf(to->out, "\\&");
    gdyn_roff_plain(to->out, line.text, line.length);
    gdyn_text_printf(to->out, "\n");
}

/* Begins or ends code. */
static void toggle_code(converter *to) {
    to->code = !to->code;
    if (to->code)
        gdyn_text_printf(to->out, to->bare ? ".RS 4\n.EX\n" : ".RS 4\n\\&\n.EX\n");
    else
        gdyn_text_printf(to->out, ".EE\n.RE\n");
    to->bare = false, to->parted = !to->code;
}

static void convert_line(converter *to, piece line) {
    bool fence = line.length >= 3 && strncmp(line.text, "```", 3) == 0;
    bool indented = !to->code && !to->listed && line.length > 4 && !strncmp(line.text, "    ", 4);
    if (to->indented && !indented) {
        to->indented = false, to->code = true;
        toggle_code(to);
    }
    if (fence) {
        toggle_code(to);
    } else if (to->code) {
        put_code(to, line);
    } else if (line.length == 0) {
        to->parted = true, to->table_row = 0;
    } else if (*line.text == '#') {
        put_heading(to, line);
    } else if (*line.text == '|') {
        put_row(to, line);
        to->bare = to->listed = false;
    } else if (indented) {
        /* Code by indentation: from the first indented line to the next one that is not. */
        if (!to->indented)
            toggle_code(to);
        to->code = false, to->indented = true;
        put_code(to, (piece){line.text + 4, line.length - 4});
    } else {
        /* A line of a paragraph or an item. */
        size_t mark = mark_of(line), indent = strspn(line.text, " ");
        if (mark) {
            if (*line.text == '-')
                gdyn_text_printf(to->out, ".IP \\(bu 2\n");
            else
                gdyn_text_printf(to->out, ".IP %.*s 4\n", (int)mark - 1, line.text);
            to->listed = true;
        } else if (to->parted && !to->bare && !(to->listed && indent)) {
            gdyn_text_printf(to->out, ".PP\n");
            to->listed = false;
        }
        size_t skip = mark ? mark : indent;
        put_words(to->out, line.text + skip, line.length - skip);
        gdyn_text_printf(to->out, "\n");
        to->parted = to->bare = false;
    }
}

void gdyn_roff_markdown(gdyn_text *out, const char *markdown, size_t length) {
    converter to = {.out = out, .bare = true};
    const char *end = markdown + length;
    for (const char *at = markdown; at < end && !out->failed;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            stop = end;
        convert_line(&to, (piece){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    convert_line(&to, (piece){"", 0});
}
