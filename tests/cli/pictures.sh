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

if command -v gnuplot >/dev/null 2>&1; then
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
        code=0
        [ $case = cogiro ] && code=1 # one of its paths leads to where the cables cannot hold it
        expect $code regions "$SOURCE/cases/$case/case.yaml" -o "$case" -q
        silent err
        for script in "$case"/*.gp; do
            [ -s "${script%.gp}.png" ] || fail "no picture of $script"
        done
    done
fi

finish
