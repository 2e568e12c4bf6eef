# Tables at every door: the same table in every writing gives the same answer, and every mistake the same message
# with its place (docs/cli.md, "Tables"). All doors share one reader: the first door has every writing and every mistake, each other one
# a part.
. "$SOURCE/tests/cli/lib.bash"

{
    sliding_cart
    echo 'trajectories: {way: {p: [0, 1], joints: {rail: 1 m*p}, points: 5}}'
} >way.yaml
{
    sliding_cart
    echo 'trajectories: {way: {of: cart.P, kind: file, file: table.csv, points: 5}}'
} >file.yaml
cat >form.yaml <<'YAML'
format: 1
name: form
parameters: {leg: 1 m, n: 2}
design: {leg: {min: 0.5 m, max: 2 m}, n: {min: 1, max: 3, integer: true}}
optimize: {objectives: {f: {minimize: leg}, g: {maximize: leg + 0.1 m*n}}}
YAML

# The doors. use_DOOR runs the program with table.csv and leaves its answer in the file answer.
# CODE: the exit code that is expected.
use_path() {
    expect "$1" regions file.yaml --json -o result --no-pictures && cat out >answer
}
use_data() {
    {
        sliding_cart
        printf 'trajectories:\n  way:\n    of: cart.P\n    kind: file\n    points: 5\n    data: |\n'
        sed 's/^/      /' table.csv
    } >data.yaml
    expect "$1" regions data.yaml --json -o result --no-pictures && cat out >answer
}
use_motion() {
    expect "$1" feasible way.yaml --motion table.csv -o result --no-pictures && cat result/feasible.csv >answer
}
use_places() {
    expect "$1" reactions way.yaml --trajectory way --motion table.csv -o result --no-pictures &&
        cat result/reactions.csv >answer
}
use_coefficients() {
    expect "$1" regions --coefficients table.csv --json -o result --no-pictures && cat out >answer
}
use_dynamics() {
    expect "$1" traverse --coefficients table.csv -o result --no-pictures && cat result/traverse.csv >answer
}
use_start() {
    expect "$1" optimize form.yaml --warm-start table.csv --evaluations 8 --population 4 -o start --restart \
        --no-pictures && cat start/designs.csv >answer
}
head_of() {
    case $1 in
    path | data) echo 'p [mm],x [mm]' ;;
    motion | places) echo 'p [-],d1,d2' ;;
    coefficients | dynamics) echo 'p [mm],drive,A,B,C [N],D,min,max' ;;
    start) echo 'leg [mm],n' ;;
    esac
}
rows_of() {
    case $1 in
    path | data) printf '%s\n' 0,0 500.5,250 1000,500 ;;
    motion | places) printf '%s\n' 0,0,0.25 0.5,0.5,0.25 1,0.6,-0.5 ;;
    coefficients | dynamics) printf '%s\n' 0,push,0,0,1.5,2,-20,20 1000,push,0,0,1.5,2,-20,20 ;;
    start) printf '%s\n' 750,1 1250.5,3 ;;
    esac
}
doors='path data motion places coefficients dynamics start'

# --- every writing at the first door, all of them together at every door ------------------------------------
# write STYLE: standard input, divided by commas, in another writing.
write() {
    case $1 in
    commas) cat ;;
    semicolons) sed 's/,/; /g' ;;
    tabs) tr , '\t' ;;
    blanks) sed 's/,/   /g; s/^/ /' ;;
    quotes) sed 's/[^,]*/"&"/g' ;;
    comments) sed 's/^/\n# a comment, with a comma\n/' ;;
    mark) printf '\xef\xbb\xbf' && cat ;;
    windows) sed 's/$/\r/' ;;
    classic) tr '\n' '\r' ;;
    ends) sed 's/$/,/' ;;
    together) sed 's/[^,]*/"&"/g; s/,/; /g; s/$/;\r/; s/^/\n# a comment, with a comma\r\n/; 1s/^/\xef\xbb\xbf/' ;;
    old) tr ',\n' '\t\r' ;;
    in_yaml) sed 's/[^,]*/"&"/g; s/,/; /g; s/$/;/' ;; # YAML ends lines and takes the mark out itself
    esac
}
for door in $doors; do
    styles='commas together old'
    case $door in
    path) ((${GDYN_SANITIZED:-0})) || styles='commas semicolons tabs blanks quotes comments mark windows classic ends together' ;;
    data) styles='commas in_yaml windows' ;;
    esac
    for style in $styles; do
        { head_of $door && rows_of $door; } | write $style >table.csv
        use_$door 0
        [ "$style" = commas ] && mv answer "$door.right"
        [ "$style" = commas ] || cmp -s answer "$door.right" || fail "$door: another answer with $style"
    done
