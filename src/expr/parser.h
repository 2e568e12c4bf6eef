/* parser.h - the state of a parser, and its tokens (internal to expr). */
#ifndef GDYN_EXPR_PARSER_H
#define GDYN_EXPR_PARSER_H

#include "expr/code.h"

typedef enum gdyn_token {
    GDYN_TOKEN_END,
    GDYN_TOKEN_NUMBER,
    GDYN_TOKEN_NAME,
    GDYN_TOKEN_SIGN,
    GDYN_TOKEN_BROKEN
} gdyn_token;

/* What is known of a value while its code is written. */
typedef struct gdyn_operand {
    gdyn_dimension dimension;
    bool pure;      /* implies an unknown dimension */
    bool literal;   /* a bare integer, or a product with one as a factor */
    int start, end; /* place in the text */
} gdyn_operand;

typedef struct gdyn_parser {
    const char *text;
    const gdyn_scope *scope;
    gdyn_expr_error *error;
    bool failed;
    int depth; /* nesting of the parser */
    /* the current token */
    gdyn_token kind;
    int start, end; /* its place */
    int behind;     /* end of the token before it */
    double number;
    gdyn_operand quantity; /* dimension of a number */
    /* the code so far */
    gdyn_instruction *code;
    int count, capacity, stack;
} gdyn_parser;

/* Notes an error at start..end, once: the first one is reported. Returns whether it was the
 * first; then help may be given. format: with at most one %s, the word. */
bool gdyn_parser_fail(gdyn_parser *parser, int start, int end, const char *format,
                      const char *word);
void gdyn_parser_help(gdyn_parser *parser, const char *format, const char *word);
/* The current token is that sign. */
bool gdyn_parser_is_sign(const gdyn_parser *parser, char sign);
/* The word is the name of a value. */
bool gdyn_parser_is_value(const gdyn_parser *parser, const char *word);
/* Moves on to the next token. */
void gdyn_parser_advance(gdyn_parser *parser);
/* Reports that the current token is not what the grammar allows here. */
void gdyn_parser_unexpected(gdyn_parser *parser, bool operand_wanted);

#endif
