# Answers that are "no", and the reasons given: unreachable paths, empty regions with their limits.
. "$SOURCE/tests/cli/lib.bash"
star=$SOURCE/cases/four_slider_star/case.yaml

# Legs too short for the circle: check says where it fails first and by how much.
expect 1 check "$star" --set "leg=450 mm" --no-pictures
says out "circle .*first fails at p = 0: joint '[a-z0-9]+' stays open by [0-9.]+ (mm|deg)"
says err 'Next: '
expect 1 check "$star" --set "leg=450 mm" --json --no-pictures
says out '"first_failure": \{'
silent err

# A lift too weak for its load: it can only sink, but it can do that.
cat >cable.yaml <<'YAML'
format: 1
name: weak lift
machine:
  space: planar
  ground: {points: {O: [0, 0]}}
  gravity: [0, -9.81]
  bodies:
    load:
      mass: 10 kg
      inertia: 0.1
      points: {P: [0, 0]}
      pose: [0, 0, 0]
  joints:
    guide: {type: prismatic, of: [load.P, ground.O], axis: [0, 1]}
  drives:
    lift: {at: guide, force: {min: -20 N, max: 60 N}}
trajectories:
  up:
    joints: {guide: 0.5*p}
    p: [0, 1]
    points: 5
YAML

# 98.1 N of weight against 60 N: d2 = (n - 98.1) / 5 at any speed, so it only sinks; not empty.
expect 0 regions cable.yaml --no-pictures -o out.d
says out '^guaranteed d2 at rest, \+-'
grep -q '^up,.*,-23\.62' out.d/regions.csv || fail "minimum d2 is not (-20 - 98.1) / 5"
grep -q ',-7\.6' out.d/regions.csv || fail "maximum d2 is not (60 - 98.1) / 5"


# A suspended robot far out: some points have no region, so that the answer is no; the limits that exclude each other are named
# with their lines in the file.
cogiro=$SOURCE/cases/cogiro/case.yaml
expect 1 regions "$cogiro" --trajectory beyond --no-pictures -o cogiro
says out '^beyond: p = [0-9.]+: no \(d1, d2\) is accessible: [a-z]+ limits exclude each other$'
says out '^   c[1-8]\.tension >= 100 N   \(case\.yaml:[0-9]+\)'
says out '^   opens when all of them are relaxed by '
# With --json the paragraph would spoil the document; its certificate holds the limits.
expect 1 regions "$cogiro" --trajectory beyond --no-pictures -o cogiro --json
says out '"certificate": \{'
says out '"status": "empty"'
grep -q 'exclude' out && fail "--json is mixed with text"

# What holds the lift is its torque-speed curve at rest (5 N), not its limit (100 N): 2 kg weigh 19.62 N.
cat >lift.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    frame: {mass: 1 kg, inertia: 1 kg m^2}
    load: {mass: 2 kg, inertia: 1 kg m^2}
  joints:
    along: {type: prismatic, of: [frame, ground], axis: [1, 0]}
    up: {type: prismatic, of: [load, frame], axis: [0, 1]}
  drives:
    push: {at: along, force: {limit: 10 N}}
    lift:
      at: up
      force: {limit: 100 N}
      curve: [[0, 5 N], [1 m/s, 0 N]]
trajectories:
  way: {p: [0, 1], joints: {along: p, up: 0}, points: 3}
YAML
expect 1 regions lift.yaml --no-pictures -o lift
says out '^way: p = 0: no \(d1, d2\) is accessible: one limit excludes it$'
says out '^   lift\.force <= its curve   \(lift\.yaml:16\)   needs 19\.62 N'
expect 1 traverse lift.yaml --no-pictures -o lift
says out '^   lift\.force at its curve   \(lift\.yaml:16\)   needs 19\.62 N'

# Without the lift's drive no limit is at fault.
sed '/^    lift:/,/curve:/d' lift.yaml >loose.yaml
for command in regions traverse; do
    expect 1 $command loose.yaml --no-pictures -o loose
    says out '^way: p = 0: no \(d1, d2\) is accessible$'
    says out '^   the path requires a motion that the drives cannot control$'
done

# --at asks for single points: the answer is that of these alone.
expect 0 regions "$cogiro" --trajectory beyond --at 0 --no-pictures -o cogiro -q
# Where the machine cannot be assembled nothing is accessible either.
expect 1 regions "$star" --set "leg=450 mm" --no-pictures -o star
says err "only [0-9]+ of 201 points are followed"

