#!/usr/bin/env bash
# Waits that are asked to end: on random programs engines with partial-order reduction find the traces and
# what threads are told as dfs does. RADDLE_LONG: more, and larger ones.
. "$(dirname "$0")/../lib.sh"
count=60
[ -n "${RADDLE_LONG:-}" ] && count=1000
check "$count random programs whose waits are asked to end: as dfs has them" \
    timeout 3000 python3 "$TOP/tests/native/endings.py" "$RADDLE" "$SCRATCH" "$count" 3
finish
