/* test_figure.c - pictures as data: blocks, ranges, both writers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "figure/figure.h"

/* A line with a gap over a band, and letters. */
static void fill(gdyn_figure *f) {
    gdyn_figure_begin(f, "a_name", "kind", 800);
    gdyn_figure_text(f, GDYN_HEADING, "Heading");
    gdyn_figure_text(f, GDYN_REMARK, "5 < 6 & \"so on\"");
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->x.title = "x [m]";
    gdyn_figure_put(f, 1, 2);
    gdyn_figure_draw(f, panel,
                     (gdyn_figure_layer){GDYN_BANDS, gdyn_figure_block_end(f), .colour = 0xEEEEEE});
    gdyn_figure_gap(f); /* none: nothing is there yet */
    gdyn_figure_put(f, 0, 1);
    gdyn_figure_put(f, 4, 3);
    gdyn_figure_gap(f);
    gdyn_figure_gap(f); /* one gap */
    gdyn_figure_put(f, 5, 3);
    gdyn_figure_gap(f); /* none: nothing follows */
    gdyn_figure_draw(f, panel,
                     (gdyn_figure_layer){GDYN_LINE, gdyn_figure_block_end(f), .width = 2,
                                         .colour = 0x0072B2, .title = "a line"});
    gdyn_figure_put_name(f, "q", 3, 2, 0xFF0000);
    gdyn_figure_draw(
        f, panel, (gdyn_figure_layer){GDYN_NAMES, gdyn_figure_block_end(f), .colouring = GDYN_OWN});
}

static void blocks_have_single_gaps(void **state) {
    (void)state;
    gdyn_figure f;
    gdyn_text script = {0}, data = {0};
    fill(&f);
    assert_int_equal(gdyn_figure_block_end(&f), 0); /* nothing is open */
    assert_true(gdyn_figure_script(&f, &script, &data));
    assert_string_equal(data.data, "# Data of a_name_kind.gp\n1 2\n\n\n0 1\n4 3\n\n5 3\n\n\n"
                                   "3 2 \"q\" 16711680\n\n\n");
    assert_non_null(strstr(script.data, "# Layout: 800 wide\n"));
    assert_non_null(strstr(script.data, "T[1] = \"a line\""));
    assert_non_null(strstr(script.data, "data index 1 using 1:2 with lines lw 2 lc rgb '#0072B2'"));
    gdyn_text_free(&script);
    gdyn_text_free(&data);
    gdyn_figure_end(&f);
}

/* x as far as the values, y with a margin of 6 %. */
static void ranges_follow_values(void **state) {
    (void)state;
    gdyn_figure f;
    fill(&f);
    gdyn_figure_settle(&f);
    const gdyn_figure_panel *panel = f.panel[0];
    assert_true(fabs(panel->x.low) < 1e-15 && fabs(panel->x.high - 5) < 1e-15);
    assert_true(fabs(panel->y.low - 0.88) < 1e-12 && fabs(panel->y.high - 3.12) < 1e-12);
    gdyn_figure_axis level = {.low = 0};
    gdyn_axis_around(&level, 50, 50, 0.06);
    assert_true(fabs(level.low - 45) < 1e-12 && fabs(level.high - 55) < 1e-12);
    gdyn_figure_end(&f);
}

/* Two paths of the line, the band, the letter; names cannot end what they are in. */
static void pages_show_the_same(void **state) {
    (void)state;
    gdyn_figure f;
    gdyn_text out = {0};
    fill(&f);
    gdyn_figure_html(&f, &out, 'p', "what \"it\" is");
    assert_null(strstr(out.data, "Heading"));
    assert_non_null(strstr(out.data, "5 &lt; 6 &amp; &quot;so on&quot;"));
    assert_non_null(strstr(out.data, "aria-label=\"what &quot;it&quot; is\""));
    assert_non_null(strstr(out.data, "data-axis=\"p\" data-x0=\"0\" data-x1=\"5\""));
    const char *line = strstr(out.data, "<path data-name=\"a line\"");
    assert_non_null(line);
    assert_non_null(strstr(line, " d=\"M0.0 "));
    assert_non_null(strstr(out.data, "<rect x=\"78.0\" y=\"0.0\" width=\"78.0\"")); /* 390/5 */
    assert_non_null(strstr(out.data, "fill=\"#FF0000\">q</text>"));
    gdyn_text_free(&out);
    gdyn_figure_end(&f);
}

/* Widths follow the letters; a cut text ends with an ellipsis; steps are 1, 2 or 5. */
static void texts_have_widths(void **state) {
    (void)state;
    assert_true(gdyn_letters_width("mmm") > 3 * gdyn_letters_width("i"));
    assert_true(fabs(gdyn_letters_width("0") - 0.64 * 13) < 1e-12);
    assert_string_equal(gdyn_shorten("abcdef", 4).text, "abc…");
    assert_true(gdyn_round_step(10, 5) == 2 && gdyn_round_step(1, 8) == 0.1);
    for (int i = 0; i < GDYN_COLOURS; i++)
        for (int k = 0; k < i; k++)
            assert_true(gdyn_page_colour(i) != gdyn_page_colour(k));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_single_gaps),
        cmocka_unit_test(ranges_follow_values),
        cmocka_unit_test(pages_show_the_same),
        cmocka_unit_test(texts_have_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
