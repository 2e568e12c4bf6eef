#!/usr/bin/env python3
"""Bounds of the path speed and limits of joint accelerations: regions, fastest motions, verdicts and a sweep of `globdyn`
against closed forms and an own backward and forward pass; see README.md beside this file.

    tests/reference/motion_limits.py --program build/globdyn

Exit code 1: something differs."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

MACHINE = """format: 1
name: gantry
about: a tool on two slides
parameters:
  v: 1 m/s
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    bridge: {mass: 1 kg, inertia: 1, pose: [0, 0, 0], points: {P: [0, 0]}}
    tool: {mass: 2 kg, inertia: 1, pose: [0, 0, 0], points: {P: [0, 0]}}
  joints:
    x: {type: prismatic, of: [bridge.P, ground.O], axis: [1, 0]}
    y: {type: prismatic, of: [tool.P, bridge.P], axis: [0, 1]}
  drives:
    mx: {at: x, force: {limit: 18 N}}
    helper: {at: x, force: {limit: 12 N}}
    my: {at: y, force: {limit: 40 N}}
  limits:
    ax: {joint: x, acceleration: AX}
    ay: {joint: y, acceleration: AY}
trajectories:
"""
CRANK = """format: 1
name: crank
about: a slider that leads a crank
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    crank: {mass: 0.001, inertia: 0.001, pose: [0, 0, 0.5], points: {O: [0, 0], P: [0.1 m, 0]}}
    rod: {mass: 0.001, inertia: 0.001, points: {P: [0, 0], Q: [0.3 m, 0]}, pose: [0.0877, 0.0479, -0.16]}
    cart: {mass: 1 kg, inertia: 1, points: {Q: [0, 0]}, pose: [0.384, 0, 0]}
  joints:
    main: {type: revolute, of: [crank.O, ground.O]}
    pin: {type: revolute, of: [rod.P, crank.P]}
    end: {type: revolute, of: [cart.Q, rod.Q]}
    rail: {type: prismatic, of: [cart.Q, ground.O], axis: [1, 0]}
  drives:
    push: {at: rail, force: {limit: 1000 N}}
  limits:
    turn: {joint: main, acceleration: 30 rad/s^2}
trajectories:
  way: {of: cart.Q, kind: line, from: [0.34, 0], to: [0.25, 0], speed: {max: 0.4 m/s}, points: 31}
"""

failures = []


def check(what, found, wanted, share=1e-9):
    if found is None or not abs(found - wanted) <= share * max(abs(wanted), 1e-3):
        failures.append(f"{what}: {found}, {wanted} expected")


class Program:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder

    def case(self, name, text):
        path = os.path.join(self.folder, name + ".yaml")
        with open(path, "w") as file:
            file.write(text)
        return path

    def run(self, *arguments):
        own = [] if arguments[0] == "study" else ["-o", os.path.join(self.folder, "out"), "--no-pictures"]
        done = subprocess.run([self.program, *arguments, *own], capture_output=True, text=True)
        self.code, self.errors = done.returncode, done.stderr
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))


# --- own calculation: rows |A d1^2 + D d2| <= a, and d1 <= cap --------------------------------------------

def bounds(rows, x):
    """d2 from..to at d1^2 = x; None: nothing."""
    low, high = -math.inf, math.inf
    for A, D, a in rows:
        if abs(D) < 1e-12:
            if abs(A) * x > a * (1 + 1e-12):
                return None
            continue
        ends = sorted(((-a - A * x) / D, (a - A * x) / D))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (low, high) if low <= high + 1e-9 else None


def greatest_square(rows, cap):
    """The maximum d1^2: half-planes in (d1^2, d2), so the set is an interval."""
    low, high = 0.0, cap * cap
    if bounds(rows, high):
        return high
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if bounds(rows, middle) else (low, middle)
    return low


def area(rows, cap, steps=20000):
    """Integral of the width over d1, by Simpson's rule."""
    most = math.sqrt(greatest_square(rows, cap))
    width = []
    for i in range(steps + 1):
        b = bounds(rows, (most * i / steps) ** 2 * (1 - 1e-12))
        width.append(b[1] - b[0] if b else 0.0)
    return most / steps / 3 * sum(w * (1 if i in (0, steps) else 4 if i % 2 else 2) for i, w in enumerate(width))


