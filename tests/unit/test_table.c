/* Tables of text: one behaviour for delimiters, quotes, comments, marks, line ends, units and numbers, and every
 * mistake told at its place. */
#include "table/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct told {
    char text[400]; /* "line:column:width message (help)" */
} told;

static void note(void *context, const gdyn_diag *diag) {
    told *t = context;
    assert_int_equal(t->text[0], '\0'); /* once */
    snprintf(t->text, sizeof t->text, "%d:%d:%d %s%s%s%s", diag->line, diag->column, diag->width,
             diag->message, diag->help ? " (" : "", diag->help ? diag->help : "",
             diag->help ? ")" : "");
}

typedef struct fixture {
    gdyn_arena *arena;
    gdyn_table table;
    gdyn_sink sink;
    told told;
} fixture;

static void open_bytes(fixture *f, const char *text, size_t length) {
    memset(f, 0, sizeof *f);
    f->arena = gdyn_arena_create();
    f->sink = (gdyn_sink){note, &f->told};
    gdyn_table_open(&f->table, f->arena, gdyn_document_from_text(f->arena, "t.csv", text, length),
                    &f->sink);
}

static void open_text(fixture *f, const char *text) {
    open_bytes(f, text, strlen(text));
}

static void finish(fixture *f) {
    gdyn_arena_destroy(f->arena);
}

/* --- the same table in many writings ------------------------------------------------------------------ */

/* Columns t [s] and p [m] with rows 0 0, 0.001 0.5, and a column "word" with what `word` says. */
static void check_rows(const char *text, const char *word) {
    fixture f;
    open_text(&f, text);
    int t = gdyn_table_find(&f.table, "t"), p = gdyn_table_find(&f.table, "p");
    int w = gdyn_table_find(&f.table, "word");
    assert_string_equal(f.told.text, "");
    assert_true(t >= 0 && p >= 0);
    gdyn_table_unit(&f.table, t, GDYN_DIM_TIME, "t");
    gdyn_table_unit(&f.table, p, GDYN_DIM_LENGTH, "p");
    for (int i = 0; i < 2; i++) {
        assert_true(gdyn_table_next(&f.table));
        assert_true(gdyn_table_number(&f.table, t) == i * 1e-3);
        assert_true(gdyn_table_number(&f.table, p) == i * 0.5);
        if (word)
            assert_string_equal(f.table.cell[w].text, word);
    }
    assert_false(gdyn_table_next(&f.table));
    assert_string_equal(f.told.text, "");
    assert_int_equal(f.table.status, GDYN_OK);
    finish(&f);
}

static void delimiters_are_found(void **state) {
    (void)state;
    check_rows("t,p\n0,0\n0.001,0.5\n", NULL);
    check_rows("t;p\n0;0\n0.001;0.5\n", NULL);
    check_rows("t\tp\n0\t0\n0.001\t0.5\n", NULL);
    check_rows("t p\n0 0\n0.001   0.5\n", NULL);
    check_rows("  t   p  \n  0 \t 0\n0.001\t0.5  \n", NULL);
    check_rows("t ,p\t\n 0\t, 0\n0.001,\t0.5\n", NULL);
    check_rows("word;t;p\na,b;0;0\na,b;0.001;0.5\n", "a,b");
    check_rows("word\tt\tp\na b\t0\t0\na b\t0.001\t0.5", "a b");
    check_rows("word,t,p\n a b ,0,0\na b,0.001,0.5", "a b");
}

static void units_are_converted(void **state) {
    (void)state;
    check_rows("t [ms],p [mm]\n0,0\n1,500\n", NULL);
    check_rows("t (ms);p(mm)\n0;0\n1;500\n", NULL);
    check_rows("t [ms]\tp [ mm ]\n0\t0\n1\t500\n", NULL);
    check_rows("t [ms]  p [mm]\n0 0\n1 500\n", NULL);
    check_rows("t[s] p [cm] word\n0 0 x\n0.001 50 x\n", "x");
    check_rows("\"t [ms]\",\"p [mm]\"\n0,0\n1,500\n", NULL);
}

static void quotes_keep_delimiters(void **state) {
    (void)state;
    check_rows("\"t\",\"p\",\"word\"\n\"0\",0,\"a, b\"\n0.001 , \"0.5\" , \"a, b\"\n", "a, b");
    check_rows("word;t;p\n\"say \"\"no; no\"\"\";0;0\n\"say \"\"no; no\"\"\";0.001;0.5\n",
               "say \"no; no\"");
    check_rows("word t p\n\"a b\" 0 0\n\"a b\" 0.001 0.5\n", "a b");
    check_rows("word,t,p\n\"\",0,0\n,0.001,0.5\n", "");
    check_rows("word,t,p\n5\" pipe,0,0\n5\" pipe,0.001,0.5\n", "5\" pipe");
}

