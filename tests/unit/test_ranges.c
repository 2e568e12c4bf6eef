/* Stated ranges along a path: travel and margins against closed forms, between the points too; points out of
 * range; turns of angles; cones; definitions that are none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/pi.h"
#include "base/random.h"
#include "casefile/casefile.h"
#include "path/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = GDYN_PI;

typedef struct followed {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_track *track;
    gdyn_closure *closure;
} followed;

static int errors;
static char message[300];

static void keep(void *context, const gdyn_diag *diag) {
    (void)context;
    errors += diag->severity == GDYN_ERROR;
    if (diag->severity == GDYN_ERROR && !message[0])
        snprintf(message, sizeof message, "%s", diag->message);
}

static gdyn_status read_text(followed *f, const char *text) {
    gdyn_sink sink = {keep, NULL};
    *f = (followed){0};
    errors = 0;
    message[0] = '\0';
    gdyn_status status = gdyn_case_read_text(text, strlen(text), "case.yaml", &sink, &f->the_case);
    return status == GDYN_OK ? gdyn_case_instantiate(f->the_case, 0, NULL, &sink, &f->instance)
                             : status;
}

static const gdyn_track *follow(followed *f, const char *text) {
    assert_int_equal(read_text(f, text), GDYN_OK);
    assert_int_equal(
        gdyn_path_create(f->instance->model, &f->instance->trajectory[0], NULL, &f->path), GDYN_OK);
    f->track = gdyn_track_create(f->instance->model, f->path);
    f->closure = gdyn_closure_create(f->instance->model, gdyn_path_targets(f->path));
    assert_int_equal(gdyn_track_follow(f->track, f->path, f->closure, NULL), GDYN_OK);
    return f->track;
}

static void end(followed *f) {
    gdyn_closure_destroy(f->closure);
    gdyn_track_destroy(f->track);
    gdyn_path_destroy(f->path);
    gdyn_instance_destroy(f->instance);
    gdyn_case_destroy(f->the_case);
}

/* A disc on a hinge that turns as the formula says. */
static const char *disc(char *text, size_t size, const char *range, const char *formula, double to,
                        int points) {
    snprintf(text, size,
             "format: 1\nname: disc\nmachine:\n"
             "  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
             "  bodies: {disc: {mass: 1, inertia: 1, points: {O: [0, 0]}, pose: [0, 0, 0]}}\n"
             "  joints: {hinge: {type: revolute, of: [disc.O, ground.O], range: %s}}\n"
             "trajectories:\n  turn: {p: [0, %.17g], joints: {hinge: \"%s\"}, points: %d}\n",
             range, to, formula, points);
    return text;
}

/* --- travel -------------------------------------------------------------------------------- */

/* Least and greatest of a sin(w p + f) on [0, 1]: at the ends, or where the argument passes an odd quarter turn. */
static void extremes(double a, double w, double f, double *least, double *greatest) {
    *least = fmin(a * sin(f), a * sin(w + f));
    *greatest = fmax(a * sin(f), a * sin(w + f));
    for (int k = -20; k <= 20; k++) {
        double p = (0.5 * PI + k * PI - f) / w, value = k % 2 ? -a : a;
        if (p > 0 && p < 1) {
            *least = fmin(*least, value);
            *greatest = fmax(*greatest, value);
        }
    }
}

static void travel_of_waves(void **context) {
    (void)context;
    gdyn_random random = gdyn_random_stream(5, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        char text[1500], formula[200];
        followed f;
        double a = 0.2 + gdyn_random_uniform(&random), w = 1 + 11 * gdyn_random_uniform(&random);
        double phase = 6 * gdyn_random_uniform(&random), least, greatest;
        int points = 4 + (int)(70 * gdyn_random_uniform(&random));
        snprintf(formula, sizeof formula, "%.17g*sin(%.17g*p + %.17g)", a, w, phase);
        const gdyn_track *t =
            follow(&f, disc(text, sizeof text, "{min: -2, max: 3}", formula, 1, points));
        extremes(a, w, phase, &least, &greatest);
        const gdyn_travel *travel = &t->travel[0];
        assert_true(fabs(travel->least - least) <= 1e-12);
        assert_true(fabs(travel->greatest - greatest) <= 1e-12);
        assert_true(fabs(travel->margin - fmin(least + 2, 3 - greatest)) <= 1e-12);
        assert_true(fabs(travel->share - travel->margin / 2.5) <= 1e-12);
        assert_int_equal(travel->at_max, 3 - greatest < least + 2);
        assert_int_equal(travel->outside, 0);
        assert_true(t->reach == 1);
        end(&f);
    }
}

/* --- points out of range ---------------------------------------------------------------------- */

