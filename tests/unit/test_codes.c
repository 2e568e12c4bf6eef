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

/* Which bytes are characters: table 3-7 of the Unicode standard, and its ends. */
static void characters(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        int length;
        unsigned code;
    } row[] = {{"A", 1, 0x41},
               {"\x7f", 1, 0x7F},
               {"\xc2\x80", 2, 0x80},
               {"\xdf\xbf", 2, 0x7FF},
               {"\xe0\xa0\x80", 3, 0x800},
               {"\xed\x9f\xbf", 3, 0xD7FF},
               {"\xee\x80\x80", 3, 0xE000},
               {"\xf0\x90\x80\x80", 4, 0x10000},
               {"\xf4\x8f\xbf\xbf", 4, 0x10FFFF},
               {"\x80", 1, GDYN_NO_CHARACTER},
               {"\xc0\x9b", 1, GDYN_NO_CHARACTER}, /* ESC, written longer */
               {"\xc1\xbf", 1, GDYN_NO_CHARACTER},
               {"\xe0\x9f\xbf", 1, GDYN_NO_CHARACTER},
               {"\xed\xa0\x80", 1, GDYN_NO_CHARACTER}, /* a surrogate */
               {"\xf0\x8f\xbf\xbf", 1, GDYN_NO_CHARACTER},
               {"\xf4\x90\x80\x80", 1, GDYN_NO_CHARACTER},
               {"\xf5\x80\x80\x80", 1, GDYN_NO_CHARACTER},
               {"\xe2\x82X", 1, GDYN_NO_CHARACTER},
               {"\xff", 1, GDYN_NO_CHARACTER}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        unsigned code;
        size_t length = strlen(row[i].bytes);
        assert_int_equal(gdyn_text_character(row[i].bytes, length, &code), row[i].length);
        assert_int_equal(code, row[i].code);
        /* the beginnings of a character are none yet */
        for (size_t n = 1; row[i].length > 1 && n < length; n++)
            assert_int_equal(gdyn_text_character(row[i].bytes, n, &code), 0);
    }
}

/* What others wrote, as it may go to a terminal. */
static void harmless(void **state) {
    (void)state;
    static const char text[] = "a\0\033[2J\t\n\x7f\xc2\x9b\xc3\xa4\xff\xe2\x82";
    gdyn_text out = {0};
    assert_int_equal(gdyn_text_harmless(&out, text, sizeof text - 1, "\n\t", false),
                     sizeof text - 1);
    assert_string_equal(out.data, "a\\u0000\\u001b[2J\t\n\\u007f\\u009b\xc3\xa4\\xff\\xe2\\x82");
    gdyn_text_free(&out);
    /* what has begun is left for the next call */
    assert_int_equal(gdyn_text_harmless(&out, text, sizeof text - 1, "", true), sizeof text - 3);
    gdyn_text_free(&out);
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .code = {""},
                      .path = "",
                      .message = "\033[31m",
                      .help = "\xc2\x9b",
                      .file = "a\nb",
                      .line = 1,
                      .column = 7,
                      .width = 1,
                      .source = "\033 \xc2\x9b\xff\xc3\xa4 x"};
    gdyn_diag_print(&diag, &out, false);
    assert_string_equal(
        out.data, "a\\u000ab:1:7: error: \\u001b[31m\n    1 | ? ??\xc3\xa4 x\n      |       ^\n"
                  "      = help: \\u009b\n");
    gdyn_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks),      cmocka_unit_test(table),
                                       cmocka_unit_test(messages),   cmocka_unit_test(formulas),
                                       cmocka_unit_test(characters), cmocka_unit_test(harmless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
