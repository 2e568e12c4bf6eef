/* Verdicts against hand calculation: doors, sliders, four-bars, and the robot of Wojtyra and
 * Fraczek. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "reactions/solvability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weightless[3] = {0, 0, 0};
static gdyn_space space;

/* --- matrices made by hand ---------------------------------------------------------------- */

/* A block on a rail along x (rows y and phi), pushed along x by two drives at heights +h and -h.
 * The couple they can make against each other (n1, -n1) is answered by the rail's moment -2 h n1:
 * known once the drive forces are. With h = 0 it does not reach the rail. */
static void a_couple_of_drives_loads_the_rail(void **state) {
    (void)state;
    const double C[2 * 3] = {0, 0, 1, 0, 0, 1}; /* rows y, phi */
    const int row_joint[2] = {0, 0};
    for (int even = 0; even < 2; even++) {
        double h = even ? 0 : 0.3;
        const double T[3 * 2] = {1, 0, -h, 1, 0, h};
        gdyn_solvability *s = gdyn_solvability_create(2, 3, 2, 1);
        assert_non_null(s);
        assert_int_equal(gdyn_solvability_of_matrices(s, C, T, row_joint), GDYN_OK);
        assert_int_equal(s->redundancy, 0);
        assert_int_equal(s->drive_redundancy, 1);
        assert_int_equal(s->multiplier[0], GDYN_UNIQUE);
        assert_int_equal(s->multiplier[1], even ? GDYN_UNIQUE : GDYN_DRIVE_DEPENDENT);
        assert_int_equal(s->joint[0], even ? GDYN_UNIQUE : GDYN_DRIVE_DEPENDENT);
        assert_int_equal(s->dependent_joints, !even);
        assert_true(s->gap > GDYN_GAP_SAFE);
        gdyn_solvability_destroy(s);
    }
}

/* A joint described by one row and, needlessly, by twice that row: the multipliers cannot be known,
 * the generalized reaction can (the distinction of the paper, section 3.2). */
static void a_reaction_may_be_unique_although_its_multipliers_are_not(void **state) {
    (void)state;
    const double C[3 * 2] = {1, 2, 0, 0, 0, 1};
    const int row_joint[3] = {0, 0, 1};
    gdyn_solvability *s = gdyn_solvability_create(3, 2, 0, 2);
    assert_non_null(s);
    assert_int_equal(gdyn_solvability_of_matrices(s, C, NULL, row_joint), GDYN_OK);
    assert_int_equal(s->redundancy, 1);
    assert_int_equal(s->joint[0], GDYN_UNIQUE);
    assert_int_equal(s->multiplier[0], GDYN_INDETERMINATE);
    assert_int_equal(s->multiplier[1], GDYN_INDETERMINATE);
    assert_int_equal(s->joint[1], GDYN_UNIQUE);
    assert_int_equal(s->multiplier[2], GDYN_UNIQUE);
    gdyn_solvability_destroy(s);
}

/* Random constraints with planted dependence: joint 0 carries independent rows; joints 1 and 2
 * share a row; joint 3 has a row that the last drive could replace (T column = that row). Expected:
 * unique, indeterminate twice, drive-dependent. Rows, columns and joints are scaled and shuffled.
 */
