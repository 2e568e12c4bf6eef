"""Damaged studies: bits, blocks, ends, values; every reader refuses them or gives what it gave before."""
import json
import os
import shutil
import sqlite3

from common import Attack, Finding, judge, write_star

SEARCHES = (
    ("star.yaml", "--population", "16", "--evaluations", "64", "--seed", "3"),
    ("star.yaml", "--population", "8", "--evaluations", "24", "--seed", "9"),
)
READERS = (
    ("export", "study", "export", "study"),
    ("front", "study", "front", "study", "--csv"),
    ("show", "study", "show", "study", "--json"),
    ("list", "study", "list", "."),
    ("check", "study", "check", "study"),
    ("optimize", "optimize"),
)


def flip(data, rng):
    at = rng.randrange(len(data))
    data[at] ^= 1 << rng.randrange(8)
    return f"bit of byte {at} flipped"


def byte(data, rng):
    at = rng.randrange(len(data))
    data[at] = rng.randrange(256)
    return f"byte {at} replaced"


def blocks(data, rng):
    """One block swapped with another, copied over it, zeroed, or the end cut off from it."""
    size = rng.choice([64, 512, 4096])
    count = len(data) // size
    a, b = rng.randrange(count) * size, rng.randrange(count) * size
    one, other = data[a : a + size], data[b : b + size]
    way = rng.choice(["swapped", "copied", "zeroed", "cut"])
    if way == "swapped":
        data[a : a + size], data[b : b + size] = other, one
    elif way == "copied":
        data[a : a + size] = other
    elif way == "zeroed":
        data[a : a + size] = bytes(size)
    else:
        del data[a:]
    return f"{size} bytes at {a} {way} (other {b})"


def refusal(out):
    """Whether nothing is printed, or with --json the errors alone."""
    return not out or out.startswith("{") and "errors" in json.loads(out)


class Archives(Attack):
    name = "archives"

    def prepare(self):
        self.studies = []
        for number, options in enumerate(SEARCHES):
            folder = os.path.join(self.base, f"s{number}")
            os.makedirs(folder)
            write_star(self.setting.source, folder)
            self.studies.append((folder, options, {}))
            done = self.run(self.reader("optimize", options), folder)
            if done.code != 0:
                raise RuntimeError(done.err)
            with sqlite3.connect(os.path.join(folder, "study", "study.db")) as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for folder, options, expected in self.studies:
            for reader, *arguments in READERS:
                copy = os.path.join(self.base, "whole")
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(folder, copy)
                expected[reader] = self.answer(self.run(self.arguments(arguments, options), copy), copy, reader)

    @staticmethod
    def reader(command, options):
        return [command, *options, "--no-pictures", "-o", "study"]

    def arguments(self, arguments, options):
        return self.reader("optimize", options) if arguments == ["optimize"] else arguments

    @staticmethod
    def answer(run, folder, reader):
        """What the run tells: its tables for a search, else what it prints."""
        if reader != "optimize":
            return run.code, run.out
        parts = []
        for name in ("front.csv", "designs.csv"):
            path = os.path.join(folder, "study", name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    parts.append(file.read())
        return run.code, parts

    def one(self, rng, folder):
        source, options, expected = rng.choice(self.studies)
        place = os.path.join(folder, "copy")
        shutil.copytree(source, place)
        database = os.path.join(place, "study", "study.db")
        for name in os.listdir(os.path.join(place, "study")):
            if not name.startswith("study.db"):
                os.remove(os.path.join(place, "study", name))
        what = self.damage(rng, database)
        reader, *arguments = rng.choice(READERS)
        run = self.run(self.arguments(arguments, options), place)
        judge(run)
        if run.code == 0 and self.answer(run, place, reader) == expected[reader]:
            return "same answer"
        if reader == "check" and run.code == 1 and run.out.startswith("FAILED"):
            return "check says no"
        if run.code in (5, 6) and (reader in ("check", "list", "optimize") or refusal(run.out)):
            return "refused"
        if reader == "list" and "study" in run.err + run.out and run.out != expected[reader][1]:
            return "named in the list"
        raise Finding(f"{reader} after {what}: exit code {run.code}, {run.err.strip()!r}, another answer")

    @staticmethod
    def damage(rng, database):
        if rng.random() < 0.25:
            return change_value(database, rng)
        with open(database, "rb") as file:
            data = bytearray(file.read())
        what = rng.choice([flip, flip, byte, blocks, blocks])(data, rng)
        with open(database, "wb") as file:
            file.write(data)
        return what


def change_value(database, rng):
    """A value of the table of designs or of the settings, changed through SQLite as somebody by hand would."""
    db = sqlite3.connect(database)
    if rng.random() < 0.3:
        keys = [row[0] for row in db.execute("SELECT key FROM meta ORDER BY key")]
        key = rng.choice(keys)
        value = str(db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])
        at = rng.randrange(len(value) + 1)
        db.execute("UPDATE meta SET value = ? WHERE key = ?", (value[:at] + rng.choice("01x") + value[at:], key))
        what = f"meta {key} changed"
    else:
        names = [row[1] for row in db.execute("PRAGMA table_info(design)")]
        name, row = rng.choice(names), rng.choice(db.execute("SELECT id FROM design").fetchall())[0]
        value = rng.choice([f'"{name}" * 0.5', f'"{name}" + 1', "NULL", "'1'", "0", f'-"{name}"'])
        try:
            db.execute(f'UPDATE design SET "{name}" = {value} WHERE id = ?', (row,))
        except sqlite3.Error:
            db.execute("DELETE FROM design WHERE id = ?", (row,))
        what = f"{name} of design {row} set to {value}"
    db.commit()
    db.close()
    return what
