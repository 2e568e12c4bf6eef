/* reader.c - shared by the readers of all sections: complaints, memory, owned formulas,
 * parameters by name. */
#include "casefile/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool gdyn_read_error(gdyn_reader *r, gdyn_node *node, const char *help, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    /* One complaint for each entry: later ones mostly follow from it. */
    if (node && node->bad && r->checking)
        return false;
    gdyn_log_node(r->log, GDYN_ERROR, node, help, "%s", message);
    /* A bad entry is passed over by all other readers. */
    if (node && r->checking)
        node->bad = true;
    return false;
}

bool gdyn_inside_error(gdyn_reader *r, gdyn_node *node, int offset, int width, const char *help,
                       const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    node->bad |= r->checking;
    return gdyn_log_inside(r->log, node, offset, width, help, "%s", message);
}

/* "expected a point, got a list"; false. */
static bool complain_form(gdyn_reader *r, gdyn_node *node, const char *help, const char *what) {
    return gdyn_read_error(r, node, help, GDYN_CODE_SHAPE "expected %s, got %s", what,
                           gdyn_node_kind_text(node));
}

bool gdyn_expect(gdyn_reader *r, gdyn_node *node, gdyn_node_kind kind, const char *help,
                 const char *what) {
    return node->kind == kind || complain_form(r, node, help, what);
}

bool gdyn_expect_map(gdyn_reader *r, gdyn_node *node, const char *help, const char *what) {
    return (node->kind == GDYN_NODE_MAPPING && node->count > 0) ||
           complain_form(r, node, help, what);
}

bool gdyn_expect_text(gdyn_reader *r, gdyn_node *node, const char *help, const char *what) {
    return (node->kind == GDYN_NODE_SCALAR && node->text[0] != '\0') ||
           complain_form(r, node, help, what);
}

bool gdyn_expect_items(gdyn_reader *r, gdyn_node *node, int count, const char *help,
                       const char *complaint) {
    return (node->kind == GDYN_NODE_SEQUENCE &&
            (count > 0 ? node->count == count : node->count > 0)) ||
           gdyn_read_error(r, node, help, GDYN_CODE_SHAPE "%s", complaint);
}

bool gdyn_expect_keys(gdyn_reader *r, const gdyn_node *node, const char *const *keys,
                      const char *where, const char *help) {
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        gdyn_node *key = node->key[i];
        if (gdyn_word_number(keys, key->text) < 0)
            good = gdyn_read_error(
                r, key,
                help ? help : gdyn_log_suggest(r->log, key->text, keys, gdyn_word_count(keys)),
                GDYN_CODE_KEY "unknown key '%.60s' in %s", key->text, where);
    }
    return good;
}

bool gdyn_expect_machine(gdyn_reader *r, const gdyn_node *root, gdyn_node *node, const char *what) {
    if (!r->machine && r->checking && !gdyn_node_find(root, "machine"))
        gdyn_read_error(r, node, NULL, GDYN_CODE_MISSING "%s a machine", what);
    return r->machine != NULL;
}

void gdyn_out_of_memory(gdyn_reader *r) {
    gdyn_log_node(r->log, GDYN_ERROR, NULL, NULL, GDYN_CODE_MEMORY "out of memory");
    gdyn_log_lack_memory(r->log);
}

void *gdyn_reader_alloc(gdyn_reader *r, size_t count, size_t size) {
    void *block = gdyn_arena_alloc(r->arena, count, size);
    if (!block)
        gdyn_out_of_memory(r);
    return block;
}

void *gdyn_reader_entries(gdyn_reader *r, gdyn_node *node, gdyn_node_kind kind, const char *help,
                          const char *what, size_t size) {
    bool good = node && gdyn_expect(r, node, kind, help, what);
    return good ? gdyn_reader_alloc(r, (size_t)node->count + 1, size) : NULL;
}

