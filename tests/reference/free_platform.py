#!/usr/bin/env python3
"""A planar 3-RRR whose path leaves the platform's angle free: the null motion that is best for a criterion, against inverse kinematics
in closed form and a fine scan of the angle at every point.

free_platform.py PROGRAM CASE [CRITERION...]
For the margin of the cranks' ranges and for the dexterity, both the least one of the path's points. No null motion can be better than the
least of the points' own best values, and one that is smooth enough comes near it."""
import json
import subprocess
import sys
import tempfile

import numpy as np

BASE, HALF, CRANK, ROD, REACH, POINTS = 0.4, 0.1, 0.25, 0.25, np.radians(45), 13
SPAN = BASE - HALF
OPEN = np.arccos((CRANK**2 + SPAN**2 - ROD**2) / (2 * CRANK * SPAN))
LEG = np.pi / 2 + 2 * np.pi / 3 * np.arange(3)
MIDDLE = LEG + np.pi + OPEN


def tool(p):
    return 0.12 * p, 0.09 * p * (1 - p)


def cranks(x, y, angle):
    """Angles of the cranks (3 x angles), from their middles; cranks left of the line to the platform; NaN: out of reach."""
    ax = np.add.outer(LEG, angle)
    dx, dy = x + HALF * np.cos(ax) - BASE * np.cos(LEG)[:, None], y + HALF * np.sin(ax) - BASE * np.sin(LEG)[:, None]
    d = np.hypot(dx, dy)
    with np.errstate(invalid="ignore"):
        q = np.arctan2(dy, dx) + np.arccos((CRANK**2 + d**2 - ROD**2) / (2 * CRANK * d)) - MIDDLE[:, None]
    return (q + np.pi) % (2 * np.pi) - np.pi


def margin(x, y, angle):
    return (1 - np.abs(cranks(x, y, angle)) / REACH).min(axis=0)


def dexterity(x, y, angle, h=1e-6):
    """Of the map from the cranks' speeds to those of the tool."""
    d = lambda a, b: (a - b) / (2 * h)
    J = np.stack([d(cranks(x + h, y, angle), cranks(x - h, y, angle)), d(cranks(x, y + h, angle), cranks(x, y - h, angle)),
                  d(cranks(x, y, angle + h), cranks(x, y, angle - h))], axis=1).transpose(2, 0, 1)
    s = np.linalg.svd(np.linalg.inv(J)[:, :2], compute_uv=False)
    return s[:, 1] / s[:, 0]


def run(program, case, best):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
        f.write(f"""include: [{case}]
machine:
  joints:
    base$i: {{repeat: {{i: 1..3}}, type: revolute, of: [crank$i.B, ground.B$i], range: {{min: "-pi/2 + (i - 1)*2*pi/3 + open - 45 deg", max: "-pi/2 + (i - 1)*2*pi/3 + open + 45 deg"}}}}
trajectories:
  way: {{of: platform.tool, p: [0, 1], path: {{x: 0.12*p, y: 0.09*p*(1 - p)}}, points: {POINTS}{best}}}
""")
        f.flush()
        answer = subprocess.run([program, "evaluate", "--json", f.name], capture_output=True, text=True)
    return json.loads(answer.stdout)


def best_angle(value, p):
    """The best value over angles in steps of 0.5 deg, then of 0.01 deg around it."""
    coarse = np.radians(np.arange(-60, 60, 0.5))
    middle = coarse[np.nanargmax(value(*tool(p), coarse))]
    return np.nanmax(value(*tool(p), middle + np.radians(np.arange(-1, 1, 0.01))))


program, case, *names = sys.argv[1:]
wrong = False
for name, value in (("margin", margin), ("dexterity", dexterity)):
    if names and name not in names:
        continue
    # the scan misses a best angle by 0.005 deg at most, 1e-4 rad times a slope of about 1
    bound = min(best_angle(value, p) for p in np.linspace(0, 1, POINTS))
    norm, best = (run(program, case, more)["design"]["criteria"]["way"][name] for more in ("", f", null_motion: {{best: {name}}}"))
    wrong = wrong or not (norm < best and bound - 1e-3 < best < bound + 1e-4)
    print(f"{name}: {best:.8f} by the null motion, {norm:.8f} by the weighted norm; the best of all is {bound:.8f}")
sys.exit(wrong)
