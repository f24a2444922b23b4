#!/usr/bin/env bash
# raddle pairs from the command line: formats, reuse, checking, planning, errors, speed.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
pairs() { "$RADDLE" pairs -q "$@"; }
golden=$TOP/tests/golden/pairs

cat >call.pict <<'M'
Call Type: Local, Long Distance, International
Billing:   Caller, Collect, 800
Access:    Loop, ISDN, PBX
Status:    Success, Busy, Blocked
forbid (International, 800, *, *);
M

# --- output formats, each read back by --check ---
for format in text csv json jsonl; do
    pairs --format $format call.pict >call.$format
    check "--check accepts --format $format" "$RADDLE" pairs --check call.pict call.$format
done
check_output '^Call Type,Billing,Access,Status$' "csv has a header line" head -1 call.csv
check "json is JSON" python3 -c 'import json; d = json.load(open("call.json")); assert d["raddle"] == 1 and d["size"] == len(d["tests"]) and d["impossible_tuples"] == 1'
check "jsonl is one JSON object per line" python3 -c 'import json; [json.loads(l)["Call Type"] for l in open("call.jsonl")]'
pairs -o out.txt call.pict && cmp -s out.txt call.text
tap $? "-o writes the same to a file"
pairs --seed 7 call.pict >a && pairs --seed 7 call.pict >b && cmp -s a b
tap $? "the same seed gives the same tests"
printf 'A: "x, y", z\nB: 1, 2\n' >quoted.pict
pairs --separator ';' --format csv <(printf 'A: a,b; "c"\nB: 1; 2\n') >quoted.csv
check_output '^"a,b",1$|^"a,b",2$' "csv quotes commas" cat quoted.csv

# --- counts of the constrained models ---
for row in spins:2:13 spinv:2:56 bugzilla:2:4 spins:3:493 bugzilla:3:421; do
    IFS=: read -r model t want <<<"$row"
    check_output "\"impossible_tuples\": $want," "$model t=$t: $want tuples are impossible" \
        "$RADDLE" pairs -q -t "$t" --format json "$golden/$model.pict"
    pairs -t "$t" "$golden/$model.pict" >set
    check_output ", $want impossible" "$model t=$t: the checker finds the same $want" \
        "$RADDLE" pairs --check -t "$t" "$golden/$model.pict" set
done
check_output 'Call Type = International, Billing = 800' "--impossible lists them" \
    "$RADDLE" pairs --impossible call.pict

# --- the checker finds what is wrong ---
head -5 call.text >short
check_status 1 "an incomplete set has status 1" "$RADDLE" pairs --check call.pict short
check_output 'uncovered \([0-9]+\)' "uncovered tuples are listed" "$RADDLE" pairs --check call.pict short
printf 'Call Type\tBilling\tAccess\tStatus\nInternational\t800\tPBX\tBusy\n' >>invalid
check_output 'test 1 violates line 5' "an invalid test is named with the constraint" \
    "$RADDLE" pairs --check call.pict invalid
check_output 'Call Type = International, Billing = 800' "--check --impossible lists them" \
    "$RADDLE" pairs --check --impossible call.pict call.text
check_output '"complete": false' "--check --format json" \
    "$RADDLE" pairs --check --format json call.pict short

# --- reuse ---
printf 'Call Type\tBilling\tOld\nLocal\tCaller\tx\nInternational\tCash\ty\n' >old
pairs --seed-tests old call.pict >new
check_output '^Local.Caller' "a seed is the first test" sed -n 2p new
check_output '^International' "an unknown value is left open" sed -n 3p new
check "the extended set is complete" "$RADDLE" pairs --check call.pict new
sed 's/Blocked/Blocked, Held/; s/forbid.*/Time: day, night\nforbid [Call Type] = "Local", [Time] = "night";/' call.pict >grown.pict
pairs --seed-tests call.text grown.pict >grown
check "new parameter, new value, changed constraints: complete" "$RADDLE" pairs --check grown.pict grown
check_output '10 tests kept, 0 adapted' "all old tests are kept" \
    "$RADDLE" pairs --seed-tests call.text grown.pict
pairs --base='Billing=Collect,Status=Busy' -t 1 call.pict >base
check_output '^Local.Collect.Loop.Busy$' "--base: the base test" sed -n 2p base
check_status 64 "--base with an unknown value" "$RADDLE" pairs --base=Billing=Cash call.pict

