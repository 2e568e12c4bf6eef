/* What the tables of search/ say of its methods is what they do, and what the case reader and the documents say. */
#include "base/memory.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Every option must have had the time to matter; models of all results are for few. */
enum { N = 4, EVALUATIONS = 4000, FEW = 60 };

/* --- what tunes a method ---------------------------------------------------------------------------- */

/* A bent front of three objectives with a valley across it: (x - t)^2 summed for three places t. */
static gdyn_status evaluate(void *context, const double *x, double *f, double *violation,
                            double *failure) {
    (void)context, (void)violation, (void)failure;
    for (int i = 0; i < 3; i++) {
        f[i] = 0;
        for (int j = 0; j < N; j++)
            f[i] += pow(x[j] - 0.2 - 0.3 * ((i + j) % 3), 2) * (1 + j);
    }
    return GDYN_OK;
}

static gdyn_search *create(const gdyn_search_options *options, const bool *integer,
                           const bool *categorical, gdyn_status *status) {
    static const double lower[N] = {0, 0, 0, 0}, upper[N] = {1, 1, 1, 1};
    gdyn_search_problem problem = {.variables = N,
                                   .objectives = 3,
                                   .lower = lower,
                                   .upper = upper,
                                   .integer = integer,
                                   .categorical = categorical};
    gdyn_search *search = NULL;
    *status = gdyn_search_create(&problem, options, &search);
    return search;
}

/* Sum over all members: another run gives another one. */
static double fingerprint(const gdyn_search_options *options) {
    gdyn_status status;
    gdyn_search *search = create(options, NULL, NULL, &status);
    gdyn_search_callbacks callbacks = {.evaluate = evaluate};
    double sum = 0;
    assert_int_equal(status, GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    int count = gdyn_search_state(search).population;
    for (int i = 0; i < count; i++) {
        gdyn_search_member member = gdyn_search_population(search, i);
        for (int j = 0; j < N; j++)
            sum += (1 + i + count * j) * member.x[j];
    }
    gdyn_search_destroy(search);
    return sum;
}

static gdyn_search_options options_of(gdyn_search_method method) {
    gdyn_search_options o = gdyn_search_default();
    o.method = method, o.population = 20;
    o.evaluations = method == GDYN_SEARCH_SURROGATE ? FEW : EVALUATIONS;
    return o;
}

/* The options with another value of one of them; `half`: of the second value of a pair. */
static gdyn_search_options changed(gdyn_search_options o, gdyn_search_tuning tuning, bool half) {
    switch (tuning) {
    case GDYN_SEARCH_CROSSOVER:
        *(half ? &o.crossover_eta : &o.crossover) = half ? 2 : 0.3;
        break;
    case GDYN_SEARCH_MUTATION:
        *(half ? &o.mutation_eta : &o.mutation) = half ? 3 : 0.8;
        break;
    case GDYN_SEARCH_WEIGHT:
        o.weight = 0.9;
        break;
    case GDYN_SEARCH_RATE:
        o.rate = 0.2;
        break;
    case GDYN_SEARCH_DIVISIONS:
        o.divisions = 3;
        break;
    case GDYN_SEARCH_NLOPT:
        o.nlopt = "nelder_mead";
        break;
    case GDYN_SEARCH_POINTS:
        o.points = 6;
        break;
    case GDYN_SEARCH_TOLERANCE:
        o.tolerance = 0.05;
        break;
    case GDYN_SEARCH_BATCH:
        o.batch = 7;
        break;
    case GDYN_SEARCH_LAG:
        o.lag = 2;
        break;
    case GDYN_SEARCH_REGION: /* needs an aim: below */
    case GDYN_SEARCH_TUNINGS:
        break;
    }
    return o;
}

static void options_do_what_the_table_says(void **state) {
    (void)state;
    for (int m = 0; gdyn_search_method_names[m]; m++) {
        if (m == GDYN_SEARCH_AUTO) /* it becomes one of the others: below */
            continue;
        gdyn_search_options plain = options_of((gdyn_search_method)m);
        double usual = fingerprint(&plain);
        assert_true(fingerprint(&plain) == usual);
        for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_REGION; k++)
            for (int half = 0;
                 half < (k == GDYN_SEARCH_CROSSOVER || k == GDYN_SEARCH_MUTATION ? 2 : 1); half++) {
                gdyn_search_options other = changed(plain, k, half);
                bool differs = fingerprint(&other) != usual;
                if (differs != gdyn_search_method_uses((gdyn_search_method)m, k))
                    fail_msg("%s %s '%s'", gdyn_search_method_names[m],
                             differs ? "looks at" : "does not look at", gdyn_search_tuning_name(k));
            }
    }
}

