/* Studies of machines with closed forms: criteria, statuses, slopes of failures, repeatability. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "near.h"
#include "study/choose.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slider of mass M pushed by two drives +-F with viscous friction b, one of them speed-limited:
 * accel = 2F/M, speed = min(2F/b, fastest), and the region is |M d2 + b d1| <= 2F. */
static const char slider[] =
    "format: 1\n"
    "name: slider\n"
    "parameters: {M: 10 kg, F: 50 N, b: 20 N s/m, fastest: 8 m/s}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    slider: {mass: M, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    rail: {type: prismatic, of: [slider.P, ground.O], axis: [1, 0],\n"
    "           friction: {viscous: b}}\n"
    "  drives:\n"
    "    push: {at: rail, force: {min: -F, max: F}, speed: {max: fastest}}\n"
    "    pull: {at: rail, force: {min: -F, max: F}}\n"
    "trajectories:\n"
    "  line: {of: slider.P, p: [0, 1], path: {x: p}, points: 5}\n"
    "design:\n"
    "  M: {min: 2 kg, max: 40 kg}\n"
    "  F: {min: 10 N, max: 100 N}\n";
static const char slider_goals[] = "optimize:\n"
                                   "  objectives:\n"
                                   "    accel: {maximize: line.accel}\n"
                                   "    effort: {minimize: F*(1 + indeterminate)}\n"
                                   "  constraints:\n"
                                   "    fast: line.speed >= 6\n"
                                   "  algorithm: {name: nsga2, population: 24, seed: 7}\n"
                                   "  stop: {evaluations: 480}\n";

typedef struct opened {
    gdyn_case *the_case;
    gdyn_study *study;
    int errors[3];
    char message[300], path[200];
} opened;

static void keep(void *context, const gdyn_diag *diag) {
    opened *o = context;
    o->errors[diag->severity]++;
    if (diag->severity == GDYN_ERROR && !o->message[0]) {
        snprintf(o->message, sizeof o->message, "%s", diag->message);
        snprintf(o->path, sizeof o->path, "%s", diag->path ? diag->path : "");
    }
}

static gdyn_status open_text(const char *a, const char *b, opened *o) {
    char text[6000];
    snprintf(text, sizeof text, "%s%s", a, b);
    *o = (opened){0};
    gdyn_sink sink = {keep, o};
    gdyn_status status = gdyn_case_read_text(text, strlen(text), "case.yaml", &sink, &o->the_case);
    if (status == GDYN_OK)
        status = gdyn_study_create(o->the_case, 0, NULL, &sink, &o->study);
    return status;
}

static void close_text(opened *o) {
    gdyn_study_destroy(o->study);
    gdyn_case_destroy(o->the_case);
}

static double response(const opened *o, const gdyn_design *d, const char *name) {
    for (int r = 0; r < gdyn_study_responses(o->study); r++)
        if (strcmp(gdyn_study_response_name(o->study, r), name) == 0) {
            if (!d->known[r])
                print_error("%s is not known\n", name);
            assert_true(d->known[r]);
            return d->response[r];
        }
    print_error("there is no response %s\n", name);
    fail();
    return 0;
}

static bool knows(const opened *o, const gdyn_design *d, const char *name) {
    for (int r = 0; r < gdyn_study_responses(o->study); r++)
        if (strcmp(gdyn_study_response_name(o->study, r), name) == 0)
            return d->known[r];
    return false;
}

/* A parallelogram with a third crank, led by all its angles through the pose in which all bars lie
 * in one line (p = 1): there the constraints lose rank once more. Nothing happens on the way `away`. */
