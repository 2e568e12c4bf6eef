/* test_cases.c - statements that every case in cases/ has to fulfil, at points along every path:
 *
 * - the three projections and the two reductions give the same region;
 * - power balance: at a point (d1, d2) of the region, with u = u_p d1 and u' = u_p d2 + u_pp d1^2,
 *   u . (M u' + h - g) = sum of drive force times drive speed, from the mechanics alone;
 * - at the limits times the load, and no less, the drives hold the machine at rest, by a linear program;
 * - the structure matrix of IPAnema 1 as published in the unit tests of WireX.
 *
 * The numbers of the expect: blocks are checked by tests/cli/consistency.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "globdyn.h"

#include "casefile/casefile.h"

#include "near.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 9 }; /* points per path */

/* One case with one of its paths followed. */
typedef struct followed {
    const char *file;
    const gdyn_instance *instance;
    const gdyn_path_def *def;
    gdyn_path *path;
    gdyn_track *track;
    gdyn_evaluator *evaluator;
    gdyn_pose *svd, *null;
} followed;

static char place[400]; /* where the checks are, for their messages */

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    print_error("%s:%d: %s\n", diag->file ? diag->file : "", diag->line, diag->message);
}
static const gdyn_sink sink = {print_diag, NULL};

static void follow(followed *f, const char *file, const gdyn_instance *instance, int trajectory) {
    const gdyn_model *model = instance->model;
    *f = (followed){.file = file, .instance = instance, .def = &instance->trajectory[trajectory]};
    assert_int_equal(gdyn_path_create(model, f->def, &sink, &f->path), GDYN_OK);
    f->track = gdyn_track_create(model, f->path);
    f->evaluator = gdyn_evaluator_create(model);
    f->svd = gdyn_pose_create(model);
    f->null = gdyn_pose_create(model);
    gdyn_closure *closure = gdyn_closure_create(model, gdyn_path_targets(f->path));
    assert_true(f->track && f->evaluator && f->svd && f->null && closure);
    assert_int_equal(gdyn_track_follow(f->track, f->path, closure, NULL), GDYN_OK);
    gdyn_closure_destroy(closure);
}

static void unfollow(followed *f) {
    gdyn_pose_destroy(f->null);
    gdyn_pose_destroy(f->svd);
    gdyn_evaluator_destroy(f->evaluator);
    gdyn_track_destroy(f->track);
    gdyn_path_destroy(f->path);
}

static void pose_at(const followed *f, int i, gdyn_reduction reduction, gdyn_pose *pose) {
    size_t at = (size_t)f->track->n * (size_t)i;
    gdyn_path_rates rates = {.u_p = f->track->u_p + at, .u_pp = f->track->u_pp + at};
    assert_int_equal(gdyn_evaluator_pose(f->evaluator, f->track->state[i], &rates, reduction, pose),
                     GDYN_OK);
}

/* Calls check for every case, path and sampled point that is assembled. */
static void everywhere(void (*check)(const followed *, int)) {
    glob_t files;
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 14);
    for (size_t c = 0; c < files.gl_pathc; c++) {
        gdyn_case *the_case = NULL;
        gdyn_instance *instance = NULL;
        assert_int_equal(gdyn_case_read(files.gl_pathv[c], &sink, &the_case), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, &sink, &instance), GDYN_OK);
        /* Without drives there are no limits to measure by. */
        bool driven = instance->model && gdyn_model_drives(instance->model) > 0;
        for (int j = 0; driven && j < instance->trajectory_count; j++) {
            followed f;
            follow(&f, files.gl_pathv[c], instance, j);
            assert_int_equal(f.track->first_failure, -1);
            int last = f.track->points - 1;
            for (int s = 0; s < SAMPLES; s++) {
                int i = s * last / (SAMPLES - 1);
                snprintf(place, sizeof place, "%s, %s, p = %g", f.file, f.def->name, f.track->p[i]);
                check(&f, i);
            }
            unfollow(&f);
        }
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
    globfree(&files);
}

/* The force that stands for "full limit": greatest finite limit, or the load when there is none. */
static double force_scale(const gdyn_coefficients *c) {
    double scale = 0, load = 0;
    for (int i = 0; i < c->k; i++) {
        scale = isfinite(c->min[i]) ? fmax(scale, fabs(c->min[i])) : scale;
        scale = isfinite(c->max[i]) ? fmax(scale, fabs(c->max[i])) : scale;
        load = fmax(load, fabs(c->C[i]));
    }
    return scale > 0 ? scale : load;
}

