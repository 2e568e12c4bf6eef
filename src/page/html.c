/* html.c - text in HTML and SVG, data in a script; see html.h. */
#include "page/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char unknown[] = "\xEF\xBF\xBD"; /* the replacement character */

/* What stands for a character; NULL: itself. */
static const char *entity(unsigned char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? unknown : NULL;
    }
}

void gdyn_html_text(gdyn_text *out, const char *text) {
    size_t from = 0, i = 0;
    for (; text[i]; i++) {
        unsigned code;
        int n = gdyn_text_character(text + i, 4, &code); /* its NUL ends a character, too */
        const char *instead = n > 1                       ? NULL
                              : code == GDYN_NO_CHARACTER ? unknown
                                                          : entity((unsigned char)text[i]);
        if (!instead) {
            i += (size_t)n - 1;
            continue;
        }
        gdyn_text_append(out, text + from, i - from);
        gdyn_text_append(out, instead, strlen(instead));
        from = i + 1;
    }
    gdyn_text_append(out, text + from, i - from);
}

void gdyn_html_take(gdyn_text *out, gdyn_text *text) {
    gdyn_html_text(out, text->data ? text->data : "");
    out->failed |= text->failed;
    gdyn_text_free(text);
}

void gdyn_html_element(gdyn_text *out, const char *tag, const char *attributes, const char *text) {
    gdyn_text_printf(out, "<%s%s>", tag, attributes);
    gdyn_html_text(out, text);
    gdyn_text_printf(out, "</%s>", tag);
}

void gdyn_html_term(gdyn_text *out, const char *term, const char *attributes, const char *format,
                    ...) {
    gdyn_text text = {0};
    va_list args;
    va_start(args, format);
    gdyn_text_vprintf(&text, format, args);
    va_end(args);
    gdyn_text_printf(out, "<dt>%s</dt><dd%s>", term, attributes);
    gdyn_html_take(out, &text);
    gdyn_text_printf(out, "</dd>");
}

/* Length of the character at `at` that must not stand in a script, 0: none; its code in *code. */
static int unsafe(const char *at, size_t left, unsigned *code) {
    if (*at == '<' || *at == '>' || *at == '&') {
        *code = (unsigned char)*at;
        return 1;
    }
    /* line and paragraph separator, U+2028 and U+2029 */
    unsigned last = left >= 3 ? (unsigned char)at[2] : 0;
    bool separator = (last == 0xA8 || last == 0xA9) && memcmp(at, "\xE2\x80", 2) == 0;
    *code = separator ? 0x2028u + (last - 0xA8u) : 0;
    return separator ? 3 : 0;
}

void gdyn_html_data(gdyn_text *out, const char *json, size_t length) {
    size_t from = 0;
    for (size_t i = 0; i < length;) {
        unsigned code;
        int bytes = unsafe(json + i, length - i, &code);
        if (bytes > 0) {
            gdyn_text_append(out, json + from, i - from);
            gdyn_text_printf(out, "\\u%04X", code);
            from = i + (size_t)bytes;
        }
        i += bytes > 0 ? (size_t)bytes : 1;
    }
    gdyn_text_append(out, json + from, length - from);
}

/* --- tables: criteria, reactions, the machine and its drives ---------------------------------- */

/* A cell with a text of the case or of messages. */
static void cell(gdyn_text *out, const char *attributes, const char *text) {
    gdyn_html_element(out, "td", attributes, text);
}

static void number_cell(gdyn_text *out, double value) {
    char text[40];
    if (isnan(value))
        snprintf(text, sizeof text, "–");
    else if (isinf(value))
        snprintf(text, sizeof text, value > 0 ? "unbounded" : "−unbounded");
    else
        snprintf(text, sizeof text, "%.6g", value + 0.0);
    cell(out, " class=\"n\"", text);
}

/* --- criteria --------------------------------------------------------------------------------- */

/* A value and its unit; a word where the worst value has one. */
static void criterion_cells(gdyn_text *out, gdyn_criterion criterion, double value,
                            const char *unit) {
    const gdyn_criterion_row *row = &gdyn_criterion_table[criterion];
    if (row->worst && gdyn_criterion_worst(criterion, value))
        cell(out, " class=\"n\"", row->worst);
    else
        number_cell(out, value);
    cell(out, "",
         row->share ? row->share
                    : gdyn_picture_letters(gdyn_criterion_unit(criterion, unit, "").text).text);
}

void gdyn_table_criteria(gdyn_text *out, const gdyn_trajectory *t) {
    bool ranges = gdyn_model_ranges(t->instance->model) > 0;
    gdyn_text_printf(out, "<div class=\"scroll\"><table><thead><tr><th>criterion</th><th>value</th>"
                          "<th>unit</th></tr></thead><tbody>\n");
    for (int i = -1; (i = gdyn_criteria_next(&t->criteria, i)) >= 0;) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[i];
        if (row->presumes & GDYN_PRESUMES_RANGES && !ranges)
            continue;
        gdyn_text_printf(out, "<tr title=\"");
        gdyn_html_text(out, row->definition);
        gdyn_text_printf(out, "\">");
        cell(out, "", row->label);
        criterion_cells(out, (gdyn_criterion)i, t->criteria.value[i], t->unit);
        gdyn_text_printf(out, "</tr>\n");
    }
    gdyn_text_printf(out, "</tbody></table></div>\n");
}

