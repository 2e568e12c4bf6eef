# Joint coordinates and dense matrices give the same regions and reactions, to 1e-9: all cases, random machines. Cuts and
# hubs may be chosen.
. "$SOURCE/tests/cli/lib.bash"

find_python
cases=("$SOURCE"/cases/*/case.yaml)
if ((${GDYN_SANITIZED:-0})); then # every third one
    for number in "${!cases[@]}"; do
        ((number % 3)) && unset "cases[$number]"
    done
fi
"$python" "$SOURCE/tests/reference/formalisms.py" --program "$GLOBDYN" --machines "$(share 20)" \
    "${cases[@]}" >out 2>err || fail "formalisms.py: $(cat out)"
tail -n 1 out
[ ! -s err ] || fail "formalisms.py says: $(tail -n 3 err)"

# The star: a hub with all its joints cut; without it another tree, the same answers.
star=$SOURCE/cases/four_slider_star/case.yaml
expect 0 check "$star" -v
says out '^    platform +floats, a hub: 2 slides, 1 turn$'
says out '^    cut +top1, top2, top3, top4$'
says out '^    dense on circle +0 of '
sed 's/^    platform:$/    platform:\n      hub: never/' "$star" >chain.yaml
expect 0 check chain.yaml -v
says out '^    platform +on leg1 by top1: 1 turn$'
sed 's/{repeat: {i: 1..4}, type: revolute, of: \[leg/{repeat: {i: 1..4}, cut: true, type: revolute, of: [leg/' chain.yaml >loose.yaml
expect 0 check loose.yaml -v
says out '^    leg1 +floats: 2 slides, 1 turn$'
for variant in chain loose; do
    "$python" - "$GLOBDYN" "$star" $variant.yaml >out 2>err <<'END' || fail "$variant differs: $(cat out err)"
import json, subprocess, sys
both = [json.loads(subprocess.run([sys.argv[1], "regions", c, "--json", "--no-pictures", "-o", "variant", "-q"],
                                  capture_output=True, text=True).stdout)["trajectories"] for c in sys.argv[2:]]
for name in both[0]:
    for a, b in zip(both[0][name]["points"], both[1][name]["points"]):
        assert abs(a["area"] - b["area"]) <= 1e-9 * a["area"], (name, a["p"], a["area"], b["area"])
END
done
finish
