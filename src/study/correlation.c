/* correlation.c - which design variables go with which objectives, by ranks over the feasible
 * designs. */
#include "study/sweep.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct ranked {
    double value;
    int place;
} ranked;

/* Equal values keep the order of their places, so that sorting does not depend on the library. */
static int by_value(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->place > y->place) - (x->place < y->place);
}

/* Values of a variable, or of an objective, over the feasible designs; their number. */
static int values(const gdyn_archive *archive, bool variable, int index, double *out) {
    int count = 0;
    for (int i = 0; i < archive->count; i++) {
        const gdyn_design *d = archive->design[i];
        if (d->status == GDYN_DESIGN_OK)
            out[count++] = variable ? d->x[index] : d->objective[index];
    }
    return count;
}

/* Values become their ranks, equal ones their mean rank. */
static void rank(int count, double *value, ranked *work) {
    for (int i = 0; i < count; i++)
        work[i] = (ranked){value[i], i};
    qsort(work, (size_t)count, sizeof *work, by_value);
    /* Runs of equal values share the mean of their positions, which count from 0. */
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && work[end].value == work[i].value;)
            end++;
        for (int j = i; j < end; j++)
            value[work[j].place] = 0.5 * (i + end - 1);
    }
}

/* Pearson's correlation of ranks; 0 where one of them is constant. */
static double correlation(const double *a, const double *b, int count) {
    /* The mean of the ranks 0 .. count - 1, ties or not. */
    double mean = 0.5 * (count - 1), ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; i++) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Ranks of the objective against the choice (an index) of each design. */
static double ratio(const double *choice, int choices, const double *f, int count) {
    /* Correlation ratio eta = sqrt(variance between the choices / total variance). */
    double mean = 0.5 * (count - 1), between = 0, total = 0;
    for (int c = 0; c < choices; c++) {
        double sum = 0;
        int members = 0;
        for (int i = 0; i < count; i++)
            if ((int)lround(choice[i]) == c) {
                sum += f[i] - mean;
                members++;
            }
        between += members > 0 ? sum * sum / members : 0;
    }
    /* The total sum of squares; with ties it is less than that of distinct ranks. */
    for (int i = 0; i < count; i++)
        total += (f[i] - mean) * (f[i] - mean);
    return total > 0 ? sqrt(fmin(between / total, 1)) : 0;
}

bool gdyn_variable_unordered(const gdyn_study *study, int variable) {
    return gdyn_study_start(study)->design[variable].kind == GDYN_DESIGN_TABLE;
}

gdyn_status gdyn_correlations(const gdyn_study *study, const gdyn_archive *archive, int objectives,
                              double *rho) {
    const gdyn_instance *start = gdyn_study_start(study);
    size_t most = (size_t)archive->count + 1;
    ranked *work = gdyn_alloc(most, sizeof *work);
    double *x = gdyn_alloc(most, sizeof *x), *f = gdyn_alloc(most * (size_t)objectives, sizeof *f);
    bool good = work && x && f;
    /* Ranks of every objective, once. */
    for (int k = 0; good && k < objectives; k++)
        rank(values(archive, false, k, f + (size_t)k * most), f + (size_t)k * most, work);
    /* Each variable against all of them; choices without an order by their means. */
    for (int v = 0; good && v < start->design_count; v++) {
        bool unordered = gdyn_variable_unordered(study, v);
        int count = values(archive, true, v, x);
        if (!unordered)
            rank(count, x, work);
        for (int k = 0; k < objectives; k++) {
            const double *ranks = f + (size_t)k * most;
            rho[v * objectives + k] = unordered ? ratio(x, start->design[v].choices, ranks, count)
                                                : correlation(x, ranks, count);
        }
    }
    gdyn_free(work), gdyn_free(x), gdyn_free(f);
    return good ? GDYN_OK : GDYN_ERROR_MEMORY;
}
