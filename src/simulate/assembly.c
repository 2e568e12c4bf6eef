/* assembly.c - ways of the closing methods from the first guess to an assembled machine. */
#include "simulate/assembly.h"

#include "base/memory.h"

gdyn_assembly_list *gdyn_assembly_begin(gdyn_assemblies *assemblies, gdyn_closure_method method) {
    gdyn_assembly_list *list = &assemblies->list[method];
    list->method = method;
    list->steps = 0;
    list->lost = false;
    assemblies->taken[method] = true;
    return list;
}

void gdyn_assembly_follow(void *context, gdyn_closure_method at_work, int evaluations,
                          double residual) {
    gdyn_assembly_list *list = context;
    if (!gdyn_reserve(&list->step, &list->capacity, list->steps + 1, sizeof *list->step)) {
        list->lost = true;
        return;
    }
    list->step[list->steps++] = (gdyn_assembly_step){at_work, evaluations, residual};
}

void gdyn_assemblies_free(gdyn_assemblies *assemblies) {
    for (int m = 0; m < GDYN_SIM_CLOSINGS; m++)
        gdyn_free(assemblies->list[m].step);
    *assemblies = (gdyn_assemblies){0};
}

const gdyn_assembly *gdyn_assemblies_shown(gdyn_assemblies *assemblies, int *count) {
    *count = 0;
    for (int m = 0; m < GDYN_SIM_CLOSINGS; m++) {
        const gdyn_assembly_list *list = &assemblies->list[m];
        if (assemblies->taken[m])
            assemblies->shown[(*count)++] =
                (gdyn_assembly){list->method, list->closure, list->steps, list->step};
    }
    return assemblies->shown;
}
