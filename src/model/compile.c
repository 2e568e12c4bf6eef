/* compile.c - definitions -> rows. The words of joint_kinds.c are written out here, letter by
 * letter; nothing in the library compares joint types. */
#include "linalg/vec3.h"
#include "model/data.h"

#include "base/pi.h"

#include <stdio.h>
#include <string.h>

/* A row between the joint's points. */
static gdyn_row row_of(const gdyn_joint_geometry *f, gdyn_row_kind kind) {
    gdyn_row row = {.kind = kind, .a = f->a, .b = f->b, .turn = -1};
    v3_copy(row.sa, f->sa), v3_copy(row.sb, f->sb);
    return row;
}

/* e . (x_a - x_b), e fixed in b. */
static gdyn_row along(const gdyn_joint_geometry *f, const double e[3]) {
    gdyn_row row = row_of(f, GDYN_ROW_ALONG);
    v3_copy(row.e, e);
    row.length = true;
    return row;
}

/* m . e, m fixed in a, e in b. */
static gdyn_row dot(const gdyn_joint_geometry *f, const double m[3], const double e[3]) {
    gdyn_row row = row_of(f, GDYN_ROW_DOT);
    v3_copy(row.m, m), v3_copy(row.e, e);
    return row;
}

/* Angle about e (in b) from k (in b) to m (in a). */
static gdyn_row turn(const gdyn_joint_geometry *f, const double e[3], const double k[3],
                     const double m[3]) {
    gdyn_row row = row_of(f, GDYN_ROW_TURN);
    v3_copy(row.e, e), v3_copy(row.k, k), v3_copy(row.m, m);
    return row;
}

/* In the plane about z, in space about the joint's axis. */
static gdyn_row joint_angle(const gdyn_machine *machine, const gdyn_joint_geometry *f) {
    static const double z[3] = {0, 0, 1};
    return machine->space == GDYN_PLANAR ? turn(f, z, f->ub, f->ua)
                                         : turn(f, f->ub, f->nb[0], f->na[0]);
}

/* Universal joint: `first` about the axis in b, from the projection of a's axis components (the
 * pose in which the frames align) to a's axis; `second` about the axis in a, seen from the other
 * side. */
static gdyn_row universal_angle(const gdyn_joint_geometry *f, bool second) {
    gdyn_joint_geometry g = *f;
    double e[3], k[3], m[3];
    if (!second) {
        v3_copy(e, f->ub), v3_copy(m, f->ua);
    } else {
        /* seen from the other body */
        g.a = f->b, g.b = f->a;
        v3_copy(g.sa, f->sb), v3_copy(g.sb, f->sa);
        v3_scale(e, -1.0, f->ua);
        v3_copy(m, f->ub);
    }
    /* the projection at right angles to the axis is the zero position */
    v3_axpy(k, m, -v3_dot(m, e), e);
    gdyn_v3_normalize(k);
    return turn(&g, e, k, m);
}

/* The row of a joint's coordinate; ok: the joint has this freedom. */
gdyn_row gdyn_row_joint(const gdyn_model *model, int joint, gdyn_freedom freedom, bool *ok) {
    const gdyn_machine *machine = model->machine;
    gdyn_freedom which = gdyn_joint_resolve(machine, joint, freedom);
    *ok = which != GDYN_FREEDOM_DEFAULT;
    gdyn_row row = {.kind = GDYN_ROW_POINT, .a = GDYN_GROUND, .b = GDYN_GROUND, .turn = -1};
    if (!*ok)
        return row;
    gdyn_joint_geometry f = gdyn_joint_geometry_of(machine, &machine->joint[joint]);
    /* slides, then angles, whose turns the state counts */
    if (which == GDYN_FREEDOM_SLIDE)
        return along(&f, f.ub);
    if (which == GDYN_FREEDOM_X || which == GDYN_FREEDOM_Y)
        return along(&f, f.nb[which == GDYN_FREEDOM_Y]);
    if (which == GDYN_FREEDOM_ANGLE)
        row = joint_angle(machine, &f);
    else
        row = universal_angle(&f, which == GDYN_FREEDOM_SECOND);
    row.turn = 2 * joint + (which == GDYN_FREEDOM_SECOND);
    return row;
}

