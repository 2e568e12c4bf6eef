/* bench_point.c - where the time of a design goes: a row per phase and case, per path point, with the method it is
 * compared with in the same run. Processor time of one thread, median of repeats: what else the machine does
 * counts little.
 *
 * Usage: bench_point [--json FILE] [CASE...]   (default: four_slider_star, ups6, ups8; first trajectory)
 *        bench_point --once CASE   (its path once, with motion: to count instructions) */
#include "access/folding.h"
#include "access/dynamics.h"
#include "access/evaluate.h"
#include "casefile/casefile.h"
#include "closure/target.h"
#include "reactions/solvability.h"
#include "study/study.h"
#include "traverse/criteria.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { REPEATS = 9, FEW = 201, MANY = 20000, POSES = 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct bench {
    const char *name, *file;
    gdyn_case *the_case;
    gdyn_instance *instance;
    const gdyn_path_def *def;
    gdyn_path *path;
    gdyn_evaluation *evaluation;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    gdyn_closure *closure;
    gdyn_target *targets;
    gdyn_solvability *solvability;
    FILE *json;
    bool first; /* row of the JSON file */
} bench;

static int points_of(const bench *b) {
    return b->evaluation->track->points;
}

/* Median time of a phase per `count` things. */
static double median(bench *b, void (*phase)(bench *), int count) {
    double values[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        phase(b);
        values[i] = (now() - start) / count;
    }
    qsort(values, REPEATS, sizeof *values, ascending);
    return values[REPEATS / 2];
}

static void row(bench *b, const char *phase, double value, const char *peer, double other) {
    printf("%-16s %-34s %10.2f", b->name, phase, value);
    if (peer)
        printf("   %s: %.1f", peer, other);
    printf("\n");
    if (!b->json)
        return;
    fprintf(b->json, "%s\n  {\"case\": \"%s\", \"phase\": \"%s\", \"us\": %.4g",
            b->first ? "" : ",", b->name, phase, value);
    if (peer)
        fprintf(b->json, ", \"peer\": \"%s\", \"peer_us\": %.4g", peer, other);
    fprintf(b->json, "}");
    b->first = false;
}

/* --- phases ------------------------------------------------------------------------------------------------ */

static void follow(bench *b) {
    gdyn_track_follow(b->evaluation->track, b->path, b->closure, NULL);
}

static void pose_at(bench *b, int j, gdyn_reduction reduction) {
    const gdyn_track *track = b->evaluation->track;
    gdyn_path_rates rates = gdyn_track_rates(track, j);
    gdyn_evaluator_pose(b->evaluator, track->state[j], &rates, reduction, b->evaluation->pose[j]);
}

static void coefficients(bench *b, gdyn_reduction reduction) {
    for (int j = 0; j < points_of(b); j++)
        pose_at(b, j, reduction);
}

static void by_svd(bench *b) {
    coefficients(b, GDYN_REDUCE_SVD);
}

/* Coefficients of several points at once where the machine allows it, as an evaluation takes them. */
static void poses_in_turn(bench *b, void (*then)(bench *, int)) {
    for (int j = 0; j < points_of(b);) {
        int taken = gdyn_evaluator_poses(b->evaluator, b->evaluation->track, j, GDYN_POSES_AT_ONCE,
                                         b->evaluation->pose + j);
        if (taken == 0)
            pose_at(b, j, GDYN_REDUCE_NULL);
        for (int end = j + (taken > 0 ? taken : 1); j < end; j++)
            if (then)
                then(b, j);
    }
}

static void by_null_space(bench *b) {
    poses_in_turn(b, NULL);
}

static void regions(bench *b, gdyn_projection method) {
    for (int j = 0; j < points_of(b); j++)
        gdyn_access_region(b->access, &b->evaluation->pose[j]->coefficients, method,
                           b->evaluation->region[j]);
}

static void by_programs(bench *b) {
    regions(b, GDYN_BY_LP);
}

static void by_elementary(bench *b) {
    regions(b, GDYN_BY_ELEMENTARY);
}

static void common(bench *b, int count) {
    gdyn_common *merged = gdyn_common_create();
    for (int j = 0; j < count; j++)
        gdyn_common_add(merged, b->evaluation->region[j % points_of(b)]);
    gdyn_common_region(merged, b->evaluation->common);
    gdyn_common_destroy(merged);
}

static void common_of_few(bench *b) {
    common(b, FEW);
}

static void common_of_many(bench *b) {
    common(b, MANY);
}

static void local_criteria(bench *b, int j) {
    const gdyn_track *track = b->evaluation->track;
    gdyn_criteria criteria = gdyn_criteria_none();
    gdyn_path_evaluate(b->path, track->p[j], b->targets);
    gdyn_evaluator_criteria(b->evaluator, track->state[j], gdyn_path_targets(b->path), b->targets,
                            b->def->tools ? &b->def->tool[0].of : NULL, b->evaluation->pose[j],
                            &criteria);
}

/* As a study has them: with what the coefficients of the same poses have left. */
static void coefficients_and_local(bench *b) {
    poses_in_turn(b, local_criteria);
}

/* A whole trajectory as a study has it, without motion. */
static void evaluation(bench *b) {
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.reduction = GDYN_REDUCE_NULL;
    gdyn_evaluation_run(b->evaluation, b->path, &settings);
}

static void motion(bench *b) {
    gdyn_fastest fastest;
    gdyn_criteria criteria = b->evaluation->criteria;
    gdyn_traverse_criteria(b->evaluation, b->path, &fastest, &criteria);
}

