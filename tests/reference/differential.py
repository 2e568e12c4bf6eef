#!/usr/bin/env python3
"""Random machines: globdyn against an independent reference; see README.md beside this file.

    tests/reference/differential.py --seed 1 --machines 3000      many machines
    tests/reference/differential.py --seed 4711 --machines 1 -v    one of them again
    tests/reference/differential.py case.yaml                      a case file with one trajectory; with --machines N both

Exit code 1: something differs. Failing cases are written to --keep DIR (default: the present folder)."""
import argparse
import collections
import json
import math
import os
import subprocess
import sys
import tempfile
import traceback
from concurrent.futures import ProcessPoolExecutor

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generator
import mechanism as mech
from programs import FAST, Programs

# Both sides work in double precision; the reference's derivatives are good to 1e-11 and its linear
# programs to 1e-10 of the largest limit; cases with condition numbers above 300 are not drawn. 1e-6 of
# the answer's own scale leaves more than a factor of ten.
TOLERANCE = 1e-6
NO_SPEED = 1e6  # m/s or rad/s: limits of this size do not come from limits of forces
BESIDE = 0.05  # metres or radians to a pose beside the path
CROSSING_STEPS = 16  # between two points, where determinants are compared
QUIET = ("--no-pictures", "-q", "-o", "out")
TOUCH = 1e-9  # share of the largest limit that does not tell inside from outside
ASIDE = 1e-3  # of the end of an interval: beyond it nothing may be accessible
# The least violation is known to 1e-9 of the largest limit: a d1 at which the motion takes less than SLOW of that limit
# may violate something or not. The maximum d1^2 is known to 1e-10 of what would take the limit, times the
# condition number.
SLOW, SQUARES = 1e-6, 0.03