/* A coordinate of a point in the ground's frame. */
gdyn_row gdyn_row_point(const gdyn_model *model, gdyn_anchor a, int axis) {
    gdyn_row row = {.kind = GDYN_ROW_POINT,
                    .a = a.body,
                    .b = GDYN_GROUND,
                    .axis = axis,
                    .length = true,
                    .turn = -1};
    gdyn_anchor_offset(model->machine, &a, row.sa);
    return row;
}

/* One component of an orientation error; the frame is filled in by the path. */
gdyn_row gdyn_row_orientation(const gdyn_model *model, int body, int axis) {
    (void)model;
    gdyn_row row = {.kind = GDYN_ROW_ORIENT, .a = body, .b = GDYN_GROUND, .axis = axis, .turn = -1};
    gdyn_m3_identity(row.frame);
    return row;
}

/* The angle of a body in the plane, counted over whole turns. */
gdyn_row gdyn_row_angle(const gdyn_model *model, int body) {
    gdyn_row row = {.kind = GDYN_ROW_TURN,
                    .a = body,
                    .b = GDYN_GROUND,
                    .turn = 2 * model->machine->joints + body};
    v3_set(row.e, 0, 0, 1), v3_set(row.k, 1, 0, 0), v3_set(row.m, 1, 0, 0);
    return row;
}

/* --- constraint rows ------------------------------------------------------------------------- */

typedef struct builder {
    gdyn_model *model;
    int count, capacity; /* of model->row while it is built */
    int owner;           /* joint, or -1 - motion */
} builder;

/* Appends a row; those that do not fit are still counted. */
static void emit(builder *b, gdyn_row row, const char *name) {
    if (b->count < b->capacity) {
        b->model->row[b->count] = row, b->model->row_joint[b->count] = b->owner;
        b->model->row_name[b->count] = name;
    }
    b->count++;
}

/* Watches that m (in a) and e (in b) do not point against each other. */
static void guard(builder *b, const gdyn_joint_geometry *f, const double m[3], const double e[3]) {
    gdyn_guard *g = &b->model->guard[b->model->guards++];
    *g = (gdyn_guard){.joint = b->owner,
                      .row = {.kind = GDYN_ROW_DOT, .a = f->a, .b = f->b, .turn = -1}};
    v3_copy(g->row.m, m), v3_copy(g->row.e, e);
}

/* A copy that lives as long as the model. */
static const gdyn_row *keep(builder *b, gdyn_row row) {
    gdyn_row *copy = gdyn_arena_room(b->model->arena, 1, sizeof row);
    return copy ? memcpy(copy, &row, sizeof row) : NULL;
}

/* first + weight * second as one row over the bodies of both. */
static gdyn_row sum(builder *b, gdyn_row first, double weight, gdyn_row second) {
    gdyn_row row = {.kind = GDYN_ROW_SUM,
                    .a = first.a,
                    .b = first.b,
                    .weight = weight,
                    .turn = -1,
                    .length = first.length};
    row.first = keep(b, first), row.second = keep(b, second);
    return row;
}

/* q_a - ratio q_b = offset */
static void emit_gear(builder *b, const gdyn_joint_def *def) {
    bool ok_a, ok_b;
    gdyn_row first = gdyn_row_joint(b->model, def->joint_a, def->freedom_a, &ok_a);
    gdyn_row second = gdyn_row_joint(b->model, def->joint_b, def->freedom_b, &ok_b);
    gdyn_row row = sum(b, first, -def->ratio, second);
    row.target = def->offset;
    emit(b, row, "gear");
}

/* Locked translations along b's axes. Locked rotations: with one locked, a universal-like
 * condition; with two, the free axis stays parallel; with three, no rotation. */
