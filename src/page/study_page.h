/* study_page.h - a study as one HTML file that needs nothing else: its designs as a scatter, as
 * parallel coordinates and as a table that are linked, failures by kind, the history, and
 * designs of the front with their machines and regions. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/text.h"
#include "study/store.h"

GDYN_API_BEGIN

/* The drawings of designs, computed once each: a page that is written again while a study runs
 * computes new ones only. */
typedef struct gdyn_study_drawings gdyn_study_drawings;
gdyn_study_drawings *gdyn_study_drawings_create(void); /* NULL: no memory */
void gdyn_study_drawings_destroy(gdyn_study_drawings *drawings);

/* What a page says of itself. */
typedef struct gdyn_study_origin {
    const char *command; /* the command line that wrote the page */
    const char *study;   /* the study as a word of a command line, quoted for a shell */
    const char *state;   /* "running", "finished: ...", "interrupted" */
    bool live;           /* it will be written again: the page loads itself again */
} gdyn_study_origin;

/* How many designs of a large study its page has, and which; nothing if it has all. Appended. */
void gdyn_study_thinning(const gdyn_stored *stored, gdyn_text *out);
/* What the study has found, in one line; appended. */
void gdyn_study_verdict(const gdyn_stored *stored, const char *state, gdyn_text *out);
/* The page. Designs of the front whose machine cannot be made any more are left without a
 * drawing. */
gdyn_status gdyn_page_of_study(const gdyn_stored *stored, const gdyn_study_origin *origin,
                               gdyn_study_drawings *drawings, gdyn_text *out);

GDYN_API_END
