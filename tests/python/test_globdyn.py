"""The Python package against the program: documents, designs, errors, optimizers."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

source = Path(os.environ["SOURCE"])
sys.path.insert(0, str(source / "scripts" / "python"))
import globdyn  # noqa: E402

STAR = source / "cases" / "four_slider_star" / "case.yaml"
STROKES = source / "cases" / "ups6_strokes" / "case.yaml"

# A ball on a rail, pushed by one drive: accel = F/M in closed form.
SLIDER = """
format: 1
name: slider
parameters: {M: 10 kg, F: 50 N}
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies: {slider: {mass: M, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}}
  joints: {rail: {type: prismatic, of: [slider.P, ground.O], axis: [1, 0]}}
  drives: {push: {at: rail, force: {limit: F}}}
trajectories: {line: {of: slider.P, p: [0, 1], path: {x: p}, points: 5}}
design: {M: {min: 2 kg, max: 40 kg}}
optimize:
  objectives: {off: {minimize: (line.accel - 12.5)^2}}
"""


def program(*arguments):
    run = subprocess.run([os.environ["GLOBDYN"], *map(str, arguments)], capture_output=True, text=True)
    return json.loads(run.stdout)


class Documents(unittest.TestCase):
    def test_same_as_the_program(self):
        case = globdyn.Case(STAR)
        self.assertEqual(case.check(), program("check", "--json", STAR))
        self.assertEqual(case.regions("offset"), program(
            "regions", "--json", "--no-pictures", "-o", "r", "--trajectory", "offset", STAR))

    def test_parameters(self):
        case = globdyn.Case(STROKES, driven_out="1.11 m")
        ranges = case.check()["trajectories"]["circle"]["ranges"]
        self.assertAlmostEqual(ranges["leg1"]["max"], 1.11, delta=1e-15)
        self.assertLess(ranges["leg1"]["margin"], 0)
        case.set(driven_out=1.3)
        self.assertGreater(case.check()["trajectories"]["circle"]["ranges"]["leg1"]["margin"], 0)


class Designs(unittest.TestCase):
    def test_same_as_the_program(self):
        case = globdyn.Case(STROKES)
        low, high, start, whole = case.bounds
        found = case.evaluate(start)
        design = program("evaluate", "--json", STROKES)["design"]
        for k, name in enumerate(case.objectives):
            self.assertEqual(found.objectives[0, k], design["objectives"][name])
        self.assertEqual(found.status, [design["status"]])
        self.assertEqual(found.response("circle.travel.leg1")[0],
                         design["criteria"]["circle"]["travel.leg1"])
        self.assertEqual(case.units["stiffness"], "N/m")
        self.assertFalse(whole.any())
        self.assertTrue((low < high).all())

    def test_closed_form_and_threads(self):
        case = globdyn.Case(SLIDER, text=True)
        masses = np.linspace(2, 40, 40)[:, None]
        one, two = case.evaluate(masses, threads=1), case.evaluate(masses, threads=2)
        np.testing.assert_allclose(one.response("line.accel"), 50 / masses[:, 0], rtol=1e-12)
        np.testing.assert_array_equal(one.responses, two.responses)
        self.assertEqual(case.units["F"], "N")  # a parameter has the unit that the case states
        case.set(F="100 N")
        np.testing.assert_allclose(case.evaluate([[10]]).response("line.accel"), 10, rtol=1e-12)

    def test_failures_are_results(self):
        case = globdyn.Case(STROKES, driven_out=1.09)
        found = case.evaluate(case.bounds[2])
        self.assertEqual(found.status, ["out-of-range"])
        self.assertIn("out of its range", found.reason[0])
        self.assertGreater(found.failure[0], 0)
        self.assertTrue(np.isnan(found.objectives).all())
        F, G = case.problem().evaluate(case.bounds[2])
        self.assertTrue((F >= 1e9).all() and (G >= 1e9).all())


class Optimizers(unittest.TestCase):
    def test_scipy(self):
        from scipy.optimize import minimize_scalar
        problem = globdyn.Case(SLIDER, text=True).problem(threads=1)
        best = minimize_scalar(lambda m: problem([m]), bounds=(2, 40), method="bounded",
                               options={"xatol": 1e-8})
        self.assertAlmostEqual(best.x, 50 / 12.5, delta=1e-4)

    def test_signs(self):
        problem = globdyn.Case(STAR).problem()
        F, G = problem.evaluate(problem.start)
        self.assertLess(F[0, 0], 0)  # area, maximized
        self.assertEqual(G.shape, (1, len(problem.relation)))


class Errors(unittest.TestCase):
    def test_places_and_suggestions(self):
        with self.assertRaisesRegex(globdyn.Error, "nowhere.yaml"):
            globdyn.Case("nowhere.yaml")
        with self.assertRaisesRegex(globdyn.Error, r"(?s)case.yaml:\d+.*did you mean"):
            globdyn.Case(SLIDER.replace("mass: M", "maas: M"), text=True)
        case = globdyn.Case(SLIDER, text=True)
        with self.assertRaisesRegex(globdyn.Error, "no trajectory 'nothing'"):
            case.regions("nothing")
        with self.assertRaises(globdyn.Error):
            case.set(N="3 kg")
        with self.assertRaises(globdyn.Error):
            case.set(M="3 s")
        with self.assertRaises(ValueError):
            case.evaluate([[1, 2]])
        self.assertEqual(case.evaluate([[10]]).status, ["ok"])  # none of this harms the case


if __name__ == "__main__":
    unittest.main(verbosity=1)
