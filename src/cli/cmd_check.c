/* cmd_check.c - the structure of the machine: loops, mobility, redundant constraints, drives, and
 * whether it can be assembled, at its first guess and along every trajectory. Of a case without
 * machine: what is optimized. */
#include "cli/cli.h"

#include "trajectory/examination.h"

#include <limits.h>

/* --- text ------------------------------------------------------------------------------------- */

static void print_body(const gdyn_model *model, const gdyn_tree *tree, int body) {
    int joint = gdyn_tree_joint(tree, body);
    printf("    %-20s ", gdyn_body_name(model, body));
    if (joint >= 0) {
        printf("on %s by %s: ", gdyn_body_name(model, gdyn_tree_inboard(tree, body)),
               gdyn_model_joint(model, joint)->name);
    } else {
        printf("%s: ", gdyn_tree_is_hub(tree, body) ? "floats, a hub" : "floats");
    }
    /* "2 slides, 1 turn" */
    int count, first = gdyn_tree_first(tree, body, &count), turns = 0;
    for (int c = first; c < first + count; c++)
        turns += gdyn_tree_coordinate_turns(tree, c);
    int slides = count - turns;
    if (slides > 0)
        printf("%d slide%s%s", slides, gdyn_plural(slides), turns > 0 ? ", " : "");
    if (turns > 0)
        printf("%d turn%s", turns, gdyn_plural(turns));
    printf(count == 0 ? "fixed\n" : "\n");
}

/* Which body hangs on which by which joint, with its coordinates; the cut joints; and, at a closed
 * pose (NULL: none), the independent coordinates. */
static void print_tree(const gdyn_model *model, const gdyn_state *closed) {
    const gdyn_tree *tree = gdyn_model_tree(model);
    printf("  spanning tree          %4d joint coordinates, %d closing rows, %d leg%s\n",
           gdyn_tree_coordinates(tree), gdyn_tree_closing(tree), gdyn_tree_legs(tree),
           gdyn_tree_legs(tree) == 1 ? "" : "s");
    for (int i = 0; i < gdyn_model_bodies(model); i++)
        print_body(model, tree, i);
    /* Joints that no body hangs on. */
    int cuts = 0;
    printf("    cut                  ");
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        bool carries = false;
        for (int i = 0; i < gdyn_model_bodies(model); i++)
            carries |= gdyn_tree_joint(tree, i) == j;
        if (!carries)
            printf("%s%s", cuts++ > 0 ? ", " : "", gdyn_model_joint(model, j)->name);
    }
    printf("%s\n", cuts > 0 ? "" : "none");
    if (!closed)
        return;
    /* Coordinates that the elimination leaves free, by the joints that carry them. */
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_tree_condition found;
    bool whole = dynamics && gdyn_tree_dynamics_set(dynamics, closed, &found) == GDYN_OK;
    for (int j = 0; whole && j < found.freedom; j++) {
        int c = gdyn_tree_independent(dynamics)[j], body = gdyn_tree_coordinate_body(tree, c);
        int joint = gdyn_tree_joint(tree, body);
        printf("%s%s (%s)", j == 0 ? "    independent          " : ", ",
               joint >= 0 ? gdyn_model_joint(model, joint)->name : gdyn_body_name(model, body),
               gdyn_tree_coordinate_turns(tree, c) ? "turn" : "slide");
    }
    if (whole)
        printf("%s    pivots               %.2g of the largest kept, %.1e dropped\n",
               found.freedom > 0 ? "\n" : "", found.least, found.left);
    gdyn_tree_dynamics_destroy(dynamics);
}

