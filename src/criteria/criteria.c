/* criteria.c - rows of the vocabulary by their names; their dimensions and units; values.
 *
 * The dimension of a row is [unit] [p]^p [F]^effort, where [p] is that of the path's parameter
 * and [F] that of the drives' forces; its unit is written as numerator and denominator of that
 * product. */
#include "criteria/criteria.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- rows --------------------------------------------------------------------------------- */

int gdyn_criterion_next(int after, unsigned of, bool formula) {
    /* Rows that belong to one of these, in their order. */
    for (int i = after + 1; i < GDYN_CRITERIA; i++) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[i];
        if (row->of & of && (row->formula || !formula))
            return i;
    }
    return -1;
}

int gdyn_criterion_find(const char *name, unsigned of, bool formula) {
    int i = gdyn_criterion_next(-1, of, formula);
    while (i >= 0 && strcmp(gdyn_criterion_table[i].name, name) != 0)
        i = gdyn_criterion_next(i, of, formula);
    return i;
}

int gdyn_criterion_names(unsigned of, bool formula, const char **names) {
    int count = 0;
    for (int i = -1; (i = gdyn_criterion_next(i, of, formula)) >= 0;)
        names[count++] = gdyn_criterion_table[i].name;
    return count;
}

/* --- units -------------------------------------------------------------------------------- */

gdyn_dimension gdyn_criterion_dimension(gdyn_criterion criterion, gdyn_dimension p,
                                        gdyn_dimension effort) {
    assert(criterion < GDYN_CRITERIA);
    const gdyn_criterion_row *row = &gdyn_criterion_table[criterion];
    gdyn_dimension dimension = GDYN_DIM_NONE;
    /* The row's own unit; "" is a pure number. */
    double factor;
    if (!row->unit || (*row->unit && !gdyn_unit_parse(row->unit, &factor, &dimension)))
        return GDYN_DIM_UNKNOWN;
    /* Times powers of the path parameter and of the drives' effort. */
    if (row->p != 0)
        dimension = gdyn_dimension_product(dimension, gdyn_dimension_power(p, row->p), 1);
    if (row->effort != 0)
        dimension = gdyn_dimension_product(dimension, gdyn_dimension_power(effort, row->effort), 1);
    return dimension;
}

/* Writes unit^power behind what stands there, joined by `join` unless it is the first. */
static void append_power(gdyn_words *words, const char *join, const char *unit, int power) {
    size_t length = strlen(words->text), size = sizeof words->text;
    /* nothing to write */
    if (power <= 0 || !*unit)
        return;
    snprintf(words->text + length, size - length, power > 1 ? "%s%s^%d" : "%s%s",
             length ? join : "", unit, power);
}

gdyn_words gdyn_criterion_unit(gdyn_criterion criterion, const char *p_unit,
                               const char *effort_unit) {
    assert(criterion < GDYN_CRITERIA);
    const gdyn_criterion_row *row = &gdyn_criterion_table[criterion];
    const char *own = row->unit ? row->unit : "";
    bool below = own[0] == '1' && own[1] == '/'; /* "/s^3" of "1/s^3" */
    gdyn_words words = {""};
    /* what multiplies */
    append_power(&words, " ", p_unit, row->p);
    append_power(&words, " ", effort_unit, row->effort);
    append_power(&words, " ", below ? "" : own, 1);
    append_power(&words, "", below && !*words.text ? "1" : "", 1);
    /* what divides */
    append_power(&words, "", below ? own + 1 : "", 1);
    append_power(&words, "/", p_unit, -row->p);
    append_power(&words, "/", effort_unit, -row->effort);
    return words;
}

/* --- values ------------------------------------------------------------------------------- */

gdyn_criteria gdyn_criteria_none(void) {
    /* NaN: not evaluated. */
    gdyn_criteria c = {.passes = 0};
    for (int i = 0; i < GDYN_CRITERIA; i++)
        c.value[i] = NAN;
    return c;
}

int gdyn_criteria_next(const gdyn_criteria *c, int after) {
    assert(after >= -1 && after < GDYN_CRITERIA);
    /* Passes that were made decide which rows are shown. */
    int i = gdyn_criterion_next(after, GDYN_OF_TRAJECTORY, true);
    while (i >= 0 && !(gdyn_criterion_table[i].pass & c->passes))
        i = gdyn_criterion_next(i, GDYN_OF_TRAJECTORY, true);
    return i;
}

double gdyn_criterion_worse(gdyn_criterion criterion, double a, double b) {
    /* A missing value does not make the other one worse. */
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return gdyn_criterion_table[criterion].better < 0 ? fmax(a, b) : fmin(a, b);
}

bool gdyn_criterion_worst(gdyn_criterion criterion, double value) {
    /* Infinite in the bad direction. */
    int better = gdyn_criterion_table[criterion].better;
    return isinf(value) && better != 0 && (value > 0) == (better < 0);
}

const char *gdyn_criterion_unbounded(int row, double value) {
    const char *worst = row < 0 ? NULL : gdyn_criterion_table[row].worst;
    if (worst && gdyn_criterion_worst((gdyn_criterion)row, value))
        return worst;
    return value > 0 ? "unbounded" : "-unbounded";
}
