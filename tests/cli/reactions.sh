# globdyn reactions: table, CSV, JSON, refusals.
. "$SOURCE/tests/cli/lib.bash"
cases=$SOURCE/cases

expect 0 reactions "$cases/mobile_robot/case.yaml" -o robot
says out '21 coordinates, 22 constraints of rank 20, redundancy 2'
says out '^  W1 +indeterminate +fx +indeterminate +- +B.fy, C.fy'
says out '^  W5 +unique +fx +unique'
says out 'W1: leave out the knife_edge; W4: leave out the knife_edge'
grep -q ',W1,fx,indeterminate,,N,$' robot/reactions.csv || fail "a number stands where none is known"
grep -q '"verdict": "indeterminate"' robot/reactions.json || fail "no verdict in reactions.json"
[ -s robot/verdicts.gp ] || fail "no picture script"

# Norms of B_X: the paper prints .408, .408, .082 for B and C, .408 for W1 and W2, .408, .707 for W3 and W4 (Eqs. 37, 38).
"$GLOBDYN" reactions "$cases/mobile_robot/case.yaml" --pose -o robot --no-pictures -q >out
says out '^  \|B_X\| 0\.5831 of B, C; 0\.4082 of W1, W2; 0\.8165 of W3, W4$'
python3 - robot/reactions.json <<'PY' || fail "norms of B_X differ from the paper's entries"
import json, math, sys
joints = json.load(open(sys.argv[1]))["poses"][0]["joints"]
paper = {"B": math.hypot(.408, .408, .082), "W1": .408, "W3": math.hypot(.408, .707)}
for a, b in (("B", "BC"), ("W1", ("W1", "W2")), ("W3", ("W3", "W4"))):
    for name in b:
        assert abs(joints[name]["norm"] - paper[a]) < 1e-3, (name, joints[name]["norm"])
assert all(joints[name]["norm"] == 0 for name in ("A", "D", "E", "F", "G", "H", "W5"))
PY

# The tests one by one give the same table.
expect 0 reactions "$cases/mobile_robot/case.yaml" -o robot --no-pictures -q
grep -v 'smallest .* kept' out >all
for method in rank svd qr tree; do
    expect 0 reactions "$cases/mobile_robot/case.yaml" -o robot --no-pictures -q --method $method
    grep -v 'smallest .* kept' out >one # singular values or pivots
    cmp -s all one || fail "--method $method differs"
done

# Weight on three cranks; the singular pose where all bars lie in one line is at p = 0.95.
expect 0 reactions "$cases/four_bar_parallel/case.yaml" -o bars --no-pictures --trajectory level
says out 'constraint-singular at p = 0.9(5|500000[0-9]*|4999999[0-9]*) .*rank 10'

# What is not unique has a number only under a convention, which is named.
expect 0 reactions "$cases/door2/case.yaml" -o door --no-pictures --convention min-norm
says out 'min-norm'
grep -q ',hinge1,fz,indeterminate,[-0-9.e]*,N,min-norm$' door/reactions.csv || fail "no convention"
says door/reactions.csv '^,,,,hinge1,fz,indeterminate,147\.1[0-9]*,N,min-norm$'

# A planar four-bar in space: in plane unique, out of plane not; forces carry the weight.
expect 0 reactions "$cases/four_bar_space/case.yaml" -o bar --no-pictures --trajectory turn --json
says out '"trajectory": "turn"'
says bar/reactions.csv '^turn,0,0,0,A,fy,unique,8.[0-9]*,N,$'
says bar/reactions.csv '^turn,0,0,0,A,fz,indeterminate,,N,$'

# Steered by 1e-8 only: B.fx is open by an amount near the threshold; that is said, not decided.
sed 's/0.02\*sin(pi\*t\/10)^3/0.00000001/' "$cases/mobile_robot/case.yaml" >near.yaml
expect 0 reactions near.yaml -o near --no-pictures
says out 'doubtful: the tests differ on [1-9].*singular values'

# Friction that depends on a reaction nobody knows.
sed 's/hinge$i: {/hinge$i: {friction: {coulomb: 0.1 N m}, /' "$cases/door2/case.yaml" >sticky.yaml
expect 0 reactions sticky.yaml -o sticky --no-pictures
says err "warning: joint 'hinge1' has friction, but its reaction is indeterminate"

