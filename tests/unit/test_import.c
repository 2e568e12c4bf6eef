/* Import: lack of memory at any place is told as such; remarks are counted; names that are made up stand behind those of the source. */
#include "base/memory.h"
#include "base/text.h"
#include "import/import.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct outcome {
    gdyn_status status;
    int errors;
    gdyn_text text, remarks;
} outcome;

static void count(void *context, const gdyn_diag *diag) {
    ((outcome *)context)->errors += diag->severity == GDYN_ERROR;
}

static void import(outcome *o, const char *text, size_t length, const char *name) {
    gdyn_sink sink = {count, o};
    gdyn_import_options robot = {0};
    gdyn_import_path_options path = {.blend = 1e-3, .planar = true};
    *o = (outcome){0};
    o->status = gdyn_import_is_path(name)
                    ? gdyn_import_path_text(text, length, name, &path, &sink, &o->text, &o->remarks)
                    : gdyn_import_text(text, length, name, &robot, &sink, &o->text, &o->remarks);
}

static void forget(outcome *o) {
    gdyn_text_free(&o->text);
    gdyn_text_free(&o->remarks);
}

static size_t read_sample(const char *name, char *text, size_t room) {
    char path[500];
    snprintf(path, sizeof path, GDYN_SOURCE_DIR "/docs/samples/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, room, file);
    fclose(file);
    return n;
}

/* Every allocation of each sample fails in turn: no message, never the fault of the file, and the whole result with memory. */
static void lack_of_memory_is_no_mistake(void **state) {
    (void)state;
    static const char *const samples[] = {"five_bar.urdf", "four_bar.xml", "part.nc", "part.dxf",
                                          "cam.dxf"};
    static char text[100000];
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        size_t n = read_sample(samples[i], text, sizeof text);
        outcome o = {.status = GDYN_ERROR_MEMORY};
        for (long after = 0; o.status != GDYN_OK; after += gdyn_next_failure()) {
            assert_true(after < 100000);
            gdyn_alloc_fail_after(after);
            import(&o, text, n, samples[i]);
            gdyn_alloc_fail_after(-1);
            assert_true(o.status == GDYN_OK || o.status == GDYN_ERROR_MEMORY);
            assert_int_equal(o.errors, 0);
            assert_true(o.status != GDYN_OK || o.text.length > 0);
            forget(&o);
        }
    }
}

/* 1,100 different elements that are dropped, then the first one again, twice, and the last one: what is listed is counted on, and the
 * rest is one remark. */
static void remarks_are_counted_on(void **state) {
    (void)state;
    gdyn_text model = {0};
    gdyn_text_printf(&model, "<mujoco>\n");
    for (int i = 0; i < 1100; i++)
        gdyn_text_printf(&model, "<x%d/>\n", i);
    gdyn_text_printf(&model, "<x0/>\n<x0/>\n<x1099/>\n<worldbody><body name=\"a\">"
                             "<joint/><geom size=\"1\"/></body></worldbody></mujoco>\n");
    outcome o;
    import(&o, model.data, model.length, "m.xml");
    assert_int_equal(o.status, GDYN_OK);
    assert_non_null(strstr(o.remarks.data, "dropped: <x0> of <mujoco> (lines 2, 1102, 1103)\n"));
    assert_non_null(strstr(o.remarks.data, "dropped: <x999> of <mujoco> (line 1001)\n"));
    assert_null(strstr(o.remarks.data, "<x1000>"));
    assert_non_null(strstr(o.remarks.data,
                           "dropped: more of this kind (only 1000 different ones are "
                           "listed) (lines 1002, 1003, 1004, 1005, 1006, 1007, "
                           "... 101 in all)\n"));
    forget(&o);
    gdyn_text_free(&model);
}

/* A body's first joint has no name, and would be called a_joint; a later one has that name. Its motor is that one's, and its name too. The
 * same with the link between the joints of a body and a body of that name. */
static void made_up_names_give_way(void **state) {
    (void)state;
    static const char model[] =
        "<mujoco><worldbody>\n"
        "<body name=\"a\"><joint axis=\"0 0 1\"/><geom size=\"1\"/>\n"
        "<body name=\"b\" pos=\"3 0 0\"><joint name=\"a_joint\" type=\"slide\" axis=\"1 0 0\"/>"
        "<joint axis=\"0 1 0\"/><geom size=\"1\"/>\n"
        "<body name=\"b_1\" pos=\"3 0 0\"><joint name=\"last\" axis=\"0 1 0\"/><geom size=\"1\"/>"
        "</body></body></body></worldbody>\n"
        "<equality><connect body1=\"b_1\" body2=\"world\" anchor=\"0.5 0 0\"/></equality>\n"
        "<actuator><motor joint=\"a_joint\" ctrllimited=\"true\" ctrlrange=\"-7 7\"/></actuator>"
        "</mujoco>\n";
    outcome o;
    import(&o, model, strlen(model), "m.xml");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(!o.remarks.data || !strstr(o.remarks.data, "renamed"));
    assert_non_null(strstr(o.text.data, "a_joint: {type: prismatic"));
    assert_non_null(strstr(o.text.data, "a_joint_2: {type: revolute"));
    assert_non_null(strstr(o.text.data, "{at: a_joint, "));
    assert_null(strstr(o.text.data, "{at: a_joint_2, "));
    const char *loop = strstr(o.text.data, "connect: {type: spherical, of: [");
    assert_non_null(loop);
    assert_true(!strncmp(strchr(loop, '[') + 1, "b_1.", 4));
    forget(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lack_of_memory_is_no_mistake),
        cmocka_unit_test(remarks_are_counted_on),
        cmocka_unit_test(made_up_names_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
