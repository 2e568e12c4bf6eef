/* front.h - tables, documents and pictures of a study's result. */
#pragma once

#include "base/text.h"
#include "report/report.h"
#include "study/choose.h"
#include "study/study.h"
#include "study/sweep.h"

/* A study that has run. Everything is borrowed. */
typedef struct gdyn_outcome {
    const char *case_name;
    const gdyn_study *study;
    const gdyn_study_options *options;
    const gdyn_study_result *result;
} gdyn_outcome;

/* --- what is known of designs ----------------------------------------------------------------- */

typedef enum gdyn_trait_kind {
    GDYN_TRAIT_VARIABLE,
    GDYN_TRAIT_OBJECTIVE,
    GDYN_TRAIT_CONSTRAINT,
    GDYN_TRAIT_CRITERION, /* a response of the study */
    GDYN_TRAIT_KINDS
} gdyn_trait_kind;

typedef struct gdyn_trait {
    gdyn_trait_kind kind;
    int index; /* among its kind */
    const char *name;
    char unit[40]; /* "" of choices and pure numbers */
} gdyn_trait;

/* How many there are; one of them; its name; its value in a design, NAN where it is not known. */
int gdyn_traits(const gdyn_study *study, gdyn_trait_kind kind);
gdyn_trait gdyn_trait_of(const gdyn_study *study, gdyn_trait_kind kind, int index);
const char *gdyn_trait_name(const gdyn_study *study, gdyn_trait_kind kind, int index);
double gdyn_trait_value(gdyn_trait_kind kind, int index, const gdyn_design *design);

/* --- tables and documents --------------------------------------------------------------------- */

/* Writers that pass the text on design by design (gdyn_text_pass_on); GDYN_ERROR_MEMORY. */
typedef gdyn_status gdyn_outcome_writer(gdyn_text *out, const gdyn_outcome *outcome);

/* One row per design of the front: id, design.*, objective.*, constraint.*, then every response of
 * the machine and its trajectories and the joints whose reactions are not unique. What is not known
 * is empty. */
gdyn_outcome_writer gdyn_report_front_csv;
/* One row per evaluated design: id, status, violation, failure, nondominated, design.*,
 * objective.*, constraint.*, reason. */
gdyn_outcome_writer gdyn_report_designs_csv;
/* All designs with everything known: the columns of both. */
gdyn_outcome_writer gdyn_report_export_csv;
/* {format, tool, case, objectives, design: {id, status, values, ..., reason, violation, failure}},
 * with null_motions of the instance (NULL: they are not known) and `drives` of trajectories with
 * motions, and the same with designs: [...], each with `nondominated`. */
gdyn_status gdyn_report_design_json(gdyn_text *out, const char *case_name,
                                    const gdyn_instance *instance, const gdyn_study *study,
                                    const gdyn_design *design, int count,
                                    const gdyn_trajectory *trajectory);
gdyn_outcome_writer gdyn_report_designs_json;
/* {format, tool, case, search: {...}, objectives: [...], designs: [{id, status, values, objectives,
 * constraints, criteria, reactions}], hypervolume, reference}; no times, so that the same seed
 * gives the same bytes. */
gdyn_outcome_writer gdyn_report_front_json;

/* {format, tool, case, rule, feasible, candidates, score, distance, objectives: [{name, sense,
 * formula, unit, value, best, worst, loss, weight, target, neighbour: {id, objectives}}], design:
 * {as in front.json}}; without a candidate `infeasible` as in front.json. */
gdyn_status gdyn_report_pick_json(gdyn_text *out, const char *case_name, const gdyn_pick *pick,
                                  const gdyn_pick_wish *wish);
/* {format, tool, case, constraint, objectives, levels: [{limit, stated, front, hypervolume, best:
 * {NAME: {value, design}}}]} */
gdyn_status gdyn_report_limit_cost_json(gdyn_text *out, const char *case_name,
                                        const char *constraint, const gdyn_study *study,
                                        const gdyn_limit_cost *cost);

/* {format, tool, measure, sense, groups: [{name, median, quartiles: [low, high], studies: [{study,
 * method, population, seed, designs, feasible, value}]}], tests: [{a, b, ahead, p, p_holm}]}; null
 * for the value of a study without a feasible design. */
gdyn_status gdyn_report_groups_json(gdyn_text *out, const gdyn_run_comparison *comparison);

/* One row per generation: generation, evaluations, population, feasible, front, hypervolume, moved
 * (the reference point did), status.* (designs of the generation by status). */
gdyn_outcome_writer gdyn_report_history_csv;

/* progress_json.c: a line each for whoever watches a long run. left: seconds, negative when they
 * are not known; best: the greatest hypervolume so far. Of a simulation, t of its duration; of a
 * path, how many places are evaluated. */
gdyn_status gdyn_report_progress_json(gdyn_text *out, const gdyn_study_progress *progress,
                                      double rate, double left, double best, bool moved);
gdyn_status gdyn_report_progress_count_json(gdyn_text *out, const char *what, long count, long most,
                                            double seconds);
gdyn_status gdyn_report_progress_time_json(gdyn_text *out, double t, double duration,
                                           double seconds);
gdyn_status gdyn_report_progress_path_json(gdyn_text *out, const char *trajectory, long places,
                                           double seconds);

/* All pictures of a study, as scripts with their data; what was written is added to `pictures`:
 *   front         the designs in the plane of every pair of objectives
 *   parallel      the front in parallel coordinates
 *   variables     objectives over the design variables
 *   history       hypervolume and feasible share over the generations
 *   failures      designs by status of each generation
  *   TRAJ_designs  regions of the front's extreme designs over that of the start design
 * Of a sweep: variables, and with two objectives and more the front. */
void gdyn_picture_study(gdyn_pictures *pictures, const gdyn_outcome *outcome, bool sweep);

/* --- a sweep of one variable at a time -------------------------------------------------------- */

void gdyn_report_effects_csv(gdyn_text *out, const gdyn_sweep *sweep, int count,
                             const gdyn_effect *effect);
/* A row per result and variable (study/indices.h). */
void gdyn_report_indices_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_indices *indices);
/* Spreads of the results and the shares of the variables (study/variances.h). */
void gdyn_report_shares_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_spread *spread,
                            const double *share);
/* sensitivity.gp: a panel per result that some variable moves (at most six; the heading tells
 * how many there are), a curve per variable (the eight strongest). */
void gdyn_picture_effects(gdyn_pictures *pictures, const gdyn_sweep *sweep, int count,
                          const gdyn_effect *effect);
