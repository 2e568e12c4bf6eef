/* fronts.c - non-dominated sorting, crowding, thinning.
 *
 * Sorting. Points are taken in lexicographic order, so that a later one never dominates an earlier
 * one. A point belongs to the first front none of whose members dominates it, and "front k holds a
 * dominator" is true for all k below that front, so it is found by bisection. With two objectives
 * the last member of a front has its smallest f2 and alone decides (Jensen 2003): O(n log n). With
 * more, members are tried from the last one backwards (ENS-BS; Zhang, Tian, Cheng, Jin 2015).
 *
 * Thinning. The crowding distance of a point is the sum over the objectives of the gap between its
 * two neighbours, divided by the front's range (Deb et al. 2002). Each objective keeps a linked
 * list; a heap gives the most crowded point; after a removal only its 2 m neighbours change. With
 * three and more objectives neighbours in one objective are far apart in the others; there
 * distances are the better measure. */
#include "search/fronts.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Share of its range below which an objective has no extent at the ends of the front; exponents of
 * its norm; shortest distance from the ideal point. */
static const double NO_EXTENT = 1e-6, FLATTEST = 0.1, ROUNDEST = 20, SHORTEST = 1e-9;

struct gdyn_fronts {
    gdyn_arena *arena; /* owns it */
    int capacity, m;
    int *order, *scratch; /* capacity */
    int *last, *previous; /* last member of each front; member before this one in its front */
    int *before, *after;  /* m x capacity: neighbours of a point in each objective */
    double *gap;          /* capacity: crowding by position in member[] */
    double *length;       /* capacity: distance from the ideal point */
    double *least;        /* m x 2: smallest values; scratch */
    double *range;        /* m: scale */
    int *heap, *place;    /* capacity: heap of positions and its inverse */
    int *names;           /* capacity: columns of the positions */
};

gdyn_fronts *gdyn_fronts_create(int capacity, int m) {
    gdyn_arena *arena;
    gdyn_fronts *w = gdyn_arena_begin(&arena, sizeof *w);
    if (!w)
        return NULL;
    size_t c = (size_t)capacity, pairs = c * (size_t)m;
    *w = (gdyn_fronts){.arena = arena, .capacity = capacity, .m = m};
    int **lists[] = {&w->order, &w->scratch, &w->last, &w->previous,
                     &w->heap,  &w->place,   &w->names};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = gdyn_arena_alloc(arena, c, sizeof(int));
    w->before = gdyn_arena_alloc(arena, pairs, sizeof *w->before);
    w->after = gdyn_arena_alloc(arena, pairs, sizeof *w->after);
    w->gap = gdyn_arena_doubles(arena, c);
    w->length = gdyn_arena_doubles(arena, c);
    w->least = gdyn_arena_doubles(arena, 2 * (size_t)m);
    w->range = gdyn_arena_doubles(arena, (size_t)m);
    if (!gdyn_arena_failed(arena))
        return w;
    gdyn_fronts_destroy(w);
    return NULL;
}

void gdyn_fronts_destroy(gdyn_fronts *fronts) {
    if (fronts)
        gdyn_arena_destroy(fronts->arena);
}

static bool precedes(const double *F, int m, int first, int a, int b) {
    /* Lexicographic from objective `first` on, then by place. */
    const double *fa = F + (size_t)a * (size_t)m, *fb = F + (size_t)b * (size_t)m;
    for (int step = 0, j = first; step < m; step++, j = j + 1 < m ? j + 1 : 0)
        if (fa[j] != fb[j])
            return fa[j] < fb[j];
    return a < b;
}

