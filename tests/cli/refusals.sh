# What the program refuses: wrong words, files and folders; each with its exit code and message.
. "$SOURCE/tests/cli/lib.bash"
star=$SOURCE/cases/four_slider_star/case.yaml

expect 2 regions
says err 'globdyn regions needs CASE'
expect 2 regions "$star" second.yaml
says err "unexpected argument 'second\.yaml'"
expect 2 regions "$star" --metod lp
says err "no option '--metod'"
says err "did you mean '--method'"
expect 2 regions "$star" --method simplex
says err "method is elementary, tuples or lp, not 'simplex'"
expect 2 regions "$star" --reduction qr
says err "reduction is svd or null"
expect 2 regions "$star" --trajectory circel
says err "did you mean 'circle'"
expect 2 regions "$star" --at 1,x --no-pictures
says err "is not a point of a path"
expect 2 regions "$star" --at 1e9 --no-pictures
says err "lies outside trajectory"
expect 2 regions "$star" --set
says err "needs NAME=VALUE"
expect 2 regions "$star" --set leg
says err "needs NAME=VALUE"
expect 2 check "$star" --set lag=1
says err "did you mean 'leg'"
expect 2 check "$star" --set "leg=1 kg"
says err 'leg'
expect 2 check "$star" -Z
says err 'no option'
expect 2 new planr
says err "did you mean 'planar'"
expect 2 help regoins
says err "did you mean 'regions'"
expect 0 help regions
says out '^usage: globdyn regions'
silent err

# Files and folders.
expect 5 check nowhere.yaml
says err 'nowhere\.yaml'
says err '= help: give a case file'
# A name that is nearly a case, or something else, is told what was meant.
"$GLOBDYN" new five-bar -o lever.yaml >out 2>&1
for name in lever levr.yaml; do
    expect 5 regions "$name"
    says err "did you mean 'lever.yaml'"
done
expect 5 report nowhere
says err 'no case file and no study has this name'
expect 5 study show lever.yaml
says err "'lever.yaml' is a case file, no study"
expect 5 regions --coefficients nowhere.csv
says err 'nowhere\.csv'
touch taken
expect 5 regions "$star" -o taken --no-pictures
says err "cannot make the folder 'taken'"
if [ -d /proc ]; then
    expect 5 regions "$star" -o /proc/globdyn --no-pictures
    says err "cannot make the folder '/proc/globdyn'"
fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    expect 5 regions "$star" -o locked/inside --no-pictures
    says err 'cannot make the folder'
    expect 5 regions "$star" -o locked --no-pictures
    says err 'cannot write'
fi
ls ./*.tmp taken/*.tmp >/dev/null 2>&1 && fail "temporary files are left"

# A case that is none.
head -c 4096 /dev/urandom >noise.yaml
expect 3 check noise.yaml
: >empty.yaml
expect 3 check empty.yaml
expect 3 verify empty.yaml

# Templates: every one is written, checks, and is not overwritten.
expect 0 new
templates=$(sed -n 's/^  \([^ ]*\) .*/\1/p' out)
[ -n "$templates" ] || fail "no templates"
for template in $templates; do
    expect 0 new "$template"
    says out "^$template\.yaml$"
    expect 0 new "$template" -o -
    cmp -s out "$template.yaml" || fail "new $template -o - differs from the file"
done

expect 5 new "$template"
says err 'already exists'
expect 0 regions "$template.yaml" --no-pictures # templates.sh checks and evaluates all of them
[ -s "results/$template/regions.csv" ] || fail "no results/$template/regions.csv"

expect 0 schema
says out '"\$schema"'
silent err

# A case may come through a pipe.
"$GLOBDYN" check --no-pictures /dev/stdin <"$star" >out 2>err || fail "a case is not read from standard input"
cat "$star" | "$GLOBDYN" check --no-pictures /dev/stdin >piped 2>err || fail "a case is not read from a pipe"
cmp -s out piped || fail "a case from a pipe is another one"
expect 5 check /dev/zero
says err 'is a device: only regular files are read'
printf 'format: 1\ninclude: /dev/zero\n' >devices.yaml
expect 3 check devices.yaml
says err "devices.yaml:2:10: error: '/dev/zero': is a pipe or a device"
mkfifo nobody.yaml
printf 'format: 1\ninclude: nobody.yaml\n' >pipes.yaml
expect 3 check pipes.yaml
says err "'nobody.yaml': is a pipe or a device"
# A missing file is the only error: what refers to it is not judged.
printf 'format: 1\ninclude: [gone.yaml, "%s", lost.yaml]\ntrajectories:\n  way: {of: none.tip, kind: arc}\n' "$star" >missing.yaml
expect 3 check missing.yaml
[ "$(grep -c ': error: ' err)" = 2 ] || fail "errors that follow from missing files are said"
says err "missing.yaml:2:11: error: 'gone.yaml': cannot open"
says err "missing.yaml:2:[0-9]*: error: 'lost.yaml': cannot open"

