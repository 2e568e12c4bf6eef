/* kinds.c - the tables of freedoms, drives and forces: one row per kind. */
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

/* DEFAULT means the only one; DEFAULT as an answer: none, or several. */
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

/* --- drives ---------------------------------------------------------------------------------- */

static const gdyn_drive_traits drives[] = {
    [GDYN_DRIVE_JOINT] = {"at", GDYN_ACTS_AT_JOINT, 1.0, false},
    [GDYN_DRIVE_BETWEEN] = {"between", GDYN_ACTS_BETWEEN, 1.0, false},
    [GDYN_DRIVE_CABLE] = {"cable", GDYN_ACTS_BETWEEN, -1.0, true},
    [GDYN_DRIVE_WRENCH] = {"wrench", GDYN_ACTS_ON_POINT, 1.0, false},
};
_Static_assert(sizeof drives / sizeof *drives == GDYN_DRIVE_KINDS, "a row for each kind");

const gdyn_drive_traits *gdyn_drive_traits_of(gdyn_drive_kind kind) {
    return (unsigned)kind < GDYN_DRIVE_KINDS ? &drives[kind] : NULL;
}

/* --- forces ---------------------------------------------------------------------------------- */

#define AT        GDYN_TAKES_AT
#define BETWEEN   GDYN_TAKES_BETWEEN
#define OF        GDYN_TAKES_OF
#define STIFFNESS GDYN_TAKES_STIFFNESS
#define REST      GDYN_TAKES_REST
#define VISCOUS   GDYN_TAKES_VISCOUS
#define COULOMB   GDYN_TAKES_COULOMB
#define STICTION  GDYN_TAKES_STICTION
#define FORCE     GDYN_TAKES_FORCE
#define TORQUE    GDYN_TAKES_TORQUE
#define AXES      GDYN_TAKES_AXES
#define MAGNITUDE GDYN_TAKES_MAGNITUDE

const char *const gdyn_force_kind_names[GDYN_FORCE_KINDS + 1] = {
    [GDYN_FORCE_SPRING] = "spring",     [GDYN_FORCE_DAMPER] = "damper",
    [GDYN_FORCE_CONSTANT] = "constant", [GDYN_FORCE_FRICTION] = "friction",
    [GDYN_FORCE_PROCESS] = "process",
};

static const gdyn_force_traits forces[] = {
    [GDYN_FORCE_SPRING] = {AT | BETWEEN, REST | VISCOUS, STIFFNESS},
    [GDYN_FORCE_DAMPER] = {AT | BETWEEN, 0, VISCOUS},
    [GDYN_FORCE_CONSTANT] = {OF, FORCE | TORQUE | AXES, 0},
    [GDYN_FORCE_FRICTION] = {AT, VISCOUS | COULOMB | STICTION, 0},
    [GDYN_FORCE_PROCESS] = {OF, FORCE | MAGNITUDE | VISCOUS, 0},
};
_Static_assert(sizeof forces / sizeof *forces == GDYN_FORCE_KINDS, "a row for each kind");

const gdyn_force_traits *gdyn_force_traits_of(gdyn_force_kind kind) {
    return (unsigned)kind < GDYN_FORCE_KINDS ? &forces[kind] : NULL;
}

bool gdyn_force_takes(gdyn_force_kind kind, unsigned parts) {
    const gdyn_force_traits *traits = gdyn_force_traits_of(kind);
    return traits && (traits->place | traits->may | traits->must) & parts;
}

bool gdyn_force_has_dry_friction(gdyn_force_kind kind) {
    return gdyn_force_takes(kind, GDYN_TAKES_COULOMB);
}
