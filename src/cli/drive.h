/* drive.h - what the commands about motions share. */
#ifndef GDYN_CLI_DRIVE_H
#define GDYN_CLI_DRIVE_H

#include "cli/session.h"

/* Makes the trajectory ready for motions; units of speeds and forces on the command line must fit it; an exit code. */
int gdyn_drive(const gdyn_options *options, gdyn_trajectory *t);
/* Settings of --distribution, --preload, --smooth. */
gdyn_share_settings gdyn_sharing_of(const gdyn_options *options);
/* What the forces along the motion do, in a few lines. */
void gdyn_print_changes(const gdyn_trajectory *t);

#endif
