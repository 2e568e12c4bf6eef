/* check.c - everything that can be wrong with the definitions, all of it in one run. */
#include "linalg/linalg.h"
#include "linalg/vec3.h"
#include "model/data.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct checker {
    const gdyn_machine *machine;
    const gdyn_sink *sink;
    const char *sort, *name; /* of the definition that is checked */
    int errors;
} checker;

/* Emits an error at machine.SORT.NAME[.FIELD]: what is wrong, and what would help. */
__attribute__((format(printf, 4, 5))) static void
complain(checker *c, const char *field, const char *help, const char *format, ...) {
    char path[256], message[512];
    snprintf(path, sizeof path, "machine.%s.%s%s%s", c->sort, c->name ? c->name : "?",
             field ? "." : "", field ? field : "");
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gdyn_diag_emit(c->sink, GDYN_ERROR, path, help, "%s", message);
    c->errors++;
}

static bool finite3(const double v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static bool zero3(const double v[3]) {
    return v3_norm(v) == 0.0;
}

/* Names are there and unique within their sort; `stride` walks over the definitions. */
static void check_names(checker *c, const char *sort, const void *defs, int count, size_t stride) {
    c->sort = sort;
    for (int i = 0; i < count; i++) {
        c->name = *(const char *const *)((const char *)defs + (size_t)i * stride);
        /* a name is needed to report anything else */
        if (!c->name || !*c->name) {
            c->name = NULL;
            complain(c, NULL, NULL, GDYN_CODE_NAME "entry %d has no name", i + 1);
            continue;
        }
        /* each name once */
        for (int j = 0; j < i; j++) {
            const char *other = *(const char *const *)((const char *)defs + (size_t)j * stride);
            if (other && strcmp(c->name, other) == 0) {
                complain(c, NULL, NULL, GDYN_CODE_TWICE "the name '%s' is used twice", c->name);
                break;
            }
        }
    }
}

/* Positive masses and speeds below this are rejected: their squares would vanish beside one. */
static const double LEAST_AMOUNT = 1e-100;

/* In the plane one number; in space a tensor that a mass distribution can have. */
static void check_inertia(checker *c, const gdyn_body_def *def) {
    if (c->machine->space == GDYN_PLANAR) {
        if (!(def->inertia[2] >= 0.0))
            complain(c, "inertia", "give the moment of inertia about com",
                     GDYN_CODE_MASS "inertia %g kg m2 of body '%s' must not be negative",
                     def->inertia[2], def->name);
        return;
    }
    /* principal moments: none negative, each at most the sum of the others */
    const double *e = def->inertia;
    double A[9] = {e[0], e[3], e[4], e[3], e[1], e[5], e[4], e[5], e[2]}, I[3] = {0};
    gdyn_symmetric_values(3, A, I);
    if (!(I[0] >= -1e-12 * I[2])) /* zero: a point mass, a thin rod */
        complain(
            c, "inertia", "products are the off-diagonal elements of the tensor about com",
            GDYN_CODE_MASS
            "inertia of body '%s' is not positive semidefinite: its principal moments are %g, %g, "
            "%g kg m2",
            def->name, I[0], I[1], I[2]);
    else if (I[0] + I[1] < I[2] * (1.0 - 1e-9))
        complain(c, "inertia", "the sum of any two principal moments is at least the third",
                 GDYN_CODE_MASS
                 "inertia of body '%s' violates the triangle inequality: no mass distribution has "
                 "principal moments %g, %g, %g kg m2",
                 def->name, I[0], I[1], I[2]);
}

/* The body exists, the point is finite. */
static void check_anchor(checker *c, const char *field, const gdyn_anchor *anchor) {
    if (anchor->body < GDYN_GROUND || anchor->body >= c->machine->bodies)
        complain(c, field, NULL, GDYN_CODE_UNKNOWN "'%s' refers to a body that does not exist",
                 c->name);
    else if (!finite3(anchor->at))
        complain(c, field, NULL, GDYN_CODE_VALUE "a point of '%s' is not finite", c->name);
}

/* Mass and inertia together; empty: there is no inertia. */
static void check_mass(checker *c, int index, bool empty) {
    const gdyn_body_def *def = &c->machine->body[index];
    /* mass: not negative, and zero or of a size that can be computed with */
    if (!(def->mass >= 0.0) || !isfinite(def->mass)) {
        complain(c, "mass", NULL, GDYN_CODE_MASS "mass %g kg of body '%s' must be positive",
                 def->mass, def->name);
        return;
    }
    if (def->mass > 0.0 && def->mass < LEAST_AMOUNT) {
        complain(c, "mass", "is its unit right? a massless body has 'mass: 0'",
                 GDYN_CODE_MASS "mass %g kg of body '%s' is too small", def->mass, def->name);
        return;
    }
    /* massless bodies are held by joints */
    if (def->mass == 0.0 && empty) {
        bool held = false; /* gears and other couplings hold nothing */
        for (int i = 0; i < c->machine->joints; i++) {
            const gdyn_joint_def *joint = &c->machine->joint[i];
            held |= gdyn_joint_type_has_points(joint->type) &&
                    (joint->a.body == index || joint->b.body == index);
        }
        if (!held)
            complain(c, "mass", "give it a mass and an inertia, or a joint",
                     GDYN_CODE_MASS
                     "body '%s' has no mass and no joint: its motion is undetermined",
                     def->name);
        return;
    }
    if (def->mass == 0.0)
        complain(
            c, "mass",
            "give its mass, or 'inertia: 0' for a massless body; the inertia of a rotor belongs "
            "to its drive (rotor_inertia)",
            GDYN_CODE_MASS "body '%s' has an inertia but no mass", def->name);
    else
        check_inertia(c, def);
}

/* Numbers first, then what mass and inertia make of them. */
static void check_body(checker *c, int index) {
    const gdyn_body_def *def = &c->machine->body[index];
    c->sort = "bodies", c->name = def->name;
    if (!finite3(def->com) || !finite3(def->position) || !finite3(def->cardan))
        complain(c, NULL, NULL, GDYN_CODE_VALUE "body '%s' has a number that is not finite",
                 def->name);
    for (int i = 0; i < def->pose_points; i++)
        check_anchor(c, "pose", &def->pose_on[i]);
    /* inertia: finite, and whether there is any */
    bool empty = true;
    for (int i = 0; i < 6; i++) {
        empty = empty && def->inertia[i] == 0.0;
        if (!isfinite(def->inertia[i])) {
            complain(c, "inertia", NULL, GDYN_CODE_VALUE "inertia of body '%s' is not finite",
                     def->name);
            return;
        }
    }
    check_mass(c, index, empty);
}

/* A joint's freedom that something refers to: it must exist and be the only one or be named. */
static void check_freedom(checker *c, int joint, gdyn_freedom freedom) {
    if (joint < 0 || joint >= c->machine->joints) {
        complain(c, "at", NULL, GDYN_CODE_UNKNOWN "'%s' refers to a joint that does not exist",
                 c->name);
        return;
    }
    const gdyn_joint_def *def = &c->machine->joint[joint];
    if (!gdyn_joint_type_in(def->type, c->machine->space))
        return; /* reported with the joint */
    if (gdyn_joint_resolve(c->machine, joint, freedom) != GDYN_FREEDOM_DEFAULT)
        return;
    /* which freedoms there are, for the help */
    gdyn_freedom list[3];
    int count = gdyn_joint_freedoms(def->type, c->machine->space, list);
    char names[96] = "", help[160];
    for (int i = 0; i < count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s.%s", i ? " or " : "",
                 def->name, gdyn_freedom_name(list[i]));
    snprintf(help, sizeof help, "write 'at: %s'", names);
    if (count == 0)
        complain(c, "at", "use a joint with an angle or a slide",
                 GDYN_CODE_FREEDOM "joint '%s' (%s) has no freedom that '%s' could act on",
                 def->name, gdyn_joint_type_name(def->type), c->name);
    else if (freedom == GDYN_FREEDOM_DEFAULT)
        complain(c, "at", help,
                 GDYN_CODE_FREEDOM "joint '%s' (%s) has %d freedoms; '%s' must say which",
                 def->name, gdyn_joint_type_name(def->type), count, c->name);
    else
        complain(c, "at", help, GDYN_CODE_FREEDOM "joint '%s' (%s) has no freedom '%s'", def->name,
                 gdyn_joint_type_name(def->type), gdyn_freedom_name(freedom));
}

/* Axes and normals that the kind of joint reads. */
static void check_axes(checker *c, const gdyn_joint_def *def) {
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, c->machine->space);
    const char *type = gdyn_joint_type_name(def->type);
    bool planar = c->machine->space == GDYN_PLANAR, both = gdyn_joint_reads(form, GDYN_READS_AXES);
    /* given, and not zero */
    bool given_a = planar ? hypot(def->axis_a[0], def->axis_a[1]) > 0.0 : !zero3(def->axis_a);
    bool given_b = planar ? hypot(def->axis_b[0], def->axis_b[1]) > 0.0 : !zero3(def->axis_b);
    if (!finite3(def->axis_a) || !finite3(def->axis_b) || !finite3(def->normal))
        complain(c, "axis", NULL, GDYN_CODE_VALUE "an axis of joint '%s' is not finite", def->name);
    if (both && !(given_a && given_b))
        complain(c, "axis",
                 planar ? "set axis: [x, y], or axes: [in the first body, in the second]"
                        : "set axis: [x, y, z], or axes: [in the first body, in the second]",
                 GDYN_CODE_JOINT "joint '%s' (%s) needs an axis; none is given, or it is zero",
                 def->name, type);
    /* two axes that cross */
    if (form->axes == GDYN_AXES_CROSS && given_a && given_b) {
        double cross[3];
        v3_cross(cross, def->axis_a, def->axis_b);
        if (v3_norm(cross) < 1e-9 * v3_norm(def->axis_a) * v3_norm(def->axis_b))
            complain(c, "axes", "for example axes: [[1, 0, 0], [0, 1, 0]]",
                     GDYN_CODE_JOINT "the two axes of %s joint '%s' must not be parallel", type,
                     def->name);
    }
    /* normals of planes, axes of discs */
    if (!both && gdyn_joint_reads(form, GDYN_READS_NORMAL) && zero3(def->normal))
        complain(c, "normal", "set normal: [...]",
                 GDYN_CODE_JOINT "joint '%s' (%s) needs a normal that is not zero", def->name,
                 type);
    if (!both && gdyn_joint_reads(form, GDYN_READS_AXIS) && !given_a)
        complain(c, "axis", NULL, GDYN_CODE_JOINT "joint '%s' (%s) needs the axis of the disc",
                 def->name, type);
}