static void planted_dependences_are_found(void **state) {
    (void)state;
    enum { N = 12, ROWS = 6, DRIVES = 2 };
    const int owner[ROWS] = {0, 0, 1, 1, 2, 3};
    const gdyn_verdict joint[4] = {GDYN_UNIQUE, GDYN_INDETERMINATE, GDYN_INDETERMINATE,
                                   GDYN_DRIVE_DEPENDENT};
    const gdyn_verdict multiplier[ROWS] = {GDYN_UNIQUE,        GDYN_UNIQUE,
                                           GDYN_UNIQUE,        GDYN_INDETERMINATE,
                                           GDYN_INDETERMINATE, GDYN_DRIVE_DEPENDENT};
    gdyn_random random = gdyn_random_stream(21, 0, 0);
    gdyn_solvability *s = gdyn_solvability_create(ROWS, N, DRIVES, 4);
    assert_non_null(s);
    for (int trial = 0; trial < 1000; trial++) {
        double row[ROWS + DRIVES][N], C[ROWS * N], T[N * DRIVES];
        int place[ROWS], row_joint[ROWS];
        for (int i = 0; i < ROWS + DRIVES; i++)
            for (int j = 0; j < N; j++)
                row[i][j] = gdyn_random_between(&random, -1, 1);
        for (int j = 0; j < N; j++) {
            row[4][j] = -3 * row[3][j];
            row[7][j] = 0.5 * row[5][j];
        }
        for (int i = 0; i < ROWS; i++)
            place[i] = i;
        for (int i = ROWS - 1; i > 0; i--) {
            int other = gdyn_random_below(&random, i + 1), swap = place[i];
            place[i] = place[other], place[other] = swap;
        }
        for (int i = 0; i < ROWS; i++) {
            double scale = pow(10, gdyn_random_between(&random, -3, 3));
            row_joint[place[i]] = owner[i];
            for (int j = 0; j < N; j++)
                C[place[i] + j * ROWS] = scale * row[i][j];
        }
        for (int d = 0; d < DRIVES; d++)
            memcpy(T + d * N, row[ROWS + d], N * sizeof *T);
        assert_int_equal(gdyn_solvability_of_matrices(s, C, T, row_joint), GDYN_OK);
        assert_int_equal(s->redundancy, 1);
        assert_int_equal(s->drive_redundancy, 1);
        assert_true(s->gap > GDYN_GAP_SAFE);
        for (int x = 0; x < 4; x++)
            assert_int_equal(s->joint[x], joint[x]);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(s->multiplier[place[i]], multiplier[i]);
    }
    gdyn_solvability_destroy(s);
}

/* --- machines ----------------------------------------------------------------------------- */

static gdyn_machine *new_machine(gdyn_space kind) {
    space = kind;
    return gdyn_machine_create(kind, weightless);
}

static int add_body(gdyn_machine *machine, const char *name, double x, double y, double z) {
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1;
    for (int i = 0; i < 3; i++)
        def.inertia[i] = 0.1;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return gdyn_machine_add_body(machine, &def);
}

static gdyn_anchor at(int body, double x, double y, double z) {
    return (gdyn_anchor){body, {x, y, z}};
}

/* Axes in space: z. */
static int add_joint(gdyn_machine *machine, const char *name, gdyn_joint_type type, gdyn_anchor a,
                     gdyn_anchor b) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = type;
    def.a = a, def.b = b;
    if (type != GDYN_SPHERICAL && space == GDYN_SPATIAL)
        def.axis_a[2] = def.axis_b[2] = 1;
    return gdyn_machine_add_joint(machine, &def);
}

typedef struct judged {
    gdyn_model *model;
    gdyn_state *state;
    gdyn_solvability *s;
} judged;

/* Takes the machine over and judges it at its first guess, which must be a pose. */
static judged judge(gdyn_machine *machine) {
    judged j = {0};
    assert_int_equal(gdyn_model_create(machine, NULL, &j.model), GDYN_OK);
    gdyn_machine_destroy(machine);
    j.state = gdyn_state_create(j.model);
    j.s = gdyn_solvability_for_model(j.model);
    assert_non_null(j.state);
    assert_non_null(j.s);
    double phi[64];
    gdyn_mech_constraints(j.state, phi);
    for (int i = 0; i < gdyn_model_holonomic(j.model); i++)
        assert_true(fabs(phi[i]) < 1e-12);
    assert_int_equal(gdyn_solvability_of_state(j.s, j.state), GDYN_OK);
    assert_true(j.s->gap > GDYN_GAP_SAFE);
    return j;
}

static void discard(judged *j) {
    gdyn_solvability_destroy(j->s);
    gdyn_state_destroy(j->state);
    gdyn_model_destroy(j->model);
}

