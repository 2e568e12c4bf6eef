# globdyn sweep: the designs it makes, sensitivities of closed forms, continuation, refusals.
. "$SOURCE/tests/cli/lib.bash"

# f = 3 a + b^2 over a in 0..2, b in 0..4, start a = 1, b = 1; n is whole and does nothing.
cat >form.yaml <<'END'
format: 1
name: form
parameters: {a: 1, b: 1, n: 2}
design: {a: {min: 0, max: 2}, b: {min: 0, max: 4}, n: {min: 1, max: 3, integer: true}}
optimize: {objectives: {f: {minimize: 3*a + b^2}, g: {maximize: a - b}}}
END
expect 0 sweep form.yaml -o oat --levels 5 --no-pictures
says out '^form: 14 designs, oat' # the start, 5 + 5 + 3
says oat/sensitivity.csv '^f,,b,3,19,16,4,8,5,0$' # slope 2b = 2 per unit, 8 over the range 4
says oat/sensitivity.csv '^f,,a,1,7,6,1.5,6,5,0$'
says oat/sensitivity.csv '^f,,n,4,4,0,0,0,3,0$'
[ "$(sed -n '2,4p' oat/sensitivity.csv | cut -d, -f3 | tr -d '\n')" = ban ] ||
    fail "the strongest variable does not stand first"
expect 0 sweep form.yaml -o grid --method grid --levels 3 --variables a,n --no-pictures
[ "$(wc -l <grid/sweep.csv)" -eq 11 ] || fail "a grid of 3 x 3 and the start are not 10 designs"
expect 0 sweep form.yaml -o lhs --method lhs --samples 20 --seed 5 --no-pictures --threads 2
expect 0 sweep form.yaml -o lhs1 --method lhs --samples 20 --seed 5 --no-pictures --threads 1
cmp -s lhs/sweep.csv lhs1/sweep.csv || fail "the number of threads matters"
expect 0 sweep form.yaml -o sobol --method sobol --samples 8 --variables a,b --no-pictures
[ "$(sed -n 3p sobol/sweep.csv | cut -d, -f6-8)" = "1,2,2" ] || fail "Sobol begins elsewhere"
expect 0 sweep form.yaml -o drawn --json
says out '"nondominated"'
if command -v gnuplot >/dev/null; then
    [ -s drawn/sensitivity.png ] || fail "there is no sensitivity.png"
fi

# Tolerances: every machine again from the cosine law, whatever the number of threads; shares of closed forms: the mass follows
# from the payload alone.
arm=$SOURCE/cases/arm_tolerances/case.yaml
expect 0 sweep "$arm" --tolerances --method sobol --samples 48 -o machines --no-pictures --threads 2
says out '^ *100.0 %  payload$'
expect 0 sweep "$arm" --tolerances --method sobol --samples 48 -o machines1 --no-pictures --threads 1
cmp -s machines/machines.csv machines1/machines.csv || fail "the number of threads matters to machines"
if python3=$(command -v python3); then
    "$python3" "$SOURCE/tests/reference/tolerances.py" machines/machines.csv >told || fail "$(cat told)"
fi
expect 0 sweep "$arm" --tolerances -o costs --no-pictures
says costs/tolerances.csv '^heaviest,kg,33,0,4,9,6.5,1.44337567297406[0-9]*,1,0,0,1$'
expect 0 study show machines/machines.db
# A level without a value: neither mean nor deviation of the curves.
cat >part.yaml <<'END'
format: 1
name: part
parameters: {a: {value: 1, tolerance: 0.9}, b: {value: 2, tolerance: 1}}
design: {b: {min: 1, max: 5}}
optimize: {objectives: {f: {minimize: "b^2 + sqrt(a - 0.5)"}}}
END
expect 0 sweep part.yaml --tolerances -o part --no-pictures
says part/tolerances.csv '^f,,22,3,.*,,,,,$'
expect 3 sweep form.yaml --tolerances -o none
says err 'no parameter has a tolerance'
# A payload that scenarios set is left to them: greatest mass 3 kg + 5 kg + 1 kg in every machine.
cat >loads.yaml <<END
include: [$arm]
format: 1
robustness: {scenarios: {empty: {payload: 0 kg}, full: {payload: 5 kg}, free: ~, pushed: ~}}
END
expect 0 sweep loads.yaml --tolerances -o loads --no-pictures
[ "$(head -n 1 loads/machines.csv | tr , '\n' | grep -c '^design')" -eq 2 ] || fail "a scenario's payload is varied"
says loads/tolerances.csv '^heaviest,kg,[0-9]*,0,9,9,9,0,'

