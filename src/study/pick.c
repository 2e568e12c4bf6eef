/* pick.c - one design chosen from a front, and why; the best designs of a front with their regions
 * along a trajectory. */
#include "study/choose.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "study/internal.h"

#include <math.h>
#include <string.h>

static const double TIE = 1e-3; /* weight of the sum of losses */

const char *gdyn_pick_rule_name(gdyn_pick_rule rule) {
    static const char *const names[] = {"balance", "knee", "weights", "target"};
    return names[rule];
}

/* --- losses ----------------------------------------------------------------------------------- */

static double minimized(const gdyn_pick *p, int k, int candidate) {
    return gdyn_study_minimized(p->study, k, p->front.front.design[candidate]->objective[k]);
}

/* Best and worst values, and where between them each candidate lies. */
static gdyn_status find_losses(gdyn_pick *p) {
    int count = p->front.front.count, m = p->objectives;
    p->arena = gdyn_arena_create();
    p->best = gdyn_arena_doubles(p->arena, (size_t)m);
    p->worst = gdyn_arena_doubles(p->arena, (size_t)m);
    p->loss = gdyn_arena_doubles(p->arena, (size_t)m * (size_t)count);
    p->neighbour = gdyn_arena_alloc(p->arena, (size_t)m, sizeof *p->neighbour);
    if (gdyn_arena_failed(p->arena))
        return GDYN_ERROR_MEMORY;
    for (int k = 0; k < m; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) {
            low = fmin(low, minimized(p, k, i));
            high = fmax(high, minimized(p, k, i));
        }
        for (int i = 0; i < count; i++)
            p->loss[i * m + k] = high > low ? (minimized(p, k, i) - low) / (high - low) : 0;
        p->best[k] = gdyn_study_minimized(p->study, k, low);
        p->worst[k] = gdyn_study_minimized(p->study, k, high);
    }
    return GDYN_OK;
}

/* The largest loss, each times its weight (NULL: 1), and a little of the sum. */
static double weighted_loss(const gdyn_pick *p, const double *weight, int candidate) {
    const double *loss = p->loss + candidate * p->objectives;
    double worst = 0, sum = 0;
    for (int k = 0; k < p->objectives; k++) {
        double l = weight ? weight[k] * loss[k] : loss[k];
        worst = fmax(worst, l);
        sum += l / p->objectives;
    }
    /* An objective without weight decides between equals. */
    for (int k = 0; weight && k < p->objectives; k++)
        sum += TIE * loss[k] / p->objectives;
    return worst + TIE * sum;
}

static int least_weighted(const gdyn_pick *p, const double *weight) {
    int best = 0;
    for (int i = 1; i < p->front.front.count; i++)
        if (weighted_loss(p, weight, i) < weighted_loss(p, weight, best))
            best = i;
    return best;
}

/* --- the knee --------------------------------------------------------------------------------- */

/* The best candidate in an objective; of several the one with the smallest losses in sum. */
static int best_in(const gdyn_pick *p, int k) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < p->front.front.count; i++) {
        double sum = 0;
        for (int j = 0; j < p->objectives; j++)
            sum += p->loss[i * p->objectives + j];
        if (p->loss[i * p->objectives + k] == 0 && sum < least)
            least = sum, best = i;
    }
    return best;
}

/* n . l = 1 is the plane through the best candidates, n > 0; false: there is no such plane. */
static bool find_plane(const gdyn_pick *p, double *A, int *pivot, double *n) {
    int m = p->objectives;
    for (int k = 0; k < m; k++) {
        const double *loss = p->loss + best_in(p, k) * m;
        for (int j = 0; j < m; j++)
            A[j * m + k] = loss[j]; /* row k */
        n[k] = 1;
    }
    if (gdyn_dense_factor(m, A, pivot) != GDYN_OK)
        return false;
    gdyn_dense_solve(m, A, pivot, 1, n);
    for (int k = 0; k < m; k++)
        if (!(n[k] > 1e-6) || !isfinite(n[k]))
            return false;
    return true;
}

