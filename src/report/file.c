/* file.c - files appear complete or not at all: written beside their place, then renamed. */
#include "report/report.h"

#include "base/memory.h"
#include "report/unfinished.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gdyn_status refuse(const gdyn_sink *sink, const char *what, const char *name) {
    gdyn_diag_emit(sink, GDYN_ERROR, "", NULL, "cannot %s '%s': %s", what, name, strerror(errno));
    return GDYN_ERROR_FILE;
}

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
    gdyn_text_append(&copy, folder, strlen(folder));
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

/* Writes, flushes to the disk and closes; false with errno set when any of it fails. */
static bool write_all(FILE *file, const char *bytes, size_t length) {
    bool good = fwrite(bytes, 1, length, file) == length && fflush(file) == 0;
    int kept = errno;
    if (fclose(file) != 0 && good)
        return false;
    errno = kept;
    return good;
}

gdyn_status gdyn_report_write(const char *folder, const char *name, const char *bytes,
                              size_t length, const gdyn_sink *sink) {
    gdyn_text final = {0}, temporary = {0};
    gdyn_status status = GDYN_OK;
    gdyn_text_printf(&final, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    gdyn_text_printf(&temporary, "%s.%ld.tmp", final.data ? final.data : "", (long)getpid());
    if (final.failed || temporary.failed) {
        status = GDYN_ERROR_MEMORY;
    } else {
        gdyn_unfinished_begin(GDYN_UNFINISHED_FILE, temporary.data);
        FILE *file = fopen(temporary.data, "wb");
        if (!file) {
            status = refuse(sink, "write", final.data);
        } else if (!write_all(file, bytes, length) || rename(temporary.data, final.data) != 0) {
            status = refuse(sink, "write", final.data);
            unlink(temporary.data);
        }
        gdyn_unfinished_end(GDYN_UNFINISHED_FILE);
    }
    gdyn_text_free(&final);
    gdyn_text_free(&temporary);
    return status;
}

void gdyn_report_file_name(const char *name, char *out, size_t size) {
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++) {
        bool plain = isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '.';
        out[i] = plain && !(i == 0 && name[i] == '.') ? name[i] : '_';
    }
    out[i] = '\0';
}
