# The manual pages: every command, option, word of a choice and key of the format stands in them, the code of the documents
# as it is, and the checkers of manual pages find nothing (where mandoc and man are there: scripts/setup manual).
. "$SOURCE/tests/cli/lib.bash"
expect 0 --write-share share "$SOURCE"
silent out

if ((${GDYN_SANITIZED:-0})); then # pages are the same in every build
    expect 0 schema
    expect 0 help study
    [ -s share/man/man1/globdyn-study.1 ] && [ -s share/man/man5/globdyn-case.5 ] || fail "pages are missing"
    expect 5 --write-share share nowhere
    says err "cannot read 'nowhere/README.md'"
    finish && exit 0
fi

# page FILE: as a reader sees it, without the dashes of typesetting.
if command -v mandoc >/dev/null 2>&1; then
    page() { mandoc -T utf8 -O width=1000 "$1" | sed 's/.\x08//g; s/\xc2\xa0/ /g; s/−\|‐/-/g'; }
elif command -v man >/dev/null 2>&1; then
    page() { MANWIDTH=1000 LC_ALL=C.UTF-8 man --no-hyphenation -l "$1" | sed 's/.\x08//g; s/−\|‐/-/g'; }
else
    echo "neither mandoc nor man: scripts/setup manual installs what checks these pages"
    exit 77
fi

# Commands and their options.
"$GLOBDYN" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$' >commands
page share/man/man1/globdyn.1 | tr -s ' ' >program
program=$(<program)
# begins TEXT WORD: a line of the text begins with that word.
begins() {
    [[ $'\n'$1$'\n' =~ $'\n'' '?"$2"[$' \n'] ]]
}
while read -r command; do
    page "share/man/man1/globdyn-$command.1" | tr -s ' ' >shown
    begins "$program" "$command" || fail "globdyn(1) does not list $command"
    [[ $program == *"globdyn-$command(1)"* ]] || fail "globdyn(1) does not refer to globdyn-$command(1)"
    "$GLOBDYN" help "$command" >help
    # Purpose, options with their help and words: the same in both, but for spaces. In the page the help is a line of its own.
    one_line=$(tr -s ' \n' ' ' <shown)
    sed -n '3p' help | sed 's/^/- /' >wanted
    sed -n '/^options:/,/^$/p' help | sed '1d; /^$/d; s/^ *//' | tr -s ' ' >>wanted
    sed '1,/^options:/d' help | sed '1,/^$/d; s/^ *//' | tr -s ' ' >>wanted
    while read -r line; do
        [[ $one_line == *"$line"* ]] || fail "globdyn-$command(1) does not say: $line"
    done <wanted
    [ "$(wc -l <wanted)" -gt 3 ] || fail "the help of $command was not understood"
done <commands
[ "$(find share/man/man1 -name '*.1' | wc -l)" -eq $(($(wc -l <commands) + 1)) ] || fail "there are other pages, too"
for code in 0 1 2 3 4 5 6 7 70; do
    begins "$program" "$code" || fail "globdyn(1) does not explain exit code $code"
done

# The format: every key with its meaning, every block of the schema, all code.
page share/man/man5/globdyn-case.5 | tr -s ' ' >format
format=$(<format)
one_line=$(tr -s ' \n' ' ' <format)
awk '{ print $1 }' format | sort -u >first_words
"$GLOBDYN" schema | sed -n 's/^ *"\([a-z_]*\)": {.*"description": "\([^`"\\]*\).*/\1 \2/p' | sort -u |
    grep -vE '^(like|repeat) ' >keys # of every entry; they have a section
[ "$(wc -l <keys)" -gt 150 ] || fail "the schema was not understood"
cut -d' ' -f1 keys | sort -u | comm -23 - first_words >missing
[ ! -s missing ] || fail "globdyn-case(5) has no keys $(tr '\n' ' ' <missing)"
while read -r key meaning; do
    [[ $one_line == *"${meaning% }"* ]] || fail "globdyn-case(5) does not say: $meaning"
done <keys
"$GLOBDYN" schema | sed -n 's/^    "\(.*\)": {$/\1/p' | while read -r block; do
    grep -Eq "^ ?$block$" format || echo "$block"
done >missing
[ ! -s missing ] || fail "blocks that globdyn-case(5) does not have: $(tr '\n' ' ' <missing)"
awk '/^```/ { inside = !inside; next } inside' "$SOURCE/docs/case-format.md" | sed 's/^ *//' | tr -s ' ' | grep . >code
while read -r line; do
    [[ $format == *"$line"* ]] || fail "globdyn-case(5) spoils the code: $line"
done <code
# Nothing of Markdown and of the formatter is left.
cat program format | sed 's/^ //' | grep -vxFf code | grep -nE '`|\*\*|\\f|\]\(' >left
[ ! -s left ] || fail "markup is left: $(head -n 3 left)"

# The checkers.
: >lint
if command -v mandoc >/dev/null 2>&1; then
    mandoc -T lint -W warning share/man/man*/* >lint 2>&1 || true
fi
for file in share/man/man1/globdyn.1 share/man/man1/globdyn-simulate.1 share/man/man5/*; do # a slow one: some pages
    if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
        MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l -Tutf8 "$file" 2>>lint >/dev/null || fail "man refuses $file"
    fi
done
[ ! -s lint ] || fail "$(head -n 5 lint)"

# What cannot be read or written is said.
expect 5 --write-share share nowhere
says err "cannot read 'nowhere/README.md'"
expect 2 --write-share share
touch file
expect 5 --write-share file "$SOURCE"
says err file
finish
