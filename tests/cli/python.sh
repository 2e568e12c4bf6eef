# The Python package: against the program, and its example. Skipped without NumPy, and under the sanitizers, whose run time Python lacks.
. "$SOURCE/tests/cli/lib.bash"

python=/usr/bin/python3
[ "${GDYN_SANITIZED:-0}" = 0 ] || exit 77
"$python" -c 'import numpy, scipy' 2>/dev/null || exit 77
library=$BUILD
ls "$library"/libglobdyn.so* >/dev/null 2>&1 || exit 77
export GLOBDYN_LIBRARY=$library GLOBDYN SOURCE PYTHONDONTWRITEBYTECODE=1

"$python" "$SOURCE/tests/python/test_globdyn.py" >out 2>err || fail "tests/python/test_globdyn.py"
"$python" "$SOURCE/tests/python/documented.py" >out 2>err || fail "docs/python.md: $(tail -3 err)"
says out 'examples'

# A wheel, installed from its file, finds the library that it has; without pip it is unpacked as pip would.
"$python" "$SOURCE/scripts/python/wheel.py" "$(ls "$library"/libglobdyn.so.*.* | tail -n 1)" wheel >out || fail "scripts/python/wheel.py"
wheel=$(cat out)
if "$python" -m venv --system-site-packages --without-pip venv 2>/dev/null &&
    "$python" -c 'import importlib.util as u; exit(not u.find_spec("pip"))'; then
    "$python" -m pip --quiet --python venv/bin/python install --no-index --no-deps "$wheel" >out 2>&1 || fail "pip: $(cat out)"
    installed=venv/bin/python
else
    "$python" -m zipfile -e "$wheel" site || fail "$wheel"
    installed="env PYTHONPATH=site $python"
fi
(unset GLOBDYN_LIBRARY && $installed - "$SOURCE" <<'END') >out 2>err || fail "the wheel: $(cat err)"
import sys
import globdyn
print(globdyn.library._name)
print(globdyn.Case(sys.argv[1] + "/cases/two_link_arm/case.yaml").check()["mobility"])
END
says out '/globdyn/libglobdyn\.so\.'
says out '^2$'

"$python" "$SOURCE/scripts/python/example.py" >out 2>err || fail "scripts/python/example.py"
says out 'four-slider star: mobility 3, 4 drives'
says out 'fastest motion: 0\.318173 s, not below 0\.317'
finish
