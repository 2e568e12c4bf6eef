# Programs in G-code and drawings in DXF become tables of paths: lengths and points against closed forms, rounded corners, errors with
# their lines; a machine follows them.
. "$SOURCE/tests/cli/lib.bash"

# length OF ERROR: of the path in the table, in mm.
length() {
    awk -F, -v want="$1" -v off="$2" '/^[0-9]/ { last = $1 } END { d = last - want; if (d < 0) d = -d; exit !(d < off) }' path.csv ||
        fail "length $(tail -n 1 path.csv) instead of $1"
}
# within EXPRESSION: holds for x, y, z of all rows.
within() {
    awk -F, "/^[0-9]/ { x = \$2; y = \$3; z = \$4; if (!($1)) exit 1 }" path.csv || fail "not all rows: $1"
}
# program TEXT [OPTIONS]: imports it.
program() {
    printf '%b' "$1" >p.nc
    rm -f path.csv
    shift
    expect 0 import p.nc -o path.csv "$@"
}
# refused LINE PATTERN TEXT
refused() {
    printf '%b' "$3" >p.nc
    expect 3 import p.nc -o -
    says err "p\.nc:$1:.*error: .*$2"
}

# The slot: lines and arcs that join smoothly keep their length but for the rounded change of curvature.
expect 0 import "$SOURCE/docs/samples/part.nc" --planar -o path.csv
says err 'dropped: words M \(lines'
says err 'assumed: the path begins where the first motion ends \(line 5\)'
says err 'rounded: 4 smooth joints \(turning by at most 1 deg\), from 1 mm or more before them on'
length 269.24778 0.001 # 175 + 30 pi
says path.csv '^p \[mm\],x \[mm\],y \[mm\]$'
sed 's/part.csv/path.csv/' >table.yaml <<'YAML'
format: 1
name: table
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    beam: {mass: 20 kg, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}
    head: {mass: 5 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}
    y: {type: prismatic, of: [head.P, beam.P], axis: [0, 1]}
  drives:
    mx: {at: x, force: {limit: 300 N}, speed: {max: 1 m/s}}
    my: {at: y, force: {limit: 100 N}, speed: {max: 1 m/s}}
trajectories:
  part: {of: head.P, kind: file, file: path.csv}
YAML
expect 0 traverse table.yaml --no-pictures -o out.d
says out '^part: T = '

# A circle by I and J, by R in two halves, in inches, incremental: all rows at the radius.
program 'G0 X10 Y0\nG2 I-10\n'
length 62.8318531 1e-6
within '(x^2 + y^2 - 100)^2 < 1e-12 && z == 0'
program 'g21 g0 x10 y0 (start)\ng3 x-10 r10 ; half\nx10 y0 r-10\n'
length 62.8318531 1e-6
within '(x^2 + y^2 - 100)^2 < 1e-10'
program 'G20 G91 G0 X0 Y0\nG3 X-2 I-1 J0\n'
length 79.7964534 1e-6 # pi inches
# A quarter in each plane: clockwise from the positive end of the normal axis. A helix with two turns.
program 'G0 X0 Y0 Z10\nG18 G2 X10 Z0 I0 K-10\n'
within '(x^2 + z^2 - 100)^2 < 1e-10 && y == 0'
length 47.1238898 1e-6
program 'G0 X0 Y10 Z0\nG19 G3 Y0 Z10 J-10 K0\n'
length 15.7079633 1e-6
program 'G0 X10 Y0 Z0\nG17 G3 I-10 Z5 P2\n'
length 125.763138 1e-5 # sqrt((40 pi)^2 + 5^2)
# Turns of 2 deg and of 0.5 deg: one corner, and one joint that is none.
printf 'G21 G90\nG1 X0 Y0\nX100\nX199.939083 Y3.489950\nX299.843096 Y7.848\n' >turns.nc
expect 0 import turns.nc --planar -o turns.csv
says err 'rounded: 1 corner and 1 smooth joint \(turning by at most 1 deg\)'
# A right angle, rounded from 2 mm before the corner on: the quintic passes it by 3/16 * 2 mm * sqrt(2).
program 'G0 X0 Y0\nG1 X50\nY50\n' --blend '2 mm' --planar
says err 'rounded: 1 corner, from 2 mm or more before them on .* by 0\.53 mm at most \(line 3\)'
awk -F, '/^[0-9]/ { last = $1 } END { exit !(last < 100 && last > 98.8) }' path.csv || fail "the rounded corner is not shorter"

# What stands behind the end of a program is no part of it.
program 'G0 X0 Y0\nG1 X50 M30\nY50\n'
length 50 1e-9

