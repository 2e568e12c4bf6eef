/* mjcf.c - robots of MuJoCo's XML: bodies nested in bodies, joints within them, classes of
 * defaults.
 *
 * A body's frame is where it stands at the reference (qpos0); a joint's coordinate is counted
 * from its `ref`. Several joints of one body move one after the other: between them stand links
 * without mass. */
#include "import/robot.h"

#include "base/pi.h"
#include "linalg/linalg.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

enum { LINKS_MOST = 5000 };

/* --- joints ----------------------------------------------------------------------------------- */

/* In radians where it turns. */
static bool read_angle(const gdyn_mjcf_place *place, const gdyn_xml *e, const char *name, int count,
                       const gdyn_robot_joint *joint, double *values) {
    bool good = gdyn_mjcf_numbers(place, e, name, count, count, values);
    if (joint->motion == GDYN_ROBOT_TURN && gdyn_mjcf_get(place, e, name))
        for (int i = 0; i < count; i++)
            values[i] *= place->m->angle;
    return good;
}

static void read_scalar_joint(const gdyn_mjcf_place *place, const gdyn_xml *e,
                              gdyn_robot_joint *joint) {
    double ref = 0, rest = 0, range[2] = {0, 0};
    const gdyn_mjcf *m = place->m;
    gdyn_robot *robot = m->robot;
    gdyn_mjcf_numbers(place, e, "axis", 3, 3, joint->axis);
    if (v3_norm(joint->axis) < 1e-12)
        gdyn_robot_error(robot, e, NULL, "the axis of a joint has no direction");
    read_angle(place, e, "ref", 1, joint, &ref);
    read_angle(place, e, "springref", 1, joint, &rest);
    if (!m->off.limit && gdyn_mjcf_limited(place, e, "limited", "range") &&
        read_angle(place, e, "range", 2, joint, range)) {
        joint->min = range[0] - ref;
        joint->max = range[1] - ref;
        if (range[0] == 0 && range[1] == 0) {
            joint->min = -INFINITY;
            joint->max = INFINITY;
            gdyn_robot_remark_at(robot, "assumed", e, "range=\"0 0\" of a joint is no limit");
        } else if (range[0] >= range[1])
            gdyn_robot_error(robot, e, NULL, "the range of a joint is empty");
    }
    if (gdyn_mjcf_limited(place, e, "actuatorfrclimited", "actuatorfrcrange"))
        gdyn_mjcf_numbers(place, e, "actuatorfrcrange", 2, 2, joint->bound);
    joint->rest = rest - ref;
    if (ref != 0)
        robot->zero_means = ", counted from ref";
    gdyn_mjcf_numbers(place, e, "stiffness", 1, 1, &joint->stiffness);
    gdyn_mjcf_numbers(place, e, "damping", 1, 1, &joint->viscous);
    gdyn_mjcf_numbers(place, e, "frictionloss", 1, 1, &joint->coulomb);
    gdyn_mjcf_numbers(place, e, "armature", 1, 1, &joint->armature);
    gdyn_mjcf_numbers(place, e, "springdamper", 2, 2, joint->settling);
    if (joint->stiffness < 0 || joint->viscous < 0 || joint->coulomb < 0 || joint->armature < 0)
        gdyn_robot_error(robot, e, NULL,
                         "stiffness, damping, friction and armature must not be negative");
    if (m->off.frictionloss)
        joint->coulomb = 0;
}

