#!/usr/bin/env python3
"""Motions along paths whose parameter does not keep moving, against closed forms and a pass in arc length.

usage: motions_in_time.py GLOBDYN [COUNT [SEED,...]] [-v] [--keep DIR]

Random machines (two crossed slides, an arm of two links) on paths whose derivative by p vanishes: tables over time with
smooth laws, dwells and several moves, and formulas with cusps. The own fastest motion takes d2 constant over each interval of
a graded grid of the arc length, the limits at both of its ends, largest x = (ds/dt)^2 backward and largest step forward;
its own error is taken from half as many intervals. Checked: the time and its bounds, that `feasible` accepts the
program's own motion, that motion.csv keeps the limits, stays on the path, is consistent with itself and with own inverse dynamics,
that `simulate --motion` ends at the end of the path, and verdicts on the table's own law run faster and slower.
Exits with 1 if anything differs.
"""
import csv
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROGRAM, VERBOSE, KEEP = None, False, None


# --- machines: forces = D(R, R_s) u + A(R, R_s, R_ss) x + C(R), limits on both sides ---------------------------------

class Cross:
    """Slides o along x and w along y; the tool is body b."""
    joints = ("o", "w")

    def __init__(self, rng):
        self.ma, self.mb = rng.uniform(0.5, 4, 2)
        self.limit = rng.uniform(5, 50, 2)
        self.g = rng.choice([0.0, 3.0])
        self.limit[1] += self.mb * self.g
        self.mass = np.array([self.ma + self.mb, self.mb])

    def text(self):
        return f"""machine:
  space: planar
  gravity: [0, {-self.g!r}]
  bodies: {{a: {{mass: {self.ma!r}, inertia: 1}}, b: {{mass: {self.mb!r}, inertia: 1}}}}
  joints: {{o: {{type: prismatic, of: [a, ground], axis: [1, 0]}}, w: {{type: prismatic, of: [b, a], axis: [0, 1]}}}}
  drives: {{m: {{at: o, force: {{limit: {self.limit[0]!r}}}}}, n: {{at: w, force: {{limit: {self.limit[1]!r}}}}}}}
"""

    of = "b"

    def joint(self, r, r1, r2):
        return r, r1, r2

    def tool(self, q):
        return q

    def rows(self, q, q1, q2):
        return self.mass * q1, self.mass * q2, np.array([0, self.mb * self.g])


