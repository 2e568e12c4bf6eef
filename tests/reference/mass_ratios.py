#!/usr/bin/env python3
"""Heavy beside light bodies: regions of random machines whose masses span up to 14 decades.

    tests/reference/mass_ratios.py PROGRAM [FIRST LAST] [OPTION...]

Arms in the plane and in space, a closed loop of light links on a heavy arm and the reverse, five-bars with a heavy and a light leg, each with
one drive per freedom or one more; plane machines also modelled in space, and an undriven light pendulum on a heavy slide. Limits are a few
times the loads of their own drive. Every drive force is found from the balance of all bodies (forces and moments, all reactions unknown) in decimal
numbers of 60 digits, so that nothing is rounded away; derivatives along the path are exact (jets). Compared: the range of d2 at two
d1 of five points, to 1e-9 of the drives' own scale. Exit code 1: something differs."""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext

getcontext().prec = 60
ZERO, ONE = Decimal(0), Decimal(1)


def sine_cosine(x):
    """By Taylor's series of x / 2^12 and doubling."""
    y = x / 4096
    term, s, c, k = ONE, ZERO, ZERO, 0
    while k < 40:
        c, s = (c, s + term) if k % 2 else (c + term, s)
        k += 1
        term = term * y / k
        if k % 2 == 0:
            term = -term
    for _ in range(12):
        s, c = 2 * s * c, c * c - s * s
    return s, c


class Jet:
    """Value, first and second derivative by p."""

    def __init__(self, v, d=ZERO, e=ZERO):
        self.v, self.d, self.e = Decimal(v), Decimal(d), Decimal(e)

    def __add__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v + o.v, self.d + o.d, self.e + o.e)

    def __mul__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.e * o.v + 2 * self.d * o.d + self.v * o.e)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + (-o if isinstance(o, Jet) else -Decimal(o))

    def turned(self):
        """sin and cos."""
        s, c = sine_cosine(self.v)
        return (Jet(s, c * self.d, c * self.e - s * self.d ** 2), Jet(c, -s * self.d, -s * self.e - c * self.d ** 2))


def gauss(A, B):
    """X with A X = B (lists of rows), pivots of the largest share of their row; the columns of A that are left free are zero."""
    n, m = len(A), len(A[0])
    rows = [[Decimal(x) for x in A[i]] + [Decimal(x) for x in B[i]] for i in range(n)]
    pivots, at = [], 0
    for col in range(m):
        best = max(range(at, n), key=lambda i: abs(rows[i][col]), default=None)
        if best is None or abs(rows[best][col]) < Decimal("1e-40"):
            continue
        rows[at], rows[best] = rows[best], rows[at]
        pivots.append(col)
        rows[at] = [x / rows[at][col] for x in rows[at]]
        for i in range(n):
            if i != at and rows[i][col] != 0:
                f = rows[i][col]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[at])]
        at += 1
    X = [[ZERO] * len(B[0]) for _ in range(m)]
    for i, col in enumerate(pivots):
        X[col] = rows[i][m:]
    return X, pivots


# --- machines in the plane ----------------------------------------------------------------------------------

