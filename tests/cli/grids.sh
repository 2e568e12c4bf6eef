# What is said of a given p does not depend on the points of the path: all trajectories of all cases on three grids (two with the sanitizers).
. "$SOURCE/tests/cli/lib.bash"

find_python
"$python" "$SOURCE/tests/reference/grids.py" --program "$GLOBDYN" --traverse "$((${GDYN_SANITIZED:-0} ? 3 : 6))" --grids "$((${GDYN_SANITIZED:-0} ? 2 : 3))" >out 2>err ||
    fail "grids.py: $(cat out)"
tail -n 1 out
silent err

# points that are inserted, against a fine grid: how near the numbers are is no question to the sanitizers
((${GDYN_SANITIZED:-0})) && finish && exit
"$python" "$SOURCE/tests/reference/adaptive.py" --program "$GLOBDYN" "$SOURCE/cases/five_bar3/case.yaml" >out 2>err ||
    fail "adaptive.py: $(cat out)"
tail -n 1 out
silent err

# narrow features of the path, by equations of motion on dense points
"$python" "$SOURCE/tests/reference/bends.py" --program "$GLOBDYN" --count 15 >out 2>err || fail "bends.py: $(cat out)"
tail -n 1 out
silent err

finish
