#!/usr/bin/env bash
# Threads that wait in loops: on random programs every engine finds the outcomes, and only those, that an enumerator
# of states finds, and that all threads can be stuck where they can.
. "$(dirname "$0")/../lib.sh"
count=120
[ -n "${RADDLE_LONG:-}" ] && count=2000
rows_of_the_table() {
    timeout 600 python3 "$TOP/tests/native/waiting_rows.py" "$RADDLE" "$TOP" "$SCRATCH" >"$SCRATCH/rows"
}
check "$count random programs with waiting loops: outcomes as enumerated" \
    timeout 3000 python3 "$TOP/tests/native/waiting.py" "$RADDLE" "$SCRATCH" "$count"
check "the rows of docs/performance.md" rows_of_the_table
retell "$SCRATCH/rows"
check "Peterson's lock: optimal and reach find as many traces as were counted" \
    timeout 300 python3 "$TOP/tests/native/peterson.py" "$RADDLE" "$SCRATCH"

# Pausing may go on for ever: only what is proved to end makes no difference.
pauses_for_ever() {
    "$RADDLE" cc -O0 -o "$SCRATCH/pauses" "$TOP/tests/native/pauses.c" -pthread
    timeout 120 "$RADDLE" run -q --count-only --engine optimal --hang 1s "$SCRATCH/pauses" | grep -qx "findings 1"
}
check "a waiting loop whose pausing misses its end hangs" pauses_for_ever

# What a thread's registers and stack hold that matters is read off the machine code.
cc -O1 -I"$TOP/src" -o "$SCRATCH/decode" "$TOP/tests/native/decode.c" "$TOP"/src/rt/code/decode*.c
decodes_as_objdump() { objdump -d -w "$1" | "$SCRATCH/decode"; }
for file in "$RADDLE" "$SCRATCH"/waiting?; do
    check "instructions of ${file##*/} as objdump decodes them" decodes_as_objdump "$file"
done
finish
