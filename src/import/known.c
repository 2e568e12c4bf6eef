/* known.c - what the importers know of URDF, SDF and MuJoCo's XML (mujoco.readthedocs.io, "XML
 * Reference").
 *
 * An attribute that is neither read nor without effect on a case is reported, whether or not
 * this program has ever heard of it. */
#include "import/robot.h"

#include <string.h>

#define PLACING "pos quat axisangle xyaxes zaxis euler"
#define BODIES  "body worldbody frame"

const gdyn_known gdyn_known_urdf[] = {
    {"robot", .read = "name", .idle = "version"},
    {"link", .parents = "robot", .read = "name", .idle = "type"},
    {"visual material", .idle = "*"},
    {"inertial", .parents = "link"},
    {"collision", .parents = "link", .idle = "name group"},
    {"origin", .parents = "inertial collision joint", .read = "xyz rpy"},
    {"mass", .parents = "inertial", .read = "value"},
    {"inertia", .parents = "inertial", .read = "ixx iyy izz ixy ixz iyz"},
    {"geometry", .parents = "collision"},
    {"box", .parents = "geometry", .read = "size"},
    {"sphere", .parents = "geometry", .read = "radius"},
    {"cylinder capsule", .parents = "geometry", .read = "radius length"},
    {"mesh", .parents = "geometry", .idle = "*"}, /* reported where it is read */
    {"joint", .parents = "robot", .read = "name type"},
    {"parent child", .parents = "joint", .read = "link"},
    {"axis", .parents = "joint", .read = "xyz"},
    {"limit", .parents = "joint", .read = "lower upper effort velocity"},
    {"dynamics", .parents = "joint", .read = "damping friction"},
    {"mimic", .parents = "joint", .read = "joint multiplier offset"},
    {"calibration", .parents = "joint", .idle = "*"}, /* marks of sensors */
    {.element = NULL},
};

const gdyn_known gdyn_known_sdf[] = {
    {"sdf", .read = "version"},
    {"visual sensor plugin material light audio_sink audio_source battery projector gripper "
     "particle_emitter physics scene gui state atmosphere wind road actor audio population "
     "spherical_coordinates fluid_added_mass velocity_decay surface mesh",
     .idle = "*"},
    {"world", .read = "name gravity", .idle = "magnetic_field"},
    {"model", .read = "name static pose canonical_link placement_frame merge",
     .idle = "allow_auto_disable self_collide enable_wind uri"},
    {"pose", .read = "relative_to frame degrees", .neutral = "rotation_format=euler_rpy;"},
    {"frame", .read = "name attached_to pose"},
    {"link", .read = "name pose gravity",
     .idle = "self_collide kinematic enable_wind must_be_base_link"},
    {"inertial", .read = "pose mass", .neutral = "auto=false;"},
    {"inertia", .read = "ixx iyy izz ixy ixz iyz"},
    {"collision", .read = "pose", .idle = "name laser_retro max_contacts"},
    {"geometry", .parents = "collision"},
    {"box sphere cylinder capsule", .parents = "geometry", .read = "size radius length"},
    {"joint", .read = "name type parent child pose screw_thread_pitch thread_pitch"},
    {"axis axis2", .read = "xyz use_parent_model_frame", .idle = "initial_position"},
    {"xyz", .read = "expressed_in"},
    {"limit", .parents = "axis axis2", .read = "lower upper effort velocity",
     .idle = "stiffness dissipation"},
    {"dynamics", .read = "damping friction spring_stiffness spring_reference"},
    {"mimic", .parents = "axis", .read = "joint axis multiplier offset reference"},
    {.element = NULL},
};

