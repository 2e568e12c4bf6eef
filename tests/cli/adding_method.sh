# A search method is added by steps 1 to 4 of CONTRIBUTING.md and nothing else: the search runs it, a
# case file states it, the schema and the messages know it.
. "$SOURCE/tests/cli/lib.bash"

mkdir -p floors && cp -r "$SOURCE/src/search" search && ln -s ../search floors/search

# 1. A file: every batch is drawn at random.
cat >search/uniform.c <<'C'
/* uniform.c - designs drawn at random from the box; the best of them survive. */
#include "search/method.h"

static gdyn_status breed(gdyn_search *s, int *count) {
    for (int i = 0; i < s->N; i++) {
        gdyn_random random =
            gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, (uint64_t)i);
        double *x = gdyn_slot_x(s, s->child[i]);
        for (int j = 0; j < s->n; j++)
            x[j] = gdyn_random_between(&random, s->variation.lower[j], s->variation.upper[j]);
    }
    *count = s->N;
    return GDYN_OK;
}

const gdyn_method gdyn_method_uniform = {.select = gdyn_pool_select, .breed = breed};
C
# 2. Its declaration, 3. its number, 4. its name and its row.
sed -i 's/^extern const gdyn_method gdyn_method_nsga2/extern const gdyn_method gdyn_method_uniform;\n&/' search/method.h
sed -i 's/^ *GDYN_SEARCH_METHODS /    GDYN_SEARCH_UNIFORM, \/* at random *\/\n&/' search/search.h
sed -i -e 's/^ *\[GDYN_SEARCH_NSGA2\] = {/    [GDYN_SEARCH_UNIFORM] = {\&gdyn_method_uniform, 0, NOTHING},\n&/' \
    -e 's/^ *\[GDYN_SEARCH_NSGA2\] = "/    [GDYN_SEARCH_UNIFORM] = "uniform",\n&/' search/methods.c
[ "$(diff -r "$SOURCE/src/search" search | grep -c '^>')" -eq 4 ] || fail "the steps do not change four lines"

cat >main.c <<'C'
#include "casefile/casefile.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

static gdyn_status square(void *context, const double *x, double *f, double *v, double *failure) {
    (void)context, (void)v, (void)failure;
    f[0] = x[0] * x[0], f[1] = (x[0] - 1) * (x[0] - 1);
    return GDYN_OK;
}

static void say(void *context, const gdyn_diag *diag) {
    (void)context;
    printf("%s\n", diag->message);
}

int main(void) {
    const char *text = "format: 1\ndesign: {x: {min: 0, max: 1}}\noptimize:\n"
                       "  objectives: {f: {minimize: x}}\n  algorithm: {name: uniform, weight: 0.5}\n";
    const double lower = -2, upper = 2;
    gdyn_search_problem problem = {1, 2, &lower, &upper};
    gdyn_search_callbacks callbacks = {.evaluate = square};
    gdyn_sink sink = {say, NULL};
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_search *search;
    if (gdyn_case_read_text(text, strlen(text), "t.yaml", &sink, &the_case) ||
        gdyn_case_instantiate(the_case, 0, NULL, &sink, &instance) ||
        gdyn_search_create(&problem, &instance->search, &search) || gdyn_search_run(search, &callbacks))
        return 1;
    gdyn_search_info info = gdyn_search_state(search);
    printf("%s: %ld designs, front of %d\n", gdyn_search_method_name(instance->search.method),
           info.evaluations, info.front);
    puts(strstr(gdyn_case_schema(), "\"uniform\"") ? "in the schema" : "not in the schema");
    return 0;
}
C
library=$BUILD/libglobdyn.a
flags='' # a library built with sanitizers wants their run time too
nm "$library" 2>/dev/null | grep -q __asan_ && flags=-fsanitize=address,undefined && export ASAN_OPTIONS=detect_leaks=0
# The table with the new method, and what reads its lists, go before the library's own; the other files are as they were.
${CC:-cc} -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Werror $flags -Ifloors -I"$SOURCE/src" main.c search/{uniform,methods}.c \
    "$SOURCE"/src/casefile/{schema,schema_text,search}.c "$library" -llapacke -lopenblas -lnlopt -lgsl -lgslcblas -lyaml -ljansson \
    -lglpk -lsqlite3 -lpthread -lm -o main 2>err || fail "it does not compile"
./main >out 2>err || fail "it does not run"
says out "the method uniform does not use 'weight'"
says out 'uniform: 10000 designs, front of [1-9]'
says out '^in the schema'
finish
