/* library.c - a command from its arguments to its exit code: of the program, or of a process that is
 * not its own, which takes what would be printed and written. */
#include "cli/cli.h"

int gdyn_cli_run(const gdyn_command *command, int argc, char **argv) {
    gdyn_options options;
    gdyn_session session;
    int code;
    if (!gdyn_options_parse(command, argc, argv, &options, &code))
        return code;
    code = gdyn_session_begin(&options, command->needs, &session);
    code = code == GDYN_EXIT_YES ? command->run(&session) : code;
    gdyn_session_end(&session);
    return code;
}

int gdyn_cli_call(const gdyn_capture *capture, int argc, char **argv) {
    static const char *const names[] = {"check",     "modes",    "workspace", "regions",
                                        "reactions", "traverse", "feasible",  "simulate"};
    enum { NAMES = sizeof names / sizeof *names };
    int known = 0, code = GDYN_EXIT_USAGE;
    while (known < NAMES && strcmp(names[known], argv[0]) != 0)
        known++;
    gdyn_capture_set(capture);
    gdyn_console_collect();
    if (known < NAMES) {
        code = gdyn_cli_run(gdyn_command_find(argv[0]), argc, argv);
    } else {
        gdyn_cli_error(GDYN_CODE_USAGE "there is no document '%s'", argv[0]);
        gdyn_cli_suggest(argv[0], names, NAMES, "check, regions, traverse, ... are documents");
    }
    code = gdyn_flag(&gdyn_interrupted) ? gdyn_interrupt_exit_code() : gdyn_cli_conclude(code);
    gdyn_console_release();
    gdyn_capture_set(NULL);
    return code;
}
