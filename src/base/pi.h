/* pi.h - the constant pi. */
#pragma once

#define GDYN_PI 3.14159265358979323846
