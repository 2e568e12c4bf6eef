/* Following a path: closed forms, derivatives against differences of the poses that were followed,
 * branches, redundancy of all sorts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "path_run.h"

static void slider_crank_closed_form(void **context) {
    (void)context;
    const double a = 0.3, l = 0.8;
    run *r = begin(slider_crank(a, l, 0.7));
    move_joint(r, "drive", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0.7, 0.7 + 4 * PI, 97);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++) {
        double x[3], R[9], p = t->p[i], s = sin(p), c = cos(p), e = sqrt(l * l - a * a * s * s);
        double e1 = -a * a * s * c / e, e2 = -a * a * (c * c - s * s) / e - e1 * e1 / e;
        gdyn_state_body(t->state[i], 2, x, R);
        assert_true(fabs(x[0] - (a * c + e)) <= 1e-13);
        assert_true(fabs(t->u_p[6 + 9 * i] - (-a * s + e1)) <= 1e-12);
        assert_true(fabs(t->u_pp[6 + 9 * i] - (-a * c + e2)) <= 1e-12);
        /* The crank's angle counts its turns. */
        assert_true(fabs(gdyn_mech_joint_coordinate(t->state[i], 0, GDYN_FREEDOM_DEFAULT) - p) <=
                    1e-12);
    }
    assert_true(t->closed && t->returns);
    end(r);
}

static const char *const star_circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0"};

/* Closed form: every slider runs ahead of its platform point. */
static void check_sliders(const gdyn_track *t, double leg, double tolerance) {
    for (int i = 0; i < t->points; i++) {
        double x = 0.12 * cos(t->p[i]), y = 0.12 * sin(t->p[i]);
        for (int k = 0; k < 4; k++) {
            double c = cos((k + 1) * PI / 2), s = sin((k + 1) * PI / 2);
            double hx = (k == 0 || k == 3) ? 0.06 : -0.06, hy = k < 2 ? 0.06 : -0.06;
            double across = 0.5 - ((x + hx) * c + (y + hy) * s);
            double along = -(x + hx) * s + (y + hy) * c + sqrt(leg * leg - across * across);
            double value = gdyn_mech_joint_coordinate(t->state[i], 3 * k, GDYN_FREEDOM_SLIDE);
            assert_true(fabs(value - along) <= tolerance);
        }
    }
}

static void star_keeps_its_legs(void **context) {
    (void)context;
    run *r = begin(star(1, false));
    move_tool(r, 0, 0, 0, 0, star_circle);
    range(r, 0, 2 * PI, 201);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    assert_true(t->closed && t->returns);
    check_sliders(t, 0.65, 1e-12);
    check_differences(r, 1);
    end(r);
}

/* Legs that are all but stretched four times on the way, where their other pose is some 1e-3 to 1e-5 away: each
 * keeps to its side. A slide is known to the root of what the closing leaves there. */
static void star_beside_dead_centres(void **context) {
    (void)context;
    const double beside[] = {1e-3, 1e-6, 1e-8, 1e-9, 3e-10, 1e-10};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        for (int points = 101; points <= 301; points += 100) {
            run *r = begin(star_with_legs(1, false, 0.56 + beside[i]));
            move_tool(r, 0, 0, 0, 0, star_circle);
            range(r, 0, 2 * PI, points);
            const gdyn_track *t = go(r, NULL);
            assert_true(t->reach == 1);
            assert_true(t->closed && t->returns);
            check_sliders(t, 0.56 + beside[i], 1e-12 + 1e-14 / sqrt(beside[i]));
            end(r);
        }
}

/* The same star in millimetres and with its bodies in the opposite order: the same motion. */
static void star_in_other_words(void **context) {
    (void)context;
    static const char *const millimetres[6] = {"120*cos(p)", "120*sin(p)", NULL,
                                               NULL,         NULL,         "0.2*sin(p)"};
    static const char *const metres[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL,
                                          NULL,          NULL,          "0.2*sin(p)"};
    run *a = begin(star(1, false)), *b = begin(star(1000, true));
    move_tool(a, 0, 0, 0, 0, metres);
    move_tool(b, 8, 0, 0, 0, millimetres);
    range(a, 0, 2 * PI, 41);
    range(b, 0, 2 * PI, 41);
    const gdyn_track *ta = go(a, NULL), *tb = go(b, NULL);
    assert_all_ok(ta);
    assert_all_ok(tb);
    for (int i = 0; i < 41; i++) {
        assert_int_equal(ta->rates[i].rank.rank, tb->rates[i].rank.rank);
        assert_true(fabs(ta->rates[i].rank.above / tb->rates[i].rank.above - 1) <= 1e-9);
        for (int body = 0; body < 9; body++)
            for (int k = 0; k < 3; k++) {
                double unit = k < 2 ? 1000 : 1;
                int ja = k + 3 * body + 27 * i, jb = k + 3 * (8 - body) + 27 * i;
                assert_true(fabs(ta->u_p[ja] * unit - tb->u_p[jb]) <= 1e-10 * unit);
                assert_true(fabs(ta->u_pp[ja] * unit - tb->u_pp[jb]) <= 1e-9 * unit);
            }
    }
    end(a);
    end(b);
}

