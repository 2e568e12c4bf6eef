/* robot.c - lists of a robot's parts; remarks and errors. */
#include "import/robot.h"
#include "linalg/vec3.h"
#include "base/pi.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gdyn_status gdyn_robot_open(gdyn_robot *robot, const char *filename, size_t bytes,
                            gdyn_document **source) {
    char message[400];
    gdyn_status status = gdyn_document_from_file(robot->arena, filename, bytes, true, source,
                                                 message, sizeof message);
    if (status != GDYN_OK && status != GDYN_ERROR_MEMORY)
        gdyn_diag_emit(robot->sink, GDYN_ERROR, "", NULL, GDYN_CODE_FILE "'%.200s': %s", filename,
                       message);
    return status;
}

gdyn_status gdyn_robot_run(const char *text, size_t length, const char *filename,
                           const gdyn_sink *sink, gdyn_robot_task *task, void *context) {
    gdyn_robot robot = {.arena = gdyn_arena_create(), .sink = sink, .sway = 1};
    gdyn_document *source = NULL;
    gdyn_status status = GDYN_OK;
    if (!robot.arena)
        return GDYN_ERROR_MEMORY;
    if (text)
        source = gdyn_document_from_text(robot.arena, filename, text, length);
    else
        status = gdyn_robot_open(&robot, filename, GDYN_XML_BYTES, &source);
    if (status == GDYN_OK && source)
        status = task(&robot, source, context);
    if (robot.failed || gdyn_arena_failed(robot.arena))
        status = GDYN_ERROR_MEMORY;
    gdyn_free(robot.link);
    gdyn_free(robot.joint);
    gdyn_free(robot.closure);
    gdyn_free(robot.gear);
    gdyn_free(robot.shape);
    gdyn_free(robot.remark);
    gdyn_free(robot.exclusion);
    gdyn_arena_destroy(robot.arena);
    return status;
}

/* One more entry behind a list, whose address this is; NULL: no memory. */
static void *add_entry(gdyn_robot *robot, void *list, int *room, int *count, size_t size) {
    if (robot->failed || !gdyn_reserve(list, room, *count + 1, size)) {
        robot->failed = true;
        return NULL;
    }
    return *(char **)list + (size_t)(*count)++ * size;
}

gdyn_robot_link *gdyn_robot_add_link(gdyn_robot *robot, const char *name, const gdyn_xml *at) {
    gdyn_robot_link *link =
        add_entry(robot, &robot->link, &robot->link_room, &robot->links, sizeof *link);
    if (link)
        *link = (gdyn_robot_link){.name = name, .at = at, .joint = -1, .base = -1};
    return link;
}

gdyn_robot_joint *gdyn_robot_add_joint(gdyn_robot *robot, const char *name, const gdyn_xml *at,
                                       int parent, int child) {
    gdyn_robot_joint *joint =
        add_entry(robot, &robot->joint, &robot->joint_room, &robot->joints, sizeof *joint);
    if (!joint)
        return NULL;
    *joint = (gdyn_robot_joint){.name = name,
                                .at_element = at,
                                .parent = parent,
                                .child = child,
                                .axis = {0, 0, 1},
                                .min = -INFINITY,
                                .max = INFINITY,
                                .bound = {-INFINITY, INFINITY},
                                .effort_min = -INFINITY,
                                .effort_max = INFINITY,
                                .speed = INFINITY};
    gdyn_placing_identity(&joint->placing);
    return joint;
}

gdyn_robot_closure *gdyn_robot_add_closure(gdyn_robot *robot, const char *name, const char *type,
                                           int a, int b) {
    gdyn_robot_closure *closure =
        add_entry(robot, &robot->closure, &robot->closure_room, &robot->closures, sizeof *closure);
    if (closure)
        *closure = (gdyn_robot_closure){.name = name, .type = type, .link = {a, b}};
    return closure;
}

gdyn_robot_gear *gdyn_robot_add_gear(gdyn_robot *robot, const char *name, int a, int b) {
    gdyn_robot_gear *gear =
        add_entry(robot, &robot->gear, &robot->gear_room, &robot->gears, sizeof *gear);
    if (gear)
        *gear = (gdyn_robot_gear){.name = name, .a = a, .b = b, .ratio = 1};
    return gear;
}

void gdyn_robot_add_shape(gdyn_robot *robot, const gdyn_robot_shape *shape) {
    gdyn_robot_shape *kept =
        add_entry(robot, &robot->shape, &robot->shape_room, &robot->shapes, sizeof *kept);
    if (kept)
        *kept = *shape;
}

