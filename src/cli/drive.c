/* drive.c - opens trajectories for the commands about motions. */
#include "cli/drive.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/advice.h"
#include "cli/analysis.h"
#include "cli/interrupt.h"
#include "cli/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int open_file(const gdyn_options *options, gdyn_course *course) {
    gdyn_dimension force;
    int code = gdyn_coefficients_supply(options->coefficients, &course->supply, &course->dimension,
                                        &force, &course->text);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    course->unit = gdyn_path_unit_of_dimension(course->dimension);
    course->name = "coefficients";
    course->rows = gdyn_supply_rows(course->supply);
    course->row = gdyn_alloc((size_t)course->rows + 1, sizeof *course->row);
    for (int i = 0; course->row && i < course->rows; i++) {
        course->row[i] = gdyn_limited_row_of_file(course->text[i], force);
    }
    return course->row ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
}

/* Limit rows are known once a point has been evaluated. */
static int name_rows(gdyn_course *course, const gdyn_instance *instance) {
    const gdyn_coefficients *q;
    gdyn_point_status found = GDYN_POINT_UNASSEMBLED;
    course->row = gdyn_alloc((size_t)gdyn_supply_rows(course->supply) + 1, sizeof *course->row);
    if (!course->row) {
        return GDYN_EXIT_INTERNAL;
    }
    for (int i = 0; i < gdyn_supply_points(course->supply) && found != GDYN_POINT_OK; i++) {
        gdyn_status status =
            gdyn_supply_at(course->supply, gdyn_supply_p(course->supply, i), &q, &found);
        if (status != GDYN_OK) {
            gdyn_cli_error("trajectory '%s': p = %s: %s", course->name,
                           gdyn_amount(gdyn_supply_p(course->supply, i), course->unit).text,
                           gdyn_status_text(status));
            return gdyn_exit_code(status);
        }
    }
    course->rows = found == GDYN_POINT_OK ? q->k : 0;
    course->speed_row = found == GDYN_POINT_OK ? q->d1_high_drive : -1;
    for (int i = 0; i < course->rows; i++) {
        course->row[i] = gdyn_limited_row_of(instance, i, gdyn_supply_drive(course->supply, i));
    }
    return GDYN_EXIT_YES;
}

/* Speeds are p per second, a preload is a force of every drive. */
static int check_units(const gdyn_options *options, const gdyn_course *course) {
    gdyn_dimension speed = course->dimension, force;
    double factor;
    speed.s--;
    int code = gdyn_check_unit("start-speed", options->start_speed, speed, course->name);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_check_unit("end-speed", options->end_speed, speed, course->name);
    }
    for (int i = 0; i < course->rows && code == GDYN_EXIT_YES; i++) {
        if (gdyn_unit_parse(course->row[i].unit, &factor, &force)) {
            code = gdyn_check_unit("preload", options->preload, force, course->row[i].name);
        }
    }
    return code;
}

static int open_trajectory(const gdyn_options *options, int trajectory, gdyn_course *course) {
    const gdyn_opened *opened = course->opened;
    int code = gdyn_open_path(opened, trajectory, &course->path);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    const gdyn_path_def *def = gdyn_path_definition(course->path);
    course->name = opened->instance->trajectory[trajectory].name;
    course->dimension = gdyn_path_dimension_of_p(def);
    course->unit = gdyn_path_unit_of_p(def);
    course->supply = gdyn_supply_machine(opened->instance->model, course->path);
    gdyn_status status = course->supply ? gdyn_supply_follow(course->supply) : GDYN_ERROR_MEMORY;
    if (status != GDYN_OK) {
        gdyn_cli_error("trajectory '%s': %s", course->name, gdyn_status_text(status));
        return gdyn_exit_code(status);
    }
    gdyn_note_entry(options, course->name, course->unit, gdyn_supply_track(course->supply));
    return name_rows(course, opened->instance);
}

