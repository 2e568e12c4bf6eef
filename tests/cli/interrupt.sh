# SIGINT and SIGTERM in everything that is no search: exit codes 130 and 143, a word where it stopped, files
# complete or not there, gnuplot ended. (optimize.sh and study_safety.sh interrupt searches.)
. "$SOURCE/tests/cli/lib.bash"

# A machine at 200,000 points: every command is at work when the signal comes, however fast the machine is.
cat >long.yaml <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {O: [0, 0]}}
  bodies:
    arm: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0], E: [0.5, 0]}, pose: {at: [0.5, 0], angle: 0}}
  joints: {hinge: {type: revolute, of: [ground.O, arm.O]}}
  drives: {motor: {at: hinge, torque: {limit: 20}}}
trajectories:
  turn: {p: [0, 6], joints: {hinge: p}, points: 200000}
YAML

# interrupts SIGNAL CODE COMMAND...: starts the command, and sends the signal as soon as it is caught.
interrupts() {
    local signal=$1 wanted=$2 child code=0
    shift 2
    "$GLOBDYN" "$@" >out 2>err </dev/null &
    child=$!
    wait_for $child caught $child || fail "globdyn $* ended by itself"
    kill -"$signal" $child
    wait $child || code=$?
    [ "$code" -eq "$wanted" ] || fail "globdyn $*: a signal $signal gave exit code $code"
    says err "^interrupted at "
}

printf 'p,d1,d2\n0,1,0\n3,1,0\n6,1,0\n' >motion.csv
interrupts INT 130 check long.yaml
says err "trajectory 'turn'; no file was written|the first guess; no file was written"
interrupts INT 130 regions long.yaml -o results
interrupts TERM 143 regions long.yaml -o results --at 1,2
interrupts INT 130 traverse long.yaml -o results
interrupts INT 130 reactions long.yaml -o results --trajectory turn
interrupts INT 130 verify long.yaml
interrupts INT 130 evaluate long.yaml
interrupts TERM 143 feasible long.yaml --motion motion.csv -o results
[ -z "$(ls results 2>/dev/null)" ] || fail "files of interrupted commands: $(ls results)"

# While a file is written: its temporary file is a pipe here, which takes 64 KiB and then waits. The shell that
# makes it becomes the program, so that the name has the right process.
sed -i 's/points: 200000/points: 2000/' long.yaml
mkdir -p results
writes_json() {
    ls -l /proc/$1/fd | grep -q 'regions.json.*tmp$'
}
bash -c 'mkfifo results/regions.json.$$.tmp && exec "$0" regions long.yaml -o results --no-pictures' \
    "$GLOBDYN" >out 2>err </dev/null &
child=$!
wait_for $child test -p results/regions.json.$child.tmp || fail "no program"
exec 3<>results/regions.json.$child.tmp # a reader, who reads nothing
wait_for $child test -s results/regions.csv || fail "the program did not come to its files"
wait_for $child writes_json $child || fail "regions.json is not written"
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 130 ] || fail "a signal while a file is written gave exit code $code"
exec 3<&-
says err '^interrupted at .*; the files written so far are complete'
[ "$(ls results)" = regions.csv ] || fail "files after an interrupted regions: $(ls results)"
[ "$(wc -l <results/regions.csv)" -gt 2000 ] || fail "regions.csv is not complete"

# While gnuplot draws: one that writes the first bytes of its PNG and goes on for ever.
mkdir tools drawn
cat >tools/gnuplot <<'SH'
#!/bin/sh
while read -r command what; do
    case $command in
    partial) ending=$(expr "$what" : "= '\(.*\)'") ;;
    load) break ;;
    esac
done
script=$(expr "$what" : "'\(.*\)'")
name=${script%.gp}.png
printf PNG >"drawn/$name$ending"
echo "$1" >arguments
echo $$ >drawing
exec tail -f /dev/null
SH
chmod +x tools/gnuplot
PATH=$work/tools:$PATH "$GLOBDYN" regions long.yaml -o drawn >out 2>err </dev/null &
child=$!
wait_for $child test -s drawing || fail "nothing is drawn"
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 130 ] || fail "a signal while gnuplot draws gave exit code $code"
says err '^interrupted at the pictures in drawn; the files written so far are complete'
ls drawn | grep -E 'png|svg|tmp' && fail "a part of a picture is left"
while kill -0 "$(cat drawing)" 2>/dev/null; do sleep 0.02; done # gnuplot is ended too, soon
[ "$(cat arguments)" = -d ] || fail "gnuplot reads a start file"

# A gnuplot that hangs is ended after a time, with a word; all else is there, and the answer the same.
rm -rf drawn drawing
sed "s/points: 200000/points: 20/" long.yaml >short.yaml
mkdir drawn
touch drawn/turn_limits.png # of an earlier run, behind the one that hangs
code=0
GLOBDYN_PICTURE_SECONDS=0.5 PATH=$work/tools:$PATH "$GLOBDYN" regions short.yaml -o drawn >out 2>err </dev/null ||
    code=$?
[ "$code" -eq 0 ] || fail "a gnuplot that hangs gave exit code $code"
says err 'warning: gnuplot was stopped: it did not draw turn_regions.gp within 0.5 s'
says err 'GLOBDYN_PICTURE_SECONDS sets another limit'
[ "$(ls drawn | grep -cE 'regions.(csv|json)$')" -eq 2 ] || fail "results are missing after a gnuplot that hangs"
ls drawn | grep -E 'png|svg|tmp' && fail "a part of a picture is left"
while kill -0 "$(cat drawing)" 2>/dev/null; do sleep 0.02; done
GLOBDYN_PICTURE_SECONDS=0.5 PATH=$work/tools:$PATH expect 0 check short.yaml -o drawn
says err '^Picture: drawn/machine\.gp$'

# A gnuplot of the working folder is not run, whatever PATH says.
printf '#!/bin/sh\ntouch ran\n' >gnuplot
chmod +x gnuplot
for path in "" : . .:/nowhere; do
    PATH=$path "$GLOBDYN" regions short.yaml -o drawn >out 2>err </dev/null
    says err 'gnuplot is not installed'
done
[ ! -e ran ] || fail "a gnuplot of the working folder was run"

# Pictures that gnuplot cannot draw do not leave those of an earlier run beside the new script.
cat >tools/gnuplot <<'SH'
#!/bin/sh
exit 1
SH
touch drawn/turn_limits.png
PATH=$work/tools:$PATH "$GLOBDYN" regions short.yaml -o drawn >out 2>err </dev/null
says err 'gnuplot could not make the pictures of turn_limits'
[ ! -e drawn/turn_limits.png ] || fail "the picture of an earlier run stands beside the new script"

finish