/* The numbers that the kind reads. */
static void check_numbers(checker *c, const gdyn_joint_def *def, const gdyn_joint_form *form) {
    const struct {
        unsigned part;
        double value;
        bool positive;
        const char *key, *help;
    } numbers[] = {
        {GDYN_READS_RATIO, def->ratio, false, "ratio", NULL},
        {GDYN_READS_LENGTH, def->length, true, "length", "set length: 120 mm"},
        {GDYN_READS_PITCH, def->pitch, false, "pitch", "set pitch: 5 mm (per turn)"},
        {GDYN_READS_RADIUS, def->radius, true, "radius", NULL},
    };
    /* each number finite, and positive or at least not zero */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = numbers[i].value;
        bool good = isfinite(value) && (numbers[i].positive ? value > 0.0 : value != 0.0);
        if (gdyn_joint_reads(form, numbers[i].part) && !good)
            complain(c, numbers[i].key, numbers[i].help,
                     numbers[i].positive ? GDYN_CODE_JOINT "%s '%s' needs a positive %s"
                                         : GDYN_CODE_JOINT "%s '%s' needs a %s that is not zero",
                     gdyn_joint_type_name(def->type), def->name, numbers[i].key);
    }
    /* locks of a generic joint */
    bool any = false;
    for (int i = 0; i < 6; i++)
        any = any || def->locks[i];
    if (gdyn_joint_reads(form, GDYN_READS_LOCKS) && !any)
        complain(c, "locks", "for example locks: [x, y, rz]",
                 GDYN_CODE_JOINT "%s joint '%s' locks nothing", gdyn_joint_type_name(def->type),
                 def->name);
}

