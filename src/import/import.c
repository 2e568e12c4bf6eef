/* import.c - from a file to a case: parse, read, lay out, name, write. */
#include "import/robot.h"
#include "import/contour.h"
#include "casefile/casefile.h"
#include "trajectory/trajectory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- shapes that overlap by design are not compared ------------------------------------------- */

/* At the first guess, and (of machines that are not very large) along the first trajectory:
 * shapes of collision are made for contact, and those of neighbouring links overlap. Round by
 * round the nearest pair of the case is looked for; while it overlaps, its bodies are excluded
 * from `clearance`. */

enum { ROUNDS_MOST = 400, SHAPES_MOST = 600, POINTS_SEEN = 25, BODIES_FOLLOWED = 60 };

/* The nearest pair at a few points of the path; *near keeps a nearer one. */
static gdyn_status look_along(const gdyn_instance *instance, gdyn_clearance *clearance,
                              gdyn_near *near) {
    gdyn_trajectory t;
    gdyn_status status = gdyn_trajectory_open(&t, instance, 0, NULL);
    if (status == GDYN_OK)
        status = gdyn_trajectory_take(&t, GDYN_PASS_FOLLOW);
    int step = status == GDYN_OK ? t.track->points / POINTS_SEEN + 1 : 1;
    for (int i = t.track->points - 1; status == GDYN_OK && i >= 0; i -= step) {
        gdyn_near here = gdyn_clearance_at(clearance, t.track->state[i]);
        if (here.distance < near->distance)
            *near = here;
    }
    gdyn_trajectory_close(&t);
    return status;
}

static gdyn_status look(const gdyn_instance *instance, gdyn_near *near) {
    gdyn_state *state = gdyn_state_create(instance->model);
    gdyn_clearance *clearance = gdyn_clearance_create(instance->model);
    gdyn_status status = state && clearance ? GDYN_OK : GDYN_ERROR_MEMORY;
    *near = gdyn_near_none();
    if (status == GDYN_OK)
        *near = gdyn_clearance_at(clearance, state);
    if (status == GDYN_OK && !(near->distance < 0) && instance->trajectory_count > 0 &&
        gdyn_model_bodies(instance->model) <= BODIES_FOLLOWED)
        status = look_along(instance, clearance, near);
    gdyn_clearance_destroy(clearance);
    gdyn_state_destroy(state);
    return status;
}

/* With the case of the robot as it is; *again: once more. */
typedef gdyn_status look_task(gdyn_robot *robot, const gdyn_instance *instance, bool *again);

static gdyn_status exclude_nearest(gdyn_robot *robot, const gdyn_instance *instance, bool *again) {
    gdyn_near near;
    gdyn_status status = look(instance, &near);
    *again = status == GDYN_OK && near.distance < 0;
    if (!*again)
        return status;
    const char *first = gdyn_shape_owner(instance->model, near.first);
    const char *second = gdyn_shape_owner(instance->model, near.second);
    first = gdyn_arena_strdup(robot->arena, first);
    second = gdyn_arena_strdup(robot->arena, second);
    if (!first || !second)
        return GDYN_ERROR_MEMORY;
    gdyn_robot_add_exclusion(robot, first, second);
    gdyn_robot_remark_at(robot, "assumed", NULL,
                         "shapes of %s and %s overlap: they are not compared", first, second);
    return GDYN_OK;
}

/* *again: the trajectory cannot be followed within the ranges. If the loops do not even close at
 * the first guess, or it is singular, no trajectory can: sway 0. */
static gdyn_status follow(gdyn_robot *robot, const gdyn_instance *instance, bool *again) {
    gdyn_trajectory t;
    if (instance->trajectory_count == 0 || gdyn_model_bodies(instance->model) > BODIES_FOLLOWED)
        return GDYN_OK;
    gdyn_status status = gdyn_trajectory_open(&t, instance, 0, NULL);
    t.settings.strict = true;
    if (status == GDYN_OK)
        status = gdyn_trajectory_take(&t, GDYN_PASS_FOLLOW);
    bool left = status == GDYN_OK && t.track->left;
    if (status == GDYN_OK && (left ? t.track->left_at : t.track->followed) == 0)
        robot->sway = 0;
    *again = status == GDYN_OK && robot->sway != 0 && (left || t.track->followed < t.track->points);
    gdyn_trajectory_close(&t);
    return status;
}

