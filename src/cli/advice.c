/* advice.c - warnings and advice about machines and paths, printed. */
#include "cli/cli.h"

void gdyn_print_undriven(FILE *out, const gdyn_state *state, const char *indent) {
    gdyn_text text = {0};
    if (gdyn_describe_undriven(state, indent, &text) > 0 && !text.failed)
        fputs(text.data, out);
    gdyn_text_free(&text);
}

void gdyn_print_beyond(FILE *out, const gdyn_state *state, const char *indent) {
    gdyn_text text = {0};
    if (gdyn_describe_beyond(state, indent, &text) > 0 && !text.failed)
        fputs(text.data, out);
    gdyn_text_free(&text);
}

void gdyn_note_entry(const gdyn_options *options, const char *trajectory, const char *unit,
                     const gdyn_track *track) {
    char text[GDYN_ADVICE];
    /* Empty unless a stretch of the path is interrupted. */
    gdyn_describe_entry(track, unit, text, sizeof text);
    if (text[0])
        gdyn_cli_note(options, "warning: trajectory '%s': %s", trajectory, text);
}

void gdyn_note_gaps(const gdyn_options *options, const char *trajectory, const gdyn_path *path,
                    const gdyn_track *track) {
    const char *unit = gdyn_path_unit_of_p(gdyn_path_definition(path));
    int first = track->first_failure;
    if (first < 0)
        return;
    gdyn_cli_note(options,
                  "warning: trajectory '%s': only %d of %d point%s followed (first failure at p = "
                  "%s: %s); the results hold for these; globdyn check says why",
                  trajectory, track->followed, track->points, track->points == 1 ? " is" : "s are",
                  gdyn_amount(track->p[first], unit).text,
                  gdyn_point_status_name(track->status[first]));
    /* Why, and what to do about it, where that is known. */
    gdyn_path_advice advice;
    if (gdyn_advise_path(path, track, &advice) == GDYN_OK && advice.reason[0]) {
        gdyn_cli_note(options, "      %s%s%s", advice.reason,
                      advice.help[0] ? "\n      = help: " : "", advice.help);
    }
}
