/* lines.h - what is fixed to the ground along a trajectory: the path of the tools, what of it is
 * missed, guides (internal to page). */
#ifndef GDYN_PAGE_LINES_H
#define GDYN_PAGE_LINES_H

#include "page/findings.h"
#include "page/scene.h"

struct gdyn_arena;
typedef struct gdyn_ground_lines {
    int count, capacity;
    gdyn_scene_line *line;
    struct gdyn_arena *arena;
} gdyn_ground_lines;

/* Free them in any case. */
gdyn_status gdyn_lines_along(gdyn_ground_lines *lines, const gdyn_finding *f);
/* Of a machine that is not assembled: from point to point of the joints that stay open. */
gdyn_status gdyn_lines_open(gdyn_ground_lines *lines, const gdyn_state *state);
void gdyn_lines_free(gdyn_ground_lines *lines);

#endif
