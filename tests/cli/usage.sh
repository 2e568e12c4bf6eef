# The command line itself: help, versions, wrong commands and options, lost standard output.
. "$SOURCE/tests/cli/lib.bash"

expect 0 --version
says out '^globdyn [0-9]+\.[0-9]+\.[0-9]+( \(without MPI\))?$'
silent err

for word in help --help -h; do
    expect 0 "$word"
    says out '^usage: globdyn COMMAND'
    silent err
done

expect 0
says out '^usage: globdyn COMMAND'
says out '^  regions '
silent err
expect 0 help help
says out '^usage: globdyn COMMAND'

# Every criterion that the manual knows of machines and trajectories, and no other.
expect 0 help criteria
sed -n 's/^  \([a-z_0-9]*\) .*/\1/p' out | sort >listed
sed -n '/^| name | of |/,/^$/p' "$SOURCE/docs/criteria.md" | sed '/^$/q' |
    sed -n 's/^| `\([a-z_0-9]*\)` .*/\1/p' | sort >known
cmp -s listed known || fail "help criteria and docs/criteria.md differ: $(diff listed known)"
says out '^  d1_max +\[p\]/s +maximum d1$'

expect 2 hepl
says err "there is no command 'hepl'"
says err "did you mean 'help'"
expect 2 there.yaml
says err 'help: globdyn check there.yaml looks at a case'
expect 2 -v
says err 'help: globdyn --version prints the version'

# Standard output that cannot be written is never a success.
if [ -w /dev/full ]; then
    code=0
    "$GLOBDYN" help >/dev/full 2>err || code=$?
    [ "$code" -eq 5 ] || fail "a full disk gave exit code $code"
    says err 'cannot write to standard output'
    code=0
    "$GLOBDYN" schema >/dev/full 2>err || code=$? # fails in the middle, not at the end
    [ "$code" -eq 5 ] || fail "schema to a full device gave exit code $code"
    says err 'cannot write to standard output: No space left on device'
fi
code=0
"$GLOBDYN" help >&- 2>err || code=$?
[ "$code" -eq 5 ] || fail "a closed standard output gave exit code $code"
says err 'standard output is closed'

# A folder stands for the case.yaml in it: in messages, as the base of files that it names, and for the name of the results.
mkdir -p inside/rail empty
sliding_cart >inside/rail/case.yaml
printf 'trajectories:\n  way: {of: cart.P, kind: file, file: way.csv}\n' >>inside/rail/case.yaml
printf 'p,x,y\n0,0,0\n1,1,0\n2,2,0\n' >inside/rail/way.csv
for name in inside/rail inside/rail/ ./inside/rail//; do
    rm -rf results
    expect 0 regions "$name" --no-pictures
    [ -f results/rail/regions.csv ] || fail "results of '$name' are not in results/rail"
done
(cd inside/rail && "$GLOBDYN" check . >/dev/null 2>&1) || fail "the folder . is no case"
expect 5 check empty
says err 'empty: error: cannot read: Is a directory'
# What a case lacks is told with the file; a function with an argument that it does not take, with both.
expect 3 optimize inside/rail
says err '^inside/rail/case.yaml: error: the case has no design variables'
{ cat inside/rail/case.yaml && printf 'parameters: {F: 20, g: sqrt(F - 15)}\n'; } >root.yaml
cp inside/rail/way.csv .
expect 3 check root.yaml --set F=10
says err "root.yaml:.*: error: parameter 'g' has no value here: sqrt\(-5\) has no value"
says err 'help: sqrt takes numbers from 0 on'

# Names, options and lines of files with control characters (ESC, DEL, C1 in UTF-8, newline) and bytes that are no UTF-8:
# nothing of them comes out, on either stream.
odd=$'a\e[31m\x7f\xc2\x9b2J\xff\xc0\x9bb'
harmless() {
    LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out err && fail "$*: control characters: $(cat -v out err)"
    iconv -f UTF-8 -t UTF-8 out err >/dev/null 2>&1 || fail "$*: no UTF-8: $(cat -v out err)"
}
sliding_cart >"$odd.yaml"
printf 'trajectories:\n  way: {of: cart.P, p: [0, 1], path: {x: p}, points: 3}\n' >>"$odd.yaml"
expect 0 check "$odd.yaml" -o "$odd"
says err 'Picture: a.u001b.*xff.xc0.x9bb.machine.png'
harmless check
PATH=/nowhere expect 0 regions "$odd.yaml" -o "$odd"
says err 'Results are in a.u001b'
harmless regions
PATH=/nowhere expect 0 regions "$odd.yaml" -o "$odd" --json
python3 -c 'import json; json.load(open("out"))' || fail "no JSON with an odd name"
harmless JSON
for command in "$odd" "check $odd" "check" "regions --trajectory $odd $odd.yaml" "check --set $odd=3 $odd.yaml" "check --without $odd $odd.yaml" \
    "study show $odd" "feasible --motion $odd $odd.yaml" "plot $odd" "new $odd" "explain $odd" "import $odd" "help $odd" "check --$odd x.yaml" \
    "verify $odd.yaml" "report $odd.yaml -o $odd"; do
    "$GLOBDYN" $command >out 2>err </dev/null
    harmless "$command"
