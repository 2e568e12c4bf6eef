# Reactions of random machines against Newton and Euler: tests/reference/newton_euler.py.
. "$SOURCE/tests/cli/lib.bash"

find_python
"$python" "$SOURCE/tests/reference/newton_euler.py" "$GLOBDYN" "$(share 300)" >found 2>&1 || {
    cat found
    fail "reactions differ from Newton's and Euler's equations"
}

finish
