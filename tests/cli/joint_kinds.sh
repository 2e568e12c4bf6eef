# Every joint type as docs/case-format.md lists it: it is read with all its keys and with no other, and a small
# machine with it is checked, has reactions and, some of them, regions, and is drawn.
. "$SOURCE/tests/cli/lib.bash"
# Scripts of pictures only: gnuplot is not run.
mkdir empty-path
globdyn() { PATH=$work/empty-path "$GLOBDYN" "$@" >out 2>err </dev/null; }

# The rows of the table: type, space, keys; a row for both spaces twice.
sed -n '/^| type | space | what it does/,/^$/p' "$SOURCE/docs/case-format.md" | sed '1,2d;/^$/d' |
    awk -F' [|] ' '{ gsub(/[|` ]/, "", $1); gsub(/[`,]/, "", $4); gsub(/none/, "", $4)
        n = split($2, spaces, ", "); for (i = 1; i <= n; i++) print $1, spaces[i], $4 }' >rows
[ "$(cut -d' ' -f1 rows | sort -u | wc -l)" -ge 18 ] || fail "the table of joint types was not found"

# Values that close with the bodies below.
value_of() { # KEY SPACE: sets value
    case $1-$2 in
    axis-planar) value='[1, 0]' ;;
    axes-planar) value='[[1, 0], [1, 0]]' ;;
    axis-spatial) value='[0, 1, 0]' ;;
    axes-spatial) value='[[0, 1, 0], [0, 1, 0]]' ;;
    normal-planar) value='[0, 1]' ;;
    normal-spatial) value='[0, 0, 1]' ;;
    length-*) value='300 mm' ;;
    radius-*) value='200 mm' ;;
    pitch-*) value='10 mm' ;;
    locks-*) value='[x, y, z]' ;;
    friction-*) value='{viscous: 0.1}' ;;
    ratio-*) value='2' ;;
    *) value='0' ;;
    esac
}

# A cart on a rail, driven; a second body at the joint in question, held by a wrench in every direction.
write_case() { # TYPE SPACE KEY...
    local type=$1 space=$2 of='[part.P, cart.Q]' extra='' inertia=0.1 zero='' here='[0, 0]' i
    shift 2
    [ "$space" = spatial ] && inertia='[0.1, 0.1, 0.1]' zero=', 0' here='[0, 0, 0]'
    case " $* " in
    *" length "*) here="[300 mm, 0$zero]" ;;
    *" radius "*) here='[0, 0, 200 mm]' ;;
    *" ratio "*) of='[slide, rail]' ;;
    esac
    echo "format: 1
machine:
  space: $space
  gravity: [0, -9.81$zero]
  ground: {points: {O: [0, 0$zero]}}
  bodies:
    cart: {mass: 2, inertia: $inertia, points: {Q: [0, 0$zero]}}
    part: {mass: 1, inertia: $inertia, points: {P: [0, 0$zero]}, pose: {at: $here}}
  joints:
    rail: {type: prismatic, of: [cart.Q, ground.O], axis: [1, 0$zero]}"
    [ "$of" = '[slide, rail]' ] &&
        echo "    slide: {type: prismatic, of: [part.P, ground.O], axis: [1, 0$zero]}"
    for i in "$@"; do
        value_of "$i" "$space"
        [ "$type-$i" = universal-axes ] && value='[[1, 0, 0], [0, 1, 0]]'
        extra="$extra, $i: $value"
    done
    echo "    tried: {type: $type, of: $of$extra}
  drives:
    m: {at: rail, force: {limit: 500 N}}"
    if [ "$space" = planar ]; then
        wrenches='force:[1,0] force:[0,1] torque:1'
    else
        wrenches='force:[1,0,0] force:[0,1,0] force:[0,0,1] torque:[1,0,0] torque:[0,1,0] torque:[0,0,1]'
    fi
    i=0
    for wrench in $wrenches; do
        i=$((i + 1))
        echo "    w$i: {wrench: {of: part, ${wrench%%:*}: ${wrench#*:}}, ${wrench%%:*}: {limit: 300}}"
    done
    echo "trajectories:
  along: {p: [0, 0.1], joints: {rail: p}, points: 5}"
}

# Keys that stand for each other are stated one at a time.
alternatives() { # KEY...
    local rest=" $* "
    case $rest in
    *" axis axes normal "*) echo "axis${rest#* axis axes normal}" ;;
    *" axis axes "*) echo "axis${rest#* axis axes}" && echo "axes${rest#* axis axes}" ;;
    *" offset angle "*) echo "offset" && echo "angle" ;;
    *) echo "$*" ;;
    esac
    case $rest in *" axis axes normal "*) echo "normal${rest#* axis axes normal}" ;; esac
}

number=0
while read -r type space keys; do
    # shellcheck disable=SC2086
    alternatives $keys >stated
    last=$(tail -n 1 stated)
    while read -r own; do
        # shellcheck disable=SC2086
        write_case "$type" "$space" $own >"$type.yaml"
        [ "$own" = "$last" ] && ((number % 5)) && continue # the commands below read it
        globdyn check --no-pictures "$type.yaml" --json || fail "check refuses $type ($space) with: $own"
    done <stated
    # all other keys at once, but for two that exclude others of them: each one is reported
    for group in 'axis normal length pitch radius ratio offset locks friction' 'axes angle'; do
        others=()
        for key in $group; do
            case " $keys " in *" $key "*) ;; *) others+=("$key") ;; esac
        done
        ((${#others[@]})) || continue
        ((${GDYN_SANITIZED:-0} && number % 3)) && continue
        # shellcheck disable=SC2086
        write_case "$type" "$space" $own "${others[@]}" >wrong.yaml
        globdyn check --no-pictures wrong.yaml && fail "$type ($space) takes one of the keys ${others[*]}"
        text=$(<err)
        for key in "${others[@]}"; do
            [[ $text == *"takes no '$key'"* ]] || fail "$type ($space): no message about $key"
        done
    done
    globdyn reactions "$type.yaml" -o "$type-$space" || fail "reactions of $type ($space)"
    pictures=verdicts
    if ! ((number % (${GDYN_SANITIZED:-0} ? 5 : 3))); then
        globdyn regions "$type.yaml" -o "$type-$space" || fail "regions of $type ($space)"
        pictures='along_machine verdicts'
    fi
    for picture in $pictures; do
        [ -s "$type-$space/$picture.dat" ] || fail "no picture $picture of $type ($space)"
    done
    number=$((number + 1))
    # Its components are those of docs/reactions.md.
    awk -F' [|] ' -v type="| \`$type\`" -v space="$space" '$1 == type && $2 == space {
        gsub(/[`|]/, "", $4); print $4 }' "$SOURCE/docs/reactions.md" >documented
    cut -d, -f5,6 "$type-$space/reactions.csv" | sed -n 's/^tried,//p' | paste -sd' ' >found
    case $(cat documented) in
    *multiplier* | *locks*) [ -s found ] || fail "no reactions of $type ($space)" ;;
    *) [ "$(tr -d ' ' <documented)" = "$(tr -d ' ' <found)" ] ||
        fail "$type ($space) carries $(cat found), documented: $(cat documented)" ;;
    esac
done <rows
finish
