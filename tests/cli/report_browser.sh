# Reports in a real browser (tests/browser/check_report.py): planar, spatial, wheels, cables, a path out of reach, no
# trajectory. Left out where there is no browser.
. "$SOURCE/tests/cli/lib.bash"
((${GDYN_SANITIZED:-0})) && exit 77 # the program's part runs in the tests of reports

command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || {
    echo "no browser (scripts/setup browser): left out"
    exit 77
}
for case in four_slider_star ups6 differential_cart three_cables; do
    "$GLOBDYN" report -q "$SOURCE/cases/$case/case.yaml" -o "$case" >out 2>err || [ $? -eq 1 ] || fail "report $case"
done
sliding_cart >sliding.yaml
expect 0 report sliding.yaml -o sliding
out_of_reach "<script>window.stolen = 1</script>" >reach.yaml
expect 1 report reach.yaml -o reach
python3 "$SOURCE/tests/browser/check_report.py" ./*/report.html >out 2>err || fail "the browser"
grep checked out
finish
