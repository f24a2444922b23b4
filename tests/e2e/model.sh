#!/usr/bin/env bash
# raddle model: verdicts and exit statuses, charts, graphs, limits, simulation, format.
. "$(dirname "$0")/../lib.sh"
M=$TOP/examples/models
model() { "$RADDLE" model -q "$@"; }
export -f model
export RADDLE

# lib.sh runs commands through timeout, which knows no functions.
m_output() { local want=$1 name=$2; shift 2; check_output "$want" "$name" "$RADDLE" model -q "$@"; }
m_status() { local want=$1 name=$2; shift 2; check_status "$want" "$name" "$RADDLE" model -q "$@"; }

m_output '^safe: no deadlock' "a correct model is safe" "$M/figure-2-1.efsm"
m_status 0 "safe has status 0" "$M/figure-2-1.efsm"
m_status 1 "a deadlock has status 1" -s async "$M/leader-election.efsm"
m_output 'bug: deadlock' "the deadlock is told" -s async "$M/leader-election.efsm"
m_output 'one\(2\) → Node\[1\] #1' "the chart shows who sends what to whom" \
    -s async "$M/leader-election.efsm"
m_output 'invariant violated: mutual_exclusion' "a violated invariant is named" \
    -s async "$M/mutual-exclusion-broken.efsm"
m_output 'assertion violated: a frame is taken for another one' "so is a violated assertion" \
    -s async "$M/sliding-window-broken.efsm"

# Malformed models and options.
printf 'process P {\n  state s { -> t; }\n}\n' >"$SCRATCH/bad.efsm"
m_status 64 "a malformed model has status 64" "$SCRATCH/bad.efsm"
m_output "bad.efsm:2:16: unknown state 't'" "with line and column" "$SCRATCH/bad.efsm"
m_status 64 "a missing file has status 64" "$SCRATCH/none.efsm"
m_status 64 "an unknown parameter has status 64" -D X=1 "$M/figure-2-1.efsm"
m_output 'its parameters are: N' "and the known ones are listed" -D X=1 "$M/leader-election.efsm"
m_status 64 "bsra under mailbox is refused" -s mailbox -r bsra "$M/figure-2-1.efsm"
m_status 64 "an unknown option is refused" --nonsense "$M/figure-2-1.efsm"
head -c 300 /dev/urandom >"$SCRATCH/noise.efsm"
m_status 64 "noise is refused" "$SCRATCH/noise.efsm"

# Unbounded systems and limits: incomplete, with what was found so far.
cat >"$SCRATCH/flood.efsm" <<'END'
message a;
process P { state s { send a to Q.x; } }
process Q { port x: a; state s { recv a from x; } }
END
m_status 2 "an unbounded system has status 2" "$SCRATCH/flood.efsm"
m_output 'port overflow: Q.x holds 16 messages' "the port that overflows is named" \
    "$SCRATCH/flood.efsm"
m_output '17 states' "and the counts are printed" "$SCRATCH/flood.efsm"
m_status 2 "an unbounded system ends under bsra, too" -r bsra "$SCRATCH/flood.efsm"
m_status 2 "a memory limit has status 2" -m 3M -D N=8 "$M/leader-election.efsm"
m_output 'incomplete: the memory budget is used up' "and says so" \
    -m 3M -D N=8 "$M/leader-election.efsm"
m_output '[0-9,]+ states, [0-9,]+ edges' "with partial counts" -m 3M -D N=8 "$M/leader-election.efsm"
m_status 2 "so has a time limit" -t 0.05s -D N=10 --engine interpret "$M/leader-election.efsm"

(trap - INT; exec "$RADDLE" model -q -D N=12 --engine interpret "$M/leader-election.efsm" \
    >"$SCRATCH/interrupted") &
child=$!
sleep 1
kill -INT $child
wait $child
[ $? -eq 2 ] && grep -q '^incomplete: interrupted' "$SCRATCH/interrupted" &&
    grep -qE '^[0-9,]+ states, [0-9,]+ edges' "$SCRATCH/interrupted"
tap $? "Ctrl-C: status 2, the counts so far" "$(cat "$SCRATCH/interrupted")"

cat >"$SCRATCH/many.efsm" <<'END'
message a;
process Src {
    port y: a;
    var k: 0..25;
    initial state s {
        when k < 25 send a to Sink[k].x { k = k + 1; };
        when k == 25 recv a from y { k = 0; };
    }
}
process Sink[25] {
    port x: a;
    initial state s {
        recv a from x;
    }
}
process Other {
    initial state s {
        send a to Src.y -> t;
    }
    final state t;
}
END
m_status 2 "a product of choices that is too large has status 2" -s async -r bsra "$SCRATCH/many.efsm"
m_output 'too many edges under bsra' "and says so" -s async -r bsra "$SCRATCH/many.efsm"

