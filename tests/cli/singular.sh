# A place between the points of a path where the drives lose control of a freedom: no command tells a speed, an
# acceleration or a time across it, at whatever number of points. With gap 300, crank 250 and rod 350 mm the rods
# of the five-bar stand in one line when the tip is at half the gap, 150 mm: elbows at (-+350, 150).
. "$SOURCE/tests/cli/lib.bash"

"$GLOBDYN" new five-bar -o - | sed '/^trajectories:/,$d' >machine.yaml
for points in 5 8 41 161 1000; do
    {
        cat machine.yaml
        echo "trajectories:"
        echo "  up: {of: left_rod.T, kind: line, from: [0, 400 mm], to: [0, 100 mm], points: $points}"
        echo "design: {crank_mass: {min: 0.5 kg, max: 1 kg}}"
        echo "optimize: {objectives: {time: {minimize: up.time}}}"
    } >case.yaml
    expect 1 regions case.yaml -o r --no-pictures
    says out 'p = 0\.25 m: singular, the drives control 1 of 2 freedoms'
    says out 'greatest d1 +m/s +-$'
    says out 'greatest constant d1 +m/s +-$'
    says r/regions.json '"blocks": true'
    expect 1 check case.yaml
    says out 'singular at p = 0\.25 m: the drives control 1 of 2 freedoms; no motion leads across'
    expect 1 traverse case.yaml -o r --no-pictures
    says out 'p = 0\.25( m)?: singular'
    says r/traverse.json '"status": ?"singular"'
    expect 1 evaluate case.yaml
    says out 'singular: up: singular at p = 0\.25'
done
printf 'p,d1,d2\n0.2,0.1,0\n0.24,0.1,0\n0.26,0.1,0\n' >across.csv
expect 1 feasible case.yaml --motion across.csv -o r --no-pictures
says out 'singular at p = 0\.25'
printf 'p,d1,d2\n0.1,0.1,0\n0.15,0.1,0\n0.2,0.1,0\n' >before.csv
expect 0 feasible case.yaml --motion before.csv -o r --no-pictures
expect 1 optimize case.yaml -o o --evaluations 8 --population 4 --no-pictures
says o/front.csv '^id'
[ "$(wc -l <o/front.csv)" -eq 1 ] || fail "a singular path has a design on the front"

# A third drive serves the freedom that the cranks lose.
sed 's/^  drives:/  drives:\n    elbow: {at: left_elbow, torque: {min: -6 N m, max: 6 N m}}/' case.yaml >third.yaml
expect 0 regions third.yaml -o r --no-pictures
says r/regions.json '"singular": \[\]'
finish
