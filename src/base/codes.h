/* codes.h - kinds of diagnostics. Each has a code that stays, shown behind its messages, and an
 * explanation (globdyn explain).
 *
 * A format begins with the mark of its kind, as messages of kernels begin with their level:
 *
 *     gdyn_diag_emit(sink, GDYN_ERROR, path, help, GDYN_CODE_UNIT "expected %s, got %s", ...);
 *
 * The mark goes through every function that takes a format; gdyn_diag_say parts it from the
 * message. docs/messages.md is made from the table; CONTRIBUTING.md says how a kind is added. */
#pragma once

#include "base/api.h"

GDYN_API_BEGIN

/* Reading the file */
#define GDYN_CODE_YAML   "\1GD001\1"
#define GDYN_CODE_LIMIT  "\1GD002\1"
#define GDYN_CODE_FILE   "\1GD003\1"
#define GDYN_CODE_FORMAT "\1GD004\1"
#define GDYN_CODE_TABLE  "\1GD005\1"
#define GDYN_CODE_IMPORT "\1GD006\1"
/* The words of the format */
#define GDYN_CODE_SHAPE    "\1GD010\1"
#define GDYN_CODE_KEY      "\1GD011\1"
#define GDYN_CODE_MISSING  "\1GD012\1"
#define GDYN_CODE_WORD     "\1GD013\1"
#define GDYN_CODE_CONFLICT "\1GD014\1"
#define GDYN_CODE_NAME     "\1GD015\1"
#define GDYN_CODE_TWICE    "\1GD016\1"
#define GDYN_CODE_UNKNOWN  "\1GD017\1"
#define GDYN_CODE_CIRCLE   "\1GD018\1"
#define GDYN_CODE_REPEAT   "\1GD019\1"
/* Numbers and formulas */
#define GDYN_CODE_UNIT    "\1GD020\1"
#define GDYN_CODE_FORMULA "\1GD021\1"
#define GDYN_CODE_VALUE   "\1GD022\1"
#define GDYN_CODE_BOUNDS  "\1GD023\1"
#define GDYN_CODE_UNUSUAL "\1GD024\1"
/* The machine */
#define GDYN_CODE_MASS    "\1GD030\1"
#define GDYN_CODE_JOINT   "\1GD031\1"
#define GDYN_CODE_FREEDOM "\1GD032\1"
#define GDYN_CODE_DRIVE   "\1GD033\1"
#define GDYN_CODE_ACTION  "\1GD034\1"
#define GDYN_CODE_POSE    "\1GD035\1"
#define GDYN_CODE_RANGE   "\1GD036\1"
#define GDYN_CODE_SOLID   "\1GD037\1"
/* Paths, workspaces, simulations */
#define GDYN_CODE_PATH      "\1GD040\1"
#define GDYN_CODE_CORNER    "\1GD041\1"
#define GDYN_CODE_FREE      "\1GD042\1"
#define GDYN_CODE_WORKSPACE "\1GD043\1"
#define GDYN_CODE_SIMULATE  "\1GD044\1"
/* Designs and searches */
#define GDYN_CODE_DESIGN    "\1GD050\1"
#define GDYN_CODE_GOAL      "\1GD051\1"
#define GDYN_CODE_CRITERION "\1GD052\1"
#define GDYN_CODE_SEARCH    "\1GD053\1"
#define GDYN_CODE_TOLERANCE "\1GD054\1"
#define GDYN_CODE_EXPECT    "\1GD055\1"
/* Studies */
#define GDYN_CODE_DAMAGED "\1GD060\1"
#define GDYN_CODE_FOREIGN "\1GD061\1"
#define GDYN_CODE_BUSY    "\1GD062\1"
#define GDYN_CODE_ABSENT  "\1GD063\1"
/* Calls of the program */
#define GDYN_CODE_USAGE   "\1GD070\1"
#define GDYN_CODE_OPTION  "\1GD071\1"
#define GDYN_CODE_NEEDS   "\1GD072\1"
#define GDYN_CODE_PICTURE "\1GD073\1"
#define GDYN_CODE_RANKS   "\1GD074\1"
/* Results */
#define GDYN_CODE_ASSEMBLY "\1GD080\1"
#define GDYN_CODE_NUMERICS "\1GD081\1"
#define GDYN_CODE_MEMORY   "\1GD082\1"
#define GDYN_CODE_STOPPED  "\1GD083\1"

/* One kind: its mark, a title in few words, and three paragraphs. */
typedef struct gdyn_code {
    const char *mark;
    const char *title;
    const char *cause;
    const char *example; /* lines of a case or a command line; "" when there is none */
    const char *remedy;
} gdyn_code;
extern const gdyn_code gdyn_code_table[];
extern const int gdyn_code_count;

/* GD and three digits, and the nul. */
typedef struct gdyn_code_text {
    char text[6];
} gdyn_code_text;
/* The code of a mark, or of a format that begins with one; "" when it does not. */
gdyn_code_text gdyn_code_of(const char *marked);
/* The row of GD020, gd020 or 20; NULL: there is none. */
const gdyn_code *gdyn_code_find(const char *code);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* A format or message without its mark. */
const char *gdyn_code_skip(const char *marked);
