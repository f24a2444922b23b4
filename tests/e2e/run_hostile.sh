#!/usr/bin/env bash
# Programs that behave badly: nothing hangs longer than the stated limits, each has its message.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -o hostile "$here/hostile.c" -pthread

hostile() { # WORD STATUS REGEX SECONDS OPTIONS…
    local word=$1 status=$2 want=$3 limit=$4 out start=$SECONDS
    shift 4
    out=$(timeout 60 "$RADDLE" run -q "$@" ./hostile $word 2>&1 </dev/null)
    [ $? -eq "$status" ] && printf '%s' "$out" | grep -qE "$want"
    tap $? "$word: status $status, $want" "$out"
    [ $((SECONDS - start)) -le "$limit" ]
    tap $? "$word: within $limit s" "$((SECONDS - start)) s"
}

hostile loop 1 "hangs: no visible operation for 500 ms, .*hostile.c:16" 10 --hang 500ms
hostile block 1 "hangs: no visible operation for 500 ms, .*hostile.c" 10 --hang 500ms
hostile grow 2 "allocated more than 64 MiB" 20 --max-heap 64M
hostile print 0 "safe" 40 --hang 20s
hostile handle 1 "segmentation fault: null pointer" 10
hostile scribble 1 "segmentation fault|wild write|process was killed" 20 --hang 500ms
hostile overwrite 1 "wild write" 20 --hang 500ms
hostile die 1 "whole process was killed by SIGKILL" 10
check_status 1 "the death of the process is replayed" "$RADDLE" replay
hostile die 1 "whole process was killed by SIGKILL" 10 --keep-going
check_output '"complete":true' "the search goes on after the death of a worker" \
    "$RADDLE" run --keep-going --json - ./hostile die
finish
