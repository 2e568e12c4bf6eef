/* robust.c - statistics of criteria over a sample of machines: the design with its tolerances taken
 * up, in every scenario.
 *
 * The points of the sample lie in the unit cube of the tolerances and are the same for every
 * design, so that designs are compared by the same machines. A machine of the sample is a design of
 * another study, whose variables are those of the case and the deviations, and whose objectives are
 * the criteria that statistics are asked of: whatever can go wrong with a design is told of it in
 * the same words. The design itself is no member of the sample, but worst, minimum and maximum look
 * at it, too. */
#include "study/internal.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "search/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gdyn_sampling {
    int bases;
    int *base; /* bases: responses that statistics are of */
    int tolerances, points;
    double *point;         /* tolerances x points, in the unit cube */
    int views;             /* scenarios, or 1 without any */
    gdyn_study *view;      /* views: the study whose designs are the machines of the sample */
    gdyn_instance start;   /* of the views */
    gdyn_formula *formula; /* bases: of the views */
};

/* --- names -------------------------------------------------------------------------------- */

int gdyn_study_base(const gdyn_study *s, int response) {
    int first = s->responses - s->statistics;
    return response < first ? response : s->sampled[response - first].of;
}

/* Adds the statistic that a name stands for, unless it is there. */
static gdyn_status add_statistic(gdyn_study *s, const char *name, size_t length) {
    gdyn_statistic statistic;
    char *copy = gdyn_arena_strndup(s->arena, name, length);
    if (!copy)
        return GDYN_ERROR_MEMORY;
    /* A response of this name has been there before, or it is no statistic. */
    bool known = gdyn_study_find_response(s, name, length, s->responses) >= 0;
    const char *rest = known ? NULL : gdyn_statistic_parse(copy, &statistic);
    int plain = s->responses - s->statistics;
    int of = rest ? gdyn_study_find_response(s, rest, strlen(rest), plain) : -1;
    if (of < s->parameters)
        return GDYN_OK;
    int r = s->responses++;
    s->name[r] = copy;
    s->row[r] = s->row[of], s->range[r] = s->range[of], s->unit[r] = s->unit[of];
    s->sampled[s->statistics++] = (gdyn_sampled){statistic, of};
    return GDYN_OK;
}

int gdyn_study_most_statistics(const gdyn_study *s) {
    int count = 0;
    bool is_name;
    gdyn_statistic statistic;
    /* Every name that begins with the word of a statistic. */
    for (int f = 0; f < s->formulas; f++)
        for (const char *at = s->formula[f].text; *at; at += gdyn_formula_token(at, &is_name))
            count += gdyn_statistic_parse(at, &statistic) != NULL;
    return count;
}

gdyn_status gdyn_study_name_statistics(gdyn_study *s) {
    gdyn_status status = GDYN_OK;
    s->sampled =
        gdyn_arena_alloc(s->arena, (size_t)gdyn_study_most_statistics(s) + 1, sizeof *s->sampled);
    if (!s->sampled)
        return GDYN_ERROR_MEMORY;
    for (int f = 0; f < s->formulas; f++) {
        size_t length;
        bool is_name;
        for (const char *at = s->formula[f].text; *at && status == GDYN_OK; at += length) {
            length = gdyn_formula_token(at, &is_name);
            if (is_name)
                status = add_statistic(s, at, length);
        }
    }
    return status;
}

/* --- the study of the machines ------------------------------------------------------------ */

/* The criteria that statistics are of, each once. */
static bool collect_bases(gdyn_study *s, struct gdyn_sampling *g) {
    g->base = gdyn_arena_alloc(s->arena, (size_t)s->statistics, sizeof *g->base);
    for (int i = 0; i < s->statistics && g->base; i++) {
        int k = 0;
        while (k < g->bases && g->base[k] != s->sampled[i].of)
            k++;
        g->base[k] = s->sampled[i].of, g->bases += k == g->bases;
    }
    return g->base != NULL;
}

