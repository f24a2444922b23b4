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
    timeout 60 "$RADDLE" run -q --out out --json json "$@" ./limits $word >said 2>&1 </dev/null
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
limit threads threads "more than 4 threads \(--max-threads\)" --engine dfs --max-threads 5
lifted threads --engine optimal --max-threads 8 
limit wide executions "stopped after 10 executions \(--max-executions\)" --engine optimal -n 10
limit heap heap "more than 4 MiB \(--max-heap\)" --engine dfs --max-heap 4M
lifted heap --engine dfs --max-heap 16M
limit objects objects "more than 32768 synchronization objects; no option lifts that" --engine dfs --max-steps 100000
limit pipes descriptors "more than 256 pipes" --engine dfs
limit handlers handlers "more than 4096 exit handlers" --engine dfs
limit timers timers "more than 64 timers" --engine dfs
limit candidates candidates "more than 1023 messages" --engine dfs -n 3
limit semaphores semaphores "more than 64 named semaphores" --engine dfs
limit queues queues "more message queues" --engine dfs

# What an engine may keep.
limit wide memory "did not fit into the 0 KiB .*\(--memory\)" --engine optimal --memory 100
limit wide sequence "did not fit into the engine's memory \(--memory\)" --engine reach --memory 2K
lifted wide --engine optimal

# Findings beyond the table are counted.
"$RADDLE" run --out out --json json --engine dfs -n 1 --keep-going ./limits races >said 2>&1
count=$(grep -o '"finding_count":[0-9]*' json | sed 's/.*://')
[ "${count:-0}" -gt 64 ]
tap $? "findings beyond the first 64 are counted" "counted $count"
check_output '"limits":\[\{"name":"executions".*"name":"findings","at":64,"option":null' "and the limit is named" cat json
check_output "[0-9]+ further findings are not told" "and told" cat said
finish
