#!/usr/bin/env python3
"""Random coefficient sets whose limits differ by many orders: `globdyn regions --coefficients` by all three methods
against linear programs in rational numbers; see README.md beside this file.

    tests/reference/limits.py --program build/globdyn --seed 1 --sets 3000
    tests/reference/limits.py --program build/globdyn --seed 4711 --sets 1 -v    one of them again
    tests/reference/limits.py --program build/globdyn FILE.csv                    a file of coefficients of one point

Exit code 1: something differs. Sets that differ are written to --keep DIR."""
import argparse
import collections
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exact import INFEASIBLE, OPTIMAL, UNBOUNDED, Program

METHODS = ("elementary", "tuples", "lp")
SAME = 1e-12  # agrees without further questions
ROUNDING = 1e-11  # share of its own terms by which each side of each row may have been another one


# --- sets ------------------------------------------------------------------------------------------------

class Coefficients:
    """n = A d1^2 + B d1 + C + D d2 + V y, low <= n <= high, one row per drive."""

    def __init__(self, A, B, C, D, V, low, high):
        self.A, self.B, self.C, self.D, self.V, self.low, self.high = A, B, C, D, V, low, high
        self.k, self.r = len(A), len(V[0]) if V else 0

    @staticmethod
    def write(path, sets):
        """Sets of the same number of internal forces, each as a trajectory of one point: s0, s1, ..."""
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["trajectory", "p", "drive", *"ABCD", "min", "max"] + [f"V{j + 1}" for j in range(sets[0].r)])
            for n, q in enumerate(sets):
                for i in range(q.k):
                    out.writerow([f"s{n}", 0, f"n{i + 1}"] + [repr(float(x)) for x in (
                        q.A[i], q.B[i], q.C[i], q.D[i], q.low[i], q.high[i], *q.V[i])])

    @staticmethod
    def read(path):
        with open(path) as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        names = [n for n in rows[0] if n.startswith("V")]
        column = lambda name: [float(row[name]) for row in rows]
        return Coefficients(*[column(n) for n in "ABCD"], [[float(row[n]) for n in names] for row in rows],
                            column("min"), column("max"))


def far_limit(rng, kind):
    if kind == "symmetric":
        return 5e7
    if kind == "infinite" or rng.random() < 0.15:
        return math.inf
    return 10.0**rng.randint(6, 14) if rng.random() < 0.5 else 10**rng.uniform(6, 14)


def limits_of(rng, kind, coarse):
    """Both limits of a row: near, far, or one of each."""
    size, shift = 0.5 + 2 * rng.random(), 0.5 * rng.gauss(0, 1)
    low, high = (shift - size, shift + size) if not coarse else (-rng.randint(0, 3), rng.randint(0, 3))
    if kind == "orders":
        scale = 10**rng.uniform(-2, 12)
        return low * scale, high * scale
    what = rng.randrange(7)
    far = far_limit(rng, kind)
    if what == 0 or kind == "symmetric" and what < 4:
        return -far, far
    if what == 1:
        return -far, far_limit(rng, kind)
    if what == 2:
        return low, far
    if what == 3:
        return -far, high
    if what == 4:
        return 0.0, far
    return low, high


def random_set(seed):
    rng = random.Random(seed)
    k = rng.randint(2, 12)
    r = min(rng.randint(1, 6), k)
    coarse, even = rng.random() < 0.5, rng.random() < 0.5
    number = (lambda: float(rng.randint(-2, 2))) if coarse else (lambda: rng.gauss(0, 1))
    load = rng.choice([0.3, 1, 3])
    kind = rng.choice(["mixed", "mixed", "symmetric", "infinite", "orders"])
    A, B = [number() for _ in range(k)], [0.0 if even else number() for _ in range(k)]
    C, D = [load * number() for _ in range(k)], [number() for _ in range(k)]
    V = [[number() for _ in range(r)] for _ in range(k)]
    for i in range(k):
        what = rng.randrange(12)
        if what == 0:
            V[i] = [0.0] * r
        elif what == 1:
            V[i] = [2 * x for x in V[rng.randrange(k)]]
    low, high = zip(*[limits_of(rng, kind, coarse) for _ in range(k)])
    return Coefficients(A, B, C, D, V, [float(x) for x in low], [float(x) for x in high])


# --- what globdyn says -----------------------------------------------------------------------------------

