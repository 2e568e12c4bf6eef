#!/usr/bin/env python3
"""Workspace of cases/ups6_strokes by inverse kinematics, against `globdyn workspace --json`.

usage: strokes.py DOCUMENT: nodes that differ in reach, or by more than 1e-9 in the margin; the worst margin in the box.
"""
import json
import sys

import numpy as np

RAD = np.pi / 180
BASE, TOP, PAIR, SHORT, LONG, LEAN = 0.8, 0.4, 10 * RAD, 0.9, 1.25, 50 * RAD


def ring(radius, angles):
    return np.array([[radius * np.cos(a), radius * np.sin(a), 0] for a in angles])


B = ring(BASE, [c * RAD + s * PAIR for c in (0, 120, 240) for s in (-1, 1)])
A = ring(TOP, [c * RAD + s * PAIR for c, s in ((-60, 1), (60, -1), (60, 1), (180, -1), (180, 1), (300, -1))])


def margin(position):
    legs = A + position - B
    length = np.linalg.norm(legs, axis=1)
    lean = np.arccos(legs[:, 2] / length)
    stroke = min((length - SHORT).min(), (LONG - length).min()) / (0.5 * (LONG - SHORT))
    return min(stroke, (1 - lean / LEAN).min())


field = json.load(open(sys.argv[1]))["workspaces"]["work"]
at = field["values"].index("margin")
differ, worst = 0, np.inf
for node in field["nodes"]:
    wanted = margin(np.array(node["at"]))
    found = node["values"][at]
    differ += node["reached"] != (wanted >= 0) or (node["reached"] and abs(found - wanted) > 1e-9)
    if node["prescribed"]:
        worst = min(worst, wanted)
print(f"{len(field['nodes'])} nodes, {differ} differ, worst margin in the box {worst!r}")
sys.exit(int(differ > 0))
