/* write.c - a case as one self-contained text.
 *
 * The written-out tree (includes merged, repeat and like gone) is copied with four changes, then
 * printed: the index of a repeat becomes its value in formulas; parameters that are set become
 * numbers; tables of files are inlined in the text; entries to be omitted are omitted. Numbers
 * are written with 17 digits and SI units, whose factor is 1, so that reading gives the same
 * bits. */
#include "casefile/reader.h"
#include "casefile/casefile.h"
#include "casefile/tree.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a tree as YAML text ---------------------------------------------------------------------- */

/* Block style, short collections in flow style, the order of the tree; reading the text gives a
 * tree with the same texts. The reader takes every scalar as text, so that only YAML's own signs
 * matter here: a scalar stands plain when it is of harmless characters, as a literal block when it
 * is a table of lines, and between double quotes, escaped, otherwise. */

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

void gdyn_case_print_scalar(const char *text, gdyn_text *out) {
    if (is_plain(text))
        gdyn_text_append(out, text, strlen(text));
    else {
        gdyn_text_append(out, "\"", 1);
        /* Newlines, quotes and what cannot be seen are escaped. */
        for (const unsigned char *c = (const unsigned char *)text; *c;) {
            unsigned code;
            int n = decode(c, &code);
            if (*c == '\n')
                gdyn_text_append(out, "\\n", 2);
            else if (*c == '"' || *c == '\\')
                gdyn_text_printf(out, "\\%c", *c);
            else if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 ||
                     code == 0x2029 || code == 0xFEFF || (code >= 0xD800 && code < 0xE000) ||
                     code == 0xFFFE || code == 0xFFFF)
                gdyn_text_printf(out, "\\u%04X", code);
            else
                gdyn_text_append(out, (const char *)c, (size_t)n);
            c += n;
        }
        gdyn_text_append(out, "\"", 1);
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
        const char *text = node->text;
        /* A literal block: each line with its indentation. */
        gdyn_text_append(out, " |\n", 3);
        while (*text) {
            size_t n = strcspn(text, "\n");
            gdyn_text_printf(out, "%*s", indent, "");
            gdyn_text_append(out, text, n + 1);
            text += n + 1;
        }
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

typedef struct writer {
    const gdyn_case *the_case;
    gdyn_arena *arena;
    const double *value; /* of each parameter that is set, else NaN */
    int count;
    const gdyn_setting *settings;
    const char *const *leave_out;
    bool failed; /* memory is out */
} writer;

/* Where a node stands: names from the root, and the two innermost keys. */
typedef struct place {
    const char *path; /* "trajectories.track.file", "" for the root */
    const char *key, *owner;
} place;

static const char *keep(writer *w, const char *text) {
    w->failed |= text == NULL;
    return text ? text : "";
}

static bool left_out(const writer *w, const char *path) {
    for (const char *const *out = w->leave_out; out && *out; out++)
        if (strcmp(*out, path) == 0)
            return true;
    return false;
}

/* --- scalars ---------------------------------------------------------------------------------- */

/* SI unit of a dimension as the reader understands it; NULL where it is not certain. */
static const char *si_unit(gdyn_dimension dimension, char *text, size_t size) {
    gdyn_dimension found;
    double factor = 0.0;
    if (!dimension.known || dimension.assumed)
        return NULL;
    gdyn_dimension_text(dimension, text, size);
    if (strcmp(text, "a pure number") == 0)
        return "rad";
    /* "1/s" is "rad/s" to a designer. */
    if (text[0] == '1' && strlen(text) + 3 < size) {
        memmove(text + 3, text + 1, strlen(text));
        memcpy(text, "rad", 3);
    }
    bool same = gdyn_unit_parse(text, &factor, &found) && factor == 1.0 && found.known &&
                found.m == dimension.m && found.kg == dimension.kg && found.s == dimension.s;
    return same ? text : NULL;
}

static const char *number(writer *w, double value, gdyn_dimension dimension) {
    char text[80];
    const char *unit = si_unit(dimension, text, sizeof text);
    return keep(w, unit ? gdyn_arena_printf(w->arena, "%s %s", gdyn_digits(value).text, unit)
                        : gdyn_arena_printf(w->arena, "%s", gdyn_digits(value).text));
}

/* Scalars that are no formulas: words, names of entities, texts. */
static bool is_word(const gdyn_node *node, const place *at) {
    static const char *const keys[] = {"name",  "about", "type",   "of",     "at",   "between",
                                       "cable", "locks", "in",     "kind",   "file", "data",
                                       "space", "value", "source", "method", NULL};
    return !node->expr && (gdyn_word_number(keys, at->key) >= 0 || strcmp(at->owner, "pose") == 0);
}

/* The formula without names of indices. What is known at a place stands behind '@'. */
static const char *without_indices(writer *w, const gdyn_node *node, const place *at) {
    gdyn_text out = {0};
    const char *text = node->text;
    if (strcmp(at->key, "quantity") == 0)
        text += strcspn(text, "@");
    gdyn_text_append(&out, node->text, (size_t)(text - node->text));
    gdyn_index_replace(node->index, text, &out);
    const char *copy = out.failed ? NULL : gdyn_arena_strdup(w->arena, out.data);
    gdyn_text_free(&out);
    return keep(w, copy);
}

static gdyn_node *scalar(writer *w, const char *text) {
    gdyn_node *node = gdyn_arena_alloc(w->arena, 1, sizeof *node);
    w->failed |= node == NULL;
    if (node)
        *node = (gdyn_node){.kind = GDYN_NODE_SCALAR, .text = text};
    return node;
}

/* --- entries that change ---------------------------------------------------------------------- */

/* The table as CSV in SI units. */
static const char *table_text(writer *w, const gdyn_csv *csv) {
    gdyn_text out = {0};
    /* The heads, then the shortest digits that give the same bits again. */
    for (int i = -1; i < csv->rows; i++) {
        const double *row = csv->raw + (size_t)(i < 0 ? 0 : i) * (size_t)csv->columns;
        for (int c = 0; c < csv->columns; c++)
            gdyn_text_printf(&out, "%s%s", c > 0 ? "," : "",
                             i < 0 ? csv->head[c] : gdyn_digits(row[c]).text);
        gdyn_text_printf(&out, "\n");
    }
    const char *copy = out.failed ? NULL : gdyn_arena_strdup(w->arena, out.data);
    gdyn_text_free(&out);
    return keep(w, copy);
}

/* The table that `file` names, as the case keeps it. */
static gdyn_node *inlined(writer *w, const gdyn_node *file) {
    const gdyn_case *c = w->the_case;
    /* The case keeps each table under the path of its file. */
    const char *path = keep(w, gdyn_document_beside(w->arena, file->source->name, file->text));
    for (const gdyn_csv *csv = c->csv; csv; csv = csv->next)
        if (csv->name && strcmp(csv->name, path) == 0)
            return scalar(w, table_text(w, csv));
    return NULL;
}

/* True when the entry is written otherwise than it stands; *item: what stands there then, NULL for
 * nothing. */
static bool changed(writer *w, const gdyn_node *from, const place *at, const char **key,
                    gdyn_node **item) {
    *item = NULL;
    /* Included entries stand in the text already. */
    if (strcmp(at->path, "include") == 0)
        return true;
    /* Parameters get their values at these settings. */
    if (strncmp(at->path, "parameters.", 11) == 0 && from->kind == GDYN_NODE_SCALAR) {
        bool value = strcmp(at->key, "value") == 0 && strcmp(at->owner, "parameters") != 0;
        const char *name = value ? at->owner : at->key;
        int i = gdyn_find_parameter(w->the_case, name);
        if (i < 0 || isnan(w->value[i]) || (!value && strcmp(at->owner, "parameters") != 0))
            return false;
        *item = scalar(w, number(w, w->value[i], gdyn_read_dimension(from)));
        return true;
    }
    /* The start of a variable is its parameter's value, unless it is no parameter. */
    if (strncmp(at->path, "design.", 7) == 0 && strcmp(at->key, "start") == 0) {
        int s = 0;
        while (s < w->count && strcmp(w->settings[s].name, at->owner) != 0)
            s++;
        return s < w->count;
    }
    if (strncmp(at->path, "trajectories.", 13) == 0 && strcmp(at->key, "file") == 0 &&
        strchr(at->path + 13, '.') == strrchr(at->path, '.')) {
        *key = "data";
        *item = inlined(w, from);
        return *item != NULL;
    }
    return false;
}

/* --- the tree --------------------------------------------------------------------------------- */

static gdyn_node *copy(writer *w, const gdyn_node *from, const place *at);

static gdyn_node *collection(writer *w, gdyn_node_kind kind, int room) {
    gdyn_node *node = gdyn_arena_alloc(w->arena, 1, sizeof *node);
    gdyn_node **item = gdyn_arena_alloc(w->arena, (size_t)room, sizeof *item);
    gdyn_node **key = gdyn_arena_alloc(w->arena, (size_t)room, sizeof *key);
    w->failed |= !node || !item || !key;
    if (w->failed)
        return NULL;
    *node = (gdyn_node){.kind = kind, .item = item, .key = key};
    return node;
}

static void put(writer *w, gdyn_node *node, const char *key, gdyn_node *item) {
    node->key[node->count] = key ? scalar(w, key) : NULL;
    node->item[node->count] = item, node->count += item != NULL && !w->failed;
}

static void copy_entry(writer *w, gdyn_node *to, const gdyn_node *from, int i, const place *at) {
    const char *key = from->key[i]->text;
    const char *dot = at->path[0] ? "." : "";
    place here = {keep(w, gdyn_arena_printf(w->arena, "%s%s%s", at->path, dot, key)), key, at->key};
    /* Its path decides whether it is left out or changed. */
    gdyn_node *item = NULL;
    if (w->failed || left_out(w, here.path))
        return;
    if (changed(w, from->item[i], &here, &key, &item))
        put(w, to, key, item);
    else
        put(w, to, key, copy(w, from->item[i], &here));
}

static gdyn_node *copy(writer *w, const gdyn_node *from, const place *at) {
    if (from->kind == GDYN_NODE_SCALAR) {
        bool formula = from->index && !is_word(from, at);
        return scalar(w, formula ? without_indices(w, from, at) : from->text);
    }
    /* Two more entries may be added. */
    gdyn_node *to = collection(w, from->kind, from->count + 2);
    for (int i = 0; i < from->count && !w->failed; i++)
        if (from->kind == GDYN_NODE_MAPPING)
            copy_entry(w, to, from, i, at);
        else
            put(w, to, NULL, copy(w, from->item[i], at));
    if (from->kind == GDYN_NODE_MAPPING && !w->failed) {
        /* Entries that the file does not state but the text must: the name, which is otherwise that
         * of the file, and the value of a variable that is no parameter. */
        const gdyn_parameters *p = &w->the_case->parameters;
        /* Position among the parameters, where this is the entry of a design variable. */
        int i = strncmp(at->path, "design.", 7) == 0 && strcmp(at->owner, "design") == 0
                    ? gdyn_find_parameter(w->the_case, at->key)
                    : -1;
        if (i >= p->listed && !isnan(w->value[i]))
            put(w, to, "start", scalar(w, number(w, w->value[i], GDYN_DIM_UNKNOWN)));
        if (at->path[0] == '\0' && !gdyn_node_find(from, "name") && !left_out(w, "name"))
            put(w, to, "name",
                scalar(w, keep(w, gdyn_name_of_file(w->arena, w->the_case->filename))));
    }
    return to;
}

/* Takes the settings; false when one of them is of no parameter or no number. */
static bool take_settings(const gdyn_case *c, int count, const gdyn_setting *settings,
                          double *value) {
    /* NaN: as in the file. */
    for (int i = 0; i < c->parameters.count; i++)
        value[i] = NAN;
    for (int s = 0; s < count; s++) {
        int i = gdyn_find_parameter(c, settings[s].name);
        const gdyn_choices *table = i < 0 ? gdyn_find_choices(c, settings[s].name) : NULL;
        if (table && gdyn_take_choice(table, settings[s].value, value, NULL))
            continue;
        if (i < 0 || !isfinite(settings[s].value))
            return false;
        double base = isnan(value[i]) ? c->parameters.value[i] : value[i];
        value[i] = settings[s].added ? base + settings[s].value : settings[s].value;
    }
    return true;
}

gdyn_status gdyn_case_write(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                            const char *const *leave_out, gdyn_text *out) {
    writer w = {.the_case = the_case,
                .leave_out = leave_out,
                .arena = gdyn_arena_create(),
                .count = count,
                .settings = settings};
    double *value =
        w.arena ? gdyn_arena_alloc(w.arena, (size_t)the_case->parameters.count + 1, sizeof *value)
                : NULL;
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (value && !take_settings(the_case, count, settings, value)) {
        status = GDYN_ERROR_ARGUMENT;
    } else if (value) {
        /* The whole tree, copied with the settings put in, then printed. */
        place top = {"", "", ""};
        w.value = value;
        const gdyn_node *tree = copy(&w, the_case->root, &top);
        if (tree && !w.failed) {
            print_entries(tree, 0, 0, out);
            status = out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
        }
    }
    gdyn_arena_destroy(w.arena);
    return status;
}
