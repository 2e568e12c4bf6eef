/* compare.c - studies of one problem against each other, by their fronts. */
#include "study/compare.h"

#include "base/memory.h"
#include "search/hypervolume.h"
#include "study/internal.h"

#include <string.h>

bool gdyn_same_objectives(const gdyn_instance *a, const gdyn_instance *b) {
    bool same = a->objective_count == b->objective_count;
    for (int i = 0; same && i < a->objective_count; i++)
        same = strcmp(a->objective[i].name, b->objective[i].name) == 0 &&
               a->objective[i].maximize == b->objective[i].maximize;
    return same;
}

double *gdyn_front_objectives(const gdyn_study *study, const gdyn_archive *front) {
    int m = gdyn_study_start(study)->objective_count;
    double *F = gdyn_alloc((size_t)front->count * (size_t)m + 1, sizeof *F);
    for (int i = 0; F && i < front->count; i++)
        for (int k = 0; k < m; k++)
            F[i * m + k] = gdyn_study_minimized(study, k, front->design[i]->objective[k]);
    return F;
}

/* All members of all fronts side by side. */
static void join(int fronts, const int *count, const double *const *F, int m, double *all) {
    for (int i = 0; i < fronts; i++) {
        memcpy(all, F[i], (size_t)count[i] * (size_t)m * sizeof *all);
        all += count[i] * m;
    }
}

gdyn_status gdyn_common_hypervolumes(int fronts, const int *count, const double *const *F, int m,
                                     double *volume) {
    int total = 0, most = 1;
    for (int i = 0; i < fronts; i++) {
        total += count[i];
        most = count[i] > most ? count[i] : most;
    }
    double *all = gdyn_alloc((size_t)total * (size_t)m + 1, sizeof *all);
    double *reference = gdyn_alloc((size_t)m, sizeof *reference);
    gdyn_hypervolume *workspace = gdyn_hypervolume_create(most, m);
    bool ready = all && reference && workspace;
    if (ready)
        join(fronts, count, F, m, all);
    for (int k = 0; ready && total > 0 && k < m; k++)
        reference[k] = gdyn_hypervolume_reference(all, total, m, k, NULL);
    for (int i = 0; ready && i < fronts; i++)
        volume[i] = count[i] > 0 ? gdyn_hypervolume_of(workspace, F[i], count[i], reference) : 0.0;
    gdyn_hypervolume_destroy(workspace);
    gdyn_free(all);
    gdyn_free(reference);
    return ready ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static bool covers(const double *a, const double *b, int m) {
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
            covered = covers(A + j * m, B + i * m, m);
        count += covered;
    }
    return b > 0 ? (double)count / b : 0;
}
