/* loads.c - drives along a motion: largest force, speed, power, rms force, smallest reserve. */
#include "traverse/internal.h"

#include <math.h>

bool gdyn_loads_open(gdyn_loads *l, int rows, gdyn_drive_load *load) {
    const gdyn_peak none = {NAN, NAN, NAN};
    l->rows = rows;
    l->load = load;
    l->square = gdyn_alloc(2 * (size_t)rows + 1, sizeof *l->square);
    l->before = l->square ? l->square + rows : NULL;
    for (int i = 0; i < rows; i++)
        load[i] = (gdyn_drive_load){false, none, none, none, {INFINITY, NAN, NAN}, false, NAN};
    return l->square != NULL;
}

static void take_greater(gdyn_peak *peak, double value, const gdyn_sample *at) {
    if (fabs(value) > peak->value || (isnan(peak->value) && isfinite(value)))
        *peak = (gdyn_peak){fabs(value), at->p, at->t};
}

static void take_reserve(gdyn_drive_load *load, double room, bool by_speed, const gdyn_sample *at) {
    if (room < load->reserve.value) {
        load->reserve = (gdyn_peak){room, at->p, at->t};
        load->by_speed = by_speed;
    }
}

/* Limit of a drive's speed; INFINITY: none, or of a table. */
static double speed_limit(const gdyn_path_dynamics *dynamics, int effort) {
    return dynamics->machine ? gdyn_model_drive(dynamics->machine->model, effort)->speed_max
                             : INFINITY;
}

void gdyn_loads_add(gdyn_loads *l, const gdyn_path_dynamics *dynamics, const gdyn_sample *at,
                    int rows, const double *n, const double *min, const double *max,
                    const double *unit, const double *speed) {
    double dt = l->begun ? at->t - l->last.t : 0;
    for (int row = 0; row < rows && row < l->rows; row++) {
        int first = 0, effort = gdyn_path_dynamics_effort(dynamics, row);
        if (!gdyn_path_dynamics_driven(dynamics, row) || !isfinite(n[row]))
            continue;
        while (gdyn_path_dynamics_effort(dynamics, first) != effort)
            first++;
        gdyn_drive_load *load = &l->load[first];
        take_reserve(load, fmin(max[row] - n[row], n[row] - min[row]) / unit[row], false, at);
        /* further rows are further limits of the same force */
        if (first < row)
            continue;
        double v = speed[row] * at->d1, most = speed_limit(dynamics, effort);
        load->known = true;
        take_greater(&load->force, n[row], at);
        take_greater(&load->speed, v, at);
        take_greater(&load->power, n[row] * v, at);
        if (isfinite(most))
            take_reserve(load, 1 - fabs(v) / most, true, at);
        /* the trapezoidal rule */
        if (l->begun)
            l->square[row] += 0.5 * dt * (n[row] * n[row] + l->before[row] * l->before[row]);
        l->before[row] = n[row];
    }
    l->time += dt;
    l->last = *at;
    l->begun = true;
}

void gdyn_loads_close(gdyn_loads *l, gdyn_path_dynamics *dynamics) {
    for (int row = 0; l->square && row < l->rows; row++) {
        gdyn_drive_load *load = &l->load[row];
        gdyn_peak *peak[] = {&load->force, &load->speed, &load->power, &load->reserve};
        /* a motion without duration has the force of its place */
        load->rms = l->time > 0 ? sqrt(l->square[row] / l->time) : load->force.value;
        load->rms = isnan(l->time) || !load->known ? NAN : load->rms;
        for (int k = 0; k < 4; k++)
            if (isfinite(peak[k]->p))
                gdyn_path_dynamics_original(dynamics, peak[k]->p, &peak[k]->p, 0, NULL, NULL);
    }
    gdyn_free(l->square);
    l->square = l->before = NULL;
}
