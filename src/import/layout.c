/* layout.c - the links as a tree, where they are, which of them are one body. */
#include "import/robot.h"
#include "linalg/linalg.h"
#include "linalg/vec3.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the tree --------------------------------------------------------------------------------- */

/* The one link without a parent: its index, or -1 after an error. */
static int find_root(gdyn_robot *robot) {
    int root = -1;
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        if (link->joint >= 0)
            continue;
        if (root >= 0)
            gdyn_robot_error(
                robot, link->at, "join them by a joint",
                "there are two roots: no joint holds link '%s', nor link '%s' in line %d",
                gdyn_robot_shown(robot, link->name),
                gdyn_robot_shown(robot, robot->link[root].name), robot->link[root].at->line);
        else
            root = i;
    }
    if (root < 0)
        gdyn_robot_error(robot, robot->link[0].at, NULL,
                         "the joints form a circle: every link is the child of another");
    return root;
}

/* Coordinates of the first guess: zero where the range has it. */
static void choose_first(gdyn_robot *robot) {
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        bool inside = joint->min <= 0 && joint->max >= 0;
        joint->first = inside ? 0
                       : isfinite(joint->min) && isfinite(joint->max)
                           ? 0.5 * (joint->min + joint->max)
                       : isfinite(joint->min) ? joint->min
                                              : joint->max;
    }
    /* gears that hang on gears take as many rounds as there are */
    for (int round = 0; round < robot->gears && round < 100; round++)
        for (int i = 0; i < robot->gears; i++) {
            const gdyn_robot_gear *gear = &robot->gear[i];
            robot->joint[gear->a].first = gear->ratio * robot->joint[gear->b].first + gear->offset;
        }
}

/* From the root outwards; false: some link is not reached. */
static bool place_all(gdyn_robot *robot, int root, bool free_base) {
    bool *placed = gdyn_arena_alloc(robot->arena, (size_t)robot->links, sizeof *placed);
    if (!placed)
        return false;
    placed[root] = true;
    gdyn_placing_identity(&robot->link[root].zero);
    gdyn_placing_identity(&robot->link[root].first);
    robot->link[root].base = free_base ? root : -1;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < robot->links; i++)
            if (!placed[i] && placed[robot->joint[robot->link[i].joint].parent]) {
                gdyn_robot_link *link = &robot->link[i];
                const gdyn_robot_joint *joint = &robot->joint[link->joint];
                const gdyn_robot_link *parent = &robot->link[joint->parent];
                gdyn_placing turned;
                gdyn_placing_compose(&link->zero, &parent->zero, &joint->placing);
                gdyn_placing_of_joint(&turned, joint, joint->first);
                gdyn_placing_compose(&link->first, &parent->first, &joint->placing);
                gdyn_placing_compose(&link->first, &link->first, &turned);
                link->base = joint->motion == GDYN_ROBOT_FIXED ? parent->base : i;
                placed[i] = moved = true;
            }
    }
    int lost = 0;
    while (lost < robot->links && placed[lost])
        lost++;
    if (lost < robot->links)
        gdyn_robot_error(robot, robot->link[lost].at, NULL,
                         "link '%s' does not hang on the root '%s': the joints form a circle",
                         gdyn_robot_shown(robot, robot->link[lost].name),
                         gdyn_robot_shown(robot, robot->link[root].name));
    return lost == robot->links;
}

/* Those between links of one body hold nothing; others may meet where the first point is. */
static void place_closures(gdyn_robot *robot) {
    int kept = 0;
    for (int i = 0; i < robot->closures; i++) {
        gdyn_robot_closure *closure = &robot->closure[i];
        const gdyn_robot_link *a = &robot->link[closure->link[0]];
        const gdyn_robot_link *b = &robot->link[closure->link[1]];
        if (a->base == b->base) {
            gdyn_robot_remark_at(robot, "dropped", NULL,
                                 "loop %s: it joins links that are one body",
                                 gdyn_robot_shown(robot, closure->name));
            continue;
        }
        if (closure->meet) {
            gdyn_placing_point(closure->point[1], &a->zero, closure->point[0]);
            v3_sub(closure->point[1], closure->point[1], b->zero.x);
            m3_apply_t(closure->point[1], b->zero.R, closure->point[1]);
        }
        robot->closure[kept++] = *closure;
    }
    robot->closures = kept;
}

