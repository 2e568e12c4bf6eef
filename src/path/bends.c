/* bends.c - further points of a path, without which its points do not show how it bends.
 *
 * What a machine does between two points of a path is inferred from what it does at the points.
 * That fails where R(p) itself does something there that no point shows: a blend, a bump, a knot of
 * a table. R' and R'' are known everywhere and cost little, so they are sampled: formulas at
 * SAMPLES places, tables and curves at their knots and between them. Cells between two samples are
 * halved where the mean of R'' over the cell, the change of R' over its width, is another one than
 * at its ends.
 *
 * With q a component of R' or R'', Q its largest size on the path, and a, b its values at the ends
 * of an interval between two points, the points show a sample in the interval
 *   - between a and b: within NEAR Q of the chord, of a or of b (it jumps), or within NEAR_CURVE Q
 *     of the polynomial through the six points around it;
 *   - beyond both: within theta Q of them or of that polynomial, theta = HIDDEN times the path's
 *     tolerance.
 * The sample farthest from what the points show becomes a point itself, until all are shown. What
 * no sample touches stays unknown: a feature of a formula that is narrower than a cell. */
#include "path/internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 1000,       /* of formulas, */
    WAVE = 16,            /* fewer where so many to the shortest wave are; */
    SAMPLES_MOST = 40000, /* with those at breaks and in halved cells */
    POINTS_MOST = 5000,   /* that are added */
    WINDOW = 6,           /* points of the polynomial */
    ROUNDS = 40,          /* of halving, of adding points: enough for NARROW */
    AT = 0,
    POINT,
    FIRST /* of a record: p, whether it is a point, R' and R'' of each coordinate */
};

static const double NEAR = 0.2, NEAR_CURVE = 0.05, HIDDEN = 0.4;
/* Shares: of the largest R'', the error of its mean over a cell; of the path, the smallest cell. */
static const double UNEVEN = 0.03, NARROW = 1e-7;
/* Shares below which R'' times the path's length is rounding of R'. */
static const double ROUNDING = 1e-9;

/* Samples in the order of p, and what is measured against. */
typedef struct survey {
    gdyn_path *path;
    const gdyn_path_source **source; /* sources: those that may bend between the points */
    int sources, coordinates, stride, count, capacity;
    double *record; /* count x stride */
    double *most;   /* 2 x coordinates: largest |R'|, |R''|; 0: the coordinate does not bend */
    double range, theta;
} survey;

static double *at(const survey *s, int i) {
    return s->record + (size_t)i * (size_t)s->stride;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* One more sample; false: memory. Beyond SAMPLES_MOST it is dropped. */
static bool add_sample(survey *s, double p, bool point) {
    if (s->count >= SAMPLES_MOST && !point)
        return true;
    if (!gdyn_reserve(&s->record, &s->capacity, s->count + 1, (size_t)s->stride * sizeof(double)))
        return false;
    double *to = at(s, s->count), jet[3][3], finite = 0;
    to[AT] = p, to[POINT] = point;
    to += FIRST;
    for (int i = 0; i < s->sources; i++) {
        int rows = gdyn_path_source_jets(s->path, s->source[i], p, jet);
        for (int j = 0; j < rows; j++, to += 2) {
            to[0] = jet[j][1], to[1] = jet[j][2];
            finite += 0 * (to[0] + to[1]);
        }
    }
    /* where the path is not differentiable nothing is known */
    s->count += finite == 0;
    return true;
}

/* In the order of p, each place once. */
static void sort_samples(survey *s) {
    size_t size = (size_t)s->stride * sizeof(double);
    int kept = 0;
    qsort(s->record, (size_t)s->count, size, gdyn_ascending);
    for (int i = 1; i < s->count; i++) {
        bool same = at(s, i)[AT] - at(s, kept)[AT] <= 1e-12 * s->range;
        bool point = same && at(s, kept)[POINT] != 0;
        if (!point)
            memmove(at(s, same ? kept : kept + 1), at(s, i), size);
        kept += !same;
    }
    s->count = kept + 1;
}

/* Points, places between them where formulas are evaluated, breaks and places between these. */
static bool take_samples(survey *s, int samples, bool breaks) {
    const gdyn_path *path = s->path;
    int points = path->def.points, parts = 1 + samples / points;
    /* by arc length a spline's R'' is no polynomial */
    int inner = path->curve.table && !path->curve.knots_given ? 4 : 2;
    bool ok = true;
    for (int i = 0; ok && i < points; i++) {
        double a = gdyn_path_p(path, i), b = gdyn_path_p(path, i + 1);
        ok = add_sample(s, a, true);
        for (int k = 1; ok && i + 1 < points && k < parts; k++)
            ok = add_sample(s, a + (b - a) * k / parts, false);
    }
    double first = path->def.p_start, last = path->def.p_end;
    for (double p = first; ok && breaks && p < last;) {
        double next = gdyn_path_next_break(path, p, last);
        for (int k = 1; ok && k < inner; k++)
            ok = add_sample(s, p + (next - p) * k / inner, false);
        ok = ok && add_sample(s, gdyn_path_before(path, p, next), false) &&
             add_sample(s, next, false);
        p = next;
    }
    if (ok && breaks)
        sort_samples(s);
    return ok;
}

/* Largest |R'| and |R''| of each coordinate; 0 where it does not bend but for rounding. */
static void measure(survey *s) {
    int all = 2 * s->coordinates;
    memset(s->most, 0, (size_t)all * sizeof *s->most);
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < all; k++)
            s->most[k] = fmax(s->most[k], fabs(at(s, i)[FIRST + k]));
    for (int k = 0; k < all; k += 2)
        if (!(s->most[k + 1] * s->range > ROUNDING * s->most[k]))
            s->most[k] = s->most[k + 1] = 0;
}

