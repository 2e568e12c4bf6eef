/* proposals.c - search over joint changes; see proposals.h.
 *
 * With redundancy rho the changes must give up exactly rho rows and leave the rank. Combinations of
 * 1, 2, ... joints are tried in turn; a branch ends as soon as the rank falls, because giving up more
 * never restores it. Every combination is judged on the model rebuilt from its definitions, at the
 * same pose. */
#include "reactions/proposals.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REBUILDS_MOST = 3000, OPTIONS_MOST = 12 };

/* What a type may become, gentlest first; the letters x, y, z: where its new axis points. */
typedef struct option {
    gdyn_joint_type from, to;
    char axis; /* 'k' as it is; '1', '2' a normal of the old axis; 'x', 'y' of b; 'c' across */
} option;

static const option planar_options[] = {
    {GDYN_FIXED, GDYN_REVOLUTE, 'k'},  {GDYN_FIXED, GDYN_PRISMATIC, 'x'},
    {GDYN_FIXED, GDYN_PRISMATIC, 'y'}, {GDYN_FIXED, GDYN_SLOT, 'x'},
    {GDYN_FIXED, GDYN_SLOT, 'y'},      {GDYN_FIXED, GDYN_ANGLE, 'k'},
    {GDYN_REVOLUTE, GDYN_SLOT, 'x'},   {GDYN_REVOLUTE, GDYN_SLOT, 'y'},
    {GDYN_PRISMATIC, GDYN_SLOT, 'k'},  {GDYN_PRISMATIC, GDYN_ANGLE, 'k'},
};
static const option spatial_options[] = {
    {GDYN_FIXED, GDYN_REVOLUTE, 'z'},
    {GDYN_FIXED, GDYN_SPHERICAL, 'k'},
    {GDYN_REVOLUTE, GDYN_UNIVERSAL, '1'},
    {GDYN_REVOLUTE, GDYN_UNIVERSAL, '2'},
    {GDYN_REVOLUTE, GDYN_CYLINDRICAL, 'k'},
    {GDYN_REVOLUTE, GDYN_SPHERICAL, 'k'},
    {GDYN_REVOLUTE, GDYN_POINT_ON_LINE, 'k'},
    {GDYN_PRISMATIC, GDYN_CYLINDRICAL, 'k'},
    {GDYN_PRISMATIC, GDYN_POINT_ON_LINE, 'k'},
    {GDYN_CYLINDRICAL, GDYN_POINT_ON_LINE, 'k'},
    {GDYN_UNIVERSAL, GDYN_SPHERICAL, 'k'},
    {GDYN_SPHERICAL, GDYN_POINT_ON_LINE, 'z'},
    {GDYN_PLANAR_JOINT, GDYN_POINT_ON_PLANE, 'k'},
};

typedef struct search {
    const gdyn_model *model;
    const gdyn_state *state;
    gdyn_proposals *out;
    int joints, wanted;                        /* wanted: number of changes of the present round */
    bool leave_out;                            /* joints may be left out; wheels always may */
    int *options;                              /* joints: how many */
    gdyn_joint_change (*option)[OPTIONS_MOST]; /* joints */
    gdyn_proposal present;
} search;

/* --- one change ----------------------------------------------------------------------------- */

/* Drives, motions, gears and springs hold on to the freedoms of their joint: it stays as it is. */
static bool is_held(const gdyn_machine *machine, int joint) {
    for (int i = 0; i < machine->drives; i++)
        if (machine->drive[i].kind == GDYN_DRIVE_JOINT && machine->drive[i].joint == joint)
            return true;
    for (int i = 0; i < machine->motions; i++)
        if (machine->motion[i].joint == joint)
            return true;
    for (int i = 0; i < machine->forces; i++)
        if (machine->force[i].joint == joint)
            return true;
    for (int i = 0; i < machine->joints; i++)
        if (machine->joint[i].type == GDYN_GEAR &&
            (machine->joint[i].joint_a == joint || machine->joint[i].joint_b == joint))
            return true;
    return machine->joint[joint].type == GDYN_GEAR;
}

