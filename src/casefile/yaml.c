/* yaml.c - a tree as YAML text.
 *
 * The reader takes every scalar as text, so that only YAML's own signs matter here: a scalar
 * stands plain when it is of harmless characters, as a literal block when it is a table of
 * lines, and between double quotes, escaped, otherwise. */
#include "casefile/casefile.h"
#include "casefile/tree.h"

#include <ctype.h>
#include <string.h>

enum { LINE_WIDTH = 100, BLOCK_LEVELS = 2, STEP = 2 };

/* --- scalars ---------------------------------------------------------------------------------- */

/* True when the text can stand as it is, also in a flow collection. */
static bool is_plain(const char *text) {
    size_t n = strlen(text);
    const unsigned char *c = (const unsigned char *)text;
    /* A number or a word at the beginning, no blank at the end. */
    bool sign = c[0] == '-' || c[0] == '+';
    if (n == 0 || text[n - 1] == ' ' || !(isalnum(c[sign]) || (c[sign] && strchr("_(.", c[sign]))))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum(c[i]) && !strchr("_.+-*/^()<>=@$ ", c[i]))
            return false;
    return strncmp(text, "...", 3) != 0;
}

/* True for lines of printable ASCII, each closed by a newline, none of them empty or indented. */
static bool is_table(const char *text) {
    /* At least one line, the last one closed by a newline. */
    if (!strchr(text, '\n') || text[strlen(text) - 1] != '\n')
        return false;
    bool start = true;
    for (const char *c = text; *c; c++) {
        if (start && (*c == '\n' || *c == ' '))
            return false;
        start = *c == '\n';
        if (*c != '\n' && (*c < 0x20 || *c > 0x7e))
            return false;
    }
    return true;
}

/* Bytes of the character at c (1 for what is no UTF-8) and its code. */
static int decode(const unsigned char *c, unsigned *code) {
    /* Bytes of the sequence from its first one. */
    int n = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : c[0] >= 0xC0 ? 2 : 1;
    *code = n == 1 ? c[0] : c[0] & (0xFFu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((c[i] & 0xC0) != 0x80)
            return 1;
        *code = *code << 6 | (c[i] & 0x3Fu);
    }
    return n;
}

/* What YAML does not show, or takes for the end of a line. */
static bool hidden(unsigned code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
           code == 0xFEFF || (code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF;
}

static void print_quoted(const char *text, gdyn_text *out) {
    gdyn_text_append(out, "\"", 1);
    /* Newlines, quotes and what cannot be seen are escaped. */
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        unsigned code;
        int n = decode(c, &code);
        if (*c == '\n')
            gdyn_text_append(out, "\\n", 2);
        else if (*c == '"' || *c == '\\')
            gdyn_text_printf(out, "\\%c", *c);
        else if (hidden(code))
            gdyn_text_printf(out, "\\u%04X", code);
        else
            gdyn_text_append(out, (const char *)c, (size_t)n);
        c += n;
    }
    gdyn_text_append(out, "\"", 1);
}

void gdyn_case_print_scalar(const char *text, gdyn_text *out) {
    if (is_plain(text))
        gdyn_text_append(out, text, strlen(text));
    else
        print_quoted(text, out);
}

static void print_lines(const char *text, int indent, gdyn_text *out) {
    /* A literal block: each line with its indentation. */
    gdyn_text_append(out, " |\n", 3);
    while (*text) {
        size_t n = strcspn(text, "\n");
        gdyn_text_printf(out, "%*s", indent, "");
        gdyn_text_append(out, text, n + 1);
        text += n + 1;
    }
}

/* --- flow style ------------------------------------------------------------------------------- */

/* Appends the node on one line; false as soon as the line is longer than `most` or must not be one
 * (then what was appended is worthless). */
static bool print_flow(const gdyn_node *node, size_t most, gdyn_text *out) {
    bool mapping = node->kind == GDYN_NODE_MAPPING;
    if (node->kind == GDYN_NODE_SCALAR) {
        gdyn_case_print_scalar(node->text, out);
        return out->length <= most && !is_table(node->text);
    }
    /* Brackets around all items, with keys in a mapping. */
    gdyn_text_append(out, mapping ? "{" : "[", 1);
    for (int i = 0; i < node->count; i++) {
        if (i > 0)
            gdyn_text_append(out, ", ", 2);
        if (mapping) {
            gdyn_case_print_scalar(node->key[i]->text, out);
            gdyn_text_append(out, ": ", 2);
        }
        if (!print_flow(node->item[i], most, out))
            return false;
    }
    gdyn_text_append(out, mapping ? "}" : "]", 1);
    return out->length <= most;
}

/* --- block style ------------------------------------------------------------------------------ */

static void print_entries(const gdyn_node *node, int indent, int level, gdyn_text *out);

/* Prints what stands behind "key:" or "-", with the newline. `used` characters stand in the
 * line. */
static void print_value(const gdyn_node *node, int indent, size_t used, int level, gdyn_text *out) {
    /* Tables stand as blocks. */
    if (node->kind == GDYN_NODE_SCALAR && is_table(node->text)) {
        print_lines(node->text, indent, out);
        return;
    }
    /* Short values stay in the line; deep ones too, as long as they fit. */
    bool short_one = node->kind == GDYN_NODE_SCALAR || node->count == 0;
    size_t start = out->length;
    if (short_one || level >= BLOCK_LEVELS) {
        gdyn_text_append(out, " ", 1);
        size_t most = short_one ? (size_t)-1 : start + (used < LINE_WIDTH ? LINE_WIDTH - used : 0);
        if (print_flow(node, most, out) || short_one || out->failed) {
            gdyn_text_append(out, "\n", 1);
            return;
        }
        out->length = start;
    }
    /* Else one entry per line, indented. */
    gdyn_text_append(out, "\n", 1);
    print_entries(node, indent, level, out);
}

static void print_entries(const gdyn_node *node, int indent, int level, gdyn_text *out) {
    for (int i = 0; i < node->count && !out->failed; i++) {
        size_t line = out->length;
        gdyn_text_printf(out, "%*s", indent, "");
        if (node->kind == GDYN_NODE_MAPPING) {
            gdyn_case_print_scalar(node->key[i]->text, out);
            gdyn_text_append(out, ":", 1);
        } else
            gdyn_text_append(out, "-", 1);
        print_value(node->item[i], indent + STEP, out->length - line, level + 1, out);
    }
}

void gdyn_tree_print(const gdyn_node *root, gdyn_text *out) {
    if (root->kind == GDYN_NODE_SCALAR || root->count == 0) {
        print_flow(root, (size_t)-1, out);
        gdyn_text_append(out, "\n", 1);
    } else
        print_entries(root, 0, 0, out);
}
