/* toolpath.c - programs and drawings become tables of a path. */
#include "import/contour.h"

#include <string.h>
#include <strings.h>

typedef enum file_kind { NO_PATH, GCODE, DXF } file_kind;

/* By the end of the name. */
static file_kind kind_of(const char *filename) {
    static const char *const programs[] = {".nc", ".ngc", ".gcode", ".tap", ".cnc", ".gc"};
    const char *dot = strrchr(filename, '.');
    for (size_t i = 0; dot && i < sizeof programs / sizeof *programs; i++)
        if (!strcasecmp(dot, programs[i]))
            return GCODE;
    return dot && !strcasecmp(dot, ".dxf") ? DXF : NO_PATH;
}

bool gdyn_import_is_path(const char *filename) {
    return kind_of(filename) != NO_PATH;
}

typedef struct job {
    const gdyn_import_path_options *options;
    gdyn_text *table, *remarks;
} job;

static gdyn_status import(gdyn_robot *log, const gdyn_document *source, void *context) {
    const job *j = context;
    gdyn_contour c = {.log = log, .source = source};
    if (kind_of(source->name) == DXF)
        gdyn_dxf_read(&c, j->options->contour > 0 ? j->options->contour : 1);
    else
        gdyn_gcode_read(&c);
    gdyn_status status =
        log->failed ? GDYN_ERROR_MEMORY
                    : gdyn_contour_write(&c, j->options->blend, j->options->planar, j->table);
    gdyn_free(c.piece);
    if (status == GDYN_OK)
        gdyn_robot_write_remarks(log, "", j->remarks);
    return status == GDYN_OK && j->remarks->failed ? GDYN_ERROR_MEMORY : status;
}

gdyn_status gdyn_import_path_text(const char *text, size_t length, const char *filename,
                                  const gdyn_import_path_options *options, const gdyn_sink *sink,
                                  gdyn_text *table, gdyn_text *remarks) {
    job j = {options, table, remarks};
    return gdyn_robot_run(text, length, filename, sink, import, &j);
}

gdyn_status gdyn_import_path(const char *filename, const gdyn_import_path_options *options,
                             const gdyn_sink *sink, gdyn_text *table, gdyn_text *remarks) {
    return gdyn_import_path_text(NULL, 0, filename, options, sink, table, remarks);
}
