/* regular.c - rests and corners of a path, and its travel; see regular.h.
 *
 * s(p) is the integral of Chebyshev's interpolant of g on pieces that end at knots and rests,
 * halved until the interpolant's last coefficients are rounding. */
#include "path/regular.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/dot.h"
#include "linalg/minimum.h"
#include "path/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After PIECES_MOST pieces none is halved: the path oscillates too fast for a machine. */
enum {
    PIECES_MOST = 4096,
    NODES = 16,
    PLACES = 1000,
    DEEPEST = 10,
    STEPS_MOST = 60,
    LADDER = 150,
    KNOTS_MOST = 1000
};

/* Shares of the greatest g: below the first R' vanishes; below the second it does so all along an
 * interval; below the third A_s, which loses g^2, is rounding, below the fourth the others are;
 * below the last s is the better coordinate. */
static const double VANISHED = 1e-6, STANDING = 1e-12, NEAREST = 3e-5, NEAREST_STOP = 1e-7,
                    SLOW = 0.02;
/* Shares of the path: an end is met, and a jump is narrower. */
static const double AT_END = 1e-9, JUMP = 1e-11;
/* Curvature times the whole travel from which on a turn is a corner: grids do not resolve it. */
static const double CORNER = 1e11;
/* A change of direction [rad], or of R' as a share of it, that is a jump. */
static const double KINK = 1e-3;
/* Between two places it may be a jump from this share on, whatever it is around them. */
static const double STEEP = 0.2;
/* Curvature times travel that counts, and the power of 1/s of an unbounded one. */
static const double CURVED = 1, GROWING = 0.1;
/* Last coefficients of g, as a share of its greatest value, that are rounding. */
static const double RESOLVED = 1e-13;
/* Of the path: a tenth of the distance of a grid's first points; a bend of R'' beside its size. */
static const double WIDTH = 1e-3, FELT = 2e-8;
/* Share of a piece that is inside of its end, where g may jump. */
static const double INSIDE = 1e-12;
/* Shares of the greatest R'': less is none beside it; more is no bound. */
static const double LITTLE = 0.01, UNBOUNDED = 100;
/* Share of s within which a place is at a rest. */
static const double AT_REST = 1e-12;

/* a..b of p with Chebyshev's coefficients of s - s_a over it. */
typedef struct gdyn_regular_piece {
    double a, b, s_a, s_b;
    double c[NODES + 1];
} piece;

/* --- the derivative ----------------------------------------------------------------------- */

/* R', R'' at p; returns g. */
static double look(gdyn_regular *t, double p) {
    double L = gdyn_model_length(t->path->model);
    gdyn_path_evaluate(t->path, p, t->target);
    for (int i = 0; i < t->path->targets; i++) {
        double unit = t->target[i].row.length ? 1 : L;
        t->rate[i] = unit * t->target[i].target[1];
        t->bend[i] = unit * t->target[i].target[2];
    }
    double g = gdyn_norm(t->path->targets, t->rate);
    for (int i = 0; i < t->path->targets; i++)
        t->direction[i] = g > 0 ? t->rate[i] / g : 0;
    return g;
}

static double speed_at(void *context, double p) {
    return look(context, p);
}

/* g dg/dp. */
static double change_at(void *context, double p) {
    gdyn_regular *t = context;
    look(t, p);
    return gdyn_dot(t->path->targets, t->rate, t->bend);
}

void gdyn_regular_speed(gdyn_regular *t, double p, double *g, double *slope) {
    *g = look(t, p);
    *slope = gdyn_dot(t->path->targets, t->direction, t->bend);
}

/* Curvature at the place that was looked at. */
static double curvature(const gdyn_regular *t, double g) {
    double along = gdyn_dot(t->path->targets, t->direction, t->bend), sum = 0;
    for (int i = 0; i < t->path->targets; i++) {
        double across = t->bend[i] - along * t->direction[i];
        sum += across * across;
    }
    return sqrt(sum) / (g * g);
}

/* --- the search --------------------------------------------------------------------------- */

/* R' and R'' at many places: records of p, g, R', R''. (bends.c has others: of sources that may
 * bend, before the path has its points, in cells that are halved, not on both sides of knots.) */
