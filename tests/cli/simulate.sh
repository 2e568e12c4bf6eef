# globdyn simulate: results, options, refusals.
. "$SOURCE/tests/cli/lib.bash"

# column FILE NAME: the last value of the column whose head begins with NAME and a blank
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name || index($i, name " [") == 1) at = i }
        END { print $at }' "$1"
}

# A pendulum, with all files; then by another method with fixed steps.
pendulum="$SOURCE/cases/pendulum/case.yaml"
expect 0 simulate "$pendulum" -o one --no-pictures
says out '^method: null_space, stabilization projection, integrator rkf45, tolerance 1e-11'
says out '^reached: t = 10 s of 10 s'
[ "$(wc -l <one/simulate.csv)" = 102 ] || fail "rows of simulate.csv"
expect 0 simulate "$pendulum" -o two --no-pictures --method partition --integrator rk4 --step "1 ms" \
    --stabilization baumgarte --json
python3 - <<'END' || fail "simulate.json"
import json
d = json.load(open('out'))
assert d['method'] == 'partition' and d['stabilization'] == 'baumgarte' and d['integrator'] == 'rk4'
assert d['start']['mobility'] == 1 and len(d['rows']) == 101 and len(d['rows'][0]) == len(d['columns'])
assert json.load(open('two/simulate.json')) == d
END
below "$(awk "BEGIN { d = $(column one/simulate.csv bob.x) - $(column two/simulate.csv bob.x); print d < 0 ? -d : d }")" 1e-6

# What is not unique is empty, and filled in when that is asked for.
robot=$work/robot.yaml
sed 's/duration: 20 s/duration: 4 s/' "$SOURCE/cases/mobile_robot/case.yaml" >"$robot"
expect 0 simulate "$robot" -o robot
says out '8 of 22 components are indeterminate in the rigid machine and left empty'
says out 'pictures in robot .*: simulate_motion, simulate_paths, simulate_residuals, simulate_energy, simulate_reactions, simulate_animation'
if gnuplot -e 'if (strstrt(GPVAL_TERMINALS, " gif ") == 0) exit status 1' 2>/dev/null; then
    [ "$(head -c 6 robot/simulate_animation.gif)" = GIF89a ] || fail "no moving picture"
fi
[ -z "$(ls robot | grep tmp)" ] || fail "parts of pictures: $(ls robot)"
[ -z "$(column robot/simulate.csv W3.fx)" ] || fail "W3.fx has a number"
[ -n "$(column robot/simulate.csv W5.fx)" ] || fail "W5.fx has none"
expect 0 simulate "$robot" -o robot --no-pictures --convention method
[ -n "$(column robot/simulate.csv W3.fx)" ] || fail "W3.fx has no number of the method"

# The paper's three variants of elimination: one motion, reactions that differ. Rows that are not dependent are refused.
for rows in C.y,W4 W1,W4 W2,W4; do
    expect 0 simulate "$robot" -o "drop-$rows" --no-pictures --drop "$rows" --convention method
done
python3 - <<'END' || fail "variants of elimination"
import csv
a, b, c = (list(csv.reader(open(f'drop-{rows}/simulate.csv'))) for rows in ('C.y,W4', 'W1,W4', 'W2,W4'))
for b in b, c:
    far = {h.split(' ')[0]: max(abs(float(x[c]) - float(y[c])) for x, y in zip(a[1:], b[1:])) for c, h in enumerate(a[0])}
    assert max(far['platform.x'], far['platform.y'], far['platform.angle'], far['trolley.x']) < 1e-6
    assert max(far['D.fx'], far['D.fy'], far['W5.fx']) < 1e-6 and max(far['B.fy'], far['W3.fx']) > 1e-2
