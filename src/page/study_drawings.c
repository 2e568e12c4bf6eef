/* study_drawings.c - machines of some designs of a study with their motions and regions; see
 * study_parts.h. */

#include "base/memory.h"
#include "page/internal.h"
#include "study/choose.h"

#include <string.h>

enum { DRAWN_MOST = 24 };

/* Poses, points of the motion and regions of a trajectory: a design takes some ten kilobytes. */
static const gdyn_page_detail DETAIL = {.frames = 40, .motion = 60, .regions = 16};

typedef struct drawing {
    long serial;
    gdyn_text data; /* empty: its machine cannot be made */
} drawing;

struct gdyn_study_drawings {
    int count, capacity;
    drawing *drawing;
};

gdyn_study_drawings *gdyn_study_drawings_create(void) {
    return gdyn_alloc(1, sizeof(gdyn_study_drawings));
}

void gdyn_study_drawings_destroy(gdyn_study_drawings *all) {
    if (!all)
        return;
    for (int i = 0; i < all->count; i++)
        gdyn_text_free(&all->drawing[i].data);
    gdyn_free(all->drawing), gdyn_free(all);
}

/* --- which designs ---------------------------------------------------------------------------- */

typedef struct choice {
    int count;
    const gdyn_design *design[DRAWN_MOST];
} choice;

static void choose(choice *c, const gdyn_design *d) {
    bool there = d == NULL || c->count >= DRAWN_MOST;
    for (int i = 0; i < c->count; i++)
        there = there || c->design[i]->serial == d->serial;
    if (!there)
        c->design[c->count++] = d;
}

static gdyn_status choose_all(choice *c, const gdyn_stored *stored) {
    const gdyn_archive *all = &stored->result.archive, *front = &stored->result.front;
    const gdyn_instance *start = gdyn_study_start(stored->study);
    gdyn_infeasibility why = {0};
    gdyn_status status = GDYN_OK;
    choose(c, gdyn_archive_find(all, 0));
    for (int k = 0; k < start->objective_count && front->count > 0; k++)
        choose(c, gdyn_front_best(stored->study, front, k));
    if (front->count == 0 && start->objective_count > 0) {
        status = gdyn_infeasibility_find(stored->study, all, &why);
        choose(c, why.nearest);
        gdyn_infeasibility_clear(&why);
    }
    /* evenly from the first to the last */
    const gdyn_archive *archive = front->count > 0 ? front : all;
    int room = DRAWN_MOST - c->count;
    for (int i = 0; i < room && archive->count > 0; i++)
        choose(c, archive->design[room > 1 ? (long)i * (archive->count - 1) / (room - 1) : 0]);
    return status;
}

/* --- their drawings --------------------------------------------------------------------------- */

/* The data of one machine; a design that is no machine has none. */
static gdyn_status draw(const gdyn_stored *stored, const gdyn_design *d, gdyn_text *out) {
    const gdyn_sink sink = {.emit = NULL};
    gdyn_instance *instance = NULL;
    gdyn_findings *findings = NULL;
    gdyn_status status = gdyn_study_instance(stored->study, d->x, &sink, &instance);
    if (status == GDYN_OK && instance->model)
        status = gdyn_findings_create(instance, 0, instance->trajectory_count, &sink, &findings);
    if (status == GDYN_OK && findings)
        status = gdyn_page_design_data(findings, &DETAIL, out);
    gdyn_findings_destroy(findings);
    gdyn_instance_destroy(instance);
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* The drawing of a design, made where there is none yet; NULL: no memory. */
static const drawing *drawing_of(gdyn_study_drawings *all, const gdyn_stored *stored,
                                 const gdyn_design *d) {
    for (int i = 0; i < all->count; i++)
        if (all->drawing[i].serial == d->serial)
            return &all->drawing[i];
    if (!gdyn_reserve(&all->drawing, &all->capacity, all->count + 1, sizeof *all->drawing))
        return NULL;
    drawing *one = &all->drawing[all->count];
    *one = (drawing){.serial = d->serial};
    gdyn_status status = draw(stored, d, &one->data);
    if (status != GDYN_OK || one->data.failed) {
        gdyn_text_free(&one->data);
        return NULL;
    }
    all->count++;
    return one;
}

gdyn_status gdyn_study_drawings_write(gdyn_study_drawings *all, const gdyn_stored *stored,
                                      gdyn_text *out) {
    choice c = {0};
    if (!gdyn_study_start(stored->study)->model)
        return GDYN_OK;
    gdyn_status status = choose_all(&c, stored);
    for (int i = 0; i < c.count && status == GDYN_OK; i++) {
        const drawing *one = drawing_of(all, stored, c.design[i]);
        if (!one)
            return GDYN_ERROR_MEMORY;
        if (one->data.length == 0)
            continue;
        gdyn_text_printf(out,
                         "<script type=\"application/json\" class=\"drawing\" "
                         "data-design=\"%ld\">",
                         one->serial);
        gdyn_html_data(out, one->data.data, one->data.length);
        gdyn_text_printf(out, "</script>\n");
    }
    return status;
}
