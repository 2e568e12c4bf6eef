# globdyn study pick and limit on designs whose best one is known in closed form; optimize --from: designs that are taken
# over are those that an evaluation gives, bit by bit.
. "$SOURCE/tests/cli/lib.bash"

# x = 0, 0.1, ..., 1; the front is f2 = (1 - x)^2 over f1 = x (curve) or f2 = 1 - x^2 (bulge).
case_of() {
    cat <<END
format: 1
name: $1
parameters: {x: 0.5}
design: {x: {min: 0, max: 1}}
optimize:
  objectives: {f1: {minimize: x}, f2: {minimize: $2}}
  constraints: {$3}
END
}
case_of curve '(1 - x)^2' 'any: x <= 2' >curve.yaml
case_of bulge '1 - x^2' 'any: x <= 2' >bulge.yaml
case_of none '(1 - x)^2' 'low: x <= 0.32, high: x >= 0.58' >none.yaml
for name in curve bulge none; do
    expect 0 sweep $name.yaml --method grid --levels 11 --no-pictures -o $name
done

# chosen X: the last document chose the design at that x.
chosen() {
    got=$(sed -n '/"design": {/,$ s/^ *"x": \([0-9.eE+-]*\).*/\1/p' out)
    awk -v a="$got" -v b="$1" 'BEGIN { exit !(a != "" && a - b < 1e-9 && b - a < 1e-9) }' || fail "chose x = $got, not $1"
}

# --- pick -------------------------------------------------------------------------------------
# The knee: (1 - f1 - f2) / sqrt 2 is greatest at x = 0.5, 0.25 / sqrt 2.
expect 0 study pick curve --knee --json
chosen 0.5
says out '"score": 0\.17677669'
expect 0 study pick bulge --knee --json
says out '"rule": "balance"'
expect 0 study pick bulge --knee
says out '^no knee: '
# max(3 x, (1 - x)^2): 0.64 at 0.2; equal weights: max(x, (1 - x)^2) is 0.4 at 0.4
expect 0 study pick curve --weights f1=3,f2=1 --json
chosen 0.2
expect 0 study pick curve --weights f1=1,f2=1 --json
chosen 0.4
expect 0 study pick curve --json
chosen 0.4
# one weight alone: the best in that objective
expect 0 study pick curve --weights f2=1 --json
chosen 1
# a concave part is reached by weights: max(w x, 1 - x^2) with w = 1: x = 0.6 (0.64)
expect 0 study pick bulge --weights f1=1,f2=1 --json
chosen 0.6
# an equality within its tolerance holds from 0.3 to 0.7, beside a filter too
case_of wide '(1 - x)^2' 'near: {require: x = 0.5, tolerance: 0.25}' >wide.yaml
expect 0 sweep wide.yaml --method grid --levels 11 --no-pictures -o wide
expect 0 study pick wide --weights f2=1 --json
chosen 0.7
expect 0 study pick wide --weights f2=1 --filter 'x <= 0.45' --json
chosen 0.4
# targets: reached by x <= 0.3, of which 0.3 loses least; missed by 0.3 at x = 0.4
expect 0 study pick curve --target f1=0.35 --json
chosen 0.3
says out '"score": 0\.0'
expect 0 study pick curve --target f1=0.1 --target f2=0.1 --json
chosen 0.4
says out '"score": 0\.3'
expect 0 study pick curve --target f1=0.1 --target f2=0.1
says out 'the largest shortfall is 30 % of the range'
says out '^  less f1 +design [0-9]+: f1 -0.1 \(-10.0 %\), f2 \+0.13 '
says out '^  less f2 +design [0-9]+: f2 -0.11 '
# filters: x = 0.6 ... 1; losses are shares of their ranges: x - 0.6 over 0.4, (1 - x)^2 over 0.16
expect 0 study pick curve --filter "x >= 0.55" --knee --json
chosen 0.8
expect 0 study pick curve --filter "x >= 0.35" --filter "x^2 <= 0.2" --json
chosen 0.4
expect 1 study pick curve --filter "x >= 3"
says out 'satisfies all constraints and filters'
says out '^  filter1 +never satisfied, best 1 where >= 3 is required'

