/* point_names.h - names beside points, so that they cover neither each other nor what is drawn
 * (internal to report). All lengths in pixels. */
#ifndef GDYN_REPORT_POINT_NAMES_H
#define GDYN_REPORT_POINT_NAMES_H

#include <stdbool.h>

enum { GDYN_POINT_NAMES_INK = 4000 };

typedef struct gdyn_point_name {
    double point[2]; /* what is named */
    double size[2];  /* of the name */
    double at[2];    /* out: its middle */
    bool far;        /* out: so far off that a line must lead to it */
} gdyn_point_name;

/* What names should not cover: single points, and lines as points along them. */
typedef struct gdyn_ink {
    int count;
    double at[GDYN_POINT_NAMES_INK][2];
} gdyn_ink;

/* Places the names within [low, high], in the order given, and then once more with all others
 * known. */
void gdyn_point_names_place(int count, gdyn_point_name *name, const gdyn_ink *ink,
                            const double low[2], const double high[2]);

#endif
