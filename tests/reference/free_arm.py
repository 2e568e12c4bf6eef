"""Nodes that a planar arm with three links reaches in any orientation, by inverse kinematics; compared with
`globdyn workspace --json`.

A node is reached where for some angle of the last link the two-link arm before it has an elbow (either way) within all ranges.
The joints' box is connected, and no pose of a serial arm is singular for its drives, so that everything in it is one mode."""

import json
import sys
from math import acos, atan2, cos, pi, radians, sin

LINKS = 0.5, 0.4, 0.2
SHOULDER = radians(-60), radians(100)
ELBOW, WRIST = radians(140), radians(100)
ANGLES = 1440


def wrapped(a):
    return (a + pi) % (2 * pi) - pi


def reached(x, y):
    l1, l2, l3 = LINKS
    for k in range(ANGLES):
        turn = 2 * pi * k / ANGLES
        px, py = x - l3 * cos(turn), y - l3 * sin(turn)
        c = (px * px + py * py - l1 * l1 - l2 * l2) / (2 * l1 * l2)
        if abs(c) > 1:
            continue
        for elbow in acos(c), -acos(c):
            shoulder = wrapped(atan2(py, px) - atan2(l2 * sin(elbow), l1 + l2 * cos(elbow)))
            wrist = wrapped(turn - shoulder - elbow)
            if SHOULDER[0] <= shoulder <= SHOULDER[1] and abs(elbow) <= ELBOW and abs(wrist) <= WRIST:
                return True
    return False


with open(sys.argv[1], encoding="utf-8") as f:
    nodes = json.load(f)["workspaces"]["w"]["nodes"]
wrong = [n["at"] for n in nodes if n["reached"] != reached(*n["at"][:2])]
print(f"{len(nodes)} nodes, {sum(n['reached'] for n in nodes)} reached, {len(wrong)} differ: {wrong[:5]}")
sys.exit(bool(wrong))
