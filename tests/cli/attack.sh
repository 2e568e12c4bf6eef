# A short round of scripts/attack; tests/attack/README.md tells of the long ones.
. "$SOURCE/tests/cli/lib.bash"
find_python
export PYTHONDONTWRITEBYTECODE=1
# round COUNT ATTACK...: that many inputs of each attack.
round() {
    local count=$1
    shift
    "$python" "$SOURCE/scripts/attack" --quiet --seed 5 --count "$(share "$count")" --build "$BUILD" \
        --findings findings "$@" >out 2>err || fail "findings of $*: $(cat out err)"
    for attack; do
        says out "^$attack: seed 5, [1-9][0-9]* inputs"
    done
}
# the sanitizers have an allocator of their own, and nothing to see where a process is killed
if ((${GDYN_SANITIZED:-0})); then
    round 12 cases archives
    round 1 disk names
else
    round 10 cases archives memory-check memory
    round 3 names environments
    round 1 disk kills power
fi
finish
