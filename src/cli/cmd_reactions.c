/* cmd_reactions.c - which reactions the rigid model determines, and how much they are: at the
 * assembled first guess, and along trajectories at rest or in a given motion. */
#include "cli/advice.h"
#include "cli/analysis.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/motion_file.h"
#include "cli/reactions_text.h"

#include "base/memory.h"
#include "report/reactions_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
    const gdyn_options *options;
    gdyn_pictures pictures; /* written so far */
    gdyn_opened opened;
    const gdyn_model *model;
    unsigned methods;
    const char *convention;
    gdyn_reactions *r;
    bool rested;  /* a pose at rest was analysed */
    bool nowhere; /* a trajectory is followed at no point */
    gdyn_state *state;
    double *u, *udot; /* n */
    double *rates;    /* 2 n: u_p, u_pp of the path */
    gdyn_reaction_document *document;
    gdyn_text csv;
    gdyn_proposals proposals;
    gdyn_combinations combinations; /* at the first guess */
    gdyn_motion_file motion;
    char *folder;
} command;

/* Reads the motion along the trajectory; an exit code. */
static int read_motion(command *run, int trajectory) {
    gdyn_path *path = NULL;
    int code = gdyn_open_path(&run->opened, trajectory, &path);
    if (code == GDYN_EXIT_YES) {
        int last = gdyn_path_points(path) - 1;
        code = gdyn_motion_file_places(&run->motion, run->options->motion,
                                       run->opened.instance->trajectory[trajectory].name,
                                       gdyn_path_dimension_of_p(gdyn_path_definition(path)),
                                       gdyn_path_p(path, 0), gdyn_path_p(path, last));
    }
    gdyn_path_destroy(path);
    return code;
}

/* --- one pose -------------------------------------------------------------------------------- */

/* Takes the analysis of run->state into the documents; at rest: nothing moves there. */
static gdyn_status take_pose(command *run, bool at_rest, gdyn_reaction_balance balance,
                             gdyn_reaction_frame *frame) {
    gdyn_combinations here = {0};
    frame->r = run->r;
    frame->values = balance != GDYN_UNBALANCED;
    frame->motion = gdyn_reaction_balance_name(balance);
    frame->combinations = frame->trajectory ? &here : &run->combinations;
    run->rested = run->rested || at_rest;
    gdyn_status status =
        gdyn_combinations_find(run->r, frame->trajectory ? &here : &run->combinations);
    if (status == GDYN_OK) {
        gdyn_reaction_document_frame(run->document, frame);
        gdyn_report_reactions_csv(&run->csv, frame, run->convention);
    }
    if (frame->trajectory) {
        frame->combinations = NULL;
        gdyn_combinations_free(&here);
    }
    return status;
}

/* Verdicts and values at run->state for the motion u, udot (n), along `motion` (NULL: at rest); let_go: the
 * machine may also move by itself, when the drives cannot hold it. */
static gdyn_status analyse_pose(command *run, const gdyn_path_rates *motion, bool let_go,
                                gdyn_reaction_frame *frame) {
    gdyn_reaction_balance balance = GDYN_UNBALANCED;
    bool moving = frame->d1 != 0 || frame->d2 != 0;
    gdyn_status status = gdyn_reactions_at(run->r, run->state, motion, run->methods);
    if (status == GDYN_OK) {
        status = gdyn_reactions_in_motion(run->r, run->state, motion, moving, let_go, run->u,
                                          run->udot, &balance);
    }
    return status == GDYN_OK ? take_pose(run, !motion, balance, frame) : status;
}

static void warn_of_friction(const command *run) {
    for (int x = 0; x < run->r->joints; x++) {
        if (gdyn_reactions_vain_friction(run->r, x)) {
            bool open = run->r->item[x].verdict == GDYN_INDETERMINATE;
            fprintf(stderr,
                    "globdyn: warning: joint '%s' has friction, but its reaction is %s: friction "
                    "that depends on it %s\n",
                    run->r->item[x].name, gdyn_verdict_text(run->r->item[x].verdict),
                    open ? "cannot be known" : "is known only once the drive forces are");
        }
    }
}

