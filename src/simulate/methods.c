/* methods.c - the methods, holds and integrators by name; defaults. */
#include "simulate/internal.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

const char *const gdyn_sim_method_names[] = {
    "null_space", "minimum_norm", "elimination", "partition", "augmented_lagrangian",
    "projection", "compliance",   "minimal",     NULL};
const char *const gdyn_sim_hold_names[] = {"projection", "baumgarte", "none", NULL};
const char *const gdyn_sim_integrator_names[] = {
    "rkf45", "rk8pd", "rk4", "rk2", "implicit_gauss", "bulirsch_stoer", "semi_implicit_euler",
    NULL};

const char *const gdyn_sim_axes_names[] = {"joint", "ground", NULL};
const char *const gdyn_sim_closing_names[] = {"least_squares", "simplex", "newton", NULL};

/* Whether masses must be regular; accelerations; choice of rows or columns between steps. */
static const gdyn_sim_solver solvers[GDYN_SIM_METHODS] = {
    [GDYN_SIM_NULL_SPACE] = {false, gdyn_solve_null_space, NULL},
    [GDYN_SIM_MINIMUM_NORM] = {false, gdyn_solve_minimum_norm, NULL},
    [GDYN_SIM_ELIMINATION] = {false, gdyn_solve_elimination, gdyn_choose_rows},
    [GDYN_SIM_PARTITION] = {false, gdyn_solve_partition, gdyn_choose_columns},
    [GDYN_SIM_AUGMENTED] = {false, gdyn_solve_augmented, NULL},
    [GDYN_SIM_PROJECTION] = {false, gdyn_solve_projection, NULL},
    [GDYN_SIM_COMPLIANCE] = {true, gdyn_solve_compliance, NULL},
    [GDYN_SIM_MINIMAL] = {false, gdyn_solve_minimal, NULL},
};

const gdyn_sim_solver *gdyn_sim_solver_of(gdyn_sim_method method) {
    return &solvers[method];
}

gdyn_simulation_def gdyn_simulation_default(void) {
    return (gdyn_simulation_def){.tolerance = 1e-8,
                                 .baumgarte = 10,
                                 .penalty = 1e6,
                                 .slip = 1e-3,
                                 .compliance = {1e-8, 1e-8},
                                 .relaxation = 1e-2,
                                 .along = -1,
                                 .along_p = NAN};
}

const char *gdyn_sim_outcome_text(gdyn_sim_outcome outcome) {
    static const char *const texts[] = {
        [GDYN_SIM_RUNS] = "runs",
        [GDYN_SIM_OPEN] = "the machine cannot be assembled",
        [GDYN_SIM_RIGID] = "the constraints allow no motion: a structure",
        [GDYN_SIM_UNMOVABLE] = "the prescribed motions contradict the constraints",
        [GDYN_SIM_MASSLESS] = "a motion that the constraints allow has no mass",
        [GDYN_SIM_CHOICE] =
            "the choice of rows or coordinates allows a different motion than the constraints",
        [GDYN_SIM_STUCK] = "steps became too short: a singular pose, or a motion that breaks down",
        [GDYN_SIM_ADRIFT] = "the constraints can no longer be satisfied",
        [GDYN_SIM_DIVERGES] = "the integration diverges: compliant constraints open without bound",
    };
    return texts[outcome];
}

/* --- rows and columns that a definition names ------------------------------------------------- */

/* Rows and columns that a definition names. */

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
