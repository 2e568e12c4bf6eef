/* steps.c - motions at equal time steps: motion.csv and messages for controllers. */
#include "cli/cli.h"

/* What the steps leave out, in lines. */
static void print_steps(const gdyn_options *options, const gdyn_trajectory *t, double step,
                        const gdyn_equal_steps *s) {
    bool travels = t->traverse->travels;
    const char *unit = travels ? "m" : t->unit;
    gdyn_cli_note(options,
                  "motion.csv: %s in %d step%s of %s; between them the cubic of %s by %s; "
                  "%s changes by %s at most from step to step (at t = %.6g s)",
                  t->name, s->steps - 1, gdyn_plural(s->steps - 1), gdyn_amount(step, "s").text,
                  travels ? "s and s1 misses s" : "p and d1 misses p",
                  gdyn_amount(s->position, unit).text, travels ? "s2" : "d2",
                  gdyn_amount_per_time(fabs(s->jump), unit, 2).text, s->jump_t);
    if (s->between > GDYN_STEPS_FORGIVEN)
        gdyn_cli_note(options,
                      "            between the steps %s is exceeded by up to %.3g %% of half its "
                      "range (at t = %.6g s)",
                      gdyn_limit_name(t->row, t->rows, s->worst), 100 * s->between, s->between_t);
    if (!t->given && s->violation > GDYN_STEPS_FORGIVEN)
        gdyn_cli_error(GDYN_CODE_NUMERICS
                       "motion.csv: %s: a limit is exceeded by %.2g of half its range at "
                       "t = %.6g s",
                       t->name, s->violation, s->violation_t);
    if (s->steps == 2)
        gdyn_cli_warn("%s: the whole motion is one step of %s; --step \"4 ms\" sets milliseconds",
                      t->name, gdyn_amount(step, "s").text);
    if (s->late > 0)
        gdyn_cli_note(options,
                      "            the machine rests for %.3g s at the end of the last step",
                      s->late);
}

gdyn_status gdyn_steps_write(const gdyn_session *s, const char *folder, bool *exceeded) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_output output;
    gdyn_status status = gdyn_output_open(&output, folder, "motion.csv", &console);
    gdyn_text *message = calloc((size_t)s->count + 1, sizeof *message);
    status = message ? status : GDYN_ERROR_MEMORY;
    int tools = gdyn_report_motion_tools(s->count, s->trajectory);
    gdyn_report_motion_heads(&output.text, s->count, s->trajectory);
    for (int i = 0; i < s->count && status == GDYN_OK; i++) {
        gdyn_trajectory *t = &s->trajectory[i];
        gdyn_equal_steps found;
        /* the length of a step; 0: a motion without time has none */
        int last = t->traverse->points - 1;
        double time = last > 0 && t->sample ? t->sample[last].t - t->sample[0].t : 0;
        double step = s->options->steps == 0        ? s->options->step.value
                      : time > 0 && time < INFINITY ? time / s->options->steps
                                                    : 0;
        if (t->traverse->status != GDYN_TRAVERSE_OK || !(step > 0))
            continue;
        status = gdyn_report_motion_rows(&output.text, &message[i], t, tools, step, &found);
        if (status == GDYN_ERROR_ARGUMENT)
            gdyn_cli_error(GDYN_CODE_OPTION
                           "%s: no steps of %s: the motion has none, or more than %d",
                           t->name, gdyn_amount(step, "s").text, GDYN_EQUAL_STEPS_MOST);
        if (status == GDYN_OK)
            print_steps(s->options, t, step, &found);
        *exceeded |= status == GDYN_OK && !t->given && found.violation > GDYN_STEPS_FORGIVEN;
    }
    status = gdyn_output_close(&output, status);
    /* Messages for controllers, of those that have one. */
    for (int i = 0; message && i < s->count; i++) {
        gdyn_text name = {0};
        gdyn_text_printf(&name, "%s_joint_trajectory.json", s->trajectory[i].name);
        if (message[i].length > 0 && status == GDYN_OK)
            status = gdyn_cli_write(folder, name.data, &message[i]);
        gdyn_text_free(&message[i]);
        gdyn_text_free(&name);
    }
    free(message);
    return status;
}
