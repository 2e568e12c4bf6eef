/* Templates, schema and manual: texts that must agree with the reader. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "casefile/casefile.h"
#include "casefile/schema.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void *context, const gdyn_diag *diag) {
    (void)context;
    print_message("%s:%d:%d: %s\n", diag->file ? diag->file : "?", diag->line, diag->column,
                  diag->message);
}

static void templates_read(void **state) {
    (void)state;
    int count;
    const char *const *names = gdyn_case_template_names(&count);
    gdyn_sink sink = {show, NULL};
    assert_int_equal(count, 6);
    for (int i = 0; i < count; i++) {
        const char *text = gdyn_case_template(names[i]);
        gdyn_case *c = NULL;
        gdyn_instance *in = NULL;
        assert_int_equal(gdyn_case_read_text(text, strlen(text), names[i], &sink, &c), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(c, 0, NULL, &sink, &in), GDYN_OK);
        assert_true(in->trajectory_count > 0);
        for (int t = 0; t < in->trajectory_count; t++) {
            gdyn_path *path = NULL;
            assert_int_equal(gdyn_path_create(in->model, &in->trajectory[t], &sink, &path),
                             GDYN_OK);
            gdyn_path_destroy(path);
        }
        gdyn_instance_destroy(in);
        gdyn_case_destroy(c);
    }
    assert_null(gdyn_case_template("nothing"));
    assert_null(gdyn_case_template(NULL));
}

/* Every $ref of the schema has its definition. */
static void check_references(const json_t *node, const json_t *definitions) {
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_object(node)) {
        const char *reference = json_string_value(json_object_get(node, "$ref"));
        if (reference) {
            assert_int_equal(strncmp(reference, "#/$defs/", 8), 0);
            assert_non_null(json_object_get(definitions, reference + 8));
        }
        json_object_foreach((json_t *)node, key, value) check_references(value, definitions);
    }
    if (json_is_array(node))
        json_array_foreach(node, i, value) check_references(value, definitions);
}

static void schema_is_json(void **state) {
    (void)state;
    char *text = gdyn_case_schema();
    json_error_t error;
    assert_non_null(text);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s in line %d", error.text, error.line);
    check_references(root, json_object_get(root, "$defs"));
    const json_t *properties = json_object_get(root, "properties");
    assert_non_null(json_object_get(properties, "trajectories"));
    json_decref(root);
    gdyn_free(text);
}

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 200000);
    size_t length = text ? fread(text, 1, 199999, file) : 0;
    fclose(file);
    assert_true(length < 199999);
    return text;
}

static void find_in_manual(char *tables, const char *left) {
    char *manual = read_file(GDYN_SOURCE_DIR "/docs/case-format.md"), name[200];
    assert_non_null(manual);
    assert_non_null(tables);
    if (!strstr(manual, tables)) {
        snprintf(name, sizeof name, "%s/%s", GDYN_BINARY_DIR, left);
        FILE *out = fopen(name, "wb");
        if (out) {
            fputs(tables, out);
            fclose(out);
        }
        fail_msg("docs/case-format.md lacks the tables in %s", name);
    }
    free(manual);
    gdyn_free(tables);
}

/* The manual carries the very tables that the reader's tables give. */
static void manual_is_current(void **state) {
    (void)state;
    find_in_manual(gdyn_case_manual_tables(), "case-format-tables.md");
    find_in_manual(gdyn_case_manual_joints(), "case-format-joints.md");
    find_in_manual(gdyn_case_manual_paths(), "case-format-paths.md");
}

/* Bytes of the field that a value of that type fills; 0: it fills none. */
static size_t size_of(const gdyn_field *f) {
    switch (f->type) {
    case GDYN_T_QUANTITY:
    case GDYN_T_LIMIT:
        return sizeof(double);
    case GDYN_T_FLAG:
        return sizeof(bool);
    case GDYN_T_TEXT:
    case GDYN_T_NAMES:
        return sizeof(void *);
    case GDYN_T_NAME:
        return sizeof(gdyn_anchor);
    case GDYN_T_VECTOR:
        return (f->count > 0 ? (size_t)f->count : 3) * sizeof(double);
    case GDYN_T_INTEGER:
        return f->size == sizeof(int) ? sizeof(int) : sizeof(int64_t);
    case GDYN_T_WORD:
        return f->size == sizeof(bool) || f->size == sizeof(int) ? f->size : sizeof(char *);
    default:
        return 0;
    }
}

/* Every row fills a field of its type within the definition of its record, and its default keeps
 * its bounds. */
static void rows_fit_their_fields(void **state) {
    (void)state;
    const gdyn_schema_record *list[GDYN_RECORDS_MOST];
    int count = gdyn_schema_records(list), filled = 0;
    for (int i = 0; i < count; i++)
        for (const gdyn_field *f = list[i]->field; f->key; f++) {
            const gdyn_definition *fills = list[i]->fills;
            bool number =
                f->type == GDYN_T_QUANTITY || f->type == GDYN_T_LIMIT || f->type == GDYN_T_INTEGER;
            print_message("%s.%s\n", list[i]->title, f->key);
            assert_true(f->about && (!f->bounds || number) && (!f->usual || f->at));
            assert_true((f->type == GDYN_T_WORD) == (f->words != NULL));
            assert_true(f->type == GDYN_T_MAP || (f->type == GDYN_T_SPECIAL) == (f->json != NULL));
            assert_true(f->type != GDYN_T_NAMES || f->number > 0);
            if (!f->at)
                continue;
            filled++;
            assert_non_null(fills);
            assert_int_equal(f->size, size_of(f));
            assert_true(f->at - 1 + f->size <= fills->size);
            if (f->type == GDYN_T_QUANTITY && f->usual) {
                char *def = gdyn_alloc(1, fills->size);
                fills->initial(def);
                assert_true(gdyn_field_keeps(f, *(double *)(void *)(def + f->at - 1)));
                gdyn_free(def);
            }
        }
    assert_true(filled > 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_read),
        cmocka_unit_test(schema_is_json),
        cmocka_unit_test(manual_is_current),
        cmocka_unit_test(rows_fit_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
