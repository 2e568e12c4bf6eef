#!/usr/bin/env python3
"""Motions of one slide along any path, whose times are known in closed form.

usage: motions_of_a_slide.py GLOBDYN [COUNT [SEED,...]] [-v] [--keep DIR]

Whatever R(p) is, the fastest motion of a slide is bang-bang from one reversal of R to the next, up to its speed limit. The
paths are sums of powers, cusps, waves, bumps and flat stretches, and tables over time with dwells, of several laws and
roundings; the slide has gravity along it, friction, a speed limit, one drive or two. Checked: the time and its bounds, that
equal time steps keep the limits, are consistent with the forces and end at the end, that `feasible` accepts the program's
own motion, and that `simulate --motion` ends there. Exits with 1 if anything differs.
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


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path) as f:
        rows = list(csv.reader(line for line in f if not line.startswith("#")))
    number = lambda text: float(text) if text else math.nan
    columns = {}
    for i, name in enumerate(rows[0]):
        try:
            columns[name.split(" [")[0]] = np.array([number(row[i]) for row in rows[1:]])
        except ValueError:
            pass  # words
    return columns


# --- paths ---------------------------------------------------------------------------------------------------------------

def term(rng):
    """A term of a formula, as text and as a function."""
    a = float(np.round(rng.uniform(-.8, .8), int(rng.integers(1, 6))))
    c = float(np.round(rng.uniform(.1, 2) * rng.choice([-1, 1]), 3))
    u = f"(p - {a!r})" if a >= 0 else f"(p + {-a!r})"
    k = rng.integers(0, 14)
    w = float(np.round(rng.uniform(1, 8), 2))
    return [
        (f"{c}*{u}^2", lambda p: c * (p - a)**2),
        (f"{c}*{u}^3", lambda p: c * (p - a)**3),
        (f"{c}*sin({w}*{u})", lambda p: c * np.sin(w * (p - a))),
        (f"{c}*abs{u}", lambda p: c * abs(p - a)),
        (f"{c}*abs{u}^1.5", lambda p: c * abs(p - a)**1.5),
        (f"{c}*{u}*abs{u}", lambda p: c * (p - a) * abs(p - a)),
        (f"{c}*max({u}, 0)^3", lambda p: c * np.maximum(p - a, 0)**3),
        (f"{c}*cos({w}*p)", lambda p: c * np.cos(w * p)),
        (f"{c}*{u}^5", lambda p: c * (p - a)**5),
        (f"{c}*{u}^4", lambda p: c * (p - a)**4),
        (f"{c}*p", lambda p: c * p),
        (f"{c}*max({u}, 0)^2", lambda p: c * np.maximum(p - a, 0)**2),
        (f"{c}*tanh({w * 4}*{u})", lambda p: c * np.tanh(4 * w * (p - a))),
        (f"{c}*exp(-{w * 3}*{u}^2)", lambda p: c * np.exp(-w * 3 * (p - a)**2)),
    ][k]


LAWS = {
    "quintic": lambda s: s**3 * (10 - 15 * s + 6 * s * s),
    "cycloid": lambda s: s - np.sin(2 * np.pi * s) / (2 * np.pi),
    "seven": lambda s: s**4 * (35 - 84 * s + 70 * s * s - 20 * s**3),
    "cubic": lambda s: s * s * (3 - 2 * s),
    "linear": lambda s: s,
}


def turns(f, low, high):
    """f at its ends and at its extremes."""
    p = np.linspace(low, high, 400001)
    x = f(p)
    sign = np.sign(np.diff(x))
    moves = np.nonzero(sign)[0]
    out = [x[0]]
    for i, j in zip(moves[:-1], moves[1:]):
        if sign[i] != sign[j]:
            fine = f(np.linspace(p[i], p[j + 1], 2001))
            out.append(fine.max() if sign[i] > 0 else fine.min())
    return out + [x[-1]]


class Line:
    """text: of the trajectory; at: places of the turns; allowance: of the time; noise: of the places."""


def formula_path(rng, count):
    path = Line()
    terms = [term(rng) for _ in range(count)]
    path.name = " + ".join(t[0] for t in terms)
    low, high = float(np.round(rng.uniform(-2, -.5), 2)), float(np.round(rng.uniform(.5, 2), 2))
    if rng.random() < .2:
        low, high = -1.0, 1.0
    path.at = turns(lambda p: sum(t[1](p) for t in terms), low, high)
    points = rng.choice([0, 2, 3, 7, 11])
    path.text = f'p: [{low}, {high}]{f", points: {points}" if points else ""}, path: {{x: "{path.name}"}}'
    path.allowance, path.noise = 2e-6, 0.0
    return path


def table_path(rng, folder):
    path = Line()
    law = str(rng.choice(list(LAWS)))
    n, moves = int(rng.choice([12, 20, 40, 97, 200, 500])), int(rng.integers(1, 5))
    tick = float(rng.choice([.001, .004, .01, .0123]))
    ways = np.cumsum(rng.uniform(.1, 1, moves) * rng.choice([-1, 1], moves))
    place = [0.0] + [float(np.round(x, int(rng.integers(2, 6)))) for x in ways]
    digits, dwell = int(rng.integers(5, 12)), int(rng.choice([0, 0, 1, 2, 7]))
    value = [place[0]] * (1 + dwell)
    for a, b in zip(place, place[1:]):
        value += list(a + (b - a) * LAWS[law](np.arange(1, n + 1) / n)) + [b] * dwell
    with open(folder / "table.csv", "w") as f:
        f.write("p [s],x [m]\n" + "".join(f"{i * tick:.6f},{x:.{digits}f}\n" for i, x in enumerate(value)))
    path.at = [place[0]] + [b for a, b, c in zip(place, place[1:], place[2:]) if (b - a) * (c - b) < 0] + [place[-1]]
    path.noise = .5 * 10**-digits
    shortest = min(abs(a - b) for a, b in zip(path.at, path.at[1:]))
    # a spline bends beyond the rows where a law begins at once
    path.allowance = 1e-4 + 20 * len(place) * math.sqrt(path.noise / shortest) + (.02 if law == "linear" else .5 / n**1.5)
    path.text = "kind: file, file: table.csv"
    path.name = f"{law} {len(value)} rows, {place}, {tick} s, {digits} digits, dwell {dwell}"
    return path


# --- the slide -----------------------------------------------------------------------------------------------------------

class Slide:
    def __init__(self, rng):
        self.m, self.F = float(np.round(rng.uniform(.3, 5), 2)), float(np.round(rng.uniform(2, 40), 1))
        g = float(rng.choice([0, 0, 3.]))
        self.g = g if self.m * g < .5 * self.F else 0
        self.friction = round(float(rng.choice([0, 0, .2])) * self.F if rng.random() < .7 else 0, 3)
        self.v = float(rng.choice([math.inf, math.inf, round(rng.uniform(.2, 3), 2)]))
        self.two = rng.random() < .25
        rng.random()
        if self.friction + self.m * self.g >= .95 * self.F:
            self.friction = 0

    def text(self, path):
        friction = f", friction: {{coulomb: {self.friction}}}" if self.friction else ""
        speed = f", speed: {{max: {self.v}}}" if math.isfinite(self.v) else ""
        first = f"m: {{at: o, force: {{limit: {self.F * (.7 if self.two else 1)!r}}}{speed}}}"
        second = f", n: {{at: o, force: {{limit: {self.F * .3!r}}}}}" if self.two else ""
        return f"""format: 1