typedef struct survey {
    gdyn_regular *t;
    int count, capacity, room, targets;
    double *record;
    double first, last, most; /* of p; greatest |R''| */
} survey;

static double *record_of(const survey *f, int i) {
    return f->record + (size_t)i * (size_t)(2 + 2 * f->targets);
}

static double p_of(const survey *f, int i) {
    return record_of(f, i)[0];
}

static double g_of(const survey *f, int i) {
    return record_of(f, i)[1];
}

/* R' (0) or R'' (1). */
static const double *derivative_of(const survey *f, int i, int order) {
    return record_of(f, i) + 2 + order * f->targets;
}

static bool add_place(survey *f, double p) {
    size_t size = (size_t)f->targets * sizeof(double);
    if (!gdyn_reserve(&f->record, &f->capacity, f->count + 1, 2 * sizeof(double) + 2 * size))
        return false;
    double *to = record_of(f, f->count++), bend;
    to[0] = p;
    to[1] = look(f->t, p);
    memcpy(to + 2, f->t->rate, size), memcpy(to + 2 + f->targets, f->t->bend, size);
    f->t->whole = fmax(f->t->whole, to[1]);
    bend = gdyn_norm(f->targets, f->t->bend);
    f->most = isfinite(bend) ? fmax(f->most, bend) : f->most;
    return true;
}

/* Equal steps, and both sides of every knot. */
static bool take_places(survey *f) {
    const gdyn_path *path = f->t->path;
    bool ok = add_place(f, f->first);
    for (int i = 1; ok && i <= PLACES; i++) {
        double from = p_of(f, f->count - 1);
        double to = i < PLACES ? f->first + (f->last - f->first) * i / PLACES : f->last;
        for (double at = from; ok && (at = gdyn_path_next_break(path, at, to)) < to;) {
            double before = gdyn_path_before(path, from, at);
            ok = (before <= from || add_place(f, before)) && add_place(f, at);
            from = at;
        }
        double before = gdyn_path_before(path, from, to);
        ok = ok && (before >= to || before <= from || add_place(f, before)) && add_place(f, to);
    }
    return ok;
}

static bool add_rest(survey *f, gdyn_path_rest rest) {
    gdyn_regular *t = f->t;
    if (!gdyn_reserve(&t->rest, &f->room, t->rests + 1, sizeof *t->rest))
        return false;
    /* in ascending order */
    int i = t->rests++;
    for (; i > 0 && t->rest[i - 1].from > rest.from; i--)
        t->rest[i] = t->rest[i - 1];
    t->rest[i] = rest;
    return true;
}

/* R' turns round from place i to the next. */
static bool turns_round(const survey *f, int i) {
    return gdyn_dot(f->targets, derivative_of(f, i, 0), derivative_of(f, i + 1, 0)) < 0;
}

/* A smooth minimum far above zero is no rest: g would have to fall to zero within a step. */
static bool may_vanish(const survey *f, int i) {
    double here = g_of(f, i), left = i > 0 ? g_of(f, i - 1) : here;
    double right = i + 1 < f->count ? g_of(f, i + 1) : here;
    return here <= left && here <= right &&
           (here < VANISHED * f->t->whole || fmax(left, right) > 1.2 * here ||
            (i > 0 && turns_round(f, i - 1)) || (i + 1 < f->count && turns_round(f, i)));
}

/* Where g rises above STANDING between a, where it is below, and b. */
static double edge(gdyn_regular *t, double a, double b) {
    double least = STANDING * t->whole, near = 1e-15 * (fabs(a) + fabs(b));
    if (look(t, b) <= least)
        return b;
    while (fabs(b - a) > near) {
        double p = 0.5 * (a + b);
        if (p == a || p == b)
            break;
        if (look(t, p) <= least)
            a = p;
        else
            b = p;
    }
    return a;
}

/* R' vanishes from *from to *to, around p near place i. */
static void extend(survey *f, int i, double p, double *from, double *to) {
    double least = STANDING * f->t->whole;
    *from = *to = p;
    if (!(look(f->t, p) <= least))
        return;
    int low = i, high = i;
    while (low > 0 && (p_of(f, low) >= p || g_of(f, low) <= least))
        low--;
    while (high + 1 < f->count && (p_of(f, high) <= p || g_of(f, high) <= least))
        high++;
    *from = edge(f->t, p, p_of(f, low)), *to = edge(f->t, p, p_of(f, high));
}