# A machine, without objectives: all criteria are watched; killed and continued.
sed -e 's/points: 201/points: 41/' -e '/^optimize:/,/^  stop/d' -e '/^expect:/,$d' \
    "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
run=(sweep star.yaml --levels $((${GDYN_SANITIZED:-0} ? 5 : 15)) --no-pictures)
expect 0 "${run[@]}" -o whole
says whole/sensitivity.csv '^circle.area,1/s\^3,rail,'
for _ in 1 2; do
    before=$(designs killed)
    "$GLOBDYN" "${run[@]}" -o killed >out 2>err &
    pid=$!
    wait_for $pid holds killed $((before + 1)) # or until it has come through
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
done
expect 0 "${run[@]}" -o killed
cmp -s whole/sweep.csv killed/sweep.csv || fail "a continued sweep differs"
expect 0 study check killed
expect 0 study show killed 7
expect 6 "${run[@]}" -o killed --variables leg
says err "variables: all"

expect 2 sweep form.yaml --method soble
says err "did you mean 'sobol'"
expect 2 sweep form.yaml --variables a,c
says err "'c' is not a design variable"
expect 2 sweep form.yaml --method grid --levels 100000
says err 'more than 10000000 designs'
expect 2 sweep form.yaml --method saltelli --levels 4
says err '^globdyn: error: --method saltelli takes --samples, not --levels \[GD071\]$'
expect 2 sweep form.yaml --samples 4
says err '^globdyn: error: --method oat takes --levels, not --samples \[GD071\]$'
expect 3 sweep "$SOURCE/cases/two_cables/case.yaml"
says err 'no design variables'
# A scenario sets a parameter with a tolerance: the deviation adds to the scenario's value. Masses in closed form:
# light 1 + 1 + 1 kg, heavy 3 + 1 + 2 kg, each +-0.1 and +-0.2 kg, whose uniform variances are 0.01/3 and 0.04/3 kg^2.
cat >loads.yaml <<'END'
format: 1
parameters:
  z: 0
  w: {value: 2 kg, tolerance: 0.1 kg}
  v: {value: 1 kg, tolerance: "0.1*w"}
  q: {value: 1 kg, between: [0 kg, 4 kg]}
machine:
  space: planar
  gravity: [0, 0]
  bodies: {a: {mass: w + v + q, inertia: 0.1}}
  joints: {x: {type: prismatic, of: [a, ground]}}
design: {z: {min: 0, max: 1}}
robustness:
  method: grid
  size: 2
  scenarios: {light: {w: 1 kg}, heavy: {w: 3 kg, q: 2 kg}}
optimize:
  objectives: {most: {minimize: greatest.mass}, least: {minimize: least.mass}}
END
expect 0 evaluate loads.yaml
says out 'greatest.mass +6.3 kg'
says out 'least.mass +1.7 kg' # light, where q is free: 1 + 1 + 0 - 0.3
expect 0 sweep loads.yaml --tolerances --method grid --levels 2 --no-pictures -o masses
says out 'most +5.7 .. 6.3 kg'
says out 'least +2.7 .. 3.3 kg' # q is left to the scenarios
awk -F, 'NR == 2 { exit !(($NF - 0.8) ^ 2 + ($(NF - 1) - 0.2) ^ 2 < 1e-20) }' masses/tolerances.csv || fail "shares of the variance are not 0.2 and 0.8"
sed 's/^design: .*/design: {q: {within: tolerance}}/' loads.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "'q' is set by the scenario and by the design"

# sqrt(1 - x) at x = 0, 2, 4 has a value at the first level alone, which says nothing of the effect; x + y has one at all of them.
cat >partly.yaml <<'END'
format: 1
name: partly
parameters: {x: 0, y: 1, part: sqrt(1 - x)}
design: {x: {min: 0, max: 4}, y: {min: 1, max: 3}}
optimize: {objectives: {root: {minimize: part + 0*y}, sum: {minimize: x + y}}}
END
expect 0 sweep partly.yaml -o partly --levels 3 --variables x --no-pictures
says out '^  root +x +1 \.\. 1 +; value at 1 of 3 levels$'
grep -q 'not affected' out && fail "a result with one value counts as not affected"

finish
