"""A multibody machine read from a case file, in a formulation that shares nothing with globdyn.

A body's pose is the place r of its own frame's origin and a rotation matrix R; a displacement is
(v, w): r + v, exp(w) R (planar: v in the plane, w about z). Every constraint, joint coordinate and
drive coordinate is a function of the poses, written with matrices that may be complex: derivatives come
from complex steps, second derivatives from central differences of order 6 along the path. The
equations of motion are the principle of virtual work on momenta: inertia forces are differences of
momenta along the path, so no gyroscopic or centripetal term is written down anywhere.

Angles of joints are counted from the rotation that turns the second body's axis to the first one's
on the shortest way; normals of an axis follow the rule of docs/reactions.md."""
import functools
import math

import numpy as np
import yaml
from scipy.integrate import solve_ivp

# Where the pose depends on the way: the tolerances of two integrations, and what they may differ by. Values that are
# compared to 1e-6 vary some hundred times as fast as the pose; the second one is far better than the difference.
INTEGRATION, INTEGRATION_CHANGE = (1e-9, 1e-11), 1e-8
LONGEST, MOST_PIECES = 0.7, 20  # metres or radians of a piece
MOST_RATES = 400  # of a piece: where the velocity jumps the steps get shorter and shorter
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads ten times as fast
STEP = 1e-30  # of complex steps: no subtraction, so as small as can be
# First derivatives from eight neighbours (order 8); the six inner ones (order 6) estimate the error.
SPACING = 0.01  # of a motion by one metre or radian: h^8 is far below rounding over h, 1e-14
PLACES = np.array([-4, -3, -2, -1, 1, 2, 3, 4])
EIGHTH = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SIXTH = np.array([0, -1 / 60, 9 / 60, -45 / 60, 45 / 60, -9 / 60, 1 / 60, 0])
STENCIL_ERROR = 1e-8  # of the order below, relative to the forces: the better one is far more exact
BENDING = 1e-6  # of the square of the velocity: more without a counterpart in u' is no rounding
# Singular values of a closed pose are below 1e-10 or above 1e-4 (rank_of); of an open one those of redundant rows are
# as large as what is open, and Newton's steps must not follow them.
CUT_CLOSED, CUT_OPEN = 1e-6, 1e-3
# Rows are unit vectors and arms in metres: one that is smaller is the rounding of terms that cancel (a gear between two
# joints about one axis), and its direction means nothing.
VANISHED = 1e-13
ROUNDED = 1e-12  # of the velocity: a coordinate of a friction that moves by less stands
RANK_CUT = 1e-7  # relative; cases with a singular value in doubt are left out by the caller


# --- small algebra, for real and complex arrays -----------------------------------------------------

def dot(a, b):
    return (a * b).sum(-1)


def spread_over(value, shape):
    """As np.broadcast_to, ten times as fast for arrays as small as these."""
    if value.shape == shape:
        return value
    out = np.empty(shape, value.dtype)
    out[...] = value
    return out


def cross(a, b):
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out = np.empty(np.shape(x) + (3,), x.dtype)
    out[..., 0] = x
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def times(R, v):
    return (R @ v[..., None])[..., 0]


def skew(w):
    K = np.zeros(w.shape + (3,), w.dtype)
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    return K - np.swapaxes(K, -1, -2)


def rotation(w):
    """exp of the matrix of w."""
    K = skew(np.asarray(w, float))
    t = np.sqrt(dot(w, w))[..., None, None]
    half = np.sinc(t / (2 * math.pi))
    return np.eye(3) + np.sinc(t / math.pi) * K + 0.5 * half**2 * (K @ K)


