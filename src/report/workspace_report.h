/* workspace_report.h - workspaces as document, table and pictures. */
#ifndef GDYN_REPORT_WORKSPACE_REPORT_H
#define GDYN_REPORT_WORKSPACE_REPORT_H

#include "report/report.h"
#include "workspace/field.h"

gdyn_status gdyn_report_workspaces_json(gdyn_text *out, const gdyn_instance *instance, int count,
                                        const gdyn_workspace_field *field);
/* One line for each node: workspace, place, status, values, what bounds acceleration and force. */
void gdyn_report_workspaces_csv(gdyn_text *out, const gdyn_instance *instance, int count,
                                const gdyn_workspace_field *field);
/* The pictures of a workspace, scripts with their data (picture_workspace.c): a curve over a
 * line, maps of a plane, slices of a box; what was written is added to `pictures`. */
gdyn_status gdyn_picture_workspace(const char *folder, const gdyn_workspace_field *field,
                                   gdyn_pictures *pictures, const gdyn_sink *sink);
/* "reached", "elsewhere", "left"; of a field that was interrupted "unknown" in place of "left". */
const char *gdyn_node_status_name(const gdyn_workspace_field *field, int node);
/* "c1 min, c4 max": limits of drives; the length is that of snprintf. */
int gdyn_node_bound_text(const gdyn_model *model, const gdyn_node_bound *bound, char *out,
                         size_t size);

#endif
