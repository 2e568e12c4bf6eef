/* case.c - reading a case and making instances of it. */
#include "casefile/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- one pass over the tree ------------------------------------------------------------------- */

/* The space decides what vectors and joints are: it is read before everything else. */
static void read_space(gdyn_reader *r) {
    const gdyn_node *machine = gdyn_node_get(r->the_case->root, "machine");
    int space = gdyn_read_word(machine, "space", gdyn_words_space, -1);
    r->space_known = space >= 0;
    r->space = space > 0 ? GDYN_SPATIAL : GDYN_PLANAR;
}

/* Definitions and settings of all sections; the machine is left in the reader. */
static void read_all(gdyn_reader *r, bool expected) {
    const gdyn_node *root = r->the_case->root;
    const gdyn_parameters *p = &r->the_case->parameters;
    gdyn_instance *in = r->instance;
    in->name = gdyn_read_text(root, "name", NULL);
    /* A case without a name has that of its file. */
    if (!in->name)
        in->name = gdyn_name_of_file(r->arena, r->the_case->filename);
    in->about = gdyn_read_text(root, "about", "");
    in->parameter_count = p->count, in->parameter_name = p->name;
    in->parameter_value = r->parameter, in->parameter_dimension = p->dimension;
    /* Sections in the order in which they refer to each other. */
    const gdyn_node *machine = gdyn_node_map(root, "machine");
    if (machine)
        gdyn_read_machine(r, machine);
    gdyn_read_trajectories(r, root);
    gdyn_read_workspaces(r, root);
    gdyn_read_robustness(r, root);
    gdyn_read_design(r, root);
    gdyn_read_optimize(r, root);
    if (expected)
        gdyn_read_expect(r, root);
    if (expected)
        gdyn_list_points(r);
    gdyn_read_simulation(r, root);
    if (r->checking)
        gdyn_judge_ends(r, root);
    /* Arenas report lack of memory once, at the end. */
    if (gdyn_arena_failed(r->arena))
        gdyn_out_of_memory(r);
    if (r->checking && gdyn_log_errors(r->log) == 0)
        gdyn_diagnose_unusual(r);
}

/* A reader with an instance to fill; false without memory. */
static bool start_reader(gdyn_reader *r, gdyn_case *the_case, bool checking) {
    *r = (gdyn_reader){.the_case = the_case, .checking = checking};
    /* What reading needs and what it fills; the instance owns the arena. */
    r->log = gdyn_log_create();
    r->arena = gdyn_arena_create();
    r->instance = gdyn_alloc(1, sizeof *r->instance);
    if (r->log && r->arena && r->instance) {
        r->instance->arena = r->arena;
        return true;
    }
    gdyn_log_destroy(r->log);
    gdyn_arena_destroy(r->arena);
    gdyn_free(r->instance);
    return false;
}

/* Emits what was logged and turns it into a status. */
static gdyn_status finish_reader(gdyn_reader *r, const gdyn_sink *sink) {
    /* Lack of memory goes before errors that may follow from it. */
    gdyn_status status = gdyn_log_out_of_memory(r->log) ? GDYN_ERROR_MEMORY
                         : gdyn_log_errors(r->log) > 0  ? GDYN_ERROR_INPUT
                                                        : GDYN_OK;
    gdyn_log_flush(r->log, sink);
    gdyn_log_destroy(r->log);
    gdyn_machine_destroy(r->machine);
    r->log = NULL, r->machine = NULL;
    return status;
}

/* --- the model -------------------------------------------------------------------------------- */

/* Gives a diagnostic of the model the place of the entity that its path names. */
static void into_log(void *context, const gdyn_diag *diag) {
    const gdyn_reader *r = context;
    gdyn_log_pass(r->log, diag, gdyn_node_place(r->the_case->root, diag->path));
}

