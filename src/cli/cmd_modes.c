/* cmd_modes.c - globdyn modes CASE: in which poses the machine can be assembled while its tools, or
 * its drives, stand where they are; each as a pose for the case. */
#include "cli/cli.h"

#include "report/report.h"

enum { COLUMNS = 8 };

/* --- text ------------------------------------------------------------------------------------- */

/* A joint's coordinate over some of the modes, where it is not the same in all of them. */
static void print_joint(const gdyn_modes *modes, int joint, gdyn_freedom freedom, int from,
                        int to) {
    const gdyn_joint_def *def = gdyn_model_joint(modes->instance->model, joint);
    const char *unit;
    double factor = gdyn_shown(1, gdyn_freedom_slides(freedom), &unit), least = INFINITY,
           greatest = -INFINITY;
    /* Over all modes, so that every block has the same rows. */
    for (int i = 0; i < modes->count; i++) {
        double value = gdyn_mech_joint_within_turn(modes->mode[i].state, joint, freedom);
        least = fmin(least, value);
        greatest = fmax(greatest, value);
    }
    /* The same in all modes within rounding. */
    if (modes->count > 1 && greatest - least < 1e-6)
        return;
    char name[80];
    snprintf(name, sizeof name, "%s.%s", def->name, gdyn_freedom_name(freedom));
    printf("  %-22.22s %-4s", name, unit);
    for (int i = from; i < to; i++)
        printf(" %9.4g",
               factor * gdyn_mech_joint_within_turn(modes->mode[i].state, joint, freedom));
    printf("\n");
}

/* How far a trajectory is followed and, where some mode meets a singular pose that no motion leads
 * across, its p. */
static void print_trajectory(const gdyn_modes *modes, int t, int from, int to) {
    const gdyn_path_def *path = &modes->instance->trajectory[t];
    bool blocked = false;
    printf("  %-22.22s %-4s", path->name, "%");
    for (int i = from; i < to; i++) {
        printf(" %9.4g", 100 * modes->mode[i].reach[t]);
        blocked |= !isnan(modes->mode[i].blocked[t]);
    }
    if (blocked)
        printf("\n  %-22s %-4.4s", "  singular at p =", gdyn_path_unit_of_p(path));
    for (int i = from; i < to && blocked; i++)
        if (isnan(modes->mode[i].blocked[t]))
            printf(" %9s", "-");
        else
            printf(" %9.4g", modes->mode[i].blocked[t]);
    printf("\n");
}

static void print_block(const gdyn_modes *modes, int from, int to) {
    const gdyn_model *model = modes->instance->model;
    printf("  %-27s", "mode");
    for (int i = from; i < to; i++) {
        char name[24];
        snprintf(name, sizeof name, "m%d", i + 1);
        printf(" %9s", name);
    }
    static const char *const found[] = {"guess", "mirrored", "sampled"};
    /* Which kind of start led to it. */
    printf("\n  %-27s", "found by");
    for (int i = from; i < to; i++)
        printf(" %9s", found[modes->mode[i].start]);
    printf("\n");
    /* In how many forms legs that turn about themselves give each mode, where there is more than
     * one. */
    int most = 1;
    for (int i = 0; i < modes->count; i++)
        most = modes->mode[i].variants > most ? modes->mode[i].variants : most;
    for (int i = from; i < to && most > 1; i++)
        printf(i == from ? "  %-27s %9d" : "%s %9d", i == from ? "variants, legs turned" : "",
               modes->mode[i].variants);
    printf(most > 1 ? "\n" : "");
    /* Coordinates that differ, then ranges, then the trajectories. */
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);)
        print_joint(modes, c.joint, c.freedom, from, to);
    if (gdyn_model_ranges(model) > 0) {
        printf("  %-27s", "ranges exceeded");
        for (int i = from; i < to; i++)
            printf(" %9d", modes->mode[i].outside);
        printf("\n");
    }
    for (int t = 0; t < modes->instance->trajectory_count; t++)
        print_trajectory(modes, t, from, to);
    printf("\n");
}

/* "  m2  leg1 by 1908 mm, top1.cone by 103 deg": the ranges that each of the modes is beyond. */
static void print_exceeded(const gdyn_modes *modes) {
    const gdyn_model *model = modes->instance->model;
    bool any = false;
    for (int i = 0; i < modes->count; i++) {
        if (modes->mode[i].outside == 0)
            continue;
        int named = 0;
        printf("%s  m%-3d ", any ? "" : "  Ranges exceeded\n", i + 1);
        for (int r = 0; r < gdyn_model_ranges(model); r++) {
            const char *unit;
            double beyond = gdyn_mech_range_beyond(modes->mode[i].state, r);
            double shown = gdyn_shown(beyond, gdyn_model_range_slides(model, r), &unit);
            if (beyond > 0)
                printf("%s%s by %.4g %s", named++ ? ", " : "", gdyn_model_range(model, r)->name,
                       shown, unit);
        }
        printf("\n");
        any = true;
    }
    if (any)
        printf("\n");
}

