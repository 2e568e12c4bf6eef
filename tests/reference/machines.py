"""The machines of cases/ as inverse kinematics. Numbers are those of the case files."""
from refdyn import *

f = mp.mpf
G = f("9.81")
deg = mp.pi / 180


def flat(I):
    return [[0, 0, 0], [0, 0, 0], [0, 0, f(I)]]


def diag(a, b, c):
    return [[f(a), 0, 0], [0, f(b), 0], [0, 0, f(c)]]


def bar(m, A, B):
    """Uniform planar link between two points."""
    L2 = dot(sub(B, A), sub(B, A))
    return (f(m), flat(f(m) * L2 / 12), [(A[0] + B[0]) / 2, (A[1] + B[1]) / 2, 0],
            rotz(mp.atan2(B[1] - A[1], B[0] - A[0])))


def unwrap(a):
    """Angle in (-pi/2, 3 pi/2]: elbows here stay away from the cut."""
    return a if a > -mp.pi / 2 else a + 2 * mp.pi


class Star(Machine):
    rail, leg, half = f("0.5"), f("0.65"), f("0.06")
    limits = [(-900, 900)] * 4
    gravity = (0, -G, 0)

    def legs(self, X):
        x, y, phi = X
        c, s, h = mp.cos(phi), mp.sin(phi), self.half
        for i, (u, v) in enumerate(((h, h), (-h, h), (-h, -h), (h, -h)), 1):
            a = mp.pi * i / 2
            n, t = (mp.cos(a), mp.sin(a)), (-mp.sin(a), mp.cos(a))
            A = (x + c * u - s * v, y + s * u + c * v)
            along, off = dot(t, A), dot(n, A) - self.rail
            q = along + mp.sqrt(self.leg ** 2 - off ** 2)
            P = [self.rail * n[0] + q * t[0], self.rail * n[1] + q * t[1]]
            yield a, q, P, A

    def bodies(self, X):
        out = [(12, flat("0.08"), [X[0], X[1], 0], rotz(X[2]))]
        for a, q, P, A in self.legs(X):
            out.append((4, flat("0.01"), P + [0], rotz(a)))
            C = [(P[0] + A[0]) / 2, (P[1] + A[1]) / 2, 0]
            out.append((f("2.5"), flat(f("2.5") * self.leg ** 2 / 12), C,
                        rotz(mp.atan2(A[1] - P[1], A[0] - P[0]))))
        return out

    def drives(self, X):
        return [q for _, q, _, _ in self.legs(X)]

    def slides(self, X):
        # leg against platform, the leg's angle counted from the rail's normal: only its rate matters
        return [(f("0.02"), mp.asin(dot((mp.cos(a), mp.sin(a)), sub(A, P)) / self.leg) - X[2])
                for a, q, P, A in self.legs(X)]


class TwoLinkArm(Machine):
    limits = [(-30, 30), (-15, 15)]
    gravity = (0, -G, 0)

    def angles(self, X):
        c = (X[0] ** 2 + X[1] ** 2 - 2) / 2
        q2 = mp.acos(c)
        return mp.atan2(X[1], X[0]) - mp.atan2(mp.sin(q2), 1 + c), q2

    def bodies(self, X):
        q1, q2 = self.angles(X)
        E = [mp.cos(q1), mp.sin(q1)]
        half = f("0.5")
        return [(1, flat(half), [E[0] / 2, E[1] / 2, 0], rotz(q1)),
                (2, flat(half), [(E[0] + X[0]) / 2, (E[1] + X[1]) / 2, 0], rotz(q1 + q2))]

    def drives(self, X):
        return list(self.angles(X))