def fastest(rows_at, cap_at, length, cells=20000):
    """Backward and forward pass in d1^2 over equal cells, rest to rest: the time."""
    h = length / cells
    rows = [rows_at((i + 0.5) * h) for i in range(cells)]
    most = [greatest_square(rows_at(i * h), cap_at(i * h)) for i in range(cells + 1)]
    x = [0.0] * (cells + 1)
    for i in range(cells - 1, -1, -1):  # backward: as fast as can be stopped
        start = min(x[i + 1] + 1e9 * h, most[i])
        for _ in range(3):
            b = bounds(rows[i], min(start, most[i]))
            start = min(most[i], x[i + 1] - 2 * h * b[0]) if b else most[i]
        x[i] = start
    x[0] = 0.0
    for i in range(cells):  # forward: as fast as can be reached
        b = bounds(rows[i], x[i])
        x[i + 1] = min(x[i + 1], x[i] + 2 * h * b[1]) if b else x[i + 1]
    return sum(2 * h / (math.sqrt(x[i]) + math.sqrt(x[i + 1])) for i in range(cells))


def trapezoid(length, a, v):
    """Time from rest to rest with that acceleration and speed."""
    return 2 * v / a + (length - v * v / a) / v if v * v / a < length else 2 * math.sqrt(length / a)


# --- cases ---------------------------------------------------------------------------------------------------

def gantry(trajectories, ax="5 m/s^2", ay="4 m/s^2"):
    return MACHINE.replace("AX", ax).replace("AY", ay) + trajectories


def point(document, name, i):
    return document["trajectories"][name]["points"][i]


def line(program):
    """Along x alone: 3 kg and 30 N of two drives give 10 m/s^2, the limit 5."""
    case = program.case("line", gantry(
        "  free: {of: tool.P, kind: line, from: [0, 0], to: [1, 0]}\n"
        "  capped: {of: tool.P, kind: line, from: [0, 0], to: [1, 0], speed: {max: v}}\n"
        "  part: {of: tool.P, kind: line, from: [0, 0], to: [1, 0], speed: [{from: 0.35 m, to: 0.6 m, max: 0.5 m/s}]}\n"
        "  least: {of: tool.P, kind: line, from: [0, 0], to: [1, 0], speed: {min: 0.2 m/s, max: 0.7 m/s}}\n"))
    regions = program.json("regions", case)
    at = point(regions, "capped", 7)
    check("line: area", at["area"], 2 * 5 * 1.0)
    check("line: d1_max", at["d1_max"], 1.0)
    if at["upper"][0]["active"] != [["ax", "max"]]:
        failures.append(f"line: upper arc of {at['upper'][0]['active']}")
    check("line: smallest d1", point(regions, "least", 3)["d1"][0][0], 0.2)
    check("line: area with a minimum", point(regions, "least", 3)["area"], 10 * 0.5)
    check("line: d1_max of a part", regions["trajectories"]["part"]["common"]["d1_max"], 0.5)
    plans = program.json("traverse", case)["trajectories"]
    check("line: time", plans["free"]["time"], trapezoid(1, 5, 1e9), 1e-7)
    check("line: capped", plans["capped"]["time"], trapezoid(1, 5, 1), 1e-7)
    # 0 .. peak .. 0.5 before the stretch, 0.5 .. peak .. 0 after it
    peak = [math.sqrt((2 * 5 * s + 0.25) / 2) for s in (0.35, 0.4)]
    check("line: part", plans["part"]["time"], sum((2 * u - 0.5) / 5 for u in peak) + 0.25 / 0.5, 1e-6)
    if plans["least"]["time"] is not None:
        failures.append("line: a motion from rest although the speed has a minimum")
    used = {tuple(limit) for p in plans["capped"]["profile"] for limit in p["limit"]}
    if not {("ax", "max"), ("ax", "min"), ("path", "speed")} <= used:
        failures.append(f"line: limited by {sorted(used)}")
    for speed, feasible in ((0.999, True), (1.001, False)):
        table = os.path.join(program.folder, "motion.csv")
        with open(table, "w") as file:
            file.write("t,p\n" + "".join(f"{i / 20 / speed!r},{i / 20!r}\n" for i in range(21)))
        verdict = program.json("feasible", "--trajectory", "capped", "--motion", table, case)
        if verdict["feasible"] != feasible or (not feasible and verdict["worst"]["drive"] != "path"):
            failures.append(f"line: a motion of {speed} m/s is {verdict['feasible']}: {verdict['worst']}")
    # the same limits opposed: a minimum that the cap of the drive forbids
    clash = program.case("clash", gantry(
        "  clash: {of: tool.P, kind: line, from: [0, 0], to: [1, 0], speed: {min: 2 m/s}}\n"
    ).replace("mx: {at: x, force: {limit: 18 N}}", "mx: {at: x, force: {limit: 18 N}, speed: {max: 1.6 m/s}}"))
    proof = point(program.json("regions", clash), "clash", 0)["certificate"]
    named = [(l["drive"], l["side"]) for l in proof["limits"]]
    if sorted(named) != [("mx", "speed"), ("path", "min")]:
        failures.append(f"clash: certificate of {named}")
    check("clash: relaxation", proof["relative"], 0.25)


