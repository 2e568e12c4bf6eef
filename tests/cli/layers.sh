# casefile/ is in layers: every file calls and includes only what stands above it in src/README.md. The calls are
# those of the compiled objects.
. "$SOURCE/tests/cli/lib.bash"

objects=$BUILD/CMakeFiles/gdyn_casefile.dir/src/casefile
folder=$SOURCE/src/casefile

# The files in the order of the list, headers among them.
awk '/^`casefile\/`/ { now = 1; next } /^`[a-z]*\/`/ { now = 0 } now' "$SOURCE/src/README.md" |
    grep '^|' | grep -o '`[a-z_0-9]*\.[ch]`' | tr -d '`' >order
(cd "$folder" && ls ./*.[ch]) | sed 's|^\./||' | sort >there
sort order | cmp -s - there || fail "src/README.md and casefile/ differ: $(sort order | comm -3 - there | tr '\n\t' ' *')"

# SYMBOL FILE of all that is exported, then every use of a symbol from a file below.
files=()
while read -r file; do
    case $file in *.c) files+=("$objects/$file.o") ;; esac
done <order
# symbols OPTION...: "FILE [ADDRESS] TYPE SYMBOL" of each
symbols() {
    nm -A "$@" "${files[@]}" | sed 's|^[^:]*/\([a-z_0-9]*\.c\)\.o:|\1 |'
}
symbols --defined-only -g | awk '{ print $4, $1 }' >exported
[ "$(wc -l <exported)" -gt 100 ] || fail "no symbols in $objects"
symbols -u | awk '{ print $1, $3 }' >used
awk 'FILENAME == "order" { at[$1] = FNR }
    FILENAME == "exported" { home[$1] = $2 }
    FILENAME == "used" && ($2 in home) && at[home[$2]] > at[$1] { print $1 " calls " $2 " of " home[$2] }' \
    order exported used >upward
[ ! -s upward ] || fail "calls of what stands below in src/README.md: $(cat upward)"

# The same for headers; a header may stand anywhere above the first file that it is for.
grep -o '#include "casefile/[a-z_]*\.h"' "$folder"/*.[ch] |
    sed 's|.*/\([a-z_]*\.[ch]\):#include "casefile/\(.*\)"|\1 \2|' >included
awk 'FILENAME == "order" { at[$1] = FNR }
    FILENAME == "included" && at[$2] > at[$1] { print $1 " includes " $2 }' order included >upward
[ ! -s upward ] || fail "headers of what stands below in src/README.md: $(cat upward)"
finish
