/* csv.c - the table of a path: columns p and the coordinates that are prescribed. */
#include "casefile/reader.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

enum { COLUMN_P = GDYN_PATH_COORDINATES, COLUMNS };

/* Names of the coordinates, and the other name of the last one. */
static const char *const names[] = {
    [GDYN_PATH_X] = "x", [GDYN_PATH_Y] = "y", [GDYN_PATH_Z] = "z", [GDYN_PATH_A] = "a",
    [GDYN_PATH_B] = "b", [GDYN_PATH_C] = "c", [COLUMN_P] = "p",    "angle"};
static const char *const planar_names[] = {"p", "x", "y", "c", "angle"};

/* --- complaints of the table go to the case's log --------------------------------------------- */

typedef struct relay {
    gdyn_reader *r;
    gdyn_node *where; /* the file's name or the text in the case */
    const gdyn_document *document;
    const char *name; /* for messages */
} relay;

static void into_log(void *context, const gdyn_diag *diag) {
    const relay *to = context;
    /* Complaints without a place are about the file as a whole. */
    if (diag->line == 0) {
        gdyn_read_error(to->r, to->where, diag->help, GDYN_CODE_TABLE "'%.200s': %s", to->name,
                        diag->message);
        return;
    }
    gdyn_log_place(to->r->log, to->document, diag->line, diag->column, diag->width, diag->help,
                   GDYN_CODE_TABLE "%s", diag->message);
    to->where->bad |= to->r->checking;
}

/* --- the table -------------------------------------------------------------------------------- */

/* Column of each coordinate and of p, -1: not there. */
static void read_heads(gdyn_table *t, bool planar, int at[COLUMNS], gdyn_csv *csv) {
    /* Which columns there may be depends on the space. */
    if (planar)
        gdyn_table_only(t, planar_names, sizeof planar_names / sizeof *planar_names,
                        "columns: p, x, y, angle");
    else
        gdyn_table_only(t, names, sizeof names / sizeof *names, "columns: p, x, y, z, a, b, c");
    for (int k = 0; k < COLUMNS; k++)
        at[k] = gdyn_table_find(t, names[k]);
    /* 'angle' is another name of 'c'. */
    int angle = gdyn_table_find(t, names[COLUMNS]);
    if (angle >= 0 && at[GDYN_PATH_C] >= 0)
        gdyn_table_refuse(t, angle, NULL, "columns 'c' and 'angle' are the same");
    at[GDYN_PATH_C] = angle >= 0 ? angle : at[GDYN_PATH_C];
    /* Lengths, then angles. */
    for (int k = 0; k < COLUMN_P; k++)
        if ((csv->column[k] = at[k] >= 0))
            gdyn_table_unit(t, at[k], k <= GDYN_PATH_Z ? GDYN_DIM_LENGTH : GDYN_DIM_NONE,
                            "this coordinate");
    if (at[COLUMN_P] >= 0) {
        /* p is a length, an angle, a time, or has no unit. */
        int column = at[COLUMN_P];
        csv->p_dimension = gdyn_table_dimension(t, column);
        if (!gdyn_path_dimension_allowed(csv->p_dimension))
            gdyn_table_refuse(t, column, "p is a length, an angle, a time or a pure number",
                              "the unit of column 'p' does not fit");
        gdyn_table_unit(t, column, GDYN_DIM_UNKNOWN, "p");
    }
}

static bool make_room(gdyn_table *t, bool with_p, gdyn_csv *csv) {
    /* At most as many rows as lines are left. */
    size_t most = (size_t)(t->document->lines - t->line + 1);
    csv->table = gdyn_arena_alloc(t->arena, most * GDYN_PATH_COORDINATES, sizeof *csv->table);
    csv->p = with_p ? gdyn_arena_alloc(t->arena, most, sizeof *csv->p) : NULL;
    return (csv->table && (csv->p || !with_p)) || gdyn_table_lack_memory(t);
}

/* Reads a document and keeps its table with the case; NULL after a complaint. */
static const gdyn_csv *keep_table(gdyn_reader *r, gdyn_node *where, const gdyn_document *document,
                                  const char *name, const char *text) {
    gdyn_case *c = r->the_case;
    int at[COLUMNS];
    relay context = {r, where, document, text ? "data" : where->text};
    gdyn_sink sink = {into_log, &context};
    gdyn_table t;
    gdyn_csv *csv = gdyn_arena_alloc(c->arena, 1, sizeof *csv);
    /* The table must be readable before its heads are. */
    if (!csv || gdyn_table_open(&t, c->arena, document, &sink) != GDYN_OK)
        return NULL;
    read_heads(&t, r->space == GDYN_PLANAR, at, csv);
    if (t.status == GDYN_OK && make_room(&t, at[COLUMN_P] >= 0, csv))
        while (gdyn_table_next(&t)) {
            double *row = csv->table + (size_t)csv->rows * GDYN_PATH_COORDINATES;
            for (int k = 0; k < COLUMN_P; k++)
                row[k] = at[k] >= 0 ? gdyn_table_number(&t, at[k]) : NAN;
            /* p grows strictly, so that splines exist. */
            if (csv->p) {
                double *p = &csv->p[csv->rows];
                *p = gdyn_table_number(&t, at[COLUMN_P]);
                if (csv->rows > 0 && *p <= p[-1])
                    gdyn_table_refuse(&t, at[COLUMN_P], NULL, "p must increase from row to row");
            }
            csv->rows++;
        }
    if (t.status == GDYN_OK && csv->rows < 2)
        gdyn_read_error(r, where, NULL, GDYN_CODE_TABLE "'%.200s' has fewer than two rows",
                        context.name);
    if (t.status != GDYN_OK || csv->rows < 2)
        return NULL;
    /* Kept with the case: instances read it again. */
    csv->name = name;
    csv->text = text;
    csv->next = c->csv;
    return c->csv = csv;
}

/* --- where it stands -------------------------------------------------------------------------- */

const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *node, bool file) {
    gdyn_case *c = r->the_case;
    gdyn_document *document = NULL;
    const char *path = NULL;
    if (node->bad || node->kind != GDYN_NODE_SCALAR || (r->checking && !r->space_known))
        return NULL;
    if (file && !(path = gdyn_document_beside(r->arena, node->source->name, node->text)))
        return NULL;
    /* What was read before is not read twice. */
    for (const gdyn_csv *csv = c->csv; csv; csv = csv->next)
        if (file ? csv->name && strcmp(csv->name, path) == 0 : csv->text == node->text)
            return csv;
    if (!r->checking)
        return NULL;
    char message[300];
    if (file && gdyn_document_from_file(c->arena, path, GDYN_TABLE_BYTES, false, &document, message,
                                        sizeof message) != GDYN_OK) {
        gdyn_read_error(r, node, NULL, GDYN_CODE_TABLE "'%.200s': %s", node->text, message);
        return NULL;
    }
    const char *name =
        file ? document->name
             : gdyn_arena_printf(c->arena, "%s (data of line %d)", node->source->name, node->line);
    if (!file && name)
        document = gdyn_document_from_text(c->arena, name, node->text, strlen(node->text));
    return document ? keep_table(r, node, document, file ? name : NULL, file ? NULL : node->text)
                    : NULL;
}
