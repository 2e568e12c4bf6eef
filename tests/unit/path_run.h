/* path_run.h - a followed path with everything it needs, for tests. */
#ifndef GDYN_TEST_PATH_RUN_H
#define GDYN_TEST_PATH_RUN_H

#include "closure_machines.h"

#include "base/memory.h"

enum { FORMULAS = 8 };

/* A followed path with everything it needs. */
typedef struct run {
    gdyn_model *model;
    gdyn_expr *expr[FORMULAS];
    int exprs;
    gdyn_path_tool tool;
    gdyn_path_joint joint;
    gdyn_path_def def;
    gdyn_path *path;
    gdyn_track *track;
    gdyn_closure *closure;
} run;

static inline run *begin(gdyn_model *model) {
    assert_non_null(model);
    run *r = gdyn_alloc(1, sizeof *r);
    r->model = model;
    r->def = gdyn_path_default();
    r->def.name = "test";
    return r;
}

static inline const gdyn_expr *text(run *r, const char *formula_text) {
    return r->expr[r->exprs++] = formula(formula_text);
}

static inline void move_tool(run *r, int body, double x, double y, double z,
                             const char *const *texts) {
    r->def.tools = 1;
    r->def.tool = &r->tool;
    r->tool.of.body = body;
    v3_set(r->tool.of.at, x, y, z);
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        if (texts[i])
            r->tool.coordinate[i] = text(r, texts[i]);
}

static inline void move_joint(run *r, const char *name, gdyn_freedom freedom, const char *value) {
    r->def.joints = 1;
    r->def.joint = &r->joint;
    r->joint.joint = gdyn_model_find_joint(r->model, name);
    r->joint.freedom = freedom;
    r->joint.value = text(r, value);
}

static inline void range(run *r, double start, double end, int points) {
    r->def.p_start = start;
    r->def.p_end = end;
    r->def.points = points;
}

static inline const gdyn_track *go(run *r, const gdyn_state *start) {
    gdyn_sink sink = {print_diag, NULL};
    if (!r->path)
        assert_int_equal(gdyn_path_create(r->model, &r->def, &sink, &r->path), GDYN_OK);
    if (!r->track) {
        r->track = gdyn_track_create(r->model, r->path);
        r->closure = gdyn_closure_create(r->model, gdyn_path_targets(r->path));
    }
    assert_int_equal(gdyn_track_follow(r->track, r->path, r->closure, start), GDYN_OK);
    return r->track;
}

static inline void end(run *r) {
    gdyn_track_destroy(r->track);
    gdyn_closure_destroy(r->closure);
    gdyn_path_destroy(r->path);
    gdyn_model_destroy(r->model);
    for (int i = 0; i < r->exprs; i++)
        gdyn_expr_destroy(r->expr[i]);
    gdyn_free(r);
}

static inline void print_track(const gdyn_track *t) {
    for (int i = 0; i < t->points; i++)
        if (t->status[i] != GDYN_POINT_OK)
            printf("%3d p %.4f status %d residual %.2e joint %d misfit %.1e rank %d gap %.1e least "
                   "%.1e\n",
                   i, t->p[i], t->status[i], t->residual[i], t->worst_joint[i], t->rates[i].misfit,
                   t->rates[i].rank.rank, t->rates[i].rank.gap, t->rates[i].rank.above);
}

static inline void assert_all_ok(const gdyn_track *t) {
    if (t->reach != 1)
        print_track(t);
    assert_true(t->reach == 1);
    assert_int_equal(t->first_failure, -1);
    for (int i = 0; i < t->points; i++) {
        assert_true(t->residual[i] <= 1e-13);
        assert_true(t->rates[i].misfit <= 1e-12 && t->rates[i].misfit2 <= 1e-12);
    }
}

/* Displacement per body from pose a to pose b (ground axes). */
static inline void difference(const gdyn_model *model, const gdyn_state *a, const gdyn_state *b,
                              double *du) {
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        double ra[3], rb[3], Ra[9], Rb[9], Rt[9], R[9], w[3];
        gdyn_state_body(a, i, ra, Ra);
        gdyn_state_body(b, i, rb, Rb);
        v3_sub(rb, rb, ra);
        for (int k = 0; k < 9; k++)
            Rt[k] = Ra[k / 3 + 3 * (k % 3)];
        gdyn_m3_multiply(R, Rb, Rt);
        gdyn_rotation_log(R, w);
        if (planar) {
            v3_set(du + 3 * i, rb[0], rb[1], w[2]);
        } else {
            v3_copy(du + 6 * i, rb);
            v3_copy(du + 6 * i + 3, w);
        }
    }
}

/* u_p and u_pp against central differences of neighbouring poses and of u_p. With spacing h the
 * truncation is h^2 / 6 times a third derivative; `third` bounds it. Rounding of poses (1e-13) over
 * h is far below. */
static inline void check_differences(const run *r, double third) {
    const gdyn_track *t = r->track;
    int n = t->n;
    double du[100], worst = 0;
    for (int i = 1; i + 1 < t->points; i++) {
        double h = t->p[i + 1] - t->p[i];
        difference(r->model, t->state[i - 1], t->state[i + 1], du);
        for (int j = 0; j < n; j++) {
            double first = fabs(du[j] / (2 * h) - t->u_p[j + n * i]);
            double second = fabs((t->u_p[j + n * (i + 1)] - t->u_p[j + n * (i - 1)]) / (2 * h) -
                                 t->u_pp[j + n * i]);
            worst = fmax(worst, fmax(first, second) / (h * h));
        }
    }
    if (worst > third)
        printf("third derivative bound needed: %g\n", worst);
    assert_true(worst <= third);
}

#endif
