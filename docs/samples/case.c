/* case.c - reads a case file and prints the greatest constant speed of its trajectories. */
#include <globdyn.h>
#include <stdio.h>

static void print_problem(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s:%d: %s\n", diag->file ? diag->file : "", diag->line, diag->message);
}

int main(int count, char **arguments) {
    const gdyn_sink sink = {print_problem, NULL};
    gdyn_case *file = NULL;
    gdyn_instance *start = NULL;
    if (count != 2 || gdyn_case_read(arguments[1], &sink, &file) != GDYN_OK ||
        gdyn_case_instantiate(file, 0, NULL, &sink, &start) != GDYN_OK)
        return 1;
    for (int i = 0; i < start->trajectory_count; i++) {
        gdyn_path *path = NULL;
        if (gdyn_path_create(start->model, &start->trajectory[i], &sink, &path) != GDYN_OK)
            return 1;
        gdyn_evaluation *result = gdyn_evaluation_create(start->model, path);
        if (!result || gdyn_evaluation_run(result, path, NULL) != GDYN_OK)
            return 1;
        printf("%s %.4f\n", start->trajectory[i].name,
               result->criteria.value[GDYN_CRITERION_SPEED]);
        gdyn_evaluation_destroy(result);
        gdyn_path_destroy(path);
    }
    gdyn_instance_destroy(start);
    gdyn_case_destroy(file);
    return 0;
}
