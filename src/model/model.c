/* model.c - making the constant model and asking it. */
#include "linalg/vec3.h"
#include "model/data.h"

#include <assert.h>
#include <math.h>

/* Largest distance between points of one body that matter: joints, drives and the centre of
 * gravity. It does not depend on body frames or on the order of anything. */
static void widen(const gdyn_machine *machine, const gdyn_anchor *p, const gdyn_anchor *q,
                  double *most) {
    if (p->body != q->body || p->body == GDYN_NONE)
        return;
    double d[3];
    v3_sub(d, p->at, q->at);
    *most = fmax(*most, v3_norm(d));
    if (p->body >= 0) {
        v3_sub(d, p->at, machine->body[p->body].com);
        *most = fmax(*most, v3_norm(d));
    }
}

/* The largest extent of a moving body; of the ground when the bodies are points; 1 m when there is
 * no length at all. */
static double largest_extent(const gdyn_machine *machine) {
    size_t most = 2 * ((size_t)machine->joints + (size_t)machine->drives);
    gdyn_anchor *list = gdyn_alloc(most, sizeof *list);
    if (!list)
        return -1.0;
    /* points of joints and drives */
    int count = 0;
    for (int i = 0; i < machine->joints; i++)
        if (gdyn_joint_type_has_points(machine->joint[i].type)) {
            list[count++] = machine->joint[i].a;
            list[count++] = machine->joint[i].b;
        }
    for (int i = 0; i < machine->drives; i++)
        switch (gdyn_drive_traits_of(machine->drive[i].kind)->acts) {
        case GDYN_ACTS_AT_JOINT:
            break;
        case GDYN_ACTS_BETWEEN:
            list[count++] = machine->drive[i].a;
            list[count++] = machine->drive[i].b;
            break;
        case GDYN_ACTS_ON_POINT:
            list[count++] = machine->drive[i].a;
            break;
        }
    double bodies = 0.0, ground = 0.0;
    /* distances of all pairs on one body */
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            widen(machine, &list[i], &list[j], list[i].body == GDYN_GROUND ? &ground : &bodies);
    /* lengths of rods count as extents */
    for (int i = 0; i < machine->joints; i++)
        if (gdyn_joint_reads(gdyn_joint_form_of(machine->joint[i].type, machine->space),
                             GDYN_READS_LENGTH))
            bodies = fmax(bodies, machine->joint[i].length);
    gdyn_free(list);
    /* an extent that is rounding beside that of the ground counts as none */
    if (bodies > 1e-6 * ground && bodies > 0.0)
        return bodies;
    return ground > 0.0 ? ground : 1.0;
}

/* L that is set has to be of the machine's size: tolerances of poses and ranks are shares of it. */
static bool length_fits(const gdyn_machine *machine, double extent, const gdyn_sink *sink) {
    const double FAR = 1e3;
    double L = machine->length;
    if (isnan(L) || (L >= extent / FAR && L <= extent * FAR))
        return true;
    gdyn_diag_emit(sink, GDYN_ERROR, "machine.length", "the unit may be wrong",
                   GDYN_CODE_VALUE "the characteristic length is %g m, the largest extent of a "
                                   "body %g m; they may differ by up to 1000 times",
                   L, extent);
    return false;
}

/* Tensors as full matrices, and room for the first guess. */
static bool copy_bodies(gdyn_model *model) {
    const gdyn_machine *machine = model->machine;
    size_t bodies = (size_t)machine->bodies;
    model->inertia = gdyn_arena_alloc(model->arena, bodies, sizeof *model->inertia);
    model->guess_r = gdyn_arena_alloc(model->arena, 3 * bodies, sizeof(double));
    model->guess_R = gdyn_arena_alloc(model->arena, 9 * bodies, sizeof(double));
    model->upright = gdyn_arena_alloc(model->arena, 9 * bodies, sizeof(double));
    if (gdyn_arena_failed(model->arena))
        return false;
    for (int i = 0; i < machine->bodies; i++) {
        const double *I = machine->body[i].inertia;
        double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
        memcpy(model->inertia[i], full, sizeof full);
        gdyn_m3_identity(model->upright + 9 * i);
    }
    return true;
}

