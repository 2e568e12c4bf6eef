/* scene.c - the machine as a drawing for pages: what of it is drawn; see scene.h. */
#include "page/scene.h"

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