def arc(program):
    """On a circle of radius R in its arc length: x = R cos(s/R), y = R sin(s/R)."""
    R, cap, ax, ay = 0.4, 1.1, 5.0, 4.0
    case = program.case("arc", gantry(
        "  arc: {of: tool.P, kind: arc, centre: [0, 0], radius: 0.4 m, start: 20 deg, end: 200 deg, points: 37,\n"
        "        speed: {max: 1.1 m/s}}\n"))

    def rows(s):
        angle = math.radians(20) + s / R
        c, n = math.cos(angle), math.sin(angle)
        # with the drives' forces: 3 kg and 30 N along x, 2 kg and 40 N along y
        return [(-c / R, -n, ax), (-n / R, c, ay), (-3 * c / R, -3 * n, 30), (-2 * n / R, 2 * c, 40)]

    length = R * math.pi
    regions = program.json("regions", case)
    for i in (1, 5, 11, 20, 30):
        at = point(regions, "arc", i)
        check(f"arc: area at {i}", at["area"], area(rows(at["p"]), cap), 2e-6)
        check(f"arc: d1_max at {i}", at["d1_max"], math.sqrt(greatest_square(rows(at["p"]), cap)))
    plan = program.json("traverse", case)["trajectories"]["arc"]
    check("arc: time", plan["time"], fastest(rows, lambda s: cap, length), 2e-4)
    if plan["time_bounds"][0] > plan["time"] * (1 + 1e-9):
        failures.append("arc: bounds")


def crank(program):
    """q(x) of the crank with the slider at x: cos q = (r^2 + x^2 - l^2) / (2 r x)."""
    r, l, cap = 0.1, 0.3, 0.4
    case = program.case("crank", CRANK)

    def q(x):
        return math.acos((r * r + x * x - l * l) / (2 * r * x))

    def rows(s):
        x = 0.34 - s
        # by c(x) = cos q: q' = -c'/sin q, q'' = -(c'' + c q'^2)/sin q, dx/ds = -1
        c = math.cos(q(x))
        first = 1 / r - c / x
        second = -first / x + c / (x * x)
        root = math.sqrt(1 - c * c)
        slope = -first / root
        bend = -(second + c * slope * slope) / root
        return [(bend, -slope, 30.0), (0.0, 1.0, 990.0)]

    regions = program.json("regions", case)
    for i in (2, 9, 16, 27):
        at = point(regions, "way", i)
        check(f"crank: area at {i}", at["area"], area(rows(at["p"]), cap), 2e-6)
        check(f"crank: d1_max at {i}", at["d1_max"], math.sqrt(greatest_square(rows(at["p"]), cap)))
        if at["upper"][0]["active"][0][0] != "turn":
            failures.append(f"crank: {at['upper'][0]['active']}")
    plan = program.json("traverse", case)["trajectories"]["way"]
    check("crank: time", plan["time"], fastest(rows, lambda s: cap, 0.09), 2e-4)


def seven(length, v, a, j):
    """Segments (time, jerk) of the motion from rest to rest that reaches all three limits."""
    return [(a / j, j), (v / a - a / j, 0), (a / j, -j), (length / v - v / a - a / j, 0), (a / j, -j), (v / a - a / j, 0), (a / j, j)]


def write_motion(path, segments, factor, step, derivatives):
    """A motion of jerk segments, `factor` times as fast, every `step` seconds."""
    end = sum(time for time, _ in segments) / factor
    with open(path, "w") as file:
        file.write("t,p,d1,d2\n" if derivatives else "t,p\n")
        for i in range(round(end / step) + 1):
            left, p, v, a = i * step * factor, 0.0, 0.0, 0.0
            for time, jerk in segments:
                d = max(min(left, time), 0)
                p, v, a, left = p + v * d + a * d * d / 2 + jerk * d**3 / 6, v + a * d + jerk * d * d / 2, a + jerk * d, left - time
            v, a = max(v, 0) * factor if v > 1e-12 else 0, a * factor**2 if abs(a) > 1e-12 else 0
            row = (i * step, min(max(p, 0), 1), v, a)
            file.write(",".join(map(repr, row if derivatives else row[:2])) + "\n")


