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

# A reader that goes away.
code=$( ("$GLOBDYN" schema; echo $? >code) 2>err | head -c 10 >/dev/null; cat code)
[ "$code" -eq 5 ] || [ "$code" -eq 0 ] || fail "a closed pipe gave exit code $code"
silent err

finish
