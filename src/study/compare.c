/* compare.c - studies of one problem against each other, by their fronts. */
#include "study/choose.h"

#include "base/memory.h"
#include "search/hypervolume.h"
#include "study/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Formulas are not compared: cases may state one criterion in different terms. */
bool gdyn_same_objectives(const gdyn_instance *a, const gdyn_instance *b) {
    bool same = a->objective_count == b->objective_count;
    for (int i = 0; same && i < a->objective_count; i++)
        same = strcmp(a->objective[i].name, b->objective[i].name) == 0 &&
               a->objective[i].maximize == b->objective[i].maximize;
    return same;
}

double *gdyn_front_objectives(const gdyn_study *study, const gdyn_archive *front) {
    /* Maximized objectives change their sign. */
    int m = gdyn_study_start(study)->objective_count;
    double *F = gdyn_alloc((size_t)front->count * (size_t)m + 1, sizeof *F);
    for (int i = 0; F && i < front->count; i++)
        for (int k = 0; k < m; k++)
            F[i * m + k] = gdyn_study_minimized(study, k, front->design[i]->objective[k]);
    return F;
}

gdyn_status gdyn_common_hypervolumes(int fronts, const int *count, const double *const *F, int m,
                                     double *volume) {
    /* Room for all members together, and for the largest front. */
    int total = 0, most = 1;
    for (int i = 0; i < fronts; i++) {
        total += count[i];
        most = count[i] > most ? count[i] : most;
    }
    double *all = gdyn_alloc((size_t)total * (size_t)m + 1, sizeof *all);
    double *reference = gdyn_alloc((size_t)m, sizeof *reference);
    gdyn_hypervolume *workspace = gdyn_hypervolume_create(most, m);
    bool ready = all && reference && workspace;
    /* All members of all fronts side by side. */
    for (int i = 0, at = 0; ready && i < fronts; at += count[i++] * m)
        memcpy(all + at, F[i], (size_t)count[i] * (size_t)m * sizeof *all);
    /* One reference point for all: that of their union. */
    for (int k = 0; ready && total > 0 && k < m; k++)
        reference[k] = gdyn_hypervolume_reference(all, total, m, k, NULL);
    /* Each front by itself against it. */
    for (int i = 0; ready && i < fronts; i++)
        volume[i] = count[i] > 0 ? gdyn_hypervolume_measure(workspace, F[i], count[i], reference,
                                                            GDYN_SAMPLES)
                                 : 0.0;
    gdyn_hypervolume_destroy(workspace);
    gdyn_free(all), gdyn_free(reference);
    return ready ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Hypervolumes of the members of a group; the arrays have room for all of them. */
static gdyn_status measure_group(int fronts, gdyn_grouped_front *front, int group, int *count,
                                 const double **F, double *volume) {
    int members = 0, m = 0;
    /* Gather the members of the group. */
    for (int i = 0; i < fronts; i++)
        if (front[i].group == group) {
            m = front[i].m;
            count[members] = front[i].count;
            F[members++] = front[i].F;
        }
    gdyn_status status = gdyn_common_hypervolumes(members, count, F, m, volume);
    /* Hand the volumes back in the same order. */
    for (int i = 0, at = 0; status == GDYN_OK && i < fronts; i++)
        if (front[i].group == group)
            front[i].volume = volume[at++];
    return status;
}

int gdyn_group_fronts(int fronts, gdyn_grouped_front *front) {
    size_t room = (size_t)fronts + 1;
    int *count = gdyn_alloc(room, sizeof *count);
    const double **F = gdyn_alloc(room, sizeof *F);
    double *volume = gdyn_alloc(room, sizeof *volume);
    /* fronts with the same goals make a group */
    int groups = 0;
    for (int i = 0; i < fronts; i++) {
        gdyn_grouped_front *f = &front[i];
        f->group = -1;
        if (!f->goals || f->m == 0)
            continue;
        for (int k = 0; k < i && f->group < 0; k++)
            if (front[k].group >= 0 && strcmp(front[k].goals, f->goals) == 0)
                f->group = front[k].group;
        if (f->group < 0)
            f->group = groups++;
    }
    gdyn_status status = count && F && volume ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < groups && status == GDYN_OK; i++)
        status = measure_group(fronts, front, i, count, F, volume);
    gdyn_free(count), gdyn_free(F), gdyn_free(volume);
    return status == GDYN_OK ? groups : -1;
}

char *gdyn_study_goals(const gdyn_study *study) {
    const gdyn_instance *start = gdyn_study_start(study);
    gdyn_text text = {0};
    gdyn_text_printf(&text, " ");
    /* "maximize area circle.area;", in the order of the case. */
    for (int i = 0; i < start->objective_count; i++)
        gdyn_text_printf(&text, "%s %s %s;", start->objective[i].maximize ? "maximize" : "minimize",
                         start->objective[i].name, start->objective[i].text);
    if (text.failed)
        gdyn_text_free(&text);
    return text.data;
}

