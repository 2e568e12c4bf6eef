# Shapes: clearances in check, regions, formulas and pictures; masses from shapes; what is refused.
. "$SOURCE/tests/cli/lib.bash"

# Two links of an arm pass a post. Link: a steel tube of 0.5 m, radius 20 mm, wall 2 mm:
# m = 7850 pi (0.02^2 - 0.018^2) 0.5 = 0.93714 kg.
cat >arm.yaml <<'END'
format: 1
name: arm beside a post
parameters: {r: 20 mm, post: 0.9}
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0], P: [post, 0.3]}, shape: {sphere: P, radius: 50 mm}}
  bodies:
    upper:
      material: steel
      points: {A: [0, 0], B: [0.5, 0]}
      shape: {tube: [A, B], radius: r, wall: 2 mm}
      pose: [0, 0, 0]
    lower: {like: upper, pose: [0.5, 0, 0]}
  joints:
    shoulder: {type: revolute, of: [upper.A, ground.O]}
    elbow: {type: revolute, of: [lower.A, upper.B]}
  drives:
    s: {at: shoulder, torque: {limit: 50 N m}}
    e: {at: elbow, torque: {limit: 20 N m}}
trajectories:
  reach: {joints: {shoulder: 0, elbow: p}, p: [-0.5, 0.2], points: 15}
design: {post: {min: 0.7, max: 1}}
optimize:
  objectives: {gap: {maximize: reach.clearance}}
END
expect 0 check arm.yaml --no-pictures
# At p = 0.2 the lower link runs from (0.5, 0) along 0.2 rad; the post is at (0.9, 0.3).
wanted=$(awk 'BEGIN { printf "%.4g", 1e3*(-0.4*sin(0.2) + 0.3*cos(0.2) - 0.07) }')
says out "minimum clearance $wanted mm between 'ground' and 'lower' at p = 0.2"
expect 0 evaluate arm.yaml
says out ' clearance +0\.1445'
says out ' mass +1\.8742'
expect 0 check --json arm.yaml --no-pictures
says out '"between": "ground"'
sed 's/0.2\], points/0.9], points/' arm.yaml >hit.yaml
expect 1 check hit.yaml --no-pictures
says out "interference, shapes overlap by"
says err "Next: keep the shapes that overlap apart"
expect 1 check hit.yaml --json --no-pictures
says out '"interferes": true'
says out '"passes": false'
# At the first guess, too, where there is no trajectory: the post at the lower link.
sed '/^trajectories/,$d; s/post: 0.9/post: 0.8/; s/0\.3\]}/0.03]}/' arm.yaml >still.yaml
expect 1 check still.yaml --no-pictures
says out "interference, shapes overlap by 40 mm between 'ground' and 'lower'\$" # 20 + 50 - 30 mm
expect 0 regions arm.yaml -o r
says out 'clearance, minimum +m +0\.1445'
grep -q "shape" r/reach_machine.gp || fail "the machine picture does not draw shapes"

sed 's/material: steel/density: 7850 kg\/m^3/' arm.yaml >density.yaml
expect 0 evaluate density.yaml
says out ' mass +1\.8742'
for change in 's/material: steel/material: stele/' 's/      material: steel/&\n      mass: 1/' 's/tube: \[A, B\]/tube: [A, C]/' \
    's/wall: 2 mm/wall: 30 mm/' 's/radius: r,/radius: -1 mm,/' 's/radius: r,/radios: r,/'; do
    sed "$change" arm.yaml >wrong.yaml
    expect 3 check wrong.yaml
done
# Keys of another kind or space are not overlooked, and what is wrong with a shape is said once.
for change in 's/wall: 2 mm/wall: 2 mm, sphere: A/' 's/tube: \[A, B\]/capsule: [A, B]/' 's/tube: \[A, B\]/tube: [A, A]/' \
    's/{tube.*}/{box: [1, 1, 1], at: A, cardan: [0, 0, 1]}/'; do
    sed "$change" arm.yaml >wrong.yaml
    expect 3 check wrong.yaml
    says err 'unknown key|ends of a tube coincide'