/* Bottom-up merge sort: runs of eight by insertion, then merges. */
void gdyn_fronts_order(const double *F, int m, int first, int count, int *index, int *scratch) {
    enum { RUN = 8 };
    for (int start = 0; start < count; start += RUN)
        for (int i = start + 1; i < count && i < start + RUN; i++) {
            int moving = index[i], j = i;
            for (; j > start && precedes(F, m, first, moving, index[j - 1]); j--)
                index[j] = index[j - 1];
            index[j] = moving;
        }
    /* merged, each width twice the one before: a stable order in O(n log n) */
    for (int width = RUN; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = middle + width < count ? middle + width : count;
            int a = start, b = middle;
            for (int k = start; k < end; k++)
                scratch[k] = a < middle && (b >= end || precedes(F, m, first, index[a], index[b]))
                                 ? index[a++]
                                 : index[b++];
        }
        memcpy(index, scratch, (size_t)count * sizeof *index);
    }
}

bool gdyn_fronts_dominates(const double *a, const double *b, int m) {
    bool better = false;
    for (int j = 0; j < m; j++) {
        if (a[j] > b[j])
            return false;
        better |= a[j] < b[j];
    }
    return better;
}

/* True when some member of front k dominates the point. */
static bool front_dominates(const gdyn_fronts *w, const double *F, int k, const double *point) {
    size_t m = (size_t)w->m;
    if (w->m <= 2)
        return gdyn_fronts_dominates(F + (size_t)w->last[k] * m, point, w->m);
    for (int i = w->last[k]; i >= 0; i = w->previous[i])
        if (gdyn_fronts_dominates(F + (size_t)i * m, point, w->m))
            return true;
    return false;
}

int gdyn_fronts_sort(gdyn_fronts *w, const double *F, int count, int *front) {
    /* Lexicographic order: a later point never dominates an earlier one. */
    for (int i = 0; i < count; i++)
        w->order[i] = i;
    gdyn_fronts_order(F, w->m, 0, count, w->order, w->scratch);
    int fronts = 0;
    for (int s = 0; s < count; s++) {
        /* Bisection for the first front none of whose members dominates the point. */
        int i = w->order[s], low = 0, high = fronts;
        while (low < high) {
            int middle = (low + high) / 2;
            if (front_dominates(w, F, middle, F + (size_t)i * (size_t)w->m))
                low = middle + 1;
            else
                high = middle;
        }
        w->previous[i] = low < fronts ? w->last[low] : -1;
        w->last[low] = i;
        fronts += low == fronts;
        front[i] = low;
    }
    return fronts;
}

/* --- thinning: positions 0..count-1 stand for the columns names[position] ----------------- */

static bool more_crowded(const gdyn_fronts *w, int a, int b) {
    return w->gap[a] != w->gap[b] ? w->gap[a] < w->gap[b] : w->names[a] > w->names[b];
}

static void heap_set(gdyn_fronts *w, int slot, int position) {
    w->heap[slot] = position, w->place[position] = slot;
}