# The same graph by every way of building it.
counts() { model --json - "$@" | sed 's/,"depth.*//'; }
reference=$(counts -D N=7 --engine interpret "$M/leader-election.efsm")
for o in "--engine compile" "--search dfs" "-j 2" "-j 5" "--hash-compaction" \
    "--hash-compaction -j 3"; do
    got=$(counts -D N=7 $o "$M/leader-election.efsm")
    [ "$got" = "$reference" ]
    tap $? "leader election with $o has the same counts" "$got is not $reference"
done
a=$(counts -r bsra -s causal -D N=5 "$M/readers-writers.efsm")
b=$(counts -r bsra -s causal -D N=5 -j 3 "$M/readers-writers.efsm")
[ "$a" = "$b" ]
tap $? "the BSRG is the same with threads" "$a is not $b"
m_output 'hash compaction: ' "hash compaction is announced" --hash-compaction "$M/figure-2-1.efsm"
m_output 'one\(1\) → Node' "a counterexample under hash compaction has its chart" \
    --hash-compaction -s async "$M/leader-election.efsm"

# Graphs.
model -s async -r bsra -g "$SCRATCH/g.dot" "$M/figure-2-1.efsm" >/dev/null
[ "$(grep -c -- '->' "$SCRATCH/g.dot")" = 7 ]
tap $? "the graph of figure 2.6 as dot has 7 edges"
model -s async -r bsra -g "$SCRATCH/g.aut" "$M/figure-2-1.efsm" >/dev/null
check_output '^des \(0, 7 +, 6\)' "as aut: 7 edges, 6 states" head -1 "$SCRATCH/g.aut"
model -s async -g "$SCRATCH/g.json" "$M/figure-2-1.efsm" >/dev/null
[ "$(grep -c '"from"' "$SCRATCH/g.json")" = 14 ] && [ "$(grep -c '"id"' "$SCRATCH/g.json")" = 11 ]
tap $? "the full graph as JSON has 11 states and 14 edges"
m_status 64 "another ending is refused" -g "$SCRATCH/g.png" "$M/figure-2-1.efsm"

# Charts.
for e in svg dot txt; do
    model -s async --chart "$SCRATCH/c.$e" "$M/leader-election.efsm" >/dev/null
    [ -s "$SCRATCH/c.$e" ]
    tap $? "the chart is written as $e"
done
check_output '</svg>' "the SVG is whole" tail -1 "$SCRATCH/c.svg"
[ "$(grep -c 'marker-end' "$SCRATCH/c.svg")" -ge 5 ]
tap $? "its messages are arrows"

# Shortest counterexamples: depth-first may be longer, never shorter.
steps() { model --json - "$@" | grep -o '"process"' | wc -l; }
b=$(steps -1 -s async "$M/token-passing-broken.efsm")
d=$(steps -1 -s async --search dfs "$M/token-passing-broken.efsm")
[ "$b" -gt 0 ] && [ "$b" -le "$d" ]
tap $? "breadth-first finds a shortest counterexample" "bfs $b, dfs $d"

# Simulation.
m_output 'final state' "a simulated run is shown" --simulate --seed 3 "$M/figure-2-1.efsm"
a=$(model --simulate --seed 5 "$M/readers-writers.efsm")
b=$(model --simulate --seed 5 "$M/readers-writers.efsm")
[ "$a" = "$b" ]
tap $? "the same seed gives the same run"
out=$(printf '1\n1\n1\n1\n1\n1\n' | "$RADDLE" model --simulate --guided "$M/figure-2-1.efsm")
printf '%s' "$out" | grep -q 'final state'
tap $? "a guided run follows the choices" "$out"

# The example in the documentation is one.
awk '/A server that squares/ {on=1} /^This is the multi-port/ {on=0} on' "$TOP/docs/model.md" |
    sed 's/^    //' >"$SCRATCH/doc.efsm"
m_output '^safe: .*no violated invariant' "the model in docs/model.md" "$SCRATCH/doc.efsm"

# Format.
for f in "$M"/*.efsm; do
    check "$(basename "$f") is in standard format" \
        bash -c '"$1" model --format "$2" | cmp - "$2"' _ "$RADDLE" "$f"
done

model --json - -s async "$M/leader-election.efsm" |
    grep -q '^{"raddle":1,"verdict":"bug","engine":"model".*"findings":\[{"kind":"deadlock"'
tap $? "the result as JSON"
finish
