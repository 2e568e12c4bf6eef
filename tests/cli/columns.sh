# Pictures in a column of text of 85 mm: letters of the size asked for, nothing cut, nothing covered; measured in their SVG.
. "$SOURCE/tests/cli/lib.bash"
gnuplot --version >/dev/null 2>&1 || exit 77

# Scripts alone, as no gnuplot is found; then each picture once.
scripts() {
    PATH=$work:/nowhere "$GLOBDYN" "$@" -q >out 2>err </dev/null
    [ $? -le 1 ] || fail "globdyn $*"
}
cases=$SOURCE/cases
# A small study of three objectives: front, parallel, variables, history, failures, designs.
scripts optimize "$cases/four_slider_star/case.yaml" --evaluations 24 -o study
scripts regions "$cases/four_slider_star/case.yaml" --trajectory circle -o star
scripts traverse "$cases/four_slider_star/case.yaml" --trajectory circle -o star
scripts reactions "$cases/mobile_robot/case.yaml" -o robot
scripts modes "$cases/rrr3/case.yaml" -o modes
scripts simulate "$cases/pendulum_redundant/case.yaml" -o swing
scripts workspace "$cases/three_cables/case.yaml" -o line
for folder in study star robot modes swing line; do
    expect 0 plot $folder --format svg --width "85 mm" -o svg_$folder
    [ ! -s err ] || fail "$folder: $(cat err)"
done
python3 "$SOURCE/tests/cli/columns.py" 85 7.5 svg_*/*.svg >out 2>err || fail "letters of columns"
expect 0 plot star --format svg --width "85 mm" --font-size 9 -o large
python3 "$SOURCE/tests/cli/columns.py" 85 9 large/*.svg >out 2>err || fail "letters of 9 pt"

finish
