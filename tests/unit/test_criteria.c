/* test_criteria.c - the vocabulary: every row whole, names unambiguous, units against dimensions worked out
 * by hand, and the manual's tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "criteria/criteria.h"
#include "near.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gdyn_dimension none = {true, 0, 0, 0, false};

static void rows_are_whole(void **state) {
    (void)state;
    for (int i = 0; i < GDYN_CRITERIA; i++) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[i];
        if (!row->name || !row->label || !row->definition || !row->of || !row->pass)
            fail_msg("row %d (%s) is not whole", i, row->name ? row->name : "?");
        size_t length = strlen(row->definition);
        assert_true(isupper((unsigned char)row->definition[0]) || isdigit(row->definition[0]));
        assert_int_equal(row->definition[length - 1], '.');
        assert_true(row->unit || row->argument != GDYN_ARGUMENT_NONE ||
                    row->of == GDYN_OF_WORKSPACE);
        assert_true(row->better >= -1 && row->better <= 1);
        assert_true(row->effort == 0 || row->instead > 0);
        assert_true(gdyn_name_valid(row->name));
        /* formulas name machines and trajectories only */
        assert_true(!row->formula || row->of != GDYN_OF_POINT);
    }
}

/* Within machine, trajectory and point a name leads to its row and to no other. */
static void names_are_unambiguous(void **state) {
    (void)state;
    for (unsigned of = 1; of <= GDYN_OF_WORKSPACE; of *= 2) {
        const char *names[GDYN_CRITERIA];
        int count = gdyn_criterion_names(of, false, names), seen = 0;
        for (int i = -1; (i = gdyn_criterion_next(i, of, false)) >= 0; seen++) {
            assert_string_equal(names[seen], gdyn_criterion_table[i].name);
            assert_int_equal(gdyn_criterion_find(names[seen], of, false), i);
        }
        assert_int_equal(seen, count);
        assert_int_equal(gdyn_criterion_find("volume", of, false), -1);
    }
    assert_int_equal(gdyn_criterion_find("gruebler", GDYN_OF_MACHINE, true), -1);
    assert_int_equal(gdyn_criterion_find("redundancy", GDYN_OF_MACHINE, true),
                     GDYN_MACHINE_REDUNDANCY);
    assert_int_equal(gdyn_criterion_find("redundancy", GDYN_OF_POINT, false),
                     GDYN_CRITERION_REDUNDANCY);
}

static bool is_dimension(int criterion, gdyn_dimension p, int m, int kg, int s) {
    gdyn_dimension d = gdyn_criterion_dimension((gdyn_criterion)criterion, p, GDYN_DIM_FORCE);
    return d.known && d.m == m && d.kg == kg && d.s == s;
}

static void dimensions(void **state) {
    (void)state;
    /* d1 = dp/dt, d2 = d2p/dt2; the area is that of (d1, d2) */
    assert_true(is_dimension(GDYN_CRITERION_D1_MAX, none, 0, 0, -1));
    assert_true(is_dimension(GDYN_CRITERION_D1_MAX, GDYN_DIM_LENGTH, 1, 0, -1));
    assert_true(is_dimension(GDYN_CRITERION_D1_MAX, GDYN_DIM_TIME, 0, 0, 0));
    assert_true(is_dimension(GDYN_CRITERION_D2_MIN, GDYN_DIM_LENGTH, 1, 0, -2));
    assert_true(is_dimension(GDYN_CRITERION_AREA, GDYN_DIM_LENGTH, 2, 0, -3));
    assert_true(is_dimension(GDYN_CRITERION_AREA, GDYN_DIM_TIME, 0, 0, -1));
    assert_true(is_dimension(GDYN_CRITERION_PEAK_FORCE, none, 1, 1, -2));
    assert_true(is_dimension(GDYN_CRITERION_ENERGY, none, 2, 1, -2));
    assert_true(is_dimension(GDYN_CRITERION_STIFFNESS, none, 0, 1, -2));
    assert_true(is_dimension(GDYN_CRITERION_FREQUENCY, none, 0, 0, -1));
    assert_true(is_dimension(GDYN_MACHINE_MASS, none, 0, 1, 0));
    assert_false(gdyn_criterion_dimension(GDYN_CRITERION_D1_MAX, GDYN_DIM_UNKNOWN, none).known);
    assert_false(gdyn_criterion_dimension(GDYN_CRITERION_RMS_FORCE, none, GDYN_DIM_UNKNOWN).known);
    assert_false(gdyn_criterion_dimension(GDYN_CRITERION_JOINT, none, none).known);
}

static void unit_is(int criterion, const char *p, const char *effort, const char *wanted) {
    assert_string_equal(gdyn_criterion_unit((gdyn_criterion)criterion, p, effort).text, wanted);
}

