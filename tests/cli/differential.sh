# Random machines of every kind against the independent reference in tests/reference, and the machines
# that once differed.
. "$SOURCE/tests/cli/lib.bash"

python=/usr/bin/python3
"$python" -c 'import numpy, scipy, yaml' 2>err || python=python3
if ! "$python" -c 'import numpy, scipy, yaml' 2>err; then
    fail "no Python with numpy, scipy and yaml: scripts/setup reference installs them"
    finish
fi

run() {
    "$python" "$SOURCE/tests/reference/differential.py" --program "$GLOBDYN" --keep . "$@" >out 2>err ||
        fail "differential.py $*: $(cat out)"
    tail -n 2 out
}

for case in "$SOURCE"/tests/reference/found/*.yaml; do
    run "$case" --processes 1
done
run --seed 1 --machines 300 --processes 2 --open "$SOURCE/tests/reference/open.txt"
grep '^open:\|any more' out

finish