/* Spatial derivatives; the coupler's idle spin is a kinematic redundancy, so u_p is a minimum-norm
 * choice, its spin is integrated, and u_pp must be the derivative of that choice. (The rocker is near
 * its limit: third derivatives of 30; spacing 5e-4 makes that 8e-6.) */
static void rssr_derivatives(void **context) {
    (void)context;
    run *r = begin(rssr(0.3, 1, 0.6, 1));
    move_joint(r, "O", GDYN_FREEDOM_DEFAULT, "p+0.1*sin(2*p)");
    range(r, 0.6, 1, 801);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->rates[i].freedom, 1);
    check_differences(r, 60);
    end(r);
}

static void six_ups_derivatives(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.1*sin(p)", "0.08*cos(p)", "0.9+0.05*sin(2*p)",
                                         "0.2*sin(p)", "0.15*cos(p)", "0.3*sin(p)"};
    run *r = begin(six_ups(1));
    move_tool(r, 0, 0.05, 0, -0.1, texts);
    range(r, 0, 2 * PI, 101);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    assert_true(t->closed && t->returns);
    check_differences(r, 3);
    end(r);
}

/* Three-link arm with only x, y of its tip prescribed. */
static void redundant_arm(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.9+0.2*cos(p)", "0.5+0.2*sin(p)"};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int before = GDYN_GROUND;
    static const double angle[3] = {1.2, 0.3, -0.6};
    double x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "link%d", i);
        int link = add_body(machine, name, x, y, 0, 0, 0, angle[i]);
        snprintf(name, sizeof name, "joint%d", i);
        add_joint(machine, name, GDYN_REVOLUTE, link, P3(0, 0, 0), before, P3(i ? 0.5 : 0, 0, 0),
                  NULL, NULL);
        before = link;
        x += 0.5 * cos(angle[i]);
        y += 0.5 * sin(angle[i]);
    }
    run *r = begin(finish(machine));
    double weights[9] = {1, 1, 5, 1, 1, 0.3, 2, 1, 1};
    move_tool(r, 2, 0.5, 0, 0, texts);
    r->def.weights = weights;
    range(r, 0, 2 * PI, 401);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->rates[i].freedom, 1);
    check_differences(r, 3);
    /* The other points of the path see the same curve: half as many give the same poses. */
    double z[9], other[9];
    gdyn_state_z(t->state[400], z);
    r->def.points = 101;
    gdyn_path *path = r->path;
    gdyn_track *track = r->track;
    gdyn_closure *closure = r->closure;
    r->path = NULL;
    r->track = NULL;
    gdyn_state_z(go(r, NULL)->state[100], other);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(z[i] - other[i]) <= 1e-7);
    gdyn_path_destroy(path);
    gdyn_track_destroy(track);
    gdyn_closure_destroy(closure);
    end(r);
}

static void redundant_parallelogram(void **context) {
    (void)context;
    run *r = begin(parallelogram(0.5, 4, 0.9));
    move_joint(r, "low0", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0.5, 2.6, 50);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++) {
        double x[3], R[9], p = t->p[i];
        gdyn_state_body(t->state[i], 0, x, R);
        assert_true(fabs(x[0] - 0.5 * cos(p)) <= 1e-13 && fabs(x[1] - 0.5 * sin(p)) <= 1e-13);
        assert_int_equal(t->rates[i].rank.rank, 15);
        assert_true(t->rates[i].rank.gap > 1e6);
    }
    check_differences(r, 1);
    end(r);
}

