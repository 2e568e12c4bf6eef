/* driver.h - a small mutation fuzzer around LLVMFuzzerTestOneInput, for builds without libFuzzer.
 *
 *     fuzz_NAME [--seed N] [--seconds S] [--iterations N] [--only I] [file...]
 *
 * Input number i is a pure function of (seed, i): a run can be repeated, and a crash is reported
 * with the number that brings it back (--only). Inputs are tried in a child process under limits of
 * memory and time; the parent tells which input ended it. With -DGDYN_LIBFUZZER the main function
 * is left out. */
#ifndef GDYN_FUZZ_DRIVER_H
#define GDYN_FUZZ_DRIVER_H

#include "base/random.h"

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef GDYN_LIBFUZZER

enum { FUZZ_LONGEST = 1 << 16, FUZZ_SEEDS = 2000, FUZZ_SECONDS_EACH = 10 };

typedef struct fuzz_text {
    char *data;
    size_t size;
} fuzz_text;

typedef struct fuzz_corpus {
    fuzz_text seed[FUZZ_SEEDS];
    int seeds;
    const char *const *word; /* dictionary */
    int words;
} fuzz_corpus;

typedef struct fuzz_run {
    unsigned long long seed;
    long first, iterations;
    double seconds;
} fuzz_run;

static void fuzz_add(fuzz_corpus *corpus, const char *data, size_t size) {
    if (corpus->seeds == FUZZ_SEEDS || size > FUZZ_LONGEST)
        return;
    fuzz_text *text = &corpus->seed[corpus->seeds];
    text->data = malloc(size + 1);
    if (!text->data)
        return;
    memcpy(text->data, data, size);
    text->size = size;
    corpus->seeds++;
}

static void fuzz_add_files(fuzz_corpus *corpus, const char *pattern) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "rb");
        char *buffer = malloc(FUZZ_LONGEST);
        if (file && buffer)
            fuzz_add(corpus, buffer, fread(buffer, 1, FUZZ_LONGEST, file));
        if (file)
            fclose(file);
        free(buffer);
    }
    globfree(&found);
}

/* --- mutations: each changes text (room for FUZZ_LONGEST bytes) in one place --------------------
 */

static size_t fuzz_below(gdyn_random *r, size_t count) {
    return (size_t)(gdyn_random_uniform(r) * (double)count);
}

/* Puts size bytes in place of the `cut` bytes at `at`. */
static void fuzz_replace(fuzz_text *text, size_t at, size_t cut, const char *data, size_t size) {
    if (text->size - cut + size > FUZZ_LONGEST)
        return;
    memmove(text->data + at + size, text->data + at + cut, text->size - at - cut);
    memcpy(text->data + at, data, size);
    text->size += size - cut;
}

static void fuzz_byte(fuzz_text *text, gdyn_random *r) {
    static const char likely[] = " \t\n:,-[]{}#&*!|>'\"%@`$./^()0123456789eipx\x00\xff\xc2";
    char byte = gdyn_random_below(r, 3) ? likely[fuzz_below(r, sizeof likely)]
                                        : (char)gdyn_random_below(r, 256);
    size_t cut = text->size > 0 && gdyn_random_below(r, 2);
    fuzz_replace(text, fuzz_below(r, text->size + 1 - cut), cut, &byte, 1);
}

static void fuzz_word(fuzz_text *text, gdyn_random *r, const fuzz_corpus *corpus) {
    const char *word = corpus->word[fuzz_below(r, (size_t)corpus->words)];
    fuzz_replace(text, fuzz_below(r, text->size + 1), 0, word, strlen(word));
}

/* A piece of up to `most` bytes. */
static size_t fuzz_piece(gdyn_random *r, const fuzz_text *text, size_t most, size_t *at) {
    *at = fuzz_below(r, text->size + 1);
    size_t left = text->size - *at;
    return fuzz_below(r, (left < most ? left : most) + 1);
}

