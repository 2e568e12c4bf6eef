/* pi.h - the constant pi. */
#ifndef GDYN_BASE_PI_H
#define GDYN_BASE_PI_H

#define GDYN_PI 3.14159265358979323846

#endif
