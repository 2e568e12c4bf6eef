# Units of everything that is read from tables: converted, or refused with their place; forces and torques are not
# compared with each other.
. "$SOURCE/tests/cli/lib.bash"

{
    sliding_cart
    cat <<'END'
trajectories:
  way: {of: cart.P, kind: line, from: [0, 0], to: [1 m, 0], points: 21}
  turned: {p: [0, 2], joints: {rail: 0.5*p}, points: 21}
  timed: {p: [0 s, 2 s], joints: {rail: 0.5*p}, points: 21}
END
} >slide.yaml

# The same motion in metres and seconds, in millimetres and milliseconds, as derivatives, in other brackets:
# p = 3 t^2 - 2 t^3, greatest acceleration 6 m/s^2, 12 N of 20 N: sqrt(20/12) times as fast.
printf 't,p\n' >si.csv
printf '"t [ms]"; p (mm)\n' >milli.csv
printf 'p [mm],d1 [mm/s],d2 [m/s^2]\n' >rates.csv
awk 'BEGIN { for (i = 0; i <= 50; i++) {
    t = i / 50; p = 3*t^2 - 2*t^3; v = 6*t - 6*t^2; a = 6 - 12*t
    printf "%.12g,%.12g\n", t, p >>"si.csv"
    printf "%.12g;%.12g\n", 1000*t, 1000*p >>"milli.csv"
    printf "%.12g,%.12g,%.12g\n", 1000*p, 1000*v, a >>"rates.csv" } }'
for file in si milli rates; do
    expect 0 feasible slide.yaml --trajectory way --motion $file.csv -o $file --no-pictures
    says out 'could be run 1\.29'
done
# metres under a head that says millimetres
sed '1s/.*/t,p [mm]/' si.csv >wrong.csv
expect 0 feasible slide.yaml --trajectory way --motion wrong.csv -o wrong --no-pictures
says err 'warning: wrong.csv: the motion covers 0.1 % of .way. \(0.001 of 1 m\): are the units'
expect 3 feasible slide.yaml --trajectory turned --motion milli.csv -o no
says err "milli.csv:1:[0-9]+: error: the unit of column 'p' does not fit: p of 'turned' is a pure number, not m"
expect 3 feasible slide.yaml --trajectory timed --motion milli.csv -o no
says err "p of 'timed' is in s, not m"
says milli/feasible.json '"units":\{"t":"s","p":"m","d1":"m/s","d2":"m/s\^2","drives":\{"push":"N"\}\}'
expect 0 traverse slide.yaml --trajectory way -o way --no-pictures
says out 'maximum d1 3\.16[0-9]* m/s at p = 0\.5 m, [0-9]+ grid points, 1 switching point$'
says way/traverse.json '"d1":"m/s"'
expect 0 regions slide.yaml --trajectory way --at 'max(0.25, 0.5),min(0.5, 2)' -o way --no-pictures
[ "$(grep -c 'at p = 0\.5' out)" = 2 ] || fail "commas within formulas part the places of --at"
expect 0 regions slide.yaml --trajectory way --at 0.5 -o way --no-pictures
says out 'way at p = 0.5 m: .*maximum d1 .* m/s.* at rest d2 in \[-10, 10\] m/s\^2'
says out '; d1 in m/s, d2 in m/s\^2$'
# Every place, speed and limit that is printed has its unit: certificates, refusals, motions that are not feasible.
sed 's/limit: [0-9.]* *N*/min: 2, max: 3/' slide.yaml >pushed.yaml
expect 1 traverse pushed.yaml --trajectory way -o pushed --no-pictures
says out '^way: p = [0-9.e-]+ m( \.\. [0-9.e-]+ m)?: '
printf 'p,d1,d2\n0,0,0\n0.5,9,0\n1,0,99\n' >fast.csv
expect 1 feasible slide.yaml --trajectory way --motion fast.csv -o fast --no-pictures
says out 'violation at p = [0-9.e-]+ m.* d1 = [0-9.e-]+ m/s, d2 = -?[0-9.e+-]+ m/s\^2\): '
printf 'p,d1,d2\n0,0,0\n2,0,0\n' >far.csv
expect 3 feasible slide.yaml --trajectory way --motion far.csv -o far --no-pictures
says err "far.csv:3:1: error: p = 2 lies outside 'way' \(p from 0 to 1 m\)"
# --at takes what a case takes: units, formulas, lists of them.
expect 0 regions slide.yaml --trajectory way --at '500 mm, 0.5 m, 1/2, 0, 2*250 mm' -o way --no-pictures
[ "$(grep -c 'way at p = 0.5 m: ' out)" = 4 ] || fail "places in other units"
# Parameters of the case are known there, at the values of --set.
sed '1a parameters: {place: 200 mm, apart: 2 kg}' slide.yaml >named.yaml
expect 0 regions named.yaml --trajectory way --at 'sqrt(place*place)/2' --set 'place=1 m' -o way --no-pictures
says out 'way at p = 0.5 m: '
expect 2 regions named.yaml --trajectory way --at apart -o no
says err "\-\-at: the unit kg does not fit"
expect 2 regions named.yaml --trajectory way --at plac -o no
says err "did you mean 'place'"
expect 0 regions slide.yaml --trajectory turned --at '10 deg' -o turned --no-pictures
says out 'turned at p = 0.174533: '
expect 2 regions slide.yaml --trajectory way --at '500' -o no
says err "\-\-at 500 m lies outside trajectory 'way' \(p from 0 to 1 m\)"
expect 2 regions slide.yaml --trajectory way --at '1 kg' -o no
says err "\-\-at: the unit kg does not fit: p of 'way' is in m"
for place in '' '0,,1' 'x' '1/0' 'inf'; do
    expect 2 regions slide.yaml --trajectory way --at "$place" -o no
