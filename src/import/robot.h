/* robot.h - what a description of a robot says, whatever its format: links in a tree, joints,
 * closing constraints, drives, shapes; and from there to a case file.
 *
 * Every link has a frame. A joint places the frame of its child in that of its parent for the
 * coordinate zero: x_parent = x + R x_child; it turns about, or slides along, `axis` through
 * `at`, both in the child's frame. Link 0 of a robot is its root. Rotation matrices are
 * column-major (linalg/vec3.h). */
#pragma once

#include "base/document.h"
#include "base/memory.h"
#include "casefile/schema.h"
#include "import/import.h"
#include "model/model.h"

/* --- xml.c: a file of XML as a tree of elements that know their place (expat) */

enum {
    GDYN_XML_BYTES = 64 << 20,  /* of a file */
    GDYN_XML_DEPTH = 200,       /* of nested elements */
    GDYN_XML_ELEMENTS = 200000, /* of a file */
    GDYN_XML_ATTRIBUTES = 256   /* of an element */
};

typedef struct gdyn_xml_attribute {
    const char *name, *value;
} gdyn_xml_attribute;

typedef struct gdyn_xml {
    const char *name;
    const char *text; /* of SDF, without blanks at its ends; NULL: none, or there are children */
    const gdyn_document *source;
    int line, column; /* 1-based */
    int attributes;
    const gdyn_xml_attribute *attribute;
    struct gdyn_xml *parent, *first, *last, *next; /* children in the order of the file */
} gdyn_xml;

/* Parses a document. On failure one diagnostic with its place; GDYN_ERROR_INPUT or _MEMORY.
 * Entities of the document's own are rejected. */
gdyn_status gdyn_xml_parse(gdyn_arena *arena, const gdyn_document *source, const gdyn_sink *sink,
                           gdyn_xml **root);

/* Value of an attribute, else the text of a child of that name (SDF); NULL: neither is there. */
const char *gdyn_xml_get(const gdyn_xml *element, const char *name);
/* First child of that name, and the next sibling of that name; NULL: none. */
const gdyn_xml *gdyn_xml_child(const gdyn_xml *element, const char *name);
const gdyn_xml *gdyn_xml_again(const gdyn_xml *element);
bool gdyn_xml_is(const gdyn_xml *element, const char *name);
/* Whether gdyn_xml_get gives that word. */
bool gdyn_xml_says(const gdyn_xml *element, const char *name, const char *word);

/* Emits an error with that line, column and width. */
void gdyn_xml_emit(const gdyn_sink *sink, const gdyn_document *source, const int place[3],
                   const char *help, const char *message);

/* --- a robot ---------------------------------------------------------------------------------- */

typedef struct gdyn_placing {
    double R[9], x[3];
} gdyn_placing;

/* Mass, centre and tensor about the centre, in the axes of whatever frame it belongs to. */
typedef struct gdyn_load {
    double mass, com[3], I[9];
} gdyn_load;

typedef struct gdyn_robot_link {
    const char *name;
    bool made_up;       /* the name is ours: nothing in the source refers to it */
    const gdyn_xml *at; /* for messages */
    gdyn_load load;
    double buoyancy; /* share of its weight that a force at its centre holds up */
    int joint;       /* that holds it, -1: the root */
    bool massless;   /* a step between joints of one link: nothing is to be said of its mass */
    /* layout.c: */
    gdyn_placing zero, first; /* in the ground, all joints at zero; at their first coordinates */
    int base;                 /* link whose body it belongs to (itself); -1: the ground */
    const char *body;         /* of a base: name of the body */
    const char *point;        /* else: of the point in its body */
    const char *lift;         /* of the force that holds it up, and of its point; NULL: none */
} gdyn_robot_link;

typedef enum gdyn_robot_motion {
    GDYN_ROBOT_FIXED,
    GDYN_ROBOT_TURN,
    GDYN_ROBOT_SLIDE,
    GDYN_ROBOT_BALL,
    GDYN_ROBOT_PLANE, /* normal to the axis */
    GDYN_ROBOT_FREE
} gdyn_robot_motion;
extern const char *const gdyn_robot_motion_names[]; /* joints of a case */