static void emit_generic(builder *b, const gdyn_joint_geometry *f, const gdyn_joint_def *def) {
    static const char *const translation[] = {"x", "y", "z"}, *const rotation[] = {"rx", "ry",
                                                                                   "rz"};
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    /* translations along b's axes */
    for (int i = 0; i < 3; i++)
        if (def->locks[i])
            emit(b, along(f, axes[i]), translation[i]);
    /* two locked rotations leave one axis free */
    int locked = def->locks[3] + def->locks[4] + def->locks[5], free_axis = 2;
    if (locked == 2)
        for (int i = 0; i < 3; i++)
            if (!def->locks[3 + i])
                free_axis = i;
    /* each locked rotation as one product of axes */
    for (int i = 0; i < 3; i++) {
        if (!def->locks[3 + i])
            continue;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (locked >= 2 && i != free_axis) /* turning about i moves the free axis along the third */
            emit(b, dot(f, axes[free_axis], axes[3 - i - free_axis]), rotation[i]);
        else
            emit(b, dot(f, axes[k], axes[j]), rotation[i]);
    }
    /* products vanish at both senses of an axis: guards choose */
    for (int i = 0; i < 3; i++)
        if ((locked == 2 && !def->locks[3 + i]) || (locked == 3 && i > 0))
            guard(b, f, axes[i], axes[i]);
}

/* Height of a disc's lowest point above the plane. */
static void emit_disc(builder *b, const gdyn_joint_geometry *f, const gdyn_joint_def *def) {
    gdyn_row row = row_of(f, GDYN_ROW_DISC);
    v3_copy(row.m, f->ua), v3_copy(row.e, def->normal);
    gdyn_v3_normalize(row.e);
    row.radius = def->radius, row.length = true;
    emit(b, row, "contact");
}

/* One letter of a word that gives a holonomic row. */
/* Rows of directions: distances along a normal of the joint, products of two directions. False: the
 * letter is another one. */
static bool emit_direction(builder *b, char letter, const gdyn_joint_geometry *f) {
    switch (letter) {
    case '1':
        emit(b, along(f, f->nb[0]), "n1");
        return true;
    case '2':
        emit(b, along(f, f->nb[1]), "n2");
        return true;
    case '3':
        emit(b, along(f, f->ub), "n");
        return true;
    case 'p':
        emit(b, dot(f, f->ua, f->nb[0]), "r1");
        return true;
    case 'q':
        emit(b, dot(f, f->ua, f->nb[1]), "r2");
        guard(b, f, f->ua, f->ub);
        return true;
    case 'r':
        emit(b, dot(f, f->na[0], f->nb[1]), "r3");
        guard(b, f, f->na[0], f->nb[0]);
        return true;
    case 'u':
        emit(b, dot(f, f->ua, f->ub), "r");
        return true;
    default:
        return false;
    }
}

static void emit_letter(builder *b, char letter, const gdyn_joint_geometry *f,
                        const gdyn_joint_def *def) {
    static const char *const axes[] = {"x", "y", "z"};
    gdyn_row row;
    if (emit_direction(b, letter, f))
        return;
    /* one case per letter of the types' table */
    switch (letter) {
    case 'x':
    case 'y':
    case 'z':
        row = row_of(f, GDYN_ROW_POINT);
        row.axis = letter - 'x', row.length = true;
        emit(b, row, axes[row.axis]);
        break;
    case 't':
        row = joint_angle(b->model->machine, f);
        row.target = def->offset;
        emit(b, row, "angle");
        break;
    case 'd':
        row = row_of(f, GDYN_ROW_DISTANCE);
        row.target = def->length, row.length = true;
        emit(b, row, "length");
        break;
    case 's': /* slide - pitch / 2 pi angle = 0 */
        row = joint_angle(b->model->machine, f);
        row.turn = 2 * b->owner;
        emit(b, sum(b, along(f, f->ub), -def->pitch / (2.0 * GDYN_PI), row), "screw");
        break;
    case 'g':
        emit_gear(b, def);
        break;
    case 'G':
        emit_generic(b, f, def);
        break;
    case 'c':
        emit_disc(b, f, def);
        break;
    default:
        break;
    }
}

