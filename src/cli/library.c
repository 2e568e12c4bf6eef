/* library.c - a command from its arguments to its exit code: of the program, or of a process that
 * is not its own, which takes what would be printed and written. */
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
    const gdyn_command *command = gdyn_command_find(argv[0]);
    int code = GDYN_EXIT_USAGE;
    gdyn_capture_set(capture);
    gdyn_console_collect();
    /* Others, of studies, keep files of their own. */
    if (command && (command->needs >= GDYN_NEEDS_MACHINE || command->run == gdyn_cmd_check))
        code = gdyn_cli_run(command, argc, argv);
    else
        gdyn_cli_error(GDYN_CODE_USAGE "there is no document '%s'", argv[0]);
    code = gdyn_flag(&gdyn_interrupted) ? gdyn_interrupt_exit_code() : gdyn_cli_conclude(code);
    gdyn_console_release();
    gdyn_capture_set(NULL);
    return code;
}
