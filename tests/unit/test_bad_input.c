/* test_bad_input.c - wrong case files end in the right messages, and monsters end at all.
 *
 * Every file of tests/bad opens with what it must provoke, one line for each error of the run:
 *     # expect: 12:7: error: unknown key 'maas'        (line and column may be left out)
 *     # help: did you mean 'mass'?                     (belongs to the line above it)
 * No other error may appear. Files are read in processes of their own under limits of memory and
 * time: 25 in one, and each in one when something went wrong, so that a crash or an endless loop is a
 * failure of one file alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "share.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER GDYN_SOURCE_DIR "/tests/bad/"

enum { MEGABYTES = 768, SECONDS = 10, TOGETHER = 25, MOST = 400, TEXT = 600 };

/* --- collecting -------------------------------------------------------------------------------- */

typedef struct message {
    char text[TEXT]; /* "12:7: error: unknown key 'maas'" */
    char help[TEXT];
    bool error, matched;
} message;

typedef struct collection {
    message *item;
    int count, errors;
    const char *flaw; /* of a diagnostic itself */
    const char *main; /* the case file */
} collection;

/* A diagnostic that a user could not read. */
static const char *flaw_of(const gdyn_diag *diag) {
    if (!diag->message || !diag->message[0] || strpbrk(diag->message, "\n\r"))
        return "a message is one line";
    if (strstr(diag->message, "(null)") || (diag->help && strstr(diag->help, "(null)")))
        return "a message prints a null pointer";
    if (diag->line > 0 && (!diag->file || diag->column < 1 || diag->width < 1))
        return "a place is not complete";
    if (diag->line > 0 && diag->source && (size_t)(diag->column - 1) > strlen(diag->source))
        return "a column lies behind the end of its line";
    if (diag->line > 0 && diag->source && strpbrk(diag->source, "\n\r"))
        return "a source line has more than one line";
    return NULL;
}

static void collect(void *context, const gdyn_diag *diag) {
    static const char *const severity[] = {"note", "warning", "error"};
    collection *all = context;
    if (!all->flaw)
        all->flaw = flaw_of(diag);
    if (diag->severity == GDYN_ERROR)
        all->errors++;
    if (all->count == MOST)
        return;
    message *m = &all->item[all->count++];
    int n = 0;
    if (diag->file && strcmp(diag->file, all->main) != 0) {
        bool inside = strncmp(diag->file, FOLDER, strlen(FOLDER)) == 0;
        n = snprintf(m->text, TEXT, "%.100s:", diag->file + (inside ? strlen(FOLDER) : 0));
    }
    if (diag->line > 0)
        n += snprintf(m->text + n, (size_t)(TEXT - n), "%d:%d: ", diag->line, diag->column);
    snprintf(m->text + n, (size_t)(TEXT - n), "%s: %s", severity[diag->severity], diag->message);
    snprintf(m->help, TEXT, "%s", diag->help ? diag->help : "");
    m->error = diag->severity == GDYN_ERROR;
}

/* Everything a command does with a case before it computes; true when all of it was accepted. */
static bool accept(gdyn_status read, gdyn_case *c, const gdyn_sink *inner) {
    if (read != GDYN_OK)
        return false;
    gdyn_sink sink = gdyn_case_sink(c, inner);
    gdyn_instance *instance = NULL;
    bool good = gdyn_case_instantiate(c, 0, NULL, &sink, &instance) == GDYN_OK;
    for (int i = 0; instance && i < instance->trajectory_count && instance->model; i++) {
        gdyn_path *path = NULL;
        if (gdyn_path_create(instance->model, &instance->trajectory[i], &sink, &path) != GDYN_OK)
            good = false;
        gdyn_path_destroy(path);
    }
    gdyn_instance_destroy(instance);
    return good;
}

static bool accept_file(const char *filename, collection *all) {
    gdyn_sink sink = {collect, all};
    gdyn_case *c = NULL;
    all->main = filename;
    gdyn_status status = gdyn_case_read(filename, &sink, &c);
    bool good = accept(status, c, &sink);
    gdyn_case_destroy(c);
    return good;
}

