#!/usr/bin/env bash
# raddle run -j: the totals, the traces and the findings are those of one worker, also if a worker is
# killed; --all-traces and --count-only. Work is split from the start (split_after), so that short
# searches are shared too.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/shared_search.sh"
cd "$SCRATCH" || exit 1
# counts ENGINE JOBS PROGRAM OPTIONS…: "verdict executions blocked"
counts() {
    local engine=$1 jobs=$2 program=$3
    shift 3
    timeout 400 "$RADDLE" run --count-only -k --engine "$engine" -j "$jobs" "$@" "./$program" 2>/dev/null |
        sed -n 's/^\(verdict\|executions\|blocked\) //p' | tr '\n' ' '
}

# Numbers of Mazurkiewicz traces: each found once, nothing given up, whoever explores what. With one worker
# the smaller ones are in tests/cases/traces. ainc: increments whose result is not used still conflict.
two_workers() { # two_workers PROGRAM N TRACES VERDICT CFLAGS…
    local program=$1 n=$2 traces=$3 verdict=$4
    shift 4
    build p "$program" -DN="$n" "$@"
    check "$program($n) $*, two workers" same "$(counts optimal 2 p $SPLIT)" "$verdict $traces 0 "
    check "$program($n) $*, two workers, split late" same "$(counts optimal 2 p)" "$verdict $traces 0 "
    [ -z "${RADDLE_LONG:-}" ] ||
        check "$program($n) $*, one worker" same "$(counts optimal 1 p)" "$verdict $traces 0 "
}
# --max-executions of workers that share: not one more.
build p readers -DN=13
for engine in optimal source dpor dpor-cr dfs reach icb idb auto pos; do
    performed() { counts "$engine" 2 p $SPLIT -n 701 | awk '{ print $2 + $3 }'; }
    check "$engine, two workers: 701 executions are 701" same "$(performed)" 701
done
while read -r row; do
    two_workers $row </dev/null
done <<'ROWS'
readers 8 256 safe
readers 13 8192 safe
lastzero 5 64 safe
lastzero 10 3328 safe
fib 3 1698 safe
fib 4 19605 safe
sigma 6 10395 safe
sigma 7 135135 safe
lastwrite 6 720 safe
lastwrite 7 5040 safe
floating_read 6 5040 safe
casrot 6 144 safe
casrot 8 2048 safe
ainc 5 120 safe
lockinc 6 720 safe
lockinc 7 5040 safe
dining 4 14 safe
dining 5 30 safe
dining 7 126 safe
dining 10 1022 safe
dining_deadlock 4 831 bug
dining_deadlock 5 5851 bug
filesystem 14 2 safe
filesystem 16 8 safe
filesystem 18 32 safe
filesystem 22 512 safe
filesystem 26 8192 safe
indexer 12 8 safe
indexer 13 64 safe
indexer 14 512 safe
indexer 15 4096 safe
single_lock 4 2520 safe
single_lock 4 22680 safe -DONCE=1
ROWS
[ -z "${RADDLE_LONG:-}" ] || while read -r row; do
    two_workers $row </dev/null
done <<'ROWS'
fib 5 218243 safe
lastzero 15 147456 safe
sigma 8 2027025 safe
indexer 16 32768 safe
ROWS
build sigma7 sigma -DN=7

# All traces.
build small sigma -DN=4
for run in "optimal 1" "optimal 2" "source 2" "dfs 2"; do
    set -- $run
    timeout 100 "$RADDLE" run $SPLIT --count-only --all-traces "t.$1.$2" --engine "$1" -j "$2" ./small >/dev/null
    sort -u "t.$1.$2" >"u.$1.$2"
    check "$1 -j $2 finds the same traces" cmp u.optimal.1 "u.$1.$2"
done
check "optimal writes each trace once" same "$(wc -l <t.optimal.2)" 105
"$RADDLE" cc -O1 -o tries "$TOP/tests/cases/mutex/trylock/prog.c" -pthread
"$RADDLE" run --symmetry off --count-only -k --engine optimal --all-traces tries.all ./tries >/dev/null 2>&1
check_output "trylock!" "--all-traces tells operations that failed from others" cat tries.all
check_status 64 "a file that cannot be written is refused" "$RADDLE" run --all-traces /nowhere/x ./small
check "--count-only leaves no folder" test ! -e raddle-out

# A worker that is killed: its work is redone, nothing is counted twice.
kill_one() { # kill_one JOBS
    timeout 100 "$RADDLE" run $SPLIT --count-only --engine optimal -j "$1" ./sigma7 >killed 2>/dev/null &
    kill_workers 3 $!
    sed -n 's/^\(verdict\|executions\|blocked\) //p' killed | tr '\n' ' '
}
check "workers killed, one worker" same "$(kill_one 1)" "safe 135135 0 "
check "workers killed, two workers" same "$(kill_one 2)" "safe 135135 0 "

