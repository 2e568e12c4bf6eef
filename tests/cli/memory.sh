# Lack of memory: every refused allocation ends with one message and exit code 7, or does no harm at all;
# memory limits are seen before the libraries start.
. "$SOURCE/tests/cli/lib.bash"
[ "$GDYN_SANITIZED" != 0 ] && [ "$GDYN_SANITIZED" != OFF ] && exit 77 # the sanitizers have an allocator of their own

# --- limits -----------------------------------------------------------------------------------------
limited() { # KIBIBYTES CODE ARGUMENTS...: like expect, with a memory limit
    local limit=$1 code=$2 got=0
    shift 2
    (ulimit -v "$limit" && exec "$GLOBDYN" "$@") >out 2>err </dev/null || got=$?
    [ "$got" -eq "$code" ] || fail "globdyn $* with $limit KiB gave exit code $got, not $code"
}
star=$SOURCE/cases/four_slider_star/case.yaml
for kibibytes in 100000 160000 200000 261000; do
    limited $kibibytes 7 check --no-pictures "$star"
    says err "the memory limit of $kibibytes KiB is too low; at least 262144 KiB are needed"
done
limited 262144 0 check --no-pictures "$star"
limited 400000 0 check --no-pictures "$star"
sed -e 's/points: 201/points: 9/' -e 's/, stall: {.*}}/}/' "$star" >small.yaml
search=(optimize small.yaml --no-pictures --population 8 --evaluations 16 --seed 3)
expect 0 "${search[@]}" -o free
limited 600000 0 "${search[@]}" --threads 64 -o limited
says err 'threads? instead of 64'
cmp -s free/front.json limited/front.json || fail "the memory limit changes the results"

# --- refused allocations ----------------------------------------------------------------------------
# tries N ARGUMENTS...: N of the allocations of a run are refused, one in each run; TRIES times as many by hand:
# TRIES=20 ctest -R cli_memory.
tries() {
    local n=$(($1 * ${TRIES:-1})) total at code
    shift
    rm -rf kept
    FAIL_COUNT=count LD_PRELOAD=$FAIL_ALLOC "$GLOBDYN" "$@" >good 2>err </dev/null
    good_code=$?
    total=$(cat count)
    n=$((n < total ? n : total))
    for k in $(seq "$n"); do
        at=$((1 + (k - 1) * total / n + k * 7919 % (total / n)))
        rm -rf kept
        code=0
        FAIL_AT=$at LD_PRELOAD=$FAIL_ALLOC "$GLOBDYN" "$@" >out 2>err </dev/null || code=$?
        if [ $code -eq 7 ]; then
            [ "$(grep -c 'out of memory' err)" -eq 1 ] || fail "allocation $at of $total: $* has no message"
        elif [ $code -ne $good_code ]; then
            fail "allocation $at of $total: $* gave exit code $code"
        else
            cmp -s good out || fail "allocation $at of $total: $* prints something else"
        fi
    done
}
tries 60 check --no-pictures "$star"
tries 25 regions small.yaml --json --no-pictures -o kept
tries 25 reactions small.yaml --json --no-pictures -o kept
tries 20 traverse small.yaml --json --no-pictures -o kept
tries 20 "${search[@]}" --threads 1 -o kept
tries 10 simulate "$SOURCE/cases/pendulum_redundant/case.yaml" --json --no-pictures -o kept
tries 10 study show free --json
finish