class Arm:
    """Two links from the origin; angles o (absolute) and w (relative)."""
    joints = ("o", "w")
    of = "b.P"

    def __init__(self, rng):
        self.l = rng.uniform(0.3, 0.5, 2)
        self.c = self.l * rng.uniform(0.3, 0.7, 2)
        self.m = rng.uniform(0.5, 3, 2)
        self.I = self.m * self.l**2 * rng.uniform(0.05, 0.12, 2)
        self.g = rng.choice([0.0, 9.81])
        self.limit = rng.uniform(10, 30, 2) + self.g * np.array([self.m @ [1, 1], self.m[1]]) * 0.5

    def text(self):
        (l1, l2), (c1, c2) = self.l.tolist(), self.c.tolist()
        at = {"a": (0, 0, self.home[0]), "b": (l1 * math.cos(self.home[0]), l1 * math.sin(self.home[0]), self.home.sum())}
        pose = {body: [float(x) for x in place] for body, place in at.items()}
        return f"""machine:
  space: planar
  gravity: [0, {-self.g!r}]
  ground: {{points: {{O: [0, 0]}}}}
  bodies:
    a: {{mass: {self.m[0]!r}, inertia: {self.I[0]!r}, com: [{c1!r}, 0], pose: {pose['a']}, points: {{O: [0, 0], E: [{l1!r}, 0]}}}}
    b: {{mass: {self.m[1]!r}, inertia: {self.I[1]!r}, com: [{c2!r}, 0], pose: {pose['b']}, points: {{E: [0, 0], P: [{l2!r}, 0]}}}}
  joints: {{o: {{type: revolute, of: [a.O, ground.O]}}, w: {{type: revolute, of: [b.E, a.E]}}}}
  drives: {{m: {{at: o, torque: {{limit: {self.limit[0]!r}}}}}, n: {{at: w, torque: {{limit: {self.limit[1]!r}}}}}}}
"""

    def inverse(self, r):
        l1, l2 = self.l
        w = math.acos((r @ r - l1 * l1 - l2 * l2) / (2 * l1 * l2))
        return np.array([math.atan2(r[1], r[0]) - math.atan2(l2 * math.sin(w), l1 + l2 * math.cos(w)), w])

    def tool(self, q):
        a, b = q[0], q[0] + q[1]
        return self.l[0] * np.array([math.cos(a), math.sin(a)]) + self.l[1] * np.array([math.cos(b), math.sin(b)])

    def jacobian(self, q, q1=None):
        """J, or dJ/ds."""
        a, b = q[0], q[0] + q[1]
        e = lambda x, l, k: l * (np.array([-math.sin(x), math.cos(x)]) if q1 is None else k * np.array([-math.cos(x), -math.sin(x)]))
        k1, k2 = (1, 1) if q1 is None else (q1[0], q1[0] + q1[1])
        first, second = e(a, self.l[0], k1), e(b, self.l[1], k2)
        return np.array([first + second, second]).T

    def joint(self, r, r1, r2):
        q = self.inverse(r)
        q1 = np.linalg.solve(self.jacobian(q), r1)
        return q, q1, np.linalg.solve(self.jacobian(q), r2 - self.jacobian(q, q1) @ q1)

    def rows(self, q, q1, q2):
        l1, (c1, c2), (m1, m2), (I1, I2) = self.l[0], self.c, self.m, self.I
        k = m2 * l1 * c2
        M = np.array([[I1 + I2 + m1 * c1**2 + m2 * (l1**2 + c2**2) + 2 * k * math.cos(q[1]), I2 + m2 * c2**2 + k * math.cos(q[1])],
                      [I2 + m2 * c2**2 + k * math.cos(q[1]), I2 + m2 * c2**2]])
        h = k * math.sin(q[1]) * np.array([-2 * q1[0] * q1[1] - q1[1]**2, q1[0]**2])
        far = m2 * c2 * math.cos(q[0] + q[1])
        return M @ q1, M @ q2 + h, self.g * np.array([(m1 * c1 + m2 * l1) * math.cos(q[0]) + far, far])


# --- curves: R, R', R'' of v, with |R'| > 0 except at named ends ------------------------------------------------------

def line(a, b):
    return lambda v: (a + v * (b - a), b - a, 0 * a)


def arc(centre, radius, start, end):
    def at(v):
        f, k = start + v * (end - start), end - start
        e, n = np.array([math.cos(f), math.sin(f)]), np.array([-math.sin(f), math.cos(f)])
        return centre + radius * e, radius * k * n, -radius * k * k * e
    return at


def wave(a, b, high):
    """From a to b with half a sine beside it."""
    across = high * np.array([a[1] - b[1], b[0] - a[0]])

    def at(v):
        f = math.pi * v
        return (a + v * (b - a) + math.sin(f) * across, b - a + math.pi * math.cos(f) * across,
                -math.pi**2 * math.sin(f) * across)
    return at


# laws u(s) on 0..1 with u' and u''
LAWS = {
    "quintic": lambda s: (s**3 * (10 - 15 * s + 6 * s * s), 30 * s * s * (1 - s)**2, 60 * s * (1 - s) * (1 - 2 * s)),
    "cycloid": lambda s: (s - math.sin(2 * math.pi * s) / (2 * math.pi), 1 - math.cos(2 * math.pi * s),
                          2 * math.pi * math.sin(2 * math.pi * s)),
    "seven": lambda s: (s**4 * (35 - 84 * s + 70 * s * s - 20 * s**3), 140 * s**3 * (1 - s)**3,
                        420 * s * s * (1 - s)**2 * (1 - 2 * s)),
    "skew": lambda s: (s**3 * (20 - 45 * s + 36 * s * s - 10 * s**3), 60 * s**2 * (1 - s)**3,
                       60 * s * (1 - s)**2 * (2 - 5 * s)),
    "cubic": lambda s: (s * s * (3 - 2 * s), 6 * s * (1 - s), 6 - 12 * s),
    "trapezoid": lambda s: ((2.25 * s * s, 4.5 * s, 4.5) if s < 1 / 3 else (1.5 * s - 0.25, 1.5, 0) if s < 2 / 3 else
                            (1 - 2.25 * (1 - s)**2, 4.5 * (1 - s), -4.5)),
}