done

# --- every mistake at the first door, a third of them at each other one ---------------------------------------
# wrong DOOR CODE MESSAGE: the table is refused.
wrong() {
    use_$1 "$2"
    says err "$3"
}
# here NUMBER: whether the mistake of this number is made at this door
here() {
    [ $door = path ] || (($1 % 3 == turn % 3))
}
# mistake NUMBER SED MESSAGE
mistake() {
    here $1 || return
    sed "$2" whole >table.csv
    wrong $door 3 "$3"
}
turn=0
for door in $doors; do
    turn=$((turn + 1))
    place='table\.csv:'
    [ $door = data ] && place='\(data of line [0-9]+\):'
    head_of $door >head
    { cat head && rows_of $door; } >whole
    first=$(cut -d, -f1 head)
    name=${first%% *}

    if here 1; then
        tr , ';' <whole | sed '2s/^[^;]*/1,5/' >table.csv
        wrong $door 3 "${place}2:1: error: expected a number in column '$name', got '1,5'"
        says err 'help: write a decimal point: 1\.5'
    fi
    mistake 2 '2s/^[^,]*/abc/' "${place}2:1: error: expected a number in column '$name', got 'abc'"
    mistake 3 '2s/^[^,]*/nan/' "${place}2:1: error: expected a number in column '$name', got 'nan'"
    mistake 4 '2s/$/,7/' "${place}2:1: error: [0-9]+ fields where the header has [0-9]"
    mistake 5 '3s/^/"/' "${place}3:1: error: this quote does not close"
    mistake 6 '1s/^[^,]*/'"$name"' [furlong]/' "${place}1:1: error: column '$name': 'furlong' is not a unit"
    mistake 7 '1s/^[^,]*/'"$name"' [-] (m)/' "${place}1:1: error: expected the end of the header after '-', got ' \(m\)'"
    mistake 8 "s/^\([^,]*\),/\1,\1,/" "${place}1:[0-9]+: error: column '$name' occurs twice"
    mistake 9 1d "${place}1:1: error: expected the name of a column, got '0|750'"
    mistake 10 '2,$d' 'no rows below|fewer than two rows|no design below'

    [ $door = data ] && continue # the rest is about files
    case $door in path) code=3 ;; *) code=5 ;; esac
    rm -f table.csv
    here 11 && wrong $door $code 'table\.csv.*: cannot open: No such file'
    mkfifo table.csv
    here 12 && wrong $door $code 'table\.csv.*: is a pipe or a device'
    rm table.csv
    ln -s /dev/zero table.csv
    here 13 && wrong $door $code 'table\.csv.*: is a pipe or a device'
    rm table.csv
    mkdir table.csv
    here 14 && wrong $door $code 'table\.csv.*: cannot read: Is a directory'
    rmdir table.csv
    if [ $door = path ]; then # which takes its time
        truncate -s 68000000 table.csv
        wrong $door 3 'table\.csv.*: is larger than 64 MiB'
    fi
    iconv -t UTF-16 head >table.csv
    here 15 && wrong $door 3 'table\.csv.*: this is not text: it contains zero bytes'
done

# Coefficients that are written give the same regions when they are read, bit by bit: of several trajectories with redundant drives,
# of static friction, of torque-speed lines, limits of speed and rate, and motions that no drive controls.
cat >cart.yaml <<'YAML'
format: 1
name: eq
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    cart: {mass: 2 kg, inertia: 0.1 kg m^2, points: {P: [0, 0]}, pose: [0, 0, 0]}
    rod: {mass: 1 kg, inertia: 0.02, com: [0, -0.3], points: {A: [0, 0]}, pose: [0, 0, 0.2]}
  joints:
    rail: {type: prismatic, of: [cart.P, ground.O]}
    pin: {type: revolute, of: [rod.A, cart.P], friction: {viscous: 0.1}}
  drives:
    push: {at: rail, force: {limit: 20 N}, curve: [[0 m/s, 20 N], [4 m/s, 4 N]], speed: {max: 3 m/s}, rate: 300 N/s}
