#!/usr/bin/python3
"""A case from Python, step by step: GLOBDYN_LIBRARY=build python3 scripts/python/example.py"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import globdyn

cases = Path(__file__).resolve().parents[2] / "cases"

# 1. Read a case; parameters may be set in any unit.
case = globdyn.Case(cases / "four_slider_star" / "case.yaml")
check = case.check()
print(f"{check['case']}: mobility {check['mobility']}, {check['drives']} drives")

# 2. Regions: the path speeds and accelerations that the drives can reach.
circle = case.regions("circle")["trajectories"]["circle"]
rest = np.array([point["rest"] for point in circle["points"]], dtype=float)
print(f"d2 at rest: {rest[:, 0].max():.1f} .. {rest[:, 1].min():.1f} 1/s^2 at every one of {len(rest)} points")

# 3. The fastest motion, with the bounds of its time.
fastest = case.traverse("circle")["trajectories"]["circle"]
print(f"fastest motion: {fastest['time']:.6f} s, not below {fastest['time_bounds'][0]:.6f} s")

# 4. Designs: all objectives, constraints and responses of many designs in one call.
low, high, start, whole = case.bounds
random = np.random.default_rng(1)
designs = case.evaluate(low + (high - low) * random.random((20, len(low))))
print(f"{designs.feasible.sum()} of {len(designs)} designs are feasible")
for status, reason in list(zip(designs.status, designs.reason))[:3]:
    print(f"  {status}: {reason}" if reason else f"  {status}")

# 5. The case as a problem for another optimizer.
problem = case.problem()
F, G = problem.evaluate(np.array([start]))
print("start:", dict(zip(case.objectives, -problem.sense * F[0])))
