/* robustness.c - tolerances of parameters, and the section robustness: scenarios and the sample
 * of machines. */
#include "casefile/reader.h"

#include <math.h>
#include <string.h>

enum { USUAL_LEVELS = 2 };

/* --- tolerances ------------------------------------------------------------------------------- */

/* `tolerance: 0.1 mm`, or `[-0.1 mm, 0.3 mm]`; `between: [0 kg, 6 kg]` states the ends
 * themselves. */
static bool read_deviations(gdyn_reader *r, gdyn_node *node, bool ends, gdyn_dimension dimension,
                            double value, double deviation[2], bool *beyond) {
    if (node->kind == GDYN_NODE_SEQUENCE) {
        if (!gdyn_read_list(r, node, 2, dimension, deviation))
            return false;
    } else {
        if (ends || !gdyn_read_value(r, node, dimension, &deviation[1])) {
            if (ends)
                gdyn_read_error(r, node, "write between: [min, max]",
                                GDYN_CODE_SHAPE "expected two values");
            return false;
        }
        deviation[0] = -deviation[1];
    }
    /* Ends become deviations from the value. */
    for (int k = 0; k < 2 && ends; k++)
        deviation[k] -= value;
    bool ordered = deviation[0] < deviation[1];
    *beyond = ordered && (deviation[0] > 0 || deviation[1] < 0);
    if (ordered && (ends || !*beyond))
        return true;
    return gdyn_read_error(
        r, node,
        ends ? "write between: [min, max]" : "write tolerance: 0.1 mm, or [-0.1 mm, 0.3 mm]",
        GDYN_CODE_TOLERANCE "%s",
        ends ? "the second end is not above the first"
             : "the parameter's value lies outside of its tolerance, or the tolerance is zero");
}

/* The tolerance of parameter i, when its entry states one. */
static bool read_tolerance(gdyn_reader *r, const gdyn_node *entry, int i, gdyn_tolerance *out) {
    const gdyn_parameters *p = &r->the_case->parameters;
    gdyn_node *tolerance = gdyn_node_get(entry, "tolerance");
    gdyn_node *between = gdyn_node_get(entry, "between");
    double deviation[2] = {0, 0};
    if (tolerance && between)
        return gdyn_read_error(r, between, "leave one of them out",
                               GDYN_CODE_CONFLICT "'%s' has both a tolerance and ends", p->name[i]);
    if (!tolerance && !between)
        return false;
    bool beyond;
    if (!read_deviations(r, tolerance ? tolerance : between, between != NULL, p->dimension[i],
                         r->parameter[i], deviation, &beyond))
        return false;
    *out = (gdyn_tolerance){p->name[i],      deviation[0],    deviation[1],
                            p->dimension[i], between != NULL, beyond};
    return true;
}

static void read_tolerances(gdyn_reader *r, const gdyn_node *root, gdyn_robustness *out) {
    const gdyn_node *list = gdyn_node_map(root, "parameters");
    if (!list)
        return;
    gdyn_tolerance *tolerance = gdyn_reader_alloc(r, (size_t)list->count + 1, sizeof *tolerance);
    /* In the order of the file. */
    for (int k = 0; k < list->count && tolerance; k++) {
        int i = gdyn_find_parameter(r->the_case, list->key[k]->text);
        if (i >= 0 && list->item[k]->kind == GDYN_NODE_MAPPING &&
            read_tolerance(r, list->item[k], i, &tolerance[out->tolerance_count]))
            out->tolerance_count++;
    }
    out->tolerance = tolerance;
}

/* --- scenarios -------------------------------------------------------------------------------- */

/* The design variable of that name is the deviation of a parameter with a tolerance: it adds to
 * what a scenario sets. */
static bool adds_deviation(const gdyn_node *root, const char *name) {
    gdyn_node *variable = gdyn_node_find(gdyn_node_get(root, "design"), name);
    gdyn_node *parameter = gdyn_node_find(gdyn_node_get(root, "parameters"), name);
    return gdyn_node_get(variable, "within") && gdyn_node_get(parameter, "tolerance");
}

/* A parameter of the file that no search sets. */
static int scenario_parameter(gdyn_reader *r, const gdyn_node *root, gdyn_node *key,
                              gdyn_node *value) {
    const gdyn_parameters *p = &r->the_case->parameters;
    int i = gdyn_find_parameter(r->the_case, key->text);
    gdyn_node *variable = gdyn_node_find(gdyn_node_get(root, "design"), key->text);
    if (i < 0)
        gdyn_read_error(r, key, gdyn_log_suggest(r->log, key->text, p->name, p->listed),
                        GDYN_CODE_UNKNOWN "there is no parameter '%.60s'", key->text);
    else if (variable && gdyn_node_get(variable, "within") && !adds_deviation(root, key->text))
        gdyn_read_error(r, value, "it varies between its ends only if no scenario sets it",
                        GDYN_CODE_CONFLICT "'%.60s' is set by the scenario and by the design",
                        key->text);
    else if (variable && !adds_deviation(root, key->text))
        gdyn_read_error(r, value, "scenarios set loads, design variables are set by the search",
                        GDYN_CODE_TOLERANCE "'%.60s' is a design variable", key->text);
    else
        return i;
    return -1;
}