trajectories:
  swing: {joints: {rail: "0.2*sin(p)", pin: "0.2 + 0.1*p"}, p: [0, 1], points: 11}
  slide: {joints: {rail: p, pin: 0.3}, p: [0 m, 1 m], points: 5}
YAML
sed 's/points: 201/points: 51/' "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
written=()
for case in cart.yaml star.yaml "$SOURCE/cases/hanging_gantry/case.yaml" "$SOURCE/cases/five_bar_catalogue/case.yaml"; do
    ((${GDYN_SANITIZED:-0} && ${#written[@]} == 2)) && break
    name=written${#written[@]}
    expect 0 regions "$case" --write-coefficients --json -o $name --no-pictures
    mv out $name.written
    expect 0 regions --coefficients $name/coefficients.csv --json -o again --no-pictures
    mv out $name.read
    written+=($name)
done
python3 - "${written[@]}" <<'PY' || fail "regions of written coefficients differ"
import json, sys
for case in sys.argv[1:]:
    written, read = (json.load(open(f"{case}.{name}"))["trajectories"] for name in ("written", "read"))
    assert list(written) == list(read)
    for name in written:
        a, b = written[name]["points"], read[name]["points"]
        assert len(a) == len(b) > 0
        for x, y in zip(a, b):
            x.pop("pose_error", None), y.pop("pose_error", None)
            assert x == y, (case, name, x["p"])
PY
# By hand: an arm whose angle is p^2/2 takes n = J (p d2 + d1^2) + c p d1 + m g l cos(p^2/2).
cat >arm.yaml <<'YAML'
format: 1
name: arm
machine:
  space: planar
  gravity: [0, -10]
  bodies: {arm: {mass: 2, inertia: 0.1, com: [0.3, 0], points: {A: [0, 0]}, pose: [0, 0, 0]}}
  joints: {pin: {type: revolute, of: [arm.A, ground], friction: {viscous: 0.4}}}
  drives: {m: {at: pin, torque: {min: -20, max: 30}}}
trajectories: {turn: {joints: {pin: p^2/2}, p: [0.5, 1], points: 3}}
YAML
expect 0 regions arm.yaml --write-coefficients -o coefficients --no-pictures
python3 - coefficients/coefficients.csv <<'PY' || fail "coefficients of an arm differ from those by hand"
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [float(r["p"]) for r in rows] == [0.5, 0.75, 1]
for r in rows:
    p, J = float(r["p"]), 0.1 + 2 * 0.3**2
    hand = {"A": J, "B": 0.4 * p, "C": 6 * math.cos(p * p / 2), "D": J * p, "min": -20, "max": 30}
    assert all(abs(float(r[name]) - value) < 1e-12 for name, value in hand.items()), (r, hand)
    assert (r["trajectory"], r["drive"], r["unit"]) == ("turn", "m", "N m")
PY
# Trajectories of a table are chosen by their names; wrong names.
says written1/coefficients.csv '^trajectory,.*,drive,A,B,C,D,V1,min,max,unit'
expect 0 traverse --coefficients written1/coefficients.csv --trajectory circle -o again --no-pictures
says out '^circle: T = 0\.31(76|8)'
expect 2 traverse --coefficients written1/coefficients.csv --trajectory none -o again --no-pictures
says err "the table has no trajectory 'none'"
sed 's/^offset/circle/' written1/coefficients.csv | sed '2{p;s/^circle/ring/}' >apart.csv
expect 3 regions --coefficients apart.csv -o again --no-pictures
says err "the rows of 'circle' are not contiguous|is less than in the row before"
sed 's/^circle/..\/circle/' written1/coefficients.csv >name.csv
expect 3 regions --coefficients name.csv -o again --no-pictures
says err "name consists of letters"
expect 2 regions --coefficients written1/coefficients.csv --write-coefficients -o again --no-pictures

# Joints over time: between two dwells a clamped spline is one cubic, and Lagrange's equations of two links give the torques in
# its middle. The same by the numbers of the drives, and as a JointTrajectory.
arm() { # FILE
    cat <<EOF
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    upper: {mass: 3 kg, inertia: 0.04, com: [0.2, 0], points: {E: [0.4, 0]}}
    fore: {mass: 2 kg, inertia: 0.02, com: [0.175, 0], points: {E: [0, 0], T: [0.35, 0]}, pose: [0.4, 0, 0.5]}
  joints: {shoulder: {type: revolute, of: [upper, ground]}, elbow: {type: revolute, of: [fore.E, upper.E]}}
  drives: {m1: {at: shoulder, torque: {limit: 60 N m}}, m2: {at: elbow, torque: {limit: 25 N m}}}
trajectories: {way: {kind: file, file: $1, points: 7}}
EOF
}
rows='0,0,0 1,0,0 2,40,-60 3,40,-60'
(echo 't,shoulder [deg],elbow.angle [deg]' && printf '%s\n' $rows) >names.csv
(echo 't [ms],q1 [deg],q2 [deg]' && printf '%s\n' $rows | sed 's/,/000,/') >numbers.csv
awk -v rows="$rows" 'BEGIN {
    printf "{\"trajectory\": {\"joint_names\": [\"elbow\", \"shoulder\"], \"points\": ["
    for (n = split(rows, row, " "); ++i <= n;) {
        split(row[i], v, ",")
        printf "%s{\"positions\": [%.17g, %.17g], \"velocities\": [0, 0], \"time_from_start\": {\"sec\": %d, \"nanosec\": 0}}",
            (i > 1 ? ", " : ""), v[3] * atan2(0, -1) / 180, v[2] * atan2(0, -1) / 180, v[1]
    }
    print "]}}"
}' >message.json
for file in names.csv numbers.csv message.json; do
    arm $file >joints.yaml
    "$GLOBDYN" feasible joints.yaml --no-pictures -o joints >out 2>err || fail "feasible of $file"
    awk -F, '$3 == 1.5 {
        pi = atan2(0, -1); q1 = 20 * pi / 180; q2 = -30 * pi / 180; v1 = 3 * q1; v2 = 3 * q2
        h = 2 * 0.4 * 0.175; s = h * sin(q2); g2 = 2 * 0.175 * 9.81 * cos(q1 + q2)
        n1 = -s * (2 * v1 * v2 + v2 * v2) + (3 * 0.2 + 2 * 0.4) * 9.81 * cos(q1) + g2; n2 = s * v1 * v1 + g2
        found = ($10 - n1)^2 + ($11 - n2)^2 < 1e-20
    } END { exit !found }' joints/feasible.csv || fail "$file: torques differ from Lagrange's"
done
# Three joints beside x and y: x, y and the wrist alone would be singular where the elbow is stretched, halfway.
awk 'BEGIN {
    print "t,x,y,shoulder,elbow,wrist"
    for (i = 0; i <= 40; i++) {
        a = 0.3 + 0.005 * i; b = a - 0.4 + 0.02 * i; c = b + 0.9 - 0.005 * i
        printf "%.3f,%.12f,%.12f,%.12f,%.12f,%.12f\n", i / 40, 0.4 * cos(a) + 0.35 * cos(b) + 0.3 * cos(c),
            0.4 * sin(a) + 0.35 * sin(b) + 0.3 * sin(c), a, b - a, c - b
    }
}' >three.csv
arm three.csv | sed -e 's/way: {/way: {of: hand.W, /' -e 's/^  joints: {/&wrist: {type: revolute, of: [hand, fore.T]}, /' \
    -e 's/^  drives: {/&m3: {at: wrist, torque: {limit: 9 N m}}, /' -e '/^    fore:/a\
    hand: {mass: 1 kg, inertia: 0.01, points: {W: [0.3, 0]}, pose: [0.7, 0.17, 1]}' >joints.yaml
expect 0 check joints.yaml --no-pictures
says err 'note: columns of joints that follow from the other columns differ from the machine by up to [0-9.]+e-(09|1[0-9]) rad'
# Joints next to the tool's path are compared with the machine: elbow is off by 0.02 rad, by 0.3 rad, or not at all. A motion of
# traverse is read back: the joints, over time.
for off in 0 0.02 0.3; do
    awk -v off=$off 'BEGIN {
        print "t,x,y,shoulder,elbow"
        for (i = 0; i <= 20; i++) {
            a = 0.3 + 0.02 * i; b = 1 - 0.03 * i
            printf "%.2f,%.9f,%.9f,%.9f,%.9f\n", i / 20, 0.4 * cos(a) + 0.35 * cos(a + b), 0.4 * sin(a) + 0.35 * sin(a + b), a, b + off
        }
    }' >both.csv
    arm both.csv | sed 's/way: {/way: {of: fore.T, /' >joints.yaml
    case $off in 0.3) code=3 ;; *) code=0 ;; esac
    expect $code feasible joints.yaml --no-pictures -o joints
    case $off in
    0) says err 'note: columns of joints that follow from the other columns differ from the machine by up to [0-9.]+e-(08|09|10) rad' ;;
    0.02) says err "warning: .* by up to 0.02 rad \('elbow' at" ;;
    *) says err "error: .* by up to 0.3 rad \('elbow' at" ;;
    esac
