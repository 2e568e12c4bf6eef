/* simulation.h - simulations as tables, documents and pictures. */
#ifndef GDYN_REPORT_SIMULATION_H
#define GDYN_REPORT_SIMULATION_H

#include "report/report.h"
#include "simulate/record.h"
#include "trajectory/playback.h"

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
/* A drawing of some poses, and of all as an animated GIF. */
gdyn_status gdyn_picture_animation(const char *folder, const gdyn_simulated *run,
                                   gdyn_pictures *pictures, const gdyn_sink *sink);
/* The ways of recorded points. */
gdyn_status gdyn_picture_paths(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink);
/* Pictures as scripts with their data: motion, paths, residuals, energy, reactions, assembly,
 * closings, animation; added to `pictures`. */
gdyn_status gdyn_pictures_of_simulation(const char *folder, const gdyn_simulated *run,
                                        gdyn_pictures *pictures, const gdyn_sink *sink);

#endif
