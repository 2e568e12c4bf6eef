/* main.c - the program globdyn: the table of commands, and what all of them share. */
#include "cli/cli.h"

#include "base/text.h"
#include "base/version.h"
#include "criteria/criteria.h"
#include "study/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

static const gdyn_command commands[] = {
    {"new", "[TEMPLATE]", "writes a starting case file from a template", 0, 1, gdyn_cmd_new,
     "Without TEMPLATE the templates are listed."},
    {"check", "CASE", "structure, mobility, redundancy, assembly of a machine", 1, 1,
     gdyn_cmd_check,
     "Exit code 1: the machine cannot be assembled, or not on all of a trajectory."},
    {"modes", "CASE", "the poses in which the machine can be assembled, for the case", 1, 1,
     gdyn_cmd_modes,
     "The tools (--hold drives: the drives) stay where they are. Every mode is printed as a "
     "pose\nthat "
     "can be pasted under machine: poses:. Exit code 1: the machine cannot be assembled."},
    {"workspace", "CASE", "which poses of a grid the machine reaches, and what it can do there", 1,
     1, gdyn_cmd_workspace,
     "The grids are those of workspaces:. Exit code 1: no node of one is reached."},
    {"regions", "CASE", "accessible path speeds and accelerations, with pictures", 1, 1,
     gdyn_cmd_regions,
     "Writes regions.csv, regions.json, gnuplot scripts and pictures. --coefficients\nreplaces "
     "CASE. Exit code 1: nothing is accessible at some point of a trajectory."},
    {"reactions", "CASE", "joint reactions: which are unique, and their values", 1, 1,
     gdyn_cmd_reactions,
     "Writes reactions.csv, reactions.json, gnuplot scripts and pictures. Exit code 1: the "
     "machine\n"
     "cannot be assembled, or at no point of a trajectory."},
    {"traverse", "CASE", "the fastest motion along a path, with bounds of its time", 1, 1,
     gdyn_cmd_traverse,
     "Writes traverse.csv, poses.csv, traverse.json, audit.csv, gnuplot scripts and pictures.\n"
     "--coefficients replaces CASE. Exit code 1: there is no motion; the reason is\n"
     "printed."},
    {"report", "CASE", "all of this as one HTML file that needs nothing else", 1, 1,
     gdyn_cmd_report,
     "Writes report.html: the machine in motion, regions, the fastest motion, reactions. Exit code "
     "1:\n"
     "the machine cannot be assembled, or cannot move along some trajectory; the reason is "
     "printed."},
    {"feasible", "CASE", "whether a given motion keeps all limits; slow-down or speed-up", 1, 1,
     gdyn_cmd_feasible,
     "--motion FILE is needed. Writes feasible.csv, feasible.json, gnuplot scripts and pictures.\n"
     "Exit code 1: a limit is violated."},
    {"simulate", "CASE", "how the machine moves in time, redundant constraints included", 1, 1,
     gdyn_cmd_simulate,
     "Writes simulate.csv, simulate.json, gnuplot scripts and pictures. Exit code 1: the machine\n"
     "cannot be assembled or moved, or the motion breaks down; the reason is printed."},
    {"verify", "CASE...", "compares a case with its expect: block and with independent methods", 1,
     10000, gdyn_cmd_verify, "Exit code 1: something differs."},
    {"evaluate", "CASE", "one design: criteria, objectives, constraints, reactions", 1, 1,
     gdyn_cmd_evaluate,
     "The design is the case's own, or that of --set. Exit code 1: it is not feasible."},
    {"sweep", "CASE", "designs spread over the bounds: sensitivities, grids, samples", 1, 1,
     gdyn_cmd_sweep,
     "Keeps every design in sweep.db; the same command continues. Writes sweep.csv, for oat\n"
     "sensitivity.csv, and pictures. The case needs design:, but no optimize:."},
    {"optimize", "CASE", "searches the design variables for the best compromises", 1, 1,
     gdyn_cmd_optimize,
     "Keeps every design in study.db as soon as it is evaluated; the same command continues a\n"
     "search that was interrupted or killed, or takes it further with a greater --evaluations.\n"
     "mpirun -n N globdyn optimize CASE spreads the designs over N processes; --threads is then\n"
     "the number for each (default 1).\n"
     "Writes front.csv, front.json, designs.csv and pictures. Exit code 1: no design is feasible;\n"
     "6: the study belongs to another case or is in use; 130: interrupted."},
    {"study", "VERB [STUDY...]", "lists, shows, compares and checks studies", 1, 10000,
     gdyn_cmd_study,
     "verbs:\n"
     "  list [FOLDER...]      studies below the folders (default results)\n"
     "  show STUDY [N]        the study, or its design N\n"
     "  front STUDY           the designs that are not dominated (--json, --csv)\n"
     "  export STUDY          every design with all its values, CSV or --json (-o FILE)\n"
     "  compare STUDY A B     two designs side by side\n"
     "  compare STUDY STUDY   two studies of one problem\n"
     "  pick STUDY            one design of the front, and why\n"
     "  limit STUDY NAME      what a constraint costs\n"
     "  case STUDY N          a case file that gives design N again (-o FILE)\n"
     "  check STUDY           is the file intact, are its designs reproduced?\n"
     "STUDY is a file, a folder with study.db, or the name of a folder below results/."},
    {"plot", "FOLDER [PICTURE...]", "pictures of a results folder: format, width, font, view", 1,
     10000, gdyn_cmd_plot,
     "FOLDER is a folder with pictures.list, or the name of one below results/; without PICTURE "
     "all\n"
     "are drawn. It runs the gnuplot scripts of the folder: take only folders that you trust."},
    {"schema", "", "prints the JSON Schema of case files", 0, 0, gdyn_cmd_schema, NULL},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The row of a command; NULL: none has this name. */
static const gdyn_command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

/* The help of the program. */
static void print_help(FILE *out) {
    /* Usage, commands, exit codes. */
    fprintf(out,
            "globdyn %s: the global dynamics of machines\n\n"
            "usage: globdyn COMMAND [options] [CASE.yaml]\n\ncommands:\n",
            gdyn_version());
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].about);
    fprintf(out, "  %-10s %s\n\n", "help", "this list, or a command's options");
    fprintf(
        out,
        "globdyn help COMMAND lists a command's options, globdyn help criteria the criteria\nof "
        "designs; docs/ describes the case format.\n"
        "Exit codes: 0 yes, 1 no, 2 usage, 3 case file, 4 numerics, 5 files, 6 study in use,\n7 "
        "memory.\n");
}

