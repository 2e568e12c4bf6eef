/* mjcf_geoms.c - attributes with the defaults of classes; orientations; masses and shapes. */
#include "import/robot.h"
#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* --- classes ---------------------------------------------------------------------------------- */

/* The <default> of that class below `at`; NULL. */
static const gdyn_xml *find_class(const gdyn_xml *at, const char *name) {
    for (const gdyn_xml *d = gdyn_xml_child(at, "default"); d; d = gdyn_xml_again(d)) {
        const char *own = gdyn_xml_get(d, "class");
        if (own && !strcmp(own, name))
            return d;
        const gdyn_xml *deeper = find_class(d, name);
        if (deeper)
            return deeper;
    }
    return NULL;
}

/* All actuators share their defaults. */
static bool is_actuator(const char *tag) {
    static const char *const tags[] = {"general", "motor",  "position", "velocity", "intvelocity",
                                       "damper",  "muscle", "cylinder", "adhesion", NULL};
    return gdyn_word_number(tags, tag) >= 0;
}

static const char *in_class(const gdyn_xml *class, const char *tag, const char *name) {
    for (const gdyn_xml *e = class->first; e; e = e->next) {
        bool same = gdyn_xml_is(e, tag) || (is_actuator(tag) && is_actuator(e->name));
        const char *value = same ? gdyn_xml_get(e, name) : NULL;
        if (value)
            return value;
    }
    return NULL;
}

const char *gdyn_mjcf_get(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name) {
    const char *value = gdyn_xml_get(element, name), *class = gdyn_xml_get(element, "class");
    /* all equalities share their defaults */
    const char *tag = gdyn_xml_is(element->parent, "equality") ? "equality" : element->name;
    if (value)
        return value;
    class = class ? class : place->childclass;
    const gdyn_xml *d = class ? find_class(place->m->root, class) : NULL;
    for (; d && !value && gdyn_xml_is(d, "default"); d = d->parent)
        value = in_class(d, tag, name);
    /* the main class may stand in several sections */
    for (d = gdyn_xml_child(place->m->root, "default"); d && !value; d = gdyn_xml_again(d))
        value = in_class(d, tag, name);
    return value;
}

bool gdyn_mjcf_numbers(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name,
                       int least, int count, double *values) {
    const char *text = gdyn_mjcf_get(place, element, name);
    return !text || gdyn_robot_numbers(place->m->robot, element, name, text, least, count, values);
}

bool gdyn_mjcf_limited(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *flag,
                       const char *range) {
    const char *value = gdyn_mjcf_get(place, element, flag);
    return !(value ? !strcmp(value, "false") : place->m->limits_stated) &&
           gdyn_mjcf_get(place, element, range);
}

/* --- orientations ----------------------------------------------------------------------------- */

/* Smallest rotation that takes z to v. */
static void rotation_of_z(double R[9], const double v[3]) {
    static const double z[3] = {0, 0, 1};
    double across = hypot(v[0], v[1]);
    if (across < 1e-10 * fabs(v[2]) && v[2] < 0)
        gdyn_rotation_exp(R, (double[3]){GDYN_PI, 0, 0});
    else
        gdyn_rotation_between(R, z, v);
}

/* Small letters: about the axes that moved along; capitals: about the fixed ones. */
static void rotation_of_euler(const gdyn_mjcf *m, double R[9], const double angle[3]) {
    gdyn_m3_identity(R);
    for (int i = 0; i < 3; i++) {
        char letter = m->eulerseq[i];
        double w[3] = {0, 0, 0}, turn[9];
        bool fixed = letter >= 'X' && letter <= 'Z';
        w[letter - (fixed ? 'X' : 'x')] = angle[i] * m->angle;
        gdyn_rotation_exp(turn, w);
        if (fixed)
            gdyn_m3_multiply(R, turn, R);
        else
            gdyn_m3_multiply(R, R, turn);
    }
}

