/* Points inserted where criteria may be worse: functions of p with known extrema, and a machine against fine grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../machines.h"
#include "access/folding.h"
#include "base/memory.h"
#include "base/pi.h"
#include "base/random.h"
#include "closure/target.h"
#include "near.h"

enum { FIRST = 49, MOST = 400 };

/* --- functions ---------------------------------------------------------------------------------- */

typedef struct known_function {
    const char *what;
    double (*f)(double p);
    bool closed; /* p from 0 to 1 is a turn */
    double least;
    int most; /* points that its least value to 1e-6 may take */
} known_function;

static double parabola(double p) {
    return 2 + 3 * pow(p - 0.34371, 2);
}

static double wave(double p) {
    return 2 + cos(2 * acos(-1.0) * (p - 0.0121));
}

static double kink(double p) {
    return 0.5 + 3 * fabs(p - 0.61803) + 0.2 * sin(p - 0.61803);
}

static double narrow(double p) {
    return sqrt(pow(p - 0.2718, 2) + 1e-8);
}

static double two_modes(double p) {
    return fmax(exp(-p), 0.2 + p * p);
}

static double at_end(double p) {
    return 2 - p - p * p;
}

/* Where it jumps the lower branch counts as it is: its value there is 1 + 0.25 (1 - 0.411). */
static double jump(double p) {
    return p < 0.411 ? 3 + p
                     : 1 + 0.25 * (1 - p) * (p >= 0.411 && p < 0.8 ? 1 : 4) + (p - 0.411) * 2;
}

/* exp(-p) = 0.2 + p^2 */
static double crossing(void) {
    double p = 0.7;
    for (int i = 0; i < 50; i++)
        p -= (exp(-p) - 0.2 - p * p) / (-exp(-p) - 2 * p);
    return 0.2 + p * p;
}

static int insert(int count, double *p, double *f, double at, double value) {
    int i = count;
    for (; i > 0 && p[i - 1] > at; i--)
        p[i] = p[i - 1], f[i] = f[i - 1];
    p[i] = at, f[i] = value;
    return count + 1;
}

static double least_of(int count, const double *f) {
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, f[i]);
    return least;
}

/* Each estimate on the way holds, and few points are enough. */
static void find_least(const known_function *k) {
    double p[MOST], f[MOST], depth = INFINITY;
    int count = FIRST;
    for (int i = 0; i < FIRST; i++)
        p[i] = i / (FIRST - 1.0), f[i] = k->f(p[i]);
    while (depth > 1e-6 && count < MOST - 4) {
        gdyn_samples samples = {count, p, 1, k->closed};
        gdyn_dip dip[4];
        double least = least_of(count, f);
        int dips = gdyn_dips_below(&samples, f, least, NULL, 0, 4, dip);
        depth = dips > 0 ? least - dip[0].bound : 0;
        if (least - k->least > 2 * depth + 1e-12) {
            print_error("%s, %d points: %g too great, estimated %g\n", k->what, count,
                        least - k->least, depth);
            fail();
        }
        for (int i = 0; i < dips && depth > 1e-6; i++)
            if (least - dip[i].bound > 1e-6)
                count = insert(count, p, f, dip[i].p, k->f(dip[i].p));
    }
    if (count > FIRST + k->most)
        print_error("%s: %d points more\n", k->what, count - FIRST);
    assert_true(depth <= 1e-6 && count <= FIRST + k->most);
}

