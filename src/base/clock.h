/* clock.h - the one clock. */
#ifndef GDYN_BASE_CLOCK_H
#define GDYN_BASE_CLOCK_H

/* Seconds since some moment, never going back: for differences. */
double gdyn_clock(void);

#endif
