# What is said of a given p does not depend on the points of the path: trajectories of every fourth case on two grids (with the
# sanitizers of every twentieth). All of them: GLOBDYN=build/globdyn tests/reference/grids.py
. "$SOURCE/tests/cli/lib.bash"

find_python
"$python" "$SOURCE/tests/reference/grids.py" --program "$GLOBDYN" --traverse "$((${GDYN_SANITIZED:-0} ? 3 : 6))" --grids 2 \
    --every "$((${GDYN_SANITIZED:-0} ? 20 : 4))" >out 2>err || fail "grids.py: $(cat out)"
tail -n 1 out
silent err

# points that are inserted, against a fine grid: how near the numbers are is no question to the sanitizers
((${GDYN_SANITIZED:-0})) && finish && exit
"$python" "$SOURCE/tests/reference/adaptive.py" --program "$GLOBDYN" --points 2001 "$SOURCE/cases/five_bar3/case.yaml" >out 2>err ||
    fail "adaptive.py: $(cat out)"
tail -n 1 out
silent err

# narrow features of the path, by equations of motion on dense points: one of each kind
"$python" "$SOURCE/tests/reference/bends.py" --program "$GLOBDYN" --count 5 >out 2>err || fail "bends.py: $(cat out)"
tail -n 1 out
silent err

finish
