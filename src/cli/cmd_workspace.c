/* cmd_workspace.c - globdyn workspace CASE: which poses of its grids the machine reaches, and what
 * it can do there. */
#include "cli/cli.h"

#include "report/report.h"

enum { COLUMNS_MOST = 120, NODES_NAMED = 4, BOUNDS_NAMED = 3 };

/* All workspaces of a case. */
typedef struct command {
    const gdyn_options *options;
    const gdyn_instance *instance;
    gdyn_progress progress;
    int count; /* of those that are found */
    gdyn_workspace_field *field;
} command;

/* --- text ------------------------------------------------------------------------------------- */

/* Least and greatest value of the reached nodes that have one; at how many others the pose cannot
 * be held at all, or nothing limits the value. False: none is known. */
static bool extremes(const gdyn_workspace_field *field, int value, double *least, double *greatest,
                     int *not_held, int *unlimited) {
    /* the value that a pose has which cannot be held */
    double lost = gdyn_field_row(value)->better < 0 ? INFINITY : -INFINITY;
    *least = INFINITY, *greatest = -INFINITY, *not_held = *unlimited = 0;
    bool known = false;
    for (int i = 0; i < field->nodes; i++) {
        /* NaN: the machine does not have this value */
        double v = gdyn_field_value(field, i, value);
        if (field->status[i] != GDYN_NODE_REACHED || isnan(v))
            continue;
        known = true;
        *not_held += v == lost, *unlimited += v == -lost;
        if (!isfinite(v))
            continue;
        *least = fmin(*least, v);
        *greatest = fmax(*greatest, v);
    }
    return known;
}

/* A map of letters, the first axis to the right, the second one upward. */
static void print_map(const gdyn_workspace_field *field) {
    static const char sign[] = {
        [GDYN_NODE_LEFT] = '.', [GDYN_NODE_ELSEWHERE] = 'o', [GDYN_NODE_REACHED] = '-'};
    int right = field->count[0] > 1 ? 0 : 1, up = field->count[2] > 1 ? 2 : 1;
    if (field->dimensions != 2 || field->count[right] > COLUMNS_MOST)
        return;
    printf("\n");
    /* The axis that is left has one node: those of the others count on without it. */
    for (int row = field->count[up] - 1; row >= 0; row--) {
        printf("  ");
        for (int column = 0; column < field->count[right]; column++) {
            int node = column + field->count[right] * row;
            putchar(gdyn_node_serves(field, node) ? '#' : sign[field->status[node]]);
        }
        printf("\n");
    }
}

/* "(0.1, -0.2, 0)" */
static void print_place(const gdyn_model *model, const gdyn_workspace_field *field, int node) {
    double x[3];
    gdyn_field_at(field, node, x);
    printf("(%.4g, %.4g", x[0], x[1]);
    if (gdyn_model_space(model) == GDYN_PLANAR)
        printf(")");
    else
        printf(", %.4g)", x[2]);
}

/* The prescribed box: how many of its nodes serve, and the first of those that do not. */
static void print_box(const gdyn_model *model, const gdyn_workspace_field *field) {
    int prescribed, uncovered, named = 0;
    gdyn_field_uncovered(field, &prescribed, &uncovered);
    if (!field->def->boxed)
        return;
    printf("  prescribed box: %d of %d nodes covered", prescribed - uncovered, prescribed);
    for (int i = 0; i < field->nodes && named < NODES_NAMED && named < uncovered; i++)
        if (gdyn_node_prescribed(field, i) && !gdyn_node_serves(field, i)) {
            printf("%s", named++ ? ", " : "; ");
            print_place(model, field, i);
            printf(" %s", field->status[i] == GDYN_NODE_REACHED     ? "below what is required"
                          : field->status[i] == GDYN_NODE_ELSEWHERE ? "reached in another mode only"
                                                                    : "not reached");
        }
    if (uncovered > named)
        printf(" and %d more", uncovered - named);
    printf("\n");
}

