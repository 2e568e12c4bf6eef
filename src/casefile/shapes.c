/* shapes.c - what bodies, the ground and the lines of drives occupy, and masses that follow from
 * it. */
#include "casefile/reader.h"
#include "linalg/vec3.h"

#include <string.h>

enum { SHAPES_MOST = 64 };

/* kg/m^3, in the order of gdyn_words_material. */
static const double densities[] = {7850, 2700, 4430, 8500, 7200, 1600, 1200};

static const char help_shape[] =
    "{capsule: [P, Q], radius: r}, {tube: [P, Q], radius: r, wall: t}, {sphere: P, radius: r} or "
    "{box: [a, b, c], at: P}";

/* One of the body's own points by its name, or coordinates. */
static bool read_own_point(gdyn_reader *r, gdyn_node *node, const gdyn_body_entry *entry,
                           double at[3]) {
    if (node->kind != GDYN_NODE_SCALAR)
        return gdyn_read_vector(r, node, GDYN_DIM_LENGTH, at);
    /* by name, else an error with the nearest name */
    int k = gdyn_find_span(node->text, strlen(node->text), entry->point_name,
                           sizeof *entry->point_name, entry->points);
    if (k >= 0) {
        v3_copy(at, entry->point[k]);
        return true;
    }
    return gdyn_read_error(r, node,
                           gdyn_log_suggest(r->log, node->text, entry->point_name, entry->points),
                           GDYN_CODE_UNKNOWN "'%s' has no point '%.60s'", entry->name, node->text);
}

/* A length above zero. */
static bool read_size(gdyn_reader *r, gdyn_node *shape, const char *key, double *value) {
    gdyn_node *node = gdyn_node_find(shape, key);
    if (!node)
        return gdyn_read_error(r, shape, help_shape, GDYN_CODE_MISSING "the shape lacks '%s'", key);
    /* it must be positive */
    if (!gdyn_read_value(r, node, GDYN_DIM_LENGTH, value))
        return false;
    if (!(*value > 0))
        gdyn_read_error(r, node, NULL, GDYN_CODE_SOLID "'%s' of a shape must be positive", key);
    return *value > 0;
}

/* A capsule or a tube between two points. */
static bool read_line(gdyn_reader *r, gdyn_node *shape, gdyn_node *ends,
                      const gdyn_body_entry *entry, gdyn_shape_def *def) {
    if (!gdyn_expect_items(r, ends, 2, help_shape, "expected two points"))
        return false;
    bool good = read_own_point(r, ends->item[0], entry, def->a.at) &&
                read_own_point(r, ends->item[1], entry, def->b.at) &&
                read_size(r, shape, "radius", &def->radius);
    if (good && def->kind == GDYN_SHAPE_TUBE)
        good = read_size(r, shape, "wall", &def->wall);
    double along[3];
    v3_sub(along, def->b.at, def->a.at);
    if (good && def->kind == GDYN_SHAPE_TUBE && !(v3_norm(along) > 0))
        return gdyn_read_error(r, ends, NULL, GDYN_CODE_SOLID "the ends of a tube coincide");
    if (good && def->wall > def->radius)
        return gdyn_read_error(r, shape, NULL,
                               GDYN_CODE_SOLID "the wall is thicker than the radius");
    return good;
}

/* A box by its edges, its centre and its orientation. */
static bool read_box(gdyn_reader *r, gdyn_node *shape, gdyn_node *edges,
                     const gdyn_body_entry *entry, gdyn_shape_def *def) {
    gdyn_node *at = gdyn_node_find(shape, "at");
    gdyn_node *turn = gdyn_node_find(shape, r->space == GDYN_PLANAR ? "angle" : "cardan");
    double cardan[3] = {0, 0, 0};
    if (!gdyn_read_list(r, edges, 3, GDYN_DIM_LENGTH, def->size))
        return false;
    for (int i = 0; i < 3; i++)
        if (!(def->size[i] > 0))
            return gdyn_read_error(r, edges, NULL,
                                   GDYN_CODE_SOLID "the edges of a box must be positive");
    /* at the origin and unturned unless stated */
    bool good = !at || read_own_point(r, at, entry, def->a.at);
    if (turn)
        good &= gdyn_read_turn(r, turn, GDYN_DIM_NONE, cardan);
    gdyn_rotation_from_cardan(def->R, cardan);
    return good;
}

