/* Paths: exact derivatives of all kinds, arc length, closed paths, diagnostics. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "closure/target.h"
#include "closure_machines.h"

#include "base/memory.h"
#include "path/kinds.h"

#include <float.h>

static gdyn_model *planar_model, *spatial_model;

static int setup(void **context) {
    (void)context;
    planar_model = star(1, false);
    spatial_model = six_ups(1);
    return planar_model && spatial_model ? 0 : -1;
}

static int teardown(void **context) {
    (void)context;
    gdyn_model_destroy(planar_model);
    gdyn_model_destroy(spatial_model);
    return 0;
}

static gdyn_path *make(const gdyn_model *model, const gdyn_path_def *def) {
    gdyn_sink sink = {print_diag, NULL};
    gdyn_path *path = NULL;
    assert_int_equal(gdyn_path_create(model, def, &sink, &path), GDYN_OK);
    return path;
}

/* R' and R'' against differences of R and R' over h: truncation about h^2 times a fourth derivative
 * (here below `rough`), rounding eps |R| / h. ORIENT rows: w against log(R(p+h) R(p-h)^T) / 2h. */
static void check_derivatives(const gdyn_path *path, double p, double rough) {
    double h = 1e-4 * (gdyn_path_definition(path)->p_end - gdyn_path_definition(path)->p_start);
    double tolerance = rough * h * h + 1e-15 / h * 10 + 1e-12;
    gdyn_target at[30], before[30], after[30];
    assert_true(gdyn_path_targets(path) <= 30);
    gdyn_path_evaluate(path, p, at);
    gdyn_path_evaluate(path, p - h, before);
    gdyn_path_evaluate(path, p + h, after);
    for (int i = 0; i < gdyn_path_targets(path); i++) {
        double first = (after[i].target[0] - before[i].target[0]) / (2 * h);
        double second = (after[i].target[1] - before[i].target[1]) / (2 * h);
        if (at[i].row.kind == GDYN_ROW_ORIENT) {
            double B[9], R[9], w[3];
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    B[c + 3 * r] = before[i].row.frame[r + 3 * c];
            gdyn_m3_multiply(R, after[i].row.frame, B);
            gdyn_rotation_log(R, w);
            first = w[at[i].row.axis] / (2 * h);
        }
        assert_true(fabs(first - at[i].target[1]) <= tolerance);
        assert_true(fabs(second - at[i].target[2]) <= tolerance);
    }
}

static void formulas(void **context) {
    (void)context;
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_expr *x = formula("0.12*cos(p)"), *y = formula("0.12*sin(p)"), *c = formula("0.1*p^2");
    tool.coordinate[GDYN_PATH_X] = x;
    tool.coordinate[GDYN_PATH_Y] = y;
    tool.coordinate[GDYN_PATH_C] = c;
    gdyn_path_def def = gdyn_path_default();
    def.tools = 1;
    def.tool = &tool;
    def.p_end = 2 * PI;
    def.points = 11;
    gdyn_path *path = make(planar_model, &def);
    gdyn_target target[3];
    assert_int_equal(gdyn_path_targets(path), 3);
    assert_int_equal(gdyn_path_points(path), 11);
    assert_true(gdyn_path_p(path, 0) == 0 && gdyn_path_p(path, 10) == def.p_end);
    assert_false(gdyn_path_closed(path));
    gdyn_path_evaluate(path, 2.385, target);
    assert_true(fabs(target[0].target[2] + 0.12 * cos(2.385)) < 1e-15);
    assert_true(fabs(target[2].target[1] - 0.2 * 2.385) < 1e-15);
    check_derivatives(path, 2.385, 1);
    gdyn_path_destroy(path);
    gdyn_expr_destroy(c);
    /* An angle that gains whole turns closes as well. */
    c = formula("2*p");
    tool.coordinate[GDYN_PATH_C] = c;
    path = make(planar_model, &def);
    assert_true(gdyn_path_closed(path));
    gdyn_path_destroy(path);
    gdyn_expr_destroy(x);
    gdyn_expr_destroy(y);
    gdyn_expr_destroy(c);
}

