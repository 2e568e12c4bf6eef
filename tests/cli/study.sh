# globdyn evaluate and globdyn study: what is in a study file, and that it comes out again.
. "$SOURCE/tests/cli/lib.bash"

sed -e 's/points: 201/points: 41/' -e 's/accel >= 50/accel >= 10/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
expect 0 optimize star.yaml --no-pictures --population 16 --evaluations 48 --seed 3 -o results/star
cp out summary

# --- evaluate ---------------------------------------------------------------------------------
expect 0 evaluate star.yaml
says out '^  status +ok'
says out '^  constraints reach +1 >= 1 +kept'
says out 'drive-dependent: rail1'
expect 1 evaluate star.yaml --set "leg=590 mm" --set "rail=600 mm" --set "half=20 mm" --json
says out '"status": "unassembled"'
says out '"reason": "(circle|offset): not assembled'
cat >plain.yaml <<'END'
format: 1
name: cart
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies: {cart: {mass: 2 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}}
  joints: {rail: {type: prismatic, of: [cart.P, ground.O], axis: [1, 0]}}
  drives: {push: {at: rail, force: {limit: 4 N}}}
trajectories:
  line: {of: cart.P, p: [0, 1], path: {x: p}, points: 5}
END
expect 0 evaluate plain.yaml # no design variables, no objectives; accel = F/m, time = 2 sqrt(m/F)
says out 'accel +2 '
says out 'time +1.4142136 s'

# A path out of reach: told even though no formula needs it; without formulas the status says so.
sed 's/^trajectories:/&\n  across: {of: cart.P, p: [0, 1], path: {x: p, y: 1}, points: 5}/' plain.yaml >across.yaml
expect 1 evaluate across.yaml
says out '^  status +unassembled: across: not assembled at p = 0, 0.0 % of the points are reached'
says out '^  not passed +across: not assembled at p = 0'
cat >>across.yaml <<'END'
parameters: {pull: 4 N}
design: {pull: {min: 1 N, max: 9 N}}
optimize:
  objectives: {quick: {minimize: line.time}}
END
expect 0 evaluate across.yaml
says out '^  status +ok$'
says out '^  not passed +across: not assembled at p = 0, 0.0 % of the points are reached'
expect 0 evaluate across.yaml --json
says out '"across": "across: not assembled at p = 0'
# A weight that no drive holds.
cat >heavy.yaml <<'END'
format: 1
name: heavy
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [-1, 0]}}
  bodies: {cart: {mass: 2 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}}
  drives: {push: {between: [cart.P, ground.O], force: {limit: 4 N}}}
trajectories:
  line: {of: cart.P, p: [0, 1], path: {x: p, y: 0, angle: 0}, points: 5}
END
expect 1 evaluate heavy.yaml
says out '^  status +closed-region: line: nothing is accessible at p = 0 and 5 of 5 points'

# The criteria of the fastest motion come out of the other reduction, too (verify takes the SVD).
expect 0 evaluate star.yaml
awk 'BEGIN { print "format: 1\nname: criteria\ninclude: [star.yaml]\nexpect:" }
     /^  [a-z]/ { owner = $1 } /^  constraints/ { next }
     owner ~ /^(circle|offset)$/ && $0 ~ / (time|peak_force|rms_force|energy|singular) / {
         for (i = 1; $i !~ /^(time|peak_force|rms_force|energy|singular)$/;) i++
         printf "  - {quantity: %s.%s, value: %s, tolerance: %g, source: evaluate}\n", owner, $i, $(i + 1),
             1e-6 * ($(i + 1) + 1) }' out >criteria.yaml
[ "$(grep -c quantity criteria.yaml)" -eq 10 ] || fail "evaluate does not show all criteria of motions"
expect 0 verify criteria.yaml

# --- list, show, front, export ----------------------------------------------------------------
expect 0 study list
says out '^results/star/study.db +48 .*finished: all evaluations used'
expect 0 study show star
says out 'state: finished'
grep -vE '^(written|pictures)' summary >expected
grep -vE '^(state|made with)' out | cmp -s - expected || fail "study show is not what optimize printed"
expect 0 study front star --json
cmp -s out results/star/front.json || fail "study front --json is not front.json"
expect 0 study front star --csv
cmp -s out results/star/front.csv || fail "study front --csv is not front.csv"
expect 0 study front results/star # three lines of heads: names, senses, units
[ "$(wc -l <out)" -eq $(($(wc -l <results/star/front.csv) + 2)) ] || fail "study front has other rows"
says out '^ +\[1/s\^3\] +\[s\] +\[kg\] +\[m\]'
expect 0 study export results/star/study.db -o all.csv
cut -d, -f1-10 all.csv | cmp -s - <(cut -d, -f1-10 results/star/designs.csv) ||
    fail "study export has other designs"