done
printf 't [kg],p\n0,0\n1,1\n2,1\n' >mass.csv
expect 3 feasible slide.yaml --trajectory way --motion mass.csv -o no
says err "t of 'way' is in s, not kg"
printf 't [furlong],p\n0,0\n1,1\n2,1\n' >word.csv
expect 3 feasible slide.yaml --trajectory way --motion word.csv -o no
says err "'furlong' is not a unit"
printf 'p [mm],d1 [m],d2\n0,0,0\n1000,0,0\n' >length.csv
expect 3 feasible slide.yaml --trajectory way --motion length.csv -o no
says err "d1 of 'way' is in m/s, not m"
expect 3 reactions slide.yaml --trajectory way --motion length.csv -o no
says err "d1 of 'way' is in m/s, not m"
expect 0 reactions slide.yaml --trajectory way --motion rates.csv -o reactions --no-pictures

# Paths from tables: p in any unit of a length, a time, an angle; anything else is refused.
path() {
    printf '%s\n' "$1" '0, 0' '1000, 500' '2000, 1000' >path.csv
    sed -e '/^trajectories/,$d' slide.yaml >table.yaml
    printf 'trajectories: {t: {of: cart.P, kind: file, file: path.csv, points: 5}}\n' >>table.yaml
}
path 'p [ms], x [mm]'
expect 0 regions table.yaml --json -o table --no-pictures
says out '"p_unit": "s"'
says out '"p": 2\.0'
path 'p [mm], x [mm]'
expect 0 regions table.yaml --json -o table --no-pictures
says out '"p_unit": "m"'
path 'p [kg], x [mm]'
expect 3 regions table.yaml -o table
says err 'path.csv:1:1: error: the unit of column .p. does not fit'
path 'p, x [s]'
expect 3 regions table.yaml -o table
says err 'path.csv:1:4: error: the unit of column .x. does not fit: this coordinate is in m, not s'