# --- the own fastest motion ---------------------------------------------------------------------------------------------

GAUSS, WEIGHT = np.polynomial.legendre.leggauss(8)


def piece_grid(curve, v0, v1, powers, n):
    """Nodes of a piece, graded towards its ends: s, and (R, R_s, R_ss). s grows like these powers of v from its ends."""
    f = 0.5 * (1 - np.cos(np.pi * np.linspace(0, 1, n + 1)))
    v = v0 + (v1 - v0) * (f**(1 / powers[0]) if powers[0] > 1 else 1 - (1 - f)**(1 / powers[1]))
    s, nodes = [0.0], []
    for a, b in zip(v[:-1], v[1:]):
        middle, half = 0.5 * (a + b), 0.5 * (b - a)
        s.append(s[-1] + half * sum(w * math.hypot(*curve(middle + half * g)[1]) for g, w in zip(GAUSS, WEIGHT)))
    inside = 1e-4 * (v1 - v0)
    for at, place in enumerate(v):
        r, r1, r2 = curve(place)
        if max(powers) > 1 and at in (0, n):  # the limit of the direction
            _, r1, r2 = curve(min(max(place, v0 + inside), v1 - inside))
        g = np.linalg.norm(r1)
        tau = r1 / g
        nodes.append((r, tau, (r2 - (r2 @ tau) * tau) / g**2))
    return np.array(s), nodes


def greatest_x(rows):
    """Largest x >= 0 with rows (a x + b u <= c)."""
    a, b, c = rows.T
    i, j = np.triu_indices(len(rows), 1)
    det = a[i] * b[j] - a[j] * b[i]
    ok = np.abs(det) > 1e-13 * (np.hypot(a[i], b[i]) * np.hypot(a[j], b[j]))
    i, j, det = i[ok], j[ok], det[ok]
    x, u = (c[i] * b[j] - c[j] * b[i]) / det, (a[i] * c[j] - a[j] * c[i]) / det
    terms = np.abs(np.outer(a, x)) + np.abs(np.outer(b, u)) + np.abs(c)[:, None]
    fits = np.all(np.outer(a, x) + np.outer(b, u) - c[:, None] <= 1e-10 * terms + 1e-300, axis=0)
    return x[fits].max(initial=0.0)


def fastest(machine, pieces, n):
    """Time over pieces (curve, v0, v1, stop at the end, powers)."""
    s, rows, free = [0.0], [], [False]
    for curve, v0, v1, stop, powers in pieces:
        at, nodes = piece_grid(curve, v0, v1, powers, n)
        coefficients = [machine.rows(*machine.joint(*node)) for node in nodes]
        for k in range(n):
            rows.append((at[k + 1] - at[k], coefficients[k], coefficients[k + 1]))
            s.append(s[-1] + at[k + 1] - at[k])
            free.append(k < n - 1 or not stop)
    free[-1] = False
    count, F = len(rows), machine.limit

    def sides(h, first, second):
        """Rows in (x, u): the forces at both ends."""
        out = []
        for (D, A, C), ahead in ((first, 0), (second, 2 * h)):
            for d, a, c, f in zip(D, A, C, F):
                out += [(a, d + a * ahead, f - c), (-a, -d - a * ahead, f + c)]
        return out
    K = np.zeros(count + 1)
    for k in range(count - 1, -1, -1):
        h = rows[k][0]
        if not free[k]:
            K[k] = 0
            continue
        # in x / 2h
        force = np.array(sides(*rows[k])) * [2 * h, 1, 1]
        K[k] = 2 * h * greatest_x(np.vstack([force, [(1, 1, K[k + 1] / (2 * h)), (-1, -1, 0), (-1, 0, 0)]]))
    x, time = 0.0, 0.0
    for k in range(count):
        h = rows[k][0]
        u = (K[k + 1] - x) / (2 * h)
        for a, b, c in sides(*rows[k]):
            if b > 1e-14 * abs(F).max():
                u = min(u, (c - a * x) / b)
        ahead = max(x + 2 * h * u, 0.0)
        if not free[k + 1]:
            ahead = min(ahead, 0.0)
        if x + ahead <= 0:
            return math.nan
        time += 2 * h / (math.sqrt(x) + math.sqrt(ahead))
        x = ahead
    return time


