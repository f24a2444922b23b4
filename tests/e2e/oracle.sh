#!/usr/bin/env bash
# Random programs over all operations: every engine must see exactly the outcomes that an enumerator written
# from POSIX finds (tests/oracle), and the same deadlocks. make check-long takes more and larger programs.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
# Engines behind the bar take turns, one per program; make check-long runs them all on each.
count=300 paths=1000 sample=16 engines="dfs;optimal;source;reach;auto|dpor;icb;dpor-cr;optimal -j 2;icb --cache;\
icb --por on;reach --reduce=pv;reach -j 2;dfs -j 2;dpor --sleep off;source -j 2;idb;reach --reduce=all;\
optimal --granularity access;reach --granularity access;dpor-cr --granularity access;stateful;stateful --match values;\
context;unfold"
[ -n "${RADDLE_LONG:-}" ] && count=10000 paths=2000 sample=400 engines="${engines/|/;}"
# Not generated: freed memory that comes back, uniform ports, handlers of exit after main has ended (the outcome would not
# tell in which thread they ran: tests/cases/thread/handlers-in-last).
${CC:-cc} -O2 -w -o "$SCRATCH/oracle" tests/oracle/*.c || exit 1
oracle() { # oracle SCRIPT ARGUMENT…
    python3 "tests/oracle/$1" "$SCRATCH/oracle" "$RADDLE" --first "${RADDLE_SEED:-1}" "${@:2}" >"$SCRATCH/said" 2>&1 && return 0
    grep -v ^summary "$SCRATCH/said" | tail -40
    return 1
}

check "$count random programs have the outcomes that the enumerator finds, with every engine" \
    oracle compare.py --count $count --paths $paths --engines "$engines"
last=$(tail -1 "$SCRATCH/said")
tail -1 "$SCRATCH/said" | grep -q "^programs $count runs .* differences 0"
tap $? "$last"
# State matching, unfoldings and reductions do not know all operations, and say so; in make check they have few turns.
few_incomplete() { [ "$(sed 's/.*incomplete \([0-9]*\).*/\1/' <<<"$last")" -le $((count / 6)) ]; }
[ -n "${RADDLE_LONG:-}" ] || check "few searches of them are not complete" few_incomplete
others_complete() {
    sed -n '/stateful\|context\|unfold\|--reduce/d; s/^summary: .*: incomplete: //p' "$SCRATCH/said" |
        awk -v most=$((count / 50)) '{ n += $1 } END { exit n > most }'
}
check "engines that know all operations finish nearly all searches" others_complete
check "assertions about single outcomes: reachable ones fail and replay, others do not" oracle assertions.py --count $sample
tail -1 "$SCRATCH/said" | grep -q "^outcomes .* differences 0"
tap $? "$(tail -1 "$SCRATCH/said")"
check "as many traces as there are orders that differ: locks" oracle traces.py --count $sample --exact \
    --only mutex,recursive,errorcheck,trylock
tail -1 "$SCRATCH/said" | grep -q "^programs $sample traces .* differences 0"
tap $? "$(tail -1 "$SCRATCH/said")"
check "engines that say exactly once find every trace once: all operations but waiting loops" oracle traces.py --count $sample \
    --without spin,spinyield,trylockspin,casloop,poll
tail -1 "$SCRATCH/said" | grep -q "^programs $sample traces .* differences 0"
tap $? "$(tail -1 "$SCRATCH/said")"
finish
