/* mjcf_springs.c - `springdamper` of joints: a time constant T and a damping ratio zeta in place
 * of stiffness k and damping d.
 *
 * With the inertia I = 1 / (M^-1)_jj of the joint at the reference, all other joints free,
 * MuJoCo sets
 *     k = I / (T zeta)^2,   d = 2 I / T.
 * (M^-1)_jj is the acceleration of joint j under a unit force on it: articulated-body inertias
 * from the leaves to the root once, then for each such joint the way to the root and back
 * (Featherstone 2008, section 7.3). Motions (omega; v of the origin) and forces (moment about
 * the origin; force) have the axes of the ground. */
#include "import/robot.h"

#include "linalg/vec3.h"

#include <string.h>

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
