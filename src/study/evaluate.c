/* evaluate.c - one design: machine -> trajectories -> responses -> formulas -> status.
 *
 * What goes wrong is gathered as a failure with a stage and an amount (see study.h); it counts only
 * when a formula needs what is missing. */
#include "study/internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "closure/closure.h"
#include "path/path.h"
#include "trajectory/trajectory.h"
#include "workspace/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Work on one design. */
typedef struct job {
    const gdyn_study *study;
    gdyn_design *design;
    gdyn_instance *instance;
    gdyn_extent extent;
    gdyn_closure *closure;         /* for all that is closed */
    gdyn_state *closed;            /* the machine closed by itself from its first guess */
    gdyn_closure_info closing;     /* of it */
    gdyn_solvability *solvability; /* NULL: reactions are not judged */
    gdyn_criteria machine;         /* of the machine, while they are */
    gdyn_failure worst;
    double amount_sum; /* of the failures at the worst stage */
    int needed;        /* trajectories and poses that formulas need */
} job;

/* Of all failures those of the worst stage count; their amounts add up. */
static void add_failure(job *j, const gdyn_failure *t) {
    if (t->stage > j->worst.stage)
        j->worst = *t, j->amount_sum = 0;
    if (t->stage == j->worst.stage)
        j->amount_sum += t->amount;
}

/* --- one trajectory ----------------------------------------------------------------------- */

/* What keeps criteria of the trajectory without a value, whether or not a formula needs them. Where
 * nothing is given to judge the design by, the trajectories themselves are what is asked. */
static void tell_failure(job *j, int t, const gdyn_evaluation *e) {
    const char *name = j->study->start->trajectory[t].name;
    const gdyn_singularity *block = gdyn_singularities_block(&e->singular, -INFINITY, INFINITY);
    gdyn_failure found = {.stage = GDYN_STAGE_NONE};
    if (!j->design->not_passed)
        return;
    if (e->track->reach < 1)
        found = gdyn_failure_of_path(gdyn_state_model(e->track->state[0]), name, e->track,
                                     &e->singular);
    else if (gdyn_empty_points(e) > 0)
        found = gdyn_failure_empty(name, e);
    else if (block)
        found = gdyn_failure_singular(name, block, e->track);
    memcpy(j->design->not_passed[t], found.reason, sizeof found.reason);
    if (found.stage != GDYN_STAGE_NONE && j->study->formulas == 0)
        add_failure(j, &found);
}

/* Whether the value has a meaning: a machine without drives has no region, along a path that cannot
 * be followed from end to end only `reach` does, and where regions are empty their number does, but
 * nothing made of regions. */
static bool usable(const gdyn_study *s, int response, const gdyn_evaluation *e) {
    const gdyn_criterion_row *row = &gdyn_criterion_table[s->row[response]];
    bool mixed;
    gdyn_instance_effort(s->start, &mixed);
    /* the largest of forces and torques is no quantity */
    return !(mixed && row->effort != 0) && !gdyn_study_never_evaluated(s, response) &&
           (!(row->presumes & GDYN_PRESUMES_PATH) || e->track->reach >= 1) &&
           (!(row->presumes & GDYN_PRESUMES_REGIONS) || gdyn_empty_points(e) == 0);
}

/* Takes over the criteria of a trajectory; of those that formulas need but do not get, the worst
 * failure counts. */
static void take_criteria(job *j, int number, const gdyn_trajectory *t,
                          const gdyn_criteria *error) {
    const gdyn_study *s = j->study;
    const gdyn_evaluation *e = t->evaluation;
    gdyn_failure worst = {.stage = GDYN_STAGE_NONE};
    for (int c = 0; c < s->criteria; c++) {
        /* Responses: parameters, machine, then each trajectory's criteria in turn. */
        int response = s->parameters + s->machine + number * s->criteria + c;
        int row = s->row[response];
        /* Criteria of a range come from its travel, the others from the vocabulary. */
        double value = s->range[response] < 0
                           ? t->criteria.value[row]
                           : gdyn_travel_value(&e->track->travel[s->range[response]], row);
        if (usable(s, response, e)) {
            gdyn_design_set(j->design, response, value);
            if (j->design->error && s->range[response] < 0)
                j->design->error[response] = error->value[row];
        }
        if (!j->design->known[response] && gdyn_study_formulas_use(s, response)) {
            gdyn_failure found = gdyn_failure_of_criterion(t->name, row, value, e, &t->fastest);
            if (found.stage > worst.stage ||
                (found.stage == worst.stage && found.amount > worst.amount))
                worst = found;
        }
    }
    if (worst.stage != GDYN_STAGE_NONE)
        add_failure(j, &worst);
}