/* The points of the sample; one machine in each scenario where nothing has a tolerance. */
static gdyn_status make_points(gdyn_study *s, struct gdyn_sampling *g) {
    const gdyn_robustness *r = &s->start->robustness;
    /* A design that is itself within the tolerances is one machine: they are not taken up twice. */
    g->tolerances = r->tolerance_count;
    for (int i = 0; i < s->start->design_count; i++)
        if (s->start->design[i].kind == GDYN_DESIGN_DEVIATION)
            g->tolerances = 0;
    g->points = 1;
    if (g->tolerances == 0)
        return GDYN_OK;
    /* The unit cube; one tolerance at a time goes through the given value at its middle. */
    double *bounds = gdyn_arena_doubles(s->arena, 3 * (size_t)g->tolerances);
    if (!bounds)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < g->tolerances; i++) {
        const gdyn_tolerance *t = &r->tolerance[i];
        bounds[g->tolerances + i] = 1;
        bounds[2 * g->tolerances + i] = -t->lower / (t->upper - t->lower);
    }
    gdyn_sample_space space = {.variables = g->tolerances,
                               .lower = bounds,
                               .upper = bounds + g->tolerances,
                               .start = bounds + 2 * g->tolerances,
                               .method = r->method,
                               .size = r->size,
                               .seed = r->seed};
    long count = gdyn_sample_count(&space);
    gdyn_status status = count > 0 && count < 1000000 ? GDYN_OK : GDYN_ERROR_INPUT;
    g->points = (int)count;
    if (status == GDYN_OK)
        g->point = gdyn_arena_doubles(s->arena, (size_t)count * (size_t)g->tolerances);
    if (status == GDYN_OK)
        status = g->point ? gdyn_sample_make(&space, g->point) : GDYN_ERROR_MEMORY;
    return status;
}

/* The case's variables and the deviations; the criteria as objectives. */
static bool fill_start(gdyn_study *s, struct gdyn_sampling *g) {
    size_t own = (size_t)s->variables, all = own + (size_t)g->tolerances;
    gdyn_design_variable *design = gdyn_arena_alloc(s->arena, all + 1, sizeof *design);
    gdyn_goal *goal = gdyn_arena_alloc(s->arena, (size_t)g->bases, sizeof *goal);
    if (!design || !goal)
        return false;
    if (own > 0)
        memcpy(design, s->start->design, own * sizeof *design);
    for (int i = 0; i < g->tolerances; i++) {
        const gdyn_tolerance *t = &s->start->robustness.tolerance[i];
        design[own + (size_t)i] = (gdyn_design_variable){.name = t->name,
                                                         .min = t->lower,
                                                         .max = t->upper,
                                                         .dimension = t->dimension,
                                                         .kind = GDYN_DESIGN_DEVIATION};
    }
    for (int k = 0; k < g->bases; k++)
        goal[k] = (gdyn_goal){.name = s->name[g->base[k]], .text = s->name[g->base[k]]};
    g->start = *s->start;
    g->start.design = design, g->start.design_count = (int)all;
    g->start.objective = goal, g->start.objective_count = g->bases;
    g->start.requirement_count = 0;
    return true;
}

/* Settings of the caller, then those of the scenario. */
static bool fill_settings(gdyn_study *s, int scenario, gdyn_study *view) {
    const gdyn_robustness *r = &s->start->robustness;
    int more = r->scenario_count > 0 ? r->scenario[scenario].setting_count : 0;
    view->set = gdyn_arena_alloc(s->arena, (size_t)(s->set_count + more + 1), sizeof *view->set);
    if (!view->set)
        return false;
    if (s->set_count > 0)
        memcpy(view->set, s->set, (size_t)s->set_count * sizeof *view->set);
    for (int i = 0; i < more; i++)
        view->set[s->set_count + i] = r->scenario[scenario].setting[i];
    view->set_count = s->set_count + more;
    return true;
}

/* What all views have in common. */
static gdyn_status fill_view(gdyn_study *s, struct gdyn_sampling *g, gdyn_study *view) {
    size_t all = (size_t)(s->variables + g->tolerances);
    *view = *s;
    view->start = &g->start;
    view->variables = (int)all;
    view->responses = s->responses - s->statistics, view->statistics = 0;
    view->sampling = NULL, view->need_pose = false, view->formulas = g->bases;
    view->formula = g->formula;
    view->need = gdyn_arena_alloc(s->arena, (size_t)s->trajectories + 1, sizeof *view->need);
    view->need_nodes =
        gdyn_arena_alloc(s->arena, (size_t)s->workspaces + 1, sizeof *view->need_nodes);
    view->x_valid = gdyn_arena_alloc(s->arena, all + 1, sizeof *view->x_valid);
    if (!view->need || !view->need_nodes || !view->x_valid)
        return GDYN_ERROR_MEMORY;
    /* The deviations of a valid machine are none. */
    if (s->variables > 0)
        memcpy(view->x_valid, s->x_valid, (size_t)s->variables * sizeof *view->x_valid);
    return GDYN_OK;
}

