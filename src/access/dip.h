/* dip.h - how far a function may fall between its samples (internal to access).
 *
 * Criteria of a path are least values over p of functions that are known at points. The least sample is too great
 * by what the function falls between the points. Where it is smooth, its second divided differences tell how far;
 * where it has a kink (another drive, another mode), the chords beside the interval go on below it, as long as it
 * is convex there. A dip too narrow to bend the function at its neighbours stays hidden. */
#ifndef GDYN_ACCESS_DIP_H
#define GDYN_ACCESS_DIP_H

#include <stdbool.h>

/* Sampled arguments. */
typedef struct gdyn_samples {
    int count;
    const double *p; /* ascending */
    int stride;      /* from one sample of a function to the next */
    bool closed;     /* the last sample is the first one again: neighbours go round */
} gdyn_samples;

/* What the samples around an interval weigh in lower bounds of any function there (gdyn_samples_weigh). */
typedef struct gdyn_interval {
    int sample[6]; /* two before it, its ends, two behind it; the first one -1: some are missing */
    double left[3], right[3]; /* of the two differences beside it: the chord goes on, and bends */
    double below[2]; /* of the difference before it and its own: how far a parabola falls */
} gdyn_interval;

/* Fills the weights of the intervals (count - 1). */
void gdyn_samples_weigh(const gdyn_samples *s, gdyn_interval *interval);

enum { GDYN_MARKED_MOST = 32 };
/* Of up to GDYN_MARKED_MOST functions side by side (stride): bit i of mark[k] tells that the i-th one may fall below least[i] in
 * interval k; where it does not, gdyn_dips_below finds nothing. */
void gdyn_dips_mark(const gdyn_samples *s, const gdyn_interval *interval, int functions,
                    const double *f, const double *least, unsigned *mark);

typedef struct gdyn_dip {
    int interval; /* between the samples `interval` and interval + 1 */
    double p;     /* where the function may be least there */
    double bound; /* its lower bound there */
} gdyn_dip;

/* Intervals between two neighbouring samples in which f may fall below both of them and below `least`, at most `most`
 * of them, the lowest ones; returns their number. f is NAN nowhere. Only intervals with this bit in their mark are looked at; mark NULL:
 * all. */
int gdyn_dips_below(const gdyn_samples *s, const double *f, double least, const unsigned *mark,
                    int bit, int most, gdyn_dip *dip);
/* Estimated errors of the trapezoidal rule in each interval (count - 1): K h^3 / 6 with K the second divided
 * difference; returns a bound of their sum. */
double gdyn_trapezoid_errors(const gdyn_samples *s, const double *f, double *error);

#endif
