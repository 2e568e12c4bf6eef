#!/usr/bin/env python3
"""Random five-bars along straight lines against the loci of their drive singularities: both rods in one line, stretched or
folded. The elbows follow from the tip in closed form; the sine of the angle between the rods changes its sign where
they are in line.

five_bars.py GLOBDYN SEED COUNT: the places that `check` finds against those, to 1e-6 of the path."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

globdyn, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)

def elbows(g, c, T, signs):
    out = []
    for side, base in ((0, -g/2), (1, g/2)):
        crank, rod = c[side]
        dx, dy = T[0] - base, T[1]
        d = math.hypot(dx, dy)
        x = (crank**2 - rod**2 + d*d)/(2*d)
        h2 = crank**2 - x*x
        if h2 <= 0:
            return None
        h = signs[side]*math.sqrt(h2)
        out.append((base + (x*dx - h*dy)/d, (x*dy + h*dx)/d))
    return out

def sine(g, c, T, signs):
    e = elbows(g, c, T, signs)
    if e is None:
        return None
    a, b = [((T[0] - e[s][0])/c[s][1], (T[1] - e[s][1])/c[s][1]) for s in (0, 1)]
    return a[0]*b[1] - a[1]*b[0]

done = bad = places = 0
while done < count:
    g = rng.uniform(0.1, 0.8)
    c = [(rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.6)) for _ in range(2)]
    signs = (rng.choice((-1, 1)), rng.choice((-1, 1)))
    A = (rng.uniform(-0.5, 0.5), rng.uniform(-0.8, 0.8)); B = (rng.uniform(-0.5, 0.5), rng.uniform(-0.8, 0.8))
    length = math.dist(A, B)
    if length < 0.15:
        continue
    at = lambda s: (A[0] + (B[0]-A[0])*s, A[1] + (B[1]-A[1])*s)
    N = 4000
    f = [sine(g, c, at(i/N), signs) for i in range(N + 1)]
    # cranks never in line with their rods on the way, with room
    if any(v is None for v in f):
        continue
    reach = [math.dist(at(i/N), ((-g/2, g/2)[s], 0)) for i in range(0, N + 1, 20) for s in (0, 1)]
    room = min(min(abs(sum(c[i % 2]) - d), abs(d - abs(c[i % 2][0] - c[i % 2][1]))) for i, d in enumerate(reach))
    if room < 0.01 or min(abs(f[0]), abs(f[-1])) < 0.05:
        continue
    zeros = []
    for i in range(N):
        if f[i]*f[i+1] < 0:
            lo, hi = i/N, (i+1)/N
            for _ in range(60):
                m = (lo+hi)/2
                same_side = sine(g, c, at(m), signs)*sine(g, c, at(lo), signs) > 0
                lo, hi = (m, hi) if same_side else (lo, m)
            zeros.append(lo*length)
    near = min(abs(v) for v in f)
    if not zeros and near < 1e-3:
        continue  # a touch is not decided by this reference
    e = elbows(g, c, A, signs)
    ang = lambda P, Q: math.atan2(Q[1]-P[1], Q[0]-P[0])
    points = rng.choice((5, 7, 12, 23, 51, 101))
    case = f"""format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {{points: {{L: [{-g/2!r}, 0], R: [{g/2!r}, 0]}}}}
  bodies:
    a: {{mass: 1, inertia: 0.01, com: [0.1, 0], points: {{B: [0, 0], E: [{c[0][0]!r}, 0]}}, pose: [{-g/2!r}, 0, {ang((-g/2, 0), e[0])!r}]}}
    b: {{mass: 1, inertia: 0.01, com: [0.1, 0], points: {{B: [0, 0], E: [{c[1][0]!r}, 0]}}, pose: [{g/2!r}, 0, {ang((g/2, 0), e[1])!r}]}}
    p: {{mass: 1, inertia: 0.01, com: [0.1, 0], points: {{E: [0, 0], T: [{c[0][1]!r}, 0]}}, pose: [{e[0][0]!r}, {e[0][1]!r}, {ang(e[0], A)!r}]}}
    q: {{mass: 1, inertia: 0.01, com: [0.1, 0], points: {{E: [0, 0], T: [{c[1][1]!r}, 0]}}, pose: [{e[1][0]!r}, {e[1][1]!r}, {ang(e[1], A)!r}]}}
  joints:
    la: {{type: revolute, of: [a.B, ground.L]}}
    lb: {{type: revolute, of: [b.B, ground.R]}}
    ea: {{type: revolute, of: [p.E, a.E]}}
    eb: {{type: revolute, of: [q.E, b.E]}}
    tip: {{type: revolute, of: [p.T, q.T]}}
  drives: {{l: {{at: la, torque: {{limit: 50}}}}, r: {{at: lb, torque: {{limit: 50}}}}}}
trajectories:
  t: {{of: p.T, kind: line, from: [{A[0]!r}, {A[1]!r}], to: [{B[0]!r}, {B[1]!r}], points: {points}}}
"""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "case.yaml")
        with open(name, "w") as file:
            file.write(case)
        run = subprocess.run([globdyn, "check", name, "--json"], capture_output=True, text=True)
        t = json.loads(run.stdout)["trajectories"]["t"] if run.stdout else None
    done += 1
    if t is None or t["reach"] < 1:
        print("five-bar", done, "is not followed", case)
        bad += 1
        continue
    found = [x["p"][0] for x in t["singular"]["places"] if not x["of_constraints"]]
    places += len(zeros)
    blocks = any(x["blocks"] for x in t["singular"]["places"])
    same = len(found) == len(zeros) and all(abs(x-y) <= 1e-6*length for x, y in zip(found, zeros))
    if not same or blocks != (run.returncode == 1):
        print("five-bar", done, zeros, found, run.returncode, case)
        bad += 1
print(f"{done} five-bars, {places} singular places, {bad} differ")
sys.exit(bad > 0)
