# Random coefficient sets with limits of very different sizes: three methods against linear programs in
# rational numbers, and the sets that once differed. (Many: tests/reference/limits.py --sets 3000.)
. "$SOURCE/tests/cli/lib.bash"

find_python

run() {
    "$python" "$SOURCE/tests/reference/limits.py" --program "$GLOBDYN" "$@" >out 2>err ||
        fail "limits.py $*: $(cat out)"
    tail -n 1 out
}

# One row of limits of 1 among far ones: three rows that are dependent but for rounding were no tuple.
run --seed 5239 --sets 1 --processes 1
run --seed 150 --sets "$(share 80)" --processes 2 --open "$SOURCE/tests/reference/open_limits.txt"
grep '^open:' out

finish
