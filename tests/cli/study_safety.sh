# A study survives: kill -9 at random moments, signals, a second process, foreign files, no room.
. "$SOURCE/tests/cli/lib.bash"

# same WHAT FOLDER FOLDER: the results agree to the last byte.
same() {
    for file in front.json front.csv designs.csv; do
        cmp -s "$2/$file" "$3/$file" || fail "$1: $2/$file and $3/$file differ"
    done
}

# The star without motions, and with as many points as need no more between them: milliseconds per design, also with the
# sanitizers. A stall would end the endless searches below.
points=41
sed -e "s/points: 201/points: $points/" -e 's/accel >= 50/accel >= 10/' -e 's/, stall: {.*}}/}/' \
    -e 's/minimize: circle.time + offset.time/maximize: circle.accel/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
search=(optimize star.yaml --no-pictures --population 16 --seed 3)
endless=("${search[@]}" --evaluations 1000000)

# --- kill -9 ------------------------------------------------------------------------------------
# A search without an end is killed again and again, at some moment after it has got further.
RANDOM=7
# (Many kills: kills=100 in the environment.) After the first time it has got further when its file has
# grown: no program is started to see that.
grown() { # FILE SIZE
    (($(stat -c %s "$1" 2>/dev/null || echo 0) > $2))
}
: "${kills:=$((${GDYN_SANITIZED:-0} ? 2 : 4))}"
for _ in $(seq $kills); do
    before=$(stat -c %s killed/study.db 2>/dev/null || echo 0)
    "$GLOBDYN" "${endless[@]}" -o killed --threads $((1 + RANDOM % 2)) >out 2>err &
    pid=$!
    further=(grown killed/study.db $((before + 1 + RANDOM % 3 * 4096)))
    ((before)) || further=(holds killed 1)
    wait_for $pid "${further[@]}" || fail "the search ended by itself"
    sleep "0.0$((RANDOM % 4))" # any moment will do
    kill -9 $pid
    wait $pid 2>/dev/null
done

# How far the killed search got decides how far all searches go that are compared with it.
budget=$(($(designs killed) / 16 * 16 + 32))
run=("${search[@]}" --evaluations $budget)
expect 0 "${run[@]}" -o whole --threads 2
[ "$(wc -l <whole/designs.csv)" -eq $((budget + 1)) ] ||
    fail "designs.csv has not one row per design"
expect 0 "${run[@]}" -o killed
says err 'continuing '
same "after $kills kills" whole killed
rm killed/front.json
expect 0 "${run[@]}" -o killed
says err "continuing .*$budget designs exist already"
same "a finished study is only read" whole killed

# What follows needs few designs.
budget=48
run=("${search[@]}" --evaluations $budget)
expect 0 "${run[@]}" -o few

# --- signals ------------------------------------------------------------------------------------
signals=(INT TERM HUP)
((${GDYN_SANITIZED:-0})) && signals=(HUP)
for signal in "${signals[@]}"; do
    rm -rf stopped
    code=0
    "$GLOBDYN" "${endless[@]}" -o stopped --threads 1 >out 2>err &
    pid=$!
    wait_for $pid holds stopped 9 || fail "the search ended by itself"
    kill -$signal $pid
    wait $pid || code=$?
    [ $code -eq $((128 + $(kill -l $signal))) ] || fail "exit code $code"
    says err 'to continue: globdyn optimize star.yaml .*-o stopped'
    # both get as far as the one that was stopped, and a bit further
    further=("${search[@]}" --evaluations $(($(designs stopped) / 16 * 16 + 32)))
    rm -rf reference
    expect 0 "${further[@]}" -o reference
    expect 0 "${further[@]}" -o stopped
    same "continued after SIG$signal" reference stopped
done

# --- a greater budget ---------------------------------------------------------------------------
expect 0 "${run[@]}" --evaluations $((budget / 2)) -o grown
expect 0 "${run[@]}" -o grown
same "a greater budget" few grown

# --- another search, another case ---------------------------------------------------------------
expect 6 "${run[@]}" --seed 4 -o few
says err "it has 'seed: 3' where this one has 'seed: 4'"
sed "s/points: $points/points: 10/" star.yaml >other.yaml
expect 6 optimize other.yaml --no-pictures --population 16 --evaluations $budget --seed 3 -o few
says err "points: $points"
same "refused runs change nothing" few grown
expect 0 "${run[@]}" -o few --restart
same "begun anew" few grown
[ -s few/study.db.old ] || fail "the older study was not kept"

# --- a warm start -------------------------------------------------------------------------------
expect 0 "${run[@]}" --evaluations 16 --warm-start few/front.csv -o warm
for column in 6 7 8; do # design.leg, rail, half of designs 1 and 2 are those of the front's first rows
    [ "$(sed -n '3,4p' warm/designs.csv | cut -d, -f$column)" = \
        "$(sed -n '2,3p' few/front.csv | cut -d, -f$((column - 4)))" ] ||
        fail "the designs of the warm start are not evaluated first"