# ... or that is known only once the drive forces are known.
sed 's/\(rod_[a-z]*\.[A-Za-z]*, *rod_[a-z]*\.[A-Za-z]*\]\)/\1, friction: {coulomb: 0.1 N m}/' \
    "$cases/five_bar3/case.yaml" >sticky.yaml
expect 0 reactions sticky.yaml -o sticky --no-pictures
says err "warning: joint 'tip' has friction, but its reaction is drive-dependent"

# One body on one joint: moments of `generic` are those about the second body's axes. Held by all six
# locks, the moment about the origin is -r x m g (r: centre of gravity): mx = 9.848; one lock about x
# carries the share of a moment along a_z x b_y.
write_body() { # TYPE LINES
    cat >body.yaml <<EOF
format: 1
name: body
machine:
  space: spatial
  gravity: [1, 2, -9.81]
  bodies:
    b: {mass: 2, inertia: [0.1, 0.2, 0.25], com: [0.3, 0.4, 0.5], pose: {at: [0, 0, 0], cardan: [0, $2 deg, 0]}}
  joints:
    J: {of: [b, ground], $1}
EOF
}
for type in 'type: fixed' 'type: generic, locks: [x, y, z, rx, ry, rz]'; do
    write_body "$type" 0
    expect 0 reactions body.yaml -o body --no-pictures
    says out ' fz +unique +19.62 N '
    says out ' mx +unique +9.848 N m'
    says out ' my +unique +-6.886 N m'
    says out ' mz +unique +-0.4 N m'
done
write_body 'type: generic, locks: [x, y, z, rx]' 60
expect 0 reactions body.yaml -o body --no-pictures --json
says out '"frame": {'
expect 0 reactions body.yaml -o body --no-pictures
says out ' mx +unique +1.34863 N m'
says out '^  J +ground on b +\(0, 0, 0\) m +\(1, 0, 0\)'

# Great mass ratios: a rod of 10 mg beside one of 100 t carries a quarter of its own weight; beside a
# frame at rest a small flap is seen to fall.
cat >light.yaml <<EOF
format: 1
name: light
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {A: [0, 0], B: [3, 0]}}
  bodies:
    heavy: {mass: 1e5, inertia: 8333.33333333333333, com: [0.5, 0], pose: [0, 0, 0]}
    light: {mass: 1e-5, inertia: 8.33333333333333333e-7, com: [0.5, 0], pose: [3, 0, 0]}
  joints:
    A: {type: revolute, of: [heavy, ground.A]}
    B: {type: revolute, of: [light, ground.B]}
EOF
expect 0 reactions light.yaml -o light --no-pictures
says out ' A +unique +fx +unique +0 N'
says out ' fy +unique +2.4525e-05 N'
sed 's/revolute, of: \[heavy, ground.A\]/fixed, of: [heavy, ground.A]/' light.yaml >flap.yaml
expect 0 reactions flap.yaml -o flap --no-pictures
says out 'values: released at rest'
says out ' fy +unique +2.4525e-05 N'

# A toggle that is nearly stretched has full rank and forces as great as it is near: that is told, too.
toggle() { # HEIGHT
    cat >toggle.yaml <<EOF
format: 1
name: toggle
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {A: [0, 0], B: [2*sqrt(1 - $1^2), 0], K: [sqrt(1 - $1^2), $1]}}
  bodies:
    left: {mass: 2, inertia: 0.2, com: [0.5, 0], points: {A: [0, 0], K: [1, 0]}, pose: {A: ground.A, K: ground.K}}
    right: {mass: 2, inertia: 0.2, com: [-0.5, 0], points: {B: [0, 0], K: [-1, 0]}, pose: {B: ground.B, K: ground.K}}
  joints:
    A: {type: revolute, of: [left.A, ground.A]}
    B: {type: revolute, of: [right.B, ground.B]}
    K: {type: revolute, of: [left.K, right.K]}
EOF
}
toggle 1e-7
expect 0 reactions toggle.yaml -o toggle --no-pictures
says out 'near singular: reactions may be [0-9.e+]+ times the loads'
says toggle/reactions.json '"near_singular": true'
says toggle/reactions.json '"least_singular_value"'
toggle 0.1
expect 0 reactions toggle.yaml -o toggle --no-pictures
says out 'smallest singular value kept: constraints 0.0[0-9]+ of the largest'
says toggle/reactions.json '"near_singular": false'

