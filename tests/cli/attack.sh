# A short round of scripts/attack; tests/attack/README.md tells of the long ones.
. "$SOURCE/tests/cli/lib.bash"
find_python
export PYTHONDONTWRITEBYTECODE=1
# round COUNT ATTACK...: that many inputs of each attack.
round() {
    local count=$1
    shift
    "$python" "$SOURCE/scripts/attack" --quiet --seed 5 --count "$(share "$count")" --build "$(dirname "$GLOBDYN")" \
        --findings findings "$@" >out 2>err || fail "findings of $*: $(cat out err)"
    for attack; do
        says out "^$attack: seed 5, [1-9][0-9]* inputs"
    done
}
round $((${GDYN_SANITIZED:-0} ? 12 : 18)) cases
round 12 archives
round 1 disk
round 6 names
# the sanitizers have an allocator of their own, and nothing to see where a process is killed
if ! ((${GDYN_SANITIZED:-0})); then
    round 1 kills power
    round 3 environments
    round 20 memory-check
    round 20 memory
fi
finish
