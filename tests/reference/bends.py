#!/usr/bin/env python3
"""Paths with narrow features between the points: criteria of `evaluate` against closed forms on dense points.

    tests/reference/bends.py [--program GLOBDYN] [--seed S] [--count N] [--only N] [-v]

Slides, an arm of two links and a turning body are led along paths by formulas, by tables, by splines and in joint coordinates
that have a bump, a step or a blend somewhere, from 1/800 to 1/20 of the path wide, alone or several. Greatest d1, greatest constant
d1 and the acceleration at rest follow from the equations of motion on 400,000 points. Each difference must be within the stated
error. Exit code 1: one is not."""
import argparse
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.interpolate import CubicSpline

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DENSE = 400001
GRID = 3e-5  # what the dense points may miss

SLIDES = """
  ground: {{points: {{O: [0, 0]}}}}
  bodies:
    beam: {{mass: {m0}, inertia: 1, points: {{P: [0, 0]}}, pose: [0, 0, 0]}}
    cart: {{mass: {m1}, inertia: {I}, points: {{P: [0, 0]}}, pose: [0, 0, 0]}}
    tool: {{mass: 1e-9, inertia: {I}, points: {{P: [0, 0]}}, pose: [0, 0, 0]}}
  joints:
    x: {{type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}}
    y: {{type: prismatic, of: [cart.P, beam.P], axis: [0, 1]}}
    turn: {{type: revolute, of: [tool.P, cart.P]}}
  drives:
    X: {{at: x, force: {{limit: {f0}}}, speed: {{max: {v0}}}}}
    Y: {{at: y, force: {{limit: {f1}}}, speed: {{max: {v1}}}}}
    T: {{at: turn, torque: {{limit: {f2}}}, speed: {{max: {v2}}}}}
"""
ARM = """
  ground: {{points: {{O: [0, 0]}}}}
  bodies:
    upper: {{mass: {m0}, inertia: {J0}, com: [{c0}, 0], points: {{A: [0, 0], B: [{l0}, 0]}}, pose: {{at: [0, 0], angle: {q0}}}}}
    fore: {{mass: {m1}, inertia: {J1}, com: [{c1}, 0], points: {{B: [0, 0], T: [{l1}, 0]}}, pose: {{at: [{bx}, {by}], angle: {q01}}}}}
  joints:
    shoulder: {{type: revolute, of: [upper.A, ground.O]}}
    elbow: {{type: revolute, of: [fore.B, upper.B]}}
  drives:
    S: {{at: shoulder, torque: {{limit: {f0}}}, speed: {{max: {v0}}}}}
    E: {{at: elbow, torque: {{limit: {f1}}}, speed: {{max: {v1}}}}}
"""


class Formula:
    """A function of p as text, with derivatives by hand."""

    def __init__(self, text, jets):
        self.text, self.jets = text, jets

    def __add__(self, other):
        return Formula(f"{self.text} + {other.text}", lambda p: self.jets(p) + other.jets(p))


def polynomial(*c):
    poly = np.polynomial.Polynomial(c)
    text = " + ".join(f"({a!r})*p^{i}" if i else f"({a!r})" for i, a in enumerate(c))
    return Formula(text, lambda p: np.array([poly(p), poly.deriv(1)(p), poly.deriv(2)(p)]))


def wave(a, k, s):
    return Formula(f"({a!r})*sin({k!r}*p + {s!r})",
                   lambda p: np.array([a * np.sin(k * p + s), a * k * np.cos(k * p + s), -a * k * k * np.sin(k * p + s)]))


def gauss(a, c, w):
    def jets(p):
        u = (p - c) / w
        g = a * np.exp(-u * u)
        return np.array([g, -2 * u / w * g, (4 * u * u - 2) / w**2 * g])
    return Formula(f"({a!r})*exp(-((p - {c!r})/{w!r})^2)", jets)


def hat(a, c, w):
    """(1 - u^2)^3 within |u| < 1: twice differentiable."""
    def jets(p):
        u = (p - c) / w
        v = np.maximum(1 - u * u, 0)
        return a * np.array([v**3, -6 * u * v**2 / w, (-6 * v**2 + 24 * u * u * v) / w**2])
    return Formula(f"({a!r})*max(0, 1 - ((p - {c!r})/{w!r})^2)^3", jets)


def step(a, c, w):
    def jets(p):
        t = np.tanh((p - c) / w)
        return a * np.array([t, (1 - t * t) / w, -2 * t * (1 - t * t) / w**2])
    return Formula(f"({a!r})*tanh((p - {c!r})/{w!r})", jets)