done
sed '/shape: {tube/d' arm.yaml >wrong.yaml
expect 3 check wrong.yaml
says err 'has a density but no shape'
# The rods of a five-bar meet at its tip, which is a body: no interference. Their cranks 1 m apart, of 10 mm, are the nearest.
cat >tip.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {L: [-0.5, 0], R: [0.5, 0]}}
  bodies:
    left: {material: steel, points: {A: [0, 0], B: [0.6, 0]}, shape: {capsule: [A, B], radius: 5 mm}, pose: [-0.5, 0, pi/2]}
    right: {like: left, pose: [0.5, 0, pi/2]}
    over: {like: left, pose: {A: left.B, B: tip.T}}
    under: {like: left, pose: {A: right.B, B: tip.T}}
    tip: {mass: 1, inertia: 0, points: {T: [0, 0]}, pose: [0, 0.9, 0]}
  joints:
    l: {type: revolute, of: [left.A, ground.L]}
    r: {type: revolute, of: [right.A, ground.R]}
    el: {type: revolute, of: [over.A, left.B]}
    er: {type: revolute, of: [under.A, right.B]}
    tl: {type: revolute, of: [over.B, tip.T]}
    tr: {type: revolute, of: [under.B, tip.T]}
    keep: {type: angle, of: [tip, ground]}
trajectories:
  still: {joints: {l: pi/2, r: pi/2 + 1e-6*p}, p: [0, 1], points: 2}
END
expect 0 check tip.yaml --no-pictures
# From the tip of a crank at (-0.5, 0.6) to the rod of the other one, which ends at the tip (0, 0.6 + sqrt(0.11)): sqrt(0.36) - 0.01.
says out 'minimum clearance 590 mm'
# Which pairs are compared: the cranks alone (1 m less 2 x 5 mm) in four ways; rods that meet at the tip (both radii).
for pairs in 'only: [[left, right]]' 'only: [["l*", r*]]' 'exclude: [[left, under], [over, right]]' \
    'only: [[all, right]], exclude: [[all, over]]'; do
    sed "s/^  bodies:/  clearance: {$pairs}\n&/" tip.yaml >pairs.yaml
    expect 0 check pairs.yaml --no-pictures
    says out "minimum clearance 990 mm between 'left' and 'right'"
done
sed 's/^  bodies:/  clearance: {only: [[left, right]], include: [[over, under]]}\n&/' tip.yaml >pairs.yaml
expect 1 check pairs.yaml --no-pictures
says out "shapes overlap by 10 mm between 'over' and 'under'"
sed 's/^  bodies:/  clearance: {exclude: [[all, all]]}\n&/' tip.yaml >pairs.yaml
expect 0 check pairs.yaml --no-pictures
grep -q clearance out && fail "check compares what is excluded"
# Lines of drives by their names: of two crossing cables and a third one, 0.1 m behind, that one and the first.
cat >lines.yaml <<'END'
format: 1
machine:
  space: spatial
  gravity: [0, 0, 0]
  ground: {points: {A: [-1, 1, 0], B: [1, 1, 0], C: [-1, 1, 0.3]}}
  bodies: {tool: {mass: 1, inertia: [1, 1, 1], points: {P: [-0.2, 0, 0], Q: [0.2, 0, 0], R: [0.2, 0, 0.3]}}}
  drives:
    one: {cable: [ground.A, tool.Q], tension: {limit: 10 N}, radius: 0}
    two: {cable: [ground.B, tool.P], tension: {limit: 10 N}, radius: 1 mm}
    three: {cable: [ground.C, tool.R], tension: {limit: 10 N}, radius: 0}
    four: {cable: [ground.B, tool.Q], tension: {limit: 10 N}}
  clearance: {only: [[one, three]]}
END
expect 0 check lines.yaml --no-pictures
says out "minimum clearance 300 mm between 'one' and 'three'"
sed '/clearance:/d' lines.yaml >all.yaml
expect 1 check all.yaml --no-pictures
says out "interference, shapes overlap by 1 mm between 'one' and 'two'"
# Names that fit nothing are refused, at their place.
for change in 's/one, three/one, tree/' 's/one, three/one, tool/' 's/one, three/one, four/' 's/one, three/one, one/' 's/one, three/one/' \
    's/one, three/t*, u*/' 's/\[\[one, three\]\]/[]/' 's/\[\[one, three\]\]/one/' 's/only:/onyl:/'; do
    sed "$change" lines.yaml >wrong.yaml
    expect 3 check wrong.yaml
    says err 'wrong.yaml:12'
    says err 'named|no shape|no two shapes|expected|unknown key'
done
sed 's/one, three/one, tree/' lines.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "did you mean 'three'"
finish
