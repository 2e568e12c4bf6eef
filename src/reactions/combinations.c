/* combinations.c - unique sums of reactions; see combinations.h.
 *
 * Candidates are null vectors of D_I^T for sets I of reactions: those at one body (its equations of
 * equilibrium), forces before forces with moments, then those of a block that shares load. Each
 * comes from elimination and so has as few terms as its other terms allow (an elementary vector). A
 * basis of the whole space is chosen greedily from the simplest on. Moments are divided by the
 * machine's length meanwhile. */
#include "reactions/combinations.h"

#include "base/memory.h"
#include "model/data.h"
#include "reactions/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Distance from one within which a coefficient is one. */
static const double UNIT_COEFFICIENT = 1e-9;

/* A coefficient below this share of the largest is rounding (D is right to about 1e-12). */
static const double NOISE = 1e-9;
/* A candidate whose new part is less than this share of it follows from those chosen. */
static const double DEPENDENT = 1e-6;

typedef struct candidate {
    int items;
    double *v; /* items: of scaled reactions, largest 1 */
    double complexity;
} candidate;

typedef struct finder {
    gdyn_arena *arena;
    const gdyn_reactions *r;
    int items, dim; /* reactions that are not unique; directions */
    int *item;      /* items: component, or components + effort */
    double *D;      /* items x dim, scaled */
    int found, room;
    candidate *list; /* found */
    int *set, *row, *column;
    double *A, *N; /* dim x items, items x items */
} finder;

/* --- terms ------------------------------------------------------------------------------------ */

/* By the component, or the drive. */
bool gdyn_term_is_moment(const gdyn_reactions *r, const gdyn_term *term) {
    int drive = term->component - r->components;
    return drive >= 0 ? gdyn_reactions_effort_is_moment(r, drive)
                      : gdyn_reactions_component(r, term->component)->moment;
}

/* As in tables: component with its joint, or the drive's name. */
const char *gdyn_term_label(const gdyn_reactions *r, const gdyn_term *term, char *out,
                            size_t size) {
    if (term->component < r->components)
        return gdyn_reactions_label(r, term->component, out, size);
    snprintf(out, size, "%s", gdyn_reactions_effort_name(r, term->component - r->components));
    return out;
}

static bool is_moment(const finder *f, int i) {
    return gdyn_term_is_moment(f->r, &(gdyn_term){f->item[i], 1});
}

/* Everything that is not unique: components, then drives. */
static void list_items(finder *f) {
    const gdyn_reactions *r = f->r;
    for (int c = 0; c < r->components; c++)
        if (gdyn_reactions_component(r, c)->verdict != GDYN_UNIQUE)
            f->item[f->items++] = c;
    for (int k = 0; k < r->efforts; k++) {
        bool free = false; /* some direction of the family changes its force */
        for (int d = 0; d < r->directions && r->drive_block[k] >= 0; d++)
            free |= r->drive_direction[k + d * r->efforts] != 0;
        if (free)
            f->item[f->items++] = r->components + k;
    }
    /* their changes; moments over L to be comparable with forces */
    for (int i = 0; i < f->items; i++)
        for (int d = 0; d < f->dim; d++) {
            int drive = f->item[i] - r->components;
            double change = drive >= 0 ? r->drive_direction[drive + d * r->efforts]
                                       : r->component_direction[f->item[i] + d * r->components];
            f->D[i + d * f->items] =
                is_moment(f, i) ? change / gdyn_model_length(r->model) : change;
        }
}

/* --- candidates ------------------------------------------------------------------------------- */

