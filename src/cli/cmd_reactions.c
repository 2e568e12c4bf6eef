/* cmd_reactions.c - which reactions the rigid model determines, and their values: at the assembled
 * first guess (at rest, at a time of its motions, with start velocities), and along trajectories at
 * rest or in a given motion. */
#include "cli/cli.h"

#include "trajectory/guess.h"

typedef struct command {
    const gdyn_options *options;
    gdyn_pictures pictures; /* written so far */
    const gdyn_opened *opened;
    const gdyn_model *model;
    unsigned methods;
    const char *convention;
    gdyn_reactions *r;
    bool rested;  /* a pose at rest was analysed */
    bool nowhere; /* a trajectory is followed at no point */
    gdyn_reaction_document *document;
    gdyn_text csv;
    gdyn_motion_table motion;
    gdyn_simulation_def def; /* --start: velocities */
    gdyn_start_rate *rate;
    gdyn_sim_outcome outcome;
    char *folder;
} command;

static void add_pose(command *run, const gdyn_reaction_frame *frame) {
    /* At rest dry friction without stiction was left out: warned of at the end. */
    run->rested |= frame->r && frame->trajectory && frame->d1 == 0 && frame->d2 == 0;
    gdyn_reaction_document_frame(run->document, frame);
    gdyn_report_reactions_csv(&run->csv, frame, run->convention);
}

/* --- the assembled first guess ---------------------------------------------------------------- */

/* Documents, text and picture of the reactions at that state. */
static gdyn_status report_guess(command *run, const gdyn_guess *guess,
                                const gdyn_reaction_frame *frame) {
    gdyn_proposals proposals = {0};
    add_pose(run, frame);
    /* What would make the machine exactly constrained. */
    gdyn_status status = gdyn_proposals_find(guess->state, &proposals);
    if (status == GDYN_OK)
        status = gdyn_proposals_follow(run->opened->instance, guess->state, &proposals);
    if (status == GDYN_OK) {
        gdyn_reaction_document_proposals(run->document, run->opened->instance, &proposals);
        if (!run->options->json) {
            gdyn_print_reactions(run->r, frame, run->opened->instance->name, run->convention,
                                 run->options->all);
            gdyn_print_proposals(run->opened->instance, &proposals, run->options->all);
        }
        /* Friction needs the reaction that it depends on. */
        for (int x = 0; x < run->r->joints; x++) {
            if (gdyn_reactions_friction_unknown(run->r, x)) {
                bool open = run->r->item[x].verdict == GDYN_INDETERMINATE;
                gdyn_cli_warn(
                    "joint '%s' has friction, but its reaction is %s: friction that depends on it "
                    "%s",
                    run->r->item[x].name, gdyn_verdict_text(run->r->item[x].verdict),
                    open ? "cannot be determined"
                         : "is known only once the drive forces are known");
            }
        }
    }
    gdyn_proposals_free(&proposals);
    return status;
}

/* In a motion with start velocities. */
static gdyn_status react_moving(command *run, const gdyn_guess *guess, gdyn_reaction_frame *frame) {
    gdyn_sim_start start;
    gdyn_status status = gdyn_guess_reactions_moving(guess, &run->def, run->r, run->methods, frame,
                                                     &start, &run->outcome);
    /* No motion has these start velocities, or there is no such pose. */
    if (status == GDYN_OK && run->outcome != GDYN_SIM_RUNS)
        gdyn_cli_error(GDYN_CODE_ASSEMBLY "%s: %s", run->opened->filename,
                       gdyn_sim_outcome_text(run->outcome));
    else if (status == GDYN_OK && !run->options->json)
        gdyn_print_start_velocity(run->model, &start);
    return status;
}

