/* machines.h - machines built through the public interface for tests and benchmarks: the
 * four-slider star and n-UPS platforms, with options that must not change any result. */
#ifndef GDYN_TESTS_MACHINES_H
#define GDYN_TESTS_MACHINES_H

#include <math.h>
#include <stdio.h>

#include "globdyn.h"

/* unit: lengths in 1/unit metres (1000: mm, forces then in kg mm/s2); shift: body frames moved and
 * turned; reverse: bodies and joints added in reverse order; swap: joints state their bodies in the
 * other order; speed_limits: as in the case. */
typedef struct machine_options {
    double unit, shift;
    bool reverse, swap, speed_limits;
} machine_options;

static inline machine_options machine_defaults(void) {
    return (machine_options){.unit = 1.0};
}

enum { STAR_PLATFORM, STAR_SLIDER, STAR_LEG = STAR_SLIDER + 4, STAR_BODIES = STAR_LEG + 4 };

typedef struct star {
    machine_options options;
    gdyn_machine *machine;
    int body[STAR_BODIES], joint[12];
} star;

/* A point given in the standard frame of a body, in the frame actually used: the actual frame sits
 * at (shift, -shift/2) of the standard one and is turned by `shift` rad. */
static inline gdyn_anchor star_point(const star *s, int part, double x, double y) {
    double d = s->options.shift, u = s->options.unit;
    gdyn_anchor anchor = {.body = part < 0 ? GDYN_GROUND : s->body[part]};
    if (part < 0)
        d = 0.0;
    double px = x - d, py = y + 0.5 * d;
    anchor.at[0] = u * (cos(d) * px + sin(d) * py);
    anchor.at[1] = u * (cos(d) * py - sin(d) * px);
    return anchor;
}

static inline void star_axis(const star *s, int part, double x, double y, double axis[3]) {
    double d = part < 0 ? 0.0 : s->options.shift;
    axis[0] = cos(d) * x + sin(d) * y;
    axis[1] = cos(d) * y - sin(d) * x;
    axis[2] = 0.0;
}

static inline void star_body(star *s, int part, double mass, double inertia, double x, double y,
                             double angle) {
    static const char *const names[] = {"platform", "slider1", "slider2", "slider3", "slider4",
                                        "leg1",     "leg2",    "leg3",    "leg4"};
    double d = s->options.shift, u = s->options.unit;
    gdyn_body_def def = gdyn_body_default();
    def.name = names[part];
    def.mass = mass;
    def.inertia[2] = inertia * u * u;
    s->body[part] = s->options.reverse ? STAR_BODIES - 1 - part : part;
    gdyn_anchor com = star_point(s, part, 0, 0);
    def.com[0] = com.at[0];
    def.com[1] = com.at[1];
    def.position[0] = u * (x + cos(angle) * d + sin(angle) * 0.5 * d);
    def.position[1] = u * (y + sin(angle) * d - cos(angle) * 0.5 * d);
    def.cardan[2] = angle + d;
    if (gdyn_machine_add_body(s->machine, &def) != s->body[part])
        s->body[part] = -100;
}

static inline void star_joint(star *s, int index, gdyn_joint_type type, gdyn_anchor a,
                              gdyn_anchor b, const double axes[2][3], double viscous) {
    char name[8];
    snprintf(name, sizeof name, "j%d", index);
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = type;
    bool swap = s->options.swap && type == GDYN_REVOLUTE;
    def.a = swap ? b : a;
    def.b = swap ? a : b;
    for (int i = 0; axes && i < 3; i++) {
        def.axis_a[i] = axes[0][i];
        def.axis_b[i] = axes[1][i];
    }
    def.viscous = viscous * s->options.unit * s->options.unit;
    s->joint[index] = gdyn_machine_add_joint(s->machine, &def);
}

/* Example 1 of the case format: rail 500 mm, leg 650 mm, half 60 mm. */
static inline gdyn_model *build_star(machine_options options, const gdyn_sink *sink,
                                     gdyn_anchor *tool) {
    const double rail = 0.5, leg = 0.65, half = 0.06, leg_mass = 2.5, pi = acos(-1.0);
    const double lead = sqrt(leg * leg - (rail - half) * (rail - half));
    const double gravity[3] = {0, -9.81 * options.unit, 0};
    const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    star s = {.options = options, .machine = gdyn_machine_create(GDYN_PLANAR, gravity)};
    for (int step = 0; step < STAR_BODIES; step++) {
        int part = options.reverse ? STAR_BODIES - 1 - step : step;
        int i = part == STAR_PLATFORM ? 0 : (part - 1) % 4 + 1;
        double t = i * pi / 2, px = rail * cos(t) - lead * sin(t),
               py = rail * sin(t) + lead * cos(t);
        if (part == STAR_PLATFORM) {
            star_body(&s, part, 12, 0.08, 0, 0, 0);
        } else if (part < STAR_LEG) {
            star_body(&s, part, 4, 0.01, px, py, t);
        } else {
            double qx = half * corner[i - 1][0], qy = half * corner[i - 1][1];
            star_body(&s, part, leg_mass, leg_mass * leg * leg / 12, 0.5 * (px + qx),
                      0.5 * (py + qy), atan2(qy - py, qx - px));
        }
    }
    for (int step = 0; step < 4; step++) {
        int i = options.reverse ? 4 - step : step + 1;
        double t = i * pi / 2, axes[2][3];
        int slider = STAR_SLIDER + i - 1, link = STAR_LEG + i - 1;
        star_axis(&s, slider, 0, 1, axes[0]);
        star_axis(&s, -1, -sin(t), cos(t), axes[1]);
        star_joint(&s, i - 1, GDYN_PRISMATIC, star_point(&s, slider, 0, 0),
                   star_point(&s, -1, rail * cos(t), rail * sin(t)), (const double(*)[3])axes, 0);
        star_joint(&s, 3 + i, GDYN_REVOLUTE, star_point(&s, link, -leg / 2, 0),
                   star_point(&s, slider, 0, 0), NULL, 0);
        star_joint(&s, 7 + i, GDYN_REVOLUTE, star_point(&s, link, leg / 2, 0),
                   star_point(&s, STAR_PLATFORM, half * corner[i - 1][0], half * corner[i - 1][1]),
                   NULL, 0.02);
    }
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", i + 1);
        gdyn_drive_def def = gdyn_drive_default();
        def.name = name;
        def.joint = s.joint[i];
        def.min = -900 * options.unit;
        def.max = 900 * options.unit;
        def.stiffness = 4e7;
        if (options.speed_limits)
            def.speed_max = 4 * options.unit;
        gdyn_machine_add_drive(s.machine, &def);
    }
    *tool = star_point(&s, STAR_PLATFORM, 0, 0);
    gdyn_model *model = NULL;
    gdyn_model_create(s.machine, sink, &model);
    gdyn_machine_destroy(s.machine);
    return model;
}

