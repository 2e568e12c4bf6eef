# globdyn modes: poses that can be pasted into a case and chosen by name; what is refused.
. "$SOURCE/tests/cli/lib.bash"

expect 0 modes "$SOURCE/cases/rrr4/case.yaml"
says out '16 modes with the tool held at the start of .circle.'
says out '^ +circle +% +100'
cp "$SOURCE/cases/rrr4/case.yaml" pasted.yaml
sed -n '/^  poses:/,$p' out >poses
sed -i '/^machine:/r poses' pasted.yaml
sed '/^machine:/a\  start: m6' pasted.yaml >chosen.yaml
expect 0 check chosen.yaml
says out 'first guess +closes'
expect 0 check --json pasted.yaml
expect 0 modes --json chosen.yaml
says out '"name": "m16"'

sed '/^machine:/a\  start: m17' pasted.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "there is no pose 'm17'"
sed 's/^      crank1: /      crank9: /' chosen.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "there is no body 'crank9'"

# Poses that are not chosen are checked, too.
sed 's/^      platform: .*/      platform: [0, 0]/' pasted.yaml >wrong.yaml
expect 3 check wrong.yaml
says err 'a pose of 2 numbers'

# A planar 3-RRR: two solutions a leg, eight modes. By its symmetry those with one crank bent the other way are one another,
# turned; values from tests/reference/expected.py rrr3_modes.
expect 0 modes "$SOURCE/cases/rrr3/case.yaml"
says out '8 modes with the tool held at the start of .circle.'
says err '^Picture: results/rrr3/modes\.png$'
[ "$(grep -c '^set title "m[1-8]: 100 % of' results/rrr3/modes.gp)" -eq 8 ] || fail "not every mode has a panel"
expect 0 modes --no-pictures -o none --samples 2 "$SOURCE/cases/rrr3/case.yaml"
[ ! -e none ] || fail "modes --no-pictures draws"
for mode in lll:8496.3 rll:1212.17 lrl:1212.17 llr:1212.17 rrl:2610.27 rlr:2610.27 lrr:2610.27 rrr:7993.3; do
    sed "s/start: lll/start: ${mode%:*}/" "$SOURCE/cases/rrr3/case.yaml" >chosen.yaml
    expect 0 regions --no-pictures -o regions chosen.yaml
    says out "area common to all points +1/s\\^3 +${mode#*:}"
done

# Ranges tell which modes a machine can stand in: legs slid through their own joints are none.
expect 0 modes --samples 4 "$SOURCE/cases/ups6_strokes/case.yaml"
says out 'ranges exceeded +0 +[1-9]'
# Leg 1 slid through its joint is as long as it was, with the other sign: l + min beyond its stroke.
says out '^  m2 +leg1 by [0-9.]+ mm, top1.cone by [0-9.]+ deg$'
expect 0 modes --samples 4 --json "$SOURCE/cases/ups6_strokes/case.yaml"
says out '"beyond": . *'
find_python
"$python" - out <<'PY' || fail "modes beyond their ranges: lengths and amounts differ"
import json, sys
modes = json.load(open(sys.argv[1]))["modes"]
for mode in modes:
    strokes = {k: v for k, v in mode["beyond"].items() if k.startswith("leg")}
    assert len(mode["beyond"]) == mode["ranges_exceeded"]
    for name, by in strokes.items():
        value = mode["joints"][name]["slide"]
        assert value < 0 and by["unit"] == "m" and by["by"] > abs(value), (name, value, by)
PY
expect 2 modes --trajectory none "$SOURCE/cases/rrr4/case.yaml"
expect 0 modes --hold drives --samples 8 "$SOURCE/cases/five_bar3/case.yaml"
finish
