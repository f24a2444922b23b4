#!/usr/bin/env bash
# How many small mutants of the tool its tests notice (tests/mutants/run.py), in `make check-long`. The share that is
# killed may only rise: tests/mutants/score is the least. make check only looks whether the table is up to date.
. "$(dirname "$0")/../lib.sh"
check "every mutant of the table still has its place in the sources, and compiles" python3 "$TOP/tests/mutants/run.py" -s
[ -z "${RADDLE_LONG:-}" ] && finish
least=$(cat "$TOP/tests/mutants/score")
timeout 3500 python3 "$TOP/tests/mutants/run.py" >"$SCRATCH/log" 2>&1
tap $? "all mutants were tried" "$(tail -20 "$SCRATCH/log")"
score=$(sed -n 's/^score \([0-9]*\):.*/\1/p' "$SCRATCH/log")
[ "${score:-0}" -ge "$least" ]
tap $? "$(grep '^score' "$SCRATCH/log"), at least $least are wanted" "$(grep '^SURVIVED' "$SCRATCH/log")"
finish
