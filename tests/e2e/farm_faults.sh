#!/usr/bin/env bash
# raddle run --farm when things go wrong: messages that come twice or late, connections that are cut, a clock that is
# wrong, a Redis that cannot be written to, messages that are no messages. Counts stay those of one worker, or it is said
# why there are none.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/shared_search.sh"
cd "$SCRATCH" || exit 1
start_redis --appendonly yes
build sigma6 sigma -DN=6
build sigma7 sigma -DN=7
build lastzero10 lastzero -DN=10
case_program bb-select

# A network that delays, doubles and cuts.
PROXY=$((PORT + 7))
python3 "$TOP/tests/farm/proxy.py" $PROXY $PORT ${RADDLE_SEED:-$RANDOM} >proxy.log 2>&1 &
proxy=$!
for _ in $(seq 100); do [ -f proxy.counts ] && break; sleep 0.1; done
for round in 1 ${RADDLE_LONG:+2 3 4 5 6 7 8}; do
    check "optimal over a bad network, sigma(7)" same \
        "$(FARM_PORT=$PROXY together 3 "p.s.$round" sigma7 --engine optimal)" "safe 135135 0 "
    check "optimal over a bad network, lastzero(10)" same \
        "$(FARM_PORT=$PROXY together 3 "p.l.$round" lastzero10 --engine optimal $SPLIT)" "safe 3328 0 "
    check "source over a bad network" same \
        "$(FARM_PORT=$PROXY together 2 "p.o.$round" sigma6 --engine source $SPLIT | cut -d' ' -f1-2)" "safe 10395"
    check "reach over a bad network" same \
        "$(FARM_PORT=$PROXY together 3 "p.r.$round" bb-select --engine reach $SPLIT)" "safe 144 0 "
    check "random over a bad network" same \
        "$(FARM_PORT=$PROXY together 2 "p.n.$round" sigma6 --engine random -n 20001)" "incomplete 20001 0 "
done
for _ in $(seq 50); do grep -qE 'twice [1-9]' proxy.counts && break; sleep 0.1; done # it is written anew now and then
check "messages were really delivered twice" sh -c "grep -qE 'twice [1-9]' proxy.counts || { cat proxy.counts proxy.log; exit 1; }"
kill $proxy
wait $proxy 2>/dev/null
# One is stopped for longer than its lease, so that it must join again, and is cut off while it does.
python3 "$TOP/tests/farm/proxy.py" $PROXY $PORT ${RADDLE_SEED:-$RANDOM} joins >proxy.log 2>&1 &
proxy=$!
for _ in $(seq 100); do grep -q "^requests 0" proxy.counts && break; sleep 0.1; done
joins_again() {
    local i pids=()
    for i in 1 2; do
        timeout 120 "$RADDLE" run --count-only -q --engine optimal --farm "redis://127.0.0.1:$PROXY/again?lease=0.5" ./sigma7 \
            >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    sleep 0.6
    pkill -STOP -P "${pids[0]}" -x raddle
    sleep 1.5
    pkill -CONT -P "${pids[0]}" -x raddle
    wait "${pids[@]}"
    counts_of 1 2
}
check "cut off while it joins again" same "$(joins_again)" "safe 135135 0 "
kill $proxy
wait $proxy 2>/dev/null

# A participant whose clock is an hour ahead: leases are Redis's.
gcc -shared -fPIC -o clock.so "$TOP/tests/farm/clock.c" -ldl
check "the clock of one is an hour ahead" same \
    "$(FIRST="env LD_PRELOAD=$PWD/clock.so" together 3 "clock?lease=1" sigma7 --engine optimal)" "safe 135135 0 "

# A message that was cut short, and one that is none, in their places in the log: refused, and nothing else.
inject() { # inject JOB FILE: its bytes are the next entry of the log
    redis-cli -p $PORT -x eval \
        "local n = redis.call('HINCRBY', KEYS[1], 'n', 1) redis.call('XADD', KEYS[2], n .. '-1', 'm', ARGV[1]) return n" \
        2 "raddle:$1:meta" "raddle:$1:log" <"$2" >/dev/null
}
damaged() {
    local i pids=()
    for i in 1 2; do
        timeout 300 "$RADDLE" run --count-only -q --engine optimal --farm "redis://127.0.0.1:$PORT/damaged" ./sigma7 \
            >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    job_began damaged
    python3 "$TOP/tests/farm/log.py" $PORT damaged messages
    for bytes in 5 9 13; do
        tail -c +5 messages | head -c $bytes >part
        inject damaged part
    done
    echo nonsense >part
    inject damaged part
    wait "${pids[@]}"
    counts_of 1 2
}
check "truncated messages in the log" same "$(damaged)" "safe 135135 0 "
check_output '"refused":[1-9]' "are counted" "$RADDLE" farm status --json "redis://127.0.0.1:$PORT/damaged"

# A Redis that cannot be written to: at the start, and on the way.
redis-cli -p $PORT replicaof 127.0.0.1 1 >/dev/null
check_output "read-only" "a read-only Redis says so" \
    "$RADDLE" run -q --engine optimal --farm "redis://127.0.0.1:$PORT/readonly" ./sigma6
