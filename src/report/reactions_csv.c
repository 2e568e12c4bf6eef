/* reactions_csv.c - one line per pose and component. */
#include "report/number.h"
#include "report/reactions_report.h"

#include <math.h>
#include <string.h>

void gdyn_report_reactions_header(gdyn_text *out) {
    gdyn_text_printf(out, "trajectory,p,d1,d2,joint,component,verdict,value,unit,convention\n");
}

static void place(gdyn_text *out, const gdyn_reaction_frame *frame) {
    /* Empty fields at the first guess: no trajectory. */
    const double values[] = {frame->p, frame->d1, frame->d2};
    if (frame->trajectory) {
        gdyn_csv_word(out, frame->trajectory);
        gdyn_csv_numbers(out, 3, values);
    } else {
        gdyn_text_printf(out, ",,,");
    }
}

void gdyn_report_reactions_csv(gdyn_text *out, const gdyn_reaction_frame *frame,
                               const char *convention) {
    const gdyn_reactions *r = frame->r;
    /* A pose without reactions has one row with the reason. */
    if (!r) {
        place(out, frame);
        gdyn_text_printf(out, ",,,%s,,,\n", frame->motion);
        return;
    }
    for (int c = 0; c < r->components; c++) {
        const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
        bool unique = item->verdict == GDYN_UNIQUE;
        place(out, frame);
        gdyn_csv_word(out, r->item[item->group].name);
        gdyn_text_printf(out, ",%s,%s", item->name, gdyn_verdict_text(item->verdict));
        /* Values that are not unique only by a convention, which the last column names. */
        gdyn_csv_number(out, frame->values && (unique || convention) ? r->value[c] : NAN);
        gdyn_text_printf(out, ",%s,%s\n", item->moment ? "N m" : "N",
                         frame->values && !unique && convention ? convention : "");
    }
}
