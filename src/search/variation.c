/* variation.c - simulated binary crossover and polynomial mutation with bounds.
 *
 * Crossover (Deb, Agrawal 1995; bounded form of Deb, Agrawal 1999): children lie at
 *   (y1 + y2)/2 -+ beta (y2 - y1)/2, with beta drawn from a density ~ |beta|^eta inside and
 *   ~ beta^-(eta+2) outside the parents, cut where the child would leave its nearer bound.
 * Mutation (Deb, Goyal 1996; bounded): y + delta (upper - lower), with the density
 *   ~ (1 - |delta|)^eta cut at the bounds.
 * Integer variables follow the same rules on the interval widened by a half on both sides and are
 * rounded; a mutation that rounds back takes one step instead. Categorical variables are swapped by
 * crossover; a mutation draws one of their other values, all equally likely. */
#include "search/method.h"

#include <float.h>
#include <math.h>

gdyn_range gdyn_variation_range(const gdyn_variation *v, int j) {
    double widen = v->integer[j] ? 0.5 : 0;
    return (gdyn_range){v->lower[j] - widen, v->upper[j] + widen};
}

double gdyn_variation_settle(const gdyn_variation *v, int j, double x) {
    if (v->integer[j])
        x = floor(x + 0.5);
    return fmin(fmax(x, v->lower[j]), v->upper[j]);
}

/* 2 minus the share of the density that the bound cuts off, for a bound `room` away from the nearer
 * of two parents that are `apart`; beyond `far` the share is less than rounding. */
static double uncut(double eta, double far, double room, double apart) {
    double beta = 1 + 2 * room / apart;
    return beta < far ? 2 - pow(beta, -(eta + 1)) : 2;
}

static double spread(double eta, double alpha, double u) {
    /* Inverse of the distribution: inside the parents up to 1, outside beyond. */
    double reach = u * alpha;
    return pow(reach <= 1 ? reach : 1 / (2 - reach), 1 / (eta + 1));
}

void gdyn_variation_cross(const gdyn_variation *v, gdyn_random *random, const double *a,
                          const double *b, double *c, double *d) {
    bool crossed = gdyn_random_uniform(random) < v->crossover;
    double eta = v->crossover_eta, far = exp2(DBL_MANT_DIG / (eta + 1));
    /* each variable by itself: left as it is, swapped, or spread around both parents */
    for (int j = 0; j < v->n; j++) {
        c[j] = a[j], d[j] = b[j];
        if (!crossed || gdyn_random_uniform(random) >= v->crossover_variable)
            continue;
        if (v->categorical[j]) {
            bool swap = gdyn_random_uniform(random) < 0.5;
            c[j] = swap ? b[j] : a[j], d[j] = swap ? a[j] : b[j];
            continue;
        }
        gdyn_range range = gdyn_variation_range(v, j);
        double y1 = fmin(a[j], b[j]), y2 = fmax(a[j], b[j]), apart = y2 - y1;
        if (apart <= 4 * DBL_EPSILON * (range.high - range.low))
            continue;
        /* simulated binary crossover with spreads that the bounds cut off */
        double u = gdyn_random_uniform(random);
        double alpha1 = uncut(eta, far, y1 - range.low, apart);
        double alpha2 = uncut(eta, far, range.high - y2, apart);
        double low = spread(eta, alpha1, u);
        double high = alpha2 == alpha1 ? low : spread(eta, alpha2, u);
        double left = gdyn_variation_settle(v, j, 0.5 * (y1 + y2 - low * apart));
        double right = gdyn_variation_settle(v, j, 0.5 * (y1 + y2 + high * apart));
        /* which child gets which side */
        bool swap = gdyn_random_uniform(random) < 0.5;
        c[j] = swap ? right : left;
        d[j] = swap ? left : right;
    }
}

/* Another value of a categorical variable. */
static double other_name(const gdyn_variation *v, gdyn_random *random, int j, double x) {
    int others = (int)(v->upper[j] - v->lower[j]); /* > 0: not held */
    double drawn = v->lower[j] + gdyn_random_below(random, others);
    return drawn < x ? drawn : drawn + 1;
}

void gdyn_variation_change(const gdyn_variation *v, gdyn_random *random, int j, double *x) {
    if (v->categorical[j]) {
        x[j] = other_name(v, random, j, x[j]);
        return;
    }
    gdyn_range range = gdyn_variation_range(v, j);
    double width = range.high - range.low, power = v->mutation_eta + 1;
    /* polynomial mutation, towards one bound or the other */
    double u = gdyn_random_uniform(random), delta;
    if (u < 0.5) {
        double free = 1 - (x[j] - range.low) / width;
        delta = pow(2 * u + (1 - 2 * u) * pow(free, power), 1 / power) - 1;
    } else {
        double free = 1 - (range.high - x[j]) / width;
        delta = 1 - pow(2 * (1 - u) + (2 * u - 1) * pow(free, power), 1 / power);
    }
    double old = x[j];
    x[j] = gdyn_variation_settle(v, j, old + delta * width);
    /* whole numbers move by one at least */
    if (x[j] == old && v->integer[j])
        x[j] = gdyn_variation_settle(v, j, old + (u < 0.5 ? -1 : 1));
    if (x[j] == old && v->integer[j])
        x[j] = gdyn_variation_settle(v, j, old + (u < 0.5 ? 1 : -1));
}

void gdyn_variation_mutate(const gdyn_variation *v, gdyn_random *random, double *x) {
    double probability = v->mutation > 0 ? v->mutation : 1.0 / v->n;
    for (int j = 0; j < v->n; j++)
        if (gdyn_random_uniform(random) < probability && v->upper[j] > v->lower[j])
            gdyn_variation_change(v, random, j, x);
}

void gdyn_variation_disturb(const gdyn_variation *v, gdyn_random *random, double *x) {
    int start = gdyn_random_below(random, v->n);
    for (int step = 0; step < v->n; step++) {
        int j = (start + step) % v->n;
        if (v->upper[j] > v->lower[j]) {
            gdyn_variation_change(v, random, j, x);
            return;
        }
    }
}

bool gdyn_variation_next_whole(const gdyn_variation *v, gdyn_random *random, double *x) {
    int start = gdyn_random_below(random, v->n);
    double by = gdyn_random_uniform(random) < 0.5 ? -1 : 1;
    for (int step = 0; step < v->n; step++) {
        int j = (start + step) % v->n;
        if (!v->integer[j] || !(v->upper[j] > v->lower[j]))
            continue;
        if (v->categorical[j])
            gdyn_variation_change(v, random, j, x);
        else
            x[j] += x[j] + by < v->lower[j] || x[j] + by > v->upper[j] ? -by : by;
        return true;
    }
    return false;
}
