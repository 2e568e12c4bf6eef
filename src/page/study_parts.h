/* study_parts.h - the parts of a study's page (internal to page). */
#ifndef GDYN_PAGE_STUDY_PARTS_H
#define GDYN_PAGE_STUDY_PARTS_H

#include "page/study_page.h"

/* --- study_columns.c: what is known of designs, as columns ------------------------------------ */

typedef enum gdyn_column_kind {
    GDYN_COLUMN_VARIABLE,
    GDYN_COLUMN_OBJECTIVE,
    GDYN_COLUMN_CONSTRAINT,
    GDYN_COLUMN_CRITERION
} gdyn_column_kind;

typedef struct gdyn_study_column {
    gdyn_column_kind kind;
    int index; /* among its kind; of the responses for a criterion */
    const char *name;
    char unit[40];
} gdyn_study_column;

typedef struct gdyn_study_columns {
    int count, capacity;
    gdyn_study_column *column;
    int left_out; /* criteria for which a study of this size has no room */
} gdyn_study_columns;

/* Variables, objectives, constraints; criteria that some design has and no objective is, as far
 * as there is room. */
gdyn_status gdyn_study_columns_make(const gdyn_stored *stored, gdyn_study_columns *columns);
void gdyn_study_columns_free(gdyn_study_columns *columns);
/* NAN where it is not known. */
double gdyn_column_value(const gdyn_study_column *column, const gdyn_design *design);

/* --- study_data.c ----------------------------------------------------------------------------- */

/* The designs for the script: columns as little-endian numbers in base 64. */
gdyn_status gdyn_study_data(const gdyn_stored *stored, const gdyn_study_columns *columns,
                            const gdyn_study_origin *origin, gdyn_text *out);

/* Reasons of failures without the place of the path, each with how many designs have it, the
 * most frequent first. */
typedef struct gdyn_reason {
    const char *text; /* of a design; its first `length` characters */
    int length, count;
    gdyn_design_status status;
} gdyn_reason;
enum { GDYN_REASONS_MOST = 200 };
typedef struct gdyn_reasons {
    int count;
    gdyn_reason reason[GDYN_REASONS_MOST];
} gdyn_reasons;
void gdyn_reasons_find(const gdyn_archive *archive, gdyn_reasons *reasons);
/* Number of a design's reason, -1: it has none, or one of those beyond the most. */
int gdyn_reasons_of(const gdyn_reasons *reasons, const gdyn_design *design);

/* --- study_drawings.c ------------------------------------------------------------------------- */

/* The designs of a study that are drawn: the start, the best of each objective, others spread
 * over the front; of a sweep and without a front others spread over all. Each as a script
 * element with its data. Nothing without a machine. */
gdyn_status gdyn_study_drawings_write(gdyn_study_drawings *drawings, const gdyn_stored *stored,
                                      gdyn_text *out);

#endif
