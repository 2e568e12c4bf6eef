/* suite_dtlz.c - DTLZ1, 2 and 7 (Deb, Thiele, Laumanns, Zitzler 2002) with four and five objectives, and the numbers of
 * variables advised there. */
#include "suite.h"

#include "../unit/dtlz.h"

static void evaluate(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    if (p->member == 1)
        dtlz1_of(p->n, p->m, x, f);
    else if (p->member == 2)
        dtlz2_of(p->n, p->m, x, f);
    else
        dtlz7_of(p->n, p->m, x, f);
}

static const double unit_box[][2] = {{0, 1}};

const suite_problem suite_dtlz[] = {
    {"DTLZ1-4", "DTLZ", 8, 4, 0, unit_box, 1, 0, evaluate, 1, 0, 0},
    {"DTLZ1-5", "DTLZ", 9, 5, 0, unit_box, 1, 0, evaluate, 1, 0, 0},
    {"DTLZ2-4", "DTLZ", 13, 4, 0, unit_box, 1, 0, evaluate, 2, 0, 0},
    {"DTLZ2-5", "DTLZ", 14, 5, 0, unit_box, 1, 0, evaluate, 2, 0, 0},
    {"DTLZ7-4", "DTLZ", 23, 4, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
    {"DTLZ7-5", "DTLZ", 24, 5, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
};
const int suite_dtlz_count = sizeof suite_dtlz / sizeof *suite_dtlz;
