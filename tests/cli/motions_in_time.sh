# Motions along tables over time and through cusps against a pass in arc length: times, verdicts, set-points, playback.
. "$SOURCE/tests/cli/lib.bash"

find_python

"$python" "$SOURCE/tests/reference/motions_in_time.py" "$GLOBDYN" "$(share 8)" 3 >out 2>err ||
    fail "motions_in_time.py: $(cat out err)"
tail -n 1 out

finish