static void own_vector(const gdyn_state *state, int body, const double ground[3], double out[3]) {
    double r[3], R[9];
    gdyn_state_body(state, body, r, R);
    m3_apply_t(out, R, ground);
}

/* Gives the axes of the changed joint the direction d of the ground frame, in both bodies. */
static void point_axes(const gdyn_state *state, gdyn_joint_def *def, const double d[3]) {
    own_vector(state, def->a.body, d, def->axis_a);
    own_vector(state, def->b.body, d, def->axis_b);
}

static void direct(const gdyn_state *state, const gdyn_joint_def *old, char axis,
                   gdyn_joint_def *def) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double r[3], R[9], d[3], own[3], normal[2][3];
    gdyn_state_body(state, def->b.body, r, R);
    if (axis >= 'x' && axis <= 'z') {
        m3_apply(d, R, axes[axis - 'x']);
        point_axes(state, def, d);
    } else if (axis == '1' || axis == '2') { /* universal: the old axis in b, a normal of it in a */
        v3_copy(own, old->axis_b);
        gdyn_v3_normalize(own);
        gdyn_v3_triad(own, normal[0], normal[1]);
        m3_apply(d, R, normal[axis - '1']);
        own_vector(state, def->a.body, d, def->axis_a);
        v3_copy(def->axis_b, own);
    }
    if (def->type == GDYN_POINT_ON_PLANE)
        v3_copy(def->normal, old->axis_b);
}

/* --- rebuilding ----------------------------------------------------------------------------- */

/* Joint indices after some joints were left out. */
static int moved_index(int index, int count, const gdyn_joint_change *changes) {
    int less = 0;
    for (int i = 0; i < count; i++)
        less += changes[i].removed && changes[i].joint < index;
    return index - less;
}

static const gdyn_joint_change *change_of(int joint, int count, const gdyn_joint_change *changes) {
    for (int i = 0; i < count; i++)
        if (changes[i].joint == joint)
            return &changes[i];
    return NULL;
}

static bool add_joints(gdyn_machine *out, const gdyn_machine *in, int count,
                       const gdyn_joint_change *changes) {
    for (int i = 0; i < in->joints; i++) {
        const gdyn_joint_change *change = change_of(i, count, changes);
        if (change && change->removed)
            continue;
        gdyn_joint_def def = change ? change->def : in->joint[i];
        def.joint_a = moved_index(def.joint_a, count, changes);
        def.joint_b = moved_index(def.joint_b, count, changes);
        if (gdyn_machine_add_joint(out, &def) < 0)
            return false;
    }
    return true;
}

static bool add_rest(gdyn_machine *out, const gdyn_machine *in, int count,
                     const gdyn_joint_change *changes) {
    bool ok = true;
    for (int i = 0; i < in->drives && ok; i++) {
        gdyn_drive_def def = in->drive[i];
        def.joint = moved_index(def.joint, count, changes);
        ok = gdyn_machine_add_drive(out, &def) >= 0;
    }
    for (int i = 0; i < in->forces && ok; i++) {
        gdyn_force_def def = in->force[i];
        def.joint = def.joint >= 0 ? moved_index(def.joint, count, changes) : def.joint;
        ok = gdyn_machine_add_force(out, &def) >= 0;
    }
    for (int i = 0; i < in->motions && ok; i++) {
        gdyn_motion_def def = in->motion[i];
        def.joint = moved_index(def.joint, count, changes);
        ok = gdyn_machine_add_motion(out, &def) >= 0;
    }
    return ok;
}

gdyn_model *gdyn_proposal_model(const gdyn_model *model, int count,
                                const gdyn_joint_change *changes) {
    const gdyn_machine *in = model->machine;
    gdyn_machine *out = gdyn_machine_create(in->space, in->gravity);
    gdyn_model *rebuilt = NULL;
    bool ok = out != NULL;
    for (int i = 0; i < in->bodies && ok; i++)
        ok = gdyn_machine_add_body(out, &in->body[i]) >= 0;
    ok = ok && add_joints(out, in, count, changes) && add_rest(out, in, count, changes);
    if (ok && gdyn_model_create(out, NULL, &rebuilt) != GDYN_OK)
        rebuilt = NULL;
    gdyn_machine_destroy(out);
    return rebuilt;
}

