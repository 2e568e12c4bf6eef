# Tables at every door: the same table in every writing gives the same answer, and every mistake the same message
# with its place (docs/cli.md, "Tables").
. "$SOURCE/tests/cli/lib.bash"

{
    sliding_cart
    echo 'trajectories: {way: {p: [0, 1], joints: {rail: 1 m*p}, points: 5}}'
} >way.yaml
{
    sliding_cart
    echo 'trajectories: {way: {of: cart.P, kind: file, file: table.csv, points: 5}}'
} >file.yaml
cat >form.yaml <<'YAML'
format: 1
name: form
parameters: {leg: 1 m, n: 2}
design: {leg: {min: 0.5 m, max: 2 m}, n: {min: 1, max: 3, integer: true}}
optimize: {objectives: {f: {minimize: leg}, g: {maximize: leg + 0.1 m*n}}}
YAML

# The doors. use_DOOR runs the program with table.csv and leaves its answer in the file answer.
# CODE: the exit code that is expected.
use_path() {
    expect "$1" regions file.yaml --json -o result --no-pictures && cat out >answer
}
use_data() {
    {
        sliding_cart
        printf 'trajectories:\n  way:\n    of: cart.P\n    kind: file\n    points: 5\n    data: |\n'
        sed 's/^/      /' table.csv
    } >data.yaml
    expect "$1" regions data.yaml --json -o result --no-pictures && cat out >answer
}
use_motion() {
    expect "$1" feasible way.yaml --motion table.csv -o result --no-pictures && cat result/feasible.csv >answer
}
use_places() {
    expect "$1" reactions way.yaml --trajectory way --motion table.csv -o result --no-pictures &&
        cat result/reactions.csv >answer
}
use_coefficients() {
    expect "$1" regions --coefficients table.csv --json -o result --no-pictures && cat out >answer
}
use_dynamics() {
    expect "$1" traverse --coefficients table.csv -o result --no-pictures && cat result/traverse.csv >answer
}
use_start() {
    expect "$1" optimize form.yaml --warm-start table.csv --evaluations 8 --population 4 -o start --restart \
        --no-pictures && cat start/designs.csv >answer
}
head_of() {
    case $1 in
    path | data) echo 'p [mm],x [mm]' ;;
    motion | places) echo 'p [-],d1,d2' ;;
    coefficients | dynamics) echo 'p [mm],drive,A,B,C [N],D,min,max' ;;
    start) echo 'leg [mm],n' ;;
    esac
}
rows_of() {
    case $1 in
    path | data) printf '%s\n' 0,0 500.5,250 1000,500 ;;
    motion | places) printf '%s\n' 0,0,0.25 0.5,0.5,0.25 1,0.6,-0.5 ;;
    coefficients | dynamics) printf '%s\n' 0,push,0,0,1.5,2,-20,20 1000,push,0,0,1.5,2,-20,20 ;;
    start) printf '%s\n' 750,1 1250.5,3 ;;
    esac
}
doors='path data motion places coefficients dynamics start'

# --- every writing at every door --------------------------------------------------------------------------
# write STYLE: standard input, divided by commas, in another writing.
write() {
    case $1 in
    commas) cat ;;
    semicolons) sed 's/,/; /g' ;;
    tabs) tr , '\t' ;;
    blanks) sed 's/,/   /g; s/^/ /' ;;
    quotes) sed 's/[^,]*/"&"/g' ;;
    comments) sed 's/^/\n# a comment, with a comma\n/' ;;
    mark) printf '\xef\xbb\xbf' && cat ;;
    windows) sed 's/$/\r/' ;;
    classic) tr '\n' '\r' ;;
    ends) sed 's/$/,/' ;;
    esac
}
for door in $doors; do
    for style in commas semicolons tabs blanks quotes comments mark windows classic ends; do
        # YAML ends lines and takes the mark out itself, and its blocks begin without blanks.
        case $door:$style in data:mark | data:classic | data:blanks | data:comments) continue ;; esac
        { head_of $door && rows_of $door; } | write $style >table.csv
        use_$door 0
        [ "$style" = commas ] && mv answer "$door.right"
        [ "$style" = commas ] || cmp -s answer "$door.right" || fail "$door: another answer with $style"
    done
done

# --- every mistake at every door ----------------------------------------------------------------------------
# wrong DOOR CODE MESSAGE: the table is refused.
wrong() {
    use_$1 "$2"
    says err "$3"
}
for door in $doors; do
    place='table\.csv:'
    [ $door = data ] && place='\(data of line [0-9]+\):'
    first=$(head_of $door | cut -d, -f1)
    name=${first%% *}

    { head_of $door && rows_of $door; } | tr , ';' | sed '2s/^[^;]*/1,5/' >table.csv
    wrong $door 3 "${place}2:1: error: expected a number in column '$name', got '1,5'"
    says err 'help: write a decimal point: 1\.5'

    { head_of $door && rows_of $door; } | sed '2s/^[^,]*/abc/' >table.csv
    wrong $door 3 "${place}2:1: error: expected a number in column '$name', got 'abc'"

    { head_of $door && rows_of $door; } | sed '2s/^[^,]*/nan/' >table.csv
    wrong $door 3 "${place}2:1: error: expected a number in column '$name', got 'nan'"

    { head_of $door && rows_of $door; } | sed '2s/$/,7/' >table.csv
    wrong $door 3 "${place}2:1: error: [0-9]+ fields where the header has [0-9]"

    { head_of $door && rows_of $door; } | sed '3s/^/"/' >table.csv
    wrong $door 3 "${place}3:1: error: this quote does not close"

    { head_of $door && rows_of $door; } | sed '1s/^[^,]*/'"$name"' [furlong]/' >table.csv
    wrong $door 3 "${place}1:1: error: column '$name': 'furlong' is not a unit"

    { head_of $door && rows_of $door; } | sed '1s/^[^,]*/'"$name"' [-] (m)/' >table.csv
    wrong $door 3 "${place}1:1: error: expected the end of the header after '-', got ' \(m\)'"

    { head_of $door && rows_of $door; } | sed "s/^\([^,]*\),/\1,\1,/" >table.csv
    wrong $door 3 "${place}1:[0-9]+: error: column '$name' occurs twice"

    { head_of $door && rows_of $door; } | sed 1d >table.csv
    wrong $door 3 "${place}1:1: error: expected the name of a column, got '0|750'"

    head_of $door >table.csv
    wrong $door 3 'no rows below|fewer than two rows|no design below'

    [ $door = data ] && continue # the rest is about files
    case $door in path) code=3 ;; *) code=5 ;; esac
    rm table.csv
    wrong $door $code 'table\.csv.*: cannot open: No such file'
    mkfifo table.csv
    wrong $door $code 'table\.csv.*: is a pipe or a device'
    rm table.csv
    ln -s /dev/zero table.csv
    wrong $door $code 'table\.csv.*: is a pipe or a device'
    rm table.csv
    mkdir table.csv
    wrong $door $code 'table\.csv.*: cannot read: Is a directory'
    rmdir table.csv
    truncate -s 68000000 table.csv
    wrong $door 3 'table\.csv.*: is larger than 64 MiB'
    head_of $door | iconv -t UTF-16 >table.csv
    wrong $door 3 'table\.csv.*: this is not text: it contains zero bytes'
done

finish
