/* failure.c - why a design has no values, and how far it is from having them. */
#include "study/internal.h"

#include "workspace/field.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Share of the path below which a place is zero: brackets are closed to 1e-13. */
static const double ROUNDING = 1e-12;

double gdyn_saturate(double x) {
    return x > 0 ? x / (1 + x) : 0;
}

gdyn_failure gdyn_failure_make(int stage, double amount, gdyn_design_status status,
                               const char *format, ...) {
    gdyn_failure t = {.stage = stage, .amount = amount, .status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(t.reason, sizeof t.reason, format, args);
    va_end(args);
    return t;
}

/* --- the path --------------------------------------------------------------------------------- */

/* Assembled everywhere, but beyond given ranges: the farther and the longer, the worse. */
static gdyn_failure out_of_range(const gdyn_model *model, const char *name,
                                 const gdyn_track *track) {
    int worst = 0, outside = 0;
    /* How far each range is left, and which is left farthest. */
    double beyond = 0;
    for (int r = 0; r < gdyn_model_ranges(model); r++) {
        const gdyn_travel *travel = &track->travel[r];
        beyond += gdyn_saturate(-travel->share);
        worst = travel->share < track->travel[worst].share ? r : worst;
    }
    for (int i = 0; i < track->points; i++)
        outside += track->status[i] == GDYN_POINT_RANGE;
    double share = (double)outside / track->points, mean = beyond / gdyn_model_ranges(model);
    const gdyn_travel *travel = &track->travel[worst];
    return gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, (share + mean) / 4, GDYN_DESIGN_OUT_OF_RANGE,
                             "%s: '%s' is out of its range by %.4g %s at p = %.4g; %.1f %% of the "
                             "points are beyond a range",
                             name, gdyn_model_range(model, worst)->name, -travel->margin,
                             gdyn_model_range_slides(model, worst) ? "m" : "rad", travel->margin_p,
                             100 * share);
}

/* Of points that cannot be assembled: half for their share, half for how far they are from it. */
static double unassembled_amount(double share, double residual) {
    return share * (1 + gdyn_saturate(isfinite(residual) ? residual : 1)) / 2;
}

/* The machine cannot be closed even without the path: no point is reached. */
gdyn_failure gdyn_failure_never_closed(const char *name, const gdyn_path *path, double residual) {
    return gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, unassembled_amount(1, residual),
                             GDYN_DESIGN_UNASSEMBLED,
                             "%s: not assembled at p = %.4g, 0.0 %% of the points are reached",
                             name, gdyn_path_p(path, 0));
}

/* Where the place lies; what the search left of zero is zero. */
static double place_of(const gdyn_singularity *block, const gdyn_track *track) {
    double span = fabs(track->p[track->points - 1] - track->p[0]);
    return fabs(block->from) <= ROUNDING * span ? 0 : block->from;
}

static const char *words_of(const gdyn_singularity *block) {
    return block->constraints ? "the constraints lose rank"
                              : "the drives lose control of a freedom";
}

/* How many points are missed and why. */
gdyn_failure gdyn_failure_of_path(const gdyn_model *model, const char *name,
                                  const gdyn_track *track, const gdyn_singularities *places) {
    int missing = track->points - track->followed, outside = 0;
    bool singular = true;
    double residual = 0;
    for (int i = 0; i < track->points; i++) {
        if (track->status[i] == GDYN_POINT_OK)
            continue;
        outside += track->status[i] == GDYN_POINT_RANGE;
        residual += isfinite(track->residual[i]) ? track->residual[i] : 1;
        singular &= track->status[i] == GDYN_POINT_SINGULAR;
    }
    /* Assembled everywhere: only ranges are left. */
    if (outside > 0 && outside == missing)
        return out_of_range(model, name, track);
    /* Amount: share of points missed, weighed with how far they are from assembled. */
    double share = (double)missing / track->points;
    double amount = missing ? unassembled_amount(share, residual / missing) : 0;
    int at = track->first_failure >= 0 ? track->first_failure : 0;
    /* the singular pose itself, where it was found beside the points */
    const gdyn_singularity *block =
        singular && places ? gdyn_singularities_block(places, -INFINITY, INFINITY) : NULL;
    if (block && block->constraints)
        return gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, amount, GDYN_DESIGN_SINGULAR,
                                 "%s: singular at p = %.6g: %s, %.1f %% of the points are reached",
                                 name, place_of(block, track), words_of(block), 100 * (1 - share));
    return gdyn_failure_make(
        GDYN_STAGE_UNASSEMBLED, amount, singular ? GDYN_DESIGN_SINGULAR : GDYN_DESIGN_UNASSEMBLED,
        "%s: %s at p = %.4g, %.1f %% of the points are reached", name,
        singular                                 ? "singular"
        : track->status[at] == GDYN_POINT_BRANCH ? "closes only in another mode than before"
                                                 : "not assembled",
        track->p[at], 100 * (1 - share));
}

