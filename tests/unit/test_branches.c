/* test_branches.c - paths keep to the assembly mode that they begin in: spatial four-bars against their closed form, platforms on
 * six legs led by the lengths of the legs against the sign of the determinant of the legs' lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/pi.h"
#include "base/random.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "linalg/vec3.h"
#include "near.h"
#include "path/path.h"

#include <math.h>
#include <string.h>

typedef struct followed {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_track *track;
} followed;

static followed follow(gdyn_text *text) {
    followed f = {0};
    assert_int_equal(gdyn_case_read_text(text->data, text->length, "t.yaml", NULL, &f.the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(f.the_case, 0, NULL, NULL, &f.instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(f.instance->model, &f.instance->trajectory[0], NULL, &f.path),
                     GDYN_OK);
    f.track = gdyn_track_create(f.instance->model, f.path);
    gdyn_closure *closure = gdyn_closure_create(f.instance->model, gdyn_path_targets(f.path));
    assert_int_equal(gdyn_track_follow(f.track, f.path, closure, NULL), GDYN_OK);
    gdyn_closure_destroy(closure);
    return f;
}

static void leave(followed *f) {
    gdyn_track_destroy(f->track);
    gdyn_path_destroy(f->path);
    gdyn_instance_destroy(f->instance);
    gdyn_case_destroy(f->the_case);
}

static bool regular(const gdyn_track *track, int i) {
    return track->status[i] == GDYN_POINT_OK;
}

/* --- a spatial four-bar --------------------------------------------------------------------------- */

/* Crank of length a about z, rocker of length r about x through (d, 0, h) from the plane of the crank, a rod of length l between. */
typedef struct four_bar {
    double a, d, h, r, l;
} four_bar;

/* The rocker's angle: a sin t cos f - h sin f = k / (2 r). *meet: cosine of half the angle between both solutions; beyond 1
 * the rod does not reach. */
static double rocker(const four_bar *m, double t, int side, double *meet) {
    double k = pow(m->a * cos(t) - m->d, 2) + pow(m->a * sin(t), 2) + m->h * m->h + m->r * m->r -
               m->l * m->l;
    *meet = k / (2 * m->r * hypot(m->a * sin(t), m->h));
    return atan2(-m->h, m->a * sin(t)) + side * acos(fmin(fmax(*meet, -1), 1));
}

static followed follow_four_bar(const four_bar *m, double from, double to, double angle,
                                int points) {
    gdyn_text text = {0};
    gdyn_text_printf(&text,
                     "format: 1\nname: four-bar\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n"
                     "  ground: {points: {O: [0, 0, 0], D: [%.17g, 0, %.17g]}}\n  bodies:\n"
                     "    crank: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0], B: [%.17g, "
                     "0, 0]}, pose: {at: "
                     "[0, 0, 0], cardan: [0, 0, %.17g]}}\n"
                     "    rocker: {mass: 1, inertia: [1, 1, 1], points: {D: [0, 0, 0], C: [0, "
                     "%.17g, 0]}, pose: {at: "
                     "[%.17g, 0, %.17g], cardan: [%.17g, 0, 0]}}\n",
                     m->d, m->h, m->a, from, m->r, m->d, m->h, angle);
    gdyn_text_printf(&text,
                     "  joints:\n"
                     "    crank: {type: revolute, of: [crank.O, ground.O], axis: [0, 0, 1]}\n"
                     "    rocker: {type: revolute, of: [rocker.D, ground.D], axis: [1, 0, 0]}\n"
                     "    rod: {type: rod, of: [crank.B, rocker.C], length: %.17g}\n"
                     "  drives: {m: {at: crank, torque: {limit: 5 N m}}}\n"
                     "trajectories:\n  t: {p: [%.17g, %.17g], joints: {crank: p}, points: %d}\n",
                     m->l, from, to, points);
    followed f = follow(&text);
    gdyn_text_free(&text);
    return f;
}

/* All points up to the first angle at which the rod does not reach are followed; those, and what the other way round leads to, are on
 * the side of the start. */