static bool rotation_of_axes(double R[9], const double axes[6]) {
    v3_copy(R, axes);
    bool good = gdyn_v3_normalize(R) > 1e-12;
    v3_axpy(R + 3, axes + 3, -v3_dot(R, axes + 3), R);
    good = gdyn_v3_normalize(R + 3) > 1e-12 && good;
    v3_cross(R + 6, R, R + 3);
    return good;
}

static bool rotation_of_axisangle(const gdyn_mjcf *m, double R[9], const double v[4]) {
    double w[3];
    v3_copy(w, v);
    bool good = gdyn_v3_normalize(w) > 1e-12;
    v3_scale(w, v[3] * m->angle, w);
    gdyn_rotation_exp(R, w);
    return good;
}

/* One of the five; false: no direction, or no numbers (complained about). */
static bool read_rotation(const gdyn_mjcf_place *place, const gdyn_xml *element, double R[9]) {
    static const char *const ways[] = {"axisangle", "euler", "xyaxes", "zaxis", "quat"};
    static const int counts[] = {4, 3, 6, 3, 4};
    double v[6] = {1, 0, 0, 0, 0, 0};
    int way = 0;
    gdyn_m3_identity(R);
    while (way < 5 && !gdyn_mjcf_get(place, element, ways[way]))
        way++;
    if (way == 5)
        return true;
    if (!gdyn_mjcf_numbers(place, element, ways[way], counts[way], counts[way], v))
        return false;
    bool good = way == 0   ? rotation_of_axisangle(place->m, R, v)
                : way == 2 ? rotation_of_axes(R, v)
                : way == 3 ? v3_norm(v) > 1e-12
                           : way == 1 || hypot(hypot(v[0], v[1]), hypot(v[2], v[3])) > 1e-12;
    if (way == 1) {
        rotation_of_euler(place->m, R, v);
    } else if (way == 3 && good) {
        rotation_of_z(R, v);
    } else if (way == 4 && good) {
        double n = sqrt(v[0] * v[0] + v3_dot(v + 1, v + 1)), w[3];
        double s = v3_norm(v + 1) / n, angle = 2 * atan2(s, v[0] / n);
        v3_copy(w, v + 1);
        gdyn_v3_normalize(w);
        v3_scale(w, angle, w);
        gdyn_rotation_exp(R, w);
    }
    if (!good)
        gdyn_robot_error(place->m->robot, element, NULL, "%s of <%s> has no direction", ways[way],
                         element->name);
    return good;
}

bool gdyn_mjcf_placing(const gdyn_mjcf_place *place, const gdyn_xml *element,
                       gdyn_placing *placing) {
    gdyn_placing_identity(placing);
    bool good = gdyn_mjcf_numbers(place, element, "pos", 3, 3, placing->x);
    return read_rotation(place, element, placing->R) && good;
}

/* --- masses and shapes of a body -------------------------------------------------------------- */

/* Its <inertial>, or what its geoms weigh: a geom weighs its `mass`, or `density` (1000 kg/m^3)
 * times its volume, spread evenly. Sizes are halves: a box of size (a, b, c) has the edges 2 a,
 * 2 b, 2 c; capsules and cylinders have a radius and half a length, or `fromto`. */

typedef struct geom {
    const gdyn_xml *element;
    const char *type;
    double size[3];
    gdyn_robot_shape shape; /* box: of an ellipsoid its half axes in `size` */
    bool ellipsoid, fitted; /* fitted to a mesh: its size is not known */
} geom;