/* The trajectory begins where the machine is closed by itself: its weights do not choose another
 * pose. */
static bool begins_closed(const gdyn_path *path) {
    return !gdyn_path_definition(path)->weights;
}

/* NULL: its own weights choose another pose, or the machine cannot be closed. */
static const gdyn_state *start_of(const job *j, const gdyn_path *path) {
    return j->closing.outcome == GDYN_CLOSED && begins_closed(path) ? j->closed : NULL;
}

/* The criteria of the trajectory that formulas name: points are inserted for them, regardless of
 * what else is worked out. False: there is none. */
static bool wanted_criteria(const gdyn_study *s, int t, bool *wanted) {
    bool any = false;
    memset(wanted, 0, GDYN_CRITERIA * sizeof *wanted);
    for (int c = 0; c < s->criteria; c++) {
        int response = s->parameters + s->machine + t * s->criteria + c;
        if (s->range[response] >= 0 || !gdyn_study_formulas_use(s, response))
            continue;
        any = wanted[s->row[response]] = true;
    }
    return any;
}

/* The closure with room for that many targets; NULL: memory. */
static gdyn_closure *closure_for(job *j, int targets) {
    const gdyn_model *model = j->instance->model;
    if (j->closure && gdyn_closure_room(j->closure) >= targets)
        return j->closure;
    /* most paths prescribe a pose */
    int pose = gdyn_model_space(model) == GDYN_PLANAR ? 3 : 6;
    gdyn_closure_destroy(j->closure);
    return j->closure = gdyn_closure_create(model, targets > pose ? targets : pose);
}

/* Points that tell enough of a path that cannot be followed: the largest stride that divides the
 * path's intervals and leaves at least twelve of them; 1 when there is none. */
static int few_stride(int points) {
    int intervals = points - 1;
    for (int stride = intervals / 12; stride > 1; stride--)
        if (intervals % stride == 0)
            return stride;
    return 1;
}

/* Proving that a pose cannot be closed is expensive. When a path has such a point, where `known`
 * was left, few of its points are tried: where one of these is such, too, the design has failed. */
static gdyn_status try_few_points(job *j, int t, const gdyn_track *known, bool *failed) {
    const gdyn_model *model = j->instance->model;
    gdyn_path_def def = j->instance->trajectory[t];
    /* Both ends stay points of the path. */
    def.points = (def.points - 1) / few_stride(def.points) + 1;
    def.tolerance = 0;
    gdyn_path *path = NULL;
    gdyn_status status = gdyn_path_create(model, &def, NULL, &path);
    if (status != GDYN_OK)
        return status;
    gdyn_track *track = gdyn_track_create(model, path);
    gdyn_closure *closure = closure_for(j, gdyn_path_targets(path));
    status = track && closure ? gdyn_track_follow_on(track, path, closure, start_of(j, path), known)
                              : GDYN_ERROR_MEMORY;
    /* A single such point proves that the whole path cannot be assembled. */
    *failed = false;
    for (int i = 0; status == GDYN_OK && i < track->points; i++)
        *failed |= track->status[i] == GDYN_POINT_UNASSEMBLED;
    if (*failed) {
        gdyn_failure found =
            gdyn_failure_of_path(model, j->study->start->trajectory[t].name, track, NULL);
        add_failure(j, &found);
    }
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    return status;
}

