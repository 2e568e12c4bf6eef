/* variant.c - a study of the same machine and variables with other goals. */
#include "study/variant.h"

#include "base/text.h"
#include "study/adopt.h"
#include "study/internal.h"

#include <stdio.h>
#include <string.h>

/* --- the case --------------------------------------------------------------------------------- */

/* A formula as a YAML text in quotes. */
static void append_quoted(gdyn_text *text, const char *formula) {
    gdyn_text_printf(text, "\"");
    for (; *formula; formula++)
        if (*formula == '"' || *formula == '\\')
            gdyn_text_printf(text, "\\%c", *formula);
        else
            gdyn_text_append(text, (unsigned char)*formula < ' ' ? " " : formula, 1);
    gdyn_text_printf(text, "\"");
}

static bool objective_named(const gdyn_instance *start, const char *name) {
    for (int i = 0; i < start->objective_count; i++)
        if (strcmp(start->objective[i].name, name) == 0)
            return true;
    return false;
}

static bool constraint_named(const gdyn_instance *start, const char *name) {
    for (int i = 0; i < start->requirement_count; i++)
        if (strcmp(start->requirement[i].name, name) == 0)
            return true;
    return false;
}

static void append_objective(gdyn_text *text, const char *name, bool maximize,
                             const char *formula) {
    gdyn_text_printf(text, "    %s:\n      %s: ", name, maximize ? "maximize" : "minimize");
    append_quoted(text, formula);
    gdyn_text_printf(text, "\n");
}

/* The released constraint wants more of its left side, or less. */
static void append_objectives(gdyn_text *text, const gdyn_instance *start, int released) {
    gdyn_text_printf(text, "  objectives:\n");
    for (int i = 0; i < start->objective_count; i++)
        append_objective(text, start->objective[i].name, start->objective[i].maximize,
                         start->objective[i].text);
    if (released < 0)
        return;
    const gdyn_requirement *r = &start->requirement[released];
    gdyn_text name = {0};
    gdyn_text_printf(&name, "%s%s", r->name, objective_named(start, r->name) ? "_limit" : "");
    append_objective(text, name.data ? name.data : "", r->relation > 0, r->left);
    text->failed |= name.failed;
    gdyn_text_free(&name);
}

static void append_constraints(gdyn_text *text, const gdyn_instance *start,
                               const gdyn_variant_def *def) {
    int count = 0, number = 0;
    for (int i = 0; i < start->requirement_count; i++) {
        if (i == def->released)
            continue;
        const gdyn_requirement *wanted = &start->requirement[i];
        gdyn_text_printf(text, "%s    %s: ", count++ ? "" : "  constraints:\n", wanted->name);
        gdyn_text_printf(text, wanted->tolerance > 0 ? "{require: " : "");
        append_quoted(text, wanted->text);
        if (wanted->tolerance > 0)
            gdyn_text_printf(text, ", tolerance: %s}", gdyn_digits(wanted->tolerance).text);
        gdyn_text_printf(text, "\n");
    }
    /* Names of their own for the further ones. */
    for (int i = 0; i < def->count; i++) {
        char name[32];
        do
            snprintf(name, sizeof name, "filter%d", ++number);
        while (constraint_named(start, name));
        gdyn_text_printf(text, "%s    %s: ", count++ ? "" : "  constraints:\n", name);
        append_quoted(text, def->limit[i]);
        gdyn_text_printf(text, "\n");
    }
}

static gdyn_status write_case(const gdyn_study *s, const gdyn_variant_def *def, gdyn_text *text) {
    static const char *const left_out[] = {"expect", "optimize", NULL};
    gdyn_status status = gdyn_case_write(s->the_case, s->set_count, s->set, left_out, text);
    gdyn_text_printf(text, "optimize:\n");
    append_objectives(text, s->start, def->released);
    append_constraints(text, s->start, def);
    return status == GDYN_OK && (text->failed || !text->data) ? GDYN_ERROR_MEMORY : status;
}

/* --- the study -------------------------------------------------------------------------------- */

gdyn_status gdyn_variant_make(gdyn_variant *v, const gdyn_study *study, const gdyn_archive *archive,
                              const gdyn_variant_def *def, const gdyn_sink *sink) {
    gdyn_text text = {0};
    *v = (gdyn_variant){0};
    if (def->released >= 0 && study->start->requirement[def->released].relation == 0)
        return GDYN_ERROR_ARGUMENT;
    gdyn_status status = write_case(study, def, &text);
    v->text = text.data;
    if (status == GDYN_OK)
        status = gdyn_case_read_text(v->text, text.length, "variant", sink, &v->the_case);
    if (status == GDYN_OK)
        status = gdyn_study_create(v->the_case, 0, NULL, sink, &v->study);
    if (status != GDYN_OK || !archive)
        return status;
    gdyn_adopted adopted;
    status = gdyn_adopt(study, archive, v->study, &adopted);
    /* What applies; a design that failed belongs to no front. */
    v->archive = adopted.archive;
    v->left_out = archive->count - v->archive.count;
    return status;
}

void gdyn_variant_clear(gdyn_variant *v) {
    gdyn_archive_clear(&v->archive);
    gdyn_study_destroy(v->study);
    gdyn_case_destroy(v->the_case);
    gdyn_free(v->text);
    *v = (gdyn_variant){0};
}
