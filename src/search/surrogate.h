/* surrogate.h - what the files of the surrogate method share (internal to search).
 *
 * Models see designs in the unit box of the free variables, numbers first and names behind them; objectives scaled so
 * that 0 is the least value known and 1 the reference, with a logarithm beyond. */
#ifndef GDYN_SEARCH_SURROGATE_H
#define GDYN_SEARCH_SURROGATE_H

#include "search/boxes.h"
#include "search/gauss.h"
#include "search/method.h"

/* Every design evaluated so far. */
typedef struct gdyn_search_results {
    int count, room;
    double *u;                   /* free x room */
    double *f, *g;               /* m x room, constraints x room */
    double *violation, *failure; /* room */
    bool *detailed;              /* room: g is known */
} gdyn_search_results;

/* A limit that designs may break: one constraint, all violation, or whether a design can be evaluated. The
 * model's value is at most 0 where it is kept. */
typedef struct gdyn_limit_model {
    gdyn_gauss *gauss;
    int constraint; /* its number; GDYN_VIOLATION, GDYN_EVALUABLE or, before the first one, GDYN_NO_LIMIT */
    bool used;
    bool learned; /* lengths of this limit */
} gdyn_limit_model;
enum { GDYN_VIOLATION = -1, GDYN_EVALUABLE = -2, GDYN_NO_LIMIT = -3, GDYN_LIMITS_MOST = 10 };

typedef struct gdyn_surrogate {
    int m, free, names, constraints;
    int *variable; /* free: the search's variables, numbers first */
    int first, batch;
    gdyn_search_results results;

    /* Models. */
    int most; /* greatest number of points of a model */
    int *chosen,
        *member; /* most: results that the models learn from; those that the present one does */
    double *distance;    /* as many as results have room: to the centre */
    double *x, *y;       /* free x most, most: what the present model learns from */
    double *graded;      /* most: scratch */
    gdyn_gauss **target; /* m: objectives; set where `aimed` */
    bool aimed;          /* enough designs could be evaluated */
    gdyn_limit_model limit[GDYN_LIMITS_MOST];
    int limits;
    int learned;           /* results when lengths were last learned; 0: never */
    double *least, *range; /* m: scaling of objectives */

    /* Trust region. */
    bool local;
    double radius, volume; /* share of the ranges; hypervolume before the batch */
    int failures;          /* batches without gain in a row */
    double *centre;        /* free */

    /* Candidates. */
    int candidates;                       /* written so far */
    double *design, *u;                   /* n x CANDIDATES, free x CANDIDATES */
    double *mean, *variance, *V, *covary; /* per model CANDIDATES; V: most x CANDIDATES per model */
    double *score, *known;                /* CANDIDATES; m: one candidate's means and deviations */
    bool *taken;                          /* CANDIDATES */
    gdyn_boxes *boxes;
    bool gaining; /* there is a feasible front to gain on */
} gdyn_surrogate;

/* surrogate_models.c */
gdyn_status gdyn_surrogate_models_create(gdyn_surrogate *e);
void gdyn_surrogate_models_destroy(gdyn_surrogate *e);
/* Scales the objectives and fits all models to the results. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_surrogate_fit(gdyn_search *s);
/* Objective k in the scale of the models. */
double gdyn_surrogate_scaled(const gdyn_surrogate *e, int k, double f);

/* surrogate_picks.c */
gdyn_status gdyn_surrogate_picks_create(gdyn_surrogate *e, int n, int population);
void gdyn_surrogate_picks_destroy(gdyn_surrogate *e);
/* Writes the next designs into the slots child[0 .. batch); returns how many: fewer where no others are new. */
int gdyn_surrogate_pick(gdyn_search *s);

/* A design (n) in the coordinates of the models (free). */
void gdyn_surrogate_unit(const gdyn_search *s, const double *x, double *u);

#endif
