# Pages of studies in a real browser (tests/browser/check_study.py): a machine, formulas alone, many designs, nothing
# feasible, a sweep. Left out where there is no browser.
. "$SOURCE/tests/cli/lib.bash"
((${GDYN_SANITIZED:-0})) && exit 77 # the program's part runs in the tests of reports

command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || {
    echo "no browser (scripts/setup browser): left out"
    exit 77
}
sed 's/points: 201/points: 21/' "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
expect 0 optimize -q --no-pictures star.yaml --evaluations 40 --population 20 -o star
expect 0 optimize -q --no-pictures "$SOURCE/cases/zdt1/case.yaml" --evaluations 2000 -o many
never_feasible "<script>window.stolen = 1</script>" >never.yaml
expect 1 optimize -q --no-pictures never.yaml -o never
expect 0 sweep -q --no-pictures star.yaml --levels 3 --variables leg,rail -o sweep
for study in star many never sweep; do
    "$GLOBDYN" report -q $study >out 2>err || [ $? -eq 1 ] || fail "report $study"
done
python3 "$SOURCE/tests/browser/check_study.py" ./*/*.html >out 2>err || fail "the browser"
grep checked out
finish
