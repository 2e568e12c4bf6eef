# What is said of a given p does not depend on the points of the path: all trajectories of all cases on three grids.
. "$SOURCE/tests/cli/lib.bash"

find_python
"$python" "$SOURCE/tests/reference/grids.py" --program "$GLOBDYN" --traverse "$((${GDYN_SANITIZED:-0} ? 3 : 6))" >out 2>err ||
    fail "grids.py: $(cat out)"
tail -n 1 out
silent err

finish
