#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

void gdyn_diag_emit(const gdyn_sink *sink, gdyn_severity severity, const char *path,
                    const char *help, const char *format, ...) {
    if (!sink || !sink->emit)
        return;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gdyn_diag diag = {
        .severity = severity, .path = path ? path : "", .message = message, .help = help};
    sink->emit(sink->context, &diag);
}

void gdyn_diag_count(void *context, const gdyn_diag *diag) {
    int *counts = context;
    counts[diag->severity]++;
}
