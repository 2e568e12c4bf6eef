/* dip.c - how far a function falls between its samples; see folding.h.
 *
 * On [a, b] with chord l(x) and second divided difference K = f''/2 a smooth f is l(x) - K (x -
 * a)(b - x). K is bounded by the differences at up to four neighbouring samples when these agree
 * within a factor. Otherwise the line through the two samples before a, and that through the two
 * behind b, are lower bounds of a convex f, and of a kink between two concave branches when they
 * bend like these; a line that lies above f at the far end of the interval is none: there the
 * function is concave, or it jumps.
 *
 * Most intervals are far above the smallest value. There bounds with weights that the samples'
 * arguments alone determine are enough: they are not greater than those above, and take no
 * division. */
#include "access/folding.h"

#include "linalg/lanes.h"

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
/* What bounds the second derivative between the samples, over the largest difference at them. */
static const double STEEPER = 1.25;
/* Second derivatives at both ends of an interval within this factor belong to a smooth function. */
static const double SIMILAR = 3.0;
/* Share of the errors of all intervals by which their sum is uncertain. */
static const double UNSURE = 0.25;

/* The number of sample i, which a closed path continues beyond its ends; -1: there is none. *shift:
 * of its argument. */
static int number_of(const gdyn_samples *s, int i, double *shift) {
    int period = s->count - 1;
    *shift = 0;
    if (i >= 0 && i <= period)
        return i;
    if (!s->closed)
        return -1;
    *shift = (i < 0 ? -1 : 1) * (s->p[period] - s->p[0]);
    i += i < 0 ? period : -period;
    return i < 0 || i > period ? -1 : i;
}

/* Sample i; false: there is none. */
static bool sample_at(const gdyn_samples *s, const double *f, int i, double *p, double *value) {
    double shift;
    int k = number_of(s, i, &shift);
    if (k < 0)
        return false;
    *p = s->p[k] + shift, *value = f[k * s->stride];
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
    for (int k = w.first; k <= w.last; k++) {
        /* Chord and second difference that sample i and those before it give. */
        if (k > w.first)
            w.slope[k - 1] = (w.f[k] - w.f[k - 1]) / (w.p[k] - w.p[k - 1]);
        if (k > w.first + 1)
            w.bend[k - 1] = (w.slope[k - 1] - w.slope[k - 2]) / (w.p[k] - w.p[k - 2]);
    }
    return w;
}

/* Largest and mean second divided difference of a smooth, convex function; false where it is
 * not. */
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

/* What goes on into the interval from one side: f + slope (x - p) + bend (x - p)(x - q) with q
 * behind p. */
typedef struct branch {
    bool valid;
    double p, q, f, slope, bend;
} branch;

static double branch_at(const branch *b, double x) {
    return b->f + (b->slope + b->bend * (x - b->q)) * (x - b->p);
}

/* The branch behind sample `at`, away from the one beside it; between two branches a concave one is
 * followed as it bends. */
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

/* Where the branches from both sides meet: the left one is not below the right one at its own
 * sample, and not above it at the other one, so that c + b t + a t^2, their difference over the
 * distance from the left one, has one zero between them. */
static double meet(const branch *left, const branch *right) {
    double h = right->p - left->p;
    /* both as f + slope t + bend t^2 from the left sample */
    double a = left->bend - right->bend;
    double b = left->slope + left->bend * (left->p - left->q) - right->slope +
               right->bend * (h + right->q - left->p);
    double c = left->f - branch_at(right, left->p);
    double root = sqrt(fmax(b * b - 4 * a * c, 0)), t = c > 0 ? 2 * c / (root - b) : 0;
    return left->p + (t >= 0 && t <= h ? t : h);
}

/* Smallest value of a branch between both samples: it is concave or straight. */
static double least_of_branch(const branch *b, double other) {
    return fmin(b->f, branch_at(b, other));
}

/* The branches from outside; the place where they meet is sought only where it can lie below
 * `least`. */
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