END
expect 1 simulate "$robot" --drop W5 --no-pictures
says err 'the choice of rows or coordinates allows a different motion'
expect 2 simulate "$robot" --drop nosuch.y
says err "^globdyn: error: --drop: there is no constraint 'nosuch.y'"
expect 2 simulate "$robot" --independent nobody.x
says err "^globdyn: error: --independent: there is no velocity 'nobody.x'"
expect 2 simulate "$robot" --drop W4 --method partition
says err '[-][-]drop belongs to the method elimination'
# A list without a name is a slip, not a wish for the default.
expect 2 simulate "$robot" --drop ""
says err "drop names nothing"
expect 2 simulate "$robot" --tolerance 10
says err 'a share below 1, not 10'
expect 0 simulate "$robot" -o kept --no-pictures --independent trolley.x --closing newton
says out '^method: partition'
expect 2 simulate "$robot" --independent platform.q
says err "there is no velocity 'platform.q'"

# Pictures: strips stand as far apart as their names are high, residuals that are zero leave the axis readable.
PATH=$work/empty-path expect 0 simulate "$SOURCE/cases/bricard/case.yaml" -o strips -q --duration "1 s" # nothing is drawn
says strips/simulate_reactions.gp 'indeterminate \(and 6 more\)'
height=$(sed -n "s/.* deep = -\([0-9]*\).*/\1/p" strips/simulate_reactions.gp)
[ "$height" -ge $((24 * 18)) ] || fail "24 strips in a panel of $height pixels"
awk '!/^#/ && NF == 2 && $2 < 1e-18 { exit 1 }' strips/simulate_residuals.dat || fail "residuals down to 1e-300"

# Bricard's mechanism in steps of 10 ms (Gonzalez and Kovecses 2011, Fig. 2): stiff constraints lock it, soft angles and
# projection let P2 move from x = 1 m to -1 m.
steps="$SOURCE/cases/bricard_stepping/case.yaml"
reach() { # least x of P2 = 2 (centre of rod 2 - centre of rod 1) + P1, P1 = 2 centre of rod 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "rod1.x [m]") a = i; if ($i == "rod2.x [m]") b = i }
                       next }
        { x = 2 * $b - 2 * $a; if (x < least) least = x } END { print least + 0 }' "$1/simulate.csv"
}
expect 0 simulate "$steps" -o locked --no-pictures --duration "$((${GDYN_SANITIZED:-0} ? 2 : 10)) s"
says err 'the mechanism becomes a structure'
below -0.5 "$(reach locked)"
if ! ((${GDYN_SANITIZED:-0})); then
    expect 0 simulate "$steps" -o soft --no-pictures --set soft=1e-5
    below "$(reach soft)" -0.95
    expect 0 simulate "$steps" -o projected --no-pictures --stabilization projection
    below "$(reach projected)" -0.95
    says out 'residuals: position [0-9.]+e-1[56] m'
fi

# Redundant constraints that contradict one another by an error of geometry: a structure, and that is said.
expect 1 simulate "$SOURCE/cases/bricard/case.yaml" --set "error=1e-4 m" --no-pictures
says err '1 redundant constraint contradicts the others by 3.3[0-9]*e-06 m .*turns the mechanism into a structure'

# The agile eye with massless arms (Paul 2020, Fig. 25): equal torques turn it about the vertical alone.
expect 0 simulate "$SOURCE/cases/agile_eye/case.yaml" -o eye --no-pictures --set arm=0 --set arm_inertia=0
for angle in a b; do
    below "$(column eye/simulate.csv "eye.$angle" | sed "s,^-,,")" 1e-5
done
below "$(column eye/simulate.csv eye.c)" -0.2

# Bars with mass and without inertia swing as a pendulum of 0.7 l (Paul 2020, Fig. 23); without masses either, nothing moves.
pair="$SOURCE/cases/pendulum_redundant/case.yaml"
expect 0 simulate "$pair" -o pair --no-pictures --method minimal
says out 'mobility 1, 1 redundant constraint'
expect 3 simulate "$pair" -o pair --no-pictures --method compliance
says err "needs the inverse of the mass matrix, but body 'crank1' lacks mass or inertia"
expect 1 simulate "$pair" -o pair --no-pictures --set "bar=0 kg"
says err 'a motion that the constraints allow has no mass'
says err "give body 'c[a-z0-9]*' a mass or an inertia"

