"""What all attacks share: the program under limits, the judgement of a run, findings.

An attack is a class with a name, `prepare()` and `one(rng, folder)`. Input i of an attack is a pure function of its
seed and i. `one` returns what happened in a word or two, which are counted, or raises Finding.
"""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

CODES = range(8)  # exit codes of globdyn
SECONDS = 20  # of processor time for one run
IDLE = 60  # seconds in which no process of a run computes, nor waits for a processor or a disk: it hangs
LOOK = 2  # seconds between two looks


class Finding(Exception):
    """Something that the program promises not to do."""


class Run:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds

    def last(self):
        lines = self.err.strip().splitlines()
        return lines[-1] if lines else "(no message)"


class Attack:
    name = ""  # as scripts/attack knows it

    def __init__(self, setting):
        self.setting = setting  # program, source, mpirun, fail_alloc, seed
        self.base = None  # folder that outlives one input
        self.number = 0  # of the input

    def prepare(self):
        """Makes what all inputs share, in self.base."""

    def one(self, rng, folder):
        raise NotImplementedError

    def total(self):
        """Number of inputs when the attack is complete after them; None: without end."""
        return None

    def has(self, command):
        """Whether the program knows it: older builds are attacked, too."""
        return self.run(["help", command], self.base).code == 0

    # --- running ---------------------------------------------------------------------------------

    def environment(self, changes=None):
        env = dict(os.environ, ASAN_OPTIONS="exitcode=99:detect_leaks=0:handle_sigill=1:quarantine_size_mb=8",
                   OPENBLAS_NUM_THREADS="1")
        env.update(changes or {})
        return {name: value for name, value in env.items() if value is not None}

    def start(self, arguments, folder, env=None, limits=(), before=(), **more):
        def prepare_child():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for what, most in limits:
                resource.setrlimit(what, (most, most))

        return subprocess.Popen(
            [*before, self.setting.program, *arguments],
            cwd=folder, env=self.environment(env), preexec_fn=prepare_child,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})

    def run(self, arguments, folder, env=None, limits=(), seconds=SECONDS, before=(), **more):
        """A run to its end; code 'slow' when it was cut off after its processor time, 'hangs' when it stands still."""
        begin = time.monotonic()
        process = self.start(arguments, folder, env, [(resource.RLIMIT_CPU, seconds), *limits], before, **more)
        watch = Watch(process)
        code = None
        while code is None:
            try:
                out, err = process.communicate(timeout=LOOK)
                code = process.returncode
            except subprocess.TimeoutExpired:
                if watch.idle() > IDLE:
                    end_group(process)
                    out, err = process.communicate()
                    code = "hangs"
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            code = "slow"
        text = [part.decode(errors="replace") if part else "" for part in (out, err)]
        return Run(code, *text, time.monotonic() - begin)