/* One value: its range over the reached nodes, and the worst in the box. */
static void print_value(const gdyn_model *model, const gdyn_workspace_field *field, int value) {
    const gdyn_criterion_row *row = gdyn_field_row(value);
    double least, greatest;
    int not_held, unlimited;
    if (!extremes(field, value, &least, &greatest, &not_held, &unlimited))
        return;
    printf("  %-12s %-6s ", row->name, row->unit);
    if (least <= greatest)
        printf("%12.6g .. %-12.6g", least, greatest);
    if (not_held)
        printf(" not held at %d node%s", not_held, gdyn_plural(not_held));
    if (unlimited)
        printf(" unlimited at %d node%s", unlimited, gdyn_plural(unlimited));
    int node;
    double worst = gdyn_field_criterion(field, GDYN_WORKSPACE_DEXTERITY + value, &node);
    if (field->def->boxed && !isnan(worst)) {
        if (isfinite(worst))
            printf(" in the box %.6g at ", worst);
        else
            printf(" in the box not held or unlimited at ");
        print_place(model, field, node);
    }
    printf("\n");
}

/* Which limits bound a value at how many of the nodes, the most frequent first. */
static void print_bounds(const gdyn_model *model, const gdyn_workspace_field *field,
                         const gdyn_node_bound *bound, const char *name) {
    int drives = gdyn_model_drives(model), total = 0;
    int *count = calloc(2 * (size_t)drives + 1, sizeof *count);
    for (int i = 0; i < field->nodes && count; i++) {
        total += bound[i].count > 0;
        for (int b = 0; b < bound[i].count; b++)
            count[2 * bound[i].limit[b].row + (bound[i].limit[b].side > 0)]++;
    }
    for (int named = 0; named < BOUNDS_NAMED && total > 0; named++) {
        int most = 0;
        for (int i = 1; i < 2 * drives; i++)
            most = count[i] > count[most] ? i : most;
        if (count[most] == 0)
            break;
        if (named)
            printf(", ");
        else
            printf("  %s is bounded by ", name);
        printf("%s %s at %d", gdyn_model_drive(model, most / 2)->name, most % 2 ? "max" : "min",
               count[most]);
        count[most] = 0;
    }
    if (total > 0)
        printf(" of %d nodes\n", total);
    free(count);
}

