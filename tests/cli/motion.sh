# Where the machine is along a motion, how its drives share the load, motions given as tables.
. "$SOURCE/tests/cli/lib.bash"

# The speed of a column named $2 in the table $1 is the slope of its position: compares the mean of the
# speeds at both ends of every row with the difference quotient; prints the greatest difference as a
# share of the way of the drive (of second order in the step: the grid of the motion).
slope() {
    awk -F, -v drive="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { if (index($i, drive ".position")) q = i
                                              if (index($i, drive ".speed")) v = i }
                  columns = NF; next }
        NF != columns { print "ragged"; exit }
        NR > 2 { d = ($q - q0) - ($v + v0) / 2 * ($2 - t0); if (d < 0) d = -d
                 if (d > worst) worst = d; m = $v < 0 ? -$v : $v; span += m * ($2 - t0) }
        { q0 = $q; v0 = $v; t0 = $2 }
        END { printf "%.6f\n", worst / span }' "$1"
}

# The arm's tip, worked out from its pose, is on the path; drives move as their speeds say.
arm="$SOURCE/cases/two_link_arm/case.yaml"
expect 0 traverse "$arm" -o arm --no-pictures
says arm/poses.csv '^trajectory,t \[s\],p,upper\.x \[m\],upper\.y \[m\],upper\.angle \[rad\],fore\.x'
[ "$(wc -l <arm/poses.csv)" = "$(wc -l <arm/traverse.csv)" ] || fail "rows of poses.csv"
below "$(slope arm/poses.csv m1)" 2e-3
below "$(slope arm/poses.csv m2)" 2e-3
tip=$(awk -F, 'NR > 1 { x = $7 + cos($9) - 1.5 * $3; y = $8 + sin($9) - 1.5 * (1 - $3)
                        d = sqrt(x * x + y * y); if (d > most) most = d }
               END { printf "%.3g\n", most }' arm/poses.csv)
below "$tip" 1e-9

# In space: six numbers for every body, whose angles do not jump; legs move as their speeds say.
ups="$SOURCE/cases/ups6/case.yaml"
expect 0 traverse "$ups" -o ups --trajectory tilt --no-pictures
below "$(slope ups/poses.csv "$(head -1 ups/poses.csv | tr , '\n' | sed -n '/position/ {s/\..*//p; q}')")" 2e-3
jump=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) angle[i] = $i ~ /\.[abc] \[rad\]/; next }
                { for (i in angle) if (angle[i]) {
                      d = $i - last[i]; if (NR > 2 && (d > most || -d > most)) most = d < 0 ? -d : d
                      last[i] = $i } }
                END { printf "%.3g\n", most }' ups/poses.csv)
below "$jump" 0.3

# Own coefficients have no poses.
printf 'p,drive,A,B,C,D,min,max\n0,m,0,0,0,1,-1,1\n1,m,0,0,0,1,-1,1\n' >one.csv
expect 0 traverse --coefficients one.csv -o one --no-pictures
[ ! -e one/poses.csv ] || fail "poses.csv without a machine"

# How forces change is told; they can be evened out.
star="$SOURCE/cases/four_slider_star/case.yaml"
expect 0 traverse "$star" -o star --trajectory circle --no-pictures
says out 'largest change of a drive force between neighbouring points: m[1-4] by [0-9.]+ N \('
says out 'jump of a drive force: m[1-4] by .* the acceleration jumps'
says star/traverse.json '"continuity":\{"m1":\{"half_range":900'
says star/traverse.json '"smoothing":null'
expect 0 traverse "$star" -o star --trajectory circle --no-pictures --smooth 0.05
says out 'smoothed over 0\.05 s: 0\.[0-9]+ of the sum'
says star/traverse.json '"smoothing":\{"time":0\.05.*,"done":true'
expect 2 traverse "$star" --smooth 0
says err 'smooth needs a number above zero'

# --- motions given as tables ---

