/* api.h - frame of the public declarations.
 *
 * Between GDYN_API_BEGIN and GDYN_API_END names are C names, in C++ too, and can be seen in the
 * shared library. Everything else is compiled hidden. */
#pragma once

#define GDYN_API_VISIBLE _Pragma("GCC visibility push(default)")
#define GDYN_API_HIDDEN  _Pragma("GCC visibility pop")
#ifdef __cplusplus
#define GDYN_API_BEGIN GDYN_API_VISIBLE extern "C" {
#define GDYN_API_END                                                                               \
    }                                                                                              \
    GDYN_API_HIDDEN
#else
#define GDYN_API_BEGIN GDYN_API_VISIBLE
#define GDYN_API_END   GDYN_API_HIDDEN
#endif
