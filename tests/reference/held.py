#!/usr/bin/env python3
"""Nodes of IPAnema 1's workspaces at which its cables hold it, by a linear program each.
held.py JSON TAUT MOST FALL     against `globdyn workspace --json`   (N, N, m/s^2)
held.py --count TAUT MOST FALL  by itself: nodes and volume on the grid of cases/ipanema1, and the volume of the frame
                                that the closed form of the tensions gives, on 24,000 cells; no output of globdyn is read"""
import json
import sys

import numpy as np
from scipy.optimize import linprog

UP = np.array([[-2, 1.5, 2], [2, 1.5, 2], [2, -1.5, 2], [-2, -1.5, 2]], float)
ANCHORS = np.vstack([UP, UP * [1, 1, 0]])
HALF, MASS = 0.06, 25
CORNERS = np.array([[-HALF, HALF, 0], [HALF, HALF, 0], [HALF, -HALF, 0], [-HALF, -HALF, 0]] * 2)


def structure(x):
    """Wrench of unit tensions; moments in units of HALF."""
    u = ANCHORS - x - CORNERS
    u /= np.linalg.norm(u, axis=1)[:, None]
    return np.vstack([u.T, np.cross(CORNERS, u).T / HALF])


def held(x, taut, most, fall):
    """Tensions between taut and most that balance the weight."""
    answer = linprog(np.zeros(8), A_eq=structure(x), b_eq=[0, 0, MASS * fall, 0, 0, 0], bounds=[(taut, most)] * 8)
    return answer.status == 0


def held_by_closed_form(x, taut, most, fall):
    """The tensions nearest to the middle of the limits, of all that balance the weight, are within."""
    wrench, middle = structure(x), np.full(8, (taut + most) / 2)
    n = middle + np.linalg.pinv(wrench, rcond=1e-12) @ ([0, 0, MASS * fall, 0, 0, 0] - wrench @ middle)
    return n.min() >= taut - 1e-9 and n.max() <= most + 1e-9


def count(limits):
    """The case's grid: cells around its nodes, cut off at its edges; then the whole frame in cells."""
    axes = [np.linspace(-1.9, 1.9, 20), np.linspace(-1.4, 1.4, 15), np.linspace(0.1, 1.9, 10)]
    parts = [np.convolve(np.diff(a), [0.5, 0.5]) for a in axes]
    nodes, volume = 0, 0.0
    for i in np.ndindex(20, 15, 10):
        if held(np.array([axes[a][i[a]] for a in range(3)]), *limits):
            nodes += 1
            volume += parts[0][i[0]] * parts[1][i[1]] * parts[2][i[2]]
    cells = sum(held_by_closed_form(np.array([-2, -1.5, 0]) + 0.1 * (np.array(i) + 0.5), *limits)
                for i in np.ndindex(40, 30, 20))
    print("%d of 3000 nodes held, %.6f m^3; by the closed form %.4f m^3" % (nodes, volume, cells * 1e-3))


def compare(name, limits):
    """Every node of a document; the exit code."""
    total = counted = wrong = 0
    for field in json.load(open(name))["workspaces"].values():
        accel = field["values"].index("accel")
        for node in field["nodes"]:
            # Unbounded values are texts: -inf is not held.
            value = float(node["values"][accel])
            inside = held(np.array(node["at"]), *limits)
            total, counted, wrong = total + 1, counted + inside, wrong + (inside != (value >= 0))
    print("%d of %d nodes held, %d differ" % (counted, total, wrong))
    return wrong > 0 or counted in (0, total)


limits = [float(v) for v in sys.argv[2:]]
sys.exit(count(limits) if sys.argv[1] == "--count" else compare(sys.argv[1], limits))
