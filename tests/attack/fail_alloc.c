/* fail_alloc.c - preloaded into globdyn: refuses the n-th allocation after the beginning of main, whoever asks for it.
 *
 *   FAIL_AT=n     refuse allocation n (from 1); 0 or not set: none
 *   FAIL_FOR=m    and the m - 1 that follow (default 1)
 *   FAIL_COUNT=F  write the number of allocations to the file F at the end
 *
 * LD_PRELOAD=libfail_alloc.so FAIL_AT=17 globdyn check case.yaml */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long count = -1; /* below zero: main has not begun */
static long first, last;

static int refused(void) {
    if (atomic_load(&count) < 0)
        return 0;
    long n = atomic_fetch_add(&count, 1) + 1;
    if (n < first || n > last)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

void *malloc(size_t bytes) {
    return refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes) {
    return refused() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *block, size_t bytes) {
    return refused() ? NULL : __libc_realloc(block, bytes);
}

static int (*the_main)(int, char **, char **);

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void write_count(void) {
    const char *name = getenv("FAIL_COUNT");
    long n = atomic_exchange(&count, -1);
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file)
        fprintf(file, "%ld\n", n), fclose(file);
}

static int counted_main(int argc, char **argv, char **environment) {
    first = number("FAIL_AT", 0);
    last = first + number("FAIL_FOR", 1) - 1;
    atexit(write_count);
    atomic_store(&count, 0);
    return the_main(argc, argv, environment);
}

typedef int starter(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                    void (*)(void), void *);

starter __libc_start_main; /* no header declares it */

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    the_main = main;
    starter *start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &symbol, sizeof start);
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
