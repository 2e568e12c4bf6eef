/* fuzz_import.c - any text is either a robot that becomes a case, or a path that becomes a table, or is refused with at least
 * one message whose place lies in the text. The first byte chooses the format. */
#include "driver.h"
#include "judge.h"

#include "casefile/casefile.h"
#include "import/import.h"
#include "table/table.h"

static void ignore(void *context, const gdyn_diag *diag) {
    (void)context;
    require_message(diag);
}

/* A case is always readable YAML; whether the model accepts its numbers is another matter. */
static void check_case(const gdyn_text *text) {
    gdyn_case *c = NULL;
    gdyn_sink sink = {ignore, NULL};
    require(text->length > 0);
    gdyn_case_read_text(text->data, text->length, "fuzz.yaml", &sink, &c);
    gdyn_case_destroy(c);
}

static void check_table(const gdyn_text *text) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_table t;
    gdyn_table_open(&t, arena, gdyn_document_from_text(arena, "t", text->data, text->length), NULL);
    int rows = 0;
    while (gdyn_table_next(&t)) {
        for (int i = 0; i < t.columns; i++)
            gdyn_table_number(&t, i);
        rows++;
    }
    require(t.status == GDYN_OK && rows >= 2);
    gdyn_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"fuzz.nc", "fuzz.dxf", "fuzz.xml"};
    int errors = 0;
    gdyn_sink sink = {count_errors, &errors};
    gdyn_text text = {0}, remarks = {0};
    if (size == 0)
        return 0;
    /* letters and digits begin programs, blanks drawings */
    const char *name = data[0] == '<' ? names[2] : data[0] == ' ' ? names[1] : names[0];
    bool path = gdyn_import_is_path(name);
    gdyn_import_options robot = {.free_base = size % 2};
    gdyn_import_path_options way = {
        .blend = 1e-3, .planar = size % 2, .contour = 1 + (int)(size % 3)};
    gdyn_status status =
        path ? gdyn_import_path_text((const char *)data, size, name, &way, &sink, &text, &remarks)
             : gdyn_import_text((const char *)data, size, name, &robot, &sink, &text, &remarks);
    require((status == GDYN_OK) == (errors == 0));
    if (status == GDYN_OK && path)
        check_table(&text);
    else if (status == GDYN_OK)
        check_case(&text);
    gdyn_text_free(&text);
    gdyn_text_free(&remarks);
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    "<link name=\"a\"/>",
    "<joint name=\"j\" type=\"revolute\">",
    "<mimic joint=\"j\" multiplier=\"0\"/>",
    "<origin xyz=\"1 2 3\" rpy=\"0 0 1e308\"/>",
    "<inertial>",
    "<mass value=\"-1\"/>",
    "type=\"fixed\"",
    "type=\"floating\"",
    "type=\"prismatic\"",
    "<freejoint/>",
    "<pose relative_to=\"crank\">1 0 0 0 1 0</pose>",
    "<include><uri>model://a</uri></include>",
    "<model name=\"a\">",
    "</model>",
    "type=\"screw\"",
    "type=\"universal\"",
    "<parent>world</parent>",
    "attached_to=\"pen\"",
    "<body>",
    "</body>",
    "<frame euler=\"1 2 3\">",
    "<geom size=\"1\"/>",
    "type=\"ellipsoid\"",
    "fromto=\"0 0 0 0 0 0\"",
    "childclass=\"a\"",
    "<default class=\"a\">",
    "<connect body1=\"a\" anchor=\"1 0 0\"/>",
    "<include file=\"fuzz.xml\"/>",
    "<!ENTITY a \"b\">",
    "&a;",
    "1e308",
    "nan",
    "-0",
    "name=\"",
    "\xff",
    "G2 ",
    "G3 X1 Y1 R1\n",
    "G91\n",
    "G20\n",
    "G18\n",
    "I1 J1",
    "R-1",
    "P1000000",
    "(",
    "/",
    "#1=2",
    " 0\nLINE\n",
    " 0\nARC\n",
    " 0\nLWPOLYLINE\n",
    " 0\nSPLINE\n",
    " 0\nELLIPSE\n",
    "41\n1e-300\n",
    "71\n15\n",
    "42\n1e9\n",
    "70\n1\n",
    "230\n-1\n",
    "$INSUNITS",
    "ENTITIES",
};

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/docs/samples/*.urdf");
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/docs/samples/*.sdf");
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/docs/samples/*.xml");
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/docs/samples/*.nc");
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/docs/samples/*.dxf");
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/tests/mujoco/*.xml");
    return fuzz_main(argc, argv, &corpus);
}
#endif
