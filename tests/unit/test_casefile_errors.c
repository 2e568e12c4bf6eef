/* Wrong case files: what is said, where, and that nothing else is said. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/text.h"
#include "casefile/casefile.h"

#include <stdio.h>
#include <string.h>

/* "line:column message" of every error, one to a line. */
static void collect(void *context, const gdyn_diag *diag) {
    gdyn_text_printf(context, "%d:%d %s\n", diag->line, diag->column, diag->message);
}

static void print(void *context, const gdyn_diag *diag) {
    gdyn_diag_print(diag, context, false);
}

static void expect_errors(const char *text, const char *wanted) {
    gdyn_text said = {0};
    gdyn_sink sink = {collect, &said};
    gdyn_case *c = NULL;
    gdyn_status status = gdyn_case_read_text(text, strlen(text), "bad.yaml", &sink, &c);
    if (status == GDYN_OK) {
        gdyn_instance *in = NULL;
        status = gdyn_case_instantiate(c, 0, NULL, &sink, &in);
        gdyn_instance_destroy(in);
        gdyn_case_destroy(c);
    }
    assert_string_equal(said.data ? said.data : "", wanted);
    assert_int_equal(status, *wanted ? GDYN_ERROR_INPUT : GDYN_OK);
    gdyn_text_free(&said);
}

#define MACHINE "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n"

static void as_printed(void **state) {
    (void)state;
    static const char text[] = MACHINE "  bodies:\n    rod1: {maas: 0.2 kg, inertia: 1}\n";
    gdyn_text said = {0};
    gdyn_sink sink = {print, &said};
    gdyn_case *c = NULL;
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "five_bar.yaml", &sink, &c),
                     GDYN_ERROR_INPUT);
    assert_null(c);
    assert_string_equal(said.data,
                        "five_bar.yaml:6:12: error: unknown key 'maas' in body 'rod1' [GD011]\n"
                        "    6 |     rod1: {maas: 0.2 kg, inertia: 1}\n"
                        "      |            ^~~~\n"
                        "      = help: did you mean 'mass'?\n");
    gdyn_text_free(&said);
}

static void all_in_one_run(void **state) {
    (void)state;
    expect_errors(MACHINE "  bodies:\n"
                          "    a: {mass: 1 m, inertia: 1, points: {P: [0, 0]}}\n"
                          "    b: {mass: 1, inertia: 1}\n"
                          "  joints:\n"
                          "    j: {type: revolut, of: [a.Q, c]}\n"
                          "  drives:\n"
                          "    d: {at: k, torque: {min: -1, max: 1 + (2*lag)}}\n",
                  "6:15 expected kg, got m\n"
                  "9:15 unknown type 'revolut'\n"
                  "9:29 unknown point 'Q' of 'a'\n"
                  "9:34 unknown body 'c'\n"
                  "11:13 unknown joint 'k'\n"
                  "11:46 unknown name 'lag'\n");
}

static void parameters(void **state) {
    (void)state;
    expect_errors("format: 1\nparameters:\n  a: b + 1\n  b: 2*c\n  c: a\n  d: a\n",
                  "3:6 parameters refer to each other in a circle: a -> b -> c -> a\n");
    expect_errors("format: 1\nparameters: {a: 1 mm + 1 kg, pi: 3, x-y: 2}\n",
                  "2:24 units do not agree in a sum: m and kg\n"
                  "2:30 'pi' already has a meaning in formulas\n"
                  "2:37 'x-y' cannot name a parameter\n");
    /* Any order, and a chain longer than any stack of calls should be. */
    gdyn_text text = {0};
    gdyn_text_printf(&text, "format: 1\nparameters:\n");
    for (int i = 0; i < 3000; i++)
        gdyn_text_printf(&text, "  a%d: a%d + 1\n", i, i + 1);
    gdyn_text_printf(&text, "  a3000: 1\n");
    gdyn_case *c = NULL;
    gdyn_instance *in = NULL;
    assert_int_equal(gdyn_case_read_text(text.data, text.length, "chain", NULL, &c), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(c, 0, NULL, NULL, &in), GDYN_OK);
    assert_true(in->parameter_value[0] == 3001.0);
    gdyn_instance_destroy(in);
    gdyn_setting last = {"a3000", 5.0, false};
    assert_int_equal(gdyn_case_instantiate(c, 1, &last, NULL, &in), GDYN_OK);
    assert_true(in->parameter_value[0] == 3005.0);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
    gdyn_text_free(&text);
}

static void yaml(void **state) {
    (void)state;
    expect_errors("format: 1\nname: a\nname: b\n", "3:1 key 'name' occurs twice\n");
    expect_errors("format: 1\n---\nformat: 1\n", "2:1 a second document begins here\n");
    expect_errors("- 1\n", "1:1 a case file is a mapping, this is a list\n");
    expect_errors("", "1:1 the case file lacks 'format'\n");
    expect_errors("format: 1\nname: !!str x\n", "2:7 YAML tags are not used in case files\n");
    expect_errors("format: 1\nname: *x\n", "2:7 unknown alias\n");
    expect_errors("format: 2\n", "1:9 unknown format 2\n");
}

