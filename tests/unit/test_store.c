/* The study file: every bit comes back, a search continues from it, and what is not its own is
 * refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "study/archive.h"
#include "study/store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two variables whose names differ in case only, an objective called like a parameter, joints, and
 * lines that may leave the arm's reach. */
static const char text_of_case[] =
    "format: 1\n"
    "name: arm\n"
    "parameters: {m: 2 kg, M: 10 kg, F: 50 N, l: 2 m}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    upper: {mass: M, inertia: 0.1, points: {A: [-1, 0], B: [1, 0]}, pose: [1, 0, 0]}\n"
    "    lower: {mass: m, inertia: 0.1, points: {B: [-1, 0], C: [1, 0]}, pose: [2, 1, pi/2]}\n"
    "  joints:\n"
    "    shoulder: {type: revolute, of: [upper.A, ground.O]}\n"
    "    elbow: {type: revolute, of: [lower.B, upper.B]}\n"
    "  drives:\n"
    "    turn: {at: shoulder, torque: {limit: F*1 m}}\n"
    "    bend: {at: elbow, torque: {limit: F*1 m}}\n"
    "trajectories:\n"
    "  line: {of: lower.C, p: [0, 1], path: {x: 2, y: 2 + l*p}, points: 5}\n"
    "design:\n"
    "  m: {min: 1 kg, max: 4 kg}\n"
    "  M: {min: 2 kg, max: 20 kg}\n"
    "  F: {min: 10 N, max: 100 N}\n"
    "  l: {min: 0.5 m, max: 2.5 m}\n"
    "optimize:\n"
    "  objectives:\n"
    "    speed: {maximize: line.d1_max}\n"
    "    F: {minimize: F*(M + m)}\n"
    "  constraints: {quick: line.accel >= 1}\n"
    "  algorithm: {name: nsga2, population: 20, seed: 5}\n"
    "  stop: {evaluations: 200}\n";

typedef struct fixture {
    char folder[64], file[80];
    gdyn_case *the_case;
    gdyn_study *study;
    char message[400]; /* the first error */
    gdyn_sink sink;
} fixture;

static void keep(void *context, const gdyn_diag *diag) {
    fixture *f = context;
    if (diag->severity == GDYN_ERROR && !f->message[0])
        snprintf(f->message, sizeof f->message, "%s", diag->message);
}

static void set_up_with(fixture *f, const char *text) {
    *f = (fixture){.folder = "/tmp/globdyn-store.XXXXXX"};
    f->sink = (gdyn_sink){keep, f};
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->file, sizeof f->file, "%s/study.db", f->folder);
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "arm.yaml", &f->sink, &f->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_study_create(f->the_case, 0, NULL, &f->sink, &f->study), GDYN_OK);
}

static void set_up(fixture *f) {
    set_up_with(f, text_of_case);
}

static void tear_down(fixture *f) {
    char command[100];
    gdyn_study_destroy(f->study);
    gdyn_case_destroy(f->the_case);
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    assert_int_equal(system(command), 0);
}

static gdyn_status open_store(fixture *f, const char *key, gdyn_store **store) {
    gdyn_store_identity identity = {
        .kind = GDYN_STORE_OPTIMIZE, .case_name = "arm", .case_text = text_of_case, .key = key};
    f->message[0] = '\0';
    return gdyn_store_open(f->file, f->study, &identity, &f->sink, store);
}

/* Every field but the time; what is not known is zero on both sides. */
static void same_design(const fixture *f, const gdyn_design *a, const gdyn_design *b) {
    const gdyn_instance *start = gdyn_study_start(f->study);
    size_t responses = (size_t)gdyn_study_responses(f->study), number = sizeof(double);
    assert_int_equal(a->serial, b->serial);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->evaluated, b->evaluated);
    assert_int_equal(a->difference, b->difference);
    assert_int_equal(a->judged, b->judged);
    assert_string_equal(a->reason, b->reason);
    assert_memory_equal(&a->violation, &b->violation, number);
    assert_memory_equal(&a->failure, &b->failure, number);
    assert_memory_equal(a->x, b->x, (size_t)start->design_count * number);
    assert_memory_equal(a->objective, b->objective, (size_t)start->objective_count * number);
    assert_memory_equal(a->constraint, b->constraint, (size_t)start->requirement_count * number);
    assert_memory_equal(a->response, b->response, responses * number);
    assert_memory_equal(a->known, b->known, responses * sizeof(bool));
    for (int i = 0; a->judged && i < gdyn_study_joints(f->study); i++)
        assert_int_equal(a->joint[i], b->joint[i]);
}