# Nothing is feasible: how far one limit alone would have to give way.
expect 1 study pick none
says out '^no feasible design was found'
says out '^  low +satisfied by 4 of '
says out '^ +all others are satisfied where it is 0.6 '
says out '^ +all others are satisfied where it is 0.3 '
expect 1 study pick none --json
says out '"alone": 0.6'

# A weight is read to its end, however long it is.
expect 0 study pick curve --weights "f2=1,f1=0.$(printf '%070d' 3)e70" --json
chosen 0.2
expect 2 study pick curve --weights "f1=$(printf '%070d' 1) m"
says err 'f1|weight'
# Names that YAML would take for something else, and of the largest length, in both the objectives and the constraints.
long=$(printf '%060d' 7)
cat >names.yaml <<END
format: 1
name: names
parameters: {x: 0.5}
design: {x: {min: 0, max: 1}}
optimize:
  objectives: {"a\u2028b": {minimize: x}, "-": {minimize: (1 - x)^2}, $long: {maximize: x}}
  constraints: {"c\uFEFFd": x >= 0.2, $long: x <= 0.75, "no": {require: x = 0.4, tolerance: 0.5}}
END
expect 0 sweep names.yaml --method grid --levels 11 --no-pictures -o names
expect 0 study pick names --weights=-=1 --filter "x <= 0.65" --json
chosen 0.6
expect 0 study limit names $long --json
python3 -c '
import json
best = [l["best"]["-"]["value"] for l in json.load(open("out"))["levels"]]
assert min(best) < 0.0101, best' || fail "the cost of a limit of a long name"
expect 0 study limit names "$(printf 'c\xef\xbb\xbfd')" --levels 3

# Bad input.
expect 2 study pick curve --weights f1=1,f3=1
says err "'f3' is not an objective of the study"
says err 'its objectives: f1, f2'
expect 2 study pick curve --weights f1=-1
says err 'is negative'
expect 2 study pick curve --weights f1=0
says err 'one weight must be above zero'
expect 2 study pick curve --target f1
expect 2 study pick curve --knee --target f1=1
says err 'exclude each other'
expect 2 study pick curve --filter "y >= 1"
says err "filter: unknown name 'y'"
expect 2 study pick curve --target f1
says err "^globdyn: error: --target needs OBJECTIVE=VALUE, not 'f1' \[GD071\]$"
expect 2 study pick curve --filter ''
says err '--filter needs FORMULA'
expect 2 study pick curve --filter x
says err 'a constraint has exactly one of'
expect 2 study pick curve 12
says err 'takes nothing but STUDY'
expect 2 study pick curve --filter "x"
expect 2 study show curve --knee
says err 'does not accept --knee'
expect 2 study pick curve --csv

# --- limit ------------------------------------------------------------------------------------
# Most of f over x <= b is f(b): 3 b, at every level.
cat >cost.yaml <<'END'
format: 1
name: cost
parameters: {x: 0.5, y: 0.5}
design: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}
optimize:
  objectives: {f: {maximize: 3*x}}
  constraints: {cap: x <= 0.35, other: y <= 0.6, same: x = x}
END
expect 0 sweep cost.yaml --method grid --levels 11 --no-pictures -o cost
expect 0 study limit cost cap --json
cat >levels.py <<'END'
import json
levels = json.load(open('out'))['levels']
stated = [l for l in levels if l['stated']]
assert len(stated) == 1 and stated[0]['limit'] == 0.35 and abs(stated[0]['best']['f']['value'] - 0.9) < 1e-12, stated
others = [l for l in levels if not l['stated']]
assert len(others) == 11 and all(abs(l['best']['f']['value'] - 3 * l['limit']) < 1e-12 for l in others), others
limits = [l['limit'] for l in levels]
assert limits == sorted(limits, reverse=True)
volumes = [l['hypervolume'] for l in levels]
assert all(a >= b for a, b in zip(volumes, volumes[1:]))
END
/usr/bin/python3 levels.py || fail "the cost of the limit is not 3 b"
expect 0 study limit cost cap --levels 3
says out 'given$'
expect 2 study limit cost nothing
says err "no constraint 'nothing'"
expect 2 study limit cost same
says err 'is an equality'

