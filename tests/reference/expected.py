"""Prints the dynamic part of every case's expect: block. Usage: expected.py [CASE]..."""
import sys

from machines import *

TURN = (0, 2 * mp.pi)


def at(name, machine, path, p, d1=(), lengths=None, circuits=False, area=True):
    x = machine.coefficients(path, f(p))
    rows = []
    rest = x.slice(0.0)
    if rest:
        rows += [("rest_min", rest[0]), ("rest_max", rest[1])]
    rows.append(("d1_max", x.d1_max()))
    rows = [("%s.%s@%s" % (name, q, p), v) for q, v in rows]
    for d in d1:
        lo, hi = x.slice(d)
        rows += [("%s.d2_min@%s(%s)" % (name, p, d), lo), ("%s.d2_max@%s(%s)" % (name, p, d), hi)]
    if area and x.linear():
        P = x.polygon()
        rows.append(("%s.area@%s" % (name, p), 0.0 if P is None else region_area(P)))
    if lengths:
        q = machine.drives(path(f(p)))
        sign = -1 if isinstance(machine, (Cables, PlanarCables)) else 1
        rows += [("%s.length(%s)@%s" % (name, n, p), sign * float(q[i])) for i, n in lengths]
    if circuits:
        rows.append(("%s.circuits@%s" % (name, p), x.circuits()))
    return rows


def whole(name, *arguments, **options):
    return [("%s.%s" % (name, k), v) for k, v in trajectory(*arguments, **options).items()]


def star(fast=True):
    m, free = Star(), Star()
    m.speed = [4] * 4
    circle = lambda p: [f(".12") * mp.cos(p), f(".12") * mp.sin(p), f(0)]
    offset = lambda p: [f(".06") + f(".08") * mp.cos(p / f(".08")),
                        f(".04") + f(".08") * mp.sin(p / f(".08")), f(0)]
    rows = at("circle", m, circle, "1", (5,)) + whole("circle", m, circle, *TURN, 201, cells=4000)
    w = [modes(m, circle(2 * mp.pi * i / 200), [4e7] * 4, 2) for i in range(200)]
    rows += [("circle.frequency", min(x[0] for x in w)), ("circle.stiffness", min(x[1] for x in w))]
    return rows + at("offset", m, offset, "0.1", (1,)) + \
        whole("offset", m, offset, 0, 2 * mp.pi * f(".08"), 201, cells=4000)


def star_free():
    circle = lambda p: [f(".12") * mp.cos(p), f(".12") * mp.sin(p), f(0)]
    return sum((at("circle", Star(), circle, p, (10,)) for p in ("0", "0.5", "1.5", "3", "5")), [])


def two_link_arm():
    line = lambda s: [f("1.5") * s, f("1.5") * (1 - s)]
    m = TwoLinkArm()
    return sum((at("line", m, line, p, (1,)) for p in ("0", "0.3", "0.85")), []) + \
        whole("line", m, line, 0, 1, 101)


def ups6():
    c = ring(".1", ".9")
    t = lambda p: [f(0), f(0), f(".9"), f(".2") * mp.cos(p), f(".2") * mp.sin(p), f(0)]
    return at("circle", UPS6, c, "0.7", (3,), [(0, "m1")]) + whole("circle", UPS6, c, *TURN, 51) + \
        at("tilt", UPS6, t, "2.385", (3,), [(3, "m4")]) + whole("tilt", UPS6, t, *TURN, 51)


def ups8():
    c = ring(".1", ".9")
    t = lambda p: c(p)[:3] + [f(".1") * mp.sin(p), f(0), f(".2") * mp.cos(p)]
    return at("circle", UPS8, c, "0.7", (3,), [(0, "m1")], True) + whole("circle", UPS8, c, *TURN, 51) + \
        at("screw", UPS8, t, "2.385", (3,), [(7, "m8")], True) + whole("screw", UPS8, t, *TURN, 51)


