/* summary.c - studies and designs in words, on standard output. */
#include "cli/cli.h"

#include "search/hypervolume.h"
#include "study/choose.h"

/* A choice by its name, a number with that many digits. */
const char *gdyn_variable_text(const gdyn_design_variable *variable, double x, int digits,
                               char *text, size_t size) {
    const char *choice = gdyn_case_choice_name(variable, x);
    if (choice)
        snprintf(text, size, "%s", choice);
    else
        snprintf(text, size, "%.*g", digits, x);
    return text;
}

/* --- a study ------------------------------------------------------------------------------ */

/* The part of the front that was wanted, and the design nearest to it. */
static void print_aim(const gdyn_outcome *o) {
    const gdyn_instance *start = gdyn_study_start(o->study);
    const gdyn_pick_wish wish = {.rule = GDYN_PICK_TARGETS, .target = o->options->aim};
    gdyn_pick p;
    if (!o->options->aim)
        return;
    printf("aim:");
    for (int k = 0; k < start->objective_count; k++)
        printf("%s %s = %.6g%s%s", k ? "," : "", start->objective[k].name, o->options->aim[k],
               *gdyn_study_objective_unit(o->study, k) ? " " : "",
               gdyn_study_objective_unit(o->study, k));
    if (gdyn_pick_make(&p, o->study, &o->result->archive, &wish) == GDYN_OK && p.choice >= 0) {
        const gdyn_design *d = p.front.front.design[p.choice];
        printf("; nearest: design %ld", d->serial);
        for (int k = 0; k < start->objective_count; k++)
            printf("%s %s = %.6g", k ? "," : ":", start->objective[k].name, d->objective[k]);
        if (p.score > 0)
            printf(", short by at most %.3g %% of the range of the front", 100 * p.score);
        else
            printf(", reached");
    }
    printf("\n");
    gdyn_pick_clear(&p);
}

/* An objective that no design variable moves is a slip of the case. */
static void print_constant(const gdyn_outcome *o) {
    const gdyn_instance *start = gdyn_study_start(o->study);
    const gdyn_archive *all = &o->result->archive;
    for (int k = 0; k < start->objective_count; k++) {
        const gdyn_design *first = NULL;
        bool varies = false;
        int count = 0;
        /* Over all designs that have values. */
        for (int i = 0; i < all->count; i++) {
            const gdyn_design *d = all->design[i];
            if (!d->evaluated)
                continue;
            first = first ? first : d;
            varies |=
                fabs(d->objective[k] - first->objective[k]) > 1e-12 * fabs(first->objective[k]);
            count++;
        }
        if (count > 1 && !varies)
            printf("note: objective '%s' is %.6g for every design: no design variable affects it\n",
                   start->objective[k].name, first->objective[k]);
    }
}

void gdyn_print_statuses(const int *status) {
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++)
        if (status[k] > 0)
            printf("  %-14s %6d\n", gdyn_design_status_name(k), status[k]);
}

/* Joints whose reactions are indeterminate in designs of the front. */
static void print_reactions(const gdyn_outcome *o) {
    const gdyn_archive *front = &o->result->front;
    const gdyn_model *model = gdyn_study_start(o->study)->model;
    int shown = 0;
    for (int x = 0; x < gdyn_study_joints(o->study); x++) {
        int count = 0; /* designs in which it is indeterminate */
        for (int i = 0; i < front->count; i++)
            count += front->design[i]->judged && front->design[i]->joint[x] == GDYN_INDETERMINATE;
        if (count == 0)
            continue;
        /* Joints by name, with the number of designs where not all have it. */
        if (shown == 0)
            printf("reactions: the rigid model does not determine those of");
        if (shown < 12)
            printf("%s %s", shown ? "," : "", gdyn_model_joint(model, x)->name);
        if (shown < 12 && count < front->count)
            printf(" (%d of %d designs)", count, front->count);
        shown++;
    }
    /* what did not fit, or that there is none */
    if (shown > 12)
        printf(" and %d more joints", shown - 12);
    if (shown > 0)
        printf("\n");
    else if (gdyn_study_joints(o->study) > 0)
        printf("reactions: no joint is indeterminate in the designs of the front\n");
}

static const char *relation_text(int relation) {
    return relation > 0 ? ">=" : relation < 0 ? "<=" : "=";
}