class Bench:
    """One case: what globdyn says, what the reference says, and where they differ."""

    def __init__(self, program, text, folder):
        self.program, self.text, self.folder = program, text, folder
        self.differences, self.notes = [], collections.Counter()
        self.path = os.path.join(folder, "case.yaml")
        with open(self.path, "w") as file:
            file.write(text)

    def differ(self, what, ours, theirs, scale=1.0):
        self.differences.append(f"{what}: globdyn {ours!r}, reference {theirs!r} (scale {scale:.3g})")

    def compare(self, what, ours, theirs, scale, tolerance=TOLERANCE):
        self.notes["numbers"] += 1
        ours = math.nan if ours is None else ours
        if math.isinf(theirs) or math.isnan(ours):
            if not (math.isinf(theirs) and math.isnan(ours)):
                self.differ(what, ours, theirs, scale)
        elif abs(ours - theirs) > tolerance * scale:
            self.differ(what, ours, theirs, scale)

    def ask(self, command, *options):
        run = subprocess.run([self.program, command, self.path, "--json", *options], capture_output=True,
                             text=True, cwd=self.folder, timeout=120)
        if run.returncode not in (0, 1):
            self.differences.append(f"globdyn {command}: exit code {run.returncode}: "
                                    + run.stderr.strip()[-300:])
            return None
        return json.loads(run.stdout)

    # --- the whole case --------------------------------------------------------------------------------

    def run(self):
        self.machine = m = mech.Machine(self.text)
        X = m.first_guess()
        m.count_turns(X)
        self.length = characteristic_length(m)
        self.check_structure(X)
        entry = m.case["trajectories"]["t"]
        path = mech.Path(m, entry)
        path.count_turns(X)
        follower = mech.Follower(m, path, self.length)
        answer = self.ask("regions", *QUIET)
        if not answer:
            return
        points = answer["trajectories"]["t"]["points"]
        first, last = [float(x) for x in entry["p"]]
        states = []
        for i, point in enumerate(points):
            p = first + (last - first) * i / (len(points) - 1)
            X = self.go(follower, X, states[-1][0] if i else p, p)
            states.append((p, X))
        singular = self.singular_points(follower, states, points)
        moving = []
        for i, (p, X) in enumerate(states):
            if i in singular:
                continue
            if np.linalg.norm(follower.velocity(X, p)) < 1e-6:
                self.notes["points where the path itself stands"] += 1
                continue
            self.compare_point(follower, X, p, points[i])
            moving.append((p, X))
        self.compare_reactions(follower, moving)

    def run_alone(self):
        """The commands without the reference: for a program that watches itself, as sanitizers do."""
        for arguments in (("check",), ("regions",) + QUIET, ("reactions", "--pose") + QUIET):
            self.notes["runs"] += 1
            self.ask(*arguments)

    def singular_points(self, follower, states, points):
        """Of two points with a singular pose between them globdyn has to call one singular."""
        out = set()
        for i in range(1, len(states)):
            (p, X), (q, Y) = states[i - 1], states[i]
            if not self.crossed(follower, X, p, Y, q):
                continue
            self.notes["singular poses between points"] += 1
            told = {k for k in (i - 1, i) if points[k]["status"] == "singular"}
            if not told:
                self.differ(f"p = {p:g} to {q:g} status", [points[i - 1]["status"], points[i]["status"]],
                            "a singular pose between them")
            out |= told
        return out

    def crossed(self, follower, X, p, Y, q):
        """Whether the determinant of the system changes its sign between two poses that are functions of p: the rows
        of the system at the last place, where they are independent, serve for the next one."""
        if follower.depends_on_way(X, p):
            return False
        sign = 1.0
        for i in range(CROSSING_STEPS):
            at, to = [p + (q - p) * k / CROSSING_STEPS for k in (i, i + 1)]
            Z = Y if to == q else self.step(follower, X, at, to)
            here, there = [unit_rows(follower.system(*place)[0]) for place in ((X, at), (Z, to))]
            basis = np.linalg.svd(here)[0][:, :here.shape[1]]
            sign *= np.sign(np.linalg.det(basis.T @ here)) * np.sign(np.linalg.det(basis.T @ there))
            X = Z
        return sign < 0

    def go(self, follower, X, p, q):
        start = X
        if q == p:
            X = follower.close(X, p, 3)
        elif follower.depends_on_way(X, p):
            X = follower.integrate_closely(X, p, q)
        else:
            for i in range(1, 5):
                X = self.step(follower, X, p + (q - p) * (i - 1) / 4, p + (q - p) * i / 4)
        if follower.misfit(X, q) > 1e-11:
            raise mech.InDoubt("the pose of the reference")
        if not follower.moves(X, q):
            raise mech.InDoubt("a path that the machine cannot follow")
        if scaled_rank(follower.system(X, q)[0]) != scaled_rank(follower.system(start, p)[0]):
            raise mech.InDoubt("a rank that changes along the path")
        if follower.depends_on_way(X, q) and self.rank_beside(X) != scaled_rank(self.machine.jacobian(X)[0]):
            raise mech.InDoubt("a rank that is another one beside the path")
        return X

    def rank_beside(self, X):
        """Rank of the constraints at a pose beside: rows of rolling and knife edges may be dependent on the way only."""
        m, rng = self.machine, np.random.default_rng(1)
        C, F, _ = m.jacobian(X)
        holonomic = C[:len(F)]
        free = mech.null_space(unit_rows(holonomic), scaled_rank(holonomic)) if len(F) else np.eye(m.n)
        Y = m.move(X, BESIDE * free @ rng.normal(size=free.shape[1]))
        for _ in range(4 * min(len(F), 1)):
            C, F, _ = m.jacobian(Y)
            Y = m.move(Y, -np.linalg.pinv(C[:len(F)], rcond=mech.CUT_OPEN) @ F)
        return scaled_rank(m.jacobian(Y)[0])

    def step(self, follower, X, p, q):
        """Closes the machine at q. It has to move the way its velocities at both ends point: a slide that runs out to
        infinity and comes back from the other side (a pole between p and q) does not."""
        Y = follower.close(X, q, 4)
        u = 0.5 * (follower.velocity(X, p) + follower.velocity(Y, q))
        moved = (Y[0] - X[0]).reshape(-1)
        wanted = (q - p) * (u.reshape(-1, 6)[:, :3].reshape(-1) if not self.machine.planar
                            else u.reshape(-1, 3)[:, :2].reshape(-1))
        moved = moved.reshape(len(self.machine.bodies), -1)[:, :2 if self.machine.planar else 3].reshape(-1)
        if moved @ wanted < 0 and np.linalg.norm(wanted) > 0.1 * self.length:
            raise mech.InDoubt("a pole of the pose between two places")
        return Y

    def check_structure(self, X):
        m = self.machine
        C, F, _ = m.jacobian(X)
        rank = scaled_rank(C)
        T = m.T(X)
        known = self.ask("check")
        if not known:
            return
        holonomic = m.n - rank
        wanted = {"mobility": m.n - rank, "redundant_constraints": len(C) - rank, "rank": rank,
                  "coordinates": m.n, "constraints": len(C), "gruebler": m.n - len(C),
                  "drives": len(m.drives)}
        both = np.vstack([C, T.T])
        wanted["drive_redundancy"] = scaled_left_nullity(both) - (len(C) - rank)
        for name, value in wanted.items():
            self.notes["counts"] += 1
            if known[name] != value:
                self.differ("check " + name, known[name], value)
        if not known["assembly"]["closes"]:
            self.differ("check assembly", False, True)

    # --- regions --------------------------------------------------------------------------------------------

    def compare_point(self, follower, X, p, point):
        m = self.machine
        data = mech.coefficients(m, follower, X, p)
        C, owner, T, a, b, c, d, u = data
        J = follower.system(X, p)[0]
        scaled_rank(J)
        programs = Programs(m, C, T, a, b, c, d, u, follower.scale)
        where = f"p = {p:g}"
        status = point["status"]
        self.notes[status] += 1
        if status in ("unassembled", "singular", "branch"):
            self.differ(where + " status", status, "a pose")
            return
        if point.get("d1"):
            self.compare_slices(where, programs, point)
            if any(max(low, high or 0.0) * programs.pace > NO_SPEED for low, high in point["d1"]):
                return
        self.compare_ends(where, programs, point)
        rest = programs.slice(0.0)
        self.compare_interval(where + " rest", point["rest"], rest, programs, 0.0)
        if programs.moves_linearly:
            self.compare_fastest(where, programs, point)

    def compare_interval(self, what, ours, theirs, programs, d1):
        if ours is None or theirs is None:
            if (ours is None) != (theirs is None):
                gap = programs.violation(d1)
                if 1e-9 < gap < 1e-6 or (ours is not None and gap <= 1e-9):
                    self.notes["touching"] += 1
                else:
                    self.differ(f"{what} (violation {gap:.2g})", ours, theirs)
            return
        finite = [abs(x) for x in theirs if math.isfinite(x)] + [
            programs.load(d1), 1e-6 * programs.d2_unit]
        for side, x, y in zip(("min", "max"), ours, theirs):
            self.compare(f"{what} d2 {side}", x, y, max(finite))

    def compare_slices(self, where, programs, point):
        for low, high in point["d1"]:
            if max(low, high or 0.0) * programs.pace > NO_SPEED:
                self.differ(where + " d1 that only rounding can give", [low, high], "none, or unbounded")
                continue
            top = high if high is not None else max(2.0 * low, 5.0)
            for share in (0.31, 0.87):
                d1 = low + share * (top - low)
                ours = [arc_at(point["lower"], d1), arc_at(point["upper"], d1)]
                self.compare_interval(f"{where} d1 = {d1:.6g}", ours, programs.slice(d1), programs, d1)

    def compare_ends(self, where, programs, point):
        """Beyond the intervals of d1 nothing is accessible, and between them neither."""
        islands = point.get("d1") or []
        tops = [h for _, h in islands]
        unbounded = None in tops
        most = max([h for h in tops if h is not None] + [0.0])
        tries = [] if unbounded else [most * (1 + ASIDE) + ASIDE, 1.7 * most + 0.1, 5 * most + 1.0]
        if islands and islands[0][0] > 1e-6:
            tries += [0.0, islands[0][0] * (1 - ASIDE)]
        for (_, end), (begin, _) in zip(islands, islands[1:]):
            tries.append(0.5 * (end + begin))
        for d1 in tries:
            if d1 > programs.speed_limit or any(h is not None and l - 1e-7 <= d1 <= h + 1e-7 for l, h in islands):
                continue
            self.notes["outside"] += 1
            if programs.slice(d1) is None:
                continue
            if 0 < d1 and programs.share_of_motion(d1) < SLOW:
                self.notes["touching"] += 1
            elif programs.violation(d1) <= TOUCH:
                self.differ(f"{where} accessible at d1 = {d1:.9g}", islands, "yes")
        for _, high in islands:
            if high is not None and high > programs.speed_limit * (1 + TOLERANCE):
                self.differ(where + " d1 beyond the drives' speed", high, programs.speed_limit)

    def compare_fastest(self, where, programs, point):
        islands = point.get("d1") or []
        theirs, unit = programs.fastest()
        if islands and islands[0][0] > 0.999 * FAST and theirs is None:
            self.notes["islands beyond FAST"] += 1  # fastest() ends there; slices were compared
            return
        if theirs is None and programs.slice(0.0) is not None:
            raise mech.InDoubt("a linear program that contradicts another")
        if theirs is None and islands and all(self.is_point(programs, island) for island in islands):
            self.notes["regions of points"] += 1  # rounding decides whether a linear program finds them
            return
        if theirs is None or not islands:
            if (theirs is None) != (not islands):
                self.differ(where + " region", "empty" if not islands else islands, theirs)
            return
        ours = islands[-1][1]
        ours = None if ours is None or ours > 0.999 * FAST else ours**2
        self.compare(where + " d1_max^2", ours, theirs, max(theirs if math.isfinite(theirs) else 1, SQUARES * unit))

    @staticmethod
    def is_point(programs, island):
        """Whether an island is one speed, at which the limits give way by rounding alone."""
        low, high = island
        return high is not None and high - low <= TOLERANCE * high and programs.violation(high) <= TOUCH

    # --- reactions -----------------------------------------------------------------------------------------

    def compare_reactions(self, follower, states):
        import reactions
        reactions.compare(self, follower, states)