# --- tasks ---------------------------------------------------------------------------------------------------------------

class Task:
    """A trajectory: its text, the pieces of its geometry, and what is known about it."""
    known = None      # time in closed form
    noise = 0.0       # of the table's positions, in m
    law = None        # t -> (R, dR/dt, d2R/dt2) over 0..duration
    duration = None
    stopping = None   # pieces when it stops at all rests
    allowance = 0.0   # of the time
    miss = 2e-6       # of the positions, in sizes of the path


def random_curve(rng, machine):
    """Curves in reach of the machine."""
    middle = np.array([0.45, 0.2]) if isinstance(machine, Arm) else rng.uniform(-0.3, 0.3, 2)
    size = rng.uniform(0.04, 0.1) if isinstance(machine, Arm) else rng.uniform(0.02, 0.5)
    if isinstance(machine, Arm):
        middle *= 0.6 * machine.l.sum() / np.linalg.norm(middle)
    f = rng.uniform(0, 2 * math.pi)
    e = size * np.array([math.cos(f), math.sin(f)])
    kind = rng.choice(["line", "arc", "wave"])
    if kind == "line":
        return kind, line(middle - e, middle + e), f"kind: line, from: {(middle - e).tolist()}, to: {(middle + e).tolist()}"
    if kind == "arc":
        start, turn = rng.uniform(0, 6), rng.uniform(0.5, 5)
        return (kind, arc(middle, size, start, start + turn),
                f"kind: arc, centre: {middle.tolist()}, radius: {size!r}, start: {start!r}, end: {start + turn!r}")
    return kind, wave(middle - e, middle + e, rng.uniform(-0.5, 0.5)), None


