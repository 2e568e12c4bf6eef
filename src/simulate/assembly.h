/* assembly.h - ways of the closing methods from the first guess to an assembled machine (internal
 * to simulate). */
#ifndef GDYN_SIMULATE_ASSEMBLY_H
#define GDYN_SIMULATE_ASSEMBLY_H

#include "simulate/simulate.h"

enum { GDYN_SIM_CLOSINGS = 3 }; /* methods */

/* A way that grows. */
typedef struct gdyn_assembly_list {
    gdyn_closure_method method;
    gdyn_closure_info closure;
    int steps, capacity;
    gdyn_assembly_step *step;
    bool lost; /* no memory */
} gdyn_assembly_list;

/* One way per method. */
typedef struct gdyn_assemblies {
    gdyn_assembly_list list[GDYN_SIM_CLOSINGS];
    bool taken[GDYN_SIM_CLOSINGS];
    gdyn_assembly shown[GDYN_SIM_CLOSINGS];
} gdyn_assemblies;

/* A new way of a method, in place of the one before. */
gdyn_assembly_list *gdyn_assembly_begin(gdyn_assemblies *assemblies, gdyn_closure_method method);
/* gdyn_closure_settings.follow with a gdyn_assembly_list. */
void gdyn_assembly_follow(void *list, gdyn_closure_method at_work, int evaluations,
                          double residual);
void gdyn_assemblies_free(gdyn_assemblies *assemblies);
/* The ways that were taken, in the order of the methods. */
const gdyn_assembly *gdyn_assemblies_shown(gdyn_assemblies *assemblies, int *count);

#endif
