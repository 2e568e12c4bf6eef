/* charts.h - the charts of a trajectory's section (internal to page). All append SVG; they say so where there is nothing. */
#ifndef GDYN_PAGE_CHARTS_H
#define GDYN_PAGE_CHARTS_H

#include "page/chart.h"
#include "report/picture.h"

/* charts_limits.c: greatest d1 and d2 at rest over p, strips of the limits that hold it back. The legend has their sets. */
void gdyn_chart_limits(gdyn_text *out, const gdyn_trajectory *t, const gdyn_legend *legend);
/* The legend as a list; nothing when no set is used. */
void gdyn_chart_legend(gdyn_text *out, const gdyn_legend *legend);
/* Regions at some points, side by side in one window. */
void gdyn_chart_regions(gdyn_text *out, const gdyn_trajectory *t, const gdyn_legend *legend);

/* charts_motion.c: the phase plane; which drives limit the motion; the force of every drive over time. */
void gdyn_chart_phase(gdyn_text *out, const gdyn_trajectory *t);
void gdyn_chart_lanes(gdyn_text *out, const gdyn_trajectory *t);
void gdyn_chart_forces(gdyn_text *out, const gdyn_trajectory *t);

#endif
