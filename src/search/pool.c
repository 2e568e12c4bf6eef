/* pool.c - sorts parents and children into fronts and selects the survivors of NSGA-II.
 *
 * Order of fronts (Deb 2002, section VI): feasible designs by domination; then designs with a
 * violation, less first; then failed designs, less failure first; equal amounts share a front. */
#include "search/method.h"

#include <string.h>

/* Less failure comes first, then less violation. */
static int compare_amounts(const gdyn_search *s, int a, int b) {
    if (s->failure[a] != s->failure[b])
        return s->failure[a] < s->failure[b] ? -1 : 1;
    if (s->violation[a] != s->violation[b])
        return s->violation[a] < s->violation[b] ? -1 : 1;
    return 0;
}

void gdyn_slots_order(const gdyn_search *s, gdyn_slots_compare *compare, int count, int *slot,
                      int *scratch) {
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = middle + width < count ? middle + width : count;
            int a = start, b = middle;
            for (int k = start; k < end; k++)
                scratch[k] = a < middle && (b >= end || compare(s, slot[a], slot[b]) <= 0)
                                 ? slot[a++]
                                 : slot[b++];
        }
        memcpy(slot, scratch, (size_t)count * sizeof *slot);
    }
}

/* Splits the pool into feasible designs (their objectives are packed) and the others behind them;
 * returns the number of feasible ones. */
static int split_pool(gdyn_search *s, int count) {
    size_t m = (size_t)s->m;
    int good = 0, bad = 0;
    for (int i = 0; i < count; i++) {
        int slot = s->pool[i];
        if (gdyn_slot_feasible(s, slot)) {
            memcpy(s->packed + (size_t)good * m, s->f + (size_t)slot * m, m * sizeof *s->f);
            s->pool[good++] = slot;
        } else {
            s->work[bad++] = slot;
        }
    }
    memcpy(s->pool + good, s->work, (size_t)bad * sizeof *s->pool);
    return good;
}

int gdyn_pool_sort(gdyn_search *s, int count) {
    int *list = s->pool, *work = s->work;
    int good = split_pool(s, count);
    int fronts = gdyn_fronts_sort(s->fronts, s->packed, good, work);
    for (int i = 0; i < good; i++)
        s->front[list[i]] = work[i];
    /* The others by their amounts; equal amounts share a front. */
    gdyn_slots_order(s, compare_amounts, count - good, list + good, work);
    for (int i = good; i < count; i++) {
        bool equal = i > good && compare_amounts(s, list[i - 1], list[i]) == 0;
        s->front[list[i]] = equal ? fronts - 1 : fronts++;
    }
    /* Count the members of each front, then place them: fronts follow each other. */
    memset(s->first, 0, ((size_t)fronts + 1) * sizeof *s->first);
    for (int i = 0; i < count; i++)
        s->first[s->front[list[i]] + 1]++;
    for (int k = 0; k < fronts; k++)
        s->first[k + 1] += s->first[k];
    memcpy(work, list, (size_t)count * sizeof *list);
    for (int i = count - 1; i >= 0; i--) /* backwards: the ends move to the beginnings */
        list[--s->first[s->front[work[i]] + 1]] = work[i];
    for (int k = 0; k < fronts; k++)
        s->first[k] = s->first[k + 1];
    s->first[fronts] = count;
    return fronts;
}

/* The best N of the pool; `first` thins the first front, where it alone fills the population. */
static void select_best(gdyn_search *s, int count, gdyn_thinning *first) {
    int fronts = gdyn_pool_sort(s, count), wanted = count < s->N ? count : s->N;
    /* Thin the front that does not fit; crowding of all is found on the way. */
    for (int k = 0; k < fronts && s->first[k] < wanted; k++) {
        int from = s->first[k], size = s->first[k + 1] - from;
        int keep = size < wanted - from ? size : wanted - from;
        gdyn_thinning *thin = k == 0 && size > keep ? first : gdyn_fronts_thin;
        if (gdyn_aim_known(s) && gdyn_slot_feasible(s, s->pool[from]))
            gdyn_aim_thin(s, thin, size, s->pool + from, keep);
        else
            thin(s->fronts, s->f, size, s->pool + from, keep, s->crowding);
    }
    s->parents = wanted;
    memcpy(s->parent, s->pool, (size_t)wanted * sizeof *s->parent);
}

void gdyn_pool_select(gdyn_search *s, int count) {
    select_best(s, count, gdyn_fronts_thin);
}

void gdyn_pool_select_apart(gdyn_search *s, int count) {
    select_best(s, count,
                s->m > 3    ? gdyn_fronts_spread
                : s->m == 3 ? gdyn_fronts_part
                            : gdyn_fronts_thin);
}
