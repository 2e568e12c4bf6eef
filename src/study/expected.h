/* expected.h - what a case gives for the quantities of its `expect:` block. */
#pragma once

#include "access/evaluate.h"
#include "study/study.h"
#include "trajectory/guess.h"
#include "trajectory/trajectory.h"

/* Filled step by step: opened, every trajectory followed, the machine assembled. A case without
 * machine needs no step but the first. To be closed in any case. */
typedef struct gdyn_expected {
    const gdyn_case *the_case; /* borrowed, as all of the first four */
    const gdyn_instance *instance;
    int setting_count;
    const gdyn_setting *setting;
    const gdyn_sink *sink;
    int count;                   /* trajectories opened so far */
    gdyn_trajectory *trajectory; /* count */
    gdyn_guess guess;
    gdyn_reactions *reactions; /* at the first guess, held or released */
    bool held;                 /* they have values */
    gdyn_criteria machine;
    bool raised; /* it holds the worst reactions of the trajectories */
    struct gdyn_workspace_field
        *field;        /* of each workspace, visited when its first quantity is asked for */
    gdyn_study *study; /* for objectives and constraints, made when one is asked for */
} gdyn_expected;

/* instance: the case at these settings. */
gdyn_status gdyn_expected_open(gdyn_expected *x, const gdyn_case *the_case,
                               const gdyn_instance *instance, int count,
                               const gdyn_setting *settings, const gdyn_sink *sink);
void gdyn_expected_close(gdyn_expected *x);

/* Opens the next trajectory of the instance; then its regions, criteria, and what answers at any
 * p. */
gdyn_status gdyn_expected_next(gdyn_expected *x);
gdyn_status gdyn_expected_regions(gdyn_expected *x);
/* Mobility, reactions and criteria of the machine at its first guess; whether that closes is in
 * x->guess.info. */
gdyn_status gdyn_expected_assemble(gdyn_expected *x);

/* The value of the quantity, NaN when there is no such number; false when it is not known. */
bool gdyn_expected_value(gdyn_expected *x, const gdyn_expectation *e, double *value);
/* Whether a value is the expected one, within its tolerance. */
bool gdyn_expectation_met(const gdyn_expectation *e, double value);
