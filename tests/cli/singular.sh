# A place between the points of a path where the drives lose control of a freedom: no command tells a speed, an
# acceleration or a time across it, at whatever number of points. With gap 300, crank 250 and rod 350 mm the rods
# of the five-bar stand in one line when the tip is at half the gap, 150 mm: elbows at (-+350, 150).
. "$SOURCE/tests/cli/lib.bash"

"$GLOBDYN" new five-bar -o - | sed '/^trajectories:/,$d' >machine.yaml
grids=(5 8 1000) through=(6 41)
((${GDYN_SANITIZED:-0})) && grids=(8) through=(6)
for points in "${grids[@]}"; do
    {
        cat machine.yaml
        echo "trajectories:"
        echo "  up: {of: left_rod.T, kind: line, from: [0, 400 mm], to: [0, 100 mm], points: $points}"
        echo "design: {crank_mass: {min: 0.5 kg, max: 1 kg}}"
        echo "optimize: {objectives: {time: {minimize: up.time}}}"
    } >case.yaml
    expect 1 regions case.yaml -o r --no-pictures
    says out 'p = 0\.25 m: singular, the drives control 1 of 2 freedoms'
    says out 'maximum d1 +m/s +-$'
    says out 'maximum constant d1 +m/s +-$'
    says r/regions.json '"blocks": true'
    expect 1 check case.yaml --no-pictures
    says out 'singular at p = 0\.25 m: the drives control 1 of 2 freedoms; no motion crosses it'
    expect 1 traverse case.yaml -o r --no-pictures
    says out 'p = 0\.25( m)?: singular'
    says r/traverse.json '"status": ?"singular"'
    expect 1 evaluate case.yaml
    says out 'singular: up: singular at p = 0\.25'
    expect 0 modes case.yaml --samples 1 --no-pictures
    says out '^    singular at p = +m +0\.25( |$)'
done
# All four modes of a path further down: by symmetry the rods are in one line with the tip at 150, 0, 0 and -150 mm.
sed 's/to: \[0, 100 mm\], points: [0-9]*/to: [0, -300 mm], points: 41/' case.yaml >further.yaml
expect 0 modes further.yaml --no-pictures
says out '^    singular at p = +m +0\.25 +0\.4 +0\.(4|55) +0\.(4|55)$'
printf 'p,d1,d2\n0.2,0.1,0\n0.24,0.1,0\n0.26,0.1,0\n' >across.csv
expect 1 feasible case.yaml --motion across.csv -o r --no-pictures
says out 'singular at p = 0\.25'
printf 'p,d1,d2\n0.1,0.1,0\n0.15,0.1,0\n0.2,0.1,0\n' >before.csv
expect 0 feasible case.yaml --motion before.csv -o r --no-pictures
expect 1 optimize case.yaml -o o --evaluations 8 --population 4 --no-pictures
says o/front.csv '^id'
[ "$(wc -l <o/front.csv)" -eq 1 ] || fail "a singular path has a design on the front"

# The same machine through both poses in which its rods are in line, from 400 to -400 mm.
for points in "${through[@]}"; do
    sed "s/to: \[0, 100 mm\], points: [0-9]*/to: [0, -400 mm], points: $points/" case.yaml >through.yaml
    expect 1 check through.yaml --no-pictures
    says out 'singular at p = 0\.25 m: .*no motion crosses it'
    expect 1 regions through.yaml -o r --no-pictures
    says out 'maximum d1 +m/s +-$'
    expect 1 traverse through.yaml -o r --no-pictures
    says out 'p = 0\.25( m)?: singular'
    expect 1 evaluate through.yaml
    says out 'singular: up: singular at p = 0\.25'
    expect 1 optimize through.yaml -o "through$points" --evaluations 4 --population 4 --no-pictures
    [ "$(wc -l <"through$points/front.csv")" -eq 1 ] || fail "$points points: a singular path has a design on the front"
done

# Random five-bars against the loci in closed form.
find_python
"$python" "$SOURCE/tests/reference/five_bars.py" "$GLOBDYN" 10 "$(share 12)" >out 2>err || fail "five-bars differ"
says out '[1-9][0-9]* singular places, 0 differ'

# A third drive serves the freedom that the cranks lose.
sed 's/^  drives:/  drives:\n    elbow: {at: left_elbow, torque: {min: -6 N m, max: 6 N m}}/' case.yaml >third.yaml
expect 0 regions third.yaml -o r --no-pictures
says r/regions.json '"singular": \[\]'

# The constraints lose rank where a parallelogram is flat, at p = 0 by symmetry, whether a point lies there (18) or not
# (14, whose first point behind it has the status singular): every command names the place itself and refuses.
cat >flat.yaml <<'YAML'
format: 1
parameters: {crank_mass: 1 kg}
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {L: [0, 0], R: [0.5, 0]}}
  bodies:
    a: {mass: crank_mass, inertia: 0.01, com: [0.15, 0], points: {A: [0, 0], B: [0.3, 0]}, pose: [0, 0, -1]}
    b: {like: a, pose: [0.5, 0, -1]}
    c: {mass: 1, inertia: 0.02, com: [0.25, 0], points: {A: [0, 0], B: [0.5, 0]}, pose: {A: a.B, B: b.B}}
  joints:
    la: {type: revolute, of: [a.A, ground.L]}
    lb: {type: revolute, of: [b.A, ground.R]}
    ca: {type: revolute, of: [c.A, a.B]}
    cb: {type: revolute, of: [c.B, b.B]}
  drives: {m: {at: la, torque: {limit: 20}}}
trajectories:
  swing: {joints: {la: p}, p: [-1, 0.7], points: 14}
design: {crank_mass: {min: 0.5 kg, max: 1 kg}}
optimize: {objectives: {time: {minimize: swing.time}}}
YAML
for points in 14 18; do
    sed "s/0.7\], points: 14/0.7], points: $points/" flat.yaml >case.yaml
    expect 1 check case.yaml --no-pictures
    says out 'singular at p = 0: the constraints have rank 7, elsewhere 8'
    expect 1 regions case.yaml -o f --no-pictures
    says out 'swing: p = 0: singular, the constraints have rank 7, elsewhere 8'
    says out 'maximum d1 +1/s +-$'
    says f/regions.json '"of_constraints": true'
    expect 1 evaluate case.yaml
    says out 'singular: swing: singular at p = 0: the constraints lose rank'
    expect 1 traverse case.yaml -o f --no-pictures
done
# With both cranks driven the drives control the freedom that appears there: the pose blocks nothing.
sed "s/  drives: {m.*/  drives: {m: {at: la, torque: {limit: 20}}, n: {at: lb, torque: {limit: 20}}}/
     s/joints: {la: p}/joints: {la: p, lb: p}/; s/0.7\], points: 14/0.7], points: 18/" flat.yaml >both.yaml
expect 0 regions both.yaml -o f --no-pictures
says out 'The drives control all freedoms that the machine has there'
expect 0 check both.yaml --no-pictures
says out 'the drives control all freedoms there'
finish
