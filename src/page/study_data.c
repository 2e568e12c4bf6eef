/* study_data.c - the designs of a study for the script of its page; see study_parts.h.
 *
 * A column is a list of little-endian IEEE numbers in base 64 (RFC 4648): 32 bits, or 64 where
 * these would change a value by more than a millionth. NaN: not known. */
#include "page/internal.h"
#include "report/number.h"

#include "base/memory.h"
#include "search/fronts.h"
#include "study/choose.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- base 64 ---------------------------------------------------------------------------------- */

static const char LETTER[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Bytes that wait until three of them make four letters. */
typedef struct letters {
    gdyn_text *out;
    unsigned held;
    int bytes;
} letters;

static void put_byte(letters *l, unsigned byte) {
    l->held = l->held << 8 | byte;
    if (++l->bytes < 3)
        return;
    const char four[] = {LETTER[l->held >> 18 & 63], LETTER[l->held >> 12 & 63],
                         LETTER[l->held >> 6 & 63], LETTER[l->held & 63]};
    gdyn_text_append(l->out, four, 4);
    l->held = 0, l->bytes = 0;
}

/* The least significant byte first. */
static void put_bytes(letters *l, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++)
        put_byte(l, bits >> 8 * i & 255);
}

/* A member with the text, and away with it. */
static void put(gdyn_json_writer *w, const char *key, letters *l) {
    if (l->bytes != 0) {
        unsigned held = l->held << 8 * (3 - l->bytes);
        const char four[] = {LETTER[held >> 18 & 63], LETTER[held >> 12 & 63],
                             l->bytes > 1 ? LETTER[held >> 6 & 63] : '=', '='};
        gdyn_text_append(l->out, four, 4);
    }
    gdyn_json_put_text(w, key, l->out->data ? l->out->data : "");
    w->failed |= l->out->failed;
    gdyn_text_free(l->out);
}

/* --- columns ---------------------------------------------------------------------------------- */

static void put_values(gdyn_json_writer *w, const gdyn_trait *column, const gdyn_archive *archive) {
    gdyn_text text = {0};
    letters l = {.out = &text};
    bool wide = false;
    for (int i = 0; i < archive->count; i++) {
        /* 32 bits keep the value to a millionth */
        double value = gdyn_trait_value(column->kind, column->index, archive->design[i]);
        wide |= isfinite(value) &&
                !(fabs(value) < 1e38 && fabs((double)(float)value - value) <= 1e-6 * fabs(value));
    }
    for (int i = 0; i < archive->count; i++) {
        double value = gdyn_trait_value(column->kind, column->index, archive->design[i]);
        float narrow = (float)value;
        uint64_t bits = 0;
        uint32_t half;
        memcpy(&half, &narrow, sizeof half), memcpy(&bits, &value, sizeof bits);
        put_bytes(&l, wide ? bits : half, wide ? 8 : 4);
    }
    gdyn_json_put_number(w, "wide", wide);
    put(w, "data", &l);
}

/* Bounds and choices of a variable. */
static void put_variable(gdyn_json_writer *w, const gdyn_design_variable *v) {
    gdyn_json_put_number(w, "low", v->min);
    gdyn_json_put_number(w, "high", v->max);
    if (v->choices == 0)
        return;
    gdyn_json_open(w, "choices", '[');
    for (int i = 0; i < v->choices; i++)
        gdyn_json_put_text(w, NULL, v->choice[i]);
    gdyn_json_close(w, ']');
}

