/* pieces.c - a path with places where every motion must stop, as one motion. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* --- back to p ---------------------------------------------------------------------------- */

/* Points of a motion back in the user's parameter. */
static void restore_points(gdyn_traverse *out, gdyn_path_dynamics *dynamics) {
    for (int i = 0; i < out->points; i++) {
        gdyn_motion_point *m = &out->point[i];
        m->s1_low = m->k_low, m->s1_high = m->k_high, m->s1_max = m->d1_max;
        /* speeds, then accelerations on both sides of the point */
        double d1[5] = {m->d1, m->d1, m->k_low, m->k_high, m->d1_max};
        double d2[5] = {m->d2, m->d2_before, 0, 0, 0};
        gdyn_path_dynamics_original(dynamics, m->s, &m->p, 5, d1, d2);
        m->d1 = d1[0], m->d2 = d2[0], m->d2_before = d2[1];
        m->k_low = d1[2], m->k_high = d1[3], m->d1_max = d1[4];
    }
}

/* Everything of a run that names places or speeds, back in the user's parameter. */
static void restore(gdyn_traverse *out, gdyn_path_dynamics *dynamics) {
    double p, none = 0;
    restore_points(out, dynamics);
    /* places between the points */
    for (int i = 0; i < out->audits; i++) {
        gdyn_audit_point *a = &out->audit[i];
        gdyn_path_dynamics_original(dynamics, a->p, &p, 1, &a->d1, &a->d2);
        a->p = p;
    }
    double *const places[] = {&out->violation_p, &out->place, &out->place_end};
    for (int i = 0; i < 3; i++)
        if (isfinite(*places[i])) {
            gdyn_path_dynamics_original(dynamics, *places[i], &p, 0, &none, NULL);
            *places[i] = p;
        }
    /* leaps: both ends, with the speeds there */
    for (int i = 0; i < out->leaps; i++) {
        gdyn_leap *leap = &out->leap[i];
        double d1[2] = {leap->d1_from, leap->d1_to};
        gdyn_path_dynamics_original(dynamics, leap->p_end, &p, 0, &none, NULL);
        leap->p_end = p;
        gdyn_path_dynamics_original(dynamics, leap->p, &p, 2, d1, NULL);
        leap->p = p, leap->d1_from = d1[0], leap->d1_to = d1[1];
    }
    /* speeds at the start that would be possible */
    if (!isnan(out->start_low)) {
        double speeds[2] = {out->start_low, out->start_high};
        gdyn_path_dynamics_original(dynamics, gdyn_path_dynamics_first(dynamics), &p, 2, speeds,
                                    NULL);
        out->start_low = speeds[0], out->start_high = speeds[1];
    }
}

/* --- joining ------------------------------------------------------------------------------ */

static bool append(void **list, int count, int more, size_t size, const void *from) {
    void *grown = gdyn_realloc(*list, (size_t)(count + more) + 1, size);
    if (!grown)
        return false;
    *list = grown;
    if (more > 0)
        memcpy((char *)grown + (size_t)count * size, from, (size_t)more * size);
    return true;
}

/* How long the machine stands until the forces it came with are those it leaves with. */
static double standing(const gdyn_traverse *out, const gdyn_traverse *piece, const double *rate) {
    double wait = 0;
    bool forces = out->points > 0 && piece->points > 0 && out->force && piece->force;
    for (int k = 0; forces && rate && k < out->rows; k++) {
        double from = out->force[(size_t)(out->points - 1) * (size_t)out->rows + (size_t)k];
        wait = fmax(wait, fabs(piece->force[k] - from) / rate[k]);
    }
    return wait > 1e-9 * out->time ? wait : 0; /* else rounding */
}

/* The piece's first point replaces the last one so far, unless the machine stands there. */
static gdyn_status join(gdyn_traverse *out, const gdyn_traverse *piece, const double *rate) {
    /* the machine stands while its forces change from the arrival's to the departure's */
    double wait = standing(out, piece, rate);
    double t = isnan(out->time) ? 0 : out->time + wait, before = NAN, s2_before = NAN;
    int points = out->points;
    out->time += wait;
    out->upper += wait;
    /* without a wait the last point of one piece is the first of the next */
    if (points > 0 && !(wait > 0))
        before = out->point[--points].d2_before, s2_before = out->point[points].s2_before;
    void *list = out->point, *audit = out->audit;
    bool made = append(&list, points, piece->points, sizeof *out->point, piece->point);
    out->point = list;
    made = made && append(&audit, out->audits, piece->audits, sizeof *out->audit, piece->audit);
    out->audit = audit;
    void *force = out->force;
    if (made && piece->force) {
        size_t row = (size_t)piece->rows * sizeof(double);
        made = append(&force, points, piece->points, row, piece->force);
        out->force = force;
        out->rows = piece->rows;
    }
    if (!made)
        return GDYN_ERROR_MEMORY;
    /* the new piece begins at that time */
    for (int i = points; i < points + piece->points; i++)
        out->point[i].t += t;
    if (points > 0 && piece->points > 0 && !isnan(s2_before))
        out->point[points].d2_before = before, out->point[points].s2_before = s2_before;
    bool first = out->audits == 0;
    out->points = out->capacity = points + piece->points;
    out->audits += piece->audits;
    /* the worst violation of all pieces */
    if (first || piece->violation > out->violation) {
        out->violation = piece->violation;
        out->violation_p = piece->violation_p;
    }
    return GDYN_OK;
}

