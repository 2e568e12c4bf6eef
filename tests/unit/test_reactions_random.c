/* A thousand random overconstrained machines whose answers are known by construction, and changes of
 * description that must not change any verdict. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "reactions/proposals.h"
#include "reactions/reactions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 1000, CHAIN_MOST = 4, JOINTS_MOST = 3 * CHAIN_MOST };

typedef gdyn_random dice;

static double roll(dice *d, double low, double high) {
    return gdyn_random_between(d, low, high);
}

/* How a machine is described; none of this may change a verdict. */
typedef struct description {
    double unit;        /* lengths in 1/unit metres */
    bool reverse, swap; /* joints listed in reverse order; bodies of every joint exchanged */
    double turn;        /* body frames turned about z and moved by this much */
} description;

/* --- the generator -----------------------------------------------------------------------------
 * An open chain of bodies in space, each hung on the one before by a joint of random sort and place: its
 * rows are independent. To some links the same sort of joint is added again on the same axis, at another
 * place along it. Then:
 *   a second hinge on the axis repeats all five rows: redundancy 5, both hinges indeterminate in every
 *     component (forces are traded with moments over the lever);
 *   a second ball on the line of the first leaves the turn about the line: 3 + 3 rows of rank 5,
 *     redundancy 1, only the pull along the line between the balls is open;
 *   a second plate (planar joint) on the same plane: redundancy 3, all open;
 *   a second slider on the same line: redundancy 5, all open.
 * Links that carry one joint are known entirely. */

typedef enum sort { HINGE, BALLS, PLATE, SLIDER, SORTS } sort;

typedef struct machine {
    int links, joints, redundancy;
    gdyn_model *model;
    int link_of[JOINTS_MOST], doubled[CHAIN_MOST];
    sort sort_of[CHAIN_MOST];
    char name[JOINTS_MOST][32];
} machine;

static const gdyn_joint_type types[SORTS] = {GDYN_REVOLUTE, GDYN_SPHERICAL, GDYN_PLANAR_JOINT,
                                             GDYN_PRISMATIC};
static const int repeats[SORTS] = {5, 1, 3, 5};

static void direction(dice *d, double out[3]) {
    double z = roll(d, -1, 1), a = roll(d, -3, 3), s = sqrt(1 - z * z);
    out[0] = s * cos(a), out[1] = s * sin(a), out[2] = z;
}

/* A ground vector in the frame of a body turned by `turn` about z. */
static void into_frame(double turn, const double v[3], double out[3]) {
    out[0] = cos(turn) * v[0] + sin(turn) * v[1];
    out[1] = cos(turn) * v[1] - sin(turn) * v[0];
    out[2] = v[2];
}

static gdyn_anchor anchor_at(const description *how, int body, const double x[3]) {
    double turn = body == GDYN_GROUND ? 0 : how->turn;
    double y[3] = {x[0] - turn, x[1] + turn, x[2] - 0.5 * turn};
    gdyn_anchor anchor = {.body = body};
    into_frame(turn, y, anchor.at);
    for (int i = 0; i < 3; i++)
        anchor.at[i] *= how->unit;
    return anchor;
}

static void add_joint(gdyn_machine *out, const machine *m, const description *how, int link,
                      const char *name, const double x[3], const double axis[3]) {
    gdyn_joint_def def = gdyn_joint_default();
    int a = how->swap ? link - 1 : link, b = how->swap ? link : link - 1;
    def.name = name;
    def.type = types[m->sort_of[link]];
    def.a = anchor_at(how, a, x);
    def.b = anchor_at(how, b, x);
    into_frame(a == GDYN_GROUND ? 0 : how->turn, axis, def.axis_a);
    into_frame(b == GDYN_GROUND ? 0 : how->turn, axis, def.axis_b);
    memcpy(def.normal, def.axis_b, sizeof def.normal);
    assert_true(gdyn_machine_add_joint(out, &def) >= 0);
}

static void add_bodies(gdyn_machine *out, const machine *m, const description *how) {
    for (int i = 0; i < m->links; i++) {
        gdyn_body_def def = gdyn_body_default();
        char name[16];
        snprintf(name, sizeof name, "body%d", i);
        def.name = name;
        def.mass = 1;
        for (int k = 0; k < 3; k++)
            def.inertia[k] = how->unit * how->unit;
        def.position[0] = how->turn * how->unit;
        def.position[1] = -how->turn * how->unit;
        def.position[2] = 0.5 * how->turn * how->unit;
        def.cardan[2] = how->turn;
        assert_true(gdyn_machine_add_body(out, &def) >= 0);
    }
}

