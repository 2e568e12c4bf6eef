/* closings.c - closing along a motion by three methods.
 *
 * Held are joint coordinates that determine the pose: with N a basis of null(C) and E the rows of
 * all coordinates of joints, pivoted QR of (E N)^T puts f independent ones first. */
#include "simulate/closings.h"

#include "base/memory.h"
#include "closure/target.h"
#include "linalg/linalg.h"
#include "mech/row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS = 3, RESIDUAL = 0, EVALUATIONS, DIFFERENCE, FIGURES };

struct gdyn_closings {
    gdyn_arena *arena;
    gdyn_record *record;
    const gdyn_model *model;
    gdyn_closure *closure;
    gdyn_state *before, *trial;
    int n, rows, holonomic;
    int coordinates, held; /* of joints */
    bool begun;
    gdyn_row *row;                        /* coordinates */
    gdyn_target *target;                  /* coordinates */
    double *C, *N, *E, *A, *scale, *unit; /* rows x n, n x n, coordinates x n, n x coordinates */
    double *newton;                       /* coordinates: as Newton's method closes them */
    gdyn_svd *svd;
    gdyn_qr *qr;
    int column[METHODS][FIGURES];
};

/* Newton's method first: the others are compared with it. */
static const gdyn_closure_method methods[METHODS] = {
    GDYN_CLOSURE_NEWTON, GDYN_CLOSURE_LEAST_SQUARES, GDYN_CLOSURE_SIMPLEX};

/* --- making one ------------------------------------------------------------------------------- */

gdyn_closings *gdyn_closings_create(gdyn_record *record) {
    static const char *const figures[] = {"residual", "evaluations", "difference"};
    static const char *const units[] = {"", "", "m or rad"};
    gdyn_arena *arena;
    gdyn_closings *c = gdyn_arena_begin(&arena, sizeof *c);
    if (!c)
        return NULL;
    const gdyn_model *model = record->model;
    c->arena = arena, c->record = record, c->model = model;
    c->n = gdyn_model_coordinates(model);
    c->holonomic = gdyn_model_holonomic(model);
    c->rows = c->holonomic + gdyn_model_pfaffian(model);
    size_t n = (size_t)c->n, rows = (size_t)c->rows, k = 3 * (size_t)gdyn_model_joints(model);
    double **const arrays[] = {&c->C, &c->N, &c->E, &c->A, &c->scale, &c->unit, &c->newton};
    const size_t counts[] = {rows * n, n * n, n * k, n * k, rows, n, k};
    for (int i = 0; i < 7; i++)
        *arrays[i] = gdyn_arena_doubles(arena, counts[i]);
    c->row = gdyn_arena_alloc(arena, k, sizeof *c->row);
    c->target = gdyn_arena_alloc(arena, k, sizeof *c->target);
    c->closure = gdyn_closure_create(model, (int)k);
    c->before = gdyn_state_create(model), c->trial = gdyn_state_create(model);
    c->svd = gdyn_svd_create(c->rows + 1, c->n);
    c->qr = gdyn_qr_create(c->n, (int)k + 1);
    if (gdyn_arena_failed(arena) || !c->closure || !c->before || !c->trial || !c->svd || !c->qr) {
        gdyn_closings_destroy(c);
        return NULL;
    }
    gdyn_mech_scales(model, c->scale, c->unit);
    /* rows of all scalar coordinates of joints */
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        gdyn_freedom freedom[3];
        int count =
            gdyn_joint_freedoms(gdyn_model_joint(model, i)->type, gdyn_model_space(model), freedom);
        for (int f = 0; f < count; f++) {
            bool ok;
            gdyn_row row = gdyn_row_joint(model, i, freedom[f], &ok);
            if (ok)
                c->row[c->coordinates++] = row;
        }
    }
    /* columns; Newton's method is what the others are compared with */
    for (int m = 0; m < METHODS; m++)
        for (int f = 0; f < (m == 0 ? DIFFERENCE : FIGURES); f++) {
            char name[100];
            snprintf(name, sizeof name, "closing.%s.%s", gdyn_sim_closing_names[methods[m]],
                     figures[f]);
            c->column[m][f] = gdyn_record_add(record, GDYN_RECORD_CLOSING, name, units[f]);
        }
    return c;
}