/* One shape of any kind; false after a complaint. */
static bool read_shape(gdyn_reader *r, gdyn_node *node, int body, gdyn_shape_def *def) {
    static const char *const kinds[] = {"capsule", "sphere", "tube", "box", NULL};
    static const char *const kinds_in[] = {"a capsule", "a sphere", "a tube", "a box"};
    const gdyn_body_entry *entry = body == GDYN_GROUND ? &r->ground : &r->body[body];
    gdyn_node *found = NULL;
    *def = gdyn_shape_default();
    def->a.body = def->b.body = body;
    if (!gdyn_expect(r, node, GDYN_NODE_MAPPING, help_shape, "a shape"))
        return false;
    /* the first key that names a kind */
    for (int k = 0; kinds[k] && !found; k++)
        if ((found = gdyn_node_find(node, kinds[k])))
            def->kind = (gdyn_shape_kind)k;
    if (!found)
        return gdyn_read_error(r, node, help_shape, GDYN_CODE_SOLID "the shape has no kind");
    const char *turn = r->space == GDYN_PLANAR ? "angle" : "cardan";
    const char *const keys[][5] = {[GDYN_SHAPE_CAPSULE] = {"capsule", "radius"},
                                   [GDYN_SHAPE_SPHERE] = {"sphere", "radius"},
                                   [GDYN_SHAPE_TUBE] = {"tube", "radius", "wall"},
                                   [GDYN_SHAPE_BOX] = {"box", "at", turn}};
    if (!gdyn_expect_keys(r, node, keys[def->kind], kinds_in[def->kind], help_shape))
        return false;
    /* each kind with its own keys */
    if (def->kind == GDYN_SHAPE_BOX)
        return read_box(r, node, found, entry, def);
    if (def->kind == GDYN_SHAPE_SPHERE)
        return read_own_point(r, found, entry, def->a.at) &&
               read_size(r, node, "radius", &def->radius);
    return read_line(r, node, found, entry, def);
}

int gdyn_read_shapes(gdyn_reader *r, gdyn_node *node, int body, gdyn_shape_def **shapes) {
    int count, read = 0;
    gdyn_node *const *item = gdyn_node_items(&node, &count);
    *shapes = gdyn_reader_alloc(r, (size_t)count + 1, sizeof **shapes);
    if (node && (r->checking && !r->space_known))
        return 0;
    if (count > SHAPES_MOST) {
        gdyn_read_error(r, node, NULL, GDYN_CODE_LIMIT "a body has at most %d shapes", SHAPES_MOST);
        return 0;
    }
    /* those that are right go to the machine */
    for (int i = 0; i < count && *shapes; i++) {
        gdyn_shape_def *def = &(*shapes)[read];
        if (!read_shape(r, item[i], body, def))
            continue;
        read++;
        if (gdyn_machine_add_shape(r->machine, def) < 0)
            gdyn_out_of_memory(r);
    }
    return read;
}

void gdyn_read_body_solid(gdyn_reader *r, const gdyn_node *node, int body, gdyn_body_def *def) {
    static const char *const stated[] = {"mass", "inertia", "com"};
    gdyn_shape_def *shapes;
    int count = gdyn_read_shapes(r, gdyn_node_get(node, "shape"), body, &shapes);
    /* by the name of a material, or by a number; 0: none */
    int material = gdyn_read_word(node, "material", gdyn_words_material, -1);
    double density = material >= 0 ? densities[material] : 0;
    if (material < 0)
        gdyn_read_field(r, node, &gdyn_schema_body, "density", GDYN_COORDINATE_UNKNOWN, &density);
    if (!(density > 0))
        return;
    /* what follows from the density may not be stated as well */
    for (int k = 0; k < 3; k++)
        if (gdyn_node_find(node, stated[k]))
            gdyn_read_error(
                r, gdyn_node_find(node, stated[k]), "leave it out, or leave out the density",
                GDYN_CODE_CONFLICT "'%s' follows from the shapes and their density", stated[k]);
    gdyn_node *shape = gdyn_node_get(node, "shape");
    bool none = !shape || (shape->kind == GDYN_NODE_SEQUENCE && shape->count == 0);
    /* Shapes that could not be read have had their message. */
    if (none)
        gdyn_read_error(
            r, gdyn_node_find(node, gdyn_node_find(node, "density") ? "density" : "material"),
            help_shape, GDYN_CODE_SOLID "body '%s' has a density but no shape", def->name);
    /* mass, centre and inertia of all shapes together */
    else if (count > 0 && shapes)
        gdyn_body_of_shapes(count, shapes, density, def);
}

