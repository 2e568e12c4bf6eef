/* A case written as text and read back is the same case: the same bits of every number, for every
 * case there is, at its own values and at random ones; and the same text again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "instance_dump.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DRAWS = 4, MOST_SETTINGS = 200 };

static void show(void *context, const gdyn_diag *diag) {
    (void)context;
    if (diag->severity == GDYN_ERROR)
        print_message("%s:%d:%d: %s\n", diag->file ? diag->file : "?", diag->line, diag->column,
                      diag->message);
}
static const gdyn_sink sink = {show, NULL};

static gdyn_case *read_text(const char *text) {
    gdyn_case *c = NULL;
    if (gdyn_case_read_text(text, strlen(text), "elsewhere/written.yaml", &sink, &c) != GDYN_OK)
        fail_msg("the text is refused:\n%s", text);
    return c;
}

static gdyn_text written(const gdyn_case *c, int count, const gdyn_setting *settings,
                         const char *const *leave_out) {
    gdyn_text text = {0};
    assert_int_equal(gdyn_case_write(c, count, settings, leave_out, &text), GDYN_OK);
    return text;
}

/* The numbers at the settings; empty when the model cannot be made there. */
static gdyn_text numbers(const gdyn_case *c, int count, const gdyn_setting *settings) {
    gdyn_text text = {0};
    gdyn_instance *in = NULL;
    if (gdyn_case_instantiate(c, count, settings, NULL, &in) == GDYN_OK)
        dump_instance(&text, in);
    gdyn_instance_destroy(in);
    return text;
}

static void same_text(const char *file, const gdyn_text *a, const gdyn_text *b) {
    const char *left = a->data ? a->data : "", *right = b->data ? b->data : "";
    size_t i = 0, line = 0;
    if (strcmp(left, right) == 0)
        return;
    for (; left[i] == right[i]; i++)
        line = left[i] == '\n' ? i + 1 : line;
    fail_msg("%s:\n%.400s\nis not\n%.400s", file, left + line, right + line);
}

/* Random values near those of the file, for design variables within their bounds. */
static int draw(const gdyn_instance *in, int number, gdyn_setting *settings) {
    int count = 0;
    for (int i = 0; i < in->design_count && count < MOST_SETTINGS; i++) {
        const gdyn_design_variable *v = &in->design[i];
        gdyn_random random = gdyn_random_stream(7, (uint64_t)number, (uint64_t)i);
        double value = v->min + (v->max - v->min) * gdyn_random_uniform(&random);
        settings[count++] = (gdyn_setting){v->name, v->integer ? round(value) : value, false};
    }
    for (int i = 0; i < in->parameter_count && in->design_count == 0 && count < 3; i++) {
        gdyn_random random = gdyn_random_stream(8, (uint64_t)number, (uint64_t)i);
        double factor = 0.999 + 0.002 * gdyn_random_uniform(&random);
        settings[count++] =
            (gdyn_setting){in->parameter_name[i], in->parameter_value[i] * factor, false};
    }
    return count;
}

static void same_case(const char *file, const gdyn_case *c, int count,
                      const gdyn_setting *settings) {
    gdyn_text text = written(c, count, settings, NULL);
    gdyn_case *back = read_text(text.data);
    gdyn_text again = written(back, 0, NULL, NULL);
    same_text(file, &text, &again);
    gdyn_text here = numbers(c, count, settings), there = numbers(back, 0, NULL);
    same_text(file, &here, &there);
    gdyn_text_free(&here);
    gdyn_text_free(&there);
    gdyn_text_free(&again);
    gdyn_text_free(&text);
    gdyn_case_destroy(back);
}

static void check_file(const char *file) {
    gdyn_case *c = NULL;
    gdyn_instance *in = NULL;
    gdyn_setting settings[MOST_SETTINGS];
    assert_int_equal(gdyn_case_read(file, &sink, &c), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(c, 0, NULL, &sink, &in), GDYN_OK);
    same_case(file, c, 0, NULL);
    for (int k = 0; k < DRAWS; k++)
        same_case(file, c, draw(in, k, settings), settings);
    gdyn_instance_destroy(in);
    gdyn_case_destroy(c);
}

