"""The readers of tests/fuzz, in batches. With a build whose drivers have libFuzzer (clang, -DGDYN_LIBFUZZER=ON) mutation
is led by the coverage that it reaches; else tests/fuzz/driver.h mutates."""
import glob
import os
import re
import shutil

from common import Attack, Finding

BATCH = 20000  # readings of one input
SECONDS = 3600  # of processor time for a batch


class Fuzzer(Attack):
    seeds = ()  # patterns of files that libFuzzer begins with
    cost = 1  # of a reading, in those of the cheapest reader

    def prepare(self):
        self.driver = os.path.join(self.setting.build, "tests", self.name.replace("-", "_"))
        if not os.path.exists(self.driver):
            raise RuntimeError(f"{self.driver} is not built")
        with open(self.driver, "rb") as file:
            self.guided = b"libFuzzer" in file.read()
        corpus = os.path.join(self.base, "corpus")
        os.makedirs(corpus)
        for pattern in self.seeds:
            for name in glob.glob(os.path.join(self.setting.source, pattern)):
                shutil.copy(name, os.path.join(corpus, name.replace("/", "_")))
        self.corpus = corpus

    def one(self, rng, folder):
        batch = max(1, BATCH // self.cost)
        if self.guided:
            arguments = [f"-runs={batch}", f"-seed={rng.randrange(1, 2**31)}", f"-timeout={SECONDS}", "-rss_limit_mb=4096",
                         "-max_len=20000", "-print_final_stats=1", self.corpus]
            wanted = r"stat::number_of_executed_units: *(\d+)"
        else:
            arguments = ["--seed", str(rng.randrange(2**63)), "--iterations", str(batch), "--seconds", "3600"]
            wanted = r"(\d+) inputs from"
        run = self.run_driver(arguments, folder)
        done = re.search(wanted, run.out + run.err)
        if run.code != 0 or not done:
            raise Finding(f"{' '.join(arguments)}: ended with {run.code}: {run.out[-1500:]} {run.err[-3000:]}")
        return "readings", int(done.group(1))

    def run_driver(self, arguments, folder):
        program, self.setting.program = self.setting.program, self.driver
        try:
            return self.run(arguments, folder, seconds=SECONDS)
        finally:
            self.setting.program = program


class CaseFiles(Fuzzer):
    name = "fuzz-casefile"
    seeds = ("cases/*/case.yaml", "tests/bad/*.yaml")
    cost = 8


class Formulas(Fuzzer):
    name = "fuzz-expr"


class Tables(Fuzzer):
    name = "fuzz-table"
    seeds = ("cases/*/*.csv",)


class Readers(Fuzzer):
    name = "fuzz-readers"
    cost = 4


class Imports(Fuzzer):
    name = "fuzz-import"
    seeds = ("docs/samples/*.urdf", "docs/samples/*.sdf", "docs/samples/*.xml", "docs/samples/*.nc", "docs/samples/*.dxf")
    cost = 8


class Studies(Fuzzer):
    name = "fuzz-study"
    cost = 40


FUZZERS = (CaseFiles, Formulas, Tables, Readers, Imports, Studies)
