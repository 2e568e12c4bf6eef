/* sdf.c - robots of SDFormat (sdformat.org/spec), the format of Gazebo: models in models, frames
 * relative to frames, joints between any two links.
 *
 * All frames are placed first, each relative to another one (its model, unless <pose relative_to>
 * or <frame attached_to> names one; a joint: its child). Then joints become a tree: from the world
 * link by link over the joint that matters most, turned round where its child is nearer to the
 * world; what is held by no joint floats. Joints that are left close loops. Axes of SDF up to 1.4
 * and with use_parent_model_frame have components in the model's frame. */
#include "import/robot.h"

#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MOST = 5000, DEPTH_MOST = 100 };

typedef enum frame_state { UNPLACED, BEGUN, PLACED } frame_state;

/* A model, link, joint or <frame>; the first one is the world. */
typedef struct frame {
    const char *name; /* with the models around it: a::b */
    const gdyn_xml *at;
    int scope; /* the model it stands in */
    int link;  /* of links and frames; -1 */
    frame_state state;
    gdyn_placing pose; /* in the world */
} frame;

typedef struct sdf {
    gdyn_robot *robot;
    frame *frame;
    int frames, depth;
    bool old;        /* axes have components in the model's frame */
    const char *own; /* "NAME::" of the only model that moves: names go without it */
} sdf;

/* --- frames ----------------------------------------------------------------------------------- */

static bool is_kind(const frame *f, const char *kind) {
    return gdyn_xml_is(f->at, kind);
}

static bool says_true(const gdyn_xml *e, const char *name) {
    return gdyn_xml_says(e, name, "true") || gdyn_xml_says(e, name, "True") ||
           gdyn_xml_says(e, name, "1");
}

/* An empty name is none. */
static const char *name_of(const gdyn_xml *e, const char *key) {
    const char *name = gdyn_xml_get(e, key);
    return name && *name ? name : NULL;
}

/* Frame that a joint or <frame> is relative to; NULL: its model. */
static const char *base_of(const frame *f) {
    return is_kind(f, "joint")   ? name_of(f->at, "child")
           : is_kind(f, "frame") ? name_of(f->at, "attached_to")
                                 : NULL;
}

static const char *name_in(sdf *s, int scope, const char *name) {
    /* what is merged has the names of the model around it */
    while (scope > 0 && says_true(s->frame[scope].at, "merge"))
        scope = s->frame[scope].scope;
    const char *full =
        scope == 0 ? name
                   : gdyn_arena_printf(s->robot->arena, "%s::%s", s->frame[scope].name, name);
    return full ? full : "";
}

/* Name in the robot. */
static const char *shorter(const sdf *s, const char *name) {
    size_t n = strlen(s->own);
    return strncmp(name, s->own, n) || !strcmp(name + n, "world") ? name : name + n;
}

/* As seen from a model: links before joints, which may have the same name. 0 after a message. */
static int find_frame(sdf *s, int scope, const gdyn_xml *at, const char *name) {
    const char *full = name_in(s, scope, name);
    for (int joints = 0; joints < 2; joints++)
        for (int i = 1; i < s->frames; i++)
            if (is_kind(&s->frame[i], "joint") == joints && !strcmp(s->frame[i].name, full))
                return i;
    if (!strcmp(name, "__model__"))
        return scope;
    if (strcmp(name, "world") != 0)
        gdyn_robot_error(s->robot, at, NULL, "there is no link or frame '%s'",
                         gdyn_robot_shown(s->robot, name));
    return 0;
}

