/* import.h - descriptions of robots in other formats become case files. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

GDYN_API_BEGIN

typedef struct gdyn_import_options {
    bool free_base;    /* URDF: the root link floats; default false: it is held to the ground */
    const char *loops; /* URDF: file of joints that close loops; NULL: none */
    const char *joint_limits; /* MoveIt's joint_limits.yaml, seen from the case; NULL: none */
    bool balance; /* tensors that no mass distribution has become the nearest ones that have */
} gdyn_import_options;

/* Reads a robot of URDF (root element `robot`), SDF (`sdf`) or MuJoCo (`mujoco`), and appends a
 * case file and, line by line, all that was left out or assumed (also in the case, as comments).
 * Fixed links are one body; bodies' axes are those of the ground when all joints are at zero, so
 * that coordinates of joints are those of the source. Errors with their places go to the sink:
 * GDYN_ERROR_FILE, _INPUT, _MEMORY. */
gdyn_status gdyn_import(const char *filename, const gdyn_import_options *options,
                        const gdyn_sink *sink, gdyn_text *the_case, gdyn_text *remarks);
/* The same of a text; `filename` is used in messages. */
gdyn_status gdyn_import_text(const char *text, size_t length, const char *filename,
                             const gdyn_import_options *options, const gdyn_sink *sink,
                             gdyn_text *the_case, gdyn_text *remarks);

/* --- paths ------------------------------------------------------------------------------------ */

typedef struct gdyn_import_path_options {
    double blend; /* distance from a corner at which it is rounded [m] */
    bool planar;  /* z is left out */
    int contour;  /* DXF: which of several, from 1; 0: the first */
} gdyn_import_path_options;

/* Appends a table of points, to be read by a trajectory of kind `file`, and remarks, as
 * gdyn_import. */
gdyn_status gdyn_import_path(const char *filename, const gdyn_import_path_options *options,
                             const gdyn_sink *sink, gdyn_text *table, gdyn_text *remarks);
gdyn_status gdyn_import_path_text(const char *text, size_t length, const char *filename,
                                  const gdyn_import_path_options *options, const gdyn_sink *sink,
                                  gdyn_text *table, gdyn_text *remarks);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Whether the name ends as that of a program in G-code (.nc, .ngc, .gcode, .tap, .cnc, .gc) or
 * of a drawing (.dxf). */
bool gdyn_import_is_path(const char *filename);
