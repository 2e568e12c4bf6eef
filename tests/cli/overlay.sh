# globdyn plot --overlay: results of several folders over each other, against closed forms; what does not fit together.
. "$SOURCE/tests/cli/lib.bash"

# n = d2 with |n| <= a from p = 0 to 1 and d1 <= 3 by a second drive: at rest |d2| <= a, T = 2 sqrt(1/a) below that speed.
block() { # FILE A [DRIVE] [UNIT] [LENGTH]
    { echo "p [${5:-m}],drive,A,B,C [${4:-N}],D,min [${4:-N}],max [${4:-N}]"
      for p in 0 0.25 0.5 0.75 1; do
          echo "$p,${3:-motor},0,0,0,1,-$2,$2"
          echo "$p,brake,0,1,0,0,-3,3"
      done; } >"$1.csv"
    for command in regions traverse; do
        expect 0 $command --coefficients "$1.csv" --no-pictures -o "$1"
    done
}
block weak 1 && block strong 4 && block "it's other" 1 crank

gnuplot --version >/dev/null 2>&1 || exit 77
expect 0 plot --overlay weak strong -o both --labels "a,b"
path=$(sed -n 's/ *"\([^"]*\)": {$/\1/p' weak/regions.json | sed -n 2p)
for kind in regions limits phase forces; do
    [ -s "both/${path}_overlay_$kind.png" ] || fail "no picture of $kind"
    says both/pictures.list "^plot ${path}_overlay_$kind\$"
done
[ ! -s err ] || fail "two that fit are complained of"

# Greatest d1 3, d2 at rest from -a to a: rows of the second and the first block.
awk -v RS='\n\n\n' '{ print }' "both/${path}_overlay_limits.dat" | grep -v '^#' | awk 'NF == 4' |
    awk '{ a = NR <= 5 ? 1 : 4; if ($2 != 3 || $3 != -a || $4 != a) print }' >wrong
[ ! -s wrong ] || fail "limits over p: $(head -n 2 wrong)"
# T = 2 and 1 s to the tolerance of traverse, in the keys; d1 = sqrt(2 a p) up to the middle, within 1e-3 of the time.
says "both/${path}_overlay_phase.gp" '"a, T = 2(\.00[0-2])? s"'
says "both/${path}_overlay_phase.gp" '"b, T = 1(\.00[01])? s"'
grep -v '^#' "both/${path}_overlay_phase.dat" | awk 'NF == 0 { blank++; next } blank < 2 && $1 < 0.499 {
    n++; d = $2 - sqrt(2 * $1); if (d > 4e-3 || d < -4e-3) print } END { if (n < 20) print n }' >wrong
[ ! -s wrong ] || fail "phase plane: $(head -n 2 wrong)"
# Forces are at their limits.
grep -v '^#' "both/${path}_overlay_forces.dat" | awk 'NF == 2 { a = $2 < 0 ? -$2 : $2; if (a > 4 + 1e-9) print }' >wrong
[ ! -s wrong ] || fail "forces: $(head -n 2 wrong)"

# The folder is a results folder like any other; lines are told apart without colour.
expect 0 plot both "${path}_overlay_phase" --format svg --width "80 mm"
says "both/${path}_overlay_phase.svg" stroke-dasharray

# Other drives, other units, another path, something missing, nothing at all.
expect 0 plot --overlay weak "it's other" -o drives
says err "'weak' has drives along '.*' that others lack: only the forces"
block torque 1 motor "N m"
expect 2 plot --overlay weak torque -o units
says err "the drive 'motor' along '.*' has a force in N m in 'torque', in N in 'weak'"
block short 1 motor N mm
expect 2 plot --overlay weak short -o length
says err "is another path in 'short' \(p from 0 m to 0\.001 m\) than in 'weak'"
cp -r strong half && rm half/traverse.json
expect 0 plot --overlay weak half -o part
says err "'half' has no traverse\.json"
says err "globdyn traverse CASE -o 'half' writes it"
[ ! -e "part/${path}_overlay_phase.png" ] || fail "a motion that is missing was drawn"
mkdir empty
expect 2 plot --overlay empty weak -o none
says err "nothing in common"
# Documents without a common trajectory: the same error alone, no warning for each of them.
cp -r strong foreign && sed -i "s/\"$path\":/\"elsewhere\":/" foreign/*.json
expect 2 plot --overlay weak foreign -o none
says err "nothing in common"
grep -q 'warning' err && fail "warnings before the error: $(cat err)"
expect 5 plot --overlay weak nowhere -o none
says err "there is no folder 'nowhere'"
expect 2 plot --overlay weak strong -o none --trajectory ring
says err "no such trajectory"
for text in '{' '[]' '{"tool": "globdyn", "format": 2, "trajectories": {}}' '{"tool": 1}'; do
    cp -r strong damaged && echo "$text" >damaged/regions.json
    expect 5 plot --overlay weak damaged -o none
    says err "damaged/regions\.json"
    rm -r damaged
done
# Documents whose parts are of another kind are unknown, never a crash.
for edit in 's/"d1": \[/"d1": [null, /' 's/"points": \[/"points": [7, "x", {"p": "x"}, /' 's/"p": 0\.[0-9]*/"p": null/'; do
    cp -r strong odd && sed -i "$edit" odd/regions.json
    "$GLOBDYN" plot --overlay weak odd -o none >out 2>err
    [ $? -le 5 ] || fail "crashed: $edit"
    rm -r odd