/* --- masses ----------------------------------------------------------------------------------- */

/* What is fixed to a body is part of it. */
static void merge_loads(gdyn_robot *robot) {
    /* the bodies' own first, then what is added to them */
    for (int k = 0; k < 2 * robot->links; k++) {
        int i = k % robot->links;
        const gdyn_robot_link *link = &robot->link[i];
        gdyn_placing in_body = link->zero;
        gdyn_load load;
        if (link->base < 0 || (link->base == i) != (k < robot->links))
            continue;
        v3_sub(in_body.x, link->zero.x, robot->link[link->base].zero.x);
        gdyn_load_place(&load, &link->load, &in_body);
        if (link->base == i)
            robot->body_load[i] = load;
        else
            gdyn_load_add(&robot->body_load[link->base], &load);
    }
}

/* The tensor nearest to a given one (in the sum of squares of its elements) that a mass
 * distribution can have. I = tr(S) 1 - S with the second moments S = integral of x x^T dm;
 * moments obey the triangle inequality, and are not negative, if no eigenvalue s_i of S is.
 * Those that are become zero, others then change by -a / (1 + f) each, with the sum a of what was
 * added and the number f of others: the minimum of (sum d_i)^2 + sum d_i^2. False: it was one. */
static bool nearest_tensor(const double I[9], double near[9], double *least) {
    double trace = I[0] + I[4] + I[8], S[9], U[9], Vt[9], s[3], d[3], sum = 0, shift = 0;
    for (int i = 0; i < 9; i++)
        shift += fabs(I[i]);
    for (int i = 0; i < 9; i++)
        S[i] = (i % 4 == 0) * (0.5 * trace + 2 * shift) - I[i];
    if (!isfinite(shift) || !(shift > 0) || !gdyn_jacobi_svd(3, 3, S, 3, U, s, Vt))
        return false;
    *least = INFINITY;
    for (int i = 0; i < 3; i++) {
        s[i] -= 2 * shift;
        *least = fmin(*least, s[i]);
    }
    bool zero[3] = {false, false, false};
    for (int round = 0; round < 3; round++) {
        double added = 0;
        int others = 0;
        for (int i = 0; i < 3; i++) {
            zero[i] = zero[i] || s[i] + (round ? d[i] : 0) < 0;
            added -= zero[i] ? s[i] : 0;
            others += !zero[i];
        }
        for (int i = 0; i < 3; i++)
            d[i] = zero[i] ? -s[i] : -added / (1 + others);
    }
    for (int i = 0; i < 3; i++)
        sum += s[i] + d[i];
    for (int i = 0; i < 9; i++) {
        near[i] = (i % 4 == 0) * sum;
        for (int k = 0; k < 3; k++)
            near[i] -= (s[k] + d[k]) * U[i % 3 + 3 * k] * U[i / 3 + 3 * k];
    }
    return *least < 0;
}

/* Size of a body: distance of its centre and of the joints from its origin. */
static double size_of(const gdyn_robot *robot, int base) {
    double size = v3_norm(robot->body_load[base].com);
    for (int i = 0; i < robot->joints; i++) {
        const gdyn_robot_joint *joint = &robot->joint[i];
        int parent = robot->link[joint->parent].base, child = robot->link[joint->child].base;
        if (parent >= 0 && (parent == base || child == base))
            size = fmax(size, v3_norm(joint->placing.x));
    }
    return size;
}

/* Rounding, measured by mass and size, is corrected everywhere; what is more than that if
 * wanted. */
