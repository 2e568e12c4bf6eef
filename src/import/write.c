/* write.c - a robot as a case file.
 *
 * Axes of all bodies are those of the ground when all joints are at zero: an axis has the same
 * components in both bodies of its joint, and the coordinate is zero there. A body's origin is
 * that of its base link. */
#include "import/robot.h"
#include "casefile/casefile.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

/* A number in fifteen digits: one more would show the rounding of rotations. */
static gdyn_words digits_of(double value) {
    return gdyn_rounded_digits(value, 15);
}

/* [x, y, z] with that unit behind each; what is below the rounding of the greatest is zero. */
static void print_list(gdyn_text *out, const double v[3], const char *unit) {
    double size = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    gdyn_text_printf(out, "[");
    for (int i = 0; i < 3; i++) {
        double value = fabs(v[i]) < 4e-16 * size ? 0 : v[i];
        gdyn_text_printf(out, "%s%s%s", i ? ", " : "", digits_of(value).text,
                         value != 0 ? unit : "");
    }
    gdyn_text_printf(out, "]");
}

static void print_vector(gdyn_text *out, const double v[3]) {
    print_list(out, v, "");
}

/* Great lengths say that they are meant. */
static void print_lengths(gdyn_text *out, const double v[3]) {
    enum { GREAT = 10 };
    print_list(out, v, v3_norm(v) >= GREAT ? " m" : "");
}

static bool is_origin(const double x[3]) {
    return v3_norm(x) < 1e-15;
}

/* --- places ----------------------------------------------------------------------------------- */

/* A placing in a link's frame, seen from the link's body. */
static void in_body(const gdyn_robot *robot, int link, const gdyn_placing *inner,
                    gdyn_placing *out) {
    const gdyn_robot_link *l = &robot->link[link];
    gdyn_placing_compose(out, &l->zero, inner);
    if (l->base >= 0)
        v3_sub(out->x, out->x, robot->link[l->base].zero.x);
}

static void point_in_body(const gdyn_robot *robot, int link, const double at[3], double x[3]) {
    gdyn_placing inner, out;
    gdyn_placing_identity(&inner);
    v3_copy(inner.x, at);
    in_body(robot, link, &inner, &out);
    v3_copy(x, out.x);
}

static const char *body_of(const gdyn_robot *robot, int link) {
    int base = robot->link[link].base;
    return base < 0 ? "ground" : robot->link[base].body;
}

/* The two ends of a joint: link and point in its frame. */
static void joint_ends(const gdyn_robot *robot, const gdyn_robot_joint *joint, double child[3],
                       double parent[3]) {
    double at[3];
    point_in_body(robot, joint->child, joint->at, child);
    gdyn_placing_point(at, &joint->placing, joint->at);
    point_in_body(robot, joint->parent, at, parent);
}

/* `body.point`, or the body where the point is its origin. */
static void print_end(gdyn_text *out, const char *body, const char *point, const double at[3]) {
    if (is_origin(at))
        gdyn_text_printf(out, "%s", body);
    else
        gdyn_text_printf(out, "%s.%s", body, point);
}

/* Appends `NAME: [x, y, z]` to a list of points that begins with the first. */
static void print_point(gdyn_text *out, int *count, const char *margin, const char *name,
                        const double at[3]) {
    if (is_origin(at))
        return;
    if ((*count)++ == 0)
        gdyn_text_printf(out, "%spoints:\n", margin);
    gdyn_text_printf(out, "%s  %s: ", margin, name);
    print_lengths(out, at);
    gdyn_text_printf(out, "\n");
}

/* Points of a body (base; -1: the ground): of its joints, of its closures, origins of the links
 * fixed to it, centres of those that are held up. */