/* --- the choice of a method -------------------------------------------------------------------------- */

static void decides(int objectives, long evaluations, gdyn_search_method method, int population) {
    gdyn_search_options o = gdyn_search_default();
    o.evaluations = evaluations;
    gdyn_search_decide(objectives, &o);
    assert_int_equal(o.method, method);
    assert_int_equal(o.population, population);
}

static void the_budget_decides(void **state) {
    (void)state;
    decides(2, 1, GDYN_SEARCH_SURROGATE, 96);
    decides(2, 500, GDYN_SEARCH_SURROGATE, 96);
    decides(5, 500, GDYN_SEARCH_SURROGATE, 96);
    decides(2, 501, GDYN_SEARCH_HYBRID, 33);
    decides(1, 600, GDYN_SEARCH_HYBRID, 40);
    decides(3, 1439, GDYN_SEARCH_HYBRID, 95);
    decides(3, 10000, GDYN_SEARCH_HYBRID, 96);
    decides(4, 10000, GDYN_SEARCH_DE, 96);
    decides(3, 0, GDYN_SEARCH_HYBRID, 96);
    decides(4, -1, GDYN_SEARCH_DE, 96);
}

static void what_is_stated_stays(void **state) {
    (void)state;
    for (int m = 0; m < GDYN_SEARCH_AUTO; m++) {
        gdyn_search_options o = gdyn_search_default();
        o.method = (gdyn_search_method)m, o.evaluations = 100;
        gdyn_search_decide(2, &o);
        assert_int_equal(o.method, m);
        assert_int_equal(o.population, m == GDYN_SEARCH_SURROGATE ? 96 : 24);
        o.population = 7;
        gdyn_search_decide(2, &o);
        assert_int_equal(o.population, 7);
    }
}

/* The same designs as the method that is chosen; an option is used when one of those uses it. */
static void auto_is_the_method_that_it_becomes(void **state) {
    (void)state;
    static const long budget[] = {FEW, 600};
    for (int i = 0; i < 2; i++) {
        gdyn_search_options open = gdyn_search_default();
        open.evaluations = budget[i];
        gdyn_search_options decided = open;
        gdyn_search_decide(3, &decided);
        assert_int_not_equal(decided.method, GDYN_SEARCH_AUTO);
        assert_true(fingerprint(&open) == fingerprint(&decided));
    }
    for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_TUNINGS; k++)
        assert_int_equal(gdyn_search_method_uses(GDYN_SEARCH_AUTO, k),
                         gdyn_search_method_uses(GDYN_SEARCH_SURROGATE, k) ||
                             gdyn_search_method_uses(GDYN_SEARCH_HYBRID, k) ||
                             gdyn_search_method_uses(GDYN_SEARCH_NSGA3, k));
}

/* --- algorithms ----------------------------------------------------------------------------------------- */

/* Refused by the search exactly where the table says so. */
static void algorithms_are_taken_where_they_fit(void **state) {
    (void)state;
    const bool yes[N] = {false, true, false, false};
    for (int m = 0; gdyn_search_method_names[m]; m++)
        for (const char *const *name = gdyn_search_nlopt_names; *name; name++)
            for (gdyn_search_kind kind = GDYN_SEARCH_CONTINUOUS; kind <= GDYN_SEARCH_CATEGORY;
                 kind++) {
                gdyn_search_options o = options_of((gdyn_search_method)m);
                gdyn_status status;
                o.nlopt = *name;
                gdyn_search_destroy(create(&o, kind == GDYN_SEARCH_WHOLE ? yes : NULL,
                                           kind == GDYN_SEARCH_CATEGORY ? yes : NULL, &status));
                assert_int_equal(status,
                                 gdyn_search_nlopt_fits(o.method, gdyn_search_nlopt_of(*name), kind)
                                     ? GDYN_OK
                                     : GDYN_ERROR_ARGUMENT);
            }
    assert_null(gdyn_search_nlopt_of("simplex"));
}

