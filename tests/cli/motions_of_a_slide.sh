# Motions of one slide along formulas and tables with rests, reversals and corners, whose times have a closed form.
. "$SOURCE/tests/cli/lib.bash"

find_python

# those that differed once: noise near a rest, equal rows, steep and near reversals, corners, friction in
# the playback, jumps and poles of the second derivative, flat ends
seeds=9214,9228,9254,9260,9261,9286,9299,9332,9342,9697,9780,10032,10506
((${GDYN_SANITIZED:-0})) && seeds=9228,9261
"$python" "$SOURCE/tests/reference/motions_of_a_slide.py" "$GLOBDYN" 1 $seeds >out 2>err || fail "motions_of_a_slide.py: $(cat out err)"

finish
