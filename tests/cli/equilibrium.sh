# Paths and workspaces in static equilibrium (undriven: equilibrium) against equilibria found in Python.
. "$SOURCE/tests/cli/lib.bash"
find_python

# Chains with springs that hang on a slide: some turn by more than half a turn on the way from the first guess.
"$python" "$SOURCE/tests/reference/hung_chains.py" "$GLOBDYN" 0 "$(share 60)" >out 2>err || fail "hung_chains.py"
finish