static bool accept_text(const char *text, size_t length, collection *all) {
    gdyn_sink sink = {collect, all};
    gdyn_case *c = NULL;
    all->main = FOLDER "generated.yaml";
    gdyn_status status = gdyn_case_read_text(text, length, all->main, &sink, &c);
    bool good = accept(status, c, &sink);
    gdyn_case_destroy(c);
    return good;
}

static collection collection_create(void) {
    collection all = {.item = calloc(MOST, sizeof *all.item)};
    assert_non_null(all.item);
    return all;
}

static void show(const collection *all) {
    for (int i = 0; i < all->count && i < 20; i++)
        fprintf(stderr, "    %s%s%s\n", all->item[i].text,
                all->item[i].help[0] ? "\n        = " : "", all->item[i].help);
}

/* --- in a process of its own --------------------------------------------------------------------- */

typedef bool (*job)(const void *what);

static void limit(int resource, rlim_t most) {
    struct rlimit r = {most, most};
    setrlimit(resource, &r);
}

/* Runs the job under limits; true when it returned true. */
static bool run(job work, const void *what, const char *name) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!GDYN_SANITIZED) /* the sanitizer reserves address space without end */
            limit(RLIMIT_AS, (rlim_t)MEGABYTES << 20);
        limit(RLIMIT_CPU, SECONDS * (GDYN_SANITIZED ? 10 : 1));
        limit(RLIMIT_CORE, 0);
        bool good = work(what);
        fflush(NULL);
        exit(good ? 0 : 1); /* and not _exit: leaks are looked for on the way out */
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: killed by signal %d\n", name, WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- the files ------------------------------------------------------------------------------------ */

/* Finds the unmatched error that an expectation speaks of. With a place the whole beginning must
 * agree, without one the text may stand anywhere. */
static message *match(const collection *all, const char *expected) {
    bool placed = strncmp(expected, "error: ", 7) != 0;
    for (int i = 0; i < all->count; i++) {
        message *m = &all->item[i];
        if (m->matched || !m->error)
            continue;
        if (placed ? strncmp(m->text, expected, strlen(expected)) == 0
                   : strstr(m->text, expected) != NULL) {
            m->matched = true;
            return m;
        }
    }
    return NULL;
}

/* Compares with the expectations at the head of the file. */
static bool as_expected(const char *filename, const collection *all) {
    FILE *file = fopen(filename, "rb");
    char line[TEXT];
    bool good = file != NULL;
    int expected = 0;
    message *last = NULL;
    while (file && fgets(line, sizeof line, file) && line[0] == '#') {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "# expect: ", 10) == 0) {
            expected++;
            last = match(all, line + 10);
            if (!last)
                fprintf(stderr, "    missing: %s\n", line + 10);
            good = good && last;
        } else if (strncmp(line, "# help: ", 8) == 0 && last && !strstr(last->help, line + 8)) {
            fprintf(stderr, "    missing help: %s\n", line + 8);
            good = false;
        }
    }
    if (file)
        fclose(file);
    if (expected == 0)
        fprintf(stderr, "    the file does not say what it expects\n");
    if (all->errors != expected)
        fprintf(stderr, "    %d errors instead of %d\n", all->errors, expected);
    return good && expected > 0 && all->errors == expected;
}

static bool check_file(const char *name) {
    char filename[1024];
    snprintf(filename, sizeof filename, FOLDER "%s", name);
    collection all = collection_create();
    bool accepted = accept_file(filename, &all);
    bool good = as_expected(filename, &all) && !accepted && !all.flaw;
    if (!good) {
        fprintf(stderr, "%s: %s %s\n", name,
                accepted ? "accepted" : "the messages differ:", all.flaw ? all.flaw : "");
        show(&all);
    }
    free(all.item);
    return good;
}

typedef struct folder {
    struct dirent **entry;
    int first, end;
} folder;

static bool check_files(const void *what) {
    const folder *f = what;
    bool good = true;
    for (int i = f->first; i < f->end; i++)
        good &= check_file(f->entry[i]->d_name);
    return good;
}

