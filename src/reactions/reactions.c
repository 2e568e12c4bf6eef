/* reactions.c - the analysis at a pose: matrices in comparable units, the tests, what they say
 * together. See reactions.h. */
#include "reactions/internal.h"

#include "base/memory.h"
#include "model/data.h"
#include "reactions/reactions.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const gdyn_reaction_method_names[] = {"rank", "svd", "qr", "tree", "all", NULL};

/* --- making --------------------------------------------------------------------------------- */

/* Counts components, and lists them with their joints where `out` is given. */
static int count_components(const gdyn_model *model, bool ground, gdyn_component *out,
                            int *joint_of) {
    gdyn_component list[GDYN_COMPONENTS_MOST];
    int count = 0;
    for (int x = 0; x < gdyn_model_joints(model); x++) {
        int own = gdyn_components_of(model, x, ground, list);
        for (int i = 0; i < own; i++) {
            if (out) {
                out[count] = list[i];
                joint_of[count] = x;
            }
            count++;
        }
    }
    return count;
}

/* What the caller reads; sizes in reactions.h. */
static void allocate_results(gdyn_reactions *r, gdyn_arena *arena) {
    size_t rows = (size_t)r->rows, k = (size_t)r->efforts_most, components = (size_t)r->components;
    size_t n = (size_t)r->n, all = rows + k;
    r->item = gdyn_arena_alloc(arena, (size_t)r->items, sizeof *r->item);
    r->sigma = gdyn_arena_doubles(arena, rows + n);
    r->subsystem_of = gdyn_arena_alloc(arena, rows, sizeof *r->subsystem_of);
    r->subsystem = gdyn_arena_alloc(arena, rows, sizeof *r->subsystem);
    r->drive_block = gdyn_arena_alloc(arena, k, sizeof *r->drive_block);
    r->effort = gdyn_arena_alloc(arena, k, sizeof *r->effort);
    r->frame = gdyn_arena_alloc(arena, (size_t)r->joints, sizeof *r->frame);
    r->value = gdyn_arena_doubles(arena, components);
    r->value_error = gdyn_arena_doubles(arena, components);
    r->drive_error = gdyn_arena_doubles(arena, k);
    r->motion_error = gdyn_arena_doubles(arena, n);
    r->lambda = gdyn_arena_doubles(arena, rows);
    r->drive = gdyn_arena_doubles(arena, k);
    r->component_direction = gdyn_arena_room(arena, components * all, sizeof(double));
    r->lambda_direction = gdyn_arena_room(arena, rows * all, sizeof(double));
    r->drive_direction = gdyn_arena_doubles(arena, k * all);
}

/* Sizes: see internal.h. Matrices are written before they are read. */
static bool allocate_work(gdyn_reactions *r, gdyn_arena *arena) {
    struct gdyn_reactions_work *w = r->work;
    size_t rows = (size_t)r->rows, n = (size_t)r->n, components = (size_t)r->components;
    size_t all = (size_t)w->all, great = (n > all ? n : all) + 1;
    size_t efforts = (size_t)r->efforts_most;
    size_t wide = great > components + efforts ? great : components + efforts;
    w->C = gdyn_arena_room(arena, rows * n, sizeof(double));
    w->T = gdyn_arena_room(arena, n * efforts, sizeof(double));
    w->S = gdyn_arena_room(arena, all * n, sizeof(double));
    w->factor = gdyn_arena_doubles(arena, all);
    w->row_scale = gdyn_arena_doubles(arena, rows);
    w->column_scale = gdyn_arena_doubles(arena, n);
    w->W = gdyn_arena_room(arena, rows * components, sizeof(double));
    w->G = gdyn_arena_room(arena, rows * components, sizeof(double));
    w->size = gdyn_arena_doubles(arena, components);
    w->with_drives.N = gdyn_arena_room(arena, all * all, sizeof(double));
    w->held.N = gdyn_arena_room(arena, all * all, sizeof(double));
    w->qr_basis.N = gdyn_arena_room(arena, all * all, sizeof(double));
    w->product = gdyn_arena_room(arena, great * great, sizeof(double));
    w->matrix = gdyn_arena_room(arena, wide * great, sizeof(double));
    r->norm = gdyn_arena_doubles(arena, (size_t)r->groups);
    w->amount = gdyn_arena_doubles(arena, (size_t)r->items);
    w->few = gdyn_arena_doubles(arena, 8 * n + 6 * all);
    w->part = gdyn_arena_doubles(arena, 2 * n + rows);
    w->load = gdyn_arena_doubles(arena, 6 * n + 2 * all);
    w->mass = gdyn_arena_doubles(arena, 2 * n * n);
    w->weight = gdyn_arena_doubles(arena, n);
    w->states = gdyn_arena_room(arena, all * all, sizeof(double));
    w->component = gdyn_arena_alloc(arena, components, sizeof *w->component);
    w->mark = gdyn_arena_alloc(arena, 2 * great + (size_t)r->items + efforts, sizeof *w->mark);
    w->svd = gdyn_svd_create((int)great, (int)great);
    w->qr = gdyn_qr_create((int)great, (int)great);
    w->balance = gdyn_qr_create(w->all, r->n);
    w->selfstress = r->model ? gdyn_selfstress_create(r->model, r->efforts_most) : NULL;
    return w->svd && w->qr && w->balance && (w->selfstress || !r->model);
}

