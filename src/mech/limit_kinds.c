/* limit_kinds.c - the table of limits, and what each kind is at a pose of a path.
 *
 * With the rate q_p = dq/dp of a drive's coordinate: its speed is q_p d1, so that |q'| <= v bounds
 * d1 by v / |q_p|, and a torque-speed line n <= f + s q' is a bound with a slope over d1.
 *
 * No kind is an integral over a motion: rms_force, energy and their kin are criteria
 * (vocabulary.c), which constraints of a study bound. One that the motion itself must keep (rms,
 * heat, energy) is a row here with the shape INTEGRAL whose terms give the bound and the row whose
 * square or power is integrated; it needs a solver of motions in traverse first. */
#include "mech/limits.h"
#include "mech/standstill.h"

#include "model/data.h"

#include <math.h>
#include <string.h>

/* What is left of rates after closing, as a share of what counts as standstill. */
static const double ROUNDING = 1e-2;

static void force(const gdyn_limit_pose *pose, int drive, int line, gdyn_limit_terms *t) {
    const gdyn_drive_def *def = gdyn_model_drive(pose->model, drive);
    (void)line;
    t->effort = drive, t->min = def->min, t->max = def->max;
}

static void stiction(const gdyn_limit_pose *pose, int stiction, int line, gdyn_limit_terms *t) {
    (void)line;
    t->effort = gdyn_model_drives(pose->model) + stiction;
    t->max = gdyn_model_stiction_limit(pose->model, stiction);
    t->min = -t->max;
}

static int curve_lines(const gdyn_model *model, int drive) {
    int points = gdyn_model_drive(model, drive)->curve_points;
    return points > 0 ? points - 1 : 0;
}

/* n <= alpha + s v and n >= -alpha + s v, with the speed v in the drive's own direction. */
static void curve(const gdyn_limit_pose *pose, int drive, int line, gdyn_limit_terms *t) {
    const gdyn_drive_def *def = gdyn_model_drive(pose->model, drive);
    const double *a = def->curve[line], *b = def->curve[line + 1];
    double slope = (b[1] - a[1]) / (b[0] - a[0]);
    t->effort = drive, t->max = a[1] - slope * a[0];
    t->min = -t->max;
    t->max_slope = t->min_slope =
        slope * (gdyn_drive_traits_of(def->kind)->sign * pose->drive_rate[drive]);
}

/* |q_p d1| <= v */
static void speed(const gdyn_limit_pose *pose, int drive, int line, gdyn_limit_terms *t) {
    const gdyn_drive_def *def = gdyn_model_drive(pose->model, drive);
    (void)line;
    if (gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_ON_POINT)
        return;
    t->B = pose->drive_rate[drive], t->max = def->speed_max;
    t->min = -t->max;
}

/* The derivative of a limit's coordinate, from a drive or into `own`. */
static const gdyn_row_jacobian *derivative(const gdyn_limit_pose *pose, int limit,
                                           gdyn_row_jacobian *own) {
    int drive = pose->model->limit_drive[limit];
    if (drive != GDYN_NONE)
        return gdyn_pace_drive_derivative(pose->pace, drive, own);
    gdyn_row_derivative(pose->pace->state, &pose->model->limit_row[limit], own);
    return own;
}

/* q_p of the coordinate of a limit with that derivative, and the rounding in it; rates that are
 * rounding are zero (standstill.h). */
static double joint_rate(const gdyn_limit_pose *pose, int limit, const gdyn_row_jacobian *J,
                         double *error) {
    const gdyn_pace *pace = pose->pace;
    double unit = pose->model->limit_row[limit].length ? 1.0 : gdyn_model_length(pose->model);
    double rate = gdyn_row_speed(pace->state, J, pace->rates.u_p);
    *error = ROUNDING * pace->least_rate / unit;
    return unit * fabs(rate) > pace->least_rate ? rate : 0.0;
}

/* |q_p d1| <= v */
static void joint_speed(const gdyn_limit_pose *pose, int limit, int line, gdyn_limit_terms *t) {
    gdyn_row_jacobian own;
    (void)line;
    t->B = joint_rate(pose, limit, derivative(pose, limit, &own), &t->B_error);
    t->max = gdyn_model_limit(pose->model, limit)->bound[0];
    t->min = -t->max;
}