check_status 3 "with status 3" "$RADDLE" run -q --engine optimal --farm "redis://127.0.0.1:$PORT/readonly" ./sigma6
redis-cli -p $PORT replicaof no one >/dev/null
build sigma9 sigma -DN=9
on_the_way() { # on_the_way JOB WORD…: what a participant says when this is done to Redis
    local job=$1
    shift
    timeout 300 "$RADDLE" run --count-only -q --engine optimal --farm "redis://127.0.0.1:$PORT/$job" ./sigma9 \
        >"out.$job" 2>"err.$job" </dev/null &
    local pid=$!
    job_began "$job"
    sleep 0.5
    redis-cli -p $PORT "$@" >/dev/null
    wait $pid
    echo "status $?"
    cat "out.$job" "err.$job"
}
on_the_way late replicaof 127.0.0.1 1 >told
redis-cli -p $PORT replicaof no one >/dev/null
check_output "status 2" "a Redis that becomes read-only on the way: no verdict" cat told
check_output "read-only" "and why" cat told
on_the_way full config set maxmemory 1 >told
redis-cli -p $PORT config set maxmemory 0 >/dev/null
check_output "status 2" "a Redis that runs out of memory on the way: no verdict" cat told
check_output "out of memory" "and why" cat told
timeout 60 "$RADDLE" run --count-only -q -k --engine optimal --time 1s --farm "redis://127.0.0.1:$PORT/goes.on" \
    ./sigma7 >/dev/null 2>&1 </dev/null
check "nothing is lost that others can go on with" same \
    "$(together 2 goes.on sigma7 --engine optimal)" "safe 135135 0 "
check_output "as much of this job as it may" "a job's messages have a maximum" sh -c \
    "timeout 60 '$RADDLE' run --count-only -q --engine optimal --farm 'redis://127.0.0.1:$PORT/small?memory=2000' ./sigma9 2>&1"

# Workers are killed, not participants: while they wait, twice at the same place, while they read what is shared. Each goes on
# from its checkpoint; nothing is counted twice, nobody asks twice for work and nobody waits for one who is dead.
build lastzero13 lastzero -DN=13
limit=120 lastzero=15 traces=147456 sigma=7 sources=135135 reach=rw-monitor-sc args="" sequences=61716
[ -z "${RADDLE_LONG:-}" ] || limit=900 lastzero=16 traces=311296 sigma=8 sources=2027025 reach=dp-monitor-su args=6 sequences=901752
build killed.optimal lastzero -DN=$lastzero
build killed.source sigma -DN=$sigma
"$RADDLE" cc -g -O2 -o killed.reach "$TOP/tests/cases/reach/$reach/prog.c" -pthread
workers_killed() { # workers_killed ROUND ENGINE ARGS…
    local round=$1 engine=$2 i pids=()
    shift 2
    for i in 1 2; do
        timeout $limit "$RADDLE" run --count-only -q -k --engine "$engine" $SPLIT -j 2 \
            --farm "redis://127.0.0.1:$PORT/w.$engine.$round?lease=2" "./killed.$engine" "$@" >"out.$i" 2>"err.$i" </dev/null &
        pids+=($!)
    done
    kill_workers 8 "${pids[0]}" >/dev/null 2>&1
    wait "${pids[@]}"
    counts_of 1 2
}
for round in 1 ${RADDLE_LONG:+2 3 4 5 6 7 8 9 10}; do
    rm -f out.* err.*
    check "workers killed, optimal" same "$(workers_killed $round optimal 2>/dev/null)" "safe $traces 0 "
    check "workers killed, source" same "$(workers_killed $round source 2>/dev/null | cut -d' ' -f1-2)" "safe $sources"
    check "workers killed, reach" same "$(workers_killed $round reach $args 2>/dev/null)" "safe $sequences 0 "
done

# A job that is full ends at once, and goes on with who allows it more.
full() {
    timeout 60 "$RADDLE" run --count-only -q -k --engine optimal --farm "redis://127.0.0.1:$PORT/more?memory=$1&lease=1" \
        ./lastzero13 2>&1 </dev/null
}
before=$(date +%s)
check_output "holds as much of this job as it may" "a job without room" full 120
check "… ends without waiting for Redis to have some" test $(($(date +%s) - before)) -lt 45
check_output "executions 32768" "who allows it more goes on with it" full 100000000

build fib5 fib -DN=5
# A snapshot that is gone (a Redis that evicts keys): said at once by who would need it, also by raddle farm status.
gone() {
    timeout 60 "$RADDLE" run --count-only -q -k --engine optimal $SPLIT --farm "redis://127.0.0.1:$PORT/evicted" ./fib5 2>&1 </dev/null
}
together 3 "evicted?memory=50000" fib5 --engine optimal $SPLIT >/dev/null
check "there was a snapshot" same "$(redis-cli -p $PORT del raddle:evicted:kept)" 1
check_output "snapshot in Redis is gone" "a snapshot that is gone" gone
check_output "snapshot in Redis is gone" "raddle farm status says so, too" \
    "$RADDLE" farm status "redis://127.0.0.1:$PORT/evicted"

# Addresses that are none; a password in the environment is taken as it is.
for address in 127.0.0.1: 127.0.0.1:0 127.0.0.1:99999 127.0.0.1:abc '[::1' '[::1]5:1' ''; do
    check_status 64 "an address that is none: $address" "$RADDLE" farm status "redis://$address/x"
done
redis-cli -p $PORT config set requirepass 'a%41b' >/dev/null
check_status 0 "a password in the environment is not decoded" env REDISCLI_AUTH=a%41b \
    "$RADDLE" run -q --engine optimal --farm "redis://127.0.0.1:$PORT/secret" ./sigma6
check_status 0 "the same in the address is" "$RADDLE" run -q --engine optimal \
    --farm "redis://:a%2541b@127.0.0.1:$PORT/secret" ./sigma6
redis-cli -p $PORT -a 'a%41b' --no-auth-warning config set requirepass "" >/dev/null
check_output "here --memory: [0-9]+, there --memory" "another --memory is refused: what does not fit is for all the same" \
    "$RADDLE" run -q --engine optimal --memory 9M --farm "redis://127.0.0.1:$PORT/secret" ./sigma6
stop_redis
finish
