/* stops.c - times over which no step goes: breaks of forces and prescribed accelerations. */
#include "simulate/internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gdyn_stops_create(gdyn_arena *arena, const gdyn_model *model, const gdyn_simulation_def *def,
                       gdyn_stops *stops) {
    /* What a table may leave between two stops, over the tolerance of a step. */
    const double ROUGH = 1e3, NEAR = 1e-13;
    int signals = def->force ? 0 : def->signal_count, room = 0, count = 0;
    double *all = NULL, end = def->begin + def->duration;
    bool good = true;
    for (int i = 0; i < signals + gdyn_model_motions(model) && good; i++) {
        bool moves = i >= signals;
        const gdyn_expr *f =
            moves ? gdyn_model_motion(model, i - signals)->displacement : def->signal[i].formula;
        double *at = NULL;
        int more = f ? gdyn_expr_breaks(f, def->begin, end, moves, ROUGH * def->tolerance, &at) : 0;
        good = more >= 0 && gdyn_reserve(&all, &room, count + more, sizeof *all);
        if (good && more > 0)
            memcpy(all + count, at, (size_t)more * sizeof *at);
        count += good ? more : 0;
        gdyn_free(at);
    }
    if (good && count > 0) {
        qsort(all, (size_t)count, sizeof *all, gdyn_ascending);
        stops->t = gdyn_arena_doubles(arena, (size_t)count);
        if (stops->t)
            memcpy(stops->t, all, (size_t)count * sizeof *all);
    }
    stops->count = count;
    stops->near = NEAR * fmax(def->duration, fmax(fabs(def->begin), fabs(end)));
    gdyn_free(all);
    return good && (stops->t || count == 0);
}

double gdyn_stops_next(gdyn_stops *stops, double t, double to) {
    /* one that rounding alone separates from t is passed already */
    while (stops->next < stops->count && stops->t[stops->next] <= t + stops->near)
        stops->next++;
    return stops->next < stops->count ? fmin(stops->t[stops->next], to) : to;
}
