"""Objectives of the synthesis problems away from their start designs, by the machines of machines.py at other
dimensions. Usage: designs.py [CASE]...   (rrr4, five_bar3, five_bar_catalogue, ups6, ipanema_anchors, star)"""
import sys

from expected import *


class Rrr4Design(Rrr4):
    base, crank, rod, half = f("0.3"), f("0.18"), f("0.22"), f("0.12")

    def bodies(self, X):
        out = [(2, flat("0.012"), [X[0], X[1], 0], rotz(X[2]))]
        for B, E, A in self.legs(X):
            out += [bar(f("0.5") * self.crank / f("0.25"), B, E), bar(f("0.4") * self.rod / f("0.32"), E, A)]
        return out


class FiveBar3Design(FiveBar3):
    A, B = vec("-0.1", 0), vec("0.1", 0)
    l1, l2 = f("0.26"), f("0.3")

    def bodies(self, X):
        E, F = self.elbows(X)
        m, n = f("0.6") * self.l1 / f("0.25"), f("0.4") * self.l2 / f("0.35")
        return [bar(m, self.A, E), bar(m, self.B, F), bar(n, E, X), bar(n, F, X)]


UPS6_DESIGN = Ups([-20, 20, 100, 140, 220, 260], [-52, 52, 68, 172, 188, 292], f("0.9"), f("0.5"),
                  1500, SCREW, f("0.9"))


class Anchors(Ipanema):
    limits = [(20, 720)] * 8


class AnchorsDesign(Anchors):
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    anchors = [vec(f(x) * f("1.4"), f(y) * f("1.8"), f("2.2")) for x, y in corners] + \
        [vec(f(x) * f("2.1"), f(y) * f("1.2"), f("0.1")) for x, y in corners]
    points = [vec(f(x) * f("0.15"), f(y) * f("0.15"), 0) for x, y in corners] * 2


class StarDesign(Star):
    rail, leg, half = f("0.45"), f("0.6"), f("0.1")
    limits, speed = [(-1200, 1200)] * 4, [4] * 4

    def bodies(self, X):
        out = [(12, flat("0.08"), [X[0], X[1], 0], rotz(X[2]))]
        m = f("2.5") * self.leg / f("0.65")
        for a, q, P, A in self.legs(X):
            out.append((2 + 2 * f(1200) / 900, flat("0.01"), P + [0], rotz(a)))
            out.append((m, flat(m * self.leg ** 2 / 12), [(P[0] + A[0]) / 2, (P[1] + A[1]) / 2, 0],
                        rotz(mp.atan2(A[1] - P[1], A[0] - P[0]))))
        return out


class Catalogue(FiveBar3):
    """Square tubes of carbon, 25 x 1.5 mm; large motors."""
    limits = [(-30, 30), (-30, 30), (-6, 6)]
    rotor = [f("4e-5") * 1600] * 2 + [f("1e-5") * 900]
    line = f(1600) * 4 * f("0.0015") * f("0.0235")

    def bodies(self, X):
        E, F = self.elbows(X)
        m, n = self.line * self.l1, self.line * self.l2
        return [bar(m, self.A, E), bar(m, self.B, F), bar(n, E, X), bar(n, F, X)]


def mass(machine, X):
    return float(sum(f(b[0]) for b in machine.bodies(X)))


def rrr4():
    c = lambda p: [f(".06") * mp.cos(p), f(".06") * mp.sin(p), f(".1")]
    m = Rrr4Design()
    return whole("circle", m, c, *TURN, 101) + [("mass", mass(m, c(f(0))))]


def five_bar3():
    c = lambda p: [f(".08") * mp.cos(p), f(".4") + f(".05") * mp.sin(p)]
    m = FiveBar3Design()
    return whole("oval", m, c, *TURN, 101) + [("mass", mass(m, c(f(0))))]


def five_bar_catalogue():
    c = lambda p: [f(".08") * mp.cos(p), f(".4") + f(".05") * mp.sin(p)]
    m = Catalogue()
    kg = mass(m, c(f(0)))
    rows = whole("oval", m, c, *TURN, 101) + [("mass", kg), ("cost", 2 * 520 + 90 * kg)]
    bend = (0.025 ** 4 - 0.022 ** 4) / 12
    return rows + [("bending", 3 * 120e9 * bend / 0.35 ** 3)]


def ups6():
    c = ring(".1", ".85")
    rows = whole("circle", UPS6_DESIGN, c, *TURN, 51)
    tilt = lambda p: [f(0), f(0), f(".85"), f(".2") * mp.cos(p), f(".2") * mp.sin(p), f(0)]
    soft = [modes(UPS6_DESIGN, t(2 * mp.pi * i / 50), [2e7] * 6, 3)[1] for t in (c, tilt) for i in range(50)]
    legs = [float(norm(d)) for i in range(50) for _, _, d in UPS6_DESIGN.legs(c(2 * mp.pi * i / 50))]
    return rows + [("stiffness", min(soft)), ("longest at 50 points", max(legs)), ("shortest", min(legs))]


def ipanema_anchors():
    c = ring(".5", 1)
    rows = whole("start circle", Anchors(), c, *TURN, 51)
    w = [modes(AnchorsDesign(), c(2 * mp.pi * i / 50), [1e5] * 8, 3)[1] for i in range(50)]
    return rows + whole("circle", AnchorsDesign(), c, *TURN, 51) + [("stiffness", min(w))]


def star():
    m = StarDesign()
    circle = lambda p: [f(".12") * mp.cos(p), f(".12") * mp.sin(p), f(0)]
    rows = whole("circle", m, circle, *TURN, 201, cells=4000)
    w = [modes(m, circle(2 * mp.pi * i / 200), [4e7] * 4, 2)[1] for i in range(200)]
    return rows + [("circle.stiffness", min(w)), ("mass", mass(m, circle(f(0))))]


if __name__ == "__main__":
    for case in sys.argv[1:]:
        print("#", case)
        for quantity, value in globals()[case]():
            print("  %s: %.10g" % (quantity, value))
