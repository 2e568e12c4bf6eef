/* study_limit.c - globdyn study limit: what a constraint costs (study/limit_cost.h). */
#include "cli/limit_search.h"
#include "cli/study.h"

#include "base/release.h"
#include "study/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_LEVELS = 11 };

/* The constraint of that name; -1 after a message. */
static int find_constraint(const gdyn_study *study, const char *name) {
    const gdyn_instance *start = gdyn_study_start(study);
    for (int k = 0; k < start->requirement_count; k++)
        if (strcmp(start->requirement[k].name, name) == 0)
            return k;
    gdyn_cli_error(GDYN_CODE_ABSENT "the study has no constraint '%s'", name);
    fprintf(stderr, "      = help: its constraints:");
    for (int k = 0; k < start->requirement_count; k++)
        fprintf(stderr, "%s %s", k ? "," : "", start->requirement[k].name);
    fprintf(stderr, "\n");
    return -1;
}

static void print_heads(const gdyn_study *study, const gdyn_limit_cost *c) {
    const gdyn_instance *start = gdyn_study_start(study);
    char unit[64];
    printf("%14s %7s %9s", "limit", "front", "volume");
    for (int k = 0; k < c->objectives; k++)
        printf(" %14.14s %8s", start->objective[k].name, "design");
    snprintf(unit, sizeof unit, "[%s]", gdyn_study_objective_unit(study, c->objectives));
    printf("\n%14s %7s %9s", strcmp(unit, "[]") == 0 ? "" : unit, "", "");
    for (int k = 0; k < c->objectives; k++)
        printf(" %14s %8s", start->objective[k].maximize ? "greatest" : "least", "");
    printf("\n");
}

/* "310", of a further search "mass:12". */
static const char *design_text(const gdyn_limit_cost *c, const gdyn_design *d, char *text,
                               size_t size) {
    const gdyn_limit_part *part = gdyn_limit_part_of(c, d);
    snprintf(text, size, "%.60s%s%ld", part ? part->objective : "", part ? ":" : "",
             d->serial - (part ? part->first : 0));
    return text;
}

/* Objectives whose search at this limit has not converged. */
static void print_open(const gdyn_study *study, const gdyn_limit_cost *c, int i) {
    bool any = false;
    for (int k = 0; k < c->parts; k++)
        if (!gdyn_limit_converged(c, i, k)) {
            const char *words = c->level[i].best[k] ? "not converged" : "not met";
            printf("%s%s", any ? ", " : "   ", any ? "" : words);
            printf("%s%.60s", any ? "" : ": ", gdyn_study_start(study)->objective[k].name);
            any = true;
        }
}

/* The volume as a share of that with the loosest limit. */
static void print_level(const gdyn_study *study, const gdyn_limit_cost *c, int i) {
    const gdyn_limit_level *level = &c->level[i];
    double whole = c->level[0].hypervolume;
    char text[96];
    printf("%14.6g %7d", level->limit, level->front);
    printf(" %7.1f %%", whole > 0 ? 100 * level->hypervolume / whole : 0);
    for (int k = 0; k < c->objectives; k++)
        if (level->best[k])
            printf(" %14.6g %8s", level->best[k]->objective[k],
                   design_text(c, level->best[k], text, sizeof text));
        else
            printf(" %14s %8s", "-", "-");
    printf("%s", level->stated ? "   stated" : "");
    print_open(study, c, i);
    printf("\n");
}

/* What was searched beside the study, and how much of the table it gave. */
static void print_parts(const gdyn_limit_cost *c) {
    int all = 0, theirs = 0;
    for (int i = 0; i < c->levels; i++)
        for (int k = 0; k < c->objectives; k++) {
            all += c->level[i].best[k] != NULL;
            theirs += c->level[i].best[k] && gdyn_limit_part_of(c, c->level[i].best[k]);
        }
    for (int i = 0; i < c->parts; i++)
        printf("%s%s: %d further design%s (%s)%s%s\n", i ? "" : "searched: ", c->part[i].objective,
               c->part[i].evaluated, gdyn_plural(c->part[i].evaluated), c->part[i].folder,
               *c->part[i].stop ? ", " : "", c->part[i].stop);
    if (c->parts > 0)
        printf("%d of the %d best values above are of these designs (OBJECTIVE:N)\n", theirs, all);
}

