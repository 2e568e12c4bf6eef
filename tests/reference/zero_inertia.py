#!/usr/bin/python3
"""The fastest motion through zero-inertia points, by reachability on a fine grid.

usage: zero_inertia.py GLOBDYN [COUNT [NODES [SEED]]]

Random tables of coefficients (three drives, with or without an internal force, limits on the speed),
each with at least one place where the influence of d2 on a row passes through zero, as many in which it
touches zero between the table's points, nearly so, or passes it twice close by, and a planar arm of two links whose tool runs along a straight line, on which the second joint has such a place. Own method:
d2 constant over each of NODES segments, the rows asked for in its middle with x = d1^2 there, all vertices
of the set in (x, x' - x) enumerated, greatest x backward, greatest x' forward, all instances at once. It
shares nothing with globdyn but the table. Its own error is taken from half as many segments. Checked are
lower <= T <= upper, that the bounds meet, and that the audit found nothing. Exits with 1 otherwise.
"""
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

POINTS, DRIVES, FASTEST = 41, 3, 3.0


def crossing_places(p, d):
    return int(np.sum(d[:-1] * d[1:] < 0))


def combine(table):
    """Rows without internal force: (A, B, C, D, min, max) per point, from pairs when there is one."""
    rows, v = table["rows"], table["V"]
    if v is None:
        return rows
    out = []
    for i, j in itertools.combinations(range(DRIVES), 2):
        w = np.array([v[j], -v[i]])
        both = rows[:, [i, j], :]
        row = np.einsum("k,pkq->pq", w, both[:, :, :3])
        ends = np.stack([w[0] * both[:, 0, 3:], w[1] * both[:, 1, 3:]], axis=0)
        low, high = ends.min(axis=2).sum(axis=0), ends.max(axis=2).sum(axis=0)
        out.append(np.column_stack([row, low, high]))
    return np.stack(out, axis=1)


def random_table(rng):
    p = np.linspace(0, 1, POINTS)
    while True:
        rows = np.zeros((POINTS, DRIVES, 5))  # A, C, D, min, max
        for k in range(DRIVES):
            for q, size in enumerate((1.0, 0.3, 1.0)):
                a, b, c = rng.normal(size=3)
                rows[:, k, q] = size * (a * np.sin(3 * p + b) + 0.3 * c)
            rows[:, k, 1] = np.clip(rows[:, k, 1], -0.4, 0.4)
            rows[:, k, 3], rows[:, k, 4] = -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5)
        table = {"p": p, "rows": rows, "V": rng.normal(size=DRIVES) if rng.random() < 0.5 else None}
        d = combine(table)[:, :, 2]
        if sum(crossing_places(p, d[:, k]) for k in range(d.shape[1])) > 0:
            return table


DIPS = (0, 0, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, -1e-6, -1e-4)


def dip_table(rng, points=5, dense=4001):
    """All numbers linear in p over the whole path, V = (1, 1 + p, v): without internal force the influence of
    d2 on the first two rows together is K ((p - p0)^2 + e), e one of DIPS."""
    line = {}
    for k in range(DRIVES):
        line["A", k] = rng.normal(size=2) * [1, 0.7]
        line["C", k] = np.clip(0.15 * rng.normal(size=2), -0.2, 0.2)
        line["D", k] = rng.normal(size=2)
        line["min", k], line["max", k] = [-rng.uniform(0.5, 1.5), 0], [rng.uniform(0.5, 1.5), 0]
    e, p0 = rng.choice(DIPS), rng.uniform(0.1, 0.9)
    size, c = rng.choice([-1, 1]) * np.exp(rng.uniform(-0.5, 2)), rng.normal()
    line["V", 0], line["V", 1] = [1, 0], [1, 1]
    line["V", 2] = rng.normal(size=2) * [1, 0.3]
    line["D", 0] = [c, size]
    line["D", 1] = [c - size * (p0 * p0 + e), c + size + 2 * size * p0]

    def at(p):
        return {key: n[0] + n[1] * p for key, n in line.items()}

    def rows_at(p):
        n = at(p)
        return np.stack([np.stack([n[q, k] for q in ("A", "C", "D", "min", "max")], axis=1)
                         for k in range(DRIVES)], axis=1)

    p, fine = np.linspace(0, 1, points), np.linspace(0, 1, dense)
    rows, n, out = rows_at(fine), at(fine), []
    for i, j in itertools.combinations(range(DRIVES), 2):
        w = np.stack([n["V", j], -n["V", i]])
        row = np.einsum("kp,pkq->pq", w, rows[:, [i, j], :3])
        ends = np.einsum("kp,pkq->kpq", w, rows[:, [i, j], 3:])
        out.append(np.column_stack([row, ends.min(axis=2).sum(axis=0), ends.max(axis=2).sum(axis=0)]))
    n = at(p)
    return {"p": fine, "rows": np.stack(out, axis=1), "V": None,
            "given": (p, rows_at(p), np.stack([n["V", k] for k in range(DRIVES)], axis=1))}


