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

static gdyn_status write(picture *pic, const char *folder, const char *name,
                         const gdyn_sink *sink) {
    gdyn_figure f;
    char title[200];
    gdyn_drawing_frame(&pic->drawing);
    gdyn_figure_begin(&f, name, "machine", 900);
    gdyn_figure_text(&f, GDYN_HEADING, "The machine along '%s'", gdyn_picture_name(name, title));
    if (pic->nearest >= 0)
        gdyn_figure_text(
            &f, GDYN_ALARM, "the path is not reached: the machine as near as possible, at p = %s",
            gdyn_amount(pic->track->p[pic->nearest], gdyn_path_unit_of_p(pic->path)).text);
    gdyn_drawing_panel(&pic->drawing, &f, true);
    return gdyn_picture_write(&f, folder, sink);
}

gdyn_status gdyn_picture_machine(const char *folder, const char *name, const gdyn_model *model,
                                 const gdyn_path_def *path, const gdyn_track *track,
                                 const gdyn_sink *sink) {
    picture pic = {.path = path, .track = track, .nearest = -1};
    gdyn_status status = GDYN_ERROR_MEMORY;
    /* layers first: ranges and view depend on all of them */
    if (gdyn_drawing_begin(&pic.drawing, model, path->tools, path->tool)) {
        draw_machine(&pic);
        status = gdyn_drawing_missed(&pic.drawing, path, track);
        status = status == GDYN_OK ? write(&pic, folder, name, sink) : status;
    }
    gdyn_drawing_end(&pic.drawing);
    return status;
}
