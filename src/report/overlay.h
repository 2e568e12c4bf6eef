/* overlay.h - what results folders say of one trajectory or one study, arranged for pictures
 * that show them over each other (internal to report). Everything lives in the arena of the
 * overlay. */
#ifndef GDYN_REPORT_OVERLAY_H
#define GDYN_REPORT_OVERLAY_H

#include "base/memory.h"
#include "report/picture.h"

#include <jansson.h>

/* --- one trajectory in one folder ------------------------------------------------------------- */

/* regions.json */
typedef struct gdyn_overlay_regions {
    const char *unit; /* of p, "" for a pure number */
    gdyn_region_points along;
    const gdyn_region *common; /* NULL: none */
} gdyn_overlay_regions;

/* traverse.json */
typedef struct gdyn_overlay_motion {
    const char *unit, *status; /* of p; "ok", or why there is no motion */
    double time;               /* [s]; NAN without a motion */
    int points, drives;
    double *t, *p, *d1;  /* points */
    double *force;       /* points x drives; NULL: not known */
    const char **drive;  /* drives: names */
    const char **newton; /* drives: units of their forces */
} gdyn_overlay_motion;

/* front.json */
typedef struct gdyn_overlay_front {
    int objectives, designs;
    const char **name, **unit; /* objectives */
    bool *maximized;           /* objectives */
    double *value;             /* designs x objectives */
} gdyn_overlay_front;

/* simulate.json */
typedef struct gdyn_overlay_simulation {
    int columns, frames;
    const char **name, **unit, **kind; /* columns; the first is the time */
    double *value;                     /* frames x columns, a row per frame; NAN: not known */
} gdyn_overlay_simulation;

/* --- the overlay ------------------------------------------------------------------------------ */

typedef struct gdyn_overlay {
    int count;
    const gdyn_overlay_source *source; /* count */
    const char *folder;                /* of the pictures */
    const char *only;                  /* this trajectory alone; NULL: all */
    const char *wanted; /* columns of simulations "A,B,..."; NULL: those that are usual */
    bool look;          /* all is read and checked and the pictures are listed, nothing is drawn */
    gdyn_arena *arena;
    const gdyn_sink *sink;
} gdyn_overlay;

/* overlay_read.c: FOLDER/NAME of every source into `document` (count); the caller drops them.
 * False in *there where no folder has that file, or, after a warning, only some. GDYN_ERROR_FILE
 * after an error about a file that is no such document. */
gdyn_status gdyn_overlay_load(const gdyn_overlay *o, const char *name, const char *command,
                              json_t **document, bool *there);
/* One trajectory of regions.json, of traverse.json; a front. Parts that are missing or of
 * another kind count as unknown. */
void gdyn_overlay_read_regions(gdyn_arena *arena, const json_t *trajectory,
                               gdyn_overlay_regions *out);
void gdyn_overlay_read_motion(gdyn_arena *arena, const json_t *trajectory,
                              gdyn_overlay_motion *out);
void gdyn_overlay_read_simulation(gdyn_arena *arena, const json_t *document,
                                  gdyn_overlay_simulation *out);
void gdyn_overlay_read_front(gdyn_arena *arena, const json_t *document, gdyn_overlay_front *out);

/* --- pictures: each over all sources (arrays of o->count) ------------------------------------- */

/* The line of a source (of the key alone when it has no block), weight: 1 for the main curve;
 * its entry in the key: its name, and what is said of it behind a comma ("" for nothing; NULL:
 * no entry). */
gdyn_figure_layer gdyn_overlay_line(const gdyn_overlay *o, gdyn_figure *figure, int source,
                                    int block, double weight, const char *more);
/* The name of a source for a key, shortened. */
const char *gdyn_overlay_name(const gdyn_overlay *o, int source, char out[120]);

/* NAME_overlay_regions, NAME_overlay_limits; the sources share at least one p. */
gdyn_status gdyn_picture_overlay_regions(const gdyn_overlay *o, const char *name,
                                         const gdyn_overlay_regions *of);
gdyn_status gdyn_picture_overlay_limits(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_regions *of);
/* NAME_overlay_phase; NAME_overlay_forces of the drives named, which every source with a motion
 * has. */
gdyn_status gdyn_picture_overlay_phase(const gdyn_overlay *o, const char *name,
                                       const gdyn_overlay_motion *of);
gdyn_status gdyn_picture_overlay_forces(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_motion *of, int drives,
                                        const char *const *drive);
/* Column of that name, -1: none. */
int gdyn_overlay_column(const gdyn_overlay_simulation *of, const char *name);
/* overlay_simulation of the columns named, which every source has. */
gdyn_status gdyn_picture_overlay_simulation(const gdyn_overlay *o,
                                            const gdyn_overlay_simulation *of, int count,
                                            const char *const *column);
/* overlay_front of the objectives named, at most six of them. */
gdyn_status gdyn_picture_overlay_front(const gdyn_overlay *o, const gdyn_overlay_front *of,
                                       int objectives, const char *const *objective);

#endif