# Own coefficients without a machine: two drives pushed apart by 300 N where 2 x 100 N are possible.
cat >empty.csv <<'CSV'
# n = A d1^2 + B d1 + C + D d2 + V y
p,drive,A,B,C,D,min,max,V1
0,left,0,0,150,0,-100,100,1
0,right,0,0,-150,0,-100,100,1
CSV
expect 1 regions --coefficients empty.csv --no-pictures -o empty
says out 'coefficients: p = 0: no \(d1, d2\) is accessible: two limits exclude each other'
says out '^   left'
says out '^   right'

# The slider with opposed drives, viscous: |4 d2 + 8 d1| <= 200.
cat >slider.csv <<'CSV'
drive,p,max,min,V1,D,C,B,A
left,0,100,-100,1,2,0,4,0
right,0,100,-100,1,-2,0,-4,0
left,1,100,-100,1,2,0,4,0
right,1,100,-100,1,-2,0,-4,0
CSV
expect 0 regions --coefficients slider.csv --no-pictures -o slider
says out '^maximum d1 +1/s +unbounded$'
says out '^maximum constant d1 +1/s +25$'
says out '^guaranteed d2 at rest, \+- +1/s\^2 +50$'

# A case that expects something else than the program gives, or something it does not know.
sed 's/quantity: mobility, value: 3/quantity: mobility, value: 4/' "$star" >wrong.yaml
expect 1 verify wrong.yaml
says out '^  mobility +4 +3  WRONG by 1, allowed [0-9.e-]+  \(wrong\.yaml:[0-9]+\)$'
expect 1 verify wrong.yaml "$star"
says out '^  [0-9]+ of [0-9]+ checks? passed$'
expect 1 verify "$star" --set "leg=651 mm"
says out 'WRONG'


# A machine without joints has neither their coordinates nor their reactions; a criterion of value zero has no error
# as a share.
cat >hung.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {L: [-1, 1.2], R: [1, 1.2]}}
  bodies:
    bar: {mass: 4 kg, inertia: 0.1, com: [20 mm, -150 mm], points: {A: [-150 mm, 0], B: [150 mm, 0], T: [0, -100 mm]}}
  drives:
    c1: {cable: [ground.L, bar.A], tension: {min: 1 N, max: 80 N}, stiffness: 1e5}
    c2: {cable: [ground.R, bar.B], tension: {min: 1 N, max: 80 N}, stiffness: 1e5}
trajectories:
  lift: {of: bar.T, kind: line, from: [-0.2, -0.1], to: [0.2, 0.2], undriven: equilibrium}
END
expect 0 check hung.yaml --no-pictures
grep -q 'Joints at' out && fail "a heading without lines below it"
expect 0 reactions hung.yaml --no-pictures
says out 'has no joints: there are no reactions'
grep -q 'reaction of' out && fail "a table without rows"
expect 0 regions hung.yaml --no-pictures
says out '^lift: [0-9]+ points; .*error.*at most [0-9.e+]+ % \([a-z0-9_]+\)$'
grep -Eq 'inf|nan' out && fail "an error as a share of zero: $(grep -E -m 1 'inf|nan' out)"
# Two cables leave one of three freedoms without stiffness: its frequency is zero, not what rounding leaves of it.
says out '^eigenfrequency, lowest +Hz +0$'
grep -q 'frequency is less' out && fail "rounding is taken for a frequency: $(tail -n 1 out)"

# Static friction that is too weak is named with the drive beside it, and what each would need.
gantry=$SOURCE/cases/hanging_gantry/case.yaml
sed 's/coulomb: 5 N, stiction: 8 N/coulomb: 2 N, stiction: true/' "$gantry" >weak.yaml
expect 1 regions weak.yaml --trajectory across --no-pictures -o out.d
says out 'friction of yrail <= 2 N +needs 4\.62'
expect 1 traverse weak.yaml --trajectory across --no-pictures -o out.d
says out 'friction of yrail at its max +needs 4\.62'
sed 's/stiction: 8 N/stiction: 3 N/' "$gantry" >less.yaml
expect 3 check less.yaml
says err "static friction of joint 'yrail' is less than its dry friction in motion"
sed 's/coulomb: 5 N, stiction: 8 N/stiction: true/' "$gantry" >none.yaml
expect 3 check none.yaml
says err 'stiction: true means the value of coulomb, which is zero'
finish
