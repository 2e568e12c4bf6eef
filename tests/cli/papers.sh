# Every command of docs/papers.md runs and ends as its row says: 0, or the exit code that follows it in parentheses. Files,
# columns of tables and pictures that a row names are among what its commands write.
. "$SOURCE/tests/cli/lib.bash"

ln -s "$SOURCE/cases" cases
mkdir none # no gnuplot: scripts of pictures are written all the same
count=0

# run COMMAND CODE: into the folder out$count; with pictures only when the row names one. A command of several rows runs once.
declare -A done help
run() {
    local extra=() arguments
    if [ -n "${done[$1]}" ] && [[ $row != *picture* || -n ${done[$1 drawn]} ]]; then
        written+=("${done[$1]}")
        return
    fi
    eval "arguments=(${1#globdyn })"
    [[ $1 == "globdyn optimize "* ]] && extra+=(--evaluations 24)
    # searches and simulations are cut short, but for those that end with another exit code
    [[ $1 == "globdyn simulate "* && -z $2 ]] && extra+=(--duration 0.1)
    [ -n "${help[${arguments[0]}]}" ] || help[${arguments[0]}]=$("$GLOBDYN" help "${arguments[0]}")
    [[ $row == *picture* || ${help[${arguments[0]}]} != *--no-pictures* ]] || extra+=(--no-pictures)
    # results over each other: of the commands before
    if [[ $1 == "globdyn plot "* ]]; then
        { ((${GDYN_SANITIZED:-0})) || ! gnuplot --version >/dev/null 2>&1; } && complete=0 && return
    fi
    local folder="out$count"
    if [[ $1 == *" -o "* ]]; then
        folder=${1##* -o }
    elif [[ ${help[${arguments[0]}]} == *" -o"* ]]; then
        extra+=(-o "$folder")
    fi
    if [[ $1 == "globdyn plot "* ]]; then
        expect "${2:-0}" "${arguments[@]}"
    else
        PATH=${row_path:-$PATH} expect "${2:-0}" "${arguments[@]}" "${extra[@]}"
    fi
    written+=("$folder")
    done[$1]=$folder
    [[ $row != *picture* ]] || done[$1 drawn]=1
}

# words PATTERN: what stands in backticks after that word in the row, several joined by commas and `and`.
words() {
    grep -oE "$1s? \`[^\`]+\`((,| and|, and) \`[^\`]+\`)*" <<<"$row" | grep -oE '`[^`]+`' | tr -d '`' | grep -v '^globdyn '
}

# heads: names of all columns that the row's commands have written, without units.
heads() {
    local folder
    for folder in "${written[@]}"; do
        head -qn 1 "$folder"/*.csv 2>/dev/null
    done | tr ',' '\n' | sed 's/ *\[.*\]$//'
}

look() {
    local name
    if [[ $row =~ \.(csv|json) ]]; then
        for name in $(grep -oE '`[a-z_]+\.(csv|json)`' <<<"$row" | tr -d '`'); do
            ls "${written[@]/%//$name}" 2>/dev/null | grep -q . || fail "no command writes $name: $row"
        done
    fi
    if [[ $row == *column* ]]; then
        heads >columns
        for name in $(words column); do
            grep -qE "^${name//\*/.*}\$" columns || fail "no command writes a column $name: $row"
        done
    fi
    if [[ $row == *picture* ]]; then
        for name in $(words picture); do
            ls "${written[@]/%//$name.gp}" 2>/dev/null | grep -q . || fail "no command draws $name: $row"
        done
    fi
}

while IFS= read -r row; do
    written=()
    row_path=
    [[ $row == *picture* ]] && row_path=$work/none
    complete=1
    while IFS='|' read -r command code; do
        count=$((count + 1))
        # the sanitizers, in whose sight the same parts of the program run in other tests too, see every eighth command
        ((${GDYN_SANITIZED:-0} && count % 8)) && complete=0 && continue
        run "$command" "$code"
    done < <(grep -oE '`globdyn [^`]*`( \(exit code [0-9]+\))?' <<<"$row" |
        sed -E 's/^`([^`]*)`( \(exit code ([0-9]+)\))?$/\1|\3/')
    ((complete)) && look
done < <(grep '^|' "$SOURCE/docs/papers.md")
[ "$count" -ge 25 ] || fail "only $count commands in docs/papers.md"

# Files and programs that it names are there.
grep -oE '`(tests|src|cases|docs)/[^` ]*`' "$SOURCE/docs/papers.md" | tr -d '`' | sort -u >named
while read -r file; do
    [ -e "$SOURCE/$file" ] || fail "docs/papers.md names $file, which is not there"
done <named
finish
