/* common.h - what many regions have in common (internal to access). */
#ifndef GDYN_ACCESS_COMMON_H
#define GDYN_ACCESS_COMMON_H

#include "access/access.h"

typedef struct gdyn_common gdyn_common;

gdyn_common *gdyn_common_create(void);
void gdyn_common_destroy(gdyn_common *common);
/* One more region. It is borrowed: it has to stay as it is until the last gdyn_common_region. */
gdyn_status gdyn_common_add(gdyn_common *common, const gdyn_region *region);
/* What all regions so far have in common, into `out`, which is none of them; UNKNOWN when one of them is, or there
 * is none. */
gdyn_status gdyn_common_region(gdyn_common *common, gdyn_region *out);

#endif