bool gdyn_covers(const double *a, const double *b, int m) {
    for (int k = 0; k < m; k++)
        if (a[k] > b[k])
            return false;
    return true;
}

double gdyn_coverage(const double *A, int a, const double *B, int b, int m) {
    int count = 0;
    for (int i = 0; i < b; i++) {
        bool covered = false;
        for (int j = 0; j < a && !covered; j++)
            covered = gdyn_covers(A + j * m, B + i * m, m);
        count += covered;
    }
    return b > 0 ? (double)count / b : 0;
}

/* --- groups of runs --------------------------------------------------------------------------- */

double gdyn_quantile(const double *value, int count, double share) {
    double at = share * (count - 1);
    int low = (int)at;
    /* Equal neighbours may be infinite. */
    return low + 1 < count && value[low] < value[low + 1] && at > low
               ? value[low] + (at - low) * (value[low + 1] - value[low])
               : value[low];
}

/* The test is that of permutations: all choices of n of the N pooled values as the first sample are
 * equally likely. ways[i * most + t] counts those of i values whose doubled midranks have the sum
 * t, value by value (Streitberg, Roehmel 1986); without ties this is Mann and Whitney's recurrence.
 * Sums are integers, so ties need no approximation. */
double gdyn_rank_test(const double *a, int na, const double *b, int nb, double *larger) {
    int n = na + nb, top = 2 * na * n, t = 0, reach = 0, mean = na * (n + 1);
    size_t most = (size_t)top + 1;
    double *ways = gdyn_alloc((size_t)(na + 1) * most, sizeof *ways), far = 0, all = 0;
    if (!ways)
        return NAN;
    ways[0] = 1;
    for (int k = 0; k < n; k++) {
        double value = k < na ? a[k] : b[k - na];
        int rank = 1;
        for (int j = 0; j < n; j++) {
            double other = j < na ? a[j] : b[j - na];
            rank += other < value ? 2 : other == value;
        }
        t += k < na ? rank : 0;
        reach = reach + rank < top ? reach + rank : top;
        for (int i = k < na ? k + 1 : na; i > 0; i--)
            for (int v = reach; v >= rank; v--)
                ways[(size_t)i * most + (size_t)v] +=
                    ways[(size_t)(i - 1) * most + (size_t)(v - rank)];
    }
    for (int v = 0; v <= top; v++) {
        double found = ways[(size_t)na * most + (size_t)v];
        all += found;
        far += abs(v - mean) >= abs(t - mean) ? found : 0;
    }
    gdyn_free(ways);
    if (larger)
        *larger = (t - na * (na + 1)) / (2.0 * na * nb);
    return far / all;
}

void gdyn_holm(int count, double *p) {
    /* The smallest first: each is multiplied by the number of those not yet done. */
    double last = 0;
    for (int done = 0; done < count; done++) {
        int next = -1;
        for (int i = 0; i < count; i++)
            next = p[i] >= 0 && (next < 0 || p[i] < p[next]) ? i : next;
        last = fmax(last, fmin(1, (count - done) * p[next]));
        p[next] = -last - 1; /* done */
    }
    for (int i = 0; i < count; i++)
        p[i] = -p[i] - 1;
}

gdyn_status gdyn_compare_groups(gdyn_run_comparison *c) {
    double(*value)[GDYN_RANK_TEST_MOST] = gdyn_alloc((size_t)c->groups, sizeof *value);
    double *p = gdyn_alloc((size_t)c->groups * (size_t)c->groups, sizeof *p);
    gdyn_status status = value && p ? GDYN_OK : GDYN_ERROR_MEMORY;
    c->tests = 0;
    for (int i = 0; status == GDYN_OK && i < c->groups; i++) {
        gdyn_run_group *g = &c->group[i];
        qsort(g->run, (size_t)g->count, sizeof *g->run, gdyn_ascending);
        for (int k = 0; k < g->count; k++)
            value[i][k] = g->run[k].value;
        g->low = gdyn_quantile(value[i], g->count, 0.25);
        g->median = gdyn_quantile(value[i], g->count, 0.5);
        g->high = gdyn_quantile(value[i], g->count, 0.75);
        for (int k = 0; status == GDYN_OK && k < i; k++) {
            gdyn_run_test *t = &c->test[c->tests];
            *t = (gdyn_run_test){.a = k, .b = i};
            t->p = gdyn_rank_test(value[k], c->group[k].count, value[i], g->count, &t->ahead);
            p[c->tests++] = t->p;
            status = isnan(t->p) ? GDYN_ERROR_MEMORY : GDYN_OK;
        }
    }
    if (status == GDYN_OK)
        gdyn_holm(c->tests, p);
    for (int i = 0; status == GDYN_OK && i < c->tests; i++)
        c->test[i].holm = p[i];
    gdyn_free(value), gdyn_free(p);
    return status;
}

