/* mjcf_actuators.c - what drives joints, and what closes loops.
 *
 * The force on a joint is gear * f. A motor has f = ctrl (general: gain * ctrl), so that its
 * ctrlrange bounds the force; servos (position, velocity, ...) are bounded by forcerange alone. */
#include "import/robot.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* --- drives ----------------------------------------------------------------------------------- */

static void set_range(double range[2], double a, double b) {
    range[0] = fmin(a, b);
    range[1] = fmax(a, b);
}

/* How much force a unit of control is; 0: the control is no force. */
static double gain_of(const gdyn_mjcf_place *place, const gdyn_xml *e) {
    double gain = 1;
    if (gdyn_xml_is(e, "motor"))
        return 1;
    const char *gaintype = gdyn_mjcf_get(place, e, "gaintype");
    const char *biastype = gdyn_mjcf_get(place, e, "biastype");
    const char *dyntype = gdyn_mjcf_get(place, e, "dyntype");
    /* what is filtered stays within its range, an integral does not */
    if (!gdyn_xml_is(e, "general") || (gaintype && strcmp(gaintype, "fixed") != 0) ||
        (biastype && strcmp(biastype, "none") != 0) ||
        (dyntype && strcmp(dyntype, "none") != 0 && strncmp(dyntype, "filter", 6) != 0))
        return 0;
    gdyn_mjcf_numbers(place, e, "gainprm", 1, 1, &gain);
    return gain;
}

static void drive_joint(const gdyn_mjcf_place *place, const gdyn_xml *e, int index) {
    gdyn_robot *robot = place->m->robot;
    gdyn_robot_joint *joint = &robot->joint[index];
    /* limits of the force on the joint */
    double limit[2] = {-INFINITY, INFINITY}, control[2] = {0, 0}, force[2] = {-INFINITY, INFINITY},
           gear[6] = {1, 0, 0, 0, 0, 0};
    double gain = gain_of(place, e);
    if (gain != 0 && !place->m->off.clampctrl &&
        gdyn_mjcf_limited(place, e, "ctrllimited", "ctrlrange") &&
        gdyn_mjcf_numbers(place, e, "ctrlrange", 2, 2, control))
        set_range(limit, gain * control[0], gain * control[1]);
    if (gdyn_mjcf_limited(place, e, "forcelimited", "forcerange"))
        gdyn_mjcf_numbers(place, e, "forcerange", 2, 2, force);
    gdyn_mjcf_numbers(place, e, "gear", 1, 6, gear);
    limit[0] = fmax(limit[0], force[0]);
    limit[1] = fmin(limit[1], force[1]);
    if (limit[0] > limit[1])
        gdyn_robot_error(robot, e, NULL, "the force limits of this actuator exclude each other");
    set_range(limit, gear[0] * limit[0], gear[0] * limit[1]);
    if (gear[0] == 0)
        limit[0] = limit[1] = 0;
    /* two actuators of one joint add up */
    joint->effort_min = joint->driven ? joint->effort_min + limit[0] : limit[0];
    joint->effort_max = joint->driven ? joint->effort_max + limit[1] : limit[1];
    joint->driven = true;
    if (!isfinite(limit[0]) || !isfinite(limit[1]))
        gdyn_robot_remark_at(robot, "assumed", e, "an actuator without force limits has none");
}

static void read_actuator(const gdyn_mjcf *m, const gdyn_xml *e) {
    static const char *const read[] = {"general",     "motor",  "position", "velocity",
                                       "intvelocity", "damper", NULL};
    gdyn_mjcf_place place = {m, NULL};
    gdyn_robot *robot = m->robot;
    const char *name = gdyn_mjcf_get(&place, e, "joint");
    if (!name)
        name = gdyn_mjcf_get(&place, e, "jointinparent");
    if (gdyn_word_number(read, e->name) < 0)
        return; /* reported as all that is not known */
    int joint = name ? gdyn_robot_find_joint(robot, name) : -1;
    if (!name)
        gdyn_robot_remark_at(robot, "dropped", e, "actuator <%s> that acts on no joint", e->name);
    else if (joint < 0)
        gdyn_robot_error(robot, e, NULL, "there is no joint '%s'", gdyn_robot_shown(robot, name));
    else if (gdyn_robot_joint_scalar(&robot->joint[joint]))
        drive_joint(&place, e, joint);
    else
        gdyn_robot_remark_at(robot, "dropped", e, "an actuator of a joint of type ball or free");
}