static void print_points(const gdyn_robot *robot, int base, const char *margin, gdyn_text *out) {
    int count = 0;
    double at[2][3];
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        if (!joint->label)
            continue;
        joint_ends(robot, joint, at[0], at[1]);
        if (robot->link[joint->child].base == base)
            print_point(out, &count, margin, joint->label, at[0]);
        if (robot->link[joint->parent].base == base)
            print_point(out, &count, margin, joint->label, at[1]);
    }
    for (int i = 0; i < robot->closures; i++)
        for (int end = 0; end < 2; end++) {
            const gdyn_robot_closure *closure = &robot->closure[i];
            point_in_body(robot, closure->link[end], closure->point[end], at[0]);
            if (robot->link[closure->link[end]].base == base)
                print_point(out, &count, margin, closure->name, at[0]);
        }
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        if (link->base != base || !link->point)
            continue;
        point_in_body(robot, i, (double[3]){0, 0, 0}, at[0]);
        print_point(out, &count, margin, link->point, at[0]);
    }
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        if (link->base != base || !link->lift)
            continue;
        point_in_body(robot, i, link->load.com, at[0]);
        print_point(out, &count, margin, link->lift, at[0]);
    }
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void print_line_shape(const gdyn_robot_shape *shape, const gdyn_placing *p, gdyn_text *out) {
    bool tube = shape->kind == GDYN_SHAPE_TUBE;
    double end[3];
    gdyn_text_printf(out, "{%s: [", tube ? "tube" : "capsule");
    v3_axpy(end, p->x, -shape->half, p->R + 6);
    print_lengths(out, end);
    gdyn_text_printf(out, ", ");
    v3_axpy(end, p->x, shape->half, p->R + 6);
    print_lengths(out, end);
    gdyn_text_printf(out, "], radius: %s", digits_of(shape->radius).text);
    if (tube)
        gdyn_text_printf(out, ", wall: %s", digits_of(shape->radius).text);
    gdyn_text_printf(out, "}\n");
}

static void print_shape(const gdyn_robot *robot, const gdyn_robot_shape *shape, gdyn_text *out) {
    gdyn_placing p;
    double cardan[3];
    in_body(robot, shape->link, &shape->placing, &p);
    if (shape->kind == GDYN_SHAPE_BOX) {
        gdyn_rotation_to_cardan(p.R, cardan);
        gdyn_text_printf(out, "{box: ");
        print_lengths(out, shape->size);
        gdyn_text_printf(out, ", at: ");
        print_lengths(out, p.x);
        gdyn_text_printf(out, ", cardan: ");
        print_vector(out, cardan);
        gdyn_text_printf(out, "}\n");
    } else if (shape->kind == GDYN_SHAPE_SPHERE) {
        gdyn_text_printf(out, "{sphere: ");
        print_lengths(out, p.x);
        gdyn_text_printf(out, ", radius: %s}\n", digits_of(shape->radius).text);
    } else {
        print_line_shape(shape, &p, out);
    }
}

static void print_shapes(const gdyn_robot *robot, int base, const char *margin, gdyn_text *out) {
    int count = 0;
    for (int i = 0; i < robot->shapes; i++)
        if (robot->link[robot->shape[i].link].base == base) {
            if (count++ == 0)
                gdyn_text_printf(out, "%sshape:\n", margin);
            gdyn_text_printf(out, "%s  - ", margin);
            print_shape(robot, &robot->shape[i], out);
        }
}

/* --- bodies ----------------------------------------------------------------------------------- */

static void print_inertia(const double I[9], gdyn_text *out) {
    double diagonal[3] = {I[0], I[4], I[8]}, products[3] = {I[3], I[6], I[7]};
    double size = v3_norm(diagonal);
    gdyn_text_printf(out, "      inertia: ");
    /* products below the rounding of the diagonal are none */
    if (v3_norm(products) <= 4e-16 * size) {
        print_vector(out, diagonal);
    } else {
        gdyn_text_printf(out, "{diagonal: ");
        print_vector(out, diagonal);
        gdyn_text_printf(out, ", products: ");
        print_vector(out, products);
        gdyn_text_printf(out, "}");
    }
    gdyn_text_printf(out, "\n");
}

