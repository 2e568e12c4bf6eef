# What paths and workspaces do with coordinates that they leave free, against Python: equilibria (undriven: equilibrium) and null motions.
. "$SOURCE/tests/cli/lib.bash"
find_python

# Chains with springs that hang on a slide: some turn by more than half a turn on the way from the first guess.
"$python" "$SOURCE/tests/reference/hung_chains.py" "$GLOBDYN" 0 "$(share 60)" >out 2>err || fail "hung_chains.py"

# Bars on two cables: the nodes that are reached from the pose next to the first guess. Where there are several equilibria at a
# node (7), and where the nearest one is far (13).
"$python" "$SOURCE/tests/reference/hung_bars.py" "$GLOBDYN" 7 13 >out 2>err || fail "hung_bars.py"

# A 3-RRR with a free angle of the platform: the best null motion is that of a fine scan, for margins and for the dexterity of what is asked.
"$python" "$SOURCE/tests/reference/free_platform.py" "$GLOBDYN" "$SOURCE/cases/rrr3/case.yaml" >out 2>err || fail "free_platform.py"

# A plate on three drives carries a link with a torsion spring: equilibria at angles of 0, 40, -60 and 60 deg (two stable ones at 40 and 60 deg)
# with the drives' greatest shares of load 0.909326, 0.736675, 0.591154, 0.559404, the moment of all weights about the drive that turns
# the plate over its limit. The way to 100 deg ends: only the other equilibrium is left there.
cat >plate.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    xs: {mass: 1, inertia: 0.1}
    ys: {mass: 1, inertia: 0.1}
    plate: {mass: 2, inertia: 0.1, points: {C: [0, 0], B: [0.3, 0.1]}, com: [0.1, 0]}
    link: {mass: 1.5, inertia: 0.05, points: {A: [0, 0]}, com: [0.25, 0.05], pose: [0.3, 0.1, -1]}
  joints:
    jx: {type: prismatic, of: [xs, ground.O], axis: [1, 0]}
    jy: {type: prismatic, of: [ys, xs], axis: [0, 1]}
    jr: {type: revolute, of: [plate.C, ys]}
    jl: {type: revolute, of: [link.A, plate.B]}
  drives:
    dx: {at: jx, force: {limit: 1000 N}}
    dy: {at: jy, force: {limit: 1000 N}}
    dr: {at: jr, torque: {limit: 10 N m}}
  forces:
    s: {type: spring, at: jl, stiffness: 2 N m/rad, rest: 0.4}
workspaces:
  w: {of: plate.C, x: [-0.5, 0.5], y: [-0.3, 0.3], points: [3, 3], angle: 0, orientations: [40 deg, -60 deg, 60 deg], undriven: equilibrium}
END
expect 0 workspace --no-pictures plate.yaml
says out '^w: 9 of 9 nodes reached'
says out 'load +0\.909326 \.\. 0\.909326'
sed 's/60 deg\], /60 deg], counts: any, /' plate.yaml >any.yaml
expect 0 workspace --no-pictures any.yaml
says out 'load +0\.559404 \.\. 0\.559404'
sed 's/ 60 deg\], / 100 deg], /' plate.yaml >far.yaml
expect 1 workspace --no-pictures far.yaml
says out '^w: 0 of 9 nodes reached'
finish