static void orientation(void **context) {
    (void)context;
    gdyn_path_tool tool = {.of = {0, {0.1, 0, 0}}};
    gdyn_expr *list[6] = {formula("0.1*p"),        formula("0.2*sin(p)"), formula("1-0.1*p^2"),
                          formula("0.7*sin(2*p)"), formula("0.4*p^2"),    formula("1.1*cos(p)")};
    for (int i = 0; i < 6; i++)
        tool.coordinate[i] = list[i];
    gdyn_path_def def = gdyn_path_default();
    def.tools = 1;
    def.tool = &tool;
    gdyn_path *path = make(spatial_model, &def);
    assert_int_equal(gdyn_path_targets(path), 6);
    for (double p = 0.05; p < 1; p += 0.173)
        check_derivatives(path, p, 20);
    gdyn_path_destroy(path);
    for (int i = 0; i < 6; i++)
        gdyn_expr_destroy(list[i]);
}

/* Unit speed, x'' perpendicular to x', and the curve's own geometry. */
static void check_unit_speed(const gdyn_path *path, double p, int dimension) {
    gdyn_target target[6];
    double speed = 0, mixed = 0;
    gdyn_path_evaluate(path, p, target);
    for (int i = 0; i < dimension; i++) {
        speed += target[i].target[1] * target[i].target[1];
        mixed += target[i].target[1] * target[i].target[2];
    }
    assert_true(fabs(speed - 1) <= 1e-12);
    assert_true(fabs(mixed) <= 1e-10);
}

/* Every row of the table of kinds is whole, and its path has exact derivatives, unit speed where the arc is p. */
static void every_kind(void **context) {
    (void)context;
    const double through[4][3] = {{0, 0, 0}, {0.3, 0.1, 0}, {0.5, 0.6, 0}, {0.1, 0.8, 0}};
    double table[4 * GDYN_PATH_COORDINATES];
    for (int i = 0; i < 4 * GDYN_PATH_COORDINATES; i++)
        table[i] = i % GDYN_PATH_COORDINATES < 2
                       ? through[i / GDYN_PATH_COORDINATES][i % GDYN_PATH_COORDINATES]
                       : NAN;
    gdyn_expr *x = formula("0.3*p + 0.1*p^2");
    for (gdyn_path_kind kind = 0; kind < GDYN_PATH_KINDS; kind++) {
        const gdyn_path_kind_row *row = gdyn_path_kind_of(kind);
        assert_true(strlen(row->about) > 0 && (row->must | row->may) != 0);
        assert_int_equal(row->must & row->may, 0);
        assert_true(gdyn_path_reads(kind, GDYN_PATH_READS_PATH | GDYN_PATH_READS_TABLE) ==
                    !row->curve);
        for (gdyn_path_kind other = 0; other < kind; other++)
            assert_string_not_equal(gdyn_path_kind_names[kind], gdyn_path_kind_names[other]);
        gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
        tool.coordinate[GDYN_PATH_X] = gdyn_path_reads(kind, GDYN_PATH_READS_PATH) ? x : NULL;
        gdyn_path_def def = gdyn_path_default();
        def.kind = kind;
        def.tools = 1;
        def.tool = &tool;
        def.radius = 0.4;
        def.start = 0.2;
        def.end = 2.3;
        def.count = gdyn_path_reads(kind, GDYN_PATH_READS_FROM) ? 2 : 4;
        def.through = through;
        def.table = table;
        gdyn_path *path = make(planar_model, &def);
        const gdyn_path_def *made = gdyn_path_definition(path);
        for (int i = 0; i < 7; i++) {
            double p = made->p_start + (made->p_end - made->p_start) * (0.071 + 0.137 * i);
            check_derivatives(path, p, 2000);
            if (row->curve)
                check_unit_speed(path, p, 2);
        }
        gdyn_path_destroy(path);
    }
    assert_null(gdyn_path_kind_names[GDYN_PATH_KINDS]);
    assert_null(gdyn_path_kind_of(GDYN_PATH_KINDS));
    gdyn_expr_destroy(x);
}

