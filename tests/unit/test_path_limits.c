/* Following a path where it cannot be followed: singular poses, limits of reach, impossible demands,
 * wrong arguments, lack of memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "path_run.h"

static const char *const circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0"};

/* Flat, the parallelogram meets the antiparallelogram: reported at that pose or at the point next to
 * it, and the motion goes on as a parallelogram. */
static void through_a_branch_point(void **context) {
    (void)context;
    for (int exact = 0; exact < 2; exact++) {
        run *r = begin(parallelogram(0.5, 2, 2.5));
        move_joint(r, "low0", GDYN_FREEDOM_DEFAULT, "p");
        range(r, PI - 0.5, PI + (exact ? 0.5 : 0.52), 21);
        const gdyn_track *t = go(r, NULL);
        int singular = 0;
        for (int i = 0; i < t->points; i++) {
            double x[3], R[9];
            gdyn_state_body(t->state[i], 0, x, R);
            assert_true(fabs(R[1]) <= 1e-9);
            if (t->status[i] == GDYN_POINT_SINGULAR) {
                singular++;
                assert_true(fabs(t->p[i] - PI) <= 0.026);
            } else {
                assert_int_equal(t->status[i], GDYN_POINT_OK);
            }
        }
        assert_int_equal(singular, 1);
        end(r);
    }
}

/* The slider of a slider-crank cannot go beyond a + l, where crank and rod are stretched. */
static void unreachable_points(void **context) {
    (void)context;
    run *r = begin(slider_crank(0.3, 0.8, 0.7));
    move_joint(r, "slide", GDYN_FREEDOM_DEFAULT, "1+0.15*sin(p)");
    range(r, 0, 2 * PI, 121);
    const gdyn_track *t = go(r, NULL);
    int good = 0;
    for (int i = 0; i < t->points; i++) {
        double x = 1 + 0.15 * sin(t->p[i]);
        if (x > 1.1) {
            assert_int_equal(t->status[i], GDYN_POINT_UNASSEMBLED);
            assert_true(t->residual[i] > 0 && t->residual[i] * 0.8 < x - 1.1);
            assert_true(t->u_p[9 * i] == 0);
            continue;
        }
        if (t->status[i] != GDYN_POINT_OK)
            print_track(t);
        assert_int_equal(t->status[i], GDYN_POINT_OK);
        good++;
        /* The crank stays on the side of the guess, before and after the gap. */
        double crank = gdyn_mech_joint_coordinate(t->state[i], 0, GDYN_FREEDOM_DEFAULT);
        double expected = acos((0.09 + x * x - 0.64) / (2 * 0.3 * x));
        assert_true(fabs(crank - expected) <= 1e-9);
    }
    assert_true(fabs(t->reach - (double)good / t->points) < 1e-15);
    assert_int_equal(t->first_failure,
                     14); /* sin p > 2 / 3 from p = 0.7297, point 14 is at 0.733 */
    assert_false(t->left);
    /* in brief, and from the closed machine instead of the guess, up to there only */
    gdyn_state *closed = gdyn_state_create(r->model);
    assert_int_equal(gdyn_closure_solve(r->closure, closed, 0, NULL, NULL, NULL), GDYN_OK);
    r->track->brief = true;
    go(r, closed);
    assert_true(t->left);
    for (int i = 0; i <= 14; i++)
        assert_int_equal(t->status[i], i < 14 ? GDYN_POINT_OK : GDYN_POINT_UNASSEMBLED);
    r->track->brief = false;
    go(r, closed);
    assert_false(t->left);
    assert_true(fabs(t->reach - (double)good / t->points) < 1e-15);
    gdyn_state_destroy(closed);
    end(r);
}

/* Twelve intervals of a path that was left at its first unreachable point, against these points by themselves: the same
 * ones cannot be assembled, by as much. */