/* Moves the entry at `slot` up or down to where it belongs among `size`. */
static void heap_settle(gdyn_fronts *w, int slot, int size) {
    int moving = w->heap[slot];
    /* Up while it is more crowded than its parent, */
    while (slot > 0 && more_crowded(w, moving, w->heap[(slot - 1) / 2])) {
        heap_set(w, slot, w->heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    /* then down while a child is more crowded. */
    for (;;) {
        int child = 2 * slot + 1;
        if (child >= size)
            break;
        if (child + 1 < size && more_crowded(w, w->heap[child + 1], w->heap[child]))
            child++;
        if (!more_crowded(w, w->heap[child], moving))
            break;
        heap_set(w, slot, w->heap[child]);
        slot = child;
    }
    heap_set(w, slot, moving);
}

static double crowding_of(const gdyn_fronts *w, const double *F, int position) {
    /* Ends of an objective are never crowded; an objective without range does not count. */
    double sum = 0;
    for (int j = 0; j < w->m; j++) {
        int a = w->before[j * w->capacity + position], b = w->after[j * w->capacity + position];
        if (a < 0 || b < 0)
            return INFINITY;
        if (w->range[j] > 0)
            sum += (F[(size_t)w->names[b] * (size_t)w->m + (size_t)j] -
                    F[(size_t)w->names[a] * (size_t)w->m + (size_t)j]) /
                   w->range[j];
    }
    return sum;
}

/* Puts further copies of a point behind the distinct ones; member[] becomes lexicographic. Returns
 * the number of distinct points. */
static int split_copies(gdyn_fronts *w, const double *F, int count, int *member) {
    /* Copies stand side by side in lexicographic order. */
    gdyn_fronts_order(F, w->m, 0, count, member, w->scratch);
    int distinct = 0, copies = 0;
    size_t m = (size_t)w->m;
    for (int i = 0; i < count; i++)
        if (distinct > 0 && memcmp(F + (size_t)member[i] * m,
                                   F + (size_t)w->names[distinct - 1] * m, m * sizeof *F) == 0)
            w->scratch[copies++] = member[i];
        else
            w->names[distinct++] = member[i];
    memcpy(member, w->names, (size_t)distinct * sizeof *member);
    memcpy(member + distinct, w->scratch, (size_t)copies * sizeof *member);
    return distinct;
}

/* Links the neighbours of every objective; until the heap is built place[] maps columns to
 * positions. Fronts of two objectives fall in the second as they rise in the first, hence the start
 * from the reversed order. */
static void link_neighbours(gdyn_fronts *w, const double *F, int count) {
    size_t m = (size_t)w->m;
    for (int i = 0; i < count; i++)
        w->place[w->names[i]] = i;
    for (int j = 0; j < w->m; j++) {
        int *before = w->before + j * w->capacity, *after = w->after + j * w->capacity;
        for (int i = 0; i < count; i++)
            w->order[i] = w->names[j > 0 ? count - 1 - i : i];
        if (j > 0)
            gdyn_fronts_order(F, w->m, j, count, w->order, w->scratch);
        w->range[j] =
            F[(size_t)w->order[count - 1] * m + (size_t)j] - F[(size_t)w->order[0] * m + (size_t)j];
        for (int s = 0, left = -1; s < count; s++) {
            int position = w->place[w->order[s]];
            before[position] = left;
            after[position] = s + 1 < count ? w->place[w->order[s + 1]] : -1;
            left = position;
        }
    }
}

static void unlink_position(gdyn_fronts *w, const double *F, int position, int size) {
    /* Take the point out of all lists, */
    for (int j = 0; j < w->m; j++) {
        int *before = w->before + j * w->capacity, *after = w->after + j * w->capacity;
        int a = before[position], b = after[position];
        if (a >= 0)
            after[a] = b;
        if (b >= 0)
            before[b] = a;
    }
    /* then its neighbours have wider gaps. */
    for (int j = 0; j < w->m; j++) {
        int side[2] = {w->before[j * w->capacity + position], w->after[j * w->capacity + position]};
        for (int s = 0; s < 2; s++) {
            if (side[s] < 0)
                continue;
            w->gap[side[s]] = crowding_of(w, F, side[s]);
            heap_settle(w, w->place[side[s]], size);
        }
    }
}

void gdyn_fronts_thin(gdyn_fronts *w, const double *F, int count, int *member, int keep,
                      double *crowding) {
    /* Copies of a point are removed first: they add nothing. */
    int distinct = split_copies(w, F, count, member);
    for (int i = distinct; i < count; i++)
        crowding[member[i]] = 0;
    if (distinct == 0)
        return;
    link_neighbours(w, F, distinct);
    for (int i = 0; i < distinct; i++)
        w->gap[i] = crowding_of(w, F, i);
    int size = distinct;
    for (int i = 0; i < distinct; i++) { /* the links are made, place[] is free for the heap */
        heap_set(w, i, i);
        if (keep < distinct)
            heap_settle(w, i, i + 1);
    }
    while (size > keep) {
        int worst = w->heap[0];
        heap_set(w, 0, w->heap[--size]), heap_set(w, size, worst);
        heap_settle(w, 0, size);
        crowding[w->names[worst]] = w->gap[worst];
        unlink_position(w, F, worst, size);
    }
    /* survivors first, in lexicographic order; the removed behind them */
    int kept = 0, removed = size;
    for (int i = 0; i < distinct; i++) {
        if (w->place[i] < size) {
            crowding[w->names[i]] = w->gap[i];
            member[kept++] = w->names[i];
        } else {
            member[removed++] = w->names[i];
        }
    }
}

/* --- neighbours: heap[0 .. size) lists the positions left, place[] and last[] have their nearest
 * and second nearest ones, gap[] the squared distance to the nearest or (spread) the sum of both
 * distances by the length; order[] is 1 for those that stay --- */

static double squared_distance(const gdyn_fronts *w, const double *F, int a, int b) {
    const double *fa = F + (size_t)w->names[a] * (size_t)w->m;
    const double *fb = F + (size_t)w->names[b] * (size_t)w->m;
    double sum = 0;
    for (int j = 0; j < w->m; j++) {
        double apart = w->range[j] > 0 ? (fa[j] - fb[j]) / w->range[j] : 0;
        sum += apart * apart;
    }
    return sum;
}

static void find_neighbours(gdyn_fronts *w, const double *F, int a, int size, bool spread) {
    double first = INFINITY, second = INFINITY;
    w->place[a] = w->last[a] = -1;
    for (int k = 0; k < size; k++) {
        int b = w->heap[k];
        double apart = b != a ? squared_distance(w, F, a, b) : INFINITY;
        if (apart < first)
            second = first, first = apart, w->last[a] = w->place[a], w->place[a] = b;
        else if (apart < second)
            second = apart, w->last[a] = b;
    }
    w->gap[a] = first;
    if (spread)
        w->gap[a] = (sqrt(first) + (second < INFINITY ? sqrt(second) : 0)) / w->length[a];
}

/* To the nearest neighbour but one. */
static double other_distance(const gdyn_fronts *w, const double *F, int a, int but, int size) {
    double least = INFINITY;
    for (int k = 0; k < size; k++)
        if (w->heap[k] != a && w->heap[k] != but)
            least = fmin(least, squared_distance(w, F, a, w->heap[k]));
    return least;
}

/* Ranges of the objectives; the best point in each stays. */
static void mark_best(gdyn_fronts *w, const double *F, int count) {
    memset(w->order, 0, (size_t)count * sizeof *w->order);
    for (int j = 0; j < w->m; j++) {
        int best = 0;
        double least = INFINITY, greatest = -INFINITY;
        for (int i = 0; i < count; i++) {
            double f = F[(size_t)w->names[i] * (size_t)w->m + (size_t)j];
            best = f < least ? i : best;
            least = fmin(least, f), greatest = fmax(greatest, f);
        }
        w->least[j] = least, w->range[j] = greatest - least, w->order[best] = 1;
    }
}

/* Place in the list of the point that goes next; -1: all stay. */
static int most_alike(const gdyn_fronts *w, const double *F, int size, bool spread) {
    int at = -1, pair = -1;
    for (int k = 0; k < size; k++)
        if (!w->order[w->heap[k]] && (at < 0 || w->gap[w->heap[k]] < w->gap[w->heap[at]]))
            at = k;
    if (at < 0 || spread)
        return at;
    int one = w->heap[at], other = w->place[one];
    /* The other of the pair, where that has the nearer other neighbour. */
    for (int k = 0; k < size; k++)
        pair = w->heap[k] == other ? k : pair;
    if (pair < 0 || w->order[other] || w->place[other] != one)
        return at;
    bool nearer = other_distance(w, F, other, one, size) < other_distance(w, F, one, other, size);
    return nearer ? pair : at;
}

/* --- diversity over proximity --------------------------------------------------------------- */

/* Objective j of a position, from the ideal point in the scale of the front. */
static double scaled(const gdyn_fronts *w, const double *F, int a, int j) {
    return (F[(size_t)w->names[a] * (size_t)w->m + (size_t)j] - w->least[j]) / w->range[j];
}

/* From ranges to the largest values at the points nearest to the axes, which stay. */
static void scale_by_ends(gdyn_fronts *w, const double *F, int count) {
    double *most = w->least + w->m;
    for (int j = 0; j < w->m; j++)
        w->range[j] = w->range[j] > 0 ? w->range[j] : 1, most[j] = 0;
    for (int axis = 0; axis < w->m; axis++) {
        int end = 0;
        double nearest = INFINITY;
        for (int i = 0; i < count; i++) {
            double square = 0;
            for (int j = 0; j < w->m; j++)
                square += j != axis ? scaled(w, F, i, j) * scaled(w, F, i, j) : 0;
            if (square < nearest)
                nearest = square, end = i;
        }
        w->order[end] = 1;
        for (int j = 0; j < w->m; j++)
            most[j] = fmax(most[j], scaled(w, F, end, j));
    }
    for (int j = 0; j < w->m; j++)
        w->range[j] *= most[j] > NO_EXTENT ? most[j] : 1;
}

/* The p of |f|_p = 1 at the point nearest to the diagonal. */
static double exponent_of(const gdyn_fronts *w, const double *F, int count) {
    double p = 1, nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        double sum = 0, square = 0;
        for (int j = 0; j < w->m; j++) {
            double f = scaled(w, F, i, j);
            sum += f, square += f * f;
        }
        double aside = square - sum * sum / w->m;
        if (!w->order[i] && aside < nearest)
            nearest = aside, p = log(w->m) / log(w->m / sum);
    }
    return p > FLATTEST ? fmin(p, ROUNDEST) : 1;
}

static void measure_lengths(gdyn_fronts *w, const double *F, int count) {
    double p = exponent_of(w, F, count);
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < w->m; j++)
            sum += pow(fmax(scaled(w, F, i, j), 0), p);
        w->length[i] = fmax(pow(sum, 1 / p), SHORTEST);
    }
}