/* The candidate farthest below the plane n . l = right, and how far. */
static void find_farthest(gdyn_pick *p, const double *n, double right) {
    double norm = 0;
    for (int k = 0; k < p->objectives; k++)
        norm += n[k] * n[k];
    p->score = 1e-12; /* rounding is no knee */
    for (int i = 0; i < p->front.front.count; i++) {
        double below = right;
        for (int k = 0; k < p->objectives; k++)
            below -= n[k] * p->loss[i * p->objectives + k];
        below /= sqrt(norm);
        if (below > p->score)
            p->score = below, p->choice = i;
    }
}

/* Below the plane through the best candidates; where they span none, below that of equal losses. */
static gdyn_status find_knee(gdyn_pick *p) {
    size_t m = (size_t)p->objectives;
    gdyn_arena *arena = gdyn_arena_create();
    double *A = gdyn_arena_doubles(arena, m * m), *n = gdyn_arena_doubles(arena, m), right = 1;
    int *pivot = gdyn_arena_alloc(arena, m, sizeof *pivot);
    gdyn_status status = gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    if (status == GDYN_OK && !find_plane(p, A, pivot, n)) {
        for (size_t k = 0; k < m; k++)
            n[k] = 1;
        /* the largest sum of losses among the best candidates of each objective */
        right = 0;
        for (int k = 0; k < p->objectives; k++) {
            double sum = 0;
            for (int j = 0; j < p->objectives; j++)
                sum += p->loss[best_in(p, k) * p->objectives + j];
            right = fmax(right, sum);
        }
    }
    if (status == GDYN_OK)
        find_farthest(p, n, right);
    gdyn_arena_destroy(arena);
    return status;
}

/* --- targets ---------------------------------------------------------------------------------- */

/* The largest shortfall, as a share of the ranges; 0: all targets are reached. */
static double shortfall(const gdyn_pick *p, const double *target, int candidate) {
    double worst = 0;
    for (int k = 0; k < p->objectives; k++) {
        if (isnan(target[k]))
            continue;
        double range = fabs(p->worst[k] - p->best[k]);
        double wanted = gdyn_study_minimized(p->study, k, target[k]);
        double missing = minimized(p, k, candidate) - wanted;
        worst = fmax(worst, range > 0 ? missing / range : missing / (1 + fabs(wanted)));
    }
    return worst;
}

/* --- the choice ------------------------------------------------------------------------------- */

static gdyn_status choose(gdyn_pick *p, const gdyn_pick_wish *wish) {
    gdyn_status status = GDYN_OK;
    p->rule = wish->rule;
    if (wish->rule == GDYN_PICK_TARGETS) {
        double least = INFINITY;
        for (int i = 0; i < p->front.front.count; i++) {
            double missing = shortfall(p, wish->target, i), loss = weighted_loss(p, NULL, i);
            if (missing < p->score || p->choice < 0 || (missing == p->score && loss < least))
                p->choice = i, p->score = missing, least = loss;
        }
    } else if (wish->rule == GDYN_PICK_KNEE && p->objectives > 1)
        status = find_knee(p);
    if (p->choice >= 0 || status != GDYN_OK)
        return status;
    /* No knee. */
    if (p->rule == GDYN_PICK_KNEE)
        p->rule = GDYN_PICK_BALANCE;
    const double *weight = p->rule == GDYN_PICK_WEIGHTS ? wish->weight : NULL;
    p->choice = least_weighted(p, weight);
    p->score = 0;
    for (int k = 0; k < p->objectives; k++)
        p->score =
            fmax(p->score, (weight ? weight[k] : 1) * p->loss[p->choice * p->objectives + k]);
    return GDYN_OK;
}