/* A command that does not exist. */
static int unknown_command(const char *name) {
    /* The nearest name, or where to find all of them. */
    const char *names[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    names[COMMANDS] = "help";
    const char *near = gdyn_text_nearest(name, names, COMMANDS + 1);
    gdyn_cli_error("there is no command '%s'", name);
    if (near)
        fprintf(stderr, "      = help: did you mean '%s'?\n", near);
    else
        fprintf(stderr, "      = help: globdyn help lists the commands\n");
    return GDYN_EXIT_USAGE;
}

/* Answers `globdyn help criteria`. */
static int print_criteria(void) {
    char *list = gdyn_criteria_list();
    printf("%s", list ? list : "");
    gdyn_free(list);
    return list ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
}

/* Answers `globdyn help COMMAND`. */
static int help_about(const char *name) {
    if (!strcmp(name, "criteria"))
        return print_criteria();
    const gdyn_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    gdyn_options_help(command);
    return GDYN_EXIT_YES;
}

/* Runs the command that the arguments name; an exit code. */
static int dispatch(int argc, char **argv) {
    /* Without arguments the help is an error. */
    if (argc < 2) {
        print_help(stderr);
        return GDYN_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("globdyn %s%s\n", gdyn_version(), gdyn_ranks_built() ? "" : " (without MPI)");
        return GDYN_EXIT_YES;
    }
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        if (argc > 2)
            return help_about(argv[2]);
        print_help(stdout);
        return GDYN_EXIT_YES;
    }
    /* Commands follow from their table. */
    const gdyn_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    gdyn_options options;
    int code;
    if (!gdyn_options_parse(command, argc - 1, argv + 1, &options, &code))
        return code;
    return command->run(&options);
}

/* A closed standard stream would let the next opened file take its number. */
static bool standard_streams(void) {
    /* Missing streams become /dev/null. */
    bool has_output = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
            return false;
    if (!has_output)
        gdyn_cli_error("standard output is closed");
    return has_output;
}

/* Under mpirun rank 0 runs the command and the others evaluate for it; else there is nothing to do. Returns
 * true when this process has nothing more to do. */
static bool join_ranks(int *code) {
    *code = GDYN_EXIT_YES;
    if (!gdyn_ranks_launched())
        return false;
    if (!gdyn_ranks_built()) {
        gdyn_cli_error(
            "this program was built without MPI; mpirun would only start it several times "
            "(build it anew after `scripts/setup mpi`)");
        *code = GDYN_EXIT_USAGE;
        return true;
    }
    /* Collective: every rank begins MPI here. */
    int rank = gdyn_ranks_begin();
    if (rank < 0) {
        gdyn_cli_error("MPI cannot be started");
        *code = GDYN_EXIT_FILE;
    } else if (rank > 0) {
        *code = gdyn_exit_code(gdyn_ranks_serve());
    }
    return rank != 0;
}

/* True when standard output is a pipe that is no longer read (globdyn ... | head): no complaint. */
static bool reader_left(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

/* What a design frees the next one needs again: it is not given back to the system in between. */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

/* What stopped a write that failed: errno where it speaks of files, as it may be of another call since then. */
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
        if (!reader_left())
            gdyn_cli_error("cannot write to standard output: %s", write_error(errno));
        return GDYN_EXIT_FILE;
    }
    return gdyn_cli_conclude(code);
}