done
expect 5 check $'x\nerror: forged.yaml'
says err '^x.u000aerror: forged.yaml: error: cannot open'
expect 2 $'x\ny'
says err 'no command .x.u000ay. .GD070'
printf 'G1 X5 \xc2\x9b31m\e[2J F100 $$\n' >odd.nc
"$GLOBDYN" import odd.nc -o - >out 2>err && fail "an odd program was read"
harmless G-code
printf 'format: 1\nname: "a\\e[31m \\x9b2J"\nabout: "\\e[2J"\nmachin: {}\n' >odd.yaml
expect 3 check odd.yaml
harmless names

# Drives that a repeat makes: left out by a file that includes theirs, by --without, or changed. 2 kg are moved by 10, 20 and
# 30 N: accel = 30, and 15 without the third.
{ sliding_cart | sed '/^  drives:/,$d'; cat <<'YAML'; } >base.yaml
  drives: {d$i: {repeat: {i: 1..3}, at: rail, force: {limit: 10 N * i}, range: {min: -2 m, max: 2 m}}}
parameters: {load: {value: 1 kg, between: [0 kg, 1 kg]}, least: 1}
trajectories:
  way: {of: cart.P, p: [0, 1], path: {x: p}, points: 3}
  back: {of: cart.P, p: [0, 1], path: {x: -p}, points: 3}
design: {least: {min: 0.5, max: 2}}
optimize: {objectives: {o: {minimize: least*way.time}}, constraints: {third: way.travel.d3 <= 9 m, loaded: load <= 9 kg}}
YAML
# accel NUMBER ARGUMENTS...
accel() {
    local wanted=$1
    shift
    expect 0 evaluate --json "$@"
    awk -v wanted="$wanted" '/^   "[a-z]*": \{/ { way = /"way"/ } way && /"accel":/ { found = 1; d = $2 - wanted; off = d * d > 1e-18 }
        END { exit !found || off }' out || fail "accel is not $wanted: $*"
}
over() { printf 'format: 1\ninclude: [%s]\n%s\n' "$1" "$2"; }
over base.yaml 'machine: {drives: {d3: ~}}
optimize: {constraints: {third: ~}}' >two.yaml
over base.yaml 'machine: {drives: {d3: {force: {limit: 4 N}}}}' >weak.yaml
over weak.yaml 'machine: {drives: {d3: ~, d$i: {repeat: {i: [1, 2]}, force: {limit: 8 N}}}}
optimize: {constraints: {third: ~}}' >even.yaml
sed 's/^  drives: {/  drives: {d2: ~, /; s/travel.d3/travel.d1/' base.yaml >inside.yaml
accel 30 base.yaml
accel 15 two.yaml
accel 17 weak.yaml
accel 8 even.yaml
accel 20 inside.yaml
accel 15 base.yaml --without d3,optimize.constraints.third
accel 5 base.yaml --without d3 --without d2,optimize.constraints.third
expect 3 check base.yaml --without d3
says err "base.yaml:.*d3"
says err 'help: leave out what refers to it as well, by its path'
expect 0 check base.yaml --no-pictures --without trajectories.back
says out '^  way '
grep -q '^  back ' out && fail "the trajectory is still there"
expect 2 check base.yaml --without d4
says err "the case has no drive 'd4'"
says err "did you mean 'd"
expect 2 check base.yaml --without trajectories.sideways
says err "the case has no entry 'trajectories.sideways'"
sed 's/^  drives: {/  drives: {d2: {at: rail, force: {limit: 1 N}}, /' base.yaml >twice.yaml
expect 3 check twice.yaml
says err "repeat creates the name 'd2' twice"

# A value outside of `between` matters to statistics alone.
accel 30 base.yaml --set load=3kg
expect 0 traverse base.yaml --set load=3kg --no-pictures -o r
sed 's/loaded: load <= 9 kg/loaded: worst.way.time <= 9 s/' base.yaml >statistics.yaml
accel 30 statistics.yaml
expect 0 traverse statistics.yaml --set load=3kg --no-pictures -o r
expect 3 evaluate statistics.yaml --set load=3kg
says err "statistics.yaml:.*the value of 'load' lies outside of its ends"
expect 3 sweep base.yaml --tolerances --set load=3kg
says err "the value of 'load' lies outside of its ends"
sed 's/value: 1 kg, between/value: 3 kg, between/' base.yaml >outside.yaml
expect 0 check outside.yaml --no-pictures
says err "warning: the parameter's value lies outside of its ends"
sed 's/value: 1 kg, between/value: 3 kg, between/' statistics.yaml >outside.yaml
expect 3 check outside.yaml --no-pictures
says err "error: the parameter's value lies outside of its ends"

# Rows from which no motion along the path follows: the place, the amount, the cause.
printf 't [ms],p [mm]\n# six rows\n0,0\n50,10\n100,60\n150,120\n200,160\n300,164\n' >rows.csv
sed 's/p: \[0, 1\]/p: [0, 165 mm]/' base.yaml >short.yaml
expect 3 feasible short.yaml --trajectory way --motion rows.csv -o r
says err 'rows.csv:7:1: error: after this row the polynomial through the rows reaches p = 0.169.*, 0.004.* m beyond .way.'

# A reader that goes away.
code=$( ("$GLOBDYN" schema; echo $? >code) 2>err | head -c 10 >/dev/null; cat code)
[ "$code" -eq 5 ] || [ "$code" -eq 0 ] || fail "a closed pipe gave exit code $code"
silent err

finish
