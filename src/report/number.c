/* number.c - numbers in documents and tables. */
#include "report/number.h"

#include <math.h>

json_t *gdyn_json_number(double value) {
    return isfinite(value) ? json_real(value + 0.0) : json_null(); /* no -0 */
}

void gdyn_csv_number(gdyn_text *out, double value) {
    if (isnan(value)) {
        gdyn_text_append(out, ",", 1);
    } else {
        gdyn_text_printf(out, ",%.17g", value + 0.0); /* no -0 */
    }
}