static void fuzz_delete(fuzz_text *text, gdyn_random *r) {
    size_t at, size = fuzz_piece(r, text, 40, &at);
    fuzz_replace(text, at, size, "", 0);
}

/* Copies a piece of a seed (perhaps the text's own) to another place. */
static void fuzz_splice(fuzz_text *text, gdyn_random *r, const fuzz_corpus *corpus) {
    const fuzz_text *other = &corpus->seed[fuzz_below(r, (size_t)corpus->seeds)];
    size_t at, size = fuzz_piece(r, other, 300, &at);
    fuzz_replace(text, fuzz_below(r, text->size + 1), 0, other->data + at, size);
}

/* Whole lines: copied, dropped or indented, so that the structure changes and the words stay. */
static void fuzz_line(fuzz_text *text, gdyn_random *r) {
    size_t start = fuzz_below(r, text->size + 1), end;
    char line[400];
    while (start > 0 && text->data[start - 1] != '\n')
        start--;
    for (end = start; end < text->size && text->data[end] != '\n';)
        end++;
    end += end < text->size;
    if (end - start > sizeof line)
        return;
    memcpy(line, text->data + start, end - start);
    switch (gdyn_random_below(r, 3)) {
    case 0:
        fuzz_replace(text, start, end - start, "", 0);
        break;
    case 1:
        fuzz_replace(text, start, 0, line, end - start);
        break;
    default:
        fuzz_replace(text, start, 0, "  ", 2);
        break;
    }
}

/* A number in the text becomes an ugly one. */
static void fuzz_number(fuzz_text *text, gdyn_random *r) {
    static const char *const ugly[] = {"0",    "-1",     "1e308", "1e-320", "inf",  ".nan",
                                       "-inf", "1/0",    "1e999", "2^31",   "1e18", "4294967296",
                                       "",     "1..1e9", "0.5",   "-0",     "p",    "1e5"};
    size_t at = fuzz_below(r, text->size + 1), tries = 0;
    while (tries++ < text->size &&
           !(at < text->size && text->data[at] >= '0' && text->data[at] <= '9'))
        at = at < text->size ? at + 1 : 0;
    size_t end = at;
    while (end < text->size && text->data[end] >= '0' && text->data[end] <= '9')
        end++;
    const char *number = ugly[fuzz_below(r, sizeof ugly / sizeof ugly[0])];
    fuzz_replace(text, at, end - at, number, strlen(number));
}

