/* simulate_options.c - a simulation as the case defines it, with what the command line says instead; start velocities. */
#include "cli/cli.h"

/* "C.y,W4": the names one by one. */
static int read_names(const char *text, gdyn_name_list *out) {
    size_t size = text ? strlen(text) + 1 : 0, count = 1;
    *out = (gdyn_name_list){0};
    if (!text)
        return GDYN_EXIT_YES;
    /* One name more than commas. */
    for (const char *c = text; *c; c++)
        count += *c == ',';
    out->copy = malloc(size);
    out->name = calloc(count, sizeof *out->name);
    if (!out->copy || !out->name)
        return GDYN_EXIT_MEMORY;
    memcpy(out->copy, text, size);
    /* Cut in place; empty names are left out. */
    for (char *at = out->copy; *at;) {
        size_t length = strcspn(at, ",");
        bool last = !at[length];
        at[length] = '\0';
        if (length > 0)
            out->name[out->count++] = at;
        at += length + !last;
    }
    return GDYN_EXIT_YES;
}

void gdyn_name_list_free(gdyn_name_list *list) {
    free(list->copy);
    free(list->name);
    *list = (gdyn_name_list){0};
}

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

static void choose_settings(const gdyn_options *o, gdyn_simulation_def *def) {
    /* Everything that the command line states replaces the case's. */
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
}

int gdyn_simulation_options(const gdyn_options *o, gdyn_simulation_def *def, gdyn_name_list *drop,
                            gdyn_name_list *independent) {
    int code = choose_method(o, def);
    if (code == GDYN_EXIT_YES)
        code = read_names(o->drop, drop);
    if (code == GDYN_EXIT_YES)
        code = read_names(o->independent, independent);
    if (code == GDYN_EXIT_YES &&
        ((o->drop && drop->count == 0) || (o->independent && independent->count == 0)))
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL, GDYN_CODE_OPTION "--%s names nothing",
                             o->drop ? "drop" : "independent");
    /* Lists of the command line replace those of the case. */
    if (o->drop) {
        def->drop = (const char *const *)drop->name;
        def->drop_count = drop->count;
    }
    if (o->independent) {
        def->independent = (const char *const *)independent->name;
        def->independent_count = independent->count;
    }
    choose_settings(o, def);
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

/* --- outputs ------------------------------------------------------------------------------------------------------ */

static const gdyn_named_point *find_point(const gdyn_instance *instance, const char *name) {
    for (int i = 0; i < instance->point_count; i++)
        if (strcmp(instance->point[i].name, name) == 0)
            return &instance->point[i];
    return NULL;
}

static int unknown_point(const gdyn_instance *instance, const char *name) {
    const char **all = calloc((size_t)instance->point_count + 1, sizeof *all);
    for (int i = 0; all && i < instance->point_count; i++)
        all[i] = instance->point[i].name;
    gdyn_cli_error(GDYN_CODE_OPTION "--record: there is no point '%s'", name);
    gdyn_cli_suggest(name, all, all ? instance->point_count : 0, "write BODY.POINT");
    free(all);
    return GDYN_EXIT_USAGE;
}

int gdyn_record_options(const gdyn_options *o, const gdyn_instance *instance,
                        gdyn_simulation_def *def, gdyn_named_point **points) {
    gdyn_name_list list;
    if (o->axes >= 0)
        def->axes = (gdyn_sim_axes)o->axes;
    int code = read_names(o->record, &list);
    if (code == GDYN_EXIT_YES && !(*points = calloc((size_t)list.count + 1, sizeof **points)))
        code = GDYN_EXIT_MEMORY;
    for (int i = 0; i < list.count && code == GDYN_EXIT_YES; i++) {
        const gdyn_named_point *point = find_point(instance, list.name[i]);
        if (point)
            (*points)[i] = *point;
        else
            code = unknown_point(instance, list.name[i]);
    }
    if (o->record && code == GDYN_EXIT_YES) {
        def->record = *points;
        def->record_count = list.count;
    }
    gdyn_name_list_free(&list);
    return code;
}