void gdyn_read_each(gdyn_reader *r, const gdyn_node *node, const char *key,
                    void (*read)(gdyn_reader *r, const gdyn_node *entry)) {
    const gdyn_node *map = gdyn_node_map(node, key);
    for (int i = 0; map && i < map->count; i++)
        if (map->item[i]->kind == GDYN_NODE_MAPPING)
            read(r, map->item[i]);
}

/* Adds an expression to a list; frees it without memory. */
static gdyn_expr *own(gdyn_reader *r, gdyn_expr *expr, gdyn_expr ***list, int *count,
                      int *capacity) {
    /* Formulas are freed with their owner. */
    if (!gdyn_reserve(list, capacity, *count + 1, sizeof **list)) {
        gdyn_out_of_memory(r);
        gdyn_expr_destroy(expr);
        return NULL;
    }
    return (*list)[(*count)++] = expr;
}

gdyn_expr *gdyn_case_own(gdyn_reader *r, gdyn_expr *expr) {
    gdyn_case *c = r->the_case;
    return own(r, expr, &c->expr, &c->expr_count, &c->expr_capacity);
}

const gdyn_expr *gdyn_instance_own(gdyn_reader *r, gdyn_expr *expr) {
    gdyn_instance *in = r->instance;
    return own(r, expr, &in->owned_expr, &in->owned_expr_count, &r->expr_capacity);
}

int gdyn_find_parameter(const gdyn_case *the_case, const char *name) {
    const gdyn_parameters *p = &the_case->parameters;
    return gdyn_find_span(name, strlen(name), p->name, sizeof *p->name, p->count);
}

const char *gdyn_name_of_file(gdyn_arena *arena, const char *filename) {
    /* Without folder and ending. */
    const char *slash = strrchr(filename, '/'), *start = slash ? slash + 1 : filename;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    return gdyn_arena_strndup(arena, start, length);
}

const char *gdyn_place_text(gdyn_reader *r, const gdyn_node *node) {
    const char *file = node->source->name, *slash = strrchr(file, '/');
    return gdyn_arena_printf(r->arena, "%s:%d", slash ? slash + 1 : file, node->line);
}

/* --- references to points, joints and freedoms ------------------------------------------------ */

bool gdyn_name_allowed(const char *name, bool formula) {
    if (!name[0] || strlen(name) > 60)
        return false;
    /* Names in formulas begin with a letter and hold no '-'. */
    if (formula)
        return gdyn_name_valid(name);
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (!isalnum(c) && c != '_' && c != '-' && c < 0x80)
            return false;
    }
    return true;
}

/* True when the machine's section was complained about as a whole: then its names are not known,
 * and what refers to them is not to blame. */
static bool unreadable(const gdyn_reader *r, const char *section) {
    const gdyn_node *machine = gdyn_node_find(r->the_case->root, "machine");
    const gdyn_node *list = gdyn_node_find(machine, section);
    return (machine && machine->bad) || (list && list->bad);
}

int gdyn_find_span(const char *name, size_t length, const void *list, size_t stride, int count) {
    for (int i = 0; i < count; i++) {
        const char *const *own = (const void *)((const char *)list + (size_t)i * stride);
        if (strncmp(*own, name, length) == 0 && (*own)[length] == '\0')
            return i;
    }
    return -1;
}

int gdyn_find_name(gdyn_reader *r, const char *name, const void *list, size_t stride, int count,
                   const char **help) {
    int found = gdyn_find_span(name, strlen(name), list, stride, count);
    *help = NULL;
    if (found >= 0)
        return found;
    /* Not found: the nearest name. */
    const char **names = gdyn_reader_alloc(r, (size_t)count + 1, sizeof *names);
    for (int i = 0; i < count && names; i++)
        names[i] = *(const char *const *)(const void *)((const char *)list + (size_t)i * stride);
    *help = names ? gdyn_log_suggest(r->log, name, names, count) : NULL;
    return -1;
}

/* --- points ----------------------------------------------------------------------------------- */

int gdyn_find_body(const gdyn_reader *r, const char *name) {
    int found = gdyn_find_span(name, strlen(name), r->body, sizeof *r->body, r->bodies);
    return found < 0 ? GDYN_NONE : found;
}

