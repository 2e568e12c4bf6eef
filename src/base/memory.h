/* memory.h - allocation through one function, and arenas.
 *
 * All allocation of the library goes through gdyn_alloc, so that a test can count allocations (none
 * in hot loops) or let the n-th one fail. */
#pragma once

#include "base/release.h"

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for count elements of the given size; NULL when there is none (or on overflow). */
void *gdyn_alloc(size_t count, size_t size);
/* The same, not zeroed: for workspaces that are written before they are read, most of which is
 * never touched. */
void *gdyn_room(size_t count, size_t size);
/* Grows or shrinks; new bytes are not zeroed; NULL leaves the old block alone. */
void *gdyn_realloc(void *block, size_t count, size_t size);

/* Room for count elements of that size in a list that grows: `list` is the address of its pointer,
 * which is left alone (false) when there is no memory. */
bool gdyn_reserve(void *list, int *capacity, int count, size_t size);
/* For qsort: numbers in ascending order, or records by the number that is their first member. */
int gdyn_ascending(const void *a, const void *b);

/* Notes that another library had no memory: gdyn_memory_refused is true from here on. */
void gdyn_memory_refuse(void);
/* The system's text for errno (EMLINK: of gdyn_document_open_own), with the same note where it is
 * ENOMEM. */
const char *gdyn_errno_text(int number);

/* Test hooks: number of gdyn_alloc/gdyn_realloc calls of this thread so far; and a countdown after
 * which one allocation of this thread fails (-1: never). */
unsigned long gdyn_alloc_count(void);
void gdyn_alloc_fail_after(long countdown);

/* An arena: many small blocks, freed together. Blocks are zeroed and aligned for any type. A series
 * of allocations needs one check at its end: gdyn_arena_failed, true once an allocation failed, and
 * of no arena. */
typedef struct gdyn_arena gdyn_arena;
gdyn_arena *gdyn_arena_create(void);
/* An object that lives in an arena of its own, *arena; NULL: no memory, and no arena. */
void *gdyn_arena_begin(gdyn_arena **arena, size_t size);
void gdyn_arena_destroy(gdyn_arena *arena);
/* NULL without memory, and without an arena. */
void *gdyn_arena_alloc(gdyn_arena *arena, size_t count, size_t size);
/* The same, not zeroed: for workspaces that are written before they are read. */
void *gdyn_arena_room(gdyn_arena *arena, size_t count, size_t size);
double *gdyn_arena_doubles(gdyn_arena *arena, size_t count);
bool gdyn_arena_failed(const gdyn_arena *arena);
char *gdyn_arena_strdup(gdyn_arena *arena, const char *text);
char *gdyn_arena_strndup(gdyn_arena *arena, const char *text, size_t length);
char *gdyn_arena_printf(gdyn_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
