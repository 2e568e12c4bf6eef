/* motion.c - the fastest motion along the first trajectory of a case, and whether a given motion
 * keeps its limits: a case file, and a CSV file of the motion. */
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
    gdyn_trajectory fastest;
    if (count != 3 || gdyn_case_read(arguments[1], &sink, &file) != GDYN_OK ||
        gdyn_case_instantiate(file, 0, NULL, &sink, &start) != GDYN_OK ||
        gdyn_trajectory_open(&fastest, start, 0, &sink) != GDYN_OK ||
        gdyn_trajectory_take(&fastest, GDYN_PASS_FORCES) != GDYN_OK)
        return 1;
    const gdyn_traverse *plan = fastest.traverse;
    printf("%s: T = %.6f s, between %.6f and %.6f s\n", fastest.name, plan->time, plan->lower, plan->upper);
    for (int i = 0; i < plan->points; i += (plan->points - 1) / 2 > 0 ? (plan->points - 1) / 2 : 1)
        printf("t = %.4f s, p = %.4f: %s = %.3f %s\n", plan->point[i].t, plan->point[i].p, fastest.row[0].name,
               fastest.shared.n[i * fastest.rows], fastest.row[0].unit);
    gdyn_trajectory_close(&fastest);
    gdyn_instance_destroy(start);
    gdyn_case_destroy(file);

    /* A whole command in one call: its document, and the files that the program would write. */
    char options[300];
    gdyn_embed *handle = gdyn_embed_open(arguments[1], 0);
    snprintf(options, sizeof options, "--motion=%s\n--steps=100", arguments[2]);
    const char *document = handle ? gdyn_embed_run(handle, "feasible", options) : NULL;
    if (document)
        printf("%s\n%.60s...\n", document, gdyn_embed_file(handle, "motion.csv"));
    else
        fprintf(stderr, "%s", handle ? gdyn_embed_message(handle) : "out of memory\n");
    gdyn_embed_close(handle);
    return document ? 0 : 1;
}
