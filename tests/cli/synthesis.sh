# The synthesis problems of cases/: a short search finds a feasible front in each of them.
. "$SOURCE/tests/cli/lib.bash"

# Nothing of the first population can be assembled on the wide star, whatever the seed; the search finds the
# machines that can (paths of few points: some milliseconds per design).
mkdir -p four_slider_star star_wide
sed 's/points: 201/points: 41/' "$SOURCE/cases/four_slider_star/case.yaml" >four_slider_star/case.yaml
cp "$SOURCE/cases/star_wide/case.yaml" star_wide/case.yaml
# With the sanitizers: as far as the first generations, which cannot be assembled.
wide() {
    local code=$1 seed=$2 evaluations=$3
    expect "$code" optimize star_wide/case.yaml --no-pictures -o "wide$seed" --seed "$seed" --population 24 --evaluations "$evaluations"
    head -25 "wide$seed/designs.csv" | grep -q ',ok,' && fail "seed $seed: the first population has a feasible design"
    [ "$code" -ne 0 ] || grep -q ',ok,' "wide$seed/designs.csv" || fail "seed $seed: no feasible design"
}
if ((${GDYN_SANITIZED:-0})); then
    wide 1 6 48
else
    wide 0 3 216
    wide 0 6 216
fi

# The others: a feasible front within a few generations, with designs that are better than the start in something.
front() {
    local name=$1 evaluations=$2
    mkdir -p "$name" ipanema1
    cp "$SOURCE/cases/ipanema1/case.yaml" ipanema1/
    sed -E 's/points: (51|101|41)/points: 13/' "$SOURCE/cases/$name/case.yaml" >"$name/case.yaml"
    expect 0 optimize "$name/case.yaml" --no-pictures -o "front_$name" --population 16 --evaluations "$evaluations"
    says out '^start design: ok'
    [ "$(wc -l <"front_$name/front.csv")" -ge 3 ] || fail "$name: the front has less than two designs"
}
front five_bar3 64
front rrr4 64
front ups6 48
front ipanema_anchors 48
front five_bar_catalogue 96 # after five_bar3, which it includes

finish