static void same_result(const fixture *f, const gdyn_study_result *a, const gdyn_study_result *b) {
    assert_int_equal(a->archive.count, b->archive.count);
    for (int i = 0; i < a->archive.count; i++)
        same_design(f, a->archive.design[i], b->archive.design[i]);
    assert_int_equal(a->front.count, b->front.count);
    for (int i = 0; i < a->front.count; i++)
        same_design(f, a->front.design[i], b->front.design[i]);
    assert_int_equal(a->history_count, b->history_count);
    for (int i = 0; i < a->history_count; i++)
        assert_memory_equal(&a->history[i], &b->history[i], sizeof *a->history);
    assert_true(a->hypervolume == b->hypervolume);
}

static volatile sig_atomic_t stop_flag;

static void stop_after_fifty(void *context, const gdyn_study_progress *progress) {
    const long *more = context;
    stop_flag = progress->evaluated >= 50 + (more ? *more : 0);
}

/* Stopped after 50 designs in mid-generation, read, continued, read: always what a search without
 * file has. */
/* Ends the run without a digest, then with one: lists say the same, from all designs and from the table meta. */
static void end_with_digest(fixture *f, gdyn_store *store, const gdyn_study_result *result) {
    gdyn_text text = {0};
    gdyn_digest read[2];
    assert_int_equal(gdyn_store_set_state(store, "finished", ""), GDYN_OK);
    gdyn_store_close(store);
    assert_int_equal(gdyn_digest_read(f->file, &read[0]), GDYN_OK);
    assert_int_equal(open_store(f, "key\n", &store), GDYN_OK);
    gdyn_digest_write(f->study, result, &text);
    assert_int_equal(gdyn_store_set_state(store, "finished", text.data), GDYN_OK);
    gdyn_text_free(&text);
    gdyn_store_close(store);
    assert_int_equal(gdyn_digest_read(f->file, &read[1]), GDYN_OK);
    assert_int_equal(read[0].designs, result->archive.count);
    assert_int_equal(read[0].feasible, result->final.status[GDYN_DESIGN_OK]);
    assert_int_equal(read[0].front, result->front.count);
    assert_memory_equal(&read[0].designs, &read[1].designs, 4 * sizeof(int));
    assert_string_equal(read[0].goals, read[1].goals);
    assert_string_equal(read[1].state, "finished");
    assert_true(read[0].front > 0);
    assert_memory_equal(read[0].F, read[1].F,
                        sizeof(double) * (size_t)read[0].m * (size_t)read[0].front);
    gdyn_digest_free(&read[0]);
    gdyn_digest_free(&read[1]);
}

static void a_search_continues_from_its_file(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    gdyn_study_options options = gdyn_study_default(f.study);
    gdyn_study_result whole, part, rest;
    options.threads = 1;
    assert_int_equal(gdyn_study_run(f.study, &options, &whole), GDYN_OK);
    int *status = whole.final.status;
    assert_true(status[GDYN_DESIGN_OK] > 0 && status[GDYN_DESIGN_UNASSEMBLED] > 0);

    gdyn_study_options stopped = options;
    stopped.interrupt = &stop_flag;
    stopped.progress = stop_after_fifty;
    assert_int_equal(open_store(&f, "key\n", &stopped.store), GDYN_OK);
    assert_int_equal(gdyn_study_run(f.study, &stopped, &part), GDYN_OK);
    gdyn_store_close(stopped.store);
    assert_true(part.interrupted);
    /* the thread that evaluates may have begun one more */
    int done = part.archive.count;
    assert_true(done == 50 || done == 51);
    for (int i = 0; i < done; i++)
        same_design(&f, part.archive.design[i], whole.archive.design[i]);

    gdyn_stored *stored;
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_OK);
    same_result(&f, &part, &stored->result);
    gdyn_stored_close(stored);

    assert_int_equal(open_store(&f, "key\n", &options.store), GDYN_OK);
    assert_int_equal(gdyn_store_count(options.store), done);
    assert_int_equal(gdyn_study_run(f.study, &options, &rest), GDYN_OK);
    assert_int_equal(rest.final.continued, done);
    end_with_digest(&f, options.store, &rest);
    same_result(&f, &whole, &rest);

    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_OK);
    assert_string_equal(stored->state, "finished");
    assert_string_equal(stored->case_name, "arm");
    assert_int_equal(stored->owner, 0);
    bool asked = false;
    assert_int_equal(gdyn_stored_asked(stored, &asked), GDYN_OK);
    assert_true(asked);
    stored->options.search.seed++; /* another search would ask for others */
    assert_int_equal(gdyn_stored_asked(stored, &asked), GDYN_OK);
    assert_false(asked);
    same_result(&f, &whole, &stored->result);
    gdyn_stored_close(stored);
    gdyn_study_result_clear(&whole);
    gdyn_study_result_clear(&part);
    gdyn_study_result_clear(&rest);
    tear_down(&f);
}

