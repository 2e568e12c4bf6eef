/* drive.c - trajectories as drive problems, and continuity of their forces. */
#include "cli/cli.h"

int gdyn_drive(const gdyn_options *options, gdyn_trajectory *t) {
    /* Dynamics along the path, or those of a table of coefficients. */
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_DYNAMICS);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_INPUT ? GDYN_EXIT_CASE : gdyn_session_judge(t, status);
    if (t->track)
        gdyn_note_entry(options, t->name, t->unit, t->track);
    /* Speeds are p per second, a preload is a force of every drive. */
    gdyn_dimension speed = t->dimension, force;
    double factor;
    /* A speed has one second less than p. */
    speed.s--;
    int code = gdyn_check_unit("start-speed", options->start_speed, speed, t->name);
    if (code == GDYN_EXIT_YES)
        code = gdyn_check_unit("end-speed", options->end_speed, speed, t->name);
    for (int i = 0; i < t->rows && code == GDYN_EXIT_YES; i++)
        if (gdyn_unit_parse(t->row[i].unit, &factor, &force))
            code = gdyn_check_unit("preload", options->preload, force, t->row[i].name);
    return code;
}

/* --- shared forces ---------------------------------------------------------------------------- */

gdyn_share_settings gdyn_sharing_of(const gdyn_options *options) {
    return (gdyn_share_settings){.sharing = (gdyn_sharing)options->distribution,
                                 .preload = options->preload.value,
                                 .smooth = options->smooth.value};
}

static void print_amount(const gdyn_trajectory *t, int row, double amount) {
    const double half_range = t->shared.half_range[row];
    /* A force, and as a share where the drive has a range. */
    printf("%.4g%s%s", fabs(amount), *t->row[row].unit ? " " : "", t->row[row].unit);
    if (isfinite(half_range))
        printf(" (%.3g %% of half its range)", 100 * fabs(amount) / half_range);
}

static void print_jump(const gdyn_trajectory *t, int row) {
    const gdyn_shared *s = &t->shared;
    const gdyn_change *c = &s->change[row];
    /* Place and time of the jump. */
    printf("   jump of a drive force: %s by ", t->row[row].name);
    print_amount(t, row, c->jump);
    printf(" at p = %s", gdyn_amount(c->jump_p, t->unit).text);
    if (isfinite(c->jump_t))
        printf(", t = %.6g s", c->jump_t);
    /* Whether the motion itself requires the jump, up to 1 %. */
    bool all = c->jump_needed >= 0.99 * fabs(c->jump);
    if (c->by_motion)
        printf(": the acceleration jumps");
    else
        printf(all ? ": the motion needs it" : ": the distribution jumps");
    if (!all) {
        if (c->jump_needed > 1e-3 * s->unit[row]) {
            printf(", %s of it unavoidable (--smooth)",
                   gdyn_amount(c->jump_needed, t->row[row].unit).text);
        } else {
            printf(", avoidable (--smooth)");
        }
    }
    printf("\n");
}

void gdyn_print_advice(const gdyn_followed *f, const char *said, int indent) {
    if (f->advice.reason[0] && strcmp(f->advice.reason, said) != 0)
        printf("%*s%s\n", indent, "", f->advice.reason);
    if (f->advice.help[0])
        printf("%*s= help: %s\n", indent, "", f->advice.help);
}

void gdyn_print_changes(const gdyn_trajectory *t) {
    const gdyn_shared *s = &t->shared;
    const gdyn_share_settings *settings = &t->sharing;
    int step = gdyn_shared_greatest(s, false), jump = gdyn_shared_greatest(s, true);
    if (settings->smooth > 0 && s->points > 0) {
        printf(
            s->smoothed
                ? "   drive forces smoothed over %g s: %.3g of the sum of squared rates remains\n"
                : "   drive forces could not be smoothed over %g s\n",
            settings->smooth, s->before > 0 ? s->after / s->before : 1);
    }
    if (step >= 0) {
        const gdyn_change *c = &s->change[step];
        /* The steepest change, then the largest jump. */
        printf("   largest change of a drive force between neighbouring points: %s by ",
               t->row[step].name);
        print_amount(t, step, c->step);
        printf(" from p = %.6g to %s\n", gdyn_trajectory_original(t, &t->sample[c->at]).p,
               gdyn_amount(gdyn_trajectory_original(t, &t->sample[c->at + 1]).p, t->unit).text);
    }
    if (jump >= 0)
        print_jump(t, jump);
    else if (step >= 0 && !s->smoothed && !settings->planned)
        printf("   drive forces are continuous\n");
}
