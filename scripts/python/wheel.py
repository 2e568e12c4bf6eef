#!/usr/bin/python3
"""wheel.py LIBRARY FOLDER: FOLDER/globdyn-VERSION-py3-none-PLATFORM.whl of the package and the shared library, for pip."""
import base64
import hashlib
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

here = Path(__file__).resolve().parent
library, folder = Path(sys.argv[1]), Path(sys.argv[2])
version = re.search(r'GDYN_VERSION "(.*)"', (here / "../../src/base/version.h").read_text())[1]
tag = "py3-none-" + re.sub(r"\W", "_", sysconfig.get_platform())
soname = "libglobdyn.so." + ".".join(version.split(".")[:2])
packages = "libopenblas0, liblapacke, libnlopt0, libgsl27, libyaml-0-2, libjansson4, libglpk40, libsqlite3-0, libexpat1"
info = f"globdyn-{version}.dist-info"
files = {
    "globdyn/__init__.py": (here / "globdyn/__init__.py").read_bytes(),
    f"globdyn/{soname}": library.read_bytes(),
    f"{info}/METADATA": f"""Metadata-Version: 2.1
Name: globdyn
Version: {version}
Summary: Global dynamics of machines: reachable motions, reactions, design
License: GPL-3.0-or-later
Requires-Python: >=3.8
Requires-Dist: numpy
Requires-External: {packages}
""".encode(),
    f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: globdyn\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
    f"{info}/LICENSE": (here / "../../LICENSE").read_bytes(),
}


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
files[f"{info}/RECORD"] = "\n".join(record + [f"{info}/RECORD,,"]).encode() + b"\n"
folder.mkdir(parents=True, exist_ok=True)
wheel = folder / f"globdyn-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
    for name, data in files.items():
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes whenever it is made
        entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
        out.writestr(entry, data)
print(wheel)
