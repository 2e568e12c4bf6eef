"""What the drives can do at one pose, by linear programs in (d2, n) straight from the limits.

N^T T n = N^T (a d1^2 + b d1 + c + d d2) with N a basis of the null space of the constraints: no
elementary vectors, no null space of the drives, no envelopes."""
import math

import numpy as np
from scipy.optimize import linprog

from mechanism import InDoubt, null_space, rank_of

NOTHING = 1e-9  # share of the pace's own inertia forces below which centripetal forces are differences' noise
NO_ACCELERATION = 1e9  # in units of what the greatest limit gives
ROUNDING = 1e-12  # share of a vector below which its part along the freedoms is rounding
FAST = 1e3  # d1 beyond this is not told from unbounded
FEASIBLE = 1e-10  # of the linear programs, in shares of the largest force in play


def tidy(x, size):
    """Without what is rounding: the linear programs scale their rows and would take it for numbers."""
    return np.where(np.abs(x) > ROUNDING * size, x, 0.0)


def independent(A, b):
    """As many equations as the rank: HiGHS takes the rounding between dependent ones for a contradiction."""
    if len(A) < 2:
        return A, b
    U, s, _ = np.linalg.svd(np.column_stack([A, b]), full_matrices=False)
    keep = U[:, s > 1e-11 * max(s[0], 1e-300)].T
    return keep @ A, keep @ b


