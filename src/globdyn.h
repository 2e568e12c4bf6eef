/* globdyn.h - the public interface of libglobdyn.
 *
 * From the ground floor up: describe a machine (model), follow a trajectory (path), ask for its
 * accessible regions and criteria (access), and for joint reactions (reactions). A complete program is in docs/library.md and
 * tests/unit/test_evaluate.c (the star). Constant: gdyn_model, gdyn_path. Mutable: gdyn_state, results. Workspaces:
 * one per thread; nothing allocates below their create. Units are SI and radians. */
#ifndef GLOBDYN_H
#define GLOBDYN_H

#define GDYN_VERSION "0.1.0"

#include "base/diag.h"
#include "base/status.h"
#include "expr/expr.h"
#include "model/model.h"
#include "mech/mech.h"
#include "closure/closure.h"
#include "path/path.h"
#include "reactions/along.h"
#include "reactions/proposals.h"
#include "reactions/reactions.h"
#include "access/access.h"
#include "access/evaluate.h"

#endif