/* A candidate of `count` items; false: memory. */
static bool keep(finder *f, int count, const double *part) {
    double greatest = 0;
    for (int k = 0; k < count; k++)
        greatest = fmax(greatest, fabs(part[k]));
    if (!gdyn_reserve(&f->list, &f->room, f->found + 1, sizeof *f->list))
        return false;
    candidate *c = &f->list[f->found];
    /* over all items */
    *c = (candidate){.v = gdyn_arena_doubles(f->arena, (size_t)f->items), .items = f->items};
    if (!c->v)
        return false;
    f->found++;
    /* coefficients relative to the largest one, rounding removed */
    for (int k = 0; k < count; k++)
        c->v[f->set[k]] = fabs(part[k]) > NOISE * greatest ? part[k] / greatest : 0;
    /* Terms, and twice those whose coefficient is not 1 or -1: sums read better than weighted sums.
     * */
    const double *v = c->v;
    double sum = 0;
    for (int i = 0; i < f->items; i++)
        if (v[i] != 0)
            sum += fabs(fabs(v[i]) - 1) < UNIT_COEFFICIENT ? 1 : 3;
    c->complexity = sum;
    return true;
}

/* Null vectors of D_I^T, I = set[0 .. count-1]. */
static bool add_null(finder *f, int count) {
    /* columns: changes of the items in all directions of the family */
    if (count == 0)
        return true;
    for (int k = 0; k < count; k++)
        for (int d = 0; d < f->dim; d++)
            f->A[d + k * f->dim] = f->D[f->set[k] + d * f->items];
    /* sparse null vectors: sums in which few reactions take part */
    int free = gdyn_lu_null(f->dim, count, f->A, f->dim, f->row, f->column, f->N);
    for (int c = 0; c < free; c++)
        if (!keep(f, count, f->N + c * count))
            return false;
    return true;
}

/* The block of components that balance each other. */
static int block_of(const finder *f, int i) {
    int drive = f->item[i] - f->r->components;
    return drive >= 0 ? f->r->drive_block[drive]
                      : gdyn_reactions_component(f->r, f->item[i])->block;
}

/* The reaction acts on the body. */
static bool touches(const finder *f, int i, int body) {
    const gdyn_model *model = f->r->model;
    int drive = f->item[i] - f->r->components;
    if (drive >= 0) {
        const gdyn_row *row = gdyn_reactions_effort_row(f->r, drive);
        return row->a == body || row->b == body;
    }
    /* a prescribed motion acts at its joint */
    int joint = gdyn_reactions_component(f->r, f->item[i])->group;
    if (joint >= f->r->joints)
        joint = model->machine->motion[joint - f->r->joints].joint;
    const gdyn_joint_def *def = &model->machine->joint[joint];
    return def->a.body == body || def->b.body == body;
}

/* Forces alone, then all, of those on the body (-2: any) within a block (-1: any). */
static bool add_sets(finder *f, int body, int block) {
    for (int moments = 0; moments < 2; moments++) {
        int count = 0;
        for (int i = 0; i < f->items; i++)
            if ((body < -1 || touches(f, i, body)) && (block < 0 || block_of(f, i) == block) &&
                (moments || !is_moment(f, i)))
                f->set[count++] = i;
        if (!add_null(f, count))
            return false;
    }
    return true;
}

/* Bodies first, then blocks, then everything: simple sums come first. */
static bool list_candidates(finder *f) {
    for (int body = 0; body < gdyn_model_bodies(f->r->model); body++)
        if (!add_sets(f, body, -1))
            return false;
    /* each block once */
    for (int i = 0; i < f->items; i++) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= block_of(f, k) != block_of(f, i);
        if (first && !add_sets(f, -2, block_of(f, i)))
            return false;
    }
    return add_sets(f, -2, -1);
}

/* --- choice ----------------------------------------------------------------------------------- */

/* Simplest first, then by the order of their reactions, so that equal ones do not change places. */
static int compare(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->complexity != y->complexity)
        return x->complexity > y->complexity ? 1 : -1;
    for (int i = 0; i < x->items; i++)
        if ((x->v[i] != 0) != (y->v[i] != 0))
            return x->v[i] != 0 ? -1 : 1;
    return 0;
}

