/* regular.c - a path parameter that keeps moving where p does not; see regular.h. */
#include "traverse/regular.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/minimum.h"

#include <math.h>
#include <string.h>

/* Share of the path within which a cusp is at an end, or at the one before. */
static const double AT_END = 1e-9;
/* Share of s within which a place belongs to a cusp: speeds vanish like its square root. */
static const double AT_CUSP = 1e-6;

enum { NODES = 16, CUSPS_MOST = 64, NEWTON_STEPS = 60 };

/* g below this share of its greatest value is a cusp. */
static const double VANISHED = 1e-6;
/* At a cusp p as far as g is below this share of its greatest value is one place: the machine stands there
 * (what is left of g is rounding, path/track.c). */
static const double STANDING = 1e-12;
/* Stands longer than this share of the path are dwells that are reported; p^3 stands for 1e-6, p^5 for 1e-3. */
static const double REPORTED = 2e-3;
/* Nearest approach to a cusp as a share of the whole s: g is then some 1e-5 of its usual size (for
 * p^3) and A_s = (A - D g'/g) / g^2 keeps six digits; the coefficients change by 1e-8. */
static const double APPROACH = 1e-8;
/* Cosine of the angle between the directions before and behind a cusp that is passed. */
static const double STRAIGHT = 0.999;

/* A piece a..b of p with Chebyshev's coefficients of s - s_a over it. */
typedef struct piece {
    double a, b, s_a, s_b;
    double c[NODES + 1];
} piece;

struct gdyn_regular {
    int cusps;
    double cusp[CUSPS_MOST], end[CUSPS_MOST]; /* p: where it begins, and ends in a dwell */
    double at[CUSPS_MOST];                    /* s */
    bool stop[CUSPS_MOST];
    int pieces;
    piece *piece;
};

/* --- cusps -------------------------------------------------------------------------------- */

typedef struct search {
    const gdyn_speed_source *source;
    int points;
    const double *p;
    double *g, *left, *right; /* points; n, n */
    double greatest;
} search;

/* g alone, for searches. */
static double speed_at(void *context, double p) {
    const search *f = context;
    double g, slope;
    return f->source->at(f->source->context, p, &g, &slope, f->left) ? g : INFINITY;
}

/* True when the direction of motion is another behind the cusp. */
static bool turns(search *f, double from, double to, double width) {
    double g, slope, product = 0;
    bool known = f->source->at(f->source->context, from - 1e-3 * width, &g, &slope, f->left) &&
                 f->source->at(f->source->context, to + 1e-3 * width, &g, &slope, f->right);
    for (int i = 0; known && i < f->source->n; i++)
        product += f->left[i] * f->right[i];
    return !known || product < STRAIGHT;
}

/* A smooth minimum far above zero is no cusp: g would have to fall to zero within a spacing. */
static bool may_vanish(search *f, int i) {
    double here = f->g[i], left = i > 0 ? f->g[i - 1] : here;
    double right = i + 1 < f->points ? f->g[i + 1] : here;
    return here <= left && here <= right && isfinite(here) &&
           (here < VANISHED * f->greatest || fmax(left, right) > 1.2 * here);
}

/* Where g rises above STANDING between a, where it is below, and b. */
static double edge(search *f, double a, double b) {
    double least = STANDING * f->greatest, near = 1e-15 * (fabs(a) + fabs(b));
    if (speed_at(f, b) <= least)
        return b;
    /* bisection keeps a on the standing side */
    while (fabs(b - a) > near) {
        double p = 0.5 * (a + b);
        if (p == a || p == b)
            break;
        if (speed_at(f, p) <= least)
            a = p;
        else
            b = p;
    }
    return a;
}

/* The machine stands from *from to *to, around p between the points i - 1 and i + 1. */
static void extend(search *f, int i, double p, double *from, double *to) {
    double least = STANDING * f->greatest;
    *from = *to = p;
    if (!(speed_at(f, p) <= least))
        return;
    int low = i, high = i;
    while (low > 0 && (f->p[low] >= p || f->g[low] <= least))
        low--;
    while (high + 1 < f->points && (f->p[high] <= p || f->g[high] <= least))
        high++;
    *from = edge(f, p, f->p[low]);
    *to = edge(f, p, f->p[high]);
}