typedef struct gdyn_robot_joint {
    const char *name;
    bool made_up; /* as of a link */
    const gdyn_xml *at_element;
    gdyn_robot_motion motion;
    int parent, child; /* links */
    gdyn_placing placing;
    double at[3], axis[3];
    double min, max; /* infinite: no end */
    double viscous, coulomb, stiffness, rest, armature;
    double pitch;       /* SDF: a screw, m per turn; 0: none */
    double settling[2]; /* time constant, damping ratio: give viscous and stiffness; zero: not */
    double bound[2];    /* of the force of all its drives; infinite: none */
    bool driven;
    double effort_min, effort_max, speed; /* infinite: no limit */
    double first;                         /* coordinate of the first guess */
    bool slave;                           /* a gear moves it */
    const char *label;                    /* layout.c: name in the case */
} gdyn_robot_joint;

/* A joint between two links that closes a loop. */
typedef struct gdyn_robot_closure {
    const char *name;
    const char *type; /* as the case file has it */
    int link[2];
    double point[2][3], axis[2][3]; /* in the links' frames */
    bool has_axis;
    bool meet;     /* the second point is where the first one is at zero (layout.c) */
    double length; /* rod */
    double pitch;  /* screw */
} gdyn_robot_closure;

/* coordinate of joint a = ratio * that of joint b + offset */
typedef struct gdyn_robot_gear {
    const char *name;
    int a, b;
    double ratio, offset;
} gdyn_robot_gear;

typedef struct gdyn_robot_shape {
    int link;
    gdyn_shape_kind kind;
    gdyn_placing placing; /* in the link's frame; capsules and tubes lie along z about its origin */
    double radius, half;  /* half the length of the line of a capsule or tube */
    double size[3];       /* box: its edges */
} gdyn_robot_shape;

/* What was left out, changed or assumed: one text with all places where it stands. */
typedef struct gdyn_robot_remark {
    const char *kind; /* "dropped", "assumed", "renamed", "changed" */
    const char *text;
    int count, line[6];
} gdyn_robot_remark;

/* Bodies of the case whose shapes are not compared. */
typedef struct gdyn_robot_exclusion {
    const char *body[2];
} gdyn_robot_exclusion;

typedef struct gdyn_robot {
    gdyn_arena *arena; /* texts */
    const gdyn_sink *sink;
    int errors, files;         /* so far; files that are included */
    const char *name, *format; /* "URDF" */
    bool sdf;                  /* SDF's spelling and defaults */
    const char *zero_means;    /* "", or ", counted from its ref" */
    const char *joint_limits;  /* file of MoveIt that the case names; NULL: none */
    double gravity[3];
    int links, joints, closures, gears, shapes, remarks, exclusions;
    int link_room, joint_room, closure_room, gear_room, shape_room, remark_room, exclusion_room;
    gdyn_robot_link *link;
    gdyn_robot_joint *joint;
    gdyn_robot_closure *closure;
    gdyn_robot_gear *gear;
    gdyn_robot_shape *shape;
    gdyn_robot_remark *remark;
    gdyn_robot_exclusion *exclusion;
    gdyn_load *body_load; /* links: of a base, with all that is fixed to it, in axes at zero */
    /* of the first trajectory: share of its usual way, negative: the other way; 0: there is none */
    double sway;
    bool failed; /* memory is out */
} gdyn_robot;

/* --- robot.c ---------------------------------------------------------------------------------- */

typedef gdyn_status gdyn_robot_task(gdyn_robot *robot, const gdyn_document *source, void *context);
/* Does the task with a robot that is empty, on the text (NULL: on what the file holds;
 * GDYN_ERROR_FILE after a message); GDYN_ERROR_MEMORY if memory ran out on the way. */
gdyn_status gdyn_robot_run(const char *text, size_t length, const char *filename,
                           const gdyn_sink *sink, gdyn_robot_task *task, void *context);
/* The file's text; GDYN_ERROR_FILE after a message. */
gdyn_status gdyn_robot_open(gdyn_robot *robot, const char *filename, size_t bytes,
                            gdyn_document **source);
/* A new entry with defaults (no limits, identity); NULL without memory (`failed`). Pointers to
 * entries end with the next call. */
gdyn_robot_link *gdyn_robot_add_link(gdyn_robot *robot, const char *name, const gdyn_xml *at);
gdyn_robot_joint *gdyn_robot_add_joint(gdyn_robot *robot, const char *name, const gdyn_xml *at,
                                       int parent, int child);
gdyn_robot_closure *gdyn_robot_add_closure(gdyn_robot *robot, const char *name, const char *type,
                                           int a, int b);
