/* memory.c - allocation through one function that tests can count and make fail; lists that grow;
 * arenas. */
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static _Thread_local unsigned long allocations;
static _Thread_local long countdown = -1;
static atomic_bool refused;

/* Counts one allocation; true when the test hook wants it to fail. */
static int refuse(void) {
    allocations++;
    if (countdown < 0)
        return 0;
    return countdown-- == 0;
}

void gdyn_memory_refuse(void) {
    atomic_store(&refused, true);
}

const char *gdyn_errno_text(int number) {
    if (number == ENOMEM)
        gdyn_memory_refuse();
    return number == EMLINK ? "it is a link, or a file with further names" : strerror(number);
}

/* Remembers that an allocation failed. */
static void *noted(void *block) {
    if (!block)
        gdyn_memory_refuse();
    return block;
}

/* Zeroed; never NULL for nothing. */
void *gdyn_alloc(size_t count, size_t size) {
    return noted(refuse() ? NULL : calloc(count ? count : 1, size ? size : 1));
}

/* Products of sizes do not overflow. */
void *gdyn_realloc(void *block, size_t count, size_t size) {
    if (refuse() || (size && count > SIZE_MAX / size))
        return noted(NULL);
    size_t bytes = count * size;
    return noted(realloc(block, bytes ? bytes : 1));
}

void *gdyn_room(size_t count, size_t size) {
    return gdyn_realloc(NULL, count, size);
}

/* Doubled, so that appending costs constant time. */
bool gdyn_reserve(void *list, int *capacity, int count, size_t size) {
    assert(list && capacity && count >= 0);
    if (count <= *capacity)
        return true;
    /* 8, 16, 32, ... without overflow */
    int wanted = *capacity > 8 ? *capacity : 8;
    while (wanted < count)
        wanted = wanted > INT_MAX / 2 ? INT_MAX : 2 * wanted;
    /* the list's pointer has any type */
    void *block;
    memcpy(&block, list, sizeof block);
    block = gdyn_realloc(block, (size_t)wanted, size);
    if (!block)
        return false;
    memcpy(list, &block, sizeof block);
    *capacity = wanted;
    return true;
}

int gdyn_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void gdyn_free(void *block) {
    free(block);
}

bool gdyn_memory_refused(void) {
    return atomic_load(&refused);
}

size_t gdyn_memory_room(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    /* what the limit leaves of the process's address space: its pages are the first number of
     * /proc/self/statm, if that is there */
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm && fscanf(statm, "%lu", &pages) != 1)
        pages = 0;
    if (statm)
        fclose(statm);
    size_t used = pages * (size_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? (size_t)limit.rlim_cur - used : 0;
}

unsigned long gdyn_alloc_count(void) {
    return allocations;
}

void gdyn_alloc_fail_after(long after) {
    countdown = after;
}

typedef struct block {
    struct block *next;
    size_t used, capacity;
    _Alignas(max_align_t) unsigned char data[];
} block;

struct gdyn_arena {
    block *head;
    bool failed;
};

/* With the address sanitizer every piece is a block of its own: it sees accesses beyond its
 * ends. */
#ifdef __SANITIZE_ADDRESS__
enum { BLOCK_BYTES = 1 };
#else
enum { BLOCK_BYTES = 16384 };
#endif

gdyn_arena *gdyn_arena_create(void) {
    return gdyn_alloc(1, sizeof(gdyn_arena));
}

/* All blocks at once. */
void gdyn_arena_destroy(gdyn_arena *arena) {
    if (!arena)
        return;
    for (block *b = arena->head; b;) {
        block *next = b->next;
        gdyn_free(b);
        b = next;
    }
    gdyn_free(arena);
}

/* A block with room for that many bytes, the present one or a new one; what is left of the old one
 * stays unused. */
static block *block_for(gdyn_arena *arena, size_t bytes) {
    block *b = arena->head;
    if (b && b->capacity - b->used >= bytes)
        return b;
    /* a new block in front of the others */
    size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    b = gdyn_room(1, sizeof(block) + capacity);
    if (!b)
        return NULL;
    *b = (block){.next = arena->head, .capacity = capacity};
    return arena->head = b;
}

/* Aligned for any type; failure is remembered by the arena. */
void *gdyn_arena_room(gdyn_arena *arena, size_t count, size_t size) {
    const size_t align = _Alignof(max_align_t);
    if (!arena)
        return NULL;
    /* rounded up to the alignment */
    bool fits = !size || count <= (SIZE_MAX - sizeof(block) - align) / size;
    size_t bytes = fits ? (count * size + align - 1) / align * align : 0;
    bytes = bytes > 0 ? bytes : align;
    block *b = fits ? block_for(arena, bytes) : NULL;
    if (!b) {
        arena->failed = true;
        return NULL;
    }
    /* the next piece of the block */
    void *result = b->data + b->used;
    b->used += bytes;
    return result;
}

void *gdyn_arena_alloc(gdyn_arena *arena, size_t count, size_t size) {
    void *piece = gdyn_arena_room(arena, count, size);
    if (piece)
        memset(piece, 0, count * size);
    return piece;
}

void *gdyn_arena_begin(gdyn_arena **arena, size_t size) {
    *arena = gdyn_arena_create();
    void *object = gdyn_arena_alloc(*arena, 1, size);
    /* nothing is left behind */
    if (!object) {
        gdyn_arena_destroy(*arena);
        *arena = NULL;
    }
    return object;
}

double *gdyn_arena_doubles(gdyn_arena *arena, size_t count) {
    return gdyn_arena_alloc(arena, count, sizeof(double));
}

bool gdyn_arena_failed(const gdyn_arena *arena) {
    return !arena || arena->failed;
}

/* With its NUL. */
char *gdyn_arena_strndup(gdyn_arena *arena, const char *text, size_t length) {
    char *copy = gdyn_arena_alloc(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *gdyn_arena_strdup(gdyn_arena *arena, const char *text) {
    return gdyn_arena_strndup(arena, text, strlen(text));
}

/* Measured first, then written. */
char *gdyn_arena_printf(gdyn_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return NULL;
    char *text = gdyn_arena_alloc(arena, (size_t)length + 1, 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}
