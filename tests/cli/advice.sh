# What is wrong with a machine or a path, and what to do: the advice is there, and following it helps.
. "$SOURCE/tests/cli/lib.bash"

# A machine of two bars, p-path and drives as given.
# bars DRIVES TRAJECTORY >FILE
bars() {
    cat <<YAML
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    upper: {mass: 1 kg, inertia: 0.1, com: [0.5, 0], points: {A: [0, 0], B: [1, 0]}, pose: [0, 0, 30 deg]}
    lower: {mass: 1 kg, inertia: 0.1, com: [0.5, 0], points: {B: [0, 0], C: [1, 0]}, pose: {B: upper.B, C: ground.there}}
  ground: {points: {there: [1.5, 0]}}
  joints:
    base: {type: revolute, of: [upper.A, ground]}
    elbow: {type: revolute, of: [lower.B, upper.B]}
  drives:
$1
trajectories:
  t: $2
YAML
}
one='    m: {at: base, torque: {limit: 20 N m}}'
two="$one
    n: {at: elbow, torque: {limit: 20 N m}}"
line='{of: lower.C, kind: line, from: [1.5, 0], to: [1.4, 0.2], points: 11}'

# A number that lacks its unit is doubted where it is written, and what is missed by metres is given in metres; machines without any mass.
bars "$two" "${line/1.5, 0/side, 0}" | sed 's/^format: 1/format: 1\nparameters:\n  side: 250/' >side.yaml
expect 1 check side.yaml --no-pictures
says err 'side.yaml:3:9: warning: 250 without a unit is 250 m'
says out 'the path is missed by [0-9]+ m$'
bars "$two" "$line" | sed 's/mass: 1 kg, inertia: 0.1/mass: 0, inertia: 0/' >massless.yaml
expect 0 traverse massless.yaml --no-pictures -o massless
says err 'massless.yaml:5:3: warning: no body has a mass: all results neglect inertia and weight'
bars "${one% \}}, rotor_inertia: 1e-3}" "$line" | sed 's/mass: 1 kg, inertia: 0.1/mass: 0, inertia: 0/' >rotor.yaml
"$GLOBDYN" check rotor.yaml --no-pictures >out 2>err
! grep -q 'no body has a mass' err || fail 'a rotor has an inertia'
sliding_cart | sed '/drives:/,$d' >cart.yaml
expect 3 workspace cart.yaml --no-pictures -o no
says err 'error: cart.yaml has no workspaces'
expect 3 modes cart.yaml --hold drives --no-pictures
says err 'error: cart.yaml has no drives that could be held'

# A machine that does not close by itself: that is the reason, not what the path demands of it.
# Of a rod 0.5 m too long each of the three joints takes a third.
bars "$two" "$line" | sed 's/^  drives:/    tie: {type: rod, of: [lower.C, ground], length: 2.5}\n&/' >open.yaml
expect 1 check open.yaml --no-pictures
says out "does not close: joint 'tie' stays open by 167 mm"
expect 1 regions open.yaml --no-pictures -o out.d
says err "the machine itself does not close: joint 'tie' stays open by 167 mm"
says err "= help: correct the lengths"
grep -q 'prescribes' err && fail "an open machine is told to change its path"

# A path that is followed in part: the picture of check draws the rest of it, marks its end and says where.
bars "$two" '{of: lower.C, kind: line, from: [1.5, 0], to: [2.6, 0], points: 11}' >part.yaml
expect 1 check part.yaml -o part.d
says out "first fails at p = 0.55 m: joint 'elbow' stays open by 16.7 mm"
says part.d/machine.gp "'t' first fails at p = 0.55 m, 5 of 11 points followed"
says part.d/machine.gp "not reached"
says part.d/machine.gp "last point reached"
awk '$1 == 2.6 && $2 == 0 { found = 1 } END { exit !found }' part.d/machine.dat || fail "the end of the path is not drawn"

# A first guess beyond a stated range is named, with its line; the trajectory begins within it.
bars "$two" "$line" | sed 's/of: \[upper.A, ground\]/&, range: {max: 20 deg}/' >beyond.yaml
line_of_range=$(grep -n 'max: 20 deg' beyond.yaml | cut -d: -f1)
expect 1 check beyond.yaml --no-pictures
says out "'base' is out of its range by [0-9.]+ deg .beyond.yaml:$line_of_range"
expect 1 check beyond.yaml --json --no-pictures
says out '"beyond": .'

# A freedom without a drive: the lower bar, about z.
bars "$one" "$line" >free.yaml
expect 0 check free.yaml --no-pictures
says out 'control 1 of 2 freedoms'
says out "no drive acts when body 'lower' turns$"
says out '= help: add a drive or a joint'
bars "$two" "$line" >driven.yaml
expect 0 check driven.yaml --no-pictures
grep -q 'no drive acts' out && fail "a driven machine has free motions"