/* Nine levels of nine aliases are 9^9 nodes when written out. */
static void too_much(void **state) {
    (void)state;
    gdyn_text text = {0};
    gdyn_text_printf(&text, "format: 1\na: &a [x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c < 'j'; c++) {
        gdyn_text_printf(&text, "%c: &%c [", c, c);
        for (int i = 0; i < 9; i++)
            gdyn_text_printf(&text, "%s*%c", i ? "," : "", c - 1);
        gdyn_text_printf(&text, "]\n");
    }
    expect_errors(text.data,
                  "2:8 the file becomes too large when repeat, like and aliases are expanded\n");
    gdyn_text_free(&text);
    for (int i = 0; i < 3000; i++)
        gdyn_text_printf(&text, "[");
    expect_errors(text.data, "1:65 nested too deeply\n");
    gdyn_text_free(&text);
    gdyn_text_printf(&text, "name: ");
    for (int i = 0; i < 1000000; i++)
        gdyn_text_printf(&text, "0123456789");
    expect_errors(text.data, "1:7 this text is too long\n");
    gdyn_text_free(&text);
}

static void expansion(void **state) {
    (void)state;
    expect_errors(MACHINE "  bodies:\n    a: {repeat: {i: 1..2}, mass: 1, inertia: 1}\n",
                  "6:5 repeat creates the name 'a' twice\n");
    expect_errors(MACHINE "  bodies:\n    a$i: {mass: 1, inertia: 1}\n",
                  "6:5 '$i' outside of a repeat\n");
    /* The same slip in every copy is one message. */
    expect_errors(MACHINE "  bodies:\n    a$i: {repeat: {i: 1..9}, mass: 1, inertia: 1 m}\n",
                  "6:48 expected kg m^2, got m\n");
    expect_errors(MACHINE "  bodies:\n    a: {like: b}\n    b: {like: a}\n",
                  "7:15 like is circular: 'a'\n");
    expect_errors("format: 1\ninclude: [nothere.yaml]\n",
                  "2:11 'nothere.yaml': cannot open: No such file or directory\n");
}

#define ARM                                                                                        \
    MACHINE "  bodies:\n    a: {mass: 1, inertia: 1, points: {P: [1, 0]}}\n"                       \
            "  joints:\n    j: {type: revolute, of: [a, ground]}\n"

static void drives(void **state) {
    (void)state;
    expect_errors(ARM "  drives:\n    d: {at: j, force: {min: -1 N, max: 1 N}}\n",
                  "10:23 drive 'd' turns: its limits are a torque, not a force\n");
    expect_errors(ARM "  drives:\n    d: {at: j, torque: {max: 1 N}}\n",
                  "10:16 drive 'd' lacks its lower limit\n10:30 expected N m, got N\n");
    expect_errors(ARM "  drives:\n    d: {at: j}\n", "10:5 drive 'd' has no limits\n");
    /* one message for one mistake */
    expect_errors(ARM "  drives:\n    d: {at: j, force: {limit: 1 N}, torque: {limit: 1 N m}}\n",
                  "10:23 drive 'd' turns: its limits are a torque, not a force\n");
    expect_errors(ARM
                  "  drives:\n    d: {cable: [a.P, ground], force: {limit: 1}, tension: {limit: "
                  "1}}\n",
                  "10:38 drive 'd' is a cable: its limits are a tension, not a force\n");
    /* a torque in the plane is one number */
    expect_errors(ARM
                  "  drives:\n    d: {wrench: {of: a.P, torque: [1, 2, 3]}, torque: {limit: 1}}\n",
                  "10:35 in a plane 'torque' is a number, not a list\n");
    expect_errors(ARM "  forces:\n    f: {type: constant, of: a.P, torque: [1, 2, 3]}\n",
                  "10:42 in a plane 'torque' is a number, not a list\n");
    expect_errors(ARM "  drives:\n    d: {torque: {limit: 3 N m}}\n",
                  "10:5 drive 'd' does not say where it acts\n");
    expect_errors(ARM "  drives:\n    d: {at: j.slide, torque: {limit: 3 N m}}\n",
                  "10:13 joint 'j' (revolute) has no freedom 'slide'\n");
    expect_errors(ARM "  drives:\n    d: {at: j, torque: {limit: inf}}\n", "");
}

static void results(void **state) {
    (void)state;
    expect_errors(ARM "trajectories:\n"
                      "  t: {p: [0, 1], joints: {j: p}}\n"
                      "optimize:\n"
                      "  objectives: {a: {maximize: t.areal}}\n"
                      "  constraints: {b: t.stiffness >= 3 kg, c: mass}\n"
                      "expect:\n"
                      "  - {quantity: t.d2_max@0.5, value: 1}\n"
                      "  - {quantity: u.area, value: 1}\n"
                      "  - {quantity: t.joint(k)@0, value: 1}\n"
                      "  - {quantity: mobilty, value: x}\n",
                  "11:1 there is nothing to optimize: no design variables\n"
                  "12:30 unknown name 't.areal'\n"
                  "13:35 units do not agree: N/m and kg\n"
                  "13:44 a constraint has exactly one of >=, <=, =\n"
                  "15:25 the value of d1 is missing\n"
                  "16:16 unknown trajectory\n"
                  "17:16 unknown joint 'k'\n"
                  "18:16 this is not a quantity of a machine\n"
                  "18:32 unknown name 'x'\n");
}

