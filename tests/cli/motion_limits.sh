# Bounds of the path speed and limits of joint accelerations against closed forms and an own calculation.
. "$SOURCE/tests/cli/lib.bash"

find_python

"$python" "$SOURCE/tests/reference/motion_limits.py" --program "$GLOBDYN" >out 2>err ||
    fail "motion_limits.py: $(cat out err)"
tail -n 1 out

# What is wrong is reported with its place.
cat >case.yaml <<'END'
format: 1
name: rail
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies: {cart: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}}
  joints: {rail: {type: prismatic, of: [cart.P, ground.O], axis: [1, 0]}}
  drives: {m: {at: rail, force: {limit: 10 N}}}
  limits: {a: {joint: rail, acceleration: 2 m/s^2}}
trajectories:
  way: {of: cart.P, kind: line, from: [0, 0], to: [1, 0], speed: {max: 1 m/s}}
END
refuse() {
    sed "$1" case.yaml >wrong.yaml
    "$GLOBDYN" check wrong.yaml --no-pictures >out 2>err
    [ $? = 3 ] || fail "$1: exit code"
    grep -q "$2" err || fail "$1: $(cat err)"
}
"$GLOBDYN" check case.yaml >out 2>err || fail "case: $(cat err)"
refuse 's/limits: {a:/limits: {m:/' "has the name of a drive"
refuse 's/2 m.s^2/-2 m\/s^2/' "must be positive"
refuse 's/2 m.s^2/2 m\/s/' "GD"
refuse 's/, acceleration: 2 m.s^2//' "no speed, acceleration or jerk"
refuse 's/acceleration: 2 m.s^2/jerk: 0 m\/s^3/' "the jerk of limit 'a' must be positive"
refuse 's/acceleration: 2 m.s^2/speed: 2 m\/s^2/' "GD"
refuse 's/joint: rail, a/joint: rail.angle, a/' "has no freedom"
refuse 's/joint: rail, a/joint: rial, a/' "rial"
refuse 's/{max: 1 m.s}/{max: 0 m\/s}/' "is not positive"
refuse 's/{max: 1 m.s}/{min: 2 m\/s, max: 1 m\/s}/' "min above its max"
refuse 's/{max: 1 m.s}/[{from: 0.5 m, to: 0.2 m, max: 1 m\/s}]/' "from must be below to"
refuse 's/{max: 1 m.s}/{}/' "neither min nor max"
refuse 's/{max: 1 m.s}/{max: 1 m}/' "GD"
refuse 's/{max: 1 m.s}/{most: 1 m\/s}/' "most"

# They alone bound a machine whose drive has no limit: 1 m at 1 m/s and 2 m/s^2 takes 1 + 1/2 s, the
# region is 1 m/s wide and 4 m/s^2 high. Without either nothing bounds it.
sed -e 's/limit: 10 N/limit: unlimited/' -e 's/mass: 1 kg/mass: w/' case.yaml >alone.yaml
cat >>alone.yaml <<'END'
parameters: {w: 1 kg}
design: {w: {min: 1 kg, max: 2 kg}}
optimize: {objectives: {time: {minimize: way.time}, area: {maximize: way.area}}}
END
expect 0 evaluate alone.yaml --json
"$python" - <<'END' || fail "a machine that its joint and its path limit: $(cat out)"
import json
values = json.load(open("out"))["design"]["objectives"]
assert abs(values["time"] - 1.5) < 1.5e-3 and abs(values["area"] - 4) < 1e-9, values
END
sed -e '/^  limits:/d' -e 's/, speed: {max: 1 m.s}//' alone.yaml >unbounded.yaml
expect 1 evaluate unbounded.yaml
says out 'unbounded'

# An end that the elbow cannot hold: the fore arm's weight needs 2.865 N m of 2.8, 2.31 % more.
cat >held.yaml <<'END'
format: 1
name: twort
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    up: {mass: 3 kg, inertia: 0.04, com: [0.2, 0], points: {A: [0, 0], B: [0.4, 0]}, pose: [0, 0, 30 deg]}
    lo: {mass: 2 kg, inertia: 0.02, com: [0.15, 0.01], points: {B: [0, 0], T: [0.3, 0]}, pose: {B: up.B, T: ground.S}}
  ground: {points: {S: [0.55, 0.1]}}
  joints:
    sh: {type: revolute, of: [up.A, ground]}
    el: {type: revolute, of: [lo.B, up.B]}
  drives:
    msh: {at: sh, torque: {limit: 16 N m}}
    mel: {at: el, torque: {limit: 2.8 N m}}
  limits:
    l1: {joint: sh, speed: 2, acceleration: 10, jerk: 200}
    l2: {joint: el, speed: 3, acceleration: 15, jerk: 300}
trajectories:
  line: {of: lo.T, kind: line, from: [0.55, 0.1], to: [0.2, 0.3]}
END
expect 1 traverse held.yaml --no-pictures -o held
says out 'one was found when all limits and rates are relaxed by 2\.3[0-9]* %'

finish
