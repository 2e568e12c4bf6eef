"""Random machines as case files with a known consistent pose.

Poses come first; joints are then put where they fit them. Coarse numbers (multiples of a half, turns of
30 or 90 degrees, masses 1 or 2) make symmetric poses, parallel axes, joints at rest and degenerate
regions as likely as generic ones. Families: 'generic', 'flat' (a plane machine modelled in space, so with
redundant constraints), 'ball' (all axes through one point), 'door' (several hinges on one line)."""
import math
import random

import numpy as np
import yaml

import mechanism as mech

PLANAR_JOINTS = ["revolute"] * 4 + ["prismatic"] * 2 + ["slot", "fixed", "rod", "angle"]
SPATIAL_JOINTS = ["revolute"] * 3 + ["prismatic"] * 2 + [
    "fixed", "cylindrical", "universal", "spherical", "planar", "screw", "rod", "point_on_line",
    "point_on_plane", "parallel", "generic"]
FREE_LEFT = {"revolute": 1, "prismatic": 1}


class Refused(Exception):
    """This draw gives no machine worth testing."""


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.coarse = rng.random() < 0.5
        self.planar = rng.random() < 0.4
        self.family = "generic" if self.planar else rng.choice(["generic", "generic", "flat", "ball", "door"])
        self.points = {}
        self.joints, self.drives, self.forces = {}, {}, {}
        self.poses, self.ground = [], {}

    # --- numbers -----------------------------------------------------------------------------------

    def tidy(self, x):
        """Without the last digits of rounding, so that coarse numbers are exact."""
        near = round(float(x), 6)
        x = near if abs(near - x) < 1e-13 else float(x)
        return x + 0.0

    def list(self, v, count=3):
        return [self.tidy(x) for x in v[:count]]

    def number(self, low, high, step):
        if self.coarse:
            return self.tidy(round(self.rng.uniform(low, high) / step) * step)
        return self.rng.uniform(low, high)

    def angle(self):
        if self.coarse:
            return self.rng.choice([0, 0, 30, 60, 90, -90, -30, 45]) * math.pi / 180
        return self.rng.uniform(-1.4, 1.4)

    def place(self):
        v = np.array([self.number(-1, 1, 0.5) for _ in range(3)])
        if self.planar:
            v[2] = 0.0
        return v

    def direction(self):
        """A unit vector of the family (world axes)."""
        if self.planar:
            t = self.angle() * 2
            return np.array([math.cos(t), math.sin(t), 0.0])
        if self.coarse:
            return np.array(self.rng.choice([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0, .6, .8]]), float)
        return mech.unit([self.rng.gauss(0, 1) for _ in range(3)])

    # --- bodies -------------------------------------------------------------------------------------

    def new_pose(self):
        r = self.place()
        if self.planar or self.family == "flat":
            R = mech.cardan([0, 0, self.angle()])
        else:
            R = mech.cardan([self.angle(), self.angle() * 0.8, self.angle()])
        self.poses.append((r, R))
        self.points[len(self.poses) - 1] = {}

    def body_name(self, b):
        return "ground" if b < 0 else f"b{b + 1}"

    def frame(self, b):
        return (np.zeros(3), np.eye(3)) if b < 0 else self.poses[b]

    def anchor(self, b, at):
        """Name of a new point of the body at a place of the world."""
        r, R = self.frame(b)
        s = R.T @ (at - r)
        store = self.ground if b < 0 else self.points[b]
        name = f"P{len(store) + 1}"
        store[name] = self.list(s, 2 if self.planar else 3)
        return f"{self.body_name(b)}.{name}"

    def local(self, b, e):
        return self.list(self.frame(b)[1].T @ e, 2 if self.planar else 3)

    # --- joints -------------------------------------------------------------------------------------

    def joint_place(self):
        if self.family == "ball":
            return np.zeros(3)
        if self.family == "door":
            return np.array([0, 0, self.number(-1, 1, 0.5)])
        return self.place()

    def joint_axis(self, kind):
        if self.family == "flat":
            if kind in ("prismatic", "point_on_line"):
                t = self.angle()
                return np.array([math.cos(t), math.sin(t), 0.0])
            return np.array([0.0, 0.0, 1.0])
        if self.family == "door":
            return np.array([0.0, 0.0, 1.0])
        return self.direction()

    def add_joint(self, kind, a, b):
        """Between the bodies a and b (-1: ground) as they stand."""
        if self.rng.random() < 0.3 and b >= 0:
            a, b = b, a
        if b < 0 and self.rng.random() < 0.3 and kind not in ("knife_edge", "rolling"):
            a, b = b, a
        at = self.joint_place()
        j = {"type": kind}
        getattr(self, "make_" + kind)(j, a, b, at)
        name = f"j{len(self.joints) + 1}"
        self.joints[name] = j
        return name

    def relative(self, a, b):
        return self.frame(b)[1].T @ self.frame(a)[1]

    def two_ends(self, j, a, b, at, other=None):
        j["of"] = [self.anchor(a, at), self.anchor(b, at if other is None else other)]

    def axes(self, j, a, b, e):
        u, v = self.local(a, e), self.local(b, e)
        if np.dot(u, v) < -0.99 * np.linalg.norm(u) * np.linalg.norm(v):
            raise Refused("opposite axes")
        if u == v and self.rng.random() < 0.7:
            j["axis"] = u
        else:
            j["axes"] = [u, v]

    def make_revolute(self, j, a, b, at):
        self.two_ends(j, a, b, at)
        if not self.planar:
            self.axes(j, a, b, self.joint_axis("revolute"))

    def matched_axis(self, a, b, kind):
        """An axis (world) about which the alignment of the frames is the present one: at right angles to
        the axis of the relative rotation."""
        Rab = self.relative(a, b)
        w = np.array([Rab[2, 1] - Rab[1, 2], Rab[0, 2] - Rab[2, 0], Rab[1, 0] - Rab[0, 1]])
        if np.trace(Rab) < -0.9:
            raise Refused("half a turn")
        if np.linalg.norm(w) < 1e-9:
            return self.joint_axis(kind)
        axis = self.frame(b)[1] @ mech.unit(w)
        e = self.joint_axis(kind)
        e = e - np.dot(e, axis) * axis
        if np.linalg.norm(e) < 0.2:
            raise Refused("axis along the rotation")
        return mech.unit(e)

    def make_prismatic(self, j, a, b, at):
        e = self.direction() if self.planar else self.matched_axis(a, b, "prismatic")
        away = self.number(-0.5, 0.5, 0.25)
        self.two_ends(j, a, b, at + away * e, at)
        self.axes(j, a, b, e)

    def make_slot(self, j, a, b, at):
        e = self.direction()
        self.two_ends(j, a, b, at + self.number(-0.5, 0.5, 0.25) * e, at)
        self.axes(j, a, b, e)

    def make_fixed(self, j, a, b, at):
        self.two_ends(j, a, b, at)
        if self.planar:
            self.make_angle_offset(j, a, b)
        elif np.abs(self.relative(a, b) - np.eye(3)).max() > 1e-12:
            raise Refused("fixed needs equal frames")

    def make_angle_offset(self, j, a, b):
        R = self.relative(a, b)
        j["offset"] = self.tidy(math.atan2(R[1, 0], R[0, 0]))

    def make_angle(self, j, a, b, at):
        self.two_ends(j, a, b, at)
        self.make_angle_offset(j, a, b)

    def make_rod(self, j, a, b, at):
        other = at
        while np.linalg.norm(other - at) < 0.2:
            other = self.place()
            if self.family == "flat":
                other[2] = at[2]
        self.two_ends(j, a, b, at, other)
        j["length"] = self.tidy(np.linalg.norm(other - at))

    def make_cylindrical(self, j, a, b, at):
        e = self.joint_axis("cylindrical")
        self.two_ends(j, a, b, at + self.number(-0.5, 0.5, 0.25) * e, at)
        self.axes(j, a, b, e)

    def make_universal(self, j, a, b, at):
        e = self.joint_axis("universal")
        f = np.cross(e, self.direction())
        if np.linalg.norm(f) < 0.2:
            raise Refused("parallel axes")
        self.two_ends(j, a, b, at)
        j["axes"] = [self.local(a, e), self.local(b, mech.unit(f))]
        if abs(np.dot(j["axes"][0], j["axes"][1])) > 0.9:
            raise Refused("axes parallel where the frames agree")

    def make_spherical(self, j, a, b, at):
        self.two_ends(j, a, b, at)

    def make_planar(self, j, a, b, at):
        e = self.joint_axis("planar")
        away = np.cross(e, self.direction()) * self.number(-0.5, 0.5, 0.25)
        self.two_ends(j, a, b, at + away, at)
        self.axes(j, a, b, e)

    def make_screw(self, j, a, b, at):
        e = self.matched_axis(a, b, "screw")  # then angle = 0 and slide = 0 fit every pitch
        self.two_ends(j, a, b, at)
        self.axes(j, a, b, e)
        j["pitch"] = self.rng.choice([0.5, -1.0, 2.0])

    def make_point_on_line(self, j, a, b, at):
        e = self.joint_axis("point_on_line")
        self.two_ends(j, a, b, at + self.number(-0.5, 0.5, 0.25) * e, at)
        j["axis"] = self.local(b, e)

    def make_point_on_plane(self, j, a, b, at):
        e = self.joint_axis("point_on_plane")
        away = np.cross(e, self.direction()) * self.number(-0.5, 0.5, 0.25)
        self.two_ends(j, a, b, at + away, at)
        j["normal"] = self.local(b, e)

    def make_parallel(self, j, a, b, at):
        self.two_ends(j, a, b, at)
        self.axes(j, a, b, self.joint_axis("parallel"))

    def make_knife_edge(self, j, a, b, at):
        if self.rng.random() < 0.6 and b < 0:
            j["of"] = [self.anchor(a, at)]
        else:
            self.two_ends(j, a, b, at)
        j["normal"] = self.local(a, self.direction())

    def make_rolling(self, j, a, b, at):
        n, m = self.direction(), self.direction()
        c = float(np.dot(n, m))
        if abs(c) > 0.8:
            raise Refused("disc lies flat")
        j["radius"] = self.rng.choice([0.25, 0.5])
        height = j["radius"] * math.sqrt(1 - c * c)
        self.two_ends(j, a, b, at, at - height * n + self.number(-0.5, 0.5, 0.25) * np.cross(n, m))
        j["axis"], j["normal"] = self.local(a, m), self.local(b, n)

    def make_generic(self, j, a, b, at):
        """Locks that the frames as they stand allow."""
        R = self.relative(a, b)
        turns = [i for i in range(3)
                 if abs(R[(i + 1) % 3, (i + 2) % 3]) < 1e-12]  # one lock: a's third axis across b's second
        if np.abs(R - np.eye(3)).max() < 1e-12:
            locked = [i for i in range(3) if self.rng.random() < 0.6]
        else:
            about = [i for i in range(3) if abs(R[i, i] - 1) < 1e-12]
            locked = ([k for k in range(3) if k != about[0]] if about and self.rng.random() < 0.7
                      else self.rng.sample(turns, 1) if turns and self.rng.random() < 0.7 else [])
        shifts = [i for i in range(3) if self.rng.random() < 0.6]
        if not shifts and not locked:
            raise Refused("nothing locked")
        free = sum(((0 if i in shifts else self.number(-0.5, 0.5, 0.25)) * self.frame(b)[1][:, i]
                    for i in range(3)), np.zeros(3))
        self.two_ends(j, a, b, at + free, at)
        j["locks"] = ["xyz"[i] for i in shifts] + ["r" + "xyz"[i] for i in locked]

    # --- the whole --------------------------------------------------------------------------------------

    def build_tree(self):
        rng = self.rng
        count = rng.choice([1, 2, 2, 3, 3, 4, 5]) if self.planar else rng.choice([1, 2, 2, 3, 3, 4])
        for b in range(count):
            self.new_pose()
        kinds = PLANAR_JOINTS if self.planar else SPATIAL_JOINTS
        if self.family == "door":
            kinds = ["revolute"] * 4 + ["cylindrical", "spherical", "fixed"]
        if self.family == "ball":
            kinds = ["revolute"] * 4 + ["spherical", "universal"]
        if self.family == "flat":
            kinds = ["revolute"] * 5 + ["prismatic"] * 2 + ["planar", "spherical", "cylindrical", "generic", "rod"]
        if self.planar:
            tree, loop = [k for k in kinds if k not in ("rod", "angle")], kinds
        else:
            tree, loop = kinds, kinds
        for b in range(count):
            if rng.random() < 0.05:
                continue  # a body of its own
            to = rng.choice([-1] + list(range(b)))
            kind = rng.choice(tree)
            if kind == "fixed" and not self.planar:
                self.poses[b] = (self.poses[b][0], self.frame(to)[1])
            if kind == "generic" and rng.random() < 0.7:
                turn = [[0, 0, 0], [0, 0, self.angle()], [self.angle(), 0, 0]][rng.randrange(3)]
                if self.family == "flat":
                    turn = [0, 0, self.angle()]
                self.poses[b] = (self.poses[b][0], self.frame(to)[1] @ mech.cardan(turn))
            self.add_joint(kind, b, to)
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            a = rng.randrange(count)
            b = rng.choice([-1] + [i for i in range(count) if i != a])
            self.add_joint(rng.choice(loop), a, b)
        for _ in range(rng.choice([0] * 5 + [1, 2])):
            self.add_joint("knife_edge" if self.planar or rng.random() < 0.4 else "rolling",
                           rng.randrange(count), -1)
        self.doubled()

    def doubled(self):
        """The same joint once more: redundant constraints that stay so."""
        if not self.joints or self.rng.random() > 0.15:
            return
        import copy
        self.joints[f"j{len(self.joints) + 1}"] = copy.deepcopy(self.rng.choice(list(self.joints.values())))

    def bodies(self):
        rng, out = self.rng, {}
        for b, (r, R) in enumerate(self.poses):
            mass = rng.choice([1, 2, 4]) if self.coarse else rng.uniform(0.5, 5)
            I = [self.number(0.05, 0.4, 0.05) or 0.1 for _ in range(3)]
            entry = {"mass": mass}
            if self.planar:
                entry["inertia"] = I[0]
            else:
                I = [I[0] + I[1], I[1] + I[2], I[0] + I[2]]
                if self.coarse:
                    entry["inertia"] = self.list(I)
                else:
                    Q = mech.cardan([rng.uniform(-1, 1) for _ in range(3)])
                    full = Q @ np.diag(I) @ Q.T
                    entry["inertia"] = {"diagonal": [float(full[i, i]) for i in range(3)],
                                        "products": [float(full[0, 1]), float(full[0, 2]), float(full[1, 2])]}
            if rng.random() < 0.6:
                entry["com"] = self.list([self.number(-0.3, 0.3, 0.1) for _ in range(3)], 2 if self.planar else 3)
            entry["points"] = self.points[b]
            if self.planar:
                entry["pose"] = self.list([r[0], r[1], math.atan2(R[1, 0], R[0, 0])])
            else:
                entry["pose"] = {"at": self.list(r), "cardan": self.list(mech.cardan_of(R))}
            out[self.body_name(b)] = entry
        return out

    def freedoms(self, machine):
        return [f"{j}.{f}" for j in machine.joints for f in machine.freedoms(j)]

    def turns_freely(self, freedom):
        return not freedom.endswith((".slide", ".x", ".y"))

    def add_gear(self, machine, X):
        names = self.freedoms(machine)
        names = [n for n in names if machine.joints[n.split(".")[0]]["type"] not in ("screw",)]
        if len(names) < 2 or self.rng.random() > 0.12:
            return
        a, b = self.rng.sample(names, 2)
        ratio = self.rng.choice([-1.0, 2.0, -0.5])
        offset = float(machine.coordinate(X, a)) - ratio * float(machine.coordinate(X, b))
        self.joints[f"j{len(self.joints) + 1}"] = {"type": "gear", "of": [a, b], "ratio": ratio,
                                                   "offset": self.tidy(offset)}

    def limits(self):
        rng = self.rng
        kind = rng.random()
        low, high = -self.number(5, 60, 5), self.number(5, 60, 5)
        if kind < 0.35:
            return {"limit": high}
        if kind < 0.65:
            return {"min": low, "max": high}
        if kind < 0.75:
            return {"min": 0, "max": high}
        if kind < 0.83:
            return {"min": low, "max": "inf"}
        if kind < 0.88:
            return {"min": "-inf", "max": high}
        if kind < 0.92:
            return {"limit": "unlimited"}
        return {"min": self.number(1, 5, 1), "max": high + 5}

    def add_drives(self, machine, X, dof):
        rng = self.rng
        names = self.freedoms(machine)
        count = max(1, dof + rng.choice([-1, 0, 0, 0, 1, 1, 2, 3]))
        for i in range(count):
            kind = rng.random()
            d = {}
            if names and kind < 0.6:
                d["at"] = rng.choice(names)
                word = "torque" if self.turns_freely(d["at"]) else "force"
            elif kind < 0.75:
                word, d["between"] = "force", self.pair()
            elif kind < 0.88:
                word, d["cable"] = "tension", self.pair()
            else:
                b = rng.randrange(len(self.poses))
                of = self.anchor(b, self.place())
                w = {"of": of}
                word = "force"
                if rng.random() < 0.7:
                    w["force"] = self.list(self.direction(), 2 if self.planar else 3)
                else:
                    word = "torque"
                    w["torque"] = 1.0 if self.planar else self.list(self.direction())
                if rng.random() < 0.5:
                    w["in"] = "body"
                d["wrench"] = w
            d[word] = self.limits()
            if "cable" in d:
                d[word] = rng.choice([{"min": 1, "max": 50}, {"limit": 40}, {"min": 0, "max": "inf"}])
            if "wrench" not in d:
                if rng.random() < 0.2:
                    d["rotor_inertia"] = 0.05
                    d["ratio"] = rng.choice([1.0, 2.0, 3.5])
                if rng.random() < 0.15:
                    d["speed"] = {"max": rng.choice([0.5, 2.0, 10.0])}
                if rng.random() < 0.15:
                    d["curve"] = rng.choice([[[0, 30], [4, 10]], [[0, 40], [2, 35], [5, 5]]])
            self.drives[f"d{i + 1}"] = d

    def pair(self):
        rng = self.rng
        a = rng.randrange(len(self.poses))
        b = rng.choice([-1] + [i for i in range(len(self.poses)) if i != a])
        x, y = self.place(), self.place()
        if np.linalg.norm(x - y) < 0.3:
            raise Refused("points too near")
        ends = [self.anchor(a, x), self.anchor(b, y)]
        return ends if rng.random() < 0.5 else ends[::-1]

    def add_forces(self, machine):
        rng = self.rng
        names = self.freedoms(machine)
        for i in range(rng.choice([0, 0, 1, 2])):
            kind = rng.choice(["spring", "damper", "constant", "friction", "process"])
            f = {"type": kind}
            if kind in ("spring", "damper"):
                if names and rng.random() < 0.5:
                    f["at"] = rng.choice(names)
                else:
                    f["between"] = self.pair()
                if kind == "spring":
                    f["stiffness"] = self.number(5, 50, 5)
                    f["rest"] = self.number(-0.5, 0.5, 0.25)
                    if rng.random() < 0.3:
                        f["viscous"] = 0.5
                else:
                    f["viscous"] = self.number(0.5, 3, 0.5)
            elif kind == "friction":
                if not names:
                    continue
                f["at"] = rng.choice(names)
                f["coulomb"] = self.number(0.5, 3, 0.5)
                if rng.random() < 0.3:
                    f["viscous"] = 0.5
            elif kind == "constant":
                f["of"] = self.anchor(rng.randrange(len(self.poses)), self.place())
                f["force"] = self.list(self.direction() * self.number(1, 10, 1), 2 if self.planar else 3)
                if rng.random() < 0.4:
                    f["torque"] = 2.0 if self.planar else self.list(self.direction() * 2)
                f["in"] = rng.choice(["body", "ground"])
            else:
                f["of"] = self.anchor(rng.randrange(len(self.poses)), self.place())
                f["magnitude"] = self.number(1, 5, 1)
            self.forces[f"f{i + 1}"] = f
        for j in self.joints.values():
            if j["type"] in ("revolute", "prismatic", "cylindrical", "universal", "planar", "screw",
                             "point_on_line", "slot") and rng.random() < 0.12:
                j["friction"] = {k: v for k, v in (("viscous", 0.5), ("coulomb", 1.0)) if rng.random() < 0.6}
                if not j["friction"]:
                    del j["friction"]

    def slope(self):
        if self.coarse:
            return self.rng.choice([0, 0, 0.25, -0.25, 0.5]), self.rng.choice([0, 0, 0.25, -0.5])
        return self.rng.uniform(-0.5, 0.5), self.rng.uniform(-0.3, 0.3)

    def law(self, start):
        a, b = self.slope()
        return f"{self.tidy(start)!r} + {a!r}*p + {b!r}*p^2", a != 0

    def make_path(self, machine, X, dof):
        """Prescribed coordinates, as many as the machine has freedoms or fewer, each adding to the rank."""
        rng = self.rng
        C, _, _ = machine.jacobian(X)
        names, wanted = self.freedoms(machine), dof
        if dof > 1 and rng.random() < 0.2:
            wanted = rng.randrange(1, dof)
        tool = self.anchor(rng.randrange(len(self.poses)), self.place())
        machine.body[tool.split(".")[0]].setdefault("points", {})
        candidates = []
        use_tool = rng.random() < 0.5 or len(names) < wanted
        body, s = len(self.poses), None
        name, _, point = tool.partition(".")
        body, s = machine.bodies.index(name), machine.vector(self.points[machine.bodies.index(name)][point])
        if use_tool:
            for i in range(2 if self.planar else 3):
                candidates.append(("xyz"[i], lambda Z, i=i: machine.place(Z, body, s)[..., i]))
            if self.planar:
                candidates.append(("angle", lambda Z: mech.angle_of(Z[1][..., body, 1, 0], Z[1][..., body, 0, 0])))
            elif wanted >= 3 and rng.random() < 0.6:
                candidates.insert(rng.choice([0, 3]), ("cardan", None))
        if names and (not use_tool or rng.random() < 0.7):
            joints = [(n, lambda Z, n=n: machine.coordinate(Z, n)) for n in names]
            rng.shuffle(joints)
            candidates += joints
        rows, rank = C, self.rank(C)
        path, joint_path, moves, count = {}, {}, False, 0
        for label, function in candidates:
            if count >= wanted:
                break
            if label == "cardan":
                row = np.zeros((3, machine.n))
                row[:, 6 * body + 3:6 * body + 6] = np.eye(3)
            else:
                row = machine.gradient(X, function)[None, :]
            size = len(row)
            trial = np.vstack([rows, row])
            if count + size > wanted or self.rank(trial) != rank + size:
                continue
            rows, rank, count = trial, rank + size, count + size
            if label == "cardan":
                laws = [self.law(t) for t in mech.cardan_of(X[1][body])]
                path["cardan"] = [l[0] for l in laws]
                moves = moves or any(l[1] for l in laws)
                continue
            law, moving = self.law(float(function(X)))
            (path if label in ("x", "y", "z", "angle") else joint_path)[label] = law
            moves = moves or moving
        if count == 0 or not moves:
            raise Refused("no path")
        out = {"p": [0, 0.5], "points": 3}
        if path:
            out["of"], out["path"] = tool, path
        if joint_path:
            out["joints"] = joint_path
        return out

    def rank(self, A):
        size = np.linalg.norm(A, axis=1, keepdims=True) if len(A) else 1
        if np.any(size == 0):
            return -1
        rank, s = mech.rank_of(A / size, "rank")
        if rank and s[rank - 1] < 0.02 * s[0]:
            raise Refused("ill-conditioned")
        return rank

    def case(self):
        """The text of the case; Refused when the draw is of no use."""
        rng = self.rng
        self.build_tree()
        gravity = [0.0, -9.81] if self.planar else [0.0, 0.0, -9.81]
        if rng.random() < 0.2:
            gravity = [0.0] * len(gravity)
        doc = {"format": 1, "name": "random machine", "machine": {
            "space": "planar" if self.planar else "spatial", "gravity": gravity,
            "ground": {"points": self.ground}, "bodies": self.bodies(), "joints": self.joints}}
        machine = mech.Machine(self.dump(doc))
        X = machine.first_guess()
        for name in machine.joints:
            for f in machine.freedoms(name):
                if f not in ("slide", "x", "y") and abs(float(machine.coordinate(X, f"{name}.{f}"))) > 3.0:
                    raise Refused("an angle near half a turn")
        self.add_gear(machine, X)
        machine = mech.Machine(self.dump(doc))
        machine.count_turns(X)
        C, F, _ = machine.jacobian(X)
        if F.size and np.abs(F).max() > 1e-9:
            raise AssertionError(f"the pose is not consistent: {np.abs(F).max()}")
        dof = machine.n - self.rank(C)
        if dof == 0 or dof > 6:
            raise Refused("no freedom, or too many to be driven")
        self.add_forces(machine)
        path = self.make_path(machine, X, dof)
        self.add_drives(machine, X, dof)
        doc["machine"]["drives"] = self.drives
        if self.forces:
            doc["machine"]["forces"] = self.forces
        doc["trajectories"] = {"t": path}
        doc["machine"]["bodies"] = {name: dict(entry, points=self.points[b]) for b, (name, entry)
                                    in enumerate(doc["machine"]["bodies"].items())}
        return self.dump(doc)

    @staticmethod
    def dump(doc):
        return yaml.dump(doc, sort_keys=False, default_flow_style=None, width=110, Dumper=Plain)


class Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Without anchors."""

    def ignore_aliases(self, data):
        return True


def draw(seed):
    """(text, how many draws were refused) of the machine with this seed."""
    for attempt in range(1000):
        try:
            return Generator(seed * 1000 + attempt).case(), attempt
        except (Refused, mech.InDoubt, ValueError):
            continue
    raise RuntimeError(f"no machine for seed {seed}")
