/* unusual.c - unusual numbers without a unit: mostly millimetres, grams or degrees that are read
 * as metres, kilograms and radians. A number with a unit is never doubted.
 *
 * What is usual is taken from the case itself: a bare length of 10 m and more is reported when
 * it is many times the median length, all of them when the median itself is that of a building;
 * a mass when it would be heavier than anything of the machine's size; an inertia when no mass
 * of the machine at its largest length would have it; an angle beyond two turns; a gravity ten
 * times the earth's. */
#include "casefile/reader.h"
#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LARGE = 10;    /* [m] shorter lengths are never reported */
static const double BUILDING = 50; /* [m] median of a machine in wrong units */
static const double OUTLIER = 30;  /* times the median length */
static const double DENSEST =
    2e5;                       /* [kg/m^3] ten times the densest metal, over the machine's cube */
static const double TURNS = 2; /* angles are rarely given beyond */
static const double GRAVITY = 100;     /* [m/s^2] */
static const double INERTIA_PLAY = 10; /* a body may reach beyond the lengths that are given */
enum { FEW = 3, MOST_REPORTED = 20 };  /* lengths that make a median; warnings */

/* Text of a number and nothing else, or the name of a parameter without a unit that follows from
 * no other. */
static bool bare(const gdyn_reader *r, const gdyn_node *node) {
    char *end;
    const gdyn_parameters *p = &r->the_case->parameters;
    /* A plain number, */
    strtod(node->text, &end);
    if (end != node->text && *end == '\0')
        return true;
    /* or a parameter that is one. */
    int i = gdyn_find_parameter(r->the_case, node->text);
    return i >= 0 && !p->dimension[i].known && (!p->expr[i] || gdyn_expr_is_constant(p->expr[i]));
}

static bool is_angle(const gdyn_node *node) {
    static const char *const keys[] = {"angle", "cardan", "pose", NULL};
    const gdyn_node *name = node->name ? node->name : node->parent ? node->parent->name : NULL;
    return gdyn_word_number(keys, name ? name->text : "") >= 0;
}

static bool same(gdyn_dimension a, gdyn_dimension b) {
    return a.known && b.known && a.m == b.m && a.kg == b.kg && a.s == b.s;
}

void gdyn_note_number(gdyn_reader *r, gdyn_node *node, gdyn_dimension dimension, double value) {
    /* Only dimensions whose usual size is known are noted. */
    gdyn_noted_kind kind = same(dimension, GDYN_DIM_LENGTH)         ? GDYN_NOTED_LENGTH
                           : same(dimension, GDYN_DIM_MASS)         ? GDYN_NOTED_MASS
                           : same(dimension, GDYN_DIM_INERTIA)      ? GDYN_NOTED_INERTIA
                           : same(dimension, GDYN_DIM_ACCELERATION) ? GDYN_NOTED_ACCELERATION
                           : same(dimension, GDYN_DIM_NONE) && is_angle(node) ? GDYN_NOTED_ANGLE
                                                                              : GDYN_NOTED_OTHER;
    if (kind == GDYN_NOTED_OTHER || value == 0 || !isfinite(value))
        return;
    gdyn_noted *noted = gdyn_reader_alloc(r, 1, sizeof *noted);
    if (!noted)
        return;
    *noted = (gdyn_noted){node, kind, fabs(value), bare(r, node), r->noted};
    r->noted = noted;
}

/* --- what is usual ------------------------------------------------------------------------ */

typedef struct usual {
    int lengths;
    double median, longest; /* [m] of lengths with a unit, or that are not large */
    double heaviest;        /* [kg] */
    bool building;          /* the median of all lengths is that of a building */
} usual;

static bool find_usual(gdyn_reader *r, usual *u) {
    /* All lengths for the median; the heaviest mass. */
    int count = 0;
    *u = (usual){0};
    for (const gdyn_noted *n = r->noted; n; n = n->next)
        count += n->kind == GDYN_NOTED_LENGTH;
    double *list = gdyn_reader_alloc(r, (size_t)count + 1, sizeof *list);
    if (!list)
        return false;
    for (const gdyn_noted *n = r->noted; n; n = n->next) {
        if (n->kind == GDYN_NOTED_LENGTH)
            list[u->lengths++] = n->value;
        if (n->kind == GDYN_NOTED_MASS)
            u->heaviest = fmax(u->heaviest, n->value);
    }
    qsort(list, (size_t)u->lengths, sizeof *list, gdyn_ascending);
    u->median = u->lengths > 0 ? list[u->lengths / 2] : 0;
    /* Many lengths of a building's size: probably millimetres. */
    u->building = u->lengths >= FEW && u->median >= BUILDING;
    /* The machine's size, without what is doubted itself. */
    for (const gdyn_noted *n = r->noted; n; n = n->next)
        if (n->kind == GDYN_NOTED_LENGTH &&
            !(n->bare && n->value >= LARGE && n->value >= OUTLIER * u->median))
            u->longest = fmax(u->longest, n->value);
    return true;
}

