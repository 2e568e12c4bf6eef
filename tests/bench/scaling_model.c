/* scaling_model.c - time of a search on W = ranks x threads workers in closed form.
 *
 * A generation of P designs with costs X (mean m, spread s, distribution F) ends when its last design
 * is back. The first W designs begin at once. The others begin evenly until the queue is empty: then
 * all W workers are still busy, and by renewal theory each has m (1 + s^2) / 2 before it, so that is
 * at t0 = P m / W - m (1 + s^2) / 2. With independent costs
 *
 *   P(end <= t) = F(t)^W exp((P - W) / t0 int_0^t0 ln F(t - u) du),   t >= t0,
 *
 * and the expectation is t0 + int_t0^oo 1 - P(end <= t) dt. For P <= W (or t0 <= 0) it is that of the
 * dearest of P designs. Three things come on top:
 *
 *   - with each design the time until its worker has the next one: two messages, and how late the
 *     sleepers at both ends look (a fifth of the time for which nothing happened, at most 1 ms);
 *   - rank 0 handles one design at a time, so a generation takes at least P (send + receive +
 *     commit) and one design;
 *   - the search itself between generations.
 *
 * X is lognormal: ln X ~ N(mu, sigma^2), sigma^2 = ln(1 + s^2), mu = ln m - sigma^2 / 2. */
#include "scaling.h"

#include <math.h>
#include <stdlib.h>

/* ln F for X / m. */
static double log_distribution(double spread, double x) {
    double sigma = sqrt(log1p(spread * spread));
    double z = (log(x) + sigma * sigma / 2) / sigma;
    double tail = 0.5 * erfc(z / sqrt(2.0)); /* 1 - F */
    return tail < 1 - 1e-300 ? fmax(log1p(-tail), -700) : -700;
}

enum { PER_MEAN = 100 }; /* steps of the integrals per m */

/* sum[i] = int_0^(i / PER_MEAN) ln F by the midpoint rule; beyond the table ln F is 0. */
typedef struct table {
    double spread, *sum;
    int count;
} table;

static table make_table(double spread, int population) {
    table t = {.spread = spread, .count = PER_MEAN};
    while (population * log_distribution(spread, (double)t.count / PER_MEAN) < -1e-6)
        t.count += t.count / 4;
    t.sum = calloc((size_t)t.count + 1, sizeof *t.sum);
    for (int i = 0; t.sum && i < t.count; i++)
        t.sum[i + 1] = t.sum[i] + log_distribution(spread, (i + 0.5) / PER_MEAN) / PER_MEAN;
    return t;
}

static double integral(const table *t, double x) {
    double i = x * PER_MEAN;
    if (i >= t->count)
        return t->sum[t->count];
    int k = (int)i;
    return t->sum[k] + (i - k) * (t->sum[k + 1] - t->sum[k]);
}

/* Expected time of a generation in units of m; `begin` = t0 / m. */
static double generation_time(const table *t, int population, int workers, double begin) {
    int together = begin > 0 ? workers : population;
    double rate = begin > 0 ? (population - workers) / begin : 0, sum = 0;
    for (int i = 0; i < t->count; i++) {
        double r = (i + 0.5) / PER_MEAN, at = begin + r;
        double last = rate * (integral(t, at) - integral(t, r));
        double first = at * PER_MEAN < t->count ? together * log_distribution(t->spread, at) : 0;
        sum += (1 - exp(first + last)) / PER_MEAN;
    }
    return begin + sum;
}

/* How late a sleeper looks after a pause. */
static double lateness(const scaling_costs *c, double pause) {
    return (fmin(pause / 5, 1e-3) + c->slack) / 2;
}

double scaling_model(const scaling_search *s, const scaling_costs *c) {
    int workers = s->ranks * s->threads;
    double handling = c->send + c->receive + c->commit;
    double wait = handling + 2 * c->flight + c->slack + c->start +
                  lateness(c, s->mean / s->threads) + lateness(c, s->mean / workers);
    double each = s->mean + wait, spread = fmax(s->spread, 0.05);
    double begin = (double)s->population / workers - (1 + spread * spread) / 2;
    if (s->population <= workers || begin < 0)
        begin = 0;
    table t = make_table(spread, s->population);
    if (!t.sum)
        return -1;
    double time = generation_time(&t, s->population, workers, begin) * each;
    free(t.sum);
    if (s->ranks > 1)
        time = fmax(time, s->population * handling + each);
    return s->generations * (time + c->generation + s->population * c->member);
}