# A traverse of the star is played with its forces and arrives: it misses the path by what the tolerance allows.
star="$SOURCE/cases/four_slider_star/case.yaml"
expect 0 traverse "$star" --trajectory circle -o star --no-pictures
pairs=(1e-6:1e-5 1e-10:1e-9)
((${GDYN_SANITIZED:-0})) && pairs=(1e-6:1e-5)
for pair in "${pairs[@]}"; do
    expect 0 simulate "$star" --trajectory circle --motion star/traverse.csv -o played --no-pictures --tolerance "${pair%:*}"
    says out "tracking: .* from trajectory 'circle' at most, .* at the end"
    below "$(sed -n 's/^tracking: \([^ ]*\) .*/\1/p' out)" "${pair#*:}"
    below "$(column played/simulate.csv tracking.length)" "${pair#*:}"
    below "$(column played/simulate.csv tracking.angle)" "${pair#*:}"
done
says out 'start: .* mobility 3, 0 redundant'
expect 2 simulate "$star" --motion star/traverse.csv -o played
says err 'name it with --trajectory'
printf 'p,d1,d2\n0,0,0\n1,0,0\n' >rests.csv
expect 3 simulate "$star" --trajectory circle --motion rests.csv -o played
says err 'is not a motion in time'
printf 't,p,d1,d2\n0,0.001,1,0\n1,1.001,1,0\n' >between.csv
expect 0 simulate "$star" --trajectory circle --motion between.csv -o played --no-pictures
below "$(column played/simulate.csv tracking.length)" 1e-8
expect 5 simulate "$star" --trajectory circle --motion nothing.csv -o played

bricard="$SOURCE/cases/bricard/case.yaml"

# A plan on another machine. Two drives of +-F push M d2 + b d1 = 2 F; with 1.1 M each has to give 1.1 F - 0.05 b d1, then
# -1.1 F - 0.05 b d1: beyond its limits all the time, by 5 N at the start and by 5 N + 0.05 b d1 at the switch.
opposed="$SOURCE/cases/opposed_slider/case.yaml"
expect 0 traverse "$opposed" -o opposed --no-pictures
for mass in 10 11; do
    expect 0 simulate "$opposed" --trajectory line --motion opposed/traverse.csv -o "played$mass" --no-pictures --set "M=$mass kg"
    cp err "err$mass"
done
[ ! -s err10 ] || grep -q 'another machine' err10 && fail "the plan of this machine is taken for that of another one"
says err11 "was planned for another machine: at t = .* 'p[a-z]*' has -[0-9.]* N there, and this machine needs -[0-9.]* N"
says out "^limit: 'push' exceeds its max by (4.9[0-9]*|5) N at most, first at t = 0 s"
says out "^limit: 'pull' exceeds its min by [0-9.]* N at most, first at t = "
python3 - <<'END' || fail "limits, saturation and tracking of a plan of another machine"
import csv, json
plan = list(csv.DictReader(open('opposed/traverse.csv')))
same, other = json.load(open('played10/simulate.json')), json.load(open('played11/simulate.json'))
T, d1 = max(float(r['t [s]']) for r in plan), max(float(r['d1 [1/s]']) for r in plan)
assert same['planned'] == {'same': True} and same['limits'] == [] and not any(same['saturation'].values())
assert not other['planned']['same'] and abs(other['planned']['needed'] + 55 + 0.05 * 20 * d1) < 0.02
assert all(abs(other['saturation'][d] - T) < 0.03 * T for d in ('push', 'pull')), (other['saturation'], T)
amounts = {(l['name'], l['limit']): l['amount'] for l in other['limits']}
assert len(amounts) == 4 and 0 <= 5 - amounts['push', 'max'] < 0.1 and abs(amounts['pull', 'min'] - 5 - 0.05 * 20 * d1) < 0.02, (amounts, d1)
for d in same, other:
    assert d['tracking']['rms'] <= d['tracking']['peak'] < 1e-6 and d['tracking']['angle']['peak'] is None
END
printf 't,p,d1,d2\n0,0,0,1\n1,0.5,1,1\n' >bare.csv
expect 0 simulate "$opposed" --trajectory line --motion bare.csv -o bare --no-pictures
grep -q 'another machine' err && fail "a motion without forces is taken for that of another machine"

