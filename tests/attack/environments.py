"""Where the program runs changes nothing: locale, time zone, threads, cores, terminal, closed streams."""
import os
import shutil

from common import Attack, Finding, judge, same_results, write_star

LOCALES = ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_SA.UTF-8", "no_such_LOCALE", "")
ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", ":no/such/zone", "XXX+99:99", "")
COMMANDS = (
    ("check", "star.yaml", "--json", "--no-pictures"),
    ("regions", "star.yaml", "--json", "--no-pictures", "-o", "kept"),
    ("reactions", "star.yaml", "--json", "--no-pictures", "-o", "kept"),
    ("traverse", "star.yaml", "--json", "--no-pictures", "-o", "kept"),
    ("optimize", "star.yaml", "--no-pictures", "--population", "16", "--evaluations", "32", "--seed", "3", "-o", "kept"),
)


class Environments(Attack):
    name = "environments"

    def prepare(self):
        write_star(self.setting.source, self.base)
        self.expected = []
        for arguments in COMMANDS:
            folder = os.path.join(self.base, arguments[0])
            os.makedirs(folder)
            write_star(self.setting.source, folder)
            self.expected.append(self.run(arguments, folder))

    def one(self, rng, folder):
        which = rng.randrange(len(COMMANDS))
        arguments, good = list(COMMANDS[which]), self.expected[which]
        env, before = self.surroundings(rng)
        write_star(self.setting.source, folder)
        if arguments[0] == "optimize":
            arguments += ["--threads", str(rng.choice([1, 2, 3, 8]))]
        if rng.random() < 0.15:
            return self.without_output(rng, arguments, folder, env, before)
        run = self.run(arguments, folder, env, before=before)
        what = f"{arguments[0]} with {env} {before}"
        if run.code != good.code:
            raise Finding(f"{what}: exit code {run.code} instead of {good.code}: {run.err}")
        if arguments[0] == "optimize":
            differs = same_results(os.path.join(self.base, "optimize", "kept"), os.path.join(folder, "kept"))
        else:
            differs = "standard output" if run.out != good.out else None
        if differs:
            raise Finding(f"{what}: {differs} differs")
        return "same"

    @staticmethod
    def surroundings(rng):
        locale = rng.choice(LOCALES)
        env = {"LC_ALL": locale, "LANG": locale, "LC_NUMERIC": locale, "TZ": rng.choice(ZONES)}
        for name, values in (
            ("OMP_NUM_THREADS", (None, "1", "7", "-3", "x")),
            ("OPENBLAS_NUM_THREADS", (None, "1", "2")),
            ("COLUMNS", (None, "1", "100000", "-1")),
            ("TERM", (None, "dumb", "xterm-256color", "")),
            ("HOME", (None, "/nowhere")),
            ("TMPDIR", (None, "/nowhere")),
            ("PATH", (os.environ["PATH"], "", "/nowhere")),
            ("MALLOC_PERTURB_", (None, "85", "170")),
            ("MALLOC_ARENA_MAX", (None, "1")),
        ):
            env[name] = rng.choice(values)
        before = []
        if shutil.which("taskset") and rng.random() < 0.5:
            core = str(rng.choice(sorted(os.sched_getaffinity(0))))
            before = [shutil.which("taskset"), "-c", core]
        return env, before

    def without_output(self, rng, arguments, folder, env, before):
        """Standard output that takes nothing: full, or closed."""
        if rng.random() < 0.5:
            with open("/dev/full", "wb") as full:
                run = self.run(arguments, folder, env, before=before, stdout=full)
            if run.code != 5 or "error:" not in run.err:
                raise Finding(f"{arguments[0]} into a full device: exit code {run.code}: {run.err!r}")
            return "full device told"
        shell = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *before]
        run = self.run(arguments, folder, env, before=shell)
        judge(run)
        if run.code != 5:
            raise Finding(f"{arguments[0]} with closed standard output: exit code {run.code}: {run.err!r}")
        return "closed output told"
