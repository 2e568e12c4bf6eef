/* joint_limits.c - joint_limits.yaml of MoveIt as entries of machine.limits. */
#include "casefile/tree.h"

#include <ctype.h>
#include <stdlib.h>

static const struct {
    const char *flag, *value, *scale, *key;
} bounds[] = {
    {"has_velocity_limits", "max_velocity", "default_velocity_scaling_factor", "speed"},
    {"has_acceleration_limits", "max_acceleration", "default_acceleration_scaling_factor",
     "acceleration"},
    {"has_jerk_limits", "max_jerk", NULL, "jerk"},
};

/* Adds an entry at the place of `at`: a text, or the entries of `own`, which end there. */
static bool push(gdyn_arena *arena, gdyn_entries *list, const gdyn_node *at, const char *key,
                 const char *text, gdyn_entries *own) {
    gdyn_node *node = gdyn_arena_alloc(arena, 2, sizeof *node);
    if (!node || !key || !text)
        return false;
    node[0] = node[1] = *at;
    node[0].kind = GDYN_NODE_SCALAR;
    node[0].text = key;
    node[1].kind = own ? GDYN_NODE_MAPPING : GDYN_NODE_SCALAR;
    node[1].text = text;
    return (!own || gdyn_entries_close(own, arena, &node[1])) &&
           gdyn_entries_push(list, &node[0], &node[1]);
}

/* Adds speed, acceleration or jerk of a joint if it has that limit; false without memory. */
static bool push_bound(gdyn_arena *arena, gdyn_log *log, const gdyn_node *file,
                       const gdyn_node *joint, int b, gdyn_entries *own) {
    const gdyn_node *flag = gdyn_node_find(joint, bounds[b].flag);
    const gdyn_node *value = gdyn_node_find(joint, bounds[b].value);
    const gdyn_node *scale = bounds[b].scale ? gdyn_node_find(file, bounds[b].scale) : NULL;
    bool off = gdyn_node_is(flag, "false") || gdyn_node_is(flag, "False");
    if (flag && !off && !gdyn_node_is(flag, "true") && !gdyn_node_is(flag, "True"))
        return gdyn_log_node(log, GDYN_ERROR, flag, "write true or false",
                             GDYN_CODE_WORD "%s is neither true nor false", bounds[b].flag);
    if (off || (!flag && !value))
        return true;
    if (!value || value->kind != GDYN_NODE_SCALAR)
        return gdyn_log_node(log, GDYN_ERROR, value ? value : flag, NULL,
                             GDYN_CODE_MISSING "%s without a number %s", bounds[b].flag,
                             bounds[b].value);
    bool scaled = scale && scale->kind == GDYN_NODE_SCALAR;
    return push(arena, own, value, bounds[b].key,
                scaled ? gdyn_arena_printf(arena, "(%s)*(%s)", value->text, scale->text)
                       : value->text,
                NULL);
}

/* What a joint has beside these limits. */
static void warn_of_others(gdyn_log *log, const gdyn_node *joint) {
    for (int i = 0; i < joint->count; i++) {
        const gdyn_node *key = joint->key[i], *item = joint->item[i];
        bool known = gdyn_node_is(item, "false") || gdyn_node_is(item, "False");
        for (int b = 0; b < 3; b++)
            known |= gdyn_node_is(key, bounds[b].flag) || gdyn_node_is(key, bounds[b].value);
        if (!known)
            gdyn_log_node(log, GDYN_WARNING, key, "positions have a `range:` in the case",
                          GDYN_CODE_TABLE "'%.60s' is ignored", key->text);
    }
}

/* Factors of MoveIt lie above 0, up to 1. */
static bool check_factors(gdyn_log *log, const gdyn_node *file) {
    bool good = true;
    for (int b = 0; b < 3; b++) {
        const gdyn_node *scale = bounds[b].scale ? gdyn_node_find(file, bounds[b].scale) : NULL;
        char *end = NULL;
        double value = scale && scale->text ? strtod(scale->text, &end) : 1;
        if (!(value > 0 && value <= 1) || (end && *end))
            good = gdyn_log_node(log, GDYN_ERROR, scale, NULL,
                                 GDYN_CODE_VALUE "%s lies above 0, up to 1", bounds[b].scale);
    }
    return good;
}

gdyn_node *gdyn_joint_limits(gdyn_arena *arena, const gdyn_node *file, gdyn_log *log) {
    const gdyn_node *joints = gdyn_node_find(file, "joint_limits");
    gdyn_node *result = gdyn_arena_alloc(arena, 1, sizeof *result);
    gdyn_entries list = {0};
    bool good = result && check_factors(log, file);
    for (int i = 0; good && i < joints->count; i++) {
        const gdyn_node *name = joints->key[i];
        if (joints->item[i]->kind != GDYN_NODE_MAPPING)
            good = gdyn_log_node(log, GDYN_ERROR, name, "{has_velocity_limits: true, ...}",
                                 GDYN_CODE_SHAPE "expected limits of joint '%.60s'", name->text);
        warn_of_others(log, joints->item[i]);
        char *joint = gdyn_arena_strdup(arena, name->text);
        gdyn_entries own = {0};
        /* characters that names of cases do not have, as in an import */
        for (char *c = joint; c && *c; c++)
            *c = isalnum((unsigned char)*c) || *c == '-' ? *c : '_';
        good = push(arena, &own, name, "joint", joint, NULL);
        for (int b = 0; b < 3 && good; b++)
            good = push_bound(arena, log, file, joints->item[i], b, &own);
        if (own.count > 1)
            good = good && push(arena, &list, name, gdyn_arena_printf(arena, "%s_limits", joint),
                                joint, &own);
        gdyn_free(own.key);
        gdyn_free(own.item);
    }
    if (result && good)
        *result = *joints;
    good = result && gdyn_entries_close(&list, arena, result) && good;
    return good ? result : NULL;
}
