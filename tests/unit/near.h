/* near.h - cmocka 1.1 compares floats only; this compares doubles and prints them. */
#ifndef GDYN_TESTS_NEAR_H
#define GDYN_TESTS_NEAR_H

#include <math.h>
#include <stdio.h>

#define assert_near(value, wanted, tolerance)                                                      \
    do {                                                                                           \
        double near_value = (value), near_wanted = (wanted), near_tolerance = (tolerance);         \
        if (!(fabs(near_value - near_wanted) <= near_tolerance)) {                                 \
            print_error("%s = %.17g, wanted %.17g +- %g\n", #value, near_value, near_wanted,       \
                        near_tolerance);                                                           \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
