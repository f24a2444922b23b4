#!/usr/bin/env bash
# The runtime against an enumerator that shares no code with it: random programs over mutexes,
# conditions, semaphores, rwlocks, barriers and atomics have exactly as many executions under dfs.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
last=400
[ -n "${RADDLE_LONG:-}" ] && last=4000
flags="-w -std=gnu11 -D_GNU_SOURCE -Isrc -Itests/sim"
"$RADDLE" cc -O1 $flags -o "$SCRATCH/interpret" tests/native/interpret.c || exit 1
${CC:-cc} -O2 $flags -o "$SCRATCH/enumerate" tests/native/enumerate.c build/sim/libsim.a \
    build/lib/libraddle-host.a || exit 1
"$SCRATCH/enumerate" 1 $last 2000 "$SCRATCH" >"$SCRATCH/counts"
one() { # FILE COUNT
    "$RADDLE" run -q --engine dfs --keep-going --no-shrink --json "$1.json" --out "$1.out" \
        "$SCRATCH/interpret" "$1" >/dev/null 2>&1
    have=$(grep -oE '"executions": *[0-9]+' "$1.json" | head -1 | grep -oE '[0-9]+$')
    [ "$have" = "$2" ] || echo "seed ${1##*/}: $have executions, the enumerator has $2"
}
export -f one
export RADDLE SCRATCH
total=$(wc -l <"$SCRATCH/counts")
xargs -P "$(nproc)" -L 1 bash -c 'one $0 $1' <"$SCRATCH/counts" >"$SCRATCH/wrong"
tap "$(test ! -s "$SCRATCH/wrong"; echo $?)" "dfs of $total random programs agrees with the enumerator" \
    "$(cat "$SCRATCH/wrong")"
tap "$(test "$total" -gt 150; echo $?)" "enough programs were compared ($total)"
finish
