/* lock.c - one writer per study file. */
#include "study/archive.h"

#include "base/document.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *lock_name(const char *filename) {
    gdyn_text name = {0};
    gdyn_text_printf(&name, "%s-lock", filename);
    return name.data;
}

/* An exclusive lock; it ends with the process, however that ends. */
static struct flock whole_file(void) {
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* The file holds "PID HOST". */
static gdyn_owner read_owner(int descriptor, long pid) {
    gdyn_owner owner = {pid, ""};
    char text[sizeof owner.host + 32] = "";
    long written = 0;
    if (pread(descriptor, text, sizeof text - 1, 0) > 0)
        sscanf(text, "%ld %71s", &written, owner.host);
    if (owner.pid <= 0) /* the holder is on another machine */
        owner.pid = written;
    return owner;
}

/* One attempt; *again when the file went away meanwhile. */
static gdyn_status try_lock(gdyn_lock *lock, gdyn_owner *owner, bool *again) {
    *again = false;
    lock->descriptor = gdyn_document_open_own(lock->name, true, false);
    if (lock->descriptor < 0)
        return GDYN_ERROR_FILE;
    struct flock region = whole_file();
    if (fcntl(lock->descriptor, F_SETLK, &region) == 0) {
        /* A holder that ended has removed the file: the lock must be on the one that has the name
         * now. */
        struct stat mine, named;
        if (fstat(lock->descriptor, &mine) == 0 && lstat(lock->name, &named) == 0 &&
            mine.st_ino == named.st_ino && mine.st_dev == named.st_dev) {
            /* for messages of other processes */
            char host[72] = "", text[sizeof host + 32];
            gethostname(host, sizeof host - 1);
            int length = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
            if (ftruncate(lock->descriptor, 0) != 0 ||
                pwrite(lock->descriptor, text, (size_t)length, 0) != length)
                errno = 0; /* only messages are poorer for it */
            return GDYN_OK;
        }
        *again = true;
    } else if (errno != EACCES && errno != EAGAIN) {
        return GDYN_ERROR_FILE;
    } else if (fcntl(lock->descriptor, F_GETLK, &region) == 0 && region.l_type != F_UNLCK) {
        *owner = read_owner(lock->descriptor, region.l_pid);
    } else {
        /* The holder has just gone: try again. */
        *again = true;
    }
    close(lock->descriptor);
    lock->descriptor = -1;
    return GDYN_ERROR_STUDY;
}

gdyn_status gdyn_lock_take(const char *filename, gdyn_lock *lock, gdyn_owner *owner) {
    *lock = (gdyn_lock){-1, lock_name(filename)};
    *owner = (gdyn_owner){0};
    if (!lock->name)
        return GDYN_ERROR_MEMORY;
    gdyn_status status;
    bool again;
    int attempts = 0;
    /* Retries end: a hundred owners cannot come and go in this time. */
    do
        status = try_lock(lock, owner, &again);
    while (again && ++attempts < 100);
    if (status != GDYN_OK) {
        int cause = errno;
        if (lock->descriptor >= 0)
            close(lock->descriptor);
        gdyn_free(lock->name);
        *lock = (gdyn_lock){-1, NULL};
        errno = cause;
    }
    return status;
}

void gdyn_lock_release(gdyn_lock *lock) {
    if (lock->descriptor < 0)
        return;
    unlink(lock->name);
    close(lock->descriptor);
    gdyn_free(lock->name);
    *lock = (gdyn_lock){-1, NULL};
}

/* Asks without taking: F_GETLK names a process that holds the lock. */
gdyn_owner gdyn_lock_owner(const char *filename) {
    gdyn_owner owner = {0};
    char *name = lock_name(filename);
    int descriptor = name ? open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    struct flock region = whole_file();
    if (descriptor >= 0 && fcntl(descriptor, F_GETLK, &region) == 0 && region.l_type != F_UNLCK)
        owner = read_owner(descriptor, region.l_pid);
    if (descriptor >= 0)
        close(descriptor);
    gdyn_free(name);
    return owner;
}
