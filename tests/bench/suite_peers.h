/* suite_peers.h - published methods that neither the library nor pagmo has. */
#pragma once

#include "suite_pagmo.h"

/* Runs "peer-agemoea" or "peer-ccmo" with a population of 100, like suite_pagmo_run. */
bool suite_peer_run(const suite_problem *problem, const char *method, unsigned seed, long budget,
                    suite_record *record, void *context);
