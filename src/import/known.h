/* known.h - what an importer knows of the elements and attributes of its format. What a table
 * does not list is reported. */
#ifndef GDYN_IMPORT_KNOWN_H
#define GDYN_IMPORT_KNOWN_H

#include "import/robot.h"

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

/* known.c */
extern const gdyn_known gdyn_known_urdf[], gdyn_known_mjcf[];

#endif
