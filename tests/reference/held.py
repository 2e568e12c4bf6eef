#!/usr/bin/env python3
"""Nodes of IPAnema 1's workspaces at which its cables hold it, by a linear program each, against `globdyn workspace --json`.
Usage: held.py JSON TAUT MOST FALL   (N, N, m/s^2)"""
import json
import sys

import numpy as np
from scipy.optimize import linprog

UP = np.array([[-2, 1.5, 2], [2, 1.5, 2], [2, -1.5, 2], [-2, -1.5, 2]], float)
ANCHORS = np.vstack([UP, UP * [1, 1, 0]])
HALF, MASS = 0.06, 25
CORNERS = np.array([[-HALF, HALF, 0], [HALF, HALF, 0], [HALF, -HALF, 0], [-HALF, -HALF, 0]] * 2)


def held(x, taut, most, fall):
    """Tensions between taut and most that balance the weight; moments in units of HALF."""
    u = ANCHORS - x - CORNERS
    u /= np.linalg.norm(u, axis=1)[:, None]
    wrench = np.vstack([u.T, np.cross(CORNERS, u).T / HALF])
    answer = linprog(np.zeros(8), A_eq=wrench, b_eq=[0, 0, MASS * fall, 0, 0, 0], bounds=[(taut, most)] * 8)
    return answer.status == 0


limits = [float(v) for v in sys.argv[2:]]
total = counted = wrong = 0
for field in json.load(open(sys.argv[1]))["workspaces"].values():
    accel = field["values"].index("accel")
    for node in field["nodes"]:
        # Unbounded values are texts: -inf is not held.
        value = float(node["values"][accel])
        inside = held(np.array(node["at"]), *limits)
        total, counted, wrong = total + 1, counted + inside, wrong + (inside != (value >= 0))
print("%d of %d nodes held, %d differ" % (counted, total, wrong))
sys.exit(wrong > 0 or counted in (0, total))
