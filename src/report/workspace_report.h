/* workspace_report.h - workspaces as a document. */
#ifndef GDYN_REPORT_WORKSPACE_REPORT_H
#define GDYN_REPORT_WORKSPACE_REPORT_H

#include "base/api.h"
#include "base/text.h"
#include "workspace/field.h"

GDYN_API_BEGIN

gdyn_status gdyn_report_workspaces_json(gdyn_text *out, const char *case_name, int count,
                                        const gdyn_workspace_field *field);

GDYN_API_END

#endif
