/* advice.h - warnings and advice about machines and paths, printed. */
#ifndef GDYN_CLI_ADVICE_H
#define GDYN_CLI_ADVICE_H

#include "cli/cli.h"
#include "trajectory/advice.h"

#include <stdio.h>

/* gdyn_describe_beyond, printed. */
void gdyn_print_beyond(FILE *out, const gdyn_state *state, const char *indent);
/* gdyn_describe_undriven, printed. */
void gdyn_print_undriven(FILE *out, const gdyn_state *state, const char *indent);
/* gdyn_describe_entry as a warning about that trajectory, if there is anything to write. */
void gdyn_note_entry(const gdyn_options *options, const char *trajectory, const char *unit,
                     const gdyn_track *track);
/* Warns of a path that is followed in part only: how far, why, what to do. */
void gdyn_note_gaps(const gdyn_options *options, const char *trajectory, const gdyn_path *path,
                    const gdyn_track *track);

#endif