/* Models are not fitted to read a surrogate study: the history tells its batches. Without it nothing is told. */
/* Local searches with slopes, stopped between a design and its neighbours and among these: the
 * points at which these are evaluated are found again. Each has the values of all points. */
static void slopes_continue_from_the_file(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    gdyn_study_options options = gdyn_study_default(f.study);
    options.search.method = GDYN_SEARCH_CHEBYSHEV;
    options.search.nlopt = "slsqp";
    options.search.evaluations = 90;
    options.threads = 1;
    gdyn_study_result whole, threads, part, rest;
    assert_int_equal(gdyn_study_run(f.study, &options, &whole), GDYN_OK);
    options.threads = 3;
    assert_int_equal(gdyn_study_run(f.study, &options, &threads), GDYN_OK);
    same_result(&f, &whole, &threads);
    gdyn_study_result_clear(&threads);
    options.threads = 1;
    for (long more = 0; more < 6; more += 2) {
        gdyn_study_options stopped = options;
        stopped.interrupt = &stop_flag;
        stopped.progress = stop_after_fifty;
        stopped.context = &more;
        stop_flag = 0;
        assert_int_equal(open_store(&f, "key\n", &stopped.store), GDYN_OK);
        assert_int_equal(gdyn_study_run(f.study, &stopped, &part), GDYN_OK);
        gdyn_store_close(stopped.store);
        assert_true(part.interrupted);
        gdyn_study_result_clear(&part);
        assert_int_equal(open_store(&f, "key\n", &options.store), GDYN_OK);
        assert_int_equal(gdyn_study_run(f.study, &options, &rest), GDYN_OK);
        gdyn_store_close(options.store);
        options.store = NULL;
        same_result(&f, &whole, &rest);
        gdyn_study_result_clear(&rest);
        assert_int_equal(unlink(f.file), 0);
    }
    int differences = 0;
    gdyn_design *full = gdyn_design_create(f.study);
    for (int i = 0; i < whole.archive.count; i++) {
        const gdyn_design *d = whole.archive.design[i];
        assert_false(d->difference && whole.nondominated[i]);
        if (!d->difference || !d->evaluated)
            continue;
        differences++;
        assert_int_equal(gdyn_study_evaluate(f.study, d->x, GDYN_EXTENT_NEEDED, full), GDYN_OK);
        for (int k = 0; k < 2; k++)
            assert_near(d->objective[k], full->objective[k], 1e-12);
        assert_near(d->constraint[0], full->constraint[0], 1e-12);
    }
    assert_true(differences > 20);
    gdyn_design_destroy(full);
    gdyn_study_result_clear(&whole);
    tear_down(&f);
}

