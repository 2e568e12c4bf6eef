/* digest.c - the digest of a study, from its table meta or from all of its designs. */
#include "study/store.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/choose.h"
#include "study/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gdyn_digest_write(const gdyn_study *study, const gdyn_study_result *result, gdyn_text *out) {
    const gdyn_archive *front = &result->front;
    char *goals = gdyn_study_goals(study);
    double *F = gdyn_front_objectives(study, front);
    int m = gdyn_study_start(study)->objective_count;
    gdyn_text_printf(out, "%d %d %d %d\n", result->archive.count,
                     result->final.status[GDYN_DESIGN_OK], m, front->count);
    for (int i = 0; F && i < m * front->count; i++)
        gdyn_text_printf(out, "%s ", gdyn_digits(F[i]).text);
    gdyn_text_printf(out, "\n%s", goals ? goals : "");
    out->failed |= !goals || !F;
    gdyn_free(goals);
    gdyn_free(F);
}

/* The numbers of a digest's text; false where it is none. */
static bool parse(const char *text, gdyn_digest *d) {
    int used = 0;
    if (sscanf(text, "%d %d %d %d%n", &d->designs, &d->feasible, &d->m, &d->front, &used) != 4 ||
        d->m < 0 || d->front < 0 || d->front > d->designs)
        return false;
    d->F = gdyn_alloc((size_t)d->m * (size_t)d->front + 1, sizeof *d->F);
    const char *at = text + used;
    for (int i = 0; d->F && i < d->m * d->front; i++) {
        const char *end;
        d->F[i] = gdyn_decimal_read(at, &end);
        if (end == at)
            return false;
        at = end;
    }
    /* the goals stand on the last line */
    const char *line = strrchr(at, '\n');
    gdyn_text goals = {0};
    gdyn_text_printf(&goals, "%s", line ? line + 1 : "");
    d->goals = goals.data;
    return d->F && d->goals && line;
}

/* Number of rows; -1: it cannot be had. */
static long count_rows(sqlite3 *db) {
    sqlite3_stmt *count = NULL;
    long rows = -1;
    if (sqlite3_prepare_v2(db, "SELECT count(*) FROM design", -1, &count, NULL) == SQLITE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        rows = (long)sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return rows;
}

/* From the table meta, in one state of the file; false where it does not say. */
static bool read_meta(sqlite3 *db, gdyn_digest *d) {
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return false;
    char *text = gdyn_database_text(db, "digest");
    d->state = gdyn_database_text(db, "state");
    bool said = text && d->state && strcmp(d->state, "running") != 0 &&
                gdyn_database_seal_holds(db) && parse(text, d) && count_rows(db) == d->designs;
    gdyn_free(text);
    return said;
}

/* From all designs. */
static gdyn_status read_designs(const char *filename, gdyn_digest *d) {
    gdyn_stored *s = NULL;
    gdyn_sink silent = {0};
    gdyn_status status = gdyn_stored_open(filename, &silent, &s);
    if (status != GDYN_OK)
        return status;
    d->owner = s->owner;
    d->state = s->state;
    s->state = NULL;
    d->goals = gdyn_study_goals(s->study);
    d->designs = s->result.archive.count;
    d->feasible = s->result.final.status[GDYN_DESIGN_OK];
    d->m = gdyn_study_start(s->study)->objective_count;
    d->front = s->result.front.count;
    d->F = gdyn_front_objectives(s->study, &s->result.front);
    gdyn_stored_close(s);
    return d->goals && d->F ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_digest_read(const char *filename, gdyn_digest *d) {
    sqlite3 *db = NULL;
    bool empty = false;
    gdyn_sink silent = {0};
    *d = (gdyn_digest){0};
    gdyn_status status = gdyn_database_open(filename, false, &silent, &db, &empty);
    if (status != GDYN_OK)
        return status;
    bool said = !empty && read_meta(db, d);
    gdyn_database_close(db, false);
    d->owner = gdyn_lock_owner(filename).pid;
    if (said && d->owner == 0)
        return GDYN_OK;
    /* a run that goes on, or was cut off; a file without a digest */
    gdyn_digest_free(d);
    status = read_designs(filename, d);
    if (status != GDYN_OK)
        gdyn_digest_free(d);
    return status;
}

void gdyn_digest_free(gdyn_digest *d) {
    gdyn_free(d->state);
    gdyn_free(d->goals);
    gdyn_free(d->F);
    *d = (gdyn_digest){0};
}