# --- negative values, weights, aliases, classes ---
printf 'A: ~-1, 0, 1, 2\nB: ~-1, 0, 1, 2\n' >sum.pict
pairs sum.pict >sum
[ "$(wc -l <sum)" -eq 16 ] && ! grep -qE '^~-1.~-1$' sum
tap $? "at most one invalid value: 9 + 6 tests, as PICT"
check "the set with invalid values is complete" "$RADDLE" pairs --check sum.pict sum
printf 'A: a (1000), b, c\nB: 1,2\nD: 1,2,3,4,5,6,7,8\nE: 1,2,3,4,5,6,7,8\n' >weights.pict
pairs weights.pict >weights
[ "$(cut -f1 weights | grep -c '^a$')" -gt 40 ]
tap $? "weights decide where coverage does not"
printf 'A: x | y | z, w\nB: one = { 1 }, more = { 2..4 }\nC: 1,2,3,4\n' >names.pict
pairs names.pict >names
[ "$(grep -cE '^(x|y|z)' names)" -ge 3 ] && grep -q '^y' names && grep -qE '.[234].' names
tap $? "aliases and members of classes rotate"
check "names of aliases and members are read back" "$RADDLE" pairs --check names.pict names

# --- methods, planning, ACTS ---
printf 'A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2,3\n' >four.pict
[ "$(pairs --exact four.pict | wc -l)" -eq 10 ]
tap $? "--exact: 3^4 in 9 tests"
pairs --method ipog call.pict >plain
check "--method ipog is complete" "$RADDLE" pairs --check call.pict plain
check_status 64 "--method ipo refuses constraints" "$RADDLE" pairs --method ipo call.pict
# Tables 4.4 and 4.5 of the dissertation, as its PairTest printed them.
for row in 4^10=31 4^20=34 4^30=41 4^40=42 15^10=361; do
    values=${row%%^*} size=${row#*=} count=${row#*^} count=${count%=*}
    for p in $(seq "$count"); do echo "P$p: $(seq -s, "$values")"; done >table.pict
    pairs --method ipo table.pict >table
    [ $(($(wc -l <table) - 1)) -eq "$size" ] && "$RADDLE" pairs --check table.pict table >/dev/null
    tap $? "--method ipo: $values^$count in $size tests, complete"
done
check_output 'one more parameter of 3 values' "--plan" "$RADDLE" pairs --plan call.pict
check_output '100% after' "--plan tells what prefixes cover" "$RADDLE" pairs --plan call.pict
pairs "$TOP/examples/pairs/disk.xml" >disk
check "ACTS XML: complete with its relation and constraints" \
    "$RADDLE" pairs --check "$TOP/examples/pairs/disk.xml" disk
check_output '1 tests kept' "the test set of an ACTS file as seeds" \
    "$RADDLE" pairs --seed-tests "$TOP/examples/pairs/disk.xml" "$TOP/examples/pairs/disk.xml"
pairs - <call.pict >stdin.text && cmp -s stdin.text call.text
tap $? "- reads standard input"

# --- optimisation ends when interrupted, with a complete set ---
awk 'BEGIN { for (i = 0; i < 20; i++) { printf "P%d: 0", i; for (v = 1; v < 10; v++) printf ", %d", v; print "" } }' >ten.pict
(trap - INT; exec "$RADDLE" pairs --optimize 60s ten.pict >optimized 2>progress) &
child=$!
sleep 6
kill -INT $child
wait $child
tap $? "SIGINT ends --optimize with status 0" "$(cat progress)"
check "what it had by then is complete" "$RADDLE" pairs --check ten.pict optimized
[ "$(wc -l <optimized)" -le "$(pairs ten.pict | wc -l)" ]
tap $? "optimised is never larger"
check_output 'optimize: [0-9]+ tests, at least 10[01] needed' "progress tells size and bound" cat progress

# --- mistakes ---
printf 'A: 1, 2\nB: 1, 2\n[A] = 1;\n[B] = [A];\n[B] = 2;\n' >contradiction.pict
check_status 1 "contradictory constraints: status 1" "$RADDLE" pairs contradiction.pict
check_output 'line 4: \[B\] = \[A\];' "… with the constraints that contradict" \
    "$RADDLE" pairs contradiction.pict
printf 'A: 1, 2\nB: 1, 2\nIF [A] = 1 THEM [B] = 2;\n' >syntax.pict
check_status 64 "a syntax error: status 64" "$RADDLE" pairs syntax.pict
check_output 'syntax.pict:3:12: expected THEN' "… with line and column" "$RADDLE" pairs syntax.pict
check_output '^ +\^$' "… and a caret" "$RADDLE" pairs syntax.pict
check_status 64 "no such file" "$RADDLE" pairs nothing.pict
check_status 64 "no model" "$RADDLE" pairs
check_status 64 "strength 7" "$RADDLE" pairs -t 7 call.pict
check_status 64 "unknown option" "$RADDLE" pairs --sed call.pict
head -c 3000 "$RADDLE" >garbage
check_status 64 "binary garbage" "$RADDLE" pairs garbage
check_status 64 "garbage as tests" "$RADDLE" pairs --check call.pict garbage
awk 'BEGIN { for (i = 0; i < 10000; i++) print "P" i ": a, b" }' >many.pict
[ "$(pairs many.pict | wc -l)" -eq 18 ]
tap $? "10,000 parameters in the optimal 17 tests"
awk 'BEGIN { for (i = 0; i < 30; i++) { printf "P%d: 0", i; for (v = 1; v < 60; v++) printf ", %d", v; print "" } }' >huge.pict
check_status 64 "too many combinations are refused" "$RADDLE" pairs -t 6 huge.pict
printf 'A: 1, 2\nB: 1, 2\n[C] = 1;\n' >stale.pict
check_status 0 "a constraint about an unknown parameter is skipped, as in PICT" "$RADDLE" pairs stale.pict
check_output 'warning: stale.pict:3:2: no parameter' "… with a warning" "$RADDLE" pairs stale.pict
printf 'A: 1, 2, 2 (5)\nB: x, y, X\nC: a | b, b, ~a\n' >twice.pict
pairs twice.pict >twice 2>warnings
check_output "twice.pict:1:10: '2' is listed twice" "a value listed twice counts once" cat warnings
check "… and the set is complete" "$RADDLE" pairs --check twice.pict twice
check_output '^  --optimize \[TIME\] ' "--help tells how a value is given" "$RADDLE" pairs --help
check_output 'usage: raddle pairs' "--help" "$RADDLE" pairs --help

# --- a model that explodes ---
awk 'BEGIN { for (i = 0; i < 60; i++) { printf "P%d: 0", i; for (v = 1; v < 20; v++) printf ", %d", v; print "" } }' >explodes.pict
check_status 2 "more than can be done in the time: given up" "$RADDLE" pairs -t 6 --time 1s explodes.pict
check_output 'not done in time' "… and says so" "$RADDLE" pairs -t 6 --time 1s explodes.pict
check_output 'needs more memory than 1 MiB' "more memory than is allowed" "$RADDLE" pairs --memory 1M explodes.pict
head -12 explodes.pict >fits.pict
check "a small one needs no more" "$RADDLE" pairs --time 60s --memory 50M fits.pict

# --- speed: processor time, best of five ---
fastest() { # fastest ARGS…: milliseconds
    local best=999999 ms i
    for i in 1 2 3 4 5; do
        ms=$( (TIMEFORMAT='%3U %3S'; time "$RADDLE" pairs -q "$@" >/dev/null) 2>&1 | awk '{ print int(1000 * ($1 + $2) + 0.5) }')
        [ "$ms" -lt "$best" ] && best=$ms
        [ "$best" -gt 1000 ] && break
    done
    echo "$best"
}
quick() { # quick LIMIT_MS NAME ARGS…
    local limit=$1 name=$2 ms
    shift 2
    ms=$(fastest "$@")
    [ "$ms" -lt "$limit" ]
    tap $? "$name: under $limit ms" "$ms ms"
}
awk 'BEGIN { for (i = 0; i < 100; i++) print "P" i ": a, b, c, d" }' >hundred.pict
awk 'BEGIN { split("2 2 2 2 2 2 2 3 3 4 10 10", d, " "); for (i = 1; i <= 12; i++) { printf "P%d: 0", i; for (v = 1; v < d[i]; v++) printf ", %d", v; print "" } }' >tcas.pict
quick 20 "10^20 pairs" ten.pict
quick 60 "4^100 pairs" hundred.pict
quick 5000 "10^20 triples" -t 3 ten.pict
quick 20000 "TCAS, t = 6" -t 6 tcas.pict
finish