# What is known of reactions that are not: a door's weight, and its moment about the hinges.
cat >lock.yaml <<EOF
format: 1
name: lock
machine:
  space: spatial
  gravity: [0, 0, -9.81]
  ground: {points: {H1: [0, 0, 0.25], H2: [0, 0, 1.0], H3: [0, 0, 1.75], L: [0.8, 0, 1.05]}}
  bodies:
    door: {mass: 25, inertia: [8.4, 9.7, 1.35], com: [0.4, 0, 1.0], points: {H1: [0, 0, 0.25], H2: [0, 0, 1.0], H3: [0, 0, 1.75], L: [0.8, 0, 1.05]}}
  joints:
    hinge\$i: {repeat: {i: 1..3}, type: revolute, of: [door.H\$i, ground.H\$i], axis: [0, 0, 1]}
    lock: {type: point_on_plane, of: [door.L, ground.L], normal: [0, 1, 0]}
EOF
expect 0 reactions lock.yaml -o lock --no-pictures
says out ' hinge1.fz . hinge2.fz . hinge3.fz = 245.25 N$'
# The moment about the lowest or the highest hinge: with the sum of the forces fx, which is nothing, the same equation.
says out ' (hinge1.my . 0.75 m.hinge2.fx . hinge2.my . 1.5|-1.5 m.hinge1.fx . hinge1.my - 0.75 m.hinge2.fx . hinge2.my) .*hinge3.my = -98.1 N m$'
says out ' lock +unique +fz +unique +0 N'
says lock/reactions.json '"combinations"'

# Along a path, where arms change with the pose, too.
expect 0 reactions "$cases/door2/case.yaml" -o swing --no-pictures --trajectory swing
says out 'unique sums of every pose: see reactions.json'
[ "$(grep -c '"combinations"' swing/reactions.json)" = 31 ] || fail "no sums along the path"

# Changes: a plane and a line at the tops of the three-crank parallelogram; a ball and a cylinder in the
# spatial four-bar; equal changes of many joints; no more is said than was tried.
# (The sanitizers see the four-bar alone: the others take seconds.)
if ! ((${GDYN_SANITIZED:-0})); then
    expect 0 reactions "$cases/parallelogram/case.yaml" -o cranks --no-pictures
    says out 'top1: revolute -> point_on_line, axis .0, 1, 0. of crank1; top2: revolute -> point_on_plane, normal .1, 0, 0. of crank2'
fi
expect 0 reactions "$cases/four_bar_space/case.yaml" -o bar --no-pictures
says out 'and [0-9]+ more: --all'
cp out few
expect 0 reactions "$cases/four_bar_space/case.yaml" -o bar --no-pictures --all
[ "$(wc -l <out)" -gt "$(wc -l <few)" ] || fail "--all shows no more"
says out 'B: revolute -> cylindrical.*; C: revolute -> spherical'

# A new axis that passes through the ball jams the crank: proposals are checked along the trajectories, and those that jam come last
# with the place. Own condition: the ball lies on the axis of the rocker, from the geometry of the four-bar alone.
says out '^Exactly constrained at the first guess, but jammed along a trajectory:$'
says out "^      loses rank at p = 4\.04119 of 'turn'$"
python3 - bar/reactions.json <<'PY' || fail "a proposal that jams: not last, or another place"
import json, math, sys
list = json.load(open(sys.argv[1]))["proposals"]
passes = [p["passes"] for p in list]
assert passes == sorted(passes, reverse=True) and passes.count(False) == 1
jam = list[-1]
u = next(c for c in jam["changes"] if c["to"] == "universal")["direction"]
def across(p):
    x, y = 0.2 * math.cos(p + math.pi / 2), 0.2 * math.sin(p + math.pi / 2)
    dx, dy = 0.5 - x, -y
    d = math.hypot(dx, dy)
    along = (0.45**2 - 0.35**2 + d * d) / (2 * d)
    h = math.sqrt(0.45**2 - along**2)
    cx, cy = x + (along * dx - h * dy) / d, y + (along * dy + h * dx) / d
    a = math.atan2(cy, cx - 0.5)
    ux, uy = math.cos(a) * u[0] - math.sin(a) * u[1], math.sin(a) * u[0] + math.cos(a) * u[1]
    return (x - 0.5) * uy - y * ux