/* All that is in a model or world, links among the robot's. */
static void collect(sdf *s, const gdyn_xml *model, int scope, int depth) {
    static const char *const kinds[] = {"model", "link", "joint", "frame", NULL};
    gdyn_robot *robot = s->robot;
    for (const gdyn_xml *e = model->first; e && !robot->failed; e = e->next) {
        if (gdyn_word_number(kinds, e->name) < 0)
            continue;
        const char *name = gdyn_urdf_name(robot, e);
        if (!name)
            continue;
        if (s->frames >= FRAMES_MOST || depth > DEPTH_MOST) {
            gdyn_robot_error(robot, e, NULL, "more than %d links, joints and frames", FRAMES_MOST);
            return;
        }
        name = name_in(s, scope, name);
        int number = s->frames++;
        s->frame[number] = (frame){.name = name, .at = e, .scope = scope, .link = -1};
        if (gdyn_xml_is(e, "link")) {
            bool lifted = gdyn_xml_says(e, "gravity", "0") || gdyn_xml_says(e, "gravity", "false");
            s->frame[number].link = robot->links;
            gdyn_urdf_link(robot, e, shorter(s, name));
            if (lifted && !robot->failed)
                robot->link[robot->links - 1].buoyancy = 1;
        } else if (gdyn_xml_is(e, "model")) {
            collect(s, e, number, depth + 1);
            if (gdyn_xml_get(e, "placement_frame"))
                gdyn_robot_error(robot, e, NULL, "placement_frame is not read");
        }
    }
}

static void place(sdf *s, int number) {
    frame *f = &s->frame[number];
    const gdyn_xml *pose = gdyn_xml_child(f->at, "pose");
    const char *to = name_of(pose, "relative_to");
    gdyn_placing own;
    if (f->state == BEGUN || (f->state == UNPLACED && s->depth > FRAMES_MOST / 10))
        gdyn_robot_error(s->robot, f->at, NULL, "frames are relative to each other in a circle");
    if (f->state != UNPLACED || s->robot->errors)
        return;
    f->state = BEGUN;
    to = to ? to : name_of(pose, "frame");
    to = to ? to : base_of(f);
    int base = to ? find_frame(s, f->scope, f->at, to) : f->scope;
    gdyn_urdf_origin(s->robot, f->at, &own);
    s->depth++;
    place(s, base);
    s->depth--;
    gdyn_placing_compose(&f->pose, &s->frame[base].pose, &own);
    f->state = PLACED;
}

/* Frame of the link that a frame is part of; that of a model is its canonical one. */
static int link_frame(sdf *s, int number, int depth) {
    const frame *f = &s->frame[number];
    bool model = is_kind(f, "model");
    const char *to = model ? name_of(f->at, "canonical_link") : base_of(f);
    if (number == 0 || is_kind(f, "link") || depth > DEPTH_MOST)
        return number;
    if (model && !to) {
        size_t n = strlen(f->name);
        for (int i = number + 1; i < s->frames; i++)
            if (s->frame[i].link >= 0 && !strncmp(s->frame[i].name, f->name, n) &&
                s->frame[i].name[n] == ':')
                return i;
        return 0;
    }
    int scope = model ? number : f->scope;
    return link_frame(s, to ? find_frame(s, scope, f->at, to) : scope, depth + 1);
}

/* Frame b as seen from frame a. */
static void seen_from(const sdf *s, int a, int b, gdyn_placing *r) {
    gdyn_placing_invert(r, &s->frame[a].pose);
    gdyn_placing_compose(r, r, &s->frame[b].pose);
}

/* --- joints ----------------------------------------------------------------------------------- */

/* In a model that stands still, or within one. */
static bool is_static(const sdf *s, int scope) {
    while (scope > 0 && !says_true(s->frame[scope].at, "static"))
        scope = s->frame[scope].scope;
    return scope > 0;
}

/* Axis of a joint: direction and point in the frame of its child link. */
static void read_axis(sdf *s, int number, int child, const char *name, gdyn_robot_joint *joint) {
    const frame *f = &s->frame[number];
    const gdyn_xml *axis = gdyn_xml_child(f->at, name), *xyz = gdyn_xml_child(axis, "xyz");
    const char *in = name_of(xyz, "expressed_in");
    bool old = s->old || says_true(axis, "use_parent_model_frame");
    int of = in ? find_frame(s, f->scope, f->at, in) : old ? f->scope : number;
    double ground[3];
    gdyn_placing at;
    seen_from(s, child, number, &at);
    v3_copy(joint->at, at.x);
    if (joint->motion == GDYN_ROBOT_FIXED || joint->motion == GDYN_ROBOT_BALL)
        return;
    if (!axis)
        gdyn_robot_error(s->robot, f->at, NULL, "<joint> has no <%s>", name);
    gdyn_urdf_axis(s->robot, f->at, axis, joint);
    m3_apply(ground, s->frame[of].pose.R, joint->axis);
    m3_apply_t(joint->axis, s->frame[child].pose.R, ground);
}