static gdyn_verdict of_joint(const judged *j, const char *name) {
    return j->s->joint[gdyn_model_find_joint(j->model, name)];
}

static gdyn_verdict of_row(const judged *j, const char *joint, int component) {
    int first, count, pfaffian, pfaffian_count;
    gdyn_model_joint_rows(j->model, gdyn_model_find_joint(j->model, joint), &first, &count,
                          &pfaffian, &pfaffian_count);
    assert_true(component < count);
    return j->s->multiplier[first + component];
}

/* A door on h hinges along z: each hinge holds 5 of 6 freedoms, so h of them are 5 (h - 1) too
 * many, and with two or more every hinge trades force and moment with another. */
static void doors_on_hinges(void **state) {
    (void)state;
    for (int hinges = 1; hinges <= 3; hinges++) {
        static const char *const names[3] = {"low", "high", "middle"};
        gdyn_machine *machine = new_machine(GDYN_SPATIAL);
        int door = add_body(machine, "door", 0.4, 0.1, 1);
        for (int i = 0; i < hinges; i++)
            add_joint(machine, names[i], GDYN_REVOLUTE, at(door, -0.4, 0, 0.7 * i - 0.8),
                      at(GDYN_GROUND, 0, 0.1, 0.7 * i + 0.2));
        judged j = judge(machine);
        assert_int_equal(j.s->redundancy, 5 * (hinges - 1));
        for (int i = 0; i < hinges; i++)
            assert_int_equal(of_joint(&j, names[i]), hinges > 1 ? GDYN_INDETERMINATE : GDYN_UNIQUE);
        assert_int_equal(j.s->indeterminate_joints, hinges > 1 ? hinges : 0);
        discard(&j);
    }
}

/* A door on two ball joints: only the axial force can be shared, the radial ones are known. */
static void a_door_on_two_balls(void **state) {
    (void)state;
    gdyn_machine *machine = new_machine(GDYN_SPATIAL);
    int door = add_body(machine, "door", 0.4, 0.1, 1);
    add_joint(machine, "low", GDYN_SPHERICAL, at(door, -0.4, 0, -0.8),
              at(GDYN_GROUND, 0, 0.1, 0.2));
    add_joint(machine, "high", GDYN_SPHERICAL, at(door, -0.4, 0, 0.9),
              at(GDYN_GROUND, 0, 0.1, 1.9));
    judged j = judge(machine);
    assert_int_equal(j.s->redundancy, 1);
    assert_int_equal(j.s->indeterminate_joints, 2);
    for (int c = 0; c < 3; c++) { /* x, y, z */
        assert_int_equal(of_row(&j, "low", c), c == 2 ? GDYN_INDETERMINATE : GDYN_UNIQUE);
        assert_int_equal(of_row(&j, "high", c), c == 2 ? GDYN_INDETERMINATE : GDYN_UNIQUE);
    }
    discard(&j);
}

/* A ball below and a sleeve (point on the axis) above hold five freedoms with five rows. */
static void an_exactly_constrained_door(void **state) {
    (void)state;
    gdyn_machine *machine = new_machine(GDYN_SPATIAL);
    int door = add_body(machine, "door", 0.4, 0.1, 1);
    add_joint(machine, "ball", GDYN_SPHERICAL, at(door, -0.4, 0, -0.8),
              at(GDYN_GROUND, 0, 0.1, 0.2));
    add_joint(machine, "sleeve", GDYN_POINT_ON_LINE, at(door, -0.4, 0, 0.9),
              at(GDYN_GROUND, 0, 0.1, 1.9));
    judged j = judge(machine);
    assert_int_equal(j.s->redundancy, 0);
    assert_int_equal(of_joint(&j, "ball"), GDYN_UNIQUE);
    assert_int_equal(of_joint(&j, "sleeve"), GDYN_UNIQUE);
    discard(&j);
}

/* A planar four-bar with its three bodies in space: 18 - 20 + 1 = -1, so 3 redundant constraints,
 * all out of plane (force along z, moments about x and y). In-plane forces (rows x, y) are known.
 */
