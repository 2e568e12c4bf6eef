/* solvability.h - which joint reactions does the rigid model determine at all?
 *
 *   C^T lambda + T n = known loads      C = [Phi_z; Psi] ((m+h) x n), T (n x k)
 *
 * Whatever lies in the null space of [C^T T] can be added to (lambda, n) freely. A reaction is
 *   unique           when no such direction changes it,
 *   drive-dependent  when only directions that change the drive forces do: it is known once they
 * are, indeterminate    when it changes with all drive forces held (redundant constraints). The
 * reaction of a joint X is the generalized force C_X^T lambda_X; it may be unique although lambda_X
 * is not. Sources: Wojtyra and Fraczek 2013, section 3; docs/reactions.md. */
#pragma once

#include "base/api.h"
#include "linalg/rank.h"
#include "mech/mech.h"

GDYN_API_BEGIN

typedef enum gdyn_verdict { GDYN_UNIQUE, GDYN_DRIVE_DEPENDENT, GDYN_INDETERMINATE } gdyn_verdict;

/* "unique", "drive-dependent", "indeterminate". */
const char *gdyn_verdict_text(gdyn_verdict verdict);

/* Result and workspace in one; made once for the largest sizes, nothing allocates below. */
typedef struct gdyn_solvability {
    int constraints, coordinates, drives, joints; /* m + h, n, k, and the number of joints */
    int redundancy;                               /* m + h - rank C: directions of lambda alone */
    int drive_redundancy; /* further directions, which change drive forces too (static friction not
                                 counted) */
    gdyn_verdict *joint;  /* joints: of C_X^T lambda_X */
    gdyn_verdict *multiplier;                   /* m + h: of each lambda_i */
    int indeterminate_joints, dependent_joints; /* how many have these verdicts */
    gdyn_rank rank_c;                           /* of scaled C */
    gdyn_rank rank_ct;                          /* of scaled [C^T T] */
    /* smallest of the gaps: both ranks, and smallest amount taken as not zero / largest taken as
     * zero of the verdicts; INFINITY when none is zero */
    double gap;
    bool dense;      /* set by the user: singular value decompositions alone; default false */
    bool by_closing; /* the last verdicts come from the closing conditions in joint coordinates */
    struct gdyn_reactions *reactions; /* the analysis behind it */
} gdyn_solvability;

gdyn_solvability *gdyn_solvability_create(int constraints, int coordinates, int drives, int joints);
gdyn_solvability *gdyn_solvability_for_model(const gdyn_model *model);
void gdyn_solvability_destroy(gdyn_solvability *solvability);

/* At a pose of the model it was made for, at rest: all static friction acts, each an unknown force
 * like a drive's. */
gdyn_status gdyn_solvability_of_state(gdyn_solvability *solvability, const gdyn_state *state);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* From matrices of the sizes given to create, scaled so that their entries can be compared: C
 * ((m+h) x n) and T (n x k), column-major; row_joint[i] is the joint that owns row i, or -1. Rows
 * of C and columns of T are brought to unit length inside, so their own scales do not matter. */
gdyn_status gdyn_solvability_of_matrices(gdyn_solvability *solvability, const double *C,
                                         const double *T, const int *row_joint);
