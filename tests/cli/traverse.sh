# The commands traverse and feasible: closed forms, bounds, exit codes, tables, refusals.
. "$SOURCE/tests/cli/lib.bash"

# One drive without load: T = 0.2 exactly, half of it driving, half braking.
{
    echo "p,drive,A,B,C,D,min,max"
    awk 'BEGIN { for (i = 0; i <= 50; i++) print i / 50 ",motor,0,0,0,1,-100,100" }'
} >one.csv
expect 0 traverse --coefficients one.csv -o one --no-pictures
says out '^coefficients: T = 0\.2 s, between 0\.2 and 0\.2 s$'
says out 'no limit is violated'
says one/traverse.csv '^trajectory,t \[s\],p,d1 \[1/s\],d2 \[1/s\^2\],d2_before \[1/s\^2\],.*motor\.force'
says one/audit.csv '^trajectory,p,d1 \[1/s\],d2 \[1/s\^2\],violation'
says one/traverse.json '"time_bounds":\[0\.[12]'
expect 0 traverse --coefficients one.csv -o one --json --no-pictures
says out '"status":"ok"'

# The motion found is feasible with no margin; twice as fast it is not, and must be slowed down again.
expect 0 feasible --coefficients one.csv --motion one/traverse.csv --no-pictures
says out 'feasible: no limit is violated'
says out 'could be run 1 times as fast'
printf 'p,d1,d2\n0,0,200\n0.25,10,200\n0.5,14.142135623730951,200\n' >fast.csv
expect 1 feasible --coefficients one.csv --motion fast.csv --no-pictures
says out 'first violation at p = 0, .*motor max by 100 %'
says out 'time x 1\.41421'
printf 't,p\n0,0\n1,0.1\n2,0.4\n3,0.9\n' >slow.csv # p = t^2/10
expect 0 feasible --coefficients one.csv --motion slow.csv --no-pictures --json
says out '"feasible":true.*"margin":22\.36'

# Two points with the same p: limits that jump from 100 to 50; a point that is there twice.
{
    echo "p,drive,A,B,C,D,min,max"
    for p in 0 0.25 0.25 0.5; do echo "$p,motor,0,0,0,1,-100,100"; done
    for p in 0.5 0.75 1; do echo "$p,motor,0,0,0,1,-50,50"; done
} >jump.csv
expect 0 traverse --coefficients jump.csv -o jump --no-pictures
says out '^coefficients: T = 0\.24391'
expect 0 regions --coefficients jump.csv -o jump --no-pictures

# A drive that only pushes cannot stop the machine at the end; the least pull opens the path.
cat >pushes.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies: {b: {mass: 1 kg, inertia: 1 kg m^2}}
  joints: {s: {type: prismatic, of: [b, ground], axis: [1, 0]}}
  drives: {f: {at: s, force: {min: 0 N, max: 1 N}}}
trajectories: {t: {p: [0, 1], joints: {s: p}, points: 5}}
YAML
expect 1 traverse pushes.yaml --no-pictures -o pushes
says out 'cannot start it so that it reaches the requested end$'
says out 'opens when all limits are relaxed by any amount, however small$'
expect 0 traverse pushes.yaml --end-speed free --no-pictures -o pushes

# Too fast at the start: the reason and the smallest relaxation.
expect 2 traverse --coefficients one.csv -o one --start-speed 1e300
says err '--start-speed: 1e300 is too large'
expect 1 traverse --coefficients one.csv -o one --start-speed 20 --no-pictures
says out 'from 0 to 14\.14'
says out 'opens when all limits are relaxed by 100 %'
expect 1 traverse --coefficients one.csv -o one --start-speed 20 --no-pictures --json
says out '"status":"start"'
says out '"relaxation":(1\.0|0\.9999)'

# A limit on the rate of the force: T = (32 L / j)^(1/3) = 0.86177, left out on demand.
sed -e 's/max$/max,rate/' -e 's/,100$/,100,50/' one.csv >rate.csv
expect 0 traverse --coefficients rate.csv -o rate --no-pictures
says out '^coefficients: T = 0\.861[89]'
says out 'T without them 0\.2 s'
says rate/traverse.csv 'motor rate up'
says rate/traverse.csv 'motor rate down'
says rate/traverse.csv ',motor.rate'
says rate/traverse.json '"rates":{"motor":{"limit":50.0,"greatest":(50.0|49.9)'
says out 'largest rate: motor by (50|49.9)'
expect 0 traverse --coefficients rate.csv -o rate --no-rates --no-pictures
says out 'T = 0\.2 s'
expect 1 traverse --coefficients rate.csv -o rate --start-speed 14 --no-pictures
says out 'no motion keeps the limits on rates'
# Two drives of different rates: T = (32 L M / 1200)^(1/3) = 0.10217; on the longer way one comes to its limits.
expect 0 traverse "$SOURCE/cases/soft_slider/case.yaml" -o soft --no-pictures
says out '^short: T = 0\.102[12]'
says out '^line: T = 0\.761[67]'
# At a corner the machine stands until the forces it came with are those it leaves with: no force ever
# changes faster than its rate.
cat >corner.yaml <<'END'
format: 1
name: table with a drive too many
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    beam: {mass: 3 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}
    table: {mass: 2 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}
    y: {type: prismatic, of: [table.P, beam.P], axis: [0, 1]}
  drives:
    a: {at: x, force: {min: -40 N, max: 40 N}, rate: 300 N/s}
    b: {at: x, force: {min: -9 N, max: 9 N}, rate: 900 N/s}
    c: {at: y, force: {min: -20 N, max: 20 N}, rate: 200 N/s}