/* Criteria of the machine are the responses behind the parameters. */
static void take_machine(job *j, const gdyn_criteria *criteria) {
    const gdyn_study *s = j->study;
    for (int r = s->parameters; r < s->parameters + s->machine; r++)
        gdyn_design_set(j->design, r, criteria->value[s->row[r]]);
}

static double *active_of(const job *j, int trajectory) {
    return j->design->active + (ptrdiff_t)trajectory * j->study->active_each;
}

/* The points at which a neighbour of the design is evaluated, and the poses that it begins with. */
static void find_active(const job *j, int number, const gdyn_trajectory *t) {
    double *active = active_of(j, number), *pose = active + 1 + GDYN_ACTIVE_POINTS;
    const gdyn_track *track = t->evaluation->track;
    bool wanted[GDYN_CRITERIA];
    int count = 0;
    if (gdyn_study_by_points(j->study, number) && wanted_criteria(j->study, number, wanted))
        count = gdyn_evaluation_active(t->evaluation, wanted, GDYN_ACTIVE_POINTS, active + 1);
    active[0] = count;
    for (int i = 0, k = 0; i < track->points && k < count && count <= GDYN_ACTIVE_POSES; i++)
        if (track->p[i] == active[1 + k])
            gdyn_state_save(track->state[i], pose + k++ * gdyn_state_numbers(j->instance->model));
}

/* The points of a design nearby stand for all; true: it knows them. */
static bool use_active(const job *j, int number, gdyn_path_def *def) {
    const double *active = j->design->difference ? active_of(j, number) : NULL;
    if (!active || active[0] == 0)
        return false;
    def->points = (int)active[0];
    def->at = active + 1, def->tolerance = 0;
    if (def->points <= GDYN_ACTIVE_POSES)
        def->pose = active + 1 + GDYN_ACTIVE_POINTS;
    return true;
}

/* All paths that formulas need begin with poses of a design nearby. */
static bool has_poses(const job *j) {
    bool all = j->design->difference;
    for (int t = 0; all && t < j->study->trajectories; t++)
        all = !j->study->need[t] ||
              (active_of(j, t)[0] > 0 && active_of(j, t)[0] <= GDYN_ACTIVE_POSES);
    return all;
}

/* The criteria of a path that was followed: the fastest motion and singular poses need regions. */
static gdyn_status judge_path(job *j, int number, unsigned need, gdyn_trajectory *t) {
    unsigned singular = need & GDYN_PASS_REGIONS && !t->settings.few ? GDYN_PASS_REACTIONS : 0;
    if (!(need & GDYN_PASS_REGIONS))
        need &= ~(unsigned)(GDYN_PASS_MOTION | GDYN_PASS_REACTIONS);
    gdyn_status status = gdyn_trajectory_take(t, need | GDYN_PASS_TRACK | singular);
    if (status != GDYN_OK)
        return status;
    gdyn_criteria error = t->evaluation->error;
    if (need & GDYN_PASS_MOTION && j->design->error)
        status = gdyn_traverse_errors(t->evaluation, t->path, &t->fastest, &t->criteria, &error);
    if (status == GDYN_OK && j->design->base == j->design->serial && j->design->active)
        find_active(j, number, t);
    if (status == GDYN_OK) {
        take_criteria(j, number, t, &error);
        tell_failure(j, number, t->evaluation);
    }
    if (status == GDYN_OK && j->solvability) {
        /* The worst of the reactions along the path. */
        status =
            gdyn_machine_along(j->solvability, t->evaluation->track, j->design->joint, &j->machine);
        take_machine(j, &j->machine);
    }
    return status;
}

/* brief: when a point cannot be assembled few points tell how bad it is. *open: none of them
 * failed, all points are needed. */
