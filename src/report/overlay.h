/* overlay.h - what results folders say of one trajectory or one study, arranged for pictures
 * that show them over each other (internal to report). Everything lives in the arena of the
 * overlay. */
#pragma once

#include "base/memory.h"
#include "report/picture.h"

#include <jansson.h>

/* One trajectory of regions.json. */
typedef struct gdyn_overlay_regions {
    const char *unit; /* of p, "" for a pure number */
    gdyn_region_points along;
} gdyn_overlay_regions;

/* Named columns: of a motion time, p, d1 and the forces of the drives at its points
 * (traverse.json), of a simulation all that it records, time first (simulate.json), of a front the
 * objectives of its designs (front.json). */
enum { GDYN_OVERLAY_T, GDYN_OVERLAY_P, GDYN_OVERLAY_D1, GDYN_OVERLAY_FORCES };
typedef struct gdyn_overlay_table {
    int columns, rows;
    const char **name, **unit, **kind; /* kind: of a recorded column; "maximize", "minimize" */
    double *value;                     /* rows x columns, row by row; NAN: not known */
    const char *status;                /* of a motion: "ok", or why there is none; else NULL */
    double time;                       /* [s]; NAN without a motion */
} gdyn_overlay_table;

typedef struct gdyn_overlay {
    int count;
    const gdyn_overlay_source *source; /* count */
    const char *only;                  /* this trajectory alone; NULL: all */
    const char *wanted; /* columns of simulations "A,B,..."; NULL: those that are usual */
    bool look;          /* all is read and checked and the pictures are counted, none is written */
    int found;          /* pictures */
    gdyn_pictures *pictures;
    gdyn_arena *arena;
    const gdyn_sink *sink;
} gdyn_overlay;

/* --- overlay_read.c --------------------------------------------------------------------------- */

/* FOLDER/NAME of every source into `document` (count); the caller drops them. part: what such a
 * document must have. False in *there where no folder has that file, or, after a warning, only
 * some. GDYN_ERROR_FILE after an error about a file that is no such document. */
gdyn_status gdyn_overlay_load(const gdyn_overlay *o, const char *name, const char *command,
                              const char *part, json_t **document, bool *there);
/* Parts that are missing or of another kind count as unknown. */
void gdyn_overlay_read_regions(gdyn_arena *arena, const json_t *trajectory,
                               gdyn_overlay_regions *out);
void gdyn_overlay_read_motion(gdyn_arena *arena, const json_t *trajectory, gdyn_overlay_table *out);
void gdyn_overlay_read_simulation(gdyn_arena *arena, const json_t *document,
                                  gdyn_overlay_table *out);
void gdyn_overlay_read_front(gdyn_arena *arena, const json_t *document, gdyn_overlay_table *out);

/* The column of that name from `from` on; -1: none. */
int gdyn_overlay_find(const gdyn_overlay_table *of, int from, const char *name);
static inline double gdyn_overlay_value(const gdyn_overlay_table *of, int row, int column) {
    return of->value[(size_t)row * (size_t)of->columns + (size_t)column];
}

/* --- picture_overlay.c: each over all sources (arrays of o->count) ---------------------------- */

/* NAME_overlay_regions, NAME_overlay_limits; the sources share at least one p. */
void gdyn_overlay_regions_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                 const gdyn_overlay_regions *of);
void gdyn_overlay_limits_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                const gdyn_overlay_regions *of);
/* NAME_overlay_phase. */
void gdyn_overlay_phase_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                               const gdyn_overlay_table *of);
/* Columns over the time, which every source with rows has: drive forces of motions
 * (NAME_overlay_forces), else overlay_simulation. */
void gdyn_overlay_columns_figure(gdyn_figure *f, const gdyn_overlay *o, const char *name,
                                 const gdyn_overlay_table *of, int count,
                                 const char *const *column);
/* overlay_front of the objectives named, at most six of them. */
void gdyn_overlay_front_figure(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_table *of,
                               int objectives, const char *const *objective);