/* Points where g vanishes, with the stretch on which the machine stands. */
static void find_cusps(search *f, gdyn_regular *r) {
    for (int i = 0; i < f->points && r->cusps < CUSPS_MOST; i++) {
        if (!may_vanish(f, i))
            continue;
        /* the minimum of g between the neighbours */
        double a = f->p[i > 0 ? i - 1 : 0], b = f->p[i + 1 < f->points ? i + 1 : i];
        double p = speed_at(f, f->p[i]) == 0 ? f->p[i]
                                             : gdyn_golden_section(speed_at, f, a, b, INFINITY).x;
        double first = f->p[0], last = f->p[f->points - 1], width = last - first;
        if (p - first < AT_END * width) /* the path begins or ends with the cusp */
            p = first;
        if (last - p < AT_END * width)
            p = last;
        /* each once, and only where g really vanishes */
        bool repeated = r->cusps > 0 && p - r->end[r->cusps - 1] <= AT_END * width;
        if (repeated || !(speed_at(f, p) < VANISHED * f->greatest))
            continue;
        /* where it stands, and whether it moves on in another direction */
        double around = fmin(p - a, b - p), from, to;
        extend(f, i, p, &from, &to);
        r->stop[r->cusps] =
            from > first && to < last && turns(f, from, to, around > 0 ? around : 0.5 * (b - a));
        r->cusp[r->cusps] = from;
        r->end[r->cusps++] = to;
    }
}

/* --- s(p) --------------------------------------------------------------------------------- */

/* Coefficients of the integral of g over the piece, from g at Chebyshev's extreme points. */
static bool integrate(search *f, piece *q) {
    double value[NODES + 1], g[NODES + 2] = {0}, half = 0.5 * (q->b - q->a);
    /* g at the Chebyshev points */
    for (int k = 0; k <= NODES; k++) {
        double x = cos(GDYN_PI * k / NODES);
        value[k] = speed_at(f, 0.5 * (q->a + q->b) + half * x);
        if (!isfinite(value[k]))
            return false;
    }
    /* its Chebyshev coefficients */
    for (int j = 0; j <= NODES; j++) {
        double sum = 0.5 * (value[0] + (j % 2 ? -1 : 1) * value[NODES]);
        for (int k = 1; k < NODES; k++)
            sum += value[k] * cos(GDYN_PI * j * k / NODES);
        g[j] = 2 * sum / NODES;
    }
    g[NODES] *= 0.5;
    /* those of its integral, zero at a */
    q->c[0] = 0;
    for (int j = 1; j <= NODES; j++)
        q->c[j] = half * (g[j - 1] - g[j + 1]) / (2 * j);
    double at_a = 0;
    for (int j = 1; j <= NODES; j++)
        at_a += (j % 2 ? -1 : 1) * q->c[j];
    q->c[0] = -at_a;
    return true;
}

/* Clenshaw's recurrence. */
static double value_at(const piece *q, double p) {
    double x = (2 * p - q->a - q->b) / (q->b - q->a), b1 = 0, b2 = 0;
    for (int j = NODES; j >= 1; j--) {
        double b0 = 2 * x * b1 - b2 + q->c[j];
        b2 = b1, b1 = b0;
    }
    return x * b1 - b2 + q->c[0];
}

/* s goes on where the last piece ended; it has to increase. */
static bool add_piece(search *f, gdyn_regular *r, double a, double b) {
    piece *q = &r->piece[r->pieces];
    double before = r->pieces > 0 ? r->piece[r->pieces - 1].s_b : f->p[0];
    *q = (piece){.a = a, .b = b, .s_a = before};
    if (!integrate(f, q))
        return false;
    q->s_b = before + value_at(q, b);
    r->pieces++;
    return q->s_b > before;
}

/* Pieces between the points and the cusps. */
static bool make_pieces(search *f, gdyn_regular *r) {
    int next = 0;
    double a = f->p[0];
    /* a piece ends at every point and at every cusp */
    for (int i = 1; i < f->points; i++) {
        for (; next < r->cusps && r->cusp[next] < f->p[i]; next++) {
            if (r->cusp[next] > a && !add_piece(f, r, a, r->cusp[next]))
                return false;
            r->at[next] = r->pieces > 0 ? r->piece[r->pieces - 1].s_b : f->p[0];
            a = fmax(a, r->end[next]);
        }
        if (f->p[i] > a && !add_piece(f, r, a, f->p[i]))
            return false;
        a = fmax(a, f->p[i]);
    }
    /* cusps behind the last point */
    for (; next < r->cusps && r->pieces > 0; next++)
        r->at[next] = r->piece[r->pieces - 1].s_b;
    return r->pieces > 0;
}

/* --- making ------------------------------------------------------------------------------- */

static gdyn_status find_with(search *f, gdyn_regular *r, bool *found) {
    for (int i = 0; i < f->points; i++) {
        f->g[i] = speed_at(f, f->p[i]);
        f->greatest = fmax(f->greatest, isfinite(f->g[i]) ? f->g[i] : 0);
    }
    find_cusps(f, r);
    *found = r->cusps > 0;
    if (!*found)
        return GDYN_OK;
    r->piece = gdyn_alloc((size_t)(f->points + r->cusps), sizeof *r->piece);
    if (!r->piece)
        return GDYN_ERROR_MEMORY;
    *found = make_pieces(f, r); /* else the path cannot be followed anyway */
    return GDYN_OK;
}