/* Path acceleration that a force of that size can make. */
static double d2_scale(const gdyn_coefficients *c) {
    double D = 0;
    for (int i = 0; i < c->k; i++)
        D = fmax(D, fabs(c->D[i]));
    return force_scale(c) / D;
}

static void same_value(double a, double b, double tolerance, const char *what) {
    if (!(a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance)) {
        print_error("%s: %s: %.17g against %.17g, tolerance %g\n", place, what, a, b, tolerance);
        fail();
    }
}

/* Equal to 1e-9 of the largest limit: in d2 along the islands, and in the ends of the islands (in
 * d1^2, where the boundary is straight). */
static void same_region(const gdyn_region *a, const gdyn_region *b, const gdyn_coefficients *c) {
    double tolerance = 1e-9 * d2_scale(c);
    same_value(a->status, b->status, 0, "status");
    same_value(a->island_count, b->island_count, 0, "islands");
    for (int i = 0; i < a->island_count; i++) {
        double from = a->island[i].from, to = a->island[i].to;
        double ends = 1e-8 * fmax(1, isfinite(to) ? to : 1);
        same_value(from, b->island[i].from, ends, "left end");
        same_value(to, b->island[i].to, ends, "right end");
        double span = isfinite(to) ? to - from : 10;
        for (int s = 0; s < 7; s++) {
            double d1 = from + span * (0.02 + 0.16 * s), low[2], high[2];
            assert_true(gdyn_region_slice(a, d1, &low[0], &high[0]));
            assert_true(gdyn_region_slice(b, d1, &low[1], &high[1]));
            same_value(low[0], low[1], tolerance * fmax(1, d1 * d1), "minimum d2");
            same_value(high[0], high[1], tolerance * fmax(1, d1 * d1), "maximum d2");
        }
    }
}

static void region_of(const gdyn_coefficients *c, gdyn_projection method, gdyn_region *region) {
    gdyn_access *access = gdyn_access_create(c->k, c->r, c->equalities);
    assert_non_null(access);
    assert_int_equal(gdyn_access_region(access, c, method, region), GDYN_OK);
    gdyn_access_destroy(access);
}

