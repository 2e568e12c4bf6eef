/* drives.c - the drives of the machine and their limits. */
#include "casefile/reader.h"

#include <math.h>
#include <string.h>

/* What is known about a drive while it is read. */
typedef struct drive {
    gdyn_reader *r;
    const gdyn_node *node;
    gdyn_drive_def def;
    gdyn_coordinate along; /* slides: a force along a line; turns: a torque */
    bool any_word;         /* wrench of both: force and torque both name its value */
} drive;

/* --- where it acts ---------------------------------------------------------------------------- */

/* The torque per unit of the drive's value; point and force are fields. */
static void read_wrench(drive *d, const gdyn_node *wrench) {
    gdyn_reader *r = d->r;
    bool force = gdyn_node_get(wrench, "force");
    gdyn_node *torque = gdyn_node_get(wrench, "torque");
    if (torque)
        gdyn_read_turn(r, torque, GDYN_DIM_UNKNOWN, d->def.torque);
    /* A wrench of both is named by either word. */
    d->any_word = force && torque;
    if (force || torque)
        d->along = gdyn_coordinate_of(force);
}

/* The kind follows from the first key that says where it acts. */
static void read_place(drive *d) {
    /* The first key in the table of kinds. */
    gdyn_node *place = NULL;
    gdyn_drive_kind kind = 0;
    while (kind < GDYN_DRIVE_KINDS &&
           !(place = gdyn_node_get(d->node, gdyn_drive_traits_of(kind)->key)))
        kind++;
    if (!place)
        return;
    d->def.kind = kind;
    switch (gdyn_drive_traits_of(kind)->acts) {
    case GDYN_ACTS_AT_JOINT:
        gdyn_read_joint(d->r, place, &d->def.joint, &d->def.freedom, &d->along);
        break;
    case GDYN_ACTS_BETWEEN:
        gdyn_read_anchors(d->r, place, &d->def.a, &d->def.b);
        d->along = GDYN_COORDINATE_SLIDES;
        break;
    case GDYN_ACTS_ON_POINT:
        read_wrench(d, place);
        break;
    }
}

/* --- limits ----------------------------------------------------------------------------------- */

static bool pulls_only(const drive *d) {
    return gdyn_drive_traits_of(d->def.kind)->pulls_only;
}

static const char *right_word(const drive *d) {
    return pulls_only(d) ? "tension" : d->along == GDYN_COORDINATE_SLIDES ? "force" : "torque";
}

/* The mapping with the limits; complains about wrong words, or of two right ones about the second.
 */
static gdyn_node *find_limits(const drive *d, const char **word) {
    static const char *const words[] = {"force", "torque", "tension"};
    gdyn_node *found = NULL;
    bool right = false;
    *word = right_word(d);
    for (int i = 0; i < 3; i++) {
        gdyn_node *node = gdyn_node_find(d->node, words[i]);
        if (!node)
            continue;
        /* any word may be right where it is not known what the drive does */
        bool fits = d->along == GDYN_COORDINATE_UNKNOWN || strcmp(words[i], right_word(d)) == 0 ||
                    (d->any_word && strcmp(words[i], "tension") != 0);
        if (right && fits && !node->bad)
            gdyn_read_error(d->r, node, NULL,
                            GDYN_CODE_CONFLICT "'%s' and '%s' of drive '%s' exclude each other",
                            words[i], *word, d->def.name);
        if (!found || fits) {
            found = node;
            *word = words[i];
        }
        right = right || fits;
        if (!node->bad && d->r->checking && !fits)
            gdyn_read_error(d->r, node, gdyn_log_help(d->r->log, "write %s: {...}", right_word(d)),
                            GDYN_CODE_CONFLICT "drive '%s' %s: its limits are a %s, not a %s",
                            d->def.name,
                            pulls_only(d)                        ? "is a cable"
                            : d->along == GDYN_COORDINATE_SLIDES ? "slides"
                                                                 : "turns",
                            right_word(d), words[i]);
    }
    return found;
}

static gdyn_dimension effort(const drive *d) {
    return d->any_word ? GDYN_DIM_UNKNOWN : gdyn_dimension_along(GDYN_D_EFFORT, d->along);
}

static void read_symmetric(drive *d, gdyn_node *limit) {
    /* `limit` stands for both ends. */
    gdyn_reader *r = d->r;
    double value = INFINITY;
    if (gdyn_read_limit(r, limit, effort(d), &value) && value < 0.0)
        gdyn_read_error(r, limit, "limit: F means min: -F, max: F",
                        GDYN_CODE_DRIVE "'limit' is negative");
    /* A cable pulls only. */
    d->def.max = value;
    d->def.min = pulls_only(d) ? 0.0 : -value;
}

