/* number.h - numbers in documents and tables. */
#ifndef GDYN_REPORT_NUMBER_H
#define GDYN_REPORT_NUMBER_H

#include "base/text.h"

#include <jansson.h>

/* null for what is not finite; no -0. */
json_t *gdyn_json_number(double value);
/* ",1.5", ",inf", ",-inf"; "," for NaN; no -0. All digits: reading it back gives the same bits. */
void gdyn_csv_number(gdyn_text *out, double value);

#endif
