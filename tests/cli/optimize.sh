# globdyn optimize: files, repeatability, exit codes, interruption.
. "$SOURCE/tests/cli/lib.bash"

cat >zdt1.yaml <<'END'
format: 1
name: zdt1
parameters: {x1: 0.5, x2: 0.5, x3: 0.5, g: 1 + 4.5*(x2 + x3)}
design:
  x1: {min: 0, max: 1}
  x2: {min: 0, max: 1}
  x3: {min: 0, max: 1}
optimize:
  objectives: {f1: {minimize: x1}, f2: {minimize: g*(1 - sqrt(x1/g))}}
  constraints: {right: x1 >= 0.2}
  algorithm: {name: nsga2, population: 20, seed: 4}
  stop: {evaluations: 300}
END

expect 0 optimize zdt1.yaml -o one
says out '^zdt1: 300 designs in 15 generations'
says out '^start design: ok'
silent err
for file in front.csv front.json designs.csv history.csv front.gp front.dat parallel.gp \
    variables.gp history.gp failures.gp pictures.list; do
    [ -s "one/$file" ] || fail "there is no $file"
done
if command -v gnuplot >/dev/null; then
    [ -s one/front.png ] || fail "there is no front.png"
    [ -s one/front.svg ] || fail "there is no front.svg"
fi
[ "$(wc -l <one/designs.csv)" -eq 301 ] || fail "designs.csv has not one row per design"
says one/front.csv '^id,design.x1,design.x2,design.x3,objective.f1,objective.f2,constraint.right$'

# The same seed gives the same bytes, whatever the number of threads; another seed does not. (Nothing is drawn.)
PATH=$work/empty-path expect 0 optimize zdt1.yaml -o two --threads 3
PATH=$work/empty-path expect 0 optimize zdt1.yaml -o other --seed 5
for file in front.csv front.json designs.csv history.csv front.gp front.dat parallel.gp \
    variables.gp history.gp failures.gp pictures.list; do
    cmp -s "one/$file" "two/$file" || fail "$file differs between two runs"
done
cmp -s one/front.csv other/front.csv && fail "the seed does not matter"

# Limits of the command line, and the document on standard output.
expect 0 optimize zdt1.yaml -o three --evaluations 50 --population 10 --json --no-pictures
cmp -s out three/front.json || fail "--json does not print front.json"
says out '"evaluations": 50'
says out '"population": 10'
[ -e three/front.gp ] && fail "--no-pictures wrote a picture"
expect 2 optimize zdt1.yaml --population 3

# Where the case leaves the method open, the budget decides, and a study goes on as it began.
# (What is stated of generations ends these searches long before their budget.)
sed 's/name: nsga2, population: 20, seed: 4/seed: 4, batch: 24/; s/evaluations: 300/evaluations: 300, generations: 4/' zdt1.yaml >open.yaml
sed 's/name: nsga2, population: 20, seed: 4/name: surrogate, seed: 4, batch: 24/; s/evaluations: 300/evaluations: 300, generations: 4/' \
    zdt1.yaml >stated.yaml
expect 0 optimize open.yaml -o open --evaluations 40 --no-pictures
says err '^search: surrogate, population 96, for a budget of 40 designs and 2 objectives$'
says open/front.json '"algorithm": "surrogate"'
cp open/designs.csv begun.csv
expect 0 optimize open.yaml -o open --evaluations 510 --no-pictures
says err '^search: surrogate, population 96, as the study began .--restart would take hybrid, population 34, '
diff <(cut -d, -f1,2,6- begun.csv) <(head -41 open/designs.csv | cut -d, -f1,2,6-) || fail "an extended search has other first designs"
expect 0 study check open
expect 0 optimize stated.yaml -o stated --evaluations 510 --no-pictures
cmp -s stated/designs.csv open/designs.csv || fail "cut into two, the method that was chosen gives other designs"
expect 0 optimize open.yaml -o open --evaluations 510 --no-pictures --restart
says err '^search: hybrid, population 34, for a budget of 510 designs and 2 objectives$'

# A file of the time before the entry `method`: nsga2 was meant.
expect 0 optimize zdt1.yaml -o old --evaluations 60 --no-pictures
python3 - <<'END'
import sqlite3
with sqlite3.connect('old/study.db') as db:
    db.execute("UPDATE meta SET value = replace(value, 'name: nsga2', 'batch: 4') WHERE key IN ('key', 'case_text')")
    db.execute("DELETE FROM meta WHERE key = 'method'")
END
python3 "$SOURCE/tests/reference/checksums.py" seal old/study.db
sed 's/name: nsga2/batch: 4/' zdt1.yaml >unnamed.yaml
expect 0 study show old
says out 'generations, nsga2, population 20'
expect 0 optimize unnamed.yaml -o old --no-pictures
says err '^search: nsga2, population 20, as the study began'
cmp -s old/designs.csv one/designs.csv || fail "an old study does not go on with nsga2"

# Nothing feasible: the answer is no, and the files say why.
sed 's/x1 >= 0.2/x1 >= 2/' zdt1.yaml >never.yaml
expect 1 optimize never.yaml -o never --no-pictures
says out 'no feasible design'
says never/designs.csv "infeasible.*constraint 'right' is violated"