done
sed -i 's/m1: {/m1: {speed: {max: 1}, /' joints.yaml
sed -i 's/^\([^,]*,[^,]*,[^,]*\),.*/\1/' both.csv
expect 0 traverse joints.yaml --no-pictures --step "20 ms" -o joints
sed "s|of: fore.T, kind: file, file: [^,]*|kind: file, file: joints/motion.csv|" joints.yaml >back.yaml
"$GLOBDYN" feasible back.yaml --no-pictures -o back >out 2>err
says err 'these columns are ignored: trajectory, p, d1, d2, m1.force, .*, tool.x, tool.y, tool.angle, s, s1, s2'
awk -F, 'NR == FNR { force[$2] = $12; next } $2 in force && $2 > 0 && ($10 - force[$2])^2 < 1e-12 { same++ } END { exit same < 15 }' \
    joints/motion.csv back/feasible.csv || fail "forces of the motion that is read back differ"
for wrong in 't,p,elbow:are both the parameter' 't,wrist:unknown column' 'elbow,q2:are the same' "time,elbow:did you mean 't'"; do
    (echo "${wrong%%:*}" && echo 0,0,0 | cut -d, -f1-"$(echo "${wrong%%:*}" | tr , '\n' | wc -l)") >wrong.csv
    arm wrong.csv >joints.yaml
    "$GLOBDYN" check joints.yaml --no-pictures >out 2>err && fail "${wrong%%:*} is read"
    says err "${wrong#*:}"