/* A regular parameter, where the path has cusps; *out NULL: it has none. */
gdyn_status gdyn_regular_find(const gdyn_speed_source *source, int points, const double *p,
                              gdyn_regular **out) {
    search f = {.source = source, .points = points, .p = p};
    size_t n = (size_t)source->n;
    bool found = false;
    *out = NULL;
    gdyn_regular *r = gdyn_alloc(1, sizeof *r);
    f.g = gdyn_alloc((size_t)points, sizeof *f.g);
    f.left = gdyn_alloc(n + 1, sizeof *f.left);
    f.right = gdyn_alloc(n + 1, sizeof *f.right);
    gdyn_status status =
        r && f.g && f.left && f.right ? find_with(&f, r, &found) : GDYN_ERROR_MEMORY;
    gdyn_free(f.g);
    gdyn_free(f.left);
    gdyn_free(f.right);
    if (status == GDYN_OK && found)
        *out = r;
    else
        gdyn_regular_destroy(r);
    return status;
}

/* NULL is allowed. */
void gdyn_regular_destroy(gdyn_regular *r) {
    if (r)
        gdyn_free(r->piece);
    gdyn_free(r);
}

/* Within rounding of one of them. */
bool gdyn_regular_is_cusp(const gdyn_regular *r, double s) {
    double near = AT_CUSP * (r->piece[r->pieces - 1].s_b - r->piece[0].s_a);
    for (int i = 0; i < r->cusps; i++)
        if (fabs(s - r->at[i]) <= near)
            return true;
    return false;
}

/* Stretches of p on which the machine stands. */
int gdyn_regular_dwells(const gdyn_regular *r, int most, double (*dwell)[2]) {
    int count = 0;
    /* the range of p */
    double first = fmin(r->piece[0].a, r->cusp[0]), last = r->piece[r->pieces - 1].b;
    for (int i = 0; i < r->cusps; i++)
        last = fmax(last, r->end[i]);
    /* long enough to be reported */
    for (int i = 0; i < r->cusps && count < most; i++)
        if (r->end[i] - r->cusp[i] > REPORTED * (last - first)) {
            dwell[count][0] = r->cusp[i];
            dwell[count++][1] = r->end[i];
        }
    return count;
}

/* --- use ---------------------------------------------------------------------------------- */

/* Cusps at which the motion has to stop. */
int gdyn_regular_stops(const gdyn_regular *r) {
    int count = 0;
    for (int i = 0; i < r->cusps; i++)
        count += r->stop[i];
    return count;
}

/* In ascending order. */
double gdyn_regular_stop(const gdyn_regular *r, int number) {
    for (int i = 0; i < r->cusps; i++)
        if (r->stop[i] && number-- == 0)
            return r->at[i];
    return NAN;
}

/* s(p): the piece, then its polynomial. */
double gdyn_regular_s(const gdyn_regular *r, double p) {
    int i = 0;
    while (i + 1 < r->pieces && p > r->piece[i].b)
        i++;
    const piece *q = &r->piece[i];
    return q->s_a + value_at(q, fmin(fmax(p, q->a), q->b));
}

/* Halving with secants: s is monotonic, but flat at cusps. */
static double solve(const piece *q, double s) {
    double a = q->a, b = q->b, fa = q->s_a - s, fb = q->s_b - s;
    for (int i = 0; i < NEWTON_STEPS && b - a > 1e-15 * (fabs(a) + fabs(b)); i++) {
        /* secant and halving in turns */
        double p = i % 2 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        p = p > a && p < b ? p : 0.5 * (a + b);
        double f = q->s_a + value_at(q, p) - s;
        if (f <= 0)
            a = p, fa = f;
        else
            b = p, fb = f;
        if (f == 0)
            break;
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

/* p(s); at a cusp the side is chosen, since p is not unique there. */
double gdyn_regular_p(const gdyn_regular *r, double s, int side) {
    double first = r->piece[0].s_a, last = r->piece[r->pieces - 1].s_b;
    /* never nearer to a cusp than g can bear */
    double least = APPROACH * (last - first);
    for (int i = 0; i < r->cusps; i++) {
        double at = r->at[i];
        bool left = at >= last || (at > first && (s < at || (s == at && side < 0)));
        if (fabs(s - at) < least)
            s = left ? at - least : at + least;
    }
    /* the piece by bisection, p by its polynomial */
    int low = 0, high = r->pieces - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s > r->piece[middle].s_b)
            low = middle + 1;
        else
            high = middle;
    }
    return solve(&r->piece[low], fmin(fmax(s, r->piece[low].s_a), r->piece[low].s_b));
}