# In the order of a bound: the counts of each bound, also when workers are killed.
while read -r program n engine bound; do
    build_bounded "$program" "$n"
    for jobs in 1 2 4; do
        timeout 100 "$RADDLE" run -q -k $SPLIT --engine "$engine" --bound "$bound" -j $jobs --json "b.$jobs" ./p \
            >/dev/null 2>&1 </dev/null
    done
    for jobs in 2 4; do
        check "$engine, $program($n), $jobs workers" same "$(bounds_of b.$jobs)" "$(bounds_of b.1)"
    done
done <<<"$BOUNDED"
build lastzero5 lastzero -DN=5
bounded_and_killed() {
    timeout 100 "$RADDLE" run -q -k $SPLIT --engine icb --bound 3 -j 2 --json b.killed ./lastzero5 >/dev/null 2>&1 &
    kill_workers 4 $!
    bounds_of b.killed
}
timeout 100 "$RADDLE" run -q -k --engine icb --bound 3 --json b.1 ./lastzero5 >/dev/null 2>&1
check "icb, two workers, killed" same "$(bounded_and_killed)" "$(bounds_of b.1)"
check_output "every execution with ≤ 2 preemptions is covered" "icb -j 2 --bound says how far it came" \
    "$RADDLE" run -q $SPLIT --engine icb --bound 2 -j 2 ./lastzero5
check_output "did not fit into the .*\(--memory\)" "what is left for the next bound does not fit" \
    "$RADDLE" run -q $SPLIT --engine icb -j 2 --memory 100K ./lastzero5

# Findings.
build_bug
kinds() {
    "$RADDLE" run $SPLIT -k --engine optimal -j "$1" --json - ./bug | sed 's/"\(workers\|pace\|growth\)":[^]]*//g' |
        grep -oE '"(executions|blocked)":[0-9]+|"kind":"[a-z]*"|"location":"[^"]*"' | sort | tr '\n' ' '
}
check "the same findings and counts, racy program" same "$(kinds 2)" "$(kinds 1)"
check_status 1 "the first bug stops all workers" "$RADDLE" run $SPLIT --engine optimal -j 3 -q ./bug

# Random engines: execution i has its own seed, each worker runs every N-th. auto shares its last phase.
sampled() { # sampled ENGINE JOBS: the traces of 600 executions, in no order
    rm -f sample
    timeout 100 "$RADDLE" run --count-only -k --engine "$1" -j "$2" -n 600 --all-traces sample ./small >/dev/null
    sort sample | md5sum
}
for engine in random pos; do
    check "$engine -j 3 runs the executions of -j 1" same "$(sampled $engine 3)" "$(sampled $engine 1)"
done
check "pct -j 3 runs as many" same "$(counts pct 3 small -n 601)" "incomplete 601 0 "
check_output "^safe: every Mazurkiewicz trace" "auto -j 2 proves what auto does" "$RADDLE" run -j 2 ./sigma7
check "auto -j 2 divides it" sh -c "timeout 100 '$RADDLE' run -q --json - -j 2 ./sigma7 |
    grep -qE '\"workers\":\[\{\"executions\":[0-9]{4,}[^]]*\"executions\":[0-9]{4,}'"
check "the first bug of random stops all workers" test 1 = \
    "$("$RADDLE" run -q -j 3 --engine random ./bug >/dev/null 2>&1; echo $?)"
"$RADDLE" run -q -j 2 --engine pos --out pos ./bug >/dev/null 2>&1
check_status 1 "and is replayed" "$RADDLE" replay pos

# How large the search is: within a factor of 3 of the truth after a quarter of it, and whole at the end.
guess() { # guess OPTIONS…: the estimate and the fraction
    "$RADDLE" run -q --json - --engine optimal "$@" ./sigma7 | grep -oE '"(estimate|fraction)":[0-9.e+]+' |
        cut -d: -f2 | tr '\n' ' '
}
about() { awk -v e="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(e >= low && e <= high) }' || { echo "$1"; return 1; }; }
set -- $(guess -n 33792)
check "the estimate after a quarter" about "${1:-0}" 45045 405405
set -- $(guess)
check "the estimate in the end" about "${1:-0}" 135135 135135
check "the fraction in the end" same "${2:-}" 1
set -- $(guess -j 2)
check "the fraction in the end, two workers" same "${2:-}" 1

# Memory does not grow with the number of executions: 10 million of sigma(9) in less than 64 MiB, host and
# worker together.
memory() {
    build sigma9 sigma -DN=9
    "$RADDLE" run -q --engine optimal -n 10000000 ./sigma9 >/dev/null 2>&1 &
    local host=$! most=0 now
    while kill -0 $host 2>/dev/null; do
        now=0
        for pid in $host $(pgrep -P $host); do
            now=$((now + $(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null || echo 0)))
        done
        [ $now -gt $most ] && most=$now
        sleep 1
    done
    wait $host
    about $most 5000 65536
}
[ -z "${RADDLE_LONG:-}" ] || check "10 million executions in less than 64 MiB" memory
check_status 64 "an engine that cannot share says so" "$RADDLE" run -j 2 --engine idfs ./bug
check_status 64 "nor a cache" "$RADDLE" run -j 2 --engine icb --cache ./bug
check_output "at least|roughly|time was up" "--time says how much was covered" \
    "$RADDLE" run $SPLIT -q --time 1s -j 2 --engine dfs ./sigma7
finish
