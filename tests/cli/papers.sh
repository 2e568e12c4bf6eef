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

# words PATTERN: sets `names` to what stands in backticks after that word in the row, several joined by commas and `and`.
words() {
    local rest=$row list item='`[^`]+`'
    local pattern="$1s? ($item((,| and|, and) $item)*)(.*)"
    names=()
    while [[ $rest =~ $pattern ]]; do
        list=${BASH_REMATCH[1]} rest=${BASH_REMATCH[4]}
        while [[ $list =~ \`([^\`]+)\`(.*) ]]; do
            list=${BASH_REMATCH[2]}
            [[ ${BASH_REMATCH[1]} == globdyn\ * ]] || names+=("${BASH_REMATCH[1]}")
        done
    done
}

# wrote NAME: one of the row's commands did.
wrote() {
    local folder
    for folder in "${written[@]}"; do
        [ -e "$folder/$1" ] && return
    done
    return 1
}

# heads: names of all columns that the row's commands have written, without units.
heads() {
    local folder
    for folder in "${written[@]}"; do
        head -qn 1 "$folder"/*.csv 2>/dev/null
    done | tr ',' '\n' | sed 's/ *\[.*\]$//'
}

look() {
    local name rest=$row columns
    while [[ $rest =~ \`([a-z_]+\.(csv|json))\`(.*) ]]; do
        rest=${BASH_REMATCH[3]} name=${BASH_REMATCH[1]}
        wrote "$name" || fail "no command writes $name: $row"
    done
    if [[ $row == *column* ]]; then
        columns=$'\n'$(heads)$'\n'
        words column
        for name in "${names[@]}"; do
            [[ $columns =~ $'\n'${name//\*/[^$'\n']*}$'\n' ]] || fail "no command writes a column $name: $row"
        done
    fi
    if [[ $row == *picture* ]]; then
        words picture
        for name in "${names[@]}"; do
            wrote "$name.gp" || fail "no command draws $name: $row"
        done
    fi
}

while IFS= read -r row; do
    written=()
    row_path=
    [[ $row == *picture* ]] && row_path=$work/none
    complete=1
    rest=$row
    while [[ $rest =~ \`(globdyn\ [^\`]*)\`(\ \(exit\ code\ ([0-9]+)\))?(.*) ]]; do
        command=${BASH_REMATCH[1]} code=${BASH_REMATCH[3]} rest=${BASH_REMATCH[4]}
        count=$((count + 1))
        # the sanitizers, in whose sight the same parts of the program run in other tests too, see every eighth command
        ((${GDYN_SANITIZED:-0} && count % 8)) && complete=0 && continue
        run "$command" "$code"
    done
    ((complete)) && look
done < <(grep '^|' "$SOURCE/docs/papers.md")
[ "$count" -ge 25 ] || fail "only $count commands in docs/papers.md"

# Files and programs that it names are there.
grep -oE '`(tests|src|cases|docs)/[^` ]*`' "$SOURCE/docs/papers.md" | tr -d '`' | sort -u >named
while read -r file; do
    [ -e "$SOURCE/$file" ] || fail "docs/papers.md names $file, which is not there"
done <named
finish
