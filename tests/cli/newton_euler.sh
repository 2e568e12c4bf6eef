# Reactions of random machines against Newton and Euler (many: tests/reference/newton_euler.py build/globdyn 1000).
. "$SOURCE/tests/cli/lib.bash"

find_python
"$python" "$SOURCE/tests/reference/newton_euler.py" "$GLOBDYN" "$(share 60)" >found 2>&1 || {
    cat found
    fail "reactions differ from Newton's and Euler's equations"
}

finish
