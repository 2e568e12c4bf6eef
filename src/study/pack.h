/* pack.h - designs as bytes between processes of one machine type (internal to study). */
#ifndef GDYN_STUDY_PACK_H
#define GDYN_STUDY_PACK_H

#include "study/study.h"

/* Bytes that any design of the study takes. */
size_t gdyn_pack_size(const gdyn_study *study);
/* Every bit of the design; the sizes of its parts are known on both sides. */
void gdyn_pack(const gdyn_study *study, const gdyn_design *design, unsigned char *bytes);
void gdyn_unpack(const gdyn_study *study, const unsigned char *bytes, gdyn_design *design);

#endif