low, high = 4.0, 4.1
assert across(low) * across(high) < 0
for _ in range(60):
    middle = (low + high) / 2
    low, high = (low, middle) if across(low) * across(middle) < 0 else (middle, high)
assert abs(jam["jams"]["p"] - low) < 1e-8 and jam["jams"]["trajectory"] == "turn", (jam["jams"], low)
PY

# A design has the worst verdicts of its paths: with the cranks upright the internal force presses on the stop of the block
# alone, in motion on its guide, too. Likewise along the motions of a machine without trajectories.
cat >bars.yaml <<'YAML'
format: 1
name: bars
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {A: [0, 0], B: [1, 0], M: [0.5, 0]}}
  bodies:
    block: {mass: 1, inertia: 0.1, points: {O: [0, 0]}, pose: [0.5, 0, 0]}
    crank1: {mass: 1, inertia: 0.1, points: {O: [0, 0], T: [0.4, 0]}, pose: [0, 0, 90 deg]}
    crank2: {like: crank1, pose: [1, 0, 90 deg]}
    crank3: {like: crank1, pose: [0.5, 0, 90 deg]}
    coupler: {mass: 1, inertia: 0.1, points: {T1: [0, 0], T2: [1, 0], T3: [0.5, 0]}, pose: [0, 0.4, 0]}
  joints:
    low1: {type: revolute, of: [crank1.O, ground.A]}
    low2: {type: revolute, of: [crank2.O, ground.B]}
    low3: {type: revolute, of: [crank3.O, block.O]}
    top1: {type: revolute, of: [coupler.T1, crank1.T]}
    top2: {type: revolute, of: [coupler.T2, crank2.T]}
    top3: {type: revolute, of: [coupler.T3, crank3.T]}
    guide: {type: prismatic, of: [block.O, ground.M], axis: [0, 1]}
    stop: {type: slot, of: [block.O, ground.M], axis: [1, 0]}
  drives: {m: {at: low1, torque: {limit: 5 N m}}}
trajectories:
  swing: {joints: {low1: p}, p: [pi/2, 2], points: 11}
YAML
expect 0 reactions bars.yaml --pose -o bars --no-pictures
says out '^  guide +unique'
expect 0 evaluate bars.yaml
says out 'reactions +indeterminate: low1, low2, low3, top1, top2, top3, guide, stop$'
says out ' indeterminate +8 *$'
sed 's/^trajectories:/simulate: {duration: 1 s}/;/^  swing/d;s/^  drives:.*/  motions: {turn: {at: low1, displacement: "pi\/2 + 0.4*t"}}/' bars.yaml >moved.yaml
expect 0 evaluate moved.yaml
says out ' indeterminate +8 *$'
if ! ((${GDYN_SANITIZED:-0})); then
    expect 0 reactions "$cases/agile_eye/case.yaml" -o eye --no-pictures
    says out '^  middle1: revolute -> spherical; middle2: revolute -> spherical; middle3: revolute -> spherical$'
    says eye/reactions.json '"alike": true'
fi

