#!/usr/bin/env bash
# POSIX message queues: random programs against an enumerator, and the same program without raddle.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
count=25
[ -n "${RADDLE_LONG:-}" ] && count=500
"$RADDLE" cc -O1 -o "$SCRATCH/queues" tests/native/queues.c || exit 1
check_output "^compared $count\$" "$count random programs: all engines find what there is" \
    timeout 600 tests/native/queues.py "$RADDLE" "$SCRATCH/queues" "$SCRATCH" $count
check "a program built by raddle cc uses the system's queues on its own" \
    timeout 10 "$SCRATCH/queues" 2 sSl rlr lll
for case in errors notify-signal two-senders; do
    "$RADDLE" cc -o "$SCRATCH/$case" tests/cases/mqueue/$case/prog.c
    check "the system does with $case what the model does" timeout 10 "$SCRATCH/$case"
done
check_output "deadlock.*" "a receive that nothing is sent for is a deadlock" \
    "$RADDLE" run --out "$SCRATCH/out" "$SCRATCH/queues" 2 s rr
check_output "waits for a message from message queue /raddle-queues-0" "… and says at which queue" \
    "$RADDLE" report "$SCRATCH/out"
finish
