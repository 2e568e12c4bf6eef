/* strip.c - the width of the strip, g(x) = smallest upper line - largest lower line, is concave and
 * piecewise linear. Its zeros are found by Newton's method from outside: the pair of lines that
 * decides at x bounds g everywhere, so no step leaves a root behind, and every step settles one
 * pair. The number of steps does not depend on the number of lines in practice (two or three). */
#include "traverse/internal.h"

#include "linalg/minimum.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* A zero beyond an end by less than this share is the end. */
static const double END_ROUNDING = 4e-15;
/* Share of x by which a place may lie outside of its strip. */
static const double OUTSIDE = 1e-12;

enum { STEPS = 200 };

/* The target's lines: x + 2 h u <= k_high, >= k_low. */
typedef struct target {
    double slope, high, low;
} target;

static target make_target(double h, double k_low, double k_high) {
    double f = 0.5 / h;
    return (target){-f, k_high * f, k_low * f};
}

/* The upper line that is smallest at x. */
static inline double least(const gdyn_lines *lines, double x, int *at) {
    double best = INFINITY;
    int place = -1;
    for (int i = 0; i < lines->count; i++) {
        double value = lines->a[i] * x + lines->c[i];
        place = value < best ? i : place;
        best = value < best ? value : best;
    }
    *at = place;
    return best;
}

/* The lower line that is largest at x. */
static inline double greatest(const gdyn_lines *lines, double x, int *at) {
    double best = -INFINITY;
    int place = -1;
    for (int i = 0; i < lines->count; i++) {
        double value = lines->a[i] * x + lines->c[i];
        place = value > best ? i : place;
        best = value > best ? value : best;
    }
    *at = place;
    return best;
}

/* Width at x, and the pair of lines that decides there. */
typedef struct strip_width {
    double g, size;    /* the width, and the size of what it is made of */
    double a, b, c, d; /* upper line a x + c, lower line b x + d */
} strip_width;

/* Width of the strip at x between its lines and the target's, linear there; slope and rounding. */
static strip_width width(const gdyn_strip *s, const target *t, double x) {
    int at_up, at_low;
    double up = least(&s->up, x, &at_up), low = greatest(&s->low, x, &at_low);
    double high_end = t->slope * x + t->high, low_end = t->slope * x + t->low;
    double a = at_up >= 0 ? s->up.a[at_up] : 0, b = at_low >= 0 ? s->low.a[at_low] : 0;
    double c = at_up >= 0 ? s->up.c[at_up] : 0, d = at_low >= 0 ? s->low.c[at_low] : 0;
    /* the target's ends bound, too */
    if (high_end <= up) {
        up = high_end;
        a = t->slope, c = t->high;
    }
    if (low_end >= low) {
        low = low_end;
        b = t->slope, d = t->low;
    }
    /* the terms of the difference */
    double size = fabs(up) + fabs(low) + (fabs(a) + fabs(b)) * fabs(x);
    return (strip_width){up - low, size, a, b, c, d};
}

/* The root seen from the right (or left) end; false when the width is negative all along. */
static bool root(const gdyn_strip *s, const target *t, bool right, double *x_out) {
    double x = right ? s->x_high : s->x_low;
    for (int i = 0; i < STEPS; i++) {
        strip_width w = width(s, t, x);
        if (w.g >= -4e-15 * w.size) {
            *x_out = x;
            return true;
        }
        if (right ? w.a >= w.b : w.a <= w.b)
            return false;
        double next = (w.d - w.c) / (w.a - w.b);
        if (right ? next < s->x_low : next > s->x_high) {
            /* rounding at an end that is itself the answer */
            double end = right ? s->x_low : s->x_high;
            if (fabs(next - end) > END_ROUNDING * (fabs(end) + fabs(x)))
                return false;
            next = end;
        }
        if (next == x) {
            *x_out = x;
            return true;
        }
        x = next;
    }
    return false;
}

bool gdyn_strip_slice(const gdyn_strip *s, double h, double x, double k_low, double k_high,
                      double *u_low, double *u_high) {
    double tolerance = OUTSIDE * gdyn_greater(fabs(s->x_low), fabs(s->x_high));
    if (x < s->x_low - tolerance || x > s->x_high + tolerance)
        return false;
    target t = make_target(h, k_low, k_high);
    strip_width w = width(s, &t, x);
    *u_high = w.a * x + w.c;
    *u_low = w.b * x + w.d;
    if (w.g < 0 && w.g >= -1e-11 * w.size)
        *u_low = *u_high = 0.5 * (*u_low + *u_high);
    return w.g >= -1e-11 * w.size;
}

bool gdyn_strip_reach(const gdyn_strip *s, double h, double k_low, double k_high, double *x_low,
                      double *x_high) {
    assert(h >= 0);
    if (s->x_low > s->x_high || k_low > k_high)
        return false;
    if (h == 0) { /* rounding made the ends one place: x stays as it is */
        *x_low = gdyn_greater(s->x_low, k_low);
        *x_high = gdyn_lesser(s->x_high, k_high);
        return *x_low <= *x_high;
    }
    target t = make_target(h, k_low, k_high);
    if (!root(s, &t, true, x_high))
        return false;
    if (!root(s, &t, false, x_low))
        *x_low = *x_high;
    *x_low = gdyn_lesser(*x_low, *x_high);
    return true;
}

typedef struct strip_target {
    const gdyn_strip *strip;
    target target;
} strip_target;

/* The width falls: it is concave. */
static double fall(void *context, double x) {
    const strip_target *t = context;
    strip_width w = width(t->strip, &t->target, x);
    return w.b - w.a;
}

double gdyn_strip_deficit(const gdyn_strip *s, double h, double k_low, double k_high, double *x) {
    strip_target t = {s, make_target(h, k_low, k_high)};
    double within;
    *x = gdyn_bisect(fall, &t, s->x_low, s->x_high, 1, &within);
    return width(s, &t.target, *x).g;
}

/* a x + b u + c <= 0 as a line of the strip; without b as a bound of x. */
bool gdyn_strip_add(gdyn_strip *s, double a, double b, double c) {
    if (b > 0 || b < 0) {
        gdyn_lines *lines = b > 0 ? &s->up : &s->low;
        double f = -1 / b;
        if (isfinite(a * f) && isfinite(c * f)) {
            lines->a[lines->count] = a * f;
            lines->c[lines->count++] = c * f;
            return true;
        }
    }
    if (a > 0)
        s->x_high = gdyn_lesser(s->x_high, -c / a);
    else if (a < 0)
        s->x_low = gdyn_greater(s->x_low, -c / a);
    return a != 0 || c <= 0;
}