/* --- start velocities ------------------------------------------------------------------------------------------- */

/* The joint and the freedom that "JOINT" or "JOINT.FREEDOM" names; false: there is none, or several. */
static bool find_freedom(const gdyn_model *model, const char *name, gdyn_start_rate *out) {
    for (int joint = 0; joint < gdyn_model_joints(model); joint++) {
        const gdyn_joint_def *def = gdyn_model_joint(model, joint);
        size_t length = strlen(def->name);
        gdyn_freedom freedom[3];
        int count = gdyn_joint_freedoms(def->type, gdyn_model_space(model), freedom);
        /* JOINT alone, or JOINT.FREEDOM. */
        if (strncmp(name, def->name, length) != 0 || (name[length] && name[length] != '.'))
            continue;
        for (int k = 0; k < count; k++) {
            /* Without a freedom only where there is one. */
            bool named = name[length] && !strcmp(name + length + 1, gdyn_freedom_name(freedom[k]));
            if (named || (!name[length] && count == 1)) {
                out->joint = joint;
                out->freedom = freedom[k];
                return true;
            }
        }
    }
    return false;
}

/* One "JOINT=RATE"; an exit code. */
static int read_rate(const gdyn_model *model, char *text, gdyn_start_rate *out) {
    char *value = strchr(text, '=');
    gdyn_quantity quantity = {0};
    gdyn_expr_error error = {0};
    /* Name and value apart. */
    if (value)
        *value++ = '\0';
    if (!value || !find_freedom(model, text, out))
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE,
            "write case, or JOINT=RATE or JOINT.FREEDOM=RATE: --start \"hinge=1 rad/s\"",
            GDYN_CODE_OPTION "--start: '%s' is no rate of a joint", text);
    if (!gdyn_read_quantity(value, &quantity, &error))
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_OPTION "--start: '%s' is no number%s%s", value,
                             *error.message ? ": " : "", error.message);
    /* The unit of a rate of this freedom. */
    double factor;
    gdyn_dimension dimension = GDYN_DIM_UNKNOWN;
    gdyn_unit_parse(gdyn_freedom_slides(out->freedom) ? "m/s" : "rad/s", &factor, &dimension);
    out->rate = quantity.value;
    return gdyn_check_unit("start", quantity, dimension, text);
}

/* A rate of each freedom, at least one; an exit code. */
static int check_rates(const gdyn_start_rate *rate, int count) {
    if (count == 0)
        return gdyn_cli_fail(
            GDYN_EXIT_USAGE,
            "write case, or JOINT=RATE or JOINT.FREEDOM=RATE: --start \"hinge=1 rad/s\"",
            GDYN_CODE_OPTION "--start names no rate");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (rate[i].joint == rate[k].joint && rate[i].freedom == rate[k].freedom)
                return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                     GDYN_CODE_OPTION
                                     "--start: rates %d and %d are of the same freedom",
                                     k + 1, i + 1);
    return GDYN_EXIT_YES;
}

int gdyn_start_options(const gdyn_options *o, const gdyn_model *model, gdyn_simulation_def *def,
                       gdyn_start_rate **rates) {
    gdyn_name_list list = {0};
    *rates = NULL;
    if (!o->start || strcmp(o->start, "case") == 0)
        return GDYN_EXIT_YES;
    int code = read_names(o->start, &list);
    if (code == GDYN_EXIT_YES && !(*rates = calloc((size_t)list.count + 1, sizeof **rates)))
        code = GDYN_EXIT_MEMORY;
    for (int i = 0; i < list.count && code == GDYN_EXIT_YES; i++)
        code = read_rate(model, list.name[i], &(*rates)[i]);
    if (code == GDYN_EXIT_YES)
        code = check_rates(*rates, list.count);
    /* Rates replace the velocities of the case. */
    def->velocity_count = 0;
    def->rate = *rates;
    def->rate_count = list.count;
    gdyn_name_list_free(&list);
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
