# The command line itself: help, versions, wrong commands and options, lost standard output.
. "$SOURCE/tests/cli/lib.bash"

expect 0 --version
says out '^globdyn [0-9]+\.[0-9]+\.[0-9]+$'
silent err

for word in help --help -h; do
    expect 0 "$word"
    says out '^usage: globdyn COMMAND'
    silent err
done

expect 2
silent out
says err '^usage: globdyn COMMAND'
says err '^  regions '

# Every criterion that the manual knows of machines and trajectories, and no other.
expect 0 help criteria
sed -n 's/^  \([a-z_0-9]*\) .*/\1/p' out | sort >listed
sed -n '/^| name | of |/,/^$/p' "$SOURCE/docs/case-format.md" | sed '/^$/q' |
    sed -n 's/^| `\([a-z_0-9]*\)` .*/\1/p' | sort >known
cmp -s listed known || fail "help criteria and docs/case-format.md differ: $(diff listed known)"
says out '^  d1_max +\[p\]/s +greatest d1$'

expect 2 hepl
says err "there is no command 'hepl'"
says err "did you mean 'help'"
expect 2 there.yaml
says err 'help: globdyn check there.yaml looks at a case'
expect 2 -v
says err 'help: globdyn --version prints the version'

# Standard output that cannot be written is never a success.
if [ -w /dev/full ]; then
    code=0
    "$GLOBDYN" help >/dev/full 2>err || code=$?
    [ "$code" -eq 5 ] || fail "a full disk gave exit code $code"
    says err 'cannot write to standard output'
    code=0
    "$GLOBDYN" schema >/dev/full 2>err || code=$? # fails in the middle, not at the end
    [ "$code" -eq 5 ] || fail "schema to a full device gave exit code $code"
    says err 'cannot write to standard output: No space left on device'
fi
code=0
"$GLOBDYN" help >&- 2>err || code=$?
[ "$code" -eq 5 ] || fail "a closed standard output gave exit code $code"
says err 'standard output is closed'

# A folder stands for the case.yaml in it: in messages, as the base of files that it names, and for the name of the results.
mkdir -p inside/rail empty
sliding_cart >inside/rail/case.yaml
printf 'trajectories:\n  way: {of: cart.P, kind: file, file: way.csv}\n' >>inside/rail/case.yaml
printf 'p,x,y\n0,0,0\n1,1,0\n2,2,0\n' >inside/rail/way.csv
for name in inside/rail inside/rail/ ./inside/rail//; do
    rm -rf results
    expect 0 regions "$name" --no-pictures
    [ -f results/rail/regions.csv ] || fail "results of '$name' are not in results/rail"
done
(cd inside/rail && "$GLOBDYN" check . >/dev/null 2>&1) || fail "the folder . is no case"
expect 5 check empty
says err 'empty: error: cannot read: Is a directory'
# What a case lacks is told with the file; a function with an argument that it does not take, with both.
expect 3 optimize inside/rail
says err '^inside/rail/case.yaml: error: the case has no design variables'
{ cat inside/rail/case.yaml && printf 'parameters: {F: 20, g: sqrt(F - 15)}\n'; } >root.yaml
cp inside/rail/way.csv .
expect 3 check root.yaml --set F=10
says err "root.yaml:.*: error: parameter 'g' has no value here: sqrt\(-5\) has no value"
says err 'help: sqrt takes numbers from 0 on'

# A reader that goes away.
code=$( ("$GLOBDYN" schema; echo $? >code) 2>err | head -c 10 >/dev/null; cat code)
[ "$code" -eq 5 ] || [ "$code" -eq 0 ] || fail "a closed pipe gave exit code $code"
silent err

finish
