/* Verdicts on reactions from the closing conditions against those of the singular value decompositions, which know nothing of
 * trees: on all cases, and on random machines with loops, joints stated twice, plane loops in space and drives. No
 * verdict, redundancy or rank may differ where both are sure. Each state of self-stress balances itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>

#include "casefile/casefile.h"
#include "near.h"
#include "random_trees.h"
#include "reactions/solvability.h"
#include "tree/tree.h"

/* C^T lambda + T n = 0 for each column, relative to its greatest term. */
static void check_balance(const gdyn_model *model, const gdyn_state *state) {
    int n = gdyn_model_coordinates(model), k = gdyn_model_drives(model);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model), all = rows + k;
    double *C = zeros(rows * n), *T = zeros(n * k), *N = zeros(all * all);
    gdyn_selfstress_work *work = gdyn_selfstress_create(model, k);
    gdyn_selfstress found;
    gdyn_mech_jacobian(state, C);
    gdyn_mech_drives(state, T);
    assert_int_equal(gdyn_selfstress_at(work, state, k, T, N, &found), GDYN_OK);
    for (int c = 0; found.clear && c < found.redundant + found.driven; c++) {
        const double *x = N + (size_t)all * (size_t)c;
        double left = 0, whole = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += C[i + rows * j] * x[i];
                whole = fmax(whole, fabs(C[i + rows * j] * x[i]));
            }
            for (int d = 0; d < k; d++) {
                sum += T[j + n * d] * x[rows + d];
                whole = fmax(whole, fabs(T[j + n * d] * x[rows + d]));
            }
            left = fmax(left, fabs(sum));
        }
        assert_true(left <= 1e-9 * whole || whole == 0);
        for (int d = 0; c < found.redundant && d < k; d++)
            assert_true(x[rows + d] == 0);
    }
    gdyn_selfstress_destroy(work);
    free(C);
    free(T);
    free(N);
}

/* Returns whether the closing conditions decided and the dense way is sure, too. */
static bool compare(const gdyn_model *model, const gdyn_state *state) {
    gdyn_solvability *small = gdyn_solvability_for_model(model);
    gdyn_solvability *dense = gdyn_solvability_for_model(model);
    dense->dense = true;
    assert_int_equal(gdyn_solvability_of_state(small, state), GDYN_OK);
    assert_int_equal(gdyn_solvability_of_state(dense, state), GDYN_OK);
    assert_false(dense->by_closing);
    bool sure = small->by_closing && dense->gap > GDYN_GAP_SAFE;
    if (sure) {
        assert_int_equal(small->redundancy, dense->redundancy);
        assert_int_equal(small->drive_redundancy, dense->drive_redundancy);
        assert_int_equal(small->rank_c.rank, dense->rank_c.rank);
        assert_int_equal(small->rank_ct.rank, dense->rank_ct.rank);
        assert_int_equal(small->indeterminate_joints, dense->indeterminate_joints);
        assert_int_equal(small->dependent_joints, dense->dependent_joints);
        for (int x = 0; x < dense->joints; x++)
            assert_int_equal(small->joint[x], dense->joint[x]);
        for (int i = 0; i < dense->constraints; i++)
            assert_int_equal(small->multiplier[i], dense->multiplier[i]);
    }
    gdyn_solvability_destroy(dense);
    gdyn_solvability_destroy(small);
    check_balance(model, state);
    return sure;
}

/* --- random machines ---------------------------------------------------------------------------- */

static void add_drives(gdyn_machine *machine, int bodies, bool planar, int count) {
    for (int i = 0; i < count; i++) {
        gdyn_drive_def def = gdyn_drive_default();
        char name[16];
        snprintf(name, sizeof name, "d%d", i);
        def.name = name;
        def.kind = GDYN_DRIVE_BETWEEN;
        def.a.body = i % bodies;
        def.b.body = GDYN_GROUND;
        any_vector(&dice, def.a.at, 0.3, planar);
        any_vector(&dice, def.b.at, 2, planar);
        def.min = -1;
        def.max = 1;
        gdyn_machine_add_drive(machine, &def);
    }
}