/* Places at which R' vanishes, with the intervals over which it does. */
static bool find_rests(survey *f) {
    gdyn_regular *t = f->t;
    double width = f->last - f->first, reached = -INFINITY;
    bool ok = true;
    for (int i = 0; ok && i < f->count; i++) {
        if (!may_vanish(f, i))
            continue;
        double a = p_of(f, i > 0 ? i - 1 : 0), b = p_of(f, i + 1 < f->count ? i + 1 : i);
        /* where g is least around the place: its change finds the tip of |x - x0| */
        double p = p_of(f, i), within;
        if (!(g_of(f, i) < 1e-3 * VANISHED * t->whole)) {
            p = gdyn_bisect(change_at, t, a, b, 1, &within);
            if (!(look(t, p) < VANISHED * t->whole))
                p = gdyn_golden_section(speed_at, t, a, b, INFINITY).x;
        }
        p = p - f->first < AT_END * width ? f->first : f->last - p < AT_END * width ? f->last : p;
        double g = look(t, p);
        if (p - reached <= AT_END * width ||
            !(g < VANISHED * t->whole || curvature(t, g) * t->whole * width > CORNER))
            continue;
        gdyn_path_rest rest = {.vanishes = true};
        extend(f, i, p, &rest.from, &rest.to);
        /* of an interval without derivative at an end the path's end belongs to it */
        rest.from = rest.from - f->first < AT_END * width ? f->first : rest.from;
        rest.to = f->last - rest.to < AT_END * width ? f->last : rest.to;
        reached = rest.to;
        ok = add_rest(f, rest);
    }
    return ok;
}