static gdyn_status evaluate_path(job *j, int number, gdyn_trajectory *t, bool brief, bool *open) {
    bool failed = true, wanted[GDYN_CRITERIA];
    gdyn_evaluation_settings *settings = &t->settings;
    settings->start = start_of(j, t->path);
    settings->closure = closure_for(j, gdyn_path_targets(t->path));
    settings->brief = brief;
    settings->wanted = wanted_criteria(j->study, number, wanted) ? wanted : NULL;
    settings->wanted_alone = settings->wanted && !j->design->error;
    gdyn_status status =
        settings->closure ? gdyn_trajectory_take(t, GDYN_PASS_FOLLOW) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && t->track->left)
        status = try_few_points(j, number, t->track, &failed);
    else if (status == GDYN_OK) {
        /* those that formulas need, or all; the seldom ones only with everything */
        unsigned all = GDYN_PASSES_OF_POINTS | GDYN_PASS_MOTION;
        unsigned need = j->study->need[number] | (j->extent == GDYN_EXTENT_NEEDED ? 0 : all);
        need |= j->extent == GDYN_EXTENT_ALL ? GDYN_PASSES_SELDOM : 0;
        status = judge_path(j, number, need, t);
    }
    *open = !failed;
    return status;
}

/* All points, unless one cannot be assembled and more than `reach` is asked for. */
static gdyn_status run_trajectory(job *j, int number) {
    gdyn_path_def def = j->instance->trajectory[number];
    bool few = use_active(j, number, &def);
    int stride = few_stride(def.points);
    /* Giving up early pays where more than `reach` is asked for. */
    bool brief = j->extent != GDYN_EXTENT_ALL && stride > 1 &&
                 (j->study->need[number] & ~(unsigned)GDYN_PASS_TRACK);
    gdyn_status status = GDYN_OK;
    /* Where none of the few points fails all are needed after all. */
    for (bool open = true; open && status == GDYN_OK; brief = false) {
        gdyn_trajectory t;
        status = gdyn_trajectory_open_path(&t, j->instance->model, &def, NULL);
        t.instance = j->instance;
        t.settings.few = few;
        open = false;
        /* A machine that cannot be closed at all need not be led along the path. */
        if (!status && brief && !def.pose && begins_closed(t.path) &&
            j->closing.outcome != GDYN_CLOSED) {
            gdyn_failure found = gdyn_failure_never_closed(t.name, t.path, j->closing.residual);
            add_failure(j, &found);
        } else if (status == GDYN_OK) {
            status = evaluate_path(j, number, &t, brief, &open);
        }
        gdyn_trajectory_close(&t);
    }
    return status;
}

/* --- the machine at its assembled pose ---------------------------------------------------- */

/* The machine closed by itself, once for all that begins there. */
static gdyn_status close_machine(job *j) {
    const gdyn_model *model = j->instance->model;
    j->closed = gdyn_state_create(model);
    gdyn_closure *closure = closure_for(j, 0);
    gdyn_status status = j->closed && closure ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_closure_solve(closure, j->closed, 0, NULL, NULL, &j->closing);
    if (status == GDYN_OK && j->closing.outcome == GDYN_CLOSED)
        gdyn_state_accept(j->closed);
    return status;
}

/* Mobility, redundancy and verdicts of the reactions at the closed pose. */
static gdyn_status judge_pose(job *j) {
    if (j->closing.outcome != GDYN_CLOSED) {
        gdyn_failure t =
            gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, gdyn_saturate(j->closing.residual),
                              GDYN_DESIGN_UNASSEMBLED, "the machine cannot be assembled");
        if (j->study->need_pose)
            add_failure(j, &t);
        return GDYN_OK;
    }
    j->solvability = gdyn_solvability_for_model(j->instance->model);
    gdyn_status status =
        j->solvability ? gdyn_solvability_of_state(j->solvability, j->closed) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        /* Verdicts of all joints and the criteria that count them. */
        j->machine = gdyn_criteria_none();
        gdyn_machine_judge(j->solvability, &j->machine);
        take_machine(j, &j->machine);
        memcpy(j->design->joint, j->solvability->joint,
               (size_t)j->solvability->joints * sizeof *j->design->joint);
        j->design->judged = true;
    }
    /* a machine without trajectories has its motions */
    double duration = j->instance->simulation.duration;
    if (status == GDYN_OK && j->study->trajectories == 0 && duration > 0 &&
        gdyn_model_motions(j->instance->model) > 0) {
        status = gdyn_machine_in_motion(j->solvability, closure_for(j, 0), j->closed, duration,
                                        j->design->joint, &j->machine);
        take_machine(j, &j->machine);
    }
    return status;
}

