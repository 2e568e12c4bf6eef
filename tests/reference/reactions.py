"""Which reactions are determined, and how much they are, from the null space of [C^T T] of the reference's
own constraints; compared with `globdyn reactions --json`.

A reaction is the force and moment about the first body's point that the second body exerts on the first,
taken from the virtual work of the joint's rows on the first body: it does not depend on how the rows are
written. Its components stand in the frames of docs/reactions.md."""
import os

import numpy as np

import mechanism as mech

CARRIES = {
    True: {"revolute": "XY", "prismatic": "Yz", "fixed": "XYz", "rod": "X", "slot": "Y", "angle": "z",
           "knife_edge": "X"},
    False: {"revolute": "XYZxy", "prismatic": "XYxyz", "fixed": "XYZxyz", "rod": "X", "knife_edge": "X",
            "cylindrical": "XYxy", "universal": "XYZz", "spherical": "XYZ", "planar": "Zxy",
            "screw": "XYZxyz", "point_on_line": "XY", "point_on_plane": "Z", "parallel": "xy",
            "rolling": "XYZ"}}
LETTERS = {"X": "fx", "Y": "fy", "Z": "fz", "x": "mx", "y": "my", "z": "mz"}
LEAST = 1e-4  # N or N m: smaller reactions are zero but for rounding of the motion
MOTIONS = [(0.7, 0.0), (1.3, -0.8)]  # d1, d2 of the motions that are compared


def components(m, name):
    j = m.joints[name]
    if j["type"] == "gear":
        return ["gear"]
    if j["type"] == "generic":
        return [("f" + l) if len(l) == 1 else ("m" + l[1]) for l in j["locks"]]
    return [LETTERS[c] for c in CARRIES[m.planar][j["type"]]]


def frame(m, X, name):
    """Axes of the components as columns, and the first body's point."""
    j, d = m.joints[name], m.joint_data[name]
    at = m.place(X, d["a"], d["sa"])
    B = m.rotations(X, d["b"])
    kind = j["type"]
    if kind == "rod":
        x = mech.unit(at - m.place(X, d["b"], d["sb"]))
    elif kind == "knife_edge":
        x = m.turned(X, d["a"], d["normal"])
    elif kind == "universal":
        x, y = B @ d["ub"], m.turned(X, d["a"], d["ua"])
        z = mech.unit(np.cross(x, y))
        return np.stack([x, np.cross(z, x), z], -1), at
    elif kind in ("generic", "spherical"):
        return B, at
    elif m.planar:
        x = B @ (d["ub"] if kind in ("prismatic", "slot") else np.array([1.0, 0, 0]))
    else:
        e = d["normal"] if kind in ("point_on_plane", "rolling") else d["ub"]
        k1, k2 = mech.normals(e)
        return B @ np.stack([k1, k2, e], -1), at
    if m.planar:
        z = np.array([0.0, 0.0, 1.0])
        return np.stack([x, np.cross(z, x), z], -1), at
    k1, k2 = mech.normals(x)
    return np.stack([x, k1, k2], -1), at


def functional(m, X, name, component, C, owner):
    """Row g with component = g . lambda."""
    d = m.joint_data[name]
    if component == "gear":
        return np.array([float(who == name) for who in owner])
    E, at = frame(m, X, name)
    body, sign = (d["a"], 1.0) if d["a"] >= 0 else (d["b"], -1.0)
    g, k = np.zeros(len(C)), m.per_body
    axis, carried = E[:, "xyz".index(component[1])], 0.0
    for i, who in enumerate(owner):
        if who != name:
            continue
        block = sign * C[i, k * body:k * (body + 1)]
        force = np.array([block[0], block[1], 0.0]) if m.planar else block[:3]
        moment = np.array([0.0, 0.0, block[2]]) if m.planar else block[3:]
        moment = moment + np.cross(X[0][body] - at, force)
        g[i] = axis @ (force if component[0] == "f" else moment)
        carried = max(carried, np.linalg.norm(force if component[0] == "f" else moment))
    # Zero but for rounding where all that the joint carries is at right angles to the component.
    g[np.abs(g) < 1e-12 * carried] = 0.0
    return g


