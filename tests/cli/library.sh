# The program in docs/library.md compiles from the header alone and prints the closed form; the public face has three
# rings, and the first is documented function by function.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c/ { inside = 1; next } /^```/ { inside = 0 } inside' "$SOURCE/docs/library.md" > "$work/main.c"
library=$(dirname "$GLOBDYN")/libglobdyn.a
headers=$(dirname "$GLOBDYN")/floors/public
ring() {
    sed -n "/^set($1_headers/,/)/p" "$SOURCE/src/public_headers.cmake" | grep -o '[a-z_]*/[a-z_]*\.h' | sort
}
ring users >"$work/users"
ring mechanics | sort - "$work/users" >"$work/public"
sed -n 's/^#include "\(.*\)"/\1/p' "$headers/globdyn.h" | sort >"$work/included"
cmp "$work/public" "$work/included" # globdyn.h includes every public header
# HEADER FUNCTION: few enough, those for users all in docs/library.md.
/usr/bin/python3 "$SOURCE/scripts/measure" --public | sed -n 's/^ *\([a-z_/]*\.h\): \([a-z0-9_]*\),.*/\1 \2/p' >"$work/functions"
[ "$(wc -l <"$work/functions")" -le 450 ] || { echo "$(wc -l <"$work/functions") public functions"; exit 1; }
grep -o '`gdyn_[a-z0-9_]*`' "$SOURCE/docs/library.md" | tr -d '`' | sort -u >"$work/documented"
awk 'FILENAME ~ /users/ { user[$1] } FILENAME ~ /documented/ { there[$1] }
    FILENAME ~ /functions/ && ($1 in user) && !($2 in there) { print $2 " is not in docs/library.md"; bad = 1 }
    END { exit bad }' "$work/users" "$work/documented" "$work/functions"
# A library built with sanitizers wants their run time too.
if nm "$library" 2>/dev/null | grep -q __asan_; then
    LIBRARY_FLAGS="${LIBRARY_FLAGS:-} -fsanitize=address,undefined"
fi
${CC:-cc} -std=c17 -Wall -Werror -I"$headers" "$work/main.c" "$library" \
    ${LIBRARY_FLAGS:-} -llapacke -lopenblas -lnlopt -lgsl -lyaml -ljansson -lglpk -lm -o "$work/main"
"$work/main" > "$work/out"
[ "$(grep -c 'steady up to 10.000 m/s, at rest d2 from -50.000 to 50.000' "$work/out")" = 3 ] || {
    cat "$work/out"
    exit 1
}