gdyn_robot_gear *gdyn_robot_add_gear(gdyn_robot *robot, const char *name, int a, int b);
void gdyn_robot_add_shape(gdyn_robot *robot, const gdyn_robot_shape *shape);
void gdyn_robot_add_exclusion(gdyn_robot *robot, const char *first, const char *second);
/* Index or -1; names that were made up are not found. */
int gdyn_robot_find_link(const gdyn_robot *robot, const char *name);
int gdyn_robot_find_joint(const gdyn_robot *robot, const char *name);
/* It has one coordinate: it turns or slides. */
bool gdyn_robot_joint_scalar(const gdyn_robot_joint *joint);
/* Adds a place (NULL: none) to the remark of that kind and text. */
void gdyn_robot_remark_at(gdyn_robot *robot, const char *kind, const gdyn_xml *at,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* An error with its place (NULL: there was no memory for it, `failed`); false. */
bool gdyn_robot_error(gdyn_robot *robot, const gdyn_xml *at, const char *help, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* Where no joint is driven: drives without limits for all that turn or slide, with that remark. */
void gdyn_robot_drive_some(gdyn_robot *robot, const char *remark);

void gdyn_placing_identity(gdyn_placing *p);
/* r = a b: from the inner frame of b to the outer frame of a; r may be a or b. */
void gdyn_placing_compose(gdyn_placing *r, const gdyn_placing *a, const gdyn_placing *b);
/* r = p^-1; r may be p. */
void gdyn_placing_invert(gdyn_placing *r, const gdyn_placing *p);
/* y = R x + x0; y may be x. */
void gdyn_placing_point(double y[3], const gdyn_placing *p, const double x[3]);
/* The motion of a joint by q, as a placing of the child's frame in itself at zero. */
void gdyn_placing_of_joint(gdyn_placing *p, const gdyn_robot_joint *joint, double q);
/* The tensor from Ixx, Iyy, Izz, Ixy, Ixz, Iyz. */
void gdyn_load_tensor(gdyn_load *load, const double I[6]);
/* The load in the outer frame. */
void gdyn_load_place(gdyn_load *out, const gdyn_load *load, const gdyn_placing *p);
/* sum += load, both in one frame: masses, common centre, Steiner. */
void gdyn_load_add(gdyn_load *sum, const gdyn_load *load);
/* Mass and tensor about the centre, axes along its own, of a homogeneous solid of density rho. */
void gdyn_load_of_shape(gdyn_load *load, const gdyn_robot_shape *shape, double rho);

/* --- xml.c: values and included files --------------------------------------------------------- */

/* The text as messages can show it: shortened, in the arena. */
const char *gdyn_robot_shown(gdyn_robot *robot, const char *text);
/* Reads `least` to `count` numbers of a text, separated by blanks; other numbers of them are an
 * error (false). `what` names them in messages. */
bool gdyn_robot_numbers(gdyn_robot *robot, const gdyn_xml *at, const char *what, const char *text,
                        int least, int count, double *values);
/* `count` numbers of an attribute that may be missing: then `values` stays (true). */
bool gdyn_robot_attribute(gdyn_robot *robot, const gdyn_xml *at, const char *name, int count,
                          double *values);
/* Puts what files hold in place of <include>; problems are errors of the robot. `depth`: 0. */
void gdyn_robot_expand_includes(gdyn_robot *robot, gdyn_xml *parent, int depth);

/* urdf.c, sdf.c, mjcf.c: from the file to the robot. */
gdyn_status gdyn_urdf_read(gdyn_robot *robot, const gdyn_xml *root);
gdyn_status gdyn_sdf_read(gdyn_robot *robot, const gdyn_xml *root);
gdyn_status gdyn_mjcf_read(gdyn_robot *robot, const gdyn_xml *root);
/* loops.c: further closures from a file (GDYN_ERROR_FILE: it cannot be read). */
gdyn_status gdyn_robot_read_loops(gdyn_robot *robot, const char *filename);
/* layout.c: checks that the links are a tree, places them, merges what is fixed; balanced: tensors
 * that no mass distribution has are replaced by the nearest ones. */
gdyn_status gdyn_robot_layout(gdyn_robot *robot, bool free_base, bool balanced);
/* Names as the case file allows them, each once. */
gdyn_status gdyn_robot_name_all(gdyn_robot *robot);
/* write.c: the case file. */
void gdyn_robot_write(const gdyn_robot *robot, const char *source, gdyn_text *out);
/* What was dropped and assumed, one line each behind `margin`. */
void gdyn_robot_write_remarks(const gdyn_robot *robot, const char *margin, gdyn_text *out);

/* --- known.c: elements and attributes of a format; what a table does not list is reported ----- */

typedef struct gdyn_known {
    const char *element, *parents; /* a name, or several; parents NULL: below any element */
    const char *read; /* attributes that are taken over, or reported where they are read */
    /* attributes that change nothing in a case; "*": all, and all that is within the element */
    const char *idle;
    const char *neutral; /* other attributes that change nothing with one value: "name=value;" */
} gdyn_known;

/* Remarks on all elements and attributes below `root` that the table (up to a row without an
 * element) does not know. */
void gdyn_known_remark_others(gdyn_robot *robot, const gdyn_xml *root, const gdyn_known *table);
/* A robot of that format, named by an attribute of the root, in the earth's gravity; remarks on
 * what is not known. */
void gdyn_robot_begin(gdyn_robot *robot, const char *format, const gdyn_xml *root, const char *key,
                      const gdyn_known *known);

extern const gdyn_known gdyn_known_urdf[], gdyn_known_sdf[], gdyn_known_mjcf[];

/* --- urdf.c: what URDF and SDF have in common ------------------------------------------------ */

/* <origin> or <pose> of an element; identity if there is none. */
bool gdyn_urdf_origin(gdyn_robot *robot, const gdyn_xml *of, gdyn_placing *placing);
/* NULL after a message. */
const char *gdyn_urdf_name(gdyn_robot *robot, const gdyn_xml *element);
void gdyn_urdf_link(gdyn_robot *robot, const gdyn_xml *element, const char *name);
/* Type of a joint: its motion, of several axes that about the first one. */
bool gdyn_urdf_motion(gdyn_robot *robot, const gdyn_xml *element, gdyn_robot_joint *joint);
/* Direction, limits, friction of a joint (URDF) or of one of its axes (SDF). */
void gdyn_urdf_axis(gdyn_robot *robot, const gdyn_xml *element, const gdyn_xml *axis,
                    gdyn_robot_joint *joint);
/* <mimic> of joint `own`, following the joint of that name (NULL: none is named). */
void gdyn_urdf_mimic(gdyn_robot *robot, const gdyn_xml *mimic, int own, const char *name);
/* Drives of joints with an effort; if there are none of all, without limits. The result. */
gdyn_status gdyn_urdf_drives(gdyn_robot *robot);

/* --- mjcf*.c: inside of the reader of MuJoCo's format ----------------------------------------- */

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
    bool balanced;      /* moments that violate the triangle inequality become their mean */
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

/* mjcf_geoms.c */

/* Attribute of an element, else that of its class, or of a class that this one belongs to; NULL. */
const char *gdyn_mjcf_get(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name);
/* `count` numbers of such an attribute into values, which stay where it is missing; of fewer
 * numbers the first ones are set (`least` must be there). False after a complaint. */
bool gdyn_mjcf_numbers(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *name,
                       int least, int count, double *values);
/* pos and orientation (quat, axisangle, euler, xyaxes or zaxis). */
bool gdyn_mjcf_placing(const gdyn_mjcf_place *place, const gdyn_xml *element,
                       gdyn_placing *placing);
/* Whether a range holds: the flag "true", or not given and the range is there. */
bool gdyn_mjcf_limited(const gdyn_mjcf_place *place, const gdyn_xml *element, const char *flag,
                       const char *range);

/* Load and shapes of a body from its <inertial> and geoms. */
void gdyn_mjcf_read_mass(const gdyn_mjcf_place *place, const gdyn_xml *body, int link,
                         const gdyn_placing *frame);
/* Ends of the line `fromto`: their middle, the rotation of z along it, half its length. False:
 * there is none (an error, unless the attribute is missing). */
bool gdyn_mjcf_fromto(const gdyn_mjcf_place *place, const gdyn_xml *element, gdyn_placing *placing,
                      double *half);

/* mjcf_actuators.c: stiffness and damping of the joints with `springdamper`. */
void gdyn_mjcf_make_springs(gdyn_robot *robot);
/* Drives, and constraints of <equality>. */
void gdyn_mjcf_read_actuators(const gdyn_mjcf *m);
void gdyn_mjcf_read_equalities(const gdyn_mjcf *m);
