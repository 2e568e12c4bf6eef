/* file.c - files appear complete or not at all: written beside their place, then renamed. */
#include "report/picture.h"

#include "base/document.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gdyn_output_taker *diverted; /* NULL: files are written */
static void *diverted_context;

void gdyn_output_divert(gdyn_output_taker *taker, void *context) {
    diverted = taker;
    diverted_context = context;
}

/* Reports what the system refused. */
static gdyn_status refuse(const gdyn_sink *sink, const char *what, const char *name) {
    gdyn_diag_emit(sink, GDYN_ERROR, "", NULL, GDYN_CODE_FILE "cannot %s '%s': %s", what, name,
                   gdyn_errno_text(errno));
    return GDYN_ERROR_FILE;
}

/* A folder that is there already is good; a file of its name is not. */
static gdyn_status make_one(const char *folder, const gdyn_sink *sink) {
    struct stat info;
    if (mkdir(folder, 0777) == 0)
        return GDYN_OK;
    if (errno == EEXIST && stat(folder, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return GDYN_OK;
        errno = ENOTDIR;
    }
    return refuse(sink, "make the folder", folder);
}

gdyn_status gdyn_report_folder(const char *folder, const gdyn_sink *sink) {
    gdyn_text copy = {0};
    gdyn_status status = GDYN_OK;
    if (diverted)
        return GDYN_OK;
    gdyn_text_append(&copy, folder, strlen(folder));
    /* an empty name is no folder */
    if (!*folder) {
        gdyn_text_free(&copy);
        errno = ENOENT;
        return refuse(sink, "make the folder", folder);
    }
    if (copy.failed || !copy.data) {
        gdyn_text_free(&copy);
        return GDYN_ERROR_MEMORY;
    }
    /* Each parent in turn, by ending the text at its slash. */
    for (char *slash = strchr(copy.data + 1, '/'); slash && status == GDYN_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = make_one(copy.data, sink);
        *slash = '/';
    }
    if (status == GDYN_OK)
        status = make_one(copy.data, sink);
    gdyn_text_free(&copy);
    return status;
}

/* --- one file --------------------------------------------------------------------------------- */

/* Takes a piece of the text as it grows; the first error is kept. */
static void write_piece(void *taker, const char *bytes, size_t length) {
    gdyn_output *o = taker;
    if (diverted && o->final.data)
        diverted(diverted_context, o->final.data, bytes, length);
    if (o->copy)
        fwrite(bytes, 1, length, o->copy);
    if (o->file && o->error == 0 && fwrite(bytes, 1, length, o->file) != length)
        o->error = errno;
}

gdyn_status gdyn_output_open(gdyn_output *o, const char *folder, const char *name,
                             const gdyn_sink *sink) {
    *o = (gdyn_output){.text = {.take = write_piece, .taker = o}, .sink = sink};
    if (!name)
        return GDYN_OK;
    folder = diverted ? NULL : folder;
    gdyn_text_printf(&o->final, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    if (diverted)
        return o->final.failed ? GDYN_ERROR_MEMORY : GDYN_OK;
    /* beside its place, so that it can be renamed; an interrupt removes it */
    gdyn_text_printf(&o->temporary, "%s.%ld.tmp", o->final.data ? o->final.data : "",
                     (long)getpid());
    gdyn_status status = o->final.failed || o->temporary.failed ? GDYN_ERROR_MEMORY : GDYN_OK;
    if (status == GDYN_OK) {
        gdyn_unfinished_begin(GDYN_UNFINISHED_FILE, o->temporary.data);
        int file = gdyn_document_open_own(o->temporary.data, false, true);
        o->file = file < 0 ? NULL : fdopen(file, "wb");
        if (!o->file)
            status = refuse(sink, "write", o->final.data);
    }
    return status;
}

/* Flushes the file and gives it its name; errno says why not. */
static bool complete(gdyn_output *o) {
    if (o->error == 0 && fflush(o->file) != 0)
        o->error = errno;
    if (fclose(o->file) != 0 && o->error == 0)
        o->error = errno;
    if (o->error == 0 && rename(o->temporary.data, o->final.data) != 0)
        o->error = errno;
    errno = o->error;
    return o->error == 0;
}

gdyn_status gdyn_output_close(gdyn_output *o, gdyn_status status) {
    if (status == GDYN_OK && o->text.failed)
        status = GDYN_ERROR_MEMORY;
    /* what is still in the text */
    if (o->text.length > 0)
        write_piece(o, o->text.data, o->text.length);
    /* failed: nothing is left behind */
    if (o->file && status != GDYN_OK) {
        fclose(o->file);
        unlink(o->temporary.data);
    } else if (o->file && !complete(o)) {
        status = refuse(o->sink, "write", o->final.data);
        unlink(o->temporary.data);
    }
    if (o->file)
        gdyn_unfinished_end(GDYN_UNFINISHED_FILE);
    gdyn_text_free(&o->text);
    gdyn_text_free(&o->final);
    gdyn_text_free(&o->temporary);
    *o = (gdyn_output){0};
    return status;
}

gdyn_status gdyn_report_write(const char *folder, const char *name, const char *bytes,
                              size_t length, const gdyn_sink *sink) {
    gdyn_output output;
    gdyn_status status = gdyn_output_open(&output, folder, name, sink);
    if (status == GDYN_OK)
        write_piece(&output, bytes, length);
    return gdyn_output_close(&output, status);
}

void gdyn_report_file_name(const char *name, char *out, size_t size) {
    size_t i = 0;
    /* Letters, digits, '-' and '.'; no hidden files. */
    for (; name[i] && i + 1 < size; i++) {
        bool plain = isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '.';
        out[i] = plain && !(i == 0 && name[i] == '.') ? name[i] : '_';
    }
    out[i] = '\0';
}

/* --- what is begun and not yet complete, and its end from within a signal handler ------------- */

enum { NAME_MOST = 4096 };

static char name_of[GDYN_UNFINISHED_KINDS][NAME_MOST];
static volatile sig_atomic_t begun[GDYN_UNFINISHED_KINDS]; /* the name stands and is whole */
static volatile sig_atomic_t drawing, files;

void gdyn_unfinished_begin(gdyn_unfinished_kind kind, const char *name) {
    snprintf(name_of[kind], NAME_MOST, "%s", name);
    atomic_signal_fence(memory_order_release);
    begun[kind] = 1;
}

void gdyn_unfinished_end(gdyn_unfinished_kind kind) {
    begun[kind] = 0;
    files = files + 1;
}

void gdyn_unfinished_child(pid_t child) {
    drawing = child;
}

int gdyn_report_abandon(void) {
    if (drawing > 0)
        kill(-drawing, SIGKILL);
    for (int kind = 0; kind < GDYN_UNFINISHED_KINDS; kind++)
        if (begun[kind])
            unlink(name_of[kind]);
    return files;
}