void gdyn_print_infeasibility(const gdyn_study *study, const gdyn_archive *archive) {
    gdyn_infeasibility s;
    printf("no feasible design was found\n");
    if (gdyn_infeasibility_find(study, archive, &s) == GDYN_OK && s.nearest) {
        printf("nearest: design %ld, %s%s%s\n", s.nearest->serial,
               gdyn_design_status_name(s.nearest->status), *s.nearest->reason ? ": " : "",
               s.nearest->reason);
        /* constraints by themselves, then those that exclude each other */
        if (s.evaluated > 0 && s.constraints > 0)
            printf("constraints, over the %d of %d designs that have values:\n", s.evaluated,
                   archive->count);
        else if (s.evaluated == 0)
            printf("no design has values for all objectives and constraints\n");
        for (int k = 0; k < s.constraints && s.evaluated > 0; k++) {
            /* "  stiff   kept by 3 of 12 designs, best 4000 N/m >= 3000 N/m (design 7)" */
            const gdyn_requirement *wanted = &gdyn_study_start(study)->requirement[k];
            const gdyn_constraint_record *record = &s.constraint[k];
            const char *unit = gdyn_study_constraint_unit(study, k);
            /* how many designs keep it, and the one that comes nearest */
            char kept[64] = "never satisfied";
            if (record->kept > 0)
                snprintf(kept, sizeof kept, "satisfied by %d of %d designs", record->kept,
                         s.evaluated);
            printf("  %-22s %s, best %.6g%s%s where %s %.6g%s%s is required (design %ld)\n",
                   wanted->name, kept, record->best->constraint[k], *unit ? " " : "", unit,
                   relation_text(wanted->relation), wanted->right, *unit ? " " : "", unit,
                   record->best->serial);
            if (record->alone && s.constraints > 1)
                printf("  %-22s all others are satisfied where it is %.6g%s%s (design %ld)\n", "",
                       record->alone->constraint[k], *unit ? " " : "", unit, record->alone->serial);
        }
        for (int i = 0; i < s.exclusions; i++) {
            /* Constraints that exclude each other in the designs found. */
            const gdyn_instance *start = gdyn_study_start(study);
            const gdyn_exclusion *e = &s.exclusion[i];
            printf("  no design satisfies all of: ");
            for (int k = 0; k < e->count; k++)
                printf("%s%s", k ? ", " : "", start->requirement[e->constraint[k]].name);
            printf("\n");
        }
    }
    gdyn_infeasibility_clear(&s);
}

static void print_ties(const gdyn_study_result *result) {
    if (result->ties > 0)
        printf("%d more design%s exactly this value; the first one is shown\n", result->ties,
               result->ties > 1 ? "s have" : " has");
}

void gdyn_print_outcome(const gdyn_outcome *o) {
    const gdyn_study_result *r = o->result;
    const gdyn_search_info *s = &r->final.search;
    const gdyn_search_options *search = &o->options->search;
    printf("%s: %d design%s in %ld generation%s, %s, population %d, seed %llu: %s\n", o->case_name,
           r->archive.count, gdyn_plural(r->archive.count), s->generation,
           gdyn_plural(s->generation), gdyn_search_method_name(search->method), search->population,
           (unsigned long long)search->seed, gdyn_search_stop_text(s->stop));
    gdyn_print_statuses(r->final.status);
    /* The start design, with its objectives or the reason; a search may be interrupted before it
     * was ready. */
    const gdyn_instance *start = gdyn_study_start(o->study);
    const gdyn_design *d = gdyn_archive_find(&r->archive, 0);
    if (d)
        printf("start design: %s", gdyn_design_status_name(d->status));
    for (int k = 0; d && d->evaluated && k < start->objective_count; k++)
        printf("%s %s = %.6g", k ? "," : ":", start->objective[k].name, d->objective[k]);
    if (d)
        printf("%s%s\n", *d->reason ? ": " : "", d->reason);
    print_constant(o);
    /* the front, or why there is none */
    if (r->front.count == 0) {
        gdyn_print_infeasibility(o->study, &r->archive);
    } else {
        bool exact = gdyn_hypervolume_affordable(r->front.count, start->objective_count);
        printf("front: %d design%s, hypervolume ", r->front.count, gdyn_plural(r->front.count));
        printf(exact ? "%.6g\n" : "about %.2g (estimated)\n", r->hypervolume);
        /* The extreme designs: for each objective the best one of the front. */
        const gdyn_archive *front = &o->result->front;
        char text[80];
        for (int k = 0; k < start->objective_count; k++) {
            const gdyn_design *best = gdyn_front_best(o->study, front, k);
            bool maximize = start->objective[k].maximize;
            const char *unit = gdyn_study_objective_unit(o->study, k);
            /* "  minimum  mass   34.67 kg at leg = 0.61 (design 310)". */
            printf("  %s %-12s %12.6g%s%-8s at", maximize ? "maximum " : "minimum ",
                   start->objective[k].name, best->objective[k], *unit ? " " : "", unit);
            /* the first few variables */
            for (int i = 0; i < start->design_count && i < 6; i++)
                printf(" %s = %s", start->design[i].name,
                       gdyn_variable_text(&start->design[i], best->x[i], 5, text, sizeof text));
            printf("%s  (design %ld)\n", start->design_count > 6 ? " ..." : "", best->serial);
        }
        print_ties(r);
        print_aim(o);
        print_reactions(o);
    }
}

