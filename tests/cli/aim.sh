# aim: of every objective, or --aim: the part of the front that is wanted. The designs depend on neither threads nor
# interruptions, and the study keeps what the command line said.
. "$SOURCE/tests/cli/lib.bash"

sed -e 's/points: [0-9][0-9]*/points: 7/' -e '/^expect:/,$d' -e '/^  algorithm:/d' -e '/^  stop:/d' \
    "$SOURCE/cases/five_bar3/case.yaml" >machine.yaml
cat >formulas.yaml <<'END'
format: 1
name: dtlz2
parameters: {c: pi/2, g: 1 + (x3 - 0.5)^2 + (x4 - 0.5)^2}
design: {x1: {min: 0, max: 1}, x2: {min: 0, max: 1}, x3: {min: 0, max: 1}, x4: {min: 0, max: 1}}
optimize:
  objectives: {area: {minimize: g*cos(c*x1)*cos(c*x2)}, dexterity: {minimize: g*cos(c*x1)*sin(c*x2)}, mass: {minimize: g*sin(c*x1)}}
END
with() {
    { cat "$4.yaml"; echo "  algorithm: {$1}"; echo "  stop: {$2}"; } >"$3.yaml"
}
with 'name: surrogate, seed: 2' 'evaluations: 40' surrogate formulas
kind=machine
((${GDYN_SANITIZED:-0})) && kind=formulas
with 'name: hybrid, population: 20, region: 0.2, seed: 2' 'evaluations: 140' hybrid $kind
with 'name: de, population: 20, lag: 1, seed: 2' 'evaluations: 96' de formulas
with 'name: nsga2, population: 12, seed: 2' 'evaluations: 96' nsga2 formulas
with 'name: nsga3, population: 12, seed: 2' 'evaluations: 96' nsga3 formulas
options=(--aim area=1 --aim dexterity=0.9 --aim mass=0.8)
threads=(1 3) methods=(surrogate hybrid de nsga2 nsga3) kills=(50)
((${GDYN_SANITIZED:-0})) && methods=(surrogate hybrid) kills=()
for name in "${methods[@]}"; do
    for count in "${threads[@]}"; do
        expect 0 optimize $name.yaml --threads $count --no-pictures -o $name$count "${options[@]}"
        "$GLOBDYN" study export $name$count >$name$count.csv
        cmp -s $name$count.csv ${name}1.csv || fail "$name: $count threads give other designs"
        cmp -s $name$count/front.json ${name}1/front.json || fail "$name: $count threads give another front"
    done
    says out '^aim: .*; nearest: design [0-9]+: '
    expect 0 study check $name$count
    expect 0 optimize $name.yaml --no-pictures -o plain --restart
    "$GLOBDYN" study export plain >plain.csv
    cmp -s plain.csv ${name}1.csv && fail "$name: the aim changes nothing"
done

# Three objectives without an aim: survivors of a first front that fills the population are told apart by neighbours, with
# whatever threads and after kills.
for count in "${threads[@]}"; do
    expect 0 optimize hybrid.yaml --threads $count --no-pictures -o apart$count
    "$GLOBDYN" study export apart$count >apart$count.csv
    cmp -s apart$count.csv apart1.csv || fail "hybrid: $count threads give other survivors"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $c["front"] == 20 { n++ } END { exit !(n > 5) }' \
    apart1/history.csv || fail "the first front does not fill the population"
for after in "${kills[@]}"; do
    "$GLOBDYN" optimize hybrid.yaml --no-pictures -q -o apart --threads 2 --restart >out 2>err </dev/null &
    pid=$!
    wait_for $pid holds apart $after
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    expect 0 optimize hybrid.yaml --no-pictures -o apart --threads 2
    "$GLOBDYN" study export apart | cmp -s - apart1.csv || fail "killed after $after designs: other survivors"
done