static int is_yaml(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static void wrong_files_are_explained(void **state) {
    (void)state;
    struct dirent **entry;
    int count = scandir(FOLDER, &entry, is_yaml, alphasort), failed = 0;
    assert_true(count >= 200);
    for (int i = 0; i < count; i += TOGETHER) {
        int end = i + TOGETHER < count ? i + TOGETHER : count;
        if (run(check_files, &(folder){entry, i, end}, entry[i]->d_name))
            continue;
        for (int j = i; j < end; j++)
            failed += !run(check_files, &(folder){entry, j, j + 1}, entry[j]->d_name);
    }
    for (int i = 0; i < count; i++)
        free(entry[i]);
    free(entry);
    assert_int_equal(failed, 0);
}

/* --- texts ---------------------------------------------------------------------------------------- */

typedef struct sample {
    const char *name;
    const char *text;
    size_t length;
} sample;

typedef enum verdict { REFUSED, ACCEPTED, EITHER } verdict;

/* Reads the sample. Whatever comes of it, a refusal has a reason that can be read. */
static bool judge(const sample *s, verdict wanted) {
    collection all = collection_create();
    bool accepted = accept_text(s->text, s->length, &all);
    bool good = accepted == (all.errors == 0) && !all.flaw &&
                (wanted == EITHER || accepted == (wanted == ACCEPTED));
    if (!good) {
        fprintf(stderr, "%s: %s %s\n", s->name, accepted ? "accepted" : "refused",
                all.flaw ? all.flaw : "");
        show(&all);
    }
    free(all.item);
    return good;
}

static bool refuse(const void *what) {
    return judge(what, REFUSED);
}

static bool take(const void *what) {
    return judge(what, ACCEPTED);
}

static bool survive(const void *what) {
    return judge(what, EITHER);
}

/* --- monsters ------------------------------------------------------------------------------------- */

static const char head[] = "format: 1\nname: monster\n";
static const char rest[] =
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    rod: {mass: 2 kg, inertia: 0.03, points: {A: [0, 0], B: [0.2, 0]}}\n"
    "  joints:\n"
    "    pivot: {type: revolute, of: [rod.A, ground.O]}\n";

static void times(gdyn_text *text, const char *piece, int count) {
    for (int i = 0; i < count; i++)
        gdyn_text_append(text, piece, strlen(piece));
}

static void add(gdyn_text *text, const char *piece) {
    times(text, piece, 1);
}

/* Runs the job over the text and frees it. */
static void try(job work, const char *name, gdyn_text *text) {
    assert_false(text->failed);
    sample s = {name, text->data ? text->data : "", text->length};
    bool good = run(work, &s, name);
    gdyn_text_free(text);
    if (!good)
        fail_msg("%s", name);
}

static void nesting_is_bounded(void **state) {
    (void)state;
    static const char *const open[] = {
        "[", "{a: ", "- ", "? ", "[{a: ", "!!x [", "&a [", "'", "\"\\"};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        gdyn_text text = {0};
        gdyn_text_printf(&text, "%sparameters:\n  ", head);
        times(&text, open[i], 200000);
        try(refuse, open[i], &text);
    }
    gdyn_text blocks = {0};
    for (int i = 0; i < 1500; i++) {
        times(&blocks, " ", i);
        add(&blocks, "a:\n");
    }
    try(refuse, "deep block mappings", &blocks);
    gdyn_text formula = {0};
    gdyn_text_printf(&formula, "%sparameters:\n  a: ", head);
    times(&formula, "(", 60000);
    gdyn_text_printf(&formula, "\n%s", rest);
    try(refuse, "deep formula", &formula);
}

static void size_is_bounded(void **state) {
    (void)state;
    static const char *const before[] = {"about: ",          "about: \"",  "parameters: {a: 1",
                                         "parameters:\n  x", "machine: &", "about: |\n  "};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        gdyn_text text = {0};
        add(&text, head);
        add(&text, before[i]);
        times(&text, "aaaaaaaaaaaaaaaa", 10 << 16); /* 10 MB */
        try(refuse, before[i], &text);
    }
    gdyn_text file = {0};
    add(&file, head);
    times(&file, "# a comment of thirty-two bytes\n", (gdyn_long() ? 64 : 4) << 15);
    add(&file, rest);
    try(survive, "megabytes of comments", &file);
    gdyn_text sum = {0};
    gdyn_text_printf(&sum, "%sparameters:\n  a: 1", head);
    times(&sum, "+1", gdyn_long() ? 1 << 20 : 1 << 17);
    gdyn_text_printf(&sum, "\n%s", rest);
    try(refuse, "a sum of many terms", &sum);
}

