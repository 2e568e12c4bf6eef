/* interrupt.c - SIGINT, SIGTERM and SIGHUP. The handler that ends the program calls nothing but
 * what is async-signal-safe, and does so on the main thread, which writes all files. */
#include "cli/cli.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

enum { STAGE = 240 };

volatile sig_atomic_t gdyn_interrupted;

static char stage_text[2][STAGE]; /* the one that is shown is not written to */
static volatile sig_atomic_t shown;
static pthread_t main_thread;

static void end_program(int signal_number) {
    /* Only the main thread knows which file is open. */
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, signal_number); /* leaves errno alone */
        return;
    }
    /* Temporary files go, complete ones stay. */
    int files = gdyn_report_abandon();
    const char *text[] = {
        isatty(STDERR_FILENO) ? "\r\033[Kinterrupted at " : "interrupted at ", stage_text[shown],
        files > 0 ? "; the files written so far are complete, the others are of earlier runs\n"
                  : "; no file was written\n"};
    for (int i = 0; i < 3; i++)
        gdyn_write_all(STDERR_FILENO, text[i], strlen(text[i]));
    _exit(GDYN_EXIT_SIGNAL + signal_number);
}

static const int answered[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof answered / sizeof *answered };

static void set_handler(void (*handler)(int)) {
    /* The three signals block each other in the handler. */
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&action.sa_mask, answered[i]);
    /* `nohup globdyn ...` goes on when the terminal is closed. */
    struct sigaction now;
    bool ignored = sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
    for (int i = 0; i < SIGNALS; i++)
        if (answered[i] != SIGHUP || !ignored)
            sigaction(answered[i], &action, NULL);
}

static void stop_search(int signal_number) {
    int error = errno;
    gdyn_flag_set(&gdyn_interrupted, signal_number);
    set_handler(end_program);
    errno = error;
}

void gdyn_stage(const char *format, ...) {
    va_list args;
    char text[STAGE];
    gdyn_text harmless = {0};
    if (gdyn_captured)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gdyn_text_harmless(&harmless, text, strlen(text), "", false);
    /* Into the text that is not shown, which then becomes the one that is. */
    snprintf(stage_text[1 - shown], STAGE, "%s", harmless.data ? harmless.data : "");
    gdyn_text_free(&harmless);
    atomic_signal_fence(memory_order_release);
    shown = 1 - shown;
    fflush(stdout);
    /* no handler of ours reads it yet */
    static bool known;
    main_thread = known ? main_thread : pthread_self();
    known = true;
    set_handler(end_program);
}

void gdyn_interrupts_stop(const char *what) {
    gdyn_stage("%s", what);
    if (!gdyn_captured)
        set_handler(stop_search);
}

int gdyn_interrupt_exit_code(void) {
    int signal_number = gdyn_flag(&gdyn_interrupted);
    return GDYN_EXIT_SIGNAL + (signal_number ? signal_number : SIGINT);
}