void gdyn_robot_add_exclusion(gdyn_robot *robot, const char *first, const char *second) {
    gdyn_robot_exclusion *pair = add_entry(robot, &robot->exclusion, &robot->exclusion_room,
                                           &robot->exclusions, sizeof *pair);
    if (pair)
        *pair = (gdyn_robot_exclusion){{first, second}};
}

int gdyn_robot_find_link(const gdyn_robot *robot, const char *name) {
    for (int i = 0; i < robot->links; i++)
        if (!robot->link[i].made_up && !strcmp(robot->link[i].name, name))
            return i;
    return -1;
}

int gdyn_robot_find_joint(const gdyn_robot *robot, const char *name) {
    for (int i = 0; i < robot->joints; i++)
        if (!robot->joint[i].made_up && !strcmp(robot->joint[i].name, name))
            return i;
    return -1;
}

bool gdyn_robot_joint_scalar(const gdyn_robot_joint *joint) {
    return joint->motion == GDYN_ROBOT_TURN || joint->motion == GDYN_ROBOT_SLIDE;
}

/* Place of the remark among those there are; their number: it is none of them. */
static int find_remark(const gdyn_robot *robot, const char *kind, const char *text) {
    int i = 0;
    while (i < robot->remarks &&
           (strcmp(robot->remark[i].kind, kind) != 0 || strcmp(robot->remark[i].text, text) != 0))
        i++;
    return i;
}

void gdyn_robot_remark_at(gdyn_robot *robot, const char *kind, const gdyn_xml *at,
                          const char *format, ...) {
    enum { MOST = 1000 };
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* the same text once, with its places */
    int i = find_remark(robot, kind, text);
    if (i == robot->remarks && i >= MOST) {
        snprintf(text, sizeof text, "more of this kind (only %d different ones are listed)", MOST);
        i = find_remark(robot, kind, text);
    }
    if (i == robot->remarks) {
        const char *copy = gdyn_arena_strdup(robot->arena, text);
        robot->failed |= copy == NULL;
        gdyn_robot_remark *made =
            add_entry(robot, &robot->remark, &robot->remark_room, &robot->remarks, sizeof *made);
        if (!made)
            return;
        *made = (gdyn_robot_remark){.kind = kind, .text = copy};
    }
    gdyn_robot_remark *remark = &robot->remark[i];
    if (at && remark->count < (int)(sizeof remark->line / sizeof *remark->line))
        remark->line[remark->count] = at->line;
    remark->count += at != NULL;
}

bool gdyn_robot_error(gdyn_robot *robot, const gdyn_xml *at, const char *help, const char *format,
                      ...) {
    enum { MOST = 50 };
    char text[500];
    va_list args;
    if (!at) /* there was no memory for the place */
        robot->failed = true;
    /* without memory texts lack parts, and what is missing is no mistake of the file */
    robot->failed = robot->failed || gdyn_arena_failed(robot->arena);
    if (++robot->errors > MOST || robot->failed)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gdyn_xml_emit(robot->sink, at->source,
                  (int[3]){at->line, at->column, (int)strlen(at->name) + 1}, help, text);
    return false;
}

void gdyn_robot_begin(gdyn_robot *robot, const char *format, const gdyn_xml *root, const char *key,
                      const gdyn_known *known) {
    const char *name = gdyn_xml_get(root, key);
    robot->format = format;
    robot->name = name && *name ? name : "robot";
    robot->zero_means = "";
    v3_set(robot->gravity, 0, 0, -9.81);
    gdyn_known_remark_others(robot, root, known);
}

void gdyn_robot_drive_some(gdyn_robot *robot, const char *remark) {
    for (int i = 0; i < robot->joints; i++)
        if (robot->joint[i].driven)
            return;
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        if (!gdyn_robot_joint_scalar(joint) || joint->slave)
            continue;
        joint->driven = true;
        gdyn_robot_remark_at(robot, "assumed", joint->at_element, "%s", remark);
    }
}

/* --- frames in frames, and masses in them ----------------------------------------------------- */

/* A load is a mass m, its centre c and its tensor I about c. In an outer frame x0 + R x: c' = x0
 * + R c, I' = R I R^T. The sum of two has its centre at the mean of theirs, and I = sum of I_i +
 * m_i (d_i^T d_i 1 - d_i d_i^T), d_i = c_i - c (Steiner). */

