/* report.h - tables, documents and pictures of what was computed.
 *
 * Nothing here computes regions: it writes what it is given. Files are written to a temporary name
 * and renamed, so that a reader never sees half a file. Infinities and missing values are null in
 * JSON, "inf" and empty in CSV. */
#ifndef GDYN_REPORT_REPORT_H
#define GDYN_REPORT_REPORT_H

#include "base/diag.h"
#include "base/text.h"
#include "trajectory/examination.h"
#include "trajectory/trajectory.h"

#include <stdio.h>

/* --- files (file.c) --------------------------------------------------------------------------- */

/* Makes the folder and its parents. */
gdyn_status gdyn_report_folder(const char *folder, const gdyn_sink *sink);
/* Writes `folder`/`name` (folder NULL: `name` as it is) through a temporary file. */
gdyn_status gdyn_report_write(const char *folder, const char *name, const char *bytes,
                              size_t length, const gdyn_sink *sink);
/* A file that is written piece by piece: append to `text`, whose taker writes it. One at a time. */
typedef struct gdyn_output {
    gdyn_text text;
    FILE *copy; /* gets the same bytes, standard output; NULL by default */
    FILE *file;
    int error; /* errno of the first failure; 0: none */
    gdyn_text final, temporary;
    const gdyn_sink *sink;
} gdyn_output;
/* Close it in any case: with GDYN_OK the file appears, with another status, which is returned,
 * it does not. What is written to a file that could not be opened goes to the copy alone. */
gdyn_status gdyn_output_open(gdyn_output *output, const char *folder, const char *name,
                             const gdyn_sink *sink);
gdyn_status gdyn_output_close(gdyn_output *output, gdyn_status status);
/* For signal handlers that end the program: removes the file that is being written and ends
 * gnuplot. Returns how many files this process has completed. */
int gdyn_report_abandon(void);
/* A name for files made from a name of the case: other characters than letters, digits, '-', '.'
 * become '_'. */
void gdyn_report_file_name(const char *name, char *out, size_t size);

/* --- tables and documents (csv.c, json.c) ----------------------------------------------------- */

/* Sampled regions of all trajectories:
 * trajectory,p,d1,d2_min,d2_max,active_min,active_max,status. */
void gdyn_report_regions_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
/* Coefficients of machines whose evaluations are not lean:
 * trajectory,p,drive,A,B,C,D,V1..Vr,min,max,unit and what else its reader needs for the same
 * regions (coefficients_csv.c). */
void gdyn_report_coefficients_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
/* The document of design: regions with their arcs, exact. */
gdyn_status gdyn_report_regions_json(gdyn_text *out, const char *case_name, int count,
                                     const gdyn_trajectory *t);
/* examination_json.c: the machine as `check --json` has it. */
gdyn_status gdyn_report_examination_json(gdyn_text *out, const gdyn_examination *examination);
/* The same of a case without machine: its variables, objectives and constraints. */
gdyn_status gdyn_report_goals_json(gdyn_text *out, const gdyn_instance *instance);

/* --- pictures (gnuplot.c, picture_*.c) -------------------------------------------------------- */

/* Each writes NAME_regions.gp and NAME_regions.dat (and so on) into the folder; gnuplot makes a PNG
 * and an SVG from the script. */

/* `count` of the points, evenly spread over those with a region; returns their number. */
int gdyn_report_spread(const gdyn_region_points *at, int count, int *points);
/* Names of the pictures that a command has written, without extension. */
typedef struct gdyn_pictures {
    int count, capacity;
    char (*stem)[160];
    bool partial; /* the command left some out on request: those it wrote earlier stay */
} gdyn_pictures;
/* Adds a picture; false when memory is out. */
bool gdyn_pictures_add(gdyn_pictures *pictures, const char *stem);
void gdyn_pictures_free(gdyn_pictures *pictures);

/* All pictures of `check`: the machine, ranges along the trajectories. */
gdyn_status gdyn_pictures_of_examination(const char *folder, const gdyn_examination *examination,
                                         gdyn_pictures *pictures, const gdyn_sink *sink);
/* All pictures of regions, as scripts with their data; what was written is added to `pictures`. */
gdyn_status gdyn_pictures_of_regions(const char *folder, const gdyn_trajectory *t,
                                     gdyn_pictures *pictures, const gdyn_sink *sink);
/* Notes in FOLDER/pictures.list which pictures `command` has there, and removes those that it had
 * written there earlier and no more. */
gdyn_status gdyn_pictures_settle(const gdyn_pictures *pictures, const char *folder,
                                 const char *command, const gdyn_sink *sink);
/* The pictures that FOLDER/pictures.list names, each once. */
gdyn_status gdyn_pictures_listed(const char *folder, gdyn_pictures *pictures,
                                 const gdyn_sink *sink);
/* True when gnuplot can be found in an absolute folder of PATH. */
bool gdyn_gnuplot_present(void);
/* Runs gnuplot, one process, on all of them: STEM.png and STEM.svg appear complete or not at
 * all. GDYN_ERROR_EXTERNAL after a warning when gnuplot is missing, a script fails, or takes
 * longer than GLOBDYN_PICTURE_SECONDS (environment, default 120): then those behind it are left
 * out. */
gdyn_status gdyn_pictures_draw(const gdyn_pictures *pictures, const char *folder,
                               const gdyn_sink *sink);

extern const char *const gdyn_picture_formats[]; /* "png", "svg", "pdf", "gif"; NULL-terminated */
typedef struct gdyn_picture_look {
    int format; /* of gdyn_picture_formats */
    double width,
        height;     /* of the page [m]; 0: as it was laid out, in the proportion of the other */
    double letters; /* size of text [pt]; 0: in the proportion of the width */
    bool turned;
    double tilt, turn; /* of machines in space [deg], when turned */
    const char *into;  /* folder; NULL: that of the scripts */
} gdyn_picture_look;
/* The script also draws a GIF. */
bool gdyn_picture_moves(const char *folder, const char *stem);
/* The script draws a machine in space, whose view can be chosen. */
bool gdyn_picture_turns(const char *folder, const char *stem);
/* Draws pictures that are there as scripts once more, in one format. Like gdyn_pictures_draw; a
 * script of an earlier release that knows no looks is a GDYN_ERROR_FILE, a still picture has no
 * GIF. */
gdyn_status gdyn_pictures_plot(const gdyn_pictures *pictures, const char *folder,
                               const gdyn_picture_look *look, const gdyn_sink *sink);

/* --- several folders over each other (overlay.c) ---------------------------------------------- */

enum { GDYN_OVERLAY_MOST = 8 };
/* A folder with results, and what pictures call it. */
typedef struct gdyn_overlay_source {
    const char *folder, *label;
} gdyn_overlay_source;

/* Regions, limits over p, fastest motions, drive forces, simulations and fronts of `count`
 * folders (2 to GDYN_OVERLAY_MOST) over each other, as scripts in `folder`; what was written is
 * added to `pictures`. They are read from regions.json, traverse.json, simulate.json and
 * front.json, all of which are checked before the folder is made and anything is written.
 * trajectory: this one alone, NULL: all. columns: of simulations, "A,B,..."; NULL: the usual ones.
 * What only some have is left out with a warning.
 * GDYN_ERROR_INPUT after an error where folders do not fit together: another path, other units,
 * nothing in common; GDYN_ERROR_FILE where a document cannot be read. */
gdyn_status gdyn_pictures_of_columns(const char *folder, int count,
                                     const gdyn_overlay_source *source, const char *trajectory,
                                     const char *columns, gdyn_pictures *pictures,
                                     const gdyn_sink *sink);

#endif