/* How much is reached, and how much of it serves. */
static void print_sizes(const gdyn_model *model, const gdyn_workspace_field *field) {
    const char *unit = gdyn_field_unit(field);
    bool required = false;
    int serving = 0, elsewhere = 0;
    for (int v = 0; v < GDYN_FIELD_VALUES; v++)
        required |= !isnan(field->def->require[v]);
    for (int i = 0; i < field->nodes; i++) {
        serving += gdyn_node_serves(field, i);
        elsewhere += field->status[i] == GDYN_NODE_ELSEWHERE;
    }
    printf("%s: %d of %d nodes reached%s, %.6g %s\n", field->def->name, field->reached_count,
           field->nodes, field->interrupted ? " so far" : "", gdyn_field_size(field, -1, 0), unit);
    if (field->orientations > 1)
        printf("  in %s of %d orientations\n", field->def->any ? "any" : "all",
               field->orientations);
    if (elsewhere > 0)
        printf("  %d more in %d island%s, where the machine can be assembled, but not reached in "
               "its start's mode\n",
               elsewhere, field->islands, gdyn_plural(field->islands));
    if (required)
        printf("  with what is required %d nodes, %.6g %s\n", serving,
               gdyn_field_criterion(field, GDYN_WORKSPACE_SIZE, NULL), unit);
    /* Where drives with limits hold the machine still: no acceleration is lacking. */
    if (gdyn_model_drives(model) > 0)
        printf("  held at rest %d nodes, %.6g %s\n", gdyn_field_count(field, GDYN_FIELD_ACCEL, 0),
               gdyn_field_size(field, GDYN_FIELD_ACCEL, 0), unit);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Text or JSON, and files; no when a workspace is not reached at all, or its box not covered. */
static int answer(const command *run, const gdyn_opened *opened) {
    const gdyn_options *options = run->options;
    bool reached = true;
    gdyn_text table = {0}, json = {0};
    for (int i = 0; i < run->count; i++) {
        int prescribed, uncovered;
        gdyn_field_uncovered(&run->field[i], &prescribed, &uncovered);
        reached &= run->field[i].reached_count > 0 && (!run->field[i].def->boxed || uncovered == 0);
        if (!options->json) {
            const gdyn_model *model = run->instance->model;
            const gdyn_workspace_field *field = &run->field[i];
            print_sizes(model, field);
            print_box(model, field);
            for (int v = 0; v < GDYN_FIELD_VALUES; v++)
                print_value(model, field, v);
            print_bounds(model, field, field->accel, "accel");
            print_bounds(model, field, field->force, "force");
            if (field->reached_count > 0)
                print_map(field);
            else
                printf("  no straight motion leads from the assembled first guess to the nodes "
                       "nearest to it: within the ranges,\n  in its mode, with the other settings "
                       "of the grid (%s)\n",
                       field->def->orientations > 0 ? "the orientation, coordinates with one value"
                                                    : "coordinates with one value");
        }
    }
    char *folder = gdyn_results_folder(options, opened->filename);
    gdyn_status status = gdyn_report_workspaces_json(&json, run->instance, run->count, run->field);
    status = gdyn_cli_document(options, folder, "workspace.json", status, &json);
    status = status == GDYN_OK && !folder ? GDYN_ERROR_FILE : status;
    if (status == GDYN_OK) {
        gdyn_report_workspaces_csv(&table, run->instance, run->count, run->field);
        status = gdyn_cli_write(folder, "workspace.csv", &table);
    }
    gdyn_pictures pictures = gdyn_cli_pictures(folder);
    bool drawn = status == GDYN_OK && !options->no_pictures && !gdyn_flag(&gdyn_interrupted);
    for (int i = 0; i < run->count && drawn; i++)
        gdyn_picture_workspace(&pictures, &run->field[i]);
    if (drawn)
        status = gdyn_cli_draw(options, "workspace", &pictures);
    if (status == GDYN_OK)
        gdyn_cli_note(options, "Results are in %s/", folder);
    gdyn_pictures_free(&pictures);
    gdyn_free(folder);
    return status != GDYN_OK ? gdyn_exit_code(status) : reached ? GDYN_EXIT_YES : GDYN_EXIT_NO;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void show_progress(void *context, int poses, int most) {
    command *run = context;
    gdyn_progress_count(&run->progress, "poses reached", poses, most);
}

int gdyn_cmd_workspace(gdyn_session *s) {
    const gdyn_options *options = s->options;
    const gdyn_opened *opened = &s->opened;
    command run = {.options = options, .instance = opened->instance};
    int count = run.instance->workspace_count;
    if (count == 0)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE,
            "add a grid of tool poses, such as workspaces: {reach: {of: BODY.POINT, x: "
            "[-0.2, 0.2], y: [-0.1, 0.1]}}; docs/workspace.md describes all keys",
            GDYN_CODE_NEEDS "%s has no workspaces", opened->filename);
    run.field = calloc((size_t)count, sizeof *run.field);
    run.progress = gdyn_progress_begin(options);
    gdyn_field_settings settings = gdyn_field_default();
    settings.threads = gdyn_executor_count(options->threads);
    settings.islands = true, settings.interrupt = &gdyn_interrupted;
    settings.progress = show_progress, settings.context = &run;
    gdyn_status status = run.field ? GDYN_OK : GDYN_ERROR_MEMORY;
    gdyn_interrupts_stop("the end of the workspaces; nodes that were reached are kept");
    for (int i = 0; i < count && status == GDYN_OK && !gdyn_flag(&gdyn_interrupted); i++) {
        status = gdyn_field_find(run.instance, i, &settings, &run.field[i]);
        run.count = i + 1;
    }
    gdyn_progress_end(&run.progress);
    if (status == GDYN_ERROR_MEMORY || status == GDYN_ERROR_NUMERIC)
        gdyn_cli_error(GDYN_CODE_NUMERICS "%s", gdyn_status_text(status));
    /* what is found is printed, and freed in any case */
    int code = status == GDYN_OK ? answer(&run, opened) : gdyn_exit_code(status);
    if (gdyn_flag(&gdyn_interrupted)) {
        gdyn_cli_error(GDYN_CODE_STOPPED
                       "interrupted: what was reached is kept, other nodes are unknown");
        code = status == GDYN_OK && code <= GDYN_EXIT_NO ? gdyn_interrupt_exit_code() : code;
    }
    for (int i = 0; i < run.count; i++)
        gdyn_field_free(&run.field[i]);
    free(run.field);
    return code;
}
