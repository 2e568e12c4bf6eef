/* advice.c - what to do about a machine or a path that cannot do what is asked. */
#include "trajectory/advice.h"

#include "access/analysis.h"
#include "base/pi.h"
#include "closure/closure.h"
#include "trajectory/guess.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOTIONS_SHOWN = 6, JOINTS_SHOWN = 4 };

/* Appends to a text of that size; what does not fit is cut. */
static void add(char *out, size_t size, const char *format, ...) {
    size_t length = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + length, size - length, format, args);
    va_end(args);
}

/* --- directions ------------------------------------------------------------------------------- */

/* "x", or "[0.6, 0.8]". */
static void direction_text(const gdyn_model *model, const double d[3], char *out, size_t size) {
    static const char *const axis[] = {"x", "y", "z"};
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    /* Along an axis: its name is enough. */
    for (int i = 0; i < 3; i++) {
        if (fabs(d[i]) > 1 - 1e-6) {
            snprintf(out, size, "%s", axis[i]);
            return;
        }
    }
    /* three digits; no -0 */
    double r[3];
    for (int i = 0; i < 3; i++)
        r[i] = round(1e3 * d[i]) / 1e3 + 0.0;
    if (planar)
        snprintf(out, size, "[%g, %g]", r[0], r[1]);
    else
        snprintf(out, size, "[%g, %g, %g]", r[0], r[1], r[2]);
}

/* --- motions without a drive ------------------------------------------------------------------ */

/* One motion without a drive. */
static void add_motion(gdyn_text *out, const gdyn_model *model, const gdyn_free_motion *m,
                       const char *indent) {
    char direction[80];
    const char *verb = m->turns ? "turns about" : "moves along";
    /* in the plane there is one axis */
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    direction_text(model, m->direction, direction, sizeof direction);
    gdyn_text_printf(out, "%sno drive acts when body '%s' ", indent,
                     gdyn_model_body(model, m->body)->name);
    if (planar && m->turns)
        gdyn_text_printf(out, "turns");
    else
        gdyn_text_printf(out, "%s %s", verb, direction);
    if (m->others > 0)
        gdyn_text_printf(out, " (and %d bod%s with it)", m->others, m->others == 1 ? "y" : "ies");
    gdyn_text_printf(out, "\n");
}

int gdyn_describe_undriven(const gdyn_state *state, const char *indent, gdyn_text *out) {
    gdyn_free_motion motion[MOTIONS_SHOWN];
    /* Nothing to say when all motions are driven, or when this cannot be decided. */
    int count = 0;
    if (gdyn_undriven_motions(state, MOTIONS_SHOWN, motion, &count) != GDYN_OK || count == 0)
        return 0;
    /* a few of them, then what helps */
    for (int i = 0; i < count && i < MOTIONS_SHOWN; i++)
        add_motion(out, gdyn_state_model(state), &motion[i], indent);
    if (count > MOTIONS_SHOWN)
        gdyn_text_printf(out, "%sand %d more such motions\n", indent, count - MOTIONS_SHOWN);
    gdyn_text_printf(out,
                     "%s= help: add a drive or a joint for each, or use a path along which applied "
                     "forces alone hold them\n",
                     indent);
    return count;
}

/* --- paths ------------------------------------------------------------------------------------ */

/* "point [0.2, 0] of body 'cart'", or "body 'cart'" for its origin. */
static void tool_text(const gdyn_model *model, const gdyn_anchor *tool, char *out, size_t size) {
    const char *name = gdyn_model_body(model, tool->body)->name;
    if (tool->at[0] == 0 && tool->at[1] == 0 && tool->at[2] == 0) {
        snprintf(out, size, "the origin of body '%s'", name);
    } else if (gdyn_model_space(model) == GDYN_PLANAR) {
        snprintf(out, size, "the point [%.4g, %.4g] of body '%s'", tool->at[0], tool->at[1], name);
    } else {
        snprintf(out, size, "the point [%.4g, %.4g, %.4g] of body '%s'", tool->at[0], tool->at[1],
                 tool->at[2], name);
    }
}