static bool fuzz_in_word(const fuzz_text *text, size_t at) {
    if (at >= text->size)
        return false;
    char c = text->data[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A word somewhere in the text: its place and length. */
static size_t fuzz_find_word(gdyn_random *r, const fuzz_text *text, size_t *at) {
    *at = fuzz_below(r, text->size + 1);
    while (*at < text->size && !fuzz_in_word(text, *at))
        ++*at;
    size_t end = *at;
    while (*at > 0 && fuzz_in_word(text, *at - 1))
        --*at;
    while (fuzz_in_word(text, end))
        end++;
    return end - *at;
}

/* A word becomes another word of some seed: the grammar holds and the meaning breaks. */
static void fuzz_rename(fuzz_text *text, gdyn_random *r, const fuzz_corpus *corpus) {
    const fuzz_text *other = &corpus->seed[fuzz_below(r, (size_t)corpus->seeds)];
    size_t at, from, cut = fuzz_find_word(r, text, &at), size = fuzz_find_word(r, other, &from);
    fuzz_replace(text, at, cut, other->data + from, size);
}

/* Input number i. */
static void fuzz_make(fuzz_text *text, const fuzz_corpus *corpus, unsigned long long seed, long i) {
    gdyn_random r = gdyn_random_stream(seed, (uint64_t)i, 0);
    const fuzz_text *from = &corpus->seed[fuzz_below(&r, (size_t)corpus->seeds)];
    text->size = from->size;
    memcpy(text->data, from->data, from->size);
    for (int n = 1 + gdyn_random_below(&r, 4); n > 0; n--)
        switch (gdyn_random_below(&r, 9)) {
        case 0:
            fuzz_byte(text, &r);
            break;
        case 1:
            fuzz_word(text, &r, corpus);
            break;
        case 2:
            fuzz_delete(text, &r);
            break;
        case 3:
            fuzz_splice(text, &r, corpus);
            break;
        case 4:
            fuzz_line(text, &r);
            break;
        case 5:
        case 6:
            fuzz_number(text, &r);
            break;
        default:
            fuzz_rename(text, &r, corpus);
            break;
        }
}

/* --- running
 * -------------------------------------------------------------------------------------- */

static double fuzz_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the process after that much processor time (0: never): an input that hangs is found, a loaded
 * machine is not blamed. */
static void fuzz_limit(long seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* The child: tries inputs and writes down the number of the one it is at. */
static void fuzz_work(const fuzz_corpus *corpus, fuzz_run run, volatile long *at) {
    fuzz_text text = {malloc(FUZZ_LONGEST), 0};
    double end = fuzz_now() + run.seconds;
    if (!text.data)
        _exit(1);
#if !defined(__SANITIZE_ADDRESS__)
    setrlimit(RLIMIT_AS, &(struct rlimit){1u << 30, 1u << 30});
#endif
    for (long i = run.first; i < run.first + run.iterations && fuzz_now() < end; i++) {
        *at = i;
        fuzz_make(&text, corpus, run.seed, i);
        /* An exact copy, so that reading beyond the end is seen. */
        uint8_t *copy = malloc(text.size ? text.size : 1);
        if (!copy)
            _exit(1);
        memcpy(copy, text.data, text.size);
        fuzz_limit(FUZZ_SECONDS_EACH);
        LLVMFuzzerTestOneInput(copy, text.size);
        fuzz_limit(0);
        free(copy);
    }
    free(text.data);
}

/* Runs the child; 0 when nothing was found. */
static int fuzz_watch(const fuzz_corpus *corpus, fuzz_run run) {
    FILE *shared = tmpfile();
    if (!shared || ftruncate(fileno(shared), sizeof(long)) != 0)
        return 2;
    volatile long *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
    if (at == MAP_FAILED)
        return 2;
    *at = run.first;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fuzz_work(corpus, run, at);
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 2;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("%ld inputs from %d seeds, nothing found\n", *at - run.first + 1, corpus->seeds);
        return 0;
    }
    printf("input %ld ended the program (%s %d); again with --seed %llu --only %ld\n", *at,
           WIFSIGNALED(status) ? "signal" : "exit code",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), run.seed, *at);
    return 1;
}

/* One input, printed and tried in this process. */
static int fuzz_only(const fuzz_corpus *corpus, fuzz_run run) {
    fuzz_text text = {malloc(FUZZ_LONGEST), 0};
    if (!text.data)
        return 2;
    fuzz_make(&text, corpus, run.seed, run.first);
    fwrite(text.data, 1, text.size, stdout);
    fflush(stdout);
    int result = LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.size);
    free(text.data);
    return result;
}

/* Reads the options; files named on the command line are added to the seeds. */
static int fuzz_main(int argc, char **argv, fuzz_corpus *corpus) {
    fuzz_run run = {.seed = 1, .iterations = 1L << 40, .seconds = 8};
    bool only = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--seed") == 0)
            run.seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--seconds") == 0)
            run.seconds = atof(value), i++;
        else if (strcmp(argv[i], "--iterations") == 0)
            run.iterations = atol(value), i++;
        else if (strcmp(argv[i], "--only") == 0)
            run.first = atol(value), only = true, i++;
        else
            fuzz_add_files(corpus, argv[i]);
    }
    int result = corpus->seeds == 0 ? 2 : only ? fuzz_only(corpus, run) : fuzz_watch(corpus, run);
    for (int i = 0; i < corpus->seeds; i++)
        free(corpus->seed[i].data);
    return result;
}

#endif
#endif
