/* overlay_read.c - documents of results folders, read back for pictures. */
#include "report/overlay.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- documents -------------------------------------------------------------------------------- */

static gdyn_status load(const gdyn_overlay *o, int k, const char *name, const char *command,
                        const char *part, json_t **document) {
    json_error_t error = {.line = 0};
    char *path = gdyn_arena_printf(o->arena, "%s/%s", o->source[k].folder, name);
    if (!path)
        return GDYN_ERROR_MEMORY;
    json_decref(gdyn_json_map()); /* memory for jansson is counted from here on */
    *document = json_load_file(path, 0, &error);
    /* what all documents of this program begin with, and its main part */
    const char *tool = json_string_value(json_object_get(*document, "tool"));
    if (tool && strcmp(tool, "globdyn") == 0 &&
        json_integer_value(json_object_get(*document, "format")) == 1 &&
        json_object_get(*document, part))
        return GDYN_OK;
    if (!*document && json_error_code(&error) == json_error_out_of_memory)
        return GDYN_ERROR_MEMORY;
    char *help = gdyn_arena_printf(o->arena, "globdyn %s writes it again", command);
    if (*document)
        gdyn_diag_emit(o->sink, GDYN_ERROR, "", help,
                       GDYN_CODE_PICTURE
                       "%s is not a document of globdyn %s, or is from another release",
                       path, command);
    else
        gdyn_diag_emit(o->sink, GDYN_ERROR, "", help, GDYN_CODE_PICTURE "%s, line %d: %s", path,
                       error.line, error.text);
    return GDYN_ERROR_FILE;
}

