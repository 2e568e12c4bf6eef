/* files.h - what commands write into a results folder. */
#ifndef GDYN_CLI_FILES_H
#define GDYN_CLI_FILES_H

#include "base/text.h"
#include "cli/cli.h"
#include "report/report.h"

/* Writes the text as a file of the folder and frees it. */
gdyn_status gdyn_cli_write(const char *folder, const char *name, gdyn_text *text);
/* Notes the command's pictures, whose scripts are there, in pictures.list and runs gnuplot on them.
 * A picture that gnuplot cannot draw is reported and omitted. */
gdyn_status gdyn_cli_draw(const gdyn_options *options, const char *folder, const char *command,
                          const gdyn_pictures *pictures);
/* The pictures of a command that writes nothing else, into the results folder of the case; names what it has drawn.
 * An exit code. */
int gdyn_cli_picture(const gdyn_options *options, const char *filename, const char *command,
                     gdyn_status (*draw)(const char *folder, const void *of,
                                         gdyn_pictures *pictures, const gdyn_sink *sink),
                     const void *of);
/* A blank and the word, quoted where a shell would take it apart. */
void gdyn_cli_append_word(gdyn_text *line, const char *word);
/* "globdyn report case.yaml": the command line as a shell reads it. */
void gdyn_cli_command_line(const gdyn_options *options, gdyn_text *line);
/* One line with the names of the pictures, on standard output. */
void gdyn_cli_print_pictures(const char *folder, const gdyn_pictures *pictures);

#endif