static gdyn_status make_model(gdyn_reader *r) {
    gdyn_sink sink = {into_log, r};
    return gdyn_model_create(r->machine, &sink, &r->instance->model);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* An index of repeat hides a parameter of its name: refused. */
static void check_indices(gdyn_reader *r, const gdyn_node *node) {
    for (const gdyn_index *i = node->index; i; i = i->outer) {
        int p = gdyn_find_parameter(r->the_case, i->name);
        if (p >= 0 && r->the_case->parameters.node[p])
            gdyn_read_error(r, r->the_case->parameters.node[p], "rename one of them",
                            GDYN_CODE_TWICE "'%s' is a parameter and the index of a repeat",
                            i->name);
    }
    for (int k = 0; k < node->count; k++)
        if (node->item[k]->index || !node->index)
            check_indices(r, node->item[k]);
}

/* The checking pass: everything that can be said about the file without making the model, and the
 * model's own opinion where the file is otherwise wrong elsewhere. */
static void check_all(gdyn_reader *r) {
    gdyn_case *c = r->the_case;
    bool clean = gdyn_log_errors(r->log) == 0;
    /* Without a mapping there is nothing to look into. */
    if (c->root->kind != GDYN_NODE_MAPPING) {
        gdyn_read_error(r, c->root, "the first line is: format: 1",
                        GDYN_CODE_SHAPE "a case file is a mapping, this is %s",
                        gdyn_node_kind_text(c->root));
        return;
    }
    /* What others depend on: space, parameters, choices. */
    read_space(r);
    gdyn_read_parameters(r, c->root);
    r->parameter = c->parameters.value;
    gdyn_read_choices(r, c->root);
    if (c->parameters.count > 0)
        check_indices(r, c->root);
    /* Against the table of keys, while misfits of units are only noted. */
    r->noting = true;
    gdyn_check_case(r, c->root);
    gdyn_misfit_judge(r);
    /* Then the values, with all cross-references. */
    read_all(r, true);
    /* The model's errors are worth reading only where the machine itself is sound. */
    bool sound = clean && r->machine && r->space_known &&
                 !gdyn_log_errors_below(r->log, "machine") &&
                 !gdyn_log_errors_below(r->log, "parameters");
    if (gdyn_log_errors(r->log) > 0 && sound)
        make_model(r);
}

/* Takes the entry at that path out; false when there is none. */
static bool leave_out(gdyn_node *mapping, const char *path) {
    size_t length = strcspn(path, ".");
    for (int i = 0; mapping && mapping->kind == GDYN_NODE_MAPPING && i < mapping->count; i++) {
        const char *key = mapping->key[i]->text;
        if (strlen(key) != length || strncmp(key, path, length) != 0)
            continue;
        if (path[length])
            return leave_out(mapping->item[i], path + length + 1);
        mapping->count--;
        size_t behind = (size_t)(mapping->count - i);
        memmove(mapping->key + i, mapping->key + i + 1, behind * sizeof *mapping->key);
        memmove(mapping->item + i, mapping->item + i + 1, behind * sizeof *mapping->item);
        return true;
    }
    return false;
}

/* A word is a drive's name; a path is looked for from the top, then from the machine. */
static bool leave_all_out(gdyn_reader *r, const char *const *without) {
    gdyn_node *root = r->the_case->root, *machine = gdyn_node_find(root, "machine");
    gdyn_node *drives = gdyn_node_find(machine, "drives");
    bool found = true;
    for (; without && *without; without++) {
        bool path = strchr(*without, '.') != NULL;
        if (path ? leave_out(root, *without) || leave_out(machine, *without)
                 : leave_out(drives, *without))
            continue;
        found = false;
        const char *names[64], *near = "write the path of another entry, such as trajectories.NAME";
        int count = 0;
        for (int i = 0; drives && i < drives->count && count < 64; i++)
            names[count++] = drives->key[i]->text;
        const char *drive = path ? NULL : gdyn_log_suggest(r->log, *without, names, count);
        gdyn_log_node(r->log, GDYN_ERROR, NULL, drive ? drive : near,
                      GDYN_CODE_ABSENT "the case has no %s '%.60s'", path ? "entry" : "drive",
                      *without);
    }
    return found;
}

static gdyn_status read_source(gdyn_case *c, const gdyn_document *source,
                               const char *const *without, const gdyn_sink *sink) {
    gdyn_reader r;
    int nodes = 0;
    bool known = true;
    if (!start_reader(&r, c, true))
        return GDYN_ERROR_MEMORY;
    /* YAML to a tree, the tree written out, then checked. */
    gdyn_node *root = gdyn_tree_parse(c->arena, source, r.log, &nodes);
    if (root && (c->root = gdyn_tree_expand(c->arena, root, r.log, &nodes))) {
        known = leave_all_out(&r, without);
        if (known)
            check_all(&r);
    } else if (gdyn_log_errors(r.log) == 0) {
        gdyn_out_of_memory(&r);
    }
    gdyn_instance *in = r.instance;
    gdyn_status status = finish_reader(&r, sink);
    gdyn_instance_destroy(in);
    return known || status == GDYN_ERROR_MEMORY ? status : GDYN_ERROR_ARGUMENT;
}

static gdyn_case *new_case(const char *filename) {
    gdyn_case *c = gdyn_alloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->arena = gdyn_arena_create();
    c->filename = c->arena ? gdyn_arena_strdup(c->arena, filename) : NULL;
    if (c->filename)
        return c;
    gdyn_case_destroy(c);
    return NULL;
}

/* A folder stands for the case.yaml in it. */
static void enter_folder(gdyn_case *c) {
    struct stat about;
    if (stat(c->filename, &about) != 0 || !S_ISDIR(about.st_mode))
        return;
    size_t length = strlen(c->filename);
    while (length > 1 && c->filename[length - 1] == '/')
        length--;
    const char *within = gdyn_arena_printf(c->arena, "%.*s/case.yaml", (int)length, c->filename);
    if (within && stat(within, &about) == 0 && S_ISREG(about.st_mode))
        c->filename = within;
}

/* From a text (NULL: from the file). */
static gdyn_status read_case(const char *text, size_t length, const char *filename,
                             const char *const *without, const gdyn_sink *sink, gdyn_case **out) {
    char message[300];
    gdyn_document *source = NULL;
    gdyn_status status = GDYN_OK;
    gdyn_case *c = new_case(filename);
    *out = NULL;
    if (!c)
        return GDYN_ERROR_MEMORY;
    if (!text) {
        enter_folder(c);
        status = gdyn_document_from_file(c->arena, c->filename, GDYN_LIMIT_BYTES, true, &source,
                                         message, sizeof message);
        gdyn_diag diag = {.severity = GDYN_ERROR,
                          .code = gdyn_code_of(GDYN_CODE_FILE),
                          .path = "",
                          .message = message,
                          .file = c->filename};
        if (status != GDYN_OK && sink && sink->emit)
            sink->emit(sink->context, &diag);
    } else if (length > GDYN_LIMIT_BYTES) {
        status = GDYN_ERROR_INPUT;
        gdyn_diag_emit(sink, GDYN_ERROR, "", NULL, GDYN_CODE_LIMIT "%s is larger than %d MiB",
                       filename, GDYN_LIMIT_BYTES >> 20);
    } else if (!(source = gdyn_document_from_text(c->arena, filename, text, length))) {
        status = GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK)
        status = read_source(c, source, without, sink);
    if (status != GDYN_OK)
        gdyn_case_destroy(c);
    else
        *out = c;
    return status;
}

gdyn_status gdyn_case_read(const char *filename, const gdyn_sink *sink, gdyn_case **out) {
    return read_case(NULL, 0, filename, NULL, sink, out);
}

gdyn_status gdyn_case_read_without(const char *filename, const char *const *without,
                                   const gdyn_sink *sink, gdyn_case **out) {
    return read_case(NULL, 0, filename, without, sink, out);
}

gdyn_status gdyn_case_read_text(const char *text, size_t length, const char *filename,
                                const gdyn_sink *sink, gdyn_case **out) {
    return read_case(text ? text : "", length, filename, NULL, sink, out);
}

const char *gdyn_case_filename(const gdyn_case *c) {
    return c->filename;
}

void gdyn_case_destroy(gdyn_case *c) {
    if (!c)
        return;
    for (int i = 0; i < c->expr_count; i++)
        gdyn_expr_destroy(c->expr[i]);
    gdyn_free(c->expr);
    gdyn_arena_destroy(c->arena);
    gdyn_free(c);
}

/* --- instances -------------------------------------------------------------------------------- */

/* expected: with what the case is known to give. */
static gdyn_status instantiate(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                               bool expected, const gdyn_sink *sink, gdyn_instance **out) {
    gdyn_reader r;
    *out = NULL;
    /* Without `checking` the case is only read, by any number of threads. */
    if (!start_reader(&r, (gdyn_case *)the_case, false))
        return GDYN_ERROR_MEMORY;
    read_space(&r);
    double *value = gdyn_reader_alloc(&r, (size_t)the_case->parameters.count, sizeof *value);
    gdyn_status made = GDYN_OK;
    if (value && gdyn_evaluate_parameters(&r, count, settings, value)) {
        r.parameter = value;
        read_all(&r, expected);
        /* The model is made only of a sound definition. */
        if (gdyn_log_errors(r.log) == 0 && r.machine)
            made = make_model(&r);
    }
    gdyn_instance *in = r.instance;
    gdyn_status status = finish_reader(&r, sink);
    if (status == GDYN_OK)
        status = made;
    if (status != GDYN_OK) {
        gdyn_instance_destroy(in);
        return status;
    }
    *out = in;
    return GDYN_OK;
}

gdyn_status gdyn_case_instantiate(const gdyn_case *the_case, int count,
                                  const gdyn_setting *settings, const gdyn_sink *sink,
                                  gdyn_instance **out) {
    return instantiate(the_case, count, settings, true, sink, out);
}

gdyn_status gdyn_case_instantiate_design(const gdyn_case *the_case, int count,
                                         const gdyn_setting *settings, const gdyn_sink *sink,
                                         gdyn_instance **out) {
    return instantiate(the_case, count, settings, false, sink, out);
}

void gdyn_instance_destroy(gdyn_instance *instance) {
    if (!instance)
        return;
    gdyn_model_destroy(instance->model);
    for (int i = 0; i < instance->owned_expr_count; i++)
        gdyn_expr_destroy(instance->owned_expr[i]);
    gdyn_free(instance->owned_expr);
    gdyn_arena_destroy(instance->arena);
    gdyn_free(instance);
}

/* Value of a setting "name=formula" of parameter i; complains when it has another dimension or
 * none. */
static double value_of_setting(gdyn_reader *r, int i, const char *text, const char *formula) {
    const gdyn_parameters *p = &r->the_case->parameters;
    gdyn_node node = {.kind = GDYN_NODE_SCALAR, .text = formula};
    /* The setting is a formula of its own, over the other parameters of the file. */
    gdyn_expr *expr = gdyn_compile_constant(r, &node, formula, 0);
    if (!expr)
        return 0.0;
    char a[64], b[64];
    double value = gdyn_expr_value(expr, NULL);
    gdyn_dimension found = gdyn_expr_dimension(expr);
    gdyn_expr_destroy(expr);
    /* It must have the parameter's dimension and a value. */
    if (!gdyn_dimension_fits(found, p->dimension[i]))
        gdyn_log_node(r->log, GDYN_ERROR, NULL, NULL, GDYN_CODE_UNIT "'%s': expected %s, got %s",
                      text, gdyn_dimension_text(p->dimension[i], a, sizeof a),
                      gdyn_dimension_text(found, b, sizeof b));
    else if (!isfinite(value))
        gdyn_log_node(r->log, GDYN_ERROR, NULL, NULL, GDYN_CODE_VALUE "'%s' has no finite value",
                      text);
    return value;
}

gdyn_status gdyn_case_parse_setting(const gdyn_case *the_case, const char *text,
                                    const gdyn_sink *sink, gdyn_setting *out) {
    const gdyn_parameters *p = &the_case->parameters;
    const char *equal = strchr(text, '=');
    char name[80]; /* longer than any name */
    if (!equal || equal == text) {
        gdyn_diag_emit(sink, GDYN_ERROR, "", "write NAME=VALUE",
                       GDYN_CODE_OPTION "'%.100s' is not a setting", text);
        return GDYN_ERROR_ARGUMENT;
    }
    snprintf(name, sizeof name, "%.*s", equal - text < 79 ? (int)(equal - text) : 79, text);
    /* A choice of a table goes by its label. */
    const gdyn_choices *choices = gdyn_find_choices(the_case, name);
    if (choices && choices->rows)
        return gdyn_parse_choice(choices, equal + 1, sink, out);
    gdyn_reader r;
    if (!start_reader(&r, (gdyn_case *)the_case, false))
        return GDYN_ERROR_MEMORY;
    r.parameter = p->value;
    gdyn_setting made = {0};
    int i = gdyn_find_parameter(the_case, name);
    if (i >= 0)
        made =
            (gdyn_setting){.name = p->name[i], .value = value_of_setting(&r, i, text, equal + 1)};
    else
        gdyn_log_node(r.log, GDYN_ERROR, NULL, gdyn_log_suggest(r.log, name, p->name, p->count),
                      GDYN_CODE_UNKNOWN "there is no parameter '%.60s'", name);
    gdyn_instance *in = r.instance;
    gdyn_status status = finish_reader(&r, sink);
    gdyn_instance_destroy(in);
    if (status == GDYN_OK)
        *out = made;
    return status;
}

/* --- places for messages ---------------------------------------------------------------------- */

bool gdyn_case_locate(const gdyn_case *the_case, const char *path, const char **file, int *line,
                      int *column) {
    /* The node that the path leads to, as far as the tree goes. */
    const gdyn_node *node = gdyn_node_place(the_case->root, path);
    if (!node)
        return false;
    *file = node->source->name, *line = node->line, *column = node->column;
    return true;
}

typedef struct relay {
    gdyn_case *the_case;
    gdyn_sink inner;
} relay;

static void add_place(void *context, const gdyn_diag *diag) {
    const relay *to = context;
    gdyn_diag copy = *diag;
    /* Only diagnostics without a line get one. */
    const gdyn_node *node =
        diag->line == 0 ? gdyn_node_place(to->the_case->root, diag->path) : NULL;
    gdyn_arena *scratch = node ? gdyn_arena_create() : NULL;
    /* what the case lacks has the file for a place */
    if (!node && diag->line == 0 && !diag->file)
        copy.file = to->the_case->filename;
    if (node) {
        copy.file = node->source->name, copy.line = node->line;
        copy.column = node->column, copy.width = node->width;
        copy.source = scratch ? gdyn_document_line(node->source, node->line, scratch) : NULL;
    }
    if (to->inner.emit)
        to->inner.emit(to->inner.context, &copy);
    gdyn_arena_destroy(scratch);
}

gdyn_sink gdyn_case_sink(gdyn_case *the_case, const gdyn_sink *inner) {
    /* The sink lives as long as the case. */
    relay *context = gdyn_arena_alloc(the_case->arena, 1, sizeof *context);
    if (!context)
        return inner ? *inner : (gdyn_sink){NULL, NULL};
    context->the_case = the_case;
    if (inner)
        context->inner = *inner;
    return (gdyn_sink){add_place, context};
}
