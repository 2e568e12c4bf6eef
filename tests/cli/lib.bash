# Helpers of the shell tests: every test runs in a fresh folder and counts what went wrong.
# GLOBDYN is the program, SOURCE this project's folder.

work=$(mktemp -d "${TMPDIR:-/tmp}/globdyn-test.XXXXXX")
trap 'chmod -R u+rwX "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    echo "--- standard output (first lines)"
    head -n 20 out 2>/dev/null
    echo "--- standard error (first lines)"
    head -n 20 err 2>/dev/null
    failures=$((failures + 1))
}

# expect CODE ARGUMENTS...: runs the program into the files out and err and checks the exit code.
expect() {
    local code=$1 got=0
    shift
    "$GLOBDYN" "$@" >out 2>err </dev/null || got=$?
    [ "$got" -eq "$code" ] || fail "globdyn $* gave exit code $got, not $code"
}

# says FILE PATTERN: the file (out, err, ...) holds a line that matches the extended expression.
says() {
    grep -Eq -- "$2" "$1" || fail "$1 does not say: $2"
}

silent() {
    [ ! -s "$1" ] || fail "$1 is not empty"
}

finish() {
    if [ "$failures" -gt 0 ]; then
        echo "$failures checks failed"
        exit 1
    fi
    echo "all checks passed"
}
