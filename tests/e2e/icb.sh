#!/usr/bin/env bash
# Bounds, coverage and what is said about them. The programs are those of tests/cases/icb.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
export RADDLE_OPTIONS="--symmetry off" # all executions are counted
cases=$TOP/tests/cases/icb
build() { "$RADDLE" cc -O1 -g -w "$cases/$1/prog.c" -o "$2" "${@:3}"; }
build bluetooth fixed -DFIXED && build bluetooth bug && build wsq wsq &&
    build filesystem filesystem && build transactions transactions -DTEST=3 || exit 1
json() { # json FILE EXPRESSION: true in Python with j = the report
    python3 -c "import json, sys; j = json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1"
}
search() { "$RADDLE" run -q --json "$1" "${@:2}" >/dev/null; true; }

check_output 'no bug with ≤ 1 preemption; 72 executions' "how far a bounded search came is said" \
    "$RADDLE" run --engine icb --bound 1 ./fixed
check_output 'every execution with ≤ 1 preemption is covered' "and what that means" \
    "$RADDLE" run --engine icb --bound 1 ./fixed
check_status 2 "it is not complete" "$RADDLE" run --engine icb --bound 1 ./fixed
check_status 0 "a bound above all executions is" "$RADDLE" run --engine icb --bound 50 ./fixed
check_output 'no bug with ≤ [0-9]+ preemptions.*then stopped after 1000 executions' \
    "a budget ends between bounds" "$RADDLE" run --engine icb -n 1000 ./fixed
check_output '1 preemption' "the report of a bug counts its preemptions" "$RADDLE" run --engine icb ./bug

# The same executions with next to no memory: the queue goes through a file.
search large.json --engine icb ./fixed
search small.json --engine icb --memory 8k ./fixed
check "the numbers per bound" json large.json "j['executions_per_bound'] == [6,66,328,894,1506,1664,1180,532,92]"
check "steps, blocking operations and preemptions of the largest execution (table 1: K, B, c)" json large.json \
    "(j['longest'], j['max_blocking'], j['max_bound']) == (14, 7, 8)"
check "the same through a file" json small.json "j['executions_per_bound'] == [6,66,328,894,1506,1664,1180,532,92]"
search isolated.json --engine icb --bound 1 --isolate=fork ./fixed
check "the same in processes of their own" json isolated.json "j['executions_per_bound'] == [6,66]"

# Iterative depth bounding, the baseline: every depth is the search of that depth, and the last one all.
search deep.json --engine idfs ./fixed
search all.json --engine dfs ./fixed
check "idfs ends with everything dfs explores" python3 -c "import json
deep, all = (json.load(open(f)) for f in ('deep.json', 'all.json'))
assert deep['verdict'] == 'safe' and deep['executions_per_bound'][-1] == all['executions']"
for depth in 2 5; do
    search "depth.json" --engine dfs --depth "$depth" ./fixed
    check "idfs at depth $depth is dfs at that depth" python3 -c "import json
deep, one = (json.load(open(f)) for f in ('deep.json', 'depth.json'))
assert deep['executions_per_bound'][$depth] == one['executions'] > 1"
done
check_output 'safe up to 4 branching steps' "idfs --bound" "$RADDLE" run --engine idfs --bound 4 ./fixed

# Coverage: the paper's claim about programs that can be searched completely.
for p in fixed wsq filesystem transactions; do
    search "$p.json" --engine icb --cache "./$p"
    check "$p: over 90% of the states by bound 8, all of them well below the longest execution" json \
        "$p.json" "(lambda s: s[min(8, len(s)-1)] > 0.9 * s[-1] and s.index(s[-1]) < j['longest'] / 2)(j['states_per_bound'])"
    search por.json --engine icb --por=on "./$p"
    check "$p: reduction and cache agree that it is safe" json por.json "j['verdict'] == 'safe'"
done
search optimal.json --engine optimal ./fixed
for e in icb dfs "dfs --depth 8" random; do
    file="cov-${e##* }.csv"
    # shellcheck disable=SC2086
    search "cov.json" --engine $e -n 7000 --coverage "$file" ./fixed
    check "coverage of $e is written" grep -q '^\(icb\|dfs\|random\)' "$file"
done
search cov.json --engine icb --coverage cov.csv ./fixed
check "as many traces as the optimal engine has executions" python3 -c "
import json
a, b = json.load(open('cov.json')), json.load(open('optimal.json'))
raise SystemExit(a['traces'] != b['executions'] or a['states'] != 1010)"
check "the curves are drawn" "$RADDLE" report --coverage picture.svg cov-*.csv
check "as a picture" grep -q '<svg' picture.svg
check_status 64 "a file that is none of ours is refused" "$RADDLE" report --coverage x.svg cov.json
check_status 64 "so is a missing one" "$RADDLE" report --coverage x.svg nowhere.csv

# auto goes back to bounds when optimal will not come to its end.
cat >far.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[4];
static void *adds(void *id)
{
    for (int i = 0; i < ROUNDS; i++)
        x[(i + (long)id) % 4]++;
    return 0;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, adds, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
}
C
"$RADDLE" cc -O1 -DTHREADS=4 -DROUNDS=10 -o far far.c
"$RADDLE" run --max-executions 200000 -o far-out ./far >far.txt 2>&1
check_output "^safe up to 2 preemptions" "auto: 20,000 executions of icb were not enough for that" cat far.txt
check_output "bounds are searched beside it" "… and it says why it is slower" cat far.txt
check "its bounds are those of icb alone" grep -q '^executions-per-bound 24 1296 44280 ' far-out/summary
"$RADDLE" cc -O1 -DTHREADS=3 -DROUNDS=5 -o near far.c
"$RADDLE" run --engine optimal -o near-out --all-traces optimal.txt ./near >near.txt 2>&1
"$RADDLE" run --set beside=1 -o near-out2 --all-traces auto.txt ./near >near2.txt 2>&1
check_output "^safe: every Mazurkiewicz trace" "both searches side by side: the whole one comes to its end" cat near2.txt
check "and nothing is lost" bash -c '[ -s optimal.txt ] && cmp <(sort -u optimal.txt) <(sort -u auto.txt)'

check_status 64 "--bound needs an engine with bounds" "$RADDLE" run --engine dfs --bound 1 ./fixed
check_status 64 "--cache is icb's" "$RADDLE" run --engine random --cache ./fixed
check_status 64 "--por is icb's" "$RADDLE" run --engine dfs --por=on ./fixed

# Every access a scheduling point: more executions, the same verdict, replayable.
search sync.json --engine icb --bound 1 ./bug
search access.json --engine icb --bound 1 --granularity=access --out finer ./bug
check "finer granularity finds the bug at the same bound" json access.json "j['findings'][0]['preemptions'] == 1"
check_output '5 times out of 5' "and it is replayed" "$RADDLE" replay finer --times 5
# Which outcomes need how many preemptions, when threads create threads.
mkdir -p nested
check "the outcomes of each bound are those of an enumerator" \
    python3 "$TOP/tests/native/preemptions.py" "$RADDLE" nested $((${RADDLE_LONG:+290} + 10)) 10
finish