static const char cranks[] =
    "format: 1\n"
    "name: cranks\n"
    "parameters: {l: 0.5 m, span: 1 m, torque: 10 N m}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {P$i: {repeat: {i: 1..3}, at: [(i - 1)*span/2, 0]}}}\n"
    "  bodies:\n"
    "    crank$i: {repeat: {i: 1..3}, mass: 1 kg, inertia: 0.1, com: [l/2, 0],\n"
    "              points: {P: [0, 0], Q: [l, 0]}, pose: [(i - 1)*span/2, 0, -pi/4]}\n"
    "    coupler: {mass: 1 kg, inertia: 0.1, com: [span/2, 0],\n"
    "              points: {Q$i: {repeat: {i: 1..3}, at: [(i - 1)*span/2, 0]}},\n"
    "              pose: [l*cos(pi/4), -l*sin(pi/4), 0]}\n"
    "  joints:\n"
    "    low$i: {repeat: {i: 1..3}, type: revolute, of: [ground.P$i, crank$i.P]}\n"
    "    top$i: {repeat: {i: 1..3}, type: revolute, of: [coupler.Q$i, crank$i.Q]}\n"
    "  drives: {m: {at: low1, torque: {limit: torque}}}\n"
    "trajectories:\n"
    "  away: {p: [0.1, 0.8], points: 15,\n"
    "         joints: {low1: 1 - p, low2: 1 - p, low3: 1 - p, top1: 1 - p}}\n"
    "  through: {p: [0.1, 1.84], points: 18,\n"
    "            joints: {low1: 1 - p, low2: 1 - p, low3: 1 - p, top1: 1 - p}}\n"
    "design: {torque: {min: 10 N m, max: 20 N m}}\n"
    "optimize:\n"
    "  objectives: {torque: {minimize: torque}}\n"
    "  constraints: {regular: away.singular <= 0, once: through.singular <= 1}\n"
    "  stop: {evaluations: 20}\n";

static void singular_poses_are_counted(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(cranks, "", &o), GDYN_OK);
    gdyn_design *d = gdyn_design_create(o.study);
    const double torque = 12;
    assert_int_equal(gdyn_study_evaluate(o.study, &torque, GDYN_EXTENT_NEEDED, d), GDYN_OK);
    assert_int_equal(d->status, GDYN_DESIGN_OK);
    assert_true(response(&o, d, "away.singular") == 0);
    assert_true(response(&o, d, "through.singular") == 1); /* between two points */
    gdyn_design_destroy(d);
    close_text(&o);
}

/* --- single designs --------------------------------------------------------------------------------- */

static void a_design_has_its_closed_form(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, slider_goals, &o), GDYN_OK);
    gdyn_design *d = gdyn_design_create(o.study);
    assert_non_null(d);
    const double designs[3][2] = {{10, 65}, {3.3, 90}, {33, 30}};
    for (int i = 0; i < 3; i++) {
        double M = designs[i][0], F = designs[i][1];
        assert_int_equal(gdyn_study_evaluate(o.study, designs[i], true, d), GDYN_OK);
        assert_true(d->evaluated && d->judged && d->failure == 0);
        assert_near(response(&o, d, "line.accel"), 2 * F / M, 1e-9 * F);
        assert_near(response(&o, d, "line.d1_max"), 8, 1e-9); /* braking goes on */
        assert_near(response(&o, d, "line.speed"), fmin(8, 2 * F / 20), 1e-9);
        assert_near(response(&o, d, "line.area"), 8 * 4 * F / M, 1e-9 * F);
        assert_near(response(&o, d, "line.reach"), 1, 0);
        assert_near(response(&o, d, "mass"), M, 1e-12);
        assert_near(response(&o, d, "mobility"), 1, 0);
        assert_near(response(&o, d, "redundancy"), 0, 0);
        assert_near(response(&o, d, "drive_redundancy"), 1, 0);
        assert_near(response(&o, d, "indeterminate"), 0, 0);
        assert_int_equal(d->joint[0], GDYN_UNIQUE);
        assert_near(d->objective[0], 2 * F / M, 1e-9 * F);
        assert_near(d->objective[1], F, 1e-12);
        /* fast: speed >= 6 */
        double speed = fmin(8, 2 * F / 20);
        assert_near(d->constraint[0], speed, 1e-9);
        assert_near(d->violation, fmax(6 - speed, 0) / 6, 1e-9);
        assert_int_equal(d->status, speed < 6 ? GDYN_DESIGN_INFEASIBLE : GDYN_DESIGN_OK);
    }
    gdyn_design_destroy(d);
    close_text(&o);
}