/* Items in order: joints and motions, components, multipliers. */
static void name_items(gdyn_reactions *r, const int *joint_of) {
    const gdyn_machine *machine = r->model->machine;
    for (int g = 0; g < r->groups; g++) {
        const char *name =
            g < r->joints ? machine->joint[g].name : machine->motion[g - r->joints].name;
        r->item[g] = (gdyn_reaction_item){.group = g, .row = -1, .name = name, .block = -1};
    }
    /* components: forces, or moments about axes 3 to 5 */
    for (int c = 0; c < r->components; c++) {
        const gdyn_component *own = &r->work->component[c];
        bool moment =
            own->axis < 0 ? !gdyn_mech_row_is_length(r->model, own->row) : own->axis % 6 >= 3;
        *gdyn_reactions_component(r, c) = (gdyn_reaction_item){
            .group = joint_of[c], .row = -1, .name = own->name, .moment = moment, .block = -1};
    }
    /* multipliers belong to a joint or a prescribed motion */
    for (int i = 0; i < r->rows; i++) {
        int owner = r->model->row_joint[i];
        *gdyn_reactions_multiplier(r, i) =
            (gdyn_reaction_item){.group = owner >= 0 ? owner : r->joints - 1 - owner,
                                 .row = i,
                                 .name = r->model->row_name[i],
                                 .moment = !gdyn_mech_row_is_length(r->model, i),
                                 .block = -1};
    }
}

/* Workspace and results for those sizes, in one block with its arena; scales of the model, if
 * any. */
gdyn_reactions *gdyn_reactions_allocate(const gdyn_reactions *sizes) {
    gdyn_arena *arena;
    struct whole {
        gdyn_reactions r;
        struct gdyn_reactions_work work;
    } *whole = gdyn_arena_begin(&arena, sizeof *whole);
    if (!whole)
        return NULL;
    gdyn_reactions *r = &whole->r;
    *r = *sizes;
    struct gdyn_reactions_work *work = r->work = &whole->work;
    work->arena = arena;
    work->all = r->rows + r->efforts_most; /* unknowns: multipliers and efforts */
    allocate_results(r, arena);
    if (!allocate_work(r, arena) || gdyn_arena_failed(arena)) {
        gdyn_reactions_destroy(r);
        return NULL;
    }
    for (int i = 0; i < r->rows; i++)
        work->row_scale[i] = 1;
    for (int j = 0; j < r->n; j++)
        work->column_scale[j] = 1;
    if (r->model)
        gdyn_mech_scales(r->model, work->row_scale, work->column_scale);
    return r;
}

gdyn_reactions *gdyn_reactions_create_along(const gdyn_model *model, bool ground) {
    int motions = model->machine->motions;
    gdyn_reactions sizes = {.model = model, .rows = model->m + model->h, .n = model->n};
    sizes.drives = gdyn_model_drives(model);
    sizes.efforts = sizes.efforts_most = sizes.drives + gdyn_model_stictions(model);
    sizes.joints = gdyn_model_joints(model);
    sizes.groups = sizes.joints + motions;
    sizes.components = count_components(model, ground, NULL, NULL) + motions;
    sizes.items = sizes.groups + sizes.components + sizes.rows;
    gdyn_reactions *r = gdyn_reactions_allocate(&sizes);
    int *joint_of =
        r ? gdyn_arena_alloc(r->work->arena, (size_t)r->components, sizeof *joint_of) : NULL;
    if (joint_of) {
        /* Motions are components of their own: one row each. */
        int count = count_components(r->model, ground, r->work->component, joint_of);
        for (int i = 0; i < r->rows; i++)
            if (r->model->row_joint[i] < 0) {
                r->work->component[count] = (gdyn_component){"motion", -1, i};
                joint_of[count++] = r->joints - 1 - r->model->row_joint[i];
            }
        name_items(r, joint_of);
        return r;
    }
    gdyn_reactions_destroy(r);
    return NULL;
}