static void print_mobility(const gdyn_examination *found) {
    const gdyn_mobility *m = &found->guess.mobility;
    /* Gruebler's count is less than the mobility where constraints are redundant. */
    printf("  mobility               %4d   Gruebler count %d; %d coordinate%s, %d constraint%s of "
           "rank %d\n",
           m->mobility, m->gruebler, m->coordinates, gdyn_plural(m->coordinates), m->constraints,
           gdyn_plural(m->constraints), m->rank.rank);
    printf("  redundant constraints  %4d   ", m->redundant);
    /* The singular values on both sides of the cut, or the least one at full rank. */
    if (m->rank.rank == 0)
        printf("no constraints\n");
    else if (m->rank.below > 0)
        printf("singular values %.3g | %.3g at the cut, gap %.1e\n", m->rank.above, m->rank.below,
               m->rank.gap);
    else
        printf("smallest singular value %.3g of %.3g\n", m->rank.above, m->rank.greatest);
    if (m->rank.gap < GDYN_GAP_SAFE)
        printf("                                near singular: the rank is doubtful here\n");
}

static void print_drives(const gdyn_examination *found) {
    int drives = gdyn_model_drives(found->model);
    printf("  drives                 %4d   ", drives);
    /* How many freedoms the drives control, and which they do not. */
    if (found->guess.controlled < found->guess.mobility.mobility) {
        printf("control %d of %d freedom%s", found->guess.controlled,
               found->guess.mobility.mobility, gdyn_plural(found->guess.mobility.mobility));
    } else if (found->guess.mobility.mobility == 1) {
        printf("control the only freedom");
    } else {
        printf("control all %d freedoms", found->guess.mobility.mobility);
    }
    printf(found->guess.redundancy > 0 ? "; redundancy %d\n" : "; not redundant\n",
           found->guess.redundancy);
    if (drives > 0 && found->guess.controlled < found->guess.mobility.mobility)
        gdyn_print_undriven(found->guess.state, "                                ");
}

/* Which body is the heaviest, and where gravity points: mistakes of a thousand, or of a sign, show
 * there. */
static void print_weights(const gdyn_model *model) {
    int heaviest = 0;
    for (int i = 1; i < gdyn_model_bodies(model); i++)
        if (gdyn_model_body(model, i)->mass > gdyn_model_body(model, heaviest)->mass)
            heaviest = i;
    if (gdyn_model_mass(model) > 0)
        printf("   heaviest: %s, %.4g kg", gdyn_model_body(model, heaviest)->name,
               gdyn_model_body(model, heaviest)->mass);
    const double *g = gdyn_model_gravity(model);
    double size = hypot(hypot(g[0], g[1]), g[2]);
    if (size > 0) {
        int axis = fabs(g[0]) == size ? 0 : fabs(g[1]) == size ? 1 : 2;
        bool along = fabs(g[axis]) == size, flat = gdyn_model_space(model) == GDYN_PLANAR;
        printf("\n  gravity                       %.4g m/s^2 along ", size);
        if (along)
            printf("%c%c", g[axis] < 0 ? '-' : '+', "xyz"[axis]);
        else if (flat)
            printf("[%.3g, %.3g]", g[0] / size, g[1] / size);
        else
            printf("[%.3g, %.3g, %.3g]", g[0] / size, g[1] / size, g[2] / size);
    }
    printf("\n");
}

static gdyn_words place_of(const gdyn_trajectory *one, double p) {
    const gdyn_track *track = one->track;
    return gdyn_place(p, track->p[track->points - 1] - track->p[0], one->unit);
}