static void counts_are_bounded(void **state) {
    (void)state;
    gdyn_text keys = {0}, parameters = {0}, errors = {0}, likes = {0}, items = {0};
    add(&keys, head);
    gdyn_text_printf(&parameters, "%sparameters:\n", head);
    gdyn_text_printf(&errors, "%sparameters:\n", head);
    gdyn_text_printf(&likes, "%smachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n", head);
    gdyn_text_printf(&items, "%sexpect: [", head);
    for (int i = 0; i < (gdyn_long() ? 50000 : GDYN_SANITIZED ? 5000 : 10000); i++) {
        gdyn_text_printf(&keys, "key%d: 1\n", i);
        gdyn_text_printf(&parameters, "  p%d: p%d + 1\n", i, i + 1);
        gdyn_text_printf(&errors, "  p%d: 1 +* 2\n", i);
        gdyn_text_printf(&likes, "    b%d: {like: b%d}\n", i, i + 1);
    }
    times(&items, "1, ", gdyn_long() ? 1 << 20 : 1 << 18);
    add(&items, "1]\n");
    try(refuse, "unknown keys", &keys);
    try(refuse, "parameters in a chain without end", &parameters);
    try(refuse, "wrong formulas", &errors);
    try(refuse, "entries like each other", &likes);
    try(refuse, "many list entries", &items);
}

static void expansion_is_bounded(void **state) {
    (void)state;
    gdyn_text laughs = {0}, quadratic = {0}, nested = {0}, product = {0};
    gdyn_text_printf(&laughs, "%sparameters:\n  a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n", head);
    for (int i = 1; i < 200; i++) {
        gdyn_text_printf(&laughs, "  a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            gdyn_text_printf(&laughs, "%s*a%d", j ? ", " : "", i - 1);
        add(&laughs, "]\n");
    }
    try(refuse, "laughs without number", &laughs);
    gdyn_text_printf(&quadratic, "%sparameters:\n  a: &a [", head);
    times(&quadratic, "1, ", 20000);
    add(&quadratic, "1]\n  b: [");
    times(&quadratic, "*a, ", 20000);
    add(&quadratic, "*a]\n");
    try(refuse, "20,000 times 20,000", &quadratic);
    gdyn_text_printf(&nested, "%s%sdesign:\n", head, rest);
    for (int i = 0; i < 8; i++)
        gdyn_text_printf(&nested, "%*sx$i%d:\n%*srepeat: {i%d: 1..100}\n", 2 * i + 2, "", i,
                         2 * i + 4, "", i);
    try(refuse, "repeats inside repeats", &nested);
    gdyn_text_printf(&product,
                     "%s%s    r$a$b$c$d: {repeat: {a: 1..99, b: 1..99, c: 1..99, d: 1..99}, type: "
                     "revolute, of: [rod.B, ground.O]}\n",
                     head, rest);
    try(refuse, "a hundred million joints", &product);
}

static bool refuse_garbage(const void *what) {
    bool good = true;
    for (unsigned first = *(const unsigned *)what, i = first; i < first + TOGETHER; i++) {
        gdyn_random r = gdyn_random_stream(3, i, 0);
        gdyn_text text = {0};
        if (i % 4 == 0)
            add(&text, head);
        for (int n = 1 + gdyn_random_below(&r, 4000); n > 0; n--) {
            char byte = (char)gdyn_random_below(&r, 256);
            gdyn_text_append(&text, &byte, 1);
        }
        if (i % 8 == 0)
            add(&text, rest);
        char name[40];
        snprintf(name, sizeof name, "garbage number %u", i);
        sample s = {name, text.data, text.length};
        good &= refuse(&s);
        gdyn_text_free(&text);
    }
    return good;
}

static void garbage_is_refused(void **state) {
    (void)state;
    for (unsigned i = 0; i < (GDYN_SANITIZED ? TOGETHER : 200); i += TOGETHER)
        assert_true(run(refuse_garbage, &i, "garbage"));
}

/* The text in UTF-16, with its mark. */
static gdyn_text wide(const char *text, bool big) {
    gdyn_text out = {0};
    gdyn_text_append(&out, big ? "\xfe\xff" : "\xff\xfe", 2);
    for (; *text; text++) {
        const char pair[2] = {big ? '\0' : *text, big ? *text : '\0'};
        gdyn_text_append(&out, pair, 2);
    }
    return out;
}

static void encodings_are_told_apart(void **state) {
    (void)state;
    char whole[2000];
    snprintf(whole, sizeof whole, "%s%s", head, rest);
    gdyn_text little = wide(whole, false), big = wide(whole, true);
    gdyn_text nul = {0}, cut = {0}, empty = {0}, blank = {0};
    try(refuse, "UTF-16, little end first", &little);
    try(refuse, "UTF-16, big end first", &big);
    gdyn_text_append(&nul, whole, strlen(whole));
    gdyn_text_append(&nul, "about: a\0b\n", 11);
    try(refuse, "a zero byte", &nul);
    gdyn_text_printf(&cut, "%sabout: \xe2\x82", whole);
    try(refuse, "half a character", &cut);
    try(refuse, "empty file", &empty);
    times(&blank, " \n", 1000);
    try(refuse, "blank file", &blank);
}

/* Devices and folders are no case files. */
static bool refuse_file(const void *what) {
    collection all = collection_create();
    bool good = !accept_file(what, &all) && all.errors == 1 && !all.flaw;
    if (!good)
        show(&all);
    free(all.item);
    return good;
}

static void odd_files_are_refused(void **state) {
    (void)state;
    static const char *const files[] = {"/dev/zero", "/dev/null", "/", "/no/such/file.yaml", ""};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!run(refuse_file, files[i], files[i]))
            fail_msg("'%s'", files[i]);
}