trajectories:
  corner: {of: table.P, kind: polyline, through: [[0, 0], [0.3, 0.1], [0.1, 0.4]], points: 61}
END
expect 0 traverse corner.yaml -o corner --no-pictures
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); column[$i] = i } limit["a"] = 300; limit["b"] = 900; limit["c"] = 200 }
    NR > 2 { for (d in limit) { now = $column[d ".force"] - before[d]; dt = $column["t"] - t
                                if (now * now > (limit[d] * dt) ^ 2 * 1.000001 + 1e-12) bad++ } }
    { t = $column["t"]; for (d in limit) before[d] = $column[d ".force"] }
    END { exit bad > 0 }' corner/traverse.csv || fail 'a force changes faster than its rate'
expect 2 traverse --coefficients rate.csv -o rate --periodic
says err 'no-rates'
sed -e 's/,50$/,0/' rate.csv >bad_rate.csv
expect 3 traverse --coefficients bad_rate.csv -o rate
says err 'a rate must be positive'
sed -e 's/ N m}}$/ N m}, rate: 2000 N m\/s}/' "$SOURCE/cases/two_link_arm/case.yaml" >arm_rate.yaml
says arm_rate.yaml 'rate: 2000'
expect 0 traverse arm_rate.yaml -o rate --no-pictures
says out 'limits on rates of forces'
sed -e 's/rate: 2000 N m/rate: 2000 kg m/' arm_rate.yaml >arm_bad.yaml
expect 3 traverse arm_bad.yaml -o rate
says err 'rate'

# A published machine, and its forces by every distribution.
arm="$SOURCE/cases/two_link_arm/case.yaml"
expect 0 traverse "$arm" -o arm --start-speed 0.471404520791032 --end-speed free --no-pictures
says out '^line: T = 0\.8337'
expect 0 feasible "$arm" --motion arm/traverse.csv --no-pictures
for how in norm peak preload power; do
    expect 0 traverse "$SOURCE/cases/kntu/case.yaml" --trajectory swing -o "$how" \
        --distribution "$how" --preload 2 --no-pictures
done

# What a cable robot cannot do is said with the cables' names.
PATH=/nowhere expect 1 traverse "$SOURCE/cases/cogiro/case.yaml" --trajectory beyond -o cogiro # scripts alone
says out 'no \(d1, d2\) is accessible'
says out 'c[0-9]\.tension at its min'
says cogiro/beyond_phase.gp 'no motion'

# Where the motion changes from one limit to another within a segment it touches both, but for rounding: the one at
# its beginning is named.
if ! ((${GDYN_SANITIZED:-0})); then
    expect 0 traverse "$SOURCE/cases/cogiro/case.yaml" --trajectory inside -o cogiro --no-pictures
    says cogiro/traverse.csv '^inside,[^,]*,0\.384845[0-9]*,.*,0,c2 min \+ c5 min \+ c7 min,'
    says cogiro/traverse.csv '^inside,[^,]*,5\.921902[0-9]*,.*,0,c5 min \+ c6 min \+ c7 min,'
fi

# One drive, two directions: the parabola y = -x^2 is a throw, d1^2 = g/2 + C/p^2, with m |C| / p^3 <= 10 N.
cat >thrown.yaml <<'END'
format: 1
name: thrown mass
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    load: {mass: 2 kg, inertia: 1 kg m^2, points: {C: [0, 0]}, pose: [1, -1, 0]}
  drives:
    push: {wrench: {of: load.C, force: [1, 0]}, force: {min: -10 N, max: 10 N}}
trajectories:
  parabola: {of: load.C, p: [1, 2], path: {x: p, y: -p^2}, points: 31}
END
expect 0 traverse thrown.yaml -o thrown --start-speed free --end-speed free --no-pictures
says out 'T = 0\.36995.* between 0\.3699[0-5].* and 0\.369[89]' # 2/g (sqrt(2 g + 5) - sqrt(g/2 + 5)) = 0.3699559
says out 'maximum d1 3\.14722 [1m]/s at p = 1'                      # sqrt(g/2 + 5)
expect 0 traverse thrown.yaml -o thrown --start-speed free --end-speed 2.3 --no-pictures
says out 'T = 0\.42024'
expect 1 traverse thrown.yaml -o thrown --no-pictures
says out 'd1 determines d2'
expect 1 traverse thrown.yaml -o thrown --start-speed 3.2 --end-speed free --no-pictures