/* Line of an entry, 0: it is not there. */
static int line_of(const gdyn_node *node, const char *key) {
    const gdyn_node *found = gdyn_node_find(node, key);
    return found ? found->line : 0;
}

/* {min: ..., max: ...} */
static void read_both(drive *d, const gdyn_node *limits) {
    /* Both ends must be stated: no limit is chosen silently. */
    gdyn_node *ends[2];
    double *out[2] = {&d->def.min, &d->def.max};
    for (int i = 0; i < 2; i++) {
        ends[i] = gdyn_node_find(limits, i ? "max" : "min");
        if (ends[i] && !ends[i]->bad)
            gdyn_read_limit(d->r, ends[i], effort(d), out[i]);
        else if (!ends[i])
            gdyn_log_node(d->r->log, GDYN_ERROR, limits->name ? limits->name : limits,
                          i ? "give both: {min: ..., max: ...}; 'inf' means unlimited"
                            : "give both: {min: ..., max: ...}; '-inf' means unlimited, {limit: "
                              "...} applies to both signs",
                          GDYN_CODE_MISSING "drive '%s' lacks its %s limit", d->def.name,
                          i ? "upper" : "lower");
    }
    /* An empty range, or a cable that pushes. */
    if (d->def.min > d->def.max)
        gdyn_read_error(d->r, ends[0], NULL, GDYN_CODE_DRIVE "drive '%s': min is greater than max",
                        d->def.name);
    else if (pulls_only(d) && d->def.min < 0.0)
        gdyn_read_error(d->r, ends[0], "a cable only pulls: min >= 0",
                        GDYN_CODE_DRIVE "cable '%s' cannot push", d->def.name);
}

static void read_limits(drive *d, gdyn_drive_source *source) {
    gdyn_reader *r = d->r;
    const char *word;
    gdyn_node *limits = find_limits(d, &word);
    /* Lines of the limits for messages; `limit` is that of both ends. */
    int both = line_of(limits, "limit");
    *source = (gdyn_drive_source){.quantity = word,
                                  .unit = d->any_word                   ? ""
                                          : strcmp(word, "torque") == 0 ? "N m"
                                                                        : "N",
                                  .file = d->node->source->name,
                                  .min_line = both ? both : line_of(limits, "min"),
                                  .max_line = both ? both : line_of(limits, "max"),
                                  .curve_line = line_of(d->node, "curve"),
                                  .speed_line = line_of(gdyn_node_find(d->node, "speed"), "max"),
                                  .stiffness_line = line_of(d->node, "stiffness")};
    /* A drive without limits is an error, since limits decide all results. */
    if (!limits) {
        gdyn_log_node(r->log, GDYN_ERROR, d->node->name,
                      gdyn_log_help(r->log,
                                    "set %s: {min: ..., max: ...} or {limit: ...}; "
                                    "'unlimited' means no limit",
                                    word),
                      GDYN_CODE_MISSING "drive '%s' has no limits", d->def.name);
        return;
    }
    if (limits->kind != GDYN_NODE_MAPPING || limits->bad)
        return;
    gdyn_node *limit = gdyn_node_find(limits, "limit");
    if (!limit)
        read_both(d, limits);
    else if (!limit->bad)
        read_symmetric(d, limit);
}

/* --- the drive train -------------------------------------------------------------------------- */

static void read_curve(drive *d, gdyn_node *curve) {
    gdyn_reader *r = d->r;
    /* At least two points. */
    if (curve->kind != GDYN_NODE_SEQUENCE || curve->count < 2) {
        gdyn_read_error(r, curve, "write [[speed, force], [speed, force]]",
                        GDYN_CODE_SHAPE "a curve has at least two points");
        return;
    }
    double(*points)[2] = gdyn_reader_alloc(r, (size_t)curve->count, sizeof *points);
    bool good = points != NULL;
    /* Speeds and forces in the units of the drive's coordinate. */
    for (int i = 0; i < curve->count && points; i++) {
        gdyn_node *item = curve->item[i];
        if (item->kind != GDYN_NODE_SEQUENCE || item->count != 2) {
            gdyn_read_error(r, item, NULL, GDYN_CODE_SHAPE "a point of a curve is [speed, force]");
            good = false;
            continue;
        }
        gdyn_dimension rate = gdyn_dimension_along(GDYN_D_RATE, d->along);
        good = gdyn_read_value(r, item->item[0], rate, &points[i][0]) &&
               gdyn_read_value(r, item->item[1], effort(d), &points[i][1]) && good;
    }
    if (good) {
        d->def.curve_points = curve->count;
        d->def.curve = (const double(*)[2])points;
    }
}

