# Motions along tables over time and through cusps against a pass in arc length: times, verdicts, set-points, playback.
. "$SOURCE/tests/cli/lib.bash"

find_python

# the first ones, and some that differed once (more: motions_in_time.py PROGRAM COUNT SEED); the sanitizers see two of them
seeds=1,11,3,4,27,46,120
((${GDYN_SANITIZED:-0})) && seeds=1,11
"$python" "$SOURCE/tests/reference/motions_in_time.py" "$GLOBDYN" 1 $seeds >out 2>err || fail "motions_in_time.py: $(cat out err)"

finish