static void circles_and_arcs(void **context) {
    (void)context;
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_CIRCLE;
    def.tools = 1;
    def.tool = &tool;
    def.radius = 0.08;
    def.centre[0] = 0.06;
    def.centre[1] = 0.04;
    gdyn_path *path = make(planar_model, &def);
    gdyn_target target[3];
    assert_true(fabs(gdyn_path_definition(path)->p_end - 2 * PI * 0.08) < 1e-15);
    assert_true(gdyn_path_closed(path));
    gdyn_path_evaluate(path, 0.08 * 0.7, target);
    assert_true(fabs(target[0].target[0] - (0.06 + 0.08 * cos(0.7))) < 1e-15);
    assert_true(fabs(target[1].target[0] - (0.04 + 0.08 * sin(0.7))) < 1e-15);
    assert_true(fabs(target[0].target[2] + cos(0.7) / 0.08) < 1e-12);
    check_unit_speed(path, 0.123, 2);
    gdyn_path_destroy(path);
    /* Given p: the angle's range; an arc backwards, in a tilted plane. */
    def.p_given = true;
    def.p_end = 2 * PI;
    path = make(planar_model, &def);
    gdyn_path_evaluate(path, 1.3, target);
    assert_true(fabs(target[1].target[1] - 0.08 * cos(1.3)) < 1e-15);
    gdyn_path_destroy(path);
    def.kind = GDYN_PATH_ARC;
    def.p_given = false;
    def.start = 1;
    def.end = -0.5;
    v3_set(def.normal, 0.3, -0.4, 0.7);
    path = make(spatial_model, &def);
    assert_false(gdyn_path_closed(path));
    assert_true(fabs(gdyn_path_definition(path)->p_end - 1.5 * 0.08) < 1e-15);
    for (double p = 0.01; p < 0.11; p += 0.0173) {
        double distance = 0, height = 0;
        gdyn_path_evaluate(path, p, target);
        for (int i = 0; i < 3; i++) {
            distance = hypot(distance, target[i].target[0] - def.centre[i]);
            height += (target[i].target[0] - def.centre[i]) * def.normal[i];
        }
        assert_true(fabs(distance - 0.08) < 1e-15 && fabs(height) < 1e-15);
        check_unit_speed(path, p, 3);
        check_derivatives(path, p, 1e5);
    }
    gdyn_path_destroy(path);
}

static void lines_and_corners(void **context) {
    (void)context;
    static const double points[][3] = {{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.4, 0}, {0, 0, 0}};
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_POLYLINE;
    def.tools = 1;
    def.tool = &tool;
    def.count = 4;
    def.through = points;
    gdyn_path *path = make(planar_model, &def);
    gdyn_target target[2];
    assert_true(fabs(gdyn_path_definition(path)->p_end - 1.2) < 1e-15);
    assert_true(gdyn_path_closed(path));
    gdyn_path_evaluate(path, 0.3, target); /* the corner: the piece that begins */
    assert_true(fabs(target[0].target[1]) < 1e-15 && fabs(target[1].target[1] - 1) < 1e-15);
    gdyn_path_evaluate(path, 0.29, target);
    assert_true(fabs(target[0].target[1] - 1) < 1e-15 && target[0].target[2] == 0);
    gdyn_path_evaluate(path, 1.2, target);
    assert_true(fabs(target[0].target[0]) < 1e-15 && fabs(target[0].target[1] + 0.6) < 1e-15);
    gdyn_path_destroy(path);
    static const double at[4] = {-1, 0, 2, 2.5};
    def.through_p = at;
    path = make(planar_model, &def);
    assert_true(gdyn_path_p(path, 0) == -1 && gdyn_path_definition(path)->p_end == 2.5);
    gdyn_path_evaluate(path, 0.5, target);
    assert_true(fabs(target[0].target[0] - 0.3) < 1e-15 && target[0].target[1] == 0);
    assert_true(fabs(target[1].target[0] - 0.1) < 1e-15);
    assert_true(fabs(target[1].target[1] - 0.2) < 1e-15);
    gdyn_path_destroy(path);
    def.through_p = NULL;
    def.kind = GDYN_PATH_LINE;
    def.count = 2;
    path = make(planar_model, &def);
    check_derivatives(path, 0.1, 1);
    gdyn_path_destroy(path);
}