/* Largest moment (or force, where there is none) gets 1, the first of them is positive. */
static double unit_of(const finder *f, const double *v, bool moment) {
    double best = 0;
    for (int i = 0; i < f->items; i++)
        if (v[i] != 0 && is_moment(f, i) == moment && fabs(v[i]) > fabs(best) * (1 + NOISE))
            best = v[i];
    return best;
}

/* One combination with its value and error. */
static void write_out(const finder *f, const double *v, gdyn_combinations *out, gdyn_term *at) {
    const gdyn_reactions *r = f->r;
    gdyn_combination *c = &out->list[out->count++];
    /* a sum with moments is in N m: forces count with an arm of L */
    double unit = unit_of(f, v, true);
    c->moment = unit != 0;
    unit = c->moment ? unit : unit_of(f, v, false);
    c->term = at;
    for (int i = 0; i < f->items; i++) {
        if (v[i] == 0)
            continue;
        double arm = c->moment && !is_moment(f, i) ? gdyn_model_length(r->model) : 1;
        int drive = f->item[i] - r->components;
        double coefficient = v[i] / unit * arm;
        /* value and error add up by terms */
        at[c->terms++] = (gdyn_term){f->item[i], coefficient};
        c->value += coefficient * (drive >= 0 ? r->drive[drive] : r->value[f->item[i]]);
        c->error +=
            fabs(coefficient) * (drive >= 0 ? r->drive_error[drive] : r->value_error[f->item[i]]);
    }
    /* a sum within its error of zero is zero */
    if (fabs(c->value) <= c->error)
        c->value = 0;
}

/* A basis of all sums, the simplest first. */
static bool choose(finder *f, gdyn_combinations *out) {
    size_t items = (size_t)f->items;
    double *Q = gdyn_arena_doubles(f->arena, items * (items + 1));
    out->list = gdyn_alloc(items + 1, sizeof *out->list);
    out->store = gdyn_alloc(items * items + 1, sizeof *out->store);
    bool ok = Q && out->list && out->store;
    if (ok && f->found > 0)
        qsort(f->list, (size_t)f->found, sizeof *f->list, compare);
    /* greedy: the simplest candidates that are independent of those chosen */
    for (int k = 0; ok && k < f->found && out->count < f->items; k++) {
        double before, *column = Q + (size_t)out->count * items;
        memcpy(column, f->list[k].v, items * sizeof *column);
        if (gdyn_extend_basis(f->items, out->count, Q, column, &before) > DEPENDENT * before)
            write_out(f, f->list[k].v, out, out->store + (size_t)out->count * items);
    }
    return ok;
}

/* Sums of undetermined reactions that are determined. */
gdyn_status gdyn_combinations_find(const gdyn_reactions *r, gdyn_combinations *out) {
    size_t most = (size_t)(r->components + r->efforts) + 1, dim = (size_t)r->directions + 1;
    size_t great = most > dim ? most : dim;
    finder f = {.r = r, .dim = r->directions};
    *out = (gdyn_combinations){0};
    f.arena = gdyn_arena_create();
    f.item = gdyn_arena_alloc(f.arena, most, sizeof *f.item);
    f.D = gdyn_arena_doubles(f.arena, most * dim);
    f.set = gdyn_arena_alloc(f.arena, most, sizeof *f.set);
    f.row = gdyn_arena_alloc(f.arena, great, sizeof *f.row);
    f.column = gdyn_arena_alloc(f.arena, great, sizeof *f.column);
    f.A = gdyn_arena_doubles(f.arena, most * dim);
    f.N = gdyn_arena_doubles(f.arena, most * most);
    bool ok = !gdyn_arena_failed(f.arena);
    if (ok && f.dim > 0) {
        list_items(&f);
        ok = list_candidates(&f) && choose(&f, out);
    }
    gdyn_arena_destroy(f.arena);
    gdyn_free(f.list);
    if (!ok)
        gdyn_combinations_free(out);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

void gdyn_combinations_free(gdyn_combinations *c) {
    gdyn_free(c->list), gdyn_free(c->store);
    *c = (gdyn_combinations){0};
}