def arm_table(points=201):
    """Two links of 1 m with slender rods of 1 kg, in the horizontal plane, along a straight line."""
    p = np.linspace(0, 1, points)
    x, dx = -0.4 + 1.2 * p, 1.2
    y = np.full(points, 1.0)
    r2 = x * x + y * y
    c2 = (r2 - 2) / 2
    q2 = np.arccos(c2)
    q1 = np.arctan2(y, x) - np.arctan2(np.sin(q2), 1 + np.cos(q2))
    j = np.array([[-np.sin(q1) - np.sin(q1 + q2), -np.sin(q1 + q2)],
                  [np.cos(q1) + np.cos(q1 + q2), np.cos(q1 + q2)]]).transpose(2, 0, 1)
    dq = np.linalg.solve(j, np.tile([[dx], [0.0]], (points, 1, 1)))[:, :, 0]
    s = dq[:, 0] + dq[:, 1]
    # J q'' = r'' - (dJ/dp) q'
    dj = np.stack([-np.cos(q1) * dq[:, 0] ** 2 - np.cos(q1 + q2) * s ** 2,
                   -np.sin(q1) * dq[:, 0] ** 2 - np.sin(q1 + q2) * s ** 2], axis=1)
    ddq = np.linalg.solve(j, -dj[:, :, None])[:, :, 0]
    m11, m12, m22 = 5 / 3 + np.cos(q2), 1 / 3 + 0.5 * np.cos(q2), np.full(points, 1 / 3)
    h = 0.5 * np.sin(q2)
    rows = np.zeros((points, DRIVES, 5))
    rows[:, 0, 2] = m11 * dq[:, 0] + m12 * dq[:, 1]
    rows[:, 1, 2] = m12 * dq[:, 0] + m22 * dq[:, 1]
    rows[:, 0, 0] = m11 * ddq[:, 0] + m12 * ddq[:, 1] - h * (2 * dq[:, 0] * dq[:, 1] + dq[:, 1] ** 2)
    rows[:, 1, 0] = m12 * ddq[:, 0] + m22 * ddq[:, 1] + h * dq[:, 0] ** 2
    rows[:, 0, 3:], rows[:, 1, 3:] = [-10, 10], [-0.3, 0.3]
    rows[:, 2, :] = rows[:, 0, :]
    assert crossing_places(p, rows[:, 1, 2]) == 1
    return {"p": p, "rows": rows, "V": None}


