/* modes_report.h - modes of a machine as a block of a case and as a document. */
#ifndef GDYN_REPORT_MODES_REPORT_H
#define GDYN_REPORT_MODES_REPORT_H

#include "base/text.h"
#include "report/report.h"
#include "trajectory/modes.h"

/* "poses:" with a pose m1, m2, ... of each mode, indented to stand under machine:. */
void gdyn_report_modes_yaml(gdyn_text *out, const gdyn_modes *modes);
gdyn_status gdyn_report_modes_json(gdyn_text *out, const gdyn_modes *modes);
/* The modes side by side, at most 24; what was written is added to `pictures`. */
gdyn_status gdyn_pictures_of_modes(const char *folder, const gdyn_modes *modes,
                                   gdyn_pictures *pictures, const gdyn_sink *sink);
/* "first guess", "mirrored legs", "sampled guess". */
const char *gdyn_mode_start_name(gdyn_mode_start start);

#endif