done
sed 's/"joint_names": \["[^"]*"/"joint_names": ["elbwo"/' message.json >wrong.json
arm wrong.json >joints.yaml
expect 3 check joints.yaml --no-pictures
says err "^wrong.json:[0-9:]+ error: the joint 'elbwo' of the trajectory is none of the machine"
says err "= help: did you mean 'elbow'\?"

# The direction of the tool's z axis alone: on five axes b = acos(k) and c = atan2(j, i), which turns at 2 rad/s; on a sixth one,
# whose roll is free, the wrist takes the smallest motion. A tool that points the other way, a cone that is too wide, noise.
five() { # the pose of the last body
    cat <<EOF
format: 1
machine:
  space: spatial
  gravity: [0, 0, -9.81]
  bodies:
    C: {mass: 2, inertia: [0.1, 0.1, 0.1]}
    B: {mass: 1, inertia: [0.1, 0.2, 0.3], points: {T: [0, 0, 0]}, pose: {at: [0, 0, 0], cardan: [0, $1, 0]}}
  joints: {c: {type: revolute, of: [C, ground], axis: [0, 0, 1]}, b: {type: revolute, of: [B, C], axis: [0, 1, 0]}}
  drives: {c: {at: c, torque: {limit: 10}, speed: {max: 4}}, b: {at: b, torque: {limit: 10}}}
trajectories: {axis: {of: B.T, kind: file, file: axis.csv}}
EOF
}
axis() { # sine of the angle of the cone, its turn in 1 s
    awk -v s=$1 -v w=$2 'BEGIN { print "t,i,j,k"; for (i = 0; i <= 40; i++)
        printf "%.3f,%.9f,%.9f,%.9f\n", i / 40, s * cos(w * i / 40), s * sin(w * i / 40), -sqrt(1 - s * s) }' >axis.csv
}
axis 0.4 2
five '150 deg' >five.yaml
expect 0 feasible five.yaml --no-pictures -o five
says out 'could be run (1.9999|2|2.0000)[0-9]* times as fast; then c is at its speed limit'
five '30 deg' >five.yaml
expect 3 feasible five.yaml --no-pictures -o five
says err "error: the tool's z axis points the other way at the first guess"
axis 0.99 6
expect 3 feasible five.yaml --no-pictures -o five
says err 'the axis turns by more than 75 degrees'
awk 'BEGIN { print "t,shoulder,elbow"; for (i = 0; i <= 400; i++) printf "%.4f,%.4f,%.4f\n", i / 400, 0.3 * sin(3 * i / 400), 0.5 }' >round.csv
arm round.csv >joints.yaml
"$GLOBDYN" feasible joints.yaml --no-pictures -o joints >out 2>err
says err "warning: noise or rounding of single rows of 'shoulder', about [23]\.?[0-9]*e-05 rad, makes accelerations of"
echo 't,shoulder,elbow
0,1,1
1,1,1' >still.csv
arm still.csv >joints.yaml
expect 3 feasible joints.yaml --no-pictures -o joints
says err 'help: all rows of the table are equal'