/* Two-link arm: the elbow stays on the guess's side, whichever it is, also from a guess far away. */
static void guess_chooses_the_branch(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.5+0.1*p", "0.3"};
    for (int side = -1; side <= 1; side += 2) {
        gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
        int upper = add_body(machine, "upper", 0.1, 0, 0, 0, 0, -0.3);
        int lower = add_body(machine, "lower", 0.6, -0.2, 0, 0, 0, -0.3 + side * 0.9);
        add_joint(machine, "shoulder", GDYN_REVOLUTE, upper, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0),
                  NULL, NULL);
        add_joint(machine, "elbow", GDYN_REVOLUTE, lower, P3(0, 0, 0), upper, P3(0.6, 0, 0), NULL,
                  NULL);
        run *r = begin(finish(machine));
        move_tool(r, lower, 0.5, 0, 0, texts);
        range(r, 0, 1, 21);
        const gdyn_track *t = go(r, NULL);
        assert_all_ok(t);
        for (int i = 0; i < t->points; i++) {
            double x = 0.5 + 0.1 * t->p[i], y = 0.3;
            double c = (x * x + y * y - 0.36 - 0.25) / (2 * 0.6 * 0.5);
            double elbow = gdyn_mech_joint_coordinate(t->state[i], 1, GDYN_FREEDOM_DEFAULT);
            assert_true(fabs(elbow - side * acos(c)) <= 1e-12);
        }
        end(r);
    }
}

/* A sled with a knife edge at the tail, pulled at its nose along the x axis: the tractrix,
 * tan(a/2) = tan(a0/2) exp(-p / l) for the angle a of the sled against the pulling direction. */
static void knife_edge_tractrix(void **context) {
    (void)context;
    static const char *const texts[6] = {"p", "0"};
    const double l = 0.7;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int sled = add_body(machine, "sled", -l * cos(1.3), -l * sin(1.3), 0, 0, 0, 1.3);
    gdyn_joint_def def = gdyn_joint_default();
    def.name = "edge";
    def.type = GDYN_KNIFE_EDGE;
    def.a.body = sled;
    def.b.body = GDYN_GROUND;
    v3_set(def.normal, 0, 1, 0);
    gdyn_machine_add_joint(machine, &def);
    run *r = begin(finish(machine));
    move_tool(r, sled, l, 0, 0, texts);
    range(r, 0, 2, 401);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++) {
        double z[3], a = 2 * atan(tan(0.65) * exp(-t->p[i] / l));
        gdyn_state_z(t->state[i], z);
        /* About 80 steps of 0.025: errors near 0.025^5 / 120 each. */
        assert_true(fabs(z[2] - a) <= 1e-8);
        assert_true(fabs(t->u_p[2 + 3 * i] + sin(a) / l) <= 1e-7);
        assert_true(fabs(t->u_pp[2 + 3 * i] - sin(a) * cos(a) / (l * l)) <= 1e-7);
    }
    check_differences(r, 3);
    end(r);
}

/* The same sled with an arm at its nose, of which only the tip is led: the path leaves a freedom, and
 * u_pp must be the derivative of the least-norm u_p although the knife edge's row is the derivative
 * of no function. */
static void knife_edge_with_freedom(void **context) {
    (void)context;
    static const char *const texts[6] = {"p", "0.2*p^2"};
    const double l = 0.7, m = 0.4;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    double x = -m * cos(0.4), y = -m * sin(0.4);
    int sled = add_body(machine, "sled", x - l * cos(1.3), y - l * sin(1.3), 0, 0, 0, 1.3);
    int arm = add_body(machine, "arm", x, y, 0, 0, 0, 0.4);
    gdyn_joint_def def = gdyn_joint_default();
    def.name = "edge";
    def.type = GDYN_KNIFE_EDGE;
    def.a.body = sled;
    def.b.body = GDYN_GROUND;
    v3_set(def.normal, 0, 1, 0);
    gdyn_machine_add_joint(machine, &def);
    add_joint(machine, "hinge", GDYN_REVOLUTE, arm, P3(0, 0, 0), sled, P3(l, 0, 0), NULL, NULL);
    run *r = begin(finish(machine));
    move_tool(r, arm, m, 0, 0, texts);
    range(r, 0, 1, 401);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++)
        assert_int_equal(t->rates[i].freedom, 1);
    check_differences(r, 12);
    end(r);
}

/* An upright disc that rolls along x without steering or leaning: it spins by p / radius. Then a turn:
 * an arm leads it round a circle of 2 m, upright; the spin is still (way of the centre) / radius. */