# Points of the command line; what is no point.
expect 0 simulate "$bricard" -o points --no-pictures --duration "0.1 s" --record rod1.b,ground.P5 --axes ground
[ "$(column points/simulate.csv ground.P5.z)" = 1 ] || fail "place of a point of the ground"
says points/simulate.json '"P0.mz_ground"'
expect 2 simulate "$bricard" -o none --record rod1.c
says err "there is no point 'rod1.c'"
says err "did you mean 'rod1\.[ab]'"
sed 's/record: \[rod2.b\]/record: [rod2]/' "$bricard" >record.yaml
expect 3 simulate record.yaml -o none
says err "'rod2' is a body, not a point"

# Stiff equations and explicit steps: the fastest motion, the steps to come and what serves instead are told at once; a signal
# ends the run although its next output is far.
governor="$SOURCE/cases/flyball/case.yaml"
for run in "$governor --integrator rkf45" "$bricard --method compliance --integrator rk8pd"; do
    rm -rf kept err
    "$GLOBDYN" simulate $run -o kept --no-pictures >out 2>err </dev/null &
    child=$!
    wait_for $child caught $child && wait_for $child grep -q 'equations are stiff: their fastest motion takes' err || fail "no hint: $run"
    kill -INT $child
    code=0
    wait $child || code=$?
    [ "$code" = 130 ] || fail "a signal gave exit code $code: $run"
    says err 'help: use (implicit_gauss or bulirsch_stoer|bulirsch_stoer or implicit_gauss, or semi_implicit_euler with a step)'
done
sed 's/duration: 10 s/duration: 0.1 s/; s/every: .*/every: 0.01 s/' "$bricard" >soft.yaml
expect 0 simulate soft.yaml -o soft --no-pictures --method compliance --integrator bulirsch_stoer
grep -q stiff err && fail "an implicit integrator is told to be explicit"

# Methods and integrators agree: a short round of tests/reference/matrix.py, which compares all of them.
round=(--methods null_space,partition,projection,minimal --integrators rk8pd,implicit_gauss,bulirsch_stoer,semi_implicit_euler
    four_bar_parallel:0.05)
((${GDYN_SANITIZED:-0})) && round=(--methods partition,minimal --integrators rk8pd,implicit_gauss four_bar_parallel:0.02)
(cd "$SOURCE" && /usr/bin/python3 tests/reference/matrix.py --globdyn "$GLOBDYN" "${round[@]}") >matrix || fail "$(grep '!' matrix)"

# Long steps that would jump a singular pose are taken again, shorter.
expect 0 simulate "$SOURCE/cases/n_four_bar/case.yaml" -o jumped --no-pictures --method minimal --integrator bulirsch_stoer --tolerance 1e-9 \
    --duration "$((${GDYN_SANITIZED:-0} ? 3 : 10)) s"
awk '/^energy: imbalance at most/ { if ($5 / $8 > 1e-6) exit 1 }' out || fail "$(grep ^energy out)"
grep -q warning err && fail "$(cat err)"

# All closing methods from one guess: ways as data and picture.
PATH=$work/empty-path expect 0 simulate "$SOURCE/cases/agile_eye_table/case.yaml" -o ways --closings --duration "0.2 s"
says out '3 independent coordinates were held where the first guess has them'
says out 'simulate_assembly, simulate_closings'
[ "$(head -1 ways/assembly.csv)" = method,iteration,at_work,evaluations,residual ] || fail "head of assembly.csv"
for method in newton least_squares simplex; do
    below "$(grep "^$method," ways/assembly.csv | tail -1 | cut -d, -f5)" 1e-12
done
grep '^simplex,' ways/assembly.csv | grep -qv ',simplex,' && fail "the simplex has help"

