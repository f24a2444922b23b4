#!/usr/bin/env bash
# The engines that reverse races find the same traces as brute force, in programs whose threads wait for
# what cannot be foreseen from locks: descriptors, futexes, cancellation, polling loops.
. "$(dirname "$0")/../lib.sh"

traces() { # traces ENGINE PROGRAM FILE
    "$RADDLE" run --engine "$1" --keep-going --quiet --all-traces "$3.raw" --time 60s --out "$SCRATCH/out" \
        "$2" >"$SCRATCH/said" 2>&1
    grep -q 'not complete\|^incomplete' "$SCRATCH/said" && return 1
    sort -u "$3.raw" >"$3"
}

compare() { # compare CASE
    local prog=$SCRATCH/prog engine
    "$RADDLE" cc -g -w -O1 -o "$prog" "$TOP/tests/cases/$1/prog.c" -pthread || return 1
    traces dfs "$prog" "$SCRATCH/dfs" || { echo "dfs is not complete"; return 1; }
    for engine in dpor dpor-cr source optimal; do
        traces $engine "$prog" "$SCRATCH/found" || { cat "$SCRATCH/said"; return 1; }
        cmp -s "$SCRATCH/dfs" "$SCRATCH/found" && continue
        echo "$engine misses $(comm -23 "$SCRATCH/dfs" "$SCRATCH/found" | wc -l)" \
            "and adds $(comm -13 "$SCRATCH/dfs" "$SCRATCH/found" | wc -l)"
        return 1
    done
}

cd "$TOP/tests/cases" || exit 1
for case in spin/{several-variables,sum-of-two,many-reads,mutex-poll,mutex-poll-never,two-trylocks,nested,update-inside} \
    spin/{after-bounded,sleep-and-lock,flag,ticket,trylock,yield,test-and-set} \
    descriptors/{token,poll-two,poll-first,two-readers,pipe,eventfd-poll,socketpair,pipe-deadlock} \
    futex/timeout-requeue cancel/{sem-or-post,cond-or-signal,read-or-write,join-or-end} \
    cancel/{any-time,states,deferred,asynchronous}; do
    check "$case" compare "$case"
done
finish
