/* tables.h - tables of a page (internal to page). */
#ifndef GDYN_PAGE_TABLES_H
#define GDYN_PAGE_TABLES_H

#include "page/findings.h"

/* Criteria of one trajectory with their units. */
void gdyn_table_criteria(gdyn_text *out, const gdyn_trajectory *t);
/* Reactions at the first guess: joints, verdicts, components, values where they are unique. */
void gdyn_table_reactions(gdyn_text *out, const gdyn_findings *f);
/* Counts of the machine; its drives with their limits. */
void gdyn_table_machine(gdyn_text *out, const gdyn_findings *f);
void gdyn_table_drives(gdyn_text *out, const gdyn_instance *instance);

#endif