name: slide
machine:
  space: planar
  gravity: [{-self.g!r}, 0]
  bodies: {{a: {{mass: {self.m}, inertia: 1}}}}
  joints: {{o: {{type: prismatic, of: [a, ground], axis: [1, 0]{friction}}}}}
  drives: {{{first}{second}}}
trajectories:
  t: {{of: a, {path.text}}}
"""

    def time(self, at):
        """From rest to rest between the places."""
        whole = 0
        for a, b in zip(at, at[1:]):
            way, sign = abs(b - a), np.sign(b - a)
            up = (self.F - self.friction) / self.m - self.g * sign
            down = (self.F + self.friction) / self.m + self.g * sign
            peak = math.sqrt(2 * way / (1 / up + 1 / down))
            v = min(peak, self.v)
            whole += v / up + v / down + (way - v * v / 2 * (1 / up + 1 / down)) / v if way > 1e-12 else 0
        return whole


# --- checks --------------------------------------------------------------------------------------------------------------

class Differs(Exception):
    pass


def need(truth, text):
    if not truth:
        raise Differs(text)


def check(slide, path, folder):
    case, own, reach = folder / "case.yaml", slide.time(path.at), np.ptp(path.at)
    case.write_text(slide.text(path))
    code, out, err = run("traverse", case, "--json", "--no-pictures", "-o", folder / "r")
    need(code == 0, f"traverse: exit code {code}: {err[-300:]}")
    answer = json.loads(out)["trajectories"]["t"]
    T, (lower, upper) = answer["time"], answer["time_bounds"]
    report = f"T = {T:.9g}, {lower:.9g} to {upper:.9g}, own {own:.9g}, {T / own - 1:+.1e}"
    need(lower <= own * (1 + path.allowance) and upper >= own * (1 - path.allowance), report)
    # equal steps
    code, out, err = run("traverse", case, "--no-pictures", "--step", T / 397, "-o", folder / "m")
    need(code == 0, f"--step: exit code {code}: {out[-200:]} {err[-300:]}")
    motion = read(folder / "m" / "motion.csv")
    force = motion["m.force"] + (motion["n.force"] if slide.two else 0)
    x, v, a = motion["o.position"], motion["o.speed"], motion["o.acceleration"]
    need(np.all(np.isfinite([force, x, v, a])), "motion.csv: NaN")
    over = max(np.abs(force).max() / slide.F, np.abs(v).max() / slide.v)
    need(over <= 1 + 1e-6, f"motion.csv exceeds a limit {over:.9f} times")
    moves = np.abs(v) > 1e-4 * np.abs(v).max()
    wrong = np.abs(slide.m * (a + slide.g) + slide.friction * np.sign(v) - force)[moves].max() / slide.F
    need(wrong <= 1e-6, f"forces are not those of the accelerations by {wrong:.1e} of the limit")
    gap = np.abs(np.diff(x) - .5 * np.diff(motion["t"]) * (v[1:] + v[:-1])).max() / reach
    need(gap <= 2e-3, f"speeds are not those of the positions by {gap:.1e}")
    miss = abs(x[-1] - path.at[-1])
    need(miss <= 1e-6 * reach + 3 * path.noise, f"motion.csv ends {miss:.1e} m off")
    # its own check, and play it back
    plan = folder / "m" / "traverse.csv"
    code, out, err = run("feasible", case, "--motion", plan, "--no-pictures", "-o", folder / "f")
    need(code == 0, f"feasible of its own motion: exit code {code}: {out[:400]} {err[-200:]}")
    code, out, err = run("simulate", case, "--trajectory", "t", "--motion", plan, "--no-pictures", "-o", folder / "s")
    need(code == 0, f"simulate: exit code {code}: {out[-200:]} {err[-300:]}")
    need("another machine" not in err, f"simulate: {err[-300:]}")
    miss = abs(read(folder / "s" / "simulate.csv")["a.x"][-1] - path.at[-1])
    need(miss <= 1e-4 * reach + 3 * path.noise, f"simulate ends {miss:.1e} m off")
    return report


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
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            kind = rng.choice(["formula", "table", "sum"])
            path = table_path(rng, folder) if kind == "table" else \
                formula_path(rng, 1 if kind == "formula" else rng.integers(2, 4))
            slide = Slide(rng)
            try:
                report = check(slide, path, folder)
                if VERBOSE:
                    print(f"{k}: {path.name}: {report}")
            except Differs as e:
                differ += 1
                print(f"DIFFERS {k}: {path.name}: {e}")
                if KEEP:
                    shutil.copytree(folder, Path(KEEP) / str(k), dirs_exist_ok=True)
            sys.stdout.flush()
    print(f"{count * len(seeds)} motions, {differ} differ")
    sys.exit(differ > 0)


main()