/* --- the case reader ------------------------------------------------------------------------------------ */

static void keep(void *context, const gdyn_diag *diag) {
    gdyn_text_printf(context, "%s|%s\n", diag->message, diag->help ? diag->help : "");
}

/* Reads `algorithm: {name: METHOD, KEY: VALUE}`; what was told goes to out. */
static gdyn_status read_algorithm(const char *method, const char *rest, const char *design,
                                  gdyn_text *out) {
    gdyn_text text = {0};
    gdyn_case *the_case = NULL;
    gdyn_sink sink = {keep, out};
    gdyn_text_append(out, "", 0);
    gdyn_text_printf(&text,
                     "format: 1\ndesign: {%s}\noptimize:\n  objectives: {f: {minimize: x}}\n"
                     "  algorithm: {name: %s, %s}\n",
                     design, method, rest);
    gdyn_status status = gdyn_case_read_text(text.data, text.length, "t.yaml", &sink, &the_case);
    gdyn_case_destroy(the_case);
    gdyn_text_free(&text);
    return status;
}

static void the_case_reader_knows_who_uses_what(void **state) {
    (void)state;
    static const char *const values[GDYN_SEARCH_TUNINGS] = {
        "{probability: 0.3}", "{eta: 3}", "0.9", "0.2", "3", "sbplx", "6", "0.05", "7", "2", "0.3"};
    for (int m = 0; gdyn_search_method_names[m]; m++)
        for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_TUNINGS; k++) {
            char rest[80];
            gdyn_text told = {0};
            snprintf(rest, sizeof rest, "%s: %s", gdyn_search_tuning_name(k), values[k]);
            bool refused =
                k == GDYN_SEARCH_LAG && !gdyn_search_method_uses((gdyn_search_method)m, k);
            assert_int_equal(
                read_algorithm(gdyn_search_method_names[m], rest, "x: {min: 0, max: 1}", &told),
                refused ? GDYN_ERROR_INPUT : GDYN_OK);
            assert_int_equal(strstr(told.data, "does not use") == NULL,
                             gdyn_search_method_uses((gdyn_search_method)m, k));
            gdyn_text_free(&told);
        }
}

static void the_case_reader_knows_what_fits(void **state) {
    (void)state;
    static const char *const design[] = {"x: {min: 0, max: 1}",
                                         "x: {min: 0, max: 3, integer: true}",
                                         "m: {choices: {u: {x: 1}, v: {x: 2}}}"};
    for (int m = 0; gdyn_search_method_names[m]; m++)
        for (const char *const *name = gdyn_search_nlopt_names; *name; name++)
            for (int kind = 0; kind < 2; kind++) {
                char rest[40];
                gdyn_text told = {0};
                snprintf(rest, sizeof rest, "nlopt: %s", *name);
                gdyn_status status =
                    read_algorithm(gdyn_search_method_names[m], rest, design[kind], &told);
                bool fits = gdyn_search_nlopt_fits((gdyn_search_method)m,
                                                   gdyn_search_nlopt_of(*name), kind);
                assert_int_equal(status, fits ? GDYN_OK : GDYN_ERROR_INPUT);
                const char *help = strstr(told.data, "|use ");
                assert_true(fits || help);
                /* every algorithm that is suggested fits, and all that fit are suggested */
                for (const char *const *other = gdyn_search_nlopt_names; *other && !fits; other++)
                    assert_int_equal(strstr(help, *other) != NULL,
                                     gdyn_search_nlopt_fits((gdyn_search_method)m,
                                                            gdyn_search_nlopt_of(*other), kind));
                gdyn_text_free(&told);
            }
}

/* --- documents ------------------------------------------------------------------------------------------- */