/* Rows of velocities alone: knife edges, rolling. */
static void emit_pfaffian(builder *b, char letter, const gdyn_joint_geometry *f,
                          const gdyn_joint_def *def) {
    gdyn_row row = row_of(f, letter == 'K' ? GDYN_ROW_KNIFE : GDYN_ROW_ROLL);
    row.length = true;
    if (letter == 'K') {
        v3_copy(row.m, def->normal);
        gdyn_v3_normalize(row.m);
        emit(b, row, "normal");
    } else if (letter == 'R') {
        /* rolling in both directions of the plane */
        double normal[3], tangent[2][3];
        v3_copy(normal, def->normal);
        gdyn_v3_normalize(normal);
        gdyn_v3_triad(normal, tangent[0], tangent[1]);
        v3_copy(row.m, f->ua), v3_copy(row.e, normal);
        row.radius = def->radius;
        for (int i = 0; i < 2; i++) {
            v3_copy(row.k, tangent[i]);
            emit(b, row, i ? "roll2" : "roll1");
        }
    }
}

typedef void emit_one(builder *b, char letter, const gdyn_joint_geometry *f,
                      const gdyn_joint_def *def);

/* Rows of every joint's letters, and where they stand. */
static void emit_joints(builder *b, emit_one *emit_row, int *first, int *count) {
    const gdyn_machine *machine = b->model->machine;
    for (int i = 0; i < machine->joints; i++) {
        /* the word of its type, letter by letter */
        const gdyn_joint_def *def = &machine->joint[i];
        gdyn_joint_geometry f = gdyn_joint_geometry_of(machine, def);
        b->owner = i;
        first[i] = b->count;
        for (const char *letter = gdyn_joint_form_of(def->type, machine->space)->rows; *letter;
             letter++)
            emit_row(b, *letter, &f, def);
        count[i] = b->count - first[i];
    }
}

/* Joints, then prescribed motions. */
static void emit_holonomic(builder *b) {
    gdyn_model *model = b->model;
    const gdyn_machine *machine = model->machine;
    emit_joints(b, emit_letter, model->joint_first, model->joint_count);
    for (int i = 0; i < machine->motions; i++) {
        bool ok;
        b->owner = -1 - i;
        emit(b, gdyn_row_joint(model, machine->motion[i].joint, machine->motion[i].freedom, &ok),
             "motion");
    }
    model->m = b->count;
}

/* --- drives, forces, friction ---------------------------------------------------------------- */

/* The distance of two points. */
static gdyn_row between(const gdyn_machine *machine, const gdyn_anchor *a, const gdyn_anchor *b) {
    gdyn_row row = {
        .kind = GDYN_ROW_DISTANCE, .a = a->body, .b = b->body, .length = true, .turn = -1};
    gdyn_anchor_offset(machine, a, row.sa), gdyn_anchor_offset(machine, b, row.sb);
    return row;
}

/* Power of a constant force and torque at a point. */
static gdyn_row wrench(const gdyn_machine *machine, const gdyn_anchor *at, const double force[3],
                       const double torque[3], bool in_body) {
    gdyn_row row = {.kind = GDYN_ROW_WRENCH,
                    .a = at->body,
                    .b = GDYN_GROUND,
                    .in_body = in_body,
                    .length = true,
                    .turn = -1};
    gdyn_anchor_offset(machine, at, row.sa);
    v3_copy(row.m, force), v3_copy(row.f, torque);
    return row;
}

