/* test_report_study.c - pictures and tables of studies: every design in the right block of the data,
 * scripts that gnuplot accepts for studies of every shape, stale pictures removed and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/front.h"
#include "report/report.h"
#include "study/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = GDYN_BINARY_DIR "/tests/report_study";

/* --- studies ---------------------------------------------------------------------------------- */

typedef struct ran {
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_study_options options;
    gdyn_study_result result;
    gdyn_outcome outcome;
} ran;

static void run(ran *r, const char *text) {
    *r = (ran){0};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "test.yaml", NULL, &r->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_study_create(r->the_case, 0, NULL, NULL, &r->study), GDYN_OK);
    r->options = gdyn_study_default(r->study);
    r->options.threads = 1;
    assert_int_equal(gdyn_study_run(r->study, &r->options, &r->result), GDYN_OK);
    r->outcome = (gdyn_outcome){"odd \"name\"", r->study, &r->options, &r->result};
}

static void end(ran *r) {
    gdyn_study_result_clear(&r->result);
    gdyn_study_destroy(r->study);
    gdyn_case_destroy(r->the_case);
}

static const char two_objectives[] =
    "format: 1\nname: two\n"
    "parameters: {x1: 0.5, x2: 0.5, x3: 0.5, g: 1 + 4.5*(x2 + x3)}\n"
    "design:\n  x1: {min: 0, max: 1}\n  x2: {min: 0, max: 1}\n  x3: {min: 0, max: 1}\n"
    "optimize:\n"
    "  objectives: {f1: {minimize: x1}, f2: {minimize: g*(1 - sqrt(x1/g))}}\n"
    "  constraints: {right: x1 >= 0.2}\n"
    "  algorithm: {name: nsga2, population: 20, seed: 4}\n  stop: {evaluations: 400}\n";

/* --- files ------------------------------------------------------------------------------------ */