static void a_planar_four_bar_in_space(void **state) {
    (void)state;
    gdyn_machine *machine = new_machine(GDYN_SPATIAL);
    int crank = add_body(machine, "crank", 0, 0.5, 0);       /* (0,0) to (0,1) */
    int coupler = add_body(machine, "coupler", 1, 1.25, 0);  /* (0,1) to (2,1.5) */
    int rocker = add_body(machine, "rocker", 2.25, 0.75, 0); /* (2.5,0) to (2,1.5) */
    add_joint(machine, "A", GDYN_REVOLUTE, at(crank, 0, -0.5, 0), at(GDYN_GROUND, 0, 0, 0));
    add_joint(machine, "B", GDYN_REVOLUTE, at(coupler, -1, -0.25, 0), at(crank, 0, 0.5, 0));
    add_joint(machine, "C", GDYN_REVOLUTE, at(coupler, 1, 0.25, 0), at(rocker, -0.25, 0.75, 0));
    add_joint(machine, "D", GDYN_REVOLUTE, at(rocker, 0.25, -0.75, 0), at(GDYN_GROUND, 2.5, 0, 0));
    judged j = judge(machine);
    assert_int_equal(j.s->redundancy, 3);
    const char *const names[4] = {"A", "B", "C", "D"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(of_joint(&j, names[i]), GDYN_INDETERMINATE);
        for (int c = 0; c < 5; c++) /* x, y known; z and the two moments not */
            assert_int_equal(of_row(&j, names[i], c), c < 2 ? GDYN_UNIQUE : GDYN_INDETERMINATE);
    }
    discard(&j);
}

/* Three parallel cranks (along y) under one coupler, planar: 12 coordinates, 12 rows, mobility 1,
 * so one redundant row: three parallel forces on the coupler that balance each other. Along the
 * cranks (y) nothing is known, across them (x) everything; a pendulum hung on the coupler is not
 * affected. */
static void a_four_bar_with_a_parallel_crank(void **state) {
    (void)state;
    gdyn_machine *machine = new_machine(GDYN_PLANAR);
    int coupler = add_body(machine, "coupler", 1, 1, 0);
    int pendulum = add_body(machine, "pendulum", 1.4, 0.8, 0);
    static const char *const low[3] = {"A1", "A2", "A3"}, *const top[3] = {"B1", "B2", "B3"};
    static const char *const name[3] = {"crank1", "crank2", "crank3"};
    const double x[3] = {0, 0.7, 2};
    for (int i = 0; i < 3; i++) {
        int crank = add_body(machine, name[i], x[i], 0.5, 0);
        add_joint(machine, low[i], GDYN_REVOLUTE, at(crank, 0, -0.5, 0),
                  at(GDYN_GROUND, x[i], 0, 0));
        add_joint(machine, top[i], GDYN_REVOLUTE, at(crank, 0, 0.5, 0),
                  at(coupler, x[i] - 1, 0, 0));
    }
    add_joint(machine, "hook", GDYN_REVOLUTE, at(pendulum, 0, 0.2, 0), at(coupler, 0.4, 0, 0));
    judged j = judge(machine);
    assert_int_equal(j.s->redundancy, 1);
    assert_int_equal(j.s->indeterminate_joints, 6);
    assert_int_equal(of_joint(&j, "hook"), GDYN_UNIQUE);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(of_joint(&j, low[i]), GDYN_INDETERMINATE);
        assert_int_equal(of_row(&j, low[i], 0), GDYN_UNIQUE);
        assert_int_equal(of_row(&j, low[i], 1), GDYN_INDETERMINATE);
        assert_int_equal(of_row(&j, top[i], 0), GDYN_UNIQUE);
        assert_int_equal(of_row(&j, top[i], 1), GDYN_INDETERMINATE);
    }
    discard(&j);
}

/* The same four-bar driven at two of its hinges (mobility 1): the drives can work against each
 * other through all four bars. Cranks of unequal length, so that nothing is redundant. */
