/* gnuplot.c - runs gnuplot, which is found in PATH at run time, without a shell. */
#include "report/report.h"
#include "report/unfinished.h"

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
    /* Folder by folder, as a shell would search. */
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char name[4096];
        int written = snprintf(name, sizeof name, "%.*s/gnuplot", (int)length, path);
        if (length > 0 && written > 0 && written < (int)sizeof name && access(name, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* cd 'FOLDER' with quotes doubled, as gnuplot reads single-quoted strings; the ending of its files. */
static void set_out(gdyn_text *out, const char *folder, const char *ending) {
    gdyn_text_printf(out, "cd '");
    for (; *folder; folder++)
        gdyn_text_append(out, *folder == '\'' ? "''" : folder, *folder == '\'' ? 2 : 1);
    gdyn_text_printf(out, "'; partial = '%s'", ending);
}

static bool ended_well(pid_t child) {
    /* Signals interrupt the wait, not the child. */
    int state = 0;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* Starts gnuplot with its first command and a script, and waits for it. */
static gdyn_status draw(char *begin, char *script, const gdyn_sink *sink) {
    char gnuplot[] = "gnuplot", option[] = "-e";
    char *arguments[] = {gnuplot, option, begin, script, NULL};
    /* What gnuplot prints, it counts the frames of moving pictures, is not for the reader. */
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    /* A signal to this process ends gnuplot, too. */
    pid_t child;
    int failed = posix_spawnp(&child, gnuplot, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        gdyn_diag_emit(sink, GDYN_WARNING, "", NULL, "gnuplot cannot be run: %s", strerror(failed));
        return GDYN_ERROR_EXTERNAL;
    }
    gdyn_unfinished_child(child);
    bool good = ended_well(child);
    gdyn_unfinished_child(0);
    if (!good) {
        gdyn_diag_emit(sink, GDYN_WARNING, "", "run it by hand to see its message",
                       "gnuplot could not make the pictures of %s", script);
    }
    return good ? GDYN_OK : GDYN_ERROR_EXTERNAL;
}

static const char *const extension[] = {"png", "svg",
                                        "gif"}; /* in the order of gdyn_unfinished_kind */
enum { EXTENSIONS = sizeof extension / sizeof *extension };

/* Gives the drawn files their names; after a failure there is neither a part of a picture nor an older one. */
static gdyn_status settle(gdyn_text partial[EXTENSIONS], size_t ending, gdyn_status status) {
    /* For each kind of file: rename it, or remove what there is. */
    for (int i = 0; i < EXTENSIONS; i++) {
        gdyn_text final = {0};
        if (i == GDYN_UNFINISHED_GIF - GDYN_UNFINISHED_PNG && access(partial[i].data, F_OK) != 0) {
            gdyn_unfinished_end(GDYN_UNFINISHED_GIF); /* few pictures move */
            continue;
        }
        gdyn_text_append(&final, partial[i].data, partial[i].length - ending);
        if (final.failed || !final.data)
            status = GDYN_ERROR_MEMORY;
        else if (status == GDYN_OK && rename(partial[i].data, final.data) != 0)
            status = GDYN_ERROR_EXTERNAL;
        if (status != GDYN_OK) {
            unlink(partial[i].data);
            unlink(final.data ? final.data : "");
        }
        gdyn_text_free(&final);
        gdyn_unfinished_end(GDYN_UNFINISHED_PNG + i);
    }
    return status;
}

gdyn_status gdyn_gnuplot_run(const char *folder, const char *stem, const gdyn_sink *sink) {
    gdyn_text begin = {0}, partial[EXTENSIONS] = {{0}};
    char ending[32], script[170];
    /* The script adds the ending to the names of its output. */
    snprintf(ending, sizeof ending, ".%ld.tmp", (long)getpid());
    snprintf(script, sizeof script, "%s.gp", stem);
    set_out(&begin, folder, ending);
    bool failed = begin.failed;
    for (int i = 0; i < EXTENSIONS; i++) {
        gdyn_text_printf(&partial[i], "%s/%s.%s%s", folder, stem, extension[i], ending);
        failed = failed || partial[i].failed;
    }
    gdyn_status status = GDYN_ERROR_MEMORY;
    /* Registered before gnuplot begins, so that no part of a picture stays. */
    if (!failed) {
        for (int i = 0; i < EXTENSIONS; i++)
            gdyn_unfinished_begin(GDYN_UNFINISHED_PNG + i, partial[i].data);
        status = settle(partial, strlen(ending), draw(begin.data, script, sink));
    }
    gdyn_text_free(&begin);
    for (int i = 0; i < EXTENSIONS; i++)
        gdyn_text_free(&partial[i]);
    return status;
}
