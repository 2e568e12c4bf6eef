# globdyn sweep --method saltelli and morris: indices of sensitivity against closed forms.
. "$SOURCE/tests/cli/lib.bash"

# Ishigami's function (a = 7, b = 0.1) and Sobol's g-function with a = 0, 1, 4.5, 9, 99, 99; `flat` does nothing.
cat >forms.yaml <<'END'
format: 1
name: forms
parameters: {x1: 0, x2: 0, x3: 0, flat: 1}
design:
  x1: {min: -pi, max: pi}
  x2: {min: -pi, max: pi}
  x3: {min: -pi, max: pi}
  flat: {min: 0, max: 2}
optimize: {objectives: {ishigami: {minimize: sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)}}}
END
cat >g.yaml <<'END'
format: 1
name: g
parameters: {y1: 0.5, y2: 0.5, y3: 0.5, y4: 0.5, y5: 0.5, y6: 0.5}
design:
  y1: {min: 0, max: 1}
  y2: {min: 0, max: 1}
  y3: {min: 0, max: 1}
  y4: {min: 0, max: 1}
  y5: {min: 0, max: 1}
  y6: {min: 0, max: 1}
optimize:
  objectives:
    g:
      minimize: "abs(4*y1 - 2)*(abs(4*y2 - 2) + 1)/2*(abs(4*y3 - 2) + 4.5)/5.5*(abs(4*y4 - 2) + 9)/10*(abs(4*y5 - 2) + 99)/100*(abs(4*y6 - 2) + 99)/100"
END
cat >exact.py <<'END'
import csv, math, sys
a, b = 7, 0.1
p4, p8 = math.pi ** 4, math.pi ** 8
V = a * a / 8 + b * p4 / 5 + b * b * p8 / 18 + 0.5
V1, V2, V13 = 0.5 * (1 + b * p4 / 5) ** 2, a * a / 8, b * b * p8 * (1 / 18 - 1 / 50)
exact = {'x1': (V1 / V, (V1 + V13) / V), 'x2': (V2 / V, V2 / V), 'x3': (0, V13 / V), 'flat': (0, 0)}
v = [1 / 3 / (1 + c) ** 2 for c in (0, 1, 4.5, 9, 99, 99)]
total = math.prod(1 + x for x in v) - 1
for i, x in enumerate(v):
    exact[f'y{i + 1}'] = x / total, x / (1 + x) * (total + 1) / total
deviation = {'ishigami': math.sqrt(V), 'g': math.sqrt(total)}
seen = 0
for row in csv.DictReader(open(sys.argv[1])):
    for name, want in zip(('first', 'total'), exact[row['variable']]):
        value, low, high = (float(row[k]) for k in (name, name + '_low', name + '_high'))
        # within the interval, widened by a fifth of itself and a hundredth, and near
        room = 0.2 * (high - low) + 0.01
        assert low <= value <= high, row
        assert low - room <= want <= high + room and abs(value - want) < 0.03, (row, name, want)
    assert abs(float(row['deviation']) / deviation[row['result']] - 1) < 0.02, row
    assert row['droppable'] == str(int(exact[row['variable']][1] < 0.005)), row
    seen += 1
assert seen == int(sys.argv[2]), seen
END
expect 0 sweep forms.yaml --method saltelli --samples 512 --no-pictures -o forms
says out '^forms: 3073 designs, saltelli'
says out '^may be dropped: flat \(at most 1 % of the variance'
python3 exact.py forms/indices.csv 4 || fail "indices of Ishigami's function"
if ! ((${GDYN_SANITIZED:-0})); then
    expect 0 sweep g.yaml --method saltelli --samples 512 --no-pictures -o g
    says out '^may be dropped: y5, y6 '
fi
((${GDYN_SANITIZED:-0})) || python3 exact.py g/indices.csv 6 || fail "indices of Sobol's function"
for threads in 1 3; do
    expect 0 sweep forms.yaml --method saltelli --samples 64 --no-pictures -o again$threads --threads $threads
done
cmp -s again1/indices.csv again3/indices.csv || fail "the number of threads matters"
expect 0 sweep forms.yaml --method saltelli --samples 8 --variables x1,x2 --no-pictures -o some
[ "$(wc -l <some/indices.csv)" -eq 3 ] || fail "variables that are held have indices"
[ "$(wc -l <some/sweep.csv)" -eq 34 ] || fail "8 rows of 2 variables and the start are not 33 designs"

# Elementary effects. f = 3 u - 2 v over u in 0..2, v in -1..1: 6 and -4 without deviation; r q: mu = mean of the other
# one's levels times the range, sigma > 0; n is whole; the square root has no value below zero.
cat >lines.yaml <<'END'
format: 1
name: lines
parameters: {u: 1, v: 0, r: 0.5, q: 0.5, n: 2}
design:
  u: {min: 0, max: 2}
  v: {min: -1, max: 1}
  r: {min: 0, max: 1}
  q: {min: 0, max: 1}
  n: {min: 1, max: 3, integer: true}
optimize: {objectives: {f: {minimize: 3*u - 2*v}, product: {minimize: r*q + n}}}
END
expect 0 sweep lines.yaml --method morris --samples 60 --no-pictures -o lines
says out '^lines: 361 designs, morris'
says lines/indices.csv '^f,,u,60,0,(6|5\.99999+|6\.0000+)[0-9]*,'
says lines/indices.csv '^f,,v,60,0,-(4|3\.99999+|4\.0000+)[0-9]*,'
cat >effects.py <<'END'
import csv
rows = {(r['result'], r['variable']): r for r in csv.DictReader(open('lines/indices.csv'))}
value = lambda result, variable, column: float(rows[result, variable][column])
for variable in 'uv':
    assert value('f', variable, 'deviation') == 0 and value('f', variable, 'standard_error') == 0
for variable in 'rqn':
    assert value('f', variable, 'mean_amount') == 0
# the other factor is at 0, 1/3, 2/3 or 1: mean 1/2, deviation 0.373
for variable in 'rq':
    assert abs(value('product', variable, 'mean') - 0.5) < 4 * 0.373 / 60 ** 0.5
    assert 0.25 < value('product', variable, 'deviation') < 0.5
assert abs(value('product', 'n', 'mean') - 2) < 1e-12
assert all(r['droppable'] == '0' for r in rows.values())
END
/usr/bin/python3 effects.py || fail "elementary effects"
sed 's/r\*q + n/n/' lines.yaml >fewer.yaml
expect 0 sweep fewer.yaml --method morris --samples 10 --no-pictures -o fewer
says out '^may be dropped: r, q \(mu'
sed 's/r\*q + n/sqrt(r - 0.2)/' lines.yaml >holes.yaml
expect 0 sweep holes.yaml --method morris --samples 20 --no-pictures -o holes
says out 'left out, where a design has no value'
expect 0 sweep holes.yaml --method morris --samples 4 --seed 3 --no-pictures -o one
says out 'product: 1 trajector'
says out 'mu\* .* of one trajectory: its error is unknown'
grep -q nan out && fail "an effect of one trajectory has an error: $(grep -m 1 nan out)"
expect 0 sweep lines.yaml --method morris --samples 60 --no-pictures -o lines --json
says out '"nondominated"'
finish
