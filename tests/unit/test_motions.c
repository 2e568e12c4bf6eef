/* Free motions of poses in the lanes, of every case whose legs follow hubs, against the machine's
 * full matrices: N is orthonormal, the constraints let it pass, it has as many columns as the
 * machine has freedoms; products with N that are made leg by leg are those of the full vectors and
 * of the full mass matrix. The lanes hold different poses. And the same results without lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "casefile/casefile.h"
#include "globdyn.h"
#include "linalg/linalg.h"
#include "linalg/vec3.h"
#include "mech/mech.h"
#include "model/data.h"
#include "near.h"
#include "tree/points.h"

enum { POINTS = 6 };
/* Poses are closed to 1e-13 and the legs' inverses have entries below 1e4. */
static const double CLOSED = 1e-9, ROUNDING = 1e-12;

/* A machine at two poses, with its motions. */
typedef struct motions {
    const gdyn_model *model;
    const gdyn_state *state[GDYN_MOTIONS_AT_ONCE];
    gdyn_tree_motions *m;
    int n, f;
    double *N[GDYN_MOTIONS_AT_ONCE];
    gdyn_random *random;
} motions;

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static double norm(int n, const double *x) {
    return sqrt(dot(n, x, x));
}

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* N^T N = 1, C N = 0 in scaled rows and velocities, and nothing is left out. */
static void check_basis(const motions *t, int lane) {
    int rows = gdyn_model_holonomic(t->model) + gdyn_model_pfaffian(t->model);
    double *C = numbers(rows * t->n), *row = numbers(rows), *column = numbers(t->n);
    double *turned = numbers(rows * t->n);
    const double *N = t->N[lane];
    gdyn_svd *svd = gdyn_svd_create(rows, t->n);
    gdyn_mech_jacobian(t->state[lane], C);
    gdyn_mech_scales(t->model, row, column);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < rows; i++)
            turned[i + rows * j] = C[i + rows * j] *= row[i] * column[j];
    assert_int_equal(gdyn_svd_factor(svd, rows, t->n, turned, rows, 0), GDYN_OK);
    assert_int_equal(t->n - svd->rank.rank, t->f);
    for (int j = 0; j < t->f; j++) {
        const double *u = N + t->n * j;
        for (int k = 0; k <= j; k++)
            assert_near(dot(t->n, u, N + t->n * k), j == k, ROUNDING);
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int l = 0; l < t->n; l++)
                sum += C[i + rows * l] * u[l];
            assert_near(sum, 0, CLOSED);
        }
    }
    gdyn_svd_destroy(svd);
    free(C);
    free(row);
    free(column);
    free(turned);
}

/* Inertia of the bodies at a pose: a = M u_pp + h(u_p), d = M u_p, moments over the machine's length. */
static void body_inertia(const motions *t, int lane, const double *u_p, const double *u_pp,
                         double *a, double *d) {
    int per_body = t->n / gdyn_model_bodies(t->model);
    double L = gdyn_model_length(t->model);
    for (int b = 0; b < gdyn_model_bodies(t->model); b++) {
        const double *u = u_p + per_body * b, *du = u_pp + per_body * b;
        double mass = t->model->machine->body[b].mass, r[3], R[9], I[9], turned[9], part[3];
        double *own = a + per_body * b, *of = d + per_body * b;
        gdyn_state_body(t->state[lane], b, r, R);
        for (int k = 0; k < (per_body == 3 ? 2 : 3); k++) {
            own[k] = mass * du[k];
            of[k] = mass * u[k];
        }
        if (per_body == 3) {
            own[2] = t->model->inertia[b][8] * du[2] / L;
            of[2] = t->model->inertia[b][8] * u[2] / L;
            continue;
        }
        /* R I R^T by whole matrices */
        gdyn_m3_multiply(turned, R, t->model->inertia[b]);
        for (int k = 0; k < 9; k++)
            I[k] = R[k / 3 + 3 * (k % 3)];
        gdyn_m3_multiply(I, turned, I);
        m3_apply(of + 3, I, u + 3);
        m3_apply(own + 3, I, du + 3);
        v3_cross(part, u + 3, of + 3);
        v3_add(own + 3, own + 3, part);
        v3_scale(own + 3, 1 / L, own + 3);
        v3_scale(of + 3, 1 / L, of + 3);
    }
}

