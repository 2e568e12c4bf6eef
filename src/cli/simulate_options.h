/* simulate_options.h - what the command line says of a simulation. */
#ifndef GDYN_CLI_SIMULATE_OPTIONS_H
#define GDYN_CLI_SIMULATE_OPTIONS_H

#include "casefile/casefile.h"
#include "cli/options.h"
#include "simulate/simulate.h"

/* Names of a list "A,B"; they live until the list is freed. */
typedef struct gdyn_name_list {
    int count;
    char **name;
    char *copy;
} gdyn_name_list;
void gdyn_name_list_free(gdyn_name_list *list);

/* Overrides the definition; the lists must live as long as it does, and are to be freed in any case. An exit code. */
int gdyn_simulation_options(const gdyn_options *options, gdyn_simulation_def *def,
                            gdyn_name_list *drop, gdyn_name_list *independent);

/* --record, --axes: points of the instance (for free in *points) and axes of the reactions in place of the definition's. */
int gdyn_record_options(const gdyn_options *options, const gdyn_instance *instance,
                        gdyn_simulation_def *def, gdyn_named_point **points);

/* --start: "case" leaves the velocities of the definition, "JOINT=RATE,..." takes their place; *rates (for free) holds
 * them. An exit code. */
int gdyn_start_options(const gdyn_options *options, const gdyn_model *model,
                       gdyn_simulation_def *def, gdyn_start_rate **rates);
/* Says what was changed of the velocities asked for, if anything was. */
void gdyn_print_start_velocity(const gdyn_model *model, const gdyn_sim_start *start);

#endif
