/* kinds.c - the tables of freedoms. */
#include "model/data.h"

/* --- freedoms -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool slides;
} freedoms[] = {
    [GDYN_FREEDOM_DEFAULT] = {"default", false},
    [GDYN_FREEDOM_ANGLE] = {"angle", false},
    [GDYN_FREEDOM_SLIDE] = {"slide", true},
    [GDYN_FREEDOM_FIRST] = {"first", false},
    [GDYN_FREEDOM_SECOND] = {"second", false},
    [GDYN_FREEDOM_X] = {"x", true},
    [GDYN_FREEDOM_Y] = {"y", true},
};

const char *gdyn_freedom_name(gdyn_freedom freedom) {
    return freedoms[freedom].name;
}

bool gdyn_freedom_slides(gdyn_freedom freedom) {
    return freedoms[freedom].slides;
}

gdyn_freedom gdyn_joint_resolve(const gdyn_machine *machine, int joint, gdyn_freedom freedom) {
    gdyn_freedom list[3];
    int count = gdyn_joint_freedoms(machine->joint[joint].type, machine->space, list);
    if (freedom == GDYN_FREEDOM_DEFAULT)
        return count == 1 ? list[0] : GDYN_FREEDOM_DEFAULT;
    for (int i = 0; i < count; i++)
        if (list[i] == freedom)
            return freedom;
    return GDYN_FREEDOM_DEFAULT;
}