static void every_case(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 14);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check_file(files.gl_pathv[i]);
    globfree(&files);
}

/* --- forms that the cases do not have -------------------------------------------------------------------- */

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Inclusion, tables, nested and copied repeats, an index called after a unit, signs of YAML. */
static const char main_text[] =
    "format: 1\n"
    "about: \"a: 'quoted' text # with {signs}\\nand two lines, \\u00e9 \\u2028 end\"\n"
    "include: [base.yaml]\n"
    "parameters:\n"
    "  a: {value: 0.1 + 0.2, about: no tenth}\n"
    "  rate: 3 rad/s\n"
    "  gone: ~\n"
    "  twist: 20 deg\n"
    "  k$m: {repeat: {m: 1..3}, value: \"rail*m + 3 m + a*m^2\"}\n"
    "machine:\n"
    "  bodies:\n"
    "    copy$i: {repeat: {i: [2, 3]}, like: arm1, points: {Q: [i, -i*a]}}\n"
    "  joints:\n"
    "    g$i: {repeat: {i: 2..3}, type: revolute, of: [copy$i.Q, ground.R$i]}\n"
    "  drives:\n"
    "    d: {at: j1, torque: {min: -inf, max: 4 N m}, speed: {max: 2*rate}, curve: [[0, "
    "9],[1 rad/s, 3]]}\n"
    "trajectories:\n"
    "  u$i: {repeat: {i: 1..2}, of: arm1.Q, p: [0, i], path: {x: \"i*p + 0.1*sin(i*p)\", y: k$i}}\n"
    "  f: {of: arm1.Q, kind: file, file: write_table.csv, points: 7}\n"
    "design:\n"
    "  rail: {min: 300 mm, max: 600 mm, start: 350 mm}\n"
    "  twist: {min: -30 deg, max: 1}\n"
    "optimize:\n"
    "  objectives: {o$i: {repeat: {i: 1..2}, minimize: \"u$i.time*i + mass\"}}\n"
    "  constraints: {c: \"u1.reach >= 1\"}\n"
    "expect:\n"
    "  - {repeat: {i: 1..2}, quantity: \"u$i.d2_max@i*0.25(0.1*i)\", value: i, tolerance: a}\n";

static const char base_text[] =
    "format: 1\n"
    "parameters: {rail: 500 mm, gone: 1/0}\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81 m/s^2]\n"
    "  ground: {points: {R$i: {repeat: {i: 1..3}, at: [rail*cos(i*pi/2), \"-i\"]}}}\n"
    "  bodies:\n"
    "    arm$i: {repeat: {i: 1..1}, mass: 2*i + 1 kg, inertia: 0.1, points: {Q: [i/3, 0]}, "
    "pose: [i/7, a, twist]}\n"
    "  joints: {j1: {type: revolute, of: [arm1, ground.R1]}}\n";

static gdyn_case *read_forms(void) {
    gdyn_case *c = NULL;
    mkdir(GDYN_BINARY_DIR "/written", 0777);
    write_file(GDYN_BINARY_DIR "/written/main.yaml", main_text);
    write_file(GDYN_BINARY_DIR "/written/base.yaml", base_text);
    write_file(GDYN_BINARY_DIR "/written/write_table.csv",
               "# a table\np; x [mm]; angle [deg]\n0; 100; 0\n1; 123.4; 10\n2; 150; -7.3\n");
    assert_int_equal(gdyn_case_read(GDYN_BINARY_DIR "/written/main.yaml", &sink, &c), GDYN_OK);
    return c;
}

