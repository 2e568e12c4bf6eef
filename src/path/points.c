/* points.c - the points of a track: storage, further ones (gdyn_track_insert), copy, summary. */
#include "path/internal.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Shares of the path's largest |u_p| and |u_pp| + |u_p|^2 / L that are rounding: targets are
 * evaluated to some 1e-16 of their size, and a closure multiplies that by less than 1e4. Second
 * derivatives also hold the rounding of formulas differentiated twice. */
static const double RATE_NONE = 1e-12, BEND_NONE = 1e-9;

/* --- storage ---------------------------------------------------------------------------------- */

enum { COLUMNS = 10 };

/* An array of the track with its elements' size. */
typedef struct column {
    void *list; /* address of its pointer */
    size_t size;
} column;

/* The poses first: they take the memory that another track's poses gave back, and the large arrays
 * fresh pages, of which those of a drift that is zero all along are never touched. */
static void columns_of(gdyn_track *t, column out[COLUMNS]) {
    size_t n = (size_t)t->n * sizeof(double);
    const column all[COLUMNS] = {
        {&t->state, sizeof *t->state},
        {&t->p, sizeof *t->p},
        {&t->status, sizeof *t->status},
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

/* The list begins here; lists are pointers to different types. */
static char *list_of(const column *of) {
    char *list;
    memcpy(&list, of->list, sizeof list);
    return list;
}

/* A new list with the first `count` elements of the present one (0: zeros); false: memory. */
static bool renew_list(const column *of, size_t room, size_t count) {
    char *from = list_of(of), *to = gdyn_alloc(room + 1, of->size);
    if (to && from && count > 0)
        memcpy(to, from, count * of->size);
    memcpy(of->list, &to, sizeof to);
    return to != NULL;
}

/* Room for all points of the path; nothing is followed yet. */
gdyn_track *gdyn_track_create(const gdyn_model *model, const gdyn_path *path) {
    gdyn_track *track = gdyn_alloc(1, sizeof *track);
    column all[COLUMNS];
    if (!track)
        return NULL;
    size_t points = (size_t)gdyn_path_points(path);
    track->path = path;
    track->points = (int)points;
    track->n = gdyn_model_coordinates(model);
    columns_of(track, all);
    bool ok = renew_list(&all[0], points, 0);
    for (size_t i = 0; ok && i < points; i++)
        ok = (track->state[i] =
                  i > 0 ? gdyn_state_clone(track->state[0]) : gdyn_state_create(model)) != NULL;
    for (int c = 1; c < COLUMNS; c++)
        ok = renew_list(&all[c], points, 0) && ok;
    track->travel = gdyn_alloc((size_t)gdyn_model_ranges(model) + 1, sizeof *track->travel);
    if (ok && track->travel)
        return track;
    gdyn_track_destroy(track);
    return NULL;
}

/* Safe on a partly made track. */
void gdyn_track_destroy(gdyn_track *track) {
    column all[COLUMNS];
    if (!track)
        return;
    for (int i = 0; track->state && i < track->points; i++)
        gdyn_state_destroy(track->state[i]);
    columns_of(track, all);
    for (int c = 0; c < COLUMNS; c++)
        gdyn_free(list_of(&all[c]));
    gdyn_free(track->travel), gdyn_free(track->known), gdyn_free(track);
}

void gdyn_track_drop_poses(gdyn_track *track) {
    for (int i = 1; i < track->points; i++) {
        gdyn_state_destroy(track->state[i]);
        track->state[i] = NULL;
    }
    gdyn_free(track->u_p), gdyn_free(track->u_pp), gdyn_free(track->rates);
    gdyn_free(track->drift), gdyn_free(track->known);
    track->known = NULL, track->u_p = track->u_pp = track->drift = NULL;
    track->rates = NULL;
}

/* But what closing left there. What is equal is not touched. */
void gdyn_track_copy_point(gdyn_track *track, int i, const gdyn_track *from, int k) {
    column to[COLUMNS], of[COLUMNS];
    gdyn_track other = *from;
    columns_of(track, to), columns_of(&other, of);
    gdyn_state_copy(track->state[i], from->state[k]);
    for (int c = 1; c < COLUMNS; c++) {
        size_t size = to[c].size;
        char *own = list_of(&to[c]) + size * (size_t)i;
        const char *theirs = list_of(&of[c]) + size * (size_t)k;
        if (memcmp(own, theirs, size) != 0)
            memcpy(own, theirs, size);
    }
    if (track->known)
        track->known[(size_t)track->known_length * (size_t)i] = 0;
}

gdyn_track *gdyn_track_copy(const gdyn_track *track) {
    column all[COLUMNS];
    gdyn_track *copy = gdyn_alloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    size_t points = (size_t)track->points;
    size_t ranges = (size_t)gdyn_model_ranges(gdyn_state_model(track->state[0]));
    size_t known = track->known ? points * (size_t)track->known_length : 0;
    *copy = *track;
    copy->capacity = 0;
    columns_of(copy, all);
    bool ok = true;
    for (int c = 0; c < COLUMNS; c++)
        ok = renew_list(&all[c], points, points) && ok;
    ok = renew_list(&(column){&copy->travel, sizeof *copy->travel}, ranges, ranges) && ok;
    if (track->known)
        ok = renew_list(&(column){&copy->known, sizeof *copy->known}, known, known) && ok;
    for (size_t i = 0; copy->state && i < points; i++) {
        copy->state[i] = ok ? gdyn_state_clone(track->state[i]) : NULL;
        ok = ok && copy->state[i];
    }
    if (ok)
        return copy;
    gdyn_track_destroy(copy);
    return NULL;
}

/* --- a further point -------------------------------------------------------------------------- */

int gdyn_track_insert(gdyn_track *track, gdyn_path_place *place) {
    int i = gdyn_track_behind(track, place->p);
    gdyn_state *state = gdyn_state_clone(place->state);
    int capacity = track->capacity;
    column all[COLUMNS];
    bool ok = state != NULL;
    columns_of(track, all);
    for (int c = 0; ok && c < COLUMNS; c++) {
        capacity = track->capacity;
        ok = gdyn_reserve(all[c].list, &capacity, track->points + 1, all[c].size);
    }
    if (!ok) {
        gdyn_state_destroy(state);
        return -1;
    }
    /* all points from i on move by one */
    track->capacity = capacity;
    for (int c = 0; c < COLUMNS; c++) {
        char *from = list_of(&all[c]) + all[c].size * (size_t)i;
        memmove(from + all[c].size, from, all[c].size * (size_t)(track->points - i));
    }
    /* numbers of points change: what following has left there is given up */
    gdyn_free(track->known);
    track->known = NULL;
    track->points++;
    track->state[i] = state;
    size_t first = (size_t)track->n * (size_t)i, bytes = (size_t)track->n * sizeof(double);
    memcpy(track->u_p + first, place->u_p, bytes);
    memcpy(track->u_pp + first, place->u_pp, bytes);
    memcpy(track->drift + first, place->drift, bytes);
    track->p[i] = place->p, track->status[i] = place->status;
    track->residual[i] = place->residual, track->worst_joint[i] = place->worst_joint;
    track->rates[i] = place->rates, track->error[i] = place->error;
    track->entered += track->entered >= i;
    gdyn_track_count(track);
    /* the place knows points by their number */
    place->node = place->coarse = -1;
    return i;
}

/* --- what the points come to ------------------------------------------------------------------ */

static double greater(double a, double b) {
    return b > a ? b : a;
}

/* Largest component of path derivatives, rotations times L. */
static double size_of(const gdyn_track *track, const double *u) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    double length = 0, turn = 0;
    for (const double *end = u + track->n; u < end; u += planar ? 3 : 6) {
        length = greater(length, greater(fabs(u[0]), fabs(u[1])));
        turn = greater(turn, fabs(u[planar ? 2 : 3]));
        if (!planar) {
            length = greater(length, fabs(u[2]));
            turn = greater(turn, greater(fabs(u[4]), fabs(u[5])));
        }
    }
    return fmax(length, turn * gdyn_model_length(model));
}

int gdyn_track_behind(const gdyn_track *track, double p) {
    int low = 0, high = track->points;
    /* bisection: p ascends */
    while (low < high) {
        int middle = (low + high) / 2;
        if (track->p[middle] <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rates of a machine that stands still are rounding: exact zeros. */
void gdyn_track_rest(const gdyn_track *track, double *u_p, double *u_pp) {
    double L = gdyn_model_length(gdyn_state_model(track->state[0]));
    double rate = track->rate_most, bend = track->bend_most + rate * rate / L;
    size_t bytes = (size_t)track->n * sizeof *u_p;
    if (size_of(track, u_p) > RATE_NONE * rate)
        return;
    memset(u_p, 0, bytes);
    if (size_of(track, u_pp) <= BEND_NONE * bend)
        memset(u_pp, 0, bytes);
}

bool gdyn_track_ends(const gdyn_track *track, double p) {
    return track->points > 1 && p >= track->p[track->points - 1];
}

gdyn_path_rates gdyn_track_rates_at(const gdyn_track *track, double p, const double *u_p,
                                    const double *u_pp) {
    gdyn_path_rates rates = {.u_p = u_p, .u_pp = u_pp, .before = gdyn_track_ends(track, p)};
    gdyn_path_speed_at(track->path, p, &rates.d1_min, &rates.d1_max);
    return rates;
}

/* What rates and accelerations are measured against. */
void gdyn_track_measure(gdyn_track *track) {
    track->rate_most = track->bend_most = 0;
    for (size_t i = 0; i < (size_t)track->points; i++) {
        size_t first = (size_t)track->n * i;
        track->rate_most = fmax(track->rate_most, size_of(track, track->u_p + first));
        track->bend_most = fmax(track->bend_most, size_of(track, track->u_pp + first));
    }
}

/* Points that were followed, and the first that was not. */
void gdyn_track_count(gdyn_track *track) {
    track->followed = 0, track->first_failure = -1;
    for (int i = 0; i < track->points; i++) {
        track->followed += track->status[i] == GDYN_POINT_OK;
        if (track->status[i] != GDYN_POINT_OK && track->first_failure < 0)
            track->first_failure = i;
    }
    track->reach = (double)track->followed / track->points;
}

const char *gdyn_point_status_name(gdyn_point_status status) {
    static const char *const name[] = {"ok", "unassembled", "singular", "branch", "out-of-range"};
    return name[status];
}

const double *gdyn_track_known(const gdyn_track *track, int point) {
    return track->known ? track->known + (size_t)track->known_length * (size_t)point : NULL;
}

gdyn_path_rates gdyn_track_rates(const gdyn_track *track, int point) {
    size_t at = (size_t)track->n * (size_t)point;
    gdyn_path_rates rates =
        gdyn_track_rates_at(track, track->p[point], track->u_p + at, track->u_pp + at);
    rates.known = gdyn_track_known(track, point);
    return rates;
}
