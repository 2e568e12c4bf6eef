# The Python package: against the program, and its example. Skipped without NumPy, and under the sanitizers, whose run time Python lacks.
. "$SOURCE/tests/cli/lib.bash"

python=/usr/bin/python3
[ "${GDYN_SANITIZED:-0}" = 0 ] || exit 77
"$python" -c 'import numpy, scipy' 2>/dev/null || exit 77
library=$(dirname "$GLOBDYN")
ls "$library"/libglobdyn.so* >/dev/null 2>&1 || exit 77
export GLOBDYN_LIBRARY=$library GLOBDYN SOURCE PYTHONDONTWRITEBYTECODE=1

"$python" "$SOURCE/tests/python/test_globdyn.py" >out 2>err || fail "tests/python/test_globdyn.py"
"$python" "$SOURCE/scripts/python/example.py" >out 2>err || fail "scripts/python/example.py"
says out 'four-slider star: mobility 3, 4 drives'
says out 'fastest motion: 0\.318173 s, not below 0\.317'
finish
