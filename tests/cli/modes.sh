# globdyn modes: poses that can be pasted into a case and chosen by name; what is refused.
. "$SOURCE/tests/cli/lib.bash"
find_python

expect 0 modes "$SOURCE/cases/rrr4/case.yaml" --no-pictures
says out '16 modes with the tool held at the start of .circle.'
says out '^ +circle +% +100'
cp "$SOURCE/cases/rrr4/case.yaml" pasted.yaml
sed -n '/^  poses:/,$p' out >poses
sed -i '/^machine:/r poses' pasted.yaml
sed '/^machine:/a\  start: m6' pasted.yaml >chosen.yaml
expect 0 check chosen.yaml --no-pictures
says out 'first guess +closes'
expect 0 check --json pasted.yaml --no-pictures
expect 0 modes --json chosen.yaml --no-pictures
says out '"name": "m16"'

sed '/^machine:/a\  start: m17' pasted.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "there is no pose 'm17'"
sed 's/^      crank1: /      crank9: /' chosen.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "there is no body 'crank9'"

# Poses that are not chosen are checked, too.
sed 's/^      platform: .*/      platform: [0, 0]/' pasted.yaml >wrong.yaml
expect 3 check wrong.yaml
says err 'a pose of 2 numbers'

# A planar 3-RRR: two solutions a leg, eight modes. By its symmetry those with one crank bent the other way are one another,
# turned; values from tests/reference/expected.py rrr3_modes.
expect 0 modes "$SOURCE/cases/rrr3/case.yaml"
says out '8 modes with the tool held at the start of .circle.'
says err '^Picture: results/rrr3/modes\.png$'
[ "$(grep -c '^t = fold("m[1-8]: 100 % of' results/rrr3/modes.gp)" -eq 8 ] || fail "not every mode has a panel"
expect 0 modes --no-pictures -o none --samples 2 "$SOURCE/cases/rrr3/case.yaml"
[ ! -e none ] || fail "modes --no-pictures draws"
modes=(lll:8496.3 rll:1212.17 rlr:2610.27 rrr:7993.3)
((${GDYN_SANITIZED:-0})) && modes=(rll:1212.17)
for mode in "${modes[@]}"; do
    sed "s/start: lll/start: ${mode%:*}/" "$SOURCE/cases/rrr3/case.yaml" >chosen.yaml
    expect 0 regions --no-pictures -o regions chosen.yaml
    says out "area common to all points +1/s\\^3 +${mode#*:}"
done

# Ranges tell which modes a machine can stand in: legs slid through their own joints are none.
expect 0 modes --samples 4 --no-pictures "$SOURCE/cases/ups6_strokes/case.yaml"
says out 'ranges exceeded +0 +[1-9]'
# Leg 1 slid through its joint is as long as it was, with the other sign: l + min beyond its stroke.
says out '^  m2 +leg1 by [0-9.]+ mm, top1.cone by [0-9.]+ deg$'
expect 0 modes --samples 4 --no-pictures --json "$SOURCE/cases/ups6_strokes/case.yaml"
says out '"beyond": . *'
"$python" - out <<'PY' || fail "modes beyond their ranges: lengths and amounts differ"
import json, sys
modes = json.load(open(sys.argv[1]))["modes"]
for mode in modes:
    strokes = {k: v for k, v in mode["beyond"].items() if k.startswith("leg")}
    assert len(mode["beyond"]) == mode["ranges_exceeded"]
    for name, by in strokes.items():
        value = mode["joints"][name]["slide"]
        assert value < 0 and by["unit"] == "m" and by["by"] > abs(value), (name, value, by)
PY
expect 2 modes --trajectory none "$SOURCE/cases/rrr4/case.yaml"

# Legs that turn about themselves give variants of a mode, two each of six legs: 8 poses of the platform in place of 512.
expect 0 modes --hold drives --no-pictures "$SOURCE/cases/ups6/case.yaml"
says out '^six-legged platform: 8 modes with all drives held$'
says out '^  variants, legs turned( +64){8}$'

# A platform with 40 real assembly modes (Dietmaier 1998), by default.
cat >dietmaier.yaml <<'YAML'
format: 1
name: dietmaier
machine:
  space: spatial
  gravity: [0, 0, 0]
  ground:
    points:
      A1: [0, 0, 0]
      A2: [1.10791, 0, 0]
      A3: [0.549094, 0.756063, 0]
      A4: [0.735077, -0.223935, 0.525991]
      A5: [0.514188, -0.526063, -0.368418]
      A6: [0.590473, 0.094733, -0.205018]
  bodies:
    p:
      mass: 1 kg
      inertia: [1, 1, 1]
      points:
        B1: [0, 0, 0]
        B2: [0.542805, 0, 0]
        B3: [0.956919, -0.528915, 0]
        B4: [0.665885, -0.353482, 1.40254]
        B5: [0.478359, 1.15874, 0.107672]
        B6: [-0.137087, -0.235121, 0.353913]
      pose: {at: [0.489122174202, 0.696229958166, -0.525379238319], cardan: [1.88274403863, -0.0297697811439, 0.680086122872]}
  drives:
    l1: {between: [p.B1, ground.A1], force: {limit: 1000 N}}
    l2: {between: [p.B2, ground.A2], force: {limit: 1000 N}}
    l3: {between: [p.B3, ground.A3], force: {limit: 1000 N}}
    l4: {between: [p.B4, ground.A4], force: {limit: 1000 N}}
    l5: {between: [p.B5, ground.A5], force: {limit: 1000 N}}
    l6: {between: [p.B6, ground.A6], force: {limit: 1000 N}}
YAML
expect 0 modes --hold drives --no-pictures dietmaier.yaml
says out '^dietmaier: 40 modes with all drives held$'
grep -q 'met by a single' out && fail "40 modes: some were met once"
expect 0 modes --hold drives --no-pictures --samples 60 dietmaier.yaml
says out 'met by a single sampled start: [1-9][0-9]* modes; more starts'

kinds=(6ups 3rrr 3upu)
((${GDYN_SANITIZED:-0})) && kinds=(3rrr)
# Random platforms against a multistart of its own: poses on both sides of the base, legs with universal joints.
"$python" "$SOURCE/tests/reference/modes.py" "$GLOBDYN" 1 1 "${kinds[@]}" >out 2>err || fail "modes are missing or extra"
says out "^${kinds[0]}: 1 machines, own [1-9]"

# Angles are those of the pose, without the full turns that came with the start: the other elbow, its shoulder beyond half a turn.
cat >arm.yaml <<'YAML'
format: 1
name: arm
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    l1: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [0.5, 0]}, pose: [0, 0, 170 deg]}
    l2: {mass: 1, inertia: 0.1, points: {A: [0, 0], T: [0.5, 0]}, pose: {A: l1.B, angle: 270 deg}}
  joints:
    shoulder: {type: revolute, of: [l1.A, ground], range: {min: -175 deg, max: 175 deg}}
    elbow: {type: revolute, of: [l2.A, l1.B]}
  drives: {m: {at: shoulder, torque: {limit: 5 N m}}, n: {at: elbow, torque: {limit: 5 N m}}}
