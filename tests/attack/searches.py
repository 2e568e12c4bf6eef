"""Attacks on searches: kills, power cuts, full disks, ranks."""
import os
import random
import resource
import shutil
import signal
import subprocess
import time

from common import IDLE, LOOK, Finding, SearchAttack, Watch, end_group, judge

RANKS_SECONDS = 600  # of processor time for all ranks together


def wait_a_while(process, seconds):
    """False when the process ended by itself."""
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        return True


class Kills(SearchAttack):
    """SIGKILL at any moment between start and end, up to three times, then continued."""

    name = "kills"

    def one(self, rng, folder):
        self.fresh(folder)
        kills = 0
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            threads = rng.choice(["1", "2"])
            process = self.start(self.search("-o", "study", "--threads", threads), folder)
            if wait_a_while(process, rng.uniform(0, 1.1 * self.duration)):
                end_group(process)
                kills += 1
            process.communicate()
            self.complete_or_absent(folder)
        self.continue_and_compare(folder, f"{kills} kills")
        return f"{kills} kills, same results"


class PowerCuts(SearchAttack):
    """Database and write-ahead log as they are at some moment, the log perhaps cut off where its last bytes had not
    reached the disk yet: as after a power cut."""

    name = "power"

    def one(self, rng, folder):
        running = os.path.join(folder, "running")
        os.makedirs(running)
        self.fresh(folder)
        self.fresh(running)
        process = self.start(self.search("-o", "study", "--threads", "1"), running)
        alive = wait_a_while(process, rng.uniform(0, 1.1 * self.duration))
        if alive:
            os.killpg(process.pid, signal.SIGSTOP)
        study = os.path.join(folder, "study")
        os.makedirs(study)
        for ending in ("", "-wal"):
            source = os.path.join(running, "study", "study.db" + ending)
            if os.path.exists(source):
                shutil.copy(source, os.path.join(study, "study.db" + ending))
        end_group(process)
        process.communicate()
        what = self.cut(rng, os.path.join(study, "study.db-wal"))
        database = os.path.join(study, "study.db")
        if os.path.exists(database) and os.path.getsize(database) == 0 and not os.path.exists(database + "-wal"):
            os.remove(database)  # created, nothing written
            what = "an empty file"
        self.continue_and_compare(folder, what)
        return what

    @staticmethod
    def cut(rng, log):
        if not os.path.exists(log):
            return "no log"
        size = os.path.getsize(log)
        way = rng.choice(["as it is", "cut", "garbled end"])
        if way == "as it is" or size == 0:
            return "whole log"
        at = rng.randrange(max(0, size - 65536), size)
        with open(log, "r+b") as file:
            if way == "cut":
                file.truncate(at)
                return "log cut off"
            file.seek(at)
            file.write(random.Random(rng.random()).randbytes(min(512, size - at)))
        # what stands behind the garbled place had not been written either
        with open(log, "r+b") as file:
            file.truncate(min(size, at + 512))
        return "log with a garbled end"


