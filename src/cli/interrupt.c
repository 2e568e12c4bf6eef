/* interrupt.c - SIGINT and SIGTERM. The handler that ends the program calls nothing but what is
 * async-signal-safe, and does so on the main thread, which writes all files. */
#include "cli/interrupt.h"

#include "report/report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_SIGNAL = 128, STAGE = 240 };

volatile sig_atomic_t gdyn_interrupted;

static char stage_text[2][STAGE]; /* the one that is shown is not written to */
static volatile sig_atomic_t shown;
static pthread_t main_thread;

static void say(const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

static void end_program(int signal_number) {
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, signal_number);
        return;
    }
    int files = gdyn_report_abandon();
    say(isatty(STDERR_FILENO) ? "\r\033[Kinterrupted at " : "interrupted at ");
    say(stage_text[shown]);
    say(files > 0 ? "; the files written so far are complete, the others are of earlier runs\n"
                  : "; no file was written\n");
    _exit(EXIT_SIGNAL + signal_number);
}

static void answer(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void stop_search(int signal_number) {
    gdyn_interrupted = signal_number;
    answer(end_program);
}

void gdyn_stage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(stage_text[1 - shown], STAGE, format, args);
    va_end(args);
    atomic_signal_fence(memory_order_release);
    shown = 1 - shown;
    fflush(stdout);
    main_thread = pthread_self();
    answer(end_program);
}

void gdyn_interrupts_stop(const char *what) {
    gdyn_stage("%s", what);
    answer(stop_search);
}

void gdyn_interrupts_stop_search(void) {
    gdyn_interrupts_stop("the end of the search; its designs are kept");
}

int gdyn_interrupt_exit_code(void) {
    return EXIT_SIGNAL + (gdyn_interrupted ? gdyn_interrupted : SIGINT);
}
