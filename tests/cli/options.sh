# docs/cli.md and the program say the same: every command and every option of a command's --help stands
# in the tables, and the tables name none that the program does not take.
. "$SOURCE/tests/cli/lib.bash"
doc="$SOURCE/docs/cli.md"

# --- commands ---------------------------------------------------------------------------------
"$GLOBDYN" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$' | sort >commands
sed -n '/^| command /,/^$/s/^| `\([a-z]*\).*/\1/p' "$doc" | sort >documented
cmp -s commands documented || fail "commands: $(diff commands documented | grep '^[<>]' | tr '\n' ' ')"
[ "$(wc -l <commands)" -gt 10 ] || fail "the list of commands was not understood"

# --- options ----------------------------------------------------------------------------------
# "COMMAND OPTION" of every help.
while read -r command; do
    "$GLOBDYN" help "$command" | sed -n 's/^ .*  *--\([a-z-]*\)[ =[].*/\1/p' | sed "s/^/$command /"
done <commands | grep -vE ' (quiet|verbose|help)$' | sort -u >taken

# "COMMAND OPTION" of every row of the table: the options of its first cell for the commands of the
# second; -o stands for --output.
with_case="check modes workspace regions reactions traverse report feasible simulate verify evaluate sweep optimize"
sed -n '/^## Options/,/^## /s/^| \(`-.*\)/\1/p' "$doc" | sed 's/\\|/,/g' |
    while IFS='|' read -r options where _; do
        where=$(printf '%s' "$where" | sed -e 's/([^)]*)//g' -e 's/study [a-z]*/study/g')
        case $where in
        *'all with a CASE'*) where=$with_case ;;
        *' all '*) continue ;;
        esac
        printf '%s' "$options" | grep -oE '`-[^`]*`' | tr -d '`' | while read -r option _; do
            option=${option%%[=[]*}
            [ "$option" = -o ] && option=--output
            for command in $(printf '%s' "$where" | tr ',' ' '); do
                echo "$command ${option#--}"
            done
        done
    done | sort -u >written
[ "$(wc -l <taken)" -gt 40 ] || fail "the help was not understood"
[ -z "$(comm -23 taken written)" ] ||
    fail "in --help but not in docs/cli.md: $(comm -23 taken written | tr '\n' ';')"
[ -z "$(comm -13 taken written)" ] ||
    fail "in docs/cli.md but not in --help: $(comm -13 taken written | tr '\n' ';')"

# A choice: the words that the help offers stand in a row of the table that has the option.
while read -r command; do
    "$GLOBDYN" help "$command" |
        sed -n 's/^ .*  *--\([a-z-]*\)[ =[].*: \(.* or [a-z-]*\)\( (default)\)\{0,1\}$/\1 \2/p' |
        sed 's/(default)//g; s/,//g; s/ or / /g' | while read -r option choices; do
        for word in $choices; do
            sed -n '/^## Options/,/^## /p' "$doc" | grep -- "--$option" | grep -E "\|.*\b$command\b" |
                grep -qw -- "$word" || echo "$command --$option $word"
        done
    done
done <commands >unsaid
[ ! -s unsaid ] || fail "choices that docs/cli.md does not name: $(tr '\n' ';' <unsaid)"
finish
