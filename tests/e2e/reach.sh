#!/usr/bin/env bash
# Reachability testing from the command line: seeds, sequences saved and checked, diagrams, reductions,
# the older algorithm, the library without raddle.
. "$(dirname "$0")/../lib.sh"
cases=$TOP/tests/cases/reach
cd "$SCRATCH" || exit 1
for p in bb-select bb-semaphore bb-monitor-su bb-monitor-sc rw-select rw-semaphore rw-monitor-su rw-monitor-sc dme \
    dp-deadlock; do
    "$RADDLE" cc -g -o $p "$cases/$p/prog.c" || exit 1
done
count() { # count PROGRAM OPTIONS…: executions
    local p=$1
    shift
    # shellcheck disable=SC2086
    timeout 100 "$RADDLE" run -q -k --engine reach "$@" --out out --json - -- ./$p |
        sed -n 's/.*"engine":"reach","executions":\([0-9]*\).*/\1/p'
}
counts() { [ "$(count "${@:2}")" = "$1" ]; }

# Any order of exploration: 20 seeds of every program that is small, fewer of the others.
seeds() { # seeds NUMBER COUNT PROGRAM
    for s in $(seq 1 "$1"); do
        counts "$2" "$3" --seed "$s" || { echo "$3: another count with seed $s"; return 1; }
    done
}
for row in "20 144 bb-select" "20 324 bb-semaphore" "20 720 bb-monitor-su" "20 768 rw-select" \
    "${RADDLE_LONG:+2}2 12096 bb-monitor-sc" "${RADDLE_LONG:+2}2 4032 dme" "${RADDLE_LONG:+2}2 13320 rw-monitor-su" \
    "${RADDLE_LONG:+2}2 21744 rw-semaphore"; do
    # shellcheck disable=SC2086
    check "the order of exploration does not matter: $row" seeds $row
done
if [ -n "${RADDLE_LONG:-}" ]; then
    check "…nor for rw-monitor-sc" seeds 20 61716 rw-monitor-sc
    # Memory of host and worker together, at its highest.
    "$RADDLE" cc -O2 -o dp6 "$cases/dp-monitor-su/prog.c"
    "$RADDLE" run -q --count-only --engine reach -- ./dp6 6 >dp6.said &
    host=$! peak=0
    while kill -0 $host 2>/dev/null; do
        sum=$(cat /proc/$host/status $(sed 's|[0-9]*|/proc/&/status|g' /proc/$host/task/$host/children) 2>/dev/null |
            awk '/^VmHWM/ { s += $2 } END { print s + 0 }')
        [ "$sum" -gt "$peak" ] && peak=$sum
        sleep 0.2
    done
    wait $host
    echo "# dp-monitor-su(6): $peak KiB"
    check "dp-monitor-su(6): 901,752 sequences" grep -q "executions 901752" dp6.said
    check "…in less than 32 MiB ($peak KiB)" test "$peak" -gt 0 -a "$peak" -lt 32768
fi
forks() {
    for n in 3 4 5 6 7 8; do
        [ "$(timeout 100 "$RADDLE" run -q -k --engine reach --json - --out out -- ./dp-deadlock $n |
            sed -n 's/.*"engine":"reach","executions":\([0-9]*\).*deadlock.*/\1/p')" = $((2 ** n - 1)) ] || return 1
    done
}
check "n philosophers: 2^n - 1 sequences, one a deadlock" forks
check "the older algorithm finds the same" counts 144 bb-select --set history=on
check "…with semaphores" counts 324 bb-semaphore --set history=on
check "…with monitors" counts 720 bb-monitor-su --set history=on
check "--reduce=symmetry: one of each orbit, 12,096 / (3! 3!)" counts 336 bb-monitor-sc --reduce=symmetry
check "--reduce=paper-symmetry" counts 132 bb-monitor-sc --reduce=paper-symmetry
check_output '"verdict":"incomplete".*reductions of the paper' "…is incomplete, and says why" \
    "$RADDLE" run --engine reach --out out --reduce=paper-symmetry --json - ./bb-monitor-su
check "--symmetric names functions" counts 20 bb-monitor-su --symmetric producer,consumer
# Declared by the program or by the user, it is the same; not declared, nothing is left out.
for p in bb-select bb-monitor-su bb-monitor-sc; do
    sed '/raddle_symmetric/d' "$cases/$p/prog.c" >plain.c
    "$RADDLE" cc -g -o plain-$p plain.c || exit 1
done
check "bb-select: declared by the user" counts 4 plain-bb-select --symmetric producer,consumer
check "bb-monitor-su: declared by the user" counts 20 plain-bb-monitor-su --symmetric producer,consumer
check "bb-monitor-sc: declared by the user" counts 336 plain-bb-monitor-sc --symmetric producer,consumer
check "bb-monitor-su: not declared" counts 720 plain-bb-monitor-su --reduce=symmetry
check_output "exchanging them, if they are what was declared" "a reduction says what it preserves" \
    "$RADDLE" run --engine reach --out out --reduce=symmetry --json - ./bb-select