def feature(rng, size, bend):
    """Somewhere, near an end now and then; its R'' is `bend` times that of the path."""
    w = math.exp(rng.uniform(math.log(1 / 1600), math.log(1 / 40)))
    c = rng.uniform(0.02, 0.98) if rng.random() < 0.8 else rng.choice([0.5 * w, 2 * w, 1 - w, 1 - 3 * w])
    kind = rng.choice([gauss, hat, step])
    a = rng.choice([-1, 1]) * size * bend * w * w
    return kind(float(a), float(c), float(w))


def smooth(rng, size):
    f = polynomial(*(float(size * x) for x in rng.uniform(-1, 1, rng.integers(2, 4))))
    return f + wave(float(0.3 * size * rng.random()), float(rng.uniform(1, 6)), float(rng.uniform(0, 6))) \
        if rng.random() < 0.6 else f


def coordinate(rng, size):
    f = smooth(rng, size)
    for _ in range(rng.choice([0, 1, 1, 3])):
        f = f + feature(rng, size, math.exp(rng.uniform(math.log(2), math.log(100))))
    return f


def limits(A, C, D, R1, force, speed):
    """Greatest d1, maximum constant d1 and acceleration at rest of n = A d1^2 + C + D d2, |n_i| <= force_i, |R1_i| d1 <= speed_i."""
    with np.errstate(all="ignore"):
        cap = np.min([s / np.abs(r) for s, r in zip(speed, R1)], axis=0)
        constant = np.min([np.where(a > 0, (f - c) / a, np.where(a < 0, (f + c) / -a, np.inf))
                           for a, c, f in zip(A, C, force)], axis=0)
        up = np.min([np.where(d > 0, (f - c) / d, np.where(d < 0, (f + c) / -d, np.inf))
                     for c, d, f in zip(C, D, force)], axis=0)
        down = np.min([np.where(d > 0, (f + c) / d, np.where(d < 0, (f - c) / -d, np.inf))
                       for c, d, f in zip(C, D, force)], axis=0)
        top = np.full_like(cap, np.inf)
        # two rows leave no d2: D_j n_i - D_i n_j has no d2
        for i in range(len(A)):
            single = np.where(np.abs(D[i]) < 1e-12, np.where(A[i] > 0, (force[i] - C[i]) / A[i], np.where(
                A[i] < 0, (force[i] + C[i]) / -A[i], np.inf)), np.inf)
            top = np.minimum(top, single)
            for j in range(i):
                a, c = D[j] * A[i] - D[i] * A[j], D[j] * C[i] - D[i] * C[j]
                f = np.abs(D[j]) * force[i] + np.abs(D[i]) * force[j]
                top = np.minimum(top, np.where(a > 0, (f - c) / a, np.where(a < 0, (f + c) / -a, np.inf)))
    return {"d1_max": float(np.min(np.minimum(np.sqrt(top), cap))),
            "speed": float(np.min(np.minimum(np.sqrt(constant), cap))), "accel": float(np.min(np.minimum(up, down)))}


def dense(low, high, knots=()):
    p = np.linspace(low, high, DENSE)
    near = [k for k in knots if low < k < high]
    return np.unique(np.concatenate([p, near])) if near else p


def on_dense_points(rows, p, force, speed):
    """limits() of rows(p), with more points where a row of D changes its sign: maximum d1 dips sharply there."""
    D = rows(p)[2]
    more = [p]
    for d in D:
        for i in np.nonzero(d[:-1] * d[1:] < 0)[0][:200]:
            more.append(np.linspace(p[i], p[i + 1], 201))
    return limits(*rows(np.unique(np.concatenate(more))), force, speed)


