/* nlopt_problems.h - constraints one by one, points of known fronts, batches told in any order. */
#ifndef NLOPT_PROBLEMS_H
#define NLOPT_PROBLEMS_H

#include "search_problems.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTRAINTS = 2, FRONT_POINTS = 200 };

/* g <= 0 of BNH, SRN, TNK and CONSTR, scaled as their violations are; false: the problem has none.
 */
static inline bool single_values(const char *name, const double *x, double *g) {
    double a = x[0], b = x[1];
    if (strcmp(name, "BNH") == 0) {
        g[0] = ((a - 5) * (a - 5) + b * b - 25) / 25;
        g[1] = (7.7 - (a - 8) * (a - 8) - (b + 3) * (b + 3)) / 7.7;
    } else if (strcmp(name, "SRN") == 0) {
        g[0] = (a * a + b * b - 225) / 225;
        g[1] = (a - 3 * b + 10) / 10;
    } else if (strcmp(name, "TNK") == 0) {
        g[0] = 1 + 0.1 * cos(16 * atan2(a, b)) - a * a - b * b;
        g[1] = (a - 0.5) * (a - 0.5) + (b - 0.5) * (b - 0.5) - 0.5;
    } else if (strcmp(name, "CONSTR") == 0) {
        g[0] = 6 - b - 9 * a;
        g[1] = 1 + b - 9 * a;
    } else {
        return false;
    }
    return true;
}

static inline gdyn_status create_with(const problem *p, bool detailed,
                                      const gdyn_search_options *options, gdyn_search **search) {
    double lower[PROBLEM_VARIABLES], upper[PROBLEM_VARIABLES], g[CONSTRAINTS];
    p->bounds(p->n, lower, upper);
    gdyn_search_problem definition = {
        .variables = p->n, .objectives = p->m, .lower = lower, .upper = upper};
    definition.constraints = detailed && single_values(p->name, lower, g) ? CONSTRAINTS : 0;
    return gdyn_search_create(&definition, options, search);
}

static inline void tell_one(gdyn_search *search, const problem *p, int i) {
    double f[3], g[CONSTRAINTS];
    const double *x = gdyn_search_design(search, i);
    gdyn_search_outcome outcome = {.objective = f};
    outcome.violation = p->evaluate(p->n, x, f);
    outcome.constraint = single_values(p->name, x, g) ? g : NULL;
    gdyn_search_tell(search, i, &outcome);
}

/* Evaluates one batch, forwards (0) or backwards (1), and advances. */
static inline void batch(gdyn_search *search, const problem *p, int backwards) {
    int count = gdyn_search_ask(search);
    for (int i = 0; i < count; i++)
        tell_one(search, p, backwards ? count - 1 - i : i);
    gdyn_status status = gdyn_search_advance(search);
    assert(status == GDYN_OK);
    (void)status;
}

/* --- fronts ----------------------------------------------------------------------------------- */

/* The designs of the front at 0 <= s <= 1; BNH, SRN, CONSTR by their stationarity conditions. */
static inline void front_design(const char *name, double s, double *x) {
    if (strcmp(name, "BNH") == 0) {
        x[0] = 5 * s, x[1] = fmin(5 * s, 3);
    } else if (strcmp(name, "SRN") == 0) { /* along g2 = 0 from (1.1, 3.7), then x = -2.5 */
        double far = sqrt(225 - 2.5 * 2.5);
        x[1] = s < 0.3 ? 3.7 - 4 * s : 2.5 + (s - 0.3) / 0.7 * (far - 2.5);
        x[0] = s < 0.3 ? 3 * x[1] - 10 : -2.5;
    } else if (strcmp(name, "CONSTR") == 0) {
        x[0] = 7.0 / 18 + s * 11 / 18, x[1] = fmax(6 - 9 * x[0], 0);
    } else if (strcmp(name, "TNK") == 0) { /* the whole curve g1 = 0; its front by domination */
        double angle = s * acos(0.0), r = sqrt(1 + 0.1 * cos(16 * angle));
        x[0] = r * sin(angle), x[1] = r * cos(angle);
    } else { /* ZDT1, ZDT2 */
        x[0] = s;
    }
}

static inline int front_points(const problem *p, double (*front)[3]) {
    double all[FRONT_POINTS][3], g[CONSTRAINTS];
    int count = 0, kept = 0;
    for (int k = 0; k < FRONT_POINTS; k++) {
        double x[PROBLEM_VARIABLES] = {0};
        front_design(p->name, (double)k / (FRONT_POINTS - 1), x);
        if (!single_values(p->name, x, g) || g[1] <= 1e-9)
            p->evaluate(p->n, x, all[count++]);
    }
    for (int k = 0; k < count; k++) {
        bool dominated = false;
        for (int l = 0; l < count; l++)
            dominated |= l != k && all[l][0] <= all[k][0] && all[l][1] <= all[k][1];
        if (!dominated)
            memcpy(front[kept++], all[k], sizeof all[k]);
    }
    return kept;
}

/* Inverted generational distance (two objectives): the mean distance from the points of the true
 * front to the nearest member of the first front, objectives scaled by the range of the front. */
static inline double distance_to_front(const gdyn_search *search, const problem *p) {
    static double front[FRONT_POINTS][3];
    int count = front_points(p, front), members = gdyn_search_state(search).front;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, sum = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], front[k][i]);
            high[i] = fmax(high[i], front[k][i]);
        }
    for (int k = 0; k < count; k++) {
        double nearest = INFINITY;
        for (int l = 0; l < members; l++) {
            const double *f = gdyn_search_population(search, l).f;
            nearest = fmin(nearest, hypot((f[0] - front[k][0]) / (high[0] - low[0]),
                                          (f[1] - front[k][1]) / (high[1] - low[1])));
        }
        sum += nearest;
    }
    return sum / count;
}

#endif
