"""globdyn from Python: cases, regions, fastest motions, designs. Needs NumPy and the shared library libglobdyn.

    import globdyn
    case = globdyn.Case("cases/four_slider_star/case.yaml", leg="620 mm")
    motion = case.traverse("circle").motions["circle"]
    motion.t, motion.q, motion.tau

Values are SI and radians. The library is found in the folder that GLOBDYN_LIBRARY names, beside this package, or
where the system looks.
"""
from __future__ import annotations

import contextlib
import copy
import csv
import ctypes
import ctypes.util
import io
import json
import operator
import os
import queue
import tempfile
import threading
import time
import weakref
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

__all__ = ["Case", "Design", "Designs", "Document", "Error", "Motion", "Problem", "Table", "library", "outline"]


class Error(Exception):
    """What the library says of a case or a call. Its text is that of the program. Of the first error:
    code ("GD063"), message, help (a suggestion or None), file, line, column (None, 0: no file). All: errors, a list of
    dicts with these keys."""

    def __init__(self, text: str, errors: Sequence[Mapping[str, Any]] = ()):
        super().__init__(text)
        self.errors = [dict(error) for error in errors]
        first = self.errors[0] if self.errors else {}
        self.code, self.message = first.get("code"), first.get("message", text)
        self.help, self.file = first.get("help"), first.get("file")
        self.line, self.column = first.get("line", 0), first.get("column", 0)

    def __reduce__(self):
        return Error, (self.args[0], self.errors)


# --- the library -----------------------------------------------------------------------------------

def _find():
    named = os.environ.get("GLOBDYN_LIBRARY")
    here = Path(__file__).resolve().parent
    places = [Path(named)] if named else []
    places += [here, *(parent / "lib" for parent in here.parents)]
    for place in places:
        if place.is_file():
            return str(place)
        for path in sorted(place.glob("libglobdyn.so*")) if place.is_dir() else []:
            return str(path)
    found = ctypes.util.find_library("globdyn")
    if not found:
        raise ImportError("libglobdyn is not found: install it, or make it (scripts/build all) and set GLOBDYN_LIBRARY to its folder")
    return found


def _load():
    try:
        lib = ctypes.CDLL(_find())
    except OSError as error:
        raise ImportError(f"{error}: globdyn needs Debian's packages liblapacke, libopenblas0, libnlopt0, libgsl27, "
                          "libyaml-0-2, libjansson4, libglpk40, libsqlite3-0, libexpat1") from error
    text, number, handle = ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
    array = ctypes.POINTER(ctypes.c_double)
    visit = ctypes.CFUNCTYPE(number, handle, number, text)
    for name, result, *arguments in [
            ("open", handle, text, number), ("close", None, handle), ("message", text, handle),
            ("errors", text, handle), ("set", number, handle, text), ("run", text, handle, text, text),
            ("file", text, handle, text), ("file_name", text, handle, number), ("interrupt", None, handle),
            ("search", number, handle, number, ctypes.c_double, number, ctypes.POINTER(array), visit, handle),
            ("count", number, handle, text), ("name", text, handle, text, number),
            ("unit", text, handle, text, number), ("bounds", number, handle, *[array] * 4),
            ("goals", number, handle, *[array] * 3),
            ("evaluate", number, handle, number, array, number, number, *[array] * 6),
            ("reason", text, handle, number), ("status", text, number)]:
        function = getattr(lib, "gdyn_embed_" + name)
        function.restype = result
        function.argtypes = arguments
    lib.visit = visit
    return lib


library = _load()


