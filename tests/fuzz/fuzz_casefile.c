/* fuzz_casefile.c - any text is either a case that can be instantiated, or is refused with at least
 * one message whose place lies in the text. */
#include "driver.h"
#include "judge.h"

#include "casefile/casefile.h"

static void count(void *context, const gdyn_diag *diag) {
    count_errors(context, diag);
    require(diag->line == 0 || diag->file);
}

static bool instantiate(gdyn_case *c, const gdyn_sink *inner) {
    gdyn_sink sink = gdyn_case_sink(c, inner);
    gdyn_instance *instance = NULL;
    bool good = gdyn_case_instantiate(c, 0, NULL, &sink, &instance) == GDYN_OK;
    for (int i = 0; good && instance->model && i < instance->trajectory_count; i++) {
        gdyn_path *path = NULL;
        good = gdyn_path_create(instance->model, &instance->trajectory[i], &sink, &path) == GDYN_OK;
        gdyn_path_destroy(path);
    }
    gdyn_instance_destroy(instance);
    return good;
}

/* A case that was read is written as a text that gives the same text again. */
static void write_again(const gdyn_case *c) {
    gdyn_text first = {0}, second = {0};
    gdyn_case *back = NULL;
    require(gdyn_case_write(c, 0, NULL, NULL, &first) == GDYN_OK);
    require(gdyn_case_read_text(first.data, first.length, "fuzz.yaml", NULL, &back) == GDYN_OK);
    require(gdyn_case_write(back, 0, NULL, NULL, &second) == GDYN_OK);
    require(strcmp(first.data, second.data) == 0);
    gdyn_text_free(&first);
    gdyn_text_free(&second);
    gdyn_case_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int errors = 0;
    gdyn_sink sink = {count, &errors};
    gdyn_case *c = NULL;
    gdyn_status status = gdyn_case_read_text((const char *)data, size, "fuzz.yaml", &sink, &c);
    bool good = status == GDYN_OK;
    require(good == (errors == 0));
    require(good == (c != NULL));
    if (good)
        require(instantiate(c, &sink) == (errors == 0));
    if (good)
        write_again(c);
    gdyn_case_destroy(c);
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    "format: 1\n",
    "machine:\n",
    "  bodies:\n",
    "  joints:\n",
    "  drives:\n",
    "repeat: {i: 1..3}",
    "like: ",
    "include: ",
    "$i",
    "${i}",
    "$(i+1)",
    "*a",
    "&a ",
    "!!int ",
    "<<: ",
    "- ",
    "? ",
    "|\n",
    ">\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "{",
    "}",
    "[",
    "]",
    "type: gear",
    "type: rod",
    "type: generic, locks: [x]",
    "kind: spline",
    "kind: circle",
    "kind: file, file: t.csv",
    "through: [[0, 0], [1, 1]]",
    "mass: ",
    "inertia: ",
    "pose: ",
    "axis: [0, 0, 1]",
    "cable: ",
    "wrench: ",
    "curve: [[0, 1], [1, 0]]",
    "ground.O",
    "\xef\xbb\xbf",
    "\xff\xfe",
    " kg",
    " mm",
    " N m",
    "sqrt(",
    "1/0",
    "inf",
    "none",
    "true",
    "maximize: ",
    ">= ",
    "points: ",
    "choices: [1, 2]",
    "choices: {u: {a: 1}, v: {a: 2}}",
    "$sum(i, 1..3, a$i)",
    "$prod(",
    "kind: file, data: \"x,y\\n0,0\\n1,1\\n\"",
    "at: {x: 1}",
    "objective.",
    "p: [0, 1]",
};

static void add_right_ones(fuzz_corpus *corpus) {
    fuzz_add_files(corpus, GDYN_SOURCE_DIR "/cases/*.yaml");
    fuzz_add_files(corpus, GDYN_SOURCE_DIR "/cases/*/*.yaml");
    int names_count = 0;
    const char *const *names = gdyn_case_template_names(&names_count);
    for (int i = 0; i < names_count; i++) {
        const char *text = gdyn_case_template(names[i]);
        fuzz_add(corpus, text, strlen(text));
    }
}

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/tests/bad/*.yaml");
    /* Most wrong files end at their one mistake: the right ones weigh as much as all of them. */
    int wrong = corpus.seeds;
    for (int before = -1; corpus.seeds < 2 * wrong && corpus.seeds > before;) {
        before = corpus.seeds;
        add_right_ones(&corpus);
    }
    return fuzz_main(argc, argv, &corpus);
}
#endif