def slides(rng, kind):
    v = {k: float(rng.uniform(0.5, 3)) for k in ("m0", "m1", "I", "f0", "f1", "f2")}
    v.update({k: float(rng.uniform(0.5, 3) * 3) for k in ("v0", "v1", "v2")})
    mass = np.array([v["m0"] + v["m1"], v["m1"], v["I"]])
    if kind == "formula":
        f = [coordinate(rng, 1.0), coordinate(rng, 0.5), coordinate(rng, 1.0)]
        if rng.random() < 0.3:
            f[2] = polynomial(0.0)
        path = "{of: tool.P, p: [0, 1], path: {x: \"%s\", y: \"%s\", angle: \"%s\"}}" % tuple(x.text for x in f)
        p = dense(0, 1)

        def jets(p):
            return np.array([x.jets(p) for x in f])
    elif kind == "file":
        # a curve sampled coarsely, and finely at a blend
        f = [coordinate(rng, 1.0), coordinate(rng, 0.5), polynomial(0.0)]
        c = rng.uniform(0.1, 0.9)
        knots = np.unique(np.concatenate([np.linspace(0, 1, 12), np.linspace(c - 0.01, c + 0.01, 9)]))
        rows = np.array([x.jets(knots)[0] for x in f]).T
        rows[:, :2] += 1e-5 * rng.uniform(-1, 1, (len(knots), 2)) * (np.abs(knots - c) < 0.02)[:, None]
        table = "\n".join("        " + ", ".join(repr(float(z)) for z in (k, *r)) for k, r in zip(knots, rows))
        path = "\n    of: tool.P\n    kind: file\n    data: |\n        p, x, y, angle\n" + table
        p = dense(0, 1, knots)
        spline = CubicSpline(knots, rows, bc_type="not-a-knot" if len(knots) >= 20 else "natural")  # few rows are waypoints

        def jets(p):
            return np.array([[spline(p, nu)[:, k] for nu in range(3)] for k in range(3)])
    else:
        # through points at uneven distances, by arc length
        n = int(rng.integers(6, 40))
        x = np.cumsum(np.exp(rng.uniform(-4, 0, n)))
        through = np.array([x / x[-1], 0.1 * np.sin(5 * x / x[-1]) + 0.002 * rng.uniform(-1, 1, n)]).T
        u = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(through, axis=0).T))])
        spline = CubicSpline(u, through, bc_type="natural")
        path = "{of: tool.P, kind: spline, angle: 0, through: [%s]}" % ", ".join(f"[{a!r}, {b!r}]" for a, b in through.tolist())
        p = dense(0, u[-1], u)

        def jets(t):
            r1, r2 = spline(t, 1).T, spline(t, 2).T
            square, mixed = np.sum(r1**2, axis=0), np.sum(r1 * r2, axis=0)
            s1 = r1 / np.sqrt(square)
            s2 = r2 / square - r1 * mixed / square**2
            return np.array([[0 * t, s1[0], s2[0]], [0 * t, s1[1], s2[1]], [0 * t, 0 * t, 0 * t]])

    def rows(p):
        R = jets(p)
        return mass[:, None] * R[:, 2], 0 * R[:, 0], mass[:, None] * R[:, 1], R[:, 1]
    exact = on_dense_points(rows, p, [v["f0"], v["f1"], v["f2"]], [v["v0"], v["v1"], v["v2"]])
    return SLIDES.format(**v), path, exact