gdyn_reactions *gdyn_reactions_create(const gdyn_model *model) {
    return gdyn_reactions_create_along(model, false);
}

/* Safe on a partly made object. */
void gdyn_reactions_destroy(gdyn_reactions *r) {
    if (!r)
        return;
    gdyn_svd_destroy(r->work->svd);
    gdyn_qr_destroy(r->work->qr), gdyn_qr_destroy(r->work->balance);
    gdyn_selfstress_destroy(r->work->selfstress);
    gdyn_arena_destroy(r->work->arena);
}

/* --- matrices ------------------------------------------------------------------------------- */

/* Brings these rows of S to unit length; the multipliers of noise stay as they are. */
static void unit_rows(struct gdyn_reactions_work *w, int from, int to, int n) {
    double *length = w->few;
    gdyn_unit_vectors(w->S + from, to - from, 1, n, w->all, length);
    for (int i = from; i < to; i++)
        w->factor[i] *= 1 / length[i - from];
}

/* T, and which unknown forces its columns are. Nothing moves at rest. */
static void fill_efforts(gdyn_reactions *r, const gdyn_state *state,
                         const gdyn_path_rates *motion) {
    struct gdyn_reactions_work *w = r->work;
    int *held = r->effort + r->drives;
    /* at rest static friction holds everything it can */
    memset(w->few, 0, (size_t)r->n * sizeof *w->few);
    gdyn_path_rates rest = {.u_p = w->few};
    gdyn_mech_drives(state, w->T);
    int count = gdyn_mech_static_friction(state, motion ? motion : &rest,
                                          w->T + (size_t)r->n * (size_t)r->drives, held);
    /* drives first, then friction that holds */
    for (int d = 0; d < r->drives; d++)
        r->effort[d] = d;
    for (int i = 0; i < count; i++)
        held[i] += r->drives;
    r->efforts = r->drives + count;
    w->all = r->rows + r->efforts;
}

/* C and T of the pose, and S: rows of unit length in scaled velocities. */
void gdyn_reactions_matrices(gdyn_reactions *r, const gdyn_state *state,
                             const gdyn_path_rates *motion) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_mech_jacobian(state, w->C);
    fill_efforts(r, state, motion);
    gdyn_reactions_scale(r);
}

/* S and factor from C and T. */
void gdyn_reactions_scale(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    for (int i = 0; i < w->all; i++)
        w->factor[i] = i < r->rows ? w->row_scale[i] : 1;
    for (int j = 0; j < r->n; j++) {
        for (int i = 0; i < r->rows; i++)
            w->S[i + j * w->all] = w->C[i + j * r->rows] * w->row_scale[i] * w->column_scale[j];
        for (int d = 0; d < r->efforts; d++)
            w->S[r->rows + d + j * w->all] = w->T[j + d * r->n] * w->column_scale[j];
    }
    unit_rows(w, 0, r->rows, r->n);
    unit_rows(w, r->rows, w->all, r->n);
}

/* Weights of all components, as they are and for unit rows. */
static void fill_weights(gdyn_reactions *r, const gdyn_state *state) {
    struct gdyn_reactions_work *w = r->work;
    for (int c = 0; c < r->components; c++) {
        double *own = w->W + (size_t)c * (size_t)r->rows,
               *unit = w->G + (size_t)c * (size_t)r->rows;
        const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
        gdyn_component_weights(state, item->group, &w->component[c], w->C, own);
        /* moments over L: forces and moments in one unit */
        double scale = item->moment ? 1 / gdyn_model_length(r->model) : 1, sum = 0;
        for (int i = 0; i < r->rows; i++) {
            unit[i] = own[i] * w->factor[i] * scale;
            sum += unit[i] * unit[i];
        }
        /* shorter than rounding: the joint does not carry it here */
        double length = sqrt(sum);
        w->size[c] = length > GDYN_RANK_TOLERANCE ? length : 0;
        for (int i = 0; i < r->rows; i++) {
            unit[i] = w->size[c] > 0 ? unit[i] / length : 0;
            own[i] = w->size[c] > 0 ? own[i] : 0; /* at right angles to what the joint carries */
        }
    }
}