/* Reactions at the assembled guess: at rest, or in a motion. */
static gdyn_status analyse_guess(command *run, const gdyn_guess *guess) {
    bool moves = true;
    gdyn_combinations combinations = {0};
    gdyn_reaction_frame frame = {.p = NAN, .combinations = &combinations};
    gdyn_status status = run->options->start
                             ? react_moving(run, guess, &frame)
                             : gdyn_guess_reactions(guess, run->r, run->methods, &moves, &frame);
    if (status == GDYN_OK && run->outcome != GDYN_SIM_RUNS)
        return GDYN_OK;
    /* Unique sums of components that are not unique. */
    if (status == GDYN_OK) {
        run->rested |= !moves;
        status = gdyn_combinations_find(run->r, &combinations);
    }
    status = status == GDYN_OK ? report_guess(run, guess, &frame) : status;
    gdyn_combinations_free(&combinations);
    if (status != GDYN_OK) {
        gdyn_cli_error(GDYN_CODE_NUMERICS "reactions at the assembled guess: %s",
                       gdyn_status_text(status));
        return status;
    }
    if (!run->options->no_pictures && gdyn_model_joints(run->model) > 0)
        gdyn_picture_verdicts(&run->pictures, "", run->r, guess->state);
    return run->pictures.status;
}

/* Assembles the machine and analyses it there; an exit code. */
static int open_guess(command *run) {
    gdyn_guess guess;
    gdyn_stage("the first guess");
    double time = run->options->time.value;
    gdyn_status status = gdyn_guess_assemble(run->model, time, &guess);
    int code = gdyn_exit_code(status);
    if (status == GDYN_OK && guess.info.outcome != GDYN_CLOSED) {
        code =
            gdyn_cli_fail(GDYN_EXIT_NO, NULL,
                          GDYN_CODE_ASSEMBLY
                          "%s cannot be assembled from its first guess%s; globdyn check says where",
                          run->opened->filename, time > 0 ? " and led to that time" : "");
    } else if (status == GDYN_OK) {
        code = gdyn_exit_code(analyse_guess(run, &guess));
        if (code == GDYN_EXIT_YES && run->outcome != GDYN_SIM_RUNS)
            code = GDYN_EXIT_NO;
    }
    gdyn_guess_free(&guess);
    return code;
}

/* --- trajectories ---------------------------------------------------------------------------- */

/* Points whose rank is lower than elsewhere: their verdicts are theirs alone. */
static void print_lower(const gdyn_path_reactions *w) {
    enum { SHOWN = 6 };
    int count = 0;
    /* Those of lower rank, a few of them. */
    for (int i = -1; (i = gdyn_path_reactions_lower(w, i + 1)) >= 0;) {
        if (count++ < SHOWN) {
            printf("%s%.6g",
                   count > 1 ? ", " : "  omitted from the table, since the rank drops there: p = ",
                   w->p[i]);
        }
    }
    if (count > 0) {
        printf("%s%s%s (see reactions.json)\n", count > SHOWN ? ", ..." : "", *w->unit ? " " : "",
               w->unit);
    }
}

/* Ranks along the path, and the poses at which they drop. */
static void print_ranks(const gdyn_path_reactions *w) {
    printf("\n%s: generic rank %d", w->name, w->ranks.generic);
    /* Stretches of equal rank along the path. */
    for (int i = 0; i < w->ranks.runs && w->ranks.runs > 1; i++) {
        printf("%s rank %d for p = %.6g .. %s", i ? "," : ";", w->ranks.run[i].rank,
               w->ranks.run[i].from, gdyn_amount(w->ranks.run[i].to, w->unit).text);
    }
    printf("; %d of %d point%s assembled, values at %d\n", w->assembled, w->points,
           gdyn_plural(w->points), w->balanced);
    /* Singular poses between the points as well. */
    for (int i = 0; i < w->ranks.poses; i++) {
        const gdyn_singular_pose *pose = &w->ranks.pose[i];
        printf("  constraint-singular at p = %s (+- %.1e): rank %d, sigma %.1e\n",
               gdyn_place(pose->p, w->p[w->points - 1] - w->p[0], w->unit).text, pose->within,
               pose->rank, pose->sigma);
    }
}