static void only_what_is_needed_is_worked_out(void **state) {
    (void)state;
    opened o;
    assert_int_equal(
        open_text(slider,
                  "optimize:\n"
                  "  objectives: {mass: {minimize: mass}, reach: {maximize: line.reach}}\n",
                  &o),
        GDYN_OK);
    gdyn_design *part = gdyn_design_create(o.study), *full = gdyn_design_create(o.study);
    assert_non_null(part);
    assert_non_null(full);
    const double x[2] = {12.5, 70};
    assert_int_equal(gdyn_study_evaluate(o.study, x, false, part), GDYN_OK);
    assert_int_equal(gdyn_study_evaluate(o.study, x, true, full), GDYN_OK);
    assert_true(knows(&o, part, "mass") && knows(&o, part, "line.reach"));
    assert_false(knows(&o, part, "line.area") || knows(&o, part, "mobility") || part->judged);
    assert_true(knows(&o, full, "line.area") && knows(&o, full, "mobility") && full->judged);
    for (int r = 0; r < gdyn_study_responses(o.study); r++)
        if (part->known[r])
            assert_true(part->response[r] == full->response[r]);
    gdyn_design_destroy(part);
    gdyn_design_destroy(full);
    close_text(&o);
}

/* --- failures with a slope --------------------------------------------------------------------------- */

/* A gantry: a cart driven twice along x carries a load of 20 kg on a vertical rail, whose drive is
 * the design. Below 196.2 N it cannot hold the load, and nothing is accessible along x. */
static const char gantry[] =
    "format: 1\n"
    "name: gantry\n"
    "parameters: {lift: 300 N}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    cart: {mass: 5 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    load: {mass: 20 kg, inertia: 0.1, points: {C: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    rail: {type: prismatic, of: [cart.P, ground.O], axis: [1, 0]}\n"
    "    mast: {type: prismatic, of: [load.C, cart.P], axis: [0, 1]}\n"
    "  drives:\n"
    "    x1: {at: rail, force: {min: -50 N, max: 50 N}, speed: {max: 2 m/s}}\n"
    "    x2: {at: rail, force: {min: -50 N, max: 50 N}}\n"
    "    y: {at: mast, force: {min: 0 N, max: lift}}\n"
    "trajectories:\n"
    "  across: {of: load.C, p: [0, 1], path: {x: p, y: 0}, points: 5}\n"
    "design:\n"
    "  lift: {min: 20 N, max: 600 N}\n"
    "optimize:\n"
    "  objectives: {area: {maximize: across.area}, lift: {minimize: lift}}\n"
    "  algorithm: {name: nsga2, population: 12, seed: 3}\n"
    "  stop: {evaluations: 120}\n";

static void closed_regions_have_a_slope(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(gantry, "", &o), GDYN_OK);
    gdyn_design *d = gdyn_design_create(o.study);
    assert_non_null(d);
    double before = INFINITY;
    for (double lift = 30; lift < 196; lift += 15) {
        assert_int_equal(gdyn_study_evaluate(o.study, &lift, false, d), GDYN_OK);
        assert_int_equal(d->status, GDYN_DESIGN_CLOSED_REGION);
        assert_true(d->failure > 0 && d->failure <= 1);
        assert_true(d->failure < before);
        assert_true(strstr(d->reason, "across") != NULL);
        before = d->failure;
    }
    double enough = 400;
    assert_int_equal(gdyn_study_evaluate(o.study, &enough, false, d), GDYN_OK);
    assert_int_equal(d->status, GDYN_DESIGN_OK);
    assert_near(d->objective[0], 2 * 2 * 100 / 25.0, 1e-9); /* d1 <= 2, |d2| <= 100/25 */
    gdyn_design_destroy(d);
    close_text(&o);
}

/* Two-link arm that must reach a line at distance 1: with links of length l it reaches only where
 * 2 l >= distance. The wish for a root of a negative number makes the definition fail below 0.2. */
