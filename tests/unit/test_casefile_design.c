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
    const gdyn_search_options *s = &o.in->search;
    assert_int_equal(s->method, GDYN_SEARCH_AUTO);
    assert_int_equal(s->population, 0);
    exactly(s->crossover, -1), exactly(s->crossover_eta, -1);
    exactly(s->mutation, -1), exactly(s->mutation_eta, -1);
    assert_true(s->weight <= 0 && s->rate < 0 && s->tolerance <= 0);
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
    const gdyn_search_options *s = &o.in->search;
    assert_int_equal(s->method, GDYN_SEARCH_HYBRID);
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
        const char *const *names = k ? gdyn_search_nlopt_names : gdyn_search_method_names;
        for (int i = 0; names[i]; i++) {
            gdyn_text text = {0};
            gdyn_text_printf(&text,
                             "format: 1\ndesign: {x: {min: 0, max: 1}}\n"
                             "optimize: {objectives: {f: {minimize: x}}, algorithm: {%s: %s}}\n",
                             k ? "name: nbi, nlopt" : "name", names[i]);
            opened o = open_text(text.data);
            assert_string_equal(
                k ? o.in->search.nlopt : gdyn_search_method_name(o.in->search.method), names[i]);
            close_text(&o);
            gdyn_text_free(&text);
        }
    }
}

/* --- choices --------------------------------------------------------------------------------------------- */

static const char beam[] =
    "format: 1\n"
    "parameters:\n"
    "  rho: 2700 kg/m^3\n"
    "  E: 70e9\n"
    "  h: 3 mm\n"
    "  heavy: rho*h\n"
    "  most: 40\n"
    "design:\n"
    "  material: {choices: {steel: {rho: 7850 kg/m^3, E: 210e9}, aluminium: {E: 70e9, rho: 2700 "
    "kg/m^3},\n"
    "             carbon: {rho: 1600 kg/m^3, E: 120e9}}}\n"
    "  h: {choices: [2 mm, 3 mm, 5 mm]}\n"
    "  n: {choices: [1, 2, 4, 8], start: 4}\n"
    "optimize:\n"
    "  objectives: {m: {minimize: heavy*n}, s: {maximize: E*h^3*n}}\n"
    "  constraints: {c: heavy <= most, d: E*h^3*n >= heavy}\n";

static void choices_are_described(void **state) {
    (void)state;
    opened o = open_text(beam);
    const gdyn_design_variable *v = o.in->design;
    assert_int_equal(o.in->design_count, 3);
    assert_int_equal(v[0].kind, GDYN_DESIGN_TABLE);
    assert_int_equal(v[1].kind, GDYN_DESIGN_SIZES);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(v[i].choices, i == 2 ? 4 : 3);
        assert_true(v[i].integer);
        exactly(v[i].min, 0), exactly(v[i].max, v[i].choices - 1);
    }
    exactly(v[0].start, 1); /* the row of the parameters' values */
    exactly(v[1].start, 1);
    exactly(v[2].start, 2);
    assert_string_equal(gdyn_case_choice_name(&v[0], 2), "carbon");
    assert_string_equal(gdyn_case_choice_name(&v[1], 2), "5 mm");
    gdyn_setting s = gdyn_case_choice(&v[1], 2);
    assert_string_equal(s.name, "h");
    exactly(s.value, 0.005), exactly(gdyn_case_choice_index(&v[1], 0.005), 2);
    s = gdyn_case_choice(&v[0], 2);
    assert_string_equal(s.name, "material");
    exactly(s.value, 2), exactly(gdyn_case_choice_index(&v[0], 2), 2);
    /* Material and thickness move `heavy`: only the first limit is a number. */
    exactly(o.in->requirement[0].right, 40), exactly(o.in->requirement[1].right, 0);
    close_text(&o);
}

static double parameter(const gdyn_instance *in, const char *name) {
    for (int i = 0; i < in->parameter_count; i++)
        if (strcmp(in->parameter_name[i], name) == 0)
            return in->parameter_value[i];
    fail_msg("no parameter %s", name);
    return 0;
}