static int check_four_bar(const four_bar *m, double from, double to, int side, int points) {
    double meet, start = rocker(m, from, side, &meet), end = to;
    for (int i = 0; i <= 20000 && end == to; i++) {
        double t = from + (to - from) * i / 20000;
        rocker(m, t, side, &meet);
        if (fabs(meet) > 1)
            end = t;
    }
    followed f = follow_four_bar(m, from, to, start, points);
    for (int i = 0; i < points; i++) {
        double p = f.track->p[i], r[3], R[9], angle = rocker(m, p, side, &meet);
        gdyn_state_body(f.track->state[i], 1, r, R);
        assert_true(regular(f.track, i) || p > end - 1e-3);
        if (regular(f.track, i)) {
            assert_near(R[4], cos(angle), 1e-9);
            assert_near(R[5], sin(angle), 1e-9);
        }
    }
    leave(&f);
    return end < to;
}

static void spatial_four_bars_keep_their_side(void **unused) {
    (void)unused;
    gdyn_random random = gdyn_random_stream(14, 3, 1);
    int ended = 0, whole = 0;
    for (int k = 0; k < 60; k++) {
        four_bar m = {.a = gdyn_random_between(&random, 0.1, 0.3),
                      .d = gdyn_random_between(&random, 0.3, 1),
                      .h = gdyn_random_between(&random, 0.1, 0.5),
                      .r = gdyn_random_between(&random, 0.2, 0.6),
                      .l = gdyn_random_between(&random, 0.5, 1.2)};
        double meet, from = gdyn_random_between(&random, -3, 3);
        static const int points[] = {2, 3, 5, 9, 33};
        rocker(&m, from, 1, &meet);
        if (fabs(meet) > 0.95)
            continue;
        int gap = check_four_bar(&m, from, from + 6, k % 2 ? 1 : -1, points[k % 5]);
        ended += gap;
        whole += !gap;
    }
    assert_true(ended > 10 && whole > 5);
}

/* --- a platform on six legs ------------------------------------------------------------------------ */

typedef struct platform {
    double anchor[6][3], joint[6][3], from[6], to[6]; /* lengths */
} platform;

static platform random_platform(gdyn_random *random, double stroke) {
    platform m;
    for (int i = 0; i < 6; i++) {
        double a = i * GDYN_PI / 3, b = a + (i % 2 ? -0.4 : 0.4), leg[3];
        v3_set(m.anchor[i], 1.2 * cos(a), 1.2 * sin(a), 0);
        v3_set(m.joint[i], 0.5 * cos(b), 0.5 * sin(b), 0);
        for (int k = 0; k < 3; k++) {
            m.anchor[i][k] += gdyn_random_between(random, -0.15, 0.15);
            m.joint[i][k] += gdyn_random_between(random, -0.05, 0.05);
        }
        v3_sub(leg, m.joint[i], m.anchor[i]);
        leg[2] += 1;
        m.from[i] = v3_norm(leg);
        m.to[i] = m.from[i] + gdyn_random_between(random, -stroke, stroke);
    }
    return m;
}

