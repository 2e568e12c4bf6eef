/* reactions_report.h - reactions as CSV, JSON and pictures. What is not unique never stands as a
 * number in a table unless a convention is named. */
#ifndef GDYN_REPORT_REACTIONS_REPORT_H
#define GDYN_REPORT_REACTIONS_REPORT_H

#include "reactions/proposals.h"
#include "report/report.h"
#include "trajectory/path_reactions.h"

typedef struct gdyn_reaction_document gdyn_reaction_document; /* JSON in the making */
gdyn_reaction_document *gdyn_reaction_document_create(const char *case_name, unsigned methods,
                                                      const char *convention);
void gdyn_reaction_document_destroy(gdyn_reaction_document *document);
void gdyn_reaction_document_frame(gdyn_reaction_document *document,
                                  const gdyn_reaction_frame *frame);
void gdyn_reaction_document_ranks(gdyn_reaction_document *document, const char *trajectory,
                                  const gdyn_ranks *ranks);
void gdyn_reaction_document_proposals(gdyn_reaction_document *document,
                                      const gdyn_instance *instance,
                                      const gdyn_proposals *proposals);
gdyn_status gdyn_reaction_document_text(const gdyn_reaction_document *document, gdyn_text *out);

/* trajectory,p,d1,d2,joint,component,verdict,value,unit,convention */
void gdyn_report_reactions_header(gdyn_text *out);
void gdyn_report_reactions_csv(gdyn_text *out, const gdyn_reaction_frame *frame,
                               const char *convention);

/* Stretches of one verdict of every component, and the points of lower rank between them, into what
 * gdyn_reaction_document_ranks wrote for the trajectory. */
void gdyn_reaction_document_stretches(gdyn_reaction_document *document,
                                      const gdyn_path_reactions *along);
/* Unique reactions as lines, the others as hatched strips without a line. */
gdyn_status gdyn_picture_reactions(const char *folder, const gdyn_path_reactions *along,
                                   gdyn_pictures *pictures, const gdyn_sink *sink);
/* The machine at a pose, joints coloured by verdict: NAME_verdicts. */
gdyn_status gdyn_picture_verdicts(const char *folder, const char *name, const gdyn_reactions *r,
                                  const gdyn_state *state, gdyn_pictures *pictures,
                                  const gdyn_sink *sink);

#endif
