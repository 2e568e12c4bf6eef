/* What is known of a trajectory is worked out once, whoever asks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "page/page.h"
#include "study/expected.h"
#include "study/study.h"
#include "trajectory/examination.h"
#include "trajectory/path_reactions.h"

#include <math.h>

typedef struct opened {
    gdyn_case *the_case;
    gdyn_instance *instance;
    long before; /* paths followed so far */
} opened;

static void begin(opened *o, const char *name) {
    char filename[400];
    snprintf(filename, sizeof filename, "%s/cases/%s/case.yaml", GDYN_SOURCE_DIR, name);
    *o = (opened){0};
    assert_int_equal(gdyn_case_read(filename, NULL, &o->the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o->the_case, 0, NULL, NULL, &o->instance), GDYN_OK);
    o->before = gdyn_tracks_followed();
}

static void end(opened *o) {
    gdyn_instance_destroy(o->instance);
    gdyn_case_destroy(o->the_case);
}

/* Each trajectory was followed once since the last call. */
static void expect_once_each(opened *o) {
    long now = gdyn_tracks_followed();
    assert_int_equal(now - o->before, o->instance->trajectory_count);
    o->before = now;
}

/* In the plane and in space, with fixed points and inserted ones, and with points enough for
 * motions, which otherwise are looked for on further ones. */
static const char *const cases[] = {"ups6", "four_slider_star", "five_bar3", "delta"};

static void all_passes_follow_once(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o;
        begin(&o, cases[i]);
        gdyn_reactions *r = gdyn_reactions_create(o.instance->model);
        for (int k = 0; k < o.instance->trajectory_count; k++) {
            gdyn_trajectory t;
            gdyn_path_reactions along;
            assert_int_equal(gdyn_trajectory_open(&t, o.instance, k, NULL), GDYN_OK);
            assert_int_equal(gdyn_trajectory_take(&t, ~0u), GDYN_OK);
            const gdyn_traverse *plan = t.traverse;
            const gdyn_evaluation *evaluation = t.evaluation;
            /* nothing is worked out again */
            assert_int_equal(gdyn_trajectory_take(&t, ~0u), GDYN_OK);
            assert_ptr_equal(t.traverse, plan);
            assert_ptr_equal(t.evaluation, evaluation);
            assert_int_equal(gdyn_path_reactions_open(&along, &t, r, NULL), GDYN_OK);
            gdyn_path_reactions_close(&along);
            gdyn_trajectory_close(&t);
        }
        expect_once_each(&o);
        gdyn_reactions_destroy(r);
        end(&o);
    }
}

/* Asked for one after the other the passes give the same numbers as together. */
static void order_does_not_matter(void **state) {
    (void)state;
    static const unsigned order[] = {GDYN_PASS_DYNAMICS,  GDYN_PASS_CLEARANCE, GDYN_PASS_LOCAL,
                                     GDYN_PASS_APPROACH,  GDYN_PASS_MOTION,    GDYN_PASS_TRACK,
                                     GDYN_PASS_REACTIONS, GDYN_PASS_REGIONS};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o;
        gdyn_trajectory one, other;
        begin(&o, cases[i]);
        assert_int_equal(gdyn_trajectory_open(&one, o.instance, 0, NULL), GDYN_OK);
        assert_int_equal(gdyn_trajectory_open(&other, o.instance, 0, NULL), GDYN_OK);
        unsigned all = 0;
        for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
            all |= order[k];
            assert_int_equal(gdyn_trajectory_take(&other, order[k]), GDYN_OK);
            assert_int_equal(other.known & all, all);
        }
        assert_int_equal(gdyn_trajectory_take(&one, all), GDYN_OK);
        for (int c = 0; c < GDYN_CRITERIA; c++) {
            double a = one.criteria.value[c], b = other.criteria.value[c];
            assert_true((isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-9 * fabs(a));
        }
        assert_int_equal(gdyn_tracks_followed() - o.before, 2);
        gdyn_trajectory_close(&one);
        gdyn_trajectory_close(&other);
        end(&o);
    }
}

/* The commands check, report, verify, evaluate. */
static void everybody_follows_once(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o;
        gdyn_examination found;
        gdyn_findings *findings;
        gdyn_expected x;
        begin(&o, cases[i]);
        const int count = o.instance->trajectory_count;
        assert_int_equal(gdyn_examine(&found, o.instance), GDYN_OK);
        while (found.opened < count)
            assert_int_equal(gdyn_examine_next(&found, GDYN_PASSES_OF_CHECK, NULL), GDYN_OK);
        gdyn_examination_free(&found);
        expect_once_each(&o);
        assert_int_equal(gdyn_findings_create(o.instance, 0, count, NULL, &findings), GDYN_OK);
        gdyn_findings_destroy(findings);
        expect_once_each(&o);
        assert_int_equal(gdyn_expected_open(&x, o.the_case, o.instance, 0, NULL, NULL), GDYN_OK);
        for (int k = 0; k < count; k++) {
            assert_int_equal(gdyn_expected_next(&x), GDYN_OK);
            assert_int_equal(gdyn_expected_regions(&x), GDYN_OK);
        }
        for (int k = 0; k < o.instance->expectation_count; k++) {
            double value;
            if (o.instance->expectation[k].kind == GDYN_EXPECT_TRAJECTORY)
                gdyn_expected_value(&x, &o.instance->expectation[k], &value);
        }
        gdyn_expected_close(&x);
        expect_once_each(&o);
        end(&o);
    }
}

static void designs_follow_once(void **state) {
    (void)state;
    opened o;
    gdyn_study *study;
    begin(&o, "ups6");
    assert_int_equal(gdyn_study_create(o.the_case, 0, NULL, NULL, &study), GDYN_OK);
    gdyn_design *design = gdyn_design_create(study);
    double x[64];
    for (int i = 0; i < gdyn_study_start(study)->design_count; i++)
        x[i] = gdyn_study_start_value(study, i);
    o.before = gdyn_tracks_followed();
    assert_int_equal(gdyn_study_evaluate(study, x, GDYN_EXTENT_ALL, design), GDYN_OK);
    expect_once_each(&o);
    gdyn_design_destroy(design);
    gdyn_study_destroy(study);
    end(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_passes_follow_once),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(everybody_follows_once),
        cmocka_unit_test(designs_follow_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