void gdyn_mjcf_read_actuators(const gdyn_mjcf *m) {
    for (const gdyn_xml *s = gdyn_xml_child(m->root, "actuator"); s; s = gdyn_xml_again(s))
        for (const gdyn_xml *e = s->first; e; e = e->next)
            read_actuator(m, e);
    gdyn_robot_drive_some(m->robot, "no joint has an actuator: all have drives without limits");
    for (int i = 0; i < m->robot->joints; i++) {
        gdyn_robot_joint *joint = &m->robot->joint[i];
        /* actuatorfrcrange */
        joint->effort_min = fmax(joint->effort_min, joint->bound[0]);
        joint->effort_max = fmin(joint->effort_max, joint->bound[1]);
        if (joint->driven && joint->effort_min > joint->effort_max)
            gdyn_robot_error(m->robot, joint->at_element, NULL,
                             "the force limits of this joint's drive exclude each other");
        /* a rotor is carried by a drive: by one without force where the joint has no actuator */
        if (joint->armature <= 0 || joint->driven)
            continue;
        joint->driven = true;
        joint->effort_min = joint->effort_max = 0;
        gdyn_robot_remark_at(m->robot, "assumed", joint->at_element,
                             "the armature of a joint without actuator is a drive without force");
    }
}

/* --- closing constraints ---------------------------------------------------------------------- */

/* Link of a body, among links of other elements; no name: the world; -1. */
static int find_body(const gdyn_mjcf *m, const gdyn_xml *at, const char *key) {
    const char *name = gdyn_xml_get(at, key);
    if (!name || !strcmp(name, "world"))
        return 0;
    for (int i = 1; i < m->robot->links; i++)
        if (!m->robot->link[i].made_up && gdyn_xml_is(m->robot->link[i].at, "body") &&
            !strcmp(m->robot->link[i].name, name))
            return i;
    gdyn_robot_error(m->robot, at, NULL, "there is no body '%s'", gdyn_robot_shown(m->robot, name));
    return -1;
}

/* joint1 = c0 + c1 joint2 */
static void read_gear(const gdyn_mjcf *m, const gdyn_xml *e) {
    gdyn_mjcf_place place = {m, NULL};
    gdyn_robot *robot = m->robot;
    double c[5] = {0, 1, 0, 0, 0};
    const char *first = gdyn_xml_get(e, "joint1"), *second = gdyn_xml_get(e, "joint2");
    const char *name = gdyn_xml_get(e, "name");
    int a = first ? gdyn_robot_find_joint(robot, first) : -1;
    int b = second ? gdyn_robot_find_joint(robot, second) : -1;
    gdyn_mjcf_numbers(&place, e, "polycoef", 1, 5, c);
    if (a < 0 || b < 0 || !gdyn_robot_joint_scalar(&robot->joint[a]) ||
        !gdyn_robot_joint_scalar(&robot->joint[b]) || c[1] == 0 || c[2] != 0 || c[3] != 0 ||
        c[4] != 0) {
        gdyn_robot_remark_at(robot, "dropped", e,
                             "<joint> of <equality> that is not a gear of two joints");
        return;
    }
    gdyn_robot_gear *gear = gdyn_robot_add_gear(robot, name ? name : "gear", a, b);
    if (!gear)
        return;
    gear->ratio = c[1];
    gear->offset = c[0];
    robot->joint[a].slave = true;
}

static void read_closure(const gdyn_mjcf *m, const gdyn_xml *e, bool weld) {
    gdyn_mjcf_place place = {m, NULL};
    gdyn_robot *robot = m->robot;
    const char *name = gdyn_xml_get(e, "name");
    double relpose[7] = {0};
    if (!gdyn_xml_get(e, "body1")) {
        gdyn_robot_remark_at(robot, "dropped", e, "<%s> of <equality> between sites", e->name);
        return;
    }
    int a = find_body(m, e, "body1"), b = find_body(m, e, "body2");
    if (a < 0 || b < 0)
        return;
    if (weld && gdyn_mjcf_numbers(&place, e, "relpose", 7, 7, relpose) &&
        (relpose[3] != 0 || relpose[4] != 0 || relpose[5] != 0 || relpose[6] != 0))
        gdyn_robot_remark_at(robot, "assumed", e,
                             "<weld> holds the pose of the reference, not its relpose");
    gdyn_robot_closure *closure =
        gdyn_robot_add_closure(robot, name ? name : e->name, weld ? "fixed" : "spherical", a, b);
    if (!closure)
        return;
    gdyn_mjcf_numbers(&place, e, "anchor", 3, 3, closure->point[0]);
    closure->meet = true;
}