static void compare_few(run *fine, run *few) {
    gdyn_state *closed = gdyn_state_create(fine->model);
    go(fine, NULL); /* makes track and closure */
    assert_int_equal(gdyn_closure_solve(fine->closure, closed, 0, NULL, NULL, NULL), GDYN_OK);
    fine->track->brief = true;
    go(fine, closed);
    assert_true(fine->track->left);
    const gdyn_track *t = go(few, NULL);
    gdyn_track *on = gdyn_track_create(few->model, few->path);
    assert_int_equal(gdyn_track_follow_on(on, few->path, few->closure, NULL, fine->track), GDYN_OK);
    assert_int_equal(on->first_failure, t->first_failure);
    assert_true(on->reach == t->reach && t->reach < 1);
    for (int i = 0; i < t->points; i++) {
        assert_int_equal(on->status[i], t->status[i]);
        assert_true(fabs(on->p[i] - t->p[i]) <= 1e-12);
        if (t->status[i] == GDYN_POINT_UNASSEMBLED)
            assert_true(fabs(on->residual[i] / t->residual[i] - 1) <= 0.02);
        else
            assert_true(gdyn_state_near(on->state[i], t->state[i], 1e-9));
    }
    /* what was not left, and what does not fit, is no beginning */
    assert_int_equal(gdyn_track_follow_on(on, few->path, few->closure, NULL, t),
                     GDYN_ERROR_ARGUMENT);
    gdyn_track_destroy(on);
    gdyn_state_destroy(closed);
    end(fine);
    end(few);
}

static void few_points_of_a_path_that_was_left(void **context) {
    (void)context;
    static const char *const far[6] = {"0.3*cos(p)", "0.3*sin(p)", NULL, NULL, NULL, "0"};
    run *r[2];
    /* from within reach, from beyond it; a gap in the middle */
    const double from[] = {0, 1.2, 2.5, PI};
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        for (int i = 0; i < 2; i++) {
            r[i] = begin(slider_crank(0.3, 0.8, 0.7));
            move_joint(r[i], "slide", GDYN_FREEDOM_DEFAULT, "1+0.15*sin(p)");
            range(r[i], from[k], from[k] + 2 * PI, i ? 13 : 121);
        }
        compare_few(r[0], r[1]);
        for (int i = 0; i < 2; i++) {
            r[i] = begin(star_with_legs(1, false, 0.6));
            move_tool(r[i], 0, 0, 0, 0, far);
            range(r[i], from[k], from[k] + 2 * PI, i ? 13 : 49);
        }
        compare_few(r[0], r[1]);
    }
}

/* The slider touches its limit: crank and rod stretched at p = 1. The crank goes smoothly through, to
 * the other side; the pose itself, or its nearest point, is singular. Started there, the path has a
 * singular first point. */
static void touching_a_limit(void **context) {
    (void)context;
    for (int points = 11; points <= 12; points++) {
        run *r = begin(slider_crank(0.3, 0.8, 0.7));
        move_joint(r, "slide", GDYN_FREEDOM_DEFAULT, "1.1-0.2*(p-1)^2");
        range(r, 0, 2, points);
        const gdyn_track *t = go(r, NULL);
        int singular = 0;
        for (int i = 0; i < points; i++) {
            double x = 1.1 - 0.2 * pow(t->p[i] - 1, 2), side = t->p[i] < 1 ? 1 : -1;
            double crank = gdyn_mech_joint_coordinate(t->state[i], 0, GDYN_FREEDOM_DEFAULT);
            double expected = acos(fmin(1, (0.09 + x * x - 0.64) / (2 * 0.3 * x)));
            bool near = fabs(t->p[i] - 1) < 0.1;
            singular += t->status[i] == GDYN_POINT_SINGULAR;
            assert_true(t->status[i] == GDYN_POINT_OK ||
                        (near && t->status[i] == GDYN_POINT_SINGULAR));
            assert_true(fabs(crank - side * expected) <= (near ? 1e-5 : 1e-9));
        }
        assert_int_equal(singular, 1);
        end(r);
    }
    run *r = begin(slider_crank(0.3, 0.8, 0.7));
    move_joint(r, "slide", GDYN_FREEDOM_DEFAULT, "1.1-0.2*(1-cos(p))");
    range(r, 0, 2, 9);
    const gdyn_track *t = go(r, NULL);
    assert_int_equal(t->status[0], GDYN_POINT_SINGULAR);
    assert_int_equal(t->first_failure, 0);
    assert_true(fabs(t->reach - 8.0 / 9) < 1e-15);
    end(r);
}