static void put_column(gdyn_json_writer *w, const gdyn_trait *column, const gdyn_stored *stored) {
    static const char *const kind[] = {"variable", "objective", "constraint", "criterion"};
    const gdyn_instance *start = gdyn_study_start(stored->study);
    gdyn_json_open(w, NULL, '{');
    gdyn_json_put_text(w, "kind", kind[column->kind]);
    gdyn_json_put_text(w, "name", column->name);
    gdyn_json_put_text(w, "unit", gdyn_picture_letters(column->unit).text);
    if (column->kind == GDYN_TRAIT_VARIABLE)
        put_variable(w, &start->design[column->index]);
    if (column->kind == GDYN_TRAIT_OBJECTIVE)
        gdyn_json_put_number(w, "sense", start->objective[column->index].maximize ? 1 : -1);
    if (column->kind == GDYN_TRAIT_CONSTRAINT) {
        gdyn_json_put_number(w, "relation", start->requirement[column->index].relation);
        gdyn_json_put_number(w, "right", start->requirement[column->index].right);
    }
    put_values(w, column, &stored->result.archive);
    gdyn_json_close(w, '}');
}

/* --- reasons ---------------------------------------------------------------------------------- */

/* The part of a reason that does not depend on the place. */
static int part(const char *reason) {
    const char *place = strstr(reason, " at p = ");
    return place ? (int)(place - reason) : (int)strlen(reason);
}

/* Number of a design's reason, -1: it has none, or one of those beyond the most. */
static int reasons_of(const gdyn_reasons *reasons, const gdyn_design *d) {
    int length = part(d->reason);
    for (int i = 0; i < reasons->count && length > 0; i++) {
        const gdyn_reason *r = &reasons->reason[i];
        if (r->status == d->status && r->length == length &&
            strncmp(r->text, d->reason, (size_t)length) == 0)
            return i;
    }
    return -1;
}

static int by_count(const void *a, const void *b) {
    const gdyn_reason *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->status != y->status ? (x->status < y->status ? -1 : 1) : strcmp(x->text, y->text);
}

void gdyn_reasons_find(const gdyn_archive *archive, gdyn_reasons *reasons) {
    reasons->count = 0;
    for (int i = 0; i < archive->count; i++) {
        const gdyn_design *d = archive->design[i];
        int known = reasons_of(reasons, d);
        if (known >= 0)
            reasons->reason[known].count++;
        else if (*d->reason && reasons->count < GDYN_REASONS_MOST)
            reasons->reason[reasons->count++] =
                (gdyn_reason){d->reason, part(d->reason), 1, d->status};
    }
    qsort(reasons->reason, (size_t)reasons->count, sizeof *reasons->reason, by_count);
}

/* --- the document ----------------------------------------------------------------------------- */

/* Numbers, statuses, and which designs are on the front. */
static void put_designs(gdyn_json_writer *w, const gdyn_study_result *result) {
    gdyn_text text[3] = {{0}, {0}, {0}};
    letters serial = {.out = &text[0]}, status = {.out = &text[1]}, front = {.out = &text[2]};
    for (int i = 0; i < result->archive.count; i++) {
        const gdyn_design *d = result->archive.design[i];
        put_bytes(&serial, (uint64_t)d->serial, 4);
        put_byte(&status, (unsigned)d->status);
        put_byte(&front, result->nondominated && result->nondominated[i]);
    }
    put(w, "serial", &serial);
    put(w, "status", &status);
    put(w, "front", &front);
    gdyn_json_open(w, "statuses", '[');
    for (gdyn_design_status s = 0; s < GDYN_DESIGN_STATUSES; s++)
        gdyn_json_put_text(w, NULL, gdyn_design_status_name(s));
    gdyn_json_close(w, ']');
}

