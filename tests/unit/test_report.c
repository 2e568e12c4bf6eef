/* test_report.c - tables and documents against closed forms, files on bad ground, hulls of known
 * bodies, and scripts for regions of every kind that gnuplot accepts.
 *
 * Slider with two opposed drives +-F on a mass M with viscous friction b: the drives carry
 * M d2 + b d1 = n1 - n2, so |M d2 + b d1| <= 2F; with d1 >= 0 and no other limit the region is the
 * strip between d2 = (+-2F - b d1) / M. A speed limit v closes it; its area is then 4 F v / M. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"
#include "report/drawing.h"
#include "report/number.h"
#include "report/picture.h"
#include "report/report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "near.h"

static const double F = 100, M = 4, b = 8, speed = 5;

/* Regions of the slider: closed by a speed limit, endless, and empty by limits that exclude the
 * friction-free rest. */
enum { CLOSED, ENDLESS, EMPTY, KINDS };

typedef struct fixture {
    gdyn_region *region[KINDS];
    gdyn_trajectory trajectory;
} fixture;

static const char folder[] = GDYN_BINARY_DIR "/tests/report";
static const double positions[KINDS] = {0, 0.5, 1};
#define ROW(drive, number)                                                                         \
    {                                                                                              \
        &gdyn_limit_kinds[GDYN_LIMIT_KIND_FORCE], drive, "force", "N", number, {NAN, NAN},         \
            INFINITY, {                                                                            \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
#define WINDOW(drive, number)                                                                      \
    {                                                                                              \
        &gdyn_limit_kinds[GDYN_LIMIT_KIND_SPEED], drive, "speed", "m/s", number, {NAN, NAN},       \
            INFINITY, {                                                                            \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
static const gdyn_limited drives[4] = {ROW("left", 0), ROW("right, \"odd\"", 1), WINDOW("left", 0),
                                       WINDOW("right, \"odd\"", 1)};
static const char *words[KINDS];

static void make_region(gdyn_access *access, int kind, gdyn_region *region) {
    /* n1 = y + (M d2 + b d1) / 2, n2 = y - (M d2 + b d1) / 2 */
    double A[2] = {0, 0}, B[2] = {b / 2, -b / 2}, C[2] = {0, 0}, D[2] = {M / 2, -M / 2};
    double V[2] = {1, 1}, min[2] = {-F, -F}, max[2] = {F, F};
    gdyn_coefficients c = {.k = 2,
                           .r = 1,
                           .A = A,
                           .B = B,
                           .C = C,
                           .D = D,
                           .V = V,
                           .min = min,
                           .max = max,
                           .d1_low = 0,
                           .d1_high = kind == CLOSED ? speed : INFINITY,
                           .d1_high_window = -1};
    if (kind == CLOSED)
        c.d1_high_window = 0;
    if (kind == EMPTY) {
        /* No motion along the path costs force, yet n1 - n2 = 300 is wanted. */
        B[0] = B[1] = D[0] = D[1] = 0;
        C[0] = 150, C[1] = -150;
    }
    assert_int_equal(gdyn_access_region(access, &c, GDYN_BY_ELEMENTARY, region), GDYN_OK);
}

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    gdyn_access *access = gdyn_access_create(2, 1, 0);
    assert_non_null(f);
    assert_non_null(access);
    for (int i = 0; i < KINDS; i++) {
        f->region[i] = gdyn_region_create();
        make_region(access, i, f->region[i]);
        words[i] = gdyn_region_status_name(f->region[i]->status);
    }
    gdyn_access_destroy(access);
    assert_int_equal(gdyn_report_folder(folder, NULL), GDYN_OK);
    f->trajectory = (gdyn_trajectory){.name = "slide",
                                      .unit = "m",
                                      .rows = 2,
                                      .windows = 2,
                                      .lanes = 2,
                                      .row = drives,
                                      .along = {.points = KINDS,
                                                .p = positions,
                                                .region = (const gdyn_region *const *)f->region,
                                                .status = words}};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    for (int i = 0; i < KINDS; i++)
        gdyn_region_destroy(f->region[i]);
    free(f);
    return 0;
}

/* --- documents ----------------------------------------------------------------------------- */

static json_t *point_of(json_t *document, size_t index) {
    json_t *trajectory = json_object_get(json_object_get(document, "trajectories"), "slide");
    return json_array_get(json_object_get(trajectory, "points"), index);
}

static void json_holds_the_closed_form(void **state) {
    fixture *f = *state;
    gdyn_text text = {0};
    assert_int_equal(gdyn_report_regions_json(&text, "slider", 1, &f->trajectory), GDYN_OK);
    json_t *document = json_loads(text.data, 0, NULL);
    assert_non_null(document);
    json_t *point = point_of(document, CLOSED);
    assert_string_equal(json_string_value(json_object_get(point, "status")), "ok");
    /* Rounding of a handful of operations on numbers near 500. */
    assert_near(json_real_value(json_object_get(point, "area")), 4 * F * speed / M, 1e-10);
    json_t *arc = json_array_get(json_object_get(point, "upper"), 0);
    assert_near(json_real_value(json_object_get(arc, "c")), 2 * F / M, 1e-12);
    assert_near(json_real_value(json_object_get(arc, "b")), -b / M, 1e-12);
    assert_int_equal(json_array_size(json_object_get(arc, "active")), 2);
    json_t *d1 = json_array_get(json_object_get(point, "d1"), 0);
    assert_near(json_real_value(json_array_get(d1, 1)), speed, 1e-12);
    /* Unbounded is null; an empty region has a certificate and no rest. */
    assert_true(json_is_null(json_object_get(point_of(document, ENDLESS), "d1_max")));
    assert_true(json_is_null(json_object_get(point_of(document, ENDLESS), "area")));
    point = point_of(document, EMPTY);
    assert_string_equal(json_string_value(json_object_get(point, "status")), "empty");
    assert_true(json_is_null(json_object_get(point, "rest")));
    json_t *limits = json_object_get(json_object_get(point, "certificate"), "limits");
    assert_int_equal(json_array_size(limits), 2);
    /* Each alone would need the rest of the 300 N. */
    for (size_t i = 0; i < 2; i++) {
        json_t *needs = json_object_get(json_array_get(limits, i), "needs");
        assert_near(fabs(json_real_value(needs)), 200, 1e-9);
    }
    json_decref(document);
    gdyn_text_free(&text);
}

static void csv_rows_lie_on_the_closed_form(void **state) {
    fixture *f = *state;
    gdyn_text text = {0};
    gdyn_report_regions_csv(&text, 1, &f->trajectory);
    int rows = 0, empty = 0;
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
        double p, d1, low, high;
        if (sscanf(line, "slide,%lf,%lf,%lf,%lf", &p, &d1, &low, &high) == 4) {
            assert_near(high, (2 * F - b * d1) / M, 1e-10);
            assert_near(low, (-2 * F - b * d1) / M, 1e-10);
            assert_non_null(strstr(line, "\"\"odd\"\""));
            rows++;
        }
        empty += strstr(line, ",,,,,,empty") != NULL;
    }
    assert_true(rows > 20);
    assert_int_equal(empty, 1);
    gdyn_text_free(&text);
}

static void csv_fields_are_quoted(void **state) {
    (void)state;
    const char *plain[] = {"a b", "a,b", "a\"b", ""};
    const char *quoted[] = {"a b", "\"a,b\"", "\"a\"\"b\"", ""};
    for (int i = 0; i < 4; i++) {
        gdyn_text text = {0};
        gdyn_text_append(&text, "", 0);
        gdyn_csv_text(&text, "%s", plain[i]);
        assert_string_equal(text.data, quoted[i]);
        gdyn_text_free(&text);
    }
}

static void csv_fields_are_separated(void **state) {
    (void)state;
    const double values[] = {0.5, NAN, -INFINITY};
    gdyn_text text = {0};
    for (int row = 0; row < 2; row++) {
        gdyn_csv_text(&text, "%s %d", "row", row);
        gdyn_csv_numbers(&text, 3, values);
        gdyn_csv_text(&text, "%s", "");
        gdyn_csv_end(&text);
    }
    assert_string_equal(text.data, "row 0,0.5,,-inf,\nrow 1,0.5,,-inf,\n");
    gdyn_text_free(&text);
}

/* --- files --------------------------------------------------------------------------------- */

static void count_error(void *context, const gdyn_diag *diag) {
    assert_non_null(strstr(diag->message, "cannot"));
    ++*(int *)context;
}

static void files_appear_whole_or_not(void **state) {
    (void)state;
    int errors = 0;
    char name[sizeof folder + 64], text[8] = "";
    gdyn_sink sink = {count_error, &errors};
    snprintf(name, sizeof name, "%s/a/b/c", folder);
    assert_int_equal(gdyn_report_folder(name, &sink), GDYN_OK);
    assert_int_equal(gdyn_report_folder(name, &sink), GDYN_OK);
    assert_int_equal(gdyn_report_write(name, "x", "one", 3, &sink), GDYN_OK);
    assert_int_equal(gdyn_report_write(name, "x", "two", 3, &sink), GDYN_OK);
    strcat(name, "/x");
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "two");
    assert_int_equal(errors, 0);
    /* A file where a folder is wanted, a folder that is not there, no name at all. */
    assert_int_equal(gdyn_report_folder(name, &sink), GDYN_ERROR_FILE);
    assert_int_equal(gdyn_report_write(name, "y", "one", 3, &sink), GDYN_ERROR_FILE);
    assert_int_equal(gdyn_report_folder("", &sink), GDYN_ERROR_FILE);
    assert_int_equal(errors, 3);
}

/* Documents as jansson prints them, whole or part by part, with numbers of any kind and every character below 128. */
static void documents_are_those_of_jansson(void **state) {
    (void)state;
    static const size_t flags[] = {0, JSON_COMPACT, JSON_INDENT(1)};
    char all[128];
    for (int i = 0; i < 127; i++)
        all[i] = (char)(i + 1);
    all[127] = '\0';
    json_t *document = gdyn_json_object(
        "text:s whole:n half:n small:n none:s yes:b no:b count:l list:o empty:o object:o pair:o",
        all, 3.0, -0.5, 0x1p-10, NULL, true, false, -12345678901L, json_array(), json_object(),
        gdyn_json_object("a:i \xc3\xa4:i", 1, 2), gdyn_json_pair(1, NAN));
    for (int layout = GDYN_JSON_LINE; layout <= GDYN_JSON_INDENTED; layout++) {
        gdyn_text whole = {0}, parts = {0};
        char *expected = json_dumps(document, flags[layout]);
        assert_int_equal(gdyn_json_print(json_incref(document), (gdyn_json_layout)layout, &whole),
                         GDYN_OK);
        assert_memory_equal(whole.data, expected, strlen(expected));
        assert_string_equal(whole.data + strlen(expected), "\n");
        gdyn_json_writer w = {.out = &parts, .layout = (gdyn_json_layout)layout};
        gdyn_json_open(&w, NULL, '{');
        gdyn_json_put_members(&w, json_incref(document));
        gdyn_json_close(&w, '}');
        assert_int_equal(gdyn_json_end(&w), GDYN_OK);
        assert_string_equal(parts.data, whole.data);
        free(expected);
        gdyn_text_free(&whole);
        gdyn_text_free(&parts);
    }
    json_decref(document);
}

/* Written in many pieces, to the file and its copy; nothing appears where writing failed or was not to be. */
static void outputs_take_pieces(void **state) {
    (void)state;
    int errors = 0;
    struct stat info;
    char name[sizeof folder + 64];
    gdyn_sink sink = {count_error, &errors};
    gdyn_output output;
    for (int kept = 0; kept < 2; kept++) {
        assert_int_equal(gdyn_output_open(&output, folder, "pieces", &sink), GDYN_OK);
        FILE *copy = output.copy = tmpfile();
        for (int i = 0; i < 100000; i++) {
            gdyn_csv_number(&output.text, i);
            gdyn_csv_end(&output.text);
        }
        assert_true(output.text.capacity < 1 << 18);
        gdyn_status status = kept ? GDYN_OK : GDYN_ERROR_MEMORY;
        assert_int_equal(gdyn_output_close(&output, status), status);
        assert_int_equal(ftell(copy), 588890);
        fclose(copy);
        snprintf(name, sizeof name, "%s/pieces", folder);
        assert_int_equal(stat(name, &info), kept ? 0 : -1);
    }
    assert_int_equal(info.st_size, 588890);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(gdyn_output_open(&output, NULL, "/nowhere/file", &sink), GDYN_ERROR_FILE);
    assert_int_equal(gdyn_output_close(&output, GDYN_ERROR_FILE), GDYN_ERROR_FILE);
    assert_int_equal(errors, 1);
}

static void file_names_are_harmless(void **state) {
    (void)state;
    char out[8];
    gdyn_report_file_name("../a b", out, sizeof out);
    assert_string_equal(out, "_._a_b");
    gdyn_report_file_name("long-name-cut", out, sizeof out);
    assert_string_equal(out, "long-na");
}

/* --- hulls ----------------------------------------------------------------------------------- */

static void hulls_of_known_bodies(void **state) {
    (void)state;
    gdyn_hull hull;
    /* A cube and a point inside it: six faces of four corners, Euler's formula with shared edges. */
    double cube[9][3];
    for (int i = 0; i < 8; i++)
        cube[i][0] = i & 1, cube[i][1] = (i >> 1) & 1, cube[i][2] = (i >> 2) & 1;
    cube[8][0] = cube[8][1] = cube[8][2] = 0.5;
    gdyn_hull_make(&hull, 9, (const double(*)[3])cube, 1);
    assert_int_equal(hull.polygons, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(hull.size[i], 4);
    /* A square with its centre: one polygon; points on a line: their ends; two points: both. */
    double square[5][3] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {2, 2, 0}, {0, 2, 0}};
    gdyn_hull_make(&hull, 5, (const double(*)[3])square, 1);
    assert_int_equal(hull.polygons, 1);
    assert_int_equal(hull.size[0], 4);
    double line[3][3] = {{1, 1, 1}, {0, 0, 0}, {3, 3, 3}};
    gdyn_hull_make(&hull, 3, (const double(*)[3])line, 1);
    assert_int_equal(hull.polygons, 1);
    assert_int_equal(hull.size[0], 2);
    assert_int_equal(hull.corner[0][0] + hull.corner[0][1], 3);
    gdyn_hull_make(&hull, 1, (const double(*)[3])line, 1);
    assert_int_equal(hull.polygons, 0);
}

/* --- pictures -------------------------------------------------------------------------------- */

static gdyn_status draw(const char *stem, const gdyn_sink *sink) {
    gdyn_pictures pictures = {.folder = folder};
    if (sink)
        pictures.sink = *sink;
    assert_true(gdyn_pictures_add(&pictures, stem));
    gdyn_status status = gdyn_pictures_draw(&pictures);
    gdyn_pictures_free(&pictures);
    return status;
}

static void expect_picture(const char *kind) {
    static const char *const ends[] = {"gp", "dat", "png", "svg"};
    char name[sizeof folder + 64];
    bool present = gdyn_gnuplot_present();
    if (present) {
        snprintf(name, sizeof name, "slide_%s", kind);
        assert_int_equal(draw(name, NULL), GDYN_OK);
    }
    for (int i = 0; i < (present ? 4 : 2); i++) {
        struct stat info;
        snprintf(name, sizeof name, "%s/slide_%s.%s", folder, kind, ends[i]);
        assert_int_equal(stat(name, &info), 0);
        assert_true(info.st_size > 0);
        assert_int_equal(remove(name), 0);
    }
}

static void write_figure(gdyn_figure *figure, const char *kind) {
    gdyn_pictures pictures = {.folder = folder};
    gdyn_picture_write(figure, &pictures);
    assert_int_equal(pictures.status, GDYN_OK);
    assert_int_equal(pictures.count, 1);
    gdyn_pictures_free(&pictures);
    expect_picture(kind);
}

static void expect_pictures(const gdyn_trajectory *t, int count, const int *points) {
    gdyn_figure figure;
    gdyn_regions_figure(&figure, t, &t->along, count, points, NULL);
    write_figure(&figure, "regions");
    gdyn_tube_figure(&figure, t);
    write_figure(&figure, "tube");
    gdyn_limits_figure(&figure, t, NULL);
    write_figure(&figure, "limits");
}

static void pictures_of_every_kind_of_region(void **state) {
    fixture *f = *state;
    int points[KINDS] = {CLOSED, ENDLESS, EMPTY};
    expect_pictures(&f->trajectory, KINDS, points);
}

static void pictures_of_nothing(void **state) {
    fixture *f = *state;
    gdyn_trajectory nothing = f->trajectory;
    nothing.along.region += EMPTY;
    nothing.along.p += EMPTY;
    nothing.along.status += EMPTY;
    nothing.along.points = 1;
    int point = 0;
    expect_pictures(&nothing, 1, &point);
}

static void missing_gnuplot_is_a_result(void **state) {
    (void)state;
    char *before = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    assert_false(gdyn_gnuplot_present());
    assert_int_equal(draw("x", NULL), GDYN_ERROR_EXTERNAL);
    setenv("PATH", before, 1);
    free(before);
}

/* Names in a legend are short, and distinct limits stay distinct. */
static void names_of_legends(void **state) {
    (void)state;
    static const struct {
        const char *name[4], *expected[4];
    } sets[] = {
        {{"m1", "m2", "m1", "m3"}, {"m1", "m2", "m1 curve", "m3"}},
        {{"m1", "m1", "m1", "m2"}, {"m1", "m1 curve 1", "m1 curve 2", "m2"}},
        {{"motor_of_the_left_shoulder_joint", "motor_of_the_left_elbow_joint",
          "motor_of_the_right_knee_joint", "motor_of_the_hip_joint"},
         {"…left_shoulder…", "…left_elbow…", "…right_knee…", "…hip…"}},
        {{"x_abcdefghijklmnop_1_qrstuvwxyz_x", "y_abcdefghijklmnop_1_qrstuvwxyz_y",
          "x_abcdefghijklmnop_2_qrstuvwxyz_x", "x_abcdefghijklmnop_1_qrstuvwxyz_x"},
         {"drive 1", "y_abcdef…uvwxyz_y", "drive 3", "drive 1 curve"}},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        gdyn_limited row[4] = {{0}};
        for (int k = 0; k < 4; k++)
            row[k].name = sets[i].name[k];
        gdyn_trajectory t = {.rows = 4, .row = row};
        char out[4][GDYN_SHORT_NAME];
        gdyn_short_names(&t, out);
        for (int k = 0; k < 4; k++)
            assert_string_equal(out[k], sets[i].expected[k]);
    }
}

/* Regions that are specks beside the others, and points without any, get no panel. */
/* Every letter of a legend has a colour of its own, none near another one or the grey of those without a letter. */
static void colours_differ(void **state) {
    (void)state;
    for (int i = -1; i < GDYN_LEGEND_SHOWN; i++)
        for (int j = -1; j < i; j++) {
            unsigned one = gdyn_legend_colour(i), other = gdyn_legend_colour(j);
            double distance = 0;
            for (int shift = 0; shift <= 16; shift += 8) {
                double d = (double)(one >> shift & 255u) - (double)(other >> shift & 255u);
                distance += d * d;
            }
            assert_true(distance > 30 * 30);
        }
}

/* Curves that are rounding beside what else is drawn are level, and so is a constant; others have a margin around them. */
static void rounding_has_no_scale(void **state) {
    (void)state;
    static const double x[] = {0, 1, 2}, value[] = {1e-20, 5, 3, -3e-20, 5, 4, 2e-20, 5, 5};
    static const double range[][2] = {{-0.01, 0.01}, {4.5, 5.5}, {2.9, 5.1}};
    gdyn_curve_table c = {.points = 3, .columns = 3, .step = 1, .x = x, .value = value};
    for (int column = 0; column < 3; column++) {
        gdyn_figure_axis axis = {.low = 0};
        gdyn_curves_window(&axis, &c, 1, &column, 1e-11);
        assert_near(axis.low, range[column][0], 1e-12);
        assert_near(axis.high, range[column][1], 1e-12);
    }
}

static void panels_show_regions_of_size(void **state) {
    (void)state;
    gdyn_region big = {.island_count = 1, .area = 10, .status = GDYN_REGION_OK};
    gdyn_region speck = {.island_count = 1, .area = 1e-3, .status = GDYN_REGION_OK};
    gdyn_region none = {.status = GDYN_REGION_EMPTY};
    gdyn_region bigger = {.island_count = 1, .area = 12, .status = GDYN_REGION_OK};
    const gdyn_region *regions[] = {&speck, &big, &none, &speck, &bigger, &none};
    gdyn_region_points at = {.points = 6, .region = regions};
    int points[4];
    assert_int_equal(gdyn_report_spread(&at, 4, points), 2);
    assert_int_equal(points[0], 1);
    assert_int_equal(points[1], 4);
}

/* A name from a case file stays text: gnuplot runs nothing that stands in it. */
static void quoted_names_are_harmless(void **state) {
    (void)state;
    gdyn_figure figure;
    gdyn_text script = {0}, data = {0};
    gdyn_figure_begin(&figure, "", "quoted", 400);
    gdyn_figure_text(&figure, GDYN_HEADING, "%s", "a `touch x` \"b\" \\ \n]]>");
    assert_true(gdyn_figure_script(&figure, &script, &data));
    assert_non_null(strstr(script.data, "(\"a 'touch x' \\\"b\\\" \\\\  ]] >\""));
    assert_null(strchr(script.data, '`'));
    gdyn_text_free(&script);
    gdyn_text_free(&data);
    gdyn_figure_end(&figure);
}

/* 1/x over x from 1/n to 1: nine tenths of the path stay below 10 in the limit. Points that crowd at the pole, and values
 * without bound, change nothing; nor does a curve without values. */
static void cut_beside_a_pole(void **state) {
    enum { EVEN = 1000, CROWD = 300 };
    static double p[EVEN + CROWD], value[EVEN + CROWD];
    (void)state;
    for (int i = 0; i < CROWD; i++)
        p[i] = 1e-3 * (i + 1) / (CROWD + 1);
    for (int i = 0; i < EVEN; i++)
        p[CROWD + i] = 1e-3 * (i + 1);
    for (int i = 0; i < EVEN + CROWD; i++)
        value[i] = 1 / p[i];
    assert_near(gdyn_usual_size(EVEN + CROWD, p, value), 30, 0.3); /* a step of 1e-3 at 0.1: 1 % */
    assert_near(gdyn_usual_size(EVEN, p + CROWD, value + CROWD), 30, 0.3);
    value[0] = INFINITY, value[1] = NAN;
    assert_near(gdyn_usual_size(EVEN + CROWD, p, value), 30, 0.3);
    for (int i = 0; i < EVEN + CROWD; i++)
        value[i] = -INFINITY;
    assert_true(isnan(gdyn_usual_size(EVEN + CROWD, p, value)));
    assert_true(isnan(gdyn_usual_size(0, p, value)));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(json_holds_the_closed_form),
        CASE(csv_rows_lie_on_the_closed_form),
        CASE(csv_fields_are_quoted),
        CASE(csv_fields_are_separated),
        CASE(files_appear_whole_or_not),
        CASE(documents_are_those_of_jansson),
        CASE(outputs_take_pieces),
        CASE(file_names_are_harmless),
        CASE(hulls_of_known_bodies),
        CASE(pictures_of_every_kind_of_region),
        CASE(pictures_of_nothing),
        CASE(missing_gnuplot_is_a_result),
        CASE(names_of_legends),
        CASE(quoted_names_are_harmless),
        CASE(colours_differ),
        CASE(rounding_has_no_scale),
        CASE(panels_show_regions_of_size),
        CASE(cut_beside_a_pole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
