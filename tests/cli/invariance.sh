# The same machine written down in another way gives the same answer: cases at random parameters, and random machines. Each with one
# change and one command; all of them: tests/reference/invariance.py --machines 1000.
. "$SOURCE/tests/cli/lib.bash"

find_python
# two whose proposals of other joints take seconds are left out
mapfile -t cases < <(grep -l '^  bodies:' "$SOURCE"/cases/*/case.yaml | grep -v 'agile_eye/\|parallelogram/')
if ((${GDYN_SANITIZED:-0})); then # every fourth one
    for number in "${!cases[@]}"; do
        ((number % 4)) && unset "cases[$number]"
    done
fi
"$python" "$SOURCE/tests/reference/invariance.py" --program "$GLOBDYN" --seed 1 --machines "$(share 10)" --changes 1 --commands 1 \
    "${cases[@]}" >out 2>err || fail "invariance.py: $(cat out)"
tail -n 2 out
says out '^[1-9][0-9]+ runs'
[ ! -s err ] || fail "invariance.py says: $(tail -n 3 err)"

finish
