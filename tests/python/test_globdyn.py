"""The Python package against the program: documents, designs, errors, optimizers."""
import copy
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
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


ARM = source / "cases" / "two_link_arm" / "case.yaml"
COARSE = ARM.read_text().replace("points: [81, 81]", "points: [21, 21]")


def torques(q, qd, qdd):
    """Lagrange's equations of the two-link arm, by hand: links of 1 m, centres at 0.5 m, 1 and 2 kg, 0.5 kg m^2."""
    (q1, q2), (w1, w2), (a1, a2) = q.T, qd.T, qdd.T
    h, g = np.sin(q2), 9.81
    return np.column_stack([
        (0.75 + 3 + 2 * np.cos(q2)) * a1 + (1 + np.cos(q2)) * a2 - h * (2 * w1 * w2 + w2**2)
        + 2.5 * g * np.cos(q1) + g * np.cos(q1 + q2),
        (1 + np.cos(q2)) * a1 + a2 + h * w1**2 + g * np.cos(q1 + q2)])


class Commands(unittest.TestCase):
    """Documents and tables of commands have the bytes of the program's files."""

    def test_same_as_the_program(self):
        t = np.linspace(0, 2, 41)
        with tempfile.TemporaryDirectory() as folder:
            arm = Path(folder) / "arm.yaml"
            arm.write_text(COARSE)
            case = globdyn.Case(arm)
            motion = Path(folder) / "motion.csv"
            motion.write_text("".join(["t,p\n"] + [f"{float(x)!r},{float(y)!r}\n" for x, y in zip(t, t**2 / 4)]))
            for command, options, call in [
                    ("traverse", ["--steps", "500"], lambda: case.traverse()),
                    ("feasible", ["--steps", "500", "--motion", motion], lambda: case.feasible(motion=motion)),
                    ("reactions", ["--trajectory", "line"], lambda: case.reactions("line")),
                    ("workspace", [], lambda: case.workspace()),
                    ("simulate", ["--duration", "0.1 s"], lambda: case.simulate(duration=0.1))]:
                out = Path(folder) / command
                theirs = program(command, "--json", "--no-pictures", "-o", out, *options, arm)
                ours = call()
                self.assertEqual(ours, theirs, command)
                self.assertEqual(set(ours.files), {path.name for path in out.iterdir()} - {"pictures.list"})
                for name, text in ours.files.items():
                    self.assertEqual(text, (out / name).read_bytes(), name)
            columns = case.feasible("line", {"t": t, "p": t**2 / 4})
            self.assertEqual(columns.table("feasible")["m1.force"].tolist(),
                             case.feasible(motion=motion).table("feasible")["m1.force"].tolist())

    def test_torques_by_lagrange(self):
        case = globdyn.Case(ARM)
        t = np.linspace(1, 3, 201)
        q = np.column_stack([0.5 + 0.3 * np.sin(t), 1.2 + 0.3 * np.cos(2 * t)])
        given = case.with_joints("given", q, t)
        found = given.feasible("given", step=t[1] - t[0])
        motion = found.motions["given"]
        self.assertTrue(found["feasible"])
        self.assertEqual((motion.joints, motion.drives), (["shoulder", "elbow"], ["m1", "m2"]))
        self.assertEqual(motion.q.shape, (201, 2))
        np.testing.assert_allclose(motion.p, t, rtol=0, atol=1e-12)
        np.testing.assert_allclose(motion.q, q, rtol=0, atol=1e-9)  # rows of the table
        for one in motion, case.traverse().motions["line"]:
            np.testing.assert_allclose(one.tau, torques(one.q, one.qd, one.qdd), rtol=0, atol=1e-9)
        # Waypoints; a copy has the trajectory, too.
        fast = pickle.loads(pickle.dumps(case.with_joints("way", q[::40], joints=["shoulder", "elbow"]))).traverse("way")
        self.assertLess(fast["trajectories"]["way"]["time"], 2)
        text = globdyn.Case(ARM.read_bytes(), text=True).with_joints("way", q[::40])
        self.assertEqual(text.traverse("way")["trajectories"], fast["trajectories"])
        for wrong in q[0], q[:, :1, None], np.column_stack([q, q]):
            with self.assertRaises((ValueError, globdyn.Error)):
                case.with_joints("wrong", wrong, t[:len(wrong)])

    def test_outlines(self):
        regions = globdyn.Case(STAR).regions("circle")
        for point, shape in zip(regions["trajectories"]["circle"]["points"], regions.outlines("circle", 1e-6)):
            x, y = shape.T
            area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
            self.assertAlmostEqual(area / point["area"], 1, delta=1e-5)
        self.assertEqual(globdyn.outline({"d1": None}).shape, (0, 2))

    def test_results(self):
        case = globdyn.Case(COARSE, text=True)
        run = case.simulate(duration=0.5, trajectory="line", motion=None)
        self.assertEqual(run.columns["t"][-1], 0.5)
        self.assertEqual(run.columns.units["upper.x"], "m")
        values = case.reactions("line").components
        self.assertEqual(values["shoulder.fx"].shape, values["p"].shape)
        self.assertEqual(len(case.workspace().columns["x"]), 21 * 21)
        self.assertEqual(case.run("modes", "--samples=8")["case"], "two-link arm")
        with self.assertRaises(globdyn.Error) as caught:
            case.feasible()
        self.assertEqual(caught.exception.code, "GD070")
        with self.assertRaises(globdyn.Error) as caught:
            case.traverse("lin")
        self.assertEqual(caught.exception.help, "did you mean 'line'?")
        for wrong in lambda: case.run("optimize"), lambda: case.traverse(stp=3), lambda: case.run("traverse", "--help"):
            with self.assertRaises(globdyn.Error):
                wrong()
        with self.assertRaises(TypeError):
            case.traverse(step=[1])

    def test_interrupt(self):
        case = globdyn.Case(ARM)
        for call in lambda: case.simulate(duration=1e6), lambda: case.traverse(step=2e-6):
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                timer.start()
                call()
                timer.join()
            self.assertGreater(case.traverse()["trajectories"]["line"]["time"], 0)

    def test_commands_in_threads_and_forks(self):
        cases = [globdyn.Case(ARM, lc=0.5) for _ in range(4)]
        found = []
        threads = [threading.Thread(target=lambda c=c: found.append(c.traverse())) for c in cases]
        for thread in threads:
            thread.start()
        child = os.fork()
        if child == 0:
            os._exit(0 if globdyn.Case(ARM).check()["mobility"] == 2 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        for thread in threads:
            thread.join()
        self.assertEqual(found, [found[0]] * 4)


class Searches(unittest.TestCase):
    def test_same_as_the_program(self):
        case = globdyn.Case(SLIDER, text=True)
        designs = list(case.optimize(evaluations=40, seed=3, threads=2))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "s.yaml"
            file.write_text(SLIDER)
            program("optimize", "--json", "--no-pictures", "-o", folder, "--evaluations", "40", "--seed", "3", file)
            theirs = globdyn.Table((Path(folder) / "designs.csv").read_text())
        designs.sort(key=lambda design: design.number)
        self.assertEqual([d.x[0] for d in designs], theirs["design.M"].tolist())
        self.assertEqual([d.objectives[0] for d in designs], theirs["objective.off"].tolist())
        self.assertEqual(designs[0].values["M"], 10)

    def test_ends(self):
        case = globdyn.Case(SLIDER, text=True)
        search = case.optimize(evaluations=10**7)
        self.assertEqual(len([design for design, _ in zip(search, range(20))]), 20)
        self.assertEqual(case.check()["mobility"], 1)  # the case is free while the search runs
        search.close()
        with self.assertRaises(globdyn.Error):
            next(globdyn.Case(ARM).optimize())


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


class Copies(unittest.TestCase):
    """A copy opens the case anew: source and parameters are the same, nothing else is shared."""

    def accel(self, case):
        return case.evaluate([[10.0]], threads=1).response("line.accel")[0]

    def test_copies(self):
        case = globdyn.Case(SLIDER, text=True, F="100 N")
        for make in copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c)):
            other = make(case)
            self.assertEqual(self.accel(other), 10)
            other.set(F=30)
            self.assertEqual((self.accel(other), self.accel(case)), (3, 10))
            del other
        self.assertEqual(self.accel(case), 10)

    def test_files(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.chdir(folder)
                Path("s.yaml").write_text(SLIDER)
                case = globdyn.Case("s.yaml", F=20)
                os.chdir(here)
                self.assertEqual(self.accel(copy.deepcopy(case)), 2)
            finally:
                os.chdir(here)
        with self.assertRaisesRegex(globdyn.Error, "s.yaml"):
            copy.copy(case)

    def test_processes(self):
        case = globdyn.Case(SLIDER, text=True, F="100 N")
        for method, count in ("fork", 2), ("spawn", 1):  # what is spawned imports NumPy anew
            with multiprocessing.get_context(method).Pool(count) as pool:
                found = pool.map(case.evaluate, [[[m]] for m in (4.0, 5.0, 8.0)])
            self.assertEqual([d.response("line.accel")[0] for d in found], [25, 20, 12.5])

    def test_fork_while_a_thread_computes(self):
        case = globdyn.Case(SLIDER, text=True, F="100 N")
        ready, goes_on = threading.Event(), [True]

        def compute():
            while goes_on[0]:
                case.evaluate(np.full((200, 1), 10.0), threads=1)
                ready.set()

        worker = threading.Thread(target=compute)
        worker.start()
        ready.wait()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if self.accel(case) == 10 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        goes_on[0] = False
        worker.join()

    def test_scipy_workers(self):
        from scipy.optimize import differential_evolution
        problem = globdyn.Case(SLIDER, text=True).problem(threads=1)
        best = differential_evolution(problem, [(2, 40)], workers=2, updating="deferred", maxiter=8,
                                      popsize=6, seed=1)
        self.assertAlmostEqual(best.x[0], 50 / 12.5, delta=1e-3)


class Threads(unittest.TestCase):
    def test_one_case(self):
        case = globdyn.Case(SLIDER, text=True)
        masses = np.linspace(2, 40, 30)[:, None]
        found = []
        jobs = [lambda: found.append(case.evaluate(masses, threads=1).response("line.accel")),
                lambda: found.append(case.check()["mobility"])]
        threads = [threading.Thread(target=lambda j=j: [j() for _ in range(10)]) for j in jobs * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 40)
        for one in found:
            np.testing.assert_allclose(one, 1 if np.ndim(one) == 0 else 50 / masses[:, 0], rtol=1e-12)

    def test_batches_have_the_same_bits(self):
        case = globdyn.Case(SLIDER, text=True)
        masses = np.linspace(1, 41, 50)[:, None]  # out of bounds at both ends
        whole = case.evaluate(masses, threads=2)
        case.CALL = 1e-9  # a design or two per call
        parts = case.evaluate(masses, threads=2)
        np.testing.assert_array_equal(whole.responses, parts.responses)
        self.assertEqual((whole.status, whole.reason), (parts.status, parts.reason))

    def test_interrupt(self):
        case = globdyn.Case(SLIDER, text=True)
        begun = time.monotonic()
        case.evaluate(np.full((400, 1), 10.0), threads=1)
        rows = int(400 * 60 / (time.monotonic() - begun))  # a minute of them
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        begun = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            case.evaluate(np.full((rows, 1), 10.0), threads=1)
        self.assertLess(time.monotonic() - begun, 15)
        self.assertEqual(case.evaluate([[10.0]]).response("line.accel")[0], 5)


class Errors(unittest.TestCase):
    def test_odd_arguments(self):
        case = globdyn.Case(SLIDER, text=True)
        for wrong, call in [
                (ValueError, lambda: globdyn.Case("format: 1\0" + SLIDER, text=True)),
                (ValueError, lambda: globdyn.Case("a\0b.yaml")),
                (ValueError, lambda: case.set(F="10 N\0 or so")),
                (ValueError, lambda: case.regions("li\0ne")),
                (globdyn.Error, lambda: case.regions(3)),
                (TypeError, lambda: globdyn.Case(3)),
                (TypeError, lambda: globdyn.Case(3, text=True)),
                (TypeError, lambda: case.set(F=None)),
                (globdyn.Error, lambda: case.set(F=float("nan"))),
                (ValueError, lambda: case.evaluate([[10]], threads=-1)),
                (ValueError, lambda: case.evaluate([[10]], threads=2**32 + 1)),
                (TypeError, lambda: case.evaluate([[10]], threads=1.5)),
                (TypeError, lambda: case.evaluate(np.array([[10 + 1j]]))),
                (ValueError, lambda: case.evaluate(np.ma.array([[10.0]], mask=[[True]]))),
                (ValueError, lambda: case.evaluate([np.ma.array([10.0], mask=[True])]))]:
            with self.assertRaises(wrong):
                call()
        self.assertEqual(case.evaluate(np.ma.array([[10.0]])).response("line.accel")[0], 5)
        self.assertEqual(globdyn.Case(SLIDER.encode(), text=True).variables, ["M"])

    def test_any_file_name(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in b"plain.yaml", b"not\xffutf8\x1b.yaml":
                path = os.path.join(os.fsencode(folder), name)
                Path(os.fsdecode(path)).write_text(SLIDER)
                for given in path, os.fsdecode(path), Path(os.fsdecode(path)):
                    self.assertEqual(globdyn.Case(given).check()["mobility"], 1)
                Path(os.fsdecode(path)).write_text(SLIDER.replace("mass: M", "maas: M"))
                with self.assertRaises(globdyn.Error) as caught:
                    globdyn.Case(path)
                self.assertNotIn("\x1b", str(caught.exception))

    def test_places_and_suggestions(self):
        with self.assertRaisesRegex(globdyn.Error, "nowhere.yaml"):
            globdyn.Case("nowhere.yaml")
        with self.assertRaisesRegex(globdyn.Error, r"(?s)case.yaml:\d+.*did you mean") as caught:
            globdyn.Case(SLIDER.replace("mass: M", "maas: M"), text=True)
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.file, error.line, error.help), ("case.yaml", 9, "did you mean 'mass'?"))
        self.assertIn("maas", error.message)
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