class Ups(Machine):
    gravity = (0, 0, -G)

    def __init__(self, base, top, rb, rt, limit, rotor, speed):
        self.B = [[rb * mp.cos(a * deg), rb * mp.sin(a * deg), f(0)] for a in base]
        self.A = [[rt * mp.cos(a * deg), rt * mp.sin(a * deg), f(0)] for a in top]
        n = len(base)
        self.limits, self.rotor, self.speed = [(-limit, limit)] * n, [rotor] * n, [speed] * n

    def legs(self, X):
        R = cardan(*X[3:])
        for B, A in zip(self.B, self.A):
            T = add(X[:3], mul(R, A))
            yield B, T, sub(T, B)

    def bodies(self, X):
        out = [(30, diag("1.209", "1.209", "2.4"), X[:3], cardan(*X[3:]))]
        for B, T, d in self.legs(X):
            u = unit(d)
            m = unit(cross([0, 1, 0], u))
            R = columns(m, cross(u, m), u)
            q = f("0.25")
            out.append((5, diag("0.10529", "0.10529", "0.00225"), add(B, u, q), R))
            out.append((3, diag("0.0628", "0.0628", "0.0006"), add(T, u, -q), R))
        return out

    def drives(self, X):
        return [norm(d) for _, _, d in self.legs(X)]


SCREW = f("1e-4") * (2 * mp.pi / f("0.01")) ** 2
UPS6 = Ups([-10, 10, 110, 130, 230, 250], [-50, 50, 70, 170, 190, 290], f("0.8"), f("0.4"),
           1500, SCREW, f("0.9"))
UPS8 = Ups([-8, 8, 82, 98, 172, 188, 262, 278], [-33, 47, 35, 129, 143, 219, 233, 311], f("0.9"),
           f("0.45"), 1500, SCREW, f("2"))


class PlanarCables(Machine):
    anchors = [vec("-1.12", "-1.05"), vec("-1.12", "1.05"), vec("1.12", "-1.05"), vec("1.12", "1.05")]
    points = [vec("-0.15", 0), vec("-0.15", 0), vec("0.15", 0), vec("0.15", 0)]
    limits = [(0.001, 60)] * 4

    def bodies(self, X):
        return [(5, flat("0.1"), [X[0], X[1], 0], rotz(X[2]))]

    def drives(self, X):  # shortening counts positive, as tension does
        R = rotz(X[2])
        return [-norm(sub(add(X[:2], mul(R, P + [0])[:2]), A)) for A, P in zip(self.anchors, self.points)]


class Cables(Machine):
    gravity = (0, 0, -G)
    com = [f(0)] * 3

    def bodies(self, X):
        R = cardan(*X[3:])
        return [(self.mass, self.inertia, add(X[:3], mul(R, self.com)), R)]

    def drives(self, X):
        R = cardan(*X[3:])
        return [-norm(sub(add(X[:3], mul(R, P)), A)) for A, P in zip(self.anchors, self.points)]


class Ipanema(Cables):
    anchors = [vec(x, y, z) for z in (2, 0) for x, y in ((-2, "1.5"), (2, "1.5"), (2, "-1.5"), (-2, "-1.5"))]
    points = [vec(x, y, 0) for x, y in (("-.06", ".06"), (".06", ".06"), (".06", "-.06"), ("-.06", "-.06"))] * 2
    mass, inertia, limits = 25, diag(14, 14, 14), [(0, 720)] * 8


class Cogiro(Cables):
    rows = """-7.1775,-5.4361,5.3911/0.5032,-0.4928,0.0; -7.4594,-5.1504,5.3999/-0.5097,0.3508,0.9976
        -7.3911,5.1940,5.3976/-0.5032,-0.2700,0.0; -7.1026,5.4753,5.4094/0.4960,0.3561,0.9996
        7.2398,5.3759,5.4093/-0.5032,0.4928,0.0; 7.5208,5.0851,5.4200/0.4998,-0.3404,0.9991
        7.4461,-5.2539,5.3874/0.5021,0.2750,-0.0007; 7.1608,-5.5342,5.3973/-0.5045,-0.3463,0.9976"""
    pairs = [r.split("/") for r in rows.replace("\n", ";").split(";") if "/" in r]
    anchors = [vec(*a.strip().split(",")) for a, _ in pairs]
    points = [vec(*b.strip().split(",")) for _, b in pairs]
    mass, com = f("91.058"), vec("-0.034", "-0.013", "0.264")
    inertia = [vec("36.598", "0.453", "-3.012"), vec("0.453", "35.982", "1.539"),
               vec("-3.012", "1.539", "25.439")]
    limits = [(100, 5000)] * 8
    rotor = [f("0.27") / f("0.0675") ** 2] * 8


