/* traverse_document.h - parts that documents of motions share (internal to report). */
#ifndef GDYN_REPORT_TRAVERSE_DOCUMENT_H
#define GDYN_REPORT_TRAVERSE_DOCUMENT_H

#include "report/traverse.h"

#include <jansson.h>

/* How the force of every drive changes; null without forces. */
json_t *gdyn_traverse_json_continuity(const gdyn_driven *driven);
/* null when nothing was to be evened out. */
json_t *gdyn_traverse_json_smoothing(const gdyn_driven *driven);

/* {p, d1, d2, t, drives: {NAME: "N"}}: units of the numbers; "" where there is none or it is not known. */
json_t *gdyn_traverse_json_units(const gdyn_driven *driven);

#endif
