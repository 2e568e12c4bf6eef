/* clock.h - the clock of the library. */
#ifndef GDYN_BASE_CLOCK_H
#define GDYN_BASE_CLOCK_H

/* Seconds since some moment, never going back: for differences. */
double gdyn_clock(void);

#endif
