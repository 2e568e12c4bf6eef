/* test_modes.c - modes of machines against closed forms: the eight working modes of a planar 3-RRR, the two assembly modes
 * of a five-bar, an arm's two elbows; and poses that are pasted into the case and chosen there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/pi.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "near.h"
#include "report/report.h"
#include "trajectory/guess.h"
#include "trajectory/modes.h"

#include <math.h>
#include <string.h>

static const double BASE = 0.5, HALF = 0.1, CRANK = 0.3, ROD = 0.28;

/* A platform on three legs of crank and rod, with driven cranks; `more` stands under machine:. */
static void write_3rrr(const char *more, gdyn_text *out) {
    gdyn_text_printf(
        out,
        "format: 1\nname: 3-RRR\nmachine:\n  space: planar\n  gravity: [0, 0]\n"
        "  ground: {points: {B$i: {repeat: {i: 1..3}, at: [\"%g*cos(2*i*pi/3)\", "
        "\"%g*sin(2*i*pi/3)\"]}}}\n  bodies:\n"
        "    platform: {mass: 1, inertia: 0.01, points: {A$i: {repeat: {i: 1..3}, at: "
        "[\"%g*cos(2*i*pi/3)\", \"%g*sin(2*i*pi/3)\"]}, T: [0, 0]}, pose: [0, 0, 0]}\n",
        BASE, BASE, HALF, HALF);
    gdyn_text_printf(
        out,
        "    crank$i: {repeat: {i: 1..3}, mass: 0.3, inertia: 0.002, com: [%g, 0.01], points: "
        "{B: [0, 0], E: [%g, 0]}, pose: [\"%g*cos(2*i*pi/3)\", \"%g*sin(2*i*pi/3)\", "
        "\"2*i*pi/3 + pi + 0.8\"]}\n"
        "    rod$i: {repeat: {i: 1..3}, mass: 0.3, inertia: 0.002, com: [0, 0.02], points: {E: "
        "[0, 0], A: [0, %g]}, pose: {E: crank$i.E, A: platform.A$i}}\n",
        0.5 * CRANK, CRANK, BASE, BASE, ROD);
    gdyn_text_printf(
        out,
        "  joints:\n"
        "    base$i: {repeat: {i: 1..3}, type: revolute, of: [crank$i.B, ground.B$i]}\n"
        "    knee$i: {repeat: {i: 1..3}, type: revolute, of: [rod$i.E, crank$i.E]}\n"
        "    top$i: {repeat: {i: 1..3}, type: revolute, of: [rod$i.A, platform.A$i]}\n"
        "  drives: {m$i: {repeat: {i: 1..3}, at: base$i, torque: {limit: 5 N m}}}\n%s"
        "trajectories:\n  t: {of: platform.T, p: [0, 1], path: {x: 0.02 + 0.05*p, y: "
        "0.03, angle: 0.2}, points: 11}\n",
        more);
}

typedef struct opened {
    gdyn_case *the_case;
    gdyn_instance *instance;
} opened;

static opened open_text(const char *text) {
    opened o;
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "modes.yaml", NULL, &o.the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o.the_case, 0, NULL, NULL, &o.instance), GDYN_OK);
    return o;
}

static void shut(opened *o) {
    gdyn_instance_destroy(o->instance);
    gdyn_case_destroy(o->the_case);
}

/* Angle of crank i whose elbow lies on that side (+1, -1) when the platform stands at (0.02, 0.03, 0.2). */
static double crank_angle(int i, int side) {
    double turn = 2 * (i + 1) * GDYN_PI / 3;
    double dx = 0.02 + HALF * cos(turn + 0.2) - BASE * cos(turn);
    double dy = 0.03 + HALF * sin(turn + 0.2) - BASE * sin(turn), r = hypot(dx, dy);
    return atan2(dy, dx) + side * acos((r * r + CRANK * CRANK - ROD * ROD) / (2 * r * CRANK));
}