void gdyn_read_drive_shape(gdyn_reader *r, const gdyn_node *node, int index,
                           const gdyn_drive_def *drive) {
    gdyn_node *radius = gdyn_node_get(node, "radius");
    gdyn_shape_def def = gdyn_shape_default();
    if (!radius)
        return;
    /* only a drive between two points has a line */
    if (!gdyn_node_find(node, "between") && !gdyn_node_find(node, "cable")) {
        gdyn_read_error(
            r, radius,
            "only drives between two points have a shape; set the shapes of bodies under bodies",
            GDYN_CODE_SHAPE "drive '%s' is not a line between two points", drive->name);
        return;
    }
    /* a capsule that follows the drive's ends */
    def.drive = index, def.a = drive->a, def.b = drive->b;
    if (gdyn_read_field(r, node, &gdyn_schema_drive, "radius", GDYN_COORDINATE_UNKNOWN,
                        &def.radius) &&
        gdyn_machine_add_shape(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}

/* --- pairs: clearance: {only: [[leg*, leg*]], exclude: [[winch, mast]]} ----------------------- */

static const char help_pair[] = "write [[a, b], [leg*, ground]]: bodies, drives, ground, all";

/* The body or drive whose shape it is. */
static const char *owner_of(const gdyn_reader *r, int shape) {
    const gdyn_shape_def *def = gdyn_machine_shape(r->machine, shape);
    return def->drive >= 0              ? r->drive[def->drive]
           : def->a.body == GDYN_GROUND ? r->ground.name
                                        : r->body[def->a.body].name;
}

/* "leg2" fits leg2 and leg*; every name fits `all`, but where something bears that name itself. */
static bool fits(const char *name, const char *word) {
    size_t length = strlen(word);
    bool open = length > 0 && word[length - 1] == '*';
    return open ? strncmp(name, word, length - 1) == 0 : strcmp(name, word) == 0;
}

/* Whether a body or drive without a shape bears this name. */
static bool known(const gdyn_reader *r, const char *word) {
    return strcmp(word, r->ground.name) == 0 || gdyn_find_body(r, word) >= 0 ||
           gdyn_find_span(word, strlen(word), r->drive, sizeof *r->drive, r->drives) >= 0;
}

/* The word of one side: a name, the beginning of names, or all; NULL after a complaint. */
static const char *read_side(gdyn_reader *r, gdyn_node *node) {
    if (!gdyn_expect(r, node, GDYN_NODE_SCALAR, help_pair, "a name"))
        return NULL;
    for (int i = 0; i < gdyn_machine_shapes(r->machine); i++)
        if (fits(owner_of(r, i), node->text))
            return node->text;
    if (strcmp(node->text, "all") == 0)
        return "*";
    /* Shapes and names that could not be read have had their message. */
    if (r->checking && gdyn_log_errors(r->log) == 0) {
        /* Nothing with a shape fits this word. */
        int shapes = gdyn_machine_shapes(r->machine);
        const char **names = gdyn_reader_alloc(r, (size_t)shapes + 1, sizeof *names);
        for (int i = 0; i < shapes && names; i++)
            names[i] = owner_of(r, i);
        if (known(r, node->text))
            gdyn_read_error(r, node, "bodies and the ground need a shape, lines of drives a radius",
                            GDYN_CODE_SOLID "'%.60s' has no shape", node->text);
        else if (names)
            gdyn_read_error(r, node, gdyn_log_suggest(r->log, node->text, names, shapes),
                            GDYN_CODE_SOLID "nothing with a shape is named '%.60s'", node->text);
    }
    return NULL;
}

/* The rule for all pairs of shapes with these names; their number. */
static int add_rule(gdyn_reader *r, gdyn_pair_rule rule, const char *first, const char *second) {
    int shapes = gdyn_machine_shapes(r->machine), added = 0;
    for (int i = 0; i < shapes; i++)
        for (int j = i + 1; j < shapes; j++) {
            const char *a = owner_of(r, i), *b = owner_of(r, j);
            bool pair = (fits(a, first) && fits(b, second)) || (fits(a, second) && fits(b, first));
            gdyn_pair_def def = {rule, i, j};
            /* shapes of one body are never compared */
            const gdyn_shape_def *s = gdyn_machine_shape(r->machine, i),
                                 *t = gdyn_machine_shape(r->machine, j);
            if (!pair || (s->drive < 0 && t->drive < 0 && s->a.body == t->a.body))
                continue;
            added++;
            if (gdyn_machine_add_pair(r->machine, &def) < 0)
                gdyn_out_of_memory(r);
        }
    return added;
}

static void read_pair(gdyn_reader *r, gdyn_node *node, gdyn_pair_rule rule) {
    if (!gdyn_expect_items(r, node, 2, help_pair, "expected a pair of names"))
        return;
    const char *first = read_side(r, node->item[0]), *second = read_side(r, node->item[1]);
    if (first && second && add_rule(r, rule, first, second) == 0)
        gdyn_read_error(r, node, "shapes of one body are not compared with each other",
                        GDYN_CODE_SOLID "no two shapes fit this pair");
}

void gdyn_read_pairs(gdyn_reader *r, const gdyn_node *machine) {
    static const char *const keys[] = {[GDYN_PAIR_ONLY] = "only",
                                       [GDYN_PAIR_INCLUDE] = "include",
                                       [GDYN_PAIR_EXCLUDE] = "exclude"};
    const gdyn_node *block = gdyn_node_get(machine, "clearance");
    for (int rule = 0; block && rule < GDYN_PAIR_RULES; rule++) {
        gdyn_node *list = gdyn_node_get(block, keys[rule]);
        if (list && gdyn_expect_items(r, list, 0, help_pair, "expected a list of pairs"))
            for (int i = 0; i < list->count; i++)
                read_pair(r, list->item[i], (gdyn_pair_rule)rule);
    }
}
