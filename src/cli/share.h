/* share.h - what is installed beside the program, written when it is built: manual pages, completion of shells and the schema of
 * case files, from the tables of commands, options and keys and from the documents. */
#ifndef GDYN_CLI_SHARE_H
#define GDYN_CLI_SHARE_H

#include "cli/cli.h"

/* `globdyn --write-share FOLDER SOURCE`: fills the folder as <prefix>/share; SOURCE is the project with README.md and docs/. An
 * exit code. */
int gdyn_write_share(int count, char **operand);
/* Where the schema of case files lies: beside the installed program, or where it was built. False: nowhere. */
bool gdyn_schema_place(char *out, size_t size);

/* --- roff.c: text for man(7) --------------------------------------------------------------------- */

/* Appends plain text: hyphens, backslashes and points at the beginning of lines stand for themselves. */
void gdyn_roff_plain(gdyn_text *out, const char *text, size_t length);
/* Appends Markdown as far as the documents use it: headings, paragraphs, lists, tables, code. */
void gdyn_roff_markdown(gdyn_text *out, const char *markdown, size_t length);

/* --- manual.c --------------------------------------------------------------------------------------- */

/* globdyn(1): `about` and `more` are Markdown, what the program is for and what concerns several commands. */
void gdyn_manual_program(gdyn_text *out, const char *about, size_t length, const char *more);
/* globdyn-COMMAND(1). */
void gdyn_manual_command(gdyn_text *out, const gdyn_command *command);
/* globdyn-case(5), from docs/case-format.md. */
void gdyn_manual_case(gdyn_text *out, const char *markdown);

/* --- completion.c ------------------------------------------------------------------------------------ */

/* A script for the shell: commands, options, words of options, verbs, templates, files by their names. */
void gdyn_completion_bash(gdyn_text *out);
void gdyn_completion_zsh(gdyn_text *out);

#endif
