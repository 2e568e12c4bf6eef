"""Runs what docs/python.md shows: its program, then the example of every call."""
import os
import re
import sys
from pathlib import Path

source = Path(os.environ["SOURCE"])
sys.path.insert(0, str(source / "scripts" / "python"))
os.chdir(source)
page = (source / "docs" / "python.md").read_text()
names = {}
exec(re.search(r"```python\n(.*?)```", page, re.S)[1], names)
case, count = names["globdyn"].Case, 0
shown = set()
for row in re.findall(r"^\| .* \| `([^|]*)` \|$", page, re.M):
    exec(row, names)
    shown.update(re.findall(r"\.(\w+)", row))
    count += 1
public = {name for name, value in vars(case).items() if not name.startswith("_") and (callable(value) or isinstance(value, property))}
documented = set(re.findall(r"`(\w+)[`(]", page))
missing = public - documented
assert count >= 18 and not missing, (count, missing)
print(count, "examples")