class Region:
    def __init__(self, point):
        inf = lambda x: math.inf if x is None else x
        self.islands = [(a, inf(b)) for a, b in point["d1"]]
        self.arcs = {1: point["upper"], -1: point["lower"]}
        self.d1_max = self.islands[-1][1] if self.islands else None

    def slice(self, d1):
        """(least, maximum d2) with the rounding of their own terms, None where d1 is not reached."""
        if not any(a <= d1 <= b for a, b in self.islands):
            return None
        return tuple(self.end(d1, sign) for sign in (-1, 1))

    def end(self, d1, sign):
        for arc in self.arcs[sign]:
            if arc["d1"][0] <= d1 and (arc["d1"][1] is None or d1 <= arc["d1"][1]):
                terms = [arc["a"] * d1 * d1, arc["b"] * d1, arc["c"]]
                return sum(terms), sum(map(abs, terms))
        return sign * math.inf, 0.0


def ask(program, path, method, folder, count):
    run = subprocess.run([program, "regions", "--coefficients", path, "--json", "--no-pictures", "-q", "-o", "out",
                          "--method", method], capture_output=True, text=True, cwd=folder, timeout=300)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"{method}: exit code {run.returncode}: {run.stderr.strip()[-200:]}")
    paths = json.loads(run.stdout)["trajectories"]
    return [Region(paths[f"s{n}"]["points"][0]) for n in range(count)]