static const char good_expectations[] =
    "parameters: {q: 2}\n"
    "trajectories:\n"
    "  t: {p: [0, 1], joints: {j: p}}\n"
    "expect:\n"
    "  - {quantity: t.d2_max@sqrt(q)*(1 + 1)(q*5), value: -inf}\n"
    "  - {quantity: t.joint(j.angle)@q/4, value: none, source: a book}\n"
    "  - {repeat: {i: 1..2}, quantity: t.d1_max@0.5*i, value: 3*i, tolerance: 1e-3}\n"
    "  - {quantity: t.area, value: 1e9}\n";

static void expectations(void **state) {
    (void)state;
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s%s", ARM, good_expectations);
    gdyn_case *c = NULL;
    gdyn_instance *in = NULL;
    assert_int_equal(gdyn_case_read_text(text.data, text.length, "x", NULL, &c), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(c, 0, NULL, NULL, &in), GDYN_OK);
    assert_int_equal(in->expectation_count, 5);
    const gdyn_expectation *e = in->expectation;
    assert_int_equal(e[0].kind, GDYN_EXPECT_POINT);
    assert_true(e[0].has_p && e[0].has_d1 && e[0].infinite && e[0].value < 0.0);
    assert_true(e[0].p > 2.8284271 && e[0].p < 2.8284272 && e[0].d1 == 10.0);
    assert_string_equal(e[1].entity, "j.angle");
    assert_true(e[1].none && e[1].joint == 0 && e[1].freedom == GDYN_FREEDOM_ANGLE);
    assert_true(e[1].p == 0.5);
    assert_string_equal(e[1].source, "a book");
    assert_true(e[3].p == 1.0 && e[3].value == 6.0 && e[3].tolerance == 1e-3);
    assert_int_equal(e[4].kind, GDYN_EXPECT_TRAJECTORY);
    assert_true(e[4].tolerance == 1e3);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
    gdyn_text_free(&text);
}

/* Out of memory at every allocation in turn: an error, no leak, no crash. */
static void without_memory(void **state) {
    (void)state;
    static const char text[] = ARM "  drives:\n    d: {at: j, torque: {limit: 3 N m}}\n"
                                   "trajectories: {t: {p: [0, 1], joints: {j: 2*p}}}\n";
    for (long n = 0; n < 100000; n++) {
        gdyn_case *c = NULL;
        gdyn_instance *in = NULL;
        gdyn_alloc_fail_after(n);
        gdyn_status status = gdyn_case_read_text(text, strlen(text), "x", NULL, &c);
        if (status == GDYN_OK)
            status = gdyn_case_instantiate(c, 0, NULL, NULL, &in);
        gdyn_alloc_fail_after(-1);
        gdyn_instance_destroy(in);
        gdyn_case_destroy(c);
        if (status == GDYN_OK)
            return;
    }
    fail_msg("never enough memory");
}

#define SEARCH(design, algorithm)                                                                  \
    "format: 1\nparameters: {k: 1}\ndesign: {" design "}\n"                                        \
    "optimize:\n  objectives: {f: {minimize: k}}\n  algorithm: {" algorithm "}\n"
#define WHOLE "k: {min: 0, max: 4, integer: true}"
#define NAMES "c: {choices: {a: {k: 1}, b: {k: 2}}}"

static void algorithms_that_do_not_fit(void **state) {
    (void)state;
    expect_errors(SEARCH(WHOLE, "name: nbi, nlopt: slsqp"),
                  "6:33 slsqp needs continuous variables, 'k' is whole\n");
    expect_errors(SEARCH(WHOLE, "name: chebyshev, nlopt: bobyqa"),
                  "6:39 bobyqa needs continuous variables, 'k' is whole\n");
    expect_errors(SEARCH(NAMES, "name: nbi, nlopt: cobyla"),
                  "6:33 the local algorithm cobyla cannot choose 'c', a name without an order\n");
    expect_errors(SEARCH(WHOLE, "name: hybrid, nlopt: isres"),
                  "6:36 the method hybrid needs a local algorithm, isres is a global one\n");
    expect_errors(SEARCH(WHOLE, "name: nbi, nlopt: cobyla"), "");
    expect_errors(SEARCH(WHOLE, "name: hybrid, nlopt: slsqp"), "");
    expect_errors(SEARCH(NAMES, "name: nbi, nlopt: isres"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_printed),
        cmocka_unit_test(all_in_one_run),
        cmocka_unit_test(parameters),
        cmocka_unit_test(yaml),
        cmocka_unit_test(too_much),
        cmocka_unit_test(expansion),
        cmocka_unit_test(drives),
        cmocka_unit_test(results),
        cmocka_unit_test(expectations),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(algorithms_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