class Watch:
    """Whether a run gets on, judged by what its processes do and not by the time that passes: on a loaded machine, or
    at low priority, a run may take as long as it takes."""

    def __init__(self, process):
        self.session = process.pid  # start() makes it the leader of one
        self.used, self.since = 0.0, time.monotonic()

    def idle(self):
        """Seconds since the processes were last seen to compute, or to be able to."""
        used, ready = self.look()
        if ready or used != self.used:
            self.used, self.since = used, time.monotonic()
        return time.monotonic() - self.since

    def look(self):
        """Processor time that living processes and their ended children used; whether a thread runs or could."""
        ticks, ready = 0, False
        for entry in filter(str.isdigit, os.listdir("/proc")):
            fields = self.fields(f"/proc/{entry}/stat")
            if len(fields) < 15 or int(fields[3]) != self.session:
                continue
            ticks += sum(map(int, fields[11:15]))
            try:
                threads = os.listdir(f"/proc/{entry}/task")
            except OSError:
                continue
            ready |= any(self.fields(f"/proc/{entry}/task/{thread}/stat")[:1] in (["R"], ["D"]) for thread in threads)
        return ticks / os.sysconf("SC_CLK_TCK"), ready

    @staticmethod
    def fields(name):
        """What stands behind the name of the program: state, parent, group, session, ..."""
        try:
            with open(name, encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(")")[2].split()
        except OSError:
            return []


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


# --- judging ---------------------------------------------------------------------------------------

# a case may be named nan: "nan: 2 objectives" is no number
NOT_A_NUMBER = re.compile(r"(?<![\w.\"'/-])-?nan(?![\w\"'.:-])", re.IGNORECASE)


def refuse_constant(word):
    raise ValueError(f"{word} is no JSON")


def parse_json(text, what):
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        raise Finding(f"{what} is no JSON: {error}") from None


def judge(run, is_json=False):
    """The outcome in words; Finding for what no input may cause."""
    if run.code == "slow":
        return "cut off"
    if run.code == "hangs":
        raise Finding("hangs without using the processor")
    if run.code not in CODES:
        raise Finding(f"ended with {run.code}: {run.err.strip()[-1500:]}")
    if run.code >= 2 and "error:" not in run.err:
        raise Finding(f"exit code {run.code} without an error message: {run.err!r}")
    if "(null)" in run.err or "(null)" in run.out:
        raise Finding("prints (null)")
    if run.code in (0, 1) and NOT_A_NUMBER.search(run.out):
        raise Finding(f"prints {NOT_A_NUMBER.search(run.out).group()} with exit code {run.code}")
    if is_json and run.out.strip():
        parse_json(run.out, "standard output")
    return f"exit code {run.code}"


def judge_files(folder):
    """Result files are complete: JSON that parses, tables without nan, nothing half written."""
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            if name.endswith((".partial", ".tmp")):
                raise Finding(f"{name} is left behind")
            if name.endswith((".json", ".csv")):
                text = open(full, encoding="utf-8").read()
                if name.endswith(".json"):
                    parse_json(text, name)
                elif re.search(r"(^|,)-?nan(,|$)", text, re.MULTILINE | re.IGNORECASE):
                    raise Finding(f"{name} holds nan")


# --- a search of some milliseconds per design ----------------------------------------------------------


def small_star(source):
    """The star with few points, without the criterion that would end it early."""
    with open(os.path.join(source, "cases/four_slider_star/case.yaml"), encoding="utf-8") as file:
        text = file.read()
    text = text.replace("points: 201", "points: 9").replace("accel >= 50", "accel >= 10")
    return re.sub(r", stall: \{.*\}\}", "}", text)


SEARCH = ["optimize", "star.yaml", "--no-pictures", "--population", "16", "--seed", "3"]
RESULTS = ("front.json", "front.csv", "designs.csv")


def same_results(one, other):
    """Name of the first file that differs; None: all agree to the last byte."""
    for name in RESULTS:
        with open(os.path.join(one, name), "rb") as a, open(os.path.join(other, name), "rb") as b:
            if a.read() != b.read():
                return name
    return None


def write_star(source, folder):
    with open(os.path.join(folder, "star.yaml"), "w", encoding="utf-8") as file:
        file.write(small_star(source))


class SearchAttack(Attack):
    """Searches that are disturbed, continued, and must end like one that nobody disturbed."""

    evaluations = 48

    def prepare(self):
        write_star(self.setting.source, self.base)
        done = self.run([*self.search(), "-o", "whole"], self.base)
        if done.code != 0:
            raise RuntimeError(f"the undisturbed search fails: {done.err}")
        self.duration = done.seconds

    def search(self, *options):
        return [*SEARCH, "--evaluations", str(self.evaluations), *options]

    def fresh(self, folder):
        write_star(self.setting.source, folder)

    def continue_and_compare(self, folder, what, options=()):
        done = self.run(self.search("-o", "study", *options), folder, seconds=120)
        if done.code != 0:
            raise Finding(f"not continued after {what}: exit code {done.code}: {done.err}")
        differs = same_results(os.path.join(self.base, "whole"), os.path.join(folder, "study"))
        if differs:
            raise Finding(f"continued after {what}, {differs} differs")

    def complete_or_absent(self, folder):
        study = os.path.join(folder, "study")
        for name in RESULTS:
            path = os.path.join(study, name)
            if os.path.exists(path) and name.endswith(".json"):
                with open(path, encoding="utf-8") as file:
                    parse_json(file.read(), f"{name} of a disturbed search")


def copy_tree(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
