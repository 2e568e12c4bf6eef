/* nsga2.c - NSGA-II (Deb, Pratap, Agarwal, Meyarivan 2002): tournaments among the parents by front
 * and crowding -> simulated binary crossover and polynomial mutation -> the best N of parents and
 * children survive, the last front thinned by crowding. */
#include "search/method.h"

#include <string.h>

/* Tournament winners into pool[0..N): every parent meets two others, in two shuffled rounds. */
static void tournaments(gdyn_search *s) {
    /* A stream beside those of the children. */
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, UINT64_MAX);
    int winners = 0;
    while (winners < s->N) {
        /* A round: pairs of a shuffled population. */
        for (int i = 0; i < s->parents; i++)
            s->work[i] = s->parent[i];
        gdyn_shuffle(s->work, s->parents, &random);
        for (int i = 0; i + 1 < s->parents && winners < s->N; i += 2) {
            int a = s->work[i], b = s->work[i + 1];
            bool other = s->front[a] != s->front[b] ? s->front[b] < s->front[a]
                                                    : s->crowding[b] > s->crowding[a];
            s->pool[winners++] = other ? b : a;
        }
    }
}

/* A child equal to one of its parents would waste an evaluation. */
static void finish_child(gdyn_search *s, gdyn_random *random, const double *mother,
                         const double *father, double *x) {
    size_t bytes = (size_t)s->n * sizeof *x;
    gdyn_variation_mutate(&s->variation, random, x);
    if (memcmp(x, mother, bytes) == 0 || memcmp(x, father, bytes) == 0)
        gdyn_variation_disturb(&s->variation, random, x);
}

gdyn_status gdyn_nsga2_breed(gdyn_search *s, int *count) {
    uint64_t seed = s->options.seed, generation = (uint64_t)s->info.generation;
    tournaments(s);
    double *spare = gdyn_slot_x(s, s->capacity); /* last pair's second child, N odd */
    /* Two parents have two children; each has its own stream. */
    for (int i = 0; i < s->N; i += 2) {
        bool pair = i + 1 < s->N;
        const double *a = gdyn_slot_x(s, s->pool[i]);
        const double *b = gdyn_slot_x(s, s->pool[pair ? i + 1 : 0]);
        double *c = gdyn_slot_x(s, s->child[i]);
        double *d = pair ? gdyn_slot_x(s, s->child[i + 1]) : spare;
        gdyn_random first = gdyn_random_stream(seed, generation, (uint64_t)i);
        gdyn_variation_cross(&s->variation, &first, a, b, c, d);
        finish_child(s, &first, a, b, c);
        if (pair) {
            gdyn_random second = gdyn_random_stream(seed, generation, (uint64_t)i + 1);
            finish_child(s, &second, a, b, d);
        }
    }
    *count = s->N;
    return GDYN_OK;
}

const gdyn_method gdyn_method_nsga2 = {.select = gdyn_pool_select, .breed = gdyn_nsga2_breed};
