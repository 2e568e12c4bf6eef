# study compare of groups of studies: medians, quartiles and exact rank tests against Python (itertools,
# and SciPy where it is there), hypervolumes against one reference point.
. "$SOURCE/tests/cli/lib.bash"

problem() { # NAME METHOD OBJECTIVES
    cat <<END
format: 1
name: $1
design: {x1: {min: 0, max: 1}, x2: {min: 0, max: 1}, x3: {min: 0, max: 1}}
optimize:
  objectives: {$3}
  algorithm: {name: $2, population: 12}
END
}
two='f: {minimize: x1 + x3^2}, g: {maximize: sqrt(x1) - x2 - x3}'
for method in nsga2 de nsga3; do
    problem two $method "$two" >two.yaml
    problem one $method 'h: {minimize: (x1 - 0.3)^2 + (x2 - x1)^2 + x3}' >one.yaml
    for seed in 1 2 3 4 5; do
        expect 0 optimize two.yaml -o two/$method/$seed --seed $seed --evaluations 48 --no-pictures
        expect 0 optimize one.yaml -o one/$method/$seed --seed $seed --evaluations 48 --no-pictures
    done
done
cat >judge.py <<'END'
import glob, itertools, json, sys
kind, document = sys.argv[1], json.load(open(sys.argv[2]))
def front(study):
    d = json.load(open(study.replace("study.db", "front.json")))["designs"]
    return [(o["h"], 0) if kind == "one" else (o["f"], -o["g"]) for o in (x["objectives"] for x in d)]
def median(v):
    v = sorted(v)
    return v[len(v) // 2] if len(v) % 2 else (v[len(v) // 2 - 1] + v[len(v) // 2]) / 2
studies = [s["study"] for g in document["groups"] for s in g["studies"]]
union = [f for s in studies for f in front(s)]
worst = [max(f[k] for f in union) for k in (0, 1)]
corner = [w + 0.1 * (w - min(f[k] for f in union)) for k, w in enumerate(worst)]
def value(study):
    if kind == "one":
        return min(front(study))[0]
    volume, high = 0, corner[1]
    for f in sorted(front(study)):
        volume, high = volume + (corner[0] - f[0]) * max(high - f[1], 0), min(high, f[1])
    return volume
def near(a, b): assert abs(a - b) <= 1e-9 * max(1, abs(b)), (a, b)
values = {}
for g in document["groups"]:
    v = values[g["name"]] = [s["value"] for s in g["studies"]]
    for s in g["studies"]:
        near(s["value"], value(s["study"]))
        assert s["study"].split("/")[-2] == str(s["seed"]) and s["designs"] == 48 and s["population"] == 12
    assert {s["method"] for s in g["studies"]} <= {g["name"].split("/")[1]}
    near(g["median"], median(v))
    near(g["quartiles"][0], sorted(v)[1]), near(g["quartiles"][1], sorted(v)[3])  # of five
sign = 1 if document["sense"] == "maximize" else -1
ps = []
for t in document["tests"]:
    a, b = ([sign * x for x in values[t[k]]] for k in "ab")
    def u(one, other): return sum((x > y) + (x == y) / 2 for x in one for y in other)
    near(t["ahead"], u(a, b) / 25)
    pool, far, n = a + b, 0, 0
    for chosen in itertools.combinations(range(10), 5):
        rest = [pool[i] for i in range(10) if i not in chosen]
        n, far = n + 1, far + (abs(u([pool[i] for i in chosen], rest) - 12.5) >= abs(u(a, b) - 12.5))
    near(t["p"], far / n)
    ps.append(t["p"])
    try:
        from scipy.stats import mannwhitneyu
        if len(set(pool)) == 10:
            near(t["p"], mannwhitneyu(a, b, method="exact").pvalue)
    except ImportError:
        pass
order, last = sorted(range(len(ps)), key=ps.__getitem__), 0
for k, i in enumerate(order):
    last = max(last, min(1, (len(ps) - k) * ps[i]))
    near(document["tests"][i]["p_holm"], last)
assert len(ps) == 3
END
for kind in one two; do
    expect 0 study compare $kind/nsga2 $kind/de $kind/nsga3 --json -o $kind.json
    [ -s err ] && fail "a fair comparison has notes"
    /usr/bin/python3 judge.py $kind $kind.json >out 2>err || fail "$kind: another program finds other numbers"
done
expect 0 study compare one/nsga2 one/de
says out '^one/nsga2 +5 '
says out '^best value of h, minimized'

# Names with commas between them; what is not fair is noted; what cannot be compared is rejected.
expect 0 optimize two.yaml -o two/nsga3/5 --seed 5 --evaluations 60 --no-pictures
expect 0 study compare two/nsga3/1,two/nsga3/5 two/de/1
says out '^two/nsga3/1,two/nsga3/5 +2 '
says err '48 to 60 designs: unequal budgets'
cp -r two/de/1 two/de/6
expect 0 study compare two/de two/nsga3
says err 'two/de/1/study.db and two/de/6/study.db have the same seed'
expect 6 study compare two/de one/de
says err 'have different objectives'
expect 2 study compare two/de,two/de/1 two/nsga3
says err 'two/de/1/study.db is named twice'
expect 5 study compare two/de nowhere
says err "there is no study 'nowhere'"
expect 2 study compare two/de two/nsga3 -o x.txt
expect 0 study list two
says out '^two/nsga3/5/study.db .* nsga3 +12 +5  finished'
finish