/* Verdicts on all joint reactions of some poses. */
static void judge(bench *b, bool dense) {
    b->solvability->dense = dense;
    for (int i = 0; i < POSES; i++)
        gdyn_solvability_of_state(b->solvability,
                                  b->evaluation->track->state[i * (points_of(b) - 1) / POSES]);
}

static void verdicts(bench *b) {
    judge(b, false);
}

static void verdicts_by_svd(bench *b) {
    judge(b, true);
}

/* --- whole designs ----------------------------------------------------------------------------------------- */

static void design(bench *b) {
    gdyn_sink none = {0};
    gdyn_study *study = NULL;
    if (b->instance->design_count == 0 ||
        gdyn_study_create(b->the_case, 0, NULL, &none, &study) != GDYN_OK)
        return;
    const gdyn_instance *start = gdyn_study_start(study);
    gdyn_design *of = gdyn_design_create(study);
    double *x = calloc((size_t)start->design_count, sizeof *x), values[REPEATS];
    for (int i = 0; x && i < start->design_count; i++)
        x[i] = start->design[i].start;
    for (int i = 0; of && x && i < REPEATS; i++) {
        double begin = now();
        gdyn_study_evaluate(study, x, GDYN_EXTENT_NEEDED, of);
        values[i] = now() - begin;
    }
    qsort(values, REPEATS, sizeof *values, ascending);
    row(b, "a design, all of it", values[REPEATS / 2], NULL, 0);
    free(x);
    gdyn_design_destroy(of);
    gdyn_study_destroy(study);
}

/* --- a case ------------------------------------------------------------------------------------------------ */

static bool open_case(bench *b, gdyn_path_def *def) {
    gdyn_sink none = {0};
    if (gdyn_case_read(b->file, &none, &b->the_case) ||
        gdyn_case_instantiate(b->the_case, 0, NULL, &none, &b->instance) ||
        b->instance->trajectory_count == 0)
        return false;
    const gdyn_model *model = b->instance->model;
    *def = b->instance->trajectory[0];
    def->points = FEW;
    b->def = def;
    if (gdyn_path_create(model, def, &none, &b->path))
        return false;
    b->evaluation = gdyn_evaluation_create(model, b->path);
    b->evaluator = gdyn_evaluator_create(model);
    b->access = gdyn_access_create(gdyn_pose_capacity(model), gdyn_pose_efforts(model), 4);
    b->closure = gdyn_closure_create(model, gdyn_path_targets(b->path));
    b->targets = calloc((size_t)gdyn_path_targets(b->path), sizeof *b->targets);
    b->solvability = gdyn_solvability_for_model(model);
    return b->solvability && b->evaluation && b->evaluator && b->access && b->closure && b->targets;
}

static void close_case(bench *b) {
    free(b->targets);
    gdyn_solvability_destroy(b->solvability);
    gdyn_closure_destroy(b->closure);
    gdyn_access_destroy(b->access);
    gdyn_evaluator_destroy(b->evaluator);
    gdyn_evaluation_destroy(b->evaluation);
    gdyn_path_destroy(b->path);
    gdyn_instance_destroy(b->instance);
    gdyn_case_destroy(b->the_case);
}

static bool run(const char *name, FILE *json, bool *first, bool once) {
    char file[500];
    bool known = strchr(name, '/') == NULL;
    snprintf(file, sizeof file, known ? GDYN_SOURCE_DIR "/cases/%s/case.yaml" : "%s", name);
    bench b = {.name = name, .file = file, .json = json, .first = *first};
    gdyn_path_def def;
    bool opened = open_case(&b, &def);
    if (opened && once) {
        evaluation(&b);
        motion(&b);
    } else if (opened) {
        int points = points_of(&b);
        row(&b, "following", median(&b, follow, points), NULL, 0);
        double svd = median(&b, by_svd, points);
        double null = median(&b, by_null_space, points);
        row(&b, "coefficients, null space", null, "SVD", svd);
        double programs = median(&b, by_programs, points);
        row(&b, "projection and envelopes", median(&b, by_elementary, points), "GLPK", programs);
        row(&b, "common region, 201 points", median(&b, common_of_few, FEW), NULL, 0);
        row(&b, "common region, 20,000 points", median(&b, common_of_many, MANY), NULL, 0);
        row(&b, "local criteria with load", median(&b, coefficients_and_local, points) - null, NULL,
            0);
        row(&b, "trajectory without motion", median(&b, evaluation, points), NULL, 0);
        row(&b, "motion of a study", median(&b, motion, points), NULL, 0);
        double dense = median(&b, verdicts_by_svd, POSES);
        row(&b, "verdicts on reactions, per pose", median(&b, verdicts, POSES), "SVD", dense);
        design(&b);
    }
    close_case(&b);
    *first = b.first;
    return opened;
}

int main(int argc, char **argv) {
    static char *const usual[] = {"four_slider_star", "ups6", "ups8"};
#ifdef __GLIBC__ /* as the program does */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
    bool told = argc > 2 && strcmp(argv[1], "--json") == 0, good = true, first = true;
    if (argc == 3 && strcmp(argv[1], "--once") == 0)
        return run(argv[2], NULL, &first, true) ? 0 : 70;
    FILE *json = told ? fopen(argv[2], "w") : NULL;
    int from = told ? 3 : 1, count = argc > from ? argc - from : 3;
    if (told && !json) {
        perror(argv[2]);
        return 66;
    }
    if (json)
        fprintf(json, "[");
    printf("microseconds per path point (of a design: each), processor time, median of %d\n",
           REPEATS);
    for (int i = 0; i < count; i++)
        good = run(argc > from ? argv[from + i] : usual[i], json, &first, false) && good;
    if (json) {
        fprintf(json, "\n]\n");
        good = fclose(json) == 0 && good;
    }
    return good ? 0 : 70;
}