def arc_at(arcs, d1):
    """Value of an envelope; None where it is missing."""
    for arc in arcs:
        low, high = arc["d1"]
        if d1 >= low and (high is None or d1 <= high):
            return arc["a"] * d1 * d1 + arc["b"] * d1 + arc["c"]
    return None


def unit_rows(A):
    size = np.linalg.norm(A, axis=1, keepdims=True)
    return A / np.where(size > 0, size, 1.0)


def scaled_rank(A):
    return mech.rank_of(unit_rows(A), "rank")[0]


def scaled_left_nullity(A):
    return len(A) - scaled_rank(A)


def characteristic_length(m):
    """Greatest distance of two points of one body that joints and drives use, or a rod's length; of the
    ground's when there is none; 1 m without any."""
    used = collections.defaultdict(list)
    for j in m.joints.values():
        if j["type"] == "gear":
            continue
        for text in j["of"]:
            body, s = m.anchor(text)
            used[body].append(s)
        if len(j["of"]) == 1:
            used[-1].append(np.zeros(3))
    for d in m.drives.values():
        for text in d.get("between", d.get("cable", [d["wrench"]["of"]] if "wrench" in d else [])):
            body, s = m.anchor(text)
            used[body].append(s)
    longest = {False: 0.0, True: 0.0}
    for body, points in used.items():
        points = points if body < 0 else points + [m.com[body]]
        for x in points:
            for y in points:
                longest[body < 0] = max(longest[body < 0], float(np.linalg.norm(x - y)))
    bodies = max([longest[False]] + [float(j["length"]) for j in m.joints.values() if j["type"] == "rod"])
    if bodies > 1e-6 * longest[True] and bodies > 0:
        return bodies
    return longest[True] if longest[True] > 0 else 1.0