static const char *suggest_body(gdyn_reader *r, const char *word) {
    const char **names = gdyn_reader_alloc(r, (size_t)r->bodies + 1, sizeof *names);
    for (int i = 0; i < r->bodies && names; i++)
        names[i] = r->body[i].name;
    if (names)
        names[r->bodies] = "ground";
    return names ? gdyn_log_suggest(r->log, word, names, r->bodies + 1) : NULL;
}

static const char *suggest_point(gdyn_reader *r, const gdyn_body_entry *body, const char *word) {
    /* The nearest name, else all of them. */
    const char *help = gdyn_log_suggest(r->log, word, body->point_name, body->points);
    if (help)
        return help;
    if (body->points == 0)
        return gdyn_log_help(r->log, "'%s' has no points: add points: {%.40s: [...]}", body->name,
                             word);
    return gdyn_log_list(r->log, gdyn_log_help(r->log, "points of '%s': ", body->name),
                         body->point_name, body->points, ", ");
}

/* Splits "a.b" at its first dot; false when a part does not fit. */
static bool split(const char *text, char first[80], const char **second) {
    /* First word without its dot. */
    size_t length = strcspn(text, ".");
    if (length >= 80)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    *second = text[length] == '.' ? text + length + 1 : NULL;
    return true;
}

bool gdyn_anchor_from_text(gdyn_reader *r, gdyn_node *node, const char *text, gdyn_anchor *anchor) {
    char name[80];
    const char *point;
    /* BODY or BODY.POINT. */
    if (!split(text, name, &point))
        return gdyn_read_error(r, node, NULL, GDYN_CODE_UNKNOWN "this is not a point: '%.60s...'",
                               text);
    bool ground = strcmp(name, "ground") == 0;
    int body = ground ? GDYN_GROUND : gdyn_find_body(r, name);
    /* The section could not be read: the reference is not to blame. */
    if (body == GDYN_NONE && unreadable(r, "bodies"))
        return false;
    if (body == GDYN_NONE)
        return gdyn_read_error(r, node, suggest_body(r, name),
                               GDYN_CODE_UNKNOWN "unknown body '%s'", name);
    const gdyn_body_entry *entry = ground ? &r->ground : &r->body[body];
    int i = point ? gdyn_find_span(point, strlen(point), entry->point_name,
                                   sizeof *entry->point_name, entry->points)
                  : -1;
    if (point && i < 0)
        return gdyn_read_error(r, node, suggest_point(r, entry, point),
                               GDYN_CODE_UNKNOWN "unknown point '%.60s' of '%s'", point, name);
    /* A body alone is its origin. */
    *anchor = (gdyn_anchor){.body = body};
    if (i >= 0)
        memcpy(anchor->at, entry->point[i], sizeof anchor->at);
    return true;
}

void gdyn_list_points(gdyn_reader *r) {
    size_t count = (size_t)r->ground.points;
    for (int i = 0; i < r->bodies; i++)
        count += (size_t)r->body[i].points;
    gdyn_named_point *list = gdyn_reader_alloc(r, count + 1, sizeof *list);
    for (int body = GDYN_GROUND; list && body < r->bodies; body++) {
        const gdyn_body_entry *entry = body < 0 ? &r->ground : &r->body[body];
        for (int i = 0; i < entry->points; i++) {
            gdyn_named_point *one = &list[r->instance->point_count++];
            one->name = gdyn_arena_printf(r->arena, "%s.%s", entry->name, entry->point_name[i]);
            one->at.body = body;
            memcpy(one->at.at, entry->point[i], sizeof one->at.at);
        }
    }
    r->instance->point = list;
}

bool gdyn_read_anchor(gdyn_reader *r, gdyn_node *node, gdyn_anchor *anchor) {
    if (node->bad)
        return false;
    return gdyn_expect_text(r, node, "write body.P", "a point") &&
           gdyn_anchor_from_text(r, node, node->text, anchor);
}

