/* clock.h - the clock of the library. */
#pragma once

/* Seconds since some moment, never going back: for differences. */
double gdyn_clock(void);