gdyn_status gdyn_study_data(const gdyn_stored *stored, const gdyn_study_columns *columns,
                            const gdyn_study_origin *origin, gdyn_text *out) {
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_COMPACT};
    gdyn_reasons *reasons = gdyn_alloc(1, sizeof *reasons);
    if (!reasons)
        return GDYN_ERROR_MEMORY;
    gdyn_reasons_find(&stored->result.archive, reasons);
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_text(&w, "study", origin->study);
    gdyn_json_put_number(&w, "live", origin->live);
    gdyn_json_put_number(&w, "count", stored->result.archive.count);
    gdyn_json_put_number(&w, "leftOut", columns->left_out);
    put_designs(&w, &stored->result);
    gdyn_text text = {0};
    letters l = {.out = &text};
    gdyn_json_open(&w, "reasons", '[');
    for (int i = 0; i < reasons->count; i++) {
        gdyn_text one = {0};
        gdyn_text_append(&one, reasons->reason[i].text, (size_t)reasons->reason[i].length);
        gdyn_json_put_text(&w, NULL, one.data ? one.data : "");
        w.failed |= one.failed;
        gdyn_text_free(&one);
    }
    gdyn_json_close(&w, ']');
    /* 255: none */
    for (int i = 0; i < stored->result.archive.count; i++)
        put_byte(&l, (unsigned)reasons_of(reasons, stored->result.archive.design[i]) & 255);
    put(&w, "reason", &l);
    gdyn_json_open(&w, "columns", '[');
    for (int i = 0; i < columns->count; i++)
        put_column(&w, &columns->column[i], stored);
    gdyn_json_close(&w, ']'), gdyn_json_close(&w, '}');
    gdyn_free(reasons);
    return gdyn_json_end(&w);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Numbers of criteria that a page holds: some two megabytes. */
static const double ROOM = 4e5;

static gdyn_status add_column(gdyn_study_columns *c, const gdyn_study *study, gdyn_trait_kind kind,
                              int index) {
    if (!gdyn_reserve(&c->column, &c->capacity, c->count + 1, sizeof *c->column))
        return GDYN_ERROR_MEMORY;
    c->column[c->count++] = gdyn_trait_of(study, kind, index);
    return GDYN_OK;
}

/* Some design has it, and it is not the same in all. */
static bool varies(const gdyn_archive *archive, int response) {
    double first = NAN;
    for (int i = 0; i < archive->count; i++) {
        double value = gdyn_design_response(archive->design[i], response);
        if (isnan(value))
            continue;
        if (!isnan(first) && value != first)
            return true;
        first = value;
    }
    return false;
}

static gdyn_status add_criteria(gdyn_study_columns *c, const gdyn_stored *stored) {
    const gdyn_study *study = stored->study;
    const gdyn_archive *archive = &stored->result.archive;
    const gdyn_instance *start = gdyn_study_start(study);
    int room = archive->count > 0 ? (int)fmin(ROOM / archive->count, 400) : 0;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < gdyn_study_responses(study) && status == GDYN_OK; i++) {
        const char *name = gdyn_study_response_name(study, i);
        bool known = gdyn_study_response_kind(study, i) == GDYN_RESPONSE_PARAMETER;
        for (int k = 0; k < start->objective_count; k++) /* what an objective is */
            known |= !strcmp(start->objective[k].text, name);
        if (known || !varies(archive, i))
            continue;
        if (room-- > 0)
            status = add_column(c, study, GDYN_TRAIT_CRITERION, i);
        else
            c->left_out++;
    }
    return status;
}

gdyn_status gdyn_study_columns_make(const gdyn_stored *stored, gdyn_study_columns *c) {
    static const gdyn_trait_kind order[] = {GDYN_TRAIT_OBJECTIVE, GDYN_TRAIT_VARIABLE,
                                            GDYN_TRAIT_CONSTRAINT};
    gdyn_status status = GDYN_OK;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < gdyn_traits(stored->study, order[k]) && status == GDYN_OK; i++)
            status = add_column(c, stored->study, order[k], i);
    return status == GDYN_OK ? add_criteria(c, stored) : status;
}

/* --- large studies ---------------------------------------------------------------------------- */

/* Designs that a page has, and those of the front among them. */
enum { DESIGNS_MOST = 20000, FRONT_MOST = 5000 };

void gdyn_study_thinning(const gdyn_stored *stored, gdyn_text *out) {
    int front = stored->result.front.count, all = stored->result.archive.count;
    if (all > DESIGNS_MOST || front > FRONT_MOST)
        gdyn_text_printf(out,
                         "at most %d of %d designs, %d of %d of the front: the best in each "
                         "objective, others by crowding distance; off the front evenly by number",
                         DESIGNS_MOST, all, front < FRONT_MOST ? front : FRONT_MOST, front);
}

