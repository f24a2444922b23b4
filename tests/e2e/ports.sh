#!/usr/bin/env bash
# Ports with and without a limit: random programs against an enumerator.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
count=40
[ -n "${RADDLE_LONG:-}" ] && count=1000
"$RADDLE" cc -O1 -o "$SCRATCH/ports" tests/native/ports.c || exit 1
check_output "^compared $count\$" "$count random programs: all engines find what there is" \
    timeout 900 tests/native/ports.py "$RADDLE" "$SCRATCH/ports" "$SCRATCH" $count
finish