/* Through 40 points of a circle the periodic spline is a circle but for O(spacing^4); its own
 * length is known by fine summation. Unit speed and derivatives are exact for the spline itself. */
static void splines_by_arc_length(void **context) {
    (void)context;
    enum { N = 41 };
    double points[N][3] = {{0}};
    for (int i = 0; i < N; i++)
        v3_set(points[i], 0.2 * cos(2 * PI * i / (N - 1)), 0.2 * sin(2 * PI * i / (N - 1)), 0);
    v3_copy(points[N - 1], points[0]);
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_SPLINE;
    def.tools = 1;
    def.tool = &tool;
    def.count = N;
    def.through = (const double(*)[3])points;
    gdyn_path *path = make(planar_model, &def);
    assert_true(gdyn_path_closed(path));
    double length = gdyn_path_definition(path)->p_end;
    /* Spline error of position h^4/384 max|x''''|: with h = 0.157 rad about 1.6e-6 relative. */
    assert_true(fabs(length - 0.4 * PI) < 0.4 * PI * 2e-6);
    gdyn_target target[2], other[2];
    for (double p = 0.003; p < length; p += 0.0737) {
        gdyn_path_evaluate(path, p, target);
        assert_true(fabs(hypot(target[0].target[0], target[1].target[0]) - 0.2) < 1e-6);
        check_unit_speed(path, p, 2);
        check_derivatives(path, p, 1e4);
    }
    /* Second derivative continuous where the ends meet. */
    gdyn_path_evaluate(path, 0, target);
    gdyn_path_evaluate(path, length, other);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(target[i].target[k] - other[i].target[k]) < 1e-9);
    gdyn_path_destroy(path);
    /* Arc length against a sum of 2e5 chords (relative error of chords 1e-11). */
    static const double uneven[][3] = {
        {0, 0, 0}, {0.1, 0.05, 0.2}, {0.15, 0.05, 0.1}, {0.5, -0.2, 0.1}, {0.6, 0.3, 0}};
    def.count = 5;
    def.through = uneven;
    path = make(spatial_model, &def);
    length = gdyn_path_definition(path)->p_end;
    double sum = 0, last[3], x[3];
    gdyn_target at[3];
    for (int i = 0; i <= 20000; i++) {
        gdyn_path_evaluate(path, length * i / 20000, at);
        v3_set(x, at[0].target[0], at[1].target[0], at[2].target[0]);
        if (i > 0) {
            v3_sub(last, last, x);
            sum += v3_norm(last);
        }
        v3_copy(last, x);
    }
    assert_true(fabs(sum - length) < 1e-6 * length);
    for (int i = 0; i < 5; i++) { /* the ends and the points are on the curve */
        double nearest = 1;
        for (int k = 0; k <= 2000; k++) {
            gdyn_path_evaluate(path, length * k / 2000, at);
            v3_set(x, at[0].target[0], at[1].target[0], at[2].target[0]);
            v3_sub(x, x, uneven[i]);
            nearest = fmin(nearest, v3_norm(x));
        }
        assert_true(nearest < length / 2000);
    }
    gdyn_path_destroy(path);
}

