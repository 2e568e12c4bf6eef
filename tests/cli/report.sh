# globdyn report: one HTML file, whole and self-contained, whatever the machine can do and however things are named.
. "$SOURCE/tests/cli/lib.bash"

# The star: the verdict first, and what the other commands print.
expect 0 report "$SOURCE/cases/four_slider_star/case.yaml" -o star
says out '^four-slider star: circle: fastest motion from rest to rest 0\.318[0-9]* s; maximum constant path speed 19\.8223 1/s$'
says err 'Report: star/report.html'
whole star/report.html
says star/report.html '18826\.9'
says star/report.html 'globdyn report .*cases/four_slider_star/case\.yaml'
grep -q 'd1' data.json || fail "no motion in the data"
[ "$(wc -c <star/report.html)" -lt 450000 ] || fail "the star's report is $(wc -c <star/report.html) bytes"
# The same bytes again.
cp star/report.html first.html
expect 0 report "$SOURCE/cases/four_slider_star/case.yaml" -o star
cmp -s first.html star/report.html || fail "a second run wrote another page"
# One trajectory; another parameter is another case.
expect 0 report "$SOURCE/cases/four_slider_star/case.yaml" -o star --trajectory offset
says out 'offset: fastest motion'
grep -q '<h2>Trajectory circle' star/report.html && fail "--trajectory offset shows circle"
sum() { sed -n 's/.*<dt>case<\/dt><dd class="code">\([0-9a-f]*\)<.*/\1/p' "$1"; }
expect 0 report "$SOURCE/cases/four_slider_star/case.yaml" -o other --trajectory offset --set "force=800 N"
[ "$(sum star/report.html)" != "$(sum other/report.html)" ] || fail "two cases have the same sum"

# A short path whose p is far from zero: its places stay apart.
sed 's/p: \[0, 2\*pi\]/p: [1e6, 1e6 + 1]/; s/cos(p)/cos(p - 1e6)/; s/sin(p)/sin(p - 1e6)/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >far.yaml
expect 0 report far.yaml -o far --trajectory circle
whole far/report.html
python3 -c '
import json
t = json.load(open("data.json"))["trajectories"][0]
for p in t["p"], t["motion"]["p"], t["motion"]["t"], t["regions"]["p"]:
    p = [float(x) for x in p.split()]
    assert all(a < b for a, b in zip(p, p[1:])), p' || fail "places far from zero fall together"

# A path out of reach, no trajectory, no drives, nothing accessible: a page that says so.
sliding_cart >sliding.yaml
expect 0 report sliding.yaml -o sliding
says out 'the case has no trajectory'
whole sliding/report.html

# Free texts and file names with every metacharacter stay texts.
out_of_reach "</script><script>alert('1')</script> & \\\"two\\\" ]]> <!-- \\u2028 \${x}\`" \
    "\\\"><svg onload=alert(1)> </style><b>" >"re<b>a&'ch.yaml"
expect 1 report "re<b>a&'ch.yaml" -o reach
says out 'not followed at any of 5 points'
whole reach/report.html
grep -q '<svg onload\|<b>a\|<script>alert\|</style><b>' reach/report.html && fail "a text became an element"
python3 -c 'import json; assert json.load(open("data.json"))["trajectories"][0]["nearest"] == 1' || fail "no nearest pose"

# A machine that cannot be assembled; a case without machine; a folder that cannot be written.
sed 's/^  joints:/  joints:\n    rod: {type: rod, of: [arm.tip, ground.far], length: 1}/' "re<b>a&'ch.yaml" >open.yaml
expect 1 report open.yaml -o open
says out 'the machine cannot be assembled: '
whole open/report.html
# Where no motion passes the verdict names the limits; units have raised digits.
printf '%s\n' 'format: 1' 'machine:' '  space: planar' '  gravity: [0, -9.81]' \
    '  bodies: {b: {mass: 1, inertia: 1}}' '  joints:' \
    '    rail: {type: prismatic, of: [b, ground], axis: [0, 1]}' '  drives:' \
    '    lift: {at: rail, force: {min: 0, max: 8}}' 'trajectories:' \
    '  up: {of: b, kind: line, from: [0, 0], to: [0, 1]}' >weak.yaml
