/* simulate_options.c - a simulation as the case defines it, with what the command line says instead. */
#include "cli/simulate_options.h"

#include "cli/files.h"

#include <stdlib.h>
#include <string.h>

/* "C.y,W4": the names one by one. */
static int read_names(const char *text, gdyn_name_list *out) {
    size_t size = text ? strlen(text) + 1 : 0, count = 1;
    *out = (gdyn_name_list){0};
    if (!text)
        return GDYN_EXIT_YES;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    out->copy = malloc(size);
    out->name = calloc(count, sizeof *out->name);
    if (!out->copy || !out->name)
        return GDYN_EXIT_INTERNAL;
    memcpy(out->copy, text, size);
    for (char *at = out->copy; *at;) {
        size_t length = strcspn(at, ",");
        bool last = !at[length];
        at[length] = '\0';
        if (length > 0)
            out->name[out->count++] = at;
        at += length + !last;
    }
    return GDYN_EXIT_YES;
}

void gdyn_name_list_free(gdyn_name_list *list) {
    free(list->copy);
    free(list->name);
    *list = (gdyn_name_list){0};
}

/* A method by its own option, or by one that belongs to it alone; an exit code. */
static int choose_method(const gdyn_options *o, gdyn_simulation_def *def) {
    const struct {
        const char *option, *given;
        gdyn_sim_method method;
    } owned[] = {{"drop", o->drop, GDYN_SIM_ELIMINATION},
                 {"independent", o->independent, GDYN_SIM_PARTITION}};
    bool held = def->method != GDYN_SIM_COMPLIANCE;
    int wanted = o->sim_method;
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (!owned[i].given)
            continue;
        if (wanted >= 0 && wanted != (int)owned[i].method) {
            gdyn_cli_error("--%s belongs to the method %s, not to %s", owned[i].option,
                           gdyn_sim_method_names[owned[i].method], gdyn_sim_method_names[wanted]);
            return GDYN_EXIT_USAGE;
        }
        wanted = (int)owned[i].method;
    }
    if (wanted >= 0)
        def->method = (gdyn_sim_method)wanted;
    /* Constraints that give way are not projected, those of other methods are. */
    if (held != (def->method != GDYN_SIM_COMPLIANCE))
        def->hold = held ? GDYN_SIM_DRIFT : GDYN_SIM_PROJECT;
    return GDYN_EXIT_YES;
}

static void choose_course(const gdyn_options *o, gdyn_simulation_def *def) {
    if (o->closing >= 0)
        def->closing = (gdyn_closure_method)o->closing;
    if (o->stabilization >= 0)
        def->hold = (gdyn_sim_hold)o->stabilization;
    if (o->integrator >= 0)
        def->integrator = (gdyn_sim_integrator)o->integrator;
    if (o->tolerance.value > 0)
        def->tolerance = o->tolerance.value;
    if (o->step.value > 0)
        def->step = o->step.value;
}

int gdyn_simulation_options(const gdyn_options *o, gdyn_simulation_def *def, gdyn_name_list *drop,
                            gdyn_name_list *independent) {
    int code = choose_method(o, def);
    if (code == GDYN_EXIT_YES)
        code = read_names(o->drop, drop);
    if (code == GDYN_EXIT_YES)
        code = read_names(o->independent, independent);
    if (o->drop) {
        def->drop = drop->name;
        def->drop_count = drop->count;
    }
    if (o->independent) {
        def->independent = independent->name;
        def->independent_count = independent->count;
    }
    choose_course(o, def);
    return code;
}