enum { LANES = GDYN_MOTIONS_AT_ONCE, LOADS = GDYN_MOTION_LOADS };

/* Between -1/2 and 1/2. */
static double *random_numbers(const motions *t, int count) {
    double *x = numbers(count);
    for (int i = 0; i < count; i++)
        x[i] = gdyn_random_uniform(t->random) - 0.5;
    return x;
}

/* The loads of one pose against sums over all bodies. */
static void check_load(const motions *t, int lane, const double *scale,
                       const gdyn_motion_load *load) {
    double *wanted = numbers(LOADS * t->n), square = 0;
    body_inertia(t, lane, load->u_p, load->u_pp, wanted, wanted + (LOADS - 1) * t->n);
    for (int i = 0; i < t->n; i++)
        square += pow(load->u_p[i] / scale[i], 2);
    assert_near(load->pace, sqrt(square), ROUNDING * sqrt(square));
    for (int x = 0; x < LOADS; x++) {
        double *sum = wanted + x * t->n;
        for (int i = 0; i < t->n && load->more[x]; i++)
            sum[i] += scale[i] * load->more[x][i];
        double size = norm(t->n, sum);
        assert_near(load->size[x], size, ROUNDING * size);
        for (int j = 0; j < t->f; j++)
            assert_near(load->along[t->f * x + j], dot(t->n, t->N[lane] + t->n * j, sum),
                        10 * ROUNDING * size);
    }
    free(wanted);
}

/* Loads at random rates, with further ones or without: inertia of each body, sums along the motions, sizes. */
static void check_loads(const motions *t, bool more) {
    gdyn_motion_load load[LANES], *list[LANES];
    double *rates = random_numbers(t, 2 * t->n * LANES), *along = numbers(LANES * LOADS * t->f);
    double *further = random_numbers(t, LANES * LOADS * t->n), *scale = numbers(t->n);
    gdyn_mech_scales(t->model, NULL, scale);
    for (int l = 0; l < LANES; l++) {
        load[l].u_p = rates + 2 * t->n * l;
        load[l].u_pp = load[l].u_p + t->n;
        load[l].along = along + LOADS * t->f * l;
        for (int x = 0; x < LOADS; x++)
            load[l].more[x] = more ? further + t->n * (LOADS * l + x) : NULL;
        list[l] = &load[l];
    }
    gdyn_motions_kernel_here()->loads(t->m, list);
    for (int l = 0; l < LANES; l++)
        check_load(t, l, scale, &load[l]);
    free(rates);
    free(along);
    free(further);
    free(scale);
}

/* Random forces on each body. */
static void check_forces(const motions *t) {
    int per_body = t->n / gdyn_model_bodies(t->model);
    double *force[GDYN_MOTIONS_AT_ONCE], *sum[GDYN_MOTIONS_AT_ONCE];
    const double *own[GDYN_MOTIONS_AT_ONCE];
    for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++) {
        force[l] = numbers(t->n);
        sum[l] = numbers(t->f);
        for (int i = 0; i < t->n; i++)
            force[l][i] = gdyn_random_uniform(t->random) - 0.5;
    }
    for (int b = 0; b < gdyn_model_bodies(t->model); b++) {
        for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++)
            own[l] = force[l] + per_body * b;
        gdyn_motions_kernel_here()->add_force(t->m, b, own, sum);
    }
    for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++) {
        for (int j = 0; j < t->f; j++)
            assert_near(sum[l][j], dot(t->n, t->N[l] + t->n * j, force[l]),
                        10 * ROUNDING * norm(t->n, force[l]));
        free(force[l]);
        free(sum[l]);
    }
}