says all.csv 'circle.area,.*offset.singular'
expect 0 study export star --json
says out '"nondominated": true'

# --- case: every value comes out again, bit for bit, from another folder ----------------------
# (A study has the distances to singular poses only where a formula names them.)
mkdir elsewhere
apart='"(id|singularity|constraint_singularity)":'
numbers=(7 41)
((${GDYN_SANITIZED:-0})) && numbers=(41)
for n in "${numbers[@]}"; do
    expect 0 study show star $n --json
    grep -vE "$apart" out >shown
    rm -f elsewhere/design.yaml
    expect 0 study case star $n -o elsewhere/design.yaml
    (cd elsewhere && "$GLOBDYN" evaluate design.yaml --json | sed '/^ "trajectories": {/,/^ },/d' | grep -vE "$apart" >../again)
    if grep -q '"status": "\(ok\|infeasible\)"' shown; then
        cmp -s shown again || fail "design $n does not come out again"
    else
        grep '"failure"' shown | cmp -s - <(grep '"failure"' again) || fail "design $n fails otherwise"
    fi
done

# --- compare, check ---------------------------------------------------------------------------
expect 0 study compare star 0 7
says out '^  mass .* kg'
expect 0 optimize star.yaml --no-pictures --population 16 --evaluations 32 --seed 3 -o more
expect 0 study compare star more
says out '^more +32 '
expect 0 study check star
says out '^ok +12 of 12 designs evaluated again'

# --- damage -----------------------------------------------------------------------------------
checksums() { python3 "$SOURCE/tests/reference/checksums.py" "$@"; }
checksums verify results/star/study.db >out || fail "checksums by another program: $(cat out)"

# sql STATEMENT: alters the study `spoilt`, a fresh copy.
sql() {
    rm -rf spoilt && cp -r results/star spoilt
    python3 -c 'import sqlite3, sys; db = sqlite3.connect("spoilt/study.db"); db.executescript(sys.argv[1]); db.commit()' "$1"
}
star=(optimize star.yaml --no-pictures --population 16 --evaluations 48 --seed 3 -o spoilt)

# Each value that was altered is noticed by all who read it, and evaluated again on request: all look at the first alteration, study
# check and one more at each other one.
spoils=0
spoil() { # SQL PATTERN VERB...
    local pattern=$2 verb
    spoils=$((spoils + 1))
    ((${GDYN_SANITIZED:-0} && spoils % 3 == 0)) && return
    sql "$1"
    shift 2
    for verb in check "$@"; do
        if [ $verb = optimize ]; then
            expect 6 "${star[@]}"
            says err "damaged|another case or search"
        else
            expect 6 study $verb spoilt
            says err "$pattern"
        fi
    done
}
spoil 'UPDATE design SET "circle.area" = "circle.area" * 1.0000001 WHERE id = 0' 'checksums: 0 \[GD060\]$' front export show optimize
spoil 'UPDATE design SET "objective.area" = "abc" WHERE id = 7' 'checksums: 7 \[GD060\]$' front
spoil 'UPDATE design SET reason = "ok" WHERE id IN (3, 20)' 'checksums: 3, 20 \[GD060\]$' export
spoil 'UPDATE design SET id = 9999 WHERE id = 47' 'checksums: 9999 \[GD060\]$' optimize
spoil 'DELETE FROM design WHERE id = 40' 'it has 47 of 48 designs' show
spoil 'UPDATE meta SET value = "a: [" WHERE key = "case_text"' 'table meta does not have its checksum' optimize
spoil 'DELETE FROM meta' 'table meta' front
for damage in 'UPDATE design SET "objective.area" = 1 WHERE id IN (7, 8, 45); DELETE FROM design WHERE id = 40' \
    'UPDATE meta SET value = "a: [" WHERE key = "case_text"'; do
    [[ ${GDYN_SANITIZED:-0} != 0 && $damage == *case_text* ]] && continue
    sql "$damage"
    expect 0 "${star[@]}" --repair
    says err 'damaged|continuing'
    expect 0 study check spoilt
    for file in front.json designs.csv; do
        cmp -s spoilt/$file results/star/$file || fail "$file differs after the repair of: $damage"
    done
done

# What somebody altered together with its checksum is noticed by evaluating again, or by replaying the search.
sealed() { # SQL CODE PATTERN
    [[ ${GDYN_SANITIZED:-0} != 0 && $1 == *"design.leg"* ]] && return
    sql "$1"
    checksums seal spoilt/study.db
    expect "$2" study check spoilt
    cat out err >both
    says both "$3"
}
sealed 'UPDATE design SET "circle.area" = "circle.area" * 1.0000001 WHERE id = 0' 1 '^FAILED'
sealed 'UPDATE design SET "design.leg" = 0.6 WHERE id = 20' 6 'not those of the search'
sealed 'UPDATE meta SET value = "a: [" WHERE key = "case_text"' 6 'spoilt/study.db: .*text of its case'
((${GDYN_SANITIZED:-0})) || sealed 'UPDATE meta SET value = "-5" WHERE key = "population"' 6 'spoilt/study.db: .*population'

