/* scene.c - the machine as a drawing for pages: what of it is drawn; what is fixed to the ground:
 * the path of the tools, what of it is missed, guides. */
#include "page/internal.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "model/kinds.h"

/* The wheel of a joint, if it has one. A knife edge states no radius. */
static bool wheel_of(const gdyn_model *model, int joint, gdyn_wheel *wheel) {
    const gdyn_joint_def *def = gdyn_model_joint(model, joint);
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, gdyn_model_space(model));
    bool rolls = gdyn_joint_reads(form, GDYN_READS_RADIUS);
    if (!rolls && gdyn_joint_kind_of(def->type)->glyph != GDYN_GLYPH_EDGE)
        return false;
    *wheel = (gdyn_wheel){.at = def->a, .joint = joint};
    v3_copy(wheel->axis, rolls ? def->axis_a : def->normal);
    gdyn_v3_normalize(wheel->axis);
    wheel->radius = rolls ? def->radius : 0.07 * gdyn_model_length(model);
    return true;
}

bool gdyn_scene_begin(gdyn_scene *s, const gdyn_model *model, int tools,
                      const gdyn_path_tool *tool) {
    *s = (gdyn_scene){.model = model};
    bool made = gdyn_skeleton_begin(&s->figure, model, tools, tool);
    s->wheel = gdyn_alloc((size_t)gdyn_model_joints(model) + 1, sizeof *s->wheel);
    s->shaped = gdyn_alloc((size_t)gdyn_model_bodies(model) + 1, sizeof *s->shaped);
    if (!made || !s->wheel || !s->shaped)
        return false;
    for (int i = 0; i < gdyn_model_joints(model); i++)
        s->wheels += wheel_of(model, i, &s->wheel[s->wheels]);
    for (int i = 0; i < gdyn_model_shapes(model); i++) {
        const gdyn_shape_def *shape = gdyn_model_shape(model, i);
        if (shape->drive < 0 && shape->a.body >= 0)
            s->shaped[shape->a.body] = true;
    }
    return true;
}

void gdyn_scene_end(gdyn_scene *s) {
    gdyn_skeleton_end(&s->figure);
    gdyn_free(s->wheel);
    gdyn_free(s->shaped);
}

bool gdyn_scene_hides(const gdyn_scene *s, const gdyn_skeleton_part *part) {
    bool hidden = gdyn_skeleton_is_solid(part);
    for (int i = 0; i < part->count; i++)
        hidden = hidden && part->at[i].body >= 0 && s->shaped[part->at[i].body];
    return hidden;
}

/* --- the path of the tools, what of it is missed, guides -------------------------------------- */

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
