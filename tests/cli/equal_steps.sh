# traverse --step: a cart of 2 kg under 20 N goes 1 m with 10 m/s^2 and -10 m/s^2: x = 5 t^2 up to t = sqrt(0.1) s, where d2 jumps by 20.
. "$SOURCE/tests/cli/lib.bash"
sliding_cart >cart.yaml
cat >>cart.yaml <<'YAML'
trajectories:
  way: {p: [0, 1 m], joints: {rail: p}, points: 11}
YAML
expect 0 traverse cart.yaml --step "10 ms" --no-pictures -o steps
says err 'way in 64 steps of 0\.01 s; .* d2 changes by (20|19\.9[0-9]*) m/s\^2 at most'
says err 'the machine rests for 0\.00754 s' # 0.64 - 2 sqrt(0.1)
says steps/motion.csv '^trajectory,t \[s\],p \[m\],d1 \[m/s\],d2 \[m/s\^2\],rail\.position \[m\],rail\.speed \[m/s\],rail\.acceleration \[m/s\^2\],push\.force \[N\],push\.position \[m\],push\.speed \[m/s\],s \[m\],s1 \[m/s\],s2 \[m/s\^2\]$'
[ "$(wc -l <steps/motion.csv)" -eq 66 ] || fail "not 65 rows"
awk -F, 'function far(a, b) { return (a - b) ^ 2 > 1e-18 }
    FNR > 1 { t = $2; T = 2 * sqrt(0.1); left = t < T ? T - t : 0
        x = t <= T / 2 ? 5 * t * t : 1 - 5 * left * left; v = t <= T / 2 ? 10 * t : 10 * left
        a = t < T / 2 ? 10 : t < T ? -10 : 0
        if (far($3, x) || far($4, v) || far($5, a) || far($6, x) || far($7, v) || far($8, a) || far($9, 2 * a)) print }' \
    steps/motion.csv >wrong
[ ! -s wrong ] || fail "rows off the closed form: $(head -3 wrong)"

# A step longer than the motion; one that gives too many; no motion.
expect 0 traverse cart.yaml --step "1 s" --no-pictures -o long
[ "$(wc -l <long/motion.csv)" -eq 3 ] || fail "not two rows"
says err 'warning: way: the whole motion is one step of 1 s; --step "4 ms" sets milliseconds'
expect 2 traverse cart.yaml --step "1e-9 s" --no-pictures -o short
says err 'no steps of 1e-09 s'
# A motion that ends with a speed ends there, in a shorter step.
expect 0 traverse cart.yaml --end-speed free --step "10 ms" --no-pictures -o fast
awk -F, 'END { T = sqrt(0.2); d = $2 - T; e = $4 - 10 * T; exit !(d * d + e * e < 1e-12 && before == 0.44) } { before = now; now = $2 }' fast/motion.csv || fail "the end of a motion with a speed"
# Read back, the set-points are as fast, and exceed the limits between the steps as the command says; at rest the way of the drive is
# that of the joint. The message has them as ROS names them.
cost=$(sed -n 's/.*between the steps push is exceeded by up to \([0-9.]*\) %.*/\1/p' err)
[ -z "$cost" ] || fail "constant force, but sampling costs $cost"
expect 0 traverse cart.yaml --step "10 ms" --no-pictures -o steps
cost=$(sed -n 's/.*between the steps push is exceeded by up to \([0-9.]*\) %.*/\1/p' err)
expect 1 feasible cart.yaml --motion steps/motion.csv --no-pictures -o back
says out "worst violation at .*push (max|min) by $cost[0-9]* % of half its range"
expect 0 feasible cart.yaml --motion steps/motion.csv --no-pictures -o back --tolerance "$(awk "BEGIN { print 1.01 * $cost / 100 }")" --json
find_python
"$python" - steps/way_joint_trajectory.json out <<'PY' || fail "the message or the drives: $(cat out)"
import json, sys
m, verdict = (json.load(open(name)) for name in sys.argv[1:])
T, p, last = 2 * 0.1 ** 0.5, m["points"], m["points"][-1]
t = [q["time_from_start"]["sec"] + 1e-9 * q["time_from_start"]["nanosec"] for q in p]
ok = m["joint_names"] == ["rail"] and len(p) == 65 and all(abs(t[i] - min(0.01 * i, T)) < 1e-9 for i in range(65))
ok &= abs(last["positions"][0] - 1) < 1e-12 and last["velocities"] == [0] and last["effort"] == [0]
ok &= all(abs(q["effort"][0] - 2 * q["accelerations"][0]) < 1e-9 for q in p[:-1])
ok &= abs(last["accelerations"][0] + 10) < 1e-9 # on the way to the rest
# 20 N and -20 N at up to sqrt(10) m/s: rms 20 N but for the sampled switch; all within the sampled motion
d = verdict["motions"][0]["drives"]["push"]
ok &= verdict["feasible"] and abs(verdict["motions"][0]["time"] - 0.64) < 1e-9 and abs(d["speed"] / 10 ** 0.5 - 1) < 0.03
ok &= abs(d["rms"] / 20 - 1) < 0.03 and d["reserve"] < 0 and abs(d["peak"] - 20 * (1 - d["reserve"])) < 1e-9
sys.exit(not ok)
PY
# Where the path's parameter is no coordinate (3p^2 - 2p^3 rests at both ends) the travel is read back. Two motions over time in one call.
cat >>cart.yaml <<'YAML'
  smooth: {p: [0, 1], joints: {rail: (3*p^2 - 2*p^3)*1 m}, points: 11}
  go: &go {kind: file, data: "t,rail\n0,0\n0.5,0.5\n1,1\n1.5,0.5\n2,0\n"}
  again: *go
  cubic: {kind: file, file: cubic.csv}