class FullDisk(SearchAttack):
    """No room: a limit of file size anywhere, or (as root) a small file system; then continued with room."""

    name = "disk"

    def prepare(self):
        super().prepare()
        self.largest = os.path.getsize(os.path.join(self.base, "whole", "study.db"))
        self.mounts = os.geteuid() == 0 and shutil.which("mount") is not None
        if self.mounts:
            probe = os.path.join(self.base, "probe")
            os.makedirs(probe)
            self.mounts = self.mount(probe, 64)
            if self.mounts:
                subprocess.run(["umount", probe], check=True)

    @staticmethod
    def mount(where, kibibytes):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", where],
                              capture_output=True)
        return done.returncode == 0

    def one(self, rng, folder):
        self.fresh(folder)
        if self.mounts and rng.random() < 0.5:
            return self.on_small_disk(rng, folder)
        most = rng.randrange(1, 5 * self.largest // 4)
        run = self.run(self.search("-o", "study"), folder, limits=[(resource.RLIMIT_FSIZE, most)])
        return self.continued(run, folder, f"a limit of {most} bytes per file", "limit of file size")

    def on_small_disk(self, rng, folder):
        study = os.path.join(folder, "study")
        os.makedirs(study)
        kibibytes = rng.randrange(4, 5 * self.largest // 2048)
        if not self.mount(study, kibibytes):
            return "no file system"
        try:
            run = self.run(self.search("-o", "study"), folder)
            shutil.copytree(study, os.path.join(folder, "kept"))
        finally:
            subprocess.run(["umount", study], check=True)
        os.rmdir(study)
        os.rename(os.path.join(folder, "kept"), study)
        return self.continued(run, folder, f"a disk of {kibibytes} KiB", "full file system")

    def continued(self, run, folder, what, short):
        judge(run)
        if run.code not in (0, 5):
            raise Finding(f"{what}: exit code {run.code}: {run.err}")
        self.complete_or_absent(folder)
        self.continue_and_compare(folder, what)
        return f"{short}: {'no room' if run.code else 'enough room'}"


class Ranks(SearchAttack):
    """Ranks of an MPI run killed or stopped at any moment: the run ends with an error, the archive is whole."""

    name = "ranks"
    evaluations = 160

    def prepare(self):
        if not self.setting.mpirun:
            raise RuntimeError("there is no mpirun")
        super().prepare()

    def environment(self, changes=None):
        own = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return super().environment({**own, **(changes or {})})

    def one(self, rng, folder):
        self.fresh(folder)
        count = rng.choice([2, 3])
        process = self.start(
            self.search("-o", "study", "--rank-limit", "2"), folder,
            before=[self.setting.mpirun, "--oversubscribe", "-n", str(count)],
            stdout=open(os.path.join(folder, "out"), "wb"), stderr=open(os.path.join(folder, "err"), "wb"))
        if not wait_a_while(process, rng.uniform(0.2, 0.6 + 1.1 * self.duration)):
            return self.ended(process, folder, "nothing", must_fail=False)
        rank = rng.randrange(1, count)
        victim = self.find(process.pid, rank)
        if victim is None:
            self.wait_for_end(process, "no rank was found")
            return self.ended(process, folder, "nothing", must_fail=False)
        way = rng.choice([signal.SIGKILL, signal.SIGSTOP])
        try:
            os.kill(victim, way)
        except ProcessLookupError:
            pass
        try:
            self.wait_for_end(process, f"rank {rank} of {count} got {way.name}")
        finally:
            try:  # a stopped rank that outlives the run
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return self.ended(process, folder, way.name, must_fail=False)

    @staticmethod
    def wait_for_end(process, what):
        """Ranks that wait for each other compute: a run that does not end uses up its processor time, or is idle for
        longer than the program waits for a rank while MPI begins."""
        watch = Watch(process)
        while wait_a_while(process, LOOK):
            if watch.idle() > 3 * IDLE or watch.used > RANKS_SECONDS:
                end_group(process)
                raise Finding(f"{what} and the run does not end")

    def ended(self, process, folder, what, must_fail):
        with open(os.path.join(folder, "err"), encoding="utf-8", errors="replace") as file:
            err = file.read()
        if process.returncode != 0 and not err.strip():
            raise Finding(f"after {what}: exit code {process.returncode} without a message")
        if os.path.exists(os.path.join(folder, "study", "study.db")):
            self.complete_or_absent(folder)
        self.continue_and_compare(folder, what)
        return f"{what}, {'ended with an error' if process.returncode else 'finished before'}"

    @staticmethod
    def find(parent, rank):
        """The process of a rank below mpirun."""
        try:
            with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            return None
        for child in children:
            try:
                with open(f"/proc/{child}/environ", "rb") as file:
                    if f"OMPI_COMM_WORLD_RANK={rank}".encode() in file.read().split(b"\0"):
                        return child
            except OSError:
                pass
        return None
