/* bench_growth.c - how the cost of a path point grows with the number of bodies.
 *
 *   closed    a row of four-bars side by side (IFToMM benchmark A02): 2 N + 1 bodies, one drive that the path prescribes
 *   serial    a chain of hinged links, every joint driven and prescribed by the path
 *   loop      one closed loop of hinged links; all joints but three far apart are driven and prescribed
 *   mesh      a net of hinged squares, a quarter of whose conditions are redundant
 *
 * in the plane and in space (there with tilted axes: four-bars of a hinge, a ball and a universal joint; `hinges`: of parallel
 * hinges alone, with three redundant conditions per loop). Per size: processor time per point of following, of the derivatives at a
 * known pose, of the coefficients; steps per point; what the first pose costs. The exponent is the slope of a straight line through
 * the logarithms over the larger half of the sizes.
 *
 * Usage: bench_growth [--json FILE] [FAMILY...]
 *        bench_growth --once FAMILY BODIES   (follows the path and takes coefficients: for profiles) */
#include "access/evaluate.h"
#include "closure/target.h"
#include "globdyn.h"
#include "path/path.h"

#include "../chains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 3, POINTS = 21, SIZES = 6 };
static const double RANGE = 1; /* of p; joints of a serial chain turn by it */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* --- families -------------------------------------------------------------------------------------------- */

typedef struct family {
    const char *name;
    chain_maker (*make)(int bodies);
    int bodies[SIZES];
} family;