# Coefficients: p decides what A, B, D may be.
table() {
    printf '%s\n' "$1" >q.csv
    printf '%s\n' "0,m,0,0,0,$2,$3,$4" "1000,m,0,0,0,$2,$3,$4" >>q.csv
}
table 'p [mm],drive,A [kg/m],B,C [kN],D [kg],min [kN],max [N]' 2 -0.02 20
expect 0 traverse --coefficients q.csv -o q --no-pictures # 1 m with |d2| <= 10: 2 sqrt(1/10)
says out 'T = 0\.6324'
table 'p [mm],drive,A [kg/m],B,C [kN],D [kN],min [kN],max [N]' 2 -0.02 20
expect 3 traverse --coefficients q.csv -o q --no-pictures
says err "q.csv:1:[0-9]+: error: the unit of column 'D' does not fit"
table 'p [mm],drive,A,B,C [N m],D,min [N],max [N m]' 2 -20 20
expect 3 regions --coefficients q.csv -o q --no-pictures
says err "unit of column 'max' does not fit: this coefficient is in N, not N m"

# Start designs.
cat >form.yaml <<'END'
format: 1
name: form
parameters: {leg: 1 m, n: 2, size: 2 mm}
design: {leg: {min: 0.5 m, max: 2 m}, n: {min: 1, max: 3, integer: true}, size: {choices: [1 mm, 2 mm]}}
optimize: {objectives: {f: {minimize: leg}, g: {maximize: leg + size}}}
END
printf 'leg [mm],n,size\n750,1,1\n' >start.csv
expect 0 optimize form.yaml --warm-start start.csv --evaluations 8 --population 4 -o form --no-pictures
[ "$(sed -n 3p form/designs.csv | grep -c ',0\.75,1,1,')" -eq 1 ] || fail "a start in mm is not converted"
printf 'leg [kg],n,size\n750,1,1\n' >start.csv
expect 3 optimize form.yaml --warm-start start.csv -o none
says err "the design variable leg is in m, not kg"
printf 'leg,n [mm],size [mm]\n1,1,1\n' >start.csv
expect 3 optimize form.yaml --warm-start start.csv -o none
says err "the number of a choice, is a pure number, not m"

# evaluated FILE: what a search needs beside objectives, so that the case may be evaluated.
evaluated() {
    printf 'parameters: {q: 1}\ndesign: {q: {min: 0.5, max: 2}}\n' >>"$1"
}

# Forces of drives that turn are N m; of drives that turn and slide nothing that could be compared.
arm="$SOURCE/cases/two_link_arm/case.yaml"
name=$(sed -n '/^trajectories:/,$p' "$arm" | sed -n 's/^  \([a-z_0-9]*\):.*/\1/p' | head -n 1)
cat >arm.yaml <<END
format: 1
name: arm
include: [$arm]
optimize:
  objectives: {time: {minimize: $name.time}}
  constraints: {strong: $name.peak_force <= 50 N}
END
evaluated arm.yaml
expect 3 evaluate arm.yaml
says err 'units do not agree: N m and N'
sed -i 's/50 N}/500 N m}/' arm.yaml
expect 0 evaluate arm.yaml
says out 'peak_force +[0-9.]+ N m'
says out 'peak_share'

sed -e 's/joints:$/joints:\n    hinge: {type: revolute, of: [wheel.C, ground.O]}/' \
    -e 's/bodies:$/bodies:\n    wheel: {mass: 1 kg, inertia: 0.01 kg m^2, points: {C: [0, 0]}, pose: [0, 0, 0]}/' \
    -e 's/drives:$/drives:\n    turn: {at: hinge, torque: {limit: 5 N m}}/' -e '/^trajectories/,$d' slide.yaml >mixed.yaml
cat >>mixed.yaml <<'END'
trajectories:
  both: {p: [0, 1], joints: {rail: 0.5*p, hinge: 2*p}, points: 21}
optimize:
  objectives: {time: {minimize: both.time}}
  constraints: {strong: both.peak_force <= 50}
END
evaluated mixed.yaml
expect 3 evaluate mixed.yaml
says err 'peak_force of a machine whose drives slide and turn would compare N with N m'
says err 'help: .*peak_share'
# 0.5 m with 2 kg and 20 N, 2 rad with 0.01 kg m^2 and 5 N m: the rail needs all of its 20 N, the hinge
# 0.01*2/(2*0.5) of the rail's 20 N = 0.4 N m of 5: the greatest share is 1
sed -i 's/peak_force <= 50/peak_share <= 1.001/' mixed.yaml
expect 0 evaluate mixed.yaml
says out 'peak_share +(1|0\.99999[0-9]*|1\.0000[0-9]*) '
grep -q 'peak_force' out && fail "a mixed peak force is shown"
printf 'expect:\n  - {quantity: both.peak_force, value: 20 N}\n' >>mixed.yaml
expect 3 verify mixed.yaml
says err 'this would compare N with N m'