check_output "note: --reduce=pv: the order of posts" "…in the text too" "$RADDLE" run --engine reach --out out --reduce=pv ./bb-semaphore
check "--reduce=all" counts 9 bb-semaphore --reduce=all
check "--reduce=paper-pv,paper-symmetry" counts 1 bb-semaphore --reduce=paper-pv,paper-symmetry
check_status 64 "those of the paper do not go together with others" "$RADDLE" run --engine reach --reduce=pv,paper-pv ./bb-select
check_status 64 "--reduce keeps what it has seen in one worker" "$RADDLE" run -j 2 --engine reach --reduce=pv ./bb-select
check_status 64 "an unknown reduction is refused" "$RADDLE" run --engine reach --reduce=none ./bb-select
check_status 64 "an unknown function is refused" "$RADDLE" run --engine reach --symmetric=none ./bb-select
check_status 64 "--reduce wants reach" "$RADDLE" run --engine dfs --reduce=pv ./bb-select
check_status 64 "…and knows no reductions" "$RADDLE" run --engine reach --set history=on --reduce=pv ./bb-select

check "sequences are saved" counts 324 bb-semaphore --save-sequences seqs
check "…each in a file" test "$(find seqs -name '*.seq' | wc -l)" = 324
check "…all different" test "$(md5sum seqs/*.seq | cut -d' ' -f1 | sort -u | wc -l)" = 324
check "…with names" grep -q '^[1-6] sem-wait empty$' seqs/0000001.seq
each_feasible() { for f in seqs/00000[0-2]*.seq; do "$RADDLE" check-sequence $f ./bb-semaphore || return 1; done; }
check "…and each is feasible" each_feasible
check_output "^feasible" "check-sequence says so" "$RADDLE" check-sequence seqs/0000007.seq -- ./bb-semaphore
printf 'raddle sequence 1\n1 sem-wait d\n2 sem-wait d\n' >bad.seq
check_status 1 "an infeasible sequence" "$RADDLE" check-sequence bad.seq ./bb-semaphore
check_output "infeasible at event 2 \(line 3\): 2 sem-wait d" "…is told where" \
    "$RADDLE" check-sequence bad.seq ./bb-semaphore
check_output "1 sem-wait empty" "…and what was possible" "$RADDLE" check-sequence bad.seq ./bb-semaphore
printf 'raddle sequence 1\n1 receive deposit from 3#1\n1 receive deposit from 2\n' >some.seq
check "sends need not be listed" "$RADDLE" check-sequence some.seq ./bb-select
for bad in 'x' 'raddle sequence 1\n1 jump d' 'raddle sequence 1\n1 sem-wait nobody' \
    'raddle sequence 1\nz sem-wait d' 'raddle sequence 1\n1 receive d'; do
    printf "$bad\n" >bad.seq
    check_status 64 "refused: $bad" "$RADDLE" check-sequence bad.seq ./bb-semaphore
done
check_status 64 "no such file" "$RADDLE" check-sequence none.seq ./bb-semaphore
check_status 3 "no such program" "$RADDLE" check-sequence seqs/0000001.seq ./none

check "a sequence is drawn" "$RADDLE" check-sequence --svg a.svg --dot a.dot --races seqs/0000001.seq ./bb-semaphore
check_output "marker-end" "…with arrows" cat a.svg
check_output 'class="race"' "…and races" cat a.svg
check_output "^digraph" "…also for Graphviz" cat a.dot
"$RADDLE" run -q --engine reach --out found -- ./dp-deadlock 3 >/dev/null
check "so is a finding" "$RADDLE" report --svg b.svg found
check_output ">philosopher<" "…with the threads' names" cat b.svg
cat >twelve.c <<'END'
#include <pthread.h>
#include <raddle/sync.h>
#include <stdio.h>
static struct { int number; raddle_semaphore taken; } fork_of[12];
static void *philosopher_who_has_a_long_name(void *at)
{
    long i = (long)at;
    raddle_semaphore_wait(&fork_of[i].taken);
    printf("philosopher %ld has", i);
    printf(" a fork\n");
    raddle_semaphore_wait(&fork_of[(i + 1) % 12].taken);
    return NULL;
}
int main(void)
{
    pthread_t t[12];
    for (int i = 0; i < 12; i++) raddle_semaphore_init(&fork_of[i].taken, 1);
    for (long i = 0; i < 12; i++) pthread_create(&t[i], NULL, philosopher_who_has_a_long_name, (void *)i);
    for (int i = 0; i < 12; i++) pthread_join(t[i], NULL);
}
END
"$RADDLE" cc -o twelve twelve.c
"$RADDLE" run --engine reach --out found12 ./twelve >text12
check "twelve threads: drawn" "$RADDLE" report --svg c.svg found12
check_output "fork_of\[7\]\.taken" "…with the names of members" cat c.svg
check_output "philosopher_who_has…<title>philosopher_who_has_a_long_name" "…long names are cut" cat c.svg
check_output "prints “philosopher 2 has a fork”" "what a thread prints stands where it printed it" cat text12
check_status 64 "nothing to draw" sh -c "'$RADDLE' run -q --engine reach --out none -- ./bb-select; '$RADDLE' report --svg - none"

native() { # the library without raddle
    for p in bb-select bb-semaphore bb-monitor-su bb-monitor-sc rw-select rw-monitor-su rw-monitor-sc dme; do
        cc -w -I"$TOP/include" -o native-$p "$cases/$p/prog.c" "$TOP/build/lib/libraddle-sync.a" -lpthread || return 1
        for _ in 1 2 3 4 5; do timeout 10 ./native-$p || return 1; done
    done
}
check "programs run without raddle" native
check "a program built by raddle cc runs on its own" sh -c 'for i in 1 2 3 4 5; do ./bb-select && ./bb-monitor-sc || exit 1; done'
finish
