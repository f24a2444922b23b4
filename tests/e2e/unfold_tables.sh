#!/usr/bin/env bash
# Tables 8.1 and 8.2 of the thesis that the engines context and unfold come from: bench/unfold.py has the rows.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
RADDLE=$RADDLE timeout 3000 python3 "$TOP/bench/unfold.py" ${RADDLE_LONG:+--long} >log 2>&1
status=$?
retell log
[ $status -eq 0 ]
tap $? "all rows" "$(tail -5 log)"
finish