void gdyn_mjcf_read_equalities(const gdyn_mjcf *m) {
    gdyn_mjcf_place place = {m, NULL};
    for (const gdyn_xml *s = gdyn_xml_child(m->root, "equality"); s; s = gdyn_xml_again(s))
        for (const gdyn_xml *e = s->first; e; e = e->next) {
            const char *active = gdyn_mjcf_get(&place, e, "active");
            if (m->off.equality || (active && !strcmp(active, "false")))
                gdyn_robot_remark_at(m->robot, "dropped", e, "<%s> of <equality>, not active",
                                     gdyn_robot_shown(m->robot, e->name));
            else if (gdyn_xml_is(e, "connect") || gdyn_xml_is(e, "weld"))
                read_closure(m, e, gdyn_xml_is(e, "weld"));
            else if (gdyn_xml_is(e, "joint"))
                read_gear(m, e);
        }
}

/* --- springdamper ----------------------------------------------------------------------------- */

/* A time constant T and a damping ratio zeta in place of stiffness k and damping d. With the
 * inertia I = 1 / (M^-1)_jj of the joint at the reference, all other joints free, MuJoCo sets k
 * = I / (T zeta)^2, d = 2 I / T. (M^-1)_jj is the acceleration of joint j under a unit force on
 * it: articulated-body inertias from the leaves to the root once, then for each such joint the
 * way to the root and back (Featherstone 2008, section 7.3). Motions (omega; v of the origin)
 * and forces (moment about the origin; force) have the axes of the ground. */

typedef struct freedom {
    int before;           /* on the way to the root; -1: the ground */
    double S[6], U[6], D; /* its motion; I S; S^T I S and the rotor */
    double I[36], rotor;  /* articulated inertia of what is moved by it (6 x 6) */
    double moment;        /* for a unit force on one freedom: what is left of it here */
    int after;            /* the next one on the way to that freedom */
} freedom;

typedef struct tree {
    freedom *f;
    int count, root;
    int *last;          /* links: the freedom nearest to each; -1: the ground */
    gdyn_placing *zero; /* links: in the ground */
} tree;

static double dot6(const double a[6], const double b[6]) {
    return v3_dot(a, b) + v3_dot(a + 3, b + 3);
}

/* Behind the freedoms that are there, about or along an axis of the ground through x. */
static void add_freedom(tree *t, int link, bool turns, const double axis[3], const double x[3],
                        double rotor) {
    freedom *f = &t->f[t->count];
    *f = (freedom){.before = t->last[link], .rotor = rotor};
    if (turns) {
        v3_copy(f->S, axis);
        v3_cross(f->S + 3, x, axis);
    } else {
        v3_copy(f->S + 3, axis);
    }
    t->last[link] = t->count++;
}

static void add_joint(tree *t, const gdyn_robot_joint *joint) {
    gdyn_placing *zero = &t->zero[joint->child];
    double x[3], axis[3];
    gdyn_placing_compose(zero, &t->zero[joint->parent], &joint->placing);
    gdyn_placing_point(x, zero, joint->at);
    t->last[joint->child] = t->last[joint->parent];
    if (gdyn_robot_joint_scalar(joint)) {
        m3_apply(axis, zero->R, joint->axis);
        gdyn_v3_normalize(axis);
        add_freedom(t, joint->child, joint->motion == GDYN_ROBOT_TURN, axis, x, joint->armature);
    }
    for (int i = 0; i < 3; i++) {
        double unit[3] = {i == 0, i == 1, i == 2};
        if (joint->motion == GDYN_ROBOT_FREE)
            add_freedom(t, joint->child, false, unit, x, 0);
        if (joint->motion == GDYN_ROBOT_FREE || joint->motion == GDYN_ROBOT_BALL)
            add_freedom(t, joint->child, true, unit, x, 0);
    }
}

