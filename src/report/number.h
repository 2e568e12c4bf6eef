/* number.h - values in documents and tables. */
#pragma once

#include "access/evaluate.h"
#include "access/limit.h"
#include "base/status.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "trajectory/trajectory.h"

#include <jansson.h>

/* --- documents -------------------------------------------------------------------------------- */

/* An empty list or object; NULL without memory, which is noted (gdyn_memory_refused). */
json_t *gdyn_json_list(void);
json_t *gdyn_json_map(void);
/* null for what is not finite; no -0. */
json_t *gdyn_json_number(double value);
json_t *gdyn_json_numbers(int count, const double *value);
json_t *gdyn_json_pair(double a, double b);
/* Puts the name into the list "unbounded" (NULL: it begins with this name) if nothing bounds the
 * value, whose number is null. */
void gdyn_json_note_unbounded(json_t **list, const char *name, double value);

json_t *gdyn_json_texts(int count, const char *const *text);

/* Adds fields in their order. `fields` names them with their types, "p:n status:s rank:i":
 *   n double (as gdyn_json_number), s const char * (NULL: null), i int, l long, b bool,
 *   o json_t * (which it takes), ? json_t * (likewise; left out when NULL). */
void gdyn_json_add(json_t *object, const char *fields, ...);
json_t *gdyn_json_object(const char *fields, ...);
/* One more object of a list. */
void gdyn_json_append(json_t *list, const char *fields, ...);

/* [["m1", "max"], ...] */
json_t *gdyn_json_limits(const gdyn_limited *row, int rows, const gdyn_limit *limit, int count);

/* Places where the drives lose a freedom. */
json_t *gdyn_json_singularities(const gdyn_singularities *singular);

/* {JOINT: {FREEDOM: value}}, all coordinates of joints. */
json_t *gdyn_json_joints(const gdyn_state *state);
/* Ranges that a pose by itself is beyond: `{NAME: {by, unit}}`, m or rad. */
json_t *gdyn_json_beyond(const gdyn_state *state);

/* Loads of the drives in the motion: {NAME: {peak, rms, speed, ...}}, null without one. */
json_t *gdyn_json_drives(const gdyn_trajectory *t);
/* Where and why the path first cannot be followed (pass FAILURE); null: it can. */
json_t *gdyn_json_failure(const gdyn_trajectory *t);
/* How the search for the null motion of that trajectory ended; NULL: there was none. */
json_t *gdyn_json_null_motion(const gdyn_instance *instance, const char *trajectory);
/* A document begins with what made it, and of which case. */
json_t *gdyn_json_document(const char *case_name);

/* --- tables: a row field by field. A comma stands before every field that does not begin a line */

/* "1.5", "inf", "-inf"; nothing for NaN (gdyn_digits). */
void gdyn_csv_number(gdyn_text *out, double value);
void gdyn_csv_numbers(gdyn_text *out, int count, const double *value);
/* A text, quoted where it needs to be. It must not be empty at the begin of a line. */
void gdyn_csv_word(gdyn_text *out, const char *word);
void gdyn_csv_text(gdyn_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a text that was put together, which is freed. */
void gdyn_csv_take(gdyn_text *out, gdyn_text *field);
/* "m1 max + m3 min": names and sides of limits with that between two of them, and between both. */
void gdyn_csv_limits(gdyn_text *out, const gdyn_limited *row, int rows, const gdyn_limit *limit,
                     int count, const char *join, char side);
void gdyn_csv_end(gdyn_text *out);
/* ",m1.force [N]" of owner and kind; without brackets where the unit is "". */
void gdyn_csv_head(gdyn_text *out, const char *owner, const char *kind, const char *unit);
/* ",p [m],d1 [m/s]": columns, a blank between them, p, d2 and what begins with it, others speeds
 * along the path, in the units that follow from that of p; NULL: not the same in all rows, none is
 * written. */
void gdyn_csv_path_heads(gdyn_text *out, const char *unit_of_p, const char *columns);

/* --- documents that are written part by part -------------------------------------------------- */

/* One line; one line without spaces; a line per value, its depth as spaces. */
typedef enum gdyn_json_layout {
    GDYN_JSON_LINE,
    GDYN_JSON_COMPACT,
    GDYN_JSON_INDENTED
} gdyn_json_layout;

/* A document that is being written. Begin with .out and .layout; parts are opened and closed in
 * pairs. */
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
/* Writes a number (null where it is not finite), a list of them, a text, without making a value of
 * them. */
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