static bool exists(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static char *content(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(length > 0 && length < (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Rows with numbers in block `wanted` of a data file (blocks end with two empty lines). */
static int rows_in_block(const char *data, int wanted) {
    int block = 0, rows = 0, empty = 0;
    for (const char *line = data; *line;) {
        size_t length = strcspn(line, "\n");
        if (length == 0 && ++empty == 2)
            block++;
        if (length > 0) {
            empty = 0;
            rows += block == wanted && line[0] != '#' && strncmp(line, "NaN", 3) != 0;
        }
        line += length + (line[length] == '\n');
    }
    return rows;
}

/* Paints everything; gnuplot, where it is installed, takes the scripts without a word. */
static void paint(const ran *r, gdyn_pictures *pictures) {
    *pictures = (gdyn_pictures){.folder = folder};
    assert_int_equal(gdyn_report_folder(folder, NULL), GDYN_OK);
    gdyn_picture_study(pictures, &r->outcome, false);
    assert_int_equal(gdyn_pictures_settle(pictures, "optimize"), GDYN_OK);
    if (gdyn_gnuplot_present())
        assert_int_equal(gdyn_pictures_draw(pictures), GDYN_OK);
    for (int i = 0; i < pictures->count; i++) {
        char name[200];
        snprintf(name, sizeof name, "%s.gp", pictures->stem[i]);
        assert_true(exists(name));
    }
}

static void paint_text(const char *text) {
    ran r;
    gdyn_pictures pictures;
    run(&r, text);
    paint(&r, &pictures);
    gdyn_pictures_free(&pictures);
    end(&r);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Blocks: infeasible, dominated, front, start. */
static void every_design_has_one_mark(void **state) {
    (void)state;
    ran r;
    gdyn_pictures pictures;
    run(&r, two_objectives);
    r.options.search.population = 20;
    paint(&r, &pictures);
    int feasible = 0, nondominated = 0;
    for (int i = 0; i < r.result.archive.count; i++) {
        feasible += r.result.archive.design[i]->status == GDYN_DESIGN_OK;
        nondominated += r.result.nondominated[i];
    }
    assert_int_equal(nondominated, r.result.front.count); /* no design came twice */
    char *data = content("front.dat");
    assert_int_equal(rows_in_block(data, 0), r.result.archive.count - feasible);
    assert_int_equal(rows_in_block(data, 1), feasible - nondominated);
    assert_int_equal(rows_in_block(data, 2), nondominated);
    assert_int_equal(rows_in_block(data, 3), 1);
    free(data);
    data = content("parallel.dat"); /* six axes in one row; a line per design */
    assert_int_equal(rows_in_block(data, 0), 6 * r.result.front.count);
    assert_int_equal(rows_in_block(data, 1), 6);
    free(data);
    data = content("failures.dat"); /* shares of each generation: first, last, from, to */
    double shares = 0, bar[4];
    for (const char *line = strchr(data, '\n'); line; line = strchr(line + 1, '\n'))
        if (sscanf(line, "%lf %lf %lf %lf", &bar[0], &bar[1], &bar[2], &bar[3]) == 4 &&
            line[1] != '\n')
            shares += bar[3] - bar[2];
    assert_true(fabs(shares - 100.0 * r.result.history_count) < 1e-5);
    free(data);
    gdyn_pictures_free(&pictures);
    end(&r);
}

/* Every status of every generation adds up to the designs evaluated. */
static void history_adds_up(void **state) {
    (void)state;
    ran r;
    gdyn_text csv = {0};
    run(&r, two_objectives);
    gdyn_report_history_csv(&csv, &r.outcome);
    assert_false(csv.failed);
    int rows = 0;
    long sum = 0, generation, evaluations = 0;
    for (char *line = strchr(csv.data, '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
        int population, feasible, front, moved, status[GDYN_DESIGN_STATUSES];
        double volume;
        assert_int_equal(sscanf(line, "%ld,%ld,%d,%d,%d,%lf,%d,%d,%d,%d,%d,%d,%d,%d", &generation,
                                &evaluations, &population, &feasible, &front, &volume, &moved,
                                &status[0], &status[1], &status[2], &status[3], &status[4],
                                &status[5], &status[6]),
                         7 + GDYN_DESIGN_STATUSES);
        assert_int_equal(generation, rows + 1);
        for (int k = 0; k < GDYN_DESIGN_STATUSES; k++)
            sum += status[k];
        assert_int_equal(sum, evaluations);
    }
    assert_int_equal(rows, r.result.history_count);
    assert_int_equal(evaluations, r.result.archive.count);
    gdyn_text_free(&csv);
    end(&r);
}

/* A slider of mass M with two drives +-F and viscous friction b: |M d2 + b d1| <= 2F, d1 <= 8. The
 * outline of the start design lies on that parallelogram and reaches all of its sides. */
static void regions_of_the_start_design(void **state) {
    (void)state;
    static const char slider[] =
        "format: 1\nname: slider\nparameters: {M: 10 kg, F: 50 N, b: 20 N s/m}\n"
        "machine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
        "  bodies:\n    slider: {mass: M, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
        "  joints:\n    rail: {type: prismatic, of: [slider.P, ground.O], axis: [1, 0],\n"
        "           friction: {viscous: b}}\n"
        "  drives:\n    push: {at: rail, force: {min: -F, max: F}, speed: {max: 8 m/s}}\n"
        "    pull: {at: rail, force: {min: -F, max: F}}\n"
        "trajectories:\n  line: {of: slider.P, p: [0, 1], path: {x: p}, points: 5}\n"
        "design:\n  M: {min: 2 kg, max: 40 kg}\n  F: {min: 10 N, max: 100 N}\n"
        "optimize:\n  objectives: {accel: {maximize: line.accel}, effort: {minimize: F}}\n"
        "  algorithm: {population: 8, seed: 7}\n  stop: {evaluations: 40}\n";
    ran r;
    gdyn_pictures pictures;
    run(&r, slider);
    paint(&r, &pictures);
    char *data = content("line_designs.dat");
    double most = 0, least = 0, fastest = 0;
    int points = 0;
    for (char *line = strchr(data, '\n') + 1; *line != '\n'; line = strchr(line, '\n') + 1) {
        double d1, d2;
        assert_int_equal(sscanf(line, "%lf %lf", &d1, &d2), 2);
        double force = 10 * d2 + 20 * d1;
        assert_true(fabs(force) <= 100 * (1 + 1e-7) && d1 >= 0); /* nine digits are written */
        most = fmax(most, force);
        least = fmin(least, force);
        fastest = fmax(fastest, d1);
        points++;
    }
    assert_true(points > 20);
    assert_true(fabs(most - 100) < 1e-4 && fabs(least + 100) < 1e-4 && fabs(fastest - 8) < 1e-7);
    free(data);
    gdyn_pictures_free(&pictures);
    end(&r);
}

/* A crank that lifts a weight along a path without stated points: designs get points of their own. At the place where
 * the region of the start is smallest each has its own closed form, d2 = (+-T - M g l cos p) / (M l^2 + J). */
static void designs_are_compared_at_one_place(void **state) {
    (void)state;
    static const char crank[] =
        "format: 1\nname: crank\nparameters: {M: 5 kg, T: 60 N m, l: 0.5 m}\n"
        "machine:\n  space: planar\n  gravity: [0, -9.81]\n"
        "  bodies:\n    crank: {mass: M, inertia: 0.1, com: [l, 0], pose: [0, 0, 0]}\n"
        "  joints:\n    axle: {type: revolute, of: [crank, ground]}\n"
        "  drives:\n    motor: {at: axle, torque: {limit: T}, speed: {max: 9 rad/s}}\n"
        "trajectories:\n  turn: {p: [-1.1, 2.3], joints: {axle: \"p + 0.1*sin(2*p)\"}}\n"
        "design:\n  M: {min: 1 kg, max: 11 kg}\n  T: {min: 20 N m, max: 90 N m}\n"
        "optimize:\n  objectives: {speed: {maximize: turn.accel}, effort: {minimize: T}}\n"
        "  algorithm: {population: 8, seed: 7}\n  stop: {evaluations: 40}\n";
    ran r;
    gdyn_best_designs best;
    run(&r, crank);
    assert_int_equal(gdyn_best_designs_choose(&best, r.study, &r.result), GDYN_OK);
    assert_int_equal(gdyn_best_designs_follow(&best, 0), GDYN_OK);
    bool points_differ = false;
    double p = best.p, slope = 1 + 0.2 * cos(2 * p), angle = p + 0.1 * sin(2 * p);
    for (int i = 0; i < best.count; i++) {
        const double *x = best.list[i].design->x;
        const gdyn_region *region = best.list[i].region[1];
        double inertia = (0.1 + x[0] * 0.25) * slope, load = x[0] * 9.81 * 0.5 * cos(angle);
        assert_non_null(region);
        assert_true(fabs(region->rest_max - (x[1] - load) / inertia) < 1e-9 * x[1] / inertia);
        assert_true(fabs(region->rest_min - (-x[1] - load) / inertia) < 1e-9 * x[1] / inertia);
        points_differ = points_differ || best.list[i].t.along.points != best.list[0].t.along.points;
    }
    assert_true(best.count > 2 && points_differ);
    gdyn_best_designs_free(&best);
    end(&r);
}

/* A two-link arm whose start design is too short for its path: the picture says so, and shows the
 * others. */
static void a_start_that_fails_is_told(void **state) {
    (void)state;
    static const char arm[] =
        "format: 1\nname: arm\n"
        "parameters: {l: 0.6 m, bend: \"2*acos(min(1/(2*l/(1 m)), 1))\"}\n"
        "machine:\n  space: planar\n  gravity: [0, -9.81]\n  ground: {points: {O: [0, 0]}}\n"
        "  bodies:\n    upper: {mass: 2 kg, inertia: 0.1, points: {A: [0, 0], B: [l, 0]},\n"
        "            pose: [0, 0, -bend/2]}\n"
        "    lower: {mass: 1 kg, inertia: 0.1, points: {B: [0, 0], T: [l, 0]},\n"
        "            pose: [l*cos(bend/2), -l*sin(bend/2), bend/2]}\n"
        "  joints:\n    shoulder: {type: revolute, of: [upper.A, ground.O]}\n"
        "    elbow: {type: revolute, of: [lower.B, upper.B]}\n"
        "  drives:\n    m1: {at: shoulder, torque: {min: -60 N m, max: 60 N m}}\n"
        "    m2: {at: elbow, torque: {min: -60 N m, max: 60 N m}}\n"
        "trajectories:\n  wall: {of: lower.T, p: [-0.3, 0.3], path: {x: 1, y: p}, points: 9}\n"
        "design:\n  l: {min: 0.3 m, max: 0.9 m, start: 0.45 m}\n"
        "optimize:\n  objectives: {accel: {maximize: wall.accel}, length: {minimize: l}}\n"
        "  algorithm: {population: 8, seed: 5}\n  stop: {evaluations: 32}\n";
    ran r;
    gdyn_pictures pictures;
    run(&r, arm);
    assert_int_equal(r.result.archive.design[0]->status, GDYN_DESIGN_UNASSEMBLED);
    assert_true(r.result.front.count > 0);
    paint(&r, &pictures);
    char *script = content("wall_designs.gp");
    assert_non_null(strstr(script, "unassembled: "));
    assert_non_null(strstr(script, "minimum length"));
    free(script);
    script = content("parallel.gp");
    assert_non_null(strstr(script, "the start design has no values"));
    free(script);
    gdyn_pictures_free(&pictures);
    end(&r);
}

/* One objective; four of them; choices; nothing feasible; a start without values. */
/* Area that the first `evaluations` designs dominate: strips between neighbouring f1, each as high as
 * the least f2 up to there. */
static double area_of(const gdyn_study_result *result, long evaluations) {
    double area = 0, from = -INFINITY;
    for (;;) {
        double next = INFINITY, lowest = INFINITY; /* the strip from `from` to `next` */
        for (int i = 0; i < result->archive.count; i++) {
            const gdyn_design *d = result->archive.design[i];
            if (d->status != GDYN_DESIGN_OK || d->serial >= evaluations)
                continue;
            if (d->objective[0] <= from)
                lowest = fmin(lowest, d->objective[1]);
            else
                next = fmin(next, d->objective[0]);
        }
        double end = fmin(next, result->reference[0]);
        if (from < end && lowest < result->reference[1])
            area += (end - from) * (result->reference[1] - lowest);
        if (!(next < result->reference[0]))
            return area;
        from = next;
    }
}

/* The curve of the history holds what all designs so far dominate, against one reference point. */
static void volumes_compare_from_end_to_end(void **state) {
    (void)state;
    ran r;
    gdyn_pictures pictures;
    run(&r, two_objectives);
    paint(&r, &pictures);
    char *data = content("history.dat");
    int rows = 0;
    double last = 0;
    for (const char *line = strchr(data, '\n') + 1; *line && *line != '\n';
         line = strchr(line, '\n') + 1, rows++) {
        long evaluations;
        double volume;
        assert_int_equal(sscanf(line, "%ld %lf", &evaluations, &volume), 2);
        double expected = area_of(&r.result, evaluations);
        assert_true(fabs(volume - expected) <= 1e-8 * expected); /* nine digits are written */
        assert_true(volume >= last);
        last = volume;
    }
    assert_int_equal(rows, r.result.history_count);
    free(data);
    gdyn_pictures_free(&pictures);
    end(&r);
}

static void studies_of_every_shape(void **state) {
    (void)state;
    paint_text("format: 1\nname: one\nparameters: {x: 0.5}\ndesign: {x: {min: -1, max: 1}}\n"
               "optimize:\n  objectives: {f: {minimize: x^2}}\n"
               "  algorithm: {population: 8}\n  stop: {evaluations: 40}\n");
    paint_text("format: 1\nname: four\nparameters: {x: 0.5, y: 0.1, flat: 3}\n"
               "design:\n  x: {min: 0, max: 1e-4}\n  y: {choices: [1 mm, 2 mm, 4 mm]}\n"
               "optimize:\n  objectives:\n    f: {minimize: x}\n    g: {maximize: 1e9*(y - x)}\n"
               "    h: {minimize: y^2}\n    same: {minimize: flat}\n"
               "  algorithm: {population: 12}\n  stop: {evaluations: 60}\n");
    paint_text("format: 1\nname: never\nparameters: {x: 0.5, y: 0.5}\n"
               "design: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}\n"
               "optimize:\n  objectives: {f: {minimize: x}, g: {minimize: y - x}}\n"
               "  constraints: {never: x + y >= 3}\n"
               "  algorithm: {population: 8}\n  stop: {evaluations: 40}\n");
    paint_text("format: 1\nname: blind\nparameters: {x: -0.5, y: 0.5}\n"
               "design: {x: {min: -1, max: 1}, y: {min: 0, max: 1}}\n"
               "optimize:\n  objectives: {f: {minimize: sqrt(x)}, g: {minimize: y - x}}\n"
               "  algorithm: {population: 8}\n  stop: {evaluations: 40}\n");
}

/* More axes than fit in a row, more objectives than in a matrix. */
static void studies_with_many_axes(void **state) {
    (void)state;
    char text[4000];
    int at = snprintf(text, sizeof text, "format: 1\nname: many\nparameters: {");
    for (int i = 0; i < 40; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%sa_rather_long_name_%d: 0.5",
                       i ? ", " : "", i);
    at += snprintf(text + at, sizeof text - (size_t)at, "}\ndesign:\n");
    for (int i = 0; i < 40; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  a_rather_long_name_%d: {min: 0, max: 1}\n", i);
    at += snprintf(text + at, sizeof text - (size_t)at, "optimize:\n  objectives:\n");
    for (int i = 0; i < 8; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "    f%d: {minimize: a_rather_long_name_%d - a_rather_long_name_%d}\n", i, i,
                       i + 1);
    snprintf(text + at, sizeof text - (size_t)at,
             "  algorithm: {population: 12}\n  stop: {evaluations: 48}\n");
    paint_text(text);
}

/* What an earlier run painted and this one does not goes; files of others stay, and so does whatever
 * a forged list names outside the folder. */
static void stale_pictures_are_removed(void **state) {
    (void)state;
    gdyn_pictures first = {.folder = folder}, second = first, other = first;
    assert_int_equal(gdyn_report_folder(folder, NULL), GDYN_OK);
    assert_true(gdyn_pictures_add(&first, "old_path_regions"));
    assert_true(gdyn_pictures_add(&first, "kept"));
    assert_true(gdyn_pictures_add(&second, "kept"));
    assert_true(gdyn_pictures_add(&other, "other"));
    static const char *const files[] = {
        "old_path_regions.gp",  "old_path_regions.png", "kept.gp", "other.gp",
        "old_path_regions.txt", "../outside.gp"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(gdyn_report_write(folder, files[i], "x", 1, NULL), GDYN_OK);
    assert_int_equal(gdyn_pictures_settle(&first, "regions"), GDYN_OK);
    assert_int_equal(gdyn_pictures_settle(&other, "traverse"), GDYN_OK);
    assert_true(exists("old_path_regions.gp"));
    second.partial = true; /* one of the command's pictures alone was asked for */
    assert_int_equal(gdyn_pictures_settle(&second, "regions"), GDYN_OK);
    assert_true(exists("old_path_regions.gp"));
    second.partial = false;
    char *list = content("pictures.list");
    char forged[600];
    snprintf(forged, sizeof forged, "%sregions ../outside\n", list);
    free(list);
    assert_int_equal(gdyn_report_write(folder, "pictures.list", forged, strlen(forged), NULL),
                     GDYN_OK);
    assert_int_equal(gdyn_pictures_settle(&second, "regions"), GDYN_OK);
    assert_false(exists("old_path_regions.gp"));
    assert_false(exists("old_path_regions.png"));
    assert_true(exists("kept.gp"));
    assert_true(exists("other.gp"));
    assert_true(exists("old_path_regions.txt"));
    assert_true(exists("../outside.gp"));
    gdyn_pictures_free(&first);
    gdyn_pictures_free(&second);
    gdyn_pictures_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_design_has_one_mark),
        cmocka_unit_test(history_adds_up),
        cmocka_unit_test(regions_of_the_start_design),
        cmocka_unit_test(designs_are_compared_at_one_place),
        cmocka_unit_test(a_start_that_fails_is_told),
        cmocka_unit_test(studies_of_every_shape),
        cmocka_unit_test(studies_with_many_axes),
        cmocka_unit_test(stale_pictures_are_removed),
        cmocka_unit_test(volumes_compare_from_end_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