# Texts for readers are literal.
sed -e 's/^about:.*/about: "costs $five, $(1 + 1), ${x}, 50 %"/' "$star" >dollars.yaml
expect 0 check dollars.yaml --json --no-pictures
expect 0 optimize dollars.yaml --no-pictures --population 4 --evaluations 4 -o dollars
expect 0 study case dollars 0
says out '^about: "?costs \$five, \$\(1 \+ 1\), \$\{x\}, 50 %"?$'

# Own coefficients: every mistake at its place.
# wrong COLUMN MESSAGE: the file wrong.csv is refused in its last line.
wrong() {
    expect 3 regions --coefficients wrong.csv --no-pictures
    says err "^wrong\.csv:[0-9]+:$1: error: .*$2"
}
head='p,drive,A,B,C,D,min,max,V1'
good='0,a,0,0,0,1,-1,1,1'
printf 'p,drive,A,B,C,D,min,max,W1\n%s\n' "$good" >wrong.csv
wrong 25 "unknown column 'W1'"
printf 'p,drive,A,B,C,D,min,V1\n%s\n' "$good" >wrong.csv
wrong 1 "column 'max' is missing"
printf 'p,drive,A,B,C,D,min,max,V2\n%s\n' "$good" >wrong.csv
wrong 1 "column 'V1' is missing"
printf 'p,p,drive,A,B,C,D,min,max\n%s\n' "$good" >wrong.csv
wrong 3 "column 'p' occurs twice"
printf '%s\n%s\n' "$head" '0,a,0,0,0,1,-1,1' >wrong.csv
wrong 1 '8 fields where the header has 9'
printf '%s\n%s\n' "$head" '0,a,0,x,0,1,-1,1,1' >wrong.csv
wrong 7 "expected a number in column 'B', got 'x'"
printf '%s\n%s\n' "$head" '0,a,0,nan,0,1,-1,1,1' >wrong.csv
wrong 7 "expected a number in column 'B', got 'nan'"
printf '%s\n%s\n' "$head" '0,a,0,inf,0,1,-1,1,1' >wrong.csv
wrong 7 "expected a finite number in column 'B', got 'inf'"
printf '%s\n%s\n' "$head" '0,a,0,0,,1,-1,1,1' >wrong.csv
wrong 9 'a number is missing'
printf '%s\n%s\n' "$head" '0,a,0,0,0,1,2,1,1' >wrong.csv
wrong 13 'min is greater than max'
printf '%s\n%s\n' "$head" '0,,0,0,0,1,-1,1,1' >wrong.csv
wrong 3 'the drive has no name'
printf '%s\n%s\n%s\n' "$head" '1,a,0,0,0,1,-1,1,1' "$good" >wrong.csv
wrong 1 'is less than in the row before'
printf '%s\n%s\n%s\n' "$head" "$good" '1,b,0,0,0,1,-1,1,1' >wrong.csv
wrong 1 'does not have the same 1 drives'
printf '%s\n' "$head" >wrong.csv
expect 3 regions --coefficients wrong.csv
says err 'wrong.csv:1:1: error: there are no rows below the header'
head -c 100000 /dev/zero >wrong.csv
expect 3 regions --coefficients wrong.csv
says err 'zero bytes'
printf '\xef\xbb\xbf%s\r\n# comment\r\n\r\n"0", "a" ,0,0,0,1,,,1\r\n' "$head" >good.csv
expect 0 regions --coefficients good.csv --no-pictures
expect 2 regions "$star" --coefficients good.csv
says err 'coefficients excludes a case'

# A path that turns back and forth ten billion times is given up, not followed for hours.
sed -e 's/sin(2\*p)/sin(73501944564.08205*p)/' -e 's/points: 61/points: 3/' "$SOURCE/cases/agile_eye/case.yaml" >wiggle.yaml
expect 1 check --no-pictures wiggle.yaml
says out 'nod .*1 of 3 points; .*turns back and forth too often to be followed beyond p = 1.3'
expect 1 regions wiggle.yaml --trajectory nod --no-pictures -o wiggle
says err 'only 1 of 3 points are followed'
expect 1 traverse wiggle.yaml --trajectory nod --no-pictures -o wiggle
says out 'p = .*the machine cannot be assembled or follow the path'

# What would control a terminal stays in the file: neither the line shown nor a name in a message carries it.
printf 'format: 1\nnaem: \033[31mred\007\n' >colour.yaml
printf 'format: 1\n"\\e[31mnaem": red\n' >name.yaml
for file in colour.yaml name.yaml; do
    expect 3 check $file
    LC_ALL=C grep -q '[[:cntrl:]]' err && fail "$file: control characters in a message"
done

finish