static const char arm[] =
    "format: 1\n"
    "name: arm\n"
    "parameters: {l: 0.6 m, bend: \"2*acos(min(1/(2*l/(1 m)), 1))\", never: sqrt(l/(1 m) - 0.2)}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    upper: {mass: 2 kg, inertia: 0.1, com: [0.3, 0], points: {A: [0, 0], B: [l, 0]}, pose: "
    "[0, 0, -bend/2]}\n"
    "    lower: {mass: 1 kg, inertia: 0.1, com: [0.3, 0], points: {B: [0, 0], T: [l, 0]},\n"
    "            pose: [l*cos(bend/2), -l*sin(bend/2), bend/2]}\n"
    "  joints:\n"
    "    shoulder: {type: revolute, of: [upper.A, ground.O]}\n"
    "    elbow: {type: revolute, of: [lower.B, upper.B]}\n"
    "  drives:\n"
    "    m1: {at: shoulder, torque: {min: -60 N m, max: 60 N m}}\n"
    "    m2: {at: elbow, torque: {min: -60 N m, max: 60 N m}}\n"
    "trajectories:\n"
    "  wall: {of: lower.T, p: [-0.3, 0.3], path: {x: 1, y: p}, points: 25}\n"
    "design:\n"
    "  l: {min: 0.1 m, max: 0.9 m}\n"
    "optimize:\n"
    "  objectives: {accel: {maximize: wall.accel}, length: {minimize: l}}\n"
    "  algorithm: {name: nsga2, population: 16, seed: 5}\n"
    "  stop: {evaluations: 160}\n";

static void unreached_paths_have_a_slope(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(arm, "", &o), GDYN_OK);
    gdyn_design *d = gdyn_design_create(o.study);
    assert_non_null(d);
    double before = INFINITY;
    for (double l = 0.25; l < 0.5; l += 0.05) {
        assert_int_equal(gdyn_study_evaluate(o.study, &l, false, d), GDYN_OK);
        assert_int_equal(d->status, GDYN_DESIGN_UNASSEMBLED);
        assert_true(d->failure > 1 && d->failure <= 2);
        assert_true(d->failure < before);
        before = d->failure;
    }
    double short_link = 0.15;
    assert_int_equal(gdyn_study_evaluate(o.study, &short_link, false, d), GDYN_OK);
    assert_int_equal(d->status, GDYN_DESIGN_FAILED);
    assert_true(d->failure > 2 && d->failure <= 3);
    double worse = d->failure, shorter = 0.11;
    assert_int_equal(gdyn_study_evaluate(o.study, &shorter, false, d), GDYN_OK);
    assert_true(d->failure > worse);
    double long_link = 0.7;
    assert_int_equal(gdyn_study_evaluate(o.study, &long_link, false, d), GDYN_OK);
    assert_int_equal(d->status, GDYN_DESIGN_OK);
    gdyn_design_destroy(d);
    close_text(&o);
}

/* --- refusals ------------------------------------------------------------------------------------------ */

/* Criteria at single points: accel = 2F/M, and speed = min(2F/b, fastest), which has a kink at F =
 * 80 N. Neighbours on both sides of it have these values, and the slopes are exact but for the
 * second difference of 1/M, 2F/M^3 h = 8e-9 of 2F/M. */
static void neighbours_have_their_closed_form(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, slider_goals, &o), GDYN_OK);
    gdyn_design *base = gdyn_design_create(o.study), *d = NULL;
    const double x[2] = {10, 80}, h = 1e-6;
    base->serial = base->base = 7;
    assert_int_equal(gdyn_study_evaluate(o.study, x, GDYN_EXTENT_SOUND, base), GDYN_OK);
    assert_true(base->active[0] > 0 && !base->difference);
    for (int k = 0; k < 4; k++) {
        double y[2] = {x[0], x[1]}, step = k % 2 ? h : -h;
        y[k / 2] += step;
        gdyn_design_destroy(d);
        d = gdyn_design_copy(o.study, base);
        d->serial = 8 + k;
        assert_int_equal(gdyn_study_evaluate(o.study, y, GDYN_EXTENT_SOUND, d), GDYN_OK);
        assert_true(d->difference && d->evaluated && !knows(&o, d, "line.time"));
        assert_near(d->objective[0], 2 * y[1] / y[0], 1e-13);
        assert_near(d->constraint[0], fmin(2 * y[1] / 20, 8), 1e-13);
        double slope = k < 2 ? -2 * x[1] / (x[0] * x[0]) : 2 / x[0];
        assert_true(fabs((d->objective[0] - base->objective[0]) / step - slope) < 1e-6);
        double bend = k == 2 ? 0.1 : 0;
        assert_true(fabs((d->constraint[0] - base->constraint[0]) / step - bend) < 1e-6);
    }
    gdyn_design_destroy(base);
    gdyn_design_destroy(d);
    close_text(&o);
}

