# Between the points: where the pose depends on the way there, neither a region at a given p nor the bounds of
# the fastest motion depend on the grid of the path. The sanitizers see one grid of the arm, on one of its paths: the others
# differ in numbers only.
. "$SOURCE/tests/cli/lib.bash"
dir=$work
case=$SOURCE/cases/four_wheel_drive/case.yaml

grids="5 61"
tolerance=2e-6
((${GDYN_SANITIZED:-0})) && grids="5 17" tolerance=1e-4
for points in $grids; do
    sed "s/points: 61/points: $points/" "$case" >"$dir/$points.yaml"
    "$GLOBDYN" regions "$dir/$points.yaml" --at 2.1 --json --no-pictures -o "$dir/r" \
        >"$dir/region.$points" 2>"$dir/err" || fail "regions with $points points: $(cat "$dir/err")"
    "$GLOBDYN" traverse "$dir/$points.yaml" --tolerance $tolerance --json --no-pictures -o "$dir/r" \
        >"$dir/motion.$points" 2>"$dir/err" || fail "traverse with $points points: $(cat "$dir/err")"
done

# 75.669838541...: 121 and 961 points of a program that took Newton steps from the nearest point agreed on 75.67.
python3 - "$dir" $grids <<'PY' || fail "the answers depend on the grid"
import json, sys
folder, regions, bounds, effect = sys.argv[1], [], [], []
for points in sys.argv[2:]:
    lane = json.load(open(f"{folder}/region.{points}"))["trajectories"]["lane"]
    regions += [q["d1_max"] for q in (lane.get("at") or lane["points"]) if abs(q["p"] - 2.1) < 1e-9]
    lane = json.load(open(f"{folder}/motion.{points}"))["trajectories"]["lane"]
    bounds.append(lane["time_bounds"])
    effect.append(lane["pose_error_effect"])
assert len(regions) == len(sys.argv) - 2, regions
assert max(regions) - min(regions) <= 1e-8, regions
assert abs(regions[0] - 75.67) < 0.005, regions
assert max(low for low, _ in bounds) <= min(high for _, high in bounds), bounds
assert all(0 < e < 1e-7 for e in effect), effect
PY

# A machine whose pose is a function of p alone has no such error.
"$GLOBDYN" check --no-pictures "$SOURCE/cases/five_bar3/case.yaml" --json >"$dir/five" || fail "check"
"$GLOBDYN" check --no-pictures "$case" --json >"$dir/four" || fail "check"
python3 - "$dir" <<'PY' || fail "pose_error"
import json, sys
five = json.load(open(sys.argv[1] + "/five"))["trajectories"]["oval"]
four = json.load(open(sys.argv[1] + "/four"))["trajectories"]["lane"]
assert five["pose_error"] == 0 and 0 < four["pose_error"] < 1e-8, (five, four)
PY

# An arm of three links whose tool is to be where it does not reach: the pose behind depends on where and how the
# path is entered, which is no matter of the grid, and is said.
cat >"$dir/arm.yaml" <<'YAML'
format: 1
name: arm that is entered stretched
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    a: {mass: 2 kg, inertia: 0.2, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0, 0.5, 90 deg]}
    b: {mass: 2 kg, inertia: 0.2, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0.45, 1.2, 30 deg]}
    c: {mass: 2 kg, inertia: 0.2, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [1.3, 1.1, -30 deg]}
  joints:
    A: {type: revolute, of: [a.P, ground.O]}
    B: {type: revolute, of: [b.P, a.Q]}
    C: {type: revolute, of: [c.P, b.Q]}
  drives:
    m1: {at: A, torque: {limit: 200 N m}}
    m2: {at: B, torque: {limit: 100 N m}}
    m3: {at: C, torque: {limit: 50 N m}}
trajectories:
  in: {of: c.Q, kind: line, from: [4, 0.3], to: [0.5, 1.6], points: POINTS}
  again: {of: c.Q, p: [0, 1], path: {x: "2.95 + 0.4*sin(2*pi*p)", y: "0.2 + 0.6*p"}, points: POINTS}
YAML
arms="6 21" ways="2.9 0.9"
((${GDYN_SANITIZED:-0})) && arms=21 ways=2.9
for points in $arms; do
    sed "s/POINTS/$points/" "$dir/arm.yaml" >"$dir/arm.$points.yaml"
    for p in $ways; do
        trajectory=$([ $p = 2.9 ] && echo in || echo again)
        "$GLOBDYN" regions "$dir/arm.$points.yaml" --trajectory $trajectory --at $p --json --no-pictures \
            -o "$dir/r" >"$dir/arm.$trajectory.$points" 2>"$dir/err"
        grep -q "depends on the path to it, which is interrupted before p = $([ $p = 2.9 ] && echo 1.155 || echo 0.496)" "$dir/err" ||
            fail "regions says nothing of the entry: $(cat "$dir/err")"
    done
