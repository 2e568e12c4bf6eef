#!/usr/bin/env python3
"""What must not depend on how a machine is written down: the same machine in another form, the same answer.

    tests/reference/invariance.py [--seed N] [--rounds N] [--machines N] [--changes N] [--commands N] [CASE.yaml ...]

Cases (default: all of cases/): bodies, joints and drives in another order; `of` exchanged; p stretched; the
path reversed; the grid refined; parameters of `design:` drawn at random. Random machines (generator.py): the
same, and millimetres for metres, and other frames in the bodies. Exit code 1: something differs."""
import argparse
import collections
import copy
import glob
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import generator
import mechanism as mech

# Both answers come from one program with rounding near 1e-12 of the loads, magnified by conditions up to
# about 1e3; poses that are integrated carry errors of 1e-8 (docs/theory.md), which differ with the grid.
TOLERANCE = 1e-7
MOST = 21
SAME_MOTION = ("revolute", "prismatic", "cylindrical", "spherical", "rod")


class Text(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Scalars stay texts: units and formulas are globdyn's matter."""


Text.yaml_implicit_resolvers = {}


def dump(doc):
    return yaml.dump(doc, sort_keys=False, default_flow_style=None, width=1000, Dumper=generator.Plain)


# --- the changes: (document, factors) or None where they do not apply -------------------------------------

def shuffled(rng, mapping):
    names = list(mapping)
    rng.shuffle(names)
    return {name: mapping[name] for name in names}


def permuted(doc, rng):
    for sort in ("bodies", "joints", "drives", "forces"):
        if isinstance(doc["machine"].get(sort), dict):
            doc["machine"][sort] = shuffled(rng, doc["machine"][sort])
    return doc, {}


def refined(doc, rng):
    for entry in doc["trajectories"].values():
        if "points" not in entry and "like" in entry:
            return None
        entry["points"] = str(2 * int(entry.get("points", 101)) - 1)
    return doc, {"every": 2}


def in_formulas(doc, p_of, swap):
    """Puts an expression for p into all formulas; None when a path is not of formulas."""
    for entry in doc["trajectories"].values():
        if "like" in entry or "repeat" in entry or "kind" in entry or "p" not in entry or "weights" in entry:
            return None
        first, last = entry["p"]

        def put(value):
            if isinstance(value, (dict, list)):
                items = value.items() if isinstance(value, dict) else enumerate(value)
                for key, item in items:
                    value[key] = put(item)
                return value
            return re.sub(r"(?<![A-Za-z0-9_.])p(?![A-Za-z0-9_(])", "(" + p_of(first, last) + ")", str(value))
        for key in ("path", "joints"):
            if key in entry:
                entry[key] = put(entry[key])
        entry["p"] = swap(first, last)
    return doc


def stretched(doc, rng):
    factor = rng.choice([0.01, 7.0, 1000.0])
    doc = in_formulas(doc, lambda a, b: f"p/{factor}", lambda a, b: [f"({a})*{factor}", f"({b})*{factor}"])
    return doc and (doc, {"d": factor, "p": lambda p: p * factor})


def resists(doc):
    """Friction and the like: the way back is another motion."""
    text = dump(doc["machine"])
    return any(word in text for word in ("friction", "viscous", "coulomb", "process", "curve", "damper"))


def reversed_path(doc, rng):
    if resists(doc) or any(word in dump(doc["machine"]) for word in ("knife_edge", "rolling")):
        return None
    doc = in_formulas(doc, lambda a, b: f"({a})+({b})-p", lambda a, b: [a, b])
    return doc and (doc, {"back": True})


def negative(value):
    text = str(value).strip()
    if text in ("inf", "unlimited"):
        return "-inf"
    return "inf" if text == "-inf" else f"-({text})"


def turn_range(entry):
    """The range of a coordinate that changes its sign."""
    ends = entry.get("range", {})
    turned = {other: negative(ends[word]) for word, other in (("min", "max"), ("max", "min")) if word in ends}
    if turned:
        entry["range"] = turned


def drop_searched_motions(doc):
    """Null motions are found by a local search: a machine written in another way may get another one."""
    paths = doc.get("trajectories") or {}
    for name in [name for name, path in paths.items() if "null_motion" in path]:
        del paths[name]


def thin_out(doc):
    """At most MOST points of a path: what must not change at each of them is seen at a few."""
    for path in (doc.get("trajectories") or {}).values():
        if str(path.get("points", "")).isdigit():
            path["points"] = str(min(int(path["points"]), MOST))


def exchanged(doc, rng):
    """`of` the other way round in half of the joints whose coordinates then only change their sign."""
    joints = doc["machine"].get("joints", {})
    used = dump({k: doc["machine"].get(k) for k in ("motions", "forces")}) + dump(
        {n: j for n, j in joints.items() if j.get("type") == "gear"}) + dump(doc.get("trajectories", {}))
    turned = set()
    for name, j in joints.items():
        if "like" in j or j.get("type") not in SAME_MOTION or rng.random() < 0.5 or name in used:
            continue
        stem = re.sub(r"\$.*", "", name)
        if stem and re.search(r"\b" + re.escape(stem), used) or any(
                "like" in other for other in list(joints.values())):
            continue
        if not set(j.get("range", {})) <= {"min", "max"}:
            continue
        j["of"] = list(reversed(j["of"]))
        if "axes" in j:
            j["axes"] = list(reversed(j["axes"]))
        turn_range(j)
        turned.add(name)
    for drive in doc["machine"].get("drives", {}).values():
        if "like" in drive and turned:
            return None
        at = str(drive.get("at", "")).split(".")[0]
        if at in turned:
            turn_range(drive)
            for word in ("force", "torque"):
                if word in drive and "limit" not in drive[word]:
                    low, high = drive[word]["min"], drive[word]["max"]
                    drive[word] = {"min": negative(high), "max": negative(low)}
        elif any(re.sub(r"\$.*", "", n) == re.sub(r"[\$0-9].*", "", at) for n in turned if n != at) and at:
            return None
    return (doc, {"turned": turned}) if turned else None


# --- changes of documents that hold numbers only (random machines) ----------------------------------------

def scaled(doc, rng):
    """Millimetres, with masses in kg: forces in mN, torques in mN mm."""
    k = rng.choice([1000.0, 1e-2])
    m = doc["machine"]
    machine = mech.Machine(dump(doc))
    turns = {f"{j}.{f}" for j in machine.joints for f in machine.freedoms(j)
             if f not in ("slide", "x", "y")}

    def full(name):
        return ".".join(machine.resolve(name))

    def vector(v):
        return [float(x) * k for x in v]
    m["gravity"] = vector(m["gravity"])
    m["ground"]["points"] = {n: vector(v) for n, v in m["ground"].get("points", {}).items()}
    for b in m["bodies"].values():
        b["points"] = {n: vector(v) for n, v in b.get("points", {}).items()}
        b["com"] = vector(b.get("com", [0.0] * (2 if machine.planar else 3)))
        if isinstance(b["inertia"], dict):
            b["inertia"] = {n: [float(x) * k * k for x in v] for n, v in b["inertia"].items()}
        else:
            b["inertia"] = ([float(x) * k * k for x in b["inertia"]] if isinstance(b["inertia"], list)
                            else float(b["inertia"]) * k * k)
        if machine.planar:
            b["pose"] = vector(b["pose"][:2]) + [float(b["pose"][2])]
        else:
            b["pose"]["at"] = vector(b["pose"]["at"])
    for name, j in m["joints"].items():
        for key in ("length", "pitch", "radius"):
            if key in j:
                j[key] = float(j[key]) * k
        if j["type"] == "gear":
            a, b = [full(n) in turns for n in j["of"]]
            j["ratio"] = float(j["ratio"]) * k ** (int(b) - int(a))
            j["offset"] = float(j["offset"]) * (1.0 if a else k)
        if "friction" in j:
            kinds = {f"{name}.{f}" in turns for f in machine.freedoms(name)}
            if len(kinds) > 1:
                return None
            turning = kinds == {True}
            for key, power in (("viscous", 2 if turning else 0), ("coulomb", 2 if turning else 1)):
                if key in j["friction"]:
                    j["friction"][key] = float(j["friction"][key]) * k**power

    def limit(value, power):
        return value if isinstance(value, str) else float(value) * k**power
    for d in m.get("drives", {}).values():
        turning = full(d["at"]) in turns if "at" in d else False
        power = 2 if turning or "torque" in d.get("wrench", {}) else 1
        for word in ("force", "torque", "tension"):
            if word in d:
                d[word] = {n: limit(v, power) for n, v in d[word].items()}
        if "rotor_inertia" in d:
            d["rotor_inertia"] = float(d["rotor_inertia"]) * (k * k if turning else 1.0)
        if "speed" in d and not turning:
            d["speed"]["max"] = float(d["speed"]["max"]) * k
        if "curve" in d:
            d["curve"] = [[v * (1.0 if turning else k), f * k**power] for v, f in d["curve"]]
    for f in m.get("forces", {}).values():
        turning = "at" in f and full(f["at"]) in turns
        for key, power in (("stiffness", 2 if turning else 0), ("viscous", 2 if turning else 0),
                           ("coulomb", 2 if turning else 1), ("rest", 0 if turning else 1), ("magnitude", 1)):
            if key in f:
                f[key] = float(f[key]) * k**power
        if "force" in f:
            f["force"] = [float(x) * k for x in f["force"]]
        if "torque" in f:
            f["torque"] = ([float(x) * k * k for x in f["torque"]] if isinstance(f["torque"], list)
                           else float(f["torque"]) * k * k)
    entry = doc["trajectories"]["t"]
    for axis in "xyz":
        if axis in entry.get("path", {}):
            entry["path"][axis] = f"{k!r}*({entry['path'][axis]})"
    for name in entry.get("joints", {}):
        if full(name) not in turns:
            entry["joints"][name] = f"{k!r}*({entry['joints'][name]})"
    return doc, {"length": k}


def other_frames(doc, rng):
    """Every body's frame somewhere else in the body (axes as before, so that joints keep their zeros)."""
    planar = doc["machine"]["space"] == "planar"
    size = 2 if planar else 3
    given = dump(doc)
    if any("." not in text for text in re.findall(r"b\d+(?:\.\w+)?", dump(doc["machine"].get("joints", {})))):
        return None
    machine = mech.Machine(given)
    r, R = machine.first_guess()
    for i, b in enumerate(doc["machine"]["bodies"].values()):
        shift = [rng.uniform(-0.5, 0.5) for _ in range(size)] + [0.0] * (3 - size)
        b["points"] = {n: [float(x) - s for x, s in zip(v, shift)] for n, v in b.get("points", {}).items()}
        b["com"] = [float(x) - s for x, s in zip(b.get("com", [0.0] * size), shift)]
        at = [float(x) for x in r[i] + R[i] @ shift]
        if planar:
            b["pose"] = at[:2] + [float(b["pose"][2])]
        else:
            b["pose"]["at"] = at
    return doc, {}


# --- comparison -----------------------------------------------------------------------------------------------

class Runner:
    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, folder, 0
        self.applied, self.refused = collections.Counter(), []

    def ask(self, text, where, command, *options):
        self.count += 1
        path = os.path.join(where, f".invariance-{os.getpid()}.yaml")
        with open(path, "w") as file:
            file.write(text)
        try:
            run = subprocess.run([self.program, command, path, "--json", *options], capture_output=True,
                                 text=True, cwd=self.folder, timeout=600)
        finally:
            os.remove(path)
        if run.returncode not in (0, 1):
            self.refused.append(f"{command} {run.returncode}: {run.stderr.strip()[-200:]}")
            return {"error": run.stderr.strip()[-200:]}
        return json.loads(run.stdout)


def near(a, b, scale, tolerance):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= tolerance * max(scale, abs(a), abs(b))


def compare_regions(before, after, factors, tolerance):
    """What differs, as texts."""
    out = []
    if "error" in before or "error" in after:
        return [] if "error" in before and "error" in after else [before.get("error", "") + after.get("error", "")]
    d, every = factors.get("d", 1.0), factors.get("every", 1)
    for name, one in before["trajectories"].items():
        a, b = one["points"], after["trajectories"][name]["points"][::every]
        if factors.get("back"):
            b = b[::-1]
            if {p["status"] for p in a + b} - {"ok", "curve", "point", "empty"}:
                continue
        for x, y in zip(a, b):
            where = f"{name} p = {x['p']:g}"
            if x["status"] != y["status"]:
                out.append(f"{where} status: {x['status']}, {y['status']}")
                continue
            rest = y["rest"]
            if rest and factors.get("back"):
                rest = [None if v is None else -v for v in reversed(rest)]
            scale = max([abs(v) for v in x["rest"] or [] if v is not None] + [0.0])
            for label, u, v, power, size in [("d1_max", x["d1_max"], y["d1_max"], 1, 0.0),
                                             ("area", x["area"], y["area"], 2, 0.0)] + [
                    (f"rest {i}", (x["rest"] or [None] * 2)[i], (rest or [None] * 2)[i], 1, scale)
                    for i in range(2)]:
                v = None if v is None else v / d**power
                if not near(u, v, size, tolerance):
                    out.append(f"{where} {label}: {u!r}, {v!r}")
    return out


def compare_checks(before, after):
    names = ("mobility", "rank", "redundant_constraints", "drive_redundancy", "gruebler")
    return [f"check {n}: {before.get(n)}, {after.get(n)}" for n in names if before.get(n) != after.get(n)]


def compare_reactions(before, after, factors, tolerance):
    """Verdicts of all joints; values where their sense has not changed."""
    if "error" in before or "error" in after or not before.get("poses"):
        return []
    out, k = [], factors.get("length", 1.0)
    a, b = before["poses"][0], after["poses"][0]
    loads = [abs(c.get("value") or 0.0) for j in a["joints"].values() for c in j["components"].values()]
    scale = max(loads + [1e-6])
    for name, joint in a["joints"].items():
        other = b["joints"][name]
        if joint["verdict"] != other["verdict"]:
            out.append(f"{name}: {joint['verdict']}, {other['verdict']}")
        if "turned" in factors:
            continue
        for c, said in joint["components"].items():
            then = other["components"][c]
            power = 2 if c.startswith("m") else 1
            if c[0] not in "fm":
                continue
            if said["verdict"] != then["verdict"]:
                out.append(f"{name}.{c}: {said['verdict']}, {then['verdict']}")
            elif not near(said.get("value"), None if then.get("value") is None else then["value"] / k**power,
                          scale, tolerance):
                out.append(f"{name}.{c}: {said.get('value')!r}, {then.get('value')!r}")
    return out


ALWAYS = [permuted, exchanged, stretched, reversed_path, refined]
NUMBERS = [scaled, other_frames]


def design_options(doc, rng):
    out = []
    for name, entry in doc.get("design", {}).items():
        if "repeat" in entry or "choices" in entry or "like" in entry or "machine" not in doc:
            continue
        out += ["--set", f"{name}=({entry['min']})+{rng.uniform(0.3, 0.7):.6f}*(({entry['max']})-({entry['min']}))"]
    return out


def examine(runner, name, text, where, rng, options, changes, machine_only=False, most=None, commands_each=None):
    doc = yaml.load(text, Text) if not machine_only else yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if "machine" not in doc or "include" in doc or "bodies" not in doc["machine"]:
        return []
    doc.pop("expect", None)
    doc.pop("optimize", None)
    drop_searched_motions(doc)
    thin_out(doc)
    out, known, applied = [], {}, 0
    name = name.split("/cases/")[-1]

    def ask(document, command, *extra):
        return runner.ask(dump(document), where, command, *options, *extra)
    quiet = ("--no-pictures", "-q", "-o", "out")
    for change in changes if most is None else random.Random(name).sample(changes, len(changes)):
        if applied == most:
            break
        needs_path = change in (stretched, reversed_path, refined)
        if needs_path and not doc.get("trajectories"):
            continue
        answer = change(copy.deepcopy(doc), rng)
        if not answer:
            continue
        other, factors = answer
        applied += 1
        commands = [("regions", quiet)] if doc.get("trajectories") and "drives" in doc["machine"] else []
        if not needs_path:
            commands += [("check", ()), ("reactions", ("--pose",) + quiet)]
        if commands_each is not None:
            commands = random.Random(name + change.__name__).sample(commands, min(commands_each, len(commands)))
        for command, extra in commands:
            if command not in known:
                known[command] = ask(doc, command, *extra)
            before, after = known[command], ask(other, command, *extra)
            runner.applied[change.__name__] += 1
            way = "knife_edge" in text or "rolling" in text or machine_only
            tolerance = 1e-6 if way else TOLERANCE
            found = {"regions": lambda: compare_regions(before, after, factors, tolerance),
                     "check": lambda: compare_checks(before, after),
                     "reactions": lambda: compare_reactions(before, after, factors, tolerance)}[command]()
            if found:
                out.append(f"{name} {' '.join(options)}: {change.__name__}, {command}: " + "; ".join(found[:3]))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="random designs per case")
    parser.add_argument("--machines", type=int, default=60, help="random machines")
    parser.add_argument("--changes", type=int, help="of each case and machine (default: all)")
    parser.add_argument("--commands", type=int, help="that judge each change (default: all)")
    parser.add_argument("--program", default=os.environ.get("GLOBDYN", "build/globdyn"))
    options = parser.parse_args()
    cases = options.cases or sorted(glob.glob(os.path.join(HERE, "../../cases/*/case.yaml")))
    print(f"seed {options.seed}, {len(cases)} cases, {options.machines} machines", flush=True)
    failures = []
    with tempfile.TemporaryDirectory(prefix="globdyn-invariance.") as folder:
        runner = Runner(os.path.abspath(options.program), folder)
        for path in cases:
            rng = random.Random(f"{options.seed} {os.path.basename(os.path.dirname(path))}")
            with open(path) as file:
                text = file.read()
            for i in range(options.rounds):
                chosen = design_options(yaml.load(text, Text), rng)
                failures += examine(runner, path, text, folder if "file:" not in text else
                                    os.path.dirname(path), rng, chosen, ALWAYS, most=options.changes, commands_each=options.commands)
        for seed in range(options.seed, options.seed + options.machines):
            text, _ = generator.draw(seed)
            failures += examine(runner, f"machine {seed}", text, folder, random.Random(seed), [],
                                ALWAYS + NUMBERS, machine_only=True, most=options.changes, commands_each=options.commands)
        print(", ".join(f"{count} {name}" for name, count in runner.applied.items()))
        print(f"{runner.count} runs, {len(runner.refused)} refused, {len(failures)} differences")
        for text in sorted(set(runner.refused)):
            print("   refused:", text)
    for line in failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