/* --- workspaces ------------------------------------------------------------------------------ */

/* The criteria of a workspace. */
static gdyn_status visit_nodes(job *j, int workspace) {
    const gdyn_study *s = j->study;
    gdyn_workspace_field field;
    gdyn_failure worst = {.stage = GDYN_STAGE_NONE};
    gdyn_status status = gdyn_field_find(j->instance, workspace, NULL, &field);
    int first = gdyn_study_first_of_workspaces(s) + workspace * s->values;
    for (int r = first; r < first + s->values && status == GDYN_OK; r++) {
        double value = gdyn_field_criterion(&field, s->row[r], NULL);
        if (!gdyn_study_never_evaluated(s, r))
            gdyn_design_set(j->design, r, value);
        if (j->design->known[r] || !gdyn_study_formulas_use(s, r))
            continue;
        gdyn_failure failure = gdyn_failure_of_nodes(&field, s->row[r]);
        if (failure.stage > worst.stage)
            worst = failure;
    }
    if (worst.stage != GDYN_STAGE_NONE)
        add_failure(j, &worst);
    gdyn_field_free(&field);
    return status;
}

/* --- the definition ----------------------------------------------------------------------- */

/* Keeps the first error of the reader as the reason. */
static void keep_first(void *context, const gdyn_diag *diag) {
    char *reason = context;
    if (diag->severity == GDYN_ERROR && !reason[0])
        snprintf(reason, sizeof((gdyn_design *)0)->reason, "%s", diag->message);
}

/* The machine could not be made: the distance from a valid one leads the search back. */
static void fail_definition(job *j, const char *reason) {
    /* Mean-square distance from the values in the file, in shares of the ranges: 0 .. 1. */
    double sum = 0;
    for (int i = 0; i < j->study->variables; i++) {
        double range = j->study->start->design[i].max - j->study->start->design[i].min;
        double d = range > 0 ? (j->design->x[i] - j->study->x_valid[i]) / range : 0;
        sum += d * d;
    }
    gdyn_failure t =
        gdyn_failure_make(GDYN_STAGE_FAILED, fmax(fmin(sqrt(sum / j->study->variables), 1), 1e-6),
                          GDYN_DESIGN_FAILED, "%s", reason);
    add_failure(j, &t);
}

static gdyn_status instantiate(job *j) {
    char reason[sizeof j->design->reason] = "";
    gdyn_sink sink = {keep_first, reason};
    gdyn_status status = gdyn_study_instance(j->study, j->design->x, &sink, &j->instance);
    /* lack of memory may be reported as an error of the entity that lacked it, or not at all */
    if (status != GDYN_OK && (!reason[0] || strstr(reason, gdyn_status_text(GDYN_ERROR_MEMORY))))
        status = GDYN_ERROR_MEMORY;
    if (!status && !gdyn_sampling_possible(j->study, j->instance, reason, sizeof reason)) {
        gdyn_instance_destroy(j->instance);
        j->instance = NULL;
        status = GDYN_ERROR_INPUT;
    }
    if (status != GDYN_OK && status != GDYN_ERROR_MEMORY) {
        fail_definition(j, reason);
        return GDYN_OK;
    }
    return status;
}

/* A design may not change what responses mean. */
static bool counts_agree(const gdyn_study *s, const gdyn_instance *instance) {
    int joints = instance->model ? gdyn_model_joints(instance->model) : 0;
    return instance->parameter_count == s->parameters && joints == gdyn_study_joints(s) &&
           (!instance->model || (instance->trajectory_count == s->trajectories &&
                                 instance->workspace_count == s->workspaces));
}

/* --- formulas ----------------------------------------------------------------------------- */

