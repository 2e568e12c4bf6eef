# What a user of the library includes; globdyn.h includes all of it. The program globdyn sees these headers and no
# others.
set(public_headers
    globdyn.h
    base/api.h base/release.h base/version.h base/status.h base/text.h base/codes.h base/diag.h base/clock.h base/interrupt.h
    linalg/rank.h expr/expr.h criteria/criteria.h
    model/model.h model/span.h mech/mech.h mech/limits.h tree/dynamics.h closure/closure.h closure/gaps.h path/path.h
    reactions/reactions.h reactions/solvability.h path/rank_loss.h reactions/proposals.h reactions/combinations.h
    reactions/stretches.h
    clearance/clearance.h
    access/limit.h access/access.h access/evaluate.h access/probe.h access/proof.h access/freedoms.h access/equilibrium.h
    traverse/path_dynamics.h traverse/traverse.h traverse/motion.h traverse/share.h traverse/criteria.h
    simulate/simulate.h simulate/record.h simulate/closings.h
    search/search.h search/sample.h search/hypervolume.h
    casefile/casefile.h
    trajectory/trajectory.h trajectory/motion_table.h trajectory/planned.h trajectory/playback.h trajectory/path_reactions.h trajectory/guess.h trajectory/advice.h
    trajectory/examination.h trajectory/modes.h trajectory/proposal_paths.h trajectory/together.h workspace/field.h
    study/study.h study/free_path.h study/null_motion.h study/rest_path.h study/best_designs.h study/sweep.h study/machine.h study/expected.h
    study/choose.h study/store.h study/executor.h
    trajectory/equal_steps.h report/motion_csv.h report/report.h report/front.h report/traverse.h report/sensitivity.h report/reactions_report.h
    report/simulation.h report/modes_report.h report/workspace_report.h
    page/page.h page/study_page.h embed/embed.h import/import.h)