class Bimanual(Machine):
    """X: joint angles of the left arm."""
    limits = [(-20, 20)] * 6
    gravity = (0, -G, 0)
    a, hold, base = f("0.14"), f("0.2"), f("0.6")

    def pose(self, X):
        s1, s2, s3 = X[0], X[0] + X[1], X[0] + X[1] + X[2]
        ray = lambda O, L, t: [O[0] + L * mp.cos(t), O[1] + L * mp.sin(t)]
        J1, K1 = [f(0), f(0)], [self.base, f(0)]
        J2 = ray(J1, self.a, s1)
        J3 = ray(J2, self.a, s2)
        O = ray(J3, self.hold, s3)
        K3 = ray(O, self.hold, s3)
        K2 = circle_meet(K1, self.a, K3, self.a, -1)
        return (s1, s2, s3), (J1, J2, J3, O), (K1, K2, K3)

    def bodies(self, X):
        (s1, s2, s3), (J1, J2, J3, O), (K1, K2, K3) = self.pose(X)
        box = lambda m, x, y: flat(f(m) * (f(x) ** 2 + f(y) ** 2) / 3)
        mid = lambda A, B: [(A[0] + B[0]) / 2, (A[1] + B[1]) / 2, 0]
        t1, t2 = mp.atan2(K2[1], K2[0] - self.base), mp.atan2(K3[1] - K2[1], K3[0] - K2[0])
        tip = [f("0.04") * mp.cos(s3), f("0.04") * mp.sin(s3)]
        first, second, third = box("3.2", ".08", ".01"), box("2.4", ".08", ".0075"), box("0.8", ".04", ".005")
        return [(f("3.2"), first, mid(J1, J2), rotz(s1)), (f("2.4"), second, mid(J2, J3), rotz(s2)),
                (f("0.8"), third, [J3[0] + tip[0], J3[1] + tip[1], 0], rotz(s3)),
                (f("3.2"), first, mid(K1, K2), rotz(t1)), (f("2.4"), second, mid(K2, K3), rotz(t2)),
                (f("0.8"), third, [K3[0] - tip[0], K3[1] - tip[1], 0], rotz(s3)),
                (1, flat("0.0005"), O + [0], rotz(s3))]

    def drives(self, X):
        (_, _, s3), _, (K1, K2, K3) = self.pose(X)
        t1, t2 = mp.atan2(K2[1], K2[0] - self.base), mp.atan2(K3[1] - K2[1], K3[0] - K2[0])
        return list(X) + [t1, t2 - t1, s3 - t2]


class Rrr4(Machine):
    gravity = (0, 0, 0)
    base, crank, rod, half = f("0.4"), f("0.25"), f("0.32"), f("0.08")
    limits, rotor = [(-8, 8)] * 4, [f("5e-5") * 100] * 4

    def legs(self, X):
        R = rotz(X[2])
        for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            B = [u * self.base, v * self.base]
            A = add(X[:2], mul(R, [u * self.half, v * self.half, 0])[:2])
            yield B, circle_meet(B, self.crank, A, self.rod, 1), A

    def bodies(self, X):
        out = [(2, flat("0.012"), [X[0], X[1], 0], rotz(X[2]))]
        for B, E, A in self.legs(X):
            out += [bar("0.5", B, E), bar("0.4", E, A)]
        return out

    def drives(self, X):
        # measured from the direction towards the centre: no cut near
        out = []
        for B, E, _ in self.legs(X):
            d = sub(E, B)
            out.append(mp.atan2(B[0] * d[1] - B[1] * d[0], dot(B, d)) if dot(B, d) > 0 else
                       mp.atan2(-B[0] * d[1] + B[1] * d[0], -dot(B, d)))
        return out


