/* Every form of the format once: what is written is what the definitions hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/evaluate.h"
#include "base/memory.h"
#include "base/text.h"
#include "casefile/casefile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(void *context, const gdyn_diag *diag) {
    (void)context;
    print_message("%s:%d:%d: %s\n", diag->file ? diag->file : "?", diag->line, diag->column,
                  diag->message);
}

/* A case and its instance, from text. */
typedef struct read {
    gdyn_case *c;
    gdyn_instance *in;
} read;

static read read_text(const char *text, const char *filename) {
    gdyn_sink sink = {show, NULL};
    read r = {NULL, NULL};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), filename, &sink, &r.c), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r.c, 0, NULL, &sink, &r.in), GDYN_OK);
    return r;
}

static void close_read(read r) {
    gdyn_instance_destroy(r.in);
    gdyn_case_destroy(r.c);
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fmax(1.0, fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static const gdyn_joint_def *joint(const gdyn_model *m, const char *name) {
    return gdyn_model_joint(m, gdyn_model_find_joint(m, name));
}

static const gdyn_drive_def *drive(const gdyn_model *m, const char *name) {
    return gdyn_model_drive(m, gdyn_model_find_drive(m, name));
}

static const char planar_text[] =
    "format: 1\n"
    "parameters: {L: {value: 0.5 m, about: a length}}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81 m/s^2]\n"
    "  ground: {points: {A: [0, 0], B: {at: [1, 100 cm]}}}\n"
    "  bodies:\n"
    "    link$i: {repeat: {i: 1..3}, mass: 1, inertia: 1, points: {A: [0, 0], B: [L, 0]}, pose: "
    "{at: [L*(i - 1), 0], angle: 10 deg*i}}\n"
    "    body: {like: link1, mass: 2 kg, com: [1 mm, 0]}\n"
    "  joints:\n"
    "    base: {type: revolute, of: [link1.A, ground.A], friction: {coulomb: 2 N m}}\n"
    "    hinge$i: {repeat: {i: [1, 2]}, type: revolute, of: [link$(i + 1).A, \"link${i}.B\"]}\n"
    "    rail: {type: prismatic, of: [body, ground.B]}\n"
    "    gear: {type: gear, of: [rail, hinge2.angle], ratio: 20 mm, offset: 1 m}\n"
    "    rod: {type: rod, of: [link3.B, body.B], length: 30 in}\n";

static const char planar_rest[] =
    "  drives:\n"
    "    m: {at: hinge1, torque: {limit: 6 N m}, rotor_inertia: 2e-5 kg m^2, ratio: 50, "
    "curve: [[0, 6 N m], [300 deg/s, 2 N m]]}\n"
    "    c: {cable: [ground.B, link3.B], tension: {min: 1 N, max: inf}}\n"
    "    s: {between: [ground.A, body.A], force: {min: -unlimited, max: 1 kN}, speed: {max: 2 "
    "m/s}}\n"
    "    jet: {wrench: {of: body.B, force: [0, 2], torque: 0.5 m, in: body}, force: {min: 0, max: "
    "9}}\n"
    "  forces:\n"
    "    k: {type: spring, between: [ground.A, link1.B], stiffness: 2 kN/m, rest: 120 mm}\n"
    "    f: {type: friction, at: rail, viscous: 20 N s/m, coulomb: 5 N}\n"
    "    g: {type: constant, of: link1.B, force: [0, -20 N], torque: 1 N m, in: body}\n"
    "    p: {type: process, of: link3.B, force: 80 N}\n"
    "  motions: {h: {at: hinge2, displacement: 6 rad/s*t}}\n"
    "trajectories:\n"
    "  spline: {of: link3.B, kind: spline, through: [[0, 0], [0.1, 5 cm], [L, 0]], closed: true, "
    "knots: [0, 1, 2, 4]}\n"
    "  arc: {of: link3.B, kind: arc, centre: [0, L], radius: 1, start: 0, end: 90 deg, angle: "
    "2*p}\n"
    "  two: {of: [link3.B, body], p: [0, 2 s], path: {body: {y: 1 m - 0.1 m/s*p}, link3.B: {x: "
    "L}}}\n"
    "  mixed: {of: body.A, p: [0, 1], path: {x: p}, joints: {base: p^2}, weights: {link1: 2, body: "
    "[1, 2, 3]}, points: 7}\n";

static void planar_forms(void **state) {
    (void)state;
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s%s", planar_text, planar_rest);
    read r = read_text(text.data, "x.yaml");
    const gdyn_model *m = r.in->model;
    gdyn_text_free(&text);
    const double degree = acos(-1.0) / 180;
    near(gdyn_model_body(m, 2)->position[0], 1.0),
        near(gdyn_model_body(m, 2)->cardan[2], 30 * degree);
    near(gdyn_model_body(m, 3)->mass, 2), near(gdyn_model_body(m, 3)->cardan[2], 10 * degree);
    near(joint(m, "base")->coulomb, 2);
    assert_int_equal(joint(m, "hinge2")->a.body, 2);
    assert_int_equal(joint(m, "hinge2")->b.body, 1);
    near(joint(m, "hinge2")->b.at[0], 0.5);
    near(joint(m, "rail")->axis_a[0], 1), near(joint(m, "rail")->b.at[1], 1);
    near(joint(m, "gear")->ratio, 0.02), near(joint(m, "gear")->offset, 1);
    assert_int_equal(joint(m, "gear")->freedom_a, GDYN_FREEDOM_SLIDE);
    near(joint(m, "rod")->length, 0.762);
    near(drive(m, "m")->min, -6), near(drive(m, "m")->max, 6), near(drive(m, "m")->ratio, 50);
    assert_int_equal(drive(m, "m")->curve_points, 2);
    near(drive(m, "m")->curve[1][0], 300 * degree);
    assert_true(drive(m, "c")->kind == GDYN_DRIVE_CABLE && drive(m, "c")->max == INFINITY);
    assert_true(drive(m, "s")->min == -INFINITY && drive(m, "s")->speed_max == 2.0);
    assert_true(drive(m, "jet")->in_body && drive(m, "jet")->torque[2] == 0.5);
    assert_string_equal(r.in->drive_source[1].quantity, "tension");
    const gdyn_force_def *spring = gdyn_model_force(m, 0);
    near(spring->stiffness, 2000), near(spring->rest, 0.12);
    near(gdyn_model_force(m, 1)->viscous, 20), near(gdyn_model_force(m, 2)->torque[2], 1);
    near(gdyn_model_force(m, 3)->magnitude, 80);
    close_read(r);
}

static void planar_paths(void **state) {
    (void)state;
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s%s", planar_text, planar_rest);
    read r = read_text(text.data, "x.yaml");
    gdyn_text_free(&text);
    const gdyn_path_def *spline = &r.in->trajectory[0], *arc = &r.in->trajectory[1];
    const gdyn_path_def *two = &r.in->trajectory[2], *mixed = &r.in->trajectory[3];
    assert_int_equal(spline->count, 4);
    near(spline->through[1][1], 0.05), near(spline->through[3][0], 0);
    near(spline->through_p[2], 2), near(spline->p_end, 4);
    near(arc->end, acos(0.0)), near(arc->centre[1], 0.5);
    double p = 0.7;
    near(gdyn_expr_value(arc->tool[0].coordinate[GDYN_PATH_C], &p), 1.4);
    assert_int_equal(two->tools, 2);
    assert_int_equal(two->tool[1].of.body, 3);
    near(gdyn_expr_value(two->tool[0].coordinate[GDYN_PATH_X], &p), 0.5);
    near(gdyn_expr_value(two->tool[1].coordinate[GDYN_PATH_Y], &p), 0.93);
    assert_null(two->tool[0].coordinate[GDYN_PATH_Y]);
    assert_int_equal(mixed->joints, 1);
    near(gdyn_expr_value(mixed->joint[0].value, &p), 0.49);
    assert_int_equal(mixed->points, 7);
    near(mixed->weights[0], 2), near(mixed->weights[3], 1), near(mixed->weights[11], 3);
    close_read(r);
}

static const char spatial_text[] =
    "format: 1\n"
    "machine:\n"
    "  space: spatial\n"
    "  gravity: [0, 0, -9.81]\n"
    "  ground: {points: {O: [0, 0, 0], W: [0, 0, 1]}}\n"
    "  bodies:\n"
    "    a: {mass: 1, inertia: {diagonal: [1, 2, 2.5], products: [0.1, -0.2, 0.3]}, points: {P: "
    "[0, "
    "0, 1]}, pose: {at: [1, 2, 3], cardan: [10 deg, 0, 0]}}\n"
    "    b: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0], Q: [0, 0, 1]}, pose: {P: a.P, Q: "
    "ground.W}}\n"
    "    wheel: {mass: 1, inertia: [1, 1, 1], pose: [0, 0, 0.3]}\n"
    "  joints:\n"
    "    u: {type: universal, of: [a.P, b.P], axes: [[1, 0, 0], [0, 1, 0]]}\n"
    "    c: {type: cylindrical, of: [b.Q, ground.W], axis: [0, 0, 2]}\n"
    "    s: {type: screw, of: [a, ground.O], axis: [0, 0, 1], pitch: 5 mm}\n"
    "    r: {type: rolling, of: [wheel, ground.O], axis: [0, 1, 0], normal: [0, 0, 1], radius: "
    "0.3}\n"
    "    g: {type: generic, of: [wheel, a], locks: [x, rz]}\n"
    "  drives:\n"
    "    d: {at: c.slide, force: {limit: 3 N}}\n"
    "    e: {at: u.second, torque: {min: -1, max: 2}}\n"
    "trajectories:\n"
    "  t: {of: a.P, p: [0, 1], path: {z: p, cardan: [0, p, 0]}}\n"
    "  f: {of: a.P, kind: file, file: casefile_forms.csv}\n";

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void spatial_forms(void **state) {
    (void)state;
    write_file(GDYN_BINARY_DIR "/casefile_forms.csv",
               "# measured\np [s], x [mm], a [deg]\n0, 1, 0\n0.5, 2.5, 45\n\n2, -4, 90\n");
    read r = read_text(spatial_text, GDYN_BINARY_DIR "/x.yaml");
    const gdyn_model *m = r.in->model;
    const double degree = acos(-1.0) / 180;
    const gdyn_body_def *a = gdyn_model_body(m, 0), *b = gdyn_model_body(m, 1);
    near(a->inertia[2], 2.5), near(a->inertia[4], -0.2), near(a->cardan[0], 10 * degree);
    assert_int_equal(b->pose_points, 2);
    near(b->pose_own[1][2], 1), near(b->pose_on[0].at[2], 1);
    assert_int_equal(b->pose_on[1].body, GDYN_GROUND);
    near(joint(m, "u")->axis_b[1], 1), near(joint(m, "s")->pitch, 0.005);
    near(joint(m, "r")->radius, 0.3);
    assert_true(joint(m, "g")->locks[0] && joint(m, "g")->locks[5] && !joint(m, "g")->locks[1]);
    assert_int_equal(drive(m, "d")->freedom, GDYN_FREEDOM_SLIDE);
    assert_int_equal(drive(m, "e")->freedom, GDYN_FREEDOM_SECOND);
    assert_string_equal(r.in->drive_source[1].unit, "N m");
    const gdyn_path_def *f = &r.in->trajectory[1];
    assert_int_equal(f->count, 3);
    near(f->p_end, 2), near(f->table[2 * GDYN_PATH_COORDINATES], -0.004);
    near(f->table[GDYN_PATH_COORDINATES + GDYN_PATH_A], 45 * degree);
    assert_true(isnan(f->table[GDYN_PATH_Y]));
    close_read(r);
}

static void included(void **state) {
    (void)state;
    write_file(GDYN_BINARY_DIR "/casefile_base.yaml",
               "format: 1\nname: base\nparameters: {m: 1 kg, n: 2}\nmachine:\n  space: planar\n"
               "  gravity: [0, 0]\n  bodies: {a: {mass: m, inertia: n}}\n");
    read r = read_text("format: 1\ninclude: [casefile_base.yaml]\nparameters: {m: 5 kg}\n"
                       "machine: {bodies: {b: {like: a, mass: 7}, a: {inertia: 3}}}\n",
                       GDYN_BINARY_DIR "/x.yaml");
    const gdyn_model *m = r.in->model;
    assert_string_equal(r.in->name, "base");
    assert_int_equal(gdyn_model_bodies(m), 2);
    near(gdyn_model_body(m, 0)->mass, 5), near(gdyn_model_body(m, 0)->inertia[2], 3);
    near(gdyn_model_body(m, 1)->mass, 7), near(gdyn_model_body(m, 1)->inertia[2], 3);
    const char *file;
    int line, column;
    assert_true(gdyn_case_locate(r.c, "machine.bodies.a.mass", &file, &line, &column));
    assert_string_equal(file, GDYN_BINARY_DIR "/casefile_base.yaml");
    assert_int_equal(line, 7);
    close_read(r);
}

/* An analytic test problem: no machine, variables that are no parameters. */
static void analytic(void **state) {
    (void)state;
    read r = read_text("format: 1\nparameters: {n: 3}\n"
                       "design: {x$i: {repeat: {i: 1..3}, min: 0, max: 1, start: 0.25*i}, k: {min: "
                       "2, max: 5, integer: true}}\n"
                       "optimize:\n"
                       "  objectives: {f1: {minimize: x1}, f2: {minimize: 1 - sqrt(x1/(1 + 9*(x2 + "
                       "x3)/(n - 1)))}}\n"
                       "  constraints: {sum: x1 + x2 <= 1.5, "
                       "rel: x3 >= x2*n}\n"
                       "  stop: {time: 2 min, generations: 50}\n",
                       "y/zdt1.yaml");
    assert_string_equal(r.in->name, "zdt1");
    assert_null(r.in->model);
    assert_int_equal(r.in->design_count, 4);
    near(r.in->design[1].start, 0.5), near(r.in->design[3].start, 3.5);
    assert_true(r.in->design[3].integer);
    close_read(r);
}

/* The reader's lists of words are those of the modules they speak of. */
static void same_words(void **state) {
    (void)state;
    char *schema = gdyn_case_schema();
    for (int type = 0; type < GDYN_JOINT_TYPES; type++) {
        char word[64];
        snprintf(word, sizeof word, "\"%s\"", gdyn_joint_type_name((gdyn_joint_type)type));
        assert_non_null(strstr(schema, word));
    }
    gdyn_free(schema);
}

/* Sums and products over numbered names, nested, in and outside of repeats. */
static void series(void **state) {
    (void)state;
    read r = read_text("format: 1\n"
                       "parameters:\n"
                       "  a$i: {repeat: {i: 1..4}, value: 10*i}\n"
                       "  sum: \"$sum(i, 1..4, i*a$i^2)\"\n"
                       "  none: 1 + $sum(i, 5..4, a$i) + $prod(j,3..2,j)\n"
                       "  twice: $sum(i, 1..3, $prod(j, i..3, a$(j + 1) + i - j))\n"
                       "  part$k: {repeat: {k: 2..3}, value: \"$sum(i, 1..k, a$i/k)\"}\n",
                       "x.yaml");
    double twice = 0;
    for (int i = 1; i <= 3; i++) {
        double product = 1;
        for (int j = i; j <= 3; j++)
            product *= 10 * (j + 1) + i - j;
        twice += product;
    }
    const double expected[] = {10, 20, 30, 40, 100 + 800 + 2700 + 6400, 2, twice, 15, 20};
    for (int i = 0; i < 9; i++)
        near(r.in->parameter_value[i], expected[i]);
    close_read(r);
}

/* Objectives and constraints among the known results, at designs stated beside them. */
static void known_goals(void **state) {
    (void)state;
    read r = read_text("format: 1\n"
                       "design: {x$i: {repeat: {i: 1..3}, min: 0, max: 9}, m: {choices: [1, 5]}}\n"
                       "optimize: {objectives: {f: {minimize: x1}, g: {maximize: x2*m}},\n"
                       "           constraints: {c: x1 + x2 <= x3}}\n"
                       "expect:\n"
                       "  - {quantity: objective.g, at: {x1: 2, x$i: {repeat: {i: 2..3}, value: "
                       "7}, m: 5}, value: 35}\n"
                       "  - {quantity: constraint.c, value: 4.5}\n",
                       "x.yaml");
    const gdyn_expectation *e = r.in->expectation;
    assert_int_equal(e[0].kind, GDYN_EXPECT_OBJECTIVE);
    assert_int_equal(e[0].goal, 1);
    assert_int_equal(e[0].setting_count, 4);
    assert_string_equal(e[0].setting[2].name, "x3");
    near(e[0].setting[0].value, 2), near(e[0].setting[2].value, 7), near(e[0].setting[3].value, 5);
    assert_int_equal(e[1].kind, GDYN_EXPECT_CONSTRAINT);
    assert_int_equal(e[1].goal, 0);
    assert_int_equal(e[1].setting_count, 0);
    close_read(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_forms),  cmocka_unit_test(planar_paths),
        cmocka_unit_test(spatial_forms), cmocka_unit_test(included),
        cmocka_unit_test(analytic),      cmocka_unit_test(same_words),
        cmocka_unit_test(series),        cmocka_unit_test(known_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
