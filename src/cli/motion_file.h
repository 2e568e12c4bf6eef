/* motion_file.h - a motion along a path from a CSV file. */
#ifndef GDYN_CLI_MOTION_FILE_H
#define GDYN_CLI_MOTION_FILE_H

#include "expr/expr.h"
#include "traverse/motion.h"

typedef struct gdyn_motion_file {
    const char *filename;
    int count, capacity;
    gdyn_sample *sample;
    double *before; /* d2 just before each sample */
    gdyn_between between;
    bool timed; /* t is known */
} gdyn_motion_file;

/* Columns t,p or p,d1,d2 (and t, d2_before), others are left alone; with a column `trajectory` the rows of
 * `path` alone; an exit code. Heads may state units, which must be those of a time and of the path: `p` is the
 * dimension of its parameter. p must lie within first..last and never fall, t must grow. Close it in any
 * case. */
int gdyn_motion_file_read(gdyn_motion_file *file, const char *filename, const char *path,
                          gdyn_dimension p, double first, double last);
/* The same for places in any order. */
int gdyn_motion_file_places(gdyn_motion_file *file, const char *filename, const char *path,
                            gdyn_dimension p, double first, double last);
void gdyn_motion_file_close(gdyn_motion_file *file);

#endif