static void print_pose(const gdyn_robot_link *link, gdyn_text *out) {
    double R[9], cardan[3];
    /* turned against the ground as the link is against its zero: first * zero^T */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R[i + 3 * j] = 0;
            for (int k = 0; k < 3; k++)
                R[i + 3 * j] += link->first.R[i + 3 * k] * link->zero.R[j + 3 * k];
        }
    gdyn_rotation_to_cardan(R, cardan);
    gdyn_text_printf(out, "      pose: ");
    if (v3_norm(cardan) > 1e-14) {
        gdyn_text_printf(out, "{at: ");
        print_lengths(out, link->first.x);
        gdyn_text_printf(out, ", cardan: ");
        print_vector(out, cardan);
        gdyn_text_printf(out, "}");
    } else {
        print_lengths(out, link->first.x);
    }
    gdyn_text_printf(out, "\n");
}

static void print_body(const gdyn_robot *robot, int base, gdyn_text *out) {
    const gdyn_robot_link *link = &robot->link[base];
    const gdyn_load *load = &robot->body_load[base];
    gdyn_text_printf(out, "    %s:\n      mass: %s%s\n", link->body, digits_of(load->mass).text,
                     load->mass > 0 ? " kg" : "");
    print_inertia(load->I, out);
    if (!is_origin(load->com)) {
        gdyn_text_printf(out, "      com: ");
        print_lengths(out, load->com);
        gdyn_text_printf(out, "\n");
    }
    print_points(robot, base, "      ", out);
    print_shapes(robot, base, "      ", out);
    print_pose(link, out);
}

/* --- joints, drives, springs ------------------------------------------------------------------ */

static void print_friction(const gdyn_robot_joint *joint, gdyn_text *out) {
    bool slides = joint->motion == GDYN_ROBOT_SLIDE;
    if (joint->viscous <= 0 && joint->coulomb <= 0)
        return;
    gdyn_text_printf(out, ", friction: {");
    if (joint->viscous > 0)
        gdyn_text_printf(out, "viscous: %s %s", digits_of(joint->viscous).text,
                         slides ? "N s/m" : "N m s/rad");
    if (joint->coulomb > 0)
        gdyn_text_printf(out, "%scoulomb: %s %s", joint->viscous > 0 ? ", " : "",
                         digits_of(joint->coulomb).text, slides ? "N" : "N m");
    gdyn_text_printf(out, "}");
}

static void print_range(const gdyn_robot_joint *joint, gdyn_text *out) {
    bool low = isfinite(joint->min), high = isfinite(joint->max);
    if (!low && !high)
        return;
    gdyn_text_printf(out, ", range: {");
    if (low)
        gdyn_text_printf(out, "min: %s", digits_of(joint->min).text);
    if (high)
        gdyn_text_printf(out, "%smax: %s", low ? ", " : "", digits_of(joint->max).text);
    gdyn_text_printf(out, "}");
}

static void print_joint(const gdyn_robot *robot, const gdyn_robot_joint *joint, gdyn_text *out) {
    static const char *const types[] = {[GDYN_ROBOT_TURN] = "revolute",
                                        [GDYN_ROBOT_SLIDE] = "prismatic",
                                        [GDYN_ROBOT_BALL] = "spherical",
                                        [GDYN_ROBOT_PLANE] = "planar"};
    double child[3], parent[3], axis[3];
    joint_ends(robot, joint, child, parent);
    gdyn_text_printf(out, "    %s: {type: %s, of: [", joint->label, types[joint->motion]);
    print_end(out, body_of(robot, joint->child), joint->label, child);
    gdyn_text_printf(out, ", ");
    print_end(out, body_of(robot, joint->parent), joint->label, parent);
    gdyn_text_printf(out, "]");
    if (joint->motion != GDYN_ROBOT_BALL) {
        m3_apply(axis, robot->link[joint->child].zero.R, joint->axis);
        gdyn_v3_normalize(axis);
        gdyn_text_printf(out, ", axis: ");
        print_vector(out, axis);
    }
    print_range(joint, out);
    print_friction(joint, out);
    gdyn_text_printf(out, "}\n");
}