static int any(int below) {
    return (int)(gdyn_random_between(&dice, 0, 1) * below);
}

/* A random tree with further joints between its bodies and ground, some of them stated twice. */
static gdyn_model *random_machine(gdyn_space space) {
    static const gdyn_joint_type planar_types[] = {GDYN_REVOLUTE, GDYN_SLOT};
    static const gdyn_joint_type spatial_types[] = {GDYN_REVOLUTE, GDYN_CYLINDRICAL, GDYN_UNIVERSAL,
                                                    GDYN_SPHERICAL, GDYN_POINT_ON_LINE};
    bool planar = space == GDYN_PLANAR, flat = !planar && any(3) == 0;
    int bodies = 1 + any(7), extra = any(4);
    placed where[8];
    gdyn_machine *machine = gdyn_machine_create(space, (const double[3]){0, -9.81, 0});
    for (int i = 0; i < bodies; i++) {
        double cardan[3];
        rotation_of(flat ? GDYN_PLANAR : space, cardan, where[i].R);
        any_vector(&dice, where[i].position, 1, planar || flat);
        add_body(machine, i, planar, where[i].position, cardan);
    }
    for (int i = 0; i < bodies + extra; i++) {
        int outer = i < bodies ? i : any(bodies);
        int inner = outer == 0 ? GDYN_GROUND : any(outer + 1) - 1;
        gdyn_joint_type type = flat     ? GDYN_REVOLUTE
                               : planar ? planar_types[any(2)]
                                        : spatial_types[any(5)];
        gdyn_joint_def def = joint_at(type, planar, i, outer, inner, where);
        if (flat) {
            const double z[3] = {0, 0, 1};
            const double ground[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            m3_apply_t(def.axis_a, where[outer].R, z);
            m3_apply_t(def.axis_b, inner < 0 ? ground : where[inner].R, z);
        }
        gdyn_machine_add_joint(machine, &def);
        if (any(8) == 0) {
            char again[16];
            snprintf(again, sizeof again, "again%d", i);
            def.name = again;
            gdyn_machine_add_joint(machine, &def);
        }
    }
    add_drives(machine, bodies, planar, any(5));
    return build(machine);
}

static void test_random_machines(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(12, 3, 1);
    int sure = 0, runs = 400;
    for (int run = 0; run < runs; run++) {
        gdyn_model *model = random_machine(run % 2 ? GDYN_SPATIAL : GDYN_PLANAR);
        gdyn_state *state = gdyn_state_create(model);
        sure += compare(model, state);
        gdyn_state_destroy(state);
        gdyn_model_destroy(model);
    }
    print_message("%d of %d decided\n", sure, runs);
    assert_true(sure > runs / 2);
}

static void test_cases(void **unused) {
    (void)unused;
    glob_t files;
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &files), 0);
    for (size_t c = 0; c < files.gl_pathc; c++) {
        gdyn_case *the_case = NULL;
        gdyn_instance *instance = NULL;
        assert_int_equal(gdyn_case_read(files.gl_pathv[c], NULL, &the_case), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance), GDYN_OK);
        if (instance->model) {
            const gdyn_model *model = instance->model;
            gdyn_state *state = gdyn_state_create(model);
            gdyn_closure *closure = gdyn_closure_create(model, 0);
            gdyn_closure_settings settings = gdyn_closure_default();
            gdyn_closure_info info;
            assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info),
                             GDYN_OK);
            if (info.outcome == GDYN_CLOSED && !compare(model, state))
                print_message("not decided: %s\n", files.gl_pathv[c]);
            gdyn_closure_destroy(closure);
            gdyn_state_destroy(state);
        }
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_machines),
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