/* --- judging -------------------------------------------------------------------------------- */

/* The same bodies in the same places; joints may differ. */
static void take_pose(gdyn_state *to, const gdyn_state *from) {
    size_t bodies = (size_t)gdyn_model_bodies(from->model);
    to->time = from->time;
    memcpy(to->r, from->r, 3 * bodies * sizeof *to->r);
    memcpy(to->R, from->R, 9 * bodies * sizeof *to->R);
    memcpy(to->chart, from->chart, 9 * bodies * sizeof *to->chart);
    memcpy(to->cardan, from->cardan, 3 * bodies * sizeof *to->cardan);
}

/* Rank of scaled C at the pose; -1 on failure. */
static int rank_at(const gdyn_model *model, const gdyn_state *pose, double *gap, double *misfit) {
    int rows = model->m + model->h, n = model->n, rank = -1;
    gdyn_state *state = gdyn_state_create(model);
    double *C = gdyn_alloc((size_t)rows * (size_t)n + 1, sizeof *C);
    double *row = gdyn_alloc((size_t)rows + 1, sizeof *row);
    double *column = gdyn_alloc((size_t)n, sizeof *column);
    double *phi = gdyn_alloc((size_t)rows + 1, sizeof *phi);
    gdyn_qr *qr = gdyn_qr_create(rows > 0 ? rows : 1, n);
    if (state && C && row && column && phi && qr) {
        take_pose(state, pose);
        gdyn_mech_scales(model, row, column);
        gdyn_mech_jacobian(state, C);
        gdyn_mech_constraints(state, phi);
        *misfit = 0;
        for (int i = 0; i < model->m; i++)
            *misfit = fmax(*misfit, fabs(phi[i] * row[i]));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < rows; i++)
                C[i + j * rows] *= row[i] * column[j];
        if (gdyn_qr_factor(qr, rows, n, C, rows, 0) == GDYN_OK) {
            rank = qr->rank.rank;
            *gap = qr->rank.gap;
        }
    }
    gdyn_qr_destroy(qr);
    gdyn_free(phi);
    gdyn_free(column);
    gdyn_free(row);
    gdyn_free(C);
    gdyn_state_destroy(state);
    return rank;
}

/* Rows and rank of the machine with the present changes; false when it cannot be made, does not
 * close here, or the decision is doubtful. */
static bool judge(search *s, int count, const gdyn_joint_change *changes, int *rows, int *rank) {
    gdyn_model *model = gdyn_proposal_model(s->model, count, changes);
    double gap = 0, misfit = 0;
    s->out->rebuilt++;
    if (!model)
        return false;
    *rows = model->m + model->h;
    *rank = rank_at(model, s->state, &gap, &misfit);
    gdyn_model_destroy(model);
    double allowed = 1e-7 * gdyn_model_length(s->model);
    return *rank >= 0 && gap >= GDYN_GAP_SAFE && misfit <= allowed;
}

/* --- searching ------------------------------------------------------------------------------ */

static void add_option(search *s, int joint, gdyn_joint_change change) {
    int rows, rank, was = s->model->m + s->model->h;
    if (s->options[joint] == OPTIONS_MOST || !judge(s, 1, &change, &rows, &rank))
        return;
    /* Alone it must already leave the rank, and release no more than is redundant. */
    change.released = was - rows;
    if (change.released > 0 && change.released <= s->out->redundancy && rank == s->present.rank)
        s->option[joint][s->options[joint]++] = change;
}