/* Neighbours begin with the poses of their base, whose bars have other lengths: what they give is
 * what the path followed from its start gives, to rounding. */
static void neighbours_close_with_their_own_lengths(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(arm, "", &o), GDYN_OK);
    gdyn_design *base = gdyn_design_create(o.study), *whole = gdyn_design_create(o.study);
    const double l = 0.7, step[] = {1e-8, -1e-6, 1e-4, 1e-2};
    base->serial = base->base = 7;
    assert_int_equal(gdyn_study_evaluate(o.study, &l, GDYN_EXTENT_SOUND, base), GDYN_OK);
    assert_true(base->active[0] > 0 && base->active[0] <= GDYN_ACTIVE_POSES);
    for (int k = 0; k < 4; k++) {
        double y = l + step[k];
        gdyn_design *near = gdyn_design_copy(o.study, base);
        near->serial = 8 + k;
        assert_int_equal(gdyn_study_evaluate(o.study, &y, GDYN_EXTENT_SOUND, near), GDYN_OK);
        assert_int_equal(gdyn_study_evaluate(o.study, &y, GDYN_EXTENT_SOUND, whole), GDYN_OK);
        assert_true(near->difference && near->evaluated);
        assert_near(near->objective[0], whole->objective[0], 1e-12 * fabs(whole->objective[0]));
        assert_true(near->objective[0] != base->objective[0]);
        gdyn_design_destroy(near);
    }
    gdyn_design_destroy(base);
    gdyn_design_destroy(whole);
    close_text(&o);
}

static void goals_that_cannot_be_are_refused(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, "", &o), GDYN_ERROR_INPUT); /* no objectives at all */
    close_text(&o);
}

/* --- searches ------------------------------------------------------------------------------------------ */

static gdyn_study_result run_study(const opened *o, int threads) {
    gdyn_study_options options = gdyn_study_default(o->study);
    options.threads = threads;
    gdyn_study_result result;
    assert_int_equal(gdyn_study_run(o->study, &options, &result), GDYN_OK);
    return result;
}

/* On the front the slider is as light as may be, M = 2 kg: accel = F / (1 kg), 60 N <= F <= 100 N. */
static void the_slider_has_a_known_front(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, slider_goals, &o), GDYN_OK);
    gdyn_study_result r = run_study(&o, 1);
    assert_int_equal(r.archive.count, 480);
    assert_int_equal(r.final.search.stop, GDYN_SEARCH_EVALUATIONS);
    assert_true(r.front.count >= 12);
    assert_true(r.hypervolume > 0 && r.reference);
    for (int i = 0; i < r.front.count; i++) {
        const gdyn_design *d = r.front.design[i];
        assert_int_equal(d->status, GDYN_DESIGN_OK);
        assert_true(d->objective[0] <= d->objective[1] * (1 + 1e-9));
        assert_true(d->objective[0] >= 0.95 * d->objective[1]); /* M within 0.1 kg of its bound */
        assert_true(d->constraint[0] >= 6);
        assert_near(d->objective[0], 2 * d->x[1] / d->x[0], 1e-7);
        assert_true(d->judged && knows(&o, d, "line.area") && knows(&o, d, "drive_redundancy"));
        const gdyn_design *found = gdyn_archive_find(&r.archive, d->serial);
        assert_non_null(found);
        assert_true(memcmp(found->objective, d->objective, 2 * sizeof(double)) == 0);
        if (i > 0) /* ascending in the first objective as minimized: falling accel */
            assert_true(d->objective[0] < r.front.design[i - 1]->objective[0]);
    }
    /* design 0 is the start */
    assert_true(r.archive.design[0]->x[0] == 10 && r.archive.design[0]->x[1] == 50);
    /* nobody feasible dominates a design that is called nondominated */
    for (int i = 0; i < r.archive.count; i++)
        for (int j = 0; j < r.archive.count && r.nondominated[i]; j++) {
            const gdyn_design *a = r.archive.design[i], *b = r.archive.design[j];
            bool beaten = b->status == GDYN_DESIGN_OK && b->objective[0] >= a->objective[0] &&
                          b->objective[1] <= a->objective[1] &&
                          (b->objective[0] > a->objective[0] || b->objective[1] < a->objective[1]);
            assert_false(beaten);
        }
    gdyn_study_result_clear(&r);
    close_text(&o);
}

