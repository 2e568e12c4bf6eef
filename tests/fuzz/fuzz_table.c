/* fuzz_table.c - any bytes are either a table whose cells lie in their lines, or are refused with one message
 * whose place lies in the text. */
#include "driver.h"
#include "judge.h"

#include "table/table.h"

#include <math.h>

/* Every message of a table is an error. */
static void count(void *context, const gdyn_diag *diag) {
    count_errors(context, diag);
    require(diag->severity == GDYN_ERROR && diag->width >= 1);
}

static void check_cells(const gdyn_table *t, size_t size) {
    size_t total = 0;
    for (int i = 0; i < t->columns; i++) {
        const gdyn_cell *c = &t->cell[i];
        total += strlen(c->text);
        require(c->start <= size && c->width <= size + 1 - c->start);
    }
    require(total <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int errors = 0;
    gdyn_sink sink = {count, &errors};
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_table t;
    gdyn_table_open(&t, arena, gdyn_document_from_text(arena, "t", (const char *)data, size),
                    &sink);
    int p = gdyn_table_find(&t, "p");
    for (int i = 0; i < t.columns; i++) {
        gdyn_dimension stated = gdyn_table_dimension(&t, i);
        gdyn_table_unit(&t, i, i == p ? GDYN_DIM_LENGTH : stated, "this");
        require(t.column[i].factor > 0);
    }
    for (int last = t.line; gdyn_table_next(&t); last = t.line) {
        require(t.line > last && t.line <= t.document->lines);
        check_cells(&t, size);
        if (p >= 0)
            require(isfinite(gdyn_table_number(&t, p)) == (t.status == GDYN_OK));
    }
    require(errors == (t.status != GDYN_OK));
    gdyn_arena_destroy(arena);
    return 0;
}

#ifndef GDYN_LIBFUZZER
static const char *const words[] = {
    ",",
    ";",
    "\t",
    " ",
    "\"",
    "\"\"",
    "#",
    "\r\n",
    "\r",
    "\n",
    "[mm]",
    " (ms)",
    "[",
    "]",
    "(",
    "\xef\xbb\xbf",
    "\xff\xfe",
    "1,5",
    "p",
    "-inf",
    "nan",
    "1e999",
    "0x1p3",
    "p [mm]",
    "\xe2\x80\xa8",
    "\xc2\x85",
    "t [ms]",
};

static const char *const tables[] = {
    "t,p\n0,0\n1,0.5\n",
    "t [ms];p [mm]\n0;0\n1;1,5\n",
    "t [ms]  p [mm]  name\n0 0 \"a b\"\n1 500 c\n",
    "# note\n\"p\",\"say \"\"no\"\"\"\r\n0,\"a, b\"\r\n1,\r\n",
    "p\tdrive\tmin\tmax\n0\tm1\t\tinf\n",
    "trajectory,p,d1,d2\nring,0,0,1\nring,1,0,-1\n",
    "p\n0\n1\n",
    "",
};

int main(int argc, char **argv) {
    static fuzz_corpus corpus = {.word = words, .words = sizeof words / sizeof words[0]};
    fuzz_add_files(&corpus, GDYN_SOURCE_DIR "/cases/*/*.csv");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        fuzz_add(&corpus, tables[i], strlen(tables[i]));
    return fuzz_main(argc, argv, &corpus);
}
#endif