/* The inertia of a link, about the origin, onto the freedom that moves it. */
static void add_load(tree *t, const gdyn_robot *robot, int link) {
    if (t->last[link] < 0)
        return;
    gdyn_load load;
    gdyn_load_place(&load, &robot->link[link].load, &t->zero[link]);
    double *I = t->f[t->last[link]].I, *c = load.com;
    const double across[9] = {0, c[2], -c[1], -c[2], 0, c[0], c[1], -c[0], 0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double same = i == j;
            I[i + 6 * j] += load.I[i + 3 * j] + load.mass * (same * v3_dot(c, c) - c[i] * c[j]);
            I[i + 6 * (j + 3)] += load.mass * across[i + 3 * j];
            I[i + 3 + 6 * j] -= load.mass * across[i + 3 * j];
        }
        I[i + 3 + 6 * (i + 3)] += load.mass;
    }
}

/* False: some freedom moves nothing. */
static bool make_inertias(tree *t) {
    for (int k = t->count - 1; k >= 0; k--) {
        freedom *f = &t->f[k];
        for (int i = 0; i < 6; i++) {
            f->U[i] = 0;
            for (int j = 0; j < 6; j++)
                f->U[i] += f->I[i + 6 * j] * f->S[j];
        }
        double inertia = dot6(f->S, f->U);
        f->D = inertia + f->rotor;
        if (!(f->D > 1e-15)) /* MuJoCo refuses such models */
            return false;
        for (int j = 0; j < 6 && f->before >= 0; j++)
            for (int i = 0; i < 6; i++)
                t->f[f->before].I[i + 6 * j] += f->I[i + 6 * j] - f->U[i] * f->U[j] / f->D;
    }
    return true;
}

/* 1 / (M^-1)_jj of freedom j. */
static double inertia_of(tree *t, int j) {
    double p[6] = {0}, a[6] = {0}, acceleration = 0;
    /* to the root: what the unit force leaves for the freedoms before */
    for (int k = j, after = -1; k >= 0; after = k, k = t->f[k].before) {
        freedom *f = &t->f[k];
        f->after = after;
        f->moment = (k == j) - dot6(f->S, p);
        for (int i = 0; i < 6; i++)
            p[i] += f->U[i] * f->moment / f->D;
        t->root = k;
    }
    for (int k = t->root; k >= 0; k = t->f[k].after) {
        const freedom *f = &t->f[k];
        acceleration = (f->moment - dot6(f->U, a)) / f->D;
        for (int i = 0; i < 6; i++)
            a[i] += f->S[i] * acceleration;
    }
    return 1 / acceleration;
}

static bool settles(const gdyn_robot_joint *joint) {
    return joint->settling[0] > 0 && joint->settling[1] > 0;
}

/* A parent stands before its children, and joint i holds link i + 1 (mjcf.c). */
void gdyn_mjcf_make_springs(gdyn_robot *robot) {
    tree t = {0};
    size_t links = (size_t)robot->links;
    int wanted = 0;
    for (int i = 0; i < robot->joints; i++)
        wanted += settles(&robot->joint[i]);
    if (wanted == 0 || robot->errors)
        return;
    t.f = gdyn_arena_alloc(robot->arena, 6 * links, sizeof *t.f);
    t.last = gdyn_arena_alloc(robot->arena, links, sizeof *t.last);
    t.zero = gdyn_arena_alloc(robot->arena, links, sizeof *t.zero);
    if (!t.f || !t.last || !t.zero)
        return;
    t.last[0] = -1;
    gdyn_placing_identity(&t.zero[0]);
    for (int i = 0; i < robot->joints; i++) {
        add_joint(&t, &robot->joint[i]);
        add_load(&t, robot, robot->joint[i].child);
    }
    bool good = make_inertias(&t);
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        if (!settles(joint))
            continue;
        double inertia = good ? inertia_of(&t, t.last[joint->child]) : 0;
        double T = joint->settling[0], zeta = joint->settling[1];
        joint->stiffness = inertia / (T * T * zeta * zeta);
        joint->viscous = 2 * inertia / T;
        gdyn_robot_remark_at(robot, good ? "assumed" : "dropped", joint->at_element,
                             good
                                 ? "springdamper of a joint: a spring and friction, by its inertia "
                                   "at the reference"
                                 : "springdamper of a joint: some joint moves no mass");
    }
}