class Rrr3(Rrr4):
    """bends: for each leg 1 (crank left of the line from base to platform joint) or -1."""
    base, crank, rod, half = f("0.4"), f("0.25"), f("0.25"), f("0.1")
    limits, rotor = [(-8, 8)] * 3, [f("5e-5") * 100] * 3

    def __init__(self, bends=(1, 1, 1)):
        self.bends = bends

    def legs(self, X):
        R = rotz(X[2])
        for i, bend in enumerate(self.bends):
            a = mp.pi / 2 + 2 * mp.pi * i / 3
            e = [mp.cos(a), mp.sin(a), f(0)]
            B = [self.base * e[0], self.base * e[1]]
            A = add(X[:2], mul(R, [self.half * c for c in e])[:2])
            yield B, circle_meet(B, self.crank, A, self.rod, bend), A

    def bodies(self, X):
        return [(2, flat("0.01"), [X[0], X[1], 0], rotz(X[2]))] + Rrr4.bodies(self, X)[1:]


class Delta(Machine):
    gravity = (0, 0, -G)
    R, r, L, rod, width = f("0.2"), f("0.045"), f("0.235"), f("0.8"), f("0.04")
    limits, rotor = [(-60, 60)] * 3, [f("5e-5") * 1600] * 3
    speed = [f("20")] * 3

    def arms(self, X):
        for i in range(3):
            a = 2 * mp.pi * i / 3
            e, t = [mp.cos(a), mp.sin(a), f(0)], [-mp.sin(a), mp.cos(a), f(0)]
            # in the arm's plane: end of the arm meets the sphere round the platform joint
            C = add(X, e, self.r)
            x, y, z = dot(e, C) - self.R, dot(t, C), C[2]
            ell = mp.sqrt(self.rod ** 2 - y ** 2)
            E = circle_meet([f(0), f(0)], self.L, [x, z], ell, 1)
            yield a, e, mp.atan2(-E[1], E[0])

    def bodies(self, X):
        rods = f("0.1") * 6
        out = [(f("0.5") + rods, diag(1, 1, 1), X, cardan(0, 0, 0))]
        for a, e, q in self.arms(X):
            m, tip = f("1.2"), f("0.2")
            c = (m / 2 + tip) * self.L / (m + tip)
            I = m * self.L ** 2 / 12 + m * (c - self.L / 2) ** 2 + tip * (self.L - c) ** 2
            d = [e[0] * mp.cos(q), e[1] * mp.cos(q), -mp.sin(q)]
            out.append((m + tip, diag("1e-3", I, I), add(add([f(0)] * 3, e, self.R), d, c),
                        matmul(rotz(a), cardan(0, q, 0))))
        return out

    def drives(self, X):
        return [q for _, _, q in self.arms(X)]


class FiveBar3(Machine):
    gravity = (0, -G, 0)
    limits, rotor = [(-20, 20), (-20, 20), (-6, 6)], [f("2e-5") * 2500, f("2e-5") * 2500, f("1e-5") * 900]
    A, B = vec("-0.15", 0), vec("0.15", 0)
    l1, l2 = f("0.25"), f("0.35")

    def elbows(self, X):
        return circle_meet(self.A, self.l1, X, self.l2, 1), circle_meet(self.B, self.l1, X, self.l2, -1)

    def bodies(self, X):
        E, F = self.elbows(X)
        return [bar("0.6", self.A, E), bar("0.6", self.B, F), bar("0.4", E, X), bar("0.4", F, X)]

    def drives(self, X):
        E, F = self.elbows(X)
        a = unwrap(mp.atan2(E[1], E[0] - self.A[0]))
        b = unwrap(mp.atan2(F[1], F[0] - self.B[0]))
        return [a, b, mp.atan2(X[1] - E[1], X[0] - E[0]) - a]


def ring(radius, z, *rest):
    """Circle in the horizontal plane, orientation 0."""
    r, z = f(radius), f(z)
    return lambda p: [r * mp.cos(p), r * mp.sin(p), z, f(0), f(0), f(0)]