# A suspended load that pitches and rolls: told by check, by regions, by traverse.
cat >hung.yaml <<'YAML'
format: 1
machine:
  space: spatial
  gravity: [0, 0, -9.81]
  ground: {points: {A1: [-2, -1.5, 2.5], A2: [2, -1.5, 2.5], A3: [2, 1.5, 2.5], A4: [-2, 1.5, 2.5]}}
  bodies:
    load: {mass: 10 kg, inertia: [0.2, 0.2, 0.2], points: {hook: [0, 0, 0], B1: [-0.1, -0.1, 0.1], B2: [0.1, -0.1, 0.1], B3: [0.1, 0.1, 0.1], B4: [-0.1, 0.1, 0.1]}, pose: [0, 0, 0.8]}
  drives:
    c$i: {repeat: {i: 1..4}, cable: [ground.A$i, load.B$i], tension: {min: 2 N, max: 120 N}}
trajectories:
  ring: {of: load.hook, kind: circle, centre: [0, 0, 0.8], radius: 0.7, points: 9}
YAML
expect 0 check hung.yaml --no-pictures
says out 'control 4 of 6 freedoms'
[ "$(grep -c "no drive acts when body 'load'" out)" -eq 2 ] || fail "check does not name two free motions"
for command in regions traverse; do
    expect 1 $command hung.yaml --no-pictures -o out.d
    says out "no drive acts when body 'load'"
done

# More coordinates than freedoms, told at once.
bars "$two" '{of: lower.C, p: [0, 1], path: {x: 1.5 - 0.1*p, y: 0.2*p, angle: 0.1*p}, points: 11}' >three.yaml
expect 1 check three.yaml --no-pictures
says out 'the path prescribes 3 coordinates, the machine has 2 freedoms'
says out '= help: remove 1 of them'
for command in regions traverse; do
    expect 1 $command three.yaml --no-pictures -o out.d
    cat out err >both
    says both 'the path prescribes 3 coordinates, the machine has 2 freedoms'
done

# A slider led along its own guide has two coordinates prescribed and one freedom, and yet follows, up to where its
# reach ends. A path aside of it still asks for one coordinate too many.
crank() {
    cat <<YAML
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    crank: {mass: 1 kg, inertia: 0.1, points: {B: [0.2, 0]}, pose: [0, 0, 60 deg]}
    rod: {mass: 1 kg, inertia: 0.1, points: {C: [0.6, 0]}, pose: [0.1, 0.17, -17 deg]}
    slide: {mass: 1 kg, inertia: 0.1, pose: [0.6, 0, 0]}
  joints:
    main: {type: revolute, of: [crank, ground]}
    pin: {type: revolute, of: [rod, crank.B]}
    wrist: {type: revolute, of: [rod.C, slide]}
    guide: {type: prismatic, of: [slide, ground], range: {min: 0, max: 1}}
  drives: {m: {at: main, torque: {limit: 5}}}
trajectories:
  t: {of: slide, kind: line, from: [0.6, 0], to: [$1]}
YAML
}
crank '0.9, 0' >long.yaml
expect 1 check long.yaml --no-pictures
says out 'help: shorten the path if the reach of the machine ends here; otherwise remove 1 of them'
crank '0.9, 0.1' >aside.yaml
expect 1 check aside.yaml --no-pictures
says out 'help: remove 1 of them'
# Of a path of which no point is reached no coordinate travels.
crank '0.9, 0.1' | sed 's/from: \[0.6, 0\]/from: [3, 0]/' >away.yaml
expect 1 check away.yaml --no-pictures
grep -Eq 'nan|Ranges along' out && fail "ranges along a path that is not followed"

# A cart cannot be led by the middle of its axle, but by its heading as well, or by a point ahead.
cart() {
    cat <<YAML
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    cart: {mass: 10 kg, inertia: 0.4, points: {L: [0, 0.2], R: [0, -0.2], F: [0.2, 0]}}
  joints:
    k: {type: knife_edge, of: [cart], normal: [0, 1]}
  drives:
    l: {wrench: {of: cart.L, force: [1, 0], in: body}, force: {limit: 30 N}}
    r: {wrench: {of: cart.R, force: [1, 0], in: body}, force: {limit: 30 N}}
trajectories:
  t: $1
YAML
}
cart '{of: cart, p: [0, 2], path: {x: p, y: 0.1*(1 - cos(pi*p))}, points: 11}' >axle.yaml
for command in check regions traverse; do
    expect 1 $command axle.yaml
    cat out err >both
    says both "the origin of body 'cart' cannot move along y there: knife_edge 'k' blocks it"
    says both '= help: guide a point off the axle, or prescribe the heading along the path as well.*atan2\(dy/dp, dx/dp\)'
done
cart '{of: cart, p: [0, 2], path: {x: p, y: 0.1*(1 - cos(pi*p)), angle: "atan2(0.1*pi*sin(pi*p), 1)"}, points: 11}' >heading.yaml
expect 0 regions heading.yaml --no-pictures -o out.d
cart '{of: cart.F, p: [0.2, 2], path: {x: p, y: 0.1*(1 - cos(pi*(p - 0.2)))}, points: 11}' >front.yaml
expect 0 regions front.yaml --no-pictures -o out.d

