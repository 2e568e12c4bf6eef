/* trajectory.h - readers of trajectories and of their tables (internal). */
#ifndef GDYN_CASEFILE_TRAJECTORY_H
#define GDYN_CASEFILE_TRAJECTORY_H

#include "casefile/reader.h"
#include "path/kinds.h"

/* A table read for `kind: file`, kept with the case. */
typedef struct gdyn_csv {
    const char *name; /* of the file, NULL for a table that stands in the case */
    const char *text; /* of such a table, the node's own */
    int rows;
    bool column[GDYN_PATH_COORDINATES]; /* present */
    double *p;                          /* rows, or NULL without a column p */
    gdyn_dimension p_dimension;         /* of the column p; unknown: no unit stands there */
    double *table;                      /* rows x GDYN_PATH_COORDINATES, NaN where not present */
    struct gdyn_csv *next;
} gdyn_csv;

/* Table of a CSV file (kept with the case), NULL after a complaint. */
const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *name);
/* Table whose text stands in the node itself. */
const gdyn_csv *gdyn_read_csv_text(gdyn_reader *r, gdyn_node *node);

void gdyn_read_trajectories(gdyn_reader *r, const gdyn_node *root);
/* free_coordinates.c: null_motion and undriven of a trajectory's entry. */
void gdyn_read_freedoms(gdyn_reader *r, const gdyn_node *node, gdyn_freedom_def *out);
/* workspaces.c */
void gdyn_read_workspaces(gdyn_reader *r, const gdyn_node *root);

#endif
