/* proposals.c - search over joint changes; see proposals.h.
 *
 * L (rows x rho) spans null(C^T). A changed joint j holds rows P_j C_j of those it held;
 * multipliers that balance themselves afterwards are those L y with Q_j^T L_j y = 0 for all changed
 * joints, Q_j a basis of null(P_j). So the machine is exactly constrained, with its rank, precisely
 * when the rows K_j = Q_j^T L_j of all changes together are as many as rho and independent. A
 * branch of the search ends when they are dependent: rank would be lost, which giving up more never
 * restores. What is found so is rebuilt from changed definitions and its rank computed at the same
 * pose. */
#include "reactions/proposals.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "mech/state.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Share of the length of the machine by which a replaced joint may be open at the pose. */
static const double OPEN = 1e-7;

enum { TRIES_MOST = 400000, ALIKE_MOST = 2 };

/* Amounts of unit rows and orthonormal bases below this are rounding. */
static const double ZERO = 1e-6;

/* A change of one joint, or the same one of several. */
typedef struct move {
    int count;
    int option[GDYN_CHANGED_MOST]; /* count: in search.option */
    int released;
    double *K; /* released x rho, row by row */
    bool out;  /* leaves a joint out that is not a wheel */
} move;

typedef struct search {
    gdyn_arena *arena;
    const gdyn_model *model;
    const gdyn_state *state;
    gdyn_proposals *out;
    int rows, n, rho, rank;
    double *C, *L;                     /* rows x n scaled and of unit rows, rows x rho */
    int options, moves, singles, room; /* the first `singles` moves change one joint */
    gdyn_joint_change *option;
    move *move;
    double *Q; /* rho x rho: orthonormal rows of the changes chosen */
    const move *chosen[GDYN_CHANGES_MOST];
    int depth, wanted, hits; /* hits: exact combinations met */
    bool leave_out;          /* joints may be left out; wheels always may */
} search;

/* --- the machine at the pose ---------------------------------------------------------------- */

gdyn_state *gdyn_proposal_state(const gdyn_model *changed, const gdyn_state *pose) {
    gdyn_state *state = gdyn_state_create(changed);
    if (state) {
        /* The same bodies in the same places; joints may differ. */
        size_t bodies = (size_t)gdyn_model_bodies(pose->model);
        state->time = pose->time;
        memcpy(state->r, pose->r, 3 * bodies * sizeof *state->r);
        memcpy(state->R, pose->R, 9 * bodies * sizeof *state->R);
        gdyn_state_take_charts(state, pose);
        memcpy(state->cardan, pose->cardan, 3 * bodies * sizeof *state->cardan);
        state->turned = pose->turned;
    }
    return state;
}

/* C of a model at the pose in scaled velocities and unit rows (rows x n, allocated); *misfit:
 * largest residual of the closed constraints. */
static double *matrix_at(const gdyn_model *model, const gdyn_state *pose, double *misfit) {
    int rows = model->m + model->h, n = model->n;
    gdyn_state *state = gdyn_proposal_state(model, pose);
    gdyn_arena *arena = gdyn_arena_create();
    double *C = gdyn_alloc((size_t)rows * (size_t)n, sizeof *C);
    double *row = gdyn_arena_doubles(arena, (size_t)rows);
    double *column = gdyn_arena_doubles(arena, (size_t)n);
    double *phi = gdyn_arena_doubles(arena, (size_t)rows);
    bool ok = state && C && !gdyn_arena_failed(arena);
    if (ok) {
        gdyn_mech_scales(model, row, column);
        gdyn_mech_jacobian(state, C);
        gdyn_mech_constraints(state, phi);
        /* how far the joints are open at this pose */
        *misfit = 0;
        for (int i = 0; i < model->m; i++)
            *misfit = fmax(*misfit, fabs(phi[i] * row[i]));
        /* rows of unit length in scaled velocities */
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += pow(C[i + j * rows] * column[j], 2);
            for (int j = 0; j < n && sum > 0; j++)
                C[i + j * rows] *= column[j] / sqrt(sum);
        }
    }
    gdyn_arena_destroy(arena);
    gdyn_state_destroy(state);
    if (!ok)
        gdyn_free(C);
    return ok ? C : NULL;
}

