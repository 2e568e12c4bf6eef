# What Tab offers in bash: the script that is installed is loaded, and lines are completed as bash does it.
. "$SOURCE/tests/cli/lib.bash"
expect 0 --write-share share "$SOURCE"
script=share/bash-completion/completions/globdyn
bash -n "$script" 2>err || fail "bash does not read it"
# shellcheck disable=SC1090
. "$script"
complete -p globdyn 2>err | grep -q '_globdyn' || fail "it is not registered"

share=$PWD/share
mkdir -p here/designs
cd here || exit 1
touch machine.yaml other.yml notes.txt motion.csv study.db 'two words.yaml'

# offers LINE: the words for the last one of the line, which bash cuts at "=", too; sorted on one line.
offers() {
    local line=$1
    read -r -a COMP_WORDS <<<"${line//=/ = }"
    case $line in *[\ =]) COMP_WORDS+=('') ;; esac
    # bash has no empty word behind "=" but the sign itself
    case $line in *=) unset 'COMP_WORDS[-1]' ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _globdyn 2>>../err
    local words
    words=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
    echo "${words//$'\n'/ }"
}
# same LINE WORDS: exactly these; some LINE WORD: at least this.
same() { [ "$(offers "$1")" = "$2" ] || fail "'$1' offers '$(offers "$1")', not '$2'"; }
some() { case " $(offers "$1") " in *" $2 "*) ;; *) fail "'$1' does not offer $2 but '$(offers "$1")'" ;; esac; }
none() { case " $(offers "$1") " in *" $2 "*) fail "'$1' offers $2" ;; esac; }

# options_of COMMAND: those of its help.
options_of() {
    "$GLOBDYN" help "$1" | sed -n '/^options:/,/^$/s/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p' | sort
}

# Commands; each offers exactly the options of its help.
"$GLOBDYN" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort >../commands
same "globdyn " "--version $(tr '\n' ' ' <../commands | sed 's/ $//')"
same "globdyn re" "reactions regions report"
same "globdyn help crit" "criteria"
same "globdyn explain GD02" "$("$GLOBDYN" explain | sed -n 's/^  \(GD02[0-9]\) .*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
while read -r command; do
    options_of "$command" >"../options_of_$command"
    offers "globdyn $command --" | tr ' ' '\n' | grep -v = | sort >../offered
    cmp -s "../options_of_$command" ../offered || fail "options of $command: $(diff "../options_of_$command" ../offered | tr '\n' ' ')"
done < <(grep -v '^help$' ../commands)

# Words of options, also behind "=".
same "globdyn regions --method " "elementary lp tuples"
same "globdyn regions --method=" "elementary lp tuples"
same "globdyn regions --method=t" "tuples"
same "globdyn reactions x.yaml --method q" "qr"
same "globdyn optimize --progress=j" "json"
some "globdyn optimize --prog" "--progress=json"
# A number is nobody's guess.
same "globdyn sweep --samples " ""

# Files by their names, folders on the way to them.
same "globdyn check " "designs machine.yaml other.yml two words.yaml"
same "globdyn check ma" "machine.yaml"
same "globdyn feasible machine.yaml --motion " "designs motion.csv"
same "globdyn regions -o " "designs"
same "globdyn plot " "designs"
same "globdyn study front " "designs study.db"
same "globdyn optimize machine.yaml --from s" "study.db"
# Studies have the names of their folders below results.
mkdir -p results/lever results/wide results/plain
touch results/lever/study.db results/wide/sweep.db
same "globdyn study front l" "lever"
same "globdyn report w" "wide"
same "globdyn optimize machine.yaml --from wi" "wide"
same "globdyn check w" ""
rm -r results
none "globdyn verify machine.yaml " "notes.txt"

# Verbs of studies, templates.
same "globdyn study c" "case check compare"
"$GLOBDYN" new | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort | tr '\n' ' ' | sed 's/ $//' >../templates
same "globdyn new " "$(cat ../templates)"
silent ../err

# zsh: it can be read, and offers the same commands and options (where zsh is there).
if command -v zsh >/dev/null 2>&1; then
    zsh -n "$share"/zsh/site-functions/_globdyn 2>err || fail "zsh does not read it"
    while read -r command; do
        sed -n "/^        $command)/,/;;/p" "$share"/zsh/site-functions/_globdyn |
            grep -oE -- "^ *'[^\[]*\[" | grep -oE -- '--[a-z-]+[^a-z -]' | grep -oE -- '--[a-z-]+' | sort -u >../offered
        cmp -s "../options_of_$command" ../offered || fail "zsh, options of $command: $(diff "../options_of_$command" ../offered | tr '\n' ' ')"
    done < <(grep -v '^help$' ../commands)
else
    echo "no zsh: scripts/setup manual installs it"
fi
finish
