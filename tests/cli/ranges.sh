# Stated ranges and cones: what every command says of poses beyond them, with line and amount; criteria of ranges in studies.
. "$SOURCE/tests/cli/lib.bash"

machine=$SOURCE/cases/ups6_strokes/case.yaml

expect 0 check --no-pictures "$machine"
says out "Ranges along 'circle'"
says out 'leg1 +mm +900 +1250 +1009 +1114 +109\.2'
expect 0 verify -q "$machine"

# Too short by a closed form: the longest leg measures hypot(far + 100 mm, height) = 1114.0 mm.
expect 1 check --no-pictures "$machine" --set driven_out=1.11
says out "'leg[1-6]' .* its range by .*case\.yaml:[0-9]"
says out 'leg1 .* -4\.0[12].*out of range'
expect 1 regions "$machine" --set driven_out=1.11 --trajectory circle --no-pictures -o o
says o/regions.csv 'out-of-range'
says err 'widen the range'
ls o/circle_ranges.* >/dev/null 2>&1 && fail "--no-pictures draws ranges"
expect 1 traverse "$machine" --set driven_out=1.11 --trajectory circle --no-pictures -o o
says out 'a joint or drive leaves its range'
says out "'leg[1-6]' .* its range by .*case\.yaml:[0-9]"
# A given motion: what it leaves, where; no slower motion helps.
printf 't,p\n0,0\n10,1\n20,2\n' >given.csv
expect 1 feasible "$machine" --set driven_out=1.11 --trajectory circle --motion given.csv --no-pictures -o o
says out "first fails at p = 0\.3.*'leg[1-6]' is out of its range by"
says out 'no uniform slow-down'
says o/feasible.json '"slowdown":null'
says o/feasible.json '"first_failure":{"p":0\.3[0-9]*,"text":"'"'leg"

# Their picture: twelve panels; leg1 is drawn as outside where it is longer than its stroke of 1110 mm, by up to
# hypot(far + 100 mm, height) - 1110 mm = 4.02 mm; on the wide one nothing is outside.
PATH=$work "$GLOBDYN" regions "$machine" --set driven_out=1.11 --trajectory circle -o o >/dev/null 2>&1
[ "$(grep -c '^t = fold("\(leg\|top\)' o/circle_ranges.gp)" -eq 12 ] || fail "not all ranges have a panel"
says o/circle_ranges.gp 'leg1 \[mm\]'
says o/circle_ranges.gp 'outside by 4\.02'
awk 'NF == 3 && $3 != "NaN" { n++; if ($3 <= 1110 || $3 > 1114.03) bad = 1; if ($3 > most) most = $3 }
     END { exit !(n > 50 && !bad && most > 1114.01) }' o/circle_ranges.dat || fail "what is drawn as outside is not"
PATH=$work "$GLOBDYN" regions "$machine" --trajectory circle -o o >/dev/null 2>&1
awk 'NF == 3 && $3 != "NaN" { exit 1 }' o/circle_ranges.dat || fail "something is drawn as outside"

expect 0 check --no-pictures --json "$machine"
says out '"margin": 0\.109'

# Criteria of a range are known by name; unknown names are answered with the nearest one.
expect 0 evaluate "$machine"
says out ' travel.leg1 +0\.10484'
says out ' margin.top1.cone +0\.2424'
cat >wrong.yaml <<END
include: [$machine]
format: 1
optimize: {constraints: {long: circle.travel.log1 <= 150 mm}}
expect: [{quantity: circle.travel(log1), value: 1}]
END
expect 3 check wrong.yaml
says err 'no range has this name'
says err "did you mean 'leg1'"
sed -i 's/log1 <= 150 mm/leg1 <= 150 kg/; /^expect/d' wrong.yaml
expect 3 check wrong.yaml

# A joint and a drive of one name cannot both have a range.
sed 's/^    m\$i:/    leg$i:/; s/      at: leg\$i/      at: leg$i\n      range: {max: 2 m}/' "$SOURCE/cases/ups6/case.yaml" >ups6.yaml
sed 's|../ups6/case.yaml|ups6.yaml|; /^expect/,$d' "$machine" >twice.yaml
expect 3 check twice.yaml
says err "joint and drive 'leg1' both have a range"

# A design beyond its ranges is data with a slope: the farther beyond, the greater the failure.
for out in 1.11 1.09; do
    expect 1 evaluate "$machine" --set driven_out=$out --json
    says out '"status": "out-of-range"'
    grep -o '"failure": [0-9.]*' out | head -n 1 | cut -d' ' -f2 >>failures_met
done
sort -n -c failures_met || fail "failures do not grow: $(tr '\n' ' ' <failures_met)"

# A machine that does not close: its pictures have empty panels, and gnuplot takes all of them.
cat >open.yaml <<END
include: [$machine]
format: 1
machine: {joints: {stay: {type: rod, of: [platform, ground], length: 20 m}}}
END
expect 1 regions open.yaml --trajectory circle -o open
grep -q gnuplot err && fail "gnuplot refuses a picture of an open machine"
if command -v gnuplot >/dev/null; then
    for kind in ranges machine limits; do
        [ -s "open/circle_$kind.png" ] || fail "no picture of $kind of an open machine"
    done
fi
# Travel and margin of what states no range: that is said; a slip of the name is told.
constrained() {
    printf '%s\n' 'format: 1' 'parameters: {l: 1 m}' 'machine:' '  space: planar' '  gravity: [0, 0]' \
        '  bodies: {b: {mass: 1, inertia: 1}}' '  joints:' \
        "    rail: {type: prismatic, of: [b, ground]$1}" '  drives: {d: {at: rail, force: {limit: 1}}}' \
        'trajectories: {go: {of: b, kind: line, from: [0, 0], to: [l, 0]}}' 'design: {l: {min: 1 m, max: 2 m}}' \
        "optimize: {objectives: {t: {minimize: go.time}}, constraints: {c: \"$2 <= 3 m\"}}"
}
constrained '' go.travel.rail >none.yaml
expect 3 check none.yaml
says err "unknown name 'go.travel.rail'"
says err "help: travel and margin need a joint or drive with a range: set the range of 'rail'"
constrained ', range: {max: 5}' go.travel.rial >slip.yaml
expect 3 check slip.yaml
says err "did you mean 'go.travel.rail'"
constrained ', range: {max: 5}' go.travel.rail >right.yaml
expect 0 check right.yaml --no-pictures
finish