/* sin has its top between two of the points; the range ends just below it. */
static void left_between_points(void **context) {
    (void)context;
    char text[1500];
    followed f;
    double below = 1e-5, top = PI / 2;
    const gdyn_track *t = follow(&f, disc(text, sizeof text, "{max: 1 - 1e-5}", "sin(p)", 3, 14));
    int nearest = (int)lround(top / 3 * 13);
    assert_true(sin(t->p[nearest]) < 1 - below);
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->status[i], i == nearest ? GDYN_POINT_RANGE : GDYN_POINT_OK);
    assert_int_equal(t->travel[0].outside, 1);
    assert_true(fabs(t->travel[0].margin + below) <= 1e-12);
    assert_true(fabs(t->travel[0].margin_p - top) <= 1e-5);
    assert_int_equal(t->first_failure, nearest);
    assert_true(fabs(t->reach - 13.0 / 14) <= 1e-15);
    /* poses between the points are judged by themselves, in any order */
    gdyn_path_place *place = gdyn_path_place_create(f.path, t);
    const struct {
        double p;
        gdyn_point_status status;
    } at[] = {{top, GDYN_POINT_RANGE},         {top + 0.01, GDYN_POINT_OK},
              {top - 0.001, GDYN_POINT_RANGE}, {top - 0.01, GDYN_POINT_OK},
              {top, GDYN_POINT_RANGE},         {0, GDYN_POINT_OK}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        assert_int_equal(gdyn_path_place_at(place, at[k].p), GDYN_OK);
        assert_int_equal(place->status, at[k].status);
    }
    gdyn_path_place_destroy(place);
    end(&f);
}

/* A range that is just reached is kept. */
static void touching_is_inside(void **context) {
    (void)context;
    char text[1500];
    followed f;
    const gdyn_track *t = follow(&f, disc(text, sizeof text, "{min: 0, max: 1}", "sin(p)", PI, 8));
    assert_true(t->reach == 1);
    assert_true(fabs(t->travel[0].margin) <= 1e-12);
    end(&f);
}

static void points_outside(void **context) {
    (void)context;
    char text[1500];
    followed f;
    const gdyn_track *t = follow(&f, disc(text, sizeof text, "{max: 0.5}", "p", 1, 11));
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->status[i], i <= 5 ? GDYN_POINT_OK : GDYN_POINT_RANGE);
    double beyond;
    assert_int_equal(gdyn_track_range_left(t, t->state[10], &beyond), 0);
    assert_true(fabs(beyond - 0.5) <= 1e-12);
    assert_int_equal(gdyn_track_range_left(t, t->state[5], NULL), -1);
    assert_true(fabs(gdyn_track_margin(t, t->state[0]) - 0.5) <= 1e-12);
    end(&f);
}

/* Of the full turns those are chosen that bring the travel to the middle of the range. */
static void turns_are_counted(void **context) {
    (void)context;
    char text[1500];
    followed f;
    const gdyn_track *t =
        follow(&f, disc(text, sizeof text, "{min: 700 deg, max: 1200 deg}", "p", 8, 41));
    assert_true(fabs(t->travel[0].least - 4 * PI) <= 1e-12);
    assert_true(fabs(t->travel[0].greatest - 4 * PI - 8) <= 1e-12);
    assert_true(t->reach == 1);
    end(&f);
}

/* --- cones and several freedoms ------------------------------------------------------------ */

/* A body on a ball joint leans about x by p: its z axis is |p| away from the ground's. */
static void cone_of_a_ball_joint(void **context) {
    (void)context;
    followed f;
    const gdyn_track *t = follow(
        &f, "format: 1\nname: ball\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n"
            "  ground: {points: {O: [0, 0, 0]}}\n"
            "  bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
            "  joints:\n"
            "    ball: {type: spherical, of: [b.O, ground.O],\n"
            "           cone: {angle: 0.7, axes: [[0, 0, 2], [0, 0, 5]]}}\n"
            "trajectories:\n  lean: {of: b, p: [-0.5, 0.9], path: {cardan: [p, 0, 0]}, points: "
            "15}\n");
    const gdyn_travel *travel = &t->travel[0];
    assert_string_equal(gdyn_model_range(f.instance->model, 0)->name, "ball.cone");
    assert_true(fabs(travel->greatest - 0.9) <= 1e-12);
    assert_true(travel->least >= 0 && travel->least <= 1e-6); /* a tip: the derivative jumps */
    assert_true(fabs(travel->margin + 0.2) <= 1e-12 && travel->at_max);
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->status[i],
                         fabs(t->p[i]) <= 0.7 + 1e-9 ? GDYN_POINT_OK : GDYN_POINT_RANGE);
    end(&f);
}

/* Angle of the axis that leans by two waves. */
static double leaning(const double w[6], double p) {
    return acos(cos(w[0] * sin(w[1] * p + w[2])) * cos(w[3] * sin(w[4] * p + w[5])));
}

