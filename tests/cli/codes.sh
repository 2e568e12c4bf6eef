# Codes of messages: every place in the sources that emits one names its kind, every kind is used and explained, bad cases
# have codes.
. "$SOURCE/tests/cli/lib.bash"

# One table: the marks of the header are its rows, in order, each once.
grep -oE '"\\1GD[0-9]{3}\\1"' "$SOURCE/src/base/codes.h" | grep -oE 'GD[0-9]+' >marks
[ -z "$(uniq -d marks)" ] || fail "a code is given twice: $(uniq -d marks)"
expect 0 explain
grep -oE '^  GD[0-9]+' out | tr -d ' ' | cmp -s - marks || fail "the table of codes is not that of the header"
expect 0 explain all
cp out all
awk '/^## GD/ { if (code && lines < 5) print code; code = $2; lines = 0 } { lines++ } END { if (lines < 5) print code }' all >short
[ ! -s short ] || fail "no explanation: $(cat short)"
[ "$(awk '{ if (length > 80) n++ } END { print n + 0 }' all)" = 0 ] || fail "lines of more than 80 characters"
for code in GD001 gd020 "$(tail -n 1 marks)"; do
    expect 0 explain "$code"
    awk -v code="## ${code^^}:" 'index($0, "## ") == 1 { inside = index($0, code) == 1; sub("## ", "") } inside' all |
        sed '${/^$/d}' | cmp -s - <(sed '${/^$/d}' out) || fail "explain $code is another text than in explain all"
done
expect 2 explain GD999
says err 'there is no code .GD999. \[GD070\]'
grep -oE '^## GD[0-9]+' all | tr -d '# ' | cmp -s - marks || fail "explain all leaves codes out"

# Every call that emits a diagnostic has a format that begins with a mark; every mark is used.
/usr/bin/python3 "$SOURCE/tests/cli/codes.py" "$SOURCE/src" >out 2>err || fail "places without a code, or codes without a place"

# Every bad case is refused with a code behind each message, and the kinds of a case are met there.
# (All of them are read by test_bad_input, also with the sanitizers.)
files=("$SOURCE"/tests/bad/*.yaml)
for ((i = 0; i < ${#files[@]}; i += ${GDYN_SANITIZED:-0} ? 20 : 3)); do
    "$GLOBDYN" check --no-pictures "${files[i]}" 2>&1 </dev/null
done | grep -aE '(error|warning): ' | sed "s|^[^ ]*: ||" >messages
grep -avE ' \[GD[0-9]{3}\]$' messages >bare
[ ! -s bare ] || fail "messages without a code: $(head -n 3 bare)"
grep -aoE '\[GD[0-9]{3}\]$' messages | tr -d '[]' | sort | uniq -c | sort -rn >met
[ "$(wc -l <met)" -ge $((${GDYN_SANITIZED:-0} ? 4 : 20)) ] || fail "only $(wc -l <met) kinds are met in tests/bad"
finish
