# The same machine written down in another way gives the same answer: all cases at random parameters, and
# random machines.
. "$SOURCE/tests/cli/lib.bash"

python=/usr/bin/python3
"$python" -c 'import numpy, scipy, yaml' 2>err || python=python3
if ! "$python" -c 'import numpy, scipy, yaml' 2>err; then
    fail "no Python with numpy, scipy and yaml: scripts/setup reference installs them"
    finish
fi
"$python" "$SOURCE/tests/reference/invariance.py" --program "$GLOBDYN" --seed 1 --machines 26 >out 2>err ||
    fail "invariance.py: $(cat out)"
tail -n 2 out
[ ! -s err ] || fail "invariance.py says: $(tail -n 3 err)"

finish
