#!/usr/bin/python3
"""Reactions of random machines, by Newton and Euler: verdicts, values, frames and unique sums.

usage: newton_euler.py GLOBDYN [COUNT [SEED]]

Own formulation, no constraint equations: every joint is the set of forces and moments it can carry at
its point (a wrench space in the frame that docs/reactions.md gives it, which the program's is compared with),
every body a balance of forces and moments
about its centre. At rest and released the accelerations are those of least constraint:
    M a = f + G x,   G^T a = 0,
x the wrench components of all joints. A component is unique when null(G) does not touch it. Numbers are
coarse half of the time, so that symmetric and redundant situations occur; masses spread over six
decades. Exits with 1 when anything differs by more than 1e-6.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from mechanism import normals

G0 = np.array([0.0, 0.0, -9.81])
CARRIES = {  # wrench components in the joint's frame
    "revolute": "XYZxy", "prismatic": "XYxyz", "fixed": "XYZxyz", "rod": "X", "knife_edge": "X",
    "cylindrical": "XYxy", "universal": "XYZz", "spherical": "XYZ", "planar": "Zxy", "point_on_line": "XY",
    "point_on_plane": "Z", "parallel": "xy", "rolling": "XYZ", "generic": None, "screw": None,
}
NAMES = dict(zip("XYZxyz", ("fx", "fy", "fz", "mx", "my", "mz")))


def rotation(cardan):
    a, b, c = cardan
    rx = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    ry = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    rz = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return rx @ ry @ rz


def numbers(rng, coarse, size):
    return rng.integers(-2, 3, size) / 2.0 if coarse else rng.uniform(-1, 1, size)


def direction(rng, coarse):
    while True:
        e = numbers(rng, coarse, 3)
        if np.linalg.norm(e) > 0.3:
            return e / np.linalg.norm(e)


def listed(v):
    return "[" + ", ".join(f"{x:.17g}" for x in v) + "]"


def machine(rng):
    """Bodies (mass, inertia, centre, rotation) and joints (type, a, b, point, axis, extra), as YAML too."""
    coarse, count = rng.random() < 0.5, int(rng.integers(1, 4))
    bodies, text = [], ["format: 1", "name: random", "machine:", "  space: spatial",
                        "  gravity: [0, 0, -9.81]", "  bodies:"]
    for i in range(count):
        cardan = rng.integers(-1, 2, 3) * np.pi / 2 * (0.5 if coarse else 0.37)
        mass = 10.0 ** rng.integers(-3, 4)
        inertia = mass * np.array([0.2, 0.25, 0.3])
        at = numbers(rng, coarse, 3)
        bodies.append((mass, inertia, at, rotation(cardan)))
        text.append(f"    b{i}: {{mass: {mass:.17g}, inertia: {listed(inertia)}, "
                    f"pose: {{at: {listed(at)}, cardan: {listed(cardan)}}}}}")
    text += ["  joints:"]
    joints = []
    pairs = [(i, -1 if i == 0 else int(rng.integers(-1, i))) for i in range(count)]
    pairs += [(int(rng.integers(0, count)), -1) for _ in range(int(rng.integers(0, 3)))]

    def own(body, x):
        return x if body < 0 else bodies[body][3].T @ (x - bodies[body][2])

    def turned(body, e):
        return e if body < 0 else bodies[body][3].T @ e

    def place(body, x):
        return ("ground" if body < 0 else f"b{body}"), listed(own(body, x))

    anchors = {}
    for k, (a, b) in enumerate(pairs):
        sort = list(CARRIES)[int(rng.integers(len(CARRIES)))]
        if rng.random() < 0.3:
            a, b = (b, a) if b >= 0 else (a, b)
        x, e, far = numbers(rng, coarse, 3), direction(rng, coarse), None
        extra, locks, first = "", None, None
        axes = f"axes: [{listed(turned(a, e))}, {listed(turned(b, e))}]"
        aligned = np.abs(turned(a, np.eye(3)) - turned(b, np.eye(3))).max() < 1e-12
        if sort == "prismatic" and not aligned:  # closes where its bodies are not turned
            sort = "cylindrical"
        if sort in ("revolute", "prismatic", "cylindrical", "point_on_line", "parallel", "planar"):
            extra = axes
        elif sort == "screw":  # closes where its angle is zero
            sort, extra = ("screw", axes + ", pitch: 0.3") if aligned else ("cylindrical", axes)
        elif sort == "universal":
            other = np.cross(e, direction(rng, coarse))
            if np.linalg.norm(other) < 0.1:
                other = np.cross(e, [0.3, -0.7, 0.2])
            first = other / np.linalg.norm(other)
            if abs(turned(a, first) @ turned(b, e)) > 0.999:  # refused: its angles have no zero
                first = np.cross(first, e)
            extra = f"axes: [{listed(turned(a, first))}, {listed(turned(b, e))}]"
        elif sort == "point_on_plane":
            extra = f"normal: {listed(turned(b, e))}"
        elif sort == "knife_edge":
            extra = f"normal: {listed(turned(a, e))}"
        elif sort == "rod":
            far = x + e
            extra = "length: 1"
        elif sort == "rolling":
            wheel = np.cross(e, [0.3, -0.7, 0.2])
            wheel /= np.linalg.norm(wheel)
            far = x - 0.5 * e  # a point of the plane
            extra = f"axis: {listed(turned(a, wheel))}, normal: {listed(turned(b, e))}, radius: 0.5"
        elif sort in ("fixed", "generic"):
            same = a if a >= 0 else b
            if not (a < 0 or b < 0) or sort == "fixed" or same < 0:
                sort, extra = "fixed", ""
            if np.abs((bodies[a][3] if a >= 0 else np.eye(3)) - (bodies[b][3] if b >= 0 else np.eye(3))).max() > 1e-12:
                sort, extra = "spherical", ""  # these close only where the frames align
            elif sort == "generic":
                locks = [n for n in ("x", "y", "z", "rx", "ry", "rz") if rng.random() < 0.6] or ["x"]
                extra = f"locks: [{', '.join(locks)}]"
        na, pa = place(a, x)
        nb, pb = place(b, far if far is not None else x)
        anchors.setdefault(na, {})[f"P{k}a"] = pa
        anchors.setdefault(nb, {})[f"P{k}b"] = pb
        text.append(f"    j{k}: {{type: {sort}, of: [{na}.P{k}a, {nb}.P{k}b]{', ' + extra if extra else ''}}}")
        joints.append({"type": sort, "a": a, "b": b, "point": x - 0.5 * e if sort == "rolling" else x,
                       "axis": e, "first": first, "locks": locks})
    lines = []
    for line in text:
        name = line.strip().split(":")[0]
        if line.startswith("    b") and name in anchors:
            line = line[:-1] + ", points: {" + ", ".join(f"{p}: {v}" for p, v in anchors[name].items()) + "}}"
        lines.append(line)
    if "ground" in anchors:
        lines.insert(5, "  ground: {points: {" + ", ".join(f"{p}: {v}" for p, v in anchors["ground"].items()) + "}}")
    return bodies, joints, "\n".join(lines) + "\n"


def stated(bodies, joint):
    """Axes of the joint's frame as columns, by docs/reactions.md."""
    e, sort = joint["axis"], joint["type"]
    B = bodies[joint["b"]][3] if joint["b"] >= 0 else np.eye(3)
    if sort in ("generic", "spherical", "fixed"):
        return B
    if sort == "universal":
        return np.stack([e, joint["first"], np.cross(e, joint["first"])], -1)
    if sort in ("rod", "knife_edge"):
        x = -e if sort == "rod" else e
        return np.stack([x, *normals(x)], -1)
    own = B.T @ e
    return B @ np.stack([*normals(own), own], -1)


