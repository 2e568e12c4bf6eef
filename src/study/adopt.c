/* adopt.c - evaluated designs of one study taken over by another one of the same machine. */
#include "study/choose.h"

#include "base/text.h"
#include "study/internal.h"

#include <math.h>
#include <string.h>

const char *gdyn_adoption_text(gdyn_adoption adoption) {
    static const char *const texts[GDYN_ADOPTIONS] = {
        [GDYN_ADOPTED] = "taken over",
        [GDYN_ADOPT_OUTSIDE] = "outside the bounds",
        [GDYN_ADOPT_PARAMETER] = "with another value of a parameter",
        [GDYN_ADOPT_POINTS] = "with points inserted for other criteria",
        [GDYN_ADOPT_VALUE] = "without a value that a formula names",
        [GDYN_ADOPT_FAILED] = "failed, for other formulas"};
    return (unsigned)adoption < GDYN_ADOPTIONS ? texts[adoption] : "";
}

/* --- the cases ------------------------------------------------------------------------------- */

/* A list of dotted paths in an arena, with room. */
typedef struct paths {
    gdyn_arena *arena;
    const char **list;
    int count;
    bool failed;
} paths;

static void add_path(paths *p, const char *block, const char *name) {
    p->list[p->count] = name ? gdyn_arena_printf(p->arena, "%s.%s", block, name)
                             : gdyn_arena_strdup(p->arena, block);
    p->failed |= !p->list[p->count++];
}

/* Variables that set a parameter: the parameter and the bounds are left out. Tables and deviations
 * stay, with what they set. */
static void add_variables(paths *p, const gdyn_study *s) {
    for (int i = 0; i < s->variables; i++) {
        const gdyn_design_variable *v = &s->start->design[i];
        if (v->kind != GDYN_DESIGN_NUMBER && v->kind != GDYN_DESIGN_SIZES)
            continue;
        add_path(p, "parameters", v->name);
        add_path(p, "design", v->name);
    }
}

/* Tolerances, which may stand in the entries that are left out. */
static void write_tolerances(const gdyn_study *s, gdyn_text *text) {
    const gdyn_robustness *r = &s->start->robustness;
    for (int i = 0; i < r->tolerance_count; i++)
        gdyn_text_printf(text, "tolerance of %s: %s to %s%s\n", r->tolerance[i].name,
                         gdyn_digits(r->tolerance[i].lower).text,
                         gdyn_digits(r->tolerance[i].upper).text,
                         r->tolerance[i].between ? ", by its ends" : "");
}

/* Both texts without what may differ. */
static gdyn_status write_texts(const gdyn_study *a, const gdyn_study *b, gdyn_text *ta,
                               gdyn_text *tb) {
    static const char *const free_entries[] = {"name", "about", "expect", "optimize"};
    paths p = {.arena = gdyn_arena_create()};
    size_t most = 2 * (size_t)(a->variables + b->variables) + 8;
    p.list = p.arena ? gdyn_arena_alloc(p.arena, most, sizeof *p.list) : NULL;
    gdyn_status status = p.list ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        for (size_t i = 0; i < sizeof free_entries / sizeof *free_entries; i++)
            add_path(&p, free_entries[i], NULL);
        add_variables(&p, a), add_variables(&p, b);
        status = p.failed ? GDYN_ERROR_MEMORY : GDYN_OK;
    }
    if (status == GDYN_OK)
        status = gdyn_case_write(a->the_case, a->set_count, a->set, p.list, ta);
    if (status == GDYN_OK)
        status = gdyn_case_write(b->the_case, b->set_count, b->set, p.list, tb);
    /* Only statistics of the new study depend on them. */
    if (b->statistics > 0)
        write_tolerances(a, ta), write_tolerances(b, tb);
    gdyn_arena_destroy(p.arena);
    return status == GDYN_OK && (ta->failed || tb->failed) ? GDYN_ERROR_MEMORY : status;
}

/* The next line without its indentation; *length tells how long it is. */
static const char *take_line(const char **at, int *length) {
    const char *line = *at + strspn(*at, " ");
    size_t n = strcspn(*at, "\n");
    *length = (int)(*at + n - line);
    *at += n + ((*at)[n] == '\n');
    return line;
}

enum { EXCERPT = 80, BEFORE = 30 };

static void add_excerpt(gdyn_text *out, const char *line, int length, int from) {
    int rest = length - from;
    gdyn_text_printf(out, "'%s%.*s%s'", from > 0 ? "..." : "", rest < EXCERPT ? rest : EXCERPT,
                     line + from, rest > EXCERPT ? "..." : "");
}