static void comments_marks_and_line_ends_are_passed_over(void **state) {
    (void)state;
    check_rows("\xEF\xBB\xBFt,p\n0,0\n0.001,0.5\n", NULL);
    check_rows("t,p\r\n0,0\r\n0.001,0.5\r\n", NULL);
    check_rows("t,p\r0,0\r0.001,0.5", NULL);
    check_rows("# by hand\n\n \t\nt,p\n  # zero\n0,0\n\n0.001,0.5\n# end", NULL);
    check_rows("#\xEF\xBB\xBF\nt,p,\n0,0,\n0.001,0.5,\n", NULL); /* delimiters at the ends */
    check_rows("t;p;word\n0;0;#1\n0.001;0.5;#1\n", "#1");
}

static void limits_may_be_open(void **state) {
    (void)state;
    fixture f;
    open_text(&f, "min,max\n,\n-inf,+INF\n1e3,\n");
    assert_true(gdyn_table_next(&f.table));
    assert_true(gdyn_table_limit(&f.table, 0, -INFINITY) == -INFINITY);
    assert_true(gdyn_table_limit(&f.table, 1, 7) == 7);
    assert_true(gdyn_table_next(&f.table));
    assert_true(gdyn_table_limit(&f.table, 0, 0) == -INFINITY);
    assert_true(gdyn_table_limit(&f.table, 1, 0) == INFINITY);
    assert_true(gdyn_table_next(&f.table));
    assert_true(gdyn_table_number(&f.table, 0) == 1000);
    assert_string_equal(f.told.text, "");
    finish(&f);
}

/* --- mistakes ----------------------------------------------------------------------------------------------- */

/* Reads everything as finite numbers: p in m, all others as they are. */
static void check_told(const char *text, const char *expected) {
    static const char *const names[] = {"t", "p", "a b"};
    fixture f;
    open_text(&f, text);
    gdyn_table_only(&f.table, names, 3, "columns: t, p");
    int p = gdyn_table_find(&f.table, "p");
    if (p >= 0)
        gdyn_table_unit(&f.table, p, GDYN_DIM_LENGTH, "p of 'ring'");
    while (gdyn_table_next(&f.table))
        for (int i = 0; i < f.table.columns; i++)
            gdyn_table_number(&f.table, i);
    assert_string_equal(f.told.text, expected);
    assert_int_equal(f.table.status, GDYN_ERROR_INPUT);
    finish(&f);
}

static void mistakes_have_places(void **state) {
    (void)state;
    const char *commas = " (numbers have a decimal point; quote a text that contains a comma)";
    char text[200];
    check_told("", "0:0:1 the table is empty (a table has a line with the names of its columns, "
                   "then rows)");
    check_told("# t,p\n0,0\n", "2:1:1 expected the name of a column, got '0' (a table begins with "
                               "the names of its columns, without '#')");
    check_told("t,q\n", "1:3:1 unknown column 'q' (columns: t, p)");
    check_told("t,p,t\np\n", "2:1:1 1 field where the header has 3");
    check_told("p,t,p\n", "1:5:1 column 'p' occurs twice");
    check_told("t, p [mn\n", "1:4:5 the bracket after 'p' does not close (write p [mm])");
    check_told("t; p [xyz]\n", "1:4:7 column 'p': 'xyz' is not a unit (write p [mm])");
    check_told("t p [kg]\n",
               "1:3:6 the unit of column 'p' does not fit: p of 'ring' is in m, not kg");
    check_told("t,p\n0,\n", "2:3:1 a number is missing in column 'p'");
    check_told("t,p\n0,0\n1,x\n", "3:3:1 expected a number in column 'p', got 'x'");
    check_told("t,p\n0,nan\n", "2:3:3 expected a number in column 'p', got 'nan'");
    check_told("t,p\n0,-inf\n", "2:3:4 expected a finite number in column 'p', got '-inf'");
    check_told("t,p\n0,1e999\n", "2:3:5 expected a finite number in column 'p', got '1e999'");
    check_told(
        "t,p\n\"0\n1\",2\n",
        "2:1:1 this quote does not close (quotes must close in the line in which they open)");
    check_told("t,p\n\"0\"1,2\n",
               "2:4:1 expected a delimiter after the quoted field (inside quotes \"\" is a quote)");
    snprintf(text, sizeof text, "2:1:1 4 fields where the header has 2%s", commas);
    check_told("t,p\n0,5,1,5\n", text);
    check_told("t;p\n0;1,5\n",
               "2:3:3 expected a number in column 'p', got '1,5' (write a decimal point: 1.5)");
    check_told("t p\n0 -1,5e3\n", "2:3:6 expected a number in column 'p', got '-1,5e3' (write a "
                                  "decimal point: -1.5e3)");
    check_told("t;p\n0;1,2,3\n", "2:3:5 expected a number in column 'p', got '1,2,3'");
    check_told("t,p\n\xC3\xA4\xC3\xA4,1\n",
               "2:1:2 expected a number in column 't', got '\xC3\xA4\xC3\xA4'");
    check_told("t,p\n0,\x1b[1m\n", "2:3:4 expected a number in column 'p', got ' [1m'");
}

