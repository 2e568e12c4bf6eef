/* share.h - how many random cases a test takes: all, or a sixth of them with the sanitizers, which make it slow
 * (as `share` in tests/cli/lib.bash). The sanitizers look for wrong accesses, the other build for wrong results. */
#ifndef GDYN_TESTS_SHARE_H
#define GDYN_TESTS_SHARE_H

#if defined(__SANITIZE_ADDRESS__)
#define GDYN_SHARE(count) (((count) + 5) / 6)
#else
#define GDYN_SHARE(count) (count)
#endif

#endif