int gdyn_dips_below(const gdyn_samples *s, const double *f, double least, const unsigned *mark,
                    int bit, int most, gdyn_dip *dip) {
    int found = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        gdyn_dip here = {.interval = i};
        if (mark && !(mark[i] >> bit & 1))
            continue;
        window w = around(s, f, i);
        /* lower bound of f in the interval where it may fall below both its samples */
        double largest, mean;
        bool falls = smooth(&w, &largest, &mean) ? bound_smooth(&w, largest, mean, &here)
                                                 : bound_convex(&w, least, &here);
        if (!falls || !(here.bound < least))
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

/* --- intervals without dips ------------------------------------------------------------------- */

/* Weights of the differences outwards of an interval h wide, the next ones as wide as these. */
static void weigh_side(double h, double beside, double behind, double weight[3]) {
    double bend = STEEPER * (h + beside) * h / (beside + behind);
    weight[0] = h / beside, weight[1] = bend / beside, weight[2] = bend / behind;
}

void gdyn_samples_weigh(const gdyn_samples *s, gdyn_interval *interval) {
    for (int i = 0; i + 1 < s->count; i++) {
        gdyn_interval *w = &interval[i];
        double p[WINDOW];
        bool all = true;
        for (int k = 0; k < WINDOW && all; k++) {
            w->sample[k] = number_of(s, i + k - A, &p[k]);
            all = w->sample[k] >= 0;
            p[k] += all ? s->p[w->sample[k]] : 0;
        }
        w->sample[0] = all ? w->sample[0] : -1;
        if (!all)
            continue;
        double h = p[3] - p[2], before = p[2] - p[1];
        weigh_side(h, before, p[1] - p[0], w->left);
        weigh_side(h, p[4] - p[3], p[5] - p[4], w->right);
        double fall = 0.25 * STEEPER * ALIKE * h * h / (h + before);
        w->below[0] = fall / before, w->below[1] = fall / h;
    }
}

/* Lower bounds in the interval from f[2] to f[3]: below both branches a convex function does not
 * fall, and a smooth one not below its chord by more than a parabola that is bent as much as
 * differences may differ. */
static gdyn_lanes coarse_bound(const gdyn_interval *w, const gdyn_lanes f[WINDOW]) {
    gdyn_lanes before = f[2] - f[1], own = f[3] - f[2], behind = f[3] - f[4]; /* outwards */
    gdyn_lanes bend = l_all(w->left[1]) * before - l_all(w->left[2]) * (f[1] - f[0]);
    gdyn_lanes left = f[2] + l_all(w->left[0]) * before + l_lesser(bend, l_all(0));
    bend = l_all(w->right[1]) * behind - l_all(w->right[2]) * (f[4] - f[5]);
    gdyn_lanes right = f[3] + l_all(w->right[0]) * behind + l_lesser(bend, l_all(0));
    gdyn_lanes fall = l_all(w->below[1]) * own - l_all(w->below[0]) * before;
    gdyn_lanes chord = l_lesser(f[2], f[3]);
    return l_lesser(l_lesser(left, right), chord - l_greater(fall, l_all(0)));
}

void gdyn_dips_mark(const gdyn_samples *s, const gdyn_interval *interval, int functions,
                    const double *f, const double *least, unsigned *mark) {
    for (int i = 0; i + 1 < s->count; i++) {
        const gdyn_interval *w = &interval[i];
        mark[i] = w->sample[0] < 0 ? ~0u : 0;
        /* two functions at once, the last one twice where their number is odd */
        for (int k = 0; k < functions && w->sample[0] >= 0; k += GDYN_LANES) {
            bool pair = k + 1 < functions;
            gdyn_lanes at[WINDOW];
            for (int j = 0; j < WINDOW; j++) {
                const double *value = f + w->sample[j] * s->stride + k;
                at[j] = pair ? l_pair(value) : l_all(*value);
            }
            gdyn_lanes floor = pair ? l_pair(least + k) : l_all(least[k]);
            mark[i] |= (unsigned)(~l_mask(coarse_bound(w, at) > floor) & GDYN_ALL_LANES) << k;
        }
    }
}

/* --- integrals -------------------------------------------------------------------------------- */

/* Second divided difference at sample i; at an end that of its neighbour. */
static double bend(const gdyn_samples *s, const double *f, int i) {
    int last = s->count - 1, n = s->stride;
    i = i < 1 ? 1 : i > last - 1 ? last - 1 : i;
    double a = s->p[i] - s->p[i - 1], b = s->p[i + 1] - s->p[i];
    double left = (f[i * n] - f[(i - 1) * n]) / a, right = (f[(i + 1) * n] - f[i * n]) / b;
    return (right - left) / (a + b);
}

/* Error in the interval i, and whether the function is smooth there: the bends at its ends are
 * alike. */
static double interval_error(const gdyn_samples *s, const double *f, int i, bool *even) {
    double h = s->p[i + 1] - s->p[i], a = bend(s, f, i), b = bend(s, f, i + 1);
    double least = fmin(fabs(a), fabs(b)), most = fmax(fabs(a), fabs(b));
    *even = a * b > 0 && most <= SIMILAR * least;
    /* a change S of the slope has bends up to S / (2 h) beside it, and is wrong by S h^2 / 8 at
     * most */
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
