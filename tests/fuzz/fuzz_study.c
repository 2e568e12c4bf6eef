/* fuzz_study.c - any bytes as a study file: refused with a message, or the designs that were written. */
#include "driver.h"
#include "judge.h"

#include "study/store.h"

#include "casefile/casefile.h"

static const char text_of_case[] =
    "format: 1\nname: one\nparameters: {m: 1 kg, l: 1 m}\n"
    "machine: {space: planar, gravity: [0, 0], bodies: {b: {mass: m, inertia: 1, pose: [0, 0, "
    "0]}},\n"
    "  joints: {j: {type: prismatic, of: [b, ground], axis: [1, 0]}}, drives: {d: {at: j, force: "
    "{limit: 1 N}}}}\n"
    "trajectories: {t: {of: b, p: [0, 1], path: {x: p*l}, points: 3}}\n"
    "design: {m: {min: 1 kg, max: 2 kg}, l: {min: 1 m, max: 2 m}}\n"
    "optimize: {objectives: {a: {minimize: m}, b: {maximize: t.accel}}, algorithm: {name: nsga2, "
    "population: 8},\n"
    "  stop: {evaluations: 16}}\n";

enum { DESIGNS = 16 };

/* The only answer: what was written. */
static double written[DESIGNS][4];
static char folder[] = "/tmp/globdyn-fuzz.XXXXXX";

static void path_of(char *name, size_t size, const char *file) {
    snprintf(name, size, "%s/%s", folder, file);
}

/* Variables and objectives of a result, where they are those of a design that was written. */
static void compare(const gdyn_archive *archive, bool first) {
    for (int i = 0; i < archive->count && i < DESIGNS; i++) {
        const gdyn_design *d = archive->design[i];
        const double values[4] = {d->x[0], d->x[1], d->objective[0], d->objective[1]};
        if (first)
            memcpy(written[i], values, sizeof values);
        require(memcmp(written[i], values, sizeof values) == 0);
    }
}

static void remove_files(void) {
    static const char *const names[] = {"study.db", "study.db-wal", "study.db-shm", "study.db-lock",
                                        "copy.db",  "copy.db-wal",  "copy.db-shm",  "copy.db-lock"};
    char name[80];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(name, sizeof name, names[i]);
        unlink(name);
    }
    rmdir(folder);
}

/* A search of some designs into folder/study.db. */
static void search(const char *name) {
    gdyn_sink silent = {0};
    gdyn_case *the_case = NULL;
    gdyn_study *study = NULL;
    gdyn_store *store = NULL;
    gdyn_study_result result;
    gdyn_store_identity identity = {.case_name = "one", .case_text = text_of_case, .key = "k"};
    require(gdyn_case_read_text(text_of_case, strlen(text_of_case), "c", &silent, &the_case) ==
            GDYN_OK);
    require(gdyn_study_create(the_case, 0, NULL, &silent, &study) == GDYN_OK);
    gdyn_study_options options = gdyn_study_default(study);
    identity.search = &options.search;
    require(gdyn_store_open(name, study, &identity, &silent, &store) == GDYN_OK);
    options.store = store;
    require(gdyn_study_run(study, &options, &result) == GDYN_OK);
    require(gdyn_store_set_state(store, "finished", "") == GDYN_OK);
    compare(&result.archive, true);
    gdyn_study_result_clear(&result);
    gdyn_store_close(store);
    gdyn_study_destroy(study);
    gdyn_case_destroy(the_case);
}

static void write_bytes(const char *name, const uint8_t *data, size_t size) {
    FILE *file = fopen(name, "wb");
    require(file && fwrite(data, 1, size, file) == size);
    fclose(file);
}

/* Makes the study that all inputs are damaged copies of; its bytes, to be freed. */
static uint8_t *begin(size_t *size) {
    char name[80];
    require(mkdtemp(folder) != NULL);
    atexit(remove_files);
    path_of(name, sizeof name, "study.db");
    search(name);
    FILE *file = fopen(name, "rb");
    uint8_t *data = malloc(1 << 20);
    require(file && data);
    *size = fread(data, 1, 1 << 20, file);
    fclose(file);
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char name[80];
    int errors = 0;
    gdyn_sink sink = {count_errors, &errors};
    gdyn_stored *stored = NULL;
#ifdef GDYN_LIBFUZZER
    static uint8_t *seed;
    size_t seed_size;
    if (!seed)
        seed = begin(&seed_size);
#endif
    path_of(name, sizeof name, "copy.db");
    write_bytes(name, data, size);
    gdyn_status status = gdyn_stored_open(name, &sink, &stored);
    require((status == GDYN_OK) == (errors == 0) && (status == GDYN_OK) == (stored != NULL));
    if (stored)
        compare(&stored->result.archive, false);
    gdyn_stored_close(stored);
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    "SQLite format 3", "design", "meta", "seal", "\x01", "\xff", "NULL", "16"};

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    size_t size;
    static uint8_t *data; /* seen from the children, too, when they look for leaks */
    data = begin(&size);
    fuzz_add(&corpus, (const char *)data, size);
    int result = fuzz_main(argc, argv, &corpus);
    free(data);
    return result;
}
#endif