static const char stiction_help[] =
    "set a stiction of at least coulomb, stiction: true for the same value, or none";

/* None, or at least what rubs in motion. */
static bool stiction_valid(double stiction, double coulomb) {
    return stiction == 0.0 || (stiction >= coulomb && isfinite(stiction));
}

/* Coefficients are not negative; static friction is no less than dry friction in motion. */
static void check_joint_friction(checker *c, const gdyn_joint_def *def) {
    gdyn_freedom list[3];
    bool rubs = def->viscous != 0.0 || def->coulomb != 0.0 || def->stiction != 0.0;
    if (!(def->viscous >= 0.0) || !(def->coulomb >= 0.0) || !isfinite(def->viscous) ||
        !isfinite(def->coulomb))
        complain(c, "friction", NULL, GDYN_CODE_JOINT "friction of joint '%s' must not be negative",
                 def->name);
    else if (!stiction_valid(def->stiction, def->coulomb))
        complain(c, "friction", stiction_help,
                 GDYN_CODE_JOINT
                 "static friction of joint '%s' is less than its dry friction in motion",
                 def->name);
    else if (rubs && gdyn_joint_freedoms(def->type, c->machine->space, list) == 0)
        complain(c, "friction", NULL,
                 GDYN_CODE_FREEDOM "joint '%s' (%s) has no angle or slide for its friction",
                 def->name, gdyn_joint_type_name(def->type));
}

