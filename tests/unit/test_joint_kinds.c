/* The tables of joints, drives and forces: no column of any row is left out; those of joints agree with
 * their rows.
 *
 * What a joint carries is checked against its constraint rows: in the joint's axes at a closed pose each
 * row is a force and a moment; those that the letters name are there, no others, and they are as many
 * independent ones as there are rows (a screw's force and moment along its axis are one). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "any_joint.h"
#include "globdyn.h"
#include "linalg/linalg.h"
#include "model/data.h"
#include "model/screws.h"
#include "reactions/internal.h"

static gdyn_random dice;

/* --- every column ---------------------------------------------------------------------------- */

static void check_form(gdyn_joint_type type, gdyn_space space) {
    const gdyn_joint_form *form = gdyn_joint_form_of(type, space);
    bool stands = gdyn_joint_type_has_points(type);
    assert_true(strlen(form->rows) > 0);
    assert_int_equal(form->may & form->must, 0);
    assert_int_equal(form->axes != GDYN_AXES_NONE, stands);
    assert_int_equal(*gdyn_joint_axes_words(form->axes, space) != '\0', stands);
    for (int i = 0; i < GDYN_EASED_MOST && form->eased[i].axis; i++) {
        assert_true(gdyn_joint_type_in(form->eased[i].type, space));
        assert_true(form->eased[i].type != type);
        assert_int_equal(strspn(form->eased[i].axis, "k12xyz"), strlen(form->eased[i].axis));
    }
}

static void test_columns(void **unused) {
    (void)unused;
    static const gdyn_joint_form absent = {0};
    for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
        const gdyn_joint_kind *kind = gdyn_joint_kind_of(type);
        const char *name = gdyn_joint_type_names[type];
        assert_non_null(name);
        assert_true(kind->about && strlen(kind->about) > 0);
        assert_int_equal(kind->glyph != GDYN_GLYPH_NONE, kind->ends != GDYN_ENDS_JOINTS);
        for (gdyn_joint_type other = 0; other < type; other++)
            assert_string_not_equal(name, gdyn_joint_type_names[other]);
        for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
            if (gdyn_joint_type_in(type, space))
                check_form(type, space);
            else
                assert_memory_equal(&kind->form[space], &absent, sizeof absent);
        assert_true(kind->form[0].rows || kind->form[1].rows);
    }
    assert_null(gdyn_joint_type_names[GDYN_JOINT_TYPES]);
    assert_null(gdyn_joint_kind_of(GDYN_JOINT_TYPES));
}

static void test_drives_and_forces(void **unused) {
    (void)unused;
    for (gdyn_drive_kind kind = 0; kind < GDYN_DRIVE_KINDS; kind++) {
        const gdyn_drive_traits *traits = gdyn_drive_traits_of(kind);
        assert_true(traits->key && fabs(traits->sign) == 1);
        assert_true(!traits->pulls_only || traits->acts == GDYN_ACTS_BETWEEN);
        for (gdyn_drive_kind other = 0; other < kind; other++)
            assert_string_not_equal(traits->key, gdyn_drive_traits_of(other)->key);
    }
    for (gdyn_force_kind kind = 0; kind < GDYN_FORCE_KINDS; kind++) {
        const gdyn_force_traits *traits = gdyn_force_traits_of(kind);
        assert_non_null(gdyn_force_kind_names[kind]);
        assert_true(traits->place != 0 && (traits->may | traits->must) != 0);
        assert_int_equal(traits->may & traits->must, 0);
        assert_false(gdyn_force_takes(kind, GDYN_TAKES_STICTION) &&
                     !gdyn_force_has_dry_friction(kind));
    }
    assert_null(gdyn_force_kind_names[GDYN_FORCE_KINDS]);
    assert_null(gdyn_drive_traits_of(GDYN_DRIVE_KINDS));
    assert_null(gdyn_force_traits_of(GDYN_FORCE_KINDS));
}

/* --- what it carries ------------------------------------------------------------------------- */

static gdyn_model *two_bodies(gdyn_joint_type type, gdyn_space space, int locks) {
    bool planar = space == GDYN_PLANAR;
    gdyn_machine *machine = gdyn_machine_create(space, (const double[3]){0});
    for (int i = 0; i < 2; i++) {
        const double inertia[6] = {0.3, 0.4, 0.5, 0, 0, 0};
        gdyn_body_def def = gdyn_body_default();
        def.name = i ? "b" : "a";
        def.mass = 1;
        memcpy(def.inertia, inertia, sizeof inertia);
        any_vector(&dice, def.position, 1, planar);
        any_vector(&dice, def.cardan, 1, false);
        def.cardan[0] *= !planar;
        def.cardan[1] *= !planar;
        gdyn_machine_add_body(machine, &def);
    }
    gdyn_joint_def def = any_joint(&dice, type, planar, 0, 1, locks);
    gdyn_machine_add_joint(machine, &def);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    return model;
}

/* Weights (rows x 6) of the forces and moments in the joint's axes. */
static void weights_of(const gdyn_state *state, double *weight) {
    const gdyn_model *model = gdyn_state_model(state);
    int rows = model->m + model->h;
    double *C = calloc((size_t)(rows * model->n), sizeof *C);
    gdyn_mech_jacobian(state, C);
    for (int axis = 0; axis < 6; axis++) {
        const gdyn_component component = {"", axis, -1};
        gdyn_component_weights(state, 0, &component, C, weight + axis * rows);
    }
    free(C);
}