/* Of a screw, m per turn, right-handed positive; thread_pitch: rad per m, left-handed positive. */
static double read_pitch(gdyn_robot *robot, const gdyn_xml *joint) {
    double pitch = 0, thread = -2 * GDYN_PI;
    gdyn_robot_attribute(robot, joint, "thread_pitch", 1, &thread);
    pitch = -2 * GDYN_PI / thread;
    gdyn_robot_attribute(robot, joint, "screw_thread_pitch", 1, &pitch);
    if (!isfinite(pitch) || pitch == 0)
        gdyn_robot_error(robot, joint, NULL, "a screw has no pitch");
    return pitch;
}

/* A second joint behind the first, with a link without mass between them, about the same axis;
 * NULL: no memory. */
static gdyn_robot_joint *add_second(sdf *s, const gdyn_xml *at, int first, const char *suffix) {
    gdyn_robot *robot = s->robot;
    const char *name = gdyn_arena_printf(robot->arena, "%s_%s", robot->joint[first].name, suffix);
    gdyn_robot_link *link = name ? gdyn_robot_add_link(robot, name, at) : NULL;
    gdyn_robot_joint *joint =
        link ? gdyn_robot_add_joint(robot, name, at, robot->links - 1, robot->joint[first].child)
             : NULL;
    if (!joint)
        return NULL;
    link->massless = link->made_up = true;
    robot->joint[first].child = joint->parent;
    v3_copy(joint->at, robot->joint[first].at);
    v3_copy(joint->axis, robot->joint[first].axis);
    return joint;
}

/* Joints with two axes are two joints with a link without mass between them. */
static void read_joint(sdf *s, int number) {
    gdyn_robot *robot = s->robot;
    const frame *f = &s->frame[number];
    const char *type = gdyn_xml_get(f->at, "type"), *name = shorter(s, f->name);
    const char *ends[2] = {gdyn_xml_get(f->at, "parent"), gdyn_xml_get(f->at, "child")};
    int end[2];
    for (int i = 0; i < 2; i++) {
        if (!ends[i]) {
            gdyn_robot_error(robot, f->at, NULL, "<joint> has no <%s>", i ? "child" : "parent");
            return;
        }
        end[i] = link_frame(s, find_frame(s, f->scope, f->at, ends[i]), 0);
    }
    gdyn_robot_joint *joint =
        gdyn_robot_add_joint(robot, name, f->at, s->frame[end[0]].link, s->frame[end[1]].link);
    if (!joint || !gdyn_urdf_motion(robot, f->at, joint))
        return;
    seen_from(s, end[0], end[1], &joint->placing);
    if (is_static(s, f->scope)) {
        joint->motion = GDYN_ROBOT_FIXED;
        return;
    }
    read_axis(s, number, end[1], "axis", joint);
    if (!strcmp(type, "screw"))
        joint->pitch = read_pitch(robot, f->at);
    if (strcmp(type, "universal") != 0 && strcmp(type, "revolute2") != 0)
        return;
    joint = add_second(s, f->at, robot->joints - 1, "2");
    if (joint) {
        joint->motion = GDYN_ROBOT_TURN;
        read_axis(s, number, end[1], "axis2", joint);
    }
}

/* Joints that follow others: the slide of a screw its angle, <mimic>. */
static void couple(sdf *s, int number) {
    gdyn_robot *robot = s->robot;
    const frame *f = &s->frame[number];
    int own = gdyn_robot_find_joint(robot, shorter(s, f->name));
    if (own >= 0 && robot->joint[own].pitch != 0) {
        gdyn_robot_joint *slide = add_second(s, f->at, own, "slide");
        gdyn_robot_gear *gear = gdyn_robot_add_gear(robot, "screw", robot->joints - 1, own);
        if (!slide || !gear)
            return;
        slide->motion = GDYN_ROBOT_SLIDE;
        slide->slave = true;
        gear->ratio = robot->joint[own].pitch / (2 * GDYN_PI);
    }
    const gdyn_xml *mimic = gdyn_xml_child(gdyn_xml_child(f->at, "axis"), "mimic");
    const char *other = gdyn_xml_get(mimic, "joint");
    if (mimic && own < 0)
        gdyn_robot_error(robot, mimic, NULL, "<mimic> of a joint that closes a loop is not read");
    gdyn_urdf_mimic(robot, mimic, own, other ? shorter(s, name_in(s, f->scope, other)) : NULL);
}

