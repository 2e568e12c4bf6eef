/* loops.c - independent closed loops of the graph of bodies and joints, by a union of what is
 * connected: each joint between bodies that are connected already closes one. The ground is the
 * last node. */
#include "base/memory.h"
#include "model/model.h"

/* Root of a set; paths are halved on the way. */
static int root_of(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joints that close a loop: both bodies are connected already. */
gdyn_status gdyn_model_loops(const gdyn_model *model, int *loops) {
    int bodies = gdyn_model_bodies(model);
    int *parent = gdyn_alloc((size_t)bodies + 1, sizeof *parent);
    if (!parent)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i <= bodies; i++)
        parent[i] = i;
    *loops = 0;
    /* joints that hold something, one by one */
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, i);
        int first, rows, velocity_first, velocity_rows;
        gdyn_model_joint_rows(model, i, &first, &rows, &velocity_first, &velocity_rows);
        if (!gdyn_joint_type_has_points(joint->type) || rows == 0)
            continue;
        int a = root_of(parent, joint->a.body < 0 ? bodies : joint->a.body);
        int b = root_of(parent, joint->b.body < 0 ? bodies : joint->b.body);
        /* within one set: a loop */
        *loops += a == b;
        parent[a] = b;
    }
    gdyn_free(parent);
    return GDYN_OK;
}
