/* picture_pose.c - the machine as `check` finds it: assembled at its first guess, or the best
 * attempt with the joints that stay open. */
#include "report/drawing.h"

#include "closure/gaps.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

enum { OPEN_MOST = 12 }; /* open joints that are marked */

typedef struct picture {
    const gdyn_examination *e;
    gdyn_drawing drawing;
    int found, open; /* joints that stay open, those that are marked */
    gdyn_gap gap[OPEN_MOST];
} picture;

/* --- the machine ------------------------------------------------------------------------------ */

/* Both ends of an open joint with a line between them; an angle that is missing has no line. */
static void mark_open(picture *pic) {
    const gdyn_state *state = pic->e->guess.state;
    for (int i = 0; i < pic->open; i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->e->model, pic->gap[i].joint);
        double a[3], b[3];
        if (!gdyn_joint_type_has_points(joint->type))
            continue;
        gdyn_state_point(state, &joint->a, a);
        gdyn_state_point(state, &joint->b, b);
        gdyn_drawing_vertex(&pic->drawing, GDYN_LAYER_OPEN_ENDS, a);
        if (!pic->gap[i].length)
            continue;
        gdyn_drawing_vertex(&pic->drawing, GDYN_LAYER_OPEN_ENDS, b);
        gdyn_drawing_segment(&pic->drawing, GDYN_LAYER_OPEN, a, b);
    }
}

static gdyn_status draw(picture *pic) {
    const gdyn_examination *e = pic->e;
    gdyn_drawing *d = &pic->drawing;
    gdyn_state *state = e->guess.state;
    gdyn_status status = GDYN_OK;
    /* Paths below the machine: what is followed, and what is not. */
    for (int i = 0; i < e->opened && status == GDYN_OK; i++) {
        const gdyn_path_def *def = gdyn_path_definition(e->trajectory[i].path);
        gdyn_drawing_path(d, def, e->trajectory[i].track);
        status = gdyn_drawing_missed(d, def, e->trajectory[i].track);
    }
    gdyn_drawing_guides(d, 1, &state);
    gdyn_drawing_pose(d, state);
    for (int i = 0; i < e->instance->trajectory_count; i++)
        gdyn_drawing_tools(d, &e->instance->trajectory[i], state);
    mark_open(pic);
    return status;
}

/* --- the page --------------------------------------------------------------------------------- */

/* A number at every open joint. */
static void number_open(const picture *pic, gdyn_figure *f, gdyn_figure_panel *panel) {
    for (int i = 0; i < pic->open; i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->e->model, pic->gap[i].joint);
        double a[3], b[3];
        char number[20];
        if (!gdyn_joint_type_has_points(joint->type))
            continue;
        /* between both ends */
        gdyn_state_point(pic->e->guess.state, &joint->a, a);
        gdyn_state_point(pic->e->guess.state, &joint->b, b);
        v3_axpy(a, a, 1, b);
        v3_scale(a, 0.5, a);
        snprintf(number, sizeof number, "%d", i + 1);
        if (pic->drawing.planar)
            gdyn_figure_put_name(f, number, a[0], a[1], 0, 0.7, 0.7, 1);
        else
            gdyn_figure_put_name(f, number, a[0], a[1], a[2], 0, 1);
    }
    gdyn_figure_draw(f, panel,
                     (gdyn_figure_layer){GDYN_NAMES, gdyn_figure_block_end(f), .away = 14});
}

/* Their names and gaps. */
static void list_open(const picture *pic, gdyn_figure *f) {
    if (pic->open > 0)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "stays open by");
    for (int i = 0; i < pic->open; i++) {
        const char *unit;
        double amount = gdyn_shown(pic->gap[i].amount, pic->gap[i].length, &unit);
        gdyn_figure_text(f, GDYN_PARAGRAPH, "%d  %s: %.3g %s", i + 1,
                         gdyn_model_joint(pic->e->model, pic->gap[i].joint)->name, amount, unit);
    }
    if (pic->found > pic->open)
        gdyn_figure_text(f, GDYN_PARAGRAPH, "and %d more", pic->found - pic->open);
}

/* Trajectories that are not followed to their end; the first of them. */
static int count_ended(const gdyn_examination *e, const gdyn_trajectory **first) {
    int count = 0;
    for (int i = e->opened - 1; i >= 0; i--)
        if (!isnan(e->trajectory[i].followed.failure_p)) {
            *first = &e->trajectory[i];
            count++;
        }
    return count;
}

/* What is shown, and where the first trajectory ends that is not followed. */
static void write_title(const picture *pic, gdyn_figure *f) {
    const gdyn_examination *e = pic->e;
    const gdyn_trajectory *first = NULL;
    char name[200], more[40] = "";
    int count = count_ended(e, &first);
    if (count > 1)
        snprintf(more, sizeof more, " (and %d more)", count - 1);
    gdyn_figure_text(f, GDYN_HEADING, "'%s' %s", gdyn_picture_name(e->instance->name, name),
                     e->assembled ? "assembled at its first guess"
                                  : "does not close: the best attempt");
    if (count > 0)
        gdyn_figure_text(f, GDYN_ALARM, "'%s' first fails at p = %s, %d of %d points followed%s",
                         gdyn_picture_name(first->name, name),
                         gdyn_amount(first->followed.failure_p, first->unit).text,
                         first->track->followed, first->track->points, more);
}

static gdyn_status write(picture *pic, const char *folder, const gdyn_sink *sink) {
    gdyn_figure f;
    gdyn_drawing_frame(&pic->drawing);
    gdyn_figure_begin(&f, "", "machine", 900);
    write_title(pic, &f);
    number_open(pic, &f, gdyn_drawing_panel(&pic->drawing, &f, true));
    list_open(pic, &f);
    return gdyn_picture_write(&f, folder, sink);
}

gdyn_status gdyn_picture_pose(const char *folder, const gdyn_examination *e,
                              const gdyn_sink *sink) {
    picture pic = {.e = e};
    const gdyn_instance *instance = e->instance;
    gdyn_status status = GDYN_OK;
    /* Bodies reach to the tools of the first trajectory. */
    const gdyn_path_def *first = instance->trajectory_count > 0 ? &instance->trajectory[0] : NULL;
    int tools = first ? first->tools : 0;
    if (!e->assembled)
        status = gdyn_gaps_find(e->guess.state, OPEN_MOST, pic.gap, &pic.found);
    pic.open = pic.found < OPEN_MOST ? pic.found : OPEN_MOST;
    if (status == GDYN_OK &&
        !gdyn_drawing_begin(&pic.drawing, e->model, tools, first ? first->tool : NULL))
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        status = draw(&pic);
        status = status == GDYN_OK ? write(&pic, folder, sink) : status;
    }
    gdyn_drawing_end(&pic.drawing);
    return status;
}
