# Every kind of path as docs/case-format.md lists it: it is read with all its keys, refused without one that must be
# stated and with one that it does not take, and has regions.
. "$SOURCE/tests/cli/lib.bash"

sed -n '/^| kind | what it is/,/^$/p' "$SOURCE/docs/case-format.md" | sed '1,2d;/^$/d' |
    awk -F' [|] ' '{ gsub(/[|` ]/, "", $1); for (i = 3; i <= 4; i++) gsub(/[`,|]|none/, "", $i); print $1 ":" $3 ":" $4 }' >rows
[ "$(wc -l <rows)" -ge 7 ] || fail "the table of path kinds was not found"

value_of() { # KEY
    case $1 in
    path) echo '{x: 0.1*p, y: 0.2*p^2}' ;;
    from | centre) echo '[0, 0]' ;;
    to) echo '[100 mm, 50 mm]' ;;
    radius) echo '80 mm' ;;
    end) echo '90 deg' ;;
    normal) echo '[0, 0, 1]' ;;
    through) echo '[[0, 0], [0.1, 0], [0.1, 0.1]]' ;;
    knots) echo '[0, 1, 2, 3]' ;;
    closed) echo true ;;
    file) echo table.csv ;;
    data) echo '"p, x, y\n0, 0, 0\n1, 0.1, 0.1\n"' ;;
    blend) echo 0.1 ;;
    cardan) echo '[0, 0, 0]' ;;
    *) echo 0 ;;
    esac
}
printf 'p, x [mm], y [mm]\n0, 0, 0\n1, 10, 0\n2, 20, 5\n' >table.csv

# A body that wrenches hold and move in every direction.
write_case() { # KIND KEY...
    local space=planar zero='' inertia=0.1 wrenches='force:[1,0] force:[0,1] torque:1' extra='' i=0
    case " $* " in *" normal "* | *" cardan "*)
        space=spatial zero=', 0' inertia='[0.1, 0.1, 0.1]'
        wrenches='force:[1,0,0] force:[0,1,0] force:[0,0,1] torque:[1,0,0] torque:[0,1,0] torque:[0,0,1]'
        ;;
    esac
    printf 'format: 1\nmachine:\n  space: %s\n  gravity: [0, -9.81%s]\n  bodies:\n' "$space" "$zero"
    printf '    part: {mass: 1, inertia: %s, points: {P: [0, 0%s]}}\n  drives:\n' "$inertia" "$zero"
    for wrench in $wrenches; do
        i=$((i + 1))
        echo "    w$i: {wrench: {of: part, ${wrench%%:*}: ${wrench#*:}}, ${wrench%%:*}: {limit: 300}}"
    done
    extra="kind: $1" && shift
    case " $* " in *" path "*) extra="$extra, p: [0, 1]" ;; esac
    for i in "$@"; do
        value=$(value_of "$i")
        [ $space = spatial ] && case $i in
        from | to | centre) value=${value%]}$zero] ;;
        through) value='[[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0]]' ;;
        esac
        extra="$extra, $i: $value"
    done
    echo "trajectories: {t: {of: part.P, points: 5, $extra}}"
}

# Of the words, those that may stand together: a table by one key, angles of the space.
together() { # WORD-THAT-GOES WORD...
    local word gone=$1
    shift
    for word in "$@"; do case " $gone " in *" $word "*) ;; *) echo "$word" ;; esac; done
}

every="path from to centre radius start end normal through knots closed file data angle cardan blend"
while IFS=: read -r kind must may; do
    for gone in 'file cardan normal' 'data angle'; do # in the plane, in space
        # shellcheck disable=SC2046,SC2086
        write_case "$kind" $(together "$gone" $must $may) >"$kind.yaml"
        "$GLOBDYN" check --no-pictures "$kind.yaml" >out 2>err || fail "check refuses $kind without $gone"
    done
    for key in $must; do
        # shellcheck disable=SC2046,SC2086
        write_case "$kind" $(together "$key file data" $must) >wrong.yaml
        "$GLOBDYN" check --no-pictures wrong.yaml >out 2>err && fail "$kind does without the key $key"
        says err "lacks '"
    done
    # In the plane and in space: all wrong keys at once, each one is reported; `file` and `data` apart, as they stand for each other.
    # shellcheck disable=SC2086
    for keys in "$(together 'normal cardan data' $every)" 'normal cardan data'; do
        # shellcheck disable=SC2046,SC2086
        others=$(together "$must $may" $keys)
        [ -n "$others" ] || continue
        # shellcheck disable=SC2046,SC2086
        write_case "$kind" $(together "file" $must) $others >wrong.yaml
        "$GLOBDYN" check --no-pictures wrong.yaml >out 2>err && fail "$kind takes one of the keys $others"
        text=$(<err)
        for key in $others; do
            [[ $text == *"takes no '$key'"* ]] || fail "$kind: no message about $key"
        done
    done
    "$GLOBDYN" regions "$kind.yaml" --no-pictures -o "$kind" >out 2>err || fail "regions of $kind"
done <rows
finish
