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
    "$GLOBDYN" check wrong.yaml >out 2>err
    [ $? = 3 ] || fail "$1: exit code"
    grep -q "$2" err || fail "$1: $(cat err)"
}
"$GLOBDYN" check case.yaml >out 2>err || fail "case: $(cat err)"
refuse 's/limits: {a:/limits: {m:/' "has the name of a drive"
refuse 's/2 m.s^2/-2 m\/s^2/' "must be positive"
refuse 's/2 m.s^2/2 m\/s/' "GD"
refuse 's/, acceleration: 2 m.s^2//' "nothing of what it limits"
refuse 's/joint: rail, a/joint: rial, a/' "rial"
refuse 's/{max: 1 m.s}/{max: 0 m\/s}/' "is not positive"
refuse 's/{max: 1 m.s}/{min: 2 m\/s, max: 1 m\/s}/' "min above its max"
refuse 's/{max: 1 m.s}/[{from: 0.5 m, to: 0.2 m, max: 1 m\/s}]/' "from is not before to"
refuse 's/{max: 1 m.s}/{}/' "neither min nor max"
refuse 's/{max: 1 m.s}/{max: 1 m}/' "GD"
refuse 's/{max: 1 m.s}/{most: 1 m\/s}/' "most"

finish