/* The type exists in this space, and everything that it reads is there. */
static void check_joint(checker *c, int index) {
    const gdyn_joint_def *def = &c->machine->joint[index];
    c->sort = "joints", c->name = def->name;
    const char *space = c->machine->space == GDYN_PLANAR ? "planar" : "spatial";
    if (!gdyn_joint_type_in(def->type, c->machine->space)) {
        complain(c, "type", NULL, GDYN_CODE_JOINT "joint type '%s' does not exist in a %s machine",
                 gdyn_joint_type_name(def->type), space);
        return;
    }
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, c->machine->space);
    /* couplings have joints in place of points */
    if (!gdyn_joint_type_has_points(def->type)) {
        check_freedom(c, def->joint_a, def->freedom_a);
        check_freedom(c, def->joint_b, def->freedom_b);
        check_numbers(c, def, form);
        return;
    }
    /* points on two different bodies */
    check_anchor(c, "of", &def->a);
    check_anchor(c, "of", &def->b);
    if (def->a.body == def->b.body)
        complain(c, "of", NULL, GDYN_CODE_JOINT "joint '%s' connects %s with itself", def->name,
                 def->a.body == GDYN_GROUND ? "the ground" : "a body");
    /* then what the type reads */
    check_axes(c, def);
    check_numbers(c, def, form);
    check_joint_friction(c, def);
}

/* The torque-speed line: speeds increase, torques fall, concave. */
static void check_curve(checker *c, const gdyn_drive_def *def) {
    if (def->curve_points == 0)
        return;
    if (gdyn_drive_traits_of(def->kind)->acts == GDYN_ACTS_ON_POINT) {
        complain(c, "curve", NULL,
                 GDYN_CODE_FREEDOM "wrench '%s' has no speed for a torque-speed line", def->name);
        return;
    }
    if (def->curve_points < 2) {
        complain(c, "curve", "for example curve: [[0, 12], [300, 0]]",
                 GDYN_CODE_DRIVE "the torque-speed line of '%s' needs at least two points",
                 def->name);
        return;
    }
    /* speeds increase, and slopes fall from piece to piece */
    double last = INFINITY;
    for (int i = 0; i + 1 < def->curve_points; i++) {
        double dv = def->curve[i + 1][0] - def->curve[i][0];
        double slope = (def->curve[i + 1][1] - def->curve[i][1]) / dv;
        if (!(dv > 0.0) || !isfinite(slope))
            complain(c, "curve", NULL,
                     GDYN_CODE_DRIVE "speeds of the torque-speed line of '%s' must increase",
                     def->name);
        else if (slope > last + 1e-12 * fabs(last) || slope > 0.0)
            complain(c, "curve", NULL,
                     GDYN_CODE_DRIVE "the torque-speed line of '%s' must fall and be concave",
                     def->name);
        last = slope;
    }
}

