"""Accessible regions by another road than the program's, to derive the numbers of cases/*/case.yaml.

A machine is given by inverse kinematics: poses of its bodies and coordinates of its drives as
functions of the tool pose X. Virtual work in the directions of X gives

    W n = a d1^2 + b d1 + c + d d2,     W_ij = dq_j / dX_i,     n_min <= n <= n_max,

so no constraint equation, Jacobian of constraints or null space occurs. All derivatives are central
differences in 50-digit arithmetic (error below 1e-20). Regions come from linear programs over (d2, n).
"""
from itertools import combinations, product

import mpmath as mp
import numpy as np
from scipy.optimize import linprog

mp.mp.dps = 50
H = mp.mpf(10) ** -12


def vec(*x):
    return [mp.mpf(v) if isinstance(v, (int, str)) else mp.mpf(v) for v in x]


def add(a, b, s=1):
    return [x + s * y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return mp.sqrt(dot(a, a))


def unit(a):
    n = norm(a)
    return [x / n for x in a]


def mul(R, v):  # R: list of rows
    return [dot(row, v) for row in R]


def rotz(t):
    c, s = mp.cos(t), mp.sin(t)
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def cardan(a, b, g):
    ca, sa, cb, sb, cg, sg = mp.cos(a), mp.sin(a), mp.cos(b), mp.sin(b), mp.cos(g), mp.sin(g)
    X = [[1, 0, 0], [0, ca, -sa], [0, sa, ca]]
    Y = [[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]]
    Z = [[cg, -sg, 0], [sg, cg, 0], [0, 0, 1]]
    return matmul(matmul(X, Y), Z)


def matmul(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transpose(A):
    return [list(c) for c in zip(*A)]


def columns(a, b, c):
    return transpose([a, b, c])


def lin(A, B, s, t):  # s A + t B
    return [[s * x + t * y for x, y in zip(r, q)] for r, q in zip(A, B)]


def vee(D, R):  # axial vector of D R^T
    S = matmul(D, transpose(R))
    return [(S[2][1] - S[1][2]) / 2, (S[0][2] - S[2][0]) / 2, (S[1][0] - S[0][1]) / 2]


def circle_meet(A, ra, B, rb, side):
    """Meeting point of two planar circles, left (+1) or right (-1) of the way from A to B."""
    d = sub(B, A)
    L2 = dot(d, d)
    u = (ra * ra - rb * rb + L2) / (2 * L2)
    v = side * mp.sqrt(ra * ra / L2 - u * u)
    return [A[0] + u * d[0] - v * d[1], A[1] + u * d[1] + v * d[0]]


class Machine:
    """bodies(X): [(mass, I 3x3 in body axes, r of com, R)]; drives(X): coordinates; slides(X):
    [(viscous, coordinate)]; limits [(min, max)]; rotor: reflected inertia per drive."""
    gravity = (0, 0, 0)
    rotor = None
    speed = None

    def slides(self, X):
        return []

    def coefficients(self, path, p):
        p = mp.mpf(p)
        X = [path(p + i * H) for i in (-1, 0, 1)]
        f, k = len(X[1]), len(self.limits)
        at = [self.bodies(x) for x in X]
        q = [self.drives(x) for x in X]
        fr = [self.slides(x) for x in X]
        rotor = self.rotor or [0] * k
        W = np.zeros((f, k))
        rhs = [[mp.mpf(0)] * 4 for _ in range(f)]
        motion = []
        for b in range(len(at[1])):
            m, I, r, R = at[1][b]
            rm, rp_, Rm, Rp = at[0][b][2], at[2][b][2], at[0][b][3], at[2][b][3]
            v = [(x - y) / (2 * H) for x, y in zip(rp_, rm)]
            acc = [(x - 2 * z + y) / H ** 2 for x, z, y in zip(rp_, r, rm)]
            w = vee(lin(Rp, Rm, 1 / (2 * H), -1 / (2 * H)), R)
            R2 = lin(lin(Rp, Rm, 1, 1), R, 1 / H ** 2, -2 / H ** 2)
            al = vee(R2, R)
            J = matmul(matmul(R, I), transpose(R))
            motion.append((m, v, acc, mul(J, w), add(mul(J, al), cross(w, mul(J, w)))))
        qp = [(x - y) / (2 * H) for x, y in zip(q[2], q[0])]
        qpp = [(x - 2 * z + y) / H ** 2 for x, z, y in zip(q[2], q[1], q[0])]
        sp = [(x[1] - y[1]) / (2 * H) for x, y in zip(fr[2], fr[0])]
        for i in range(f):
            e = [H if j == i else 0 for j in range(f)]
            xp, xm = add(X[1], e), sub(X[1], e)
            bp, bm, dp, dm = self.bodies(xp), self.bodies(xm), self.drives(xp), self.drives(xm)
            for b, (m, v, acc, Lw, La) in enumerate(motion):
                dr = [(x - y) / (2 * H) for x, y in zip(bp[b][2], bm[b][2])]
                dw = vee(lin(bp[b][3], bm[b][3], 1 / (2 * H), -1 / (2 * H)), at[1][b][3])
                rhs[i][0] += m * dot(acc, dr) + dot(La, dw)
                rhs[i][2] -= m * dot([mp.mpf(g) for g in self.gravity], dr)
                rhs[i][3] += m * dot(v, dr) + dot(Lw, dw)
            for j in range(k):
                dq = (dp[j] - dm[j]) / (2 * H)
                W[i, j] = float(dq)
                rhs[i][0] += rotor[j] * qpp[j] * dq
                rhs[i][3] += rotor[j] * qp[j] * dq
            for (c, s1), (_, s2), rate in zip(self.slides(xp), self.slides(xm), sp):
                rhs[i][1] += c * rate * (s1 - s2) / (2 * H)
        R = np.array([[float(x) for x in row] for row in rhs])
        top = np.inf
        if self.speed:
            for vmax, rate in zip(self.speed, qp):
                if vmax is not None and rate != 0:
                    top = min(top, float(vmax / abs(rate)))
        return Pose(W, R, np.array(self.limits, float), top)


class Pose:
    def __init__(self, W, R, limits, top=np.inf):
        # each row scaled by its greatest drive coefficient, drives by their limits
        s = np.abs(W).max(axis=1)
        self.W, self.R, self.limits, self.top = W / s[:, None], R / s[:, None], limits, top
        self.k = W.shape[1]

    def lp(self, cost, d1=None, d2=None, squares=False):
        """min cost . (s or d2..., n). Unknowns: [s, d2, n] when squares (B = 0), else [d2, n]."""
        a, b, c, d = self.R.T
        bounds = [(None if np.isinf(u) else u, None if np.isinf(v) else v) for u, v in self.limits]
        if squares:
            A = np.column_stack([-a, -d, self.W])
            rhs = c
            bounds = [(0, self.top ** 2 if np.isfinite(self.top) else None), (None, None)] + bounds
        else:
            A = np.column_stack([-d, self.W])
            rhs = a * d1 * d1 + b * d1 + c
            bounds = [(None, None) if d2 is None else (d2, d2)] + bounds
        # columns scaled so that HiGHS' absolute tolerance of 1e-9 is far below the digits wanted
        scale = np.abs(A).max(axis=0)
        scale[scale == 0] = 1
        B = [(None if l is None else l * s, None if h is None else h * s)
             for (l, h), s in zip(bounds, scale)]
        row = np.abs(rhs).max() or 1.0
        big = max([abs(x) for lh in B for x in lh if x is not None] + [row, 1.0])
        B = [(None if l is None else l / big, None if h is None else h / big) for l, h in B]
        r = linprog(np.array(cost) / scale, A_eq=A / scale, b_eq=rhs / big, bounds=B,
                    method="highs-ds", options=dict(primal_feasibility_tolerance=1e-10,
                                                    dual_feasibility_tolerance=1e-10))
        if r.status == 2:
            return None
        if r.status == 3:
            return np.inf
        if r.status != 0:
            return None
        return r.x * big / scale

    def slice(self, d1):
        cost = np.zeros(self.k + 1)
        out = []
        for s in (1, -1):
            cost[0] = s
            x = self.lp(cost, d1)
            if x is None:
                return None
            out.append(x[0] if not np.isscalar(x) else -s * np.inf)
        return out

    def linear(self):
        return not np.any(np.abs(self.R[:, 1]) > 1e-15 * np.abs(self.R).max())

    def d1_max(self, still=False, high=1e4):
        """Greatest d1 (still: with d2 = 0)."""
        if self.linear() and not still:
            cost = np.zeros(self.k + 2)
            cost[0] = -1
            x = self.lp(cost, squares=True)
            return None if x is None else np.inf if np.isscalar(x) else np.sqrt(max(x[0], 0))
        ok = lambda d: self.lp(np.zeros(self.k + 1), d, 0.0 if still else None) is not None
        lo, hi = 0.0, min(high, self.top)
        if ok(hi):
            return hi
        if not ok(lo):  # an island away from rest: find it first
            grid = [d for d in np.linspace(0, hi if hi < high else 60, 2000) if ok(d)]
            if not grid:
                return None
            lo = grid[-1]
        for _ in range(80):
            mid = 0.5 * (lo + hi)
            lo, hi = (mid, hi) if ok(mid) else (lo, mid)
        return lo

    def polygon(self):
        """Vertices of the region in (s = d1^2, d2) by support programs (B = 0), counter-clockwise."""
        def support(u):
            cost = np.zeros(self.k + 2)
            cost[:2] = -np.array(u)
            x = self.lp(cost, squares=True)
            if x is None or np.isscalar(x):
                return None
            return x[:2]
        w = support((0, 1))
        if w is None:
            return None
        size = np.array([max(support((1, 0))[0], 1e-9), max(abs(w[1]), abs(support((0, -1))[1]))])
        first = [support(np.array(u) / size) for u in ((1, 0), (0, 1), (-1, 0), (0, -1))]
        out = []

        def refine(P, Q):
            e = (Q - P) / size
            L = np.hypot(*e)
            if L < 1e-9:
                return
            n = np.array([e[1], -e[0]]) / L / size
            S = support(n)
            if n @ (S - P) > 1e-8:
                refine(P, S)
                out.append(S)
                refine(S, Q)
        for P, Q in zip(first, first[1:] + first[:1]):
            out.append(P)
            refine(P, Q)
        keep = []
        for v in out:
            if all(np.abs((v - w) / size).max() > 1e-8 for w in keep):
                keep.append(v)
        return np.array(keep)

    def slices(self, d1):
        """Bounds of d2 for many d1 at once: every vertex of the polytope in (d2, y) is tried."""
        _, t, Vt = np.linalg.svd(self.W)
        rank = int((t > 1e-10 * t[0]).sum())
        half = np.ptp(self.limits, axis=1) / 2
        V = Vt[rank:].T
        r = V.shape[1]
        P = np.linalg.pinv(self.W)
        base = P @ (self.R[:, :1] * d1 ** 2 + self.R[:, 1:2] * d1 + self.R[:, 2:3])
        D = P @ self.R[:, 3]
        DV = np.column_stack([D, V])
        low, high = np.full(len(d1), np.inf), np.full(len(d1), -np.inf)
        for J in combinations(range(self.k), r + 1):
            M = DV[list(J)]
            if np.linalg.cond(M / half[list(J), None]) > 1e10:
                continue
            for sides in product((0, 1), repeat=r + 1):
                lim = np.array([self.limits[j, s] for j, s in zip(J, sides)])
                z = np.linalg.solve(M, lim[:, None] - base[list(J)])
                n = base + DV @ z
                ok = ((n - self.limits[:, :1] >= -1e-9 * half[:, None]) &
                      (n - self.limits[:, 1:] <= 1e-9 * half[:, None])).all(axis=0) & (d1 <= self.top)
                low[ok] = np.minimum(low[ok], z[0, ok])
                high[ok] = np.maximum(high[ok], z[0, ok])
        return low, high

    def circuits(self):
        _, s, Vt = np.linalg.svd(self.W)
        rank = int((s > 1e-9 * s[0]).sum())
        V = Vt[rank:].T
        r = V.shape[1]
        if r == 0:
            return self.k
        found = set()
        for J in combinations(range(self.k), r + 1):
            u, t, _ = np.linalg.svd(V[list(J)])
            if t[-1] < 1e-9:
                continue
            w = u[:, -1]
            found.add(tuple(j for j, x in zip(J, w) if abs(x) > 1e-9))
        return len(found)


def region_area(P):
    """Area in the d1-d2 plane of a polygon in (d1^2, d2): boundary integral of -d2 dd1, exact."""
    A = 0.0
    for (s0, u0), (s1, u1) in zip(P, np.roll(P, -1, axis=0)):
        x0, x1 = np.sqrt(max(s0, 0)), np.sqrt(max(s1, 0))
        if x0 == x1:
            continue
        m = (u1 - u0) / (s1 - s0)
        A -= (u0 - m * s0) * (x1 - x0) + m * (x1 ** 3 - x0 ** 3) / 3
    return A


def clip(P, Q):
    """Intersection of two convex polygons (Sutherland and Hodgman)."""
    size = np.abs(P).max(axis=0)
    for q0, q1 in zip(Q, np.roll(Q, -1, axis=0)):
        e = q1 - q0
        g = [(e[0] * (v[1] - q0[1]) - e[1] * (v[0] - q0[0])) / (size[0] * size[1]) for v in P]
        out = []
        for i in range(len(P)):
            j = (i + 1) % len(P)
            if g[i] >= 0:
                out.append(P[i])
            if (g[i] > 0 > g[j]) or (g[i] < 0 < g[j]):
                out.append(P[i] + (P[j] - P[i]) * g[i] / (g[i] - g[j]))
        P = out
        if len(P) < 3:
            return np.zeros((0, 2))
    return np.array(P)


def trajectory(machine, path, start, end, points, cells=0):
    """Criteria of a whole path: d1_max, speed, accel, area_mean, area (common region).
    Areas are exact for B = 0; with cells they are midpoint sums over that many slices in d1."""
    poses = [machine.coefficients(path, start + (end - start) * mp.mpf(i) / (points - 1))
             for i in range(points)]
    rest = [x.slice(0.0) for x in poses]
    out = dict(d1_max=min(x.d1_max() for x in poses),
               speed=min(x.d1_max(still=True) for x in poses))
    if all(x is not None for x in rest):
        out["accel"] = min(min(-lo, hi) for lo, hi in rest)
    if cells:
        step = out["d1_max"] / cells
        d1 = step * (np.arange(cells) + 0.5)
        low, high = np.array([x.slices(d1) for x in poses]).transpose(1, 0, 2)
        out["area"] = float(np.maximum(high.min(axis=0) - low.max(axis=0), 0).sum() * step)
    else:
        polygons = [x.polygon() for x in poses]
        out["area_mean"] = float(np.mean([region_area(P) for P in polygons]))
        C = polygons[0]
        for P in polygons[1:]:
            C = clip(C, P) if len(C) else C
        out["area"] = region_area(C) if len(C) else 0.0
    return out


def modes(machine, X, stiffness, translations):
    """Lowest eigenfrequency [Hz] and least translational stiffness at the tool, drives as springs."""
    rows, at = len(X), machine.bodies(X)
    step = lambda i, s: [x + (s * H if j == i else 0) for j, x in enumerate(X)]
    W, parts = np.zeros((rows, len(machine.limits))), []
    for i in range(rows):
        up, down = machine.bodies(step(i, 1)), machine.bodies(step(i, -1))
        W[i] = [float((a - b) / (2 * H)) for a, b in
                zip(machine.drives(step(i, 1)), machine.drives(step(i, -1)))]
        parts.append([([(x - y) / (2 * H) for x, y in zip(u[2], d[2])],
                       vee(lin(u[3], d[3], 1 / (2 * H), -1 / (2 * H)), b[3]))
                      for u, d, b in zip(up, down, at)])
    M = np.zeros((rows, rows))
    for i in range(rows):
        for j in range(rows):
            for (vi, wi), (vj, wj), (m, I, _, R) in zip(parts[i], parts[j], at):
                J = matmul(matmul(R, I), transpose(R))
                M[i, j] += float(m * dot(vi, vj) + dot(wi, mul(J, wj)))
    rotor = np.array([float(x) for x in machine.rotor or [0] * W.shape[1]])
    M += W @ np.diag(rotor) @ W.T
    K = W @ np.diag(stiffness) @ W.T
    lowest = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real.min()) / (2 * np.pi)
    soft = np.linalg.eigvalsh(np.linalg.inv(K)[:translations, :translations]).max()
    return lowest, 1 / soft