class Balance:
    """[C^T T] of a pose: its null space, verdicts and values."""

    def __init__(self, m, C, T):
        self.m, self.rows, self.n = m, len(C), m.n
        A = np.hstack([C.T, T])
        size = np.linalg.norm(A, axis=0)
        self.unit = np.where(size > 0, size, 1.0)
        self.A = A / self.unit
        self.rank, _ = mech.rank_of(self.A, "rank of constraints and drives")
        self.N = mech.null_space(self.A, self.rank)
        only = C.T / self.unit[:self.rows]
        rank, _ = mech.rank_of(only, "rank of the constraints")
        self.L = mech.null_space(only, rank) if self.rows else np.zeros((0, 0))

    def verdict(self, G):
        """Of the linear functions G lambda (rows of G)."""
        G = np.atleast_2d(G) / self.unit[:self.rows]
        size = np.linalg.norm(G)
        amounts = [np.linalg.norm(G @ self.N[:self.rows]) / size, np.linalg.norm(G @ self.L) / size] \
            if size > 0 else [0.0, 0.0]
        for amount in amounts:
            if 1e-10 < amount < 1e-4:
                raise mech.InDoubt("a verdict")
        if amounts[0] < 1e-7:
            return "unique"
        return "drive-dependent" if amounts[1] < 1e-7 else "indeterminate"

    def solve(self, b, inertia=0.0):
        """(lambda, misfit relative to the loads and to `inertia`: what accelerations of the motion's own size
        would be as loads; loads far below it are rounding)."""
        x = np.linalg.lstsq(self.A, b, rcond=1e-7)[0]
        size = max(np.linalg.norm(b), inertia)
        misfit = np.linalg.norm(self.A @ x - b) / size if size > 0 else 0.0
        return (x / self.unit)[:self.rows], misfit


def mass_matrix(m, X):
    """Inertia forces of unit accelerations at rest."""
    M = np.zeros((m.n, m.n))
    for i in range(m.n):
        e = np.zeros(m.n)
        e[i] = 1.0
        M[:, i] = m.carry(X, *m.momenta(X, e))
    return M


def let_go(m, X, C, g0):
    """Accelerations without drives: Gauss' principle with the constraints' equations as they are."""
    M = mass_matrix(m, X)
    K = np.block([[M, -C.T], [C, np.zeros((len(C), len(C)))]])
    x = np.linalg.lstsq(K, np.concatenate([g0, np.zeros(len(C))]), rcond=1e-10)[0]
    return M @ x[:m.n]


def compare(bench, follower, states):
    m = bench.machine
    answer = bench.ask("reactions", "--pose", "--no-pictures", "-q", "-o", "out")
    if answer and m.joints:
        X = m.first_guess()
        C, _, owner = m.jacobian(X)
        g0, _ = m.applied(X)
        inertia = 0 * g0 if m.drives else let_go(m, X, C, g0)
        compare_pose(bench, "at the first guess", X, C, owner, m.T(X), inertia - g0, answer["poses"][0])
    if not states or not m.joints:
        return
    motion = os.path.join(bench.folder, "motion.csv")
    with open(motion, "w") as file:
        file.write("p,d1,d2\n" + "".join(f"{p!r},{d1},{d2}\n" for (p, _), (d1, d2) in zip(states, MOTIONS)))
    answer = bench.ask("reactions", "--trajectory", "t", "--motion", motion, "--no-pictures", "-q", "-o", "out")
    for (p, X), (d1, d2), pose in zip(states, MOTIONS, answer["poses"] if answer else []):
        C, owner, T, a, b, c, d, u = mech.coefficients(m, follower, X, p)
        inertia = np.linalg.norm(d) * (np.linalg.norm(u) * d1 * d1 + abs(d2))
        compare_pose(bench, f"in motion at p = {p:g}", X, C, owner, T, a * d1 * d1 + b * d1 + c + d * d2, pose, inertia)


def compare_pose(bench, where, X, C, owner, T, b, pose, inertia=0.0):
    m = bench.machine
    balance = Balance(m, C, T)
    values, misfit = balance.solve(b, inertia)
    if 1e-9 < misfit < 1e-5:
        raise mech.InDoubt("a balance")
    held = misfit <= 1e-9
    bench.notes["balance" if held else "unbalanced"] += 1
    if held == (pose["status"] == "unbalanced"):
        bench.differ(f"{where} status (misfit {misfit:.2g})", pose["status"], "held" if held else "unbalanced")
    loads = np.abs(b).max(initial=0.0)
    for name in m.joints:
        told = pose["joints"][name]
        G = np.zeros((m.n, len(C)))
        for i in range(len(C)):
            if owner[i] == name:
                G[:, i] = C[i]
        bench.notes["verdicts"] += 1
        wanted = balance.verdict(G)
        if told["verdict"] != wanted:
            bench.differ(f"{where} {name} ({m.joints[name]['type']})", told["verdict"], wanted)
        for component in components(m, name):
            g = functional(m, X, name, component, C, owner)
            wanted = balance.verdict(g)
            said = told["components"].get(component)
            bench.notes["verdicts"] += 1
            label = f"{where} {name}.{component} ({m.joints[name]['type']})"
            if said is None:
                bench.differ(label, sorted(told["components"]), component)
                continue
            if said["verdict"] != wanted:
                bench.differ(label, said["verdict"], wanted)
            elif wanted == "unique" and held and "value" in said:
                theirs = float(g @ values)
                scale = max(abs(theirs), loads, np.abs(g) @ np.abs(values), LEAST)
                bench.compare(label, said["value"], theirs, scale)
            elif wanted == "unique" and held:
                bench.differ(label + " has no value", None, float(g @ values))