static machine make(uint64_t instance, description how) {
    static const double weight[3] = {0, 0, -9.81};
    dice d = gdyn_random_stream(2026, instance, 0);
    machine m = {.links = 1 + (int)roll(&d, 0, CHAIN_MOST - 0.001)};
    double x[JOINTS_MOST][3], axis[JOINTS_MOST][3];
    for (int i = 0; i < m.links; i++) {
        double at[3] = {roll(&d, -1, 1), roll(&d, -1, 1), roll(&d, -1, 1)}, e[3];
        direction(&d, e);
        m.sort_of[i] = (sort)roll(&d, 0, SORTS - 0.001);
        m.doubled[i] = roll(&d, 0, 1) < 0.6;
        for (int k = 0; k <= m.doubled[i]; k++) {
            double along = k ? roll(&d, 0.3, 1) : 0, across[3];
            direction(&d, across);
            double dot = across[0] * e[0] + across[1] * e[1] + across[2] * e[2];
            for (int c = 0; c < 3; c++) {
                /* the second plate touches the same plane, the others the same line */
                double shift = m.sort_of[i] == PLATE ? across[c] - dot * e[c] : e[c];
                x[m.joints][c] = at[c] + along * shift;
                axis[m.joints][c] = e[c];
            }
            snprintf(m.name[m.joints], sizeof m.name[0], "link%d_%d", i, k);
            m.link_of[m.joints++] = i;
        }
        m.redundancy += m.doubled[i] ? repeats[m.sort_of[i]] : 0;
    }
    gdyn_machine *out = gdyn_machine_create(GDYN_SPATIAL, weight);
    assert_non_null(out);
    add_bodies(out, &m, &how);
    for (int j = 0; j < m.joints; j++) {
        int i = how.reverse ? m.joints - 1 - j : j;
        add_joint(out, &m, &how, m.link_of[i], m.name[i], x[i], axis[i]);
    }
    assert_int_equal(gdyn_model_create(out, NULL, &m.model), GDYN_OK);
    gdyn_machine_destroy(out);
    return m;
}

/* --- checks ------------------------------------------------------------------------------------ */

static int find(const gdyn_reactions *r, const char *name) {
    for (int g = 0; g < r->joints; g++)
        if (!strcmp(r->item[g].name, name))
            return g;
    return -1;
}

/* Number of open components a joint of a link must have at least: the force along the line of two
 * balls has up to three parts in the frame of b. */
static void check_joint(const machine *m, const gdyn_reactions *r, int j) {
    int link = m->link_of[j], g = find(r, m->name[j]), open = 0, all = 0;
    bool doubled = m->doubled[link];
    assert_true(g >= 0);
    assert_int_equal(r->item[g].verdict, doubled ? GDYN_INDETERMINATE : GDYN_UNIQUE);
    for (int c = 0; c < r->components; c++)
        if (gdyn_reactions_component(r, c)->group == g) {
            all++;
            open += gdyn_reactions_component(r, c)->verdict == GDYN_INDETERMINATE;
        }
    if (!doubled)
        assert_int_equal(open, 0);
    else if (m->sort_of[link] == BALLS)
        assert_true(open >= 1);
    else if (m->sort_of[link] == PLATE || m->sort_of[link] == HINGE)
        assert_int_equal(open, all);
}

static void check(const machine *m, const description *how, uint64_t instance, double *gap) {
    gdyn_reactions *r = gdyn_reactions_create(m->model);
    gdyn_state *state = gdyn_state_create(m->model);
    assert_true(r && state);
    (void)how;
    assert_int_equal(gdyn_reactions_at(r, state, NULL, 0), GDYN_OK);
    if (r->disagreements || r->redundancy != m->redundancy)
        fail_msg("instance %llu: %d disagreements, redundancy %d instead of %d",
                 (unsigned long long)instance, r->disagreements, r->redundancy, m->redundancy);
    int links = 0, within = 0;
    for (int i = 0; i < m->links; i++)
        links += m->doubled[i];
    for (int s = 0; s < r->subsystems; s++)
        within += r->subsystem[s].redundancy;
    assert_int_equal(within, m->redundancy);
    assert_true(r->subsystems >= links);
    for (int j = 0; j < m->joints; j++)
        check_joint(m, r, j);
    *gap = fmin(*gap, r->gap);
    gdyn_state_destroy(state);
    gdyn_reactions_destroy(r);
}

