/* gnuplot.c - runs gnuplot on all pictures of a command: one process, without a shell and start
 * files, found by an absolute path in PATH.
 *
 * Scripts are loaded one by one. gnuplot reads commands from a socket, and says on it when a
 * script has ended: a picture gets its name only then, and a gnuplot that does not say so in
 * time is ended. */
#include "report/picture.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* For one picture: a moving one of 200 frames takes some ten seconds on a busy machine. */
static const double SECONDS = 120;

/* --- the process ------------------------------------------------------------------------------ */

typedef struct plotter {
    const char *folder;
    const gdyn_sink *sink;
    /* NULL: PNG, SVG, and GIF of what moves, as they were laid out */
    const gdyn_picture_look *look;
    const char *into;   /* folder of the pictures */
    gdyn_text settings; /* commands that set the look */
    double seconds;     /* limit for one picture */
    pid_t child;        /* 0: none */
    int line;           /* our end of the socket */
    char said[200];     /* the line that gnuplot is printing */
    size_t length;      /* of it */
    double natural;     /* height that the layout of the last picture takes [1/96 inch] */
    gdyn_text commands; /* that are to be sent */
    char ending[32];    /* of unfinished pictures */
} plotter;

/* The first gnuplot in the absolute folders of PATH: a file of the working folder is never run. */
static bool find_gnuplot(char name[4096]) {
    /* folder by folder, as a shell would search */
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        int written = snprintf(name, 4096, "%.*s/gnuplot", (int)length, path);
        struct stat info;
        if (*path == '/' && written > 0 && written < 4096 && stat(name, &info) == 0 &&
            S_ISREG(info.st_mode) && access(name, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

bool gdyn_gnuplot_present(void) {
    char name[4096];
    return find_gnuplot(name);
}

/* The process, in a group of its own, with `other` as its input and its messages. An errno. */
static int spawn(pid_t *child, char *program, int other) {
    char option[] = "-d"; /* no start file */
    char *arguments[] = {program, option, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    /* standard output, where gnuplot counts the frames of moving pictures, is discarded */
    posix_spawn_file_actions_adddup2(&actions, other, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, other, STDERR_FILENO);
    int failed = posix_spawn(child, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* A command with a folder, its quotes doubled, as gnuplot reads single-quoted strings. */
static void add_folder(gdyn_text *commands, const char *command, const char *folder,
                       const char *end) {
    gdyn_text_printf(commands, "%s'", command);
    for (; *folder; folder++)
        gdyn_text_append(commands, *folder == '\'' ? "''" : folder, *folder == '\'' ? 2 : 1);
    gdyn_text_printf(commands, "%s'\n", end);
}

static bool start(plotter *g) {
    char program[4096];
    int end[2], failed = ENOENT;
    /* commands and answers go through a pair of sockets, which no other process inherits */
    if (find_gnuplot(program)) {
        failed = socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0 ? 0 : errno;
        if (!failed) {
            fcntl(end[0], F_SETFD, FD_CLOEXEC), fcntl(end[1], F_SETFD, FD_CLOEXEC);
            failed = spawn(&g->child, program, end[1]);
            close(end[1]);
        }
    }
    if (failed) {
        g->child = 0;
        gdyn_diag_emit(g->sink, GDYN_WARNING, "", NULL,
                       GDYN_CODE_PICTURE "gnuplot cannot be run: %s", strerror(failed));
        return false;
    }
    g->line = end[0], g->length = 0;
    g->commands.length = 0;
    gdyn_unfinished_child(g->child);
    add_folder(&g->commands, "cd ", g->folder, "");
    return true;
}

/* Ends gnuplot: everything is drawn, or it hangs. */
static void stop(plotter *g) {
    if (g->child == 0)
        return;
    /* pictures that are complete have their names already: nothing is lost */
    kill(-g->child, SIGKILL);
    while (waitpid(g->child, NULL, 0) < 0 && errno == EINTR)
        ;
    gdyn_unfinished_child(0);
    close(g->line);
    g->child = 0;
}

/* --- its answers ------------------------------------------------------------------------------ */

typedef enum gdyn_drawn { DRAWN, REFUSED, GONE, LATE } gdyn_drawn;

static bool send_commands(plotter *g) {
    /* MSG_NOSIGNAL: if gnuplot has ended, an error instead of a signal */
    const char *at = g->commands.data;
    size_t left = g->commands.failed ? 0 : g->commands.length;
    while (left > 0) {
        ssize_t sent = send(g->line, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        left -= (size_t)sent;
    }
    g->commands.length = 0;
    return !g->commands.failed;
}

/* Collects lines of gnuplot's messages; true at the line that ends a script, *error: its error
 * number. */
static bool hear(plotter *g, const char *bytes, ssize_t count, int *error) {
    bool ended = false;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            g->said[g->length] = bytes[i], g->length += g->length + 2 < sizeof g->said;
            continue;
        }
        g->said[g->length] = '\0', g->length = 0;
        ended |= sscanf(g->said, "globdyn: drawn %d %lf", error, &g->natural) == 2;
    }
    return ended;
}

/* Waits until the script has ended, or gnuplot, or the time. */
static gdyn_drawn wait_for(plotter *g) {
    /* one limit for the whole picture, whatever gnuplot prints meanwhile */
    double until = gdyn_clock() + g->seconds;
    for (int error = 0;;) {
        char bytes[512];
        struct pollfd line = {.fd = g->line, .events = POLLIN};
        double left = until - gdyn_clock();
        int ready = left > 0 ? poll(&line, 1, (int)(1000 * left) + 1) : 0;
        if (ready == 0)
            return LATE;
        ssize_t count = ready > 0 ? recv(g->line, bytes, sizeof bytes, 0) : -1;
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return GONE;
        if (hear(g, bytes, count, &error))
            return error ? REFUSED : DRAWN;
    }
}

/* --- one picture ------------------------------------------------------------------------------ */

/* In the order of gdyn_unfinished_kind. */
const char *const gdyn_picture_formats[] = {"png", "svg", "pdf", "gif", NULL};
enum { PNG, SVG, PDF, GIF, EXTENSIONS };

/* The picture comes in this format, or may do so. */
static bool wants(const plotter *g, int format) {
    return g->look ? g->look->format == format : format != PDF;
}

/* gnuplot does not report a disk that is full: a picture is whole when it ends as its format
 * does, whatever newlines come after that. */
static bool is_whole(const char *name, int format) {
    static const struct ending {
        const char *bytes;
        size_t length;
    } ending[EXTENSIONS] = {{"IEND\xAE\x42\x60\x82", 8}, {"</svg>", 6}, {"%%EOF", 5}, {"\0;", 2}};
    char last[16] = "";
    FILE *file = fopen(name, "rb");
    size_t length = file && fseek(file, -(long)sizeof last, SEEK_END) == 0
                        ? fread(last, 1, sizeof last, file)
                        : 0;
    if (file)
        fclose(file);
    while (length > 0 && last[length - 1] == '\n')
        length--;
    size_t n = ending[format].length;
    return length >= n && memcmp(last + length - n, ending[format].bytes, n) == 0;
}

/* Gives the drawn files their names; after a failure there is neither a part of a picture nor an
 * older one. */
static bool settle(const plotter *g, gdyn_text partial[EXTENSIONS], bool drawn) {
    /* for each kind of file: rename it, or remove what there is */
    for (int i = 0; i < EXTENSIONS; i++) {
        gdyn_text final = {0};
        if (!wants(g, i) || (i == GIF && access(partial[i].data, F_OK) != 0)) {
            gdyn_unfinished_end(GDYN_UNFINISHED_PNG + i); /* few pictures move */
            continue;
        }
        gdyn_text_append(&final, partial[i].data, partial[i].length - strlen(g->ending));
        bool named = final.data && !final.failed;
        drawn = drawn && named && is_whole(partial[i].data, i) &&
                rename(partial[i].data, final.data) == 0;
        if (!drawn) {
            unlink(partial[i].data);
            unlink(named ? final.data : "");
        }
        gdyn_text_free(&final);
        gdyn_unfinished_end(GDYN_UNFINISHED_PNG + i);
    }
    return drawn;
}

static void explain(const plotter *g, gdyn_drawn answer, const char *stem) {
    if (answer == LATE)
        gdyn_diag_emit(
            g->sink, GDYN_WARNING, "",
            "all other results are complete; GLOBDYN_PICTURE_SECONDS sets another limit, "
            "--no-pictures skips pictures",
            GDYN_CODE_PICTURE
            "gnuplot was stopped: it did not draw %s.gp within %g s; it and the pictures "
            "after it are missing",
            stem, g->seconds);
    else
        gdyn_diag_emit(g->sink, GDYN_WARNING, "", "run it by hand to see its message",
                       GDYN_CODE_PICTURE "gnuplot could not make the pictures of %s.gp", stem);
}

/* Draws one picture; LATE: the process was too slow. */
static gdyn_drawn draw(plotter *g, const char *stem) {
    gdyn_text partial[EXTENSIONS] = {{0}};
    gdyn_drawn answer = GONE;
    bool failed = false;
    for (int i = 0; i < EXTENSIONS; i++) {
        gdyn_text_printf(&partial[i], "%s/%s.%s%s", g->into, stem, gdyn_picture_formats[i],
                         g->ending);
        failed |= partial[i].failed;
    }
    /* registered before gnuplot begins, so that no part of a picture stays */
    if (!failed) {
        for (int i = 0; i < EXTENSIONS; i++) {
            unlink(partial[i].data); /* gnuplot would write where a link leads */
            gdyn_unfinished_begin(GDYN_UNFINISHED_PNG + i, partial[i].data);
        }
        /* Loads the script in a fresh session; a page that a rejected script left open is closed
         * first. */
        gdyn_text_printf(
            &g->commands,
            "unset multiplot\nreset session\nreset errors\npartial = '%s'\n%sload '%s.gp'\n"
            "set output\nprint sprintf('globdyn: drawn %%d %%g', GPVAL_ERRNO, "
            "exists('tall') ? wide*tall/room : 0)\n",
            g->ending, g->settings.data ? g->settings.data : "", stem);
        answer = send_commands(g) ? wait_for(g) : GONE;
        if (answer == GONE || answer == LATE)
            stop(g); /* before its files are removed */
        if (!settle(g, partial, answer == DRAWN) && answer == DRAWN)
            answer = REFUSED;
    }
    for (int i = 0; i < EXTENSIONS; i++)
        gdyn_text_free(&partial[i]);
    return answer;
}

/* --- all of them ------------------------------------------------------------------------------ */

static double seconds_allowed(void) {
    const char *text = getenv("GLOBDYN_PICTURE_SECONDS");
    double seconds = text ? strtod(text, NULL) : 0;
    return seconds > 0 && seconds < 1e6 ? seconds : SECONDS;
}

static const double INCH = 0.0254; /* [m] */

static gdyn_status draw_all(plotter *g, const gdyn_pictures *pictures) {
    int i = 0;
    gdyn_status status = GDYN_OK;
    snprintf(g->ending, sizeof g->ending, ".%ld.tmp", (long)getpid());
    for (; i < pictures->count; i++) {
        /* a process that ended at a script draws the others anew */
        if (g->child == 0 && !start(g)) {
            status = GDYN_ERROR_EXTERNAL;
            break;
        }
        gdyn_drawn answer = draw(g, pictures->stem[i]);
        if (answer == DRAWN) {
            /* Lines of a page that is much lower than its layout cover each other. */
            const char *stem = pictures->stem[i];
            static const double LOWER = 0.8;
            double high = g->look ? 96 * g->look->height / INCH : 0;
            if (high > 0 && high < LOWER * g->natural)
                gdyn_diag_emit(
                    g->sink, GDYN_WARNING, "", "check whether texts overlap, or leave out --height",
                    GDYN_CODE_PICTURE "%s is laid out for a height of %.0f mm at this width", stem,
                    1000 * INCH / 96 * g->natural);
            continue;
        }
        status = GDYN_ERROR_EXTERNAL;
        explain(g, answer, pictures->stem[i]);
        if (answer == LATE)
            break;
    }
    for (; i < pictures->count; i++) {
        /* pictures of an earlier run whose scripts are not drawn this time */
        for (int j = 0; j < EXTENSIONS; j++) {
            gdyn_text name = {0};
            gdyn_text_printf(&name, "%s/%s.%s", g->into, pictures->stem[i],
                             gdyn_picture_formats[j]);
            unlink(name.failed || !wants(g, j) ? "" : name.data);
            gdyn_text_free(&name);
        }
    }
    stop(g);
    gdyn_text_free(&g->commands);
    return status;
}

gdyn_status gdyn_pictures_draw(const gdyn_pictures *pictures) {
    plotter g = {.folder = pictures->folder,
                 .into = pictures->folder,
                 .sink = &pictures->sink,
                 .seconds = seconds_allowed()};
    return draw_all(&g, pictures);
}

/* --- another look ----------------------------------------------------------------------------- */

/* gnuplot works in the folder of the scripts: other folders are named from the root on. */
static bool absolute(const char *folder, gdyn_text *out) {
    char here[4096];
    if (*folder != '/' && !getcwd(here, sizeof here))
        return false;
    if (*folder != '/')
        gdyn_text_printf(out, "%s/", here);
    gdyn_text_printf(out, "%s", folder);
    return !out->failed;
}

/* What the head of a script takes in place of its own values (figure/gnuplot.c). */
static bool write_settings(gdyn_text *out, const gdyn_picture_look *look) {
    static const double DOTS = 300; /* of a printed PNG, per inch */
    gdyn_text into = {0};
    gdyn_text_printf(out, "formats = '%s'\n", gdyn_picture_formats[look->format]);
    if (look->width > 0)
        gdyn_text_printf(out, "wide = %.9g\n", 96 * look->width / INCH);
    if (look->height > 0)
        gdyn_text_printf(out, "high = %.9g\n", 96 * look->height / INCH);
    if (look->width > 0 || look->height > 0)
        gdyn_text_printf(out, "dots = %.9g\n", DOTS / 96);
    if (look->letters > 0)
        gdyn_text_printf(out, "letters = %.9g\n", look->letters);
    if (look->turned)
        gdyn_text_printf(out, "tilt = %.9g\nturn = %.9g\n", look->tilt, look->turn);
    bool known = !look->into || absolute(look->into, &into);
    if (look->into && known)
        add_folder(out, "into = ", into.data, "/");
    gdyn_text_free(&into);
    return known && !out->failed;
}

gdyn_picture_head gdyn_picture_head_of(const char *folder, const char *stem) {
    char line[200] = "";
    gdyn_text name = {0};
    gdyn_picture_head of = {0};
    gdyn_text_printf(&name, "%s/%s.gp", folder, stem);
    FILE *file = name.failed ? NULL : fopen(name.data, "rb");
    for (int i = 0; i < 2 && file && fgets(line, sizeof line, file); i++)
        sscanf(line, "# Layout: %lf wide", &of.wide);
    of.moves = of.wide > 0 && strstr(line, ", moves");
    of.turns = of.wide > 0 && strstr(line, ", turns");
    if (file)
        fclose(file);
    gdyn_text_free(&name);
    return of;
}

gdyn_status gdyn_pictures_plot(const gdyn_pictures *pictures, const gdyn_picture_look *look) {
    const char *folder = pictures->folder;
    const gdyn_sink *sink = &pictures->sink;
    plotter g = {.folder = folder, .sink = sink, .look = look, .seconds = seconds_allowed()};
    g.into = look->into ? look->into : folder;
    for (int i = 0; i < pictures->count; i++) {
        gdyn_picture_head of = gdyn_picture_head_of(folder, pictures->stem[i]);
        if (of.wide > 0) {
            /* letters that are larger than the narrowest page has room for cover each other */
            static const double LESS = 0.97;
            double wide = g.look->width > 0 ? 96 * g.look->width / INCH : of.wide;
            double letters = g.look->letters > 0
                                 ? g.look->letters
                                 : fmax(GDYN_LETTERS_READ, GDYN_LETTERS * wide / of.wide);
            if (wide * GDYN_LETTERS / letters < LESS * GDYN_PAGE_LEAST)
                gdyn_diag_emit(
                    g.sink, GDYN_WARNING, "", "check whether texts are cut or overlap",
                    GDYN_CODE_PICTURE
                    "%s is laid out for text of up to %.1f pt at this width, or a width of at "
                    "least %.0f mm",
                    pictures->stem[i], floor(10 * wide * GDYN_LETTERS / GDYN_PAGE_LEAST) / 10,
                    ceil(1000 * INCH / 96 * GDYN_PAGE_LEAST * letters / GDYN_LETTERS));
            continue;
        }
        gdyn_diag_emit(sink, GDYN_ERROR, "", "the command that wrote it writes it again",
                       GDYN_CODE_PICTURE
                       "%s/%s.gp is missing, or from a release without globdyn plot",
                       folder, pictures->stem[i]);
        return GDYN_ERROR_FILE;
    }
    /* letters that cannot be read in print */
    static const double LEAST = 4;
    if (g.look->letters > 0 && g.look->letters < LEAST)
        gdyn_diag_emit(g.sink, GDYN_WARNING, "", "without --font-size text has 7.5 pt or more",
                       GDYN_CODE_PICTURE "text of %.1f pt is hardly legible in print",
                       g.look->letters);
    gdyn_status status = write_settings(&g.settings, look) ? GDYN_OK : GDYN_ERROR_FILE;
    if (status == GDYN_OK)
        status = draw_all(&g, pictures);
    gdyn_text_free(&g.settings);
    return status;
}