/* Singular poses on the way, and how near it comes to one. */
static void print_singular(const gdyn_trajectory *one, int width) {
    const gdyn_singularities *singular = one->singular;
    bool met[2] = {false, false}; /* of the drives, of the constraints */
    for (int i = 0; i < singular->count; i++) {
        /* where the drives lose a freedom, or the constraints rank */
        const gdyn_singularity *at = &singular->at[i];
        printf("  %-*s    singular at p = %s: ", width, "", place_of(one, at->from).text);
        if (at->constraints)
            printf("the constraints have rank %d, elsewhere %d; %s\n", at->rank, at->generic,
                   at->blocks ? "branches may meet" : "the drives control all freedoms there");
        else
            printf("the drives control %d of %d freedoms; %s\n", at->rank, at->generic,
                   at->blocks ? "no motion crosses it"
                              : "this path does not load the lost freedom");
        met[at->constraints] = true;
    }
    /* How near it comes to either, where it meets none. */
    bool near_drives = !met[0] && isfinite(singular->least);
    bool near_ranks = !met[1] && isfinite(singular->least_rank);
    if (near_drives || near_ranks)
        printf("  %-*s    distance to singular poses:", width, "");
    if (near_drives) {
        printf(" drives %.3g at p = %s%s", singular->least, place_of(one, singular->least_p).text,
               near_ranks ? "," : "\n");
    }
    if (near_ranks) {
        printf(" constraints %.3g at p = %s\n", singular->least_rank,
               place_of(one, singular->least_rank_p).text);
    }
}

/* The shapes that come nearest to each other. */
static void print_near(const gdyn_model *model, const gdyn_near *near, const char *unit,
                       int width) {
    if (near->first < 0)
        return;
    printf("  %-*s    %s %.4g mm between '%s' and '%s'", width, "",
           gdyn_near_interferes(near) ? "interference, shapes overlap by" : "minimum clearance",
           1e3 * fabs(near->distance), gdyn_shape_owner(model, near->first),
           gdyn_shape_owner(model, near->second));
    if (unit)
        printf(" at p = %s", gdyn_amount(near->p, unit).text);
    printf("\n");
}

static void print_follow(const gdyn_model *model, const gdyn_trajectory *one, int width) {
    printf("  %-*s  %d of %d point%s", width, one->name, one->track->followed, one->track->points,
           gdyn_plural(one->track->points));
    /* All points, or where it first fails and why. */
    if (isnan(one->followed.failure_p)) {
        printf(", worst residual %.1e%s\n", one->followed.worst_residual,
               one->track->returns ? ", returns to its start" : "");
    } else {
        printf("; first fails at p = %s: %s\n",
               gdyn_amount(one->followed.failure_p, one->unit).text, one->followed.failure_text);
    }
    print_singular(one, width);
    print_near(model, &one->near, one->unit, width);
    if (one->followed.pose_error > 0) {
        printf("  %-*s    the pose depends on the path to it: estimated error %.1e (of a length L "
               "of the "
               "machine, or rad)\n",
               width, "", one->followed.pose_error);
    }
    /* Notes and help below the line of the trajectory. */
    if (one->followed.entry_text[0])
        printf("  %-*s    = note: %s\n", width, "", one->followed.entry_text);
    gdyn_print_advice(&one->followed, one->followed.failure_text, width + 6);
}

/* A coordinate in millimetres or degrees; what rounding leaves of zero is zero. */
static double shown_coordinate(const gdyn_model *model, double value, bool slides,
                               const char **unit) {
    static const double ROUNDING = 1e-12; /* of the machine's length, or rad */
    double least = ROUNDING * (slides ? gdyn_model_length(model) : 1);
    return gdyn_shown(fabs(value) <= least ? 0 : value, slides, unit);
}

/* How far the coordinates with a stated range travel along each trajectory. */
static void print_ranges(const gdyn_examination *found) {
    const gdyn_model *model = found->model;
    int width = 5;
    /* The first column is as wide as the longest name. */
    for (int i = 0; i < gdyn_model_ranges(model); i++)
        width = (int)fmax(width, (double)strlen(gdyn_model_range(model, i)->name));
    for (int k = 0; k < found->opened; k++) {
        const gdyn_trajectory *one = &found->trajectory[k];
        /* No point is reached: nothing travels. */
        if (!(one->track->reach > 0))
            continue;
        printf("\nRanges along '%s'\n  %-*s       %10s %10s   %10s %10s   %10s  at p\n", one->name,
               width, "", "min", "max", "smallest", "largest", "margin");
        for (int i = 0; i < gdyn_model_ranges(model); i++) {
            const gdyn_range_def *def = gdyn_model_range(model, i);
            /* Angles are shown in degrees. */
            const gdyn_travel *t = &one->track->travel[i];
            const char *unit;
            bool slides = gdyn_model_range_slides(model, i);
            double factor = gdyn_shown(1, slides, &unit);
            double least = shown_coordinate(model, t->least, slides, &unit);
            double greatest = shown_coordinate(model, t->greatest, slides, &unit);
            double margin = shown_coordinate(model, t->margin, slides, &unit);
            printf("  %-*s  %-3s  %10.4g %10.4g   %10.4g %10.4g   %10.4g  %.6g%s\n", width,
                   def->name, unit, def->min * factor, def->max * factor, least, greatest, margin,
                   t->margin_p, t->margin < 0 && t->outside > 0 ? "  out of range" : "");
        }
    }
}