# One drive that gives |d2| <= 1/2 on a way of 1. From rest to speed 1 with d1^2 = 3 p^2 - 2 p^3 both samples are
# harmless, but half way d2 = 3/4: a third of its range too much, and sqrt(3/2) times too fast.
printf 'p,drive,A,B,C,D,min,max\n0,m,0,0,0,1,-0.5,0.5\n1,m,0,0,0,1,-0.5,0.5\n' >half.csv
printf 'p,d1,d2\n0,0,0\n1,1,0\n' >way.csv
expect 1 feasible --coefficients half.csv --motion way.csv -o way
says out 'first violation at p = 0\.3, .*\(between samples, .*m max by 26 % of half its range \(0\.13\)'
says out 'worst violation at p = 0\.5, .*m max by 50 % of half its range \(0\.25\)'
says out 'time x 1\.22474'
says way/feasible.json '"half_range":0\.5[,}]'
# A range with a far side is what it is; what counts as one is what its near side says.
printf 'p,drive,A,B,C,D,min,max\n0,m,0,0,0,1,-0.5,1e6\n1,m,0,0,0,1,-0.5,1e6\n' >far.csv
printf 'p,d1,d2\n0,1,-0.75\n1,0.1,0\n' >brake.csv
expect 1 feasible --coefficients far.csv --motion brake.csv -o far --no-pictures
says out 'worst violation at .*m min by [0-9.]+e-05 % of half its range \(0\.[0-9]+\)'
says far/feasible.json '"half_range":500000.25,"unit":0.5[,}]'
says way/feasible.csv '^trajectory,t \[s\],p,d1 \[1/s\],d2 \[1/s\^2\],.*,violation,violated,m\.force'
says way/feasible.json '"half_range":0\.5[,}]'
says way/feasible.csv '^coefficients,0,0,0,0,0,inf,0\.5'
says way/feasible.json '"worst":\{"p":0\.5,.*"amount":0\.25,"drive":"m","side":"max"\}'
[ -s way/coefficients_motion.gp ] && [ -s way/coefficients_motion_forces.gp ] || fail "scripts"

# p = t^2/10 needs d2 = 1/5 all the way: sqrt(5/2) times as fast would do; between samples of t,p the polynomial
# of degree five is exact.
printf 't,p\n0,0\n1,0.1\n2,0.4\n3,0.9\n' >slow.csv
expect 0 feasible --coefficients half.csv --motion slow.csv -o way --no-pictures
says out 'no limit is violated at 4 samples and 27 points between them'
says out 'could be run 1\.58114 times as fast; then m is at its max'
expect 0 feasible --coefficients half.csv --motion slow.csv -o way --no-pictures --json
says out '"margin":1\.5811388'
printf 'p,d1,d2\n0.5,0.1,0.5\n' >single.csv # one place is a motion, too
expect 0 feasible --coefficients half.csv --motion single.csv -o way --no-pictures
says out 'could be run 1 times as fast'

# A motion from a fastest one, with the rows of other trajectories in the file.
expect 0 traverse "$star" -o star --no-pictures
expect 0 feasible "$star" --trajectory circle --motion star/traverse.csv -o star --no-pictures \
    --distribution peak --smooth 0.02
says out 'could be run 1(\.0000[0-9]*)? times as fast'

# Several motions in one call. Loads in closed form: p = t^2/10 on 0..3 s has the force 1/5, the reserve (1/2 - 1/5) / (1/2); the other
# one is not feasible, so is the answer. The tolerance takes it.
expect 1 feasible --coefficients half.csv --motion slow.csv --motion coefficients=way.csv -o way --no-pictures --json
says out '"feasible":false,"motions":\[\{"file":"slow.csv","trajectory":"coefficients","feasible":true,"time":3\.0,'
says out '"drives":\{"m":\{"peak":0\.2[0-9]*,.*"rms":0\.(2|1999)[0-9]*,.*"reserve":0\.(6|5999)[0-9]*,.*"reserve_of":"force"\}\},"first":null'
says out '"file":"way.csv","trajectory":"coefficients","feasible":false,.*"reserve":-0\.5,"reserve_p":0\.5'
expect 0 feasible --coefficients half.csv --motion way.csv -o way --no-pictures --tolerance 0.51
# A file that names its trajectories needs no selection.
expect 0 feasible "$star" --motion star/traverse.csv -o star --no-pictures
says out 'star/traverse.csv, circle: feasible'
says star/feasible.csv ',violated,motion,'
# Errors are a document, too.
printf 'p,d1\n0,0\n' >bad.csv
expect 3 feasible --coefficients half.csv --motion bad.csv -o way --json
says out '^\{"format":1,"tool":"globdyn","case":null,"exit":3,"errors":\[\{"code":"GD005","message":"column .d2. is missing","help":"[^"]*","file":"bad.csv","line":1,"column":1\}\]\}$'

