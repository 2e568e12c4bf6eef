/* main.c - the program globdyn: finds the command that the arguments name, and what all commands
 * share. */
#define _DEFAULT_SOURCE /* madvise */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#endif

/* A command that does not exist. */
static int unknown_command(const char *name) {
    /* The nearest name, or where to find all of them. */
    enum { NAMES_MOST = 64 };
    const char *names[NAMES_MOST];
    int count = 0;
    for (int i = 0; i < gdyn_command_count && count < NAMES_MOST - 1; i++)
        names[count++] = gdyn_command_table[i].name;
    names[count++] = "help";
    gdyn_cli_error(GDYN_CODE_USAGE "there is no command '%s'", name);
    size_t length = strlen(name);
    bool is_case = length > 5 && !strcmp(name + length - 5, ".yaml");
    if (is_case)
        gdyn_cli_help("globdyn check %s looks at a case", name);
    else if (!strcmp(name, "-v") || !strcmp(name, "-V") || !strcmp(name, "version"))
        gdyn_cli_help("globdyn --version prints the version");
    else
        gdyn_cli_suggest(name, names, count, "globdyn help lists the commands");
    return GDYN_EXIT_USAGE;
}

/* Answers `globdyn help ABOUT`; NULL: usage, commands, exit codes. */
static int print_help(const char *about) {
    const gdyn_command *command = about ? gdyn_command_find(about) : NULL;
    if (command) {
        gdyn_options_help(command);
    } else if (about && strcmp(about, "criteria") == 0) {
        char *list = gdyn_criteria_list();
        printf("%s", list ? list : "");
        gdyn_free(list);
        return list ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    } else if (about) {
        return unknown_command(about);
    } else {
        printf("globdyn %s: the global dynamics of machines\n\n"
               "usage: globdyn COMMAND [options] [CASE.yaml]\n\ncommands:\n",
               gdyn_version());
        for (int i = 0; i < gdyn_command_count; i++)
            printf("  %-10s %s\n", gdyn_command_table[i].name, gdyn_command_table[i].about);
        printf("  %-10s %s\n\n"
               "globdyn help COMMAND lists a command's options, globdyn help criteria the "
               "criteria\nof designs; globdyn-case(5) and docs/ describe the case format.\n"
               "Exit codes: 0 yes, 1 no, 2 usage, 3 case file, 4 numerics, 5 files, 6 study in "
               "use,\n7 memory.\n",
               "help", "this list, or a command's options");
    }
    return GDYN_EXIT_YES;
}

/* Runs the command that the arguments name; an exit code. */
static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    if (!strcmp(name, "--version")) {
        printf("globdyn %s%s\n", gdyn_version(), gdyn_ranks_built() ? "" : " (without MPI)");
        return GDYN_EXIT_YES;
    }
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
        return print_help(argc > 2 && strcmp(argv[2], "help") != 0 ? argv[2] : NULL);
    /* When the program is built: what is installed beside it. */
    if (!strcmp(name, "--write-share"))
        return gdyn_write_share(argc - 2, argv + 2);
    /* Commands follow from their table. */
    const gdyn_command *command = gdyn_command_find(name);
    if (!command)
        return unknown_command(name);
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--json"))
            gdyn_console_collect();
    return gdyn_cli_run(command, argc - 1, argv + 1);
}

/* A closed standard stream would let the next opened file take its number. */
static bool standard_streams(void) {
    /* Missing streams become /dev/null. */
    bool has_output = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
            return false;
    if (!has_output)
        gdyn_cli_error(GDYN_CODE_FILE "standard output is closed");
    return has_output;
}

/* Under mpirun rank 0 runs the command and the others evaluate for it; else there is nothing to do.
 * Returns true when this process has nothing more to do. */
static bool join_ranks(int *code) {
    *code = GDYN_EXIT_YES;
    if (!gdyn_ranks_launched())
        return false;
    if (!gdyn_ranks_built()) {
        gdyn_cli_error(
            GDYN_CODE_RANKS
            "this program was built without MPI; mpirun would only start it several times "
            "(rebuild it after `scripts/setup mpi`)");
        *code = GDYN_EXIT_USAGE;
        return true;
    }
    /* Collective: every rank begins MPI here. */
    int rank = gdyn_ranks_begin();
    if (rank < 0) {
        gdyn_cli_error(GDYN_CODE_RANKS "MPI cannot be started");
        *code = GDYN_EXIT_FILE;
    } else if (rank > 0) {
        *code = gdyn_exit_code(gdyn_ranks_serve());
    }
    return rank != 0;
}

/* What a design frees the next one needs again: it is not given back to the system in between. The
 * heap goes on in stretches of 16 MiB, the first of which may lie in huge pages: one fault in place
 * of 512. */
static void keep_memory(void) {
#ifdef __GLIBC__
    enum { STRETCH = 16 << 20, HUGE_PAGE = 2 << 20, PART = 1 << 20 };
    mallopt(M_TRIM_THRESHOLD, 64 << 20), mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TOP_PAD, STRETCH);
#ifdef MADV_HUGEPAGE
    /* more than is left of the heap's beginning: behind it lies a whole stretch */
    void *part = malloc(PART);
    uintptr_t from = ((uintptr_t)part + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (part)
        madvise((void *)from, STRETCH - HUGE_PAGE, MADV_HUGEPAGE); /* may be refused */
    free(part);
#endif
#endif
}

/* What stopped a write that failed: errno where it speaks of files, as it may be of another call
 * since then. */
static const char *write_error(int number) {
    static const int of_files[] = {ENOSPC, EDQUOT, EFBIG, EIO, EPIPE, EBADF};
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (number == of_files[i])
            return strerror(number);
    return "not all of it could be written";
}

enum { SECONDS_TO_LEAVE = 5 }; /* for ranks that are still at work after an interruption */

int main(int argc, char **argv) {
    int code;
    /* Signals become errors of the write that failed. */
    signal(SIGPIPE, SIG_IGN); /* refused writes are errors, reported with the file */
    signal(SIGXFSZ, SIG_IGN);
    if (!standard_streams())
        return GDYN_EXIT_FILE;
    gdyn_console_begin();
    keep_memory();
    gdyn_stop_idle_threads();
    if (join_ranks(&code))
        return code;
    /* The command, then the end of the other ranks. */
    code = dispatch(argc, argv);
    if (gdyn_ranks_count() > 1)
        gdyn_ranks_end(SECONDS_TO_LEAVE, code);
    /* Results on a full disk or a closed pipe are no success. */
    bool written = !ferror(stdout);
    if (fflush(stdout) != 0 || !written) {
        /* no complaint about a pipe that is no longer read (globdyn ... | head) */
        struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
        if (!(poll(&output, 1, 0) == 1 && (output.revents & POLLERR)))
            gdyn_cli_error(GDYN_CODE_FILE "cannot write to standard output: %s",
                           write_error(errno));
        return GDYN_EXIT_FILE;
    }
    return gdyn_cli_conclude(code);
}
