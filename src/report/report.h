/* report.h - tables, documents and pictures of what was computed.
 *
 * Nothing here computes regions: it writes what it is given. Files are written to a temporary name
 * and renamed, so that a reader never sees half a file. Infinities and missing values are null in
 * JSON, "inf" and empty in CSV. */
#pragma once

#include "base/diag.h"
#include "base/text.h"
#include "reactions/proposals.h"
#include "simulate/record.h"
#include "trajectory/examination.h"
#include "trajectory/modes.h"
#include "trajectory/path_reactions.h"
#include "trajectory/playback.h"
#include "trajectory/trajectory.h"
#include "workspace/field.h"

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
/* name NULL: no file, what is written goes to the copy. Close it in any case: with GDYN_OK the file
 * appears, with another status, which is returned, it does not. What is written to a file that
 * could not be opened goes to the copy alone. */
gdyn_status gdyn_output_open(gdyn_output *output, const char *folder, const char *name,
                             const gdyn_sink *sink);
gdyn_status gdyn_output_close(gdyn_output *output, gdyn_status status);
/* From here on files are handed over piece by piece, by their names without folder, in place of
 * being written; folders are not made. NULL: they are written again. */
typedef void gdyn_output_taker(void *context, const char *name, const char *bytes, size_t length);
void gdyn_output_divert(gdyn_output_taker *taker, void *context);
/* For signal handlers that end the program: removes the file that is being written and ends
 * gnuplot. Returns how many files this process has completed. */
int gdyn_report_abandon(void);

/* All coordinates of joints, one after another: begin with {0}; false behind the last one. */
typedef struct gdyn_joint_coordinate {
    int index, joint;
    gdyn_freedom freedom;
    int count;           /* coordinates of this joint */
    int seen, next, own; /* where it goes on */
} gdyn_joint_coordinate;
bool gdyn_joint_coordinate_next(const gdyn_model *model, gdyn_joint_coordinate *c);
/* "ground" where the body is the ground. */
const char *gdyn_body_name(const gdyn_model *model, int body);

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
    const char *folder; /* that has them */
    gdyn_sink sink;
    gdyn_status status; /* the first failure: nothing is written after it */
    int count, capacity;
    char (*stem)[160];
    bool partial; /* the command left some out on request: those it wrote earlier stay */
} gdyn_pictures;
/* Adds a picture; false when memory is out. */
bool gdyn_pictures_add(gdyn_pictures *pictures, const char *stem);
void gdyn_pictures_free(gdyn_pictures *pictures);

/* All pictures of `check`: the machine, ranges along the trajectories. */
void gdyn_pictures_of_examination(gdyn_pictures *pictures, const gdyn_examination *examination);
/* All pictures of regions, as scripts with their data; what was written is added to `pictures`. */
void gdyn_pictures_of_regions(gdyn_pictures *pictures, const gdyn_trajectory *t);
/* Notes in FOLDER/pictures.list which pictures `command` has there, and removes those that it had
 * written there earlier and no more; not after a failure, which is returned. */
gdyn_status gdyn_pictures_settle(const gdyn_pictures *pictures, const char *command);
/* The pictures that FOLDER/pictures.list names, each once. */
gdyn_status gdyn_pictures_listed(gdyn_pictures *pictures);
/* True when gnuplot can be found in an absolute folder of PATH. */
bool gdyn_gnuplot_present(void);
/* Runs gnuplot, one process, on all of them: STEM.png and STEM.svg appear complete or not at
 * all. GDYN_ERROR_EXTERNAL after a warning when gnuplot is missing, a script fails, or takes
 * longer than GLOBDYN_PICTURE_SECONDS (environment, default 120): then those behind it are left
 * out. */
gdyn_status gdyn_pictures_draw(const gdyn_pictures *pictures);

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
/* What the second line of a script says: "# Layout: 1000 wide, moves, turns". */
typedef struct gdyn_picture_head {
    double wide; /* [1/96 inch]; 0: no such line */
    bool moves;  /* it is drawn as a GIF, too */
    bool turns;  /* it shows a machine in space, whose view can be chosen */
} gdyn_picture_head;
gdyn_picture_head gdyn_picture_head_of(const char *folder, const char *stem);
/* Draws pictures that are there as scripts once more, in one format. Like gdyn_pictures_draw; a
 * script of an earlier release that knows no looks is a GDYN_ERROR_FILE, a still picture has no
 * GIF. */
gdyn_status gdyn_pictures_plot(const gdyn_pictures *pictures, const gdyn_picture_look *look);