static void show(const gdyn_archive *archive, const gdyn_design *d, bool *shown) {
    if (d)
        shown[gdyn_archive_place(archive, d->serial)] = true;
}

/* Of the front the members that crowd the least. */
static gdyn_status thin_front(const gdyn_study *study, const gdyn_study_result *r, bool *shown) {
    int m = gdyn_study_start(study)->objective_count, count = r->front.count;
    gdyn_fronts *fronts = gdyn_fronts_create(count, m);
    double *F = gdyn_front_objectives(study, &r->front);
    double *crowding = gdyn_alloc((size_t)count, sizeof *crowding);
    int *member = gdyn_alloc((size_t)count, sizeof *member);
    bool ready = fronts && F && crowding && member;
    for (int i = 0; ready && i < count; i++)
        member[i] = i;
    if (ready)
        gdyn_fronts_thin(fronts, F, count, member, FRONT_MOST, crowding);
    for (int i = 0; ready && i < FRONT_MOST && i < count; i++)
        show(&r->archive, r->front.design[member[i]], shown);
    gdyn_fronts_destroy(fronts);
    gdyn_free(F), gdyn_free(crowding), gdyn_free(member);
    return ready ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Which designs a page has; the start, the best in each objective and (nothing feasible) the
 * nearest in any case. */
static gdyn_status choose_shown(const gdyn_stored *stored, bool *shown) {
    const gdyn_study_result *r = &stored->result;
    gdyn_infeasibility why = {0};
    gdyn_status status = GDYN_OK;
    int m = gdyn_study_start(stored->study)->objective_count, front = r->front.count;
    if (front > 0)
        status = thin_front(stored->study, r, shown);
    else if (m > 0)
        status = gdyn_infeasibility_find(stored->study, &r->archive, &why);
    long room = DESIGNS_MOST - (front < FRONT_MOST ? front : FRONT_MOST), others = 0, j = 0;
    for (int i = 0; i < r->archive.count; i++)
        others += !r->nondominated[i];
    room -= room < others ? 2 : 0; /* the start and the nearest may come on top */
    for (int i = 0; i < r->archive.count; i++)
        if (r->nondominated[i])
            shown[i] |= front <= FRONT_MOST;
        else
            shown[i] = room >= others || (j + 1) * room / others > j * room / others, j++;
    for (int k = 0; k < m && front > 0; k++)
        show(&r->archive, gdyn_front_best(stored->study, &r->front, k), shown);
    show(&r->archive, gdyn_archive_find(&r->archive, 0), shown);
    show(&r->archive, why.nearest, shown);
    gdyn_infeasibility_clear(&why);
    return status;
}

gdyn_status gdyn_study_thin(const gdyn_stored *stored, gdyn_stored *thin) {
    const gdyn_study_result *r = &stored->result;
    size_t count = (size_t)r->archive.count + 1;
    bool *shown = gdyn_alloc(count, sizeof *shown);
    gdyn_study_result *t = &thin->result;
    *thin = *stored;
    t->archive = t->front = (gdyn_archive){0};
    t->archive.design = gdyn_alloc(count, sizeof(gdyn_design *));
    t->front.design = gdyn_alloc((size_t)r->front.count + 1, sizeof(gdyn_design *));
    t->nondominated = gdyn_alloc(count, sizeof *t->nondominated);
    gdyn_status status = shown && t->archive.design && t->front.design && t->nondominated
                             ? choose_shown(stored, shown)
                             : GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && i < r->archive.count; i++)
        if (shown[i]) {
            t->nondominated[t->archive.count] = r->nondominated[i];
            t->archive.design[t->archive.count++] = r->archive.design[i];
        }
    for (int i = 0; status == GDYN_OK && i < r->front.count; i++)
        if (gdyn_archive_find(&t->archive, r->front.design[i]->serial))
            t->front.design[t->front.count++] = r->front.design[i];
    gdyn_free(shown);
    return status;
}
