/* judge.h - what the fuzz drivers require of whatever they try: what is not true ends the program, which a fuzzer
 * takes for a finding. */
#ifndef GDYN_FUZZ_JUDGE_H
#define GDYN_FUZZ_JUDGE_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline void require(bool truth) {
    if (!truth)
        abort();
}

/* "(null)" is what printf makes of a NULL pointer. Not by strstr: libFuzzer would learn the word and put it into inputs, which
 * messages may quote. */
static inline bool has_null(const char *text) {
    for (; *text; text++)
        if (text[0] == '(' && text[1] == 'n' && text[2] == 'u' && text[3] == 'l' && text[4] == 'l')
            return true;
    return false;
}

/* A message is one line of text; its place, where it has one, lies in the line that it shows. */
static inline void require_message(const gdyn_diag *diag) {
    require(diag->message && diag->message[0]);
    require(!has_null(diag->message) || (diag->source && has_null(diag->source)));
    for (const char *c = diag->message; *c; c++)
        require((unsigned char)*c >= 0x20 && *c != 0x7f);
    require(diag->line == 0 || (diag->column >= 1 && diag->width >= 1));
    if (diag->line > 0 && diag->source)
        require((size_t)(diag->column - 1) <= strlen(diag->source));
}

/* A sink whose context is an int: the number of errors so far. */
static inline void count_errors(void *context, const gdyn_diag *diag) {
    require_message(diag);
    *(int *)context += diag->severity == GDYN_ERROR;
}

#endif
