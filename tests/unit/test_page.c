/* test_page.c - texts and data of pages: no character ends what it stands in, and none is lost. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "page/internal.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, const char *expected) {
    gdyn_text out = {0};
    gdyn_html_text(&out, text);
    assert_string_equal(out.data ? out.data : "", expected);
    gdyn_text_free(&out);
}

static void test_texts(void **state) {
    (void)state;
    check_text("", "");
    check_text("plain d₁ · ü", "plain d₁ · ü");
    check_text("<b a=\"x\" c='y'>&amp;</b>",
               "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;");
    check_text("a\nb\tc\x01\x7f", "a\nb\tc\xEF\xBF\xBD\xEF\xBF\xBD");
}

/* Powers are raised; what does not fit is cut between characters: every byte belongs to a whole one of UTF-8. */
static void test_units(void **state) {
    (void)state;
    assert_string_equal(gdyn_picture_letters("m^2/s^3").text, "m²/s³");
    assert_string_equal(gdyn_picture_letters("kg m^12").text, "kg m¹²");
    assert_string_equal(gdyn_picture_letters("µΩ").text, "µΩ");
    for (int length = 0; length < 60; length++) {
        char unit[200] = "";
        for (int i = 0; i < length; i++)
            strcat(unit, i % 3 ? "Ω" : "⁻");
        gdyn_words out = gdyn_picture_letters(unit);
        json_t *text = json_string(out.text); /* NULL unless UTF-8 */
        assert_non_null(text);
        assert_memory_equal(out.text, unit, strlen(out.text));
        json_decref(text);
    }
}

/* Data survive their way through a script: the same text is read from them. */
static void check_data(const char *text) {
    gdyn_text out = {0};
    json_t *document = json_pack("[s]", text);
    char *json = json_dumps(document, 0);
    gdyn_html_data(&out, json, strlen(json));
    assert_null(strpbrk(out.data, "<>&"));
    assert_null(strstr(out.data, "\xE2\x80\xA8"));
    assert_null(strstr(out.data, "\xE2\x80\xA9"));
    json_t *read = json_loads(out.data, 0, NULL);
    assert_true(json_equal(document, read));
    json_decref(read);
    json_decref(document);
    free(json);
    gdyn_text_free(&out);
}

static void test_data(void **state) {
    (void)state;
    check_data("");
    check_data("</script><!-- & ]]> \"quoted\" \\u003c");
    check_data("\xE2\x80\xA8 and \xE2\x80\xA9, not \xE2\x80\xA7 nor \xE2\x80\xAA; at the end "
               "\xE2\x80\xA8");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
