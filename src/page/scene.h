/* scene.h - the machine as a drawing for pages: the parts of report/skeleton.h, stated shapes,
 * wheels (internal to page). */
#ifndef GDYN_PAGE_SCENE_H
#define GDYN_PAGE_SCENE_H

#include "base/text.h"
#include "reactions/reactions.h"
#include "report/drawing.h"

/* A disc: of a rolling joint, or of a knife edge (a wheel seen from its edge). */
typedef struct gdyn_wheel {
    gdyn_anchor at;
    double axis[3], radius; /* axis: in the body's frame, unit */
    int joint;
} gdyn_wheel;

typedef struct gdyn_scene {
    const gdyn_model *model;
    gdyn_skeleton figure;
    int wheels;
    gdyn_wheel *wheel;
    bool *shaped; /* per body: it has stated shapes, which replace its faces and bars */
} gdyn_scene;

/* False when memory is out; end it in any case. */
bool gdyn_scene_begin(gdyn_scene *scene, const gdyn_model *model, int tools,
                      const gdyn_path_tool *tool);
void gdyn_scene_end(gdyn_scene *scene);
/* The part is replaced by stated shapes. */
bool gdyn_scene_hides(const gdyn_scene *scene, const gdyn_skeleton_part *part);

/* Lines fixed to the ground, besides the machine. */
typedef struct gdyn_scene_line {
    const char *look; /* class: "trace", "missed", "guide" */
    int count;
    double (*at)[3];
} gdyn_scene_line;

/* An SVG of the machine in a pose, further poses faded; r: joints coloured by its verdicts, or
 * NULL. False: no memory. */
bool gdyn_scene_svg(const gdyn_scene *scene, const gdyn_state *state, int ghosts,
                    gdyn_state *const *ghost, int lines, const gdyn_scene_line *line,
                    const gdyn_reactions *r, const char *label, gdyn_text *out);

#endif
