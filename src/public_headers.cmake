# What a user of the library includes; globdyn.h includes all of it. The program globdyn sees these headers, those
# below and no others.
set(public_headers
    globdyn.h
    base/api.h base/release.h base/version.h base/status.h base/text.h base/diag.h
    linalg/rank.h expr/expr.h criteria/criteria.h
    model/model.h mech/mech.h closure/closure.h path/path.h path/place.h
    reactions/reactions.h reactions/solvability.h reactions/along.h reactions/proposals.h reactions/combinations.h
    reactions/stretches.h
    access/limit.h access/access.h access/evaluate.h access/probe.h access/proof.h
    traverse/supply.h traverse/traverse.h traverse/motion.h traverse/share.h traverse/criteria.h
    search/search.h search/sample.h search/hypervolume.h
    casefile/casefile.h
    study/study.h study/store.h study/executor.h study/ranks.h
    report/report.h report/front.h report/traverse.h report/sensitivity.h report/reactions_report.h)

# Internals that the program still needs; to grow no longer.
set(internal_headers_in_use
    base/memory.h base/document.h base/clock.h base/pi.h linalg/linalg.h table/table.h
    model/kinds.h closure/gaps.h
    reactions/components.h access/speeds.h access/fold.h access/freedoms.h
    study/machine.h study/shortfall.h
    report/number.h)