trajectories:
  t: {of: l2.T, p: [0, 1], path: {x: "0.5*cos(170 deg) + 0.01*p", y: "0.5*sin(170 deg) - 0.5"}, points: 3}
YAML
sed -i 's/pose: {A: l1.B, angle: 270 deg}/pose: ["0.5*cos(170 deg)", "0.5*sin(170 deg)", 270 deg]/' arm.yaml
expect 0 modes --no-pictures arm.yaml
says out '^  shoulder.angle +deg +170 +-90$'
says out '^  elbow.angle +deg +100 +-100$'
says out '^  ranges exceeded +0 +0$'
expect 0 modes --hold drives --samples 8 --no-pictures "$SOURCE/cases/five_bar3/case.yaml"

# A spatial four-bar whose rod does not reach between the only two points of its path: behind it the machine closes in
# another mode. A longer rod reaches. A study has a status and a reason, and no value of the path.
cat >between.yaml <<'YAML'
format: 1
name: spatial four-bar
parameters: {l: 1.1 m}
machine:
  space: spatial
  gravity: [0, 0, 0]
  ground: {points: {O: [0, 0, 0], D: [0.7, 0, 0.3]}}
  bodies:
    crank: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0], B: [0.3, 0, 0]}, pose: [0, 0, 0]}
    rocker: {mass: 1, inertia: [1, 1, 1], points: {D: [0, 0, 0], C: [0, 0.4, 0]}, pose: {at: [0.7, 0, 0.3], cardan: [-90 deg, 0, 0]}}
  joints:
    crank: {type: revolute, of: [crank.O, ground.O], axis: [0, 0, 1]}
    rocker: {type: revolute, of: [rocker.D, ground.D], axis: [1, 0, 0]}
    rod: {type: rod, of: [crank.B, rocker.C], length: l}
  drives: {m: {at: crank, torque: {limit: 50 N m}}}
trajectories:
  t: {p: [2, 4.28], joints: {crank: p}, points: 2}
design: {l: {min: 0.95 m, max: 1.1 m}}
optimize:
  objectives: {even: {maximize: t.dexterity}, quick: {maximize: t.accel}}
YAML
expect 0 evaluate between.yaml
says out 'status +ok'
expect 1 evaluate --set l=0.95 between.yaml
says out 'status +unassembled: t: closes only in another mode than before at p = 4.28'
grep -Eq '(even|quick|dexterity|accel) +[0-9]' out && fail "values across a change of the mode"
expect 1 check --set l=0.95 between.yaml --no-pictures
says out 'first fails at p = 4.28: closes only on another branch than before'
expect 0 sweep --method grid --levels 2 --no-pictures -o sweep between.yaml
expect 0 study export sweep/sweep.db
grep -q 'closes only in another mode' out || fail "the sweep does not tell the mode"
finish