/* --- positive controls ------------------------------------------------------------------------------ */

static void accepted(const char *name, const char *text) {
    sample s = {name, text, strlen(text)};
    if (!run(take, &s, name))
        fail_msg("%s", name);
}

static void valid_texts_are_accepted(void **state) {
    (void)state;
    char text[8000];
    snprintf(text, sizeof text, "%s%s", head, rest);
    accepted("planar", text);
    snprintf(text, sizeof text, "\xef\xbb\xbf%s%s", head, rest);
    accepted("byte order mark", text);
    snprintf(text, sizeof text, "---\n%s%s...\n", head, rest);
    accepted("document marks", text);
    accepted("JSON", "{\"format\": 1, \"name\": \"json\", \"machine\": {\"space\": \"planar\", "
                     "\"gravity\": [0, 0], \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": 1}}}}\n");
    accepted("returns and newlines",
             "format: 1\r\nname: dos\r\nmachine:\r\n  space: planar\r\n  gravity: [0, -9.81]\r\n"
             "  bodies:\r\n    a: {mass: 1 kg, inertia: 0.1}\r\n");
    accepted("spatial",
             "format: 1\nname: space\nmachine:\n  space: spatial\n  gravity: [0, 0, -9.81]\n"
             "  bodies:\n    a:\n      mass: 1 kg\n"
             "      inertia: {diagonal: [0.1, 0.1, 0.1], products: [0, 0, 0]}\n"
             "      pose: {at: [0, 0, 1], cardan: [0, 10 deg, 0]}\n");
    accepted("analytic",
             "format: 1\nname: analytic\nparameters: {x: 1, y: 2}\n"
             "design:\n  x: {min: 0, max: 3}\n  y: {min: 0, max: 3}\n"
             "optimize:\n  objectives: {f: {minimize: x^2 + y^2}, g: {minimize: (x - 1)^2 + y}}\n");
}