def regions_of(program, sets):
    """Per set the region of each method, or what went wrong. One run for many sets; each by itself where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "set.csv")
        Coefficients.write(path, sets)
        try:
            of = {method: ask(program, path, method, folder, len(sets)) for method in METHODS}
            return [{method: of[method][n] for method in METHODS} for n in range(len(sets))]
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [str(error)] if len(sets) == 1 else [regions_of(program, [q])[0] for q in sets]


# --- what is right ---------------------------------------------------------------------------------------

class Reference:
    """Slices and the maximum d1 in rational numbers, of the set as it is or with every side of every row moved outwards by
    `give` of the terms that meet there: |limit| + |A d1^2| + |B d1| + |C| + |D d2| + sum |V y|."""

    def __init__(self, q):
        self.q = q
        self.rows = [[q.D[i], *q.V[i]] for i in range(q.k)]
        self.plain = Program(self.rows)
        self.even = not any(q.B)
        if self.even:
            self.fast = Program([[q.A[i], q.D[i], *q.V[i]] for i in range(q.k)] + [[1] + [0] * (1 + q.r)])
        self.F = {name: [Fraction(x) for x in getattr(q, name)] for name in "ABCD"}
        self.V = [[Fraction(v) for v in row] for row in q.V]

    def load(self, d1):
        t = Fraction(d1)
        return [(self.F["A"][i] * t + self.F["B"][i]) * t + self.F["C"][i] for i in range(self.q.k)]

    def sides(self, load, give=0, terms=None):
        low, high = [], []
        for i in range(self.q.k):
            for limit, out, sign in ((self.q.low[i], low, -1), (self.q.high[i], high, 1)):
                slack = 0 if not give else sign * give * (abs(Fraction(limit)) + terms[i]) if math.isfinite(limit) else 0
                out.append(None if math.isinf(limit) else Fraction(limit) + slack - load[i])
        return low, high

    def slice(self, d1, give=0, terms=None):
        self.plain.limits(*self.sides(self.load(d1), give, terms))
        ends = []
        for sign in (-1, 1):
            outcome, value = self.plain.solve(0, sign)
            if outcome == INFEASIBLE:
                return None
            ends.append(sign * math.inf if outcome == UNBOUNDED else value)
        return tuple(ends)

    def greatest(self, give=0, terms=None):
        """Greatest d1^2 where nothing depends on d1 itself."""
        low, high = self.sides(self.F["C"], give, terms)
        self.fast.limits(low + [0], high + [None])
        outcome, value = self.fast.solve(0, 1)
        return None if outcome == INFEASIBLE else math.inf if outcome == UNBOUNDED else value

    # --- terms that meet in a row

    def terms(self, d1, d2=None):
        """sum of the sizes of the loads of every row at (d1, d2) with the y that need least; where d2 is None or not
        accessible the d2 and y of least violation."""
        q, t = self.q, abs(Fraction(d1))
        base = [(abs(self.F["A"][i]) * t + abs(self.F["B"][i])) * t + abs(self.F["C"][i]) for i in range(q.k)]
        d2, y = self.least_forces(d1, d2)
        return [base[i] + abs(self.F["D"][i] * d2) + sum(abs(v * x) for v, x in zip(self.V[i], y))
                for i in range(q.k)]

    def scales(self):
        """Per row what its near limit and its load at rest say."""
        out = []
        for i in range(self.q.k):
            finite = [abs(x) for x in (self.q.low[i], self.q.high[i]) if math.isfinite(x)]
            out.append(Fraction(max(1.0, abs(self.q.C[i]), min(finite, default=0.0))))
        return out

    def least_forces(self, d1, d2):
        """Least s with |V_i y| <= s scale_i at a point; least violation in shares of the scale first."""
        q, scale = self.q, self.scales()
        load, r = self.load(d1), q.r
        # columns s, e, d2, y: limits give way by e
        rows, low, high = [], [], []
        for i in range(q.k):
            for limit, sign in ((q.low[i], 1), (q.high[i], -1)):
                if math.isfinite(limit):
                    rows.append([0, sign * scale[i], q.D[i], *q.V[i]])
                    low.append(Fraction(limit) - load[i] if sign > 0 else None)
                    high.append(None if sign > 0 else Fraction(limit) - load[i])
            for sign in (1, -1):
                rows.append([sign * scale[i], 0, 0, *q.V[i]])
                low.append(0 if sign > 0 else None)
                high.append(None if sign > 0 else 0)
        rows += [[1, 0, 0] + [0] * r, [0, 1, 0] + [0] * r, [0, 0, 1] + [0] * r]
        least = Program(rows)
        given = None if d2 is None or isinstance(d2, float) and math.isinf(d2) else Fraction(d2)
        least.limits(low + [0, 0, given], high + [None, None, given])
        outcome, e = least.solve(1, -1)
        least.limits(low + [0, e, given], high + [None, e, given])
        least.solve(0, -1)
        x = least.x()
        return x[2], x[3:]


# --- comparison ------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, q, region):
        self.q, self.differences, self.notes = q, [], collections.Counter()
        self.region = region
        self.reference = Reference(q)

    def run(self):
        for d1 in self.places():
            right = self.reference.slice(d1)
            for method, region in self.region.items():
                self.judge(method, d1, region.slice(d1), right)
        if self.reference.even:
            right = self.reference.greatest()
            for method, region in self.region.items():
                self.judge_greatest(method, region.d1_max, right)

    def places(self):
        out = {0.0, 0.5, 1.0, 3.0, 100.0}
        for region in self.region.values():
            for a, b in region.islands:
                end = b if math.isfinite(b) else max(2 * a, 1e4)
                out |= {a + f * (end - a) for f in (0.5, 0.97)}
                out |= {x * f for x in (a, b) if math.isfinite(x) and x > 0 for f in (0.999, 1.001, 3.0, 1000.0)}
        return sorted(x for x in out if x < 1e9)

    def differ(self, what, method, ours, theirs):
        self.differences.append(f"{what}: {method} {ours}, exactly {theirs}")

    # --- slices

    def judge(self, method, d1, ours, right):
        self.notes["slices"] += 1
        if ours is None and right is None:
            return
        if ours is not None and right is not None and all(
                self.close(o, t, size) for (o, size), t in zip(ours, right)):
            return
        needed = self.rounding_of(d1, ours, right)
        if needed is None:
            show = lambda s: s and tuple(float(x[0] if isinstance(x, tuple) else x) for x in s)
            self.differ(f"d2 at d1 = {d1!r}", method, show(ours), show(right))
        else:
            self.notes[f"within {needed:.0e}"] += 1

    @staticmethod
    def close(ours, right, size):
        if math.isinf(ours) or (isinstance(right, float) and math.isinf(right)):
            return ours == right
        return abs(Fraction(ours) - right) <= Fraction(SAME) * Fraction(max(size, abs(float(right))))

    def rounding_of(self, d1, ours, right):
        """The least power of ten such that moving every side by this share of its terms covers the answer; None above ROUNDING."""
        if ours is None or right is None:
            terms = [self.reference.terms(d1)] * 2
        else:
            terms = [self.reference.terms(d1, d2) for d2 in right]
        give = 1e-15
        while give <= ROUNDING:
            if self.covers(d1, ours, Fraction(give), terms):
                return give
            give *= 10
        return None

    def covers(self, d1, ours, give, terms):
        if ours is None:
            return self.reference.slice(d1, -give, terms[0]) is None
        for side, sign in ((0, -1), (1, 1)):
            value, size = ours[side]
            wide = self.reference.slice(d1, give, terms[side])
            narrow = self.reference.slice(d1, -give, terms[side])
            if wide is None or not self.between(value, wide[side], narrow and narrow[side], sign, give * Fraction(size)):
                return False
        return True

    @staticmethod
    def between(value, wide, narrow, sign, slack):
        far = lambda x: isinstance(x, float) and math.isinf(x)
        value = value if math.isinf(value) else Fraction(value)
        if far(value) or far(wide):
            return (far(wide) or not far(value)) and (narrow is None or far(value) or not far(narrow))
        return sign * value <= sign * wide + slack and (
            narrow is None or (not far(narrow) and sign * value >= sign * narrow - slack))

    # --- the maximum d1

    def judge_greatest(self, method, ours, right):
        self.notes["maximum d1"] += 1
        square = None if ours is None else math.inf if math.isinf(ours) else Fraction(ours)**2
        if square is None or right is None:
            return  # emptiness: slices tell
        if square == right or (not isinstance(square, float) and not isinstance(right, float)
                               and abs(square - right) <= Fraction(SAME) * right):
            return
        give = 1e-15
        place = ours if math.isinf(float(right)) else math.sqrt(right)
        while not math.isinf(place) and give <= ROUNDING:
            terms = self.reference.terms(place)
            wide = self.reference.greatest(Fraction(give), terms)
            narrow = self.reference.greatest(-Fraction(give), terms)
            if wide is not None and self.between(float(ours)**2, wide, narrow, 1, Fraction(give) * Fraction(place)**2):
                self.notes[f"within {give:.0e}"] += 1
                return
            give *= 10
        self.differ("maximum d1", method, ours, math.sqrt(right))


# --- many ------------------------------------------------------------------------------------------------

def check(jobs):
    """Sets of one number of internal forces: (program, seed, path or None) of each."""
    sets, out = [Coefficients.read(path) if path else random_set(seed) for _, seed, path in jobs], []
    for (_, seed, path), q, region in zip(jobs, sets, regions_of(jobs[0][0], sets)):
        if isinstance(region, str):
            out.append((seed, path, [region], collections.Counter()))
            continue
        bench = Bench(q, region)
        bench.run()
        out.append((seed, path, bench.differences, bench.notes))
    return out


def chunks(jobs, most=25):
    """Runs of at most so many sets with the same number of internal forces."""
    alike = collections.defaultdict(list)
    for job in jobs:
        alike[(Coefficients.read(job[2]) if job[2] else random_set(job[1])).r].append(job)
    return [group[i:i + most] for group in alike.values() for i in range(0, len(group), most)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--program", default="build/globdyn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", help="folder for the sets that differ")
    parser.add_argument("--open", help="file of seeds that are known to differ")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    jobs = [(program, None, f) for f in options.files] or [
        (program, s, None) for s in range(options.seed, options.seed + options.sets)]
    known = {}
    if options.open:
        with open(options.open) as file:
            known = {int(line.split()[0]): line.split(None, 1)[1].strip() for line in file
                     if line.strip() and not line.startswith("#")}
    notes, differ = collections.Counter(), 0
    with ProcessPoolExecutor(options.processes) as pool:
        answers = [answer for group in pool.map(check, chunks(jobs)) for answer in group]
        for seed, path, differences, counted in sorted(answers, key=lambda answer: answer[0] or 0):
            notes += counted
            if not path and seed in known:
                print(f"open: seed {seed}: " + (known[seed] if differences else "does not differ any more"), flush=True)
                continue
            differ += bool(differences)
            for line in differences[:None if options.verbose else 4]:
                print(f"{path or f'seed {seed}'}: {line}", flush=True)
            if differences and options.keep and not path:
                Coefficients.write(os.path.join(options.keep, f"limits-{seed}.csv"), [random_set(seed)])
    print(f"{len(jobs)} sets, {differ} differ; " + ", ".join(f"{n}: {c}" for n, c in sorted(notes.items())))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