def table_task(rng, machine, folder):
    """A table over time: one to three moves to and fro or on, with dwells."""
    task = Task()
    kind, curve, given = random_curve(rng, machine)
    law = str(rng.choice(list(LAWS)))
    task.rows = n = int(rng.choice([20, 25, 40, 50, 73, 100, 200, 400, 1000]))
    # places of the moves
    how = rng.choice(["once", "back", "on", "back and on"], p=[0.5, 0.2, 0.2, 0.1])
    ways = {"once": [0, 1], "back": [0, 1, 0], "on": [0, rng.uniform(0.3, 0.7), 1],
            "back and on": [0, rng.uniform(0.3, 0.9), rng.uniform(0, 0.2), 1]}[how]
    # on a way that goes on the motion passes the rest; pieces join between the turns
    turns = [ways[0]] + [b for a, b, c in zip(ways, ways[1:], ways[2:]) if (b - a) * (c - b) < 0] + [ways[-1]]

    def moves(places):
        out = []
        for a, b in zip(places, places[1:]):
            way = (lambda v, a=a, b=b: (lambda r: (r[0], r[1] * (b - a), r[2] * (b - a)**2))(curve(a + v * (b - a))))
            out.append((way, 0.0, 1.0, True, (1, 1)))
        return out
    task.pieces = moves(turns)
    # a cubic in time through a rest has unbounded curvature there unless it is straight to all digits: it may be a stop
    task.stopping = moves(ways) if len(ways) > len(turns) else None
    task.given = given if how == "once" else None
    dwell = int(rng.choice([0, 0, 1, 5])) if n >= 40 else 0
    each = n // (len(ways) - 1)
    tick = float(rng.choice([0.001, 0.004, 0.01, 1 / 96]))
    spans, t = [], 0  # (row from, row to, place from, place to)
    for a, b in zip(ways, ways[1:]):
        if dwell:
            spans.append((t, t + dwell, a, a))
            t += dwell
        spans.append((t, t + each, a, b))
        t += each
    if dwell:
        spans.append((t, t + dwell, ways[-1], ways[-1]))
        t += dwell
    task.duration = t * tick

    def at(time):
        row = time / tick
        for i, j, a, b in spans:
            if row <= j or (i, j, a, b) == spans[-1]:
                u, u1, u2 = LAWS[law](min(max((row - i) / (j - i), 0), 1))
                k = (b - a) / ((j - i) * tick)
                r, r1, r2 = curve(a + u * (b - a))
                return r, r1 * u1 * k, r2 * (u1 * k)**2 + r1 * u2 * k / ((j - i) * tick)
    task.law = at
    milli, digits = rng.random() < 0.5, int(rng.integers(4, 10))
    scale = 1e3 if milli else 1
    digits += 0 if milli else 3
    task.noise = 0.5 * 10.0**-digits / scale
    unit = "mm" if milli else "m"
    jitter = dwell and rng.random() < 0.3
    with open(folder / "table.csv", "w") as f:
        f.write(f"p [s],x [{unit}],y [{unit}]\n")
        for i in range(t + 1):
            r = at(i * tick)[0] * scale
            if jitter and any(a == b and k < i < j for k, j, a, b in spans):
                r = r + rng.choice([-1, 0, 1], 2) * 10.0**-digits
            f.write(f"{i * tick:.9f},{r[0]:.{digits}f},{r[1]:.{digits}f}\n")
    task.text = f"{{of: {machine.of}, kind: file, file: table.csv}}"
    task.smooth_law = law in ("quintic", "cycloid", "seven", "skew") and not jitter
    task.tick = tick
    task.name = f"{how} {kind} {law} {t + 1} rows, {digits} digits of {unit}, {tick * 1e3:.4g} ms, dwell {dwell}" + (" jitter" if jitter else "")
    task.dwell = dwell
    # a spline misses the curve; rounding bends it where rows are near to each other
    task.miss = 0 if kind == "line" else 0.05 / each**2
    reach = np.linalg.norm(curve(1.0)[0] - curve(0.0)[0])
    task.allowance = 0.3 * task.noise / reach * each**2 + 4 * len(ways) * math.sqrt(10 * task.noise / reach) + (0 if kind == "line" else 1 / each**1.5)
    return task


def powers_of(x, y, cx, cy, a, e):
    """(cx (p - a)^x + e p, cy (p - a)^y), y = 0: 0.2, with derivatives."""
    def at(v):
        d = v - a
        first = np.array([cx * d**x + e * v, cy * d**y if y else 0.2])
        second = np.array([cx * x * d**(x - 1) + e, cy * y * d**(y - 1) if y else 0.0])
        third = np.array([cx * x * (x - 1) * d**(x - 2), cy * y * (y - 1) * d**(y - 2) if y else 0.0])
        return first, second, third
    return at


def formula_task(rng, machine):
    """Formulas whose derivative vanishes at a."""
    task = Task()
    a = float(rng.uniform(-0.3, 0.3))
    low, high = a - float(rng.uniform(0.3, 1)), a + float(rng.uniform(0.3, 1))
    # exponents, whether the motion has to stop
    x, y, stop = [(2, 0, True), (3, 0, False), (5, 0, False), (2, 2, True), (3, 3, False), (2, 3, True), (3, 4, True),
                  (3, 6, False), (4, 0, True), (2, 4, True), (3, 5, True), (5, 10, False), (4, 6, True)][rng.integers(13)]
    cx, cy = float(rng.uniform(0.2, 1) * rng.choice([-1, 1])), float(rng.uniform(0.2, 1) * rng.choice([-1, 1]))
    tx, ty, e = f"{cx!r}*(p - {a!r})^{x}", f"{cy!r}*(p - {a!r})^{y}" if y else "0.2", 0.0
    if rng.random() < 0.2 and not stop and y == 0:  # only nearly a rest
        e = math.copysign(10.0**rng.integers(-6, -1), cx)
        tx += f" + {e!r}*p"
    ends = rng.random()
    low, high = (a, high) if ends < 0.15 else (low, a) if ends < 0.3 else (low, high)
    curve = powers_of(x, y, cx, cy, a, e)
    cuts = [low] + ([a] if low < a < high else []) + [high]
    task.pieces = [(curve, v0, v1, stop, (x if v0 == a else 1, x if v1 == a else 1)) for v0, v1 in zip(cuts, cuts[1:])]
    task.text = f"{{of: {machine.of}, p: [{low!r}, {high!r}], path: {{x: {tx}, y: {ty}}}}}"
    task.name = f"formula {tx}, {ty} from {low:.3f} to {high:.3f}"
    task.given = None
    if y == 0 and machine.g == 0:
        acceleration = machine.limit[0] / machine.mass[0]
        task.known = 0.0
        stops = [low] + ([a] if stop and low < a < high else []) + [high]
        for v0, v1 in zip(stops, stops[1:]):
            task.known += 2 * math.sqrt(abs(curve(v1)[0][0] - curve(v0)[0][0]) / acceleration)
    return task


