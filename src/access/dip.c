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
    double slope[WINDOW - 1]; /* of the chord behind each sample */
    double bend[WINDOW - 1];  /* second divided difference at each sample but the first one */
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

/* Chord and second difference that sample i and those before it give. */
static void complete(window *w, int i) {
    if (i > w->first)
        w->slope[i - 1] = (w->f[i] - w->f[i - 1]) / (w->p[i] - w->p[i - 1]);
    if (i > w->first + 1)
        w->bend[i - 1] = (w->slope[i - 1] - w->slope[i - 2]) / (w->p[i] - w->p[i - 2]);
}

/* Samples around the first interval. */
static window around_first(const gdyn_samples *s, const double *f) {
    window w = {.first = A, .last = B};
    for (int k = A - 1; k >= 0; k--)
        if (w.first == k + 1 && sample_at(s, f, k - A, &w.p[k], &w.f[k]))
            w.first = k;
    for (int k = A; k < WINDOW; k++)
        if (w.last >= k - 1 && sample_at(s, f, k - A, &w.p[k], &w.f[k]))
            w.last = k > w.last ? k : w.last;
    for (int k = w.first; k <= w.last; k++)
        complete(&w, k);
    return w;
}

/* The window without its first sample. */
static window moved_on(const window *w) {
    const double *p = w->p, *f = w->f, *s = w->slope, *b = w->bend;
    return (window){.p = {p[1], p[2], p[3], p[4], p[5], 0},
                    .f = {f[1], f[2], f[3], f[4], f[5], 0},
                    .slope = {s[1], s[2], s[3], s[4], 0},
                    .bend = {b[1], b[2], b[3], b[4], 0},
                    .first = w->first,
                    .last = w->last};
}

/* One interval on, to that of this number. */
static void shift(window *w, const gdyn_samples *s, const double *f, int interval) {
    *w = moved_on(w);
    w->first = w->first > 0 ? w->first - 1 : 0;
    w->last--;
    int last = WINDOW - 1;
    if (w->last == last - 1 && sample_at(s, f, interval + last - A, &w->p[last], &w->f[last])) {
        w->last = last;
        complete(w, last);
    }
}

/* Greatest and mean second divided difference of a smooth, convex function; false where it is not. */
static bool smooth(const window *w, double *most, double *mean) {
    double least = INFINITY, greatest = -INFINITY;
    for (int i = w->first + 1; i < w->last; i++) {
        double k = w->bend[i];
        least = k < least ? k : least;
        greatest = k > greatest ? k : greatest;
    }
    *most = greatest;
    if (w->last - w->first <= 2 || !(least > 0) || !(greatest <= ALIKE * least))
        return false;
    /* at the interval's ends, of which one may be the first or the last sample */
    bool left = w->first<A, right = w->last> B;
    *mean = left && right ? 0.5 * (w->bend[A] + w->bend[B]) : w->bend[left ? A : B];
    return true;
}

/* The parabola below the chord. */
static bool bound_smooth(const window *w, double most, double mean, gdyn_dip *dip) {
    double a = w->p[A], h = w->p[B] - a, s = w->slope[A], k = STEEPER * most;
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

/* The branch behind sample `at`, away from the one beside it; between two branches a concave one is followed as it
 * bends. */
static branch branch_of(const window *w, int at, bool between) {
    int beside = at == A ? A - 1 : B + 1, behind = at == A ? A - 2 : B + 2;
    branch out = {.p = w->p[at], .f = w->f[at]};
    if (beside < w->first || beside > w->last)
        return out;
    out.q = w->p[beside];
    out.slope = w->slope[at == A ? beside : at];
    if (between && behind >= w->first && behind <= w->last && w->bend[beside] < 0)
        out.bend = STEEPER * w->bend[beside];
    int other = at == A ? B : A;
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

/* Least value of a branch between both samples: it is concave or straight. */
static double least_of_branch(const branch *b, double other) {
    return fmin(b->f, branch_at(b, other));
}

/* The branches from outside; the place where they meet is sought only where it can lie below `least`. */
static bool bound_convex(const window *w, double least, gdyn_dip *dip) {
    double h = w->p[B] - w->p[A], x = 0.5 * h;
    bool between = w->first < A && w->last > B;
    branch left = branch_of(w, A, between);
    branch right = branch_of(w, B, between);
    if (left.valid && right.valid) {
        if (least_of_branch(&left, w->p[B]) >= least || least_of_branch(&right, w->p[A]) >= least)
            return false;
        x = meet(&left, &right) - w->p[A];
        dip->bound = branch_at(&left, w->p[A] + x);
        x = fmin(fmax(x, 0.02 * h), 0.98 * h);
    } else if (left.valid || right.valid) {
        dip->bound = left.valid ? branch_at(&left, w->p[B]) : branch_at(&right, w->p[A]);
    }
    dip->p = w->p[A] + x;
    return (left.valid || right.valid) && dip->bound < fmin(w->f[A], w->f[B]);
}

/* Lower bound of f in the window's interval where it may fall below both its samples and below `least`. */
static bool dip_between(const window *w, double least, gdyn_dip *dip) {
    double most, mean;
    bool falls =
        smooth(w, &most, &mean) ? bound_smooth(w, most, mean, dip) : bound_convex(w, least, dip);
    return falls && dip->bound < least;
}

int gdyn_dips_below(const gdyn_samples *s, const double *f, double least, int most, gdyn_dip *dip) {
    int found = 0;
    window w;
    for (int i = 0; i + 1 < s->count; i++) {
        gdyn_dip here = {.interval = i};
        if (i == 0)
            w = around_first(s, f);
        else
            shift(&w, s, f, i);
        if (!dip_between(&w, least, &here))
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