static gdyn_status make_views(gdyn_study *s, struct gdyn_sampling *g) {
    int scenarios = s->start->robustness.scenario_count;
    g->views = scenarios > 0 ? scenarios : 1;
    g->view = gdyn_arena_alloc(s->arena, (size_t)g->views, sizeof *g->view);
    g->formula = gdyn_arena_alloc(s->arena, (size_t)g->bases, sizeof *g->formula);
    gdyn_status status = g->view && g->formula && fill_start(s, g) ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int v = 0; v < g->views && status == GDYN_OK; v++) {
        status = fill_view(s, g, &g->view[v]);
        if (status == GDYN_OK && !fill_settings(s, v, &g->view[v]))
            status = GDYN_ERROR_MEMORY;
    }
    /* The formulas are the names of the criteria themselves. */
    for (int k = 0; k < g->bases && status == GDYN_OK; k++) {
        const char *name = g->formula[k].name = s->name[g->base[k]];
        status = gdyn_study_compile_formula(&g->view[0], "robustness", name, &g->formula[k], NULL);
    }
    for (int v = 0; v < g->views && status == GDYN_OK; v++)
        gdyn_study_collect_needs(&g->view[v]);
    return status;
}

/* The parameter that its own value keeps from varying between its ends; NULL: none. */
static const gdyn_tolerance *beyond_ends(const gdyn_study *s, const gdyn_robustness *at) {
    for (int i = 0; s->sampling && i < s->sampling->tolerances; i++)
        if (at->tolerance[i].beyond)
            return &at->tolerance[i];
    return NULL;
}

bool gdyn_sampling_possible(const gdyn_study *s, const gdyn_instance *instance, char *why,
                            size_t size) {
    const gdyn_tolerance *t = beyond_ends(s, &instance->robustness);
    if (t)
        snprintf(why, size, "the value of '%.60s' lies outside of its ends", t->name);
    return t == NULL;
}

gdyn_status gdyn_sampling_create(gdyn_study *s, const gdyn_sink *sink) {
    char why[120], path[120];
    if (s->statistics == 0)
        return GDYN_OK;
    struct gdyn_sampling *g = s->sampling = gdyn_arena_alloc(s->arena, 1, sizeof *g);
    if (!g || !collect_bases(s, g))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = make_points(s, g);
    if (status == GDYN_OK && !gdyn_sampling_possible(s, s->start, why, sizeof why)) {
        snprintf(path, sizeof path, "parameters.%s.between",
                 beyond_ends(s, &s->start->robustness)->name);
        gdyn_diag_emit(sink, GDYN_ERROR, path, "statistics vary it between them",
                       GDYN_CODE_TOLERANCE "%s", why);
        status = GDYN_ERROR_INPUT;
    }
    return status == GDYN_OK ? make_views(s, g) : status;
}

/* All else is in the arena of the study. */
void gdyn_sampling_destroy(struct gdyn_sampling *g) {
    for (int k = 0; g && g->formula && k < g->bases; k++)
        gdyn_expr_destroy(g->formula[k].expr);
}

/* --- one design --------------------------------------------------------------------------- */

typedef struct run {
    const gdyn_study *study;
    const struct gdyn_sampling *g;
    const gdyn_robustness *at; /* tolerances of this design */
    gdyn_design *machine;
    double *x;     /* of the machine */
    double *value; /* machines for each base: its own last place is the design's */
    int *known;    /* bases: values that are there */
    int failed;    /* machines */
    double amount; /* of their failures at the worst stage */
    gdyn_failure *failure;
} run;

static int machines(const struct gdyn_sampling *g) {
    return g->points * g->views;
}

/* "in 'full', leg +0.0001 m": how the machine differs from the design. */
static void describe(const run *r, int view, char *text, size_t size) {
    const gdyn_robustness *stated = &r->study->start->robustness;
    size_t n = 0;
    text[0] = '\0';
    if (stated->scenario_count > 0)
        n = (size_t)snprintf(text, size, "'%s'", stated->scenario[view].name);
    for (int i = 0; i < r->g->tolerances && n < size; i++) {
        const gdyn_tolerance *t = &r->at->tolerance[i];
        char unit[64];
        gdyn_dimension_text(t->dimension, unit, sizeof unit);
        bool plain = !t->dimension.known || gdyn_dimension_fits(t->dimension, GDYN_DIM_NONE);
        n += (size_t)snprintf(text + n, size - n, "%s%s %+.3g%s%s", n > 0 ? ", " : "", t->name,
                              r->x[r->study->variables + i], plain ? "" : " ", plain ? "" : unit);
    }
}

