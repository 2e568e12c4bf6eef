/* cmd_check.c - what the machine is: structure, mobility, redundant constraints, drives, and whether
 * it can be assembled, at its first guess and along every trajectory. */
#include "access/freedoms.h"
#include "cli/advice.h"
#include "cli/analysis.h"
#include "cli/interrupt.h"

#include "base/memory.h"
#include "closure/closure.h"
#include "report/number.h"
#include "report/report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of one trajectory. */
typedef struct follow {
    const char *name, *unit; /* unit: of p */
    int points;
    double reach, worst_residual;
    double
        pose_error; /* estimated, shares of L and rad, where the pose depends on the way; else 0 */
    double entered_p; /* where such a pose begins anew, NAN: nowhere */
    char entry_text[GDYN_ADVICE];
    bool returns;
    double failure_p; /* NAN: none */
    gdyn_point_status failure;
    char failure_text[GDYN_ADVICE]; /* "joint 'low2' stays open by 4.2 mm" */
    gdyn_path_advice advice;
} follow;

typedef struct findings {
    const gdyn_opened *opened;
    const gdyn_model *model;
    int loops;
    gdyn_closure_info assembly;
    char assembly_text[GDYN_ADVICE];
    char axes_text[GDYN_ADVICE]; /* joints whose axes lie across each other at the first guess */
    bool mobility_known;         /* the guess closed */
    gdyn_state *closed;          /* there, else the best pose found */
    gdyn_mobility mobility;
    int served, redundancy; /* freedoms the drives serve, and r */
    int follow_count;
    follow *follow;
} findings;

/* --- assembly --------------------------------------------------------------------------------- */

static gdyn_status assemble(findings *found) {
    gdyn_stage("the first guess");
    gdyn_closure *closure = gdyn_closure_create(found->model, 0);
    gdyn_state *state = gdyn_state_create(found->model);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (closure && state) {
        status = gdyn_closure_solve(closure, state, 0, NULL, &settings, &found->assembly);
    }
    int mirrored =
        found->assembly.outcome == GDYN_CLOSURE_FLIPPED ? found->assembly.worst_joint : -1;
    if (status == GDYN_OK && mirrored >= 0) {
        snprintf(found->assembly_text, sizeof found->assembly_text,
                 "joint '%s' closes only with its axis the other way round",
                 gdyn_model_joint(found->model, mirrored)->name);
    } else if (status == GDYN_OK && found->assembly.outcome != GDYN_CLOSED) {
        status = gdyn_describe_gap(state, found->assembly_text, sizeof found->assembly_text);
        if (status == GDYN_OK) {
            status = gdyn_describe_axes(found->model, found->axes_text, sizeof found->axes_text);
        }
    } else if (status == GDYN_OK) {
        found->mobility_known = true;
        status = gdyn_closure_mobility(closure, state, &found->mobility);
        if (status == GDYN_OK) {
            status = gdyn_count_drives(state, &found->served, &found->redundancy);
        }
    }
    found->closed = state;
    gdyn_closure_destroy(closure);
    return status;
}

/* --- trajectories ----------------------------------------------------------------------------- */

static gdyn_status describe_track(const gdyn_path *path, const gdyn_track *track, follow *result) {
    result->points = track->points;
    result->reach = track->reach;
    result->returns = track->returns;
    for (int i = 0; i < track->points; i++) {
        result->worst_residual = fmax(result->worst_residual, track->residual[i]);
        result->pose_error = fmax(result->pose_error, track->error[i]);
    }
    result->entered_p = track->entered_p;
    gdyn_describe_entry(track, result->unit, result->entry_text, sizeof result->entry_text);
    int first = track->first_failure;
    result->failure_p = first < 0 ? NAN : track->p[first];
    if (first < 0) {
        return GDYN_OK;
    }
    result->failure = track->status[first];
    switch (result->failure) {
    case GDYN_POINT_BRANCH:
        snprintf(result->failure_text, sizeof result->failure_text,
                 "closes only on another branch than before");
        return GDYN_OK;
    case GDYN_POINT_SINGULAR:
        snprintf(result->failure_text, sizeof result->failure_text,
                 "is singular: the path cannot be followed on");
        return GDYN_OK;
    default:
        if (track->worst_joint[first] < 0) {
            return gdyn_describe_miss(path, track->p[first], track->state[first],
                                      result->failure_text, sizeof result->failure_text);
        }
        return gdyn_describe_gap(track->state[first], result->failure_text,
                                 sizeof result->failure_text);
    }
}

