#!/usr/bin/env python3
"""Checksums of study files, computed without globdyn (docs/studies.md, "Damage").

checksums.py verify FILE            every row and the table meta have their checksums
checksums.py seal FILE              gives them new ones: a file that was altered by somebody who knows how
checksums.py damage GLOBDYN FILE N [SEED]
    N damaged copies (bytes flipped, blocks swapped, blocks zeroed, ends cut off): `study export` must print what
    it prints for the whole file, or refuse with exit code 5 or 6 and a message.
"""
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile


def fnv(data):
    """64-bit FNV-1a."""
    total = 0xCBF29CE484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return total


def value_bytes(value):
    if value is None:
        return b"n"
    if isinstance(value, int):
        return b"i" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value)
    text = value.encode()
    return b"t" + struct.pack("<Q", len(text)) + text


def row_sum(names, row):
    return fnv(b"".join(value_bytes(v) for n, v in zip(names, row) if n != "checksum"))


def rows_of(db):
    cursor = db.execute("SELECT * FROM design ORDER BY id")
    names = [column[0] for column in cursor.description]
    return names, cursor.fetchall()


def seal_of(db):
    rows = db.execute("SELECT key, value FROM meta WHERE key <> 'seal' ORDER BY key")
    return "%016x" % fnv(b"".join(value_bytes(v) for row in rows for v in row))


def verify(name):
    db = sqlite3.connect(name)
    names, rows = rows_of(db)
    at = names.index("checksum")
    wrong = [row[0] for row in rows if row_sum(names, row) != row[at] % 2**64]
    sealed = db.execute("SELECT value FROM meta WHERE key = 'seal'").fetchone()
    if not sealed or sealed[0] != seal_of(db):
        wrong.append("meta")
    print(f"{len(rows)} designs, wrong checksums: {wrong or 'none'}")
    return 1 if wrong or not rows else 0


def seal(name):
    db = sqlite3.connect(name)
    names, rows = rows_of(db)
    for row in rows:
        total = row_sum(names, row)
        signed = total - 2**64 if total >= 2**63 else total
        db.execute("UPDATE design SET checksum = ? WHERE id = ?", (signed, row[0]))
    db.execute("INSERT OR REPLACE INTO meta VALUES ('seal', ?)", (seal_of(db),))
    db.commit()
    return 0


def damaged(data, rng):
    """A damaged copy of the bytes, and what was done to it."""
    data = bytearray(data)
    kind = rng.choice(["flip", "flip", "flip", "swap", "zero", "cut", "copy"])
    if kind == "flip":
        at = rng.randrange(len(data))
        data[at] ^= 1 << rng.randrange(8)
        return data, f"bit of byte {at} flipped"
    size = rng.choice([64, 512, 4096])
    blocks = len(data) // size
    a, b = rng.randrange(blocks) * size, rng.randrange(blocks) * size
    one, other = data[a : a + size], data[b : b + size]
    if kind == "swap":
        data[a : a + size], data[b : b + size] = other, one
    elif kind == "copy":
        data[a : a + size] = other
    elif kind == "zero":
        data[a : a + size] = bytes(size)
    else:
        del data[a:]
    return data, f"{kind} of {size} bytes at {a} (other {b})"


def export(program, folder):
    done = subprocess.run([program, "study", "export", folder], capture_output=True, timeout=600)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def damage(program, name, count, seed):
    rng = random.Random(seed)
    whole = open(name, "rb").read()
    silent, refused, same = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "study.db")
        shutil.copy(name, copy)
        code, expected, _ = export(program, folder)
        assert code == 0, "the whole file is refused"
        for _ in range(count):
            data, what = damaged(whole, rng)
            open(copy, "wb").write(data)
            code, printed, complaint = export(program, folder)
            if code in (5, 6) and complaint and not printed:
                refused += 1
            elif code == 0 and printed == expected:
                same += 1
            else:
                silent += 1
                print(f"exit code {code} after {what}: {complaint.strip()}")
    print(f"{count} damaged files: {refused} refused, {same} with the same designs, {silent} wrong")
    return 1 if silent else 0


def main():
    command, *rest = sys.argv[1:]
    if command == "damage":
        seed = int(rest[3]) if len(rest) > 3 else 1
        return damage(os.path.abspath(rest[0]), rest[1], int(rest[2]), seed)
    return {"verify": verify, "seal": seal}[command](rest[0])


if __name__ == "__main__":
    sys.exit(main())
