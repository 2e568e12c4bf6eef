# Every command that README.md and the documents show is run once, and the README's transcript is what the program prints.
. "$SOURCE/tests/cli/lib.bash"
ln -s "$SOURCE/docs" docs
cp -r "$SOURCE/cases" cases
sed -i 's/points: [0-9]\{3\}/points: 21/' cases/*/case.yaml # what a command prints is no matter here

# case.yaml stands for the reader's own case: one with the parameters that the documents name.
cat >case.yaml <<'YAML'
format: 1
name: star
parameters: {leg: 600 mm, rail: 1 m}
design: {leg: {min: 550 mm, max: 900 mm}, rail: {min: 0.5 m, max: 2 m}}
optimize:
  objectives: {long: {maximize: leg + rail}, light: {minimize: leg * rail}}
  algorithm: {name: nsga2}
YAML
expect 0 optimize case.yaml --evaluations 384 --population 48 --no-pictures -q -o results/star
expect 0 optimize case.yaml --evaluations 96 --population 48 --seed 2 --no-pictures -q -o results/other

# In the order of the documents: one may read what another wrote. Words in capitals stand for something; a bare verb is
# prose. Searches are cut short.
# docs/papers.md has a test of its own (papers.sh).
documents=$(ls "$SOURCE"/README.md "$SOURCE"/docs/*.md | grep -v papers.md)
# shellcheck disable=SC2086  # a list
grep -hoE '\bglobdyn (new|check|regions|reactions|traverse|feasible|simulate|verify|evaluate|sweep|optimize|study|schema|import|help)\b[^`#|]*' \
    $documents | sed 's/ *$//' | grep -vE '\b[A-Z]+\b|\.\.\.' |
    grep -E 'case\.yaml|arm\.yaml|study list|study [a-z]+ star|^globdyn (schema|help|import)|new [a-z]' | awk '!seen[$0]++' >commands
count=$(wc -l <commands)
[ "$count" -ge 40 ] || fail "only $count commands were found in the documents"
number=0
while read -r command; do
    extra=
    number=$((number + 1))
    # the sanitizers, in whose sight the same parts of the program run in other tests too, see every third command
    case $command in *results/plan*|*arm.yaml*) ;; *) ((${GDYN_SANITIZED:-0} && number % 3)) && continue ;; esac
    case $command in
    "globdyn optimize case.yaml"*) extra='--evaluations 384 --population 48 --no-pictures' ;;
    "globdyn optimize cases/"*) extra='--evaluations 8 --population 4 --restart --no-pictures' ;;
    "globdyn new "*" -o my.yaml") rm -f my.yaml ;;
    esac
    case $command in *--motion*) ;; *simulate*) extra="$extra --duration 0.1" ;; esac
    case $command in *regions*|*reactions*|*traverse*|*feasible*arm.yaml*|*simulate*|*sweep*) [[ $command == *--no-pictures* ]] || extra="$extra --no-pictures" ;; esac
    eval "set -- ${command#globdyn } $extra"
    code=0
    grep -qF -- "\`$command\` (exit code 1)" "$SOURCE"/docs/*.md && code=1
    expect $code "$@"
    # the robot's motion is appended as its page says
    [[ $command != *"-o arm.yaml" ]] || grep -h '^  move: ' "$SOURCE/docs/import.md" >>arm.yaml
done <commands

rm -r cases
ln -s "$SOURCE/cases" cases
# "$ build/globdyn ..." and the lines below it, whatever the space between words.
awk '/^    \$ build\/globdyn/ { show = 1; sub(/^    \$ build\//, ""); sub(/ *#.*/, ""); print "run " $0; next }
     !/^    / { show = 0 } show' "$SOURCE/README.md" >transcript
[ "$(grep -c '^run ' transcript)" -ge 1 ] || fail "README.md has no transcript"
squeeze() { tr -s ' ' <<<"$1" | sed 's/^ //; s/ $//'; }
while read -r line; do
    case $line in
    "run "*) "$GLOBDYN" ${line#run globdyn } --no-pictures >shown 2>&1 || true ;;
    *) tr -s ' ' <shown | grep -qF -- "$(squeeze "$line")" || fail "README.md: the program does not print: $line" ;;
    esac
done <transcript
finish