/* Its least (sign 1) or greatest value (-1) on [0, 1], by many samples and thirds of the way around the best one. */
static double extreme(const double w[6], double sign) {
    enum { SAMPLES = 4000 };
    double best = 0;
    for (int i = 0; i <= SAMPLES; i++)
        if (sign * leaning(w, (double)i / SAMPLES) < sign * leaning(w, best))
            best = (double)i / SAMPLES;
    double a = fmax(best - 1.0 / SAMPLES, 0), b = fmin(best + 1.0 / SAMPLES, 1);
    while (b - a > 1e-12) {
        double left = a + (b - a) / 3, right = b - (b - a) / 3;
        if (sign * leaning(w, left) < sign * leaning(w, right))
            b = right;
        else
            a = left;
    }
    return leaning(w, 0.5 * (a + b));
}

/* Axes that pass near that of their cone have a tip between the points, also between few of them. */
static void cones_near_their_axis(void **context) {
    (void)context;
    gdyn_random random = gdyn_random_stream(6, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        char text[1500];
        followed f;
        double w[6];
        for (int k = 0; k < 6; k++)
            w[k] = k % 3 == 0   ? gdyn_random_between(&random, 0.02, 0.5)
                   : k % 3 == 1 ? gdyn_random_between(&random, 1, 14)
                                : gdyn_random_between(&random, 0, 6);
        snprintf(text, sizeof text,
                 "format: 1\nname: ball\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n"
                 "  ground: {points: {O: [0, 0, 0]}}\n"
                 "  bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
                 "  joints:\n    ball: {type: spherical, of: [b.O, ground.O],\n"
                 "           cone: {angle: 2, axes: [[0, 0, 1], [0, 0, 1]]}}\n"
                 "trajectories:\n  lean: {of: b, p: [0, 1], points: %d, path: {cardan:\n"
                 "    [%.17g*sin(%.17g*p + %.17g), %.17g*sin(%.17g*p + %.17g), 0]}}\n",
                 5 + 2 * trial, w[0], w[1], w[2], w[3], w[4], w[5]);
        const gdyn_travel *travel = &follow(&f, text)->travel[0];
        assert_true(fabs(travel->least - extreme(w, 1)) <= 1e-7);
        assert_true(fabs(travel->greatest - extreme(w, -1)) <= 1e-7);
        end(&f);
    }
}

static void freedoms_by_name(void **context) {
    (void)context;
    followed f;
    const gdyn_track *t = follow(
        &f,
        "format: 1\nname: both\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n"
        "  ground: {points: {O: [0, 0, 0]}}\n"
        "  bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
        "  joints:\n"
        "    rod: {type: cylindrical, of: [b.O, ground.O], axis: [0, 0, 1],\n"
        "          range: {slide: {min: -1 mm, max: 4 mm}, angle: {max: 2}}}\n"
        "trajectories:\n"
        "  screw: {p: [0, 1], joints: {rod.slide: 3 mm*p^2, rod.angle: sin(2*p)}, points: 9}\n");
    assert_int_equal(gdyn_model_ranges(f.instance->model), 2);
    int slide = gdyn_model_find_range(f.instance->model, "rod.slide");
    int angle = gdyn_model_find_range(f.instance->model, "rod.angle");
    assert_true(slide >= 0 && angle >= 0);
    assert_true(gdyn_model_range_slides(f.instance->model, slide));
    assert_true(fabs(t->travel[slide].greatest - 0.003) <= 1e-14);
    assert_true(fabs(t->travel[angle].greatest - 1) <= 1e-12);
    assert_true(fabs(t->travel[angle].greatest_p - PI / 4) <= 1e-6);
    end(&f);
}

/* --- definitions that are none ---------------------------------------------------------------- */

static void refused(const char *range, const char *words) {
    char text[1500];
    followed f;
    assert_int_not_equal(read_text(&f, disc(text, sizeof text, range, "p", 1, 3)), GDYN_OK);
    if (!strstr(message, words))
        fail_msg("%s: '%s' lacks '%s'", range, message, words);
    end(&f);
}

static void bad_ranges(void **context) {
    (void)context;
    refused("{}", "neither min nor max");
    refused("{min: 2, max: 1}", "is empty");
    refused("{min: 1, max: 1}", "is empty");
    refused("{min: 1 mm}", "");
    refused("{slide: {max: 1}}", "no coordinate 'slide'");
    refused("{max: 1}, cone: {angle: 1, axis: [1, 0]}", "applies in space only");
    refused("{most: 3}", "unknown key");
    refused("{angle: {max: 1}, min: 0}", "mixes ends and coordinates");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(travel_of_waves),
        cmocka_unit_test(left_between_points),
        cmocka_unit_test(touching_is_inside),
        cmocka_unit_test(points_outside),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(cone_of_a_ball_joint),
        cmocka_unit_test(cones_near_their_axis),
        cmocka_unit_test(freedoms_by_name),
        cmocka_unit_test(bad_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
