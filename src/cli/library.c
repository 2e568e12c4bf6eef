/* library.c - a command in a process that is not the program's: what it would print and write is
 * handed over. */
#include "cli/cli.h"

int gdyn_cli_call(const gdyn_opened *opened, int argc, char **argv, const gdyn_capture *capture) {
    const gdyn_command *command = gdyn_command_find(argv[0]);
    gdyn_options options;
    gdyn_session session;
    int code = GDYN_EXIT_USAGE;
    gdyn_captured = capture;
    gdyn_output_divert(capture->take, capture->context);
    gdyn_console_collect();
    if (gdyn_options_parse(command, argc, argv, &options, &code)) {
        if (options.set.count > 0 || options.without.count > 0 || options.coefficients) {
            code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                 GDYN_CODE_USAGE "this case is open: parameters are set before");
        } else {
            if (opened->instance->model)
                gdyn_model_set_formalism(opened->instance->model,
                                         (gdyn_formalism)options.formalism);
            code = gdyn_session_of(&options, command->needs, opened, &session);
            code = code == GDYN_EXIT_YES ? command->run(&session) : code;
            gdyn_session_close(&session);
        }
    }
    code = gdyn_flag(&gdyn_interrupted) ? gdyn_interrupt_exit_code() : gdyn_cli_conclude(code);
    gdyn_console_release();
    gdyn_output_divert(NULL, NULL);
    gdyn_captured = NULL;
    return code;
}
