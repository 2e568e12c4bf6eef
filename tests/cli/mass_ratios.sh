# Light bodies beside heavy ones: regions and accelerations against balances in 60 digits, and what is reported where
# loads cannot be known.
. "$SOURCE/tests/cli/lib.bash"

find_python

"$python" "$SOURCE/tests/reference/mass_ratios.py" "$GLOBDYN" 1 "$(share 24)" >out 2>err || fail "mass_ratios.py: $(cat out err)"
tail -n 1 out
"$python" "$SOURCE/tests/reference/mass_ratios.py" "$GLOBDYN" 3 $((${GDYN_SANITIZED:-0} ? 3 : 6)) --reduction svd >out 2>err ||
    fail "mass_ratios.py, singular values: $(cat out err)"

# An arm of two point masses, 3e5 and 3e-6 kg; a one-sided drive cannot hold the light one.
cat >arm.yaml <<'END'
format: 1
name: arm
parameters: {M: 316227.76601683791 kg, m: 3.1622776601683796e-06 kg, low: -1, high: 1}
machine:
  space: planar
  gravity: [0, -10]
  bodies:
    a: {mass: M, inertia: 0, com: [1, 0], points: {E: [1, 0]}}
    b: {mass: m, inertia: 0, com: [1, 0], pose: [1, 0, 0]}
  joints: {o: {type: revolute, of: [a, ground]}, w: {type: revolute, of: [b, a.E]}}
  drives:
    m: {at: o, torque: {limit: "50 m^2/s^2*M"}}
    n: {at: w, torque: {min: "30 m^2/s^2*m*low", max: "30 m^2/s^2*m*high"}}
trajectories: {t: {p: [0, 1], joints: {o: 0, w: p}, points: 3}}
expect:
  - {quantity: t.rest_min@0, value: -40, tolerance: 1e-9, source: "(-30 - 10 cos 0) m / m"}
  - {quantity: t.rest_max@0, value: 20, tolerance: 1e-9, source: "(30 - 10 cos 0) m / m"}
  - {quantity: t.load, value: 1/3, tolerance: 1e-9, source: "10 of 30 at p = 0"}
  - {quantity: t.time, value: 0.3938104, tolerance: 1e-4, source: "bang-bang with w'' = +-30 - 10 cos w, by quadrature"}
END
expect 0 verify arm.yaml
expect 0 regions arm.yaml --set high=-0.1 --no-pictures -o one
says out "load of the drives at rest .*cannot hold"

# The lowest frequency is that of the light body, or of the heavy one beside a light one that is much faster.
for springs in "1e12 1e-7 1/(2*pi)" "1e3 1e7 1e-2/(2*pi)"; do
    read -r heavy light frequency <<<"$springs"
    sed -e "s/limit: \"50.*/limit: 1e9}, stiffness: $heavy N m}/" -e "s/torque: {min.*/torque: {limit: 1}, stiffness: $light N m}/" \
        -e '/^expect/,$d' arm.yaml >springs.yaml
    echo "expect: [{quantity: t.frequency, value: $frequency, tolerance: 1e-10, source: one mass on one spring}]" >>springs.yaml
    expect 0 verify springs.yaml --set "M=1e7 kg" --set "m=1e-7 kg"
done

# Acceleration and force of the tool at the end of a light link, guaranteed in all directions: least of (limit - |gravity|) / |row| over
# the rows of M J^-1 and J^T, at the worst of nine nodes (x = 1.3, y = -0.4), with M and J in closed form.
sed -e '/^trajectories/,$d' -e 's/^parameters.*/parameters: {M: 1e6 kg, m: 1e-6 kg}/' -e 's/com: \[1, 0\], points.*/com: [1, 0], points: {E: [1, 0]}, pose: [0, 0, -1]}/' \
    -e 's/b: {.*/b: {mass: m, inertia: 0, com: [0.7, 0], pose: [cos(-1), sin(-1), 0.6], points: {T: [0.7, 0]}}/' \
    -e 's/limit: ".*/limit: 3e7}}/' -e 's/torque: {min.*/torque: {limit: 2e-5}}/' arm.yaml >field.yaml
