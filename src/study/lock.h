/* lock.h - one writer per study file (internal to study).
 *
 * The lock is the kernel's (fcntl) on FILE-lock, so it ends with the process however that ends; the
 * file holds the owner's process number and machine for messages. It cannot be on the study file
 * itself: closing any descriptor of that would also drop SQLite's own locks. */
#ifndef GDYN_STUDY_LOCK_H
#define GDYN_STUDY_LOCK_H

#include "base/status.h"

typedef struct gdyn_lock {
    int descriptor;
    char *name;
} gdyn_lock;

/* The process that holds a lock. */
typedef struct gdyn_owner {
    long pid; /* 0: nobody */
    char host[72];
} gdyn_owner;

/* GDYN_ERROR_STUDY with *owner when another process has it; GDYN_ERROR_FILE with errno. */
gdyn_status gdyn_lock_take(const char *filename, gdyn_lock *lock, gdyn_owner *owner);
/* Gives it back and removes the lock file. */
void gdyn_lock_release(gdyn_lock *lock);
/* Who has it; not to be asked by the process that has it. */
gdyn_owner gdyn_lock_owner(const char *filename);

#endif