/* Dry friction of something that rests may be anything up to its limit; without stiction none is known. */
static void warn_of_rest(const command *run) {
    enum { SHOWN = 6 };
    char names[400] = "";
    int count = 0;
    for (int x = 0; x < gdyn_model_joints(run->model); x++) {
        const gdyn_joint_def *joint = gdyn_model_joint(run->model, x);
        if (joint->coulomb != 0 && joint->stiction == 0 && count++ < SHOWN) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", count > 1 ? ", " : "", joint->name);
        }
    }
    for (int f = 0; f < gdyn_model_forces(run->model); f++) {
        const gdyn_force_def *force = gdyn_model_force(run->model, f);
        if (gdyn_force_rubs(force->kind) && force->coulomb != 0 && force->stiction == 0 &&
            count++ < SHOWN) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", count > 1 ? ", " : "", force->name);
        }
    }
    if (count > 0 && run->rested) {
        fprintf(stderr,
                "globdyn: warning: at rest the dry friction of %s%s is left out: values and "
                "verdicts are "
                "those without it (stiction: true makes it an unknown force)\n",
                names, count > SHOWN ? ", ..." : "");
    }
}

/* --- the assembled first guess ---------------------------------------------------------------- */

static int assemble(command *run) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info = {0};
    gdyn_closure *closure = gdyn_closure_create(run->model, 0);
    gdyn_status status = closure
                             ? gdyn_closure_solve(closure, run->state, 0, NULL, &settings, &info)
                             : GDYN_ERROR_MEMORY;
    gdyn_closure_destroy(closure);
    if (status == GDYN_OK && info.outcome != GDYN_CLOSED) {
        gdyn_cli_error("%s cannot be assembled from its first guess; globdyn check says where",
                       run->opened.filename);
        return GDYN_EXIT_NO;
    }
    return gdyn_exit_code(status);
}

static int analyse_guess(command *run) {
    gdyn_reaction_frame frame = {.p = NAN};
    gdyn_stage("the first guess");
    int code = assemble(run);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    gdyn_reaction_balance balance;
    bool moves;
    gdyn_status status =
        gdyn_reactions_unled(run->r, run->state, run->methods, run->u, run->udot, &moves, &balance);
    if (status == GDYN_OK) {
        status = take_pose(run, !moves, balance, &frame);
    }
    if (status == GDYN_OK) {
        status = gdyn_proposals_find(run->state, &run->proposals);
    }
    if (status != GDYN_OK) {
        gdyn_cli_error("reactions at the assembled guess: %s", gdyn_status_text(status));
        return gdyn_exit_code(status);
    }
    gdyn_reaction_document_proposals(run->document, run->model, &run->proposals);
    if (!run->options->json) {
        gdyn_print_reactions(run->r, &frame, run->opened.instance->name, run->convention,
                             run->options->all);
        gdyn_print_proposals(run->model, &run->proposals, run->options->all);
    }
    warn_of_friction(run);
    if (!run->options->no_pictures && gdyn_model_joints(run->model) > 0) {
        gdyn_sink console = gdyn_console_sink();
        status = gdyn_picture_verdicts(run->folder, "", run->r, run->state, &console);
        if (status == GDYN_OK && !gdyn_pictures_add(&run->pictures, "", "verdicts")) {
            status = GDYN_ERROR_MEMORY;
        }
    }
    return gdyn_exit_code(status);
}

/* --- trajectories ---------------------------------------------------------------------------- */

typedef struct way {
    gdyn_path *path;
    gdyn_track *track;
    gdyn_closure *closure;
    gdyn_ranks ranks;
    gdyn_path_place *place;
    int points;        /* of the track, or of the motion */
    double *p, *value; /* points; points x components */
    gdyn_verdict *verdict;
    int *rank;             /* points: of constraints and of both together, -1: not assembled */
    gdyn_stretch *stretch; /* points: room */
} way;