static void planted_redundancy_is_found(void **state) {
    (void)state;
    const description plain = {.unit = 1};
    double gap = INFINITY;
    for (uint64_t i = 0; i < INSTANCES; i++) {
        machine m = make(i, plain);
        check(&m, &plain, i, &gap);
        gdyn_model_destroy(m.model);
    }
    printf("smallest gap of %d machines: %.2g\n", INSTANCES, gap);
    assert_true(gap > GDYN_GAP_SAFE);
}

/* Millimetres, turned and moved body frames, joints in reverse order, exchanged bodies. */
static void description_does_not_matter(void **state) {
    (void)state;
    const description others[] = {{.unit = 1000},
                                  {.unit = 1, .turn = 0.7},
                                  {.unit = 1, .reverse = true},
                                  {.unit = 1, .swap = true},
                                  {.unit = 1e-3, .reverse = true, .swap = true, .turn = -0.4}};
    double gap = INFINITY;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        for (uint64_t i = 0; i < 60; i++) {
            machine m = make(i, others[k]);
            check(&m, &others[k], i, &gap);
            gdyn_model_destroy(m.model);
        }
    assert_true(gap > GDYN_GAP_SAFE);
}

/* Multiplying equations by numbers between 1e-6 and 1e6 changes no verdict of joints or multipliers:
 * rows are brought to unit length. */
static void row_scale_does_not_matter(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        machine m = make(i, (description){.unit = 1});
        gdyn_state *pose = gdyn_state_create(m.model);
        int rows = gdyn_model_holonomic(m.model), n = gdyn_model_coordinates(m.model);
        double *C = calloc((size_t)(rows * n), sizeof *C);
        int *owner = calloc((size_t)rows, sizeof *owner);
        gdyn_mech_jacobian(pose, C);
        dice d = gdyn_random_stream(2026, 5000 + i, 1);
        for (int k = 0; k < rows; k++) {
            double scale = pow(10, roll(&d, -4, 4));
            owner[k] = gdyn_model_row_joint(m.model, k);
            for (int j = 0; j < n; j++)
                C[k + j * rows] *= scale;
        }
        gdyn_solvability *s = gdyn_solvability_create(rows, n, 0, m.joints);
        assert_int_equal(gdyn_solvability_of_matrices(s, C, NULL, owner), GDYN_OK);
        assert_int_equal(s->redundancy, m.redundancy);
        for (int j = 0; j < m.joints; j++)
            assert_int_equal(s->joint[j],
                             m.doubled[m.link_of[j]] ? GDYN_INDETERMINATE : GDYN_UNIQUE);
        gdyn_solvability_destroy(s);
        free(owner);
        free(C);
        gdyn_state_destroy(pose);
        gdyn_model_destroy(m.model);
    }
}

/* Whatever is proposed is exactly constrained and moves as before: checked here by an analysis of its
 * own. */
static void proposals_do_what_they_say(void **state) {
    (void)state;
    int found = 0;
    for (uint64_t i = 0; i < 60; i++) {
        machine m = make(i, (description){.unit = 1});
        gdyn_state *pose = gdyn_state_create(m.model);
        gdyn_proposals proposals;
        assert_int_equal(gdyn_proposals_find(pose, &proposals), GDYN_OK);
        assert_int_equal(proposals.redundancy, m.redundancy);
        for (int p = 0; p < proposals.count; p++) {
            gdyn_model *changed = gdyn_proposal_model(m.model, proposals.proposal[p].count,
                                                      proposals.proposal[p].change);
            assert_non_null(changed);
            gdyn_reactions *r = gdyn_reactions_create(changed);
            gdyn_state *same = gdyn_state_create(changed);
            assert_int_equal(gdyn_reactions_at(r, same, NULL, 0), GDYN_OK);
            assert_int_equal(r->redundancy, 0);
            assert_int_equal(r->n - r->rank_c.rank, proposals.mobility);
            for (int g = 0; g < r->items; g++)
                assert_int_equal(r->item[g].verdict, GDYN_UNIQUE);
            gdyn_state_destroy(same);
            gdyn_reactions_destroy(r);
            gdyn_model_destroy(changed);
            found++;
        }
        if (m.redundancy > 0)
            assert_true(proposals.count > 0);
        gdyn_proposals_free(&proposals);
        gdyn_state_destroy(pose);
        gdyn_model_destroy(m.model);
    }
    assert_true(found > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_redundancy_is_found),
        cmocka_unit_test(description_does_not_matter),
        cmocka_unit_test(row_scale_does_not_matter),
        cmocka_unit_test(proposals_do_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
