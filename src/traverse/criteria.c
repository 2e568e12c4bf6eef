/* criteria.c - time, drive forces and work of the fastest motion over an evaluated trajectory. */
#include "traverse/criteria.h"

#include "base/memory.h"
#include "mech/mech.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"time", "peak_force", "rms_force", "energy"};

const char *const *gdyn_traverse_criteria_names(int *count) {
    *count = sizeof names / sizeof *names;
    return names;
}

bool gdyn_traverse_criterion(const gdyn_traverse_criteria *c, const char *name, double *value) {
    const double values[] = {c->time, c->peak_force, c->rms_force, c->energy};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *value = values[i];
            return true;
        }
    }
    return false;
}

/* Sums over the motion, by the trapezoidal rule over time. */
typedef struct sums {
    gdyn_access *access;
    double *y, *n, *speed; /* r, rows, drives */
    double *square;        /* rows: integral of n^2 */
    double energy, peak;
} sums;

/* Forces at a point of the motion; a point within rounding of the boundary is moved inside. */
static bool forces(sums *s, const gdyn_coefficients *q, const gdyn_region *region, double d1,
                   double d2) {
    double low, high;
    if (gdyn_region_slice(region, d1, &low, &high)) {
        d2 = fmin(fmax(d2, low), high);
    }
    return gdyn_access_forces(s->access, q, d1, d2, s->y, s->n);
}

/* One end of a segment that takes dt: half of the trapezoid. */
static bool add_end(sums *s, const gdyn_evaluation *e, int i, double d1, double d2, double dt) {
    const gdyn_pose *pose = e->pose[i];
    if (!forces(s, &pose->coefficients, e->region[i], d1, d2)) {
        return false;
    }
    gdyn_mech_drive_speeds(e->track->state[i], e->track->u_p + (size_t)e->track->n * (size_t)i,
                           s->speed);
    for (int row = 0; row < pose->coefficients.k; row++) {
        int drive = pose->row_drive[row];
        double n = s->n[row];
        s->peak = fmax(s->peak, fabs(n));
        s->square[row] += 0.5 * dt * n * n;
        if (row < pose->drives) { /* further rows are lines of the same drive's curve */
            s->energy += 0.5 * dt * fmax(n * s->speed[drive] * d1, 0);
        }
    }
    return true;
}

static bool reserve(sums *s, const gdyn_model *model, int rows) {
    size_t k = (size_t)rows + 1, drives = (size_t)gdyn_model_drives(model) + 1;
    s->access = gdyn_access_create(rows, gdyn_model_drives(model), 4);
    s->y = gdyn_alloc(drives, sizeof *s->y);
    s->n = gdyn_alloc(k, sizeof *s->n);
    s->speed = gdyn_alloc(drives, sizeof *s->speed);
    s->square = gdyn_alloc(k, sizeof *s->square);
    return s->access && s->y && s->n && s->speed && s->square;
}

static gdyn_status add_up(const gdyn_evaluation *e, const gdyn_traverse *t, int rows,
                          gdyn_traverse_criteria *c) {
    sums s = {0};
    bool ok = reserve(&s, gdyn_state_model(e->track->state[0]), rows), known = ok;
    for (int i = 0; known && i + 1 < t->points; i++) {
        const gdyn_motion_point *a = &t->point[i], *b = a + 1;
        double dt = b->t - a->t;
        known =
            add_end(&s, e, i, a->d1, a->d2, dt) && add_end(&s, e, i + 1, b->d1, b->d2_before, dt);
    }
    if (known) {
        c->peak_force = s.peak;
        c->energy = s.energy;
        c->rms_force = 0;
        for (int row = 0; row < rows; row++) {
            c->rms_force = fmax(c->rms_force, sqrt(s.square[row] / c->time));
        }
    }
    gdyn_access_destroy(s.access);
    gdyn_free(s.y);
    gdyn_free(s.n);
    gdyn_free(s.speed);
    gdyn_free(s.square);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static gdyn_status plan(const gdyn_evaluation *e, const gdyn_coefficients **places,
                        gdyn_traverse_criteria *c) {
    int points = e->track->points, rows = 0;
    for (int i = 0; i < points; i++) {
        places[i] = &e->pose[i]->coefficients;
        rows = places[i]->k > rows ? places[i]->k : rows;
    }
    gdyn_traverse_settings settings = gdyn_traverse_default();
    settings.bounds = settings.audit = settings.certificate = false;
    gdyn_supply *supply = gdyn_supply_places(points, e->track->p, places);
    gdyn_traverse *t = gdyn_traverse_create();
    gdyn_status status = supply && t ? gdyn_traverse_run(t, supply, &settings) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        double span = e->track->p[points - 1] - e->track->p[0];
        c->status = t->status;
        c->blocked = t->status ? (t->place - e->track->p[0]) / span : 0;
    }
    if (status == GDYN_OK && t->status == GDYN_TRAVERSE_OK && t->points == points) {
        c->time = t->time;
        status = add_up(e, t, rows, c);
    }
    gdyn_supply_destroy(supply);
    gdyn_traverse_destroy(t);
    return status;
}

gdyn_status gdyn_traverse_criteria_of(const gdyn_evaluation *e, gdyn_traverse_criteria *c) {
    *c = (gdyn_traverse_criteria){GDYN_TRAVERSE_UNFOLLOWED, 1, NAN, NAN, NAN, NAN};
    if (e->track->reach < 1 || !(e->track->p[e->track->points - 1] > e->track->p[0])) {
        return GDYN_OK;
    }
    const gdyn_coefficients **places =
        gdyn_alloc((size_t)e->track->points, sizeof(gdyn_coefficients *));
    gdyn_status status = places ? plan(e, places, c) : GDYN_ERROR_MEMORY;
    gdyn_free(places);
    return status;
}