static void eight_working_modes(void **unused) {
    (void)unused;
    gdyn_text text = {0};
    write_3rrr("", &text);
    opened o = open_text(text.data);
    gdyn_modes modes;
    gdyn_modes_settings settings = gdyn_modes_default();
    assert_int_equal(gdyn_modes_find(o.instance, &settings, NULL, &modes), GDYN_OK);
    assert_int_equal(modes.count, 8);
    assert_int_equal(modes.legs, 3);
    bool met[8] = {false};
    for (int m = 0; m < 8; m++) {
        int sides = 0;
        for (int i = 0; i < 3; i++) {
            double angle = gdyn_mech_joint_coordinate(modes.mode[m].state, i, GDYN_FREEDOM_ANGLE);
            double away[2] = {remainder(angle - crank_angle(i, -1), 2 * GDYN_PI),
                              remainder(angle - crank_angle(i, 1), 2 * GDYN_PI)};
            assert_true(fmin(fabs(away[0]), fabs(away[1])) < 1e-10);
            sides |= (fabs(away[1]) < fabs(away[0])) << i;
        }
        assert_false(met[sides]);
        met[sides] = true;
        assert_int_equal(modes.mode[m].freedom, 0);
        assert_near(modes.mode[m].reach[0], 1, 0);
    }
    gdyn_modes_free(&modes);
    shut(&o);
    gdyn_text_free(&text);
}

/* What modes writes is read back: the chosen pose closes without moving. */
static void poses_are_chosen(void **unused) {
    (void)unused;
    gdyn_text text = {0};
    write_3rrr("", &text);
    opened o = open_text(text.data);
    gdyn_modes modes;
    gdyn_modes_settings settings = gdyn_modes_default();
    assert_int_equal(gdyn_modes_find(o.instance, &settings, NULL, &modes), GDYN_OK);
    for (int m = 0; m < modes.count; m += 3) {
        gdyn_text poses = {0}, chosen = {0};
        gdyn_guess guess;
        gdyn_report_modes_yaml(&poses, &modes);
        gdyn_text_printf(&poses, "  start: m%d\n", m + 1);
        write_3rrr(poses.data, &chosen);
        opened again = open_text(chosen.data);
        assert_int_equal(gdyn_guess_assemble(again.instance->model, 0, &guess), GDYN_OK);
        assert_int_equal(guess.info.outcome, GDYN_CLOSED);
        assert_true(guess.info.moved < 1e-9);
        for (int body = 0; body < gdyn_model_bodies(again.instance->model); body++) {
            double r[3], R[9], wanted[3], turned[9];
            gdyn_state_body(guess.state, body, r, R);
            gdyn_state_body(modes.mode[m].state, body, wanted, turned);
            for (int k = 0; k < 3; k++)
                assert_near(r[k], wanted[k], 1e-9);
            for (int k = 0; k < 9; k++)
                assert_near(R[k], turned[k], 1e-9);
        }
        gdyn_guess_free(&guess);
        shut(&again);
        gdyn_text_free(&poses);
        gdyn_text_free(&chosen);
    }
    gdyn_modes_free(&modes);
    shut(&o);
    gdyn_text_free(&text);
}