# A signal ends a simulation behind the present step; its rows are written.
sed 's/duration: 10 s/duration: 1e6 s/; s/every: 0.1 s/every: 0.5 s/' "$pendulum" >long.yaml
for pair in INT:130 TERM:143; do
    rm -rf kept err
    "$GLOBDYN" simulate long.yaml -o kept --no-pictures --progress=json >out 2>err </dev/null &
    child=$!
    wait_for $child caught $child && wait_for $child grep -q "duration.: 1000000" err || fail "no progress"
    kill -"${pair%:*}" $child
    code=0
    wait $child || code=$?
    [ "$code" = "${pair#*:}" ] || fail "a signal ${pair%:*} gave exit code $code"
    says err 'interrupted at t = .* s: the rows up to there are kept'
    says out '^reached: t = '
    [ "$(wc -l <kept/simulate.csv)" -gt 2 ] || fail "rows of an interrupted simulation"
done
python3 -c "import json; d = json.load(open('kept/simulate.json')); assert len(d['rows']) > 1" || fail "simulate.json"

# Dry friction sticks, a range is left: events in text and document. Closings along the motion are columns and a picture.
cat >stick.yaml <<'END'
format: 1
name: stick
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies: {cart: {mass: 2 kg, inertia: 1, points: {O: [0, 0]}}}
  joints: {slide: {type: prismatic, of: [cart.O, ground.O], axis: [1, 0], range: {max: 0.1 m}, friction: {coulomb: 3 N}}}
  drives: {push: {at: slide, force: {limit: 100 N}}}
simulate: {duration: 4 s, drives: {push: "6 N*sin(t)"}}
END
expect 0 simulate stick.yaml -o stick --no-pictures
says out 'event: t = 0.523599 s: friction of slide slips'
says out "'slide' is beyond its max, by [0-9.]+ m at most, to the end .stops are not modelled"
python3 -c "import json; e = json.load(open('stick/simulate.json'))['events']; assert [x['kind'] for x in e][:3] == ['sticks', 'slips', 'leaves range'] and e[2]['limit'] == 'max'" || fail "events"

# Explicit steps too long for stiff compliance are a result with cause; the table has the last good state.
expect 1 simulate "$SOURCE/cases/four_bar_parallel/case.yaml" -o stiff --no-pictures --method compliance \
    --stabilization none --integrator rk4 --step "10 ms"
says err 'at t = 0 s: the integration diverges'
says err 'a step of 0.01 s of rk4: use semi_implicit_euler, an implicit integrator'
below "$(column stiff/simulate.csv energy.balance)" 1e-9
# Long steps: the imbalance of energy is said with its amount.
expect 0 simulate "$SOURCE/cases/andrews/case.yaml" -o long --no-pictures --integrator rk2 --step "10 s"
says err 'with steps of 10 s energy is off by [0-9.]+ J'
PATH=/nowhere expect 0 simulate "$SOURCE/cases/four_bar_parallel/case.yaml" -o closings --closings -q
[ -s closings/simulate_closings.gp ] || fail "no picture of closings"
below "$(column closings/simulate.csv closing.simplex.difference)" 1e-9

# A closing method that does not get there names one that does.
sed 's/^simulate:/simulate:\n  shake: 0.95/' "$SOURCE/cases/andrews/case.yaml" >shaken.yaml
expect 1 simulate shaken.yaml -o open --no-pictures --closing newton
says err 'help: closing: (simplex|least_squares) .--closing (simplex|least_squares). assembles this guess'
named=$(sed -n 's/.*help: closing: \([a-z_]*\) .*/\1/p' err)
expect 0 simulate shaken.yaml -o open --no-pictures --closing "$named"
sed 's/^simulate:/simulate:\n  shake: 0.987/' "$bricard" >shaken.yaml
expect 1 simulate shaken.yaml -o open --no-pictures --closing simplex
says err 'help: closing: least_squares .--closing least_squares. assembles this guess'