static char *read_document(const char *name) {
    char path[512];
    snprintf(path, sizeof path, GDYN_SOURCE_DIR "/docs/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    gdyn_text text = {0};
    char chunk[4096];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        gdyn_text_append(&text, chunk, got);
    fclose(file);
    return text.data;
}

/* The row of a table that has `word` in backticks in its first column; its cell number `cell` (from 0). */
static bool find_cell(const char *document, const char *word, int cell, char *out, size_t size) {
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s", word);
    for (const char *line = document; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t first = strcspn(line + (*line == '|'), "|\n");
        const char *found = *line == '|' ? strstr(line, quoted) : NULL;
        if (!found || found > line + first || !strchr("`:", found[strlen(quoted)]))
            continue;
        const char *at = line + 1;
        for (int i = 0; i < cell; i++)
            at += strcspn(at, "|\n") + 1;
        snprintf(out, size, "%.*s", (int)strcspn(at, "|\n"), at);
        return true;
    }
    return false;
}

/* True for a word that stands alone, before the colon if there is one. */
static bool lists(const char *cell, const char *word) {
    size_t end = strcspn(cell, ":"), length = strlen(word);
    for (const char *at = cell; (at = strstr(at, word)) && at < cell + end; at++)
        if (strchr(" `,:|", at[length]) && (at == cell || strchr(" `", at[-1])))
            return true;
    return false;
}

static void documents_say_the_same(void **state) {
    (void)state;
    char *document = read_document("optimize.md"), cell[600];
    for (int m = 0; gdyn_search_method_names[m]; m++)
        if (!find_cell(document, gdyn_search_method_names[m], 1, cell, sizeof cell))
            fail_msg("docs/optimize.md has no row for %s", gdyn_search_method_names[m]);
    for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_TUNINGS; k++) {
        assert_true(find_cell(document, gdyn_search_tuning_name(k), 2, cell, sizeof cell));
        /* auto is not listed: it uses what its methods use */
        for (int m = 0; m < GDYN_SEARCH_AUTO; m++)
            if (lists(cell, gdyn_search_method_names[m]) !=
                gdyn_search_method_uses((gdyn_search_method)m, k))
                fail_msg("docs/optimize.md, %s of %s: %s", gdyn_search_tuning_name(k),
                         gdyn_search_method_names[m], cell);
    }
    for (const char *const *name = gdyn_search_nlopt_names; *name; name++) {
        const gdyn_search_nlopt *nlopt = gdyn_search_nlopt_of(*name);
        static const char *const takes[] = {" continuous ", " continuous, integer ", " all "};
        assert_true(find_cell(document, *name, 1, cell, sizeof cell));
        assert_int_equal(strstr(cell, "global") != NULL, nlopt->global);
        assert_true(find_cell(document, *name, 2, cell, sizeof cell));
        if (strcmp(cell, takes[nlopt->takes]) != 0)
            fail_msg("docs/optimize.md, variables of %s: %s", *name, cell);
    }
    gdyn_free(document);
}

/* What the tables of keys say of each option begins with the methods that use it. */
static void keys_say_the_same(void **state) {
    (void)state;
    char *tables = gdyn_case_manual_tables(), cell[600];
    const char *section = strstr(tables, "optimize.algorithm\n");
    assert_non_null(section);
    for (gdyn_search_tuning k = 0; k < GDYN_SEARCH_TUNINGS; k++) {
        assert_true(find_cell(section, gdyn_search_tuning_name(k), 3, cell, sizeof cell));
        for (int m = 0; m < GDYN_SEARCH_AUTO; m++)
            if (lists(cell, gdyn_search_method_names[m]) !=
                gdyn_search_method_uses((gdyn_search_method)m, k))
                fail_msg("key %s of %s: %s", gdyn_search_tuning_name(k),
                         gdyn_search_method_names[m], cell);
    }
    gdyn_free(tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_do_what_the_table_says),
        cmocka_unit_test(the_budget_decides),
        cmocka_unit_test(what_is_stated_stays),
        cmocka_unit_test(auto_is_the_method_that_it_becomes),
        cmocka_unit_test(algorithms_are_taken_where_they_fit),
        cmocka_unit_test(the_case_reader_knows_who_uses_what),
        cmocka_unit_test(the_case_reader_knows_what_fits),
        cmocka_unit_test(documents_say_the_same),
        cmocka_unit_test(keys_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