# Two bodies about parallel axes. Orientations over more than half a turn at 1 rad/s of 3; a joint without a column stands still;
# time stamps of a clock in the digits that they have: q = t^2/10, so 0.72 rad/s at the end.
two_bodies() {
    cat <<'YAML'
format: 1
machine:
  space: spatial
  gravity: [0, 0, 0]
  ground: {points: {O: [0, 0, 0]}}
  bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0]}}, c: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0]}}}
  joints: {j: {type: revolute, of: [b, ground.O], axis: [0, 1, 0]}, k: {type: revolute, of: [c, b.P], axis: [0, 1, 0]}}
  drives: {j: {at: j, torque: {limit: 10}, speed: {max: 3}}, k: {at: k, torque: {limit: 10}, speed: {max: 3}}}
trajectories:
YAML
    printf '  %s\n' "$@"
}
awk 'BEGIN {
    print "t,qw,qx,qy,qz" >"turn.csv"; print "t,rx,ry,rz" >"vector.csv"; print "t,j" >"lone.csv"; print "t,j" >"since.csv"
    for (i = 0; i <= 36; i++) {
        printf "%.1f,%.15f,0,%.15f,0\n", i / 10, cos(i / 20), sin(i / 20) >"turn.csv"
        printf "%.1f,0,%.1f,0\n", i / 10, i / 10 >"vector.csv"
        printf "%.1f,%.6f\n", i / 10, i * i / 1000 >"lone.csv"
        printf "17329000%02d.%d05,%.6f\n", i / 10, i % 10, i * i / 1000 >"since.csv"
    }
}'
two_bodies 'turn: {kind: file, of: b.P, file: turn.csv}' 'vector: {kind: file, of: b.P, file: vector.csv}' \
    'lone: {kind: file, file: lone.csv}' 'since: {kind: file, file: since.csv}' >two.yaml
expect 0 feasible two.yaml --no-pictures -o two
[ "$(grep -c 'could be run 3 times' out)" -eq 2 ] || fail "orientations differ from 1 rad/s: $(cat out)"
[ "$(grep -c 'could be run 4.16667 times' out)" -eq 2 ] || fail "times of a clock differ from those since its start: $(cat out)"
[ "$(grep -Ec '^ +k +0 N m at|^ +k .* 0 rad/s at' out)" -ge 2 ] || fail "k moves: $(cat out)"
says err "no column of 'k': the joint is held"
says err 'counted from that of the first row, 1732900000.005 s'
echo 'p,j
1e9,0
1000000001,1' >far.csv
echo 't,qw,qx,qy,qz
0,1,0,0,0
1,0,1,0,0' >half.csv
echo 't,j,k,j.speed,k.speed
0,0,0,0,0
1,1,1,0,0' >speeds.csv
for wrong in 'far.csv:lost to rounding' 'half.csv, of: b.P:more than 160 degrees' 'lone.csv, p\: [0, 9]:has p in a column' \
    'lone.csv, joints\: {j\: p}:has a column in the table, too' 'speeds.csv, blend\: 0.1:do not have the speeds'; do
    key=${wrong%:*}
    two_bodies "a: {kind: file, file: ${key//\\/}}" >wrong.yaml
    expect 3 check wrong.yaml --no-pictures
    says err "${wrong##*:}"
done

finish
