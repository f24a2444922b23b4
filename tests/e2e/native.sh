#!/usr/bin/env bash
# The runtime against an enumerator that shares no code with it: random programs over mutexes,
# conditions, semaphores, rwlocks, barriers and atomics have exactly as many executions under dfs;
# and the engines that reduce find exactly the traces that dfs finds, optimal each of them once.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
last=400 ENGINES=optimal
[ -n "${RADDLE_LONG:-}" ] && last=4000 ENGINES="optimal source dpor-cr dpor"
flags="-w -std=gnu11 -D_GNU_SOURCE -Isrc -Itests/sim"
"$RADDLE" cc -O1 $flags -o "$SCRATCH/interpret" tests/native/interpret.c || exit 1
${CC:-cc} -O2 $flags -o "$SCRATCH/enumerate" tests/native/enumerate.c build/sim/libsim.a \
    build/lib/libraddle-host.a || exit 1
"$SCRATCH/enumerate" 1 $last 2000 "$SCRATCH" >"$SCRATCH/counts"

explore() { # explore ENGINE FILE: prints "executions blocked", writes FILE.ENGINE
    "$RADDLE" run --engine "$1" --keep-going --count-only --all-traces "$2.$1.all" "$SCRATCH/interpret" "$2" \
        2>/dev/null | sed -n 's/^\(executions\|blocked\) //p' | tr '\n' ' '
    sort -u "$2.$1.all" >"$2.$1"
}

one() { # one FILE COUNT
    local seed=${1##*/} have engine
    have=$(explore dfs "$1")
    [ "$have" = "$2 0 " ] || echo "dfs: seed $seed: $have executions, the enumerator has $2"
    for engine in $ENGINES; do
        have=$(explore "$engine" "$1")
        cmp -s "$1.dfs" "$1.$engine" || echo "traces: seed $seed: $engine has others than dfs"
        [ "$engine" != optimal ] || [ "$have" = "$(wc -l <"$1.dfs") 0 " ] ||
            echo "traces: seed $seed: optimal needs $have executions for $(wc -l <"$1.dfs") traces"
    done
}
export -f explore one
export RADDLE SCRATCH ENGINES
total=$(wc -l <"$SCRATCH/counts")
xargs -P "$(nproc)" -L 1 bash -c 'one $0 $1' <"$SCRATCH/counts" >"$SCRATCH/wrong"
none() { ! grep "^$1:" "$SCRATCH/wrong"; }
check "dfs of $total random programs agrees with the enumerator" none dfs
check "the traces of these programs are the same for dfs and $ENGINES" none traces
check "enough programs were compared ($total)" test "$total" -gt 150
finish
