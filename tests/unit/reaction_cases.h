/* reaction_cases.h - a case of the project, assembled and analysed. */
#ifndef GDYN_TESTS_REACTION_CASES_H
#define GDYN_TESTS_REACTION_CASES_H

#include "casefile/casefile.h"
#include "closure/closure.h"
#include "reactions/reactions.h"

#include <stdio.h>
#include <string.h>

typedef struct opened_case {
    gdyn_case *the_case;
    gdyn_instance *instance;
    const gdyn_model *model;
    gdyn_state *state;
    gdyn_closure *closure;
    gdyn_reactions *r;
} opened_case;

static inline void close_pose(opened_case *c) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    assert_int_equal(gdyn_closure_solve(c->closure, c->state, 0, NULL, &settings, &info), GDYN_OK);
    assert_int_equal(info.outcome, GDYN_CLOSED);
}

static inline opened_case open_case(const char *name) {
    opened_case c = {0};
    char file[500];
    snprintf(file, sizeof file, GDYN_SOURCE_DIR "/cases/%s/case.yaml", name);
    assert_int_equal(gdyn_case_read(file, NULL, &c.the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(c.the_case, 0, NULL, NULL, &c.instance), GDYN_OK);
    c.model = c.instance->model;
    c.state = gdyn_state_create(c.model);
    c.closure = gdyn_closure_create(c.model, 0);
    c.r = gdyn_reactions_create(c.model);
    assert_true(c.state && c.closure && c.r);
    close_pose(&c);
    return c;
}

static inline void close_case(opened_case *c) {
    gdyn_reactions_destroy(c->r);
    gdyn_closure_destroy(c->closure);
    gdyn_state_destroy(c->state);
    gdyn_instance_destroy(c->instance);
    gdyn_case_destroy(c->the_case);
}

/* Verdict of a joint ("B"), motion ("steering") or component ("B.fy"). */
static inline gdyn_verdict verdict_of(const gdyn_reactions *r, const char *name) {
    char label[120];
    for (int g = 0; g < r->groups; g++)
        if (!strcmp(r->item[g].name, name))
            return r->item[g].verdict;
    for (int i = 0; i < r->components; i++)
        if (!strcmp(gdyn_reactions_label(r, i, label, sizeof label), name))
            return gdyn_reactions_component(r, i)->verdict;
    fail_msg("no reaction %s", name);
    return GDYN_UNIQUE;
}

/* All three tests at the present pose: they agree, with safe gaps. */
static inline void analyse(opened_case *c) {
    assert_int_equal(gdyn_reactions_at(c->r, c->state, NULL, 0), GDYN_OK);
    assert_int_equal(c->r->disagreements, 0);
    assert_true(c->r->gap > GDYN_GAP_SAFE);
}

/* "name name ..." all have the verdict. */
static inline void all_are(const gdyn_reactions *r, gdyn_verdict verdict, const char *names) {
    char copy[1000];
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
        if (verdict_of(r, name) != verdict)
            fail_msg("%s is %s", name, gdyn_verdict_text(verdict_of(r, name)));
}

#endif