static int follow_one(const gdyn_opened *opened, int index, follow *result) {
    gdyn_path *path = NULL;
    result->name = opened->instance->trajectory[index].name;
    result->unit = gdyn_path_unit_of_p(&opened->instance->trajectory[index]);
    gdyn_stage("trajectory '%s'", result->name);
    int code = gdyn_open_path(opened, index, &path);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    gdyn_track *track = gdyn_track_create(opened->instance->model, path);
    gdyn_closure *closure = gdyn_closure_create(opened->instance->model, gdyn_path_targets(path));
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (track && closure) {
        status = gdyn_track_follow(track, path, closure, NULL);
    }
    if (status == GDYN_OK) {
        status = describe_track(path, track, result);
    }
    if (status == GDYN_OK) {
        status = gdyn_advise_path(path, track, &result->advice);
    }
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    return gdyn_exit_code(status);
}

static int follow_all(findings *found) {
    const gdyn_instance *instance = found->opened->instance;
    found->follow = gdyn_alloc((size_t)instance->trajectory_count + 1, sizeof *found->follow);
    if (!found->follow) {
        return GDYN_EXIT_INTERNAL;
    }
    for (int i = 0; i < instance->trajectory_count; i++) {
        int code = follow_one(found->opened, i, &found->follow[i]);
        if (code != GDYN_EXIT_YES) {
            return code;
        }
        found->follow_count++;
    }
    return GDYN_EXIT_YES;
}

/* --- text ------------------------------------------------------------------------------------- */

/* "4 prismatic, 8 revolute" */
static void print_joint_types(const gdyn_model *model) {
    bool first = true;
    for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
        int count = 0;
        for (int i = 0; i < gdyn_model_joints(model); i++) {
            count += gdyn_model_joint(model, i)->type == type;
        }
        if (count > 0) {
            printf("%s%d %s", first ? "" : ", ", count, gdyn_joint_type_name(type));
            first = false;
        }
    }
    printf("\n");
}

static void print_rank(const gdyn_rank *rank) {
    if (rank->rank == 0) {
        printf("no constraints\n");
    } else if (rank->below > 0) {
        printf("singular values %.3g | %.3g at the cut, gap %.1e\n", rank->above, rank->below,
               rank->gap);
    } else {
        printf("least singular value %.3g of %.3g\n", rank->above, rank->greatest);
    }
}

static void print_mobility(const findings *found) {
    const gdyn_mobility *m = &found->mobility;
    printf("  mobility               %4d   Gruebler count %d; %d coordinate%s, %d constraint%s of "
           "rank %d\n",
           m->mobility, m->gruebler, m->coordinates, gdyn_plural(m->coordinates), m->constraints,
           gdyn_plural(m->constraints), m->rank.rank);
    printf("  redundant constraints  %4d   ", m->redundant);
    print_rank(&m->rank);
    if (m->rank.gap < GDYN_GAP_SAFE) {
        printf("                                near singular: the rank is doubtful here\n");
    }
}

static void print_drives(const findings *found) {
    int drives = gdyn_model_drives(found->model);
    printf("  drives                 %4d   ", drives);
    if (found->served < found->mobility.mobility) {
        printf("serve %d of %d freedom%s", found->served, found->mobility.mobility,
               gdyn_plural(found->mobility.mobility));
    } else if (found->mobility.mobility == 1) {
        printf("serve the only freedom");
    } else {
        printf("serve all %d freedoms", found->mobility.mobility);
    }
    printf(found->redundancy > 0 ? "; redundancy %d\n" : "; not redundant\n", found->redundancy);
    if (drives > 0 && found->served < found->mobility.mobility) {
        gdyn_print_undriven(stdout, found->closed, "                                ");
    }
}

static void print_structure(const findings *found) {
    const gdyn_model *model = found->model;
    const char *space = gdyn_model_space(model) == GDYN_PLANAR ? "planar" : "spatial";
    printf("%s: a %s machine of %.4g kg\n\nStructure\n", found->opened->instance->name, space,
           gdyn_model_mass(model));
    printf("  bodies                 %4d\n", gdyn_model_bodies(model));
    printf("  joints                 %4d   ", gdyn_model_joints(model));
    print_joint_types(model);
    printf("  independent loops      %4d\n", found->loops);
    if (found->mobility_known) {
        print_mobility(found);
        print_drives(found);
    }
}

