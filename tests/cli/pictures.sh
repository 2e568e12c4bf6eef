# Pictures: scripts are always written; PNG and SVG when gnuplot is there; none when not wanted.
. "$SOURCE/tests/cli/lib.bash"
star=$SOURCE/cases/four_slider_star/case.yaml

kinds="regions tube limits machine"

# Without gnuplot: scripts, data, a note, and the same answer.
mkdir empty-path
PATH=$work/empty-path "$GLOBDYN" regions "$star" --trajectory circle -o without >out 2>err
code=$?
[ "$code" -eq 0 ] || fail "without gnuplot the exit code is $code"
says err 'gnuplot is not installed'
for kind in $kinds; do
    [ -s "without/circle_$kind.gp" ] || fail "no script of $kind"
    [ -s "without/circle_$kind.dat" ] || fail "no data of $kind"
    [ ! -e "without/circle_$kind.png" ] || fail "a picture without gnuplot"
done

expect 0 regions "$star" --trajectory circle -o none --no-pictures
ls none/*.gp >/dev/null 2>&1 && fail "--no-pictures writes scripts"

# check draws the machine: assembled with its paths, or the best attempt with its open joints; also without gnuplot, as a
# script, and not at all when it is not wanted.
expect 0 check "$star" -o assembled
says err '^Picture: assembled/machine\.png$'
[ -s assembled/machine.png ] || fail "check draws no machine"
says assembled/machine.gp 'assembled at its first guess'
expect 0 check "$star" -o unwanted --no-pictures
[ ! -e unwanted ] || fail "check --no-pictures writes"
"$GLOBDYN" new five-bar -o - | sed 's/gap: 300 mm/gap: 1300 mm/' >open.yaml # reach 2*(250 + 350) mm: each joint lacks 20 mm
PATH=$work/empty-path "$GLOBDYN" check open.yaml -o open >out 2>err
[ $? -eq 1 ] || fail "an open machine passes check"
says err 'gnuplot is not installed'
says err '^Picture: open/machine\.gp$'
says open/machine.gp 'does not close: the best attempt'
[ "$(grep -c '[1-5]  [a-z_]*: 20 mm' open/machine.gp)" -eq 5 ] || fail "not all open joints are listed with their gaps"
says open/machine.gp '"open joint"'
expect 1 modes open.yaml --hold drives --samples 1 --no-pictures
says err "no start can be assembled; from the first guess: joint '.*' stays open by 20 mm"
# Axes without a body keep their range.
PATH=$work/empty-path "$GLOBDYN" regions open.yaml --trajectory across -o open >out 2>err
says open/across_tube.gp '^splot [0-9]'
expect 1 check open.yaml --no-pictures --json
says out '"gap": 0\.02'

# A picture that another command has, too, is left to it.
expect 0 regions "$SOURCE/cases/ups6_strokes/case.yaml" --trajectory circle -o both
expect 0 check "$SOURCE/cases/ups6_strokes/case.yaml" -o both
expect 0 check "$SOURCE/cases/ups6/case.yaml" -o both
[ -s both/circle_ranges.png ] && [ ! -e both/tilt_ranges.png ] || fail "check removes pictures of regions, or keeps its own"

# scripts CODE ARGUMENTS...: expect without gnuplot, where scripts and their data alone are looked at.
scripts() {
    PATH=$work/empty-path:/nowhere "$GLOBDYN" "${@:2}" >out 2>err </dev/null
    [ $? -eq "$1" ] || fail "globdyn ${*:2} gave another exit code than $1"
}

# A bound on one side only is drawn (d2 at rest of a weight on cables, the lower ones without a limit), and so
# is a value between points that have none (a slider that turns).
cat >lift.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, -10]
  ground: {points: {N: [0, 4], S: [0, -4]}}
  bodies: {load: {mass: 10, inertia: 1}}
  joints: {rail: {type: prismatic, of: [load, ground], axis: [0, 1]}}
  drives:
    up: {cable: [ground.N, load], tension: {limit: 200}}
    down: {cable: [ground.S, load], tension: {min: 0, max: inf}}
trajectories:
  lift: {p: [-1, 1], joints: {rail: p}, points: 3}
  swing: {p: [0, pi], joints: {rail: sin(p)}, points: 3}
YAML
scripts 0 regions lift.yaml -o lift
says lift/lift_limits.dat '^0 NaN NaN 10 NaN NaN NaN -[0-9]+ 10$' # p, d1, d2 at rest; alone; filled
grep -Eq 'using 1:4 (with lines|@look)' lift/lift_limits.gp || fail "the maximum d2 at rest is not drawn"
sed -i 's/max: inf/max: 100/' lift.yaml
scripts 0 regions lift.yaml -o lift
says lift/swing_limits.dat '^1\.57079633 4\.47213595 NaN NaN 4\.47213595 ' # 10 d1^2 = 100 N + 10 kg g

# One region that dwarfs the others: every panel has its own scales, and says so; elsewhere they share them.
scales() {
    sed -n 's/^set yrange \(.*\);.*/\1/p' "$1" | sort -u | wc -l
}
scripts 0 regions "$SOURCE/cases/two_link_crossing/case.yaml" -o crossing
[ "$(scales crossing/line_regions.gp)" -gt 4 ] || fail "panels of very different sizes share their scales"
says crossing/line_regions.gp 'every panel has its own scales'
[ "$(scales without/circle_regions.gp)" -eq 1 ] || fail "panels of like sizes do not share their scales"