# Criteria along a path are in the unit of its p.
sed -e '$a\
optimize:\
  objectives: {time: {minimize: way.time}}\
  constraints: {fast: turned.speed >= 2 m/s}' slide.yaml >speed.yaml
evaluated speed.yaml
expect 3 evaluate speed.yaml
says err 'units do not agree: 1/s and m/s'
sed -i 's/turned.speed/way.accel/; s,2 m/s,2 m/s^2,' speed.yaml
expect 0 evaluate speed.yaml

# Numbers without a unit that are far from usual: told with place and suggestion; with a unit never.
usual() {
    sed -e "$1" "$SOURCE/cases/rrr4/case.yaml" >far.yaml
    "$GLOBDYN" check --no-pictures far.yaml >out 2>err
}
usual ''
grep -q 'without a unit' err && fail "a usual machine is doubted"
cat >far.yaml <<'END'
format: 1
name: far
parameters: {leg: 650, half: 60 mm}
machine:
  space: planar
  gravity: [0, -9810]
  ground: {points: {O: [0, 0], R: [300 mm, 0]}}
  bodies:
    cart: {mass: 20000, inertia: 0.1, com: [20 mm, 0], points: {P: [half, 40 mm], Q: [0.1, leg]}, pose: [0, 0, 90]}
    block: {mass: 20000 kg, inertia: 8e6, points: {P: [0, 0]}, pose: [0, 0, 90 deg]}
  joints:
    rail: {type: prismatic, of: [cart.P, ground.O]}
    other: {type: prismatic, of: [block.P, ground.R]}
  drives:
    push: {at: rail, force: {limit: 20 N}}
trajectories:
  way: {of: cart.P, kind: circle, centre: [0, 0], radius: 50, angle: 0, points: 5}
  turn: {of: cart.P, p: [0, 1], path: {x: 0.1*p, angle: 45}, points: 5}