# Across a zero-inertia point: 1.60063991 +- 2e-7 s by reachability (the case's README).
expect 0 traverse "$SOURCE/cases/two_link_crossing/case.yaml" -o crossing --no-pictures --tolerance 1e-4
bounds=$(sed -n 's/.*"time_bounds":\[\([0-9.]*\),\([0-9.]*\)\].*/\1 \2/p' crossing/traverse.json)
below "${bounds% *}" 1.6006401
below 1.6006397 "${bounds#* }"

# Nothing bounds d1 in between, x = c phi(p) for any c: no motion is the fastest (test_traverse_inertia.c).
printf 'p,drive,A,B,C,D,min,max\n0,m,-1,0,0,0,-1,1\n0.5,m,0,0,0,0.5,-1,1\n1,m,1,0,0,0,-1,1\n' >any.csv
expect 0 traverse --coefficients any.csv -o any --no-pictures
says out 'no motion is the fastest: motion times get arbitrarily close to a value between 0 and 0 s'
says out 'p = 0 \.\. 1: nothing bounds d1'
says out 'm\.force at its max'
says any/traverse.json '"infimum":\{"time_bounds":\[0\.0,0\.0\],"leaps":\[\{"p":\[0\.0,1\.0\],"d1":\[null,null\],"limits":\[\["m","m(ax|in)"\]'
says crossing/traverse.json '"infimum":null'

# Two places of a path that rounding makes one: a cable 4e9 m long (found by scripts/attack).
sed -e 's/-5\.5342/4294967296/' -e 's/points: 51/points: 5/' "$SOURCE/cases/cogiro/case.yaml" >far_winch.yaml
expect 1 traverse far_winch.yaml --trajectory rim -o far_winch --no-pictures

# Wrong command lines.
expect 2 traverse "$arm" --distribution best
expect 2 traverse "$arm" --start-speed -1
expect 2 traverse "$arm" --periodic
expect 2 feasible "$arm"
expect 5 feasible "$arm" --motion missing.csv
echo 'q,r' >bad.csv
expect 3 feasible "$arm" --motion bad.csv
says err 'bad.csv:1:1: error: column .p. is missing'
printf 'p,d1,d2\n7,0,0\n' >far.csv
expect 3 feasible "$arm" --motion far.csv
says err 'lies outside'

# Fewer points than show a motion from rest to rest: 1 kg pushed and braked with 10 N over 1 m takes 2 sqrt(0.1) s, as `evaluate` says too.
for points in 2 3 4; do
    cat >few.yaml <<END
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies: {cart: {mass: 1, inertia: 1}}
  joints: {rail: {type: prismatic, of: [cart, ground], axis: [1, 0]}}
  drives: {push: {at: rail, force: {limit: 10 N}}}
trajectories:
  way: {joints: {rail: p}, p: [0, 1], points: $points}
END
    expect 0 evaluate few.yaml
    says out ' time  *0\.632'
    expect 0 traverse few.yaml --no-pictures
    says out 'T = 0\.632'
done

# 10 m/s^2 to 2 m/s: the motion switches at 2^2 / 20 = 0.2 m and as far before the end, and says what limits it between them.
cart_and_load >switch.yaml
expect 0 traverse switch.yaml --no-pictures -o switch
says out 'T = 0\.5 s,'
awk -F, '$10 == 1 { printf "%.9g %s;", $3, $11 }' switch/traverse.csv >places
[ "$(cat places)" = "0.2 push speed;0.4 push min;" ] || fail "switches at $(cat places)"
awk -F, 'NR > 1 && $11 != ($3 < 0.2 - 1e-9 ? "push max" : $3 < 0.4 - 1e-9 ? "push speed" : "push min")' \
    switch/traverse.csv >wrong
[ ! -s wrong ] || fail "another limit than the closed form's: $(head -1 wrong)"
# A table whose rounded rows turn back within 1e-9 of the way: a corner, at which the motion stops. Blends whose curvature jumps.
cat >turns.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    b: {mass: 1, inertia: 0.1, points: {P: [0.5, 0]}}
    c: {mass: 1, inertia: 0.1, points: {P: [0, 0]}, pose: [0.5, 0, 0]}
  joints: {j: {type: revolute, of: [b, ground.O]}, k: {type: revolute, of: [c, b.P]}}
  drives: {d: {at: j, torque: {limit: 20}, speed: {max: 3}}, e: {at: k, torque: {limit: 5}}}
trajectories:
  turn: {kind: file, data: "t,j,k\n0.46,-0.444293,0.059341\n0.48,-0.450834,0.082445\n0.5,-0.457376,0.105548\n0.52,-0.463917,0.128652\n0.54,-0.470458,0.151756\n0.56,-0.468782,0.145837\n0.58,-0.464187,0.129607\n0.6,-0.457322,0.105358\n"}
  blends: {kind: file, blend: 0.05, data: "t,j,k\n0,0,0\n1,0.5,0.1\n2,0.7,0.4\n3,1,0\n"}
YAML
expect 0 traverse turns.yaml --no-pictures -o turns
finish