# One objective: one row, and how many designs have the same value (every one with x1 + x2 <= 1).
sed 's/^  objectives:.*/  objectives: {f: {minimize: "max(1, x1 + x2)"}}/; /^  constraints/d' zdt1.yaml >flat.yaml
expect 0 optimize flat.yaml -o flat --no-pictures
says out '^front: 1 design, '
says out '^[0-9]+ more designs have exactly this value; the first one is shown$'
[ "$(wc -l <flat/front.csv)" -eq 2 ] || fail "the front of one objective has several designs"
expect 0 study front flat
says out '^[0-9]+ more designs have exactly this value'

# Goals that cannot be are refused with their place.
sed 's/f1: {minimize: x1}/f1: {minimize: circle.area}/' zdt1.yaml >unknown.yaml
expect 3 optimize unknown.yaml -o unknown
says err '^unknown.yaml:9:[0-9]+: error'
sed '/^design/,/^  x3/d' zdt1.yaml >fixed.yaml
expect 3 optimize fixed.yaml -o fixed
says err 'no design variables'
sed 's/area: {maximize: circle.area}/quick: {minimize: circle.time}/; s/points: 201/points: 21/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
expect 0 optimize star.yaml -o quick --evaluations 12 --population 6 --no-pictures
says quick/front.csv 'circle.time'

# A machine: every design of the front has its regions and reactions.
expect 0 optimize "$SOURCE/cases/four_slider_star/case.yaml" -o star --evaluations 12 --population 6 --no-pictures
says out '^reactions: no joint is indeterminate'
says star/front.csv 'circle.area,.*offset.accel.*indeterminate_joints'
says star/front.json '"indeterminate": \[\]'

# SIGINT: what there is is written, exit code 130.
sed 's/evaluations: 300/evaluations: 100000000/; s/population: 20/population: 100/' zdt1.yaml >long.yaml
"$GLOBDYN" optimize long.yaml -o long --no-pictures --threads 1 >out 2>err &
child=$!
wait_for $child holds long 100 || fail "the search ended by itself" # the first generation is there
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 130 ] || fail "an interrupted search gave exit code $code"
[ -s long/front.csv ] || fail "an interrupted search wrote no front"
says out 'stopped by request'

# SIGINT as soon as it is caught, mostly before any design is there: the same code, and it goes on.
for try in $((${GDYN_SANITIZED:-0})) 2; do
    "$GLOBDYN" optimize "$SOURCE/cases/ups6/case.yaml" -o early$try --no-pictures --population 6 >out 2>err &
    child=$!
    until caught $child; do
        [ -d /proc/$child ] || break
    done
    kill -INT $child
    code=0
    wait $child || code=$?
    [ "$code" -eq 130 ] || fail "a search that was interrupted at its start gave exit code $code"
    says err '^interrupted: [0-9]+ designs are kept in early'
done

# SIGINT within the sample of a design with tolerances: the design is left after the machine at work, as if it had never been
# begun. One sample of 180,000 machines: it would be kept had it come to its end.
sampled() {
    sed "s/method: grid/method: sobol/; s/size: 2\$/size: $1/" "$SOURCE/cases/arm_tolerances/case.yaml"
}
at_work() { # a thread that evaluates designs has a tenth of a second of processor time, and SIGINT is caught
    caught $1 && cat /proc/$1/task/*/stat | awk -v main=$1 '$1 != main && $14 + $15 >= 10 { busy = 1 } END { exit !busy }'
}
sampled 90000 >vast.yaml
"$GLOBDYN" optimize vast.yaml --no-pictures --population 8 --threads 1 -o vast >out 2>err </dev/null &
child=$!
wait_for $child at_work $child || fail "a search over a vast sample ended by itself"
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 130 ] || fail "a search interrupted within a sample gave exit code $code"
says err '^interrupted: 0 designs are kept in vast'
expect 0 study check vast
# Some designs, then an interruption within a sample, then on: the same archive as in one go.
sampled $((${GDYN_SANITIZED:-0} ? 40 : 120)) >sampled.yaml
search=(optimize sampled.yaml --no-pictures --population 8 --threads 2 --evaluations 24)
"$GLOBDYN" "${search[@]}" -o left >out 2>err </dev/null &
child=$!
wait_for $child holds left 3 || fail "the search ended by itself"
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 130 ] || fail "a search interrupted within a sample gave exit code $code"
expect 0 study check left
expect 0 "${search[@]}" -o left
expect 0 "${search[@]}" -o unbroken
for file in front.json front.csv designs.csv; do
    cmp -s left/$file unbroken/$file || fail "interrupted within a sample and continued: $file differs"
done

# A smaller budget, or another stopping rule, neither hides designs of the study nor overwrites a better front.
expect 0 optimize zdt1.yaml -o kept --no-pictures
cp kept/front.csv whole.csv
expect 0 optimize zdt1.yaml -o kept --evaluations 100 --no-pictures
says err '300 designs exist already, more than requested; all of them count'
cmp -s whole.csv kept/front.csv || fail "a smaller budget overwrites the front"
expect 0 study check kept
says out '^ok +300 designs, numbered from 0 without a gap'
sed 's/evaluations: 300/generations: 2/' zdt1.yaml >short.yaml
expect 0 optimize short.yaml -o kept --no-pictures
cmp -s whole.csv kept/front.csv || fail "another stopping rule overwrites the front"
[ "$(designs kept)" -eq 300 ] || fail "designs are hidden"

finish
