/* builder.h - turns stretches with an upper and a lower parabola into a region.
 *
 * Whatever method finds the envelopes, it hands them over in ascending order of t, stretch by
 * stretch; the builder cuts each stretch where the parabolas meet, joins what touches, and names
 * what closes an island. */
#ifndef GDYN_ACCESS_BUILDER_H
#define GDYN_ACCESS_BUILDER_H

#include "access/access.h"
#include "access/problem.h"
#include "access/quadratic.h"

/* An envelope's parabola with its limits. `size` is the magnitude of the terms behind c, `error` bounds
 * the rounding in a and b. */
typedef struct gdyn_bound {
    gdyn_quadratic q, error;
    double size;
    int active_count;
    gdyn_limit active[GDYN_ACTIVE_MAX];
} gdyn_bound;

/* Limits that close a stretch. */
typedef struct gdyn_closing {
    int count;
    gdyn_limit limit[GDYN_ACTIVE_MAX];
} gdyn_closing;

typedef struct gdyn_builder {
    gdyn_region *region;
    double d1_unit, d2_unit; /* region = units x (what is handed over - shift) */
    gdyn_quadratic shift, shift_error;
    gdyn_status status;
    double from, to; /* current span */
    const gdyn_closing *left, *right;
    bool open;      /* an island ends where the last stretch ended */
    bool fat, wide; /* something has area; something has width */
} gdyn_builder;

/* Empties the region. */
void gdyn_builder_start(gdyn_builder *builder, gdyn_region *region, double d1_unit, double d2_unit);
/* The same in the units of a problem; what is handed over is measured from its parabola: z' = z + shift, known
 * to within its error. */
void gdyn_builder_of_problem(gdyn_builder *builder, const gdyn_problem *problem,
                             gdyn_region *region);
/* The stretches that follow lie in [from, to], which these limits close (NULL: nothing does). */
void gdyn_builder_span(gdyn_builder *builder, double from, double to, const gdyn_closing *left,
                       const gdyn_closing *right);
/* One stretch; NULL is no bound. */
void gdyn_builder_add(gdyn_builder *builder, double from, double to, const gdyn_bound *upper,
                      const gdyn_bound *lower);
/* Area, rest interval, greatest speeds, status. */
gdyn_status gdyn_builder_finish(gdyn_builder *builder);
/* The same where the stretches were found with that status; after an error the region is unknown. */
gdyn_status gdyn_builder_end(gdyn_builder *builder, gdyn_status status);

/* An empty region of this status. */
void gdyn_region_clear(gdyn_region *region, gdyn_region_status status);

#endif