static void two_drives_on_one_freedom(void **state) {
    (void)state;
    gdyn_machine *machine = new_machine(GDYN_PLANAR);
    int crank = add_body(machine, "crank", 0, 0.5, 0);
    int coupler = add_body(machine, "coupler", 1, 1.25, 0);
    int rocker = add_body(machine, "rocker", 2.25, 0.75, 0);
    int pendulum = add_body(machine, "pendulum", 1, 1, 0);
    int a = add_joint(machine, "A", GDYN_REVOLUTE, at(crank, 0, -0.5, 0), at(GDYN_GROUND, 0, 0, 0));
    add_joint(machine, "B", GDYN_REVOLUTE, at(coupler, -1, -0.25, 0), at(crank, 0, 0.5, 0));
    add_joint(machine, "C", GDYN_REVOLUTE, at(coupler, 1, 0.25, 0), at(rocker, -0.25, 0.75, 0));
    int d = add_joint(machine, "D", GDYN_REVOLUTE, at(rocker, 0.25, -0.75, 0),
                      at(GDYN_GROUND, 2.5, 0, 0));
    add_joint(machine, "hook", GDYN_REVOLUTE, at(pendulum, 0, 0.25, 0), at(coupler, 0, 0, 0));
    gdyn_drive_def drive = gdyn_drive_default();
    drive.kind = GDYN_DRIVE_JOINT, drive.min = -1, drive.max = 1;
    drive.name = "m1", drive.joint = a;
    gdyn_machine_add_drive(machine, &drive);
    drive.name = "m2", drive.joint = d;
    gdyn_machine_add_drive(machine, &drive);
    judged j = judge(machine);
    assert_int_equal(j.s->redundancy, 0);
    assert_int_equal(j.s->drive_redundancy, 1);
    const char *const names[4] = {"A", "B", "C", "D"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(of_joint(&j, names[i]), GDYN_DRIVE_DEPENDENT);
    assert_int_equal(of_joint(&j, "hook"), GDYN_UNIQUE);
    discard(&j);
}

/* --- the mobile robot of the paper -------------------------------------------------------- */

static void add_knife(gdyn_machine *machine, const char *name, gdyn_anchor a) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = GDYN_KNIFE_EDGE;
    def.a = a;
    def.b.body = GDYN_GROUND;
    def.normal[0] = 0, def.normal[1] = 1, def.normal[2] = 0;
    gdyn_machine_add_joint(machine, &def);
}

