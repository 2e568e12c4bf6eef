/* joints.c - joints; the table of joint types (model/kinds.h) says which keys each of them
 * takes. */
#include "casefile/reader.h"

#include <math.h>
#include <string.h>

/* --- which keys go with the type -------------------------------------------------------------- */

/* Complains about keys that the type does not take or lacks. */
static void check_keys(gdyn_reader *r, const gdyn_node *node, const gdyn_joint_entry *joint) {
    const char *type = gdyn_joint_type_name(joint->type);
    const gdyn_joint_form *form = gdyn_joint_form_of(joint->type, r->space);
    const char *space = r->space == GDYN_PLANAR ? "planar" : "spatial";
    gdyn_kind_words words = {type, gdyn_log_help(r->log, "a %s %s joint", space, type),
                             "leave it out"};
    gdyn_check_parts(r, node, &gdyn_schema_joint, form->may | form->must, form->must, &words);
}

/* Type of a joint, and the freedoms it has; complains when the space has no such joint. */
static void list_joint(gdyn_reader *r, const gdyn_node *node, gdyn_joint_entry *joint) {
    gdyn_node *type = gdyn_node_get(node, "type");
    int number = gdyn_read_word(node, "type", gdyn_joint_type_names, -1);
    if (number < 0)
        return;
    joint->type = (gdyn_joint_type)number;
    if (r->checking && !r->space_known)
        return;
    if (!gdyn_joint_type_in(joint->type, r->space)) {
        gdyn_read_error(r, type, NULL, GDYN_CODE_WORD "there is no %s joint in %s", type->text,
                        r->space == GDYN_PLANAR ? "the plane" : "space");
        return;
    }
    /* Freedoms are known before any joint is read, for gears and drives. */
    joint->known = true;
    joint->freedoms = gdyn_joint_freedoms(joint->type, r->space, joint->freedom);
}

/* --- values ----------------------------------------------------------------------------------- */

static void read_direction(gdyn_reader *r, const gdyn_node *node, gdyn_joint_def *def) {
    gdyn_node *axis = gdyn_node_get(node, "axis"), *axes = gdyn_node_get(node, "axes");
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, r->space);
    /* Planar joints with a direction have x unless another is stated. */
    if (r->space == GDYN_PLANAR && gdyn_joint_reads(form, GDYN_READS_AXES)) {
        const double x[3] = {1, 0, 0};
        memcpy(def->axis_a, x, sizeof x), memcpy(def->axis_b, x, sizeof x);
    }
    /* One direction for both bodies, or one for each. */
    if (axis && gdyn_read_vector(r, axis, GDYN_DIM_UNKNOWN, def->axis_a))
        memcpy(def->axis_b, def->axis_a, sizeof def->axis_b);
    /* The normal of a plane stands in for an axis that is not stated. */
    if (gdyn_node_get(node, "normal") && gdyn_joint_reads(form, GDYN_READS_AXES) &&
        !gdyn_node_find(node, "axis") && !gdyn_node_find(node, "axes")) {
        memcpy(def->axis_a, def->normal, sizeof def->axis_a);
        memcpy(def->axis_b, def->normal, sizeof def->axis_b);
    }
    if (!axes)
        return;
    if (!gdyn_expect_items(r, axes, 2,
                           "write axes: [[...], [...]], or axis: [...] when both are the same",
                           "'axes' is a list of two vectors"))
        return;
    gdyn_read_vector(r, axes->item[0], GDYN_DIM_UNKNOWN, def->axis_a);
    gdyn_read_vector(r, axes->item[1], GDYN_DIM_UNKNOWN, def->axis_b);
}

static void read_locks(gdyn_reader *r, gdyn_node *node, gdyn_joint_def *def) {
    if (!gdyn_expect(r, node, GDYN_NODE_SEQUENCE, "write locks: [x, y, rz]", "a list"))
        return;
    for (int i = 0; i < node->count; i++) {
        gdyn_node *item = node->item[i];
        int lock =
            item->kind == GDYN_NODE_SCALAR ? gdyn_word_number(gdyn_words_lock, item->text) : -1;
        if (lock < 0)
            gdyn_read_error(r, item, "one of: x, y, z, rx, ry, rz",
                            GDYN_CODE_WORD "this cannot be locked");
        else
            def->locks[lock] = true;
    }
}

/* What all freedoms of a joint do; unknown where some slide and others turn. */
static gdyn_coordinate common_of(const gdyn_joint_entry *joint) {
    int sliding = 0;
    for (int i = 0; i < joint->freedoms; i++)
        sliding += gdyn_freedom_slides(joint->freedom[i]);
    return joint->freedoms == 0 || (sliding > 0 && sliding < joint->freedoms)
               ? GDYN_COORDINATE_UNKNOWN
               : gdyn_coordinate_of(sliding > 0);
}

static void read_gear(gdyn_reader *r, const gdyn_node *node, gdyn_joint_def *def) {
    gdyn_node *of = gdyn_node_get(node, "of");
    gdyn_coordinate along_a, along_b;
    /* A gear is of two joints. */
    if (!of || !gdyn_expect_items(r, of, 2, "write of: [joint, other]", "a gear is of two joints"))
        return;
    bool a = gdyn_read_joint(r, of->item[0], &def->joint_a, &def->freedom_a, &along_a);
    bool b = gdyn_read_joint(r, of->item[1], &def->joint_b, &def->freedom_b, &along_b);
    if (!a || !b)
        return;
    /* ratio = first / second coordinate. */
    gdyn_dimension first = gdyn_dimension_along(GDYN_D_COORDINATE, along_a);
    gdyn_dimension second = gdyn_dimension_along(GDYN_D_COORDINATE, along_b);
    def->ratio = gdyn_read_number(r, node, "ratio", gdyn_dimension_product(first, second, -1), 1.0);
    def->offset = gdyn_read_number(r, node, "offset", first, 0.0);
}

