#!/usr/bin/env bash
# SPIN as an independent oracle: models exported with --to-promela have the same states, transitions
# and verdicts in SPIN's own verifier; and side by side, the full graph is built no slower (CPU time
# without either compiler) and with at most 1.5 times the memory per state.
. "$(dirname "$0")/../lib.sh"
M=$TOP/examples/models
if ! command -v spin >/dev/null; then
    echo "ok 1 - spin is not installed # SKIP"
    echo 1..1
    exit 0
fi

# pan FOLDER FLAGS MODEL SCHEME [options]: exports and builds SPIN's verifier in FOLDER
pan() {
    local dir=$1 flags=$2 m=$3 s=$4
    shift 4
    mkdir -p "$dir" && cd "$dir" || return 1
    "$RADDLE" model --to-promela -s "$s" "$@" "$m" >m.pml && spin -o1 -o2 -a m.pml >spin.out 2>&1 &&
        gcc $flags -w -DSAFETY -DNOREDUCE -DMEMLIM=4000 -o pan pan.c
}
# what SPIN says: "stored transitions deadlock(0/1)"; its count has one transition more
spin_says() {
    awk '/states, stored/ {s=$1} /transitions \(=/ {t=$1} /errors:/ {e=$NF; sub(/.*errors: /,"",$0); e=$1}
         END {print s, t - 1, (e > 0)}' "$1"
}
raddle_says() {
    "$RADDLE" model -q --json - -d "$@" |
        sed 's/.*"states":\([0-9]*\),"edges":\([0-9]*\),.*"deadlocks":\([0-9]*\).*/\1 \2 \3/' |
        awk '{print $1, $2, ($3 > 0)}'
}
compare() { # compare NAME MODEL SCHEME [options]
    local name=$1 m=$2 s=$3
    shift 3
    (pan "$SCRATCH/$name" "-O0 -DNOCLAIM" "$m" "$s" "$@" &&
        ./pan -q -m100000 -c0 -w20 >pan.out 2>&1)
    local spin raddle
    spin=$(spin_says "$SCRATCH/$name/pan.out")
    raddle=$(raddle_says -s "$s" "$@" "$m")
    [ -n "$raddle" ] && [ "$spin" = "$raddle" ]
    tap $? "$name: states, transitions, deadlock: $raddle" \
        "spin: $spin $(tail -3 "$SCRATCH/$name/spin.out" 2>/dev/null)"
}
compare figure-2-1-fifo "$M/figure-2-1.efsm" fifo
compare leader-election-fifo "$M/leader-election.efsm" fifo -D N=5
compare leader-election-async "$M/leader-election.efsm" async
compare readers-writers-mailbox "$M/readers-writers.efsm" mailbox
compare readers-writers-fifo "$M/readers-writers.efsm" fifo -D N=4
compare mutual-exclusion-fifo "$M/mutual-exclusion.efsm" fifo
compare sliding-window-fifo "$M/sliding-window.efsm" fifo -D W=3
compare sliding-window-async "$M/sliding-window.efsm" async -D W=2
compare token-passing-fifo "$M/token-passing.efsm" fifo -D N=6 -D LOSS=1
compare flooding-mailbox "$M/flooding.efsm" mailbox -D N=4
compare two-phase-commit-fifo "$M/two-phase-commit.efsm" fifo
compare paxos-mailbox "$M/paxos.efsm" mailbox -D A=2

# Invariants as ltl formulas.
for s in fifo async; do
    (pan "$SCRATCH/inv-$s" -O0 "$M/mutual-exclusion-broken.efsm" $s -c 4 && ./pan -E >pan.out 2>&1)
    errors=$(sed -n 's/.*errors: //p' "$SCRATCH/inv-$s/pan.out" | head -1)
    "$RADDLE" model -q -s $s "$M/mutual-exclusion-broken.efsm" >/dev/null
    [ $? -eq "${errors:-9}" ]
    tap $? "mutual-exclusion-broken under $s: SPIN agrees about the invariant" "errors: $errors"
done

for s in causal instant; do
    check_status 64 "$s communication is not exported" \
        "$RADDLE" model --to-promela -s $s "$M/figure-2-1.efsm"
done

# Side by side: leader election, 8 nodes.
(pan "$SCRATCH/speed" "-O2 -DNOCLAIM" "$M/leader-election.efsm" fifo -D N=8 -c 4)
cpu() { # user seconds of a command
    local t
    t=$( { TIMEFORMAT=%U; time "$@" >/dev/null 2>&1; } 2>&1)
    echo "$t"
}
best() { sort -n | head -1; }
cd "$SCRATCH/speed" || exit 1
spin_cpu=$(for i in 1 2 3; do cpu ./pan -q -m100000 -w21; done | best)
ours() { "$RADDLE" model -q -D N=8 -c 4 --engine compile --json - "$M/leader-election.efsm"; }
raddle_cpu=$(for i in 1 2 3; do ours | sed 's/.*"cpu":\([0-9.]*\).*/\1/'; done | best)
awk -v a="$raddle_cpu" -v b="$spin_cpu" 'BEGIN {exit !(a <= b)}'
tap $? "LE(8), 407,699 states: $raddle_cpu s of CPU, SPIN $spin_cpu s"
spin_mem=$(./pan -q -m100000 -w19 | awk '/actual memory usage for states/ {print $1}')
raddle_mem=$(ours | sed 's/.*"bytes":\([0-9]*\).*/\1/')
awk -v a="$raddle_mem" -v b="$spin_mem" 'BEGIN {exit !(a / 1048576 <= 1.5 * b)}'
tap $? "LE(8): $((raddle_mem >> 20)) MiB for states and table, SPIN ${spin_mem} MiB for states alone"
cd "$TOP" || exit 1
finish