const gdyn_known gdyn_known_mjcf[] = {
    {"mujoco", .read = "model"},
    {"visual statistic size asset custom sensor", .parents = "mujoco", .idle = "*"},
    {"compiler", .parents = "mujoco",
     .read = "autolimits balanceinertia settotalmass coordinate angle eulerseq inertiafromgeom "
             "inertiagrouprange",
     .idle = "strippath fitaabb meshdir texturedir assetdir discardvisual convexhull usethread "
             "fusestatic exactmeshinertia saveinertial alignfree conflict",
     .neutral = "boundmass=0;boundinertia=0;"},
    {"lengthrange", .parents = "compiler", .idle = "*"}, /* of tendons */
    {"option", .parents = "mujoco", .read = "gravity",
     .idle = "timestep apirate impratio tolerance ls_tolerance noslip_tolerance mpr_tolerance "
             "ccd_tolerance sleep_tolerance o_margin o_solref o_solimp o_friction integrator cone "
             "collision jacobian solver iterations ls_iterations noslip_iterations mpr_iterations "
             "ccd_iterations sdf_iterations sdf_initpoints magnetic",
     .neutral = "wind=0;density=0;viscosity=0;"},
    {"flag", .parents = "option",
     .read = "constraint equality frictionloss limit passive spring damper gravity clampctrl",
     .idle = "contact warmstart filterparent refsafe sensor midphase eulerdamp autoreset nativeccd "
             "island multiccd override energy fwdinv invdiscrete sleep diagexact sensornoise",
     .neutral = "actuation=enable;"},
    {"default", .parents = "mujoco default", .read = "class"},
    {"worldbody", .parents = "mujoco", .read = "childclass"},
    {"body", .parents = BODIES, .read = "name childclass mocap gravcomp " PLACING,
     .idle = "user sleep simple"},
    {"frame", .parents = BODIES, .read = "childclass " PLACING, .idle = "name"},
    {"inertial", .parents = "body", .read = "mass diaginertia fullinertia " PLACING},
    {"joint", .parents = BODIES " default",
     .read = "name class type pos axis springdamper limited range actuatorfrclimited "
             "actuatorfrcrange ref springref stiffness armature damping frictionloss",
     .idle = "group margin solreflimit solimplimit solreffriction solimpfriction user",
     .neutral = "actuatorgravcomp=false;"},
    {"freejoint", .parents = BODIES, .read = "name", .idle = "group align"},
    {"geom", .parents = BODIES " default",
     .read = "class type contype conaffinity group size mass density shellinertia fromto " PLACING,
     .idle = "name condim priority material friction solmix solref solimp margin gap surfacevel "
             "adhesion hfield mesh fitscale fluidcoef rgba user",
     .neutral = "fluidshape=none;"},
    {"site", .parents = BODIES " default", .read = "name class fromto " PLACING,
     .idle = "type group material size rgba user"},
    {"camera light", .parents = BODIES " default", .idle = "*"},
    {"mesh material pair tendon", .parents = "default", .idle = "*"},
    {"equality", .parents = "default", .read = "active", .idle = "solref solimp"},
    {"equality actuator", .parents = "mujoco"},
    {"connect weld", .parents = "equality",
     .read = "name class body1 body2 anchor active relpose site1 site2",
     .idle = "solref solimp torquescale"},
    {"joint", .parents = "equality", .read = "name class joint1 joint2 polycoef active",
     .idle = "solref solimp"},
    /* what servos do with their commands is no part of a case, unless it bounds the force */
    {"general motor position velocity intvelocity damper", .parents = "actuator default",
     .read = "class joint jointinparent ctrllimited ctrlrange forcelimited forcerange gear "
             "gaintype gainprm biastype dyntype",
     .idle = "name group user actlimited actrange actdim actearly dynprm biasprm lengthrange kp kv "
             "cranklength tendon slidersite cranksite site refsite body dampratio timeconst "
             "inheritrange"},
    {"muscle cylinder adhesion orientation pid dcmotor", .parents = "default", .idle = "*"},
    {.element = NULL},
};

/* --- the walk --------------------------------------------------------------------------------- */

/* Whether a word is among those of a list, between blanks. */
static bool is_listed(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return n > 0;
    return false;
}

static const gdyn_known *find_row(const gdyn_known *table, const gdyn_xml *e) {
    for (; table->element; table++)
        if (is_listed(table->element, e->name) &&
            (!table->parents || (e->parent && is_listed(table->parents, e->parent->name))))
            return table;
    return NULL;
}

static bool is_neutral(const gdyn_known *row, const gdyn_xml_attribute *a) {
    size_t n = strlen(a->name);
    for (const char *at = row->neutral; at && *at; at = strchr(at, ';') + 1)
        if (!strncmp(at, a->name, n) && at[n] == '=') {
            /* the same word; "0" stands for a list of zeros, too */
            const char *value = a->value, *neutral = at + n + 1;
            size_t length = strcspn(neutral, ";");
            return (strlen(value) == length && !strncmp(value, neutral, length)) ||
                   (length == 1 && neutral[0] == '0' &&
                    strspn(value, "0. \t\r\n") == strlen(value));
        }
    return false;
}

static bool is_known(const gdyn_known *row, const gdyn_xml_attribute *a) {
    return is_listed(row->read, a->name) || is_listed(row->idle, a->name) || is_neutral(row, a) ||
           !strncmp(a->name, "xmlns", 5);
}

void gdyn_known_remark_others(gdyn_robot *robot, const gdyn_xml *root, const gdyn_known *table) {
    const gdyn_known *row = find_row(table, root);
    for (int i = 0; row && i < root->attributes; i++)
        if (!is_known(row, &root->attribute[i]))
            gdyn_robot_remark_at(robot, "dropped", root, "%s of <%s>",
                                 gdyn_robot_shown(robot, root->attribute[i].name), root->name);
    for (const gdyn_xml *e = root->first; e; e = e->next) {
        /* the text of an element is an attribute of the one around it */
        const gdyn_xml_attribute text = {e->name, e->text};
        const gdyn_known *inner = find_row(table, e);
        if (!inner && !(e->text && row && is_known(row, &text)))
            gdyn_robot_remark_at(robot, "dropped", e, "<%s> of <%s>",
                                 gdyn_robot_shown(robot, e->name), root->name);
        else if (inner && (!inner->idle || strcmp(inner->idle, "*") != 0))
            gdyn_known_remark_others(robot, e, table);
    }
}