/* A direction in which the tool cannot move, and why. */
static void advise_blocked(const gdyn_path *path, const gdyn_model *model,
                           const gdyn_path_demand *demand, gdyn_path_advice *advice) {
    char tool[160], direction[80];
    tool_text(model, &gdyn_path_definition(path)->tool[demand->tool].of, tool, sizeof tool);
    direction_text(model, demand->along, direction, sizeof direction);
    add(advice->reason, GDYN_ADVICE, "%s cannot move along %s there", tool, direction);
    /* A holonomic obstacle: only the path can give way. */
    if (!demand->by_velocity) {
        add(advice->help, GDYN_ADVICE,
            "remove that coordinate from the path, or guide another point");
        return;
    }
    /* A wheel or an edge: its point can be guided elsewhere. */
    const gdyn_joint_def *joint =
        demand->joint >= 0 ? gdyn_model_joint(model, demand->joint) : NULL;
    if (joint) {
        add(advice->reason, GDYN_ADVICE, ": %s '%s' blocks it", gdyn_joint_type_name(joint->type),
            joint->name);
    }
    add(advice->help, GDYN_ADVICE,
        "guide a point off the axle, or prescribe the heading along the path as well: %s, with "
        "explicit derivatives, and + pi where the machine moves backwards",
        gdyn_model_space(model) == GDYN_PLANAR ? "angle: \"atan2(dy/dp, dx/dp)\""
                                               : "cardan: [0, 0, \"atan2(dy/dp, dx/dp)\"]");
}

/* Whether the machine closes without the path; if not, that is the reason on any path. */
static gdyn_status advise_open(const gdyn_model *model, gdyn_path_advice *advice, bool *open) {
    gdyn_guess guess;
    char gap[GDYN_ADVICE] = "";
    gdyn_status status = gdyn_guess_assemble(model, 0, &guess);
    *open = status == GDYN_OK && guess.info.outcome != GDYN_CLOSED;
    if (*open)
        status = gdyn_describe_gap(guess.state, gap, sizeof gap);
    if (*open && status == GDYN_OK) {
        snprintf(advice->reason, GDYN_ADVICE, "the machine itself does not close: %.180s",
                 gap[0] ? gap : "an axis is reversed");
        snprintf(advice->help, GDYN_ADVICE,
                 "correct the lengths, or the bodies' first guesses ('pose:'), near that joint");
    }
    gdyn_guess_free(&guess);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

/* Out of a range at the first point: is the first guess there already? */
static gdyn_status advise_range(const gdyn_track *track, gdyn_path_advice *advice) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    int at = track->first_failure, range = -1;
    double beyond = 0;
    gdyn_guess guess = {0};
    gdyn_status status = GDYN_OK;
    gdyn_describe_range(track, at, advice->reason, GDYN_ADVICE);
    if (at == 0 && (range = gdyn_track_range_left(track, track->state[0], &beyond)) >= 0)
        status = gdyn_guess_assemble(model, 0, &guess);
    bool guessed = range >= 0 && status == GDYN_OK && guess.info.outcome == GDYN_CLOSED &&
                   gdyn_mech_range_beyond(guess.state, range) > 0;
    add(advice->help, GDYN_ADVICE,
        guessed ? "the first guess is out of that range already, before any path: correct the "
                  "poses of the bodies (two points leave the turn about their line open, a third "
                  "one settles it), or give machine: home: {joints: {...}}"
                : "move or shrink the trajectory, change the machine, or widen the range");
    gdyn_guess_free(&guess);
    return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
}