/* q'' = q_p d2 + q_pp d1^2 */
static void acceleration(const gdyn_limit_pose *pose, int limit, int line, gdyn_limit_terms *t) {
    const gdyn_pace *pace = pose->pace;
    const gdyn_row *row = &pose->model->limit_row[limit];
    double unit = row->length ? 1.0 : gdyn_model_length(pose->model);
    gdyn_row_jacobian own;
    const gdyn_row_jacobian *J = derivative(pose, limit, &own);
    (void)line;
    t->D = joint_rate(pose, limit, J, &t->D_error);
    t->A = gdyn_row_acceleration(pace->state, row, J, pace->rates.u_p, pace->rates.u_pp);
    t->A = unit * fabs(t->A) > pace->least_bend ? t->A : 0.0;
    t->A_error = ROUNDING * pace->least_bend / unit;
    t->max = gdyn_model_limit(pose->model, limit)->bound[1];
    t->min = -t->max;
}

/* What the trajectory says of d1. */
static void path_speed(const gdyn_limit_pose *pose, int path, int line, gdyn_limit_terms *t) {
    const gdyn_path_rates *rates = &pose->pace->rates;
    (void)path, (void)line;
    t->B = 1.0, t->min = rates->d1_min;
    if (rates->d1_max > 0.0)
        t->max = rates->d1_max;
}

/* The same at every pose: q''' is the rate of the row of q''. */
static void jerk(const gdyn_limit_pose *pose, int limit, int line, gdyn_limit_terms *t) {
    (void)line;
    t->max = gdyn_model_limit(pose->model, limit)->bound[2];
    t->min = -t->max;
}

static void rate(const gdyn_limit_pose *pose, int drive, int line, gdyn_limit_terms *t) {
    (void)line;
    t->effort = drive;
    t->max = gdyn_model_drive(pose->model, drive)->rate;
    t->min = -t->max;
}

/* The first rows are the forces that the equations of motion are solved for, in their order. */
const gdyn_limit_kind gdyn_limit_kinds[GDYN_LIMIT_KINDS] = {
    [GDYN_LIMIT_KIND_FORCE] = {"force", GDYN_LIMIT_ROW, GDYN_LIMIT_OF_DRIVE, .unit = {"N m", "N"},
                               .terms = force},
    [GDYN_LIMIT_KIND_STICTION] = {"static friction", GDYN_LIMIT_ROW, GDYN_LIMIT_OF_STICTION,
                                  .quantity = "", .unit = {"N m", "N"}, .terms = stiction},
    [GDYN_LIMIT_KIND_CURVE] = {"torque-speed line", GDYN_LIMIT_ROW, GDYN_LIMIT_OF_DRIVE,
                               .unit = {"N m", "N"}, .at = "curve", .count = curve_lines,
                               .terms = curve},
    [GDYN_LIMIT_KIND_ACCELERATION] = {"acceleration", GDYN_LIMIT_ROW, GDYN_LIMIT_OF_MACHINE,
                                      .quantity = "acceleration", .key = "acceleration",
                                      .derivative = 2, .unit = {"rad/s^2", "m/s^2"},
                                      .terms = acceleration},
    [GDYN_LIMIT_KIND_JOINT_SPEED] = {"speed", GDYN_LIMIT_WINDOW, GDYN_LIMIT_OF_MACHINE,
                                     .quantity = "speed", .key = "speed", .derivative = 1,
                                     .unit = {"rad/s", "m/s"}, .terms = joint_speed},
    [GDYN_LIMIT_KIND_SPEED] = {"speed", GDYN_LIMIT_WINDOW, GDYN_LIMIT_OF_DRIVE, .quantity = "speed",
                               .unit = {"rad/s", "m/s"}, .terms = speed},
    [GDYN_LIMIT_KIND_PATH_SPEED] = {"path speed", GDYN_LIMIT_WINDOW, GDYN_LIMIT_OF_PATH,
                                    .quantity = "speed", .terms = path_speed},
    [GDYN_LIMIT_KIND_RATE] = {"rate of force", GDYN_LIMIT_THIRD_ORDER, GDYN_LIMIT_OF_DRIVE,
                              .rate_of = GDYN_LIMIT_KIND_FORCE, .unit = {"N m/s", "N/s"},
                              .terms = rate},
    [GDYN_LIMIT_KIND_JERK] = {"jerk", GDYN_LIMIT_THIRD_ORDER, GDYN_LIMIT_OF_MACHINE,
                              .quantity = "jerk", .key = "jerk", .derivative = 3,
                              .rate_of = GDYN_LIMIT_KIND_ACCELERATION, .unit = {"rad/s^3", "m/s^3"},
                              .terms = jerk},
};