static void list_options(search *s, int joint) {
    const gdyn_machine *machine = s->model->machine;
    const gdyn_joint_def *old = &machine->joint[joint];
    bool planar = machine->space == GDYN_PLANAR;
    const option *table = planar ? planar_options : spatial_options;
    size_t count =
        planar ? sizeof planar_options / sizeof *table : sizeof spatial_options / sizeof *table;
    if (is_held(machine, joint))
        return;
    for (size_t i = 0; i < count; i++) {
        if (table[i].from != old->type)
            continue;
        gdyn_joint_change change = {.joint = joint, .def = *old};
        change.def.type = table[i].to;
        change.def.viscous = change.def.coulomb = 0;
        direct(s->state, old, table[i].axis, &change.def);
        add_option(s, joint, change);
    }
    add_option(s, joint, (gdyn_joint_change){.joint = joint, .def = *old, .removed = true});
}

/* Two options of a joint that differ only in the direction of an axis count as one proposal. */
static bool known(const search *s) {
    for (int p = 0; p < s->out->count; p++) {
        const gdyn_proposal *other = &s->out->proposal[p];
        bool same = other->count == s->present.count;
        for (int i = 0; same && i < other->count; i++)
            same = other->change[i].joint == s->present.change[i].joint &&
                   other->change[i].removed == s->present.change[i].removed &&
                   other->change[i].def.type == s->present.change[i].def.type;
        if (same)
            return true;
    }
    return false;
}

static void extend(search *s, int from, int left) {
    bool last = s->present.count + 1 == s->wanted;
    for (int j = from; j < s->joints && s->out->count < GDYN_PROPOSALS_MOST; j++)
        for (int o = 0; o < s->options[j] && s->out->count < GDYN_PROPOSALS_MOST; o++) {
            int released = s->option[j][o].released, rows, rank;
            bool out = s->option[j][o].removed && s->option[j][o].def.type != GDYN_KNIFE_EDGE;
            if (released > left || (last && released != left) || (out && !s->leave_out))
                continue;
            if (s->out->rebuilt >= REBUILDS_MOST) {
                s->out->complete = false;
                return;
            }
            s->present.change[s->present.count++] = s->option[j][o];
            bool good = judge(s, s->present.count, s->present.change, &rows, &rank) &&
                        rank == s->present.rank;
            if (good && last && !known(s))
                s->out->proposal[s->out->count++] = s->present;
            if (good && !last)
                extend(s, j + 1, left - released);
            s->present.count--;
        }
}

static void run(search *s) {
    gdyn_proposals *out = s->out;
    for (int j = 0; j < s->joints; j++)
        list_options(s, j);
    for (int pass = 0; pass < 2 && out->count == 0; pass++) {
        s->leave_out = pass > 0;
        for (s->wanted = 1; s->wanted <= GDYN_CHANGES_MOST && out->count == 0; s->wanted++)
            extend(s, 0, out->redundancy);
    }
}

gdyn_status gdyn_proposals_find(const gdyn_state *state, gdyn_proposals *out) {
    const gdyn_model *model = gdyn_state_model(state);
    search s = {.model = model, .state = state, .out = out, .joints = gdyn_model_joints(model)};
    double gap = 0, misfit = 0;
    *out = (gdyn_proposals){.complete = true};
    s.options = gdyn_alloc((size_t)s.joints, sizeof *s.options);
    s.option = gdyn_alloc((size_t)s.joints, sizeof *s.option);
    gdyn_status status = s.options && s.option ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        s.present.rank = rank_at(model, state, &gap, &misfit);
        s.present.mobility = out->mobility = model->n - s.present.rank;
        out->redundancy = model->m + model->h - s.present.rank;
        status = s.present.rank < 0 ? GDYN_ERROR_NUMERIC : GDYN_OK;
    }
    if (status == GDYN_OK && out->redundancy > 0)
        run(&s);
    gdyn_free(s.option);
    gdyn_free(s.options);
    return status;
}

const char *gdyn_proposal_text(const gdyn_model *model, const gdyn_joint_change *change, char *out,
                               size_t size) {
    const gdyn_joint_def *old = gdyn_model_joint(model, change->joint);
    if (change->removed)
        snprintf(out, size, "%s: leave out the %s", old->name, gdyn_joint_type_name(old->type));
    else
        snprintf(out, size, "%s: %s -> %s", old->name, gdyn_joint_type_name(old->type),
                 gdyn_joint_type_name(change->def.type));
    return out;
}
