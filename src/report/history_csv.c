/* history_csv.c - the generations of a search as a table. */
#include "report/front.h"

void gdyn_report_history_csv(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_study_result *result = outcome->result;
    gdyn_text_printf(out, "generation,evaluations,population,feasible,front,hypervolume,moved");
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++)
        gdyn_text_printf(out, ",status.%s", gdyn_design_status_name(k));
    gdyn_text_append(out, "\n", 1);
    for (int i = 0; i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        gdyn_text_printf(out, "%ld,%ld,%d,%d,%d,%s,%d", g->number, g->evaluations, g->population,
                         g->feasible, g->front, gdyn_digits(g->hypervolume).text, g->moved);
        for (int k = 0; k < GDYN_DESIGN_STATUSES; k++)
            gdyn_text_printf(out, ",%d", g->status[k]);
        gdyn_text_append(out, "\n", 1);
    }
}