static gdyn_status round_of(gdyn_robot *robot, const char *source, look_task *task, bool *again) {
    gdyn_text text = {0};
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    *again = false;
    gdyn_robot_write(robot, source, &text);
    gdyn_status status = text.failed
                             ? GDYN_ERROR_MEMORY
                             : gdyn_case_read_text(text.data, text.length, source, NULL, &the_case);
    if (status == GDYN_OK)
        status = gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance);
    if (status == GDYN_OK)
        status = task(robot, instance, again);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    gdyn_text_free(&text);
    /* what is wrong otherwise is reported when the case is read */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* Loops: the first trajectory turns round or shrinks until all that follows stays within its range,
 * away from singular poses; if that does not help there is none. */
static gdyn_status choose_sway(gdyn_robot *robot, const char *source) {
    static const double tried[] = {1, -1, 0.1, -0.1, 0};
    gdyn_status status = GDYN_OK;
    bool again = robot->closures > 0;
    for (size_t i = 0; again && status == GDYN_OK && i < sizeof tried / sizeof *tried; i++) {
        robot->sway = tried[i];
        status = round_of(robot, source, follow, &again);
    }
    if (robot->sway == 0)
        gdyn_robot_remark_at(
            robot, "assumed", NULL,
            "no trajectory: the loops do not close at the first guess, or moving a "
            "joint from there leaves a range or meets a singular pose");
    return status;
}

/* Excludes pairs of bodies whose shapes overlap from the start. */
static gdyn_status exclude_overlaps(gdyn_robot *robot, const char *source) {
    bool again = robot->shapes > 1 && robot->shapes <= SHAPES_MOST;
    gdyn_status status = GDYN_OK;
    for (int i = 0; again && i < ROUNDS_MOST && status == GDYN_OK; i++)
        status = round_of(robot, source, exclude_nearest, &again);
    return status;
}

/* --- robots ----------------------------------------------------------------------------------- */

/* The first element that xacro has to expand: it, or an attribute, has the prefix `xacro:`, or an
 * attribute contains ${...} or $(...); NULL: none. */
static const gdyn_xml *find_xacro(const gdyn_xml *e) {
    bool macro = !strncmp(e->name, "xacro:", 6);
    for (int i = 0; i < e->attributes && !macro; i++)
        macro = !strncmp(e->attribute[i].name, "xacro:", 6) ||
                strstr(e->attribute[i].value, "${") || strstr(e->attribute[i].value, "$(");
    const gdyn_xml *found = macro ? e : NULL;
    for (const gdyn_xml *child = e->first; child && !found; child = child->next)
        found = find_xacro(child);
    return found;
}

/* Macros are not expanded: half a robot would be worse than none. */
static void reject_xacro(gdyn_robot *robot, const gdyn_xml *root) {
    const gdyn_xml *macro = !gdyn_xml_is(root, "mujoco") ? find_xacro(root) : NULL;
    const char *slash = macro ? strrchr(macro->source->name, '/') : NULL;
    if (macro)
        gdyn_robot_error(
            robot, macro,
            gdyn_arena_printf(robot->arena,
                              "expand it first: xacro %s -o robot.urdf (of ROS; macros "
                              "may need arguments NAME:=VALUE)",
                              gdyn_robot_shown(robot, slash ? slash + 1 : macro->source->name)),
            "this is a xacro file: <%s> is not expanded", gdyn_robot_shown(robot, macro->name));
}

static gdyn_status read_root(gdyn_robot *robot, const gdyn_xml *root) {
    static const char *const roots[] = {"robot", "mujoco", "sdf", NULL};
    static gdyn_status (*const read[])(gdyn_robot *, const gdyn_xml *) = {
        gdyn_urdf_read, gdyn_mjcf_read, gdyn_sdf_read};
    int format = gdyn_word_number(roots, root->name);
    if (format >= 0)
        return read[format](robot, root);
    gdyn_robot_error(robot, root,
                     "URDF begins with <robot>, MuJoCo's format with <mujoco>, SDF with <sdf>",
                     "the root element <%s> belongs to no format that is read",
                     gdyn_robot_shown(robot, root->name));
    return GDYN_ERROR_INPUT;
}

typedef struct job {
    const void *options; /* gdyn_import_options, gdyn_import_path_options */
    gdyn_text *out, *remarks;
} job;