static void same_designs(const opened *o, const gdyn_study_result *a, const gdyn_study_result *b) {
    int variables = gdyn_study_start(o->study)->design_count;
    assert_int_equal(a->archive.count, b->archive.count);
    for (int i = 0; i < a->archive.count; i++) {
        const gdyn_design *x = a->archive.design[i], *y = b->archive.design[i];
        assert_int_equal(x->serial, y->serial);
        assert_memory_equal(x->x, y->x, (size_t)variables * sizeof(double));
        assert_memory_equal(x->response, y->response,
                            (size_t)gdyn_study_responses(o->study) * sizeof(double));
        assert_int_equal(x->status, y->status);
        assert_true(x->failure == y->failure && x->violation == y->violation);
    }
    assert_int_equal(a->front.count, b->front.count);
    for (int i = 0; i < a->front.count; i++)
        assert_int_equal(a->front.design[i]->serial, b->front.design[i]->serial);
    assert_true(a->hypervolume == b->hypervolume);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(arm, "", &o), GDYN_OK);
    gdyn_study_result one = run_study(&o, 1), again = run_study(&o, 1), three = run_study(&o, 3);
    same_designs(&o, &one, &again);
    same_designs(&o, &one, &three);
    assert_true(one.front.count > 0);
    gdyn_study_result_clear(&one);
    gdyn_study_result_clear(&again);
    gdyn_study_result_clear(&three);
    close_text(&o);
}

/* ZDT1 with five variables as a case without machine. */
static const char zdt1[] =
    "format: 1\n"
    "name: zdt1\n"
    "parameters: {g: 1 + 3*(x2 + x3 + x4)}\n"
    "design:\n"
    "  x1: {min: 0, max: 1}\n"
    "  x2: {min: 0, max: 1}\n"
    "  x3: {min: 0, max: 1}\n"
    "  x4: {min: 0, max: 1}\n"
    "optimize:\n"
    "  objectives: {f1: {minimize: x1}, f2: {minimize: g*(1 - sqrt(x1/g))}}\n"
    "  algorithm: {name: nsga2, population: 40, seed: 11}\n"
    "  stop: {evaluations: 4000}\n";

static void a_case_without_machine(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(zdt1, "", &o), GDYN_OK);
    gdyn_study_result r = run_study(&o, 2);
    /* The front is the whole nondominated set, many times the population. */
    int nondominated = 0;
    for (int i = 0; i < r.archive.count; i++)
        nondominated += r.nondominated[i];
    assert_true(r.front.count > 40 && r.front.count <= nondominated);
    double sum = 0;
    for (int i = 0; i < r.front.count; i++) {
        const gdyn_design *d = r.front.design[i];
        double g = 1 + 3 * (d->x[1] + d->x[2] + d->x[3]);
        assert_near(d->objective[1], g * (1 - sqrt(d->x[0] / g)), 1e-12);
        sum += d->objective[1] - (1 - sqrt(d->objective[0]));
    }
    assert_true(sum / r.front.count < 1.0 / 40); /* nearer than the points stand apart */
    gdyn_study_result_clear(&r);
    close_text(&o);
}

static volatile sig_atomic_t stop_flag;

static void raise_after_fifty(void *context, const gdyn_study_progress *progress) {
    (void)context;
    if (progress->evaluated >= 50)
        stop_flag = 1;
}