class Programs:
    def __init__(self, machine, C, T, a, b, c, d, u, column_scale):
        S = column_scale
        Cs = C * S
        size = np.linalg.norm(Cs, axis=1, keepdims=True)
        self.rank, _ = rank_of(Cs / np.where(size > 0, size, 1), "rank of the constraints")
        self.pace = float(np.linalg.norm(u))
        self.N = null_space(Cs / np.where(size > 0, size, 1), self.rank)
        Ts = T * S[:, None]
        self.H = tidy(self.N.T @ Ts, np.linalg.norm(Ts, axis=0))
        self.rhs = [tidy(self.N.T @ (S * x), np.linalg.norm(S * x)) for x in (a, b, c, d)]
        pace = np.linalg.norm(d * S) * np.linalg.norm(u / S)
        if np.linalg.norm(self.rhs[0]) <= NOTHING * pace:
            self.rhs[0] = 0 * self.rhs[0]
        length = np.linalg.norm(Ts, axis=0)
        self.served, _ = rank_of(self.H / np.where(length > 0, length, 1), "rank of the drives")
        self.balance = self.split(length)
        # A drive that the constraints carry alone (no effect on the freedoms) is not in doubt, a small one is.
        self.speed_limit, self.limits = math.inf, []
        fastest = max([abs(t @ u) for t in T.T] + [0.0])
        for i, drive in enumerate(machine.drives.values()):
            low, high = self.range_of(drive)
            speed = float(T[:, i] @ u)
            if "speed" in drive and "wrench" not in drive and abs(speed) > 1e-9 * fastest:
                if abs(speed) < 1e-6 * fastest:
                    raise InDoubt("a drive's speed")
                self.speed_limit = min(self.speed_limit, float(drive["speed"]["max"]) / abs(speed))
            lines = []
            curve = drive.get("curve", [])
            for (v0, f0), (v1, f1) in zip(curve, curve[1:]):
                slope = (f1 - f0) / (v1 - v0)
                lines.append((f0 - slope * v0, slope * speed))
            self.limits.append((low, high, lines))
        finite = [abs(x) for low, high, lines in self.limits
                  for x in [low, high] + [l[0] for l in lines] if math.isfinite(x)]
        self.unit = max(finite + [1.0])
        pace = np.linalg.norm(self.rhs[3])
        self.d2_unit = self.unit / pace if pace > 0 else 1.0
        self.moves_linearly = np.abs(self.rhs[1]).max(initial=0) <= 1e-9 * self.unit and not any(
            abs(slope) > 0 for _, _, lines in self.limits for _, slope in lines)

    def split(self, length):
        """(H, [a, b, c, d]) with what no drive can do in rows of its own, each of the size of the whole: it is known to
        NOTHING of its own loads, however small it is beside what the drives carry."""
        U = np.linalg.svd(self.H / np.where(length > 0, length, 1))[0]
        carried, left = U[:, :self.served].T, U[:, self.served:].T
        sizes = [np.linalg.norm(x) for x in self.rhs]
        alone = np.column_stack([left @ x for x in self.rhs])
        alone = np.linalg.svd(alone)[0].T @ alone  # dependent rows become zero but for noise
        alone = np.where(np.abs(alone) > NOTHING * np.array(sizes), alone, 0.0)
        scale = np.linalg.norm(alone, axis=1)
        scale = np.where(scale > 0, scale, 1.0) / max(sizes + [1e-300])
        rhs = [np.concatenate([carried @ x, y / scale]) for x, y in zip(self.rhs, alone.T)]
        return np.vstack([carried @ self.H, np.zeros((len(left), self.H.shape[1]))]), rhs

    @staticmethod
    def range_of(drive):
        from mechanism import limits_of
        return limits_of(drive)

    def equations(self):
        H, rhs = self.balance
        return H, [x / self.unit for x in rhs]

    def load(self, d1):
        """The d2 that the loads at d1 and the limits would give to the machine: the scale of answers."""
        a, b, c, d = self.rhs
        force = np.linalg.norm(a) * d1**2 + np.linalg.norm(b) * d1 + np.linalg.norm(c)
        pace = np.linalg.norm(d)
        return force / pace if pace > 0 else 0.0

    def share_of_motion(self, d1):
        """What the motion at d1 itself takes, as a share of the largest limit."""
        return (np.linalg.norm(self.rhs[0]) * d1**2 + np.linalg.norm(self.rhs[1]) * d1) / self.unit

    def bounds(self, d1):
        out = []
        for low, high, lines in self.limits:
            for alpha, slope in lines:
                high, low = min(high, alpha + slope * d1), max(low, -alpha + slope * d1)
            out.append((low / self.unit, high / self.unit))
        return out

    def run(self, cost, A, b, bounds):
        """HiGHS; 'infeasible', 'unbounded' or the solution. Rows have unit length."""
        A, b = independent(A, b)
        size = np.linalg.norm(A, axis=1)
        size = np.where(size > 0, size, 1.0)
        for low, high in bounds:
            if low is not None and high is not None and low > high:
                return "infeasible"
        answer = linprog(cost, A_eq=A / size[:, None], b_eq=b / size, bounds=bounds, method="highs",
                         options={"presolve": False, "primal_feasibility_tolerance": FEASIBLE,
                                  "dual_feasibility_tolerance": FEASIBLE})
        if answer.status == 0:
            return answer.x
        if answer.status == 2:
            return "infeasible"
        if answer.status == 3:
            return "unbounded"
        if np.any(cost):
            again = self.run(0 * cost, A, b, bounds)
            return again if isinstance(again, str) else "unbounded"
        raise InDoubt("a linear program: " + answer.message)

    def slice(self, d1):
        """(least, maximum d2) at d1, None when it is empty. Units: as given."""
        H, (a, b, c, d) = self.equations()
        A = np.hstack([-d[:, None] * self.d2_unit, H])
        right = a * d1**2 + b * d1 + c
        bounds = [(None, None)] + self.plain(self.bounds(d1))
        ends = []
        for sign in (1.0, -1.0):
            cost = np.zeros(A.shape[1])
            cost[0] = sign
            x = self.run(cost, A, right, bounds)
            if isinstance(x, str):
                if x == "infeasible":
                    return None
                ends.append(-sign * math.inf)
            else:
                if abs(x[0]) > NO_ACCELERATION:
                    raise InDoubt("an acceleration that only rounding can give")
                ends.append(x[0] * self.d2_unit)
        return tuple(ends)

    @staticmethod
    def plain(bounds):
        return [(None if low == -math.inf else low, None if high == math.inf else high)
                for low, high in bounds]

    def violation(self, d1):
        """Least amount, in shares of the largest limit, by which limits and balance must give way at d1."""
        H, (a, b, c, d) = self.equations()
        k, f = H.shape[1], H.shape[0]
        right = a * d1**2 + b * d1 + c
        # n = m + e, limits on m, |e| <= s, and residuals of the balance of at most s
        A = np.hstack([-d[:, None] * self.d2_unit, H, np.eye(f), -np.eye(f), np.zeros((f, 1))])
        cost = np.zeros(A.shape[1])
        cost[-1] = 1.0
        bounds, upper, rows = self.bounds(d1), [], []
        free = [(None, None)] * (1 + k) + [(0, None)] * (2 * f + 1)
        for j, (low, high) in enumerate(bounds):
            for limit, sign in ((high, 1.0), (low, -1.0)):
                if math.isfinite(limit):
                    row = np.zeros(A.shape[1])
                    row[1 + j], row[-1] = sign, -1.0
                    rows.append(row)
                    upper.append(sign * limit)
        for i in range(2 * f):
            row = np.zeros(A.shape[1])
            row[1 + k + i], row[-1] = 1.0, -1.0
            rows.append(row)
            upper.append(0.0)
        answer = linprog(cost, A_ub=np.array(rows), b_ub=upper, A_eq=A, b_eq=right, bounds=free,
                         method="highs", options={"presolve": False, "primal_feasibility_tolerance": FEASIBLE,
                                                  "dual_feasibility_tolerance": FEASIBLE})
        if answer.status != 0:
            raise InDoubt("a linear program: " + answer.message)
        return float(answer.x[-1])

    def fastest(self):
        """Greatest d1^2 (inf: beyond FAST, None: nothing) where everything is linear in it, and the d1^2 that would
        take the greatest limit for its own."""
        H, (a, b, c, d) = self.equations()
        size = np.linalg.norm(self.rhs[0]) / self.unit
        x_unit = 1.0 / size if size > 0 else 1.0
        A = np.hstack([-a[:, None] * x_unit, -d[:, None] * self.d2_unit, H])
        cost = np.zeros(A.shape[1])
        cost[0] = -1.0
        top = min(self.speed_limit, FAST)**2 / x_unit
        x = self.run(cost, A, c, [(0, top), (None, None)] + self.plain(self.bounds(0.0)))
        if isinstance(x, str):
            return None, x_unit
        square = max(0.0, x[0] * x_unit)
        return (math.inf if square > (0.999 * FAST)**2 else square), x_unit
