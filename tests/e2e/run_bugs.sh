#!/usr/bin/env bash
# Whole runs: the text of three reports, identical replays, JSON, budgets, Ctrl-C, standard input, gdb.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
for p in race deadlock freed safe input endless onstack cut; do
    cp "$here/$p.c" . && "$RADDLE" cc -g -o $p $p.c -pthread
done

json() { python3 -c "import json,sys; r=json.load(open('$1')); sys.exit(not ($2))"; }

for p in race deadlock freed; do
    check_status 1 "$p: status 1" "$RADDLE" run --engine dfs --out out/$p --json $p.json ./$p
    COLUMNS=100 "$RADDLE" report out/$p | sed 's/ in [0-9.]* s, / in T s, /' >$p.txt
    [ -n "${RADDLE_UPDATE:-}" ] && cp $p.txt "$here/$p.txt"
    check "$p: the report is the expected one" diff "$here/$p.txt" $p.txt
    check_status 1 "$p: 100 replays reproduce it" "$RADDLE" replay --times 100 out/$p
    check "$p: JSON follows the contract" json $p.json "r['raddle']==1 and r['verdict']=='bug' and
        r['engine']=='dfs' and r['executions']>0 and r['blocked']==0 and r['events']>0 and
        r['complete']==False and r['bound'] is None and r['findings'][0]['threads'] and
        r['findings'][0]['location'].startswith('$p.c:') and r['findings'][0]['inputs']=={}"
    "$RADDLE" report --json - out/$p >again.json
    check "$p: raddle report gives the same JSON" json again.json "r==json.load(open('$p.json'))"
done
"$RADDLE" cc -O2 -g -o inlined deadlock.c -pthread
check_output "called from deadlock.c:20 in there" "inlined functions are told" "$RADDLE" run ./inlined
check_status 1 "replay of another finding of the folder" "$RADDLE" replay out/race/schedule.2
check_output "data race on counter" "report --finding 2" "$RADDLE" report --finding 2 out/race

check_status 0 "safe program: status 0" "$RADDLE" run --out out/safe --json safe.json ./safe
check "safe program: JSON" json safe.json "r['verdict']=='safe' and r['complete'] and r['findings']==[]"
check_status 2 "--max-executions: incomplete" "$RADDLE" run -n 100 ./endless
check_output "stopped after 100 executions" "--max-executions is the reason" "$RADDLE" run -n 100 ./endless
check_output "the time was up" "--time is the reason" "$RADDLE" run --time 300ms ./endless
check_output "first 5 steps only" "--depth is a bound" "$RADDLE" run --depth 5 ./endless
check_status 2 "a bound is not complete" "$RADDLE" run --depth 5 ./endless
check "random: the same seed gives the same schedule" bash -c "'$RADDLE' run -q --no-shrink --engine random \
    --seed 5 --out a ./race; '$RADDLE' run -q --no-shrink --engine random --seed 5 --out b ./race;
    diff a/schedule b/schedule"
check "raddle-out/latest is the last run" bash -c "'$RADDLE' run -q ./race; '$RADDLE' replay -q; [ \$? = 1 ] &&
    [ -e raddle-out/latest/report.txt ] && grep -q '^raddle run -q ./race' raddle-out/latest/command"
check_output "reads counter: 0" "a variable on a stack has a name" "$RADDLE" run ./onstack
check_output "^incomplete: no bug in .* cut after 2000 steps" "no bound is claimed after a cut" \
    "$RADDLE" run --max-steps 2000 ./cut
check_output "^bug: assertion failed: counter == 2, race.c:19\$" "--quiet is the verdict alone" \
    "$RADDLE" run -q ./race

check "stdin is given to every execution, and kept" bash -c "echo 42 | '$RADDLE' run -q --out in ./input;
    [ \$? = 1 ] && '$RADDLE' replay -q in; [ \$? = 1 ]"
check "another stdin, another verdict" bash -c "echo 41 | '$RADDLE' run -q ./input"
"$RADDLE" cc -g -DPOSITION -o position "$TOP/tests/cases/match-states/hidden/prog.c" -pthread
check_output "incomplete: .*a file, or its position" "--match states does not know how far stdin was read" \
    bash -c "echo 41 | '$RADDLE' run --engine stateful --match states ./position"

"$RADDLE" run --out stopped ./endless >stopped.txt 2>&1 </dev/null &
pid=$!
sleep 1 && kill -INT $pid && wait $pid
[ $? -eq 2 ] && grep -q "interrupted" stopped.txt
tap $? "Ctrl-C ends with partial results" "$(cat stopped.txt)"

gdb_run() { "$RADDLE" replay "$@" --gdb --gdb-args -batch --gdb-args -ex --gdb-args 'bt 20' \
    --gdb-args -ex --gdb-args 'print *from' </dev/null 2>&1; }
if command -v gdb >/dev/null; then # more of it in gdb.sh
    gdb_run out/race --until 2 >gdb.txt
    grep -q 'in increment .*race.c:8' gdb.txt
    tap $? "gdb --until stops at a step" "$(cat gdb.txt)"
    gdb_run out/race --until 999 >gdb.txt
    grep -q 'ended before it came to that point' gdb.txt && ! grep -q Python gdb.txt
    tap $? "gdb --until beyond the end says so" "$(cat gdb.txt)"
else
    echo "ok $((++tap_n)) - gdb # SKIP no gdb"
fi

"$RADDLE" cc -g -o many_races "$here/many_races.c" -pthread
check_output "main +creates thread 1" "of many findings the worst is told with its steps, however little time is left" \
    "$RADDLE" run --engine random -t 1s ./many_races

# The access that crashes is a step in some executions, once it was seen in a race, and none in others.
cat >crash.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static int cell;
static _Atomic(int *) place = &cell;
static void *reader(void *arg)
{
    int *p = atomic_load(&place);
    return *p ? arg : NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    cell = 1;
    atomic_store(&place, NULL);
    pthread_join(t, NULL);
    return 0;
}
C
"$RADDLE" cc -O1 -g -o crash crash.c
for engine in dfs optimal; do
    "$RADDLE" run -k --engine "$engine" ./crash >crash.txt
    check "a crash has one place ($engine)" test "$(grep -c 'bug: segmentation fault: null pointer' crash.txt)" = 1
done

# Plain accesses that are steps have no memory order that would have to be another one.
cat >plain.c <<'C'
#include <pthread.h>
#include <stddef.h>
static int data, flag;
static void *reader(void *arg)
{
    return flag && data == 2 ? arg : NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    data = 1;
    flag = 1;
    pthread_join(t, NULL);
    return 0;
}
C
"$RADDLE" cc -O0 -g -o plain plain.c
"$RADDLE" run --engine optimal ./plain >plain.txt
check "a plain flag hands nothing on" grep -q "also bug: data race on data" plain.txt
check "and has no memory order" bash -c "! grep memory_order plain.txt"
finish
