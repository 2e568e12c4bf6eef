# Random machines of every kind against the independent reference in tests/reference, and the machines
# that once differed.
. "$SOURCE/tests/cli/lib.bash"

find_python

run() {
    "$python" "$SOURCE/tests/reference/differential.py" --program "$GLOBDYN" --keep . "$@" >out 2>err ||
        fail "differential.py $*: $(cat out)"
    tail -n 2 out
}

for case in "$SOURCE"/tests/reference/found/*.yaml; do
    run "$case" --processes 1
done
run --seed 1 --machines "$(share 300)" --processes 2

finish
