#!/usr/bin/env bash
# Table 8.3 of the thesis that the engines stateful and stateful-unfold come from (bench/match.py has the rows), and two
# programs without end beside SPIN on models of them.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
RADDLE=$RADDLE timeout 3000 python3 "$TOP/bench/match.py" ${RADDLE_LONG:+--long} >log 2>&1
status=$?
retell log
[ $status -eq 0 ]
tap $? "all rows" "$(tail -5 log)"
RADDLE=$RADDLE timeout 600 python3 "$TOP/bench/match.py" --cost ${RADDLE_LONG:+--long} >log 2>&1
status=$?
retell log
[ $status -eq 0 ]
tap $? "what it costs where it does not help" "$(tail -5 log)"
if command -v spin >/dev/null; then
    RADDLE=$RADDLE timeout 1000 python3 "$TOP/bench/match.py" --spin >log 2>&1
    status=$?
    retell log
    [ $status -eq 0 ]
    tap $? "beside SPIN" "$(tail -5 log)"
fi
finish
