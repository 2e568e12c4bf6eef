/* simulate_options.c - a simulation as the case defines it, with what the command line says
 * instead; start velocities. */
#include "cli/cli.h"

/* A method by its own option, or by one that belongs to it alone; an exit code. */
static int choose_method(const gdyn_options *o, gdyn_simulation_def *def) {
    const struct {
        const char *option, *given;
        gdyn_sim_method method;
    } owned[] = {{"drop", o->drop, GDYN_SIM_ELIMINATION},
                 {"independent", o->independent, GDYN_SIM_PARTITION}};
    bool held = def->method != GDYN_SIM_COMPLIANCE;
    int wanted = o->sim_method;
    /* An option of one method chooses it. */
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (!owned[i].given)
            continue;
        if (wanted >= 0 && wanted != (int)owned[i].method)
            return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                 GDYN_CODE_OPTION "--%s belongs to the method %s, not to %s",
                                 owned[i].option, gdyn_sim_method_names[owned[i].method],
                                 gdyn_sim_method_names[wanted]);
        wanted = (int)owned[i].method;
    }
    if (wanted >= 0)
        def->method = (gdyn_sim_method)wanted;
    /* Constraints that give way are not projected, those of other methods are. */
    if (held != (def->method != GDYN_SIM_COMPLIANCE))
        def->hold = held ? GDYN_SIM_DRIFT : GDYN_SIM_PROJECT;
    return GDYN_EXIT_YES;
}

int gdyn_simulation_options(const gdyn_options *o, gdyn_simulation_def *def, char ***drop,
                            char ***independent) {
    int code = choose_method(o, def), drops = 0, kept = 0;
    code = code == GDYN_EXIT_YES ? gdyn_cli_split(o->drop, drop, &drops) : code;
    code = code == GDYN_EXIT_YES ? gdyn_cli_split(o->independent, independent, &kept) : code;
    if (code == GDYN_EXIT_YES && ((o->drop && drops == 0) || (o->independent && kept == 0)))
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL, GDYN_CODE_OPTION "--%s names nothing",
                             o->drop ? "drop" : "independent");
    /* Everything that the command line states replaces the case's. */
    if (o->drop)
        def->drop = (const char *const *)*drop, def->drop_count = drops;
    if (o->independent)
        def->independent = (const char *const *)*independent, def->independent_count = kept;
    if (o->closing >= 0)
        def->closing = (gdyn_closure_method)o->closing;
    if (o->stabilization >= 0)
        def->hold = (gdyn_sim_hold)o->stabilization;
    if (o->integrator >= 0)
        def->integrator = (gdyn_sim_integrator)o->integrator;
    if (o->tolerance.value > 0)
        def->tolerance = o->tolerance.value;
    if (o->step.value > 0)
        def->step = o->step.value;
    if (o->every.value > 0)
        def->every = o->every.value;
    if (code == GDYN_EXIT_YES && o->tolerance.value >= 1)
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, "1e-8 is usual",
                             GDYN_CODE_OPTION "--tolerance is a share below 1, not %g",
                             o->tolerance.value);
    if (code == GDYN_EXIT_YES && o->every.value > def->duration)
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_OPTION "--every %g s is longer than the simulation of %g s",
                             o->every.value, def->duration);
    return code;
}

/* --- outputs ---------------------------------------------------------------------------------- */

int gdyn_record_options(const gdyn_options *o, const gdyn_instance *instance,
                        gdyn_simulation_def *def, gdyn_named_point **points) {
    char **name = NULL;
    int names, known = instance->point_count;
    if (o->axes >= 0)
        def->axes = (gdyn_sim_axes)o->axes;
    int code = gdyn_cli_split(o->record, &name, &names);
    const char **all = calloc((size_t)known + 1, sizeof *all);
    *points = calloc((size_t)names + 1, sizeof **points);
    if (code == GDYN_EXIT_YES && !(*points && all))
        code = GDYN_EXIT_MEMORY;
    for (int k = 0; k < known && code == GDYN_EXIT_YES; k++)
        all[k] = instance->point[k].name;
    for (int i = 0; i < names && code == GDYN_EXIT_YES; i++) {
        int k = 0;
        while (k < known && strcmp(all[k], name[i]) != 0)
            k++;
        if (k < known) {
            (*points)[i] = instance->point[k];
            continue;
        }
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_OPTION "--record: there is no point '%s'", name[i]);
        gdyn_cli_suggest(name[i], all, known, "write BODY.POINT");
    }
    if (o->record && code == GDYN_EXIT_YES) {
        def->record = *points;
        def->record_count = names;
    }
    free(all), free(name);
    return code;
}

