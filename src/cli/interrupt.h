/* interrupt.h - SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup): the one place that answers them.
 *
 * A search finishes the designs that are begun and keeps them (gdyn_interrupts_stop_search); a simulation keeps its
 * rows, a workspace the nodes that were reached (gdyn_interrupts_stop). Everything else ends at once: the file that is being written is removed, those that are
 * complete stay, and a line says where the program was. The exit code is 128 plus the signal: 130, 143 or 129. */
#ifndef GDYN_CLI_INTERRUPT_H
#define GDYN_CLI_INTERRUPT_H

#include "base/interrupt.h"

/* What the program is at, for that line ("trajectory 'circle'"). From here on a signal ends
 * the program that way; what was printed before is written. */
void gdyn_stage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From here on the first signal sets gdyn_interrupted; the second one ends the program. */
void gdyn_interrupts_stop_search(void);
/* The same for other runs; `what` is what the program is at when the second one comes. */
void gdyn_interrupts_stop(const char *what);
/* The signal, or 0; to be read by gdyn_flag. */
extern volatile sig_atomic_t gdyn_interrupted;
/* Exit code of a run that was stopped. */
int gdyn_interrupt_exit_code(void);

#endif