/* --- several folders over each other (overlay.c) ---------------------------------------------- */

enum { GDYN_OVERLAY_MOST = 8 };
/* A folder with results, and what pictures call it. */
typedef struct gdyn_overlay_source {
    const char *folder, *label;
} gdyn_overlay_source;

/* Regions, limits over p, fastest motions, drive forces, simulations and fronts of `count`
 * folders (2 to GDYN_OVERLAY_MOST) over each other, as scripts; what was written is
 * added to `pictures`. They are read from regions.json, traverse.json, simulate.json and
 * front.json, all of which are checked before the folder is made and anything is written.
 * trajectory: this one alone, NULL: all. columns: of simulations, "A,B,..."; NULL: the usual ones.
 * What only some have is left out with a warning.
 * GDYN_ERROR_INPUT after an error where folders do not fit together: another path, other units,
 * nothing in common; GDYN_ERROR_FILE where a document cannot be read. */
gdyn_status gdyn_pictures_of_columns(gdyn_pictures *pictures, int count,
                                     const gdyn_overlay_source *source, const char *trajectory,
                                     const char *columns);

/* --- motions: the fastest ones, given ones ---------------------------------------------------- */

/* t,p,d1,d2,... of the fastest motions of all trajectories; their audits. */
void gdyn_report_traverse_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
void gdyn_report_audit_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
gdyn_status gdyn_report_traverse_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_trajectory *t);

/* The verdict on a given motion. */
/* The document of a command that failed with that exit code. */
gdyn_status gdyn_report_errors(gdyn_text *out, int code, int count, const gdyn_diag *error);
/* "m", "rad" of a drive with that unit of force; "": not known. */
const char *gdyn_unit_of_way(const char *force);
void gdyn_report_feasible_csv(gdyn_text *out, int count, const gdyn_trajectory *t);
gdyn_status gdyn_report_feasible_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_trajectory *t);

/* Unit of p, as headers of tables state it; NULL where the trajectories differ. */
const char *gdyn_csv_unit_of_p(int count, const gdyn_trajectory *t);

/* --- poses_csv.c: where the machine is at the points of motions ------------------------------- */

typedef struct gdyn_pose_table gdyn_pose_table;
/* A table for trajectories of one machine, with a header: t, p (with its unit when it is the
 * same for all), every body's pose as in a case file, position and speed of every drive. NULL
 * when memory is out. */
gdyn_pose_table *gdyn_pose_table_create(int count, const gdyn_trajectory *t);
void gdyn_pose_table_destroy(gdyn_pose_table *table);
/* The machine at that sample of the motion of a trajectory, the dynamics being there, for the
 * visits of gdyn_trajectory (context: the table); nothing where its speeds are not known. */
void gdyn_pose_table_begin(gdyn_pose_table *table, const gdyn_trajectory *t);
void gdyn_pose_table_add(void *context, int sample, const gdyn_path_dynamics *dynamics);
gdyn_text *gdyn_pose_table_text(gdyn_pose_table *table);

/* --- picture_traverse.c ----------------------------------------------------------------------- */

/* NAME_phase: phase plane with the greatest accessible speed, the controllable set and the
 * motion, limiting drives as a strip. NAME_forces: drive forces against time. Of a given motion
 * NAME_motion and NAME_motion_forces. What was written is added to `pictures`. */
void gdyn_pictures_of_motion(gdyn_pictures *pictures, const gdyn_trajectory *t);

/* --- motions at equal time steps, for controllers --------------------------------------------- */

/* trajectory, t, p, d1, d2; position, speed and acceleration of every coordinate of a joint; forces
 * of the drives. */
void gdyn_report_motion_heads(gdyn_text *out, int count, const gdyn_trajectory *t);
/* The rows of one trajectory that has a motion (gdyn_equal_steps_visit), with columns for that many
 * tools; message: ROS's JointTrajectory of the joints with drives, "" where there is none. */
gdyn_status gdyn_report_motion_rows(gdyn_text *out, gdyn_text *message, gdyn_trajectory *t,
                                    int tools, double step, gdyn_equal_steps *result);
/* Most tools of a path: those of the heads. */
int gdyn_report_motion_tools(int count, const gdyn_trajectory *t);

/* --- simulations ------------------------------------------------------------------------------ */

