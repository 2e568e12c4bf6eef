/* files.c - what commands write into a results folder. */
#include "cli/files.h"

#include "cli/interrupt.h"

#include <stdio.h>

gdyn_status gdyn_cli_write(const char *folder, const char *name, gdyn_text *text) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!text->failed && text->data)
        status = gdyn_report_write(folder, name, text->data, text->length, &console);
    gdyn_text_free(text);
    return status;
}

gdyn_status gdyn_cli_draw(const gdyn_options *options, const char *folder, const char *command,
                          const gdyn_pictures *pictures) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_status status = gdyn_pictures_settle(pictures, folder, command, &console);
    if (status != GDYN_OK || pictures->count == 0)
        return status;
    gdyn_stage("the pictures in %s", folder);
    if (gdyn_gnuplot_present()) {
        gdyn_wait_begin(options, "drawing %d picture%s", pictures->count,
                        gdyn_plural(pictures->count));
        gdyn_pictures_draw(pictures, folder,
                           &console); /* failures are reported, the rest remains */
        gdyn_wait_end();
    } else {
        gdyn_cli_note(options, "gnuplot is not installed: only its scripts were written (*.gp)");
    }
    return GDYN_OK;
}

void gdyn_cli_print_pictures(const char *folder, const gdyn_pictures *pictures) {
    if (pictures->count == 0)
        return;
    printf("pictures in %s (%s):", folder, gdyn_gnuplot_present() ? ".png, .svg" : ".gp");
    for (int i = 0; i < pictures->count; i++)
        printf("%s %s", i ? "," : "", pictures->stem[i]);
    printf("\n");
}
