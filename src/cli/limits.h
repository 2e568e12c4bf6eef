/* limits.h - limit rows of machines and files, and where the case states their limits. */
#ifndef GDYN_CLI_LIMITS_H
#define GDYN_CLI_LIMITS_H

#include "access/limit.h"
#include "cli/cli.h"

#include <stdio.h>

/* A limit row, of a drive or of static friction (gdyn_model_effort_name). */
gdyn_limited_row gdyn_limited_row_of(const gdyn_instance *instance, int row, int effort);
/* Row of a file of coefficients; the name is borrowed. */
gdyn_limited_row gdyn_limited_row_of_file(const char *name, gdyn_dimension force);

/* Where the case states the drive that owns the limit; NULL: nowhere. opened, owner: may be NULL. */
const gdyn_drive_source *gdyn_limit_source(const gdyn_opened *opened,
                                           const gdyn_limited_row *owner);
/* Prints "   (case.yaml:38)" where the case states the limit, or nothing. */
void gdyn_print_limit_line(FILE *out, const gdyn_opened *opened, const gdyn_limited_row *owner,
                           gdyn_limit limit);

#endif