static void check_methods(const followed *f, int i) {
    pose_at(f, i, GDYN_REDUCE_SVD, f->svd);
    pose_at(f, i, GDYN_REDUCE_NULL, f->null);
    const gdyn_coefficients *c = &f->svd->coefficients;
    gdyn_region *exact = gdyn_region_create(), *other = gdyn_region_create();
    region_of(c, GDYN_BY_ELEMENTARY, exact);
    region_of(c, GDYN_BY_TUPLES, other);
    same_region(exact, other, c);
    region_of(c, GDYN_BY_LP, other);
    same_region(exact, other, c);
    assert_int_equal(f->null->coefficients.r, c->r);
    region_of(&f->null->coefficients, GDYN_BY_ELEMENTARY, other);
    same_region(exact, other, c);
    gdyn_region_destroy(other);
    gdyn_region_destroy(exact);
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void check_power_at(const followed *f, int i, const gdyn_coefficients *c, double d1,
                           double d2) {
    int n = f->track->n, k = gdyn_model_drives(f->instance->model);
    const double *u_p = f->track->u_p + (size_t)n * (size_t)i;
    const double *u_pp = f->track->u_pp + (size_t)n * (size_t)i;
    double *work = calloc((size_t)(7 * n + 3 * c->k + k), sizeof *work);
    double *u = work, *udot = u + n, *Mu = udot + n, *h = Mu + n, *g0 = h + n, *g1 = g0 + n;
    double *speed = g1 + n, *y = speed + k, *force = y + c->k;
    for (int j = 0; j < n; j++) {
        u[j] = u_p[j] * d1;
        udot[j] = u_p[j] * d2 + u_pp[j] * d1 * d1;
    }
    const gdyn_model *model = f->instance->model;
    const gdyn_state *state = f->track->state[i];
    gdyn_mech_mass_apply(state, udot, Mu);
    gdyn_mech_bias(state, u, h);
    gdyn_mech_path_forces(state, &(gdyn_path_rates){.u_p = u_p, .u_pp = u_pp}, g0, g1);
    gdyn_mech_drive_speeds(state, u, speed);
    gdyn_access *access = gdyn_access_create(c->k, c->r, c->equalities);
    assert_true(gdyn_access_forces(access, c, d1, d2, y, force));
    double inertia = dot(u, Mu, n) + dot(u, h, n);
    double applied = dot(u, g0, n) + d1 * dot(u, g1, n);
    double driven = 0, size = fabs(inertia) + fabs(applied);
    for (int j = 0; j < k; j++) {
        /* a tension works against the cable's lengthening */
        bool cable = gdyn_model_drive(model, j)->kind == GDYN_DRIVE_CABLE;
        driven += cable ? -force[j] * speed[j] : force[j] * speed[j];
        size += fabs(force[j] * speed[j]);
    }
    same_value(inertia - applied, driven, 1e-9 * size, "power");
    gdyn_access_destroy(access);
    free(work);
}

static void check_power(const followed *f, int i) {
    pose_at(f, i, GDYN_REDUCE_SVD, f->svd);
    const gdyn_coefficients *c = &f->svd->coefficients;
    gdyn_region *region = gdyn_region_create();
    region_of(c, GDYN_BY_ELEMENTARY, region);
    for (int j = 0; j < region->island_count; j++) {
        double from = region->island[j].from, to = region->island[j].to, low, high;
        double d1 = isfinite(to) ? 0.4 * from + 0.6 * to : from + 1.7;
        assert_true(gdyn_region_slice(region, d1, &low, &high));
        low = isfinite(low) ? low : fmin(high, 0) - 1;
        high = isfinite(high) ? high : fmax(low, 0) + 1;
        check_power_at(f, i, c, d1, 0.3 * low + 0.7 * high);
    }
    gdyn_region_destroy(region);
}

/* --- load ------------------------------------------------------------------------------------------------ */

enum { ROWS_MOST = 64 };

/* Whether forces within `share` of the drives' limits hold the machine at rest: the best y, by GLPK. */
static bool holds(const gdyn_pose *pose, double share) {
    gdyn_coefficients c = pose->coefficients;
    double min[ROWS_MOST], max[ROWS_MOST], violation;
    assert_true(c.k <= ROWS_MOST);
    for (int i = 0; i < c.k; i++) {
        bool drive = i < pose->drives;
        min[i] = c.min[i] * (drive && c.min[i] < 0 ? share : 1);
        max[i] = c.max[i] * (drive && c.max[i] > 0 ? share : 1);
    }
    c.min = min, c.max = max, c.equalities = 0;
    assert_int_equal(gdyn_access_violation(&c, 0, 0, &violation), GDYN_OK);
    return violation <= 0;
}

static void check_load(const followed *f, int i) {
    pose_at(f, i, GDYN_REDUCE_NULL, f->null);
    gdyn_criteria criteria = gdyn_criteria_none();
    assert_int_equal(gdyn_evaluator_criteria(f->evaluator, f->track->state[i], 0, NULL, NULL,
                                             f->null, &criteria),
                     GDYN_OK);
    double load = criteria.value[GDYN_CRITERION_LOAD];
    if (f->null->coefficients.k > f->null->efforts) /* lines of torque-speed curves do not count */
        return;
    if (isfinite(load)) {
        assert_true(holds(f->null, load + 1e-6 * (1 + load)));
        assert_true(load < 1e-6 || !holds(f->null, load - 1e-6 * (1 + load)));
    } else if (f->null->coefficients.equalities == 0)
        assert_false(holds(f->null, 1e6));
}

static void test_load(void **context) {
    (void)context;
    everywhere(check_load);
}

static void test_methods_agree(void **context) {
    (void)context;
    everywhere(check_methods);
}

static void test_power_balance(void **context) {
    (void)context;
    everywhere(check_power);
}

/* A cable's column of T: unit vector along the cable, and its moment about the platform's centre.
 */
static void test_structure_matrix(void **context) {
    (void)context;
    const double published[6] = {-0.7881678136715315,  0.4790823965454407,   0.3863567714076135,
                                 0.023181406284456807, 0.023181406284456807, 0.018545125027565453};
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    assert_int_equal(gdyn_case_read(GDYN_SOURCE_DIR "/cases/ipanema1/case.yaml", &sink, &the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, &sink, &instance), GDYN_OK);
    int oblique = 0;
    while (strcmp(instance->trajectory[oblique].name, "oblique") != 0) {
        oblique++;
        assert_true(oblique < instance->trajectory_count);
    }
    followed f;
    follow(&f, "ipanema1", instance, oblique);
    int middle = f.track->points / 2; /* p = 0: (0.1, 0.2, 1) */
    double T[6 * 8];
    gdyn_mech_drives(f.track->state[middle], T);
    for (int i = 0; i < 6; i++)
        assert_near(T[i], published[i], 1e-11); /* closing tolerance 1e-12 of the length */
    unfollow(&f);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure_matrix),
        cmocka_unit_test(test_power_balance),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_methods_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
