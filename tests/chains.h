/* chains.h - machines of any number of bodies for tests and benchmarks:
 *
 *   closed    a row of four-bars side by side (IFToMM benchmark A02): 2 N + 1 bodies, one drive that the path prescribes
 *   serial    a chain of hinged links, every joint driven and prescribed by the path
 *   loop      one closed loop of hinged links; all joints but three far apart are driven and prescribed
 *
 * in the plane and in space (there with tilted axes: four-bars of a hinge, a ball and a universal joint; `hinges`: of parallel
 * hinges alone, with three redundant conditions per loop). */
#ifndef GDYN_TESTS_CHAINS_H
#define GDYN_TESTS_CHAINS_H

#include "globdyn.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

enum { CHAIN_JOINTS = 400 };

/* A machine in the making, in a plane z = 0 of a frame that is tilted in space. */
typedef struct chain_maker {
    gdyn_machine *machine;
    bool spatial;
    double R[9], cardan[3];
    int bodies, joints, prescribed;
    int driven[CHAIN_JOINTS];
    const char *formula[CHAIN_JOINTS];
} chain_maker;

static inline chain_maker chain_begin(bool spatial) {
    chain_maker m = {.spatial = spatial, .cardan = {0, 0, 0}};
    double tilted[3] = {0.4, -0.3, 0.2};
    m.machine =
        gdyn_machine_create(spatial ? GDYN_SPATIAL : GDYN_PLANAR, (const double[3]){0, -9.81, 0});
    gdyn_rotation_from_cardan(m.R, spatial ? tilted : m.cardan);
    return m;
}

/* A bar of that length between two points of the plane, its origin in the middle. */
static inline int chain_add_bar(chain_maker *m, double x, double y, double angle, double length) {
    char name[16];
    double turn[9], R[9],
        place[3] = {x + 0.5 * length * cos(angle), y + 0.5 * length * sin(angle), 0};
    snprintf(name, sizeof name, "bar%d", m->bodies);
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = length * length / 12;
    m3_apply(def.position, m->R, place);
    gdyn_rotation_from_cardan(turn, (const double[3]){0, 0, angle});
    gdyn_m3_multiply(R, m->R, turn);
    gdyn_rotation_to_cardan(R, def.cardan);
    if (!m->spatial)
        v3_set(def.cardan, 0, 0, angle);
    m->bodies++;
    return gdyn_machine_add_body(m->machine, &def);
}

/* A joint about the plane's normal at local points along both bars, or at a place on the ground. */
static inline int chain_add_joint(chain_maker *m, gdyn_joint_type type, int a, double at_a, int b,
                                  double x, double y) {
    char name[16];
    gdyn_joint_def def = gdyn_joint_default();
    snprintf(name, sizeof name, "joint%d", m->joints++);
    def.name = name;
    def.type = type;
    def.a.body = a;
    def.b.body = b;
    def.a.at[0] = at_a;
    v3_set(def.b.at, x, y, 0);
    if (b == GDYN_GROUND)
        m3_apply(def.b.at, m->R, def.b.at);
    if (m->spatial) {
        v3_set(def.axis_a, 0, 0, 1);
        v3_set(def.axis_b, 0, 0, 1);
        if (type == GDYN_UNIVERSAL)
            v3_set(def.axis_a, 0, 1, 0);
        if (b == GDYN_GROUND)
            m3_apply(def.axis_b, m->R, def.axis_b);
    }
    return gdyn_machine_add_joint(m->machine, &def);
}

/* A drive at a hinge, which follows the formula. */
static inline void chain_drive(chain_maker *m, int joint, const char *formula) {
    char name[16];
    gdyn_drive_def def = gdyn_drive_default();
    snprintf(name, sizeof name, "drive%d", m->prescribed);
    def.name = name;
    def.kind = GDYN_DRIVE_JOINT;
    def.joint = joint;
    def.min = -1e5;
    def.max = 1e5;
    m->driven[m->prescribed] = joint;
    m->formula[m->prescribed++] = formula;
    gdyn_machine_add_drive(m->machine, &def);
}