static void apply_formulas(job *j) {
    const gdyn_study *s = j->study;
    const gdyn_instance *start = s->start;
    gdyn_design *d = j->design;
    d->evaluated = true;
    /* Objectives first, then constraints. */
    for (int f = 0; f < s->formulas; f++) {
        bool objective = f < start->objective_count;
        int i = objective ? f : f - start->objective_count;
        bool known = true;
        for (int r = 0; r < s->responses; r++)
            known &= !s->formula[f].uses[r] || d->known[r];
        double value = known ? gdyn_expr_value(s->formula[f].expr, d->response) : NAN;
        if (!isfinite(value)) {
            d->evaluated = false;
            /* An unknown response has been reported already, unless nothing was. */
            gdyn_failure t =
                gdyn_failure_make(GDYN_STAGE_FAILED, 1, GDYN_DESIGN_FAILED, "%s '%s' is not finite",
                                  objective ? "objective" : "constraint", s->formula[f].name);
            if (known || j->worst.stage == GDYN_STAGE_NONE)
                add_failure(j, &t);
            value = 0;
        }
        if (objective)
            d->objective[i] = value + 0.0;
        else
            d->constraint[i] = value + 0.0;
    }
    /* A design without all values has none: the archive compares whole designs. */
    if (!d->evaluated) {
        memset(d->objective, 0, (size_t)start->objective_count * sizeof *d->objective);
        memset(d->constraint, 0, (size_t)start->requirement_count * sizeof *d->constraint);
    }
}

static void conclude(job *j) {
    gdyn_design *d = j->design;
    const gdyn_instance *start = j->study->start;
    /* Failed: its stage and the mean amount over all that formulas need. */
    if (j->worst.stage != GDYN_STAGE_NONE) {
        double mean = j->amount_sum / (j->needed > 0 ? j->needed : 1);
        d->failure = j->worst.stage + fmin(fmax(mean, 1e-9), 1);
        d->status = j->worst.status;
        memcpy(d->reason, j->worst.reason, sizeof d->reason);
        return;
    }
    /* Evaluated: violations add up, the first violated constraint is named. */
    const char *first = NULL;
    for (int i = 0; i < start->requirement_count; i++) {
        double missing = fmax(gdyn_study_missing(&start->requirement[i], d->constraint[i]), 0);
        d->violation += missing;
        if (missing > 0 && !first)
            first = start->requirement[i].name;
    }
    d->status = d->violation > 0 ? GDYN_DESIGN_INFEASIBLE : GDYN_DESIGN_OK;
    if (first)
        snprintf(d->reason, sizeof d->reason, "constraint '%s' is violated", first);
}

bool gdyn_study_judge(const gdyn_study *s, gdyn_design *d) {
    int stage = d->failure > 0 ? GDYN_STAGE_CLOSED : GDYN_STAGE_NONE;
    job j = {.study = s, .design = d, .worst.stage = stage};
    apply_formulas(&j);
    if (j.worst.stage == GDYN_STAGE_NONE)
        conclude(&j);
    return j.worst.stage == stage;
}

/* --- the whole design --------------------------------------------------------------------- */

static gdyn_status machine_and_trajectories(job *j) {
    const gdyn_study *s = j->study;
    gdyn_status status = GDYN_OK;
    gdyn_criteria known = gdyn_criteria_none();
    /* Mass and counts need no pose. */
    gdyn_machine_count(j->instance->model, &known);
    take_machine(j, &known);
    /* Close the machine once, for its verdicts and for all paths that begin there. */
    bool judged = s->need_pose || j->extent != GDYN_EXTENT_NEEDED;
    if (judged || (s->trajectories > 0 && !has_poses(j)))
        status = close_machine(j);
    if (!judged && status == GDYN_ERROR_NUMERIC)
        status = GDYN_OK; /* the trajectories tell why they cannot begin */
    j->needed += s->need_pose;
    if (judged && status == GDYN_OK)
        status = judge_pose(j);
    /* First the trajectories that formulas need. */
    for (int t = 0; t < s->trajectories && status == GDYN_OK; t++)
        if (s->need[t]) {
            j->needed++;
            status = run_trajectory(j, t);
        }
    /* The others only for a sound design, or when everything is asked for. */
    bool more = j->extent == GDYN_EXTENT_ALL ||
                (j->extent == GDYN_EXTENT_SOUND && j->worst.stage == GDYN_STAGE_NONE);
    for (int t = 0; more && t < s->trajectories && status == GDYN_OK; t++)
        if (!s->need[t])
            status = run_trajectory(j, t);
    /* Workspaces that formulas need; all when everything is asked for. */
    for (int w = 0; w < s->workspaces && status == GDYN_OK; w++)
        if (s->need_nodes[w] || j->extent == GDYN_EXTENT_ALL) {
            j->needed += s->need_nodes[w];
            status = visit_nodes(j, w);
        }
    /* A numerical failure fails this design alone. */
    if (status != GDYN_OK && status != GDYN_ERROR_MEMORY) {
        fail_definition(j, gdyn_status_text(status));
        status = GDYN_OK;
    }
    return status;
}