/* The ratio of a rotor's turns to a slide is 1/m; of a mass to a slide it is a number. */
static void read_rotor(drive *d) {
    gdyn_reader *r = d->r;
    gdyn_node *inertia = gdyn_node_get(d->node, "rotor_inertia");
    bool slides = d->along == GDYN_COORDINATE_SLIDES;
    gdyn_dimension ratio = GDYN_DIM_NONE;
    /* A mass at a slide, an inertia at a rotor. */
    if (inertia && gdyn_read_value(r, inertia, GDYN_DIM_UNKNOWN, &d->def.rotor_inertia)) {
        bool mass = slides && !gdyn_dimension_fits(gdyn_read_dimension(inertia), GDYN_DIM_INERTIA);
        gdyn_read_value(r, inertia, mass ? GDYN_DIM_MASS : GDYN_DIM_INERTIA, &d->def.rotor_inertia);
        ratio.m = (signed char)-(slides && !mass);
    }
    if (d->along == GDYN_COORDINATE_UNKNOWN || (slides && !gdyn_read_dimension(inertia).known))
        ratio = GDYN_DIM_UNKNOWN;
    d->def.ratio = gdyn_read_number(r, d->node, "ratio", ratio, 1.0);
    r->weighs = r->weighs || d->def.rotor_inertia > 0;
}

static void read_drive(gdyn_reader *r, const gdyn_node *node, int index,
                       gdyn_drive_source *source) {
    /* In this order: the unit of limits follows from the place. */
    drive d = {.r = r, .node = node, .def = gdyn_drive_default()};
    d.def.name = node->name->text;
    if (r->checking) {
        /* Exactly one place. */
        int count = 0;
        for (gdyn_drive_kind kind = 0; kind < GDYN_DRIVE_KINDS; kind++) {
            const char *key = gdyn_drive_traits_of(kind)->key;
            gdyn_node *place = gdyn_node_find(d.node, key);
            count += place != NULL;
            if (place && count == 2)
                gdyn_read_error(d.r, place, "a drive acts at one place",
                                GDYN_CODE_CONFLICT "'%s' is a second place of action of drive '%s'",
                                key, d.def.name);
        }
        if (count == 0)
            gdyn_log_node(
                d.r->log, GDYN_ERROR, d.node->name,
                "write at: joint, between: [a.P, b.Q], cable: [a.P, b.Q] or wrench: {...}",
                GDYN_CODE_MISSING "drive '%s' does not say where it acts", d.def.name);
    }
    read_place(&d);
    read_limits(&d, source);
    gdyn_read_fields(r, node, &gdyn_schema_drive, d.any_word ? GDYN_COORDINATE_UNKNOWN : d.along,
                     &d.def);
    read_rotor(&d);
    gdyn_node *curve = gdyn_node_get(node, "curve");
    if (curve)
        read_curve(&d, curve);
    if (gdyn_machine_add_drive(r->machine, &d.def) < 0)
        gdyn_out_of_memory(r);
    gdyn_read_drive_shape(r, node, index, &d.def);
    gdyn_read_drive_range(r, node, index, d.def.name, d.along);
}

const char *gdyn_drive_unit(const gdyn_drive_source *source) {
    return source->unit ? source->unit : "";
}

gdyn_dimension gdyn_instance_effort(const gdyn_instance *instance, bool *mixed) {
    const gdyn_drive_source *source = instance->drive_source;
    /* Efforts of one unit, or mixed. */
    bool same = true;
    for (int i = 1; i < instance->drive_count; i++)
        same &= strcmp(gdyn_drive_unit(&source[i]), gdyn_drive_unit(&source[0])) == 0;
    if (mixed)
        *mixed = !same;
    if (!same || instance->drive_count == 0 || !*gdyn_drive_unit(&source[0]))
        return GDYN_DIM_UNKNOWN;
    return strcmp(gdyn_drive_unit(&source[0]), "N m") == 0 ? GDYN_DIM_TORQUE : GDYN_DIM_FORCE;
}

void gdyn_read_drives(gdyn_reader *r, const gdyn_node *machine) {
    const gdyn_node *drives = gdyn_node_map(machine, "drives");
    if (!drives)
        return;
    gdyn_drive_source *source = gdyn_reader_alloc(r, (size_t)drives->count, sizeof *source);
    r->drive = gdyn_reader_alloc(r, (size_t)drives->count, sizeof *r->drive);
    if (!source || !r->drive)
        return;
    for (int i = 0; i < drives->count; i++) {
        r->drive[i] = drives->key[i]->text;
        if (drives->item[i]->kind == GDYN_NODE_MAPPING)
            read_drive(r, drives->item[i], i, &source[i]);
    }
    r->drives = drives->count;
    r->instance->drive_count = r->drives, r->instance->drive_source = source;
}

