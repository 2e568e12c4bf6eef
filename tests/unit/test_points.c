/* Poses in lanes: both translations give the same bits, and what they give closes the machine. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "path_run.h"

#include "closure/target.h"
#include "mech/state.h"
#include "tree/points.h"

enum { MOST_TARGETS = 6, MOST_NUMBERS = 400 };

/* What is handed out of a lane. */
typedef struct lane {
    gdyn_tree_arrival known;
    double u_p[MOST_NUMBERS], u_pp[MOST_NUMBERS], rate[MOST_NUMBERS], acceleration[MOST_NUMBERS],
        leg_map[MOST_NUMBERS];
    signed char sign[MOST_NUMBERS];
} lane;

static void make_lane(lane *l, const gdyn_model *model) {
    memset(l, 0, sizeof *l);
    l->known = (gdyn_tree_arrival){.state = gdyn_state_create(model),
                                   .u_p = l->u_p,
                                   .u_pp = l->u_pp,
                                   .rate = l->rate,
                                   .acceleration = l->acceleration,
                                   .leg_map = l->leg_map,
                                   .sign = l->sign};
}

/* The points behind number `from` of the path, from there without a prediction; how many were closed. */
static int close_from(const run *r, const gdyn_points_kernel *kernel, gdyn_tree_points *points,
                      int from, lane lanes[GDYN_AT_ONCE]) {
    gdyn_target target[GDYN_AT_ONCE][MOST_TARGETS];
    gdyn_tree_goal goals[GDYN_AT_ONCE][MOST_TARGETS];
    const gdyn_tree_goal *goal[GDYN_AT_ONCE];
    gdyn_tree_arrival *to[GDYN_AT_ONCE];
    const double h[GDYN_AT_ONCE] = {0};
    const gdyn_tree_motion still = {0};
    int count = gdyn_path_targets(r->path);
    for (int l = 0; l < GDYN_AT_ONCE; l++) {
        gdyn_path_evaluate(r->path, r->track->p[from + 1 + l], target[l]);
        for (int i = 0; i < count; i++) {
            goals[l][i].row = &target[l][i].row;
            memcpy(goals[l][i].value, target[l][i].target, sizeof goals[l][i].value);
        }
        goal[l] = goals[l];
        to[l] = &lanes[l].known;
    }
    assert_true(gdyn_tree_points_base(points, r->track->state[from], count, goal[0]));
    int closed = kernel->close(points, &still, h, goal, 1e-12, 1);
    kernel->derive(points, goal);
    kernel->hand_out(points, to, true);
    return closed;
}

/* Poses, rates and how the legs follow of one translation against those of the other, bit for bit, and against the followed path. */
static void compare(const run *r, const gdyn_points_kernel *const kernels[2]) {
    const gdyn_track *t = r->track;
    const gdyn_tree *tree = gdyn_model_tree(r->model);
    gdyn_tree_points *points = gdyn_tree_points_create(tree, MOST_TARGETS);
    static lane lanes[2][GDYN_AT_ONCE];
    double maps[2][MOST_NUMBERS];
    int length = gdyn_tree_points_leg_map_length(points);
    assert_true(length > 1 && length <= MOST_NUMBERS);
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < GDYN_AT_ONCE; l++)
            make_lane(&lanes[k][l], r->model);
    for (int i = 0; i + GDYN_AT_ONCE < t->points; i += 7) {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(close_from(r, kernels[k], points, i, lanes[k]), GDYN_AT_ONCE);
            const double *map = kernels[k]->legs(points, t->state[i]);
            assert_non_null(map);
            memcpy(maps[k], map, (size_t)length * sizeof *map);
        }
        assert_memory_equal(maps[0], maps[1], (size_t)length * sizeof(double));
        for (int l = 0; l < GDYN_AT_ONCE; l++) {
            const lane *a = &lanes[0][l], *b = &lanes[1][l];
            const double *u = t->u_p + (size_t)t->n * (size_t)(i + 1 + l);
            assert_true(gdyn_state_same_pose(a->known.state, b->known.state));
            assert_memory_equal(a->u_p, b->u_p, sizeof *a - offsetof(lane, u_p));
            assert_true(a->known.closed.residual == b->known.closed.residual);
            assert_true(a->known.closed.moved == b->known.closed.moved);
            assert_int_equal(a->known.closed.worst, b->known.closed.worst);
            assert_true(gdyn_state_near(a->known.state, t->state[i + 1 + l], 1e-12));
            for (int j = 0; j < t->n; j++)
                assert_true(fabs(a->u_p[j] - u[j]) <= 1e-11);
        }
    }
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < GDYN_AT_ONCE; l++)
            gdyn_state_destroy(lanes[k][l].known.state);
    gdyn_tree_points_destroy(points);
}

/* The translation for all processors, and the one for this processor. */
static void in_the_plane(void **context) {
    (void)context;
    static const char *const circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0.1*p"};
    const gdyn_points_kernel *kernels[2] = {&gdyn_points_kernel_plain, gdyn_points_kernel_here()};
    run *r = begin(star(1, false));
    move_tool(r, 0, 0, 0, 0, circle);
    range(r, 0, 2 * PI, 101);
    assert_all_ok(go(r, NULL));
    compare(r, kernels);
    end(r);
}

static void in_space(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.1*sin(p)", "0.08*cos(p)", "0.9+0.05*sin(2*p)",
                                         "0.2*sin(p)", "0.15*cos(p)", "0.3*sin(p)"};
    const gdyn_points_kernel *kernels[2] = {&gdyn_points_kernel_plain, gdyn_points_kernel_here()};
    run *r = begin(six_ups(1));
    move_tool(r, 0, 0.05, 0, -0.1, texts);
    range(r, 0, 2 * PI, 101);
    assert_all_ok(go(r, NULL));
    compare(r, kernels);
    end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
