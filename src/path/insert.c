/* insert.c - further points of a track that was followed (see gdyn_track_insert), and its copy. */
#include "path/internal.h"

#include "base/memory.h"

#include <string.h>

enum { COLUMNS = 10 };

/* An array of the track with its elements' size. */
typedef struct column {
    void *list; /* address of its pointer */
    size_t size;
} column;

static void columns_of(gdyn_track *t, column out[COLUMNS]) {
    size_t n = (size_t)t->n * sizeof(double);
    const column all[COLUMNS] = {
        {&t->p, sizeof *t->p},
        {&t->status, sizeof *t->status},
        {&t->state, sizeof *t->state},
        {&t->u_p, n},
        {&t->u_pp, n},
        {&t->residual, sizeof *t->residual},
        {&t->worst_joint, sizeof *t->worst_joint},
        {&t->rates, sizeof *t->rates},
        {&t->drift, n},
        {&t->error, sizeof *t->error},
    };
    memcpy(out, all, sizeof all);
}

/* Moves all points from i on by one; what point i holds is open. */
static bool open_gap(gdyn_track *track, int i) {
    column all[COLUMNS];
    columns_of(track, all);
    for (int c = 0; c < COLUMNS; c++) {
        int capacity = track->capacity;
        if (!gdyn_reserve(all[c].list, &capacity, track->points + 1, all[c].size))
            return false;
        if (c == COLUMNS - 1)
            track->capacity = capacity;
    }
    for (int c = 0; c < COLUMNS; c++) {
        char *base;
        memcpy(&base, all[c].list, sizeof base);
        char *from = base + all[c].size * (size_t)i;
        memmove(from + all[c].size, from, all[c].size * (size_t)(track->points - i));
    }
    return true;
}

static void fill(gdyn_track *track, int i, const gdyn_path_place *place) {
    size_t first = (size_t)track->n * (size_t)i, bytes = (size_t)track->n * sizeof(double);
    gdyn_state_copy(track->state[i], place->state);
    memcpy(track->u_p + first, place->u_p, bytes);
    memcpy(track->u_pp + first, place->u_pp, bytes);
    memcpy(track->drift + first, place->drift, bytes);
    track->p[i] = place->p;
    track->status[i] = place->status;
    track->residual[i] = place->residual;
    track->worst_joint[i] = place->worst_joint;
    track->rates[i] = place->rates;
    track->error[i] = place->error;
}

int gdyn_track_insert(gdyn_track *track, gdyn_path_place *place) {
    int i = gdyn_track_behind(track, place->p);
    gdyn_state *state = gdyn_state_clone(place->state);
    if (!state || !open_gap(track, i)) {
        gdyn_state_destroy(state);
        return -1;
    }
    /* numbers of points change: what following has left there is given up */
    gdyn_free(track->known);
    track->known = NULL;
    track->points++;
    track->state[i] = state;
    fill(track, i, place);
    track->entered += track->entered >= i;
    gdyn_track_count(track);
    /* the place knows points by their number */
    place->node = place->coarse = -1;
    return i;
}

/* --- a copy ----------------------------------------------------------------------------------- */

/* The list, copied; false when memory is out. */
static bool copy_list(void *list, size_t count, size_t size) {
    void *from, *to = gdyn_alloc(count + 1, size);
    memcpy(&from, list, sizeof from);
    if (to && from)
        memcpy(to, from, count * size);
    memcpy(list, &to, sizeof to);
    return to != NULL;
}

gdyn_track *gdyn_track_copy(const gdyn_track *track) {
    column all[COLUMNS];
    gdyn_track *copy = gdyn_alloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    size_t points = (size_t)track->points;
    size_t ranges = (size_t)gdyn_model_ranges(gdyn_state_model(track->state[0]));
    *copy = *track;
    copy->capacity = 0;
    columns_of(copy, all);
    bool ok = true;
    for (int c = 0; c < COLUMNS; c++)
        ok &= copy_list(all[c].list, points, all[c].size);
    ok &= copy_list(&copy->travel, ranges, sizeof *copy->travel);
    if (copy->known)
        ok &= copy_list(&copy->known, points * (size_t)track->known_length, sizeof *copy->known);
    for (size_t i = 0; copy->state && i < points; i++) {
        copy->state[i] = ok ? gdyn_state_clone(track->state[i]) : NULL;
        ok &= copy->state[i] != NULL;
    }
    if (ok)
        return copy;
    gdyn_track_destroy(copy);
    return NULL;
}
