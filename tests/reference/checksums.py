#!/usr/bin/env python3
"""Checksums of study files, computed without globdyn (docs/studies.md, "Damage").

checksums.py verify FILE            every row and the table meta have their checksums
checksums.py seal FILE              gives them new ones: a file that was altered by somebody who knows how
"""
import sqlite3
import struct
import sys


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


def main():
    command, *rest = sys.argv[1:]
    return {"verify": verify, "seal": seal}[command](rest[0])


if __name__ == "__main__":
    sys.exit(main())
