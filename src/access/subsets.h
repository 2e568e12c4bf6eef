/* subsets.h - subsets of n out of {0 .. k - 1} in ascending order. */
#ifndef GDYN_ACCESS_SUBSETS_H
#define GDYN_ACCESS_SUBSETS_H

#include <stdbool.h>

/* {0 .. n - 1} */
static inline void gdyn_subset_first(int *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = i;
}

/* The next one in lexicographic order; false after the last. */
static inline bool gdyn_subset_next(int *s, int n, int k) {
    /* the last number that can grow; those behind it follow closely */
    int i = n - 1;
    while (i >= 0 && s[i] == k - n + i)
        i--;
    if (i < 0)
        return false;
    s[i]++;
    for (int j = i + 1; j < n; j++)
        s[j] = s[j - 1] + 1;
    return true;
}

#endif