# Refusals: no simulation, a row that is not there, a method without masses, a start that cannot be.
expect 3 simulate "$SOURCE/cases/kntu/case.yaml"
says err 'defines no simulation'
sed 's/drop: \[C.y, W4\]/drop: [C.q, W4]/' "$robot" >wrong.yaml
expect 3 simulate wrong.yaml
says err "there is no constraint 'C.q'"
expect 3 simulate "$SOURCE/cases/agile_eye/case.yaml" --method compliance --set arm=0 --set arm_inertia=0
says err 'needs the inverse of the mass matrix'
sed 's/displacement: .*}/displacement: [[0 s, 0], [1 s, 1 mm], [1 s, 0]]}/' "$robot" >wrong.yaml
expect 3 simulate wrong.yaml
says err 't must increase from row to row'
expect 2 simulate "$pendulum" --step "1 m"
expect 2 simulate "$pendulum" --step "-1 ms"
says err "needs a number above zero, not '-1 ms'"
expect 2 simulate "$pendulum" --integrator nosuch
says err 'integrator is rkf45, .* or semi_implicit_euler, not'
expect 3 simulate "$pendulum" --integrator semi_implicit_euler
says err 'semi_implicit_euler needs a step above zero'
# check finds it, too, and a rate that nothing uses.
sed -e 's/^  duration: 10 s/&\n  stabilization: {rate: 3}/' \
    -e 's/integrator: .*/integrator: {name: semi_implicit_euler}/' "$pendulum" >wrong.yaml
expect 3 check wrong.yaml --no-pictures
says err "^wrong.yaml:[0-9]*:[0-9]*: warning: this stabilization does not use 'rate'"
says err '^wrong.yaml:[0-9]*:[0-9]*: error: semi_implicit_euler needs a step above zero'
# Times that no run can have are refused where they are written.
while IFS='|' read -r change told; do
    sed "$change" "$pendulum" >wrong.yaml
    expect 3 simulate wrong.yaml
    says err "^wrong.yaml:[0-9]*:[0-9]*: error: $told"
done <<'END'
s/duration: 10 s/duration: -1 s/|the duration must be above zero
s/duration: 10 s/duration: 10 m/|expected s, got m
s/every: 0.1 s/every: 20 s/|the time between outputs must lie between zero and the duration
s/every: 0.1 s/every: 1e-12 s/|these would be more than ten million outputs
END
# A force that is tabled for a part of the duration stays at its last value.
sed 's/"6 N[*]sin(t)"/[[0 s, 3 N], [1 s, 5 N]]/; s/coulomb: 3 N/viscous: 1 N s\/m/' stick.yaml >tabled.yaml
expect 0 simulate tabled.yaml -o tabled --no-pictures
[ "$(column tabled/simulate.csv push.force)" = 5 ] || fail "a force beyond its table: $(column tabled/simulate.csv push.force)"
# Compliance in steps: reactions are the impulses over a step, so that their error halves with the step.
sed 's/duration: 2 s/duration: 0.06 s/' "$SOURCE/cases/crank_slider/case.yaml" >crank.yaml
expect 0 simulate crank.yaml --method null_space -o rigid --no-pictures
for step in 100 50; do
    expect 0 simulate crank.yaml --method compliance --integrator semi_implicit_euler --step "$step us" -o "give$step" --no-pictures
done
for name in crank.fx crank.alpha; do
    awk -v a="$(column rigid/simulate.csv $name)" -v b="$(column give100/simulate.csv $name)" -v c="$(column give50/simulate.csv $name)" '
        function size(x) { return x < 0 ? -x : x }
        END { exit !(size(b - a) < 0.01 * size(a) && size(c - a) < 0.6 * size(b - a)) }' </dev/null || fail "$name in steps with compliance"