END
"$GLOBDYN" check --no-pictures far.yaml >out 2>err
says err '^far.yaml:6:16: warning: 9810 without a unit is 9810 m/s\^2'
says err '^far.yaml:9:18: warning: 20000 without a unit is 20000 kg'
says err '^far.yaml:3:19: warning: 650 without a unit is 650 m'
says err '^far.yaml:9:112: warning: 90 without a unit is 90 rad, 14.3 turns'
says err 'help: write rad if it is meant, or another unit: 90 deg'
says err '^far.yaml:10:[0-9]+: warning: 8e.06 without a unit is 8e.06 kg m'
says err '^far.yaml:17:[0-9]+: warning: 50 without a unit is 50 m, in a machine whose lengths are mostly near 0\.'
says err '^far.yaml:18:[0-9]+: warning: 45 without a unit is 45 rad'
[ "$(grep -c 'without a unit' err)" -eq 7 ] || fail "other numbers are doubted, too"
# a machine all of whose lengths are in millimetres: told once
sed -e 's/ mm//g; s/0\.1, leg/100, leg/' far.yaml >building.yaml
"$GLOBDYN" check --no-pictures building.yaml >out 2>err
says err 'warning: lengths without a unit are metres: those of this machine are mostly near'
# no machine of the collection is doubted
if ! ((${GDYN_SANITIZED:-0})); then
    for case in "$SOURCE"/cases/*/case.yaml; do
        echo "$case" >&2
        "$GLOBDYN" check --no-pictures "$case" >out
    done 2>err
    grep -B 9 'without a unit' err && fail "a case is doubted"
fi

# Amounts of options: with a unit or a formula the same answer as in SI, another dimension refused.
arm=$SOURCE/cases/two_link_arm/case.yaml
motion() {
    expect 0 traverse "$arm" -o "$1" --no-pictures "${@:2}"
}
motion si --smooth 0.02 --start-speed 0.5 --preload 0.25 --distribution preload --tolerance 0.002
motion own --smooth "20 ms" --start-speed "1/2 rad/s" --preload "0.25 N m" --distribution preload --tolerance "1/500"
cmp -s si/traverse.json own/traverse.json || fail "options with units give another motion than in SI"
refused() {
    expect 2 traverse "$arm" "$1" "$2"
    says err "$1: the unit .* does not fit"
}
refused --smooth "5 mm"
refused --preload "1 N"
refused --start-speed "1 m/s"
refused --tolerance "3 s"
expect 2 traverse "$arm" --smooth "5 msx"
says err "did you mean 'ms'"

# Tables state the units of their columns, and are read again. Without one: pure numbers, names, counts.
# headed FILE NAME...: all columns but these have a unit.
headed() {
    local file=$1 without
    shift
    without=$(head -n 1 "$file" | tr ',' '\n' | grep -v ' \[.*\]$' | grep -vx -f <(printf '%s\n' "$@"))
    [ -z "$without" ] || fail "$file: columns without a unit: $without"
}
sed 's/p: \[0, 1\]/p: [0, 1 m]/; s/1\.5\*(1 - p)/1.5*(1 m - p)/' "$arm" >metres.yaml
expect 0 traverse metres.yaml --no-pictures -o headed
headed headed/traverse.csv trajectory switch limit
headed headed/poses.csv trajectory
headed headed/audit.csv trajectory violation
says headed/traverse.csv '^trajectory,t \[s\],p \[m\],d1 \[m/s\],d2 \[m/s\^2\],.*,m1\.force \[N m\],m2\.force \[N m\],m1\.least \[N m\]'
expect 0 simulate metres.yaml --motion headed/traverse.csv --no-pictures -o headed
headed headed/simulate.csv
expect 0 feasible metres.yaml --motion headed/traverse.csv --no-pictures -o headed
headed headed/feasible.csv trajectory violation violated
expect 0 regions metres.yaml --no-pictures -o headed
headed headed/regions.csv trajectory active_min active_max status
# Friction of a joint that slides and turns is one number for a force and for a torque.
printf '%s\n' 'format: 1' 'machine:' '  space: planar' '  gravity: [0, 0]' '  bodies: {b: {mass: 1, inertia: 1}}' '  joints:' \
    '    slot: {type: slot, of: [b, ground], friction: {viscous: 5 N s/m}}' >slot.yaml
expect 0 check slot.yaml --no-pictures
says err 'slot.yaml:7:[0-9]*: warning: this joint slides and turns'
says err 'at: slot.slide'
[ "$(grep -c warning err)" = 1 ] || fail "the warning is repeated"
sed 's/type: slot/type: prismatic/' slot.yaml >rail.yaml
expect 0 check rail.yaml --no-pictures
grep -q warning err && fail "friction of a slider is warned of"
expect 0 evaluate "$SOURCE/cases/arm_tolerances/case.yaml" --json
says out '"quantile99.out.travel.elbow": "rad"'
says out '"constraint.typical": "kg"'

# Where trajectories measure in different units these stand at the numbers, and at no dash: legs too short for the circle.
expect 1 regions "$SOURCE/cases/four_slider_star/case.yaml" --set "leg=0.45 m" --no-pictures -o short
says out '^maximum constant d1 +- +[0-9.]+ m/s$'
expect 0 regions "$SOURCE/cases/four_slider_star/case.yaml" --no-pictures -o whole
says out '^maximum constant d1 .* [0-9.]+ 1/s +[0-9.]+ m/s$'

# The characteristic length of the case: a polar arm at r = 0.5 m moves by (r', r phi'), its drives by (r', L phi'), so that its
# dexterity is min(r/L, L/r). Free motions are (0.3, 0.5, L, L) phi' and r': with unit columns of the drives the distance to a
# drive singularity is min(L / sqrt(0.34 + 2 L^2), sqrt(1/2)).
cat >polar.yaml <<'END'
format: 1
name: polar
parameters: {L: 0.5 m}
machine:
  space: planar
  gravity: [0, 0]
  length: L
  bodies:
    arm: {mass: 1 kg, inertia: 0.1 kg m^2, com: [0.3 m, 0]}
    slide: {mass: 1 kg, inertia: 0.1 kg m^2, pose: [0.5 m, 0, 0], points: {P: [0, 0]}}
  joints: {o: {type: revolute, of: [arm, ground]}, s: {type: prismatic, of: [slide, arm], axis: [1, 0]}}
  drives: {m: {at: o, torque: {limit: 5 N m}}, f: {at: s, force: {limit: 5 N}}}
trajectories:
  t: {of: slide.P, path: {x: 0.5*cos(p), y: 0.5*sin(p)}, p: [0, 0.1], points: 3}
END
for ruler in "0.5 1 0.545544726" "1 0.5 0.653720450" "0.25 0.5 0.366617783" "2 0.25 0.692543361"; do
    read -r L dexterity singularity <<<"$ruler"
    printf 'expect:\n  - {quantity: t.dexterity, value: %s, tolerance: 1e-9}\n  - {quantity: t.singularity, value: %s, tolerance: 1e-8}\n' \
        "$dexterity" "$singularity" | cat polar.yaml - >ruler.yaml
    expect 0 verify ruler.yaml --set "L=$L m"
done
expect 0 check --no-pictures polar.yaml --set "L=$L m" --json
says out "\"length\": $L(\.0)?,"
expect 3 check polar.yaml --set "L=0 m"
says err "polar.yaml:7:11: error: the characteristic length is 0 m"
expect 3 check polar.yaml --set "L=1 km"
# Without it, the largest extent of a body.
sed -i '/^  length: L/d' polar.yaml
expect 0 check --no-pictures polar.yaml
says out "characteristic length +0.3 m"

# The units of the program are in the documents.
expect 0 explain units
[ "$(grep -c '^|' out)" -gt 30 ] || fail 'a short list of units'
sed -n '/^### Units/,/^## /p' "$SOURCE/docs/case-format.md" >units
grep -o '^| `[^`]*`' out | cut -c 3- | while read -r unit; do grep -qF -- "$unit" units || echo "$unit"; done >missing
[ ! -s missing ] || fail "units that docs/case-format.md does not have: $(cat missing)"
# A number is a factor in formulas that are compared; a sum of unlike units needs a weight.
goal() {
    { cat slide.yaml
      printf 'design: {mass0: {min: 1 kg, max: 2 kg}}\nparameters: {mass0: 1 kg}\n'
      printf 'optimize:\n  objectives: {o: {minimize: "%s"}}\n  constraints: {c: "%s"}\n' "$1" "$2"; } >goal.yaml
}
formulas=('2*timed.time' '0.5*timed.time' 'timed.time/2' 'abs(-3*timed.time)' 'sqrt(4*timed.time^2)')
# constraints LIMIT: one of each formula
constraints() {
    for i in "${!formulas[@]}"; do printf '    c%d: "%s <= %s"\n' "$i" "${formulas[i]}" "$1"; done
}
goal "${formulas[4]}" "${formulas[4]} <= 100 s"
constraints '0.35 kg' | cat goal.yaml - >kilograms.yaml
sed -i 's/^  constraints: {c: \(.*\)}$/  constraints:\n    c: \1/' kilograms.yaml
expect 3 check kilograms.yaml
[ "$(grep -c 'error: .*units do not agree: s and kg' err)" = 5 ] || fail "not all formulas are compared"
sed 's/0\.35 kg/100 s/' kilograms.yaml >seconds.yaml
expect 0 check --no-pictures seconds.yaml
expect 0 optimize goal.yaml -o goal --evaluations 8 --no-pictures
says goal/front.json '"objective.o": *"s"'
goal 'timed.time + mass' 'timed.time <= 100 s'
expect 3 check goal.yaml
goal 'timed.time + 0.1*mass' '2*timed.time <= 3*mass0'
expect 3 check goal.yaml
says err 'units do not agree: s and kg'
goal 'timed.time + 0.1*mass' '2*timed.time >= 0'
expect 0 check --no-pictures goal.yaml

finish