/* |B_X| of joints and motions, from the null space that is kept. */
static void fill_norms(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    int rows = r->rows, n = r->n, dim = w->held.dim;
    double *N = w->matrix;
    for (int c = 0; c < dim; c++)
        for (int i = 0; i < rows; i++)
            N[i + c * rows] = w->factor[i] * w->held.N[i + c * w->held.ld];
    bool basis = gdyn_orthonormalize(rows, dim, N);
    for (int g = 0; g < r->groups; g++) {
        double sum = 0;
        for (int c = 0; c < dim; c++)
            for (int j = 0; j < n; j++) {
                double entry = 0;
                for (int i = 0; i < rows; i++)
                    if (gdyn_reactions_multiplier(r, i)->group == g)
                        entry += w->C[i + j * rows] * N[i + c * rows];
                sum += entry * entry;
            }
        r->norm[g] = r->item[g].verdict != GDYN_INDETERMINATE ? 0 : basis ? sqrt(sum) : NAN;
    }
}

/* --- the analysis --------------------------------------------------------------------------- */

/* Verdicts of the most reliable method; how often others differ. */
static void compare_methods(gdyn_reactions *r) {
    static const gdyn_reaction_method order[] = {GDYN_REACTIONS_BY_SVD, GDYN_REACTIONS_BY_QR,
                                                 GDYN_REACTIONS_BY_TREE, GDYN_REACTIONS_BY_RANK};
    r->disagreements = 0;
    for (int i = 0; i < r->items; i++) {
        gdyn_reaction_item *item = &r->item[i];
        bool first = true, differs = false;
        /* the first method asked for decides */
        for (int k = 0; k < GDYN_REACTION_METHODS; k++) {
            if (!(r->methods & 1u << order[k]))
                continue;
            if (first)
                item->verdict = item->by[order[k]];
            differs |= item->by[order[k]] != item->verdict;
            first = false;
        }
        r->disagreements += differs;
    }
}

/* Redundancies: null directions of multipliers, and those that change drive forces alone: static
 * friction is not counted among the drives. */
gdyn_status gdyn_reactions_count(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    if (r->efforts == 0)
        r->rank_ct = r->rank_c;
    r->redundancy = r->rows - r->rank_c.rank;
    int count = r->rows + r->drives, rank = r->rank_ct.rank;
    /* with static friction the drives alone have another rank */
    if (r->efforts > r->drives) {
        for (int j = 0; j < r->n; j++)
            memcpy(w->matrix + j * count, w->S + j * w->all, (size_t)count * sizeof *w->matrix);
        gdyn_status status = gdyn_svd_factor(w->svd, count, r->n, w->matrix, count, 0);
        if (status != GDYN_OK)
            return status;
        rank = w->svd->rank.rank;
    }
    r->drive_redundancy = count - rank - r->redundancy;
    return GDYN_OK;
}

/* All tests of a pose; values come by gdyn_reactions_values. */
gdyn_status gdyn_reactions_at(gdyn_reactions *r, const gdyn_state *state,
                              const gdyn_path_rates *motion, unsigned methods) {
    unsigned every = (1u << GDYN_REACTION_METHODS) - 1;
    unsigned asked = methods & every ? methods & every : every;
    /* C, T and S in comparable units, without the method that the machine does not allow */
    gdyn_reactions_matrices(r, state, motion);
    if (asked & 1u << GDYN_REACTIONS_BY_TREE &&
        (r->model->formalism == GDYN_FORMALISM_DENSE || !gdyn_reactions_states(r, state)))
        asked &= ~(1u << GDYN_REACTIONS_BY_TREE);
    /* The rank test gives no null space, which blocks and values need. */
    bool spaces = asked & ~(1u << GDYN_REACTIONS_BY_RANK);
    r->methods = spaces ? asked : asked | 1u << GDYN_REACTIONS_BY_SVD;
    /* no errors of motion until accelerations are released */
    memset(r->motion_error, 0, (size_t)r->n * sizeof *r->motion_error);
    for (int x = 0; x < r->joints; x++)
        gdyn_joint_frame_at(state, x, r->frame[x].point, r->frame[x].E);
    fill_weights(r, state);
    /* verdicts of each method asked for */
    double gap = INFINITY;
    for (int i = 0; i < r->items; i++)
        r->item[i].amount = 0;
    for (int m = 0; m < GDYN_REACTION_METHODS; m++) {
        gdyn_status status = r->methods & 1u << m
                                 ? gdyn_reactions_test(r, r->methods, (gdyn_reaction_method)m)
                                 : GDYN_OK;
        if (status != GDYN_OK)
            return status;
        gap = fmin(gap, r->methods & 1u << m ? r->gap : INFINITY);
    }
    r->gap = gap;
    gdyn_status counted = gdyn_reactions_count(r);
    /* whether all decisions are clear */
    r->regular = gdyn_rank_is_clear(&r->rank_c) && gdyn_rank_is_clear(&r->rank_ct) &&
                 r->gap >= GDYN_GAP_SAFE;
    /* what they agree on, and which joints share load */
    compare_methods(r);
    fill_norms(r);
    gdyn_reactions_blocks(r);
    return counted;
}

