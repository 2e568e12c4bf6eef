/* Marks of kinds in formats and messages, the table of kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/codes.h"
#include "base/diag.h"
#include "expr/expr.h"

static void marks(void **state) {
    (void)state;
    assert_string_equal(gdyn_code_of(GDYN_CODE_UNIT "expected %s").text, "GD020");
    assert_string_equal(gdyn_code_skip(GDYN_CODE_UNIT "expected %s"), "expected %s");
    assert_string_equal(gdyn_code_skip(GDYN_CODE_UNIT), "");
    /* what begins otherwise has no code and stays as it is */
    const char *const plain[] = {"", "text", "\1", "\1GD02", "\1GD020", "\1GD020x text", "GD020\1"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        assert_string_equal(gdyn_code_of(plain[i]).text, "");
        assert_ptr_equal(gdyn_code_skip(plain[i]), plain[i]);
    }
}

static void table(void **state) {
    (void)state;
    for (int i = 0; i < gdyn_code_count; i++) {
        const gdyn_code *row = &gdyn_code_table[i];
        gdyn_code_text code = gdyn_code_of(row->mark);
        assert_ptr_equal(gdyn_code_find(code.text), row);
        assert_true(*row->title && *row->cause && *row->remedy && row->example);
        if (i > 0)
            assert_true(strcmp(gdyn_code_of(row[-1].mark).text, code.text) < 0);
    }
    assert_ptr_equal(gdyn_code_find("20"), gdyn_code_find("gd020"));
    const char *const none[] = {"", "GD", "GD999", "20x", "-20", "unit"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(gdyn_code_find(none[i]));
}

/* What a sink receives. */
static void keep(void *context, const gdyn_diag *diag) {
    gdyn_diag_print(diag, context, false);
}

static void messages(void **state) {
    (void)state;
    gdyn_text said = {0};
    gdyn_sink sink = {keep, &said};
    gdyn_diag_emit(&sink, GDYN_WARNING, "a.b", NULL, GDYN_CODE_BOUNDS "%d is too much", 7);
    gdyn_diag_emit(&sink, GDYN_NOTE, "", "help", "no kind");
    assert_string_equal(said.data,
                        "a.b: warning: 7 is too much [GD023]\nnote: no kind\n      = help: help\n");
    gdyn_text_free(&said);
}

static void formulas(void **state) {
    (void)state;
    static const struct {
        const char *text, *code;
    } wrong[] = {{"1 m + 2 s", "GD020"}, {"3 mmm", "GD020"}, {"lag", "GD017"},   {"1/0", "GD022"},
                 {"2 *", "GD021"},       {"(1", "GD021"},    {"foo(1)", "GD017"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gdyn_expr_error error = {0};
        assert_null(gdyn_expr_compile(wrong[i].text, NULL, &error));
        assert_string_equal(gdyn_code_of(error.mark).text, wrong[i].code);
        assert_true(error.message[0] != '\1');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks), cmocka_unit_test(table),
                                       cmocka_unit_test(messages), cmocka_unit_test(formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
