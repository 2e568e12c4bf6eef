"""Linear programs in rational numbers: no rounding, no tolerance, no scaling.

    max or min x_goal   subject to   low_i <= sum_j G_ij x_j <= high_i,   x free

Every row has a slack s_i = G_i x within its limits. The free x are pivoted into the basis once and never leave
it; what remains is a bounded simplex method over the slacks with Bland's rule, which cannot cycle. Feasibility is found as by
Dutertre and de Moura (A fast linear-arithmetic solver for DPLL(T), CAV 2006)."""
import math
from fractions import Fraction

INFEASIBLE, UNBOUNDED, OPTIMAL = "infeasible", "unbounded", "optimal"


def rational(x):
    """A limit: a rational number, or None where there is none."""
    return None if x is None or (isinstance(x, float) and math.isinf(x)) else Fraction(x)


class Program:
    def __init__(self, G):
        """G: rows of numbers; floats are taken as the rationals they are."""
        self.m, self.n = len(G), len(G[0])
        self.G = [[Fraction(g) for g in row] for row in G]
        self.T = [row[:] for row in self.G]  # basic = T nonbasic
        self.basic = [self.n + i for i in range(self.m)]
        self.nonbasic = list(range(self.n))
        self.low, self.high = [None] * self.m, [None] * self.m

    def limits(self, low, high):
        """New limits of all rows; the basis stays."""
        self.low, self.high = [rational(x) for x in low], [rational(x) for x in high]

    # --- the tableau -----------------------------------------------------------------------------------

    def bounds(self, variable):
        return (None, None) if variable < self.n else (self.low[variable - self.n], self.high[variable - self.n])

    def pivot(self, i, j):
        """Basic variable i and nonbasic variable j change places."""
        row = self.T[i]
        p = 1 / row[j]
        row = [-x * p for x in row]
        row[j] = p
        for k, other in enumerate(self.T):
            f = other[j]
            if k == i or f == 0:
                continue
            self.T[k] = [x + f * y for x, y in zip(other, row)]
            self.T[k][j] = f * p
        self.T[i] = row
        self.basic[i], self.nonbasic[j] = self.nonbasic[j], self.basic[i]

    def free_first(self):
        """Takes free variables and slacks without limits into the basis, as far as the columns allow."""
        for j in range(self.n):
            low, high = self.bounds(self.nonbasic[j])
            if low is not None or high is not None:
                continue
            for i in range(self.m):
                low, high = self.bounds(self.basic[i])
                if (low is not None or high is not None) and self.T[i][j] != 0:
                    self.pivot(i, j)
                    break

    def start(self):
        """Nonbasic variables at one of their limits, the basic ones accordingly."""
        self.free_first()
        self.at = []
        for v in self.nonbasic:
            low, high = self.bounds(v)
            self.at.append(low if low is not None else high if high is not None else Fraction(0))
        self.value = [sum((t * x for t, x in zip(row, self.at) if t), Fraction(0)) for row in self.T]

    def move(self, j, by):
        self.at[j] += by
        for i, row in enumerate(self.T):
            if row[j]:
                self.value[i] += row[j] * by

    def can(self, j, rising):
        low, high = self.bounds(self.nonbasic[j])
        return (high is None or self.at[j] < high) if rising else (low is None or self.at[j] > low)

    # --- the two phases --------------------------------------------------------------------------------

    def feasible(self):
        """A point that keeps all limits, by repair of one basic variable after the other."""
        if any(a is not None and b is not None and a > b for a, b in zip(self.low, self.high)):
            return False
        self.start()
        while True:
            wrong = None
            for i, v in enumerate(self.basic):
                low, high = self.bounds(v)
                short = low is not None and self.value[i] < low
                if (short or (high is not None and self.value[i] > high)) and (wrong is None or v < wrong[0]):
                    wrong = (v, i, low if short else high, short)
            if wrong is None:
                return True
            _, i, goal, rising = wrong
            choice = [(self.nonbasic[j], j) for j in range(self.n)
                      if self.T[i][j] and self.can(j, (self.T[i][j] > 0) == rising)]
            if not choice:
                return False
            j = min(choice)[1]
            self.move(j, (goal - self.value[i]) / self.T[i][j])
            self.swap(i, j)

    def swap(self, i, j):
        value = self.value[i]
        self.pivot(i, j)
        self.value[i], self.at[j] = self.at[j], value

    def improve(self, goal, sign):
        """Phase two for sign * x_goal. A goal outside of the basis is not held by any row."""
        if goal in self.nonbasic:
            return UNBOUNDED
        while True:
            row = self.T[self.basic.index(goal)]
            choice = [(self.nonbasic[j], j) for j in range(self.n)
                      if row[j] and self.can(j, (row[j] > 0) == (sign > 0))]
            if not choice:
                return OPTIMAL
            j = min(choice)[1]
            up = 1 if (row[j] > 0) == (sign > 0) else -1
            low, high = self.bounds(self.nonbasic[j])
            end = high if up > 0 else low
            step, leaving = (None if end is None else abs(end - self.at[j])), None
            for i, v in enumerate(self.basic):
                rate = self.T[i][j] * up
                low, high = self.bounds(v)
                end = high if rate > 0 else low
                if rate == 0 or end is None:
                    continue
                room = (end - self.value[i]) / rate
                if step is None or room < step or (room == step and leaving is not None
                                                   and v < self.basic[leaving]):
                    step, leaving = room, i
            if step is None:
                return UNBOUNDED
            self.move(j, step * up)
            if leaving is not None:
                self.swap(leaving, j)

    def solve(self, goal, sign):
        """Outcome and optimum. Afterwards x() and multipliers() tell the solution."""
        if not self.feasible():
            return INFEASIBLE, None
        outcome = self.improve(goal, sign)
        return outcome, self.value[self.basic.index(goal)] if outcome == OPTIMAL else None

    def x(self):
        out = [Fraction(0)] * self.n
        for v, value in list(zip(self.basic, self.value)) + list(zip(self.nonbasic, self.at)):
            if v < self.n:
                out[v] = value
        return out