static void balance(gdyn_robot *robot, bool wanted) {
    const double rounding = 1e-9;
    for (int i = 0; i < robot->links; i++) {
        gdyn_load *load = &robot->body_load[i];
        double near[9], least, size = robot->link[i].base == i ? size_of(robot, i) : 0, most = 0;
        if (robot->link[i].base != i || !(load->mass > 0) || !nearest_tensor(load->I, near, &least))
            continue;
        bool rounded = -least <= rounding * load->mass * size * size;
        if (!rounded && !wanted)
            continue;
        for (int k = 0; k < 9; k++)
            most = fmax(most, fabs(near[k] - load->I[k]));
        memcpy(load->I, near, sizeof near);
        if (!rounded)
            gdyn_robot_remark_at(robot, "changed", robot->link[i].at,
                                 "inertia of link %s violates the triangle inequality: changed by "
                                 "%.3g kg m2, as little as possible",
                                 gdyn_robot_shown(robot, robot->link[i].name), most);
    }
}

static void check_masses(gdyn_robot *robot) {
    int bodies = 0;
    for (int i = 0; i < robot->links; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        if (link->base != i)
            continue;
        bodies++;
        if (robot->body_load[i].mass > 0)
            continue;
        if (link->joint < 0 || robot->joint[link->joint].motion == GDYN_ROBOT_FREE)
            gdyn_robot_error(robot, link->at, "give its inertia; masses of meshes are not computed",
                             "link '%s' floats and has no mass",
                             gdyn_robot_shown(robot, link->name));
        else if (!link->massless)
            gdyn_robot_remark_at(robot, "assumed", link->at,
                                 "a moving link without mass is massless");
    }
    if (bodies == 0)
        gdyn_robot_error(robot, robot->link[0].at, "with --base free the root of a URDF floats",
                         "nothing moves: all links are fixed to the ground");
}

/* R (9) and x (3). */
static bool are_finite(const double *R, const double *x) {
    bool good = true;
    for (int i = 0; i < 12; i++)
        good = good && isfinite(i < 9 ? R[i] : x[i - 9]);
    return good;
}

/* Places, masses and shapes whose numbers have overflowed. */
static void check_numbers(gdyn_robot *robot) {
    const gdyn_robot_link *bad = NULL;
    for (int i = 0; i < robot->links && !bad; i++) {
        const gdyn_robot_link *link = &robot->link[i];
        const gdyn_load *load = &robot->body_load[i];
        if (!are_finite(link->zero.R, link->zero.x) || !are_finite(link->first.R, link->first.x) ||
            !isfinite(load->mass) || !are_finite(load->I, load->com))
            bad = link;
    }
    for (int i = 0; i < robot->shapes && !bad; i++)
        if (!are_finite(robot->shape[i].placing.R, robot->shape[i].placing.x))
            bad = &robot->link[robot->shape[i].link];
    if (bad)
        gdyn_robot_error(robot, bad->at, NULL,
                         "link '%s': position, mass or shapes are too large or too small",
                         gdyn_robot_shown(robot, bad->name));
}