# One singular pose does not spoil the table of a path: the flat Sarrus linkage at its end.
cat >sarrus.yaml <<EOF
format: 1
name: Sarrus linkage
parameters: {l: 150 mm, r: 100 mm, h: 180 mm, s: asin(h/(2*l))}
machine:
  space: spatial
  gravity: [0, 0, -9.81]
  ground: {points: {X: [r, 0, 0], Y: [0, r, 0]}}
  bodies:
    top: {mass: 2 kg, inertia: [0.01, 0.01, 0.02], points: {X: [r, 0, 0], Y: [0, r, 0]}, pose: [0, 0, h]}
    xl: {mass: 0.2 kg, inertia: [1e-4, 4e-4, 4e-4], com: [l/2, 0, 0], points: {A: [0, 0, 0], B: [l, 0, 0]}, pose: {at: [r, 0, 0], cardan: [0, -s, 0]}}
    xu: {mass: 0.2 kg, inertia: [1e-4, 4e-4, 4e-4], com: [l/2, 0, 0], points: {A: [0, 0, 0], B: [l, 0, 0]}, pose: {at: [r, 0, h], cardan: [0, s, 0]}}
    yl: {mass: 0.2 kg, inertia: [4e-4, 1e-4, 4e-4], com: [0, l/2, 0], points: {A: [0, 0, 0], B: [0, l, 0]}, pose: {at: [0, r, 0], cardan: [s, 0, 0]}}
    yu: {mass: 0.2 kg, inertia: [4e-4, 1e-4, 4e-4], com: [0, l/2, 0], points: {A: [0, 0, 0], B: [0, l, 0]}, pose: {at: [0, r, h], cardan: [-s, 0, 0]}}
  joints:
    x1: {type: revolute, of: [xl.A, ground.X], axis: [0, 1, 0]}
    x2: {type: revolute, of: [xu.B, xl.B], axis: [0, 1, 0]}
    x3: {type: revolute, of: [top.X, xu.A], axis: [0, 1, 0]}
    y1: {type: revolute, of: [yl.A, ground.Y], axis: [1, 0, 0]}
    y2: {type: revolute, of: [yu.B, yl.B], axis: [1, 0, 0]}
    y3: {type: revolute, of: [top.Y, yu.A], axis: [1, 0, 0]}
  drives: {m: {at: x1, torque: {limit: 10 N m}}}
trajectories:
  flat: {of: top, p: [0 mm, 200 mm], path: {z: p}, points: 11}
EOF
expect 0 reactions sarrus.yaml -o sarrus --no-pictures --trajectory flat
says out '^  x1.fz +unique +-?[0-9.e-]+ +-?[0-9.e-]+ N$'
says out '^  x1.mx +indeterminate *$'
says sarrus/reactions.json '"points_of_lower_rank"'

# Given motions.
printf 'p,d1,d2\n0,0,0\n1,2,0.5\n' >motion.csv
expect 0 reactions "$cases/four_bar_space/case.yaml" -o bar --no-pictures --trajectory turn --motion motion.csv
says bar/reactions.csv '^turn,1,2,0.5,A,fx,unique'
printf 'p,d1\n0,0\n' >wrong.csv
expect 3 reactions "$cases/four_bar_space/case.yaml" -o bar --trajectory turn --motion wrong.csv
says err "wrong.csv:1:1: error: column 'd2' is missing"
printf 'p,d1,d2\n0,0,nan\n' >wrong.csv
expect 3 reactions "$cases/four_bar_space/case.yaml" -o bar --trajectory turn --motion wrong.csv
expect 2 reactions "$cases/door2/case.yaml" --method lu
expect 2 reactions "$cases/door2/case.yaml" --convention fair
expect 2 reactions "$cases/door2/case.yaml" --trajectory swig

# Loads beyond the range of numbers: an error, never a value that is no number.
cat >overflow.yaml <<'YAML'
format: 1
name: overflow
machine:
  space: planar
  gravity: [0, -1e308]
  ground: {points: {O: [0, 0]}}
  bodies:
    arm: {mass: 10, inertia: 1, com: [0.5, 0], points: {A: [0, 0]}, pose: [0, 0, 0]}
  joints:
    clamp: {type: fixed, of: [arm.A, ground.O]}
YAML
expect 4 reactions overflow.yaml -o overflow --no-pictures
says err 'reactions at the assembled guess: a number overflows'
! grep -qi 'nan' out || fail "a value that is no number is printed"

# A path that cannot be followed: no rank of nothing, the reason, what to do; exit code 1.
cat >short.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    arm: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], E: [0.5, 0]}, pose: {at: [0.5, 0], angle: 0}}
  joints: {hinge: {type: revolute, of: [ground.O, arm.A]}}
trajectories:
  far: {of: arm.E, p: [2 m, 3 m], path: {x: p}, points: 3}
  turn: {p: [0, 1], joints: {hinge: p}, points: 2}
YAML
expect 1 reactions short.yaml -o short --no-pictures --trajectory far
says out '^far: the machine is assembled at none of 3 points: no reactions$'
says err "warning: trajectory 'far': only 0 of 3 points are followed \(first failure at p = 2 m"
grep -q 'rank -1' out && fail "a rank of nothing is printed"
says short/reactions.json '"generic_rank": null'