static void print_modes(const gdyn_options *options, const gdyn_modes *modes) {
    gdyn_text yaml = {0};
    const gdyn_instance *instance = modes->instance;
    printf("%s: %d mode%s with ", instance->name, modes->count, gdyn_plural(modes->count));
    if (modes->held == GDYN_HOLD_TOOL)
        printf("the tool held at the start of '%s'\n",
               instance->trajectory[modes->trajectory].name);
    else
        printf("all drives held\n");
    printf("  starts: the first guess, %d with mirrored legs (of %d), %d sampled\n",
           modes->mirrored, modes->legs, modes->sampled);
    if (modes->held == GDYN_HOLD_DRIVES && modes->tool_poses > 0 &&
        modes->tool_poses < modes->count)
        printf("  different poses of the tool: %d\n", modes->tool_poses);
    if (modes->once > 0)
        printf(
            "  met by a single sampled start: %d mode%s; more starts (--samples) may find others\n",
            modes->once, gdyn_plural(modes->once));
    printf("\n");
    /* Wide results in blocks of columns. */
    for (int from = 0; from < modes->count; from += COLUMNS)
        print_block(modes, from, from + COLUMNS < modes->count ? from + COLUMNS : modes->count);
    print_exceeded(modes);
    /* A warning once: modes that are one of a continuum. */
    for (int i = 0; i < modes->count; i++)
        if (modes->mode[i].freedom > 0) {
            gdyn_cli_note(options,
                          "warning: %d freedom%s left in mode m%d: its pose is one of a continuum; "
                          "hold more, or prescribe more coordinates of the tool",
                          modes->mode[i].freedom, gdyn_plural(modes->mode[i].freedom), i + 1);
            break;
        }
    if (modes->count == 0)
        return;
    gdyn_report_modes_yaml(&yaml, modes);
    printf("# under machine: of the case; 'start: m1' chooses one\n%s", yaml.data ? yaml.data : "");
    gdyn_text_free(&yaml);
}

/* --- the command ------------------------------------------------------------------------------ */

static void draw(gdyn_pictures *pictures, const void *of) {
    gdyn_pictures_of_modes(pictures, of);
}

int gdyn_cmd_modes(gdyn_session *s) {
    const gdyn_options *options = s->options;
    const gdyn_opened *opened = &s->opened;
    const gdyn_instance *instance = opened->instance;
    gdyn_modes_settings settings = gdyn_modes_default();
    gdyn_modes modes;
    gdyn_text text = {0};
    int count;
    /* The trajectory that is named, else the first; the tool where there is one, unless --hold says
     * otherwise. */
    int code = gdyn_choose_trajectories(options, instance, &settings.trajectory, &count);
    if (code != GDYN_EXIT_YES)
        return code;
    settings.held = options->hold >= 0               ? (gdyn_mode_held)options->hold
                    : instance->trajectory_count > 0 ? GDYN_HOLD_TOOL
                                                     : GDYN_HOLD_DRIVES;
    settings.samples = options->samples > 0 ? options->samples : settings.samples;
    settings.seed = options->seed.given ? options->seed.value : settings.seed;
    gdyn_stage("the modes of %s", opened->filename);
    /* Nothing that could be held: an error of the case. */
    gdyn_status status = gdyn_modes_find(instance, &settings, &opened->sink, &modes);
    if (status == GDYN_ERROR_ARGUMENT)
        gdyn_cli_error(GDYN_CODE_NEEDS "%s has no %s", opened->filename,
                       settings.held == GDYN_HOLD_TOOL
                           ? "trajectory whose start could hold the tool (--hold drives)"
                           : "drives that could be held (--hold tool)");
    code = status == GDYN_ERROR_ARGUMENT ? GDYN_EXIT_CASE : gdyn_exit_code(status);
    if (code == GDYN_EXIT_YES && modes.count == 0)
        gdyn_cli_note(options, "warning: no start can be assembled; from the first guess: %s",
                      modes.reason);
    if (code == GDYN_EXIT_YES && options->json)
        code = gdyn_cli_print(gdyn_report_modes_json(&text, &modes), &text, NULL);
    else if (code == GDYN_EXIT_YES)
        print_modes(options, &modes);
    if (code == GDYN_EXIT_YES)
        code = modes.count == 0
                   ? GDYN_EXIT_NO
                   : gdyn_cli_picture(options, opened->filename, "modes", draw, &modes);
    gdyn_modes_free(&modes);
    return code;
}