def times(tables, nodes):
    """T of every table, on that many segments."""
    middle = (np.arange(nodes) + 0.5) / nodes
    n = len(tables)
    lines = 2 * DRIVES + 2
    g, e, b = (np.zeros((nodes, n, lines)) for _ in range(3))
    for t, table in enumerate(tables):
        rows = combine(table)
        for k in range(DRIVES):
            a, c, d, low, high = (np.interp(middle, table["p"], rows[:, k, q]) for q in range(5))
            half = 0.5 * (high - low)
            for side in (0, 1):
                sign, at = (1, 2 * k) if side == 0 else (-1, 2 * k + 1)
                g[:, t, at] = sign * a / half
                e[:, t, at] = sign * 0.5 * (a + d * nodes) / half  # times w = x' - x = 2 u / nodes
                b[:, t, at] = ((high - c) if side == 0 else (c - low)) / half
    g[:, :, -2], b[:, :, -2] = 1, FASTEST ** 2
    g[:, :, -1], e[:, :, -1] = 1, 1  # x + w <= K', set in the pass
    first, second = (np.array(i) for i in zip(*itertools.combinations(range(lines + 2), 2)))
    top = np.zeros((nodes + 1, n))
    zeros, ones = np.zeros((n, 1)), np.ones((n, 1))
    for i in range(nodes - 1, -1, -1):
        b[i, :, -1] = top[i + 1]
        # besides x >= 0 and x' >= 0
        gi = np.hstack([g[i], -ones, -ones])
        ei = np.hstack([e[i], zeros, -ones])
        bi = np.hstack([b[i], zeros, zeros])
        det = gi[:, first] * ei[:, second] - gi[:, second] * ei[:, first]
        det[det == 0] = np.nan
        x = (bi[:, first] * ei[:, second] - bi[:, second] * ei[:, first]) / det
        w = (gi[:, first] * bi[:, second] - gi[:, second] * bi[:, first]) / det
        left = gi[:, None, :] * x[:, :, None] + ei[:, None, :] * w[:, :, None] - bi[:, None, :]
        size = 1 + np.abs(gi)[:, None, :] + np.abs(ei)[:, None, :]
        inside = np.all(left <= 1e-10 * size, axis=2)
        top[i] = np.max(np.where(inside, x, 0), axis=1)
    x, time = np.zeros(n), np.zeros(n)
    for i in range(nodes):
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.where(e[i] > 0, (b[i] - g[i] * x[:, None]) / e[i], np.inf)
        after = np.clip(x + most.min(axis=1), 0, top[i + 1])
        with np.errstate(divide="ignore"):
            time += 2 / nodes / (np.sqrt(x) + np.sqrt(after))
        x = after
    return time


def write(table, path):
    """The table, with the limit on d1 as a row of its own."""
    places, rows = table["p"], table["rows"]
    columns = None if table["V"] is None else np.tile(table["V"], (len(places), 1))
    if "given" in table:
        places, rows, columns = table["given"]
    with open(path, "w") as file:
        file.write("p,drive,A,B,C,D,min,max" + (",V1" if columns is not None else "") + "\n")
        for i, p in enumerate(places):
            for k in range(DRIVES):
                a, c, d, low, high = rows[i, k]
                v = "" if columns is None else f",{columns[i, k]:.17g}"
                file.write(f"{p:.17g},m{k},{a:.17g},0,{c:.17g},{d:.17g},{low:.17g},{high:.17g}{v}\n")
            v = "" if columns is None else ",0"
            file.write(f"{p:.17g},speed,1,0,0,0,-1,{FASTEST ** 2:.17g}{v}\n")


def globdyn(program, table, folder, tolerance):
    path = Path(folder) / "table.csv"
    write(table, path)
    done = subprocess.run([program, "traverse", "--coefficients", str(path), "--json", "--tolerance",
                           str(tolerance), "--no-pictures", "-o", str(Path(folder) / "out")],
                          capture_output=True, text=True)
    return next(iter(json.loads(done.stdout)["trajectories"].values()))


def main():
    program = sys.argv[1]
    count, nodes, seed = (int(sys.argv[i]) if len(sys.argv) > i else d
                          for i, d in ((2, 60), (3, 20000), (4, 1)))
    rng = np.random.default_rng(seed)
    tables = [arm_table()] + [random_table(rng) for _ in range(count)]
    rng = np.random.default_rng(seed)
    tables += [dip_table(rng) for _ in range(count)]
    reference, coarse = times(tables, nodes), times(tables, nodes // 2)
    compared = wrong = none = 0
    with tempfile.TemporaryDirectory() as folder:
        for i, table in enumerate(tables):
            for tolerance in (1e-3, 1e-4) if i == 0 else (1e-3,):
                got = globdyn(program, table, folder, tolerance)
                T = reference[i]
                if got["status"] != "ok" and not np.isfinite(T):
                    none += 1
                    continue
                low, high = got["time_bounds"] if got["status"] == "ok" else (np.nan, np.nan)
                near = 3 * abs(T - coarse[i]) + 1e-5 * T
                good = low <= min(T + near, high) and high >= T - near and got["converged"] and got["violation"] <= 1e-9
                compared += 1
                wrong += not good
                if not good or i == 0:
                    print(f"{'arm' if i == 0 else i}: tolerance {tolerance:g}: T {T:.8g} +- {near:.1g}, "
                          f"globdyn {got['status']} {low:.8g} .. {high:.8g}, "
                          f"converged {got['converged']}, violation {got.get('violation')}"
                          f"{'' if good else ' DIFFERS'}")
    print(f"{compared} compared, {none} without a motion, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