static const char *unit_of_p(const way *w) {
    return gdyn_path_unit_of_p(gdyn_path_definition(w->path));
}

static void close_way(way *w) {
    gdyn_ranks_free(&w->ranks);
    gdyn_path_place_destroy(w->place);
    gdyn_track_destroy(w->track);
    gdyn_closure_destroy(w->closure);
    gdyn_path_destroy(w->path);
    gdyn_free(w->p);
    gdyn_free(w->value);
    gdyn_free(w->verdict);
    gdyn_free(w->rank);
    gdyn_free(w->stretch);
}

static gdyn_status follow(command *run, way *w) {
    size_t components = (size_t)run->r->components;
    w->closure = gdyn_closure_create(run->model, gdyn_path_targets(w->path));
    w->track = gdyn_track_create(run->model, w->path);
    w->points = run->motion.count > 0 ? run->motion.count : gdyn_path_points(w->path);
    w->place = w->track ? gdyn_path_place_create(w->path, w->track) : NULL;
    w->p = gdyn_alloc((size_t)w->points, sizeof *w->p);
    w->value = gdyn_alloc((size_t)w->points * components + 1, sizeof *w->value);
    w->verdict = gdyn_alloc((size_t)w->points * components + 1, sizeof *w->verdict);
    w->rank = gdyn_alloc((size_t)w->points, sizeof *w->rank);
    w->stretch = gdyn_alloc((size_t)w->points, sizeof *w->stretch);
    if (!w->closure || !w->track || !w->place || !w->p || !w->value || !w->verdict || !w->rank ||
        !w->stretch) {
        return GDYN_ERROR_MEMORY;
    }
    gdyn_status status = gdyn_track_follow(w->track, w->path, w->closure, NULL);
    return status == GDYN_OK ? gdyn_ranks_find(w->path, w->track, &w->ranks) : status;
}

/* Puts run->state on the path at point i; *stands false when the machine is not assembled there. */
static gdyn_status stand_at(command *run, way *w, int i, gdyn_reaction_frame *frame, bool *stands) {
    bool moving = run->motion.count > 0;
    frame->p = moving ? run->motion.sample[i].p : w->track->p[i];
    frame->d1 = moving ? run->motion.sample[i].d1 : 0;
    frame->d2 = moving ? run->motion.sample[i].d2 : 0;
    bool known = moving || w->track->status[i] == GDYN_POINT_OK;
    gdyn_status status = known ? gdyn_path_place_at(w->place, frame->p) : GDYN_OK;
    gdyn_point_status found = known ? w->place->status : w->track->status[i];
    frame->motion = gdyn_point_status_name(found);
    *stands = status == GDYN_OK && found == GDYN_POINT_OK;
    if (*stands) {
        gdyn_state_copy(run->state, w->place->state);
    }
    return status;
}

/* Ranks of C and [C^T T] together, static friction left out: it comes and goes with the motion. */
static int rank_without_friction(const gdyn_reactions *r) {
    return r->rank_c.rank + r->rows + r->drives - r->redundancy - r->drive_redundancy;
}