static void binary_files_are_refused(void **state) {
    (void)state;
    fixture f;
    open_bytes(&f, "\xFF\xFEt\0,\0p\0", 8);
    assert_string_equal(f.told.text,
                        "0:0:1 this is not text: it contains zero bytes (save it as CSV in UTF-8)");
    finish(&f);
}

static void sizes_are_bounded(void **state) {
    (void)state;
    fixture f;
    size_t length = 2 * (GDYN_TABLE_COLUMNS + 1);
    char *text = test_malloc(length > GDYN_TABLE_LINES + 1 ? length : GDYN_TABLE_LINES + 1);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 2 ? ',' : 'a';
    open_bytes(&f, text, length);
    assert_string_equal(f.told.text, "1:1:1 there are more than 4096 columns");
    finish(&f);
    memset(text, '\n', GDYN_TABLE_LINES);
    open_bytes(&f, text, GDYN_TABLE_LINES);
    assert_string_equal(f.told.text, "0:0:1 there are more than 1000000 lines");
    finish(&f);
    test_free(text);
}

/* --- files ---------------------------------------------------------------------------------------------------- */

static void check_file(const char *name, gdyn_status status, const char *expected) {
    fixture f = {.arena = gdyn_arena_create()};
    f.sink = (gdyn_sink){note, &f.told};
    assert_int_equal(gdyn_table_open_file(&f.table, f.arena, name, &f.sink), status);
    assert_string_equal(f.told.text, expected);
    assert_false(gdyn_table_next(&f.table));
    finish(&f);
}

static void only_regular_files_are_read(void **state) {
    (void)state;
    const char *odd = "0:0:0 is a pipe or a device: only regular files are read";
    char folder[] = "/tmp/globdyn-table.XXXXXX", name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/pipe", folder);
    assert_int_equal(mkfifo(name, 0600), 0);
    check_file(name, GDYN_ERROR_FILE, odd);
    remove(name);
    check_file(name, GDYN_ERROR_FILE, "0:0:0 cannot open: No such file or directory");
    check_file(folder, GDYN_ERROR_FILE, "0:0:0 cannot read: Is a directory");
    check_file("/dev/zero", GDYN_ERROR_FILE, odd);
    snprintf(name, sizeof name, "%s/large.csv", folder);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), GDYN_TABLE_BYTES + 1L), 0);
    fclose(file);
    check_file(name, GDYN_ERROR_INPUT, "0:0:0 is larger than 64 MiB");
    remove(name);
    rmdir(folder);
}

static void lack_of_memory_is_survived(void **state) {
    (void)state;
    for (long n = 0; n < 40; n++) {
        gdyn_arena *arena = gdyn_arena_create();
        const char *text = "t,p\n0,1\n";
        gdyn_table table;
        gdyn_document *document = gdyn_document_from_text(arena, "t", text, strlen(text));
        gdyn_alloc_fail_after(n);
        gdyn_status status = gdyn_table_open(&table, arena, document, NULL);
        while (gdyn_table_next(&table))
            ;
        gdyn_alloc_fail_after(-1);
        assert_true(status == GDYN_OK || status == GDYN_ERROR_MEMORY);
        gdyn_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delimiters_are_found),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(quotes_keep_delimiters),
        cmocka_unit_test(comments_marks_and_line_ends_are_passed_over),
        cmocka_unit_test(limits_may_be_open),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