static void rolling_disc(void **context) {
    (void)context;
    static const char *const straight[6] = {"p", NULL, NULL, NULL, NULL, NULL};
    static const char *const turn[6] = {"2*sin(p/2)", "2-2*cos(p/2)"};
    for (int turning = 0; turning < 2; turning++) {
        gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, -9.81));
        int disc = add_body(machine, "disc", 0, 0, 0.3, 0, 0, 0);
        gdyn_joint_def def = gdyn_joint_default();
        def.name = "road";
        def.type = GDYN_ROLLING;
        def.a.body = disc;
        def.b.body = GDYN_GROUND;
        v3_set(def.axis_a, 0, 1, 0);
        v3_set(def.normal, 0, 0, 1);
        def.radius = 0.3;
        gdyn_machine_add_joint(machine, &def);
        if (turning) { /* an arm keeps the axle level and pointing at the circle's centre */
            int arm = add_body(machine, "arm", 0, 2, 0.3, 0, 0, 0);
            add_joint(machine, "post", GDYN_REVOLUTE, arm, P3(0, 0, 0), GDYN_GROUND, P3(0, 2, 0.3),
                      P3(0, 0, 1), P3(0, 0, 1));
            add_joint(machine, "axle", GDYN_REVOLUTE, disc, P3(0, 0, 0), arm, P3(0, -2, 0),
                      P3(0, 1, 0), P3(0, 1, 0));
        }
        run *r = begin(finish(machine));
        move_tool(r, disc, 0, 0, 0, turning ? turn : straight);
        range(r, 0, 2, 81);
        const gdyn_track *t = go(r, NULL);
        assert_all_ok(t);
        for (int i = 0; i < t->points; i++) {
            double x[3], R[9], p = t->p[i], heading = turning ? p / 2 : 0;
            gdyn_state_body(t->state[i], disc, x, R);
            /* First column: cos(spin) along the heading, -sin(spin) up. */
            assert_true(fabs(x[2] - 0.3) <= 1e-10);
            assert_true(fabs(R[0] - cos(p / 0.3) * cos(heading)) <= 1e-7);
            assert_true(fabs(R[1] - cos(p / 0.3) * sin(heading)) <= 1e-7);
            assert_true(fabs(R[2] + sin(p / 0.3)) <= 1e-7);
        }
        end(r);
    }
}

/* A body that turns over twice about y passes the chart's singular angle four times. */
static void tumbling_body(void **context) {
    (void)context;
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, 0));
    int a = add_body(machine, "a", 0.2, 0, 0, 0, 0, 0);
    add_joint(machine, "J", GDYN_REVOLUTE, a, P3(-0.2, 0, 0), GDYN_GROUND, P3(0, 0, 0), P3(0, 1, 0),
              P3(0, 1, 0));
    run *r = begin(finish(machine));
    move_joint(r, "J", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0, 4 * PI, 37);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    for (int i = 0; i < t->points; i++) {
        double x[3], R[9], p = t->p[i];
        gdyn_state_body(t->state[i], 0, x, R);
        assert_true(fabs(x[0] - 0.2 * cos(p)) <= 1e-13 && fabs(x[2] + 0.2 * sin(p)) <= 1e-13);
        assert_true(fabs(gdyn_mech_joint_coordinate(t->state[i], 0, GDYN_FREEDOM_DEFAULT) - p) <=
                    1e-12);
    }
    assert_true(t->closed && t->returns);
    end(r);
}

/* Bricard's loop half a turn on: P1 = (-1, 0, 0), P2 = (-1, -1, 0) as published with the benchmark. */
static void bricard_half_turn(void **context) {
    (void)context;
    run *r = begin(bricard());
    move_joint(r, "R0", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0, PI, 61);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    double p[3];
    gdyn_anchor p1 = {0, {1, 0, 0}}, p2 = {1, {0, -1, 0}};
    gdyn_state_point(t->state[60], &p1, p);
    assert_true(fabs(p[0] + 1) <= 1e-12 && fabs(p[1]) <= 1e-12 && fabs(p[2]) <= 1e-12);
    gdyn_state_point(t->state[60], &p2, p);
    assert_true(fabs(p[0] + 1) <= 1e-12 && fabs(p[1] + 1) <= 1e-12 && fabs(p[2]) <= 1e-12);
    for (int i = 0; i < t->points; i++) {
        assert_int_equal(t->rates[i].rank.rank, 30);
        assert_int_equal(t->rates[i].freedom, 0);
    }
    check_differences(r, 10);
    end(r);
}