gdyn_status gdyn_adopt_compare(const gdyn_study *from, const gdyn_study *study,
                               gdyn_text *difference) {
    gdyn_text old = {0}, new = {0};
    gdyn_status status = write_texts(from, study, &old, &new);
    const char *a = old.data ? old.data : "", *b = new.data ? new.data : "";
    gdyn_text_printf(difference, "%s", "");
    while (status == GDYN_OK && (*a || *b)) {
        int m, n;
        const char *x = take_line(&a, &m), *y = take_line(&b, &n);
        if (m == n && strncmp(x, y, (size_t)m) == 0)
            continue;
        /* where the excerpts of two lines begin, so that they show what differs */
        int same = 0;
        while (same < m && same < n && x[same] == y[same])
            same++;
        /* no byte of a letter is left behind */
        int begin = same < EXCERPT - BEFORE ? 0 : same - BEFORE;
        while (begin > 0 && ((unsigned char)x[begin] & 0xc0) == 0x80)
            begin--;
        add_excerpt(difference, x, m, begin);
        gdyn_text_printf(difference, " and ");
        add_excerpt(difference, y, n, begin);
        break;
    }
    gdyn_text_free(&old), gdyn_text_free(&new);
    return status == GDYN_OK && difference->failed ? GDYN_ERROR_MEMORY : status;
}

/* --- the responses ---------------------------------------------------------------------------- */

/* How the new study sees the old one. */
typedef struct view {
    const gdyn_study *from, *to;
    /* responses of the new study: that of the old one with the same name, -1: none */
    int *response;
    bool same_values, same_points;
} view;

static int find_response(const gdyn_study *s, const char *name, int near) {
    /* Mostly in the same place. */
    if (near < s->responses && strcmp(s->name[near], name) == 0)
        return near;
    return gdyn_study_find_response(s, name, strlen(name), s->responses);
}

/* Trajectory of a response, -1: it is of none. */
static int trajectory_of(const gdyn_study *s, int response) {
    int along = response - s->parameters - s->machine;
    return along >= 0 && along < s->trajectories * s->criteria ? along / s->criteria : -1;
}

static gdyn_status make_view(view *v, const gdyn_study *from, const gdyn_study *to) {
    *v = (view){.from = from, .to = to};
    v->response = gdyn_alloc((size_t)to->responses + 1, sizeof *v->response);
    if (!v->response)
        return GDYN_ERROR_MEMORY;
    for (int r = 0; r < to->responses; r++)
        v->response[r] = find_response(from, to->name[r], r);
    /* whether formulas of both name the same values, and the same along each trajectory to which
     * points are added */
    v->same_values = v->same_points = true;
    for (int r = 0; r < v->to->responses; r++) {
        bool before = v->response[r] >= 0 && gdyn_study_formulas_use(v->from, v->response[r]);
        if (gdyn_study_formulas_use(v->to, r) == before)
            continue;
        int t = trajectory_of(v->to, r);
        v->same_values = false;
        /* values of ranges do not decide about points */
        v->same_points &=
            t < 0 || v->to->range[r] >= 0 || v->to->start->trajectory[t].tolerance <= 0;
    }
    /* A value that only the old study has: a statistic that is not asked for any more. */
    for (int r = v->from->responses - v->from->statistics; r < v->from->responses; r++)
        v->same_values &= find_response(v->to, v->from->name[r], r) >= 0;
    return GDYN_OK;
}

/* Whether a search of the new study evaluates this response: those of seldom passes only where
 * formulas name one of the trajectory's. */
static bool is_computed(const gdyn_study *s, int response) {
    int t = trajectory_of(s, response), row = s->row[response];
    unsigned pass = row >= 0 ? gdyn_criterion_table[row].pass : 0;
    if (response >= gdyn_study_first_of_workspaces(s) && response < s->responses - s->statistics)
        return s->need_nodes[(response - gdyn_study_first_of_workspaces(s)) / s->values];
    return t < 0 || !(pass & GDYN_PASSES_SELDOM) || (s->need[t] & pass);
}

/* --- one design ------------------------------------------------------------------------------- */

