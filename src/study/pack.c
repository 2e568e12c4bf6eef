/* pack.c - designs as bytes: the fields of the structure, then its arrays. */
#include "study/internal.h"

#include <string.h>

/* The parts that lie outside the structure. */
typedef struct part {
    void *at;
    size_t bytes;
} part;
enum { PARTS = 6 };

/* In the order of the structure. */
static void parts_of(const gdyn_study *s, const gdyn_design *d, part out[PARTS]) {
    size_t responses = (size_t)s->responses;
    out[0] = (part){d->x, (size_t)s->variables * sizeof *d->x};
    out[1] = (part){d->response, responses * sizeof *d->response};
    out[2] = (part){d->known, responses * sizeof *d->known};
    out[3] = (part){d->objective, (size_t)s->start->objective_count * sizeof *d->objective};
    out[4] = (part){d->constraint, (size_t)s->start->requirement_count * sizeof *d->constraint};
    out[5] = (part){d->joint, (size_t)gdyn_study_joints(s) * sizeof *d->joint};
}

size_t gdyn_pack_size(const gdyn_study *s) {
    const gdyn_design none = {0};
    part parts[PARTS];
    parts_of(s, &none, parts);
    size_t size = sizeof none;
    for (int i = 0; i < PARTS; i++)
        size += parts[i].bytes;
    return size;
}

void gdyn_pack(const gdyn_study *s, const gdyn_design *d, unsigned char *bytes) {
    part parts[PARTS];
    parts_of(s, d, parts);
    memcpy(bytes, d, sizeof *d);
    bytes += sizeof *d;
    for (int i = 0; i < PARTS; bytes += parts[i++].bytes)
        if (parts[i].bytes > 0)
            memcpy(bytes, parts[i].at, parts[i].bytes);
}

void gdyn_unpack(const gdyn_study *s, const unsigned char *bytes, gdyn_design *d) {
    /* The pointers of the sender mean nothing here: keep the own ones. */
    const gdyn_design own = *d;
    part parts[PARTS];
    parts_of(s, d, parts);
    memcpy(d, bytes, sizeof *d);
    d->x = own.x, d->response = own.response, d->known = own.known;
    d->objective = own.objective, d->constraint = own.constraint, d->joint = own.joint;
    bytes += sizeof *d;
    for (int i = 0; i < PARTS; bytes += parts[i++].bytes)
        if (parts[i].bytes > 0)
            memcpy(parts[i].at, bytes, parts[i].bytes);
}
