/* The two examples of the format's contract, letter by letter, and what they must mean. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "casefile/casefile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const example1[] = {
    "format: 1",
    "name: four-slider star",
    "about: Planar platform on four legs; four sliders on rails drive three degrees of freedom",
    "",
    "parameters:",
    "  rail: 500 mm                 # distance of each rail from the centre",
    "  leg: 650 mm",
    "  half: 60 mm                  # half width of the platform",
    "  leg_mass: 2.5 kg",
    "  lead: sqrt(leg^2 - (rail - half)^2)   # how far the sliders run ahead when the platform is centred",
    "",
    "machine:",
    "  space: planar                # planar: bodies have x, y, angle; spatial: position and Cardan angles",
    "  gravity: [0, -9.81]          # required",
    "  ground:",
    "    points: {R$i: {repeat: {i: 1..4}, at: [\"rail*cos(i*pi/2)\", \"rail*sin(i*pi/2)\"]}}",
    "  bodies:",
    "    platform:",
    "      mass: 12 kg",
    "      inertia: 0.08 kg m^2     # about com; spatial: [Ixx, Iyy, Izz] or {diagonal: [...], products: [Ixy, Ixz, Iyz]}",
    "      com: [0, 0]              # in the body's own frame; default the origin",
    "      points: {A1: [half, half], A2: [-half, half], A3: [-half, -half], A4: [half, -half], tool: [0, 0]}",
    "      pose: [0, 0, 0]          # first guess for the assembly: x, y, angle (spatial: {at: [x, y, z], cardan: [a, b, c]})",
    "    slider$i:",
    "      repeat: {i: 1..4}",
    "      mass: 4 kg",
    "      inertia: 0.01",
    "      points: {P: [0, 0]}",
    "      pose: [\"rail*cos(i*pi/2) - lead*sin(i*pi/2)\", \"rail*sin(i*pi/2) + lead*cos(i*pi/2)\", \"i*pi/2\"]",
    "    leg$i:",
    "      repeat: {i: 1..4}",
    "      mass: leg_mass",
    "      inertia: leg_mass*leg^2/12",
    "      points: {P: [-leg/2, 0], Q: [leg/2, 0]}",
    "      pose: {P: slider$i.P, Q: platform.A$i}   # or by two of its points: P there, Q towards there",
    "  joints:                      # an undirected graph: loops need no special word",
    "    rail$i: {repeat: {i: 1..4}, type: prismatic, of: [slider$i.P, ground.R$i], axes: [[0, 1], [\"-sin(i*pi/2)\", \"cos(i*pi/2)\"]]}",
    "    low$i:  {repeat: {i: 1..4}, type: revolute, of: [leg$i.P, slider$i.P]}",
    "    top$i:  {repeat: {i: 1..4}, type: revolute, of: [leg$i.Q, platform.A$i], friction: {viscous: 0.02 N m s/rad}}",
    "  drives:",
    "    m$i: {repeat: {i: 1..4}, at: rail$i, force: {min: -900 N, max: 900 N}, speed: {max: 4 m/s}, stiffness: 4e7 N/m}",
    "",
    "trajectories:",
    "  circle:",
    "    of: platform.tool",
    "    p: [0, 2*pi]",
    "    path: {x: 0.12*cos(p), y: 0.12*sin(p), angle: 0}     # metres, radians; derivatives are exact",
    "    points: 201",
    "  offset:",
    "    of: platform.tool",
    "    kind: circle               # ready-made kinds: line, arc, circle, polyline, spline, file",
    "    centre: [60 mm, 40 mm]",
    "    radius: 80 mm",
    "    angle: 0",
    "    points: 201",
    "",
    "design:                        # parameters that the optimizer may vary",
    "  leg:  {min: 550 mm, max: 900 mm}",
    "  rail: {min: 400 mm, max: 600 mm}",
    "  half: {min: 20 mm, max: 120 mm}",
    "",
    "optimize:",
    "  objectives:",
    "    area: {maximize: circle.area}",
    "    time: {minimize: circle.time + offset.time}",
    "    mass: {minimize: mass}",
    "  constraints:",
    "    reach: circle.reach >= 1",
    "    stiff: circle.stiffness >= 2e6 N/m",
    "  algorithm: {name: nsga2, population: 96, seed: 42}",
    "  stop: {evaluations: 10000, stall: {window: 30, tolerance: 0.0025}}",
    "",
    "expect:                        # what this case is known to give; `globdyn verify` and the tests check it",
    "  - {quantity: mobility, value: 3}",
    "  - {quantity: drive_redundancy, value: 1}",
    "  - {quantity: redundant_constraints, value: 0}",
    NULL};

static const char *const example2[] = {
    "format: 1",
    "name: mobile robot",
    "parameters: {a: 50 mm}", /* left out in the contract */
    "machine:",
    "  space: planar",
    "  gravity: [0, 0]",
    "  bodies:",
    "    platform: {mass: 10 kg, inertia: 0.25, points: {A: [-8*a, 0], B: [4*a, 0], W3: [0, -4*a]}, pose: [20*a, 0, 0]}",
    "    front:    {mass: 1 kg, inertia: 0.005, points: {B: [0, 0]}, pose: [24*a, 0, 0]}",
    "  joints:",
    "    B:  {type: revolute, of: [front.B, platform.B]}",
    "    W1: {type: knife_edge, of: [front.B], normal: [0, 1]}      # no velocity of the point along the normal (fixed in the body)",
    "    W3: {type: knife_edge, of: [platform.W3], normal: [0, 1]}",
    "  motions:",
    "    H: {at: slide, displacement: \"...\"}                        # prescribed (rheonomic) joint motion, a formula in t or a table file",
    NULL};

