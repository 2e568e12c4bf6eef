/* fuzz_readers.c - any bytes as a table of motions, places, starts of a search or coefficients: read, or refused with
 * one message. The first byte says which reader gets the rest. */
#include "driver.h"
#include "judge.h"

#include "study/store.h"
#include "trajectory/internal.h"
#include "trajectory/motion_table.h"

#include <math.h>

static const char text_of_case[] =
    "format: 1\nparameters: {m: 1 kg, l: 1 m}\n"
    "machine: {space: planar, gravity: [0, 0], bodies: {b: {mass: m, inertia: 1, pose: [0, 0, "
    "0]}},\n"
    "  joints: {j: {type: prismatic, of: [b, ground], axis: [1, 0]}}, drives: {d: {at: j, force: "
    "{limit: 1 N}}}}\n"
    "trajectories: {t: {of: b, p: [0, 1], path: {x: p*l}, points: 3}}\n"
    "design: {m: {min: 1 kg, max: 2 kg}, l: {min: 1 m, max: 2 m}}\n"
    "optimize: {objectives: {a: {minimize: m}}, algorithm: {name: nsga2}, stop: {evaluations: "
    "8}}\n";

/* The instance whose variables a warm start gives. */
static const gdyn_instance *start(void) {
    static gdyn_case *the_case;
    static gdyn_instance *instance;
    gdyn_sink silent = {0};
    if (!instance) {
        require(gdyn_case_read_text(text_of_case, strlen(text_of_case), "c", &silent, &the_case) ==
                GDYN_OK);
        require(gdyn_case_instantiate(the_case, 0, NULL, &silent, &instance) == GDYN_OK);
    }
    return instance;
}

static gdyn_status read_motion(const char *name, bool in_order, const gdyn_sink *sink) {
    gdyn_motion_table motion;
    gdyn_motion_range range = {"line", GDYN_DIM_NONE, 0, 1, NULL};
    gdyn_status status = in_order ? gdyn_motion_table_read(&motion, name, &range, sink)
                                  : gdyn_motion_table_places(&motion, name, &range, sink);
    for (int i = 0; status == GDYN_OK && i < motion.count; i++)
        require(motion.sample[i].p >= -1e-6 && motion.sample[i].p <= 1 + 1e-6);
    gdyn_motion_table_close(&motion);
    return status;
}

static gdyn_status read_starts(const char *name, const gdyn_sink *sink) {
    int designs = 0;
    double *x = NULL;
    gdyn_status status = gdyn_warm_start_read(name, start(), sink, &designs, &x);
    require((status == GDYN_OK) == (x != NULL));
    for (int i = 0; x && i < 2 * designs; i++)
        require(isfinite(x[i]));
    gdyn_free(x);
    return status;
}

static gdyn_status read_coefficients(const char *name, const gdyn_sink *sink) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_coefficient_points points;
    gdyn_status status = gdyn_coefficient_points_read(&points, arena, name, 0, sink);
    for (int i = 0; status == GDYN_OK && i < points.points; i++)
        require(isfinite(points.p[i]) && (i == 0 || points.p[i] >= points.p[i - 1]));
    gdyn_arena_destroy(arena);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *file;
    char name[64];
    int errors = 0;
    gdyn_sink sink = {count_errors, &errors};
    if (size == 0)
        return 0;
    /* A regular file without a name, as the readers open theirs by name. */
    if (!file)
        file = tmpfile();
    require(file && ftruncate(fileno(file), 0) == 0);
    require(pwrite(fileno(file), data + 1, size - 1, 0) == (ssize_t)(size - 1));
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(file));
    gdyn_status status = data[0] % 4 == 0   ? read_coefficients(name, &sink)
                         : data[0] % 4 == 1 ? read_starts(name, &sink)
                                            : read_motion(name, data[0] % 4 == 2, &sink);
    require((status == GDYN_OK) == (errors == 0));
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    ",",      ";",    "\t",   "\"",        "#",       "\r\n", "\n",    "[mm]",         " [ms]",
    "p",      "d1",   "d2",   "d2_before", "t",       "A",    "B",     "V1",           "trajectory",
    "line",   "-inf", "nan",  "1e999",     "design.", "min",  "max",   "rate",         "drive",
    "1e-320", "0",    "1e18", "",          "1,5",     "\xff", "1e308", "\xef\xbb\xbf",
};

static const char *const tables[] = {
    "\x02t,p\n0,0\n0.5,0.4\n1,1\n",
    "\x02p,d1,d2\n0,0,1\n0.5,1,1\n1,1.4,-1\n",
    "\x02t [ms];p;d2_before\n0;0;0\n500;0,5;0\n1000;1;0\n",
    "\x02trajectory,p,d1,d2\nring,0,0,1\nline,0,0,1\nline,1,1,-1\n",
    "\x03p\n0.5\n0\n1\n",
    "\x01m,l\n1,1\n2,1.5\n",
    "\x01"
    "design.m [g],design.l [mm]\n1000,1500\n",
    "\x04p,drive,A,B,C,min,max\n0,m1,1,0,0.5,-1,1\n0,m2,1,1,0,-2,2\n1,m1,2,0,0,-1,1\n1,m2,1,0,0,-2,"
    "2\n",
    "\x04p [mm],drive,A,B,C "
    "[N],D,V1,min,max,rate\n0,m1,1,0,0.5,0,1,-1,1,5\n9,m1,1,0,0.5,0,1,-1,1,5\n",
};

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        fuzz_add(&corpus, tables[i], strlen(tables[i]));
    return fuzz_main(argc, argv, &corpus);
}
#endif
