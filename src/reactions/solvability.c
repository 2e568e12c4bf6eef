/* solvability.c - the verdicts of joints and multipliers alone.
 *
 * The tests of reactions.h with no components: by the closing conditions where every pivot is
 * clear, else, and for matrices, by singular values. */
#include "reactions/internal.h"

#include <string.h>

/* For tables and documents. */
const char *gdyn_verdict_text(gdyn_verdict verdict) {
    static const char *const text[] = {"unique", "drive-dependent", "indeterminate"};
    return text[verdict];
}

static gdyn_solvability *create(const gdyn_model *model, int constraints, int coordinates,
                                int drives, int joints) {
    gdyn_solvability *s = gdyn_alloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (gdyn_solvability){
        .constraints = constraints, .coordinates = coordinates, .drives = drives, .joints = joints};
    gdyn_reactions *r = s->reactions = gdyn_reactions_allocate(
        &(gdyn_reactions){.model = model,
                          .rows = constraints,
                          .n = coordinates,
                          .drives = model ? gdyn_model_drives(model) : drives,
                          .efforts = drives,
                          .efforts_most = drives,
                          .joints = joints,
                          .groups = joints,
                          .items = joints + constraints});
    if (r) {
        s->joint = gdyn_arena_alloc(r->work->arena, (size_t)joints, sizeof *s->joint);
        s->multiplier =
            gdyn_arena_alloc(r->work->arena, (size_t)constraints, sizeof *s->multiplier);
    }
    if (r && !gdyn_arena_failed(r->work->arena))
        return s;
    gdyn_solvability_destroy(s);
    return NULL;
}

/* For matrices that the caller has; no model is needed. */
gdyn_solvability *gdyn_solvability_create(int constraints, int coordinates, int drives,
                                          int joints) {
    return create(NULL, constraints, coordinates, drives, joints);
}

/* For a model: scales, joints of its rows, and a faster way by closing conditions. */
gdyn_solvability *gdyn_solvability_for_model(const gdyn_model *model) {
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    gdyn_solvability *s =
        create(model, rows, gdyn_model_coordinates(model),
               gdyn_model_drives(model) + gdyn_model_stictions(model), gdyn_model_joints(model));
    for (int i = 0; s && i < rows; i++)
        gdyn_reactions_multiplier(s->reactions, i)->group = gdyn_model_row_joint(model, i);
    return s;
}

/* Safe on a partly made object. */
void gdyn_solvability_destroy(gdyn_solvability *s) {
    if (s)
        gdyn_reactions_destroy(s->reactions);
    gdyn_free(s);
}

/* Verdicts from the matrices in the workspace, those of a state (NULL: of none). */
static gdyn_status judge(gdyn_solvability *s, const gdyn_state *state) {
    gdyn_reactions *r = s->reactions;
    gdyn_reaction_method method = GDYN_REACTIONS_BY_TREE;
    gdyn_status status = GDYN_ERROR_NUMERIC;
    if (state && !s->dense && gdyn_model_formalism(r->model) == GDYN_FORMALISM_TREE &&
        gdyn_reactions_states(r, state))
        status = gdyn_reactions_test(r, 1U << method, method);
    s->by_closing = status == GDYN_OK;
    if (!s->by_closing) {
        method = GDYN_REACTIONS_BY_SVD;
        status = gdyn_reactions_test(r, 1U << method, method);
    }
    if (status == GDYN_OK)
        status = gdyn_reactions_count(r);
    s->rank_c = r->rank_c;
    s->rank_ct = r->rank_ct, s->gap = r->gap, s->redundancy = r->redundancy;
    s->drive_redundancy = r->drive_redundancy;
    s->indeterminate_joints = s->dependent_joints = 0;
    for (int x = 0; x < s->joints; x++) {
        s->joint[x] = r->item[x].by[method];
        s->indeterminate_joints += s->joint[x] == GDYN_INDETERMINATE;
        s->dependent_joints += s->joint[x] == GDYN_DRIVE_DEPENDENT;
    }
    for (int i = 0; i < s->constraints; i++)
        s->multiplier[i] = gdyn_reactions_multiplier(r, i)->by[method];
    return status;
}

/* Matrices as they are given; a copy is scaled. */
gdyn_status gdyn_solvability_of_matrices(gdyn_solvability *s, const double *C, const double *T,
                                         const int *row_joint) {
    size_t rows = (size_t)s->constraints, n = (size_t)s->coordinates, k = (size_t)s->drives;
    struct gdyn_reactions_work *w = s->reactions->work;
    if (rows * n > 0)
        memcpy(w->C, C, rows * n * sizeof *C);
    if (n * k > 0)
        memcpy(w->T, T, n * k * sizeof *T);
    for (int i = 0; i < s->constraints; i++)
        gdyn_reactions_multiplier(s->reactions, i)->group = row_joint[i];
    gdyn_reactions_scale(s->reactions);
    return judge(s, NULL);
}

/* At a state at rest: all static friction is among the unknowns. */
gdyn_status gdyn_solvability_of_state(gdyn_solvability *s, const gdyn_state *state) {
    gdyn_reactions_matrices(s->reactions, state, NULL);
    return judge(s, state);
}