static double distance_between(const gdyn_pick *p, int a, int b) {
    double sum = 0;
    for (int k = 0; k < p->objectives; k++) {
        double d = p->loss[a * p->objectives + k] - (b < 0 ? 0 : p->loss[b * p->objectives + k]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Losses that differ by less than this are no trade. */
static const double TRADE = 0.01;

/* The nearest candidate whose loss in objective k is less by more than `gain`; -1: none. */
static int nearest_better(const gdyn_pick *p, int k, double gain) {
    int nearest = -1;
    for (int i = 0; i < p->front.front.count; i++)
        if (p->loss[p->choice * p->objectives + k] - p->loss[i * p->objectives + k] > gain &&
            (nearest < 0 ||
             distance_between(p, p->choice, i) < distance_between(p, p->choice, nearest)))
            nearest = i;
    return nearest;
}

gdyn_status gdyn_pick_make(gdyn_pick *p, const gdyn_study *study, const gdyn_archive *archive,
                           const gdyn_pick_wish *wish) {
    *p = (gdyn_pick){
        .study = study, .objectives = gdyn_study_start(study)->objective_count, .choice = -1};
    for (int i = 0; i < archive->count; i++)
        p->feasible += archive->design[i]->status == GDYN_DESIGN_OK;
    p->front.archive = *archive;
    gdyn_status status = gdyn_study_find_front(study, NULL, &p->front);
    if (status != GDYN_OK || p->front.front.count == 0)
        return status;
    status = find_losses(p);
    if (status == GDYN_OK)
        status = choose(p, wish);
    if (status != GDYN_OK)
        return status;
    p->distance = distance_between(p, p->choice, -1);
    for (int k = 0; k < p->objectives; k++) {
        p->neighbour[k] = nearest_better(p, k, TRADE);
        if (p->neighbour[k] < 0)
            p->neighbour[k] = nearest_better(p, k, 0);
    }
    return GDYN_OK;
}

void gdyn_pick_clear(gdyn_pick *p) {
    p->front.archive = (gdyn_archive){0};
    gdyn_study_result_clear(&p->front);
    gdyn_arena_destroy(p->arena);
    *p = (gdyn_pick){0};
}

/* --- the best designs of a front -------------------------------------------------------------- */

const gdyn_design *gdyn_front_best(const gdyn_study *study, const gdyn_archive *front,
                                   int objective) {
    const gdyn_design *best = front->design[0];
    for (int i = 1; i < front->count; i++)
        if (gdyn_study_minimized(study, objective, front->design[i]->objective[objective]) <
            gdyn_study_minimized(study, objective, best->objective[objective]))
            best = front->design[i];
    return best;
}

/* The entry of a design, a new one unless it is there. */
static gdyn_best_design *entry_of(gdyn_best_designs *best, const gdyn_design *design) {
    for (int i = 0; i < best->count; i++)
        if (best->list[i].design->serial == design->serial)
            return &best->list[i];
    best->list[best->count] = (gdyn_best_design){.design = design};
    return &best->list[best->count++];
}

gdyn_status gdyn_best_designs_choose(gdyn_best_designs *best, const gdyn_study *study,
                                     const gdyn_study_result *result) {
    const gdyn_archive *front = &result->front;
    int objectives = gdyn_study_start(study)->objective_count;
    *best = (gdyn_best_designs){.study = study};
    /* The start design comes first; a replay without it begins with its first design. */
    const gdyn_design *start = gdyn_archive_find(&result->archive, 0);
    entry_of(best, start ? start : result->archive.design[0])->start = true;
    for (int k = 0; k < objectives && k < GDYN_BEST_OBJECTIVES; k++)
        entry_of(best, gdyn_front_best(study, front, k))->best[k] = true;
    /* Of two designs, or along one objective, no compromise is left to choose. */
    if (front->count > 2 && objectives > 1) {
        gdyn_pick p = {.study = study, .objectives = objectives, .front.front = *front};
        if (find_losses(&p) == GDYN_OK)
            entry_of(best, front->design[least_weighted(&p, NULL)])->balanced = true;
        bool failed = gdyn_arena_failed(p.arena);
        gdyn_arena_destroy(p.arena);
        if (failed)
            return GDYN_ERROR_MEMORY;
    }
    /* A design without a machine (invalid geometry) stays in the list without regions. */
    for (int i = 0; i < best->count; i++) {
        gdyn_best_design *b = &best->list[i];
        if (gdyn_study_instance(study, b->design->x, NULL, &b->instance) == GDYN_ERROR_MEMORY)
            return GDYN_ERROR_MEMORY;
    }
    return GDYN_OK;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* A design that cannot be followed is left without regions. */
static gdyn_status follow(gdyn_best_design *b, int trajectory) {
    /* No machine, or no such trajectory of this design. */
    if (!b->instance || trajectory >= b->instance->trajectory_count)
        return GDYN_OK;
    gdyn_status status = gdyn_trajectory_open(&b->t, b->instance, trajectory, NULL);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    b->t.settings.local = false;
    status = gdyn_trajectory_take(&b->t, GDYN_PASS_REGIONS);
    if (status != GDYN_OK)
        return status;
    /* The common region is meaningful only where every point has one. */
    const double *value = b->t.criteria.value;
    b->reach = value[GDYN_CRITERION_REACH], b->area = value[GDYN_CRITERION_AREA];
    if (b->reach >= 1 && value[GDYN_CRITERION_EMPTY] == 0)
        b->region[0] = b->t.common;
    return GDYN_OK;
}

/* Whether region a is smaller than b: by area, and among unbounded ones by what is left at rest. */
static bool smaller(const gdyn_region *a, const gdyn_region *b) {
    if (isfinite(a->area) || isfinite(b->area))
        return a->area < b->area;
    return a->rest && (!b->rest || a->rest_max - a->rest_min < b->rest_max - b->rest_min);
}

/* The design's region at p: its own points may be others than those of the design that p was chosen
 * for. */
static gdyn_status take_place(gdyn_best_design *b, double p) {
    gdyn_probed found = {.status = GDYN_POINT_UNASSEMBLED};
    if (!b->t.evaluation)
        return GDYN_OK;
    gdyn_status status = gdyn_trajectory_probe(&b->t, p, &found);
    /* Beyond the range of p, which may follow from the design, there is none. */
    if (status == GDYN_OK && found.status == GDYN_POINT_OK)
        b->region[1] = found.region;
    return status == GDYN_ERROR_ARGUMENT ? GDYN_OK : status;
}

static void forget(gdyn_best_designs *best) {
    for (int i = 0; i < best->count; i++) {
        gdyn_best_design *b = &best->list[i];
        gdyn_trajectory_close(&b->t);
        b->region[0] = b->region[1] = NULL, b->reach = b->area = 0;
    }
}

gdyn_status gdyn_best_designs_follow(gdyn_best_designs *best, int trajectory) {
    gdyn_status status = GDYN_OK;
    int point = -1;
    forget(best);
    /* All designs follow the trajectory. */
    for (int i = 0; i < best->count && status == GDYN_OK; i++)
        status = follow(&best->list[i], trajectory);
    /* The place is that of the first design that has a region anywhere. */
    best->p = NAN;
    for (int i = 0; i < best->count && status == GDYN_OK && point < 0; i++) {
        const gdyn_region_points *along = &best->list[i].t.along;
        for (int k = 0; k < along->points; k++)
            if (along->region[k]->island_count > 0 &&
                (point < 0 || smaller(along->region[k], along->region[point])))
                point = k;
        best->smallest = i;
    }
    if (point >= 0)
        best->p = best->list[best->smallest].t.along.p[point];
    for (int i = 0; i < best->count && status == GDYN_OK && point >= 0; i++)
        status = take_place(&best->list[i], best->p);
    return status;
}

void gdyn_best_designs_free(gdyn_best_designs *best) {
    forget(best);
    for (int i = 0; i < best->count; i++)
        gdyn_instance_destroy(best->list[i].instance);
    *best = (gdyn_best_designs){0};
}