static void a_choice_sets_its_row(void **state) {
    (void)state;
    static const double rho[] = {7850, 2700, 1600}, E[] = {210e9, 70e9, 120e9};
    static const double t[] = {0.002, 0.003, 0.005}, n[] = {1, 2, 4, 8};
    opened o = open_text(beam);
    for (int k = 0; k < 36; k++) {
        double x[3] = {k % 3, k / 3 % 3, k / 9};
        gdyn_setting settings[3];
        gdyn_instance *in = NULL;
        for (int i = 0; i < 3; i++)
            settings[i] = gdyn_case_choice(&o.in->design[i], x[i]);
        assert_int_equal(gdyn_case_instantiate(o.c, 3, settings, &sink, &in), GDYN_OK);
        exactly(parameter(in, "rho"), rho[k % 3]), exactly(parameter(in, "E"), E[k % 3]);
        exactly(parameter(in, "h"), t[k / 3 % 3]), exactly(parameter(in, "n"), n[k / 9]);
        exactly(parameter(in, "heavy"), rho[k % 3] * t[k / 3 % 3]);
        gdyn_instance_destroy(in);
        /* The text written at these settings starts there. */
        gdyn_text text = {0};
        assert_int_equal(gdyn_case_write(o.c, 3, settings, NULL, &text), GDYN_OK);
        opened back = open_text(text.data);
        exactly(parameter(back.in, "E"), E[k % 3]);
        for (int i = 0; i < 3; i++)
            exactly(back.in->design[i].start, x[i]);
        close_text(&back);
        gdyn_text_free(&text);
    }
    close_text(&o);
}

static void choices_by_name(void **state) {
    (void)state;
    opened o = open_text(beam);
    gdyn_setting s = {0};
    gdyn_instance *in = NULL;
    assert_int_equal(gdyn_case_parse_setting(o.c, "material=steel", &sink, &s), GDYN_OK);
    assert_string_equal(s.name, "material");
    exactly(s.value, 0);
    assert_int_equal(gdyn_case_parse_setting(o.c, "h=5 mm", &sink, &s), GDYN_OK);
    exactly(s.value, 0.005);
    assert_int_not_equal(gdyn_case_parse_setting(o.c, "material=stele", NULL, &s), GDYN_OK);
    gdyn_setting wrong[] = {
        {"material", 3, false}, {"material", 0.5, false}, {"material", -1, false}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(gdyn_case_instantiate(o.c, 1, &wrong[i], NULL, &in), GDYN_ERROR_INPUT);
    close_text(&o);
}

/* Which limits are numbers follows from which parameters move with the design: a chain in which each
 * parameter names the two before it has 2^40 ways through it, which nobody may walk one by one. */
static void what_moves_with_the_design(void **state) {
    (void)state;
    for (int moving = 0; moving < 2; moving++) {
        gdyn_text text = {0};
        gdyn_text_printf(&text, "format: 1\nparameters:\n  a0: %s\n  a1: 2\n", moving ? "x" : "1");
        for (int k = 2; k < 80; k++)
            gdyn_text_printf(&text, "  a%d: (a%d + a%d)/2\n", k, k - 1, k - 2);
        gdyn_text_printf(&text, "design: {x: {min: 0, max: 2}}\n"
                                "optimize: {objectives: {f: {minimize: x}}, "
                                "constraints: {c: x <= a79}}\n");
        opened o = open_text(text.data);
        const gdyn_requirement *c = o.in->requirement;
        assert_string_equal(c->left, moving ? "(x) - (a79)" : "x");
        exactly(c->right, moving ? 0 : parameter(o.in, "a79"));
        close_text(&o);
        gdyn_text_free(&text);
    }
}

/* A tolerance in the unit of the equality, by a formula too. */
static void an_equality_has_a_tolerance(void **state) {
    (void)state;
    opened o = open_text("format: 1\nparameters: {a: 20 mm}\ndesign: {x: {min: 0, max: 2}}\n"
                         "optimize: {objectives: {f: {minimize: x}}, constraints: {"
                         "c: {require: x*a = 30 mm, tolerance: a/10}, "
                         "d: {require: x*a = 30 mm}, e: x*a = 30 mm}}\n");
    const gdyn_requirement *c = o.in->requirement;
    exactly(c[0].tolerance, 0.002), exactly(c[1].tolerance, 0), exactly(c[2].tolerance, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(c[i].relation, 0);
        exactly(c[i].right, 0.03);
    }
    close_text(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_stated),
        cmocka_unit_test(all_stated),
        cmocka_unit_test(all_names),
        cmocka_unit_test(choices_are_described),
        cmocka_unit_test(a_choice_sets_its_row),
        cmocka_unit_test(choices_by_name),
        cmocka_unit_test(what_moves_with_the_design),
        cmocka_unit_test(an_equality_has_a_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