bool gdyn_mjcf_fromto(const gdyn_mjcf_place *place, const gdyn_xml *element, gdyn_placing *placing,
                      double *half) {
    double ends[6], axis[3];
    if (!gdyn_mjcf_get(place, element, "fromto") ||
        !gdyn_mjcf_numbers(place, element, "fromto", 6, 6, ends))
        return false;
    v3_sub(axis, ends, ends + 3);
    double length = v3_norm(axis);
    if (length < 1e-12)
        return gdyn_robot_error(place->m->robot, element, NULL, "fromto of <%s> has no length",
                                element->name);
    for (int i = 0; i < 3; i++)
        placing->x[i] = 0.5 * (ends[i] + ends[3 + i]);
    rotation_of_z(placing->R, axis);
    *half = 0.5 * length;
    return true;
}

/* False: nothing that has a volume here (plane, mesh, ...), or an error. */
static bool read_geom(const gdyn_mjcf_place *place, const gdyn_xml *element, geom *g) {
    static const char *const types[] = {"sphere", "capsule", "cylinder", "ellipsoid", "box", NULL};
    static const int sizes[] = {1, 2, 2, 3, 3};
    const char *type = gdyn_mjcf_get(place, element, "type");
    *g = (geom){.element = element, .type = type ? type : "sphere"};
    int kind = gdyn_word_number(types, g->type);
    g->fitted = kind >= 0 && gdyn_mjcf_get(place, element, "mesh");
    if (kind < 0 || g->fitted || !gdyn_mjcf_placing(place, element, &g->shape.placing))
        return false;
    bool line = kind > 0 && gdyn_mjcf_get(place, element, "fromto");
    double *half = kind >= 3 ? &g->size[2] : &g->size[1];
    int needed = line ? 1 : sizes[kind];
    /* up to three of any type: what the type does not need is not used */
    if (!gdyn_mjcf_numbers(place, element, "size", needed, 3, g->size))
        return false;
    if (line && kind >= 3 && g->size[1] == 0)
        g->size[1] = g->size[0];
    if (line && !gdyn_mjcf_fromto(place, element, &g->shape.placing, half))
        return false;
    for (int i = 0; i < sizes[kind]; i++)
        if (!(g->size[i] > 0))
            return gdyn_robot_error(place->m->robot, element, NULL,
                                    "size of <geom> of type %s: number %d is not positive", g->type,
                                    i + 1);
    static const gdyn_shape_kind kinds[] = {GDYN_SHAPE_SPHERE, GDYN_SHAPE_CAPSULE, GDYN_SHAPE_TUBE,
                                            GDYN_SHAPE_BOX, GDYN_SHAPE_BOX};
    g->ellipsoid = kind == 3;
    g->shape.kind = kinds[kind];
    g->shape.radius = kind < 3 ? g->size[0] : 0;
    g->shape.half = kind == 1 || kind == 2 ? g->size[1] : 0;
    v3_scale(g->shape.size, 2, g->size);
    return true;
}

static bool load_of_geom(const gdyn_mjcf_place *place, const geom *g, gdyn_load *load) {
    double mass = -1, density = 1000;
    if (!gdyn_mjcf_numbers(place, g->element, "mass", 1, 1, &mass) ||
        !gdyn_mjcf_numbers(place, g->element, "density", 1, 1, &density))
        return false;
    if (g->ellipsoid) {
        const double *a = g->size;
        *load = (gdyn_load){.mass = 4.0 / 3 * GDYN_PI * a[0] * a[1] * a[2]};
        for (int i = 0; i < 3; i++) {
            double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
            load->I[4 * i] = load->mass * (b * b + c * c) / 5;
        }
        gdyn_load_place(load, load, &g->shape.placing);
    } else
        gdyn_load_of_shape(load, &g->shape, 1);
    double factor = gdyn_mjcf_get(place, g->element, "mass") ? mass / load->mass : density;
    if (factor < 0)
        return gdyn_robot_error(place->m->robot, g->element, NULL,
                                "mass and density of <geom> must not be negative");
    const char *shell = gdyn_mjcf_get(place, g->element, "shellinertia");
    if (shell && !strcmp(shell, "true"))
        gdyn_robot_remark_at(place->m->robot, "assumed", g->element,
                             "a <geom> with shellinertia is solid");
    load->mass *= factor;
    for (int i = 0; i < 9; i++)
        load->I[i] *= factor;
    return true;
}