class Plane:
    """Bodies (mass, inertia, com), joints (a, point, b or None for ground, point), drives at joints."""

    def __init__(self, r, family, ratio):
        self.r, self.bodies, self.joints, self.drives = r, [], [], []
        self.gravity = [r.uniform(-3, 3), r.choice([0.0, -9.81, -9.81])]
        exponent = lambda: r.choice([r.uniform(-ratio / 2, ratio / 2), -ratio / 2, ratio / 2])
        size = lambda: 10 ** r.uniform(-0.7, 0.7)
        self.path = []  # per driven joint: three coefficients of its angle
        if family == "arm":
            for i in range(r.randint(2, 4)):
                self.body(10 ** exponent(), size())
                self.joint(i, [0.0, 0.0], i - 1 if i else None, [self.length[i - 1], 0.0] if i else [0.0, 0.0])
            self.driven = list(range(len(self.joints)))
        elif family == "loop":  # a link that carries a four-bar
            heavy, light = 10 ** (ratio / 2), 10 ** (-ratio / 2)
            if r.random() < 0.3:
                heavy, light = light, heavy
            s = size()
            for m, l in ((heavy, size()), (light, 0.3 * s), (light * r.uniform(.1, 1), s), (light, 0.6 * s)):
                self.body(m, l)
            self.joint(0, [0.0, 0.0], None, [0.0, 0.0])
            P, Q = [0.2, 0.1], [0.2 + 0.9 * s, 0.1]
            self.joint(1, [0.0, 0.0], 0, P)
            self.joint(2, [0.0, 0.0], 1, [0.3 * s, 0.0])
            self.joint(3, [0.0, 0.0], 0, Q)
            self.joint(2, [s, 0.0], 3, [0.6 * s, 0.0])
            self.driven = [0, 1] + ([3] if r.random() < 0.5 else [])
            self.guess = [0.1, 1.2, 0.25, 1.7]
        else:  # a five-bar with legs of different mass
            left, right = 10 ** (ratio / 2), 10 ** (-ratio / 2)
            for m, l in ((left, 1.0), (left * r.uniform(.1, 1), 1.3), (right, 1.0), (right * r.uniform(.1, 1), 1.3)):
                self.body(m, l)
            self.joint(0, [0.0, 0.0], None, [0.0, 0.0])
            self.joint(1, [0.0, 0.0], 0, [1.0, 0.0])
            self.joint(2, [0.0, 0.0], None, [0.8, 0.0])
            self.joint(3, [0.0, 0.0], 2, [1.0, 0.0])
            self.joint(1, [1.3, 0.0], 3, [1.3, 0.0])
            self.driven = [0, 2] + ([r.choice([1, 3])] if r.random() < 0.5 else [])
            self.guess = [2.0, 0.9, 1.1, 2.2]
        self.freedoms = 2 if family != "arm" else len(self.joints)
        for k in range(self.freedoms):
            move = r.choice([0.0, 1.0]) if k else 1.0
            start = self.guess[self.joints[self.driven[k]][0]] if family != "arm" else r.uniform(-1, 1)
            if self.joints[self.driven[k]][2] is not None and family != "arm":
                start -= self.guess[self.joints[self.driven[k]][2]]
            self.path.append([round(start, 3), round(move * r.uniform(-.3, .3), 3), round(move * r.uniform(-.2, .2), 3)])
        if family == "arm":
            self.guess, angle = [], 0
            for c in self.path:
                angle += c[0]
                self.guess.append(angle)

    length = property(lambda self: [b["length"] for b in self.bodies])

    def body(self, mass, length):
        r = self.r
        inertia = mass * (r.uniform(.1, .5) * length) ** 2
        self.bodies.append({"mass": mass, "inertia": inertia, "length": length,
                            "com": [length * r.uniform(.2, .8), length * r.uniform(-.2, .2)]})

    def joint(self, a, pa, b, pb):
        self.joints.append((a, pa, b, pb))

    def place(self, z, body, point, com=True):
        """A point of a body (of its frame) from the jets x, y, phi of its centre."""
        if body is None:
            return [Jet(point[0]), Jet(point[1])]
        c = self.bodies[body]["com"]
        s, co = z[3 * body + 2].turned()
        x, y = Decimal(point[0]) - Decimal(c[0]), Decimal(point[1]) - Decimal(c[1])
        return [z[3 * body] + co * x - s * y, z[3 * body + 1] + s * x + co * y]

    def rows(self, z, p):
        """Constraints, then what the path prescribes."""
        out = []
        for a, pa, b, pb in self.joints:
            A, B = self.place(z, a, pa), self.place(z, b, pb)
            out += [A[0] - B[0], A[1] - B[1]]
        for c, j in zip(self.path, self.driven):
            a, _, b, _ = self.joints[j]
            target = Jet(Decimal(c[0]) + Decimal(c[1]) * p + Decimal(c[2]) * p * p, Decimal(c[1]) + 2 * Decimal(c[2]) * p,
                         2 * Decimal(c[2]))
            out.append(z[3 * a + 2] - (z[3 * b + 2] if b is not None else Jet(0)) - target)
        return out

    def jacobian(self, z):
        n, out = 3 * len(self.bodies), []
        for a, pa, b, pb in self.joints:
            for axis in (0, 1):
                row = [ZERO] * n
                for body, point, sign in ((a, pa, ONE), (b, pb, -ONE)):
                    if body is None:
                        continue
                    P = self.place(z, body, point)
                    row[3 * body + axis] += sign
                    arm = P[1].v - z[3 * body + 1].v if axis == 0 else P[0].v - z[3 * body].v
                    row[3 * body + 2] += sign * (-arm if axis == 0 else arm)
                out.append(row)
        for j in self.driven:
            out.append(self.turn(j))
        return out

    def turn(self, j):
        row = [ZERO] * (3 * len(self.bodies))
        a, _, b, _ = self.joints[j]
        row[3 * a + 2] = ONE
        if b is not None:
            row[3 * b + 2] = -ONE
        return row

    def start(self):
        """Centres from the guessed angles, joint by joint."""
        z = [None] * (3 * len(self.bodies))
        for a, pa, b, pb in self.joints:
            if z[3 * a] is not None:
                continue
            for i, v in enumerate((0, 0, self.guess[a])):
                z[3 * a + i] = Jet(Decimal(str(v)))
            here, there = self.place(z, a, pa), self.place(z, b, pb)
            for i in (0, 1):
                z[3 * a + i] = Jet(there[i].v - here[i].v)
        return z

    def coefficients(self, p, z):
        """A, C, D (per drive) and V (per drive, or None); z: a pose nearby, made exact."""
        free = len(self.joints) * 2 + self.freedoms
        for _ in range(60):
            r = self.rows(z, p)
            J = self.jacobian(z)[:free]
            step, _ = gauss(J, [[x.v, x.d, x.e] for x in r])
            z = [a - Jet(*s) for a, s in zip(z, step)]
            if max(abs(x) for s in step for x in s) < Decimal("1e-50"):
                break
        else:
            return None
        n = len(z)
        rhs = [[ZERO] * 3 for _ in range(n)]  # a, c, d
        for i, body in enumerate(self.bodies):
            for k in range(3):
                m = Decimal(body["mass"] if k < 2 else body["inertia"])
                rhs[3 * i + k] = [m * z[3 * i + k].e, -m * Decimal(self.gravity[k]) if k < 2 else ZERO, m * z[3 * i + k].d]
        C, T = self.jacobian(z)[:2 * len(self.joints)], [self.turn(j) for j in self.driven]
        rows = C + T
        system = [[row[i] for row in rows] for i in range(n)]
        # the last drive of a redundant set is free: its own column comes last
        X, pivots = gauss(system, [b + [-(T[-1][i])] for i, b in enumerate(rhs)])
        forces = X[len(C):]
        if len(self.driven) > self.freedoms:
            X, pivots = gauss([row[:-1] for row in system], [b + [-T[-1][i]] for i, b in enumerate(rhs)])
            forces = X[len(C):] + [[ZERO, ZERO, ZERO, ONE]]
            return [f[:3] for f in forces], [f[3] for f in forces], z
        return [f[:3] for f in forces], None, z

    def yaml(self, limits, spatial, z=None):
        z, lines = z or self.start(), ["format: 1", "name: mass ratios", "machine:"]
        v = (lambda x: f"[{x[0]!r}, {x[1]!r}, 0]") if spatial else (lambda x: f"[{x[0]!r}, {x[1]!r}]")
        lines += [f"  space: {'spatial' if spatial else 'planar'}", f"  gravity: {v(self.gravity)}", "  ground: {points: {"
                  + ", ".join(f"G{i}: {v(j[3])}" for i, j in enumerate(self.joints) if j[2] is None) + "}}", "  bodies:"]
        for i, b in enumerate(self.bodies):
            points = [f"P{k}: {v(pt)}" for k, j in enumerate(self.joints) for at, pt in ((j[0], j[1]), (j[2], j[3])) if at == i]
            frame = self.place(z, i, [0.0, 0.0])
            x, y, phi = float(frame[0].v), float(frame[1].v), float(z[3 * i + 2].v)
            pose = f"{{at: [{x!r}, {y!r}, 0], cardan: [0, 0, {phi!r}]}}" if spatial else f"[{x!r}, {y!r}, {phi!r}]"
            inertia = f"[{b['inertia']!r}, {b['inertia']!r}, {b['inertia']!r}]" if spatial else repr(b["inertia"])
            lines.append(f"    b{i}: {{mass: {b['mass']!r}, inertia: {inertia}, com: {v(b['com'])}, points: {{{', '.join(points)}}}, pose: {pose}}}")
        lines.append("  joints:")
        axis = ", axis: [0, 0, 1]" if spatial else ""
        for k, (a, _, b, _) in enumerate(self.joints):
            other = f"ground.G{k}" if b is None else f"b{b}.P{k}"
            lines.append(f"    j{k}: {{type: revolute, of: [b{a}.P{k}, {other}]{axis}}}")
        lines.append("  drives:")
        for j, (low, high) in zip(self.driven, limits):
            lines.append(f"    d{j}: {{at: j{j}, torque: {{min: {low!r}, max: {high!r}}}}}")
        return "\n".join(lines + path_lines([(f"j{j}", c) for j, c in zip(self.driven, self.path)]))


