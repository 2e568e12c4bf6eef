# docs/samples/slider.c compiles from the header alone and prints the closed form; the public face has three
# rings, and the first is documented function by function.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$BUILD/libglobdyn.a
headers=$BUILD/floors/public
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
${CC:-cc} -std=c17 -Wall -Werror -I"$headers" "$SOURCE/docs/samples/slider.c" "$library" \
    ${LIBRARY_FLAGS:-} -llapacke -lopenblas -lnlopt -lgsl -lyaml -ljansson -lglpk -lm -o "$work/main"
"$work/main" > "$work/out"
[ "$(grep -c 'steady up to 10.000 m/s, at rest d2 from -50.000 to 50.000' "$work/out")" = 3 ] || {
    cat "$work/out"
    exit 1
}

# docs/samples/motion.c: the fastest motion is the program's, and there is a verdict.
shared=$BUILD
[ "${GDYN_SANITIZED:-0}" = 0 ] && [ -e "$shared/libglobdyn.so" ] || exit 0
${CC:-cc} -std=c17 -Wall -Werror -I"$headers" "$SOURCE/docs/samples/motion.c" -L"$shared" -Wl,-rpath,"$shared" -lglobdyn \
    -o "$work/motion"
printf 't,p\n0,0\n1,0.15625\n2,0.5\n3,0.84375\n4,1\n' >"$work/slow.csv"
cd "$work"
./motion "$SOURCE/cases/two_link_arm/case.yaml" slow.csv >out
"$GLOBDYN" traverse "$SOURCE/cases/two_link_arm/case.yaml" --no-pictures -o r >theirs 2>err
time=$(sed -n 's/^line: T = \([0-9.]*\) s.*/\1/p' theirs)
awk -v time="$time" '/^line: T/ { good = ($4 - time) ^ 2 < 1e-12 } /"feasible":/ { verdict = 1 } END { exit !(good && verdict) }' out || {
    cat out
    exit 1
}
