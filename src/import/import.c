/* import.c - from a file to a case: parse, read, lay out, name, write. */
#include "import/robot.h"

#include <stdio.h>
#include <string.h>

/* The file without its folders: a case tells the same wherever it was made. */
static const char *short_name(gdyn_robot *robot, const char *filename) {
    const char *slash = strrchr(filename, '/');
    return gdyn_robot_shown(robot, slash ? slash + 1 : filename);
}

static gdyn_status read_root(gdyn_robot *robot, const gdyn_xml *root) {
    if (gdyn_xml_is(root, "robot"))
        return gdyn_urdf_read(robot, root);
    if (gdyn_xml_is(root, "mujoco"))
        return gdyn_mjcf_read(robot, root);
    gdyn_robot_error(robot, root, "URDF begins with <robot>, MuJoCo's format with <mujoco>",
                     "the root element <%s> belongs to no format that is read",
                     gdyn_robot_shown(robot, root->name));
    return GDYN_ERROR_INPUT;
}

typedef struct job {
    const gdyn_import_options *options;
    gdyn_text *the_case, *remarks;
} job;

static gdyn_status import(gdyn_robot *robot, const gdyn_document *source, void *context) {
    const job *j = context;
    gdyn_xml *root;
    gdyn_status status = gdyn_xml_parse(robot->arena, source, robot->sink, &root);
    if (status == GDYN_OK)
        gdyn_robot_expand_includes(robot, root);
    if (status == GDYN_OK)
        status = robot->errors ? GDYN_ERROR_INPUT : read_root(robot, root);
    if (status == GDYN_OK && j->options->loops)
        status = gdyn_robot_read_loops(robot, j->options->loops);
    if (status == GDYN_OK)
        status = gdyn_robot_layout(robot, j->options->free_base);
    if (status == GDYN_OK)
        status = gdyn_robot_name_all(robot);
    if (status == GDYN_OK)
        status = gdyn_robot_exclude_overlaps(robot, short_name(robot, source->name));
    if (status != GDYN_OK)
        return status;
    gdyn_robot_write(robot, short_name(robot, source->name), j->the_case);
    gdyn_robot_write_remarks(robot, "", j->remarks);
    return j->the_case->failed || j->remarks->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

gdyn_status gdyn_import_text(const char *text, size_t length, const char *filename,
                             const gdyn_import_options *options, const gdyn_sink *sink,
                             gdyn_text *the_case, gdyn_text *remarks) {
    job j = {options, the_case, remarks};
    return gdyn_robot_run(text, length, filename, sink, import, &j);
}

gdyn_status gdyn_import(const char *filename, const gdyn_import_options *options,
                        const gdyn_sink *sink, gdyn_text *the_case, gdyn_text *remarks) {
    return gdyn_import_text(NULL, 0, filename, options, sink, the_case, remarks);
}
