# The fastest motion through zero-inertia points against a reachability program of its own.
. "$SOURCE/tests/cli/lib.bash"

find_python

"$python" "$SOURCE/tests/reference/zero_inertia.py" "$GLOBDYN" "$(share 12)" 2000 >out 2>err ||
    fail "zero_inertia.py: $(cat out err)"
tail -n 1 out

finish
