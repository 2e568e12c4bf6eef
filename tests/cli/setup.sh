# scripts/setup on systems that this one is not: packages missing, as root, through sudo, or neither.
# The commands it calls are replaced by scripts that write down what was asked of them.
. "$SOURCE/tests/cli/lib.bash"

mkdir bin
for tool in sh mktemp rm tail env grep cat touch true ln chmod; do
    ln -s "$(type -P "$tool")" "bin/$tool"
done
# fake NAME: makes the command NAME from standard input.
fake() {
    { echo "#!/bin/sh"; cat; } >"bin/$1"
    chmod +x "bin/$1"
}
# A package is there once apt-get was asked to install it.
fake dpkg-query <<'FAKE'
for package; do :; done
if [ -e "$WORK/installed" ]; then echo "install ok installed"; else exit 1; fi
FAKE
fake apt-get <<'FAKE'
echo "apt-get $*" >>"$WORK/asked"
case "$*" in
*install*)
    [ ! -e "$WORK/offline" ] || { echo "E: no network" >&2; exit 100; }
    touch "$WORK/installed"
    printf '#!/bin/sh\n' >"$WORK/bin/gnuplot"
    for tool in cc make cmake pkg-config; do ln -sf gnuplot "$WORK/bin/$tool"; done
    chmod +x "$WORK/bin/gnuplot" ;;
esac
FAKE
fake id <<'FAKE'
[ -e "$WORK/root" ] && echo 0 || echo 1000
FAKE

# setup CODE: runs the script in that world.
setup() {
    local code=0
    rm -f asked
    WORK=$work PATH=$work/bin "$work/bin/sh" "$SOURCE/scripts/setup" >out 2>err </dev/null || code=$?
    [ "$code" -eq "$1" ] || fail "scripts/setup gave exit code $code, not $1"
}
forget() {
    rm -f installed bin/gnuplot bin/cc bin/make bin/cmake bin/pkg-config
}

# Neither root nor sudo: a list, and nothing is touched.
setup 1
says err 'neither root nor is there sudo'
says err 'apt-get install .*libnlopt-dev.*gnuplot-nox'
[ ! -e asked ] || fail "apt-get was called without rights"

# sudo that wants a password, and nobody to type it.
fake sudo <<'FAKE'
[ "$1" != -n ] || exit 1
FAKE
setup 1
says err 'sudo wants a password'

# sudo that works.
fake sudo <<'FAKE'
[ "$1" = -n ] && shift
echo "sudo $*" >>"$WORK/asked"
exec "$@"
FAKE
setup 0
says asked '^sudo env DEBIAN_FRONTEND=noninteractive apt-get update'
says asked '^apt-get install .*--no-install-recommends .*libyaml-dev'

# Everything there: silence, and nothing is asked.
setup 0
silent out
silent err
[ ! -e asked ] || fail "apt-get was called although nothing is missing"

# Root.
forget
touch root
setup 0
says asked '^apt-get install'
grep -q sudo asked && fail "root calls sudo"

# No network: apt-get's own words and the list.
forget
touch offline
setup 1
says err 'E: no network'
says err 'apt-get install .*libglpk-dev'

# No Debian: a word, and the build may try.
rm bin/dpkg-query
setup 0
says err 'not a Debian system'

finish
