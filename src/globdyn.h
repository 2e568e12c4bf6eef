/* globdyn.h - the public interface of libglobdyn.
 *
 * From the ground floor up: describe a machine (model) or read it from a case file (casefile),
 * follow a trajectory (path), ask for its accessible regions and criteria (access), for joint
 * reactions (reactions), for the fastest motion (traverse), for its motion in time (simulate),
 * search designs (search, study), write what comes out (report).
 *
 * Arguments: the object first, then inputs, a sink, results last. Take a default definition, set
 * fields. What create made goes to its destroy, which takes NULL; other pointers are borrowed. NULL
 * as a sink drops diagnostics, as settings means the default; a create that returns NULL is out of
 * memory. Errors are a gdyn_status; what mathematics answers is a field of the result. Constant, to
 * be shared by threads: gdyn_model, gdyn_path, gdyn_expr, gdyn_case. All else belongs to one
 * thread; nothing allocates below a workspace's create. Units are SI and radians. docs/library.md
 * has all conventions and a program, docs/samples/ two more. */
#pragma once

/* Users: read a case, compute documents and pages, evaluate, search. */
#include "base/api.h"
#include "base/release.h"
#include "base/version.h"
#include "base/status.h"
#include "base/text.h"
#include "base/codes.h"
#include "base/diag.h"
#include "criteria/criteria.h"
#include "casefile/casefile.h"
#include "trajectory/advice.h"
#include "trajectory/motion_table.h"
#include "trajectory/trajectory.h"
#include "workspace/field.h"
#include "study/executor.h"
#include "study/study.h"
#include "study/store.h"
#include "page/page.h"
#include "page/study_page.h"
#include "embed/embed.h"
#include "import/import.h"

/* Mechanics: build a machine, follow a path, compute regions, reactions, motions. */
#include "linalg/rank.h"
#include "expr/expr.h"
#include "model/model.h"
#include "model/span.h"
#include "mech/mech.h"
#include "mech/limits.h"
#include "tree/dynamics.h"
#include "closure/closure.h"
#include "path/path.h"
#include "reactions/solvability.h"
#include "reactions/reactions.h"
#include "clearance/clearance.h"
#include "access/limit.h"
#include "access/access.h"
#include "access/evaluate.h"
#include "traverse/path_dynamics.h"
#include "traverse/traverse.h"
#include "traverse/motion.h"
#include "traverse/share.h"
#include "traverse/criteria.h"
#include "simulate/simulate.h"
#include "simulate/record.h"
#include "search/search.h"
#include "search/sample.h"
