# Joint coordinates and dense matrices give the same regions and reactions, to 1e-9: of every other case and random machine regions, of
# the others reactions (both of all: tests/reference/formalisms.py). Cuts and hubs may be chosen.
. "$SOURCE/tests/cli/lib.bash"

find_python
# two whose proposals of other joints take seconds are left out
mapfile -t cases < <(grep -l '^  bodies:' "$SOURCE"/cases/*/case.yaml | grep -v 'agile_eye/\|parallelogram/')
if ((${GDYN_SANITIZED:-0})); then # every fifth one
    for number in "${!cases[@]}"; do
        ((number % 5)) && unset "cases[$number]"
    done
fi
"$python" "$SOURCE/tests/reference/formalisms.py" --program "$GLOBDYN" --alternate --machines "$(share 6)" \
    "${cases[@]}" >out 2>err || fail "formalisms.py: $(cat out)"
tail -n 1 out
[ ! -s err ] || fail "formalisms.py says: $(tail -n 3 err)"

# The star: a hub with all its joints cut; without it another tree, the same answers.
star=$SOURCE/cases/four_slider_star/case.yaml
expect 0 check "$star" -v --no-pictures
says out '^    platform +floats, a hub: 2 slides, 1 turn$'
says out '^    cut +top1, top2, top3, top4$'
says out '^    dense on circle +0 of '
sed 's/^    platform:$/    platform:\n      hub: never/' "$star" >chain.yaml
expect 0 check chain.yaml -v --no-pictures
says out '^    platform +on leg1 by top1: 1 turn$'
sed 's/{repeat: {i: 1..4}, type: revolute, of: \[leg/{repeat: {i: 1..4}, cut: true, type: revolute, of: [leg/' chain.yaml >loose.yaml
expect 0 check loose.yaml -v --no-pictures
says out '^    leg1 +floats: 2 slides, 1 turn$'
for file in "$star" chain.yaml loose.yaml; do
    sed 's/points: 201/points: 21/' "$file" >short.yaml
    expect 0 regions short.yaml --json --no-pictures -o variant -q
    mv out "$(basename "$file" .yaml).json"
done
"$python" - case.json chain.json loose.json >out 2>err <<'END' || fail "another tree gives other regions: $(cat out err)"
import json, sys
first, *others = (json.load(open(name))["trajectories"] for name in sys.argv[1:])
for other in others:
    for name in first:
        for a, b in zip(first[name]["points"], other[name]["points"]):
            assert abs(a["area"] - b["area"]) <= 1e-9 * a["area"], (name, a["p"], a["area"], b["area"])
END
finish