/* The design's variables in the new study; false: beyond its bounds. */
static bool place_variables(const view *v, const gdyn_design *old, gdyn_design *d) {
    for (int i = 0; i < v->to->variables; i++) {
        const gdyn_design_variable *to = &v->to->start->design[i];
        int at = v->from->variables - 1; /* the variable of that name, -1: none */
        while (at >= 0 && strcmp(v->from->start->design[at].name, to->name) != 0)
            at--;
        bool number = to->kind == GDYN_DESIGN_NUMBER || to->kind == GDYN_DESIGN_SIZES;
        int parameter = find_response(v->from, to->name, i);
        /* A value, that the parameter had; the number of a row or a deviation as it is. */
        if (number && parameter >= 0 && old->known[parameter])
            d->x[i] = gdyn_case_choice_index(to, old->response[parameter]);
        else if (at >= 0)
            d->x[i] = old->x[at];
        else
            d->x[i] = to->kind == GDYN_DESIGN_DEVIATION ? 0 : to->start;
        if (!(d->x[i] >= to->min && d->x[i] <= to->max) ||
            (to->integer && d->x[i] != rint(d->x[i])))
            return false;
    }
    return true;
}

/* Whether the new case has the same values of all parameters there. */
static gdyn_status same_parameters(const view *v, const gdyn_design *d, bool *same) {
    const gdyn_study *s = v->to;
    int count;
    gdyn_setting *setting = gdyn_study_settings(s, d->x, &count);
    gdyn_instance *instance = NULL;
    gdyn_sink silent = {0};
    *same = false;
    if (!setting)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_case_instantiate(s->the_case, count, setting, &silent, &instance);
    if (status == GDYN_OK && instance->parameter_count == s->parameters) {
        *same = true;
        for (int r = 0; r < s->parameters; r++)
            *same &= d->known[r] && instance->parameter_value[r] + 0.0 == d->response[r];
    }
    gdyn_instance_destroy(instance);
    gdyn_free(setting);
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* What is known of the old design, in the places of the new study. */
static void copy_values(const view *v, const gdyn_design *old, gdyn_design *d) {
    for (int r = 0; r < v->to->responses; r++) {
        int from = v->response[r];
        d->known[r] = from >= 0 && old->known[from] && is_computed(v->to, r);
        d->response[r] = d->known[r] ? old->response[from] : 0;
    }
    d->serial = old->serial, d->seconds = old->seconds, d->judged = old->judged;
    d->difference = old->difference;
    memcpy(d->joint, old->joint, (size_t)gdyn_study_joints(v->to) * sizeof *d->joint);
    d->failure = old->failure, d->status = old->status;
    if (old->failure > 0)
        memcpy(d->reason, old->reason, sizeof d->reason);
}

static gdyn_status adopt(const view *v, const gdyn_design *old, gdyn_design *d,
                         gdyn_adoption *became) {
    bool same;
    *became = GDYN_ADOPTED;
    if (old->failure > 0 && (!v->same_values || old->status == GDYN_DESIGN_FAILED))
        *became = GDYN_ADOPT_FAILED;
    else if (!v->same_points)
        *became = GDYN_ADOPT_POINTS;
    else if (!place_variables(v, old, d))
        *became = GDYN_ADOPT_OUTSIDE;
    if (*became != GDYN_ADOPTED)
        return GDYN_OK;
    copy_values(v, old, d);
    gdyn_status status = same_parameters(v, d, &same);
    if (status != GDYN_OK)
        return status;
    if (!same)
        *became = GDYN_ADOPT_PARAMETER;
    else if (!gdyn_study_judge(v->to, d))
        *became = GDYN_ADOPT_VALUE;
    return GDYN_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

gdyn_status gdyn_adopt(const gdyn_study *from, const gdyn_archive *archive, const gdyn_study *study,
                       gdyn_adopted *adopted) {
    view v;
    *adopted = (gdyn_adopted){0};
    gdyn_status status = make_view(&v, from, study);
    for (int i = 0; i < archive->count && status == GDYN_OK; i++) {
        gdyn_adoption became;
        gdyn_design *d = gdyn_design_create(study);
        status = d ? adopt(&v, archive->design[i], d, &became) : GDYN_ERROR_MEMORY;
        if (status == GDYN_OK)
            adopted->count[became]++;
        if (status == GDYN_OK && became == GDYN_ADOPTED)
            status = gdyn_archive_add(&adopted->archive, d);
        else
            gdyn_design_destroy(d);
    }
    gdyn_free(v.response);
    return status;
}

void gdyn_adopted_clear(gdyn_adopted *adopted) {
    gdyn_archive_clear(&adopted->archive);
    *adopted = (gdyn_adopted){0};
}
