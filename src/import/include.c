/* include.c - <include file="..."/>: the children of the file's root element stand in its place. */
#include "import/robot.h"

#include <string.h>

enum { FILES_MOST = 64, DEPTH_MOST = 8 };

typedef struct inclusion {
    gdyn_robot *robot;
    int files;
} inclusion;

/* The children of the file named there; NULL after a message. */
static gdyn_xml *read_included(inclusion *in, const gdyn_xml *at) {
    gdyn_robot *robot = in->robot;
    const char *file = gdyn_xml_get(at, "file");
    gdyn_document *source;
    gdyn_xml *root = NULL;
    char message[400];
    if (!file || ++in->files > FILES_MOST) {
        gdyn_robot_error(robot, at, NULL,
                         file ? "more than %d files are included" : "<include> has no file",
                         FILES_MOST);
        return NULL;
    }
    const char *name = gdyn_document_beside(robot->arena, at->source->name, file);
    if (!name || gdyn_document_from_file(robot->arena, name, GDYN_XML_BYTES, false, &source,
                                         message, sizeof message) != GDYN_OK) {
        gdyn_robot_error(robot, at, NULL, "'%s': %s", gdyn_robot_shown(robot, file),
                         name ? message : "out of memory");
        return NULL;
    }
    if (gdyn_xml_parse(robot->arena, source, robot->sink, &root) != GDYN_OK)
        robot->errors++;
    return root;
}

static void expand(inclusion *in, gdyn_xml *parent, int depth) {
    gdyn_xml **link = &parent->first;
    while (*link) {
        gdyn_xml *e = *link, *next = e->next;
        if (!gdyn_xml_is(e, "include")) {
            expand(in, e, depth);
            link = &e->next;
            continue;
        }
        if (depth >= DEPTH_MOST)
            gdyn_robot_error(in->robot, e, NULL, "files include each other too deeply");
        gdyn_xml *root = depth < DEPTH_MOST ? read_included(in, e) : NULL;
        /* its children come here */
        if (root) {
            expand(in, root, depth + 1);
            for (*link = root->first; *link; link = &(*link)->next)
                (*link)->parent = parent;
        }
        *link = next;
    }
    parent->last = NULL;
}

void gdyn_robot_expand_includes(gdyn_robot *robot, gdyn_xml *root) {
    inclusion in = {.robot = robot};
    expand(&in, root, 0);
}