# A point that the pose blocks, without any knife edge: the bars stretched, led outwards.
bars "$two" '{of: lower.C, kind: line, from: [1.9, 0.2], to: [2.2, 0.2], points: 11}' >far.yaml
expect 1 check far.yaml --no-pictures
says out 'first fails at'

# A joint axis in a wrong frame: that of the rocker of a four-bar stands across.
fourbar() {
    cat <<YAML
format: 1
machine:
  space: spatial
  gravity: [0, 0, -9.81]
  ground: {points: {D: [1, 0, 0]}}
  bodies:
    crank: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {A: [0, 0, 0], B: [0, 0, 0.5]}}
    bar: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {B: [0, 0, 0], C: [1, 0, 0]}, pose: [0, 0, 0.5]}
    rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {D: [0, 0, 0], C: [0, 0, 0.5]}, pose: {at: [1, 0, 0], cardan: [0, 0, 90 deg]}}
  joints:
    a: {type: revolute, of: [crank.A, ground], axis: [0, 1, 0]}
    b: {type: revolute, of: [bar.B, crank.B], axis: [0, 1, 0]}
    c: {type: revolute, of: [rocker.C, bar.C], $1}
    d: {type: revolute, of: [rocker.D, ground.D], axes: [[1, 0, 0], [0, 1, 0]]}
YAML
}
fourbar 'axis: [0, 1, 0]' >across.yaml
expect 1 check across.yaml --no-pictures
says out "joint '[a-d]' stays open by [0-9.]+ deg, '[a-d]' by"
says err "At the first guess the axes of joint 'c' are far from parallel"
says err "'axes: \[u, v\]' gives it in each"
fourbar 'axes: [[1, 0, 0], [0, 1, 0]]' >along.yaml
expect 0 check along.yaml --no-pictures

# A drive that joints block serves nothing, also where only rounding is left of it: both freedoms are named.
cat >blocked.yaml <<'YAML'
format: 1
machine:
  space: spatial
  gravity: [0, 0, 0]
  bodies:
    tube: {mass: 1, inertia: [1, 1, 1], pose: {at: [0.1, 0.2, 0.3], cardan: [0, 0.6, 0]}}
    stick: {mass: 1, inertia: [1, 1, 1], pose: {at: [0.1, 0.2, 0.3], cardan: [0, 0.6, 0]}}
  joints:
    hinge: {type: revolute, of: [tube, ground], axis: [0, 1, 0]}
    leg: {type: cylindrical, of: [stick, tube], axis: [0, 0, 1]}
    wall: {type: point_on_plane, of: [stick, tube], normal: [0, 0, 1]}
  drives:
    push: {at: leg.slide, force: {limit: 100 N}}
YAML
expect 0 check blocked.yaml --no-pictures
says out 'control 0 of 2 freedoms'
says out "no drive acts when body 'stick' turns about \[0\.565, 0, 0\.825\]$"
says out "no drive acts when body 'tube' turns about y"

# Nothing follows from a mistake that is told: no value of a parameter that has none, no bounds.
expect 0 new five-bar -o five.yaml
for slip in '250 mmm' '250 mm + rodd' '1 m/0' crank '250 kg'; do
    sed "s|crank: 250 mm|crank: $slip|" five.yaml >slip.yaml
    expect 3 check slip.yaml
    [ "$(grep -cE ': (error|warning): ' err)" -eq 1 ] || fail "'$slip' is told more than once"
    says err "^slip\.yaml:$(grep -n 'crank: ' slip.yaml | head -n 1 | cut -d: -f1):"
done

# Progress of traverse, when asked for.
expect 0 traverse driven.yaml --progress --no-pictures -o out.d
says err '^t: [0-9]+ points of the path evaluated, [0-9]+ s$'
expect 0 traverse driven.yaml --no-pictures -o out.d
grep -q 'evaluated' err && fail "progress without a terminal"

# A first guess that is out of a range already: that is the cause, not the trajectory.
bars "$two" '{of: lower.C, kind: line, from: [1.5, 0], to: [1.4, 0.2], points: 5}' | sed 's/upper.B\]}/upper.B], range: {min: 10 deg, max: 90 deg}}/' >range.yaml
expect 1 check range.yaml --no-pictures
says out "first fails at p = 0 m: 'elbow' is out of its range"
says out '= help: the first guess is out of that range already, before any path'
sed 's/max: 90 deg/max: 90 deg/; s/^  joints:/  home: {joints: {elbow: 40 deg}}\n&/; s/from: \[1.5, 0\]/from: [1.6, 0.9]/; s/to: \[1.4, 0.2\]/to: [1.2, 1.1]/' range.yaml >bent.yaml
expect 0 check bent.yaml --no-pictures

finish