/* The first guess and the trajectories, a line each. */
static void print_assembly(const gdyn_examination *found) {
    char indent[400];
    /* A column for the names of the guess and the trajectories. */
    int width = (int)strlen("first guess");
    for (int i = 0; i < found->opened; i++) {
        int length = (int)strlen(found->trajectory[i].name);
        width = length > width ? length : width;
    }
    printf("\nAssembly\n  %-*s  ", width, "first guess");
    if (found->assembled) {
        printf("closes, residual %.1e after %d step%s\n", found->guess.info.residual,
               found->guess.info.iterations, gdyn_plural(found->guess.info.iterations));
        print_near(found->model, &found->near, NULL, width);
        snprintf(indent, sizeof indent, "  %-*s    ", width, "");
        gdyn_text beyond = {0};
        if (gdyn_describe_beyond(found->guess.state, indent, &beyond) > 0 && !beyond.failed)
            fputs(beyond.data, stdout);
        gdyn_text_free(&beyond);
    } else {
        printf("does not close: %s\n", found->assembly_text);
    }
    for (int i = 0; i < found->opened; i++)
        print_follow(found->model, &found->trajectory[i], width);
}

enum { JOINT_ROWS = 40 };

/* Coordinates of the joints at the first guess; of a large machine the first ones, -v: all. */
static void print_joints(const gdyn_options *options, const gdyn_examination *found) {
    const gdyn_model *model = found->model;
    int rows = 0, most = options->verbosity > 0 ? INT_MAX : JOINT_ROWS;
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);) {
        /* Lengths in metres, angles in degrees. */
        const char *unit;
        double value = gdyn_mech_joint_coordinate(found->guess.state, c.joint, c.freedom);
        value = shown_coordinate(model, value, gdyn_freedom_slides(c.freedom), &unit);
        if (rows++ == 0)
            printf("\nJoints at the %s\n",
                   found->assembled ? "assembled first guess" : "best attempt");
        if (rows <= most)
            printf("  %-20s %-8s %10.4g %s\n", gdyn_model_joint(model, c.joint)->name,
                   gdyn_freedom_name(c.freedom), value, unit);
    }
    if (rows > most)
        printf("  (and %d more: check -v)\n", rows - most);
}

/* What to do when the first guess does not close. */
static void hint_at_open_joints(const gdyn_options *options, const gdyn_examination *found) {
    bool axes = false; /* some joint has an axis in two frames */
    for (int i = 0; i < gdyn_model_joints(found->model); i++)
        axes |= gdyn_model_space(found->model) == GDYN_SPATIAL &&
                gdyn_joint_type_has_axis(gdyn_model_joint(found->model, i)->type, GDYN_SPATIAL);
    /* First the cause in general, then what the axes suggest. */
    gdyn_cli_note(options,
                  "Next: correct the lengths, or the bodies' first guesses ('pose:'), near "
                  "that joint.");
    if (found->axes_text[0]) {
        gdyn_cli_note(
            options,
            "      At the first guess the axes of joint %s are far from parallel: 'axis' holds in "
            "the frames\n      of both bodies; if these are rotated relative to each other, "
            "'axes: [u, v]' gives it in each.",
            found->axes_text);
    } else if (axes) {
        gdyn_cli_note(options,
                      "      An axis in a wrong frame keeps a loop open too: 'axis' holds in the "
                      "frames of both bodies.");
    }
}

