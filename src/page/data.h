/* data.h - what the script of a page needs, as one JSON document (internal to page). Long lists of numbers are texts of
 * numbers with blanks between them, six digits each, which also know inf and nan. */
#ifndef GDYN_PAGE_DATA_H
#define GDYN_PAGE_DATA_H

#include "page/lines.h"
#include "report/picture.h"

/* What belongs to a trajectory besides its finding. */
typedef struct gdyn_page_trajectory {
    const gdyn_finding *finding;
    gdyn_ground_lines lines;
    gdyn_legend legend; /* of its regions; set NULL: there are none */
} gdyn_page_trajectory;

/* open: of the machine at its first guess. */
gdyn_status gdyn_page_data(const gdyn_findings *findings, const gdyn_scene *scene,
                           const gdyn_ground_lines *open, int count,
                           const gdyn_page_trajectory *trajectory, gdyn_text *out);

#endif
