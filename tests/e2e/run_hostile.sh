#!/usr/bin/env bash
# Programs that behave badly: nothing hangs longer than the stated limits, each has its message.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -o hostile "$here/hostile.c" -pthread

hostile() { # WORD STATUS REGEX SECONDS OPTIONS…
    local word=$1 status=$2 want=$3 limit=$4 out start=$SECONDS
    shift 4
    out=$(timeout 180 "$RADDLE" run -q "$@" ./hostile $word 2>&1 </dev/null)
    [ $? -eq "$status" ] && printf '%s' "$out" | grep -qE "$want"
    tap $? "$word: status $status, $want" "$out"
    [ $((SECONDS - start)) -le "$limit" ]
    tap $? "$word: within $limit s" "$((SECONDS - start)) s"
}

# raddle's own failures are told as such, wherever they happen; never as findings.
internal="raddle: internal error: .*src/rt/core/start.c.*engine auto, execution 1"
for how in "" "-j 2" "--isolate fork"; do
    hostile "print" 70 "$internal" 150 --set fail_at=0 $how
done
check_output "not a finding about the program" "an internal error says that it is none of the program's" \
    "$RADDLE" run --set fail_at=0 ./hostile print
check_output "reproduce: cd .* && .*run --set fail_at=0 ./hostile 'a b'" "and how to reproduce it" \
    "$RADDLE" run --set fail_at=0 ./hostile "a b"
# So are crashes inside of them, in the process of the program; one by a bad pointer of the program is its own.
"$RADDLE" cc -g -w -o pointers "$here/pointers.c" -pthread -lrt
ours() { # ours WHAT OPTIONS…: a crash in the engine, at the third decision
    local what=$1 out status
    shift
    out=$(timeout 180 "$RADDLE" run -q --engine random -n 100 --set crash_in=3 "$@" ./pointers threads 2>&1)
    status=$?
    [ $status -eq 70 ] && grep -qE "internal error: $what.*engine random" <<<"$out" && grep -q "not a finding" <<<"$out"
    tap $? "a crash of the engine is an internal error $*" "status $status: $out"
}
ours "segmentation fault at address 0 in libraddle-rt.so.0x[0-9a-f]+"
for how in "--jobs=2" "--isolate=fork" "--keep-going"; do
    ours "segmentation fault at address 0" "$how"
done
ours "abort\(\) was called by raddle" --set crash_by=6
check_status 2 "without it there is none" "$RADDLE" run -q --engine random -n 100 ./pointers threads
theirs() { # theirs WORD: a bad pointer handed to it
    local out status
    out=$(timeout 180 "$RADDLE" run -q --engine dfs ./pointers "$1" 2>&1)
    status=$?
    [ $status -eq 1 ] && grep -qE "bug: segmentation fault at address 0x10[0-9a-f]+, .*pointers.c" <<<"$out"
    tap $? "a bad pointer in $1 is the program's" "status $status: $out"
}
for word in $(sed -n 's/.*WHEN("\([a-z]*\)".*bad.*/\1/p' "$here/pointers.c"); do
    theirs "$word"
done

die_by() { # die_by SIGNAL: the tool itself is hit by it while it runs
    "$RADDLE" run -q --time 20s --hang 20s ./hostile loop >said 2>&1 &
    sleep 0.5
    kill -"$1" $!
    wait $!
    [ $? -eq 70 ] && grep -q "internal error: died from SIG$1" said
}
check "a crash of the tool is an internal error" die_by SEGV
check "an abort of the tool is an internal error" die_by ABRT

hostile loop 1 "hangs: no visible operation for 500 ms, .*hostile.c:16" 150 --hang 500ms
hostile block 1 "hangs: no visible operation for 500 ms" 150 --hang 500ms
hostile grow 2 "allocated more than 64 MiB" 150 --max-heap 64M
hostile print 0 "safe" 150 --hang 20s
hostile handle 1 "segmentation fault: null pointer" 150
hostile scribble 1 "segmentation fault|wild write|process was killed" 150 --hang 500ms
hostile overwrite 1 "wild write" 150 --hang 500ms
hostile die 1 "whole process was killed by SIGKILL" 150
check_status 1 "the death of the process is replayed" "$RADDLE" replay
hostile die 1 "whole process was killed by SIGKILL" 150 --keep-going
check_output '"executions":[2-9]' "the search goes on after the death of a worker" \
    "$RADDLE" run --keep-going --json - ./hostile die

# Long computations and long executions.
"$RADDLE" cc -g -O1 -o compute "$here/compute.c" -pthread
"$RADDLE" cc -g -O1 -o long "$here/long.c" -pthread
seconds() { # seconds LIMIT COMMAND…: does it end in time?
    local start=${EPOCHREALTIME/./} limit=$1
    shift
    "$@" >said 2>&1
    [ $((${EPOCHREALTIME/./} - start)) -le $((limit * 1000)) ] || { cat said; return 1; }
}
check_output "accessed|neither.*--hang TIME gives it more time" "a hang says how to allow more" \
    "$RADDLE" run --hang 500ms ./hostile loop
check_status 0 "a computation that accesses memory may take longer than --hang" \
    "$RADDLE" run -q --hang 200ms ./compute 60
check "--time ends an execution that computes" seconds 15000 "$RADDLE" run --time 1s ./compute 1000000
check_output "no bug in 0 executions, but the time was up" "and says so" cat said
for engine in optimal source dpor dpor-cr; do
    check_output "incomplete: .*more than 32000 visible operations.*dfs" "$engine tells when an execution is too long" \
        "$RADDLE" run -q --engine $engine --max-steps 100000 --time 20s ./long
done
check_output "incomplete: .*cut after 20000 steps .--max-steps" "with the usual limit it is cut" \
    "$RADDLE" run -q --engine optimal --time 20s ./long
"$RADDLE" cc -g -o large_local "$here/large_local.c" -pthread
too_large() { "$RADDLE" run ./large_local >said 2>&1; [ $? -eq 3 ] && grep -q "room for 32 KiB of thread-local variables" said; }
check "thread-local variables that do not fit are named" too_large
finish
