/* page.h - the report of a case as one HTML file that needs nothing else: what the machine can
 * do, its motion, why not.
 *
 * gdyn_findings_create computes everything once, by the functions behind `check`, `regions`,
 * `traverse` and `reactions`; gdyn_page_of_case writes it. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/text.h"
#include "casefile/casefile.h"

GDYN_API_BEGIN

typedef struct gdyn_findings gdyn_findings;

/* What is known of a case with a machine: at its first guess, and along the `count` trajectories
 * from `first` on. The instance is borrowed. Paths that are none go to the sink. */
gdyn_status gdyn_findings_create(const gdyn_instance *instance, int first, int count,
                                 const gdyn_sink *sink, gdyn_findings **findings);
void gdyn_findings_destroy(gdyn_findings *findings);
/* The machine is assembled, follows its trajectories, and the drives can move it along all of
 * them. */
bool gdyn_findings_good(const gdyn_findings *findings);
/* Why not, or what it can do, in one line; appended. */
void gdyn_findings_verdict(const gdyn_findings *findings, gdyn_text *out);

/* How a page can be made again. */
typedef struct gdyn_page_origin {
    const char *command; /* the command line */
    char hash[17];       /* of the case: see gdyn_page_hash */
} gdyn_page_origin;

/* 64-bit FNV-1a of the case as one self-contained text with these settings (gdyn_case_write), 16
 * hexadecimal digits. */
gdyn_status gdyn_page_hash(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                           char hash[17]);

/* The page. */
gdyn_status gdyn_page_of_case(const gdyn_findings *findings, const gdyn_page_origin *origin,
                              gdyn_text *out);

GDYN_API_END
