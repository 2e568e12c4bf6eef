# Reports in a real browser (tests/browser/check_report.py): planar, spatial, wheels, cables, a path out of reach, no
# trajectory. Left out where there is no browser.
. "$SOURCE/tests/cli/lib.bash"

command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || {
    echo "no browser (scripts/setup browser): left out"
    exit 77
}
for case in four_slider_star ups6 differential_cart three_cables; do
    "$GLOBDYN" report -q "$SOURCE/cases/$case/case.yaml" -o "$case" >out 2>err || [ $? -eq 1 ] || fail "report $case"
done
sliding_cart >sliding.yaml
expect 0 report sliding.yaml -o sliding
cat >reach.yaml <<'YAML'
format: 1
name: "<script>window.stolen = 1</script>"
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    arm: {mass: 1 kg, inertia: 0.1 kg m^2, com: [0.5, 0], points: {O: [0, 0], tip: [1, 0]}, pose: [0, 0, 0]}
  ground: {points: {O: [0, 0]}}
  joints:
    pin: {type: revolute, of: [arm.O, ground.O]}
  drives:
    m: {at: pin, torque: {limit: 5 N m}}
trajectories:
  far: {of: arm.tip, kind: line, from: [2, 0], to: [3, 0], points: 5}
YAML
expect 1 report reach.yaml -o reach
python3 "$SOURCE/tests/browser/check_report.py" ./*/report.html >out 2>err || fail "the browser"
grep checked out
finish
