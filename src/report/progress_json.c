/* progress_json.c - progress of a long run, a line of JSON each. */
#include "report/front.h"
#include "report/json_writer.h"
#include "report/number.h"

#include <math.h>

/* Times are rounded to milliseconds. */
static double milliseconds(double seconds) {
    return round(1e3 * seconds) / 1e3;
}

gdyn_status gdyn_report_progress_json(gdyn_text *out, const gdyn_study_progress *p, double rate,
                                      double left, double best, bool moved) {
    const gdyn_search_info *s = &p->search;
    json_t *status = gdyn_json_map();
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++)
        json_object_set_new(status, gdyn_design_status_name(k), json_integer(p->status[k]));
    json_t *line = gdyn_json_object(
        "generation:l evaluations:l allowed:l continued:l seconds:n rate:n population:i feasible:i "
        "front:i hypervolume:n hypervolume_best:n reference_moved:b statuses:o seconds_left:n",
        (long)s->generation, p->evaluated, p->allowed, p->continued, milliseconds(p->seconds), rate,
        s->population, s->feasible, s->front, s->hypervolume, best, moved, status,
        left < 0 ? NAN : milliseconds(left));
    return gdyn_json_print(line, GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_time_json(gdyn_text *out, double t, double duration,
                                           double seconds) {
    return gdyn_json_print(
        gdyn_json_object("t:n duration:n seconds:n", t, duration, milliseconds(seconds)),
        GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_count_json(gdyn_text *out, const char *what, long count, long most,
                                            double seconds) {
    return gdyn_json_print(gdyn_json_object("counted:s count:l most:l seconds:n", what, count, most,
                                            milliseconds(seconds)),
                           GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_path_json(gdyn_text *out, const char *trajectory, long places,
                                           double seconds) {
    return gdyn_json_print(gdyn_json_object("trajectory:s places:l seconds:n", trajectory, places,
                                            milliseconds(seconds)),
                           GDYN_JSON_LINE, out);
}