static void print_follow(const follow *one, int width) {
    int reached = (int)lround(one->reach * one->points);
    printf("  %-*s  %d of %d point%s", width, one->name, reached, one->points,
           gdyn_plural(one->points));
    if (isnan(one->failure_p)) {
        printf(", worst residual %.1e%s\n", one->worst_residual,
               one->returns ? ", returns to its start" : "");
    } else {
        printf("; first fails at p = %s: %s\n", gdyn_amount(one->failure_p, one->unit).text,
               one->failure_text);
    }
    if (one->pose_error > 0) {
        printf("  %-*s    the pose depends on the way there: estimated error %.1e (of a length L "
               "of the "
               "machine, or rad)\n",
               width, "", one->pose_error);
    }
    if (one->entry_text[0]) {
        printf("  %-*s    = note: %s\n", width, "", one->entry_text);
    }
    if (one->advice.reason[0]) {
        printf("  %-*s    %s\n", width, "", one->advice.reason);
    }
    if (one->advice.help[0]) {
        printf("  %-*s    = help: %s\n", width, "", one->advice.help);
    }
}

static void print_assembly(const findings *found) {
    int width = (int)strlen("first guess");
    for (int i = 0; i < found->follow_count; i++) {
        int length = (int)strlen(found->follow[i].name);
        width = length > width ? length : width;
    }
    printf("\nAssembly\n  %-*s  ", width, "first guess");
    if (found->assembly.outcome == GDYN_CLOSED) {
        printf("closes, residual %.1e after %d step%s\n", found->assembly.residual,
               found->assembly.iterations, gdyn_plural(found->assembly.iterations));
    } else {
        printf("does not close: %s\n", found->assembly_text);
    }
    for (int i = 0; i < found->follow_count; i++) {
        print_follow(&found->follow[i], width);
    }
}

static bool all_reached(const findings *found) {
    bool good = found->assembly.outcome == GDYN_CLOSED;
    for (int i = 0; i < found->follow_count; i++) {
        good &= isnan(found->follow[i].failure_p);
    }
    return good;
}

static bool has_advice(const findings *found) {
    for (int i = 0; i < found->follow_count; i++) {
        if (found->follow[i].advice.help[0]) {
            return true;
        }
    }
    return false;
}

static bool has_axes(const gdyn_model *model) {
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        gdyn_joint_type type = gdyn_model_joint(model, i)->type;
        if (gdyn_model_space(model) == GDYN_SPATIAL && gdyn_joint_type_aims(type, GDYN_SPATIAL)) {
            return true;
        }
    }
    return false;
}

static void hint_at_open_joints(const gdyn_options *options, const findings *found) {
    gdyn_cli_note(options, "Next: mend the lengths, or the bodies' first guesses ('pose:'), near "
                           "that joint.");
    if (found->axes_text[0]) {
        gdyn_cli_note(
            options,
            "      At the first guess the axes of joint %s lie across each other: 'axis' holds in "
            "the frames\n      of both bodies; where these are turned against each other, "
            "'axes: [u, v]' gives it in each.",
            found->axes_text);
    } else if (has_axes(found->model)) {
        gdyn_cli_note(options,
                      "      An axis in a wrong frame keeps a loop open too: 'axis' holds in the "
                      "frames of both bodies.");
    }
}

