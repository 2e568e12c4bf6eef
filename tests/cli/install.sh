# The library as others find it: installed into a folder that is then moved, compiled against with pkg-config and
# with CMake, shared and static. The program is docs/samples/slider.c.
. "$SOURCE/tests/cli/lib.bash"

build=$BUILD
[ -e "$build/libglobdyn.so" ] || exit 77 # GDYN_SHARED is off
flags="-std=c17 -Wall -Wextra -Werror"
! command -v ld.gold >/dev/null || flags="$flags -fuse-ld=gold" # faster
[ "${GDYN_SANITIZED:-0}" = 0 ] || flags="$flags -fsanitize=address,undefined"
cmake --install "$build" --prefix "$PWD/first" >out 2>err || fail "cmake --install"
mv first moved
library=$(dirname "$(find "$PWD/moved" -name libglobdyn.so)")
export PKG_CONFIG_PATH="$library/pkgconfig"
cflags=$(pkg-config --cflags globdyn) libs=$(pkg-config --libs globdyn)
version=$(sed -n 's/#define GDYN_VERSION "\(.*\)"/\1/p' "$SOURCE/src/base/version.h")
[ "$(pkg-config --modversion globdyn)" = "$version" ] || fail "pkg-config gives another version than $version"
[ "$(moved/bin/globdyn --version)" = "globdyn $version" ] || fail "the installed program is not $version"
for file in man/man1/globdyn.1 man/man1/globdyn-regions.1 man/man5/globdyn-case.5 bash-completion/completions/globdyn \
    zsh/site-functions/_globdyn; do
    [ -s "moved/share/$file" ] || fail "share/$file is not installed"
done

# The headers are those of the two outer rings.
(cd moved/include && find . -name '*.h') | sed 's|^\./\(globdyn/\)*||' | sort >installed
sed -n '/^set(users_headers/,/)/p; /^set(mechanics_headers/,/)/p' "$SOURCE/src/public_headers.cmake" |
    grep -oE '[a-z_]+/[a-z_]+\.h' | sort - <(echo globdyn.h) >listed
cmp -s listed installed || fail "headers: $(comm -3 listed installed | tr '\n\t' ' *')"

# What others see of the shared library is what the headers declare: no less, no more.
# (the address sanitizer adds symbols of its own)
nm -D --defined-only "$library/libglobdyn.so" | grep -v " __odr_asan" >symbols
awk '$2 == "T" { print $3 }' symbols | sort >seen
# shellcheck disable=SC2086  # flags are words
echo '#include <globdyn.h>' | ${CC:-cc} $cflags -fsyntax-only -aux-info protos -xc - 2>err ||
    fail "globdyn.h alone"
sed -n 's/^.*\*\/ extern [^(]*\b\(gdyn_[a-z0-9_]*\) (.*/\1/p' protos | sort -u >declared
cmp -s seen declared || fail "seen (left) and declared (right) differ: $(comm -3 seen declared | tr '\n\t' ' *')"
cat moved/include/globdyn/*/*.h | sed -n '/^extern const/,/;/p' | grep -owE '(gdyn|GDYN)_[A-Za-z_]+' >constants
awk '$2 != "T" { print $3 }' symbols | grep -vxFf constants >foreign
[ ! -s foreign ] || fail "data that no header declares: $(head -n 3 foreign)"
readelf -d "$library/libglobdyn.so" | grep -q "SONAME.*\[libglobdyn.so.${version%.*}\]" || fail "no SONAME of $version"

# A type has a name of its own, internal ones too.
cat "$SOURCE"/src/*/*.h | sed -n 's/^} \(gdyn_[a-z0-9_]*\);/\1/p' | sort | uniq -d >twice
[ ! -s twice ] || fail "types of the same name: $(tr '\n' ' ' <twice)"

# sample NAME ARGUMENTS...: the program NAME.c by pkg-config, shared and static; both print the same into NAME.out.
sample() {
    # shellcheck disable=SC2046,SC2086  # flags are words
    ${CC:-cc} $flags $cflags "$1.c" $libs -lm -o "$1" 2>err ||
        fail "$1.c, shared"
    ldd "$1" >out
    grep -q 'libglobdyn\.so' out || fail "$1 does not use the shared library"
    LD_LIBRARY_PATH=$library "./$1" "${@:2}" >"$1.out" 2>err || fail "$1 ended with $?"
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} $flags $cflags "$1.c" \
        $(pkg-config --static --libs globdyn | sed 's/-lglobdyn/-l:libglobdyn.a/') -o "$1_static" 2>err ||
        fail "$1.c, static"
    ! ldd "$1_static" | grep -q libglobdyn || fail "$1_static uses the shared library"
    "./$1_static" "${@:2}" | cmp -s - "$1.out" || fail "$1: the static library gives other numbers"
}
cp "$SOURCE/docs/samples/slider.c" .
sample slider
[ "$(grep -c 'steady up to 10.000 m/s, at rest d2 from -50.000 to 50.000' slider.out)" = 3 ] || fail "$(cat slider.out)"