/* The machine with the changes closes here, has the rank and no redundant row. */
static bool is_exact(search *s, int count, const gdyn_joint_change *changes) {
    /* the changed machine, its matrix at the old pose */
    gdyn_model *model = gdyn_proposal_model(s->model, count, changes);
    double misfit = 0;
    bool exact = false;
    double *C = model ? matrix_at(model, s->state, &misfit) : NULL;
    int rows = model ? model->m + model->h : 0;
    gdyn_qr *qr = C ? gdyn_qr_create(rows > 0 ? rows : 1, s->n) : NULL;
    /* exactly constrained: no redundant row, the old rank, clear of rounding, and closed */
    if (qr && gdyn_qr_factor(qr, rows, s->n, C, rows, 0) == GDYN_OK)
        exact = qr->rank.rank == s->rank && rows == s->rank && gdyn_rank_is_clear(&qr->rank) &&
                misfit <= OPEN * gdyn_model_length(s->model);
    gdyn_qr_destroy(qr);
    gdyn_free(C);
    gdyn_model_destroy(model);
    return exact;
}

/* --- what a change releases ------------------------------------------------------------------- */

/* Rows of a joint in a model's C: list (room for 8); their number. */
static int rows_of(const gdyn_model *model, int joint, int list[8]) {
    int count = 0;
    for (int i = 0; i < model->m + model->h && count < 8; i++)
        if (model->row_joint[i] == joint)
            list[count++] = i;
    return count;
}

/* Rows B (kept x n) of the new joint as P times those it had (own x n): null(P) times L_j. The
 * number of rows released, 0 when the change does not only release. svd: n x 8 at least. */
static int release(const search *s, const double *B, int kept, int joint, gdyn_svd *svd,
                   double *K) {
    int row[8], own = rows_of(s->model, joint, row), n = s->n;
    double *A = gdyn_alloc((size_t)n * 16, sizeof *A), *P = A ? A + (size_t)n * 8 : NULL;
    double Q[64], rest[64];
    int released = 0;
    if (!A)
        return 0;
    /* the joint's rows now, orthogonalized */
    for (int k = 0; k < own; k++)
        for (int j = 0; j < n; j++)
            A[j + k * n] = s->C[row[k] + j * s->rows];
    bool fine =
        own > kept && gdyn_svd_factor(svd, n, own, A, n, 0) == GDYN_OK && svd->rank.rank == own;
    memset(rest, 0, sizeof rest);
    /* the rows that stay, as combinations P of them: they must add nothing new */
    for (int k = 0; k < kept && fine; k++) {
        for (int j = 0; j < n; j++)
            P[j] = B[k + j * kept];
        double x[8];
        gdyn_svd_solve(svd, 1, P, n, x, own);
        fine = gdyn_svd_residual(svd, P, A) < ZERO;
        for (int i = 0; i < own; i++)
            rest[k + i * kept] = x[i];
    }
    /* Q spans null(P); K = Q^T L is what the change releases */
    if (fine && gdyn_svd_factor(svd, kept, own, rest, kept, ZERO) == GDYN_OK &&
        svd->rank.rank == kept)
        released = gdyn_svd_null(svd, Q, own);
    for (int q = 0; q < released; q++)
        for (int c = 0; c < s->rho; c++) {
            K[q * s->rho + c] = 0;
            for (int k = 0; k < own; k++)
                K[q * s->rho + c] += Q[k + q * own] * s->L[row[k] + c * s->rows];
        }
    gdyn_free(A);
    return released;
}

/* Adds rows of K to the orthonormal ones in Q; false when they depend on them. */
static bool stack(const search *s, double *Q, int *have, const double *K, int count) {
    for (int k = 0; k < count; k++) {
        if (*have >= s->rho)
            return false;
        double *q = Q + (size_t)*have * (size_t)s->rho, before;
        memcpy(q, K + (size_t)k * (size_t)s->rho, (size_t)s->rho * sizeof *q);
        /* a row that depends on those before releases nothing */
        if (!(gdyn_extend_basis(s->rho, *have, Q, q, &before) > ZERO))
            return false;
        ++*have;
    }
    return true;
}

/* --- moves ---------------------------------------------------------------------------------- */