gdyn_limit_terms gdyn_limit_terms_of(const gdyn_limit_item *item, const gdyn_limit_pose *pose) {
    gdyn_limit_terms terms = {.effort = -1, .min = -INFINITY, .max = INFINITY};
    item->kind->terms(pose, item->owner, item->line, &terms);
    return terms;
}

static int owners(const gdyn_model *model, gdyn_limit_place of) {
    switch (of) {
    case GDYN_LIMIT_OF_DRIVE:
        return gdyn_model_drives(model);
    case GDYN_LIMIT_OF_STICTION:
        return gdyn_model_stictions(model);
    case GDYN_LIMIT_OF_MACHINE:
        return gdyn_model_limits(model);
    case GDYN_LIMIT_OF_PATH:
        return 1;
    }
    return 0;
}

int gdyn_limit_items(const gdyn_model *model, gdyn_limit_shape shape, gdyn_limit_item *item) {
    int items = 0;
    for (const gdyn_limit_kind *kind = gdyn_limit_kinds; kind < gdyn_limit_kinds + GDYN_LIMIT_KINDS;
         kind++) {
        for (int owner = 0; kind->shape == shape && owner < owners(model, kind->of); owner++) {
            int lines = kind->count ? kind->count(model, owner) : 1;
            if (kind->of == GDYN_LIMIT_OF_MACHINE) {
                /* a row without a bound of its own is there for that of its rate */
                const double *bound = &gdyn_model_limit(model, owner)->bound[kind->derivative - 1];
                lines = isfinite(*bound) || (shape == GDYN_LIMIT_ROW && isfinite(bound[1]));
            }
            for (int line = 0; line < lines; line++, items++)
                if (item)
                    item[items] = (gdyn_limit_item){kind, owner, line};
        }
    }
    return items;
}

double gdyn_limit_row_rate(const gdyn_model *model, const gdyn_limit_item *row) {
    double most = INFINITY;
    for (const gdyn_limit_kind *kind = gdyn_limit_kinds; kind < gdyn_limit_kinds + GDYN_LIMIT_KINDS;
         kind++) {
        gdyn_limit_terms t = {.max = INFINITY};
        if (kind->shape == GDYN_LIMIT_THIRD_ORDER && row->kind == &gdyn_limit_kinds[kind->rate_of])
            kind->terms(&(gdyn_limit_pose){.model = model}, row->owner, 0, &t);
        most = fmin(most, t.max);
    }
    return most;
}

const char *gdyn_limit_item_name(const gdyn_model *model, const gdyn_limit_item *item) {
    switch (item->kind->of) {
    case GDYN_LIMIT_OF_DRIVE:
        return gdyn_model_drive(model, item->owner)->name;
    case GDYN_LIMIT_OF_STICTION:
        return gdyn_model_effort_name(model, gdyn_model_drives(model) + item->owner);
    case GDYN_LIMIT_OF_MACHINE:
        return gdyn_model_limit(model, item->owner)->name;
    case GDYN_LIMIT_OF_PATH:
        break;
    }
    return "path";
}

const char *gdyn_limit_kind_word(const gdyn_limit_kind *kind) {
    return kind->at ? kind->at : kind->name;
}

const char *gdyn_limit_unit(const gdyn_limit_kind *kind, const char *force_unit) {
    bool slides = !strcmp(force_unit, "N"), turns = !strcmp(force_unit, "N m");
    return slides || turns ? kind->unit[slides] : "";
}