/* A pole between two points of the path is not seen at them; the way over it cannot be followed. */
static void pole_between_points(void **context) {
    (void)context;
    run *r = begin(slider_crank(0.3, 0.8, 0.7));
    move_joint(r, "slide", GDYN_FREEDOM_DEFAULT, "0.9+1e-4/(p-0.5)");
    range(r, 0, 1, 10);
    const gdyn_track *t = go(r, NULL);
    for (int i = 0; i < t->points; i++) {
        assert_true(t->status[i] == GDYN_POINT_OK || t->status[i] == GDYN_POINT_BRANCH);
        assert_true(gdyn_mech_joint_coordinate(t->state[i], 0, GDYN_FREEDOM_DEFAULT) > 0);
    }
    end(r);
}

/* A machine that cannot be closed at all, and a path that asks more than one freedom can give. */
static void impossible_demands(void **context) {
    (void)context;
    run *r = begin(four_bar(GDYN_PLANAR, 0.3, 0.4, 0.2, 1, 0));
    move_joint(r, "O", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0, 1, 5);
    const gdyn_track *t = go(r, NULL);
    assert_true(t->reach == 0);
    assert_int_equal(t->first_failure, 0);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(t->status[i], GDYN_POINT_UNASSEMBLED);
        assert_true(t->residual[i] > 0.01 && t->worst_joint[i] >= 0);
    }
    end(r);
    static const char *const texts[6] = {"0.3+0.05*p", "0.4"};
    r = begin(four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1));
    move_tool(r, 1, 0.2, 0.1, 0, texts);
    range(r, 0, 1, 5);
    t = go(r, NULL);
    for (int i = 0; i < 5; i++)
        assert_true(t->status[i] != GDYN_POINT_OK);
    end(r);
}

static void wrong_workspace_is_an_error(void **context) {
    (void)context;
    run *r = begin(star(1, false));
    move_tool(r, 0, 0, 0, 0, circle);
    range(r, 0, 1, 3);
    go(r, NULL);
    gdyn_closure *small = gdyn_closure_create(r->model, 1);
    assert_int_equal(gdyn_track_follow(r->track, r->path, small, NULL), GDYN_ERROR_ARGUMENT);
    gdyn_closure_destroy(small);
    for (long n = 0;; n++) {
        gdyn_alloc_fail_after(n);
        gdyn_status status = gdyn_track_follow(r->track, r->path, r->closure, NULL);
        gdyn_alloc_fail_after(-1);
        if (status == GDYN_OK)
            break;
        assert_int_equal(status, GDYN_ERROR_MEMORY);
    }
    end(r);
}

/* The platform makes half a turn between two points, before and behind which it hardly turns: it is not taken for
 * turned where it is not. */
static void half_a_turn_between_points(void **context) {
    (void)context;
    static const char *const turn[6] = {
        "0.01*p", "0", "0.9", "0", "0", "1.5707963267948966*(1+tanh(20000*(p-0.5)))"};
    run *r = begin(six_ups(1));
    move_tool(r, 0, 0, 0, 0, turn);
    range(r, 0, 1, 20);
    const gdyn_track *t = go(r, NULL);
    for (int i = 0; i < t->points; i++) {
        double x[3], R[9];
        gdyn_state_body(t->state[i], 0, x, R);
        if (t->status[i] != GDYN_POINT_UNASSEMBLED)
            assert_true(fabs(R[0] - (t->p[i] < 0.5 ? 1 : -1)) <= 1e-9);
    }
    end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_turn_between_points),
        cmocka_unit_test(through_a_branch_point),
        cmocka_unit_test(unreachable_points),
        cmocka_unit_test(few_points_of_a_path_that_was_left),
        cmocka_unit_test(touching_a_limit),
        cmocka_unit_test(impossible_demands),
        cmocka_unit_test(pole_between_points),
        cmocka_unit_test(wrong_workspace_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
