/* gnuplot.c - runs gnuplot, which is found in PATH at run time, without a shell. */
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool gdyn_gnuplot_present(void) {
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char name[4096];
        int written = snprintf(name, sizeof name, "%.*s/gnuplot", (int)length, path);
        if (length > 0 && written > 0 && written < (int)sizeof name && access(name, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* cd 'FOLDER' with quotes doubled, as gnuplot reads single-quoted strings. */
static void change_folder(gdyn_text *out, const char *folder) {
    gdyn_text_printf(out, "cd '");
    for (; *folder; folder++) {
        gdyn_text_append(out, *folder == '\'' ? "''" : folder, *folder == '\'' ? 2 : 1);
    }
    gdyn_text_append(out, "'", 1);
}

static gdyn_status wait_for(pid_t child, const char *script, const gdyn_sink *sink) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return GDYN_ERROR_EXTERNAL;
        }
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        return GDYN_OK;
    }
    gdyn_diag_emit(sink, GDYN_WARNING, "", "run it by hand to see what it objects to",
                   "gnuplot could not make the pictures of %s", script);
    return GDYN_ERROR_EXTERNAL;
}

gdyn_status gdyn_gnuplot_run(const char *folder, const char *script, const gdyn_sink *sink) {
    gdyn_text enter = {0};
    change_folder(&enter, folder);
    if (enter.failed) {
        gdyn_text_free(&enter);
        return GDYN_ERROR_MEMORY;
    }
    char gnuplot[] = "gnuplot", option[] = "-e", name[256];
    snprintf(name, sizeof name, "%s", script);
    char *arguments[] = {gnuplot, option, enter.data, name, NULL};
    /* What gnuplot prints must not mix with the answer on standard output. */
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    pid_t child;
    int failed = posix_spawnp(&child, gnuplot, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    gdyn_text_free(&enter);
    if (failed) {
        gdyn_diag_emit(sink, GDYN_WARNING, "", NULL, "gnuplot cannot be run: %s", strerror(failed));
        return GDYN_ERROR_EXTERNAL;
    }
    return wait_for(child, script, sink);
}
