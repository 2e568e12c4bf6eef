/* column.h - a page as narrow as a column of text, filled from above (internal to report; page.h has what pictures call).
 *
 * Lengths are pixels of a page whose letters are 13 high. */
#ifndef GDYN_REPORT_COLUMN_H
#define GDYN_REPORT_COLUMN_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { GDYN_CAPTIONS = 3, GDYN_COLUMN_LINE = 17 };

/* Text and samples of keys, line by line. */
typedef struct gdyn_column_text {
    gdyn_text gp; /* commands; heights count from above */
    double x, y;  /* end of the key's last entry in the line (0: none), height of the line */
    int tags;     /* labels, arrows, rectangles so far */
} gdyn_column_text;

/* A text above a panel. */
typedef struct gdyn_caption {
    char text[300], look[60];
    bool middle; /* else at the left */
} gdyn_caption;

typedef struct gdyn_column_page {
    gdyn_column_text head, foot; /* before the next panel; below all of them */
    bool below;                  /* texts go to the foot */
    bool keyed;                  /* the titles of the next plots are a key */
    char sample[200];            /* of the key, that the next text belongs to */
    gdyn_caption caption[GDYN_CAPTIONS];
    int captions;
    char label[2][300]; /* titles of the axes */
    bool unnumbered[2]; /* axes without numbers */
    double range[2][2]; /* of the axes; NAN: tics are the picture's own */
    bool logarithmic[2];
    double height;       /* of the next panel */
    double ratio;        /* height over width; 0: none */
    double scale[2];     /* of colours, below the next panel; NAN: none */
    bool across;         /* as wide as the page */
    bool whole[2];       /* axes of whole numbers */
    int reserve;         /* lines for captions of a row, at least */
    double margin;       /* before all panels: numbers, names of lanes */
    double above, under; /* room for more than captions and numbers: an axis above, names below */
    int cell, cells;     /* of a row of panels */
    bool alone;          /* a cell has numbers of its own */
    int lines;           /* above the row's panels */
    double top, bottom;  /* of the row's panels, of all that belongs to them */
    size_t plot;         /* where the last plot begins in the script */
} gdyn_column_page;

/* Whether a line of a text that is quoted for gnuplot ends there. */
bool gdyn_column_is_break(const char *c);
/* Width of a text that is quoted for gnuplot, of its longest line. */
double gdyn_column_width(const char *text);
/* A text that is quoted for gnuplot as lines of at most that width; their number, at most `most`: the last one may be cut. */
int gdyn_column_wrap(const char *text, double width, int most, char (*line)[300]);
/* A text of at most that width; what is in its middle is left out, as names often differ at their ends. */
void gdyn_column_shorten(const char *text, double width, char out[300]);

#endif