/* Bodies: 2 N + 1. Rockers of 1 m stand 0.8 to 1 m apart, bars of these lengths join their ends. */
static inline chain_maker chain_four_bars(bool spatial, bool hinges, int bodies) {
    chain_maker m = chain_begin(spatial);
    double x = 0, angle = 0.9;
    bool balls = spatial && !hinges;
    int before = chain_add_bar(&m, 0, 0, angle, 1);
    chain_drive(&m, chain_add_joint(&m, GDYN_REVOLUTE, before, -0.5, GDYN_GROUND, 0, 0),
                "0.9 + 0.7*p");
    for (int i = 1; 2 * i < bodies; i++) {
        double length = 0.8 + 0.2 * fabs(sin(i));
        int bar = chain_add_bar(&m, x + cos(angle), sin(angle), 0, length);
        int rocker = chain_add_bar(&m, x += length, 0, angle, 1);
        chain_add_joint(&m, GDYN_REVOLUTE, rocker, -0.5, GDYN_GROUND, x, 0);
        chain_add_joint(&m, balls ? GDYN_SPHERICAL : GDYN_REVOLUTE, bar, -0.5 * length, before, 0.5,
                        0);
        chain_add_joint(&m, balls ? GDYN_UNIVERSAL : GDYN_REVOLUTE, bar, 0.5 * length, rocker, 0.5,
                        0);
        before = rocker;
    }
    return m;
}

static inline chain_maker chain_closed_planar(int bodies) {
    return chain_four_bars(false, false, bodies);
}

static inline chain_maker chain_closed_spatial(int bodies) {
    return chain_four_bars(true, false, bodies);
}

static inline chain_maker chain_closed_hinges(int bodies) {
    return chain_four_bars(true, true, bodies);
}

/* Links of 1 m, every one at the same angle to the one before. */
static inline chain_maker chain_links(bool spatial, int bodies) {
    chain_maker m = chain_begin(spatial);
    double x = 0, y = 0, angle = 0.1;
    for (int i = 0; i < bodies; i++) {
        int bar = chain_add_bar(&m, x, y, angle, 1);
        int joint = i == 0 ? chain_add_joint(&m, GDYN_REVOLUTE, bar, -0.5, GDYN_GROUND, 0, 0)
                           : chain_add_joint(&m, GDYN_REVOLUTE, bar, -0.5, bar - 1, 0.5, 0);
        chain_drive(&m, joint, "0.1 + p");
        x += cos(angle);
        y += sin(angle);
        angle += 0.1;
    }
    return m;
}

static inline chain_maker chain_serial_planar(int bodies) {
    return chain_links(false, bodies);
}

static inline chain_maker chain_serial_spatial(int bodies) {
    return chain_links(true, bodies);
}

/* A regular polygon whose side on the ground is left out: its angles change alternately. */
static inline chain_maker chain_loop_planar(int bodies) {
    chain_maker m = chain_begin(false);
    double x = 0, y = 0, turn = 2 * acos(-1) / (bodies + 1), angle = turn;
    static char more[CHAIN_JOINTS][80];
    for (int i = 0; i < bodies; i++) {
        int bar = chain_add_bar(&m, x, y, angle, 1);
        int joint = i == 0 ? chain_add_joint(&m, GDYN_REVOLUTE, bar, -0.5, GDYN_GROUND, 0, 0)
                           : chain_add_joint(&m, GDYN_REVOLUTE, bar, -0.5, bar - 1, 0.5, 0);
        snprintf(more[i], sizeof more[i], "%.17g %c %.17g*p", turn, i % 2 ? '+' : '-',
                 0.3 / bodies);
        if (i != bodies / 3 && i != 2 * bodies / 3)
            chain_drive(&m, joint, more[i]);
        x += cos(angle);
        y += sin(angle);
        angle += turn;
        if (i == bodies - 1)
            chain_add_joint(&m, GDYN_REVOLUTE, bar, 0.5, GDYN_GROUND, x, y);
    }
    return m;
}

#endif