def arm(rng, kind):
    v = {k: float(rng.uniform(0.5, 2)) for k in ("m0", "m1", "l0", "l1")}
    v.update(J0=0.1 * v["m0"] * v["l0"]**2, J1=0.1 * v["m1"] * v["l1"]**2, c0=0.5 * v["l0"], c1=0.4 * v["l1"])
    v.update({k: float(rng.uniform(30, 90)) for k in ("f0", "f1")}, **{k: float(rng.uniform(3, 20)) for k in ("v0", "v1")})
    p = dense(0, 1)
    l0, l1, m0, m1, c0, c1 = (v[k] for k in ("l0", "l1", "m0", "m1", "c0", "c1"))
    if kind == "joints":
        f = [coordinate(rng, 0.8), coordinate(rng, 0.8)]
        path = "{p: [0, 1], joints: {shoulder: \"%s\", elbow: \"%s\"}}" % tuple(x.text for x in f)

        def joints(p):
            return np.array([x.jets(p) for x in f])
    else:
        # a place well inside of the reach
        r, turn = (abs(l0 - l1) + 0.5 * (l0 + l1 - abs(l0 - l1))), rng.uniform(0, 6)
        size = 0.15 * (l0 + l1 - abs(l0 - l1))
        f = [coordinate(rng, size * 0.5) + polynomial(float(r * math.cos(turn))),
             coordinate(rng, size * 0.5) + polynomial(float(r * math.sin(turn)))]
        path = "{of: fore.T, p: [0, 1], path: {x: \"%s\", y: \"%s\"}}" % tuple(x.text for x in f)

        def joints(p):
            X = np.array([x.jets(p) for x in f])
            e = np.arccos((X[0, 0]**2 + X[1, 0]**2 - l0**2 - l1**2) / (2 * l0 * l1))
            s = np.arctan2(X[1, 0], X[0, 0]) - np.arctan2(l1 * np.sin(e), l0 + l1 * np.cos(e))
            # x' = J q', x'' = J q'' + J' q'
            a, b = s, s + e
            J = np.array([[-l0 * np.sin(a) - l1 * np.sin(b), -l1 * np.sin(b)],
                          [l0 * np.cos(a) + l1 * np.cos(b), l1 * np.cos(b)]])
            det = J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]

            def solve(x, y):
                return np.array([(J[1, 1] * x - J[0, 1] * y) / det, (J[0, 0] * y - J[1, 0] * x) / det])
            q1 = solve(X[0, 1], X[1, 1])
            wa, wb = q1[0], q1[0] + q1[1]
            q2 = solve(X[0, 2] + l0 * np.cos(a) * wa**2 + l1 * np.cos(b) * wb**2,
                       X[1, 2] + l0 * np.sin(a) * wa**2 + l1 * np.sin(b) * wb**2)
            return np.array([[s, q1[0], q2[0]], [e, q1[1], q2[1]]])
    gravity = 9.81

    def loads(q):
        return np.array([gravity * ((m0 * c0 + m1 * l0) * np.cos(q[0, 0]) + m1 * c1 * np.cos(q[0, 0] + q[1, 0])),
                         gravity * m1 * c1 * np.cos(q[0, 0] + q[1, 0])])

    def rows(p):
        q = joints(p)
        cosine, sine = np.cos(q[1, 0]), np.sin(q[1, 0])
        M11 = v["J0"] + m0 * c0**2 + v["J1"] + m1 * (l0**2 + c1**2 + 2 * l0 * c1 * cosine)
        M12, M22 = v["J1"] + m1 * (c1**2 + l0 * c1 * cosine), v["J1"] + m1 * c1**2
        h = m1 * l0 * c1 * sine
        D = np.array([M11 * q[0, 1] + M12 * q[1, 1], M12 * q[0, 1] + M22 * q[1, 1]])
        A = np.array([M11 * q[0, 2] + M12 * q[1, 2] - h * (2 * q[0, 1] * q[1, 1] + q[1, 1]**2),
                      M12 * q[0, 2] + M22 * q[1, 2] + h * q[0, 1]**2])
        return A, loads(q), D, q[:, 1]
    q = joints(p)
    if not np.all(np.isfinite(q)) or np.min(np.abs(np.sin(q[1, 0]))) < 0.2 and kind == "tool":
        return None
    q0 = float(q[0, 0, 0])
    v.update(q0=q0, q01=q0 + float(q[1, 0, 0]), bx=l0 * math.cos(q0), by=l0 * math.sin(q0))
    load = np.max(np.abs(loads(q)), axis=1)
    v.update(f0=v["f0"] + float(load[0]), f1=v["f1"] + float(load[1]))
    return ARM.format(**v), path, on_dense_points(rows, p, [v["f0"], v["f1"]], [v["v0"], v["v1"]])


KINDS = [(slides, "formula"), (slides, "file"), (slides, "spline"), (arm, "joints"), (arm, "tool")]


def evaluate(program, text):
    """{criterion: (value, error)}; a criterion without an error is left out."""
    with tempfile.TemporaryDirectory() as folder:
        case = os.path.join(folder, "bends.yaml")
        with open(case, "w") as out:
            out.write(text)
        run = subprocess.run([program, "evaluate", case], capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        word = line.replace("  t  ", "     ", 1).split()
        if len(word) > 3 and word[2] == "+-":
            found[word[0]] = float(word[1]), float(word[3])
    return found, run.stdout + run.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", os.path.join(ROOT, "build", "globdyn")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only", type=int)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    wrong = compared = 0
    for i in range(options.count) if options.only is None else [options.only]:
        make, kind = KINDS[i % len(KINDS)]
        made = make(np.random.default_rng([options.seed, i]), kind)
        if made is None:
            continue
        machine, path, exact = made
        gravity = "[0, -9.81]" if make is arm else "[0, 0]"
        text = f"format: 1\nmachine:\n  space: planar\n  gravity: {gravity}{machine}trajectories:\n  t: {path}\n"
        found, output = evaluate(options.program, text)
        for name, truth in exact.items():
            if name not in found:
                wrong += 1
                print(f"{options.seed}.{i} {kind} {name}: no error is stated\n{output if options.v else ''}")
                continue
            value, error = found[name]
            compared += 1
            bad = abs(value - truth) > error + GRID * abs(truth)
            wrong += bad
            if bad or options.v:
                print(f"{options.seed}.{i} {kind} {name}: {value:.9g} +- {error:.2g} against {truth:.9g}"
                      f"{'  WRONG' if bad else ''}")
        if options.only is not None:
            print(text)
    print(f"{compared} criteria: {wrong} wrong")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
