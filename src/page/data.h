/* data.h - what the script of a page needs, as one JSON document (internal to page). Long lists
 * of numbers are texts of numbers with blanks between them, six digits each, which also know inf
 * and nan. */
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

/* At most so many poses, points of the motion, regions of each trajectory. */
typedef struct gdyn_page_detail {
    int frames, motion, regions;
} gdyn_page_detail;
enum { GDYN_PAGE_REGIONS_MOST = 122 };

/* open: of the machine at its first guess. */
gdyn_status gdyn_page_data(const gdyn_findings *findings, const gdyn_scene *scene,
                           const gdyn_ground_lines *open, int count,
                           const gdyn_page_trajectory *trajectory, const gdyn_page_detail *detail,
                           gdyn_text *out);

/* page.c: the same of findings alone. */
gdyn_status gdyn_page_design_data(const gdyn_findings *findings, const gdyn_page_detail *detail,
                                  gdyn_text *out);
/* From the first line to the begin of the content. */
void gdyn_page_head(gdyn_text *out, const char *title);
/* The canvas of a machine with its controls; number: of the trajectory, -1: the first guess
 * alone; moves: with a slider; reacted: verdicts of the joints are known. */
void gdyn_page_viewer(gdyn_text *out, int number, bool moves, bool reacted);

#endif
