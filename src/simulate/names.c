/* names.c - rows and columns that a definition names. */
#include "simulate/internal.h"

#include "base/text.h"

#include <string.h>

static int complain(const gdyn_sink *sink, const char *path, const char *help, const char *what,
                    const char *name) {
    gdyn_diag_emit(sink, GDYN_ERROR, path, help, GDYN_CODE_UNKNOWN "there is no %s '%.60s'", what,
                   name);
    return -1;
}

/* Whether NAME is the owner of the row, or OWNER.ROW. */
static bool names_row(const gdyn_model *model, int row, const char *name) {
    int joint = gdyn_model_row_joint(model, row), motion = gdyn_model_row_motion(model, row);
    const char *owner =
        joint >= 0 ? gdyn_model_joint(model, joint)->name : gdyn_model_motion(model, motion)->name;
    size_t length = strlen(owner);
    if (strncmp(name, owner, length) != 0)
        return false;
    return name[length] == '\0' ||
           (name[length] == '.' && !strcmp(name + length + 1, gdyn_model_row_name(model, row)));
}

int gdyn_sim_named_rows(const gdyn_model *model, const gdyn_simulation_def *def,
                        const gdyn_sink *sink, bool *marked) {
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model), count = 0;
    memset(marked, 0, (size_t)rows * sizeof *marked);
    for (int k = 0; k < def->drop_count; k++) {
        bool found = false;
        /* One name may mark several rows: all of a joint. */
        for (int i = 0; i < rows; i++)
            if (names_row(model, i, def->drop[k])) {
                found = true;
                count += !marked[i];
                marked[i] = true;
            }
        if (!found)
            return complain(sink, "simulate.method.drop",
                            "write JOINT for all of its rows, or JOINT.ROW as reactions lists the "
                            "multipliers: C.y",
                            "constraint", def->drop[k]);
    }
    return count;
}

int gdyn_sim_named_columns(const gdyn_model *model, const gdyn_simulation_def *def,
                           const gdyn_sink *sink, bool *marked) {
    static const char *const planar[] = {"x", "y", "angle"};
    static const char *const spatial[] = {"x", "y", "z", "rx", "ry", "rz"};
    bool flat = gdyn_model_space(model) == GDYN_PLANAR;
    const char *const *words = flat ? planar : spatial;
    int per = flat ? 3 : 6, count = 0;
    memset(marked, 0, (size_t)gdyn_model_coordinates(model) * sizeof *marked);
    /* NAME.WORD: the body before the last dot, the coordinate behind it. */
    for (int k = 0; k < def->independent_count; k++) {
        const char *name = def->independent[k], *dot = strrchr(name, '.');
        bool found = false;
        for (int body = 0; dot && body < gdyn_model_bodies(model); body++) {
            const char *own = gdyn_model_body(model, body)->name;
            if (strlen(own) != (size_t)(dot - name) || strncmp(own, name, strlen(own)) != 0)
                continue;
            for (int j = 0; j < per; j++)
                if (!strcmp(words[j], dot + 1)) {
                    count += !marked[per * body + j];
                    marked[per * body + j] = found = true;
                }
        }
        if (!found)
            return complain(sink, "simulate.method.independent",
                            flat ? "write BODY.x, BODY.y or BODY.angle"
                                 : "write BODY.x, .y, .z, .rx, .ry or .rz",
                            "velocity", name);
    }
    return count;
}
