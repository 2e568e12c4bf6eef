# Searches that find nothing, or cannot: what was nearest, which constraints exclude each other, failures that
# every design shares; hypervolumes against one reference point.
. "$SOURCE/tests/cli/lib.bash"

# pair: x1 >= 0.6 and x1 <= 0.4; three: x1 + x2 >= 1.2, x1 <= 0.5, x2 <= 0.5 hold two at a time, never all
# three; never: x2 >= 2 at no design.
problem() {
    cat <<END
format: 1
name: $1
parameters: {x1: 0.5, x2: 0.5}
design: {x1: {min: 0, max: 1}, x2: {min: 0, max: 1}}
optimize:
  objectives: {f: {minimize: x1 + x2}, g: {maximize: $3}}
  constraints: {$2}
  algorithm: {name: nsga2, population: 20, seed: 1}
  stop: {evaluations: 120}
END
}
problem pair 'high: x1 >= 0.6, low: x1 <= 0.4, free: x2 <= 1' x2 >pair.yaml
expect 1 optimize pair.yaml -o pair --no-pictures
says out '^no feasible design was found'
says out '^nearest: design [0-9]+, infeasible'
says out '^  high +satisfied by [0-9]+ of 120 designs'
says out '^  no design satisfies all of: high, low$'
[ "$(grep -c 'satisfies all of' out)" -eq 1 ] || fail "more than one set excludes each other"
says pair/front.json '"never_together"'
problem three 'sum: x1 + x2 >= 1.2, one: x1 <= 0.5, two: x2 <= 0.5' x2 >three.yaml
expect 1 optimize three.yaml -o three --no-pictures
says out '^  no design satisfies all of: sum, one, two$'
problem never 'far: x2 >= 2, near: x1 >= 0' x2 >never.yaml
expect 1 optimize never.yaml -o never --no-pictures
says out '^  far +never satisfied, best (1|0\.9[0-9]*) where >= 2 is required'
grep -q 'satisfies all of' out && fail "a constraint that is never satisfied excludes no other"
nearest=$(sed -n 's/^nearest: design \([0-9]*\),.*/\1/p' out)
# the nearest design has the least violation of all
[ "$(tail -n +2 never/designs.csv | sort -t, -g -k3,3 | head -n 1 | cut -d, -f3)" = \
    "$(grep "^$nearest," never/designs.csv | cut -d, -f3)" ] || fail "another design is nearer"

# An empty front says so, and why.
expect 1 study front never
says out '^no feasible design was found'
says out '^  far +never satisfied'

# A case of a design does not overwrite.
expect 0 study case never 3 -o mine.yaml
cp mine.yaml before.yaml
expect 5 study case never 4 -o mine.yaml
says err "'mine.yaml' already exists and was not changed"
cmp -s mine.yaml before.yaml || fail "the case file was changed"

# What no design can have ends the search before it begins, with its place.
sed -e 's/, stiffness: [^,}]*//' -e 's/points: 201/points: 9/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >soft.yaml
grep -q 'circle.stiffness' soft.yaml || fail "the case wants no stiffness"
expect 3 optimize soft.yaml -o soft
says err "soft.yaml:[0-9]+:[0-9]+: error: 'circle.stiffness' has no value for any design: no drive has"
[ -e soft/study.db ] && fail "a search that cannot succeed has begun"

# So does a path that is none; evaluate and sweep say so, too.
sed -e 's/p: \[0, 2\*pi\]/p: [0, 0]/' "$SOURCE/cases/four_slider_star/case.yaml" >still.yaml
for command in 'optimize still.yaml -o still' 'sweep still.yaml --method oat -o still' 'evaluate still.yaml'; do
    expect 3 $command
    says err '^still\.yaml:[0-9]+:[0-9]+: error: (the range of p is empty|p runs from 0 to 0)'
done
[ -e still ] && fail "a search that cannot succeed has begun"
sed -e '/^  circle:/,/points:/s/points: [0-9]*/points: 1e9/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >many.yaml
for command in 'optimize many.yaml -o many' 'check many.yaml' 'evaluate many.yaml'; do
    expect 3 $command
    says err '^many\.yaml:[0-9]+:[0-9]+: error: 1000000000 points are more than the 1000000'
done

# list: the order of hypervolumes is that of compare, whatever the reference points of the searches were.
problem a 'free: x2 <= 1' 'x2 - x1^2' >a.yaml
expect 0 optimize a.yaml -o list/a --no-pictures
expect 0 optimize a.yaml -o list/b --seed 7 --evaluations 80 --population 8 --no-pictures
problem c 'free: x2 <= 1' 'x2 - x1^3' >c.yaml
expect 0 study list list
says out 'against one reference point'
listed=$(sed -n 's,^list/[ab]/study.db *[0-9]* *[0-9]* *[0-9]* *\([0-9.e+-]*\) .*,\1,p' out)
expect 0 study compare list/a list/b
compared=$(awk '/^list\// { printf "%.6g\n", $4 }' out)
[ "$listed" = "$compared" ] || fail "list says $listed, compare $compared"
expect 0 optimize c.yaml -o list/c --no-pictures
expect 0 study list list
says out '^list/a/study.db .* A  nsga2 +20 +1  finished'
says out '^list/c/study.db .* B  nsga2 +20 +1  finished'
says out 'others cannot be compared'
says out 'study show uses the reference point of each study.s own search'
expect 0 study compare list/a list/c
says out "note: objective 'g' is x2 - x1\^2 in the one, x2 - x1\^3 in the other"

# The progress line's hypervolume never falls, and says where it is against another reference point.
expect 0 optimize a.yaml -o progress --no-pictures --progress --population 8
grep -o 'hypervolume [^ ,]*' err | awk '$2 < last { exit 1 } { last = $2 }' ||
    fail "the hypervolume of the progress line falls"
expect 0 optimize a.yaml -o progress --no-pictures --progress=json --population 8 --restart
says err '"hypervolume_best": .*"reference_moved": (true|false)'

finish