/* What was simulated; all borrowed. */
typedef struct gdyn_simulated {
    const char *name; /* of the case */
    const gdyn_simulation_def *def;
    const gdyn_sim_start *start;
    gdyn_sim_outcome outcome;
    const gdyn_record *record;
    const gdyn_simulation *simulation; /* for its events */
    const gdyn_assembly *assembly;     /* ways from the first guess */
    int assemblies;
    long steps, evaluations;
    const gdyn_trajectory *trajectory; /* of a motion that was played; NULL: none */
    gdyn_planned planned;              /* of it */
} gdyn_simulated;

/* A row per time; heads state units. What is not unique is empty. */
void gdyn_report_simulation_csv(gdyn_text *out, const gdyn_simulated *run);
/* A row per better pose on the way of each method from the first guess to the assembled machine. */
void gdyn_report_assembly_csv(gdyn_text *out, const gdyn_simulated *run);
/* One document: how it was simulated, how it ended, columns with units and verdicts, rows. */
gdyn_status gdyn_report_simulation_json(gdyn_text *out, const gdyn_simulated *run);
/* A drawing of some poses, and of all as an animated GIF; the ways of recorded points. */
struct gdyn_figure;
void gdyn_animation_figure(struct gdyn_figure *figure, const gdyn_simulated *run);
void gdyn_paths_figure(struct gdyn_figure *figure, const gdyn_simulated *run);
/* Pictures as scripts with their data: motion, paths, residuals, energy, reactions, assembly,
 * closings, animation; added to `pictures`. */
void gdyn_pictures_of_simulation(gdyn_pictures *pictures, const gdyn_simulated *run);

/* --- workspaces ------------------------------------------------------------------------------- */

gdyn_status gdyn_report_workspaces_json(gdyn_text *out, const gdyn_instance *instance, int count,
                                        const gdyn_workspace_field *field);
/* One line for each node: workspace, place, status, values, what bounds acceleration and force. */
void gdyn_report_workspaces_csv(gdyn_text *out, const gdyn_instance *instance, int count,
                                const gdyn_workspace_field *field);
/* The pictures of a workspace, scripts with their data (picture_workspace.c): a curve over a
 * line, maps of a plane, slices of a box; what was written is added to `pictures`. */
void gdyn_picture_workspace(gdyn_pictures *pictures, const gdyn_workspace_field *field);

/* --- modes ------------------------------------------------------------------------------------ */

/* "poses:" with a pose m1, m2, ... of each mode, indented to stand under machine:. */
void gdyn_report_modes_yaml(gdyn_text *out, const gdyn_modes *modes);
gdyn_status gdyn_report_modes_json(gdyn_text *out, const gdyn_modes *modes);
/* The modes side by side, at most 24; what was written is added to `pictures`. */
void gdyn_pictures_of_modes(gdyn_pictures *pictures, const gdyn_modes *modes);

/* --- reactions -------------------------------------------------------------------------------- */

typedef struct gdyn_reaction_document gdyn_reaction_document; /* JSON in the making */
gdyn_reaction_document *gdyn_reaction_document_create(const char *case_name, unsigned methods,
                                                      const char *convention);
void gdyn_reaction_document_destroy(gdyn_reaction_document *document);
void gdyn_reaction_document_frame(gdyn_reaction_document *document,
                                  const gdyn_reaction_frame *frame);
void gdyn_reaction_document_ranks(gdyn_reaction_document *document, const char *trajectory,
                                  const gdyn_ranks *ranks);
void gdyn_reaction_document_proposals(gdyn_reaction_document *document,
                                      const gdyn_instance *instance,
                                      const gdyn_proposals *proposals);
gdyn_status gdyn_reaction_document_text(const gdyn_reaction_document *document, gdyn_text *out);

/* trajectory,p,d1,d2,joint,component,verdict,value,unit,convention */
void gdyn_report_reactions_header(gdyn_text *out);
void gdyn_report_reactions_csv(gdyn_text *out, const gdyn_reaction_frame *frame,
                               const char *convention);

/* Stretches of one verdict of every component, and the points of lower rank between them, into what
 * gdyn_reaction_document_ranks wrote for the trajectory. */
void gdyn_reaction_document_stretches(gdyn_reaction_document *document,
                                      const gdyn_path_reactions *along);
/* Unique reactions as lines, the others as hatched strips without a line. */
void gdyn_picture_reactions(gdyn_pictures *pictures, const gdyn_path_reactions *along);
/* The machine at a pose, joints coloured by verdict: NAME_verdicts. */
void gdyn_picture_verdicts(gdyn_pictures *pictures, const char *name, const gdyn_reactions *r,
                           const gdyn_state *state);