done

# A number that is missing is named; whatever fails, nothing is written.
cp -r strong odd && sed -i '0,/"p": [0-9.]*[1-9]/s//"p": null/' odd/regions.json
expect 5 plot --overlay weak odd -o fresh
says err "odd/regions\.json: trajectories, $path, points\[[0-9]+\] has no number 'p'"
rm -r odd
cp -r strong odd && sed -i 's/"p":[0-9.]*[1-9],/"p":null,/' odd/traverse.json
expect 5 plot --overlay weak odd -o fresh
says err "odd/traverse\.json: .* has no number 'p'"
rm -r odd
[ ! -e fresh ] || fail "a folder was written in spite of an error"

# Simulations: the same pendulum from the same place, half as long and so twice as fast at equal times scaled by sqrt(2).
for length in 1 0.5; do
    cat >swing.yaml <<END
format: 1
name: swing
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies: {bob: {mass: 1 kg, inertia: 0, points: {P: [$length, 0], H: [0, 0]}, pose: [-$length, 0, 0]}}
  joints: {j: {type: revolute, of: [bob.P, ground.O]}}
simulate: {duration: 1 s, every: 0.1 s, record: [bob.H]}
END
    expect 0 simulate swing.yaml -o swing$length --no-pictures
done
expect 0 plot --overlay swing1 swing0.5 -o swings --labels long,short
says swings/pictures.list '^plot overlay_simulation$'
[ -s swings/overlay_simulation.png ] || fail "no picture of simulations"
for caption in 'bob\.H\.x \[m\]' 'bob\.H\.y \[m\]' 'residual\.position \[m\]'; do
    says swings/overlay_simulation.gp "$caption"
done
expect 0 plot --overlay swing1 swing0.5 -o swings --columns energy.potential
# the block of each run: -g V with V = y m g, y as in its table
for k in 0 1; do
    run=$([ $k = 0 ] && echo swing1 || echo swing0.5)
    awk -v RS='\n\n\n' -v k=$k 'NR == k + 1 { print }' swings/overlay_simulation.dat | grep -v '^#' | awk 'NF == 2 { print $1, $2 }' >drawn
    python3 - "$run" <<'END' || fail "the data of $run"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + '/simulate.csv')))
drawn = [tuple(map(float, l.split())) for l in open('drawn')]
assert len(drawn) == len(rows) == 11
assert all(abs(d[0] - float(r['t [s]'])) < 1e-8 and abs(d[1] - 9.81 * float(r['bob.H.y [m]'])) < 1e-6 for d, r in zip(drawn, rows))
END
done
expect 2 plot --overlay swing1 swing0.5 -o none --columns bob.x,bob.u
says err "simulate.json in 'swing1' has no column 'bob.u'"
expect 2 plot swings --columns bob.x
says err 'columns needs --overlay'

# The command line.
expect 2 plot --overlay weak -o none
says err 'takes 2 to 8 folders, not 1'
expect 2 plot --overlay weak strong
says err 'needs -o DIR'
expect 2 plot --overlay weak strong -o none --labels a
says err "names 1 of 2 folders"
expect 2 plot both --labels a,b
says err 'labels needs --overlay'

# Fronts: every point of both front.json stands in the data, once; another sense is another objective.
for seed in 1 2; do
    expect 0 optimize "$SOURCE/cases/zdt1/case.yaml" --evaluations 200 --population 20 --seed $seed --no-pictures -o s$seed
done
expect 0 plot --overlay s1 s2 -o fronts
rows=$(($(tail -n +2 s1/front.csv | wc -l) + $(tail -n +2 s2/front.csv | wc -l)))
[ "$(grep -cE '^[-0-9]' fronts/overlay_front.dat)" = "$rows" ] || fail "the fronts have $rows designs"
sed -i 's/"minimize"/"maximize"/' s2/front.json
expect 2 plot --overlay s1 s2 -o none
says err "the objective 'f1' is another one in 's2' \(maximized\) than in 's1' \(minimized\)"

finish