/* Bodies and joints of Tables 1 and 3, at q0 (Eq. 34), lengths in units of `a`. */
static judged mobile_robot(double a) {
    double angle = atan(0.25), bx = a * sin(angle), by = a * cos(angle), cx = 4 * a - bx;
    double cy = sqrt(25 * a * a - cx * cx), dx = cx / 2, dy = cy / 2 - by;
    gdyn_machine *machine = new_machine(GDYN_PLANAR);
    int b1 = add_body(machine, "1", 20 * a, 0, 0), b2 = add_body(machine, "2", 24 * a, 0, 0);
    int b3 = add_body(machine, "3", 16 * a, 0, 0), b4 = add_body(machine, "4", 20 * a + dx, dy, 0);
    int b5 = add_body(machine, "5", 20 * a - dx, dy, 0), b6 = add_body(machine, "6", 20 * a, 0, 0);
    int b7 = add_body(machine, "7", 5 * a, 0, 0);
    add_joint(machine, "A", GDYN_REVOLUTE, at(b7, 7 * a, 0, 0), at(b1, -8 * a, 0, 0));
    add_joint(machine, "B", GDYN_REVOLUTE, at(b2, 0, 0, 0), at(b1, 4 * a, 0, 0));
    add_joint(machine, "C", GDYN_REVOLUTE, at(b3, 0, 0, 0), at(b1, -4 * a, 0, 0));
    add_joint(machine, "D", GDYN_REVOLUTE, at(b4, cx / 2, -cy / 2, 0), at(b2, -bx, -by, 0));
    add_joint(machine, "E", GDYN_REVOLUTE, at(b5, -cx / 2, -cy / 2, 0), at(b3, bx, -by, 0));
    add_joint(machine, "F", GDYN_REVOLUTE, at(b6, 0, cy - by, 0), at(b4, -cx / 2, cy / 2, 0));
    add_joint(machine, "G", GDYN_REVOLUTE, at(b6, 0, cy - by, 0), at(b5, cx / 2, cy / 2, 0));
    gdyn_joint_def slide = gdyn_joint_default();
    slide.name = "H", slide.type = GDYN_PRISMATIC;
    slide.a = at(b6, 0, 10 * a, 0), slide.b = at(b1, 0, -10 * a, 0);
    slide.axis_a[0] = slide.axis_b[0] = 0, slide.axis_a[1] = slide.axis_b[1] = 1;
    slide.axis_a[2] = slide.axis_b[2] = 0;
    int h = gdyn_machine_add_joint(machine, &slide);
    add_knife(machine, "W1", at(b2, 0, 0, 0));
    add_knife(machine, "W2", at(b3, 0, 0, 0));
    add_knife(machine, "W3", at(b1, 0, -4 * a, 0));
    add_knife(machine, "W4", at(b1, 0, 4 * a, 0));
    add_knife(machine, "W5", at(b7, 0, 0, 0));
    gdyn_motion_def motion = gdyn_motion_default();
    motion.name = "steering", motion.joint = h, motion.freedom = GDYN_FREEDOM_SLIDE;
    gdyn_machine_add_motion(machine, &motion);
    judged j = {0};
    assert_int_equal(gdyn_model_create(machine, NULL, &j.model), GDYN_OK);
    gdyn_machine_destroy(machine);
    j.state = gdyn_state_create(j.model);
    j.s = gdyn_solvability_for_model(j.model);
    assert_non_null(j.state);
    assert_non_null(j.s);
    assert_int_equal(gdyn_solvability_of_state(j.s, j.state), GDYN_OK);
    return j;
}

/* Section 4.2: rank 20 of 22, redundancy 2; B, C and W1 to W4 cannot be known, all others can. */
static void the_mobile_robot(void **state) {
    (void)state;
    for (int unit = 0; unit < 2; unit++) {
        judged j = mobile_robot(unit ? 50 : 0.05); /* millimetres and metres */
        assert_int_equal(j.s->constraints, 22);
        assert_int_equal(j.s->coordinates, 21);
        assert_int_equal(j.s->rank_c.rank, 20);
        assert_int_equal(j.s->redundancy, 2);
        assert_true(j.s->gap > GDYN_GAP_SAFE);
        const char *const lost[] = {"B", "C", "W1", "W2", "W3", "W4"};
        const char *const known[] = {"A", "D", "E", "F", "G", "H", "W5"};
        for (int i = 0; i < 6; i++)
            assert_int_equal(of_joint(&j, lost[i]), GDYN_INDETERMINATE);
        for (int i = 0; i < 7; i++)
            assert_int_equal(of_joint(&j, known[i]), GDYN_UNIQUE);
        for (int i = 0; i < j.s->constraints; i++)
            if (gdyn_model_row_joint(j.model, i) < 0)
                assert_int_equal(j.s->multiplier[i], GDYN_UNIQUE); /* the steering */
        discard(&j);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_couple_of_drives_loads_the_rail),
        cmocka_unit_test(a_reaction_may_be_unique_although_its_multipliers_are_not),
        cmocka_unit_test(planted_dependences_are_found),
        cmocka_unit_test(doors_on_hinges),
        cmocka_unit_test(a_door_on_two_balls),
        cmocka_unit_test(an_exactly_constrained_door),
        cmocka_unit_test(a_planar_four_bar_in_space),
        cmocka_unit_test(a_four_bar_with_a_parallel_crank),
        cmocka_unit_test(two_drives_on_one_freedom),
        cmocka_unit_test(the_mobile_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
