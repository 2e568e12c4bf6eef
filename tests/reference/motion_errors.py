#!/usr/bin/env python3
"""Stated errors of the fastest motion's criteria (time, forces, work) where points are inserted, against a fine grid.

    tests/reference/motion_errors.py [--points N] PROGRAM CASE.yaml ...

Cases lose the points that they state; `evaluate` states an error with each criterion, which has to cover the difference to the same
criterion on N equally spaced points (default 2,001). Exit code 1: one does not."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

POINTS = re.compile(r",? *points: *[0-9]+")
MOTION = ("time", "peak_force", "rms_force", "energy", "peak_share", "rms_share")


def evaluate(program, case, text):
    """Criteria and stated errors of the case's own design by full name; None where it cannot be evaluated."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "case")
        shutil.copytree(os.path.dirname(os.path.abspath(case)), copy)
        path = os.path.join(copy, "case.yaml")
        with open(path, "w") as out:
            out.write(text)
        run = subprocess.run([program, "evaluate", path, "--json", "-q"], capture_output=True, text=True)
    if not run.stdout.lstrip().startswith("{"):
        return None
    design = json.loads(run.stdout)["design"]
    values = {f"{name}.{key}": value for name, group in design["criteria"].items() if isinstance(group, dict)
              for key, value in group.items()}
    return values, design.get("errors") or {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=2001)
    parser.add_argument("program")
    parser.add_argument("case", nargs="+")
    options = parser.parse_args()
    compared = wrong = 0
    for case in options.case:
        text = open(case).read()
        found = evaluate(options.program, case, POINTS.sub("", text))
        fine = evaluate(options.program, case, re.sub(r"points: *[0-9]+", f"points: {options.points}", text))
        for name, error in (found[1] if found and fine else {}).items():
            value, exact = found[0].get(name), fine[0].get(name)
            if name.split(".")[-1] not in MOTION or value is None or exact is None:
                continue
            compared += 1
            if abs(value - exact) > error:
                wrong += 1
                print(f"{case} {name}: {value:.8g} against {exact:.8g}, stated {error:.3g}")
    print(f"{compared} criteria compared, {wrong} beyond their stated error")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