# Further searches against closed forms at every limit b that the table has.
# load (>=): least x^2 + 2 y^2 is 2 b^2 / 3, at x = 2 y; x is at its bound 2 from b = 3 on.
cat >load.yaml <<'END'
format: 1
name: load
parameters: {x: 1, y: 1}
design: {x: {min: 0, max: 2}, y: {min: 0, max: 2}}
optimize:
  objectives: {f: {minimize: x^2 + 2*y^2}, g: {minimize: (x - 2)^2 + y^2}}
  constraints: {load: x + y >= 1}
  algorithm: {name: nsga2, population: 12}
  stop: {evaluations: 60}
END
expect 0 optimize load.yaml --no-pictures -o load
"$GLOBDYN" study export load >load.csv
expect 0 study limit load load --search 2400 --threads 2 --json
cat >found.py <<'END'
import json, sys
def load(b):
    return {'f': 2*b*b/3 if b <= 3 else 4 + 2*(b - 2)**2, 'g': max(b - 2, 0)**2}
# Most of 4 x - x^2 + 2 y and least (x - 1)^2 + (y - 2)^2, x <= 1 (a bound), y <= 1.2 (a constraint).
def budget(b):
    g = 1 + (2 - b)**2 if b <= 1 else (3 - b)**2/2 if b <= 1.4 else max(2.2 - b, 0)**2 + 0.64
    return {'w': 4*b - b*b if b <= 1 else 3 + 2*min(b - 1, 1.2), 'g': g}
answer = json.load(open('out'))
name, least = sys.argv[1], int(sys.argv[2])
solved = 0
for level in answer['levels']:
    for k, right in globals()[name](level['limit']).items():
        found = level['best'][k]
        off = (found['value'] - right) * (-1 if k == 'w' else 1)
        assert off >= -1e-9 * abs(right), (k, level, right)
        assert off <= 2e-5 or not found['converged'], (k, level, right)
        solved += found['converged']
assert sum(l['stated'] for l in answer['levels']) == 1
assert solved >= least, solved
assert sum(s['evaluated'] for s in answer['searches']) <= 2400
END
/usr/bin/python3 found.py load 24 || fail "the further search does not find 2 b^2 / 3"
cp out before
"$GLOBDYN" study export load | cmp -s - load.csv || fail "a further search changes the study"
for one in f_11 g_11; do
    expect 0 study check load/levels_load_$one
done
# Once more: nothing is evaluated again; the same designs with one thread.
expect 0 study limit load load --search 2400 --threads 1 --json
says err '^continuing load/levels_load_f_11/study.db: '
cmp -s out before || fail "a further search that is repeated answers otherwise"
if ! ((${GDYN_SANITIZED:-0})); then
    rm -r load/levels_load_*
    expect 0 study limit load load --search 2400 --threads 1 --json
    cmp -s out before || fail "a further search depends on threads"
fi
# A search that is too short says which limits are open; a greater one goes on.
expect 0 study limit load load --search 20 --levels 3
says out '^searched: f: 10 further designs \(load/levels_load_f_3\), all evaluations used$'
says out '  not converged: f, g$'
expect 0 study limit load load --search 30 --levels 3
says out '^searched: f: 15 further designs \(load/levels_load_f_3\), all evaluations used$'
# budget (<=), with a maximized objective, another active constraint and a variable at its bound.
sed -e 's/^name: load/name: budget/' -e 's/x: {min: 0, max: 2}/x: {min: 0, max: 1}/' \
    -e 's/  objectives: .*/  objectives: {w: {maximize: 4*x - x^2 + 2*y}, g: {minimize: (x - 1)^2 + (y - 2)^2}}/' \
    -e 's/  constraints: .*/  constraints: {budget: x + y <= 1.5, other: y <= 1.2}/' load.yaml >budget.yaml
expect 0 optimize budget.yaml --no-pictures -o budget
expect 0 study limit budget budget --search 2400 --levels 7 --json
/usr/bin/python3 found.py budget 14 || fail "the further search of a maximized objective"
# A stated limit that no design keeps.
sed 's/load: x + y >= 1/load: x + y >= 4.5/' load.yaml >beyond.yaml
expect 1 optimize beyond.yaml --no-pictures -o beyond
expect 0 study limit beyond load --search 400 --levels 3
says out ' 4\.5 .* - .*   given   not met: f, g$'
expect 2 study limit load load --threads 2
says err 'does not accept --threads without --search'
expect 2 study pick load --search 5
says err 'does not accept --search'