done
# |(x, y)| = 3: the line enters the circle of the arm's reach.
export WAYS=$ways
python3 - "$dir" $arms <<'PY' || fail "the pose behind an entry depends on the grid"
import json, math, os, sys
for name, p in (("in", 2.9), ("again", 0.9)):
    found = []
    if str(p) not in os.environ["WAYS"].split():
        continue
    for points in sys.argv[2:]:
        t = json.load(open(f"{sys.argv[1]}/arm.{name}.{points}"))["trajectories"][name]
        at = t["at"][0]
        found.append((at["d1_max"], at["rest"][0], at["rest"][1]))
        assert 0 < at["pose_error"] < 1e-8 and t["pose_error"] < 1e-8, t["pose_error"]
        if name == "in":
            length = math.hypot(3.5, 1.3)
            x, y = 4 - 3.5 * t["entered_p"] / length, 0.3 + 1.3 * t["entered_p"] / length
        else:
            x, y = 2.95 + 0.4 * math.sin(2 * math.pi * t["entered_p"]), 0.2 + 0.6 * t["entered_p"]
        assert 0 <= 3 - math.hypot(x, y) < 1e-4, (name, points, x, y)  # a straight way ends a little inside
    for values in zip(*found):
        assert max(values) - min(values) <= 1e-7 * abs(values[0]), (name, values)
PY
commands="traverse reactions"
((${GDYN_SANITIZED:-0})) && commands=reactions
for command in $commands; do
    "$GLOBDYN" $command "$dir/arm.21.yaml" --trajectory in --no-pictures -o "$dir/r" >"$dir/out" 2>"$dir/err"
    grep -q "depends on the path to it, which is interrupted before p = 1.155" "$dir/err" || fail "$command says nothing of the entry"
done
printf 't,p\n0,2.5\n1,2.6\n2,2.7\n' >"$dir/motion.csv"
"$GLOBDYN" feasible "$dir/arm.21.yaml" --trajectory in --motion "$dir/motion.csv" --no-pictures -o "$dir/r" >"$dir/out" 2>"$dir/err"
grep -q "depends on the path to it, which is interrupted before p = 1.155" "$dir/err" || fail "feasible says nothing of the entry: $(cat "$dir/err")"

# An axle led straight on by its middle: only the way itself can be followed, no pose beside it. d2 = 30 N / 20 kg.
cat >"$dir/back.yaml" <<'YAML'
format: 1
name: cart that pushes a trailer straight back
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    cart: {mass: 12 kg, inertia: 0.4, points: {K: [-0.3, 0]}, pose: [0.1, 0.2, 0.7]}
    trailer: {mass: 8 kg, inertia: 0.4, points: {K: [0, 0], A: [-0.4, 0]}, pose: ["0.1 - 0.3*cos(0.7)", "0.2 - 0.3*sin(0.7)", 0.7]}
  joints:
    axle: {type: knife_edge, of: [cart], normal: [0, 1]}
    behind: {type: knife_edge, of: [trailer.A], normal: [0, 1]}
    hitch: {type: revolute, of: [trailer.K, cart.K]}
  drives:
    push: {wrench: {of: cart, force: [1, 0], in: body}, force: {limit: 30 N}}
    turn: {wrench: {of: cart, torque: 1}, torque: {limit: 5 N m}}
trajectories:
  back: {of: cart, p: [0, 0.5], path: {x: 0.1 - p*cos(0.7), y: 0.2 - p*sin(0.7)}, points: POINTS}
YAML
for points in 20 31; do
    sed "s/POINTS/$points/" "$dir/back.yaml" >"$dir/back.$points.yaml"
    "$GLOBDYN" regions "$dir/back.$points.yaml" --json --no-pictures -o "$dir/r" >"$dir/back" 2>"$dir/err" ||
        fail "straight back with $points points: $(cat "$dir/err")"
    python3 - "$dir/back" <<'PY' || fail "straight back with $points points"
import json, sys
back = json.load(open(sys.argv[1]))["trajectories"]["back"]
assert back["common"]["reach"] == 1, back["common"]
assert all(abs(q["rest"][1] - 1.5) < 1e-9 for q in back["points"]), back["points"]
PY
done
finish
