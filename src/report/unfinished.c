/* unfinished.c - what is begun and not yet complete, and its end from within a signal handler. */
#include "report/unfinished.h"

#include "report/report.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { NAME_MOST = 4096 };

static char name_of[GDYN_UNFINISHED_KINDS][NAME_MOST];
static volatile sig_atomic_t begun[GDYN_UNFINISHED_KINDS]; /* the name stands and is whole */
static volatile sig_atomic_t drawing, files;

void gdyn_unfinished_begin(gdyn_unfinished_kind kind, const char *name) {
    snprintf(name_of[kind], NAME_MOST, "%s", name);
    atomic_signal_fence(memory_order_release);
    begun[kind] = 1;
}

void gdyn_unfinished_end(gdyn_unfinished_kind kind) {
    begun[kind] = 0;
    files = files + 1;
}

void gdyn_unfinished_child(pid_t child) {
    drawing = child;
}

int gdyn_report_abandon(void) {
    if (drawing > 0)
        kill(-drawing, SIGKILL);
    for (int kind = 0; kind < GDYN_UNFINISHED_KINDS; kind++)
        if (begun[kind])
            unlink(name_of[kind]);
    return files;
}