static void read_scenario(gdyn_reader *r, const gdyn_node *root, const gdyn_node *node,
                          gdyn_scenario *out) {
    gdyn_setting *setting = gdyn_reader_alloc(r, (size_t)node->count + 1, sizeof *setting);
    /* The values of some parameters. */
    for (int k = 0; k < node->count && setting; k++) {
        int i = scenario_parameter(r, root, node->key[k], node->item[k]);
        double value;
        if (i >= 0 &&
            gdyn_read_value(r, node->item[k], r->the_case->parameters.dimension[i], &value))
            setting[out->setting_count++] =
                (gdyn_setting){.name = r->the_case->parameters.name[i], .value = value};
    }
    out->setting = setting;
}

/* --- the sample ------------------------------------------------------------------------------- */

void gdyn_read_robustness(gdyn_reader *r, const gdyn_node *root) {
    gdyn_robustness *out = &r->instance->robustness;
    gdyn_node *node = gdyn_node_map(root, "robustness");
    gdyn_schema_robustness.fills->initial(out);
    read_tolerances(r, root, out);
    gdyn_node *list = gdyn_node_get(node, "scenarios");
    gdyn_scenario *scenario =
        gdyn_reader_entries(r, list, GDYN_NODE_MAPPING, "write scenarios: {full: {payload: 6 kg}}",
                            "named scenarios", sizeof *scenario);
    for (int i = 0; scenario && i < list->count; i++) {
        scenario[i].name = list->key[i]->text;
        if (gdyn_expect(r, list->item[i], GDYN_NODE_MAPPING, "write NAME: {PARAMETER: value}",
                        "values of parameters"))
            read_scenario(r, root, list->item[i], &scenario[i]);
    }
    out->scenario = scenario;
    out->scenario_count = scenario ? list->count : 0;
    /* The sample; a grid has both ends of each tolerance. */
    gdyn_read_fields(r, node, &gdyn_schema_robustness, GDYN_COORDINATE_UNKNOWN, out);
    if ((out->method == GDYN_SAMPLE_GRID || out->method == GDYN_SAMPLE_OAT) &&
        !gdyn_node_get(node, "size"))
        out->size = USUAL_LEVELS;
    if (r->checking && node) {
        /* What no method can do. */
        gdyn_node *size = gdyn_node_get(node, "size"), *place = size ? size : node;
        if (out->method == GDYN_SAMPLE_SOBOL && out->tolerance_count > GDYN_SOBOL_MOST)
            gdyn_read_error(r, node, "write method: lhs",
                            GDYN_CODE_LIMIT
                            "Sobol's sequence has at most %d dimensions, there are %d tolerances",
                            GDYN_SOBOL_MOST, out->tolerance_count);
        else if (out->method == GDYN_SAMPLE_GRID &&
                 out->tolerance_count * log(out->size) > log(1e5))
            gdyn_read_error(r, place, "write method: sobol",
                            GDYN_CODE_LIMIT "%d levels of %d tolerances are too many", out->size,
                            out->tolerance_count);
        else if (out->size > 100000 || (out->method == GDYN_SAMPLE_GRID && out->size < 2))
            gdyn_read_error(r, place, NULL,
                            GDYN_CODE_LIMIT
                            "the sample has from 1 to 100000 machines, a grid 2 levels");
    }
}

void gdyn_judge_ends(gdyn_reader *r, const gdyn_node *root) {
    const gdyn_robustness *s = &r->instance->robustness;
    bool needed = r->the_case->sampled;
    for (int i = 0; i < s->tolerance_count; i++) {
        const gdyn_node *entry =
            gdyn_node_find(gdyn_node_find(root, "parameters"), s->tolerance[i].name);
        if (s->tolerance[i].beyond)
            gdyn_log_node(r->log, needed ? GDYN_ERROR : GDYN_WARNING,
                          gdyn_node_find(entry, "between"), "the value lies between both ends",
                          GDYN_CODE_TOLERANCE "the parameter's value lies outside of its ends%s",
                          needed ? "" : ": it cannot vary between them");
    }
}

const gdyn_tolerance *gdyn_find_tolerance(const gdyn_instance *instance, const char *name) {
    const gdyn_robustness *s = &instance->robustness;
    int i =
        gdyn_find_span(name, strlen(name), s->tolerance, sizeof *s->tolerance, s->tolerance_count);
    return i < 0 ? NULL : &s->tolerance[i];
}
