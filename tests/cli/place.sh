#!/bin/bash
# Between the points: where the pose depends on the way there, neither a region at a given p nor the bounds of
# the fastest motion depend on the grid of the path.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}
case=$SOURCE/cases/four_wheel_drive/case.yaml

for points in 5 61 121 961; do
    sed "s/points: 61/points: $points/" "$case" >"$dir/$points.yaml"
    "$GLOBDYN" regions "$dir/$points.yaml" --at 2.1 --json --no-pictures -o "$dir/r" \
        >"$dir/region.$points" 2>"$dir/err" || fail "regions with $points points: $(cat "$dir/err")"
    "$GLOBDYN" traverse "$dir/$points.yaml" --tolerance 2e-6 --json --no-pictures -o "$dir/r" \
        >"$dir/motion.$points" 2>"$dir/err" || fail "traverse with $points points: $(cat "$dir/err")"
done

# 75.669838541...: 121 and 961 points of a program that took Newton steps from the nearest point agreed on 75.67.
python3 - "$dir" <<'PY' || fail "the answers depend on the grid"
import json, sys
folder, regions, bounds, effect = sys.argv[1], [], [], []
for points in (5, 61, 121, 961):
    lane = json.load(open(f"{folder}/region.{points}"))["trajectories"]["lane"]
    regions += [q["d1_max"] for q in (lane.get("at") or lane["points"]) if abs(q["p"] - 2.1) < 1e-9]
    lane = json.load(open(f"{folder}/motion.{points}"))["trajectories"]["lane"]
    bounds.append(lane["time_bounds"])
    effect.append(lane["pose_error_effect"])
assert len(regions) == 4, regions
assert max(regions) - min(regions) <= 1e-8, regions
assert abs(regions[0] - 75.67) < 0.005, regions
assert max(low for low, _ in bounds) <= min(high for _, high in bounds), bounds
assert all(0 < e < 1e-7 for e in effect), effect
PY

# A machine whose pose is a function of p alone has no such error.
"$GLOBDYN" check "$SOURCE/cases/five_bar3/case.yaml" --json >"$dir/five" || fail "check"
"$GLOBDYN" check "$case" --json >"$dir/four" || fail "check"
python3 - "$dir" <<'PY' || fail "pose_error"
import json, sys
five = json.load(open(sys.argv[1] + "/five"))["trajectories"]["oval"]
four = json.load(open(sys.argv[1] + "/four"))["trajectories"]["lane"]
assert five["pose_error"] == 0 and 0 < four["pose_error"] < 1e-8, (five, four)
PY
echo ok
