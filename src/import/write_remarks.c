/* write_remarks.c - what was dropped, changed and assumed; the first trajectory. */
#include "import/robot.h"

#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

void gdyn_robot_write_remarks(const gdyn_robot *robot, const char *margin, gdyn_text *out) {
    const int most = sizeof robot->remark->line / sizeof *robot->remark->line;
    for (int i = 0; i < robot->remarks; i++) {
        const gdyn_robot_remark *remark = &robot->remark[i];
        gdyn_text_printf(out, "%s%s: %s", margin, remark->kind, remark->text);
        for (int k = 0; k < remark->count && k < most; k++)
            gdyn_text_printf(out, "%s%d",
                             k                   ? ", "
                             : remark->count > 1 ? " (lines "
                                                 : " (line ",
                             remark->line[k]);
        if (remark->count > most)
            gdyn_text_printf(out, ", ... %d in all", remark->count);
        gdyn_text_printf(out, "%s\n", remark->count ? ")" : "");
    }
}

/* --- the first trajectory --------------------------------------------------------------------- */

/* From the first guess into the greater part of the range: half of it, at most 0.5 rad or 0.1 m. */
static double travel(const gdyn_robot_joint *joint) {
    double most = joint->motion == GDYN_ROBOT_SLIDE ? 0.1 : 0.5;
    double up = joint->max - joint->first, down = joint->first - joint->min;
    return up >= down ? fmin(most, 0.5 * up) : -fmin(most, 0.5 * down);
}

/* A joint with a drive, if there is one. */
static bool is_preferred(const gdyn_robot *robot, const gdyn_robot_joint *joint) {
    for (int i = 0; i < robot->joints; i++)
        if (robot->joint[i].driven && !robot->joint[i].slave)
            return joint->driven;
    return true;
}

static bool moves(const gdyn_robot *robot, const gdyn_robot_joint *joint, int *count) {
    bool scalar = gdyn_robot_joint_scalar(joint);
    if (!scalar || joint->slave || (robot->closures > 0 && !is_preferred(robot, joint)))
        return false;
    /* of a machine with loops one joint, and the others follow */
    return (*count)++ == 0 || robot->closures == 0;
}

static void print_joint_path(const gdyn_robot *robot, gdyn_text *out) {
    int count = 0;
    gdyn_text_printf(out, "  sway:\n    p: [0, 1]\n    points: 21\n    joints:\n");
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        if (!moves(robot, joint, &count))
            continue;
        gdyn_words by = gdyn_robot_digits(travel(joint)), from = gdyn_robot_digits(joint->first);
        gdyn_text_printf(out, "      %s: ", joint->label);
        if (joint->first != 0)
            gdyn_text_printf(out, "%s %s ", from.text, by.text[0] == '-' ? "-" : "+");
        gdyn_text_printf(out, "%s*p\n",
                         joint->first != 0 && by.text[0] == '-' ? by.text + 1 : by.text);
    }
}

void gdyn_robot_write_trajectory(const gdyn_robot *robot, gdyn_text *out) {
    int count = 0, floating = -1;
    for (int i = 0; i < robot->joints; i++)
        moves(robot, &robot->joint[i], &count);
    for (int i = 0; i < robot->links && floating < 0; i++)
        if (robot->link[i].base == i &&
            (robot->link[i].joint < 0 ||
             robot->joint[robot->link[i].joint].motion == GDYN_ROBOT_FREE))
            floating = i;
    if (count == 0 && floating < 0)
        return;
    gdyn_text_printf(out, "trajectories: # chosen by the import: put your own path here\n");
    if (count > 0) {
        print_joint_path(robot, out);
        return;
    }
    const double *x = robot->link[floating].first.x;
    gdyn_text_printf(
        out, "  sway: {of: %s, kind: line, from: [%s, %s, %s], to: [%s, %s, %s], points: 21}\n",
        robot->link[floating].body, gdyn_robot_digits(x[0]).text, gdyn_robot_digits(x[1]).text,
        gdyn_robot_digits(x[2]).text, gdyn_robot_digits(x[0]).text, gdyn_robot_digits(x[1]).text,
        gdyn_robot_digits(x[2] + 0.1).text);
}
