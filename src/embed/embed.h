/* embed.h - the library for other languages: a handle, texts, and arrays of doubles; no structs.
 *
 * Each function that can fail returns 0 or NULL then, and gdyn_embed_message says why. Texts that
 * are returned belong to the handle and hold until its next call; texts that are passed are copied.
 * A handle serves one thread at a time: callers with several lock it. A process forked while
 * another thread is in a call must not use that handle. The Python package (scripts/python) stands
 * on these functions alone. */
#pragma once

#include "base/api.h"

GDYN_API_BEGIN

typedef struct gdyn_embed gdyn_embed;

/* Opens a case file, or the text of one (is_text != 0; relative names in it count from the working
 * folder). A case with errors is opened, too: then gdyn_embed_message is not empty and nothing but
 * closing works. NULL: memory is out. */
gdyn_embed *gdyn_embed_open(const char *source, int is_text);
void gdyn_embed_close(gdyn_embed *e);
/* Diagnostics of the last call, as the program prints them; "" when there were none. */
const char *gdyn_embed_message(const gdyn_embed *e);

/* Sets a parameter: "leg=620 mm"; holds from then on. The last value of a parameter counts. 1 on
 * success. */
int gdyn_embed_set(gdyn_embed *e, const char *setting);

/* Runs a command of the program and returns its document (--json): "check", "modes", "workspace",
 * "regions", "reactions", "traverse", "feasible" or "simulate". options: a line for each, as on the
 * command line, "--trajectory=circle\n--steps=500"; NULL: none. Nothing is printed or written; one
 * command at a time runs in a process, others wait. */
const char *gdyn_embed_run(gdyn_embed *e, const char *command, const char *options);
/* The same with the option --trajectory, or NULL for all. */
const char *gdyn_embed_document(gdyn_embed *e, const char *what, const char *trajectory);
/* A file that the program would have written in the last command that ran, "motion.csv"; NULL:
 * there is none. The name of file `index`, NULL behind the last. */
const char *gdyn_embed_file(const gdyn_embed *e, const char *name);
const char *gdyn_embed_file_name(const gdyn_embed *e, int index);
/* Errors of the last call, as with --json, a document of one error in each line. */
const char *gdyn_embed_errors(const gdyn_embed *e);
/* From any thread: the present command or search ends as soon as it can, as a failure. Those
 * without such places (check, regions, modes, reactions) end with their results. */
void gdyn_embed_interrupt(gdyn_embed *e);

/* Number of "variables", "objectives", "constraints" or "responses" of the case (responses:
 * parameters, criteria of the machine and of its trajectories); -1 on failure. */
int gdyn_embed_count(gdyn_embed *e, const char *what);
/* Name of one of them, and its unit ("" where it has none). */
const char *gdyn_embed_name(gdyn_embed *e, const char *what, int index);
const char *gdyn_embed_unit(gdyn_embed *e, const char *what, int index);
/* Bounds and start of the design variables; step: 1 where values are whole numbers (of choices:
 * their index), else 0. Arrays of variables. 1 on success. */
int gdyn_embed_bounds(gdyn_embed *e, double *min, double *max, double *start, double *step);
/* sense: 1 for each objective that is maximized, else -1. relation (1: >=, -1: <=, 0: =) and right
 * side of each constraint. 1 on success. */
int gdyn_embed_goals(gdyn_embed *e, double *sense, double *relation, double *right);

/* Evaluates `count` designs x (count rows of variables) with that many threads (0: all processors).
 * Results, a row per design, NAN where there is no value: objectives, left sides of constraints,
 * responses; status: see gdyn_embed_status; violation and failure as in the archive of a study.
 * Arrays may be NULL. all != 0: all responses; else what the formulas need. 1 on success; a design
 * that fails is a result. */
int gdyn_embed_evaluate(gdyn_embed *e, int count, const double *x, int threads, int all,
                        double *objectives, double *constraints, double *responses, double *status,
                        double *violation, double *failure);
/* A design of a search: its number, and why it is not ok; 0 ends the search. */
typedef int gdyn_embed_visit(void *context, int number, const char *reason);
/* Searches the design variables. The arrays (variables, objectives, constraints, responses; status,
 * violation, failure; NULL: not wanted) hold each design while visit is called, on this thread. The
 * numbers are those of `optimize`. evaluations, seed: negative: as the case says; threads: 0: all
 * processors. 1 on success, also where visit ended it. */
int gdyn_embed_search(gdyn_embed *e, int evaluations, double seed, int threads,
                      double *const *arrays, gdyn_embed_visit *visit, void *context);
/* Why design `index` of the last evaluation is not ok, "" when it is. */
const char *gdyn_embed_reason(gdyn_embed *e, int index);
/* "ok", "infeasible", "closed-region", ... by the number that gdyn_embed_evaluate gives; NULL
 * behind the last. */
const char *gdyn_embed_status(int number);

GDYN_API_END
