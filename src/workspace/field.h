/* field.h - a grid of tool poses: which of them the machine reaches in the mode of its start,
 * through neighbouring poses that it reaches, and what it can do there.
 *
 * A node has one orientation (given or free) or several. A pose (a node in one orientation) is
 * reached when a straight way to it from a reached neighbouring pose can be followed (path/path.h):
 * without a change of mode, within the given ranges, and across no pose at which the drives lose
 * control of a freedom. Neighbours are the same orientation at the next nodes, and the first
 * orientation with every other one at the same node. The first pose is the one nearest to the tool
 * in the assembled first guess to which a straight way leads. Where poses leave motions free, ways
 * are also tried from other poses that the machine may take at a reached neighbour along these
 * motions. What is reached on no way along the grid is not counted, even where the machine could be
 * assembled there. */
#pragma once

#include "base/api.h"
#include "access/limit.h"
#include "casefile/casefile.h"
#include "criteria/criteria.h"

#include <signal.h>

GDYN_API_BEGIN

/* What is known of a node, in the order of the rows of the vocabulary from GDYN_WORKSPACE_DEXTERITY
 * on, which have names, units and meanings; NAN where the node is not reached. */
enum {
    GDYN_FIELD_DEXTERITY, /* as the criteria of these names */
    /* smallest over largest singular value from drive forces to the free motions */
    GDYN_FIELD_SINGULARITY,
    GDYN_FIELD_LOAD,      /* largest share of a drive's limit at rest; INFINITY: cannot be held */
    GDYN_FIELD_MARGIN,    /* smallest share of a range's margin; NAN without ranges */
    GDYN_FIELD_CLEARANCE, /* of shapes [m]; NAN without */
    /* smallest and largest eigenvalue of the tool's translational stiffness [N/m]; NAN where no
     * drive has a stiffness */
    GDYN_FIELD_STIFFNESS,
    GDYN_FIELD_STIFFEST,
    /* acceleration of the tool from rest that the drives give in every direction [m/s^2], without
     * acceleration of what else is prescribed; negative: size of the smallest acceleration that
     * they can give, with its sign turned; -INFINITY: cannot be held by motions along the grid;
     * INFINITY: no limit */
    GDYN_FIELD_ACCEL,
    /* external force on the tool that the drives carry at rest in every direction [N]; likewise */
    GDYN_FIELD_FORCE,
    GDYN_FIELD_VALUES
};
/* Row of the vocabulary. */
const gdyn_criterion_row *gdyn_field_row(int value);

typedef enum gdyn_node_status {
    GDYN_NODE_LEFT, /* the machine cannot be there, or was not found to be */
    /* it can be assembled there, within its ranges, but no way of the start's mode leads there */
    GDYN_NODE_ELSEWHERE,
    GDYN_NODE_REACHED
} gdyn_node_status;

/* Limits that bound an acceleration or force together. */
typedef struct gdyn_node_bound {
    int count;
    gdyn_limit limit[8]; /* row: the drive */
} gdyn_node_bound;

typedef struct gdyn_workspace_field {
    struct gdyn_arena *arena;      /* owns the arrays */
    const gdyn_workspace_def *def; /* borrowed */
    int nodes, count[3];           /* nodes along x, y, z; x runs fastest */
    int orientations;              /* of a node; a free one counts as one */
    double *axis[3]; /* count: coordinates [m]; ends of the prescribed box are among them */
    /* count: the length of the axis that belongs to each; 1 on an axis of one node */
    double *part[3];
    /* nodes: gdyn_node_status; with several orientations of all or any, as the case says */
    unsigned char *status;
    unsigned char *pose; /* nodes x orientations: gdyn_node_status */
    /* nodes x GDYN_FIELD_VALUES: the worst over all orientations, or the best of those reached */
    double *value;
    gdyn_node_bound *accel, *force; /* nodes: what bounds GDYN_FIELD_ACCEL and GDYN_FIELD_FORCE */
    int reached_count, first;       /* nodes; first: the node that was reached first, -1: none */
    int dimensions;                 /* axes with more than one node */
    int islands;                    /* connected groups of nodes ELSEWHERE; -1: not looked for */
    bool interrupted;
} gdyn_workspace_field;

typedef struct gdyn_field_settings {
    int threads;  /* default 1; the results have the same bits with any number */
    bool islands; /* look for nodes ELSEWHERE; default false */
    volatile const sig_atomic_t *interrupt; /* not zero: stop; or NULL */
    void (*progress)(void *context, int poses,
                     int most); /* visited so far, and how many there are; or NULL */
    void *context;
} gdyn_field_settings;
gdyn_field_settings gdyn_field_default(void);

/* Visits the nodes of that workspace of the case. To be freed in any case. Settings NULL: the
 * default. */
gdyn_status gdyn_field_find(const gdyn_instance *instance, int workspace,
                            const gdyn_field_settings *settings, gdyn_workspace_field *field);
void gdyn_field_free(gdyn_workspace_field *field);

/* --- nodes.c: what the nodes come to ---------------------------------------------------------- */

/* Position of a node; its length, area or volume within the grid [m^d]. */
void gdyn_field_at(const gdyn_workspace_field *field, int node, double x[3]);
/* "m", "m^2", "m^3". */
const char *gdyn_field_unit(const gdyn_workspace_field *field);
double gdyn_field_value(const gdyn_workspace_field *field, int node, int value);
/* Number, and length, area or volume, of the nodes that have that value. GDYN_FIELD_ACCEL not below
 * 0: the drives hold the machine still there (for cables the wrench-feasible workspace). */
int gdyn_field_count(const gdyn_workspace_field *field, int value, double least);
double gdyn_field_size(const gdyn_workspace_field *field, int value, double least);
/* A criterion of workspaces (row of the vocabulary); NAN: there is none. Worst values are of the
 * prescribed box, all of whose nodes must be reached; without a box of the reached nodes. *node:
 * where the worst value is, or the first prescribed node that does not serve; -1. */
double gdyn_field_criterion(const gdyn_workspace_field *field, int row, int *node);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Reached, and its value not below `least` (above it, where less is better); value -1: whatever it
 * is. NAN: not. */
bool gdyn_node_has(const gdyn_workspace_field *field, int node, int value, double least);
/* Reached, with everything that the case requires of a node. */
bool gdyn_node_serves(const gdyn_workspace_field *field, int node);
/* Within the prescribed box, or the grid where none is given. */
bool gdyn_node_prescribed(const gdyn_workspace_field *field, int node);
/* Prescribed nodes, and those of them that do not serve, of which the first is returned; -1:
 * none. */
int gdyn_field_uncovered(const gdyn_workspace_field *field, int *prescribed, int *uncovered);