/* Force limits: both given, in order, cables only pulling. */
static void check_limits(checker *c, const gdyn_drive_def *def) {
    if (isnan(def->min) || isnan(def->max)) {
        complain(c, NULL, "set force: {min: ..., max: ...}; inf means unlimited",
                 GDYN_CODE_DRIVE "drive '%s' has no %s limit", def->name,
                 isnan(def->min) && isnan(def->max) ? "force"
                 : isnan(def->min)                  ? "lower"
                                                    : "upper");
        return;
    }
    if (def->min > def->max || def->min == INFINITY || def->max == -INFINITY)
        complain(c, "force", NULL,
                 GDYN_CODE_DRIVE "drive '%s': the lower limit %g lies above the upper limit %g",
                 def->name, def->min, def->max);
    if (gdyn_drive_traits_of(def->kind)->pulls_only && def->min < 0.0)
        complain(c, "force", "a cable only pulls: min >= 0",
                 GDYN_CODE_DRIVE "cable '%s' cannot carry the negative tension %g N", def->name,
                 def->min);
}

/* What it acts on: a joint's freedom, a point, two points of different bodies. */
static void check_acting(checker *c, const gdyn_drive_def *def) {
    gdyn_acting acts = gdyn_drive_traits_of(def->kind)->acts;
    if (acts == GDYN_ACTS_AT_JOINT)
        check_freedom(c, def->joint, def->freedom);
    else
        check_anchor(c, NULL, &def->a);
    /* between two points of different bodies */
    if (acts == GDYN_ACTS_BETWEEN) {
        check_anchor(c, NULL, &def->b);
        if (def->a.body == def->b.body)
            complain(c, NULL, NULL, GDYN_CODE_ACTION "drive '%s' pulls a body against itself",
                     def->name);
    }
    /* wrenches on a moving body */
    if (acts == GDYN_ACTS_ON_POINT) {
        if (def->a.body == GDYN_GROUND)
            complain(c, "wrench", NULL, GDYN_CODE_ACTION "wrench '%s' acts on the ground",
                     def->name);
        if (zero3(def->force) && zero3(def->torque))
            complain(c, "wrench", "set force: [...] or torque: [...]",
                     GDYN_CODE_ACTION "wrench '%s' has neither force nor torque", def->name);
    }
}

/* A drive by the way it acts: at a joint, between points, on a point. */
static void check_drive(checker *c, int index) {
    const gdyn_drive_def *def = &c->machine->drive[index];
    c->sort = "drives", c->name = def->name;
    if (!gdyn_drive_traits_of(def->kind)) {
        complain(c, NULL, NULL, GDYN_CODE_ACTION "drive '%s' has an unknown kind", def->name);
        return;
    }
    check_acting(c, def);
    /* limits, then the numbers behind them */
    check_limits(c, def);
    check_curve(c, def);
    if (!(def->speed_max > 0.0))
        complain(c, "speed", NULL, GDYN_CODE_DRIVE "speed limit of '%s' must be positive",
                 def->name);
    else if (def->speed_max < LEAST_AMOUNT)
        complain(c, "speed", "is its unit right?",
                 GDYN_CODE_DRIVE "speed limit %g of '%s' is too small", def->speed_max, def->name);
    if (!(def->rate > 0.0))
        complain(c, "rate", NULL, GDYN_CODE_DRIVE "rate limit of '%s' must be positive", def->name);
    if (!(def->stiffness >= 0.0) || !(def->rotor_inertia >= 0.0) || !isfinite(def->ratio) ||
        !isfinite(def->rotor_inertia) || !isfinite(def->stiffness))
        complain(c, NULL, NULL,
                 GDYN_CODE_DRIVE
                 "stiffness and rotor_inertia of '%s' must not be negative, ratio must be finite",
                 def->name);
}