void gdyn_placing_identity(gdyn_placing *p) {
    *p = (gdyn_placing){.x = {0, 0, 0}};
    gdyn_m3_identity(p->R);
}

void gdyn_placing_point(double y[3], const gdyn_placing *p, const double x[3]) {
    double turned[3];
    m3_apply(turned, p->R, x);
    v3_add(y, p->x, turned);
}

void gdyn_placing_compose(gdyn_placing *r, const gdyn_placing *a, const gdyn_placing *b) {
    gdyn_placing made;
    gdyn_m3_multiply(made.R, a->R, b->R);
    gdyn_placing_point(made.x, a, b->x);
    *r = made;
}

void gdyn_placing_invert(gdyn_placing *r, const gdyn_placing *p) {
    gdyn_placing made;
    m3_apply_t(made.x, p->R, p->x);
    v3_scale(made.x, -1, made.x);
    for (int i = 0; i < 9; i++)
        made.R[i] = p->R[i / 3 + 3 * (i % 3)];
    *r = made;
}

void gdyn_placing_of_joint(gdyn_placing *p, const gdyn_robot_joint *joint, double q) {
    double axis[3], w[3], moved[3];
    gdyn_placing_identity(p);
    v3_copy(axis, joint->axis);
    gdyn_v3_normalize(axis);
    v3_scale(w, q, axis);
    if (joint->motion == GDYN_ROBOT_SLIDE) {
        v3_copy(p->x, w);
    } else if (joint->motion == GDYN_ROBOT_TURN) {
        /* the point `at` stays */
        gdyn_rotation_exp(p->R, w);
        m3_apply(moved, p->R, joint->at);
        v3_sub(p->x, joint->at, moved);
    }
}

void gdyn_load_place(gdyn_load *out, const gdyn_load *load, const gdyn_placing *p) {
    gdyn_load made = {.mass = load->mass};
    gdyn_placing back;
    gdyn_placing_point(made.com, p, load->com);
    gdyn_m3_multiply(made.I, p->R, load->I);
    gdyn_placing_invert(&back, p);
    gdyn_m3_multiply(made.I, made.I, back.R);
    /* symmetric to the last bit */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            made.I[i + 3 * j] = made.I[j + 3 * i] = 0.5 * (made.I[i + 3 * j] + made.I[j + 3 * i]);
    *out = made;
}

void gdyn_load_tensor(gdyn_load *load, const double I[6]) {
    for (int i = 0; i < 3; i++)
        load->I[4 * i] = I[i];
    load->I[1] = load->I[3] = I[3];
    load->I[2] = load->I[6] = I[4];
    load->I[5] = load->I[7] = I[5];
}

static void steiner(double I[9], double mass, const double d[3]) {
    double square = v3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            I[i + 3 * j] += mass * ((i == j ? square : 0) - d[i] * d[j]);
}

void gdyn_load_add(gdyn_load *sum, const gdyn_load *load) {
    double mass = sum->mass + load->mass, com[3], d[3];
    if (mass > 0) {
        v3_scale(com, sum->mass / mass, sum->com);
        v3_axpy(com, com, load->mass / mass, load->com);
    } else {
        v3_copy(com, sum->com);
    }
    v3_sub(d, sum->com, com);
    steiner(sum->I, sum->mass, d);
    v3_sub(d, load->com, com);
    steiner(sum->I, load->mass, d);
    for (int i = 0; i < 9; i++)
        sum->I[i] += load->I[i];
    sum->mass = mass;
    v3_copy(sum->com, com);
}

void gdyn_load_of_shape(gdyn_load *load, const gdyn_robot_shape *shape, double rho) {
    gdyn_body_def def = gdyn_body_default();
    gdyn_shape_def one = gdyn_shape_default();
    one.kind = shape->kind;
    one.radius = shape->radius;
    v3_set(one.a.at, 0, 0, -shape->half);
    v3_set(one.b.at, 0, 0, shape->half);
    if (shape->kind == GDYN_SHAPE_BOX) {
        v3_copy(one.size, shape->size);
        v3_set(one.a.at, 0, 0, 0);
    }
    if (shape->kind == GDYN_SHAPE_SPHERE)
        v3_set(one.a.at, 0, 0, 0);
    gdyn_body_of_shapes(1, &one, rho, &def);
    *load = (gdyn_load){.mass = def.mass};
    v3_copy(load->com, def.com);
    gdyn_load_tensor(load, def.inertia);
    gdyn_load_place(load, load, &shape->placing);
}