/* --- reports ------------------------------------------------------------------------------ */

/* A mass may be all that a case with a point-like body states: no lengths, no judgement. */
static bool doubtful(const usual *u, const gdyn_noted *n) {
    /* Each kind against the size of the machine. */
    double size = u->longest;
    switch (n->kind) {
    case GDYN_NOTED_LENGTH:
        return u->lengths >= FEW && n->value >= LARGE && n->value >= OUTLIER * u->median;
    case GDYN_NOTED_MASS:
        return u->lengths >= FEW && n->value > DENSEST * size * size * size;
    case GDYN_NOTED_INERTIA:
        return u->lengths >= FEW && u->heaviest > 0 &&
               n->value > INERTIA_PLAY * INERTIA_PLAY * u->heaviest * size * size;
    case GDYN_NOTED_ACCELERATION:
        return n->value > GRAVITY;
    case GDYN_NOTED_ANGLE:
        return n->value > TURNS * 2 * GDYN_PI;
    case GDYN_NOTED_OTHER:
        break;
    }
    return false;
}

/* Where the number is written: at the parameter, where its name stands for it. */
static const gdyn_node *origin(const gdyn_reader *r, const gdyn_node *node) {
    const gdyn_parameters *p = &r->the_case->parameters;
    int i = gdyn_find_parameter(r->the_case, node->text);
    return i >= 0 && p->node[i] ? p->node[i] : node;
}

static void tell(gdyn_reader *r, const usual *u, const gdyn_noted *n) {
    static const struct {
        const char *unit, *instead;
    } words[] = {[GDYN_NOTED_LENGTH] = {"m", "mm"},
                 [GDYN_NOTED_MASS] = {"kg", "g"},
                 [GDYN_NOTED_INERTIA] = {"kg m^2", "kg mm^2"},
                 [GDYN_NOTED_ACCELERATION] = {"m/s^2", "mm/s^2"},
                 [GDYN_NOTED_ANGLE] = {"rad", "deg"}};
    /* What was read, and in which unit it was probably meant. */
    const char *unit = words[n->kind].unit;
    const gdyn_node *at = origin(r, n->node);
    const char *help = gdyn_log_help(r->log, "write %s if it is meant, or another unit: %g %s",
                                     unit, n->value, words[n->kind].instead);
    const char *measure = n->kind == GDYN_NOTED_ANGLE          ? "%.3g turns"
                          : n->kind == GDYN_NOTED_ACCELERATION ? "%.3g times the earth's gravity"
                                                               : "in a machine whose lengths are "
                                                                 "mostly near %.3g m";
    char size[80];
    snprintf(size, sizeof size, measure,
             n->kind == GDYN_NOTED_ANGLE          ? n->value / (2 * GDYN_PI)
             : n->kind == GDYN_NOTED_ACCELERATION ? n->value / 9.81
                                                  : u->median);
    gdyn_log_node(r->log, GDYN_WARNING, at, help,
                  GDYN_CODE_UNUSUAL "%g without a unit is %g %s, %s", n->value, n->value, unit,
                  size);
}

/* Entries that were written once (repeat, like) are reported once. */
static bool reported_before(const gdyn_noted *n, const usual *u) {
    for (const gdyn_noted *k = n->next; k; k = k->next)
        if (k->node->source == n->node->source && k->node->line == n->node->line &&
            k->node->column == n->node->column && k->bare && doubtful(u, k))
            return true;
    return false;
}

void gdyn_diagnose_unusual(gdyn_reader *r) {
    usual u;
    if (!r->noted || !find_usual(r, &u))
        return;
    if (u.building) {
        /* One warning at the largest length stands for all. */
        const gdyn_noted *greatest = NULL;
        for (const gdyn_noted *n = r->noted; n; n = n->next)
            if (n->kind == GDYN_NOTED_LENGTH && n->bare &&
                (!greatest || n->value >= greatest->value))
                greatest = n;
        if (greatest)
            gdyn_log_node(
                r->log, GDYN_WARNING, origin(r, greatest->node),
                gdyn_log_help(r->log, "write m if they are meant, or another unit: %g mm",
                              greatest->value),
                GDYN_CODE_UNUSUAL
                "lengths without a unit are metres: those of this machine are mostly near "
                "%.3g m",
                u.median);
    }
    /* The other numbers of unusual size, MOST_REPORTED at most. */
    int reported = 0;
    for (const gdyn_noted *n = r->noted; n && reported < MOST_REPORTED; n = n->next)
        if (n->bare && doubtful(&u, n) && !reported_before(n, &u)) {
            tell(r, &u, n);
            reported++;
        }
}