# Ended and continued, killed and continued: the same file.
expect 0 optimize hybrid.yaml --evaluations 70 --no-pictures -o long "${options[@]}"
expect 0 optimize hybrid.yaml --evaluations 140 --no-pictures -o long "${options[@]}"
"$GLOBDYN" study export long >long.csv
cmp -s long.csv hybrid1.csv || fail "a continued search with an aim gives other designs"
"$GLOBDYN" optimize hybrid.yaml --no-pictures -q -o killed --threads 2 "${options[@]}" >out 2>err </dev/null &
pid=$!
wait_for $pid holds killed 60
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
expect 0 optimize hybrid.yaml --no-pictures -o killed --threads 2 "${options[@]}"
"$GLOBDYN" study export killed >killed.csv
cmp -s killed.csv hybrid1.csv || fail "a killed search with an aim gives other designs"
# Another aim is another search.
expect 6 optimize hybrid.yaml --no-pictures -o killed
says err "it has 'aim: 1 0.9 0.8' where"

# The same from the case, in units.
cat >zdt.yaml <<'END'
format: 1
name: zdt
parameters: {g: 1 + 9*(x2 + x3)/2}
design: {x1: {min: 0 m, max: 1 m}, x2: {min: 0, max: 1}, x3: {min: 0, max: 1}}
optimize:
  objectives: {f1: {minimize: x1, aim: 300 mm}, f2: {maximize: "-g*(1 - sqrt(x1/(g * 1 m)))", aim: -0.2}}
  stop: {evaluations: 600}
END
expect 0 optimize zdt.yaml --no-pictures -o zdt
# Where the diagonal through (0.3, 0.2) meets f2 = 1 - sqrt(f1): 0.1381 of both ranges, which are 1.
says out '^aim: f1 = 0.3 m, f2 = -0.2; nearest: design [0-9]+: f1 = 0.438[0-9]* *, f2 = -0.33[78][0-9]*, short by at most 13.8 % of the range of the front$'
python3 -c 'import json; assert json.load(open("zdt/front.json"))["search"]["aim"] == {"f1": 0.3, "f2": -0.2}' ||
    fail "front.json lacks the aim"
expect 0 optimize zdt.yaml --no-pictures -o reached --aim f1=0.8m --aim f2=-0.6
says out '^aim: .*, reached$'

# Refused with the place and a remedy.
sed 's/, aim: -0.2//' zdt.yaml >one.yaml
expect 3 optimize one.yaml
says err "objective 'f2' has no aim, but another objective has"
sed 's/  stop:/  algorithm: {name: chebyshev}\n  stop:/' zdt.yaml >sweep.yaml
expect 3 optimize sweep.yaml
says err 'the method chebyshev takes no aim'
says err 'help: use nsga2, de, nsga3, hybrid, surrogate'
sed 's/, f2: .*}}/}/' zdt.yaml >single.yaml
expect 3 optimize single.yaml
says err 'with one objective there are no compromises'
sed 's/300 mm/3 kg/' zdt.yaml >unit.yaml
expect 3 optimize unit.yaml
says err 'unit.yaml:6:'
expect 2 optimize zdt.yaml -o other --aim f3=1
says err "'f3' is not an objective"
expect 2 optimize zdt.yaml -o other --aim f1=2kg
sed 's/, aim: [-0-9.]*\( mm\)*//g' zdt.yaml >none.yaml
expect 2 optimize none.yaml -o other --aim f1=0.5
says err "there is no finite value for 'f2'"
sed 's/  stop:/  algorithm: {name: nbi}\n  stop:/' none.yaml >sweep.yaml
expect 2 optimize sweep.yaml -o other --aim f1=0.5 --aim f2=-1
says err 'the method nbi with 2 objectives takes no aim'
sed 's/  stop:/  algorithm: {region: 2}\n  stop:/' zdt.yaml >region.yaml
expect 3 optimize region.yaml
says err "'region' must lie between 0 and 1"
finish
