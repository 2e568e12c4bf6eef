# The public face in three rings. What the headers of the first two declare is installed and exported by the shared
# library, up to their line "--- inside". globdyn.h includes them all.
#
# Users: read a case, compute documents and pages, evaluate, search. docs/library.md describes each function.
set(users_headers
    base/api.h base/release.h base/version.h base/status.h base/text.h base/codes.h base/diag.h
    criteria/criteria.h casefile/casefile.h trajectory/advice.h trajectory/motion_table.h trajectory/trajectory.h
    workspace/field.h
    study/executor.h study/study.h study/store.h page/page.h page/study_page.h embed/embed.h import/import.h)
# Mechanics: build a machine, follow a path, compute regions, reactions, motions.
set(mechanics_headers
    linalg/rank.h expr/expr.h model/model.h model/span.h mech/mech.h mech/limits.h tree/dynamics.h closure/closure.h
    path/path.h
    reactions/solvability.h reactions/reactions.h clearance/clearance.h
    access/limit.h access/access.h access/evaluate.h
    traverse/path_dynamics.h traverse/traverse.h traverse/motion.h traverse/share.h traverse/criteria.h
    simulate/simulate.h simulate/record.h search/search.h search/sample.h)
# Inside: not installed, not exported. The program globdyn, which is linked with the static library, sees these and no
# other headers of the inside.
set(program_headers
    base/clock.h base/interrupt.h path/rank_loss.h
    reactions/proposals.h reactions/combinations.h
    access/analysis.h simulate/closings.h search/hypervolume.h
    trajectory/playback.h trajectory/path_reactions.h trajectory/guess.h
    trajectory/examination.h trajectory/modes.h
    study/free_path.h study/sweep.h study/expected.h study/choose.h
    report/report.h report/front.h)
set(public_headers globdyn.h ${users_headers} ${mechanics_headers})
