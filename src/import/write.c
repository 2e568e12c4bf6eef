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
#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

/* A number in fifteen digits: one more would show the rounding of rotations. */
static gdyn_words digits_of(double value) {
    return gdyn_rounded_digits(value, 15);
}

/* A short text by value, for arguments of printf. */
typedef struct words {
    char text[320];
} words;

/* [x, y, z] with that unit behind each; what is below the rounding of the largest is zero. */
static words list_of(const double v[3], const char *unit) {
    double size = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    words list = {"["};
    for (int i = 0, n = 1; i < 3; i++) {
        double value = fabs(v[i]) < 4e-16 * size ? 0 : v[i];
        n += snprintf(list.text + n, sizeof list.text - (size_t)n, "%s%s%s", digits_of(value).text,
                      value != 0 ? unit : "", i < 2 ? ", " : "]");
    }
    return list;
}

static words vector(const double v[3]) {
    return list_of(v, "");
}

/* Great lengths say that they are meant. */
static words lengths(const double v[3]) {
    enum { GREAT = 10 };
    return list_of(v, v3_norm(v) >= GREAT ? " m" : "");
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

/* The two ends of a joint: link and point in its frame. */
static void joint_ends(const gdyn_robot *robot, const gdyn_robot_joint *joint, double child[3],
                       double parent[3]) {
    double at[3];
    point_in_body(robot, joint->child, joint->at, child);
    gdyn_placing_point(at, &joint->placing, joint->at);
    point_in_body(robot, joint->parent, at, parent);
}

/* `body.point` of a link's body, or the body where the point is its origin. */
static words end_of(const gdyn_robot *robot, int link, const char *point, const double at[3]) {
    int base = robot->link[link].base;
    bool origin = is_origin(at);
    words end;
    snprintf(end.text, sizeof end.text, "%s%s%s", base < 0 ? "ground" : robot->link[base].body,
             origin ? "" : ".", origin ? "" : point);
    return end;
}

/* Appends `NAME: [x, y, z]` to a list of points that begins with the first, if the link belongs
 * to the body. */
static void print_point(const gdyn_robot *robot, int base, int link, int *count, const char *margin,
                        const char *name, const double at[3], const double cardan[3],
                        gdyn_text *out) {
    bool turned = cardan && v3_norm(cardan) > 1e-14;
    if (!name || robot->link[link].base != base || (is_origin(at) && !turned))
        return;
    if ((*count)++ == 0)
        gdyn_text_printf(out, "%spoints:\n", margin);
    gdyn_text_printf(out, turned ? "%s  %s: {at: %s, cardan: %s}\n" : "%s  %s: %s\n", margin, name,
                     lengths(at).text, turned ? vector(cardan).text : "");
}

/* Points of a body (base; -1: the ground): of its joints, of its closures, origins of the links
 * fixed to it, centres of those that are held up. */
static void print_points(const gdyn_robot *robot, int base, const char *margin, gdyn_text *out) {
    int count = 0;
    double at[2][3], cardan[3];
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        joint_ends(robot, joint, at[0], at[1]);
        print_point(robot, base, joint->child, &count, margin, joint->label, at[0], NULL, out);
        print_point(robot, base, joint->parent, &count, margin, joint->label, at[1], NULL, out);
    }
    for (int i = 0; i < 2 * robot->closures; i++) {
        const gdyn_robot_closure *closure = &robot->closure[i / 2];
        point_in_body(robot, closure->link[i % 2], closure->point[i % 2], at[0]);
        print_point(robot, base, closure->link[i % 2], &count, margin, closure->name, at[0], NULL,
                    out);
    }
    for (int i = 0; i < robot->links; i++) {
        point_in_body(robot, i, (double[3]){0, 0, 0}, at[0]);
        gdyn_rotation_to_cardan(robot->link[i].zero.R, cardan);
        print_point(robot, base, i, &count, margin, robot->link[i].point, at[0],
                    base < 0 ? NULL : cardan, out);
    }
    for (int i = 0; i < robot->links; i++) {
        point_in_body(robot, i, robot->link[i].load.com, at[0]);
        print_point(robot, base, i, &count, margin, robot->link[i].lift, at[0], NULL, out);
    }
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void print_shape(const gdyn_robot *robot, const gdyn_robot_shape *shape, gdyn_text *out) {
    gdyn_placing p;
    double cardan[3], from[3], to[3];
    gdyn_words radius = digits_of(shape->radius);
    in_body(robot, shape->link, &shape->placing, &p);
    if (shape->kind == GDYN_SHAPE_BOX) {
        gdyn_rotation_to_cardan(p.R, cardan);
        gdyn_text_printf(out, "{box: %s, at: %s, cardan: %s}\n", lengths(shape->size).text,
                         lengths(p.x).text, vector(cardan).text);
    } else if (shape->kind == GDYN_SHAPE_SPHERE) {
        gdyn_text_printf(out, "{sphere: %s, radius: %s}\n", lengths(p.x).text, radius.text);
    } else {
        bool tube = shape->kind == GDYN_SHAPE_TUBE;
        v3_axpy(from, p.x, -shape->half, p.R + 6);
        v3_axpy(to, p.x, shape->half, p.R + 6);
        gdyn_text_printf(out, "{%s: [%s, %s], radius: %s%s%s}\n", tube ? "tube" : "capsule",
                         lengths(from).text, lengths(to).text, radius.text, tube ? ", wall: " : "",
                         tube ? radius.text : "");
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

static void print_pose(const gdyn_robot_link *link, gdyn_text *out) {
    double R[9], cardan[3];
    gdyn_placing back;
    /* turned against the ground as the link is against its zero: first * zero^T */
    gdyn_placing_invert(&back, &link->zero);
    gdyn_m3_multiply(R, link->first.R, back.R);
    for (int i = 0; i < 9; i++)
        R[i] += 0; /* no -0, for which atan2 gives -pi */
    gdyn_rotation_to_cardan(R, cardan);
    gdyn_text_printf(
        out, v3_norm(cardan) > 1e-14 ? "      pose: {at: %s, cardan: %s}\n" : "      pose: %s\n",
        lengths(link->first.x).text, vector(cardan).text);
}

/* --- joints, drives, springs ------------------------------------------------------------------ */

const char *const gdyn_robot_motion_names[] = {"fixed",     "revolute", "prismatic",
                                               "spherical", "planar",   "free"};

/* `before`, number, unit, if it is wanted. */
static void print_number(gdyn_text *out, bool wanted, const char *before, double value,
                         const char *unit) {
    if (wanted)
        gdyn_text_printf(out, "%s%s%s", before, digits_of(value).text, unit);
}

static void print_joint(const gdyn_robot *robot, const gdyn_robot_joint *joint, gdyn_text *out) {
    double child[3], parent[3], axis[3];
    bool slides = joint->motion == GDYN_ROBOT_SLIDE;
    bool low = isfinite(joint->min), high = isfinite(joint->max);
    bool viscous = joint->viscous > 0, coulomb = joint->coulomb > 0;
    joint_ends(robot, joint, child, parent);
    gdyn_text_printf(out, "    %s: {type: %s, of: [%s, %s]", joint->label,
                     gdyn_robot_motion_names[joint->motion],
                     end_of(robot, joint->child, joint->label, child).text,
                     end_of(robot, joint->parent, joint->label, parent).text);
    if (joint->motion != GDYN_ROBOT_BALL) {
        m3_apply(axis, robot->link[joint->child].zero.R, joint->axis);
        gdyn_v3_normalize(axis);
        gdyn_text_printf(out, ", axis: %s", vector(axis).text);
    }
    print_number(out, low, ", range: {min: ", joint->min, high ? "" : "}");
    print_number(out, high, low ? ", max: " : ", range: {max: ", joint->max, "}");
    print_number(out, viscous, ", friction: {viscous: ", joint->viscous,
                 slides ? " N s/m" : " N m s/rad");
    print_number(out, coulomb, viscous ? ", coulomb: " : ", friction: {coulomb: ", joint->coulomb,
                 slides ? " N" : " N m");
    gdyn_text_printf(out, viscous || coulomb ? "}}\n" : "}\n");
}

static void print_joints(const gdyn_robot *robot, gdyn_text *out) {
    gdyn_text_printf(out, "  joints:\n");
    for (int i = 0; i < robot->joints; i++)
        if (robot->joint[i].label)
            print_joint(robot, &robot->joint[i], out);
    for (int i = 0; i < robot->closures; i++) {
        const gdyn_robot_closure *closure = &robot->closure[i];
        double at[2][3], axis[2][3];
        for (int end = 0; end < 2; end++) {
            point_in_body(robot, closure->link[end], closure->point[end], at[end]);
            m3_apply(axis[end], robot->link[closure->link[end]].zero.R, closure->axis[end]);
        }
        gdyn_text_printf(out, "    %s: {type: %s, of: [%s, %s]", closure->name, closure->type,
                         end_of(robot, closure->link[0], closure->name, at[0]).text,
                         end_of(robot, closure->link[1], closure->name, at[1]).text);
        print_number(out, closure->length > 0, ", length: ", closure->length, "");
        print_number(out, closure->pitch != 0, ", pitch: ", closure->pitch, "");
        if (closure->has_axis)
            gdyn_text_printf(out, ", axes: [%s, %s]", vector(axis[0]).text, vector(axis[1]).text);
        gdyn_text_printf(out, ", cut: true}\n");
    }
    for (int i = 0; i < robot->gears; i++) {
        const gdyn_robot_gear *gear = &robot->gear[i];
        gdyn_text_printf(out, "    %s: {type: gear, of: [%s, %s], ratio: %s", gear->name,
                         robot->joint[gear->a].label, robot->joint[gear->b].label,
                         digits_of(gear->ratio).text);
        print_number(out, gear->offset != 0, ", offset: ", gear->offset, "");
        gdyn_text_printf(out, "}\n");
    }
}

/* A limit of force; infinite: none. */
static words limit_of(double value, const char *unit) {
    words limit;
    snprintf(limit.text, sizeof limit.text,
             isfinite(value) ? "%s %s"
             : value < 0     ? "-inf"
                             : "inf",
             digits_of(value).text, unit);
    return limit;
}

static void print_drives(const gdyn_robot *robot, gdyn_text *out) {
    int drives = 0;
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        bool slides = joint->motion == GDYN_ROBOT_SLIDE;
        const char *unit = slides ? "N" : "N m";
        if (!joint->driven || !joint->label)
            continue;
        gdyn_text_printf(out, "%s    %s: {at: %s, %s: {", drives++ ? "" : "  drives:\n",
                         joint->label, joint->label, slides ? "force" : "torque");
        if (joint->effort_min == -joint->effort_max && isfinite(joint->effort_max))
            gdyn_text_printf(out, "limit: %s}", limit_of(joint->effort_max, unit).text);
        else
            gdyn_text_printf(out, "min: %s, max: %s}", limit_of(joint->effort_min, unit).text,
                             limit_of(joint->effort_max, unit).text);
        print_number(out, isfinite(joint->speed), ", speed: {max: ", joint->speed,
                     slides ? " m/s}" : " rad/s}");
        print_number(out, joint->armature > 0, ", rotor_inertia: ", joint->armature, "");
        gdyn_text_printf(out, "}\n");
    }
}

/* Springs of joints, forces against weights. */
static void print_forces(const gdyn_robot *robot, gdyn_text *out) {
    int forces = 0;
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        if (joint->stiffness <= 0 || !joint->label)
            continue;
        gdyn_text_printf(out, "%s    %s: {type: spring, at: %s, stiffness: %s",
                         forces++ ? "" : "  forces:\n", joint->label, joint->label,
                         digits_of(joint->stiffness).text);
        print_number(out, joint->rest != 0, ", rest: ", joint->rest, "");
        gdyn_text_printf(out, "}\n");
    }
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        double at[3], force[3];
        if (!link->lift)
            continue;
        point_in_body(robot, i, link->load.com, at);
        v3_scale(force, -link->load.mass * link->buoyancy, robot->gravity);
        gdyn_text_printf(out, "%s    %s: {type: constant, of: %s, force: %s}\n",
                         forces++ ? "" : "  forces:\n", link->lift,
                         end_of(robot, i, link->lift, at).text, vector(force).text);
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

/* --- the first trajectory, which moves every joint a little ----------------------------------- */

/* Of a machine with loops one joint moves, and the others follow: one with a drive, if any. */
static bool moves(const gdyn_robot *robot, const gdyn_robot_joint *joint, int *count) {
    bool preferred = robot->closures == 0 || joint->driven;
    for (int i = 0; i < robot->joints && !preferred; i++)
        if (robot->joint[i].driven && !robot->joint[i].slave)
            return false;
    return gdyn_robot_joint_scalar(joint) && !joint->slave &&
           ((*count)++ == 0 || robot->closures == 0);
}

/* Room of a joint up and down from its first coordinate, with all that gears move by it. */
static void room_of(const gdyn_robot *robot, int joint, int depth, double room[2]) {
    const gdyn_robot_joint *j = &robot->joint[joint];
    room[0] = fmax(0, j->max - j->first);
    room[1] = fmax(0, j->first - j->min);
    for (int i = 0; i < robot->gears && depth < 20; i++) {
        const gdyn_robot_gear *gear = &robot->gear[i];
        double other[2];
        if (gear->b != joint)
            continue;
        room_of(robot, gear->a, depth + 1, other);
        for (int k = 0; k < 2; k++)
            room[k] = fmin(room[k], other[gear->ratio > 0 ? k : 1 - k] / fabs(gear->ratio));
    }
}

static void write_trajectory(const gdyn_robot *robot, gdyn_text *out) {
    int count = 0, floating = -1;
    if (robot->sway == 0)
        return;
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
    if (count == 0) {
        const double *x = robot->link[floating].first.x;
        gdyn_words a = digits_of(x[0]), b = digits_of(x[1]);
        gdyn_text_printf(out, "  sway: {of: %s, kind: line, from: [%s, %s, %s], ",
                         robot->link[floating].body, a.text, b.text, digits_of(x[2]).text);
        gdyn_text_printf(out, "to: [%s, %s, %s], points: 21}\n", a.text, b.text,
                         digits_of(x[2] + 0.1).text);
        return;
    }
    count = 0;
    gdyn_text_printf(out, "  sway:\n    p: [0, 1]\n    points: 21\n    joints:\n");
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        double room[2];
        if (!moves(robot, joint, &count))
            continue;
        /* into the greater part of the range: half of it, at most 0.5 rad or 0.1 m */
        double most = joint->motion == GDYN_ROBOT_SLIDE ? 0.1 : 0.5;
        room_of(robot, i, 0, room);
        bool up = (room[0] >= room[1]) == (robot->sway > 0);
        double way = fmin(most, 0.5 * room[up ? 0 : 1]) * fabs(robot->sway);
        gdyn_words by = digits_of(up ? way : -way);
        bool minus = joint->first != 0 && by.text[0] == '-';
        gdyn_text_printf(out, "      %s: ", joint->label);
        if (joint->first != 0)
            gdyn_text_printf(out, "%s %s ", digits_of(joint->first).text, minus ? "-" : "+");
        gdyn_text_printf(out, "%s*p\n", minus ? by.text + 1 : by.text);
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

void gdyn_robot_write(const gdyn_robot *robot, const char *source, gdyn_text *out) {
    gdyn_text inside = {0};
    gdyn_text_printf(out, "# Made by globdyn import from %s (%s).\n", source, robot->format);
    gdyn_text_printf(
        out,
        "# Coordinates of joints are those of the source%s. The axes of a body are those of the\n"
        "# ground when all joints are at zero; its origin is that of the link it is named after.\n",
        robot->zero_means);
    gdyn_robot_write_remarks(robot, "# ", out);
    gdyn_text_printf(out, "format: 1\nname: ");
    gdyn_case_print_scalar(robot->name, out);
    gdyn_text_printf(out, "\nmachine:\n  space: spatial\n  gravity: %s\n",
                     vector(robot->gravity).text);
    for (int i = 0; i < robot->exclusions; i++)
        gdyn_text_printf(out, "%s[%s, %s]%s", i ? ", " : "  clearance: {exclude: [",
                         robot->exclusion[i].body[0], robot->exclusion[i].body[1],
                         i + 1 < robot->exclusions ? "" : "]}\n");
    if (robot->joint_limits) {
        gdyn_text_printf(out, "  limits: {file: ");
        gdyn_case_print_scalar(robot->joint_limits, out);
        gdyn_text_printf(out, "}\n");
    }
    print_points(robot, -1, "    ", &inside);
    print_shapes(robot, -1, "    ", &inside);
    if (inside.length > 0)
        gdyn_text_printf(out, "  ground:\n%s", inside.data);
    out->failed = out->failed || inside.failed;
    gdyn_text_free(&inside);
    gdyn_text_printf(out, "  bodies:\n");
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].base == i) {
            const gdyn_robot_link *link = &robot->link[i];
            const gdyn_load *load = &robot->body_load[i];
            const double *I = load->I, diagonal[3] = {I[0], I[4], I[8]},
                         products[3] = {I[3], I[6], I[7]};
            gdyn_text_printf(out, "    %s:\n      mass: %s%s\n", link->body,
                             digits_of(load->mass).text, load->mass > 0 ? " kg" : "");
            /* products below the rounding of the diagonal are none */
            if (v3_norm(products) <= 4e-16 * v3_norm(diagonal))
                gdyn_text_printf(out, "      inertia: %s\n", vector(diagonal).text);
            else
                gdyn_text_printf(out, "      inertia: {diagonal: %s, products: %s}\n",
                                 vector(diagonal).text, vector(products).text);
            if (!is_origin(load->com))
                gdyn_text_printf(out, "      com: %s\n", lengths(load->com).text);
            print_points(robot, i, "      ", out);
            print_shapes(robot, i, "      ", out);
            print_pose(link, out);
        }
    print_joints(robot, out);
    print_drives(robot, out);
    print_forces(robot, out);
    write_trajectory(robot, out);
}