const char *gdyn_reactions_effort_name(const gdyn_reactions *r, int effort) {
    return gdyn_model_effort_name(r->model, r->effort[effort]);
}

/* The row along which a drive or a static friction acts. */
const gdyn_row *gdyn_reactions_effort_row(const gdyn_reactions *r, int effort) {
    assert(effort >= 0 && effort < r->efforts);
    const gdyn_model *model = r->model;
    int own = r->effort[effort], stiction = own - r->drives;
    return stiction < 0 ? &model->drive_row[own] : &model->friction[model->stiction[stiction]].row;
}

bool gdyn_reactions_effort_is_moment(const gdyn_reactions *r, int effort) {
    return !gdyn_reactions_effort_row(r, effort)->length;
}

/* Joint and component; prescribed motions have one component. */
const char *gdyn_reactions_label(const gdyn_reactions *r, int component, char *out, size_t size) {
    assert(component >= 0 && component < r->components);
    const gdyn_reaction_item *item = gdyn_reactions_component(r, component);
    if (item->group >= r->joints)
        snprintf(out, size, "%s", r->item[item->group].name);
    else
        snprintf(out, size, "%s.%s", r->item[item->group].name, item->name);
    return out;
}

int gdyn_reactions_axis(const gdyn_reactions *r, int component) {
    assert(component >= 0 && component < r->components);
    return r->work->component[component].axis;
}

/* Friction that depends on a reaction which is not determined. */
bool gdyn_reactions_friction_unknown(const gdyn_reactions *r, int joint) {
    assert(joint >= 0 && joint < r->joints);
    const gdyn_machine *machine = r->model->machine;
    if (r->item[joint].verdict == GDYN_UNIQUE)
        return false;
    bool friction = machine->joint[joint].viscous != 0 || machine->joint[joint].coulomb != 0;
    for (int f = 0; f < machine->forces; f++)
        friction |=
            gdyn_force_has_dry_friction(machine->force[f].kind) && machine->force[f].joint == joint;
    return friction;
}

/* --- stretches of a path --------------------------------------------------------------------- */

/* Runs of points with one verdict. */

/* The generic rank of the path: the greatest one. */
int gdyn_reaction_generic(int points, const int *rank) {
    int generic = -1;
    for (int i = 0; i < points; i++)
        generic = rank[i] > generic ? rank[i] : generic;
    return generic;
}

/* Stretches of equal verdict between points of generic rank. */
int gdyn_reaction_stretches(int points, const double *p, const int *rank, int stride,
                            const gdyn_verdict *verdict, const double *value, gdyn_stretch *list) {
    int generic = gdyn_reaction_generic(points, rank), count = 0;
    bool broken = true; /* by a point that was not assembled */
    for (int i = 0; i < points; i++) {
        if (rank[i] < 0)
            broken = true;
        /* singular and unassembled points belong to no stretch */
        if (rank[i] < generic || rank[i] < 0)
            continue;
        /* another verdict, or a gap, begins a new stretch */
        if (broken || list[count - 1].verdict != verdict[i * stride])
            list[count++] = (gdyn_stretch){.from = p[i],
                                           .verdict = verdict[i * stride],
                                           .least = INFINITY,
                                           .greatest = -INFINITY};
        gdyn_stretch *s = &list[count - 1];
        /* values of the stretch */
        s->to = p[i];
        s->points++;
        s->least = fmin(s->least, value[i * stride]); /* fmin leaves NAN out */
        s->greatest = fmax(s->greatest, value[i * stride]);
        broken = false;
    }
    return count;
}