def columns(bodies, joint):
    """Wrench columns (6 bodies x components) and their names."""
    E, p = stated(bodies, joint), joint["point"]
    found = []

    def add(force, moment):
        col = np.zeros(6 * len(bodies))
        for body, sign in ((joint["a"], 1), (joint["b"], -1)):
            if body >= 0:
                col[6 * body:6 * body + 3] += sign * force
                col[6 * body + 3:6 * body + 6] += sign * (moment + np.cross(p - bodies[body][2], force))
        return col

    zero = np.zeros(3)
    unit = {c: (E[:, i % 3] if i < 3 else zero, zero if i < 3 else E[:, i % 3]) for i, c in enumerate("XYZxyz")}
    names = CARRIES[joint["type"]]
    if joint["type"] == "generic":
        names = "".join({"x": "X", "y": "Y", "z": "Z", "rx": "x", "ry": "y", "rz": "z"}[n] for n in joint["locks"])
    if joint["type"] == "screw":
        # slide = pitch / (2 pi) angle: no work in a screw motion, fz pitch/(2 pi) + mz = 0
        h = 0.3 / (2 * np.pi)
        for c in "XYxy":
            found.append((add(*unit[c]), {c: 1.0}))
        found.append((add(E[:, 2], -h * E[:, 2]), {"Z": 1.0, "z": -h}))
        return found
    return [(add(*unit[c]), {c: 1.0}) for c in names]


def null(A):
    if A.shape[1] == 0:
        return np.zeros((0, 0)), np.inf
    scale = np.linalg.norm(A, axis=0)
    u, s, vt = np.linalg.svd(A / scale)
    rank = int((s > 1e-9 * s[0]).sum())
    return (vt[rank:] / scale).T, s[rank - 1] / s[0]