static void check_weights(const gdyn_state *state) {
    static const char letters[] = "XYZxyz";
    const gdyn_model *model = gdyn_state_model(state);
    int rows = model->m + model->h;
    char carried[GDYN_CARRIED_MOST + 1];
    double weight[8 * 6];
    assert_true(rows <= 8);
    weights_of(state, weight);
    gdyn_joint_carries(&model->machine->joint[0], model->machine->space, carried);
    for (int axis = 0; axis < 6; axis++) {
        double most = 0;
        for (int i = 0; i < rows; i++)
            most = fmax(most, fabs(weight[i + axis * rows]));
        if (strchr(carried, letters[axis]) ? !(most > 1e-3) : !(most < 1e-9))
            fail_msg("%s: %c has the weight %g",
                     gdyn_joint_type_name(model->machine->joint[0].type), letters[axis], most);
    }
    gdyn_svd *svd = gdyn_svd_create(8, 8);
    assert_int_equal(gdyn_svd_factor(svd, rows, 6, weight, rows, 0), GDYN_OK);
    assert_int_equal(svd->rank.rank, rows);
    gdyn_svd_destroy(svd);
}

/* False: the random guess did not close. */
static bool check_joint(gdyn_joint_type type, gdyn_space space, int locks) {
    gdyn_model *model = two_bodies(type, space, locks);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info), GDYN_OK);
    bool closed = info.outcome == GDYN_CLOSED;
    if (closed)
        check_weights(state);
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
    return closed;
}

static void test_carries(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(3, 1, 4);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
            const gdyn_joint_form *form = gdyn_joint_form_of(type, space);
            if (!form->rows || !gdyn_joint_type_has_points(type))
                continue;
            int first = gdyn_joint_reads(form, GDYN_READS_LOCKS) ? 1 : 63;
            for (int locks = first; locks < 64; locks++)
                for (int tries = 0; !check_joint(type, space, locks); tries++)
                    assert_true(tries < 20);
        }
}

/* Every freedom with a name has a coordinate of the dimension that its name says. */
static void test_freedoms(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(5, 9, 2);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
            gdyn_freedom list[GDYN_FREEDOMS_MOST];
            gdyn_screw screws[GDYN_SCREWS_MOST];
            int count = gdyn_joint_freedoms(type, space, list);
            if (count == 0)
                continue;
            gdyn_model *model = two_bodies(type, space, 63);
            for (int i = 0; i < count; i++) {
                bool ok;
                gdyn_row row = gdyn_row_joint(model, 0, list[i], &ok);
                assert_true(ok);
                assert_int_equal(row.length, gdyn_freedom_slides(list[i]));
                for (int k = 0; k < i; k++)
                    assert_true(list[k] != list[i]);
            }
            assert_true(gdyn_joint_screws(model, 0, screws) >= 1);
            gdyn_model_destroy(model);
        }
}

/* --- the manual ------------------------------------------------------------------------------ */

static void write_row(gdyn_text *out, gdyn_joint_type type, gdyn_space space) {
    const gdyn_joint_form *form = gdyn_joint_form_of(type, space);
    gdyn_joint_def def = gdyn_joint_default();
    def.type = type;
    char carried[GDYN_CARRIED_MOST + 1], cell[80] = "the multiplier";
    int count = gdyn_joint_carries(&def, space, carried), at = 0;
    for (int i = 0; i < count; i++)
        at += snprintf(cell + at, sizeof cell - (size_t)at, "%s`%c%c`", i ? " " : "",
                       strchr("XYZ", carried[i]) ? 'f' : 'm', carried[i] | 32);
    if (gdyn_joint_reads(form, GDYN_READS_LOCKS))
        snprintf(cell, sizeof cell, "those of its locks");
    gdyn_text_printf(out, "| `%s` | %s | %s | %s |\n", gdyn_joint_type_name(type),
                     space == GDYN_PLANAR ? "planar" : "spatial",
                     gdyn_joint_axes_words(form->axes, space), cell);
}

static void test_manual(void **unused) {
    (void)unused;
    gdyn_text table = {0};
    gdyn_text_printf(&table, "| joint | space | axes | carries |\n|---|---|---|---|\n");
    for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++)
        for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
            if (gdyn_joint_type_in(type, space))
                write_row(&table, type, space);
    char *manual = calloc(1, 200000);
    FILE *file = fopen(GDYN_SOURCE_DIR "/docs/reactions.md", "rb");
    assert_true(file && fread(manual, 1, 199999, file) > 0);
    fclose(file);
    if (!strstr(manual, table.data)) {
        FILE *out = fopen(GDYN_BINARY_DIR "/reactions-joints.md", "wb");
        if (out) {
            fputs(table.data, out);
            fclose(out);
        }
        fail_msg("docs/reactions.md lacks the table in %s", GDYN_BINARY_DIR "/reactions-joints.md");
    }
    free(manual);
    gdyn_text_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns), cmocka_unit_test(test_drives_and_forces),
        cmocka_unit_test(test_carries), cmocka_unit_test(test_freedoms),
        cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
