/* advice.h - what to do about a machine or a path that cannot do what is asked, in words. */
#pragma once

#include "base/text.h"
#include "path/path.h"

enum { GDYN_ADVICE = 240 };

/* Why a path cannot be followed from its first failure on, as far as the machine's freedoms show
 * it: more coordinates than freedoms, a blocked point. Otherwise both texts are empty. */
typedef struct gdyn_path_advice {
    char reason[GDYN_ADVICE]; /* "the path prescribes 3 coordinates, the machine has 2 freedoms" */
    char help[GDYN_ADVICE];   /* "leave one of them out" */
} gdyn_path_advice;

/* --- inside: what follows is not installed ---------------------------------------------------- */

gdyn_status gdyn_advise_path(const gdyn_path *path, const gdyn_track *track,
                             gdyn_path_advice *advice);

/* Motions that no drive acts on at that pose, a line each, then what to do; their number. */
int gdyn_describe_undriven(const gdyn_state *state, const char *indent, gdyn_text *out);

/* "joints 'a', 'b' stay open by 4.2 mm": joints open by at least a tenth of the worst; or empty. */
gdyn_status gdyn_describe_gap(const gdyn_state *state, char *out, size_t size);
/* "out of reach, the path is missed by 4.2 mm": the tool's worst coordinate at p. */
gdyn_status gdyn_describe_miss(const gdyn_path *path, double p, const gdyn_state *state, char *out,
                               size_t size);
/* A length [m] or angle [rad] as people read it: in mm or deg. */
double gdyn_shown(double value, bool length, const char **unit);
/* The range left at or beside a point of the track with GDYN_POINT_RANGE, and by how much. */
void gdyn_describe_range(const gdyn_track *track, int point, char *out, size_t size);
/* The ranges that a pose is beyond, a line each with amount and location; their number. */
int gdyn_describe_beyond(const gdyn_state *state, const char *indent, gdyn_text *out);
/* Where a pose that depends on the way starts again (track->entered): "the pose depends on the way,
 * which is broken ...". Empty where it does not. unit: of p. */
void gdyn_describe_entry(const gdyn_track *track, const char *unit, char *out, size_t size);
/* Joints and forces whose dry friction is neglected at rest, since its limit is not given (coulomb
 * without stiction): the first names, "a, b, ...", or nothing. Their number. */
int gdyn_describe_neglected_friction(const gdyn_model *model, char *out, size_t size);
/* Joints whose axes are far from parallel at the first guess: 'axis' in a wrong frame. Writes their
 * names, or nothing: "'a', 'b'". */
gdyn_status gdyn_describe_axes(const gdyn_model *model, char *out, size_t size);