def path_lines(rows):
    return ["trajectories:", "  t:", "    p: [0, 1]", "    points: 5", "    joints:",
            *[f"      {name}: {c[0]!r} + {c[1]!r}*p + {c[2]!r}*p^2" for name, c in rows], ""]


# --- arms in space --------------------------------------------------------------------------------------------

def matrix(rows):
    return [[x if isinstance(x, Jet) else Jet(x) for x in row] for row in rows]


def product(A, B):
    return [[sum((A[i][k] * B[k][j] for k in range(len(B))), Jet(0)) for j in range(len(B[0]))] for i in range(len(A))]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), ZERO)


class Arm:
    AXES = ([1, 0, 0], [0, 1, 0], [0, 0, 1])

    def __init__(self, r, ratio):
        self.links, self.gravity, self.freedoms = [], [r.uniform(-2, 2), 0.0, -9.81], r.choice([2, 3, 4, 10])
        for k in range(self.freedoms):
            mass = 10 ** r.choice([r.uniform(-ratio / 2, ratio / 2), -ratio / 2, ratio / 2])
            size = 10 ** r.uniform(-0.5, 0.5)
            move = r.choice([0.0, 1.0]) if k else 1.0
            self.links.append({
                "mass": mass, "inertia": [mass * size ** 2 * r.uniform(.15, .28) for _ in range(3)], "com": [size * r.uniform(-.5, .5) for _ in range(3)],
                "far": [size * r.uniform(-1, 1) for _ in range(3)], "axis": r.randrange(3), "slides": r.random() < 0.3,
                "path": [round(r.uniform(-.5, .5), 3), round(move * r.uniform(-.6, .6), 3), round(move * r.uniform(-.3, .3), 3)]})
        self.path = [l["path"] for l in self.links]

    def coefficients(self, p, _):
        R, at, parts = matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), [Jet(0)] * 3, []
        for l in self.links:
            c = [Decimal(x) for x in l["path"]]
            q = Jet(c[0] + c[1] * p + c[2] * p * p, c[1] + 2 * c[2] * p, 2 * c[2])
            e = [R[i][l["axis"]] for i in range(3)]
            if l["slides"]:
                at = [a + x * q for a, x in zip(at, e)]
            else:
                s, co = q.turned()
                i, j = (l["axis"] + 1) % 3, (l["axis"] + 2) % 3
                turn = [[Jet(1 if a == b else 0) for b in range(3)] for a in range(3)]
                turn[i][i], turn[i][j], turn[j][i], turn[j][j] = co, -s, s, co
                R = product(R, turn)
            point = at
            move = lambda x: [a + y[0] for a, y in zip(at, product(R, matrix([[v] for v in x])))]
            centre = move(l["com"])
            # angular velocity per d1 with its derivative, and the angular momentum
            w = [None] * 3
            for a, b, c3 in ((2, 1, 0), (0, 2, 1), (1, 0, 2)):
                d = sum((R[a][k].d * R[b][k].v for k in range(3)), ZERO)
                e2 = sum((R[a][k].e * R[b][k].v + R[a][k].d * R[b][k].d for k in range(3)), ZERO)
                w[c3] = Jet(d, e2)
            local = product([list(x) for x in zip(*R)], [[x] for x in w])
            H = [x[0] for x in product(R, [[y[0] * Decimal(i)] for y, i in zip(local, l["inertia"])])]
            m = Decimal(l["mass"])
            force = [[m * x.e for x in centre], [-m * Decimal(g) for g in self.gravity], [m * x.d for x in centre]]
            moment = [[x.d for x in H], [ZERO] * 3, [x.v for x in H]]
            parts.append((l, [x.v for x in e], [x.v for x in point], [x.v for x in centre], force, moment))
            at = move(l["far"])
        forces = []
        for k, (l, e, point, *_) in enumerate(parts):
            row = []
            for x in range(3):
                total = ZERO
                for _, _, _, centre, force, moment in parts[k:]:
                    arm = [a - b for a, b in zip(centre, point)]
                    total += dot(e, force[x]) if l["slides"] else dot(e, [a + b for a, b in zip(moment[x], cross(arm, force[x]))])
                row.append(total)
            forces.append(row)
        return forces, None, None

    def start(self):
        return None

    def yaml(self, limits, _):
        lines = ["format: 1", "name: mass ratios", "machine:", "  space: spatial", f"  gravity: {self.gravity!r}", "  ground: {points: {O: [0, 0, 0]}}", "  bodies:"]
        at = [0.0, 0.0, 0.0]
        for k, l in enumerate(self.links):
            lines.append(f"    b{k}: {{mass: {l['mass']!r}, inertia: {l['inertia']!r}, com: {l['com']!r}, points: {{F: {l['far']!r}}}, pose: {{at: {at!r}, cardan: [0, 0, 0]}}}}")
            at = [a + b for a, b in zip(at, l["far"])]
        lines.append("  joints:")
        for k, l in enumerate(self.links):
            lines.append(f"    j{k}: {{type: {'prismatic' if l['slides'] else 'revolute'}, of: [b{k}, {f'b{k - 1}.F' if k else 'ground.O'}], axis: {self.AXES[l['axis']]}}}")
        lines.append("  drives:")
        for k, (l, (low, high)) in enumerate(zip(self.links, limits)):
            lines.append(f"    d{k}: {{at: j{k}, {'force' if l['slides'] else 'torque'}: {{min: {low!r}, max: {high!r}}}}}")
        return "\n".join(lines + path_lines([(f"j{k}", l["path"]) for k, l in enumerate(self.links)]))


