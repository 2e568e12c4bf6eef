"""globdyn from Python: cases, regions, fastest motions, designs. Needs NumPy and the shared library libglobdyn.

    import globdyn
    case = globdyn.Case("cases/four_slider_star/case.yaml", leg="620 mm")
    circle = case.regions()["trajectories"]["circle"]
    designs = case.evaluate([[0.62, 0.5, 0.06, 800.0]])

The library is found in the folder that GLOBDYN_LIBRARY names, beside this package, or where the system looks.
"""
import contextlib
import ctypes
import ctypes.util
import json
import operator
import os
import threading
import time
import weakref
from pathlib import Path

import numpy as np

__all__ = ["Case", "Designs", "Error", "Problem", "library"]


class Error(Exception):
    """What the library says of a case or a call, with place and suggestion."""


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
    lib = ctypes.CDLL(_find())
    text, number, handle = ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
    array = ctypes.POINTER(ctypes.c_double)
    for name, result, *arguments in [
            ("open", handle, text, number), ("close", None, handle), ("message", text, handle),
            ("set", number, handle, text), ("document", text, handle, text, text),
            ("count", number, handle, text), ("name", text, handle, text, number),
            ("unit", text, handle, text, number), ("bounds", number, handle, *[array] * 4),
            ("goals", number, handle, *[array] * 3),
            ("evaluate", number, handle, number, array, number, number, *[array] * 6),
            ("reason", text, handle, number), ("status", text, number)]:
        function = getattr(lib, "gdyn_embed_" + name)
        function.restype = result
        function.argtypes = arguments
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
    """A case file, or the text of one. Keyword arguments and set() state parameters: numbers in SI, or texts with
    a unit such as "620 mm". Errors raise globdyn.Error; warnings are in `warnings`.

    Threads may share a case: its calls wait for each other. A copy (copy, deepcopy, pickle, a worker process) opens
    the file or text again, with the same parameters."""

    _handle = None

    def __init__(self, source, text=False, **parameters):
        self._lock, self._is_text, self._settings = threading.RLock(), bool(text), {}
        if text:
            self._source = _bytes(source, "a case")
        else:
            self._source = _bytes(os.fsencode(source), "a file's name")
        self._open()
        if not text and not os.path.isabs(self._source):  # for copies: the working folder may change
            self._source = os.path.join(os.getcwdb(), self._source)
        self.set(**parameters)

    def _open(self):
        self._handle = library.gdyn_embed_open(self._source, int(self._is_text))
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
            raise Error(self._message().strip() or self.warnings.strip())

    def set(self, **parameters):
        """Sets parameters, for all that is asked for later. Returns the case."""
        for name, value in parameters.items():
            text = value if isinstance(value, str) else repr(float(value))
            setting = _bytes(f"{name}={text}", "a setting")
            with self._hold() as handle:
                self._check(library.gdyn_embed_set(handle, setting))
                self._settings[name] = setting
        return self

    # --- documents

    def _document(self, what, trajectory=None):
        name = None if trajectory is None else _bytes(trajectory, "a trajectory's name")
        with self._hold() as handle:
            text = library.gdyn_embed_document(handle, what, name)
            self._check(text is not None)
        return json.loads(text)

    def check(self):
        """What `globdyn check --json` prints: mobility, redundant constraints, whether paths are followed."""
        return self._document(b"check")

    def regions(self, trajectory=None):
        """What `globdyn regions --json` prints: accessible d1, d2 at every point, criteria."""
        return self._document(b"regions", trajectory)

    def traverse(self, trajectory=None):
        """What `globdyn traverse --json` prints: the fastest motion with its bounds."""
        return self._document(b"traverse", trajectory)

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
    def variables(self):
        return self._names(b"variables")

    @property
    def objectives(self):
        return self._names(b"objectives")

    @property
    def constraints(self):
        return self._names(b"constraints")

    @property
    def responses(self):
        return self._names(b"responses")

    @property
    def units(self):
        """Units of all names, "" for numbers."""
        return dict(pair for what in (b"responses", b"constraints", b"objectives", b"variables")
                    for pair in self._list(what))

    @property
    def bounds(self):
        """Arrays min, max, start, whole (of the variables; whole: integers and choices)."""
        arrays = [np.empty(len(self.variables)) for _ in range(4)]
        with self._hold() as handle:
            self._check(library.gdyn_embed_bounds(handle, *map(_doubles, arrays)))
        return arrays[0], arrays[1], arrays[2], arrays[3] > 0

    @property
    def goals(self):
        """Arrays sense (1: maximized, -1: minimized), relation (1: >=, -1: <=, 0: =) and right."""
        k, m = len(self.objectives), len(self.constraints)
        arrays = [np.empty(k), np.empty(m), np.empty(m)]
        with self._hold() as handle:
            self._check(library.gdyn_embed_goals(handle, *map(_doubles, arrays)))
        return tuple(arrays)

    # --- designs

    CALL = 0.25  # seconds, about, of one call to the library: between two Python answers Ctrl-C

    def evaluate(self, x, threads=0, all=True):
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

    def problem(self, **options):
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
