/* Statistics over samples of machines within their tolerances, against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "criteria/criteria.h"
#include "near.h"
#include "search/sample.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- statistics ------------------------------------------------------------------------------------------ */

static double of(const char *word, int better, int n, const double *value) {
    gdyn_statistic statistic;
    double copy[16];
    memcpy(copy, value, (size_t)n * sizeof *copy);
    const char *rest = gdyn_statistic_parse(word, &statistic);
    assert_non_null(rest);
    assert_string_equal(rest, "a.b");
    return gdyn_statistic_value(&statistic, better, n, copy);
}

static void words_and_values(void **state) {
    (void)state;
    const double value[] = {7, 1, 3, 5};
    assert_near(of("worst.a.b", 1, 4, value), 1, 0);
    assert_near(of("worst.a.b", -1, 4, value), 7, 0);
    assert_true(isnan(of("worst.a.b", 0, 4, value)));
    assert_near(of("least.a.b", 0, 4, value), 1, 0);
    assert_near(of("greatest.a.b", 0, 4, value), 7, 0);
    assert_near(of("mean.a.b", 0, 4, value), 4, 0);
    assert_near(of("deviation.a.b", 0, 4, value), sqrt(20.0 / 3), 1e-15);
    assert_near(of("deviation.a.b", 0, 1, value), 0, 0);
    /* definition 7: at (n - 1) share = 1.5, 2.85 and 0.3 */
    assert_near(of("quantile5.a.b", 0, 4, value), 4, 1e-15);
    assert_near(of("quantile95.a.b", 0, 4, value), 6.7, 1e-15);
    assert_near(of("quantile1.a.b", 0, 4, value), 1.6, 1e-15);
    gdyn_statistic statistic;
    static const char *const none[] = {"worst",       "worst.",      "quantile.a",
                                       "quantile0.a", "worst9.a.b",  "quantile9x.a",
                                       "best.a",      "worstcase.a", "quantile00.a"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(gdyn_statistic_parse(none[i], &statistic));
}

/* --- studies ---------------------------------------------------------------------------------------------- */

/* A mass on a slide: accel = F/m, time of a line from rest to rest 2 sqrt(L m/F), mass linear in both tolerances,
 * one of which follows from the other. */
static const char slide[] =
    "format: 1\n"
    "name: slide\n"
    "parameters:\n"
    "  m: {value: 10 kg, tolerance: 0.1*m0}\n"
    "  m0: {value: 10 kg, tolerance: [-1 kg, 3 kg]}\n"
    "  both: 2*m0 + m\n"
    "  F: 50 N\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    slider: {mass: both, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    rail: {type: prismatic, of: [slider.P, ground.O], axis: [1, 0]}\n"
    "  drives:\n"
    "    push: {at: rail, force: {min: -F, max: F}}\n"
    "trajectories:\n"
    "  line: {of: slider.P, p: [0, 2], path: {x: p}, points: 5}\n"
    "design:\n"
    "  F: {min: 10 N, max: 100 N}\n"
    "optimize:\n"
    "  objectives:\n"
    "    time: {minimize: worst.line.time}\n"
    "    push: {maximize: worst.line.accel}\n"
    "  constraints:\n"
    "    low: least.mass >= 1 kg\n"
    "    high: greatest.mass >= 1 kg\n"
    "    mean: mean.mass >= 1 kg\n"
    "    scatter: deviation.mass >= 0.01 kg\n"
    "    q: quantile9.mass >= 1 kg\n";

/* A rod of length a that a tool at distance 1 must reach with another of length 0.5. */
static const char reach[] =
    "format: 1\n"
    "name: reach\n"
    "parameters: {a: {value: 0.6 m, tolerance: 0.2 m}}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    upper: {mass: 1 kg, inertia: 0.1, points: {O: [0, 0], E: [a, 0]}, pose: [0, 0, 0.5]}\n"
    "    fore: {mass: 1 kg, inertia: 0.1, points: {E: [0, 0], T: [0.5, 0]}, pose: [0.5, 0.3, "
    "-0.5]}\n"
    "  joints:\n"
    "    shoulder: {type: revolute, of: [upper.O, ground.O]}\n"
    "    elbow: {type: revolute, of: [fore.E, upper.E]}\n"
    "  drives:\n"
    "    m1: {at: shoulder, torque: {limit: 10 N m}}\n"
    "    m2: {at: elbow, torque: {limit: 10 N m}}\n"
    "trajectories:\n"
    "  out: {of: fore.T, p: [0, 1], path: {x: 0.95 + 0.05*p, y: 0}, points: 5}\n"
    "design:\n"
    "  a: {min: 0.4 m, max: 1 m}\n"
    "optimize: {objectives: {dexterous: {maximize: worst.out.dexterity}}}\n";

typedef struct opened {
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_design *design;
} opened;

static opened open_text(const char *text, const char *more) {
    opened o = {0};
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", text, more);
    assert_int_equal(gdyn_case_read_text(whole, strlen(whole), "t.yaml", NULL, &o.the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_study_create(o.the_case, 0, NULL, NULL, &o.study), GDYN_OK);
    o.design = gdyn_design_create(o.study);
    assert_non_null(o.design);
    return o;
}

static void close_all(opened *o) {
    gdyn_design_destroy(o->design);
    gdyn_study_destroy(o->study);
    gdyn_case_destroy(o->the_case);
}

static void evaluate(opened *o, double x) {
    assert_int_equal(gdyn_study_evaluate(o->study, &x, GDYN_EXTENT_SOUND, o->design), GDYN_OK);
}

/* At the corners extremes of monotone criteria are exact: m = 10 +- 1, m0 = 9 .. 13, where the tolerance of m is
 * that of the nominal m0. */
static void corners_are_exact(void **state) {
    (void)state;
    opened o = open_text(slide, "robustness: {method: grid, size: 2}\n");
    evaluate(&o, 40);
    const double *c = o.design->constraint;
    assert_near(o.design->objective[0], 2 * sqrt(2 * 37.0 / 40), 1e-9);
    assert_near(o.design->objective[1], 40 / 37.0, 1e-12);
    assert_near(c[0], 27, 1e-12);
    assert_near(c[1], 37, 1e-12);
    /* 27, 29, 35, 37: the 0.9 quantile lies at 2.7 */
    assert_near(c[2], 32, 1e-12);
    assert_near(c[3], sqrt(68.0 / 3), 1e-12);
    assert_near(c[4], 36.4, 1e-12);
    close_all(&o);
}

/* A sum of two uniform variables of widths 2 and 8, mean 32: variance (2^2 + 8^2)/12; the density is a trapezoid
 * with slopes of width 2, so that the share s^2/(2*2*8) lies above 37 - s, s <= 2. */
static void sobol_tends_to_the_distribution(void **state) {
    (void)state;
    opened o = open_text(slide, "robustness: {method: sobol, size: 1024}\n");
    evaluate(&o, 40);
    const double *c = o.design->constraint;
    double tail = sqrt(0.1 * 2 * 2 * 8);
    /* Koksma and Hlawka: error of the mean at most its variation, 10, times the star discrepancy, below 0.01 for 1024
     * points of the sequence in the plane; quantiles err by the discrepancy over the density, at least 0.05/kg. */
    assert_near(c[2], 32, 0.1);
    assert_near(c[3], sqrt(68.0 / 12), 0.05);
    assert_near(c[4], 37 - tail, 0.2);
    /* extremes of a sample lie inside */
    assert_true(c[0] >= 27 && c[0] < 27.5 && c[1] <= 37 && c[1] > 36.5);
    close_all(&o);
}

/* Scenarios set the load; a parameter with stated ends does not vary where one sets it. */
static void scenarios_set_the_load(void **state) {
    (void)state;
    static const char text[] = "robustness: {method: grid, scenarios: {light: {both: 5 kg}, heavy: "
                               "{both: 80 kg}}}\n";
    opened o = open_text(slide, text);
    evaluate(&o, 40);
    const double *c = o.design->constraint;
    assert_near(o.design->objective[1], 40 / 80.0, 1e-12);
    assert_near(c[0], 5, 1e-12);
    assert_near(c[1], 80, 1e-12);
    assert_near(c[2], 42.5, 1e-12);
    close_all(&o);
}

/* The tool at 1 is reached with a >= 0.5; how many machines of the sample are shorter is counted from the sample
 * itself. */
static void machines_that_fail_are_told(void **state) {
    (void)state;
    opened o = open_text(reach, "robustness: {method: lhs, size: 40, seed: 3}\n");
    double lower = 0, upper = 1, start = 0.5, u[40];
    gdyn_sample_space space = {1, &lower, &upper, &start, NULL, NULL, GDYN_SAMPLE_LHS, 40, 3};
    assert_int_equal(gdyn_sample_make(&space, u), GDYN_OK);
    int failing = 0, first = 0;
    for (int i = 0; i < 40; i++)
        if (0.6 - 0.2 + 0.4 * u[i] < 0.5) {
            failing++;
            first = first > 0 ? first : i + 1;
        }
    assert_int_equal(failing, 10);
    evaluate(&o, 0.6);
    char told[100];
    snprintf(told, sizeof told, "%d of 40 machines of the sample fail, no %d (a -0.", failing,
             first);
    assert_ptr_equal(strstr(o.design->reason, told), o.design->reason);
    assert_int_equal(o.design->status, GDYN_DESIGN_UNASSEMBLED);
    assert_false(o.design->evaluated);
    double failure = o.design->failure;
    assert_true(failure > 1 && failure <= 2);
    /* Fewer machines fail with a longer rod, and none at all beyond 0.7: a slope that a search can follow. */
    evaluate(&o, 0.65);
    assert_true(o.design->failure > 1 && o.design->failure < failure);
    evaluate(&o, 0.71);
    assert_int_equal(o.design->status, GDYN_DESIGN_OK);
    /* The design itself fails: nothing is said of the sample. */
    evaluate(&o, 0.45);
    assert_null(strstr(o.design->reason, "sample"));
    close_all(&o);
}

/* The machines of `within: tolerance` are single members: their statistics are their own values. */
static void deviations_are_variables(void **state) {
    (void)state;
    char text[3000], *design;
    snprintf(text, sizeof text, "%s", slide);
    design = strstr(text, "  F: {min");
    memcpy(design, "  m0: {within: tolerance}   ", 28);
    opened o = open_text(text, "");
    const gdyn_design_variable *v = &gdyn_study_start(o.study)->design[0];
    assert_near(v->min, -1, 0);
    assert_near(v->max, 3, 0);
    assert_near(v->start, 0, 0);
    evaluate(&o, 2);
    assert_near(o.design->objective[1], 50 / 34.0, 1e-12);
    assert_near(o.design->constraint[0], 34, 1e-12);
    assert_near(o.design->constraint[3], 0, 0);
    close_all(&o);
}

/* --- refusals ---------------------------------------------------------------------------------------------- */

static void first_error(void *context, const gdyn_diag *diag) {
    char *message = context;
    if (diag->severity == GDYN_ERROR && !message[0])
        snprintf(message, 200, "%s", diag->message);
}

static void refused(const char *from, const char *to, const char *expected) {
    char text[4000], whole[4000], message[200] = "";
    snprintf(text, sizeof text, "%s", slide);
    char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    gdyn_case *c = NULL;
    gdyn_sink sink = {first_error, message};
    assert_int_equal(gdyn_case_read_text(whole, strlen(whole), "t.yaml", &sink, &c),
                     GDYN_ERROR_INPUT);
    if (!strstr(message, expected))
        fail_msg("'%s' instead of '%s'", message, expected);
}

static void errors_are_told(void **state) {
    (void)state;
    refused("tolerance: [-1 kg, 3 kg]", "tolerance: [1 kg, 3 kg]", "lies outside of its tolerance");
    refused("tolerance: [-1 kg, 3 kg]", "tolerance: 0 kg", "or the tolerance is zero");
    refused("tolerance: [-1 kg, 3 kg]", "between: 3 kg", "expected two values");
    refused("tolerance: [-1 kg, 3 kg]", "between: [11 kg, 12 kg]", "lies outside of its ends");
    refused("tolerance: [-1 kg, 3 kg]", "tolerance: 1 mm", "kg");
    refused("tolerance: [-1 kg, 3 kg]", "tolerance: 1 kg, between: [1 kg, 20 kg]",
            "has both a tolerance and ends");
    refused("tolerance: [-1 kg, 3 kg]", "tolrance: 1 kg", "unknown key 'tolrance'");
    refused("least.mass", "worst.mobility", "");
    refused("least.mass >= 1 kg", "worst.line.reachh >= 1", "unknown name");
    refused("least.mass >= 1 kg", "worst.mobility >= 1", "neither side of this criterion is worse");
    refused("optimize:", "robustness: {scenarios: {a: {F: 3 N}}}\noptimize:",
            "'F' is a design variable");
    refused("optimize:", "robustness: {scenarios: {a: {G: 3 N}}}\noptimize:",
            "there is no parameter 'G'");
    refused("optimize:", "robustness: {method: grid, size: 100000}\noptimize:", "too many");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_values),
        cmocka_unit_test(corners_are_exact),
        cmocka_unit_test(sobol_tends_to_the_distribution),
        cmocka_unit_test(scenarios_set_the_load),
        cmocka_unit_test(machines_that_fail_are_told),
        cmocka_unit_test(deviations_are_variables),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
