# Memory limits are seen before the libraries start (refused allocations: cli_attack).
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
finish