refused 2 'M98 leads to another part' 'G0 X0\nM98 P100\nG1 X5\n'
refused 3 'turns back' 'G0 X0 Y0\nG1 X10\nX5\n'
refused 2 'is not read, and may change' 'G0 X0\nG83 X1 R2 Q1\n'
refused 2 'parameters and expressions' 'G0 X0\n#1=5\n'
refused 1 'a comment is not closed' 'G0 X0 (start\n'
refused 2 'from the start of the arc' 'G0 X0 Y0\nG2 X10 Y0 I3\n'
refused 2 'no arc of the radius R' 'G0 X0 Y0\nG2 X10 Y0 R3\n'
refused 1 'the first motion is an arc' 'G2 X10 I5\n'
refused 1 'coordinates without G0' 'X10\n'
refused 3 'G55 after G54' 'G54 G0 X0 Y0\nG1 X1\nG55 G1 X2\n'
refused 1 'G5 is not read' 'G5 X1 I1 J1 P1 Q1\n'
refused 1 'X stands twice' 'G0 X10 X20\n'
refused 1 "a letter and a number at 'X'" 'G0 X\n'
refused 1 'there is no motion' 'M30\n'
# Numbers have no exponents: E is the extruder. Two lines of sqrt(500) and 20 mm, and a corner that is passed by less than 1 mm.
program 'G92 E0\nG0 X0 Y0 E0\nG1 X10 Y20 E1 F1200\nG1 X10 Y40 E2\n' --blend '1 um'
length 42.3606798 0.001
says err 'dropped: words E \(lines 1, 2, 3, 4\)'
refused 2 'G92 with axes shifts' 'G0 X0\nG92 E0 X3\n'
# Whole turns alone, and no more than are read.
program 'G0 X0 Y0\nG2 I5 P1001\n'
length 31447.3431 0.001 # 1001 * 10 pi
refused 2 'P2000: more than 1001 turns' 'G0 X0 Y0\nG2 I5 P2000\n'
refused 2 'P2.7: an arc has a whole number of turns' 'G0 X0 Y0\nG2 I5 P2.7\n'
refused 2 'P0: an arc has' 'G0 X0 Y0\nG2 I5 P0\n'
# Words of axes that belong to other codes are no motions; G54 holds from the start.
refused 2 'G50 with axes shifts' 'G1 X0 Y0\nX5 G50 Z3\nX20\n'
program 'G50 S2000\nG0 X0 Y0\nG50\nG1 X20\nG4 X3\n'
length 20 1e-9
refused 2 'G55 after G54, which holds from the start' 'G1 X0 Y0\nG55\nG1 X20\n'
program 'G55 G0 X0 Y0\nG1 X20\nG55\n'
length 20 1e-9
program 'G28 X0 Y0\nG0 X0 Y0\nG1 X20\nG28 X5\n'
length 20 1e-9
refused 3 'to a machine position \(G53, G28' 'G0 X0\nG28 X5\nG1 X9\n'
refused 2 'G0 and G1 exclude each other' 'G0 X0\nG0 G1 X9\n'
refused 2 'G1.04 is not a code' 'G0 X0\nG1.04 X9\n'
refused 3 'coordinates without G0' 'G1 X0 Y0\nG80\nX5\n'
refused 2 'R belong to arcs' 'G0 X0\nG1 X5 R1\n'
# Random programs, half of them with a line that must be rejected, against a reading of our own.
/usr/bin/python3 "$SOURCE/tests/reference/gcode.py" "$GLOBDYN" --programs "$(share 12)" >out 2>err || fail 'random programs'

# DXF: contours from entities in any order and direction; a bulge is an arc.
dxf=$SOURCE/docs/samples/part.dxf
rm path.csv
expect 0 import "$dxf" --planar -o path.csv
says err 'dropped: entity TEXT \(line 28\)'
says err 'all of 3 contours but number 1'
length 142.8318 0.001 # 80 + 20 pi
rm path.csv
expect 0 import "$dxf" --planar --contour 3 -o path.csv
length 47.1238898 1e-6
within '(x^2 + y^2 - 56.25)^2 < 1e-10'
rm path.csv
expect 0 import "$dxf" --planar --contour 2 --blend '1 um' -o path.csv
says err 'rest to rest'
length 83.1824 0.01 # 60 + an arc of 4 atan(1/2) and radius 12.5 mm
# Ellipse and spline. The cam closes smoothly but for the curvature where both meet; the circle is a spline with weights.
cam=$SOURCE/docs/samples/cam.dxf
rm -f path.csv
expect 0 import "$cam" --planar --contour 2 -o path.csv
length 50.2654825 1e-6 # 16 pi
within '(x^2 + y^2 - 64)^2 < 1e-18'
says err 'misses the path by 7e-05 mm|misses the path by [0-9.]+e-0[5-9] mm'
rm path.csv
expect 0 import "$cam" --planar --blend '1 um' -o path.csv
says err 'all of 2 contours but number 1'
within 'y < 1e-4 || ((x / 40)^2 + (y / 20)^2 - 1)^2 < 1e-18'
# p is the length: of the upper half, by the elliptic integral E(sqrt(3)/2) 2 40 = 96.8844822; it begins at 40, 0
awk -F, '/^[0-9]/ && !done && NR > 10 && $3 < 0 { p = p0 + (y0 - 0) / (y0 - $3) * ($1 - p0); d = p - 96.8844822; if (d < 0) d = -d
    print p; exit !(d < 1e-4) } /^[0-9]/ { p0 = $1; y0 = $3 }' path.csv >where || fail "the upper half is $(cat where) long"