def bracket(what, plan, exact, share=1e-3):
    if not plan["time"] or not exact * (1 - 1e-9) <= plan["time"] <= exact * (1 + share) or plan["time_bounds"][0] > exact:
        failures.append(f"{what}: {plan['time']} within {plan['time_bounds']}, {exact} expected")


def jerk(program):
    """Rest to rest: L = j T^3 / 32 alone, seven segments with all limits, an undriven crank; verdicts of motions in time."""
    line = "  way: {of: tool.P, kind: line, from: [0, 0], to: [1, 0]}\n"
    for limit, exact in (("jerk: 40 m/s^3", (32 / 40) ** (1 / 3)),
                         ("speed: 1 m/s, acceleration: 5 m/s^2, jerk: 50 m/s^3", sum(time for time, _ in seven(1, 1, 5, 50)))):
        text = gantry(line).replace("acceleration: 5 m/s^2", limit)
        case = program.case("jerk", text)
        plan = program.json("traverse", case)["trajectories"]["way"]
        bracket(f"jerk: {limit}", plan, exact)
        if ["ax", "rate up"] not in plan["profile"][0]["limit"] or not 0.998 < plan["rates"]["ax"]["greatest"] / plan["rates"]["ax"]["limit"] <= 1:
            failures.append(f"jerk: {plan['profile'][0]['limit']}, {plan['rates']}")
        own = os.path.join(program.folder, "out", "traverse.csv")
        program.run("traverse", case)
        if not program.json("feasible", "--motion", own, case)["feasible"]:
            failures.append(f"jerk: {limit}: its own motion is not feasible")
    table = os.path.join(program.folder, "motion.csv")
    for factor, derivatives in ((1, True), (0.9, True), (1.02, True), (1.02, False)):
        write_motion(table, seven(1, 1, 5, 50), factor, 0.01 / factor if derivatives else 0.0013, derivatives)
        verdict = program.json("feasible", "--motion", table, case)
        if verdict["feasible"] != (factor <= 1):
            failures.append(f"jerk: a motion {factor} times as fast is {verdict['feasible']}")
        elif factor > 1:
            check("jerk: violation", verdict["worst"]["violation"], factor**3 - 1, 1e-4)
            check("jerk: amount", verdict["worst"]["amount"], 50 * (factor**3 - 1), 1e-4)
        else:
            check("jerk: margin", verdict["margin"], 1 / factor, 1e-6)
    # bang-bang: d2 jumps at the start
    with open(table, "w") as file:
        file.write("t,p,d1,d2\n" + "".join(f"{i / 10},{i * i / 200},{i / 10},1\n" for i in range(11)))
    verdict = program.json("feasible", "--motion", table, case)
    if not verdict["feasible"]:  # 1 m/s^2 within 0.1 s is slower than 50 m/s^3
        failures.append(f"jerk: {verdict['worst']}")
    # the crank of a slider: seven segments without a limit of the acceleration, in its angle
    turn = (lambda x: math.acos((0.1**2 + x * x - 0.3**2) / (2 * 0.1 * x)))
    way, v, j = turn(0.25) - turn(0.34), 3.0, 300.0
    case = program.case("turn", CRANK.replace("acceleration: 30 rad/s^2", "speed: 3 rad/s, jerk: 300 rad/s^3").replace(
        ", speed: {max: 0.4 m/s}", ""))
    plan = program.json("traverse", case)["trajectories"]["way"]
    bracket("jerk: crank", plan, way / v + 2 * math.sqrt(v / j))
    at = point(program.json("regions", case), "way", 12)
    x, h = 0.34 - at["p"], 1e-5
    check("speed of a crank", at["d1_max"], v / ((turn(x - h) - turn(x + h)) / (2 * h)), 1e-6)
    # the curvature of the path jumps: the machine stops there, each part in the time of its own jerk
    case = program.case("bend", gantry(
        '  way: {of: tool.P, p: [0, 2], path: {x: p, y: "max(0, p - 1)^2"}}\n').replace(
        "acceleration: 5 m/s^2", "jerk: 40 m/s^3").replace("acceleration: 4 m/s^2", "jerk: 1e6 m/s^3"))
    plan = program.json("traverse", case)["trajectories"]["way"]
    bracket("jerk: bend", plan, 2 * (32 / 40) ** (1 / 3), 0.05)
    if [round(p, 6) for p in plan["friction_stops"]] != [1]:
        failures.append(f"jerk: stops at {plan['friction_stops']}")


