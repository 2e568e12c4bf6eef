/* names.c - names as the case file allows them: letters, digits, _ and -, at most 60 of them, each once in its list. */
#include "import/robot.h"

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

gdyn_status gdyn_robot_name_all(gdyn_robot *robot) {
    int most = robot->links + robot->joints + robot->closures + robot->gears, count = 0, n = 0;
    const char **joints = gdyn_arena_alloc(robot->arena, (size_t)most + 1, sizeof *joints);
    const char **bodies = gdyn_arena_alloc(robot->arena, (size_t)most + 1, sizeof *bodies);
    if (!joints || !bodies)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        if (joint->motion == GDYN_ROBOT_FIXED || joint->motion == GDYN_ROBOT_FREE)
            continue;
        joint->label = joints[count] = unique(robot, joint->name, "joint", joints, count);
        say_renamed(robot, "joint", joint->name, joint->label, joint->at_element);
        count++;
    }
    for (int i = 0; i < robot->closures; i++, count++)
        robot->closure[i].name = joints[count] =
            unique(robot, robot->closure[i].name, "loop", joints, count);
    for (int i = 0; i < robot->links; i++) {
        gdyn_robot_link *link = &robot->link[i];
        if (link->base == i) {
            link->body = bodies[n] = unique(robot, link->name, "body", bodies, n);
            say_renamed(robot, "link", link->name, link->body, link->at);
            n++;
        }
    }
    /* points of links stand beside those of joints */
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].base != i)
            robot->link[i].point = joints[count] =
                unique(robot, robot->link[i].name, "link", joints, count),
            count++;
    for (int i = 0; i < robot->gears; i++, count++)
        robot->gear[i].name = joints[count] =
            unique(robot, robot->gear[i].name, "gear", joints, count);
    return robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
