#!/usr/bin/env python3
"""Points that are inserted: the criteria of cases without `points` against those of a fine grid.

    tests/reference/adaptive.py [--points N] [--report] [CASE.yaml ...]

Cases (default: all of cases/) lose the points that they state. No criterion may be better than that of N equally
spaced points (default 4,001) by more than the error that is stated with it: both are worst values over points that
are all exact, so the worse one is right. The mean area may differ both ways. Exit code 1: one differs by more.
--report: a line for each criterion."""
import argparse
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
POINTS = re.compile(r",? *points: *[0-9]+")
ROUNDING = 1e-8


def regions(program, case, text):
    """Of a copy of the case's folder: tables of a path stand beside it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "case")
        shutil.copytree(os.path.dirname(os.path.abspath(case)), copy)
        path = os.path.join(copy, os.path.basename(case))
        with open(path, "w") as out:
            out.write(text)
        run = subprocess.run([program, "regions", path, "--json", "--no-pictures", "--out", os.path.join(folder, "out")],
                             capture_output=True, text=True)
    if not run.stdout.lstrip().startswith("{"):
        return {}
    return json.loads(run.stdout)["trajectories"]


def mean_area(points):
    """By the trapezoidal rule: both ends of a path count half."""
    area = 0.0
    for a, b in zip(points, points[1:]):
        if a.get("area") is None or b.get("area") is None:
            return None
        area += 0.5 * (a["area"] + b["area"]) * (b["p"] - a["p"])
    return area / (points[-1]["p"] - points[0]["p"])


def excess(name, value, error, fine):
    """What is left of the difference beyond the stated error and the grid's own."""
    difference = abs(value - fine) if name == "area_mean" else fine - value if name == "load" else value - fine
    return difference - error - ROUNDING * abs(fine)


def compare(case, name, found, fine, report):
    wrong = 0
    errors = found.get("errors", {})
    for criterion, error in errors.items():
        value, exact = found["common"][criterion], fine["common"][criterion]
        if criterion == "area_mean":
            exact, coarser = mean_area(fine["points"]), mean_area(fine["points"][::2])
            # near a peak that rises without bound the grid converges slower than by halves
            error += 2 * abs(exact - coarser) if exact is not None else 0
        if value is None or exact is None:
            if value is not exact:
                wrong += 1
                print(f"{case} {name}.{criterion}: {value} against {exact}")
            continue
        beyond = excess(criterion, value, error, exact)
        wrong += beyond > 0
        if report or beyond > 0:
            share = abs(exact) if exact else 1.0
            print(f"{case} {name}.{criterion}: {value:.10g} against {exact:.10g}: off by {abs(value - exact) / share:.2g},"
                  f" stated {error / share:.2g}{'  WRONG' if beyond > 0 else ''}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", os.path.join(ROOT, "build", "globdyn")))
    parser.add_argument("--points", type=int, default=4001)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    wrong = judged = inserted = 0
    for case in options.cases or sorted(glob.glob(os.path.join(ROOT, "cases", "*", "case.yaml"))):
        text = open(case).read()
        if not POINTS.search(text) or "\ntrajectories:" not in text:
            continue
        label = os.path.basename(os.path.dirname(os.path.abspath(case)))
        found = regions(options.program, case, POINTS.sub("", text))
        fine = regions(options.program, case, POINTS.sub(lambda m: m.group(0).split("points")[0] +
                                                         f"points: {options.points}", text))
        for name in found:
            judged += len(found[name].get("errors", {}))
            inserted += len(found[name]["points"])
            if options.report:
                print(f"{label} {name}: {len(found[name]['points'])} points")
            if bool(found[name]["common"].get("empty")) != bool(fine[name]["common"].get("empty")) or \
                    (found[name]["common"]["reach"] < 1) != (fine[name]["common"]["reach"] < 1):
                print(f"{label} {name}: another status than on the grid"
                      f" (empty {found[name]['common'].get('empty')} and {fine[name]['common'].get('empty')},"
                      f" reach {found[name]['common']['reach']} and {fine[name]['common']['reach']})")
                wrong += 1
            wrong += compare(label, name, found[name], fine[name], options.report)
    print(f"{judged} criteria from {inserted} points: {wrong} differ by more than stated")
    sys.exit(1 if wrong or not judged else 0)


if __name__ == "__main__":
    main()
