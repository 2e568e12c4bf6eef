/* singularity_finder.h - what the files of the search for singular poses share (internal to
 * access). */
#ifndef GDYN_ACCESS_SINGULARITY_FINDER_H
#define GDYN_ACCESS_SINGULARITY_FINDER_H

#include "access/dynamics.h"
#include "access/singularity.h"
#include "base/memory.h"
#include "path/place.h"

typedef struct gdyn_finder_sample {
    double p;
    int point; /* of the track; -1: between points */
    int rank, f;
    double sigma; /* sigma_g, relative to the greatest; once g is known */
    int sense;    /* sign of det H in the basis carried along; 0: none */
    bool chained; /* the sense may be compared with the sample before */
} gdyn_finder_sample;

struct gdyn_singularity_finder {
    gdyn_arena *arena;
    const gdyn_path *path;
    const gdyn_track *track;
    gdyn_evaluator *evaluator;
    gdyn_path_place *place; /* NULL until it is needed */
    gdyn_pose *pose;
    bool exact; /* sigma_g of every sample */
    int n, few; /* few: most singular values of H */
    int count, capacity;
    gdyn_finder_sample *sample;
    double *values; /* few x capacity: singular values of H, relative to the greatest */
    double *N, *N_before, *turn, *unit;
    double *rest; /* 2 n: u_p, u_pp without rounding where the machine stands still */
    int *pivot;
    int f_before, orientation; /* of N_before; f_before -1: there is none */
    int generic;
    gdyn_status status; /* first failure inside a callback */
    double *reference;  /* N at one end of a bracket */
    int reference_sense;
    gdyn_singularities *out;
};

/* Goes to p between the points: s->place stands there. GDYN_ERROR_MEMORY, or what the place
 * says. */
gdyn_status gdyn_finder_stand(gdyn_singularity_finder *s, double p);
/* H at a pose, its singular values (in the evaluator) and N (in s->N); *f: free motions; *sense:
 * sign of det H for f = k, else 0. */
gdyn_status gdyn_finder_factor(gdyn_singularity_finder *s, const gdyn_state *state, int *f,
                               int *sense);
/* Sign of det(A^T B) of two orthonormal bases n x f. */
int gdyn_finder_turn_sign(gdyn_singularity_finder *s, const double *A, const double *B, int f);
/* sigma_i relative to the greatest, which is taken as 1 at least. */
double gdyn_finder_relative(const gdyn_svd *svd, int i);
/* The rank that the drives have at most anywhere into s->generic, and sigma_g of all samples. */
void gdyn_finder_generic(gdyn_singularity_finder *s);

#endif
