"""A bar on two cables in static equilibrium at the nodes of `globdyn workspace --json`: inclination, stability, load of the cables
and the acceleration that they give in every direction, from the equations of Newton and Euler.

At rest the forces of both cables and the weight lie on lines through one point: their 3 x 3 determinant vanishes. All its roots are
bracketed; one is stable where the centre of gravity is lowest with both lengths held. Accelerations follow from
m c'' - sum T e = m g, I s'' - sum T (r x e) = 0 and the tool's c'' + s'' x r = a."""

import json
import sys
from math import cos, hypot, pi, sin

MASS, INERTIA, GRAVITY, MOST = 5.0, 0.4, 9.81, 60.0
COM, POINTS, ANCHORS = (0.1, -0.05), ((-0.4, 0.1), (0.4, 0.1)), ((-1.5, 0.0), (2.0, 0.2))
BRACKETS = 720


def solve(A, B):
    """The solution of A x = B for the columns of B, by elimination with pivots."""
    n = len(A)
    M = [list(a) + list(b) for a, b in zip(A, B)]
    for i in range(n):
        k = max(range(i, n), key=lambda j: abs(M[j][i]))
        M[i], M[k] = M[k], M[i]
        M[i] = [v / M[i][i] for v in M[i]]
        for j in range(n):
            if j != i:
                M[j] = [v - M[j][i] * w for v, w in zip(M[j], M[i])]
    return [row[n:] for row in M]


def turned(s, v):
    return cos(s) * v[0] - sin(s) * v[1], sin(s) * v[0] + cos(s) * v[1]


def cables(x, y, s):
    """Unit vector, lever arm about the centre of gravity and length of each cable."""
    cx, cy = turned(s, COM)
    out = []
    for point, anchor in zip(POINTS, ANCHORS):
        px, py = turned(s, point)
        ex, ey = anchor[0] - x - px, anchor[1] - y - py
        length = hypot(ex, ey)
        ex, ey = ex / length, ey / length
        out.append((ex, ey, (px - cx) * ey - (py - cy) * ex, length))
    return out


def imbalance(x, y, s):
    (ax, _, am, _), (bx, _, bm, _) = cables(x, y, s)
    return ax * bm - bx * am


def is_stable(x, y, s, h=1e-3):
    """The centre of gravity at turns by h to both sides, with the lengths held, is higher than here."""
    lengths = [c[3] for c in cables(x, y, s)]

    def height(turn):
        u, v = x, y
        for _ in range(30):
            now = cables(u, v, turn)
            du = solve([[c[0], c[1]] for c in now], [[c[3] - length] for c, length in zip(now, lengths)])
            u, v = u + du[0][0], v + du[1][0]
        return v + turned(turn, COM)[1]

    return height(s - h) + height(s + h) > 2 * height(s)


def equilibria(x, y):
    at = [-pi + 2 * pi * i / BRACKETS for i in range(BRACKETS + 1)]
    value = [imbalance(x, y, s) for s in at]
    for i in range(BRACKETS):
        if value[i] * value[i + 1] < 0:
            low, high = at[i], at[i + 1]
            while high - low > 1e-14:
                middle = 0.5 * (low + high)
                if middle in (low, high):
                    break
                low, high = (middle, high) if imbalance(x, y, middle) * value[i] > 0 else (low, middle)
            if is_stable(x, y, low):
                yield low


def radius(sides):
    """Of the greatest disc about 0 within the half-planes, or minus the distance of 0 to the polygon that they make."""
    least = min(side[2] for side in sides)
    if least >= 0:
        return least
    # the nearest point lies on a side or in a corner
    points = [(u * room, v * room) for u, v, room in sides]
    for i, (u, v, room) in enumerate(sides):
        for p, q, other in sides[:i]:
            det = u * q - v * p
            if abs(det) > 1e-9:
                points.append(((room * q - other * v) / det, (u * other - p * room) / det))
    return -min(hypot(*a) for a in points if all(u * a[0] + v * a[1] <= room + 1e-9 for u, v, room in sides))


def values(x, y, s):
    """Load, and the acceleration of the tool in every direction."""
    cx, cy = turned(s, COM)
    (ax, ay, am, _), (bx, by, bm, _) = cables(x, y, s)
    # unknown: c'' (2), s'', T (2)
    A = [[MASS, 0, 0, -ax, -bx], [0, MASS, 0, -ay, -by], [0, 0, INERTIA, -am, -bm], [1, 0, cy, 0, 0], [0, 1, -cx, 0, 0]]
    tension = solve(A, [[0, 0, 0], [-MASS * GRAVITY, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]])[3:]
    # half-planes u a + v b <= room of accelerations (a, b), of unit normals
    sides = [(s * u / hypot(u, v), s * v / hypot(u, v), (MOST - t if s > 0 else t) / hypot(u, v))
             for t, u, v in tension for s in (1, -1)]
    return max(t[0] for t in tension) / MOST, radius(sides)


with open(sys.argv[1], encoding="utf-8") as f:
    field = json.load(f)["workspaces"]["w"]
load, accel = (field["values"].index(name) for name in ("load", "accel"))
wrong, reached, worst = [], 0, 0.0
for node in field["nodes"]:
    x, y = node["at"][:2]
    found = [values(x, y, s) for s in equilibria(x, y)]
    if node["reached"] != bool(found):
        wrong.append(node["at"])
    elif found:
        reached += 1
        # the load is that of the largest tension; a slack cable has no share of its limit
        error = min(abs(node["values"][accel] - a) + (abs(node["values"][load] - t) if a > 0 else 0) for t, a in found)
        worst = max(worst, error)
        if error > 1e-9:
            wrong.append(node["at"])
print(f"{reached} nodes in equilibrium, greatest error {worst:.2g}, {len(wrong)} differ: {wrong[:5]}")
sys.exit(bool(wrong))
