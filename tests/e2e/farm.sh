#!/usr/bin/env bash
# raddle run --farm: one search by several participants through a Redis of the test's own on loopback. Counts are
# those of one worker, each execution counted once, also when participants are killed, when Redis is restarted, when
# messages come twice or late; what cannot work says so.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/shared_search.sh"
cd "$SCRATCH" || exit 1
start_redis --appendonly yes

# Exact counts: Mazurkiewicz traces, synchronization sequences, interleavings.
while read -r program n traces verdict; do
    build p "$program" -DN="$n"
    check "optimal, $program($n), 2 participants" same \
        "$(together 2 "o.$program$n" p --engine optimal $SPLIT </dev/null)" "$verdict $traces 0 "
done <<ROWS
readers 8 256 safe
lastzero 5 64 safe
lastzero 13 32768 safe
fib 3 1698 safe
fib 4 19605 safe
sigma 6 10395 safe
lastwrite 6 720 safe
lockinc 6 720 safe
dining 7 126 safe
dining_deadlock 4 831 bug
filesystem 22 512 safe
indexer 13 64 safe
single_lock 4 2520 safe
casrot 6 144 safe
ROWS
# … and all that are known, with 1, 2, 4 and 8 participants.
if [ -n "${RADDLE_LONG:-}" ]; then
    check "every known count" sh -c "python3 '$TOP/bench/farm.py' counts >&2"
fi
build sigma4 sigma -DN=4
build sigma6 sigma -DN=6
build sigma7 sigma -DN=7
for participants in 1 4 8; do
    check "optimal, sigma(7), $participants participants" same \
        "$(together $participants "s.$participants" sigma7 --engine optimal)" "safe 135135 0 "
done
check "two participants of two workers each" same "$(together 2 jobs sigma7 --engine optimal -j 2)" "safe 135135 0 "
while read -r program sequences; do
    case_program "$program"
    check "reach, $program, 3 participants" same \
        "$(together 3 "r.$program" "$program" --engine reach $SPLIT </dev/null)" "safe $sequences 0 "
done <<ROWS
bb-select 144
bb-monitor-su 720
rw-select 768
dme 4032
ROWS
check "dfs, 3 participants" same "$(together 3 dfs sigma4 --engine dfs $SPLIT)" "safe 61425 0 "
# Sets of threads in place of sequences: each trace once with sleep sets (dpor: more, since reads do not commute).
while read -r engine program n executions; do
    build p "$program" -DN="$n"
    for participants in 2 4; do
        check "$engine, $program($n), $participants participants" same \
            "$(together $participants "$engine.$program.$participants" p --engine "$engine" --sleep=on $SPLIT </dev/null |
               cut -d' ' -f1-2 | sort -u)" "safe $executions"
    done
done <<ROWS
source sigma 6 10395
source lastzero 10 3328
dpor-cr fib 4 19605
dpor-cr filesystem 18 32
dpor readers 6 5040
ROWS
# In the order of a bound: the counts of each bound.
while read -r program n engine bound; do
    build_bounded "$program" "$n"
    timeout 100 "$RADDLE" run -q -k --engine "$engine" --bound "$bound" --json alone.json ./p >/dev/null 2>&1 </dev/null
    for participants in 1 2 4; do
        rm -f told.*
        REPORTS=1 together $participants "$program.$engine.$participants" p --engine "$engine" --bound "$bound" $SPLIT \
            >/dev/null </dev/null
        check "$engine, $program($n), $participants participants" same \
            "$(for i in $(seq $participants); do bounds_of "told.$i"; done | sort -u)" "$(bounds_of alone.json)"
    done
done <<<"$BOUNDED"
check "auto, 2 participants: the same proof, and what each knows of bounds" same "$(
    REPORTS=1 together 2 auto sigma7 | cut -d' ' -f1
    for i in 1 2; do bounds_of "told.$i"; done | sort -u)" "safe
