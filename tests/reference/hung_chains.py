#!/usr/bin/env python3
"""Random chains of one to four links that hang, without drives, on a driven slide, with torsion springs and a spring to a fixed point.

hung_chains.py PROGRAM FIRST COUNT
With `undriven: equilibrium` the first pose must be one in which the gradient of the potential, written here in the relative angles,
vanishes and its Hessian is positive semidefinite: chains whose links all have weights or springs hang stably somewhere."""
import json
import random
import subprocess
import sys
import tempfile

import numpy as np

GRAVITY = 9.81


def chain(seed):
    r = random.Random(seed)
    links = []
    for _ in range(r.choice([1, 2, 2, 2, 3, 3, 4])):
        length = 10 ** r.uniform(-0.7, 0.3)
        links.append(dict(m=10 ** r.uniform(-1, 1), length=length, com=(length * r.uniform(0, 1), length * r.uniform(-0.3, 0.3)),
                          k=0 if r.random() < 0.15 else 10 ** r.uniform(-1, 2.5), rest=r.uniform(-np.pi, np.pi), q=r.uniform(-np.pi, np.pi)))
    pull = dict(k=10 ** r.uniform(-1, 3), rest=r.uniform(0, 1), at=(r.uniform(-2, 2), r.uniform(-2, 2)), link=r.randrange(len(links)))
    return links, pull if r.random() < 0.4 else None


def case(links, pull):
    at, angle, bodies, joints, forces = np.zeros(2), 0.0, "", "", ""
    for i, link in enumerate(links):
        angle += link["q"]
        bodies += (f"    b{i}: {{mass: {link['m']!r}, inertia: 0.02, points: {{A: [0, 0], B: [{link['length']!r}, 0]}}, com: [{link['com'][0]!r}, {link['com'][1]!r}], "
                   f"pose: [{float(at[0])!r}, {float(at[1])!r}, {angle!r}]}}\n")
        joints += f"    j{i}: {{type: revolute, of: [b{i}.A, {f'b{i - 1}.B' if i else 'slide'}], range: {{min: -30, max: 30}}}}\n"
        if link["k"]:
            forces += f"    s{i}: {{type: spring, at: j{i}, stiffness: {link['k']!r} N m/rad, rest: {link['rest']!r}}}\n"
        at = at + link["length"] * np.array([np.cos(angle), np.sin(angle)])
    if pull:
        forces += f"    pull: {{type: spring, between: [ground.P, b{pull['link']}.B], stiffness: {pull['k']!r} N/m, rest: {pull['rest']!r}}}\n"
    hook = pull["at"] if pull else (0, 0)
    return (f"format: 1\nmachine:\n  space: planar\n  gravity: [0, {-GRAVITY}]\n  ground: {{points: {{P: [{hook[0]!r}, {hook[1]!r}]}}}}\n"
            f"  bodies:\n    slide: {{mass: 1, inertia: 0.1}}\n{bodies}  joints:\n    rail: {{type: prismatic, of: [slide, ground], axis: [1, 0]}}\n{joints}"
            "  drives: {d: {at: rail, force: {limit: 1e5}}}\n" + (f"  forces:\n{forces}" if forces else "") +
            "trajectories:\n  way: {of: slide, p: [0, 1], path: {x: 1e-9*p}, points: 2, undriven: equilibrium}\n")


def gradient(links, pull, q):
    n, angle = len(links), np.cumsum(q)
    end, move, out = np.zeros(2), np.zeros((2, n)), np.zeros(n)
    for i, link in enumerate(links):
        c, s = np.cos(angle[i]), np.sin(angle[i])
        turn = lambda v: np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])
        out += link["m"] * GRAVITY * move[1]
        out[i] += link["m"] * GRAVITY * turn(link["com"])[0]
        end, move = end + turn((link["length"], 0)), move.copy()
        move[:, i] += link["length"] * np.array([-s, c])
        if pull and pull["link"] == i:
            v = end - pull["at"]
            out += pull["k"] * (1 - pull["rest"] / np.linalg.norm(v)) * v @ move
    # from absolute to relative angles
    return np.array([out[i:].sum() + links[i]["k"] * (q[i] - links[i]["rest"]) for i in range(n)])


def judge(links, pull, q):
    """Residual and least eigenvalue of the Hessian over the size of the forces, of the turns that fit best."""
    size = sum(link["m"] * GRAVITY * link["length"] + np.pi * link["k"] for link in links) + (2 * pull["k"] if pull else 0)
    # a turn of joint i changes the torque of its own spring alone
    k = np.array([link["k"] for link in links])
    turn = np.clip(np.round(-gradient(links, pull, q) / np.where(k > 0, 2 * np.pi * k, np.inf)), -2, 2)
    q = q + 2 * np.pi * turn
    residual = np.abs(gradient(links, pull, q)).max()
    h = 1e-5 * np.eye(len(links))
    H = np.array([(gradient(links, pull, q + e) - gradient(links, pull, q - e)) / 2e-5 for e in h])
    return residual / size, np.linalg.eigvalsh(H + H.T)[0] / size


program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
wrong = []
for seed in range(first, first + count):
    links, pull = chain(seed)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
        f.write(case(links, pull))
        f.flush()
        answer = subprocess.run([program, "check", "--json", "--no-pictures", f.name], capture_output=True, text=True)
    try:
        ranges = json.loads(answer.stdout)["trajectories"]["way"]["ranges"]
        residual, stiffness = judge(links, pull, np.array([ranges[f"j{i}"]["least"] for i in range(len(links))]))
        if residual > 1e-7 or stiffness < -1e-8:
            wrong.append((seed, residual, stiffness))
    except (ValueError, KeyError):
        wrong.append((seed, answer.stderr[:300]))
print(f"{count} chains, {len(wrong)} without a stable equilibrium: {wrong[:3]}")
sys.exit(bool(wrong))