/* A force by what its kind takes. */
static void check_force(checker *c, int index) {
    const gdyn_force_def *def = &c->machine->force[index];
    c->sort = "forces", c->name = def->name;
    if (!gdyn_force_traits_of(def->kind)) {
        complain(c, "type", NULL, GDYN_CODE_ACTION "force '%s' has an unknown kind", def->name);
        return;
    }
    /* at a joint, between points, or on a point */
    bool along = !gdyn_force_takes(def->kind, GDYN_TAKES_OF);
    if (along && def->joint != GDYN_NONE)
        check_freedom(c, def->joint, def->freedom);
    else
        check_anchor(c, NULL, &def->a);
    if (along && def->joint == GDYN_NONE) {
        check_anchor(c, NULL, &def->b);
        if (def->a.body == def->b.body)
            complain(c, NULL, NULL, GDYN_CODE_ACTION "force '%s' acts between a body and itself",
                     def->name);
    }
    if (!along && def->a.body == GDYN_GROUND)
        complain(c, "of", NULL, GDYN_CODE_ACTION "force '%s' acts on the ground", def->name);
    /* friction and process forces resist, they do not push */
    if (!(def->viscous >= 0.0) || !(def->coulomb >= 0.0) || !(def->magnitude >= 0.0))
        complain(c, NULL, NULL,
                 GDYN_CODE_BOUNDS "friction and process forces of '%s' must not be negative",
                 def->name);
    else if (!stiction_valid(def->stiction, def->coulomb))
        complain(c, "stiction", stiction_help,
                 GDYN_CODE_BOUNDS "static friction of '%s' is less than its dry friction in motion",
                 def->name);
    if (!isfinite(def->stiffness) || !isfinite(def->rest) || !finite3(def->force) ||
        !finite3(def->torque) || !isfinite(def->viscous) || !isfinite(def->coulomb) ||
        !isfinite(def->magnitude))
        complain(c, NULL, NULL, GDYN_CODE_VALUE "force '%s' has a number that is not finite",
                 def->name);
}

/* Ranges of joints and drives have their names and keys: machine.joints.NAME.range. */
static void check_range(checker *c, int index) {
    const gdyn_range_def *def = &c->machine->range[index];
    const char *field = def->kind == GDYN_RANGE_CONE ? "cone" : "range";
    bool drive = def->kind == GDYN_RANGE_DRIVE;
    c->sort = drive ? "drives" : "joints", c->name = def->name;
    int owner = drive ? def->drive : def->joint;
    /* the joint or drive it belongs to */
    if (owner < 0 || owner >= (drive ? c->machine->drives : c->machine->joints)) {
        complain(c, field, NULL, GDYN_CODE_UNKNOWN "range '%s' refers to nothing that exists",
                 def->name);
        return;
    }
    c->name = drive ? c->machine->drive[owner].name : c->machine->joint[owner].name;
    /* its freedom, its coordinate, its directions */
    if (def->kind == GDYN_RANGE_JOINT)
        check_freedom(c, owner, def->freedom);
    if (drive && gdyn_drive_traits_of(c->machine->drive[owner].kind)->acts == GDYN_ACTS_ON_POINT)
        complain(c, field, "set the range of a joint",
                 GDYN_CODE_FREEDOM "wrench '%s' has no coordinate", c->name);
    if (def->kind == GDYN_RANGE_CONE &&
        (!gdyn_joint_type_has_points(c->machine->joint[owner].type) || !finite3(def->axis_a) ||
         !finite3(def->axis_b) || zero3(def->axis_a) || zero3(def->axis_b)))
        complain(c, field, "write cone: {angle: 35 deg, axis: [0, 0, 1]}",
                 GDYN_CODE_RANGE "the cone of '%s' needs a direction in both bodies", c->name);
    if (!(def->min < def->max))
        complain(c, field, "min is less than max",
                 GDYN_CODE_RANGE "the range of '%s' is empty: %g .. %g", def->name, def->min,
                 def->max);
}

