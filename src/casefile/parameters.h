/* parameters.h - the case's parameters and the choices of design variables (internal). */
#ifndef GDYN_CASEFILE_PARAMETERS_H
#define GDYN_CASEFILE_PARAMETERS_H

#include "casefile/reader.h"

/* --- parameters.c ------------------------------------------------------------------------------------ */

/* Orders, compiles and evaluates the parameters (checking pass). */
void gdyn_read_parameters(gdyn_reader *r, gdyn_node *root);
/* Values for given settings into value[count]; false after a complaint. */
bool gdyn_evaluate_parameters(gdyn_reader *r, int count, const gdyn_setting *settings,
                              double *value);

/* --- choices.c ------------------------------------------------------------------------------------------- */

/* Reads the choices of all design variables (checking pass). */
void gdyn_read_choices(gdyn_reader *r, const gdyn_node *root);
gdyn_choices *gdyn_find_choices(const gdyn_case *the_case, const char *name);
/* Fills in a design variable with choices. */
void gdyn_choices_variable(gdyn_reader *r, gdyn_choices *c, const gdyn_node *node,
                           gdyn_design_variable *out);
/* Puts row x into the parameters' values (set may be NULL); false when there is no such row. */
bool gdyn_take_choice(const gdyn_choices *c, double x, double *value, bool *set);
gdyn_status gdyn_parse_choice(const gdyn_choices *c, const char *text, const gdyn_sink *sink,
                              gdyn_setting *out);

#endif
