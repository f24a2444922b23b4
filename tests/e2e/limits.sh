#!/usr/bin/env bash
# Nothing is capped silently: every limit that a search reaches makes its verdict incomplete, in words, with the
# option that lifts it, and in JSON; with that option the verdict is another one.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -w -O1 -o limits "$here/limits.c" -pthread -lrt

limit() { # limit WORD NAME REGEX OPTIONS…: incomplete, and says so
    local word=$1 name=$2 want=$3 status
    shift 3
    timeout 180 "$RADDLE" run -q --out out --json json "$@" ./limits $word >said 2>&1 </dev/null
    status=$?
    [ $status -eq 2 ] && grep -qE "^incomplete: .*$want" said && grep -q "\"limits\":\[{.*\"name\":\"$name\"" json
    tap $? "$word $*: $want" "status $status: $(cat said; grep -o '"limits":[^]]*]' json)"
}
lifted() { # lifted WORD OPTIONS…: safe
    local word=$1
    shift
    check_status 0 "$word $*: safe" "$RADDLE" run -q --out out "$@" ./limits "$word"
}

limit steps steps "cut after 100 steps \(--max-steps\)" --engine dfs --max-steps 100 -n 1
check_output 'limits.c:[0-9]+: thread [0-9] was here when an execution was cut' "and where its threads were" cat json
limit pauses pauses "comes to its end had not after 500 ms.*\(--hang\)" --engine dfs --hang 500ms
limit threads threads "more than 4 threads \(--max-threads\)" --engine dfs --max-threads 5
lifted threads --engine optimal --max-threads 8 
limit wide executions "stopped after 10 executions \(--max-executions\)" --engine optimal -n 10
limit heap heap "more than 4 MiB \(--max-heap\)" --engine dfs --max-heap 4M
lifted heap --engine dfs --max-heap 16M
limit quarantine quarantine "used again after 16384 KiB more were freed: .* \(--quarantine\)" --engine dfs
lifted quarantine --engine dfs --quarantine 32M
limit objects objects "more than 32768 synchronization objects; no option lifts that" --engine dfs --max-steps 100000
limit pipes descriptors "more than 256 pipes" --engine dfs
limit handlers handlers "more than 4096 exit handlers" --engine dfs
limit timers timers "more than 64 timers" --engine dfs
limit candidates candidates "more than 1023 messages" --engine dfs -n 3
limit semaphores semaphores "more than 64 named semaphores" --engine dfs
limit queues queues "more message queues" --engine dfs

limit warnings warnings "the first 32 warnings only" --engine dfs
limit once once "nested more than 16 deep" --engine dfs
limit streams streams "more than 64 streams" --engine dfs
limit locals locals "more than 8192 thread_local" --engine dfs
limit periods periods "followed for 2 periods" --engine dfs
limit mappings mappings "more than 64 mappings" --engine dfs
limit mapped mapped "mapped more than 16384 MiB" --engine dfs
limit arena arena "a thread allocated more than 2048 MiB" --engine dfs --max-heap 8G
limit blocks blocks "more than 2097152 blocks" --engine dfs --max-heap 1G --hang 60s
limit exiting exiting "after the program could have ended" --engine dfs -n 3 --exit drain
limit cancelled cancel-later "did 100 more things before it ended" --engine optimal
limit messages messages "more than 65536 messages" --engine dfs --max-steps 1000000
if [ -n "${RADDLE_LONG:-}" ]; then
    mkdir files
    limit files files "changes more than 1024 files" --engine dfs
    limit memory race-memory "race check ran out of memory after 65536 pages" --engine dfs --max-heap 1G --hang 60s
fi

# An execution ends at its first bug: another one behind it is found by who tries every order, or said to be missing.
for engine in optimal source reach; do
    "$RADDLE" run -q -k --out out --json json --engine $engine ./limits bugs >/dev/null 2>&1
    check_output '"name":"behind"' "$engine --keep-going tells that bugs behind others may be missed" cat json
done
"$RADDLE" run -q -k --out out --json json --engine dfs ./limits bugs >/dev/null 2>&1
check_output '"complete":true' "dfs --keep-going finds them all" cat json
check_output '"first' "…the first" cat json
check_output '"second' "…and the second" cat json

# What an engine may keep.
limit wide coverage "did not fit into [0-9]+ KiB: --coverage shows too few \(--memory\)" --engine random -n 20000 \
    --coverage curve --memory 1K
TMPDIR=/nonexistent check_output "could not be written to .TMPDIR \(--memory, TMPDIR\)" "icb without a file for what is left" \
    "$RADDLE" run -q --out out --engine icb --memory 1K -n 2000 ./limits wide
limit wide memory "did not fit into the 0 KiB .*\(--memory\)" --engine optimal --memory 100
limit wide sequence "did not fit into the engine's memory \(--memory\)" --engine reach --memory 2K
limit wide memory "did not fit into the 0 KiB .*\(--memory\)" --engine optimal -j 2 --memory 100
limit wide sequence "did not fit into the engine's memory \(--memory\)" --engine reach -j 2 --memory 2K
limit wide sequence "did not fit into the engine's memory \(--memory\)" --engine reach --reduce=pv --memory 4K
limit wide sequence "did not fit into the engine's memory \(--memory\)" --engine reach --set history=on --memory 100K -n 500
check_output "did not fit into the 10 KiB .*\(--memory\)" "icb with partial-order reduction, what was asked for" \
    "$RADDLE" run -q --out out --engine bpor --memory 10K -n 4000 ./limits wide