# Verdicts: rods are drawn, and names do not cover each other (letters of at most 7.2 by 15 pixels).
scripts 0 reactions "$SOURCE/cases/delta/case.yaml" -o rods
# Ends of lines: 6 sides of the platform, 3 of each arm, 6 rods.
[ "$(awk 'NF == 2 { n++ } /^$/ { if (++blank == 2 && n) exit } NF { blank = 0 } END { print n }' \
    rods/verdicts.dat)" -eq 42 ] || fail "the rods of the delta are not drawn"
# The names of a wide page come first, those of a column behind them.
awk '/^set [xy]range/ { gsub(/[^-0-9.e+:]/, "", $3); split($3, r, ":"); span[++k] = r[2] - r[1] }
     /^deep|ratio = / { match($0, /ratio = [0-9.]+/); ratio = substr($0, RSTART + 8, RLENGTH - 8) }
     FNR != NR && /"/ && n < 9 { split($0, q, "\""); n++; x[n] = $1; y[n] = $2; w[n] = 7.2*length(q[2]) }
     END { a = 800/span[1]; b = 800*ratio/span[2]; s = a < b ? a : b
           for (i = 1; i <= n; i++) for (j = 1; j < i; j++)
               if (s*(x[i]-x[j])*(x[i]<x[j]?-1:1) < (w[i]+w[j])/2 && s*(y[i]-y[j])*(y[i]<y[j]?-1:1) < 15) bad++
           exit !(n == 9 && ratio > 0 && !bad) }' rods/verdicts.gp rods/verdicts.dat || fail "names of the delta cover each other"

# Tubes: gnuplot sorts cells by distance, so that none may be long: along p at most a 160th of the path.
scripts 0 regions "$SOURCE/cases/agile_eye/case.yaml" --trajectory nod -o nod
awk '/^$/ { if (++blank == 2) n = 0; next } /^#|"/ { next }
     { blank = 0; if (n++ == 0) first = $2; if ($2 - first > 6.2832/160 + 1e-6) bad = 1; cells++ }
     END { exit !(cells > 5000 && !bad) }' nod/nod_tube.dat || fail "cells of the tube are too long to be sorted"

# A letter stands on the surface of its own set: of all cells under its middle and its edges the nearest to the eye
# has the colour of its legend; no letter in the background.
cat >letters.py <<'PY'
import math, re, sys
stem = sys.argv[1]
gp = open(stem + ".gp").read()
tilt, turn, height = math.radians(62), math.radians(32), 1.1
colour = [int(c, 16) for c in re.findall(r"^set arrow \d+ from screen.* lc rgb '#(\w+)'", gp, re.M)]
named = dict(zip(re.findall(r'T\[\d+\] = "(\w)  ', gp), colour))
low, high = zip(*(map(float, re.search(rf"set {a}range \[(\S+):(\S+)\]", gp).groups()) for a in "xyz"))

def project(v):  # right, up, towards the eye
    x, y, z = ((v[k] - low[k]) / (high[k] - low[k]) * (1, 1, height)[k] for k in range(3))
    back = x * math.sin(turn) - y * math.cos(turn)
    return (x * math.cos(turn) + y * math.sin(turn), z * math.sin(tilt) - back * math.cos(tilt),
            z * math.cos(tilt) + back * math.sin(tilt))

cells = []
text = "".join(l for l in open(stem + ".dat") if not l.startswith("#") and '"' not in l)
for block in text.split("\n\n\n"):
    rows = [[[float(n) for n in l.split()] for l in r.splitlines() if l] for r in block.split("\n\n")]
    rows = [[(project(v), int(v[3])) for v in r] for r in rows if r]
    for a, b in zip(rows, rows[1:]):
        for j in range(len(a) - 1):
            for three in ((a[j], a[j + 1], b[j + 1]), (a[j], b[j + 1], b[j])):
                cells.append([v[0] for v in three] + [a[j][1]])