/* The next thing to do about a machine that is assembled, but not good. */
static void hint_at_trajectories(const gdyn_options *options, const gdyn_examination *found) {
    bool follows = true, advice = false, singular = false,
         interferes = gdyn_near_interferes(&found->near);
    for (int i = 0; i < found->opened; i++) {
        const gdyn_trajectory *one = &found->trajectory[i];
        follows &= isnan(one->followed.failure_p);
        advice |= one->followed.advice.help[0];
        singular |= !isnan(gdyn_trajectory_blocked(one));
        interferes |= gdyn_near_interferes(&one->near);
    }
    if (advice)
        gdyn_cli_note(options, "Next: do as the help above says.");
    else if (!follows)
        gdyn_cli_note(options,
                      "Next: move or shrink the trajectory, or change the lengths; see where it "
                      "fails above.");
    else {
        /* What is wrong although all points are followed: singular poses on the way, shapes that
         * overlap. */
        if (singular)
            gdyn_cli_note(options, "Next: lead the trajectory around the singular pose, change the "
                                   "lengths, or add a drive that acts on the lost freedom.");
        if (interferes)
            gdyn_cli_note(options, "Next: keep the shapes that overlap apart: move the trajectory, "
                                   "change the lengths, or make them slimmer.");
    }
}

/* --- the command ------------------------------------------------------------------------------ */

/* Bodies, joints, loops, mobility, drives; -v: the spanning tree. */
static void print_structure(const gdyn_options *options, const gdyn_examination *found) {
    const gdyn_model *model = found->model;
    const char *space = gdyn_model_space(model) == GDYN_PLANAR ? "planar" : "spatial";
    printf("%s: a %s machine of %.4g kg\n\nStructure\n", found->instance->name, space,
           gdyn_model_mass(model));
    printf("  bodies                 %4d", gdyn_model_bodies(model));
    print_weights(model);
    printf("  joints                 %4d   ", gdyn_model_joints(model));
    /* "4 prismatic, 8 revolute" */
    for (gdyn_joint_type type = 0, shown = 0; type < GDYN_JOINT_TYPES; type++) {
        int count = 0;
        for (int i = 0; i < gdyn_model_joints(model); i++)
            count += gdyn_model_joint(model, i)->type == type;
        if (count > 0)
            printf("%s%d %s", shown++ ? ", " : "", count, gdyn_joint_type_name(type));
    }
    printf("\n");
    printf("  independent loops      %4d\n", found->loops);
    printf("  characteristic length  %.4g m\n", gdyn_model_length(model));
    if (found->assembled) {
        print_mobility(found);
        print_drives(found);
    }
    if (options->verbosity > 0) {
        print_tree(found->model, found->assembled ? found->guess.state : NULL);
        /* How many poses of the paths did not come from joint coordinates. */
        for (int i = 0; i < found->opened; i++) {
            const gdyn_followed *way = &found->trajectory[i].followed;
            if (way->by_tree + way->dense > 0)
                printf("    dense on %-11s %ld of %ld poses (freedom left, or a doubtful pivot)\n",
                       found->trajectory[i].name, way->dense, way->by_tree + way->dense);
        }
    }
}

static void draw(gdyn_pictures *pictures, const void *of) {
    gdyn_pictures_of_examination(pictures, of);
}

/* What the definition of the simulation has wrong, as `simulate` reports it. */
static gdyn_status check_simulation(const gdyn_opened *opened) {
    const gdyn_instance *instance = opened->instance;
    gdyn_simulation *simulation = NULL;
    gdyn_status status = GDYN_OK;
    if (instance->simulation.duration > 0)
        status = gdyn_simulation_create(instance->model, &instance->simulation, &opened->sink,
                                        &simulation);
    gdyn_simulation_destroy(simulation);
    return status;
}