/* Ranks and components along a trajectory. */
static void print_path(const gdyn_path_reactions *w) {
    if (w->assembled == 0) {
        printf("\n%s: the machine is assembled at none of %d point%s: no reactions\n", w->name,
               w->points, gdyn_plural(w->points));
        return;
    }
    /* Ranks first, and how sure they are. */
    print_ranks(w);
    if (w->doubtful > 0) {
        printf("  doubtful at %d point%s: see the singular values in reactions.json\n", w->doubtful,
               gdyn_plural(w->doubtful));
    }
    print_lower(w);
    printf("  %-28s %-16s %14s %14s\n", "component", "verdict", "minimum", "maximum");
    bool open = false;
    for (int c = 0; c < w->components; c++) {
        /* one line per stretch of one verdict */
        char label[160];
        int count = gdyn_path_reactions_stretches(w, c);
        /* A component's name stands at its first stretch only. */
        for (int i = 0; i < count; i++) {
            const gdyn_stretch *s = &w->stretch[i];
            bool known = s->verdict == GDYN_UNIQUE && s->least <= s->greatest;
            printf("  %-28s %-16s", i ? "" : gdyn_reactions_label(w->r, c, label, sizeof label),
                   gdyn_verdict_text(s->verdict));
            if (known) {
                printf(" %14.6g %14.6g %s", s->least, s->greatest,
                       gdyn_reactions_component(w->r, c)->moment ? "N m" : "N");
            }
            if (count > 1) {
                printf("%*s p = %.6g .. %s", known ? 1 : 34, "", s->from,
                       gdyn_amount(s->to, w->unit).text);
            }
            printf("\n");
        }
        open = open || !gdyn_path_reactions_unique(w, c);
    }
    if (open)
        printf("  unique sums of every pose: see reactions.json\n");
}

/* All poses, then what they say together. */
static gdyn_status analyse_poses(command *run, gdyn_path_reactions *along) {
    gdyn_status status = GDYN_OK;
    while (status == GDYN_OK && along->analysed < along->points) {
        gdyn_reaction_frame frame;
        gdyn_combinations combinations = {0};
        gdyn_stage("point %d of %d of trajectory '%s'", along->analysed + 1, along->points,
                   along->name);
        status = gdyn_path_reactions_next(along, run->methods, &frame, &combinations);
        if (status == GDYN_OK)
            add_pose(run, &frame);
        gdyn_combinations_free(&combinations);
    }
    if (status != GDYN_OK) {
        gdyn_cli_error(GDYN_CODE_NUMERICS "reactions at point %d of '%s': %s", along->analysed + 1,
                       along->name, gdyn_status_text(status));
        return status;
    }
    /* what holds for the whole path */
    gdyn_reaction_document_ranks(run->document, along->name, &along->ranks);
    gdyn_reaction_document_stretches(run->document, along);
    if (!run->options->json)
        print_path(along);
    if (!run->options->no_pictures)
        gdyn_picture_reactions(&run->pictures, along);
    return run->pictures.status;
}

static gdyn_status analyse_path(command *run, gdyn_trajectory *t) {
    gdyn_path_reactions along;
    gdyn_status status = gdyn_path_reactions_open(&along, t, run->r, &run->motion);
    /* Warnings of the path come first: stretches that are interrupted, gaps and jumps. */
    if (status == GDYN_OK) {
        gdyn_note_entry(run->options, t->name, t->unit, along.track);
        gdyn_note_gaps(run->options, t->name, t->path, along.track);
        status = analyse_poses(run, &along);
    }
    run->nowhere = run->nowhere || along.assembled == 0;
    gdyn_path_reactions_close(&along);
    return status;
}

/* --- the command ----------------------------------------------------------------------------- */