# --- comparison -------------------------------------------------------------------------------------------------

def slice_of(force, V, limits, d1):
    """Range of d2 at d1, or None; with its scale. One free column at most: each pair of rows without it is a condition."""
    low, high = -Decimal("Infinity"), Decimal("Infinity")
    rows, scale = [], ZERO
    for (a, c, d), v, (lo, hi) in zip(force, V or [ZERO] * len(force), limits):
        rows.append((a * d1 * d1 + c, d, v, Decimal(lo), Decimal(hi)))
    combos = [(r[0], r[1], r[3], r[4]) for r in rows if r[2] == 0]
    for i, x in enumerate(rows):
        for y in rows[i + 1:]:
            if x[2] != 0 and y[2] != 0:
                f = -x[2] / y[2]
                ends = sorted((f * y[3], f * y[4]))
                combos.append((x[0] + f * y[0], x[1] + f * y[1], x[3] + ends[0], x[4] + ends[1]))
    for load, d, lo, hi in combos:
        size = abs(lo) + abs(hi) + abs(load)
        if abs(d) <= Decimal("1e-30") * size:
            if load < lo or load > hi:
                return None, scale
            continue
        ends = sorted(((lo - load) / d, (hi - load) / d))
        if ends[0] > low:
            low, scale = ends[0], max(scale, size / abs(d)) if ends[0] < ends[1] else scale
        if ends[1] < high:
            high, scale = ends[1], max(scale, size / abs(d))
    return ((low, high) if low < high else None), scale