expect 1 report weak.yaml -o weak
says out 'lift.force at its max'
says weak/report.html '<td>m²/s³</td>'
# Limits that grow without bound are cut off, and that is said; a crank whose slider is light in the middle of its stroke
# has bounded ones, which stay in view.
expect 0 report "$SOURCE/cases/two_link_crossing/case.yaml" -o grows
says grows/report.html 'cut off where it grows'
printf '%s\n' 'format: 1' 'machine:' '  space: planar' '  gravity: [0, 0]' '  bodies:' \
    '    crank: {mass: 1, inertia: 0.004, points: {A: [0.08, 0]}, pose: [0, 0, -40 deg]}' \
    '    rod: {mass: 1, inertia: 0.004, points: {B: [0.24, 0]}, pose: {at: [0.06, -0.05], angle: -100 deg}}' \
    '    ram: {mass: 25, inertia: 0.1, pose: [0.02, -0.29, 0]}' '  joints:' \
    '    main: {type: revolute, of: [crank, ground]}' '    pin: {type: revolute, of: [rod, crank.A]}' \
    '    wrist: {type: revolute, of: [rod.B, ram]}' '    guide: {type: prismatic, of: [ram, ground.G], axis: [0, 1]}' \
    '  ground: {points: {G: [0.02, 0]}}' '  drives: {m: {at: main, torque: {limit: 60}, speed: {max: 30}}}' \
    'trajectories: {stroke: {p: [-60 deg, 200 deg], joints: {main: p}}}' >ram.yaml
expect 0 report ram.yaml -o ram
grep -q 'cut off where' ram/report.html && fail "bounded limits are cut off"
grep -o '<path[^>]* stroke="#222222"[^>]* d="[^"]*"' ram/report.html | grep -q 'M.*M' && fail "a bounded limit has gaps"
expect 3 report "$SOURCE/cases/zdt1/case.yaml" -o none
expect 5 report sliding.yaml -o /dev/null/none

# From rest the curve of the motion is the root d1 = sqrt(20 p), within half a pixel; a level force is drawn beside its limits.
cart_and_load >root.yaml
expect 0 report root.yaml -o root
python3 - <<'END' || fail "the curve of the motion is no root near rest"
import re
page = open("root/report.html").read()
chart = re.search(r'<svg[^>]*aria-label="Phase plane.*?</svg>', page, re.S).group(0)
points = [tuple(map(float, xy)) for xy in re.findall(r"[ML]([\d.]+) ([\d.]+)", re.search(r'<path data-name="motion"[^>]* d="([^"]*)"', chart).group(1))]
(x0, y0), (x1, _) = points[0], points[-1]
top = min(y for _, y in points)  # of 2 m/s
at = lambda x: y0 - (y0 - top) * min((20 * 0.6 * (x - x0) / (x1 - x0)) ** 0.5, 2) / 2
for (xa, ya), (xb, yb) in zip(points, points[1:]):
    x, y = (xa + xb) / 2, (ya + yb) / 2
    slope = (y0 - top) / 2 * 20 * 0.6 / (x1 - x0) / max(2 * (y0 - y) / (y0 - top), 0.1)  # across the curve
    assert xb > x0 + (x1 - x0) / 3 or abs(y - at(x)) < 0.5 * (1 + slope), (x, y, at(x))
END
grep -q 'out of view' root/report.html && fail "the limits of a level force are out of view"

# What a script draws has a rule of the style sheet: without one its inside would be black.
grep -ohE 'class: "[a-z]+"' "$SOURCE"/src/page/*.js | sed 's/.*"\(.*\)"/\1/' | sort -u >drawn
while read -r class; do
    grep -qE "\.$class\b" "$SOURCE/src/page/page.css" || fail "page.css has no rule of .$class"
done <drawn
finish