static void forms(void **state) {
    (void)state;
    gdyn_case *c = read_forms();
    /* What was read needs its files no more. */
    unlink(GDYN_BINARY_DIR "/written/base.yaml");
    unlink(GDYN_BINARY_DIR "/written/write_table.csv");
    same_case("forms", c, 0, NULL);
    gdyn_setting settings[] = {{"rail", 1.0 / 3.0, false},
                               {"a", 0.1, false},
                               {"rate", 2.9, false},
                               {"twist", -1e-3, false}};
    for (int n = 1; n <= 4; n++)
        same_case("forms", c, n, settings);
    gdyn_text text = written(c, 4, settings, NULL);
    assert_non_null(strstr(text.data, "rail: 0.3333333333333333 m\n"));
    assert_non_null(strstr(text.data, "rate: 2.9 rad/s\n"));
    assert_non_null(strstr(text.data, "twist: -0.001 rad\n"));
    assert_non_null(strstr(text.data, "data: |\n      p,x,angle\n"));
    assert_non_null(strstr(text.data, "name: main\n"));
    assert_null(strstr(text.data, "include"));
    assert_null(strstr(text.data, "start"));
    gdyn_text_free(&text);
    gdyn_case_destroy(c);
}

static void leaving_out(void **state) {
    (void)state;
    static const char *const out[] = {"about",        "expect",         "optimize.constraints",
                                      "design.twist", "trajectories.f", NULL};
    gdyn_case *c = read_forms();
    gdyn_text text = written(c, 0, NULL, out);
    gdyn_case *back = read_text(text.data);
    gdyn_instance *in = NULL;
    assert_int_equal(gdyn_case_instantiate(back, 0, NULL, &sink, &in), GDYN_OK);
    assert_string_equal(in->about, "");
    assert_int_equal(in->expectation_count, 0);
    assert_int_equal(in->requirement_count, 0);
    assert_int_equal(in->design_count, 1);
    assert_int_equal(in->trajectory_count, 2);
    assert_int_equal(in->objective_count, 2);
    gdyn_instance_destroy(in);
    gdyn_text_free(&text);
    gdyn_case_destroy(back);
    gdyn_case_destroy(c);
}

/* A variable that is no parameter takes its value as start; other settings are refused. */
static void variables(void **state) {
    (void)state;
    gdyn_case *c = read_text("format: 1\n"
                             "design:\n"
                             "  x$i: {repeat: {i: 1..3}, min: 0, max: i}\n"
                             "  y: {min: 0, max: 9, start: 4, integer: true}\n"
                             "optimize: {objectives: {f: {minimize: x1 + x2*x3 + y}}}\n");
    gdyn_setting settings[] = {
        {"x2", 0.1, false}, {"y", 7, false}, {"z", 0, false}, {"x1", NAN, false}};
    same_case("variables", c, 0, NULL);
    same_case("variables", c, 2, settings);
    gdyn_text text = {0};
    assert_int_equal(gdyn_case_write(c, 3, settings, NULL, &text), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_case_write(c, 1, settings + 3, NULL, &text), GDYN_ERROR_ARGUMENT);
    assert_int_equal(text.length, 0);
    gdyn_text_free(&text);
    gdyn_case_destroy(c);
}

/* Every allocation of writing fails in turn. */
static void lack_of_memory(void **state) {
    (void)state;
    gdyn_case *c = read_forms();
    gdyn_status status = GDYN_ERROR_MEMORY;
    for (long n = 0; status != GDYN_OK; n++) {
        gdyn_text text = {0};
        gdyn_alloc_fail_after(n);
        status = gdyn_case_write(c, 0, NULL, NULL, &text);
        gdyn_alloc_fail_after(-1);
        assert_true(status == GDYN_OK || status == GDYN_ERROR_MEMORY);
        gdyn_text_free(&text);
        assert_true(n < 10000);
    }
    gdyn_case_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case),     cmocka_unit_test(forms),
        cmocka_unit_test(leaving_out),    cmocka_unit_test(variables),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