YAML
awk 'BEGIN { print "t,rail"; for (i = 0; i <= 25; i++) { t = 0.02 * i; printf "%.17g,%.17g\n", t, 0.1 * t + 2 * t * t - t * t * t / 3 } }' >cubic.csv
expect 0 traverse cart.yaml --trajectory smooth --step "10 ms" --no-pictures -o steps
expect 1 feasible cart.yaml --trajectory smooth --motion steps/motion.csv --no-pictures -o back
says out "worst violation at .*push (max|min) by $cost[0-9]* % of half its range"
sed -i '/^  way:/d; /^  smooth:/d' cart.yaml
expect 0 feasible cart.yaml --no-pictures -o both
says both/feasible.csv '^again,'
# The cubic begins with 4 m/s^2: 8 N (a natural spline would begin with none).
expect 0 feasible cart.yaml --trajectory cubic --no-pictures --json
peak=$(sed 's/.*"push":{"peak":\([0-9.e-]*\).*/\1/' out)
awk -v peak="$peak" 'BEGIN { exit !((peak - 8) ^ 2 < 1e-16) }' || fail "a table with an acceleration at its start: $peak N"
# A smooth turn beside a row is no rest: sin t has accelerations up to 1 m/s^2, 2 N.
awk 'BEGIN { print "t,rail"; for (i = 0; i <= 36; i++) printf "%.1f,%.6f\n", i / 10, sin(i / 10) }' >cubic.csv
expect 0 feasible cart.yaml --trajectory cubic --no-pictures --json
peak=$(sed 's/.*"push":{"peak":\([0-9.e-]*\).*/\1/' out)
awk -v peak="$peak" 'BEGIN { exit !((peak - 2) ^ 2 < 1e-4) }' || fail "a smooth turn: $peak N"
# From standing still to 8 m/s^2: over the rows at -0.01, 0, 0.01 s the mean jerk is 400 m/s^3. A motion that comes at speed has none.
sliding_cart >jerk.yaml
printf '  limits: {a: {joint: rail, jerk: 300}}\ntrajectories: {way: {p: [0, 1 m], joints: {rail: p}, points: 11}}\n' >>jerk.yaml
awk 'BEGIN { print "t,p"; for (i = 0; i <= 50; i++) printf "%.2f,%.17g\n", i / 100, 4 * i * i / 10000 }' >start.csv
expect 1 feasible jerk.yaml --motion start.csv --no-pictures -o start
says out 'first violation at p = 0 m, t = 0 s .* jerk of a by 33\.33 % of its limit'
awk 'BEGIN { print "t,p"; for (i = 0; i <= 30; i++) printf "%.2f,%.17g\n", i / 100, i / 100 + 4 * i * i / 10000 }' >start.csv
expect 0 feasible jerk.yaml --motion start.csv --no-pictures -o start
# A table of coefficients has no joints.
printf 'p [m],drive,A,B,C,D,min,max\n0,m,0,0,0,2,-20,20\n1,m,0,0,0,2,-20,20\n' >table.csv
expect 0 traverse --coefficients table.csv --step "10 ms" --no-pictures -o table
says table/motion.csv '^trajectory,t \[s\],p \[m\],d1 \[m/s\],d2 \[m/s\^2\],m\.force'
# Limits on the rate of the drives' forces hold between the samples, too: of masses that do not change they limit the jerk. Differences of
# accelerations and of forces, and third differences of positions, are means of it, and reach it; steps that fit the motion and
# steps that do not. Forces are interpolated in the plan's segments: to 1e-4 of the limit.
cat >rates.yaml <<'YAML'
format: 1
name: rates
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
    mx: {at: x, force: {limit: 300 N}, rate: 5 kN/s}
    my: {at: y, force: {limit: 100 N}, rate: 1 kN/s}