/* The mass matrix of the bodies: the full one less that of the rotors. */
static void check_mass(const motions *t, int lane, const double *M) {
    double *u = numbers(t->n * t->f), *Mu = numbers(t->n);
    double *column = numbers(t->n), *speed = numbers(gdyn_model_drives(t->model) * t->f);
    int k = gdyn_model_drives(t->model);
    double *row = numbers(gdyn_model_holonomic(t->model) + gdyn_model_pfaffian(t->model));
    gdyn_mech_scales(t->model, row, column);
    for (int j = 0; j < t->f; j++) {
        for (int i = 0; i < t->n; i++)
            u[i + t->n * j] = column[i] * t->N[lane][i + t->n * j];
        gdyn_mech_drive_speeds(t->state[lane], u + t->n * j, speed + k * j);
    }
    for (int j = 0; j < t->f; j++) {
        gdyn_mech_mass_apply(t->state[lane], u + t->n * j, Mu);
        for (int i = 0; i < t->f; i++) {
            double wanted = dot(t->n, u + t->n * i, Mu), size = norm(t->n, Mu);
            for (int d = 0; d < k; d++) {
                const gdyn_drive_def *def = gdyn_model_drive(t->model, d);
                double geared = def->rotor_inertia * def->ratio * def->ratio;
                wanted -= geared * speed[d + k * i] * speed[d + k * j];
            }
            assert_near(M[i * t->f + j], wanted, 100 * ROUNDING * (1 + size));
        }
    }
    free(u);
    free(Mu);
    free(row);
    free(column);
    free(speed);
}

/* Neighbouring points of a track. */
static void check_points(motions *t, gdyn_tree_points *points, const gdyn_track *track, int i) {
    double *map[GDYN_MOTIONS_AT_ONCE], *M[GDYN_MOTIONS_AT_ONCE];
    const double *known[GDYN_MOTIONS_AT_ONCE];
    int length = gdyn_tree_points_leg_map_length(points);
    for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++) {
        t->state[l] = track->state[i + l];
        const double *legs = gdyn_tree_points_legs(points, t->state[l], NULL);
        assert_non_null(legs);
        known[l] = map[l] = numbers(length);
        M[l] = numbers(t->f * t->f);
        memcpy(map[l], legs, (size_t)length * sizeof *legs);
    }
    assert_true(gdyn_motions_kernel_here()->take(t->m, t->state, known));
    gdyn_motions_kernel_here()->basis(t->m, t->N);
    gdyn_motions_kernel_here()->mass(t->m, M);
    check_forces(t);
    check_loads(t, false);
    check_loads(t, true);
    for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++) {
        check_basis(t, l);
        check_mass(t, l, M[l]);
        free(map[l]);
        free(M[l]);
    }
}

/* The machine is closed at these points. */
static bool followed(const gdyn_track *track, int from) {
    bool all = from + GDYN_MOTIONS_AT_ONCE <= track->points;
    for (int i = from; i < from + GDYN_MOTIONS_AT_ONCE && all; i++)
        all = track->status[i] == GDYN_POINT_OK;
    return all;
}

/* The first trajectory of a case; whether the machine is of the kind. */
static bool check_case(const char *file, gdyn_random *random) {
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    gdyn_path *path = NULL;
    gdyn_sink none = {0};
    bool checked = false;
    if (gdyn_case_read(file, &none, &the_case) ||
        gdyn_case_instantiate(the_case, 0, NULL, &none, &instance) ||
        instance->trajectory_count == 0) {
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
        return false;
    }
    const gdyn_model *model = instance->model;
    gdyn_path_def def = instance->trajectory[0];
    def.points = POINTS;
    def.tolerance = 0;
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_points *points = gdyn_tree_points_create(tree, 0);
    if (gdyn_tree_points_leg_map_length(points) > 0 &&
        !gdyn_path_create(model, &def, &none, &path)) {
        motions t = {.model = model, .n = gdyn_model_coordinates(model), .random = random};
        gdyn_track *track = gdyn_track_create(model, path);
        gdyn_closure *closure = gdyn_closure_create(model, gdyn_path_targets(path));
        assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
        t.m = gdyn_tree_motions_create(tree);
        t.f = gdyn_tree_motions_count(t.m);
        for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++)
            t.N[l] = numbers(t.n * t.f);
        for (int i = 0; i < track->points; i++)
            if (followed(track, i)) {
                check_points(&t, points, track, i);
                checked = true;
            }
        for (int l = 0; l < GDYN_MOTIONS_AT_ONCE; l++)
            free(t.N[l]);
        gdyn_tree_motions_destroy(t.m);
        gdyn_closure_destroy(closure);
        gdyn_track_destroy(track);
    }
    gdyn_path_destroy(path);
    gdyn_tree_points_destroy(points);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return checked;
}