/* --- reactions -------------------------------------------------------------------------------- */

/* A component in the colour of its verdict: its name and, where it is unique, its value. */
static void component(gdyn_text *out, const gdyn_findings *f, int c) {
    const gdyn_reactions *r = f->reactions;
    const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
    char text[80];
    if (f->frame.values && item->verdict == GDYN_UNIQUE)
        snprintf(text, sizeof text, "%s %.4g %s", item->name, r->value[c] + 0.0,
                 item->moment ? "N m" : "N");
    else
        snprintf(text, sizeof text, "%s", item->name);
    gdyn_text_printf(out, "<span class=\"w%d\" title=\"%s\">", (int)item->verdict,
                     gdyn_verdict_text(item->verdict));
    gdyn_html_text(out, text);
    gdyn_text_printf(out, "</span> ");
}

void gdyn_table_reactions(gdyn_text *out, const gdyn_findings *f) {
    const gdyn_reactions *r = f->reactions;
    gdyn_text_printf(out, "<div class=\"scroll\"><table><thead><tr><th>joint</th><th>type</th>"
                          "<th>verdict</th><th>components</th></tr></thead><tbody>\n");
    for (int g = 0; g < r->groups; g++) {
        const gdyn_joint_def *joint = g < r->joints ? gdyn_model_joint(r->model, g) : NULL;
        gdyn_text_printf(out, "<tr>");
        cell(out, "", r->item[g].name);
        cell(out, "", joint ? gdyn_joint_type_name(joint->type) : "motion");
        gdyn_verdict verdict = r->item[g].verdict;
        char look[24];
        snprintf(look, sizeof look, " class=\"w%d\"", (int)verdict);
        cell(out, look, gdyn_verdict_text(verdict));
        gdyn_text_printf(out, "<td class=\"components\">");
        for (int c = 0; c < r->components; c++)
            if (gdyn_reactions_component(r, c)->group == g)
                component(out, f, c);
        gdyn_text_printf(out, "</td></tr>\n");
    }
    gdyn_text_printf(out, "</tbody></table></div>\n");
}

/* --- machine ---------------------------------------------------------------------------------- */

#define fact(out, name, ...)                                                                       \
    (gdyn_text_printf(out, "<div>"), gdyn_html_term(out, name, "", __VA_ARGS__),                   \
     gdyn_text_printf(out, "</div>\n"))

void gdyn_table_machine(gdyn_text *out, const gdyn_findings *f) {
    const gdyn_examination *e = &f->examination;
    const gdyn_model *model = e->model;
    gdyn_text_printf(out, "<dl class=\"facts\">\n");
    fact(out, "machine", "%s", gdyn_model_space(model) == GDYN_PLANAR ? "planar" : "spatial");
    fact(out, "mass", "%.4g kg", gdyn_model_mass(model));
    fact(out, "bodies", "%d", gdyn_model_bodies(model));
    fact(out, "joints", "%d", gdyn_model_joints(model));
    fact(out, "independent loops", "%d", e->loops);
    fact(out, "drives", "%d", gdyn_model_drives(model));
    if (e->assembled) {
        fact(out, "mobility", "%d", e->guess.mobility.mobility);
        fact(out, "redundant constraints", "%d", e->guess.mobility.redundant);
        fact(out, "redundant drives", "%d", e->guess.redundancy);
    }
    gdyn_text_printf(out, "</dl>\n");
}

void gdyn_table_drives(gdyn_text *out, const gdyn_instance *instance) {
    const gdyn_model *model = instance->model;
    gdyn_text_printf(out, "<div class=\"scroll\"><table><thead><tr><th>drive</th><th>limits</th>"
                          "<th>min</th><th>max</th><th>unit</th></tr></thead><tbody>\n");
    for (int i = 0; i < gdyn_model_drives(model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        const gdyn_drive_source *source =
            i < instance->drive_count ? &instance->drive_source[i] : NULL;
        gdyn_text_printf(out, "<tr>");
        cell(out, "", drive->name);
        cell(out, "", source ? source->quantity : "");
        if (drive->curve_points > 0)
            gdyn_text_printf(out, "<td colspan=\"2\">a curve over its speed</td>");
        else
            number_cell(out, drive->min), number_cell(out, drive->max);
        cell(out, "", source ? source->unit : "");
        gdyn_text_printf(out, "</tr>\n");
    }
    gdyn_text_printf(out, "</tbody></table></div>\n");
}
