/* memory_limit.c - what must be settled before any library starts, and its threads.
 *
 * OpenBLAS starts its threads when it is loaded, and waits forever for buffers of 128 MiB that a
 * memory limit (`ulimit -v`) refuses. The dynamic loader runs this function before the initializers
 * of the shared libraries. Under a limit it refuses one that is too low, and runs the program again
 * with one thread of OpenBLAS, which is all that the library uses (the loader has already settled
 * what getenv sees, so that setenv would come too late). */
#include "cli/cli.h"

#include <sys/resource.h>
#include <unistd.h>

/* Measured: 200 MB of addresses for `check` of an example, most of them for OpenBLAS's buffer. */
enum { NEEDED_MEBIBYTES = 256 };

/* The address sanitizer needs terabytes of addresses and is not running yet. */
#if defined __linux__ && !defined __SANITIZE_ADDRESS__

static const char one_thread[] = "OPENBLAS_NUM_THREADS=1";
enum { NAME = sizeof one_thread - sizeof "1" }; /* length with the = */

/* Returns only when the program cannot be run again. */
static void run_with_one_thread(char **argv, char **environment) {
    int count = 0, kept = 0;
    /* The environment without the old setting. */
    while (environment[count])
        count++;
    char **changed = calloc((size_t)count + 2, sizeof *changed);
    if (!changed)
        return;
    for (int i = 0; i < count; i++)
        if (strncmp(environment[i], one_thread, NAME) != 0)
            changed[kept++] = environment[i];
    static char setting[] = "OPENBLAS_NUM_THREADS=1";
    changed[kept++] = setting;
    changed[kept] = NULL;
    execve("/proc/self/exe", argv, changed);
    free(changed);
}

static void before_libraries(int argc, char **argv, char **environment) {
    struct rlimit limit;
    (void)argc;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    if (limit.rlim_cur < (rlim_t)NEEDED_MEBIBYTES << 20) {
        char text[240];
        snprintf(
            text, sizeof text,
            "globdyn: error: the memory limit of %llu KiB is too low; at least %d KiB are needed\n"
            "      = help: raise it with `ulimit -v`\n",
            (unsigned long long)limit.rlim_cur / 1024, NEEDED_MEBIBYTES * 1024);
        gdyn_write_all(STDERR_FILENO, text, strlen(text));
        _exit(GDYN_EXIT_MEMORY);
    }
    bool single = false;
    for (char **entry = environment; *entry; entry++)
        single |= strcmp(*entry, one_thread) == 0;
    if (!single)
        run_with_one_thread(argv, environment);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)(int, char **, char **) = before_libraries;

#endif

void openblas_set_num_threads(int threads);
int openblas_get_num_threads(void);
/* What OpenBLAS itself does before a fork; not all builds of it have threads. */
__attribute__((weak)) int blas_thread_shutdown_(void);

/* Threads that nobody gives work to spin for 2^26 cycles, 25 ms of processor time each, before they
 * sleep. */
void gdyn_stop_idle_threads(void) {
    if (openblas_get_num_threads() == 1 || !blas_thread_shutdown_)
        return;
    openblas_set_num_threads(1);
    blas_thread_shutdown_();
}