def solve(bodies, joints):
    """Per joint and component: (unique, value); and the matrices."""
    G, where = [], []
    for k, joint in enumerate(joints):
        for col, parts in columns(bodies, joint):
            G.append(col)
            where.append((k, parts))
    G = np.array(G).T
    n = G.shape[0]
    M, f = np.zeros((n, n)), np.zeros(n)
    for i, (m, J, _, R) in enumerate(bodies):
        M[6 * i:6 * i + 3, 6 * i:6 * i + 3] = m * np.eye(3)
        M[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = R @ np.diag(J) @ R.T
        f[6 * i:6 * i + 3] = m * G0
    N, least = null(G)
    # least constraint: in w = M^(1/2) a the free part of M^(-1/2) f is orthogonal to M^(-1/2) G
    L = np.linalg.cholesky(M)
    A = np.linalg.solve(L, G)
    scale = np.linalg.norm(A, axis=0)
    x = -np.linalg.lstsq(A / scale, np.linalg.solve(L, f), rcond=1e-12)[0] / scale
    return where, x, N, least


def compare(bodies, joints, answer, label):
    frames = [answer["joints"][f"j{k}"]["frame"] for k in range(len(joints))]
    wrong = []
    for k, joint in enumerate(joints):
        if np.abs(np.array(frames[k]["point"]) - joint["point"]).max() > 1e-9:
            wrong.append(f"{label} j{k} {joint['type']}: point {frames[k]['point']} not {joint['point']}")
        E = np.array([frames[k]["x"], frames[k]["y"], frames[k]["z"]]).T
        if np.abs(E - stated(bodies, joint)).max() > 1e-9:
            wrong.append(f"{label} j{k} {joint['type']}: axes {E.tolist()} not {stated(bodies, joint).tolist()}")
    where, x, N, least = solve(bodies, joints)
    rounding = 1e-11 * (sum(b[0] for b in bodies) * 9.81 + np.abs(x).max(initial=0))  # of lstsq above
    known = {}
    for k, joint in enumerate(joints):
        for name, item in answer["joints"][f"j{k}"]["components"].items():
            value, change, own = 0.0, np.zeros(N.shape[1]), 0
            for i, (j, parts) in enumerate(where):
                for letter, weight in parts.items():
                    if j == k and NAMES[letter] == name:
                        value += weight * x[i]
                        change = change + weight * N[i]
            unique = np.abs(change).max(initial=0) < 1e-7
            known[f"j{k}.{name}"] = (value, change)
            if unique != (item["verdict"] == "unique"):
                wrong.append(f"{label} j{k} {joint['type']}.{name}: {item['verdict']}, own change {change}")
            elif unique and abs(item["value"] - value) > 1e-6 * abs(value) + rounding:
                wrong.append(f"{label} j{k} {joint['type']}.{name}: {item['value']} not {value}")
    for sum_ in answer.get("combinations", []):
        value = sum(t["coefficient"] * known[t["reaction"]][0] for t in sum_["terms"])
        change = sum(t["coefficient"] * known[t["reaction"]][1] for t in sum_["terms"])
        if np.abs(change).max(initial=0) > 1e-6 or abs(value - sum_["value"]) > 1e-6 * abs(value) + 10 * rounding:
            wrong.append(f"{label}: sum {sum_} is {value}, changes {change}")
    open_ = [c for c in known if np.abs(known[c][1]).max(initial=0) >= 1e-7]
    if open_:
        rank = np.linalg.matrix_rank(np.array([known[c][1] for c in open_]), tol=1e-7)
        if len(answer.get("combinations", [])) != len(open_) - rank:
            wrong.append(f"{label}: {len(answer['combinations'])} sums, own {len(open_) - rank}")
    return wrong, least


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    tried = skipped = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "random.yaml"
        for i in range(count):
            bodies, joints, text = machine(np.random.default_rng([seed, i]))
            case.write_text(text)
            run = subprocess.run([program, "reactions", str(case), "--json", "--no-pictures", "-q", "-o",
                                  folder + "/out"], capture_output=True, text=True)
            if run.returncode != 0:
                wrong.append(f"{i}: exit code {run.returncode}: {run.stderr[:300]}")
                continue
            pose = json.loads(run.stdout)["poses"][0]
            if pose["near_singular"] or pose["status"] == "unbalanced":
                skipped += 1
                continue
            found, _ = compare(bodies, joints, pose, str(i))
            tried += 1
            wrong += found
    for line in wrong[:20]:
        print(line)
    print(f"{tried} machines compared, {skipped} near singular, {len(wrong)} differences")
    return 1 if wrong or tried < count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
