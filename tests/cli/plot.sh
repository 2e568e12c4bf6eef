# globdyn plot: the pictures of a folder in other formats, sizes and views, without computing anything again.
. "$SOURCE/tests/cli/lib.bash"
gnuplot --version >/dev/null 2>&1 || exit 77

# A machine in space on a coarse path.
expect 0 check "$SOURCE/cases/ups6/case.yaml" -o one
cp one/machine.png before.png
digits() { # of a PNG: width height
    od -An -t u1 -j 16 -N 8 "$1" | awk '{ print $3*256+$4, $7*256+$8 }'
}
[ "$(digits one/machine.png | cut -d ' ' -f 1)" = 900 ] || fail "the picture as it was laid out has $(digits one/machine.png)"

# 85 mm at 300 dots per inch are 1003.9 dots; the height follows from the layout, or is as it is stated.
expect 0 plot one --width "85 mm" -o small
says out '^small/machine\.png$'
[ ! -s err ] || fail "letters of a column are complained of: $(cat err)"
[ "$(digits small/machine.png | cut -d ' ' -f 1)" = 1003 ] || fail "85 mm have $(digits small/machine.png)"
expect 0 plot one --width "85 mm" --font-size 3 -o tiny
says err 'warning: text of 3\.0 pt is hardly legible in print'
expect 2 plot one --width 85
says err 'a number without a unit is in metres: write --width "85 mm"'
expect 0 plot one --height "120 mm" -o high
echo "$(digits one/machine.png) $(digits high/machine.png)" |
    awk '{ w = $1/$2*1417; exit !($4 == 1417 && $3 > w - 4 && $3 < w + 4) }' || fail "120 mm of height have $(digits high/machine.png)"
expect 0 plot one machine --width "85 mm" --height "85 mm" -o square
[ "$(digits square/machine.png)" = "1003 1003" ] || fail "a square has $(digits square/machine.png)"
[ "$(ls small)" = machine.png ] || fail "more than was asked for: $(ls small)"

# The page of a PDF in points of 1/72 inch, compressed text left aside; an SVG with its letters.
expect 0 plot one --format pdf --width "127 mm" --font-size 3
grep -aEq 'MediaBox *\[ *0 0 (360|360\.0*) [0-9.]+ *\]' one/machine.pdf || fail "the PDF has another page"
# Its letters have the size that is stated, 7.5 pt where none is: the scales of the matrices of its text.
expect 0 plot one --format pdf --width "85 mm" -o column
expect 0 plot one --format pdf --width "85 mm" --font-size 9 -o large
python3 - column/machine.pdf 7.5 large/machine.pdf 9 <<'END' || fail "letters of a PDF have another size"
import re, sys, zlib
for name, size in zip(sys.argv[1::2], sys.argv[2::2]):
    sizes = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", open(name, "rb").read(), re.S):
        try:
            text = zlib.decompress(stream)
        except zlib.error:
            continue
        sizes |= {float(scale) for scale in re.findall(rb"([\d.]+) 0 0 -[\d.]+ [-\d.]+ [-\d.]+ Tm", text)}
    # a heading is a little larger
    assert sizes and abs(min(sizes) - float(size)) < 0.02 and max(sizes) < 1.16 * float(size), (name, sizes)
END
expect 0 plot one --format svg --width "127 mm" --font-size 4.5 -o svg
says svg/machine.svg 'width="480" height="[0-9]+"'
says svg/machine.svg 'font-size="6\.00"' # 4.5 pt of 1/72 inch are 6 of 1/96
[ ! -s err ] || fail "letters that have room are complained of"
expect 0 plot one --format svg --width "127 mm" -o svg
says svg/machine.svg 'font-size="10\.00"' # 7.5 pt, as nothing else is stated
# The narrowest layout has 240 pixels of letters of 9.75 pt: 30 mm have room for 4.6 pt, 7.5 pt for 48.9 mm.
expect 0 plot one --format svg --width "30 mm" -o svg
says err 'machine is laid out for text of up to 4\.6 pt at this width, or a width of at least 49 mm'

# Another view is another picture; a folder with a quote and a blank in its name.
expect 0 plot one -o "it's here"
cmp -s "it's here/machine.png" before.png || fail "the picture drawn once more differs"
expect 0 plot one --view 20,80 -o turned
cmp -s turned/machine.png before.png && fail "--view changes nothing"
grep -q 'view has no effect' err && fail "--view has an effect"
expect 0 check "$SOURCE/cases/five_bar3/case.yaml" -o flat
expect 0 plot flat --view 20,80
says err '^warning: --view has no effect: none of these pictures shows a machine in space'

# What moves.
expect 2 plot one --format gif
says err 'no picture in one is animated'
expect 0 simulate "$SOURCE/cases/pendulum/case.yaml" --duration "1 s" -o swing
if gnuplot -e 'if (strstrt(GPVAL_TERMINALS, " gif ") == 0) exit status 1' 2>/dev/null; then
    expect 0 plot swing --format gif --width "50 mm" -o moving
    [ "$(head -c 6 moving/simulate_animation.gif)" = GIF89a ] || fail "no moving picture"
    [ "$(ls moving)" = simulate_animation.gif ] || fail "stills were drawn, too"
fi

# A picture that a full disk cuts off, of which gnuplot says nothing: it is absent, the others are complete.
mkdir tools
cat >tools/gnuplot <<SH
#!/bin/sh
sed -u 's/^print sprintf/system "for f in *.'\$KIND'.*.tmp; do test ! -e \$f || truncate -s '\$SIZE' \$f; done"\n&/' | exec $(command -v gnuplot) "\$@"
SH
chmod +x tools/gnuplot
for kind in "gif 300" "gif 0" "png 300" "svg 2000"; do
    rm -rf swing
    KIND=${kind% *} SIZE=${kind#* } PATH=$work/tools:$PATH expect 0 simulate "$SOURCE/cases/pendulum/case.yaml" --duration "1 s" -o swing
    says err 'gnuplot could not make the pictures of simulate_animation'
    [ -z "$(ls swing | grep -E "${kind% *}$|tmp")" ] || fail "a part of a picture is left: $(ls swing)"
done

# Below results/ by name alone; what is not there, or wrong.
mkdir results && cp -r one results/two
expect 0 plot two --format svg
[ -s results/two/machine.svg ] || fail "results/two was not found"
expect 5 plot nowhere
says err "'nowhere' is not a folder with pictures"
expect 2 plot one tube
says err "one has no picture 'tube'"
says err 'it has machine$'
for wrong in "--width 5" "--width 3kg" "--font-size 200" "--view 12" "--view 12,x" "--view 400,0" "--format tiff"; do
    expect 2 plot one $wrong
done
expect 2 plot one --height "5 mm"
says err '--height is from 20 mm to 1 m, not 5 mm'
expect 2 plot one --font-size 200
says err '--font-size is from 2 to 100 points, not 200 points'
sed -i '/^# Layout/d' one/machine.gp
expect 5 plot one
says err 'one/machine\.gp is missing, or from a release without globdyn plot'
[ -z "$(find . -name '*.tmp')" ] || fail "parts of pictures"

finish
