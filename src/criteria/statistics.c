/* statistics.c - words for statistics, and their values. */
#include "criteria/criteria.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gdyn_statistic_names[] = {"worst",     "least",    "greatest", "mean",
                                            "deviation", "quantile", NULL};

/* "quantile95": the share 0.95; 0 when the digits are none. */
static double share_of(const char *digits, size_t length) {
    double share = 0, unit = 1;
    /* Decimals, so that quantile5 is the median and quantile999 lies at 99.9 %. */
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)digits[i]))
            return 0;
        unit /= 10;
        share += (digits[i] - '0') * unit;
    }
    return share;
}

const char *gdyn_statistic_parse(const char *text, gdyn_statistic *statistic) {
    size_t length = strcspn(text, ".");
    if (!text[length] || !text[length + 1])
        return NULL;
    for (int k = 0; gdyn_statistic_names[k]; k++) {
        const char *name = gdyn_statistic_names[k];
        size_t n = strlen(name);
        /* Only a quantile has digits behind its word. */
        bool digits = k == GDYN_STATISTIC_QUANTILE;
        if (strncmp(text, name, n) != 0 || (digits ? length <= n : length != n))
            continue;
        *statistic =
            (gdyn_statistic){(gdyn_statistic_kind)k, digits ? share_of(text + n, length - n) : 0};
        return digits && !(statistic->share > 0 && statistic->share < 1) ? NULL : text + length + 1;
    }
    return NULL;
}

double gdyn_statistic_value(const gdyn_statistic *statistic, int better, int n, double *value) {
    gdyn_statistic_kind kind = statistic->kind;
    double mean = 0, squares = 0;
    /* Ordered, so that the result does not depend on the order of the sample. */
    qsort(value, (size_t)n, sizeof *value, gdyn_ascending);
    if (kind == GDYN_STATISTIC_LEAST || (kind == GDYN_STATISTIC_WORST && better > 0))
        return value[0];
    if (kind == GDYN_STATISTIC_GREATEST || (kind == GDYN_STATISTIC_WORST && better < 0))
        return value[n - 1];
    if (kind == GDYN_STATISTIC_WORST)
        return NAN;
    if (kind == GDYN_STATISTIC_QUANTILE) {
        /* Between the values on both sides of the place (n - 1) share. */
        double place = (n - 1) * statistic->share;
        int below = (int)fmin(floor(place), n - 1), above = below + 1 < n ? below + 1 : below;
        return value[below] + (place - below) * (value[above] - value[below]);
    }
    for (int i = 0; i < n; i++)
        mean += value[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    return kind == GDYN_STATISTIC_MEAN ? mean : n > 1 ? sqrt(squares / (n - 1)) : 0;
}