static void motions_of_all_cases(void **state) {
    (void)state;
    glob_t files;
    int checked = 0;
    gdyn_random random = gdyn_random_stream(31, 0, 0);
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/case.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        checked += check_case(files.gl_pathv[i], &random);
    globfree(&files);
    print_message("%d machines\n", checked);
    assert_true(checked >= 5);
}

/* --- without the lanes ---------------------------------------------------------------------- */

typedef struct evaluated {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_evaluation *evaluation;
} evaluated;

static void drop(evaluated *e) {
    gdyn_evaluation_destroy(e->evaluation);
    gdyn_instance_destroy(e->instance);
    gdyn_case_destroy(e->the_case);
}

/* Regions of the first trajectory; lanes: as the machine is, else by the other ways alone. */
static evaluated evaluate(const char *file, bool lanes) {
    evaluated out = {0};
    gdyn_path *path = NULL;
    gdyn_sink none = {0};
    assert_int_equal(gdyn_case_read(file, &none, &out.the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(out.the_case, 0, NULL, &none, &out.instance), GDYN_OK);
    gdyn_instance *instance = out.instance;
    /* the one word that takes them away (model/legs.c) */
    gdyn_leg_plan *plan = (gdyn_leg_plan *)gdyn_model_tree(instance->model)->plan;
    assert_true(plan->fits);
    plan->fits = lanes;
    gdyn_path_def def = instance->trajectory[0];
    def.points = 25;
    def.tolerance = 0;
    assert_int_equal(gdyn_path_create(instance->model, &def, &none, &path), GDYN_OK);
    gdyn_evaluation *e = gdyn_evaluation_create(instance->model, path);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    gdyn_closure *closure = gdyn_closure_create(instance->model, gdyn_path_targets(path));
    settings.closure = closure;
    assert_int_equal(gdyn_evaluation_run(e, path, &settings), GDYN_OK);
    long by_tree, dense;
    gdyn_closure_counts(closure, &by_tree, &dense);
    assert_int_equal(dense, 0);
    assert_true((e->track->known != NULL) == lanes);
    gdyn_closure_destroy(closure);
    gdyn_path_destroy(path);
    out.evaluation = e;
    return out;
}

static void same_number(double a, double b, double *worst) {
    assert_true(isnan(a) == isnan(b) && isinf(a) == isinf(b));
    if (isfinite(a) && a != b)
        *worst = fmax(*worst, fabs(a - b) / fmax(fabs(a), 1));
}

/* Lanes can be taken away by a word, and nothing changes but rounding. */
static void without_lanes(void **state) {
    (void)state;
    const char *const files[] = {GDYN_SOURCE_DIR "/cases/four_slider_star/case.yaml",
                                 GDYN_SOURCE_DIR "/cases/ups6/case.yaml"};
    for (int i = 0; i < 2; i++) {
        evaluated lanes = evaluate(files[i], true), others = evaluate(files[i], false);
        const gdyn_evaluation *with = lanes.evaluation, *without = others.evaluation;
        double worst = 0;
        for (int p = 0; p < with->track->points; p++) {
            const gdyn_region *a = with->region[p], *b = without->region[p];
            assert_int_equal(with->track->status[p], without->track->status[p]);
            assert_int_equal(a->status, b->status);
            assert_int_equal(a->upper_count, b->upper_count);
            assert_int_equal(a->lower_count, b->lower_count);
            same_number(a->area, b->area, &worst);
            same_number(a->d1_max, b->d1_max, &worst);
            for (int j = 0; j < a->upper_count; j++)
                same_number(a->upper[j].to, b->upper[j].to, &worst);
        }
        for (int c = 0; c < GDYN_CRITERIA; c++)
            same_number(with->criteria.value[c], without->criteria.value[c], &worst);
        print_message("without lanes %.1e\n", worst);
        assert_true(worst < 1e-13);
        drop(&lanes);
        drop(&others);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(motions_of_all_cases),
                                       cmocka_unit_test(without_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