gdyn_status gdyn_robot_layout(gdyn_robot *robot, bool free_base, bool balanced) {
    /* each link hangs on one joint at most */
    for (int i = 0; i < robot->joints; i++) {
        gdyn_robot_joint *joint = &robot->joint[i];
        gdyn_robot_link *child = &robot->link[joint->child];
        if (child->joint >= 0)
            gdyn_robot_error(robot, joint->at_element,
                             "a loop is closed by a file of --loops, not by a second parent",
                             "link '%s' is the child of two joints, '%s' and '%s'",
                             gdyn_robot_shown(robot, child->name),
                             gdyn_robot_shown(robot, robot->joint[child->joint].name),
                             gdyn_robot_shown(robot, joint->name));
        else
            child->joint = i;
    }
    int root = robot->errors ? -1 : find_root(robot);
    if (robot->errors || root < 0)
        return GDYN_ERROR_INPUT;
    choose_first(robot);
    robot->body_load = gdyn_arena_alloc(robot->arena, (size_t)robot->links, sizeof(gdyn_load));
    if (!robot->body_load || !place_all(robot, root, free_base))
        return robot->errors ? GDYN_ERROR_INPUT : GDYN_ERROR_MEMORY;
    place_closures(robot);
    merge_loads(robot);
    balance(robot, balanced);
    check_numbers(robot);
    check_masses(robot);
    return robot->errors ? GDYN_ERROR_INPUT : robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* --- names ------------------------------------------------------------------------------------ */

/* As the case file allows them: letters, digits, _ and -, at most 60 of them, each once in its
 * list. */

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

/* Names of the case so far, of joints and what stands in their list, or of bodies. */
typedef struct names {
    const char **name;
    int count;
} names;

/* A name that none of those is, added to them; NULL without memory. */
static const char *unique(gdyn_robot *robot, const char *name, const char *fallback, names *taken) {
    char plain[LONGEST + 1];
    harmless(plain, name, fallback);
    const char *made = gdyn_arena_strdup(robot->arena, plain);
    for (int i = 0, number = 2; made && i < taken->count; i++)
        if (taken->name[i] && !strcmp(taken->name[i], made)) {
            made = gdyn_arena_printf(robot->arena, "%s_%d", plain, number++);
            i = -1; /* again from the first */
        }
    if (!made)
        robot->failed = true;
    return taken->name[taken->count++] = made;
}

static void say_renamed(gdyn_robot *robot, const char *what, const char *old, const char *name,
                        const gdyn_xml *at) {
    if (name && *old && strcmp(old, name) != 0)
        gdyn_robot_remark_at(robot, "renamed", at, "%s %s is %s", what,
                             gdyn_robot_shown(robot, old), name);
}

static void name_lifts(gdyn_robot *robot, names *joints) {
    for (int i = 0; i < robot->links; i++) {
        gdyn_robot_link *link = &robot->link[i];
        if (link->buoyancy == 0 || !(link->load.mass > 0) || link->base < 0 ||
            v3_norm(robot->gravity) == 0)
            continue;
        const char *name = gdyn_arena_printf(robot->arena, "%.36s_gravcomp", link->name);
        link->lift = unique(robot, name ? name : "", "gravcomp", joints);
    }
}

gdyn_status gdyn_robot_name_all(gdyn_robot *robot) {
    size_t most = (size_t)(2 * robot->links + robot->joints + robot->closures + robot->gears) + 1;
    names joints = {gdyn_arena_alloc(robot->arena, most, sizeof *joints.name), 0};
    names bodies = {gdyn_arena_alloc(robot->arena, most, sizeof *bodies.name), 0};
    if (!joints.name || !bodies.name)
        return GDYN_ERROR_MEMORY;
    /* names of the source stay; those that were made up give way */
    for (int made_up = 0; made_up < 2; made_up++) {
        for (int i = 0; i < robot->joints; i++) {
            gdyn_robot_joint *joint = &robot->joint[i];
            if (joint->motion == GDYN_ROBOT_FIXED || joint->motion == GDYN_ROBOT_FREE ||
                joint->made_up != made_up)
                continue;
            joint->label = unique(robot, joint->name, "joint", &joints);
            if (!made_up)
                say_renamed(robot, "joint", joint->name, joint->label, joint->at_element);
        }
        for (int i = 0; i < robot->links; i++) {
            gdyn_robot_link *link = &robot->link[i];
            if (link->base != i || link->made_up != made_up)
                continue;
            link->body = unique(robot, link->name, "body", &bodies);
            if (!made_up)
                say_renamed(robot, "link", link->name, link->body, link->at);
        }
    }
    for (int i = 0; i < robot->closures; i++)
        robot->closure[i].name = unique(robot, robot->closure[i].name, "loop", &joints);
    /* points of links stand beside those of joints */
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].base != i)
            robot->link[i].point = unique(robot, robot->link[i].name, "link", &joints);
    name_lifts(robot, &joints);
    for (int i = 0; i < robot->gears; i++)
        robot->gear[i].name = unique(robot, robot->gear[i].name, "gear", &joints);
    return robot->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