/* True when point i lacks what a missing criterion is made of. */
static bool point_lacks(const gdyn_evaluation *e, int row, int i) {
    /* Criteria of single poses: the value itself is missing or the worst. */
    double value = e->point[i].value[row];
    if (gdyn_criterion_table[row].pass == GDYN_PASS_LOCAL)
        return isnan(value) || gdyn_criterion_worst((gdyn_criterion)row, value);
    /* Criteria of regions: the region is. */
    const gdyn_region *region = e->region[i];
    if (region->status == GDYN_REGION_EMPTY || region->status == GDYN_REGION_UNKNOWN)
        return true;
    return gdyn_criterion_table[row].of & GDYN_OF_POINT && isnan(value);
}

/* A criterion of a followed trajectory has no finite value, or regions are empty: the share of
 * points to blame; an empty region counts more the more its limits fall short. */
static gdyn_failure closed_region(const char *name, int row, const gdyn_evaluation *e) {
    const char *criterion = gdyn_criterion_table[row].name;
    int points = e->track->points, lacking = 0, first = -1;
    double amount = 0;
    /* An empty region counts 1/2 .. 1, the more the farther its limits are from open. */
    for (int i = 0; i < points; i++) {
        if (!point_lacks(e, row, i))
            continue;
        bool empty = e->region[i]->status == GDYN_REGION_EMPTY;
        lacking++;
        amount +=
            empty ? (1 + gdyn_saturate(gdyn_region_certificate(e->region[i])->relative)) / 2 : 0.5;
        first = first < 0 ? i : first;
    }
    /* Every point has a value, only their combination has none: nearly feasible. */
    if (lacking == 0)
        return gdyn_failure_make(GDYN_STAGE_CLOSED, 0.25 / points, GDYN_DESIGN_CLOSED_REGION,
                                 "%s: '%s' has no value over all points together", name, criterion);
    return gdyn_failure_make(GDYN_STAGE_CLOSED, amount / points, GDYN_DESIGN_CLOSED_REGION,
                             "%s: '%s' has no value at p = %.4g and %d of %d points", name,
                             criterion, e->track->p[first], lacking, points);
}

/* The drives lose a freedom on the way: the more of the path lies behind the place, the worse. */
gdyn_failure gdyn_failure_singular(const char *name, const gdyn_singularity *block,
                                   const gdyn_track *track) {
    /* Share of the path behind the singular place. */
    double first = track->p[0], span = track->p[track->points - 1] - first;
    double behind = span != 0 ? 1 - (block->from - first) / span : 1;
    return gdyn_failure_make(GDYN_STAGE_CLOSED, 0.5 * (0.5 + 0.5 * behind), GDYN_DESIGN_SINGULAR,
                             "%s: singular at p = %.6g: %s", name, place_of(block, track),
                             words_of(block));
}

int gdyn_empty_points(const gdyn_evaluation *e) {
    double empty = e->criteria.value[GDYN_CRITERION_EMPTY];
    return isnan(empty) ? 0 : (int)empty;
}