def examine(job):
    """(seed, text, differences, counts) of one machine."""
    program, seed, text, alone = job
    refused = 0
    try:
        if text is None:
            text, refused = generator.draw(seed)
        with tempfile.TemporaryDirectory(prefix="globdyn-differential.") as folder:
            bench = Bench(program, text, folder)
            try:
                bench.run_alone() if alone else bench.run()
            except mech.InDoubt as doubt:
                bench.notes[f"left out: {doubt}"] += 1
            bench.notes["refused"] += refused
            return seed, text, bench.differences, bench.notes
    except Exception:
        return seed, text or "", ["the reference failed: " + traceback.format_exc()], collections.Counter()


def jobs_of(options):
    machines = options.machines if options.machines is not None else 0 if options.cases else 300
    return [(options.program, name, open(name).read(), options.alone) for name in options.cases] + [
        (options.program, options.seed + i, None, options.alone) for i in range(machines)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--machines", type=int, help="random ones (default: 300, without cases)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", default=".")
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", "build/globdyn"))
    parser.add_argument("--alone", action="store_true", help="only run globdyn, compare nothing")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    jobs, failures, counts = jobs_of(options), 0, collections.Counter()
    print(f"seed {options.seed}, {len(jobs)} machines", flush=True)
    with ProcessPoolExecutor(options.processes) as pool:
        results = pool.map(examine, jobs, chunksize=4) if options.processes > 1 else map(examine, jobs)
        for seed, text, differences, notes in results:
            counts += notes
            if options.v:
                print("seed", seed, flush=True)
            if not differences:
                continue
            failures += 1
            given = isinstance(seed, str)
            name = seed if given else os.path.join(options.keep, f"differs-{seed}.yaml")
            if not given:
                with open(name, "w") as file:
                    file.write(text)
            print(f"{name}:" if given else f"{name} (--seed {seed} --machines 1):")
            for line in differences[:None if options.v else 4]:
                print("   ", line)
            sys.stdout.flush()
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    print(f"{failures} of {len(jobs)} machines differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
