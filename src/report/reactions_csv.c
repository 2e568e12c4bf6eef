/* reactions_csv.c - one line per pose and component. */
#include "report/number.h"
#include "report/reactions_report.h"

#include <math.h>
#include <string.h>

void gdyn_report_reactions_header(gdyn_text *out) {
    gdyn_text_printf(out, "trajectory,p,d1,d2,joint,component,verdict,value,unit,convention\n");
}

static void place(gdyn_text *out, const gdyn_reaction_frame *frame) {
    gdyn_report_csv_field(out, frame->trajectory ? frame->trajectory : "");
    if (frame->trajectory) {
        gdyn_csv_number(out, frame->p);
        gdyn_csv_number(out, frame->d1);
        gdyn_csv_number(out, frame->d2);
        gdyn_text_append(out, ",", 1);
    } else {
        gdyn_text_printf(out, ",,,,");
    }
}

void gdyn_report_reactions_csv(gdyn_text *out, const gdyn_reaction_frame *frame,
                               const char *convention) {
    const gdyn_reactions *r = frame->r;
    if (!r) {
        place(out, frame);
        gdyn_text_printf(out, ",,%s,,,\n", frame->motion);
        return;
    }
    for (int c = 0; c < r->components; c++) {
        const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
        bool unique = item->verdict == GDYN_UNIQUE;
        place(out, frame);
        gdyn_report_csv_field(out, r->item[item->group].name);
        gdyn_text_printf(out, ",%s,%s,", item->name, gdyn_verdict_text(item->verdict));
        if (frame->values && (unique || convention))
            gdyn_text_printf(out, "%s", gdyn_digits(r->value[c]).text);
        gdyn_text_printf(out, ",%s,%s\n", item->moment ? "N m" : "N",
                         frame->values && !unique && convention ? convention : "");
    }
}
