/* What a case says about its search: methods, their numbers, choices from catalogues and tables. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "casefile/casefile.h"

#include <math.h>
#include <string.h>

static void show(void *context, const gdyn_diag *diag) {
    (void)context;
    print_message("%d:%d: %s\n", diag->line, diag->column, diag->message);
}
static const gdyn_sink sink = {show, NULL};

/* A case and its instance, from text. */
typedef struct opened {
    gdyn_case *c;
    gdyn_instance *in;
} opened;

static opened open_text(const char *text) {
    opened o = {NULL, NULL};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "x.yaml", &sink, &o.c), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o.c, 0, NULL, &sink, &o.in), GDYN_OK);
    return o;
}

static void close_text(opened *o) {
    gdyn_instance_destroy(o->in);
    gdyn_case_destroy(o->c);
}

static void exactly(double a, double b) {
    if (a != b)
        fail_msg("%.17g is not %.17g", a, b);
}

static void nothing_stated(void **state) {
    (void)state;
    opened o = open_text("format: 1\n");
    const gdyn_search_settings *s = &o.in->search;
    assert_string_equal(s->algorithm, "nsga2");
    assert_int_equal(s->population, 96);
    exactly(s->crossover, -1), exactly(s->crossover_eta, -1);
    exactly(s->mutation, -1), exactly(s->mutation_eta, -1);
    exactly(s->weight, -1), exactly(s->rate, -1), exactly(s->tolerance, -1);
    assert_int_equal(s->divisions, 0);
    assert_int_equal(s->points, 0);
    assert_null(s->nlopt);
    close_text(&o);
}

static void all_stated(void **state) {
    (void)state;
    opened o = open_text("format: 1\n"
                         "design: {x: {min: 0, max: 1}}\n"
                         "optimize:\n"
                         "  objectives: {f: {minimize: x}}\n"
                         "  algorithm: {name: hybrid, population: 40, seed: 7, nlopt: bobyqa,\n"
                         "    crossover: {probability: 0, eta: 3}, mutation: {probability: 1/8, "
                         "eta: 0},\n"
                         "    weight: 0.5, rate: 0, divisions: 12, points: 21, tolerance: 1e-6}\n"
                         "  stop: {generations: 3, time: 2 min, stall: {window: 4, tolerance: "
                         "0.01}}\n");
    const gdyn_search_settings *s = &o.in->search;
    assert_string_equal(s->algorithm, "hybrid");
    assert_string_equal(s->nlopt, "bobyqa");
    exactly(s->crossover, 0), exactly(s->crossover_eta, 3);
    exactly(s->mutation, 0.125), exactly(s->mutation_eta, 0);
    exactly(s->weight, 0.5), exactly(s->rate, 0), exactly(s->tolerance, 1e-6);
    assert_int_equal(s->divisions, 12);
    assert_int_equal(s->points, 21);
    assert_int_equal(s->generations, 3);
    exactly(s->time, 120);
    close_text(&o);
}

/* Every name of the lists is accepted. */
static void all_names(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const *names = k ? gdyn_case_nlopt_names : gdyn_case_algorithms;
        for (int i = 0; names[i]; i++) {
            gdyn_text text = {0};
            gdyn_text_printf(&text,
                             "format: 1\ndesign: {x: {min: 0, max: 1}}\n"
                             "optimize: {objectives: {f: {minimize: x}}, algorithm: {%s: %s}}\n",
                             k ? "name: nbi, nlopt" : "name", names[i]);
            opened o = open_text(text.data);
            assert_string_equal(k ? o.in->search.nlopt : o.in->search.algorithm, names[i]);
            close_text(&o);
            gdyn_text_free(&text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_stated),
        cmocka_unit_test(all_stated),
        cmocka_unit_test(all_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