/* --- thinning by neighbours ----------------------------------------------------------------- */

/* Survivors first, in lexicographic order; the removed (gap < 0) behind them. */
static void thin(gdyn_fronts *w, const double *F, int count, int *member, int keep,
                 double *crowding, bool spread) {
    int distinct = split_copies(w, F, count, member), size = distinct;
    for (int i = distinct; i < count; i++)
        crowding[member[i]] = 0;
    mark_best(w, F, distinct);
    if (spread) {
        scale_by_ends(w, F, distinct);
        measure_lengths(w, F, distinct);
    }
    for (int i = 0; i < distinct; i++)
        w->heap[i] = i;
    for (int i = 0; i < distinct; i++)
        find_neighbours(w, F, i, size, spread);
    /* The most alike goes; those that it was a neighbour of look for another. */
    for (int at; size > keep && (at = most_alike(w, F, size, spread)) >= 0;) {
        int gone = w->heap[at];
        w->heap[at] = w->heap[--size];
        crowding[w->names[gone]] = spread ? w->gap[gone] : sqrt(w->gap[gone]);
        w->gap[gone] = -1;
        for (int k = 0; k < size; k++)
            if (w->place[w->heap[k]] == gone || (spread && w->last[w->heap[k]] == gone))
                find_neighbours(w, F, w->heap[k], size, spread);
    }
    int kept = 0, removed = size;
    for (int i = 0; i < distinct; i++)
        if (w->gap[i] < 0) {
            member[removed++] = w->names[i];
        } else {
            crowding[w->names[i]] = w->order[i] ? INFINITY : spread ? w->gap[i] : sqrt(w->gap[i]);
            member[kept++] = w->names[i];
        }
}

void gdyn_fronts_part(gdyn_fronts *w, const double *F, int count, int *member, int keep,
                      double *crowding) {
    thin(w, F, count, member, keep, crowding, false);
}

void gdyn_fronts_spread(gdyn_fronts *w, const double *F, int count, int *member, int keep,
                        double *crowding) {
    thin(w, F, count, member, keep, crowding, true);
}