static gdyn_status analyse_point(command *run, way *w, int i, gdyn_reaction_frame *frame) {
    int n = run->r->n, components = run->r->components;
    bool stands;
    gdyn_status status = stand_at(run, w, i, frame, &stands);
    if (status != GDYN_OK) {
        return status;
    }
    if (stands) {
        double *u_p = run->rates, *u_pp = run->rates + n;
        memcpy(u_p, w->place->u_p, (size_t)n * sizeof *u_p);
        memcpy(u_pp, w->place->u_pp, (size_t)n * sizeof *u_pp);
        gdyn_track_rest(w->track, u_p, u_pp);
        gdyn_path_rates motion = {u_p, u_pp, gdyn_track_ends(w->track, frame->p)};
        bool moves = frame->d1 != 0 || frame->d2 != 0;
        for (int j = 0; j < n; j++) {
            run->u[j] = u_p[j] * frame->d1;
            run->udot[j] = u_p[j] * frame->d2 + u_pp[j] * frame->d1 * frame->d1;
        }
        status = analyse_pose(run, moves ? &motion : NULL, run->motion.count == 0, frame);
        if (status != GDYN_OK)
            gdyn_cli_error("reactions at p = %s: %s", gdyn_amount(frame->p, unit_of_p(w)).text,
                           gdyn_status_text(status));
    } else {
        gdyn_reaction_document_frame(run->document, frame);
        gdyn_report_reactions_csv(&run->csv, frame, run->convention);
    }
    w->p[i] = frame->p;
    w->rank[i] = stands ? rank_without_friction(run->r) : -1;
    for (int c = 0; c < components; c++) {
        gdyn_verdict verdict = stands ? gdyn_reactions_component(run->r, c)->verdict : GDYN_UNIQUE;
        bool known = stands && frame->values && verdict == GDYN_UNIQUE;
        w->verdict[i * components + c] = verdict;
        w->value[i * components + c] = known ? run->r->value[c] : NAN;
    }
    return status;
}

/* Points whose rank is lower than elsewhere: their verdicts are theirs alone. */
static void print_lower(const way *w) {
    enum { SHOWN = 6 };
    int generic = gdyn_reaction_generic(w->points, w->rank), count = 0;
    for (int i = 0; i < w->points; i++) {
        if (w->rank[i] < 0 || w->rank[i] == generic) {
            continue;
        }
        if (count++ < SHOWN) {
            printf(
                "%s%.6g",
                count > 1 ? ", " : "  left out of the table, as rank falls there: p = ", w->p[i]);
        }
    }
    if (count > 0) {
        printf("%s%s%s (see reactions.json)\n", count > SHOWN ? ", ..." : "",
               *unit_of_p(w) ? " " : "", unit_of_p(w));
    }
}

/* One line per stretch of one verdict. */
static void print_stretches(const command *run, const way *w, int c) {
    int components = run->r->components;
    char label[160];
    int count = gdyn_reaction_stretches(w->points, w->p, w->rank, components, w->verdict + c,
                                        w->value + c, w->stretch);
    for (int i = 0; i < count; i++) {
        const gdyn_stretch *s = &w->stretch[i];
        bool known = s->verdict == GDYN_UNIQUE && s->least <= s->greatest;
        printf("  %-28s %-16s", i ? "" : gdyn_reactions_label(run->r, c, label, sizeof label),
               gdyn_verdict_text(s->verdict));
        if (known) {
            printf(" %14.6g %14.6g %s", s->least, s->greatest,
                   gdyn_reactions_component(run->r, c)->moment ? "N m" : "N");
        }
        if (count > 1) {
            printf("%*s p = %.6g .. %s", known ? 1 : 34, "", s->from,
                   gdyn_amount(s->to, unit_of_p(w)).text);
        }
        printf("\n");
    }
}

static bool unique_everywhere(const way *w, int components, int c) {
    bool unique = true;
    for (int i = 0; i < w->points; i++) {
        unique = unique && w->verdict[i * components + c] == GDYN_UNIQUE;
    }
    return unique;
}