def _doubles(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def _bytes(text, what):
    """A text for the library, where it would end at the first NUL."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{what} is a text, not {type(text).__name__}")
    data = text if isinstance(text, bytes) else text.encode()
    if b"\0" in data:
        raise ValueError(f"{what} holds a NUL")
    return data


def _statuses():
    names = []
    while (name := library.gdyn_embed_status(len(names))) is not None:
        names.append(name.decode())
    return names


STATUSES = _statuses()


# --- results ---------------------------------------------------------------------------------------

class Table(dict):
    """A table of the program: columns by their names, arrays of doubles (n,) with NaN where nothing stands, or lists of
    texts. units: of the columns that have one, {"t": "s"}."""

    def __init__(self, text: str = ""):
        super().__init__()
        self.units = {}
        rows = csv.reader(io.StringIO(text))
        heads = next(rows, [])
        for head, column in zip(heads, zip(*rows) if heads else ()):
            name, _, unit = head.partition(" [")
            if unit:
                self.units[name] = unit.rstrip("]")
            try:
                self[name] = np.array([float(cell) if cell else np.nan for cell in column])
            except ValueError:
                self[name] = list(column)

    def of(self, trajectory: str) -> Table:
        """The rows of one trajectory."""
        own, rows = Table(), [i for i, name in enumerate(self["trajectory"]) if name == trajectory]
        own.units = self.units
        own.update((name, column[rows] if isinstance(column, np.ndarray) else [column[i] for i in rows])
                   for name, column in self.items())
        return own


class Motion:
    """A motion at equal time steps, n rows: t [s], p, d1, d2 (n,); q, qd, qdd (n, joints) [rad or m, per s, per s^2];
    tau (n, drives) [N m or N]. joints, drives: names of the columns; table: everything that the program writes."""

    def __init__(self, table: Table):
        self.table = table
        self.joints = [name[:-13] for name in table if name.endswith(".acceleration") and table.units.get(
            name, "").endswith("/s^2") and name[:-13] + ".position" in table]
        self.drives = [name.rpartition(".")[0] for name in table
                       if name.endswith(".force")]
        self.units = table.units

    def _columns(self, names: Sequence[str], kind: str) -> np.ndarray:
        return np.array([self.table[f"{name}.{kind}"] for name in names]).reshape(len(names), len(self)).T

    def __len__(self):
        return len(self.t)

    t = property(lambda self: self.table["t"])
    p = property(lambda self: self.table["p"])
    d1 = property(lambda self: self.table["d1"])
    d2 = property(lambda self: self.table["d2"])
    q = property(lambda self: self._columns(self.joints, "position"))
    qd = property(lambda self: self._columns(self.joints, "speed"))
    qdd = property(lambda self: self._columns(self.joints, "acceleration"))
    tau = property(lambda self: self._columns(self.drives, "force"))


class Document(dict):
    """What the program prints with --json; files: the texts that it would write beside it, by name. warnings: text."""

    def __init__(self, text: bytes, files: Mapping[str, bytes], warnings: str = ""):
        super().__init__(json.loads(text))
        self.files, self.warnings = dict(files), warnings

    def table(self, name: str) -> Table:
        """A CSV file as arrays: "traverse", "motion", "poses", "audit", "feasible", "regions", "reactions", ..."""
        try:
            return Table(self.files[name + ".csv"].decode(errors="backslashreplace"))
        except KeyError:
            raise Error(f"there is no table '{name}': {', '.join(sorted(self.files))}") from None

    @cached_property
    def motions(self) -> dict[str, Motion]:
        """Of traverse and feasible: the motion of each trajectory that has one."""
        table = self.table("motion")
        return {name: Motion(table.of(name)) for name in dict.fromkeys(table.get("trajectory", ()))}

    @cached_property
    def columns(self) -> Table:
        """Of simulate: the recorded quantities (n,), "t", "rod.x", ... Of workspace: a row for each node."""
        return self.table("simulate" if "simulate.csv" in self.files else "workspace")

    @cached_property
    def components(self) -> dict[str, np.ndarray]:
        """Of reactions: the values of "JOINT.COMPONENT" at the points (n,), NaN where they are not unique; "p" (n,)."""
        table = self.table("reactions")
        names = [f"{j}.{c}" for j, c in zip(table["joint"], table["component"])]
        found = {"p": table["p"][np.array(names) == names[0]]} if names else {}
        found.update((name, table["value"][np.array(names) == name]) for name in dict.fromkeys(names))
        return found

    def outlines(self, trajectory: str, tolerance: float = 1e-3) -> list[np.ndarray]:
        """Of regions: the outline of the accessible region at each point, see outline()."""
        return [outline(point, tolerance) for point in self["trajectories"][trajectory]["points"]]


def _arc(arc: Mapping[str, Any], tolerance: float) -> np.ndarray:
    """Points (n, 2) of d2 = a d1^2 + b d1 + c + e/d1."""
    a, b, c, e = arc["a"], arc["b"], arc["c"], arc.get("e") or 0.0
    low, high = arc["d1"]
    high = 2 * low + 1 if high is None else high  # without end
    # A chord misses a parabola by a quarter of what the parabola's half of it rises.
    n = 2 if a == e == 0 else 1 + int(np.ceil(0.5 / np.sqrt(tolerance)))
    d1 = np.linspace(low, high, n) if e == 0 or low <= 0 else np.geomspace(low, high, 2 * n)
    d1[0], d1[-1] = low, high
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([d1, a * d1**2 + b * d1 + c + np.where(e == 0, 0.0, e / d1)])


def outline(point: Mapping[str, Any], tolerance: float = 1e-3) -> np.ndarray:
    """The region of one point of a document of regions as a closed polygon (n, 2) of (d1, d2): along the lower arcs and
    back along the upper ones, which are sampled: between vertices d2 is off by at most `tolerance` a d1^2 of the arc. A
    row of NaN stands between separate parts of a region. Empty (0, 2) where there is none. Where d1 is unbounded, the
    polygon is cut; a side that is unbounded is left out."""
    parts = []
    for low, high in point.get("d1") or ():
        sides = [[_arc(arc, tolerance) for arc in point.get(side) or ()
                  if arc["d1"][0] >= low and (high is None or arc["d1"][0] < high or low == high)]
                 for side in ("lower", "upper")]
        lower, upper = (np.vstack(side) if side else np.empty((0, 2)) for side in sides)
        parts += [np.full((1, 2), np.nan), np.vstack([lower, upper[::-1]])]
    return np.vstack(parts[1:]) if parts else np.empty((0, 2))


# --- cases -----------------------------------------------------------------------------------------

_cases = weakref.WeakValueDictionary()  # by id


def _after_fork():
    """In the forked process: a case that another thread was working with is opened again when it is next used."""
    for case in list(_cases.values()):
        if not case._lock.acquire(blocking=False):
            case._handle = None
        case._lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def _designs(x, names):
    """x as rows of doubles."""
    if np.iscomplexobj(x):
        raise TypeError("designs are real numbers")
    if np.ma.is_masked(np.ma.array(x, copy=False)):
        raise ValueError("designs have no masked values")
    x = np.ascontiguousarray(np.atleast_2d(np.asarray(x, dtype=float)))
    if x.ndim != 2 or x.shape[1] != len(names):
        raise ValueError(f"a design has {len(names)} values: {', '.join(names)}")
    return x


def _steps(step):
    return {"steps": 500} if step is None else {"step": step}


@contextlib.contextmanager
def _text_file(suffix, text):
    """The name of a file with that text."""
    with tempfile.TemporaryDirectory(prefix="globdyn") as folder:
        path = Path(folder) / ("table" + suffix)
        path.write_text(text)
        yield str(path)


def _csv(columns):
    """Columns as a table."""
    for name in columns:
        _bytes(name, "a column")
        if "," in name or "\n" in name or '"' in name:
            raise ValueError(f"{name!r} is no name of a column")
    own = [[str(x) for x in column] if len(column) and isinstance(column[0], str) else
           [repr(x) for x in np.asarray(column, dtype=float).tolist()] for column in columns.values()]
    if len({len(column) for column in own}) != 1:
        raise ValueError("columns of equal length are needed")
    return "\n".join([",".join(columns), *map(",".join, zip(*own))]) + "\n"


@contextlib.contextmanager
def _motion_file(motion):
    """The name of a file of the motion, or None."""
    if not isinstance(motion, Mapping):
        yield motion
        return
    with _text_file(".csv", _csv(motion)) as path:
        yield path


class Design:
    """A design of a search: number, x (variables,), objectives, constraints (left sides), responses, arrays with NaN where
    there is no value; status ("ok", "infeasible", ...), violation, failure, reason (a text); values: all by name."""

    def __init__(self, number, names, x, objectives, constraints, responses, status, violation, failure, reason):
        self.number, self.x, self.objectives, self.constraints = number, x, objectives, constraints
        self.responses, self.status, self.violation, self.failure = responses, status, violation, failure
        self.reason, self._names = reason, names

    @property
    def feasible(self) -> bool:
        return self.status == "ok"

    @property
    def values(self) -> dict[str, float]:
        parts = self.responses, self.constraints, self.objectives, self.x
        return {name: value for own, part in zip(self._names[::-1], parts)
                for name, value in zip(own, part.tolist())}

    def __repr__(self):
        return f"Design({self.number}, {self.status}, {dict(zip(self._names[1], self.objectives.tolist()))})"


class Designs:
    """Evaluated designs, a row each: x, objectives, constraints (left sides), responses, violation, failure
    as arrays, NaN where there is no value; status and reason as lists of texts."""

    def __init__(self, **arrays):
        self.__dict__.update(arrays)

    def __len__(self):
        return len(self.x)

    @property
    def feasible(self):
        return np.array([status == "ok" for status in self.status])

    def response(self, name):
        """The column of a response: "mass", "circle.area"."""
        try:
            return self.responses[:, self.response_names.index(name)]
        except ValueError:
            raise Error(f"there is no response '{name}'") from None


class Case:
    """A case file, or the text of one. Keyword arguments and set() give parameters: numbers in SI, or texts with
    a unit such as "620 mm". Errors raise globdyn.Error; warnings are in `warnings`.

    Threads may share a case: its calls wait for each other. A copy (copy, deepcopy, pickle, a worker process) opens
    the file or text again, with the same parameters."""

    _handle = None

    def __init__(self, source: str | bytes | os.PathLike, text: bool = False, **parameters: float | str):
        self._lock, self._is_text, self._settings, self._added = threading.RLock(), bool(text), {}, {}
        if text:
            self._source = _bytes(source, "a case")
        else:
            self._source = _bytes(os.fsencode(source), "a file's name")
        self._open()
        if not text and not os.path.isabs(self._source):  # for copies: the working folder may change
            self._source = os.path.join(os.getcwdb(), self._source)
        self.set(**parameters)

    def _open(self):
        source, is_text = self._source, self._is_text
        with contextlib.ExitStack() as stack:
            if self._added:  # a case that includes the other one
                base = os.fsdecode(source)
                if is_text:
                    base = stack.enter_context(_text_file(".yaml", source.decode(errors="surrogateescape")))
                source = json.dumps({"format": 1, "include": [base], "trajectories": self._added}).encode()
                is_text = True
            self._handle = library.gdyn_embed_open(source, int(is_text))
        if not self._handle:
            raise MemoryError
        self._lists = {}
        self.warnings = self._message()
        self._check(library.gdyn_embed_count(self._handle, b"variables") >= 0)
        for setting in self._settings.values():
            self._check(library.gdyn_embed_set(self._handle, setting))
        _cases[id(self)] = self

    @contextlib.contextmanager
    def _hold(self):
        """The handle, for this thread alone."""
        with self._lock:
            if not self._handle:
                self._open()
            yield self._handle

    def __getstate__(self):
        with self._lock:
            state = dict(self.__dict__, _settings=dict(self._settings))
        for name in ("_handle", "_lock", "_lists", "warnings"):
            state.pop(name, None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state, _lock=threading.RLock())
        self._open()

    def __del__(self):
        if self._handle:
            library.gdyn_embed_close(self._handle)

    def _message(self):
        return library.gdyn_embed_message(self._handle).decode(errors="backslashreplace")

    def _check(self, good):
        if not good:
            lines = library.gdyn_embed_errors(self._handle).decode(errors="replace").splitlines()
            raise Error(self._message().strip() or self.warnings.strip(),
                        [error for line in lines if line for error in json.loads(line)["errors"]])

    def set(self, **parameters: float | str) -> Case:
        """Sets parameters, for all that is asked for later. Returns the case."""
        for name, value in parameters.items():
            text = value if isinstance(value, str) else repr(float(value))
            self._set(_bytes(f"{name}={text}", "a setting"))
        return self

    def _set(self, setting):
        with self._hold() as handle:
            self._check(library.gdyn_embed_set(handle, setting))
            self._settings[setting.partition(b"=")[0]] = setting

    # --- commands

    def run(self, command: str, *options: str) -> Document:
        """The document of a command of the program with its options, as on the command line: run("traverse",
        "--trajectory=circle", "--step=4 ms"). command: check, modes, workspace, regions, reactions, traverse, feasible,
        simulate. Nothing is printed or written. Ctrl-C raises KeyboardInterrupt at once; the case stays usable."""
        name, line = _bytes(command, "a command"), _bytes("\n".join(map(os.fspath, options)), "an option")
        return self._interruptible(lambda handle: self._run(handle, name, line))

    def _run(self, handle, command, line):
        text = library.gdyn_embed_run(handle, command, line)
        self._check(text is not None)
        files, i = {}, 0
        while (name := library.gdyn_embed_file_name(handle, i)) is not None:
            files[name.decode(errors="backslashreplace")] = library.gdyn_embed_file(handle, name)
            i += 1
        files.pop("", None)
        return Document(text, files, self._message())

    def _interruptible(self, work):
        """work(handle). On the main thread another one does it, so that Ctrl-C is answered: the handle is left to it."""
        if threading.current_thread() is not threading.main_thread():
            with self._hold() as handle:
                return work(handle)
        result, failure, done = [], [], threading.Event()

        def call():
            try:
                with self._hold() as handle:
                    result.append(work(handle))
            except BaseException as error:
                failure.append(error)
            done.set()

        threading.Thread(target=call, daemon=True).start()
        try:
            while not done.wait(3600):
                pass
        except BaseException:
            if self._handle:
                library.gdyn_embed_interrupt(self._handle)
            done.wait(1)
            raise
        if failure:
            raise failure[0]
        return result[0]

    def _options(self, given):
        """--name=value of what is given: True is a flag, None and False are left out, numbers are SI."""
        options = []
        for name, value in given.items():
            if value is None or value is False:
                continue
            if isinstance(value, (int, float, np.number)) and value is not True:
                value = repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))
            elif value is not True and not isinstance(value, (str, bytes, os.PathLike)):
                raise TypeError(f"{name} is a text or a number, not {type(value).__name__}")
            word = "--" + name.rstrip("_").replace("_", "-")
            options.append(word if value is True else f"{word}={os.fsdecode(value)}")
        return options

    def check(self) -> Document:
        """What `globdyn check --json` prints: mobility, redundant constraints, whether paths are followed."""
        return self.run("check")

    def regions(self, trajectory: str | None = None, **options) -> Document:
        """What `globdyn regions --json` prints: accessible d1, d2 at every point, criteria. outlines(NAME): polygons."""
        return self.run("regions", *self._options({"trajectory": trajectory, **options}))

    def traverse(self, trajectory: str | None = None, step: float | str | None = None, **options) -> Document:
        """The fastest motions: what `globdyn traverse --json` prints; motions[NAME]: arrays over time, see Motion.
        step: between rows [s]; default a 500th of each motion. Further options as of the program: start_speed, end_speed,
        periodic, no_rates, tolerance, distribution, preload, smooth, threads."""
        return self.run("traverse", *self._options({"trajectory": trajectory, **_steps(step), **options}))

    def feasible(self, trajectory: str | None = None, motion=None, step: float | str | None = None,
                 **options) -> Document:
        """Whether motions keep all limits: what `globdyn feasible --json` prints; motions[NAME] as of traverse.
        motion: of the trajectory, a CSV file, or its columns as arrays (n,): {"t": ..., "p": ...} or {"p": ..., "d1": ...,
        "d2": ...}; None: trajectories whose p is a time run as p = t. Further options: tolerance, distribution, preload,
        smooth."""
        with _motion_file(motion) as file:
            return self.run("feasible", *self._options(
                {"trajectory": trajectory, "motion": file, **_steps(step), **options}))

    def reactions(self, trajectory: str | None = None, motion=None, **options) -> Document:
        """Joint reactions: what `globdyn reactions --json` prints, at the first guess or along a trajectory, at rest or in
        a motion (as of feasible). components: arrays. Further options: pose, time, start, method, convention."""
        with _motion_file(motion) as file:
            return self.run("reactions", *self._options({"trajectory": trajectory, "motion": file, **options}))

    def workspace(self, threads: int | None = None) -> Document:
        """What `globdyn workspace --json` prints; columns: an array per column, a row for each node."""
        return self.run("workspace", *self._options({"threads": threads}))

    def simulate(self, duration: float | str | None = None, motion=None, **options) -> Document:
        """Forward dynamics: what `globdyn simulate --json` prints; columns: arrays (n,) over "t". duration [s], and a motion
        to be played (as of feasible), in place of those of the case. Further options: trajectory, every, step, tolerance,
        method, integrator, stabilization, closing, record, axes."""
        with _motion_file(motion) as file:
            return self.run("simulate", *self._options({"duration": duration, "motion": file, **options}))

    # --- trajectories from arrays

    def with_table(self, name: str, columns: Mapping[str, Any], **keys: Any) -> Case:
        """A copy of the case with a trajectory `name` from a table: columns are arrays (n,) by their heads: "t" [s] or "p",
        joints (or "joint.freedom") [rad or m], or "x", "y", ... [m] of a tool with of="body.P". keys: further keys of the
        trajectory, blend=0.05. A trajectory of that name is replaced."""
        other = copy.copy(self)
        other._added = {**self._added, name: {"kind": "file", "data": _csv(columns), **keys}}
        other._handle = None
        with other._hold():
            return other

    def with_joints(self, name: str, q: Any, t: Any = None, joints: Sequence[str] | None = None, **keys: Any) -> Case:
        """A copy of the case with a trajectory through joint positions q (n, joints) [rad or m] at the times t (n,) [s];
        without t: waypoints, joined by a spline, whose motion is free. joints: names of the columns; default: the driven
        joints, in the order of the drives."""
        q = np.asarray(q, dtype=float)
        if q.ndim != 2:
            raise ValueError("q has a row for each point and a column for each joint")
        names = [f"q{i + 1}" for i in range(q.shape[1])] if joints is None else list(joints)
        if len(names) != q.shape[1]:
            raise ValueError(f"q has {q.shape[1]} columns, and there are {len(names)} names")
        return self.with_table(name, {**({} if t is None else {"t": t}), **dict(zip(names, q.T))}, **keys)

    # --- names and bounds

    def _list(self, what):
        with self._hold() as handle:
            if what not in self._lists:
                count = library.gdyn_embed_count(handle, what)
                self._check(count >= 0)
                self._lists[what] = [(library.gdyn_embed_name(handle, what, i).decode(),
                                      library.gdyn_embed_unit(handle, what, i).decode())
                                     for i in range(count)]
            return self._lists[what]

    def _names(self, what):
        return [name for name, _ in self._list(what)]

    @property
    def variables(self) -> list[str]:
        return self._names(b"variables")

    @property
    def objectives(self) -> list[str]:
        return self._names(b"objectives")

    @property
    def constraints(self) -> list[str]:
        return self._names(b"constraints")

    @property
    def responses(self) -> list[str]:
        return self._names(b"responses")

    @property
    def units(self) -> dict[str, str]:
        """Units of all names, "" for numbers."""
        return dict(pair for what in (b"responses", b"constraints", b"objectives", b"variables")
                    for pair in self._list(what))

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Arrays min, max, start, whole (of the variables; whole: integers and choices)."""
        arrays = [np.empty(len(self.variables)) for _ in range(4)]
        with self._hold() as handle:
            self._check(library.gdyn_embed_bounds(handle, *map(_doubles, arrays)))
        return arrays[0], arrays[1], arrays[2], arrays[3] > 0

    @property
    def goals(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Arrays sense (1: maximized, -1: minimized), relation (1: >=, -1: <=, 0: =) and right."""
        k, m = len(self.objectives), len(self.constraints)
        arrays = [np.empty(k), np.empty(m), np.empty(m)]
        with self._hold() as handle:
            self._check(library.gdyn_embed_goals(handle, *map(_doubles, arrays)))
        return tuple(arrays)

    # --- designs

    CALL = 0.25  # seconds, about, of one call to the library: between two Python answers Ctrl-C

    def evaluate(self, x: Any, threads: int = 0, all: bool = True) -> Designs:
        """Evaluates designs, rows of x in the order of `variables` (SI), on `threads` processors (0: all).
        all=False leaves out responses that no formula needs. A design that fails is a result with its reason."""
        threads = operator.index(threads)
        if not 0 <= threads < 2**31:
            raise ValueError(f"{threads} threads")
        x = _designs(x, self.variables)
        n = len(x)
        widths = (len(self.objectives), len(self.constraints), len(self.responses))
        tables = [np.empty((n, width)) for width in widths]
        rows = [np.empty(n) for _ in range(3)]
        reasons, size = [], threads or os.cpu_count() or 1
        with self._hold() as handle:
            while len(reasons) < n:
                batch = slice(len(reasons), min(len(reasons) + size, n))
                count, begun = batch.stop - batch.start, time.monotonic()
                self._check(library.gdyn_embed_evaluate(
                    handle, count, _doubles(x[batch]), threads, int(bool(all)),
                    *[_doubles(array[batch]) for array in tables + rows]))
                reasons += [library.gdyn_embed_reason(handle, i).decode(errors="backslashreplace")
                            for i in range(count)]
                speed = count / max(time.monotonic() - begun, 1e-6)
                size = max(threads or 1, min(4 * size, int(speed * self.CALL)))
        return Designs(
            x=x, objectives=tables[0], constraints=tables[1], responses=tables[2],
            response_names=self.responses, status=[STATUSES[int(s)] for s in rows[0]],
            violation=rows[1], failure=rows[2], reason=reasons)

    def optimize(self, evaluations: int | None = None, seed: int | None = None, threads: int = 0) -> Iterator[Design]:
        """Searches the design variables as the case says: yields every Design as soon as it is evaluated, while the search
        goes on. Closing the generator, or leaving its loop, ends the search. evaluations: at most; seed: of the random
        numbers. The designs are those of `globdyn optimize`."""
        searched = copy.copy(self)  # this case stays free for other calls
        names = searched.variables, searched.objectives, searched.constraints, searched.responses
        arrays = [np.full(len(own), np.nan) for own in names] + [np.full(1, np.nan) for _ in range(3)]
        found, ended, failure = queue.Queue(64), threading.Event(), []

        def visit(_, number, reason):
            design = Design(number, names, *[array.copy() for array in arrays[:4]], STATUSES[int(arrays[4][0])],
                            *[float(array[0]) for array in arrays[5:]], reason.decode(errors="backslashreplace"))
            while not ended.is_set():
                with contextlib.suppress(queue.Full):
                    found.put(design, timeout=0.1)
                    return 1
            return 0

        for name, value, least in (("evaluations", evaluations, 1), ("seed", seed, 0), ("threads", threads, 0)):
            if value is not None and operator.index(value) < least:
                raise ValueError(f"{name} is {value}: at least {least}")

        def search():
            try:
                with searched._hold() as handle:
                    pointers = (ctypes.POINTER(ctypes.c_double) * 7)(*map(_doubles, arrays))
                    searched._check(library.gdyn_embed_search(
                        handle, -1 if evaluations is None else operator.index(evaluations),
                        -1.0 if seed is None else float(operator.index(seed)), operator.index(threads),
                        pointers, library.visit(visit), None))
            except BaseException as error:
                failure.append(error)
            while not ended.is_set():
                with contextlib.suppress(queue.Full):
                    found.put(None, timeout=0.1)
                    break

        worker = threading.Thread(target=search, daemon=True)
        worker.start()
        try:
            while (design := found.get()) is not None:
                yield design
        finally:
            ended.set()
            library.gdyn_embed_interrupt(searched._handle)
            worker.join()
        if failure:
            raise failure[0]

    def problem(self, **options) -> Problem:
        """The case as a problem of minimization, see Problem."""
        return Problem(self, **options)


# --- optimizers ------------------------------------------------------------------------------------

class Problem:
    """A case for other optimizers: objectives to be minimized, constraints as g <= 0, one call for many designs.

    evaluate(X) gives F (n x objectives) and G (n x constraints; an equality is |left - right| - its tolerance).
    A design without values gets `penalty` and more, the more the worse it fails, in every column.
    pymoo() wraps it for pymoo; problem(x) with one objective and no constraint serves SciPy and Optuna.
    """

    EQUALITY = 1e-3  # share of the right side within which an equality counts as kept

    def __init__(self, case, threads=0, penalty=1e9):
        self.case, self.threads, self.penalty = case, threads, penalty
        self.lower, self.upper, self.start, self.whole = case.bounds
        self.sense, self.relation, self.right = case.goals
        self.evaluated = 0

    def evaluate(self, X):
        designs = self.case.evaluate(X, threads=self.threads, all=False)
        self.evaluated += len(designs)
        F = -self.sense * designs.objectives
        short = self.relation * (self.right - designs.constraints)
        slack = self.EQUALITY * np.where(self.right == 0, 1, np.abs(self.right))
        G = np.where(self.relation == 0, np.abs(designs.constraints - self.right) - slack, short)
        failed = designs.failure > 0
        F[failed] = self.penalty * (1 + designs.failure[failed, None])
        G[failed] = self.penalty * (1 + designs.failure[failed, None])
        return F, G

    def __call__(self, x):
        F, G = self.evaluate(x)
        if F.shape[1] != 1:
            raise ValueError("the case has several objectives: use evaluate")
        return float(F[0, 0] + self.penalty * max(0.0, G[0].max(initial=0.0)))

    def pymoo(self):
        from pymoo.core.problem import Problem as Base
        problem = self

        class Wrapped(Base):
            def __init__(self):
                super().__init__(n_var=len(problem.lower), n_obj=len(problem.sense),
                                 n_ieq_constr=len(problem.relation), xl=problem.lower,
                                 xu=problem.upper)

            def _evaluate(self, X, out, *args, **kwargs):
                out["F"], out["G"] = problem.evaluate(X)

        return Wrapped()