/* A move of these options, when what it releases is redundant. */
static gdyn_status add_move(search *s, int count, const int *option, double *const *K) {
    move m = {.count = count};
    int have = 0;
    /* rows that all options release together */
    for (int i = 0; i < count; i++)
        m.released += s->option[option[i]].released;
    /* never more rows than are redundant */
    if (m.released > s->rho)
        return GDYN_OK;
    m.K = gdyn_arena_doubles(s->arena, (size_t)(m.released * s->rho));
    if (!m.K)
        return GDYN_ERROR_MEMORY;
    bool good = true;
    /* all rows together, independent of each other */
    for (int i = 0, at = 0; i < count; i++) {
        const gdyn_joint_change *change = &s->option[option[i]];
        m.option[i] = option[i];
        m.out |= change->removed && !(s->model->joint_count[change->joint] == 0);
        memcpy(m.K + at, K[i], (size_t)(change->released * s->rho) * sizeof *m.K);
        at += change->released * s->rho;
        good = good && stack(s, s->Q, &have, K[i], change->released);
    }
    if (good && s->moves < s->room)
        s->move[s->moves++] = m;
    return GDYN_OK;
}

/* What each change of a joint releases, judged on the model rebuilt with it alone. */
static gdyn_status add_changes(search *s, int joint, gdyn_svd *svd) {
    gdyn_joint_change list[GDYN_OPTIONS_MOST];
    int count = gdyn_joint_changes(s->state, joint, list);
    gdyn_status status = GDYN_OK;
    double *K = gdyn_alloc((size_t)(8 * s->rho) + 1, sizeof *K);
    for (int i = 0; K && i < count && status == GDYN_OK; i++) {
        double misfit = 0, *B = NULL;
        int row[8], kept = 0;
        /* the changed joint at this pose: closed, and which rows it keeps */
        gdyn_model *model = list[i].removed ? NULL : gdyn_proposal_model(s->model, 1, &list[i]);
        double *C = model ? matrix_at(model, s->state, &misfit) : NULL;
        bool fine = list[i].removed || (C && misfit <= OPEN * gdyn_model_length(s->model));
        kept = C ? rows_of(model, joint, row) : 0;
        B = gdyn_alloc((size_t)(8 * s->n), sizeof *B);
        for (int k = 0; B && k < kept; k++)
            for (int j = 0; j < s->n; j++)
                B[k + j * kept] = C[row[k] + j * (model->m + model->h)];
        list[i].released = fine && B ? release(s, B, kept, joint, svd, K) : 0;
        if (list[i].released > 0) {
            int at = s->options;
            s->option[s->options++] = list[i];
            status = add_move(s, 1, &at, &K);
        }
        gdyn_free(B), gdyn_free(C);
        gdyn_model_destroy(model);
    }
    status = K ? status : GDYN_ERROR_MEMORY;
    gdyn_free(K);
    return status;
}