/* --- how a search gained hypervolume: that of all designs so far at the end of each
 * generation, all against the last reference point, so that volumes compare from end to end. (The
 * search's own history measures its population against a reference point that may move.)
 *
 * Feasible designs are taken in the order of their numbers; those that an earlier one dominates or
 * equals add nothing, and those that a later one dominates are dropped, so that what is measured is
 * always a front. */

enum { MEASURED_MOST = 200 };

typedef struct curve {
    int m, count;
    double *F;         /* m x count: the front so far, minimized */
    double *f;         /* m: a design */
    double *reference; /* m, minimized */
    gdyn_hypervolume *volume;
} curve;

static void insert(curve *c, const double *f) {
    size_t m = (size_t)c->m;
    int kept = 0;
    /* Dominated by the front so far: nothing is gained. */
    for (int i = 0; i < c->count; i++)
        if (gdyn_covers(c->F + (size_t)i * m, f, c->m))
            return;
    /* Drop what the new design dominates, keep the order of the rest. */
    for (int i = 0; i < c->count; i++)
        if (!gdyn_covers(f, c->F + (size_t)i * m, c->m))
            memmove(c->F + (size_t)kept++ * m, c->F + (size_t)i * m, m * sizeof *c->F);
    memcpy(c->F + (size_t)kept * m, f, m * sizeof *c->F);
    c->count = kept + 1;
}

/* A point for some of the generations, the last one among them: their volumes, or (`curve` NULL)
 * the best value of the first objective. Their number. */
static int walk_history(const gdyn_study *study, const gdyn_study_result *result, curve *c,
                        gdyn_volume_point *point) {
    const gdyn_archive *archive = &result->archive;
    int points = 0, next = 0, step = 1 + (result->history_count - 1) / MEASURED_MOST;
    double best = NAN;
    for (int i = (result->history_count - 1) % step; i < result->history_count; i += step) {
        long evaluations = result->history[i].evaluations;
        /* Designs that came before it. */
        for (; next < archive->count && archive->design[next]->serial < evaluations; next++) {
            const gdyn_design *d = archive->design[next];
            if (d->status != GDYN_DESIGN_OK)
                continue;
            best = fmin(best, gdyn_study_minimized(study, 0, d->objective[0]));
            for (int k = 0; c && k < c->m; k++)
                c->f[k] = gdyn_study_minimized(study, k, d->objective[k]);
            if (c)
                insert(c, c->f);
        }
        if (!isnan(best))
            point[points++] =
                (gdyn_volume_point){evaluations,
                                    c ? gdyn_hypervolume_of(c->volume, c->F, c->count, c->reference)
                                      : gdyn_study_minimized(study, 0, best),
                                    false};
    }
    return points;
}

/* Volumes of all designs so far; 0: too costly, nothing feasible, -1: no memory. */
static int of_all_designs(const gdyn_study *study, const gdyn_study_result *result,
                          gdyn_volume_point **point) {
    int count = result->archive.count, points = -1;
    curve c = {.m = gdyn_study_start(study)->objective_count};
    size_t m = (size_t)c.m;
    *point = NULL;
    /* Hypervolumes of many objectives take too long. */
    if (!result->reference || !gdyn_hypervolume_affordable(result->front.count, c.m))
        return 0;
    gdyn_arena *arena = gdyn_arena_create();
    *point = gdyn_alloc((size_t)result->history_count, sizeof **point);
    c.F = gdyn_arena_doubles(arena, (size_t)count * m + 1);
    c.f = gdyn_arena_doubles(arena, m), c.reference = gdyn_arena_doubles(arena, m);
    c.volume = gdyn_hypervolume_create(count, c.m);
    if (*point && !gdyn_arena_failed(arena) && c.volume) {
        for (int k = 0; k < c.m; k++)
            c.reference[k] = gdyn_study_minimized(study, k, result->reference[k]);
        points = walk_history(study, result, &c, *point);
    }
    gdyn_hypervolume_destroy(c.volume);
    gdyn_arena_destroy(arena);
    return points;
}

int gdyn_volume_curve(const gdyn_study *study, const gdyn_study_result *result,
                      gdyn_volume_point **point, bool *of_population) {
    int count = of_all_designs(study, result, point);
    *of_population = count == 0;
    if (count == 0) {
        gdyn_free(*point);
        *point = gdyn_alloc((size_t)result->history_count, sizeof **point);
        for (int i = 0; *point && i < result->history_count; i++) {
            const gdyn_generation *g = &result->history[i];
            (*point)[i] = (gdyn_volume_point){g->evaluations, g->hypervolume, g->moved && i > 0};
        }
        count = *point ? result->history_count : -1;
    }
    return count;
}

int gdyn_best_curve(const gdyn_study *study, const gdyn_study_result *result,
                    gdyn_volume_point **point) {
    *point = gdyn_alloc((size_t)result->history_count + 1, sizeof **point);
    return *point ? walk_history(study, result, NULL, *point) : -1;
}