static void read_ends(gdyn_reader *r, const gdyn_node *node, gdyn_joint_def *def) {
    gdyn_node *of = gdyn_node_get(node, "of");
    if (!of)
        return;
    /* A joint to the ground may name its own point only. */
    bool alone = gdyn_joint_kind_of(def->type)->ends == GDYN_ENDS_POINT;
    if (alone && of->kind == GDYN_NODE_SEQUENCE && of->count == 1) {
        gdyn_read_anchor(r, of->item[0], &def->a);
        def->b = (gdyn_anchor){.body = GDYN_GROUND};
        return;
    }
    gdyn_read_anchors(r, of, &def->a, &def->b);
}

static void read_joint(gdyn_reader *r, const gdyn_node *node, gdyn_joint_entry *joint) {
    gdyn_joint_def def = gdyn_joint_default();
    bool stands = gdyn_joint_type_has_points(joint->type);
    def.name = joint->name, def.type = joint->type;
    if (joint->known && r->checking)
        check_keys(r, node, joint);
    /* A gear couples two joints, every other type two points. */
    if (stands)
        read_ends(r, node, &def);
    else
        read_gear(r, node, &def);
    const gdyn_node *friction = joint->known ? gdyn_node_get(node, "friction") : NULL;
    gdyn_coordinate along = common_of(joint);
    gdyn_read_fields(r, node, &gdyn_schema_joint, along, &def);
    if (joint->known) {
        gdyn_node *locks = gdyn_node_get(node, "locks");
        read_direction(r, node, &def);
        if (locks)
            read_locks(r, locks, &def);
        if (stands)
            def.offset = gdyn_read_number(r, node, "offset", GDYN_DIM_NONE, def.offset);
        /* one number for forces and for torques is hardly ever what is meant */
        if (r->checking && friction && joint->freedoms > 0 && along == GDYN_COORDINATE_UNKNOWN)
            gdyn_log_node(r->log, GDYN_WARNING, friction,
                          gdyn_log_help(r->log,
                                        "set it for one freedom: forces: {f: {type: friction, "
                                        "at: %.60s.%s, ...}}",
                                        joint->name, gdyn_freedom_name(joint->freedom[0])),
                          GDYN_CODE_FREEDOM "this joint slides and turns: the same number would be "
                                            "its friction in N and in N m");
        def.stiction = gdyn_read_stiction(r, friction, gdyn_dimension_along(GDYN_D_EFFORT, along),
                                          def.coulomb);
    }
    /* which components its reaction has */
    char carried[GDYN_CARRIED_MOST + 1];
    if (joint->known && r->space_known && *gdyn_joint_form_of(def.type, r->space)->rows &&
        gdyn_joint_carries(&def, r->space, carried) > 0)
        joint->carried = gdyn_arena_strdup(r->arena, carried);
    if (gdyn_machine_add_joint(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
    gdyn_read_joint_ranges(r, node, (int)(joint - r->joint));
}

void gdyn_read_joints(gdyn_reader *r, const gdyn_node *machine) {
    const gdyn_node *joints = gdyn_node_map(machine, "joints");
    if (!joints)
        return;
    r->joint = gdyn_reader_alloc(r, (size_t)joints->count, sizeof *r->joint);
    if (!r->joint)
        return;
    r->joints = joints->count;
    /* All joints are listed before the first is read: gears refer to any. */
    for (int i = 0; i < r->joints; i++) {
        r->joint[i].name = joints->key[i]->text, r->joint[i].node = joints->item[i];
        list_joint(r, joints->item[i], &r->joint[i]);
    }
    for (int i = 0; i < r->joints; i++)
        if (joints->item[i]->kind == GDYN_NODE_MAPPING)
            read_joint(r, joints->item[i], &r->joint[i]);
}

/* --- values of their coordinates -------------------------------------------------------------- */

/* Of joints [m, rad, per s]: beyond it rounding leaves no angle. */
static const double LARGEST = 1e9;

const gdyn_joint_value *gdyn_read_joint_values(gdyn_reader *r, gdyn_node *node,
                                               gdyn_field_dimension dimension, const char *help,
                                               int *count) {
    gdyn_joint_value *list =
        gdyn_reader_entries(r, node, GDYN_NODE_MAPPING, help, "a mapping", sizeof *list);
    for (int i = 0; list && i < node->count; i++) {
        gdyn_joint_value *v = &list[*count];
        gdyn_coordinate along;
        if (!gdyn_read_joint(r, node->key[i], &v->joint, &v->freedom, &along) ||
            !gdyn_read_value(r, node->item[i], gdyn_dimension_along(dimension, along), &v->value))
            continue;
        if (fabs(v->value) > LARGEST)
            gdyn_read_error(r, node->item[i], NULL,
                            GDYN_CODE_RANGE "the value of '%.60s' is larger than %g",
                            node->key[i]->text, LARGEST);
        /* under one name or two */
        int k = 0;
        while (k < *count && (list[k].joint != v->joint || list[k].freedom != v->freedom))
            k++;
        if (k == *count)
            ++*count;
        else
            gdyn_read_error(r, node->key[i], "leave one of them out",
                            GDYN_CODE_TWICE "'%.60s' has two values", node->key[i]->text);
    }
    return list;
}