def angle_of(y, x):
    """atan2 that carries the imaginary part along to first order."""
    value = np.arctan2(y.real, x.real)
    if np.iscomplexobj(y) or np.iscomplexobj(x):
        rate = (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
        return value + 1j * rate
    return value


def unit(v):
    v = np.asarray(v, float)
    return v / np.linalg.norm(v)


def cardan(angles):
    a, b, c = angles
    X = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    Y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    Z = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    return X @ Y @ Z


def cardan_of(R):
    return [math.atan2(-R[1, 2], R[2, 2]), math.asin(max(-1.0, min(1.0, R[0, 2]))),
            math.atan2(-R[0, 1], R[0, 0])]


def shortest(a, b):
    """The rotation that turns the unit vector a to b on the shortest way."""
    axis, c = np.cross(a, b), float(np.dot(a, b))
    if c < -1 + 1e-9:
        raise ValueError("opposite directions have no shortest way")
    K = skew(axis)
    return np.eye(3) + K + K @ K / (1 + c)


def normals(e):
    """Two normals of an axis: those of the positive coordinate axis nearest to it, turned with it."""
    return normals_of(tuple(float(x) for x in e))


@functools.lru_cache(maxsize=4096)
def normals_of(e):
    e = np.array(e)
    best = 2
    for i in range(3):
        if e[i] > e[best] + 1e-9:
            best = i
    R = shortest(np.eye(3)[best], e)
    return R[:, (best + 1) % 3], R[:, (best + 2) % 3]


# --- reading ------------------------------------------------------------------------------------------

def formula(text):
    """A function of p; powers are written as in case files."""
    code = compile(str(text).replace("^", "**"), "formula", "eval")
    names = {name: getattr(np, name) for name in ("sin", "cos", "sqrt", "exp", "pi")}
    return lambda p: eval(code, {"__builtins__": {}}, dict(names, p=p)) + 0 * p


def limits_of(drive):
    for word in ("force", "torque", "tension"):
        if word in drive:
            given = drive[word]
            if "limit" in given:
                top = number(given["limit"])
                return (0.0 if "cable" in drive else -top), top
            return number(given["min"]), number(given["max"])
    raise ValueError("a drive without limits")


def number(value):
    return {"unlimited": math.inf}.get(value, None) or float(value)


class Machine:
    """The machine of a case; names map to indices in the order of the file."""

    def __init__(self, text):
        case = yaml.load(text, LOADER)
        m = case["machine"]
        self.case, self.planar = case, m["space"] == "planar"
        self.gravity = self.vector(m["gravity"])
        self.bodies = list(m["bodies"])
        self.ground = m.get("ground", {}).get("points", {})
        self.body = m["bodies"]
        self.joints = m.get("joints", {})
        self.drives = m.get("drives", {})
        self.forces = m.get("forces", {})
        self.per_body = 3 if self.planar else 6
        self.n = self.per_body * len(self.bodies)
        self.mass = np.array([float(b["mass"]) for b in self.body.values()])
        self.com = np.array([self.vector(b.get("com", [0, 0, 0])) for b in self.body.values()])
        self.inertia = np.array([self.tensor(b["inertia"]) for b in self.body.values()])
        self.turns = {}
        self.weight = np.ones(self.n)
        self.steps = self.complex_steps()
        self.joint_data = {name: self.prepare(j) for name, j in self.joints.items()}

    def vector(self, v):
        v = [float(x) for x in v]
        return np.array(v + [0.0] * (3 - len(v)))

    def tensor(self, given):
        if self.planar:
            return np.diag([0.0, 0.0, float(given)])
        if isinstance(given, dict):
            I = np.diag([float(x) for x in given["diagonal"]])
            xy, xz, yz = [float(x) for x in given.get("products", [0, 0, 0])]
            return I + np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
        return np.diag([float(x) for x in given])

    def first_guess(self):
        r, R = np.zeros((len(self.bodies), 3)), np.zeros((len(self.bodies), 3, 3))
        for i, b in enumerate(self.body.values()):
            pose = b.get("pose", [0, 0, 0])
            if self.planar:
                r[i, :2], R[i] = pose[:2], cardan([0, 0, pose[2]])
            else:
                r[i], R[i] = pose["at"], cardan(pose.get("cardan", [0, 0, 0]))
        return r, R

    def anchor(self, text):
        """Index of the body (-1: ground) and the point in its frame."""
        name, _, point = text.partition(".")
        if name == "ground":
            at = self.ground[point] if point else [0, 0, 0]
            return -1, self.vector(at["at"] if isinstance(at, dict) else at)
        points = self.body[name].get("points", {})
        return self.bodies.index(name), self.vector(points[point] if point else [0, 0, 0])

    def prepare(self, j):
        """Bodies, points and directions of a joint, made once."""
        d = {"type": j["type"]}
        if j["type"] == "gear":
            return d
        ends = list(j["of"]) + ["ground"] * (2 - len(j["of"]))
        (d["a"], d["sa"]), (d["b"], d["sb"]) = self.anchor(ends[0]), self.anchor(ends[1])
        standard = [1, 0, 0] if self.planar else [0, 0, 1]
        ua, ub = j["axes"] if "axes" in j else [j.get("axis", standard)] * 2
        d["ua"], d["ub"] = unit(self.vector(ua)), unit(self.vector(ub))
        if "normal" in j:
            d["normal"] = unit(self.vector(j["normal"]))
        if j["type"] == "planar" and "normal" in j and "axis" not in j and "axes" not in j:
            d["ua"] = d["ub"] = d["normal"]
        if not self.planar:
            d["kb"] = normals(d["ub"])
            if j["type"] != "universal" and float(np.dot(d["ua"], d["ub"])) > -1 + 1e-6:
                d["align"] = shortest(d["ub"], d["ua"])
                d["ka"] = d["align"] @ d["kb"][0], d["align"] @ d["kb"][1]
        return d

    # --- poses: X = (r, R) with any leading dimensions ------------------------------------------------

    def move(self, X, du):
        """Displacement du (..., n)."""
        r, R = X
        du = du.reshape(du.shape[:-1] + (len(self.bodies), self.per_body))
        if self.planar:
            zero = np.zeros(du.shape[:-1])
            v = np.stack([du[..., 0], du[..., 1], zero], -1)
            w = np.stack([zero, zero, du[..., 2]], -1)
        else:
            v, w = du[..., :3], du[..., 3:]
        return r + v, rotation(w) @ R

    def spread(self, X):
        """Poses with a complex step in every coordinate: leading dimension n."""
        r, R = X
        shift, turn = self.steps
        r, R = r[..., None, :, :], R[..., None, :, :, :]
        return r + shift, R + turn @ R

    def complex_steps(self):
        """For spread: the step of every coordinate as a shift and as a matrix of every body."""
        shift, turn = np.zeros((2, self.n, len(self.bodies), 3))
        for i in range(self.n):
            body, part = divmod(i, self.per_body)
            component = (0, 1, 5)[part] if self.planar else part
            (shift if component < 3 else turn)[i, body, component % 3] = 1.0
        return 1j * STEP * shift, 1j * STEP * skew(turn)

    def place(self, X, body, s):
        if body < 0:
            return spread_over(s, X[0].shape[:-2] + (3,))
        return X[0][..., body, :] + times(X[1][..., body, :, :], s)

    def turned(self, X, body, e):
        if body < 0:
            return spread_over(e, X[0].shape[:-2] + (3,))
        return times(X[1][..., body, :, :], e)

    def rotations(self, X, body):
        if body < 0:
            return spread_over(np.eye(3), X[0].shape[:-2] + (3, 3))
        return X[1][..., body, :, :]

    # --- joint coordinates ----------------------------------------------------------------------------

    def freedoms(self, name):
        kind = self.joints[name]["type"]
        if self.planar:
            return {"revolute": ["angle"], "prismatic": ["slide"], "slot": ["slide", "angle"]}.get(kind, [])
        return {"revolute": ["angle"], "prismatic": ["slide"], "cylindrical": ["slide", "angle"],
                "universal": ["first", "second"], "planar": ["x", "y", "angle"],
                "screw": ["angle", "slide"], "point_on_line": ["slide"],
                "parallel": ["angle"]}.get(kind, [])

    def resolve(self, text):
        name, _, freedom = text.partition(".")
        return name, freedom or self.freedoms(name)[0]

    def coordinate(self, X, text):
        """Coordinate of the first body relative to the second; angles go on counting past half a turn
        once `turns` holds where they began."""
        name, freedom = self.resolve(text)
        d = self.joint_data[name]
        if freedom in ("slide", "x", "y"):
            gap = self.place(X, d["a"], d["sa"]) - self.place(X, d["b"], d["sb"])
            e = {"slide": d["ub"], "x": None, "y": None}[freedom]
            e = d["kb"][freedom == "y"] if e is None else e
            return dot(self.turned(X, d["b"], e), gap)
        if self.planar:
            m, k = self.turned(X, d["a"], d["ua"]), self.turned(X, d["b"], d["ub"])
            e = np.array([0.0, 0.0, 1.0])
        elif freedom == "angle":
            m, k = self.turned(X, d["a"], d["ka"][0]), self.turned(X, d["b"], d["kb"][0])
            e = self.turned(X, d["b"], d["ub"])
        else:
            m, k, e = self.universal(X, d, freedom)
        value = angle_of(dot(cross(k, m), e), dot(k, m))
        if (name, freedom) in self.turns:
            near = self.turns[name, freedom]
            value = value + 2 * math.pi * np.round((near - value.real) / (2 * math.pi))
        return value

    def universal(self, X, d, freedom):
        """`first` turns about the second body's axis, `second` about the first body's; both are zero where
        the frames of the bodies agree, as far as the axes allow."""
        if freedom == "first":
            k = unit(d["ua"] - np.dot(d["ua"], d["ub"]) * d["ub"])
            return (self.turned(X, d["a"], d["ua"]), self.turned(X, d["b"], k),
                    self.turned(X, d["b"], d["ub"]))
        k = unit(d["ub"] - np.dot(d["ub"], d["ua"]) * d["ua"])
        return (self.turned(X, d["b"], d["ub"]), self.turned(X, d["a"], k),
                -self.turned(X, d["a"], d["ua"]))

    def count_turns(self, X):
        self.turns = {}
        self.turns = {(j, f): float(self.coordinate(X, f"{j}.{f}"))
                      for j in self.joints for f in self.freedoms(j) if f not in ("slide", "x", "y")}

    # --- constraints ------------------------------------------------------------------------------------

    def rows(self, X):
        """Holonomic constraints: a list of (joint, value)."""
        out = []
        for name, j in self.joints.items():
            values = getattr(self, "rows_of_" + j["type"])(X, j, self.joint_data[name], name)
            out += [(name, value) for value in values]
        return out

    def gap(self, X, d):
        return self.place(X, d["a"], d["sa"]) - self.place(X, d["b"], d["sb"])

    def together(self, X, d):
        g = self.gap(X, d)
        return [g[..., i] for i in range(2 if self.planar else 3)]

    def lateral(self, X, d):
        g = self.gap(X, d)
        return [dot(g, self.turned(X, d["b"], k)) for k in d["kb"]]

    def parallel_axes(self, X, d):
        e = self.turned(X, d["b"], d["ub"])
        return [dot(e, self.turned(X, d["a"], k)) for k in normals(d["ua"])]

    def locked(self, X, d):
        """Rotation of a in b equals the alignment of the axes: the skew part of the difference."""
        Ra, Rb = self.rotations(X, d["a"]), self.rotations(X, d["b"])
        E = Ra @ d["align"] @ np.swapaxes(Rb, -1, -2)
        return [0.5 * (E[..., 2, 1] - E[..., 1, 2]), 0.5 * (E[..., 0, 2] - E[..., 2, 0]),
                0.5 * (E[..., 1, 0] - E[..., 0, 1])]

    def planar_turn(self, X, d, offset):
        m, k = self.turned(X, d["a"], d["ua"]), self.turned(X, d["b"], d["ub"])
        c, s = math.cos(offset), math.sin(offset)
        return c * cross(k, m)[..., 2] - s * dot(k, m)

    def rows_of_revolute(self, X, j, d, name):
        return self.together(X, d) + ([] if self.planar else self.parallel_axes(X, d))

    def rows_of_prismatic(self, X, j, d, name):
        if not self.planar:
            return self.lateral(X, d) + self.locked(X, d)
        side = np.array([-d["ub"][1], d["ub"][0], 0.0])
        return [self.planar_turn(X, d, 0.0), dot(self.gap(X, d), self.turned(X, d["b"], side))]

    def rows_of_fixed(self, X, j, d, name):
        if self.planar:
            return self.together(X, d) + self.rows_of_angle(X, j, d, name)
        return self.together(X, d) + self.locked(X, d)

    def rows_of_angle(self, X, j, d, name):
        return [self.planar_turn(X, d, float(j.get("offset", j.get("angle", 0.0))))]

    def rows_of_slot(self, X, j, d, name):
        side = np.array([-d["ub"][1], d["ub"][0], 0.0])
        return [dot(self.gap(X, d), self.turned(X, d["b"], side))]

    def rows_of_rod(self, X, j, d, name):
        g, length = self.gap(X, d), float(j["length"])
        return [(dot(g, g) - length**2) / (2 * length)]

    def rows_of_gear(self, X, j, d, name):
        a, b = j["of"]
        return [self.coordinate(X, a) - float(j.get("ratio", 1)) * self.coordinate(X, b)
                - float(j.get("offset", 0))]

    def rows_of_cylindrical(self, X, j, d, name):
        return self.lateral(X, d) + self.parallel_axes(X, d)

    def rows_of_universal(self, X, j, d, name):
        return self.together(X, d) + [dot(self.turned(X, d["a"], d["ua"]),
                                          self.turned(X, d["b"], d["ub"]))]

    def rows_of_spherical(self, X, j, d, name):
        return self.together(X, d)

    def rows_of_planar(self, X, j, d, name):
        return [dot(self.gap(X, d), self.turned(X, d["b"], d["ub"]))] + self.parallel_axes(X, d)

    def rows_of_screw(self, X, j, d, name):
        lead = float(j["pitch"]) / (2 * math.pi)
        return self.rows_of_cylindrical(X, j, d, name) + [
            self.coordinate(X, name + ".slide") - lead * self.coordinate(X, name + ".angle")]

    def rows_of_point_on_line(self, X, j, d, name):
        return self.lateral(X, d)

    def rows_of_point_on_plane(self, X, j, d, name):
        return [dot(self.gap(X, d), self.turned(X, d["b"], d["normal"]))]

    def rows_of_parallel(self, X, j, d, name):
        return self.parallel_axes(X, d)

    def rows_of_rolling(self, X, j, d, name):
        e, m = self.turned(X, d["b"], d["normal"]), self.turned(X, d["a"], d["ua"])
        c = dot(m, e)
        return [dot(self.gap(X, d), e) - float(j["radius"]) * np.sqrt(1 - c * c)]

    def rows_of_knife_edge(self, X, j, d, name):
        return []

    def rows_of_generic(self, X, j, d, name):
        """Along the second body's axes; rotations: see docs/theory.md."""
        g, out, I = self.gap(X, d), [], np.eye(3)
        for i, axis in enumerate("xyz"):
            if axis in j["locks"]:
                out.append(dot(g, self.turned(X, d["b"], I[i])))
        turns = [i for i in range(3) if "r" + "xyz"[i] in j["locks"]]
        A, B = self.rotations(X, d["a"]), self.rotations(X, d["b"])
        if len(turns) == 1:
            second, third = (turns[0] + 1) % 3, (turns[0] + 2) % 3
            out.append(dot(A[..., :, third], B[..., :, second]))
        if len(turns) == 2:
            free = 3 - sum(turns)
            out += [dot(A[..., :, i], B[..., :, free]) for i in turns]
        if len(turns) == 3:
            out += self.locked(X, dict(d, align=I))
        return out

    def jacobian(self, X):
        """(..., rows, n) of all constraints, and the joint each row belongs to; values as well."""
        Z = self.spread(X)
        rows = self.rows(Z)
        owner = [name for name, _ in rows]
        shape = X[0].shape[:-2]
        if rows:
            values = np.stack([spread_over(v, shape + (self.n,)) for _, v in rows], -2)
        else:
            values = np.zeros(shape + (0, self.n), complex)
        J, F = values.imag / STEP, values.real[..., 0]
        J = np.where(np.linalg.norm(J, axis=-1, keepdims=True) > VANISHED, J, 0.0)
        for name, j in self.joints.items():
            for row in self.velocity_rows(X, j, self.joint_data[name]):
                J = np.concatenate([J, row[..., None, :]], -2)
                owner.append(name)
        return J, F, owner

    def velocity_rows(self, X, j, d):
        """Pfaffian rows: what the velocities of a material point must not have."""
        if j["type"] == "knife_edge":
            at = self.place(X, d["a"], d["sa"])
            return [self.point_row(X, d, at, self.turned(X, d["a"], d["normal"]))]
        if j["type"] == "rolling":
            e, m = self.turned(X, d["b"], d["normal"]), self.turned(X, d["a"], d["ua"])
            c = dot(m, e)[..., None]
            contact = self.place(X, d["a"], d["sa"]) - float(j["radius"]) * (e - c * m) / np.sqrt(1 - c * c)
            return [self.point_row(X, d, contact, self.turned(X, d["b"], t))
                    for t in normals(d["normal"])]
        return []

    def point_row(self, X, d, at, e):
        """e . (velocity of the point `at` moving with a, less the same moving with b)."""
        row = np.zeros(X[0].shape[:-2] + (self.n,))
        for body, sign in ((d["a"], 1.0), (d["b"], -1.0)):
            row += sign * self.push(X, body, at, e, 0 * e)
        return row

    def push(self, X, body, at, force, moment):
        """Generalized force of a force at a point and a moment on a body."""
        out = np.zeros(X[0].shape[:-2] + (self.n,))
        if body < 0:
            return out
        full = np.concatenate([force, cross(at - X[0][..., body, :], force) + moment], -1)
        k = self.per_body
        out[..., k * body:k * (body + 1)] = full[..., [0, 1, 5]] if self.planar else full
        return out

    # --- drives and forces -------------------------------------------------------------------------------

    def distance(self, X, pair):
        (a, sa), (b, sb) = self.anchor(pair[0]), self.anchor(pair[1])
        g = self.place(X, a, sa) - self.place(X, b, sb)
        return np.sqrt(dot(g, g))

    def gradient(self, X, function):
        value = function(self.spread(X))
        return value.imag / STEP

    def drive_row(self, X, drive):
        """Generalized force of a unit of the drive."""
        if "wrench" in drive:
            w = drive["wrench"]
            body, s = self.anchor(w["of"])
            force = self.vector(w.get("force", [0, 0, 0]))
            torque = w.get("torque", [0, 0, 0])
            torque = np.array([0, 0, float(torque)]) if np.isscalar(torque) else self.vector(torque)
            if w.get("in") == "body":
                force, torque = self.turned(X, body, force), self.turned(X, body, torque)
            at = self.place(X, body, s)
            return self.push(X, body, at, np.broadcast_to(force, at.shape), np.broadcast_to(torque, at.shape))
        if "at" in drive:
            return self.gradient(X, lambda Z: self.coordinate(Z, drive["at"]))
        sign = -1.0 if "cable" in drive else 1.0
        pair = drive["cable"] if "cable" in drive else drive["between"]
        return sign * self.gradient(X, lambda Z: self.distance(Z, pair))

    def T(self, X):
        rows = [self.drive_row(X, d) for d in self.drives.values()]
        return np.stack(rows, -1) if rows else np.zeros(X[0].shape[:-2] + (self.n, 0))

    def momenta(self, X, u):
        """Generalized momenta of the bodies per virtual displacement at this pose, and of the rotors:
        body arrays P (nb, 3), L about the centre of gravity (nb, 3)."""
        r, R = X
        u = u.reshape(u.shape[:-1] + (len(self.bodies), self.per_body))
        zero = np.zeros(u.shape[:-1])
        if self.planar:
            v, w = np.stack([u[..., 0], u[..., 1], zero], -1), np.stack([zero, zero, u[..., 2]], -1)
        else:
            v, w = u[..., :3], u[..., 3:]
        arm = times(R, self.com)
        P = self.mass[:, None] * (v + cross(w, arm))
        L = times(R @ self.inertia, times(np.swapaxes(R, -1, -2), w))
        return P, L

    def carry(self, X, P, L):
        """Generalized forces of forces P at the centres of gravity and moments L."""
        arm = times(X[1], self.com)
        full = np.concatenate([P, cross(arm, P) + L], -1)
        if self.planar:
            full = full[..., [0, 1, 5]]
        return full.reshape(full.shape[:-2] + (self.n,))

    def sign(self, coordinate, X, u, behind):
        """Direction of a coordinate along the path. One that turns at p has the direction it takes behind
        p; one that stands still has none. `behind(f)`: derivative along the path of f(poses, velocities)."""
        gradient = self.gradient(X, coordinate)
        return self.direction(float(gradient @ u), np.linalg.norm(gradient) * np.linalg.norm(u),
                              lambda: behind(lambda Z, v: (self.gradient(Z, coordinate) * v).sum(-1)))

    @staticmethod
    def direction(rate, scale, change):
        for value, size in ((lambda: rate, scale), (lambda: float(change()), scale)):
            value = value()
            if abs(value) > 1e-5 * size:
                return math.copysign(1.0, value)
            if abs(value) > 1e-8 * size:
                raise InDoubt("a friction's direction")
        return 0.0

    def resistances(self):
        """(coordinate, viscous, coulomb) of every friction."""
        out = []
        for name, j in self.joints.items():
            f = j.get("friction")
            for freedom in self.freedoms(name) if f else []:
                where = f"{name}.{freedom}"
                out.append((lambda Z, w=where: self.coordinate(Z, w), float(f.get("viscous", 0)), float(f.get("coulomb", 0))))
        for f in self.forces.values():
            if f["type"] in ("spring", "damper", "friction"):
                out.append((self.force_coordinate(f), float(f.get("viscous", 0)),
                            float(f.get("coulomb", 0))))
        return out

    def force_coordinate(self, f):
        if "at" in f:
            return lambda Z: self.coordinate(Z, f["at"])
        return lambda Z: self.distance(Z, f["between"])

    def applied(self, X, u=None, behind=None):
        """Applied forces g0 + g1 d1 in the motion u d1 (u None: at rest) at one pose."""
        g0 = self.carry(X, self.mass[:, None] * self.gravity, np.zeros_like(self.com))
        g1 = np.zeros(self.n)
        for f in self.forces.values():
            if f["type"] == "spring":
                where = self.force_coordinate(f)
                stretch = float(where(X)) - float(f.get("rest", 0))
                g0 = g0 - float(f["stiffness"]) * stretch * self.gradient(X, where)
            elif f["type"] == "constant":
                g0 = g0 + self.drive_row(X, {"wrench": f})
            elif f["type"] == "process" and u is not None:
                g0 = g0 - float(f["magnitude"]) * self.process(X, f, u, behind)
        for coordinate, viscous, coulomb in self.resistances() if u is not None else []:
            gradient = self.gradient(X, coordinate)
            rate = float(gradient @ u)
            if abs(rate) > ROUNDED * np.linalg.norm(gradient) * np.linalg.norm(u):
                g1 = g1 - viscous * rate * gradient
            if coulomb:
                g0 = g0 - coulomb * self.sign(coordinate, X, u, behind) * gradient
        return g0, g1

    def process(self, X, f, u, behind):
        """Generalized force of a unit force along the motion of the point; where it turns, along the motion
        behind p."""
        body, s = self.anchor(f["of"])

        def velocity(Z, v):
            return self.point_velocity(Z, body, s, v)
        here, scale = velocity(X, u), np.linalg.norm(u)
        for v in (lambda: here, lambda: behind(velocity)):
            v = v()
            speed = np.linalg.norm(v)
            if speed > 1e-5 * scale:
                return self.push(X, body, self.place(X, body, s), v / speed, np.zeros(3))
            if speed > 1e-8 * scale:
                raise InDoubt("a process force's direction")
        return np.zeros(self.n)

    def point_velocity(self, X, body, s, u):
        at, zero = self.place(X, body, s), np.zeros(X[0].shape[:-2] + (3,))
        return np.stack([(self.push(X, body, at, zero + e, zero) * u).sum(-1) for e in np.eye(3)], -1)


class InDoubt(Exception):
    """The case lies too near a decision that rounding could turn."""


def rank_of(A, what):
    """Rank of a matrix of order one; InDoubt when a singular value is neither clearly zero nor not."""
    if min(A.shape) == 0:
        return 0, np.zeros(0)
    s = np.linalg.svd(A, compute_uv=False)
    top = s[0] if s[0] > 0 else 1.0
    if np.any((s > 1e-10 * top) & (s < 1e-4 * top)):
        raise InDoubt(what)
    return int((s > RANK_CUT * top).sum()), s


def null_space(A, rank):
    return np.linalg.svd(A, full_matrices=True)[2][rank:].T


# --- following a path -------------------------------------------------------------------------------------

class Path:
    """The prescribed coordinates of a trajectory: values and derivatives as functions of p."""

    def __init__(self, machine, entry):
        self.m = machine
        self.end = float(entry["p"][1])
        self.targets = []  # (coordinate of poses, function of p)
        self.orientation = []  # (body, three functions of p)
        for name, text in entry.get("joints", {}).items():
            self.targets.append((lambda X, name=name: machine.coordinate(X, name), formula(text)))
        self.anchors = []
        for axis, text in entry.get("path", {}).items():
            body, s = machine.anchor(entry["of"])
            if axis in "xyz":
                i = "xyz".index(axis)
                self.targets.append((lambda X, b=body, s=s, i=i: machine.place(X, b, s)[..., i], formula(text)))
            elif axis == "angle":
                self.targets.append((lambda X, b=body: self.heading(X, b), formula(text)))
            else:
                self.orientation.append((body, [formula(t) for t in text]))
        self.near = {}

    def heading(self, X, body):
        R = self.m.rotations(X, body)
        value = angle_of(R[..., 1, 0], R[..., 0, 0])
        near = self.near.get(body)
        return value if near is None else value + 2 * math.pi * np.round((near - value.real) / (2 * math.pi))

    def count_turns(self, X):
        self.near = {}
        for body in range(len(self.m.bodies)):
            self.near[body] = float(angle_of(X[1][body, 1, 0], X[1][body, 0, 0]))

    def evaluate(self, X, p):
        """Rows (..., m, n), how far they are from their targets, and their speeds per p; p has the
        leading dimensions of X."""
        p = np.asarray(p, float)
        Z = self.m.spread(X)
        rows, error, speed = [], [], []
        for coordinate, wanted in self.targets:
            value = coordinate(Z)
            rows.append(spread_over(value, X[0].shape[:-2] + (self.m.n,)).imag / STEP)
            error.append(value.real[..., 0] - wanted(p))
            speed.append(np.asarray(wanted(p + 1j * STEP)).imag / STEP)
        for body, formulas in self.orientation:
            R = self.rotation_at(formulas, p)
            rate = self.differentiate(formulas, p)
            W = rate @ np.swapaxes(R, -1, -2)
            E = X[1][..., body, :, :] @ np.swapaxes(R, -1, -2)
            for i, (j, k) in enumerate(((2, 1), (0, 2), (1, 0))):
                row = np.zeros(X[0].shape[:-2] + (self.m.n,))
                row[..., 6 * body + 3 + i] = 1.0
                rows.append(row)
                error.append(0.5 * (E[..., j, k] - E[..., k, j]))
                speed.append(0.5 * (W[..., j, k] - W[..., k, j]))
        return np.stack(rows, -2), np.stack(error, -1), np.stack(speed, -1)

    def rotation_at(self, formulas, p):
        a, b, c = [np.asarray(f(p)) for f in formulas]
        one, zero = np.ones_like(a), np.zeros_like(a)

        def matrix(rows):
            return np.stack([np.stack(row, -1) for row in rows], -2)
        X = matrix([[one, zero, zero], [zero, np.cos(a), -np.sin(a)], [zero, np.sin(a), np.cos(a)]])
        Y = matrix([[np.cos(b), zero, np.sin(b)], [zero, one, zero], [-np.sin(b), zero, np.cos(b)]])
        Z = matrix([[np.cos(c), -np.sin(c), zero], [np.sin(c), np.cos(c), zero], [zero, zero, one]])
        return X @ Y @ Z

    def differentiate(self, formulas, p):
        return self.rotation_at(formulas, p + 1j * STEP).imag / STEP


class Follower:
    """Poses along a path: Newton steps of least norm; where the path leaves freedoms, the velocity of
    least norm (centres of gravity in metres, rotations times L; weights of the bodies)."""

    def __init__(self, machine, path, length):
        self.m, self.path, self.length = machine, path, length
        scale = [1, 1, 1 / length] if machine.planar else [1] * 3 + [1 / length] * 3
        self.scale = np.tile(scale, len(machine.bodies)).astype(float)

    def metric(self, X):
        """S (..., n, n): displacement = S x with |x| the norm that is to be least. Translations are
        counted at the centres of gravity."""
        m, k = self.m, self.m.per_body
        S = np.zeros(X[0].shape[:-2] + (m.n, m.n))
        arm = times(X[1], m.com)
        for b in range(len(m.bodies)):
            o = k * b
            for i in range(k):
                S[..., o + i, o + i] = self.scale[o + i]
            A = skew(arm[..., b, :])  # v_origin = v_com + arm x w
            if m.planar:
                S[..., o:o + 2, o + 2] = A[..., :2, 2] / self.length
            else:
                S[..., o:o + 3, o + 3:o + 6] = A / self.length
        return S

    def system(self, X, p):
        C, F, owner = self.m.jacobian(X)
        E, error, speed = self.path.evaluate(X, p)
        J = np.concatenate([C, E], -2)
        holonomic = F.shape[-1]
        residual = np.concatenate([F, np.zeros(F.shape[:-1] + (C.shape[-2] - holonomic,)), error], -1)
        wanted = np.concatenate([np.zeros(F.shape[:-1] + (C.shape[-2],)), speed], -1)
        return J, residual, wanted, holonomic, C.shape[-2]

    def solve(self, X, J, b, cut):
        S = self.metric(X)
        Js = J @ S
        return (S @ (np.linalg.pinv(Js, rcond=cut) @ b[..., None]))[..., 0]

    def depends_on_way(self, X, p):
        """Nonholonomic, or with freedoms that the path leaves."""
        kinds = {j["type"] for j in self.m.joints.values()}
        J = self.system(X, p)[0]
        return bool(kinds & {"knife_edge", "rolling"}) or rank_of(J, "rank")[0] < self.m.n

    def close(self, X, p, steps=6):
        for i in range(steps):
            J, residual, _, holonomic, rows = self.system(X, p)
            keep = np.r_[0:holonomic, rows:J.shape[-2]]  # velocity rows say nothing about places
            X = self.m.move(X, -self.solve(X, J[..., keep, :], residual[..., keep], CUT_OPEN))
        return X

    def misfit(self, X, p):
        return float(np.abs(self.system(X, p)[1]).max())

    def velocity(self, X, p):
        J, _, wanted, _, _ = self.system(X, p)
        return self.solve(X, J, wanted, CUT_CLOSED)

    def moves(self, X, p):
        """Whether the velocity fulfils all rows; those of rolling and knife edges may leave fewer freedoms than the
        path asks for."""
        J, _, wanted, _, _ = self.system(X, p)
        u = self.solve(X, J, wanted, CUT_CLOSED)
        return np.linalg.norm(J @ u - wanted) <= BENDING * (1 + np.linalg.norm(u))

    def integrate(self, X, p, q, tolerance):
        """From p to q where the pose depends on the way: Runge-Kutta of order 8 (Dormand, Prince) in the displacement
        from the present pose, every stage closed. The displacement may turn bodies by less than half a turn."""
        def rate(at, du):
            rate.calls += 1
            if rate.calls > MOST_RATES:
                raise InDoubt("the integration of the pose")
            return self.rate(X, du, at)
        rate.calls = 0
        answer = solve_ivp(rate, (p, q), np.zeros(self.m.n), "DOP853",
                           t_eval=[q], rtol=tolerance, atol=tolerance)
        if not answer.success:
            raise InDoubt("the integration of the pose")
        return self.close(self.m.move(X, answer.y[:, -1]), q, 2)

    def integrate_closely(self, X, p, q):
        """As integrate, in pieces within which bodies turn little, with two tolerances."""
        pieces = 1 + int(abs(q - p) * np.abs(self.velocity(X, p)).max() / LONGEST)
        if pieces > MOST_PIECES:
            raise InDoubt("the integration of the pose")
        for i in range(pieces):
            at, to = [p + (q - p) * k / pieces for k in (i, i + 1)]
            last, X = [self.integrate(X, at, to, tolerance) for tolerance in INTEGRATION]
            if max(np.abs(x - y).max() for x, y in zip(X, last)) > INTEGRATION_CHANGE / pieces:
                raise InDoubt("the integration of the pose")
        return X

    def rate(self, X, du, p):
        """Rate of the displacement: rotation vectors turn with w - theta x w / 2 + c theta x (theta x w)."""
        m = self.m
        k = self.velocity(self.close(m.move(X, du), p, 2), p)
        if m.planar:
            return k
        k = k.reshape(-1, 6).copy()
        theta, w = du.reshape(-1, 6)[:, 3:], k[:, 3:].copy()
        once = np.cross(theta, w)
        half = 0.5 * np.linalg.norm(theta, axis=1, keepdims=True)
        c = np.where(half > 0.01, (1 - half / np.tan(np.maximum(half, 0.01))) / (4 * np.maximum(half, 0.01)**2),
                     1 / 12 + half**2 / 180)
        k[:, 3:] = w - 0.5 * once + c * np.cross(theta, once)
        return k.reshape(-1)


def bends(follower, X, near, p, h, u):
    """Whether J u' + J' u = s' has a solution u' at p. Where rows of J are dependent at p only, and those near by are
    not, it has none in general: the velocity jumps there, which symmetric differences do not see."""
    J, _, wanted, _, _ = follower.system(near, p + h * PLACES)
    bend = np.tensordot(EIGHTH / h, (J * u).sum(-1) - wanted, 1)
    J = follower.system(X, p)[0] @ follower.metric(X)
    apart = null_space(J.T, rank_of(J, "rank")[0]).T @ bend
    return np.linalg.norm(apart) <= BENDING * (1 + np.linalg.norm(u)) ** 2


def coefficients(machine, follower, X, p):
    """At one pose of the path: (C, T, a, b, c, d, u): C^T lambda + T n = a d1^2 + b d1 + c + d d2, the
    inertia forces from differences of momenta along the path."""
    u = follower.velocity(X, p)
    h = SPACING / (1 + np.linalg.norm(u))
    near = follower.close(machine.move(X, (h * PLACES)[:, None] * u), p + h * PLACES, 3)
    if follower.misfit(near, p + h * PLACES) > 1e-12:
        raise InDoubt("a pose from which the machine does not move on")
    if not bends(follower, X, near, p, h, u):
        raise InDoubt("a pose without a second derivative along the path")
    v = follower.velocity(near, p + h * PLACES)
    P, L = machine.momenta(near, v)
    rotors = []
    for drive in machine.drives.values():
        inertia = float(drive.get("rotor_inertia", 0)) * float(drive.get("ratio", 1)) ** 2
        if inertia and "wrench" not in drive:
            rotors.append((inertia, machine.drive_row(X, drive), (machine.drive_row(near, drive) * v).sum(-1)))
    a = {}
    for order, weights in ((6, SIXTH / h), (8, EIGHTH / h)):
        a[order] = machine.carry(X, np.tensordot(weights, P, 1), np.tensordot(weights, L, 1))
        for inertia, row, rates in rotors:
            a[order] = a[order] + inertia * float(weights @ rates) * row
    d = machine.carry(X, *machine.momenta(X, u))
    for inertia, row, _ in rotors:
        d = d + inertia * float(row @ u) * row
    a, worse = a[8], a[6]
    if np.linalg.norm(a - worse) > STENCIL_ERROR * (np.linalg.norm(a) + np.linalg.norm(d)):
        raise InDoubt("differences along the path")
    onward = -1.0 if p == follower.path.end else 1.0  # the end of a path is seen from before it
    g0, g1 = machine.applied(X, u, lambda f: onward * np.tensordot(EIGHTH / h, f(near, v), 1))
    C, _, owner = machine.jacobian(X)
    return C, owner, machine.T(X), a, -g1, -g0, d, u
