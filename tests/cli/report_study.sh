# globdyn report STUDY: one HTML file of a study or a sweep, however things are named; again while it runs.
. "$SOURCE/tests/cli/lib.bash"

star=$work/star.yaml
sed 's/points: 201/points: 11/' "$SOURCE/cases/four_slider_star/case.yaml" >"$star"

# values PAGE CSV: the numbers of the page are those of the study, to a millionth.
values() {
    python3 - "$2" <<'PY' || fail "$1 has other numbers than the study"
import array, base64, csv, json, sys
data = json.load(open("data.json"))
rows = list(csv.DictReader(open(sys.argv[1])))
heads = {h.split(" [")[0]: h for h in rows[0]}
read = lambda text, kind: array.array(kind, base64.b64decode(text))
assert data["count"] == len(rows), (data["count"], len(rows))
assert list(read(data["serial"], "I")) == [int(r["id"]) for r in rows]
assert [data["statuses"][s] for s in read(data["status"], "B")] == [r["status"] for r in rows]
assert list(read(data["front"], "B")) == [int(r["nondominated"]) for r in rows]
compared = 0
for column in data["columns"]:
    prefix = {"variable": "design.", "objective": "objective.", "constraint": "constraint.", "criterion": ""}[column["kind"]]
    head = heads[prefix + column["name"]]
    numbers = read(column["data"], "d" if column["wide"] else "f")
    for number, row in zip(numbers, rows, strict=True):
        if row[head] == "":
            assert number != number, (head, number)
        else:
            value = float(row[head])
            assert number == value or abs(number - value) <= 1e-6 * abs(value), (head, number, value)
            compared += 1
assert compared > len(rows), compared
PY
}

# A search: the verdict, drawings of some machines, every number.
expect 0 optimize -q --no-pictures "$star" --evaluations 30 --population 10 -o star
expect 0 report star
says out '^four-slider star: 30 designs, [0-9]+ feasible, [0-9]+ on the front, hypervolume .*; finished: '
says err 'Report: star/study.html'
whole star/study.html
"$GLOBDYN" study export star -o star.csv
values star/study.html star.csv
says star/study.html '<script type="application/json" class="drawing" data-design="0">'
says star/study.html '<dd class="code">globdyn study check star</dd>'
says star/study.html '<h3>The front</h3>'
grep -q 'http-equiv="refresh"' star/study.html && fail "a finished study is loaded again and again"
[ "$(wc -c <star/study.html)" -lt 1500000 ] || fail "the page of 30 designs is $(wc -c <star/study.html) bytes"

# Without a machine, sizes as choices, a name with every metacharacter, nothing feasible.
never_feasible "</script><script>alert('1')</script> & \\\"two\\\" <b>" >"a'b & c.yaml"
expect 1 optimize -q --no-pictures "a'b & c.yaml" -o "a'b & c"
expect 1 report "a'b & c"
says out '24 designs, 0 feasible; finished'
whole "a'b & c/study.html"
grep -q '<script>alert\|<b>' <(sed 's/<b>Nothing feasible yet\.<\/b>//' "a'b & c/study.html") && fail "a text became an element"
says "a'b & c/study.html" "globdyn study check &#39;a&#39;.&#39;&#39;b &amp; c&#39;"
says "a'b & c/study.html" 'Nothing feasible yet'
"$GLOBDYN" study export "a'b & c" -o abc.csv
values page abc.csv

# One objective: its best value so far in place of the hypervolume, which only falls.
printf 'format: 1\nparameters: {x: 0}\ndesign: {x: {min: -3, max: 2}}\noptimize: {objectives: {f: {minimize: "(x - 1)^2 + 2"}}}\n' >bowl.yaml
expect 0 optimize -q --no-pictures bowl.yaml --evaluations 80 --population 8 -o bowl
expect 0 report bowl
python3 - <<'PY' || fail "the history of one objective is not its best value"
import re
history = open("bowl/study.html").read().split('id="history"')[1]
assert ">f<" in history and "best value so far" in history
heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", re.search(r'data-name="best value so far"[^>]* d="([^"]*)"', history)[1])]
assert len(heights) > 2 and all(a <= b for a, b in zip(heights, heights[1:])) and heights[0] < heights[-1], heights
PY

# A sweep has no front; a study file of another name.
expect 0 sweep -q --no-pictures "$star" --levels 3 --variables leg -o sweep
expect 0 report sweep
says err 'Report: sweep/sweep.html'
whole sweep/sweep.html
# The same bytes again; into another folder.
expect 0 report sweep/sweep.db -o elsewhere -q
sed 's/sweep\/sweep\.db/sweep/g; s/ -o elsewhere -q//' elsewhere/sweep.html | cmp -s - sweep/sweep.html || fail "a second page differs"

# What does not go together; what is not there.
expect 2 report "$star" --watch
says err 'does not accept --watch for a case'
expect 2 report star --set leg=1
says err 'does not accept --set for a study'
expect 5 report nothing
expect 5 report sweep -o /dev/null/none

# While it runs: the page is written again, loads itself, and the last one does not.
sed 's/, stall: {.*}}/}/' "$star" >endless.yaml
"$GLOBDYN" optimize -q --no-pictures endless.yaml --threads 1 --evaluations 100000 -o live >run.out 2>run.err </dev/null &
search=$!
wait_for $search holds live 5 || fail "the search has no designs"
"$GLOBDYN" report live --watch >out 2>err </dev/null &
page=$!
wait_for $page grep -q 'id="reload"' live/study.html || fail "no page of a running study"
kill -INT $search
wait $search
wait $page
code=$?
[ $code -le 1 ] || fail "report --watch ends with $code"
says out '; interrupted$'
grep -q 'id="reload"' live/study.html && fail "the last page is loaded again and again"
whole live/study.html
ls live | grep -q tmp && fail "an unfinished page is left"
finish