static void units(void **state) {
    (void)state;
    unit_is(GDYN_CRITERION_AREA, "", "N", "1/s^3");
    unit_is(GDYN_CRITERION_AREA, "m", "N", "m^2/s^3");
    unit_is(GDYN_CRITERION_AREA, "s", "N", "s^2/s^3");
    unit_is(GDYN_CRITERION_SPEED, "m", "", "m/s");
    unit_is(GDYN_CRITERION_ACCEL, "", "", "1/s^2");
    unit_is(GDYN_CRITERION_STIFFNESS, "m", "N", "N/m");
    unit_is(GDYN_CRITERION_RMS_FORCE, "m", "N m", "N m");
    unit_is(GDYN_CRITERION_RMS_FORCE, "m", "", "");
    unit_is(GDYN_CRITERION_REACH, "m", "N", "");
    unit_is(GDYN_CRITERION_LENGTH, "m", "N", "");
}

/* The text of each unit is that of the dimension: both are read back by the parser of units. */
static void units_agree_with_dimensions(void **state) {
    (void)state;
    static const char *const p_unit[] = {"", "m", "s"};
    const gdyn_dimension p[] = {none, GDYN_DIM_LENGTH, GDYN_DIM_TIME};
    for (int i = 0; i < GDYN_CRITERIA; i++)
        for (int k = 0; k < 3; k++) {
            gdyn_words unit = gdyn_criterion_unit((gdyn_criterion)i, p_unit[k], "N m");
            const char *text = unit.text;
            double factor = 1;
            gdyn_dimension read = none;
            gdyn_dimension d = gdyn_criterion_dimension((gdyn_criterion)i, p[k], GDYN_DIM_TORQUE);
            if (!gdyn_criterion_table[i].unit)
                continue;
            assert_true(!*text || gdyn_unit_parse(text, &factor, &read));
            if (!d.known || d.m != read.m || d.kg != read.kg || d.s != read.s || factor != 1)
                fail_msg("%s: unit %s", gdyn_criterion_table[i].name, text);
        }
}

static void values(void **state) {
    (void)state;
    gdyn_criteria c = gdyn_criteria_none();
    assert_int_equal(c.passes, 0);
    for (int i = 0; i < GDYN_CRITERIA; i++)
        assert_true(isnan(c.value[i]));
    assert_int_equal(gdyn_criteria_next(&c, -1), -1);
    c.passes = GDYN_PASS_LOCAL;
    assert_int_equal(gdyn_criteria_next(&c, -1), GDYN_CRITERION_DEXTERITY);
    assert_int_equal(gdyn_criteria_next(&c, GDYN_CRITERION_LOAD), -1);
    /* of dexterities the least is the worst, of loads the greatest */
    assert_near(gdyn_criterion_worse(GDYN_CRITERION_DEXTERITY, 0.2, 0.7), 0.2, 0);
    assert_near(gdyn_criterion_worse(GDYN_CRITERION_LOAD, 0.2, 0.7), 0.7, 0);
    assert_near(gdyn_criterion_worse(GDYN_CRITERION_LOAD, NAN, 0.7), 0.7, 0);
    assert_true(isnan(gdyn_criterion_worse(GDYN_CRITERION_LOAD, NAN, NAN)));
    assert_true(gdyn_criterion_worst(GDYN_CRITERION_LOAD, INFINITY));
    assert_false(gdyn_criterion_worst(GDYN_CRITERION_D1_MAX, INFINITY));
    assert_false(gdyn_criterion_worst(GDYN_CRITERION_LOAD, 3));
}

static void presumptions_have_rows(void **state) {
    (void)state;
    unsigned all = 0, used = 0;
    const gdyn_presumption_row *row;
    for (int i = 0; (row = gdyn_presumption(i)); i++)
        all |= row->presumption;
    for (int i = 0; i < GDYN_CRITERIA; i++)
        used |= gdyn_criterion_table[i].presumes;
    assert_int_equal(all, used);
}

/* --- the documents ------------------------------------------------------------------------ */

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    char *text = calloc(1, 200000);
    assert_non_null(text);
    size_t length = fread(text, 1, 199999, file);
    fclose(file);
    assert_true(length < 199999);
    return text;
}

/* The manual carries the very tables that the vocabulary gives. */
static void manual_is_current(void **state) {
    (void)state;
    char *manual = read_file(GDYN_SOURCE_DIR "/docs/criteria.md");
    char *table[] = {gdyn_criteria_manual(true), gdyn_presumptions_manual(),
                     gdyn_criteria_manual(false)};
    bool current = true;
    for (int i = 0; i < 3; i++) {
        assert_non_null(table[i]);
        current &= strstr(manual, table[i]) != NULL;
    }
    FILE *out = current ? NULL : fopen(GDYN_BINARY_DIR "/criteria-tables.md", "wb");
    for (int i = 0; i < 3; i++) {
        if (out)
            fprintf(out, "%s\n", table[i]);
        gdyn_free(table[i]);
    }
    if (out)
        fclose(out);
    free(manual);
    if (!current)
        fail_msg("docs/criteria.md lacks the tables in %s", GDYN_BINARY_DIR "/criteria-tables.md");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(names_are_unambiguous),
        cmocka_unit_test(dimensions),
        cmocka_unit_test(units),
        cmocka_unit_test(units_agree_with_dimensions),
        cmocka_unit_test(values),
        cmocka_unit_test(presumptions_have_rows),
        cmocka_unit_test(manual_is_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