check_output "executions; then stopped after 1000" "icb --cache: a full cache costs time, nothing else" \
    "$RADDLE" run -q --out out --engine icb --cache --memory 1K -n 1000 ./limits wide
lifted wide --engine optimal

# Findings beyond the table are counted.
"$RADDLE" run --out out --json json --engine dfs -n 1 --keep-going ./limits races >said 2>&1
count=$(grep -o '"finding_count":[0-9]*' json | sed 's/.*://')
[ "${count:-0}" -gt 64 ]
tap $? "findings beyond the first 64 are counted" "counted $count"
check_output '"limits":\[\{"name":"executions".*"name":"findings","at":64,"option":null' "and the limit is named" cat json
check_output "[0-9]+ further findings are not told" "and told" cat said
"$RADDLE" run --out out --json json --engine dfs -n 1 --keep-going ./limits lost >said 2>&1
check_output '"name":"lost","at":1024,"option":null' "…up to 1024, and then that is said" cat json
# So are lines of the why.
"$RADDLE" run --out out --engine random -n 5000 ./limits deadlock >said 2>&1
check_output "and [0-9]+ more such lines" "lines of the why beyond the first are counted" cat said

# Every row of trace/limit.def has a test here, or stands in this list with the reason.
not_here='
events 40 times --max-steps are needed between two steps: a program that logs without being switched, minutes
racy-accesses 4096 racing places are 4096 lines of source, and a search that begins again for each
modules 64 libraries with thread-local variables: tests/e2e/dlopen.sh loads some
sections 256 functions with the names of the competition, in svcomp.c alone
spill above, with a folder that is not there
spool a full disk; the tool refuses to start without a file
clock tests/e2e/run_hostile.sh, which runs ./long
operations 4 million different operations are hours of search
sharing 64 MiB in one message are millions of items
lessons 1024 different places where threads wait in loops
cpu tests/e2e/run_hostile.sh
bugs-at-once tests/cases/thread/fails-at-once
core tests/e2e/run_hostile.sh'
untested() {
    sed -n 's/^LIMIT([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$TOP/src/trace/limit.def" | while read -r name; do
        grep -qE "^ *limit [a-z]+ $name |\"$name\"" "$TOP/tests/e2e/limits.sh" || grep -qE "^$name [a-z0-9]" <<<"$not_here" || echo "$name"
    done
}
check "every limit has a test or a reason" test -z "$(untested)"

# Thousands of races in one execution are work between two executions, not a worker that hangs.
"$RADDLE" cc -O1 -o many_locks "$TOP/tests/native/many_locks.c" || exit 1
for engine in optimal source; do
    check_status 2 "$engine: 4,000 races in one execution" \
        "$RADDLE" run -q --engine $engine --max-steps 200000 -n 2 --out out ./many_locks
done

# --memory holds for whatever an engine keeps: the peak of host and worker grows by no more than a few times of it.
# (Without it unfold keeps 40 MiB here, stateful 20, context 10.)
"$RADDLE" cc -O2 -w -DN=5 -o fib "$TOP/bench/programs/fib.c"
${CC:-cc} -O2 -o launch "$TOP/bench/launch.c" || exit 1
peak() { # peak OPTIONS…: KiB
    ./launch used "$RADDLE" run -q --out out --engine "$@" --memory 1M ./fib >said 2>&1
    grep -qE "cannot be run|internal error" said && cat said >&2 && return 1
    cut -d ' ' -f 2 used
}
keeps() {
    local few many
    few=$(peak "$@" -n 1) && many=$(peak "$@" -n 5000) || return 1
    echo "$few KiB after one execution, $many KiB after many"
    [ "$many" -le $((few + 6144)) ]
}
for engine in stateful stateful-unfold; do
    check_status 2 "$engine: incomplete when --memory does not suffice" \
        "$RADDLE" run -q --out out --engine $engine --memory 1M ./fib
    check_output "did not fit into the 1024 KiB .*\(--memory\)" "$engine: and says so" \
        "$RADDLE" run -q --out out --engine $engine --memory 1M ./fib
done
# … and for the question whether there are deadlocks, when the unfolding itself has found room.
"$RADDLE" cc -O2 -w -DN=4 -o dining "$TOP/bench/unfold/dining.c" -pthread
"$RADDLE" run --out out --engine context --keep-going --memory 10M ./dining 2>/dev/null | tr '\n' ' ' >said
check "deadlocks are looked for in what --memory allows" \
    grep -qE "not complete: ([0-9]+) of \1 known events of the unfolding were performed; [^;]*\(--memory\)" said
for engine in $(sed -n 's/^ENGINE([a-z_]*, "\(.*\)", USER)/\1/p' "$TOP/src/explore/engines.def"); do
    check "$engine keeps what --memory allows" keeps "$engine"
done
for more in "icb --cache" "icb --por on" "reach --reduce=all" "reach --set history=on" "random --coverage curve" \
    "optimal -j 2" "dfs -j 2" "source -j 2" "reach -j 2"; do
    check "$more keeps what --memory allows" keeps $more
done
finish
