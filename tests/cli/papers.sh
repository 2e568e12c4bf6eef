# Every command of docs/papers.md runs and ends as its row says: 0, or the exit code that follows it in parentheses.
. "$SOURCE/tests/cli/lib.bash"

ln -s "$SOURCE/cases" cases
count=0
while IFS='|' read -r command code; do
    count=$((count + 1))
    # the sanitizers, in whose sight the same parts of the program run in other tests too, see every third command
    ((${GDYN_SANITIZED:-0} && count % 3)) && continue
    # results over each other: of the commands before
    if [[ $command == "globdyn plot "* ]]; then
        { ((${GDYN_SANITIZED:-0})) || ! gnuplot --version >/dev/null 2>&1; } && continue
    fi
    eval "arguments=(${command#globdyn })"
    extra=()
    [[ $command == "globdyn optimize "* ]] && ((${GDYN_SANITIZED:-0})) && extra+=(--evaluations 24)
    "$GLOBDYN" help "${arguments[0]}" | grep -q -- '--no-pictures' && extra+=(--no-pictures)
    [[ $command != *" -o "* ]] && "$GLOBDYN" help "${arguments[0]}" | grep -q -- ' -o' && extra+=(-o "out$count")
    expect "${code:-0}" "${arguments[@]}" "${extra[@]}"
done < <(grep -oE '`globdyn [^`]*`( \(exit code [0-9]+\))?' "$SOURCE/docs/papers.md" |
    sed -E 's/^`([^`]*)`( \(exit code ([0-9]+)\))?$/\1|\3/')
[ "$count" -ge 25 ] || fail "only $count commands in docs/papers.md"

# Files and programs that it names are there.
grep -oE '`(tests|src|cases|docs)/[^` ]*`' "$SOURCE/docs/papers.md" | tr -d '`' | sort -u >named
while read -r file; do
    [ -e "$SOURCE/$file" ] || fail "docs/papers.md names $file, which is not there"
done <named
finish
