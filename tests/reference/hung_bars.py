#!/usr/bin/env python3
"""Nodes that a bar on two cables, some with a spring to a fixed point, reaches in static equilibrium, against `globdyn workspace --json`.

hung_bars.py PROGRAM SEED...
The three equations of balance leave one in the inclination s at each tool position. Its stable roots at all nodes are the vertices of a
graph; two of neighbouring nodes are connected if Newton's method follows the root along the straight way between them, in small
steps and stable all the way. Reached are the nodes of the part that holds the root next to the first guess."""
import json
import math
import random
import subprocess
import sys
import tempfile
from math import hypot, pi, remainder

import numpy as np

NODES, X, Y, GRAVITY = (12, 9), (-1.4, 1.4), (-2.0, -0.2), 9.81
SCAN, STEPS = 1440, 24


class Bar:
    def __init__(self, seed):
        r = random.Random(seed)
        self.mass, self.com = 10 ** r.uniform(0, 1), (r.uniform(-0.2, 0.2), r.uniform(-0.3, 0.3))
        self.ends = [(-r.uniform(0.1, 0.6), r.uniform(-0.2, 0.3)), (r.uniform(0.1, 0.6), r.uniform(-0.2, 0.3))]
        self.anchors = [(-r.uniform(0.8, 2), r.uniform(-0.3, 0.3)), (r.uniform(0.8, 2), r.uniform(-0.3, 0.3))]
        self.stiffness, self.rest, self.hook, self.hooked = 0, 0, (0, 0), (0, 0)
        if r.random() < 0.6:
            self.stiffness, self.rest = 10 ** r.uniform(0, 2.5), r.uniform(0, 1)
            self.hook = (r.uniform(-1.5, 1.5), r.uniform(-2.5, 0.5))
            self.hooked = (r.uniform(-0.4, 0.4), r.uniform(-0.4, 0.4))
        self.height = -r.uniform(0.7, 1.2)

    def case(self):
        at = lambda v: f"[{v[0]!r}, {v[1]!r}]"
        spring = f"  forces: {{s: {{type: spring, between: [ground.S, bar.S], stiffness: {self.stiffness!r} N/m, rest: {self.rest!r}}}}}\n"
        return (f"format: 1\nmachine:\n  space: planar\n  gravity: [0, {-GRAVITY}]\n"
                f"  ground: {{points: {{L: {at(self.anchors[0])}, R: {at(self.anchors[1])}, S: {at(self.hook)}}}}}\n"
                f"  bodies:\n    bar: {{mass: {self.mass!r}, inertia: 0.4, com: {at(self.com)}, pose: [0, {self.height!r}, 0], "
                f"points: {{C: [0, 0], L: {at(self.ends[0])}, R: {at(self.ends[1])}, S: {at(self.hooked)}}}}}\n"
                "  drives:\n    l: {cable: [ground.L, bar.L], tension: {min: 0, max: 1e6}}\n    r: {cable: [ground.R, bar.R], tension: {min: 0, max: 1e6}}\n"
                + (spring if self.stiffness else "") +
                f"workspaces:\n  w: {{of: bar.C, x: [{X[0]}, {X[1]}], y: [{Y[0]}, {Y[1]}], points: [{NODES[0]}, {NODES[1]}], undriven: equilibrium}}\n")

    def lines(self, x, y, s):
        """Of each cable direction, moment about the tool and length; the same of the spring."""
        of = np if isinstance(s, np.ndarray) else math
        c, n, out = of.cos(s), of.sin(s), []
        for own, fixed in zip(self.ends + [self.hooked], self.anchors + [self.hook]):
            px, py = c * own[0] - n * own[1], n * own[0] + c * own[1]
            dx, dy = fixed[0] - x - px, fixed[1] - y - py
            length = of.hypot(dx, dy)
            out.append((dx / length, dy / length, (px * dy - py * dx) / length, length))
        return out

    def motion(self, x, y, s):
        """The motion with both lengths held, and the power of weight and spring on it."""
        (ax, ay, am, _), (bx, by, bm, _), (ex, ey, em, length) = self.lines(x, y, s)
        u = (ay * bm - am * by, am * bx - ax * bm, ax * by - ay * bx)
        of = np if isinstance(s, np.ndarray) else math
        pull, weight = self.stiffness * (length - self.rest), -self.mass * GRAVITY
        moment = weight * (of.cos(s) * self.com[0] - of.sin(s) * self.com[1]) + pull * em
        return u, u[0] * pull * ex + u[1] * (weight + pull * ey) + u[2] * moment

    def power(self, x, y, s):
        return self.motion(x, y, s)[1]

    def stable(self, x, y, s, h=1e-4):
        """The power on the motion falls along it; to first order the lengths stay."""
        u = self.motion(x, y, s)[0]
        size = hypot(*u)
        u = [h * v / size for v in u]
        return self.power(x + u[0], y + u[1], s + u[2]) < self.power(x - u[0], y - u[1], s - u[2])

    def roots(self, x, y):
        at = [-pi + 2 * pi * i / SCAN for i in range(SCAN + 1)]
        value, out = self.power(x, y, np.array(at)).tolist(), []
        for i in range(SCAN):
            if value[i] * value[i + 1] < 0:
                low, high = at[i], at[i + 1]
                for _ in range(40):
                    middle = 0.5 * (low + high)
                    low, high = (middle, high) if self.power(x, y, middle) * value[i] > 0 else (low, middle)
                if self.stable(x, y, low):
                    out.append(low)
        return out

    def newton(self, x, y, s):
        for _ in range(8):
            slope = (self.power(x, y, s + 1e-6) - self.power(x, y, s - 1e-6)) / 2e-6
            step = -self.power(x, y, s) / slope if slope else 1
            if abs(step) > 0.3:
                return None
            s += step
            if abs(step) < 1e-10:
                return s
        return None

    def follow(self, a, s, b):
        rate = 0
        for k in range(1, STEPS + 1):
            x, y = (a[i] + (b[i] - a[i]) * k / STEPS for i in range(2))
            found = self.newton(x, y, s + rate)
            if found is None or abs(found - s - rate) > 0.1 or not self.stable(x, y, found):
                return None
            s, rate = found, found - s
        return s


