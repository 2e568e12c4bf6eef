/* chains.h - machines of any number of bodies for tests and benchmarks:
 *
 *   closed    a row of four-bars side by side (IFToMM benchmark A02): 2 N + 1 bodies, one drive that the path prescribes
 *   serial    a chain of hinged links, every joint driven and prescribed by the path
 *   loop      one closed loop of hinged links; all joints but three far apart are driven and prescribed
 *   mesh      rectangles of two sizes hinged at their corners, as the squares of a chessboard; those of one colour turn forward and
 *             the others back while the net opens (Grima and Evans 2000): one freedom whatever the size, up to a quarter of
 *             the conditions redundant
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

/* A plate of two kinds, its origin in the middle. */
static inline int chain_add_plate(chain_maker *m, const double size[2], double x, double y,
                                  double angle) {
    char name[16];
    gdyn_body_def def = gdyn_body_default();
    snprintf(name, sizeof name, "plate%d", m->bodies++);
    def.name = name;
    def.mass = 1;
    def.inertia[2] = (size[0] * size[0] + size[1] * size[1]) / 12;
    v3_set(def.position, x, y, 0);
    v3_set(def.cardan, 0, 0, angle);
    return gdyn_machine_add_body(m->machine, &def);
}

/* A hinge at points of two plates. */
static inline int chain_hinge_plates(chain_maker *m, int a, const double at_a[2], int b,
                                     const double at_b[2]) {
    char name[16];
    gdyn_joint_def def = gdyn_joint_default();
    snprintf(name, sizeof name, "joint%d", m->joints++);
    def.name = name;
    def.type = GDYN_REVOLUTE;
    def.a.body = a;
    def.b.body = b;
    v3_set(def.a.at, at_a[0], at_a[1], 0);
    v3_set(def.b.at, at_b[0], at_b[1], 0);
    return gdyn_machine_add_joint(m->machine, &def);
}

/* The corners at which a plate of a kind is hinged to its neighbours: right, left, above, below. */
static inline void chain_corners(const double size[2], int kind, double at[4][2]) {
    static const double sign[2][4][2] = {{{1, -1}, {-1, 1}, {1, 1}, {-1, -1}},
                                         {{1, 1}, {-1, -1}, {-1, 1}, {1, -1}}};
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 2; c++)
            at[k][c] = 0.5 * sign[kind][k][c] * size[c];
}

/* Moves a place by the way from the middle of a plate to that of its neighbour on side k (0: right, 2: above). */
static inline void chain_step(double at[2][4][2], const double angle[2], int kind, int k,
                              double place[2]) {
    const double *from = at[kind][k], *to = at[!kind][k + 1];
    double c = cos(angle[kind]), s = sin(angle[kind]), d = cos(angle[!kind]), t = sin(angle[!kind]);
    place[0] += c * from[0] - s * from[1] - (d * to[0] - t * to[1]);
    place[1] += s * from[0] + c * from[1] - (t * to[0] + d * to[1]);
}

/* Bodies: a square number of them, those of the first colour 1 m by `height`. The first one turns on the ground; it and its
 * neighbour are driven. Plates stand at +-(0.3 + 0.2 p). */
static inline chain_maker chain_mesh(int bodies, double height) {
    const double size[2][2] = {{1, height}, {0.9, 1.1}}, angle[2] = {0.3, -0.3};
    static const double middle[2] = {0, 0};
    chain_maker m = chain_begin(false);
    int side = (int)(sqrt(bodies) + 0.5);
    double at[2][4][2], start[2] = {0, 0};
    for (int kind = 0; kind < 2; kind++)
        chain_corners(size[kind], kind, at[kind]);
    for (int y = 0; y < side; chain_step(at, angle, y++ % 2, 2, start)) {
        double place[2] = {start[0], start[1]};
        for (int x = 0; x < side; chain_step(at, angle, (x++ + y) % 2, 0, place))
            chain_add_plate(&m, size[(x + y) % 2], place[0], place[1], angle[(x + y) % 2]);
    }
    chain_drive(&m, chain_hinge_plates(&m, 0, middle, GDYN_GROUND, middle), "0.3 + 0.2*p");
    for (int i = 0; i < side * side; i++) {
        int x = i % side, y = i / side, kind = (x + y) % 2, right = -1;
        if (x + 1 < side)
            right = chain_hinge_plates(&m, i, at[kind][0], i + 1, at[!kind][1]);
        if (i == 0)
            chain_drive(&m, right, "0.6 + 0.4*p");
        if (y + 1 < side)
            chain_hinge_plates(&m, i, at[kind][2], i + side, at[!kind][3]);
    }
    return m;
}

static inline chain_maker chain_mesh_planar(int bodies) {
    return chain_mesh(bodies, 0.8);
}

#endif