void gdyn_closings_destroy(gdyn_closings *c) {
    if (!c)
        return;
    gdyn_closure_destroy(c->closure);
    gdyn_state_destroy(c->before), gdyn_state_destroy(c->trial);
    gdyn_svd_destroy(c->svd);
    gdyn_qr_destroy(c->qr);
    gdyn_arena_destroy(c->arena);
}

/* --- what is held ----------------------------------------------------------------------------- */

/* Targets: coordinates that determine the pose, at their values there. */
static gdyn_status hold(gdyn_closings *c, const gdyn_state *state) {
    /* C and E at the state, scaled */
    memset(c->E, 0, (size_t)c->n * (size_t)c->coordinates * sizeof *c->E);
    /* lengths, and angles times L */
    gdyn_row_jacobian jacobian;
    for (int i = 0; i < c->coordinates; i++) {
        gdyn_row_derivative(state, &c->row[i], &jacobian);
        gdyn_row_scatter(state, &jacobian, c->row[i].length ? 1 : gdyn_model_length(c->model), c->E,
                         c->coordinates, i);
    }
    gdyn_mech_jacobian(state, c->C);
    for (int j = 0; j < c->n; j++) {
        for (int i = 0; i < c->coordinates; i++)
            c->E[i + (size_t)c->coordinates * j] *= c->unit[j];
        for (int i = 0; i < c->rows; i++)
            c->C[i + (size_t)c->rows * j] *= c->unit[j] * c->scale[i];
    }
    gdyn_status status = gdyn_svd_factor(c->svd, c->holonomic, c->n, c->C, c->rows, 0);
    int free = gdyn_svd_null(c->svd, c->N, c->n), k = c->coordinates;
    c->held = 0;
    if (status != GDYN_OK || free == 0 || k == 0)
        return status;
    /* columns of (E N)^T that are independent: coordinates that determine the pose */
    gdyn_gemm(1, 1, free, k, c->n, 1, c->N, c->n, c->E, k, 0, c->A, free);
    status = gdyn_qr_factor(c->qr, free, k, c->A, free, GDYN_RANK_TOLERANCE);
    c->held = c->qr->rank.rank;
    for (int i = 0; i < c->held; i++) {
        /* they are prescribed at the values that they have */
        c->target[i] = (gdyn_target){.row = c->row[c->qr->pivot[i]]};
        c->target[i].target[0] = gdyn_row_value(state, &c->target[i].row);
    }
    return status;
}

/* --- a frame ---------------------------------------------------------------------------------- */

static gdyn_status close_by(gdyn_closings *c, int m, double time) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    settings.method = methods[m];
    /* every method begins at the pose of the frame before */
    gdyn_state_copy(c->trial, c->before);
    gdyn_state_set_time(c->trial, time);
    gdyn_status status =
        gdyn_closure_solve(c->closure, c->trial, c->held, c->target, &settings, &info);
    /* what it arrived at, and at which cost */
    bool closed = info.outcome == GDYN_CLOSED;
    if (status != GDYN_OK)
        return status;
    gdyn_record_set(c->record, c->column[m][RESIDUAL], info.residual);
    gdyn_record_set(c->record, c->column[m][EVALUATIONS], info.evaluations);
    /* coordinates of joints: their largest difference from Newton's, which comes first */
    double most = 0;
    for (int i = 0; i < c->coordinates; i++) {
        double value = gdyn_row_value(c->trial, &c->row[i]);
        c->newton[i] = m == 0 ? value : c->newton[i];
        most = fmax(most, fabs(value - c->newton[i]));
    }
    if (m > 0)
        gdyn_record_set(c->record, c->column[m][DIFFERENCE], closed ? most : NAN);
    return GDYN_OK;
}

gdyn_status gdyn_closings_take(gdyn_closings *c, const gdyn_state *state) {
    gdyn_status status = c->begun ? hold(c, state) : GDYN_OK;
    for (int m = 0; m < METHODS && c->begun && status == GDYN_OK; m++)
        status = close_by(c, m, gdyn_state_time(state));
    /* the next frame is closed from here */
    gdyn_state_copy(c->before, state);
    c->begun = true;
    return status;
}