/* n-UPS platform (n = 6: the one of the speed comparison; more legs are spread between them). */
static inline gdyn_model *build_ups(int legs, const gdyn_sink *sink, gdyn_anchor *tool) {
    const double deg = acos(-1.0) / 180.0, gravity[3] = {0, 0, -9.81}, height = 0.9;
    const double base6[] = {-10, 10, 110, 130, 230, 250}, top6[] = {-50, 50, 70, 170, 190, 290};
    const double base8[] = {-10, 10, 80, 100, 170, 190, 260, 280};
    const double top8[] = {-40, 40, 50, 130, 140, 220, 230, 310};
    const double *base = legs == 6 ? base6 : base8, *top = legs == 6 ? top6 : top8;
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.name = "platform";
    body.mass = 30;
    body.inertia[0] = body.inertia[1] = 1.209;
    body.inertia[2] = 2.4;
    body.position[2] = height;
    gdyn_machine_add_body(machine, &body);
    for (int i = 0; i < legs; i++) {
        char name[16];
        gdyn_anchor foot = {GDYN_GROUND, {0.8 * cos(base[i] * deg), 0.8 * sin(base[i] * deg), 0}};
        gdyn_anchor head = {0, {0.4 * cos(top[i] * deg), 0.4 * sin(top[i] * deg), 0}};
        for (int part = 0; part < 2;
             part++) { /* cylinder, then piston; both point upwards along z */
            snprintf(name, sizeof name, "%s%d", part ? "piston" : "cylinder", i + 1);
            body = gdyn_body_default();
            body.name = name;
            body.mass = part ? 3 : 5;
            body.inertia[0] = body.inertia[1] = part ? 0.0628 : 0.10529;
            body.inertia[2] = part ? 0.0006 : 0.00225;
            body.com[2] = part ? -0.25 : 0.25;
            body.pose_points = 2;
            if (part) { /* origin at the head, z from the foot to the head */
                body.pose_own[1][2] = -1.0;
                body.pose_on[0] = head;
                body.pose_on[1] = foot;
            } else {
                body.pose_own[1][2] = 1.0;
                body.pose_on[0] = foot;
                body.pose_on[1] = head;
            }
            gdyn_machine_add_body(machine, &body);
        }
        gdyn_joint_def joint = gdyn_joint_default();
        snprintf(name, sizeof name, "foot%d", i + 1);
        joint.name = name;
        joint.type = GDYN_UNIVERSAL;
        joint.a = (gdyn_anchor){1 + 2 * i, {0, 0, 0}};
        joint.b = foot;
        joint.axis_a[1] = 1; /* crossed axes: one level in the ground, one in the cylinder */
        joint.axis_b[0] = 1;
        gdyn_machine_add_joint(machine, &joint);
        joint = gdyn_joint_default();
        snprintf(name, sizeof name, "slide%d", i + 1);
        joint.name = name;
        joint.type = GDYN_PRISMATIC;
        joint.a = (gdyn_anchor){2 + 2 * i, {0, 0, 0}};
        joint.b = (gdyn_anchor){1 + 2 * i, {0, 0, 0}};
        joint.axis_a[2] = joint.axis_b[2] = 1;
        int slide = gdyn_machine_add_joint(machine, &joint);
        joint = gdyn_joint_default();
        snprintf(name, sizeof name, "head%d", i + 1);
        joint.name = name;
        joint.type = GDYN_SPHERICAL;
        joint.a = (gdyn_anchor){2 + 2 * i, {0, 0, 0}};
        joint.b = head;
        gdyn_machine_add_joint(machine, &joint);
        gdyn_drive_def drive = gdyn_drive_default();
        snprintf(name, sizeof name, "leg%d", i + 1);
        drive.name = name;
        drive.joint = slide;
        drive.min = -800;
        drive.max = 800;
        gdyn_machine_add_drive(machine, &drive);
    }
    *tool = (gdyn_anchor){0, {0, 0, 0}};
    gdyn_model *model = NULL;
    gdyn_model_create(machine, sink, &model);
    gdyn_machine_destroy(machine);
    return model;
}

/* A formula of p. */
static inline gdyn_expr *formula(const char *text) {
    static const char *const p[] = {"p"};
    gdyn_scope scope = {.variables = p, .variable_count = 1};
    gdyn_expr_error error;
    return gdyn_expr_compile(text, &scope, &error);
}

#endif
