/* share_change.h - how continuous shared forces are (internal to traverse). */
#ifndef GDYN_TRAVERSE_SHARE_CHANGE_H
#define GDYN_TRAVERSE_SHARE_CHANGE_H

#include "traverse/share.h"

/* Fills shared->change from the forces, and from those between the samples. */
gdyn_status gdyn_share_changes(gdyn_shared *shared, gdyn_sharer *sharer,
                               const gdyn_path_dynamics *dynamics, const gdyn_sample *sample,
                               const double *before, const gdyn_share_settings *settings);

#endif