done
# The forces of a motion take the place of those that the case states for simulations.
sed '/^simulate:/,$d' "$star" >forced.yaml
printf 'simulate: {duration: 1 s, drives: {m1: 300 N}}\n' >>forced.yaml
expect 0 simulate forced.yaml --trajectory circle --motion star/traverse.csv -o forced --no-pictures
below "$(column forced/simulate.csv tracking.length)" 1e-7
# A motion of another trajectory is none of this machine's.
expect 3 simulate "$SOURCE/cases/two_link_arm/case.yaml" --trajectory line --motion star/traverse.csv -o played
says err "there are no rows of trajectory 'line'"
sed 's/type: revolute, of: \[bob.O, ground\]/type: fixed, of: [bob.O, ground]/' "$pendulum" >rigid.yaml
expect 1 simulate rigid.yaml --no-pictures
says err 'the constraints allow no motion: a structure'
# Equal time steps: a mass on a viscous rail, x = v (t - T (1 - exp(-t/T))), v = F/b = 2.5 m/s, T = m/b = 0.5 s; the last row
# stands at the end of 0.5005 s.
{ cat "$SOURCE/cases/opposed_slider/case.yaml"; echo 'simulate: {duration: 0.5005 s, every: 0.1 s, drives: {push: "50 N"}}'; } >rail.yaml
expect 0 simulate rail.yaml --every "1 ms" --no-pictures -o rail
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "slider.x [m]") x = i; if ($i == "slider.vx [m/s]") v = i }; next }
    { rows++; t = NR < 503 ? (NR - 2) / 1000 : 0.5005; e = exp(-2 * t)
      a = $1 - t; b = $x - 2.5 * (t - 0.5 * (1 - e)); c = $v - 2.5 * (1 - e)
      if (a * a > 1e-28 || b * b > 1e-14 || c * c > 1e-14) print NR, a, b, c }
    END { if (rows != 502) print rows " rows" }' rail/simulate.csv >wrong
[ ! -s wrong ] || fail "equal time steps: $(head -n 2 wrong)"
expect 2 simulate rail.yaml --every "1 s"
says err "every 1 s is longer than the simulation of 0\.5005 s"
expect 2 simulate rail.yaml --every 0
# Another duration, also without simulate: without forces the slider stays where it is.
expect 3 simulate "$SOURCE/cases/opposed_slider/case.yaml"
says err 'or give --duration'
expect 0 simulate "$SOURCE/cases/opposed_slider/case.yaml" --duration "200 ms" --every "50 ms" --no-pictures -o still
[ "$(tail -n 1 still/simulate.csv | cut -d, -f1)" = 0.2 ] || fail "the run ends at $(tail -n 1 still/simulate.csv)"
expect 2 simulate rail.yaml --duration "1 kg"
expect 2 simulate forced.yaml --trajectory circle --motion star/traverse.csv --duration 1
says err 'a motion that is played has its own'

# --- starts -----------------------------------------------------------------------------------------
# Poses from values of joints: a serial arm in closed form, full turns included; a four-bar, whose other joints follow from its loop.
start_of() { # start_of KEYS OF home SIMULATE: the arm of the samples with them, simulated for a moment
    expect 0 import "$SOURCE/docs/samples/arm.urdf" -q -o - && sed "s|^  joints:|  home: $1\n&|; /^trajectories/,\$d" out >home.yaml
    printf 'trajectories: {t: {p: [0, 1], joints: {pan: p, lift: 0.5*p, elbow: -p*p}}}\nsimulate: {duration: 1e-6 s, record: [fore.tool0]%s}\n' "$2" >>home.yaml
}
tool_at() { # tool_at PAN LIFT ELBOW: and their rates: the tool of the record is there
    python3 - "$@" <<'PY' >wrong || fail "start: $(cat wrong)"
import csv, math, sys
q, rate = [float(x) for x in sys.argv[1:4]], [float(x) for x in sys.argv[4:]]
def tool(q):
    out = 0.4 * math.cos(q[1]) + 0.3 * math.cos(q[1] + q[2])
    return [out * math.cos(q[0]), out * math.sin(q[0]), 0.2 - 0.4 * math.sin(q[1]) - 0.3 * math.sin(q[1] + q[2])]
head, row = list(csv.reader(open("start/simulate.csv")))[:2]
now = [float(v) for h, v in zip(head, row) if h.startswith("fore.tool0.")]
h = 1e-6
speed = [(b - a) / (2 * h) for a, b in zip(*[tool([x + s * h * r for x, r in zip(q, rate)]) for s in (-1, 1)])]
miss = max(max(abs(a - b) for a, b in zip(now, tool(q))), 1e-4 * max(abs(a - b) for a, b in zip(now[3:], speed)))
sys.exit(0 if miss < 1e-13 else f"{now} is not {tool(q) + speed}")
PY
}
start_of '{joints: {pan: 400 deg, lift: 0.5, elbow: -1.25}}' ''
expect 0 simulate home.yaml --no-pictures -o start
tool_at 6.981317007977318 0.5 -1.25 0 0 0
expect 0 check home.yaml --no-pictures
says out '^  pan +angle +400 deg'
# On a trajectory, at rest and at a speed; what contradicts it.
start_of '{joints: {elbow: 1}}' ', start: {trajectory: t, p: 0.5}'
expect 0 simulate home.yaml --no-pictures -o start
tool_at 0.5 0.25 -0.25 0 0 0
start_of '{joints: {elbow: 1}}' ', start: {trajectory: t, p: 0.5, speed: 2 1/s}'
expect 0 simulate home.yaml --no-pictures -o start
tool_at 0.5 0.25 -0.25 2 1 -2
start_of '{joints: {elbow: 1}}' ', start: {trajectory: t, p: 3}'
expect 3 simulate home.yaml --no-pictures -o start
says err "trajectory 't' is not defined at p = 3"
four() { # four HOME SIMULATE
    cat >four.yaml <<YAML
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {D: [1 m, 0]}}
  bodies:
    crank: {mass: 1 kg, inertia: 0.01, points: {B: [0.3 m, 0]}, pose: [0, 0, 60 deg]}
    coupler: {mass: 1 kg, inertia: 0.01, points: {C: [0.9 m, 0]}, pose: [0.15 m, 0.26 m, 20 deg]}
    rocker: {mass: 1 kg, inertia: 0.01, points: {C: [0.6 m, 0]}, pose: [1 m, 0, 100 deg]}
  joints:
    a: {type: revolute, of: [crank, ground]}
    b: {type: revolute, of: [coupler, crank.B]}
    c: {type: revolute, of: [coupler.C, rocker.C]}
    d: {type: revolute, of: [rocker, ground.D]}
  home: {joints: {$1}}