static void reset(const gdyn_study *s, gdyn_design *d) {
    for (int r = 0; r < s->responses; r++)
        d->response[r] = 0, d->known[r] = false;
    d->violation = d->failure = 0, d->evaluated = d->judged = d->left = false;
    d->difference = d->active && d->base >= 0 && d->base != d->serial;
    if (d->active && !d->difference)
        memset(d->active, 0, (size_t)s->active * sizeof *d->active);
    d->status = GDYN_DESIGN_FAILED, d->reason[0] = '\0';
}

/* What no formula needs is reported only if everything is requested. */
static gdyn_status make_room_for_failures(const gdyn_study *s, gdyn_extent extent,
                                          gdyn_design *design) {
    gdyn_free(design->not_passed), gdyn_free(design->error);
    design->not_passed = NULL, design->error = NULL;
    if (extent != GDYN_EXTENT_ALL || s->trajectories == 0)
        return GDYN_OK;
    design->not_passed = gdyn_alloc((size_t)s->trajectories, sizeof *design->not_passed);
    design->error = gdyn_alloc((size_t)s->responses, sizeof *design->error);
    for (int r = 0; r < s->responses && design->error; r++)
        design->error[r] = NAN;
    return design->not_passed && design->error ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_study_evaluate(const gdyn_study *s, const double *x, gdyn_extent extent,
                                gdyn_design *design) {
    job j = {.study = s, .design = design, .extent = extent, .worst.stage = GDYN_STAGE_NONE};
    double start = gdyn_clock();
    reset(s, design);
    if (design->difference)
        j.extent = GDYN_EXTENT_NEEDED;
    for (int i = 0; i < s->variables; i++)
        design->x[i] = x[i] + 0.0;
    gdyn_status status = make_room_for_failures(s, extent, design);
    /* The machine of this design; it may be invalid. */
    if (status == GDYN_OK)
        status = instantiate(&j);
    if (status == GDYN_OK && j.instance) {
        if (!counts_agree(s, j.instance)) {
            fail_definition(&j,
                            "parameters, joints or trajectories differ from the start design's");
        } else {
            for (int i = 0; i < s->parameters; i++)
                gdyn_design_set(design, i, j.instance->parameter_value[i]);
            if (j.instance->model)
                status = machine_and_trajectories(&j);
        }
    }
    bool sound = status == GDYN_OK && j.instance && j.worst.stage == GDYN_STAGE_NONE;
    if (sound && s->sampling) {
        gdyn_failure found;
        j.needed++;
        status = gdyn_sampling_run(s, j.instance, design, &found);
        if (status == GDYN_OK && found.stage != GDYN_STAGE_NONE)
            add_failure(&j, &found);
    }
    /* Formulas are evaluated even then: those over parameters alone have values. */
    if (status == GDYN_OK) {
        apply_formulas(&j);
        conclude(&j);
    }
    gdyn_solvability_destroy(j.solvability);
    gdyn_state_destroy(j.closed);
    gdyn_closure_destroy(j.closure);
    gdyn_instance_destroy(j.instance);
    design->seconds = gdyn_clock() - start;
    return status;
}