static void read_joint(const gdyn_mjcf_place *place, const gdyn_xml *e, gdyn_robot_joint *joint) {
    static const char *const types[] = {"hinge", "slide", "ball", "free", NULL};
    static const gdyn_robot_motion motions[] = {GDYN_ROBOT_TURN, GDYN_ROBOT_SLIDE, GDYN_ROBOT_BALL,
                                                GDYN_ROBOT_FREE};
    bool free = gdyn_xml_is(e, "freejoint");
    const char *type = free ? "free" : gdyn_mjcf_get(place, e, "type");
    int number = gdyn_word_number(types, type ? type : "hinge");
    if (number < 0) {
        gdyn_robot_error(place->m->robot, e, "hinge, slide, ball or free",
                         "unknown type of joint: %s", gdyn_robot_shown(place->m->robot, type));
        return;
    }
    joint->motion = motions[number];
    if (!free)
        gdyn_mjcf_numbers(place, e, "pos", 3, 3, joint->at);
    if (gdyn_robot_joint_scalar(joint))
        read_scalar_joint(place, e, joint);
    else if (!free) {
        /* Balls and free bodies keep their motion alone. */
        static const char *const lost[] = {"range",        "stiffness", "damping",
                                           "frictionloss", "armature",  "springdamper"};
        for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
            const char *value = gdyn_mjcf_get(place, e, lost[i]);
            if (value && strcmp(value, "0") != 0)
                gdyn_robot_remark_at(place->m->robot, "dropped", e,
                                     "%s of a joint of type ball or free", lost[i]);
        }
    }
    if (joint->motion == GDYN_ROBOT_FREE)
        v3_set(joint->at, 0, 0, 0);
    if (joint->motion == GDYN_ROBOT_FREE && joint->parent != 0)
        gdyn_robot_error(place->m->robot, e, NULL, "only children of the world can be free");
}

/* --- bodies ----------------------------------------------------------------------------------- */

static bool is_joint(const gdyn_xml *e) {
    return gdyn_xml_is(e, "joint") || gdyn_xml_is(e, "freejoint");
}

static const gdyn_xml *next_joint(const gdyn_xml *e) {
    while (e && !is_joint(e))
        e = e->next;
    return e;
}

/* A joint and the link behind it; `placing` is identity behind the first one. The link, or -1. */
static int add_step(const gdyn_mjcf_place *place, const gdyn_xml *element, const gdyn_xml *joint_at,
                    int parent, const gdyn_placing *placing, const char *link_name) {
    gdyn_robot *robot = place->m->robot;
    const char *name = joint_at ? gdyn_xml_get(joint_at, "name") : NULL;
    if (robot->links >= LINKS_MOST) {
        gdyn_robot_error(robot, element, NULL, "more than %d links", LINKS_MOST);
        return -1;
    }
    if (!name)
        name = gdyn_arena_printf(robot->arena, "%s_joint", link_name);
    gdyn_robot_link *link = gdyn_robot_add_link(robot, link_name, element);
    gdyn_robot_joint *joint = link && name
                                  ? gdyn_robot_add_joint(robot, name, joint_at ? joint_at : element,
                                                         parent, robot->links - 1)
                                  : NULL;
    if (!joint)
        return -1;
    joint->made_up = !joint_at || !gdyn_xml_get(joint_at, "name");
    joint->placing = *placing;
    if (joint_at)
        read_joint(place, joint_at, joint);
    return robot->links - 1;
}

static void read_contents(gdyn_mjcf *m, const char *childclass, const gdyn_xml *body, int link,
                          const gdyn_placing *frame);

/* The joints of a body, in their order; the link of the body itself, or -1. */
static int read_joints(const gdyn_mjcf_place *place, const gdyn_xml *body, int parent,
                       gdyn_placing placing, const char *name) {
    gdyn_robot *robot = place->m->robot;
    const gdyn_xml *joint = next_joint(body->first);
    int step = 1;
    if (!joint)
        return add_step(place, body, NULL, parent, &placing, name);
    for (; joint; joint = next_joint(joint->next), step++) {
        bool last = !next_joint(joint->next);
        const char *own = last ? name : gdyn_arena_printf(robot->arena, "%.40s_%d", name, step);
        parent = own ? add_step(place, body, joint, parent, &placing, own) : -1;
        if (parent < 0)
            return -1;
        robot->link[parent].massless = robot->link[parent].made_up = !last;
        gdyn_placing_identity(&placing);
    }
    return parent;
}

static void read_body(gdyn_mjcf *m, const char *childclass, const gdyn_xml *body, int parent,
                      const gdyn_placing *frame) {
    const char *own = gdyn_xml_get(body, "childclass"), *name = gdyn_xml_get(body, "name");
    gdyn_mjcf_place place = {m, own ? own : childclass};
    gdyn_placing placing, inside;
    int number = m->bodies++;
    if (!name)
        name = gdyn_arena_printf(m->robot->arena, "body%d", number);
    if (!name || !gdyn_mjcf_placing(&place, body, &placing))
        return;
    if (gdyn_xml_get(body, "mocap"))
        gdyn_robot_remark_at(m->robot, "assumed", body, "a mocap body is held to the ground");
    gdyn_placing_compose(&placing, frame, &placing);
    int link = read_joints(&place, body, parent, placing, name);
    gdyn_placing_identity(&inside);
    if (link < 0)
        return;
    m->robot->link[link].made_up = !gdyn_xml_get(body, "name");
    gdyn_robot_attribute(m->robot, body, "gravcomp", 1, &m->robot->link[link].buoyancy);
    read_contents(m, place.childclass, body, link, &inside);
}

