"""Refused allocations: one message and exit code 7, or no harm at all."""
import os
import shutil

from common import Attack, Finding, judge_files, write_star

STAR = ("star.yaml", "--json", "--no-pictures", "-o", "kept")
SEARCH = ("optimize", *STAR, "--population", "8", "--evaluations", "16", "--seed", "3", "--threads", "1")


class Allocations(Attack):
    """A run whose n-th allocation (or every one from the n-th on) is refused."""

    commands = ()
    complete = False

    def prepare(self):
        if not self.setting.fail_alloc:
            raise RuntimeError("there is no fail_alloc library")
        write_star(self.setting.source, self.base)
        case = os.path.join(self.setting.source, "cases", "%s", "case.yaml")
        self.commands = [[case % word[1:] if word[0] == "@" else word for word in line] for line in self.commands
                         if self.has(line[0])]
        self.expected, self.count = [], []
        for arguments in self.commands:
            if arguments[0] == "study":
                self.run(SEARCH, self.base)
            counts = os.path.join(self.base, "count")
            done = self.run(arguments, self.base, {"LD_PRELOAD": self.setting.fail_alloc, "FAIL_COUNT": counts})
            with open(counts, encoding="ascii") as file:
                self.count.append(int(file.read()))
            if done.code not in (0, 1):
                raise RuntimeError(f"{arguments[0]} gives exit code {done.code}: {done.err}")
            self.expected.append(done)

    def total(self):
        return sum(self.count) if self.complete else None

    def one(self, rng, folder):
        which = rng.randrange(len(self.commands))
        at = rng.randrange(1, self.count[which] + 1)
        if self.complete:  # each allocation once
            at, which = self.number + 1, 0
            while at > self.count[which]:
                at -= self.count[which]
                which += 1
        forever = not self.complete and rng.random() < 0.2
        return self.refuse(folder, which, at, forever)

    def refuse(self, folder, which, at, forever):
        arguments, good = self.commands[which], self.expected[which]
        write_star(self.setting.source, folder)
        if arguments[0] == "study":
            shutil.copytree(os.path.join(self.base, "kept"), os.path.join(folder, "kept"))
        env = {"LD_PRELOAD": self.setting.fail_alloc, "FAIL_AT": str(at), "FAIL_FOR": str(10**9 if forever else 1)}
        run = self.run(arguments, folder, env)
        what = f"allocation {at} of {self.count[which]} refused{' and all after it' if forever else ''}: {arguments[0]}"
        if run.code == 7:
            if run.err.count("out of memory") != 1:
                raise Finding(f"{what}: not one message: {run.err!r}")
            return f"{arguments[0]}: exit code 7"
        if run.code != good.code:
            raise Finding(f"{what}: exit code {run.code}: {run.err!r}")
        if run.out != good.out:
            raise Finding(f"{what}: prints something else with exit code {run.code}")
        judge_files(folder)
        self.same_files(folder, what)
        return f"{arguments[0]}: no harm"

    def same_files(self, folder, what):
        for name in os.listdir(os.path.join(self.base, "kept")):
            if not name.endswith((".json", ".csv", ".html")):
                continue
            with open(os.path.join(self.base, "kept", name), "rb") as file:
                good = file.read()
            path = os.path.join(folder, "kept", name)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    if file.read() != good:
                        raise Finding(f"{what}: {name} differs with exit code 0")


class CheckAllocations(Allocations):
    """Every allocation of `check`, one after the other."""

    name = "memory-check"
    commands = (("check", "star.yaml", "--no-pictures"), ("check", "@delta", "--no-pictures"))
    complete = True

    def same_files(self, folder, what):
        pass


class OtherAllocations(Allocations):
    """Any allocation of the long commands."""

    name = "memory"
    commands = (
        ("regions", *STAR),
        ("reactions", *STAR),
        ("traverse", *STAR),
        ("report", "star.yaml", "-o", "kept"),
        ("simulate", "@pendulum_redundant", "--json", "--no-pictures", "-o", "kept"),
        SEARCH,
        ("study", "show", "kept", "--json"),
        ("study", "check", "kept"),
    )