/* --- a front ------------------------------------------------------------------------------ */

typedef struct column {
    const char *name, *sense;
    char unit[64];
    int width;
} column;

/* As wide as name and unit need, at least `width`. */
static column make_column(const char *name, const char *sense, const char *unit, int width) {
    column c = {.name = name, .sense = sense};
    snprintf(c.unit, sizeof c.unit, "%s%s%s", *unit ? "[" : "", unit, *unit ? "]" : "");
    size_t longest = strlen(name) > strlen(c.unit) ? strlen(name) : strlen(c.unit);
    c.width = longest > (size_t)width ? (int)longest : width;
    return c;
}

/* Names, senses and units of the columns above their numbers. */
static void print_heads(const gdyn_instance *start, const column *c) {
    int columns = start->objective_count + start->design_count;
    for (int line = 0; line < 3; line++) {
        printf("%8s", line ? "" : "design");
        /* a line ends at its last entry */
        int last = line ? 0 : columns; /* no blanks at the ends of lines */
        for (int i = 0; i < columns && line; i++)
            if (*(line == 1 ? c[i].sense : c[i].unit))
                last = i + 1;
        for (int i = 0; i < last; i++)
            printf(" %*s", c[i].width, line == 0 ? c[i].name : line == 1 ? c[i].sense : c[i].unit);
        printf("\n");
    }
}

void gdyn_print_front(const gdyn_study *study, const gdyn_study_result *result) {
    const gdyn_archive *front = &result->front;
    const gdyn_instance *start = gdyn_study_start(study);
    int objectives = start->objective_count;
    column *c = calloc((size_t)(objectives + start->design_count) + 1, sizeof *c);
    if (!c)
        return;
    for (int i = 0; i < objectives; i++)
        c[i] = make_column(start->objective[i].name,
                           start->objective[i].maximize ? "maximized" : "minimized",
                           gdyn_study_objective_unit(study, i), 13);
    for (int i = 0; i < start->design_count; i++) {
        const gdyn_design_variable *v = &start->design[i];
        column *own = &c[objectives + i];
        *own = make_column(v->name, "", gdyn_trait_of(study, GDYN_TRAIT_VARIABLE, i).unit, 11);
        for (int k = 0; k < v->choices; k++) /* their names fit */
            own->width = (int)fmax(own->width, (double)strlen(gdyn_case_choice_name(v, k)));
    }
    print_heads(start, c);
    for (int k = 0; k < front->count; k++) {
        /* a line for every design */
        const gdyn_design *d = front->design[k];
        char text[80];
        printf("%8ld", d->serial);
        for (int i = 0; i < objectives; i++)
            printf(" %*.7g", c[i].width, d->objective[i]);
        for (int i = 0; i < start->design_count; i++)
            printf(" %*s", c[objectives + i].width,
                   gdyn_variable_text(&start->design[i], d->x[i], 6, text, sizeof text));
        printf("\n");
    }
    print_ties(result);
    free(c);
}

/* --- a design ----------------------------------------------------------------------------- */

