#!/usr/bin/env bash
# The example models: verdicts under every scheme, the broken variants (wrong under asynchronous
# communication only), the same verdicts under every reduction, and the sizes that docs/bsra.md
# prints beside the dissertation's tables 2.1-2.8 (model_sizes.txt).
. "$(dirname "$0")/../lib.sh"
M=$TOP/examples/models

status() { # status MODEL SCHEME [options]
    local m=$1 s=$2
    shift 2
    "$RADDLE" model -q -s "$s" "$@" "$M/$m.efsm" >/dev/null 2>&1
    echo $?
}
# verdicts MODEL "async fifo causal mailbox instant" [options]
verdicts() {
    local m=$1 want=$2 got
    shift 2
    got=$(for s in async fifo causal mailbox instant; do status "$m" $s "$@"; done | tr '\n' ' ')
    [ "${got% }" = "$want" ]
    tap $? "$m $*: $want" "got $got"
}
# Leader election and token passing need FIFO. A ring of senders, and broadcasts, block where
# sending means meeting (instant).
verdicts leader-election "1 0 0 0 1"
verdicts token-passing "1 0 0 0 0"
verdicts token-passing "1 0 0 0 0" -D LOSS=1
verdicts mutual-exclusion "0 0 0 0 1"
verdicts flooding "0 0 0 0 1"
verdicts sliding-window "0 0 0 0 1" -D W=2
verdicts readers-writers "0 0 0 0 0"
verdicts two-phase-commit "0 0 0 0 0"
verdicts paxos "0 0 0 0 0" -D A=2
for m in token-passing mutual-exclusion flooding sliding-window readers-writers two-phase-commit \
    paxos; do
    verdicts $m-broken "1 0 0 0 0"
done
verdicts leader-election-broken "1 0 0 0 1"

# A reduction finds the same.
for m in "$M"/*.efsm; do
    m=$(basename "$m" .efsm)
    options=""
    [ "$m" = paxos ] && options="-D A=2"
    for s in async fifo causal; do
        full=$(status "$m" $s $options)
        for r in bsra bsra+sleep sra por; do
            got=$(status "$m" $s -r $r $options)
            [ "$got" = "$full" ]
            tap $? "$m under $s with $r: status $full" "got $got"
        done
    done
done

# sizes MODEL SCHEME PARAM VALUE, then states and edges of: full graph, por, bsra; states of
# bsra+sleep ("-": too large to build in a test). bsra never has more states than por.
counts() { "$RADDLE" model -q -d --json - "$@" | sed 's/.*"states":\([0-9]*\),"edges":\([0-9]*\).*/\1 \2/'; }
sizes() {
    local m=$1 s=$2 p=$3 v=$4 got
    shift 4
    local want="$*"
    got=$(for r in none por bsra bsra+sleep; do
        if [ $r = none ] && [ "$1" = - ]; then
            echo - -
        else
            counts -s "$s" -D "$p=$v" -r $r "$M/$m.efsm" | if [ $r = bsra+sleep ]; then
                cut -d' ' -f1
            else
                cat
            fi
        fi
    done | tr '\n' ' ')
    [ "${got% }" = "$want" ] && [ "$5" -le "$3" ]
    tap $? "$m($v) under $s: $want" "got $got"
}
while read -r line; do
    case $line in '#'* | '') ;; *) sizes $line ;; esac
done <"$TOP/tests/e2e/model_sizes.txt"
finish