# Bad files, each with its line.
bad() {
    printf "$1" >bad.csv
    expect 3 feasible --coefficients half.csv --motion bad.csv -o way --no-pictures
    says err "$2"
}
bad '' 'bad.csv: error: the table is empty'
bad 'p,d1,d2\n' 'bad.csv:1:1: error: there are no rows below the header'
bad 't,d1,d2\n0,0,0\n' "bad.csv:1:1: error: column 'p' is missing"
bad 'p,d1\n0,0\n' "bad.csv:1:1: error: column 'd2' is missing"
bad 'p\n0\n' "bad.csv:1:1: error: column 't' is missing"
bad 'p,p,t\n0,0\n' "bad.csv:1:3: error: column 'p' occurs twice"
bad 't,p\n0,0\n1,0.1\n' 'bad.csv:3:1: error: 2 rows: columns t,p need at least three'
bad 't,p\n0,0\n' 'bad.csv:2:1: error: 1 row: '
bad 't,p\n0,0\n1,0.1\n1,0.2\n' 'bad.csv:4:1: error: t = 1 s does not increase: the row before has 1 s'
bad 't,p\n0,0\n# note\n1,0.1\n2,0.05\n' 'bad.csv:5:3: error: the motion runs backwards: p = 0\.05'
bad 't,p\n0,0\n1,nan\n2,0.3\n' "bad.csv:3:3: error: expected a number in column 'p', got 'nan'"
bad 'p,d1,d2\n0,0,x\n' "bad.csv:2:5: error: expected a number in column 'd2', got 'x'"
bad 'p,d1,d2\n0,0\n' 'bad.csv:2:1: error: 2 fields where the header has 3'
bad 'p,d1,d2\n0,-1,0\n' 'bad.csv:2:3: error: the motion runs backwards: d1 = -1'
bad 'p,d1,d2\n0,1,0\n1.5,1,0\n' "bad.csv:3:1: error: p = 1\.5 lies outside 'coefficients' \(p from 0 to 1\)"
bad 'trajectory,p,d1,d2\nother,0,1,0\n' "there are no rows of trajectory 'coefficients'"
expect 5 feasible --coefficients half.csv --motion nowhere.csv
expect 2 feasible --coefficients half.csv
expect 2 feasible "$star" --motion way.csv
says err 'trajectory NAME selects'

# A cart that one drive pushes sideways falls: nothing is 'unbounded' about that.
cat >falling.yaml <<'END'
format: 1
name: falling cart
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    beam: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}
    cart: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}
    y: {type: prismatic, of: [cart.P, beam.P], axis: [0, 1]}
  drives: {X: {at: x, force: {limit: 200 N}}}
trajectories:
  way: {of: cart.P, p: [0, 1], path: {x: p, y: 0.1*p}, points: 5}
END
expect 0 regions falling.yaml -o falling --no-pictures
says out '^load of the drives at rest +of limit +cannot hold$'
printf 'p,d1,d2\n0,0,0\n1,0,0\n' >still.csv
expect 1 feasible falling.yaml --motion still.csv -o falling --no-pictures
says out 'a motion that the drives cannot control'
says out 'no uniform slow-down makes it feasible'

# Three drives in parallel: forces like the squares of their half ranges, also where two of them are far wider.
fars=(1e4 1e8 1e14)
((${GDYN_SANITIZED:-0})) && fars=(1e10)
for far in "${fars[@]}"; do
    cat >three.yaml <<END
format: 1
name: three drives
machine:
  space: planar
  gravity: [0, 0]
  bodies: {s: {mass: 3, inertia: 0.1, pose: [0, 0, 0]}}
  joints: {j: {type: prismatic, of: [s, ground], axis: [1, 0]}}
  drives:
    d1: {at: j.slide, force: {limit: $far}}
    d2: {at: j.slide, force: {limit: $far}}
    d3: {at: j.slide, force: {limit: 10}}
trajectories:
  t: {p: [0, 1], points: 11, joints: {j.slide: p}}
END
    printf 'p,d1,d2\n0,0.1,0.5\n0.5,0.1,0.5\n1,0.1,0.5\n' >gentle.csv
    expect 0 feasible three.yaml --motion gentle.csv -o three --no-pictures
    # 1.5 N shared as far^2 : far^2 : 100
    worst=$(awk -F, -v far="$far" 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); at[$i] = i } next }
        { share = 1.5 / (2 + (10 / far)^2); d = $at["d1.force"] - share; e = $at["d2.force"] - share
          f = $at["d1.force"] + $at["d2.force"] + $at["d3.force"] - 1.5
          d = d * d; e = e * e; f = f * f; if (d > w) w = d; if (e > w) w = e; if (f > w) w = f }
        END { printf "%.3g\n", sqrt(w) }' three/feasible.csv)
    below "$worst" 1e-9
done
finish
