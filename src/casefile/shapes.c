/* shapes.c - what bodies, the ground and the lines of drives occupy, and masses that follow from it. */
#include "casefile/machine.h"
#include "casefile/values.h"

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
    for (int k = 0; k < entry->points; k++)
        if (strcmp(entry->point_name[k], node->text) == 0) {
            v3_copy(at, entry->point[k]);
            return true;
        }
    gdyn_read_error(r, node, gdyn_log_suggest(r->log, node->text, entry->point_name, entry->points),
                    GDYN_CODE_UNKNOWN "'%s' has no point '%.60s'", entry->name, node->text);
    return false;
}

/* A length above zero. */
static bool read_size(gdyn_reader *r, gdyn_node *shape, const char *key, double *value) {
    gdyn_node *node = gdyn_node_find(shape, key);
    if (!node) {
        gdyn_read_error(r, shape, help_shape, GDYN_CODE_MISSING "the shape lacks '%s'", key);
        return false;
    }
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
    if (ends->kind != GDYN_NODE_SEQUENCE || ends->count != 2) {
        gdyn_read_error(r, ends, help_shape, GDYN_CODE_SHAPE "expected two points");
        return false;
    }
    bool good = read_own_point(r, ends->item[0], entry, def->a.at) &&
                read_own_point(r, ends->item[1], entry, def->b.at) &&
                read_size(r, shape, "radius", &def->radius);
    /* a tube has a wall */
    if (good && def->kind == GDYN_SHAPE_TUBE)
        good = read_size(r, shape, "wall", &def->wall);
    double along[3];
    v3_sub(along, def->b.at, def->a.at);
    if (good && def->kind == GDYN_SHAPE_TUBE && !(v3_norm(along) > 0)) {
        gdyn_read_error(r, ends, NULL, GDYN_CODE_SOLID "the ends of a tube coincide");
        return false;
    }
    if (good && def->wall > def->radius) {
        gdyn_read_error(r, shape, NULL, GDYN_CODE_SOLID "the wall is thicker than the radius");
        return false;
    }
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
        if (!(def->size[i] > 0)) {
            gdyn_read_error(r, edges, NULL, GDYN_CODE_SOLID "the edges of a box must be positive");
            return false;
        }
    /* at the origin and unturned unless stated */
    bool good = !at || read_own_point(r, at, entry, def->a.at);
    if (turn && r->space == GDYN_PLANAR)
        good &= gdyn_read_value(r, turn, GDYN_DIM_NONE, &cardan[2]);
    else if (turn)
        good &= gdyn_read_list(r, turn, 3, GDYN_DIM_NONE, cardan);
    gdyn_rotation_from_cardan(def->R, cardan);
    return good;
}

/* Keys of a shape: its kind, and those that belong to it. */
static bool keys_known(gdyn_reader *r, const gdyn_node *shape, gdyn_shape_kind kind) {
    const char *turn = r->space == GDYN_PLANAR ? "angle" : "cardan";
    const char *const keys[][5] = {[GDYN_SHAPE_CAPSULE] = {"capsule", "radius"},
                                   [GDYN_SHAPE_SPHERE] = {"sphere", "radius"},
                                   [GDYN_SHAPE_TUBE] = {"tube", "radius", "wall"},
                                   [GDYN_SHAPE_BOX] = {"box", "at", turn}};
    bool good = true;
    for (int i = 0; i < shape->count; i++)
        if (gdyn_word_number(keys[kind], shape->key[i]->text) < 0) {
            gdyn_read_error(r, shape->key[i], help_shape,
                            GDYN_CODE_KEY "unknown key '%.60s' in a %s", shape->key[i]->text,
                            keys[kind][0]);
            good = false;
        }
    return good;
}

/* One shape of any kind; false after a complaint. */
static bool read_shape(gdyn_reader *r, gdyn_node *node, int body, gdyn_shape_def *def) {
    static const char *const kinds[] = {"capsule", "sphere", "tube", "box", NULL};
    const gdyn_body_entry *entry = body == GDYN_GROUND ? &r->ground : &r->body[body];
    gdyn_node *found = NULL;
    *def = gdyn_shape_default();
    def->a.body = def->b.body = body;
    if (node->kind != GDYN_NODE_MAPPING) {
        gdyn_read_error(r, node, help_shape, GDYN_CODE_SHAPE "expected a shape, got %s",
                        gdyn_node_kind_text(node));
        return false;
    }
    /* the first key that names a kind */
    for (int k = 0; kinds[k] && !found; k++)
        if ((found = gdyn_node_find(node, kinds[k])))
            def->kind = (gdyn_shape_kind)k;
    if (!found) {
        gdyn_read_error(r, node, help_shape, GDYN_CODE_SOLID "the shape is of no kind");
        return false;
    }
    if (!keys_known(r, node, def->kind))
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
    bool list = node && node->kind == GDYN_NODE_SEQUENCE;
    int count = !node ? 0 : list ? node->count : 1, read = 0;
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
        if (!read_shape(r, list ? node->item[i] : node, body, def))
            continue;
        read++;
        if (gdyn_machine_add_shape(r->machine, def) < 0)
            gdyn_out_of_memory(r);
    }
    return read;
}

/* The density that the body states, 0: none. */
static double density_of(gdyn_reader *r, const gdyn_node *node) {
    gdyn_node *density = gdyn_node_get(node, "density"),
              *material = gdyn_node_get(node, "material");
    double value = 0;
    if (density && material) {
        gdyn_read_error(r, material, NULL,
                        GDYN_CODE_CONFLICT "state 'density' or 'material', not both");
        return 0;
    }
    /* by the name of a material, or by a number */
    if (material && material->kind == GDYN_NODE_SCALAR) {
        int k = gdyn_word_number(gdyn_words_material, material->text);
        return k < 0 ? 0 : densities[k];
    }
    gdyn_read_field(r, node, &gdyn_schema_body, "density", GDYN_COORDINATE_UNKNOWN, &value);
    return value;
}

/* The key by which the density is stated. */
static const char *density_key(const gdyn_node *node) {
    return gdyn_node_find(node, "density") ? "density" : "material";
}

void gdyn_read_body_solid(gdyn_reader *r, const gdyn_node *node, int body, gdyn_body_def *def) {
    static const char *const stated[] = {"mass", "inertia", "com"};
    gdyn_shape_def *shapes;
    int count = gdyn_read_shapes(r, gdyn_node_get(node, "shape"), body, &shapes);
    double density = density_of(r, node);
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
        gdyn_read_error(r, gdyn_node_find(node, density_key(node)), help_shape,
                        GDYN_CODE_SOLID "body '%s' has a density but no shape", def->name);
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
        gdyn_read_error(r, radius, "shapes of bodies are stated there",
                        GDYN_CODE_SHAPE "drive '%s' is no line between two points", drive->name);
        return;
    }
    /* a capsule that follows the drive's ends */
    def.drive = index;
    def.a = drive->a;
    def.b = drive->b;
    if (gdyn_read_field(r, node, &gdyn_schema_drive, "radius", GDYN_COORDINATE_UNKNOWN,
                        &def.radius) &&
        gdyn_machine_add_shape(r->machine, &def) < 0)
        gdyn_out_of_memory(r);
}