def compare(points, reference, limits, label):
    worst = 0.0
    for point, (force, V, d1s) in zip(points, reference):
        for d1 in d1s:
            expected, scale = slice_of(force, V, limits, d1)
            if scale > Decimal("1e12"):  # the path stands still
                continue
            found = None
            if point["status"] == "ok":
                upper = [a for a in point["upper"] if a["d1"][0] <= float(d1) <= (a["d1"][1] if a["d1"][1] is not None else 1e300)]
                lower = [a for a in point["lower"] if a["d1"][0] <= float(d1) <= (a["d1"][1] if a["d1"][1] is not None else 1e300)]
                at = lambda a: a["a"] * float(d1) ** 2 + a["b"] * float(d1) + a["c"]
                found = (at(lower[0]), at(upper[0])) if upper and lower else None
            if (expected is None) != (found is None):
                near = expected is not None and expected[1] - expected[0] < scale * Decimal("1e-9")
                if not near:
                    print(f"{label}: p = {point['p']}, d1 = {float(d1):.6g}: {found}, not {expected and [float(x) for x in expected]}")
                    return 1e300
                continue
            for a, b in zip(found or (), expected or ()):
                worst = max(worst, float(abs(Decimal(a) - b) / scale))
            if worst > 1e-9:
                print(f"{label}: p = {point['p']}, d1 = {float(d1):.6g}: {found}, not {[float(x) for x in expected]} ({worst:.1e})")
                return worst
    return worst


