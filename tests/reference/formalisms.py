#!/usr/bin/env python3
"""Both formalisms of the program: joint coordinates on a spanning tree against dense matrices in physical coordinates.

    tests/reference/formalisms.py cases/*/case.yaml                 cases
    tests/reference/formalisms.py --machines 1000 --seed 1          random machines (generator.py)

Regions (status, area, intervals of d1, ends at rest and at nine d1), reactions (verdicts, values). Numbers agree to 1e-9 of
the greatest of their kind on the trajectory or at the pose. Exit code 1: something differs."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

TOLERANCE = 1e-9
SAMPLES = 9


def run(program, command, case, formalism, folder):
    """The document that a command prints; None where it has none (no drives, no path)."""
    done = subprocess.run([program, command, case, "--formalism", formalism, "--json", "--no-pictures", "-o",
                           folder, "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return None if done.returncode in (3, 4) and "no " in done.stderr else {"code": done.returncode}
    return json.loads(done.stdout) if done.stdout.strip().startswith("{") else None


class Comparison:
    def __init__(self):
        self.numbers, self.differences = 0, []

    def same(self, what, a, b):
        if a != b:
            self.differences.append(f"{what}: {a!r}, {b!r}")
        return a == b

    def near(self, what, a, b, scale):
        if a is None or b is None:
            return self.same(what, a, b)
        self.numbers += 1
        if not abs(a - b) <= TOLERANCE * scale:
            self.differences.append(f"{what}: {a!r}, {b!r} (scale {scale:.3g})")


def end_at(arcs, d1):
    for arc in arcs:
        if arc["d1"][0] <= d1 and (arc["d1"][1] is None or d1 <= arc["d1"][1]):
            if None in (arc["a"], arc["b"], arc["c"]):
                return None
            return (arc["a"] * d1 + arc["b"]) * d1 + arc["c"]
    return None


def sizes(points):
    """Greatest d1, d2 at rest, area of a trajectory."""
    d1 = [x for p in points for i in p["d1"] for x in i if x is not None]
    area = [p["area"] for p in points if p.get("area") is not None]
    d2 = [abs(x) for p in points for x in (p["rest"] or []) if x is not None]
    d2 += [abs(x) for p in points for arcs in (p["upper"], p["lower"]) for arc in arcs for x in [end_at(arcs, arc["d1"][0])]
           if x is not None]
    return max(d1, default=0), max(d2, default=0), max(area, default=0)


def compare_points(c, where, ours, theirs):
    most_d1, most_d2, most_area = sizes(theirs)
    for a, b in zip(ours, theirs):
        place = f"{where} p = {a['p']}"
        if not c.same(place + " status", a["status"], b["status"]) or not c.same(
                place + " islands", len(a["d1"]), len(b["d1"])):
            continue
        c.near(place + " area", a.get("area"), b.get("area"), most_area)
        for x, y in zip(a["rest"] or [], b["rest"] or []):
            c.near(place + " rest", x, y, most_d2)
        for i, j in zip(a["d1"], b["d1"]):
            c.near(place + " d1", i[0], j[0], most_d1)
            c.near(place + " d1", i[1], j[1], most_d1)
            high = min(1 if x[1] is None else x[1] for x in (i, j))
            if high - i[0] <= TOLERANCE * most_d1:
                continue  # a single d1: its ends are compared
            for k in range(SAMPLES):
                d1 = i[0] + (high - i[0]) * (k + 0.5) / SAMPLES
                for side in ("upper", "lower"):
                    one, other = end_at(a[side], d1), end_at(b[side], d1)
                    c.near(f"{place} {side} at {d1}", one, other, max(most_d2, abs(other or 0)))


def compare_regions(c, ours, theirs):
    for name, path in theirs["trajectories"].items():
        mine = ours["trajectories"][name]
        if c.same(name + " points", len(mine["points"]), len(path["points"])):
            compare_points(c, name, mine["points"], path["points"])


def compare_reactions(c, ours, theirs):
    if not c.same("poses", len(ours["poses"]), len(theirs["poses"])):
        return
    for a, b in zip(ours["poses"], theirs["poses"]):
        place = f"pose {b.get('trajectory')} {b.get('p')}"
        c.same(place + " redundancy", a.get("redundancy"), b.get("redundancy"))
        if b.get("gap") is not None and b["gap"] < 1e3:
            continue  # doubtful, and said so
        values = [abs(x["value"]) for j in b["joints"].values() for x in j["components"].values()
                  if isinstance(x.get("value"), float)]
        for name, joint in b["joints"].items():
            c.same(f"{place} {name}", a["joints"][name]["verdict"], joint["verdict"])
            for key, item in joint["components"].items():
                mine = a["joints"][name]["components"][key]
                c.same(f"{place} {name}.{key}", mine["verdict"], item["verdict"])
                if isinstance(item.get("value"), (int, float)):
                    c.near(f"{place} {name}.{key} value", mine.get("value"), item["value"],
                           max(max(values, default=0), 1e-300))


def examine(program, case, commands):
    """Numbers compared, differences."""
    c = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        for command, compare in commands:
            ours, theirs = (run(program, command, case, f, folder) for f in ("tree", "dense"))
            if ours is None or theirs is None or "code" in ours or "code" in theirs:
                c.same(command, ours, theirs)
            else:
                compare(c, ours, theirs)
    return c


def random_case(seed, folder):
    import generator
    path = os.path.join(folder, f"{seed}.yaml")
    drawn = generator.draw(seed)
    with open(path, "w") as file:
        file.write(drawn if isinstance(drawn, str) else drawn[0])
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*")
    parser.add_argument("--machines", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--alternate", action="store_true", help="regions of every other machine, reactions of the others")
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", "build/globdyn"))
    options = parser.parse_args()
    failures, numbers = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        cases = options.case + [random_case(s, folder)
                                for s in range(options.seed, options.seed + options.machines)]
        both = (("regions", compare_regions), ("reactions", compare_reactions))
        tasks = [(case, both[i % 2:i % 2 + 1] if options.alternate else both) for i, case in enumerate(cases)]
        with ThreadPoolExecutor(options.threads) as pool:
            for case, c in zip(cases, pool.map(lambda task: examine(options.program, *task), tasks)):
                numbers += c.numbers
                failures += bool(c.differences)
                for line in c.differences[:4]:
                    print(f"{case}: {line}")
    print(f"{failures} of {len(cases)} machines differ; {numbers} numbers compared")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
