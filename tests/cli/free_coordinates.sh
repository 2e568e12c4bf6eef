# What paths and workspaces do with coordinates that they leave free, against Python: equilibria (undriven: equilibrium) and null motions.
. "$SOURCE/tests/cli/lib.bash"
find_python

# (Many chains: tests/reference/hung_chains.py build/globdyn 0 1000.)
# Chains with springs that hang on a slide: some turn by more than half a turn on the way from the first guess.
"$python" "$SOURCE/tests/reference/hung_chains.py" "$GLOBDYN" 0 "$(share 24)" >out 2>err || fail "hung_chains.py"

# Bars on two cables: the nodes that are reached from the pose next to the first guess. Where there are several equilibria at a
# node (7), and where the nearest one is far (13).
bars=(7 13)
((${GDYN_SANITIZED:-0})) && bars=(13)
"$python" "$SOURCE/tests/reference/hung_bars.py" "$GLOBDYN" "${bars[@]}" >out 2>err || fail "hung_bars.py"

names=(margin dexterity)
((${GDYN_SANITIZED:-0})) && names=(margin)
# A 3-RRR with a free angle of the platform: the best null motion is that of a fine scan, for margins and for the dexterity of what is asked.
"$python" "$SOURCE/tests/reference/free_platform.py" "$GLOBDYN" "$SOURCE/cases/rrr3/case.yaml" "${names[@]}" >out 2>err || fail "free_platform.py"

# A plate on three drives carries a link with a torsion spring: equilibria at angles of 0, 40, -60 and 60 deg (two stable ones at 40 and 60 deg)
# with the drives' greatest shares of load 0.909326, 0.736675, 0.591154, 0.559404, the moment of all weights about the drive that turns
# the plate over its limit. The way to 100 deg ends: only the other equilibrium is left there.
cat >plate.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    xs: {mass: 1, inertia: 0.1}
    ys: {mass: 1, inertia: 0.1}
    plate: {mass: 2, inertia: 0.1, points: {C: [0, 0], B: [0.3, 0.1]}, com: [0.1, 0]}
    link: {mass: 1.5, inertia: 0.05, points: {A: [0, 0]}, com: [0.25, 0.05], pose: [0.3, 0.1, -1]}
  joints:
    jx: {type: prismatic, of: [xs, ground.O], axis: [1, 0]}
    jy: {type: prismatic, of: [ys, xs], axis: [0, 1]}
    jr: {type: revolute, of: [plate.C, ys]}
    jl: {type: revolute, of: [link.A, plate.B]}
  drives:
    dx: {at: jx, force: {limit: 1000 N}}
    dy: {at: jy, force: {limit: 1000 N}}
    dr: {at: jr, torque: {limit: 10 N m}}
  forces:
    s: {type: spring, at: jl, stiffness: 2 N m/rad, rest: 0.4}
workspaces:
  w: {of: plate.C, x: [-0.5, 0.5], y: [-0.3, 0.3], points: [2, 2], angle: 0, orientations: [40 deg, -60 deg, 60 deg], undriven: equilibrium}
END
if ! ((${GDYN_SANITIZED:-0})); then # one more below
    expect 0 workspace --no-pictures plate.yaml
    says out '^w: 4 of 4 nodes reached'
    says out 'load +0\.909326 \.\. 0\.909326'
    sed 's/60 deg\], /60 deg], counts: any, /' plate.yaml >any.yaml
    expect 0 workspace --no-pictures any.yaml
    says out 'load +0\.559404 \.\. 0\.559404'
fi
sed 's/ 60 deg\], / 100 deg], /' plate.yaml >far.yaml
expect 1 workspace --no-pictures far.yaml
says out '^w: 0 of 4 nodes reached'

# A null motion is searched on where other searches end: 0.251057 was found by simplexes of another program around what this one
# had found. What ended the search is reported: its evaluations, or that there is no better neighbour.
cat >null.yaml <<'YAML'
format: 1
parameters: {k1: 0, k2: 0, k3: 0, k4: 0, k5: 0, b0: 0, b1: 0, c1: 0, c2: 0, c3: 0, c4: 0}
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    l1: {mass: 3, inertia: 0.05, com: [.2,0], points: {A: [0,0], B: [0.4,0]}, pose: [0,0,0.6047286498801027]}
    l2: {mass: 2, inertia: 0.03, com: [.17,0], points: {A: [0,0], B: [0.35,0]}, pose: [0.32906256040291704,0.22741554771184097,1.3047286498801025]}
    l3: {mass: 1, inertia: 0.01, com: [.1,0], points: {A: [0,0], T: [0.2,0]}, pose: [0.421091394383205,0.5650998584463325,2.075006867675664]}
  joints:
    j1: {type: revolute, of: [l1.A, ground], range: {min: -0.48237022132618856, max: 1.691827521086394}}
    j2: {type: revolute, of: [l2.A, l1.B], range: {min: -0.4539958693835455, max: 1.8539958693835454}}
    j3: {type: revolute, of: [l3.A, l2.B], range: {min: -0.6263433384967039, max: 2.166899774087826}}
  drives:
    m1: {at: j1, torque: {limit: 60}, speed: {max: 3}, stiffness: 5000}
    m2: {at: j2, torque: {limit: 25}, speed: {max: 3}, stiffness: 3000}
    m3: {at: j3, torque: {limit: 6}, speed: {max: 4}, stiffness: 1000}
trajectories:
  line: {of: l3.T, kind: line, from: [0.32446811935109954,0.7402110880179111], to: [0.2033000418950263, 0.5299409774453598], points: 49, null_motion: {best: load, knots: 5, joints: [j3]}}
YAML
# How far a search comes in so many evaluations depends on rounding; the best load is 0.2510.
budget=$((${GDYN_SANITIZED:-0} ? 80 : 800)) value=0.251
((${GDYN_SANITIZED:-0})) && value=0.
sed "s/knots: 5/knots: 5, evaluations: $budget/" null.yaml >load.yaml
expect 0 evaluate --json load.yaml
says err "^trajectory 'line': null motion: load $value[0-9]* .* $budget paths tried, which ended the search"
says out '"ended_by": "evaluations"'
((${GDYN_SANITIZED:-0})) || python3 -c 'import json,sys; v = json.load(open("out"))["null_motions"]["line"]; sys.exit(not (v["value"] < 0.2516 and v["evaluations"] == v["limit"] == 800))' ||
    fail "the best path is not as good as it can be"
sed 's/best: load, knots: 5/best: margin, knots: 3, evaluations: 2000/; s/points: 49/points: 13/' null.yaml >margin.yaml
expect 0 check -v --no-pictures margin.yaml
says err 'null motion: margin .*; no better neighbour was found'
expect 0 check --no-pictures margin.yaml
grep -q 'null motion' err && fail "a search that ended by itself is reported without -v"
finish
