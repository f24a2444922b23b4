#!/usr/bin/env bash
# State matching as a user sees it: what is told of the states, and --states.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

build() {
    "$RADDLE" cc -O1 -g -pthread -o "$1" "$TOP/bench/unfold/$2.c" "${@:3}"
}

# Numbers of a search, from its JSON.
number() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"
}

build dining dining -DN=4
"$RADDLE" run -q --engine stateful --symmetry off --no-shrink -k -o out --states graph.dot dining >/dev/null
states=$(number out/report.json graph_states)
transitions=$(number out/report.json transitions)
[ "$states" -gt 100 ] && [ "$(grep -c -- '->' graph.dot)" = "$transitions" ]
tap $? "--states FILE.dot has a line for every transition" "$states $transitions"
[ "$(awk '$2 == "->" { print $1; print $3 }' graph.dot | sort -u | wc -l)" = "$states" ]
tap $? "and all states"
"$RADDLE" run -q --engine stateful --symmetry off --no-shrink -k --states graph.txt dining >/dev/null
[ "$(grep -vc '^#' graph.txt)" = "$transitions" ]
tap $? "--states FILE has one line each"
if [ -n "$(command -v dot)" ]; then
    dot -Tplain graph.dot 2>&1 | grep -q '^stop'
    tap $? "dot reads it"
fi
"$RADDLE" run --engine stateful --symmetry off --no-shrink -k dining 2>&1 | tr '\n' ' ' | tr -s ' ' |
    grep -q 'states and .* transitions, a net of .* places and .* transitions'
tap $? "states, transitions and the net are told"
"$RADDLE" run --engine optimal --states x dining >log 2>&1
[ $? -eq 64 ] && grep -q 'is for engines stateful' log
tap $? "--states with another engine" "$(cat log)"
finish