static void print_closure(const gdyn_robot *robot, const gdyn_robot_closure *closure,
                          gdyn_text *out) {
    gdyn_text_printf(out, "    %s: {type: %s, of: [", closure->name, closure->type);
    for (int end = 0; end < 2; end++) {
        double at[3];
        point_in_body(robot, closure->link[end], closure->point[end], at);
        gdyn_text_printf(out, "%s", end ? ", " : "");
        print_end(out, body_of(robot, closure->link[end]), closure->name, at);
    }
    gdyn_text_printf(out, "]");
    if (closure->length > 0)
        gdyn_text_printf(out, ", length: %s", digits_of(closure->length).text);
    if (closure->has_axis) {
        gdyn_text_printf(out, ", axes: [");
        for (int end = 0; end < 2; end++) {
            double axis[3];
            m3_apply(axis, robot->link[closure->link[end]].zero.R, closure->axis[end]);
            gdyn_text_printf(out, "%s", end ? ", " : "");
            print_vector(out, axis);
        }
        gdyn_text_printf(out, "]");
    }
    gdyn_text_printf(out, ", cut: true}\n");
}

static void print_gear(const gdyn_robot *robot, const gdyn_robot_gear *gear, gdyn_text *out) {
    gdyn_text_printf(out, "    %s: {type: gear, of: [%s, %s], ratio: %s", gear->name,
                     robot->joint[gear->a].label, robot->joint[gear->b].label,
                     digits_of(gear->ratio).text);
    if (gear->offset != 0)
        gdyn_text_printf(out, ", offset: %s", digits_of(gear->offset).text);
    gdyn_text_printf(out, "}\n");
}

static void print_joints(const gdyn_robot *robot, gdyn_text *out) {
    gdyn_text_printf(out, "  joints:\n");
    for (int i = 0; i < robot->joints; i++)
        if (robot->joint[i].label)
            print_joint(robot, &robot->joint[i], out);
    for (int i = 0; i < robot->closures; i++)
        print_closure(robot, &robot->closure[i], out);
    for (int i = 0; i < robot->gears; i++)
        print_gear(robot, &robot->gear[i], out);
}

static void print_limit(gdyn_text *out, const char *key, double value, const char *unit) {
    if (isfinite(value))
        gdyn_text_printf(out, "%s: %s %s", key, digits_of(value).text, unit);
    else
        gdyn_text_printf(out, "%s: %s", key, value < 0 ? "-inf" : "inf");
}

static void print_drive(const gdyn_robot_joint *joint, gdyn_text *out) {
    bool slides = joint->motion == GDYN_ROBOT_SLIDE;
    const char *unit = slides ? "N" : "N m";
    gdyn_text_printf(out, "    %s: {at: %s, %s: {", joint->label, joint->label,
                     slides ? "force" : "torque");
    if (joint->effort_min == -joint->effort_max && isfinite(joint->effort_max)) {
        print_limit(out, "limit", joint->effort_max, unit);
    } else {
        print_limit(out, "min", joint->effort_min, unit);
        gdyn_text_printf(out, ", ");
        print_limit(out, "max", joint->effort_max, unit);
    }
    gdyn_text_printf(out, "}");
    if (isfinite(joint->speed))
        gdyn_text_printf(out, ", speed: {max: %s %s}", digits_of(joint->speed).text,
                         slides ? "m/s" : "rad/s");
    if (joint->armature > 0)
        gdyn_text_printf(out, ", rotor_inertia: %s", digits_of(joint->armature).text);
    gdyn_text_printf(out, "}\n");
}

static void print_drives(const gdyn_robot *robot, gdyn_text *out) {
    int count = 0;
    for (int i = 0; i < robot->joints; i++)
        if (robot->joint[i].driven && robot->joint[i].label) {
            if (count++ == 0)
                gdyn_text_printf(out, "  drives:\n");
            print_drive(&robot->joint[i], out);
        }
}

static void begin_force(int *count, gdyn_text *out) {
    if ((*count)++ == 0)
        gdyn_text_printf(out, "  forces:\n");
}

