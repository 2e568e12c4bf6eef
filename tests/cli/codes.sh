# Codes of messages: every place in the sources that emits one names its kind, every kind is used and explained, bad cases
# have codes.
. "$SOURCE/tests/cli/lib.bash"

# One table: the marks of the header are its rows, in order, each once.
grep -oE '"\\1GD[0-9]{3}\\1"' "$SOURCE/src/base/codes.h" | grep -oE 'GD[0-9]+' >marks
[ -z "$(uniq -d marks)" ] || fail "a code is given twice: $(uniq -d marks)"
expect 0 explain
grep -oE '^  GD[0-9]+' out | tr -d ' ' | cmp -s - marks || fail "the table of codes is not that of the header"
while read -r code; do
    expect 0 explain "$code"
    [ "$(wc -l <out)" -ge 5 ] || fail "$code has no explanation"
    [ "$(awk '{ if (length > 80) n++ } END { print n + 0 }' out)" = 0 ] || fail "$code: lines of more than 80 characters"
done <marks
expect 0 explain gd020
expect 2 explain GD999
says err 'there is no code .GD999. \[GD070\]'
expect 0 explain all
grep -oE '^## GD[0-9]+' out | tr -d '# ' | cmp -s - marks || fail "explain all leaves codes out"

# Every call that emits a diagnostic has a format that begins with a mark; every mark is used.
python3 "$SOURCE/tests/cli/codes.py" "$SOURCE/src" >out 2>err || fail "places without a code, or codes without a place"

# Every bad case is refused with a code behind each message, and the kinds of a case are met there.
# (The sanitizers see all of them in test_bad_input.)
files=("$SOURCE"/tests/bad/*.yaml)
((${GDYN_SANITIZED:-0})) && files=("${files[@]:0:20}")
for file in "${files[@]}"; do
    "$GLOBDYN" check "$file" 2>&1 </dev/null | grep -aE '(error|warning): ' | sed "s|^[^ ]*: ||"
done >messages
grep -avE ' \[GD[0-9]{3}\]$' messages >bare
[ ! -s bare ] || fail "messages without a code: $(head -n 3 bare)"
grep -aoE '\[GD[0-9]{3}\]$' messages | tr -d '[]' | sort | uniq -c | sort -rn >met
[ "$(wc -l <met)" -ge "$(share 30)" ] || fail "only $(wc -l <met) kinds are met in tests/bad"
finish