static void print_cost(const gdyn_stored *s, const gdyn_requirement *wanted, const gdyn_variant *v,
                       const gdyn_limit_cost *c) {
    printf("%s: what %s (%s) costs, from %d designs\n", gdyn_study_start(s->study)->name,
           wanted->name, wanted->text, v->archive.count);
    print_heads(v->study, c);
    for (int i = 0; i < c->levels; i++)
        print_level(v->study, c, i);
    printf("the volume is that of the front, as a share of that with the loosest limit; all other "
           "constraints are kept\n");
    print_parts(c);
}

/* The table of the archive as it is now; an exit code. */
static int answer(const gdyn_options *o, const gdyn_stored *s, const gdyn_variant *v,
                  const gdyn_limit_wish *wish, const gdyn_limit_part *part, int parts) {
    const gdyn_requirement *wanted = &gdyn_study_start(s->study)->requirement[wish->constraint];
    gdyn_limit_cost c = {0};
    gdyn_text text = {0};
    gdyn_status status =
        gdyn_limit_cost_find(&c, v->study, &v->archive, wanted->right, wish->levels, wish->level);
    int code = gdyn_exit_code(status);
    c.part = part, c.parts = parts;
    if (status == GDYN_OK && o->json)
        code = gdyn_study_print(gdyn_report_limit_cost_json(&text, gdyn_study_start(s->study)->name,
                                                            wanted->name, v->study, &c),
                                &text, o);
    else if (status == GDYN_OK)
        print_cost(s, wanted, v, &c);
    /* No limit has a feasible design. */
    if (code == GDYN_EXIT_YES && c.result.front.count == 0)
        code = GDYN_EXIT_NO;
    gdyn_limit_cost_clear(&c);
    return code;
}

/* Levels, searches if they are asked for, and the table; an exit code. */
static int find_cost(const gdyn_options *o, const gdyn_stored *s, int constraint, gdyn_variant *v,
                     gdyn_limit_part *part) {
    double stated = gdyn_study_start(s->study)->requirement[constraint].right, *level = NULL;
    gdyn_limit_wish wish = {.constraint = constraint,
                            .wanted = o->levels > 0 ? o->levels : USUAL_LEVELS};
    int parts = 0;
    gdyn_status status = gdyn_limit_levels(v->study, &v->archive, stated, wish.wanted,
                                           o->further > 0, &wish.levels, &level);
    int code = gdyn_exit_code(status);
    wish.level = level;
    if (code == GDYN_EXIT_YES && o->further > 0)
        code = gdyn_limit_search(o, s, &wish, v, part, &parts);
    if (code == GDYN_EXIT_YES)
        code = answer(o, s, v, &wish, part, parts);
    gdyn_limit_parts_free(part, parts);
    gdyn_free(level);
    return code;
}

int gdyn_study_limit(const gdyn_options *o, const gdyn_stored *s) {
    int constraint = find_constraint(s->study, o->operand[2]);
    if (constraint < 0)
        return GDYN_EXIT_USAGE;
    const gdyn_instance *start = gdyn_study_start(s->study);
    const gdyn_requirement *wanted = &start->requirement[constraint];
    gdyn_sink console = gdyn_console_sink();
    gdyn_variant v;
    gdyn_limit_part *part = calloc((size_t)start->objective_count + 1, sizeof *part);
    /* The left side as one more objective. */
    gdyn_status status = gdyn_variant_make(&v, s->study, &s->result.archive,
                                           &(gdyn_variant_def){.released = constraint}, &console);
    if (status == GDYN_ERROR_ARGUMENT)
        gdyn_cli_error(GDYN_CODE_OPTION "'%s' is an equality: it has no limit to move",
                       wanted->name);
    int code = status == GDYN_ERROR_ARGUMENT ? GDYN_EXIT_USAGE
               : part                        ? gdyn_exit_code(status)
                                             : GDYN_EXIT_MEMORY;
    if (code == GDYN_EXIT_YES)
        code = find_cost(o, s, constraint, &v, part);
    else
        free(part);
    gdyn_variant_clear(&v);
    return code;
}
