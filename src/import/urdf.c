/* urdf.c - robots of URDF (wiki.ros.org/urdf/XML): links and joints by name, frames of links at
 * their joints. Links, axes, limits are read for SDF, too, where the texts of elements stand for
 * attributes and a <pose> for the <origin>.
 *
 * <origin xyz rpy>: x + Rz(yaw) Ry(pitch) Rx(roll). A joint's frame is that of its child at
 * zero; its axis stands in that frame, (1, 0, 0) unless given. An <inertia> is the tensor about
 * the centre in the axes of its <origin>. */
#include "import/robot.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

enum { LINKS_MOST = 5000 };

/* --- frames and names ------------------------------------------------------------------------- */

static void rotation_of_rpy(double R[9], const double rpy[3]) {
    double turn[9];
    gdyn_rotation_exp(R, (double[3]){0, 0, rpy[2]});
    gdyn_rotation_exp(turn, (double[3]){0, rpy[1], 0});
    gdyn_m3_multiply(R, R, turn);
    gdyn_rotation_exp(turn, (double[3]){rpy[0], 0, 0});
    gdyn_m3_multiply(R, R, turn);
}

bool gdyn_urdf_origin(gdyn_robot *robot, const gdyn_xml *of, gdyn_placing *placing) {
    const gdyn_xml *origin = gdyn_xml_child(of, robot->sdf ? "pose" : "origin");
    double pose[6] = {0};
    bool good = robot->sdf ? gdyn_robot_attribute(robot, of, "pose", 6, pose)
                           : gdyn_robot_attribute(robot, origin, "xyz", 3, pose) &
                                 gdyn_robot_attribute(robot, origin, "rpy", 3, pose + 3);
    if (robot->sdf &&
        (gdyn_xml_says(origin, "degrees", "true") || gdyn_xml_says(origin, "degrees", "1")))
        v3_scale(pose + 3, GDYN_PI / 180, pose + 3);
    v3_copy(placing->x, pose);
    rotation_of_rpy(placing->R, pose + 3);
    return good;
}

const char *gdyn_urdf_name(gdyn_robot *robot, const gdyn_xml *element) {
    const char *name = gdyn_xml_get(element, "name");
    if (name && *name)
        return name;
    gdyn_robot_error(robot, element, NULL, "<%s> has no name", element->name);
    return NULL;
}

/* Numbers that must be there. */
static bool need(gdyn_robot *robot, const gdyn_xml *at, const char *name, int count,
                 double *values) {
    return gdyn_xml_get(at, name)
               ? gdyn_robot_attribute(robot, at, name, count, values)
               : gdyn_robot_error(robot, at, NULL, "<%s> has no attribute '%s'", at->name, name);
}

/* "did you mean '...'?"; NULL: nothing is near. */
static const char *suggest(gdyn_robot *robot, const char *word, const char *const *words,
                           int count) {
    const char *near = gdyn_text_nearest(word, words, count);
    return near ? gdyn_arena_printf(robot->arena, "did you mean '%s'?",
                                    gdyn_robot_shown(robot, near))
                : NULL;
}

/* --- links ------------------------------------------------------------------------------------ */