/* A limit has a joint, positive bounds, and a name that no drive has. */
static void check_limit(checker *c, int index) {
    const gdyn_limit_def *def = &c->machine->limit[index];
    c->sort = "limits", c->name = def->name;
    for (int i = 0; i < c->machine->drives; i++)
        if (strcmp(c->machine->drive[i].name, def->name) == 0)
            complain(c, NULL, "lists of limits name both: choose another name",
                     GDYN_CODE_CONFLICT "limit '%s' has the name of a drive", def->name);
    if (def->joint < 0 || def->joint >= c->machine->joints) {
        complain(c, "joint", NULL, GDYN_CODE_UNKNOWN "limit '%s' refers to nothing that exists",
                 def->name);
        return;
    }
    check_freedom(c, def->joint, def->freedom);
    for (int i = 0; i < 3; i++)
        if (!(def->bound[i] > 0))
            complain(c, NULL, NULL, GDYN_CODE_RANGE "a bound of limit '%s' is not positive: %g",
                     def->name, def->bound[i]);
}

/* Shapes have bodies or a drive, rules about pairs have shapes. */
static void check_shapes(checker *c) {
    const gdyn_machine *m = c->machine;
    c->sort = "shapes", c->name = NULL;
    for (int i = 0; i < m->shapes; i++) {
        const gdyn_shape_def *s = &m->shape[i];
        bool there = s->drive < m->drives && s->a.body >= GDYN_GROUND && s->a.body < m->bodies &&
                     s->b.body >= GDYN_GROUND && s->b.body < m->bodies;
        if (!there)
            complain(c, NULL, NULL, GDYN_CODE_UNKNOWN "shape %d refers to nothing that exists",
                     i + 1);
    }
    c->sort = "clearance";
    for (int i = 0; i < m->pairs; i++) {
        const gdyn_pair_def *pair = &m->pair[i];
        if ((unsigned)pair->rule >= GDYN_PAIR_RULES || pair->first < 0 || pair->second < 0 ||
            pair->first >= m->shapes || pair->second >= m->shapes)
            complain(c, NULL, NULL, GDYN_CODE_UNKNOWN "rule %d has no two shapes that exist",
                     i + 1);
    }
}

/* All errors in one run; without names nothing else can be reported. */
int gdyn_machine_check(const gdyn_machine *machine, const gdyn_sink *sink) {
    checker c = {.machine = machine, .sink = sink};
    if (!finite3(machine->gravity)) {
        gdyn_diag_emit(sink, GDYN_ERROR, "machine.gravity", NULL,
                       GDYN_CODE_VALUE "gravity is not finite");
        c.errors++;
    }
    if (machine->bodies == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, "machine.bodies", NULL,
                       GDYN_CODE_MISSING "the machine has no bodies");
        c.errors++;
    }
    check_names(&c, "bodies", machine->body, machine->bodies, sizeof *machine->body);
    check_names(&c, "joints", machine->joint, machine->joints, sizeof *machine->joint);
    check_names(&c, "drives", machine->drive, machine->drives, sizeof *machine->drive);
    check_names(&c, "forces", machine->force, machine->forces, sizeof *machine->force);
    check_names(&c, "motions", machine->motion, machine->motions, sizeof *machine->motion);
    check_names(&c, "ranges", machine->range, machine->ranges, sizeof *machine->range);
    check_names(&c, "limits", machine->limit, machine->limits, sizeof *machine->limit);
    if (c.errors)
        return c.errors;
    /* then every definition */
    for (int i = 0; i < machine->bodies; i++)
        check_body(&c, i);
    for (int i = 0; i < machine->joints; i++)
        check_joint(&c, i);
    for (int i = 0; i < machine->drives; i++)
        check_drive(&c, i);
    for (int i = 0; i < machine->forces; i++)
        check_force(&c, i);
    for (int i = 0; i < machine->motions; i++) {
        c.sort = "motions", c.name = machine->motion[i].name;
        check_freedom(&c, machine->motion[i].joint, machine->motion[i].freedom);
    }
    for (int i = 0; i < machine->ranges; i++)
        check_range(&c, i);
    for (int i = 0; i < machine->limits; i++)
        check_limit(&c, i);
    check_shapes(&c);
    return c.errors;
}