trajectories:
  circle: {of: head.P, kind: circle, centre: [0, 0], radius: 0.2 m}
  way: {p: [0, 1 m], joints: {x: p, y: 0}, points: 11}
YAML
for step in 1 7.3; do
    expect 0 traverse rates.yaml --step "$step ms" --no-pictures -o rates
    awk -F, -v h="$step" 'function abs(x) { return x < 0 ? -x : x } function greatest(i, x) { if (x > most[i]) most[i] = x }
        BEGIN { h /= 1000 } $1 != name { rows = 0; name = $1 }
        FNR > 1 { n = rows++; for (d = 0; d < 2; d++) { m = d ? 5 : 25; rate = d ? 1000 : 5000
            x[d, n] = $(6 + 3 * d); a[d, n] = $(8 + 3 * d); f[d, n] = $(12 + d)
            if (n > 0) { greatest(0, abs(f[d, n] - f[d, n - 1]) / h / rate); greatest(1, m * abs(a[d, n] - a[d, n - 1]) / h / rate) }
            if (n > 2) greatest(2, m * abs(x[d, n] - 3 * x[d, n - 1] + 3 * x[d, n - 2] - x[d, n - 3]) / h ^ 3 / rate)
            greatest(3, abs(f[d, n] - m * a[d, n]) / (d ? 100 : 300)) } }
        END { for (i = 0; i < 3; i++) if (most[i] > 1 + 1e-4 || most[i] < 0.99) bad = 1
            print most[0], most[1], most[2], most[3]; exit bad || most[3] > 4e-3 }' rates/motion.csv >greatest ||
        fail "steps of $step ms: rates of forces, of accelerations, third differences over their limits: $(cat greatest)"
done
# 12 m/s^2 and 200 m/s^3: T = 0.06 + sqrt(0.06^2 + 1/3)
awk '/^way: T/ { d = $4 - 0.64045958; exit !(d > 0 && d < 1e-4) }' out || fail "$(grep way: out)"
# Speeds of all joints are the differences of their positions, of the second order in the step; turns are counted on.
expect 0 traverse "$SOURCE/cases/five_bar3/case.yaml" --step "0.2 ms" --no-pictures -o bar
awk -F, 'FNR == 1 { for (i = 6; i <= NF; i++) if ($i ~ /position/) list[i] = 1 }
    FNR > 3 && name == $1 && before == $1 { for (i in list) { d = ($i - two[i]) / 0.0004 - one[i + 1]; if (d < 0) d = -d; if (d > worst) worst = d
        v = one[i + 1] < 0 ? -one[i + 1] : one[i + 1]; if (v > size) size = v } }
    { before = name; name = $1; for (i in list) { two[i] = one[i]; one[i] = $i; one[i + 1] = $(i + 1) } }
    END { exit !(size > 0 && worst < 0.01 * size) }' bar/motion.csv || fail "speeds are no differences of positions"
finish