static followed follow_platform(const platform *m, int points) {
    gdyn_text text = {0};
    gdyn_text_printf(&text, "format: 1\nname: platform\nmachine:\n  space: spatial\n"
                            "  gravity: [0, 0, 0]\n  ground: {points: {");
    for (int i = 0; i < 6; i++) {
        const double *a = m->anchor[i], *b = m->joint[i];
        gdyn_text_printf(&text, "%sA%d: [%.17g, %.17g, %.17g], M%d: [%.17g, %.17g, %.17g]",
                         i > 0 ? ", " : "", i, a[0], a[1], a[2], i, 0.5 * (a[0] + b[0]),
                         0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2] + 1));
    }
    gdyn_text_printf(&text, "}}\n  bodies:\n    top: {mass: 1, inertia: [1, 1, 1], points: {");
    for (int i = 0; i < 6; i++)
        gdyn_text_printf(&text, "%sB%d: [%.17g, %.17g, %.17g]", i > 0 ? ", " : "", i,
                         m->joint[i][0], m->joint[i][1], m->joint[i][2]);
    gdyn_text_printf(
        &text,
        "}, pose: [0, 0, 1]}\n"
        "    low$i: {repeat: {i: 0..5}, mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0], T: [0, "
        "0, "
        "0.1]}, pose: {O: ground.A$i, T: ground.M$i}}\n"
        "    high$i: {repeat: {i: 0..5}, mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0], T: "
        "[0, 0, "
        "-0.1]}, pose: {O: top.B$i, T: ground.M$i}}\n"
        "  joints:\n"
        "    a$i: {repeat: {i: 0..5}, type: universal, of: [low$i.O, ground.A$i], axes: [[1, 0, "
        "0], [0, "
        "1, 0]]}\n"
        "    p$i: {repeat: {i: 0..5}, type: prismatic, of: [high$i.O, low$i.O], axis: [0, 0, 1]}\n"
        "    s$i: {repeat: {i: 0..5}, type: spherical, of: [high$i.O, top.B$i]}\n"
        "  drives: {m$i: {repeat: {i: 0..5}, at: p$i, force: {limit: 10 N}}}\n"
        "trajectories:\n  t: {p: [0, 1], points: %d, joints: {",
        points);
    for (int i = 0; i < 6; i++)
        gdyn_text_printf(&text, "%sp%d: \"%.17g + %.17g*p\"", i > 0 ? ", " : "", i, m->from[i],
                         m->to[i] - m->from[i]);
    gdyn_text_printf(&text, "}}\n");
    followed f = follow(&text);
    gdyn_text_free(&text);
    return f;
}

/* Determinant of a 6 x 6 matrix by elimination. */
static double determinant(double M[6][6]) {
    double det = 1;
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k; i < 6; i++)
            best = fabs(M[i][k]) > fabs(M[best][k]) ? i : best;
        for (int j = 0; best != k && j < 6; j++) {
            double kept = M[k][j];
            M[k][j] = M[best][j];
            M[best][j] = kept;
        }
        det *= best == k ? M[k][k] : -M[k][k];
        for (int i = k + 1; i < 6; i++)
            for (int j = 5; j >= k; j--)
                M[i][j] -= M[i][k] / M[k][k] * M[k][j];
    }
    return det;
}

/* Of the lines of the legs; its sign changes where the platform passes a singular pose. Also checks the lengths. */
static double side_of(const platform *m, const gdyn_state *pose, double p) {
    double r[3], R[9], M[6][6];
    gdyn_state_body(pose, 0, r, R);
    for (int i = 0; i < 6; i++) {
        double arm[3], leg[3];
        m3_apply(arm, R, m->joint[i]);
        v3_add(leg, r, arm);
        v3_sub(leg, leg, m->anchor[i]);
        assert_near(v3_norm(leg), m->from[i] + p * (m->to[i] - m->from[i]), 1e-9);
        memcpy(M[i], leg, sizeof leg);
        v3_cross(M[i] + 3, arm, leg);
    }
    return determinant(M);
}

static void platforms_keep_their_side(void **unused) {
    (void)unused;
    gdyn_random random = gdyn_random_stream(14, 3, 2);
    int whole = 0, refused = 0, other = 0;
    for (int k = 0; k < 24; k++) {
        static const int points[] = {2, 3, 5, 17};
        platform m = random_platform(&random, k % 2 ? 0.6 : 0.2);
        followed f = follow_platform(&m, points[k / 2 % 4]);
        double first = side_of(&m, f.track->state[0], 0);
        assert_true(regular(f.track, 0));
        for (int i = 0; i < f.track->points; i++) {
            if (regular(f.track, i))
                assert_true(first * side_of(&m, f.track->state[i], f.track->p[i]) > 0);
            other += f.track->status[i] == GDYN_POINT_BRANCH;
        }
        whole += f.track->reach >= 1;
        refused += f.track->reach < 1;
        leave(&f);
    }
    assert_true(whole > 3 && refused > 3 && other > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spatial_four_bars_keep_their_side),
        cmocka_unit_test(platforms_keep_their_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
