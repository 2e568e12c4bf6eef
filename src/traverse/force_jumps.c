/* force_jumps.c - where dry forces change and a force with a limit on its rate would have to
 * jump. */
#include "traverse/internal.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* A column whose remainder is this share of it depends on those before. */
static const double DEPENDENT = 1e-9;
/* Share of the path within which places are the same. */
static const double SAME_PLACE = 1e-9;
/* Share of s within which a place belongs to a rest: speeds vanish like its square root. */
static const double AT_REST = 1e-6;

/* Forces that have to jump by less than this share of half the range are continuous: what is left
 * is rounding of the coefficients at both sides. */
static const double JUMP = 1e-6;

/* The limited rows of the columns of V, made orthogonal to those in Q (k x *columns) and added to
 * them. */
static void add_columns(const gdyn_coefficients *c, const double *rate, double *Q, int *columns) {
    for (int v = 0; v < c->r; v++) {
        double *q = Q + (size_t)*columns * (size_t)c->k, before;
        for (int i = 0; i < c->k; i++)
            q[i] = isfinite(rate[i]) ? c->V[i + v * c->k] : 0;
        *columns += gdyn_extend_basis(c->k, *columns, Q, q, &before) > DEPENDENT * before;
    }
}

/* What is left of the jump of C (k) outside the columns of Q is more than rounding beside the
 * limits. */
static bool must_jump(const gdyn_coefficients *c, const double *rate, double *jump, const double *Q,
                      int columns) {
    for (int j = 0; j < columns; j++) {
        /* the part along V can be taken over by internal forces */
        const double *own = Q + (size_t)j * (size_t)c->k;
        double along = 0;
        for (int i = 0; i < c->k; i++)
            along += own[i] * (isfinite(rate[i]) ? jump[i] : 0);
        for (int i = 0; i < c->k; i++)
            jump[i] -= along * own[i];
    }
    /* the rest beside half a range, or beside the load */
    for (int i = 0; i < c->k; i++) {
        double half = 0.5 * (c->max[i] - c->min[i]);
        double unit = isfinite(half) ? half : fabs(c->C[i]);
        if (isfinite(rate[i]) && fabs(jump[i]) > JUMP * unit)
            return true;
    }
    return false;
}

/* Looks at the place p of a reversal from both sides; work: k (1 + 2 r). */
static gdyn_status judge_jump(gdyn_path_dynamics *s, double p, const double *rate, double *work,
                              bool *jumps) {
    const gdyn_coefficients *c = &s->machine->pose->coefficients;
    gdyn_point_status found;
    int columns = 0;
    *jumps = false;
    /* coefficients just before */
    gdyn_status status =
        gdyn_machine_dynamics_at(s->machine, p - s->machine->reversals.near, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status;
    int k = c->k;
    memcpy(work, c->C, (size_t)k * sizeof *work);
    add_columns(c, rate, work + k, &columns);
    /* and behind it */
    status = gdyn_machine_dynamics_at(s->machine, p, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK || c->k != k)
        return status;
    /* the jump of C, with the internal forces of both sides */
    for (int i = 0; i < k; i++)
        work[i] = c->C[i] - work[i];
    add_columns(c, rate, work + k, &columns);
    *jumps = must_jump(c, rate, work, work + k, columns);
    return GDYN_OK;
}

/* Dry forces change at a rest but for the width within which speeds vanish. */
static bool near_rest(const gdyn_path_dynamics *s, double at) {
    const gdyn_regular *regular = s->machine->regular;
    double near = AT_REST * (gdyn_path_dynamics_last(s) - gdyn_path_dynamics_first(s));
    bool any = false;
    for (int i = 0; s->in_s && i < regular->rests; i++)
        any |= regular->rest[i].vanishes && fabs(regular->rest[i].at - at) <= near;
    return any;
}

/* Places where forces of limited rate would have to jump: the motion has to stop there. */
gdyn_status gdyn_path_dynamics_stop_at_jumps(gdyn_path_dynamics *s, const double *rate, int most,
                                             double *place, int *count) {
    size_t k = (size_t)gdyn_path_dynamics_rows(s), r = (size_t)gdyn_path_dynamics_redundancy(s);
    *count = 0;
    if (!s->machine || s->machine->reversals.count == 0)
        return GDYN_OK;
    double *work = gdyn_alloc(k * (2 * r + 2) + 1, sizeof *work);
    double first = gdyn_path_dynamics_first(s), last = gdyn_path_dynamics_last(s),
           near = SAME_PLACE * (last - first);
    gdyn_status status = work ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* every reversal but the ends of the path and rests, where it stops anyway */
    for (int i = 0; i < s->machine->reversals.count && status == GDYN_OK; i++) {
        double at = gdyn_path_dynamics_present(s, s->machine->reversals.p[i]);
        bool jumps, ends = at - first <= near || last - at <= near;
        if (ends || near_rest(s, at))
            continue;
        status = judge_jump(s, s->machine->reversals.p[i], rate, work, &jumps);
        if (status != GDYN_OK || !jumps)
            continue;
        /* in the caller's parameter */
        gdyn_path_dynamics_add_stop(s, s->machine->reversals.p[i]);
        if (*count < most)
            place[(*count)++] = s->machine->reversals.p[i];
    }
    gdyn_free(work);
    return status;
}