gdyn_status gdyn_overlay_load(const gdyn_overlay *o, const char *name, const char *command,
                              const char *part, json_t **document, bool *there) {
    /* how many of the folders have the file, and the first one without */
    int absent = -1, found = 0;
    for (int k = 0; k < o->count; k++) {
        char *path = gdyn_arena_printf(o->arena, "%s/%s", o->source[k].folder, name);
        if (path && access(path, F_OK) == 0)
            found++;
        else if (absent < 0)
            absent = k;
    }
    *there = found == o->count;
    if (found > 0 && !*there)
        gdyn_diag_emit(o->sink, GDYN_WARNING, "",
                       gdyn_arena_printf(o->arena, "globdyn %s CASE -o '%s' writes it", command,
                                         o->source[absent].folder),
                       GDYN_CODE_PICTURE "'%s' has no %s: the results of %s are not overlaid",
                       o->source[absent].folder, name, command);
    for (int k = 0; k < o->count && *there; k++) {
        gdyn_status status = load(o, k, name, command, part, &document[k]);
        if (status != GDYN_OK)
            return status;
    }
    return GDYN_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

static double number_at(const json_t *list, size_t i) {
    const json_t *value = json_array_get(list, i);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_of(gdyn_arena *arena, const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    char *copy = gdyn_arena_strdup(arena, text ? text : "");
    return copy ? copy : "";
}

/* Null stands for what has no bound. */
static double unless_null(double value, double open) {
    return isnan(value) ? open : value;
}

static double end_at(const json_t *pair, size_t i, double open) {
    return unless_null(number_at(pair, i), open);
}

/* --- regions ---------------------------------------------------------------------------------- */

static gdyn_arc *read_arcs(gdyn_arena *arena, const json_t *list, int *count) {
    size_t size = json_array_size(list);
    gdyn_arc *arc = gdyn_arena_alloc(arena, size + 1, sizeof *arc);
    *count = arc ? (int)size : 0;
    for (int i = 0; i < *count; i++) {
        const json_t *of = json_array_get(list, (size_t)i), *d1 = json_object_get(of, "d1");
        arc[i] = (gdyn_arc){.from = end_at(d1, 0, 0),
                            .to = end_at(d1, 1, INFINITY),
                            .a = number_of(of, "a"),
                            .b = number_of(of, "b"),
                            .c = number_of(of, "c")};
    }
    return arc;
}

/* The arcs that stand over an island. */
static void share(const gdyn_island *island, const gdyn_arc *arc, int arcs, int *first,
                  int *count) {
    *count = 0;
    for (int i = 0; i < arcs; i++) {
        double middle = isinf(arc[i].to) ? arc[i].from : 0.5 * (arc[i].from + arc[i].to);
        if (middle < island->from || middle > island->to)
            continue;
        *first = *count ? *first : i;
        ++*count;
    }
}

/* Envelopes and ends of a region as a document has them; active limits are left aside. */
static gdyn_region *read_region(gdyn_arena *arena, const json_t *of) {
    gdyn_region *region = gdyn_arena_alloc(arena, 1, sizeof *region);
    const json_t *islands = json_object_get(of, "d1"), *rest = json_object_get(of, "rest");
    size_t size = json_array_size(islands);
    gdyn_island *island = gdyn_arena_alloc(arena, size + 1, sizeof *island);
    if (!region || !island)
        return NULL;
    /* where there is none, nothing is accessible, or the machine could not be followed */
    const char *word = json_string_value(json_object_get(of, "status"));
    bool empty = word && strcmp(word, "empty") == 0;
    region->status = size > 0 ? GDYN_REGION_OK : empty ? GDYN_REGION_EMPTY : GDYN_REGION_UNKNOWN;
    region->upper = read_arcs(arena, json_object_get(of, "upper"), &region->upper_count);
    region->lower = read_arcs(arena, json_object_get(of, "lower"), &region->lower_count);
    region->island = island;
    region->island_count = (int)size;
    for (size_t i = 0; i < size; i++) {
        const json_t *pair = json_array_get(islands, i);
        island[i].from = end_at(pair, 0, 0), island[i].to = end_at(pair, 1, INFINITY);
        share(&island[i], region->upper, region->upper_count, &island[i].upper_first,
              &island[i].upper_count);
        share(&island[i], region->lower, region->lower_count, &island[i].lower_first,
              &island[i].lower_count);
        region->d2_unbounded |= island[i].upper_count == 0 || island[i].lower_count == 0;
    }
    region->area = size ? unless_null(number_of(of, "area"), INFINITY) : NAN;
    region->d1_max = size ? unless_null(number_of(of, "d1_max"), INFINITY) : NAN;
    region->rest = json_is_array(rest);
    region->rest_min = region->rest ? end_at(rest, 0, -INFINITY) : NAN;
    region->rest_max = region->rest ? end_at(rest, 1, INFINITY) : NAN;
    return region;
}

void gdyn_overlay_read_regions(gdyn_arena *arena, const json_t *trajectory,
                               gdyn_overlay_regions *out) {
    const json_t *points = json_object_get(trajectory, "points");
    size_t size = json_array_size(points);
    double *p = gdyn_arena_doubles(arena, size + 1);
    const gdyn_region **region = gdyn_arena_alloc(arena, size + 1, sizeof *region);
    const char **status = gdyn_arena_alloc(arena, size + 1, sizeof *status);
    *out = (gdyn_overlay_regions){.unit = text_of(arena, trajectory, "p_unit")};
    for (size_t i = 0; i < size && p && region && status; i++) {
        const json_t *point = json_array_get(points, i);
        p[i] = number_of(point, "p");
        region[i] = read_region(arena, point);
        status[i] = text_of(arena, point, "status");
    }
    if (!gdyn_arena_failed(arena))
        out->along =
            (gdyn_region_points){.points = (int)size, .p = p, .region = region, .status = status};
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Room for so many columns and rows; false: there is no memory. */
static bool make_table(gdyn_arena *arena, size_t columns, size_t rows, gdyn_overlay_table *out) {
    out->name = gdyn_arena_alloc(arena, columns + 1, sizeof *out->name);
    out->unit = gdyn_arena_alloc(arena, columns + 1, sizeof *out->unit);
    out->kind = gdyn_arena_alloc(arena, columns + 1, sizeof *out->kind);
    out->value = gdyn_arena_doubles(arena, columns * rows + 1);
    bool made = !gdyn_arena_failed(arena);
    out->columns = made ? (int)columns : 0;
    out->rows = made ? (int)rows : 0;
    return made;
}

int gdyn_overlay_find(const gdyn_overlay_table *of, int from, const char *name) {
    for (int c = from; c < of->columns; c++)
        if (strcmp(of->name[c], name) == 0)
            return c;
    return -1;
}

/* The drives behind time, p and d1. */
void gdyn_overlay_read_motion(gdyn_arena *arena, const json_t *trajectory,
                              gdyn_overlay_table *out) {
    static const char *const path[GDYN_OVERLAY_FORCES] = {"t", "p", "d1"};
    const json_t *profile = json_object_get(trajectory, "profile");
    const json_t *units = json_object_get(trajectory, "units");
    json_t *drives = json_object_get(units, "drives"), *unit;
    *out = (gdyn_overlay_table){.status = text_of(arena, trajectory, "status"),
                                .time = number_of(trajectory, "time")};
    if (!make_table(arena, GDYN_OVERLAY_FORCES + json_object_size(drives), json_array_size(profile),
                    out))
        return;
    const char *name;
    int count = GDYN_OVERLAY_FORCES;
    for (int c = 0; c < count; c++) {
        out->name[c] = path[c];
        out->unit[c] = text_of(arena, units, path[c]);
    }
    json_object_foreach(drives, name, unit) {
        out->name[count] = gdyn_arena_strdup(arena, name);
        out->unit[count++] = text_of(arena, drives, name);
    }
    for (int c = 0; c < count; c++)
        out->kind[c] = "";
    for (int i = 0; i < out->rows && !gdyn_arena_failed(arena); i++) {
        const json_t *point = json_array_get(profile, (size_t)i);
        const json_t *force = json_object_get(point, "forces");
        for (int c = 0; c < count; c++)
            out->value[i * count + c] = c < GDYN_OVERLAY_FORCES
                                            ? number_of(point, path[c])
                                            : number_at(json_object_get(force, out->name[c]), 0);
    }
}

void gdyn_overlay_read_simulation(gdyn_arena *arena, const json_t *document,
                                  gdyn_overlay_table *out) {
    const json_t *columns = json_object_get(document, "columns");
    const json_t *rows = json_object_get(document, "rows");
    size_t m = json_array_size(columns), size = json_array_size(rows);
    *out = (gdyn_overlay_table){.time = NAN};
    if (!make_table(arena, m, m > 0 ? size : 0, out))
        return;
    for (size_t c = 0; c < m; c++) {
        const json_t *column = json_array_get(columns, c);
        out->name[c] = text_of(arena, column, "name");
        out->unit[c] = text_of(arena, column, "unit");
        out->kind[c] = text_of(arena, column, "kind");
    }
    for (size_t i = 0; i < size; i++)
        for (size_t c = 0; c < m; c++)
            out->value[i * m + c] = number_at(json_array_get(rows, i), c);
}

void gdyn_overlay_read_front(gdyn_arena *arena, const json_t *document, gdyn_overlay_table *out) {
    const json_t *goals = json_object_get(document, "objectives");
    const json_t *designs = json_object_get(document, "designs");
    size_t m = json_array_size(goals), size = json_array_size(designs);
    *out = (gdyn_overlay_table){.time = NAN};
    if (!make_table(arena, m, size, out))
        return;
    for (size_t k = 0; k < m; k++) {
        const json_t *goal = json_array_get(goals, k);
        out->name[k] = text_of(arena, goal, "name");
        out->unit[k] = text_of(arena, goal, "unit");
        out->kind[k] = text_of(arena, goal, "sense");
    }
    for (size_t i = 0; i < size && !gdyn_arena_failed(arena); i++)
        for (size_t k = 0; k < m; k++)
            out->value[i * m + k] =
                number_of(json_object_get(json_array_get(designs, i), "objectives"), out->name[k]);
}