/* The names differ in digits alone. */
static bool same_stem(const char *a, const char *b) {
    /* digits are skipped on both sides */
    for (;; a++, b++) {
        while (isdigit((unsigned char)*a))
            a++;
        while (isdigit((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

/* Joints of one type changed alike: all of them, or those whose names differ in digits alone. */
static gdyn_status add_alike(search *s, int first, bool stem) {
    const move *one = &s->move[first];
    const gdyn_joint_change *change = &s->option[one->option[0]];
    const gdyn_joint_def *def = gdyn_model_joint(s->model, change->joint);
    int list[GDYN_CHANGED_MOST], count = 0, members = 0, others = 0;
    double *K[GDYN_CHANGED_MOST];
    /* how many joints are alike, by name and by type */
    for (int x = 0; x < gdyn_model_joints(s->model); x++) {
        const gdyn_joint_def *other = gdyn_model_joint(s->model, x);
        bool alike = other->type == def->type && same_stem(other->name, def->name);
        members += stem ? alike : other->type == def->type;
        others += other->type == def->type && !alike;
    }
    /* the same change of each of them */
    for (int i = 0; i < s->singles && count < GDYN_CHANGED_MOST; i++) {
        const gdyn_joint_change *other = &s->option[s->move[i].option[0]];
        const gdyn_joint_def *own = gdyn_model_joint(s->model, other->joint);
        if (own->type != def->type || other->sort != change->sort ||
            (stem && !same_stem(own->name, def->name)))
            continue;
        /* a set is made at its first member */
        if (i < first)
            return GDYN_OK; /* listed from there */
        list[count] = s->move[i].option[0];
        K[count++] = s->move[i].K;
    }
    /* All of them can, and they are not what the names say already. */
    bool good = count >= 2 && count == members && (stem || others > 0);
    return good ? add_move(s, count, list, K) : GDYN_OK;
}

/* Single changes of all joints, then those changed alike. */
static gdyn_status list_moves(search *s) {
    gdyn_svd *svd = gdyn_svd_create(s->n > 8 ? s->n : 8, 8);
    gdyn_status status = svd ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int x = 0; x < gdyn_model_joints(s->model) && status == GDYN_OK; x++)
        status = add_changes(s, x, svd);
    /* sets are built from single changes only */
    s->singles = s->moves;
    for (int i = 0; i < s->singles && status == GDYN_OK; i++) {
        status = add_alike(s, i, true);
        if (status == GDYN_OK)
            status = add_alike(s, i, false);
    }
    gdyn_svd_destroy(svd);
    return status;
}

/* --- searching ------------------------------------------------------------------------------ */

/* A set that releases as many rows as are redundant: checked on the changed machine. */
static void take(search *s) {
    /* the changes chosen so far as a proposal */
    gdyn_proposal p = {.alike = false};
    for (int d = 0; d < s->depth; d++)
        for (int i = 0; i < s->chosen[d]->count && p.count < GDYN_CHANGED_MOST; i++) {
            p.change[p.count++] = s->option[s->chosen[d]->option[i]];
            p.alike |= s->chosen[d]->count > 1;
        }
    s->hits++;
    /* each once, and not more than fit */
    for (int k = 0; k < s->out->count; k++) {
        const gdyn_proposal *other = &s->out->proposal[k];
        bool same = other->count == p.count;
        /* same joints, same types; directions do not matter */
        for (int i = 0; same && i < other->count; i++) {
            bool found = false;
            for (int q = 0; q < p.count; q++)
                found |= other->change[i].joint == p.change[q].joint &&
                         other->change[i].removed == p.change[q].removed &&
                         other->change[i].def.type == p.change[q].def.type;
            same = found;
        }
        if (same)
            return;
    }
    if (s->out->count == GDYN_PROPOSALS_MOST)
        s->out->complete = false;
    else if (is_exact(s, p.count, p.change))
        s->out->proposal[s->out->count++] = p;
}

/* A joint of the move is changed already. */
static bool overlaps(const search *s, const move *m) {
    for (int d = 0; d < s->depth; d++)
        for (int i = 0; i < s->chosen[d]->count; i++)
            for (int k = 0; k < m->count; k++)
                if (s->option[s->chosen[d]->option[i]].joint == s->option[m->option[k]].joint)
                    return true;
    return false;
}

/* Moves from `from` to before `to`, `have` rows given up so far. */
static void extend(search *s, int from, int to, int have) {
    for (int i = from; i < to; i++) {
        const move *m = &s->move[i];
        /* the last move has to release exactly what is left */
        bool last = s->depth + 1 == s->wanted;
        int left = s->rho - have;
        if (m->released > left || (last && m->released != left) || (m->out && !s->leave_out) ||
            overlaps(s, m))
            continue;
        /* the search is bounded; the result says that it is not complete */
        if (s->out->tried == TRIES_MOST) {
            s->out->complete = false;
            return;
        }
        s->out->tried++;
        /* independent of what the others release */
        int now = have;
        if (!stack(s, s->Q, &now, m->K, m->released))
            continue;
        s->chosen[s->depth++] = m;
        /* enough rows: check them; else one more move */
        if (last)
            take(s);
        else
            extend(s, i + 1, to, now);
        s->depth--;
    }
}

/* One or two kinds of joints changed alike, in the order of the list; one kind and one joint
 * more. */
static void run_alike(search *s) {
    for (s->wanted = 1; s->wanted <= ALIKE_MOST; s->wanted++)
        extend(s, s->singles, s->moves, 0);
    /* one set and one joint more */
    s->wanted = 2;
    for (int i = s->singles; i < s->moves; i++) {
        int have = 0;
        if (s->move[i].released >= s->rho || s->move[i].out ||
            !stack(s, s->Q, &have, s->move[i].K, s->move[i].released))
            continue;
        s->chosen[s->depth++] = &s->move[i];
        extend(s, 0, s->singles, have);
        s->depth--;
    }
}

/* Single changes, and one more than the fewest that do: a ball and a cylinder instead of a ball in
 * a sleeve. */
static void run_singles(search *s) {
    int fewest = GDYN_CHANGES_MOST;
    s->hits = 0;
    for (s->wanted = 1; s->wanted <= fewest + 1 && s->wanted <= GDYN_CHANGES_MOST; s->wanted++) {
        extend(s, 0, s->singles, 0);
        if (s->hits > 0 && fewest == GDYN_CHANGES_MOST)
            fewest = s->wanted;
    }
}

/* Those alike were found first, so that many others do not crowd them out; they stand last. */
static gdyn_status order(gdyn_proposals *out) {
    gdyn_proposal *list = gdyn_alloc(GDYN_PROPOSALS_MOST, sizeof *list);
    if (!list)
        return GDYN_ERROR_MEMORY;
    /* two passes: single changes, then sets */
    for (int pass = 0, at = 0; pass < 2; pass++)
        for (int i = 0; i < out->count; i++)
            if (out->proposal[i].alike == (pass == 1))
                list[at++] = out->proposal[i];
    gdyn_free(out->proposal);
    out->proposal = list;
    out->fewest = out->count > 0 ? list[0].count : 0;
    return GDYN_OK;
}

/* C, its rank, and L. */
static gdyn_status prepare(search *s) {
    double misfit;
    s->C = matrix_at(s->model, s->state, &misfit);
    gdyn_qr *qr = gdyn_qr_create(s->rows > 0 ? s->rows : 1, s->n);
    gdyn_status status = s->C && qr ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* rank of C, how many rows are redundant, and the self-stresses: its left null space */
    if (status == GDYN_OK)
        status = gdyn_qr_factor(qr, s->rows, s->n, s->C, s->rows, 0);
    if (status == GDYN_OK) {
        s->rank = qr->rank.rank;
        s->rho = s->rows - s->rank;
        s->L = gdyn_arena_doubles(s->arena, (size_t)(s->rows * s->rho));
        s->Q = gdyn_arena_doubles(s->arena, (size_t)(s->rho * s->rho));
        status = gdyn_arena_failed(s->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
        if (status == GDYN_OK)
            gdyn_qr_null_transposed(qr, s->L, s->rows);
    }
    gdyn_qr_destroy(qr);
    return status;
}

/* Replacements of joints that make the machine exactly constrained. */
gdyn_status gdyn_proposals_find(const gdyn_state *state, gdyn_proposals *out) {
    const gdyn_model *model = gdyn_state_model(state);
    size_t joints = (size_t)gdyn_model_joints(model);
    search s = {.model = model, .state = state, .out = out};
    *out = (gdyn_proposals){.complete = true};
    s.rows = model->m + model->h, s.n = model->n;
    /* every option as a move, and two sets of each */
    s.room = 3 * GDYN_OPTIONS_MOST * (int)joints;
    s.arena = gdyn_arena_create();
    s.option = gdyn_arena_alloc(s.arena, joints * GDYN_OPTIONS_MOST, sizeof *s.option);
    s.move = gdyn_arena_alloc(s.arena, (size_t)s.room, sizeof *s.move);
    out->proposal = gdyn_alloc(GDYN_PROPOSALS_MOST, sizeof *out->proposal);
    bool room = !gdyn_arena_failed(s.arena) && out->proposal;
    gdyn_status status = room ? prepare(&s) : GDYN_ERROR_MEMORY;
    /* without redundancy there is nothing to propose */
    if (status == GDYN_OK) {
        out->rank = s.rank, out->mobility = s.n - s.rank, out->redundancy = s.rho;
        status = s.rho > 0 ? list_moves(&s) : GDYN_OK;
    }
    if (status == GDYN_OK && s.rho > 0) {
        /* Without leaving out joints, if that is possible. */
        run_alike(&s);
        run_singles(&s);
        s.leave_out = s.out->count == 0;
        if (s.leave_out)
            run_singles(&s);
        status = order(s.out);
    }
    gdyn_free(s.C);
    gdyn_arena_destroy(s.arena);
    return status;
}

void gdyn_proposals_free(gdyn_proposals *proposals) {
    gdyn_free(proposals->proposal);
    *proposals = (gdyn_proposals){0};
}