/* --- forces and prescribed motions ------------------------------------------------------------ */

static void check_keys(gdyn_reader *r, const gdyn_node *node, gdyn_force_kind kind) {
    const gdyn_force_traits *traits = gdyn_force_traits_of(kind);
    const char *type = gdyn_force_kind_names[kind], *place = NULL;
    gdyn_kind_words words = {type, gdyn_log_help(r->log, "a %s force", type), "leave it out"};
    gdyn_check_parts(r, node, &gdyn_schema_force, traits->place | traits->may | traits->must,
                     traits->must, &words);
    /* Keys of places exclude each other. */
    for (const gdyn_field *f = gdyn_schema_force.field; f->key; f++) {
        gdyn_node *value = traits->place & f->part ? gdyn_node_find(node, f->key) : NULL;
        if (value && place)
            gdyn_read_error(r, value, NULL, GDYN_CODE_CONFLICT "'%s' and '%s' exclude each other",
                            place, f->key);
        if (value)
            place = f->key;
    }
    if (!place)
        gdyn_log_node(r->log, GDYN_ERROR, node->name,
                      traits->place == GDYN_TAKES_OF   ? "write of: body.P"
                      : traits->place == GDYN_TAKES_AT ? "write at: joint"
                                                       : "write at: joint or between: [a.P, b.Q]",
                      GDYN_CODE_MISSING "force '%s' (%s) does not say where it acts",
                      node->name->text, type);
}

static void read_force(gdyn_reader *r, const gdyn_node *node) {
    /* The kind decides what may stand there. */
    gdyn_force_def def = gdyn_force_default();
    int kind = gdyn_read_word(node, "type", gdyn_force_kind_names, -1);
    if (kind < 0)
        return;
    if (r->checking)
        check_keys(r, node, (gdyn_force_kind)kind);
    def.name = node->name->text;
    def.kind = (gdyn_force_kind)kind;
    /* Where it acts: at a joint, or between points, whose distance is a length; a point is a
     * field. */
    gdyn_node *at = gdyn_node_get(node, "at"), *between = gdyn_node_get(node, "between");
    gdyn_coordinate along = GDYN_COORDINATE_SLIDES;
    if (at)
        gdyn_read_joint(r, at, &def.joint, &def.freedom, &along);
    if (between)
        gdyn_read_anchors(r, between, &def.a, &def.b);
    gdyn_read_fields(r, node, &gdyn_schema_force, along, &def);
    def.stiction =
        gdyn_read_stiction(r, node, gdyn_dimension_along(GDYN_D_EFFORT, along), def.coulomb);
    if (gdyn_force_takes(def.kind, GDYN_TAKES_FORCE)) {
        /* `force` is the vector of a constant force, and another word for the magnitude of a
         * process force */
        gdyn_node *force = gdyn_node_get(node, "force"), *torque = gdyn_node_get(node, "torque");
        bool process = gdyn_force_takes(def.kind, GDYN_TAKES_MAGNITUDE);
        gdyn_node *other = process && force ? gdyn_node_find(node, "magnitude") : NULL;
        if (other)
            gdyn_read_error(r, other, NULL,
                            GDYN_CODE_CONFLICT "'magnitude' and 'force' are the same thing");
        if (force && process)
            gdyn_read_value(r, force, GDYN_DIM_FORCE, &def.magnitude);
        else if (force)
            gdyn_read_vector(r, force, GDYN_DIM_FORCE, def.force);
        if (torque && !process)
            gdyn_read_turn(r, torque, GDYN_DIM_TORQUE, def.torque);
    }
    if (gdyn_machine_add_force(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

static void read_motion(gdyn_reader *r, const gdyn_node *node) {
    gdyn_motion_def def = gdyn_motion_default();
    gdyn_node *at = gdyn_node_get(node, "at"), *formula = gdyn_node_get(node, "displacement");
    gdyn_coordinate along = GDYN_COORDINATE_UNKNOWN;
    def.name = node->name->text;
    if (at)
        gdyn_read_joint(r, at, &def.joint, &def.freedom, &along);
    /* The formula has the unit of the coordinate. */
    if (formula)
        def.displacement =
            gdyn_read_signal(r, formula, gdyn_dimension_along(GDYN_D_COORDINATE, along), true);
    if (gdyn_machine_add_motion(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

void gdyn_read_forces(gdyn_reader *r, const gdyn_node *machine) {
    gdyn_read_each(r, machine, "forces", read_force);
    gdyn_read_each(r, machine, "motions", read_motion);
}
