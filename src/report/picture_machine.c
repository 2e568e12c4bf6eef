/* picture_machine.c - the machine along its path: the first pose drawn fully, further poses
 * faded. */
#include "report/drawing.h"

enum { GHOSTS = 7 };

typedef struct picture {
    const gdyn_path_def *path;
    const gdyn_track *track;
    int nearest; /* no point is reached: the one that is shown; else -1 */
    gdyn_drawing drawing;
} picture;

/* The point at which least is missing. */
static int nearest_point(const gdyn_track *track) {
    int best = 0;
    for (int i = 1; i < track->points; i++)
        best = track->residual[i] < track->residual[best] ? i : best;
    return best;
}

/* Path, guides, faded poses, and the machine at one pose. */
static void draw_machine(picture *pic) {
    gdyn_drawing *d = &pic->drawing;
    const gdyn_track *track = pic->track;
    /* The first pose that is reached, or the nearest to one. */
    int main = -1;
    for (int i = 0; i < track->points && main < 0; i++)
        main = track->status[i] == GDYN_POINT_OK ? i : -1;
    gdyn_drawing_path(d, pic->path, track);
    gdyn_drawing_guides(d, track->points, track->state);
    if (main < 0) /* as near as it comes */
        main = pic->nearest = nearest_point(track);
    const gdyn_state *state = track->state[main];
    /* Faded poses, evenly over the rest of the path to its end; that of a closed path lies below
     * the main pose. */
    for (int i = 1; i <= GHOSTS; i++) {
        int at = main + (int)((long)i * (track->points - 1 - main) / GHOSTS);
        if (at > main && track->status[at] == GDYN_POINT_OK)
            gdyn_drawing_bodies(d, track->state[at], true);
    }
    /* The main pose, above all others. */
    gdyn_drawing_pose(d, state);
    gdyn_drawing_tools(d, pic->path, state);
}

void gdyn_machine_figure(gdyn_figure *f, const gdyn_trajectory *t) {
    if (!t->path)
        return;
    const gdyn_path_def *path = gdyn_path_definition(t->path);
    picture pic = {.path = path, .track = gdyn_trajectory_points(t), .nearest = -1};
    gdyn_picture_begin(f, t->name, "machine", 900, "The machine along '%s'",
                       gdyn_picture_name(t->name).text);
    /* layers first: ranges and view depend on all of them */
    gdyn_drawing_begin(&pic.drawing, t->instance->model, path->tools, path->tool);
    draw_machine(&pic);
    gdyn_drawing_missed(&pic.drawing, path, pic.track);
    gdyn_drawing_frame(&pic.drawing);
    if (pic.nearest >= 0)
        gdyn_figure_text(f, GDYN_ALARM,
                         "the path is not reached: the machine as near as possible, at p = %s",
                         gdyn_amount(pic.track->p[pic.nearest], t->unit).text);
    gdyn_drawing_panel(&pic.drawing, f, true);
    gdyn_drawing_end(&pic.drawing);
}