/* Springs of joints, forces against weights. */
static void print_forces(const gdyn_robot *robot, gdyn_text *out) {
    int count = 0;
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        if (joint->stiffness <= 0 || !joint->label)
            continue;
        begin_force(&count, out);
        gdyn_text_printf(out, "    %s: {type: spring, at: %s, stiffness: %s", joint->label,
                         joint->label, digits_of(joint->stiffness).text);
        if (joint->rest != 0)
            gdyn_text_printf(out, ", rest: %s", digits_of(joint->rest).text);
        gdyn_text_printf(out, "}\n");
    }
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        double at[3], force[3];
        if (!link->lift)
            continue;
        begin_force(&count, out);
        point_in_body(robot, i, link->load.com, at);
        v3_scale(force, -link->load.mass * link->buoyancy, robot->gravity);
        gdyn_text_printf(out, "    %s: {type: constant, of: ", link->lift);
        print_end(out, body_of(robot, i), link->lift, at);
        gdyn_text_printf(out, ", force: ");
        print_vector(out, force);
        gdyn_text_printf(out, "}\n");
    }
}

/* --- what was dropped, changed and assumed ---------------------------------------------------- */

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
        gdyn_words by = digits_of(travel(joint)), from = digits_of(joint->first);
        gdyn_text_printf(out, "      %s: ", joint->label);
        if (joint->first != 0)
            gdyn_text_printf(out, "%s %s ", from.text, by.text[0] == '-' ? "-" : "+");
        gdyn_text_printf(out, "%s*p\n",
                         joint->first != 0 && by.text[0] == '-' ? by.text + 1 : by.text);
    }
}

/* write_remarks.c: the first trajectory, which moves every joint a little. */
static void write_trajectory(const gdyn_robot *robot, gdyn_text *out) {
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
        robot->link[floating].body, digits_of(x[0]).text, digits_of(x[1]).text,
        digits_of(x[2]).text, digits_of(x[0]).text, digits_of(x[1]).text,
        digits_of(x[2] + 0.1).text);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void print_head(const gdyn_robot *robot, const char *source, gdyn_text *out) {
    gdyn_text_printf(out, "# Made by globdyn import from %s (%s).\n", source, robot->format);
    gdyn_text_printf(
        out,
        "# Coordinates of joints are those of the source%s. The axes of a body are those of the\n"
        "# ground when all joints are at zero; its origin is that of the link it is named after.\n",
        robot->zero_means);
    gdyn_robot_write_remarks(robot, "# ", out);
    gdyn_text_printf(out, "format: 1\nname: ");
    gdyn_case_print_scalar(robot->name, out);
    gdyn_text_printf(out, "\nmachine:\n  space: spatial\n  gravity: ");
    print_vector(out, robot->gravity);
    gdyn_text_printf(out, "\n");
}

static void print_exclusions(const gdyn_robot *robot, gdyn_text *out) {
    for (int i = 0; i < robot->exclusions; i++)
        gdyn_text_printf(out, "%s[%s, %s]", i ? ", " : "  clearance: {exclude: [",
                         robot->exclusion[i].body[0], robot->exclusion[i].body[1]);
    if (robot->exclusions > 0)
        gdyn_text_printf(out, "]}\n");
}

static void print_ground(const gdyn_robot *robot, gdyn_text *out) {
    gdyn_text inside = {0};
    print_points(robot, -1, "    ", &inside);
    print_shapes(robot, -1, "    ", &inside);
    if (inside.length > 0)
        gdyn_text_printf(out, "  ground:\n%s", inside.data);
    out->failed = out->failed || inside.failed;
    gdyn_text_free(&inside);
}

void gdyn_robot_write(const gdyn_robot *robot, const char *source, gdyn_text *out) {
    print_head(robot, source, out);
    print_exclusions(robot, out);
    print_ground(robot, out);
    gdyn_text_printf(out, "  bodies:\n");
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].base == i)
            print_body(robot, i, out);
    print_joints(robot, out);
    print_drives(robot, out);
    print_forces(robot, out);
    write_trajectory(robot, out);
}
