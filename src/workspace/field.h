/* field.h - a grid of tool poses: which of them the machine reaches in the mode of its start, through neighbouring
 * poses that it reaches, and what it can do there.
 *
 * A node is reached when a straight way to it from a reached neighbour can be followed (path/path.h): without a change
 * of mode, within the stated ranges, and across no pose at which the drives lose control of a freedom. The first node
 * is the one nearest to the tool in the assembled first guess to which a straight way leads. What is reached on no way
 * along the grid is not counted, even where the machine could be assembled there. */
#ifndef GDYN_WORKSPACE_FIELD_H
#define GDYN_WORKSPACE_FIELD_H

#include "base/api.h"
#include "casefile/casefile.h"

GDYN_API_BEGIN

/* What is known of a node; values NAN where it is not reached. */
enum {
    GDYN_FIELD_DEXTERITY, /* as the criteria of these names */
    GDYN_FIELD_SINGULARITY, /* least over greatest singular value from drive forces to the free motions */
    GDYN_FIELD_LOAD,      /* greatest share of a drive's limit at rest; INFINITY: cannot be held */
    GDYN_FIELD_MARGIN,    /* least share of a range's margin; NAN without ranges */
    GDYN_FIELD_CLEARANCE, /* of shapes [m]; NAN without */
    GDYN_FIELD_ACCEL, /* acceleration of the tool from rest that the drives give in every direction [m/s^2], without
                               acceleration of what else is prescribed; negative: what is lacking to hold still in the worst
                               direction, -INFINITY: cannot be held by motions along the grid; INFINITY: no limit */
    GDYN_FIELD_VALUES
};
extern const char *const gdyn_field_names[]; /* "dexterity", ..., NULL */
extern const char *const gdyn_field_units[];

typedef struct gdyn_workspace_field {
    const gdyn_workspace_def *def; /* borrowed */
    int nodes, count[3];           /* nodes along x, y, z; x runs fastest */
    bool *reached;                 /* nodes */
    double *value;                 /* nodes x GDYN_FIELD_VALUES */
    int reached_count, first;      /* first: the node that was reached first, -1: none */
    double cell;                   /* length, area or volume of a node [m^d] */
    int dimensions;                /* d: axes with more than one node */
} gdyn_workspace_field;

/* Position of a node. */
void gdyn_field_at(const gdyn_workspace_field *field, int node, double x[3]);
/* Visits the nodes of that workspace of the case; problems go to the sink. To be freed in any case. */
gdyn_status gdyn_field_find(const gdyn_instance *instance, int workspace, const gdyn_sink *sink,
                            gdyn_workspace_field *field);
void gdyn_field_free(gdyn_workspace_field *field);
/* Number of the nodes that are reached (and at which the value is not below `least`; value -1: all); length, area or volume of
 * their cells within the grid. GDYN_FIELD_ACCEL not below 0: the drives hold the machine still there (for cables the
 * wrench-feasible workspace). */
int gdyn_field_count(const gdyn_workspace_field *field, int value, double least);
double gdyn_field_size(const gdyn_workspace_field *field, int value, double least);

GDYN_API_END

#endif