# --- the program ----------------------------------------------------------------------------------------------------------

def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path) as f:
        rows = list(csv.reader(line for line in f if not line.startswith("#")))
    names = [name.split(" [")[0] for name in rows[0]]
    number = lambda text: float(text) if text else math.nan
    return {name: np.array([number(row[i]) for row in rows[1:]]) if name not in ("trajectory", "limit") else
            [row[i] for row in rows[1:]] for i, name in enumerate(names)}


class Differs(Exception):
    pass


def need(truth, text):
    if not truth:
        raise Differs(text)


def distance(task, r):
    """Of points r from the geometry, as chords."""
    worst = np.full(len(r), np.inf)
    for curve, v0, v1, _, _ in task.pieces:
        node = np.array([curve(v)[0] for v in np.linspace(v0, v1, 2001)])
        edge = np.diff(node, axis=0)
        for i, x in enumerate(r):
            away = x - node[:-1]
            f = np.clip((away * edge).sum(axis=1) / np.maximum((edge * edge).sum(axis=1), 1e-300), 0, 1)
            worst[i] = min(worst[i], np.sqrt(((away - f[:, None] * edge)**2).sum(axis=1).min()))
    return worst.max()


def check(machine, task, folder):
    case = folder / "case.yaml"
    extra = f"  given: {{of: {machine.of}, {task.given}}}\n" if task.given else ""
    if isinstance(machine, Arm):
        machine.home = machine.inverse(task.pieces[0][0](task.pieces[0][1])[0])
    case.write_text("format: 1\nname: motion\n" + machine.text() + f"trajectories:\n  t: {task.text}\n" + extra)
    size = sum(np.linalg.norm(c((v0 + v1) / 2)[0] - c(v0)[0]) + np.linalg.norm(c(v1)[0] - c((v0 + v1) / 2)[0])
               for c, v0, v1, _, _ in task.pieces)
    # the time
    code, out, err = run("traverse", case, "--trajectory", "t", "--json", "--no-pictures", "-o", folder / "r")
    need(code == 0, f"traverse: exit code {code}: {out[-300:]} {err[-300:]}")
    answer = json.loads(out)["trajectories"]["t"]
    need(answer["time"] is not None, f"no time with exit code 0: {err[-300:]}")
    T, (lower, upper) = answer["time"], answer["time_bounds"]
    coarse, fine = fastest(machine, task.pieces, 60), fastest(machine, task.pieces, 120)
    own = task.known or 2 * fine - coarse
    error = 1e-6 if task.known else max(abs(fine - coarse) / fine, 1e-5)
    # noise bends the table's path: by noise / step^2, for as long as steps are short
    if task.stopping and abs(T / own - 1) > task.allowance:
        coarse, fine = fastest(machine, task.stopping, 60), fastest(machine, task.stopping, 120)
        if abs(T - fine) < abs(T - own):
            own, error = 2 * fine - coarse, max(abs(fine - coarse) / fine, 1e-5)
    allowed = error + task.allowance
    report = f"T = {T:.7f}, {lower:.7f} to {upper:.7f}, own {own:.7f} +- {error:.1e}, {T / own - 1:+.1e}"
    need(lower * (1 - 1e-9) <= T <= upper * (1 + 1e-9), "T is not within its bounds: " + report)
    need(lower <= own * (1 + allowed) and upper >= own * (1 - allowed), report)
    need(upper - lower <= 2e-3 * upper or task.allowance > 2e-3, "bounds are wide: " + report)
    if task.given:
        code, out, err = run("traverse", case, "--trajectory", "given", "--json", "--no-pictures", "-o", folder / "g")
        need(code == 0, f"traverse of the same geometry: exit code {code}: {err[-300:]}")
        other = json.loads(out)["trajectories"]["given"]["time"]
        report += f", given {T / other - 1:+.1e}"
        need(abs(T / other - 1) <= 1e-3 + allowed, "the same geometry takes another time: " + report)
    # equal steps
    step = T / 400
    code, out, err = run("traverse", case, "--trajectory", "t", "--no-pictures", "--step", step, "-o", folder / "m")
    need(code == 0, f"--step: exit code {code}: {out[-300:]} {err[-300:]}")
    motion, plan = read(folder / "m" / "motion.csv"), read(folder / "m" / "traverse.csv")
    columns = lambda what: np.array([motion[f"{j}.{what}"] for j in machine.joints]).T
    q, v, a = columns("position"), columns("speed"), columns("acceleration")
    force = np.array([motion["m.force"], motion["n.force"]]).T
    need(np.all(np.isfinite(q)) and np.all(np.isfinite(v)) and np.all(np.isfinite(a)) and np.all(np.isfinite(force)), "motion.csv: NaN")
    over = (np.abs(force) / machine.limit).max()
    need(over <= 1 + 1e-6, f"motion.csv exceeds a limit {over:.9f} times")
    wrong = 0.0
    for i in range(len(q)):
        D, A, C = machine.rows(q[i], v[i], a[i])
        wrong = max(wrong, np.abs((A + C - force[i]) / machine.limit).max())
    need(wrong <= 1e-6, f"forces are not those of the accelerations by {wrong:.1e} of the limit")
    off = distance(task, [machine.tool(x) for x in q[::4]])
    need(off <= (1e-6 + task.miss) * size + 3 * task.noise, f"motion.csv leaves the path by {off:.1e} of {size:.2g}")
    # consistency
    t = motion["t"]
    jumps = plan["t"][1:-1][np.abs(plan["s2"] - plan["s2_before"])[1:-1] > 1e-9 * np.nanmax(np.abs(plan["s2"]))] \
        if "s2" in plan and np.isfinite(plan["s2"]).any() else plan["t"][1:-1][np.abs(plan["d2"] - plan["d2_before"])[1:-1] > 0]
    has_jump = np.array([np.any((jumps >= t0 - 1e-9 * T) & (jumps <= t1 + 1e-9 * T)) for t0, t1 in zip(t[:-1], t[1:])])
    has_jump |= t[1:] > T * (1 - 1e-9)
    has_jump[0] |= task.noise > 0  # the first rows of a table are rounding
    h = np.diff(t)[:, None]
    gap = np.abs(np.diff(q, axis=0) - 0.5 * h * (v[1:] + v[:-1]) + h * h / 12 * np.diff(a, axis=0)).max(axis=1)
    gap_v = np.abs(np.diff(v, axis=0) - 0.5 * h * (a[1:] + a[:-1])).max(axis=1)
    reach, speed = np.ptp(q, axis=0).max(), np.abs(v).max()
    smooth = gap[~has_jump].max(initial=0) / reach
    smooth_v = gap_v[~has_jump].max(initial=0) / speed
    report += f", gaps {smooth:.1e} {smooth_v:.1e}, with jumps {gap.max() / reach:.1e}, off {off / size:.1e}, forces {over - 1:.1e} {wrong:.1e}"
    need(smooth <= 3e-6 + 100 * task.noise / reach + 0.1 * task.miss, "speeds are not those of the positions: " + report)
    need(smooth_v <= 5e-3 + 0.1 * task.allowance, "accelerations are not those of the speeds: " + report)
    need(gap.max() <= 1e-3 * reach, "positions jump: " + report)
    # its own check, and play it back
    code, out, err = run("feasible", case, "--trajectory", "t", "--motion", folder / "m" / "traverse.csv", "--no-pictures", "-o", folder / "f")
    need(code == 0, f"feasible of its own motion: exit code {code}: {out[:300]} {err[-300:]}")
    code, out, err = run("simulate", case, "--trajectory", "t", "--motion", folder / "m" / "traverse.csv", "--no-pictures", "-o", folder / "s")
    need(code == 0, f"simulate: exit code {code}: {out[-300:]} {err[-300:]}")
    end = read(folder / "s" / "simulate.csv")
    r = task.pieces[-1][0](task.pieces[-1][2])[0]
    if isinstance(machine, Arm):
        l = machine.l[1] - machine.c[1]  # b.x and b.y are those of its centre of mass
        angle = end["b.angle"][-1]
        reached = np.array([end["b.x"][-1] + l * math.cos(angle), end["b.y"][-1] + l * math.sin(angle)])
    else:
        reached = np.array([end["b.x"][-1], end["b.y"][-1]])
    miss = np.linalg.norm(reached - r)
    report += f", playback {miss / size:.1e}"
    need(miss <= (1e-5 + 0.05 * task.allowance) * size + 2 * task.noise, "simulate ends off: " + report)
    if task.law and task.smooth_law:
        report += given_law(machine, task, case, folder)
    return report