done
expect 0 "${run[@]}" --evaluations 32 --warm-start few/front.csv -o warm
says err '16 designs exist already'
expect 6 "${run[@]}" --evaluations 32 -o warm
says err 'warm start'
printf 'leg,rail,half,force\n0.6,0.5,0.1,900\n600,0.5,0.1,900\n' >millimetres.csv
expect 0 "${search[@]}" --evaluations 16 --warm-start millimetres.csv -o outside
says err 'millimetres.csv: warning: 1 of 2 designs lie outside .*design 2: leg = 600, bounds'
printf 'leg,rail\n0.6,0.5\n' >short.csv
expect 3 "${run[@]}" --warm-start short.csv -o none
says err 'no column for the design variable half'
printf 'leg,rail,half,force\n0.6,0.5,wide,900\n' >words.csv
expect 3 "${run[@]}" --warm-start words.csv -o none
says err 'words.csv:2:9: error: expected a number in column .half., got .wide.'

# --- files that are no studies ------------------------------------------------------------------
mkdir foreign damaged
seq 1000 >foreign/study.db
expect 6 "${run[@]}" -o foreign
says err 'not a study of globdyn'
seq 1000 | cmp -s - foreign/study.db || fail "the foreign file was changed"
python3 -c 'import sqlite3; sqlite3.connect("foreign/study.db.other").execute("CREATE TABLE theirs (a)").connection.commit()'
mv foreign/study.db.other foreign/study.db
cp foreign/study.db theirs
expect 6 "${run[@]}" -o foreign
says err 'not a study of globdyn'
cmp -s theirs foreign/study.db || fail "the database of another program was changed"
expect 6 "${run[@]}" -o foreign --restart
says err 'not a study of globdyn'
cmp -s theirs foreign/study.db || fail "the database of another program was changed or moved"
[ "$(ls foreign)" = study.db ] || fail "files were left beside the database of another program: $(ls foreign)"
head -c 20000 few/study.db >damaged/study.db
expect 6 "${run[@]}" -o damaged
says err 'damaged'

# --- a second process ---------------------------------------------------------------------------
long=("${endless[@]}" -o shared)
"$GLOBDYN" "${long[@]}" >/dev/null 2>&1 &
owner=$!
wait_for $owner test -s shared/study.db-lock || fail "the search ended by itself"
expect 6 "${long[@]}"
says err "in use by process $owner"
kill -9 $owner
wait $owner 2>/dev/null

# --- a folder that others have prepared -----------------------------------------------------------
# The lock is taken at no other file: neither by a symbolic nor by a hard link, and by no pipe, which would wait.
mkdir prepared
for make in 'ln -s ../victim' 'ln victim' 'mkfifo'; do
    echo precious >victim
    rm -f prepared/*
    $make prepared/study.db-lock
    expect 5 "${run[@]}" -o prepared
    says err 'prepared/study.db-lock: (it is a link|Invalid argument)'
    [ "$(cat victim)" = precious ] || fail "$make: the lock was written into another file"
    [ -e prepared/study.db-lock ] || fail "$make: what was there is gone"
done
mkfifo few/study.db-lock
expect 0 study show few
rm few/study.db-lock
# Nor do journals of the database, and files on their way to their names, lead elsewhere.
rm -f prepared/*
for name in study.db-journal study.db-wal study.db-shm; do ln -s ../victim "prepared/$name"; done
"$GLOBDYN" "${run[@]}" --evaluations 16 -o prepared >out 2>err
[ "$(cat victim)" = precious ] || fail "a journal was written into another file"
rm -f prepared/*
bash -c 'ln -s ../victim "prepared/sweep.csv.$$.tmp"; ln -s ../victim "prepared/front.csv.$$.tmp"
    ln victim "prepared/front.json.$$.tmp"; exec "$@"' - "$GLOBDYN" "${run[@]}" --evaluations 16 -o prepared >out 2>err
[ "$(cat victim)" = precious ] || fail "a temporary file was written into another file"
says err 'front.csv.: it is a link, or a file with further names'

# --- removed or replaced while it is written -------------------------------------------------------
ways=('cp away/study.db away/new && mv away/new away/study.db')
((${GDYN_SANITIZED:-0})) || ways+=('rm away/study.db' 'mv away/study.db away/elsewhere')
for way in "${ways[@]}"; do
    rm -rf away
    code=0
    "$GLOBDYN" "${endless[@]}" -o away >out 2>err &
    pid=$!
    wait_for $pid holds away 5 || fail "the search ended by itself"
    eval "$way"
    wait $pid || code=$?
    [ $code -eq 5 ] || fail "exit code $code after: $way"
    says err 'away/study.db: the file was (removed|replaced) while'
done

# --- no permission, no room ---------------------------------------------------------------------
if [ "$(id -u)" -ne 0 ]; then
    mkdir readonly
    chmod a-w readonly
    expect 5 "${run[@]}" -o readonly
    says err 'read-only'
fi
code=0
( # the archive does not fit into this many blocks
    ulimit -f 60
    exec "$GLOBDYN" "${run[@]}" -o small
) >out 2>err || code=$?
[ $code -eq 5 ] || fail "exit code $code without room"
says err 'small/study.db'
expect 0 "${run[@]}" -o small
same "continued with room" grown small

finish