/* The joints of the tree are moved, not closed: what rounding leaves in them must not add up. */
static void long_paths_do_not_drift(void **context) {
    (void)context;
    run *r = begin(bricard());
    move_joint(r, "R0", GDYN_FREEDOM_DEFAULT, "p");
    range(r, 0, PI, 5001);
    const gdyn_track *t = go(r, NULL);
    assert_true(t->reach == 1);
    for (int i = 0; i < t->points; i++)
        assert_true(t->residual[i] <= 1e-14);
    end(r);
}

/* New charts in the middle of a path change nothing that is seen. */
static void chart_change(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.1*sin(p)", "0.08*cos(p)", "0.9+0.05*sin(2*p)",
                                         "0.2*sin(p)", "0.15*cos(p)", "0.3*sin(p)"};
    run *a = begin(six_ups(1)), *b = begin(six_ups(1));
    run *both[2] = {a, b};
    gdyn_state *start = gdyn_state_create(a->model);
    for (int k = 0; k < 2; k++) {
        move_tool(both[k], 0, 0, 0, 0, texts);
        range(both[k], 0.4, 2, 21);
    }
    const gdyn_track *ta = go(a, NULL);
    assert_all_ok(ta);
    gdyn_state_copy(start, ta->state[0]);
    ta = go(a, start);
    gdyn_state *recharted = gdyn_state_create(b->model);
    go(b, NULL);
    gdyn_state_copy(recharted, b->track->state[0]);
    for (int body = 0; body < 13; body++)
        gdyn_state_rechart(recharted, body);
    const gdyn_track *tb = go(b, recharted);
    assert_all_ok(tb);
    for (int i = 0; i < 21 * 78; i++) {
        assert_true(fabs(ta->u_p[i] - tb->u_p[i]) <= 1e-12);
        assert_true(fabs(ta->u_pp[i] - tb->u_pp[i]) <= 1e-11);
    }
    gdyn_state_destroy(start);
    gdyn_state_destroy(recharted);
    end(a);
    end(b);
}

static void planar_angle_turns_over(void **context) {
    (void)context;
    static const char *const texts[6] = {NULL, NULL, NULL, NULL, NULL, "p"};
    run *r = begin(four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1));
    move_tool(r, 0, 0, 0, 0, texts);
    range(r, -7, 7, 29);
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    double z[9];
    for (int i = 1; i < t->points; i++) {
        double before[9];
        gdyn_state_z(t->state[i - 1], before);
        gdyn_state_z(t->state[i], z);
        assert_true(fabs(z[2] - before[2] - 0.5) <= 1e-12);
    }
    end(r);
}

static void corners_are_passed(void **context) {
    (void)context;
    static const double points[][3] = {{0.1, 0, 0}, {0.1, 0.1, 0}, {-0.1, 0.05, 0}, {0.1, 0, 0}};
    run *r = begin(star(1, false));
    r->def.kind = GDYN_PATH_POLYLINE;
    r->def.count = 4;
    r->def.through = points;
    static const char *const texts[6] = {NULL, NULL, NULL, NULL, NULL, "0"};
    move_tool(r, 0, 0, 0, 0, texts);
    r->def.points = 60;
    const gdyn_track *t = go(r, NULL);
    assert_all_ok(t);
    assert_true(t->closed && t->returns);
    end(r);
}

/* Prescribing the same freedom twice consistently is redundant, not wrong. */
static void consistent_overprescription(void **context) {
    (void)context;
    static const char *const texts[6] = {"0.3*cos(p)", "0.3*sin(p)", NULL, NULL, NULL, "p"};
    run *r = begin(four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1));
    move_tool(r, 0, 0.3, 0, 0, texts);
    range(r, 0, 6, 25);
    assert_all_ok(go(r, NULL));
    end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_closed_form),
        cmocka_unit_test(star_keeps_its_legs),
        cmocka_unit_test(star_beside_dead_centres),
        cmocka_unit_test(star_in_other_words),
        cmocka_unit_test(rssr_derivatives),
        cmocka_unit_test(six_ups_derivatives),
        cmocka_unit_test(redundant_arm),
        cmocka_unit_test(redundant_parallelogram),
        cmocka_unit_test(guess_chooses_the_branch),
        cmocka_unit_test(knife_edge_tractrix),
        cmocka_unit_test(knife_edge_with_freedom),
        cmocka_unit_test(rolling_disc),
        cmocka_unit_test(tumbling_body),
        cmocka_unit_test(bricard_half_turn),
        cmocka_unit_test(long_paths_do_not_drift),
        cmocka_unit_test(chart_change),
        cmocka_unit_test(planar_angle_turns_over),
        cmocka_unit_test(corners_are_passed),
        cmocka_unit_test(consistent_overprescription),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