def depth(t, x, y):  # of the triangle there, or None
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = t[:3]
    d = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(d) < 1e-14:
        return None
    u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / d
    v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / d
    return az + u * (bz - az) + v * (cz - az) if min(u, v, 1 - u - v) >= -1e-5 else None

wrong, letters = 0, 0
# the letters that a page as wide as it is laid out has room for: those whose square is at least 0.0175 high
for size, name, *at in re.findall(r'^if \((\S+)\*\(D.*set label \d+ "(\w)" at first (\S+?),(\S+?),(\S+) center', gp, re.M):
    if float(size) < 0.0175:
        continue
    letters += 1
    x, y, _ = project([float(n) for n in at])
    near = [t for t in cells if min(v[0] for v in t[:3]) < x + 0.01 and max(v[0] for v in t[:3]) > x - 0.01]
    for dx, dy in ((0, 0), (-0.005, 0), (0.005, 0), (0, -0.006), (0, 0.006)):
        seen = [(depth(t, x + dx, y + dy), t[3]) for t in near]
        seen = [s for s in seen if s[0] is not None]
        wrong += not seen or max(seen)[1] != named[name]
print(stem, letters, "letters,", wrong, "places on another surface")
sys.exit(wrong > 0 or letters < 3)
PY
names=(rrr4/circle delta/circle cogiro/rim)
((${GDYN_SANITIZED:-0})) && names=(delta/circle)
for name in "${names[@]}"; do
    case=${name%/*}
    scripts 0 regions "$SOURCE/cases/$case/case.yaml" --trajectory "${name#*/}" -o "$case" -q
    /usr/bin/python3 letters.py "$case/${name#*/}_tube" >out || fail "$(cat out)"
done

# What slides on the ground has a guide there, of any joint: an ellipsograph in two slots, whose end B = (0, y)
# with y^2 = 1 - p^2 goes from p = -0.6 to 0, 6 % of the machine's length more on either side.
cat >slots.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies: {arm: {mass: 10, inertia: 1, points: {A: [0, 0], B: [1, 0]}, pose: [-0.6, 0, 0.927]}}
  joints:
    across: {type: slot, of: [arm.A, ground], axis: [1, 0]}
    up: {type: slot, of: [arm.B, ground], axis: [0, 1]}
  drives: {push: {at: across.slide, force: {limit: 100}}}
trajectories:
  t: {of: arm.A, p: [-0.6, 0], path: {x: p}, points: 7}
YAML
scripts 0 regions slots.yaml -o slots
says slots/t_machine.gp '"guide"'
awk '/^$/ { if (++blank == 2) block++; next } { blank = 0 }
     block == 1 && $1 == 0 && $2 > 0 { n++; if ($2 < low || low == 0) low = $2; if ($2 > high) high = $2 }
     END { exit !(low < 0.8 && low > 0.6 && high > 1 && high < 1.2) }' slots/t_machine.dat ||
    fail "the guide of a slot is not where it is used"

# Between the points of a motion its curve bends: from rest with d2 = (50 - 6)/0.2 it is d1^2 = 440 p.
scripts 0 traverse "$SOURCE/cases/polar_arm/case.yaml" -o polar -q
awk '/^$/ { exit } $1 > 0 && $1 < 0.1 { n++; if ($5 < 0.999 * sqrt(440*$1) || $5 > 1.001 * sqrt(440*$1)) bad = 1 }
     END { exit !(n >= 8 && !bad) }' polar/t_phase.dat || fail "the curve of d1 is straight between points"