static bool read_inertial(const gdyn_mjcf_place *place, const gdyn_xml *inertial, gdyn_load *load) {
    double I[6] = {0};
    gdyn_placing placing;
    gdyn_load made = {0};
    gdyn_robot *robot = place->m->robot;
    bool good = gdyn_mjcf_placing(place, inertial, &placing) &
                gdyn_robot_attribute(robot, inertial, "mass", 1, &made.mass) &
                gdyn_robot_attribute(robot, inertial, "diaginertia", 3, I);
    if (made.mass < 0)
        gdyn_robot_error(robot, inertial, NULL, "mass of <inertial> must not be negative");
    good &= gdyn_robot_attribute(robot, inertial, "fullinertia", 6, I);
    gdyn_load_tensor(&made, I);
    if (good)
        gdyn_load_place(load, &made, &placing);
    return good;
}

static void keep_shape(const gdyn_mjcf_place *place, const geom *g) {
    if (g->ellipsoid) {
        gdyn_robot_remark_at(place->m->robot, "dropped", g->element,
                             "the shape of an ellipsoid (its mass counts)");
        return;
    }
    double type = 1, affinity = 1;
    gdyn_mjcf_numbers(place, g->element, "contype", 1, 1, &type);
    gdyn_mjcf_numbers(place, g->element, "conaffinity", 1, 1, &affinity);
    if (type != 0 || affinity != 0)
        gdyn_robot_add_shape(place->m->robot, &g->shape);
}

static void remark_shapeless(const gdyn_mjcf_place *place, const geom *g, bool counts) {
    gdyn_robot *robot = place->m->robot;
    gdyn_robot_remark_at(robot, "dropped", g->element, "<geom> of type %s%s",
                         gdyn_robot_shown(robot, g->type), g->fitted ? " fitted to a mesh" : "");
    if (counts && (g->fitted || !strcmp(g->type, "mesh") || !strcmp(g->type, "sdf")))
        gdyn_robot_remark_at(robot, "assumed", g->element,
                             "a <geom> of a mesh has no mass: add the <inertial> of its body");
}

void gdyn_mjcf_read_mass(const gdyn_mjcf_place *place, const gdyn_xml *body, int link,
                         const gdyn_placing *frame) {
    gdyn_robot *robot = place->m->robot;
    /* That of the body in which the element, the body or a <frame> in it, stands. */
    const gdyn_xml *element = body;
    while (element && gdyn_xml_is(element, "frame"))
        element = element->parent;
    const gdyn_xml *inertial = gdyn_xml_child(element, "inertial");
    bool count =
        place->m->inertia == GDYN_MJCF_GEOMS || (place->m->inertia == GDYN_MJCF_AUTO && !inertial);
    gdyn_load load = {0}, placed;
    if (inertial && inertial->parent == body && !count && read_inertial(place, inertial, &load)) {
        gdyn_load_place(&placed, &load, frame);
        gdyn_load_add(&robot->link[link].load, &placed);
    }
    for (const gdyn_xml *e = gdyn_xml_child(body, "geom"); e; e = gdyn_xml_again(e)) {
        geom g;
        double group = 0;
        if (!read_geom(place, e, &g)) {
            remark_shapeless(place, &g, count && link > 0);
            continue;
        }
        gdyn_mjcf_numbers(place, e, "group", 1, 1, &group);
        bool heavy =
            count && link > 0 && group >= place->m->group[0] && group <= place->m->group[1];
        gdyn_placing_compose(&g.shape.placing, frame, &g.shape.placing);
        if (heavy && load_of_geom(place, &g, &load))
            gdyn_load_add(&robot->link[link].load, &load);
        g.shape.link = link;
        keep_shape(place, &g);
    }
}