/* A trajectory is analysed when one is named, or a motion is given. */
static int analyse(command *run) {
    int first = 0, count = 0;
    bool paths = run->options->trajectory || run->options->motion;
    bool in_motion = run->options->start || run->options->time.value > 0;
    int code = GDYN_EXIT_YES;
    /* Which trajectories, which motion, which start. */
    if (paths)
        code = gdyn_choose_trajectories(run->options, run->opened->instance, &first, &count);
    if (code == GDYN_EXIT_YES && run->options->motion && count != 1)
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE, NULL,
            GDYN_CODE_USAGE "--motion is a motion along one trajectory: name it with --trajectory");
    if (code == GDYN_EXIT_YES && run->options->motion) {
        /* Reads the motion along the trajectory; an exit code. */
        gdyn_sink console = gdyn_console_sink();
        gdyn_trajectory t;
        gdyn_status status =
            gdyn_trajectory_open(&t, run->opened->instance, first, &run->opened->sink);
        if (status == GDYN_OK) {
            gdyn_motion_range range = {t.name, t.dimension, gdyn_path_p(t.path, 0),
                                       gdyn_path_p(t.path, gdyn_path_points(t.path) - 1), t.path};
            status = gdyn_motion_table_places(&run->motion, run->options->motion, &range, &console);
        }
        gdyn_trajectory_close(&t);
        code = gdyn_exit_code(status);
    }
    if (code == GDYN_EXIT_YES)
        code = gdyn_start_options(run->options, run->model, &run->def, &run->rate);
    /* The first guess, unless only paths are asked for. */
    if (code == GDYN_EXIT_YES && (run->options->pose || in_motion || !paths))
        code = open_guess(run);
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        /* Opens one trajectory of the case and analyses it; an exit code. */
        int number = first + i;
        gdyn_trajectory t;
        gdyn_stage("trajectory '%s'", run->opened->instance->trajectory[number].name);
        gdyn_status status =
            gdyn_trajectory_open(&t, run->opened->instance, number, &run->opened->sink);
        status = status == GDYN_OK ? analyse_path(run, &t) : status;
        gdyn_trajectory_close(&t);
        code = gdyn_exit_code(status);
    }
    /* Dry friction at rest is left out unless it is an unknown. */
    char names[400];
    if (run->rested && gdyn_describe_neglected_friction(run->model, names, sizeof names) > 0)
        gdyn_cli_warn("at rest the dry friction of %s is neglected: values and verdicts hold "
                      "without it (stiction: true makes it an unknown force)",
                      names);
    return code;
}

int gdyn_cmd_reactions(gdyn_session *s) {
    const gdyn_options *options = s->options;
    command run = {.options = options, .opened = &s->opened};
    run.methods = options->method == GDYN_REACTION_METHODS ? (1u << GDYN_REACTION_METHODS) - 1
                                                           : 1u << options->method;
    run.convention = options->convention ? "min-norm" : NULL;
    run.model = run.opened->instance->model, run.def = run.opened->instance->simulation;
    run.folder = gdyn_results_folder(options, run.opened->filename);
    run.pictures = gdyn_cli_pictures(run.folder);
    /* Everything that is filled pose by pose. */
    run.r = gdyn_reactions_create(run.model);
    run.document =
        gdyn_reaction_document_create(run.opened->instance->name, run.methods, run.convention);
    gdyn_report_reactions_header(&run.csv);
    int code = !run.folder             ? GDYN_EXIT_FILE
               : run.r && run.document ? analyse(&run)
                                       : GDYN_EXIT_MEMORY;
    /* Every run is about a pose or a trajectory that was asked for, so pictures of others stay. */
    run.pictures.partial = true;
    if (code == GDYN_EXIT_YES && run.pictures.count > 0)
        code = gdyn_exit_code(gdyn_cli_draw(options, "reactions", &run.pictures));
    if (code == GDYN_EXIT_YES) {
        gdyn_text json = {0};
        gdyn_status status = gdyn_reaction_document_text(run.document, &json);
        gdyn_status table = gdyn_cli_write(run.folder, "reactions.csv", &run.csv);
        status = gdyn_cli_document(options, run.folder, "reactions.json", status, &json);
        code = gdyn_exit_code(status ? status : table);
    }
    if (code == GDYN_EXIT_YES) {
        gdyn_cli_note(options, "Results are in %s/", run.folder);
        code = run.nowhere ? GDYN_EXIT_NO : GDYN_EXIT_YES;
    }
    gdyn_reactions_destroy(run.r);
    gdyn_reaction_document_destroy(run.document);
    gdyn_text_free(&run.csv);
    gdyn_motion_table_close(&run.motion);
    gdyn_pictures_free(&run.pictures);
    gdyn_free(run.folder);
    free(run.rate);
    return code;
}