def reversal(program):
    """Jerk limits where joints reverse inside of the path: own derivatives of the joints by time between the nodes keep the limits;
    the set-points read back keep them and are as fast."""
    v, j = 20, 60
    limits = f"{{joint: %s, speed: {v} m/s, jerk: {j} m/s^3}}"
    text = gantry('  way: {p: [0, 1.2], joints: {x: "0.4*sin(2*p)", y: "0.5*p"}, points: 31}\n')
    text = text.replace("{joint: x, acceleration: 5 m/s^2}", limits % "x").replace("{joint: y, acceleration: 4 m/s^2}", limits % "y")
    text = text.replace("limit: 18 N", "limit: 1800 N").replace("limit: 40 N", "limit: 4000 N")
    case = program.case("reversal", text)
    plan = program.json("traverse", case, "--step", "5 ms")["trajectories"]["way"]
    if program.code or not plan["converged"]:
        failures.append(f"reversal: exit code {program.code}, {plan['time']}, {program.errors}")
        return
    worst = [0, 0, 0]
    for one, two in zip(plan["profile"], plan["profile"][1:]):
        dt = two["t"] - one["t"]
        bow = (two["d1"] - one["d1"]) / dt - (one["d2"] + two["d2"]) / 2  # d2 is quadratic in time
        jerk, snap = (two["d2"] - one["d2"] + 6 * bow) / dt, -12 * bow / dt**2
        for k in range(6):
            s = dt * k / 5
            p = one["p"] + s * (one["d1"] + s * (one["d2"] / 2 + s * (jerk / 6 + s * snap / 24)))
            d1, d2, d3 = one["d1"] + s * (one["d2"] + s * (jerk / 2 + s * snap / 6)), one["d2"] + s * (jerk + s * snap / 2), jerk + s * snap
            q1, q2, q3 = 0.8 * math.cos(2 * p), -1.6 * math.sin(2 * p), -3.2 * math.cos(2 * p)
            for found in ((q1 * d1, q1 * d2 + q2 * d1**2, q1 * d3 + 3 * q2 * d1 * d2 + q3 * d1**3), (0.5 * d1, 0.5 * d2, 0.5 * d3)):
                worst = [max(w, abs(f)) for w, f in zip(worst, found)]
    if worst[0] > v or worst[2] > j * (1 + 1e-4):
        failures.append(f"reversal: {worst} with the limits {v}, {j}")
    own = program.case("back", text[:text.index("  way:")] + "  way: {kind: file, file: out/way_joint_trajectory.json}\n")
    # the polynomial of degree five over a step in which the jerk changes its sign has up to 1.7475 times that jerk
    back = program.json("feasible", "--tolerance", "0.75", own)
    if not back["feasible"] or abs(back["motions"][0]["time"] - plan["time"]) > 5e-3:
        failures.append(f"reversal: read back {back['worst']}, {back['motions'][0]['time']} s for {plan['time']} s")


def corners(program):
    """Along x, then along y, with a stop at the corner."""
    case = program.case("corners", gantry(
        "  way: {of: tool.P, kind: polyline, through: [[0, 0], [1, 0], [1, 0.8]], speed: {max: 1.5 m/s}}\n"))
    plan = program.json("traverse", case)["trajectories"]["way"]
    check("corners: time", plan["time"], trapezoid(1, 5, 1.5) + trapezoid(0.8, 4, 1.5), 1e-6)


def sweep(program):
    """Designs whose variables are the bound of the speed and the limit of the acceleration; criteria are known to 1e-3."""
    case = program.case("sweep", gantry(
        "  way: {of: tool.P, kind: line, from: [0, 0], to: [1, 0], speed: {max: v}}\n", ax="a").replace(
        "  v: 1 m/s", "  v: 1 m/s\n  a: 5 m/s^2") +
        "design:\n  v: {min: 0.4 m/s, max: 2 m/s}\n  a: {min: 2 m/s^2, max: 8 m/s^2}\n"
        "optimize:\n  objectives:\n    time: {minimize: way.time}\n")
    text = program.run("sweep", "--samples", "6", "--method", "lhs", case)
    if program.code not in (0, 1):
        failures.append(f"sweep: exit code {program.code}: {text}{program.errors}")
        return
    front = program.json("study", "export", os.path.join(program.folder, "out", "sweep.db"))
    for design in front["designs"]:
        v, a = design["values"]["v"], design["values"]["a"]
        check(f"sweep: v = {v}, a = {a}", design["objectives"]["time"], trapezoid(1, a, v), 1e-3)
    if len(front["designs"]) < 6:
        failures.append("sweep: designs are missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(parser.parse_args().program, folder)
        for each in (line, arc, crank, jerk, reversal, corners, sweep):
            each(program)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} differences")
    return bool(failures)


sys.exit(main())