static void an_interruption_keeps_what_is_evaluated(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, slider_goals, &o), GDYN_OK);
    gdyn_study_options options = gdyn_study_default(o.study);
    stop_flag = 0;
    options.interrupt = &stop_flag;
    options.progress = raise_after_fifty;
    options.threads = 1;
    gdyn_study_result r;
    assert_int_equal(gdyn_study_run(o.study, &options, &r), GDYN_OK);
    assert_true(r.interrupted);
    /* two generations of 24 and a part of the third; the thread that evaluates may have begun one more */
    assert_true(r.archive.count == 50 || r.archive.count == 51);
    assert_true(r.front.count > 0);
    gdyn_study_result_clear(&r);
    close_text(&o);
}

/* Every allocation of an evaluation fails in turn: lack of memory is an error, never a verdict on
 * the design, and nothing is lost. */
static void lack_of_memory_is_no_verdict(void **state) {
    (void)state;
    opened o;
    assert_int_equal(open_text(slider, slider_goals, &o), GDYN_OK);
    gdyn_design *d = gdyn_design_create(o.study);
    assert_non_null(d);
    const double x[2] = {10, 65};
    long failures = 0;
    for (;; failures++) {
        gdyn_alloc_fail_after(failures);
        gdyn_status status = gdyn_study_evaluate(o.study, x, true, d);
        gdyn_alloc_fail_after(-1);
        if (status == GDYN_OK && d->status == GDYN_DESIGN_OK && d->judged)
            break;
        if (status != GDYN_ERROR_MEMORY)
            print_error("allocation %ld: %s, %s\n", failures, gdyn_status_text(status), d->reason);
        assert_int_equal(status, GDYN_ERROR_MEMORY);
    }
    assert_true(failures > 50);
    gdyn_design_destroy(d);
    close_text(&o);
}

/* Two-sided probabilities of the tables of Mann and Whitney (1947): 2 x 0.004, 0.008, 0.028, 0.111
 * for n = m = 5 and U = 0, 1, 3, 6 (here with all digits: counts over 252). With ties: of the six
 * pairs of 1 2 2 3 four are as far from the middle as (1, 2). */
static void rank_tests_have_their_tables(void **state) {
    (void)state;
    static const double a[] = {1, 2, 3, 4, 5}, shift[] = {5.5, 3.5, 2.5, 1.5};
    static const int u[] = {0, 1, 3, 6}, far[] = {2, 4, 14, 56};
    for (int k = 0; k < 4; k++) {
        double b[5], larger;
        for (int i = 0; i < 5; i++)
            b[i] = a[i] + shift[k];
        assert_near(gdyn_rank_test(a, 5, b, 5, &larger), far[k] / 252.0, 1e-14);
        assert_near(larger, u[k] / 25.0, 1e-14);
    }
    static const double c[] = {1, 2}, d[] = {2, 3}, all[100] = {0};
    assert_near(gdyn_rank_test(c, 2, d, 2, NULL), 4 / 6.0, 1e-14);
    assert_near(gdyn_rank_test(c, 1, all, 100, NULL), 1 / 101.0, 1e-14);
    assert_near(gdyn_rank_test(all, 3, all, 100, NULL), 1, 1e-14);
    /* Holm: 3 x 0.01, 2 x 0.03, 0.04 but not below the one before. */
    double p[] = {0.04, 0.01, 0.03};
    gdyn_holm(3, p);
    assert_near(p[0], 0.06, 1e-15);
    assert_near(p[1], 0.03, 1e-15);
    assert_near(p[2], 0.06, 1e-15);
    assert_near(gdyn_quantile(a, 5, 0.3), 2.2, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_tests_have_their_tables),
        cmocka_unit_test(a_design_has_its_closed_form),
        cmocka_unit_test(singular_poses_are_counted),
        cmocka_unit_test(only_what_is_needed_is_worked_out),
        cmocka_unit_test(closed_regions_have_a_slope),
        cmocka_unit_test(unreached_paths_have_a_slope),
        cmocka_unit_test(neighbours_have_their_closed_form),
        cmocka_unit_test(neighbours_close_with_their_own_lengths),
        cmocka_unit_test(goals_that_cannot_be_are_refused),
        cmocka_unit_test(the_slider_has_a_known_front),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_case_without_machine),
        cmocka_unit_test(an_interruption_keeps_what_is_evaluated),
        cmocka_unit_test(lack_of_memory_is_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