/* Machine `point` in the scenario. */
static gdyn_status run_machine(run *r, const double *x, int view, int point) {
    const struct gdyn_sampling *g = r->g;
    int own = r->study->variables;
    if (own > 0)
        memcpy(r->x, x, (size_t)own * sizeof *x);
    /* The tolerances may depend on the design. */
    for (int i = 0; i < g->tolerances; i++) {
        const gdyn_tolerance *t = &r->at->tolerance[i];
        double u = g->point[(size_t)point * (size_t)g->tolerances + (size_t)i];
        r->x[own + i] = u < 1 ? t->lower + u * (t->upper - t->lower) : t->upper;
        /* the scenario sets the parameter, whose ends are given: it does not vary there */
        const gdyn_robustness *given = &r->study->start->robustness;
        bool between = t->between && given->scenario_count > 0;
        for (int k = 0; between && k < given->scenario[view].setting_count; k++)
            if (strcmp(given->scenario[view].setting[k].name, t->name) == 0)
                r->x[own + i] = 0;
    }
    gdyn_status status = gdyn_study_evaluate(&g->view[view], r->x, GDYN_EXTENT_NEEDED, r->machine);
    if (status != GDYN_OK)
        return status;
    if (!r->machine->evaluated) {
        /* Of the failures those of the worst stage count; the first of them is reported. */
        int number = view * g->points + point + 1;
        const gdyn_design *m = r->machine;
        int stage = (int)ceil(m->failure) - 1;
        r->failed++;
        if (stage > r->failure->stage) {
            char text[80];
            describe(r, view, text, sizeof text);
            r->amount = 0;
            *r->failure = gdyn_failure_make(stage, 0, m->status, "no %d (%.60s): %.80s", number,
                                            text, m->reason);
        }
        if (stage == r->failure->stage)
            r->amount += m->failure - stage;
    }
    for (int k = 0; k < g->bases; k++)
        if (r->machine->known[g->base[k]])
            r->value[k * (machines(g) + 1) + r->known[k]++] = r->machine->response[g->base[k]];
    return GDYN_OK;
}

/* Statistics of the criteria that every machine has; the extremes look at the design, too. */
static void take_statistics(run *r, gdyn_design *design) {
    const gdyn_study *s = r->study;
    int first = s->responses - s->statistics, n = machines(r->g);
    for (int i = 0; i < s->statistics; i++) {
        const gdyn_sampled *sampled = &s->sampled[i];
        int k = 0;
        while (r->g->base[k] != sampled->of)
            k++;
        if (r->known[k] < n || !design->known[sampled->of])
            continue;
        /* The design's own value stands behind the others; these are put in order for every
         * statistic. */
        double *value = r->value + k * (n + 1);
        bool extreme = sampled->statistic.kind <= GDYN_STATISTIC_GREATEST;
        double own = design->response[sampled->of];
        double found = gdyn_statistic_value(
            &sampled->statistic, gdyn_criterion_table[s->row[sampled->of]].better, n, value);
        if (extreme) {
            double both[2] = {found, own};
            found = gdyn_statistic_value(&sampled->statistic,
                                         gdyn_criterion_table[s->row[sampled->of]].better, 2, both);
        }
        design->known[first + i] = isfinite(found);
        design->response[first + i] = isfinite(found) ? found + 0.0 : 0.0;
    }
}

/* "9 of 64 machines of the sample fail, no 12 (leg +0.0001 m): ...". */
static void conclude(run *r) {
    char first[sizeof r->failure->reason];
    int n = machines(r->g);
    if (r->failed == 0)
        return;
    memcpy(first, r->failure->reason, sizeof first);
    *r->failure =
        gdyn_failure_make(r->failure->stage, r->amount / n, r->failure->status,
                          "%d of %d machines of the sample fail, %.110s", r->failed, n, first);
}

gdyn_status gdyn_sampling_run(const gdyn_study *s, const gdyn_instance *instance,
                              gdyn_design *design, gdyn_failure *failure) {
    const struct gdyn_sampling *g = s->sampling;
    run r = {.study = s, .g = g, .at = &instance->robustness, .failure = failure};
    *failure = (gdyn_failure){.stage = GDYN_STAGE_NONE};
    r.machine = gdyn_design_create(&g->view[0]);
    gdyn_arena *arena = gdyn_arena_create();
    r.x = gdyn_arena_doubles(arena, (size_t)(s->variables + g->tolerances));
    r.value = gdyn_arena_doubles(arena, (size_t)g->bases * (size_t)(machines(g) + 1));
    r.known = gdyn_arena_alloc(arena, (size_t)g->bases, sizeof *r.known);
    gdyn_status status = r.machine && !gdyn_arena_failed(arena) ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* Every point of the sample in every scenario, until the caller stops. */
    for (int v = 0; v < g->views && status == GDYN_OK; v++)
        for (int i = 0; i < g->points && status == GDYN_OK && !design->left; i++) {
            design->left = gdyn_flag(design->stop);
            if (!design->left)
                status = run_machine(&r, design->x, v, i);
        }
    if (status == GDYN_OK && !design->left) {
        take_statistics(&r, design);
        conclude(&r);
    }
    gdyn_design_destroy(r.machine);
    gdyn_arena_destroy(arena);
    return status;
}