gdyn_status gdyn_advise_path(const gdyn_path *path, const gdyn_track *track,
                             gdyn_path_advice *advice) {
    gdyn_path_demand demand;
    bool open = false;
    *advice = (gdyn_path_advice){"", ""};
    if (track->first_failure < 0)
        return GDYN_OK;
    if (track->status[track->first_failure] == GDYN_POINT_RANGE)
        return advise_range(track, advice);
    /* A machine that is open by itself has no freedoms to speak of. */
    gdyn_status status = GDYN_OK;
    if (track->status[track->first_failure] == GDYN_POINT_UNASSEMBLED)
        status = advise_open(gdyn_state_model(track->state[0]), advice, &open);
    if (status != GDYN_OK || open)
        return status;
    /* Freedoms are compared with what the path prescribes at the first failure. */
    status = gdyn_path_demand_of(path, track, &demand);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
    if (demand.prescribed > demand.mobility) {
        /* More coordinates than freedoms. A path followed for a while may be the machine's own. */
        bool begun = track->first_failure > 1;
        snprintf(advice->reason, GDYN_ADVICE,
                 "the path prescribes %d coordinate%s, the machine has %d freedom%s",
                 demand.prescribed, gdyn_plural(demand.prescribed), demand.mobility,
                 gdyn_plural(demand.mobility));
        snprintf(advice->help, GDYN_ADVICE,
                 "%sremove %d of them: coordinates that are not prescribed are free",
                 begun ? "shorten the path if the reach of the machine ends here; otherwise " : "",
                 demand.prescribed - demand.mobility);
    } else if (demand.blocked) {
        advise_blocked(path, gdyn_state_model(track->state[0]), &demand, advice);
    } else if (demand.independent < demand.prescribed) {
        snprintf(advice->reason, GDYN_ADVICE,
                 "there only %d of the %d prescribed coordinates can move independently",
                 demand.independent, demand.prescribed);
    }
    return GDYN_OK;
}

/* --- joints that stay open -------------------------------------------------------------------- */

double gdyn_shown(double value, bool length, const char **unit) {
    *unit = length ? "mm" : "deg";
    return length ? 1e3 * value : value * 180 / GDYN_PI;
}

/* "4.2 mm", "113 m" or "3.1 deg". */
static void amount_text(double value, bool length, char *out, size_t size) {
    const char *unit;
    double shown = gdyn_shown(value, length, &unit);
    if (length && fabs(value) >= 10) {
        shown = value;
        unit = "m";
    }
    snprintf(out, size, "%.3g %s", shown, unit);
}

gdyn_status gdyn_describe_gap(const gdyn_state *state, char *out, size_t size) {
    gdyn_gap gap[JOINTS_SHOWN];
    int count;
    gdyn_status status = gdyn_gaps_find(state, JOINTS_SHOWN, gap, &count);
    out[0] = '\0';
    for (int k = 0; k < count && k < JOINTS_SHOWN; k++) {
        /* a few joints with their gaps */
        char amount[40];
        amount_text(gap[k].amount, gap[k].length, amount, sizeof amount);
        add(out, size, "%s '%s' %sby %s", k ? "," : "joint",
            gdyn_model_joint(gdyn_state_model(state), gap[k].joint)->name,
            k == 0 ? "stays open " : "", amount);
    }
    if (count > JOINTS_SHOWN)
        add(out, size, ", and %d more", count - JOINTS_SHOWN);
    return status;
}

gdyn_status gdyn_describe_axes(const gdyn_model *model, char *out, size_t size) {
    int joint[JOINTS_SHOWN], count;
    gdyn_status status = gdyn_gaps_axes_across(model, JOINTS_SHOWN, joint, &count);
    out[0] = '\0';
    for (int k = 0; k < count && k < JOINTS_SHOWN; k++)
        add(out, size, "%s'%s'", k ? ", " : "", gdyn_model_joint(model, joint[k])->name);
    if (count > JOINTS_SHOWN)
        add(out, size, " and others");
    return status;
}

/* " (case.yaml:38)", where that is known. */
static void add_stated(char *out, size_t size, const gdyn_model *model, int range) {
    const char *stated = gdyn_model_range(model, range)->stated;
    if (stated)
        add(out, size, " (%s)", stated);
}

