# Every case of the project: verify finds its known numbers, check says of every other one that it can be assembled, and the
# same file gives the same bytes twice.
. "$SOURCE/tests/cli/lib.bash"

# Numbers of all cases, in one run; with sanitizers of every fourth one.
files=("$SOURCE"/cases/*/*.yaml)
if ((${GDYN_SANITIZED:-0})); then
    for number in "${!files[@]}"; do
        ((number % 4)) && unset "files[$number]"
    done
fi
expect 0 verify "${files[@]}"
[ "$(grep -Ec '^  [0-9]+ of [0-9]+ checks? passed$' out)" -ge ${#files[@]} ] || fail "not every case has checks"
silent err
number=0
for file in "${files[@]}"; do
    number=$((number + 1))
    ((number % 2)) && continue
    name=${file%/*} name=${name##*/}
    [ "${file##*/}" = case.yaml ] || continue
    code=0
    [ "$name" != four_bar_parallel ] || code=1 # its second path ends in a singular pose on purpose
    expect $code check --no-pictures "$file"
    if grep -q '^machine:\|^include:' "$file"; then
        says out '^  mobility  '
        says out '^  first guess '
    else
        says out '^  objectives +[23]   minimize f1, minimize f2'
    fi
done
expect 0 check --no-pictures "$SOURCE/cases/zdt1/case.yaml" --json
says out '"objectives": \['
# Regions of all cases: invariance.sh, formalisms.sh. One case leads the robot to where its cables cannot hold it.
expect 1 regions "$SOURCE/cases/cogiro/case.yaml" --no-pictures -o cogiro -q
silent err
[ -s cogiro/regions.csv ] || fail "no regions.csv"
[ -s cogiro/regions.json ] || fail "no regions.json"

star=star.yaml
sed 's/points: 201/points: 21/' "$SOURCE/cases/four_slider_star/case.yaml" >$star
expect 0 regions "$star" --no-pictures -o once --json --threads 3
cp out document
expect 0 regions "$star" --no-pictures -o twice --json --threads 1
cmp -s document out || fail "two runs differ"
cmp -s document once/regions.json || fail "--json and regions.json differ"
cmp -s once/regions.csv twice/regions.csv || fail "two tables differ"
for threads in 1 3; do
    expect 0 traverse "$star" --no-pictures -o "motion$threads" --json --threads $threads
    cp out "motion$threads.json"
done
cmp -s motion1.json motion3.json || fail "motions depend on the number of threads"
cmp -s motion1/traverse.csv motion3/traverse.csv || fail "tables of motions depend on the number of threads"

# Moving a parameter changes the answer; naming the file's own value does not.
expect 0 regions "$star" --no-pictures -o same --json --set "leg=650 mm"
cmp -s document out || fail "--set with the file's own value changes the answer"
expect 0 regions "$star" --no-pictures -o other --json --set leg=0.7
cmp -s document out && fail "--set leg=0.7 changes nothing"

# All methods and reductions find the same area.
for method in '--method elementary' '--method tuples' '--method lp' '--reduction null'; do
    expect 0 regions "$star" --trajectory circle $method --no-pictures -o m -q
    says out '^area common to all points +1/s\^3 +[1-9]'
    grep '^area common' out >>areas
done
[ "$(sort -u areas | wc -l)" -eq 1 ] || fail "methods and reductions differ: $(cat areas)"

# A place between the points of the path: numbers from an independent model (reference data).
star=$SOURCE/cases/four_slider_star/case.yaml
expect 0 regions "$star" --trajectory circle --at 0,0.5,1.5,3,5 --no-pictures -o at
says out '^circle at p = 0: ok, .* at rest d2 in \[-845\.055, 713\.922\] 1/s\^2; d1 in 1/s'
says out '^circle at p = 1.5: ok, .* at rest d2 in \[-763\.827, 740\.142\] 1/s\^2; d1 in 1/s'
says out '^circle at p = 5: ok, .* at rest d2 in \[-739\.704, 599\.238\] 1/s\^2; d1 in 1/s'
expect 0 regions "$star" --trajectory circle --at 0.5 --no-pictures -o at --json
says out '"at": \['
grep -q '"-\?inf\|nan' out && fail "JSON holds inf or nan"

# check --json says the same as check.
expect 0 check --no-pictures "$star" --json
says out '"mobility": 3,'
says out '"gruebler": 3,'
says out '"redundant_constraints": 0,'
says out '"drive_redundancy": 1,'
says out '"loops": 3,'
says out '"reach": 1\.0,'

expect 0 check --no-pictures "$SOURCE/cases/parallelogram/case.yaml"
says out '^  mobility +1 +Gruebler count -6'
says out '^  redundant constraints +7 +singular values .* at the cut, gap'

finish
