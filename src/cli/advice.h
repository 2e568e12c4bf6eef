/* advice.h - what to do about a machine or a path that cannot do what is asked, in words. */
#ifndef GDYN_CLI_ADVICE_H
#define GDYN_CLI_ADVICE_H

#include "cli/cli.h"
#include "path/path.h"

#include <stdio.h>

enum { GDYN_ADVICE = 240 };

/* Why a path cannot be followed from its first failure on, as far as the freedoms of the machine tell it:
 * more coordinates than freedoms, a point that is blocked. Both texts are empty where they do not. */
typedef struct gdyn_path_advice {
    char reason[GDYN_ADVICE]; /* "the path prescribes 3 coordinates, the machine has 2 freedoms" */
    char help[GDYN_ADVICE];   /* "leave one of them out" */
} gdyn_path_advice;
gdyn_status gdyn_advise_path(const gdyn_path *path, const gdyn_track *track,
                             gdyn_path_advice *advice);

/* Motions that no drive serves at that pose, a line each with what to do at the end; prints nothing when there
 * is none. The number of lines is returned. */
int gdyn_print_undriven(FILE *out, const gdyn_state *state, const char *indent);

/* "joints 'a', 'b' stay open by 4.2 mm": the joints that are open by at least a tenth of the worst at that
 * state. Empty when none is. */
gdyn_status gdyn_describe_gap(const gdyn_state *state, char *out, size_t size);
/* "out of reach, the path is missed by 4.2 mm": the tool's worst coordinate at p. */
gdyn_status gdyn_describe_miss(const gdyn_path *path, double p, const gdyn_state *state, char *out,
                               size_t size);
/* Where a pose that depends on the way begins anew (track->entered): "the pose depends on the way, which is broken ...". Empty where
 * it does not. unit: of p. gdyn_note_entry writes it as a warning about that trajectory, if there is anything to write. */
void gdyn_describe_entry(const gdyn_track *track, const char *unit, char *out, size_t size);
void gdyn_note_entry(const gdyn_options *options, const char *trajectory, const char *unit,
                     const gdyn_track *track);
/* Warns of a path that is followed in part only: how far, why, what to do. */
void gdyn_note_gaps(const gdyn_options *options, const char *trajectory, const gdyn_path *path,
                    const gdyn_track *track);
/* Joints whose axes lie across each other at the first guess: 'axis' in a wrong frame. Writes their names, or
 * nothing: "'a', 'b'". */
gdyn_status gdyn_describe_axes(const gdyn_model *model, char *out, size_t size);

#endif
