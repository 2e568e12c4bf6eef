/* interrupt.h - a flag that a signal handler sets and threads read. */
#pragma once

#include <signal.h>

/* The flag's value, on any thread; 0 where there is none. It stands alone: nothing is ordered by
 * it. */
static inline int gdyn_flag(const volatile sig_atomic_t *flag) {
    return flag ? __atomic_load_n(flag, __ATOMIC_RELAXED) : 0;
}
static inline void gdyn_flag_set(volatile sig_atomic_t *flag, int value) {
    __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}
