# Random machines of every kind against the independent reference in tests/reference, and the machines
# that once differed. Many machines: GLOBDYN=build/globdyn tests/reference/differential.py --seed 1 --machines 3000
. "$SOURCE/tests/cli/lib.bash"

find_python

# The reference finds nothing more with a program that has sanitizers: they watch it alone, at every third of the machines.
machines=("$SOURCE"/tests/reference/found/*.yaml --machines 3)
if ((${GDYN_SANITIZED:-0})); then
    machines=(--alone --machines 2)
    found=("$SOURCE"/tests/reference/found/*.yaml)
    for ((i = 0; i < ${#found[@]}; i += 3)); do machines+=("${found[i]}"); done
fi
"$python" "$SOURCE/tests/reference/differential.py" --program "$GLOBDYN" --keep . --seed 2 "${machines[@]}" >out 2>err ||
    fail "differential.py: $(cat out)"
tail -n 2 out

finish
