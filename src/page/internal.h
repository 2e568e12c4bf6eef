/* internal.h - what the files of page/ share: what is found, data, text, tables. */
#pragma once

#include "base/text.h"
#include "page/page.h"
#include "page/study_page.h"
#include "reactions/reactions.h"
#include "report/drawing.h"
#include "report/picture.h"
#include "trajectory/examination.h"
#include "trajectory/path_reactions.h"
#include "trajectory/trajectory.h"

/* --- what is found ---------------------------------------------------------------------------- */

/* Poses along a trajectory, p ascending. */
typedef struct gdyn_frames {
    int count;
    double *p;
    gdyn_state **state;
    bool *gap; /* the machine does not get from here to the next pose */
} gdyn_frames;

enum { GDYN_FRAMES_MOST = 160 };

/* One trajectory. */
typedef struct gdyn_finding {
    gdyn_trajectory *t; /* of the examination */
    bool driven;        /* the machine has drives: regions and motion are known */
    gdyn_frames frames; /* of the motion where there is one, else at points of the path */
    /* no point is reached: the one with the best pose, which is the only frame; else -1 */
    int nearest;
} gdyn_finding;

struct gdyn_findings {
    const gdyn_instance *instance;
    gdyn_examination examination;
    int count;
    gdyn_finding *finding; /* count */
    /* At the assembled first guess: */
    bool reacted;
    gdyn_reactions *reactions;
    gdyn_reaction_frame frame;
};

/* Takes the forces of the fastest motion and keeps poses of it. */
gdyn_status gdyn_frames_of_motion(gdyn_frames *frames, gdyn_trajectory *t);
/* Poses at the points of a track that are followed; none: the nearest one, its index in
 * *nearest, else -1. */
gdyn_status gdyn_frames_of_track(gdyn_frames *frames, const gdyn_track *track, int *nearest);

/* The finding is good; why not, or what it gives, in one line. */
bool gdyn_finding_good(const gdyn_finding *f);
void gdyn_finding_verdict(const gdyn_finding *f, gdyn_text *out);

/* --- data of the script ----------------------------------------------------------------------- */

/* What belongs to a trajectory besides its finding. */
typedef struct gdyn_page_trajectory {
    const gdyn_finding *finding;
    gdyn_drawing
        ground;         /* what stands still: the path of the tools, what of it is missed, guides */
    gdyn_legend legend; /* of its regions; set NULL: there are none */
} gdyn_page_trajectory;

/* At most so many poses, points of the motion, regions of each trajectory. */
typedef struct gdyn_page_detail {
    int frames, motion, regions;
} gdyn_page_detail;
enum { GDYN_PAGE_REGIONS_MOST = 122 };

/* guess: the parts of the machine, and the joints that are open at its first guess. */
gdyn_status gdyn_page_data(const gdyn_findings *findings, const gdyn_drawing *guess, int count,
                           const gdyn_page_trajectory *trajectory, const gdyn_page_detail *detail,
                           gdyn_text *out);

/* page.c: the same of findings alone. */
gdyn_status gdyn_page_design_data(const gdyn_findings *findings, const gdyn_page_detail *detail,
                                  gdyn_text *out);
/* From the first line to the begin of the content. */
void gdyn_page_head(gdyn_text *out, const char *title);
/* The canvas of a machine with its controls; number: of the trajectory, -1: the first guess
 * alone; moves: with a slider; reacted: verdicts of the joints are known. */
void gdyn_page_viewer(gdyn_text *out, int number, bool moves, bool reacted);

/* --- text ------------------------------------------------------------------------------------- */

/* A text as content or as the value of a quoted attribute. Control characters become U+FFFD. */
void gdyn_html_text(gdyn_text *out, const char *text);
/* The same of a text that was put together, which is freed. */
void gdyn_html_take(gdyn_text *out, gdyn_text *text);
/* <tag attributes>text</tag>; attributes: "" or " class=\"x\"", not escaped. */
void gdyn_html_element(gdyn_text *out, const char *tag, const char *attributes, const char *text);
/* <dt>term</dt><dd attributes>text</dd>; neither term nor attributes are escaped. */
void gdyn_html_term(gdyn_text *out, const char *term, const char *attributes, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
/* A JSON document as the content of a script: <, >, &, U+2028 and U+2029 become \uXXXX, which
 * mean the same in its strings, where alone they occur. */
void gdyn_html_data(gdyn_text *out, const char *json, size_t length);

/* --- tables ----------------------------------------------------------------------------------- */

/* Criteria of one trajectory with their units. */
void gdyn_table_criteria(gdyn_text *out, const gdyn_trajectory *t);
/* Reactions at the first guess: joints, verdicts, components, values where they are unique. */
void gdyn_table_reactions(gdyn_text *out, const gdyn_findings *f);
/* Counts of the machine; its drives with their limits. */
void gdyn_table_machine(gdyn_text *out, const gdyn_findings *f);
void gdyn_table_drives(gdyn_text *out, const gdyn_instance *instance);

/* --- style and scripts ------------------------------------------------------------------------ */

extern const char gdyn_page_css[], gdyn_viewer_js[], gdyn_region_js[], gdyn_trajectory_js[],
    gdyn_page_js[];
/* of a study's page */
extern const char gdyn_designs_js[], gdyn_scatter_js[], gdyn_parallel_js[], gdyn_table_js[],
    gdyn_study_js[];

/* --- the page of a study ---------------------------------------------------------------------- */

/* What is known of designs, as columns. */
typedef struct gdyn_study_columns {
    int count, capacity;
    gdyn_trait *column;
    int left_out; /* criteria for which a study of this size has no room */
} gdyn_study_columns;

/* Variables, objectives, constraints; criteria that some design has and no objective is, as far
 * as there is room. */
gdyn_status gdyn_study_columns_make(const gdyn_stored *stored, gdyn_study_columns *columns);

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

/* What a page has of a large study: views of the same designs, thinned; their lists and marks are
 * to be freed, also after GDYN_ERROR_MEMORY. */
gdyn_status gdyn_study_thin(const gdyn_stored *stored, gdyn_stored *thin);

/* --- study_drawings.c ------------------------------------------------------------------------- */

/* The designs of a study that are drawn: the start, the best of each objective, others spread
 * over the front; of a sweep and without a front others spread over all. Each as a script
 * element with its data. Nothing without a machine. */
gdyn_status gdyn_study_drawings_write(gdyn_study_drawings *drawings, const gdyn_stored *stored,
                                      gdyn_text *out);
