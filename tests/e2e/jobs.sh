#!/usr/bin/env bash
# raddle run -j: the totals, the traces and the findings are those of one worker, also if a worker is
# killed; --all-traces and --count-only. Work is split from the start (split_after), so that short
# searches are shared too.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
SPLIT="--set split_after=0"

build() { # build NAME PROGRAM CFLAGS…
    local name=$1 program=$2
    shift 2
    "$RADDLE" cc -g -O2 "$@" -o "$name" "$TOP/bench/programs/$program.c" -pthread
}

# counts ENGINE JOBS PROGRAM: "verdict executions blocked"
counts() {
    timeout 100 "$RADDLE" run $SPLIT --count-only -k --engine "$1" -j "$2" "./$3" |
        sed -n 's/^\(verdict\|executions\|blocked\) //p' | tr '\n' ' '
}

same() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'"; return 1; }; }

# Every case of tests/cases/traces of moderate size.
for case in "$TOP"/tests/cases/traces/*; do
    file=$(ls "$case"/* | head -1)
    want=$(sed -n 's/^optimal => verdict=\([a-z]*\) executions=\([0-9]*\) blocked=\([0-9]*\).*/\1 \2 \3 /p' "$file")
    set -- $want
    [ -n "$want" ] && [ "$2" -le 3000 ] || continue
    program=$(sed -n 's/^source: bench\/programs\/\(.*\)\.c/\1/p' "$file")
    [ -n "$program" ] || continue
    build p "$program" $(sed -n 's/^cc: //p' "$file")
    check "$(basename "$case"), two workers" same "$(counts optimal 2 p)" "$want"
done
build sigma7 sigma -DN=7
check "sigma(7), two workers" same "$(counts optimal 2 sigma7)" "safe 135135 0 "

# All traces.
build small sigma -DN=4
for run in "optimal 1" "optimal 2" "source 2" "dfs 2"; do
    set -- $run
    timeout 100 "$RADDLE" run $SPLIT --count-only --all-traces "t.$1.$2" --engine "$1" -j "$2" ./small >/dev/null
    sort -u "t.$1.$2" >"u.$1.$2"
    check "$1 -j $2 finds the same traces" cmp u.optimal.1 "u.$1.$2"
done
check "optimal writes each trace once" same "$(wc -l <t.optimal.2)" 105
check_status 64 "a file that cannot be written is refused" "$RADDLE" run --all-traces /nowhere/x ./small
check "--count-only leaves no folder" test ! -e raddle-out

# A worker that is killed: its work is redone, nothing is counted twice.
kill_one() { # kill_one JOBS
    timeout 100 "$RADDLE" run $SPLIT --count-only --engine optimal -j "$1" ./sigma7 >killed 2>/dev/null &
    local host=$! n=0 victim
    while [ $n -lt 3 ] && kill -0 $host 2>/dev/null; do
        sleep 0.4
        for victim in $(cat /proc/$(pgrep -P $host | head -1)/task/*/children 2>/dev/null | head -1); do
            kill -KILL "$victim" 2>/dev/null && n=$((n + 1))
            break
        done
    done
    wait $host
    sed -n 's/^\(verdict\|executions\|blocked\) //p' killed | tr '\n' ' '
}
check "workers killed, one worker" same "$(kill_one 1)" "safe 135135 0 "
check "workers killed, two workers" same "$(kill_one 2)" "safe 135135 0 "

# Findings.
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
kinds() {
    "$RADDLE" run $SPLIT -k --engine optimal -j "$1" --json - ./bug | sed 's/"workers":[^]]*//' |
        grep -oE '"(executions|blocked)":[0-9]+|"kind":"[a-z]*"|"location":"[^"]*"' | sort | tr '\n' ' '
}
check "the same findings and counts, racy program" same "$(kinds 2)" "$(kinds 1)"
check_status 1 "the first bug stops all workers" "$RADDLE" run $SPLIT --engine optimal -j 3 -q ./bug
check_status 64 "an engine that cannot share says so" "$RADDLE" run -j 2 --engine icb ./bug
check_output "perhaps|roughly|time was up" "--time says how much was covered" \
    "$RADDLE" run $SPLIT -q --time 1s -j 2 --engine dfs ./sigma7
finish