# refused: what is no curve, with its line
broken() { # MESSAGE SED-SCRIPT
    sed "$2" "$cam" >bad.dxf
    expect 3 import bad.dxf --planar -o -
    says err "bad.dxf:[0-9]+.*error: $1"
}
broken 'the degree of a spline' '/^71$/{n;s/3/30/}'
broken 'the number of knots' '/^71$/{n;s/3/2/}'
broken 'the knots of a spline must not fall' '/^40$/{n;s/^2$/-2/}'
broken 'the weights of a spline' '/^41$/{n;s/^1$/-1/}'
broken 'an ellipse needs' '/^40$/{n;s/^0.5$/0/}'
broken 'the curve has a cusp' '/^10$/{n;s/^0$/-40/};/^20$/{n;s/^-8$/0/}'
broken 'a spline by the points' 's/^10$/11/'

# What is not seen in the model is no contour: paper space, invisible entities, layers that are off or frozen. Of the four circles of radius
# 2 to 5 and the line only the one of radius 5 is left; without the table of layers there are three contours.
circle() { # RADIUS LAYER [GROUPS]
    printf '0\nCIRCLE\n8\n%s\n%b10\n0\n20\n0\n40\n%s\n' "$2" "${3-}" "$1"
}
layer() { # NAME FLAGS COLOUR
    printf '0\nLAYER\n2\n%s\n70\n%s\n62\n%s\n' "$1" "$2" "$3"
}
entities() {
    printf '0\nSECTION\n2\nENTITIES\n'
    circle 2 part '67\n1\n'
    circle 3 part '60\n1\n'
    circle 4 Off
    circle 5 part '67\n0\n60\n0\n'
    printf '0\nLINE\n8\nfrozen\n10\n0\n20\n0\n11\n9\n21\n0\n0\nENDSEC\n0\nEOF\n'
}
{
    printf '0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n70\n4\n'
    layer OFF 0 -7
    layer frozen 5 3
    layer part 4 1
    layer ENTITIES 0 1
    printf '0\nENDTAB\n0\nENDSEC\n'
    entities
} >seen.dxf
rm -f path.csv
expect 0 import seen.dxf --planar -o path.csv
length 31.4159265 1e-6
says err 'dropped: an entity of paper space \(line [0-9]+\)'
says err 'dropped: an invisible entity \(line [0-9]+\)'
says err 'dropped: an entity of the layer Off, which is off or frozen \(line [0-9]+\)'
says err 'dropped: an entity of the layer frozen, which is off'
! grep -q contour err || fail 'hidden entities are contours'
entities >unseen.dxf
rm -f path.csv
expect 0 import unseen.dxf --planar -o path.csv
length 25.1327412 1e-6
says err 'all of 3 contours but number 1'

# the units of $INSUNITS: decimetres are a hundred times millimetres, nothing is a light year
grep -q -A2 'INSUNITS' "$dxf" || fail 'the sample states no unit'
with_unit() {
    awk -v unit="$1" 'after == 2 { $0 = unit } { after = /INSUNITS/ ? 1 : after ? after + 1 : 0; print }' "$dxf" >unit.dxf
}
with_unit 14
rm -f path.csv
expect 0 import unit.dxf --planar --contour 2 --blend '0.1 mm' -o path.csv
length 8318.24 0.1
with_unit 19
expect 3 import unit.dxf --planar -o -
says err 'INSUNITS is 19, which is no known unit'
expect 3 import "$dxf" --contour 4 -o -
says err 'there are only 3 contours'
sed 's/^40$/forty/' "$dxf" >bad.dxf
expect 3 import bad.dxf -o -
says err 'bad.dxf:[0-9]+:1: error: expected '
sed 's/^270$/1e308/' "$dxf" >bad.dxf # an angle is taken in its turn
rm -f path.csv
expect 0 import bad.dxf --planar --contour 3 -o path.csv
grep -q nan path.csv && fail 'an angle of 1e308 degrees gives NaN'
head -n $(($(wc -l <"$dxf") - 4)) "$dxf" >bad.dxf # cut off: what is missing is not known
expect 3 import bad.dxf --planar -o -
says err 'error: the file ends within its section ENTITIES'
printf 'nothing\n' >bad.dxf
expect 3 import bad.dxf -o -
says err 'not a DXF file with a section ENTITIES'
# Where a motion begins that follows one in coordinates of the machine is not known; before the path it does not matter.
refused 5 'G53.*not known' 'G0 X0 Y0\nG1 X10\nG53 G0 Z0\n(now up)\nG1 X20 Y5\n'
printf 'G53 G0 Z0\nG0 X0 Y0\nG1 X10\nG53 G0 Z0\n' >p.nc
rm path.csv
expect 0 import p.nc --planar -o path.csv
length 10 1e-9

finish