/* Whether R'' between two samples is another one than at them. */
static bool uneven(const survey *s, const double *a, const double *b) {
    double h = b[AT] - a[AT];
    if (h <= NARROW * s->range)
        return false;
    for (int k = 0; k < 2 * s->coordinates; k += 2) {
        const double *x = a + FIRST + k, *y = b + FIRST + k;
        double mean = (y[0] - x[0]) / h, ends = 0.5 * (x[1] + y[1]);
        if (fabs(mean - ends) > UNEVEN * s->most[k + 1])
            return true;
    }
    return false;
}

/* Halves cells until R'' is even in each of them. */
static bool halve_cells(survey *s) {
    measure(s);
    for (int round = 0, more = 1; round < ROUNDS && more > 0; round++) {
        int count = s->count;
        for (int i = 0; i + 1 < count; i++)
            if (uneven(s, at(s, i), at(s, i + 1)) &&
                !add_sample(s, 0.5 * (at(s, i)[AT] + at(s, i + 1)[AT]), false))
                return false;
        more = s->count - count;
        if (more > 0) {
            sort_samples(s);
            measure(s);
        }
    }
    return true;
}

/* --- points ----------------------------------------------------------------------------------- */

/* Component k at p by the polynomial through the points (Neville). */
static double predict(const survey *s, const int *point, int count, int k, double p) {
    double value[WINDOW];
    for (int i = 0; i < count; i++)
        value[i] = at(s, point[i])[FIRST + k];
    for (int step = 1; step < count; step++)
        for (int i = 0; i + step < count; i++) {
            double a = at(s, point[i])[AT], b = at(s, point[i + step])[AT];
            value[i] = ((p - a) * value[i + 1] + (b - p) * value[i]) / (b - a);
        }
    return value[0];
}

/* Distance of a sample from what the points show, share of the largest size; 0: shown. */
static double hidden(const survey *s, const double *a, const double *b, const double *sample,
                     const int *window, int count) {
    double worst = 0, x = (sample[AT] - a[AT]) / (b[AT] - a[AT]);
    for (int k = 0; k < 2 * s->coordinates; k++) {
        double most = s->most[k], q = sample[FIRST + k], from = a[FIRST + k], to = b[FIRST + k];
        double off = fabs(q - (from + x * (to - from)));
        bool beyond = q < fmin(from, to) - s->theta * most || q > fmax(from, to) + s->theta * most;
        double near = fmin(off, fmin(fabs(q - from), fabs(q - to)));
        if (most == 0 || (!beyond && near <= NEAR * most))
            continue;
        double enough = (beyond ? s->theta : NEAR_CURVE) * most;
        if (fabs(q - predict(s, window, count, k, sample[AT])) > enough)
            worst = fmax(worst, off / most);
    }
    return worst;
}

