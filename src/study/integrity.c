/* integrity.c - checks of a study file: structure, numbering, designs evaluated again. */
#include "study/store.h"

#include "study/archive.h"
#include "study/internal.h"

#include <stdio.h>
#include <string.h>

bool gdyn_stored_integrity(const gdyn_stored *s, char *text, size_t size) {
    sqlite3 *db = NULL;
    sqlite3_stmt *check = NULL;
    bool empty, good = false;
    gdyn_sink silent = {0};
    snprintf(text, size, "the file cannot be read");
    if (gdyn_database_open(s->filename, false, &silent, &db, &empty) != GDYN_OK)
        return false;
    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &check, NULL) == SQLITE_OK &&
        sqlite3_step(check) == SQLITE_ROW) {
        snprintf(text, size, "%s", (const char *)sqlite3_column_text(check, 0));
        good = strcmp(text, "ok") == 0;
    }
    sqlite3_finalize(check);
    gdyn_database_close(db, false);
    return good;
}

gdyn_status gdyn_stored_asked(const gdyn_stored *s, bool *asked) {
    gdyn_study_result again;
    gdyn_status status = gdyn_study_replay(s->study, &s->options, NULL, &s->result.archive, &again);
    *asked = status == GDYN_OK;
    if (status == GDYN_OK)
        gdyn_study_result_clear(&again);
    return status == GDYN_ERROR_STUDY ? GDYN_OK : status;
}

gdyn_numbering gdyn_stored_numbering(const gdyn_stored *s) {
    const gdyn_archive *archive = &s->result.archive;
    int count = archive->count;
    gdyn_numbering n = {.designs = count, .rows = s->rows, .last = -1};
    for (int i = 1; i < count; i++)
        n.gaps += archive->design[i]->serial != archive->design[i - 1]->serial + 1;
    if (count > 0)
        n.last = archive->design[count - 1]->serial;
    bool begins = count == 0 || archive->design[0]->serial == 0;
    bool finished = strncmp(s->state, "finished", strlen("finished")) == 0;
    n.lost = s->result.interrupted && (s->rows > count || finished);
    /* Of an interrupted generation any designs may be missing, of earlier ones none. */
    int most = s->result.interrupted ? s->options.search.population : 0;
    n.good = begins && !n.lost && n.gaps <= most;
    return n;
}

const gdyn_design *gdyn_stored_sample(const gdyn_stored *s, int samples, int k) {
    const gdyn_archive *archive = &s->result.archive;
    return archive->design[samples > 1 ? (long)k * (archive->count - 1) / (samples - 1) : 0];
}

/* Status, failure, and every response, objective and constraint; the same responses must be
 * known. */
static bool same_values(const gdyn_study *study, const gdyn_design *a, const gdyn_design *b) {
    const gdyn_instance *start = gdyn_study_start(study);
    bool same = a->status == b->status && a->evaluated == b->evaluated &&
                a->violation == b->violation && a->failure == b->failure;
    for (int r = 0; r < gdyn_study_responses(study); r++)
        same &= a->known[r] == b->known[r] && (!a->known[r] || a->response[r] == b->response[r]);
    for (int i = 0; i < start->objective_count; i++)
        same &= a->objective[i] == b->objective[i];
    for (int i = 0; i < start->requirement_count; i++)
        same &= a->constraint[i] == b->constraint[i];
    return same;
}

gdyn_status gdyn_stored_reproduce(const gdyn_stored *s, const gdyn_design *design,
                                  gdyn_design *again, bool *same) {
    again->serial = design->serial;
    gdyn_status status = gdyn_study_evaluate(s->study, design->x, GDYN_EXTENT_SOUND, again);
    *same = status == GDYN_OK && same_values(s->study, design, again);
    return status;
}