# Every header alone in C, and all of them in C++; a C++ program that takes the address of all that is declared.
if command -v "${CXX:-g++}" >/dev/null 2>&1; then
    if ! ((${GDYN_SANITIZED:-0})); then # nothing is run
        mkdir alone
        while read -r header; do
            printf '#include "globdyn/%s"\nint alone;\n' "$header" >"alone/${header//\//_}.c"
            printf '#include "globdyn/%s"\n' "$header" >>together.cpp
        done < <(grep -v '^globdyn.h' installed)
        # shellcheck disable=SC2086  # flags are words
        "${CXX:-g++}" -Wall -Wextra -Wpedantic -Werror $cflags -fsyntax-only together.cpp 2>err || fail "all headers in C++"
        # shellcheck disable=SC2086
        ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror $cflags -fsyntax-only alone/*.c 2>err || fail "headers alone in C"
    fi
    {
        echo '#include <globdyn.h>'
        echo '#include <cstdio>'
        echo 'const void *const all[] = {'
        awk '{ print $3 }' symbols | sed 's/.*/    reinterpret_cast<const void *>(\&&),/'
        echo '};'
        echo 'int main() { for (const void *one : all) if (!one) return 1; std::puts(gdyn_version()); }'
    } >all.cpp
    cxx_flags=${flags/-std=c17/-std=c++11}
    # shellcheck disable=SC2046,SC2086
    "${CXX:-g++}" $cxx_flags $cflags all.cpp $libs -o all 2>err ||
        fail "a C++ program"
    [ "$(LD_LIBRARY_PATH=$library ./all)" = "$version" ] || fail "the C++ program ended with $?"
else
    echo "no C++ compiler: scripts/setup c++ installs one"
fi

# The star by API against the numbers of an independent model (linear programs, see tests/unit/test_evaluate.c).
cp "$SOURCE/docs/samples/star.c" "$SOURCE/docs/samples/case.c" .
((${GDYN_SANITIZED:-0})) || sample star
for numbers in '0.0: -845.055034 713.922382 27.570480' '0.5: -631.855131 577.213011 27.382898' \
    '1.5: -763.827475 740.142335 28.307925' '3.0: -651.149370 799.560618 26.917064' \
    '5.0: -739.704110 599.238138 25.979251'; do
    ((${GDYN_SANITIZED:-0})) && break
    sed 's/p = \(.*\) d2 at rest \(.*\) \.\. \(.*\), d1 up to /\1 \2 \3 /' star.out | awk -v wanted="$numbers" '
        BEGIN { split(wanted, w) }
        $1 == w[1] { for (i = 2; i <= 4; i++) good += ($i - w[i]) ^ 2 < 4e-12 }
        END { exit good != 3 }' || fail "star.c at p = $numbers"
done

# A case file: the same speeds as in its expectations; a missing file is refused with its name.
sample case "$SOURCE/cases/four_slider_star/case.yaml"
grep -Eq '^circle 19\.8223$' case.out && grep -Eq '^offset 2\.1285$' case.out || fail "case.c: $(cat case.out)"
! LD_LIBRARY_PATH=$library ./case nothing.yaml >out 2>err || fail "case.c reads what is not there"
says err 'nothing\.yaml'

# The same by find_package.
mkdir project
cat >project/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(globdyn ${version%.*} REQUIRED COMPONENTS static)
add_executable(shared ../slider.c)
target_link_libraries(shared globdyn::globdyn)
add_executable(static ../slider.c)
target_link_libraries(static globdyn::static)
EOF
cmake -S project -B made -DCMAKE_PREFIX_PATH="$PWD/moved" -DCMAKE_C_FLAGS="$flags" >out 2>err &&
    cmake --build made >out 2>err || fail "a project that finds globdyn by CMake"
for kind in shared static; do
    "made/$kind" | cmp -s - slider.out || fail "found by CMake, $kind: other numbers"
done
sed -i "s/globdyn ${version%.*}/globdyn 99/" project/CMakeLists.txt
! cmake made >out 2>err || fail "a newer version than this one was found"
finish
