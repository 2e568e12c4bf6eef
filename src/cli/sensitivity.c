/* sensitivity.c - sweep --method saltelli and morris: indices of sensitivity, and variables that may be dropped. */
#include "cli/cli.h"

enum { SHOWN = 10 };

/* What the variables of a result are ordered by. */
static double strength(const gdyn_indices *s, const gdyn_sensitivity_index *x) {
    double value = s->effects ? x->amount : x->total;
    return isnan(value) ? -1 : value;
}

/* Places of the variables, the strongest first. */
static void order_variables(const gdyn_indices *s, const gdyn_sensitivity_index *index,
                            int *order) {
    for (int j = 0; j < s->variables; j++) {
        int place = j;
        for (; place > 0 && strength(s, &index[order[place - 1]]) < strength(s, &index[j]); place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
}

static void print_index(const gdyn_indices *s, const gdyn_sensitivity_index *x,
                        const char *variable, const char *unit) {
    if (s->effects && isnan(x->amount_error))
        printf("    %-16s mu* %11.5g of one trajectory: its error is unknown  mu %11.5g %s\n",
               variable, x->amount, x->mean, unit);
    else if (s->effects)
        printf("    %-16s mu* %11.5g +- %-9.2g mu %11.5g  sigma %11.5g %s\n", variable, x->amount,
               1.96 * x->amount_error, x->mean, x->deviation, unit);
    else
        printf("    %-16s first %6.3f (%6.3f to %6.3f)   total %6.3f (%6.3f to %6.3f)\n", variable,
               x->first, x->first_low, x->first_high, x->total, x->total_low, x->total_high);
}

static void print_result(const gdyn_indices *s, const gdyn_sweep *sweep, int watched, int *order) {
    const gdyn_instance *start = gdyn_study_start(sweep->study);
    const gdyn_sensitivity_index *index = s->index + watched * s->variables;
    const char *unit, *name = gdyn_watched_name(sweep->study, watched, &unit);
    if (s->rows[watched] == 0)
        return;
    printf("  %s: %d %s%s", name, s->rows[watched], s->effects ? "trajectories" : "rows",
           s->missing[watched] ? "" : "\n");
    if (s->missing[watched])
        printf(" (%d left out, where a design has no value)\n", s->missing[watched]);
    order_variables(s, index, order);
    for (int k = 0, shown = 0; k < s->variables && shown < SHOWN; k++) {
        const gdyn_sensitivity_index *x = &index[order[k]];
        if (isnan(s->effects ? x->amount : x->total))
            continue;
        print_index(s, x, start->design[order[k]].name, unit);
        shown++;
    }
}

/* Variables without influence on any result. */
static void print_droppable(const gdyn_indices *s, const gdyn_sweep *sweep) {
    int count = 0;
    for (int j = 0; j < s->variables; j++)
        if (s->drop[j])
            printf("%s %s", count++ ? "," : "may be dropped:",
                   gdyn_study_start(sweep->study)->design[j].name);
    if (count == 0)
        printf("no variable may be dropped");
    else if (s->effects)
        printf(" (mu* within %g %% of the range of every result)", 100 * GDYN_DROP_EFFECT);
    else
        printf(" (at most %g %% of the variance of every result)", 100 * GDYN_DROP_TOTAL);
    printf("\n");
}

static void print_indices(const gdyn_indices *s, const gdyn_sweep *sweep) {
    int *order = calloc((size_t)s->variables + 1, sizeof *order);
    puts(s->effects ? "elementary effects, per range of the variable:"
                    : "shares of the variance over the bounds, with 95 % intervals:");
    for (int i = 0; i < s->watched && order; i++)
        print_result(s, sweep, i, order);
    print_droppable(s, sweep);
    free(order);
}

gdyn_status gdyn_sensitivity_report(const char *folder, const gdyn_sweep *sweep,
                                    const gdyn_sweep_plan *plan, bool quiet) {
    gdyn_indices indices;
    gdyn_text table = {0};
    gdyn_status status = gdyn_indices_find(&indices, sweep, plan);
    if (status == GDYN_OK) {
        gdyn_report_indices_csv(&table, sweep, &indices);
        status = gdyn_cli_write(folder, "indices.csv", &table);
    }
    if (status == GDYN_OK && !quiet)
        print_indices(&indices, sweep);
    gdyn_indices_clear(&indices);
    return status;
}