/* Objectives and constraints of a design, with what is missing to keep them. */
static void print_goals(const gdyn_study *study, const gdyn_design *d) {
    const gdyn_instance *start = gdyn_study_start(study);
    for (int k = 0; d->evaluated && k < start->objective_count; k++) {
        const gdyn_goal *goal = &start->objective[k];
        printf("  %-11s %-22s %14.8g %-8s %s %s\n", k ? "" : "objectives", goal->name,
               d->objective[k], gdyn_study_objective_unit(study, k),
               goal->maximize ? "maximize" : "minimize", goal->text);
    }
    for (int k = 0; d->evaluated && k < start->requirement_count; k++) {
        const gdyn_requirement *r = &start->requirement[k];
        /* by how much the relation is missed */
        double missing = r->relation == 0 ? fabs(r->right - d->constraint[k])
                                          : r->relation * (r->right - d->constraint[k]);
        const char *unit = gdyn_study_constraint_unit(study, k);
        printf("  %-11s %-22s %14.8g %s %.8g%s%s", k ? "" : "constraints", r->name,
               d->constraint[k], relation_text(r->relation), r->right, *unit ? " " : "", unit);
        if (missing > 0 && gdyn_study_violates(r, d->constraint[k]))
            printf("   misses %.4g\n", missing);
        else
            printf("   kept\n");
    }
}

/* Criteria, a line each, under the machine's or the trajectory's name. */
static void print_criteria(const gdyn_study *study, const gdyn_design *d) {
    char owner[128] = "";
    for (int r = 0; r < gdyn_study_responses(study); r++) {
        const char *name = gdyn_study_response_name(study, r), *dot = strchr(name, '.');
        gdyn_response_kind kind = gdyn_study_response_kind(study, r);
        const char *unbounded = gdyn_study_unbounded(study, d, r);
        if (kind == GDYN_RESPONSE_PARAMETER || !(d->known[r] || unbounded))
            continue;
        char now[128];
        bool whole = kind != GDYN_RESPONSE_TRAJECTORY || !dot;
        if (whole)
            snprintf(now, sizeof now, kind == GDYN_RESPONSE_STATISTIC ? "sample" : "machine");
        else
            snprintf(now, sizeof now, "%.*s", (int)(dot - name), name);
        bool same = strcmp(now, owner) == 0;
        printf("  %-11s %-22s ", same ? "" : now, whole ? name : dot + 1);
        if (unbounded)
            printf("%14s\n", unbounded);
        else {
            /* A response with its error, where that is known, and its unit. */
            char error[32] = "";
            if (d->error && isinf(d->error[r]))
                snprintf(error, sizeof error, " (not refined)");
            else if (d->error && !isnan(d->error[r]))
                snprintf(error, sizeof error, " +- %.2g", d->error[r]);
            printf("%14.8g%s %s\n", d->response[r], error, gdyn_study_response_unit(study, r));
        }
        memcpy(owner, now, sizeof owner);
    }
}

static void print_joints(const gdyn_study *study, const gdyn_design *d, gdyn_verdict verdict,
                         const char *words) {
    const gdyn_model *model = gdyn_study_start(study)->model;
    int count = 0;
    for (int x = 0; x < gdyn_study_joints(study); x++) {
        if (d->joint[x] != verdict)
            continue;
        printf("%s%s", count++ ? ", " : words, gdyn_model_joint(model, x)->name);
    }
    if (count > 0)
        printf("\n");
}

void gdyn_print_design(const gdyn_study *study, const gdyn_design *d) {
    const gdyn_instance *start = gdyn_study_start(study);
    char text[80];
    printf("  %-11s %s%s%s\n", "status", gdyn_design_status_name(d->status), *d->reason ? ": " : "",
           d->reason);
    if (d->violation > 0)
        printf("  %-11s %.6g of the limits, in total\n", "violation", d->violation);
    /* its variables, then all that follows from them */
    for (int i = 0; i < start->design_count; i++) {
        const gdyn_design_variable *v = &start->design[i];
        printf("  %-11s %-22s %14s %s\n", i ? "" : "design", v->name,
               gdyn_variable_text(v, d->x[i], 8, text, sizeof text),
               gdyn_trait_of(study, GDYN_TRAIT_VARIABLE, i).unit);
    }
    print_goals(study, d);
    print_criteria(study, d);
    /* Trajectories that the design does not pass, needed or not; the status reports only those that
     * are needed. */
    int failures = 0;
    for (int t = 0; d->not_passed && t < start->trajectory_count; t++)
        if (*d->not_passed[t])
            printf("  %-11s %s\n", failures++ ? "" : "not passed", d->not_passed[t]);
    if (d->judged) {
        print_joints(study, d, GDYN_INDETERMINATE, "  reactions   indeterminate: ");
        print_joints(study, d, GDYN_DRIVE_DEPENDENT, "  reactions   drive-dependent: ");
    }
}