static void print_way(const command *run, const way *w, const char *name, int assembled,
                      int balanced, int worst) {
    if (assembled == 0) {
        printf("\n%s: the machine is assembled at none of %d point%s: no reactions\n", name,
               w->points, gdyn_plural(w->points));
        return;
    }
    printf("\n%s: generic rank %d", name, w->ranks.generic);
    for (int i = 0; i < w->ranks.runs && w->ranks.runs > 1; i++) {
        printf("%s rank %d for p = %.6g .. %s", i ? "," : ";", w->ranks.run[i].rank,
               w->ranks.run[i].from, gdyn_amount(w->ranks.run[i].to, unit_of_p(w)).text);
    }
    printf("; %d of %d point%s assembled, values at %d\n", assembled, w->points,
           gdyn_plural(w->points), balanced);
    for (int i = 0; i < w->ranks.poses; i++) {
        const gdyn_singular_pose *pose = &w->ranks.pose[i];
        printf("  constraint-singular at p = %s (+- %.1e): rank %d, sigma %.1e\n",
               gdyn_place(pose->p, w->p[w->points - 1] - w->p[0], unit_of_p(w)).text, pose->within,
               pose->rank, pose->sigma);
    }
    if (worst > 0) {
        printf("  doubtful at %d point%s: see the singular values in reactions.json\n", worst,
               gdyn_plural(worst));
    }
    print_lower(w);
    printf("  %-28s %-16s %14s %14s\n", "component", "verdict", "least", "greatest");
    int components = run->r->components;
    bool open = false;
    for (int c = 0; c < components; c++) {
        print_stretches(run, w, c);
        open = open || !unique_everywhere(w, components, c);
    }
    if (open) {
        printf("  sums that are unique stand in reactions.json, for every pose\n");
    }
}

static gdyn_reaction_series series_of(const command *run, const way *w, const char *name) {
    return (gdyn_reaction_series){.name = name,
                                  .unit = unit_of_p(w),
                                  .points = w->points,
                                  .components = run->r->components,
                                  .p = w->p,
                                  .r = run->r,
                                  .value = w->value,
                                  .verdict = w->verdict,
                                  .rank = w->rank};
}

static gdyn_status draw_way(command *run, const way *w, const char *name) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_reaction_series series = series_of(run, w, name);
    gdyn_status status = gdyn_picture_reactions(run->folder, &series, &console);
    if (status == GDYN_OK && !gdyn_pictures_add(&run->pictures, name, "reactions")) {
        status = GDYN_ERROR_MEMORY;
    }
    return status;
}

static int analyse_trajectory(command *run, int trajectory) {
    way w = {0};
    const char *name = run->opened.instance->trajectory[trajectory].name;
    gdyn_stage("trajectory '%s'", name);
    int code = gdyn_open_path(&run->opened, trajectory, &w.path);
    gdyn_status status = code == GDYN_EXIT_YES ? follow(run, &w) : GDYN_OK;
    int assembled = 0, balanced = 0, worst = 0;
    if (code == GDYN_EXIT_YES && status == GDYN_OK) {
        gdyn_note_entry(run->options, name, unit_of_p(&w), w.track);
        gdyn_note_gaps(run->options, name, w.path, w.track);
    }
    for (int i = 0; code == GDYN_EXIT_YES && status == GDYN_OK && i < w.points; i++) {
        gdyn_reaction_frame frame = {.trajectory = name};
        gdyn_stage("point %d of %d of trajectory '%s'", i + 1, w.points, name);
        status = analyse_point(run, &w, i, &frame);
        assembled += frame.r != NULL;
        balanced += frame.values;
        worst += frame.r && (run->r->disagreements > 0 || !run->r->regular);
    }
    if (code == GDYN_EXIT_YES && status == GDYN_OK) {
        gdyn_reaction_document_ranks(run->document, name, &w.ranks);
        gdyn_reaction_series series = series_of(run, &w, name);
        gdyn_reaction_document_stretches(run->document, &series, w.stretch);
        if (!run->options->json) {
            print_way(run, &w, name, assembled, balanced, worst);
        }
        status = run->options->no_pictures ? GDYN_OK : draw_way(run, &w, name);
    }
    close_way(&w);
    code = code == GDYN_EXIT_YES ? gdyn_exit_code(status) : code;
    run->nowhere = run->nowhere || assembled == 0;
    return code;
}

/* --- the command ----------------------------------------------------------------------------- */

static bool make(command *run) {
    size_t n = (size_t)gdyn_model_coordinates(run->model);
    run->r = gdyn_reactions_create(run->model);
    run->state = gdyn_state_create(run->model);
    run->u = gdyn_alloc(n, sizeof *run->u);
    run->udot = gdyn_alloc(n, sizeof *run->udot);
    run->rates = gdyn_alloc(2 * n, sizeof *run->rates);
    run->document =
        gdyn_reaction_document_create(run->opened.instance->name, run->methods, run->convention);
    gdyn_report_reactions_header(&run->csv);
    return run->r && run->state && run->u && run->udot && run->rates && run->document;
}