def run(program, case, options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "case.yaml")
        with open(file, "w") as out:
            out.write(case)
        done = subprocess.run([program, "regions", file, "--json", "--no-pictures", "-q", "-o", folder, *options], capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        print(done.stderr)
        return None
    return json.loads(done.stdout)["trajectories"]["t"]["points"]


def machine(seed):
    r = random.Random(seed)
    ratio = r.choice([6, 10, 11, 12, 13, 14])
    family = ("arm", "loop", "five_bar", "space")[seed % 4]
    m = Arm(r, ratio) if family == "space" else Plane(r, family, ratio)
    z, all = m.start(), []
    for i in range(5):
        found = m.coefficients(Decimal(i) / 4, z)
        if found is None:
            return None
        force, V, z = found
        all.append((force, V))
    # limits: a few times the drive's own loads in the middle
    force, limits = all[2][0], []
    for row in force:
        size = abs(row[1]) + abs(row[2]) + abs(row[0])
        size = size if size > 0 else max(abs(x) for f in force for x in f)
        limits.append((float(size) * -r.uniform(.5, 4), float(size) * r.uniform(.5, 4)))
    if all[2][1]:  # the spare drive takes part of its neighbours' loads
        force, V = all[2]
        size = float(min(sum(abs(x) for x in f) / abs(v) for f, v in zip(force[:-1], V) if v != 0))
        limits[-1] = (-size * r.uniform(.1, 1), size * r.uniform(.1, 1))
    reference = []
    for force, V in all:
        rates = [(Decimal(hi) / abs(f[0])).sqrt() for f, (lo, hi) in zip(force, limits) if f[0] != 0]
        reference.append((force, V, [ZERO] + ([min(rates) * Decimal(r.uniform(.2, .9))] if rates else [])))
    return m.yaml(limits, family != "space" and r.random() < 0.4), limits, reference, f"{seed} ({family}, 1e{ratio})"


def pendulum(program, options):
    """A slide of 1000 t with an undriven rod of 1 mg that stands at an angle a to the vertical: d2 = g tan(a), whatever the drive."""
    case = """format: 1
name: pendulum
machine:
  space: planar
  gravity: [0, -9.81]
  bodies:
    slide: {mass: 1e6 kg, inertia: 1, points: {E: [0, 0]}}
    rod: {mass: 1e-6 kg, inertia: 1e-8, com: [0, 0.3], points: {E: [0, 0]}}
  joints: {s: {type: prismatic, of: [slide, ground], axis: [1, 0]}, w: {type: revolute, of: [rod.E, slide.E]}}
  drives: {m: {at: s, force: {limit: 5e7}}}
trajectories: {t: {p: [0, 1], joints: {s: p, w: 0.1}, points: 3}}
"""
    points, worst = run(program, case, options), 0
    exact = 9.81 * float(sine_cosine(Decimal("-0.1"))[0] / sine_cosine(Decimal("0.1"))[1])
    for point in points:
        if not point["rest"] or max(abs(x - exact) for x in point["rest"]) > 1e-9 * abs(exact):
            print(f"pendulum: rest {point['rest']}, not {exact}")
            worst = 1
    return worst


def released(program, seed):
    """Drives push with the forces that d2 = 1 takes from rest: bodies turn with the path's angular accelerations."""
    r = random.Random(seed)
    m = Plane(r, ("arm", "loop", "five_bar")[seed % 3], r.choice([8, 12, 13]))
    found = m.coefficients(ZERO, m.start())
    if found is None or found[1]:
        return 0
    force, _, z = found
    names = ", ".join(f"d{j}: {float(f[1] + f[2])!r}" for j, f in zip(m.driven, force))
    case = m.yaml([(-1e30, 1e30)] * len(m.driven), False, z)
    case += f"simulate: {{duration: 1e-9 s, every: 1e-9 s, drives: {{{names}}}}}\n"
    largest = max(abs(z[3 * i + 2].d) for i in range(len(m.bodies)))
    for method in ("null_space", "minimum_norm", "elimination", "partition", "projection", "minimal"):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "case.yaml")
            with open(file, "w") as out:
                out.write(case)
            done = subprocess.run([program, "simulate", file, "--method", method, "--no-pictures", "-q", "-o", folder],
                                  capture_output=True, text=True)
            if done.returncode != 0:  # these do not claim to know
                if method in ("null_space", "minimal"):
                    print(f"released {seed}, {method}: {done.stderr}")
                    return 1
                continue
            with open(os.path.join(folder, "simulate.csv")) as table:
                row = next(csv.DictReader(table))
        for i in range(len(m.bodies)):
            difference = abs(Decimal(row[f"b{i}.alpha [rad/s^2]"]) - z[3 * i + 2].d) / largest
            if difference > Decimal("1e-8"):
                print(f"released {seed}, {method}: b{i} turns with {row[f'b{i}.alpha [rad/s^2]']}, not {float(z[3 * i + 2].d)} ({float(difference):.1e})")
                return 1
    return 0


def main():
    program, numbers = sys.argv[1], [int(x) for x in sys.argv[2:4] if not x.startswith("-")]
    first, last = numbers if len(numbers) == 2 else (1, 40)
    options = sys.argv[2 + len(numbers):]
    count = differ = 0
    worst = 0.0
    for seed in range(first, last + 1):
        made = machine(seed)
        if made is None:
            continue
        case, limits, reference, label = made
        points = run(program, case, options)
        difference = compare(points, reference, limits, label) if points else 1e300
        count += 1
        differ += difference > 1e-9
        worst = max(worst, difference if difference < 1e300 else 0)
        if "KEEP" in os.environ and difference > 1e-9:
            with open(f"{os.environ['KEEP']}/{seed}.yaml", "w") as out:
                out.write(case)
    differ += pendulum(program, options) > 0
    differ += sum(released(program, seed) for seed in range(first, last + 1, 3))
    print(f"{differ} of {count + 1} machines differ; worst {worst:.1e}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
