/* mjcf.h - MuJoCo's XML while it is read (mujoco.readthedocs.io, "XML Reference"). */
#ifndef GDYN_IMPORT_MJCF_H
#define GDYN_IMPORT_MJCF_H

#include "import/robot.h"

typedef enum gdyn_mjcf_inertia {
    GDYN_MJCF_STATED, /* <inertial> alone */
    GDYN_MJCF_GEOMS,  /* geoms alone */
    GDYN_MJCF_AUTO    /* geoms where there is no <inertial> */
} gdyn_mjcf_inertia;

typedef struct gdyn_mjcf {
    gdyn_robot *robot;
    const gdyn_xml *root;
    double angle;         /* rad per unit of angle */
    const char *eulerseq; /* three letters */
    gdyn_mjcf_inertia inertia;
    double total_mass;  /* all masses are scaled to it; <= 0: not */
    double group[2];    /* of geoms that count for inertia */
    bool limits_stated; /* a range holds only where it is said to be limited (autolimits="false") */
    struct {
        bool gravity, spring, damper, frictionloss, limit, equality, clampctrl;
    } off;      /* flags of <option> */
    int bodies; /* so far, the world among them */
} gdyn_mjcf;

/* Where an element stands: the class that its children have by default. */
typedef struct gdyn_mjcf_place {
    const gdyn_mjcf *m;
    const char *childclass; /* NULL: the main one */
} gdyn_mjcf_place;

/* --- mjcf_defaults.c -------------------------------------------------------------------------- */

/* Attribute of an element, else that of its class, or of a class that this one belongs to; NULL. */
const char *gdyn_mjcf_get(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name);
/* `count` numbers of such an attribute into values, which stay where it is missing; of fewer
 * numbers the first ones are set (`least` must be there). False after a complaint. */
bool gdyn_mjcf_numbers(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name,
                       int least, int count, double *values);
/* pos and orientation (quat, axisangle, euler, xyaxes or zaxis). */
bool gdyn_mjcf_placing(const gdyn_mjcf_place *place, const gdyn_xml *element,
                       gdyn_placing *placing);
/* Whether a range holds: NAMEd "true", or not stated and the range is there. */
bool gdyn_mjcf_limited(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *flag,
                       const char *range);
/* Least rotation that takes z to v. */
void gdyn_mjcf_rotation_of_z(double R[9], const double v[3]);

/* --- mjcf_geoms.c ----------------------------------------------------------------------------- */

/* Load and shapes of a body from its <inertial> and geoms. */
void gdyn_mjcf_read_mass(const gdyn_mjcf_place *place, const gdyn_xml *body, int link,
                         const gdyn_placing *frame);

/* Ends of the line `fromto`: their middle, the rotation of z along it, half its length. False:
 * there is none (an error, unless the attribute is missing). */
bool gdyn_mjcf_fromto(const gdyn_mjcf_place *place, const gdyn_xml *element, gdyn_placing *placing,
                      double *half);

/* --- mjcf_springs.c --------------------------------------------------------------------------- */

/* Stiffness and damping of the joints with `springdamper`. */
void gdyn_mjcf_make_springs(gdyn_robot *robot);

/* --- mjcf_actuators.c ------------------------------------------------------------------------- */

/* Drives, and constraints of <equality>. */
void gdyn_mjcf_read_actuators(const gdyn_mjcf *m);
void gdyn_mjcf_read_equalities(const gdyn_mjcf *m);

#endif