/* |a - b| */
static double apart(const survey *f, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < f->targets; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* The same as a share of the greater, or of the size given if that is greater. */
static double difference(const survey *f, const double *a, const double *b, double size) {
    return apart(f, a, b) / fmax(fmax(gdyn_norm(f->targets, a), gdyn_norm(f->targets, b)), size);
}

/* Of R' or R'' at places i and i + 1; 0 where R' vanishes at one of them. */
static double step_between(const survey *f, int i, int order) {
    if (i < 0 || i + 1 >= f->count || fmin(g_of(f, i), g_of(f, i + 1)) < VANISHED * f->t->whole)
        return 0;
    return difference(f, derivative_of(f, i, order), derivative_of(f, i + 1, order),
                      order * LITTLE * f->most);
}

typedef enum step_kind { SMOOTH, JUMPS, VANISHES } step_kind;

/* Halves the step between places i and i + 1 towards the greater change of R' or R'', to rounding:
 * *p behind a jump, or where R' vanishes. What is on both sides stays in the spare place. */
static step_kind narrow(survey *f, int i, int order, double *p) {
    gdyn_regular *t = f->t;
    size_t bytes = (size_t)f->targets * sizeof(double);
    double a = p_of(f, i), b = p_of(f, i + 1), least = order * LITTLE * f->most;
    double *left = record_of(f, f->count), *right = left + f->targets; /* a spare place */
    memcpy(left, derivative_of(f, i, order), bytes);
    memcpy(right, derivative_of(f, i + 1, order), bytes);
    for (;;) {
        double middle = 0.5 * (a + b), h = look(t, middle), first, second;
        const double *here = order ? t->bend : t->rate;
        *p = middle > a && middle < b ? middle : b;
        if (*p == b)
            return JUMPS;
        if (!(h > VANISHED * t->whole)) {
            *p = gdyn_bisect(change_at, t, a, b, 1, &first);
            return VANISHES;
        }
        first = difference(f, left, here, least);
        second = difference(f, here, right, least);
        if (!(fmax(first, second) > KINK))
            return SMOOTH;
        memcpy(first > second ? right : left, here, bytes);
        *(first > second ? &b : &a) = middle;
    }
}

static bool is_rest(const gdyn_regular *t, double p, double near) {
    for (int i = 0; i < t->rests; i++)
        if (p >= t->rest[i].from - near && p <= t->rest[i].to + near)
            return true;
    return false;
}

/* A step between two places that may be a jump of R' or R''. */
static bool steep(const survey *f, int i, int order) {
    double here = step_between(f, i, order);
    double around = fmax(step_between(f, i - 1, order), step_between(f, i + 1, order));
    return here > KINK && here > fmin(STEEP, 3 * around);
}

/* Places at which R' jumps, and those at which it vanishes between two places of the survey. */
static bool find_jumps(survey *f) {
    bool ok = true;
    for (int i = 0; ok && i + 1 < f->count; i++) {
        double p, near = AT_END * (f->last - f->first);
        if (!steep(f, i, 0))
            continue;
        step_kind found = narrow(f, i, 0, &p);
        gdyn_path_rest rest = {.from = p, .to = p, .vanishes = found == VANISHES};
        if (found == VANISHES)
            extend(f, i, p, &rest.from, &rest.to);
        if (found != SMOOTH && !is_rest(f->t, p, near))
            ok = add_rest(f, rest);
    }
    return ok;
}

static double opposite_bend(void *context, double p) {
    gdyn_regular *t = context;
    look(t, p);
    double bend = gdyn_norm(t->path->targets, t->bend);
    return isfinite(bend) ? -bend : -INFINITY;
}

/* Places at which R'' is unbounded: there a motion may have to stop. */
static bool find_poles(survey *f) {
    gdyn_regular *t = f->t;
    double near = AT_END * (f->last - f->first);
    bool ok = true;
    for (int i = 1; ok && i + 1 < f->count; i++) {
        double before = gdyn_norm(f->targets, derivative_of(f, i - 1, 1));
        double here = gdyn_norm(f->targets, derivative_of(f, i, 1));
        double behind = gdyn_norm(f->targets, derivative_of(f, i + 1, 1));
        if (here < before || here < behind || here < 1.2 * fmin(before, behind))
            continue;
        gdyn_minimum peak =
            gdyn_golden_section(opposite_bend, t, p_of(f, i - 1), p_of(f, i + 1), INFINITY);
        if (-peak.value > UNBOUNDED * f->most && !is_rest(t, peak.x, near))
            ok = add_rest(f, (gdyn_path_rest){.from = peak.x, .to = peak.x, .unbounded = true});
    }
    return ok;
}

/* Places at which R'' jumps. Along the path it is p that jumps, not the motion. */
static bool find_bends(survey *f) {
    gdyn_regular *t = f->t;
    double near = AT_END * (f->last - f->first);
    bool ok = f->most * (f->last - f->first) > LITTLE * t->whole;
    for (int i = 0, room = 0; ok && i + 1 < f->count; i++) {
        double p, along = 0;
        if (!steep(f, i, 1) || narrow(f, i, 1, &p) != JUMPS || is_rest(t, p, near) ||
            (t->bends > 0 && p - t->bend_at[t->bends - 1] <= near))
            continue;
        const double *left = derivative_of(f, f->count, 0), *right = left + f->targets;
        for (int k = 0; k < f->targets; k++)
            along += (right[k] - left[k]) * t->direction[k];
        t->needed = t->needed || fabs(along) > LITTLE * f->most;
        if (!gdyn_reserve(&t->bend_at, &room, t->bends + 1, sizeof *t->bend_at))
            return false;
        t->bend_at[t->bends++] = p;
    }
    return true;
}

/* --- knots -------------------------------------------------------------------------------- */

typedef struct kink {
    double p, size;
} kink;

static int stronger(const void *a, const void *b) {
    double d = ((const kink *)b)->size - ((const kink *)a)->size;
    return (d > 0) - (d < 0);
}

/* Keeps knots at which R'' leaves its chord over WIDTH of the path by over FELT of its size. */
static gdyn_status find_knots(gdyn_regular *t) {
    const gdyn_path_def *def = &t->path->def;
    int size = t->path->targets, count = 0, room = 0;
    double width = WIDTH * (def->p_end - def->p_start), scale = 0, before = 0;
    double *bend = gdyn_alloc(2 * (size_t)size + 1, sizeof *bend), *last = bend + size;
    kink *found = NULL;
    gdyn_status status = bend ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (double a = def->p_start, b; status == GDYN_OK && a < def->p_end; a = b) {
        b = gdyn_path_next_break(t->path, a, def->p_end);
        look(t, a);
        memcpy(bend, t->bend, (size_t)size * sizeof *bend);
        look(t, gdyn_path_before(t->path, a, b));
        double change = 0, whole = 0;
        for (int i = 0; i < size; i++) {
            double slope = (t->bend[i] - bend[i]) / (b - a);
            change += (slope - last[i]) * (slope - last[i]);
            whole += bend[i] * bend[i];
            last[i] = slope;
        }
        scale = fmax(scale, sqrt(whole));
        if (before > 0 && !gdyn_reserve(&found, &room, count + 1, sizeof *found))
            status = GDYN_ERROR_MEMORY;
        else if (before > 0)
            found[count++] = (kink){a, 0.25 * sqrt(change) * fmin(width, fmin(b - a, before))};
        before = b - a;
    }
    if (status == GDYN_OK)
        status = (t->knot = gdyn_alloc((size_t)count + 1, sizeof *t->knot)) ? GDYN_OK
                                                                            : GDYN_ERROR_MEMORY;
    /* the strongest ones, in ascending order */
    if (status == GDYN_OK && count > 0)
        qsort(found, (size_t)count, sizeof *found, stronger);
    for (; status == GDYN_OK && t->knots < count && t->knots < KNOTS_MOST &&
           found[t->knots].size > FELT * scale;
         t->knots++)
        t->knot[t->knots] = found[t->knots].p;
    if (t->knots > 0)
        qsort(t->knot, (size_t)t->knots, sizeof *t->knot, gdyn_ascending);
    gdyn_free(bend), gdyn_free(found);
    return status;
}

/* --- rests -------------------------------------------------------------------------------- */

/* Looks at places nearer and nearer to a rest at p, on that side, up to the distance h: *near the
 * nearest place that has coefficients, its direction, and whether the curvature grows without
 * bounds: by a power of the travel from the place at twice that distance on. */
static bool approach(gdyn_regular *t, double p, double h, int side, double *near,
                     double *direction) {
    double S = t->whole * (t->path->def.p_end - t->path->def.p_start), d = h;
    for (int n = 1; n < LADDER && look(t, p + side * 0.8 * d) > NEAREST * t->whole; n++)
        d *= 0.8;
    double far = look(t, p + side * 2 * d), bend_far = curvature(t, far);
    double g = look(t, p + side * d), bend = curvature(t, g);
    *near = p + side * d;
    memcpy(direction, t->direction, (size_t)t->path->targets * sizeof *direction);
    return bend * S > CURVED && log(bend / bend_far) > GROWING * log(2 * far / g);
}

/* From *near towards the rest at p as far as D is known: in slow motion little is left of A_s. */
static void go_nearer(gdyn_regular *t, double p, double *near) {
    double next = p + 0.8 * (*near - p);
    for (int i = 0; i < LADDER && look(t, next) > NEAREST_STOP * t->whole; i++) {
        *near = next;
        next = p + 0.8 * (*near - p);
    }
}

/* What a motion can do at rest i. */
static void judge(survey *f, int i, double *left, double *right) {
    gdyn_regular *t = f->t;
    gdyn_path_rest *r = &t->rest[i];
    double width = f->last - f->first;
    double from = i > 0 ? t->rest[i - 1].to : f->first;
    double to = i + 1 < t->rests ? t->rest[i + 1].from : f->last;
    bool begins = r->from <= f->first, ends = r->to >= f->last, unbounded = false;
    double jump = 0;
    r->before = r->behind = NAN;
    if (!r->vanishes) {
        /* on both sides of the jump: s passes one without a turn, p does not */
        r->before = r->from - 3 * JUMP * width, r->behind = r->to + 3 * JUMP * width;
        look(t, r->before);
        memcpy(left, t->direction, (size_t)f->targets * sizeof *left);
        look(t, r->behind);
        jump = apart(f, left, t->direction);
        r->stop = jump > KINK;
        t->needed = t->needed || !r->stop;
        if (!r->unbounded)
            return;
    }
    /* within the pieces next to it */
    from = -gdyn_path_next_break(t->path, r->from, from) + r->from;
    to = gdyn_path_next_break(t->path, r->to, to) - r->to;
    if (!begins)
        unbounded = approach(t, r->from, 0.25 * from, -1, &r->before, left);
    if (!ends)
        unbounded |= approach(t, r->to, 0.25 * to, 1, &r->behind, right);
    r->stop = !begins && !ends && (unbounded || hypot(jump, apart(f, left, right)) > KINK);
    if (r->unbounded) {
        r->before = r->from - 3 * JUMP * width, r->behind = r->to + 3 * JUMP * width;
        t->needed = t->needed || !r->stop;
        return;
    }
    if (!begins && (ends || r->stop))
        go_nearer(t, r->from, &r->before);
    if (!ends && (begins || r->stop))
        go_nearer(t, r->to, &r->behind);
}

static gdyn_status find(gdyn_regular *t) {
    const gdyn_path_def *def = &t->path->def;
    survey f = {.t = t, .targets = t->path->targets, .first = def->p_start, .last = def->p_end};
    double *side = gdyn_alloc(2 * (size_t)f.targets + 1, sizeof *side);
    bool ok = side && take_places(&f) && add_place(&f, f.last);
    f.count--; /* a spare place (narrow) */
    ok = ok && find_rests(&f) && find_jumps(&f) && find_poles(&f) && find_bends(&f);
    for (int i = 0; ok && i < t->rests; i++)
        judge(&f, i, side, side + f.targets);
    double least = INFINITY;
    for (int i = 0; ok && i < f.count; i++)
        least = fmin(least, g_of(&f, i));
    t->needed = ok && (t->needed || least < SLOW * t->whole);
    for (int i = 0; ok && i < t->rests; i++)
        t->needed = t->needed || t->rest[i].vanishes;
    gdyn_free(side), gdyn_free(f.record);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* --- s(p) --------------------------------------------------------------------------------- */

/* Coefficients of the integral of g over the piece, by Chebyshev points; false: not resolved. */
static bool integrate(gdyn_regular *t, piece *q) {
    double value[NODES + 1], g[NODES + 2] = {0}, half = 0.5 * (q->b - q->a);
    for (int k = 1; k < NODES; k++)
        value[k] = look(t, 0.5 * (q->a + q->b) + half * cos(GDYN_PI * k / NODES));
    /* its ends are seen from inside */
    value[NODES] = look(t, q->a + INSIDE * half);
    value[0] = look(t, fmin(q->b - INSIDE * half, gdyn_path_before(t->path, q->a, q->b)));
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
    return fabs(g[NODES]) + fabs(g[NODES - 1]) <= RESOLVED * t->whole;
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

static bool add_pieces(gdyn_regular *t, int *room, double a, double b, int depth) {
    piece q = {.a = a, .b = b};
    q.s_a = t->pieces > 0 ? t->piece[t->pieces - 1].s_b : 0;
    if (!integrate(t, &q) && depth < DEEPEST && t->pieces < PIECES_MOST)
        return add_pieces(t, room, a, 0.5 * (a + b), depth + 1) &&
               add_pieces(t, room, 0.5 * (a + b), b, depth + 1);
    if (!gdyn_reserve(&t->piece, room, t->pieces + 1, sizeof *t->piece))
        return false;
    q.s_b = q.s_a + fmax(value_at(&q, b), 0);
    t->piece[t->pieces++] = q;
    return true;
}

/* From rest to rest, knot by knot. */
static gdyn_status measure(gdyn_regular *t) {
    double a = t->path->def.p_start, last = t->path->def.p_end;
    int room = 0;
    bool ok = true;
    for (int i = 0; ok && i <= t->rests; i++) {
        double to = i < t->rests ? t->rest[i].from : last;
        while (ok && a < to) {
            double b = gdyn_path_next_break(t->path, a, to);
            ok = add_pieces(t, &room, a, b, 0);
            a = b;
        }
        if (i < t->rests) {
            t->rest[i].at = t->pieces > 0 ? t->piece[t->pieces - 1].s_b : 0;
            a = fmax(a, t->rest[i].to);
        }
    }
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_regular_create(const gdyn_path *path, gdyn_regular **regular) {
    size_t targets = (size_t)path->targets;
    gdyn_regular *t = *regular = gdyn_alloc(1, sizeof *t);
    if (!t)
        return GDYN_ERROR_MEMORY;
    t->path = path;
    t->target = gdyn_alloc(targets + 1, sizeof *t->target);
    t->rate = gdyn_alloc(3 * targets + 1, sizeof *t->rate);
    gdyn_status status = t->target && t->rate ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        memcpy(t->target, path->target, targets * sizeof *t->target);
        t->bend = t->rate + targets, t->direction = t->bend + targets;
        status = find(t);
    }
    if (status == GDYN_OK)
        status = find_knots(t);
    if (status == GDYN_OK && t->needed)
        status = measure(t);
    for (int i = 0; status == GDYN_OK && !t->needed && i < t->rests; i++)
        t->rest[i].at = t->rest[i].from;
    if (status != GDYN_OK) {
        gdyn_regular_destroy(t);
        *regular = NULL;
    }
    return status;
}

/* NULL is allowed. */
void gdyn_regular_destroy(gdyn_regular *t) {
    if (!t)
        return;
    gdyn_free(t->rest), gdyn_free(t->knot), gdyn_free(t->bend_at), gdyn_free(t->piece);
    gdyn_free(t->target), gdyn_free(t->rate), gdyn_free(t);
}

/* --- use ---------------------------------------------------------------------------------- */

/* The first piece whose end is not below p, or s. */
static const piece *piece_at(const gdyn_regular *t, double x, bool is_s) {
    int low = 0, high = t->pieces - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (x > (is_s ? t->piece[middle].s_b : t->piece[middle].b))
            low = middle + 1;
        else
            high = middle;
    }
    return &t->piece[low];
}

double gdyn_regular_s(const gdyn_regular *t, double p) {
    if (!t->needed)
        return p;
    /* places at rests are exactly theirs */
    const piece *q = piece_at(t, p, false);
    return p <= q->a ? q->s_a : p >= q->b ? q->s_b : fmin(q->s_a + value_at(q, p), q->s_b);
}

/* Halving with secants: s is monotonic, but flat at rests. */
static double solve(const piece *q, double s) {
    double a = q->a, b = q->b, fa = q->s_a - s, fb = q->s_b - s;
    for (int i = 0; i < STEPS_MOST && b - a > 1e-15 * (fabs(a) + fabs(b)); i++) {
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

/* The last rest whose s does not lie behind the given one; -1: none. */
static int rest_before(const gdyn_regular *t, double s) {
    int low = 0, high = t->rests;
    while (low < high) {
        int middle = (low + high) / 2;
        if (t->rest[middle].at <= s)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

double gdyn_regular_p(const gdyn_regular *t, double s) {
    const gdyn_path_rest *rest = gdyn_regular_rest(t, s);
    if (!t->needed)
        return s;
    if (rest)
        return isnan(rest->behind) ? rest->to : rest->from;
    const piece *q = piece_at(t, s, true);
    return solve(q, fmin(fmax(s, q->s_a), q->s_b));
}

double gdyn_regular_near(const gdyn_regular *t, double s, int side) {
    int i = rest_before(t, s);
    const gdyn_path_rest *r = i >= 0 ? &t->rest[i] : NULL;
    const gdyn_path_rest *next = i + 1 < t->rests ? &t->rest[i + 1] : NULL;
    if (r && s == r->at)
        return isnan(r->before) || (side >= 0 && !isnan(r->behind)) ? r->behind : r->before;
    double p = gdyn_regular_p(t, s);
    p = r && p < r->behind ? r->behind : p;
    return next && p > next->before ? next->before : p;
}

const gdyn_path_rest *gdyn_regular_rest(const gdyn_regular *t, double s) {
    double width = t->needed && t->pieces > 0 ? t->piece[t->pieces - 1].s_b - t->piece[0].s_a
                                              : t->path->def.p_end - t->path->def.p_start;
    int i = rest_before(t, s + AT_REST * width);
    return i >= 0 && fabs(t->rest[i].at - s) <= AT_REST * width ? &t->rest[i] : NULL;
}