# Other libraries, another processor.
sealed 'UPDATE meta SET value = "globdyn 0.0.1, another" WHERE key = "platform"' 0 '^ok'
expect 6 "${star[@]}"
says err "other libraries or on another processor: 'globdyn 0.0.1, another', not 'globdyn"
expect 0 "${star[@]}" --accept-other-machine
expect 0 "${star[@]}" # both are named in the file now
expect 0 study show spoilt
says out '^made with: globdyn 0.0.1, another$'
says out '^continued with: globdyn .*OpenBLAS'

# Both at once: each option lifts its own refusal, a refused run changes nothing.
if ! ((${GDYN_SANITIZED:-0})); then
    sealed 'UPDATE meta SET value = "globdyn 0.0.1, another" WHERE key = "platform"' 0 '^ok'
    python3 -c 'import sqlite3; db = sqlite3.connect("spoilt/study.db"); db.execute("UPDATE meta SET value = value || 1 WHERE key = \"case_text\""); db.commit()'
    expect 6 "${star[@]}" --accept-other-machine
    says err 'meta does not have its checksum'
    expect 6 "${star[@]}" --repair
    says err 'other libraries or on another processor'
    expect 6 "${star[@]}"
    says err 'meta does not have its checksum'
    expect 0 "${star[@]}" --repair --accept-other-machine
    expect 0 "${star[@]}"
    cmp -s spoilt/front.json results/star/front.json || fail "front.json differs after both"
fi

: >spoilt/study.db
expect 6 study check spoilt
says err 'no tables'

# --- choices are shown by their names ----------------------------------------------------------
expect 0 optimize "$SOURCE/cases/five_bar_catalogue/case.yaml" --no-pictures --population 4 \
    --evaluations 4 -o choices
says out 'at .*material = (steel|aluminium|carbon)'
expect 0 study front choices
says out ' (steel|aluminium|carbon) '
expect 0 study compare choices 0 1
says out '^  material +aluminium '
expect 0 study show choices 0 --json
says out '"material": "aluminium"'

# --- what nothing bounds: a cart without friction or a limit of speed, in text, JSON, table and archive ---
{
    sliding_cart | sed 's/limit: 20 N/limit: F/'
    cat <<'YAML'
trajectories:
  way: {p: [0, 1 m], joints: {rail: p}, points: 11}
parameters: {F: 20 N}
design: {F: {min: 10 N, max: 20 N}}
optimize: {objectives: {quick: {maximize: way.accel}}}
YAML
} >free.yaml
expect 0 evaluate free.yaml
says out '^  way +area +unbounded$'
says out '^ +speed +unbounded$'
expect 0 evaluate free.yaml --json
tr -d ' \n' <out >flat
says flat '"speed":null,'
says flat '"unbounded":\["way.area","way.area_mean","way.d1_max","way.speed"\]'
expect 0 regions free.yaml --json --no-pictures
tr -d ' \n' <out >flat
says flat '"unbounded":\["area","area_mean","d1_max","speed"\]'
expect 0 optimize free.yaml --evaluations 6 --no-pictures -q -o free
expect 0 study show free 0
says out '^ +speed +unbounded$'
expect 0 study show free 0 --json
says out '"way.speed"$'
expect 0 study compare free 0 1
says out '^ +way.speed +unbounded +unbounded '
expect 0 study export free
says out '^0,ok,.*,inf,inf,inf,inf,10,'
expect 0 study check free
sed -i 's/way.accel/way.speed/' free.yaml
expect 1 evaluate free.yaml
says out "status +failed: way: 'speed' is unbounded"

# --- what cannot be ---------------------------------------------------------------------------
expect 5 study show nowhere
says err "there is no study 'nowhere'"
expect 2 study show star 48
says err 'designs 0 to 47'
expect 2 study compare star 0 7 --json
says err 'compare does not accept --json'
expect 2 study case star 0 --csv
expect 2 study show star 0 -o x.txt
says err 'without --json'
expect 2 study shwo star
says err "did you mean 'show'"
expect 2 study compare star 0 48
says err 'designs 0 to 47'
expect 5 study compare star 0
expect 5 study show star.yaml
says err "'star.yaml' is a case file, no study"
says err "its study is 'star'"
cp star.yaml plain.txt
expect 6 study show plain.txt
says err 'not a study'
finish
