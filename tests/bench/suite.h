/* suite.h - problems with published formulas on which search methods are compared.
 *
 *   minimize f(x) (m),  g(x) <= 0 (constraints),  box[j][0] <= x_j <= box[j][1]
 *
 * suite_re.c        RE and CRE, machine parts and structures (Tanabe, Ishibuchi 2020)
 * suite_wfg.c       WFG1 to 9 (Huband, Hingston, Barone, While 2006)
 * suite_zdt.c       ZDT moved into the box, rotated, and with linked variables
 * suite_dtlz.c      DTLZ1, 2 and 7 with four and five objectives
 * suite_many.c      four to fifteen objectives, in two halves, for tuning and for judging
 * suite_classics.c  constrained problems with two objectives and with one, whose optimum is known
 * suite_barriers.c  good regions among infeasible ones: LIR-CMOP, MW, CF, constrained DTLZ
 * suite_few.c       for few designs: heavy tails, failures, noise, 60 variables */
#ifndef SUITE_H
#define SUITE_H

#include "base/random.h"

#include <stdbool.h>

enum { SUITE_VARIABLES = 60, SUITE_OBJECTIVES = 15, SUITE_CONSTRAINTS = 16 };

typedef struct suite_problem suite_problem;
struct suite_problem {
    const char *name, *group;
    int n, m, constraints;
    const double (
        *box)[2]; /* boxes rows: lower and upper bound; variables beyond take the last row */
    int boxes;
    const char *whole; /* n characters, '1' for a whole variable; NULL: none */
    /* f (m) and g (constraints), g as shares of the limits; whole variables are whole. */
    void (*evaluate)(const suite_problem *problem, const double *x, double *f, double *g);
    int member;   /* of its family */
    double best;  /* one objective: the least value known; else 0 */
    int equality; /* so many constraints, the last ones, are |h| - 1e-4 <= 0 */
};

extern const suite_problem suite_re[], suite_wfg[], suite_zdt[], suite_dtlz[], suite_classics[],
    suite_barriers[], suite_few[], suite_many[];
extern const int suite_re_count, suite_wfg_count, suite_zdt_count, suite_dtlz_count,
    suite_classics_count, suite_barriers_count, suite_few_count, suite_many_count;
/* Noisy problems give their values without noise while it is set. */
extern bool suite_exact;

/* All problems, family after family; NULL beyond the last one. */
static inline const suite_problem *suite_at(int i) {
    const suite_problem *const family[] = {suite_re,       suite_wfg,      suite_zdt, suite_dtlz,
                                           suite_classics, suite_barriers, suite_few, suite_many};
    const int count[] = {suite_re_count,   suite_wfg_count,      suite_zdt_count,
                         suite_dtlz_count, suite_classics_count, suite_barriers_count,
                         suite_few_count,  suite_many_count};
    for (int k = 0; k < 8; i -= count[k++])
        if (i < count[k])
            return &family[k][i];
    return 0;
}

/* Position parameters of WFG, a multiple of m - 1. */
static inline int suite_wfg_position(int m) {
    return 4 % (m - 1) == 0 ? 4 : m - 1;
}

/* suite_many.c: whether a problem belongs to the half "many-tuning" or "many-judging". */
bool suite_many_in(const suite_problem *problem, const char *half);
/* A random design of the front (n); false: no formula is known. */
bool suite_many_best(const suite_problem *problem, gdyn_random *random, double *x);

static inline void suite_bounds(const suite_problem *p, double *lower, double *upper, bool *whole) {
    for (int j = 0; j < p->n; j++) {
        int row = j < p->boxes ? j : p->boxes - 1;
        lower[j] = p->box[row][0], upper[j] = p->box[row][1];
        whole[j] = p->whole && p->whole[j] == '1';
    }
}

#endif
