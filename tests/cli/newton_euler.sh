# Reactions of random machines against Newton and Euler: tests/reference/newton_euler.py.
. "$SOURCE/tests/cli/lib.bash"

/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
/usr/bin/python3 "$SOURCE/tests/reference/newton_euler.py" "$GLOBDYN" 60 >found 2>&1 || {
    cat found
    fail "reactions differ from Newton's and Euler's equations"
}

finish
