/* platform.h - what the last bits of results depend on besides the case (internal to study). */
#ifndef GDYN_STUDY_PLATFORM_H
#define GDYN_STUDY_PLATFORM_H

#include "base/text.h"

/* Appends one line: releases of globdyn and of the libraries that compute, the kernel that OpenBLAS chose
 * for this processor, and the vector instructions by which the C library chooses its functions. */
void gdyn_platform(gdyn_text *line);

#endif
