/* lines.c - the path of the tools, what of it is missed, guides; see lines.h. */
#include "page/lines.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "model/kinds.h"

enum { POINTS_MOST = 240 }; /* of a path of a tool */

/* Begins a line for at most so many points; NULL: no memory. */
static gdyn_scene_line *begin_line(gdyn_ground_lines *l, const char *look, int most) {
    double(*at)[3] = gdyn_arena_alloc(l->arena, (size_t)most + 1, sizeof *at);
    if (!at || !gdyn_reserve(&l->line, &l->capacity, l->count + 1, sizeof *l->line))
        return NULL;
    l->line[l->count] = (gdyn_scene_line){.look = look, .at = at};
    return &l->line[l->count++];
}

static bool add_guides(gdyn_ground_lines *l, const gdyn_finding *f, const gdyn_model *model) {
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        double from[3], to[3];
        if (!gdyn_skeleton_guide(model, i, f->frames.count, f->frames.state, from, to))
            continue;
        gdyn_scene_line *line = begin_line(l, "guide", 2);
        if (!line)
            return false;
        v3_copy(line->at[0], from);
        v3_copy(line->at[1], to);
        line->count = 2;
    }
    return true;
}

/* The line ends where the path is not followed. */
static bool add_trace(gdyn_ground_lines *l, const gdyn_track *track, const gdyn_anchor *tool) {
    gdyn_scene_line *line = NULL;
    int step = (track->points + POINTS_MOST - 1) / POINTS_MOST;
    for (int k = 0; k < track->points; k++) {
        bool ok = track->status[k] == GDYN_POINT_OK;
        if (!ok) {
            line = NULL;
            continue;
        }
        if (!line && !(line = begin_line(l, "trace", POINTS_MOST + 2)))
            return false;
        if ((k % step == 0 || k == track->points - 1) && line->count <= POINTS_MOST)
            gdyn_state_point(track->state[k], tool, line->at[line->count++]);
    }
    return true;
}

/* What a pen draws becomes lines. */
typedef struct missing {
    gdyn_ground_lines *lines;
    gdyn_scene_line *line;
    int most;
    bool failed;
} missing;

static void draw_missed(void *context, const double *x) {
    missing *m = context;
    if (!x) {
        m->line = NULL;
        return;
    }
    if (!m->line)
        m->line = begin_line(m->lines, "missed", m->most);
    m->failed |= !m->line;
    if (m->line && m->line->count < m->most)
        v3_copy(m->line->at[m->line->count++], x);
}

gdyn_status gdyn_lines_along(gdyn_ground_lines *l, const gdyn_finding *f) {
    const gdyn_track *track = f->t->track;
    const gdyn_path_def *def = gdyn_path_definition(f->t->path);
    const gdyn_model *model = gdyn_state_model(f->frames.state[0]);
    *l = (gdyn_ground_lines){.arena = gdyn_arena_create()};
    missing m = {.lines = l, .most = track->points};
    bool made = l->arena && add_guides(l, f, model);
    for (int i = 0; made && i < def->tools; i++)
        made = add_trace(l, track, &def->tool[i].of);
    gdyn_status status = made ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < def->tools && status == GDYN_OK; i++)
        status = gdyn_skeleton_missed(model, def, i, track, draw_missed, &m);
    return m.failed ? GDYN_ERROR_MEMORY : status;
}

gdyn_status gdyn_lines_open(gdyn_ground_lines *l, const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(state);
    double seen = 1e-4 * gdyn_model_length(model);
    *l = (gdyn_ground_lines){.arena = gdyn_arena_create()};
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, i);
        double a[3], b[3], gap[3];
        if (!gdyn_joint_type_has_points(joint->type) || !gdyn_joint_holds_point(joint))
            continue;
        gdyn_state_point(state, &joint->a, a);
        gdyn_state_point(state, &joint->b, b);
        v3_sub(gap, a, b);
        if (v3_norm(gap) <= seen)
            continue;
        gdyn_scene_line *line = begin_line(l, "missed", 2);
        if (!line)
            return GDYN_ERROR_MEMORY;
        v3_copy(line->at[0], a);
        v3_copy(line->at[1], b);
        line->count = 2;
    }
    return l->arena ? GDYN_OK : GDYN_ERROR_MEMORY;
}

void gdyn_lines_free(gdyn_ground_lines *l) {
    gdyn_free(l->line);
    gdyn_arena_destroy(l->arena);
}