/* The rows along which drives and forces act. */
static void compile_actions(gdyn_model *model) {
    const gdyn_machine *machine = model->machine;
    bool ok;
    for (int i = 0; i < machine->drives; i++) {
        const gdyn_drive_def *def = &machine->drive[i];
        const gdyn_drive_traits *traits = gdyn_drive_traits_of(def->kind);
        model->drive_sign[i] = traits->sign;
        model->drive_row[i] = traits->acts == GDYN_ACTS_AT_JOINT
                                  ? gdyn_row_joint(model, def->joint, def->freedom, &ok)
                              : traits->acts == GDYN_ACTS_ON_POINT
                                  ? wrench(machine, &def->a, def->force, def->torque, def->in_body)
                                  : between(machine, &def->a, &def->b);
    }
    for (int i = 0; i < machine->forces; i++) {
        const gdyn_force_def *def = &machine->force[i];
        model->force_row[i] = gdyn_force_takes(def->kind, GDYN_TAKES_OF)
                                  ? wrench(machine, &def->a, def->force, def->torque, def->in_body)
                              : def->joint != GDYN_NONE
                                  ? gdyn_row_joint(model, def->joint, def->freedom, &ok)
                                  : between(machine, &def->a, &def->b);
    }
}

/* The coordinate of a limit. */
static void compile_limit(gdyn_model *model, int i) {
    const gdyn_limit_def *def = &model->machine->limit[i];
    bool ok;
    model->limit_row[i] = gdyn_row_joint(model, def->joint, def->freedom, &ok);
    model->limit_drive[i] = GDYN_NONE;
    for (int k = 0; k < model->machine->drives; k++) {
        const gdyn_drive_def *drive = &model->machine->drive[k];
        if (gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT &&
            drive->joint == def->joint && drive->freedom == def->freedom)
            model->limit_drive[i] = k;
    }
}

/* The coordinate of a range; of a cone the cosine of its angle. */
static void compile_range(gdyn_model *model, int i) {
    const gdyn_machine *machine = model->machine;
    const gdyn_range_def *def = &machine->range[i];
    bool ok;
    if (def->kind == GDYN_RANGE_DRIVE) {
        model->range_row[i] = model->drive_row[def->drive];
    } else if (def->kind == GDYN_RANGE_JOINT) {
        model->range_row[i] = gdyn_row_joint(model, def->joint, def->freedom, &ok);
    } else {
        /* both directions of the cone */
        double m[3], e[3];
        gdyn_joint_geometry f = gdyn_joint_geometry_of(machine, &machine->joint[def->joint]);
        v3_copy(m, def->axis_a), v3_copy(e, def->axis_b);
        gdyn_v3_normalize(m), gdyn_v3_normalize(e);
        model->range_row[i] = dot(&f, m, e);
    }
}

/* A row with friction; dry friction gets a name for tables: "friction of JOINT.FREEDOM". */
static void add_friction(gdyn_model *model, gdyn_friction friction, const char *of,
                         const char *freedom) {
    if (friction.viscous == 0.0 && friction.coulomb == 0.0 && friction.stiction == 0.0)
        return;
    if (friction.stiction > 0.0 || friction.coulomb > 0.0)
        friction.name = gdyn_arena_printf(model->arena, "friction of %s%s%s", of,
                                          freedom ? "." : "", freedom ? freedom : "");
    if (friction.stiction > 0.0)
        model->stiction[model->stictions++] = model->frictions;
    model->friction[model->frictions++] = friction;
}

/* Friction of joints by their freedoms, and the angles among these whose turns the state counts;
 * then dampers and friction among the forces. */
