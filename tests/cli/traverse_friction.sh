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

# A dwell of the whole path: x = max(p - 2, 0)^3 - max(1 - p, 0)^3 stands from p = 1 to 2. Nothing bounds dp/dt there, so
# it takes no time: 2 kg over 2 m with 10 N on a rail with 3 N friction take v/3.5 + v/6.5 s, v^2 = 4 / (1/3.5 + 1/6.5).
write_dwell() { # X FRICTION
    cat >dwell.yaml <<DWELL
format: 1
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    block: {mass: 2, inertia: 0.1, points: {O: [0, 0]}, pose: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [block.O, ground.O], axis: [1, 0]$2}
  drives:
    m: {at: x, force: {limit: 10}}
trajectories:
  s: {p: [0, 3], points: 31, joints: {x: "$1"}}
DWELL
}
dwell() { # X FRICTION TIME WORDS
    write_dwell "$1" "$2"
    expect 0 traverse dwell.yaml --no-pictures -o t
    near "$(number out 'T =')" "$3" 1e-6
    says out "the machine stands still from p = $4: nothing bounds d1 there"
    says out 'no limit is violated'
    says t/traverse.json '"dwells":\[\['
    expect 0 evaluate dwell.yaml
    near "$(number out 'time')" "$3" 1e-3
}
dry=', friction: {coulomb: 3, stiction: true}'
dwell 'max(p - 2, 0)^3 - max(1 - p, 0)^3' '' 1.26491106 '(1|0.99999.*) to 2'
dwell 'max(p - 2, 0)^3 - max(1 - p, 0)^3' "$dry" 1.32598711 '(1|0.99999.*) to 2'
dwell 'max(p - 1, 0)^3' "$dry" 2.65197421 '0 to 1'   # it begins with the dwell: 8 m
dwell 'max(1 - p, 0)^3' "$dry" 0.93761446 '(1|0.99999.*) to 3' # it ends with it: 1 m
dwell 'max(p - 2, 0)^3 + max(1 - p, 0)^3' "$dry" 1.87522891 '(1|0.99999.*) to 2' # there and back: twice 1 m

# Where the head turns its drive would have to jump from -6 to 6 N: with 100 N/s it cannot, so the machine stops
# there and stands for 12 / 100 s. A limit on the bridge's drive, which carries no friction, stops nothing.
write_gantry 11 ', rate: 100 N/s'
expect 0 traverse gantry.yaml --no-pictures -o t
says out 'stops at p = 0\.53: dry forces or the curvature'
says out 'no limit is violated'
says t/traverse.json '"friction_stops":\[0\.5'
waits=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); col[$i] = i } next }
    { p = $col["p"]; t = $col["t"]; d = $col["d1"]
      if (d == 0 && held && p > 0.5 && p < 0.6) print t - held; held = (d == 0 && p > 0.5) ? t : 0 }' t/traverse.csv)
near "$waits" 0.12 1e-6
write_gantry 11
sed -i 's/limit: 200}/limit: 200}, rate: 1000 N\/s/' gantry.yaml
expect 0 traverse gantry.yaml --no-pictures -o t
grep -q 'stops at p' out && fail "stops although nothing jumps that has a limit on its rate"

# Two tools led together, one of which stands still: 3 kg of 10 m/s^2 held with 40 N and 5 N of friction leave the
# other one alone, 2 kg over 1 m with 10 N and 3 N of friction.
cat >two.yaml <<TWO
format: 1
machine:
  space: planar
  gravity: [0, -10]
  ground: {points: {O: [0, 0], P: [2, 0]}}
  bodies:
    a: {mass: 2, inertia: 0.1, points: {O: [0, 0]}, pose: [0, 0, 0]}
    b: {mass: 3, inertia: 0.1, points: {O: [0, 0]}, pose: [2, 0, 0]}
  joints:
    ja: {type: prismatic, of: [a.O, ground.O], axis: [1, 0], friction: {coulomb: 3, stiction: 4}}
    jb: {type: prismatic, of: [b.O, ground.P], axis: [0, 1], friction: {coulomb: 2, stiction: 5}}
  drives:
    ma: {at: ja, force: {limit: 10}}
    mb: {at: jb, force: {limit: 40}}
trajectories:
  both: {of: [a.O, b.O], p: [0, 1], points: 5, path: {a.O: {x: p}, b.O: {y: 0}}}
TWO
expect 0 traverse two.yaml --no-pictures -o t
near "$(number out 'T =')" 0.93761446 1e-6
expect 0 regions two.yaml --no-pictures -o t
near "$(number out 'guaranteed d2 at rest, [^ ]* *1/s.2')" 3.5 1e-9
# Held by drive and friction together, 30 N of weight need 25 N of the drive's; with 24 N it falls.
sed -i 's/limit: 40/limit: 24/' two.yaml
expect 1 regions two.yaml --no-pictures -o t

# A search with static friction finds the same designs with one thread and with two.
write_gantry 11
sed -i 's/^machine:/parameters: {push: 10 N}\nmachine:/; s/my: {at: y, force: {limit: 10}}/my: {at: y, force: {limit: push}}/' gantry.yaml
cat >>gantry.yaml <<STUDY
design: {push: {min: 7 N, max: 20 N}}
optimize:
  objectives: {time: {minimize: bow.time}, push: {minimize: push}}
  algorithm: {name: nsga2, population: 12, seed: 5}
  stop: {evaluations: 36}
STUDY
expect 0 optimize gantry.yaml -o one --threads 1 -q --no-pictures
expect 0 optimize gantry.yaml -o two --threads 2 -q --no-pictures
cmp -s one/designs.csv two/designs.csv || fail "two threads find other designs than one"
finish