def reachable(bar, at):
    """Numbers of the nodes, x running fastest."""
    roots = [bar.roots(*x) for x in at]
    edge = {(k, m): set() for k, r in enumerate(roots) for m in range(len(r))}
    for k, m in list(edge):
        for right, over in ((1, 0), (0, 1)):
            i, j = k % NODES[0] + right, k // NODES[0] + over
            if i == NODES[0] or j == NODES[1]:
                continue
            other = i + NODES[0] * j
            end = bar.follow(at[k], roots[k][m], at[other])
            for n, r in enumerate(roots[other]):
                if end is not None and abs(remainder(end - r, 2 * pi)) < 1e-3:
                    edge[k, m].add((other, n))
                    edge[other, n].add((k, m))
    first = min(range(len(at)), key=lambda k: hypot(at[k][0], at[k][1] - bar.height))
    stack = [(first, min(range(len(roots[first])), key=lambda m: abs(roots[first][m])))]
    part = set(stack)
    while stack:
        new = edge[stack.pop()] - part
        part |= new
        stack.extend(new)
    return {k for k, _ in part}


wrong = 0
for seed in map(int, sys.argv[2:]):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
        f.write(Bar(seed).case())
        f.flush()
        text = subprocess.run([sys.argv[1], "workspace", "--json", "--no-pictures", f.name], capture_output=True, text=True).stdout
    nodes = json.loads(text)["workspaces"]["w"]["nodes"]
    nodes.sort(key=lambda node: (node["at"][1], node["at"][0]))
    here = {k for k, node in enumerate(nodes) if node["reached"]}
    there = reachable(Bar(seed), [node["at"][:2] for node in nodes])
    print(f"{seed}: {len(here)} of {len(nodes)} nodes reached, of which Python reaches {len(here & there)}, and {len(there - here)} others")
    wrong += here != there
sys.exit(wrong > 0)