static void tables(void **context) {
    (void)context;
    enum { N = 21 };
    double p[N], table[N][GDYN_PATH_COORDINATES];
    for (int i = 0; i < N; i++) {
        p[i] = 0.1 * i;
        for (int j = 0; j < GDYN_PATH_COORDINATES; j++)
            table[i][j] = NAN;
        table[i][GDYN_PATH_X] = 0.1 * p[i];
        table[i][GDYN_PATH_C] = sin(p[i]);
    }
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_FILE;
    def.tools = 1;
    def.tool = &tool;
    def.count = N;
    def.through_p = p;
    def.table = table[0];
    gdyn_path *path = make(planar_model, &def);
    assert_int_equal(gdyn_path_targets(path), 2);
    assert_true(gdyn_path_definition(path)->p_end == p[N - 1]);
    gdyn_target target[2];
    gdyn_path_evaluate(path, 1.03, target);
    assert_true(fabs(target[0].target[0] - 0.103) < 1e-14);
    assert_true(fabs(target[1].target[0] - sin(1.03)) < 1e-6); /* h^4 / 384 */
    check_derivatives(path, 1.03, 10);
    gdyn_path_destroy(path);
    for (int i = 0; i < N; i++)
        for (int j = GDYN_PATH_A; j <= GDYN_PATH_C; j++)
            table[i][j] = 0.1 * j * p[i];
    path = make(spatial_model, &def);
    assert_int_equal(gdyn_path_targets(path), 4);
    check_derivatives(path, 1.03, 10);
    gdyn_path_destroy(path);
}

typedef struct expected {
    int count;
    const char *path, *message;
    bool seen;
} expected;

static void remember(void *context, const gdyn_diag *diag) {
    expected *e = context;
    e->count++;
    if (strcmp(diag->path, e->path) == 0 && strstr(diag->message, e->message))
        e->seen = true;
}

static void refuse(const gdyn_model *model, const gdyn_path_def *def, const char *where,
                   const char *message) {
    expected e = {0, where, message, false};
    gdyn_sink sink = {remember, &e};
    gdyn_path *path;
    assert_int_equal(gdyn_path_create(model, def, &sink, &path), GDYN_ERROR_INPUT);
    assert_null(path);
    if (!e.seen)
        printf("expected at %s: %s\n", where, message);
    assert_true(e.seen);
    assert_int_equal(gdyn_path_create(model, def, NULL, &path), GDYN_ERROR_INPUT);
}