/* clang-format on */

static void show(void *context, const gdyn_diag *diag) {
    (void)context;
    print_message("%s:%d:%d: %s\n", diag->file ? diag->file : "?", diag->line, diag->column,
                  diag->message);
}

/* The second example is given in part: `rest` stands behind the line that begins with `after`, and
 * "..." becomes a formula. */
static gdyn_case *read_lines(const char *const *lines, const char *after, const char *rest) {
    gdyn_text text = {0};
    for (; *lines; lines++) {
        const char *dots = strstr(*lines, "\"...\"");
        if (dots)
            gdyn_text_printf(&text, "%.*s 0.1*t%s\n", (int)(dots - *lines), *lines, dots + 5);
        else
            gdyn_text_printf(&text, "%s\n", *lines);
        if (after && strncmp(*lines, after, strlen(after)) == 0)
            gdyn_text_printf(&text, "%s", rest);
    }
    gdyn_sink sink = {show, NULL};
    gdyn_case *c = NULL;
    assert_int_equal(gdyn_case_read_text(text.data, text.length, "dir/example.yaml", &sink, &c),
                     GDYN_OK);
    gdyn_text_free(&text);
    return c;
}

static gdyn_instance *instance_of(const gdyn_case *c, int count, const gdyn_setting *settings) {
    gdyn_sink sink = {show, NULL};
    gdyn_instance *in = NULL;
    assert_int_equal(gdyn_case_instantiate(c, count, settings, &sink, &in), GDYN_OK);
    return in;
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fmax(1.0, fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void machine_of_the_star(void **state) {
    (void)state;
    gdyn_case *c = read_lines(example1, NULL, NULL);
    gdyn_instance *in = instance_of(c, 0, NULL);
    const gdyn_model *m = in->model;
    assert_string_equal(in->name, "four-slider star");
    assert_int_equal(gdyn_model_bodies(m), 9);
    assert_int_equal(gdyn_model_joints(m), 12);
    assert_int_equal(gdyn_model_drives(m), 4);
    near(gdyn_model_mass(m), 12 + 4 * (4 + 2.5));
    const gdyn_body_def *slider2 = gdyn_model_body(m, gdyn_model_find_body(m, "slider2"));
    double lead = sqrt(0.65 * 0.65 - 0.44 * 0.44);
    near(slider2->position[0], -0.5);
    near(slider2->position[1], -lead);
    near(slider2->cardan[2], acos(-1.0));
    const gdyn_body_def *leg3 = gdyn_model_body(m, gdyn_model_find_body(m, "leg3"));
    near(leg3->inertia[2], 2.5 * 0.65 * 0.65 / 12);
    const gdyn_joint_def *rail1 = gdyn_model_joint(m, gdyn_model_find_joint(m, "rail1"));
    assert_int_equal(rail1->type, GDYN_PRISMATIC);
    assert_int_equal(rail1->b.body, GDYN_GROUND);
    near(rail1->b.at[1], 0.5);
    near(rail1->axis_b[0], -1.0);
    const gdyn_joint_def *top4 = gdyn_model_joint(m, gdyn_model_find_joint(m, "top4"));
    near(top4->viscous, 0.02);
    const gdyn_drive_def *m3 = gdyn_model_drive(m, gdyn_model_find_drive(m, "m3"));
    near(m3->min, -900), near(m3->max, 900), near(m3->speed_max, 4), near(m3->stiffness, 4e7);
    assert_string_equal(in->drive_source[2].quantity, "force");
    assert_int_equal(in->drive_source[2].max_line, 41);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
}

static void problem_of_the_star(void **state) {
    (void)state;
    gdyn_case *c = read_lines(example1, NULL, NULL);
    gdyn_instance *in = instance_of(c, 0, NULL);
    assert_int_equal(in->trajectory_count, 2);
    const gdyn_path_def *circle = &in->trajectory[0], *offset = &in->trajectory[1];
    double p = 2.385;
    near(gdyn_expr_value(circle->tool[0].coordinate[GDYN_PATH_X], &p), 0.12 * cos(p));
    near(gdyn_expr_value(circle->tool[0].coordinate[GDYN_PATH_C], &p), 0);
    assert_null(circle->tool[0].coordinate[GDYN_PATH_Z]);
    near(circle->p_end, 2 * acos(-1.0));
    assert_int_equal(circle->points, 201);
    assert_int_equal(offset->kind, GDYN_PATH_CIRCLE);
    near(offset->centre[1], 0.04), near(offset->radius, 0.08);
    assert_string_equal(in->trajectory_source[1].tool[0], "platform.tool");
    assert_int_equal(in->design_count, 3);
    near(in->design[0].min, 0.55), near(in->design[0].start, 0.65);
    assert_int_equal(in->objective_count, 3);
    assert_true(in->objective[0].maximize);
    assert_string_equal(in->objective[1].text, "circle.time + offset.time");
    assert_int_equal(in->requirement_count, 2);
    assert_string_equal(in->requirement[1].left, "circle.stiffness");
    assert_int_equal(in->requirement[1].relation, 1);
    near(in->requirement[1].right, 2e6);
    assert_int_equal(in->search.population, 96);
    assert_int_equal(in->search.stall_window, 30);
    near(in->search.stall_tolerance, 0.0025);
    assert_int_equal(in->expectation_count, 3);
    assert_int_equal(in->expectation[1].criterion, GDYN_MACHINE_DRIVE_REDUNDANCY);
    near(in->expectation[0].value, 3), near(in->expectation[0].tolerance, 3e-6);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
}

static void other_values(void **state) {
    (void)state;
    gdyn_case *c = read_lines(example1, NULL, NULL);
    gdyn_setting settings[2];
    assert_int_equal(gdyn_case_parse_setting(c, "leg=700 mm", NULL, &settings[0]), GDYN_OK);
    assert_int_equal(gdyn_case_parse_setting(c, "half=leg/10", NULL, &settings[1]), GDYN_OK);
    near(settings[1].value, 0.065); /* of the file's leg */
    gdyn_instance *in = instance_of(c, 2, settings);
    const gdyn_model *m = in->model;
    near(gdyn_model_body(m, gdyn_model_find_body(m, "leg1"))->inertia[2], 2.5 * 0.49 / 12);
    near(gdyn_model_body(m, gdyn_model_find_body(m, "slider1"))->position[0],
         -sqrt(0.49 - 0.435 * 0.435));
    gdyn_instance_destroy(in);
    assert_int_equal(gdyn_case_parse_setting(c, "leg=3 kg", NULL, &settings[0]), GDYN_ERROR_INPUT);
    assert_int_equal(gdyn_case_parse_setting(c, "lag=3", NULL, &settings[0]), GDYN_ERROR_INPUT);
    assert_int_equal(gdyn_case_parse_setting(c, "leg", NULL, &settings[0]), GDYN_ERROR_ARGUMENT);
    /* A leg too short to reach: lead is the root of a negative number. */
    gdyn_setting impossible = {"leg", 0.1, false};
    assert_int_equal(gdyn_case_instantiate(c, 1, &impossible, NULL, &in), GDYN_ERROR_INPUT);
    assert_null(in);
    gdyn_case_destroy(c);
}

static void places(void **state) {
    (void)state;
    gdyn_case *c = read_lines(example1, NULL, NULL);
    const char *file;
    int line, column;
    assert_true(gdyn_case_locate(c, "machine.bodies.leg2.mass", &file, &line, &column));
    assert_string_equal(file, "dir/example.yaml");
    assert_int_equal(line, 32);
    assert_int_equal(column, 13);
    /* The longest known front of the path; force stands for torque; repeat keeps its line. */
    assert_true(gdyn_case_locate(c, "machine.drives.m4.torque.max", &file, &line, &column));
    assert_int_equal(line, 41);
    assert_true(gdyn_case_locate(c, "machine.joints.low3.friction", &file, &line, &column));
    assert_int_equal(line, 38);
    assert_int_equal(column, 5);
    assert_false(gdyn_case_locate(c, "nothing.here", &file, &line, &column));
    gdyn_case_destroy(c);
}

static void robot(void **state) {
    (void)state;
    gdyn_case *c = read_lines(example2, "    W3:",
                              "    slide: {type: prismatic, of: [platform, ground], axis: [1, 0]}\n"
                              "    W4: {type: knife_edge, of: [platform.A], normal: [0, 1]}\n");
    gdyn_instance *in = instance_of(c, 0, NULL);
    const gdyn_model *m = in->model;
    assert_int_equal(gdyn_model_bodies(m), 2);
    const gdyn_joint_def *w3 = gdyn_model_joint(m, gdyn_model_find_joint(m, "W3"));
    assert_int_equal(w3->type, GDYN_KNIFE_EDGE);
    assert_int_equal(w3->b.body, GDYN_GROUND);
    near(w3->normal[1], 1.0), near(w3->a.at[1], -0.2);
    assert_int_equal(gdyn_model_holonomic(m), 2 + 2 + 1); /* B, slide, H */
    assert_int_equal(gdyn_model_pfaffian(m), 3);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_of_the_star),
        cmocka_unit_test(problem_of_the_star),
        cmocka_unit_test(other_values),
        cmocka_unit_test(places),
        cmocka_unit_test(robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