gdyn_failure gdyn_failure_of_criterion(const char *name, int row, double value,
                                       const gdyn_evaluation *e, const gdyn_fastest *motion) {
    /* The causes in the order in which they hide each other: path, control, motion, value. */
    unsigned passes = gdyn_study_passes(row);
    bool regions = passes & GDYN_PASS_REGIONS;
    if (e->track->reach < 1)
        return gdyn_failure_of_path(gdyn_state_model(e->track->state[0]), name, e->track,
                                    &e->singular);
    const gdyn_singularity *block = gdyn_singularities_block(&e->singular, -INFINITY, INFINITY);
    if (block && regions)
        return gdyn_failure_singular(name, block, e->track);
    if (passes & GDYN_PASS_MOTION && gdyn_empty_points(e) == 0 &&
        motion->status != GDYN_TRAVERSE_OK) {
        /* The more of the path lies behind the place where no motion leads on, the worse. */
        double first = e->track->p[0], last = e->track->p[e->track->points - 1];
        return gdyn_failure_make(
            GDYN_STAGE_CLOSED, 0.25 * (0.5 + 0.5 * motion->blocked), GDYN_DESIGN_CLOSED_REGION,
            "%s: '%s': no motion from rest to rest (%s at p = %.4g)", name,
            gdyn_criterion_table[row].name, gdyn_traverse_status_name(motion->status),
            first + motion->blocked * (last - first));
    }
    bool held = !(passes & GDYN_PASS_LOCAL) || !gdyn_criterion_worst((gdyn_criterion)row, value);
    if ((regions && (isnan(value) || gdyn_empty_points(e) > 0)) || !held)
        return closed_region(name, row, e);
    return gdyn_failure_make(GDYN_STAGE_FAILED, 1, GDYN_DESIGN_FAILED, "%s: '%s' is %s", name,
                             gdyn_criterion_table[row].name,
                             isnan(value) ? "not defined (does every drive have a stiffness?)"
                                          : "unbounded");
}

/* The first of the points at which nothing is accessible, and their number. */
gdyn_failure gdyn_failure_empty(const char *name, const gdyn_evaluation *e) {
    int first = 0;
    while (first + 1 < e->track->points && e->region[first]->status != GDYN_REGION_EMPTY)
        first++;
    return gdyn_failure_make(GDYN_STAGE_CLOSED, (double)gdyn_empty_points(e) / e->track->points,
                             GDYN_DESIGN_CLOSED_REGION,
                             "%s: nothing is accessible at p = %.4g and %d of %d points", name,
                             e->track->p[first], gdyn_empty_points(e), e->track->points);
}

/* --- workspaces ------------------------------------------------------------------------------ */

/* Share of the prescribed nodes that are not reached, or at which the value is not finite; *node:
 * the first of them. */
static double share_without(const gdyn_workspace_field *field, int value, int *node) {
    int prescribed = 0, without = 0;
    *node = -1;
    for (int i = 0; i < field->nodes; i++) {
        if (!gdyn_node_prescribed(field, i))
            continue;
        bool reached = field->status[i] == GDYN_NODE_REACHED;
        bool lacks = value < 0 ? !reached : reached && !isfinite(gdyn_field_value(field, i, value));
        prescribed++;
        without += lacks;
        *node = lacks && *node < 0 ? i : *node;
    }
    return prescribed > 0 ? (double)without / prescribed : 1;
}

gdyn_failure gdyn_failure_of_nodes(const gdyn_workspace_field *field, int row) {
    const char *name = field->def->name;
    int node;
    double x[3] = {0}, share = share_without(field, -1, &node);
    if (field->reached_count == 0)
        return gdyn_failure_make(GDYN_STAGE_UNASSEMBLED, 1, GDYN_DESIGN_UNASSEMBLED,
                                 "%s: no node is reached", name);
    if (field->def->boxed && node >= 0) {
        gdyn_field_at(field, node, x);
        return gdyn_failure_make(
            GDYN_STAGE_UNASSEMBLED, share, GDYN_DESIGN_UNASSEMBLED,
            "%s: %.3g %% of the box are not reached, such as (%.4g, %.4g, %.4g)", name, 100 * share,
            x[0], x[1], x[2]);
    }
    share = share_without(field, row - GDYN_WORKSPACE_DEXTERITY, &node);
    if (node >= 0)
        gdyn_field_at(field, node, x);
    return gdyn_failure_make(
        GDYN_STAGE_CLOSED, share, GDYN_DESIGN_CLOSED_REGION,
        "%s: no finite '%s' at %.3g %% of the nodes, such as (%.4g, %.4g, %.4g)", name,
        gdyn_criterion_table[row].name, 100 * share, x[0], x[1], x[2]);
}
