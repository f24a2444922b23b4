# For tests/e2e/*.sh about searches that several workers or machines share; after lib.sh.
SPLIT="--set split_after=0" # from the start, so that short searches are shared too

build() { # build NAME PROGRAM CFLAGS…
    local name=$1 program=$2
    shift 2
    "$RADDLE" cc -g -O2 "$@" -o "$name" "$TOP/bench/programs/$program.c" -pthread
}
case_program() { "$RADDLE" cc -g -O2 -o "$1" "$TOP/tests/cases/reach/$1/prog.c" -pthread; }

same() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'"; cat err.* 2>/dev/null | sort -u | head -5; return 1; }; }

# Searches in the order of a bound: "verdict bound executions-per-bound c B" of the report in a file.
bounds_of() { # bounds_of FILE
    python3 -c "import json, sys; j = json.load(open(sys.argv[1]))
print(*(j[k] for k in ('verdict', 'bound', 'executions_per_bound', 'max_bound', 'max_blocking')))" "$1"
}
# PROGRAM N ENGINE BOUND that are searched by several; a choice in each thread: values are given away too.
BOUNDED="fib 2 icb 4
lastzero 4 icb 2
lastzero 4 idb 7
dining 3 icb 20
choices 2 icb 2
choices 2 idb 3"
build_bounded() { # build_bounded PROGRAM N: ./p
    [ "$1" = choices ] || { build p "$1" -DN="$2"; return; }
    cat >choices.c <<'C'
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *a)
{
    if (raddle_choose(3) == 1)
        x++;
    if (raddle_choose(2))
        x--;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
C
    "$RADDLE" cc -g -O2 -DN="$2" -o p choices.c -pthread
}

# ./bug: its racy accesses are found on the way.
build_bug() {
    cat >bug.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
static void *work(void *a)
{
    int v = x;
    x = v + 1;
    return a;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
}
C
    "$RADDLE" cc -g -o bug bug.c -pthread
}

# ---- farms: a Redis of the test's own on loopback ----

PORT=$((20000 + 2 * ($$ % 6000))) # below those that the kernel gives to connections; the next one is for TLS
REDIS=""
start_redis() { # start_redis OPTIONS…
    redis-server --port $PORT --bind 127.0.0.1 --dir "$SCRATCH" --save "" "$@" >redis.log 2>&1 &
    REDIS=$!
    trap 'stop_redis; rm -rf "$SCRATCH"' EXIT
    for _ in $(seq 100); do
        redis-cli -p $PORT ping 2>/dev/null | grep -q PONG && return
        sleep 0.1
    done
}
stop_redis() {
    [ -z "$REDIS" ] || kill "$REDIS" 2>/dev/null
    wait "$REDIS" 2>/dev/null
    REDIS=""
}

# job_began JOB: waits until somebody has told something, however slow the machine is.
job_began() {
    for _ in $(seq 600); do
        [ "$(redis-cli -p $PORT exists "raddle:$1:log")" = 1 ] && return
        sleep 0.1
    done
}

counts_of() { # counts_of NUMBER…: their counts, each different one once
    local i
    for i in "$@"; do
        sed -n 's/^\(verdict\|executions\|blocked\) //p' "out.$i" | tr '\n' ' '
        echo
    done | sort -u
}
# together N JOB PROGRAM OPTIONS…: what N participants of a new job counted, different answers on lines of their own.
# FARM_PORT: where they find Redis, if not at its own port; FIRST: words before the command of the first; REPORTS: each
# writes told.NUMBER, its report.
together() {
    local n=$1 job=$2 program=$3 i pids=""
    shift 3
    for i in $(seq "$n"); do
        [ "$i" = 1 ] && first=${FIRST:-} || first=""
        timeout 400 $first "$RADDLE" run --count-only -q -k "$@" ${REPORTS:+--json told.$i} \
            --farm "redis://127.0.0.1:${FARM_PORT:-$PORT}/$job" "./$program" >"out.$i" 2>"err.$i" </dev/null &
        pids="$pids $!"
    done
    wait $pids
    counts_of $(seq "$n")
}
