/* table.h - tables of text: the reader of all CSV input (paths, motions, coefficients, designs
 * to begin with).
 *
 * A table has a line of heads, then rows of as many fields (docs/cli.md, "Tables"):
 *
 *     # comment
 *     t [ms], p [mm], "trajectory"
 *     0,      0,      arc
 *
 * The delimiter is the first of ; , tab in the header outside of quotes, else blanks. Blanks
 * around fields are ignored; "quotes" protect delimiters, and "" is a quote inside of them.
 * Empty lines and lines that begin with # are ignored, as are a byte order mark and one
 * delimiter behind the last field. Lines end with LF, CRLF or CR. Numbers have a decimal point.
 *
 * Whatever is wrong is emitted to the sink once, with file, line, column and help; from then on
 * `status` is not GDYN_OK, and nothing more is read. */
#pragma once

#include "base/diag.h"
#include "base/document.h"
#include "expr/expr.h"

enum {
    GDYN_TABLE_BYTES = 64 << 20, /* of a file */
    GDYN_TABLE_LINES = 1000000,
    GDYN_TABLE_COLUMNS = 4096
};

typedef struct gdyn_cell {
    const char *text;    /* without blanks and quotes around it */
    size_t start, width; /* its place in its line, in bytes; start from 0 */
} gdyn_cell;

typedef struct gdyn_column {
    const char *name; /* without the unit */
    /* as written, NULL: none is given; "" behind a bracket that does not close */
    const char *unit;
    double factor; /* SI value = number * factor, set by gdyn_table_unit; 1 before */
} gdyn_column;

typedef struct gdyn_table {
    const gdyn_document *document;
    gdyn_arena *arena; /* of the caller; holds all below */
    const gdyn_sink *sink;
    gdyn_status status; /* GDYN_ERROR_INPUT, _FILE or _MEMORY once something is wrong */
    char delimiter;     /* ';' ',' '\t', or ' ' for blanks */
    int columns;
    gdyn_column *column; /* columns */
    gdyn_cell *cell;     /* columns: the heads, then the row read last */
    char *room;          /* texts of the cells */
    int line;            /* of the cells */
    int rows;            /* read so far */
} gdyn_table;

/* Reads the heads of a document that is in memory, or of a regular file. */
gdyn_status gdyn_table_open(gdyn_table *table, gdyn_arena *arena, const gdyn_document *document,
                            const gdyn_sink *sink);
gdyn_status gdyn_table_open_file(gdyn_table *table, gdyn_arena *arena, const char *filename,
                                 const gdyn_sink *sink);

/* --- heads ------------------------------------------------------------------------------------ */

/* Number of the column of that name, -1 when there is none; complains when there are two. */
int gdyn_table_find(gdyn_table *table, const char *name);
/* Complains about the first column whose name is none of these. */
void gdyn_table_only(gdyn_table *table, const char *const *names, int count, const char *help);
/* Dimension that the head states; unknown without a unit, and after a complaint about it. */
gdyn_dimension gdyn_table_dimension(gdyn_table *table, int column);
/* Converts the column's numbers to SI from now on; complains about a unit that `what` ("p of
 * 'ring'") of that dimension cannot have. Without a unit numbers are SI; an unknown dimension
 * takes every unit. */
void gdyn_table_unit(gdyn_table *table, int column, gdyn_dimension wanted, const char *what);

/* --- rows ------------------------------------------------------------------------------------- */

/* Reads the next row; false at the end, and when something is wrong. */
bool gdyn_table_next(gdyn_table *table);
/* Finite number of the row, SI; NAN after a complaint. */
double gdyn_table_number(gdyn_table *table, int column);
/* The same where inf and -inf are welcome, and an empty field is `open`. */
double gdyn_table_limit(gdyn_table *table, int column, double open);

/* Complains about a cell of the present row or heads (-1: about the line). Returns false. */
bool gdyn_table_refuse(gdyn_table *table, int column, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Complains that memory is out. */
bool gdyn_table_lack_memory(gdyn_table *table);