/* The sample between two points that is hidden most becomes a point; false: all are shown. */
static bool show(const survey *s, const int *point, int points, int interval) {
    int first = point[interval], last = point[interval + 1], found = -1;
    const double *a = at(s, first), *b = at(s, last);
    int from = interval - WINDOW / 2 + 1, count = points < WINDOW ? points : WINDOW;
    double worst = 0, apart = NARROW * s->range;
    from = from < 0 ? 0 : from > points - count ? points - count : from;
    for (int i = first + 1; i < last; i++) {
        const double *sample = at(s, i);
        if (sample[AT] - a[AT] <= apart || b[AT] - sample[AT] <= apart)
            continue;
        double off = hidden(s, a, b, sample, point + from, count);
        if (off > worst)
            worst = off, found = i;
    }
    if (found >= 0)
        at(s, found)[POINT] = 1;
    return found >= 0;
}

/* Samples become points until all others are shown. */
static bool choose_points(survey *s, int *point) {
    int points = 0, most = s->path->def.points + POINTS_MOST;
    for (int round = 0, more = 1; round < ROUNDS && more > 0; round++) {
        points = more = 0;
        for (int i = 0; i < s->count; i++)
            if (at(s, i)[POINT] != 0)
                point[points++] = i;
        for (int i = 0; i + 1 < points && points + more < most; i++)
            more += show(s, point, points, i);
        s->path->hides = points + more >= most;
    }
    return points > s->path->def.points;
}

/* The points as a list of the path's. */
static gdyn_status keep_points(survey *s) {
    gdyn_path *path = s->path;
    int points = 0;
    for (int i = 0; i < s->count; i++)
        points += at(s, i)[POINT] != 0;
    double *p = gdyn_arena_doubles(path->arena, (size_t)points);
    if (!p)
        return GDYN_ERROR_MEMORY;
    for (int i = 0, k = 0; i < s->count; i++)
        if (at(s, i)[POINT] != 0)
            p[k++] = at(s, i)[AT];
    path->at = p, path->points = points;
    return GDYN_OK;
}

gdyn_status gdyn_path_show_bends(gdyn_path *path) {
    survey s = {.path = path,
                .range = path->def.p_end - path->def.p_start,
                .theta = HIDDEN * path->def.tolerance};
    double samples = 0;
    bool breaks = false;
    s.source = gdyn_alloc((size_t)path->sources, sizeof *s.source);
    for (int i = 0; s.source && i < path->sources; i++) {
        /* samples that a source needs; 0: between any points it is a constant, a line or an arc */
        const gdyn_path_source *source = &path->source[i];
        double waves = 0;
        for (int j = 0; j < source->rows && source->formula[j]; j++)
            waves = fmax(waves, gdyn_expr_waves(source->formula[j], s.range));
        double own = fmin(WAVE * waves, SAMPLES);
        bool broken =
            source->kind == GDYN_SOURCE_CURVE ? path->curve.at != NULL : !source->formula[0];
        if (own < path->def.points && !broken)
            continue;
        samples = fmax(samples, own);
        breaks = breaks || broken;
        s.source[s.sources++] = source;
        s.coordinates += source->rows;
    }
    s.stride = FIRST + 2 * s.coordinates;
    s.most = gdyn_alloc(2 * (size_t)s.coordinates + 1, sizeof *s.most);
    gdyn_status status = s.source && s.most ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (!status && s.sources > 0) {
        /* samples, then those of them that become points */
        bool ok = take_samples(&s, (int)samples, breaks) && halve_cells(&s);
        int *point = ok ? gdyn_alloc((size_t)s.count, sizeof *point) : NULL;
        status = point ? GDYN_OK : GDYN_ERROR_MEMORY;
        if (!status && choose_points(&s, point))
            status = keep_points(&s);
        gdyn_free(point);
    }
    gdyn_free(s.source), gdyn_free(s.most), gdyn_free(s.record);
    return status;
}