void gdyn_read_frame(const gdyn_reader *r, const gdyn_node *node, const gdyn_anchor *anchor,
                     double cardan[3]) {
    const char *point = node->kind == GDYN_NODE_SCALAR ? strchr(node->text, '.') : NULL;
    if (!point || node->bad || anchor->body < 0 || anchor->body >= r->bodies)
        return;
    const gdyn_body_entry *entry = &r->body[anchor->body];
    int i = gdyn_find_span(point + 1, strlen(point + 1), entry->point_name,
                           sizeof *entry->point_name, entry->points);
    if (i >= 0)
        memcpy(cardan, entry->turn[i], sizeof entry->turn[i]);
}

bool gdyn_read_anchors(gdyn_reader *r, gdyn_node *node, gdyn_anchor *a, gdyn_anchor *b) {
    if (node->bad)
        return false;
    if (!gdyn_expect_items(r, node, 2, "write [body.P, other.Q]", "expected a list of two points"))
        return false;
    bool good = gdyn_read_anchor(r, node->item[0], a);
    return gdyn_read_anchor(r, node->item[1], b) && good;
}

/* --- joints ----------------------------------------------------------------------------------- */

/* The only freedom, or the one named; complains otherwise. */
static bool choose_freedom(gdyn_reader *r, gdyn_node *node, const gdyn_joint_entry *joint,
                           const char *name, gdyn_freedom *freedom) {
    const char *type = gdyn_joint_type_name(joint->type), *names[3], *front;
    /* Rods, gears and the like have no freedom. */
    if (joint->freedoms == 0)
        return gdyn_read_error(r, node, NULL,
                               GDYN_CODE_FREEDOM "joint '%s' (%s) has no freedom to refer to",
                               joint->name, type);
    for (int i = 0; i < joint->freedoms; i++) {
        names[i] = gdyn_freedom_name(joint->freedom[i]);
        if (name ? strcmp(names[i], name) == 0 : joint->freedoms == 1) {
            *freedom = joint->freedom[i];
            return true;
        }
    }
    if (!name)
        return gdyn_read_error(r, node, gdyn_log_help(r->log, "write %s.%s", joint->name, names[0]),
                               GDYN_CODE_FREEDOM "joint '%s' (%s) has several freedoms: say which",
                               joint->name, type);
    front = gdyn_log_help(r->log, "freedoms of '%s': ", joint->name);
    return gdyn_read_error(r, node, gdyn_log_list(r->log, front, names, joint->freedoms, ", "),
                           GDYN_CODE_FREEDOM "joint '%s' (%s) has no freedom '%.40s'", joint->name,
                           type, name);
}

bool gdyn_joint_from_text(gdyn_reader *r, gdyn_node *node, const char *text, int *joint,
                          gdyn_freedom *freedom, gdyn_coordinate *along) {
    char name[80] = "";
    *along = GDYN_COORDINATE_UNKNOWN;
    const char *part = NULL, *help = NULL;
    int i = split(text, name, &part)
                ? gdyn_find_name(r, name, r->joint, sizeof *r->joint, r->joints, &help)
                : -1;
    if (i < 0 && unreadable(r, "joints"))
        return false;
    if (i < 0)
        return gdyn_read_error(r, node, help, GDYN_CODE_UNKNOWN "unknown joint '%.60s'", text);
    *joint = i, *freedom = GDYN_FREEDOM_DEFAULT;
    /* An unknown type was reported already. */
    if (!r->joint[i].known || !choose_freedom(r, node, &r->joint[i], part, freedom))
        return false;
    *along = gdyn_coordinate_of(gdyn_freedom_slides(*freedom));
    return true;
}

bool gdyn_read_joint(gdyn_reader *r, gdyn_node *node, int *joint, gdyn_freedom *freedom,
                     gdyn_coordinate *along) {
    *along = GDYN_COORDINATE_UNKNOWN;
    if (node->bad)
        return false;
    return gdyn_expect_text(r, node, "write a joint's name, or joint.freedom", "a joint") &&
           gdyn_joint_from_text(r, node, node->text, joint, freedom, along);
}