static void unmake(command *run) {
    gdyn_reactions_destroy(run->r);
    gdyn_state_destroy(run->state);
    gdyn_reaction_document_destroy(run->document);
    gdyn_text_free(&run->csv);
    double *owned[] = {run->u, run->udot, run->rates};
    gdyn_motion_file_close(&run->motion);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        gdyn_free(owned[i]);
    }
    gdyn_combinations_free(&run->combinations);
    gdyn_proposals_free(&run->proposals);
    gdyn_pictures_free(&run->pictures);
    gdyn_free(run->folder);
    gdyn_close_case(&run->opened);
}

/* A trajectory is analysed when one is named, or a motion is given. */
static int analyse(command *run) {
    int first = 0, count = 0;
    bool paths = run->options->trajectory || run->options->motion;
    int code = GDYN_EXIT_YES;
    if (paths) {
        code = gdyn_choose_trajectories(run->options, run->opened.instance, &first, &count);
    }
    if (code == GDYN_EXIT_YES && run->options->motion && count != 1) {
        gdyn_cli_error("--motion is a motion along one trajectory: name it with --trajectory");
        return GDYN_EXIT_USAGE;
    }
    if (code == GDYN_EXIT_YES && run->options->motion) {
        code = read_motion(run, first);
    }
    if (code == GDYN_EXIT_YES && (run->options->pose || !paths)) {
        code = analyse_guess(run);
    }
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        code = analyse_trajectory(run, first + i);
    }
    warn_of_rest(run);
    return code;
}

/* Every run is about a pose or a trajectory that was asked for, so pictures of others stay. */
static int draw_pictures(command *run) {
    if (run->pictures.count == 0) {
        return GDYN_EXIT_YES;
    }
    run->pictures.partial = true;
    return gdyn_exit_code(gdyn_cli_draw(run->options, run->folder, "reactions", &run->pictures));
}

static int write_tables(command *run) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_text json = {0};
    gdyn_status status = gdyn_reaction_document_text(run->document, &json);
    if (status == GDYN_OK && run->csv.failed) {
        status = GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK) {
        status = gdyn_report_write(run->folder, "reactions.csv", run->csv.data, run->csv.length,
                                   &console);
    }
    if (status == GDYN_OK) {
        status = gdyn_report_write(run->folder, "reactions.json", json.data, json.length, &console);
    }
    if (status == GDYN_OK && run->options->json) {
        fwrite(json.data, 1, json.length, stdout);
    }
    gdyn_text_free(&json);
    return gdyn_exit_code(status);
}

int gdyn_cmd_reactions(const gdyn_options *options) {
    command run = {.options = options};
    run.methods = options->method == GDYN_REACTION_METHODS ? (1u << GDYN_REACTION_METHODS) - 1
                                                           : 1u << options->method;
    run.convention = options->convention ? "min-norm" : NULL;
    int code = gdyn_open_case(options, options->operand[0], &run.opened);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&run.opened);
    }
    if (code == GDYN_EXIT_YES) {
        run.model = run.opened.instance->model;
        run.folder = gdyn_results_folder(options, run.opened.filename);
        code = !run.folder ? GDYN_EXIT_FILE : make(&run) ? analyse(&run) : GDYN_EXIT_INTERNAL;
    }
    if (code == GDYN_EXIT_YES) {
        code = draw_pictures(&run);
    }
    if (code == GDYN_EXIT_YES) {
        code = write_tables(&run);
    }
    if (code == GDYN_EXIT_YES) {
        gdyn_cli_note(options, "Results are in %s/", run.folder);
        code = run.nowhere ? GDYN_EXIT_NO : GDYN_EXIT_YES;
    }
    unmake(&run);
    return code;
}