void gdyn_describe_range(const gdyn_track *track, int point, char *out, size_t size) {
    /* The range that is left at the point itself. */
    const gdyn_model *model = gdyn_state_model(track->state[point]);
    double beyond = 0;
    int range = gdyn_track_range_left(track, track->state[point], &beyond);
    char amount[40];
    out[0] = '\0';
    if (range >= 0) {
        amount_text(beyond, gdyn_model_range_slides(model, range), amount, sizeof amount);
        add(out, size, "'%s' is out of its range by %s", gdyn_model_range(model, range)->name,
            amount);
        add_stated(out, size, model, range);
        return;
    }
    /* beside the point: the worst of the ranges left between the points */
    for (int r = 0; r < gdyn_model_ranges(model); r++)
        if (track->travel[r].margin < 0 &&
            (range < 0 || track->travel[r].share < track->travel[range].share))
            range = r;
    if (range < 0)
        return;
    /* Left between this point and a neighbour. */
    const gdyn_travel *travel = &track->travel[range];
    amount_text(-travel->margin, gdyn_model_range_slides(model, range), amount, sizeof amount);
    add(out, size, "'%s' leaves its range by %s at p = %.6g, between the points",
        gdyn_model_range(model, range)->name, amount, travel->margin_p);
    add_stated(out, size, model, range);
}

int gdyn_describe_beyond(const gdyn_state *state, const char *indent, gdyn_text *out) {
    const gdyn_model *model = gdyn_state_model(state);
    int count = 0;
    for (int r = 0; r < gdyn_model_ranges(model); r++) {
        double beyond = gdyn_mech_range_beyond(state, r);
        if (beyond == 0)
            continue;
        char text[GDYN_ADVICE] = "", amount[40];
        amount_text(beyond, gdyn_model_range_slides(model, r), amount, sizeof amount);
        add(text, sizeof text, "'%s' is out of its range by %s", gdyn_model_range(model, r)->name,
            amount);
        add_stated(text, sizeof text, model, r);
        gdyn_text_printf(out, "%s%s\n", indent, text);
        count++;
    }
    return count;
}

void gdyn_describe_entry(const gdyn_track *track, const char *unit, char *out, size_t size) {
    out[0] = '\0';
    if (track->entered >= 0 && track->reach > 0) {
        snprintf(out, size,
                 "the pose depends on the path to it, which is interrupted before p = %s: there "
                 "the machine enters the path again, directly from its first guess; results beyond "
                 "that point hold for this entry",
                 gdyn_amount(track->entered_p, unit).text);
    }
}

gdyn_status gdyn_describe_miss(const gdyn_path *path, double p, const gdyn_state *state, char *out,
                               size_t size) {
    double miss[2];
    char amount[40];
    /* the greatest deviation (angles count times L), in its own unit */
    gdyn_status status = gdyn_path_deviations(path, p, state, miss);
    double share = miss[0] >= 0 ? miss[0] / gdyn_model_length(gdyn_state_model(state)) : -1;
    bool length = !(miss[1] > share);
    amount_text(length ? fmax(miss[0], 0) : miss[1], length, amount, sizeof amount);
    snprintf(out, size, "out of reach, the path is missed by %s", amount);
    return status;
}

/* Appends ", name" up to the sixth, then ", ..." once. */
static void add_name(char *out, size_t size, const char *name, int number) {
    enum { SHOWN = 6 };
    size_t used = strlen(out);
    if (number <= SHOWN)
        snprintf(out + used, size - used, "%s%s", number > 1 ? ", " : "", name);
    else if (number == SHOWN + 1)
        snprintf(out + used, size - used, ", ...");
}

int gdyn_describe_neglected_friction(const gdyn_model *model, char *out, size_t size) {
    int count = 0;
    *out = '\0';
    /* Joints, then forces, in the order of the case. */
    for (int x = 0; x < gdyn_model_joints(model); x++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, x);
        if (joint->coulomb != 0 && joint->stiction == 0)
            add_name(out, size, joint->name, ++count);
    }
    for (int f = 0; f < gdyn_model_forces(model); f++) {
        const gdyn_force_def *force = gdyn_model_force(model, f);
        if (gdyn_force_has_dry_friction(force->kind) && force->coulomb != 0 && force->stiction == 0)
            add_name(out, size, force->name, ++count);
    }
    return count;
}