# --- optimize --from --------------------------------------------------------------------------
# Some designs of these bounds cannot be assembled.
sed -e 's/points: [0-9][0-9]*/points: 7/' -e '/^expect:/,$d' -e 's/  algorithm: .*/  algorithm: {name: surrogate, seed: 5}/' \
    "$SOURCE/cases/five_bar3/case.yaml" >old.yaml
sed -e 's/gap:   {min: 100 mm, max: 500 mm}/gap:   {min: 150 mm, max: 450 mm}/' -e 's/accel >= 300/accel >= 400/' \
    -e 's/mass: {minimize: mass}/quick: {maximize: oval.speed}/' old.yaml >new.yaml
expect 0 optimize old.yaml --evaluations 60 --no-pictures -o old
expect 2 study pick old --target "mass=3 m"
says err 'the unit m does not fit'
expect 0 study pick old --target "mass=1900 g"
says out ' 1.9 kg$'
expect 0 optimize new.yaml --evaluations 12 --no-pictures -o new --from old
says err '^[0-9]+ of 60 designs of old are taken over; not: .*outside the bounds'
taken=$(sed -n 's/^\([0-9]*\) of 60 designs.*/\1/p' err)
[ "$taken" -ge 10 ] || fail "only $taken designs are taken over"
[ "$(designs new)" -eq $((taken + 12)) ] || fail "$taken designs and 12 more are not $(designs new)"
expect 0 study check new
# A fresh evaluation of the same designs, as a warm start.
"$GLOBDYN" study export new >adopted.csv
head -n "$((taken + 1))" adopted.csv | sed '2d' >starts.csv
expect 0 optimize new.yaml --evaluations "$taken" --no-pictures -o fresh --warm-start starts.csv
"$GLOBDYN" study export fresh >fresh.csv
strip() { # without the front, which later designs change
    head -n "$taken" "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "nondominated") n = i } { $n = ""; print }'
}
[ "$(strip adopted.csv)" = "$(strip fresh.csv)" ] || fail "designs that were taken over differ from evaluated ones"
# The same command continues, whatever the number of threads.
expect 0 optimize new.yaml --evaluations 16 --no-pictures -o new --from old --threads 1
expect 0 optimize new.yaml --evaluations 16 --no-pictures -o whole --from old --threads 2
"$GLOBDYN" study export new >a.csv
"$GLOBDYN" study export whole >b.csv
cmp -s a.csv b.csv || fail "a continued search with designs taken over gives other designs"
# More designs than the population; failed designs apply where the formulas name the same values.
sed 's/accel >= 300/accel >= 500/' old.yaml | sed 's/name: surrogate/name: nsga2, population: 8/' >same.yaml
expect 0 optimize same.yaml --evaluations 16 --no-pictures -o same --from old
says err '^60 of 60 designs of old are taken over$'
expect 0 study check same
# A variable fewer: only designs with the value of the case. Another machine: none.
sed '/^  rod:   {min/d' new.yaml >fewer.yaml
expect 0 optimize fewer.yaml --evaluations 6 --no-pictures -o fewer --from old
says err 'with another value of a parameter'
sed 's/crank_mass: 0.6 kg/crank_mass: 0.7 kg/' new.yaml >heavier.yaml
cmp -s heavier.yaml new.yaml && fail "the machine was not changed"
expect 6 optimize heavier.yaml --evaluations 6 --no-pictures -o heavier --from old
says err "is a study of another machine, none of its designs applies: 'crank_mass: "
# What differs is shown, however long the line before it is.
long=$(printf '%090d' 0 | tr 0 1)
for value in 1 2; do
    case_of "long$value" "(1 - x)^2 + 0*$long*$value" 'any: x <= 2' >"long$value.yaml"
    sed -i "s/x: 0.5}/x: 0.5, y: 0*$long + $value}/" "long$value.yaml"
done
expect 0 sweep long1.yaml --levels 2 --no-pictures -o long1
expect 6 optimize long2.yaml --evaluations 6 --no-pictures -o long2 --from long1
says err "applies: '\.\.\.1+ \+ 1' and '\.\.\.1+ \+ 2'"
expect 2 optimize new.yaml --from old --warm-start starts.csv -o both
says err 'exclude each other'
expect 5 optimize new.yaml --from nowhere -o both

finish