def kntu():
    m = PlanarCables()
    c = lambda p: [f(".3") * mp.cos(p), f(".3") * mp.sin(p), f(0)]
    s = lambda p: [f(".4") * p, f(".1") * p * p, f(".3") * p]
    return at("circle", m, c, "0.7", (2,), [(0, "c1")], True) + whole("circle", m, c, *TURN, 101) + \
        at("swing", m, s, "0.35", (2,), [(3, "c4")]) + whole("swing", m, s, -1, 1, 101)


def ipanema1():
    m = Ipanema()
    x = lambda p: [f(".4") * p, f(0), f(1), f(0), f(0), f(0)]
    o = lambda p: [f(".1") + f(".1") * p, f(".2") + f(".05") * p, f(1), f(0), f(0), f(0)]
    c = ring(".5", 1)
    all8 = [(i, "c%d" % (i + 1)) for i in range(8)]
    plain = dict(area=False)
    return at("x_axis", m, x, "0", (), [(0, "c1")], True, **plain) + \
        at("x_axis", m, x, "0.25", (), None, True, **plain) + \
        at("oblique", m, o, "0", (), all8, True, **plain) + \
        at("circle", m, c, "0.7", (4,), None, True) + whole("circle", m, c, *TURN, 51)


def cogiro():
    m = Cogiro()
    i, r, b = ring(2, 1), ring(7, 1), ring(8, 1)
    return at("inside", m, i, "0.7", (1,), [(0, "c1")], True) + whole("inside", m, i, *TURN, 51) + \
        sum((at("rim", m, r, p, (d,)) for p, d in (("0", 0.9), ("0.7", 0.55), ("3", 0.9))), []) + \
        sum((at("beyond", m, b, p) for p in ("0", "0.7", "2.4")), [])


def bimanual():
    t = lambda p: [f("1.5") + p / 2, f("-0.91191789") - p / 2, f("-0.52655972") - p / 5]
    m = Bimanual()
    return sum((at("swap", m, t, p, (10,), [(4, "r2")]) for p in ("0", "0.5", "0.8")), []) + \
        whole("swap", m, t, 0, 1, 51)


def rrr4():
    c = lambda p: [f(".06") * mp.cos(p), f(".06") * mp.sin(p), f(".1")]
    return at("circle", Rrr4(), c, "0.7", (5,), None, True) + at("circle", Rrr4(), c, "4", (5,)) + \
        whole("circle", Rrr4(), c, *TURN, 101)


def rrr3():
    c = lambda p: [f(".05") * mp.cos(p), f(".05") * mp.sin(p), f(".2")]
    return at("circle", Rrr3(), c, "0.7", (5,), None, True) + at("circle", Rrr3(), c, "4", (5,)) + \
        whole("circle", Rrr3(), c, *TURN, 121)


def rrr3_modes():
    c = lambda p: [f(".05") * mp.cos(p), f(".05") * mp.sin(p), f(".2")]
    return sum((whole("circle", Rrr3(b), c, *TURN, 121)
                for b in ((-1, 1, 1), (1, -1, 1), (-1, -1, 1), (-1, 1, -1), (-1, -1, -1))), [])


def delta():
    c = lambda p: [f(".15") * mp.cos(p), f(".15") * mp.sin(p), f("-.75")]
    a = lambda p: [f("-.15") + f(".3") * p, f(0), f("-.8") + f(".1") * mp.sin(mp.pi * p) ** 2]
    return at("circle", Delta(), c, "0.7", (5,), [(i, "m%d" % (i + 1)) for i in range(3)]) + \
        whole("circle", Delta(), c, *TURN, 101) + at("pick", Delta(), a, "0.4", (5,)) + \
        whole("pick", Delta(), a, 0, 1, 101)


def five_bar3():
    c = lambda p: [f(".08") * mp.cos(p), f(".4") + f(".05") * mp.sin(p)]
    return at("oval", FiveBar3(), c, "0.7", (5,), None, True) + at("oval", FiveBar3(), c, "4", (5,)) + \
        whole("oval", FiveBar3(), c, *TURN, 101)


if __name__ == "__main__":
    for case in sys.argv[1:]:
        print("#", case)
        for quantity, value in globals()[case]():
            print("  - {quantity: %s, value: %s}" % (quantity, None if value is None else "%.10g" % value))