static const family families[] = {
    {"closed", chain_closed_planar, {5, 11, 21, 41, 81, 161}},
    {"closed_spatial", chain_closed_spatial, {5, 11, 21, 41, 81, 161}},
    {"closed_hinges", chain_closed_hinges, {5, 11, 21, 41, 81, 161}},
    {"serial", chain_serial_planar, {5, 10, 20, 40, 80, 160}},
    {"serial_spatial", chain_serial_spatial, {5, 10, 20, 40, 80, 160}},
    {"loop", chain_loop_planar, {5, 10, 20, 40, 80, 160}},
    {"mesh", chain_mesh_planar, {4, 9, 25, 64, 144, 256}},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* --- a machine on its path --------------------------------------------------------------------------------- */

typedef struct bench {
    gdyn_model *model;
    gdyn_path *path;
    gdyn_track *track;
    gdyn_closure *closure;
    gdyn_evaluator *evaluator;
    gdyn_pose *pose;
    gdyn_target *target;
    gdyn_state *start;
    gdyn_expr *value[CHAIN_JOINTS];
    int values;
} bench;

static void fail(const char *name, const char *what) {
    fprintf(stderr, "bench_growth: %s: %s\n", name, what);
    exit(70);
}

static void say(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

static void open_bench(bench *b, const family *of, int bodies, int points) {
    gdyn_sink sink = {.emit = say};
    chain_maker m = of->make(bodies);
    if (gdyn_model_create(m.machine, &sink, &b->model))
        fail(of->name, "no model");
    gdyn_machine_destroy(m.machine);
    gdyn_path_joint joint[CHAIN_JOINTS];
    const char *variable = "p";
    gdyn_scope scope = {.variables = &variable, .variable_count = 1};
    for (int i = 0; i < m.prescribed; i++) {
        gdyn_expr_error error;
        b->value[i] = gdyn_expr_compile(m.formula[i], &scope, &error);
        joint[i] = (gdyn_path_joint){.joint = m.driven[i], .value = b->value[i]};
    }
    b->values = m.prescribed;
    gdyn_path_def def = gdyn_path_default();
    def.name = "path";
    def.joints = m.prescribed;
    def.joint = joint;
    def.p_given = true;
    def.p_end = RANGE * (points - 1) / (POINTS - 1);
    def.points = points;
    if (gdyn_path_create(b->model, &def, &sink, &b->path))
        fail(of->name, "no path");
    b->track = gdyn_track_create(b->model, b->path);
    b->closure = gdyn_closure_create(b->model, gdyn_path_targets(b->path));
    b->evaluator = gdyn_evaluator_create(b->model);
    b->pose = gdyn_pose_create(b->model);
    b->start = gdyn_state_create(b->model);
    b->target = calloc((size_t)gdyn_path_targets(b->path), sizeof *b->target);
    if (!b->track || !b->closure || !b->evaluator || !b->pose || !b->start || !b->target)
        fail(of->name, "no memory");
}

static void close_bench(bench *b) {
    free(b->target);
    gdyn_state_destroy(b->start);
    gdyn_pose_destroy(b->pose);
    gdyn_evaluator_destroy(b->evaluator);
    gdyn_closure_destroy(b->closure);
    gdyn_track_destroy(b->track);
    gdyn_path_destroy(b->path);
    for (int i = 0; i < b->values; i++)
        gdyn_expr_destroy(b->value[i]);
    gdyn_model_destroy(b->model);
}

/* From the first guess, and from the pose of the first point. */
static void begin_path(bench *b) {
    gdyn_track_follow(b->track, b->path, b->closure, NULL);
}

static void follow(bench *b) {
    gdyn_track_follow(b->track, b->path, b->closure, b->start);
}

static void derive(bench *b) {
    gdyn_track *track = b->track;
    gdyn_closure_rates rates;
    for (int i = 0; i < track->points; i++) {
        size_t first = (size_t)track->n * (size_t)i;
        gdyn_path_evaluate(b->path, track->p[i], b->target);
        gdyn_closure_derivatives_fast(b->closure, track->state[i], gdyn_path_targets(b->path),
                                      b->target, NULL, track->u_p + first, track->u_pp + first,
                                      &rates);
    }
}

static void coefficients(bench *b) {
    gdyn_track *track = b->track;
    for (int i = 0; i < track->points; i++) {
        size_t first = (size_t)track->n * (size_t)i;
        gdyn_path_rates rates = {.u_p = track->u_p + first, .u_pp = track->u_pp + first};
        gdyn_evaluator_pose(b->evaluator, track->state[i], &rates, GDYN_REDUCE_NULL, b->pose);
    }
}

/* Least time of a phase: what else the machine does only adds. */
static double least(bench *b, void (*phase)(bench *)) {
    double best = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        phase(b);
        double took = now() - start;
        best = fmin(best, took);
        if (took > 3e6)
            break;
    }
    return best;
}

/* --- rows -------------------------------------------------------------------------------------------------- */

enum { FOLLOWING, DERIVATIVES, COEFFICIENTS, START, PHASES };
static const char *const phase_name[PHASES] = {"following", "derivatives", "coefficients",
                                               "first pose"};

typedef struct measured {
    double us[PHASES], steps;
    int followed;
} measured;

/* Following is what further points cost: a short path of the same steps is subtracted. */
static measured measure(const family *of, int bodies) {
    enum { SHORT = 3 };
    measured m;
    bench b = {0}, few = {0};
    open_bench(&few, of, bodies, SHORT);
    open_bench(&b, of, bodies, POINTS);
    m.us[START] = least(&few, begin_path);
    begin_path(&b);
    gdyn_state_copy(few.start, few.track->state[0]);
    gdyn_state_copy(b.start, b.track->state[0]);
    double taken = least(&few, follow);
    m.us[FOLLOWING] = (least(&b, follow) - taken) / (POINTS - SHORT);
    m.us[START] -= (SHORT - 1) * m.us[FOLLOWING];
    m.steps = (double)(b.track->steps - few.track->steps) / (POINTS - SHORT);
    m.followed = b.track->followed;
    m.us[DERIVATIVES] = least(&b, derive) / POINTS;
    m.us[COEFFICIENTS] = least(&b, coefficients) / POINTS;
    close_bench(&few);
    close_bench(&b);
    return m;
}

/* Slope of log us over log bodies by least squares, over the larger half of the sizes. */
static double exponent(const family *of, const measured *m, int phase) {
    double x[SIZES], y[SIZES], mx = 0, my = 0, above = 0, below = 0;
    enum { FIRST = SIZES / 2, COUNT = SIZES - FIRST };
    for (int i = FIRST; i < SIZES; i++) {
        mx += (x[i] = log(of->bodies[i])) / COUNT;
        my += (y[i] = log(m[i].us[phase])) / COUNT;
    }
    for (int i = FIRST; i < SIZES; i++) {
        above += (x[i] - mx) * (y[i] - my);
        below += (x[i] - mx) * (x[i] - mx);
    }
    return above / below;
}

static void report(const family *of, FILE *json, bool *first) {
    measured m[SIZES];
    for (int i = 0; i < SIZES; i++) {
        m[i] = measure(of, of->bodies[i]);
        printf("%-16s %4d", of->name, of->bodies[i]);
        for (int k = 0; k < PHASES; k++)
            printf(" %12.1f", m[i].us[k]);
        printf(" %6.2f %4d\n", m[i].steps, m[i].followed);
        fflush(stdout);
        for (int k = 0; json && k < PHASES; k++) {
            fprintf(json,
                    "%s\n  {\"case\": \"%s %d\", \"phase\": \"%s\", \"us\": %.4g, \"steps\": %.3g}",
                    *first ? "" : ",", of->name, of->bodies[i], phase_name[k], m[i].us[k],
                    m[i].steps);
            *first = false;
        }
    }
    printf("%-16s exponent", of->name);
    for (int k = 0; k < PHASES; k++) {
        double e = exponent(of, m, k);
        printf(" %s %.2f", phase_name[k], e);
        if (json)
            fprintf(json, ",\n  {\"case\": \"%s\", \"phase\": \"%s\", \"exponent\": %.3g}",
                    of->name, phase_name[k], e);
    }
    printf("\n");
}

static const family *find(const char *name) {
    for (int i = 0; i < FAMILIES; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    fail(name, "unknown family");
    return NULL;
}

static int once(const char *name, int bodies) {
    bench b = {0};
    open_bench(&b, find(name), bodies, POINTS);
    begin_path(&b);
    coefficients(&b);
    printf("%d of %d points, %ld steps\n", b.track->followed, POINTS, b.track->steps);
    close_bench(&b);
    return 0;
}

int main(int argc, char **argv) {
    bool told = argc > 2 && strcmp(argv[1], "--json") == 0, first = true;
    if (argc == 4 && strcmp(argv[1], "--once") == 0)
        return once(argv[2], atoi(argv[3]));
    FILE *json = told ? fopen(argv[2], "w") : NULL;
    int from = told ? 3 : 1;
    if (told && !json) {
        perror(argv[2]);
        return 66;
    }
    if (json)
        fprintf(json, "[");
    printf("microseconds per path point, processor time, least of %d; steps per point; points "
           "followed of %d\n"
           "%-16s %4s %12s %12s %12s %12s\n",
           REPEATS, POINTS, "family", "n", "following", "derivatives", "coefficients",
           "first pose");
    for (int i = from; i < argc || (argc <= from && i - from < FAMILIES); i++)
        report(argc > from ? find(argv[i]) : &families[i - from], json, &first);
    if (json)
        fprintf(json, "\n]\n");
    return json && fclose(json) != 0 ? 70 : 0;
}