/* Times add; of a failing piece the diagnosis is taken over. */
static void add_up(gdyn_traverse *out, const gdyn_traverse *piece, bool first) {
    /* a piece that fails is the state of the whole */
    out->status = piece->status;
    bool moving = piece->status == GDYN_TRAVERSE_OK;
    out->time = moving ? piece->time + (first ? 0 : out->time) : NAN;
    out->upper = moving ? piece->upper + (first ? 0 : out->upper) : NAN;
    out->lower = moving ? piece->lower + (first ? 0 : out->lower) : NAN;
    for (int i = 0; i < 2; i++)
        out->infimum[i] = moving ? piece->infimum[i] + (first ? 0 : out->infimum[i]) : NAN;
    for (int i = 0; i < piece->leaps && out->leaps < GDYN_LEAPS_MOST; i++)
        out->leap[out->leaps++] = piece->leap[i];
    out->drift = first ? piece->drift : fmax(out->drift, piece->drift);
    out->converged = moving && piece->converged && (first || out->converged);
    out->free_time = piece->free_time + (first ? 0 : out->free_time);
    out->rate_error = first ? piece->rate_error : fmax(out->rate_error, piece->rate_error);
    out->rate_excess = piece->rate_excess;
    if (moving)
        return;
    /* a failure is reported as that piece saw it */
    out->place = piece->place, out->place_end = piece->place_end;
    out->certificate = piece->certificate;
    out->relaxation = piece->relaxation;
    out->start_low = piece->start_low, out->start_high = piece->start_high;
}

static gdyn_status run_one(gdyn_traverse *piece, gdyn_path_dynamics *dynamics,
                           const gdyn_traverse_settings *settings, gdyn_piece_runner *run) {
    gdyn_status status = run(piece, dynamics, settings);
    if (status == GDYN_OK)
        restore(piece, dynamics);
    return status;
}

/* Between stops the machine has to come to rest: one run per piece. */
gdyn_status gdyn_pieces_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                            const gdyn_traverse_settings *settings, gdyn_piece_runner *run) {
    int stops = dynamics->stops;
    double from = gdyn_path_dynamics_first(dynamics), last = gdyn_path_dynamics_last(dynamics);
    gdyn_traverse_settings wanted = *settings;
    /* speeds at the ends in the dynamics's parameter */
    double end[2] = {gdyn_path_dynamics_first(dynamics), gdyn_path_dynamics_last(dynamics)}, p,
           none;
    for (int i = 0; i < 2 && gdyn_path_dynamics_travels(dynamics); i++) {
        double *speed = i ? &wanted.end_speed : &wanted.start_speed;
        gdyn_path_dynamics_original(dynamics, end[i], &p, 0, &none, NULL);
        *speed *= gdyn_path_dynamics_unit(dynamics, p);
    }
    settings = &wanted;
    if (stops == 0)
        return run_one(out, dynamics, settings, run);
    gdyn_traverse *piece = gdyn_traverse_create();
    gdyn_status status = piece ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i <= stops && status == GDYN_OK && out->status == GDYN_TRAVERSE_OK; i++) {
        double to = i < stops ? dynamics->stop[i] : last;
        gdyn_traverse_settings own = *settings;
        /* rest at every stop; the path's own speeds at its ends */
        own.start_speed = i == 0 && !settings->periodic ? settings->start_speed : 0;
        own.end_speed = i == stops && !settings->periodic ? settings->end_speed : 0;
        own.periodic = false;
        gdyn_traverse_clear(piece);
        gdyn_path_dynamics_window(dynamics, from, to);
        /* the pieces' points one behind the other, their times added */
        status = run_one(piece, dynamics, &own, run);
        if (status == GDYN_OK)
            status = join(out, piece, own.rate);
        if (status == GDYN_OK)
            add_up(out, piece, i == 0);
        from = to;
    }
    gdyn_traverse_destroy(piece);
    return status;
}
