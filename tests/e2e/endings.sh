#!/usr/bin/env bash
# Waits that are asked to end: on random programs engines with partial-order reduction find the traces and
# what threads are told as dfs does, unfoldings the latter. RADDLE_LONG: more, and larger ones.
. "$(dirname "$0")/../lib.sh"
count=40
[ -n "${RADDLE_LONG:-}" ] && count=500
for seed in 3 11 12; do
    check "$count random programs whose waits are asked to end: as dfs has them (seed $seed)" \
        timeout 3000 python3 "$TOP/tests/native/endings.py" "$RADDLE" "$SCRATCH" "$count" "$seed"
done
check "$((count / 2)) with signals that are waited for, too" \
    timeout 3000 python3 "$TOP/tests/native/endings.py" "$RADDLE" "$SCRATCH" "$((count / 2))" 5 signals
finish