/* --- the tree --------------------------------------------------------------------------------- */

/* The parent becomes the child: the same axis from the other side, its sign so that the
 * coordinate stays. */
static void turn_round(gdyn_robot_joint *joint) {
    int parent = joint->parent;
    double axis[3];
    m3_apply(axis, joint->placing.R, joint->axis);
    v3_scale(joint->axis, -1, axis);
    gdyn_placing_point(joint->at, &joint->placing, joint->at);
    gdyn_placing_invert(&joint->placing, &joint->placing);
    joint->parent = joint->child;
    joint->child = parent;
}

/* From the links that are held to all that joints join to them: first over joints with a drive,
 * then over those that others follow, rather from parent to child. */
static void grow(gdyn_robot *robot, bool *held, bool *used, int joints) {
    for (;;) {
        int best = -1, most = -1;
        for (int i = 0; i < joints; i++) {
            const gdyn_robot_joint *joint = &robot->joint[i];
            int value = 4 * joint->driven + held[joint->parent] +
                        2 * !!gdyn_xml_child(gdyn_xml_child(joint->at_element, "axis"), "mimic");
            if (!used[i] && held[joint->parent] != held[joint->child] && value > most)
                best = i, most = value;
        }
        if (best < 0)
            return;
        if (!held[robot->joint[best].parent])
            turn_round(&robot->joint[best]);
        used[best] = held[robot->joint[best].child] = true;
    }
}

/* Links that nothing holds float, or stand still in a model that is static. */
static void set_free(sdf *s, bool *held, bool *used, int joints) {
    gdyn_robot *robot = s->robot;
    grow(robot, held, used, joints);
    /* roots first: children of no joint */
    for (int any = 0; any < 2; any++)
        for (int i = 1; i < s->frames; i++) {
            const frame *f = &s->frame[i];
            bool still = is_static(s, f->scope);
            bool wanted = f->link >= 0 && !held[f->link];
            for (int k = 0; wanted && !any && k < joints; k++)
                wanted = robot->joint[k].child != f->link;
            if (!wanted)
                continue;
            gdyn_robot_joint *joint = gdyn_robot_add_joint(robot, "free", f->at, 0, f->link);
            if (!joint)
                return;
            joint->made_up = true;
            joint->motion = still ? GDYN_ROBOT_FIXED : GDYN_ROBOT_FREE;
            joint->placing = f->pose;
            held[f->link] = true;
            if (!still)
                gdyn_robot_remark_at(robot, "assumed", f->at,
                                     "link %s floats: no joint holds it to the world",
                                     gdyn_robot_shown(robot, shorter(s, f->name)));
            grow(robot, held, used, joints);
        }
}

static void close_loop(gdyn_robot *robot, const gdyn_robot_joint *joint) {
    gdyn_robot_closure *c = gdyn_robot_add_closure(
        robot, joint->name, joint->pitch != 0 ? "screw" : gdyn_robot_motion_names[joint->motion],
        joint->child, joint->parent);
    if (!c)
        return;
    c->pitch = joint->pitch;
    c->has_axis = gdyn_robot_joint_scalar(joint);
    v3_copy(c->point[0], joint->at);
    gdyn_placing_point(c->point[1], &joint->placing, joint->at);
    v3_copy(c->axis[0], joint->axis);
    m3_apply(c->axis[1], joint->placing.R, joint->axis);
    bool loses = isfinite(joint->min) || isfinite(joint->max) || joint->driven ||
                 joint->viscous > 0 || joint->coulomb > 0 || joint->stiffness > 0;
    gdyn_robot_remark_at(robot, loses ? "dropped" : "assumed", joint->at_element,
                         loses ? "range, friction, spring and drive of a joint that closes a loop"
                               : "a joint closes a loop");
}