static void a_history_that_is_gone_is_told(void **state) {
    (void)state;
    fixture f;
    gdyn_stored *stored = NULL;
    gdyn_study_result result;
    sqlite3 *db;
    char text[sizeof text_of_case];
    memcpy(text, text_of_case, sizeof text);
    memcpy(strstr(text, "nsga2, population: 20"), "surrogate, batch:   4", 21);
    set_up_with(&f, text);
    gdyn_study_options options = gdyn_study_default(f.study);
    options.threads = 1;
    options.search.evaluations = 24;
    gdyn_store_identity identity = {.kind = GDYN_STORE_OPTIMIZE,
                                    .case_name = "arm",
                                    .case_text = text,
                                    .key = "key\n",
                                    .search = &options.search};
    assert_int_equal(gdyn_store_open(f.file, f.study, &identity, &f.sink, &options.store), GDYN_OK);
    assert_int_equal(gdyn_study_run(f.study, &options, &result), GDYN_OK);
    gdyn_store_close(options.store);
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_OK);
    same_result(&f, &result, &stored->result);
    gdyn_stored_close(stored);
    gdyn_study_result_clear(&result);

    assert_int_equal(sqlite3_open(f.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE generation", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    f.message[0] = '\0';
    assert_int_not_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_OK);
    assert_true(f.message[0] != '\0');
    tear_down(&f);
}

static void other_studies_are_refused(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    gdyn_store *store;
    assert_int_equal(open_store(&f, "a: 1\nb: 2\n", &store), GDYN_OK);
    gdyn_store_close(store);
    assert_int_equal(open_store(&f, "a: 1\n  b: 3\n", &store), GDYN_ERROR_STUDY);
    assert_non_null(strstr(f.message, "it has 'b: 2' where this one has 'b: 3'"));
    assert_null(store);
    assert_int_equal(open_store(&f, "a: 1\n", &store), GDYN_ERROR_STUDY);
    gdyn_store_identity sweep = {
        GDYN_STORE_SWEEP, "arm", text_of_case, "a: 1\nb: 2\n", NULL, 0, NULL, false, false};
    assert_int_equal(gdyn_store_open(f.file, f.study, &sweep, &f.sink, &store), GDYN_ERROR_STUDY);
    assert_int_equal(open_store(&f, "a: 1\nb: 2\n", &store), GDYN_OK);
    gdyn_store_close(store);
    tear_down(&f);
}

static void write_file(const char *name, const char *bytes, size_t length) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void other_files_are_refused(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    gdyn_store *store;
    gdyn_stored *stored;
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_ERROR_FILE);
    char noise[5000];
    memset(noise, 'x', sizeof noise);
    write_file(f.file, noise, sizeof noise);
    assert_int_equal(open_store(&f, "key\n", &store), GDYN_ERROR_STUDY);
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_ERROR_STUDY);
    assert_null(stored);
    /* an empty file is a database without tables: nothing to read, but a study can be made of it */
    write_file(f.file, "", 0);
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_ERROR_STUDY);
    assert_int_equal(open_store(&f, "key\n", &store), GDYN_OK);
    gdyn_store_close(store);
    /* no such folder */
    snprintf(f.file, sizeof f.file, "%s/none/study.db", f.folder);
    assert_int_equal(open_store(&f, "key\n", &store), GDYN_ERROR_FILE);
    tear_down(&f);
}

/* A child process holds the study until it is killed. */
static void a_second_process_is_told_the_owner(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gdyn_store *mine;
        char ok = open_store(&f, "key\n", &mine) == GDYN_OK;
        if (write(ready[1], &ok, 1) == 1)
            pause();
        _exit(0);
    }
    char ok = 0, expected[40];
    assert_int_equal(read(ready[0], &ok, 1), 1);
    assert_true(ok);
    gdyn_store *store;
    assert_int_equal(open_store(&f, "key\n", &store), GDYN_ERROR_STUDY);
    snprintf(expected, sizeof expected, "in use by process %ld", (long)child);
    assert_non_null(strstr(f.message, expected));
    gdyn_stored *stored; /* reading goes on */
    assert_int_equal(gdyn_stored_open(f.file, &f.sink, &stored), GDYN_OK);
    assert_int_equal(stored->owner, child);
    gdyn_stored_close(stored);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(open_store(&f, "key\n", &store), GDYN_OK);
    gdyn_store_close(store);
    close(ready[0]);
    close(ready[1]);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_continues_from_its_file),
        cmocka_unit_test(slopes_continue_from_the_file),
        cmocka_unit_test(a_history_that_is_gone_is_told),
        cmocka_unit_test(other_studies_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_second_process_is_told_the_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