static gdyn_status import_robot(gdyn_robot *robot, const gdyn_document *source, void *context) {
    const job *j = context;
    const gdyn_import_options *options = j->options;
    gdyn_xml *root;
    gdyn_status status = gdyn_xml_parse(robot->arena, source, robot->sink, &root);
    if (status == GDYN_OK)
        reject_xacro(robot, root);
    if (status == GDYN_OK && !robot->errors)
        gdyn_robot_expand_includes(robot, root, 0);
    if (status == GDYN_OK)
        status = robot->errors ? GDYN_ERROR_INPUT : read_root(robot, root);
    if (status == GDYN_OK && options->loops)
        status = gdyn_robot_read_loops(robot, options->loops);
    robot->joint_limits = options->joint_limits;
    if (status == GDYN_OK)
        status = gdyn_robot_layout(robot, options->free_base, options->balance);
    if (status == GDYN_OK)
        status = gdyn_robot_name_all(robot);
    /* without its folders: a case tells the same wherever it was made */
    const char *slash = strrchr(source->name, '/');
    const char *name = gdyn_robot_shown(robot, slash ? slash + 1 : source->name);
    if (status == GDYN_OK)
        status = choose_sway(robot, name);
    if (status == GDYN_OK)
        status = exclude_overlaps(robot, name);
    if (status != GDYN_OK)
        return status;
    gdyn_robot_write(robot, name, j->out);
    gdyn_robot_write_remarks(robot, "", j->remarks);
    return j->out->failed || j->remarks->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_import_text(const char *text, size_t length, const char *filename,
                             const gdyn_import_options *options, const gdyn_sink *sink,
                             gdyn_text *the_case, gdyn_text *remarks) {
    job j = {options, the_case, remarks};
    return gdyn_robot_run(text, length, filename, sink, import_robot, &j);
}

gdyn_status gdyn_import(const char *filename, const gdyn_import_options *options,
                        const gdyn_sink *sink, gdyn_text *the_case, gdyn_text *remarks) {
    return gdyn_import_text(NULL, 0, filename, options, sink, the_case, remarks);
}

/* --- programs and drawings become tables of a path -------------------------------------------- */

typedef enum file_kind { NO_PATH, GCODE, DXF } file_kind;

/* By the end of the name. */
static file_kind kind_of(const char *filename) {
    static const char *const programs[] = {".nc", ".ngc", ".gcode", ".tap", ".cnc", ".gc"};
    const char *dot = strrchr(filename, '.');
    for (size_t i = 0; dot && i < sizeof programs / sizeof *programs; i++)
        if (!strcasecmp(dot, programs[i]))
            return GCODE;
    return dot && !strcasecmp(dot, ".dxf") ? DXF : NO_PATH;
}

bool gdyn_import_is_path(const char *filename) {
    return kind_of(filename) != NO_PATH;
}

static gdyn_status import_path(gdyn_robot *log, const gdyn_document *source, void *context) {
    const job *j = context;
    const gdyn_import_path_options *options = j->options;
    gdyn_contour c = {.log = log, .source = source};
    if (kind_of(source->name) == DXF)
        gdyn_dxf_read(&c, options->contour > 0 ? options->contour : 1);
    else
        gdyn_gcode_read(&c);
    gdyn_status status = log->failed
                             ? GDYN_ERROR_MEMORY
                             : gdyn_contour_write(&c, options->blend, options->planar, j->out);
    gdyn_free(c.piece);
    if (status == GDYN_OK)
        gdyn_robot_write_remarks(log, "", j->remarks);
    return status == GDYN_OK && j->remarks->failed ? GDYN_ERROR_MEMORY : status;
}

gdyn_status gdyn_import_path_text(const char *text, size_t length, const char *filename,
                                  const gdyn_import_path_options *options, const gdyn_sink *sink,
                                  gdyn_text *table, gdyn_text *remarks) {
    job j = {options, table, remarks};
    return gdyn_robot_run(text, length, filename, sink, import_path, &j);
}

gdyn_status gdyn_import_path(const char *filename, const gdyn_import_path_options *options,
                             const gdyn_sink *sink, gdyn_text *table, gdyn_text *remarks) {
    return gdyn_import_path_text(NULL, 0, filename, options, sink, table, remarks);
}
