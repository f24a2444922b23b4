#!/usr/bin/env bash
# The engines that reverse races find the same traces as brute force, in programs whose threads wait for
# what cannot be foreseen from locks: descriptors, futexes, cancellation, polling loops. Loops over variables are
# another matter for optimal, which leaves the rounds out in which nothing happens: see waiting.sh.
. "$(dirname "$0")/../lib.sh"

traces() { # traces ENGINE PROGRAM FILE
    "$RADDLE" run --engine "$1" --keep-going --quiet --all-traces "$3.raw" --time 60s --out "$SCRATCH/out" \
        "$2" >"$SCRATCH/said" 2>&1
    grep -q 'not complete\|^incomplete' "$SCRATCH/said" && return 1
    sort -u "$3.raw" >"$3"
}

compare() { # compare CASE [FLAG…]
    local case=$1 prog=$SCRATCH/prog engine engines="dpor dpor-cr source optimal"
    shift
    case $case in spin/*) engines="dpor dpor-cr source" ;; esac
    "$RADDLE" cc -g -w -O1 "$@" -o "$prog" "$TOP/tests/cases/$case/prog.c" -pthread || return 1
    traces dfs "$prog" "$SCRATCH/dfs" || { echo "dfs is not complete"; return 1; }
    "$RADDLE" run --engine optimal --keep-going --quiet --count-only --json "$SCRATCH/json" "$prog" >/dev/null 2>&1
    local runs n
    runs=$(grep -o '"executions":[0-9]*' "$SCRATCH/json" | head -1 | sed 's/.*://')
    n=$(wc -l <"$SCRATCH/dfs")
    if [ "$engines" != "${engines%optimal}" ] && [ "$runs" -ne "$n" ] && grep -q '"times":"exactly once"' "$SCRATCH/json"; then
        echo "$runs executions for $n traces are told as exactly once"
        return 1
    fi
    for engine in $engines; do
        traces $engine "$prog" "$SCRATCH/found" || { cat "$SCRATCH/said"; return 1; }
        cmp -s "$SCRATCH/dfs" "$SCRATCH/found" && continue
        echo "$engine misses $(comm -23 "$SCRATCH/dfs" "$SCRATCH/found" | wc -l)" \
            "and adds $(comm -13 "$SCRATCH/dfs" "$SCRATCH/found" | wc -l)"
        return 1
    done
}

# What is printed as the guarantee is what happened: executions, different traces, how often each was met.
times() { # times PROGRAM FLAG…
    "$RADDLE" cc -g -w -O1 "${@:2}" -o "$SCRATCH/prog" "$1" -pthread || return 1
    "$RADDLE" run --engine optimal --keep-going --quiet --all-traces "$SCRATCH/raw" --json "$SCRATCH/json" \
        --out "$SCRATCH/out" "$SCRATCH/prog" >/dev/null 2>&1
    echo "$(grep -o '"executions":[0-9]*' "$SCRATCH/json" | head -1 | sed 's/.*://')" \
        "$(sort -u "$SCRATCH/raw" | wc -l)" "$(grep -o '"times":"[a-z ]*"' "$SCRATCH/json")"
}
check_output '^10 8 "times":"at least once"$' "executions that exceed the traces are not told as one for each" \
    times "$TOP/tests/cases/descriptors/eventfd-semaphore/prog.c"
check_output '^140 140 "times":"exactly once"$' "one for each is told as that" times "$TOP/bench/programs/fib.c" -DN=2

cd "$TOP/tests/cases" || exit 1
for case in spin/{several-variables,sum-of-two,many-reads,mutex-poll,mutex-poll-never,two-trylocks,nested,update-inside} \
    spin/{after-bounded,flag,ticket,trylock,yield,test-and-set} \
    descriptors/{token,poll-two,poll-first,two-readers,pipe,eventfd-poll,socketpair,pipe-deadlock} \
    futex/timeout-requeue cancel/{sem-or-post,cond-or-signal,read-or-write,join-or-end} \
    cancel/{any-time,states,deferred,asynchronous}; do
    check "$case" compare "$case"
done
for when in BEFORE AFTER; do
    check "cancel/cond-keeps-signal, $when" compare cancel/cond-keeps-signal -D$when
    check "cancel/sem-token, $when" compare cancel/sem-token -D$when
done
check "cancel/cond-resumes" compare cancel/cond-resumes -DWAKE=pthread_cond_signal -DCANCELLED=1

# What is promised is what the engine that took over promises.
taken_over() {
    "$RADDLE" cc -w -O0 -o "$SCRATCH/prog" "$TOP/tests/cases/svcomp/atomic_lock/prog.c" -pthread || return 1
    "$RADDLE" run --engine optimal --quiet --count-only --json "$SCRATCH/json" "$SCRATCH/prog" >/dev/null 2>&1
    grep -q '"guarantee":"every interleaving' "$SCRATCH/json" && ! grep -q '"times":"' "$SCRATCH/json" && return 0
    grep -o '"guarantee":"[^"]*"\|"times":"[^"]*"' "$SCRATCH/json"
    return 1
}
check "svcomp/atomic_lock, explored by dfs, is not told as explored by optimal" taken_over
finish
