#!/usr/bin/env bash
# Every run of the programs in tests/cases with each execution in a process of its own: the same verdicts, counts
# and places. All of them in make check-long, otherwise those whose engine has something to say.
export RADDLE_CASE_OPTIONS="--isolate fork" RADDLE_REPLAYS=0 RADDLE_CASE_ALSO=
[ $# -gt 0 ] || [ -n "$RADDLE_LONG" ] || set -- unfold/not-known match/stream choose/ sem/
exec python3 "$(dirname "$0")/../cases/run.py" "$@"
