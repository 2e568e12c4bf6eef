#!/usr/bin/env python3
"""A case with a mesh of N x N hinged squares in the plane, for the cost of large nets of closed loops.

    tests/bench/mesh.py N >mesh.yaml; build/globdyn check mesh.yaml --no-pictures

Squares of one colour of a chessboard turn forward, the others back, while the net opens (Grima and Evans 2000).
"""
import math
import sys

ANGLE, MORE = 0.3, 0.2  # at p = 0, and more at p = 1

side = int(sys.argv[1])
pitch = math.cos(ANGLE) + math.sin(ANGLE)
places = [(x, y) for x in range(side) for y in range(side)]

print('''format: 1
name: mesh of hinged squares
machine:
  space: planar
  gravity: [0, -9.81]
  ground:
    points: {O: [0, 0]}
  bodies:''')
for x, y in places:
    angle = ANGLE if (x + y) % 2 == 0 else -ANGLE
    print(f'    s{x}_{y}: {{mass: 1, inertia: 1/6, points: {{M: [0, 0], A: [-1/2, -1/2], B: [1/2, -1/2], C: [1/2, 1/2], D: [-1/2, 1/2]}}, '
          f'pose: [{x * pitch!r} m, {y * pitch!r} m, {angle!r}]}}')
print('  joints:\n    foot: {type: revolute, of: [s0_0.M, ground.O]}')
for x, y in places:
    right, above = ('BA', 'CB') if (x + y) % 2 == 0 else ('CD', 'DA')
    if x + 1 < side:
        print(f'    r{x}_{y}: {{type: revolute, of: [s{x}_{y}.{right[0]}, s{x + 1}_{y}.{right[1]}]}}')
    if y + 1 < side:
        print(f'    u{x}_{y}: {{type: revolute, of: [s{x}_{y}.{above[0]}, s{x}_{y + 1}.{above[1]}]}}')
print(f'''  drives:
    turn: {{at: foot, torque: {{limit: 1e5 N m}}}}
    open: {{at: r0_0, torque: {{limit: 1e5 N m}}}}
trajectories:
  unfold:
    p: [0, 1]
    joints: {{foot: {ANGLE} + {MORE}*p, r0_0: {2 * ANGLE} + {2 * MORE}*p}}
    points: 5''')