static void compile_freedoms(gdyn_model *model) {
    const gdyn_machine *machine = model->machine;
    for (int i = 0; i < machine->joints; i++) {
        const gdyn_joint_def *def = &machine->joint[i];
        gdyn_freedom list[3];
        int count = gdyn_joint_freedoms(def->type, machine->space, list);
        for (int j = 0; j < count; j++) {
            bool ok;
            gdyn_row row = gdyn_row_joint(model, i, list[j], &ok);
            gdyn_friction friction = {row, def->viscous, def->coulomb, def->stiction, NULL};
            add_friction(model, friction, def->name, count > 1 ? gdyn_freedom_name(list[j]) : NULL);
            if (ok && row.turn >= 0)
                model->turn_row[model->turn_rows++] = row;
        }
    }
    /* and the angles of bodies in the plane */
    model->turns = 2 * machine->joints + machine->bodies;
    for (int i = 0; i < machine->forces; i++) {
        const gdyn_force_def *def = &machine->force[i];
        bool rubs = gdyn_force_has_dry_friction(def->kind);
        gdyn_friction friction = {model->force_row[i], def->viscous, rubs ? def->coulomb : 0.0,
                                  rubs ? def->stiction : 0.0, NULL};
        if (!gdyn_force_takes(def->kind, GDYN_TAKES_OF))
            add_friction(model, friction, def->name, NULL);
    }
}

enum { MOST_ROWS_PER_JOINT = 8, MOST_GUARDS_PER_JOINT = 2 };

/* Room by the most that each definition can need. */
static bool allocate(gdyn_model *model) {
    const gdyn_machine *machine = model->machine;
    gdyn_arena *arena = model->arena;
    size_t rows = MOST_ROWS_PER_JOINT * (size_t)machine->joints + (size_t)machine->motions;
    size_t joints = (size_t)machine->joints, drives = (size_t)machine->drives;
    size_t forces = (size_t)machine->forces;
    model->row = gdyn_arena_alloc(arena, rows, sizeof(gdyn_row));
    model->guard = gdyn_arena_alloc(arena, MOST_GUARDS_PER_JOINT * joints, sizeof(gdyn_guard));
    model->row_joint = gdyn_arena_alloc(arena, rows, sizeof(int));
    model->row_name = gdyn_arena_alloc(arena, rows, sizeof(char *));
    model->joint_first = gdyn_arena_alloc(arena, joints, sizeof(int));
    model->joint_count = gdyn_arena_alloc(arena, joints, sizeof(int));
    model->pfaffian_first = gdyn_arena_alloc(arena, joints, sizeof(int));
    model->pfaffian_count = gdyn_arena_alloc(arena, joints, sizeof(int));
    model->drive_row = gdyn_arena_alloc(arena, drives, sizeof(gdyn_row));
    model->drive_sign = gdyn_arena_alloc(arena, drives, sizeof(double));
    model->force_row = gdyn_arena_alloc(arena, forces, sizeof(gdyn_row));
    model->range_row = gdyn_arena_alloc(arena, (size_t)machine->ranges, sizeof(gdyn_row));
    model->limit_row = gdyn_arena_alloc(arena, (size_t)machine->limits, sizeof(gdyn_row));
    model->limit_drive = gdyn_arena_alloc(arena, (size_t)machine->limits, sizeof(int));
    model->friction = gdyn_arena_alloc(arena, 3 * joints + forces, sizeof(gdyn_friction));
    model->stiction = gdyn_arena_alloc(arena, 3 * joints + forces, sizeof(int));
    model->turn_row = gdyn_arena_alloc(arena, 2 * joints, sizeof(gdyn_row));
    return !gdyn_arena_failed(arena);
}

/* Rows of joints and motions, then of drives, forces, ranges, friction. */
bool gdyn_model_compile(gdyn_model *model) {
    const gdyn_machine *machine = model->machine;
    if (!allocate(model))
        return false;
    builder b = {.model = model,
                 .capacity = MOST_ROWS_PER_JOINT * machine->joints + machine->motions};
    emit_holonomic(&b);
    emit_joints(&b, emit_pfaffian, model->pfaffian_first, model->pfaffian_count);
    model->h = b.count - model->m;
    compile_actions(model);
    for (int i = 0; i < machine->ranges; i++)
        compile_range(model, i);
    for (int i = 0; i < machine->limits; i++)
        compile_limit(model, i);
    compile_freedoms(model);
    return !gdyn_arena_failed(model->arena);
}