cat >>field.yaml <<'END'
workspaces:
  w: {of: b.T, x: [1.0, 1.3], y: [-0.4, -0.1], points: [3, 3]}
expect:
  - {quantity: w.accel, value: 19.7561038424354, tolerance: 1e-8, source: closed form}
  - {quantity: w.force, value: 1.97561038424354e-05, tolerance: 1e-14, source: closed form}
END
expect 0 verify field.yaml

# A light undriven rod that hangs on a heavy slide: held where it hangs along gravity, so that rest is rest.
cat >hung.yaml <<'END'
format: 1
name: hung
parameters: {M: 1 kg, m: 1 kg}
machine:
  space: planar
  gravity: [0.5, -10]
  bodies:
    slide: {mass: M, inertia: M*(1 m)^2, points: {E: [0, 0]}}
    rod: {mass: m, inertia: m*(0.1 m)^2, com: [0.3, 0], points: {E: [0, 0]}, pose: [0, 0, -1.2]}
  joints: {s: {type: prismatic, of: [slide, ground], axis: [1, 0]}, w: {type: revolute, of: [rod.E, slide.E]}}
  drives: {m: {at: s, force: {limit: "20 m/s^2*M"}}}
trajectories: {t: {of: slide.E, path: {x: p}, p: [0, 1], points: 3, undriven: equilibrium}}
expect:
  - {quantity: t.rest_min@0, value: 0, tolerance: 1e-9, source: the rod hangs}
  - {quantity: t.rest_max@1, value: 0, tolerance: 1e-9, source: the rod hangs}
  - {quantity: t.load, value: "0.5*(M + m)/(20*M)", tolerance: 1e-9, source: gravity along the slide}
END
for mass in "1e4 1e-4" "1e6 1e-7"; do
    read -r heavy light <<<"$mass"
    expect 0 verify hung.yaml --set "M=$heavy kg" --set "m=$light kg"
done

# Bodies without a joint and with one drive: more motions than multipliers and drives.
cat >free.yaml <<'END'
format: 1
name: free
machine:
  space: spatial
  gravity: [0, 0, -10]
  bodies:
    a: {mass: 1e6 kg, inertia: [1, 2, 2.5], points: {P: [1, 0, 0]}}
    b: {mass: 1e-3 kg, inertia: [1e-3, 1e-3, 1e-3], pose: {at: [3, 0, 0], cardan: [0, 0, 0]}}
  drives: {c: {cable: [a.P, ground], tension: {min: 0, max: 10 N}}}
trajectories: {t: {of: a, path: {x: p}, p: [0, 1], points: 3}}
END
expect 1 regions free.yaml --no-pictures -o free

# Two weights of 1e11 kg balance each other but for rounding of 1e-5 N m.
cat >beam.yaml <<'END'
format: 1
name: beam
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    beam: {mass: 1 kg, inertia: 1e-3 kg m^2, points: {A: [0.3, 0.1], B: [-0.1, -0.1/3]}}
    left: {mass: 1e11 kg, inertia: 1 kg m^2, pose: [0.3, 0.1, 0]}
    right: {mass: 3e11 kg, inertia: 1 kg m^2, pose: [-0.1, -0.1/3, 0]}
  joints: {o: {type: revolute, of: [beam, ground]}, l: {type: fixed, of: [left, beam.A]}, r: {type: fixed, of: [right, beam.B]}}
  drives: {m: {at: o, torque: {limit: 1 N m}}}
trajectories: {t: {p: [0, 1], joints: {o: p}, points: 3}}
END
expect 0 regions beam.yaml --no-pictures -o beam
says err "large loads cancel"

finish
