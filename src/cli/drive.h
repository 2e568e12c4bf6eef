/* drive.h - what the commands about motions share: trajectories as supplies of coefficients. */
#ifndef GDYN_CLI_DRIVE_H
#define GDYN_CLI_DRIVE_H

#include "cli/cli.h"
#include "report/traverse.h"
#include "traverse/share.h"
#include "traverse/traverse.h"

/* One trajectory, or a file of coefficients. */
typedef struct gdyn_course {
    gdyn_opened *opened;      /* NULL with --coefficients */
    const char *name, *unit;  /* unit: of p, "" for a pure number */
    gdyn_dimension dimension; /* of p */
    gdyn_path *path;
    gdyn_supply *supply;
    int rows;              /* limit rows */
    gdyn_limited_row *row; /* rows */
    char **text;           /* own names, NULL-terminated, or NULL */
    int speed_row;         /* row of the drive that bounds the speed, -1: none */
} gdyn_course;

/* Opens trajectory number `trajectory` of the case, or the file of --coefficients (opened NULL); an
 * exit code. Close it in any case. */
int gdyn_course_open(const gdyn_options *options, gdyn_opened *opened, int trajectory,
                     gdyn_course *course);
void gdyn_course_close(gdyn_course *course);
/* Settings of --distribution, --preload, --smooth. */
gdyn_share_settings gdyn_course_sharing(const gdyn_options *options);
/* What the shared forces along a motion do, in a few lines. */
void gdyn_course_print_changes(const gdyn_course *course, const gdyn_shared *shared,
                               const gdyn_share_settings *settings, const gdyn_sample *sample);

/* coefficients.c: the file as a supply, with the dimensions of p and of the forces and the names of its drives
 * (NULL-terminated); an exit code. */
int gdyn_coefficients_supply(const char *filename, gdyn_supply **supply, gdyn_dimension *p,
                             gdyn_dimension *force, char ***names);

#endif
