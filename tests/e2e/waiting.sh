#!/usr/bin/env bash
# Threads that wait in loops: on random programs every engine finds the outcomes, and only those, that an enumerator
# of states finds, and that all threads can be stuck where they can.
. "$(dirname "$0")/../lib.sh"
count=120
[ -n "${RADDLE_LONG:-}" ] && count=2000
check "$count random programs with waiting loops: outcomes as enumerated" \
    timeout 3000 python3 "$TOP/tests/native/waiting.py" "$RADDLE" "$SCRATCH" "$count"
finish
