/* mjcf_defaults.c - attributes with the defaults of classes; orientations. */
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
                                       "damper",  "muscle", "cylinder", "adhesion"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (!strcmp(tag, tags[i]))
            return true;
    return false;
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

/* The main class may stand in several sections. */
static const char *in_main(const gdyn_mjcf *m, const char *tag, const char *name) {
    const char *value = NULL;
    for (const gdyn_xml *d = gdyn_xml_child(m->root, "default"); d && !value; d = gdyn_xml_again(d))
        value = in_class(d, tag, name);
    return value;
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
    return value ? value : in_main(place->m, tag, name);
}

bool gdyn_mjcf_numbers(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name,
                       int least, int count, double *values) {
    const char *text = gdyn_mjcf_get(place, element, name);
    int words = 0;
    if (!text)
        return true;
    for (const char *c = text; *c; words += *c != '\0') {
        c += strspn(c, " \t\r\n");
        if (!*c)
            break;
        c += strcspn(c, " \t\r\n");
        if (!*c && ++words)
            break;
    }
    int wanted = words < least ? least : words > count ? count : words;
    return gdyn_robot_numbers(place->m->robot, element, name, text, wanted, values);
}

bool gdyn_mjcf_limited(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *flag,
                       const char *range) {
    const char *value = gdyn_mjcf_get(place, element, flag);
    if (value ? !strcmp(value, "false") : place->m->limits_stated)
        return false;
    return gdyn_mjcf_get(place, element, range) != NULL;
}

/* --- orientations ----------------------------------------------------------------------------- */

static void rotation_of_quaternion(double R[9], const double q[4]) {
    double n = sqrt(q[0] * q[0] + v3_dot(q + 1, q + 1)), w[3];
    double s = v3_norm(q + 1) / n, angle = 2 * atan2(s, q[0] / n);
    v3_copy(w, q + 1);
    gdyn_v3_normalize(w);
    v3_scale(w, angle, w);
    gdyn_rotation_exp(R, w);
}

void gdyn_mjcf_rotation_of_z(double R[9], const double v[3]) {
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
    bool good = true;
    switch (way) {
    case 0:
        good = rotation_of_axisangle(place->m, R, v);
        break;
    case 1:
        rotation_of_euler(place->m, R, v);
        break;
    case 2:
        good = rotation_of_axes(R, v);
        break;
    case 3:
        good = v3_norm(v) > 1e-12;
        if (good)
            gdyn_mjcf_rotation_of_z(R, v);
        break;
    default:
        good = hypot(hypot(v[0], v[1]), hypot(v[2], v[3])) > 1e-12;
        if (good)
            rotation_of_quaternion(R, v);
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
