# The same machine written down in another way gives the same answer: all cases at random parameters, and
# random machines.
. "$SOURCE/tests/cli/lib.bash"

find_python
changes=4
((${GDYN_SANITIZED:-0})) && changes=1
"$python" "$SOURCE/tests/reference/invariance.py" --program "$GLOBDYN" --seed 1 --machines "$(share 20)" --changes $changes >out 2>err ||
    fail "invariance.py: $(cat out)"
tail -n 2 out
[ ! -s err ] || fail "invariance.py says: $(tail -n 3 err)"

finish