static void test_least_values(void **state) {
    (void)state;
    const known_function all[] = {
        {"parabola", parabola, false, 2, 10},
        {"wave", wave, true, 1, 10},
        {"kink", kink, false, 0.5, 10},
        {"narrow", narrow, false, 1e-4, 16},
        {"two modes", two_modes, false, crossing(), 10},
        {"at the end", at_end, false, 0, 30},
        {"jump", jump, false, 1 + 0.25 * (1 - 0.411), 40},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        find_least(&all[i]);
}

/* Nothing falls between the samples of what rises, of what is constant and of what is concave. */
static void test_no_dips(void **state) {
    (void)state;
    double p[FIRST], f[FIRST];
    gdyn_samples samples = {FIRST, p, 1, false};
    gdyn_dip dip[4];
    for (int shape = 0; shape < 3; shape++) {
        for (int i = 0; i < FIRST; i++) {
            p[i] = i / (FIRST - 1.0);
            f[i] = shape == 0 ? sqrt(p[i]) : shape == 1 ? 3 : p[i] * (1 - p[i]);
        }
        assert_int_equal(gdyn_dips_below(&samples, f, least_of(FIRST, f), NULL, 0, 4, dip), 0);
    }
}

enum { FUNCTIONS = 5, COUNT = 61 };

/* Values of one shape: smooth, random, with kinks, of few different ones, or far above the least one. */
static double shaped(int shape, double p, gdyn_random *random) {
    double noise = gdyn_random_uniform(random);
    return shape == 0   ? cos(2 * GDYN_PI * p)
           : shape == 1 ? noise
           : shape == 2 ? fabs(p - floor(p) - 0.5) + 0.01 * noise
           : shape == 3 ? floor(4 * noise)
                        : p * p + 1e-3 * noise;
}

/* Side by side, at uneven arguments. */
static gdyn_samples fill_samples(int trial, double *p, double *f) {
    gdyn_random random = gdyn_random_stream(11, (uint64_t)trial, 0);
    gdyn_samples s = {COUNT - trial % 3, p, FUNCTIONS, trial & 1};
    for (int i = 0; i < COUNT; i++) {
        p[i] = (i > 0 ? p[i - 1] : 0) + gdyn_random_between(&random, 0.2, 1.2) / 30;
        for (int k = 0; k < FUNCTIONS; k++)
            f[i * FUNCTIONS + k] = shaped(trial % 5, p[i] - 0.13 * k, &random);
    }
    return s;
}

/* Dips found in marked intervals are all dips. */
static void compare_marked(const gdyn_samples *s, const double *f, double least,
                           const unsigned *mark, int bit) {
    gdyn_dip all[COUNT], some[COUNT];
    int count = gdyn_dips_below(s, f, least, NULL, 0, COUNT, all);
    assert_int_equal(gdyn_dips_below(s, f, least, mark, bit, COUNT, some), count);
    for (int i = 0; i < count; i++)
        assert_true(all[i].interval == some[i].interval && all[i].bound == some[i].bound);
}

/* Marks leave out no interval with a dip, and most of those without. */
static void test_marks(void **state) {
    (void)state;
    double p[COUNT], f[COUNT * FUNCTIONS], least[FUNCTIONS];
    gdyn_interval interval[COUNT];
    unsigned mark[COUNT];
    int spared = 0;
    for (int trial = 0; trial < 40; trial++) {
        gdyn_samples s = fill_samples(trial, p, f);
        for (int k = 0; k < FUNCTIONS; k++) {
            least[k] = INFINITY;
            for (int i = 0; i < s.count; i++)
                least[k] = fmin(least[k], f[i * FUNCTIONS + k]);
        }
        gdyn_samples_weigh(&s, interval);
        gdyn_dips_mark(&s, interval, FUNCTIONS, f, least, mark);
        for (int k = 0; k < FUNCTIONS; k++) {
            compare_marked(&s, f + k, least[k], mark, k);
            for (int i = 0; i + 1 < s.count; i++)
                spared += !(mark[i] >> k & 1);
        }
    }
    assert_true(spared > 40 * FUNCTIONS * COUNT / 2);
}

/* The integrals of cos over a turn and of exp from 0 to 1. */
static void test_trapezoids(void **state) {
    (void)state;
    double p[FIRST], f[FIRST], error[FIRST];
    for (int shape = 0; shape < 2; shape++) {
        double sum = 0, exact = shape ? exp(1.0) - 1 : 2;
        for (int i = 0; i < FIRST; i++) {
            p[i] = pow(i / (FIRST - 1.0), 1.3);
            f[i] = shape ? exp(p[i]) : 2 + cos(2 * acos(-1.0) * p[i]);
        }
        for (int i = 0; i + 1 < FIRST; i++)
            sum += 0.5 * (p[i + 1] - p[i]) * (f[i] + f[i + 1]);
        gdyn_samples samples = {FIRST, p, 1, false};
        double bound = gdyn_trapezoid_errors(&samples, f, error);
        assert_true(fabs(sum - exact) <= bound && bound < 2e-3);
    }
}

/* --- a machine ---------------------------------------------------------------------------------- */

typedef struct trip {
    gdyn_path_def def;
    gdyn_path_tool tool;
    gdyn_expr *expr[3];
    gdyn_path *path;
    gdyn_evaluation *evaluation;
} trip;

/* The star around its circle; tolerance 0: on that many points. */
static void travel(trip *t, const gdyn_model *model, gdyn_anchor tool, int points, double tolerance,
                   const bool *wanted) {
    *t = (trip){.def = gdyn_path_default(), .tool.of = tool};
    const char *const text[3] = {"0.12*cos(p)", "0.12*sin(p)", "0"};
    const int coordinate[3] = {GDYN_PATH_X, GDYN_PATH_Y, GDYN_PATH_C};
    for (int i = 0; i < 3; i++)
        t->tool.coordinate[coordinate[i]] = t->expr[i] = formula(text[i]);
    t->def.name = "circle";
    t->def.tools = 1;
    t->def.tool = &t->tool;
    t->def.p_end = 2 * acos(-1.0);
    t->def.p_given = true;
    t->def.points = points;
    t->def.tolerance = tolerance;
    assert_int_equal(gdyn_path_create(model, &t->def, NULL, &t->path), GDYN_OK);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.reduction = GDYN_REDUCE_NULL;
    settings.wanted = wanted;
    t->evaluation = gdyn_evaluation_create(model, t->path);
    assert_non_null(t->evaluation);
    assert_int_equal(gdyn_evaluation_run(t->evaluation, t->path, &settings), GDYN_OK);
}

static void come_back(trip *t) {
    gdyn_evaluation_destroy(t->evaluation);
    gdyn_path_destroy(t->path);
    for (int i = 0; i < 3; i++)
        gdyn_expr_destroy(t->expr[i]);
}

/* The criteria, worst values over points, against those of a fine grid. */
static void compare(const gdyn_evaluation *e, const gdyn_evaluation *fine) {
    int known = 0;
    for (int c = 0; c < GDYN_CRITERIA; c++) {
        double error = e->error.value[c], sign = gdyn_criterion_table[c].better;
        double exact = fine->criteria.value[c], value = e->criteria.value[c];
        if (isnan(error) || c == GDYN_CRITERION_AREA_MEAN)
            continue;
        known++;
        assert_true(sign * (value - exact) <= error + 1e-9 * fabs(exact));
        assert_true(error <= 1.001e-3 * fabs(exact));
    }
    assert_int_equal(known, 8);
}

/* Worst values over points that are all exact: the worse one of two is right. */
static void test_star(void **state) {
    (void)state;
    gdyn_anchor tool;
    machine_options options = machine_defaults();
    options.speed_limits = true;
    gdyn_model *model = build_star(options, NULL, &tool);
    trip fine, few;
    travel(&fine, model, tool, 4001, 0, NULL);
    travel(&few, model, tool, FIRST, 1e-3, NULL);
    const gdyn_evaluation *e = few.evaluation;
    assert_true(e->track->points > FIRST && e->track->points < 4 * FIRST);
    for (int i = 1; i < e->track->points; i++)
        assert_true(e->track->p[i] > e->track->p[i - 1]);
    compare(e, fine.evaluation);
    come_back(&few);
    /* From points that show no curvature, and from five that symmetry makes alike. */
    static const int first[] = {2, 3, 5};
    for (int i = 0; i < 3; i++) {
        travel(&few, model, tool, first[i], 1e-3, NULL);
        compare(few.evaluation, fine.evaluation);
        come_back(&few);
    }
    come_back(&fine);
    gdyn_model_destroy(model);
}

/* Points are inserted for what is asked for; stated points stay. */
static void test_wanted(void **state) {
    (void)state;
    gdyn_anchor tool;
    gdyn_model *model = build_star(machine_defaults(), NULL, &tool);
    bool wanted[GDYN_CRITERIA] = {false};
    trip fixed, none, one;
    travel(&fixed, model, tool, 30, 0, NULL);
    assert_int_equal(fixed.evaluation->track->points, 30);
    travel(&none, model, tool, FIRST, 1e-3, wanted);
    assert_int_equal(none.evaluation->track->points, FIRST);
    assert_false(isnan(none.evaluation->error.value[GDYN_CRITERION_ACCEL]));
    wanted[GDYN_CRITERION_ACCEL] = true;
    travel(&one, model, tool, FIRST, 1e-6, wanted);
    double accel = one.evaluation->criteria.value[GDYN_CRITERION_ACCEL];
    assert_true(one.evaluation->track->points < FIRST + 30);
    assert_true(one.evaluation->error.value[GDYN_CRITERION_ACCEL] <= 1.001e-6 * accel);
    come_back(&fixed);
    come_back(&none);
    come_back(&one);
    gdyn_model_destroy(model);
}

/* --- bends of a path ------------------------------------------------------------------------------ */

/* A circle, and what is added to one coordinate. */
typedef struct bend {
    const char *y, *angle;
    double most[3]; /* |y''| and |angle''| of the path at most, by hand; points added at most */
} bend;

static gdyn_status circle_with(const gdyn_model *model, gdyn_anchor tool, const bend *b,
                               double tolerance, gdyn_expr *expr[3], gdyn_path **path) {
    gdyn_path_tool own = {.of = tool};
    gdyn_path_def def = gdyn_path_default();
    own.coordinate[GDYN_PATH_X] = expr[0];
    own.coordinate[GDYN_PATH_Y] = expr[1];
    own.coordinate[GDYN_PATH_C] = expr[2];
    def.name = b->y;
    def.tools = 1;
    def.tool = &own;
    def.p_end = 2 * acos(-1.0);
    def.p_given = true;
    def.points = FIRST;
    def.tolerance = tolerance;
    return gdyn_path_create(model, &def, NULL, path);
}

/* Where a coordinate bends most is a point of the path, or near one; smooth paths get no points. */
static void test_bends(void **state) {
    (void)state;
    gdyn_anchor tool;
    gdyn_model *model = build_star(machine_defaults(), NULL, &tool);
    /* of a exp(-((p - c)/w)^2) at c: 2 a/w^2; of a (1 - ((p - c)/w)^2)^3: 6 a/w^2; of a tanh((p - c)/w): 4 a/(sqrt(27) w^2); the last one at both
     * sides of its bump: 4 a/(exp(1.5) w^2) - 0.12 sin(5) */
    static const bend all[] = {
        {"0.12*sin(p)", "0.1*cos(2*p)", {0.12, 0.4, 0}},
        {"1e-5*exp(-((p - 1.2345)/0.005)^2)", "0", {0.8, 0, 40}},
        {"3e-5*max(0, 1 - ((p - 6.27)/0.009)^2)^3", "0", {6 * 3e-5 / 8.1e-5, 0, 60}},
        {"0.12*sin(p)", "1e-4*tanh((p - 3)/0.006)", {0.12, 2.1383343303, 40}},
        {"0.12*sin(p) + 2e-5*exp(-((p - 5)/0.01)^2)", "p/10", {0.2936, 0, 40}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        gdyn_expr *expr[3] = {formula("0.12*cos(p)"), formula(all[i].y), formula(all[i].angle)};
        gdyn_path *path = NULL;
        gdyn_target target[3];
        double most[2] = {0};
        assert_int_equal(circle_with(model, tool, &all[i], 1e-3, expr, &path), GDYN_OK);
        for (int k = 0; k < gdyn_path_points(path); k++) {
            gdyn_path_evaluate(path, gdyn_path_p(path, k), target);
            for (int j = 0; j < 2; j++)
                most[j] = fmax(most[j], fabs(target[1 + j].target[2]));
        }
        for (int j = 0; j < 2; j++)
            assert_true(fabs(most[j] - all[i].most[j]) <= 0.08 * all[i].most[j]);
        assert_true(gdyn_path_points(path) <= FIRST + all[i].most[2] && !gdyn_path_hides(path));
        assert_true((gdyn_path_points(path) > FIRST) == (all[i].most[2] > 0));
        gdyn_path_destroy(path);
        /* points that are stated stay */
        assert_int_equal(circle_with(model, tool, &all[i], 0, expr, &path), GDYN_OK);
        assert_int_equal(gdyn_path_points(path), FIRST);
        gdyn_path_destroy(path);
        /* without memory there is no path */
        gdyn_status status = GDYN_ERROR_MEMORY;
        for (long n = 0; status == GDYN_ERROR_MEMORY; n++) {
            gdyn_alloc_fail_after(n);
            status = circle_with(model, tool, &all[i], 1e-3, expr, &path);
            gdyn_alloc_fail_after(-1);
            gdyn_path_destroy(path);
        }
        assert_int_equal(status, GDYN_OK);
        for (int j = 0; j < 3; j++)
            gdyn_expr_destroy(expr[j]);
    }
    gdyn_model_destroy(model);
}

/* Every allocation of an evaluation that inserts points may fail. */
static void test_lack_of_memory(void **state) {
    (void)state;
    gdyn_anchor tool;
    gdyn_model *model = build_star(machine_defaults(), NULL, &tool);
    trip t;
    travel(&t, model, tool, 13, 0.02, NULL);
    gdyn_evaluation_destroy(t.evaluation);
    gdyn_status status = GDYN_ERROR_MEMORY;
    for (long n = 0; status == GDYN_ERROR_MEMORY; n += 1 + n / 8) {
        t.evaluation = gdyn_evaluation_create(model, t.path);
        assert_non_null(t.evaluation);
        gdyn_alloc_fail_after(n);
        status = gdyn_evaluation_run(t.evaluation, t.path, NULL);
        gdyn_alloc_fail_after(-1);
        gdyn_evaluation_destroy(t.evaluation);
    }
    assert_int_equal(status, GDYN_OK);
    t.evaluation = NULL;
    come_back(&t);
    gdyn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_values), cmocka_unit_test(test_no_dips),
        cmocka_unit_test(test_marks),        cmocka_unit_test(test_trapezoids),
        cmocka_unit_test(test_star),         cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_bends),        cmocka_unit_test(test_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
