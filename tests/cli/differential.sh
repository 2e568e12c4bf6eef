# Random machines of every kind against the independent reference in tests/reference, and the machines
# that once differed.
. "$SOURCE/tests/cli/lib.bash"

find_python

run() {
    "$python" "$SOURCE/tests/reference/differential.py" --program "$GLOBDYN" --keep . "$@" >out 2>err ||
        fail "differential.py $*: $(cat out)"
    tail -n 2 out
}

# The reference finds nothing more with a program that has sanitizers: they watch it alone.
alone=()
((${GDYN_SANITIZED:-0})) && alone=(--alone)
run "$SOURCE"/tests/reference/found/*.yaml "${alone[@]}"
run --seed 1 --machines "$(share 30)" "${alone[@]}"

finish