/* Copied, compiled, and placed. */
static gdyn_status make(gdyn_model *model, const gdyn_machine *machine, const gdyn_sink *sink) {
    model->machine = gdyn_machine_clone(machine);
    if (!model->machine || !copy_bodies(model))
        return GDYN_ERROR_MEMORY;
    /* coordinates and the unit of length */
    model->per_body = machine->space == GDYN_PLANAR ? 3 : 6;
    model->n = model->per_body * machine->bodies;
    double extent = largest_extent(machine);
    model->length = isnan(machine->length) ? extent : machine->length;
    if (extent < 0.0)
        return GDYN_ERROR_MEMORY;
    if (!length_fits(machine, extent, sink))
        return GDYN_ERROR_INPUT;
    if (!gdyn_model_compile(model) || !gdyn_model_span(model))
        return GDYN_ERROR_MEMORY;
    return gdyn_model_guess(machine, sink, model->guess_r, model->guess_R) ? GDYN_OK
                                                                           : GDYN_ERROR_INPUT;
}

gdyn_status gdyn_model_create(const gdyn_machine *machine, const gdyn_sink *sink,
                              gdyn_model **out) {
    gdyn_arena *arena;
    *out = NULL;
    if (gdyn_machine_check(machine, sink) > 0)
        return GDYN_ERROR_INPUT;
    gdyn_model *model = gdyn_arena_begin(&arena, sizeof *model);
    if (!model)
        return GDYN_ERROR_MEMORY;
    model->arena = arena;
    gdyn_status status = make(model, machine, sink);
    if (status == GDYN_OK)
        *out = model;
    else
        gdyn_model_destroy(model);
    return status;
}

/* NULL is allowed. */
void gdyn_model_destroy(gdyn_model *model) {
    if (!model)
        return;
    gdyn_machine_destroy(model->machine);
    gdyn_arena_destroy(model->arena);
}

gdyn_space gdyn_model_space(const gdyn_model *model) {
    return model->machine->space;
}
int gdyn_model_bodies(const gdyn_model *model) {
    return model->machine->bodies;
}
int gdyn_model_joints(const gdyn_model *model) {
    return model->machine->joints;
}
int gdyn_model_drives(const gdyn_model *model) {
    return model->machine->drives;
}
int gdyn_model_stictions(const gdyn_model *model) {
    return model->stictions;
}
double gdyn_model_stiction_limit(const gdyn_model *model, int stiction) {
    return model->friction[model->stiction[stiction]].stiction;
}
bool gdyn_model_stiction_slides(const gdyn_model *model, int stiction) {
    return model->friction[model->stiction[stiction]].row.length;
}
/* Drives first, then static friction. */
const char *gdyn_model_effort_name(const gdyn_model *model, int effort) {
    int drives = model->machine->drives;
    return effort < drives ? model->machine->drive[effort].name
                           : model->friction[model->stiction[effort - drives]].name;
}
int gdyn_model_forces(const gdyn_model *model) {
    return model->machine->forces;
}
int gdyn_model_motions(const gdyn_model *model) {
    return model->machine->motions;
}
int gdyn_model_shapes(const gdyn_model *model) {
    return model->machine->shapes;
}

const gdyn_shape_def *gdyn_model_shape(const gdyn_model *model, int i) {
    return &model->machine->shape[i];
}

int gdyn_model_pairs(const gdyn_model *model) {
    return model->machine->pairs;
}

const gdyn_pair_def *gdyn_model_pair(const gdyn_model *model, int i) {
    return &model->machine->pair[i];
}

int gdyn_model_limits(const gdyn_model *model) {
    return model->machine->limits;
}
int gdyn_model_ranges(const gdyn_model *model) {
    return model->machine->ranges;
}
int gdyn_model_coordinates(const gdyn_model *model) {
    return model->n;
}
int gdyn_model_holonomic(const gdyn_model *model) {
    return model->m;
}
int gdyn_model_pfaffian(const gdyn_model *model) {
    return model->h;
}
double gdyn_model_length(const gdyn_model *model) {
    return model->length;
}

