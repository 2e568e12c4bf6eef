# The program in docs/library.md compiles from the header alone and prints the closed form.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c/ { inside = 1; next } /^```/ { inside = 0 } inside' "$SOURCE/docs/library.md" > "$work/main.c"
library=$(dirname "$GLOBDYN")/libglobdyn.a
headers=$(dirname "$GLOBDYN")/floors/public
sed -n '/^set(public_headers/,/)/p' "$SOURCE/src/public_headers.cmake" | grep -o '[a-z_]*/[a-z_]*\.h' | sort >"$work/public"
sed -n 's/^#include "\(.*\)"/\1/p' "$headers/globdyn.h" | sort >"$work/included"
cmp "$work/public" "$work/included" # globdyn.h includes every public header
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
