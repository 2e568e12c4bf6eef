/* dip.c - see dip.h.
 *
 * On [a, b] with chord l(x) and second divided difference K = f''/2 a smooth f is l(x) - K (x - a)(b - x). K is
 * bounded by the differences at up to four neighbouring samples when these agree within a factor. Otherwise the
 * line through the two samples before a, and that through the two behind b, are lower bounds of a convex f, and of
 * a kink between two concave branches when they bend like these; a line that lies above f at the far end of the
 * interval is none: there the function is concave, or it jumps. */
#include "access/dip.h"

#include <math.h>

/* Samples around an interval; those from `first` to `last` exist. */
enum { WINDOW = 6, A = 2, B = 3 };

typedef struct window {
    double p[WINDOW], f[WINDOW];
    int first, last;
} window;

/* Differences within this factor belong to one smooth function. */
static const double ALIKE = 2.0;
/* What bounds the second derivative between the samples, over the greatest difference at them. */
static const double STEEPER = 1.25;
/* Second derivatives at both ends of an interval within this factor belong to a smooth function. */
static const double SIMILAR = 3.0;
/* Share of the errors of all intervals by which their sum is uncertain. */
static const double UNSURE = 0.25;

/* Sample i, which a closed path continues beyond its ends. */
static bool sample_at(const gdyn_samples *s, const double *f, int i, double *p, double *value) {
    int period = s->count - 1;
    double shift = 0;
    if (i < 0 || i > period) {
        if (!s->closed)
            return false;
        shift = (i < 0 ? -1 : 1) * (s->p[period] - s->p[0]);
        i += i < 0 ? period : -period;
        if (i < 0 || i > period)
            return false;
    }
    *p = s->p[i] + shift;
    *value = f[i * s->stride];
    return true;
}

static window around(const gdyn_samples *s, const double *f, int interval) {
    window w = {.first = A, .last = B};
    for (int k = A - 1; k >= 0; k--)
        if (w.first == k + 1 && sample_at(s, f, interval + k - A, &w.p[k], &w.f[k]))
            w.first = k;
    for (int k = A; k < WINDOW; k++)
        if (w.last >= k - 1 && sample_at(s, f, interval + k - A, &w.p[k], &w.f[k]))
            w.last = k > w.last ? k : w.last;
    return w;
}

static double slope(const window *w, int i) {
    return (w->f[i + 1] - w->f[i]) / (w->p[i + 1] - w->p[i]);
}

/* Greatest and mean second divided difference of a smooth, convex function; false where it is not. */
static bool smooth(const window *w, double *most, double *mean) {
    double least = INFINITY, sum = 0;
    int count = 0;
    *most = -INFINITY;
    for (int i = w->first + 1; i < w->last; i++) {
        if (i < A - 1 || i > B + 1)
            continue;
        double k = (slope(w, i) - slope(w, i - 1)) / (w->p[i + 1] - w->p[i - 1]);
        least = fmin(least, k);
        *most = fmax(*most, k);
        sum += i == A || i == B ? k : 0;
        count += i == A || i == B;
    }
    *mean = count > 0 ? sum / count : 0;
    return count > 0 && w->last - w->first > 2 && least > 0 && *most <= ALIKE * least;
}

/* The parabola below the chord. */
static bool bound_smooth(const window *w, double most, double mean, gdyn_dip *dip) {
    double a = w->p[A], h = w->p[B] - a, s = slope(w, A), k = STEEPER * most;
    double x = 0.5 * h - 0.5 * s / k, guess = 0.5 * h - 0.5 * s / mean;
    if (x <= 0 || x >= h)
        return false;
    dip->bound = w->f[A] + s * x - k * x * (h - x);
    dip->p = a + fmin(fmax(guess, 0.02 * h), 0.98 * h);
    return true;
}

/* What goes on into the interval from one side: f + slope (x - p) + bend (x - p)(x - q) with q behind p. */
typedef struct branch {
    bool valid;
    double p, q, f, slope, bend;
} branch;

static double branch_at(const branch *b, double x) {
    return b->f + (b->slope + b->bend * (x - b->q)) * (x - b->p);
}

