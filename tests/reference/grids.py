#!/usr/bin/env python3
"""What is said of a given p must not depend on the points of the path.

    tests/reference/grids.py [--traverse DRIVES] [--grids N] [--every N] [CASE.yaml ...]

Every trajectory of all cases (of every N-th) on N grids (default 3), whose numbers of stretches have no common factor: regions and reactions at
two p that lie on none of them agree to what the stated pose_error allows, and the bounds of the traverse time, each
certified by itself, overlap (cases with at most DRIVES drives; default 6). Exit code 1: something differs."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import invariance

STRETCHES = (11, 19, 30)
SHARES = (0.27182, 0.71828)  # of the range of p
# Poses are closed to 1e-12, their errors magnified by conditions up to 1e3; limits vary with the pose by at most as
# much.
ROUNDING, EFFECT = 1e-9, 1e3
QUIET = ("--no-pictures", "-q", "-o", "out")


class Bench:
    def __init__(self, program, folder, stretches):
        self.stretches, self.program, self.folder, self.compared, self.failures = stretches, program, folder, 0, []

    def ask(self, case, command, *options):
        run = subprocess.run([self.program, command, case, "--json", *QUIET, *options], capture_output=True,
                             text=True, cwd=self.folder)
        return json.loads(run.stdout) if run.returncode in (0, 1) and run.stdout else None

    def near(self, what, values, error, least=0.0):
        """One value per grid, to the error of its pose; `least` is the size that all values are compared with at least."""
        self.compared += 1
        if None in values:
            if any(v is not None for v in values):
                self.failures.append(f"{what}: {values}")
            return
        size = max(least, *map(abs, values))
        if max(values) - min(values) > (ROUNDING + EFFECT * error) * size:
            self.failures.append(f"{what}: {values}, pose_error {error:.2g}")

    def answered(self, what, answers):
        """Whether all grids have an answer; a refusal has to be one for all."""
        if None in answers and any(answers):
            self.failures.append(f"{what}: only {sum(a is not None for a in answers)} grids have an answer")
        return None not in answers

    def regions(self, label, cases, name, places):
        at = ",".join(repr(p) for p in places)
        answers = [self.ask(case, "regions", "--trajectory", name, "--at", at) for case in cases]
        if not self.answered(label + " regions", answers):
            return
        for i, p in enumerate(places):
            points = [a["trajectories"][name]["at"][i] for a in answers]
            where = f"{label} regions p = {p:g}"
            if len({q["status"] for q in points}) > 1:
                self.failures.append(f"{where}: {[q['status'] for q in points]}")
                continue
            error = max(q["pose_error"] for q in points)
            for key in ("d1_max", "area"):
                self.near(f"{where} {key}", [q[key] for q in points], error)
            rests = [q["rest"] or [None, None] for q in points]
            size = max(abs(v or 0.0) for rest in rests for v in rest)
            for side in (0, 1):
                self.near(f"{where} rest", [rest[side] for rest in rests], error, size)
            self.errors.append(error)

    def reactions(self, label, cases, name, places):
        with open(os.path.join(self.folder, "motion.csv"), "w") as file:
            file.write("p,d1,d2\n" + "".join(f"{p!r},0.3,0.1\n" for p in places))
        answers = [self.ask(case, "reactions", "--trajectory", name, "--motion", "motion.csv") for case in cases]
        if not self.answered(label + " reactions", answers):
            return
        error = max(self.errors, default=0.0)
        for poses in zip(*[a["poses"] for a in answers]):
            loads = max([abs(c.get("value") or 0.0) for pose in poses for j in pose["joints"].values()
                         for c in j["components"].values()] + [0.0])
            for joint, first in poses[0]["joints"].items():
                for c, said in first["components"].items():
                    others = [pose["joints"][joint]["components"][c] for pose in poses]
                    where = f"{label} reactions p = {poses[0]['p']:g} {joint}.{c}"
                    if len({o["verdict"] for o in others}) > 1:
                        self.failures.append(f"{where}: {[o['verdict'] for o in others]}")
                    elif said.get("value") is not None:
                        self.near(where, [o.get("value") for o in others], error, loads)

    def traverse(self, label, cases, name):
        answers = [self.ask(case, "traverse", "--trajectory", name) for case in cases]
        if not self.answered(label + " traverse", answers):
            return
        bounds = [a["trajectories"][name].get("time_bounds") for a in answers]
        bounds = [b for b in bounds if b and None not in b]
        self.compared += 1
        if bounds and max(low for low, _ in bounds) > min(high for _, high in bounds) * (1 + ROUNDING):
            self.failures.append(f"{label} traverse: bounds {bounds}")

    def case(self, path, drives):
        with open(path) as file:
            doc = yaml.load(file, invariance.Text)
        if "machine" not in doc or not doc.get("trajectories") or "drives" not in doc["machine"]:
            return
        invariance.drop_searched_motions(doc)  # other points, another search
        cases = []
        for count in self.stretches:
            for entry in doc["trajectories"].values():
                entry["points"] = str(count + 1)
            cases.append(os.path.join(self.folder if "file:" not in invariance.dump(doc) else os.path.dirname(path),
                                      f".grid-{os.getpid()}-{count}.yaml"))
            with open(cases[-1], "w") as file:
                file.write(invariance.dump(doc))
        try:
            whole, known = self.ask(cases[0], "regions"), self.ask(cases[0], "check")
            for name, one in (whole or {"trajectories": {}})["trajectories"].items():
                first, last = one["points"][0]["p"], one["points"][-1]["p"]
                places = [first + share * (last - first) for share in SHARES]
                label, self.errors = f"{os.path.basename(os.path.dirname(path))} {name}", []
                self.regions(label, cases, name, places)
                self.reactions(label, cases, name, places)
                if known and known["drives"] <= drives:
                    self.traverse(label, cases, name)
        finally:
            for case in cases:
                os.remove(case)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--traverse", type=int, default=6, metavar="DRIVES")
    parser.add_argument("--grids", type=int, default=len(STRETCHES), choices=range(2, len(STRETCHES) + 1))
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", "build/globdyn"))
    options = parser.parse_args()
    cases = options.cases or sorted(glob.glob(os.path.join(HERE, "../../cases/*/case.yaml")))[::options.every]
    with tempfile.TemporaryDirectory(prefix="globdyn-grids.") as folder:
        bench = Bench(os.path.abspath(options.program), folder, STRETCHES[:options.grids])
        for path in cases:
            bench.case(path, options.traverse)
    for line in bench.failures:
        print(line)
    print(f"{len(cases)} cases, {bench.compared} comparisons, {len(bench.failures)} differences")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
