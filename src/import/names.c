/* names.c - names as the case file allows them: letters, digits, _ and -, at most 60 of them,
 * each once in its list. */
#include "import/robot.h"

#include "linalg/vec3.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 48 };

/* Other characters become '_'; an empty rest becomes `fallback`. */
static void harmless(char out[LONGEST + 1], const char *name, const char *fallback) {
    static const char *const reserved[] = {"ground", "like", "repeat", "include"};
    int n = 0;
    /* no blanks and slashes in front */
    while (*name && !isalnum((unsigned char)*name) && *name != '_')
        name++;
    for (; *name && n < LONGEST - 1; name++) {
        unsigned char c = (unsigned char)*name;
        out[n++] = isalnum(c) || c == '_' || c == '-' ? (char)c : '_';
    }
    out[n] = '\0';
    if (n == 0)
        snprintf(out, LONGEST + 1, "%s", fallback);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(out, reserved[i]))
            strcat(out, "_");
}

static bool is_taken(const char *const *taken, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (taken[i] && !strcmp(taken[i], name))
            return true;
    return false;
}

/* A name that none of `taken` is; NULL without memory. */
static const char *unique(gdyn_robot *robot, const char *name, const char *fallback,
                          const char *const *taken, int count) {
    char plain[LONGEST + 1];
    harmless(plain, name, fallback);
    const char *made = gdyn_arena_strdup(robot->arena, plain);
    for (int i = 2; made && is_taken(taken, count, made); i++)
        made = gdyn_arena_printf(robot->arena, "%s_%d", plain, i);
    if (!made)
        robot->failed = true;
    return made;
}

static void say_renamed(gdyn_robot *robot, const char *what, const char *old, const char *name,
                        const gdyn_xml *at) {
    if (name && *old && strcmp(old, name) != 0)
        gdyn_robot_remark_at(robot, "renamed", at, "%s %s is %s", what,
                             gdyn_robot_shown(robot, old), name);
}

/* Names of the case so far. */
typedef struct names {
    const char **joint, **body;
    int joints, bodies;
} names;

static void name_joints(gdyn_robot *robot, names *n, bool made_up) {
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        if (joint->motion == GDYN_ROBOT_FIXED || joint->motion == GDYN_ROBOT_FREE ||
            joint->made_up != made_up)
            continue;
        joint->label = n->joint[n->joints] =
            unique(robot, joint->name, "joint", n->joint, n->joints);
        n->joints++;
        if (!made_up)
            say_renamed(robot, "joint", joint->name, joint->label, joint->at_element);
    }
}

static void name_bodies(gdyn_robot *robot, names *n, bool made_up) {
    for (int i = 0; i < robot->links; i++) {
        gdyn_robot_link *link = &robot->link[i];
        if (link->base != i || link->made_up != made_up)
            continue;
        link->body = n->body[n->bodies] = unique(robot, link->name, "body", n->body, n->bodies);
        n->bodies++;
        if (!made_up)
            say_renamed(robot, "link", link->name, link->body, link->at);
    }
}

/* Points of links stand beside those of joints. */
static void name_points(gdyn_robot *robot, names *n) {
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].base != i) {
            robot->link[i].point = n->joint[n->joints] =
                unique(robot, robot->link[i].name, "link", n->joint, n->joints);
            n->joints++;
        }
}

static void name_lifts(gdyn_robot *robot, names *n) {
    for (int i = 0; i < robot->links; i++) {
        gdyn_robot_link *link = &robot->link[i];
        if (link->buoyancy == 0 || !(link->load.mass > 0) || link->base < 0 ||
            v3_norm(robot->gravity) == 0)
            continue;
        const char *name = gdyn_arena_printf(robot->arena, "%.36s_gravcomp", link->name);
        link->lift = n->joint[n->joints] =
            unique(robot, name ? name : "", "gravcomp", n->joint, n->joints);
        n->joints++;
    }
}

gdyn_status gdyn_robot_name_all(gdyn_robot *robot) {
    size_t most = (size_t)(2 * robot->links + robot->joints + robot->closures + robot->gears) + 1;
    names n = {.joint = gdyn_arena_alloc(robot->arena, most, sizeof *n.joint),
               .body = gdyn_arena_alloc(robot->arena, most, sizeof *n.body)};
    if (!n.joint || !n.body)
        return GDYN_ERROR_MEMORY;
    /* names of the source stay; those that were made up give way */
    for (int made_up = 0; made_up < 2; made_up++) {
        name_joints(robot, &n, made_up);
        name_bodies(robot, &n, made_up);
    }
    for (int i = 0; i < robot->closures; i++, n.joints++)
        robot->closure[i].name = n.joint[n.joints] =
            unique(robot, robot->closure[i].name, "loop", n.joint, n.joints);
    name_points(robot, &n);
    name_lifts(robot, &n);
    for (int i = 0; i < robot->gears; i++, n.joints++)
        robot->gear[i].name = n.joint[n.joints] =
            unique(robot, robot->gear[i].name, "gear", n.joint, n.joints);
    return robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