simulate: {duration: 1 ms$2}
YAML
}
four 'a: 400 deg' ''
expect 0 check four.yaml --no-pictures
says out '^  a +angle +400 deg'
says out '^  b +angle +-13\.17 deg' # 0.3 e^(i a) + 0.9 e^(i x) = 1 + 0.6 e^(i d): x = 26.8336, d = 86.8565 deg
says out '^  c +angle +-60\.02 deg'
says out '^  d +angle +86\.86 deg'
four 'a: 60 deg, d: 170 deg' ''
expect 3 check four.yaml --no-pictures
says err "four\.yaml:15:19: error: these values of joints contradict the loop through joint '[abcd]', which stays open by"
says err 'the loops close with d: 91\.59276 deg' # as in tests/bad/288
# A body that is held stays where it is guessed, the loop closes around it.
four '' ', start: {hold: [crank]}'
expect 0 simulate four.yaml --no-pictures -o held
says out '3 coordinates were held'
[[ $(sed -n 2p held/simulate.csv) == *,1.0471975511965976,* ]] || fail "held: $(sed -n 2p held/simulate.csv)"
# A third point of a pose by points settles the turn about their line.
cat >roll.yaml <<'YAML'
format: 1
machine:
  space: spatial
  gravity: [0, 0, 0]
  ground: {points: {O: [0, 0, 0], P: [0, 0, 2], Q: [-1, 0, 0.3]}}
  bodies:
    rod: {mass: 1 kg, inertia: [1, 1, 1], points: {A: [0, 0, 0], B: [1, 0, 0], S: [0, 1, 0]}, pose: {A: ground.O, B: ground.P, S: ground.Q}}
simulate: {duration: 1 ms, record: [rod.S, rod.B]}
YAML
expect 0 simulate roll.yaml --no-pictures -o roll
python3 - <<'PY' >wrong || fail "roll: $(cat wrong)"
import csv, sys
head, row = list(csv.reader(open("roll/simulate.csv")))[:2]
now = [float(v) for h, v in zip(head, row) if h.startswith("rod.S.") or h.startswith("rod.B.")]
wanted = [-1, 0, 0, 0, 0, 1]
got = now[0:3] + now[6:9]
sys.exit(0 if max(abs(a - b) for a, b in zip(got, wanted)) < 1e-14 else str(got))
PY

finish
