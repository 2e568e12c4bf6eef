/* unfinished.h - what is begun and not yet complete, so that a signal handler can take it away. */
#ifndef GDYN_REPORT_UNFINISHED_H
#define GDYN_REPORT_UNFINISHED_H

#include <sys/types.h>

/* A file that is written, a picture as PNG, SVG, PDF and GIF: one of each at a time. */
typedef enum gdyn_unfinished_kind {
    GDYN_UNFINISHED_FILE,
    GDYN_UNFINISHED_PNG,
    GDYN_UNFINISHED_SVG,
    GDYN_UNFINISHED_PDF,
    GDYN_UNFINISHED_GIF,
    GDYN_UNFINISHED_KINDS
} gdyn_unfinished_kind;

/* The temporary file `name` is about to appear; it has got its own name, or is removed. */
void gdyn_unfinished_begin(gdyn_unfinished_kind kind, const char *name);
void gdyn_unfinished_end(gdyn_unfinished_kind kind);
/* The process that draws pictures, the first of its group; 0: none. */
void gdyn_unfinished_child(pid_t child);

#endif