static void every_trajectory_is_accepted(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "of: rod.B, p: [0, 1], path: {x: 0.2*cos(p), y: 0.2*sin(p)}",
        "joints: {pivot: 0.3*p}, p: [0, 1]",
        "joints: {pivot.angle: 0.3*p}, p: [0, 1], points: 2",
        "of: rod.B, kind: circle, centre: [0, 0], radius: 200 mm",
        "of: rod.B, kind: arc, centre: [0, 0], radius: 200 mm, start: 0, end: 90 deg",
        "of: rod.B, kind: line, from: [0.2, 0], to: [0.2, 0.01]",
        "of: rod.B, kind: polyline, through: [[0.2, 0], [0.2, 0.01], [0.19, 0.02]]",
        "of: rod.B, kind: spline, through: [[0.2, 0], [0.2, 0.01], [0.19, 0.02]]",
        "of: rod.B, kind: file, file: include/table.csv",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char text[4000];
        snprintf(text, sizeof text, "%s%strajectories:\n  t: {%s}\n", head, rest, kinds[i]);
        accepted(kinds[i], text);
    }
}

static void every_part_is_accepted(void **state) {
    (void)state;
    static const char *const parts[] = {
        "  drives: {m: {at: pivot, torque: {min: -1 N m, max: 1 N m}}}",
        "  drives: {m: {at: pivot.angle, torque: {limit: 1 N m}, speed: {max: 300 rpm}}}",
        "  drives: {m: {at: pivot, torque: {min: -inf, max: inf}, rotor_inertia: 1e-4, ratio: 50}}",
        "  drives: {m: {at: pivot, torque: {min: -9, max: 9}, curve: [[0, 9], [10, 8], [20, 0]]}}",
        "  drives: {c: {cable: [rod.B, ground.O], tension: {min: 0 N, max: 9 N}}}",
        "  drives: {c: {between: [rod.B, ground.O], force: {min: -9 N, max: 9 N}}}",
        "  drives: {w: {wrench: {of: rod.B, force: [1, 0], in: body}, force: {min: -1, max: 1}}}",
        "  forces: {s: {type: spring, at: pivot, stiffness: 3 N m/rad, rest: 10 deg}}",
        "  forces: {s: {type: spring, between: [rod.B, ground.O], stiffness: 3 N/m, rest: 10 mm}}",
        "  forces: {d: {type: damper, at: pivot, viscous: 0.1 N m s/rad}}",
        "  forces: {f: {type: friction, at: pivot, coulomb: 0.1 N m}}",
        "  forces: {f: {type: constant, of: rod.B, force: [1 N, 0], torque: 2 N m}}",
        "  forces: {f: {type: process, of: rod.B, magnitude: 10 N}}",
        "  motions: {h: {at: pivot, displacement: 0.1*sin(2*t)}}",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char text[4000];
        snprintf(text, sizeof text, "%s%s%s\n", head, rest, parts[i]);
        accepted(parts[i], text);
    }
}

static void templates_are_accepted(void **state) {
    (void)state;
    int count = 0;
    const char *const *names = gdyn_case_template_names(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        accepted(names[i], gdyn_case_template(names[i]));
}

/* Lets the allocations fail one after the other: an error each time, no crash, nothing left behind
 * (which the sanitizers see). */
static bool starve(const void *what) {
    const sample *s = what;
    for (long after = 0; after < 100000; after += gdyn_next_failure()) {
        collection all = collection_create();
        gdyn_alloc_fail_after(after);
        bool good = accept_text(s->text, s->length, &all);
        gdyn_alloc_fail_after(-1);
        free(all.item);
        if (good && all.errors == 0)
            return after > 20;
        if (good || all.flaw) {
            fprintf(stderr, "%s: allocation %ld\n", s->name, after);
            return false;
        }
    }
    return false;
}

static void lack_of_memory_is_survived(void **state) {
    (void)state;
    int count = 0;
    const char *const *names = gdyn_case_template_names(&count);
    for (int i = 0; i < count; i++) {
        const char *text = gdyn_case_template(names[i]);
        sample s = {names[i], text, strlen(text)};
        if (!run(starve, &s, names[i]))
            fail_msg("%s", names[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_files_are_explained),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(counts_are_bounded),
        cmocka_unit_test(expansion_is_bounded),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(encodings_are_told_apart),
        cmocka_unit_test(odd_files_are_refused),
        cmocka_unit_test(valid_texts_are_accepted),
        cmocka_unit_test(every_trajectory_is_accepted),
        cmocka_unit_test(every_part_is_accepted),
        cmocka_unit_test(templates_are_accepted),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests_name("bad_input", tests, NULL, NULL);
}