/* --- start velocities ------------------------------------------------------------------------- */

/* The joint and the freedom that "JOINT" or "JOINT.FREEDOM" names; false: there is none, or
 * several. */
static bool find_freedom(const gdyn_model *model, const char *name, gdyn_start_rate *out) {
    for (gdyn_joint_coordinate c = {0}; gdyn_joint_coordinate_next(model, &c);) {
        const char *joint = gdyn_model_joint(model, c.joint)->name;
        size_t length = strlen(joint);
        bool named = strncmp(name, joint, length) == 0 && name[length] == '.' &&
                     strcmp(name + length + 1, gdyn_freedom_name(c.freedom)) == 0;
        if (named || (c.count == 1 && strcmp(name, joint) == 0)) {
            out->joint = c.joint, out->freedom = c.freedom;
            return true;
        }
    }
    return false;
}

static const char RATES_HELP[] =
    "write case, or JOINT=RATE or JOINT.FREEDOM=RATE: --start \"hinge=1 rad/s\"";

/* One "JOINT=RATE"; an exit code. */
static int read_rate(const gdyn_model *model, char *text, gdyn_start_rate *out) {
    char *value = strchr(text, '=');
    gdyn_quantity quantity = {0};
    gdyn_expr_error error = {0};
    /* Name and value apart. */
    if (value)
        *value++ = '\0';
    if (!value || !find_freedom(model, text, out))
        return gdyn_cli_fail(GDYN_EXIT_USAGE, RATES_HELP,
                             GDYN_CODE_OPTION "--start: '%s' is not a rate of a joint", text);
    if (!gdyn_read_quantity(value, &quantity, &error))
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_OPTION "--start: '%s' is not a number%s%s", value,
                             *error.message ? ": " : "", error.message);
    /* The unit of a rate of this freedom. */
    double factor;
    gdyn_dimension dimension = GDYN_DIM_UNKNOWN;
    gdyn_unit_parse(gdyn_freedom_slides(out->freedom) ? "m/s" : "rad/s", &factor, &dimension);
    out->rate = quantity.value;
    return gdyn_check_unit("start", quantity, dimension, text);
}

int gdyn_start_options(const gdyn_options *o, const gdyn_model *model, gdyn_simulation_def *def,
                       gdyn_start_rate **rates) {
    char **text = NULL;
    int count;
    *rates = NULL;
    if (!o->start || strcmp(o->start, "case") == 0)
        return GDYN_EXIT_YES;
    int code = gdyn_cli_split(o->start, &text, &count);
    if (code == GDYN_EXIT_YES && !(*rates = calloc((size_t)count + 1, sizeof **rates)))
        code = GDYN_EXIT_MEMORY;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++)
        code = read_rate(model, text[i], &(*rates)[i]);
    /* A rate of each freedom, at least one. */
    if (code == GDYN_EXIT_YES && count == 0)
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, RATES_HELP, GDYN_CODE_OPTION "--start names no rate");
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++)
        for (int k = 0; k < i && code == GDYN_EXIT_YES; k++)
            if ((*rates)[i].joint == (*rates)[k].joint &&
                (*rates)[i].freedom == (*rates)[k].freedom)
                code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                     GDYN_CODE_OPTION
                                     "--start: rates %d and %d are of the same freedom",
                                     k + 1, i + 1);
    def->velocity_count = 0, def->rate = *rates;
    def->rate_count = count;
    free(text);
    return code;
}

void gdyn_print_start_velocity(const gdyn_model *model, const gdyn_sim_start *start) {
    const char *kind = start->missed_joint >= 0 ? "joint" : "body", *name = "";
    /* beyond rounding of the velocities and of a metre per second in a machine of length L */
    if (!(start->missed > 1e-9 * start->speed + 1e-12 * gdyn_model_length(model)))
        return;
    if (start->missed_joint >= 0)
        name = gdyn_model_joint(model, start->missed_joint)->name;
    else if (start->missed_body >= 0)
        name = gdyn_model_body(model, start->missed_body)->name;
    printf("       velocities were made consistent: by %.4g m/s at most (%s '%s')\n", start->missed,
           kind, name);
}