def given_law(machine, task, case, folder):
    """The table's own law, run at 0.95 and 1.05 of what the limits allow."""
    def worst(k):
        most = 0.0
        for t in np.linspace(0, task.duration, 201):
            r, r1, r2 = task.law(t)
            D, A, C = machine.rows(*machine.joint(r, k * r1, k * k * r2))
            most = max(most, (np.abs(A + C) / machine.limit).max())
        return most
    low, high = 1e-4, 1e4
    if not worst(low) < 0.9:
        return ""
    for _ in range(50):
        k = math.sqrt(low * high)
        low, high = (k, high) if worst(k) < 1 else (low, k)
    share = 6 * task.noise / task.tick**2 * low * low * 4  # accelerations of the rounding
    D, A, C = machine.rows(*machine.joint(task.law(0)[0], 0 * machine.limit, share * np.ones(2)))
    blur = (np.abs(A) / machine.limit).max()
    if blur > 0.02 or task.rows < 60:
        return ", law too rough"
    for k, verdict in ((low * 0.95, 0), (low * 1.05, 1)):
        with open(folder / "law.csv", "w") as f:
            f.write("t,p\n" + "".join(f"{t / k:.17g},{t:.17g}\n" for t in np.linspace(0, task.duration, 301)))
        code, out, err = run("feasible", case, "--trajectory", "t", "--motion", folder / "law.csv", "--no-pictures", "-o", folder / "l")
        need(code == verdict, f"the table's law at {k / low} of the limit: exit code {code}, blur {blur:.1e}: {out[:300]} {err[-300:]}")
    return ", law right"


