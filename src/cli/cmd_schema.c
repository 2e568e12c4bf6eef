/* cmd_schema.c - prints the JSON Schema of case files, for editors and other programs. */
#include "cli/cli.h"

int gdyn_cmd_schema(gdyn_session *s) {
    (void)s;
    char *schema = gdyn_case_schema();
    if (!schema)
        return gdyn_cli_judge(GDYN_ERROR_MEMORY);
    printf("%s\n", schema);
    gdyn_free(schema);
    return GDYN_EXIT_YES;
}