const char *const gdyn_hub_names[] = {"automatic", "always", "never", NULL};
const char *const gdyn_formalism_names[] = {"tree", "dense", NULL};

void gdyn_model_set_formalism(gdyn_model *model, gdyn_formalism formalism) {
    model->formalism = formalism;
}
gdyn_formalism gdyn_model_formalism(const gdyn_model *model) {
    return model->formalism;
}

/* Of all bodies. */
double gdyn_model_mass(const gdyn_model *model) {
    double mass = 0.0;
    for (int i = 0; i < model->machine->bodies; i++)
        mass += model->machine->body[i].mass;
    return mass;
}

const double *gdyn_model_gravity(const gdyn_model *model) {
    return model->machine->gravity;
}

const gdyn_body_def *gdyn_model_body(const gdyn_model *model, int body) {
    assert(body >= 0 && body < model->machine->bodies);
    return &model->machine->body[body];
}
const gdyn_joint_def *gdyn_model_joint(const gdyn_model *model, int joint) {
    assert(joint >= 0 && joint < model->machine->joints);
    return &model->machine->joint[joint];
}
const gdyn_drive_def *gdyn_model_drive(const gdyn_model *model, int drive) {
    assert(drive >= 0 && drive < model->machine->drives);
    return &model->machine->drive[drive];
}
const gdyn_force_def *gdyn_model_force(const gdyn_model *model, int force) {
    assert(force >= 0 && force < model->machine->forces);
    return &model->machine->force[force];
}

const gdyn_motion_def *gdyn_model_motion(const gdyn_model *model, int motion) {
    assert(motion >= 0 && motion < model->machine->motions);
    return &model->machine->motion[motion];
}

const gdyn_range_def *gdyn_model_range(const gdyn_model *model, int range) {
    return &model->machine->range[range];
}

const gdyn_limit_def *gdyn_model_limit(const gdyn_model *model, int limit) {
    return &model->machine->limit[limit];
}

bool gdyn_model_limit_slides(const gdyn_model *model, int limit) {
    return model->limit_row[limit].length;
}

bool gdyn_model_range_slides(const gdyn_model *model, int range) {
    return model->range_row[range].length;
}

/* Place of the definition with that name, which stands first in it; -1: there is none. */
static int find(const void *list, int count, size_t size, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(*(const char *const *)((const char *)list + (size_t)i * size), name) == 0)
            return i;
    return -1;
}

int gdyn_model_find_range(const gdyn_model *model, const char *name) {
    return find(model->machine->range, model->machine->ranges, sizeof *model->machine->range, name);
}

int gdyn_model_find_body(const gdyn_model *model, const char *name) {
    return find(model->machine->body, model->machine->bodies, sizeof *model->machine->body, name);
}

int gdyn_model_find_joint(const gdyn_model *model, const char *name) {
    return find(model->machine->joint, model->machine->joints, sizeof *model->machine->joint, name);
}

int gdyn_model_find_drive(const gdyn_model *model, const char *name) {
    return find(model->machine->drive, model->machine->drives, sizeof *model->machine->drive, name);
}

void gdyn_model_joint_rows(const gdyn_model *model, int joint, int *first, int *count,
                           int *pfaffian_first, int *pfaffian_count) {
    assert(joint >= 0 && joint < model->machine->joints);
    /* holonomic rows, then nonholonomic ones */
    *first = model->joint_first[joint], *count = model->joint_count[joint];
    *pfaffian_first = model->pfaffian_first[joint];
    *pfaffian_count = model->pfaffian_count[joint];
}

int gdyn_model_row_joint(const gdyn_model *model, int row) {
    assert(row >= 0 && row < model->m + model->h);
    /* rows of motions are numbered -1, -2, ... in the same list */
    return model->row_joint[row] < 0 ? -1 : model->row_joint[row];
}

int gdyn_model_row_motion(const gdyn_model *model, int row) {
    assert(row >= 0 && row < model->m + model->h);
    return model->row_joint[row] < 0 ? -1 - model->row_joint[row] : -1;
}

const char *gdyn_model_row_name(const gdyn_model *model, int row) {
    assert(row >= 0 && row < model->m + model->h);
    return model->row_name[row];
}