def main():
    global PROGRAM, VERBOSE, KEEP
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    VERBOSE = "-v" in sys.argv
    KEEP = arguments.pop(arguments.index("--keep") + 1) if "--keep" in arguments else None
    arguments = [a for a in arguments if a != "--keep"]
    PROGRAM = str(Path(arguments[0]).resolve())
    count = int(arguments[1]) if len(arguments) > 1 else 20
    seeds = [int(word) for word in arguments[2].split(",")] if len(arguments) > 2 else [1]
    differ = 0
    for k in [seed + i for seed in seeds for i in range(count)]:
        rng = np.random.default_rng(k)
        machine = Arm(rng) if rng.random() < 0.4 else Cross(rng)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            if isinstance(machine, Cross) and rng.random() < 0.5:
                task = formula_task(rng, machine)
            else:
                task = table_task(rng, machine, folder)
            try:
                report = check(machine, task, folder)
                if VERBOSE:
                    print(f"{k}: {type(machine).__name__} {task.name}: {report}")
            except Differs as e:
                differ += 1
                print(f"DIFFERS {k}: {type(machine).__name__} {task.name}: {e}")
                if KEEP:
                    shutil.copytree(folder, Path(KEEP) / str(k), dirs_exist_ok=True)
            sys.stdout.flush()
    print(f"{count * len(seeds)} motions, {differ} differ")
    sys.exit(differ > 0)


main()