/* Geoms, sites, bodies; a <frame> turns and shifts what it holds. */
static void read_contents(gdyn_mjcf *m, const char *childclass, const gdyn_xml *body, int link,
                          const gdyn_placing *frame) {
    gdyn_mjcf_place place = {m, childclass};
    gdyn_mjcf_read_mass(&place, body, link, frame);
    /* named sites become points */
    for (const gdyn_xml *s = gdyn_xml_child(body, "site"); s; s = gdyn_xml_again(s)) {
        const char *name = gdyn_xml_get(s, "name");
        gdyn_placing placing;
        double half;
        if (!name || !gdyn_mjcf_placing(&place, s, &placing))
            continue;
        gdyn_mjcf_fromto(&place, s, &placing, &half);
        gdyn_placing_compose(&placing, frame, &placing);
        int at = add_step(&place, s, NULL, link, &placing, name);
        if (at >= 0)
            place.m->robot->link[at].massless = true;
    }
    for (const gdyn_xml *e = body->first; e; e = e->next) {
        gdyn_placing inner;
        if (gdyn_xml_is(body, "frame") && (is_joint(e) || gdyn_xml_is(e, "inertial"))) {
            gdyn_robot_error(m->robot, e, "set it in the body itself",
                             "<%s> in a <frame> is not read", e->name);
        } else if (gdyn_xml_is(e, "body")) {
            read_body(m, childclass, e, link, frame);
        } else if (gdyn_xml_is(e, "frame")) {
            const char *own = gdyn_xml_get(e, "childclass");
            gdyn_mjcf_place here = {m, own ? own : childclass};
            if (gdyn_mjcf_placing(&here, e, &inner)) {
                gdyn_placing_compose(&inner, frame, &inner);
                read_contents(m, here.childclass, e, link, &inner);
            }
        }
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static void read_compiler(gdyn_mjcf *m, const gdyn_xml *compiler) {
    gdyn_robot *robot = m->robot;
    const char *seq = gdyn_xml_get(compiler, "eulerseq");
    if (gdyn_xml_get(compiler, "balanceinertia")) {
        m->balanced = gdyn_xml_says(compiler, "balanceinertia", "true");
        if (!m->balanced && !gdyn_xml_says(compiler, "balanceinertia", "false"))
            gdyn_robot_remark_at(robot, "dropped", compiler, "balanceinertia of <compiler>");
    }
    if (gdyn_xml_get(compiler, "autolimits"))
        m->limits_stated = gdyn_xml_says(compiler, "autolimits", "false");
    if (gdyn_xml_says(compiler, "angle", "radian"))
        m->angle = 1;
    if (seq && strlen(seq) == 3 && strspn(seq, "xyzXYZ") == 3)
        m->eulerseq = seq;
    else if (seq)
        gdyn_robot_error(robot, compiler, NULL, "eulerseq is three of the letters xyzXYZ");
    if (gdyn_xml_get(compiler, "inertiafromgeom"))
        m->inertia = gdyn_xml_says(compiler, "inertiafromgeom", "true")    ? GDYN_MJCF_GEOMS
                     : gdyn_xml_says(compiler, "inertiafromgeom", "false") ? GDYN_MJCF_STATED
                                                                           : GDYN_MJCF_AUTO;
    gdyn_robot_attribute(robot, compiler, "settotalmass", 1, &m->total_mass);
    gdyn_robot_attribute(robot, compiler, "inertiagrouprange", 2, m->group);
    if (gdyn_xml_says(compiler, "coordinate", "global"))
        gdyn_robot_error(robot, compiler, NULL, "global coordinates are not read");
}

/* balanceinertia: moments of a body that violate the triangle inequality become their mean. */
static void balance(const gdyn_mjcf *m) {
    gdyn_robot *robot = m->robot;
    for (int i = 1; i < robot->links && m->balanced; i++) {
        double *I = robot->link[i].load.I, A[9], w[3], mean = (I[0] + I[4] + I[8]) / 3;
        memcpy(A, I, sizeof A);
        if (!gdyn_symmetric_values(3, A, w) || w[0] + w[1] >= w[2])
            continue;
        for (int k = 0; k < 9; k++)
            I[k] = k % 4 == 0 ? mean : 0;
        gdyn_robot_remark_at(robot, "changed", robot->link[i].at,
                             "principal moments that violate the triangle inequality are their "
                             "mean (balanceinertia)");
    }
}

static void scale_masses(const gdyn_mjcf *m) {
    double total = 0;
    gdyn_robot *robot = m->robot;
    for (int i = 1; i < robot->links; i++)
        total += robot->link[i].load.mass;
    if (!(m->total_mass > 0) || !(total > 0))
        return;
    for (int i = 1; i < robot->links; i++) {
        robot->link[i].load.mass *= m->total_mass / total;
        for (int k = 0; k < 9; k++)
            robot->link[i].load.I[k] *= m->total_mass / total;
    }
}

static void read_option(gdyn_mjcf *m, const gdyn_xml *option) {
    static const char *const names[] = {"gravity",      "spring",     "damper",
                                        "frictionloss", "limit",      "equality",
                                        "clampctrl",    "constraint", "passive"};
    bool constraint = false, passive = false;
    bool *const off[] = {&m->off.gravity,      &m->off.spring, &m->off.damper,
                         &m->off.frictionloss, &m->off.limit,  &m->off.equality,
                         &m->off.clampctrl,    &constraint,    &passive};
    const gdyn_xml *flag = gdyn_xml_child(option, "flag");
    gdyn_robot_attribute(m->robot, option, "gravity", 3, m->robot->gravity);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (gdyn_xml_says(flag, names[i], "disable") || gdyn_xml_says(flag, names[i], "enable"))
            *off[i] = gdyn_xml_says(flag, names[i], "disable");
    /* two that stand for several */
    if (constraint)
        m->off.frictionloss = m->off.limit = m->off.equality = true;
    if (passive)
        m->off.spring = m->off.damper = true;
}

/* What the flags leave of gravity, springs and dampers; without both of these gravity is not
 * compensated either. */
static void apply_flags(const gdyn_mjcf *m) {
    gdyn_robot *robot = m->robot;
    if (m->off.gravity)
        v3_set(robot->gravity, 0, 0, 0);
    for (int i = 0; i < robot->joints; i++) {
        robot->joint[i].stiffness *= !m->off.spring;
        robot->joint[i].viscous *= !m->off.damper;
    }
    for (int i = 0; i < robot->links; i++)
        robot->link[i].buoyancy *= !(m->off.spring && m->off.damper);
}

static void read_sections(gdyn_mjcf *m) {
    gdyn_placing here;
    gdyn_placing_identity(&here);
    for (const gdyn_xml *e = m->root->first; e; e = e->next)
        if (gdyn_xml_is(e, "compiler"))
            read_compiler(m, e);
        else if (gdyn_xml_is(e, "option"))
            read_option(m, e);
    for (const gdyn_xml *e = gdyn_xml_child(m->root, "worldbody"); e; e = gdyn_xml_again(e))
        read_contents(m, gdyn_xml_get(e, "childclass"), e, 0, &here);
}

gdyn_status gdyn_mjcf_read(gdyn_robot *robot, const gdyn_xml *root) {
    gdyn_mjcf m = {.robot = robot,
                   .root = root,
                   .angle = GDYN_PI / 180,
                   .eulerseq = "xyz",
                   .inertia = GDYN_MJCF_AUTO,
                   .group = {-INFINITY, INFINITY},
                   .bodies = 1};
    if (!gdyn_robot_add_link(robot, "world", root))
        return GDYN_ERROR_MEMORY;
    gdyn_robot_begin(robot, "MuJoCo", root, "model", gdyn_known_mjcf);
    read_sections(&m);
    balance(&m);
    scale_masses(&m);
    gdyn_mjcf_make_springs(robot);
    apply_flags(&m);
    gdyn_mjcf_read_equalities(&m);
    gdyn_mjcf_read_actuators(&m);
    return robot->errors ? GDYN_ERROR_INPUT : robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