safe None [5040, 14960] 1 14"
# Choices: one after the other, and within each other, so that what follows a value is another choice.
cat >choices2.c <<'C'
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *one(void *a)
{
    x = 2;
    if (raddle_choose(2)) {
        y = 2;
        y++;
    }
    if (!raddle_choose(3) && raddle_choose(2))
        x++;
    return a;
}
static void *two(void *a)
{
    for (int i = raddle_choose(3); i > 0; i--)
        if (raddle_choose(2))
            y++;
    x++;
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    x = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
"$RADDLE" cc -g -O2 -o choices2 choices2.c -pthread
alone=$("$RADDLE" run --count-only -q -k --engine dpor-cr --sleep=on ./choices2 | sed -n 's/^executions //p')
for engine in optimal source; do
    for round in 1 2 3; do
        check "$engine, choices, 3 participants" same \
            "$(together 3 "choices.$engine.$round" choices2 --engine $engine $SPLIT | cut -d' ' -f1-2)" "safe $alone"
    done
done
check "random, 3 participants: as many as were asked for" same "$(together 3 random sigma6 --engine random -n 30001)" "incomplete 30001 0 "
for engine in pct pos; do
    check "$engine, 2 participants" same "$(together 2 $engine sigma6 --engine $engine -n 5001)" "incomplete 5001 0 "
done
build sigma9 sigma -DN=9
check "a limit holds for all together" sh -c \
    "[ \$(sed -n 's/^executions //p' out.1) -ge 20000 ] && [ \$(sed -n 's/^executions //p' out.1) -lt 20000000 ]" \
    "$(together 2 limit sigma9 --engine optimal -n 20000)"

# Racy accesses are found on the way: all begin again together, and all tell the same findings.
build_bug
"$RADDLE" run -q -k --engine optimal --count-only ./bug >alone 2>/dev/null
check "a racy program, 3 participants" same "$(together 3 racy bug --engine optimal $SPLIT)" \
    "$(sed -n 's/^\(verdict\|executions\|blocked\) //p' alone | tr '\n' ' ')"
for i in 1 2; do
    "$RADDLE" run -q -k --engine optimal --out "found.$i" --farm "redis://127.0.0.1:$PORT/found" ./bug >"told.$i" 2>&1 &
    told="${told:-} $!"
done
wait $told
check "every participant tells the finding" cmp told.1 told.2
check_status 1 "and has what is needed to replay it" "$RADDLE" replay found.2
first_bug() {
    local i pids=()
    for i in 1 2 3; do
        timeout 300 "$RADDLE" run --count-only -q --engine $1 --farm "redis://127.0.0.1:$PORT/first.$1" ./bug \
            >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    wait "${pids[@]}"
    counts_of 1 2 3
}
for engine in optimal source dfs; do
    first_bug $engine >counted
    check "$engine, the first bug: all count the same, and what led to it" grep -qxE "bug [1-9][0-9]* [0-9]+ " counted
    check "… and nothing else" same "$(wc -l <counted)" 1
done
check_status 1 "the first bug stops all" "$RADDLE" run -q --engine optimal --farm "redis://127.0.0.1:$PORT/stop" ./bug
check_status 1 "who comes late to a job that is over gets its result" \
    "$RADDLE" run -q --engine optimal --farm "redis://127.0.0.1:$PORT/stop" ./bug

# Participants that are killed: their work is given to others.
killed() { # killed TIMES JOB PROGRAM OPTIONS… (ARGS: of the program; PACE: 0 for ten times as often)
    local times=$1 job=$2 program=$3 n=0 next=0 i victim left
    shift 3
    declare -A pid
    begin() {
        next=$((next + 1))
        timeout 300 "$RADDLE" run --count-only -q -k "$@" --json "told.$next" --farm "redis://127.0.0.1:$PORT/$job?lease=0.5" \
            "./$program" ${ARGS:-} >"out.$next" 2>"err.$next" </dev/null &
        pid[$next]=$!
    }
    for i in 1 2 3; do begin "$@"; done
    while [ $n -lt "$times" ]; do
        sleep "0.${PACE:-}$((RANDOM % 4 + 1))"
        left=""
        for i in "${!pid[@]}"; do kill -0 "${pid[$i]}" 2>/dev/null && left="$left $i"; done
        [ "$(echo $left | wc -w)" -ge 3 ] || break
        victim=$(echo $left | tr ' ' '\n' | shuf -n 1)
        pkill -KILL -P "${pid[$victim]}" 2>/dev/null
        kill -KILL "${pid[$victim]}" 2>/dev/null
        wait "${pid[$victim]}" 2>/dev/null
        rm -f "out.$victim" "told.$victim"
        unset "pid[$victim]"
        n=$((n + 1))
        begin "$@"
    done
    wait "${pid[@]}"
    echo "killed $n" >&2
    counts_of "${!pid[@]}"
}
rm -f out.*
check "participants killed at random" same "$(killed 8 kill sigma7 --engine optimal 2>/dev/null)" "safe 135135 0 "
check "the same, source" same "$(killed 6 kill.source sigma7 --engine source 2>/dev/null | cut -d' ' -f1-2)" "safe 135135"
build lastzero5 lastzero -DN=5
"$RADDLE" run -q -k --engine icb --bound 3 --json alone.json ./lastzero5 >/dev/null 2>&1
rm -f out.* told.*
killed 8 killed.icb lastzero5 --engine icb --bound 3 >/dev/null 2>&1
check "the same, icb" same "$(for f in told.*; do bounds_of "$f"; done | sort -u)" "$(bounds_of alone.json)"
case_program rw-monitor-sc
rm -f out.*
check "the same, reach" same "$(killed 4 kill.reach rw-monitor-sc --engine reach 2>/dev/null)" "safe 61716 0 "
build sigma8 sigma -DN=8
if [ -n "${RADDLE_LONG:-}" ]; then
    case_program dp-monitor-su
    for engine in optimal source reach; do
        program=sigma8 ARGS="" counts="safe 2027025"
        [ $engine = reach ] && program=dp-monitor-su ARGS=6 counts="safe 901752"
        rm -f out.*
        PACE=$((RANDOM % 2)) killed 50 kill50.$engine $program --engine $engine >counted 2>kills
        check "50 of them, $engine" same "$(cut -d' ' -f1-2 counted)" "$counts"
        check "really" grep -q "killed 50" kills
    done
    ARGS=""
fi
# What one had begun goes to another, which is killed too, before its next checkpoint: a third goes on where the first
# was. (The second has done other leaves before: what it tells then is no checkpoint of this one. Not every run comes to
# that; test_ledger has the message that would make it wrong.)
inherited() {
    local job="inherited?lease=0.5" pids=() i
    begin_one() {
        timeout 300 "$RADDLE" run --count-only -q -k --engine optimal --farm "redis://127.0.0.1:$PORT/$job" ./sigma8 \
            >"out.$1" 2>"err.$1" </dev/null &
        pids[$1]=$!
    }
    end_one() {
        pkill -KILL -P "${pids[$1]}"
        kill -KILL "${pids[$1]}"
        wait "${pids[$1]}"
    }
    begin_one 1
    job_began inherited
    begin_one 2
    sleep 1.2
    end_one 1
    sleep 1.6
    end_one 2
    begin_one 3
    wait "${pids[3]}"
    counts_of 3
}
rm -f out.*
check "work that is inherited twice is counted once" same "$(inherited 2>/dev/null)" "safe 2027025 0 "

# Workers, participants and Redis die, or stop for longer than the lease, at random moments.
if [ -n "${RADDLE_LONG:-}" ]; then
    check "deaths at random" sh -c "python3 '$TOP/tests/farm/deaths.py' ${RADDLE_SEED:-$RANDOM} 100 >&2"
fi

# A participant that leaves gives its work back; one that is stopped for a while is given up and comes back.
leave() {
    local pids=""
    timeout 300 "$RADDLE" run --count-only -q -k --time 1s --engine optimal --farm "redis://127.0.0.1:$PORT/leave" ./sigma7 \
        >left 2>&1 </dev/null &
    pids=$!
    together 2 leave sigma7 --engine optimal
    wait $pids
}
rm -f out.*
check "one leaves after a second (--time)" same "$(leave)" "safe 135135 0 "
interrupted() {
    "$RADDLE" run --count-only -q -k --engine optimal --farm "redis://127.0.0.1:$PORT/interrupted" ./sigma7 >left 2>&1 </dev/null &
    local pid=$!
    job_began interrupted
    sleep 0.3
    kill -INT $pid
    together 2 interrupted sigma7 --engine optimal
    wait $pid
}
check "one leaves by Ctrl-C" same "$(interrupted)" "safe 135135 0 "
stopped() {
    local job="redis://127.0.0.1:$PORT/stopped?lease=0.5" i pids=()
    for i in 1 2 3; do
        "$RADDLE" run --count-only -q --engine optimal --farm "$job" ./sigma7 >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    sleep 0.6
    kill -STOP "${pids[0]}" 2>/dev/null
    sleep 1.5
    kill -CONT "${pids[0]}" 2>/dev/null
    wait "${pids[@]}"
    counts_of 1 2 3
}
check "one is stopped for longer than its lease" same "$(stopped)" "safe 135135 0 "

# What all have read is taken out of the log: who comes later begins with a snapshot. With 50 kB for the job it is
# taken often.
build fib5 fib -DN=5
first_entry() { redis-cli -p $PORT xrange raddle:cut:log - + count 1 | head -1 | cut -d- -f1; }
late() {
    local job="redis://127.0.0.1:$PORT/cut?memory=50000" i pids=()
    for i in 1 2 3 4; do
        timeout 300 "$RADDLE" run --count-only -q -k --engine optimal $SPLIT --farm "$job" ./fib5 >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
        [ $i = 3 ] && for _ in $(seq 200); do [ "$(first_entry)" -gt 1 ] 2>/dev/null && break; sleep 0.02; done
    done
    wait "${pids[@]}"
    timeout 300 "$RADDLE" run --count-only -q -k --engine optimal $SPLIT --farm "$job" ./fib5 >out.5 2>err.5 </dev/null
    counts_of 1 2 3 4 5
}
rm -f out.*
check "who comes after the log was cut counts the same" same "$(late)" "safe 218243 0 "
check "the log was cut" test "$(first_entry)" -gt 1
check "the job's memory was kept to" sh -c \
    "[ \$(redis-cli -p $PORT hget raddle:cut:meta bytes) -lt 50000 ] &&
     [ \$(redis-cli -p $PORT memory usage raddle:cut:log) -lt 90000 ]"
check_output '"executions":218243,.*"entries":[0-9]+,"refused":0,"bytes":[0-9]+,"most_bytes":50000' \
    "raddle farm status of such a job, with what it takes in Redis" \
    "$RADDLE" farm status --json "redis://127.0.0.1:$PORT/cut"
redis-cli -p $PORT set raddle:cut:kept nonsense >/dev/null
check_output "the job's snapshot in Redis is not one" "a snapshot that is none" \
    "$RADDLE" run -q -k --engine optimal $SPLIT --farm "redis://127.0.0.1:$PORT/cut" ./fib5

# Redis is restarted in the middle.
restarted() {
    local i pids=()
    for i in 1 2; do
        timeout 300 "$RADDLE" run --count-only -q --engine optimal --farm "redis://127.0.0.1:$PORT/again?lease=5" ./sigma7 \
            >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    job_began again
    sleep 0.4
    stop_redis
    sleep 0.5
    start_redis --appendonly yes
    wait "${pids[@]}"
    counts_of 1 2
}
restarted >restart.counts 2>/dev/null
check "Redis is restarted in the middle" same "$(cat restart.counts)" "safe 135135 0 "

# raddle farm.
URL=redis://127.0.0.1:$PORT
check_output "finished: 135,135 executions" "raddle farm status" "$RADDLE" farm status "$URL/again"
check_output '"state":"finished","executions":135135,"blocked":0' "raddle farm status --json" \
    "$RADDLE" farm status --json "$URL/again"
timeout 300 "$RADDLE" run --count-only -q --engine optimal --farm "$URL/long" ./sigma9 >long 2>&1 </dev/null &
long=$!
job_began long
check_output "worker 1 of participant 1: [1-9][0-9]* parts? of the search" "raddle farm status: who works on what" \
    "$RADDLE" farm status "$URL/long"
check_output '"workers":\[\{"participant":1,"worker":0,"executions":[0-9]+,"has":"' "the same as JSON" \
    "$RADDLE" farm status --json "$URL/long"
for _ in $(seq 100); do "$RADDLE" farm status --json "$URL/long" | grep -q '"rate":[1-9]' && break; sleep 0.2; done
check_output '"fraction":[0-9.e+-]+,"rate":[1-9][0-9.e+-]*,"utilisation":[0-9.]+.*"participants":\["1 host=' \
    "how fast, how much is left, how busy" "$RADDLE" farm status --json "$URL/long"
timeout -s INT 5 "$RADDLE" farm status --watch "$URL/long" >watched 2>&1
check_output "executions, .*participant.*utilisation" "raddle farm status --watch" cat watched
check "all keys are the job's" same "$(redis-cli -p $PORT --scan | grep -v '^raddle:[^:]*:' | wc -l)" 0
check "and expire" sh -c "for k in \$(redis-cli -p $PORT --scan --pattern 'raddle:long:*'); do
    [ \$(redis-cli -p $PORT ttl \$k) -gt 0 ] || exit 1; done"
check "raddle farm stop" "$RADDLE" farm stop "$URL/long"
wait $long
check "ends the search everywhere, without a verdict" grep -q "verdict incomplete" long
check "raddle farm remove" "$RADDLE" farm remove "$URL/long"
check_status 3 "after that there is no such job" "$RADDLE" farm status "$URL/long"
check "and no key of it, but of who was there, for as long as its lease" same \
    "$(redis-cli -p $PORT --scan --pattern 'raddle:long:*' | grep -v ':alive:' | wc -l)" 0

# What cannot work says so.
check_output "this job is about something else: here engine: dfs, there engine: optimal" "another engine is refused" \
    "$RADDLE" run -q --engine dfs --farm "$URL/again" ./sigma7
check_output "here program: .*there program" "another program is refused" \
    "$RADDLE" run -q --engine optimal --farm "$URL/again" ./sigma6
check_status 3 "with status 3" "$RADDLE" run -q --engine optimal --farm "$URL/again" ./sigma6
check_output "here arguments: [0-9a-f]+, there arguments:" "other arguments are refused" \
    "$RADDLE" run -q --engine optimal --farm "$URL/again" ./sigma7 more
# … another build of raddle itself, and of a library: by its build-id, or by its code if it has none.
mkdir -p other/build/bin other/include
cp "$TOP/build/bin/raddle" other/build/bin/
ln -s "$TOP/build/lib" other/build/lib
ln -s "$TOP/include/raddle.h" other/include/
objcopy --dump-section .note.gnu.build-id=note other/build/bin/raddle
head -c -1 note >note.other
printf Z >>note.other
objcopy --update-section .note.gnu.build-id=note.other other/build/bin/raddle 2>/dev/null
check_output "here build of raddle: [0-9a-f]+, there build of raddle: [0-9a-f]+" "another build of raddle is refused" \
    other/build/bin/raddle run -q --engine optimal --farm "$URL/again" ./sigma7
cat >lib.c <<'C'
int number(void) { return NUMBER; }
C
cat >with.c <<'C'
int number(void);
int main(void) { return number() == 3; }
C
for n in 1 2; do
    mkdir -p "lib$n"
    gcc -shared -fPIC -Wl,--build-id=none -DNUMBER=$n -o "lib$n/libnumber.so" lib.c
done
"$RADDLE" cc -g -o with with.c -Llib1 -lnumber
check_status 0 "a program with a library" env LD_LIBRARY_PATH=lib1 \
    "$RADDLE" run -q --engine optimal --farm "$URL/with" ./with
check_output "here module libnumber.so: [0-9a-f]+, there module libnumber.so" "another build of the library is refused" \
    env LD_LIBRARY_PATH=lib2 "$RADDLE" run -q --engine optimal --farm "$URL/with" ./with
check_output "no Redis answers" "no server" "$RADDLE" run -q --engine optimal --farm redis://127.0.0.1:1/x ./sigma4
check_status 3 "with status 3" "$RADDLE" run -q --engine optimal --farm redis://127.0.0.1:1/x ./sigma4
check_status 64 "a wrong address" "$RADDLE" run -q --engine optimal --farm http://127.0.0.1/x ./sigma4
check_output "cannot be shared with other machines" "an engine that cannot" \
    "$RADDLE" run -q --engine idfs --farm "$URL/idfs" ./sigma4
"$RADDLE" cc --symbolic -g -o inputs "$TOP/tests/cases/symbolic/bank/prog.c" -pthread 2>/dev/null
check_output "inputs are explored on one machine: leave out --farm" "symbolic inputs" \
    "$RADDLE" run -q --engine optimal --farm "$URL/inputs" ./inputs

# What a participant keeps of the search obeys --memory, and says so.
build lastzero10 lastzero -DN=10
check_output "did not fit into the 2 KiB .*\(--memory\)" "the memory of shared states, optimal" \
    "$RADDLE" run -q $SPLIT --engine optimal --memory 2K --farm "$URL/memory" ./lastzero10
check_output "safe up to 0 preemptions.*did not fit into the 4 KiB .*\(--memory\)" "the memory of parts, icb" \
    "$RADDLE" run -q $SPLIT --engine icb --memory 4K --farm "$URL/parts" ./sigma6
redis-cli -p $PORT set raddle:foreign:meta hello >/dev/null
check_output "has something else under this job's name" "a foreign value under the job's name" \
    "$RADDLE" run -q --engine optimal --farm "$URL/foreign" ./sigma4
timeout 300 "$RADDLE" run --count-only -q --engine optimal --farm "$URL/garbage" ./sigma9 >garbage 2>&1 </dev/null &
garbage=$!
job_began garbage
redis-cli -p $PORT xadd raddle:garbage:log 1000000-1 m nonsense >/dev/null
wait $garbage
check_status 2 "a stranger's entry in the log: a message and no verdict" sh -c \
    "grep -q 'somebody else wrote to it' garbage && grep -q 'verdict incomplete' garbage && exit 2"
redis-cli -p $PORT config set maxmemory 1 >/dev/null
check_output "is out of memory" "a Redis without memory" "$RADDLE" run -q --engine optimal --farm "$URL/oom" ./sigma4
redis-cli -p $PORT config set maxmemory 0 >/dev/null
redis-cli -p $PORT config set requirepass secret >/dev/null
check_output "wants a password" "no password" "$RADDLE" run -q --engine optimal --farm "$URL/pw" ./sigma4
check_output "does not accept" "a wrong password" \
    "$RADDLE" run -q --engine optimal --farm "redis://:wrong@127.0.0.1:$PORT/pw" ./sigma4
check_status 3 "with status 3" "$RADDLE" run -q --engine optimal --farm "redis://:wrong@127.0.0.1:$PORT/pw" ./sigma4
check_status 0 "the password in the environment" env REDISCLI_AUTH=secret \
    "$RADDLE" run -q --engine optimal --farm "$URL/pw" ./sigma4
redis-cli -p $PORT -a secret --no-auth-warning config set requirepass "" >/dev/null
redis-cli -p $PORT acl setuser worker on '>pw' '~raddle:*' +eval +xread +xrange +hget +hmget +get +del +ping \
    +hset +hincrby +type +time +expire +exists +set +xadd +xtrim >/dev/null
check_status 0 "a user with rights for raddle's keys only" "$RADDLE" run -q --engine optimal \
    --farm "redis://worker:pw@127.0.0.1:$PORT/acl" ./sigma4
for i in 1 2 3; do
    "$RADDLE" run -q --engine optimal $SPLIT --farm "redis://worker:pw@127.0.0.1:$PORT/acl.cut?memory=40000" ./fib5 >"out.$i" 2>&1 &
    cutting="${cutting:-} $!"
done
wait $cutting
check "… who cuts the log, too" sh -c "[ $(redis-cli -p $PORT hget raddle:acl.cut:meta kept) -gt 0 ] || { cat out.1; exit 1; }"
stop_redis

# TLS.
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost >/dev/null 2>&1
TLS=$((PORT + 1))
start_redis --tls-port $TLS --tls-cert-file cert.pem --tls-key-file key.pem --tls-auth-clients no --tls-ca-cert-file cert.pem
check_status 0 "rediss://" env SSL_CERT_FILE=cert.pem "$RADDLE" run -q --engine optimal --farm "rediss://localhost:$TLS/tls" ./sigma4
check_output "does not speak TLS as it should" "a certificate that nobody knows" \
    "$RADDLE" run -q --engine optimal --farm "rediss://localhost:$TLS/tls" ./sigma4
stop_redis
finish