static void read_inertial(gdyn_robot *robot, const gdyn_xml *inertial, gdyn_robot_link *link) {
    static const char *const entry[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const gdyn_xml *mass = gdyn_xml_child(inertial, "mass");
    const gdyn_xml *tensor = gdyn_xml_child(inertial, "inertia");
    gdyn_load load = {.mass = robot->sdf};
    gdyn_placing placing;
    double I[6] = {robot->sdf, robot->sdf, robot->sdf};
    bool good = gdyn_urdf_origin(robot, inertial, &placing);
    if (!robot->sdf && (!mass || !tensor)) {
        gdyn_robot_error(robot, inertial, NULL, "<inertial> has no <%s>",
                         mass ? "inertia" : "mass");
        return;
    }
    good &= robot->sdf ? gdyn_robot_attribute(robot, inertial, "mass", 1, &load.mass)
                       : need(robot, mass, "value", 1, &load.mass);
    for (int i = 0; i < 6; i++)
        good &= i < 3 && !robot->sdf ? need(robot, tensor, entry[i], 1, &I[i])
                                     : gdyn_robot_attribute(robot, tensor, entry[i], 1, &I[i]);
    if (robot->sdf && (!inertial || !gdyn_xml_get(inertial, "mass") || !tensor))
        gdyn_robot_remark_at(robot, "assumed", link->at,
                             "1 kg, or 1 kg m2, of a link that does not give it (SDF)");
    gdyn_load_tensor(&load, I);
    if (good && load.mass < 0)
        gdyn_robot_error(robot, mass, NULL, "the mass of link '%s' is negative",
                         gdyn_robot_shown(robot, link->name));
    gdyn_load_place(&link->load, &load, &placing);
}

/* Edges or radius and length; false: no such shape. */
static bool read_geometry(gdyn_robot *robot, const gdyn_xml *kind, gdyn_robot_shape *shape) {
    double length = 0;
    if (shape->kind == GDYN_SHAPE_BOX)
        return need(robot, kind, "size", 3, shape->size);
    bool good = need(robot, kind, "radius", 1, &shape->radius);
    if (shape->kind != GDYN_SHAPE_SPHERE)
        good &= need(robot, kind, "length", 1, &length);
    shape->half = 0.5 * length;
    return good;
}

static bool is_positive(const gdyn_robot_shape *s) {
    if (s->kind == GDYN_SHAPE_BOX)
        return s->size[0] > 0 && s->size[1] > 0 && s->size[2] > 0;
    return s->radius > 0 && (s->kind == GDYN_SHAPE_SPHERE || s->half > 0);
}

static void read_collision(gdyn_robot *robot, const gdyn_xml *collision, int link) {
    const gdyn_xml *geometry = gdyn_xml_child(collision, "geometry");
    const gdyn_xml *kind = geometry ? geometry->first : NULL;
    if (!kind || gdyn_xml_is(kind, "mesh")) {
        gdyn_robot_remark_at(robot, "dropped", kind ? kind : collision, "%s",
                             kind ? "collision meshes" : "<collision> without geometry");
        return;
    }
    static const char *const names[] = {"box", "sphere", "cylinder", "capsule", NULL};
    static const gdyn_shape_kind kinds[] = {GDYN_SHAPE_BOX, GDYN_SHAPE_SPHERE, GDYN_SHAPE_TUBE,
                                            GDYN_SHAPE_CAPSULE};
    int number = gdyn_word_number(names, kind->name);
    if (number < 0)
        return; /* reported as all that is not known */
    gdyn_robot_shape shape = {.link = link, .kind = kinds[number]};
    if (!gdyn_urdf_origin(robot, collision, &shape.placing) || !read_geometry(robot, kind, &shape))
        return;
    if (is_positive(&shape))
        gdyn_robot_add_shape(robot, &shape);
    else
        gdyn_robot_remark_at(robot, "dropped", kind, "collision shapes without volume");
}

void gdyn_urdf_link(gdyn_robot *robot, const gdyn_xml *element, const char *name) {
    int before = gdyn_robot_find_link(robot, name);
    if (before >= 0)
        gdyn_robot_error(robot, element, NULL, "there is another link '%s', in line %d",
                         gdyn_robot_shown(robot, name), robot->link[before].at->line);
    gdyn_robot_link *link = gdyn_robot_add_link(robot, name, element);
    if (!link)
        return;
    const gdyn_xml *inertial = gdyn_xml_child(element, "inertial");
    if (inertial || robot->sdf)
        read_inertial(robot, inertial, link);
    const gdyn_xml *collision = gdyn_xml_child(element, "collision");
    for (; collision; collision = gdyn_xml_again(collision))
        read_collision(robot, collision, robot->links - 1);
}

/* --- joints ----------------------------------------------------------------------------------- */

bool gdyn_urdf_motion(gdyn_robot *robot, const gdyn_xml *element, gdyn_robot_joint *joint) {
    /* the first six of URDF, all but the first two of SDF */
    static const char *const names[] = {"floating",  "planar", "fixed", "revolute",  "continuous",
                                        "prismatic", "ball",   "screw", "universal", "revolute2"};
    static const gdyn_robot_motion motions[] = {
        GDYN_ROBOT_FREE,  GDYN_ROBOT_PLANE, GDYN_ROBOT_FIXED, GDYN_ROBOT_TURN, GDYN_ROBOT_TURN,
        GDYN_ROBOT_SLIDE, GDYN_ROBOT_BALL,  GDYN_ROBOT_TURN,  GDYN_ROBOT_TURN, GDYN_ROBOT_TURN};
    const char *type = gdyn_xml_get(element, "type");
    int first = robot->sdf ? 2 : 0, count = robot->sdf ? 8 : 6;
    for (int i = first; type && i < first + count; i++)
        if (!strcmp(type, names[i])) {
            joint->motion = motions[i];
            return true;
        }
    return gdyn_robot_error(
        robot, element, type ? suggest(robot, type, names + first, count) : NULL,
        "joint '%s' has %s%s", gdyn_robot_shown(robot, joint->name),
        type ? "an unknown type: " : "no type", type ? gdyn_robot_shown(robot, type) : "");
}

static int read_end(gdyn_robot *robot, const gdyn_xml *element, const char *which) {
    const gdyn_xml *end = gdyn_xml_child(element, which);
    const char *name = gdyn_xml_get(end, "link");
    if (!name) {
        gdyn_robot_error(robot, element, NULL, "<joint> has no <%s link=...>", which);
        return -1;
    }
    int link = gdyn_robot_find_link(robot, name);
    if (link < 0 && !strcmp(name, "world")) {
        gdyn_robot_remark_at(robot, "assumed", end, "the link 'world' is the ground");
        gdyn_robot_add_link(robot, name, end);
        return robot->links - 1;
    }
    if (link < 0) {
        const char **names =
            gdyn_arena_alloc(robot->arena, (size_t)robot->links + 1, sizeof *names);
        for (int i = 0; names && i < robot->links; i++)
            names[i] = robot->link[i].name;
        gdyn_robot_error(robot, end, names ? suggest(robot, name, names, robot->links) : NULL,
                         "there is no link '%s'", gdyn_robot_shown(robot, name));
    }
    return link;
}

/* A number that may be infinite, also in the guise of 1e16. */
static bool read_bound(gdyn_robot *robot, const gdyn_xml *limit, const char *name, double *value) {
    const char *text = gdyn_xml_get(limit, name);
    bool minus = text && *text == '-';
    if (text && !strncmp(text + (minus || *text == '+'), "inf", 3))
        *value = minus ? -INFINITY : INFINITY;
    else if (!gdyn_robot_attribute(robot, limit, name, 1, value))
        return false;
    if (fabs(*value) >= 1e15)
        *value = copysign(INFINITY, *value);
    return true;
}

/* `of` has the <limit>: the joint (URDF) or its axis (SDF). */
static void read_limit(gdyn_robot *robot, const gdyn_xml *element, const gdyn_xml *of,
                       gdyn_robot_joint *joint) {
    const gdyn_xml *limit = gdyn_xml_child(of, "limit");
    bool bounded = strcmp(gdyn_xml_get(element, "type"), "continuous") != 0;
    double lower = robot->sdf ? -INFINITY : 0, upper = -lower, effort = 0, speed = 0;
    bool stated = gdyn_xml_get(limit, "lower") || gdyn_xml_get(limit, "upper");
    if (limit &&
        !(read_bound(robot, limit, "lower", &lower) && read_bound(robot, limit, "upper", &upper) &&
          read_bound(robot, limit, "effort", &effort) &&
          read_bound(robot, limit, "velocity", &speed)))
        return;
    if (bounded && lower < upper) {
        joint->min = lower;
        joint->max = upper;
    } else if (bounded && lower == upper && (lower != 0 || robot->sdf)) {
        gdyn_placing turned;
        gdyn_placing_of_joint(&turned, joint, lower);
        gdyn_placing_compose(&joint->placing, &joint->placing, &turned);
        joint->motion = GDYN_ROBOT_FIXED;
        gdyn_robot_remark_at(robot, "assumed", limit, "a joint with lower = upper is locked there");
        return;
    } else if (bounded) {
        /* zero is the default of both */
        gdyn_robot_remark_at(robot, "assumed", limit ? limit : element, "a joint %s has no stops",
                             lower > upper ? "with lower above upper"
                             : stated      ? "with lower = upper = 0"
                                           : "without lower and upper");
    }
    joint->driven = effort > 0 && (isfinite(effort) || !robot->sdf);
    joint->effort_min = joint->driven ? -effort : -INFINITY;
    joint->effort_max = joint->driven ? effort : INFINITY;
    joint->speed = speed > 0 ? speed : INFINITY;
}

static void read_dynamics(gdyn_robot *robot, const gdyn_xml *element, gdyn_robot_joint *joint) {
    const gdyn_xml *dynamics = gdyn_xml_child(element, "dynamics");
    if (!dynamics || !gdyn_robot_attribute(robot, dynamics, "damping", 1, &joint->viscous) ||
        !gdyn_robot_attribute(robot, dynamics, "friction", 1, &joint->coulomb))
        return;
    if (robot->sdf) {
        gdyn_robot_attribute(robot, dynamics, "spring_stiffness", 1, &joint->stiffness);
        gdyn_robot_attribute(robot, dynamics, "spring_reference", 1, &joint->rest);
    }
    if (joint->viscous < 0 || joint->coulomb < 0 || joint->stiffness < 0)
        gdyn_robot_error(robot, dynamics, NULL,
                         "damping, friction and stiffness must not be negative");
}

void gdyn_urdf_axis(gdyn_robot *robot, const gdyn_xml *element, const gdyn_xml *axis,
                    gdyn_robot_joint *joint) {
    const gdyn_xml *of = robot->sdf ? axis : element;
    v3_set(joint->axis, !robot->sdf, 0, robot->sdf);
    if (axis && gdyn_robot_attribute(robot, axis, "xyz", 3, joint->axis) &&
        v3_norm(joint->axis) < 1e-12)
        gdyn_robot_error(robot, axis, NULL, "the axis of joint '%s' has no direction",
                         gdyn_robot_shown(robot, joint->name));
    if (gdyn_robot_joint_scalar(joint)) {
        read_limit(robot, element, of, joint);
        read_dynamics(robot, of, joint);
    }
}

static void read_joint(gdyn_robot *robot, const gdyn_xml *element) {
    const char *name = gdyn_urdf_name(robot, element);
    if (!name)
        return;
    int before = gdyn_robot_find_joint(robot, name);
    if (before >= 0)
        gdyn_robot_error(robot, element, NULL, "there is another joint '%s', in line %d",
                         gdyn_robot_shown(robot, name), robot->joint[before].at_element->line);
    gdyn_robot_joint *joint = gdyn_robot_add_joint(robot, name, element, -1, -1);
    if (!joint || !gdyn_urdf_motion(robot, element, joint))
        return;
    joint->parent = read_end(robot, element, "parent");
    joint->child = read_end(robot, element, "child");
    gdyn_urdf_origin(robot, element, &joint->placing);
    if (joint->motion != GDYN_ROBOT_FIXED && joint->motion != GDYN_ROBOT_FREE)
        gdyn_urdf_axis(robot, element, gdyn_xml_child(element, "axis"), joint);
    if (!gdyn_robot_joint_scalar(joint) && joint->motion != GDYN_ROBOT_FIXED) {
        static const char *const lost[] = {"limit", "dynamics"};
        for (int i = 0; i < 2; i++)
            if (gdyn_xml_child(element, lost[i]))
                gdyn_robot_remark_at(robot, "dropped", element, "<%s> of a joint of type %s",
                                     lost[i], gdyn_xml_get(element, "type"));
    }
}

/* coordinate = multiplier * (that of the other joint - reference) + offset */
void gdyn_urdf_mimic(gdyn_robot *robot, const gdyn_xml *mimic, int own, const char *name) {
    double reference = 0;
    if (!mimic || own < 0)
        return;
    int other = name ? gdyn_robot_find_joint(robot, name) : -1;
    if (other < 0 || other == own) {
        gdyn_robot_error(robot, mimic, NULL, "<mimic> names no other joint");
        return;
    }
    if (!gdyn_robot_joint_scalar(&robot->joint[own]) ||
        !gdyn_robot_joint_scalar(&robot->joint[other])) {
        gdyn_robot_remark_at(robot, "dropped", mimic,
                             "<mimic> of a joint that does not turn or slide");
        return;
    }
    const char *label = gdyn_arena_printf(robot->arena, "%.40s_mimic", robot->joint[own].name);
    gdyn_robot_gear *gear = label ? gdyn_robot_add_gear(robot, label, own, other) : NULL;
    if (!gear)
        return;
    gdyn_robot_attribute(robot, mimic, "multiplier", 1, &gear->ratio);
    gdyn_robot_attribute(robot, mimic, "offset", 1, &gear->offset);
    if (robot->sdf && gdyn_robot_attribute(robot, mimic, "reference", 1, &reference))
        gear->offset -= gear->ratio * reference;
    if (gear->ratio == 0)
        gdyn_robot_error(robot, mimic, "make the joint fixed",
                         "a multiplier of zero holds the joint");
    robot->joint[own].slave = true;
    robot->joint[own].driven = false;
}

/* --- drives ----------------------------------------------------------------------------------- */

gdyn_status gdyn_urdf_drives(gdyn_robot *robot) {
    gdyn_robot_drive_some(robot, "no joint has an effort: all have drives without limits");
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        if (gdyn_robot_joint_scalar(joint) && !joint->driven && !joint->slave)
            gdyn_robot_remark_at(robot, "assumed", joint->at_element,
                                 "a joint without an effort above zero has no drive");
    }
    return robot->errors ? GDYN_ERROR_INPUT : robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_urdf_read(gdyn_robot *robot, const gdyn_xml *root) {
    gdyn_robot_begin(robot, "URDF", root, "name", gdyn_known_urdf);
    /* links first: joints may stand before them */
    const gdyn_xml *link = gdyn_xml_child(root, "link");
    for (; link && robot->links < LINKS_MOST; link = gdyn_xml_again(link)) {
        const char *name = gdyn_urdf_name(robot, link);
        if (name)
            gdyn_urdf_link(robot, link, name);
    }
    if (link)
        gdyn_robot_error(robot, link, NULL, "more than %d links", LINKS_MOST);
    if (robot->links == 0)
        gdyn_robot_error(robot, root, NULL, "<robot> has no links");
    const gdyn_xml *first = gdyn_xml_child(root, "joint");
    for (const gdyn_xml *j = first; j && robot->joints <= LINKS_MOST; j = gdyn_xml_again(j))
        read_joint(robot, j);
    for (const gdyn_xml *j = first; j; j = gdyn_xml_again(j)) {
        const gdyn_xml *mimic = gdyn_xml_child(j, "mimic");
        const char *name = gdyn_xml_get(j, "name");
        gdyn_urdf_mimic(robot, mimic, name ? gdyn_robot_find_joint(robot, name) : -1,
                        gdyn_xml_get(mimic, "joint"));
    }
    return gdyn_urdf_drives(robot);
}
