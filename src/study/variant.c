/* variant.c - a study of the same machine and variables with other goals. */
#include "study/choose.h"

#include "base/text.h"
#include "study/internal.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 32 }; /* of those that are made here */

/* --- the case --------------------------------------------------------------------------------- */

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

typedef bool taken(const gdyn_instance *start, const char *name);

/* The next of stem1, stem2, ... that names none of those. */
static void next_name(const gdyn_instance *start, taken *is_taken, const char *stem, int *number,
                      char name[NAME]) {
    do
        snprintf(name, NAME, "%s%d", stem, ++*number);
    while (is_taken(start, name));
}

static void append_objective(gdyn_text *text, const char *name, bool maximize,
                             const char *formula) {
    gdyn_text_printf(text, "    ");
    gdyn_case_print_scalar(name, text);
    gdyn_text_printf(text, ":\n      %s: ", maximize ? "maximize" : "minimize");
    gdyn_case_print_scalar(formula, text);
    gdyn_text_printf(text, "\n");
}

/* The released constraint wants more of its left side, or less. */
static void append_released(gdyn_text *text, const gdyn_instance *start,
                            const gdyn_variant_def *def) {
    if (def->released < 0)
        return;
    const gdyn_requirement *r = &start->requirement[def->released];
    char name[NAME];
    int number = 0;
    next_name(start, objective_named, "limit", &number, name);
    append_objective(text, objective_named(start, r->name) ? name : r->name, r->relation > 0,
                     r->left);
    for (int i = 0; i < def->levels; i++)
        gdyn_text_printf(text, "%s%s%s", i ? ", " : "      levels: [",
                         gdyn_digits(def->level[i]).text, i + 1 < def->levels ? "" : "]\n");
}

static void append_constraints(gdyn_text *text, const gdyn_instance *start,
                               const gdyn_variant_def *def) {
    int count = 0, number = 0;
    for (int i = 0; i < start->requirement_count; i++) {
        if (i == def->released)
            continue;
        const gdyn_requirement *wanted = &start->requirement[i];
        gdyn_text_printf(text, "%s    ", count++ ? "" : "  constraints:\n");
        gdyn_case_print_scalar(wanted->name, text);
        gdyn_text_printf(text, ": %s", wanted->tolerance > 0 ? "{require: " : "");
        gdyn_case_print_scalar(wanted->text, text);
        if (wanted->tolerance > 0)
            gdyn_text_printf(text, ", tolerance: %s}", gdyn_digits(wanted->tolerance).text);
        gdyn_text_printf(text, "\n");
    }
    /* Names of their own for the further ones. */
    for (int i = 0; i < def->count; i++) {
        char name[NAME];
        next_name(start, constraint_named, "filter", &number, name);
        gdyn_text_printf(text, "%s    %s: ", count++ ? "" : "  constraints:\n", name);
        gdyn_case_print_scalar(def->limit[i], text);
        gdyn_text_printf(text, "\n");
    }
}

static gdyn_status write_case(const gdyn_study *s, const gdyn_variant_def *def, gdyn_text *text) {
    static const char *const left_out[] = {"expect", "optimize", NULL};
    gdyn_status status = gdyn_case_write(s->the_case, s->set_count, s->set, left_out, text);
    gdyn_text_printf(text, "optimize:\n");
    gdyn_text_printf(text, "  objectives:\n");
    if (def->alone > 0)
        append_released(text, s->start, def);
    for (int i = 0; i < s->start->objective_count; i++)
        if (def->alone == 0 || def->alone == i + 1)
            append_objective(text, s->start->objective[i].name, s->start->objective[i].maximize,
                             s->start->objective[i].text);
    if (def->alone == 0)
        append_released(text, s->start, def);
    append_constraints(text, s->start, def);
    if (def->levels > 0)
        gdyn_text_printf(text, "  algorithm: {name: epsilon_constraint, seed: %llu}\n",
                         (unsigned long long)def->seed);
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

gdyn_status gdyn_variant_front(const gdyn_variant *v, gdyn_archive *front) {
    return gdyn_study_front(v->study, &v->archive, front);
}

void gdyn_variant_clear(gdyn_variant *v) {
    gdyn_archive_clear(&v->archive);
    gdyn_study_destroy(v->study);
    gdyn_case_destroy(v->the_case);
    gdyn_free(v->text);
    *v = (gdyn_variant){0};
}