# (With the sanitizers other tests draw: plot.sh, columns.sh.)
if command -v gnuplot >/dev/null 2>&1 && ! ((${GDYN_SANITIZED:-0})); then
    expect 0 regions "$star" --trajectory offset -o "a 'quoted' folder" -q
    silent err
    for kind in $kinds; do
        head -c 4 "a 'quoted' folder/offset_$kind.png" | grep -q PNG || fail "no PNG of $kind"
        grep -q '</svg>' "a 'quoted' folder/offset_$kind.svg" || fail "no SVG of $kind"
    done
    # Scripts run again by hand, from their own folder.
    cp without/circle_regions.gp without/circle_regions.dat .
    gnuplot circle_regions.gp 2>err || fail "the script does not run again"
    silent err
    # In space, with empty regions on the way, and without any end in d1.
    for case in cogiro two_cables parallelogram; do
        code=0 path=()
        [ $case = cogiro ] && code=1 path=(--trajectory beyond) # leads to where the cables cannot hold it
        rm -rf "$case"
        expect $code regions "$SOURCE/cases/$case/case.yaml" "${path[@]}" -o "$case" -q
        silent err
        for script in "$case"/*.gp; do
            [ -s "${script%.gp}.png" ] || fail "no picture of $script"
        done
    done
    # A machine without joints has no picture of verdicts; a single joint is drawn without complaint.
    expect 0 reactions "$SOURCE/cases/kntu/case.yaml" -o jointless -q
    silent err
    [ ! -e jointless/verdicts.png ] || fail "a picture of verdicts without joints"
    cat >cart.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies: {cart: {mass: 10 kg, inertia: 0.4, points: {F: [0.2, 0]}}}
  joints: {k: {type: knife_edge, of: [cart], normal: [0, 1]}}
YAML
    expect 0 reactions cart.yaml -o cart -q
    silent err
    [ -s cart/verdicts.png ] || fail "no picture of one joint"
    # Nothing accessible, nothing reached: the pages say so, the machine is drawn as near as possible.
    "$GLOBDYN" new five-bar -o far.yaml >out 2>err
    sed -i 's/^trajectories:/&\n  far: {of: left_rod.T, kind: line, from: [1.5, 0.4], to: [1.2, 0.3], points: 5}/' far.yaml
    expect 1 regions far.yaml --trajectory far -o far -q
    silent err
    grep -q 'no point of the path has a region' far/far_regions.gp || fail "a blank page of regions"
    grep -q 'as close as possible, at p = ' far/far_machine.gp || fail "the machine is not shown"
    grep -Eq 'with points' far/far_machine.gp || fail "the machine is not drawn"
    for kind in regions tube limits machine; do
        [ -s "far/far_$kind.png" ] || fail "far_$kind.png is empty"
    done
    says far/far_tube.gp 'no point of the path is reached'
    says far/far_limits.gp 'no point of the path is reached'
    grep -q 'Saturated' far/far_tube.gp far/far_limits.gp && fail "a legend of nothing"
    # Reactions: a path that is not followed has no verdicts, level lines no window of their own.
    "$GLOBDYN" reactions far.yaml --trajectory far -o far_r -q >out 2>err
    says far_r/far_reactions.gp 'the path is not followed'
    grep -q 'every reaction is unique' far_r/far_reactions.gp && fail "verdicts of poses that do not exist"
    sed 's/gravity: .*/gravity: [0, 0]/; s/, friction: [^}]*}//' far.yaml >light.yaml
    expect 0 reactions light.yaml --trajectory oval -o light -q
    says light/oval_reactions.gp 'fold\("Reactions along .oval'
    # gnuplot has nothing to complain about in any of them.
    for script in far/*.gp far_r/*.gp light/*.gp jointless/*.gp; do
        [ -e "$script" ] || continue
        (cd "${script%/*}" && gnuplot "${script##*/}") >out 2>err || fail "$script does not run"
        [ -s err ] && fail "gnuplot complains about $script: $(head -n 1 err)"
    done
    # Names of any length: headings fall into lines, names beside lanes have room.
    sed -e '/^expect:/,$d' -e 's/^  t:/  a_trajectory_with_a_very_long_name_that_fills_the_page_quite:/' -e 's/m1:/a_drive_with_quite_a_long_name:/' \
        "$SOURCE/cases/pan_tilt/case.yaml" >long.yaml
    scripts 0 regions long.yaml -o long -q
    scripts 0 traverse long.yaml -o long_t -q
    scripts 0 reactions long.yaml --trajectory a_trajectory_with_a_very_long_name_that_fills_the_page_quite -o long_r -q
    for script in long/*.gp long_t/*.gp long_r/*.gp; do
        grep -q '^S\[1\] = fold(".*_that_fills_the_page_quite' "$script" || fail "the heading of $script runs off the page"
    done
    left=$(sed -n 's/^left = max(.*min(\([0-9]*\)\..*/\1/p' long_t/*_phase.gp)
    # 30 characters of at least 7 pixels
    [ "$left" -gt $((30 * 7)) ] || fail "no room for names beside the lanes: $left"
    # Units: of p, and of each drive's force.
    says long_t/*_forces.gp '^t = fold\(".* \[N m\]"'
    expect 0 reactions "$SOURCE/cases/delta/case.yaml" --trajectory pick -o pick -q
    # Through a singular place: the axis keeps to the speeds beside it.
    sed 's/^trajectories:/&\n  through: {of: left_rod.T, kind: line, from: [0, 0.4], to: [0, -0.4], points: 41}/' far.yaml >through.yaml
    scripts 1 traverse through.yaml --trajectory through -o through -q
    top=$(sed -n 's/^set yrange \[0:\([0-9.e+]*\)\];.*/\1/p' through/through_phase.gp | head -n 1)
    awk -v top="$top" 'BEGIN { exit !(top > 0 && top < 100) }' || fail "the axis of speeds goes to $top"
fi

finish