int gdyn_course_open(const gdyn_options *options, gdyn_opened *opened, int trajectory,
                     gdyn_course *course) {
    *course = (gdyn_course){.opened = opened, .unit = "", .speed_row = -1};
    if (opened) {
        gdyn_stage("trajectory '%s'", opened->instance->trajectory[trajectory].name);
    } else {
        gdyn_stage("%s", options->coefficients);
    }
    int code = opened ? open_trajectory(options, trajectory, course) : open_file(options, course);
    return code == GDYN_EXIT_YES ? check_units(options, course) : code;
}

void gdyn_course_close(gdyn_course *course) {
    for (int i = 0; course->text && course->text[i]; i++) {
        gdyn_free(course->text[i]);
    }
    gdyn_free(course->text);
    gdyn_free(course->row);
    gdyn_supply_destroy(course->supply);
    gdyn_path_destroy(course->path);
    *course = (gdyn_course){0};
}

/* --- shared forces ------------------------------------------------------------------------------ */

gdyn_share_settings gdyn_course_sharing(const gdyn_options *options) {
    return (gdyn_share_settings){.sharing = (gdyn_sharing)options->distribution,
                                 .preload = options->preload.value,
                                 .smooth = options->smooth.value};
}

static void print_amount(const gdyn_course *course, const gdyn_shared *s, int row, double amount) {
    printf("%.4g%s%s", fabs(amount), *course->row[row].unit ? " " : "", course->row[row].unit);
    if (isfinite(s->half_range[row])) {
        printf(" (%.3g %% of half its range)", 100 * fabs(amount) / s->half_range[row]);
    }
}

static void print_jump(const gdyn_course *course, const gdyn_shared *s, int row) {
    const gdyn_change *c = &s->change[row];
    printf("   jump of a drive force: %s by ", course->row[row].name);
    print_amount(course, s, row, c->jump);
    printf(" at p = %s", gdyn_amount(c->jump_p, course->unit).text);
    if (isfinite(c->jump_t)) {
        printf(", t = %.6g s", c->jump_t);
    }
    bool all = c->jump_needed >= 0.99 * fabs(c->jump);
    if (c->by_motion) {
        printf(": the acceleration jumps");
    } else {
        printf(all ? ": the motion needs it" : ": the distribution jumps");
    }
    if (!all) {
        if (c->jump_needed > 1e-3 * s->unit[row]) {
            printf(", %s of it unavoidable (--smooth)",
                   gdyn_amount(c->jump_needed, course->row[row].unit).text);
        } else {
            printf(", avoidable (--smooth)");
        }
    }
    printf("\n");
}

void gdyn_course_print_changes(const gdyn_course *course, const gdyn_shared *s,
                               const gdyn_share_settings *settings, const gdyn_sample *sample) {
    int step = -1, jump = -1;
    for (int row = 0; row < s->rows; row++) {
        const gdyn_change *c = &s->change[row];
        if (!(s->unit[row] > 0) || c->at < 0) {
            continue;
        }
        if (step < 0 || fabs(c->step) / s->unit[row] > fabs(s->change[step].step) / s->unit[step]) {
            step = row;
        }
        if (c->jump != 0 && isfinite(c->jump) &&
            (jump < 0 ||
             fabs(c->jump) / s->unit[row] > fabs(s->change[jump].jump) / s->unit[jump])) {
            jump = row;
        }
    }
    if (settings->smooth > 0 && s->points > 0) {
        printf(s->smoothed
                   ? "   drive forces evened out over %g s: %.3g of the sum of squared rates "
                     "is left\n"
                   : "   drive forces could not be evened out over %g s\n",
               settings->smooth, s->before > 0 ? s->after / s->before : 1);
    }
    if (step >= 0) {
        const gdyn_change *c = &s->change[step];
        printf("   greatest change of a drive force between neighbouring points: %s by ",
               course->row[step].name);
        print_amount(course, s, step, c->step);
        printf(" from p = %.6g to %s\n", sample[c->at].p,
               gdyn_amount(sample[c->at + 1].p, course->unit).text);
    }
    if (jump >= 0) {
        print_jump(course, s, jump);
    } else if (step >= 0 && !s->smoothed && !settings->planned) {
        printf("   drive forces are continuous\n");
    }
}
