"""Assembly modes of random platforms, all drives held, against a multistart of its own: modes.py PROGRAM FIRST COUNT [KIND...].

The unknowns are the platform's position and a rotation by exponential map, the equations those of the legs alone: lengths (6-UPS,
3-RPS, 3-RRR), with the platform's points in the legs' planes (3-RPS), with no twist of the legs (3-UPU). Many starts are iterated at
once by damped Gauss-Newton steps with difference quotients. Poses are compared in both directions. The variable STARTS is their
number (campaigns: 12000). Needs numpy.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

KINDS = ("6ups", "3rps", "3rrr", "3upu")
STARTS = int(os.environ.get("STARTS", 600))


def rotation(w):
    """Rotation matrices of rotation vectors (n x 3)."""
    angle = np.linalg.norm(w, axis=1)[:, None, None]
    k = np.zeros((len(w), 3, 3))
    k[:, 0, 1], k[:, 0, 2], k[:, 1, 2] = -w[:, 2], w[:, 1], -w[:, 0]
    k -= k.transpose(0, 2, 1)
    small = angle < 1e-8
    safe = np.where(small, 1, angle)
    return np.eye(3) + np.where(small, 1, np.sin(safe) / safe) * k + np.where(
        small, 0.5, (1 - np.cos(safe)) / safe**2) * (k @ k)


def cardan(a):
    """Rx(a) Ry(b) Rz(c)."""
    e = np.eye(3)
    r = e
    for i in range(3):
        r = r @ rotation(np.array([a[i] * e[i]]))[0]
    return r


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


class Machine:
    """Foot points B, head points A (platform's axes), axes b of the feet, c of the heads (platform's axes)."""

    def __init__(self, kind, seed):
        rng = np.random.default_rng([KINDS.index(kind), seed])
        self.kind, self.n = kind, 6 if kind == "6ups" else 3
        turn = np.arange(self.n) * 2 * np.pi / self.n + rng.uniform(-0.3, 0.3, self.n)
        flat = kind == "3rrr"
        self.B = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1) * rng.uniform(0.8, 1.2, (self.n, 1))
        turn = turn + rng.uniform(-0.5, 0.5, self.n)
        self.A = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1) * rng.uniform(0.4, 0.8, (self.n, 1))
        if not flat:
            self.B[:, 2] = rng.uniform(-0.15, 0.15, self.n)
            self.A[:, 2] = rng.uniform(-0.1, 0.1, self.n)
        tangent = np.cross([0, 0, 1], self.B)
        self.b = unit(tangent + (0 if flat or kind == "3rps" else 0.6 * rng.standard_normal((3, 3))
                                 if kind == "3upu" else 0 * tangent))
        self.c = unit(np.cross([0, 0, 1], self.A) + (0.6 * rng.standard_normal((3, 3)) if kind == "3upu" else 0))
        self.at = np.array([*rng.uniform(-0.2, 0.2, 2), 0 if flat else rng.uniform(0.5, 1)])
        self.cardan = np.array([0, 0, rng.uniform(-0.4, 0.4)]) if flat else rng.uniform(-0.3, 0.3, 3)
        self.crank = 0.55
        if flat:  # elbows: the feet of what is left
            self.ground = self.B
            angle = np.arctan2(-self.B[:, 1], -self.B[:, 0]) + rng.uniform(0.5, 1.2, 3)
            self.angle = angle
            self.B = self.ground + self.crank * np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
        self.starts = STARTS // 4 if kind == "3rrr" else STARTS

    def heads(self, x, r):
        return x[:, None, :] + np.einsum("nij,kj->nki", r, self.A)

    def equations(self, x, r):
        d = self.heads(x, r) - self.B
        f = [np.linalg.norm(d, axis=2) - self.length]
        if self.kind == "3rps":
            f.append(np.einsum("nki,ki->nk", d, self.b))
        if self.kind == "3upu":
            axis = np.einsum("nij,kj->nki", r, self.c)
            f.append(np.einsum("nki,nki->nk", np.cross(self.b, unit(d)), axis))
        return np.concatenate(f, 1)

    def text(self):
        def row(x):
            return "[" + ", ".join(repr(float(v)) for v in x) + "]"

        flat, n, kind = self.kind == "3rrr", self.n, self.kind
        keep = 2 if flat else 3
        feet = self.ground if flat else self.B
        points = ", ".join(f"P{i}: {row(feet[i][:keep])}" for i in range(n))
        own = ", ".join(f"A{i}: {row(self.A[i][:keep])}" for i in range(n))
        pose = (row([*self.at[:2], self.cardan[2]]) if flat
                else f"{{at: {row(self.at)}, cardan: {row(self.cardan)}}}")
        zeros, J = ("[0, 0]", "0.1") if flat else ("[0, 0, 0]", "[0.1, 0.1, 0.1]")
        out = [f"format: 1\nname: {kind}\nmachine:\n  space: {'planar' if flat else 'spatial'}\n  gravity: {zeros}",
               f"  ground: {{points: {{{points}}}}}\n  bodies:",
               f"    plat: {{mass: 1, inertia: {J}, points: {{{own}}}, pose: {pose}}}"]
        joints, drives = [], []
        for i in range(n):
            if kind == "6ups":
                drives.append(f"d{i}: {{between: [ground.P{i}, plat.A{i}], force: {{limit: 100 N}}}}")
                continue
            if flat:
                rod = float(np.linalg.norm(self.at + cardan(self.cardan) @ self.A[i] - self.B[i]))
                out.append(f"    crank{i}: {{mass: 1, inertia: 0.1, points: {{O: [0, 0], E: [{self.crank}, 0]}}, "
                           f"pose: {row([*feet[i][:2], self.angle[i]])}}}")
                out.append(f"    rod{i}: {{mass: 1, inertia: 0.1, points: {{E: [0, 0], A: [{rod!r}, 0]}}, "
                           f"pose: {{E: crank{i}.E, A: plat.A{i}}}}}")
                joints += [f"a{i}: {{type: revolute, of: [crank{i}.O, ground.P{i}]}}",
                           f"e{i}: {{type: revolute, of: [rod{i}.E, crank{i}.E]}}",
                           f"t{i}: {{type: revolute, of: [rod{i}.A, plat.A{i}]}}"]
                drives.append(f"d{i}: {{at: a{i}, torque: {{limit: 5 N m}}}}")
                continue
            out.append(f"    low{i}: {{mass: 1, inertia: {J}, points: {{P: {zeros}, Q: [0, 0, 1]}}, "
                       f"pose: {{P: ground.P{i}, Q: plat.A{i}}}}}")
            out.append(f"    top{i}: {{mass: 1, inertia: {J}, points: {{Q: {zeros}, P: [0, 0, -1]}}, "
                       f"pose: {{Q: plat.A{i}, P: ground.P{i}}}}}")
            first = (f"revolute, of: [low{i}.P, ground.P{i}], axes: [[1, 0, 0], {row(self.b[i])}]" if kind == "3rps"
                     else f"universal, of: [low{i}.P, ground.P{i}], axes: [[1, 0, 0], {row(self.b[i])}]")
            last = (f"spherical, of: [top{i}.Q, plat.A{i}]" if kind == "3rps"
                    else f"universal, of: [top{i}.Q, plat.A{i}], axes: [[1, 0, 0], {row(self.c[i])}]")
            joints += [f"f{i}: {{type: {first}}}", f"s{i}: {{type: prismatic, of: [top{i}.Q, low{i}.P], axis: [0, 0, 1]}}",
                       f"h{i}: {{type: {last}}}"]
            drives.append(f"d{i}: {{at: s{i}, force: {{limit: 100 N}}}}")
        out.append("  joints: {}" if not joints else "  joints:\n    " + "\n    ".join(joints))
        out.append("  drives:\n    " + "\n    ".join(drives) + "\n")
        return "\n".join(out)


def solve(m, seed):
    """All poses that starts lead to, and how many starts led to each."""
    rng = np.random.default_rng(seed)
    flat, n = m.kind == "3rrr", m.starts
    x = rng.uniform(-1, 1, (n, 3)) * (np.abs(m.B).max() + m.length.max()) * 0.7
    q = rng.standard_normal((n, 4))
    if flat:
        x[:, 2], q[:, 1:3] = 0, 0
    q = unit(q)
    s = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    r = rotation(2 * np.arctan2(s, q[:, :1]) * q[:, 1:] / s)
    use = [0, 1, 5] if flat else range(6)
    h, damp = 1e-7, np.full(n, 1e-2)
    f = m.equations(x, r)
    for _ in range(120):
        J = np.empty((n, f.shape[1], len(use)))
        for k, j in enumerate(use):
            step = np.zeros((n, 3))
            step[:, j % 3] = h
            J[:, :, k] = (m.equations(x + step, r) if j < 3 else m.equations(x, rotation(step) @ r)) - f
        J /= h
        H = J.transpose(0, 2, 1) @ J
        d = -np.linalg.solve(H + damp[:, None, None] * np.eye(len(use)), (J.transpose(0, 2, 1) @ f[:, :, None]))[:, :, 0]
        full = np.zeros((n, 6))
        full[:, list(use)] = d
        there, turned = x + full[:, :3], rotation(full[:, 3:]) @ r
        g = m.equations(there, turned)
        better = (g**2).sum(1) < (f**2).sum(1)
        x, r, f = np.where(better[:, None], there, x), np.where(better[:, None, None], turned, r), np.where(
            better[:, None], g, f)
        damp = np.clip(np.where(better, damp * 0.2, damp * 8), 1e-15, 1e3)
    found, hits = [], []
    for i in np.flatnonzero(np.abs(f).max(1) < 1e-9):
        for k, (y, t) in enumerate(found):
            if np.abs(y - x[i]).max() < 1e-5 and np.abs(t - r[i]).max() < 1e-5:
                hits[k] += 1
                break
        else:
            found.append((x[i], r[i]))
            hits.append(1)
    return found, hits


def poses_of(mode, flat):
    pose = mode["poses"]["plat"]
    at = np.array([*pose["at"], 0]) if flat else np.array(pose["at"])
    return at, cardan([0, 0, pose["angle"]] if flat else pose["cardan"])


def main(program, first, count, kinds):
    missing = extra = total = 0
    for kind in kinds:
        sums = [0, 0]
        for seed in range(first, first + count):
            m = Machine(kind, seed)
            with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
                file.write(m.text())
            run = subprocess.run([program, "modes", "--hold", "drives", "--json", "--no-pictures", file.name],
                                 capture_output=True, text=True)
            if run.returncode:
                print(kind, seed, "exit code", run.returncode, run.stderr[:300])
                continue
            os.unlink(file.name)
            document = json.loads(run.stdout)
            theirs = [poses_of(mode, kind == "3rrr") for mode in document["modes"]]
            at, r = theirs[0]
            m.length = np.linalg.norm(m.heads(at[None], r[None])[0] - m.B, axis=1)
            assert np.abs(m.equations(at[None], r[None])).max() < 1e-9
            own, hits = solve(m, seed)

            def held(pose, among):
                return any(np.abs(y - pose[0]).max() < 1e-5 and np.abs(t - pose[1]).max() < 1e-5 for y, t in among)

            lost = [h for p, h in zip(own, hits) if not held(p, theirs)]
            new = [p for p in theirs if not held(p, own)]
            for at, r in new:  # they have to be solutions
                assert np.abs(m.equations(at[None], r[None])).max() < 1e-9
            twice = len(theirs) - sum(not held(p, theirs[:i]) for i, p in enumerate(theirs))
            sums[0] += len(own)
            sums[1] += len(theirs)
            if lost or new or twice or document["met_once"]:
                print(f"{kind} {seed}: own {len(own)}, program {len(theirs)} ({twice} twice), "
                      f"{document['starts_sampled']} samples; missing, met by {lost} of {m.starts} starts; {len(new)} only there")
            missing, extra, total = missing + len(lost), extra + len(new) + twice, total + len(own)
        print(f"{kind}: {count} machines, own {sums[0]} poses, program {sums[1]}")
    print(f"{total} poses, {missing} missing, {extra} extra")
    return missing + extra > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or KINDS))