/* The next thing to do, from what was found. */
static void hint(const gdyn_options *options, const findings *found) {
    if (found->assembly.outcome != GDYN_CLOSED) {
        hint_at_open_joints(options, found);
    } else if (!all_reached(found) && has_advice(found)) {
        gdyn_cli_note(options, "Next: change the trajectory as the help above says.");
    } else if (!all_reached(found)) {
        gdyn_cli_note(options,
                      "Next: move or shrink the trajectory, or change the lengths; see where it "
                      "fails above.");
    } else if (gdyn_model_drives(found->model) == 0) {
        gdyn_cli_note(options, "Next: add 'drives:' to the machine.");
    } else if (found->follow_count == 0) {
        gdyn_cli_note(options, "Next: add 'trajectories:' to the case.");
    } else {
        gdyn_cli_note(options, "Next: globdyn regions %s", found->opened->filename);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *follow_object(const follow *one) {
    json_t *object = json_object(), *failure = json_null();
    json_object_set_new(object, "reach", gdyn_json_number(one->reach));
    json_object_set_new(object, "worst_residual", gdyn_json_number(one->worst_residual));
    json_object_set_new(object, "points", json_integer(one->points));
    json_object_set_new(object, "pose_error", gdyn_json_number(one->pose_error));
    json_object_set_new(object, "entered_p", gdyn_json_number(one->entered_p));
    json_object_set_new(object, "returns", json_boolean(one->returns));
    if (!isnan(one->failure_p)) {
        failure = json_object();
        json_object_set_new(failure, "p", gdyn_json_number(one->failure_p));
        json_object_set_new(failure, "text", json_string(one->failure_text));
        json_object_set_new(failure, "reason", json_string(one->advice.reason));
        json_object_set_new(failure, "help", json_string(one->advice.help));
    }
    json_object_set_new(object, "first_failure", failure);
    return object;
}

static void add_mobility(json_t *document, const findings *found) {
    const gdyn_mobility *m = &found->mobility;
    bool known = found->mobility_known;
    json_object_set_new(document, "mobility", known ? json_integer(m->mobility) : json_null());
    json_object_set_new(document, "gruebler", known ? json_integer(m->gruebler) : json_null());
    json_object_set_new(document, "coordinates",
                        json_integer(gdyn_model_coordinates(found->model)));
    json_object_set_new(
        document, "constraints",
        json_integer(gdyn_model_holonomic(found->model) + gdyn_model_pfaffian(found->model)));
    json_object_set_new(document, "rank", known ? json_integer(m->rank.rank) : json_null());
    json_object_set_new(document, "redundant_constraints",
                        known ? json_integer(m->redundant) : json_null());
    json_object_set_new(document, "gap", known ? gdyn_json_number(m->rank.gap) : json_null());
    json_object_set_new(document, "singular_values_at_cut",
                        known ? json_pack("[f, f]", m->rank.above, m->rank.below) : json_null());
    json_object_set_new(document, "drives", json_integer(gdyn_model_drives(found->model)));
    json_object_set_new(document, "drive_redundancy",
                        known ? json_integer(found->redundancy) : json_null());
    json_object_set_new(document, "served_freedoms",
                        known ? json_integer(found->served) : json_null());
}

static int print_json(const findings *found) {
    json_t *document = json_object(), *assembly = json_object(), *trajectories = json_object();
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(found->opened->instance->name));
    json_object_set_new(document, "bodies", json_integer(gdyn_model_bodies(found->model)));
    json_object_set_new(document, "joints", json_integer(gdyn_model_joints(found->model)));
    json_object_set_new(document, "loops", json_integer(found->loops));
    json_object_set_new(document, "mass", gdyn_json_number(gdyn_model_mass(found->model)));
    add_mobility(document, found);
    json_object_set_new(assembly, "closes", json_boolean(found->assembly.outcome == GDYN_CLOSED));
    json_object_set_new(assembly, "residual", gdyn_json_number(found->assembly.residual));
    json_object_set_new(assembly, "text", json_string(found->assembly_text));
    json_object_set_new(document, "assembly", assembly);
    for (int i = 0; i < found->follow_count; i++) {
        json_object_set_new(trajectories, found->follow[i].name, follow_object(&found->follow[i]));
    }
    json_object_set_new(document, "trajectories", trajectories);
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(document);
    if (!text) {
        return GDYN_EXIT_INTERNAL;
    }
    printf("%s\n", text);
    free(text);
    return GDYN_EXIT_YES;
}

/* --- the command ------------------------------------------------------------------------------ */

static int find(findings *found) {
    gdyn_status status = gdyn_model_loops(found->model, &found->loops);
    if (status == GDYN_OK) {
        status = assemble(found);
    }
    int code = gdyn_exit_code(status);
    /* Without a closed guess the trajectories would only repeat the same complaint. */
    if (code == GDYN_EXIT_YES && found->mobility_known) {
        code = follow_all(found);
    }
    if (code == GDYN_EXIT_INTERNAL || code == GDYN_EXIT_NUMERIC) {
        gdyn_cli_error("%s", gdyn_status_text(status == GDYN_OK ? GDYN_ERROR_MEMORY : status));
    }
    return code;
}

int gdyn_cmd_check(const gdyn_options *options) {
    gdyn_opened opened;
    findings found = {.opened = &opened};
    int code = gdyn_open_case(options, options->operand[0], &opened);
    if (code == GDYN_EXIT_YES && !opened.instance->model && opened.instance->objective_count > 0) {
        code = gdyn_check_goals(options, &opened);
        gdyn_close_case(&opened);
        return code;
    }
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&opened);
    }
    if (code == GDYN_EXIT_YES) {
        found.model = opened.instance->model;
        code = find(&found);
    }
    if (code == GDYN_EXIT_YES && options->json) {
        code = print_json(&found);
    } else if (code == GDYN_EXIT_YES) {
        print_structure(&found);
        print_assembly(&found);
        hint(options, &found);
    }
    if (code == GDYN_EXIT_YES && !all_reached(&found)) {
        code = GDYN_EXIT_NO;
    }
    gdyn_free(found.follow);
    gdyn_state_destroy(found.closed);
    gdyn_close_case(&opened);
    return code;
}