/* With the cranks of a five-bar held the tip lies on either side of the line between the elbows. */
static void five_bar_held(void **unused) {
    (void)unused;
    opened o = open_text(
        "format: 1\nname: five-bar\nmachine:\n  space: planar\n  gravity: [0, 0]\n"
        "  ground: {points: {L: [-0.15, 0], R: [0.15, 0], start: [0, 0.4]}}\n  bodies:\n"
        "    left: {mass: 1, inertia: 0.01, points: {B: [0, 0], E: [0.25, 0]}, pose: [-0.15, 0, "
        "125 deg]}\n"
        "    right: {like: left, pose: [0.15, 0, 55 deg]}\n"
        "    lrod: {mass: 1, inertia: 0.01, points: {E: [0, 0], T: [0.35, 0]}, pose: {E: left.E, "
        "T: ground.start}}\n"
        "    rrod: {like: lrod, pose: {E: right.E, T: ground.start}}\n"
        "  joints:\n    a: {type: revolute, of: [left.B, ground.L]}\n"
        "    b: {type: revolute, of: [right.B, ground.R]}\n"
        "    c: {type: revolute, of: [lrod.E, left.E]}\n    d: {type: revolute, of: [rrod.E, "
        "right.E]}\n"
        "    e: {type: revolute, of: [lrod.T, rrod.T]}\n"
        "  drives: {l: {at: a, torque: {limit: 5 N m}}, r: {at: b, torque: {limit: 5 N m}}}\n");
    gdyn_modes modes;
    gdyn_modes_settings settings = gdyn_modes_default();
    assert_int_equal(gdyn_modes_find(o.instance, &settings, NULL, &modes), GDYN_ERROR_ARGUMENT);
    gdyn_modes_free(&modes);
    settings.held = GDYN_HOLD_DRIVES;
    assert_int_equal(gdyn_modes_find(o.instance, &settings, NULL, &modes), GDYN_OK);
    assert_int_equal(modes.count, 2);
    double tip[2][3], elbow[2][3];
    for (int m = 0; m < 2; m++) {
        gdyn_anchor at = {.body = 2, .at = {0.35, 0, 0}}, end = {.body = 0, .at = {0.25, 0, 0}};
        gdyn_state_point(modes.mode[m].state, &at, tip[m]);
        gdyn_state_point(modes.mode[m].state, &end, elbow[m]);
        double across = sqrt(0.35 * 0.35 - elbow[m][0] * elbow[m][0]);
        assert_near(tip[m][0], 0, 1e-10);
        assert_near(fabs(tip[m][1] - elbow[m][1]), across, 1e-10);
    }
    assert_near(elbow[0][1], elbow[1][1], 1e-10);
    assert_true((tip[0][1] - elbow[0][1]) * (tip[1][1] - elbow[1][1]) < 0);
    gdyn_modes_free(&modes);
    shut(&o);
}

/* An arm of two links is no leg between two ends: its other elbow is met by a sampled guess. Of three links the poses
 * are a continuum, of which the guess and its mirror image are given. */
static void arms(void **unused) {
    (void)unused;
    for (int links = 2; links <= 3; links++) {
        gdyn_text text = {0};
        gdyn_text_printf(
            &text,
            "format: 1\nname: arm\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
            "    l1: {mass: 1, inertia: 0.01, points: {A: [0, 0], B: [0.5, 0]}, pose: [0, 0, "
            "0.3]}\n"
            "    l2: {like: l1, pose: [0.48, 0.15, 1.2]}\n%s"
            "  joints:\n    j1: {type: revolute, of: [l1.A, ground]}\n"
            "    j2: {type: revolute, of: [l2.A, l1.B]}\n%s"
            "trajectories: {t: {of: l%d.B, p: [0, 1], path: {x: 0.6 + 0.1*p, y: 0.4}, points: "
            "5}}\n",
            links == 3 ? "    l3: {like: l1, pose: [0.6, 0.6, -1]}\n" : "",
            links == 3 ? "    j3: {type: revolute, of: [l3.A, l2.B]}\n" : "", links);
        opened o = open_text(text.data);
        gdyn_modes modes;
        gdyn_modes_settings settings = gdyn_modes_default();
        assert_int_equal(gdyn_modes_find(o.instance, &settings, NULL, &modes), GDYN_OK);
        assert_int_equal(modes.count, 2);
        assert_int_equal(modes.mode[0].freedom, links - 2);
        double elbow = gdyn_mech_joint_coordinate(modes.mode[0].state, 1, GDYN_FREEDOM_ANGLE);
        if (links == 2) {
            assert_near(fabs(elbow), acos((0.52 - 0.5) / 0.5), 1e-10);
            assert_near(gdyn_mech_joint_coordinate(modes.mode[1].state, 1, GDYN_FREEDOM_ANGLE),
                        -elbow, 1e-10);
        }
        gdyn_modes_free(&modes);
        shut(&o);
        gdyn_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_working_modes),
        cmocka_unit_test(poses_are_chosen),
        cmocka_unit_test(five_bar_held),
        cmocka_unit_test(arms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