/* Examines a machine and prints what was found; an exit code. */
static int check_machine(const gdyn_options *options, const gdyn_opened *opened) {
    gdyn_examination found;
    gdyn_text text = {0};
    /* Without a closed guess the trajectories would only repeat the same complaint. */
    const gdyn_instance *instance = opened->instance;
    /* The first guess, then one trajectory after another. */
    gdyn_stage("the first guess");
    gdyn_status status = gdyn_examine(&found, instance);
    status = status == GDYN_OK ? check_simulation(opened) : status;
    while (status == GDYN_OK && found.assembled && found.opened < instance->trajectory_count) {
        gdyn_stage("trajectory '%s'", instance->trajectory[found.opened].name);
        status = gdyn_examine_next(&found, GDYN_PASSES_OF_CHECK, &opened->sink);
    }
    bool silent = status == GDYN_ERROR_MEMORY || status == GDYN_ERROR_NUMERIC;
    int code = silent ? gdyn_cli_judge(status) : gdyn_exit_code(status);
    /* A document, or the text by sections. */
    if (code == GDYN_EXIT_YES && options->json) {
        code = gdyn_cli_print(gdyn_report_examination_json(&text, &found), &text, NULL);
    } else if (code == GDYN_EXIT_YES) {
        print_structure(options, &found);
        print_assembly(&found);
        print_joints(options, &found);
        if (gdyn_model_ranges(found.model) > 0)
            print_ranges(&found);
        /* The next thing to do: the first open point in the order of the work: assembly, path,
         * drives, trajectories. */
        if (!found.assembled)
            hint_at_open_joints(options, &found);
        else if (!gdyn_examination_good(&found))
            hint_at_trajectories(options, &found);
        else if (gdyn_model_drives(found.model) == 0)
            gdyn_cli_note(options, "Next: add 'drives:' to the machine.");
        else if (found.opened == 0)
            gdyn_cli_note(options, "Next: add 'trajectories:' to the case.");
        else
            gdyn_cli_note(options, "Next: globdyn regions %s", options->operand[0]);
    }
    if (code == GDYN_EXIT_YES)
        code = gdyn_cli_picture(options, opened->filename, "check", draw, &found);
    if (code == GDYN_EXIT_YES && !gdyn_examination_good(&found))
        code = GDYN_EXIT_NO;
    gdyn_examination_free(&found);
    return code;
}

/* --- a case without machine ------------------------------------------------------------------- */

int gdyn_cmd_check(gdyn_session *s) {
    const gdyn_instance *instance = s->opened.instance;
    gdyn_text text = {0};
    if (instance->model || instance->objective_count == 0) {
        int code = gdyn_need_machine(&s->opened);
        return code == GDYN_EXIT_YES ? check_machine(s->options, &s->opened) : code;
    }
    if (s->options->json)
        return gdyn_cli_print(gdyn_report_goals_json(&text, instance), &text, NULL);
    printf("%s: no machine, formulas over design variables\n\nProblem\n", instance->name);
    /* At most three names of variables. */
    printf("  design variables       %4d   ", instance->design_count);
    for (int i = 0; i < instance->design_count && i < 3; i++)
        printf("%s%s", i > 0 ? ", " : "", instance->design[i].name);
    printf("%s\n  objectives             %4d   ", instance->design_count > 3 ? ", ..." : "",
           instance->objective_count);
    for (int i = 0; i < instance->objective_count; i++) {
        printf("%s%s %s", i > 0 ? ", " : "",
               instance->objective[i].maximize ? "maximize" : "minimize",
               instance->objective[i].name);
    }
    printf("\n  constraints            %4d\n", instance->requirement_count);
    gdyn_cli_note(s->options, "Next: globdyn optimize %s", s->opened.filename);
    return GDYN_EXIT_YES;
}
