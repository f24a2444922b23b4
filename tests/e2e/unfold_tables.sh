#!/usr/bin/env bash
# Tables 8.1 and 8.2 of the thesis that the engines context and unfold come from: bench/unfold.py has the rows.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
RADDLE=$RADDLE timeout 3000 python3 "$TOP/bench/unfold.py" ${RADDLE_LONG:+--long} >log 2>&1
status=$?
while read -r verdict rest; do # its lines, with our numbers
    case $verdict in
    ok) tap 0 "${rest#* - }" ;;
    not) tap 1 "${rest#* - }" "$(grep -A3 -F "$verdict $rest" log | grep '^#')" ;;
    esac
done < <(grep -E '^(ok|not ok) ' log)
[ $status -eq 0 ]
tap $? "all rows" "$(tail -5 log)"
finish