# Numbers and nouns: one of a thing has no s, and no more joints are named than there are.
expect 0 reactions short.yaml -o short --no-pictures
says out '3 coordinates, 2 constraints of rank 2'
expect 0 check "$cases/opposed_slider/case.yaml" --no-pictures
grep -Eq '\b1 (constraints|coordinates|points|freedoms|steps)\b' out && fail "one of several"

# A moment at right angles to the one that a joint carries is zero, whatever multiplies the rounding of its weight.
cat >aslant.yaml <<'EOF'
format: 1
name: random machine
machine:
  space: spatial
  gravity: [0.0, 0.0, -9.81]
  ground:
    points:
      P1: [0.5, 1.0, 0.0]
      P2: [0.5, 0.5, 0.0]
      P3: [1.0, 0.5, 0.0]
  bodies:
    b1:
      mass: 4
      inertia: [0.25, 0.2, 0.15]
      points:
        P1: [-1.0606601717798212, -0.35355339059327373, 2.0]
        P2: [-1.0606601717798212, -0.3535533905932738, 1.5]
        P3: [-1.0606601717798212, -1.0606601717798212, 1.5]
        P4: [-1.7677669529663687, -0.3535533905932738, 1.5]
      pose:
        at: [1.0, -1.0, -1.0]
        cardan: [-1.5707963267948966, 0.0, 0.7853981633974483]
  joints:
    j1:
      type: spherical
      of: [b1.P1, ground.P1]
    j2:
      type: generic
      of: [ground.P2, b1.P2]
      locks: [x, y, z, rz]
  drives:
    d1:
      cable: [ground.P3, b1.P4]
      tension: {min: 1, max: 50}
      speed: {max: 10.0}
trajectories:
  t:
    p: [0, 0.5]
    points: 3
    of: b1.P3
    path: {x: 1.0 + 0.25*p + -0.5*p^2}
EOF
expect 0 reactions aslant.yaml -o aslant --no-pictures
says out '^ +mz +unique +0 N m'

# At a time of the motions and with start velocities: a bob of 2 kg at 0.5 m turned by t^2/2. At 3 s m r w^2 = 9 N and
# m r w' = 1 N act on it, the motion carries m r^2 w' = 0.5 N m; released with 4 rad/s and no motion 16 N.
cat >bob.yaml <<'END'
format: 1
name: bob
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies: {bob: {mass: 2 kg, inertia: 0, points: {O: [-0.5, 0]}, pose: [0.5, 0, 0]}}
  joints: {hinge: {type: revolute, of: [bob.O, ground.O]}}
  motions: {turn: {at: hinge, displacement: "0.5*t^2"}}
END
expect 0 reactions bob.yaml -o bob --no-pictures --time "3 s" --json
python3 - <<'END' || fail "reactions at 3 s"
import json, math
joints = json.load(open('out'))['poses'][0]['joints']
part = joints['hinge']['components']
force = [part[k]['value'] for k in ('fx', 'fy')]
assert abs(math.hypot(*force) - math.sqrt(82)) < 1e-9, force
assert abs(force[0] * math.cos(4.5) + force[1] * math.sin(4.5) - 9) < 1e-9 or \
       abs(force[0] * math.cos(4.5) + force[1] * math.sin(4.5) + 9) < 1e-9, force
END
grep -v motions: bob.yaml >free.yaml
expect 0 reactions free.yaml -o bob --no-pictures --start "hinge=4 rad/s" --json
python3 - <<'END' || fail "reactions with a start velocity"
import json, math
part = json.load(open('out'))['poses'][0]['joints']['hinge']['components']
assert abs(math.hypot(part['fx']['value'], part['fy']['value']) - 16) < 1e-9, part
END
expect 0 reactions bob.yaml -o bob --no-pictures --start "hinge=4 rad/s"
says out 'velocities were made consistent: by 2 m/s at most'
expect 2 reactions free.yaml --start "hinge=4 m/s"
says err 'does not fit'
expect 2 reactions free.yaml --start "hing=4"
says err "'hing' is not a rate of a joint"
expect 2 reactions free.yaml --start "hinge=4,hinge.angle=5"
says err 'rates 1 and 2 are of the same freedom'
expect 2 reactions free.yaml --start ""
says err 'names no rate'
expect 0 reactions free.yaml -o bob --no-pictures --time 0
expect 2 reactions free.yaml --time -1
says err 'a number that is not negative'

finish