/* The branch behind sample `at`, away from `beside`; between two branches a concave one is followed as it bends. */
static branch branch_of(const window *w, int at, int beside, int behind, bool between) {
    branch out = {.p = w->p[at], .f = w->f[at]};
    int other = at == A ? B : A;
    if (beside < w->first || beside > w->last)
        return out;
    out.q = w->p[beside];
    out.slope = (w->f[at] - w->f[beside]) / (out.p - out.q);
    if (between && behind >= w->first && behind <= w->last) {
        double before = (w->f[beside] - w->f[behind]) / (out.q - w->p[behind]);
        out.bend = STEEPER * fmin((out.slope - before) / (out.p - w->p[behind]), 0);
    }
    out.valid = branch_at(&out, w->p[other]) <= w->f[other];
    return out;
}

/* Where the branches from both sides meet. */
static double meet(const branch *left, const branch *right) {
    double a = left->p, b = right->p;
    for (int i = 0; i < 30; i++) {
        double x = 0.5 * (a + b);
        if (branch_at(left, x) > branch_at(right, x))
            a = x;
        else
            b = x;
    }
    return 0.5 * (a + b);
}

/* The branches from outside. */
static bool bound_convex(const window *w, gdyn_dip *dip) {
    double h = w->p[B] - w->p[A], x = 0.5 * h;
    bool between = w->first < A && w->last > B;
    branch left = branch_of(w, A, A - 1, A - 2, between);
    branch right = branch_of(w, B, B + 1, B + 2, between);
    if (left.valid && right.valid) {
        x = meet(&left, &right) - w->p[A];
        dip->bound = branch_at(&left, w->p[A] + x);
        x = fmin(fmax(x, 0.02 * h), 0.98 * h);
    } else if (left.valid || right.valid) {
        dip->bound = left.valid ? branch_at(&left, w->p[B]) : branch_at(&right, w->p[A]);
    }
    dip->p = w->p[A] + x;
    return (left.valid || right.valid) && dip->bound < fmin(w->f[A], w->f[B]);
}

bool gdyn_dip_between(const gdyn_samples *s, const double *f, int interval, gdyn_dip *dip) {
    window w = around(s, f, interval);
    double most, mean;
    dip->interval = interval;
    return smooth(&w, &most, &mean) ? bound_smooth(&w, most, mean, dip) : bound_convex(&w, dip);
}

int gdyn_dips_below(const gdyn_samples *s, const double *f, double least, int most, gdyn_dip *dip) {
    int found = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        gdyn_dip here;
        if (!gdyn_dip_between(s, f, i, &here) || here.bound >= least)
            continue;
        /* into the list by its bound; what is beyond the last place is dropped */
        int k = found < most ? found++ : most;
        for (; k > 0 && dip[k - 1].bound > here.bound; k--)
            if (k < most)
                dip[k] = dip[k - 1];
        if (k < most)
            dip[k] = here;
    }
    return found;
}

/* Second divided difference at sample i; at an end that of its neighbour. */
static double bend(const gdyn_samples *s, const double *f, int i) {
    int last = s->count - 1, n = s->stride;
    i = i < 1 ? 1 : i > last - 1 ? last - 1 : i;
    double a = s->p[i] - s->p[i - 1], b = s->p[i + 1] - s->p[i];
    double left = (f[i * n] - f[(i - 1) * n]) / a, right = (f[(i + 1) * n] - f[i * n]) / b;
    return (right - left) / (a + b);
}

/* Error in the interval i, and whether the function is smooth there: the bends at its ends are alike. */
static double interval_error(const gdyn_samples *s, const double *f, int i, bool *even) {
    double h = s->p[i + 1] - s->p[i], a = bend(s, f, i), b = bend(s, f, i + 1);
    double least = fmin(fabs(a), fabs(b)), most = fmax(fabs(a), fabs(b));
    *even = a * b > 0 && most <= SIMILAR * least;
    /* a change S of the slope has bends up to S / (2 h) beside it, and is wrong by S h^2 / 8 at most */
    return *even ? (a + b) * h * h * h / 12 : most * h * h * h / 4;
}

double gdyn_trapezoid_errors(const gdyn_samples *s, const double *f, double *error) {
    double sum = 0, sizes = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        bool even = true;
        error[i] = s->count > 2 ? interval_error(s, f, i, &even) : 0;
        sum += even ? error[i] : 0;
        sizes += even ? UNSURE * fabs(error[i]) : error[i];
    }
    return fabs(sum) + sizes;
}
