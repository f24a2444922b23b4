#!/usr/bin/env bash
# Atomic sections as one event: on random programs the engines that reverse races find the traces that dfs finds,
# optimal and source each of them once.
. "$(dirname "$0")/../lib.sh"
count=16
[ -n "${RADDLE_LONG:-}" ] && count=1000
check "$count random programs with atomic sections: traces and outcomes as dfs finds them" \
    timeout 3000 python3 "$TOP/tests/native/sections.py" "$RADDLE" --first "${RADDLE_SEED:-24}" --count $count

# Functions that are sections are found in sources that are preprocessed already, too; places stay what they were.
preprocessed() { # preprocessed FLAG…
    cc -E "$@" "$TOP/tests/cases/svcomp/atomic_twice/prog.c" >"$SCRATCH/twice.i" &&
        "$RADDLE" cc -w -O1 -o "$SCRATCH/twice" "$SCRATCH/twice.i" -pthread && cd "$SCRATCH" &&
        "$RADDLE" run --quiet --out "$SCRATCH/out" ./twice
}
line=$(grep -n 'BUG' "$TOP/tests/cases/svcomp/atomic_twice/prog.c" | cut -d: -f1)
check_output "bug: assertion failed: .*prog.c:$line" "a preprocessed source" preprocessed
check_output 'bug: assertion failed: .*, twice.i:[0-9]*$' "one without line markers" preprocessed -P
finish
