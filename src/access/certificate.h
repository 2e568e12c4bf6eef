/* certificate.h - pieces of the amount that opens an empty region; see certificate.c. */
#ifndef GDYN_ACCESS_CERTIFICATE_H
#define GDYN_ACCESS_CERTIFICATE_H

#include "access/workspace.h"

#include "lp/lp.h"

enum { GDYN_PIECES = 48 };

/* What a conflict of limits asks for, as a function of t. */
typedef struct gdyn_piece {
    gdyn_quadratic q; /* soft: amount needed at t; hard: must not be positive */
    bool hard;
    int count; /* limits in conflict */
    gdyn_limit limit[2 * GDYN_ACTIVE_MAX];
} gdyn_piece;

typedef struct gdyn_conflict {
    gdyn_access *access;
    double
        *weight;  /* 2 x rows of the problem: how far a limit is relaxed per unit; 0: not at all */
    double speed; /* the same for d1_high */
    double *up, *low, *condition; /* how far the projected inequalities are relaxed */
    double from, to;              /* domain of t */
    int count;
    gdyn_piece piece[GDYN_PIECES];
    double t, amount; /* the minimum over t of the greatest piece */
    gdyn_lp *lp;      /* when there are too many elementary vectors: pieces by linear programs */
    double *numbers;  /* its scratch */
    gdyn_status status;
} gdyn_conflict;

/* Linear programs instead of elementary vectors. */
gdyn_status gdyn_conflict_open_lp(gdyn_conflict *conflict);
void gdyn_conflict_close_lp(gdyn_conflict *conflict);
/* Greatest piece at t from the rows; INFINITY when hard limits exclude each other. */
double gdyn_conflict_ask_lp(gdyn_conflict *conflict, double t, gdyn_piece *best);

#endif
