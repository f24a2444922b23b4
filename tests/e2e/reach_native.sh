#!/usr/bin/env bash
# Reachability testing of real programs: random ones over the library (ports of every order, bounded ones,
# selective waits with guards, else and timeouts, semaphores, binary semaphores, locks, both kinds of
# monitors with calls from inside, reader-writer locks, atomics, choices) have the outcomes that dfs
# finds, and no sequence comes twice. RADDLE_LONG: more.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
last=100
[ -n "${RADDLE_LONG:-}" ] && last=3000
"$RADDLE" cc -w -O1 -o library "$TOP/tests/native/library.c" -pthread || exit 1

explore() { # explore ENGINE SEED OPTIONS…: its outcomes in ENGINE.SEED, what was counted in count.ENGINE.SEED
    local engine=$1 seed=$2
    shift 2
    timeout 60 "$RADDLE" run -k --count-only --show-output --races off --max-executions 20000 --engine "$engine" "$@" \
        ./library "$seed" >"all.$engine.$seed" 2>&1
    grep ^outcome "all.$engine.$seed" | sort -u >"$engine.$seed"
    grep -v ^outcome "all.$engine.$seed" >"count.$engine.$seed"
}
kinds() { sed -n 's/^\(verdict\|findings\) //p' "count.$1.$2" | tr '\n' ' '; }
one() { # one SEED
    explore dfs "$1"
    [ "$(sed -n 's/^executions //p' "count.dfs.$1")" -lt 20000 ] || { echo "big"; return; }
    explore optimal "$1"
    cmp -s "dfs.$1" "optimal.$1" || echo "optimal: seed $1: others than dfs"
    explore reach "$1" --save-sequences "seqs.$1"
    local runs seqs
    runs=$(sed -n 's/^executions //p' "count.reach.$1")
    seqs=$(cat "seqs.$1"/*.seq | awk '/^raddle sequence/ { if (s != "") print s; s = "" } { s = s "|" $0 } END { print s }' | sort -u | wc -l)
    [ "$(kinds dfs "$1")" = "$(kinds reach "$1")" ] || echo "verdict: seed $1: $(kinds reach "$1") instead of $(kinds dfs "$1")"
    cmp -s "dfs.$1" "reach.$1" || echo "outcomes: seed $1: others than dfs"
    [ "$runs" = "$seqs" ] || echo "twice: seed $1: $runs executions, $seqs sequences"
    echo "partial $(sed -n 's/^blocked //p' "count.reach.$1") of $runs"
}
export -f explore kinds one
export RADDLE
{ seq $last; printf "%s\n" 903 1746; } | xargs -P 2 -I{} bash -c 'one {}' >said 2>&1
none() { ! grep "^$1:" said; }
check "the verdicts are those of dfs" none verdict
check "so are the outcomes" none outcomes
check "…and those of optimal, to which ports that are not looked at together are independent" none optimal
check "no sequence comes twice" none twice
check "enough programs were compared" test "$(grep -c ^partial said)" -gt $((last * 6 / 10))
awk '/^partial/ { p += $2; n += $4 } END { print "# " n " sequences, " p " partial runs" }' said

# Ports that are not looked at together are independent for the engines that reduce.
cat >ports.c <<'C'
#include <pthread.h>
#include <raddle/sync.h>
static raddle_port p, q;
static int got[4];
static void *sender(void *a)
{
    int v = (int)(long)a;
    raddle_port_send(&p, &v);
    if (v == 1)
        raddle_port_send(&q, &v);
    else
        raddle_port_call(&q, &v);
    return a;
}
static void *receiver(void *a)
{
    raddle_port_receive(&p, &got[0]);
    raddle_port_receive(&p, &got[1]);
    return a;
}
int main(void)
{
    pthread_t t[3];
    raddle_port_init(&p, sizeof(int), RADDLE_FIFO, 0);
    raddle_port_init(&q, sizeof(int), RADDLE_FIFO, 0);
    pthread_create(&t[0], 0, sender, (void *)1);
    pthread_create(&t[1], 0, sender, (void *)2);
    pthread_create(&t[2], 0, receiver, 0);
    raddle_port_receive(&q, &got[2]);
    raddle_port_receive(&q, &got[3]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
"$RADDLE" cc -o ports ports.c -pthread || exit 1
traces() { timeout 60 "$RADDLE" run -q -k --count-only --engine "$1" --all-traces "t.$1" ./ports >/dev/null; sort -u "t.$1"; }
traces dfs >all
for e in optimal source dpor-cr; do
    check "ports: $e finds the traces of dfs" test "$(traces $e)" = "$(cat all)"
done
finish
