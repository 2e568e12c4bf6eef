# Dry friction along a path: study times, dwells, rate limits.
. "$SOURCE/tests/cli/lib.bash"

# number FILE PATTERN: the first number behind the pattern.
number() {
    grep -oE "$2 *[-0-9.e+]+" "$1" | head -n 1 | grep -oE '[-0-9.e+]+$'
}

# near A B SHARE
near() {
    awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { d = a - b; exit !(a != "" && (d < 0 ? -d : d) <= s * (b < 0 ? -b : b)) }' ||
        fail "$1 is not $2 within a share of $3"
}

# The head of a gantry turns at p = 0.53, between two points. `evaluate` sums over the points, to second order in
# their spacing (81 points: below 1e-3); with the friction's jump taken half a spacing off it was first order, 4.7e-3.
write_gantry() { # POINTS RATE
    cat >gantry.yaml <<GANTRY
format: 1
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    bridge: {mass: 2, inertia: 0.1, points: {O: [0, 0]}, pose: [0, 0, 0]}
    head: {mass: 1, inertia: 0.1, points: {O: [0, 0]}, pose: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [bridge.O, ground.O], axis: [1, 0]}
    y: {type: prismatic, of: [head.O, bridge.O], axis: [0, 1], friction: {coulomb: 6, stiction: true}}
  drives:
    mx: {at: x, force: {limit: 200}}
    my: {at: y, force: {limit: 10}$2}
trajectories:
  bow: {p: [0, 1], points: $1, joints: {x: p, y: "(p - 0.53)^2"}}
GANTRY
}
write_gantry 81
expect 0 traverse gantry.yaml --tolerance 1e-4 --no-pictures -o t
time=$(number out 'T =')
expect 0 evaluate gantry.yaml
near "$(number out 'time')" "$time" 1e-3
finish
