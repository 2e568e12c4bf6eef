# Searches on several ranks (MPI): the same results as on one thread, and no design is lost when a rank
# dies.
. "$SOURCE/tests/cli/lib.bash"

# Without MPI mpirun would start the same search several times: refused, and the version says so.
if ! ldd "$GLOBDYN" | grep -q libmpi; then
    OMPI_COMM_WORLD_SIZE=2 expect 2 optimize "$SOURCE/cases/zdt1/case.yaml"
    says err 'built without MPI.*scripts/setup mpi'
    expect 2 optimize "$SOURCE/cases/zdt1/case.yaml" --rank-limit 5 -o refused
    says err 'rank-limit: this program was built without MPI'
    [ ! -e refused/study.db ] || fail "a refused search left an archive"
    "$GLOBDYN" --version | grep -q '(without MPI)$' || fail "the version does not say that MPI is missing"
    echo "the rest is skipped: the program was built without MPI"
    finish && exit 0
fi
if ! command -v mpirun >/dev/null; then
    echo "skipped: there is no mpirun (scripts/setup mpi installs it)"
    exit 77
fi
# The leaks that a sanitizer finds in Open MPI itself are not ours.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() {
    local count=$1
    shift
    mpirun --oversubscribe -n "$count" "$GLOBDYN" "$@" </dev/null
}
background() {
    local count=$1
    shift
    mpirun --oversubscribe -n "$count" "$GLOBDYN" "$@" </dev/null >out 2>err &
    job=$!
}

sed -e 's/points: 201/points: 41/' -e 's/accel >= 50/accel >= 10/' -e 's/, stall: {.*}}/}/' \
    "$SOURCE/cases/four_slider_star/case.yaml" >star.yaml
run=(optimize star.yaml --no-pictures --population 16 --seed 3)
budget=32

# same WHAT FOLDER FOLDER: files and archives agree; only times differ.
same() {
    for file in front.json front.csv designs.csv; do
        cmp -s "$2/$file" "$3/$file" || fail "$1: $2/$file and $3/$file differ"
    done
    "$GLOBDYN" study export "$2" -o a.csv && "$GLOBDYN" study export "$3" -o b.csv
    cmp -s a.csv b.csv || fail "$1: the archives of $2 and $3 differ"
}

# --- threads 1 and 4, ranks 2 and 3 -------------------------------------------------------------
threads=(1 4) counts=(3) others=(t4 r3 r2t2) ways=(9 STOP)
((${GDYN_SANITIZED:-0})) && threads=(1) others=(r3 r2t2) ways=(STOP)
for count in "${threads[@]}"; do
    expect 0 "${run[@]}" --evaluations $budget -o t$count --threads $count
done
for count in "${counts[@]}"; do
    ranks $count "${run[@]}" --evaluations $budget -o r$count >out 2>err ||
        fail "a search on $count ranks ended with $?"
    says out '^four-slider star: '$budget' designs'
    [ "$(grep -c 'designs in' out)" -eq 1 ] || fail "more than one rank prints"
done
ranks 2 "${run[@]}" --evaluations $budget -o r2t2 --threads 2 >out 2>err || fail "two threads per rank"
for other in "${others[@]}"; do
    same "$other" t1 $other
done

# children [STATES]: processes of mpirun, which is the parent of the ranks, in one of these states (pgrep need not be there)
children() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed -n "s/^\([0-9]*\) (.*) [${1:-A-Za-z}] $job .*/\1/p"
}

# rank NUMBER: its process
rank() {
    children | while read -r pid; do
        grep -q OMPI_COMM_WORLD_RANK=$1 <(tr '\0' '\n' <"/proc/$pid/environ") && echo "$pid"
    done | head -n 1
}

# end: waits for mpirun and sets `code` to what it gave. When it ends ranks by force, Open MPI (PMIx) may wait for itself for
# ever while all ranks have ended: a minute later it is killed.
end() {
    local since=
    while kill -0 $job 2>/dev/null; do
        if [ -n "$(children RSDT)" ]; then
            since=
        elif [ "${since:=$SECONDS}" -lt $((SECONDS - 60)) ]; then
            echo "mpirun did not end after its ranks: killed"
            kill -9 $job
        fi
        sleep 0.1
    done
    code=0
    wait $job || code=$?
}

# --- a rank dies or stops: all end, the archive is whole, the same command continues -----------
for way in "${ways[@]}"; do
    rm -rf dead whole
    background 3 "${run[@]}" --evaluations 1000000 -o dead --rank-limit 3
    wait_for $job holds dead 16 || fail "the search ended by itself"
    victim=$(rank 2)
    [ -n "$victim" ] || fail "there is no rank 2"
    kill -$way "$victim"
    end
    [ $code -ne 0 ] || fail "a search whose rank got signal $way gave exit code 0"
    [ $way = STOP ] && silence='error: rank 2 does not answer .* designs are kept in dead/study.db'
    says err "${silence:-Killed|signal 9}"
    expect 0 study check dead
    further=("${run[@]}" --evaluations $(($(designs dead) / 16 * 16 + 32)))
    expect 0 "${further[@]}" -o whole
    ranks 2 "${further[@]}" -o dead >out 2>err || fail "continuing after a rank got signal $way"
    same "continued after signal $way" whole dead
done

# --- interrupted ------------------------------------------------------------------------------
background 3 "${run[@]}" --evaluations 1000000 -o stopped
wait_for $job holds stopped 16 || fail "the search ended by itself"
kill -INT "$(rank 0)" # mpirun would pass it on, and kill all ranks a second later, whatever they still write
end
[ $code -ne 0 ] || fail "an interrupted search gave exit code 0"
says err 'to continue: mpirun -n 3 globdyn optimize star.yaml'
expect 0 study check stopped

# --- one process: the limit is not dropped without a word ---------------------------------------
expect 0 optimize "$SOURCE/cases/zdt1/case.yaml" --rank-limit 5 --evaluations 20 --no-pictures -o alone
says err 'rank-limit has no effect without'

# Within a sample of 180,000 machines for each design: all ranks leave their designs.
sed 's/method: grid/method: sobol/; s/size: 2$/size: 90000/' "$SOURCE/cases/arm_tolerances/case.yaml" >vast.yaml
background 3 optimize vast.yaml --no-pictures --population 8 -o vast
ticks=$((${GDYN_SANITIZED:-0} ? 60 : 25))
first='' third=''
at_work() { # rank 2 has got a design, and rank 0 catches SIGINT
    [ -n "$first" ] || first=$(rank 0)
    [ -n "$third" ] || third=$(rank 2)
    caught "$first" && awk -v ticks=$ticks '{ exit !($14 + $15 >= ticks) }' "/proc/$third/stat"
}
wait_for $job at_work || fail "the search ended by itself"
kill -INT "$first"
end
[ $code -ne 0 ] || fail "a search interrupted within a sample gave exit code 0"
says err 'interrupted: 0 designs are kept in vast'
expect 0 study check vast

# --- wrong from the start: every rank ends ----------------------------------------------------
code=0
ranks 3 optimize nowhere.yaml >out 2>err || code=$?
[ $code -eq 5 ] || [ $code -eq 3 ] || fail "a missing case gave exit code $code"
[ "$(grep -c 'nowhere.yaml' err)" -eq 1 ] || fail "the message does not stand there once"
finish