/* Orders the joints so that each link hangs on one; the others close loops. */
static void make_tree(sdf *s) {
    gdyn_robot *robot = s->robot;
    int joints = robot->joints, kept = 0;
    bool *held = gdyn_arena_alloc(robot->arena, (size_t)robot->links, sizeof *held);
    bool *used = gdyn_arena_alloc(robot->arena, (size_t)joints + 1, sizeof *used);
    if (!held || !used)
        return;
    held[0] = true;
    set_free(s, held, used, joints);
    for (int i = 0; i < robot->joints; i++)
        if (i >= joints || used[i])
            robot->joint[kept++] = robot->joint[i];
        else
            close_loop(robot, &robot->joint[i]);
    robot->joints = kept;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* A <frame> becomes a point. */
static void add_point(sdf *s, int number) {
    const frame *f = &s->frame[number];
    gdyn_robot *robot = s->robot;
    const char *name = shorter(s, f->name);
    int on = link_frame(s, number, 0);
    gdyn_robot_link *link = gdyn_robot_add_link(robot, name, f->at);
    gdyn_robot_joint *joint =
        link ? gdyn_robot_add_joint(robot, name, f->at, s->frame[on].link, robot->links - 1) : NULL;
    if (!joint)
        return;
    link->massless = joint->made_up = true;
    seen_from(s, on, number, &joint->placing);
}

/* Until there is an error. */
static void for_all(sdf *s, const char *kind, void (*task)(sdf *s, int number)) {
    for (int i = 1; i < s->frames && !s->robot->errors && !s->robot->failed; i++)
        if (!kind || is_kind(&s->frame[i], kind))
            task(s, i);
}

/* The world, or a file's first model. */
static const gdyn_xml *choose_part(gdyn_robot *robot, const gdyn_xml *root) {
    const gdyn_xml *part = gdyn_xml_child(root, "world");
    part = part ? part : gdyn_xml_child(root, "model");
    for (const gdyn_xml *e = root->first; e && part; e = e->next)
        if (e != part && (gdyn_xml_is(e, "world") || gdyn_xml_is(e, "model")))
            gdyn_robot_remark_at(robot, "dropped", e, "a second <%s>", e->name);
    if (!part)
        gdyn_robot_error(robot, root, NULL, "<sdf> has neither <world> nor <model>");
    return part;
}

gdyn_status gdyn_sdf_read(gdyn_robot *robot, const gdyn_xml *root) {
    sdf s = {.robot = robot, .own = ""};
    const char *version = gdyn_xml_get(root, "version");
    const gdyn_xml *part = choose_part(robot, root), *moving = NULL;
    int models = 0;
    s.frame = gdyn_arena_alloc(robot->arena, FRAMES_MOST + 1, sizeof *s.frame);
    if (!part || !s.frame || !gdyn_robot_add_link(robot, "world", root))
        return part ? GDYN_ERROR_MEMORY : GDYN_ERROR_INPUT;
    robot->sdf = true;
    gdyn_robot_begin(robot, "SDF", part, "name", gdyn_known_sdf);
    s.old = version && !strncmp(version, "1.", 2) && strlen(version) == 3 && version[2] < '5';
    /* the part stands in the world; a model with a name of its own */
    gdyn_xml all = {.name = "world", .source = root->source, .line = root->line}, only = *part;
    only.next = NULL;
    if (gdyn_xml_is(part, "model"))
        all.first = &only;
    s.frame[s.frames++] = (frame){.name = "", .at = &all, .state = PLACED};
    gdyn_placing_identity(&s.frame[0].pose);
    for (const gdyn_xml *e = all.first ? all.first : part->first; e; e = e->next)
        if (gdyn_xml_is(e, "model") && (all.first || !says_true(e, "static"))) {
            models++;
            moving = e;
        }
    if (models == 1 && gdyn_xml_get(moving, "name"))
        s.own = gdyn_arena_printf(robot->arena, "%s::", gdyn_xml_get(moving, "name"));
    if (!s.own)
        return GDYN_ERROR_MEMORY;
    gdyn_robot_attribute(robot, part, "gravity", 3, robot->gravity);
    collect(&s, all.first ? &all : part, 0, 0);
    for_all(&s, NULL, place);
    for_all(&s, "joint", read_joint);
    for_all(&s, "frame", add_point);
    if (!robot->errors && !robot->failed)
        make_tree(&s);
    for_all(&s, "joint", couple);
    return robot->errors ? GDYN_ERROR_INPUT : gdyn_urdf_drives(robot);
}
