# algorithm: {lag: N}: batches asked for before the results of the oldest are there. The designs depend on neither
# threads, nor times, nor interruptions.
. "$SOURCE/tests/cli/lib.bash"

sed -e 's/points: [0-9][0-9]*/points: 7/' -e '/^expect:/,$d' -e '/^  algorithm:/d' -e '/^  stop:/d' \
    "$SOURCE/cases/five_bar3/case.yaml" >base.yaml
# For the sanitizers formulas take the place of the machine, which other tests evaluate.
((${GDYN_SANITIZED:-0})) && cat >base.yaml <<'END'
format: 1
name: formulas
parameters: {g: 1 + (x3 - 0.5)^2}
design: {x1: {min: 0, max: 1}, x2: {min: 0, max: 1}, x3: {min: 0, max: 1}}
optimize:
  objectives: {a: {minimize: g*cos(pi/2*x1)}, b: {minimize: g*sin(pi/2*x1) + x2}}
END
with() {
    { cat base.yaml; echo "  algorithm: {$1}"; echo "  stop: {$2}"; } >"$3.yaml"
}
with 'name: surrogate, batch: 1, lag: 3, seed: 2' 'evaluations: 40' surrogate
with 'name: de, population: 20, lag: 2, seed: 2' 'evaluations: 120' de
with 'name: nsga2, population: 12, lag: 1, seed: 2' 'evaluations: 80' nsga2
with 'name: nsga3, population: 12, lag: 1, seed: 2' 'evaluations: 60' nsga3
# The sanitizers slow the designs down; what they look for shows itself with fewer runs.
threads=(1 3) methods=(surrogate de nsga2 nsga3) kills=(10 80)
((${GDYN_SANITIZED:-0})) && methods=(surrogate de) kills=(45)
for name in "${methods[@]}"; do
    for count in "${threads[@]}"; do
        expect 0 optimize $name.yaml --threads $count --no-pictures -o $name$count
        "$GLOBDYN" study export $name$count >$name$count.csv
        cmp -s $name$count.csv ${name}1.csv || fail "$name: $count threads give other designs"
        cmp -s $name$count/front.json ${name}1/front.json || fail "$name: $count threads give another front"
    done
    expect 0 study check $name$count
    "$GLOBDYN" study front $name$count --json | cmp -s - $name$count/front.json || fail "$name: read otherwise than written"
done
# Not the designs without a lag, but as many.
sed 's/, lag: 3//' surrogate.yaml >none.yaml
expect 0 optimize none.yaml --no-pictures -o none
"$GLOBDYN" study export none >none.csv
cmp -s none.csv surrogate1.csv && fail "the lag changes nothing"
[ "$(designs none)" -eq 40 ] && [ "$(designs surrogate1)" -eq 40 ] || fail "not 40 designs"
# With batches of one design, design k + 4 is made after design k: the first eight are the hypercube of both, the next
# one knows all of these in both.
[ "$(head -n 10 none.csv | cut -d, -f1,6-8)" = "$(head -n 10 surrogate1.csv | cut -d, -f1,6-8)" ] ||
    fail "the first designs differ"

# Ended in the middle and continued, killed and continued: the same file.
expect 0 optimize de.yaml --evaluations 60 --no-pictures -o de_long --threads 2
expect 0 optimize de.yaml --evaluations 120 --no-pictures -o de_long --threads 2
"$GLOBDYN" study export de_long >de_long.csv
cmp -s de_long.csv de1.csv || fail "a continued search with a lag gives other designs"
for after in "${kills[@]}"; do
    "$GLOBDYN" optimize de.yaml --no-pictures -q -o killed$after --threads 2 >out 2>err </dev/null &
    pid=$!
    wait_for $pid holds killed$after $after
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    expect 0 optimize de.yaml --no-pictures -o killed$after --threads 2
    "$GLOBDYN" study export killed$after >killed.csv
    cmp -s killed.csv de1.csv || fail "a search killed after $after designs gives other designs"
done

# Of a surrogate study what is there is read without fitting models: also one that was killed, whose batches are not whole.
"$GLOBDYN" optimize surrogate.yaml --no-pictures -q -o half --threads 2 >out 2>err </dev/null &
pid=$!
wait_for $pid holds half 21
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
expect 0 study show half
expect 0 study check half
expect 0 optimize surrogate.yaml --no-pictures -o half --threads 2
"$GLOBDYN" study export half >half.csv
cmp -s half.csv surrogate1.csv || fail "a killed surrogate search gives other designs"

# A rule that stops the search while batches are under way: these are completed, whoever evaluates.
with 'name: de, population: 20, lag: 3, seed: 2' 'evaluations: 400, generations: 6' stopped
for threads in 1 4; do
    expect 0 optimize stopped.yaml --threads $threads --no-pictures -o stopped$threads
    "$GLOBDYN" study export stopped$threads >stopped$threads.csv
done
cmp -s stopped1.csv stopped4.csv || fail "what is under way at the stop depends on threads"
expect 0 study check stopped4

# Methods that cannot refuse it.
with 'name: hybrid, lag: 1' 'evaluations: 40' hybrid
expect 3 optimize hybrid.yaml --no-pictures -o hybrid
says err "hybrid.yaml:[0-9]+:[0-9]+: error.*: the method hybrid does not use 'lag'"
says err '= help: it belongs to nsga2, de, nsga3, surrogate'
[ "$(grep -c "does not use 'lag'" err)" -eq 1 ] || fail "an error is printed twice"
with 'name: hybrid, lag: 0' 'evaluations: 12' hybrid
expect 0 optimize hybrid.yaml --no-pictures -o hybrid
# auto takes one that can.
with 'lag: 1' 'evaluations: 600, generations: 1' auto
expect 0 optimize auto.yaml --evaluations 600 --no-pictures -o auto --threads 2
says err '^search: de, population 40'
finish
