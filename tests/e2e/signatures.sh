#!/usr/bin/env bash
# Happens-before signatures stand for traces and states: --coverage counts as many traces as there are, and
# icb --cache finds whatever dfs finds, in programs with every kind of operation that decides something.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

run() { # run NAME OPTIONS…: NAME.json
    local name=$1
    shift
    "$RADDLE" run --quiet --keep-going --no-shrink --time 60s --out out --json "$name.json" "$@" ./prog \
        >said 2>&1
    grep -q '"complete":true' "$name.json" || { cat said; return 1; }
}
number() { grep -o "\"$2\":[0-9]*" "$1.json" | head -1 | sed 's/.*://'; }
found() { # the findings, each once
    grep -oE '"kind":"[^"]*","message":"[^"]*","location":"[^"]*"' "$1.json" | sort -u
}

compare() { # compare CASE
    "$RADDLE" cc -g -w -O1 -o prog "$TOP/tests/cases/$1"/prog.c -pthread || return 1
    run dfs --engine dfs --coverage coverage.csv --all-traces dfs.raw || { echo "dfs is not complete"; return 1; }
    run icb --engine icb --cache || { echo "icb is not complete"; return 1; }
    local traces
    traces=$(sort -u dfs.raw | wc -l)
    [ "$(number dfs traces)" -eq "$traces" ] || {
        echo "--coverage counts $(number dfs traces) of $traces traces"
        return 1
    }
    found dfs >dfs.found
    found icb >icb.found
    cmp dfs.found icb.found || { diff dfs.found icb.found; return 1; }
}

for case in choose/exhaustive sync/{which-message,order-async,order-fifo,order-causal,else,binary,bounded,lost-signal} \
    futex/{which-waiter,timeout-requeue} descriptors/{timer-or-event,poll-first,poll-two,token,two-readers,eventfd-semaphore} \
    cond/{signal-one-of-two,wrong-waiter,lost-wakeup,broadcast,timedwait} mqueue/{two-senders,priorities} \
    cancel/{sem-or-post,cond-or-signal,read-or-write} rwlock/{timed,try,two-readers-one-writer,upgrade} \
    sem/{clockwait,getvalue,hand-over,timedwait,trywait} barrier/{phases,serial} mutex/{trylock,timedlock,recursive} \
    spin/{flag,ticket}; do
    check "$case" compare "$case"
done
finish
