/* picture_pose.c - the machine as `check` finds it: assembled at its first guess, or the best attempt with the joints that
 * stay open. */
#include "report/drawing.h"

#include "closure/gaps.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

/* Open joints that are marked; in pixels: the list of them, its lines, the height that it needs. */
enum { OPEN_MOST = 12, LIST_TOP = 265, LINE = 22, TALL = 660 };
static const double LIST = 0.805; /* its left edge as a share of the page */

typedef struct picture {
    const gdyn_examination *e;
    gdyn_drawing drawing;
    int found, open; /* joints that stay open, those that are marked */
    gdyn_gap gap[OPEN_MOST];
    gdyn_script script;
    double key; /* height of the key in space */
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

/* --- script ----------------------------------------------------------------------------------- */

/* A number at the joint; its name and gap in a list below the key. */
static void name_open(picture *pic, int i, double height) {
    const gdyn_joint_def *joint = gdyn_model_joint(pic->e->model, pic->gap[i].joint);
    char cut[120], name[120];
    const char *unit;
    double a[3], b[3], amount = gdyn_shown(pic->gap[i].amount, pic->gap[i].length, &unit);
    gdyn_script_quote(gdyn_shorten(joint->name, 16, cut, sizeof cut), name, sizeof name);
    gdyn_page_note(&pic->script, LIST, 1 - (LIST_TOP + (i + 1) * LINE) / height, "left font ',11'",
                   "%d  %s: %.3g %s", i + 1, name, amount, unit);
    if (!gdyn_joint_type_has_points(joint->type))
        return;
    /* between both ends */
    gdyn_state_point(pic->e->guess.state, &joint->a, a);
    gdyn_state_point(pic->e->guess.state, &joint->b, b);
    v3_axpy(a, a, 1, b);
    v3_scale(a, 0.5, a);
    gdyn_script_line(&pic->script,
                     "set label \"%d\" at %.7g,%.7g,%.7g front left offset 0.6,0.8 font ',12'",
                     i + 1, a[0], a[1], a[2]);
}

static void list_open(picture *pic, double height) {
    if (pic->open == 0)
        return;
    gdyn_column_below(&pic->script, true);
    gdyn_page_note(&pic->script, LIST, 1 - LIST_TOP / height, "left font ',12'", "stays open by");
    for (int i = 0; i < pic->open; i++)
        name_open(pic, i, height);
    if (pic->found > pic->open)
        gdyn_page_note(&pic->script, LIST, 1 - (LIST_TOP + (pic->open + 1) * LINE) / height,
                       "left font ',11'", "and %d more", pic->found - pic->open);
    gdyn_column_below(&pic->script, false);
    if (pic->drawing.planar && !gdyn_script_narrow(&pic->script))
        gdyn_script_line(&pic->script,
                         "set rmargin at screen %.3f\nset key at screen %.3f, screen 0.93",
                         LIST - 0.015, 0.985);
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

/* What is shown, and on a second line where the first trajectory ends that is not followed. */
static void write_title(picture *pic) {
    const gdyn_examination *e = pic->e;
    const gdyn_trajectory *first = NULL;
    char name[160], trajectory[160], more[40] = "", ended[480] = "", heading[800];
    int count = count_ended(e, &first);
    if (count > 1)
        snprintf(more, sizeof more, " (and %d more)", count - 1);
    if (count > 0)
        snprintf(ended, sizeof ended, "\\n'%s' first fails at p = %s, %d of %d points followed%s",
                 gdyn_script_heading(first->name, trajectory, sizeof trajectory),
                 gdyn_amount(first->followed.failure_p, first->unit).text, first->track->followed,
                 first->track->points, more);
    snprintf(heading, sizeof heading, "'%s' %s%s",
             gdyn_script_heading(e->instance->name, name, sizeof name),
             e->assembled ? "assembled at its first guess" : "does not close: the best attempt",
             ended);
    gdyn_drawing_heading(&pic->script, heading);
    pic->key = count > 0 ? 0.90 : 0.93;
}

static gdyn_status write(picture *pic, const char *folder, const gdyn_sink *sink) {
    gdyn_drawing *d = &pic->drawing;
    gdyn_drawing_frame(d);
    int height = gdyn_drawing_height(d);
    /* room for the list of open joints */
    height = pic->open > 0 && height < TALL ? TALL : height;
    gdyn_script_begin(&pic->script, "", "machine", 1200, height);
    do {
        write_title(pic);
        gdyn_drawing_page(d, &pic->script, pic->key);
        list_open(pic, height);
        gdyn_drawing_plot(d, &pic->script, true);
    } while (gdyn_script_again(&pic->script));
    return gdyn_script_finish(&pic->script, folder, sink);
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
