/* json_writer.h - documents as text: whole ones, and long ones whose parts are made, written and forgotten in turn. */
#ifndef GDYN_REPORT_JSON_WRITER_H
#define GDYN_REPORT_JSON_WRITER_H

#include "base/status.h"
#include "base/text.h"

#include <jansson.h>

/* One line; one line without spaces; a line per value, its depth as spaces. */
typedef enum gdyn_json_layout {
    GDYN_JSON_LINE,
    GDYN_JSON_COMPACT,
    GDYN_JSON_INDENTED
} gdyn_json_layout;

/* A document that is being written. Begin with .out and .layout; parts are opened and closed in pairs. */
typedef struct gdyn_json_writer {
    gdyn_text *out;
    gdyn_json_layout layout;
    int depth;   /* parts that are open */
    bool filled; /* the innermost of them has a value */
    bool failed; /* a value could not be made: no memory */
} gdyn_json_writer;

/* Opens a part, '{' or '[', under that key of an object (NULL in a list). */
void gdyn_json_open(gdyn_json_writer *writer, const char *key, char bracket);
/* Closes it with '}' or ']'. */
void gdyn_json_close(gdyn_json_writer *writer, char bracket);
/* Writes a value, which is taken; NULL is a lack of memory. */
void gdyn_json_put(gdyn_json_writer *writer, const char *key, json_t *value);
/* Writes a number (null where it is not finite), a list of them, a text, without making a value of them. */
void gdyn_json_put_number(gdyn_json_writer *writer, const char *key, double value);
void gdyn_json_put_numbers(gdyn_json_writer *writer, const char *key, int count,
                           const double *value);
void gdyn_json_put_text(gdyn_json_writer *writer, const char *key, const char *text);
/* Writes all members of an object, which is taken. */
void gdyn_json_put_members(gdyn_json_writer *writer, json_t *object);
/* The end of the document. */
gdyn_status gdyn_json_end(gdyn_json_writer *writer);

/* A whole document, which is taken. */
gdyn_status gdyn_json_print(json_t *document, gdyn_json_layout layout, gdyn_text *out);

#endif
