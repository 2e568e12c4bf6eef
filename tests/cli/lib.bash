# Helpers of the shell tests: every test runs in a fresh folder and counts what went wrong.
# GLOBDYN is the program, SOURCE this project's folder.

work=$(mktemp -d "${TMPDIR:-/tmp}/globdyn-test.XXXXXX")
trap 'chmod -R u+rwX "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 runs=0

fail() {
    echo "FAILED: $*"
    echo "--- standard output (first lines)"
    head -n 20 out 2>/dev/null
    echo "--- standard error (first lines)"
    head -n 20 err 2>/dev/null
    failures=$((failures + 1))
}

# expect CODE ARGUMENTS...: runs the program into the files out and err and checks the exit code. The sanitizers look for leaks in
# the first and then in every fourth run: it doubles the time of a start.
expect() {
    local code=$1 got=0
    shift
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=$((runs++ % 4 == 0)) "$GLOBDYN" "$@" >out 2>err </dev/null || got=$?
    [ "$got" -eq "$code" ] || fail "globdyn $* gave exit code $got, not $code"
}

# says FILE PATTERN: the file (out, err, ...) holds a line that matches the extended expression. Short files are read here: a
# process costs more.
says() {
    local line lines
    mapfile -t -n 100 lines <"$1" 2>/dev/null
    for line in "${lines[@]}"; do
        [[ $line =~ $2 ]] 2>/dev/null && return
    done
    grep -Eq -- "$2" "$1" || fail "$1 does not say: $2"
}

# cat: standard input, or one file, without a process, which would cost more than a small text. A byte zero ends what bash can hold.
cat() {
    local text
    if [ $# -gt 1 ] || { [ $# = 1 ] && ! [ -f "$1" ]; }; then
        command cat "$@"
    elif [ $# = 1 ]; then
        IFS= read -r -d '' text <"$1" && command cat "$1" || printf %s "$text"
    elif IFS= read -r -d '' text; then
        printf '%s\0' "$text" && command cat
    else
        printf %s "$text"
    fi
}

# wait_for PID COMMAND...: waits until the command succeeds; false when the process ended before it did. Tests
# wait for events, never for times: a loaded machine takes as long as it takes.
wait_for() {
    local pid=$1
    shift
    until "$@" 2>/dev/null; do
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.02
    done
}

# caught PID: the program (no more the shell before it) catches SIGINT, the second bit of the mask.
caught() {
    awk '/^Name:/ { name = $2 } /^SigCgt:/ { last = substr($2, length($2)) }
         END { exit !(name == "globdyn" && last ~ /[2367abef]/) }' /proc/$1/status 2>/dev/null
}

# designs STUDY: how many designs stand in it, also while a search is writing; 0 when there is none yet.
designs() {
    local rows
    rows=$("$GLOBDYN" study export "$1" 2>/dev/null | wc -l)
    echo $((rows > 0 ? rows - 1 : 0))
}

# holds STUDY COUNT: it has at least that many designs. Asked ten times a second at most, as it starts the program.
holds() {
    [ -s "$1/study.db" ] || return 1
    [ "$(designs "$1")" -ge "$2" ] || { sleep 0.08 && return 1; }
}

# below A B: number A is there and less than B
below() {
    awk "BEGIN { exit !(\"$1\" != \"\" && $1 < $2) }" || fail "$1 is not below $2"
}

silent() {
    [ ! -s "$1" ] || fail "$1 is not empty"
}

# find_python: sets `python` to one with numpy, scipy and yaml; ends the test as failed when there is none
# (Debian's packages do not serve a python3 that stands before Debian's own in PATH).
find_python() {
    for python in /usr/bin/python3 python3; do
        "$python" -c 'import numpy, scipy, yaml' 2>err && return
    done
    fail "no Python with numpy, scipy and yaml: scripts/setup reference installs them"
    finish
}

# Debian's own starts faster than a wrapper that stands before it in PATH.
python3() {
    if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else command python3 "$@"; fi
}

# share COUNT: that many machines, a sixth of them where the sanitizers make the program slow.
share() {
    echo $((${GDYN_SANITIZED:-0} ? ($1 + 5) / 6 : $1))
}

finish() {
    if [ "$failures" -gt 0 ]; then
        echo "$failures checks failed"
        exit 1
    fi
    echo "all checks passed"
}

# sliding_cart: a machine without trajectories, 2 kg on a rail, driven by up to 20 N.
sliding_cart() {
    cat <<'YAML'
format: 1
name: slide
machine:
  space: planar
  gravity: [0, 0]
  ground: {points: {O: [0, 0]}}
  bodies:
    cart: {mass: 2 kg, inertia: 0.1 kg m^2, points: {P: [0, 0]}, pose: [0, 0, 0]}
  joints:
    rail: {type: prismatic, of: [cart.P, ground.O]}
  drives:
    push: {at: rail, force: {limit: 20 N}}
YAML
}

# out_of_reach NAME [TEXT]: an arm of 1 m and a path beyond it; both texts as YAML has them between quotes.
out_of_reach() {
    cat <<YAML
format: 1
name: "$1"
${2:+about: "$2"}
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    arm: {mass: 1 kg, inertia: 0.1 kg m^2, com: [0.5, 0], points: {O: [0, 0], tip: [1, 0]}, pose: [0, 0, 0]}
  ground: {points: {O: [0, 0], far: [5, 0]}}
  joints:
    pin: {type: revolute, of: [arm.O, ground.O]}
  drives:
    m: {at: pin, torque: {limit: 5 N m}}
trajectories:
  far: {of: arm.tip, kind: line, from: [2, 0], to: [3, 0], points: 5}
YAML
}

# cart_and_load: 21 kg on a rail, of which 20 kg are held up: 10 m/s^2, 2 m/s, from rest to rest over 0.6 m.
cart_and_load() {
    cat <<'YAML'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  bodies: {cart: {mass: 1, inertia: 1}, load: {mass: 20, inertia: 1}}
  joints:
    rail: {type: prismatic, of: [cart, ground], axis: [1, 0]}
    lift: {type: prismatic, of: [load, cart], axis: [0, 1]}
  drives:
    push: {at: rail, force: {limit: 210 N}, speed: {max: 2 m/s}}
    hold: {at: lift, force: {min: 0, max: 500 N}}
trajectories:
  way: {joints: {rail: p, lift: 0}, p: [0, 0.6 m], points: 31}
YAML
}

# never_feasible NAME: a study of formulas, with sizes as choices, in which no design keeps its constraint.
never_feasible() {
    cat <<YAML
format: 1
name: "$1"
parameters: {a: 1 m, b: 2}
design:
  a: {min: 1 m, max: 3 m}
  b: {choices: [1, 2, 5]}
optimize:
  objectives: {"f": {minimize: "a*b"}}
  constraints: {never: "a >= 9 m"}
  algorithm: {name: nsga2, population: 8, seed: 1}
  stop: {evaluations: 24}
YAML
}

# whole FILE: the page needs nothing else; its data are in data.json afterwards.
whole() {
    python3 "$SOURCE/tests/browser/whole_page.py" "$1" || fail "$1 is not a whole page"
}