static void bad_definitions(void **context) {
    (void)context;
    gdyn_expr *one = formula("1"), *pole = formula("1/(p-0.5)"), *root = formula("sqrt(p)"),
              *late = formula("sqrt(2-p)");
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_joint joint = {.joint = 0, .value = one};
    gdyn_path_def def = gdyn_path_default(), curve;
    def.name = "t";
    refuse(planar_model, &def, "trajectories.t", "moves nothing");
    def.tools = 1;
    def.tool = &tool;
    refuse(planar_model, &def, "trajectories.t.path", "nothing is prescribed");
    tool.coordinate[GDYN_PATH_Z] = one;
    refuse(planar_model, &def, "trajectories.t.path.z", "planar");
    tool.coordinate[GDYN_PATH_Z] = NULL;
    tool.coordinate[GDYN_PATH_X] = pole;
    refuse(planar_model, &def, "trajectories.t.path.x", "p = 0.5");
    tool.coordinate[GDYN_PATH_X] = root; /* its derivative */
    refuse(planar_model, &def, "trajectories.t.path.x", "p = 0");
    tool.coordinate[GDYN_PATH_X] = one;
    tool.coordinate[GDYN_PATH_A] = one;
    refuse(spatial_model, &def, "trajectories.t.path.cardan", "three angles");
    tool.coordinate[GDYN_PATH_A] = NULL;
    def.points = 1;
    refuse(planar_model, &def, "trajectories.t.points", "2 points");
    def.points = 5;
    def.p_end = -1;
    refuse(planar_model, &def, "trajectories.t.p", "p runs");
    def.p_end = 1;
    tool.of.body = GDYN_GROUND;
    refuse(planar_model, &def, "trajectories.t.of", "ground");
    tool.of.body = 99;
    refuse(planar_model, &def, "trajectories.t.of", "no body");
    tool.of.body = 0;
    def.joints = 1;
    def.joint = &joint;
    joint.joint = 1; /* low1 is a revolute; a slide does not exist there */
    joint.freedom = GDYN_FREEDOM_SLIDE;
    refuse(planar_model, &def, "trajectories.t.joints.low1", "no such freedom");
    joint.joint = -3;
    refuse(planar_model, &def, "trajectories.t.joints", "no joint");
    def.joints = 0;
    curve = def;
    curve.kind = GDYN_PATH_CIRCLE;
    refuse(planar_model, &curve, "trajectories.t.path.x", "already");
    tool.coordinate[GDYN_PATH_X] = NULL;
    refuse(planar_model, &curve, "trajectories.t.radius", "positive");
    curve.radius = 1;
    tool.coordinate[GDYN_PATH_C] = late; /* beyond 0..1, where arc length goes to 2 pi */
    refuse(planar_model, &curve, "trajectories.t", "not finite at p = 3.14159");
    tool.coordinate[GDYN_PATH_C] = NULL;
    curve.normal[0] = 1;
    refuse(planar_model, &curve, "trajectories.t.normal", "plane");
    v3_set(curve.normal, 0, 0, 0);
    refuse(planar_model, &curve, "trajectories.t.normal", "direction");
    curve.kind = GDYN_PATH_ARC;
    curve.normal[2] = 1;
    refuse(planar_model, &curve, "trajectories.t.end", "no length");
    curve.kind = GDYN_PATH_POLYLINE;
    refuse(planar_model, &curve, "trajectories.t.through", "2 points");
    static const double same[][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 1}};
    curve.count = 3;
    curve.through = same;
    refuse(spatial_model, &curve, "trajectories.t.through", "coincide");
    refuse(planar_model, &curve, "trajectories.t.through", "[x, y]");
    static const double back[] = {0, 2, 1};
    curve.through_p = back;
    refuse(spatial_model, &curve, "trajectories.t.p", "increase");
    curve.kind = GDYN_PATH_FILE;
    double table[3][6] = {{0, NAN, NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN, NAN, NAN}};
    for (int i = 0; i < 6; i++)
        table[2][i] = NAN;
    curve.table = table[0];
    refuse(planar_model, &curve, "trajectories.t.file", "1 of 3");
    curve.tools = 0;
    refuse(planar_model, &curve, "trajectories.t.of", "moves no point");
    double weights[27] = {0};
    def.weights = weights;
    refuse(planar_model, &def, "trajectories.t.weights", "positive");
    gdyn_expr_destroy(one);
    gdyn_expr_destroy(pole);
    gdyn_expr_destroy(root);
    gdyn_expr_destroy(late);
}

static void survives_lack_of_memory(void **context) {
    (void)context;
    static const double points[][3] = {{0, 0, 0}, {0.1, 0.05, 0}, {0.15, 0.05, 0}, {0.2, 0, 0}};
    gdyn_path_tool tool = {.of = {0, {0, 0, 0}}};
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_SPLINE;
    def.tools = 1;
    def.tool = &tool;
    def.count = 4;
    def.through = points;
    def.points = 3;
    for (long n = 0;; n++) {
        gdyn_path *path;
        gdyn_alloc_fail_after(n);
        gdyn_status status = gdyn_path_create(planar_model, &def, NULL, &path);
        gdyn_track *track = path ? gdyn_track_create(planar_model, path) : NULL;
        gdyn_alloc_fail_after(-1);
        assert_true(status == GDYN_OK || (status == GDYN_ERROR_MEMORY && !path));
        gdyn_path_destroy(path);
        gdyn_track_destroy(track);
        if (track)
            break;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(formulas),
        cmocka_unit_test(orientation),
        cmocka_unit_test(circles_and_arcs),
        cmocka_unit_test(lines_and_corners),
        cmocka_unit_test(splines_by_arc_length),
        cmocka_unit_test(tables),
        cmocka_unit_test(bad_definitions),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
